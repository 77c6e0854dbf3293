"""Knock-out: the bracket, a tie over its legs, and the places (shared rules F40 to F50).

Three kinds of objects are read::

    {"entries": 5}
    {"mode": "best_of", "best_of": 3, "legs": [[75, 80], [90, 60], [70, 70]], "extra": [[28, 41]]}
    {"entries": 5, "results": [["top", "bottom", "none", "top"], ["top", "bottom"], ["top"]], "third_place": true}

Seeds are numbered from 1. Legs and extra boards hold the points of the one called home, then of the other. Results
say for each tie of a round, from the top of the bracket, which side won, or "none" where both withdrew; the match for
the third place comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.contest.faults import Faults
from engine.contest.json_fields import LARGEST, Fields
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

Points: TypeAlias = tuple[int, int]

MOST_ENTRIES = 1024
#: F43: how many legs a tie can have.
LEGS = (1, 2, 3, 5)
#: F45: so many sets of extra boards are played before one board at a time decides.
EXTRA_SETS = 2

_FEW = gettext_noop("A knock-out needs 2 to %(most)s entries, not %(entries)s.")
_ROUNDS = gettext_noop("A knock-out of %(entries)s entries has %(rounds)s rounds, not %(given)s.")
_TIES = gettext_noop("This round has %(ties)s ties, not %(given)s.")
_LISTED = gettext_noop("This must be a list.")
_OUTCOME = gettext_noop("“%(value)s” doesn’t say how a tie ended: write top, bottom or none.")
_MODE = gettext_noop("“%(value)s” isn’t a way to decide a tie: choose best_of or aggregate.")
_POINTS = gettext_noop("“%(value)s” isn’t a result: write the points of both sides, as [80, 95].")
_LEGS = gettext_noop("A tie has 1, 2, 3 or 5 legs, not %(value)s.")
_TOO_MANY_LEGS = gettext_noop("A tie of %(legs)s legs can’t have %(results)s results.")
_WITHDRAWN = gettext_noop("“%(value)s” can’t withdraw: write home, away or both.")
_YES_OR_NO = gettext_noop("This must be true or false.")


class Outcome(StrEnum):
    """Which side of a tie goes on."""

    TOP = "top"
    BOTTOM = "bottom"
    NONE = "none"
    """Both withdrew (F46)."""


class How(StrEnum):
    """How a place in the next round was filled."""

    PLAYED = "played"
    BYE = "bye"
    BOTH_WITHDREW = "both withdrew"
    EMPTY = "empty"


class By(StrEnum):
    """What decided a tie, or why nothing has (F44 to F46)."""

    LEGS = "legs"
    AGGREGATE = "aggregate"
    EXTRA_BOARDS = "extra boards"
    SUDDEN_DEATH = "sudden death"
    LEVEL = "level"
    UNFINISHED = "unfinished"
    WALKOVER = "walkover"
    BOTH_WITHDREW = "both withdrew"


# The bracket


@dataclass(frozen=True, slots=True)
class Bracket:
    """F41, F42: the order in which so many seeds stand; a seed above their number is a bye."""

    entries: int

    def __post_init__(self) -> None:
        if not 2 <= self.entries <= MOST_ENTRIES:
            raise ContestError("too-few", _FEW, most=MOST_ENTRIES, entries=self.entries)

    @property
    def rounds(self) -> int:
        """How many rounds there are, without a match for the third place."""
        return (self.entries - 1).bit_length()

    @property
    def size(self) -> int:
        """How many places the first round has: 2, 4, 8 ..."""
        return 1 << self.rounds

    @property
    def slots(self) -> tuple[int, ...]:
        """The seeds from the top of the bracket, byes among them."""
        slots: tuple[int, ...] = (1, 2)
        while len(slots) < self.size:
            opponents = 2 * len(slots) + 1
            slots = tuple(seed for each in slots for seed in (each, opponents - each))
        return slots

    @property
    def first_round(self) -> tuple[tuple[int | None, int | None], ...]:
        """The neighbours of the first round; None is a bye."""
        seeds = [seed if seed <= self.entries else None for seed in self.slots]
        return tuple(zip(seeds[::2], seeds[1::2], strict=True))

    @property
    def byes(self) -> tuple[int, ...]:
        """The seeds without an opponent in the first round, the best first."""
        return tuple(range(1, self.size - self.entries + 1))


# A tie


@dataclass(frozen=True, slots=True)
class Decision:
    """Who won a tie ("home", "away", or nobody), what decided it, and after how many legs; None while unfinished."""

    winner: str | None
    by: By
    legs_needed: int | None


@dataclass(frozen=True, slots=True)
class Tie:
    """Two sides, the legs they have played, and the sets of extra boards after them."""

    is_aggregate: bool
    best_of: int
    legs: tuple[Points, ...]
    extra: tuple[Points, ...] = ()
    withdrawn: str | None = None
    """"home", "away" or "both"."""

    def decide(self) -> Decision:
        """F44 to F46: how the tie stands."""
        if self.withdrawn == "both":
            return Decision(None, By.BOTH_WITHDREW, 0)
        if self.withdrawn is not None:
            return Decision("away" if self.withdrawn == "home" else "home", By.WALKOVER, 0)
        lead = 0
        for played, (home, away) in enumerate(self.legs, start=1):
            lead += (home > away) - (home < away)
            # Ahead by more legs than can still be played: more than half, draws counting half to each.
            if not self.is_aggregate and abs(lead) > self.best_of - played:
                return Decision(_winner(lead), By.LEGS, played)
        if len(self.legs) < self.best_of:
            return Decision(None, By.UNFINISHED, None)
        difference = sum(home - away for home, away in self.legs)
        if difference:
            return Decision(_winner(difference), By.AGGREGATE, self.best_of)
        for number, (home, away) in enumerate(self.extra):
            if home != away:
                by = By.EXTRA_BOARDS if number < EXTRA_SETS else By.SUDDEN_DEATH
                return Decision(_winner(home - away), by, self.best_of)
        return Decision(None, By.LEVEL, self.best_of)


def _winner(difference: int) -> str:
    return "home" if difference > 0 else "away"


# All rounds


@dataclass(frozen=True, slots=True)
class TreeTie:
    """One tie of the tree: the seeds that came to it, who went on, and how."""

    top: int | None
    bottom: int | None
    winner: int | None
    how: How

    @property
    def losers(self) -> tuple[int, ...]:
        """Who is out: nobody, one, or both where both withdrew."""
        return tuple(seed for seed in (self.top, self.bottom) if seed is not None and seed != self.winner)


@dataclass(frozen=True, slots=True)
class Played:
    """A knock-out from the first round to the final, and the match for the third place if there was one."""

    tree: tuple[tuple[TreeTie, ...], ...]
    third_place: TreeTie | None

    @property
    def champion(self) -> int | None:
        """The winner of the final; None where both finalists withdrew."""
        return self.tree[-1][0].winner

    @property
    def places(self) -> dict[int, tuple[int, int]]:
        """F48: the first and last of the places that a seed shares, the best places first."""
        places: dict[int, tuple[int, int]] = {}
        if self.champion is not None:
            places[self.champion] = (1, 1)
        for ties in reversed(self.tree):
            lost = sorted(seed for tie in ties for seed in tie.losers)
            shared = (len(ties) + 1, len(ties) + len(lost))
            places |= dict.fromkeys(lost, shared)
        if self.third_place is not None and self.third_place.winner is not None:
            places[self.third_place.winner] = (3, 3)
            places |= dict.fromkeys(self.third_place.losers, (4, 4))
        return places


def play(entries: int, results: Sequence[Sequence[Outcome]], third_place: Outcome | None = None) -> Played:
    """The tree of these results, a list of ties for each round.

    Raises ContestError for another number of rounds or ties. The third place is played only where each of two
    semi-finals had one loser (F46, F48).
    """
    bracket = Bracket(entries)
    if len(results) != bracket.rounds:
        raise ContestError(
            "rounds", _ROUNDS, entries=entries, rounds=bracket.rounds, given=len(results), place=("results",)
        )
    meetings: Iterable[tuple[int | None, int | None]] = bracket.first_round
    tree: list[tuple[TreeTie, ...]] = []
    for number, outcomes in enumerate(results):
        due = list(meetings)
        if len(outcomes) != len(due):
            place = ("results", number)
            raise ContestError("ties", _TIES, ties=len(due), given=len(outcomes), place=place)
        tree.append(tuple(_tie(*two, outcome) for two, outcome in zip(due, outcomes, strict=True)))
        winners = [tie.winner for tie in tree[-1]]
        meetings = zip(winners[::2], winners[1::2], strict=False)
    semi_finals = tree[-2] if len(tree) > 1 else ()
    lost = [tie.losers[0] for tie in semi_finals if len(tie.losers) == 1]
    is_played = third_place is not None and len(lost) == 2
    return Played(tuple(tree), _tie(lost[0], lost[1], third_place) if is_played and third_place else None)


def _tie(top: int | None, bottom: int | None, outcome: Outcome) -> TreeTie:
    if top is None or bottom is None:
        winner = bottom if top is None else top
        return TreeTie(top, bottom, winner, How.EMPTY if winner is None else How.BYE)
    if outcome is Outcome.NONE:
        return TreeTie(top, bottom, None, How.BOTH_WITHDREW)
    return TreeTie(top, bottom, top if outcome is Outcome.TOP else bottom, How.PLAYED)


# Reading

_TIE = frozenset(("mode", "best_of", "legs", "extra", "withdrawn"))


def answer_as_json(data: object) -> dict[str, object]:
    """What `python -m engine knockout` answers to one object (see above).

    Raises ContestError with all faults as its `causes`.
    """
    if isinstance(data, Mapping) and _TIE.intersection(data):
        decision = _read_tie(data).decide()
        return {"winner": decision.winner, "by": decision.by.value, "legs_needed": decision.legs_needed}
    faults = Faults()
    fields = Fields(data, (), faults, frozenset(("entries", "results", "third_place")))
    entries = fields.whole("entries")
    if "results" not in fields:
        faults.refuse()
        bracket = Bracket(entries)
        return {
            "size": bracket.size,
            "rounds": bracket.rounds,
            "slots": list(bracket.slots),
            "first": [list(two) for two in bracket.first_round],
            "byes": list(bracket.byes),
        }
    rounds = [
        [_outcome(item, ("results", number, at), faults) for at, item in enumerate(ties)]
        for number, ties in enumerate(_lists(fields.raw("results"), faults))
    ]
    third_place = fields.raw("third_place")
    if third_place not in (None, True, False):
        fields.note("third-place", _YES_OR_NO, "third_place")
    faults.refuse()
    return _as_json(_play_read(entries, rounds, has_third_place=third_place is True))


def _play_read(entries: int, rounds: list[list[Outcome]], *, has_third_place: bool) -> Played:
    # The match for the third place follows the final.
    needed = Bracket(entries).rounds
    third = None
    if has_third_place and len(rounds) == needed + 1 and len(rounds[-1]) == 1:
        third = rounds.pop()[0]
    return play(entries, rounds, third)


def _as_json(played: Played) -> dict[str, object]:
    return {
        "tree": [
            [{"top": t.top, "bottom": t.bottom, "winner": t.winner, "how": t.how.value} for t in ties]
            for ties in played.tree
        ],
        "champion": played.champion,
        "places": {str(seed): list(shared) for seed, shared in played.places.items()},
    }


def _lists(given: object, faults: Faults) -> list[list[object]]:
    if isinstance(given, list) and all(isinstance(each, list) for each in given):
        return given
    faults.add("list", _LISTED, given=given, place=("results",))
    return []


def _outcome(item: object, place: Place, faults: Faults) -> Outcome:
    if isinstance(item, str) and item in set(Outcome):
        return Outcome(item)
    faults.add("outcome", _OUTCOME, given=item, place=place, value=quoted(item))
    return Outcome.NONE


def _read_tie(data: Mapping[str, object]) -> Tie:
    faults = Faults()
    fields = Fields(data, (), faults, _TIE)
    mode = fields.raw("mode")
    if mode not in ("best_of", "aggregate"):
        fields.note("mode", _MODE, "mode")
    best_of = fields.whole("best_of", least=1)
    if best_of not in LEGS:
        fields.note("legs", _LEGS, "best_of")
    legs = _points(fields, "legs", faults)
    if len(legs) > best_of:
        fields.note("legs", _TOO_MANY_LEGS, "legs", legs=best_of, results=len(legs))
    withdrawn = fields.raw("withdrawn")
    if withdrawn not in (None, "home", "away", "both"):
        fields.note("withdrawn", _WITHDRAWN, "withdrawn")
    tie = Tie(
        is_aggregate=mode == "aggregate",
        best_of=best_of,
        legs=legs,
        extra=_points(fields, "extra", faults),
        withdrawn=str(withdrawn) if withdrawn is not None else None,
    )
    faults.refuse()
    return tie


def _points(fields: Fields, name: str, faults: Faults) -> tuple[Points, ...]:
    given = fields.raw(name)
    if given is None:
        return ()
    if not isinstance(given, list):
        faults.add("list", _LISTED, given=given, place=(name,))
        return ()
    read = []
    for number, item in enumerate(given):
        if (
            isinstance(item, list)
            and len(item) == 2
            and all(isinstance(p, int) and not isinstance(p, bool) and abs(p) <= LARGEST for p in item)
        ):
            read.append((item[0], item[1]))
        else:
            faults.add("points", _POINTS, given=item, place=(name, number), value=quoted(item))
    return tuple(read)
