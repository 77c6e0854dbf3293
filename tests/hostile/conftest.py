"""A league with everything in it, its people logged in, and a watch over what they are answered."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from games.scoresheets.services import scoresheets
from league.models import DateProposal, Fixture, Role, User
from tests.heartbeats import all_at_work
from tests.hostile.addresses import filled
from tests.hostile.rows import Statements, count_rows
from tests.league import factories

TOTALS = {"deals": [{"total": {"NS": 30, "EW": 22}}] * 4}
SAFE = {"get", "head", "options", "trace"}
# Here a 200 to a POST is a success: a token, a slip or a file is given at once, so there is no page to go on to.
SHOW_WHAT_THEY_MADE = ("/my/token/", "/desk/players/slips/", "/file/")


@dataclass
class World:
    """Values for the parameters of addresses, and people by role."""

    values: dict[str, str]
    people: dict[str, User | None]
    fixture: Fixture

    def client(self, role: str) -> Client:
        """A browser of that person's."""
        client = Client(raise_request_exception=False)
        person = self.people[role]
        if person is not None:
            client.force_login(person)
        return client

    def address(self, route: str, **other: str) -> str:
        """The route with what there is, or with something else in the place of it."""
        return filled(route, {**self.values, **other})


@pytest.fixture
def world(db: None) -> Iterator[World]:
    """Two divisions under way; in the first fixture a sheet waits for the away pair."""
    cache.clear()
    club = factories.club()
    competition = factories.running(club, pairs=4)
    first, second, *_more = Fixture.objects.with_pairs().order_by("pk")
    home = factories.account_of(first.home.lineup)
    away = factories.account_of(first.away.lineup)
    sheet = scoresheets.submit(actor=home, fixture=first, content=TOTALS, origin="page")
    DateProposal.objects.create(fixture=second, entry=second.home, starts_at=factories.NOW)
    people = {
        "nobody": None,
        "stranger": factories.user(),
        "player": away,
        "director": factories.member(club, Role.OWNER),
    }
    for person in filter(None, people.values()):
        EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    yield World(
        values={
            "pk": str(first.pk),
            "version": str(sheet.version),
            "slug": competition.slug,
            "club": club.slug,
            "competition": competition.slug,
            "number": "1",
        },
        people=people,
        fixture=first,
    )
    cache.clear()


class Broken(Exception):
    """A server error: on PostgreSQL nothing can be asked before the transaction is rolled back."""


@dataclass
class Watch:
    """Sends requests as somebody, and keeps every answer that no visitor may get."""

    client: Client
    faults: list[str]
    rows: dict[str, int]

    def send(self, method: str, address: str, data: Any = b"", **options: Any) -> Any:
        """The answer to a request with this body."""
        statements = Statements()
        with connection.execute_wrapper(statements):
            answer = self.client.generic(method.upper(), address, data, **options)
        if not statements.has_written and answer.status_code < 500:
            return answer
        self._look(f"{method.upper()} {address[:200]} {str(data)[:80]!r} {options}"[:400], method, answer)
        return answer

    def post(self, address: str, data: dict[str, Any]) -> Any:
        """The answer to a form."""
        statements = Statements()
        with connection.execute_wrapper(statements):
            answer = self.client.post(address, data)
        if not statements.has_written and answer.status_code < 500:
            return answer
        self._look(f"POST {address} {str(data)[:300]}", "post", answer)
        return answer

    def _look(self, what: str, method: str, answer: Any) -> None:
        """A 500 is a fault; so is a row written by a request that was refused or only reads.

        Rows are counted only after a request that did more than read: counting all tables takes longer than most do.
        """
        if answer.status_code >= 500:
            cause = getattr(answer, "exc_info", None)
            self.faults.append(
                f"{answer.status_code} for {what}: {cause[1]!r}" if cause else f"500 for {what}"
            )
            raise Broken
        before, self.rows = self.rows, count_rows()
        made_here = answer.wsgi_request.path.endswith(SHOW_WHAT_THEY_MADE) and method == "post"
        is_refused = (
            answer.status_code >= 400 or method in SAFE or (answer.status_code == 200 and not made_here)
        )
        if is_refused and self.rows != before:
            changed = [table for table, rows in self.rows.items() if rows != before[table]]
            self.faults.append(f"{answer.status_code} but rows of {changed} changed: {what}")


Asking = Callable[[Watch, str], None]


@pytest.fixture
def ask_all(world: World) -> Callable[..., None]:
    """Asks for each of the routes as somebody with this role; what one route changed is undone for the next."""

    def asked(role: str, routes: Iterable[str], asking: Asking) -> None:
        faults: list[str] = []
        all_at_work()
        rows = count_rows()
        for route in routes:
            cache.clear()
            all_at_work()
            with transaction.atomic():
                with suppress(Broken):
                    asking(Watch(world.client(role), faults, rows), route)
                transaction.set_rollback(True)
        assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:40])

    return asked
