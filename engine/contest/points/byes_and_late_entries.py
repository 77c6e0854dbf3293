"""The points of a round without a match: a bye, one that was asked for, and the price of a late entry.

Who enters a Swiss late gets `missed` for each round before it came: nothing, or what the competition's points say, at
most an average (F30). What is asked for instead of a match is worth half a bye, once (F29).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.contest import exact
from engine.contest.results import Bye, Entry
from engine.errors import ContestError
from engine.text import gettext_noop

ZERO = Fraction(0)
_ABOVE_AN_AVERAGE = gettext_noop("A missed round is worth from 0 to %(most)s points: at most an average.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutMatch:
    """What a points scheme gives for rounds without a match."""

    bye: Fraction = ZERO
    missed: Fraction = ZERO
    """The price of a late entry: what it gets for each round of a Swiss that it missed (F30)."""

    @property
    def requested_bye(self) -> Fraction:
        """What a round is worth to an entry that asked to sit it out (F29)."""
        return self.bye / 2

    @property
    def average(self) -> Fraction:
        """What a round is worth that went neither well nor badly."""
        return self.requested_bye

    def of_bye(self, bye: Bye) -> Fraction:
        """What a round without a match is worth: a bye, one that was asked for, or one before a late entry came."""
        if bye.is_requested:
            return self.requested_bye
        return self.missed if bye.is_missed else self.bye

    def before_they_came(self, entries: Iterable[Entry]) -> Iterator[Bye]:
        """The rounds that late entries missed, where these are worth something."""
        if self.missed:
            for entry in entries:
                for number in range(1, entry.first_round):
                    yield Bye(entry.key, number, is_missed=True)

    def check_price_of_late_entry(self) -> None:
        """Raises ContestError where who comes late would have more of it than who played without luck."""
        if not ZERO <= self.missed <= max(self.average, ZERO):
            given, most = exact.write(self.missed), exact.shown(self.average)
            raise ContestError("missed", _ABOVE_AN_AVERAGE, given=given, place=("missed",), most=most)
