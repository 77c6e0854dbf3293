"""Pairs, teams, or players who play alone, that a director types or pastes, one a line.

Players are made where the club has none of that name.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.entries.services import entries
from league.errors import Invalid
from league.imports.services import imports
from league.imports.services.previews import RowPlan, plan_rows
from league.models import Club, Competition, Division, Entry, ImportBatch, Lineup, Player
from league.models.competitions import TEAM_SIZES
from league.people.services import lineups

Kind = ImportBatch.Kind
_NAMES_OF_TEAM = tuple(f"name{which}" for which in range(1, TEAM_SIZES[-1] + 1))
# Between the players of a team: a name may have a hyphen or an "and".
_APART = re.compile(r"\s*[,;\t&+|]\s*")
MOST_LINES = 120
LONGEST_LINE, LONGEST_TEAM = 300, 800
# Between the two players; a third part is the team's name.
_PARTS = re.compile(r"\s*[,;\t&+/|]\s*|\s+(?:and|und)\s+|\s+[\u2013\u2014-]\s+")


def kind_for(competition: Competition) -> str:
    """What the lines of a competition's entries are, as imports know it: pairs, players or teams."""
    if competition.is_of_teams:
        return str(Kind.TEAMS)
    return str(Kind.PLAYERS if competition.is_of_individuals else Kind.PAIRS)


def read(club: Club, text: str, kind: str = Kind.PAIRS) -> list[RowPlan]:
    """What each line would do, with every problem of it; raises Invalid when there are too many lines."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LINES:
        raise Invalid(_("Please enter up to %(most)d lines at once.") % {"most": MOST_LINES})
    if kind == Kind.PLAYERS:
        named = [RowPlan(number, {"name": line[:LONGEST_LINE]}) for number, line in lines]
        return plan_rows(club, kind, named)
    if kind == Kind.TEAMS:
        return plan_rows(club, kind, [_team(number, line[:LONGEST_TEAM]) for number, line in lines])
    rows = []
    for number, line in lines:
        parts = [part for part in _PARTS.split(line[:LONGEST_LINE]) if part]
        names = dict(zip(("name1", "name2", "team"), [*parts, "", "", ""], strict=False))
        row = RowPlan(number, names if len(parts) in {2, 3} else {"name1": "", "name2": "", "team": ""})
        if len(parts) not in {2, 3}:
            row.problems.append(validation.fault(_("Write the two players as “Anna Berg & Carl Dorn”.")))
        rows.append(row)
    return plan_rows(club, kind, rows)


def _team(number: int, line: str) -> RowPlan:
    """A team as "Riverside: Anna Berg, Carl Dorn, Eva Falk, Gerd Hahn": the first of its players is the captain."""
    team, has_name, rest = line.rpartition(":")
    names = [name for name in _APART.split(rest.strip()) if name]
    row = RowPlan(number, {"team": team.strip() if has_name else "", **dict.fromkeys(_NAMES_OF_TEAM, "")})
    row.values |= dict(zip(_NAMES_OF_TEAM, names, strict=False))
    if len(names) not in TEAM_SIZES or not row.values["team"]:
        said = _("Write a team as “Riverside: Anna Berg, Carl Dorn, Eva Falk, Gerd Hahn”, the captain first.")
        row.problems.append(validation.fault(said))
    return row


@transaction.atomic
def make(*, actor: Actor, club: Club, text: str, name: str, kind: str = str(Kind.PAIRS)) -> Sequence[Lineup]:
    """The pairs of all lines, or players alone, made where the club has them not; `name` says what they are for."""
    # On an evening people wait to sit down: who is twice in the list is found on the desk afterwards.
    return _lineups_of(carry_out(actor=actor, club=club, text=text, name=name, kind=kind, are_different=True))


@transaction.atomic
def carry_out(
    *, actor: Actor, club: Club, text: str, name: str, kind: str, are_different: bool = False
) -> ImportBatch:
    """Makes the pairs, or players, of all lines, or of none: then Invalid says what is wrong with which line.

    It also asks, by the code "same_person", about names that are nearly those of others, unless `are_different` says
    that these are other people.
    """
    policies.require(actor, "player.import", club)
    rows = read(club, text, kind)
    questions = [(row, each) for row in rows for each in row.questions]
    problems = [(row.line, problem["message"]) for row in rows for problem in row.problems]
    # Which of several namesakes is meant cannot be typed.
    problems += [(row.line, each.message) for row, each in questions if not each.is_a_slip]
    validation.refuse(_faults(problems))
    if questions and not are_different:
        advice = _("If it is, write that name here, too.")
        asked = [(row.line, f"{each.message} {advice}") for row, each in questions]
        raise Invalid(_("The same person?"), code="same_person", details=_faults(asked))
    for row, each in questions:
        row.answers[each.place] = each.as_different()
    batch = ImportBatch.objects.create(
        club=club,
        kind=kind,
        file_name=str(_("Typed for %(name)s") % {"name": name})[:200],
        rows=[row.as_json() for row in rows],
        made_by=person(actor),
    )
    return imports.commit(actor=actor, batch=batch)


def _faults(said: list[tuple[int, str]]) -> list[validation.Fault]:
    """What is said of lines, as faults of the text."""
    text = _("Line %(line)d: %(problem)s")
    return [validation.fault(text % {"line": line, "problem": each}, "typed") for line, each in said]


@transaction.atomic
def enter_batch(*, actor: Actor, division: Division, batch: ImportBatch, at: datetime) -> list[Entry]:
    """Enters the pairs of an import that is done; those that take part already are passed over."""
    return enter_with(actor=actor, division=division, chosen=(), batch=batch, at=at)


@transaction.atomic
def enter_with(
    *,
    actor: Actor,
    division: Division,
    chosen: Sequence[Lineup | Player],
    batch: ImportBatch | None,
    at: datetime,
) -> list[Entry]:
    """Enters the pairs, or players, that were chosen, and those of an import that take no part yet."""
    wanted = (
        _lineups_of(batch, chosen) if batch is not None else _lineups(division.competition.club_id, chosen)
    )
    entered = set(division.competition.entries.values_list("lineup_id", flat=True))
    waiting = [
        lineup
        for number, lineup in enumerate(dict.fromkeys(wanted))
        if number < len(chosen) or lineup.pk not in entered
    ]
    return entries.enter_all(actor=actor, division=division, lineups=waiting, at=at) if waiting else []


def _lineups(club: int, chosen: Sequence[Lineup | Player]) -> list[Lineup]:
    """In their order; for a player alone the lineup is made where there is none. All players are locked at once."""
    players = [each for each in chosen if isinstance(each, Player)]
    alone = iter(lineups.alone(club=locks.club(club), players=players) if players else ())
    return [each if isinstance(each, Lineup) else next(alone) for each in chosen]


def _lineups_of(batch: ImportBatch, chosen: Sequence[Lineup | Player] = ()) -> list[Lineup]:
    """Those that were chosen, then the pairs that the lines name, or the players alone, each once, in their order."""
    if batch.kind == Kind.PLAYERS:
        keys = [each["player"] for row in batch.rows for each in row["people"]]
        named = Player.objects.in_bulk(keys)
        return _lineups(batch.club_id, list(dict.fromkeys([*chosen, *(named[key] for key in keys)])))
    wanted = [Lineup.key_of(each["player"] for each in row["people"]) for row in batch.rows]
    pairs = Lineup.objects.present().with_players().filter(club=batch.club_id, members_key__in=wanted)
    found = {pair.members_key: pair for pair in pairs}
    return [*_lineups(batch.club_id, chosen), *(found[key] for key in dict.fromkeys(wanted) if key in found)]
