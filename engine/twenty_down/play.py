"""A deal of Twenty Down being played: trump on two cards, the draw, who is in, five tricks (TD2 to TD11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from engine.card_bits import CardBits
from engine.errors import ActionError, CardError, DealError
from engine.game.individuals import PlayedDeal, not_held, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import SUITS, cards_text, in_order, is_card, read_cards
from engine.states import kept, made
from engine.text import gettext_noop

CARDS: Final = CardBits("789TJQKA")
PLAYERS: Final = 4
FIRST, SECOND = 2, 3
TRICKS: Final = FIRST + SECOND
#: TD4.
MOST_DISCARDED: Final = 3
#: TD17.
KEEP, DISCARD, IN, OUT = "-", "x", "i", "o"
HEARTS, DIAMONDS = "h", "d"
#: TD10, TD11: for no trick in the play; for being alone.
NO_TRICK, ALONE = 5, -5
_IN_ONE_ROW: Final = sorted(CARDS.cards)
_ORDERS: Final = tuple(
    tuple((dealer + step) % PLAYERS for step in range(1, PLAYERS + 1)) for dealer in range(PLAYERS)
)
#: TD4: which cards of a hand, by their places, may be exchanged.
_EXCHANGED: Final = tuple(
    places for size in range(MOST_DISCARDED + 1) for places in combinations(range(TRICKS), size)
)
TRUMP, DRAW, DECLARE, PLAY, OVER = "trump", "draw", "declare", "play", "over"
_TO_DO: Final = {
    TRUMP: gettext_noop("First name trumps."),
    DRAW: gettext_noop("First exchange cards, or keep all five."),
    DECLARE: gettext_noop("First say whether you’re in or out."),
    PLAY: gettext_noop("Play a card."),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with: two cards each and three more, as they are written, and the stock."""

    first: tuple[tuple[str, ...], ...]
    second: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    dealer: int
    late: bool

    @property
    def order(self) -> tuple[int, ...]:
        """TD4: from eldest on."""
        return _ORDERS[self.dealer]

    def __str__(self) -> str:
        """TD2."""
        hands = " ".join(
            [f"{''.join(one)}+{''.join(two)}" for one, two in zip(self.first, self.second, strict=True)]
        )
        return f"{hands} | {''.join(self.stock)}"


class Now(NamedTuple):
    """How a deal stands; ``acted`` have drawn or said whether they are in, in this phase."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    turn: int
    phase: str = TRUMP
    trump: str = ""
    acted: int = 0
    playing: tuple[int, ...] = ()
    trick: tuple[tuple[int, str], ...] = ()
    won: tuple[int, ...] = ()


def read(text: str, dealer: int, *, late: bool) -> Setting:
    """TD2. Raises DealError."""
    written, _bar, rest = text.partition(" | ")
    try:
        parts = [[in_order(read_cards(part)) for part in hand.split("+")] for hand in written.split(" ")]
        stock = read_cards(rest)
    except CardError as error:
        raise DealError(error.code, error.message.template, given=error.given) from None
    cards = [card for hand in parts for part in hand for card in part]
    sizes = [[len(part) for part in hand] for hand in parts]
    if sizes != [[FIRST, SECOND]] * PLAYERS or sorted([*cards, *stock]) != _IN_ONE_ROW:
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    first, second = (tuple(hand[number] for hand in parts) for number in (0, 1))
    return Setting(first, second, stock, dealer, late)


def begun(setting: Setting) -> State:
    """TD3, TD13: eldest names trump; in a late deal hearts are."""
    eldest = setting.order[0]
    if not setting.late:
        return State(setting, (), Now(setting.first, setting.stock, eldest))
    return State(setting, (), Now(_whole(setting), setting.stock, eldest, DRAW, HEARTS))


def _whole(setting: Setting) -> tuple[tuple[str, ...], ...]:
    return tuple(in_order((*one, *two)) for one, two in zip(setting.first, setting.second, strict=True))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """TD3 to TD7."""
        return None if self.now.phase == OVER else self.now.turn

    @property
    def is_over(self) -> bool:
        """TD9: after the last trick, or where eldest is alone."""
        return self.now.phase == OVER

    @kept
    def playable(self) -> tuple[str, ...]:
        """TD8."""
        now = self.now
        hand = now.hands[now.turn]
        if not now.trick:
            return hand
        led = now.trick[0][1][1]
        follow = tuple([card for card in hand if card[1] == led])
        return follow or tuple([card for card in hand if card[1] == now.trump]) or hand

    def legal(self) -> tuple[str, ...]:
        """TD8: cards are found at once."""
        return self.playable if self.now.phase == PLAY else super().legal()

    def allowed(self) -> Sequence[str]:
        """TD3, TD4, TD5."""
        phase = self.now.phase
        if phase == TRUMP:
            return tuple(SUITS)
        return (IN, OUT) if phase == DECLARE else tuple(map(self._exchange, _EXCHANGED))

    def _exchange(self, places: Sequence[int]) -> str:
        """TD4: to exchange these cards of the hand, or none."""
        hand = self.now.hands[self.now.turn]
        return DISCARD + "".join([hand[place] for place in places]) if places else KEEP

    def at(self, chance: float) -> str:
        """The action at this share of those that are allowed; exchanges are not listed."""
        if self.now.phase == DRAW:
            return self._exchange(_EXCHANGED[int(chance * len(_EXCHANGED))])
        legal = self.legal()
        return legal[int(chance * len(legal))]

    def allows(self, token: str) -> bool:
        """TD4: of an exchange without listing all."""
        if self.now.phase != DRAW:
            return token in self.legal()
        if token[:1] != DISCARD:
            return token == KEEP
        hand, cards = self.now.hands[self.now.turn], [token[at : at + 2] for at in range(1, len(token), 2)]
        return 0 < len(cards) <= MOST_DISCARDED and cards == [card for card in hand if card in cards]

    def spelled(self, token: str) -> str:
        """TD17."""
        try:
            return DISCARD + cards_text(read_cards(token[1:])) if token[:1] == DISCARD else token
        except CardError:
            return token

    def refusal(self, token: str) -> ActionError:
        """TD17."""
        now, hand = self.now, self.now.hands[self.now.turn]
        if token[:1] == DISCARD:
            return self._discard_refusal(token)
        if token not in {*SUITS, KEEP, IN, OUT, *CARDS.cards}:
            return not_held(token) if is_card(token) else unknown_action(token)
        if now.phase != PLAY or token not in CARDS.number:
            return wrong_phase(token, _TO_DO[now.phase])
        if token not in hand:
            return not_held(token)
        if self.playable[0][1] == now.trick[0][1][1]:
            template = gettext_noop("You must follow suit: you have the suit that was led.")
            return ActionError("follow-suit", template, given=token)
        template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
        return ActionError("must-trump", template, given=token)

    def _discard_refusal(self, token: str) -> ActionError:
        try:
            cards = read_cards(token[1:])
        except CardError:
            return unknown_action(token)
        if not cards:
            return unknown_action(token)
        if self.now.phase != DRAW:
            return wrong_phase(token, _TO_DO[self.now.phase])
        if len(cards) > MOST_DISCARDED:
            template = gettext_noop("Exchange three cards at most.")
            return ActionError("discard-three", template, given=token)
        return not_held(token)

    def step(self, token: str) -> Now:
        """TD3 to TD9."""
        now, order = self.now, self.setting.order
        if now.phase == PLAY:
            return self._played(token)
        if now.phase == DRAW:
            return self._drawn(token)
        if now.phase == TRUMP:
            return now._replace(hands=_whole(self.setting), phase=DRAW, trump=token)
        playing = (*now.playing, now.turn) if token == IN else now.playing
        acted = now.acted + 1
        if acted < PLAYERS - 1:
            return now._replace(playing=playing, acted=acted, turn=order[acted + 1])
        alone = len(playing) == 1
        return now._replace(playing=playing, acted=0, turn=order[0], phase=OVER if alone else PLAY)

    def _drawn(self, token: str) -> Now:
        """TD4: then TD5, unless everybody is in."""
        (hands, stock, turn, phase, trump, acted, playing, *_play), order = self.now, self.setting.order
        if token != KEEP:
            given = read_cards(token[1:])
            left = [card for card in hands[turn] if card not in given]
            hands = _put(hands, turn, in_order((*left, *stock[: len(given)])))
            stock = stock[len(given) :]
        acted += 1
        if acted < PLAYERS:
            turn = order[acted]
        elif self.setting.late or trump == DIAMONDS:
            turn, phase, acted, playing = order[0], PLAY, 0, order
        else:
            turn, phase, acted, playing = order[1], DECLARE, 0, order[:1]
        return made(Now, (hands, stock, turn, phase, trump, acted, playing, (), ()))

    def _played(self, token: str) -> Now:
        hands, stock, turn, phase, trump, acted, playing, trick, won = self.now
        hands = _put(hands, turn, tuple([card for card in hands[turn] if card != token]))
        trick = (*trick, (turn, token))
        if len(trick) < len(playing):
            turn = playing[(playing.index(turn) + 1) % len(playing)]
        else:
            turn = winner_of(trick, trump)
            trick, won = (), (*won, turn)
            phase = OVER if len(won) == TRICKS else PLAY
        return made(Now, (hands, stock, turn, phase, trump, acted, playing, trick, won))

    def result(self) -> Points:
        """TD10, TD11."""
        now = self.now
        tricks = {str(place + 1): now.won.count(place) for place in range(PLAYERS)}
        playing = [str(place + 1) for place in sorted(now.playing)]
        detail: dict[str, Json] = {"trump": now.trump, "in": playing, "tricks": tricks}
        return Points(points_of(tricks, playing, now.trump, str(self.setting.order[0] + 1)), detail)


def winner_of(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """TD9."""
    beating, found = CARDS.beating[trump], trick[0]
    for each in trick[1:]:
        if beating[CARDS.number[found[1]]] >> CARDS.number[each[1]] & 1:
            found = each
    return found[0]


def points_of(tricks: dict[str, int], playing: Sequence[str], trump: str, eldest: str) -> dict[str, int]:
    """TD10, TD11."""
    factor = 2 if trump == HEARTS else 1
    if len(playing) == 1:
        return {seat: factor * ALONE if seat == eldest else 0 for seat in tricks}
    return {
        seat: factor * (-count if count else NO_TRICK) if seat in playing else 0
        for seat, count in tricks.items()
    }


def _put(
    hands: tuple[tuple[str, ...], ...], place: int, hand: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*hands[:place], hand, *hands[place + 1 :])
