"""Pages of lists that grow for years: each goes on from a row, whatever is added or dealt with meanwhile."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from django.test import Client
from django.utils import timezone

from league.clubs import views as members
from league.clubs.services import admissions
from league.desk import views as desk
from league.models import Competition, Fixture, Membership, Role, Season, SeasonEnd, User
from league.people.services import joining
from league.people.views import joining as invitations
from league.results.views import competitions
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.reading import walked

pytestmark = pytest.mark.django_db
AT = datetime(2026, 1, 5, 19, tzinfo=UTC)


class Long(NamedTuple):
    """A list of seven rows: where it is, how a row is found in it, their keys, and what happens between two pages."""

    address: str
    row: str
    keys: list[int]
    meanwhile: Callable[[], object]
    reader: User


def members_of_a_club() -> Long:
    """By their roles, then by names; meanwhile somebody comes who stands first."""
    club = factories.club()
    ranks: list[str] = [Role.OWNER, Role.DIRECTOR, Role.SCORER, Role.MEMBER]
    for place in (6, 0, 5, 1, 4, 2, 3):
        # Two of each role have the same name.
        factories.member(club, ranks[place // 2], factories.user(name="Same Name"))
    rows = sorted(Membership.objects.filter(club=club), key=lambda each: (ranks.index(each.role), each.pk))
    return Long(
        f"/clubs/{club.slug}/desk/members/",
        r"members/(\d+)/remove/",
        [each.pk for each in rows],
        lambda: factories.member(club, Role.OWNER, factories.user(name="Aaron First")),
        rows[0].user,
    )


def requests_to_join() -> Long:
    """The oldest first; meanwhile the first three are accepted, hence also the row where the page ended."""
    club = factories.club(is_open=False)
    director = factories.member(club, Role.DIRECTOR)
    # Two each of one moment.
    rows = [
        admissions.ask(actor=factories.user(), club=club, at=AT + timedelta(number // 2))
        for number in range(7)
    ]
    open_ones = iter(rows)

    def accept() -> None:
        for _each in range(3):
            if (row := next(open_ones, None)) is not None:
                admissions.decide(actor=director, request=row, accept=True, at=AT)

    keys = [each.pk for each in rows]
    return Long(
        f"/clubs/{club.slug}/desk/admissions/", r'name="request" value="(\d+)"', keys, accept, director
    )


def invited_players() -> Long:
    """By names; meanwhile the first three are invited again."""
    club = factories.club()
    players = [factories.player(club, f"Player {number}", email="a@example.org") for number in range(7)]
    keys = [each.pk for each in players]
    for each in players:
        joining.make_slips(actor=DIRECTOR, club=club, players=[each.pk], at=AT)
    others = iter([keys[:3], keys[3:6]])

    def again() -> None:
        joining.make_slips(actor=DIRECTOR, club=club, players=next(others, []), at=timezone.now())

    director = factories.member(club, Role.DIRECTOR)
    return Long(
        f"/clubs/{club.slug}/desk/players/invitations/", r'name="key" value="(\d+)"', keys, again, director
    )


def missing_results() -> Long:
    """By the end of their rounds; meanwhile two of them come in."""
    club = factories.club()
    competition = factories.running(club, pairs=8)
    rows = list(
        Fixture.objects.of_competition(competition.pk).with_pairs().order_by("round__closes_at", "pk")
    )
    Fixture.objects.filter(pk__in=[each.pk for each in rows[7:]]).update(
        starts_at=timezone.now() + timedelta(9)
    )
    Fixture.objects.filter(pk__in=[each.pk for each in rows[:7]]).update(starts_at=AT)
    owed = iter(rows[:7])

    def play() -> None:
        for _each in range(2):
            if (row := next(owed, None)) is not None:
                factories.result(row, 60, 40)

    return Long(
        f"/clubs/{club.slug}/desk/missing/",
        r'class="name" href="/matches/(\d+)/"',
        [each.pk for each in rows[:7]],
        play,
        factories.member(club, Role.DIRECTOR),
    )


def past_seasons() -> Long:
    """The newest first; meanwhile another ends."""
    club = factories.club()

    def end(year: int, name: str = "League") -> int:
        season, _made = Season.objects.get_or_create(
            club=club, name=str(year), defaults={"starts_on": f"{year}-09-01", "ends_on": f"{year + 1}-08-31"}
        )
        made = factories.competition(
            club, pairs=0, season=season, name=name, state=Competition.State.FINISHED
        )
        SeasonEnd.objects.create(competition=made, closed_at=AT)
        return made.pk

    keys = [end(2025 - number // 2, f"League {number % 2}") for number in range(7)]
    return Long(
        f"/clubs/{club.slug}/seasons/",
        r'<section class="stack-s" aria-labelledby="past-(\d+)"',
        keys,
        lambda: end(2026),
        factories.user(),
    )


LISTS = [members_of_a_club, requests_to_join, invited_players, missing_results, past_seasons]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, size in (
        (members, "PAGE"), (invitations, "PAGE"), (desk, "MATCHES_A_PAGE"), (competitions, "SEASONS_A_PAGE"),
    ):  # fmt: skip
        monkeypatch.setattr(module, size, 3)


@pytest.mark.parametrize("made", LISTS)
def test_every_row_is_shown_once_in_the_order_of_the_list(client: Client, made: Callable[[], Long]) -> None:
    long = made()
    client.force_login(long.reader)
    assert walked(client, long.address, long.row, lambda: None) == [str(key) for key in long.keys]
    assert walked(client, long.address, long.row, long.meanwhile) == [str(key) for key in long.keys]


@pytest.mark.parametrize("made", LISTS)
def test_the_number_of_a_page_shows_the_first_rows_and_an_unknown_row_is_not_found(
    client: Client, made: Callable[[], Long]
) -> None:
    long = made()
    client.force_login(long.reader)
    first = re.findall(long.row, client.get(long.address, {"page": 2}).text)
    assert first == [str(key) for key in long.keys[:3]]
    for unknown in ("0", "-1", "x", "²", "9" * 30):
        assert client.get(long.address, {"after": unknown}).status_code == 404


def test_who_goes_back_lands_where_they_were_though_its_first_row_is_dealt_with(client: Client) -> None:
    long = requests_to_join()
    client.force_login(long.reader)
    (second,) = re.findall(r'href="(\?after=\d+)" rel="next"', client.get(long.address).text)
    before = re.findall(long.row, client.get(f"{long.address}{second}").text)
    long.meanwhile()
    assert re.findall(long.row, client.get(f"{long.address}{second}").text) == before
    long.meanwhile()
    long.meanwhile()
    assert "Nobody is waiting" in client.get(f"{long.address}{second}").text


def test_where_nothing_is_left_behind_a_row_the_list_begins_again(client: Client) -> None:
    long = missing_results()
    client.force_login(long.reader)
    for row in Fixture.objects.filter(pk__in=long.keys[3:]).with_pairs():
        factories.result(row, 60, 40)
    page = client.get(long.address, {"after": long.keys[2]}).text
    assert re.findall(long.row, page) == [str(key) for key in long.keys[:3]]
    assert 'class="pagination"' not in page


def test_the_number_of_members_is_that_of_all(client: Client) -> None:
    long = members_of_a_club()
    client.force_login(long.reader)
    assert "7 members" in client.get(long.address, {"after": long.keys[5]}).text
