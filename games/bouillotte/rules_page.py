"""What the page of the rules draws: what is worth points, and a deal that the engine has played and scored."""

from typing import Any

from django.utils.translation import gettext as _

from engine.bouillotte.game import BOUILLOTTE
from engine.bouillotte.hands import RANKS, WORTH, best_suit, suit_sum
from engine.bouillotte.play import FOLD
from engine.packs import SUITS
from games.templatetags.cards import SUITS as SUIT_WORDS
from games.worked_deals import NAMES, Line
from league.web.wording import in_words

# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "AsKsQs 9h9dKc AhKh8h Ac8c8d | Qd"
TOKENS = "s o3 f = f"


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What is worth points: cards that show it, its name, and the points."""
    return [
        ((), _("The winner of the pot: all points in it"), _("the pot")),
        ((), _("Everybody: their stake"), _("minus the stake")),
        (("9h", "9d", "9c"), _("A brelan at the showdown, from each of the others"), "1"),
        (("9h", "9d", "9c", "9s"), _("A brelan of the turned card’s rank, from each of the others"), "2"),
    ]


def content() -> dict[str, Any]:
    """The ranks, the example's cards, what was said, the sums of the suits, and its score."""
    state = BOUILLOTTE.start(DEAL, DEALER, BOUILLOTTE.read_options({}))
    said = list[Line]()
    for token in TOKENS.split():
        place = int(str(state.turn)) - 1
        words = BOUILLOTTE.call_in_words(token)
        state = state.apply(token)
        stake = _("%(points)d in all") % {"points": state.now.put[place]}
        told = [in_words(words) if words else "", "" if token == FOLD else stake]
        said.append(Line(NAMES[str(place + 1)], words=", ".join(each for each in told if each)))
    hands, up = state.setting.hands, state.setting.up
    cards = [card for hand in hands for card in hand] + [up]
    winner, _shown = state.best
    score = state.score()
    return {
        "values": worth(),
        "ranks": [rank + "s" for rank in RANKS],
        "counts": [((rank + "s",), points) for rank, points in WORTH.items()],
        "dealt": [*zip(NAMES.values(), hands, strict=True)],
        "up": up,
        "said": said,
        "sums": [(SUIT_WORDS[suit][2], suit_sum(cards, suit)) for suit in SUITS],
        "best": SUIT_WORDS[best_suit(hands, up)][2],
        "winner": NAMES[str((winner or 0) + 1)],
        "pot": state.pot,
        "made": [(NAMES[seat], points) for seat, points in score.total.items()],
    }
