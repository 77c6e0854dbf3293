"""Days away, times that suit everyone, and telephones: who sees what of them."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.errors import Invalid
from league.fixtures import arranging
from league.models import AuditEntry, Contact, DayAway, Fixture, Round
from league.notices.services import accounts
from tests.scenes import Scene, make_scene

DUBLIN = ZoneInfo("Europe/Dublin")
NUMBER = "+353 1 496 0123"


@pytest.fixture
def scene(db: None) -> Scene:
    """The first match is in three days, and its round closes in twenty."""
    made = make_scene()
    now = timezone.now()
    Fixture.objects.filter(pk=made.fixture.pk).update(starts_at=now + timedelta(days=3))
    Round.objects.filter(pk=made.fixture.round_id).update(closes_at=now + timedelta(days=20))
    return made


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def suggested(scene: Scene) -> list[datetime]:
    found = arranging.of(scene.fixture, scene.users["anna"], at=timezone.now())
    return [moment.local for moment in found.suggested]


def test_three_times_of_the_usual_weekday_come_first_and_none_on_a_day_away(scene: Scene) -> None:
    usual = (timezone.now() + timedelta(days=3)).astimezone(DUBLIN)
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=usual)
    first = suggested(scene)
    assert len(first) == 3
    assert {moment.time() for moment in first} == {usual.time()}
    week = usual.date() + timedelta(days=7)
    assert week in {moment.date() for moment in first}
    accounts.mark_days_away(actor=scene.users["luis"], first=week, last=week + timedelta(days=1))
    found = arranging.of(scene.fixture, scene.users["anna"], at=timezone.now())
    assert week not in {moment.local.date() for moment in found.suggested}
    assert {week, week + timedelta(days=1)} <= set(found.unsuitable)
    assert len(found.suggested) == 3


def test_a_day_with_another_match_of_theirs_does_not_suit(scene: Scene) -> None:
    other = Fixture.objects.of_user(scene.users["eva"]).exclude(pk=scene.fixture.pk)[0]
    week = timezone.now() + timedelta(days=10)
    Fixture.objects.filter(pk=other.pk).update(starts_at=week)
    assert week.astimezone(DUBLIN).date() not in {moment.date() for moment in suggested(scene)}


def test_a_time_is_chosen_with_one_press_and_nobody_learns_who_is_away(scene: Scene) -> None:
    day = timezone.localdate() + timedelta(days=5)
    accounts.mark_days_away(actor=scene.users["luis"], first=day, last=day)
    page = client_of(scene, "anna").get(f"/fixtures/{scene.fixture.pk}/dates/")
    assert "Someone can’t play on:" in page.text
    wanted = suggested(scene)[0].strftime("%Y-%m-%dT%H:%M")
    assert f"?at={wanted}" in page.text
    chosen = client_of(scene, "anna").get(f"/fixtures/{scene.fixture.pk}/dates/?at={wanted}")
    assert f'value="{wanted}"' in chosen.text
    odd = client_of(scene, "anna").get(f"/fixtures/{scene.fixture.pk}/dates/?at=%22%3E%3Cb%3E")
    assert odd.status_code == 200
    assert "<b>" not in odd.text


def test_days_away_are_marked_and_removed_on_the_own_page(scene: Scene) -> None:
    anna = client_of(scene, "anna")
    first = timezone.localdate() + timedelta(days=4)
    anna.post("/my/details/", {"part": "away", "first": first, "last": first + timedelta(days=2)})
    anna.post("/my/details/", {"part": "away", "first": first})
    assert DayAway.objects.filter(user=scene.users["anna"]).count() == 3
    anna.post("/my/details/", {"part": "back", "first": first})
    assert DayAway.objects.filter(user=scene.users["anna"]).count() == 2
    for wrong in (
        {"first": "x"},
        {"first": first, "last": first - timedelta(days=1)},
        {"first": "9999-12-31"},
    ):
        assert anna.post("/my/details/", {"part": "away", **wrong}).status_code == 422
    assert anna.post("/my/details/", {"part": "other"}).status_code == 422
    with pytest.raises(Invalid):
        accounts.mark_days_away(actor=scene.users["anna"], first=first, last=first + timedelta(days=93))


def test_days_long_past_are_deleted(scene: Scene) -> None:
    DayAway.objects.create(user=scene.users["anna"], day=date(2020, 1, 1))
    DayAway.objects.create(user=scene.users["anna"], day=timezone.localdate())
    assert accounts.purge_days_away(at=timezone.now()) == 1


@pytest.mark.parametrize(
    ("name", "sees"), [("anna", True), ("luis", True), ("dora", True), ("iris", False), ("sam", False)]
)
def test_a_telephone_is_for_those_of_the_match_and_its_directors(
    scene: Scene, name: str, *, sees: bool
) -> None:
    accounts.keep_telephone(actor=scene.users["eva"], telephone=NUMBER)
    assert (arranging.telephones(scene.fixture, scene.users[name]) == (("Eva Novak", NUMBER),)) is sees
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="void")
    assert arranging.telephones(scene.fixture, scene.users[name]) == ()


def test_who_gave_none_or_took_it_back_shows_none(scene: Scene) -> None:
    eva, anna = client_of(scene, "eva"), client_of(scene, "anna")
    eva.post("/my/details/", {"part": "telephone", "telephone": NUMBER})
    dates = f"/fixtures/{scene.fixture.pk}/dates/"
    assert NUMBER in anna.get(dates).text
    assert NUMBER in client_of(scene, "dora").get(f"/fixtures/{scene.fixture.pk}/ruling/").text
    assert NUMBER not in client_of(scene, "eva").get(dates).text
    refused = eva.post("/my/details/", {"part": "telephone", "telephone": "call me"})
    assert refused.status_code == 422
    eva.post("/my/details/", {"part": "telephone", "telephone": ""})
    assert NUMBER not in anna.get(dates).text
    assert not Contact.objects.exists()


def test_a_telephone_lies_encrypted_and_in_no_trail(scene: Scene) -> None:
    accounts.keep_telephone(actor=scene.users["eva"], telephone=NUMBER)
    with connection.cursor() as cursor:
        cursor.execute("SELECT telephone FROM league_contact")
        (stored,) = cursor.fetchone()
    assert NUMBER not in str(stored)
    assert Contact.objects.get().telephone == NUMBER
    assert not AuditEntry.objects.filter(summary__contains=NUMBER).exists()


def test_finding_a_time_takes_few_queries(scene: Scene, django_assert_max_num_queries: Any) -> None:
    fixture = (
        Fixture.objects.with_pairs().prefetch_related("substitutions__substitute").get(pk=scene.fixture.pk)
    )
    with django_assert_max_num_queries(4):
        arranging.of(fixture, scene.users["anna"], at=timezone.now())
