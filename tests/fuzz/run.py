"""Fuzzes the readers of deals with atheris, which watches the code's branches and aims for new ones.

    python -m tests.fuzz.run [--seconds 120] [--python PATH]

atheris is no dependency of the project: it is installed into an environment of its own in a temporary folder, unless
``--python`` names the interpreter of one that has it. A find ends the run with exit code 1 and is kept in var/fuzz.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from engine.boards.files.formats import FORMATS
from engine.boards.files.pbn import write_pbn
from engine.boards.files.pbn_game import PbnGame
from tests.engine.boards.files.material import (
    ORACLE_BOARDS,
    at_other_depths,
    oracle_file,
    played_out,
)

ROOT = Path(__file__).resolve().parents[2]
ATHERIS = "atheris"
#: In the order of tests/fuzz/readers.py.
READ = ("pbn", "lin", "dlm", "dup", "bri", "dge", "ber", "json")
LONGEST_INPUT = 6000


def main() -> int:
    """Fuzz for a while; the exit code is atheris's."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--python", default=None, help="the interpreter of an environment with atheris")
    arguments = parser.parse_args()
    finds = ROOT / "var" / "fuzz"
    finds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = first_inputs(folder / "corpus")
        python = arguments.python or environment(folder / "environment")
        return subprocess.run(
            [
                python,
                Path(__file__).with_name("readers.py"),
                f"-max_total_time={arguments.seconds}",
                f"-max_len={LONGEST_INPUT}",
                "-timeout=10",
                f"-artifact_prefix={finds}{os.sep}",
                corpus,
            ],
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ).returncode


def environment(folder: Path) -> str:
    """The interpreter of a new environment with atheris."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", ATHERIS], check=True)
    return str(python)


def first_inputs(folder: Path) -> Path:
    """A folder with sound files of every format, for atheris to change."""
    folder.mkdir()
    for place, key in enumerate(READ):
        inputs = [FORMATS[key].write(ORACLE_BOARDS[:2])]
        if key in ("dup", "bri", "dge", "ber"):
            inputs.append(oracle_file(key)[: 2 * 156])
        if key == "pbn":
            inputs += played_files()
        for number, data in enumerate(inputs):
            (folder / f"{key}-{number}").write_bytes(bytes([place]) + data[: LONGEST_INPUT - 1])
    return folder


def played_files() -> list[bytes]:
    """Played deals, told whole and in part."""
    rng = random.Random(7)
    files = []
    for number in range(1, 5):
        played = played_out(rng)
        record = played.record if number == 1 else at_other_depths(rng, played)
        files.append(write_pbn([PbnGame.of_record(number, record, played.deal)]))
    return files


if __name__ == "__main__":
    sys.exit(main())
