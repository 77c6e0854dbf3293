from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.querysets import MatchQuerySet, ScoresheetQuerySet
from league.models import Entry, Fixture, OutboxMessage, Player
from league.querysets import AppendOnlyQuerySet
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField


class Match(models.Model):
    """The cards of a fixture: who sits where, who deals first, under which options. Its key is the fixture's."""

    fixture = models.OneToOneField(Fixture, on_delete=models.PROTECT, primary_key=True, related_name="match")
    game = models.CharField(max_length=30)
    options = models.JSONField(default=dict, help_text="options of the game, as it reads them")
    first_dealer = models.CharField(_("first dealer"), max_length=2)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    locks_at = models.DateTimeField(null=True, blank=True, help_text="end of the correction window")

    objects = MatchQuerySet.as_manager()

    class Meta:
        ordering = ["fixture"]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return str(self.fixture)

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])


class MatchSeat(models.Model):
    """Who sits at a seat, for which pair."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=2)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["match_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["match", "player"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.player}"


class Scoresheet(models.Model):
    """One version of a match's scoresheet. Its content never changes; only the verdict on it is added."""

    class Verdict(models.TextChoices):
        PENDING = "pending", _("to confirm")
        CONFIRMED = "confirmed", _("confirmed")
        REJECTED = "rejected", _("rejected")
        REPLACED = "replaced", _("replaced by a newer version")
        REOPENED = "reopened", _("reopened by a director")

    class Origin(models.TextChoices):
        PAGE = "page", _("entered on the site")
        OFFICIAL = "official", _("typed in by an official")
        API = "api", _("sent by another program")
        TABLE = "table", _("played online")
        IMPORTED = "imported", _("imported with the club")

    class EnteredAs(models.TextChoices):
        PERSON = "person", _("by a side")
        OFFICIAL = "official", _("by an official")
        CODE = "code", _("by the code on the paper")
        TABLE = "table", _("by the table in the browser")
        IMPORTED = "imported", _("by the file of a club")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="sheets")
    version = models.PositiveSmallIntegerField()
    content = EncryptedJSONField(help_text='{"deals": [record, ...]} as the game reads it')
    digest = EncryptedTextField(help_text="of the content: what is confirmed is exactly this")
    origin = models.CharField(max_length=10, choices=Origin.choices)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    entered_for = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    entered_as = models.CharField(
        max_length=10,
        choices=EnteredAs.choices,
        default=EnteredAs.PERSON,
        help_text="in what capacity: a code is a way in, and a file a copy; neither speaks for anybody",
    )
    entered_at = models.DateTimeField(auto_now_add=True)
    totals = models.JSONField(help_text="the points of the sides, in their order in the fixture")
    suspicious = EncryptedJSONField(
        default=list, help_text="what the engine found odd: shown to the director"
    )
    verdict = models.CharField(max_length=10, choices=Verdict.choices, default=Verdict.PENDING)
    verdict_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    verdict_at = models.DateTimeField(null=True, blank=True)
    verdict_reason = EncryptedTextField(max_length=500, blank=True)
    #: Of the answer to a request, never stored: it was sent before, with the same key.
    is_repeated = False

    objects = ScoresheetQuerySet.as_manager()

    class Meta:
        ordering = ["match_id", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="sheet_version_once"),
            models.UniqueConstraint(
                fields=["match"], condition=Q(verdict="confirmed"), name="one_confirmed_sheet_a_match"
            ),
            models.UniqueConstraint(
                fields=["match"], condition=Q(verdict="pending"), name="one_pending_sheet_a_match"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=["pending", "confirmed", "rejected", "replaced", "reopened"]),
                name="sheet_verdict_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}, {self.version}"

    @property
    def is_typed(self) -> bool:
        """Whether somebody, or another program, entered it: no table in the browser and no robot stands behind it."""
        return self.origin in {self.Origin.PAGE, self.Origin.OFFICIAL, self.Origin.API}

    @property
    def home_total(self) -> int:
        """Where two meet: the points of the first side."""
        return int(self.totals[0])

    @property
    def away_total(self) -> int:
        """Where two meet: the points of the second side."""
        return int(self.totals[1])


class Vouch(models.Model):
    """Somebody's word that a version of a sheet is right. Only ever added; whether a sheet counts follows from them.

    See games.proof.vouches.
    """

    class Kind(models.TextChoices):
        SIDE = "side", _("a side")
        OFFICIAL = "official", _("an official")
        SECOND = "second", _("a second official")
        PAPER = "paper", _("paper signed by all sides")
        SILENCE = "silence", _("silence")
        TABLE = "table", _("the table in the browser")

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="vouches")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    entry = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+", help_text="of a side"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_neutral = models.BooleanField(
        default=False, help_text="an official who had no part in the event at that moment"
    )
    at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["sheet_id", "pk"]
        verbose_name_plural = "vouches"
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "entry"], condition=Q(kind="side"), name="a_side_vouches_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="side", entry__isnull=False) | (~Q(kind="side") & Q(entry__isnull=True)),
                name="a_side_vouches_by_its_entry",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["side", "official", "second", "paper", "silence", "table"]),
                name="vouch_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.get_kind_display()}"


class ScoresheetDraft(models.Model):
    """What somebody has typed so far: kept on every change, until it is submitted."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    content = EncryptedJSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["fixture", "user"], name="one_draft_a_person")]

    def __str__(self) -> str:
        return f"{self.fixture}, {self.user}"


class PlayedDeal(models.Model):
    """A deal of a scoresheet, with the points that the engine made of it. Points can always be recomputed."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.CharField(max_length=2)
    record = EncryptedJSONField(help_text="the deal as it was written down")
    score = EncryptedJSONField(help_text="the engine's score of the record")

    class Meta:
        ordering = ["sheet_id", "number"]
        constraints = [models.UniqueConstraint(fields=["sheet", "number"], name="deal_number_once")]

    def __str__(self) -> str:
        return f"{self.sheet}, deal {self.number}"


class RobotHand(models.Model):
    """A hand of a deal in which a robot acted for a player, as the table in the browser saw it.

    All else at a table was done by the players themselves. Rows are written with the sheet and never changed.
    """

    deal = models.ForeignKey(PlayedDeal, on_delete=models.CASCADE, related_name="robot_hands")
    seat = models.CharField(max_length=2)
    side = models.CharField(max_length=8, help_text="the game's key of the side that the seat is on")
    number = models.PositiveSmallIntegerField(help_text="of the hand, from 1")
    robot = models.CharField(max_length=20)
    actions = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["deal_id", "number", "seat", "robot"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "number", "seat", "robot"], name="robot_hand_once")
        ]

    def __str__(self) -> str:
        return f"{self.deal}, {self.number}: {self.seat}"


class SilencePeriod(models.Model):
    """A typed sheet that counts when the sides say nothing: the days are those that the notices name."""

    sheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="silence")
    days = models.PositiveSmallIntegerField()
    begun_at = models.DateTimeField()
    counts_at = models.DateTimeField(
        null=True, blank=True, help_text="empty until every silent side has been told"
    )
    reminded_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="when the sweep looks at it again; empty: it is over"
    )

    def __str__(self) -> str:
        return f"{self.sheet}, {self.days}"


class SilenceNotice(models.Model):
    """That a member of a side was told of it: by a mail that was handed over, or by the page it stood on."""

    period = models.ForeignKey(SilencePeriod, on_delete=models.CASCADE, related_name="notices")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(
        OutboxMessage, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["period", "user"], name="silence_told_once")]

    def __str__(self) -> str:
        return f"{self.period}, {self.user}"
