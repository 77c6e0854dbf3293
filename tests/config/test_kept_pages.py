"""How public pages are kept for visitors: what is asked for once, what is not kept, and how old a page gets."""

import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import MessageEncoder
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client import REGISTRY

from config.web import kept_pages
from games.scoresheets.services import scoresheets
from league.background.contention import Attempt
from league.errors import LeagueError
from league.models import Club
from league.standings.services import standings
from league.web import changes
from tests.leaks.test_kept_pages import Clock, clock, scene, way
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

__all__ = ["clock", "scene", "way"]


Committed = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Committed:
    """Around writes that are committed at its end, without those that made the scene."""

    @contextmanager
    def writing() -> Iterator[None]:
        connection.run_on_commit.clear()
        with django_capture_on_commit_callbacks(execute=True):
            yield

    return writing


def is_drawn(address: str, method: str = "get", client: Client | None = None, **more: Any) -> bool:
    """Whether the database is asked for the page."""
    with CaptureQueriesContext(connection) as asked:
        getattr(client or Client(), method)(address, **more)
    return bool(asked.captured_queries)


@pytest.fixture
def address(scene: Scene) -> str:
    return f"{scene.competition.get_absolute_url()}"


def test_a_kept_page_is_counted_as_the_page_that_it_is(address: str) -> None:
    def counted() -> float:
        labels = {"view": "competition", "status": "200"}
        return REGISTRY.get_sample_value("concertmaster_requests_total", labels) or 0

    before = counted()
    assert is_drawn(address)
    assert not is_drawn(address)
    assert counted() == before + 2


def test_a_page_is_drawn_once_in_two_seconds(address: str, clock: Clock) -> None:
    assert is_drawn(address)
    assert not is_drawn(address)
    assert not is_drawn(address, "head")
    for _ in range(2):
        clock.now += kept_pages.LONGEST / 2
        assert is_drawn(address) is (_ == 1)
    assert not is_drawn(address)


def drawn_elsewhere(address: str) -> None:
    """Another process begins to draw the page again."""
    keys = (each.split(":")[-1] for each in caches["pages"]._cache)  # type: ignore[attr-defined]
    [key] = [each for each in keys if len(each) == len("0" * 40)]
    assert caches["pages"].add(f"{key}:drawn", 1)


def test_while_it_is_drawn_anew_others_are_shown_the_former_that_holds(address: str, clock: Clock) -> None:
    Client().get(address)
    drawn_elsewhere(address)
    for _ in range(4):
        clock.now += kept_pages.AT_MOST / 5
        assert not is_drawn(address)
    clock.now += kept_pages.AT_MOST / 5
    assert is_drawn(address), "never for longer"


def test_what_does_not_hold_any_more_is_shown_to_nobody(
    address: str, clock: Clock, committed: Committed
) -> None:
    for step, is_anew in (
        (0.0, False),
        (kept_pages.KEPT, False),
        (kept_pages.LONGEST - kept_pages.KEPT, True),
    ):
        if not step:
            Client().get(address)
            drawn_elsewhere(address)
            with committed():
                Club.objects.update(name="Renamed Club")
        clock.now += step
        assert is_drawn(address) is is_anew, "for others' sake it waits no longer than other caches"


@pytest.mark.parametrize("is_watched", [True, False])
def test_a_change_is_there_as_soon_as_somebody_asks(
    address: str,
    clock: Clock,
    committed: Committed,
    monkeypatch: pytest.MonkeyPatch,
    is_watched: bool,
) -> None:
    if not is_watched:
        monkeypatch.setattr(changes, "ONLY_READS", re.compile(""))
    Client().get(address)
    with committed():
        Club.objects.update(name="Renamed Club")
    clock.now += kept_pages.KEPT
    assert ("Renamed Club" in Client().get(address).text) is is_watched


@pytest.mark.parametrize(
    "write",
    [
        lambda club: Club.objects.filter(pk=club.pk).update(name="New"),
        lambda club: Club.objects.bulk_update([Club(pk=club.pk, name="New")], ["name"]),
        lambda club: club.save(),
        lambda club: Club.objects.bulk_create([Club(name="New", slug="new")]),
        lambda club: connection.cursor().execute("UPDATE league_club SET name = 'New'"),
        lambda club: club.memberships.all().delete(),
    ],
)
def test_every_way_to_write_is_a_change(
    scene: Scene, write: Callable[[Club], object], committed: Committed
) -> None:
    asked = {"league_club", "league_membership", "league_season"}
    before = changes.versions(asked)
    with committed():
        write(scene.club)
        assert changes.versions(asked) == before, "not before it is committed"
    after = changes.versions(asked)
    assert after != before
    assert after["league_season"] == before["league_season"]


def test_what_is_taken_back_is_no_change(scene: Scene, committed: Committed) -> None:
    before = changes.versions({"league_club", "league_season"})
    with committed():
        with suppress(LeagueError), transaction.atomic():
            scene.club.save()
            raise LeagueError("no")
        scene.competition.season.save()
    after = changes.versions({"league_club", "league_season"})
    assert after["league_club"] == before["league_club"]
    assert after["league_season"] != before["league_season"]


def test_a_clock_that_was_put_back_makes_no_page_old(address: str, clock: Clock) -> None:
    Client().get(address)
    clock.now -= 3600
    assert is_drawn(address)


def test_all_caches_together_show_it_for_two_seconds(address: str, clock: Clock) -> None:
    begun = clock.now
    for step in (0, 0.5, 0.4, 0.05):
        clock.now += step
        said = dict(
            each.strip().partition("=")[::2] for each in Client().get(address)["Cache-Control"].split(",")
        )
        assert said.keys() == {"public", "max-age", "must-revalidate"}
        assert clock.now - begun + int(said["max-age"]) <= kept_pages.LONGEST


@pytest.mark.parametrize("is_changed", [True, False])
def test_what_changes_while_a_page_is_drawn_slowly(
    address: str,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    is_changed: bool,
) -> None:
    strip = kept_pages.strip

    def slowly(*asked: Any) -> None:
        strip(*asked)
        clock.now += kept_pages.LONGEST
        if is_changed:
            changes.Changed(frozenset({"league_club"}))()

    monkeypatch.setattr(kept_pages, "strip", slowly)
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer.has_header("ETag") is not is_changed
    assert answer.has_header("Cache-Control") is not is_changed


def test_it_is_the_same_page_zipped_and_not(address: str) -> None:
    plain = Client().get(address)
    zipped = Client().get(address, headers={"accept-encoding": "br, gzip"})
    assert not plain.has_header("Content-Encoding")
    assert zipped["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert zipped["ETag"] == plain["ETag"]
    for answer in (plain, zipped):
        assert int(answer["Content-Length"]) == len(answer.content)
        assert answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


def test_who_has_it_is_told_so_as_long_as_it_is_the_same(address: str, clock: Clock) -> None:
    first = Client().get(address)
    known = {"if-none-match": first["ETag"]}
    for method in ("get", "head"):
        answer = getattr(Client(), method)(address, headers=known)
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer["ETag"] == first["ETag"]
        assert answer["Vary"] == first["Vary"]
    clock.now += kept_pages.LONGEST
    assert Client().get(address, headers=known).status_code == 304, "drawn again, and the same"
    Club.objects.update(name="Renamed Club")
    clock.now += kept_pages.LONGEST
    changed = Client().get(address, headers=known)
    assert changed.status_code == 200
    assert "Renamed Club" in changed.text
    assert Client().get(address, headers={"if-none-match": '"other"'}).status_code == 200


def test_a_query_that_the_page_does_not_read_makes_no_page_of_its_own(address: str, scene: Scene) -> None:
    assert is_drawn(f"{address}?utm_source=mail&page=2")
    for query in ("", "?", "?utm_source=other", "?version=3", "?%00", "?" + "a" * 3000):
        assert not is_drawn(address + query), query
    players = f"{scene.club.get_absolute_url()}players/"
    assert is_drawn(f"{players}?q=Berg")
    for query in ("?utm=1&q=Berg", "?q=Chidi&q=Berg", "?q=%42erg"):
        assert "Okafor" not in Client().get(players + query).text
        assert not is_drawn(players + query), query
    assert is_drawn(f"{players}?q=Okafor")
    for _ in range(2):
        assert is_drawn(f"{players}?q={'a' * (kept_pages.LONGEST_WORD + 1)}")


@pytest.mark.parametrize(
    ("name", "is_another"),
    [
        ("sessionid", True),
        ("messages", True),
        ("table-guest-7", True),
        ("theme", False),
        ("csrftoken", False),
    ],
)
def test_cookies_that_make_a_page_another_one(address: str, name: str, is_another: bool) -> None:
    Client().get(address)
    client = Client()
    client.cookies[name] = "x" * 32
    assert is_drawn(address, client=client) is is_another
    assert client.get(address).has_header("ETag") is not is_another


def test_a_message_is_for_its_reader_alone(address: str) -> None:
    told = Client()
    told.cookies["messages"] = MessageEncoder().encode([Message(constants.INFO, "for you alone")])
    told.get(address)
    assert "for you alone" not in Client().get(address).text


def test_other_ways_to_ask_are_answered_each_for_itself(address: str) -> None:
    Client().get(address)
    assert Client().post(address).status_code in {403, 405}
    assert is_drawn(address, headers={"hx-request": "true"})
    assert is_drawn(address, headers={"authorization": "Token x"})


def test_what_is_not_for_everybody_is_not_kept(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "OWN_QUERY", {"session": (), "account_login": (), "api-docs": ()})
    for other in ("/session/", "/accounts/login/"):
        assert Client().get(other).status_code == 200
        assert not Client().get(other).has_header("ETag"), other
    for missing in ("/clubs/none/", "/no/such/page/"):
        assert Client().get(missing).status_code == 404
    assert not caches["pages"]._cache  # type: ignore[attr-defined]


def test_a_confirmed_result_is_there_in_two_seconds(clock: Clock, settings: Any) -> None:
    scene = make_scene(deals=2)
    address = scene.competition.get_absolute_url()
    pages = (address, f"{address}fixtures/", scene.fixture.get_absolute_url())
    before = [Client().get(page) for page in pages]
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    standings.compute(competition_id=scene.competition.pk, at=timezone.now())
    known = {page: {"if-none-match": former["ETag"]} for page, former in zip(pages, before, strict=True)}
    for page in pages:
        assert Client().get(page, headers=known[page]).status_code == 304, page
    clock.now += kept_pages.LONGEST
    now = {page: Client().get(page, headers=known[page]) for page in pages}
    settings.KEEP_PAGES = False
    for page, answer in now.items():
        assert answer.status_code == 200, page
        assert answer.content == Client().get(page).content, page


def test_without_redis_each_page_is_drawn_once_a_second(address: str, clock: Clock, settings: Any) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "config.web.caches.ForgetfulRedisCache", "LOCATION": "redis://localhost:1"},
    }
    changes.store.cache_clear()
    for _ in range(2):
        answer = Client().get(address)
        assert answer.status_code == 200
        assert answer.has_header("ETag")
        clock.now += kept_pages.KEPT
        assert is_drawn(address)
        clock.now += kept_pages.KEPT


def test_a_connection_that_opens_within_an_attempt_goes_on_noting_writes() -> None:
    """As in every task of a worker: what watched the attempt is gone at its end, and what notes writes is not."""
    opened: Any = connection.copy()
    for _task in range(2):
        with opened.execute_wrapper(Attempt()):
            changes.watch(opened)
        assert opened.execute_wrappers == [changes.note_writes]
