"""``python -m engine``: see docs/engine.md."""

from importlib import import_module
from itertools import chain
from pathlib import Path

import engine.game.tournament  # noqa: F401 - which registers its command as well
from engine.cli import run_and_exit

HERE = Path(__file__).parent

# A room's commands are its module of that name, or the modules in a folder of that name: importing them registers them.
for module in sorted(chain(HERE.glob("**/commands.py"), HERE.glob("**/commands/*.py"))):
    import_module(".".join(("engine", *module.relative_to(HERE).with_suffix("").parts)))

if __name__ == "__main__":
    run_and_exit()
