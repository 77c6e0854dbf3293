"""The ways in which a deal can have ended, given what each side can have made and the possible bonuses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from engine.concerto.rules import BONUSES, HAND_POINTS, HANDS_EACH_SIDE
from engine.seats import SIDES, BySide, Seat, Side

Sums = frozenset[int]


def sums_of(hands: Sequence[tuple[int, ...]]) -> Sums:
    """Every sum of one number from each of these hands."""
    settled = 0
    sums = {0}
    for possible in hands:
        if len(possible) == 1:
            settled += possible[0]
        else:
            sums = {before + points for before in sums for points in possible}
    return frozenset([settled + points for points in sums])


#: What four hands can come to, if nothing is known of them.
ALL_SUMS: Final = sums_of((HAND_POINTS,) * HANDS_EACH_SIDE)
#: The bonuses that each side could score, if nothing is known of the left-overs.
ANY_BONUS: Final[Mapping[Side, Collection[int]]] = dict.fromkeys(SIDES, BONUSES)


@final
class Outcome(NamedTuple):
    """One way in which a deal can have ended."""

    made_ns: int
    made_ew: int
    to: Side
    bonus: int

    @property
    def made(self) -> BySide[int]:
        """What each side made with its hands."""
        return BySide(self.made_ns, self.made_ew)

    @property
    def total(self) -> BySide[int]:
        """R11: the same with the bonus."""
        if self.to is Side.NS:
            return BySide(self.made_ns + self.bonus, self.made_ew)
        return BySide(self.made_ns, self.made_ew + self.bonus)


def receives(side: Side, made_ns: int, made_ew: int, dealer: Seat | None) -> bool:
    """R11, R12: whether this side scores the left-overs; in a tie of an unknown dealer, either may."""
    if made_ns == made_ew:
        return dealer is None or side is not dealer.side
    return side is (Side.NS if made_ns > made_ew else Side.EW)


def receivers(made: BySide[Sums], dealer: Seat | None) -> tuple[Side, ...]:
    """The sides that may score the left-overs."""
    if len(made.ns) == 1 and len(made.ew) == 1:
        (ns,), (ew,) = made.ns, made.ew
        if ns != ew:
            return (Side.NS,) if ns > ew else (Side.EW,)
    least, most = BySide(min(made.ns), min(made.ew)), BySide(max(made.ns), max(made.ew))
    return tuple(
        side
        for side in SIDES
        if most[side] > least[side.other]
        or (most[side] == least[side.other] and (dealer is None or side is not dealer.side))
    )


def outcomes(
    made: BySide[Sums],
    bonuses: Mapping[Side, Collection[int]],
    dealer: Seat | None,
    total: BySide[int | None],
) -> list[Outcome] | None:
    """Every outcome that fits; None when too little is known to tell.

    ``bonuses`` has, for each side that may score the left-overs, the possible bonuses; ``total`` what was written.
    """
    found: Iterable[Outcome]
    if total.ns is not None and total.ew is not None:
        found = _by_totals(bonuses, BySide(total.ns, total.ew))
    elif len(made.ns) == 1 and len(made.ew) == 1:
        (ns,), (ew,) = made.ns, made.ew
        found = (Outcome(ns, ew, to, bonus) for to, possible in bonuses.items() for bonus in possible)
    else:
        return None
    return [outcome for outcome in found if _fits(outcome, made, dealer, total)]


def _by_totals(bonuses: Mapping[Side, Collection[int]], total: BySide[int]) -> Iterable[Outcome]:
    """What the sides must have made for these totals, for each bonus."""
    for to, possible in bonuses.items():
        for bonus in possible:
            made = BySide(total.ns - bonus, total.ew) if to is Side.NS else BySide(total.ns, total.ew - bonus)
            yield Outcome(made.ns, made.ew, to, bonus)


def _fits(outcome: Outcome, made: BySide[Sums], dealer: Seat | None, total: BySide[int | None]) -> bool:
    ns, ew, to, bonus = outcome
    if ns not in made.ns or ew not in made.ew or not receives(to, ns, ew, dealer):
        return False
    if total.ns is not None and total.ns != (ns + bonus if to is Side.NS else ns):
        return False
    return total.ew is None or total.ew == (ew + bonus if to is Side.EW else ew)
