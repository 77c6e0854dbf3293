from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q, prefetch_related_objects
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.competitions import Competition, Division, Entry, Stage
from league.models.players import Player
from league.querysets import AppearanceQuerySet, FixtureManager, FixtureQuerySet, sides_with_pairs
from league.words.sentences import Sentence, gettext


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

    @property
    def name(self) -> str:
        """ "Round 3"; on a ladder each challenge that was accepted is a round of its own.

        What heads its matches is league.standings.round_names: a knock-out has names for its rounds.
        """
        return str(self.named)

    @property
    def named(self) -> Sentence:
        """The same for what is kept, to be read in any language."""
        if self.stage.is_ladder:
            return gettext("Challenge %(number)s") % {"number": self.number}
        return gettext("Round %(number)d") % {"number": self.number}


class Fixture(models.Model):
    """Sides that meet in a round. Its status changes through league.fixtures.services.fixtures alone.

    A team match has two rooms, each a fixture of two pairs of the same round that names it; its first side sits
    North-South. `objects` are without rooms, `with_rooms` are all.
    """

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", _("scheduled")
        POSTPONED = "postponed", _("postponed")
        IN_PLAY = "in_play", _("in play")
        TO_CONFIRM = "to_confirm", _("to confirm")
        DISPUTED = "disputed", _("disputed")
        REOPENED = "reopened", _("reopened")
        CONFIRMED = "confirmed", _("confirmed")
        WALKOVER = "walkover", _("walkover")
        VOID = "void", _("void")

    class Room(models.TextChoices):
        """Of a team match: in the open one the home team sits North-South, in the closed one East-West (F60)."""

        OPEN = "open", _("open room")
        CLOSED = "closed", _("closed room")

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="fixtures")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="fixtures")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.SCHEDULED)
    starts_at = models.DateTimeField(_("date and time"), null=True, blank=True)
    decided_at = models.DateTimeField(
        null=True, blank=True, help_text="when its result was recorded; empty while there is none"
    )
    place = models.CharField(pgettext_lazy("where it is played", "place"), max_length=200, blank=True)
    table = models.CharField(_("table"), max_length=20, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    team_match = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    room = models.CharField(max_length=6, choices=Room.choices, blank=True, default="")

    objects = FixtureManager()
    with_rooms = FixtureQuerySet.as_manager()

    class Meta:
        ordering = ["round", "division", "pk"]
        indexes = [models.Index(F("decided_at").desc(), F("id").desc(), name="latest_results")]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    status__in=[
                        "scheduled",
                        "postponed",
                        "in_play",
                        "to_confirm",
                        "disputed",
                        "reopened",
                        "confirmed",
                        "walkover",
                        "void",
                    ]
                ),
                name="fixture_status_known",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["confirmed", "walkover"]) | Q(decided_at__isnull=True),
                name="decided_with_a_result",
            ),
            models.UniqueConstraint(
                fields=["team_match", "room"],
                condition=Q(team_match__isnull=False),
                name="each_room_once_a_match",
            ),
            models.CheckConstraint(
                condition=Q(team_match__isnull=True, room="")
                | Q(team_match__isnull=False, room__in=["open", "closed"]),
                name="a_room_of_a_team_match",
            ),
        ]

    def __str__(self) -> str:
        return " – ".join(str(entry) for entry in self.entries)

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Its sides are read again, too."""
        self.forget_sides()
        super().refresh_from_db(*args, **kwargs)

    def forget_sides(self) -> None:
        """After a change of its sides: who asks next reads them again."""
        self.__dict__.pop("sides", None)
        self.__dict__.get("_prefetched_objects_cache", {}).pop("appearances", None)

    @property
    def rooms(self) -> "FixtureQuerySet":
        """Of a team match: its rooms, the open one first; none before both line-ups are in."""
        found: FixtureQuerySet = Fixture.with_rooms.filter(team_match=self.pk).order_by("-room")
        return found

    @property
    def is_team_match(self) -> bool:
        """Whether teams meet in it, in two rooms."""
        return self.team_match_id is None and self.round.competition.is_of_teams

    @cached_property
    def sides(self) -> tuple["Appearance", ...]:
        """Who meets, in order, each with its pair; `with_sides` reads them for many fixtures at once."""
        if "appearances" not in self.__dict__.get("_prefetched_objects_cache", {}):
            prefetch_related_objects([self], *sides_with_pairs())
        return tuple(sorted(self.appearances.all(), key=attrgetter("order")))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of its sides, in their order."""
        return tuple(side.entry for side in self.sides)

    def side_of(self, entry: Entry | int) -> "Appearance | None":
        """The side that this entry plays on."""
        key = entry if isinstance(entry, int) else entry.pk
        return next((side for side in self.sides if side.entry_id == key), None)

    def seat_of(self, entry: Entry) -> Entry:
        """The entry that sits here for this one: itself, or where partners change the player's pair of the round."""
        players = {player.pk for player in entry.lineup.players}
        pairs = (each for each in self.entries if players <= {player.pk for player in each.lineup.players})
        return entry if self.side_of(entry) else next(pairs, entry)

    @property
    def withdrawn(self) -> tuple[Entry, ...]:
        """Those of its sides who have left the competition."""
        return tuple(entry for entry in self.entries if entry.withdrawn_at)

    def others(self, entry: Entry | int) -> tuple[Entry, ...]:
        """Whom this entry meets."""
        key = entry if isinstance(entry, int) else entry.pk
        return tuple(side.entry for side in self.sides if side.entry_id != key)

    @property
    def home(self) -> Entry:
        """Where two meet: the first side."""
        return self.sides[0].entry

    @property
    def away(self) -> Entry:
        """Where two meet: the second side."""
        return self.sides[1].entry

    @property
    def home_id(self) -> int:
        return self.sides[0].entry_id

    @property
    def away_id(self) -> int:
        return self.sides[1].entry_id

    @property
    def has_result(self) -> bool:
        """Whether it counts for something: it was played, or decided by walkover."""
        return any(side.outcome in RESULTS for side in self.sides)

    @property
    def result(self) -> "FixtureResult | None":
        """What a fixture of two sides counts for; of more sides only the sides themselves say it."""
        if len(self.sides) != 2 or not self.has_result:
            return None
        return FixtureResult.of(*self.sides)


class Appearance(models.Model):
    """A pair's place in a round: a side of a fixture, or sitting out (fixture is empty).

    No pair stands twice in a round, but for matches that were made void: they leave their sides free. Rank 1 is the
    best, and sides that drew share one.
    """

    class Outcome(models.TextChoices):
        PLAYED = "played", _("played")
        WON = "won_by_walkover", _("won by walkover")
        LOST = "lost_by_walkover", _("lost by walkover")
        VOID = "void", _("void")
        BYE = "bye", _("bye")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="appearances")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="appearances")
    fixture = models.ForeignKey(
        Fixture, on_delete=models.CASCADE, null=True, blank=True, related_name="appearances"
    )
    order = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(
        max_length=16, choices=Outcome.choices, blank=True, help_text="empty while nothing is decided"
    )
    score = models.IntegerField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    made = models.JSONField(
        null=True, blank=True, help_text='of a team match: {"points": "12.34", "imps": 13, "net": 40}'
    )

    objects = AppearanceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "entry"], condition=~Q(outcome="void"), name="no_pair_twice_in_a_round"
            ),
            models.UniqueConstraint(fields=["fixture", "order"], name="side_order_once"),
            models.UniqueConstraint(fields=["fixture", "entry"], name="no_pair_meets_itself"),
            models.CheckConstraint(
                condition=Q(outcome__in=["", "played", "won_by_walkover", "lost_by_walkover", "void", "bye"]),
                name="outcome_known",
            ),
            models.CheckConstraint(
                condition=Q(outcome="played", score__isnull=False, rank__isnull=False)
                | (~Q(outcome="played") & Q(score__isnull=True, rank__isnull=True)),
                name="score_of_what_was_played",
            ),
            models.CheckConstraint(
                condition=Q(fixture__isnull=True, outcome="bye")
                | (Q(fixture__isnull=False) & ~Q(outcome="bye")),
                name="bye_without_a_fixture",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, {self.round}"


Outcome = Appearance.Outcome
#: What a side has that made something of its match.
RESULTS = frozenset({Outcome.PLAYED, Outcome.WON, Outcome.LOST})


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """What a fixture of two sides counts for, as pages and programs name it; its sides say the same."""

    class Kind(models.TextChoices):
        PLAYED = "played", _("played")
        WALKOVER_HOME = "walkover_home", _("walkover for the home pair")
        WALKOVER_AWAY = "walkover_away", _("walkover for the away pair")
        DOUBLE_FORFEIT = "double_forfeit", _("both lose (double default)")

    kind: Kind
    home_score: int = 0
    away_score: int = 0

    @classmethod
    def of(cls, home: Appearance, away: Appearance) -> Self:
        """The result of these two sides."""
        if home.outcome == Outcome.PLAYED:
            return cls(cls.Kind.PLAYED, home.score or 0, away.score or 0)
        if home.outcome == Outcome.WON:
            return cls(cls.Kind.WALKOVER_HOME)
        return cls(cls.Kind.WALKOVER_AWAY if away.outcome == Outcome.WON else cls.Kind.DOUBLE_FORFEIT)


class NamedPairs(models.Model):
    """Whom a team sends into the two rooms of a match (F61): hidden from the others until both teams have said so.

    `has_stood` where nobody said anything, and the last ones stand.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="named_pairs")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="named_pairs")
    open_one = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    open_two = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    closed_one = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    closed_two = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    has_stood = models.BooleanField(default=False)
    named_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    named_at = models.DateTimeField()

    class Meta:
        ordering = ["fixture", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "entry"], name="a_team_names_its_pairs_once"),
            models.CheckConstraint(
                condition=~Q(open_one=F("open_two"))
                & ~Q(open_one=F("closed_one"))
                & ~Q(open_one=F("closed_two"))
                & ~Q(open_two=F("closed_one"))
                & ~Q(open_two=F("closed_two"))
                & ~Q(closed_one=F("closed_two")),
                name="four_players_in_two_rooms",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, {self.fixture}"

    def pair_in(self, room: str) -> tuple[Player, Player]:
        """Who plays there."""
        if room == Fixture.Room.OPEN:
            return self.open_one, self.open_two
        return self.closed_one, self.closed_two


class TieDecision(models.Model):
    """What decides a match of a knock-out besides its result: at most one for a match, and so one winner.

    `extra` are the points of both sides, in their order, in each set of extra boards after a level match (F45). With a
    `winner` a director has said who goes on, whatever the result, and why.
    """

    fixture = models.OneToOneField(Fixture, on_delete=models.CASCADE, related_name="tie_decision")
    extra = models.JSONField(default=list, blank=True, help_text="[[points, points], ...]")
    winner = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | ~Q(reason=""), name="who_goes_on_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.winner or self.extra}"


class Substitution(models.Model):
    """Somebody else plays for a member of a pair, in one match.

    `answer` is what a substitute with an account said, whom the pair asked; empty where nobody was asked: a director
    named them, they named themselves, or they have no account. Who says no has no row: the place is free.
    """

    class Answer(models.TextChoices):
        WAITING = "waiting", _("not answered yet")
        YES = "yes", _("said yes")

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="substitutions")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="substitutions")
    absent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substituted")
    substitute = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substitutes")
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    answer = models.CharField(max_length=8, choices=Answer.choices, blank=True, default="")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["fixture", "absent"], name="one_substitute_for_a_player"),
            models.UniqueConstraint(fields=["fixture", "substitute"], name="a_substitute_sits_once"),
            models.CheckConstraint(condition=~Q(absent=F("substitute")), name="substitute_is_someone_else"),
            models.CheckConstraint(
                condition=Q(answer__in=["", "waiting", "yes"]), name="substitutes_answer_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.substitute} ({self.absent})"

    @property
    def is_waiting(self) -> bool:
        """Whether the substitute was asked and has not answered."""
        return self.answer == self.Answer.WAITING


class SeasonSubstitute(models.Model):
    """Somebody plays for a member of a pair in every match that is still to come, also in those drawn later.

    Each of these matches has its own Substitution, so that a match says who played in it whatever changes afterwards.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="season_substitute")
    absent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    substitute = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(absent=F("substitute")), name="season_substitute_is_someone_else"
            ),
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
