"""``python -m engine``: see docs/engine.md."""

import engine.concerto.commands
import engine.concerto.par_commands
import engine.concerto.signal_commands
import engine.concerto.tournament_commands
import engine.contest.commands
import engine.notation.commands
import engine.sealing_commands
from engine.cli import run_and_exit

# Importing them has put the subcommands into the register.
__all__ = ["engine"]

if __name__ == "__main__":
    run_and_exit()
