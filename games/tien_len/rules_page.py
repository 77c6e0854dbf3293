"""What the page of the rules draws: combinations, what is worth points, and a deal that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.tien_len.combinations import DOUBLE_SEQUENCE, FOUR, PAIR, SEQUENCE, SINGLE, TRIPLET
from engine.tien_len.game import TIEN_LEN
from engine.tien_len.play import KIND_NAMES, PASS
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line

PLAYERS = 4
# Anna dealt. Whatever the page says of the deal, the engine works out, with the rules that clubs begin with.
DEALER = "1"
DEAL = (
    "2sAhKhTh7h2hTd7d6dTc5c4c2c Qs5s4sJh8h6hAdQdJd2dKc7c6c "
    "As9s8s7s9h4h3hKd9d8dQc9c3c KsJsTs6s3sQh5h5d4d3dAcJc8c"
)
TOKENS = (
    "3s4d5d6s 4c5c6d7d 5s6c7c8h - TsJsQhKs - JdQsKcAd - 4s 4h 5h 7h Jh Qc Ac Ah 2d 9s9c9d9h - - - 3c3h - "
    "TcTd - - Th Qd Kd - Kh - As 2s - 2c2h - - - 6h 7s 8c 8d Jc - 3d"
)
KINDS = {
    SINGLE: "9h",
    PAIR: "JcJh",
    TRIPLET: "5s5d5h",
    FOUR: "8s8c8d8h",
    SEQUENCE: "9s Tc Jc Qh",
    DOUBLE_SEQUENCE: "4s4d5c5h6s6h",
}


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What each place is worth among four players."""
    return [
        ((), _("First out"), "3"),
        ((), _("Second out"), "2"),
        ((), _("Third out"), "1"),
        ((), _("Last, with cards left"), "0"),
    ]


def content() -> dict[str, Any]:
    """The ranks, the combinations, the example's cards, its tricks and the order of going out."""
    state = TIEN_LEN.start(DEAL, DEALER, TIEN_LEN.read_options(TIEN_LEN.preset), PLAYERS)
    tricks: list[list[Line]] = []
    for token in TOKENS.split():
        if not state.now.standing:
            tricks.append([])
        if token != PASS:
            tricks[-1].append(Line(NAMES[str(state.turn)], in_twos(token)))
        state = state.apply(token)
    hands = (in_twos(hand) for hand in DEAL.split())
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in TIEN_LEN.ranks],
        "suits": ["3h", "3d", "3c", "3s"],
        "kinds": [(in_twos(cards.replace(" ", "")), _(KIND_NAMES[kind])) for kind, cards in KINDS.items()],
        "dealt": [*zip(NAMES.values(), hands, strict=True)],
        "tricks": tricks,
        "order": [NAMES[str(place + 1)] for place in state.order],
    }
