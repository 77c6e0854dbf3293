"""Players and pairs of a club."""

import pytest
from django.db import IntegrityError, transaction

from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Lineup, Player, Role
from league.people.services import lineups, merging, players
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db


def add(club, name="Anna Berg", actor=DIRECTOR, **more):
    return players.add(actor=actor, club=club, name=name, **more)


def pair_up(club, first, second, **more):
    return lineups.line_up(actor=DIRECTOR, club=club, players=[first, second], **more)


def test_a_player_is_kept_tidy():
    player = add(factories.club(), "  Anna\n Berg ", email=" Anna@Example.ORG ", number=" 17 ")
    assert (player.name, player.email, player.number) == ("Anna Berg", "anna@example.org", "17")
    assert AuditEntry.objects.get(action="player.added").player == player


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"name": ""}, [["name"]]),
        ({"name": "x" * 121}, [["name"]]),
        ({"email": "nonsense"}, [["email"]]),
        ({"number": "9" * 31, "email": "nonsense"}, [["email"], ["number"]]),
    ],
)
def test_every_fault_of_a_player_is_told_at_once(fields, places):
    with pytest.raises(Invalid) as refusal:
        add(factories.club(), **{"name": "Anna", **fields})
    assert [fault["place"] for fault in refusal.value.details] == places
    assert not Player.objects.exists()


def test_a_number_belongs_to_one_player_of_a_club():
    club = factories.club()
    add(club, number="17")
    with pytest.raises(Conflict, match="17 already belongs to Anna Berg"):
        add(club, "Carl Dorn", number="17")
    assert add(factories.club(), "Carl Dorn", number="17").number == "17"
    assert add(club, "Carl Dorn").number == add(club, "Carl Dorn").number == ""


def test_editing_keeps_before_and_after():
    player = add(factories.club())
    players.edit(actor=DIRECTOR, player=player, name="Anna Lund", email="a@example.org", number="3")
    player.refresh_from_db()
    assert (player.name, player.email, player.number) == ("Anna Lund", "a@example.org", "3")
    entry = AuditEntry.objects.get(action="player.edited")
    assert (entry.before["name"], entry.after["name"]) == ("Anna Berg", "Anna Lund")


def test_a_merged_player_is_not_edited():
    club = factories.club()
    keep, gone = add(club), add(club)
    merging.merge(actor=DIRECTOR, keep=keep, duplicate=gone)
    with pytest.raises(Conflict, match="merged"):
        players.edit(actor=DIRECTOR, player=gone, name="X")


def test_who_may_add_and_edit():
    club = factories.club()
    scorer, member = factories.member(club, Role.SCORER), factories.member(club)
    player = add(club, actor=scorer)
    with pytest.raises(NotAllowed):
        add(club, actor=member)
    for actor in (scorer, member, factories.user()):
        with pytest.raises(NotAllowed):
            players.edit(actor=actor, player=player, name="X")


def test_two_players_are_one_pair_in_either_order():
    club = factories.club()
    anna, carl = add(club), add(club, "Carl Dorn")
    pair = pair_up(club, carl, anna, name=" The  Aces ")
    assert (pair.players[0], pair.players[1], pair.name) == (anna, carl, "The Aces")
    assert pair_up(club, anna, carl, name="Others") == pair
    assert Lineup.objects.get().name == "The Aces"


def test_who_cannot_be_a_pair():
    club = factories.club()
    anna, carl, gone = add(club), add(club, "Carl Dorn"), add(club, "Carl Dorn")
    stranger = add(factories.club(), "Eva Fuchs")
    with pytest.raises(Invalid, match="two different players"):
        pair_up(club, anna, anna)
    with pytest.raises(Invalid, match="Eva Fuchs is not a player of this club"):
        pair_up(club, anna, stranger)
    merging.merge(actor=DIRECTOR, keep=carl, duplicate=gone)
    with pytest.raises(Conflict, match="merged"):
        pair_up(club, anna, gone)
    assert not Lineup.objects.exists()


def test_the_pair_and_directors_give_it_a_name():
    club = factories.club()
    pair = factories.pair(club)
    lineups.rename(actor=factories.account_of(pair), lineup=pair, name="Aces")
    assert str(Lineup.objects.get()) == "Aces"
    lineups.rename(actor=factories.member(club, Role.DIRECTOR), lineup=pair, name="")
    assert "&" in str(Lineup.objects.get())
    with pytest.raises(NotAllowed):
        lineups.rename(actor=factories.member(club), lineup=pair, name="Kings")
    with pytest.raises(Invalid):
        lineups.rename(actor=DIRECTOR, lineup=pair, name="x" * 121)


def test_the_database_holds_what_players_and_pairs_must_be():
    club = factories.club()
    pair = factories.pair(club)
    user = factories.user()
    factories.player(club, number="1", user=user)
    for wrong in (
        lambda: factories.pair(club, pair.players[0], pair.players[1]),
        lambda: factories.pair(club, pair.players[1], pair.players[0]),
        lambda: factories.pair(club, pair.players[0], pair.players[0]),
        lambda: factories.player(club, number="1"),
        lambda: factories.player(club, user=user),
        lambda: Player.objects.filter(pk=pair.players[0].pk).update(merged_into=pair.players[0].pk),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
    assert Lineup.objects.count() == 1
