from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.contest.comparison.comparison import Method
from games.models.boards import Board
from games.models.querysets import DuplicateQuerySet
from league.models import Club, Competition, Entry, Fixture, Player
from league.querysets import AppendOnlyQuerySet
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField


class Duplicate(models.Model):
    """That the tables of a competition play the same boards, and how their results are compared.

    `results_version` counts changes of results and of these settings; a ranking names the version that it came from.
    """

    class Measure(models.TextChoices):
        DIFFERENCE = "difference", _("the difference between the two sides’ points")
        OWN = "own", _("each side’s own points")

    class Way(models.TextChoices):
        MATCHPOINTS = Method.MATCHPOINTS.value, _("matchpoints")
        CROSS_IMPS = Method.CROSS_IMPS.value, _("IMPs against every other table")
        BUTLER = Method.BUTLER.value, _("IMPs against the average (Butler)")

    class Tops(models.TextChoices):
        SAME = (
            "same",
            _("the same on every board (Neuberg’s formula makes up for missing results)"),
        )
        OWN = "own", _("each board’s own, depending on how many results it has")

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="duplicate"
    )
    measure = models.CharField(
        _("what is compared"), max_length=12, choices=Measure.choices, default=Measure.DIFFERENCE
    )
    method = models.CharField(
        _("how it is compared"), max_length=12, choices=Way.choices, default=Way.MATCHPOINTS
    )
    tops = models.CharField(_("top on a board"), max_length=10, choices=Tops.choices, default=Tops.SAME)
    least_share = models.PositiveSmallIntegerField(
        _("boards needed to be ranked, in percent"),
        default=50,
        validators=[MaxValueValidator(100)],
        help_text=_(
            "As a share of the most boards played by any pair. Pairs with fewer are listed "
            "separately, without a place. 0 ranks every pair."
        ),
    )
    delayed = models.JSONField(
        default=dict,
        blank=True,
        help_text='{"kind", "source"} of what is mixed into each round\'s deals on the day before it; '
        "{}: an agreed text",
    )
    open_after_days = models.PositiveSmallIntegerField(
        _("days until boards open"),
        default=14,
        validators=[MinValueValidator(1), MaxValueValidator(365)],
        help_text=_(
            "Boards that are only waiting for a neutral official open this many days after the last "
            "day of the round."
        ),
    )
    results_version = models.PositiveIntegerField(default=0)

    objects = DuplicateQuerySet.as_manager()

    class Meta:
        ordering = ["competition"]
        constraints = [
            models.CheckConstraint(condition=Q(least_share__lte=100), name="least_share_is_a_percentage")
        ]

    def __str__(self) -> str:
        return str(self.competition)


class FixtureBoard(models.Model):
    """That a match plays a board as its deal number `position`. `version` tells which cards lay in it."""

    class Settled(models.TextChoices):
        SIDES = "sides", _("confirmed by all sides")
        TABLE = "table", _("played at the table in the browser")
        NEUTRAL = "neutral", _("by a neutral official")
        CONSENT = "consent", _("by consent of all sides of the match")
        TIME = "time", _("because the time is up")
        EARLIER = "earlier", _("decided before the site asked for more")

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
    is_proven = models.BooleanField(
        default=False, help_text="whether it is proven that the sheet that counts was played with its cards"
    )
    settled = models.CharField(
        max_length=10,
        choices=Settled.choices,
        blank=True,
        help_text="why this match no longer keeps the board shut; empty: it does",
    )

    class Meta:
        ordering = ["fixture", "position"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "position"], name="one_board_a_deal"),
            models.UniqueConstraint(fields=["fixture", "board"], name="a_match_plays_a_board_once"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}, {self.board}"


class Participation(models.Model):
    """That somebody has seen a card of a board, or may have. Only ever added; embargo, seats and tables ask here.

    `user` is the account at that moment: it stays with the row, whatever becomes of the player. Without a board it is
    of the whole set; `linked` without a competition says whose account a player is or was.
    """

    class Kind(models.TextChoices):
        PLAYED = "played", _("played it")
        DREW = "drew", _("downloaded the cards")
        DEALT = "dealt", _("downloaded the cards as the club’s only director")
        SHOWN = "shown", _("was shown a scoresheet")
        NAMED = "named", _("was named to play it")
        LINKED = "linked", _("an account was linked")
        ALLOWED = "allowed", _("may still play it")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    competition = models.ForeignKey(
        Competition,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="participations",
    )
    board_set = models.ForeignKey(
        "games.BoardSet",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    board = models.ForeignKey(
        Board,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    fixture = models.ForeignKey(
        Fixture,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    player = models.ForeignKey(
        Player,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["competition", "kind"], name="participation_event"),
            models.Index(fields=["board", "kind"], name="participation_board"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False) | Q(user__isnull=False), name="participation_of_somebody"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player or self.user}: {self.get_kind_display()}"


class Ruling(models.Model):
    """That a match was decided without play, or that this was taken back, and whether a neutral official did it."""

    fixture = models.ForeignKey(
        Fixture, on_delete=models.DO_NOTHING, db_constraint=False, related_name="rulings"
    )
    status = models.CharField(max_length=12, help_text="of the match from then on")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    is_neutral = models.BooleanField()
    at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["fixture", "pk"]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.status}"


class BoardConsent(models.Model):
    """A side of a match agrees that its boards may open. It lapses when the match is decided otherwise."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="board_consents")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["fixture_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["fixture", "entry"], name="a_side_consents_once")]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.entry}"


class EarlyPlay(models.Model):
    """A director's public leave to play a match with sealed boards before its round begins."""

    fixture = models.OneToOneField(
        Fixture, on_delete=models.CASCADE, primary_key=True, related_name="early_play"
    )
    reason = models.CharField(_("reason"), max_length=300)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["fixture_id"]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.reason}"


class NeutralInvitation(models.Model):
    """An owner's link by which one person outside the event says, once, whether a match's boards may open."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="neutral_invitations")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the link's token")
    name = models.CharField(_("name"), max_length=120)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["fixture_id", "pk"]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.name}"


class AdjustedScore(models.Model):
    """A director's score for a board in place of the one made at the table. Taken back by a mark, never deleted.

    `content` is exact: {"percent": {"home": "60", "away": "40"}} for what could not be played, or
    {"scores": [{"home": "40", "away": "16", "weight": "1/2"}, ...]} in points, weights adding up to 1.
    """

    play = models.ForeignKey(FixtureBoard, on_delete=models.CASCADE, related_name="awards")
    content = EncryptedJSONField()
    reason = EncryptedTextField(_("reason"), max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    is_neutral = models.BooleanField(
        null=True, help_text="given by somebody with no part in the event; unknown of scores before 0.3"
    )
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # The triggers that keep these rows as they are name this table, on every database of today.
        db_table = "games_award"
        ordering = ["play_id", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["play"], condition=Q(revoked_at__isnull=True), name="one_award_counts"
            )
        ]

    def __str__(self) -> str:
        return f"{self.play}: {self.reason}"


class BoardAverage(models.Model):
    """A board of a team match that can't be played: IMPs for the home team and the other, by who is at fault (F66).

    Taken back by a mark, never deleted.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="averages")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="averages")
    home = models.SmallIntegerField()
    away = models.SmallIntegerField()
    reason = EncryptedTextField(_("reason"), max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["fixture", "board", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["fixture", "board"], condition=Q(revoked_at__isnull=True), name="one_average_counts"
            ),
            models.CheckConstraint(
                condition=(Q(home=3) | Q(home=0) | Q(home=-3)) & (Q(away=3) | Q(away=0) | Q(away=-3)),
                name="average_of_three_imps",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}, {self.board}: {self.home}, {self.away}"


class Comparison(models.Model):
    """A board's figures as a worker computed them from the results of one version, whole."""

    board = models.OneToOneField(Board, on_delete=models.CASCADE, primary_key=True, related_name="comparison")
    results_version = models.PositiveIntegerField()
    content = EncryptedJSONField(help_text="the figures of every table and both sides, as exact text")
    digest = EncryptedTextField()
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
    content = EncryptedJSONField()
    digest = EncryptedTextField()
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
