"""A deal of Conquian as people write it down, and all that can be wrong with it (CQ20 to CQ23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.conquian.melds import CARDS, grouping, is_meld
from engine.conquian.play import ENOUGH, HAND, SEATS, STOCK, State, read
from engine.errors import CardError, quoted
from engine.game.core import SEAT_NAMES
from engine.game.fields import by_side, one_of, read_fields, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import cards_text, read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

NOBODY: Final = "-"
#: CQ23: a win before so many cards were turned is rare.
EARLY: Final = 4


def read_written(data: object) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    fields, problems = read_fields(data, _READERS)
    given: Mapping[str, Any] = fields
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    total, more = _total(given)
    problems += more + _cards_twice(given)
    if not problems:
        winner = next((seat for seat in SEATS if total[seat]), NOBODY)
        problems = _impossible(given, winner) + _inconsistent(given, winner)
        if winner != NOBODY and given.get("turned", EARLY) < EARLY and not problems:
            template = gettext_noop("A win before the fourth card of the stock is rare.")
            problems.append(suspicious("early-win", template, ("turned",)))
    return WrittenDeal(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """CQ20: a deal that was played out."""
    now = state.now
    return {
        "winner": SEATS[now.winner] if now.winner >= 0 else NOBODY,
        "melds": {seat: list(grouping(down)) for seat, down in zip(SEATS, now.down, strict=True)},
        "left": {seat: hand.bit_count() for seat, hand in zip(SEATS, now.hands, strict=True)},
        "turned": now.turned,
        "total": dict(state.score().total),
    }


def with_sheet_checks(checked: CheckedSheet) -> CheckedSheet:
    """CQ23, of the sheet: a match of draws only."""
    scores = [score for score in checked.scores if score is not None]
    if not checked.result.is_over or any(any(score.total.values()) for score in scores):
        return checked
    template = gettext_noop("A match of draws only is rare.")
    return replace(checked, problems=(*checked.problems, suspicious("all-drawn", template, ("deals",))))


def fits_deal(given: Mapping[str, Any], deal: str) -> bool:
    """CQ22: whether these melds can have been laid on this board: of the stock only cards that were turned, and from
    the other's hand only what they can have discarded.
    """
    dealt, turned = read(deal), given.get("turned", STOCK)
    if set(dealt.stock[turned:]) & {card for seat in SEATS for card in _down(given, seat)}:
        return False
    return all(
        len(set(hand) & {*_down(given, other)}) <= HAND - len(set(hand) & {*_down(given, seat)}) - left
        for seat, other, hand in zip(SEATS, reversed(SEATS), dealt.hands, strict=True)
        for left in (given.get("left", {}).get(seat, 0),)
    )


def fault_of_total(total: Mapping[str, int]) -> str:
    """CQ14, CQ21: why no deal gives these totals, in a sentence; empty where one does."""
    if sorted(total.values()) in ([0, 0], [0, 1]):
        return ""
    return gettext_noop("The winner of a deal scores 1, the other 0; in a draw both score 0.")


def _melds(given: object) -> tuple[list[str] | None, list[Problem]]:
    """CQ4: a list of melds, each as text."""
    melds: list[Any] = list(given)[:5] if isinstance(given, list | tuple) else [given]
    found, problems = [], []
    for meld in melds:
        try:
            cards = read_cards(meld if isinstance(meld, str) and len(meld) <= 2 * HAND else "?")
            if len(set(cards)) == len(cards) and is_meld(CARDS.bits_of(cards)):
                found.append(cards_text(cards))
                continue
        except (CardError, KeyError):
            pass
        template = gettext_noop("“%(given)s” is neither a set nor a run.")
        problems.append(impossible("no-meld", template, given=quoted(meld)))
    return found, problems


_READERS: Final = {
    "winner": one_of((*SEATS, NOBODY)),
    "melds": by_side(SEATS, _melds),
    "left": by_side(SEATS, whole_number(0, HAND)),
    "turned": whole_number(0, STOCK),
    "total": by_side(SEATS, whole_number(0, 1)),
}
#: CQ20.
FIELDS: Final = tuple(_READERS)


def _total(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """CQ14: the totals, as written or by the winner."""
    total: dict[str, int] = dict(given.get("total", {}))
    if "winner" in given:
        won = {seat: int(seat == given["winner"]) for seat in SEATS}
        template = gettext_noop("The points don’t go with the winner.")
        wrong = [seat for seat in total if total[seat] != won[seat]]
        return won, [inconsistent("total-winner", template, ("total", seat)) for seat in wrong]
    template = gettext_noop("%(side)s’s total is missing.")
    missing = [
        impossible("total-missing", template, ("total", seat), is_missing=True, side=name)
        for seat, name in zip(SEATS, SEAT_NAMES, strict=False)
        if seat not in total
    ]
    if not missing and (fault := fault_of_total(total)):
        return total, [impossible("totals-impossible", fault, ("total",))]
    return total, missing


def _down(given: Mapping[str, Any], seat: str) -> list[str]:
    """The cards of a seat's melds."""
    return [card for meld in given.get("melds", {}).get(seat, ()) for card in read_cards(meld)]


def _cards_twice(given: Mapping[str, Any]) -> list[Problem]:
    cards = [card for seat in SEATS for card in _down(given, seat)]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    template = gettext_noop("%(card)s is there twice.")
    return [impossible("card-twice", template, ("melds",), card=Card.parse(card).symbol) for card in twice]


def _impossible(given: Mapping[str, Any], winner: str) -> list[Problem]:
    """CQ21."""
    found, turned, left = [], given.get("turned", STOCK), given.get("left", {})
    for seat in given.get("melds", {}):
        size = len(_down(given, seat))
        if seat == winner and size != ENOUGH:
            template = gettext_noop("The winner has eleven cards down, not %(count)d.")
            found.append(impossible("not-eleven", template, ("melds", seat), count=size))
        if seat != winner and size > HAND:
            template = gettext_noop("Only a winner can have more than ten cards down.")
            found.append(impossible("too-many", template, ("melds", seat)))
    if winner == NOBODY and turned < STOCK:
        template = gettext_noop("A deal is drawn only when the stock is used up.")
        found.append(impossible("draw-early", template, ("turned",)))
    is_first_card = turned == 1 and any(left.get(seat) == HAND for seat in SEATS if seat != winner)
    if winner != NOBODY and (turned == 0 or is_first_card):
        template = gettext_noop("Nobody can win with the first card: the melds would come from the hand.")
        found.append(impossible("first-card", template, ("turned",)))
    return found


def _inconsistent(given: Mapping[str, Any], winner: str) -> list[Problem]:
    """CQ22: hand and table are ten cards, a winner's eleven."""
    found = []
    for seat, count in given.get("left", {}).items():
        if seat == winner and count:
            template = gettext_noop("The winner has no cards left.")
            found.append(inconsistent("winner-left", template, ("left", seat)))
        elif seat != winner and seat in given.get("melds", {}) and count + len(_down(given, seat)) != HAND:
            template = gettext_noop("The cards left and the cards down must be ten together.")
            found.append(inconsistent("not-ten", template, ("left", seat)))
    return found
