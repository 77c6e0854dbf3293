"""People of one name are told apart wherever somebody is picked: by what the reader may see, never by an address."""

import pytest
from django.test import Client

from league.models import Lineup, LineupMember, Player
from league.people import namesakes
from league.words import public_names
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def twins(scene: Scene) -> list[Player]:
    """Three of one name: one with a number and a partner, one with a partner, one with neither."""
    made = [
        factories.player(scene.club, "Kim Lund", number="77", email="kim@example.org"),
        factories.player(scene.club, "kim lund"),
        factories.player(scene.club, "Kim Lund"),
    ]
    for player, name in zip(made, ("Pia Roth", "Quin Sand"), strict=False):
        lineup = Lineup.objects.create(club=scene.club, members_key=f"t{player.pk}")
        for order, member in enumerate((player, factories.player(scene.club, name)), start=1):
            LineupMember.objects.create(lineup=lineup, player=member, order=order)
    return made


def page(scene: Scene, who: str, address: str) -> str:
    client = Client()
    client.force_login(scene.users[who])
    return client.get(address).text


def test_a_number_for_officials_else_partners_else_the_year(scene: Scene, twins: list[Player]) -> None:
    year = twins[0].created_at.year
    rest = {twins[1].pk: "with Quin Sand", twins[2].pk: f"since {year}"}
    everybody = scene.club.players.all()
    assert namesakes.details(everybody) == {twins[0].pk: "with Pia Roth", **rest}
    assert namesakes.details(everybody, with_numbers=True) == {twins[0].pk: "no. 77 · with Pia Roth", **rest}
    assert namesakes.details(scene.players) == {}


def test_who_has_nothing_of_their_own_is_counted(scene: Scene) -> None:
    made = [factories.player(scene.club, "Lee Moss") for _twice in range(2)]
    year = made[0].created_at.year
    assert list(namesakes.details(made).values()) == [f"since {year} (1)", f"since {year} (2)"]


def test_of_a_name_that_is_not_told_nothing_is(scene: Scene, twins: list[Player]) -> None:
    Player.objects.filter(pk__in=[each.pk for each in twins]).update(public_name="hidden")
    with public_names.to_strangers():
        assert namesakes.details(Player.objects.filter(club=scene.club)) == {}


@pytest.mark.parametrize(
    ("who", "address", "has_number"),
    [
        ("anna", "/fixtures/{fixture}/substitute/", False),
        ("dora", "/fixtures/{fixture}/substitute/", True),
        ("dora", "/clubs/riverside/desk/pairs/", True),
        ("dora", "/clubs/riverside/desk/duplicates/", True),
        ("dora", "/clubs/riverside/winter-league/manage/entries/{entry}/substitute/", True),
        ("anna", "/clubs/riverside/players/", False),
    ],
)
def test_every_list_tells_them_apart_and_shows_no_address(
    scene: Scene, twins: list[Player], who: str, address: str, *, has_number: bool
) -> None:
    text = page(scene, who, address.format(fixture=scene.fixture.pk, entry=scene.entries[0].pk))
    for words in ("with Pia Roth", "with Quin Sand", f"since {twins[2].created_at.year}"):
        assert words in text
    assert ("no. 77 · with Pia Roth" in text) is has_number
    assert "kim@example.org" not in text


def test_a_visitor_reads_no_partners(scene: Scene, twins: list[Player]) -> None:
    with public_names.to_strangers():
        found = namesakes.details(Player.objects.filter(club=scene.club), with_partners=False)
    year = twins[0].created_at.year
    assert set(found.values()) == {f"since {year} ({number})" for number in (1, 2, 3)}


def test_pairs_that_read_alike_are_told_apart(scene: Scene) -> None:
    made = []
    for first, second in (("Anna Berg", "Carl Dorn"), ("Bea Berg", "Dan Dorn"), ("Eve Falk", "Gil Holt")):
        lineup = Lineup.objects.create(club=scene.club, members_key=f"p{first}")
        for order, name in enumerate((first, second), start=1):
            LineupMember.objects.create(lineup=lineup, player=factories.player(scene.club, name), order=order)
        made.append(lineup)
    assert list(namesakes.pair_labels(made).values()) == [
        "Berg & Dorn (Anna Berg, Carl Dorn)",
        "Berg & Dorn (Bea Berg, Dan Dorn)",
        "Falk & Holt",
    ]
