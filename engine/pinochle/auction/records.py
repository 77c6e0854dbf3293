"""A deal of Auction Pinochle as people write it down, and all that can be wrong with it (AP23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number, wrong_dealer
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import SUITS
from engine.pinochle.auction.play import (
    BETE,
    DOUBLE_BETE,
    HIGHEST,
    KITTY,
    LOWEST,
    MADE,
    PASSED_OUT,
    STEP,
    THROWN,
    THROWN_IN,
    State,
    active_seats,
    points_of,
    units_of,
)
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

FIELDS: Final = ("dealer", "bidder", "contract", "trump", "outcome", "meld", "cards", "kitty", "total")
OUTCOMES: Final = (MADE, BETE, DOUBLE_BETE, THROWN_IN, PASSED_OUT)
#: AP15: all cards and the last trick.
CARDS: Final = 250
#: AP23.
HIGH_CONTRACT, HIGH_MELD, MANY_THROWN = 500, 300, 3
_MOST: Final = 60 * 10
_MOST_MELD: Final = 2000
_UNITS: Final = frozenset(units_of(bid) for bid in range(LOWEST, HIGHEST + STEP, STEP))


def read_written(
    data: object, seats: Sequence[str], options: Mapping[str, Any] | None, dealer: str | None = None
) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is; ``options`` and ``dealer`` where they are known."""
    readers: dict[str, Reader] = {
        "dealer": one_of(seats),
        "bidder": one_of(seats),
        "contract": whole_number(LOWEST, HIGHEST),
        "trump": one_of(tuple(SUITS)),
        "outcome": one_of(OUTCOMES),
        "meld": whole_number(0, _MOST_MELD),
        "cards": whole_number(0, CARDS),
        "kitty": whole_number(-_MOST, _MOST),
        "total": by_side(seats, whole_number(-_MOST, _MOST)),
    }
    return read_written_deal(
        _with_kitty(data),
        seats,
        readers,
        faults=lambda given: [
            *_impossible({"dealer": dealer, **given}, seats, options),
            *_inconsistent(given, seats),
            *wrong_dealer(given, dealer, seats),
        ],
        told=lambda given: _told(given, seats, has_kitty=options["kitty"]) if options else {},
        fault_of_total=fault_of_total,
    )


def _with_kitty(data: object) -> object:
    """AP18: totals that have the kitty among them."""
    total = data.get("total") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(total, Mapping) or KITTY not in total:
        return data
    rest = {seat: points for seat, points in total.items() if seat != KITTY}
    return {KITTY: total[KITTY], **data, "total": rest}


def written(state: State) -> dict[str, Json]:
    """AP23: a deal that was played out."""
    score = state.score()
    found: dict[str, Json] = {"dealer": str(state.setting.dealer + 1), "outcome": state.now.outcome}
    names = {"bidder": "bidder", "bid": "contract", "trump": "trump", "cards": "cards"}
    found |= {name: score.detail[each] for each, name in names.items() if score.detail[each] is not None}
    if score.detail["melds"]:
        found["meld"] = score.detail["meld"]
    total = dict(score.total)
    kitty = total.pop(KITTY)
    return {**found, "kitty": kitty, "total": total}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """AP23, of the whole sheet."""
    running = 0
    for number, record in enumerate(checked.records):
        given = record.as_json() if record is not None else {}
        running = running + 1 if given.get("outcome") == THROWN_IN else 0
        if running == MANY_THROWN:
            template = gettext_noop("Three deals running that are thrown in are rare.")
            yield suspicious("many-thrown", template, ("deals", number))


def fault_of_total(total: Mapping[str, int]) -> str:
    """AP16 to AP18: why no contract gives these totals; empty where one does."""
    seats = [points for seat, points in total.items() if seat != KITTY]
    if not any(seats) or sorted(seats) == [-THROWN, *[0] * (len(seats) - 1)]:
        return ""
    for bidder in seats:
        others = list(seats)
        others.remove(bidder)
        units = abs(others[0])
        is_unit = units in _UNITS or (units % 2 == 0 and (units // 2 in _UNITS or units // 4 in _UNITS))
        if (
            len({*others}) == 1
            and is_unit
            and bidder in {-others[0] * len(others), -others[0] * (len(others) + 1)}
        ):
            return ""
    return gettext_noop("No contract gives these scores.")


def _impossible(
    given: Mapping[str, Any], seats: Sequence[str], options: Mapping[str, Any] | None
) -> Iterator[Problem]:
    contract, outcome, bidder, dealer = (
        given.get(name) for name in ("contract", "outcome", "bidder", "dealer")
    )
    if contract and contract % STEP:
        yield impossible("contract-step", gettext_noop("Contracts are multiples of 10."), ("contract",))
    if given.get("meld", 0) % STEP:
        yield impossible("meld-step", gettext_noop("Melds are multiples of 10."), ("meld",))
    if bidder and dealer:
        active = [seats[place] for place in active_seats(len(seats), seats.index(dealer))]
        if bidder not in active:
            template = gettext_noop("The bidder isn’t active in this deal.")
            yield impossible("inactive", template, ("bidder",))
    if outcome == PASSED_OUT and options and options["forced"]:
        template = gettext_noop("The first player must bid: a deal can’t be passed out.")
        yield impossible("passed-out", template, ("outcome",))
    if outcome == THROWN_IN and contract not in {None, LOWEST}:
        template = gettext_noop("Only a contract of 300 can be thrown in.")
        yield impossible("thrown-in", template, ("contract",))
    meld = given.get("meld", 0)
    if contract and contract >= HIGH_CONTRACT:
        yield suspicious("high-contract", gettext_noop("A contract of 500 or more is rare."), ("contract",))
    if meld >= HIGH_MELD:
        yield suspicious("high-meld", gettext_noop("Melds of 300 or more are rare."), ("meld",))
    if contract and outcome == BETE and meld >= contract:
        template = gettext_noop("Melds that reach the contract, and yet a bete: that’s rare.")
        yield suspicious("bete-meld", template, ("meld",))


def _inconsistent(given: Mapping[str, Any], seats: Sequence[str]) -> Iterator[Problem]:
    contract, outcome, cards, meld = (given.get(name) for name in ("contract", "outcome", "cards", "meld"))
    if contract and meld is not None and outcome in {MADE, DOUBLE_BETE}:
        is_known = cards is not None or meld >= contract
        has_made = meld + (cards or 0) >= contract
        if is_known and has_made != (outcome == MADE):
            template = gettext_noop("Melds and cards make %(points)d: that doesn’t go with the outcome.")
            yield inconsistent("outcome", template, ("outcome",), points=meld + (cards or 0))
    total, bidder, kitty = given.get("total", {}), given.get("bidder"), given.get(KITTY)
    if kitty is not None and len(total) == len(seats) and sum(total.values()) + kitty:
        template = gettext_noop("The players and the kitty must add up to 0.")
        yield inconsistent("kitty-sum", template, (KITTY,))
    if bidder and len({points for seat, points in total.items() if seat != bidder}) > 1:
        template = gettext_noop("All but the bidder have the same score.")
        yield inconsistent("others", template, ("total",))


def _told(given: Mapping[str, Any], seats: Sequence[str], *, has_kitty: bool) -> dict[str, int]:
    """AP16 to AP18."""
    outcome, bidder, contract, trump = (
        given.get(name) for name in ("outcome", "bidder", "contract", "trump")
    )
    if outcome == PASSED_OUT:
        return dict.fromkeys(seats, 0)
    needs_trump = outcome in {MADE, DOUBLE_BETE}
    if not outcome or not bidder or not (contract or outcome == THROWN_IN) or (needs_trump and not trump):
        return {}
    found = points_of(seats, outcome, bidder, contract or LOWEST, trump or "", has_kitty=has_kitty)
    return {seat: found[seat] for seat in seats}
