"""Reading one hand of a record, at whichever depth it was written down."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import Card
from engine.concerto.options import Split
from engine.concerto.play import Action
from engine.concerto.poker import Combination
from engine.concerto.records import messages
from engine.concerto.records.record import EMPTY_ENTRY, HandEntry, SeatBits
from engine.concerto.spelling import ACTIONS, CARDS, COMBINATIONS, SEAT_NAMES
from engine.errors import Place, quoted
from engine.problems import Problem

#: Beyond any deal, match or sum of them: what is higher is a slip of the pen, or no good will.
HIGHEST: Final = 10_000


def read_points(value: object, place: Place, faults: list[Problem]) -> int | None:
    """A whole number of points, 0 or more; None, with a fault where there is something else."""
    if value is None or (type(value) is int and 0 <= value <= HIGHEST):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) <= HIGHEST:
        value = int(value)  # JSON knows no difference between 12 and 12.0.
    if not isinstance(value, int) or isinstance(value, bool):
        faults.append(messages.NOT_A_NUMBER.at(place, given=quoted(value)))
    elif value < 0:
        faults.append(messages.NEGATIVE.at(place, given=quoted(value)))
    elif value > HIGHEST:
        faults.append(messages.TOO_HIGH.at(place, given=quoted(value)))
    else:
        return value
    return None


def text_key(name: object) -> str:
    """A key of somebody's JSON as a step of a place: short."""
    return str(quoted(name))


Faults = list[Problem]

_FIELDS: Final = frozenset({"line", "cards", "combination", "split", "points"})
#: No hand is longer: five cards, and two passes before each but the first. Anything longer is cut off here.
_LONGEST: Final = 16
_SPLIT: Final = re.compile(r"\s*([0-9])\s*[+\-–/:]\s*([0-9])\s*", re.ASCII)


def read_hand(value: object, number: int, faults: Faults) -> HandEntry | None:
    """Hand ``number`` (from 0) as it was written down; None when it was not given."""
    if value is None:
        return None
    entry = _read_given(value, number, faults)
    return None if entry == EMPTY_ENTRY else entry


def _read_given(value: object, number: int, faults: Faults) -> HandEntry:
    if isinstance(value, dict):
        if len(value) == 1 and "cards" in value:
            return _cards_field(value["cards"], number, faults)
        return _read_fields(value, number, faults)
    if isinstance(value, str | list):
        return _read_line(value.split() if isinstance(value, str) else value, number, faults)
    faults.append(messages.BAD_SHAPE.at(("hands", number), field="hands", given=quoted(value)))
    return HandEntry(is_sound=False)


def _read_line(words: Sequence[object], number: int, faults: Faults) -> HandEntry:
    if not words:
        return EMPTY_ENTRY
    place = ("hands", number)
    before = len(faults)
    actions: list[Action] = []
    if len(words) <= _LONGEST:
        try:
            actions = [ACTIONS[word] for word in words]  # type: ignore[index]
        except (KeyError, TypeError):
            actions = []
    for word in words[:_LONGEST] if not actions else ():
        action = ACTIONS.get(word) if isinstance(word, str) else None
        if action is None:
            faults.append(messages.UNKNOWN_CARD.at(place, given=quoted(word)))
        else:
            actions.append(action)
    if len(words) > _LONGEST:
        faults.append(messages.LINE_TOO_LONG.at(place, hand=number + 1, given=quoted(words[_LONGEST])))
    cards = tuple([action.card for action in actions if action.card is not None])
    bits = _bits_of(cards, number, faults)
    return HandEntry(tuple(actions), cards, bits, is_sound=len(faults) == before)


def _read_fields(fields: Mapping[object, object], number: int, faults: Faults) -> HandEntry:
    if not _FIELDS.issuperset(fields):
        _note_unknown_fields(fields, number, faults)
    place = ("hands", number)
    points = read_points(fields.get("points"), (*place, "points"), faults)
    # Claimed points that cannot be read cast no doubt on what the cards form.
    before = len(faults)
    combination = _read_hand_combination(fields.get("combination"), number, faults)
    split = read_split(fields.get("split"), (*place, "split"), faults)
    if fields.get("line") is not None:
        entry = _line_field(fields["line"], number, faults)
    else:
        entry = _cards_field(fields.get("cards"), number, faults)
    return entry._replace(combination=combination, split=split, points=points, is_sound=len(faults) == before)


def _cards_field(value: object, number: int, faults: Faults) -> HandEntry:
    """Five cards: a list, or by the seats that played them."""
    if not value and isinstance(value, dict | list | str | None):
        return EMPTY_ENTRY
    before = len(faults)
    by_seat: SeatBits | None = None
    if isinstance(value, dict):
        by_seat, cards = _read_by_seat(value, number, faults)
    else:
        cards = read_cards(value, ("hands", number, "cards"), faults)
    bits = _bits_of(cards, number, faults)
    return HandEntry(None, cards, bits, by_seat if bits else None, is_sound=len(faults) == before)


def _read_hand_combination(value: object, number: int, faults: Faults) -> Combination | None:
    place = ("hands", number, "combination")
    combination = read_combination(value, place, faults)
    if combination is Combination.THREE_PAIRS:
        faults.append(messages.NO_SUCH_HAND_VALUE.at(place))
        return None
    return combination


def _line_field(value: object, number: int, faults: Faults) -> HandEntry:
    if isinstance(value, str):
        return _read_line(value.split(), number, faults)
    if isinstance(value, list):
        return _read_line(value, number, faults)
    faults.append(messages.BAD_SHAPE.at(("hands", number, "line"), field="line", given=quoted(value)))
    return HandEntry(is_sound=False)


def _note_unknown_fields(fields: Mapping[object, object], number: int, faults: Faults) -> None:
    faults += [
        messages.UNKNOWN_FIELD.at(("hands", number, text_key(name)), given=quoted(name))
        for name in list(fields)[:20]
        if name not in _FIELDS
    ]


def _read_by_seat(
    value: Mapping[object, object], number: int, faults: Faults
) -> tuple[SeatBits, tuple[Card, ...]]:
    place: Place = ("hands", number, "cards")
    by_seat = [0, 0, 0, 0]
    cards: list[Card] = []
    for key, given in list(value.items())[:20]:
        seat = SEAT_NAMES.get(key) if isinstance(key, str) else None
        if seat is None:
            faults.append(messages.UNKNOWN_SEAT.at((*place, text_key(key)), given=quoted(key)))
        elif given is not None:
            found = read_cards(given, (*place, seat.letter), faults)
            for card in found:
                by_seat[seat.index] |= card.bit
            cards += found
    return tuple(by_seat), tuple(cards)  # type: ignore[return-value]


def read_cards(value: object, place: Place, faults: Faults) -> tuple[Card, ...]:
    """Cards from a list, or from a text with spaces between; those that cannot be read are left out."""
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, list):
        faults.append(messages.BAD_SHAPE.at(place, field="cards", given=quoted(value)))
        return ()
    if len(words) <= _LONGEST:
        try:
            return tuple([CARDS[word] for word in words])
        except (KeyError, TypeError):
            pass  # Go through them one by one, to tell which it is.
    cards = []
    for word in words[:_LONGEST]:
        card = CARDS.get(word) if isinstance(word, str) else None
        if card is None:
            faults.append(messages.UNKNOWN_CARD.at(place, given=quoted(word)))
        else:
            cards.append(card)
    if len(words) > _LONGEST:
        faults.append(messages.TOO_MANY_IN_LIST.at(place, count=len(words)))
    return tuple(cards)


def _bits_of(cards: Sequence[Card], number: int, faults: Faults) -> int:
    """The cards of one hand as a set; a card that is there twice is a fault."""
    bits = 0
    for card in cards:
        bits |= card.bit
    if bits.bit_count() == len(cards):
        return bits
    bits = 0
    for card in cards:
        if bits & card.bit:
            faults.append(
                messages.CARD_TWICE_IN_HAND.at(("hands", number, "cards"), card=card.symbol, hand=number + 1)
            )
        bits |= card.bit
    return bits


def read_combination(value: object, place: Place, faults: Faults) -> Combination | None:
    """The combination with that key."""
    if value is None:
        return None
    combination = COMBINATIONS.get(value) if isinstance(value, str) else None
    if combination is None:
        faults.append(messages.UNKNOWN_COMBINATION.at(place, given=quoted(value)))
    return combination


def read_split(value: object, place: Place, faults: Faults) -> Split | None:
    """A split such as ``3+1``, in either order."""
    if value is None:
        return None
    match = _SPLIT.fullmatch(value) if isinstance(value, str) and len(value) < 20 else None
    if match is None:
        faults.append(messages.UNKNOWN_SPLIT.at(place, given=quoted(value)))
        return None
    return Split.of(int(match[1]), int(match[2]))
