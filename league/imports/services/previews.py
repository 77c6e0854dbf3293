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
NEW, THERE, PROBLEM, QUESTION, LEFT_OUT = "new", "there", "problem", "question", "left out"
#: The answer to "the same person?" that names none of those who were asked about.
DIFFERENT = "different"
MOST_CANDIDATES = 5
#: How many players a line names at least: of up to two, and of up to six.
FEWEST = {2: 2, 6: 4}
_AND = re.compile(r"\s+(?:&|\+|/|and|und)\s+|\s*[&+/]\s*")
MOST_SEEDS = 9_999


@dataclass(slots=True)
class Person:
    """A player, of the club already (with a key) or as a line of the file makes one."""

    name: str
    email: str
    number: str
    key: int | None = None
    line: int | None = None

    @property
    def identity(self) -> str:
        """By what an answer names the person: a player by their key, somebody new by their line and name."""
        return f"player {self.key}" if self.key is not None else f"line {self.line}: {self.name}"

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
class Question:
    """Whether somebody in a line is one of the candidates: open until it has an answer."""

    place: str
    """The field: the name, or the number that two people have."""
    name: str
    message: str
    candidates: list[Person]
    answer: str = ""
    """The identity of the candidate who is meant, DIFFERENT, or empty."""
    is_a_slip: bool = False
    """Whether the names differ by a slip of the pen; else they, or the numbers, are the same."""

    def settle(self, given: Mapping[str, Any] | None) -> Person | None:
        """Takes the answer that was given, if it was to this question; gives the person who is meant.

        Whoever has come to be a candidate since was not asked about: then the question is open again.
        """
        if not given or normalised(given["name"]) != normalised(self.name):
            return None
        named = {each.identity: each for each in self.candidates}
        if given["answer"] in named or (given["answer"] == DIFFERENT and named.keys() <= set(given["asked"])):
            self.answer = given["answer"]
        return named.get(self.answer)

    def as_different(self) -> dict[str, Any]:
        """The answer that nobody of those is meant, as RowPlan.answers keeps it."""
        return {
            "name": self.name,
            "asked": [each.identity for each in self.candidates],
            "answer": DIFFERENT,
        }

    def as_json(self) -> dict[str, Any]:
        """The question as ImportBatch.rows keeps it."""
        return {
            "place": self.place,
            "name": self.name,
            "message": self.message,
            "candidates": [
                {
                    "key": each.identity,
                    "name": each.name,
                    "email": each.email,
                    "number": each.number,
                    "player": each.key,
                    "line": each.line if each.is_new else None,
                }
                for each in self.candidates
            ],
            "answer": self.answer,
        }


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
    questions: list[Question] = field(default_factory=list)
    """Where somebody may be meant who is known under the same or nearly the same name, or by the same number."""
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was said to the questions, by their place: `name`, `asked` (the candidates' identities), `answer`."""

    @property
    def open_questions(self) -> list[Question]:
        """Those without an answer."""
        return [each for each in self.questions if not each.answer]

    def ask(self, question: Question) -> Person | None:
        """Puts the question down; gives the person who is meant, if it was answered so."""
        self.questions.append(question)
        return question.settle(self.answers.get(question.place))

    def as_json(self) -> dict[str, Any]:
        """The line as ImportBatch.rows keeps it."""
        return {
            "line": self.line,
            "values": self.values,
            "action": self._shown_action(),
            "does": _what_it_does(self),
            "people": [
                {"name": each.name, "email": each.email, "number": each.number, "player": each.key}
                for each in self.people
            ],
            "team": self.team,
            "problems": self.problems,
            "notes": self.notes,
            "questions": [each.as_json() for each in self.questions],
            "answers": self.answers,
        }

    def _shown_action(self) -> str:
        if self.action == LEFT_OUT:
            return LEFT_OUT
        return PROBLEM if self.problems else QUESTION if self.open_questions else self.action


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
                return self._of_one_number(holder, wanted, plan, which)
            return holder
        namesakes = self._by_name[normalised(wanted.name)]
        meant = [each for each in namesakes if each.may_be(wanted)]
        surest = [each for each in meant if wanted.email and each.email == wanted.email]
        meant = surest or meant
        if len(meant) == 1:
            return self._known(meant[0], wanted, plan)
        question = self._question(wanted, meant, namesakes, f"name{which}")
        found = plan.ask(question) if question is not None else None
        if found is not None:
            return self._known(found, wanted, plan)
        if namesakes and question is None:
            text = _("There is already another %(name)s, with a different number.")
            plan.notes.append(text % {"name": wanted.name})
        if wanted.email and self._by_email[wanted.email]:
            other = self._by_email[wanted.email][0]
            plan.notes.append(_("%(name)s has the same e-mail address.") % {"name": other.name})
        plan.problems += self._passing_for_others(wanted, which)
        return wanted

    def _of_one_number(self, holder: Person, wanted: Person, plan: RowPlan, which: str) -> Person:
        """Two names have one number: which person is meant is asked."""
        text = _("Who has the number %(number)s: %(name)s, or %(other)s?")
        words = {"number": wanted.number, "name": holder.name, "other": wanted.name}
        question = Question(f"number{which}", wanted.name, text % words, [holder])
        found = plan.ask(question)
        if found is not None:
            return self._known(found, wanted, plan)
        if question.answer:
            text = _("%(name)s has the number %(number)s. Change or delete the number of %(other)s.")
            plan.problems.append(fault(text % words, question.place))
        return wanted

    def _question(
        self, wanted: Person, meant: list[Person], namesakes: list[Person], place: str
    ) -> Question | None:
        """Who of several is meant, or whether somebody of the same or nearly the same name is."""
        if meant:
            text = _("There are %(count)d players called %(name)s. Who is meant?")
            return Question(place, wanted.name, text % {"count": len(meant), "name": wanted.name}, meant)
        others = [each for each in namesakes if not _are_told_apart(each, wanted)][:MOST_CANDIDATES]
        if others:
            text = _("There is already another %(name)s, with a different e-mail address. The same person?")
            return Question(place, wanted.name, text % {"name": wanted.name}, others)
        near = self._near(wanted)
        if near:
            text = _("Nearly the same name as %(other)s. The same person?")
            names = ", ".join(dict.fromkeys(each.name for each in near))
            return Question(place, wanted.name, text % {"other": names}, near, is_a_slip=True)
        return None

    def _known(self, person: Person, wanted: Person, plan: RowPlan) -> Person:
        if person.is_new:
            person.email = person.email or wanted.email
            person.number = person.number or wanted.number
        elif (wanted.email and not person.email) or (wanted.number and not person.number):
            text = _(
                "%(name)s is already in the list. We won’t use the e-mail address and number in the file."
            )
            plan.notes.append(text % {"name": person.name})
        if normalised(person.name) != normalised(wanted.name):
            plan.notes.append(_("%(name)s stays as the name.") % {"name": person.name})
        return person

    def _passing_for_others(self, wanted: Person, which: str) -> list[Fault]:
        """The same as validation.check_unlike, with the lines before."""
        known = self._by_look[looks_like(wanted.name)]
        return [fault(alike(each), f"name{which}") for each in known if are_alike(wanted.name, each)]

    def _near(self, wanted: Person) -> list[Person]:
        """Those whose names differ by a slip of the pen."""
        name = normalised(wanted.name)
        found: dict[str, Person] = {}
        for part in _parts(wanted.name):
            group = self._by_part[part]
            # Names that many share say nothing: comparing all of them would only take long.
            for each in group if len(group) <= MOST_IN_A_GROUP else ():
                other = normalised(each.name)
                if other != name and not _are_told_apart(each, wanted) and are_close(other, name):
                    found[each.identity] = each
        return list(found.values())[:MOST_CANDIDATES]


def _are_told_apart(one: Person, other: Person) -> bool:
    """Partners are, and so are two who have numbers; an e-mail address may only be a new one."""
    return bool((one.number and other.number) or (one.line and one.line == other.line))


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
        RowPlan(
            each["line"],
            dict(each["values"]),
            action=LEFT_OUT if each["action"] == LEFT_OUT else NEW,
            answers=dict(each.get("answers", {})),
        )
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
    # Entries get their numbers in the order of the rows: by their seeds, then those without.
    rows = sorted(rows, key=lambda row: _seed_of(row) or MOST_SEEDS + 1)
    _check_seeds(rows)
    for row in rows:
        if row.action == LEFT_OUT:
            row.problems.clear()
        elif kind == Kind.PLAYERS:
            _plan_player(club, people, row)
        else:
            _plan_pair(club, people, existing, seen, row, _places(kind))
            _check_team(row, teams)
    return rows


def _seed_of(row: RowPlan) -> int | None:
    """The seed that the line gives; None where it gives none, or something else."""
    given = row.values.get("seed", "").strip().rstrip(".")
    is_number = given.isascii() and given.isdecimal() and len(given) <= len(str(MOST_SEEDS))
    return int(given) if is_number and 1 <= int(given) <= MOST_SEEDS else None


def _check_seeds(rows: list[RowPlan]) -> None:
    lines: dict[int, int] = {}
    for row in rows:
        seed = _seed_of(row)
        if row.action == LEFT_OUT or not row.values.get("seed"):
            continue
        if seed is None:
            said = _("A seed is a whole number from 1 to %(most)d.") % {"most": MOST_SEEDS}
            row.problems.append(fault(said, "seed"))
        elif seed in lines:
            said = _("Line %(line)d has seed %(seed)d, too.") % {"line": lines[seed], "seed": seed}
            row.problems.append(fault(said, "seed"))
        else:
            lines[seed] = row.line


def _plan_player(club: Club, people: People, row: RowPlan) -> None:
    person = _read_person(club, row, "")
    if person is None:
        return
    found = people.find(person, row, "")
    row.people = [found]
    row.action = NEW if found is person else THERE
    if found is person and not row.problems:
        people.add(person)
    elif found.is_new and not row.problems and not row.questions:
        row.problems.append(
            fault(
                _("%(name)s is already in line %(line)d.") % {"name": found.name, "line": found.line},
                "name",
            )
        )


def _places(kind: str) -> str:
    """The numbers of the players that a line can name."""
    return "123456" if kind == Kind.TEAMS else "12"


def _plan_pair(  # noqa: PLR0917 - what plan_rows keeps from line to line
    club: Club, people: People, existing: set[str], seen: dict[Any, int], row: RowPlan, places: str
) -> None:
    places = _named_places(row, places)
    row.team = row.values.get("team", "")
    row.problems += [fault(each["message"], "team") for each in faults_of(Lineup(club=club, name=row.team))]
    persons = [_read_person(club, row, which) for which in places]
    for which, person in zip(places, persons, strict=True):
        if person is not None:
            found = people.find(person, row, which)
            row.people.append(found)
            if found is person:
                people.add(person)
    if len(row.people) < len(places):
        return
    pair = frozenset(id(each) for each in row.people)
    if len(pair) < len(row.people):
        said = (
            _("A pair needs two different players.") if len(places) == 2 else _("One player is there twice.")
        )
        row.problems.append(fault(said, "name2"))
        return
    if pair in seen:
        row.problems.append(fault(_twice(len(places)) % {"line": seen[pair]}, "name2"))
    seen.setdefault(pair, row.line)
    keys = [each.key for each in row.people if each.key is not None]
    row.action = THERE if len(keys) == len(places) and Lineup.key_of(keys) in existing else NEW
    if row.action == THERE and row.team and len(places) == 2:
        row.notes.append(_("This pair is already in the list. Its team name will not change."))
    elif row.action == THERE and row.team:
        row.notes.append(_("This team is already in the list. Its name and captain will not change."))


def _twice(players: int) -> str:
    if players == 2:
        return _("This pair is already in line %(line)d.")
    return _("This team is already in line %(line)d.")


def _named_places(row: RowPlan, places: str) -> str:
    """Those of the places that the line fills: both of a pair, the first four of a team and whom else it names."""
    if len(places) == 2:
        _split_pair(row)
    elif not row.values.get("team") and not row.problems:
        row.problems.append(fault(_("A team needs a name."), "team"))
    return "".join(each for each in places if int(each) <= FEWEST[len(places)] or _names(row, each))


def _names(row: RowPlan, which: str) -> bool:
    """Whether the line says anything of this player."""
    return any(row.values.get(f"{part}{which}") for part in ("name", "first", "last", "email", "number"))


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
    if row.open_questions:
        return _("the same person?")
    new = [each.name for each in row.people if each.is_new]
    if len(row.people) < 2:
        return _("new player") if row.action == NEW else _("already listed")
    if row.action == THERE:
        return _("already listed")
    if len(row.people) > 2:
        words = ngettext("new team, new player: %(names)s", "new team, new players: %(names)s", len(new))
        return words % {"names": ", ".join(new)} if new else _("new team")
    if not new:
        return _("new pair")
    words = ngettext("new pair, new player: %(names)s", "new pair, new players: %(names)s", len(new))
    return words % {"names": ", ".join(new)}
