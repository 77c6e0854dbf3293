"""Holes where two good parts meet: what a coalition with a director who plays makes of parts that are each sound."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from games.models import AdjustedScore, FixtureBoard, OnlinePlay, Scoresheet, TableDeal
from games.tables.services import opening, seats
from league import policies
from league.entries.services import season_substitutes
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import substitutions
from league.models import Fixture, Membership, Player, Role, Substitution
from league.people.services import claims, joining, merging, players
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
    assert not AdjustedScore.objects.exists()
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


# Substitutes who are asked, and merges


def listed(scene: Scene, name: str, **more: Any) -> Player:
    return Player.objects.create(club=scene.club, name=name, **more)


def name_for(scene: Scene, who: str, absent: Player, substitute: Player) -> Substitution:
    return substitutions.appoint(
        actor=scene.users[who], fixture=scene.fixture, absent=absent, substitute=substitute, reason="Ill"
    )


def said(scene: Scene) -> list[tuple[str, str, str]]:
    rows = Substitution.objects.filter(fixture=scene.fixture).select_related("absent", "substitute")
    return [(row.absent.name, row.substitute.name, row.answer) for row in rows.order_by("pk")]


def left(scene: Scene, director: str = "dora") -> Player:
    """Chidi has left Anna's pair for the rest of the season; Hanna plays instead."""
    chidi = player(scene, "Chidi")
    season_substitutes.appoint(
        actor=scene.users[director],
        entry=scene.entries[0],
        absent=chidi,
        substitute=player(scene, "Hanna"),
        reason="Moved away",
    )
    return chidi


def test_a_playing_director_gives_an_opponent_no_address_by_a_merge(with_director: Scene) -> None:
    """Luis has no account: the address of a player made up would be his, and its account Luis at once."""
    scene, anna = with_director, with_director.users["anna"]
    sealed(scene)
    luis = player(scene, "Luis")
    Player.objects.filter(pk=luis.pk).update(user=None, email="")
    luis.refresh_from_db()
    made_up = players.add(actor=anna, club=scene.club, name="Made Up", email="helper@example.org")
    for keep, duplicate in ((luis, made_up), (made_up, luis)):
        with pytest.raises(NotAllowed):
            merging.merge(actor=anna, keep=keep, duplicate=duplicate)
    made = merging.merge(actor=scene.users["dora"], keep=luis, duplicate=made_up)
    with pytest.raises(NotAllowed):
        merging.undo(actor=anna, merge=made)


def test_nor_does_a_slip_for_somebody_made_up_become_the_opponents(with_director: Scene) -> None:
    scene, anna = with_director, with_director.users["anna"]
    sealed(scene)
    luis = player(scene, "Luis")
    Player.objects.filter(pk=luis.pk).update(user=None, email="")
    luis.refresh_from_db()
    made_up = listed(scene, "Made Up")
    (slip,) = joining.make_slips(actor=anna, club=scene.club, players=[made_up.pk], at=timezone.now())
    with pytest.raises(NotAllowed):
        merging.merge(actor=anna, keep=luis, duplicate=made_up)
    assert slip.player == made_up


@pytest.mark.parametrize("by_address", [False, True])
def test_on_whose_word_an_account_is_a_players_goes_with_it_through_a_merge(
    with_director: Scene, by_address: bool
) -> None:
    """Anna said that Hanna is somebody made up; Dora, who sees one person twice, merges the two in good faith."""
    scene, anna, dora = with_director, with_director.users["anna"], with_director.users["dora"]
    made = sealed(scene)
    play(scene, scene.fixtures[1])
    luis, hanna = player(scene, "Luis"), scene.users["hanna"]
    Player.objects.filter(user=hanna).delete()
    Player.objects.filter(pk=luis.pk).update(user=None, email="")
    luis.refresh_from_db()
    EmailAddress.objects.create(user=hanna, email=hanna.email, verified=True, primary=True)
    email = hanna.email if by_address else ""
    made_up = players.add(actor=anna, club=scene.club, name="Luis Reyes Gil", email=email)
    if not by_address:
        made_up = claims.link(actor=anna, player=made_up, user=hanna, at=timezone.now())
    merge = merging.merge(actor=dora, keep=luis, duplicate=made_up)
    if by_address:
        claims.claim(actor=hanna, player=Player.objects.get(pk=luis.pk), at=timezone.now())
    now = Player.objects.get(pk=luis.pk)
    assert (now.user, now.linked_by) == (hanna, anna)
    enter(browser(scene, "anna"), scene.fixture)
    confirm(browser(scene, "hanna"), scene.fixture)
    assert is_shut(made)
    if not by_address:
        merging.undo(actor=dora, merge=merge)
        assert Player.objects.get(pk=luis.pk).linked_at is None
        assert Player.objects.get(pk=made_up.pk).linked_by == anna


@pytest.mark.parametrize("both_stand_in", [False, True])
def test_a_merge_has_nobody_play_two_matches_of_a_round(scene: Scene, both_stand_in: bool) -> None:
    """One row was asked in one match of the round; the other row plays in the other, or was asked there."""
    other = Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk)
    guest = listed(scene, "Tom Twice")
    name_for(scene, "anna", player(scene, "Chidi"), guest)
    twin = other.home.lineup.players[0]
    if both_stand_in:
        twin = listed(scene, "Tom Again")
        substitutions.appoint(
            actor=scene.users["dora"], fixture=other, absent=other.home.lineup.players[0], substitute=twin
        )
    for keep, duplicate in ((guest, twin), (twin, guest)):
        with pytest.raises(Conflict, match="two matches of a round"):
            merging.merge(actor=scene.users["dora"], keep=keep, duplicate=duplicate)
    # What was played so is no reason any more: the two rows made it possible.
    Fixture.objects.filter(pk__in=[scene.fixture.pk, other.pk]).update(status="confirmed")
    merging.merge(actor=scene.users["dora"], keep=twin, duplicate=guest)


def test_a_merge_gives_nobody_two_places_for_the_rest_of_the_season(scene: Scene) -> None:
    left(scene)
    Fixture.objects.update(status="confirmed")
    with pytest.raises(Conflict, match="rest of the season"):
        merging.merge(actor=scene.users["dora"], keep=player(scene, "Hanna"), duplicate=listed_in(scene))


def listed_in(scene: Scene) -> Player:
    """Somebody of a third pair, without an account."""
    found = scene.entries[2].lineup.players[0]
    Player.objects.filter(pk=found.pk).update(user=None)
    return Player.objects.get(pk=found.pk)


def test_a_director_who_left_the_pair_names_nobody_for_it(scene: Scene) -> None:
    """Chidi directs. He left Anna's pair, and would choose who plays for it, or put himself back for one match."""
    Membership.objects.filter(user=scene.users["chidi"]).update(role=Role.DIRECTOR)
    chidi = left(scene)
    row = Substitution.objects.get(fixture=scene.fixture)
    for absent in (chidi, player(scene, "Anna")):
        with pytest.raises(Invalid):
            name_for(scene, "chidi", absent, player(scene, "Igor"))
    with pytest.raises(NotAllowed):
        substitutions.cancel(actor=scene.users["chidi"], substitution=row)
    assert said(scene) == [("Chidi Okafor", "Hanna Helper", "")]


def test_a_no_gives_the_place_back_to_who_has_it_for_the_season(scene: Scene) -> None:
    """Not to who left: they would speak for the pair again."""
    chidi = left(scene)
    row = name_for(scene, "anna", chidi, player(scene, "Igor"))
    substitutions.answer(actor=scene.users["igor"], substitution=row, accept=False)
    assert said(scene) == [("Chidi Okafor", "Hanna Helper", "")]
    assert not policies.speaks_in(scene.users["chidi"], Fixture.objects.with_pairs().get(pk=scene.fixture.pk))
    name_for(scene, "anna", chidi, player(scene, "Igor"))
    address = reverse("fixture_substitute_cancel", args=[scene.fixture.pk])
    row = Substitution.objects.get(fixture=scene.fixture)
    page = browser(scene, "anna").post(address, {"substitution": row.pk}, follow=True)
    assert "Hanna Helper plays after all" in page.text
    assert said(scene) == [("Chidi Okafor", "Hanna Helper", "")]


def test_who_was_asked_for_a_match_and_then_takes_the_season_is_asked_no_more(scene: Scene) -> None:
    row = name_for(scene, "anna", player(scene, "Chidi"), player(scene, "Hanna"))
    left(scene)
    assert said(scene) == [("Chidi Okafor", "Hanna Helper", "")]
    with pytest.raises(Conflict):
        substitutions.answer(actor=scene.users["hanna"], substitution=row, accept=False)


def test_naming_the_same_substitute_again_keeps_what_they_said(scene: Scene) -> None:
    chidi, hanna = player(scene, "Chidi"), player(scene, "Hanna")
    row = name_for(scene, "anna", chidi, hanna)
    substitutions.answer(actor=scene.users["hanna"], substitution=row, accept=True)
    name_for(scene, "chidi", chidi, hanna)
    assert said(scene) == [("Chidi Okafor", "Hanna Helper", "yes")]


def test_a_yes_on_an_old_page_is_none_to_another_question(scene: Scene) -> None:
    hanna = browser(scene, "hanna")
    old = name_for(scene, "anna", player(scene, "Chidi"), player(scene, "Hanna"))
    address = reverse("substitute_answer", args=[scene.fixture.pk])
    assert f'name="substitution" value="{old.pk}"' in hanna.get(address).text
    substitutions.cancel(actor=scene.users["anna"], substitution=old)
    new = name_for(scene, "eva", player(scene, "Luis"), player(scene, "Hanna"))
    for key in (str(old.pk), "x", "9" * 40, "\0"):
        hanna.post(address, {"answer": "yes", "substitution": key})
    assert said(scene) == [("Luis Reyes", "Hanna Helper", "waiting")]
    hanna.post(address, {"answer": "yes", "substitution": str(new.pk)})
    assert said(scene) == [("Luis Reyes", "Hanna Helper", "yes")]


def test_who_was_merged_or_linked_since_they_were_chosen_is_judged_as_they_are_now(scene: Scene) -> None:
    """Two at once: one chooses a substitute from the list, the other merges that player, or links an account."""
    guest, twin = listed(scene, "Gina Guest"), listed(scene, "Gina G. Guest")
    chosen = Player.objects.get(pk=guest.pk)
    claims.link(actor=scene.users["dora"], player=guest, user=make_user("Gina Guest"), at=timezone.now())
    Membership.objects.filter(user=scene.users["eva"]).update(role=Role.DIRECTOR)
    with pytest.raises(Invalid):
        name_for(scene, "eva", player(scene, "Chidi"), chosen)
    assert name_for(scene, "anna", player(scene, "Chidi"), chosen).is_waiting
    Substitution.objects.all().delete()
    merging.merge(actor=scene.users["dora"], keep=twin, duplicate=Player.objects.get(pk=guest.pk))
    with pytest.raises(Invalid):
        name_for(scene, "anna", player(scene, "Chidi"), chosen)
