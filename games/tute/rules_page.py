"""What the page of the rules draws: the worth of the cards, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.packs import is_card
from engine.tute.cards import STRENGTH, WORTH
from engine.tute.game import TUTE_FOR_FOUR
from engine.tute.play import LAST_TRICK, MOST, SEATS, State, read
from games.templatetags.cards import SEATS as SEAT_WORDS
from league.web.wording import in_words

# East dealt. Whatever the page says of the deal, the engine works out.
DEALER = "E"
DEAL = "Ks6h5h3hJd7d5dJc6c3c Qs7s3s7h2h2dAc7c5c4c As6s4sAhKhQhJhKdQd3d Js5s2s4hAd6d4dKcQc2c | 7h"
TOKENS = (
    "3c Qc Jh 7c 40 Ah 7h 6h 4h 20d 6s 3s Ks Js Qs 3h 5s As 7d Ad Qd 2d 2s 4s 7s 5h 5d 6d Kd "
    "2h 4c Jc Kc Qh 3d Ac Jd 4d Kh 5c 6c 2c"
)


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points: cards that show it, its name, and the points."""
    return [
        *(((rank + "h",), "", points) for rank, points in WORTH.items()),
        (("Kh", "Qh"), _("Las cuarenta: king and queen of trumps"), 40),
        (("Kc", "Qc"), _("Las veinte: king and queen of another suit"), 20),
        ((), _("The last trick"), LAST_TRICK),
        (("Ks", "Kh", "Kd", "Kc"), _("Tute: all four kings, which ends the deal at once"), MOST),
    ]


def content() -> dict[str, Any]:
    """The ranks with their worth, the example's cards, its tricks with what was declared after each, and its score."""
    _dealt, up = read(DEAL)
    state = TUTE_FOR_FOUR.start(DEAL, DEALER, TUTE_FOR_FOUR.read_options({}))
    tricks: list[dict[str, Any]] = []
    for token in TOKENS.split():
        if is_card(token) and not state.now.trick:
            tricks.append({"leader": _seat(state), "cards": [], "said": "", "by": ""})
        if is_card(token):
            tricks[-1]["cards"].append(token)
        else:
            words = TUTE_FOR_FOUR.call_in_words(token)
            tricks[-1]["said"] = "" if words is None else in_words(words)
        state = state.apply(token)
        if is_card(token) and not state.now.trick:
            tricks[-1]["by"] = str(SEAT_WORDS[SEATS[state.now.won[-1]]][1])
    score = state.score()
    cards = score.detail["cards"]
    return {
        "values": worth(),
        "order": TUTE_FOR_FOUR.ranks,
        "ranks": [rank + "h" for rank in reversed(STRENGTH)],
        "dealt": dict(TUTE_FOR_FOUR.boards.hands(DEAL)),
        "dealer": DEALER,
        "up": up,
        "tricks": tricks,
        "cards": cards,
        "total": score.total,
        "title": _("The cards of the example"),
    }


def _seat(state: State) -> str:
    return str(SEAT_WORDS[str(state.turn)][1])
