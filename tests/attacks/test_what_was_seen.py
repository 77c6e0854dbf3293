"""Who has seen a card, or may have: by way of a substitute, a sheet, a director's page, or points by subtraction."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.boards.services import boards, releases
from games.comparisons.services import awards
from games.fixture_boards import boards_of
from games.models import BoardSet, Duplicate, EarlyPlay, Participation, Table
from games.proof import participations
from games.scoresheets.services import scoresheets
from games.tables.services import play as at_table
from games.tables.state import facts as reading
from league.errors import Conflict
from league.models import Entry, Fixture, Membership, Player, Role, Round, Substitution, User
from tests.games.boards import AGREED, SHEET, duplicate_scene, every_card, plays_of, sealed, stand_in
from tests.games.boards import play as play_sheet
from tests.league import factories
from tests.live.tables import laid_in, move
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    """Hanna is a member who is not entered."""
    made = duplicate_scene()
    made.users["hanna"] = make_user("Hanna Helper")
    Membership.objects.create(user=made.users["hanna"], club=made.club, role=Role.MEMBER)
    made.players.append(Player.objects.create(club=made.club, name="Hanna Helper", user=made.users["hanna"]))
    return made


def browser(scene: Scene, name: str) -> Client:
    found = Client()
    found.force_login(User.objects.get(pk=scene.users[name].pk))
    return found


def player(name: str) -> Player:
    return Player.objects.get(name__startswith=name)


# A substitute for one action


def test_a_substitute_is_no_way_to_have_a_robot_decide_one_action(scene: Scene) -> None:
    sealed(scene)
    laid = laid_in(scene, robot="expert")
    while laid.turn() != "N":
        move(laid)
    anna, chidi, number = browser(scene, "anna"), browser(scene, "chidi"), scene.fixture.pk

    def step(client: Client, name: str, **more: Any) -> Any:
        return client.post(f"/tables/{laid.table.pk}/steps/{name}/", {"seat": "N", **more})

    named = {"absent": player("Anna").pk, "substitute": player("Hanna").pk}
    assert anna.post(reverse("fixture_substitute", args=[number]), named).status_code == 302
    assert step(chidi, "robot").status_code == 200
    at_table.play_robots(table_id=laid.table.pk)
    cancelled = {"substitution": Substitution.objects.get().pk}
    assert anna.post(reverse("fixture_substitute_cancel", args=[number]), cancelled).status_code == 302

    answer = step(anna, "sit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stood_up")
    assert reading.fresh(laid.table.pk).seats["N"].robot == "expert"
    assert Table.objects.get(pk=laid.table.pk).state == Table.State.PLAYING


# A sheet's cards, and a director's pages


def in_two_rounds(scene: Scene) -> BoardSet:
    """Boards that Anna & Chidi play with Eva & Luis, and Eva & Luis with Olga & Kenji a round later."""
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=4, delayed=AGREED)
    rows = list(made.boards.order_by("place"))
    plays = {scene.fixtures[0]: rows, scene.fixtures[2]: rows}
    boards.assign(actor=scene.users["dora"], board_set=made, plays=plays)
    return made


def named_for_kenji(scene: Scene, name: str) -> bool:
    """Whether Olga can name this player for Kenji in the later match."""
    later = scene.fixtures[2]
    given = {"absent": player("Kenji").pk, "substitute": player(name).pk, "reason": "Kenji is ill"}
    browser(scene, "olga").post(reverse("fixture_substitute", args=[later.pk]), given)
    return Substitution.objects.filter(fixture=later).exists()


def shown_to(scene: Scene, name: str) -> int:
    """How many boards stand in the rows that say that this person was shown them."""
    rows = Participation.objects.filter(kind="shown", user=scene.users[name])
    return rows.values("board").distinct().count()


@pytest.mark.parametrize("page", ["match", "api_match", "api_sheets"])
def test_who_was_replaced_and_reads_the_sheet_sits_down_at_its_boards_no_more(
    scene: Scene, page: str
) -> None:
    made = in_two_rounds(scene)
    stand_in(scene, scene.fixture, 0, 8)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    sheet = scoresheets.submit(
        actor=scene.users["chidi"], fixture=fixture, content=every_card(scene, made), origin="page"
    )
    for name in ("anna", "hanna", "chidi", "eva"):
        assert browser(scene, name).get(reverse(page, args=[fixture.pk])).status_code == 200
    assert [shown_to(scene, name) for name in ("anna", "hanna", "chidi", "eva")] == [4, 0, 0, 0]
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    Fixture.objects.filter(pk=scene.fixtures[3].pk).update(status="void")
    assert not named_for_kenji(scene, "Anna")
    # In their own match everybody has read it.
    participations.check(fixture=scene.fixture, players=[player("Anna"), player("Chidi")])


def test_who_confirms_for_the_pair_and_did_not_play_has_read_the_sheet(scene: Scene) -> None:
    made = in_two_rounds(scene)
    stand_in(scene, scene.fixture, 1, 8)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    sheet = scoresheets.submit(
        actor=scene.users["eva"], fixture=fixture, content=every_card(scene, made), origin="page"
    )
    scoresheets.confirm(actor=scene.users["chidi"], sheet=sheet, digest=sheet.digest)
    assert [shown_to(scene, name) for name in ("chidi", "eva", "hanna")] == [4, 0, 0]


def test_a_director_who_reads_points_of_a_sealed_board_sits_down_at_it_no_more(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.DIRECTOR)
    in_two_rounds(scene)
    hanna, later = browser(scene, "hanna"), scene.fixtures[2]
    unplayed = reverse("award", args=[later.pk, 1])
    assert "no result" in hanna.get(unplayed).content.decode()
    assert shown_to(scene, "hanna") == 0

    play_match(scene, scene.fixture)
    page = hanna.get(reverse("award", args=[scene.fixture.pk, 1])).content.decode()
    assert " 60, " in page
    assert shown_to(scene, "hanna") == 1
    assert not named_for_kenji(scene, "Hanna")


def test_what_a_decision_would_do_to_a_sealed_board_tells_its_points(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.DIRECTOR)
    in_two_rounds(scene)
    play_match(scene, scene.fixture)
    looks = {"kind": "percent", "percent_home": "60", "percent_away": "40", "reason": "Late", "step": "look"}
    for name, read in (
        ("award", lambda who: who.post(reverse("award", args=[scene.fixtures[2].pk, 1]), looks)),
        ("reopening", lambda who: who.get(reverse("match_reopen", args=[scene.fixture.pk]))),
        (
            "preview",
            lambda who: who.post(
                reverse("scoresheet", args=[scene.fixtures[2].pk]), {"content": json.dumps(SHEET)}
            ),
        ),
    ):
        before = Participation.objects.filter(kind="shown", user=scene.users["hanna"]).count()
        page = read(browser(scene, "hanna"))
        assert page.context.get("effects") or page.context.get("outcome"), name
        after = Participation.objects.filter(kind="shown", user=scene.users["hanna"]).count()
        assert after > before, name


@pytest.mark.parametrize("page", ["match", "api_match_audit"])
def test_a_score_that_a_director_gave_is_read_in_the_trail_too(scene: Scene, page: str) -> None:
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.DIRECTOR)
    made = in_two_rounds(scene)
    later = scene.fixtures[2]
    address = reverse(page, args=[later.pk])
    browser(scene, "hanna").get(address)
    assert shown_to(scene, "hanna") == 0
    awards.award(
        actor=scene.users["dora"],
        play=plays_of(made, later)[0],
        content={"scores": [{"home": "8317", "away": "8311"}]},
        reason="They heard it",
    )
    assert "8317" in browser(scene, "hanna").get(address).content.decode()
    assert shown_to(scene, "hanna") > 0


# Points by subtraction


def of_deals(scene: Scene, deals: int) -> Scene:
    """Matches of so many boards."""
    scene.competition.rules = {**scene.competition.rules, "deals": deals}
    scene.competition.save()
    return scene


def play_match(scene: Scene, fixture: Fixture) -> None:
    found = Fixture.objects.with_pairs().get(pk=fixture.pk)
    plays = boards_of(found)
    play_sheet(scene, found, deals=SHEET["deals"][: len(plays)], first_dealer=plays[0].board.dealer)


def public(made: BoardSet) -> list[int]:
    """The places of original boards whose cards are public, and those of reserve boards that are from 100 on."""
    found = made.boards.filter(released_at__isnull=False)
    return sorted(each.place + 100 * (each.purpose == "reserve") for each in found)


@pytest.mark.parametrize(("deals", "at_once"), [(2, []), (3, [1])])
def test_a_board_that_a_reserve_replaced_opens_alone_only_where_two_others_stay_shut(
    scene: Scene, deals: int, at_once: list[int]
) -> None:
    of_deals(scene, deals)
    made = sealed(scene, count=deals, reserve=1)
    play_match(scene, scene.fixture)
    first = made.boards.get(place=1, purpose="original")
    boards.substitute_reserve(actor=scene.users["dora"], board=first, reason="Dealt wrongly")
    assert public(made) == at_once
    assert releases.release_missed(at=timezone.now()) == 0
    event, club = scene.competition.slug, scene.club.slug
    desk = browser(scene, "dora").get(f"/clubs/{club}/desk/{event}/boards/{made.pk}/").content.decode()
    assert ("open together with another board" in desk) is (deals == 2)

    play_match(scene, scene.fixtures[1])
    assert len(public(made)) == deals + 1


def test_nor_does_a_board_that_fewer_tables_play_than_its_neighbour(scene: Scene) -> None:
    """Whatever its last table waited for: the match itself, a neutral word, consent or time."""
    of_deals(scene, 2)
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=4, delayed=AGREED)
    one, two, three, four = made.boards.order_by("place")
    first, middle, last = (scene.fixtures[number] for number in range(3))
    plays = {first: [one, two], middle: [two, three], last: [three, four]}
    boards.assign(actor=scene.users["dora"], board_set=made, plays=plays)
    for each in (first, last):
        play_match(scene, each)
        assert public(made) == []
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    given = {"part": "ruling", "ruling": "void", "reason": "Nobody came"}
    browser(scene, "anna").post(reverse("fixture_ruling", args=[middle.pk]), given)
    assert releases.open_overdue(at=middle.round.closes_at + timedelta(days=15)) == 1
    assert public(made) == [1, 2, 3, 4]


def test_one_board_of_two_is_not_made_public_before_the_other_by_a_director_either(scene: Scene) -> None:
    made = sealed(of_deals(scene, 3), count=3)
    play_match(scene, scene.fixture)
    dora, board = scene.users["dora"], {each.place: each for each in made.boards.all()}
    boards.release(actor=dora, board_set=made, board=board[1], reason="It was shown")
    with pytest.raises(Conflict) as refusal:
        boards.release(actor=dora, board_set=made, board=board[2], reason="It was shown")
    assert refusal.value.code == "tells_points"
    assert public(made) == [1]
    boards.release(actor=dora, board_set=made, reason="The week is over")
    assert public(made) == [1, 2, 3]


# A lone director


def plays_in_place_of_eva(scene: Scene, made: Player) -> Fixture:
    """A pair of this player and another takes the place of Eva & Luis."""
    igor = Player.objects.create(club=scene.club, name="Igor Idle")
    pair = factories.pair(scene.club, made, igor)
    Entry.objects.filter(pk=scene.fixture.away_id).update(lineup=pair)
    return Fixture.objects.with_pairs().get(pk=scene.fixture.pk)


@pytest.mark.parametrize("is_alone", [True, False])
def test_only_a_lone_director_deals_and_plays_and_that_is_asked_when_the_cards_are_taken_out(
    scene: Scene, is_alone: bool
) -> None:
    scene.club.lone_director_deals = True
    scene.club.save()
    officers = Membership.objects.filter(club=scene.club, role__in=[Role.DIRECTOR, Role.OWNER])
    others = list(officers.values_list("pk", "role"))
    if is_alone:
        officers.update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users["hanna"]).update(role=Role.DIRECTOR)
    made = sealed(scene, actor=scene.users["hanna"])
    boards.draw_out(actor=scene.users["hanna"], board_set=made, kind="files", reason="To deal them")
    # What becomes of the club afterwards changes nothing of it.
    for pk, role in others:
        Membership.objects.filter(pk=pk).update(role=role if is_alone else Role.MEMBER)
    fixture = plays_in_place_of_eva(scene, player("Hanna"))
    if is_alone:
        participations.check(fixture=fixture, players=[player("Hanna")])
    else:
        with pytest.raises(Conflict, match="know cards"):
            participations.check(fixture=fixture, players=[player("Hanna")])


# Small things


def test_no_cache_keeps_the_pages_of_directors_that_tell_points(scene: Scene) -> None:
    sealed(scene)
    for address in (
        reverse("award", args=[scene.fixture.pk, 1]),
        reverse("match_reopen", args=[scene.fixture.pk]),
    ):
        assert browser(scene, "dora").get(address)["Cache-Control"] == "private, no-store"


def test_boards_that_wait_open_after_the_days_that_the_competition_says(scene: Scene) -> None:
    Duplicate.objects.update(open_after_days=3)
    made = sealed(scene)
    play_match(scene, scene.fixture)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    given = {"part": "ruling", "ruling": "void", "reason": "Nobody came"}
    browser(scene, "anna").post(reverse("fixture_ruling", args=[scene.fixtures[1].pk]), given)
    closes = scene.fixture.round.closes_at
    assert releases.open_overdue(at=closes + timedelta(days=3)) == 0
    assert public(made) == []
    assert releases.open_overdue(at=closes + timedelta(days=4)) == 1
    assert public(made) == [1, 2, 3, 4]


def test_a_director_who_plays_lets_no_match_of_others_be_played_early(scene: Scene) -> None:
    later = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=1).update(starts_on=later.date(), closes_at=later + timedelta(days=7))
    sealed(scene)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    given = {"step": "early", "reason": "They travel"}
    for number in (0, 1):
        address = reverse("match_boards", args=[scene.fixtures[number].pk])
        assert browser(scene, "anna").post(address, given).status_code == 403
    assert not EarlyPlay.objects.exists()
