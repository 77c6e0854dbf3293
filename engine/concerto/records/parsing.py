"""Reading a record from JSON: tolerant of spelling, never surprised, every fault kept with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from engine.cards import CardSet
from engine.concerto.options import HANDS, leader_of
from engine.concerto.records import messages
from engine.concerto.records.hand_parsing import (
    read_cards,
    read_combination,
    read_hand,
    read_points,
    read_split,
    text_key,
)
from engine.concerto.records.record import (
    NO_CLAIM,
    NO_HANDS,
    HandEntry,
    LeftOverClaim,
    Record,
)
from engine.concerto.spelling import SEAT_NAMES
from engine.deals import Deal
from engine.errors import DealError, quoted
from engine.problems import Problem
from engine.seats import SEATS, SIDES, BySide, Seat, Side

Faults = list[Problem]

#: What belongs to a record, and (the last four) what may stand beside it and is not read.
FIELDS: Final = (
    "dealer", "deal", "hands", "left", "left_over", "left_over_to", "left_over_bonus", "points", "made", "total",
    "leaders", "number", "board", "id", "note",
)  # fmt: skip
_FIELD_SET: Final = frozenset(FIELDS)
#: R3: the leaders of the eight hands, by the dealer.
_LEADERS: Final = [[leader_of(dealer, number).letter for number in range(HANDS)] for dealer in SEATS]


def read_record(data: object, dealer: Seat | None = None) -> Record:
    """What this JSON says of a deal. ``dealer`` is who dealt, where the match tells."""
    faults: Faults = []
    if not isinstance(data, dict):
        return Record(dealer, faults=(messages.NOT_A_RECORD.at((), given=quoted(data)),))
    if not _FIELD_SET.issuperset(data):
        _note_unknown_fields(data, faults)
    who_dealt = _read_dealer(data.get("dealer"), dealer, faults)
    _check_leaders(data.get("leaders"), who_dealt, faults)
    return Record(
        dealer=who_dealt,
        deal=_read_deal(data.get("deal"), faults),
        hands=_read_hands(data.get("hands"), faults),
        left=_read_left(data.get("left"), faults),
        left_over=_read_left_over(data.get("left_over"), faults),
        left_over_to=_read_side(data.get("left_over_to"), ("left_over_to",), faults),
        left_over_bonus=read_points(data.get("left_over_bonus"), ("left_over_bonus",), faults),
        points=_read_points_list(data.get("points"), faults),
        made=read_claims(data.get("made"), "made", faults),
        total=read_claims(data.get("total"), "total", faults),
        faults=tuple(faults),
    )


def _note_unknown_fields(data: Mapping[object, object], faults: Faults) -> None:
    for name in list(data)[:20]:
        if name in _FIELD_SET:
            continue
        place = (text_key(name),)
        near = get_close_matches(text_key(name), FIELDS[:10], n=1, cutoff=0.75)
        if near:
            faults.append(messages.UNKNOWN_FIELD_NEAR.at(place, given=quoted(name), near=near[0]))
        else:
            faults.append(messages.UNKNOWN_FIELD.at(place, given=quoted(name)))


def _read_dealer(value: object, known: Seat | None, faults: Faults) -> Seat | None:
    given = None
    if value is not None:
        given = SEAT_NAMES.get(value) if isinstance(value, str) else None
        if given is None:
            faults.append(messages.UNKNOWN_SEAT.at(("dealer",), given=quoted(value)))
    if known and given and given is not known:
        faults.append(messages.DEALER_DIFFERS.at(("dealer",), claimed=given.title, seat=known.title))
    return known or given


def _check_leaders(value: object, dealer: Seat | None, faults: Faults) -> None:
    """R3 tells who leads; a list of leaders only has to agree."""
    if value is None or dealer is None:
        return
    if not isinstance(value, list):
        faults.append(messages.BAD_SHAPE.at(("leaders",), field="leaders", given=quoted(value)))
        return
    if value == _LEADERS[dealer.index]:
        return
    if value in _LEADERS:
        claimed = SEATS[_LEADERS.index(value)].title
        faults.append(messages.LEADERS_DIFFER.at(("leaders",), claimed=claimed, seat=dealer.title))
        return
    for number, given in enumerate(value[:HANDS]):
        seat = leader_of(dealer, number)
        if given is None or (isinstance(given, str) and SEAT_NAMES.get(given) is seat):
            continue
        faults.append(
            messages.LEADER_DIFFERS.at(
                ("leaders", number),
                hand=number + 1,
                seat=seat.title,
                dealer=dealer.title,
                claimed=quoted(given),
            )
        )


def _read_deal(value: object, faults: Faults) -> Deal | None:
    if value is None:
        return None
    if not isinstance(value, str):
        faults.append(messages.BAD_SHAPE.at(("deal",), field="deal", given=quoted(value)))
        return None
    try:
        return Deal.parse(value)
    except DealError as error:
        faults += [messages.BAD_DEAL.at(("deal",), reason=str(cause)) for cause in error.causes]
        return None


def _read_hands(value: object, faults: Faults) -> tuple[HandEntry | None, ...]:
    if value is None:
        return NO_HANDS
    if not isinstance(value, list):
        faults.append(messages.BAD_SHAPE.at(("hands",), field="hands", given=quoted(value)))
        return NO_HANDS
    if not value:
        return NO_HANDS
    if len(value) != HANDS:
        faults.append(messages.HANDS_COUNT.at(("hands",), count=len(value)))
    hands = tuple(read_hand(entry, number, faults) for number, entry in enumerate(value[:HANDS]))
    return hands + NO_HANDS[len(hands) :]


def _read_left(
    value: object, faults: Faults
) -> tuple[CardSet | None, CardSet | None, CardSet | None, CardSet | None]:
    found: list[CardSet | None] = [None, None, None, None]
    if isinstance(value, dict):
        for key, cards in list(value.items())[:20]:
            seat = SEAT_NAMES.get(key) if isinstance(key, str) else None
            if seat is None:
                faults.append(messages.UNKNOWN_SEAT.at(("left", text_key(key)), given=quoted(key)))
            elif cards is not None:
                found[seat.index] = _read_left_cards(cards, seat, faults)
    elif value is not None:
        faults.append(messages.BAD_SHAPE.at(("left",), field="left", given=quoted(value)))
    return tuple(found)  # type: ignore[return-value]


def _read_left_cards(value: object, seat: Seat, faults: Faults) -> CardSet | None:
    place = ("left", seat.letter)
    before = len(faults)
    cards = read_cards(value, place, faults)
    bits = 0
    for card in cards:
        if bits & card.bit:
            faults.append(messages.CARD_LEFT_TWICE.at(place, card=card.symbol))
        bits |= card.bit
    return CardSet(bits) if len(faults) == before else None


def _read_left_over(value: object, faults: Faults) -> LeftOverClaim | None:
    if value is None:
        return None
    if isinstance(value, str):
        value = {"combination": value}
    if not isinstance(value, dict):
        faults.append(messages.BAD_SHAPE.at(("left_over",), field="left_over", given=quoted(value)))
        return None
    combination = read_combination(value.get("combination"), ("left_over", "combination"), faults)
    split = read_split(value.get("split"), ("left_over", "split"), faults)
    return LeftOverClaim(combination, split) if combination else None


def _read_side(value: object, place: tuple[str, ...], faults: Faults) -> Side | None:
    if value is None:
        return None
    for side in SIDES:
        if value == side.value:
            return side
    faults.append(messages.UNKNOWN_SIDE.at(place, given=quoted(value)))
    return None


def _read_points_list(value: object, faults: Faults) -> tuple[int | None, ...]:
    if value is None or value == []:
        return NO_HANDS
    if not isinstance(value, list):
        faults.append(messages.BAD_SHAPE.at(("points",), field="points", given=quoted(value)))
        return NO_HANDS
    if len(value) != HANDS:
        faults.append(messages.POINTS_COUNT.at(("points",), count=len(value)))
    points = tuple(read_points(item, ("points", number), faults) for number, item in enumerate(value[:HANDS]))
    return points + NO_HANDS[len(points) :]


def read_claims(value: object, field: str, faults: Faults) -> BySide[int | None]:
    """Points by side, from an object with NS and EW; None for what is not given."""
    if value is None:
        return NO_CLAIM
    if not isinstance(value, dict):
        faults.append(messages.BAD_SHAPE.at((field,), field=field, given=quoted(value)))
        return NO_CLAIM
    _check_side_names(value, field, faults)
    return BySide(
        read_points(value.get("NS"), (field, "NS"), faults),
        read_points(value.get("EW"), (field, "EW"), faults),
    )


def _check_side_names(names: Iterable[object], field: str, faults: Faults) -> None:
    for name in list(names)[:20]:
        if name not in ("NS", "EW"):
            faults.append(messages.UNKNOWN_SIDE.at((field, text_key(name)), given=quoted(name)))
