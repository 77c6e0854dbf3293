"""Why a robot did what it did last, in sentences for its partner: from the open cards and the system of signals alone.

A reason that named its judgement of its own cards would show them. So what is asked is a view that has none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cards import PACK, CardSet
from engine.concerto.chances import still_possible
from engine.concerto.options import CARDS_IN_HAND
from engine.concerto.play import MOST_PASSES, PASS, PLAY, Action
from engine.concerto.poker import FIVE_CARD_COMBINATIONS
from engine.concerto.signals.signalling import reading
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import phase_of_hand
from engine.concerto.view import HandSeen, View
from engine.seats import SEATS, Seat
from engine.text import Message, Param, gettext_noop

_LEAD: Final = gettext_noop("It leads the %(card)s. What it does after your pass tells you what it shows.")
_LEAD_ALONE: Final = gettext_noop(
    "It leads the %(card)s because of the best hand in its own cards. It doesn’t signal."
)
_SHOWS: Final = gettext_noop("It led the %(first)s and then played the %(second)s. This can show:")
_SHOWS_BY_PASS: Final = gettext_noop("It led the %(first)s and then passed. This can show:")
_SHOWS_NOTHING: Final = gettext_noop("Its first two actions of this hand show nothing in your system.")
_HAD_TO: Final = gettext_noop("It had to play a card, after two passes.")
_ADDS: Final = gettext_noop("It plays the %(card)s. The hand can still become: %(combination)s.")
_COMPLETES: Final = gettext_noop(
    "It completes the hand with the %(card)s: %(combination)s, %(points)d points."
)
_LETS_SIGNAL: Final = gettext_noop("It passes so that you can tell it more with a second card, or a pass.")
_EXPECTS_MORE: Final = gettext_noop(
    "It passes because it expects more of the hand from your next card than from its own."
)
_LEAVES_IT: Final = gettext_noop(
    "It passes because it plays by its own cards alone, and leaves the rest to you."
)
_PLAY: Final = gettext_noop(
    "It says “Play” because it thinks that you can complete the hand without its cards."
)


def reasons(seen: View, seat: Seat, system: System | None) -> tuple[Message, ...]:
    """Why the robot at this seat did what it did last; empty where it has done nothing yet.

    ``seen`` is a spectator's view; ``system`` is None for a robot that gives no signals. Raises ValueError for the
    view of a seat.
    """
    if seen.seat is not None:
        raise ValueError(seen.seat)
    hands = (*seen.hands, seen.current) if seen.current else seen.hands
    for hand in reversed(hands):
        places = [place for place, move in enumerate(hand.line) if move.seat is seat]
        if places:
            return tuple(_reasons(seen, hand, places[-1], system))
    return ()


def _reasons(seen: View, hand: HandSeen, place: int, system: System | None) -> list[Message]:
    """Of the action at that place of a hand's line."""
    action, before = hand.line[place].action, [move.action for move in hand.line[:place]]
    if system is not None and _is_signal(hand, place):
        return _of_signal(seen, hand, action, system)
    if action.card is None:
        return [Message(_of_pass(action, before, system), {})]
    told = [Message(_HAD_TO, {})] if before[-MOST_PASSES:] == [PASS] * MOST_PASSES else []
    return [*told, _of_card(seen, hand, place, system)]


def _of_card(seen: View, hand: HandSeen, place: int, system: System | None) -> Message:
    card = hand.line[place].action.card
    params: dict[str, Param] = {"card": card.symbol if card else ""}
    played = sum(1 for move in hand.line[: place + 1] if move.action.card)
    if played == 1:
        return Message(_LEAD if system else _LEAD_ALONE, params)
    if played == CARDS_IN_HAND and hand.value is not None:
        return Message(
            _COMPLETES, params | {"combination": hand.value.combination.title, "points": hand.value.points}
        )
    possible = still_possible(_as_of(seen, hand, place))
    title = next(
        each.title for each in FIVE_CARD_COMBINATIONS if possible and each.key == possible["combination"]
    )
    return Message(_ADDS, params | {"combination": title})


def _of_pass(action: Action, before: list[Action], system: System | None) -> str:
    if action is PLAY:
        return _PLAY
    if system is None:
        return _LEAVES_IT
    return _LETS_SIGNAL if len(before) == 1 else _EXPECTS_MORE


def _is_signal(hand: HandSeen, place: int) -> bool:
    """Whether it is what a leader does after their first card and the partner's pass (not "Play")."""
    if place != 2 or hand.line[1].action is not PASS or hand.line[2].action is PLAY:
        return False
    return hand.line[0].seat is hand.line[2].seat


def _of_signal(seen: View, hand: HandSeen, action: Action, system: System) -> list[Message]:
    first = hand.line[0].action.card
    if first is None:
        raise AssertionError("a hand begins with a card")
    shown = {"first": first.symbol, "second": action.card.symbol if action.card else ""}
    among = CardSet(PACK.bits & ~_gone_before(seen, hand))
    found = reading(first, action.card, phase_of_hand(hand.number), system, among=among)
    if not found:
        return [Message(_SHOWS_NOTHING, {})]
    return [Message(_SHOWS if action.card else _SHOWS_BY_PASS, {**shown}), *(each.message for each in found)]


def _gone_before(seen: View, hand: HandSeen) -> int:
    return sum(move.action.bit for each in seen.hands[: hand.number] for move in each.line)


def _as_of(seen: View, hand: HandSeen, place: int) -> View:
    """The view just after that action."""
    later = [*hand.line[place + 1 :]]
    for each in (*seen.hands, seen.current):
        if each is not None and each.number > hand.number:
            later += each.line
    north, east, south, west = (
        left + sum(1 for move in later if move.seat is seat and move.action.card)
        for seat, left in zip(SEATS, seen.cards_left, strict=True)
    )
    current = replace(hand, line=hand.line[: place + 1], value=None)
    return replace(
        seen, hands=seen.hands[: hand.number], current=current, cards_left=(north, east, south, west)
    )
