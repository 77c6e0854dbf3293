"""Days away, times that suit everyone, and telephones: who sees what of them."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.entries.services import season_substitutes
from league.errors import Invalid
from league.fixtures import arranging
from league.fixtures.services import reminders, substitutions
from league.models import AuditEntry, Contact, DayAway, Fixture, Notice, Player, Role, Round
from league.notices.services import accounts
from tests.league import factories
from tests.scenes import Scene, make_scene

DUBLIN = ZoneInfo("Europe/Dublin")
NUMBER = "+353 1 496 0123"
STREET = "3 Harbour Row\nCork"


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


def test_days_that_do_not_suit_are_said_where_no_time_suits(scene: Scene, monkeypatch: Any) -> None:
    day = timezone.localdate() + timedelta(days=5)
    nothing = arranging.Arranging((), (day,), ())
    monkeypatch.setattr(arranging, "of", lambda *_args, **_how: nothing)
    page = client_of(scene, "anna").get(f"/fixtures/{scene.fixture.pk}/dates/").text
    assert "Someone can’t play on:" in page
    assert "Times that suit everyone" not in page


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
    accounts.keep_contact(actor=scene.users["eva"], telephone=NUMBER, address=STREET, is_shared=True)
    assert bool(arranging.contacts(scene.fixture, scene.users[name])) is sees
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="void")
    assert arranging.contacts(scene.fixture, scene.users[name]) == ()


def test_who_gave_none_or_took_it_back_shows_none(scene: Scene) -> None:
    eva, anna = client_of(scene, "eva"), client_of(scene, "anna")
    eva.post("/my/details/", {"part": "contact", "telephone": NUMBER, "address": STREET, "is_shared": "on"})
    dates = f"/fixtures/{scene.fixture.pk}/dates/"
    assert NUMBER in anna.get(dates).text
    assert "3 Harbour Row<br>Cork" in anna.get(dates).text
    assert NUMBER in client_of(scene, "dora").get(f"/fixtures/{scene.fixture.pk}/ruling/").text
    assert NUMBER not in client_of(scene, "eva").get(dates).text
    refused = eva.post("/my/details/", {"part": "contact", "telephone": "call me"})
    assert refused.status_code == 422
    eva.post("/my/details/", {"part": "contact", "telephone": ""})
    assert NUMBER not in anna.get(dates).text
    assert not Contact.objects.exists()


def test_who_left_the_pair_for_the_season_sees_no_telephone(scene: Scene) -> None:
    accounts.keep_contact(actor=scene.users["eva"], telephone=NUMBER, is_shared=True)
    anna = scene.users["anna"]
    gus = factories.player(scene.club, "Gus Guest", number="77")
    season_substitutes.appoint(
        actor=scene.users["dora"],
        entry=scene.fixture.home,
        absent=Player.objects.get(user=anna),
        substitute=gus,
        reason="moved away",
    )
    assert arranging.contacts(Fixture.objects.get(pk=scene.fixture.pk), anna) == ()


def test_to_ask_somebody_to_stand_in_tells_nothing_of_them_until_they_agree(scene: Scene) -> None:
    """A pair may ask anybody in the club: that alone makes them nobody's partner. Nor do they read of the others."""
    user = factories.user("sol@example.org", "Sol Vega")
    sol = factories.player(scene.club, "Sol Vega", user=user)
    accounts.keep_contact(actor=user, telephone=NUMBER, address=STREET, is_shared=True)
    accounts.keep_contact(actor=scene.users["eva"], telephone="+353 1 496 0999", is_shared=True)
    anna = scene.users["anna"]

    def told(reader: Any) -> tuple[set[str], tuple[date, ...]]:
        found = arranging.of(Fixture.objects.with_pairs().get(pk=scene.fixture.pk), reader, at=timezone.now())
        return {each.name for each in found.contacts}, found.unsuitable

    before = told(anna)
    day = timezone.localdate() + timedelta(days=9)
    accounts.mark_days_away(actor=user, first=day, last=day)
    row = substitutions.appoint(
        actor=anna, fixture=scene.fixture, absent=scene.players[1], substitute=sol, reason="Ill"
    )
    assert told(anna) == before == ({"Eva Novak"}, before[1])
    assert told(user)[0] == set()
    monday = next_monday()
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=monday + timedelta(hours=9))
    reminders.sweep_weeks(at=monday)
    weeks = {each.user.name: str(each.context) for each in Notice.objects.filter(event="week")}
    assert "0999" not in weeks["Sol Vega"]
    assert NUMBER not in weeks["Anna Berg"]
    assert "0999" in weeks["Anna Berg"]
    substitutions.answer(actor=user, substitution=row, accept=True)
    assert told(anna)[0] == {"Eva Novak", "Sol Vega"}
    assert day in told(anna)[1]
    assert told(user)[0] == {"Eva Novak"}


def next_monday() -> datetime:
    """Ten o'clock of the club's next Monday."""
    today = timezone.now().astimezone(DUBLIN)
    return (today + timedelta(days=7 - today.weekday())).replace(hour=10, minute=0, second=0, microsecond=0)


def test_a_telephone_lies_encrypted_and_in_no_trail(scene: Scene) -> None:
    accounts.keep_contact(actor=scene.users["eva"], telephone=NUMBER, address=STREET)
    with connection.cursor() as cursor:
        cursor.execute("SELECT telephone, address FROM league_contact")
        stored = str(cursor.fetchone())
    assert NUMBER not in stored
    assert "Harbour" not in stored
    assert Contact.objects.get().telephone == NUMBER
    assert not AuditEntry.objects.filter(summary__contains=NUMBER).exists()


def test_finding_a_time_takes_few_queries(scene: Scene, django_assert_max_num_queries: Any) -> None:
    fixture = (
        Fixture.objects.with_pairs().prefetch_related("substitutions__substitute").get(pk=scene.fixture.pk)
    )
    with django_assert_max_num_queries(4):
        arranging.of(fixture, scene.users["anna"], at=timezone.now())


def test_who_does_not_agree_is_reached_by_directors_alone(scene: Scene) -> None:
    eva = client_of(scene, "eva")
    box = eva.get("/my/details/").text.split('name="is_shared"')[1].split(">")[0]
    assert "checked" not in box, "nobody agrees before they say so"
    eva.post("/my/details/", {"part": "contact", "telephone": NUMBER, "address": STREET})
    dates = f"/fixtures/{scene.fixture.pk}/dates/"
    assert NUMBER not in client_of(scene, "anna").get(dates).text
    assert arranging.contacts(scene.fixture, scene.users["luis"]) == ()
    (seen,) = arranging.contacts(scene.fixture, scene.users["dora"])
    assert (seen.name, seen.telephone, seen.address) == ("Eva Novak", NUMBER, STREET)


@pytest.mark.parametrize("is_shared", [True, False])
def test_directors_of_the_club_find_it_on_the_players_page_at_any_time(
    scene: Scene, *, is_shared: bool
) -> None:
    accounts.keep_contact(actor=scene.users["eva"], telephone=NUMBER, address=STREET, is_shared=is_shared)
    Fixture.objects.update(status="void")
    page = f"/players/{Player.objects.get(user=scene.users['eva']).pk}/"
    for name in ("eva", "dora", "olive"):
        text = client_of(scene, name).get(page).text
        assert NUMBER in text
        assert "3 Harbour Row<br>Cork" in text
    elsewhere = factories.member(factories.club(), Role.OWNER)
    for user in (*(scene.users[name] for name in ("anna", "luis", "iris", "sam", "stranger")), elsewhere):
        client = Client()
        client.force_login(user)
        text = client.get(page).text
        assert NUMBER not in text
        assert "Harbour" not in text
