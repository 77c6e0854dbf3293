"""What `docker compose` does for docs/production.md, with processes in place of containers.

    python -m tests.production.docker compose up --detach --build [SERVICE...]
                                              run --rm [-e NAME] SERVICE COMMAND...
                                              exec -T SERVICE COMMAND...
                                              restart SERVICE | build | down --volumes

It is called as `docker` by the document's own blocks, in a root and a network of their own (tests/production/walk.py).
A service gets what docker-compose.yml says and no more: its command, user, environment, a disk that is read-only but
for its volumes and tmpfs, no capabilities, no new privileges. Its memory and its count of processes are measured
(`tests.production.walk`), not limited. The images of PostgreSQL and Redis are the programs of this machine, run
by the same user with the same command.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.production import compose
from tests.production.image import Image, carried_out, described
from tests.servers import postgresql_binaries, redis_binary

STATE = Path("/var/lib/stand-in")
PATIENCE_SECONDS, STOP_SECONDS = 300.0, 30.0
#: The images that are not ours: where their volume lies, and the command that they have by themselves.
DATABASE = "/var/lib/postgresql/data"
POSTGRES_COMMAND = ["postgres", "-D", DATABASE, "-k", "/run/postgresql", "-c", "fsync=off", "-c", "jit=off"]


class Service:
    """One of docker-compose.yml."""

    def __init__(self, name: str, told: dict[str, Any]) -> None:
        self.name, self.told = name, told
        self.ours = "build" in told
        self.record = STATE / f"{name}.json"
        root = Path(os.environ["IMAGE_ROOT"]) if self.ours else Path("/")
        self.image = described(Path("Dockerfile"), root) if self.ours else foreign(told)

    @property
    def pid(self) -> int:
        """Of its process; 0 where it does not run."""
        pid = int(json.loads(self.record.read_text())["pid"]) if self.record.exists() else 0
        state = Path(f"/proc/{pid}/stat")
        return pid if pid and state.exists() and ") Z " not in state.read_text() else 0

    @property
    def environment(self) -> dict[str, str]:
        """The image's and its own; and of the machine's what stands for certificates in an image."""
        trusted = {name: value for name, value in os.environ.items() if name == "SSL_CERT_FILE"}
        told = {name: str(value) for name, value in self.told.get("environment", {}).items()}
        return {**self.image.environment, **trusted, "HOSTNAME": self.name, "HOME": "/tmp", **told}

    def contained(self, command: list[str]) -> list[str]:
        """That command in its own mounts, by its user, without capabilities."""
        root = str(self.image.root).rstrip("/")
        script = [f"mount -t tmpfs -o mode=1777 tmpfs '{root}{each}'" for each in self.told.get("tmpfs", [])]
        for volume in self.told.get("volumes", []):
            kept, place = volume.split(":")
            script.append(f"mount --bind '{STATE}/volumes/{kept}' '{root}{place}'")
        script.append(f"mount -o remount,bind,ro '{root or '/'}'" if self.told["read_only"] else "true")
        assert (self.told["cap_drop"], self.told["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
        inside = self.image.inside(command, "--bounding-set=-all", "--no-new-privs")
        return ["unshare", "--mount", "--uts", "sh", "-ec",
                f"hostname {self.name}; {'; '.join(script)}; exec \"$@\"", "in", *inside]  # fmt: skip

    def start(self) -> None:
        """With its log beside its record."""
        for volume in self.told.get("volumes", []):
            prepare(STATE / "volumes" / volume.split(":")[0], self)
        if self.name == "postgres":
            for folder in self.told["tmpfs"]:
                Path(folder).mkdir(parents=True, exist_ok=True)
            subprocess.run(self.contained(["sh", "-ec", INITIALISE]), env=self.environment, check=True)
        command = self.image.entrypoint + (self.told.get("command") or self.image.command)
        with (STATE / f"{self.name}.log").open("ab") as log:
            process = subprocess.Popen(
                self.contained(command), env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.record.write_text(json.dumps({"pid": process.pid}))
        if self.told["restart"] == "no":
            self.record.write_text(json.dumps({"pid": 0, "code": process.wait()}))

    def inside(self, command: list[str], more: dict[str, str]) -> int:
        """That command in the mounts of the running service."""
        entered = ["nsenter", f"--target={self.pid}", "--mount", "--uts", *self.image.inside(command)]
        return subprocess.run(entered, env={**self.environment, **more}, check=False).returncode

    def healthy(self) -> bool:
        """As its health check says."""
        kind, *test = self.told["healthcheck"]["test"]
        with Path(os.devnull).open("w") as nowhere:
            asked = ["sh", "-c", *test] if kind == "CMD-SHELL" else test
            entered = ["nsenter", f"--target={self.pid}", "--mount", "--uts", *self.image.inside(asked)]
            done = subprocess.run(
                entered, env=self.environment, stdout=nowhere, stderr=nowhere, check=False, timeout=60
            )
        return done.returncode == 0

    def wait(self, condition: str) -> None:
        """Until that is true of it; a service that ended is an error with its own words."""
        said = STATE / f"{self.name}.log"
        if condition == "service_completed_successfully":
            if json.loads(self.record.read_text())["code"] != 0:
                sys.exit(f"{self.name} failed:\n{said.read_text()[-3000:]}")
            return
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.healthy():
            if not self.pid or time.monotonic() > deadline:
                sys.exit(f"{self.name} is not healthy:\n{said.read_text()[-3000:]}")
            time.sleep(0.2)

    def stop(self) -> None:
        """In order, and at once where it does not end."""
        if not self.pid:
            return
        os.kill(self.pid, signal.SIGINT if self.name == "postgres" else signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while pid := self.pid:
            if time.monotonic() > deadline:
                os.killpg(pid, signal.SIGKILL)
            time.sleep(0.05)
        self.record.unlink()


def foreign(told: dict[str, Any]) -> Image:
    """PostgreSQL or Redis as this machine has it."""
    binaries = {postgresql_binaries(), redis_binary().parent, Path(sys.prefix, "servers", "bin")}
    path = ":".join([*(str(each) for each in binaries), os.environ["PATH"]])
    command = POSTGRES_COMMAND if told["image"].startswith("postgres:") else ["redis-server"]
    folder = "/data" if told["image"].startswith("redis:") else "/"
    environment = {"PATH": path, "PGHOST": "/run/postgresql"}
    return Image(Path("/"), environment, folder, told["user"], command=command)


def prepare(volume: Path, service: Service) -> None:
    """An empty volume belongs to its service's user."""
    if volume.exists():
        return
    volume.mkdir(parents=True)
    place = next(each for each in service.told["volumes"] if each.startswith(f"{volume.name}:")).split(":")[1]
    (service.image.root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
    if service.ours:
        volume.chmod(0o1777)
    else:
        shutil.chown(volume, service.told["user"])


#: What the entry point of PostgreSQL's image does with an empty volume.
INITIALISE = f"""
[ ! -s {DATABASE}/PG_VERSION ] || exit 0
echo "$POSTGRES_PASSWORD" > /tmp/password
initdb -D {DATABASE} -U "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256 \
    --no-sync -E UTF8 --locale C > /dev/null
echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D {DATABASE} postgres > /dev/null
echo "listen_addresses = '*'" >> {DATABASE}/postgresql.conf
"""


def services() -> dict[str, Service]:
    """Of the folder that we are in."""
    read = compose.read(Path(), {**os.environ, **compose.variables(Path(".env"))})
    return {name: Service(name, told) for name, told in read["services"].items()}


def up(all_of_them: dict[str, Service], wanted: list[str], *, recreate: bool = False) -> None:
    """Those and what they depend on, in order, each when what it waits for is so; all again where the image is."""
    if recreate:
        build()
    for name in wanted:
        service = all_of_them[name]
        for needed, how in service.told.get("depends_on", {}).items():
            if not all_of_them[needed].pid and needed not in STARTED:
                up(all_of_them, [needed])
            all_of_them[needed].wait(how["condition"])
        if name in STARTED or (service.pid and not service.ours):
            continue
        service.stop()
        service.start()
        STARTED.add(name)


STARTED: set[str] = set()


def run(found: dict[str, Service], service: str, command: list[str], name: str = "") -> int:
    """That command in a container of its own, beside what it depends on; with a variable of ours."""
    up(found, [each for each in found[service].told.get("depends_on", {}) if not found[each].pid])
    more = {name: os.environ[name]} if name else {}
    return subprocess.run(
        found[service].contained(found[service].image.entrypoint + command),
        env={**found[service].environment, **more}, check=False,
    ).returncode  # fmt: skip


def restart(service: Service) -> None:
    service.stop()
    service.start()


def down(found: dict[str, Service]) -> None:
    """And forget what they kept."""
    for each in reversed(found.values()):
        each.stop()
    shutil.rmtree(STATE)


def asked(arguments: list[str], found: dict[str, Any]) -> Callable[[], int | None]:
    """What the document wants by this call. Raises ValueError for what nobody here knows."""
    match arguments:
        case ["compose", "up", "--detach", "--build"]:
            return lambda: up(found, list(found), recreate=True)
        case ["compose", "up", "--detach", *services] if set(services) <= set(found):
            return lambda: up(found, services or list(found))
        case ["compose", "run", "--rm", "-e", name, service, *command] if service in found:
            return lambda: run(found, service, command, name)
        case ["compose", "run", "--rm", service, *command] if service in found:
            return lambda: run(found, service, command)
        case ["compose", "exec", "-T", service, *command] if service in found:
            return lambda: found[service].inside(command, {})
        case ["compose", "restart", service] if service in found:
            return lambda: restart(found[service])
        case ["compose", "build"]:
            return build
        case ["compose", "down", "--volumes"]:
            return lambda: down(found)
    raise ValueError(f"The document calls docker in a way that nobody here knows: {arguments}")


def main(arguments: list[str]) -> int:
    STATE.mkdir(exist_ok=True)
    return asked(arguments, services())() or 0


def build() -> None:
    """The steps of the Dockerfile; in a clean root they were carried out before (make production)."""
    if os.environ["IMAGE_ROOT"] == "/":
        built = Path("/srv/app").exists()
        shutil.rmtree("/srv/app", ignore_errors=True)
        carried_out(Path("Dockerfile"), Path("/"), packages=False, again=built)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
