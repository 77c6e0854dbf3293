"""What the page of the rules draws: the values of hands, a deal that was played and scored, the usual signals."""

from typing import Any

from engine.cards import CardSet
from engine.concerto.game import CONCERTO
from engine.concerto.scoring import hand_value, left_over_value
from engine.deals import Deal
from engine.game.capabilities import Meaning
from engine.seats import Seat
from games.concerto.deals import value_in_words, value_key
from games.concerto.signals.card import convention_card
from games.concerto.values import offered_values
from games.templatetags.cards import SEATS
from league.web.wording import in_words

Json = dict[str, Any]

# North deals. Whatever the page says of it, the engine works out.
DEALER = "N"
EXAMPLE_DEAL = "N:J62.Q97.42.QT952 K.KJ653.QJ653.K4 AQ9874.T4.A7.J87 T53.A82.KT98.A63"
HANDS_PLAYED = (
    "Kh - - Kd Ks > Kc Qd", "As - - 2d Ad 2c - 2s", "Ac - - 4c 6c > 3c Ah", "Qc - - Jc Tc 8c 9c",
    "6h - 5h - - 8h Jh 2h", "7s - - 7h 7d - 7c Js", "Ts - - 3h 3s 3d Td", "6s - 5c 4s 4d 4h",
)  # fmt: skip
EXAMPLE = {"dealer": DEALER, "deal": EXAMPLE_DEAL, "hands": list(HANDS_PLAYED)}
# The leader's card and the passes after it tell the partner something before the third card falls.
SIGNAL = 3

# A hand of each value, and which of its cards the leader's partner played.
HANDS = (
    ("9c 6h Kd 4s 2d", "Kd 4s 2d"), ("Js Jd 8h 5s 3c", "8h 5s"), ("Qh Qc 4d 4s 9h", "4s 9h"),
    ("8d 8h 8s Kc 3h", "8s Kc 3h"), ("5s 6d 7h 8c 9s", "8c 9s"), ("Kh Jh 8h 5h 3h", "5h 3h"),
    ("Tc Td Ts 6d 6c", "6d 6c"), ("7c 7d 7h 7s Kd", "Kd"), ("7c 7d 7h 7s Kd", "7s Kd"),
    ("7c 7d 7h 7s Kd", "7h 7s Kd"), ("Ad 2d 3d 4d 5d", ""), ("Ad 2d 3d 4d 5d", "2d"),
    ("Ad 2d 3d 4d 5d", "2d 4d"),
)  # fmt: skip
SIX = ("Qs Qd 9c 9h 4d 4s", "4d 4s")


def content(key: str) -> Json:
    """The points of every value, the example with its score, and the signals."""
    shown = CONCERTO.records.describe(CONCERTO.records.read_record(EXAMPLE))
    left = shown.left_over
    if left is None or shown.made is None or shown.total is None:
        raise ValueError(EXAMPLE)
    steps, told = _first_hand()
    held = [(card.text, seat) for seat, cards in shown.left for card in cards if seat in left.side.seats]
    found = values(key)
    return {
        "values": found,
        "best": max(found, key=lambda value: value["in_hand"] or 0),
        "hands": [_hand(hand) for hand in shown.hands],
        "dealt": {seat.value: list(Deal.parse(EXAMPLE_DEAL)[seat]) for seat in Seat},
        "dealer": DEALER,
        "steps": steps,
        "told": told,
        "left": {
            "side": left.side.value,
            "cards": [card for card, _seat in held],
            "partner": [card for card, seat in held if seat != held[0][1]],
            "words": value_in_words(left.combination, left.split),
            "bonus": left.bonus,
        },
        "made": (shown.made.ns, shown.made.ew),
        "total": (shown.total.ns, shown.total.ew),
        "card": convention_card(key),
    }


def values(key: str) -> list[Json]:
    """What a hand can be, from nothing to the best, with an example, its points and those of the same five cards left
    over."""
    in_hand = {value.key: value for value in offered_values(key, left=False)}
    left = {value.key: value for value in offered_values(key, left=True)}
    examples = _examples()
    return [
        {
            "name": value_in_words(value.combination, value.split),
            "cards": examples[name][0],
            "partner": examples[name][1],
            "in_hand": in_hand[name].points if name in in_hand else None,
            "left": left[name].points if name in left else None,
        }
        for name, value in {**in_hand, **left}.items()
    ]


def _examples() -> dict[str, tuple[str, str]]:
    """An example of each value by the key that the engine gives it: its cards, and those of the leader's partner."""
    found = {}
    for hands, valued in ((HANDS, hand_value), ((SIX,), left_over_value)):
        for cards, partners in hands:
            other = CardSet.parse(partners)
            own = CardSet.of(card for card in CardSet.parse(cards) if card not in other)
            value = valued(own, other)
            found[value_key(value.combination, value.split)] = (cards, partners)
    return found


def _hand(hand: Any) -> Json:
    leader = hand.leader.value
    return {
        "leader": str(SEATS[leader][1]),
        "side": hand.side.value,
        "cards": [each.card.text for each in hand.cards],
        "partner": [each.card.text for each in hand.cards if each.seat.value != leader],
        "words": value_in_words(hand.combination, hand.split),
        "points": hand.points,
    }


def _first_hand() -> tuple[list[Json], list[str]]:
    """What was done in the first hand, one by one: who, and a card or what they said; and what the signal tells."""
    state = CONCERTO.start(EXAMPLE_DEAL, DEALER, CONCERTO.read_options({}))
    steps = []
    told: tuple[Meaning, ...] = ()
    for number, token in enumerate(HANDS_PLAYED[0].split()):
        if number == SIGNAL:
            told = CONCERTO.signals.meanings(CONCERTO.view(state, None), 0)
        steps.append({"seat": str(SEATS[str(state.turn)][1]), "token": token})
        state = state.apply(token)
    return steps, [in_words(each.message) for each in told]
