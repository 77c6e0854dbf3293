"""The containers of docs/production.md have what they need and no more, and the document's other way is the same."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compose_spec import PyCompose
from django.conf import settings

from config.background import MAIL
from config.celery import app as celery_app
from tests.deployment import REQUIRED
from tests.production import compose
from tests.production.image import described

WITH_BOARDS = {"migrate", "web", "sockets", "worker", "papers", "robots"}


#: What a log says is each installation's own, and so is where the proxy finds a process.
ASIDE = {"exec", "--loglevel", "--log-level", "WARNING", "warning", "--no-access-log", "127.0.0.1", "0.0.0.0"}


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    return compose.read(settings.BASE_DIR, dict.fromkeys(compose.REQUIRED, "given"))


@pytest.fixture(scope="module")
def services(composed: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = composed["services"]
    return found


def words(command: str | list[str]) -> set[str]:
    """Of a command, of a shell's, too."""
    told = command if isinstance(command, str) else command[-1] if command[0] == "sh" else shlex.join(command)
    told = re.sub(r"\$\{\w+:-(\w+)\}", r"\1", told)
    return set(shlex.split(told)) - ASIDE


def test_compose_reads_the_file_as_it_is_meant(composed: dict[str, Any]) -> None:
    PyCompose.from_json(json.dumps(composed)).validate()
    broken = {**composed, "services": {**composed["services"], "web": {"imagee": "x"}}}
    with pytest.raises(ValueError, match="imagee"):
        PyCompose.from_json(json.dumps(broken))


def test_what_is_secret_or_differs_between_installations_must_be_given() -> None:
    """The start of docs/production.md gives all of it."""
    (start, _first_account) = compose.blocks("Start")
    for name in compose.REQUIRED:
        assert f"\n{name}=" in start, name
        others = {each: "given" for each in compose.REQUIRED if each != name}
        with pytest.raises(compose.MissingVariable, match="set it in"):
            compose.read(settings.BASE_DIR, others)


def test_without_docker_the_same_processes_run(services: dict[str, Any]) -> None:
    block, *_ = compose.blocks("Without Docker")
    first, *rest = block.replace("\\\n", " ").splitlines()
    written = [words(line) for line in rest]
    web = described(settings.BASE_DIR / "Dockerfile", Path("/")).command
    run = [
        words(each.get("command") or web)
        for name, each in services.items()
        if "build" in each and name != "migrate"
    ]
    assert sorted(map(sorted, written)) == sorted(map(sorted, run))

    steps = (settings.BASE_DIR / "Dockerfile").read_text()
    assert first.split(" && ")[0] == " ".join(services["migrate"]["command"])
    assert all(step in steps for step in first.split(" && ")[1:])


def test_every_container_says_when_it_is_healthy_and_is_named_in_the_document(
    services: dict[str, Any],
) -> None:
    table = (settings.BASE_DIR / "docs/production.md").read_text()
    for name, service in services.items():
        if service["restart"] == "no":
            continue
        assert f"| `{name}` |" in table, name
        assert service["healthcheck"]["test"], name
        assert service["restart"] == "unless-stopped", name


def test_every_container_is_hardened(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "cap_add" not in service, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert service["mem_limit"], name
        assert service["pids_limit"], name


def test_only_who_handles_cards_has_the_key_of_the_boards(services: dict[str, Any]) -> None:
    assert {
        name for name, each in services.items() if "BOARD_KEYS" in each.get("environment", {})
    } == WITH_BOARDS


def test_each_queue_is_taken_by_one_container_and_mails_have_a_process_of_their_own(
    services: dict[str, Any],
) -> None:
    queues = {
        name: each["command"][each["command"].index("--queues") + 1].split(",")
        for name, each in services.items()
        if "--queues" in each.get("command", ())
    }
    assert queues["mail"] == [MAIL]
    assert sorted(queue for taken in queues.values() for queue in taken) == sorted(settings.WORKERS.values())


def test_a_task_goes_into_a_queue_that_somebody_takes() -> None:
    celery_app.loader.import_default_modules()
    routes = settings.CELERY_TASK_ROUTES
    assert set(routes) <= set(celery_app.tasks)
    assert {route["queue"] for route in routes.values()} | {settings.CELERY_TASK_DEFAULT_QUEUE} == set(
        settings.WORKERS.values()
    )


def test_workers_wait_for_redis_and_look_for_no_neighbours(services: dict[str, Any]) -> None:
    """Both made a worker end when Redis went away again while it looked for it (`make redis-away` tries it)."""
    workers = ("worker", "papers", "robots", "mail")
    for name in workers:
        assert {"--without-gossip", "--without-mingle"} <= set(services[name]["command"]), name
    assert {services[name]["restart"] for name in (*workers, "beat")} == {"unless-stopped"}


@pytest.mark.one_database
def test_production_waits_for_redis_as_long_as_it_takes_and_is_asked_by_plain_http() -> None:
    ask = (
        "from config.celery import app; from django.conf import settings; import json;"
        "names = ('retry', 'retry_on_startup', 'max_retries');"
        "found = {name: getattr(app.conf, f'broker_connection_{name}') for name in names};"
        "print(json.dumps([found, app.conf.broker_transport_options, settings.SECURE_REDIRECT_EXEMPT]))"
    )
    said = subprocess.run(
        [sys.executable, "-c", ask], env={**os.environ, **REQUIRED}, capture_output=True, check=True
    )
    waiting, transport, exempt = json.loads(said.stdout)

    assert waiting == {"retry": True, "retry_on_startup": True, "max_retries": None}
    assert (transport["socket_connect_timeout"], transport["socket_timeout"]) == (1, 2)
    assert [bool(re.search(exempt[0], path)) for path in ("healthz", "readyz", "x/readyz", "my/")] == [
        True, True, False, False,
    ]  # fmt: skip


#: Begins a command for which everything but one folder is read-only.
READ_ONLY = (
    "unshare", "--mount", "--map-root-user", "sh", "-c",
    'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"',
)  # fmt: skip
DOUBLE = """
from engine.concerto.best_play.compiling import compiled

@compiled
def double(number):
    return 2 * number

assert double(21) == 42
print("from the cache" if double.stats.cache_hits else "compiled")
"""


def test_a_container_has_what_its_image_has_compiled_though_its_disk_is_read_only(
    services: dict[str, Any], tmp_path: Path
) -> None:
    """As the image begins every command, where only /tmp can be written to."""
    assert all("/tmp" in each["tmpfs"] for each in services.values())
    assert not any("entrypoint" in each for each in services.values())
    dockerfile = (settings.BASE_DIR / "Dockerfile").read_text()
    begins = json.loads(re.findall(r"^ENTRYPOINT (.*)$", dockerfile, re.MULTILINE)[0])
    assert re.findall(r"NUMBA_CACHE_DIR=(/\S+)", dockerfile) == ["/tmp/compiled"]

    module, image, writable = tmp_path / "double.py", tmp_path / "image", tmp_path / "writable"
    module.write_text(DOUBLE)
    writable.mkdir()
    if subprocess.run([*READ_ONLY, str(writable), "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounts cannot be changed here")
    environment = {**os.environ, "PYTHONPATH": str(settings.BASE_DIR), "COMPILED": str(image)}
    asked = [sys.executable, str(module)]

    def said(command: list[str], cache: Path) -> str:
        done = subprocess.run(
            command,
            env={**environment, "NUMBA_CACHE_DIR": str(cache)}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    assert said(asked, image) == "compiled"
    assert said([*READ_ONLY, str(writable), *begins, *asked], writable / "compiled") == "from the cache"
    assert said([*READ_ONLY, str(writable), *asked], image) == "compiled", "control: not from there"


def test_containers_are_asked_only_for_themselves(services: dict[str, Any]) -> None:
    """What is away elsewhere, as /readyz tells it, restarts no container."""
    for name in ("web", "sockets"):
        assert "/healthz" in services[name]["healthcheck"]["test"][-1], name
