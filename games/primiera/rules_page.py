"""What the pages of the rules draw: what cards count, the hands, and a deal of each that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.game import Game
from engine.primiera import hands
from engine.primiera.drawing import DISCARD
from engine.primiera.game import PRIMERO, PRIMIERA
from engine.primiera.records import COUNTS, OLD_COUNTS
from games.records.plain_form import in_twos
from games.worked_deals import NAMES, Line
from league.web.wording import in_words

PLAYERS = 4
# Anna dealt. Whatever the pages say of the deals, the engine works out.
DEALER = "1"
DEAL = "7h4hKdAc KsQh4d2d 7s6sQd5c 6d5d3d2c | 3cAsJcJhKh2sQsJs5s4s3sAh6h5h3h2hAdJd7dKcQc7c6c4c"
PRIMIERA_TOKENS = "- - - - x2d xQd5c x2c xKdAc ! ! - -"
PRIMERO_TOKENS = "x2d xQd5c x2c xKdAc +2 +1 f f ="
#: A hand of each kind.
SHOWN = {
    hands.CHORUS: "6s6h6d6c",
    hands.FLUSH: "6d5d4d3d",
    hands.FLUXUS: "6d5d4d3d",
    hands.FIFTY_FIVE: "As7s6sAh",
    hands.SUPREMUS: "As7s6sAh",
    hands.PRIMIERA: "KsQh4d3c",
    hands.POINT: "7h4hKdAc",
    hands.NUMERUS: "7h4hKdAc",
}


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What the cards count."""
    return [((rank + "h",), "", points) for rank, points in hands.WORTH.items()]


def primiera() -> dict[str, Any]:
    """Primiera with a second stake, as clubs begin with."""
    return _content(PRIMIERA, PRIMIERA.read_options(PRIMIERA.preset), PRIMIERA_TOKENS, [*COUNTS])


def primero() -> dict[str, Any]:
    """Primero as it is usually played."""
    return _content(PRIMERO, PRIMERO.read_options({}), PRIMERO_TOKENS, [*OLD_COUNTS])


def _content(game: Game, options: Any, tokens: str, kinds: list[str]) -> dict[str, Any]:
    """The hands, the example's cards, what was done, and its score."""
    state: Any = game.start(DEAL, DEALER, options, PLAYERS)
    lines = list[Line]()
    for token in tokens.split():
        seat = int(state.turn) - 1
        before, words = state.now.drawn.hands[seat], game.call_in_words(token)
        state = state.apply(token)
        line = Line(NAMES[str(seat + 1)], words=in_words(words) if words else "")
        if token[0] == DISCARD:
            line.cards = in_twos(token[1:])
            line.drawn = tuple(card for card in state.now.drawn.hands[seat] if card not in before)
        lines.append(line)
    score = state.score()
    return {
        "counts": worth(),
        "kinds": [(in_twos(SHOWN[kind]), _(hands.NAMES[kind])) for kind in kinds],
        "dealt": [*zip(NAMES.values(), state.setting.hands, strict=True)],
        "lines": lines,
        "ended": [*zip(NAMES.values(), state.now.drawn.hands, strict=True)],
        "winner": NAMES[score.detail["winner"]],
        "hand": _(hands.NAMES[score.detail["with"]]),
        "pot": state.pot,
        "made": [(NAMES[seat], points) for seat, points in score.total.items()],
    }
