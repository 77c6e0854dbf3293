"""The tables and options of Concerto (R3, R9, R15 to R18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

from engine.concerto.poker import FIVE_CARD_COMBINATIONS, Combination
from engine.errors import OptionError
from engine.options import Kind, OptionField, option_values, raise_option_faults
from engine.seats import SEATS, Seat, Side
from engine.text import Word, gettext_noop

RULES_VERSION: Final = "concerto-2013"

HANDS: Final = 8
CARDS_IN_HAND: Final = 5
HANDS_EACH_SIDE: Final = 4
LEFT_EACH_SIDE: Final = 6


_LEADERS: Final = tuple(tuple(dealer.after(hand + 1) for hand in range(4)) for dealer in SEATS)


def leader_of(dealer: Seat, hand: int) -> Seat:
    """R3: the seat that leads hand number ``hand`` (counted from 0 here): the first is dealer's left."""
    return _LEADERS[dealer.index][hand % 4]


def side_of_hand(dealer: Seat, hand: int) -> Side:
    """R3: the side that plays hand number ``hand`` (counted from 0)."""
    return leader_of(dealer, hand).side


class Split(NamedTuple):
    """R9: how many significant cards each partner contributed, the larger number first."""

    larger: int
    smaller: int

    @classmethod
    def of(cls, one: int, other: int) -> Split:
        """The split of these two numbers, in whatever order they come."""
        return cls(one, other) if one >= other else cls(other, one)

    def __str__(self) -> str:
        return f"{self.larger}+{self.smaller}"


@final
@dataclass(frozen=True, slots=True)
class HandValue:
    """What a hand is worth: the combination, its split where that counts, and the points (R9)."""

    combination: Combination
    split: Split | None
    points: int

    @property
    def title(self) -> str:
        """In words: ``fours, 2+2``."""
        return f"{self.combination.title}, {self.split}" if self.split else str(self.combination.title)


_PLAIN_POINTS: Final = {
    Combination.NOTHING: 0,
    Combination.PAIR: 1,
    Combination.TWO_PAIR: 2,
    Combination.THREES: 3,
    Combination.STRAIGHT: 5,
    Combination.FLUSH: 6,
    Combination.FULL_HOUSE: 8,
    # R11: worth 6 among left-overs, and nowhere else.
    Combination.THREE_PAIRS: 6,
}
_SPLIT_POINTS: Final = {
    Combination.FOURS: {Split(4, 0): 8, Split(3, 1): 12, Split(2, 2): 16},
    Combination.STRAIGHT_FLUSH: {Split(5, 0): 10, Split(4, 1): 15, Split(3, 2): 20},
}

PLAIN_VALUES: Final = {
    combination: HandValue(combination, None, points) for combination, points in _PLAIN_POINTS.items()
}
SPLIT_VALUES: Final = {
    combination: {split: HandValue(combination, split, points) for split, points in table.items()}
    for combination, table in _SPLIT_POINTS.items()
}


# By the combination's order: a number is looked up faster than an enum.
_PLAIN_BY_ORDER: Final = tuple(PLAIN_VALUES.get(combination) for combination in Combination)


def plain_value(combination: Combination) -> HandValue | None:
    """The value of a combination whose split does not count; None where it does."""
    return _PLAIN_BY_ORDER[combination.order]


def needs_split(combination: Combination) -> bool:
    """R9: whether the split decides the points."""
    return combination in SPLIT_VALUES


def values_of(combination: Combination) -> tuple[HandValue, ...]:
    """Every value that this combination can have: one, or one for each split."""
    if combination in SPLIT_VALUES:
        return tuple(SPLIT_VALUES[combination].values())
    return (PLAIN_VALUES[combination],)


#: Every value of a hand, lowest combination first.
HAND_VALUES: Final = tuple(
    value for combination in FIVE_CARD_COMBINATIONS for value in values_of(combination)
)
#: R11: the same, and three pairs.
LEFT_OVER_VALUES: Final = (*HAND_VALUES, PLAIN_VALUES[Combination.THREE_PAIRS])
#: The points that some hand is worth, ascending.
HAND_POINTS: Final = tuple(sorted({value.points for value in HAND_VALUES}))
#: R11: ten times the value of what the losers have left.
BONUS_FACTOR: Final = 10
#: The bonuses that some six left-over cards give, ascending.
BONUSES: Final = tuple(sorted({BONUS_FACTOR * value.points for value in LEFT_OVER_VALUES}))

#: R15 and R16: the total that ends a match, and what it earns.
GAME_TOTAL: Final = 100
GAME_BONUS: Final = 100


@final
@dataclass(frozen=True, slots=True)
class Options:
    """What a competition may choose (R15 to R18)."""

    rules: str = RULES_VERSION
    deals: int = 4
    duplicate: bool = False
    early_end: bool = True
    game_bonus: bool = True


OPTION_FIELDS: Final = (
    OptionField(
        "rules",
        Kind.CHOICE,
        RULES_VERSION,
        Word(gettext_noop("Rules")),
        Word(gettext_noop("The version of the rules used in this competition.")),
        choices=((RULES_VERSION, Word(gettext_noop("Concerto as revised by its author in 2013"))),),
    ),
    OptionField(
        "deals",
        Kind.NUMBER,
        4,
        Word(gettext_noop("Deals in a match")),
        Word(gettext_noop("A match has at most this many deals.")),
        minimum=1,
        maximum=64,
    ),
    OptionField(
        "duplicate",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Duplicate")),
        help=Word(gettext_noop("Every table plays the same deals, and a match always plays all of them.")),
    ),
    OptionField(
        "early_end",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("End at 100 points")),
        help=Word(
            gettext_noop(
                "The match ends after the deal in which a side reaches 100 points. Not used in duplicate."
            )
        ),
    ),
    OptionField(
        "game_bonus",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("Game bonus")),
        help=Word(
            gettext_noop(
                "If only one side reaches 100 points, it gets 100 more, plus 100 for each deal not "
                "played. Off by default in duplicate."
            )
        ),
    ),
)


def read_options(data: object) -> Options:
    """The options from JSON. R18: a duplicate match plays all its deals, without bonus unless that is chosen.

    Raises OptionError with every fault in ``causes``.
    """
    given = option_values(OPTION_FIELDS, data)
    duplicate = given.get("duplicate", False)
    if duplicate and given.get("early_end"):
        template = gettext_noop(
            "A duplicate match always plays all its deals. Please switch off “%(label)s”."
        )
        label = Word("End at 100 points")
        raise_option_faults([OptionError("option-clash", template, place=("early_end",), label=label)])
    return Options(
        rules=given.get("rules", RULES_VERSION),
        deals=given.get("deals", 4),
        duplicate=duplicate,
        early_end=given.get("early_end", not duplicate),
        game_bonus=given.get("game_bonus", not duplicate),
    )
