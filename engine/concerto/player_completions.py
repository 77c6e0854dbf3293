"""What a hand on the table can still become, when both partners' cards are supposed to be known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.concerto.robot_hands import singles
from engine.poker import STRAIGHTS

_SUIT: Final = 0x1FFF
#: The twos; shifted, the cards of another rank.
ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_RANKS: Final = tuple(ONE_RANK << rank for rank in range(13))
_SUITS: Final = tuple(_SUIT << 13 * suit for suit in range(4))
#: Every straight flush.
RUNS: Final = tuple(run << 13 * suit for suit in range(4) for run in STRAIGHTS)

#: R9: by the smaller number of a split.
_STRAIGHT_FLUSH: Final = (10, 15, 20)
_FOURS: Final = (8, 12, 16)
_FULL_HOUSE, _FLUSH, _STRAIGHT, _THREES, _TWO_PAIR = 8, 6, 5, 3, 2


class Table(NamedTuple):
    """The hand being played and the cards that can still go to it, as bits."""

    by_me: int
    by_partner: int
    mine: int
    theirs: int


class Completion(NamedTuple):
    """Points that can be made, and the cards that either partner plays for them."""

    points: int
    mine: int
    theirs: int


#: The same cards twice: what either partner plays when this player plays the most of them, and the fewest.
Shares = tuple[tuple[int, int], tuple[int, int]]


def completions(table: Table, cost: Mapping[int, float]) -> Iterator[Completion]:
    """The ways to complete the hand that are worth a thought; cheap cards are taken before dear ones."""
    played = table.by_me | table.by_partner
    to_play = 5 - played.bit_count()
    in_suit = [suit for suit in _SUITS if not played & ~suit]
    if in_suit:
        yield from _straight_flushes(table, played)
        yield from _flushes(table, in_suit, to_play, cost)
    yield from _straights(table, played, to_play)
    yield from _alike(table, played)


def _straight_flushes(table: Table, played: int) -> Iterator[Completion]:
    have = played | table.mine | table.theirs
    me = table.by_me | table.mine
    for run in RUNS:
        if run & have == run and run & played == played:
            mine = (run & me).bit_count()
            yield Completion(_STRAIGHT_FLUSH[min(mine, 5 - mine)], run & table.mine, run & table.theirs)


def _flushes(table: Table, suits: list[int], to_play: int, cost: Mapping[int, float]) -> Iterator[Completion]:
    for suit in suits:
        mine, theirs = table.mine & suit, table.theirs & suit
        count, other = mine.bit_count(), theirs.bit_count()
        if count + other < to_play:
            continue
        cheap = sorted(singles(mine), key=cost.__getitem__)
        least = max(0, to_play - other)
        for number in {least, min(count, to_play), min(count, (to_play + 1) // 2)}:
            if number >= least:
                yield Completion(_FLUSH, sum(cheap[:number]), lowest(theirs, to_play - number))


def _straights(table: Table, played: int, to_play: int) -> Iterator[Completion]:
    ranks = _ranks(played)
    if ranks.bit_count() != 5 - to_play:
        return
    mine, theirs = _ranks(table.mine), _ranks(table.theirs)
    for run in STRAIGHTS:
        if ranks & run == ranks and (ranks | mine | theirs) & run == run:
            needed = run & ~ranks
            own = needed & mine
            yield Completion(
                _STRAIGHT, _one_of_each(table.mine, own), _one_of_each(table.theirs, needed & ~own)
            )
            own = needed & ~theirs
            yield Completion(
                _STRAIGHT, _one_of_each(table.mine, own), _one_of_each(table.theirs, needed & ~own)
            )


def _alike(table: Table, played: int) -> Iterator[Completion]:
    """Fours, full houses, threes and two pair."""
    have = played | table.mine | table.theirs
    pairs = [rank for rank in _RANKS if (have & rank).bit_count() >= 2 and (played & ~rank).bit_count() <= 3]
    for rank in pairs:
        count, others = (have & rank).bit_count(), (played & ~rank).bit_count()
        if count < 3 or others > 2 or (three := _some(table, played, rank, 3)) is None:
            continue
        if count == 4 and others <= 1:
            mine = (rank & (table.by_me | table.mine)).bit_count()
            yield Completion(_FOURS[min(mine, 4 - mine)], rank & table.mine, rank & table.theirs)
        yield Completion(_THREES, *three[0])
        yield from _full_houses(table, played, rank, three, pairs)
    # With fewer cards on the table something better can always be made.
    if played.bit_count() >= 3:
        yield from _two_pairs(table, played, pairs)


def _full_houses(
    table: Table, played: int, rank: int, three: Shares, pairs: list[int]
) -> Iterator[Completion]:
    for other in pairs:
        if other != rank and not played & ~(rank | other):
            pair = _some(table, played, other, 2)
            if pair is not None:
                for mine, theirs in set(three):
                    for own, others in set(pair):
                        yield Completion(_FULL_HOUSE, mine | own, theirs | others)


def _two_pairs(table: Table, played: int, pairs: list[int]) -> Iterator[Completion]:
    for place, rank in enumerate(pairs):
        one = _some(table, played, rank, 2)
        for other in pairs[:place]:
            if (played & ~(rank | other)).bit_count() <= 1:
                two = _some(table, played, other, 2)
                if one is not None and two is not None:
                    yield Completion(_TWO_PAIR, one[0][0] | two[0][0], one[0][1] | two[0][1])


def _some(table: Table, played: int, rank: int, number: int) -> Shares | None:
    """So many cards of a rank: as many as possible of this player's, and as many as possible of the partner's."""
    needed = number - (played & rank).bit_count()
    if needed <= 0:
        return ((0, 0), (0, 0)) if needed == 0 else None
    mine, theirs = table.mine & rank, table.theirs & rank
    count, other = mine.bit_count(), theirs.bit_count()
    if count + other == needed:
        return ((mine, theirs), (mine, theirs))
    most, least = min(count, needed), max(0, needed - other)
    return (
        (lowest(mine, most), lowest(theirs, needed - most)),
        (lowest(mine, least), lowest(theirs, needed - least)),
    )


def lowest(bits: int, number: int) -> int:
    """So many of these cards."""
    if bits.bit_count() <= number:
        return bits
    taken = 0
    for _ in range(number):
        low = bits & -bits
        taken |= low
        bits ^= low
    return taken


def _one_of_each(cards: int, ranks: int) -> int:
    taken = 0
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        held = cards & rank * ONE_RANK
        taken |= held & -held
    return taken


def _ranks(bits: int) -> int:
    return (bits | bits >> 13 | bits >> 26 | bits >> 39) & _SUIT
