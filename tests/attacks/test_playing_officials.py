"""An official who plays: points for others' boards, bulk rulings, tables, and sheets where no boards are played."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.boards.services import boards
from games.comparisons.services import awards
from games.models import AdjustedScore, BoardSet, FixtureBoard, Scoresheet
from games.scoresheets.services import matches, scoresheets
from league.entries.services import withdrawals
from league.errors import Conflict, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Entry, Fixture, Membership, Role
from tests.attacks.test_coalition import browser, confirm, enter
from tests.games.boards import duplicate_scene, every_card, play, plays_of, sealed
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
FIRST = totals_sheet((20, 10), (20, 20), (10, 20), (10, 30))
FORGED = totals_sheet((50, 10), (50, 10), (50, 10), (50, 10))
ZERO = {"percent": {"home": "0", "away": "100"}}


def office(scene: Scene, **roles: str) -> None:
    for name, role in roles.items():
        Membership.objects.filter(user=scene.users[name]).update(role=role)


def nobody_neutral(scene: Scene) -> None:
    Membership.objects.filter(user__in=[scene.users["olive"], scene.users["dora"]]).update(role=Role.MEMBER)


def without_boards() -> Scene:
    """Rules by which any totals will do, and no boards."""
    scene = make_scene()
    scene.competition.rules = {
        **scene.competition.rules,
        "duplicate": True,
        "early_end": False,
        "game_bonus": False,
    }
    scene.competition.save()
    return scene


def fixture(scene: Scene, number: int) -> Fixture:
    return Fixture.objects.with_pairs().get(pk=scene.fixtures[number].pk)


# Points for others' boards


@pytest.fixture
def board_scene() -> tuple[Scene, BoardSet]:
    """Anna is a director and plays the first match; the second one has played the sealed boards."""
    scene = duplicate_scene()
    office(scene, anna=Role.DIRECTOR)
    made = sealed(scene)
    play(scene, fixture(scene, 1), **every_card(scene, made))
    return scene, made


def give(client: Client, match: Fixture, *, number: int = 1) -> Any:
    address = reverse("award", args=[match.pk, number])
    given = {"kind": "percent", "percent_home": "0", "percent_away": "100", "reason": "Late", "step": "look"}
    page = client.post(address, given)
    if page.status_code != 200:
        return page
    return client.post(address, {**given, "looked": page.context["form"].data["looked"], "step": "give"})


def mark(client: Client, scene: Scene, made: BoardSet, match: Fixture) -> Any:
    one = plays_of(made, match)[0]
    address = reverse(
        "desk_board_tables", args=[scene.club.slug, scene.competition.slug, made.pk, one.board_id]
    )
    return client.post(address, {"tables": [one.pk], "version": "B", "reason": "Two cards exchanged"})


def test_a_playing_director_gives_no_points_and_marks_no_boards_while_the_club_has_another(
    board_scene: tuple[Scene, BoardSet],
) -> None:
    scene, made = board_scene
    anna = browser(scene, "anna")
    assert give(anna, fixture(scene, 1)).status_code == 403
    assert mark(anna, scene, made, fixture(scene, 1)).status_code in {200, 403, 422}
    assert not AdjustedScore.objects.exists()
    assert not FixtureBoard.objects.exclude(version="").exists()
    assert give(browser(scene, "dora"), fixture(scene, 1)).status_code == 302
    assert mark(browser(scene, "dora"), scene, made, fixture(scene, 1)).status_code == 302
    assert FixtureBoard.objects.filter(version="B").count() == 1


def test_where_nobody_is_neutral_a_playing_director_gives_points_that_say_so_and_none_to_the_own_match(
    board_scene: tuple[Scene, BoardSet],
) -> None:
    scene, _made = board_scene
    nobody_neutral(scene)
    anna = browser(scene, "anna")
    assert give(anna, scene.fixture).status_code == 403
    assert give(anna, fixture(scene, 1)).status_code == 302
    said = AuditEntry.objects.get(action="award.made").summary
    assert said == "Board 1: score awarded by a director (who is playing in this event)"
    page = browser(scene, "iris").get(reverse("award", args=[scene.fixtures[1].pk, 1])).content.decode()
    assert "who is playing in this event" in page


@pytest.mark.parametrize("side", ["iris", "olga"])
def test_either_side_takes_such_points_back_and_they_are_not_given_again(
    board_scene: tuple[Scene, BoardSet], side: str
) -> None:
    scene, made = board_scene
    nobody_neutral(scene)
    one = plays_of(made, fixture(scene, 1))[0]
    given = awards.award(actor=scene.users["anna"], play=one, content=ZERO, reason="Late")
    address = reverse("award", args=[scene.fixtures[1].pk, 1])
    client = browser(scene, side)
    assert give(client, fixture(scene, 1)).status_code == 403
    assert client.post(address, {"step": "revoke", "revoke-reason": "We were not late"}).status_code == 302
    given.refresh_from_db()
    assert given.revoked_by == scene.users[side]
    with pytest.raises(Conflict, match="isn’t playing"):
        awards.award(actor=scene.users["anna"], play=one, content=ZERO, reason="They were")
    office(scene, dora=Role.DIRECTOR)
    awards.award(actor=scene.users["dora"], play=one, content=ZERO, reason="They were")
    # A neutral official's word is not the sides' to take back.
    assert client.post(address, {"step": "revoke", "revoke-reason": "No"}).status_code == 403


def test_nobody_else_takes_such_points_back(board_scene: tuple[Scene, BoardSet]) -> None:
    scene, made = board_scene
    nobody_neutral(scene)
    one = plays_of(made, fixture(scene, 1))[0]
    given = awards.award(actor=scene.users["anna"], play=one, content=ZERO, reason="Late")
    for name in ("eva", "sam", "stranger"):
        with pytest.raises(NotAllowed):
            awards.revoke(actor=scene.users[name], award=given, reason="No", at=timezone.now())


def test_where_nobody_is_neutral_a_playing_director_marks_no_board_whose_result_is_confirmed(
    board_scene: tuple[Scene, BoardSet],
) -> None:
    scene, made = board_scene
    nobody_neutral(scene)
    one, anna = plays_of(made, fixture(scene, 1))[0], scene.users["anna"]
    with pytest.raises(Conflict, match="confirmed"):
        boards.mark_version(actor=anna, play=one, version="B", reason="Two cards exchanged")
    with pytest.raises(NotAllowed):
        boards.mark_version(actor=anna, play=plays_of(made, scene.fixture)[0], version="B", reason="Mine")
    matches.reopen(actor=anna, fixture=fixture(scene, 1), reason="Two cards exchanged")
    boards.mark_version(actor=anna, play=one, version="B", reason="Two cards exchanged")
    said = AuditEntry.objects.get(action="boards.version_marked").summary
    assert said == "Board 1: version B was played (by a director who is playing in this event)"


# Bulk rulings


@pytest.fixture
def league_scene() -> Scene:
    """Eva's pair has played two of three matches; its third is Anna's, who is a director."""
    scene = without_boards()
    office(scene, anna=Role.DIRECTOR)
    for each in scene.fixtures:
        if scene.entries[3].pk in {each.home_id, each.away_id} and each.pk != scene.fixture.pk:
            play(scene, Fixture.objects.with_pairs().get(pk=each.pk))
    return scene


def withdraw(client: Client, scene: Scene, entry: Entry, name: str = "entry_withdraw") -> Any:
    address = reverse(name, args=[scene.club.slug, scene.competition.slug, entry.pk])
    return client.post(address, {"reason": "Ill"})


def points(scene: Scene) -> dict[int, Any]:
    found = withdrawals.preview(entry=Entry.objects.get(pk=scene.entries[1].pk)).before
    return {int(row.entry): (row.won, row.lost) for row in found.rows}


def test_a_playing_director_withdraws_no_opponents_of_the_own_pair(league_scene: Scene) -> None:
    scene, eva = league_scene, league_scene.entries[3]
    answer = withdraw(browser(scene, "anna"), scene, eva)
    assert answer.status_code in {403, 422}
    assert "A director who plays in none of the matches" in answer.content.decode()
    assert not Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert withdraw(browser(scene, "dora"), scene, eva).status_code == 302
    assert scene.fixture.status == "walkover"
    # Nor what was decided so is undone by Anna.
    assert withdraw(browser(scene, "anna"), scene, eva, "entry_reinstate").status_code in {403, 422}
    assert scene.fixture.status == "walkover"


def test_with_less_than_half_played_neither() -> None:
    """Results that a removal takes out of the table are decided, too: a lost match against the pair would be gone."""
    scene = without_boards()
    office(scene, anna=Role.DIRECTOR)
    play(scene, scene.fixture)
    assert withdraw(browser(scene, "anna"), scene, scene.entries[3]).status_code in {403, 422}
    assert Entry.objects.get(pk=scene.entries[3].pk).withdrawn_at is None


@pytest.fixture
def league_scene_alone(league_scene: Scene) -> Scene:
    nobody_neutral(league_scene)
    return league_scene


def test_where_nobody_else_can_the_own_match_is_void_and_worth_nothing(league_scene_alone: Scene) -> None:
    scene = league_scene_alone
    anna = browser(scene, "anna")
    before = points(scene)
    address = reverse("entry_withdraw", args=[scene.club.slug, scene.competition.slug, scene.entries[3].pk])
    assert "Your own matches" in anna.get(address).content.decode()
    assert withdraw(anna, scene, scene.entries[3]).status_code == 302
    assert scene.fixture.status == "void"
    assert not Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert points(scene) == before
    said = AuditEntry.objects.get(action="fixture.void").summary
    assert "plays in this match" in said
    # Coming back is the exact undo.
    assert withdraw(anna, scene, scene.entries[3], "entry_reinstate").status_code == 302
    assert scene.fixture.status == "scheduled"
    assert points(scene) == before


def test_the_preview_shows_what_then_happens_to_the_own_match(league_scene_alone: Scene) -> None:
    scene = league_scene_alone
    shown = withdrawals.preview(entry=scene.entries[3], actor=scene.users["anna"], reason="Ill")
    assert [each.pk for each in shown.own] == [scene.fixture.pk]
    assert not shown.walkovers
    withdrawals.withdraw(actor=scene.users["anna"], entry=scene.entries[3], reason="Ill", at=timezone.now())
    assert {int(row.entry): (row.won, row.lost) for row in shown.after.rows} == points(scene)


def test_two_directors_who_both_play_can_still_withdraw_a_pair() -> None:
    """Each has a match of the own against it: what is left open is the other one's to rule."""
    scene = without_boards()
    office(scene, anna=Role.DIRECTOR, iris=Role.DIRECTOR)
    nobody_neutral(scene)
    withdrawals.withdraw(actor=scene.users["anna"], entry=scene.entries[3], reason="Ill", at=timezone.now())
    assert scene.fixture.status == "void"
    with pytest.raises(NotAllowed):
        fixtures.restore(actor=scene.users["anna"], fixture=scene.fixture, reason="Mine")
    fixtures.restore(actor=scene.users["iris"], fixture=scene.fixture, reason="Anna cannot")


def test_a_director_withdraws_the_own_pair(league_scene: Scene) -> None:
    scene = league_scene
    assert withdraw(browser(scene, "anna"), scene, scene.entries[0]).status_code == 302
    assert Entry.objects.get(pk=scene.entries[0].pk).withdrawn_at is not None
    # What the others got by it is theirs: another director gives it back.
    assert withdraw(browser(scene, "anna"), scene, scene.entries[0], "entry_reinstate").status_code in {
        403,
        422,
    }
    assert withdraw(browser(scene, "dora"), scene, scene.entries[0], "entry_reinstate").status_code == 302


# Events without boards


def submitted(scene: Scene, name: str, content: Any, origin: str = "page") -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users[name], fixture=fixture(scene, 0), content=content, origin=origin
    )


def confirmed(scene: Scene, name: str, sheet: Scoresheet) -> Scoresheet:
    return scoresheets.confirm(actor=scene.users[name], sheet=sheet, digest=sheet.digest)


def total(scene: Scene) -> tuple[int, int] | None:
    found = Fixture.objects.get(pk=scene.fixture.pk).result
    return (found.home_score, found.away_score) if found else None


@pytest.fixture
def plain() -> Scene:
    """Iris is a scorer, Olga a director; both play in the second match. No boards."""
    scene = without_boards()
    office(scene, iris=Role.SCORER, olga=Role.DIRECTOR)
    return scene


@pytest.mark.parametrize("is_alone", [False, True])
@pytest.mark.parametrize("typist", ["iris", "olga"])
def test_a_confirmed_result_is_not_corrected_by_a_playing_official_and_one_side(
    plain: Scene, typist: str, is_alone: bool
) -> None:
    if is_alone:
        nobody_neutral(plain)
    assert enter(browser(plain, "anna"), fixture(plain, 0), FIRST).status_code == 302
    confirm(browser(plain, "eva"), fixture(plain, 0))
    assert total(plain) == (60, 80)
    assert enter(browser(plain, typist), fixture(plain, 0), FORGED).status_code == 302
    confirm(browser(plain, "anna"), fixture(plain, 0))
    assert total(plain) == (60, 80)
    confirm(browser(plain, "eva"), fixture(plain, 0))
    assert total(plain) == (200, 40)


def test_nor_after_the_playing_director_has_reopened_it(plain: Scene) -> None:
    nobody_neutral(plain)
    confirmed(plain, "eva", submitted(plain, "anna", FIRST))
    matches.reopen(actor=plain.users["olga"], fixture=fixture(plain, 0), reason="Sum")
    sheet = submitted(plain, "olga", FORGED, "official")
    confirmed(plain, "anna", sheet)
    assert total(plain) is None
    confirmed(plain, "eva", sheet)
    assert total(plain) == (200, 40)


def test_a_playing_director_confirms_no_sheet_of_others_while_the_club_has_a_neutral_one(
    plain: Scene,
) -> None:
    sheet = submitted(plain, "anna", FORGED)
    with pytest.raises(NotAllowed):
        confirmed(plain, "olga", sheet)
    confirmed(plain, "dora", sheet)
    assert total(plain) == (200, 40)


def test_a_first_result_that_a_playing_official_typed_takes_both_sides_or_a_neutral_official(
    plain: Scene,
) -> None:
    sheet = submitted(plain, "iris", FIRST, "official")
    confirmed(plain, "anna", sheet)
    assert total(plain) is None
    page = Client().get(f"/matches/{plain.fixture.pk}/").content.decode()
    assert "Novak &amp; Reyes" in page
    confirmed(plain, "luis", sheet)
    assert total(plain) == (60, 80)


def test_two_officials_who_play_are_not_believed_where_a_neutral_one_is(plain: Scene) -> None:
    plain.competition.typed_sheets = "second"
    plain.competition.save()
    sheet = submitted(plain, "iris", FORGED, "official")
    with pytest.raises(NotAllowed):
        confirmed(plain, "olga", sheet)
    confirmed(plain, "sam", sheet)
    assert total(plain) == (200, 40)


def test_where_nobody_is_neutral_a_first_result_takes_one_side(plain: Scene) -> None:
    nobody_neutral(plain)
    confirmed(plain, "eva", submitted(plain, "olga", FIRST, "official"))
    assert total(plain) == (60, 80)
