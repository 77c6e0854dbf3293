"""The database itself keeps the audit trail and the submitted sheets as they are."""

import pytest
from django.db import DatabaseError, connection, transaction

from league.models import AuditEntry
from league.services import audit
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


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
