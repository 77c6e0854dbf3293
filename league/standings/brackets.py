"""The bracket of a knock-out as it stands: who meets, who goes on, and what decided it (rules F40 to F50)."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.contest import knockout
from engine.contest.knockout import Tie as LevelTie
from league import extension
from league.errors import Conflict
from league.models import Appearance, Division, Entry, Fixture, TieDecision

#: The table of a knock-out counts the rounds that somebody has survived.
POINTS: Mapping[str, Any] = {"win": "1", "draw": "0", "loss": "0", "bye": "1"}
TIE_BREAKS = ("league_points",)


class How(StrEnum):
    """What decided a tie, or why nothing has."""

    OPEN = "open"
    PLAYED = "played"
    EXTRA = "extra"
    WALKOVER = "walkover"
    RULED = "ruled"
    BYE = "bye"
    LEFT = "left"
    """The opponents withdrew before the round was drawn."""
    EMPTY = "empty"
    """Nobody came to it."""
    LEVEL = "level"
    VOID = "void"


UNDECIDED = frozenset({How.OPEN, How.LEVEL, How.VOID})


class Outcome(NamedTuple):
    """Who goes on, by key (None: nobody, or not known yet), and how."""

    winner: int | None
    how: How

    @property
    def is_decided(self) -> bool:
        """Whether the next round can be drawn from it."""
        return self.how not in UNDECIDED


@dataclass(frozen=True, slots=True)
class Tie:
    """One place of the bracket: number 1 is the highest of its round. The upper side is at home."""

    number: int
    round: int
    top: Entry | None
    bottom: Entry | None
    fixture: Fixture | None
    decision: TieDecision | None
    winner: Entry | None
    how: How

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Who has come to it."""
        return tuple(each for each in (self.top, self.bottom) if each is not None)

    @property
    def is_decided(self) -> bool:
        """Whether the next round can be drawn from it."""
        return self.how not in UNDECIDED

    @property
    def losers(self) -> tuple[Entry, ...]:
        """Who is out by it: nobody, one, or both."""
        return tuple(each for each in self.entries if self.is_decided and each != self.winner)


@dataclass(frozen=True, slots=True)
class Bracket:
    """All ties by round. `seeds` are those of the draw, by entry; `drawn` is the last round that is drawn."""

    division: Division
    seeds: Mapping[int, int]
    rounds: tuple[tuple[Tie, ...], ...]
    drawn: int

    @property
    def size(self) -> int:
        """How many places the first round has."""
        return 2 * len(self.rounds[0]) if self.rounds else 0

    @property
    def champion(self) -> Entry | None:
        """Who has won the final."""
        return self.rounds[-1][0].winner if self.is_over else None

    @property
    def is_over(self) -> bool:
        """Whether the final is decided."""
        return bool(self.rounds) and self.rounds[-1][0].is_decided

    @property
    def undecided(self) -> tuple[Tie, ...]:
        """The ties of the round drawn last from which no next round can be drawn yet."""
        now = self.rounds[self.drawn - 1] if self.drawn else ()
        return tuple(tie for tie in now if not tie.is_decided)

    @property
    def places(self) -> dict[int, int]:
        """F48: everybody's place by entry, once the final is decided; those who lose in one round share one."""
        if not self.is_over:
            return {}
        found = {self.champion.pk: 1} if self.champion else {}
        for ties in self.rounds:
            found |= {entry.pk: len(ties) + 1 for tie in ties for entry in tie.losers}
        return found

    def tie_of(self, fixture: int) -> Tie | None:
        """The tie that is this match."""
        ties = (tie for ties in self.rounds for tie in ties)
        return next((tie for tie in ties if tie.fixture is not None and tie.fixture.pk == fixture), None)

    def went_on_without(self, entry: Entry) -> bool:
        """Whether a round was drawn without an entry that had come to it: it had withdrawn."""
        return any(
            entry in tie.losers and tie.fixture is None
            for ties in self.rounds[1 : self.drawn]
            for tie in ties
        )

    def after(self, tie: Tie) -> Tie | None:
        """Where the winner of a tie goes on; None after the final."""
        if tie.round == len(self.rounds):
            return None
        return self.rounds[tie.round][(tie.number - 1) // 2]


def rounds_of(division: Division) -> int:
    """How many rounds the bracket has; 0 before it is drawn."""
    first = Appearance.objects.of_division(division).filter(round__number=1)
    entries = first.values("entry").distinct().count()
    return knockout.Bracket(entries).rounds if entries > 1 else 0


def name_of_round(round_: int, rounds: int) -> str:
    """What a round is called: the final, semi-finals and quarter-finals by their names."""
    match rounds - round_:
        case 0:
            return _("Final")
        case 1:
            return _("Semi-finals")
        case 2:
            return _("Quarter-finals")
    return _("Round %(number)d") % {"number": round_}


def of_division(division: Division) -> Bracket:
    """The bracket as it stands; without rounds before the first is drawn. Six queries."""
    entries = {entry.pk: entry for entry in division.entries.with_pairs().order_by("number")}
    there: dict[int, set[int]] = {}
    for number, key in Appearance.objects.of_division(division).values_list("round__number", "entry_id"):
        there.setdefault(number, set()).add(key)
    first = [key for key in entries if key in there.get(1, ())]
    if len(first) < 2:
        return Bracket(division, {}, (), 0)
    order = knockout.Bracket(len(first))
    slots = [entries[first[seed - 1]] if seed <= len(first) else None for seed in order.slots]
    matches = _matches(division)
    rounds: list[tuple[Tie, ...]] = []
    for number in range(1, order.rounds + 1):
        two = zip(slots[::2], slots[1::2], strict=True)
        ties = tuple(
            _tie(place, number, sides, matches, there.get(number, frozenset()))
            for place, sides in enumerate(two, start=1)
        )
        rounds.append(ties)
        slots = [tie.winner for tie in ties]
    seeds = {key: seed for seed, key in enumerate(first, start=1)}
    return Bracket(division, seeds, tuple(rounds), max(there))


Matches = Mapping[tuple[int, frozenset[int]], Fixture]


def _matches(division: Division) -> Matches:
    """The matches by round and who meets; of two, one of which was made void, the other."""
    found = Fixture.objects.filter(division=division).with_pairs().select_related("tie_decision")
    return {
        (each.round.number, frozenset(side.entry_id for side in each.sides)): each
        for each in sorted(found, key=lambda one: (one.status != Fixture.Status.VOID, one.pk))
    }


def _tie(
    place: int,
    number: int,
    sides: tuple[Entry | None, Entry | None],
    matches: Matches,
    there: AbstractSet[int],
) -> Tie:
    came = [each for each in sides if each is not None]
    fixture = matches.get((number, frozenset(each.pk for each in came)))
    decision = None
    if fixture is not None:
        decision = decision_of(fixture)
        outcome = decide(fixture, decision)
    else:
        outcome = _without_a_match(came, there, first=number == 1)
    winner = next((each for each in came if each.pk == outcome.winner), None)
    return Tie(place, number, *sides, fixture, decision, winner, outcome.how)


def _without_a_match(came: list[Entry], there: AbstractSet[int], *, first: bool) -> Outcome:
    here = [each for each in came if each.pk in there]
    if not there or len(here) > 1:
        return Outcome(None, How.OPEN)
    if not here:
        return Outcome(None, How.EMPTY)
    return Outcome(here[0].pk, How.BYE if first or len(came) == 1 else How.LEFT)


def decision_of(fixture: Fixture) -> TieDecision | None:
    """What decides the match besides its result, if anything does."""
    found: TieDecision | None = getattr(fixture, "tie_decision", None)
    return found


def by_result(fixture: Fixture) -> int | None:
    """Who won by the result alone, by key."""
    ahead = [
        side.entry_id
        for side in fixture.sides
        if side.outcome == Appearance.Outcome.WON
        or (side.outcome == Appearance.Outcome.PLAYED and side.rank == 1)
    ]
    return ahead[0] if len(ahead) == 1 else None


def decide(fixture: Fixture, decision: TieDecision | None) -> Outcome:
    """Who goes on from a match: a director's word, then the result, then extra boards (F44 to F47)."""
    if decision is not None and decision.winner_id is not None:
        return Outcome(decision.winner_id, How.RULED)
    if fixture.status == Fixture.Status.VOID:
        return Outcome(None, How.VOID)
    if not fixture.has_result:
        return Outcome(None, How.OPEN)
    winner = by_result(fixture)
    if any(side.outcome == Appearance.Outcome.LOST for side in fixture.sides):
        return Outcome(winner, How.WALKOVER)
    if winner is not None:
        return Outcome(winner, How.PLAYED)
    extra = decision.extra if decision is not None else []
    side = level_tie(fixture, extra).decide().winner
    if side is None:
        return Outcome(None, How.LEVEL)
    return Outcome(fixture.home_id if side == "home" else fixture.away_id, How.EXTRA)


def level_tie(fixture: Fixture, extra: Iterable[Iterable[int]]) -> LevelTie:
    """A level match with these points on extra boards, as the engine decides it."""
    sign = -1 if is_lower_better(fixture) else 1
    sets = tuple((sign * home, sign * away) for home, away in extra)
    return LevelTie(is_aggregate=False, best_of=1, legs=((0, 0),), extra=sets)


def extra_boards(fixture: Fixture, decision: TieDecision | None) -> int:
    """How many boards the next set of a level match has (F45): an eighth of the match, at least 2, twice; then 1."""
    if decision is not None and len(decision.extra) >= knockout.EXTRA_SETS:
        return 1
    competition = fixture.division.competition
    port = extension.layer().games.get(competition.game)
    deals = port.deals_in_match(competition.rules) if port is not None else 0
    return max(2, -(-deals // 8))


def is_lower_better(fixture: Fixture) -> bool:
    """Whether the fewer points win, also on extra boards."""
    game = extension.layer().games.get(fixture.division.competition.game)
    return game is not None and game.lower_is_better


def check_stands(fixture: Fixture) -> None:
    """Raises Conflict where the next round is drawn already and this match says otherwise who plays in it (F49)."""
    stage = fixture.round.stage
    if not stage.is_bracket or fixture.team_match_id is not None:
        return
    number = fixture.round.number + 1
    drawn = Appearance.objects.filter(
        round__stage=stage, round__number=number, entry__division=fixture.division_id, entry__team=None
    )
    following = set(drawn.values_list("entry_id", flat=True))
    if not following:
        return
    outcome = decide(fixture, TieDecision.objects.filter(fixture=fixture).first())
    winner = next((each for each in fixture.entries if each.pk == outcome.winner), None)
    went_on = {each.pk for each in fixture.entries} & following
    # Who withdrew before the draw did not go on.
    may_go_on = {winner.pk} if winner else set()
    has_left = not went_on and (winner is None or winner.withdrawn_at is not None)
    if not outcome.is_decided or not (went_on == may_go_on or has_left):
        raise Conflict(
            _(
                "Round %(number)d is drawn already, and this would change who plays in it. "
                "Undo that draw first, or say in the bracket who goes on from this match."
            )
            % {"number": number}
        )
