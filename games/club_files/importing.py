"""A file made into a new club: its rows under keys of their own, and everything that follows computed again.

One transaction: what does not follow from its facts, or differs from the tables that the file names, undoes it all.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import DataError, IntegrityError, models, transaction
from django.utils.translation import gettext as _

from games.analysis.services import analyses
from games.boards.queries import seal_checks
from games.club_files import archives, exporting
from games.club_files.kinds import Model
from games.club_files.reading import Line, Package
from games.comparisons.services import comparisons
from games.conventions.verification import IMPORTED
from games.matches.verification import of_matches
from games.models import (
    Board,
    BoardSet,
    ConventionCard,
    Duplicate,
    FixtureBoard,
    PlayedDeal,
    Scoresheet,
)
from games.proof import checks as proof
from games.records import parsing as readings
from games.records.parsing import Reading
from league import validation
from league.actors import Actor
from league.audit.services import audit
from league.clubs.services import clubs
from league.errors import Invalid
from league.idempotency import digest_of
from league.models import (
    Club,
    Competition,
    Entry,
    Fixture,
    ImportedTrailLine,
    Lineup,
    LineupMember,
    Player,
    User,
)
from league.querysets import UNSETTLED
from league.standings.services import standings
from league.standings.services.verification import of_results
from league.web.wording import in_words
from league.words import sentences
from league.words.public_names import in_full

Verdict = Scoresheet.Verdict
BATCH = 500


@dataclass(slots=True)
class Imported:
    """The new club, and the keys of the rows that came with the file, by model."""

    club: Club
    keys: dict[str, list[list[int]]]


@dataclass(slots=True)
class _Work:
    """What is known while rows are written."""

    actor: Actor
    importer: User
    package: Package
    at: datetime
    members: dict[int, list[Player]] = field(default_factory=lambda: defaultdict(list))
    with_sheet: set[int] = field(default_factory=set)
    readings: dict[int, Reading] = field(default_factory=dict)
    keys: dict[str, list[list[int]]] = field(default_factory=dict)


@transaction.atomic
@in_full()
def carry_out(*, actor: Actor, owner: User, package: Package, at: datetime, name: str = "") -> Imported:
    """Makes the club, for services that have checked who may. Raises LeagueError, and then nothing was written."""
    work = _Work(actor, owner, package, at)
    for member in package.of(LineupMember):
        work.members[id(member.lineup)].append(member.player)
    work.with_sheet.update(id(sheet.match.fixture) for sheet in package.of(Scoresheet))
    given = package.club
    club = _founded(work, given, name)
    for line in package.lines:
        try:
            _save(work, line, club)
        except (IntegrityError, DataError) as clash:
            raise _at(line, _("This contradicts itself, or another line of the file.")) from clash
        except Invalid as refusal:
            raise _at(line, refusal.message) from refusal
    _set_later(package)
    _finish_rows(work, club)
    _compute(work, club)
    _prove(work, club)
    for row in package.trail:
        row.club = club
    ImportedTrailLine.objects.bulk_create(package.trail, batch_size=BATCH)
    said = sentences.gettext("The club was imported from a file")
    audit.record(
        actor=actor, action="club.imported", summary=said, club=club, after={"file": package.archive.digest}
    )
    return Imported(club, work.keys)


def _at(line: Line, message: str) -> Invalid:
    said = _("%(part)s, line %(number)d: %(message)s") % {
        "part": archives.ROWS,
        "number": line.number,
        "message": message,
    }
    return Invalid(said, details=[validation.fault(said, archives.ROWS, line.number)])


def _founded(work: _Work, given: Club, name: str) -> Club:
    """A new club like that of the file, under an address of its own."""
    club = clubs.make(
        actor=work.actor,
        owner=work.importer,
        name=name or given.name,
        time_zone=given.time_zone,
        place=given.place,
        weekday=given.weekday,
        play_time=given.play_time,
        year_begins=given.year_begins,
        about=given.about,
    )
    settings = {setting: getattr(given, setting) for setting in clubs.SETTINGS}
    Club.objects.filter(pk=club.pk).update(**settings)
    club.refresh_from_db()
    return club


# Rows


def _save(work: _Work, line: Line, club: Club) -> None:
    """Writes the row under a new key; those that it points at have theirs by now."""
    row = line.row
    if isinstance(row, Club):
        _become(row, club)
        return
    for column in row._meta.concrete_fields:
        if (
            isinstance(column, models.ForeignKey)
            and column.name in line.fields
            and column.name not in line.later
        ):
            setattr(row, column.name, getattr(row, column.name))
    if not isinstance(row._meta.pk, models.ForeignKey):
        row.pk = None
    for name, swapped in line.kind.inner.items():
        if name not in line.later:
            setattr(row, name, swapped(getattr(row, name), _swap(work.package)))
    fill = _FILLED.get(type(row))
    if fill is not None:
        fill(work, row)
    if isinstance(row, PlayedDeal):
        row.pk = PlayedDeal.objects.values_list("pk", flat=True).get(sheet=row.sheet, number=row.number)
        return
    # As it was, also in columns that are filled in with the time of writing.
    row.save_base(raw=True, force_insert=True)
    _note(work, line.kind.label, row.pk)
    follow = _FOLLOWED.get(type(row))
    if follow is not None:
        follow(work, row)


def _become(row: Club, club: Club) -> None:
    """The file's club is the new one from here on, for all rows that point at it."""
    row.pk = club.pk
    row.refresh_from_db()


def _note(work: _Work, label: str, key: int) -> None:
    runs = work.keys.setdefault(label, [])
    if runs and runs[-1][1] == key - 1:
        runs[-1][1] = key
    else:
        runs.append([key, key])


def _swap(package: Package) -> Callable[[Model, Any], int]:
    return lambda model, key: int(package.rows[model][key].pk)


def _lineup(work: _Work, row: Lineup) -> None:
    row.members_key = Lineup.key_of(player.pk for player in work.members[id(row)])


def _competition(_work: _Work, row: Competition) -> None:
    row.results_version = 0 if row.state == Competition.State.DRAFT else 1


def _fixture(work: _Work, row: Fixture) -> None:
    """A match whose sheet is not in the file is still to be played; so is one that was being played at a table."""
    if row.status == Fixture.Status.IN_PLAY or (
        row.status in {Fixture.Status.TO_CONFIRM, *UNSETTLED} and id(row) not in work.with_sheet
    ):
        row.status = Fixture.Status.SCHEDULED


def _board_set(work: _Work, row: BoardSet) -> None:
    """Nobody here has the key of a set that was still sealed: another one takes its place."""
    row.secret = ""
    if row.released_at is None and row.discarded_at is None:
        row.discarded_at = work.at


def _scoresheet(work: _Work, row: Scoresheet) -> None:
    """The sheet as it is read here. Its points must be those that the file says."""
    reading = readings.read(
        fixture=row.match.fixture, content=row.content, options=row.match.options, is_stored=True
    )
    if not reading.is_accepted or digest_of(reading.content) != digest_of(row.content):
        raise Invalid(_("This scoresheet can’t be read by the rules of its game."))
    if list(reading.total.values()) != row.totals:
        raise Invalid(_("The points of this scoresheet don’t follow from it."))
    row.digest = reading.digest
    row.suspicious = [problem.as_json(in_words) for problem in reading.suspicious]
    row.origin, row.entered_as = Scoresheet.Origin.IMPORTED, Scoresheet.EnteredAs.IMPORTED
    row.entered_by = work.importer
    work.readings[id(row)] = reading


def _deals(work: _Work, row: Scoresheet) -> None:
    reading = work.readings[id(row)]
    for number, (dealer, record, score) in enumerate(
        zip(reading.dealers, reading.records, reading.scores, strict=True), start=1
    ):
        deal = PlayedDeal(sheet=row, number=number, dealer=dealer, record=record, score=score)
        deal.save(force_insert=True)
        _note(work, "games.playeddeal", deal.pk)


def _card(work: _Work, row: ConventionCard) -> None:
    """The trail tells of every card that is stored."""
    audit.record(
        actor=work.actor,
        action=IMPORTED,
        summary=sentences.gettext("Convention card imported with the club"),
        club=row.lineup.club,
        after={"pair": row.lineup_id, "version": row.number, "card": row.content},
    )


#: What a kind needs before its row is written, and what follows it.
_FILLED: Mapping[type[models.Model], Callable[[_Work, Any], None]] = {
    Lineup: _lineup,
    Competition: _competition,
    Fixture: _fixture,
    BoardSet: _board_set,
    Scoresheet: _scoresheet,
}
_FOLLOWED: Mapping[type[models.Model], Callable[[_Work, Any], None]] = {
    Scoresheet: _deals,
    ConventionCard: _card,
}


def _set_later(package: Package) -> None:
    """What points at rows that came after."""
    for line in package.lines:
        changes: dict[str, Any] = {}
        for name, value in line.later.items():
            column: Any = line.row._meta.get_field(name)
            if name in line.kind.inner:
                changes[name] = line.kind.inner[name](value, _swap(package))
            elif value is not None:
                changes[column.attname] = package.rows[column.related_model][value].pk
        if any(changes.values()):
            models.QuerySet(line.kind.model).filter(pk=line.row.pk).update(**changes)


# What follows


def _finish_rows(work: _Work, club: Club) -> None:
    """Boards as their seals have them, and how each sheet fits its board."""
    for board_set in BoardSet.objects.filter(competition__club=club, released_at__isnull=False):
        _check_seal(board_set)
    for sheet in work.package.of(Scoresheet):
        if sheet.verdict == Verdict.CONFIRMED:
            proof.check_public(fixture=sheet.match.fixture, reading=work.readings[id(sheet)])


def _check_seal(board_set: BoardSet) -> None:
    """Raises Invalid where the cards aren't those that were sealed, or a board is missing."""
    if board_set.origin == BoardSet.Origin.IMPORTED:
        checked = seal_checks.check_text(board_set, text=board_set.opened)
    else:
        value = str(board_set.delayed.get("value") or "")
        checked = seal_checks.check_key(board_set, key=board_set.opened, value=value)
    if (
        checked.fault
        or not checked.is_committed
        or checked.differing
        or len(checked.boards) != _boards(board_set)
    ):
        raise Invalid(
            _("The boards of %(competition)s aren’t those that were sealed.")
            % {"competition": board_set.competition}
        )


def _boards(board_set: BoardSet) -> int:
    return Board.objects.filter(board_set=board_set).count()


def _compute(work: _Work, club: Club) -> None:
    """What the pairs did in each deal. The rest waits for `settle`, or for the sweeps."""
    for sheet in work.package.of(Scoresheet):
        if sheet.verdict == Verdict.CONFIRMED:
            analyses.request(sheet=sheet, reading=work.readings[id(sheet)])
    played = FixtureBoard.objects.filter(board__board_set__competition__club=club)
    Board.objects.filter(pk__in=played.values("board")).update(results_version=1)
    events = Duplicate.objects.filter(competition__board_sets__boards__in=played.values("board"))
    Duplicate.objects.filter(pk__in=events.values("pk")).update(results_version=1)


def settle(*, club: Club, at: datetime) -> None:
    """Tables, comparisons and rankings of a club that was imported: after its transaction, as workers store them."""
    for competition in Competition.objects.filter(club=club).order_by("pk"):
        standings.compute(competition_id=competition.pk, at=at)
    for event in Duplicate.objects.filter(competition__club=club, results_version__gt=0).order_by("pk"):
        comparisons.compute_event(competition_id=event.pk, at=at)


def _prove(work: _Work, club: Club) -> None:
    """What is stored follows from its facts, and the tables that follow are those of the file."""
    told = _told(work.package)
    for competition in Competition.objects.filter(club=club).order_by("pk"):
        found = chain(of_results(competition=competition), of_matches(competition=competition))
        difference = next(found, None)
        if difference is not None:
            raise Invalid(
                _("%(name)s: something in this file doesn’t follow from the rest (%(what)s).")
                % {"name": competition.name, "what": difference.place}
            )
        if competition.state == Competition.State.DRAFT:
            continue
        computed = {each["table"]: each["rows"] for each in exporting.of_competition(competition)}
        if any(computed.get(table) != rows for table, rows in told[competition.pk].items()):
            raise Invalid(
                _("%(name)s: the tables in this file don’t follow from its results.")
                % {"name": competition.name}
            )


def _told(package: Package) -> dict[int, dict[str, list[Any]]]:
    """The file's tables under the new keys. Raises Invalid."""
    found: dict[int, dict[str, list[Any]]] = defaultdict(dict)
    swap = _swap(package)
    try:
        for each in package.archive.manifest["standings"]:
            rows = [[swap(Entry, entry), *rest] for entry, *rest in each["rows"]]
            found[swap(Competition, each["competition"])][str(each["table"])] = rows
    except (KeyError, TypeError, ValueError):
        raise Invalid(_("This file isn’t complete, or was changed. Please export it again.")) from None
    return found
