"""The facts of a contest together, refused when they contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.contest.faults import Faults
from engine.contest.results import Adjustment, Bye, DrawOfLots, Ending, Entry, Key, ResultLine, Withdrawal
from engine.errors import quoted
from engine.text import gettext_noop

_ALL_PLAYED = {Ending.PLAYED}
_ENTERED_TWICE = gettext_noop("Entry %(entry)s is listed twice.")
_FIXTURE_TWICE = gettext_noop("Fixture %(fixture)s has two results.")
_STRANGER = gettext_noop("Entry %(entry)s isn’t in this competition.")
_AGAINST_ITSELF = gettext_noop("Entry %(entry)s can’t play itself.")
_ONE_SIDE = gettext_noop("A match needs two sides or more.")
_ENDINGS = gettext_noop(
    "The sides of a match must agree on how it ended: apart from those who forfeit, all have played it, all have won"
    " by walkover, or it is open or void for all."
)
_WITHDRAWN_TWICE = gettext_noop("Entry %(entry)s is withdrawn twice.")
_DRAWN_TWICE = gettext_noop("Entry %(entry)s was drawn twice in one draw of lots.")


@dataclass(frozen=True, slots=True)
class Facts:
    """Entries and everything that happened to them; the newest draw of lots comes last.

    Raises ContestError, with all faults as its `causes`, when the facts contradict each other.
    """

    entries: tuple[Entry, ...]
    results: tuple[ResultLine, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    byes: tuple[Bye, ...] = ()
    draws: tuple[DrawOfLots, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()

    def __post_init__(self) -> None:
        faults = Faults()
        self._check_keys(faults)
        self._check_strangers(faults)
        for number, line in enumerate(self.results):
            self._check_line(faults, line, ("results", number))
        faults.refuse()

    def _check_line(self, faults: Faults, line: ResultLine, place: tuple[str | int, ...]) -> None:
        if len(line.sides) < 2:
            faults.add("one-side", _ONE_SIDE, place=place)
        entries = line.entries
        if len(set(entries)) < len(entries):
            for key in _twice(entries):
                _name(faults, "against-itself", _AGAINST_ITSELF, key, place)
        given = [side.ending for side in line.sides]
        endings = set(given)
        if endings == _ALL_PLAYED:
            return
        # Apart from those who forfeit, all others have one and the same ending.
        others = endings - {Ending.WALKOVER_LOST}
        is_forfeited = others != endings
        if (
            len(others) > 1
            or (Ending.VOID in others and is_forfeited)
            or (Ending.WALKOVER_WON in others and not is_forfeited)
            or given.count(Ending.PLAYED) == 1
        ):
            faults.add("endings", _ENDINGS, place=place)

    def _check_keys(self, faults: Faults) -> None:
        for key in _twice(entry.key for entry in self.entries):
            _name(faults, "entry-twice", _ENTERED_TWICE, key, ("entries",))
        for fixture in _twice(line.fixture for line in self.results):
            faults.add("fixture-twice", _FIXTURE_TWICE, place=("results",), fixture=quoted(fixture))
        for key in _twice(leaving.entry for leaving in self.withdrawals):
            _name(faults, "withdrawn-twice", _WITHDRAWN_TWICE, key, ("withdrawals",))
        for number, draw in enumerate(self.draws):
            for key in _twice(draw.order):
                _name(faults, "drawn-twice", _DRAWN_TWICE, key, ("draw_of_lots", number))

    def _check_strangers(self, faults: Faults) -> None:
        known = {entry.key for entry in self.entries}

        def check(part: str, keys: Iterable[tuple[Key, ...]]) -> None:
            for number, named in enumerate(keys):
                for key in named:
                    if key not in known:
                        _name(faults, "stranger", _STRANGER, key, (part, number))

        check("results", (line.entries for line in self.results))
        check("adjustments", ((made.entry,) for made in self.adjustments))
        check("byes", ((bye.entry,) for bye in self.byes))
        check("withdrawals", ((leaving.entry,) for leaving in self.withdrawals))
        check("draw_of_lots", (draw.order for draw in self.draws))


def _name(faults: Faults, code: str, template: str, entry: Key, place: tuple[str | int, ...]) -> None:
    faults.add(code, template, given=entry, place=place, entry=quoted(entry))


def _twice(keys: Iterable[Key]) -> list[Key]:
    return [key for key, times in Counter(keys).items() if times > 1]
