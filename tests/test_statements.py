"""The second half leaves out only what sends nothing new."""

from pathlib import Path

import pytest
from django.db import DatabaseError, connection

from league.models import Club
from tests.league import factories
from tests.statements import Recorder, Sent, enough, parts, read, shape


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM t WHERE a IN (%s, %s, %s)", "SELECT a FROM t WHERE a IN (%s)"),
        ("INSERT INTO t (a, b) VALUES (%s, %s), (%s, %s)", "INSERT INTO t (a, b) VALUES (%s, %s)"),
        (
            "UPDATE t SET a = CASE WHEN (t.b = %s) THEN %s WHEN (t.b = %s) THEN %s ELSE NULL END WHERE t.b IN (%s, %s)",
            "UPDATE t SET a = CASE WHEN (t.b = %s) THEN %s ELSE NULL END WHERE t.b IN (%s)",
        ),
        ("SELECT a FROM t LIMIT 21", "SELECT a FROM t LIMIT 1"),
    ],
)
def test_a_statement_is_the_same_with_more_values(one: str, other: str) -> None:
    assert shape(one) == shape(other)


def test_another_condition_is_another_statement() -> None:
    assert shape("SELECT a FROM t WHERE a = %s") != shape("SELECT a FROM t WHERE a > %s")


def test_of_a_plain_reading_its_tables_and_conditions_count() -> None:
    join = 'SELECT "t"."a" FROM "t" INNER JOIN "u" ON ("t"."b" = "u"."b")'
    both = f'{join} WHERE ("t"."a" = %s AND "u"."b" IN (%s, %s))'
    one, other = (f'{join} WHERE "t"."a" = %s LIMIT 1', f'{join} WHERE "u"."b" IN (%s) ORDER BY "t"."a" ASC')

    assert {*parts(both, False, "")} == {*parts(one, False, ""), *parts(other, False, "")}
    assert {*parts(one, False, "")} != {*parts(other, False, "")}


@pytest.mark.parametrize(
    ("sql", "locks", "fault"),
    [
        ('SELECT DISTINCT "t"."a" FROM "t" WHERE "t"."a" = %s', False, ""),
        ('UPDATE "t" SET "a" = %s WHERE "t"."b" = %s', False, ""),
        ('SELECT "t"."a" FROM "t" WHERE "t"."a" = %s', True, ""),
        ('SELECT "t"."a" FROM "t" WHERE "t"."a" = %s', False, "IntegrityError"),
    ],
)
def test_whatever_else_a_statement_does_it_counts_as_a_whole(sql: str, locks: bool, fault: str) -> None:
    assert len([*parts(sql, locks, fault)]) == 1
    assert {*parts(sql, locks, fault)}.isdisjoint(
        parts('SELECT "t"."a" FROM "t" WHERE "t"."a" = %s', False, "")
    )


def test_all_that_is_sent_is_sent_by_those_that_are_enough() -> None:
    tests = {
        "most": Sent(1, {"a", "b", "c"}),
        "a part": Sent(1, {"a", "b"}),
        "slow": Sent(90, {"a", "b", "c"}),
        "the only one": Sent(90, {"d"}),
        "nothing": Sent(1),
    }

    assert enough(tests) == {"most", "the only one"}
    assert enough({}) == set()


def test_what_later_choices_send_too_is_not_sent_again() -> None:
    tests = {
        "chosen first": Sent(0.1, {"a", "b", "c"}),
        "one half and more": Sent(1, {"a", "d", "e"}),
        "the other and more": Sent(1, {"b", "c", "f"}),
    }
    assert enough(tests) == {"one half and more", "the other and more"}


@pytest.mark.django_db
def test_only_what_the_site_itself_sends_is_noted_and_its_errors(tmp_path: Path) -> None:
    recorder = Recorder()
    with recorder.listening():
        with recorder.during("by a test"):
            Club.objects.count()
        with recorder.during("by the site"):
            factories.running(factories.club(), pairs=4)
        with recorder.during("by the site again"):
            factories.running(factories.club(), pairs=6)
        with recorder.during("refused"), pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")
    recorder.write(tmp_path / "worker.json")

    found = read(tmp_path)
    assert found["by a test"].keys == found["refused"].keys == set()
    assert found["by the site"].keys == found["by the site again"].keys
    assert len(found["by the site"].keys) > 10
