"""The watch over rows: it looks whenever something may have changed, and sees what did."""

import pytest
from django.db import connection, transaction

from league.models import Club, User
from tests.hostile.rows import Statements, count_rows
from tests.league import factories

pytestmark = pytest.mark.django_db


def test_reading_is_told_from_everything_else() -> None:
    club = factories.club()
    reading, inserting, updating, deleting = (Statements() for _ in range(4))
    with connection.execute_wrapper(reading), transaction.atomic():
        assert list(Club.objects.select_related())
        with transaction.atomic():
            assert Club.objects.filter(pk=club.pk).exists()
    with connection.execute_wrapper(inserting):
        User.objects.create(email="new@example.org")
    with connection.execute_wrapper(updating):
        Club.objects.filter(pk=club.pk).update(name="Other")
    with connection.execute_wrapper(deleting):
        User.objects.filter(email="new@example.org").delete()

    assert not reading.has_written
    assert all(each.has_written for each in (inserting, updating, deleting))


def test_a_row_more_is_counted() -> None:
    before = count_rows()
    User.objects.create(email="new@example.org")
    changed = {table for table, rows in count_rows().items() if rows != before[table]}
    assert changed == {User._meta.db_table}
