"""Matches that are sums of their deals: a number of them, or up to a target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.errors import OptionError
from engine.game.values import Json, MatchResult, Options, Score
from engine.options import OptionField, option_values
from engine.text import gettext_noop


def sum_of_deals(
    scores: Sequence[Score],
    sides: Iterable[str],
    *,
    deals: int | None = None,
    target: int | None = None,
    lower_is_better: bool = False,
    next_options: Options | None = None,
) -> MatchResult:
    """The match after these deals: over after ``deals`` of them, or with the deal in which a total reaches ``target``.

    Where fewer points are better the target is reached from above: totals count down to it.
    """
    total = dict.fromkeys(sides, 0)
    counted, is_over = 0, deals == 0
    for score in scores:
        if is_over:
            break
        counted += 1
        for side in total:
            total[side] += score.total[side]
        is_over = counted == deals or _is_reached(total.values(), target, lower_is_better=lower_is_better)
    ranks = ranks_of(total, lower_is_better=lower_is_better)
    return MatchResult(
        counted=counted,
        points=total,
        bonus=dict.fromkeys(total, 0),
        total=total,
        winners=winners_of(ranks) if is_over else (),
        is_over=is_over,
        ranks=ranks,
        next_options={} if is_over or next_options is None else next_options,
    )


def deals_or_target(fields: Sequence[OptionField], data: object) -> dict[str, Json]:
    """The options of a game whose matches have a number of ``deals`` or a ``target``: one of the two is 0.

    Where only one is given, the other follows. Raises OptionError with every fault in ``causes``.
    """
    given = option_values(fields, data)
    named = {"deals", "target"} & given.keys()
    usual: dict[str, Json] = {field.name: field.default for field in fields}
    for name, other in (("deals", "target"), ("target", "deals")):
        if named == {name} and given[name]:
            usual[other] = 0
    chosen = {**usual, **given}
    if bool(chosen["deals"]) == bool(chosen["target"]):
        template = gettext_noop("A match has a number of deals or a target: one of the two must be 0.")
        raise OptionError("option-value", template, place=("deals",))
    return chosen


def ranks_of(total: Mapping[str, int], *, lower_is_better: bool = False) -> dict[str, int]:
    """Each side's place, 1 for the best; sides with equal totals share one, and the places after it are not given."""
    sign = 1 if lower_is_better else -1
    return {
        side: 1 + sum(sign * other < sign * points for other in total.values())
        for side, points in total.items()
    }


def winners_of(ranks: Mapping[str, int]) -> tuple[str, ...]:
    """The sides in first place; none where all are level."""
    first = tuple(side for side, rank in ranks.items() if rank == 1)
    return first if len(first) < len(ranks) else ()


def _is_reached(totals: Iterable[int], target: int | None, *, lower_is_better: bool) -> bool:
    if target is None:
        return False
    return min(totals) <= target if lower_is_better else max(totals) >= target
