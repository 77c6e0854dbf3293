"""What the page of the rules draws: melds, what is worth points, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.conquian.game import CONQUIAN
from engine.conquian.melds import CARDS, grouping
from engine.conquian.play import LAY, PASS, SEATS, State
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line
from league.web.wording import in_words

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "KsJs7sQh5h6dAcJc6c2c 4s2sKhJh7h6hAdQdJd5d | 3s2dQc6s2h5cKd7d3c4hKc4cQs3d7cAsAh3h5s4d"
TOKENS = "+4s2s Ad pass pass pass pass pass +Js7s Qh +KhJh7h6h 5d pass pass pass pass pass pass +QdJd"


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points."""
    return [
        ((), _("Eleven cards down"), 1),
        ((), _("The stock is used up, and nobody has won"), 0),
    ]


def content() -> dict[str, Any]:
    """The ranks, a set and a run, the example's cards, what was done, and the winner's melds."""
    state = CONQUIAN.start(DEAL, DEALER, CONQUIAN.read_options({}))
    done: list[Line] = []
    for token in TOKENS.split():
        _add(done, state, token)
        state = state.apply(token)
    winner = state.now.winner
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in reversed(CONQUIAN.ranks)],
        "a_set": ("7c", "7d", "7s"),
        "a_run": ("6h", "7h", "Jh", "Qh"),
        "dealt": [(NAMES[seat], cards) for seat, cards in CONQUIAN.boards.hands(DEAL).items()],
        "done": done,
        "winner": NAMES[SEATS[winner]],
        "melds": [CARDS.cards_in(CARDS.bits_of(in_twos(meld))) for meld in grouping(state.now.down[winner])],
    }


def _add(done: list[Line], state: State, token: str) -> None:
    """A line with the open card, or the one that is discarded; both players' passing stands in one."""
    who, now = NAMES[str(state.turn)], state.now
    if now.open < 0:
        done.append(Line(who, [token], _("discards")))
        return
    said = CONQUIAN.call_in_words(token)
    shown, words = [CARDS.cards[now.open]], "" if said is None else in_words(said)
    if token == PASS and done and done[-1].cards == shown and done[-1].words == words:
        done[-1].words = _("both pass")
        return
    laid = tuple(in_twos(token[1:])) if token[0] == LAY else ()
    done.append(Line(who, shown, words, laid))
