"""Pairs that a director types or pastes, one a line: their players are made where the club has none of that name."""

import re
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league import policies, validation
from league.actors import Actor, person
from league.entries.services import entries
from league.errors import Invalid
from league.imports.services import imports
from league.imports.services.previews import RowPlan, plan_rows
from league.models import Club, Division, Entry, ImportBatch, Lineup

MOST_LINES = 120
LONGEST_LINE = 300
# Between the two players; a third part is the team's name.
_PARTS = re.compile(r"\s*[,;\t&+/|]\s*|\s+(?:and|und)\s+|\s+[\u2013\u2014-]\s+")


def read(club: Club, text: str) -> list[RowPlan]:
    """What each line would do, with every problem of it; raises Invalid when there are too many lines."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LINES:
        raise Invalid(_("Please enter up to %(most)d pairs at once.") % {"most": MOST_LINES})
    rows = []
    for number, line in lines:
        parts = [part for part in _PARTS.split(line[:LONGEST_LINE]) if part]
        names = dict(zip(("name1", "name2", "team"), [*parts, "", "", ""], strict=False))
        row = RowPlan(number, names if len(parts) in {2, 3} else {"name1": "", "name2": "", "team": ""})
        if len(parts) not in {2, 3}:
            row.problems.append(validation.fault(_("Write the two players as “Anna Berg & Carl Dorn”.")))
        rows.append(row)
    return plan_rows(club, ImportBatch.Kind.PAIRS, rows)


@transaction.atomic
def enter(*, actor: Actor, division: Division, text: str, at: datetime) -> list[Entry]:
    """Enters the pairs of all lines, or none: then Invalid says what is wrong with which line."""
    club, name = division.competition.club, str(division.competition)
    done = _made(actor, club, text, name)
    return enter_batch(actor=actor, division=division, batch=done, at=at)


@transaction.atomic
def make(*, actor: Actor, club: Club, text: str, name: str) -> Sequence[Lineup]:
    """The pairs of all lines, made where the club has them not; `name` says what they are for."""
    return _pairs_of(_made(actor, club, text, name))


def _made(actor: Actor, club: Club, text: str, name: str) -> ImportBatch:
    policies.require(actor, "player.import", club)
    rows = read(club, text)
    validation.refuse(
        validation.fault(
            _("Line %(line)d: %(problem)s") % {"line": row.line, "problem": problem["message"]}, "typed"
        )
        for row in rows
        for problem in row.problems
    )
    batch = ImportBatch.objects.create(
        club=club,
        kind=ImportBatch.Kind.PAIRS,
        file_name=str(_("Typed for %(name)s") % {"name": name})[:200],
        rows=[row.as_json() for row in rows],
        made_by=person(actor),
    )
    return imports.commit(actor=actor, batch=batch)


@transaction.atomic
def enter_batch(*, actor: Actor, division: Division, batch: ImportBatch, at: datetime) -> list[Entry]:
    """Enters the pairs of an import that is done; those that take part already are passed over."""
    entered = set(division.competition.entries.values_list("lineup_id", flat=True))
    waiting = [pair for pair in _pairs_of(batch) if pair.pk not in entered]
    return entries.enter_all(actor=actor, division=division, lineups=waiting, at=at)


def _pairs_of(batch: ImportBatch) -> Sequence[Lineup]:
    """The pairs that the lines name, each once, in their order."""
    wanted = [Lineup.key_of(each["player"] for each in row["people"]) for row in batch.rows]
    pairs = Lineup.objects.present().with_players().filter(club=batch.club_id, members_key__in=wanted)
    found = {pair.members_key: pair for pair in pairs}
    return [found[key] for key in dict.fromkeys(wanted) if key in found]
