"""The coach: what the hand on the table can become, and what the expert makes of an action. From a seat's view alone.

No card that the seat cannot see is known here: partner's hands are drawn as the player robot draws them, and what an
action brings is the expert's mean over hands that partner can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, final

from engine.cards import Card
from engine.concerto.options import CARDS_IN_HAND
from engine.concerto.pair_signals import system_of
from engine.concerto.play import PASS_TOKEN, PLAY_TOKEN
from engine.concerto.poker import FIVE_CARD_COMBINATIONS, Combination
from engine.concerto.records.forming import Holding, can_form
from engine.concerto.robots.player import partner_hands
from engine.concerto.robots.position import Position
from engine.concerto.scoring import value_of_bits
from engine.concerto.signals.systems import System
from engine.concerto.view import View
from engine.game import capabilities
from engine.game.values import Json, Shown
from engine.text import Message, Word, gettext_noop

#: So many of partner's possible hands are looked at.
_HANDS: Final = 40
#: What is possible in fewer of ten such hands is not named; nor is more than so much.
_LEAST, _MOST_NAMED = 1, 3
_PLACES = ("first", "second", "third")
_POSSIBLE = (
    gettext_noop(
        "Then you can still make %(first)s with %(first_in_ten)d of 10 hands your partner may hold."
    ),
    gettext_noop(
        "Then you can still make %(first)s with %(first_in_ten)d of 10 hands your partner may hold, and "
        "%(second)s with %(second_in_ten)d."
    ),
    gettext_noop(
        "Then you can still make %(first)s with %(first_in_ten)d of 10 hands your partner may hold, %(second)s "
        "with %(second_in_ten)d, and %(third)s with %(third_in_ten)d."
    ),
)
#: Actions whose values differ by less tenths of a point are as good as each other.
_SAME: Final = 5
#: By so many of ten hands a chance must differ to be a reason.
_REASON: Final = 2
#: Worth naming, the best first.
_NAMED: Final = tuple(
    combination
    for combination in reversed(FIVE_CARD_COMBINATIONS)
    if combination not in {Combination.NOTHING, Combination.PAIR}
)


@final
class ConcertoCoach(capabilities.Coach):
    """As ``Coach`` says."""

    version = 2

    def chances(self, view: Shown, signals: capabilities.Signals | None = None) -> tuple[Message, ...]:
        """What the two can make of the hand, as so many of ten hands that partner may hold."""
        position = _position(view)
        found = _chances(position, position.by_me, position.mine, system_of(signals))
        template = gettext_noop("%(combination)s: %(chance)d in 10")
        return tuple(
            Message(template, {"combination": Word(each.title), "chance": chance})
            for each, chance in _likely(found)
        )

    def prospects(
        self, view: Shown, token: str, signals: capabilities.Signals | None = None
    ) -> tuple[Message, ...]:
        """What the hand is then, or with how many of ten hands that partner may hold it can become something."""
        position = _position(view)
        if token == PLAY_TOKEN:
            return ()
        if position.to_play == 1 and token != PASS_TOKEN:
            value = value_of_bits(position.by_me | Card.parse(token).bit, position.by_partner)
            template = gettext_noop("It completes the hand: %(combination)s, %(points)d points.")
            return (
                Message(template, {"combination": Word(value.combination.title), "points": value.points}),
            )
        found = _likely(_after(position, token, system_of(signals)))
        if not found:
            return ()
        words: dict[str, Json] = {}
        for (each, chance), place in zip(found, _PLACES, strict=False):
            words |= {place: Word(each.title), f"{place}_in_ten": chance}
        return (Message(_POSSIBLE[len(found) - 1], words),)

    def judge(self, view: Shown, token: str, signals: capabilities.Signals | None = None) -> dict[str, Json]:
        """The expert's choice, and by how many tenths of a point it promises more, where both were considered."""
        chosen, values = _expert().considered(_own(view), system_of(signals))
        is_known = chosen in values and token in values
        return {"chosen": chosen, "lost": round(10 * (values[chosen] - values[token])) if is_known else None}

    def advice(
        self,
        view: Shown,
        token: str,
        judged: Mapping[str, Json] | None = None,
        signals: capabilities.Signals | None = None,
    ) -> tuple[Message, ...]:
        """The expert's choice beside this action, and why."""
        told: Mapping[str, Any] = judged or self.judge(view, token, signals)
        chosen = told["chosen"]
        if token == chosen:
            return (Message(gettext_noop("The expert would have done the same.")),)
        if (token, chosen) == (PLAY_TOKEN, PASS_TOKEN):
            return (Message(gettext_noop("The expert would have passed, to be able to add a card later.")),)
        return tuple(_compared(_position(view), chosen, token, told["lost"], system_of(signals)))


def _likely(found: Mapping[Combination, int]) -> list[tuple[Combination, int]]:
    """Those worth naming."""
    return [(each, chance) for each, chance in found.items() if chance >= _LEAST][:_MOST_NAMED]


def _compared(
    position: Position, chosen: str, done: str, lost: int | None, system: System
) -> Iterator[Message]:
    if chosen == PASS_TOKEN:
        yield Message(gettext_noop("The expert would have passed."))
    else:
        symbol = Card.parse(chosen).symbol
        yield Message(gettext_noop("The expert would have played the %(card)s."), {"card": symbol})
    if lost is None and done != PLAY_TOKEN:
        yield Message(gettext_noop("What you did promised clearly less, so it soon stopped considering it."))
    elif lost is None:
        yield Message(gettext_noop("“Play” leaves your own cards out of the hand."))
    elif lost < _SAME:
        yield Message(gettext_noop("What you did promises about as much."))
        return
    else:
        template = gettext_noop(
            "That promises about %(points)d points more, on average over the cards your partner may hold, in "
            "this hand and in those you can still make from the cards that are left."
        )
        yield Message(template, {"points": max(1, round(lost / 10))})
    yield from _reason(position, chosen, done, system)


def _reason(position: Position, chosen: str, done: str, system: System) -> Iterator[Message]:
    """What stays possible after the one action more often than after the other."""
    if done == PLAY_TOKEN:
        return
    best, own = (_after(position, token, system) for token in (chosen, done))
    for combination in _NAMED:
        if best[combination] - own[combination] >= _REASON:
            template = gettext_noop(
                "Then you can still make %(combination)s with %(best)d of 10 hands your partner may hold; after "
                "your choice, with %(own)d of 10."
            )
            words = {
                "combination": Word(combination.title),
                "best": best[combination],
                "own": own[combination],
            }
            yield Message(template, words)
            return


def _after(position: Position, token: str, system: System) -> dict[Combination, int]:
    bit = 0 if token == PASS_TOKEN else Card.parse(token).bit
    return _chances(position, position.by_me | bit, position.mine & ~bit, system)


def _chances(position: Position, by_me: int, mine: int, system: System) -> dict[Combination, int]:
    """With how many of ten hands that partner can hold the two have the cards for each combination."""
    hands = partner_hands(position, system, _HANDS)
    on_table = by_me | position.by_partner
    missing = CARDS_IN_HAND - on_table.bit_count()
    count = dict.fromkeys(_NAMED, 0)
    for theirs in hands:
        shares = tuple(
            (by_me.bit_count() + own, position.by_partner.bit_count() + missing - own)
            for own in range(missing + 1)
            if own <= mine.bit_count() and missing - own <= theirs.bit_count()
        )
        holding = Holding(by_me | mine, position.by_partner | theirs, 0, shares, on_table)
        for combination in _NAMED:
            count[combination] += can_form(holding, combination)
    return {combination: round(10 * number / len(hands)) for combination, number in count.items()}


def _position(view: Shown) -> Position:
    return Position.of(_own(view))


def _own(view: Shown) -> View:
    if not isinstance(view, View):
        raise TypeError(view)
    return view


@cache
def _expert() -> Any:
    # As in the robot: numba is large, and is imported when it is first asked.
    return import_module("engine.concerto.robots.expert.table")


COACH: Final = ConcertoCoach()
