"""The containers of docs/production.md have what they need and no more."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from config.background import MAIL
from config.celery import app as celery_app
from tests.deployment import REQUIRED

WITH_BOARDS = {"migrate", "web", "sockets", "worker", "papers", "robots"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text())["services"]
    return found


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
