"""What the page of the rules draws: what is worth points, melds, and a deal that the engine has played and scored."""

import random
from typing import Any

from django.utils.translation import gettext as _

from engine.burraco.cards import VALUE
from engine.burraco.game import BURRACO
from engine.burraco.melds import Meld, extended, meld_of
from engine.burraco.play import (
    CLEAN,
    CLOSING,
    DIRTY,
    NO_POZZETTO,
    SEATS,
    SIDE_KEYS,
    TAKE,
    State,
    lines_of,
)
from engine.packs import read_cards
from games.templatetags.cards import SEATS as SEAT_WORDS

# North dealt; whatever the page says of the deal, the engine works out. The novices play it.
DEALER = "N"
SEED = 31
#: Each meld and the card that is then added to it.
GROWING = (("Jk7s8s", "Ts"), ("7s8sJkTs", "9s"), ("2h3h4h", "6h"), ("2h3h4h", "Jk"), ("KsKh2d", "Kc"))


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points: cards that show it, its name, and the points."""
    return [
        (("Jk",), "", VALUE["Jk"]),
        (("2h",), "", VALUE["2h"]),
        (("Ah",), "", VALUE["Ah"]),
        (("Kh", "Qh", "Jh", "Th", "9h", "8h"), _("each"), VALUE["Kh"]),
        (("7h", "6h", "5h", "4h", "3h"), _("each"), VALUE["7h"]),
        ((), _("A clean burraco: seven cards or more without a wild card"), CLEAN),
        ((), _("A dirty burraco: seven cards or more with a wild card"), DIRTY),
        ((), _("Closing the deal"), CLOSING),
        ((), _("No pozzetto taken"), NO_POZZETTO),
    ]


def content() -> dict[str, Any]:
    """Melds and how they grow, the example's cards, its turns and its score."""
    deal = BURRACO.deal(random.Random(SEED), DEALER, {})  # noqa: S311 - always the same one
    state = BURRACO.start(deal, DEALER, {})
    turns: list[dict[str, Any]] = []
    while state.turn is not None:
        token = BURRACO.robots[0].token(BURRACO.view(state, state.turn))
        if not state.now.has_drawn:
            turns.append(_begun(state, token))
        elif len(token) == 2:
            turns[-1]["discard"] = token
        elif ">" in token:
            turns[-1]["laid"].append(_grown(state, token))
        else:
            turns[-1]["laid"].append({"cards": read_cards(token), "is_added": False})
        state = state.apply(token)
    score = state.score()
    return {
        "values": worth(),
        "set": ("7s", "7h", "7d"),
        "run": ("9h", "Th", "Jh", "Qh"),
        "growing": [_growing(text, card) for text, card in GROWING],
        "dealt": [(str(SEAT_WORDS[seat][1]), cards) for seat, cards in BURRACO.boards.hands(deal).items()],
        "turns": turns,
        "closer": str(SEAT_WORDS[str(score.detail["closed_by"])][1]),
        "lines": [_line(state, side) for side in range(len(SIDE_KEYS))],
        "total": score.total,
    }


def _begun(state: State, token: str) -> dict[str, Any]:
    """A turn with how it begins."""
    pile = state.now.pile if token == TAKE else ()
    return {"seat": str(SEAT_WORDS[str(state.turn)][1]), "taken": pile, "laid": [], "discard": ""}


def _grown(state: State, token: str) -> dict[str, Any]:
    """The meld with a card added to it."""
    card, _mark, number = token.partition(">")
    grown = extended(state.now.melds[SEATS.index(str(state.turn)) % 2][int(number) - 1], card)
    return {"cards": grown.cards if grown else (), "is_added": True}


def _growing(text: str, card: str) -> dict[str, Any]:
    meld = meld_of(read_cards(text))
    grown = extended(meld, card) if isinstance(meld, Meld) else None
    return {"cards": read_cards(text), "card": card, "grown": grown.cards if grown else ()}


def _line(state: State, side: int) -> dict[str, Any]:
    """What made up the score of a side."""
    lines = lines_of(state, side)
    names = {
        "melded": _("cards melded"),
        "clean": _("clean burrachi"),
        "dirty": _("dirty burrachi"),
        "closing": _("closing"),
        "held": _("cards held"),
        "no pozzetto": _("no pozzetto"),
    }
    told = [(name, lines[key]) for key, name in names.items() if lines[key]]
    return {"side": str(BURRACO.title(SIDE_KEYS[side])), "lines": told, "total": sum(lines.values())}
