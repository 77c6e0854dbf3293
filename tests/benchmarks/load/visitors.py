"""Visitors and members who read pages, and programs that ask the API: `make load-pages` runs it by Locust.

The site runs already (`--host`); CLUB and COMPETITION in the environment name what they read, MATCHES its matches.
"""

import os
import random

from locust import HttpUser, between, task

CLUB, COMPETITION = os.environ["CLUB"], os.environ["COMPETITION"]
MATCHES = os.environ["MATCHES"].split(",")
LEAGUE = f"/clubs/{CLUB}/{COMPETITION}/"
#: As the proxy sends them on.
HEADERS = {"Host": "localhost", "X-Forwarded-Proto": "https"}


class Visitor(HttpUser):
    """Follows a league evening: mostly the table, now and then a match."""

    wait_time = between(0.5, 2)
    weight = 4

    def read(self, path: str, name: str) -> None:
        self.client.get(path, headers=HEADERS, name=name, allow_redirects=False)

    @task(6)
    def standings(self) -> None:
        self.read(LEAGUE, "standings")

    @task(2)
    def fixtures(self) -> None:
        self.read(f"{LEAGUE}fixtures/", "fixtures")

    @task(3)
    def match(self) -> None:
        self.read(f"/matches/{random.choice(MATCHES)}/", "match")

    @task(1)
    def home(self) -> None:
        self.read("/", "home")

    @task(1)
    def club(self) -> None:
        self.read(f"/clubs/{CLUB}/", "club")


class Member(Visitor):
    """The same with a login: pages are made for this reader."""

    weight = 1

    def on_start(self) -> None:
        self.client.cookies.set("__Host-sessionid", os.environ["SESSION"])

    @task(4)
    def my(self) -> None:
        self.read("/my/", "my")


class Program(HttpUser):
    """An app that shows the table."""

    wait_time = between(1, 3)
    weight = 1

    @task
    def table(self) -> None:
        self.client.get("/api/v1/clubs/", headers=HEADERS, name="api clubs")
