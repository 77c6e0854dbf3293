"""What the page of an online table says of Concerto: the names of cards, hands and seats, and the sentences of play.

The page's script fills {places}. Why a card or a call is refused is not here: ``engine.concerto.play`` says it, and
``games.tables.services.play`` passes it on in the reader's language.
"""

from typing import Any

from django.utils.translation import gettext as _

from engine.concerto.options import CARDS_IN_HAND
from games.concerto.values import offered_values
from games.templatetags.cards import SEATS

Json = dict[str, Any]


def texts(key: str) -> Json:
    """Texts by name, or texts by key."""
    values = (*offered_values(key, left=False), *offered_values(key, left=True))
    return {
        "cards_in_hand": CARDS_IN_HAND,
        "combinations": {value.combination.key: _(str(value.combination.title)) for value in values},
        "sides": {"NS": _("N-S"), "EW": _("E-W")},
        "seats": {seat: str(word) for seat, (_css, word, _letter) in SEATS.items()},
        "with_split": _("{name}, {split}"),
        "one_hand_result": _("{hand}, {points} point"),
        "hand_result": _("{hand}, {points} points"),
        **_of_play(),
    }


def call_keys() -> tuple[tuple[str, str], ...]:
    """The keys of the two calls."""
    return (("P", _("Pass")), ("G", _("says “Play”")))


def _of_play() -> Json:
    return {
        "passes": _("{player}: pass"),
        "says_play": _("{player}: “Play”"),
        "passed": _("{player} passed"),
        "said_play": _("{player} said “Play”"),
        "pass": _("Pass"),
        "say_play": _("Say “Play”"),
        "play_called": _("“Play”"),
        "hand_number": _("Hand {number}"),
        "hand_led": _("Hand {number}, led by {player}"),
        "hand_led_by_you": _("Hand {number}, led by you"),
        "can_become": _("at best {hand}, about {in_ten} times in 10"),
        "left_over": _("Left over: {hand}. {points} points for {side}."),
    }
