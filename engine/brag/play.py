"""A deal of Brag: fours and pairs that are seen at once, the hands that are laid, and the pot (BN3 to BN12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.brag.hands import PACK, SIZE, Variant, four_of, has_pairs, laid, strength, token_of, tokens
from engine.errors import ActionError, CardError
from engine.game.individuals import PlayedDeal, unknown_action
from engine.game.values import Json, Points
from engine.packs import JOKER, Dealt, in_order, read_cards, read_deal
from engine.text import gettext_noop

#: How a deal ends.
WON, STAYS, FOUR_OF_A_KIND, FOUR_PAIRS = "won", "stays", "four-of-a-kind", "four-pairs"
#: BN11: with so many hands of three a player takes the pot.
ENOUGH: Final = 2
HANDS_OF_NINE: Final = 3


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with; ``pot`` was there before the antes."""

    hands: tuple[tuple[str, ...], ...]
    dealer: int
    variant: Variant
    ante: int
    pot: int

    @property
    def fours(self) -> tuple[int, ...]:
        """BN5: how high each seat's four of a kind is."""
        return tuple(four_of(hand, self.variant.order) for hand in self.hands)

    @property
    def pairs(self) -> tuple[bool, ...]:
        """BN6: who holds four pairs."""
        return tuple(has_pairs(hand, self.variant.pairs) for hand in self.hands)

    @property
    def staked(self) -> int:
        """BN3: what the pot holds in this deal."""
        return self.pot + self.ante * len(self.hands)


class Now(NamedTuple):
    """The hands laid so far, in the order of the turn; ``is_dead``: nobody lays (BN5, BN6)."""

    laid: tuple[tuple[tuple[str, ...], ...], ...] = ()
    is_dead: bool = False


def read(text: str, players: int, variant: Variant) -> Dealt:
    """BN4: a hand for each seat, nothing else. Raises DealError."""
    hands = text.partition(" | ")[0]
    held = [card for card in PACK if card in hands]
    return read_deal(text, held, (variant.cards,) * players)


def begun(setting: Setting) -> State:
    """BN5, BN6: the deal may be over before anybody has laid."""
    return State(setting, (), Now(is_dead=any(setting.fours) or any(setting.pairs)))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """BN15: from the dealer's left each lays once."""
        players, done = len(self.setting.hands), len(self.now.laid)
        return None if self.now.is_dead or done == players else (self.setting.dealer + 1 + done) % players

    @property
    def laid_by(self) -> dict[int, tuple[tuple[str, ...], ...]]:
        """The hands of each place that has laid."""
        players = len(self.setting.hands)
        return {(self.setting.dealer + 1 + at) % players: hands for at, hands in enumerate(self.now.laid)}

    def allowed(self) -> Sequence[str]:
        """BN7, BN15: every way to lay the cards."""
        return () if self.place is None else tokens(self.setting.hands[self.place], self.setting.variant)

    def allows(self, token: str) -> bool:
        """BN7, BN15: hands of cards that the player holds, each of them once, as they lie."""
        place, variant = self.place, self.setting.variant
        if place is None:
            return False
        try:
            hands = _written(token)
        except CardError:
            return False
        cards = {card for hand in hands for card in hand}
        is_own = cards.issubset(self.setting.hands[place]) and len(cards) == SIZE * variant.hands
        return is_own and self._are_hands(hands) and laid(hands, variant.order) == hands

    def spelled(self, token: str) -> str:
        """BN15: any order; hands that are not told apart have three cards each."""
        try:
            hands = _hands(token)
        except CardError:
            return token
        return token_of(laid(hands, self.setting.variant.order)) if self._are_hands(hands) else token

    def _are_hands(self, hands: Sequence[Sequence[str]]) -> bool:
        return len(hands) == self.setting.variant.hands and all(len(hand) == SIZE for hand in hands)

    def refusal(self, token: str) -> ActionError:
        """BN15."""
        try:
            hands = _hands(token)
        except CardError:
            return unknown_action(token)
        if not token:
            return unknown_action(token)
        if not self._are_hands(hands):
            template = gettext_noop("Lay %(hands)d hands of three cards each.")
            hands_of = self.setting.variant.hands
            return ActionError("three-of-three", template, given=token, hands=hands_of)
        template = gettext_noop("Lay your own cards, each of them once.")
        return ActionError("not-your-nine", template, given=token)

    def step(self, token: str) -> Now:
        """BN7."""
        return self.now._replace(laid=(*self.now.laid, _written(token)))

    def result(self) -> Points:
        """BN5, BN6, BN10 to BN12."""
        setting, seats = self.setting, range(len(self.setting.hands))
        points, winner = dict.fromkeys(seats, 0), None
        if any(setting.fours):
            outcome, winner = FOUR_OF_A_KIND, setting.fours.index(max(setting.fours))
        elif any(setting.pairs):
            outcome = FOUR_PAIRS
        else:
            points, winner = compared([self.laid_by[place] for place in seats], setting.variant)
            outcome = STAYS if winner is None else WON
        total = {str(place + 1): -setting.ante + setting.staked * (place == winner) for place in seats}
        detail: dict[str, Json] = {
            "outcome": outcome,
            "winner": None if winner is None else str(winner + 1),
            "points": {str(place + 1): points[place] for place in seats},
            "pot": setting.staked if winner is None else 0,
        }
        return Points(total, detail)


def compared(
    hands: Sequence[Sequence[tuple[str, ...]]], variant: Variant
) -> tuple[dict[int, int], int | None]:
    """BN10, BN11, BV5, BX5: the hands that each place wins outright, and who takes the pot."""
    points, level = dict.fromkeys(range(len(hands)), 0), dict.fromkeys(range(len(hands)), 0)
    for row in zip(*hands, strict=True):
        strengths = [strength(hand, variant.order) for hand in row]
        best = [place for place, each in enumerate(strengths) if each == max(strengths)]
        for place in best:
            level[place] += 1
            points[place] += len(best) == 1
    merit = points if variant.hands == HANDS_OF_NINE else level
    first = [place for place, count in merit.items() if count >= ENOUGH]
    return points, first[0] if len(first) == 1 else None


def _written(token: str) -> tuple[tuple[str, ...], ...]:
    """The hands of a token as the game writes it. Raises CardError."""
    return tuple([read_cards(part) for part in token.split("/")])


def _hands(token: str) -> tuple[tuple[str, ...], ...]:
    """The hands of a token in any order and spelling. Raises CardError."""
    text = token.replace(" ", "").replace("10", "T")
    if "/" not in text:
        cards = _cards(text)
        return tuple(in_order(cards[at : at + SIZE]) for at in range(0, len(cards), SIZE))
    return tuple(in_order(_cards(part)) for part in text.split("/"))


def _cards(text: str) -> tuple[str, ...]:
    cards = read_cards("".join(each.upper() if at % 2 == 0 else each.lower() for at, each in enumerate(text)))
    if JOKER in cards:
        raise CardError("cards", gettext_noop("“%(given)s” isn’t a row of cards."), given=text)
    return cards
