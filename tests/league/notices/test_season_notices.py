"""What people are told in the course of a season: each what is theirs, once, and nobody of what they did."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import matches, scoresheets
from league.draws.services import draws
from league.entries.services import adjustments, entries, withdrawals
from league.models import Competition, Entry, Fixture, Lineup, Notice, Role, User
from league.notices import queries
from league.seasons.services import finishing
from tests.games import boards
from tests.league import factories
from tests.league.draws.test_swiss import decide, drawn_next, swiss
from tests.league.draws.test_swiss import scene as swiss_scene
from tests.league.factories import BEFORE, DIRECTOR, NOW
from tests.scenes import Scene, make_scene, totals_sheet

__all__ = ["swiss_scene"]
pytestmark = pytest.mark.django_db
MATCH = "Berg & Okafor – Novak & Reyes"


def told(user: User, event: str = "") -> list[tuple[str, str]]:
    """Title and text of what the person was told, newest first."""
    found = Notice.objects.of(user).select_related("club")
    lines = queries.lines(found.filter(event=event) if event else found)
    return [(line.words.title, line.words.text) for line in lines]


def with_accounts(competition: Competition) -> list[tuple[Entry, User]]:
    """Each entry with the account of one of its players; the other has none."""
    rows = competition.entries.with_pairs().order_by("number")
    return [(entry, factories.account_of(entry.lineup)) for entry in rows]


def test_with_the_publishing_each_hears_of_their_own_matches() -> None:
    competition = factories.competition(factories.club(), pairs=4, name="Winter League")
    people = with_accounts(competition)
    director = factories.member(competition.club, Role.DIRECTOR, people[0][1])
    draws.draw(actor=DIRECTOR, competition=competition)
    assert not Notice.objects.exists(), "nobody hears of a draft"
    factories.competitions.publish(actor=director, competition=competition)
    assert told(director) == [], "nobody is told of what they did"
    for entry, user in people[1:]:
        ((title, text),) = told(user)
        assert title == f"{competition}: your matches"
        assert str(entry) in text
        own = Fixture.objects.of_entry(entry.pk).with_pairs()
        assert text.count(" – ") == own.count() == 3
        assert all(str(each) in text for each in own)
    draws.draw(actor=director, competition=competition)
    assert told(people[1][1])[0][0] == f"{competition}: the matches were drawn again"
    assert told(director) == []


def test_a_round_of_a_swiss_is_told_when_it_is_drawn_and_when_that_is_undone(swiss_scene) -> None:
    competition, division = swiss(swiss_scene)
    people = with_accounts(competition)
    decide(division, 1)
    drawn_next(swiss_scene, division, 2)
    for entry, user in people:
        ((title, text),) = told(user, "new_matches")
        assert title == f"{competition}: Round 2 drawn"
        fixture = Fixture.objects.of_entry(entry.pk).with_pairs().get(round__number=2)
        assert text.endswith(str(fixture))
        assert text.count(" – ") == 1


def enter_and_confirm(scene: Scene) -> Scoresheet:
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, origin="page",
        content=totals_sheet((60, 20), (50, 30)),
    )  # fmt: skip
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def test_a_confirmation_is_told_to_all_but_who_confirmed() -> None:
    scene = make_scene()
    enter_and_confirm(scene)
    for name in ("anna", "chidi", "luis"):
        ((title, text),) = told(scene.users[name], "sheet_confirmed")
        assert title == f"{MATCH}: the result counts"
        assert text == (
            "Eva Novak confirmed the scoresheet. This result now counts:\n\n"
            "Berg & Okafor 410 – 50 Novak & Reyes"
        )
    assert told(scene.users["eva"], "sheet_confirmed") == []
    assert not Notice.objects.filter(user=scene.users["iris"]).exists()


def test_a_correction_says_what_it_was_before_and_a_reopening_why() -> None:
    scene = make_scene()
    enter_and_confirm(scene)
    Notice.objects.all().delete()
    corrected = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, origin="page",
        content=totals_sheet((60, 20), (60, 20)),
    )  # fmt: skip
    scoresheets.confirm(actor=scene.users["luis"], sheet=corrected, digest=corrected.digest)
    ((title, text),) = told(scene.users["chidi"])
    assert title == f"{MATCH}: the result was corrected"
    assert "Anna Berg entered a correction, and Luis Reyes confirmed it." in text
    assert text.endswith(
        "Berg & Okafor 420 – 40 Novak & Reyes\n\nBefore: Berg & Okafor 410 – 50 Novak & Reyes"
    )
    assert told(scene.users["luis"], "sheet_corrected") == []

    Notice.objects.all().delete()
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="A deal is missing")
    for name in ("anna", "chidi", "eva", "luis"):
        ((title, text),) = told(scene.users[name])
        assert title == f"{MATCH}: reopened"
        assert "Dora Director reopened your match and wrote:\n\nA deal is missing" in text
    assert told(scene.users["dora"]) == []


def test_of_a_withdrawal_each_hears_what_it_changes_for_them() -> None:
    competition = factories.running(factories.club(), 5)
    people = with_accounts(competition)
    leaving, own = people[0]
    for fixture in Fixture.objects.of_entry(leaving.pk).order_by("round__number")[:1]:
        factories.result(fixture, 60, 40)
        (met,) = [each.pk for each in fixture.others(leaving)]
    Notice.objects.all().delete()
    withdrawals.withdraw(actor=DIRECTOR, entry=leaving, reason="An operation", at=NOW)
    ((_title, text),) = told(own)
    assert "Reason: An operation" in text
    for entry, user in people[1:]:
        ((title, text),) = told(user)
        assert title == f"{competition}: {leaving} withdraw"
        assert "none of their results counts" in text
        assert "operation" not in text, "why is the pair's own affair"
        assert ("the result no longer counts" in text) == (entry.pk == met)
        assert ("isn’t played, and counts for nobody" in text) == (entry.pk != met)

    Notice.objects.all().delete()
    withdrawals.reinstate(actor=DIRECTOR, entry=leaving, reason="Well again", at=NOW)
    for entry, user in people:
        found = told(user)
        assert [title for title, _text in found] == (
            [] if entry.pk == met else [f"{competition}: {leaving} are back"]
        )
    assert told(own)[0][1].count(" – ") == 3


def test_walkovers_by_a_withdrawal_are_told_once_with_it() -> None:
    competition = factories.running(factories.club(), 3)
    people = with_accounts(competition)
    leaving = people[0][0]
    first, second = Fixture.objects.of_entry(leaving.pk).order_by("round__number")
    factories.result(first, 60, 40)
    Notice.objects.all().delete()
    factories.member(competition.club, Role.DIRECTOR, people[0][1])
    withdrawals.withdraw(actor=people[0][1], entry=leaving, reason="Moved", at=NOW)
    (winner,) = second.others(leaving)
    (other,) = first.others(leaving)
    users = {entry.pk: user for entry, user in people}
    ((_title, text),) = told(users[winner.pk])
    assert text.endswith(": you win by walkover")
    assert told(users[other.pk]) == [], "nothing changes for them"
    assert told(people[0][1]) == []


def test_a_late_pair_and_its_opponents_hear_of_their_matches() -> None:
    competition = factories.running(factories.club(), 3)
    people = with_accounts(competition)
    Notice.objects.all().delete()
    late: Lineup = factories.pair(competition.club)
    account = factories.account_of(late)
    entries.enter(actor=DIRECTOR, division=competition.stage.divisions.get(), lineup=late, at=BEFORE)
    assert told(account)[0][1].count(" – ") == 3
    for _entry, user in people:
        ((title, text),) = told(user)
        assert title == f"{competition}: {late} join"
        assert text.count(" – ") == text.count(str(late)) - 1 == 1


def test_points_given_or_taken_are_told_to_the_pair_with_the_reason() -> None:
    competition = factories.running(factories.club(), 3)
    people = with_accounts(competition)
    Notice.objects.all().delete()
    made = adjustments.adjust(actor=DIRECTOR, entry=people[0][0], points="-1/2", reason="Late twice")
    ((title, text),) = told(people[0][1])
    assert title == f"{competition}: your league points were adjusted (−0.5)"
    assert text.endswith("Reason: Late twice")
    assert told(people[1][1]) == []
    adjustments.revoke(actor=DIRECTOR, adjustment=made, reason="Wrong pair", at=NOW)
    assert told(people[0][1])[0][0] == f"{competition}: an adjustment of your points was undone"


def test_at_the_end_each_hears_of_their_place_and_their_next_division() -> None:
    competition = factories.running(factories.club(), pairs=3, divisions=2)
    competition.stage.divisions.filter(level=1).update(relegated=1)
    competition.stage.divisions.filter(level=2).update(promoted=1)
    people = with_accounts(competition)
    for fixture in Fixture.objects.of_competition(competition.pk):
        first, second = fixture.entries
        factories.result(fixture, *((60, 40) if first.number < second.number else (40, 60)))
    Notice.objects.all().delete()
    finishing.finish(actor=DIRECTOR, competition=competition, at=timezone.now() + timedelta(days=30))
    said = {(entry.division.level, entry.number): told(user) for entry, user in people}
    assert all(len(each) == 1 for each in said.values())
    names = [division.name for division in competition.stage.divisions.order_by("level")]
    assert said[1, 1][0][0] == f"{competition}: you finish in place 1"
    assert said[1, 1][0][1].endswith(f"Next season you play in {names[0]}.")
    assert said[1, 3][0][1].endswith(f"You are relegated: next season you play in {names[1]}.")
    assert said[2, 1][0][1].endswith(f"You are promoted: next season you play in {names[0]}.")
    assert "place 3 of 3 in" in said[2, 3][0][1]
    before = Notice.objects.count()
    finishing.finish(actor=DIRECTOR, competition=competition, at=timezone.now() + timedelta(days=30))
    assert Notice.objects.count() == before, "finishing twice tells once"


def test_who_played_the_boards_is_told_when_all_of_their_match_are_public() -> None:
    scene = boards.duplicate_scene()
    boards.sealed(scene)
    first, second = [each for each in scene.fixtures if each.round_id == scene.rounds[0].pk]
    boards.play(scene, first)
    assert not Notice.objects.filter(event="boards_open").exists(), "the other table still plays them"
    boards.play(scene, second)
    rows = Notice.objects.filter(event="boards_open")
    entered = [entry for each in (first, second) for entry in each.entries]
    people = {player.user_id for entry in entered for player in entry.lineup.players}
    assert {row.user_id for row in rows} == people
    assert rows.count() == len(people) == 8
    for row in rows:
        assert set(row.context) == {"club_name", "competition", "match", "name", "path", "who"}
        assert f"/{scene.competition.slug}/scorecards/" in row.context["path"]
