"""`manage.py serve` as its user meets it: one process, one address, one Ctrl-C."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from config.management.commands.serve import lead_links_to
from tests.servers import free_port

START_SECONDS = 180.0
# Stopping takes less than one; a machine with much else to do is not what is tested.
STOP_SECONDS = 30.0


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a first start without the demo leaves it: making its tables takes longer than the tests."""
    folder = tmp_path_factory.mktemp("tables")
    with serving(folder, free_port()) as process:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STOP_SECONDS)
    return folder


@pytest.fixture
def folder(tables: Path, tmp_path: Path) -> Path:
    """The same for one test alone."""
    return Path(shutil.copytree(tables, tmp_path / "data"))


@contextmanager
def serving(
    folder: Path, port: int, *, warnings: str = "error", demo: bool = False
) -> Iterator[subprocess.Popen[str]]:
    """The server in a process of its own, with its data in `folder`; ready when the block begins."""
    data = [] if demo else ["--no-demo"]
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment = {**kept, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    command = [sys.executable, "-W", warnings, "manage.py", "serve", *data, "--port", str(port)]
    process = subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_for(port, process)
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    """Return when the server answers."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"The server ended: {process.communicate()[0]}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                assert answer.status == 200
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("The server did not answer in time.")


def test_a_first_start_makes_the_database(tables: Path) -> None:
    assert (tables / "concertmaster.sqlite3").exists()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_everything_in_order(folder: Path, ending: signal.Signals) -> None:
    port = free_port()
    with serving(folder, port) as process:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/static/admin/css/base.css") as answer:
            assert answer.headers["Content-Type"].startswith("text/css")
        process.send_signal(ending)
        said, _ = process.communicate(timeout=STOP_SECONDS)

        assert process.returncode == 0
    assert f"http://localhost:{port}" in said
    assert "Traceback" not in said
    assert "Warning" not in said


def test_a_request_that_hangs_delays_the_end_but_does_not_spoil_it(folder: Path) -> None:
    port = free_port()
    # Django leaves the half-read body to the garbage collector, which warns where warnings are errors.
    server = serving(folder, port, warnings="default")
    with server as process, socket.create_connection(("127.0.0.1", port)) as hanging:
        hanging.sendall(b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=STOP_SECONDS)

    assert process.returncode == 0
    assert "Traceback" not in said
    assert "Stopped." in said


def test_a_port_in_use_is_explained(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
    }
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        done = subprocess.run(
            command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
        )

    assert done.returncode == 1
    assert f"make run PORT={port + 1}" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "concertmaster.sqlite3").exists()


def test_links_in_mails_lead_to_the_port_that_is_served_unless_they_are_to_lead_elsewhere(
    settings, monkeypatch
):
    settings.SITE_URL = "https://cards.example.org"
    monkeypatch.setenv("SITE_URL", settings.SITE_URL)
    lead_links_to(8123)
    assert settings.SITE_URL == "https://cards.example.org"
    monkeypatch.delenv("SITE_URL")
    lead_links_to(8123)
    assert settings.SITE_URL == "http://localhost:8123"
