"""What the page of the rules draws: what melds and cards are worth, and a deal that the engine has played."""

from typing import Any

from django.utils.translation import gettext as _

from engine.packs import is_card
from engine.pinochle.game import PINOCHLE, shown_cards
from engine.pinochle.melds import FOURS, WORTH
from engine.pinochle.play import EXCHANGE, LAST_TRICK, SEATS, State
from engine.pinochle.play import WORTH as POINTS
from engine.pinochle.tricks import RANKS
from games.templatetags.cards import SEATS as SEAT_WORDS
from games.templatetags.cards import SUITS

# East dealt and turned up the ace of diamonds. Whatever the page says of the deal, the engine works out.
DEALER = "E"
DEAL = (
    "AsKsJsTsAhKhJh9hKdTdKcTc AsQsQs9s9hAdJd9dQcQcJc9c KsTsQhThAdKdQdJdTdAcJcTc Js9sAhKhQhJhThQd9dAcKc9c | Ad"
)
TOKENS = (
    "x Ac 9c Tc 9c Jc Ac Kc Qc Ah 9h 9h Qh 9s As 9s Ts Ah 9d Th Th As Ks Js Js Jc Tc Kc Td Jh 9d Jd Jh Qd Ad Kd Jd "
    "Qh Kh Qs Ad Kd Qd Ts Qs Td Kh Ks Qc"
)


def meld_words(name: str) -> str:
    """What a meld is called."""
    kind, _dash, of = name.partition("-")
    if kind == "marriage":
        return _("marriage in %(suit)s") % {"suit": SUITS[of][2]}
    return {
        "double-sequence": _("double trump sequence"),
        "sequence": _("trump sequence"),
        "royal-marriage": _("royal marriage"),
        "four-aces": _("four aces"),
        "four-kings": _("four kings"),
        "four-queens": _("four queens"),
        "four-jacks": _("four jacks"),
        "eight-aces": _("all eight aces"),
        "eight-kings": _("all eight kings"),
        "eight-queens": _("all eight queens"),
        "eight-jacks": _("all eight jacks"),
        "pinochle": _("pinochle"),
        "double-pinochle": _("double pinochle"),
        "dix": _("dix"),
    }[name]


def worth() -> list[tuple[tuple[str, ...], str, int]]:
    """What is worth points: cards that show it, with hearts as trumps, its name, and the points."""
    fours = [
        (tuple(rank + suit for suit in SUITS), meld_words(f"four-{name}"), points)
        for rank, (name, points) in FOURS.items()
    ]
    eights = [((), meld_words(f"eight-{name}"), WORTH[f"eight-{name}"]) for name, _points in FOURS.values()]
    return [
        (tuple(rank + "h" for rank in "ATKQJ"), _("trump sequence"), WORTH["sequence"]),
        (("Kh", "Qh"), _("royal marriage: king and queen of trumps"), WORTH["royal-marriage"]),
        (("Kc", "Qc"), _("marriage: king and queen of another suit"), WORTH["marriage-c"]),
        *fours,
        (("Qs", "Jd"), _("pinochle: queen of spades and jack of diamonds"), WORTH["pinochle"]),
        (("9h",), _("dix: a nine of trumps that you were dealt"), WORTH["dix"]),
        ((), _("double trump sequence"), WORTH["double-sequence"]),
        ((), _("double pinochle"), WORTH["double-pinochle"]),
        *eights,
        *(((rank + "h",), _("in a trick"), points) for rank, points in POINTS.items()),
        ((), _("The last trick"), LAST_TRICK),
    ]


def content() -> dict[str, Any]:
    """The ranks, the example's cards, who exchanged, what each melded, the tricks and the score."""
    state = PINOCHLE.start(DEAL, DEALER, PINOCHLE.read_options({"duplicate": True}))
    tricks: list[dict[str, Any]] = []
    exchanged = ""
    for token in TOKENS.split():
        if token == EXCHANGE:
            exchanged = _seat(state)
        if is_card(token) and not state.now.laid:
            tricks.append({"leader": _seat(state), "cards": [], "by": ""})
        if is_card(token):
            tricks[-1]["cards"].append(token)
        state = state.apply(token)
        if is_card(token) and not state.now.laid:
            tricks[-1]["by"] = str(SEAT_WORDS[SEATS[state.now.won[-1]]][1])
    score = state.score()
    return {
        "values": worth(),
        "order": PINOCHLE.ranks,
        "ranks": [rank + "h" for rank in RANKS],
        "dealt": dict(PINOCHLE.boards.hands(DEAL)),
        "dealer": DEALER,
        "up": state.setting.up,
        "exchanged": exchanged,
        "melds": [_melded(state, seat) for seat in SEATS],
        "tricks": tricks,
        "meld": score.detail["meld"],
        "cards": score.detail["cards"],
        "total": score.total,
        "title": _("The cards of the example"),
    }


def _melded(state: State, seat: str) -> dict[str, Any]:
    """What a seat showed, and what it is called."""
    return {
        "seat": str(SEAT_WORDS[seat][1]),
        "cards": shown_cards(state, seat),
        "names": ", ".join(
            f"{meld_words(name)} {WORTH[name] * times}" for name, times in state.melds[seat].items()
        ),
    }


def _seat(state: State) -> str:
    return str(SEAT_WORDS[str(state.turn)][1])
