"""People who read while others write: Locust on a production of its own.

    python -m tests.benchmarks.load.pages [--users 100] [--seconds 60]

A league of 12 pairs with all its results; at the end Locust's own table, by page: requests, failures, p50, p95, p99.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.load import production
from tests.reliability import writers
from tests.reliability.production import manage

SESSION = """
from django.test import Client
from league.models import Membership
member = Membership.objects.select_related("user").first().user
client = Client()
client.force_login(member)
print(list(client.cookies.values())[-1].value)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    with production.running("web", "worker", "mail", "beat", pages=True) as site:
        matches = writers.league(site.environment, 12)
        with writers.writing(site.site, matches, clients=4):
            pass
        writers.current_after(site.postgresql)
        club, competition = site.postgresql.rows(
            "SELECT club.slug, made.slug FROM league_competition made JOIN league_club club ON club.id = made.club_id"
        )[0]
        environment = {
            **os.environ,
            "CLUB": club,
            "COMPETITION": competition,
            "SESSION": manage(site.environment, "shell", "--no-imports", "-c", SESSION).splitlines()[-1],
        }
        environment["MATCHES"] = ",".join(str(each["key"]) for each in matches)
        told = f"--users {options.users} --spawn-rate 20 --run-time {options.seconds}s --only-summary"
        file = str(Path(__file__).with_name("visitors.py"))
        host = f"http://127.0.0.1:{site.site.port}"
        command = [sys.executable, "-m", "locust", "--headless", "-f", file, "--host", host, *told.split()]
        print(f"load before: {os.getloadavg()[0]:.1f}")
        done = subprocess.run(command, env=environment, check=False)
        print(f"load after: {os.getloadavg()[0]:.1f}")
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
