"""A deal of Bouillotte as people write it down, and all that can be wrong with it (BO22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.bouillotte.hands import (
    BEST_SUIT,
    BRELAN,
    CARRE,
    HAND,
    NAMES,
    PACK,
    PLAYERS,
    brelan,
    showdown,
)
from engine.bouillotte.play import CAVE, PASSED_OUT, SHOWDOWN, UNSEEN, State
from engine.game.fields import Reader, by_side, one_of, read_written_deal, row_of_cards, whole_number
from engine.game.sheets import MOST_POINTS, WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import in_order, read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

SEATS: Final = tuple(str(place + 1) for place in range(PLAYERS))
FIELDS: Final = (
    *("dealer", "outcome", "winner", "with", "put", "folded", "side", "up", "hands", "pot", "again", "total"),
)
#: BO22: so many deals running that all folded are odd.
MANY_PASSED: Final = 4
_YES_NO: Final = ("yes", "no")
#: BO15: nobody pays more than for a brelan carré and two others.
_MOST_SIDE: Final = 4
_MOST_ANTE: Final = 5


def read_written(data: object, ante: int | None, pot: int | None) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is; ``ante`` and the ``pot`` before it where they are known."""
    readers: dict[str, Reader] = {
        "dealer": one_of(SEATS),
        "outcome": one_of((SHOWDOWN, UNSEEN, PASSED_OUT)),
        "winner": one_of(SEATS),
        "with": one_of(tuple(NAMES)),
        "put": by_side(SEATS, whole_number(0, CAVE)),
        "folded": by_side(SEATS, one_of(_YES_NO)),
        "side": by_side(SEATS, whole_number(0, 2)),
        "up": row_of_cards(PACK, (1,)),
        "hands": by_side(SEATS, row_of_cards(PACK, (HAND,))),
        "pot": whole_number(0, MOST_POINTS),
        "again": one_of(_YES_NO),
        "total": by_side(SEATS, whole_number(-CAVE - _MOST_SIDE, MOST_POINTS)),
    }
    return read_written_deal(
        data,
        SEATS,
        readers,
        faults=lambda given: [
            *_impossible(given, ante),
            *_of_cards(given),
            *_inconsistent(given, ante, pot),
        ],
        told=lambda given: _told(given, ante, pot),
        fault_of_total=fault_of_total,
    )


def written(state: State) -> dict[str, Json]:
    """BO22: a deal that was played out."""
    score, (winner, shown) = state.score(), state.best
    found: dict[str, Json] = {
        "dealer": str(state.setting.dealer + 1),
        "outcome": state.now.outcome,
        "put": score.detail["put"],
        "folded": {seat: _YES_NO[place not in state.now.folded] for place, seat in enumerate(SEATS)},
        "up": state.setting.up,
        "pot": state.pot,
        "again": _YES_NO[winner is not None],
    }
    if state.side:
        found["side"] = score.detail["side"]
    if state.shown:
        found["hands"] = {SEATS[place]: "".join(state.setting.hands[place]) for place in state.shown}
    if winner is not None:
        found["winner"] = SEATS[winner]
    if shown:
        found["with"] = shown
    return {**found, "total": dict(score.total)}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """BO7, BO22: the deals of a sheet together."""
    given: list[Mapping[str, Any]] = [
        {} if record is None else record.as_json() for record in checked.records
    ]
    running = 0
    for number, score in enumerate(checked.scores):
        passed = score is not None and sum(score.total.values()) < 0
        running = running + 1 if passed else 0
        if running == MANY_PASSED:
            template = gettext_noop("Four deals running that all folded are rare.")
            yield suspicious("many-passed", template, ("deals", number))
        if number + 1 < len(given):
            yield from _next_dealer(given[number], given[number + 1], number + 1, is_passed=passed)
    if sum(deal.get("with") == CARRE for deal in given) > 1:
        template = gettext_noop("A brelan carré twice in a match is rare.")
        yield suspicious("carres", template, ("deals",))
    for number, deal in enumerate(given):
        if sum(points == CAVE for points in deal.get("put", {}).values()) >= 3:
            template = gettext_noop("Three players who put in all 30 are rare.")
            yield suspicious("many-caves", template, ("deals", number, "put"))


def _next_dealer(
    deal: Mapping[str, Any], after: Mapping[str, Any], number: int, *, is_passed: bool
) -> Iterator[Problem]:
    """BO2, BO7."""
    dealer, follows = deal.get("dealer"), after.get("dealer")
    if not dealer or not follows or not deal.get("total"):
        return
    expected = dealer if is_passed else SEATS[(SEATS.index(dealer) - 1) % PLAYERS]
    if follows != expected:
        template = gettext_noop("After the deal before seat %(seat)s deals.")
        yield inconsistent("next-dealer", template, ("deals", number, "dealer"), seat=expected)


def fault_of_total(total: Mapping[str, int]) -> str:
    """BO7, BO18: why no deal gives these totals; empty where one does."""
    if sum(total.values()) >= 0:
        return ""
    lost = [points for points in total.values() if points]
    if len(lost) == 1 and -_MOST_ANTE <= lost[0] < 0:
        return ""
    return gettext_noop(
        "Only when all fold does the pot stay; then the dealer loses the ante and nobody else."
    )


def _impossible(given: Mapping[str, Any], ante: int | None) -> Iterator[Problem]:
    put, folded, winner = given.get("put", {}), given.get("folded", {}), given.get("winner")
    if folded.get(winner) == "yes":
        yield impossible("winner-folded", gettext_noop("Who folded can’t win."), ("winner",))
    stakes = {put[seat] for seat in put if folded.get(seat) == "no"}
    if given.get("outcome") == SHOWDOWN and len(stakes) > 1:
        template = gettext_noop("At a showdown all who haven’t folded have put in the same.")
        yield impossible("stakes", template, ("put",))
    carres = [seat for seat, points in given.get("side", {}).items() if points == 2]
    if len(carres) > 1:
        template = gettext_noop("Two players can’t have a brelan carré.")
        yield impossible("two-carres", template, ("side",))
    if winner and given.get("outcome") == PASSED_OUT:
        yield impossible("winner-stays", gettext_noop("Nobody wins a pot that stays."), ("winner",))
    dealer = given.get("dealer")
    if ante is not None and dealer in put and put[dealer] < ante:
        template = gettext_noop("The dealer puts in at least the ante.")
        yield impossible("dealer-put", template, ("put", str(dealer)))
    total = given.get("total", {})
    idle = [seat for seat in SEATS if total.get(seat) == 0 and seat != dealer]
    if ante is not None and len(idle) == PLAYERS - 1 and not given.get("pot") and total.get(dealer, 0) > 0:
        template = gettext_noop("The pot can’t hold more than the ante and the winner’s own stake.")
        yield impossible("pot-from-nobody", template, ("total", str(dealer)))


def _of_cards(given: Mapping[str, Any]) -> Iterator[Problem]:
    """BO14 to BO17: the hands that were shown."""
    hands = {seat: in_order(read_cards(text)) for seat, text in given.get("hands", {}).items()}
    up, winner, shown = given.get("up"), given.get("winner"), given.get("with")
    counts = Counter(card for hand in hands.values() for card in hand)
    counts.update([up] if up else [])
    if counts and max(counts.values()) > 1:
        yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))
        return
    if up and winner in hands and shown in {CARRE, BRELAN}:
        is_carre, height = brelan(hands[winner], up)
        if not height or is_carre != (shown == CARRE):
            template = gettext_noop("The winner’s cards are no such hand.")
            yield inconsistent("winner-hand", template, ("with",))
    folded = given.get("folded", {})
    if up and len(hands) == len(folded) == PLAYERS and given.get("outcome") == SHOWDOWN:
        order = [place for place, seat in enumerate(SEATS) if folded[seat] == "no"]
        place, how = showdown([hands[seat] for seat in SEATS], up, order or [0])
        if (
            shown in {None, CARRE, BRELAN, BEST_SUIT}
            and how != "point"
            and winner not in {None, SEATS[place]}
        ):
            template = gettext_noop("By the cards seat %(seat)s wins.")
            yield inconsistent("winner-cards", template, ("winner",), seat=SEATS[place])


def _inconsistent(given: Mapping[str, Any], ante: int | None, pot: int | None) -> Iterator[Problem]:
    put = given.get("put", {})
    if pot is not None and ante is not None and len(put) == PLAYERS:
        staked = pot + sum(put.values())
        if given.get("pot", staked) != staked:
            template = gettext_noop("The pot must hold %(pot)d: what stayed before, and what was put in.")
            yield inconsistent("pot", template, ("pot",), pot=staked)
    again, outcome = given.get("again"), given.get("outcome")
    if again and outcome and (again == "yes") != (outcome == PASSED_OUT):
        template = gettext_noop("The same player deals again when all have folded, and only then.")
        yield inconsistent("again", template, ("again",))


def _told(given: Mapping[str, Any], ante: int | None, pot: int | None) -> dict[str, int]:
    """BO18; when all fold, only the dealer has put anything in (BO7)."""
    put, winner, side = given.get("put", {}), given.get("winner"), given.get("side", {})
    dealer = given.get("dealer")
    if given.get("outcome") == PASSED_OUT and dealer and ante is not None and not put:
        put = {seat: ante if seat == dealer else 0 for seat in SEATS}
    if len(put) < PLAYERS or (not winner and given.get("outcome") != PASSED_OUT):
        return {}
    won = given.get("pot", None if pot is None else pot + sum(put.values()))
    pays = sum(side.values())
    return {
        seat: -put[seat] + (won if seat == winner else 0) + PLAYERS * side.get(seat, 0) - pays
        for seat in SEATS
        if seat != winner or won is not None
    }
