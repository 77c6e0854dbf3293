"""docs/production.md is walked from an empty computer to the first club (`make production` walks all of it)."""

import os
import subprocess
import sys

import pytest

from tests.production.compose import BASE

pytestmark = [pytest.mark.one_database, pytest.mark.long, pytest.mark.thorough]


def test_the_document_leads_from_an_empty_computer_to_the_first_club() -> None:
    tried = ["unshare", "--net", "--mount", "true"]
    if os.geteuid() != 0 or subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip("a root and a network of its own need the rights of root")
    command = [sys.executable, "-m", "tests.production.walk", "--short"]
    done = subprocess.run(command, cwd=BASE, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    assert "the first club" in done.stdout
