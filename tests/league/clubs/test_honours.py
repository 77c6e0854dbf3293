"""The roll of honour: what the finish wrote down, for those who may see the competition."""

import pytest
from django.test import Client

from league.models import Competition, SeasonEnd
from league.seasons.services import finishing
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.notices.test_following import finished
from tests.league.seasons.test_season_ends import LATER, by_place

pytestmark = pytest.mark.django_db
URL, API = "/clubs/riverside/seasons/", "/api/v1/clubs/riverside/honours/"


def test_winners_places_and_promotions_stand_there_and_in_the_api():
    competition = finished()
    upper, lower = by_place(competition)
    text = Client().get(URL).content.decode().replace("&amp;", "&")
    assert text.index(str(upper[0])) < text.index(str(upper[1])) < text.index(str(lower[0]))
    assert text.count(">promoted<") == text.count(">relegated<") == 1
    (past,) = Client().get(API).json()["results"]
    assert (past["competition"], past["season"]) == (competition.pk, "2026/27")
    assert [[line["pair"] for line in each["places"]] for each in past["divisions"]] == [
        [entry.lineup_id for entry in upper],
        [entry.lineup_id for entry in lower],
    ]
    assert past["divisions"][1]["places"][0]["way"] == "promoted"


def test_a_shared_place_says_so():
    competition = finished()
    upper, _lower = by_place(competition)
    SeasonEnd.objects.get().places.filter(entry__in=[upper[0].pk, upper[1].pk]).update(place=1)
    (past,) = Client().get(API).json()["results"]
    places = past["divisions"][0]["places"]
    expected = [(1, True), (1, True), (3, False), (4, False)]
    assert [(each["place"], each["is_shared"]) for each in places] == expected
    assert f"{upper[0]}, {upper[1]}" in Client().get(URL).content.decode().replace("&amp;", "&")


def test_only_what_the_reader_may_see_and_nothing_that_is_open_again():
    competition = finished()
    Competition.objects.filter(pk=competition.pk).update(visibility="members")
    member = Client()
    member.force_login(factories.member(competition.club))
    stranger = Client()
    stranger.force_login(factories.user())
    for reader, count in ((Client(), 0), (stranger, 0), (member, 1)):
        assert len(reader.get(API).json()["results"]) == count
        assert (competition.name in reader.get(URL).content.decode()) is bool(count)
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A sheet was wrong")
    assert member.get(API).json()["results"] == []
    assert Client().get("/clubs/nowhere/seasons/").status_code == 404
    assert Client().get("/api/v1/clubs/nowhere/honours/").status_code == 404


def test_many_seasons_take_few_statements(django_assert_max_num_queries):
    competition = finished()
    with django_assert_max_num_queries(12):
        Client().get(URL)
    for _each in range(3):
        other = factories.running(competition.club, pairs=2)
        Competition.objects.filter(pk=other.pk).update(state="finished")
        SeasonEnd.objects.create(competition=other, closed_at=LATER)
    with django_assert_max_num_queries(12):
        Client().get(URL)
