"""Pages of a league of teams: set-up, a captain's line-up, the two rooms, the match board by board."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from html import unescape

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.comparisons.services import comparisons, team_results
from games.matches.team_matches import SoFar, Sums, team_match
from games.models import Board, BoardAverage
from games.papers.kinds import KINDS
from games.papers.services import papers
from league.entries.services import withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures, reminders
from league.manage.forms.setup import CompetitionForm
from league.models import (
    AuditEntry,
    Competition,
    Entry,
    Fixture,
    Membership,
    NamedPairs,
    Notice,
    OutboxMessage,
)
from league.notices import queries as notices
from league.notices.services import outbox
from league.standings.services import standings
from league.teams.services import line_ups
from league.teams.services.line_ups import Pairs
from tests.games.team_leagues import four, make_league, name_pairs, play_room, rooms_of, tomorrow
from tests.games.test_pairing_papers import order, text_of
from tests.league import factories

pytestmark = pytest.mark.django_db
Status = Fixture.Status
#: Totals that stand nowhere else: 197 and 149 in the open room.
OPEN = [(60, 31), (47, 38), (50, 40), (40, 40)]
CLOSED = [(33, 26), (40, 30), (30, 30), (50, 20)]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NEEDLES = re.compile(r"\b(197|149)\b")


@pytest.fixture
def league():
    return make_league(teams=4)


def as_(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def seen(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode()


def line_up_of(match, entry):
    return reverse("line_up", args=[match.pk, entry.pk])


def sent(pairs):
    (one, two), (three, four_) = pairs
    return {"open_one": one.pk, "open_two": two.pk, "closed_one": three.pk, "closed_two": four_.pk}


def test_f60_a_director_sets_a_league_of_teams_up_by_its_pages():
    club = factories.club()
    dora = as_(factories.member(club, "director"))
    form = seen(dora, reverse("competition_new", args=[club.slug]))
    assert "Teams of four" in form
    empty = CompetitionForm(club=club)
    usual = {name: empty.get_initial_for_field(field, name) for name, field in empty.fields.items()}
    given = {name: value for name, value in usual.items() if value not in {None, False}}
    given |= {"name": "Teams", "team_method": "imps", "imp_scale": 7, "rules_deals": 6}
    answer = dora.post(reverse("competition_new", args=[club.slug]), given)
    assert answer.status_code == 302, re.findall(r'class="errorlist.*?</ul>', answer.content.decode(), re.S)
    made = Competition.objects.get(slug="teams")
    assert (made.team_method, made.imp_scale) == ("imps", 7)
    assert made.duplicate is not None
    assert made.points == {"by": "teams", "walkover": {"winner": 12, "loser": 0}, "bye": 12}
    pairs = reverse("competition_step", args=[club.slug, "teams", "pairs"])
    assert "Type or paste teams" in seen(dora, pairs)
    typed = "Riverside: Anna Berg, Carl Dorn, Eva Falk, Gerd Hahn\nHilltop: Kai Lenz, Mona Noll, Otto Pohl, Sina Thal"
    assert dora.post(pairs, {"typed": typed, "add": "1"}).status_code == 302
    entered = Entry.objects.filter(competition=made).with_pairs()
    assert [(str(each), str(each.lineup.captain)) for each in entered] == [
        ("Riverside", "Anna Berg"),
        ("Hilltop", "Kai Lenz"),
    ]
    three = dora.post(pairs, {"typed": "Harbour: Ulla Voss, Wim Xaver, Yann Zell", "add": "1"})
    assert three.status_code == 422
    for step in ("competition", "divisions", "calendar", "points", "preview"):
        seen(dora, reverse("competition_step", args=[club.slug, "teams", step]))


def test_f61_line_ups_are_hidden_from_each_other_until_both_are_in(league):
    match = league.match()
    home, away = match.entries
    one, two = as_(league.captain(home)), as_(league.captain(away))
    page = reverse("match", args=[match.pk])
    assert line_up_of(match, home) in seen(one, reverse("my"))
    assert one.get(line_up_of(match, away)).status_code == 403
    seen(one, line_up_of(match, home))
    assert one.post(line_up_of(match, home), sent(four(home))).status_code == 302
    named = [player.name for pair in four(home) for player in pair]
    assert all(name in seen(one, page) for name in named)
    for other in (two, as_(None), as_(league.director)):
        shown = seen(other, page)
        # The captain's name is known to everybody.
        assert not any(name in shown for name in named[1:])
    row = NamedPairs.objects.get(fixture=match)
    assert not Fixture.with_rooms.filter(team_match=match).exists()
    for entry in AuditEntry.objects.filter(fixture=match):
        assert not any(str(key) in json.dumps([entry.before, entry.after]) for key in (row.open_two_id,))
    api = reverse("api_team_match", args=[match.pk])
    assert two.get(api).json()["line_ups"][0]["open"] == []
    assert two.post(line_up_of(match, away), sent(four(away))).status_code == 302
    assert all(player.surname in seen(two, page) for pair in four(home) for player in pair)
    with pytest.raises(Conflict):
        line_ups.name(
            actor=league.captain(home),
            fixture=match,
            entry=home,
            pairs=four(home, first=1),
            at=timezone.now(),
        )
    line_ups.name(
        actor=league.director, fixture=match, entry=home, pairs=four(home, first=1), at=timezone.now()
    )
    assert len(rooms_of(match)) == 2


def test_f61_without_a_word_the_last_line_up_stands(league):
    first, second = league.match(1), None
    home = first.home
    name_pairs(league, first)
    played = Fixture.objects.of_entry(home.pk).with_pairs().filter(round__number=2).get()
    second = played
    line_ups.name(
        actor=league.captain(second.others(home)[0]),
        fixture=second,
        entry=second.others(home)[0],
        pairs=four(second.others(home)[0]),
        at=timezone.now(),
    )
    Fixture.objects.filter(pk=second.pk).update(starts_at=timezone.now())
    assert line_ups.stand_due(at=tomorrow()) >= 1
    row = NamedPairs.objects.get(fixture=second, entry=home)
    assert row.has_stood
    assert [row.open_one, row.open_two] == list(four(home).in_open)
    assert second.rooms.count() == 2


@pytest.mark.parametrize("fault", ["twice", "stranger", "three", "other team"])
def test_a_line_up_that_cannot_be_is_refused_and_nothing_is_written(league, fault):
    match = league.match()
    home, away = match.entries
    (one, two), (three, last) = four(home)
    pairs = {
        "twice": Pairs((one, two), (one, last)),
        "stranger": Pairs((one, two), (three, factories.player(league.club))),
        "three": Pairs((one, two), (three,)),
        "other team": Pairs((one, two), tuple(four(away).in_open)),
    }[fault]
    with pytest.raises(Invalid):
        line_ups.name(actor=league.captain(home), fixture=match, entry=home, pairs=pairs, at=timezone.now())
    with pytest.raises(NotAllowed):
        line_ups.name(
            actor=league.captain(away), fixture=match, entry=home, pairs=four(home), at=timezone.now()
        )
    assert not NamedPairs.objects.exists()


def addresses(league, match):
    """Where something of a room could be read."""
    club, slug = league.club.slug, league.competition.slug
    rooms = [each.pk for each in match.rooms]
    yield reverse("match", args=[match.pk])
    for name in (
        "match",
        "match_boards",
        "api_match",
        "api_match_audit",
        "api_sheets",
        "match_live",
        "api_team_match",
    ):
        yield from (reverse(name, args=[pk]) for pk in rooms)
    yield reverse("api_team_match", args=[match.pk])
    yield reverse("api_match", args=[match.pk])
    yield reverse("api_fixtures") + f"?competition={league.competition.pk}"
    yield reverse("api_standings", args=[league.competition.pk])
    for name in ("competition", "competition_fixtures", "competition_cross_table", "competition_progress"):
        yield reverse(name, args=[club, slug])
    yield reverse("round", args=[club, slug, 1])
    yield reverse("round_comparison", args=[club, slug, 1])
    yield reverse("competition_file", args=[club, slug, "fixtures", "csv"])
    yield from (reverse("my"), reverse("home"), reverse("club", args=[club]), reverse("desk", args=[club]))
    yield reverse("desk_trail", args=[club])
    for entry in match.entries:
        yield entry.lineup.get_absolute_url()
        for player in entry.lineup.players:
            yield player.get_absolute_url()
    for pair in Entry.with_rooms.filter(team__isnull=False):
        yield pair.lineup.get_absolute_url()
        yield reverse("scorecard", args=[club, slug, pair.pk])


def test_points_are_written_as_in_the_language_of_the_reader():
    sums = Sums(points=("12.34", "7.66"), imps=(9, -9), net=40, why="")
    assert sums.points_text == "12.34 – 7.66"
    with translation.override("de"):
        assert sums.points_text == "12,34 – 7,66"


def test_papers_of_teams_are_written_as_in_german():
    league = make_league()
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    play_room(closed_room, CLOSED)
    standings.compute(competition_id=league.competition.pk, at=timezone.now())
    comparisons.compute_event(competition_id=league.competition.pk, at=timezone.now())
    with translation.override("de"):
        cards, results = (
            " ".join(" ".join(text_of(KINDS[kind].make(order(league.competition)).content)).split())
            for kind in ("team_cards", "results")
        )
    sums = team_match(fixture=match, visitor=AnonymousUser()).sums
    points = [each.replace(".", ",") for each in sums.points]
    assert f"{match.home} {points[0]} – {points[1]} {match.away}." in cards
    assert all("," in each and each.rstrip("0") in results for each in points)
    assert "Platz Team Nr. Gespielt" in results
    assert "Platz Paar Boards" in results, "the pairs of teams have no number"


def give_other_keys():
    """PostgreSQL counts keys on from test to test: none is to be a number that is looked for."""
    if connection.vendor == "postgresql":
        sequence = "format('%I.%I', schemaname, sequencename)::regclass"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT setval({sequence}, greatest(1000, last_value)) FROM pg_sequences")


def test_f4_nothing_of_a_room_is_told_while_others_play_its_boards():
    give_other_keys()
    league = make_league(teams=4)
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    insiders = {player.user_id for entry in open_room.entries for player in entry.lineup.players}
    ida = league.users["ida"]
    Membership.objects.filter(club=league.club, user=ida).update(role="director")
    for user in (None, ida, *(league.users[name] for name in ("eva", "kaspar", "ulla"))):
        if user is not None and user.pk in insiders:
            continue
        client = as_(user)
        for address in addresses(league, match):
            told = client.get(address).content.decode()
            assert not NEEDLES.search(told), (user, address)
    for entry in AuditEntry.objects.all():
        kept = json.dumps([entry.before, entry.after, entry.summary, entry.reason], default=str)
        assert not NEEDLES.search(kept), entry.action
    theirs = [user.email for user in league.users.values() if user.pk in insiders]
    for mail in OutboxMessage.objects.exclude(to__in=theirs):
        assert not NEEDLES.search(str(outbox.context_of(mail)))
    own = as_(next(user for user in league.users.values() if user.pk in insiders))
    assert "60 : 31" in seen(own, reverse("match", args=[match.pk]))
    assert NEEDLES.search(seen(own, reverse("match", args=[open_room.pk])))
    play_room(closed_room, CLOSED)
    match.refresh_from_db()
    assert not match.has_result
    assert as_(None).get(reverse("api_team_match", args=[match.pk])).json()["result"] is None


def test_f62_to_f66_the_page_tells_everything_once_the_boards_are_public():
    league = make_league()
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, [(72, 12), (40, 30), (20, 45), (60, 10)])
    play_room(closed_room, [(33, 26), (40, 30), (30, 30), (50, 20)])
    shown = seen(as_(None), reverse("match", args=[match.pk]))
    assert "(72 − 12) − (33 − 26) = 53" in shown
    data = as_(None).get(reverse("api_team_match", args=[match.pk])).json()
    assert [board["net"] for board in data["boards"]] == [53, 0, -25, 20]
    assert [board["imps"] for board in data["boards"]] == [[11, -11], [0, 0], [-6, 6], [5, -5]]
    assert data["result"]["imps"] == [10, -10]
    board = open_room.boards.get(position=1).board
    team_results.give_average(
        actor=league.director, fixture=match, board=board, imps=(3, -3), reason="Fouled."
    )
    match.refresh_from_db()
    assert [side.made["imps"] for side in match.sides] == [2, -2]
    team_results.take_average_back(actor=league.director, fixture=match, board=board, reason="It was not.")
    match.refresh_from_db()
    assert [side.made["imps"] for side in match.sides] == [10, -10]
    assert BoardAverage.objects.filter(revoked_at=None).count() == 0
    average = reverse("team_average", args=[match.pk, board.number])
    dora = as_(league.director)
    assert dora.post(average, {"home": 0, "away": 0, "reason": "A card was missing."}).status_code == 302
    assert as_(league.captain(match.home)).get(average).status_code == 403


def test_the_score_cards_are_printed_with_what_is_public():
    league = make_league()
    match = league.match()
    asked = {"round": match.round_id, "site": "https://cards.example.org/"}
    ask = partial(
        papers.ask, actor=league.director, competition=league.competition, kind="team_cards", parameters=asked
    )
    waiting = ask()
    papers.make_paper(paper_id=waiting.pk, at=timezone.now())
    waiting.refresh_from_db()
    assert "two rooms" in waiting.failure
    for room, results in zip(name_pairs(league, match), ((72, 12), (33, 26)), strict=True):
        play_room(room, [results, (40, 30), (40, 30), (40, 30)])
    paper = ask()
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    paper.refresh_from_db()
    assert (paper.state, paper.failure) == ("ready", "")


def test_f66_with_fewer_than_half_of_the_boards_a_director_decides():
    league = make_league()
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    play_room(closed_room, CLOSED)
    for play in open_room.boards.all()[:3]:
        team_results.give_average(
            actor=league.director, fixture=match, board=play.board, imps=(0, 0), reason="Fouled."
        )
    match.refresh_from_db()
    assert match.status == Status.REOPENED
    assert "Fewer than half" in seen(as_(None), reverse("match", args=[match.pk]))
    fixtures.award_walkover(
        actor=league.director, fixture=match, losing=[match.away], reason="They brought the wrong cards."
    )
    match.refresh_from_db()
    assert match.status == Status.WALKOVER


def test_f67_a_walkover_and_a_withdrawal_make_the_rooms_void_and_back(league):
    match = league.match()
    name_pairs(league, match)
    fixtures.award_walkover(actor=league.director, fixture=match, losing=[match.away], reason="Nobody came.")
    assert {room.status for room in match.rooms} == {Status.VOID}
    with pytest.raises(Conflict):
        fixtures.void(actor=league.director, fixture=rooms_of(match)[0], reason="No.")
    match.refresh_from_db()
    fixtures.restore(actor=league.director, fixture=match, reason="They came.")
    assert {room.status for room in match.rooms} == {Status.SCHEDULED}
    withdrawals.withdraw(actor=league.director, entry=match.away, reason="Moved away.", at=timezone.now())
    assert {room.status for room in match.rooms} == {Status.VOID}


def test_f61_captains_are_reminded_of_a_line_up_and_nobody_of_one_that_is_in(league):
    match, other = league.match(at=0), league.match(at=1)
    for each in (match, other):
        Fixture.objects.filter(pk=each.pk).update(starts_at=NOON + timedelta(days=2))
    name_pairs(league, other)
    reminders.sweep(at=NOON)
    said = {}
    for each in (match, other):
        user = league.captain(each.home)
        rows = Notice.objects.filter(user=user, event="match_soon").select_related("club")
        said[each.pk] = notices.lines(rows)[0].words.text
    assert "Your team plays on" in said[match.pk]
    assert "please name your line-up" in said[match.pk]
    assert "line-up" not in said[other.pk]


def test_hidden_line_ups_stand_in_no_page_file_or_answer(league):
    match = league.match()
    home, away = match.entries
    one, two, three, last = (player for pair in four(home) for player in pair)
    pairs = Pairs((one, three), (last, two))
    line_ups.name(actor=league.captain(home), fixture=match, entry=home, pairs=pairs, at=timezone.now())
    row = NamedPairs.objects.get(fixture=match)
    named, first_name = (one, three), three.name.split()[0]
    together = re.compile(rf"{one.surname}\W{{1,8}}(?:{first_name} )?{three.surname}")
    #: In a list of the team all its players stand; what tells is who sits beside whom.
    for user in (None, league.director, league.captain(away)):
        client = as_(user)
        page = seen(client, reverse("match", args=[match.pk]))
        assert not together.search(unescape(page)), user
        told = client.get(reverse("api_team_match", args=[match.pk])).json()["line_ups"]
        assert [(each["open"], each["closed"]) for each in told] == [([], []), ([], [])]
        for address in (
            reverse("api_match", args=[match.pk]),
            reverse("api_fixtures") + f"?competition={league.competition.pk}",
            reverse("api_match_audit", args=[match.pk]),
            reverse("desk_trail", args=[league.club.slug]),
            reverse("my"),
            reverse("competition_file", args=[league.club.slug, league.competition.slug, "fixtures", "csv"]),
            reverse("calendar_of", args=["public", "competitions", league.competition.pk]),
        ):
            said = unescape(client.get(address).content.decode())
            assert not together.search(said), (user, address)
    # Control: once both are in, everybody sees it.
    line_ups.name(actor=league.captain(away), fixture=match, entry=away, pairs=four(away), at=timezone.now())
    assert together.search(unescape(seen(as_(None), reverse("match", args=[match.pk]))))
    assert row.open_one_id == named[0].pk


def test_the_wall_tells_a_director_no_more_than_a_visitor(league):
    """F4: the whole room reads it, so that those who see more of the boards see no more there."""
    match = league.match()
    address = reverse("team_wall", args=[match.pk])
    assert "Who plays in which room appears here" in seen(as_(None), address)
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    player = league.captain(match.home)
    for user in (None, player, league.director):
        page = unescape(seen(as_(user), address))
        assert str(open_room.entries[0]) in page
        assert "still sealed" in page
        assert not re.search(r"60 : 31|\+\d+ IMPs", page)
    assert "60 : 31" in seen(as_(player), reverse("match", args=[match.pk]))
    live = re.search(r'data-live="([^"]+)"', seen(as_(None), address))
    assert as_(None).get(unescape(live[1])).status_code == 204
    play_room(closed_room, CLOSED)
    assert as_(None).get(unescape(live[1])).status_code == 200, "the closed room is confirmed now"
    other = league.match(at=1)
    for room, points in zip(name_pairs(league, other), (OPEN, CLOSED), strict=True):
        play_room(room, points)
    page = seen(as_(None), address)
    score = re.search(r'class="score">([^<]+)<', seen(as_(None), reverse("match", args=[match.pk])))
    assert f"<strong>{score[1]}</strong>" in page
    assert "60 : 31 · 33 : 26" in page
    assert as_(None).get(reverse("team_wall", args=[open_room.pk])).status_code == 404


def test_the_wall_adds_up_the_boards_that_are_public(league):
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, OPEN)
    play_room(closed_room, CLOSED)
    shown = team_match(fixture=match, visitor=AnonymousUser())
    assert shown.so_far is None
    first = [each.board for each in open_room.boards.select_related("board").order_by("position")[:1]]
    Board.objects.filter(pk__in=[each.pk for each in first]).update(released_at=NOON)
    # 29 - 7 = 22: 220 points are 6 IMPs.
    assert team_match(fixture=match, visitor=AnonymousUser()).so_far == SoFar(6, 1)
    assert "+6 IMPs" in " ".join(seen(as_(None), reverse("team_wall", args=[match.pk])).split())
