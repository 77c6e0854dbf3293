"""The pot (C5, C6): its options, the match that carries it on, and sheets on which it can be followed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import CheckedSheet, Kind, MatchResult, OptionField, Options, Score
from engine.game.individuals import IndividualGame, PlayedT
from engine.game.sheets import MOST_POINTS, WrittenDeal, check_totals, with_repeats
from engine.text import Word, gettext_noop

#: C6: what the pot held before the deal.
POT: Final = OptionField(
    "pot",
    Kind.NUMBER,
    0,
    Word(gettext_noop("Pot")),
    Word(gettext_noop("What nobody won in the deals before.")),
    maximum=MOST_POINTS,
)


def deals_field(usual: int) -> OptionField:
    """How many deals a match has."""
    return OptionField(
        "deals",
        Kind.NUMBER,
        usual,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has. All of them are played.")),
        minimum=4,
        maximum=60,
    )


def ante_field(most: int) -> OptionField:
    """What is put into the pot before each deal."""
    return OptionField(
        "ante",
        Kind.NUMBER,
        1,
        Word(gettext_noop("Ante")),
        Word(gettext_noop("How many points are put into the pot before each deal.")),
        minimum=1,
        maximum=most,
    )


class PotGame(IndividualGame[PlayedT]):
    """A game for individuals in which the winner of a deal takes a pot, and what nobody won is carried on."""

    deal_fields = (POT,)
    carried = ("pot",)
    goes_below_zero = True

    @abstractmethod
    def read_written(
        self, data: object, seats: Sequence[str], options: Mapping[str, Any] | None, pot: int | None
    ) -> WrittenDeal:
        """The deal with every problem; ``options`` where the competition is known, ``pot`` before it where that is."""

    @abstractmethod
    def with_sheet_checks(self, checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
        """The sheet with what is odd about its deals together."""

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """The sum of the deals; what they are short of nothing lies on the table."""
        result = super().match(scores, options, players)
        left = -sum(result.total.values())
        return replace(result, next_options={} if result.is_over else {"pot": max(0, left)})

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """A deal by itself."""
        return self.read_written(data, self.seats(players), None, None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """Each deal with what lay on the table before it."""
        seats, chosen = self.seats(players), self.read_options(options)
        read = following_the_pot(lambda data, pot: self.read_written(data, seats, chosen, pot))
        checked = check_totals(content, read, lambda scores: self.match(scores, options, players))
        return with_repeats(self.with_sheet_checks(checked, seats))


def following_the_pot(
    read: Callable[[object, int | None], WrittenDeal],
) -> Callable[[object, int], WrittenDeal]:
    """A reader of the deals of a sheet in their order, each told what lay on the table; None: not known any more."""
    left: dict[int, int | None] = {0: 0}

    def read_one(data: object, number: int) -> WrittenDeal:
        pot = left.get(number)
        written = read(data, pot)
        score = written.score
        left[number + 1] = None if score is None or pot is None else pot - sum(score.total.values())
        return written

    return read_one
