from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, Entry
from league.models.players import Lineup
from league.querysets import SeasonAnswerQuerySet


class SeasonEnd(models.Model):
    """The end of a competition: the plans for its next season and, once it is finished, its final places.

    There is one for each competition, so that a season is finished once. `closed_at` is empty while it is prepared.
    """

    competition = models.OneToOneField(Competition, on_delete=models.CASCADE, related_name="end")
    sizes = models.JSONField(
        default=list,
        blank=True,
        help_text="how many each division takes next season, by level; empty: as many as now",
    )
    promotes = models.BooleanField(
        _("a free place goes to the best who stayed below, before those relegated"), default=False
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return str(self.competition)


class FinalPlace(models.Model):
    """An entry's final place and its way to the next season; or a newcomer, who has no entry and no place.

    `plan`, `placed_in` and `reason` are a director's; the rest is written when the competition is finished.
    Levels and places count from 1. `placed_in` is a level, which may have parallel divisions; `next_level` is a
    division's number from the top, and empty for those who leave. Where partners part, `kept_by` are who play on in the
    entry's place: as both agreed, or by a director's ruling.
    """

    class Plan(models.TextChoices):
        STAYS = "stays", _("plays on")
        DECLINES = "declines", _("plays on, but declines promotion")
        LEAVES = "leaves", _("leaves")
        PLACED = "placed", _("is placed by a director")

    class Way(models.TextChoices):
        STAYS = "stays", _("stays")
        PROMOTED = "promoted", _("promoted")
        RELEGATED = "relegated", _("relegated")
        REPRIEVED = "reprieved", _("reprieved")
        INTO_VACANCY = "into_vacancy", _("moved up into a free place")
        FOR_ROOM = "for_room", _("moved down to make room")
        WITHOUT_ROOM = "without_room", _("no room to go up")
        DECLINED = "declined", _("declined promotion")
        LEFT = "left", _("leaves")
        NEW = "new", _("new")
        PLACED = "placed", _("placed by a director")

    end = models.ForeignKey(SeasonEnd, on_delete=models.CASCADE, related_name="places")
    lineup = models.ForeignKey(Lineup, on_delete=models.PROTECT, related_name="final_places")
    entry = models.OneToOneField(
        Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="final_place"
    )
    plan = models.CharField(max_length=10, choices=Plan.choices, default=Plan.STAYS)
    placed_in = models.PositiveSmallIntegerField(null=True, blank=True)
    kept_by = models.ForeignKey(
        Lineup, on_delete=models.PROTECT, null=True, blank=True, related_name="places_kept"
    )
    is_ruling = models.BooleanField(default=False)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    way = models.CharField(max_length=12, choices=Way.choices, blank=True)
    next_level = models.PositiveSmallIntegerField(null=True, blank=True)
    next_number = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["end", "entry__division__level", "place", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(plan="placed", placed_in__isnull=False)
                | (Q(plan__in=["stays", "declines", "leaves"]) & Q(placed_in__isnull=True)),
                name="placed_in_a_level",
            ),
            models.CheckConstraint(
                condition=Q(kept_by__isnull=True, is_ruling=False)
                | Q(kept_by__isnull=False, entry__isnull=False),
                name="an_entry_has_a_place_to_keep",
            ),
            models.CheckConstraint(
                condition=Q(
                    way__in=[
                        "",
                        "stays",
                        "promoted",
                        "relegated",
                        "reprieved",
                        "into_vacancy",
                        "for_room",
                        "without_room",
                        "declined",
                        "left",
                        "new",
                        "placed",
                    ]
                ),
                name="way_known",
            ),
            models.CheckConstraint(
                condition=Q(way__in=["", "left"], next_level__isnull=True, next_number__isnull=True)
                | (~Q(way__in=["", "left"]) & Q(next_level__isnull=False, next_number__isnull=False)),
                name="a_way_leads_to_a_level",
            ),
            models.UniqueConstraint(
                fields=["end", "next_level", "next_number"], name="one_lineup_a_next_place"
            ),
        ]

    def __str__(self) -> str:
        return str(self.lineup)


class PlayOff(models.Model):
    """A place above the boundary below level `upper` (1 is the top) that is played for; no winner until it has been.

    Of a knock-out for several places there are several. Without a loser nobody goes down for it.
    """

    end = models.ForeignKey(SeasonEnd, on_delete=models.CASCADE, related_name="playoffs")
    upper = models.PositiveSmallIntegerField()
    winner = models.ForeignKey(
        Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="playoffs_won"
    )
    loser = models.ForeignKey(
        Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="playoffs_lost"
    )

    class Meta:
        ordering = ["end", "upper", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["end", "upper", "winner"], name="wins_one_place_a_boundary"),
            models.UniqueConstraint(fields=["end", "upper", "loser"], name="loses_one_place_a_boundary"),
            models.CheckConstraint(
                condition=Q(winner__isnull=False) | Q(loser__isnull=True), name="no_loser_without_a_winner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.end}, {self.upper}"


class SeasonAnswer(models.Model):
    """Whether a lineup of last season plays in the next one, `competition`; `is_in` is empty until somebody says.

    One for each lineup, but for two that became one when players were merged. The trail has the earlier answers.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="answers")
    lineup = models.ForeignKey(Lineup, on_delete=models.PROTECT, related_name="season_answers")
    asked_at = models.DateTimeField(null=True, blank=True)
    is_in = models.BooleanField(_("plays on"), null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = SeasonAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["competition", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_in__isnull=True, answered_at__isnull=True)
                | Q(is_in__isnull=False, answered_at__isnull=False),
                name="an_answer_has_its_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.lineup}: {self.is_in}"
