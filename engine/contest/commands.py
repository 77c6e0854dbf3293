"""What contests can do from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from engine.cli import FILE, Answer, argument, command, of_each, read_json
from engine.contest import knockout as knock_out
from engine.contest import ladder as ladders
from engine.contest.comparison.imps import victory_point_scale
from engine.contest.comparison.parsing import read_board
from engine.contest.draws import partners
from engine.contest.draws import swiss as swiss_draws
from engine.contest.draws.round_robin import berger, double_berger
from engine.contest.draws.tables import rotations
from engine.contest.exact import rounded
from engine.contest.faults import Faults
from engine.contest.grades import read_history
from engine.contest.json_fields import Fields
from engine.contest.movements.individual import individual
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import Movement
from engine.contest.movements.sections import Choice, Kind
from engine.contest.pyramid import read_pyramid
from engine.contest.standings.parsing import read_season
from engine.contest.teams import read_team_match
from engine.errors import ContestError
from engine.text import gettext_noop

MOST_ENTRIES = 500
MOST_AT_TABLES = 120
MOST_SEATS = 12

_SEATS = gettext_noop("A table has 3 to %(most)s seats, not %(seats)s.")
_TOO_MANY = gettext_noop("There can be at most %(most)s entries, not %(entries)s.")


@command("standings", FILE, argument("--history", action="store_true", help="the tables after every round"))
def table(arguments: argparse.Namespace) -> Answer:
    """The table of a season: entries and results in, places with their reasons out."""
    season = read_season(read_json(arguments.file))
    if arguments.history:
        return Answer([after.as_json() for after in season.history()])
    return Answer(season.table().as_json())


@command(
    "round-robin",
    argument("entries", type=int, metavar="NUMBER", help="how many take part"),
    argument("--double", action="store_true", help="everybody meets everybody twice"),
    argument(
        "--seats", type=int, metavar="NUMBER", help="sit at tables of so many seats instead, or of one less"
    ),
)
def round_robin(arguments: argparse.Namespace) -> Answer:
    """The rounds of a round robin by the Berger tables, as [home, away]; who is missing has a bye."""
    if arguments.seats is not None:
        return Answer(_at_tables(arguments))
    if arguments.entries > MOST_ENTRIES:
        raise ContestError("too-many", _TOO_MANY, most=MOST_ENTRIES, entries=arguments.entries)
    draw = double_berger if arguments.double else berger
    return Answer([[[p.home, p.away] for p in drawn.pairings] for drawn in draw(arguments.entries)])


def _at_tables(arguments: argparse.Namespace) -> list[list[list[int]]]:
    if arguments.entries > MOST_AT_TABLES:
        raise ContestError("too-many", _TOO_MANY, most=MOST_AT_TABLES, entries=arguments.entries)
    if not 3 <= arguments.seats <= MOST_SEATS:
        raise ContestError("seats", _SEATS, most=MOST_SEATS, seats=arguments.seats)
    allowed = (max(3, arguments.seats - 1), arguments.seats)
    drawn = rotations(
        arguments.entries, arguments.seats, allowed=allowed, meetings=2 if arguments.double else 1
    )
    return [[list(table) for table in each.tables] for each in drawn]


@command("pyramid", FILE)
def pyramid(arguments: argparse.Namespace) -> Answer:
    """The end of a season: next season's divisions and everybody's way, or what is still undecided."""
    return of_each(arguments.file, _closed)


def _closed(data: object) -> object:
    played = read_pyramid(data)
    undecided = played.undecided()
    if undecided:
        return {
            "undecided": [
                {"level": each.level, "division": each.division, "entries": list(each.entries)}
                for each in undecided
            ]
        }
    following = played.close()
    return {
        "divisions": [
            {name: list(entries) for name, entries in divisions.items()} for divisions in following.divisions
        ],
        "status": {str(entry): way.value for entry, way in following.ways.items()},
    }


@command("swiss", FILE)
def swiss(arguments: argparse.Namespace) -> Answer:
    """The next round of a Swiss: its cost, its tables, home first, and who sits out."""
    return of_each(arguments.file, swiss_draws.answer_as_json)


@command("knockout", FILE)
def knockout(arguments: argparse.Namespace) -> Answer:
    """A bracket by its number of entries, a tie over its legs, or a knock-out from its results."""
    return of_each(arguments.file, knock_out.answer_as_json)


@command("teams", FILE)
def teams(arguments: argparse.Namespace) -> Answer:
    """A match of two teams: net and IMPs of each board, and victory points."""
    return of_each(arguments.file, lambda data: read_team_match(data).as_json())


@command("vp", FILE)
def victory_points(arguments: argparse.Namespace) -> Answer:
    """The winner's victory points for a margin of 0, 1, 2 ... IMPs over so many boards."""
    return of_each(arguments.file, _scale)


def _scale(data: object) -> object:
    faults = Faults()
    boards = Fields(data, (), faults, frozenset(("boards",))).whole("boards", least=1)
    faults.refuse()
    return {"winner": [rounded(points) for points in victory_point_scale(boards)]}


@command("ladder", FILE)
def ladder(arguments: argparse.Namespace) -> Answer:
    """A ladder from its challenges and results: the order, everything that happened, and what is open."""
    return of_each(arguments.file, lambda data: ladders.as_json(ladders.read_ladder(data)))


@command("individuals", FILE)
def individuals(arguments: argparse.Namespace) -> Answer:
    """A movement for 8, 12 or 16 players who change partners every round; or, for players by name, the next round."""
    return of_each(arguments.file, _individuals)


def _individuals(data: object) -> object:
    if isinstance(data, Mapping) and isinstance(data.get("players"), list):
        return partners.answer_as_json(data)
    faults = Faults()
    players = Fields(data, (), faults, frozenset(("players",))).whole("players")
    faults.refuse()
    rounds = [
        [
            {"table": at.table, **dict(zip(("ns", "ew"), map(list, at.sides), strict=True)), "set": at.boards}
            for at in seated
        ]
        for seated in individual(players).rounds
    ]
    return {"players": players, "rounds": rounds}


@command("grades", FILE)
def grades(arguments: argparse.Namespace) -> Answer:
    """Everybody's grade, and what each session moved."""
    return of_each(arguments.file, lambda data: read_history(data).as_json())


@command("compare", FILE)
def comparison(arguments: argparse.Namespace) -> Answer:
    """What each result of a board is worth beside the others': exact fractions and decimals."""
    return Answer(read_board(read_json(arguments.file)).as_json())


@command(
    "movement",
    argument("kind", choices=[kind.value for kind in Kind]),
    argument("--tables", type=int, required=True, metavar="NUMBER"),
    argument(
        "--even",
        choices=[way.value for way in EvenTables],
        default=EvenTables.SKIP.value,
        help="Mitchell: what an even number of tables does half-way",
    ),
    argument("--length", type=int, metavar="R", help="rounds of the whole movement, where there are several"),
    argument("--rounds", type=int, metavar="R", help="play the first R only"),
    argument("--barometer", action="store_true", help="all tables play the same boards in each round"),
    argument(
        "--arrow-switch", type=int, default=0, metavar="R", help="exchange directions in the last R rounds"
    ),
    argument("--phantom", type=int, metavar="PAIR", help="the pair that is not there"),
)
def movement(arguments: argparse.Namespace) -> Answer:
    """The rounds of a movement, each as [table, first pair, second pair, board set]."""
    chosen = _movement(arguments)
    return Answer(
        [
            [[at.table, at.first, at.second, at.boards] for at in chosen.played(number)]
            for number in range(1, len(chosen.rounds) + 1)
        ]
    )


def _movement(arguments: argparse.Namespace) -> Movement:
    kind, tables = Kind(arguments.kind), arguments.tables
    chosen = Choice(
        kind,
        tables,
        rounds=0,
        even=EvenTables(arguments.even),
        length=arguments.length,
        barometer=arguments.barometer,
    ).full()
    if arguments.rounds is not None:
        chosen = chosen.with_rounds(arguments.rounds)
    chosen = chosen.arrow_switched(arguments.arrow_switch)
    return chosen if arguments.phantom is None else chosen.without(arguments.phantom)
