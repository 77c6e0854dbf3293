"""Without the key there is one clear error: at the start, on every page that needs it, and for programs."""

import pytest
from django.core.checks import run_checks
from django.test import Client
from pytest_django.fixtures import Settings

from games.boards.services import locks
from league.actors import System
from league.audit.services import audit
from league.models import AuditEntry
from tests.leaks.event import make_event

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OTHER = "another-key-" + "3" * 40


@pytest.mark.parametrize("keys", [[], [OTHER]])
def test_pages_and_programs_are_told_plainly(settings: Settings, keys: list[str]) -> None:
    event = make_event()
    client = Client(raise_request_exception=False)
    client.force_login(event.scene.users["dora"])
    address = f"/matches/{event.played.pk}/"
    assert client.get(address).status_code == 200
    settings.BOARD_KEYS = keys

    page = client.get(address)
    assert page.status_code == 503
    assert "A key of this site is missing" in page.content.decode()
    assert "Traceback" not in page.content.decode()
    told = client.get(f"/api/v1/matches/{event.played.pk}/")
    assert told.status_code == 503
    assert told.json()["error"]["code"] == "unreadable"
    assert client.get(f"/clubs/{event.scene.club.slug}/").status_code == 200, "what needs no key goes on"


def test_the_check_of_the_database_says_that_the_key_is_another(settings: Settings) -> None:
    assert "boards.E004" not in {each.id for each in run_checks(databases=["default"])}
    audit.record(actor=System("test"), action="test", summary="Something", after={"what": 1})
    assert "boards.E004" not in {each.id for each in run_checks(databases=["default"])}
    newest = [OTHER, *settings.BOARD_KEYS]
    settings.BOARD_KEYS = [OTHER]

    assert "boards.E004" in {each.id for each in run_checks(databases=["default"])}
    settings.BOARD_KEYS = newest
    assert "boards.E004" not in {each.id for each in run_checks(databases=["default"])}


def test_after_a_rotation_the_old_key_can_go(settings: Settings) -> None:
    """Tables that only grow, too; and everything says what it said before."""
    event = make_event()
    client = Client()
    client.force_login(event.scene.users["dora"])
    address = f"/api/v1/matches/{event.played.pk}/"
    before, trail = client.get(address).json(), list(AuditEntry.objects.values_list("pk", "after", "reason"))
    settings.BOARD_KEYS = [OTHER, *settings.BOARD_KEYS]
    found = locks.renew(actor=System("test"))

    settings.BOARD_KEYS = [OTHER]
    assert found.unreadable == {}
    assert {"games_playeddeal.record", "games_scoresheet.content", "league_auditentry.after"} <= set(
        found.rows
    )
    assert client.get(address).json() == before
    assert (
        list(AuditEntry.objects.exclude(action="boards.locked_anew").values_list("pk", "after", "reason"))
        == trail
    )
