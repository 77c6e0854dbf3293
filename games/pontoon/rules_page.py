"""What the page of the rules draws: kinds of hands and what they win, and a deal that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.pontoon.game import PONTOON, note_of
from engine.pontoon.play import BETTING, State
from games.worked_deals import NAMES, Line
from league.web.wording import in_words

# Anna is the banker. Whatever the page says of the deal, the engine works out.
BANK = "1"
DEAL = (
    "- - - - | Ts2sAs6hJs4cJh5c6d3dKhQc4hAcKs2h2c7hTh7cQd4sJd5hTc8c"
    "8dAh9hAd8s6s2d4d3h3s7sQs9s9c5d3cKdKc7dTdJc6c9d5s8hQh"
)
TOKENS = "bet5 bet1 bet5 stick buy1 twist twist twist stick"


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What each kind of hand wins from the banker, the best one first."""
    return [
        (("As", "Kh"), _("Pontoon: an ace and a ten-card"), _("twice the stake")),
        (("5c", "3d", "3s", "2h", "Ad"), _("Five-card trick: five cards not above 21"), _("twice the stake")),
        (("9c", "6h", "4d"), _("A higher total than the banker’s, or the banker is bust"), _("the stake")),
        ((), _("The same total as the banker, or a lower one"), _("loses the stake")),
        (("Ts", "8d", "6c"), _("Bust: above 21"), _("loses the stake")),
        ((), _("The banker has a pontoon"), _("loses twice the stake")),
    ]


def content() -> dict[str, Any]:
    """The stakes, what each player did with which cards, and the score."""
    state = PONTOON.start(DEAL, BANK, PONTOON.read_options({}), len(NAMES))
    stakes, lines = list[Line](), list[Line]()
    for token in TOKENS.split():
        who, before, is_stake = state.place or 0, state, state.now.phase == BETTING
        name = NAMES[str(who + 1)]
        words = PONTOON.call_in_words(token)
        said = in_words(words) if words else token
        held = [*state.now.hands[who][0].cards]
        state = state.apply(token)
        if is_stake:
            stakes.append(Line(name, held, said))
            continue
        lines.append(Line(name, held, said, before.now.pack[: state.now.drawn - before.now.drawn]))
    return {
        "values": worth(),
        "stakes": stakes,
        "lines": lines,
        "ends": [
            (NAMES[str(place + 1)], *_hand(state, place))
            for place in (*state.setting.punters, state.setting.dealer)
        ],
        "scores": [(NAMES[seat], points) for seat, points in state.score().total.items()],
    }


def _hand(state: State, place: int) -> tuple[tuple[str, ...], str]:
    """The hand that a place ended with, and what it counts."""
    (hand,) = (*state.now.hands[place], *state.now.busted[place])
    return hand.cards, in_words(note_of(hand))
