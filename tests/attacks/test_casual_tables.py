"""Two good parts of a casual table together: guests and chat, getting up and complaining, robots and nobody else."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import ChatLine, Table, TableGuest
from games.models.guests import KEPT_AFTER
from games.tables.services import chat, guests, opening, play, seats
from games.tables.state.reader import Reader
from games.tables.state.seat_view import steps
from tests.live.tables import casual_table
from tests.live.test_chat import read_by, refused, say, two_at_a_table
from tests.live.test_table_guests import admitted, laid_table
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


def test_a_guest_reads_nothing_that_was_said_before_the_host_let_guests_talk() -> None:
    laid = laid_table()
    iris, mia = laid.scene.users["iris"], admitted(laid, seat="E")
    seats.sit(actor=laid.scene.users["tom"], table_id=laid.table.pk, seat="S")
    chat.say(actor=iris, table_id=laid.table.pk, text="Among members")
    before = ChatLine.objects.get()
    chat.let_guests_talk(actor=iris, table_id=laid.table.pk, allows=True)
    chat.say(actor=iris, table_id=laid.table.pk, text="Welcome")
    assert [line["text"] for line in read_by(laid, "E")] == ["Welcome"]
    assert [line["text"] for line in read_by(laid, "S")] == ["Among members", "Welcome"]
    assert refused(chat.report, actor=mia, table_id=laid.table.pk, line_id=before.pk) == "gone"


def test_who_insults_and_gets_up_can_still_be_reported() -> None:
    laid = two_at_a_table()
    say(laid, "E", "something bad")
    line = ChatLine.objects.get()
    seats.stand_up(actor=laid.at("E"), table_id=laid.table.pk)
    assert [each["text"] for each in read_by(laid, "W")] == ["something bad"]
    assert "chat" not in steps(laid.facts(), Reader(seat="W")), "there is nobody to answer"
    chat.report(actor=laid.at("W"), table_id=laid.table.pk, line_id=line.pk)
    line.refresh_from_db()
    assert line.reported_by == laid.at("W")


def test_what_one_has_said_stays_ones_own_at_another_seat() -> None:
    laid = laid_table()
    iris, tom = laid.scene.users["iris"], laid.scene.users["tom"]
    seats.sit(actor=tom, table_id=laid.table.pk, seat="S")
    chat.say(actor=iris, table_id=laid.table.pk, text="from the North")
    for actor, seat in ((iris, "W"), (tom, "N")):
        seats.stand_up(actor=actor, table_id=laid.table.pk)
        seats.sit(actor=actor, table_id=laid.table.pk, seat=seat)
    assert [line["is_yours"] for line in read_by(laid, "W")] == [True]
    assert [line["is_yours"] for line in read_by(laid, "N")] == [False], "who sits there now has not said it"


def test_robots_alone_begin_no_deal_of_a_long_casual_match() -> None:
    laid = casual_table(make_scene(), deals=64)
    seats.stand_up(actor=laid.at("W"), table_id=laid.table.pk)
    seats.seat_robot(actor=laid.scene.users["iris"], table_id=laid.table.pk, seat="W", robot="novice")
    for _enough in range(200):
        if laid.facts().state != Table.State.PLAYING:
            break
        play.play_robots(table_id=laid.table.pk)
    assert (laid.facts().state, laid.facts().deal_number) == (Table.State.BETWEEN, 1)
    seats.sit(actor=laid.at("W"), table_id=laid.table.pk, seat="W")
    seats.ready(actor=laid.at("W"), table_id=laid.table.pk)
    assert laid.facts().deal_number == 2, "with a person it goes on"


def test_a_guest_does_not_keep_a_table_that_is_over_from_ending() -> None:
    laid = laid_table()
    mia = admitted(laid, seat="E")
    opening.close(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    over = timezone.now() - KEPT_AFTER + timedelta(minutes=1)
    Table.objects.filter(pk=laid.table.pk).update(changed_at=over)
    for window in ("one", "two"):
        seats.take_window(actor=mia, table_id=laid.table.pk, window=window)
    assert guests.purge(at=timezone.now() + timedelta(minutes=2)) == 1
    assert TableGuest.objects.get().key is None
