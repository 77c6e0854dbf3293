"""What the page of the rules draws: the worth of the cards, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.fuenfzehnern.game import FUENFZEHNERN
from engine.fuenfzehnern.play import ZWANGS
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line

WORTH = {"A": 5, "K": 4, "Q": 3, "J": 2, "T": 1}
PLAYERS = 3
# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "AsTs9sAhQhJh8hJd KsKh9h7hKdQdTd7d QsJs8s7sThAd9d8d"
TOKENS = "Qd! Ad Jd 8d 8h Kd Td 9d 9s 7d 7s Ts 7h Th Ah As Ks 8s Jh Kh Js 9h Qs Qh"


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What the cards are worth."""
    return [((rank + "h",), "", points) for rank, points in WORTH.items()]


def content() -> dict[str, Any]:
    """The ranks, the example's cards, its tricks with who took each, and its score."""
    state = FUENFZEHNERN.start(DEAL, DEALER, FUENFZEHNERN.read_options({}), PLAYERS)
    tricks: list[Line] = []
    for token in TOKENS.split():
        if not state.now.trick:
            tricks.append(Line(NAMES[str(state.turn)]))
            words = _("says “Zwang”; %(seat)s takes it") if token in ZWANGS else _("%(seat)s takes it")
        tricks[-1].cards.append(token[:2])
        state = state.apply(token)
        if not state.now.trick:
            tricks[-1].words = words % {"seat": NAMES[str(state.now.won[-1] + 1)]}
    hands = [*zip(NAMES.values(), (in_twos(hand) for hand in DEAL.split()), strict=False)]
    score = state.score()
    taken: Any = score.detail["taken"]
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in FUENFZEHNERN.ranks],
        "dealt": hands,
        "tricks": tricks,
        "made": [(NAMES[seat], points, score.total[seat]) for seat, points in taken.items()],
    }
