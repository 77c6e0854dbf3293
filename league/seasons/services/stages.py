"""A later stage of a competition: a draft for those who stand in some of its places, with their points or without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from django.db import transaction
from django.utils.translation import gettext as _

from engine.contest.results import Key
from league import extension, formats, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions
from league.competitions.services.competitions import TIE_BREAKS
from league.competitions.services.divisions import DivisionPlan
from league.entries.services import entries
from league.errors import Conflict
from league.models import Competition, Division, Entry, Stage
from league.seasons.services.following import moved
from league.standings.queries import compute_table, read_facts
from league.words import sentences


@dataclass(frozen=True, slots=True)
class LaterStage:
    """What a director says of a later stage: who plays in it, of each division from place to place, and by what.

    All else is as in the stage before it; `format` is one of `formats.LEAGUE_CHOICES`, after an evening an evening.
    """

    name: str
    starts_on: date
    format: str
    first: int = 1
    last: int = 8
    carry_over: str = Stage.CarryOver.NONE


@transaction.atomic
def begin(*, actor: Actor, competition: Competition, data: LaterStage) -> Competition:
    """Makes the draft of a stage after this one, with its entries in the order of their places (F1, F8, F40).

    Of several divisions the firsts come before the seconds. Raises Conflict while the table is not final, or where a
    place on the line is shared, and Invalid for points that can't be carried over.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    if competition.state != Competition.State.FINISHED:
        raise Conflict(_("Finish this competition first: its final table decides who plays on."))
    is_evening = competition.stage.is_evening
    _check_format(data.format, is_evening=is_evening)
    found = qualified(competition, first=data.first, last=data.last)
    season = competition.season.name
    setup = moved(competition, name=data.name, season=season, starts_on=data.starts_on)
    # What a knock-out or a ladder counts is no points scheme of another format.
    keeps = not competition.stage.is_bracket and not competition.stage.is_ladder
    made = competitions.set_up(
        actor=actor,
        club=competition.club,
        data=replace(
            setup,
            format=data.format,
            planned_rounds=0,
            terms={},
            ladder={},
            divisions=(DivisionPlan("A") if is_evening else DivisionPlan(),),
            points=setup.points if keeps else {},
            tie_breaks=setup.tie_breaks if keeps else TIE_BREAKS,
        ),
    )
    extension.layer().copied(original=competition, made=made)
    made.stage.after, made.stage.carry_over = competition.stage, data.carry_over
    validation.refuse([*validation.faults_of(made.stage), *competitions.faults_of_carry_over(made.stage)])
    made.stage.save(update_fields=["after", "carry_over"])
    division = made.stage.divisions.get()
    entries.fill(actor=actor, competition=made, places=[(each.lineup, division) for each in found], among=())
    audit.record(
        actor=actor,
        action="stage.begun",
        summary=sentences.gettext("A later stage, %(name)s, is being set up") % {"name": made},
        competition=competition,
        after={"stage": made.pk, "first": data.first, "last": data.last, "carry_over": data.carry_over},
    )
    return made


def _check_format(name: str, *, is_evening: bool) -> None:
    way = formats.OF_WAY.get(name)
    if way is not None and is_evening != way.is_evening:
        said = _("What compares boards goes on as an evening, and only that.")
        validation.refuse([validation.fault(said, "format")])


def qualified(competition: Competition, *, first: int, last: int) -> list[Entry]:
    """Who stands from place `first` to `last` of each division, in the order in which they are seeded."""
    if not 1 <= first <= last:
        validation.refuse([validation.fault(_("Enter places such as 1 to 8."), "last")])
    if competition.stage.is_evening:
        lists = list(_of_fields(competition, first, last))
    else:
        divisions = competition.stage.divisions.order_by("level")
        lists = [_of_division(each, first, last) for each in divisions]
    found = [entry for beside in zip_longest(*lists) for entry in beside if entry is not None]
    if len(found) < 2:
        validation.refuse(
            [validation.fault(_("A stage needs two entries or more. Choose more places."), "last")]
        )
    return found


def _of_division(division: Division, first: int, last: int) -> list[Entry]:
    rows = [row for row in compute_table(read_facts(division)).rows if row.place is not None]
    known: dict[Key, Entry] = {entry.pk: entry for entry in division.entries.active().with_pairs()}
    staying = [(row.entry, row.place) for row in rows if row.entry in known]
    _check_line(staying, known, first - 1)
    _check_line(staying, known, last)
    return [known[key] for key, _place in staying[first - 1 : last]]


def _of_fields(competition: Competition, first: int, last: int) -> Iterator[list[Entry]]:
    """Of an evening: of each field that is ranked, those who stand there."""
    known: dict[Key, Entry] = {entry.pk: entry for entry in competition.entries.active().with_pairs()}
    for field in extension.layer().places(competition=competition):
        staying = [(key, place) for key, place in field if key in known]
        _check_line(staying, known, first - 1)
        _check_line(staying, known, last)
        yield [known[key] for key, _place in staying[first - 1 : last]]


def _check_line(rows: Sequence[tuple[Key, int | None]], known: dict[Key, Entry], after: int) -> None:
    """Raises Conflict where the last in and the first out share their place (F82)."""
    if not 0 < after < len(rows) or rows[after - 1][1] != rows[after][1]:
        return
    level = [known[key] for key, place in rows if place == rows[after][1]]
    raise Conflict(
        _("%(entries)s share a place on the line. Draw lots for them, or choose other places.")
        % {"entries": ", ".join(map(str, level))}
    )
