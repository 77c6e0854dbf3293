"""The states of a fixture: which way leads where, who may go it, and what is left behind."""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import dates, fixtures
from league.models import AuditEntry, DateProposal, Fixture, User
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
Status = Fixture.Status


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def put(fixture: Fixture, status: str) -> Fixture:
    Fixture.objects.filter(pk=fixture.pk).update(status=status)
    return Fixture.objects.get(pk=fixture.pk)


MOVES: dict[str, Callable[[User, Fixture], Fixture]] = {
    Status.POSTPONED: lambda actor, fixture: fixtures.postpone(actor=actor, fixture=fixture, reason="Flu"),
    Status.IN_PLAY: lambda actor, fixture: fixtures.begin(actor=actor, fixture=fixture),
    Status.TO_CONFIRM: lambda actor, fixture: fixtures.await_confirmation(actor=actor, fixture=fixture),
    Status.DISPUTED: lambda actor, fixture: fixtures.dispute(actor=actor, fixture=fixture, reason="Wrong"),
    Status.REOPENED: lambda actor, fixture: fixtures.reopen(actor=actor, fixture=fixture, reason="Wrong"),
    Status.CONFIRMED: lambda actor, fixture: fixtures.record_result(
        actor=actor, fixture=fixture, scores=(3, 1)
    ),
    Status.WALKOVER: lambda actor, fixture: fixtures.award_walkover(
        actor=actor, fixture=fixture, losing=[fixture.away], reason="Nobody came"
    ),
    Status.VOID: lambda actor, fixture: fixtures.void(actor=actor, fixture=fixture, reason="Flood"),
    Status.SCHEDULED: lambda actor, fixture: fixtures.restore(actor=actor, fixture=fixture, reason="Found"),
}


@pytest.mark.parametrize(("now", "then"), list(itertools.product(Status.values, MOVES)))
def test_every_move_is_made_or_refused_as_the_table_says(scene: Scene, now: str, then: str) -> None:
    fixture = put(scene.fixture, now)
    allowed = then in fixtures.TRANSITIONS[now]
    if then == Status.SCHEDULED:
        allowed = now in {Status.WALKOVER, Status.VOID}
    if allowed:
        MOVES[then](scene.users["dora"], fixture)
        assert Fixture.objects.get(pk=fixture.pk).status == then
    else:
        with pytest.raises(Conflict):
            MOVES[then](scene.users["dora"], fixture)
        assert Fixture.objects.get(pk=fixture.pk).status == now
        assert not AuditEntry.objects.exists()


def test_a_result_and_its_removal_bump_the_tables_and_leave_a_trace(scene: Scene) -> None:
    dora, fixture = scene.users["dora"], scene.fixture
    put(fixture, Status.TO_CONFIRM)
    fixtures.record_result(actor=dora, fixture=fixture, scores=(120, 80))
    scene.competition.refresh_from_db()
    assert scene.competition.results_version == 1
    fixtures.dispute(actor=dora, fixture=fixture, reason="Wrong seats")
    scene.competition.refresh_from_db()
    assert scene.competition.results_version == 2
    assert not Fixture.objects.get(pk=fixture.pk).has_result
    trail = list(AuditEntry.objects.order_by("pk"))
    assert [entry.action for entry in trail] == ["fixture.confirmed", "fixture.disputed"]
    assert trail[1].before is not None
    assert trail[1].after is not None
    assert trail[1].before["result"] == {"kind": "played", "home": 120, "away": 80}
    assert trail[1].after["result"] is None
    assert trail[1].reason == "Wrong seats"
    assert trail[1].actor_name == "Dora Director"


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_ruling_needs_a_reason(scene: Scene, reason: str) -> None:
    for rule in (
        lambda: fixtures.void(actor=scene.users["dora"], fixture=scene.fixture, reason=reason),
        lambda: fixtures.award_walkover(
            actor=scene.users["dora"], fixture=scene.fixture, losing=scene.fixture.entries, reason=reason
        ),
        lambda: fixtures.postpone(actor=scene.users["anna"], fixture=scene.fixture, reason=reason),
    ):
        with pytest.raises(Invalid):
            rule()
    assert scene.fixture.status == Status.SCHEDULED


def test_only_a_director_rules(scene: Scene) -> None:
    for who in ("anna", "sam", "stranger"):
        with pytest.raises(NotAllowed):
            fixtures.void(actor=scene.users[who], fixture=scene.fixture, reason="No")


def test_a_date_is_agreed_by_the_other_pair(scene: Scene) -> None:
    at = datetime(2026, 9, 30, tzinfo=UTC)
    new = at + timedelta(days=9)
    proposal = dates.propose(actor=scene.users["anna"], fixture=scene.fixture, starts_at=new, at=at)
    with pytest.raises(NotAllowed):
        dates.answer(actor=scene.users["chidi"], proposal=proposal, accept=True, at=at)
    with pytest.raises(NotAllowed):
        dates.answer(actor=scene.users["iris"], proposal=proposal, accept=True, at=at)
    dates.answer(actor=scene.users["luis"], proposal=proposal, accept=True, at=at)
    fixture = scene.fixture
    assert (fixture.status, fixture.starts_at) == (Status.POSTPONED, new)
    with pytest.raises(Conflict):
        dates.answer(actor=scene.users["eva"], proposal=proposal, accept=False, at=at)


def test_a_newer_proposal_takes_the_place_of_the_open_one(scene: Scene) -> None:
    at = datetime(2026, 9, 30, tzinfo=UTC)
    for days in (5, 6):
        dates.propose(
            actor=scene.users["anna"], fixture=scene.fixture, starts_at=at + timedelta(days=days), at=at
        )
    states = DateProposal.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["withdrawn", "open"]
    with pytest.raises(Invalid):
        dates.propose(actor=scene.users["anna"], fixture=scene.fixture, starts_at=at, at=at)


def test_a_directors_date_ends_what_a_pair_had_proposed(scene: Scene) -> None:
    at = datetime(2026, 9, 30, tzinfo=UTC)
    proposal = dates.propose(
        actor=scene.users["anna"], fixture=scene.fixture, starts_at=at + timedelta(days=9), at=at
    )
    fixed = at + timedelta(days=5)
    fixtures.arrange(actor=scene.users["dora"], fixture=scene.fixture, starts_at=fixed)
    with pytest.raises(Conflict):
        dates.answer(actor=scene.users["luis"], proposal=proposal, accept=True, at=at)
    assert scene.fixture.starts_at == fixed


def test_what_is_too_long_for_a_place_is_refused_whoever_asks(scene: Scene) -> None:
    with pytest.raises(Invalid):
        fixtures.arrange(actor=scene.users["dora"], fixture=scene.fixture, starts_at=None, place="x" * 201)
