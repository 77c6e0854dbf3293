"""Movements in plain words: what each choice means for the evening, and the whole movement round by round."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import Movement, Sitting
from engine.contest.movements.sections import Choice, Kind
from games.sessions.sections import Section
from league.web.local_time import Moment
from league.web.number_format import decimal_text


@dataclass(frozen=True, slots=True)
class Terms:
    """What the words need to know of the evening."""

    boards_a_round: int
    minutes_a_round: int
    begins: Moment
    sides: tuple[str, ...]

    @property
    def named(self) -> dict[str, str]:
        """The sides as the game calls them, for a sentence."""
        return dict(zip(("first", "second"), self.sides, strict=True))

    def ends(self, rounds: int) -> Moment:
        """When so many rounds are over."""
        return Moment(self.begins.at + timedelta(minutes=rounds * self.minutes_a_round), self.begins.zone)


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table in a round: its name, the numbers and names of both pairs, and its boards. One that `is_off` is empty."""

    table: str
    first: int
    second: int
    first_name: str
    second_name: str
    boards: str
    is_shared: bool
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round as it will be: its tables, and the pair that sits out ("" where none does)."""

    number: int
    tables: tuple[PlannedTable, ...]
    waiting: str


def name_of(choice: Choice) -> str:
    """What the movement is called."""
    if choice.kind is Kind.HOWELL:
        return _("Howell")
    if choice.tables % 2:
        return _("Mitchell")
    return _("Mitchell with a skip") if choice.even is EvenTables.SKIP else _("Mitchell with share and relay")


def consequences(choice: Choice, terms: Terms) -> tuple[str, ...]:
    """What the choice means, a sentence each."""
    movement = choice.movement()
    return (
        *_length(movement, terms),
        *_boards(movement, terms),
        *_winners(choice, movement, terms),
        *_waiting(choice),
        *_sharing(movement),
        *_moving(choice, terms),
        *_balance(movement),
    )


def _length(movement: Movement, terms: Terms) -> Iterator[str]:
    rounds = len(movement.rounds)
    minutes = rounds * terms.minutes_a_round
    many = ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds}
    said = {
        "rounds": many,
        "minutes": terms.minutes_a_round,
        "hours": minutes // 60,
        "rest": minutes % 60,
        "end": f"{terms.ends(rounds).local:%H:%M}",
    }
    if minutes < 60:
        yield _("%(rounds)s of %(minutes)d minutes: %(rest)d min, until about %(end)s.") % said
    else:
        yield _("%(rounds)s of %(minutes)d minutes: %(hours)d h %(rest)02d min, until about %(end)s.") % said


def _boards(movement: Movement, terms: Terms) -> Iterator[str]:
    sets = {
        sitting.boards for number in range(1, len(movement.rounds) + 1) for sitting in movement.played(number)
    }
    yield _("%(boards)d boards in play. A pair who never sit out play %(own)d of them.") % {
        "boards": len(sets) * terms.boards_a_round,
        "own": len(movement.rounds) * terms.boards_a_round,
    }


def _winners(choice: Choice, movement: Movement, terms: Terms) -> Iterator[str]:
    if not movement.is_one_field():
        yield _("Two winners: %(first)s and %(second)s are ranked separately.") % terms.named
    elif choice.arrow_switched:
        yield ngettext(
            "One winner: the last round has an arrow switch.",
            "One winner: the last %(count)d rounds have an arrow switch.",
            choice.arrow_switched,
        ) % {"count": choice.arrow_switched}
    else:
        yield _("One winner.")


def _waiting(choice: Choice) -> Iterator[str]:
    if choice.phantom is not None:
        movement = choice.movement()
        out = [str(pair) for number in range(1, choice.rounds + 1) if (pair := movement.sitting_out(number))]
        yield _("Number %(phantom)d is missing, so one pair sits out each round: %(pairs)s.") % {
            "phantom": choice.phantom,
            "pairs": ", ".join(out),
        }


def _sharing(movement: Movement) -> Iterator[str]:
    shared = {number: movement.shared(number) for number in range(1, len(movement.rounds) + 1)}
    found = {tables for together in shared.values() for tables in together}
    if len(found) == 1:
        yield _("Tables %(tables)s share their boards.") % {"tables": _listed(next(iter(found)))}
    elif found:
        yield _("In some rounds tables share boards. They are marked below.")


def _moving(choice: Choice, terms: Terms) -> Iterator[str]:
    if choice.kind is Kind.HOWELL:
        yield (
            _("All pairs but one move. Every pair meets every other pair once.")
            if choice.rounds == (2 * choice.tables - 1)
            else _("All pairs but one move. Not everyone meets everyone else.")
        )
    else:
        yield (
            _("%(first)s stay put, %(second)s move up a table, and the boards move down a table.")
            % terms.named
        )
        if not choice.tables % 2 and choice.even is EvenTables.SKIP:
            yield _("Halfway through, %(second)s skip a table.") % terms.named


def _balance(movement: Movement) -> Iterator[str]:
    if not movement.is_one_field():
        return
    balance = movement.balance()
    if balance:
        yield _("Some pairs are compared more than others (imbalance %(figure)s; 0 is perfect).") % {
            "figure": decimal_text(balance)
        }
    else:
        yield _("All pairs are compared equally with each other.")


def _listed(tables: tuple[int, ...]) -> str:
    return ", ".join(str(table) for table in tables)


def planned(section: Section, terms: Terms) -> tuple[PlannedRound, ...]:
    """The section's movement round by round, with the pairs that are entered."""
    movement = section.movement
    if movement is None:
        return ()
    return tuple(_planned(section, movement, number, terms) for number in range(1, len(movement.rounds) + 1))


def _planned(section: Section, movement: Movement, number: int, terms: Terms) -> PlannedRound:
    shared = {table for tables in movement.shared(number) for table in tables}
    waiting, played = movement.sitting_out(number), movement.played(number)
    return PlannedRound(
        number,
        tuple(
            PlannedTable(
                section.table(each),
                each.first,
                each.second,
                str(section.by_number.get(each.first, each.first)),
                str(section.by_number.get(each.second, each.second)),
                numbers_of_set(each, terms.boards_a_round),
                each.table in shared,
                is_off=each not in played,
            )
            for each in movement.rounds[number - 1]
        ),
        f"{waiting} {section.by_number.get(waiting, '')}".strip() if waiting else "",
    )


def numbers_of_set(sitting: Sitting, size: int, first: int = 1) -> str:
    """The boards of the table's set: "5–8"."""
    start = first + (sitting.boards - 1) * size
    return str(start) if size == 1 else f"{start}–{start + size - 1}"


def terms_of(*, boards: int, minutes: int, begins: datetime, zone: str, sides: tuple[str, ...]) -> Terms:
    """The terms of an evening."""
    return Terms(boards, minutes, Moment(begins, zone), sides)
