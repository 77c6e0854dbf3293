"""Parts of pages that are kept for readers who are logged in: few queries, and nothing of one in another's."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.scoresheets.services import scoresheets
from league.fixtures.services import fixtures
from league.models import Club, Fixture, Membership, Player, User
from league.standings.services import standings
from league.web import changes, keeping
from league.words.public_names import Shown
from tests.config.test_kept_pages import Committed, committed
from tests.league import factories
from tests.leaks.event import make_event
from tests.leaks.test_kept_pages import clock
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
__all__ = ["clock", "committed"]
#: Of a page whose parts are kept, for a reader who is logged in; a visitor's is kept as a whole.
MOST = 12
#: By page what the first reader after a change takes at most: a visitor, and a person who is logged in.
FIRST = {
    "home": (7, 24),
    "my": (0, 21),
    "club": (7, 16),
    "standings": (13, 26),
    "match": (12, 20),
    "player": (10, 16),
}


@pytest.fixture
def played() -> Scene:
    """A match is played and the table stands."""
    scene = make_scene(deals=2)
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    standings.compute(competition_id=scene.competition.pk, at=timezone.now())
    return scene


def reader(user: User) -> Client:
    """Logged in, with all that was written till now committed."""
    client = Client()
    client.force_login(user)
    connection.run_on_commit.clear()
    return client


def hot_pages(scene: Scene) -> dict[str, str]:
    player = Player.objects.get(user=scene.users["anna"])
    return {
        "home": "/",
        "my": "/my/",
        "club": scene.club.get_absolute_url(),
        "standings": scene.competition.get_absolute_url(),
        "match": scene.fixture.get_absolute_url(),
        "player": player.get_absolute_url(),
    }


@pytest.mark.parametrize("who", ["", "anna", "eva"])
@pytest.mark.parametrize("name", FIRST)
def test_a_page_takes_few_queries(played: Scene, name: str, who: str) -> None:
    waiting, moved = Fixture.objects.exclude(pk=played.fixture.pk).of_user(played.users["anna"])
    scoresheets.submit(
        actor=played.users["anna"], fixture=waiting, content=totals_sheet((60, 20), (50, 30)), origin="page"
    )
    fixtures.postpone(actor=played.users["dora"], fixture=moved, reason="Snow")
    client = reader(played.users[who]) if who else Client()
    address, asked = hot_pages(played)[name], []
    answers = []
    for _turn in ("first", "again"):
        with CaptureQueriesContext(connection) as found:
            answers.append(client.get(address))
        asked.append([each["sql"] for each in found.captured_queries])
    first, again = asked
    assert len(first) <= FIRST[name][bool(who)], first
    assert len(again) <= (MOST if who else 0), again
    assert answers[0].status_code == answers[1].status_code
    assert len(answers[0].content) == len(answers[1].content)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("home", lambda scene: Club.objects.filter(pk=scene.club.pk).update(name="Renamed")),
        ("my", lambda scene: Club.objects.filter(pk=scene.club.pk).update(name="Renamed")),
        ("club", lambda scene: type(scene.competition).objects.update(name="Renamed")),
        ("standings", lambda scene: Player.objects.update(name="Somebody Renamed")),
        ("match", lambda scene: Player.objects.update(name="Somebody Renamed")),
        ("player", lambda scene: type(scene.competition).objects.update(name="Renamed")),
    ],
)
@pytest.mark.parametrize("is_watched", [True, False])
def test_a_change_is_on_the_page_at_once(  # noqa: PLR0917 - fixtures and what they are tried with
    played: Scene,
    name: str,
    write: Callable[[Scene], object],
    committed: Committed,
    monkeypatch: pytest.MonkeyPatch,
    is_watched: bool,
) -> None:
    if not is_watched:
        monkeypatch.setattr(changes, "ONLY_READS", re.compile(""))
    client, address = reader(played.users["eva"]), hot_pages(played)[name]
    assert "Renamed" not in client.get(address).text
    with committed():
        write(played)
    connection.run_on_commit.clear()
    assert ("Renamed" in client.get(address).text) is is_watched


def test_a_name_that_is_not_for_everybody_is_in_nobody_elses_page(played: Scene) -> None:
    stranger = factories.user("from.elsewhere@example.org")
    Player.objects.filter(user=played.users["anna"]).update(public_name=Shown.HIDDEN)
    User.objects.filter(pk=played.users["anna"].pk).update(public_name=Shown.HIDDEN)
    inside, outside = reader(played.users["eva"]), reader(stranger)
    pages = [address for name, address in hot_pages(played).items() if name in {"standings", "match", "club"}]
    for clients in ((inside, outside), (outside, inside)):
        caches["pages"].clear()
        for address in pages:
            for client in (*clients, *clients):
                assert ("Berg" in client.get(address).text) is (client is inside), address


def test_what_is_for_members_is_in_no_strangers_page(played: Scene) -> None:
    stranger = factories.user("from.elsewhere@example.org")
    type(played.competition).objects.update(visibility="members")
    Membership.objects.get_or_create(user=played.users["eva"], club=played.club, defaults={"role": "member"})
    inside, outside = reader(played.users["eva"]), reader(stranger)
    for clients in ((inside, outside), (outside, inside)):
        caches["pages"].clear()
        for address in ("/", played.club.get_absolute_url()):
            for client in (*clients, *clients):
                shown = played.competition.get_absolute_url() in client.get(address).text
                assert shown is (client is inside), address


def test_a_match_of_sealed_boards_is_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    event, made, kept = make_event(), keeping._made, []

    def noting(name: str, *rest: Any) -> Any:
        kept.append(name)
        return made(name, *rest)

    monkeypatch.setattr(keeping, "_made", noting)
    for name in ("anna", "chidi", "iris"):
        client = reader(event.scene.users[name])
        assert client.get(event.played.get_absolute_url()).status_code == 200
        client.get(event.scene.competition.get_absolute_url())
    assert "match" not in kept
    assert "standings" in kept, "the control: other parts are"
