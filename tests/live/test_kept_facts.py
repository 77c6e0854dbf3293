"""What a process keeps of a table after a write is what it would read from the rows, and nobody reads it again."""

from collections.abc import Callable
from functools import partial

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Table, TableRequest
from games.tables.services import play, requests, seats
from games.tables.state import facts as reading
from games.tables.state.facts import memory
from tests.live.tables import Laid, casual_table, laid_in, match_table, move, moves
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db(transaction=True)


def known(laid: Laid) -> reading.TableSnapshot | None:
    """What this process has of the table as it is now."""
    return memory.find(laid.table.pk, Table.objects.values_list("version", flat=True).get(pk=laid.table.pk))


def check(laid: Laid) -> reading.TableSnapshot:
    kept = known(laid)
    assert kept is not None
    assert kept == reading.fresh(laid.table.pk)
    return kept


def test_after_a_window_that_takes_its_seat_over() -> None:
    laid = match_table()
    reading.current(laid.table.pk)
    seats.take_window(actor=laid.at("N"), table_id=laid.table.pk, window="another")

    assert check(laid).seats["N"].window == "another"


def test_after_each_who_says_that_they_are_ready_and_the_deal_that_begins() -> None:
    laid = match_table(begun=False)
    reading.current(laid.table.pk)
    for seat in "NESW":
        seats.ready(actor=laid.at(seat), table_id=laid.table.pk)
        check(laid)
    assert check(laid).state == Table.State.PLAYING


@pytest.mark.parametrize("lay", [match_table, lambda: casual_table(make_scene())], ids=["match", "casual"])
def test_after_each_action_to_the_end_of_the_deal_and_beyond(lay: Callable[[], Laid]) -> None:
    laid = lay()
    reading.current(laid.table.pk)
    while (facts := laid.facts()).state == Table.State.PLAYING and facts.deal_number == 1:
        if play.is_robots_turn(facts):
            play.play_robots(table_id=laid.table.pk)
        else:
            move(laid)
        check(laid)
    assert facts.played


def test_what_the_process_does_not_know_it_does_not_make_up() -> None:
    laid = laid_in(make_scene())
    memory.forget()
    seats.take_window(actor=laid.at("N"), table_id=laid.table.pk, window="another")

    assert known(laid) is None


def elsewhere(laid: Laid, work: Callable[[], object]) -> reading.TableSnapshot:
    """The table as this process finds it after another one has done this."""
    before = reading.current(laid.table.pk)
    work()
    memory.forget()
    memory.keep(before)
    return reading.current(laid.table.pk)


@pytest.mark.parametrize("lay", [match_table, lambda: casual_table(make_scene())], ids=["match", "casual"])
def test_after_each_action_that_another_process_wrote_to_the_end_of_the_deal(lay: Callable[[], Laid]) -> None:
    laid = lay()
    while (facts := laid.facts()).state == Table.State.PLAYING and facts.deal_number == 1:
        robots = partial(play.play_robots, table_id=laid.table.pk)
        found = elsewhere(laid, robots if play.is_robots_turn(facts) else partial(move, laid))
        assert found == reading.fresh(laid.table.pk)
    assert facts.played


def _take_back(laid: Laid) -> None:
    seat = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(seat), table_id=laid.table.pk)


def _take_back_in_vain(laid: Laid) -> None:
    _take_back(laid)
    move(laid)


def _take_back_and_act(laid: Laid) -> None:
    _take_back(laid)
    asked = TableRequest.objects.get()
    for seat in {*"NESW"} - {asked.seat}:
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True)
    moves(laid, 2)


@pytest.mark.parametrize("other", [_take_back, _take_back_in_vain, _take_back_and_act])
def test_what_is_no_action_is_read(other: Callable[[Laid], None]) -> None:
    laid = match_table()
    found = elsewhere(laid, partial(other, laid))
    assert found == reading.fresh(laid.table.pk)
    assert found.requests


def test_an_action_that_ends_a_question_is_read_with_it() -> None:
    laid = match_table()
    _take_back(laid)
    found = elsewhere(laid, partial(move, laid))
    assert found == reading.fresh(laid.table.pk)
    assert found.requests[0].state == TableRequest.State.LAPSED


def test_actions_of_another_process_take_two_statements(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    laid = match_table()
    before = laid.facts()
    moves(laid, 3)
    memory.forget()
    memory.keep(before)
    with django_assert_num_queries(2):
        assert reading.current(laid.table.pk).version == before.version + 3


def test_a_match_takes_few_statements_whatever_its_seats(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    laid = match_table()
    with django_assert_num_queries(11):
        reading.fresh(laid.table.pk)
