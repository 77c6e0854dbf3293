"""Scoresheets at the one depth that every game has: what each deal was worth to each side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from engine.errors import quoted
from engine.game.values import CheckedSheet, Json, MatchResult, Points, Score
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import Word, gettext_noop

#: No sheet is longer, and no deal is worth more.
MOST_DEALS: Final = 1000
MOST_POINTS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Totals:
    """A deal as written down: the points of those sides that were given, and what is wrong with them."""

    total: Mapping[str, int]
    problems: tuple[Problem, ...] = ()

    @property
    def score(self) -> Points | None:
        """What the deal was worth, unless something is wrong or missing."""
        return None if any(problem.refuses for problem in self.problems) else Points(self.total)

    def as_json(self) -> dict[str, Json]:
        """The totals, as they are read."""
        return {"total": dict(self.total)} if self.total else {}


@dataclass(frozen=True, slots=True)
class WrittenDeal(Totals):
    """A deal as written down with the fields of its game: ``given`` has those that can be read.

    Its totals are there as far as they are known.
    """

    given: Mapping[str, Json] = field(default_factory=dict)

    @property
    def score(self) -> Points | None:
        """None where something is wrong or missing."""
        refused = any(problem.refuses for problem in self.problems)
        return None if refused else Points(self.total, self.detail())

    def detail(self) -> dict[str, Json]:
        """What the score says beside the points."""
        return dict(self.given)

    def as_json(self) -> dict[str, Json]:
        """What was given; of a field that cannot be read nothing."""
        return dict(self.given)


class Rules(Protocol):
    """What a game says of its totals."""

    def title(self, key: str) -> Word:
        """What people call a side."""

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """Why no deal gives these totals; else an empty text."""


def read_totals(data: object, sides: Sequence[str], rules: Rules) -> Totals:
    """The totals of a deal from JSON, whatever the JSON is."""
    given = data.get("total", {}) if isinstance(data, Mapping) else data
    if not isinstance(given, Mapping):
        template = gettext_noop("We can’t read %(given)s under “%(field)s”.")
        return Totals(
            {}, (impossible("bad-shape", template, ("total",), field="total", given=quoted(given)),)
        )
    problems = [
        impossible(
            "unknown-side", gettext_noop("There’s no side “%(given)s”."), ("total",), given=quoted(name)
        )
        for name in list(given)[:20]
        if name not in sides
    ]
    found: dict[str, int] = {}
    for side in sides:
        points = given.get(side)
        if type(points) is int and abs(points) <= MOST_POINTS:
            found[side] = points
        elif points is None:
            template = gettext_noop("%(side)s’s total is missing.")
            problems.append(
                impossible(
                    "total-missing", template, ("total", side), is_missing=True, side=rules.title(side)
                )
            )
        else:
            template = gettext_noop("“%(given)s” isn’t a number of points.")
            problems.append(impossible("bad-points", template, ("total", side), given=quoted(points)))
    if not problems and (fault := rules.fault_of_total(found)):
        problems.append(impossible("totals-impossible", fault, ("total",)))
    return Totals(found, tuple(problems))


def check_totals(
    content: object, read: Callable[[object, int], Totals], match: Callable[[Sequence[Score]], MatchResult]
) -> CheckedSheet:
    """A sheet of totals, whatever the JSON is: everything wrong with it, the scores and the result.

    ``read`` is told the number of each deal, from 0.
    """
    deals = content.get("deals", []) if isinstance(content, Mapping) else None
    if not isinstance(deals, list):
        template = gettext_noop("A scoresheet needs a list of deals.")
        return CheckedSheet((impossible("not-a-sheet", template),), (), (), match([]))
    records = tuple(read(data, number) if data else None for number, data in enumerate(deals[:MOST_DEALS]))
    problems: list[Problem] = []
    scores: list[Score | None] = []
    known: list[Score] = []
    for number, record in enumerate(records):
        score = None
        if match(known).is_over:
            template = gettext_noop("The match was over before deal %(number)d.")
            problems.append(impossible("deal-after-end", template, ("deals", number), number=number + 1))
        elif record is None:
            problems.append(_missing_deal(number))
        else:
            problems += [problem.under("deals", number) for problem in record.problems]
            score = record.score
        scores.append(score)
        known += [score] if score and len(known) == number else []
    result = match(known)
    if not result.is_over and len(known) == len(records):
        problems.append(_missing_deal(len(records)))
    return CheckedSheet(tuple(problems), records, tuple(scores), result)


def with_repeats(checked: CheckedSheet) -> CheckedSheet:
    """The same, with a mark on each deal that tells more than its totals and is the same as one before it."""
    told = [None if record is None else dict(record.as_json()) for record in checked.records]
    found = []
    for number, deal in enumerate(told):
        if deal and set(deal) - {"total"} and deal in told[:number]:
            template = gettext_noop("This deal is the same as deal %(number)d.")
            place = ("deals", number)
            found.append(suspicious("same-deal", template, place, number=told.index(deal) + 1))
    return replace(checked, problems=(*checked.problems, *found))


def wrong_running(checked: CheckedSheet) -> list[Problem]:
    """Running totals, ``{"running": {side: points}}`` in a deal, that are not the sum of the deals so far."""
    found: list[Problem] = []
    so_far: dict[str, int] = {}
    for number, (record, score) in enumerate(zip(checked.records, checked.scores, strict=True)):
        if score is None:
            break
        so_far = {side: so_far.get(side, 0) + points for side, points in score.total.items()}
        running = None if record is None else record.as_json().get("running")
        for side, points in running.items() if isinstance(running, Mapping) else ():
            if points != so_far.get(side):
                template = gettext_noop("The deals so far add up to %(points)d.")
                place = ("deals", number, "running", side)
                found.append(inconsistent("running-total", template, place, points=so_far.get(side, 0)))
    return found


def _missing_deal(number: int) -> Problem:
    template = gettext_noop("Deal %(number)d is missing. The match wasn’t over.")
    return impossible("deal-missing", template, ("deals", number), is_missing=True, number=number + 1)
