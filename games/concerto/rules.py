"""What the page of the rules draws: the values of hands, and a deal that was played and scored."""

from typing import Any

from engine.concerto.game import CONCERTO
from games.concerto.deals import value_in_words
from games.concerto.values import offered_values
from games.templatetags.cards import SEATS

Json = dict[str, Any]

# North deals. Whatever the page says of it, the engine works out.
EXAMPLE = {
    "dealer": "N",
    "deal": "N:A.Q8542.J82.KQ85 JT76.97.KT76.743 Q542.J3.A953.AJ9 K983.AKT6.Q4.T62",
    "hands": [
        "7c - 7d - 7h - 7s - 3c", "Ad - 3h - 2s - 4s - 5s", "Tc - Th - Kh - Ks - 2c", "8c - Qc - 8d - 8h - Qh",
        "6d - Td - 6s - Ts - 4c", "9c - Jc - 9d - Jh - Ac", "6c - 6h - - Kd 4d - Qd", "5c - 2d - 2h - 5h - Kc",
    ],
}  # fmt: skip


def content(key: str) -> Json:
    """The points of every value, and the example with its score."""
    shown = CONCERTO.records.describe(CONCERTO.records.read_record(EXAMPLE))
    left = shown.left_over
    if left is None or shown.made is None or shown.total is None:
        raise ValueError(EXAMPLE)
    held = [(card.text, seat) for seat, cards in shown.left for card in cards if seat in left.side.seats]
    return {
        "values": _values(key),
        "hands": [_hand(hand) for hand in shown.hands],
        "left": {
            "cards": [card for card, _seat in held],
            "partner": [card for card, seat in held if seat != held[0][1]],
            "words": value_in_words(left.combination, left.split),
            "bonus": left.bonus,
        },
        "made": (shown.made.ns, shown.made.ew),
        "total": (shown.total.ns, shown.total.ew),
    }


def _values(key: str) -> list[Json]:
    """What a hand can be, from nothing to the best, with its points and those of the same five cards left over."""
    in_hand = {value.key: value for value in offered_values(key, left=False)}
    left = {value.key: value for value in offered_values(key, left=True)}
    return [
        {
            "name": value_in_words(value.combination, value.split),
            "in_hand": in_hand[name].points if name in in_hand else None,
            "left": left[name].points if name in left else None,
        }
        for name, value in {**in_hand, **left}.items()
    ]


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
