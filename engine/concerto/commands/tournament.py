"""Robots compared, from the command line. See docs/robots.md."""

from __future__ import annotations

import argparse
from time import perf_counter

from engine.cli import Answer, argument, command, read_json
from engine.concerto.robots import registry
from engine.concerto.robots.tournament import Figures, Setup, figures, play_tournament
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.systems import PARLETT
from engine.errors import RuleError, quoted
from engine.text import gettext_noop

#: All boards are dealt, and valued, before the first is played.
MOST_DEALS = 100_000
MOST_WORKERS = 64

_NOT_SO_MANY = gettext_noop("“%(value)s” isn’t a whole number from %(least)s to %(most)s.")


@command(
    "tournament",
    argument("--robots", default="player,novice", metavar="KEYS", help="which kinds, with commas between"),
    argument("--deals", type=int, default=100, metavar="N", help="how many deals; 100 if not said"),
    argument("--seed", default="1", help="any text or number; the same seed gives the same deals"),
    argument("--opponents", default="novice", metavar="KEY", help="who holds the other side; novice"),
    argument("--workers", type=int, default=1, metavar="W", help="how many processes play; 1"),
    argument(
        "--system", default=None, metavar="FILE", help="a convention card as JSON that all of them play"
    ),
    argument("--table", action="store_true", help="a table for people instead of JSON"),
)
def tournament(arguments: argparse.Namespace) -> Answer:
    """Play robots of each kind as pairs on both sides of the same deals, and compare what they make."""
    _check(arguments)
    keys = list(dict.fromkeys(key.strip() for key in arguments.robots.split(",")))
    setup = Setup(
        tuple(registry.get(key) for key in keys),
        registry.get(arguments.opponents),
        str(arguments.seed),
        read_system(read_json(arguments.system)) if arguments.system else PARLETT,
    )
    found = figures(play_tournament(setup, arguments.deals, perf_counter, arguments.workers))
    return Answer(_table(found) if arguments.table else found.as_json())


def _check(arguments: argparse.Namespace) -> None:
    if arguments.deals < 1:
        raise RuleError(
            "deals-count", gettext_noop("A tournament needs at least one deal."), given=arguments.deals
        )
    for name, most in (("deals", MOST_DEALS), ("workers", MOST_WORKERS)):
        given = getattr(arguments, name)
        if not 1 <= given <= most:
            raise RuleError(
                f"{name}-count", _NOT_SO_MANY, place=(name,), value=quoted(given), least=1, most=most
            )


def _table(found: Figures) -> str:
    lines = [
        f"{found.deals} deals; the best possible total averages {found.best} a side",
        "",
        f"{'robot':<10}{'made':>15}{'percent':>15}{'given away':>15}{'ahead':>16}{'mean ms':>10}{'worst ms':>10}",
    ]
    lines += [
        f"{each.robot:<10}{each.made!s:>15}{each.percent!s:>15}{each.given_away!s:>15}{each.ahead!s:>16}"
        f"{1000 * each.mean_seconds:>10.2f}{1000 * each.longest_seconds:>10.1f}"
        for each in found.robots
    ]
    if found.differences:
        lines += ["", "on the same cards, points made:"]
    lines += [f"{each.one} - {each.other}: {each.made}" for each in found.differences]
    return "\n".join(lines)
