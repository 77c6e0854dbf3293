"""Movements in plain words: what each choice means for the evening, and the whole movement round by round."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.movements import sections as offers
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import Movement, Sitting
from engine.contest.movements.sections import Choice, Kind
from games.models import SectionMovement
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
    first: str
    second: str
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
    if choice.kind is Kind.MITCHELL and not choice.tables % 2 and not choice.barometer:
        if choice.even is EvenTables.SKIP:
            return _("Mitchell with a skip")
        return _("Mitchell with share and relay")
    name = str(SectionMovement.Kind(choice.kind.value).label)
    if choice.barometer:
        return _("%(movement)s as a barometer") % {"movement": name}
    if choice.length and choice.length != choice.rounds:
        return ngettext(
            "%(movement)s of %(count)d round", "%(movement)s of %(count)d rounds", choice.length
        ) % {"movement": name, "count": choice.length}
    return name


def consequences(choice: Choice, terms: Terms) -> tuple[str, ...]:
    """What the choice means, a sentence each."""
    movement = choice.movement()
    return (
        *_length(movement, terms),
        *_boards(movement, terms),
        *_winners(choice, movement, terms),
        *_waiting(choice, movement),
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
    figures = {
        "boards": movement.sets_in_play() * terms.boards_a_round,
        "own": len(movement.rounds) * terms.boards_a_round,
    }
    if movement.name == Kind.INDIVIDUAL:
        yield _("%(boards)d boards in play. Everybody plays all of them.") % figures
    else:
        yield _("%(boards)d boards in play. A pair who never sit out play %(own)d of them.") % figures


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


def _waiting(choice: Choice, movement: Movement) -> Iterator[str]:
    out = [str(pair) for number in range(1, choice.rounds + 1) if (pair := movement.sitting_out(number))]
    if choice.phantom is not None:
        yield _("Number %(phantom)d is missing, so one pair sits out each round: %(pairs)s.") % {
            "phantom": choice.phantom,
            "pairs": ", ".join(out),
        }
    elif out:
        yield _("One pair sits out each round: %(pairs)s.") % {"pairs": ", ".join(out)}


def _sharing(movement: Movement) -> Iterator[str]:
    copies = movement.copies()
    if copies > 1 and copies * movement.sets >= len(movement.rounds[0]) * len(movement.rounds):
        yield _(
            "All tables play the same boards in each round, so you need %(count)d copies of each board."
        ) % {"count": copies}
        return
    shared = {number: movement.shared(number) for number in range(1, len(movement.rounds) + 1)}
    found = {tables for together in shared.values() for tables in together}
    if len(found) == 1:
        yield _("Tables %(tables)s share their boards.") % {"tables": _listed(next(iter(found)))}
    elif found and movement.name == Kind.WEB:
        yield _("You need %(count)d copies of each board.") % {"count": copies}
    elif found:
        yield _("In some rounds tables share boards. They are marked below.")


def _moving(choice: Choice, terms: Terms) -> Iterator[str]:
    match choice.kind:
        case Kind.HOWELL:
            yield (
                _("All pairs but one move. Every pair meets every other pair once.")
                if choice.rounds == (2 * choice.tables - 1)
                else _("All pairs but one move. Not everyone meets everyone else.")
            )
        case Kind.THREE_QUARTER:
            staying = 2 * choice.tables - (choice.length or choice.rounds)
            yield ngettext(
                "%(count)d pair stays at its table, all others move.",
                "%(count)d pairs stay at their tables, all others move.",
                staying,
            ) % {"count": staying}
        case Kind.HESITATION:
            yield _("At all tables but the last one pair stays, all others move up a table. A pair that comes to "
                "the last table plays there for two rounds.")  # fmt: skip
        case Kind.APPENDIX:
            yield from _appendix(choice)
        case Kind.ROVER:
            yield _(
                "One pair roves: in each round it takes the place of a pair that stays, and that pair sits out."
            )
        case Kind.INDIVIDUAL:
            players = 4 * choice.tables
            yield (
                _("Everybody has everybody as a partner once, and as an opponent twice.")
                if choice.rounds == players - 1
                else _("Everybody has another partner in each round, but not everybody in turn.")
            )
            yield _("Number %(number)d stays at table 1, all others move as the guide cards say.") % {
                "number": players
            }
        case _:
            yield from _mitchell(choice, terms)
    if choice.kind not in {Kind.HOWELL, Kind.MITCHELL, Kind.INDIVIDUAL}:
        yield _("The pairs’ directions change as the guide cards say.")


def _appendix(choice: Choice) -> Iterator[str]:
    base = choice.length or choice.rounds
    first, last = base + 1, choice.tables
    yield _("Tables 1 to %(base)d play a Mitchell.") % {"base": base}
    yield ngettext(
        "At table %(first)d one pair stays and a pair comes to it from the Mitchell each round; another one "
        "takes the place that is left there.",
        "At each of tables %(first)d to %(last)d one pair stays and a pair comes to it from the Mitchell each "
        "round; another one takes the place that is left there.",
        last - base,
    ) % {"first": first, "last": last}


def _mitchell(choice: Choice, terms: Terms) -> Iterator[str]:
    if choice.barometer:
        yield _("%(first)s stay put, %(second)s move up a table.") % terms.named
    elif choice.kind is Kind.WEB:
        yield _("One pair of each table stays put, the other one moves up a table each round.")
    elif choice.kind is Kind.MITCHELL:
        yield (
            _("%(first)s stay put, %(second)s move up a table, and the boards move down a table.")
            % terms.named
        )
    if choice.kind is Kind.MITCHELL and not choice.tables % 2 and choice.even is EvenTables.SKIP:
        yield _("Halfway through, %(second)s skip a table.") % terms.named


def _balance(movement: Movement) -> Iterator[str]:
    if not movement.is_one_field():
        return
    balance = movement.balance()
    if balance and movement.name == Kind.INDIVIDUAL:
        yield _("Some players are compared more than others (imbalance %(figure)s; 0 is perfect).") % {
            "figure": decimal_text(balance)
        }
    elif balance:
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
                *_numbers(each),
                *_names(section, each),
                numbers_of_set(each, terms.boards_a_round),
                each.table in shared,
                is_off=each not in played,
            )
            for each in movement.rounds[number - 1]
        ),
        f"{waiting} {section.by_number.get(waiting, '')}".strip() if waiting else "",
    )


def _numbers(sitting: Sitting) -> tuple[str, str]:
    first, second = (" + ".join(map(str, side)) for side in sitting.sides)
    return first, second


def _names(section: Section, sitting: Sitting) -> tuple[str, str]:
    names = section.by_number
    first, second = (" & ".join(str(names.get(each, each)) for each in side) for side in sitting.sides)
    return first, second


def numbers_of_set(sitting: Sitting, size: int, first: int = 1) -> str:
    """The boards of the table's set: "5–8"."""
    start = first + (sitting.boards - 1) * size
    return str(start) if size == 1 else f"{start}–{start + size - 1}"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play for so long, for a table of all of them; its `balance` is 0 where all are compared alike."""

    choice: Choice
    name: str
    boards: int
    in_play: int
    copies: int
    minutes: int
    balance: Fraction

    @property
    def balance_text(self) -> str:
        return decimal_text(self.balance)


def ways(
    pairs: int, rounds: int, *, boards_a_round: int, minutes_a_round: int, of_players: bool = False
) -> tuple[Way, ...]:
    """Every way for so many pairs and rounds with one winner, the one that compares pairs most evenly first.

    `of_players`: for so many players who change partners.
    """
    found = offers.ways(pairs, rounds, of_players=of_players)
    return tuple(_way(choice, boards_a_round, minutes_a_round) for choice in found)


def _way(choice: Choice, boards_a_round: int, minutes_a_round: int) -> Way:
    movement = choice.movement()
    return Way(
        choice,
        name_of(choice),
        choice.rounds * boards_a_round,
        movement.sets_in_play() * boards_a_round,
        movement.copies(),
        choice.rounds * minutes_a_round,
        movement.balance(),
    )


def terms_of(*, boards: int, minutes: int, begins: datetime, zone: str, sides: tuple[str, ...]) -> Terms:
    """The terms of an evening."""
    return Terms(boards, minutes, Moment(begins, zone), sides)
