"""A deal of Concerto as people see it: who led each hand, the cards and who played which, what it was, what it gave."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from engine.game import Game
from games.concerto.places import ConcertoNames
from games.records.display.robot_hands import StandIns
from games.records.display.sheets import SheetMaker
from games.records.display.shown import NOTHING, ShownDeal, ShownSeat
from games.templatetags.cards import card_name

LINE = "line"
RANKS = "AKQJT98765432"


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of a hand, and who played it where that is known."""

    text: str
    seat: str
    by: str
    is_partners: bool

    @property
    def label(self) -> str:
        name = card_name(self.text)
        return _("%(card)s, from %(player)s") % {"card": name, "player": self.by} if self.by else name


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One hand: `value` names what it is (as `value_key` does), `so_far` what too few
    cards form by now; `points` is None while they do not follow."""

    number: int
    leader: ShownSeat
    partner: ShownSeat
    pair: str
    cards: tuple[ShownCard, ...]
    value: str
    so_far: str
    words: str
    points: int | None
    stand_ins: tuple[str, ...] = ()
    """What robots did in it, for whom."""

    @property
    def is_given(self) -> bool:
        return bool(self.cards or self.words or self.points is not None)


@dataclass(frozen=True, slots=True)
class ShownLeft:
    """What the losers had left: `to` is the pair that scores it, "home" or "away", or empty."""

    holder_title: str
    holders: tuple[ShownSeat, ...]
    to: str
    cards: tuple[ShownCard, ...]
    value: str
    words: str
    bonus: int | None

    @property
    def title(self) -> str:
        """What it is called."""
        return _("Left-overs")

    @property
    def is_given(self) -> bool:
        return bool(self.cards or self.words)


@dataclass(frozen=True, slots=True)
class ConcertoDeal(ShownDeal):
    """A deal down to the card; `made` maps "home" and "away" to the points for hands, None where they do not follow."""

    template: ClassVar[str] = "concerto/deal.html"

    names: ConcertoNames
    hands: tuple[ShownHand, ...]
    left: ShownLeft
    made: Mapping[str, int | None]

    @property
    def has_hands(self) -> bool:
        return any(hand.is_given for hand in self.hands) or self.left.is_given

    @property
    def has_made(self) -> bool:
        return self.has_hands and any(points is not None for points in self.made.values())

    @property
    def has_cards(self) -> bool:
        return any(hand.cards for hand in self.hands)

    def hand_by_hand(self) -> Sequence[ShownHand]:
        return self.hands if self.has_hands else ()

    def rest(self) -> ShownLeft | None:
        return self.left if self.left.bonus is not None else None

    def parts(self) -> Iterator[tuple[str, str]]:
        """Hand by hand, what was left, and the total."""
        at = self.number - 1
        for place, hand in enumerate(self.hands):
            points = "" if hand.points is None else str(hand.points)
            yield self.names.hand(at, place), _said(_cards(hand.cards), hand.words, points)
        bonus = "" if self.left.bonus is None else str(self.left.bonus)
        left = _said(_cards(self.left.cards), self.left.words, bonus) if self.left.is_given else NOTHING
        yield self.names.left(at), left
        yield self.names.sum(at), self.total_in_words()


def _said(*parts: str) -> str:
    return " ".join(part for part in parts if part) or NOTHING


def _cards(cards: Iterable[ShownCard]) -> str:
    return " ".join(f"{played.text}·{played.seat}" if played.seat else played.text for played in cards)


def empty_deal(offered: Game, dealer: str) -> Any:
    """A deal with nothing written yet, as its game describes it."""
    if offered.records is None:
        raise LookupError(offered.key)
    return offered.records.describe(offered.records.read_record({}, dealer))


class ConcertoMaker(SheetMaker):
    """Makes the deals of a Concerto sheet."""

    names: ConcertoNames
    names_of = ConcertoNames

    def deal(self, index: int) -> ConcertoDeal:
        described = self._described(index)
        by_pair = self.by_pair
        robots = self.stand_ins(index)
        return ConcertoDeal(
            number=index + 1,
            dealer=self.seat[described.dealer.value],
            state=self.state(index),
            so_far=by_pair(described.points_so_far),
            total=by_pair(described.total),
            names=self.names,
            hands=tuple(self._hand(hand, robots) for hand in described.hands),
            left=self._left(described),
            made=by_pair(described.made),
            robots=self.robot_lines(index),
        )

    def _described(self, index: int) -> Any:
        if index < len(self.reading.descriptions):
            return self.reading.descriptions[index]
        return empty_deal(self.offered, self.dealer(index))

    def _hand(self, hand: Any, robots: StandIns) -> ShownHand:
        leader = self.seat[hand.leader.value]
        partner = next(seat for seat in self.sides[hand.side.value] if seat.key != leader.key)
        cards = [(shown.card, shown.seat.value if shown.seat else "") for shown in hand.cards]
        if hand.depth != LINE:
            cards.sort(key=lambda each: (RANKS.index(each[0].text[0]), each[0].text[1]))
        is_open = bool(cards) and hand.points is None
        acted = {
            seat: each.acted(sum(mover.value == seat for mover, _action in hand.moves))
            for (number, seat), each in robots.items()
            if number == hand.number + 1
        }
        return ShownHand(
            number=hand.number + 1,
            leader=leader,
            partner=partner,
            pair=self.pair_of[hand.side.value],
            cards=self._cards(cards, leader.key, acted),
            value=value_key(hand.combination, hand.split) if not is_open else "",
            so_far=hand.combination.key if is_open and hand.combination else "",
            words=_so_far(hand.combination) if is_open else value_in_words(hand.combination, hand.split),
            points=hand.points,
            stand_ins=tuple(
                each.line for (number, _seat), each in robots.items() if number == hand.number + 1
            ),
        )

    def _cards(
        self, cards: Iterable[tuple[Any, str]], leader: str, acted: Mapping[str, str] | None = None
    ) -> tuple[ShownCard, ...]:
        return tuple(
            ShownCard(
                text=card.text,
                seat=seat,
                by=(acted or {}).get(seat) or (self.seat[seat].player if seat else ""),
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
