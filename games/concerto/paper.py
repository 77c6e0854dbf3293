"""A scoresheet of Concerto on paper: every hand with the boxes to ring, and what is left."""

from typing import Any

from django.utils.translation import gettext as _

Json = dict[str, Any]


def how() -> str:
    """How it is filled in."""
    return _("Circle what each hand was and write its points in the column of the pair that led it.")


def content(sheet: Any) -> Json:
    """The boxes, and the words beside them."""
    return {
        "labels": {"hand": _("Hand, led by"), "left": _("Left"), "deal": _("Deal")},
        "values": [
            {
                "name": value.name,
                "hand": "" if value.in_hand is None else str(value.in_hand),
                "left": "" if value.left is None else str(value.left),
                "begins": value.begins_group and index > 0,
            }
            for index, value in enumerate(sheet.values)
        ],
    }


def deal(sheet: Any, deal: Any) -> Json:
    """Its hands: who leads each, and in whose column its points belong."""
    pairs = [pair for pair, _name, _letters in sheet.sides]
    return {
        "hands": [
            {"number": str(hand.number), "leader": hand.leader.letter, "side": pairs.index(hand.pair)}
            for hand in deal.hands
        ]
    }
