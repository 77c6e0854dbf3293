"""What the page of the rules draws: what is worth points, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.stealing_bundles.game import STEALING_BUNDLES
from engine.stealing_bundles.play import HAND, SEATS, State
from games.worked_deals import NAMES, Line

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = (
    "Ts9hKd7c As9s7h2c | "
    "7s7dKc2h4sQs9cAh8cJd5hQh8d9d5c6hAd6c3s4d6sTd2sAcTc8hJs4hQdKh6d4c3c5sKs2d3d3hQc5dJhJcTh8s"
)
TOKENS = (
    "7h 7c 2c Kd As Ts 9s 9h 9c Ah 4s Qs 5h Qh 8c Jd 8d 4d 5c 9d Ad 6h 3s 6c 6s Ac Js Td Tc 8h 2s 4h 3c 4c 6d 2d Qd 5s "
    "Ks Kh Qc 8s Th 5d Jh Jc 3d 3h"
)
#: So many cards are shown one by one: two rounds.
SHOWN = 4 * HAND


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points."""
    return [((), _("Each card of your bundle"), 1)]


def content() -> dict[str, Any]:
    """The example's cards, the first two rounds, and what each has in the end."""
    state = STEALING_BUNDLES.start(DEAL, DEALER, STEALING_BUNDLES.read_options({}))
    board, done = state.now.board, list[Line]()
    for token in TOKENS.split():
        after = state.apply(token)
        if len(done) < SHOWN:
            done.append(Line(NAMES[str(state.turn)], [token], _words(state, after)))
        state = after
    score = state.score()
    return {
        "values": worth(),
        "dealt": [(NAMES[seat], cards) for seat, cards in STEALING_BUNDLES.boards.hands(DEAL).items()],
        "board": board,
        "done": done,
        "last": NAMES[str(score.detail["last"])],
        "left_over": score.detail["left_over"],
        "made": [(NAMES[seat], score.total[seat]) for seat in SEATS],
    }


def _words(before: State, after: State) -> str:
    """What a card did."""
    place = before.now.turn
    if after.now.steals > before.now.steals:
        return _("steals the bundle, and has %(count)d cards") % {"count": len(after.now.bundles[place])}
    taken = len(before.now.board) - len(after.now.board)
    if taken < 0:
        return _("stays on the table")
    return ngettext("captures %(count)d card", "captures %(count)d cards", taken) % {"count": taken}
