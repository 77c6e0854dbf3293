"""Importing players and pairs from a CSV file: read, previewed, carried out as a whole, and undone if need be."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import partners
from league.imports import csv_files
from league.imports.columns import understand
from league.imports.services.previews import (
    DIFFERENT,
    LEFT_OUT,
    NEW,
    PROBLEM,
    QUESTION,
    THERE,
    Person,
    RowPlan,
    plan_again,
    plan_lines,
)
from league.models import Club, ImportBatch, Lineup, LineupMember, Player
from league.people.services import players
from league.storage.references import used
from league.validation import Fault, fault
from league.words import sentences

Kind, State = ImportBatch.Kind, ImportBatch.State
MOST_REASONS = 20
MOST_IN_A_CELL = 300


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as it was understood: its lines, and what is to be said of it as a whole."""

    rows: tuple[RowPlan, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many lines of a preview make something, find it there already, need correction or an answer, or are left
    out."""

    new: int
    there: int
    problems: int
    questions: int
    left_out: int


def read_file(content: bytes, kind: str, club: Club) -> ReadFile:
    """Reads a file of players or pairs; raises Invalid when it is no such file. Problems of lines are in the rows."""
    if kind not in Kind.values:
        raise Invalid(_("Choose what the file contains: players, pairs or teams."))
    table = csv_files.read(content)
    columns = understand(table, kind)
    rows = plan_lines(club, kind, columns, table.lines)
    notes = []
    if not rows:
        notes.append(_("The file names its columns but has no lines below them."))
    if columns.unused:
        notes.append(_("Columns that we don’t use: %(names)s.") % {"names": ", ".join(columns.unused)[:300]})
    return ReadFile(tuple(rows), tuple(notes))


@transaction.atomic
def preview(*, actor: Actor, club: Club, kind: str, upload: "File[bytes]") -> ImportBatch:
    """Keeps what a file would do, line by line; nothing of it is done yet."""
    policies.require(actor, "player.import", club)
    found = read_file(upload.read(csv_files.MOST_BYTES + 1), kind, club)
    return ImportBatch.objects.create(
        club=club,
        kind=kind,
        file_name=str(upload.name or "")[-200:],
        rows=[row.as_json() for row in found.rows],
        notes=list(found.notes),
        made_by=person(actor),
    )


def counts(batch: ImportBatch) -> Counts:
    """The lines of a batch, counted by what they do."""
    actions = [row["action"] for row in batch.rows]
    return Counts(*(actions.count(each) for each in (NEW, THERE, PROBLEM, QUESTION, LEFT_OUT)))


@transaction.atomic
def mend(
    *,
    actor: Actor,
    batch: ImportBatch,
    changes: Mapping[int, Mapping[str, str]],
    left_out: Collection[int],
    answers: Mapping[int, Mapping[str, str]] = MappingProxyType({}),
    leaves_out_the_rest: bool = False,
) -> ImportBatch:
    """Other cells for some lines of a preview, by line and field, and the lines that are left out.

    `answers` has, by line and place, who is meant where the preview asks: the identity of a candidate, or DIFFERENT;
    empty takes an answer back. Raises Invalid for other answers. Fields that the file does not have are ignored. With
    `leaves_out_the_rest` lines that still need correction or an answer are left out, too.
    """
    club, batch = _locked(batch)
    policies.require(actor, "player.import", club)
    if batch.state != State.PREVIEWED:
        raise Conflict(_("This file has already been imported."))
    for row in batch.rows:
        given = changes.get(row["line"], {})
        known = {name: _cell(given[name]) for name in row["values"] if name in given}
        if known != {name: row["values"][name] for name in known}:
            # What belongs to no cell is seen by who mends the line.
            row["values"], row["problems"] = {**row["values"], **known}, []
        row["answers"] = _answered(row, answers.get(row["line"], {}))
        row["action"] = LEFT_OUT if row["line"] in left_out else NEW
    rows = plan_again(club, batch.kind, batch.rows)
    if leaves_out_the_rest:
        for row in rows:
            row.action = LEFT_OUT if row.problems or row.open_questions else row.action
        rows = plan_again(club, batch.kind, [row.as_json() for row in rows])
    batch.rows = [row.as_json() for row in rows]
    batch.save(update_fields=["rows"])
    return batch


@transaction.atomic
def commit(*, actor: Actor, batch: ImportBatch) -> ImportBatch:
    """Carries a preview out: every line or none.

    The lines are checked again against the club as it is now. Raises Invalid with the problems by line (their place
    is "lines", the number of the line, the field) when a line needs correction or an answer; with the code
    "same_person" where only answers are missing.
    """
    club, batch = _locked(batch)
    policies.require(actor, "player.import", club)
    if batch.state != State.PREVIEWED:
        raise Conflict(_("This file has already been imported."))
    rows = plan_again(club, batch.kind, batch.rows)
    _refuse_problems(rows)
    does = [row.as_json()["does"] for row in rows]
    batch.created = _make(actor, club, batch.kind, rows)
    batch.rows = [{**row.as_json(), "does": said} for row, said in zip(rows, does, strict=True)]
    batch.state = State.DONE
    batch.save(update_fields=["rows", "created", "state"])
    audit.record(
        actor=actor,
        action="import.done",
        summary=sentences.gettext("Import: %(players)d new players, %(pairs)d new pairs")
        % {kind: len(keys) for kind, keys in batch.created.items()},
        club=club,
        after={"batch": batch.pk, "file": batch.file_name, **batch.created},
    )
    return batch


@transaction.atomic
def undo(*, actor: Actor, batch: ImportBatch) -> ImportBatch:
    """Removes what an import made. Raises Conflict with the reasons when something of it is used or changed since."""
    club, batch = _locked(batch)
    policies.require(actor, "player.import", club)
    if batch.state != State.DONE:
        raise Conflict(_("This import was never carried out, or has already been undone."))
    reasons = _uses(batch)
    if reasons:
        text = _("You can no longer undo this import, because something it added is in use. %(first)s")
        raise Conflict(text % {"first": reasons[0]["message"]}, details=reasons)
    Lineup.objects.filter(pk__in=batch.created["pairs"]).delete()
    Player.objects.filter(pk__in=batch.created["players"]).delete()
    batch.state = State.UNDONE
    batch.save(update_fields=["state"])
    audit.record(
        actor=actor,
        action="import.undone",
        summary=sentences.gettext("Import undone"),
        club=club,
        before={"batch": batch.pk, **batch.created},
    )
    return batch


def _cell(text: str) -> str:
    return validation.one_line(text)[:MOST_IN_A_CELL]


def _locked(batch: ImportBatch) -> tuple[Club, ImportBatch]:
    # The club is the lock: of two imports at once the second sees what the first one made.
    club = locks.club(batch.club_id)
    return club, ImportBatch.objects.get(pk=batch.pk)


def _answered(row: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The answers of a line with those that are given to its questions now."""
    answers = dict(row.get("answers", {}))
    for question in row.get("questions", ()):
        answer = given.get(question["place"])
        asked = [each["key"] for each in question["candidates"]]
        if answer is None:
            continue
        if answer not in {"", DIFFERENT, *asked}:
            text = _("Choose one of the people who are asked about.")
            raise Invalid(text, details=[fault(text, "lines", row["line"], question["place"])])
        answers[question["place"]] = {"name": question["name"], "asked": asked, "answer": answer}
    return answers


def _refuse_problems(rows: list[RowPlan]) -> None:
    problems = [(row.line, each["place"], each["message"]) for row in rows for each in row.problems]
    questions = [(row.line, [each.place], each.message) for row in rows for each in row.open_questions]
    faults: list[Fault] = [
        fault(_("Line %(line)d: %(problem)s") % {"line": line, "problem": message}, "lines", line, *place)
        for line, place, message in sorted(problems + questions)
    ]
    if not faults:
        return
    words = {"count": len(faults), "first": faults[0]["message"]}
    if not problems:
        text = _("Nothing was imported: some questions are still open. %(first)s")
        raise Invalid(text % words, code="same_person", details=faults)
    text = _("Nothing was imported: there are %(count)d things to fix. %(first)s")
    raise Invalid(text % words, details=faults)


def _make(actor: Actor, club: Club, kind: str, rows: list[RowPlan]) -> dict[str, list[int]]:
    try:
        with transaction.atomic():
            made = _make_players(actor, club, rows)
            return {"players": made, "pairs": _make_pairs(club, rows) if kind != Kind.PLAYERS else []}
    except IntegrityError as clash:
        raise Conflict(
            _("Someone has just changed the club’s players. Check the preview and import again.")
        ) from clash


def _make_players(actor: Actor, club: Club, rows: list[RowPlan]) -> list[int]:
    new: dict[int, Person] = {id(each): each for row in rows for each in row.people if each.is_new}
    made = Player.objects.bulk_create(
        players.build(actor=actor, club=club, name=each.name, email=each.email, number=each.number)
        for each in new.values()
    )
    for each, player in zip(new.values(), made, strict=True):
        each.key = player.pk
    return [player.pk for player in made]


def _make_pairs(club: Club, rows: list[RowPlan]) -> list[int]:
    wanted = [row for row in rows if row.action == NEW]
    people = [[each.key for each in row.people if each.key is not None] for row in wanted]
    made = partners.make(club, [(keys, row.team) for keys, row in zip(people, wanted, strict=True)])
    for lineup, keys in zip(made, people, strict=True):
        # Of a team the first is the captain.
        lineup.captain_id = keys[0] if len(keys) > 2 else None
    Lineup.objects.bulk_update([lineup for lineup in made if lineup.captain_id], ["captain"])
    return [pair.pk for pair in made]


def _uses(batch: ImportBatch) -> list[Fault]:
    """Why the rows that the import made cannot be removed."""
    own: dict[Any, set[int]] = {
        Player: set(batch.created["players"]),
        Lineup: set(batch.created["pairs"]),
    }
    reasons = []
    for model, keys in own.items():
        for key, row in used(model, keys):
            if row.pk in own.get(type(row), ()) or (
                isinstance(row, LineupMember) and row.lineup_id in own[Lineup]
            ):
                continue
            text = _("%(name)s: %(kind)s “%(row)s”.")
            words = {"name": model.objects.get(pk=key), "kind": row._meta.verbose_name, "row": row}
            reasons.append(fault(text % words))
            if len(reasons) == MOST_REASONS:
                return reasons
    return reasons
