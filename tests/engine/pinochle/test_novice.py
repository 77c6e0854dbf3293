"""The novice at Partnership Pinochle: its rules of thumb."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import ActionError
from engine.game.zones import Call, Zones
from engine.pinochle.novice import NOVICE
from engine.text import Message

VIEW = Zones(seat="N", dealer="W", turn="N", phase=Message(""), seats=(), trump="s")


@pytest.mark.parametrize(
    ("cards", "trick", "token"),
    [
        # It leads an ace of a plain suit, else the least card, trumps last.
        ("As Ah 9h Kd", "", "Ah"),
        ("As Th 9h 9s", "", "9h"),
        # Last to play, it takes the trick with the weaker of two worth the same, or else gives little away.
        ("Ah Th Qh", "E:9h S:Jh W:Kh", "Th"),
        ("Qh Jh 9h", "E:9h S:Jh W:Kh", "9h"),
        # A partner who is winning gets points.
        ("Th Qh 9h", "E:9h S:Ah W:Kh", "Th"),
    ],
)
def test_rules_of_thumb(cards: str, trick: str, token: str) -> None:
    played = tuple((each[0], each[2:]) for each in trick.split())
    assert NOVICE.token(replace(VIEW, cards=tuple(cards.split()), trick=played)) == token


def test_it_exchanges_the_nine_and_waits_for_its_turn() -> None:
    calls = tuple(Call(token, Message("")) for token in ("x", "-"))
    assert NOVICE.token(replace(VIEW, calls=calls)) == "x"
    with pytest.raises(ActionError):
        NOVICE.token(VIEW)
