"""All services lock from the club down to the table. Every test watches the order itself (tests/lock_order.py)."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, transaction

from games import locks as games_locks
from games.models import Match, Table
from games.scoresheets.services import matches
from games.sessions import services as evenings
from games.sessions.services import places
from league import locks
from league.models import Club, Competition, Entry, Fixture, Player
from tests.concurrency.test_scoresheet_races import at_once
from tests.games import evening_rooms as rooms
from tests.league import factories
from tests.lock_order import recorded
from tests.scenes import make_scene


def correct_and_leave(
    monkeypatch: pytest.MonkeyPatch,
    lock: Callable[..., Match] = matches.lock,
    by: Callable[[Callable[[], Any]], Any] = lambda call: call(),
) -> list[Any]:
    """A pair corrects its sheet while the director takes the pair that it met out of the evening.

    Each waits until the other has its first lock; with one order for all there is no other, and a second passes.
    """
    club, dora = rooms.club_with_director()
    evening = rooms.laid_out(club, dora, 8)
    rooms.begin(evening, dora, 1)
    rooms.play_round(evening, 1)
    rooms.begin(evening, dora, 2)
    fixture = rooms.tables(evening, 1)[0]
    leaving, away = Entry.objects.get(pk=fixture.home_id), factories.account_of(fixture.away.lineup)
    pair_has_its_lock, director_has_his = threading.Event(), threading.Event()
    take, find = locks.take, places.fixtures_from

    def after_the_match(*args: Any, **how: Any) -> list[Any]:
        found = take(*args, **how)
        if found and isinstance(found[0], Match) and not pair_has_its_lock.is_set():
            pair_has_its_lock.set()
            director_has_his.wait(timeout=1)
        return found

    def after_the_competition(entry: Entry, first: int) -> list[Fixture]:
        director_has_his.set()
        pair_has_its_lock.wait(timeout=1)
        return find(entry, first)

    monkeypatch.setattr(matches, "lock", lock)
    monkeypatch.setattr(locks, "take", after_the_match)
    monkeypatch.setattr(places, "fixtures_from", after_the_competition)
    return at_once(
        told(by, lambda: rooms.entered(fixture, away, home=30, away=20)),
        told(
            by,
            lambda: evenings.pair_leaves(
                actor=dora, entry=leaving, option="out-2", reason="Ill", at=rooms.AT
            ),
        ),
    )


def match_first(*, fixture: Fixture) -> Match:
    """The match alone, and the competition with what follows."""
    match = locks.one(Match.objects.filter(pk=fixture.pk).with_fixture())
    match.fixture = locks.fixture(match.fixture)
    return match


def told(by: Callable[[Callable[[], Any]], Any], call: Callable[[], Any]) -> Callable[[], Any]:
    """The call; what the database says becomes its outcome."""

    def run() -> Any:
        try:
            return by(call)
        except OperationalError as failure:
            return failure

    return run


def deadlocks(outcomes: list[Any]) -> int:
    """How many were ended by the database, which saw two wait for each other."""
    return sum("deadlock detected" in str(each) for each in outcomes)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_correction_and_a_pair_that_leaves_never_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes = correct_and_leave(monkeypatch)

    assert deadlocks(outcomes) == 0
    assert Entry.objects.filter(withdrawn_at__isnull=False).count() == 1
    assert isinstance(outcomes[1], Entry), outcomes


@pytest.mark.postgres
@pytest.mark.breaks_lock_order
@pytest.mark.django_db(transaction=True)
def test_control_with_the_match_locked_first_the_two_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert deadlocks(correct_and_leave(monkeypatch, match_first)) == 1


def faults_of(*takes: Callable[[], Any]) -> list[str]:
    """What the recorder says of one transaction that takes these locks."""
    with recorded() as recorder, transaction.atomic():
        for take in takes:
            take()
    return [fault.partition(";")[0] for fault in recorder.faults]


@pytest.mark.breaks_lock_order
@pytest.mark.django_db
def test_the_recorder_blames_a_competition_after_its_match() -> None:
    scene = make_scene()
    match = matches.lock(fixture=scene.fixture)

    assert faults_of(lambda: games_locks.match(fixture=scene.fixture)) == []
    assert faults_of(
        lambda: locks.one(Match.objects.filter(pk=match.pk)), lambda: locks.competition(scene.competition.pk)
    ) == ["Match without its competition", "Competition after Match"]


@pytest.mark.breaks_lock_order
@pytest.mark.django_db
def test_the_recorder_blames_a_change_that_comes_too_late() -> None:
    scene = make_scene()
    table = Table.objects.create(
        club=scene.club,
        kind=Table.Kind.CASUAL,
        game="concerto",
        opened_by=scene.users["anna"],
        first_dealer="N",
    )
    club, competition = (
        Club.objects.filter(pk=scene.club.pk),
        Competition.objects.filter(pk=scene.competition.pk),
    )
    of_table = lambda: games_locks.table(table.pk)  # noqa: E731

    assert faults_of(of_table, lambda: club.update(place="Ulm")) == ["Club after Table (a change)"]
    assert faults_of(of_table, lambda: competition.update(results_version=2)) == [
        "Competition after Table (a change)"
    ]
    assert faults_of(lambda: locks.competition(scene.competition.pk), of_table) == []


@pytest.mark.breaks_lock_order
@pytest.mark.django_db
def test_the_recorder_blames_a_second_row_of_a_kind() -> None:
    scene = make_scene()
    first, second = Player.objects.order_by("pk")[:2]

    assert scene.club == first.club
    assert faults_of(lambda: locks.players([second.pk, first.pk])) == []
    assert faults_of(lambda: locks.player(second.pk), lambda: locks.player(first.pk)) == [
        "a second Player after the first"
    ]
