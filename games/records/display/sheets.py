"""Making a scoresheet's reading into what people see of it (the values of ``shown``)."""

from collections.abc import Iterable, Mapping
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
    ShownCard,
    ShownDeal,
    ShownHand,
    ShownLeft,
    ShownSeat,
    ShownSheet,
)
from games.records.parsing import Reading, options_of
from games.seating import Seating
from league.models import Fixture

LINE = "line"
RANKS = "AKQJT98765432"


def shown_sheet(fixture: Fixture, reading: Reading) -> ShownSheet:
    """The whole sheet as it was read, for people."""
    offered = game.get(fixture.round.competition.game)
    maker = _Maker(fixture, offered, reading)
    return ShownSheet(
        deals=tuple(maker.deal(index) for index in range(maker.deals)),
        seats=maker.seats,
        sides={pair: maker.side_letters(side) for side, pair in maker.pair_of.items()},
        pair_of_side=maker.pair_of,
        names={"home": str(fixture.home), "away": str(fixture.away)},
        first_dealer=maker.seat[reading.seating.first_dealer],
        points=reading.points,
        bonus=reading.bonus,
        total=reading.total,
        counted=reading.counted,
        is_over=reading.is_over,
        result=result_in_words(fixture, reading),
        deal_names=maker.names,
    )


def result_in_words(fixture: Fixture, reading: Reading) -> str:
    """Who won, by how much: "Berg & Okafor win, 187 to 131"."""
    home, away = reading.total["home"], reading.total["away"]
    if not reading.is_over:
        return _("The match is not over: %(home)d to %(away)d so far") % {"home": home, "away": away}
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


def empty_deal(offered: Game, dealer: str) -> Any:
    """A deal of which nothing is written yet, as its game describes it."""
    if offered.records is None:
        raise LookupError(offered.key)
    return offered.records.describe(offered.records.read_record({}, dealer))


class _Maker:
    """Makes the parts of one sheet; everything that they share is looked up once."""

    def __init__(self, fixture: Fixture, offered: Game, reading: Reading) -> None:
        self.offered = offered
        self.reading = reading
        self.names = DealNames(reading.boards)
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

    def deal(self, index: int) -> ShownDeal:
        """The deal of that number (from 0), given or not."""
        described = self._described(index)
        by_pair = self._by_pair
        return ShownDeal(
            number=index + 1,
            dealer=self.seat[described.dealer.value],
            state=self._state(index),
            hands=tuple(self._hand(hand) for hand in described.hands),
            left=self._left(described),
            made=by_pair(described.made),
            so_far=by_pair(described.points_so_far),
            total=by_pair(described.total),
            names=self.names,
        )

    def _described(self, index: int) -> Any:
        if index < len(self.reading.descriptions):
            return self.reading.descriptions[index]
        return empty_deal(self.offered, self.offered.dealer_after(self.reading.seating.first_dealer, index))

    def _state(self, index: int) -> str:
        given = index < len(self.reading.records) and set(self.reading.records[index]) - {"dealer"}
        if self.reading.is_over and index >= self.reading.counted:
            return FAULTY if given else BEYOND
        if not given:
            return EMPTY
        wrong = [p for p in self.reading.refused if p.place[:2] == ("deals", index) and not p.is_missing]
        if wrong:
            return FAULTY
        return DONE if self.reading.scores[index] else PARTIAL

    def _by_pair(self, points: Mapping[Any, int] | None) -> dict[str, int | None]:
        if points is None:
            return {"home": None, "away": None}
        return {self.pair_of[side.value]: number for side, number in points.items()}

    def _hand(self, hand: Any) -> ShownHand:
        leader = self.seat[hand.leader.value]
        partner = next(seat for seat in self.sides[hand.side.value] if seat.key != leader.key)
        cards = [(shown.card, shown.seat.value if shown.seat else "") for shown in hand.cards]
        if hand.depth != LINE:
            cards.sort(key=lambda each: (RANKS.index(each[0].text[0]), each[0].text[1]))
        is_open = bool(cards) and hand.points is None
        return ShownHand(
            number=hand.number + 1,
            leader=leader,
            partner=partner,
            pair=self.pair_of[hand.side.value],
            cards=self._cards(cards, leader.key),
            value=value_key(hand.combination, hand.split) if not is_open else "",
            so_far=hand.combination.key if is_open and hand.combination else "",
            words=_so_far(hand.combination) if is_open else value_in_words(hand.combination, hand.split),
            points=hand.points,
        )

    def _cards(self, cards: Iterable[tuple[Any, str]], leader: str) -> tuple[ShownCard, ...]:
        return tuple(
            ShownCard(
                text=card.text,
                seat=seat,
                by=self.seat[seat].player if seat else "",
                is_partners=bool(seat) and seat != leader,
            )
            for card, seat in cards
        )

    def _left(self, described: Any) -> ShownLeft:
        left = described.left_over
        holders = self.sides[left.side.value] if left else ()
        cards = [
            (card, seat.value)
            for seat, held in described.left
            for card in sorted(held, key=lambda card: RANKS.index(card.text[0]))
            if not holders or self.seat[seat.value] in holders
        ]
        claim = left and left.combination
        to = described.left_over_to
        return ShownLeft(
            holder_title=" & ".join(seat.player for seat in holders),
            holders=holders,
            to=self.pair_of[to.value] if to else "",
            cards=self._cards(cards, (holders or self.seats)[0].key),
            value=value_key(claim, left.split if left else None),
            words=value_in_words(claim, left.split if left else None),
            bonus=described.left_over_bonus,
        )


def value_key(combination: Any, split: Any) -> str:
    """Names a value for forms and scripts: "flush", "fours/2+2"."""
    if not combination:
        return ""
    return f"{combination.key}/{split}" if split else str(combination.key)


def value_in_words(combination: Any, split: Any) -> str:
    """A value for people: "flush", "fours, 2+2"."""
    if not combination:
        return ""
    name = gettext(combination.title)
    return _("%(combination)s, %(split)s") % {"combination": name, "split": split} if split else name


def _so_far(combination: Any) -> str:
    return _("%(combination)s so far") % {"combination": gettext(combination.title)} if combination else ""
