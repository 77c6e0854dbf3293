"""What an imported line would do: who is new, who is there already, and what is wrong with it. Nothing is written."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.imports.columns import Columns
from league.imports.csv_files import Line
from league.models import Club, ImportBatch, Lineup, Player
from league.people.services import players
from league.people.services.duplicates import MOST_IN_A_GROUP
from league.validation import Fault, alike, fault, faults_of
from league.words.names import are_alike, are_close, looks_like, normalised

Kind = ImportBatch.Kind
NEW, THERE, PROBLEM, LEFT_OUT = "new", "there", "problem", "left out"
_AND = re.compile(r"\s+(?:&|\+|/|and|und)\s+|\s*[&+/]\s*")


@dataclass(slots=True)
class Person:
    """A player, of the club already (with a key) or as a line of the file makes one."""

    name: str
    email: str
    number: str
    key: int | None = None
    line: int | None = None

    @property
    def is_new(self) -> bool:
        """Whether the import makes this player."""
        return self.key is None

    def may_be(self, other: "Person") -> bool:
        """Whether both may be one person, where their names agree: what both tell does not differ."""
        emails_agree = not (self.email and other.email) or self.email == other.email
        numbers_agree = not (self.number and other.number) or self.number == other.number
        return emails_agree and numbers_agree


@dataclass(slots=True)
class RowPlan:
    """One line: what was understood, what it will do, and every problem at its field."""

    line: int
    values: dict[str, str]
    people: list[Person] = field(default_factory=list)
    team: str = ""
    action: str = NEW
    problems: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    """Where somebody may be meant who is known under nearly the same name."""

    def as_json(self) -> dict[str, Any]:
        """The line as ImportBatch.rows keeps it."""
        return {
            "line": self.line,
            "values": self.values,
            "action": PROBLEM if self.problems and self.action != LEFT_OUT else self.action,
            "does": _what_it_does(self),
            "people": [
                {"name": each.name, "email": each.email, "number": each.number, "player": each.key}
                for each in self.people
            ],
            "team": self.team,
            "problems": self.problems,
            "notes": [*self.notes, *self.questions],
        }


class People:
    """The players of a club and those that earlier lines of the file make."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self._by_name: dict[str, list[Person]] = defaultdict(list)
        self._by_look: dict[str, list[str]] = defaultdict(list)
        self._by_number: dict[str, Person] = {}
        self._by_email: dict[str, list[Person]] = defaultdict(list)
        self._by_part: dict[str, list[Person]] = defaultdict(list)
        rows = {player.pk: player for player in club.players.order_by("pk")}
        present = {key: _person_of(row) for key, row in rows.items() if row.merged_into_id is None}
        for person in present.values():
            self.add(person)
        for key, row in rows.items():
            # A number that a merged player still holds belongs to the player they became.
            holder = present.get(_final(rows, key))
            if row.number and holder is not None:
                self._by_number.setdefault(row.number, holder)

    def add(self, person: Person) -> None:
        """Makes the person known to the lines that follow."""
        self._by_name[normalised(person.name)].append(person)
        self._by_look[looks_like(person.name)].append(person.name)
        for part in _parts(person.name):
            self._by_part[part].append(person)
        if person.number:
            self._by_number[person.number] = person
        if person.email:
            self._by_email[person.email].append(person)

    def find(self, wanted: Person, plan: RowPlan, which: str) -> Person:
        """The person who is meant: one who is known, or the wanted one as a new one. Problems go to the plan."""
        holder = self._by_number.get(wanted.number) if wanted.number else None
        if holder is not None:
            if normalised(holder.name) != normalised(wanted.name):
                text = _(
                    "Who has the number %(number)s: %(name)s, or %(other)s? Change or delete one of the numbers."
                )
                words = {"number": wanted.number, "name": holder.name, "other": wanted.name}
                plan.problems.append(fault(text % words, f"number{which}"))
                return wanted
            return holder
        namesakes = self._by_name[normalised(wanted.name)]
        meant = [each for each in namesakes if each.may_be(wanted)]
        surest = [each for each in meant if wanted.email and each.email == wanted.email]
        meant = surest or meant
        if len(meant) > 1:
            text = _(
                "There are %(count)d players called %(name)s. Give the e-mail address or the "
                "membership number."
            )
            plan.problems.append(fault(text % {"count": len(meant), "name": wanted.name}, f"name{which}"))
        if meant:
            return self._known(meant[0], wanted, plan)
        self._note_new(wanted, namesakes, plan)
        plan.problems += self._passing_for_others(wanted, which)
        return wanted

    def _known(self, person: Person, wanted: Person, plan: RowPlan) -> Person:
        if person.is_new:
            person.email = person.email or wanted.email
            person.number = person.number or wanted.number
        elif (wanted.email and not person.email) or (wanted.number and not person.number):
            text = _(
                "%(name)s is already in the list. We won’t use the e-mail address and number in the file."
            )
            plan.notes.append(text % {"name": person.name})
        return person

    def _passing_for_others(self, wanted: Person, which: str) -> list[Fault]:
        """The same as validation.check_unlike, with the lines before."""
        known = self._by_look[looks_like(wanted.name)]
        return [fault(alike(each), f"name{which}") for each in known if are_alike(wanted.name, each)]

    def _note_new(self, wanted: Person, namesakes: list[Person], plan: RowPlan) -> None:
        if namesakes:
            text = _("There is already another %(name)s, with a different e-mail address or number.")
            plan.notes.append(text % {"name": wanted.name})
        near = self._near(wanted)
        if near is not None:
            text = _("Nearly the same name as %(other)s. If it’s the same person, write %(other)s here, too.")
            plan.questions.append(text % {"other": near.name})
        if wanted.email and self._by_email[wanted.email]:
            other = self._by_email[wanted.email][0]
            plan.notes.append(_("%(name)s has the same e-mail address.") % {"name": other.name})

    def _near(self, wanted: Person) -> Person | None:
        """Somebody whose name differs by a slip of the pen; not a partner, nor where numbers tell the two apart."""
        name = normalised(wanted.name)
        for part in _parts(wanted.name):
            group = self._by_part[part]
            # Names that many share say nothing: comparing all of them would only take long.
            for each in group if len(group) <= MOST_IN_A_GROUP else ():
                other = normalised(each.name)
                are_told_apart = (each.number and wanted.number) or (each.line and each.line == wanted.line)
                if other != name and not are_told_apart and are_close(other, name):
                    return each
        return None


def _parts(name: str) -> list[str]:
    """By what a name is looked up that is nearly the same: its words, and the initials."""
    words = normalised(name).split()
    return [*dict.fromkeys(words), " ".join(word[0] for word in words)]


def plan_lines(club: Club, kind: str, columns: Columns, lines: Iterable[Line]) -> list[RowPlan]:
    """What each line of a file would do to the club."""
    rows = []
    for line in lines:
        row = RowPlan(line.number, columns.values_of(line))
        strays = columns.strays(line)
        if strays:
            text = _("This line has more columns than the first one: “%(cell)s”.") % {"cell": strays[0][:60]}
            row.problems.append(fault(text))
        rows.append(row)
    return plan_rows(club, kind, rows)


def plan_again(club: Club, kind: str, stored: Iterable[Mapping[str, Any]]) -> list[RowPlan]:
    """What the stored lines of a preview would do to the club as it is now. What was wrong with a line stays wrong."""
    rows = [
        RowPlan(each["line"], dict(each["values"]), action=LEFT_OUT if each["action"] == LEFT_OUT else NEW)
        for each in stored
    ]
    for row, each in zip(rows, stored, strict=True):
        row.problems += [problem for problem in each["problems"] if not problem["place"]]
    return plan_rows(club, kind, rows)


def plan_rows(club: Club, kind: str, rows: list[RowPlan]) -> list[RowPlan]:
    """Fills in what the rows do, in their order."""
    people = People(club)
    present = Lineup.objects.present().filter(club=club)
    existing = set(present.values_list("members_key", flat=True))
    teams = list(present.exclude(name="").values_list("name", flat=True))
    seen: dict[Any, int] = {}
    for row in rows:
        if row.action == LEFT_OUT:
            row.problems.clear()
        elif kind == Kind.PLAYERS:
            _plan_player(club, people, row)
        else:
            _plan_pair(club, people, existing, seen, row)
            _check_team(row, teams)
    return rows


def _plan_player(club: Club, people: People, row: RowPlan) -> None:
    person = _read_person(club, row, "")
    if person is None:
        return
    found = people.find(person, row, "")
    row.people = [found]
    row.action = NEW if found is person else THERE
    if found is person and not row.problems:
        people.add(person)
    elif found.is_new and found is not person and not row.problems:
        row.problems.append(
            fault(
                _("%(name)s is already in line %(line)d.") % {"name": found.name, "line": found.line},
                "name",
            )
        )


def _plan_pair(club: Club, people: People, existing: set[str], seen: dict[Any, int], row: RowPlan) -> None:
    _split_pair(row)
    row.team = row.values.get("team", "")
    row.problems += [fault(each["message"], "team") for each in faults_of(Lineup(club=club, name=row.team))]
    persons = [_read_person(club, row, which) for which in "12"]
    for which, person in zip("12", persons, strict=True):
        if person is not None:
            found = people.find(person, row, which)
            row.people.append(found)
            if found is person:
                people.add(person)
    if len(row.people) < 2:
        return
    first, second = row.people
    if first is second:
        row.problems.append(fault(_("A pair needs two different players."), "name2"))
        return
    pair = frozenset((id(first), id(second)))
    if pair in seen:
        row.problems.append(
            fault(_("This pair is already in line %(line)d.") % {"line": seen[pair]}, "name2")
        )
    seen.setdefault(pair, row.line)
    keys = [each.key for each in row.people if each.key is not None]
    row.action = THERE if len(keys) == 2 and Lineup.key_of(keys) in existing else NEW
    if row.action == THERE and row.team:
        row.notes.append(_("This pair is already in the list. Its team name will not change."))


def _check_team(row: RowPlan, teams: list[str]) -> None:
    """Notes what the team's name could be taken for, and the name itself for the lines that follow."""
    if row.team and row.action != THERE:
        row.problems += [fault(alike(other), "team") for other in teams if are_alike(row.team, other)]
        teams.append(row.team)


def _split_pair(row: RowPlan) -> None:
    """Takes "Anna Berg & Carl Dorn" apart, where a file has both players in one column."""
    both = row.values.pop("both", "")
    if not both:
        return
    named = any(row.values.get(f"{part}{which}") for part in ("name", "first", "last") for which in "12")
    parts = [part for part in _AND.split(both) if part]
    if named:
        row.values["team"] = row.values.get("team") or both
    elif len(parts) == 2:
        row.values["name1"], row.values["name2"] = parts
    else:
        row.values["both"] = both
        row.problems.append(fault(_("Write the two players as “Anna Berg & Carl Dorn”."), "both"))


def _read_person(club: Club, row: RowPlan, which: str) -> Person | None:
    """The person that the line names, or None with the problems noted."""
    values = row.values
    parts = [values.get(f"first{which}", ""), values.get(f"last{which}", "")]
    name = values.get(f"name{which}", "") or " ".join(part for part in parts if part)
    if not name or not normalised(name):
        if not row.problems:
            row.problems.append(fault(_("The name is missing."), f"name{which}"))
        return None
    player = players.build(
        club=club, name=name, email=values.get(f"email{which}", ""), number=values.get(f"number{which}", "")
    )
    faults = faults_of(player)
    row.problems += [fault(each["message"], f"{each['place'][0]}{which}") for each in faults]
    return None if faults else Person(player.name, player.email, player.number, line=row.line)


def _person_of(player: Player) -> Person:
    return Person(player.name, player.email.strip().lower(), player.number, key=player.pk)


def _final(rows: Mapping[int, Player], key: int) -> int:
    while (into := rows[key].merged_into_id) is not None:
        key = into
    return key


def _what_it_does(row: RowPlan) -> str:
    """What the line will do, in words."""
    if row.action == LEFT_OUT:
        return _("left out")
    if row.problems:
        return _("to fix")
    new = [each.name for each in row.people if each.is_new]
    if len(row.people) < 2:
        return _("new player") if row.action == NEW else _("already listed")
    if row.action == THERE:
        return _("already listed")
    if not new:
        return _("new pair")
    words = ngettext("new pair, new player: %(names)s", "new pair, new players: %(names)s", len(new))
    return words % {"names": ", ".join(new)}
