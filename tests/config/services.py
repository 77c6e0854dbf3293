"""The processes of production, started as compose and the image start them, for tests that take something away."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml
from django.conf import settings

from tests.servers import ask_redis, free_port, redis_binary

PATIENCE_SECONDS = 300.0
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "only-for-the-tests",
    "BOARD_KEYS": "only-for-the-boards-" + "0" * 40,
    "ALLOWED_HOSTS": "localhost",
    "EMAIL_URL": "dummymail://",
    "LOG_LEVEL": "INFO",
    "PYTHONUNBUFFERED": "1",
}


def until(holds: Callable[[], bool]) -> float:
    """Ask again and again; gives how many seconds it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + PATIENCE_SECONDS, "waited in vain"
        time.sleep(0.02)
    return time.monotonic() - begun


def command_of_the_image(port: int) -> list[str]:
    """What the image runs where compose names no command, on another port."""
    text = Path(settings.BASE_DIR, "Dockerfile").read_text(encoding="utf-8")
    command: list[str] = json.loads(re.findall(r"^CMD (\[.*\])$", text, flags=re.MULTILINE)[-1])
    command[-1] = command[-1].replace("0.0.0.0 --port 8000", f"127.0.0.1 --port {port}")
    assert str(port) in command[-1]
    return command


def command_of(service: str) -> list[str]:
    """What compose runs as the Celery service of that name, with one process and what it does in the log."""
    compose = yaml.safe_load(Path(settings.BASE_DIR, "docker-compose.yml").read_text(encoding="utf-8"))
    told = " ".join(compose["services"][service]["command"]).replace("WARNING", "INFO")
    command = re.sub(r"\$\{\w+_PROCESSES:-\d+\}", "1", told).replace("--pidfile ", "--pidfile=").split()
    assert command[0] == "celery"
    return [sys.executable, "-m", *command]


class Process:
    """One of them with all that it starts, and what it has logged."""

    def __init__(self, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        self.log = log
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        with log.open("wb") as written:
            self.process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, stdout=written, stderr=written, start_new_session=True,
                env={**os.environ, **ENVIRONMENT, **environment, "PATH": path},
            )  # fmt: skip

    def count(self, words: str) -> int:
        """How often it has said this. A process that ended is a failure."""
        said = self.log.read_text(errors="replace")
        assert self.process.poll() is None, said[-3000:]
        return said.count(words)

    def stop(self) -> None:
        """And wait for its end."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_SECONDS)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)


class Redis:
    """A Redis of the test's own that can be stopped and started."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """And wait until it answers."""
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([redis_binary(), *options], stdout=subprocess.DEVNULL)
        until(lambda: ask_redis(self.url) != "")

    def stop(self) -> None:
        """At once, as a computer that fails."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"
