"""What each hand of a record may be worth, once the points that were written are held against the rest (R9)."""

from __future__ import annotations

from engine.concerto import messages
from engine.concerto.facts import Facts, HandFacts
from engine.concerto.rules import HAND_POINTS
from engine.errors import Place
from engine.problems import Problem

Points = tuple[int, ...]


def settle(facts: Facts, problems: list[Problem]) -> list[Points]:
    """The points that each of the eight hands may be worth; just one where it is settled."""
    return [
        hand.possible
        if listed is None and (hand.entry is None or hand.entry.points is None)
        else _settle_hand(hand, listed, problems)
        for hand, listed in zip(facts.hands, facts.record.points, strict=True)
    ]


def _settle_hand(hand: HandFacts, listed: int | None, problems: list[Problem]) -> Points:
    own = hand.entry.points if hand.entry else None
    own_place: Place = ("hands", hand.number, "points")
    list_place: Place = ("points", hand.number)
    if own is not None and listed is not None and own != listed:
        problems.append(messages.POINTS_TWICE.at(list_place, hand=hand.number + 1, claimed=listed, other=own))
    if own is not None:
        return _accept(hand, own, own_place, problems)
    return _accept(hand, listed or 0, list_place, problems)


def _accept(hand: HandFacts, claimed: int, place: Place, problems: list[Problem]) -> Points:
    """The claim, if the hand may be worth that; else a problem, and what the hand may be worth."""
    if claimed in hand.possible:
        return (claimed,)
    if claimed not in HAND_POINTS:
        choices = ", ".join(str(points) for points in HAND_POINTS)
        problems.append(messages.POINTS_IMPOSSIBLE.at(place, claimed=claimed, choices=choices))
    elif hand.combination is not None and hand.value is not None:
        problems.append(
            messages.POINTS_DIFFER.at(
                place,
                hand=hand.number + 1,
                combination=hand.combination.title,
                computed=hand.value.points,
                claimed=claimed,
            )
        )
    elif hand.combination is not None:
        problems.append(
            messages.POINTS_IN_DOUBT.at(
                place,
                hand=hand.number + 1,
                combination=hand.combination.title,
                choices=", ".join(str(points) for points in hand.possible),
                claimed=claimed,
            )
        )
    return hand.possible
