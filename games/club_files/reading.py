"""Lines of a file as rows that are not saved yet: each value of its kind, each key one of the file's own.

What is read here is checked like something typed: fields by their models, the rest by games.club_files.checks. Every
fault says where it is.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import reduce
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from engine.errors import RuleError
from games.club_files import archives, checks
from games.club_files.kinds import BY_LABEL, KINDS, Kind, Model
from league import validation
from league.errors import Invalid
from league.models import Club, Competition, ImportedTrailLine
from league.storage.json_content import is_key

#: What is told at once of a file that is full of faults.
MOST_FAULTS = 20
EARLIEST, LATEST = 1900, 2200
_DECIMAL = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,6})?")


@dataclass(slots=True)
class Line:
    """A line of the rows: what it says, and the row that it becomes."""

    number: int
    kind: Kind
    pk: int
    fields: Mapping[str, Any]
    row: models.Model
    later: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Package:
    """A file as it was understood. `rows` are by model and by their key in the file."""

    archive: archives.Archive
    lines: list[Line] = field(default_factory=list)
    rows: dict[Model, dict[int, models.Model]] = field(default_factory=lambda: defaultdict(dict))
    trail: list[ImportedTrailLine] = field(default_factory=list)

    def of(self, model: Model) -> list[Any]:
        """The rows of a model, in the order of the file."""
        return list(self.rows[model].values())

    @property
    def club(self) -> Club:
        club: Club = self.of(Club)[0]
        return club


def understand(archive: archives.Archive) -> Package:
    """The rows of a file. Raises Invalid with every fault, and its line, in `details`."""
    package = Package(archive)
    faults: list[validation.Fault] = []
    places = {kind.model: place for place, kind in enumerate(KINDS)}
    last = 0
    for number, value in enumerate(archive.rows, start=1):
        try:
            line = _line(package, number, value)
            if places[line.kind.model] < last:
                raise Invalid(_("This stands in the wrong place."))
            last = places[line.kind.model]
        except Invalid as refusal:
            faults += [_at(number, each["message"]) for each in validation.under(refusal)]
        if len(faults) >= MOST_FAULTS:
            break
    if not faults:
        faults = list(_faults_of_whole(package))[:MOST_FAULTS]
    validation.refuse(faults)
    package.trail = [_trail_line(number, each) for number, each in enumerate(archive.trail, start=1)]
    return package


def _at(number: int, message: str, part: str = archives.ROWS) -> validation.Fault:
    said = _("%(part)s, line %(number)d: %(message)s") % {"part": part, "number": number, "message": message}
    return validation.fault(said, part, number)


def _line(package: Package, number: int, value: Any) -> Line:
    kind = BY_LABEL.get(str(value.get("model"))) if isinstance(value, dict) else None
    if kind is None or set(value) != {"model", "pk", "fields"}:
        raise Invalid(_("This isn’t a row that we know."))
    key, fields = value["pk"], value["fields"]
    if not is_key(key) or not isinstance(fields, dict) or not set(fields) <= set(kind.columns):
        raise Invalid(_("This row has a column that we don’t know."))
    if key in package.rows[kind.model]:
        raise Invalid(_("This row is in the file twice."))
    # Until the row is saved it goes by its key in the file; nothing is asked of the database by it.
    row = kind.model(pk=key)
    line = Line(number, kind, key, fields, row)
    # Also where it is faulty: those that point at it need not be told of, too.
    package.rows[kind.model][key] = row
    for name in kind.columns:
        if name in fields:
            _take(package, line, name, fields[name])
        elif not _may_miss(row._meta.get_field(name)):
            raise Invalid(_("The column %(name)s is missing.") % {"name": name})
    _check(line)
    package.lines.append(line)
    return line


def _may_miss(column: Any) -> bool:
    return bool(column.has_default() or column.null or (column.blank and column.empty_strings_allowed))


def _take(package: Package, line: Line, name: str, value: Any) -> None:
    """Sets a column of the row; what points at later rows is kept for then."""
    column: Any = line.row._meta.get_field(name)
    try:
        if name in line.kind.later:
            line.later[name] = value
        elif isinstance(column, models.ForeignKey):
            setattr(line.row, name, None if value is None else package.rows[column.related_model][value])
            if value is None and not column.null:
                raise ValueError
        elif name in line.kind.inner:
            known = package.rows
            line.kind.inner[name](value, lambda model, key: _known(known, model, key))
            setattr(line.row, name, value)
        else:
            setattr(line.row, name, None if value is None and column.null else typed(column, value))
    except (ValueError, TypeError, KeyError, OverflowError):
        raise Invalid(_("We couldn’t read the column %(name)s.") % {"name": name}) from None


def _known(rows: Mapping[Model, Mapping[int, models.Model]], model: Model, key: Any) -> int:
    if not is_key(key) or key not in rows[model]:
        raise ValueError
    return int(key)


def typed(column: Any, value: Any) -> Any:
    """A JSON value as the column has it. Raises ValueError for one of another kind, or a time that no club plays at."""
    for kind, read in _READERS:
        if isinstance(column, kind):
            return read(value)
    raise ValueError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError
    return value


def _day(value: Any) -> date:
    found = date.fromisoformat(_text(value))
    if not EARLIEST <= found.year <= LATEST:
        raise ValueError
    return found


def _moment(value: Any) -> datetime:
    found = datetime.fromisoformat(_text(value))
    if found.tzinfo is None or not EARLIEST <= found.year <= LATEST:
        raise ValueError
    return found.astimezone(UTC)


def _time(value: Any) -> time:
    found = time.fromisoformat(_text(value))
    if found.tzinfo is not None:
        raise ValueError
    return found


def _decimal(value: Any) -> Decimal:
    if not _DECIMAL.fullmatch(_text(value)):
        raise ValueError
    return Decimal(value)


_READERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (models.JSONField, lambda value: value),
    (models.BooleanField, _truth),
    (models.IntegerField, _number),
    (models.DecimalField, _decimal),
    (models.DateTimeField, _moment),
    (models.DateField, _day),
    (models.TimeField, _time),
    ((models.CharField, models.TextField), _text),
)


def _check(line: Line) -> None:
    """The row by its model, by what must agree in it, and by what its columns mean."""
    row = line.row
    faults = [
        each
        for each in validation.faults_of(row)
        if not each["place"] or each["place"][0] in line.kind.columns
    ]
    for one, other in line.kind.same:
        here, there = _along(row, one), _along(row, other)
        if here is not None and there is not None and here is not there:
            faults.append(validation.fault(_("This row doesn’t fit the rows that it belongs to.")))
    validation.refuse(faults)
    look = checks.CHECKS.get(line.kind.label)
    if look is not None:
        try:
            look(row)
        except RuleError as refusal:
            raise validation.refused_by_rules(refusal) from refusal
        except (
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            IndexError,
            OverflowError,
            ZeroDivisionError,
        ):
            raise Invalid(_("This row doesn’t make sense.")) from None


def _along(row: Any, path: str) -> Any:
    """The row at the end of a way along columns; None where it ends before."""
    return reduce(lambda at, step: None if at is None else getattr(at, step), path.split("."), row)


def _faults_of_whole(package: Package) -> Iterator[validation.Fault]:
    """What no single row shows: there is one club, and rows that others need are there."""
    if len(package.rows[Club]) != 1:
        yield validation.fault(_("A file holds exactly one club."))
        return
    for line in package.lines:
        for name, value in line.later.items():
            try:
                _check_later(package, line, name, value)
            except (ValueError, TypeError, KeyError):
                said = _("We couldn’t read the column %(name)s.") % {"name": name}
                yield _at(line.number, said)
    yield from _circles(package)
    for message in checks.faults_of_whole(package.rows):
        yield validation.fault(message)


def _circles(package: Package) -> Iterator[validation.Fault]:
    """Rows that come after themselves: a stage, or a season that follows on itself. Nobody's figures would be first."""
    before: defaultdict[tuple[Model, str], dict[Any, Any]] = defaultdict(dict)
    for line in package.lines:
        for name, value in line.later.items():
            if line.row._meta.get_field(name).related_model is line.kind.model:
                before[line.kind.model, name][line.row.pk] = value
    for (_model, name), found in before.items():
        for first in found:
            at, steps = found[first], 0
            while at is not None and at != first and steps < len(found):
                at, steps = found.get(at), steps + 1
            if at == first:
                yield validation.fault(_("We couldn’t read the column %(name)s.") % {"name": name})
                break


def _check_later(package: Package, line: Line, name: str, value: Any) -> None:
    column: Any = line.row._meta.get_field(name)
    if name in line.kind.inner:
        line.kind.inner[name](value, lambda model, key: _known(package.rows, model, key))
    elif value is not None:
        _known(package.rows, column.related_model, value)


def _trail_line(number: int, value: Any) -> ImportedTrailLine:
    """A line of the trail. Raises Invalid."""
    names = ("at", "who", "action", "what", "about", "why")
    try:
        if not isinstance(value, dict) or set(value) != set(names):
            raise ValueError
        row = ImportedTrailLine()
        for name in names:
            column: Any = row._meta.get_field(name)
            given = typed(column, value[name])
            setattr(row, name, given[: column.max_length] if isinstance(given, str) else given)
        validation.check(row)
    except (ValueError, TypeError, Invalid):
        said = _("we couldn’t read this.")
        raise Invalid(said, details=[_at(number, said, archives.TRAIL)]) from None
    return row


def preview_of(package: Package) -> dict[str, Any]:
    """What was understood, in names and counts, as it is kept and shown."""
    manifest = package.archive.manifest
    competitions: Sequence[Competition] = package.of(Competition)
    return {
        "club": package.club.name,
        "of_competition": str(manifest.get("competition", ""))[:120],
        "competitions": [
            {"name": each.name, "season": each.season.name, "state": each.state} for each in competitions
        ],
        **checks.counts_of(package.rows),
        "trail": len(package.trail),
        "left_out": _left_out(manifest),
    }


def _left_out(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the file says it does not hold."""
    told = manifest.get("left_out")
    return [
        {"what": each["what"], "count": each["count"]}
        for each in (told if isinstance(told, list) else [])[:20]
        if isinstance(each, dict)
        and each.get("what") in checks.LEFT_OUT_IN_WORDS
        and type(each.get("count")) is int
        and 0 < each["count"] < 10**9
    ]
