"""What a signal can show: the steps of the checklist, and how each holding is found among cards.

A holding is found as *groups* of cards that may stand for one another: a full house is three or more cards of one
rank and two or more of another, a straight one or more of each of five ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import combinations, permutations
from typing import Final, NamedTuple

from engine.cards import CardSet, Suit
from engine.text import Word, gettext_noop


class Step(Enum):
    """A line of the checklist, in its author's order."""

    FIVE_STRAIGHT_FLUSH = ("five-straight-flush", gettext_noop("five to a straight flush"))
    FOURS = ("fours", gettext_noop("fours"))
    FOUR_STRAIGHT_FLUSH = ("four-straight-flush", gettext_noop("four to a straight flush"))
    TWO_THREES = ("two-threes", gettext_noop("two sets of three"))
    FULL_HOUSE = ("full-house", gettext_noop("full house"))
    THREE_STRAIGHT_FLUSH = ("three-straight-flush", gettext_noop("three to a straight flush"))
    FIVE = ("five", gettext_noop("five-card flush or straight"))
    THREES = ("threes", gettext_noop("threes"))
    TWO_PAIR = ("two-pair", gettext_noop("two pair"))
    FOUR = ("four", gettext_noop("four to a flush or straight"))
    THREE = ("three", gettext_noop("three to a flush or straight"))
    PAIR = ("pair", gettext_noop("one pair"))

    key: str
    title: Word

    def __init__(self, key: str, title: str) -> None:
        self.key = key
        self.title = Word(title)

    @property
    def is_weak(self) -> bool:
        """Whether it belongs to a side's third and fourth hands: flushes, straights and two pair."""
        return self in (Step.FIVE, Step.TWO_PAIR, Step.FOUR, Step.THREE)


class Group(NamedTuple):
    """Cards as bits, any ``need`` of which the holding takes."""

    bits: int
    need: int


Core = tuple[Group, ...]
Finder = Callable[[int], Iterator[Core]]

_RANKS: Final = tuple(1 << rank | 1 << rank + 13 | 1 << rank + 26 | 1 << rank + 39 for rank in range(13))
_SUITS: Final = tuple(0x1FFF << 13 * suit.index for suit in Suit)


def _of_ranks(*needs: int) -> Finder:
    """So many cards of one rank, so many of another; the groups come in the order of the numbers."""
    choose = combinations if len(set(needs)) == 1 else permutations

    def find(bits: int) -> Iterator[Core]:
        enough = [held for rank in _RANKS if (held := bits & rank).bit_count() >= min(needs)]
        for chosen in choose(enough, len(needs)):
            if all(held.bit_count() >= need for held, need in zip(chosen, needs, strict=True)):
                yield tuple(map(Group, chosen, needs))

    return find


def _placings(*shapes: str) -> tuple[tuple[int, ...], ...]:
    """Where such shapes can lie, as ranks from low to high: ``xx-x`` is two in sequence, a gap, one more.

    R10: the ace is below the two or above the king.
    """
    return tuple(
        tuple((start + offset - 1) % 13 for offset, mark in enumerate(shape) if mark == "x")
        for shape in shapes
        for start in range(15 - len(shape))
    )


def _in_suit(*shapes: str) -> Finder:
    """Cards of one suit in one of these shapes; a group for each card, from low to high."""
    cores = [
        tuple(Group(1 << rank + 13 * suit.index, 1) for rank in placing)
        for placing in _placings(*shapes)
        for suit in Suit
    ]
    with_bits = [(sum(group.bits for group in core), core) for core in cores]

    def find(bits: int) -> Iterator[Core]:
        return (core for needed, core in with_bits if needed & bits == needed)

    return find


def _in_any_suits(*shapes: str) -> Finder:
    """Ranks in one of these shapes; a group for each rank, from low to high."""
    placings = _placings(*shapes)

    def find(bits: int) -> Iterator[Core]:
        for placing in placings:
            core = tuple(Group(bits & _RANKS[rank], 1) for rank in placing)
            if all(group.bits for group in core):
                yield core

    return find


def _of_suit(need: int) -> Finder:
    """So many cards of one suit, or more; one group."""

    def find(bits: int) -> Iterator[Core]:
        return ((Group(bits & suit, need),) for suit in _SUITS if (bits & suit).bit_count() >= need)

    return find


_FOUR_OF_FIVE: Final = ("xxxx", "xxx-x", "x-xxx", "xx-xx")
_THREE_OF_FIVE: Final = ("xxx", "xx-x", "x-xx", "xx--x", "x--xx", "x-x-x")


class Holding(Enum):
    """What is held when a signal is given, and the sentence that says so."""

    RUN = (
        "run",
        Step.FIVE_STRAIGHT_FLUSH,
        _in_suit("xxxxx"),
        gettext_noop("A straight flush: the whole run with the %(first)s and the %(second)s at its ends."),
    )
    FOUR_IN_SEQUENCE = (
        "four-in-sequence",
        Step.FOUR_STRAIGHT_FLUSH,
        _in_suit("xxxx"),
        gettext_noop("Four to a straight flush, in sequence from the %(first)s to the %(second)s."),
    )
    THREE_AND_ONE = (
        "three-and-one",
        Step.FOUR_STRAIGHT_FLUSH,
        _in_suit("xxx-x", "x-xxx"),
        gettext_noop(
            "Four to a straight flush: three in sequence and one apart, the %(first)s and the %(second)s among them."
        ),
    )
    TWO_AND_TWO = (
        "two-and-two",
        Step.FOUR_STRAIGHT_FLUSH,
        _in_suit("xx-xx"),
        gettext_noop(
            "Four to a straight flush with the middle missing, the %(first)s and the %(second)s among them."
        ),
    )
    THREE_ONE_HIGHER = (
        "three-one-higher",
        Step.THREE_STRAIGHT_FLUSH,
        _in_suit("xx-x", "xx--x"),
        gettext_noop("Three to a straight flush: the %(first)s, the %(second)s and one higher."),
    )
    THREE_ONE_LOWER = (
        "three-one-lower",
        Step.THREE_STRAIGHT_FLUSH,
        _in_suit("x-xx", "x--xx"),
        gettext_noop("Three to a straight flush: the %(first)s, the %(second)s and one lower."),
    )
    THREE_IN_SEQUENCE = (
        "three-in-sequence",
        Step.THREE_STRAIGHT_FLUSH,
        _in_suit("xxx"),
        gettext_noop("Three to a straight flush, in sequence from the %(first)s to the %(second)s."),
    )
    THREE_APART = (
        "three-apart",
        Step.THREE_STRAIGHT_FLUSH,
        _in_suit("x-x-x"),
        gettext_noop("Three to a straight flush: the %(first)s, the %(second)s and the one halfway."),
    )
    FOURS = (
        "fours",
        Step.FOURS,
        _of_ranks(4),
        gettext_noop("Fours, of the rank of the %(first)s."),
    )
    TWO_THREES = (
        "two-threes",
        Step.TWO_THREES,
        _of_ranks(3, 3),
        gettext_noop("Two sets of three, of the ranks of the %(first)s and the %(second)s."),
    )
    FULL_HOUSE = (
        "full-house",
        Step.FULL_HOUSE,
        _of_ranks(3, 2),
        gettext_noop(
            "A full house: threes of the rank of the %(first)s over a pair of the rank of the %(second)s."
        ),
    )
    THREES = (
        "threes",
        Step.THREES,
        _of_ranks(3),
        gettext_noop("Threes, of the rank of the %(first)s."),
    )
    TWO_PAIR = (
        "two-pair",
        Step.TWO_PAIR,
        _of_ranks(2, 2),
        gettext_noop("Two pair: one of the rank of the %(first)s, and another."),
    )
    BOTH_PAIRS = (
        "both-pairs",
        Step.TWO_PAIR,
        _of_ranks(2, 2),
        gettext_noop("Two pair, of the ranks of the %(first)s and the %(second)s."),
    )
    PAIR = (
        "pair",
        Step.PAIR,
        _of_ranks(2),
        gettext_noop("One pair, of the rank of the %(first)s."),
    )
    FIVE_OF_SUIT = (
        "five-of-suit",
        Step.FIVE,
        _of_suit(5),
        gettext_noop("A flush: five of the suit of the %(first)s and the %(second)s."),
    )
    STRAIGHT = (
        "straight",
        Step.FIVE,
        _in_any_suits("xxxxx"),
        gettext_noop("A straight, from the %(first)s to the %(second)s."),
    )
    FOUR_OF_SUIT = (
        "four-of-suit",
        Step.FOUR,
        _of_suit(4),
        gettext_noop("Four to a flush, the %(first)s and the %(second)s among them."),
    )
    FOUR_TO_STRAIGHT = (
        "four-to-straight",
        Step.FOUR,
        _in_any_suits(*_FOUR_OF_FIVE),
        gettext_noop("Four to a straight, the %(first)s and the %(second)s among them."),
    )
    THREE_OF_SUIT = (
        "three-of-suit",
        Step.THREE,
        _of_suit(3),
        gettext_noop("Three to a flush, the %(first)s and the %(second)s among them."),
    )
    THREE_TO_STRAIGHT = (
        "three-to-straight",
        Step.THREE,
        _in_any_suits(*_THREE_OF_FIVE),
        gettext_noop("Three to a straight, the %(first)s and the %(second)s among them."),
    )

    key: str
    step: Step
    template: str
    find: Finder

    def __new__(cls, key: str, step: Step, find: Finder, template: str) -> Holding:
        """A holding whose value is its key: so it is written in JSON, and so it can be pickled."""
        holding = object.__new__(cls)
        holding._value_ = key
        holding.key = key
        holding.step = step
        holding.find = find
        holding.template = template
        return holding

    def cores(self, cards: CardSet) -> Iterator[Core]:
        """Every place among these cards where the holding is."""
        return self.find(cards.bits)

    @property
    def needs_two(self) -> bool:
        """Whether the sentence speaks of two cards, so that a card and a pass cannot say it."""
        return "%(second)s" in self.template


STEPS: Final = {step.key: step for step in Step}
HOLDINGS: Final = {holding.key: holding for holding in Holding}


def certain(cores: Iterable[Core]) -> CardSet:
    """The cards that every one of these takes."""
    taken = [sum(group.bits for group in core if group.bits.bit_count() == group.need) for core in cores]
    common = taken[0] if taken else 0
    for bits in taken:
        common &= bits
    return CardSet(common)
