"""What the page of the rules draws: what is worth points, and a deal that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.play_or_pay.game import PLAY_OR_PAY
from engine.play_or_pay.play import PAY
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line

# Anna dealt; four play. Whatever the page says of the deal, the engine works out.
PLAYERS, DEALER = 4, "1"
DEAL = (
    "- - - - | 2sTc9dTsQs4cAc5h8h7s7dKh3d2cKd5s7hAs6c8s8dTd5c2d6d3c5dTh3h6h"
    "Js2h7c9c6s9sKcQhAd4d4s8cJdKsJhQdAh4hJc9hQc3s"
)
TOKENS = (
    "8h 9h pay Th Jh Qh pay Kh pay pay Ah 2h 3h pay pay 4h pay pay pay 5h pay 6h pay pay 7h "
    "Qs pay pay Ks pay As pay pay 2s pay pay 3s 4s pay pay 5s pay pay 6s pay pay 7s pay 8s pay pay pay 9s pay pay pay "
    "Ts pay pay Js Ad 2d 3d pay pay 4d"
)


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What a deal costs, and what it gives."""
    return [
        ((), _("Each point you paid"), "−1"),
        ((), _("Each card you have left"), "−1"),
        ((), _("You’re out first"), _("all that the others lose")),
    ]


def content() -> dict[str, Any]:
    """The order of the cards, the example's hands, its sequences, and what each player made."""
    state = PLAY_OR_PAY.start(DEAL, DEALER, {}, PLAYERS)
    dealt = [*zip(NAMES.values(), state.setting.hands, strict=True)]
    sequences: list[Line] = []
    for token in TOKENS.split():
        if not state.now.last:
            sequences.append(Line(NAMES[str(state.turn)]))
        if token != PAY:
            sequences[-1].cards += in_twos(token)
        state = state.apply(token)
    now, total = state.now, state.score().total
    return {
        "values": worth(),
        "order": ["Jh", "Qh", "Kh", "Ah", "2h", "3h"],
        "dealt": dealt,
        "sequences": sequences,
        "made": [
            (name, now.paid[place], len(now.hands[place]), total[seat])
            for place, (seat, name) in enumerate(NAMES.items())
        ],
    }
