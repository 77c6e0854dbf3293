"""What the columns of an imported file are called, in the spellings that clubs use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import Invalid
from league.imports.csv_files import CsvTable, Line
from league.models import ImportBatch
from league.words.names import normalised

Kind = ImportBatch.Kind

_PERSON = {
    "name": "name|full name|player|player name|member|spieler|spielerin|vollständiger name",
    "first": "first name|firstname|forename|given name|vorname",
    "last": "last name|lastname|surname|family name|nachname|familienname",
    "email": "e-mail|email|mail|e-mail address|email address|mail address|mailadresse|e-mail-adresse",
    "number": "number|no|nr|id|member number|membership number|member no|membership no|member id|mitgliedsnummer",
}
_PAIR = {
    "team": "team|team name|teamname|pair name|name|name of pair|name des paares|paarname",
    "both": "pair|players|partnership|both players|paar|spielerpaar",
    "seed": "seed|seeding|draw number|setzung|setznummer|setzplatz",
}
#: What people call them.
LABELS = {
    "name": gettext_lazy("Name"),
    "first": gettext_lazy("First name"),
    "last": gettext_lazy("Last name"),
    "email": gettext_lazy("E-mail address"),
    "number": gettext_lazy("Membership number"),
    "team": gettext_lazy("Name of the pair"),
    "both": gettext_lazy("Players"),
    "seed": gettext_lazy("Seed"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column holds what, by index, and the columns that are not used."""

    fields: Mapping[int, str]
    unused: tuple[str, ...]
    width: int

    def values_of(self, line: Line) -> dict[str, str]:
        """The line's cells by field; fields without a cell are empty."""
        values = dict.fromkeys(self.fields.values(), "")
        values.update({self.fields[i]: cell for i, cell in enumerate(line.cells) if i in self.fields})
        return values

    def strays(self, line: Line) -> tuple[str, ...]:
        """Cells beyond the last column."""
        return tuple(cell for cell in line.cells[self.width :] if cell)


def label_of(field: str) -> str:
    """What people call a column: "Name 2" for "name2"."""
    part = field.rstrip("123456")
    return f"{LABELS.get(part, part)} {field[len(part) :]}".strip()


def understand(table: CsvTable, kind: str) -> Columns:
    """Finds the columns by their names; raises Invalid when the needed ones are missing or one is there twice."""
    known = _SPELLINGS[kind]()
    fields: dict[int, str] = {}
    unused = []
    for index, heading in enumerate(table.header.cells):
        field = known.get(_key(heading))
        if field is None:
            unused.append(heading)
        elif field in fields.values():
            raise Invalid(_("Two columns are called “%(name)s”. Remove one.") % {"name": heading})
        else:
            fields[index] = field
    if not _is_enough(set(fields.values()), kind):
        raise Invalid(_expected(kind) % {"found": ", ".join(table.header.cells)[:200]})
    return Columns(fields, tuple(heading for heading in unused if heading), len(table.header.cells))


def _players_spellings() -> dict[str, str]:
    return {_key(name): field for field, names in _PERSON.items() for name in names.split("|")}


def _teams_spellings() -> dict[str, str]:
    spellings = {_key(name): field for field in ("team", "seed") for name in _PAIR[field].split("|")}
    for which in "123456":
        spellings |= {_key(f"{player} {which}"): f"name{which}" for player in ("player", "spieler")}
        spellings |= {
            _key(f"{name} {which}"): f"{field}{which}"
            for field, names in _PERSON.items()
            for name in names.split("|")
        }
    return spellings | {_key("captain"): "name1", _key("Kapitän"): "name1", _key("Kapitänin"): "name1"}


def _pairs_spellings() -> dict[str, str]:
    spellings = {_key(name): field for field, names in _PAIR.items() for name in names.split("|")}
    for which, marks in (("1", ("1", "a", "one", "erster")), ("2", ("2", "b", "two", "zweiter"))):
        for field, names in _PERSON.items():
            for name in names.split("|"):
                for mark in marks:
                    spellings[_key(f"{name} {mark}")] = field + which
                    spellings[_key(f"{mark} {name}")] = field + which
                    for player in ("player", "spieler"):
                        spellings[_key(f"{player} {mark} {name}")] = field + which
    spellings.update({_key("partner"): "name2", _key("partner name"): "name2", _key("first player"): "name1"})
    spellings.update(
        {_key("second player"): "name2", _key("player"): "name1", _key("partner e-mail"): "email2"}
    )
    return spellings


_SPELLINGS: Mapping[str, Callable[[], dict[str, str]]] = {
    Kind.PLAYERS: _players_spellings,
    Kind.PAIRS: _pairs_spellings,
    Kind.TEAMS: _teams_spellings,
}


def _is_enough(fields: set[str], kind: str) -> bool:
    if kind == Kind.PLAYERS:
        return "name" in fields or {"first", "last"} <= fields
    places = "1234" if kind == Kind.TEAMS else "12"
    named = all(f"name{which}" in fields or {f"first{which}", f"last{which}"} <= fields for which in places)
    if kind == Kind.TEAMS:
        return named and "team" in fields
    return named or "both" in fields


def _expected(kind: str) -> str:
    if kind == Kind.PLAYERS:
        return _(
            "The first line must name the columns: name and, if you like, e-mail and number. "
            "Yours says: %(found)s"
        )
    if kind == Kind.TEAMS:
        return _(
            "The first line must name the columns: team, player 1 to player 4 and, if you like, player 5, player 6, "
            "e-mail 1, number 1 and so on. Player 1 is the captain. Yours says: %(found)s"
        )
    return _(
        "The first line must name the columns: player 1, player 2 and, if you like, team, "
        "e-mail 1, e-mail 2, number 1 and number 2. Yours says: %(found)s"
    )


def _key(heading: str) -> str:
    # "Player1", "player_1" and "Player 1" are one spelling.
    apart = "".join(f" {letter} " if letter.isdigit() else letter for letter in heading)
    return normalised(apart).replace(" ", "")
