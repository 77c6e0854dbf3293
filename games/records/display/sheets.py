"""Making a scoresheet's reading into what people see of it: what every game has, totals deal by deal."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from engine import game
from engine.game import Game
from games.records.display.deal_names import DealNames
from games.records.display.shown import (
    BEYOND,
    DONE,
    EMPTY,
    FAULTY,
    PARTIAL,
    ShownDeal,
    ShownSeat,
    ShownSheet,
)
from games.records.parsing import Reading, options_of
from games.seating import Seating
from league.models import Fixture


def result_in_words(fixture: Fixture, reading: Reading) -> str:
    """Who won, by how much: "Berg & Okafor win, 187 to 131"."""
    home, away = reading.total["home"], reading.total["away"]
    if not reading.is_over:
        return _("The match isn’t over: %(home)d to %(away)d so far") % {"home": home, "away": away}
    if home == away:
        return _("A draw, %(home)d all") % {"home": home}
    winner, more, fewer = (fixture.home, home, away) if home > away else (fixture.away, away, home)
    return _("%(pair)s win, %(more)d to %(fewer)d") % {"pair": winner, "more": more, "fewer": fewer}


def seats_of(fixture: Fixture, seating: Seating) -> tuple[ShownSeat, ...]:
    """Who sits where, in the order of the seats."""
    offered = game.get(fixture.round.competition.game)
    return tuple(
        ShownSeat(
            key=seat,
            title=gettext(offered.title(seat)),
            player=str(seating.players[seat]),
            pair="home" if offered.side_of(seat) == seating.home_side else "away",
        )
        for seat in offered.seats()
    )


class SheetMaker:
    """Makes the parts of one sheet; everything that they share is looked up once. A game that shows more extends it."""

    names_of: type[DealNames] = DealNames

    def __init__(self, fixture: Fixture, reading: Reading) -> None:
        self.fixture = fixture
        self.offered: Game = game.get(fixture.round.competition.game)
        offered = self.offered
        self.reading = reading
        self.names = self.names_of(reading.boards)
        self.seats = seats_of(fixture, reading.seating)
        self.seat = {seat.key: seat for seat in self.seats}
        away = next(side for side in offered.sides() if side != reading.seating.home_side)
        self.pair_of = {reading.seating.home_side: "home", away: "away"}
        self.sides = {
            side: tuple(self.seat[seat] for seat in seats) for side, seats in offered.sides().items()
        }
        self.deals = max(len(reading.records), offered.deals_in_match(options_of(fixture)) or 0)

    def side_letters(self, side: str) -> str:
        """The side by its seats: N-S."""
        return "-".join(seat.letter for seat in self.sides[side])

    def sheet(self) -> ShownSheet:
        """The whole sheet as it was read, for people."""
        fixture, reading = self.fixture, self.reading
        return ShownSheet(
            deals=tuple(self.deal(index) for index in range(self.deals)),
            seats=self.seats,
            sides={pair: self.side_letters(side) for side, pair in self.pair_of.items()},
            pair_of_side=self.pair_of,
            names={"home": str(fixture.home), "away": str(fixture.away)},
            first_dealer=self.seat[reading.seating.first_dealer],
            points=reading.points,
            bonus=reading.bonus,
            total=reading.total,
            counted=reading.counted,
            is_over=reading.is_over,
            result=result_in_words(fixture, reading),
            deal_names=self.names,
        )

    def deal(self, index: int) -> ShownDeal:
        """The deal of that number (from 0), given or not."""
        is_scored = index < len(self.reading.totals)
        return ShownDeal(
            number=index + 1,
            dealer=self.seat[self.dealer(index)],
            state=self.state(index),
            so_far=self.by_pair(None),
            total=self.by_pair(self.reading.totals[index] if is_scored else None),
            names=self.names,
        )

    def dealer(self, index: int) -> str:
        """Who deals the deal of that number."""
        return self.offered.dealer_after(self.reading.seating.first_dealer, index)

    def state(self, index: int) -> str:
        """How far the deal is entered."""
        given = index < len(self.reading.records) and set(self.reading.records[index]) - {"dealer"}
        if self.reading.is_over and index >= self.reading.counted:
            return FAULTY if given else BEYOND
        if not given:
            return EMPTY
        wrong = [p for p in self.reading.refused if p.place[:2] == ("deals", index) and not p.is_missing]
        if wrong:
            return FAULTY
        return DONE if self.reading.scores[index] else PARTIAL

    def by_pair(self, points: Mapping[Any, int] | None) -> dict[str, int | None]:
        """Points of sides, by "home" and "away"."""
        if points is None:
            return {"home": None, "away": None}
        return {self.pair_of[side]: number for side, number in points.items()}
