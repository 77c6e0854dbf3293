"""The scoresheet of a whole match: its deals read and checked together (R2, R15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, final

from engine.concerto.checking import check
from engine.concerto.match import match_result
from engine.concerto.options import GAME_TOTAL, Options
from engine.concerto.records import messages
from engine.concerto.records.hand_parsing import text_key
from engine.concerto.records.parsing import read_claims, read_record
from engine.concerto.records.record import NO_CLAIM, NO_HANDS, Record
from engine.deals import Deal
from engine.errors import quoted
from engine.game.values import CheckedSheet, MatchResult, Score
from engine.problems import Problem
from engine.seats import SIDES, BySide, Seat

_FIELDS: Final = frozenset({"deals", "total", "note"})


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """A scoresheet as it was written: a record for each deal, None where one is not given."""

    records: tuple[Record | None, ...] = ()
    total: BySide[int | None] = NO_CLAIM
    """The match's totals, bonus included, if written."""
    faults: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The sheet in the form that is read."""
        found: dict[str, Any] = {"deals": [record.as_json() if record else None for record in self.records]}
        if self.total != NO_CLAIM:
            found["total"] = {side.value: points for side, points in self.total.items() if points is not None}
        return found


def read_sheet(content: object, first_dealer: Seat, options: Options) -> Sheet:
    """A match's sheet from JSON, whatever the JSON is. R2: the deal passes to the left after each deal."""
    faults: list[Problem] = []
    deals = content.get("deals") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(deals, list | None):
        return Sheet(faults=(messages.NOT_A_SHEET.at(()),))
    if not _FIELDS.issuperset(content):
        faults += [
            messages.UNKNOWN_FIELD.at((text_key(name),), given=quoted(name))
            for name in list(content)[:20]
            if name not in _FIELDS
        ]
    given = _without_trailing_gaps(deals or [])
    if len(given) > options.deals:
        faults.append(
            messages.TOO_MANY_DEALS.at(("deals", options.deals), count=len(given), most=options.deals)
        )
    records = tuple(
        None if data is None or data == {} else read_record(data, first_dealer.after(number))
        for number, data in enumerate(given[: options.deals])
    )
    return Sheet(records, read_claims(content.get("total"), "total", faults), tuple(faults))


def _without_trailing_gaps(deals: Sequence[object]) -> Sequence[object]:
    count = len(deals)
    while count and (deals[count - 1] is None or deals[count - 1] == {}):
        count -= 1
    return deals[:count]


def check_sheet(sheet: Sheet, options: Options, deals: Sequence[Deal | None] = ()) -> CheckedSheet:
    """Everything wrong with the sheet; ``deals`` are the deals in order, where boards are known."""
    problems = list(sheet.faults)
    scores: list[Score | None] = []
    for number, record in enumerate(sheet.records):
        ended = _ended_with(scores, options)
        if ended is not None:
            problems.append(messages.DEAL_AFTER_END.at(("deals", number), last=ended + 1, number=number + 1))
            scores.append(None)
        elif record is None:
            problems.append(messages.NEXT_DEAL_MISSING.at(("deals", number), number=number + 1))
            scores.append(None)
        else:
            checked = check(record, deals[number] if number < len(deals) else None)
            problems += [problem.under("deals", number) for problem in checked.problems]
            scores.append(checked.score)
    settled = list(takewhile(lambda score: score is not None, scores))
    result = match_result([score for score in settled if score is not None], options)
    problems += _end_problems(sheet, scores, result)
    problems += _repeated(sheet)
    return CheckedSheet(tuple(problems), sheet.records, tuple(scores), result)


def _ended_with(scores: Sequence[Score | None], options: Options) -> int | None:
    """R15: the deal (from 0) in which a side reached 100, if one did; deals not scored cannot undo that."""
    if not options.early_end:
        return None
    points = dict.fromkeys(SIDES, 0)
    for number, score in enumerate(scores):
        for side in SIDES:
            points[side] += score.total[side] if score else 0
        if max(points.values()) >= GAME_TOTAL:
            return number
    return None


def _end_problems(sheet: Sheet, scores: Sequence[Score | None], result: MatchResult) -> Iterator[Problem]:
    """What is lacking at the end, and a total of the match that differs."""
    if not any(sheet.records):
        yield messages.NO_DEALS.at(("deals",))
        return
    if any(score is None for score in scores):
        return
    if not result.is_over:
        number = len(scores)
        yield messages.NEXT_DEAL_MISSING.at(("deals", number), number=number + 1)
        return
    for side in SIDES:
        claimed, computed = sheet.total[side], result.total[side]
        if claimed is not None and claimed != computed:
            yield messages.MATCH_TOTAL_DIFFERS.at(
                ("total", side.value), side=side.title, computed=computed, claimed=claimed
            )


def _repeated(sheet: Sheet) -> Iterator[Problem]:
    """Two deals with the same hands: more likely copied than dealt."""
    for number, record in enumerate(sheet.records):
        if record is None or record.hands == NO_HANDS:
            continue
        for first, earlier in enumerate(sheet.records[:number]):
            if earlier is not None and earlier.hands == record.hands:
                yield messages.SAME_DEAL.at(("deals", number), first=first + 1, number=number + 1)
                break
