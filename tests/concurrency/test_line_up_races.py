"""Both captains name their line-ups at once: the two rooms are there, once (F61)."""

import pytest
from django.utils import timezone

from league.errors import Conflict
from league.models import Fixture, NamedPairs
from league.teams.services import line_ups
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.games.team_leagues import four, make_league

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def both_captains(monkeypatch: pytest.MonkeyPatch, *, seconds: float = 1) -> list[object]:
    """What two captains are told who name their line-ups at the same moment."""
    league = make_league()
    match = league.match()
    meet(monkeypatch, line_ups, "_open_rooms", seconds=seconds)
    acts = [
        lambda entry=entry: line_ups.name(
            actor=league.captain(entry), fixture=match, entry=entry, pairs=four(entry), at=timezone.now()
        )
        for entry in match.entries
    ]
    return at_once(*acts)


def test_f61_both_captains_at_once_open_the_rooms_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = both_captains(monkeypatch)
    assert all(isinstance(each, NamedPairs) for each in told)
    rooms = Fixture.with_rooms.filter(team_match__isnull=False)
    assert sorted(rooms.values_list("room", flat=True)) == ["closed", "open"]
    assert all(room.boards.count() == 4 for room in rooms)


def test_control_without_the_lock_each_thinks_that_the_other_has_said_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    both_captains(monkeypatch, seconds=10)
    assert NamedPairs.objects.count() == 2
    assert not Fixture.with_rooms.filter(team_match__isnull=False).exists()


def test_f61_a_director_and_a_captain_open_the_rooms_once(monkeypatch: pytest.MonkeyPatch) -> None:
    league = make_league()
    match = league.match()
    meet(monkeypatch, line_ups, "_write")
    home = match.home
    told = at_once(
        lambda: line_ups.stand(actor=league.director, fixture=match, at=timezone.now()),
        lambda: line_ups.name(
            actor=league.captain(home), fixture=match, entry=home, pairs=four(home), at=timezone.now()
        ),
    )
    assert Fixture.with_rooms.filter(team_match=match).count() == 2
    assert [type(each) for each in told if isinstance(each, Exception)] in ([], [Conflict])
