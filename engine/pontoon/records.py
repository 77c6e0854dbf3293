"""A deal of Pontoon as people write it down, and all that can be wrong with it (PN19 to PN22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.errors import CardError, quoted
from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number, wrong_dealer
from engine.game.sheets import MOST_POINTS, WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import JOKER, read_cards
from engine.pontoon.play import BEST, BUST, FIVE, FIVE_CARDS, PLAIN, PONTOON, Hand, State, paid
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

FIELDS: Final = ("banker", "first", "hands", "total")
#: PN9, PN10: three cards can be bought, each for at most twice the first stake.
_PURCHASES: Final = FIVE_CARDS - 2
#: PN22.
HIGH_STAKE, MANY_PONTOONS, LOW_BANKER = 7, 3, 12
_MOST_HANDS: Final = 8
#: PN21.
_OTHER_BANKER: Final = gettext_noop("In this deal %(seat)s is the banker.")


def read_written(
    data: object, seats: Sequence[str], options: Mapping[str, Any] | None, banker: str | None = None
) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem; ``banker``: who must be, where that is known.

    A hand is ``{"kind", "total", "stake", "cards"}``, each of which may be left out; ``first`` are the first stakes.
    """
    least, most = (options["min"], options["max"]) if options else (1, 100)
    readers: dict[str, Reader] = {
        "banker": one_of(seats),
        "first": by_side(seats, whole_number(least, most)),
        "hands": by_side(seats, _hands),
        "total": by_side(seats, whole_number(-MOST_POINTS, MOST_POINTS)),
    }
    return read_written_deal(
        data,
        seats,
        readers,
        faults=lambda given: [
            *_faults({"banker": banker, **given}),
            *wrong_dealer(given, banker, seats, "banker", _OTHER_BANKER),
        ],
        told=lambda given: _told({"banker": banker, **given}, seats),
        fault_of_total=fault_of_total,
        whole=0,
    )


def written(state: State) -> dict[str, Json]:
    """PN19: a deal that was played out."""
    setting, now = state.setting, state.now
    hands: dict[str, Json] = {
        str(place + 1): [
            {"kind": hand.kind, "total": hand.total, "stake": hand.stake, "cards": "".join(hand.cards)}
            for hand in (*now.hands[place], *now.busted[place])
        ]
        for place in range(setting.players)
    }
    first = {str(place + 1): stake for place, stake in zip(setting.punters, now.stakes, strict=True)}
    total = dict(state.score().total)
    return {"banker": str(setting.dealer + 1), "first": first, "hands": hands, "total": total}


def next_banker(record: Mapping[str, Any], seats: Sequence[str]) -> str | None:
    """PN15: whom a record of a deal makes the next banker by its hands; None where they don't tell."""
    banker, hands = record.get("banker"), record.get("hands", {})
    if banker is None:
        return None
    left = seats.index(banker)
    for seat in (*seats[left:], *seats[:left]):
        kinds = [hand.get("kind") for hand in hands.get(seat, ())]
        if not kinds or None in kinds:
            return None
        if kinds == [PONTOON]:
            return seat
    return str(banker)


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """PN22."""
    for number, record in enumerate(checked.records):
        given: Mapping[str, Any] = record.as_json() if record is not None else {}
        hands, banker = given.get("hands", {}), given.get("banker")
        kinds = [hand.get("kind") for own in hands.values() for hand in own]
        if kinds.count(PONTOON) >= MANY_PONTOONS:
            template = gettext_noop("Three pontoons in a deal are rare.")
            yield suspicious("pontoons", template, ("deals", number, "hands"))
        for seat, stake in given.get("first", {}).items():
            if any(hand.get("stake", 0) >= HIGH_STAKE * stake for hand in hands.get(seat, ())):
                template = gettext_noop("Seven times the first stake is rare.")
                yield suspicious("high-stake", template, ("deals", number, "hands", seat))
        for hand in hands.get(banker, ()):
            if hand.get("kind") == PLAIN and hand.get("total", BEST) < LOW_BANKER:
                template = gettext_noop("A banker who sticks below 12 is rare.")
                yield suspicious("low-banker", template, ("deals", number, "hands", str(banker)))


def fault_of_total(total: Mapping[str, int]) -> str:
    """PN14: why no deal gives these totals; empty where one does."""
    return gettext_noop("The scores of a deal must add up to 0.") if sum(total.values()) else ""


def _hands(given: object) -> tuple[Any, list[Problem]]:
    """The hands of a seat."""
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= _MOST_HANDS:
        template = gettext_noop("“%(given)s” must be a list of hands.")
        return None, [impossible("bad-hands", template, given=quoted(given))]
    found, problems = [], []
    for number, each in enumerate(given):
        hand, faults = _hand(each)
        found.append(hand)
        problems += [fault.under(number) for fault in faults]
    return (None if any(hand is None for hand in found) else found), problems


def _hand(given: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    template = gettext_noop("“%(given)s” isn’t a hand.")
    wrong = [impossible("bad-hand", template, given=quoted(given))]
    if not isinstance(given, Mapping) or not {*given} <= {"kind", "total", "stake", "cards"}:
        return None, wrong
    kind, total, stake, text = (given.get(name) for name in ("kind", "total", "stake", "cards"))
    if kind not in (None, PONTOON, FIVE, PLAIN, BUST) or not all(
        number is None or (type(number) is int and 0 <= number <= 1000) for number in (total, stake)
    ):
        return None, wrong
    if text is not None:
        try:
            cards = read_cards(text) if isinstance(text, str) else ()
        except CardError:
            cards = ()
        if not 1 < len(cards) <= FIVE_CARDS or JOKER in cards:
            return None, wrong
    return {name: value for name, value in given.items() if value is not None}, []


def _faults(given: Mapping[str, Any]) -> Iterator[Problem]:
    hands, first, banker = given.get("hands", {}), given.get("first", {}), given.get("banker")
    if banker in first:
        yield impossible("banker-stake", gettext_noop("The banker stakes nothing."), ("first", str(banker)))
    seen: list[str] = []
    for seat, own in hands.items():
        for number, hand in enumerate(own):
            yield from (fault.under("hands", seat, number) for fault in _of_hand(hand))
            seen += read_cards(hand["cards"]) if hand.get("kind") != BUST and "cards" in hand else ()
            if seat in first and seat != banker and "stake" in hand:
                fault = _of_stake(hand["stake"], first[seat], is_split=len(own) > 1)
                yield from (each.under("hands", seat, number) for each in fault)
    if len({*seen}) < len(seen):
        yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))


def _of_hand(hand: Mapping[str, Any]) -> Iterator[Problem]:
    """PN5: what is said of a hand, against each other and its cards."""
    kind, total = hand.get("kind"), hand.get("total")
    if total is not None and kind is not None and (total > BEST) != (kind == BUST):
        template = gettext_noop("Above 21 a hand is bust, and only then.")
        yield impossible("bust", template, ("total",))
    if kind == PONTOON and total not in {None, BEST}:
        yield impossible("pontoon-total", gettext_noop("A pontoon counts 21."), ("total",))
    if "cards" not in hand:
        return
    held = Hand(read_cards(hand["cards"]))
    if kind not in {None, held.kind}:
        yield inconsistent("hand-kind", gettext_noop("By its cards the hand is no such hand."), ("kind",))
    if total is not None and total < held.lowest:
        template = gettext_noop("These cards count at least %(lowest)d.")
        yield impossible("total-low", template, ("total",), lowest=held.lowest)
    elif total not in {None, held.total}:
        template = gettext_noop("These cards count %(total)d.")
        yield inconsistent("hand-total", template, ("total",), total=held.total)


def _of_stake(stake: int, first: int, *, is_split: bool) -> Iterator[Problem]:
    """PN9, PN11: the stake at the end against the first one."""
    if is_split and stake != first:
        template = gettext_noop("After a split each hand has the first stake.")
        yield impossible("split-stake", template, ("stake",))
    added = stake - first
    if added and not any(n * first <= added <= 2 * n * first for n in range(1, _PURCHASES + 1)):
        template = gettext_noop("No purchases make this stake of a first stake of %(first)d.")
        yield impossible("stake", template, ("stake",), first=first)


def _told(given: Mapping[str, Any], seats: Sequence[str]) -> dict[str, int]:
    """PN13, PN14, PN21: what follows from the hands."""
    hands, banker = given.get("hands", {}), given.get("banker")
    bank = (hands.get(banker) or [{}])[0]
    if not _is_told(bank):
        return {}
    found = {}
    for seat in seats:
        own = hands.get(seat, ())
        if seat != banker and own and all(_is_told(hand) and "stake" in hand for hand in own):
            found[seat] = sum(
                paid(hand["kind"], hand.get("total", 0), hand["stake"], bank["kind"], bank.get("total", 0))
                for hand in own
            )
    return {**found, str(banker): -sum(found.values())} if len(found) == len(seats) - 1 else found


def _is_told(hand: Mapping[str, Any]) -> bool:
    return "kind" in hand and (hand["kind"] != PLAIN or "total" in hand)
