"""A deal of Twenty Down as people write it down, and all that can be wrong with it (TD18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number, wrong_dealer
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import SUITS
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop
from engine.twenty_down.play import ALONE, DIAMONDS, HEARTS, NO_TRICK, PLAYERS, TRICKS, State, points_of

SEATS: Final = tuple(str(place + 1) for place in range(PLAYERS))
FIELDS: Final = ("dealer", "trump", "in", "tricks", "running", "total")
#: TD13: after so many deals hearts are always trump.
LATE_FROM: Final = 8
_YES_NO: Final = ("yes", "no")
_MOST_RUNNING: Final = 1000


def read_written(data: object, *, is_late: bool | None, dealer: str | None = None) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is; ``is_late`` (TD13) and ``dealer`` where they are known."""
    readers: dict[str, Reader] = {
        "dealer": one_of(SEATS),
        "trump": one_of(tuple(SUITS)),
        "in": by_side(SEATS, one_of(_YES_NO)),
        "tricks": by_side(SEATS, whole_number(0, TRICKS)),
        "running": by_side(SEATS, whole_number(-_MOST_RUNNING, _MOST_RUNNING)),
        "total": by_side(SEATS, whole_number(2 * ALONE, 2 * NO_TRICK)),
    }
    return read_written_deal(
        data,
        SEATS,
        readers,
        faults=lambda given: [
            *_impossible({"dealer": dealer, **given}, is_late=bool(is_late)),
            *_of_scores(given),
            *wrong_dealer(given, dealer, SEATS),
        ],
        told=_told,
        fault_of_total=lambda total: fault_of_total(total, is_late=bool(is_late)),
    )


def written(state: State) -> dict[str, Json]:
    """TD18: a deal that was played out."""
    score = state.score()
    return {
        "dealer": str(state.setting.dealer + 1),
        "trump": state.now.trump,
        "in": {seat: _YES_NO[place not in state.now.playing] for place, seat in enumerate(SEATS)},
        "tricks": score.detail["tricks"],
        "total": dict(score.total),
    }


def with_sheet_checks(checked: CheckedSheet, start: int) -> CheckedSheet:
    """TD18, of the whole sheet."""
    given: list[Mapping[str, Any]] = [
        {} if record is None else record.as_json() for record in checked.records
    ]
    return replace(
        checked, problems=(*checked.problems, *_running(checked, given, start), *_odd(checked, given))
    )


def _running(checked: CheckedSheet, given: list[Mapping[str, Any]], start: int) -> Iterator[Problem]:
    """TD12: totals so far."""
    total = dict.fromkeys(SEATS, start)
    for number, (deal, score) in enumerate(zip(given, checked.scores, strict=True)):
        if score is None:
            return
        total = {seat: total[seat] + score.total[seat] for seat in SEATS}
        for seat, points in deal.get("running", {}).items():
            if points != total[seat]:
                template = gettext_noop("The running total must be %(points)d.")
                place = ("deals", number, "running", seat)
                yield inconsistent("running", template, place, points=total[seat])


def _odd(checked: CheckedSheet, given: list[Mapping[str, Any]]) -> Iterator[Problem]:
    alone = [deal for deal in given if list(deal.get("in", {}).values()).count("yes") == 1]
    if len(alone) > 1:
        template = gettext_noop("It’s rare that all others are out twice in a match.")
        yield suspicious("alone-twice", template, ("deals",))
    for number, deal in enumerate(given):
        playing = list(deal.get("in", {}).values()).count("yes")
        if TRICKS in deal.get("tricks", {}).values() and playing == PLAYERS:
            template = gettext_noop("All five tricks for one of four players are rare.")
            yield suspicious("five-tricks", template, ("deals", number, "tricks"))
    scores = [score for score in checked.scores if score is not None]
    for seat in SEATS:
        if len(scores) > 2 and all(score.total[seat] > 0 for score in scores):
            template = gettext_noop("A player who is always in and never takes a trick is rare.")
            yield suspicious("never-trick", template, ("deals",))


def fault_of_total(total: Mapping[str, int], *, is_late: bool = False) -> str:
    """TD10, TD11, TD18: why no deal gives these totals; empty where one does."""
    points = sorted(total.values())
    for factor in (2,) if is_late else (1, 2):
        if any(each % factor for each in points):
            continue
        each = [one // factor for one in points]
        if each == [ALONE, 0, 0, 0] and not is_late:
            return ""
        is_in = [one for one in each if one]
        is_possible = all(one == NO_TRICK or -TRICKS <= one < 0 for one in is_in)
        if is_possible and len(is_in) > 1 and sum(one for one in is_in if one < 0) == -TRICKS:
            return "" if not is_late or len(is_in) == PLAYERS else _NO_PLAY
    return _NO_PLAY


_NO_PLAY: Final = gettext_noop(
    "No deal gives these scores: five tricks at a point each, and 5 for who is in without one, all doubled with hearts."
)


def _impossible(given: Mapping[str, Any], *, is_late: bool) -> Iterator[Problem]:
    tricks, playing, trump, dealer = (given.get(name) for name in ("tricks", "in", "trump", "dealer"))
    playing, tricks = playing or {}, tricks or {}
    out = [seat for seat, answer in playing.items() if answer == "no"]
    alone = len(out) == PLAYERS - 1
    if len(tricks) == PLAYERS and sum(tricks.values()) != (0 if alone else TRICKS):
        template = gettext_noop("The total is %(sum)d. It must be %(whole)d.")
        whole = 0 if alone else TRICKS
        yield impossible("tricks-sum", template, ("tricks",), sum=sum(tricks.values()), whole=whole)
    for seat in out:
        if tricks.get(seat):
            template = gettext_noop("A player who is out takes no trick.")
            yield impossible("out-tricks", template, ("tricks", seat))
    if dealer and SEATS[(SEATS.index(dealer) + 1) % PLAYERS] in out:
        yield impossible("eldest-out", gettext_noop("Eldest is always in."), ("in",))
    if out and (trump == DIAMONDS or is_late):
        template = gettext_noop("With diamonds, and from the ninth deal on, everybody is in.")
        yield impossible("out", template, ("in", out[0]))
    if len(out) == PLAYERS:
        yield impossible("eldest-out", gettext_noop("Eldest is always in."), ("in",))
    if is_late and trump not in {None, HEARTS}:
        template = gettext_noop("From the ninth deal on hearts are trumps.")
        yield impossible("late-trump", template, ("trump",))


def _of_scores(given: Mapping[str, Any]) -> Iterator[Problem]:
    if given.get("trump") == HEARTS:
        for seat, points in given.get("total", {}).items():
            if points % 2:
                template = gettext_noop("With hearts all scores are even.")
                yield impossible("odd-hearts", template, ("total", seat))


def _told(given: Mapping[str, Any]) -> dict[str, int]:
    """TD10, TD11."""
    tricks, playing, trump = given.get("tricks", {}), given.get("in", {}), given.get("trump")
    if not trump or len(playing) < PLAYERS:
        return {}
    inside = [seat for seat in SEATS if playing[seat] == "yes"]
    if len(inside) == 1:
        return points_of(dict.fromkeys(SEATS, 0), inside, trump, inside[0])
    return (
        points_of({seat: tricks[seat] for seat in SEATS}, inside, trump, "") if len(tricks) == PLAYERS else {}
    )
