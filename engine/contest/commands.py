"""What contests can do from the command line."""

from __future__ import annotations

import argparse

from engine.cli import FILE, Answer, argument, command, read_json
from engine.contest.round_robin import berger, double_berger
from engine.contest.season_reading import read_season
from engine.errors import ContestError, gettext_noop

MOST_ENTRIES = 500

_TOO_MANY = gettext_noop("The number of entries is at most %(most)s, not %(entries)s.")


@command("standings", FILE, argument("--history", action="store_true", help="the tables after every round"))
def table(arguments: argparse.Namespace) -> Answer:
    """The table of a season: entries and results in, places with their reasons out."""
    season = read_season(read_json(arguments.file))
    if arguments.history:
        return Answer([after.as_json() for after in season.history()])
    return Answer(season.table().as_json())


@command(
    "round-robin",
    argument("entries", type=int, metavar="N", help="how many take part"),
    argument("--double", action="store_true", help="everybody meets everybody twice"),
)
def round_robin(arguments: argparse.Namespace) -> Answer:
    """The rounds of a round robin by the Berger tables, as [home, away]; who is missing has a bye."""
    if arguments.entries > MOST_ENTRIES:
        raise ContestError("too-many", _TOO_MANY, most=MOST_ENTRIES, entries=arguments.entries)
    draw = double_berger if arguments.double else berger
    return Answer([[[p.home, p.away] for p in drawn.pairings] for drawn in draw(arguments.entries)])
