"""One item that fails holds up no other: it is logged once, rests longer and longer, and is done when it can be."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import structlog
from django.core.management import CommandError, call_command

from games.analysis.services import analyses
from games.models import Analysis
from games.tasks import verify_competition, verify_everything
from league.background import sweeps
from league.background.sweeps import FIRST_WAIT, LONGEST_WAIT
from league.models import Competition, Division, Player, StandingsTable, SweepFailure, Verification
from league.standings.services import standings
from league.standings.services.verification import Difference
from tests.league import factories
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
SUIT = "spades"
AT = datetime(2026, 11, 1, 12, tzinfo=UTC)


class Work:
    """What a sweep does; it fails for these names, with words that nobody may read in a log."""

    def __init__(self, *failing: str) -> None:
        self.failing = set(failing)
        self.done: list[str] = []

    def __call__(self, key: int) -> bool:
        name = Player.objects.get(pk=key).name
        if name in self.failing:
            raise ValueError(f"the ace of {SUIT}")
        self.done.append(name)
        return True


def swept(work: Work, at: datetime = AT, *, most: int = 500) -> int:
    return sweeps.run(work="a test", rows=Player.objects.order_by("name"), do=work, at=at, most=most)


@pytest.fixture
def people() -> None:
    club = factories.club()
    for name in ("Anna", "Berta", "Carl"):
        factories.player(club, name=name)


@pytest.mark.usefixtures("people")
def test_one_that_fails_holds_up_no_other() -> None:
    work = Work("Anna")

    assert swept(work) == 2
    assert work.done == ["Berta", "Carl"]
    failure = SweepFailure.objects.get()
    assert (failure.work, failure.failures, failure.fault) == ("a test", 1, "ValueError")
    assert failure.next_at == AT + FIRST_WAIT


@pytest.mark.usefixtures("people")
def test_it_rests_longer_each_time_up_to_some_hours() -> None:
    work, at, waits = Work("Anna", "Berta", "Carl"), AT, []
    Player.objects.exclude(name="Anna").delete()
    for _time in range(15):
        assert swept(work, at) == 0
        failure = SweepFailure.objects.get()
        waits.append(failure.next_at - at)
        assert swept(work, failure.next_at - timedelta(seconds=1)) == 0
        assert SweepFailure.objects.get().failures == failure.failures, "it rests"
        at = failure.next_at

    assert waits[:4] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT, 8 * FIRST_WAIT]
    assert waits[-1] == LONGEST_WAIT


@pytest.mark.usefixtures("people")
def test_those_that_fail_do_not_take_the_places_of_others() -> None:
    work = Work("Anna")

    assert swept(work, most=1) == 0
    assert swept(work, AT + timedelta(seconds=1), most=1) == 1
    assert work.done == ["Berta"]


@pytest.mark.usefixtures("people")
def test_it_is_logged_once_with_its_key_and_without_its_words() -> None:
    anna = Player.objects.get(name="Anna").pk
    with structlog.testing.capture_logs() as logged:
        swept(Work("Anna"))
        swept(Work("Anna"), AT + FIRST_WAIT)
        swept(Work(), AT + FIRST_WAIT * 4)

    assert [(line["event"], line["key"]) for line in logged] == [
        ("sweep_failed", anna),
        ("sweep_recovered", anna),
    ]
    assert (logged[0]["work"], logged[0]["fault"]) == ("a test", "ValueError")
    assert "test_sweeps.py" in logged[0]["trace"]
    assert SUIT not in str(logged)
    assert not SweepFailure.objects.exists()


@pytest.mark.usefixtures("people")
def test_what_nobody_has_to_do_any_more_is_forgotten() -> None:
    swept(Work("Anna"))
    Player.objects.filter(name="Anna").delete()
    swept(Work(), AT + FIRST_WAIT)

    assert not SweepFailure.objects.exists()


def test_one_failing_competition_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = make_scene()
    other = Competition.objects.create(
        club=scene.club,
        season=scene.competition.season,
        game="concerto",
        name="Broken",
        slug="broken",
        state="running",
        rules=scene.competition.rules,
        points=scene.competition.points,
        tie_breaks=[],
        starts_on=AT.date(),
        results_version=1,
    )
    broken = Division.objects.create(stage=factories.stage(other), name="x", level=1)
    Competition.objects.filter(pk=scene.competition.pk).update(results_version=1)
    read = standings.read_facts

    def read_or_break(division: Division) -> Any:
        if division.pk == broken.pk:
            raise ValueError("one bad competition")
        return read(division)

    monkeypatch.setattr(standings, "read_facts", read_or_break)
    standings.sweep(at=AT)

    assert StandingsTable.objects.filter(division=scene.division).exists()
    assert SweepFailure.objects.get().key == other.pk


def test_the_nightly_verification_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make_scene().competition, factories.running(factories.club(), pairs=4)
    seen = []

    def differences(*, competition: Competition) -> list[Difference]:
        if competition.pk == first.pk:
            raise ValueError("one bad competition")
        seen.append(competition.pk)
        return [Difference("here", "a table", "1", "2")]

    monkeypatch.setattr("games.tasks.verification.differences", differences)

    assert verify_everything() == 2
    assert seen == [second.pk]
    assert verify_everything() == 1, "the second is verified for this night, the first isn't"
    assert seen == [second.pk]
    assert Verification.objects.get().wrong == 1


def test_what_waits_for_a_worker_is_stale_and_not_wrong(caplog: pytest.LogCaptureFixture) -> None:
    scene = make_scene()
    standings.sweep(at=AT)
    Competition.objects.filter(pk=scene.competition.pk).update(results_version=7)
    with caplog.at_level("ERROR"):
        assert verify_competition(scene.competition.pk) == 0
    assert not caplog.records
    row = Verification.objects.get()
    assert (row.wrong, row.stale > 0) == (0, True)
    said = StringIO()
    call_command("verify", stdout=said)
    assert "a worker is still to compute it" in said.getvalue()

    standings.sweep(at=AT)
    StandingsTable.objects.filter(division=scene.division, after_round=0).update(digest="0" * 64)
    with pytest.raises(CommandError, match="1 differences, and 0 that wait"):
        call_command("verify", stdout=StringIO())
    Verification.objects.update(at=AT - timedelta(days=1))
    assert verify_competition(scene.competition.pk) == 1


def test_an_analysis_that_was_asked_for_by_name_forgets_no_failure_of_others() -> None:
    SweepFailure.objects.create(work="analysis", key=1, failures=3, fault="x", first_at=AT, next_at=AT)
    analyses.compute_all(analysis_ids=[], at=AT)

    assert not Analysis.objects.exists()
    assert SweepFailure.objects.get().failures == 3
