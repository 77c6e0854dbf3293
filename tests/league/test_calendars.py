"""Calendars to subscribe to: what is in them, who reads them, how they follow moves; read back by another library."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import vobject
from django.test import Client
from django.urls import reverse

from games.scoresheets.services import scoresheets
from league.fixtures import feeds
from league.fixtures.services import fixtures
from league.models import CalendarAddress, Competition, Fixture, Membership, User
from tests.games import evening_rooms
from tests.scenes import Scene, make_scene, totals_sheet


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def own_address(user: User) -> str:
    token = feeds.token_of(User.objects.get(pk=user.pk))
    return reverse("calendar_my", args=[token])


def events(address: str) -> dict[str, Any]:
    """What another library finds at the address, by the event's name without the site."""
    answer = Client().get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    found = vobject.readOne(answer.content.decode())
    return {each.uid.value.partition("@")[0]: each for each in found.contents.get("vevent", [])}


def event_of(fixture: Fixture, address: str) -> Any:
    return events(address)[f"fixture-{fixture.pk}"]


def test_a_match_has_its_time_in_the_clubs_zone_its_place_and_its_page(scene: Scene) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(place="Boat house, Quay 3", table="4")
    event = event_of(scene.fixture, own_address(scene.users["anna"]))
    assert event.summary.value == "Berg & Okafor – Novak & Reyes"
    assert event.dtstart.value == datetime(2026, 10, 1, 19, 30, tzinfo=UTC)
    assert event.dtstart.value.utcoffset() == timedelta(hours=1)
    assert event.location.value == "Boat house, Quay 3"
    assert event.url.value.endswith(f"/matches/{scene.fixture.pk}/")
    assert "Table 4" in event.description.value
    assert event.status.value == "CONFIRMED"


def test_of_a_person_the_own_matches_of_a_competition_all(scene: Scene) -> None:
    own = events(own_address(scene.users["anna"]))
    assert set(own) == {f"fixture-{each.pk}" for each in Fixture.objects.of_user(scene.users["anna"])}
    public = reverse("calendar_of", args=["public", "competitions", scene.competition.pk])
    assert len(events(public)) == 6
    club = events(reverse("calendar_of", args=["public", "clubs", scene.club.pk]))
    assert set(club) == set(events(public))
    pair = reverse("calendar_of", args=["public", "pairs", scene.entries[0].lineup_id])
    assert set(events(pair)) == set(own)


def test_the_same_event_follows_a_move_and_is_called_off(scene: Scene) -> None:
    address, dora = own_address(scene.users["anna"]), scene.users["dora"]
    first = event_of(scene.fixture, address)
    moved = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
    fixtures.arrange(actor=dora, fixture=scene.fixture, starts_at=moved)
    second = event_of(scene.fixture, address)
    assert (second.uid.value, second.dtstart.value) == (first.uid.value, moved)
    fixtures.postpone(actor=dora, fixture=scene.fixture, reason="Ice")
    third = event_of(scene.fixture, address)
    assert third.summary.value.endswith("no date yet")
    assert type(third.dtstart.value) is date
    fixtures.postpone(actor=dora, fixture=scene.fixture, reason="Thaw", starts_at=moved)
    fixtures.void(actor=dora, fixture=scene.fixture, reason="Flood")
    last = event_of(scene.fixture, address)
    assert (last.status.value, last.summary.value[:4]) == ("CANCELLED", "Off:")
    numbers = [int(each.sequence.value) for each in (first, second, third, last)]
    assert numbers == sorted(set(numbers))


def test_nothing_of_a_result_is_in_it(scene: Scene) -> None:
    address = own_address(scene.users["anna"])
    content = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content, origin="page"
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    told = event_of(scene.fixture, address)
    assert not any(points in f"{told.summary.value} {told.description.value}" for points in ("80", "60"))
    assert told.status.value == "CONFIRMED"


def test_unchanged_it_is_not_sent_again(scene: Scene) -> None:
    address = own_address(scene.users["anna"])
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "private" in first["Cache-Control"]
    assert "Set-Cookie" not in first


@pytest.mark.parametrize("change", [lambda t: t[:-1] + ("a" if t[-1] != "a" else "b"), lambda t: f"9{t}",
                                    lambda t: t.partition("-")[0], lambda t: "public", lambda t: "٣-x"])  # fmt: skip
def test_an_address_that_was_guessed_opens_nothing(scene: Scene, change: Any) -> None:
    token = own_address(scene.users["anna"]).split("/")[2]
    assert Client().get(reverse("calendar_my", args=[change(token)])).status_code == 404


def test_new_addresses_end_the_old_ones(scene: Scene) -> None:
    anna = Client()
    anna.force_login(scene.users["anna"])
    page = anna.get("/my/calendars/")
    old = own_address(scene.users["anna"])
    assert old in page.text
    assert anna.post("/my/calendars/").status_code == 302
    assert Client().get(old).status_code == 404
    assert Client().get(own_address(scene.users["anna"])).status_code == 200
    seed = CalendarAddress.objects.get(user=scene.users["anna"]).seed
    assert seed not in own_address(scene.users["anna"])


def test_a_closed_account_has_no_calendar(scene: Scene) -> None:
    address = own_address(scene.users["anna"])
    User.objects.filter(pk=scene.users["anna"].pk).update(is_active=False)
    assert Client().get(address).status_code == 404


def test_what_is_for_members_is_in_the_calendars_of_members_alone(scene: Scene) -> None:
    Competition.objects.filter(pk=scene.competition.pk).update(visibility="members")
    for kind, pk in (
        ("competitions", scene.competition.pk),
        ("clubs", scene.club.pk),
        ("pairs", scene.entries[0].lineup_id),
    ):
        assert Client().get(reverse("calendar_of", args=["public", kind, pk])).status_code == 404
    token = own_address(scene.users["iris"]).split("/")[2]
    own = reverse("calendar_of", args=[token, "competitions", scene.competition.pk])
    assert len(events(own)) == 6
    Membership.objects.filter(user=scene.users["iris"]).delete()
    assert Client().get(own).status_code == 404
    Competition.objects.filter(pk=scene.competition.pk).update(state="draft")
    assert events(own_address(scene.users["anna"])) == {}


def test_an_evening_is_one_event(scene: Scene) -> None:
    dora = scene.users["dora"]
    evening = evening_rooms.laid_out(scene.club, dora, 3, boards=2)
    evening_rooms.begin(evening, dora)
    found = events(reverse("calendar_of", args=["public", "competitions", evening.pk]))
    assert list(found) == [f"competition-{evening.pk}"]


def test_the_calendar_is_in_the_persons_language(scene: Scene) -> None:
    User.objects.filter(pk=scene.users["anna"].pk).update(language="de")
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=None)
    event = event_of(scene.fixture, own_address(scene.users["anna"]))
    assert "noch kein Termin" in event.summary.value


def test_a_season_takes_a_fixed_number_of_queries(scene: Scene, django_assert_max_num_queries: Any) -> None:
    address = reverse("calendar_of", args=["public", "clubs", scene.club.pk])
    with django_assert_max_num_queries(6):
        Client().get(address)


@pytest.mark.parametrize("kind", ["clubs", "competitions", "pairs", "boats"])
def test_what_is_not_there_has_no_calendar(scene: Scene, kind: str) -> None:
    for key in ("0", "999999", "9" * 30):
        assert Client().get(f"/calendars/public/{kind}/{key}.ics").status_code == 404
