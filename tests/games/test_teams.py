"""Teams of four from the set-up to the table (F60 to F68)."""

import pytest
from django.utils import timezone

from engine.contest.points.parsing import read_scheme
from games.matches import verification
from games.scoresheets.services import matches, scoresheets
from league.draws.services import rounds, ties
from league.fixtures.services import fixtures
from league.models import Appearance, Fixture
from league.standings.queries import compute_table, read_facts
from tests.games.team_leagues import make_league, name_pairs, play_room, rooms_of

pytestmark = pytest.mark.django_db
Status = Fixture.Status

OPEN = [(72, 12), (40, 30), (20, 45), (60, 10)]
CLOSED = [(33, 26), (40, 30), (30, 30), (50, 20)]


@pytest.fixture
def league():
    return make_league()


def reckoned_otherwise(league):
    found = verification.differences(competition=league.competition)
    return [each for each in found if each.what == "the result of the teams"]


def played(league, match=None):
    match = match or league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    play_room(closed_room, CLOSED)
    return Fixture.objects.with_pairs().get(pk=match.pk)


def test_f60_the_home_team_sits_north_south_in_the_open_room_and_east_west_in_the_closed_one(league):
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    home, away = match.entries
    assert [each.team for each in open_room.entries] == [home, away]
    assert [each.team for each in closed_room.entries] == [away, home]
    boards = [list(room.boards.values_list("board", flat=True)) for room in (open_room, closed_room)]
    assert boards[0] == boards[1]
    assert len(boards[0]) == 4


def test_f62_f63_f65_a_match_is_reckoned_over_both_rooms(league):
    match = played(league)
    # Nets: 60-7=53, 0, -25-0=-25, 50-30=20; by tens 530, 0, -250, 200 points: 11, 0, -6, 5 IMPs.
    assert match.status == Status.CONFIRMED
    home, away = match.sides
    assert (home.score, away.score) == (16, 6)
    assert (home.made["imps"], home.made["net"]) == (10, 48)
    assert home.rank == 1
    assert away.rank == 2
    table = compute_table(read_facts(match.division))
    assert [row.entry for row in table.rows] == [home.entry_id, away.entry_id]
    assert sum(row.league_points for row in table.rows) == 20
    assert not reckoned_otherwise(league)
    Appearance.objects.filter(pk=home.pk).update(made={**home.made, "imps": 11})
    assert reckoned_otherwise(league)


def test_f4_nothing_is_entered_while_another_match_plays_the_boards():
    league = make_league(teams=4)
    match = played(league, league.match(at=0))
    assert match.status == Status.IN_PLAY
    assert not match.has_result
    other = league.match(at=1)
    assert not other.rooms.exists()
    played(league, other)
    match.refresh_from_db()
    assert match.status == Status.CONFIRMED
    assert rooms_of(match)[0].boards.filter(board__released_at=None).count() == 0


def test_f67_a_walkover_is_twelve_to_nothing(league):
    match = league.match()
    fixtures.award_walkover(actor=league.director, fixture=match, losing=[match.away], reason="Nobody came.")
    table = compute_table(read_facts(match.division))
    assert [row.league_points for row in table.rows] == [12, 0]
    scheme = read_scheme(league.competition.points)
    assert read_scheme(scheme.as_json()) == scheme


@pytest.mark.parametrize(
    ("method", "scores", "points"),
    [("point_a_board", (5, 3), ("5/2", "3/2")), ("total", (298, 250), (48, -48))],
)
def test_f64_a_match_is_scored_by_the_chosen_method(method, scores, points):
    league = make_league(team_method=method)
    match = played(league)
    assert tuple(side.score for side in match.sides) == scores
    assert tuple(side.made["points"] for side in match.sides) == points


def test_f68_in_a_cup_the_better_team_goes_on():
    league = make_league(teams=4, format="knockout")
    division = league.competition.stage.divisions.get()
    for place in range(2):
        played(league, league.match(at=place))
    final = league.competition.stage.rounds.get(number=2)
    drawn = ties.propose(division=division, round_=final)
    rounds.publish(actor=league.director, division=division, number=2, at=timezone.now(), seen=drawn.digest)
    match = league.match(2)
    assert {entry.number for entry in match.entries} == {
        fixture.home.number for fixture in first_round(league)
    }


def first_round(league):
    return [league.match(1, at=place) for place in range(2)]


def test_a_reopened_room_takes_the_result_of_its_match_back(league):
    match = played(league)
    room = rooms_of(match)[0]
    matches.reopen(actor=league.director, fixture=room, reason="Misread.")
    match.refresh_from_db()
    assert match.status == Status.REOPENED
    assert not match.has_result
    sheet = play_room(room, [(72, 12), (40, 30), (20, 45), (60, 20)])
    # Its boards are public: an official has to confirm it, too.
    scoresheets.confirm(actor=league.director, sheet=sheet, digest=sheet.digest)
    match.refresh_from_db()
    assert match.status == Status.CONFIRMED
    assert match.sides[0].made["net"] == 38
