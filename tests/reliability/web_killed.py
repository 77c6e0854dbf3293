"""The web process of the embedded way killed while 50 tables play: no acknowledged action is lost, and seats come back.

`python -m tests.benchmarks.tables_killed` does it, and says the figures; here they are held.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.servers import free_port

pytestmark = [pytest.mark.one_database, pytest.mark.long]

TABLES = 50 if os.environ.get("FULL") else 20


def test_no_acknowledged_action_is_lost_and_the_seats_come_back(tmp_path: Path) -> None:
    environment = {
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "DATABASE_URL": f"sqlite:///{tmp_path}/database.sqlite3",
        "VAR_DIR": str(tmp_path),
    }
    told = f"--port {free_port()} --tables {TABLES} --seconds 5 --think 2"
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.tables_killed", *told.split()],
        cwd=settings.BASE_DIR, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert re.findall(r"lost(?: in all)?: (\d+)", done.stdout) == ["0", "0"]
    assert re.findall(r"planted: an acknowledged action taken away is (\w+)", done.stdout) == ["seen"]
