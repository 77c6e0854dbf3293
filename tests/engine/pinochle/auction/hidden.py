"""What a seat of Auction Pinochle cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from engine.errors import RuleError
from engine.packs import Dealt, in_order
from engine.pinochle.auction.game import AUCTION_PINOCHLE as GAME
from engine.pinochle.auction.melds import melded_cards
from engine.pinochle.auction.play import State

TRIES = 6


def shuffle_auction(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Cards that others hold and have not shown; the widow before it is turned; not what was buried."""
    setting, now = state.setting, state.now
    is_turned = now.phase in {"naming", "burying", "play", "over"}
    played = Counter(card for place, card in state.plays if place == now.bidder)
    shown = Counter(melded_cards(state.melds, now.trump)) - played if state.melds else Counter[str]()
    for _try in range(TRIES):
        hands, widow = [Counter(hand) for hand in setting.hands], list(setting.widow)
        free: list[Counter[str]] = []
        for place, hand in enumerate(hands):
            held = Counter(now.hands[place])
            if place == now.bidder and is_turned:
                held = held - shown - Counter(widow)
            free.append(Counter() if str(place + 1) == seat else held & hand)
        pool = [card for cards in free for card in cards.elements()]
        pool += [] if is_turned else widow
        rng.shuffle(pool)
        for place, cards in enumerate(free):
            hands[place] = hands[place] - cards + Counter(pool.pop() for _card in range(cards.total()))
        found = str(Dealt(tuple(in_order(hand.elements()) for hand in hands), tuple(pool or widow)))
        dealer, players = str(setting.dealer + 1), len(hands)
        try:
            twin = GAME.own(GAME.replay(found, dealer, GAME.read_options({}), state.history, players))
        except RuleError:
            continue
        assert isinstance(twin, State)
        same = (twin.turn, twin.melds, twin.now.phase, twin.now.outcome)
        if same == (state.turn, state.melds, now.phase, now.outcome) and not state.is_over:
            return found, state.history
    return text, state.history
