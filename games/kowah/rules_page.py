"""What the page of the rules draws: hands that are checki, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.kowah.game import KOWAH
from engine.kowah.play import CLAIM, DECLARES, HAND, KINDS, PACK, PILE, STOCK, State
from engine.packs import Dealt, in_order, read_cards, without
from games.records.plain_form import in_twos
from games.templatetags.cards import card_name
from games.worked_deals import NAMES, Line

PLAYERS = 3
# Anna dealt. Whatever the page says of the deal, the engine works out; the stock goes on with any cards.
DEALER = "1"
HANDS = ("AsAs8s6s3s2s5hQc", "5s9h8h2h9d6dKcQc", "7s2s8h8d8d7d6d6d")
TOP = "7h4d5h2h"
TOKENS = "stock 5s stock 2s pile 8s pile 7h pile 4d!6d stock 6s stock 6d"
#: Each with the pair that may be shown.
CHECKI = (("5s5h5d7h7s7dAdAd", "Ad"), ("5s5h5d7s7s7d7d7h", "7s"))


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points."""
    return [((), _("the third card of your pair"), 1), ((), _("for all others"), 0)]


def content() -> dict[str, Any]:
    """The kinds, hands that are checki, the example's cards, its turns, and who won."""
    hands = tuple(in_order(read_cards(hand)) for hand in HANDS)
    stock = read_cards(TOP)
    rest = without(PACK, [*stock, *(card for hand in hands for card in hand)]) or ()
    deal = str(Dealt(hands, (*stock, *rest)))
    state = KOWAH.start(deal, DEALER, KOWAH.read_options({}), PLAYERS)
    turns: list[Line] = []
    for token in TOKENS.split():
        _add(turns, state, token)
        state = state.apply(token)
    now = state.now
    return {
        "values": worth(),
        "kinds": KINDS,
        "checki": [(in_twos(cards), card_name(pair)) for cards, pair in CHECKI],
        "dealt": [*zip(NAMES.values(), hands, strict=False)],
        "turns": turns,
        "winner": NAMES[str(now.winner + 1)],
        "giver": NAMES[str(now.given_by + 1)] if now.by == CLAIM else "",
        "hand": now.hands[now.winner],
        "size": HAND,
    }


def _add(turns: list[Line], state: State, token: str) -> None:
    """What was drawn begins a line; the discard ends it."""
    now = state.now
    if token in {STOCK, PILE}:
        card = now.pile[-1] if token == PILE else state.setting.stock[now.drawn]
        words = _("from the pile, discards") if token == PILE else _("from the stock, discards")
        turns.append(Line(NAMES[str(state.turn)], [card], words))
        return
    card, _mark, pair = token.partition(DECLARES)
    turns[-1].drawn = (card,)
    if pair:
        turns.append(Line(turns[-1].who, [pair, pair], _("is the pair shown: checki")))
