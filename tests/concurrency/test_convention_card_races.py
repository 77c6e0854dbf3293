"""Two partners save their convention card at the same moment: one version each, and nothing of either is replaced."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet

from engine.concerto.signals.systems import SHORT
from games.conventions import services as conventions
from games.models import ConventionCard
from league.errors import Conflict
from league.models import AuditEntry
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_table_races import told
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def meet_after_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has seen the newest version until the other has seen it too, or a second has passed."""
    meeting = threading.Barrier(2)
    read = conventions.read_card

    def read_and_meet(game_key: str, content: Any) -> Any:
        card = read(game_key, content)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return card

    monkeypatch.setattr(conventions, "read_card", read_and_meet)


def both_save(scene: Scene) -> list[Any]:
    """Each of the partners has changed the name of the card that both have on their screens."""

    def save(who: str) -> Any:
        return told(
            lambda: conventions.write(
                actor=scene.users[who],
                pair=scene.entries[0].lineup,
                game_key="concerto",
                content={**SHORT.as_json(), "name": who},
                after=0,
            )
        )

    return at_once(save("anna"), save("chidi"))


def test_of_two_partners_the_second_is_told_of_the_firsts_version(
    request: pytest.FixtureRequest,
) -> None:
    scene = make_scene()
    request.getfixturevalue("meet_after_looking")
    outcomes = both_save(scene)

    (refusal,) = [each for each in outcomes if isinstance(each, Exception)]
    assert isinstance(refusal, Conflict)
    assert refusal.code == "stale"
    assert ConventionCard.objects.get().number == 1
    assert AuditEntry.objects.filter(action="pair.card_written").count() == 1


def test_control_without_the_lock_only_the_database_refuses(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = make_scene()
    request.getfixturevalue("meet_after_looking")
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = both_save(scene)

    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [IntegrityError]
    assert ConventionCard.objects.count() == 1
