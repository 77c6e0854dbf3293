"""A program does for its person what their own pages do: days away, ways to be told, the name in public, calendars."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.fixtures import feeds
from league.models import NoticeSettings, Role, User
from league.notices import events
from league.notices.services import notices
from league.people.services import tokens
from tests.league import factories

pytestmark = pytest.mark.django_db
AWAY, BACK, CHOICES = "/api/v1/days-away/", "/api/v1/days-away/clear/", "/api/v1/notices/choices/"
NAME, CALENDAR = "/api/v1/public-name/", "/api/v1/calendar/"
TODAY = timezone.localdate()


def day(ahead: int) -> str:
    return str(TODAY + timedelta(days=ahead))


def test_days_away_are_marked_read_and_cleared_of_oneself_only(program) -> None:
    eva, luis = factories.user(), factories.user()
    of_eva = program(eva)
    assert of_eva.post(AWAY, {"first": day(3), "last": day(5)}).json() == {"days": [day(3), day(4), day(5)]}
    assert of_eva.post(AWAY, {"first": day(5)}).json() == {"days": [day(3), day(4), day(5)]}
    program(luis).post(BACK, {"first": day(0), "last": day(90)})
    assert of_eva.get(AWAY).json() == {"days": [day(3), day(4), day(5)]}
    assert of_eva.post(BACK, {"first": day(4)}).json() == {"days": [day(3), day(5)]}
    assert program(luis).get(AWAY).json() == {"days": []}
    assert program().get(AWAY).status_code == 401


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({}, 400, "required"),
        ({"first": "soon"}, 400, "YYYY"),
        ({"first": 7}, 400, "YYYY"),
        ({"first": "9999-12-31"}, 422, "Choose a day of this season."),
        ({"first": "0001-01-01"}, 422, "Choose a day of this season."),
        ({"first": day(0), "till": day(3)}, 400, "There is no such field."),
        ({"first": day(3), "last": day(2)}, 422, "isn’t before the first"),
        ({"first": day(0), "last": "9999-12-31"}, 422, "92 days at most"),
        ([], 400, "dictionary"),
    ],
)
def test_days_that_cannot_be_meant_are_refused_in_words(program, body, status, said) -> None:
    eva = factories.user()
    answer = program(eva).post(AWAY, body)
    assert answer.status_code == status
    assert said in answer.text
    assert not eva.days_away.exists()


def test_ways_to_be_told_are_read_and_changed_one_by_one(program) -> None:
    eva = factories.user()
    key, other = events.CLAIM_DECIDED.key, events.LINKED_YOU.key
    before = {each["event"]: each["channel"] for each in program(eva).get(CHOICES).json()["events"]}
    answer = program(eva).post(CHOICES, {"channels": {key: "none"}}).json()
    assert {each["event"]: each["channel"] for each in answer["events"]} == {**before, key: "none"}
    assert answer["quiet"] == {"begins": None, "ends": None, "zone": ""}
    quiet = {"begins": "22:00", "ends": "07:30", "zone": "Europe/Dublin"}
    assert program(eva).post(CHOICES, {"quiet": quiet}).json()["quiet"] == quiet
    assert notices.chosen(user=eva)[key] == "none", "what is left out stays"
    assert notices.chosen(user=factories.user())[other] == before[other]
    nothing = {"begins": None, "ends": None}
    assert program(eva).post(CHOICES, {"quiet": nothing}).json()["quiet"] == {**nothing, "zone": ""}


def test_only_a_director_chooses_about_what_directors_are_told(program) -> None:
    club = factories.club()
    key = next(event.key for event in events.EVENTS if event.is_for_directors)
    body = {"channels": {key: "inbox"}}
    assert program(factories.member(club)).post(CHOICES, body).status_code == 400
    director = factories.member(club, Role.DIRECTOR)
    assert program(director).post(CHOICES, body).status_code == 200
    assert notices.chosen(user=director)[key] == "inbox"


def test_an_address_that_gave_mail_back_takes_it_again(program) -> None:
    eva = factories.user()
    NoticeSettings.objects.create(user=eva, bounced=eva.email, bounced_at=timezone.now())
    assert program(eva).get(CHOICES).json()["came_back"] == eva.email
    assert program(eva).post(CHOICES, {"mail_again": False}).json()["came_back"] == eva.email
    assert program(eva).post(CHOICES, {"mail_again": True}).json()["came_back"] == ""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"channels": {"no_such_event": "mail"}}, 400),
        ({"channels": {events.CLAIM_DECIDED.key: "pigeon"}}, 400),
        ({"channels": [events.CLAIM_DECIDED.key]}, 400),
        ({"channel": {}}, 400),
        ({"quiet": {"begins": "22:00"}}, 400),
        ({"quiet": {"begins": "22:00", "ends": None}}, 422),
        ({"quiet": {"begins": "25:00", "ends": "07:00"}}, 400),
        ({"quiet": {"begins": 22, "ends": 7}}, 400),
        ({"quiet": {"begins": "22:00", "ends": "07:00", "zone": "Atlantis/Capital"}}, 400),
        ({"quiet": {"begins": "22:00", "ends": "07:00", "days": 5}}, 400),
        ({"mail_again": "perhaps"}, 400),
    ],
)
def test_choices_that_are_none_change_nothing(program, body, status) -> None:
    eva = factories.user()
    good = {"channels": {events.LINKED_YOU.key: "none"}}
    answer = program(eva).post(CHOICES, {**good, **body})
    assert (answer.status_code, "error" in answer.json()) == (status, True)
    assert not eva.notice_choices.exists()
    assert not NoticeSettings.objects.filter(user=eva).exists()


def test_the_name_in_public_is_ones_own_choice(program) -> None:
    club = factories.club()
    eva = factories.user(name="Eva Novak")
    player = factories.player(club, "Eva Novak", user=eva)
    assert program(eva).get(NAME).json() == {"public_name": "", "shown_as": "full"}
    assert program(eva).post(NAME, {"public_name": "initials"}).json()["shown_as"] == "initials"
    assert program(factories.user()).get(f"/api/v1/players/{player.pk}/").json()["name"] == "E. N."
    assert program(eva).get(f"/api/v1/players/{player.pk}/").json()["name"] == "Eva Novak"
    for body in ({}, {"public_name": "queen"}, {"public_name": 3}, {"public_name": "", "shown_as": "full"}):
        assert program(eva).post(NAME, body).status_code == 400
    assert User.objects.get(pk=eva.pk).public_name == "initials"


def test_calendar_addresses_work_until_they_are_renewed(program) -> None:
    eva = factories.user()
    club = factories.club("Riverside")
    factories.member(club, who=eva)
    own, of_club = program(eva).get(CALENDAR).json()["feeds"]
    assert (own["kind"], of_club["kind"], of_club["name"]) == ("my", "clubs", "Riverside")
    path = "/" + own["url"].split("/", 3)[3]
    assert Client().get(path).status_code == 200
    bodies: list[Any] = [{}, [], {"renew": False}, {"renew": True, "for": "ever"}]
    for body in bodies:
        assert program(eva).post(CALENDAR, body).status_code == 400
    assert Client().get(path).status_code == 200
    renewed = program(eva).post(CALENDAR, {"renew": True})
    assert renewed.headers["Cache-Control"] == "no-store"
    assert Client().get(path).status_code == 404
    newer = "/" + renewed.json()["feeds"][0]["url"].split("/", 3)[3]
    assert Client().get(newer).status_code == 200
    assert feeds.token_of(User.objects.get(pk=eva.pk)) in newer


def test_a_token_that_only_reads_and_ends_gets_no_address_that_does_not(program) -> None:
    eva = factories.user()
    _row, text = tokens.make(actor=eva, at=timezone.now(), scope="read")
    reading = {"Authorization": f"Token {text}"}
    assert Client().get(AWAY, headers=reading).status_code == 200
    refused = Client().get(CALENDAR, headers=reading)
    assert refused.status_code == 403
    assert "calendar address works for longer" in refused.json()["error"]["message"]


def test_a_director_chooses_competitions(program) -> None:
    club = factories.club()
    dora = program(factories.member(club, Role.DIRECTOR))
    first, _second = (
        factories.running(club, pairs=2, name=name, slug=name.lower()) for name in ("One", "Two")
    )
    assert dora.get(CHOICES).json()["competitions"] is None
    assert dora.post(CHOICES, {"competitions": [first.pk]}).json()["competitions"] == [first.pk]
    assert dora.post(CHOICES, {"channels": {}}).json()["competitions"] == [first.pk]
    for wrong, status in (([], 422), ([10**9], 422), (["x"], 400), (7, 400), ([0], 400)):
        assert dora.post(CHOICES, {"competitions": wrong}).status_code == status
    assert program(factories.user()).post(CHOICES, {"competitions": [first.pk]}).status_code == 422
    assert dora.post(CHOICES, {"competitions": None}).json()["competitions"] is None
