"""Compiling from the command line, so that nobody waits for it at a table: after an installation, or in an image."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from engine.cli import Answer, argument, command
from engine.concerto.best_play.action_costs import action_costs
from engine.concerto.best_play.par import frontiers
from engine.concerto.options import read_options
from engine.concerto.play import start
from engine.concerto.robots.expert.robot import EXPERT
from engine.concerto.signals.systems import PARLETT
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import Seat

DEAL: Final = Deal.parse("N:AKQJ.T98.765.432 432.AKQJ.T98.765 765.432.AKQJ.T98 T98.765.432.AKQJ")


def compile_par() -> None:
    """Have the search for best play compiled: a question does that, of a deal and of a hand that was begun."""
    frontiers([(DEAL[Seat.N], DEAL[Seat.S])])
    action_costs(DEAL, Seat.N, ())


def compile_expert() -> None:
    """Have the expert's search compiled: its first decision does that, for all later ones too."""
    state = start(DEAL, Seat.N, read_options({"duplicate": True}))
    EXPERT.action(view(state, state.turn), PARLETT)


PARTS: Final[dict[str, Callable[[], None]]] = {"par": compile_par, "expert": compile_expert}


@command(
    "compile", argument("part", choices=(*PARTS, "all"), help="the search for best play, the expert, or both")
)
def compile_parts(arguments: argparse.Namespace) -> Answer:
    """Compile what is slow to start, and keep it on disk for every later process."""
    chosen = list(PARTS) if arguments.part == "all" else [arguments.part]
    for part in chosen:
        PARTS[part]()
    return Answer({"compiled": chosen})
