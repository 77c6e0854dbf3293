"""Run the whole service in this one process: web pages, background worker and clock."""

import os
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Any

import uvicorn
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import demo

# How long a connection that is still open may keep the server from stopping.
GRACE_SECONDS = 3
COMPILING_SECONDS = 60
# The least urgent that there is.
LAST_IN_LINE = 19
# What a page may send at once through a socket: far more than any action needs.
LARGEST_FRAME = 8 * 1024
EVERYWHERE = "0.0.0.0"  # noqa: S104 - only when the person who starts it says so


class Command(BaseCommand):
    """`manage.py serve`: bring the data up to date, make the demo if there is nothing yet, and serve."""

    help = "Serves the site with its background worker in one process (the embedded way to run)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and whether an empty installation gets the demo club."""
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other computers in")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-demo", action="store_true", help="start empty, for a club of your own")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take the port first: all that follows would be in vain without it."""
        # Database, mails and printouts must not be read by other users of this computer.
        os.umask(0o077)
        listener = self.listen(options["host"], options["port"])
        lead_links_to(options["port"])
        call_command("migrate", interactive=False, verbosity=0)
        # Kept open until the end: with its last connection SQLite would tidy the whole file up each time.
        connection.ensure_connection()
        with compiling("par") as search, compiling("expert"):
            if not options["no_demo"] and self.make_demo():
                finish(search)
            if options["host"] == EVERYWHERE:
                settings.ALLOWED_HOSTS += own_names()
            self.announce(options["port"])
            run(listener)
        self.stdout.write("Stopped.")

    def listen(self, host: str, port: int) -> socket.socket:
        """A bound socket, or an explanation."""
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
        except (OSError, OverflowError) as fault:
            listener.close()
            raise CommandError(
                f"Port {port} cannot be used ({fault}). Perhaps the service is running already; "
                f"stop it, or choose another port: make run PORT={port + 1}"
            ) from fault
        return listener

    def make_demo(self) -> bool:
        """Fill an installation that has no people yet with the demo club; whether there was need."""
        if get_user_model().objects.exists():
            return False
        self.stdout.write("Making the demo club (only this once) ...")
        self.stdout.flush()
        call_command("demo", stdout=StringIO())
        return True

    def announce(self, port: int) -> None:
        """Say where the site is, and who of the demo can log in, where there is a demo."""
        self.stdout.write(f"\nConcertmaster is at http://localhost:{port}")
        people = get_user_model().objects
        logins = [login for login in demo.logins() if people.filter(email=login.email).exists()]
        if logins:
            self.stdout.write("Log in as one of the demo club (e-mail, password, what to try):")
        for login in logins:
            self.stdout.write(f"  {login}")
        self.stdout.write("Stop it with Ctrl-C.\n")
        self.stdout.flush()


@contextmanager
def compiling(part: str) -> Iterator[subprocess.Popen[bytes]]:
    """Have a part of the engine compiled in a process of its own, after all that pages and tables need."""
    process = subprocess.Popen(  # noqa: S603 (words of ours)
        [sys.executable, "-m", "engine", "compile", part],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, process.pid, LAST_IN_LINE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def finish(search: subprocess.Popen[bytes]) -> None:
    """Wait until the search is compiled, though not for ever: the demo has deals to analyse at once."""
    with suppress(subprocess.TimeoutExpired):
        search.wait(COMPILING_SECONDS)


def run(listener: socket.socket) -> None:
    """Serve until Ctrl-C or SIGTERM; both end well."""
    server = uvicorn.Server(
        uvicorn.Config(
            "config.asgi:embedded",
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=GRACE_SECONDS,
            ws_max_size=LARGEST_FRAME,
        )
    )
    # uvicorn stops in order and then raises the signal once more, for the process that started it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return


def lead_links_to(port: int) -> None:
    """Have links in mails lead to this port, unless SITE_URL says where they are to lead."""
    if not os.environ.get("SITE_URL"):
        settings.SITE_URL = f"http://localhost:{port}"


def own_names() -> list[str]:
    """The names and addresses under which other computers may reach this one."""
    name = socket.gethostname()
    try:
        addresses = {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)}
    except OSError:
        addresses = set()
    return [name, f"{name}.local", *sorted(addresses)]
