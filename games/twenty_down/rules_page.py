"""What the page of the rules draws: what is worth points, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.packs import read_cards
from engine.twenty_down.game import TWENTY_DOWN
from engine.twenty_down.play import ALONE, DISCARD, DRAW, NO_TRICK, OUT, PLAY
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line
from league.web.number_format import signed_text

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "7h9d+Tc8c7c 9sAc+TsAhKh AdJd+KsJhQc 7sQd+QhKdKc | Td8h7dAsJsQs8sJc9hTh8d9c"
TOKENS = "c xTs9s xJhJd x7sQhQd x7h9d i o i Ac Qc 7c Ah 7d 9h Kh Ks 8c Jc 8h As Tc Td Ad"


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What a deal does to a total."""
    return [
        ((), _("each trick"), signed_text(-1)),
        ((), _("in, but without a trick"), signed_text(NO_TRICK)),
        ((), _("out"), "0"),
        ((), _("first player, when all others are out"), signed_text(ALONE)),
    ]


def content() -> dict[str, Any]:
    """The ranks, the example's cards, who exchanged and who is in, its tricks and its score."""
    state = TWENTY_DOWN.start(DEAL, DEALER, TWENTY_DOWN.read_options({}))
    exchanges, answers, tricks = list[Line](), list[tuple[str, str]](), list[Line]()
    for token in TOKENS.split():
        name, phase = NAMES[str(state.turn)], state.now.phase
        if phase == DRAW and token.startswith(DISCARD):
            given = read_cards(token[1:])
            drawn = state.now.stock[: len(given)]
            exchanges.append(Line(name, list(given), _("for these:"), drawn))
        elif phase == PLAY:
            if not state.now.trick:
                tricks.append(Line(name))
            tricks[-1].cards.append(token)
        elif phase not in {DRAW, PLAY} and state.history:
            answers.append((name, _("is out") if token == OUT else _("is in")))
        state = state.apply(token)
        if phase == PLAY and not state.now.trick:
            tricks[-1].words = _("%(seat)s takes it") % {"seat": NAMES[str(state.now.won[-1] + 1)]}
    hands, _bar, _stock = DEAL.partition(" | ")
    score = state.score().total
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in TWENTY_DOWN.ranks],
        "dealt": [
            (name, *map(in_twos, hand.split("+")))
            for name, hand in zip(NAMES.values(), hands.split(), strict=True)
        ],
        "exchanges": exchanges,
        "answers": answers,
        "tricks": tricks,
        "made": [
            (NAMES[str(place + 1)], state.now.won.count(place), score[str(place + 1)])
            for place in state.now.playing
        ],
    }
