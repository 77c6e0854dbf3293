"""A deal of Kowah being played: drawing, discarding, checki and claims (KO1 to KO11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, not_held, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import in_order, is_card, read_deal, without
from engine.text import gettext_noop

HAND: Final = 8
#: KO1: the kinds, and how often each is there.
KINDS: Final = (*(rank + suit for suit in "shd" for rank in "A98765432"), "Kc", "Qc", "Jc")
COPIES: Final = 4
PACK: Final = tuple(kind for kind in KINDS for _copy in range(COPIES))
#: KO15.
STOCK, PILE, DECLARES = "stock", "pile", "!"
WON, OUT_OF_STOCK, STALEMATE = "won", "stock", "stalemate"
DRAW, CLAIM = "draw", "claim"
_THREE: Final = 3


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    dealer: int


class Now(NamedTuple):
    """How a deal stands; ``drawn`` cards have left the stock, the last of ``pile`` lies on top."""

    hands: tuple[tuple[str, ...], ...]
    turn: int
    drawn: int = 0
    pile: tuple[str, ...] = ()
    has_drawn: bool = False
    taken: str = ""
    """KO5: the card that was taken from the pile in this turn; empty where another of its kind was held."""
    shown: tuple[str, ...] = ()
    """KO7: the kind of each place's shown pair; empty where there is none."""
    known: tuple[tuple[str, ...], ...] = ()
    """KO12: the cards of each hand that everybody has seen."""
    without_stock: int = 0
    """KO10: how many turns running nobody drew from the stock."""
    turns: int = 0
    ended: str = ""
    winner: int = -1
    by: str = ""
    given_by: int = -1


def is_checki(cards: Iterable[str], pair: str) -> bool:
    """KO6: without two of that kind the others are threes of a rank."""
    rest = without(cards, (pair, pair))
    return rest is not None and all(
        count % _THREE == 0 for count in Counter(card[0] for card in rest).values()
    )


def start(text: str, players: int, dealer: int) -> State:
    """KO3, KO4: the dealer's left begins. Raises DealError."""
    dealt = read_deal(text, PACK, (HAND,) * players)
    nothing: tuple[tuple[str, ...], ...] = ((),) * players
    now = Now(dealt.hands, (dealer + 1) % players, shown=("",) * players, known=nothing)
    return State(Setting(dealt.hands, dealt.stock, dealer), (), now)


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """KO4."""
        return None if self.now.ended else self.now.turn

    @property
    def stock_left(self) -> int:
        """How many cards the stock has."""
        return len(self.setting.stock) - self.now.drawn

    @property
    def has_no_pile(self) -> bool:
        """KO4: whether a card must come from the stock, as there is no pile yet."""
        return not self.now.pile and not self.now.has_drawn

    def allowed(self) -> Sequence[str]:
        """KO4, KO5, KO7, KO8."""
        now = self.now
        if now.shown[now.turn]:
            return (STOCK,)
        if not now.has_drawn:
            return (STOCK, PILE) if now.pile else (STOCK,)
        hand, found = now.hands[now.turn], list[str]()
        ranks = Counter([card[0] for card in hand])
        # The discard and the pair can put right two ranks; for more no discard leaves checki.
        may_declare = sum(count % _THREE > 0 for count in ranks.values()) <= 2
        for card in dict.fromkeys(hand):
            if card == now.taken:
                continue
            found.append(card)
            if not may_declare:
                continue
            rest = without(hand, (card,)) or ()
            pairs = [kind for kind, count in Counter(rest).items() if count > 1]
            found += [card + DECLARES + kind for kind in pairs if is_checki(rest, kind)]
        return found

    def refusal(self, token: str) -> ActionError:
        """KO13."""
        now = self.now
        card, mark, pair = token.partition(DECLARES)
        is_discard = card in KINDS and (not mark or pair in KINDS)
        if token not in {STOCK, PILE} and not is_discard:
            return not_held(token) if is_card(token) else unknown_action(token)
        if now.shown[now.turn]:
            template = gettext_noop("Your hand is closed: turn the top card of the stock.")
            return ActionError("closed", template, given=token)
        if is_discard != now.has_drawn:
            discard, draw = gettext_noop("First discard a card."), gettext_noop("First draw a card.")
            return wrong_phase(token, discard if now.has_drawn else draw)
        if token == PILE:
            return ActionError("no-pile", gettext_noop("There’s no card on the pile yet."), given=token)
        hand = now.hands[now.turn]
        if card not in hand:
            return not_held(token)
        if card == now.taken:
            template = gettext_noop("You’ve just taken that card: discard another one.")
            return ActionError("just-taken", template, given=token)
        template = gettext_noop("That isn’t checki: a pair and two threes of a rank must be left.")
        return ActionError("not-checki", template, given=token)

    def step(self, token: str) -> Now:
        """KO4 to KO10."""
        now, turn = self.now, self.now.turn
        if token == PILE:
            card = now.pile[-1]
            taken = "" if card in now.hands[turn] else card
            now = now._replace(pile=now.pile[:-1], taken=taken, has_drawn=True)
            return self._gets(now, card, is_seen=True)._replace(without_stock=now.without_stock + 1)
        if token == STOCK:
            return self._from_stock(now._replace(drawn=now.drawn + 1, without_stock=0))
        card, _mark, pair = token.partition(DECLARES)
        hand = without(now.hands[turn], (card,)) or ()
        known = without(now.known[turn], (card,))
        now = now._replace(
            hands=_put(now.hands, turn, hand),
            known=now.known if known is None else _put(now.known, turn, known),
            pile=(*now.pile, card),
        )
        if pair:
            now = now._replace(shown=(*now.shown[:turn], pair, *now.shown[turn + 1 :]))
        return self._claimed(now, card) or self._next_turn(now)

    def _from_stock(self, now: Now) -> Now:
        """KO8, KO9."""
        turn, card = now.turn, self.setting.stock[now.drawn - 1]
        if now.shown[turn] == card:
            return now._replace(ended=WON, winner=turn, by=DRAW)
        claimed = self._claimed(now, card)
        if claimed is not None:
            return claimed
        if now.shown[turn]:
            return self._next_turn(now._replace(pile=(*now.pile, card)))
        is_seen = any(now.shown)
        return self._gets(now._replace(has_drawn=True), card, is_seen=is_seen)

    @staticmethod
    def _gets(now: Now, card: str, *, is_seen: bool) -> Now:
        turn = now.turn
        hands = _put(now.hands, turn, in_order((*now.hands[turn], card)))
        known = _put(now.known, turn, in_order((*now.known[turn], card))) if is_seen else now.known
        return now._replace(hands=hands, known=known)

    @staticmethod
    def _claimed(now: Now, card: str) -> Now | None:
        """KO9: another player's shown pair of this kind wins."""
        for place, kind in enumerate(now.shown):
            if kind == card and place != now.turn:
                return now._replace(ended=WON, winner=place, by=CLAIM, given_by=now.turn)
        return None

    def _next_turn(self, now: Now) -> Now:
        """KO10."""
        players = len(now.hands)
        ended = ""
        if now.drawn == len(self.setting.stock):
            ended = OUT_OF_STOCK
        elif now.without_stock == 2 * players:
            ended = STALEMATE
        left = (now.turn + 1) % players
        return now._replace(turn=left, has_drawn=False, taken="", turns=now.turns + 1, ended=ended)

    def result(self) -> Points:
        """KO11."""
        now = self.now
        detail: dict[str, Json] = {
            "ended": now.ended,
            "winner": str(now.winner + 1) if now.winner >= 0 else None,
            "by": now.by or None,
            "shown": {str(place + 1): kind for place, kind in enumerate(now.shown) if kind},
            "stock": self.stock_left,
        }
        return Points({str(place + 1): int(place == now.winner) for place in range(len(now.hands))}, detail)


def _put(
    hands: tuple[tuple[str, ...], ...], place: int, hand: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*hands[:place], hand, *hands[place + 1 :])
