"""Whose word a scoresheet has, and when it is enough to count, and to open boards."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from games.fixture_boards import keeping_shut
from games.models import Board, FixtureBoard, Participation, Ruling, Scoresheet, Vouch
from games.proof import vouches
from games.scoresheets import entry_links
from games.scoresheets.queries.matches import waited_for
from games.scoresheets.services import matches, scoresheets
from league.errors import NotAllowed
from league.fixtures.services import fixtures
from league.models import Fixture, Membership, Role
from tests.games import evening_rooms
from tests.games.boards import SHEET, duplicate_scene, play, sealed
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db
Kind = Vouch.Kind


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def submitted(scene: Scene, name: str) -> Scoresheet:
    return scoresheets.submit(actor=scene.users[name], fixture=scene.fixture, content=SHEET, origin="page")


def confirmed(scene: Scene, sheet: Scoresheet, name: str) -> Scoresheet:
    return scoresheets.confirm(actor=scene.users[name], sheet=sheet, digest=sheet.digest)


def words(sheet: Scoresheet) -> list[tuple[str, str]]:
    return [(each.kind, str(each.entry or each.actor)) for each in Vouch.objects.filter(sheet=sheet)]


def test_entering_and_confirming_are_the_words_of_both_sides(scene: Scene) -> None:
    sheet = submitted(scene, "anna")
    home, away = vouches.sides_of(scene.fixture)
    assert words(sheet) == [(Kind.SIDE, str(home))]
    assert not vouches.counts(sheet)
    confirmed(scene, sheet, "luis")
    assert words(sheet) == [(Kind.SIDE, str(home)), (Kind.SIDE, str(away))]
    assert (sheet.entered_as, vouches.settled(sheet)) == (Scoresheet.EnteredAs.PERSON, "sides")


@pytest.mark.parametrize(("second", "kind"), [("dora", Kind.SECOND), ("eva", Kind.SIDE)])
def test_what_an_official_typed_takes_a_second_person(scene: Scene, second: str, kind: str) -> None:
    sheet = submitted(scene, "sam")
    assert [each for each, _who in words(sheet)] == [Kind.OFFICIAL]
    assert confirmed(scene, sheet, second).verdict == "confirmed"
    assert [each for each, _who in words(sheet)] == [Kind.OFFICIAL, kind]
    assert vouches.settled(sheet) == "neutral"


def test_an_official_who_plays_elsewhere_in_the_event_decides_no_match_while_the_club_has_another(
    scene: Scene,
) -> None:
    iris = scene.users["iris"]
    Membership.objects.filter(user=iris).update(role=Role.DIRECTOR)
    sealed(scene)
    sheet = submitted(scene, "anna")
    with pytest.raises(NotAllowed):
        confirmed(scene, sheet, "iris")
    sheet.refresh_from_db()
    assert sheet.verdict == Scoresheet.Verdict.PENDING


def test_where_no_boards_are_played_a_playing_officials_sheet_takes_both_sides_too(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["iris"]).update(role=Role.SCORER)
    sheet = submitted(scene, "iris")
    assert confirmed(scene, sheet, "eva").verdict == "pending"
    assert waited_for(sheet) == str(scene.fixture.home)
    assert confirmed(scene, sheet, "anna").verdict == "confirmed"


def test_boards_open_on_no_ruling_of_somebody_who_plays_there(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    made = sealed(scene)
    play(scene, scene.fixture)
    fixtures.void(actor=scene.users["anna"], fixture=scene.fixtures[1], reason="Nobody came")
    assert not made.boards.filter(released_at__isnull=False).exists()
    assert Ruling.objects.get().is_neutral is False
    assert FixtureBoard.objects.filter(fixture=scene.fixtures[1], settled="").count() == 4


def test_a_result_taken_back_settles_nothing(scene: Scene) -> None:
    sealed(scene)
    play(scene, scene.fixture)
    assert set(FixtureBoard.objects.filter(fixture=scene.fixture).values_list("settled", flat=True)) == {
        "sides"
    }
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Deal 2 was wrong")
    assert set(FixtureBoard.objects.filter(fixture=scene.fixture).values_list("settled", flat=True)) == {""}


@pytest.mark.parametrize("table", ["games_vouch", "games_participation", "games_ruling", "games_scoresheet"])
def test_the_database_keeps_the_rows(scene: Scene, table: str) -> None:
    sealed(scene)
    play(scene, scene.fixture)
    fixtures.void(actor=scene.users["dora"], fixture=scene.fixtures[1], reason="Nobody came")
    assert Participation.objects.exists()
    column = {"games_ruling": "status", "games_scoresheet": "entered_as"}.get(table, "kind")
    for statement in (f"UPDATE {table} SET {column} = 'x'", f"DELETE FROM {table}"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_a_helper_with_the_paper_speaks_for_nobody(scene: Scene) -> None:
    helper = make_user("Hanna Helper")
    Membership.objects.create(user=helper, club=scene.club, role=Role.MEMBER)
    setattr(helper, entry_links.ATTRIBUTE, frozenset({scene.fixture.pk}))
    sheet = scoresheets.submit(actor=helper, fixture=scene.fixture, content=SHEET, origin="page")
    assert (sheet.entered_as, words(sheet)) == (Scoresheet.EnteredAs.CODE, [])
    assert confirmed(scene, sheet, "dora").verdict == "confirmed"


@pytest.mark.one_database
def test_a_room_of_eleven_pairs_that_confirms_at_its_tables_presses_nothing_more_than_before() -> None:
    """Totals alone, entered by one pair and confirmed by the other: each board opens with its last table."""
    club, dora = evening_rooms.club_with_director()
    evening = evening_rooms.laid_out(club, dora, pairs=11)
    rounds = evening.stage.rounds.count()
    for number in range(1, rounds + 1):
        evening_rooms.begin(evening, dora, number)
        evening_rooms.play_round(evening, number)
        left = FixtureBoard.objects.filter(fixture__status=Fixture.Status.SCHEDULED).values("board")
        played = Board.objects.filter(plays__fixture__status=Fixture.Status.CONFIRMED).exclude(pk__in=left)
        assert not played.filter(released_at=None).exists()
        assert not keeping_shut().exists()
    tables = Fixture.objects.filter(
        round__stage__competition=evening, status=Fixture.Status.CONFIRMED
    ).count()
    assert Vouch.objects.count() == 2 * tables
    assert Board.objects.filter(board_set__competition=evening, released_at=None).count() == 0


@pytest.mark.parametrize(
    "place", ["match", "scoresheet", "plain_sheet", "api_match", "api_sheets", "api_sheet"]
)
def test_an_official_who_is_shown_a_sheet_of_sealed_boards_has_seen_their_cards(
    scene: Scene, place: str
) -> None:
    sealed(scene)
    submitted(scene, "anna")
    more = {"plain_sheet": [1], "api_sheet": [1]}.get(place, [])
    address = reverse(place, args=[scene.fixture.pk, *more])
    shown = Participation.objects.filter(kind="shown", fixture=scene.fixture)
    for name, rows in (("", 0), ("iris", 0), ("luis", 0), ("dora", 4), ("dora", 4)):
        client = Client()
        if name:
            client.force_login(scene.users[name])
        client.get(address)
        assert shown.count() == rows, name
    assert set(shown.values_list("user", flat=True)) == {scene.users["dora"].pk}
