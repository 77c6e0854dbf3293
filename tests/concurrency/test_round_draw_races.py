"""Two directors draw a round of a Swiss, a knock-out or tables at once, or a result arrives: one draw, or none."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError

from league.draws.services import rounds, seating, ties
from league.errors import Conflict
from league.manage.services import evenings
from league.models import Appearance, Division, Fixture, Player, RoundDraw
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
LATER = datetime.now(UTC) + timedelta(days=30)


def drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What two directors are told who publish what both have seen."""
    competition = factories.running(factories.club(), pairs=4, format="swiss")
    division = Division.objects.get(stage=competition.stage)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    meet(monkeypatch, rounds, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_a_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert RoundDraw.objects.count() == 1
    assert Appearance.objects.filter(round__number=2).count() == 4


def test_control_without_the_lock_the_database_itself_has_to_refuse_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def cup_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The same of the final of a knock-out."""
    competition = factories.running(factories.club(), pairs=4, format="knockout")
    division = Division.objects.get(stage=competition.stage)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    final = division.stage.rounds.get(number=2)
    seen = ties.propose(division=division, round_=final).digest
    meet(monkeypatch, ties, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_a_final_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = cup_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert Fixture.objects.filter(round__number=2).count() == 1


def test_control_without_the_lock_the_final_is_drawn_once_by_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = cup_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def tables_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The same of the first tables of an evening of individuals."""
    competition = factories.running(
        factories.club(), pairs=7, format="tables_evening", game="tien-len", points={"by": "rank"}
    )
    division = Division.objects.get(stage=competition.stage)
    first = division.stage.rounds.get(number=1)
    seen = seating.propose(division=division, round_=first).digest
    meet(monkeypatch, seating, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=1, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_the_tables_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tables_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert Fixture.objects.filter(round__number=1).count() == 2
    assert Appearance.objects.filter(round__number=1).count() == 7


def test_control_without_the_lock_the_tables_are_drawn_once_by_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = tables_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def test_two_directors_keep_the_list_of_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each says only what changed on the page they saw: neither takes back what the other has ticked."""
    competition = factories.running(
        factories.club(), pairs=4, format="tables_evening", game="tien-len", points={"by": "rank"}
    )
    one, other = factories.player(competition.club), factories.player(competition.club)

    def tick(player: Player) -> object:
        return evenings.register(actor=DIRECTOR, competition=competition, came=[player], left=(), at=LATER)

    at_once(lambda: tick(one), lambda: tick(other))
    assert competition.entries.count() == 6
