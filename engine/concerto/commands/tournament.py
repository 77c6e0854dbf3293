"""Robots compared, from the command line. See docs/robots.md."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from time import perf_counter

from engine.cli import Answer, argument, read_json
from engine.concerto.game import CONCERTO
from engine.concerto.play import Action
from engine.concerto.robots import registry
from engine.concerto.robots.registry import Robot
from engine.concerto.robots.tournament import Figures, Setup, figures, play_tournament
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.systems import SYSTEMS, System
from engine.concerto.view import View
from engine.game.commands import answers_itself
from engine.game.tournament import limited


@answers_itself(
    CONCERTO.key,
    "tournament",
    argument("--opponents", default="novice", metavar="KEY", help="who holds the other side; novice"),
    argument(
        "--system",
        default="parlett",
        metavar="FILES",
        help="a convention card as JSON that all of them play, or parlett or short; with several, separated by "
        "commas, every kind plays each",
    ),
    argument("--table", action="store_true", help="a table for people instead of JSON"),
)
def tournament(arguments: argparse.Namespace) -> Answer:
    """Play robots of each kind as pairs on both sides of the same deals, and compare what they make."""
    deals = limited(arguments, deals=100)
    keys = list(dict.fromkeys(key.strip() for key in (arguments.robots or "player,novice").split(",")))
    kinds = [registry.get(key) for key in keys]
    first, *others = systems = [_system(name.strip()) for name in arguments.system.split(",")]
    if others:
        kinds = [_playing(kind, system) for kind in kinds for system in systems]
    seed = "1" if arguments.seed is None else arguments.seed
    setup = Setup(tuple(kinds), registry.get(arguments.opponents), seed, first)
    found = figures(play_tournament(setup, deals, perf_counter, arguments.workers))
    return Answer(_table(found) if arguments.table else found.as_json())


def _system(name: str) -> System:
    return SYSTEMS[name] if name in SYSTEMS else read_system(read_json(name))


def _playing(kind: Robot, system: System) -> Robot:
    """That kind of robot, which plays this system whatever the tournament's is."""
    return replace(kind, key=f"{kind.key}/{system.name}", decide=partial(_decide, kind, system))


def _decide(kind: Robot, system: System, seen: View, _tournaments: System) -> Action:
    return kind.decide(seen, system)


def _table(found: Figures) -> str:
    lines = [
        f"{found.deals} deals; the best possible total averages {found.best} a side",
        "",
        f"{'robot':<16}{'made':>15}{'percent':>15}{'given away':>15}{'ahead':>16}{'mean ms':>10}{'worst ms':>10}",
    ]
    lines += [
        f"{each.robot:<16}{each.made!s:>15}{each.percent!s:>15}{each.given_away!s:>15}{each.ahead!s:>16}"
        f"{1000 * each.mean_seconds:>10.2f}{1000 * each.longest_seconds:>10.1f}"
        for each in found.robots
    ]
    if found.differences:
        lines += ["", "on the same cards, points made:"]
    lines += [f"{each.one} - {each.other}: {each.made}" for each in found.differences]
    return "\n".join(lines)
