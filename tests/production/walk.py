"""Walks docs/production.md from an empty computer to the first club, and on: backup, restore, upgrade.

    python -m tests.production.walk [--short] [--image FOLDER]

The blocks of the document are run as they stand, by a shell. What the computer has of its own is in a root of its own
(a copy of this machine's that forgets everything at the end) and in a network of its own: ports and names are the
document's, and nothing outside is reached. In place of containers there are processes (tests/production/docker.py).
The clone is of the last commit. With `--image` the services run in that root, a clean one in which the
Dockerfile's steps were carried out (`make production`); without, in the copy of this machine and with
the packages of .venv. It must be started as root.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from email.policy import default
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPSHandler, OpenerDirector, Request, build_opener

import psutil
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.production import compose
from tests.production.compose import BASE
from tests.production.docker import STATE, services

NAMES = "localhost postgres redis league.example.org mail.example.org"
OUTSIDE = """
mount -t tmpfs -o mode=755 tmpfs "$1" && cd "$1" && mkdir upper work root
mount -t overlay overlay -o "lowerdir=/,upperdir=upper,workdir=work" root
for path in /dev $3; do mkdir -p root$path; mount --rbind $path root$path; done
mount -t proc proc root/proc
[ -z "$2" ] || {
    mkdir image upper2 work2 root/image
    mount -t overlay overlay -o "lowerdir=$2,upperdir=upper2,workdir=work2" root/image
    mount --rbind /dev root/image/dev
    mount -t proc proc root/image/proc
}
ip link set lo up
cd root && mkdir -p old && pivot_root . old && umount -l /old && cd /
exec "$4" -m tests.production.walk --inside $5
"""
PASSWORD = "seven-green-teapots"
ANNA = "anna@example.org"
PATIENCE_SECONDS = 120.0


def outside(image: str, *, short: bool) -> int:
    """Makes the root and the network, walks in them, and leaves nothing behind."""
    elsewhere = [
        str(path) for path in (BASE, Path(sys.base_prefix)) if path.stat().st_dev != Path("/").stat().st_dev
    ]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        spaces = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        told = [folder, image, " ".join(elsewhere), sys.executable, "--short" if short else ""]
        command = [*spaces, "sh", "-ec", OUTSIDE, "walk", *told]
        environment = {"PYTHONPATH": str(BASE), "PATH": os.environ["PATH"], "HOME": "/root"}
        environment |= {"IMAGE_ROOT": "/image" if image else "/"}
        return subprocess.run(command, env=environment, check=False).returncode


class Walk:
    """An operator at a new computer, and the first visitors."""

    def __init__(self) -> None:
        self.home = Path("/srv/operator")
        self.folder = self.home / "concertmaster"
        self.begun = self.last = time.monotonic()
        self.mails: list[tuple[str, str]] = []

    def told(self, what: str) -> None:
        now = time.monotonic()
        print(f"{what}: {now - self.last:.1f} s", flush=True)
        self.last = now

    def prepare(self) -> None:
        """What is there before the document begins: names, accounts of the images, a mail server's certificate."""
        for root in {Path("/"), Path(os.environ["IMAGE_ROOT"])}:
            (root / "etc/hosts").write_text(f"127.0.0.1 {NAMES}\n")
        for name in ("postgres", "redis"):
            if subprocess.run(["id", name], capture_output=True, check=False).returncode:
                subprocess.run(["useradd", "--system", name], check=True)
        for path in {BASE, Path(sys.prefix), Path(sys.base_prefix)}:
            for each in (path, *path.parents):
                each.chmod(each.stat().st_mode | 0o005)
        if not Path("/venv").exists():
            Path("/venv").symlink_to(sys.prefix)
        Path("/usr/local/bin/docker").write_text(
            f'#!/bin/sh\nexec {sys.executable} -m tests.production.docker "$@"\n'
        )
        Path("/usr/local/bin/docker").chmod(0o755)
        self.home.mkdir(parents=True)
        os.environ |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=mail",
                "-addext", "subjectAltName=DNS:mail.example.org"]  # fmt: skip
        kept = Path(os.environ["IMAGE_ROOT"], "etc/ssl/mail.pem")
        subprocess.run([*made, "-keyout", "/etc/ssl/mail.key", "-out", kept], check=True, capture_output=True)
        os.environ["SSL_CERT_FILE"] = "/etc/ssl/mail.pem"

    def shell(self, block: str, folder: Path) -> None:
        """A block of the document, as an operator types it."""
        print("\n".join(f"    $ {line}" for line in block.splitlines()), flush=True)
        subprocess.run(["sh", "-e"], input=block, text=True, cwd=folder, check=True)

    @contextmanager
    def mail_server(self) -> Iterator[None]:
        """The one that the document's EMAIL_URL names: STARTTLS, a name and a password."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(Path(os.environ["IMAGE_ROOT"], "etc/ssl/mail.pem"), "/etc/ssl/mail.key")

        def may(_server: object, _session: object, _envelope: object, _kind: str, given: Any) -> AuthResult:
            right = LoginPassword(b"name", b"password")
            return AuthResult(success=given == right)

        server = Controller(
            self, hostname="127.0.0.1", port=587, tls_context=context, require_starttls=True,
            authenticator=may, auth_required=True,
        )  # fmt: skip
        server.start()
        try:
            yield
        finally:
            server.stop()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """A mail has arrived."""
        given = message_from_bytes(cast("bytes", envelope.content), policy=default)
        text = given.get_body(("plain",))
        self.mails.append((envelope.rcpt_tos[0], text.get_content() if text else ""))
        return "250 OK"

    @contextmanager
    def proxy(self, name: str) -> Iterator[ssl.SSLContext]:
        """The document's, with a certificate of our own: the only thing that has to come from outside."""
        caddy, nginx = compose.blocks("The proxy")
        folder = self.home / name
        folder.mkdir()
        if name == "caddy":
            file, authority = folder / "Caddyfile", folder / "caddy/pki/authorities/local/root.crt"
            file.write_text("{\n local_certs\n skip_install_trust\n admin off\n}\n" + caddy)
            program = shutil.which("caddy") or Path(sys.prefix, "servers", "bin", "caddy")
            command = [program, "run", "--config", file]
        else:
            authority = folder / "site.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                            "/CN=site", "-addext", "subjectAltName=DNS:league.example.org",
                            "-keyout", folder / "site.key", "-out", authority],
                           check=True, capture_output=True)  # fmt: skip
            file = folder / "nginx.conf"
            tls = f"listen 443 ssl; ssl_certificate {authority}; ssl_certificate_key {folder}/site.key;"
            file.write_text(
                f"daemon off; pid {folder}/pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off;\n"
                f"server {{ server_name league.example.org; {tls}\n{nginx}}}\n}}\n"
            )
            command = ["nginx", "-c", file]
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        environment.pop("SSL_CERT_FILE")
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            until(authority.exists, f"{name} makes no certificate")
            yield ssl.create_default_context(cafile=str(authority))
        finally:
            process.terminate()
            process.wait()

    def begin(self) -> None:
        """An empty computer to a site that answers."""
        (start, superuser) = compose.blocks("Start")
        self.shell(start.replace("<this repository>", f"file://{BASE}"), self.home)
        self.told("from an empty computer to healthy services")
        self.shell(f"export DJANGO_SUPERUSER_PASSWORD={PASSWORD}\n{superuser}", self.folder)
        self.told("the first account")

    def first_club(self, visitor: "Visitor") -> None:
        """The account's person logs in, and creates a club."""
        until(lambda: visitor.get("/readyz")[0] == 200, "/readyz is never ready", visitor)
        self.told("every part is ready")
        visitor.log_in()
        status, made = visitor.api("/api/v1/clubs/", {"name": "First Club", "time_zone": "Europe/Vienna"})
        assert status == 201, made
        self.told("the first club")

    def first_table(self, visitor: "Visitor") -> None:
        """A table with its socket; and a mail, by which a password is chosen again."""
        status, table = visitor.api("/api/v1/clubs/first-club/tables/", {})
        assert status == 201, table
        said = visitor.listen(1)
        assert said["type"] == "view", said
        self.told("a table's socket through the proxy")
        visitor.post("/accounts/password/reset/", {"email": ANNA})
        until(lambda: any(to == ANNA and "https://league.example.org/" in text for to, text in self.mails),
              "no mail arrives")  # fmt: skip
        self.told("a mail")

    def keep(self, visitor: "Visitor") -> None:
        """Backup, an upgrade, and the backup onto an empty installation."""
        backup, restore, *_ = compose.blocks("Backup and restore")
        self.shell(backup, self.folder)
        self.shell("\n".join(compose.blocks("Upgrade")), self.folder)
        until(lambda: visitor.get("/healthz")[0] == 200, "the site is gone after the upgrade")
        self.told("backup and upgrade")
        self.shell("docker compose down --volumes", self.folder)
        STATE.mkdir()
        self.shell(restore, self.folder)
        until(lambda: "First Club" in visitor.get("/clubs/")[1], "the club is gone", visitor)
        self.told("restored onto an empty installation, and verified")

    def limits(self) -> None:
        """What each service takes beside what compose allows it."""
        os.chdir(self.folder)
        for service in services().values():
            if not service.pid:
                continue
            family = [psutil.Process(service.pid), *psutil.Process(service.pid).children(recursive=True)]
            with suppress(psutil.NoSuchProcess):
                taken = sum(each.memory_full_info().pss for each in family)
                threads = sum(each.num_threads() for each in family)
            number, unit = re.findall(r"(\d+)([mg])", service.told["mem_limit"])[0]
            allowed = int(number) * {"m": 2**20, "g": 2**30}[unit]
            print(f"{service.name}: {taken >> 20} MB of {allowed >> 20}, {threads} threads of "
                  f"{service.told['pids_limit']}", flush=True)  # fmt: skip
            assert taken < allowed / 2, service.name
            assert threads < service.told["pids_limit"] / 2, service.name
            # Asked more than once, as compose does: a busy machine may be late.
            until(service.healthy, f"{service.name} is not healthy")

    def all(self, *, short: bool) -> None:
        """The whole way, or to the first club."""
        self.prepare()
        with self.mail_server():
            self.begin()
            with self.proxy("caddy") as trusted:
                visitor = Visitor(trusted)
                self.first_club(visitor)
                if short:
                    return
                self.first_table(visitor)
                self.limits()
                self.keep(visitor)
            if shutil.which("nginx"):
                with self.proxy("nginx") as trusted:
                    visitor = Visitor(trusted)
                    until(lambda: "First Club" in visitor.get("/clubs/")[1], "nothing behind nginx", visitor)
                    visitor.log_in()
                    assert visitor.listen(1)["type"] == "view"
                self.told("the same behind nginx")
            else:
                print("nginx is not here: its block was not tried")
        print(f"walked in {time.monotonic() - self.begun:.0f} s")


def until(holds: Any, otherwise: str, visitor: "Visitor | None" = None) -> None:
    """Asks again and again."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        with suppress(OSError):
            if holds():
                return
        if time.monotonic() > deadline:
            raise SystemExit(f"{otherwise}\n{visitor.get('/readyz') if visitor else ''}")
        time.sleep(0.2)


class Visitor:
    """Somebody outside, who trusts the proxy's certificate."""

    site = "https://league.example.org"

    def __init__(self, trusted: ssl.SSLContext) -> None:
        self.trusted, self.jar, self.token = trusted, CookieJar(), ""
        self.opener: OpenerDirector = build_opener(
            HTTPSHandler(context=trusted), HTTPCookieProcessor(self.jar)
        )

    def ask(
        self, path: str, data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        request = Request(self.site + path, data, {"Accept-Encoding": "identity", **(headers or {})})
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            return refused.code, refused.read().decode()

    def get(self, path: str) -> tuple[int, str]:
        return self.ask(path)

    def post(self, path: str, fields: dict[str, str]) -> None:
        """A form, with what its page hides in it."""
        _status, page = self.get(path)
        secret = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
        data = urlencode({"csrfmiddlewaretoken": secret, **fields}).encode()
        status, answer = self.ask(path, data, {"Referer": self.site + path})
        assert status == 200, answer[:2000]

    def log_in(self) -> None:
        """On the page, and for the API."""
        self.post("/accounts/login/", {"login": ANNA, "password": PASSWORD})
        assert "__Host-sessionid" in {cookie.name for cookie in self.jar}
        status, made = self.api("/api/v1/token/", {"email": ANNA, "password": PASSWORD})
        assert status == 201, made
        self.token = made["token"]

    def api(self, path: str, sent: object) -> tuple[int, Any]:
        """As a program."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        opener = build_opener(HTTPSHandler(context=self.trusted))
        request = Request(self.site + path, json.dumps(sent).encode(), headers)
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as refused:
            return refused.code, refused.read().decode()

    def listen(self, table: int) -> Any:
        """The first thing that the table's socket says."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        address = f"{self.site.replace('https', 'wss')}/tables/{table}/socket/?window=w"
        with connect(
            address,
            ssl=self.trusted,
            origin=Origin(self.site),
            additional_headers={"Cookie": cookies},
        ) as line:
            return json.loads(line.recv(timeout=30))


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--image", default="", help="a root in which the Dockerfile's steps were carried out")
    parser.add_argument("--short", action="store_true", help="to the first club, and no further")
    parser.add_argument("--inside", action="store_true", help="for itself")
    options = parser.parse_args()
    if not options.inside:
        return outside(options.image, short=options.short)
    Walk().all(short=options.short)
    return 0


if __name__ == "__main__":
    sys.exit(main())
