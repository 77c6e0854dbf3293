"""The divisions of a competition, as its set-up plans them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from league import validation
from league.errors import Conflict
from league.models import Competition, Division

MOST = 40


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """What a director says of one division; an empty name becomes "Division 1", "Division 2", ...

    A parallel one plays at the level of the one before it.
    """

    name: str = ""
    promoted: int = 0
    relegated: int = 0
    is_parallel: bool = False


def faults(plans: Sequence[DivisionPlan]) -> list[validation.Fault]:
    """What is wrong with the planned divisions, the highest first."""
    if not 1 <= len(plans) <= MOST:
        return [
            validation.fault(
                _("A competition can have 1 to %(most)d divisions.") % {"most": MOST}, "divisions"
            )
        ]
    found = []
    names = Counter(_name(plan, level).casefold() for level, plan in enumerate(plans, start=1))
    for level, plan in enumerate(plans, start=1):
        place = ("divisions", level - 1)
        row = Division(level=level, **_values(plan, level))
        found += [
            validation.fault(each["message"], *place, *each["place"]) for each in validation.faults_of(row)
        ]
        if names[row.name.casefold()] > 1:
            message = _("Two divisions are called “%(name)s”.") % {"name": row.name}
            found.append(validation.fault(message, *place, "name"))
        if plan.is_parallel:
            found += _faults_beside(plan, plans[level - 2] if level > 1 else None, place)
    return found


def _faults_beside(
    plan: DivisionPlan, before: DivisionPlan | None, place: tuple[str, int]
) -> list[validation.Fault]:
    if before is None:
        return [validation.fault(_("There is no division before the first one."), *place, "is_parallel")]
    if (plan.promoted, plan.relegated) != (before.promoted, before.relegated):
        said = _("Divisions at one level promote and relegate the same numbers.")
        return [validation.fault(said, *place, "promoted")]
    return []


def plans_of(divisions: Iterable[Division]) -> tuple[DivisionPlan, ...]:
    """The plans that make these divisions."""
    return tuple(
        DivisionPlan(each.name, each.promoted, each.relegated, each.is_parallel) for each in divisions
    )


def arrange(competition: Competition, plans: Sequence[DivisionPlan]) -> None:
    """Makes the competition's divisions the planned ones, by level: for services that have checked who may."""
    existing = {division.level: division for division in competition.stage.divisions.all()}
    for level in set(existing) - set(range(1, len(plans) + 1)):
        _remove(existing.pop(level))
    # Names are free for exchange among the divisions.
    for level, division in existing.items():
        Division.objects.filter(pk=division.pk).update(name=f"\N{ZERO WIDTH SPACE}{level}")
    for level, plan in enumerate(plans, start=1):
        Division.objects.update_or_create(stage=competition.stage, level=level, defaults=_values(plan, level))


def differ(competition: Competition, plans: Sequence[DivisionPlan]) -> bool:
    """Whether the plans are others than the divisions that there are."""
    there = plans_of(competition.stage.divisions.order_by("level"))
    return [asdict(each) for each in there] != [_values(plan, n) for n, plan in enumerate(plans, start=1)]


def _remove(division: Division) -> None:
    if division.entries.exists():
        raise Conflict(
            _("%(name)s still has entries. Move or remove them first, then remove the division.")
            % {"name": division}
        )
    division.delete()


def _name(plan: DivisionPlan, level: int) -> str:
    return validation.one_line(plan.name) or _("Division %(level)d") % {"level": level}


def _values(plan: DivisionPlan, level: int) -> dict[str, Any]:
    return {**asdict(plan), "name": _name(plan, level)}
