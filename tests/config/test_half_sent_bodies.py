"""Bodies that never end hold up nobody: granian, started as the image starts it, goes on with its pages."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings

from tests.config.services import command_of_the_image
from tests.servers import free_port

pytestmark = pytest.mark.one_database

HANGING = 40
START_SECONDS = 90.0
# Far more than an answer takes: only a page that waits for a body waits as long as this.
PATIENCE_SECONDS = 30.0
HEAD = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\n"
)
ADDRESSES = ("/healthz", "/accounts/login/")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where one web process of the image listens."""
    chosen = free_port()
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "VAR_DIR": str(tmp_path_factory.mktemp("var")),
        "WEB_PROCESSES": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    process = subprocess.Popen(
        command_of_the_image(chosen), cwd=settings.BASE_DIR, env=environment, start_new_session=True
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while status_of(chosen, "/healthz") != 200:
            assert process.poll() is None, "granian ended"
            assert time.monotonic() < deadline, "granian did not answer in time"
            time.sleep(0.1)
        yield chosen
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def status_of(port: int, address: str) -> int:
    """The status of a page, or 0 when there was none."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{address}", timeout=PATIENCE_SECONDS) as answer:
            return int(answer.status)
    except OSError:
        return 0


def half_sent(port: int, head: bytes = HEAD) -> socket.socket:
    """A request whose body the server waits for, as it has said, and of which it has half."""
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    line.sendall(head)
    assert line.recv(1024).startswith(b"HTTP/1.1 100 ")
    line.sendall(b"log")
    return line


def test_pages_answer_while_forty_bodies_hang(port: int) -> None:
    with ExitStack() as lines:
        hanging = [lines.enter_context(half_sent(port)) for _ in range(HANGING)]

        assert [status_of(port, address) for address in ADDRESSES] == [200, 200]

        hanging[0].sendall(b"in=a")
        assert hanging[0].recv(1024).startswith(b"HTTP/1.1 403 "), "a login without a token"


def test_a_body_of_which_a_kept_page_has_no_need_keeps_nobody_waiting(port: int) -> None:
    with half_sent(port, HEAD.replace(b"POST /accounts/login/", b"GET /privacy/")):
        assert [status_of(port, "/privacy/") for _ in range(2)] == [200, 200]
