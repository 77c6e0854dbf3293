"""The database itself keeps the audit trail and the submitted sheets as they are."""

from dataclasses import replace

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from league.audit.services import audit
from league.errors import Conflict
from league.models import AuditEntry
from league.storage.append_only import AUDIT, GUARDS
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db

TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"


@pytest.fixture
def entry() -> AuditEntry:
    scene = make_scene()
    return audit.record(actor=scene.users["dora"], action="test", summary="Something", fixture=scene.fixture)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE league_auditentry SET summary = 'Nothing' WHERE id = %s",
        "DELETE FROM league_auditentry WHERE id = %s",
    ],
)
def test_the_database_refuses_to_change_the_audit_trail(entry: AuditEntry, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="kept as they are"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [entry.pk])
    assert AuditEntry.objects.get(pk=entry.pk).summary == "Something"


def test_the_model_refuses_first(entry: AuditEntry) -> None:
    for change in (
        entry.save,
        entry.delete,
        lambda: AuditEntry.objects.update(summary=""),
        lambda: AuditEntry.objects.all().delete(),
    ):
        with pytest.raises(TypeError):
            change()


def test_every_guard_stands_after_the_migrations() -> None:
    """A migration that makes a table again, as SQLite does for a change of a column, loses its triggers."""
    names = "SELECT tgname FROM pg_trigger" if connection.vendor == "postgresql" else TRIGGERS
    with connection.cursor() as cursor:
        cursor.execute(names)
        found = {name for (name,) in cursor.fetchall()}
    assert {f"{guard.table}_no_{verb}" for guard in GUARDS for verb in ("update", "delete")} <= found


def test_a_column_that_comes_later_is_left_out(entry: AuditEntry) -> None:
    guard = replace(AUDIT, columns=("summary", "not_there_yet"))
    AUDIT.drop(connection)
    guard.create(connection)

    with pytest.raises(DatabaseError, match="kept as they are"), transaction.atomic():
        _execute("UPDATE league_auditentry SET summary = 'Nothing' WHERE id = %s", entry.pk)
    _execute("UPDATE league_auditentry SET reason = 'None' WHERE id = %s", entry.pk)


def _execute(statement: str, key: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [key])


def test_lines_of_one_write_are_stored_together_in_their_order_or_not_at_all() -> None:
    def tell(*summaries: str, fails: bool = False) -> None:
        for summary in summaries:
            audit.record(actor=dora, action="test", summary=summary)
        if fails:
            raise Conflict("No")

    dora = make_scene().users["dora"]
    with pytest.raises(Conflict), transaction.atomic(), audit.at_once():
        tell("Given up", fails=True)
    with CaptureQueriesContext(connection) as sent, audit.at_once():
        tell("First", "Second")
    tell("Third")

    assert len(sent) == 1
    told = AuditEntry.objects.filter(action="test").values_list("summary", flat=True)
    assert list(told) == ["Third", "Second", "First"]
