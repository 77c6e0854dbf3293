"""docs/production.md leads from an empty computer to the first club, and on (`make production` walks all of it).

The short form of it is in every run: the blocks by a shell, with a docker that notes only how it was called, and what
they have to do with compose, the image and the proxy. `make thorough` goes to the first club.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.production import compose, docker, image
from tests.production.compose import BASE
from tests.servers import package_folder

pytestmark = [pytest.mark.one_database, pytest.mark.long]

#: Its blocks by their headings: those that a shell runs, and those that are held elsewhere (the proxy's below, the
#: others by test_compose and by tests/config).
COMMANDS = ("Start", "Backup and restore", "Point in time", "Upgrade")
OTHERS = {"The proxy", "Without Docker", "One computer, no server"}
NOTING = """#!{python}
import json, os, sys
with open(os.environ["CALLS"], "a") as calls:
    print(json.dumps(sys.argv[1:]), file=calls)
"""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """An operator's folder after all blocks, and how they called docker."""
    home = tmp_path_factory.mktemp("operator")
    noting = home / "programs" / "docker"
    noting.parent.mkdir()
    noting.write_text(NOTING.format(python=sys.executable))
    noting.chmod(0o755)
    environment = {
        **os.environ, "CALLS": str(home / "calls"), "PATH": f"{noting.parent}:{os.environ['PATH']}",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
    }  # fmt: skip
    folder = home
    for block in [block for heading in COMMANDS for block in compose.blocks(heading)]:
        typed = block.replace("<this repository>", f"file://{BASE}")
        subprocess.run(["sh", "-e"], input=typed, text=True, cwd=folder, env=environment, check=True)
        folder = home / "concertmaster"
    return folder, [json.loads(line) for line in (home / "calls").read_text().splitlines()]


def test_every_block_of_the_document_is_tried_somewhere() -> None:
    headings = [
        line[3:] for line in (BASE / "docs/production.md").read_text().splitlines() if line[:3] == "## "
    ]
    assert {each for each in headings if compose.blocks(each)} == {*COMMANDS, *OTHERS}


def test_the_commands_make_what_compose_asks_for(walked: tuple[Path, list[list[str]]]) -> None:
    folder, calls = walked
    given = compose.variables(folder / ".env")
    found = compose.read(folder, given)["services"]

    assert (folder / ".env").stat().st_mode & 0o777 == 0o600
    assert {len(given[name]) >= 48 for name in ("SECRET_KEY", "BOARD_KEYS", "POSTGRES_PASSWORD")} == {True}
    assert len(calls) > 10
    for call in calls:
        docker.asked(call, found)
    # Planted: what the stand-in does not know is no command of the walk.
    with pytest.raises(ValueError, match="nobody here knows"):
        docker.asked(["compose", "up", "nobody"], found)


def test_the_image_is_made_of_steps_that_the_walk_carries_out(tmp_path: Path) -> None:
    made = image.described(BASE / "Dockerfile", tmp_path)
    assert (made.user, made.folder) == ("concertmaster", "/srv/app")
    assert made.environment["DJANGO_SETTINGS_MODULE"] == "config.settings.production"
    assert made.entrypoint[0] == made.command[0] == "sh"
    unknown = tmp_path / "Dockerfile"
    unknown.write_text("FROM nothing\nHEALTHCHECK NONE\n")
    with pytest.raises(ValueError, match="HEALTHCHECK"):
        image.described(unknown, tmp_path)


def test_the_proxy_leads_to_the_ports_that_compose_opens(
    walked: tuple[Path, list[list[str]]], tmp_path: Path
) -> None:
    folder, _calls = walked
    caddy, nginx = compose.blocks("The proxy")
    file = tmp_path / "Caddyfile"
    file.write_text(caddy)
    programs = package_folder("bin")
    assert programs is not None, "This needs Caddy: make setup"
    said = subprocess.run([programs / "caddy", "adapt", "--config", file], capture_output=True, check=True)
    services: dict[str, Any] = compose.read(folder, compose.variables(folder / ".env"))["services"]
    open_to_it = {each.rpartition(":")[0] for name in ("web", "sockets") for each in services[name]["ports"]}
    leads_to = {each["dial"] for each in upstreams(json.loads(said.stdout))}

    assert leads_to == open_to_it
    assert all(f"proxy_pass http://{each};" in nginx for each in open_to_it)


def upstreams(part: Any) -> list[dict[str, str]]:
    """Wherever they are in Caddy's own form."""
    if isinstance(part, dict):
        return [*part.get("upstreams", []), *upstreams(list(part.values()))]
    return [found for each in part for found in upstreams(each)] if isinstance(part, list) else []


@pytest.mark.thorough
def test_the_document_leads_from_an_empty_computer_to_the_first_club() -> None:
    tried = ["unshare", "--net", "--mount", "true"]
    if os.geteuid() != 0 or subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip("a root and a network of its own need the rights of root")
    command = [sys.executable, "-m", "tests.production.walk", "--short"]
    done = subprocess.run(command, cwd=BASE, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    assert "the first club" in done.stdout
