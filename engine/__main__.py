"""``python -m engine``: see docs/engine.md."""

import engine.boards.commands
import engine.boards.files.commands
import engine.concerto.commands.best_play
import engine.concerto.commands.compile
import engine.concerto.commands.records
import engine.concerto.commands.signals
import engine.concerto.commands.tournament
import engine.contest.commands
import engine.game.commands
import engine.game.tournament
from engine.cli import run_and_exit

# Importing them has put the subcommands into the register.
__all__ = ["engine"]

if __name__ == "__main__":
    run_and_exit()
