"""Practice on a released board: from the board's page to the table, and afterwards beside the field, uncounted."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.boards.sealing import KEY_LENGTH, commitment
from games.models import Board, BoardSet, PlayedDeal, Table, TableDeal
from games.tables.queries.practice import practised_board
from games.tables.services import opening
from league.models import User
from league.storage import board_keys
from tests.games.events import Event, make_event, play
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def event(scene: Scene) -> Event:
    """Four tables have played two boards: North-South by 10, 11, 12 and 13 more on the first."""
    made = make_event(tables=4, boards=2, club=scene.club)
    key = "k" * KEY_LENGTH
    # A table looks at the cards as it deals them.
    BoardSet.objects.filter(competition=made.competition).update(
        commitment=commitment(key), secret=board_keys.encrypt(key), delayed={"value": "1"}
    )
    for place, fixture in enumerate(made.fixtures):
        play(fixture, (60 + place, 50), (40, 50 + place))
    return made


def board_of(event: Event) -> Board:
    return Board.objects.get(pk=event.boards[0].pk)


def page_of(board: Board, user: User | None = None) -> str:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(board.get_absolute_url()).content.decode()


def finished(scene: Scene, board: Board, ns: int, ew: int) -> Table:
    """Anna's practice of the board, over with these points."""
    table = opening.practise(actor=scene.users["anna"], club=scene.club, robot="novice", board=board)
    now = timezone.now()
    score = {"total": {"NS": ns, "EW": ew}}
    TableDeal.objects.filter(table=table).update(finished_at=now, score=score)
    Table.objects.filter(pk=table.pk).update(state=Table.State.FINISHED)
    return table


def test_an_open_board_can_be_practised_by_members_alone(scene: Scene, event: Event) -> None:
    board = board_of(event)
    words = "Practise this board"
    assert words in page_of(board, scene.users["anna"])
    assert words not in page_of(board, scene.users["stranger"])
    assert words not in page_of(board)
    client = Client()
    client.force_login(scene.users["anna"])
    answer = client.post(reverse("practice", args=[scene.club.slug]), {"robot": "novice", "board": board.pk})
    table = Table.objects.get()
    assert answer["Location"] == table.get_absolute_url()
    assert (table.board_id, table.kind) == (board.pk, "practice")


@pytest.mark.parametrize(
    ("dealer", "made", "own", "standing", "worth"),
    # The player left of the dealer practises. Of four other tables, two matchpoints for each that made less and one
    # for each that made the same, of eight.
    [
        ("N", (50, 60), (60, 50), (4, 0, 0), "100.0 %"),
        ("N", (61, 50), (50, 61), (2, 1, 1), "62.5 %"),
        ("N", (90, 50), (50, 90), (0, 0, 4), "0.0 %"),
        ("E", (90, 50), (90, 50), (4, 0, 0), "100.0 %"),
        ("E", (61, 50), (61, 50), (1, 1, 2), "37.5 %"),
    ],
)
def test_a_practised_board_stands_beside_the_field(
    *,
    scene: Scene,
    event: Event,
    dealer: str,
    made: tuple[int, int],
    own: tuple[int, int],
    standing: tuple[int, int, int],
    worth: str,
) -> None:
    Board.objects.filter(pk=event.boards[0].pk).update(dealer=dealer)
    table = finished(scene, board_of(event), *made)
    found = practised_board(table=table, number=1, visitor=scene.users["anna"])
    assert found is not None
    assert (found.points, found.other) == own
    assert (found.above, found.level, found.below) == standing
    assert (found.worth, found.tables) == (worth, 4)


def test_nothing_of_it_counts(scene: Scene, event: Event) -> None:
    before = PlayedDeal.objects.count()
    board = board_of(event)
    version = board.results_version
    table = finished(scene, board, 90, 10)
    practised_board(table=table, number=1, visitor=scene.users["anna"])
    assert PlayedDeal.objects.count() == before
    assert Board.objects.get(pk=board.pk).results_version == version


def test_there_is_no_field_for_a_random_deal_or_one_that_goes_on(scene: Scene, event: Event) -> None:
    anna = scene.users["anna"]
    random = opening.practise(actor=anna, club=scene.club, robot="novice")
    going_on = opening.practise(actor=anna, club=scene.club, robot="novice", board=board_of(event))
    for table in (random, going_on):
        assert practised_board(table=table, number=1, visitor=anna) is None


def test_the_comparison_costs_few_queries(
    scene: Scene, event: Event, django_assert_max_num_queries: Any
) -> None:
    table = Table.objects.get(pk=finished(scene, board_of(event), 60, 50).pk)
    with django_assert_max_num_queries(14):
        practised_board(table=table, number=1, visitor=scene.users["anna"])
