"""Guests at once: one takes the last seat, and a link that is renewed while somebody comes in lets nobody in."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet

from games.models import Table, TableGuest, TableSeat
from games.tables.services import guests, rows, seats
from league.errors import Conflict, NotAllowed
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_table_races import told
from tests.live.tables import Laid
from tests.live.test_table_guests import laid_table, token_of

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def meet_after_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has seen which seats are taken until the other has seen it too, or a second has passed."""
    meeting = threading.Barrier(2)
    look = rows.seats_taken

    def look_and_meet(table: Table) -> dict[str, TableSeat]:
        taken = look(table)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return taken

    monkeypatch.setattr(rows, "seats_taken", look_and_meet)


def two_at_the_last_seat(laid: Laid) -> list[Any]:
    """North, East and South are held; two strangers have the link on their screens."""
    token = token_of(laid)
    return at_once(
        told(lambda: guests.admit(token=token, name="Mia", seat="W")),
        told(lambda: guests.admit(token=token, name="Max", seat="W")),
    )


def nearly_full() -> Laid:
    laid = laid_table()
    for name, seat in (("anna", "E"), ("eva", "S")):
        seats.sit(actor=laid.scene.users[name], table_id=laid.table.pk, seat=seat)
    return laid


def test_of_two_guests_one_takes_the_last_seat(request: pytest.FixtureRequest) -> None:
    laid = nearly_full()
    request.getfixturevalue("meet_after_looking")
    outcomes = two_at_the_last_seat(laid)
    refusals = [each for each in outcomes if isinstance(each, Exception)]

    assert [type(each) for each in refusals] == [Conflict]
    assert TableGuest.objects.count() == 1, "who found no seat leaves no row"
    assert TableSeat.objects.filter(guest__isnull=False).count() == 1


def test_control_without_the_lock_only_the_database_refuses(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = nearly_full()
    request.getfixturevalue("meet_after_looking")
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = two_at_the_last_seat(laid)

    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [IntegrityError]
    assert TableSeat.objects.filter(guest__isnull=False).count() == 1


def test_a_link_that_is_renewed_while_somebody_comes_in_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = laid_table()
    token = token_of(laid)
    find = guests.table_behind

    def find_and_renew(found: str) -> Table | None:
        table = find(found)
        at_once(lambda: token_of(laid))
        return table

    monkeypatch.setattr(guests, "table_behind", find_and_renew)
    with pytest.raises(NotAllowed):
        guests.admit(token=token, name="Mia")
    assert not TableGuest.objects.exists()


def two_keep(laid: Laid, key: str) -> list[Any]:
    """The device is shared: two people press at once, each logged in as somebody."""
    anna, stranger = laid.scene.users["anna"], laid.scene.users["stranger"]
    return at_once(
        told(lambda: guests.keep(actor=anna, table_id=laid.table.pk, key=key)),
        told(lambda: guests.keep(actor=stranger, table_id=laid.table.pk, key=key)),
    )


@pytest.fixture
def meet_before_saving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has found the guest until the other has found them too, or a second has passed."""
    meeting = threading.Barrier(2)
    save = TableGuest.save

    def meet_and_save(guest: TableGuest, *args: Any, **options: Any) -> None:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        save(guest, *args, **options)

    monkeypatch.setattr(TableGuest, "save", meet_and_save)


def test_one_account_keeps_what_a_guest_played(request: pytest.FixtureRequest) -> None:
    laid = laid_table()
    guest, key = guests.admit(token=token_of(laid), name="Mia", seat="E")
    seats.stand_up(actor=guest.visitor, table_id=laid.table.pk)
    request.getfixturevalue("meet_before_saving")
    outcomes = two_keep(laid, key)
    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [NotAllowed]
    (kept,) = [each for each in outcomes if not isinstance(each, Exception)]
    guest.refresh_from_db()
    assert guest.kept_by == kept.kept_by


def test_control_without_the_lock_both_are_told_that_they_keep_it(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = laid_table()
    guest, key = guests.admit(token=token_of(laid), name="Mia", seat="E")
    seats.stand_up(actor=guest.visitor, table_id=laid.table.pk)
    request.getfixturevalue("meet_before_saving")
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    assert not [each for each in two_keep(laid, key) if isinstance(each, Exception)]
