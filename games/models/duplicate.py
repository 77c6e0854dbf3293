from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.contest.comparison import Method
from games.models.boards import Board
from games.querysets import DuplicateQuerySet
from league.models import Club, Competition, Fixture


class Duplicate(models.Model):
    """That the tables of a competition play the same boards, and how their results are compared.

    `results_version` counts changes of results and of these settings; a ranking names the version that it came from.
    """

    class Measure(models.TextChoices):
        DIFFERENCE = "difference", _("the difference of the two pairs' points")
        OWN = "own", _("each pair's own points")

    class Way(models.TextChoices):
        MATCHPOINTS = Method.MATCHPOINTS.value, _("matchpoints")
        CROSS_IMPS = Method.CROSS_IMPS.value, _("IMPs against every other table")
        BUTLER = Method.BUTLER.value, _("IMPs against the average (Butler)")

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="duplicate"
    )
    measure = models.CharField(
        _("what is compared"), max_length=12, choices=Measure.choices, default=Measure.DIFFERENCE
    )
    method = models.CharField(
        _("how it is compared"), max_length=12, choices=Way.choices, default=Way.MATCHPOINTS
    )
    delayed = models.JSONField(
        default=dict,
        blank=True,
        help_text='{"kind", "source"} of what is mixed into each round\'s deals on the day before it; '
        "{}: an agreed text",
    )
    results_version = models.PositiveIntegerField(default=0)

    objects = DuplicateQuerySet.as_manager()

    class Meta:
        ordering = ["competition"]

    def __str__(self) -> str:
        return str(self.competition)


class FixtureBoard(models.Model):
    """That a match plays a board as its deal number `position`. `version` tells which cards lay in it."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="boards")
    position = models.PositiveSmallIntegerField()
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="plays")
    version = models.CharField(
        max_length=10, blank=True, help_text="empty: as dealt; else the letter of a fouled version"
    )
    fits = models.BooleanField(
        null=True,
        blank=True,
        help_text="whether the sheet that counts can have been played with its cards; empty: not known",
    )

    class Meta:
        ordering = ["fixture", "position"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "position"], name="one_board_a_deal"),
            models.UniqueConstraint(fields=["fixture", "board"], name="a_match_plays_a_board_once"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}, {self.board}"


class Award(models.Model):
    """A director's score for a board in place of the one made at the table. Taken back by a mark, never deleted.

    `content` is exact: {"percent": {"home": "60", "away": "40"}} for what could not be played, or
    {"scores": [{"home": "40", "away": "16", "weight": "1/2"}, ...]} in points, weights adding up to 1.
    """

    play = models.ForeignKey(FixtureBoard, on_delete=models.CASCADE, related_name="awards")
    content = models.JSONField()
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["play", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["play"], condition=Q(revoked_at__isnull=True), name="one_award_counts"
            )
        ]

    def __str__(self) -> str:
        return f"{self.play}: {self.reason}"


class Comparison(models.Model):
    """A board's figures as a worker computed them from the results of one version, whole."""

    board = models.OneToOneField(Board, on_delete=models.CASCADE, primary_key=True, related_name="comparison")
    results_version = models.PositiveIntegerField()
    content = models.JSONField(help_text="the figures of every table and both sides, as exact text")
    digest = models.CharField(max_length=64)
    computed_at = models.DateTimeField()

    class Meta:
        ordering = ["board"]

    def __str__(self) -> str:
        return f"{self.board}, version {self.results_version}"


class EventRanking(models.Model):
    """What the pairs of a field made on all boards compared so far, as a worker computed it, whole.

    `field` names who is ranked together: "all", or "home" and "away" where each way is a field; `round_number` 0 is
    the whole event.
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="rankings")
    field = models.CharField(max_length=20)
    round_number = models.PositiveSmallIntegerField(default=0)
    results_version = models.PositiveIntegerField()
    content = models.JSONField()
    digest = models.CharField(max_length=64)
    computed_at = models.DateTimeField()

    class Meta:
        ordering = ["competition", "round_number", "field"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "field", "round_number"], name="one_ranking_a_field"
            )
        ]

    def __str__(self) -> str:
        return f"{self.competition}, {self.field}, version {self.results_version}"

    @property
    def club(self) -> Club:
        return self.competition.club
