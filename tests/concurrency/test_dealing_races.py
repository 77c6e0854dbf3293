"""A deal begins at an online table while a director puts a reserve board in the place of its board."""

import threading
from typing import Any

import pytest
from django.db.models import QuerySet

from games import board_cards
from games.boards.services import boards
from games.models import Board, BoardSet, FixtureBoard, TableDeal
from games.tables.services import opening, seats
from games.tables.state import facts as reading
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.boards import AGREED, duplicate_scene
from tests.live.tables import PEOPLE, START

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set when the table knows which board it is going to play; it then takes its time before it says so."""
    known, moved = threading.Event(), threading.Event()
    ask = board_cards.are_known

    def ask_slowly(board_set: BoardSet) -> bool:
        if not known.is_set():
            known.set()
            moved.wait(timeout=1)
        return ask(board_set)

    monkeypatch.setattr(board_cards, "are_known", ask_slowly)
    return known


def begin_and_replace(chosen: threading.Event) -> list[Any]:
    """The fourth player is ready, and board 1 is found to be mis-dealt."""
    reading.memory.forget()
    scene = duplicate_scene()
    board_set = boards.make(
        actor=scene.users["dora"],
        competition=scene.competition,
        round=scene.rounds[0],
        count=4,
        reserve=1,
        delayed=AGREED,
    )
    table = opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    for seat, who in PEOPLE.items():
        seats.sit(actor=scene.users[who], table_id=table.pk, seat=seat, at=START)
    for who in list(PEOPLE.values())[:3]:
        seats.ready(actor=scene.users[who], table_id=table.pk)

    def replace() -> Board:
        chosen.wait(timeout=10)
        return boards.substitute_reserve(
            actor=scene.users["dora"],
            board=Board.objects.get(board_set=board_set, number=1),
            reason="Two cards were swapped",
        )

    return at_once(lambda: seats.ready(actor=scene.users["luis"], table_id=table.pk), replace)


def is_same_board() -> bool:
    """Whether the match's list of boards and the table speak of the same board."""
    dealt = TableDeal.objects.get()
    play = FixtureBoard.objects.get(fixture=dealt.table.fixture_id, position=1)
    return play.board_id == dealt.board_id


def test_the_match_plays_the_board_that_was_dealt(chosen: threading.Event) -> None:
    outcomes = begin_and_replace(chosen)
    assert not any(isinstance(each, Exception) for each in outcomes), outcomes
    assert is_same_board()


def test_control_without_locks_the_match_is_said_to_play_another(
    chosen: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = begin_and_replace(chosen)
    assert not any(isinstance(each, Exception) for each in outcomes), outcomes
    assert not is_same_board()
