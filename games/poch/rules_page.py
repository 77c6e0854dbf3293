"""What the page of the rules draws: the places of the board, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from engine.poch.board import MARRIAGE, NAMES, PLACES, POCH, SEQUENCE
from engine.poch.game import POCH_FOR_MANY
from engine.poch.play import MATCH, OPENER, PLAY
from games.records.plain_form import in_twos
from games.worked_deals import NAMES as PLAYERS
from games.worked_deals import Line
from league.web.wording import in_words

# Anna dealt; the board was empty. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "AsKhAdTd8d QhThJd9dKc JsTs8s9c8c KsQsJhQcTc | 7s"
TOKENS = "- - +1 = f = = 8d 9d Td Jd Th Jh Qh Kh As Ad"
CARDS = {MARRIAGE: ("Ks", "Qs"), SEQUENCE: ("9s", "8s", "7s"), POCH: ()}


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What gets which place, and what the playing out is worth."""
    places = [
        (CARDS.get(place, (place + "s",)), capfirst(_(NAMES[place])), _("the points there"))
        for place in PLACES[:-1]
    ]
    return [
        *places,
        ((), _("Poch: the best set, or everybody else has dropped out"), _("the points there")),
        ((), _("Out first: for each card that the others hold"), "1"),
    ]


def content() -> dict[str, Any]:
    """The example's cards, what was paid and said, its sequences and its score."""
    start = POCH_FOR_MANY.start(DEAL, DEALER, POCH_FOR_MANY.read_options(POCH_FOR_MANY.preset), len(PLAYERS))
    state, said, sequences = start, list[Line](), list[list[Line]]()
    for token in TOKENS.split():
        who = PLAYERS[str(state.turn)]
        if state.now.phase != PLAY:
            words = _("shows") if state.now.phase == OPENER and token == MATCH else _words(token)
            said.append(Line(who, words=words))
        else:
            if not state.now.last:
                sequences.append([])
            sequences[-1].append(Line(who, [token]))
        state = state.apply(token)
    best = list(start.setting.best.items())
    return {
        "values": worth(),
        "dealt": [*zip(PLAYERS.values(), map(in_twos, DEAL.split()), strict=False)],
        "up": start.setting.up,
        "paid": [(capfirst(_(NAMES[place])), PLAYERS[str(seat + 1)]) for place, seat in best],
        "said": said,
        "sequences": sequences,
        "scores": [(PLAYERS[seat], points) for seat, points in state.score().total.items()],
        "left": [(PLAYERS[str(at + 1)], len(hand)) for at, hand in enumerate(state.now.hands) if hand],
    }


def _words(token: str) -> str:
    words = POCH_FOR_MANY.call_in_words(token)
    return in_words(words) if words else token
