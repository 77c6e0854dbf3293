from collections.abc import Collection

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import game
from engine.game.core import LONGEST_TOKEN
from games.models.boards import Board
from games.models.matches import Scoresheet
from games.models.querysets import TableQuerySet
from league.actors import identity_of
from league.models import Club, Competition, Fixture, Lineup, Player
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField

SEAT, SIDE, KEY = 2, 8, 64
#: The states of a table at which somebody can still sit down.
OPEN = ("waiting", "playing", "between")
#: The kinds of requests that are for a director.
CALLS = ("director", "time")
#: A partner may say it too: nobody loses the seat of a match to a robot by thinking for a moment.
LEAST_ABSENCE_SECONDS = 30


class Timeout(models.TextChoices):
    """What happens when a side has used up its time."""

    ROBOT = "robot", _("a robot finishes the deal")
    DIRECTOR = "director", _("a director is called")


class Spectators(models.TextChoices):
    """Who may watch a table."""

    EVERYBODY = "everybody", _("everybody")
    MEMBERS = "members", _("members of the club")
    NOBODY = "nobody", _("nobody")


class TableTerms(models.Model):
    """Under which terms a table is played; of a competition, or of one table."""

    clock_seconds = models.PositiveIntegerField(
        _("seconds for each side per deal"),
        default=900,
        validators=[MaxValueValidator(86400)],
        help_text=_("0 means no clock."),
    )
    on_timeout = models.CharField(
        _("when time is up"), max_length=10, choices=Timeout.choices, default=Timeout.ROBOT
    )
    absence_seconds = models.PositiveIntegerField(
        _("seconds without an action before a player can be reported absent"),
        default=180,
        validators=[MaxValueValidator(86400)],
    )
    robots = models.BooleanField(_("robots may take a seat"), default=True)
    robot = models.CharField(
        _("the robot for an absent player"),
        max_length=20,
        blank=True,
        default="",
        help_text=_("The same for all sides. Leave this empty for the weakest."),
    )
    most_robot_hands = models.PositiveSmallIntegerField(
        _("most hands robots may play in a match that counts"),
        null=True,
        blank=True,
        default=None,
        help_text=_("Leave this empty for any number. A match with more waits for a director to decide."),
    )
    helps = models.BooleanField(_("show what a hand can still become"), default=False)
    single_press = models.BooleanField(_("one press plays a card"), default=False)
    spectators = models.CharField(
        _("who may watch"), max_length=10, choices=Spectators.choices, default=Spectators.EVERYBODY
    )
    delay_seconds = models.PositiveIntegerField(
        _("delay for spectators, in seconds"), default=0, validators=[MaxValueValidator(86400)]
    )

    class Meta:
        abstract = True

    @property
    def replaces_absent(self) -> bool:
        """Whether a robot takes the seat of somebody who does not act; else a director is called."""
        return self.robots and self.on_timeout == Timeout.ROBOT

    def terms(self) -> dict[str, object]:
        """The terms by their names, as another row of them takes them."""
        return {field.name: getattr(self, field.name) for field in TableTerms._meta.fields}


class OnlinePlay(TableTerms):
    """How a competition is played online; without a row it is played with the defaults."""

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="online"
    )
    is_open = models.BooleanField(_("matches may be played online"), default=True)
    compares_robots = models.BooleanField(
        _("compare boards that a robot played like any other"), default=True
    )

    class Meta:
        ordering = ["competition"]

    def __str__(self) -> str:
        return str(self.competition)

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        super().clean_fields(exclude)
        if self.absence_seconds < LEAST_ABSENCE_SECONDS:
            message = _("In a match a player needs at least %(least)d seconds.")
            raise ValidationError({"absence_seconds": message % {"least": LEAST_ABSENCE_SECONDS}})

    @property
    def club(self) -> Club:
        return self.competition.club


class Table(TableTerms):
    """A table in the browser: a fixture's match, or a casual one of a club. Every change of it raises `version`."""

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        CASUAL = "casual", _("casual table")
        PRACTICE = "practice", _("practice")
        DAILY = "daily", _("daily deal")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for players")
        PLAYING = "playing", _("in play")
        BETWEEN = "between", _("between two deals")
        FINISHED = "finished", _("played to the end")
        CLOSED = "closed", _("closed")

    club = models.ForeignKey(
        Club,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="tables",
        help_text="empty where a person alone plays the deal of a day, or practises it again",
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    fixture = models.ForeignKey(
        Fixture, on_delete=models.PROTECT, null=True, blank=True, related_name="online_tables"
    )
    board = models.ForeignKey(
        Board,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="the released board that is practised",
    )
    game = models.CharField(max_length=30)
    players = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="how many sit there; empty: the fewest that the game takes"
    )
    options = models.JSONField(default=dict, help_text="options of the game, as it reads them")
    first_dealer = models.CharField(max_length=SEAT)
    seating = models.JSONField(
        default=dict, blank=True, help_text="of a match: the key of the player whose seat each is"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    deal_number = models.PositiveSmallIntegerField(default=0, help_text="0 before the first deal")
    guests_talk = models.BooleanField(default=False, help_text="whether guests take part in the chat")
    version = models.PositiveIntegerField(default=1)
    seen_version = models.PositiveIntegerField(
        default=1,
        help_text="raised with what somebody sees who watches a deal that is hidden: not with actions",
    )
    seen_at = models.DateTimeField(default=timezone.now)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(auto_now_add=True)
    called_at = models.DateTimeField(
        null=True, blank=True, help_text="when its match's players, or its club's members, were written to"
    )
    changed_at = models.DateTimeField(auto_now=True)
    due_at = models.DateTimeField(
        null=True,
        blank=True,
        default=timezone.now,
        help_text="when the sweep looks at it; empty: not before a change",
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    sheet = models.OneToOneField(
        Scoresheet,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="table",
        help_text="what the match became",
    )
    fault = EncryptedTextField(max_length=300, blank=True, help_text="why it became no result")

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ["-changed_at", "-pk"]
        indexes = [
            models.Index(fields=["due_at", "id"], condition=Q(due_at__isnull=False), name="table_due"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["fixture"],
                condition=Q(state__in=["waiting", "playing", "between"]),
                name="one_open_table_a_fixture",
            ),
            models.CheckConstraint(
                condition=Q(kind="match", fixture__isnull=False)
                | Q(kind__in=["casual", "practice", "daily"], fixture__isnull=True),
                name="a_match_has_a_fixture",
            ),
            models.CheckConstraint(
                condition=Q(club__isnull=False) | Q(kind__in=["practice", "daily"]),
                name="only_alone_without_a_club",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "playing", "between", "finished", "closed"]),
                name="table_state_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.fixture) if self.fixture_id else f"{self.get_kind_display()} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])

    @property
    def is_alone(self) -> bool:
        """Whether one person plays here with robots, and nobody else sits down or watches."""
        return self.kind in {self.Kind.PRACTICE, self.Kind.DAILY}

    @property
    def stand_in(self) -> str:
        """The key of the robot that plays for somebody absent: the terms', else the weakest."""
        keys = [robot.key for robot in game.get(self.game).robots]
        return self.robot if self.robot in keys or not keys else keys[0]

    @property
    def places(self) -> tuple[str, ...]:
        """The keys of the table's seats, in the order of the turn."""
        return game.get(self.game).seats(self.players)


class TableSeat(models.Model):
    """Somebody, or a robot, holds a seat since a time. A row that was left stays as history."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=SEAT)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    guest = models.ForeignKey(
        "games.TableGuest", on_delete=models.RESTRICT, null=True, blank=True, related_name="seats"
    )
    robot = models.CharField(max_length=20, blank=True, help_text="which robot plays here; empty: a person")
    pair = models.ForeignKey(
        Lineup,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="of a robot outside a match: whose convention card it plays with its partner",
    )
    ready_for = models.PositiveSmallIntegerField(
        default=0, help_text="the number of the deal that this person is ready to begin"
    )
    window = models.CharField(
        max_length=40, blank=True, help_text="names the browser window that the seat is played from"
    )
    since = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    stood_up = models.BooleanField(default=False, help_text="left by a press, not by a lost line")

    class Meta:
        ordering = ["table_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "seat"], condition=Q(left_at__isnull=True), name="one_holder_a_seat"
            ),
            models.UniqueConstraint(
                fields=["table", "user"],
                condition=Q(left_at__isnull=True, user__isnull=False),
                name="one_seat_a_person_at_a_table",
            ),
            models.UniqueConstraint(
                fields=["guest"],
                condition=Q(left_at__isnull=True, guest__isnull=False),
                name="one_seat_a_guest",
            ),
            models.CheckConstraint(
                condition=Q(robot="", user__isnull=False, guest__isnull=True)
                | Q(robot="", user__isnull=True, guest__isnull=False, player__isnull=True)
                | (~Q(robot="") & Q(user__isnull=True, guest__isnull=True)),
                name="a_person_a_guest_or_a_robot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.seat}"

    @property
    def who(self) -> str:
        """Whose seat it is, as league.actors.identity has it; empty for a robot."""
        return identity_of(self.user_id, self.guest_id)

    @property
    def name(self) -> str:
        """What the person is called; empty for a robot without a player."""
        return str(self.player or self.guest or self.user or "")


class TableDeal(models.Model):
    """A deal of a table. Its cards come from the board, or lie in `secret`, encrypted, until it is over."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.CharField(max_length=SEAT)
    board = models.ForeignKey(
        Board, on_delete=models.PROTECT, null=True, blank=True, related_name="table_deals"
    )
    secret = models.TextField(blank=True, help_text="the cards, encrypted with settings.BOARD_KEYS")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    score = EncryptedJSONField(null=True, blank=True, help_text="the game's score, once it is over")
    extra_seconds = models.PositiveIntegerField(default=0, help_text="what a director added to both clocks")

    class Meta:
        ordering = ["table_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_deal_once"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(score__isnull=False), name="over_with_a_score"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.number}"


class Action(models.Model):
    """One line of a deal's log; the state of the deal is the fold of its lines. Never changed, never deleted.

    A line with `back_to` takes back: of the actions that counted so far only the first `back_to` count on.
    """

    deal = models.ForeignKey(TableDeal, on_delete=models.CASCADE, related_name="actions")
    number = models.PositiveSmallIntegerField(help_text="from 0, without a gap")
    seat = models.CharField(max_length=SEAT, blank=True)
    token = EncryptedTextField(max_length=LONGEST_TOKEN, blank=True, help_text="as the game reads it")
    back_to = models.PositiveSmallIntegerField(null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    guest = models.ForeignKey(
        "games.TableGuest",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )
    robot = models.CharField(max_length=20, blank=True)
    key = models.CharField(max_length=KEY, blank=True, help_text="made by the client: once is enough")
    reason = EncryptedTextField(max_length=300, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["deal_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="action_number_once"),
            models.UniqueConstraint(fields=["deal", "key"], condition=~Q(key=""), name="action_key_once"),
            models.CheckConstraint(
                condition=Q(back_to__isnull=True) & ~Q(token="") & ~Q(seat="")
                | Q(back_to__isnull=False, token=""),
                name="an_action_or_a_taking_back",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal}, {self.number}"


class TableRequest(models.Model):
    """Somebody at the table asks for something: of the others, or of a director."""

    class Kind(models.TextChoices):
        TAKE_BACK = "take_back", _("to undo the last action")
        PAUSE = "pause", _("a pause")
        RETURN = "return", _("to come back to the seat")
        DIRECTOR = "director", _("a director")
        TIME = "time", _("a director, since the time is up")
        PHRASE = "phrase", _("says")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")
        LAPSED = "lapsed", _("already decided")
        DONE = "done", _("done")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="requests")
    deal = models.ForeignKey(
        TableDeal, on_delete=models.CASCADE, null=True, blank=True, related_name="requests"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    seat = models.CharField(max_length=SEAT, blank=True, help_text="who asks; empty: the table itself")
    side = models.CharField(max_length=SIDE, blank=True, help_text="whose time is up")
    number = models.PositiveSmallIntegerField(null=True, blank=True, help_text="the action that is meant")
    text = EncryptedTextField(max_length=300, blank=True)
    agreed = models.JSONField(default=list, blank=True, help_text="seats that agree")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    asked_at = models.DateTimeField()
    granted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    answer = EncryptedTextField(max_length=300, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["table_id", "asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind"],
                condition=Q(state="open", kind__in=["take_back", "pause"]),
                name="one_open_question_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"
