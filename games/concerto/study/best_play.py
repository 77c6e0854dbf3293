"""What the cards of a confirmed deal could have made, as people see it: best hands, par, and where the points went."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog
from django.db.models import F

from engine import game
from games.analysis.services import analyses
from games.concerto.deals import ConcertoDeal, ShownCard, value_in_words
from games.concerto.values import offered_values
from games.fixture_boards import boards_of
from games.models import Analysis, Scoresheet
from games.records.display.shown import (
    ShownSeat,
    ShownSheet,
)
from league import policies
from league.actors import Visitor
from league.errors import Conflict
from league.models import Fixture

log = structlog.get_logger(__name__)

PAIRS = ("home", "away")
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand of best play."""

    number: int
    leader: ShownSeat
    cards: tuple[ShownCard, ...]
    words: str
    points: int


@dataclass(frozen=True, slots=True)
class BestWay:
    """One of the best ways for a pair: `bonus` is what its left-overs would give the other pair."""

    points: int
    bonus: int
    is_par: bool
    hands: tuple[BestHand, ...]
    left: tuple[ShownCard, ...]


@dataclass(frozen=True, slots=True)
class PlayedHandCost:
    """A hand as it was played, and what it gave up: None where that is not known."""

    number: int
    leader: ShownSeat
    words: str
    points: int | None
    after: int | None
    cost: int | None


@dataclass(frozen=True, slots=True)
class BarStretch:
    """A stretch of a pair's bar: points made, or given up with a hand."""

    start: int
    length: int
    is_made: bool


@dataclass(frozen=True, slots=True)
class PairBest:
    """A pair's deal beside the best that its cards could make."""

    pair: str
    name: str
    made: int
    ways: tuple[BestWay, ...]
    hands: tuple[PlayedHandCost, ...]

    @property
    def best(self) -> int:
        return self.ways[0].points

    @property
    def given_up(self) -> int:
        return self.best - self.made

    @property
    def is_perfect(self) -> bool:
        return self.made == self.best

    @property
    def parts(self) -> tuple[BarStretch, ...]:
        """What was made, then what each hand gave up: together the best."""
        lengths = [self.made, *(hand.cost or 0 for hand in self.hands)]
        starts = [sum(lengths[:place]) for place in range(len(lengths))]
        return tuple(
            BarStretch(start, length, is_made=place == 0)
            for place, (start, length) in enumerate(zip(starts, lengths, strict=True))
            if length
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Totals of both pairs when `first` chooses first."""

    first: str
    home: int
    away: int


@dataclass(frozen=True, slots=True)
class ShownBest:
    """A deal's analysis; one that is not ready is being worked out."""

    template: ClassVar[str] = "concerto/_best.html"

    match: int
    number: int
    pairs: tuple[PairBest, ...] = ()
    par: Mapping[str, int] | None = None
    outcomes: tuple[Outcome, ...] = ()

    @property
    def is_ready(self) -> bool:
        return bool(self.pairs)


def best_play(
    *, fixture: Fixture, visitor: Visitor, row: Scoresheet, sheet: ShownSheet
) -> Mapping[int, ShownBest]:
    """The analyses of the sheet's deals that this visitor may see, by the deal's number; in one query."""
    if not policies.may(visitor, "analysis.see", row):
        return {}
    offered = game.get(fixture.round.competition.game)
    found = Analysis.objects.filter(sides__deal__sheet=row, sides__side=next(iter(offered.sides())))
    maker = _Maker(fixture, sheet)
    shown: dict[int, ShownBest] = {}
    deals = {deal.number: deal for deal in sheet.deals}
    fouled = {play.position for play in boards_of(fixture) if play.version}
    for analysis in found.annotate(number=F("sides__deal__number")):
        if analysis.version != analyses.version_of(offered):
            shown[analysis.number] = ShownBest(fixture.pk, analysis.number)
        elif analysis.content and analysis.number not in fouled:
            try:
                content = analyses.content_in(analysis)
                if content:
                    shown[analysis.number] = maker.best(deals[analysis.number], content)
            except (LookupError, TypeError, ValueError, Conflict):
                # What is stored is not what the game's analysis gives: verification names it; the match is shown.
                log.exception("analysis_not_shown", analysis=analysis.pk, deal=analysis.number)
    return shown


class Ways:
    """Makes what is shown of the best ways for a side, with the players' names at their seats."""

    def __init__(self, game_key: str, seats: Iterable[ShownSeat]) -> None:
        self.seat = {seat.key: seat for seat in seats}
        values = offered_values(game_key, left=False)
        self.words = {value.key: value_in_words(value.combination, value.split) for value in values}

    def shown(self, way: Json) -> BestWay:
        """One of the ways as an analysis stores it."""
        return BestWay(
            points=way["points"],
            bonus=way["bonus"],
            is_par=way["is_par"],
            hands=tuple(self._hand(hand) for hand in way["hands"]),
            left=self._cards(way["left"], way["hands"][0]["leader"]),
        )

    def _hand(self, hand: Json) -> BestHand:
        key = f"{hand['combination']}/{hand['split']}" if hand["split"] else hand["combination"]
        return BestHand(
            number=hand["hand"],
            leader=self.seat[hand["leader"]],
            cards=self._cards(hand["cards"], hand["leader"]),
            words=self.words.get(key, ""),
            points=hand["points"],
        )

    def _cards(self, cards: Iterable[tuple[str, str]], leader: str) -> tuple[ShownCard, ...]:
        return tuple(
            ShownCard(text=text, seat=seat, by=self.seat[seat].player, is_partners=seat != leader)
            for text, seat in cards
        )


class _Maker:
    """Makes what is shown of a sheet's analyses."""

    def __init__(self, fixture: Fixture, sheet: ShownSheet) -> None:
        self.match = fixture.pk
        self.sheet = sheet
        self.side_of = {pair: side for side, pair in sheet.pair_of_side.items()}
        self.ways = Ways(fixture.round.competition.game, sheet.seats)

    def best(self, deal: ConcertoDeal, content: Json) -> ShownBest:
        return ShownBest(
            match=self.match,
            number=deal.number,
            pairs=tuple(self._pair(pair, deal, content) for pair in PAIRS),
            par=self._by_pair(content["par"]["total"]),
            outcomes=tuple(
                Outcome(self.sheet.names[self.sheet.pair_of_side[side]], **self._by_pair(total))
                for side, total in content["committing"].items()
            ),
        )

    def _by_pair(self, total: Mapping[str, int]) -> dict[str, int]:
        return {pair: total[self.side_of[pair]] for pair in PAIRS}

    def _pair(self, pair: str, deal: ConcertoDeal, content: Json) -> PairBest:
        hands = tuple(
            PlayedHandCost(
                number=hand.number,
                leader=hand.leader,
                words=hand.words,
                points=hand.points,
                after=cost["best_after"] if cost else None,
                cost=cost["cost"] if cost else None,
            )
            for hand, cost in zip(deal.hands, content["costs"], strict=True)
            if hand.pair == pair
        )
        made = deal.made[pair]
        return PairBest(
            pair=pair,
            name=self.sheet.names[pair],
            made=sum(hand.points or 0 for hand in hands) if made is None else made,
            ways=tuple(self.ways.shown(way) for way in content["best"][self.side_of[pair]]),
            hands=hands,
        )
