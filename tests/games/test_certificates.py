"""Certificates and the prize list: from the final places, for as many as the director chooses."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Paper
from games.papers import certificates
from games.papers.orders import NothingToPrint, Order
from games.papers.services import papers
from league.errors import Invalid
from league.models import Competition, Role, SeasonEnd
from league.standings.services import standings
from league.storage import board_keys
from tests.league import factories
from tests.league.notices.test_following import finished
from tests.league.seasons.test_season_ends import by_place, season

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def printed(
    monkeypatch: pytest.MonkeyPatch, competition: Competition, make: Any, places: int
) -> dict[str, Any]:
    """What the template is given."""
    given: list[dict[str, Any]] = []

    def pdf(_template: str, content: dict[str, Any]) -> bytes:
        given.append(content)
        return b"%PDF"

    monkeypatch.setattr(certificates, "pdf", pdf)
    order = Order(competition, "a4", "en", "", lambda _done, _pages: None, places=places)
    make(order)
    return json.loads(json.dumps(given[0]))


def test_a_certificate_for_each_of_the_first_places_of_every_division(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    competition = finished()
    upper, lower = by_place(competition)
    pages = printed(monkeypatch, competition, certificates.certificates, 2)["certificates"]
    expected = [[player.name for player in entry.lineup.players] for entry in (*upper[:2], *lower[:2])]
    assert [page["names"] for page in pages] == expected
    assert pages[0]["place"] == "Place 1"
    assert pages[3]["under"] == [competition.name, "Division 2", "2026/27"]


def test_who_shares_the_last_place_gets_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    competition = finished()
    upper, _lower = by_place(competition)
    SeasonEnd.objects.get().places.filter(entry__in=[upper[1].pk, upper[2].pk]).update(place=2)
    lists = printed(monkeypatch, competition, certificates.prize_list, 2)["lists"]
    assert [row["place"] for row in lists[0]["rows"]] == ["1", "2=", "2="]
    assert [row["place"] for row in lists[1]["rows"]] == ["1", "2"]


def test_before_the_end_there_is_nothing_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NothingToPrint, match="Finish the competition first"):
        printed(monkeypatch, season(), certificates.certificates, 3)


def test_the_prizes_as_the_table_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    competition = season()
    standings.bump(competition=competition)
    standings.sweep(at=factories.NOW)
    first, second = by_place(competition)
    lists = printed(monkeypatch, competition, certificates.prize_list, 2)["lists"]
    assert [[row["name"] for row in each["rows"]] for each in lists] == [
        [str(entry) for entry in division[:2]] for division in (first, second)
    ]
    assert lists[0]["under"][0] == "Prizes as the table stands"
    begun = factories.running(competition.club, name="Just begun", slug="just-begun")
    standings.sweep(at=factories.NOW)
    for nothing in (factories.competition(competition.club), begun):
        with pytest.raises(NothingToPrint, match="no results"):
            printed(monkeypatch, nothing, certificates.prize_list, 3)


def test_f151_the_prizes_that_are_named_are_in_order_of_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    competition = finished()
    upper, lower = by_place(competition)
    competition.prizes = {"level": "share", "prizes": [["division", 2, "Book"], ["place", 1, "Cup"]]}
    competition.save()
    (only,) = printed(monkeypatch, competition, certificates.prize_list, 3)["lists"]
    assert [(row["prize"], row["condition"], row["name"], row["place"]) for row in only["rows"]] == [
        ("Book", "Best of Division 2", str(lower[0]), "1"),
        ("Cup", "Place 1, Division 1", str(upper[0]), "1"),
    ]


def test_a_director_chooses_how_many_on_the_page_and_both_are_set() -> None:
    competition = finished()
    upper, _lower = by_place(competition)
    upper[0].lineup.members.all()[0].player.__class__.objects.update(name="Ann #eval(1) Østby")
    director = factories.member(competition.club, Role.DIRECTOR)
    client = Client()
    client.force_login(director)
    url = f"/clubs/riverside/desk/{competition.slug}/papers/"
    assert "the first 3 places" in client.get(url).content.decode()
    for kind, places in (("certificates", "1"), ("prize_list", "999")):
        client.post(url, {"kind": kind, "places": places, "size": "a4"})
        paper = Paper.objects.get(kind=kind)
        papers.make_paper(paper_id=paper.pk, at=timezone.now())
        paper.refresh_from_db()
        assert (paper.state, paper.failure) == ("ready", "")
        assert board_keys.decrypt(bytes(paper.content or b"")).startswith(b"%PDF")
    assert "everybody" in client.get(url).content.decode()


@pytest.mark.parametrize("places", ["0", "7", "-1", "x", "9" * 30])
def test_only_the_numbers_that_are_offered(places: str) -> None:
    competition = finished()
    director = factories.member(competition.club, Role.DIRECTOR)
    with pytest.raises(Invalid, match="how many places"):
        papers.ask(
            actor=director, competition=competition, kind="certificates", parameters={"places": places}
        )
