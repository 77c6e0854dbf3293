"""What the page of the rules draws: what is worth points, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.ecarte.game import ECARTE
from engine.ecarte.play import CARDS, DISCARD, SEATS, State
from games.worked_deals import NAMES, Line
from league.web.wording import in_words

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "ThKd8dTc7c Jh9hKc9c8c | AcAs7dJc7sKsQdJsQsAhKhTdQcJd9dAd8s7hTs8hQh9s"
TOKENS = "propose accept xJh9h xTh8d propose refuse king Kc 7c As 7s 7d Kd Jc 8c Tc 9c"


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What is worth points: cards that show it, its name, and the points."""
    return [
        (("Kh",), _("King turned up: for the dealer"), "1"),
        (("Kh",), _("King of trumps shown"), "1"),
        ((), _("The point: three or four tricks"), "1"),
        ((), _("The vole: all five tricks"), "2"),
        ((), _("The loser of the tricks was vulnerable"), "+1"),
    ]


def content() -> dict[str, Any]:
    """The ranks, the example's cards, what was said and exchanged, its tricks and its score."""
    state = ECARTE.start(DEAL, DEALER, ECARTE.read_options({}))
    said, tricks = list[Line](), list[Line]()
    for token in TOKENS.split():
        turn, before = SEATS.index(str(state.turn)), state
        state = state.apply(token)
        words = ECARTE.call_in_words(token)
        if words is not None:
            drawn = CARDS.cards_in(state.now.hands[turn] & ~before.now.hands[turn])
            given = [token[at : at + 2] for at in range(1, len(token), 2)] if token[0] == DISCARD else []
            said.append(Line(NAMES[SEATS[turn]], given, in_words(words), drawn))
        elif before.now.led < 0:
            tricks.append(Line(NAMES[SEATS[turn]], [token]))
        else:
            tricks[-1].cards.append(token)
            tricks[-1].words = _taker(state)
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in ECARTE.ranks],
        "dealt": [(NAMES[seat], cards) for seat, cards in ECARTE.boards.hands(DEAL).items()],
        "up": state.setting.up,
        "said": said,
        "tricks": tricks,
        "marks": [(NAMES[SEATS[seat]], points) for seat, points in enumerate(state.made)],
        "won": [state.now.won.count(seat) for seat in range(len(SEATS))],
    }


def _taker(state: State) -> str:
    return _("%(seat)s takes it") % {"seat": NAMES[SEATS[state.now.won[-1]]]}
