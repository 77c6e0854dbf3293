"""Teams of four from the set-up to the table (F60 to F68)."""

import pytest
from django.test import Client
from django.utils import timezone

from engine.contest.points.parsing import read_scheme
from games.boards.services import boards
from games.comparisons.services import awards
from games.grades import facts
from games.matches import verification
from games.models import AdjustedScore, BoardSet, Scoresheet
from games.papers import certificates
from games.scoresheets.services import matches, scoresheets
from league.draws.services import rounds, ties
from league.errors import Invalid
from league.fixtures.services import fixtures, substitutions
from league.models import Appearance, Fixture
from league.people.services import lineups
from league.seasons.queries import ending as endings
from league.standings.queries import compute_table, read_facts
from league.teams import queries as teams
from tests.games.team_leagues import make_league, name_pairs, play_room, rooms_of
from tests.league import factories

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


def test_f62_a_directors_score_of_one_room_counts_in_the_boards_net_until_it_is_taken_back(league):
    match = played(league)
    play = rooms_of(match)[0].boards.select_related("board", "fixture").get(position=1)
    score = {"scores": [{"home": "27", "away": "20"}]}
    given = awards.award(actor=league.director, play=play, content=score, reason="A card was seen.")
    match.refresh_from_db()
    # The first net is 7-7=0 instead of 53: 11 IMPs and 53 points less.
    assert (match.sides[0].made["imps"], match.sides[0].made["net"]) == (-1, -5)
    assert (match.sides[0].score, match.sides[1].score) == (5, 6)
    assert not reckoned_otherwise(league)
    (rated,) = [each for each in facts.of_competition(league.competition).values() if "imps" in each.content]
    assert (rated.content["boards"], rated.content["imps"]) == (3, -1)
    awards.revoke(actor=league.director, award=given, reason="Nobody had seen it.", at=timezone.now())
    match.refresh_from_db()
    assert (match.sides[0].made["imps"], match.sides[0].made["net"]) == (10, 48)


def test_f62_a_board_with_other_cards_in_one_room_has_no_net_until_the_mark_is_taken_back(league):
    match = played(league)
    play = rooms_of(match)[1].boards.select_related("board", "fixture__round__stage").get(position=1)
    boards.mark_version(actor=league.director, play=play, version="B", reason="East had South's cards.")
    match.refresh_from_db()
    # Without the first net of 53 points, 11 IMPs.
    assert (match.sides[0].made["imps"], match.sides[0].made["net"]) == (-1, -5)
    assert not reckoned_otherwise(league)
    assert "different cards in the two rooms" in Client().get(match.get_absolute_url()).text
    boards.mark_version(actor=league.director, play=play, version="", reason="They were as dealt.")
    match.refresh_from_db()
    assert (match.sides[0].made["imps"], match.sides[0].made["net"]) == (10, 48)
    assert not reckoned_otherwise(league)


def test_f62_a_room_takes_no_sheet_of_fewer_boards_than_lie_in_both(league):
    open_room, _closed = name_pairs(league, league.match())
    with pytest.raises(Invalid):
        play_room(open_room, OPEN[:3])
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize(
    "content",
    [
        {"percent": {"home": "60", "away": "40"}},
        {
            "scores": [
                {"home": "40", "away": "16", "weight": "1/2"},
                {"home": "0", "away": "0", "weight": "1/2"},
            ]
        },
        {"scores": [{"home": "1/2", "away": "16"}]},
    ],
)
def test_f66_what_no_net_follows_from_is_not_for_a_room(league, content):
    match = played(league)
    play = rooms_of(match)[0].boards.select_related("board", "fixture").get(position=1)
    with pytest.raises(Invalid, match="page of the match"):
        awards.award(actor=league.director, play=play, content=content, reason="A card was seen.")
    match.refresh_from_db()
    assert match.sides[0].made["net"] == 48
    assert not AdjustedScore.objects.exists()


def test_f66_percentages_of_a_whole_match_are_not_for_a_room(league):
    room, _closed = name_pairs(league, league.match())
    content = {"percent": {"home": "60", "away": "40"}}
    with pytest.raises(Invalid, match="page of the match"):
        awards.award_all(actor=league.director, fixture=room, content=content, reason="A card was seen.")
    assert not AdjustedScore.objects.exists()


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


def test_f45_f68_a_level_match_of_teams_plays_boards_of_the_reserve():
    league = make_league(teams=2, format="knockout")
    match = league.match()
    for room in name_pairs(league, match):
        play_room(room, OPEN)
    made = BoardSet.objects.get()
    assert not made.boards.filter(purpose="original", released_at=None).exists()
    assert not made.opened, "the match is known to be level only once its boards are public"
    assert "Now play these boards from the reserve: 7 (" in Client().get(match.get_absolute_url()).text
    ties.play_extra(actor=league.director, fixture=match, scores=(6, 0), at=timezone.now())
    made.refresh_from_db()
    assert made.opened


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


def test_f68_for_places_and_prizes_count_those_who_played_half_of_the_boards(league):
    match = played(league)
    home = match.home
    reserve = league.player("Ida")
    counted = {share.player: share.counts for share in teams.shares([home])[home.pk]}
    assert counted.pop(reserve) is False
    assert all(counted.values())
    assert len(counted) == 4
    page = Client().get(home.lineup.get_absolute_url()).content.decode()
    assert "0 of 1" in page
    assert "not yet: fewer than half" in page
    assert reserve.name not in certificates._who_counts(league.competition)[home.lineup_id]


def test_f68_who_takes_a_seat_after_the_rooms_are_open_has_played(league):
    match = league.match()
    home = match.home
    open_room, closed_room = name_pairs(league, match)
    carl, ida = league.player("Carl"), league.player("Ida")
    for other in (league.player("Sina"), league.player("Eva")):
        # Of the other team, and of the other room.
        with pytest.raises(Invalid, match="in the same round"):
            substitutions.appoint(
                actor=league.director, fixture=open_room, absent=carl, substitute=other, reason="Carl is ill."
            )
    substitutions.appoint(
        actor=league.director, fixture=open_room, absent=carl, substitute=ida, reason="Carl is ill."
    )
    play_room(open_room, OPEN)
    play_room(closed_room, CLOSED)
    counted = {share.player.pk: share.played for share in teams.shares([home])[home.pk]}
    assert (counted[carl.pk], counted[ida.pk]) == (0, 1)


def test_f89_a_team_keeps_its_place_with_two_who_played_half_of_its_matches(league):
    match = played(league)
    home = match.home
    four = [player for player in home.lineup.players if player != league.player("Ida")]
    shares = teams.shares([home])[home.pk]
    others = [factories.player(league.club) for _each in range(3)]
    for stay, may in ((four[:2], True), ([four[0], league.player("Ida")], False), (four[:1], False)):
        new = lineups.make(league.club, [(sorted(each.pk for each in (*stay, *others)), "New")])[0]
        assert endings.may_keep(home, new, shares) is may, stay


def test_a_swiss_of_teams_is_drawn_from_its_results():
    league = make_league(teams=4, format="swiss", planned_rounds=2)
    division = league.competition.stage.divisions.get()
    for place in range(2):
        played(league, league.match(at=place))
    second = league.competition.stage.rounds.get(number=2)
    drawn = rounds.propose(division=division, round_=second)
    rounds.publish(actor=league.director, division=division, number=2, at=timezone.now(), seen=drawn.digest)
    met = {frozenset(entry.pk for entry in match.entries) for match in all_of(league, 1)}
    again = {frozenset(entry.pk for entry in match.entries) for match in all_of(league, 2)}
    assert len(again) == 2
    assert not met & again


def all_of(league, number):
    return Fixture.objects.of_competition(league.competition.pk).with_pairs().filter(round__number=number)
