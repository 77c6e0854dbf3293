"""What the API takes and gives of a deal of Concerto."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers

from engine.seats import Seat, Side

SEATS = [seat.value for seat in Seat]
SIDES = [side.value for side in Side]
CARD = {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
CARDS = {"type": "array", "items": CARD}
BY_SEAT = {"type": "object", "properties": dict.fromkeys(SEATS, CARDS), "additionalProperties": False}
POINTS = {"type": "integer", "minimum": 0}
BY_SIDE = {"type": "object", "properties": dict.fromkeys(SIDES, POINTS), "additionalProperties": False}
COMBINATIONS = [
    "nothing", "pair", "two-pair", "threes", "straight", "flush", "full-house", "fours", "straight-flush",
]  # fmt: skip
SPLIT = {"type": "string", "pattern": r"^[1-5]\+[0-2]$"}

LINE_OF_PLAY = {
    "type": "string",
    "description": "The line of play: cards, “-” for a pass, “>” for “Play”. Who played which follows from it.",
    "example": "7h Ah - > 6h 5h Th",
}
FIVE_CARDS = {
    "type": "object",
    "required": ["cards"],
    "properties": {
        "cards": {"oneOf": [BY_SEAT, {**CARDS, "minItems": 5, "maxItems": 5}]},
        "split": SPLIT,
        "points": POINTS,
    },
    "description": "The five cards, by who played which; or five cards and, where it counts, their split.",
}
COMBINATION = {
    "type": "object",
    "required": ["combination"],
    "properties": {
        "combination": {"type": "string", "enum": COMBINATIONS},
        "split": SPLIT,
        "points": POINTS,
    },
    "description": "What the hand was worth, without its cards.",
}
HAND = {"anyOf": [LINE_OF_PLAY, FIVE_CARDS, COMBINATION], "nullable": True}


@extend_schema_field({"type": "array", "maxItems": 8, "items": HAND})
class HandsField(serializers.JSONField):
    """Eight hands in the order of play, each at the depth that is known; null: not given."""


@extend_schema_field(BY_SEAT)
class CardsBySeatField(serializers.JSONField):
    """Cards of each seat."""


@extend_schema_field(BY_SIDE)
class PointsBySideField(serializers.JSONField):
    """Points of both sides."""


@extend_schema_field({
    "type": "object",
    "required": ["combination"],
    "properties": {
        "combination": {"type": "string", "enum": [*COMBINATIONS, "three-pairs"]},
        "split": SPLIT,
    },
})  # fmt: skip
class LeftOverField(serializers.JSONField):
    """The losers' combination left over."""


class DealRecordSerializer(serializers.Serializer[Any]):
    """One deal as written down, at any depth. What is given twice must agree."""

    dealer = serializers.ChoiceField(choices=SEATS, required=False, help_text="Follows from the match.")
    deal = serializers.CharField(required=False, help_text="All 52 cards in PBN, where they are known.")
    hands = HandsField(required=False, help_text="Eight hands in the order of play; null: not given.")
    left = CardsBySeatField(required=False, help_text="The cards left over, of one side or both.")
    left_over = LeftOverField(required=False, help_text="The losers' combination left over.")
    left_over_to = serializers.ChoiceField(choices=SIDES, required=False, help_text="A claim.")
    left_over_bonus = serializers.IntegerField(required=False, help_text="A claim.")
    points = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), required=False, max_length=8, help_text="Claims."
    )
    made = PointsBySideField(required=False, help_text="Points for the four hands of each side: claims.")
    total = PointsBySideField(required=False, help_text="Points for the deal; alone: depth of totals.")


AS_TOTALS = OpenApiExample(
    "two deals by totals",
    value={"deals": [{"total": {"NS": 52, "EW": 39}}, {"total": {"NS": 61, "EW": 20}}]},
    request_only=True,
)
AS_COMBINATIONS = OpenApiExample(
    "one deal by combinations",
    value={
        "first_dealer": "W",
        "deals": [
            {
                "hands": [
                    {"combination": "fours", "split": "2+2"},
                    {"combination": "two-pair"},
                    {"combination": "flush"},
                    {"combination": "nothing"},
                    {"combination": "straight"},
                    {"combination": "pair"},
                    {"combination": "threes"},
                    {"combination": "full-house"},
                ],
                "left_over": {"combination": "pair"},
            }
        ],
    },
    request_only=True,
)
