"""Holes where two good parts meet: what a coalition with a director who plays makes of parts that are each sound."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Award, FixtureBoard, OnlinePlay, Scoresheet, TableDeal
from games.tables.services import opening, seats
from league.errors import NotAllowed
from league.models import Fixture, Membership, Player, Role, Substitution
from league.people.services import claims, merging, players
from tests.attacks.test_coalition import (
    OTHER,
    browser,
    confirm,
    enter,
    is_shut,
    result_of,
    rule,
)
from tests.attacks.test_coalition import scene as scene  # noqa: PLC0414 (a fixture)
from tests.attacks.test_coalition import with_director as with_director  # noqa: PLC0414
from tests.games.boards import play, sealed
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db


def player(scene: Scene, name: str) -> Player:
    return next(each for each in scene.players if each.name.startswith(name))


def appoint(scene: Scene, name: str, fixture: Fixture, absent: Player, substitute: str) -> Any:
    """Somebody names a substitute, on the page."""
    given = {"absent": absent.pk, "substitute": player(scene, substitute).pk, "reason": "Ill"}
    return browser(scene, name).post(reverse("fixture_substitute", args=[fixture.pk]), given)


def test_a_playing_director_names_nobody_who_speaks_for_the_opponents(with_director: Scene) -> None:
    """Anna names Hanna in Luis' place, enters what she likes, and Hanna confirms it for Eva's pair."""
    scene, fixture = with_director, with_director.fixture
    sealed(scene)
    appoint(scene, "anna", fixture, fixture.away.lineup.players[1], "Hanna")
    enter(browser(scene, "anna"), Fixture.objects.with_pairs().get(pk=fixture.pk))
    confirm(browser(scene, "hanna"), fixture)
    assert result_of(fixture) is None
    assert not FixtureBoard.objects.exclude(settled="").exists()


def test_who_a_playing_director_named_in_others_matches_speaks_for_no_side(with_director: Scene) -> None:
    """Anna names helpers in both pairs of another match, and makes it void: they agree that its boards may open."""
    scene, other = with_director, with_director.fixtures[1]
    made = sealed(scene)
    play(scene, scene.fixture)
    appoint(scene, "anna", other, other.home.lineup.players[1], "Hanna")
    appoint(scene, "anna", other, other.away.lineup.players[1], "Igor")
    rule(browser(scene, "anna"), other, "void")
    for name in ("hanna", "igor"):
        browser(scene, name).post(reverse("match_boards", args=[other.pk]), {"step": "consent"})
    assert is_shut(made)


def test_helpers_whom_a_playing_director_named_give_others_match_no_result(with_director: Scene) -> None:
    scene, other = with_director, with_director.fixtures[1]
    made = sealed(scene)
    play(scene, scene.fixture)
    appoint(scene, "anna", other, other.home.lineup.players[1], "Hanna")
    appoint(scene, "anna", other, other.away.lineup.players[1], "Igor")
    enter(browser(scene, "hanna"), Fixture.objects.with_pairs().get(pk=other.pk))
    assert not Scoresheet.objects.filter(match=other.pk).exists()
    assert not Substitution.objects.exists()
    assert is_shut(made)


def test_a_correction_that_waited_through_the_release_changes_nothing_by_the_sides_alone(
    scene: Scene,
) -> None:
    """The last two pairs leave a second result lying, read all cards and points, and take the better one."""
    made = sealed(scene)
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "eva"), scene.fixture)
    enter(browser(scene, "anna"), scene.fixture, OTHER)
    play(scene, scene.fixtures[1])
    assert not is_shut(made)
    confirm(browser(scene, "eva"), scene.fixture)
    assert result_of(scene.fixture) == (580, 0)
    confirm(browser(scene, "dora"), scene.fixture)
    assert result_of(scene.fixture) == (460, 0)


def test_a_playing_director_gives_no_points_of_public_boards_while_a_neutral_one_can(
    with_director: Scene,
) -> None:
    """Points on boards of other tables are his own place in the comparison."""
    scene, other = with_director, with_director.fixtures[1]
    sealed(scene)
    play(scene, scene.fixture)
    play(scene, other)
    at = FixtureBoard.objects.get(fixture=other, position=1)
    given = {"kind": "percent", "home": "0", "away": "0", "reason": "Noise"}
    address = reverse("award", args=[other.pk, at.board.number])
    assert browser(scene, "anna").get(address).status_code == 403
    assert browser(scene, "anna").post(address, given).status_code == 403
    assert not Award.objects.exists()
    assert browser(scene, "dora").get(address).status_code == 200


def test_a_playing_director_puts_nobody_s_account_in_an_opponents_place(with_director: Scene) -> None:
    """Luis' account is taken off and a helper's put there: it confirms for his pair, and reads what he has played."""
    scene, anna, helper = with_director, with_director.users["anna"], with_director.users["stranger"]
    sealed(scene)
    luis = player(scene, "Luis")
    ghost = Player.objects.create(club=scene.club, name="Ghost", user=helper)
    for act in (
        lambda: claims.unlink(actor=anna, player=luis),
        lambda: players.edit(actor=anna, player=luis, name=luis.name, email=helper.email),
        lambda: merging.merge(actor=anna, keep=luis, duplicate=ghost),
    ):
        with pytest.raises(NotAllowed):
            act()
    Player.objects.filter(pk=luis.pk).update(user=None)
    Player.objects.filter(pk=ghost.pk).update(user=None)
    luis.refresh_from_db()
    with pytest.raises(NotAllowed):
        claims.link(actor=anna, player=luis, user=helper, at=timezone.now())
    asked = claims.claim(actor=helper, player=luis, at=timezone.now())
    with pytest.raises(NotAllowed):
        claims.decide(actor=anna, claim=asked, accept=True, at=timezone.now())
    # Somebody who plays nowhere there may, and of players who take no part she may, too.
    claims.decide(actor=scene.users["dora"], claim=asked, accept=True, at=timezone.now())
    ghost.refresh_from_db()
    assert claims.link(actor=anna, player=ghost, user=make_user("Nora New"), at=timezone.now()).user


def test_who_directs_alone_links_accounts_though_they_play(with_director: Scene) -> None:
    scene, anna = with_director, with_director.users["anna"]
    sealed(scene)
    Membership.objects.filter(user__in=[scene.users["dora"], scene.users["olive"]]).update(role=Role.MEMBER)
    assert claims.unlink(actor=anna, player=player(scene, "Luis")).user is None


def test_a_playing_director_has_no_robots_play_a_match_of_others(with_director: Scene) -> None:
    """Four robots at the table of another match would be its result, and proof that its boards were played."""
    scene, other = with_director, with_director.fixtures[1]
    sealed(scene)
    OnlinePlay.objects.create(competition=scene.competition, is_open=True, robots=True)
    table = opening.open_match(
        actor=scene.users["anna"], fixture=Fixture.objects.with_pairs().get(pk=other.pk)
    )
    for seat in "NESW":
        with pytest.raises(NotAllowed):
            seats.seat_robot(actor=scene.users["anna"], table_id=table.pk, seat=seat)
    assert not TableDeal.objects.exists()
    seats.seat_robot(actor=scene.users["dora"], table_id=table.pk, seat="N")
