"""Making a scoresheet's reading into what people see of it: what every game has, totals deal by deal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from engine import game
from engine.game import Game
from games.models import RobotHand
from games.records.display import robot_hands
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
from games.templatetags.cards import NO_BREAK
from league.models import Entry, Fixture


def result_in_words(fixture: Fixture, reading: Reading) -> str:
    """Who won, by how much: "Berg & Okafor win, 187 to 131"; of more than two sides, what each made."""
    named = list(zip(fixture.entries, reading.total.values(), reading.ranks.values(), strict=True))
    if len(named) > 2:
        return _result_of_many(named, is_over=reading.is_over)
    (_first, home, first_rank), (_second, away, second_rank) = named
    if not reading.is_over:
        return _("The match isn’t over: %(home)d to %(away)d so far") % {"home": home, "away": away}
    if first_rank == second_rank:
        return _("A draw, %(home)d all") % {"home": home}
    (winner, own, _rank), (_loser, other, _other_rank) = sorted(named, key=lambda each: each[2])
    said = {"pair": winner, "more": own, "fewer": other}
    if len(winner.lineup.players) == 1:
        return _("%(pair)s wins, %(more)d to %(fewer)d") % said
    return _("%(pair)s win, %(more)d to %(fewer)d") % said


def _result_of_many(named: Sequence[tuple[Entry, int, int]], *, is_over: bool) -> str:
    """Of at least three sides, the best first."""
    standing = sorted(named, key=lambda each: each[2])
    made = ", ".join(f"{entry} {points}" for entry, points, _rank in standing)
    if not is_over:
        return _("The match isn’t over: %(made)s so far") % {"made": made}
    best = [entry for entry, _points, rank in standing if rank == 1]
    if len(best) > 1:
        return _("A draw for first place: %(made)s") % {"made": made}
    if len(best[0].lineup.players) == 1:
        return _("%(winner)s wins: %(made)s") % {"winner": best[0], "made": made}
    return _("%(winner)s win: %(made)s") % {"winner": best[0], "made": made}


def seats_of(fixture: Fixture, seating: Seating) -> tuple[ShownSeat, ...]:
    """Who sits where, in the order of the seats."""
    offered = game.get(fixture.round.competition.game)
    players = len(seating.players)
    return tuple(
        ShownSeat(
            key=seat,
            title=gettext(offered.title(seat)),
            player=str(seating.players[seat]),
            pair=seating.names[offered.side_of(seat, players)],
        )
        for seat in offered.seats(players)
    )


class SheetMaker:
    """Makes the parts of one sheet; everything that they share is looked up once. A game that shows more extends it."""

    names_of: type[DealNames] = DealNames

    def __init__(
        self, fixture: Fixture, reading: Reading, robots: Mapping[int, Iterable[RobotHand]] | None = None
    ) -> None:
        self.fixture = fixture
        self.robots = robots or {}
        self.offered: Game = game.get(fixture.round.competition.game)
        offered = self.offered
        self.reading = reading
        self.names = self.names_of(reading.boards)
        self.seats = seats_of(fixture, reading.seating)
        self.seat = {seat.key: seat for seat in self.seats}
        self.pair_of = reading.seating.names
        self.players = len(reading.seating.players)
        self.sides = {
            side: tuple(self.seat[seat] for seat in seats)
            for side, seats in offered.sides(self.players).items()
        }
        self.deals = max(len(reading.records), offered.deals_of(self.players, options_of(fixture)) or 0)

    def side_letters(self, side: str) -> str:
        """The side by its seats: N-S."""
        return "-".join(seat.letter for seat in self.sides[side])

    def side_name(self, side: str) -> str:
        """What a sentence calls the side: its player where everybody plays alone, else North-South; of none nothing."""
        seats = self.sides.get(side)
        if not seats:
            return ""
        return seats[0].player if len(seats) == 1 else gettext(str(self.offered.title(side)))

    def by_side(self, given: Mapping[str, object]) -> str:
        """Each side with what belongs to it: "Anna 12, Ben 7"."""
        return ", ".join(f"{self.side_name(side)}{NO_BREAK}{value}" for side, value in given.items())

    def sheet(self) -> ShownSheet:
        """The whole sheet as it was read, for people."""
        fixture, reading = self.fixture, self.reading
        return ShownSheet(
            deals=tuple(self.deal(index) for index in range(self.deals)),
            seats=self.seats,
            sides={pair: self.side_letters(side) for side, pair in self.pair_of.items()},
            pair_of_side=self.pair_of,
            names={
                name: str(entry) for name, entry in zip(self.pair_of.values(), fixture.entries, strict=True)
            },
            first_dealer=self.seat[reading.seating.first_dealer],
            points=reading.points,
            bonus=reading.bonus,
            total=reading.total,
            counted=reading.counted,
            is_over=reading.is_over,
            result=result_in_words(fixture, reading),
            deal_names=self.names,
            total_name=self.total_name(),
        )

    def total_name(self) -> str:
        """What the match's totals are, where they aren't the sums of the deals' points."""
        return ""

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
            facts=tuple((what, text) for what, text in self.facts(index) if text),
            robots=self.robot_lines(index),
        )

    def facts(self, index: int) -> Iterable[tuple[str, str]]:  # noqa: ARG002 (totals alone have none)
        """What the sheet tells of the deal of that number (from 0) besides points. Empty texts are left out."""
        return ()

    def record(self, index: int) -> Mapping[str, Any]:
        """That deal as it was read; empty where it was not given."""
        return self.reading.records[index] if index < len(self.reading.records) else {}

    def robot_lines(self, index: int) -> tuple[str, ...]:
        """What robots did in the deal of that number (from 0), in sentences."""
        return robot_hands.in_words(self.robots.get(index + 1, ()), self._players, self.offered.key)

    def stand_ins(self, index: int) -> robot_hands.StandIns:
        """The same by hand and seat."""
        return robot_hands.stand_ins(self.robots.get(index + 1, ()), self._players, self.offered.key)

    @property
    def _players(self) -> Mapping[str, str]:
        return {seat.key: seat.player for seat in self.seats}

    def dealer(self, index: int) -> str:
        """Who deals the deal of that number."""
        dealers = (*self.reading.dealers, self.reading.next_dealer)
        beyond = max(0, index - len(self.reading.dealers))
        return self.offered.dealer_after(dealers[index - beyond], beyond, self.players)

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
        """Points of sides, as the sheet names them, in the order of the match."""
        return {name: None if points is None else points.get(side) for side, name in self.pair_of.items()}
