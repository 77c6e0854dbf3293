from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition, Division, Entry, Stage
from league.models.players import Player
from league.querysets import FixtureQuerySet


class Round(models.Model):
    """All matches of a stage that are due together."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    starts_on = models.DateField(_("first day"))
    closes_at = models.DateTimeField(_("closes"))

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return f"{self.competition}, {self.number}"

    def get_absolute_url(self) -> str:
        competition = self.competition
        return reverse("round", args=[competition.club.slug, competition.slug, self.number])

    @property
    def competition(self) -> Competition:
        """The competition of its stage."""
        return self.stage.whole


class Fixture(models.Model):
    """Two pairs who meet in a round. Its status changes through league.fixtures.services.fixtures alone."""

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", _("scheduled")
        POSTPONED = "postponed", _("postponed")
        IN_PLAY = "in_play", _("in play")
        TO_CONFIRM = "to_confirm", _("to confirm")
        DISPUTED = "disputed", _("disputed")
        CONFIRMED = "confirmed", _("confirmed")
        WALKOVER = "walkover", _("walkover")
        VOID = "void", _("void")

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="fixtures")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="fixtures")
    home = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="home_fixtures")
    away = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="away_fixtures")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.SCHEDULED)
    starts_at = models.DateTimeField(_("date and time"), null=True, blank=True)
    place = models.CharField(pgettext_lazy("where it is played", "place"), max_length=200, blank=True)
    table = models.CharField(_("table"), max_length=20, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)

    objects = FixtureQuerySet.as_manager()

    class Meta:
        ordering = ["round", "division", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(home=F("away")), name="fixture_of_two_pairs"),
            models.CheckConstraint(
                condition=Q(
                    status__in=[
                        "scheduled",
                        "postponed",
                        "in_play",
                        "to_confirm",
                        "disputed",
                        "confirmed",
                        "walkover",
                        "void",
                    ]
                ),
                name="fixture_status_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.home} – {self.away}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])


class Appearance(models.Model):
    """A pair's place in a round: in a fixture, or sitting out (fixture is empty). No pair stands twice in a round."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="appearances")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="appearances")
    fixture = models.ForeignKey(
        Fixture, on_delete=models.CASCADE, null=True, blank=True, related_name="appearances"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="no_pair_twice_in_a_round")]

    def __str__(self) -> str:
        return f"{self.entry}, {self.round}"


class FixtureResult(models.Model):
    """What a fixture counts for in the table: one row a fixture, and every change of it in the audit trail."""

    class Kind(models.TextChoices):
        PLAYED = "played", _("played")
        WALKOVER_HOME = "walkover_home", _("walkover for the home pair")
        WALKOVER_AWAY = "walkover_away", _("walkover for the away pair")
        DOUBLE_FORFEIT = "double_forfeit", _("lost by both")

    fixture = models.OneToOneField(Fixture, on_delete=models.CASCADE, related_name="result")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PLAYED)
    home_score = models.IntegerField(default=0)
    away_score = models.IntegerField(default=0)
    recorded_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="played") | Q(home_score=0, away_score=0), name="walkover_without_a_score"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["played", "walkover_home", "walkover_away", "double_forfeit"]),
                name="result_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.home_score}–{self.away_score}"


class Substitution(models.Model):
    """Somebody else plays for a member of a pair, in one match."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="substitutions")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="substitutions")
    absent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substituted")
    substitute = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substitutes")
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["fixture", "absent"], name="one_substitute_for_a_player"),
            models.UniqueConstraint(fields=["fixture", "substitute"], name="a_substitute_sits_once"),
            models.CheckConstraint(condition=~Q(absent=F("substitute")), name="substitute_is_someone_else"),
        ]

    def __str__(self) -> str:
        return f"{self.substitute} ({self.absent})"


class DateProposal(models.Model):
    """One pair proposes another time; the other pair accepts or declines."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="date_proposals")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="date_proposals")
    starts_at = models.DateTimeField(_("proposed time"))
    message = models.CharField(_("message"), max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["fixture"], condition=Q(state="open"), name="one_open_proposal_a_fixture"
            )
        ]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.starts_at:%Y-%m-%d %H:%M}"
