"""The most visited pages find matches, appearances, sheets and players by an index, however many there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.api.filters import KeysetPages
from league.clubs import views as members
from league.desk import views as desk
from league.home.views import clubs
from league.models import Appearance, Fixture, Player
from league.people.services import joining
from league.people.views import joining as invitations
from league.people.views import people
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

#: Of these a federation has hundreds of thousands.
LARGE = {model._meta.db_table for model in (Appearance, Fixture, Player, Scoresheet)}


@pytest.fixture
def scene() -> Scene:
    """A league with a confirmed match, and nothing kept of its pages."""
    cache.clear()
    scene = make_scene(deals=2)
    content = totals_sheet((60, 20), (50, 30))
    actor, fixture = scene.users["anna"], scene.fixture
    sheet = scoresheets.submit(actor=actor, fixture=fixture, content=content, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    return scene


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """The statements that read, with their values."""
    found: list[tuple[str, Any]] = []

    def noting(execute: Any, sql: str, params: Any, *more: Any) -> Any:
        if sql.lstrip("( ").upper().startswith(("SELECT", "WITH")):
            found.append((sql, params))
        return execute(sql, params, *more)

    with connection.execute_wrapper(noting):
        yield found


def searched_whole(statements: list[tuple[str, Any]]) -> list[str]:
    """Where a large table is read from its beginning to its end although there was any other way."""
    found = []
    with connection.cursor() as cursor:
        # PostgreSQL counts rows when it thinks fit: its plans would depend on the tests before this one.
        # Only a superuser may set what it counted; the servers of CI and of `make test SERVERS=own` have one.
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (True,):
            pytest.skip("the role of DATABASE_URL is no superuser")
        cursor.execute("DELETE FROM pg_statistic")
        cursor.execute(
            "UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE relnamespace = 'public'::regnamespace"
        )
        cursor.execute(
            "UPDATE pg_class SET relpages = 1, reltuples = 1000000 WHERE relname = ANY(%s)", [sorted(LARGE)]
        )
        # Small tables are read whole otherwise, index or not.
        for way in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        for sql, params in statements:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
            (plans,) = cursor.fetchone()
            plans = json.loads(plans) if isinstance(plans, str) else plans
            found += [f"{node}: {sql}" for node in scans(plans[0]["Plan"])]
    return found


def scans(node: dict[str, Any]) -> Iterator[str]:
    """The nodes of a plan which go through all rows of a large table: in their order, or in that of an index."""
    is_by_index = "Index Cond" in node or node["Node Type"] == "Bitmap Heap Scan"
    if node.get("Relation Name") in LARGE and not is_by_index:
        yield f"{node['Node Type']} on {node['Relation Name']}"
    for part in node.get("Plans", ()):
        yield from scans(part)


@pytest.mark.parametrize("who", ["", "anna", "dora"])
def test_hot_pages_read_no_large_table_whole(scene: Scene, client: Client, who: str) -> None:
    player = Player.objects.get(user=scene.users["anna"])
    club = scene.club.get_absolute_url()
    pages = ["/", scene.competition.get_absolute_url(), scene.fixture.get_absolute_url(), club]
    pages += [player.get_absolute_url(), f"{club}players/?q=an"]
    if who:
        client.force_login(scene.users[who])
        pages += ["/my/", "/my/notices/", "/api/v1/fixtures/?mine=true"]
    if who == "dora":
        pages += [f"{club}desk/", f"{club}desk/trail/"]
    found = {}
    for page in pages:
        with asked() as statements:
            assert client.get(page).status_code == 200
        assert statements
        if whole := searched_whole(statements):
            found[page] = whole
    assert not found


@pytest.mark.parametrize(
    "where",
    [
        "players/",
        *(f"desk/{each}/" for each in ("players", "matches", "members", "missing", "players/invitations")),
    ],
)
def test_further_pages_read_no_large_table_whole(
    scene: Scene, client: Client, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    for module, size in (
        (clubs, "PLAYERS_A_PAGE"), (people, "PAGE"), (desk, "MATCHES_A_PAGE"), (members, "PAGE"), (invitations, "PAGE"),
    ):  # fmt: skip
        monkeypatch.setattr(module, size, 2)
    Fixture.objects.update(starts_at=datetime(2026, 1, 5, 19, tzinfo=UTC))
    keys = [factories.player(scene.club).pk for _each in range(3)]
    joining.make_slips(actor=scene.users["dora"], club=scene.club, players=keys, at=timezone.now())
    client.force_login(scene.users["olive"])
    address = f"{scene.club.get_absolute_url()}{where}"
    further = re.search(r'href="(\?after=\d+)" rel="next"', client.get(address).content.decode())
    assert further is not None
    with asked() as statements:
        assert client.get(f"{address}{further[1]}").status_code == 200
    assert not searched_whole(statements)


def test_lists_of_programs_read_no_large_table_whole(
    scene: Scene, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KeysetPages, "page_size", 2)
    client.force_login(scene.users["olive"])
    club, found = f"/api/v1/clubs/{scene.club.slug}", {}
    lists = [f"{club}/{each}/" for each in ("players", "pairs", "members", "trail", "missing-results")]
    lists += [f"/api/v1/fixtures/?competition={scene.competition.pk}", "/api/v1/notices/"]
    for address in lists:
        page: str | None = address
        # The second page goes on from a row.
        for _turn in range(2):
            if page is None:
                break
            with asked() as statements:
                answer = client.get(page)
            assert answer.status_code == 200
            page = answer.json()["next"]
            if whole := searched_whole(statements):
                found[address] = whole
    assert not found


def test_the_check_sees_what_has_no_index(scene: Scene) -> None:
    with asked() as statements:
        list(Player.objects.filter(name__contains="nn"))
    assert searched_whole(statements)


def test_no_statement_is_compiled() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("SHOW jit").fetchone() == ("off",)
