"""The four layers and their one direction, checked as `make check` checks them."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

LINT = Path(sys.executable).with_name("lint-imports")


def test_layers_import_in_one_direction_and_the_engine_stays_pure() -> None:
    done = subprocess.run(
        [LINT, "--no-logo", "--no-cache"], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout
    assert ", 0 broken." in done.stdout
