"""Which prizes a competition has, in order of worth, and what each is for (F151)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contest.prizes import Condition, Prize
from league import policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions
from league.errors import Invalid
from league.models import Competition
from league.words import sentences

MOST = 30
MOST_PLACE = 20
LONGEST = 80
#: What becomes of a prize for those who are level, as said before.
LEVEL: dict[str, Promise] = {
    "share": gettext_lazy("they share the prizes of their places"),
    "lots": gettext_lazy("lots are drawn for the prizes of their places"),
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A prize and its condition."""

    name: str
    condition: Prize


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes, the worthiest first, and a key of LEVEL."""

    offered: tuple[Offered, ...] = ()
    level: str = "share"


def of_competition(competition: Competition) -> PrizeList:
    """What is kept of the competition."""
    kept = competition.prizes
    if not kept:
        return PrizeList()
    rows = tuple(Offered(name, Prize(Condition(key), number)) for key, number, name in kept["prizes"])
    return PrizeList(rows, kept["level"])


def check(competition: Competition, wanted: PrizeList, divisions: Iterable[int]) -> PrizeList:
    """The list as it is kept. Raises Invalid with every fault, at the number of its prize from 0."""
    levels = set(divisions)
    faults = [
        validation.fault(message, index)
        for index, offered in enumerate(wanted.offered)
        for message in _faults(competition, offered, wanted.offered[:index], levels)
    ]
    if wanted.level not in LEVEL:
        faults.append(validation.fault(_("Say what becomes of a prize for those who are level."), "level"))
    if len(wanted.offered) > MOST:
        faults.append(validation.fault(_("Please name at most %(most)d prizes.") % {"most": MOST}))
    validation.refuse(faults)
    rows = (Offered(validation.one_line(each.name), each.condition) for each in wanted.offered)
    return PrizeList(tuple(rows), wanted.level)


def _faults(
    competition: Competition, offered: Offered, before: Sequence[Offered], levels: set[int]
) -> Iterable[str]:
    name, condition = validation.one_line(offered.name), offered.condition
    if not name:
        yield _("Say what the prize is: “cup”, or “€50”.")
    elif len(name) > LONGEST:
        yield _("Please use at most %(most)d characters.") % {"most": LONGEST}
    else:
        yield from validation.name_faults(name)
    if condition.condition is Condition.PLACE:
        if not 1 <= condition.number <= MOST_PLACE:
            yield _("Choose a place from 1 to %(most)d.") % {"most": MOST_PLACE}
        elif any(each.condition == condition for each in before):
            yield _("There is a prize for place %(place)d already. Each entry gets one prize.") % {
                "place": condition.number
            }
    elif condition.condition is Condition.DIVISION:
        if condition.number not in levels:
            yield _("%(competition)s has no such division.") % {"competition": competition}
    elif condition.number:
        yield _("Only a place or a division has a number.")


@transaction.atomic
def write(*, actor: Actor, competition: Competition, wanted: PrizeList) -> Competition:
    """Keeps the list; who wins follows from the table at any time. Raises Invalid."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    levels = competition.stage.divisions.values_list("level", flat=True)
    before, after = competition.prizes, kept(check(competition, wanted, levels))
    if before == after:
        return competition
    competition.prizes = after
    competition.save(update_fields=["prizes"])
    audit.record(
        actor=actor,
        action="competition.prizes",
        summary=sentences.gettext("Prizes changed"),
        competition=competition,
        before=before,
        after=after,
    )
    return competition


def kept(prizes: PrizeList) -> dict[str, Any]:
    """The same as it stands in the row; nothing where there is no prize."""
    if not prizes.offered:
        return {}
    rows = [[each.condition.condition.value, each.condition.number, each.name] for each in prizes.offered]
    return {"level": prizes.level, "prizes": rows}


def read(raw: Any) -> PrizeList:
    """What somebody else's file says. Raises Invalid where it is no list of prizes."""
    if raw == {}:
        return PrizeList()
    try:
        rows = tuple(Offered(name, Prize(Condition(key), number)) for key, number, name in raw["prizes"])
        are_typed = all(
            isinstance(each.name, str) and type(each.condition.number) is int for each in rows
        ) and isinstance(raw["level"], str)
    except (TypeError, ValueError, KeyError):
        are_typed = False
    if not are_typed:
        raise Invalid(_("Its prizes don’t make sense."))
    return PrizeList(rows, raw["level"])
