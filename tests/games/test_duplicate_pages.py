"""The pages of a duplicate event: what they say, what they keep to themselves, and how many queries they need."""

import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.contest import exact
from engine.contest.movements.sections import Choice, Kind
from engine.deals import Deal
from engine.seats import SEATS
from games import board_cards
from games.boards.services import releases, versions
from games.comparisons.services import awards
from games.embargo import Sight
from games.events.queries import scorecards, side_by_side, travellers
from games.models import AdjustedScore, Analysis, Comparison, EventRanking, FixtureBoard
from league.models import User
from tests.games import duplicate_events as evenings
from tests.games import events
from tests.games.duplicate_events import Evening
from tests.kept_scenes import kept
from tests.league import factories

pytestmark = pytest.mark.django_db

SEALED = "cards sealed"
CARDS = "all hands"
TRAVELLER = "All tables"
HOWELL = Choice(Kind.HOWELL, 2, 3)


@pytest.fixture
def evening() -> Evening:
    """Two tables that meet in three rounds, a board each; nobody has played."""
    return evenings.make_evening(pairs=4, boards=1, choice=HOWELL)


@kept
def play() -> Evening:
    evening = evenings.make_evening(pairs=4, boards=1, choice=HOWELL)
    for number in (1, 2, 3):
        evenings.play_round(evening, number)
    evenings.settle(evening)
    return evening


@pytest.fixture
def played() -> Evening:
    """The same, all rounds played."""
    return play()


def get(address: str, user: User | None = None, **query: str | int) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return unescape(answer.text)


def board_address(evening: Evening, number: int) -> str:
    return reverse("board", args=[evening.board_set.pk, number])


def address(evening: Evening, name: str, *more: object) -> str:
    return reverse(name, args=[evening.club.slug, evening.competition.slug, *more])


def half_played(evening: Evening) -> tuple[int, FixtureBoard, FixtureBoard]:
    """A board that one table has played and the other has not: its number, and the two plays."""
    evenings.begin_round(evening, 1)
    first = evening.fixtures(1)[0]
    evenings.play_table(evening, first)
    done = FixtureBoard.objects.select_related("board", "fixture").get(fixture=first)
    [ahead] = [each for each in evening.plays(done.board.number) if each.fixture_id != first.pk]
    return done.board.number, done, ahead


def cards_of(evening: Evening, number: int) -> Deal:
    return Deal.parse(board_cards.cards_of(evening.board_set)[evening.board(number).pk])


def own_name(user: User | None) -> str:
    """What the page's head says of whoever reads it."""
    return user.name if user else "nobody"


def suit_lines(text: str) -> list[str]:
    """The ranks of every suit that a page's diagram shows."""
    return [
        re.sub(r"<[^>]+>", "", each)
        for each in re.findall(r'<span class="ranks">(.*?)</span>', text, re.DOTALL)
    ]


# A board


def test_whoever_has_not_played_a_board_sees_its_number_dealer_and_seal_alone(evening):
    number, done, ahead = half_played(evening)
    for user in (
        None,
        evening.director,
        evenings.account(ahead.fixture.home),
        evenings.account(ahead.fixture.away),
    ):
        text = get(board_address(evening, number), user)
        assert SEALED in text
        assert evening.board_set.commitment[:16] in text
        assert "1 of 2 tables have played it." in text
        assert suit_lines(text) == []
        assert TRAVELLER not in text
        assert "own-points" not in text
        assert "chart" not in text
        assert str(done.fixture.home.lineup) not in text.replace(own_name(user), "")
        page = travellers.board_page(board=evening.board(number), visitor=user or AnonymousUser())
        assert (page.sight, page.cards, page.best, page.plays, page.own) == (
            Sight.NOTHING,
            None,
            None,
            (),
            (),
        )


def test_who_still_plays_it_is_told_when(evening):
    number, _done, ahead = half_played(evening)
    for entry in (ahead.fixture.home, ahead.fixture.away):
        shown = get(board_address(evening, number), evenings.account(entry))
        assert f"You play it here: Round {ahead.fixture.round.number}, table {ahead.fixture.table}." in shown
        assert suit_lines(shown) == []


def test_who_has_played_it_sees_the_cards_and_the_own_result_and_nothing_of_others(evening):
    number, done, ahead = half_played(evening)
    own = evenings.account(done.fixture.home)
    text = get(board_address(evening, number), own)
    assert CARDS in text
    assert SEALED not in text
    assert len(suit_lines(text)) == 16
    assert "Your table" in text
    assert "1 of 2 tables have played it." in text
    assert TRAVELLER not in text
    assert "why this figure?" not in text
    page = travellers.board_page(board=evening.board(number), visitor=own)
    assert page.sight == Sight.OWN
    deal = cards_of(evening, number)
    assert {seat: set(held) for seat, held in (page.cards or {}).items()} == {
        seat.value: {card.text for card in deal[seat]} for seat in SEATS
    }
    assert [row.play.key for row in page.own] == [done.pk]
    assert page.plays == ()
    assert page.best is None
    assert ahead.pk not in {row.play.key for row in page.own}


def test_an_open_board_shows_every_table_the_best_first_with_its_figures(played):
    number = played.plays(1)[0].board.number
    found = played.board(number)
    text = get(board_address(played, number))
    content = Comparison.objects.get(board=found).content["plays"]
    page = travellers.board_page(board=found, visitor=AnonymousUser())
    rows = travellers.rows(page.plays, board=found, has_figures=True)
    assert {str(row.play.key) for row in rows} == set(content)
    differences = [row.play.made.difference for row in rows]
    assert differences == sorted(differences, reverse=True)
    for row in rows:
        stored = content[str(row.play.key)]
        assert row.first.figure.value == exact.restore(stored["home"]["value"])
        assert row.second.figure.value == exact.restore(stored["away"]["value"])
        assert [row.first.points, row.second.points] == stored["points"][0][:2]
        for at in row.pairs:
            assert str(at.pair) in text
            assert at.figure.text in text
            assert at.hands_text in text
    assert TRAVELLER in text
    assert len(suit_lines(text)) == 16


def test_the_words_of_a_hand_add_up_to_the_points(played):
    found = played.board(1)
    page = travellers.board_page(board=found, visitor=AnonymousUser())
    for row in travellers.rows(page.plays, board=found, has_figures=True):
        for at in row.pairs:
            assert sum(int(each) for each in re.findall(r"\d+", at.hands_text)) == at.points


def without_a_hand() -> list[Analysis]:
    return [each for each in Analysis.objects.all() if each.record["hands"] == []]


def test_par_and_best_hands_come_from_the_boards_own_cards(played):
    found = played.board(1)
    (analysis,) = (each for each in without_a_hand() if each.record["deal"] == found.deal)
    text = get(board_address(played, 1))
    par = analysis.content["par"]["total"]
    assert f"{par['NS']} – {par['EW']}" in text
    Analysis.objects.filter(pk=analysis.pk).update(version=0)
    waits = get(board_address(played, 1))
    best = reverse("board_best", args=[played.board_set.pk, 1])
    assert f'hx-get="{best}"' in waits
    assert "We’re working this out." in Client().get(best, headers={"HX-Request": "true"}).text


def test_no_analysis_is_asked_for_before_the_release(evening):
    number, _done, _ahead = half_played(evening)
    assert not without_a_hand()
    assert Client().get(reverse("board_best", args=[evening.board_set.pk, number])).status_code == 404


def test_the_own_table_is_marked_and_the_boards_beside_it_are_linked(played):
    entry = played.plays(2)[0].fixture.home
    text = get(board_address(played, 2), evenings.account(entry))
    assert "Your table" in text
    assert text.count('class="mine"') == 1
    assert board_address(played, 1) in text
    assert board_address(played, 3) in text
    assert 'class="mine"' not in get(board_address(played, 2))


def test_a_fouled_version_is_a_group_of_its_own(played):
    fouled = played.plays(1)[1]
    versions.mark_version(actor=played.director, play=fouled, version="B", reason="Two cards lay wrong")
    evenings.settle(played)
    text = get(board_address(played, 1))
    assert "Version B: different cards" in text
    page = travellers.board_page(board=played.board(1), visitor=AnonymousUser())
    groups = travellers.groups(travellers.rows(page.plays, board=played.board(1), has_figures=True))
    assert [(each.version, len(each.rows)) for each in groups] == [("", 1), ("B", 1)]
    assert groups[1].rows[0].play.key == fouled.pk


def test_a_directors_score_is_marked(played):
    play = played.plays(1)[0]
    assert "adjusted score" not in get(board_address(played, 1))
    content = {"percent": {"home": "60", "away": "40"}}
    awards.award(actor=played.director, play=play, content=content, reason="A hand was seen")
    evenings.settle(played)
    assert AdjustedScore.objects.count() == 1
    assert "adjusted score" in get(board_address(played, 1))


def test_a_board_that_is_not_there_is_not_found(evening):
    for number in (99, 40_000, 10**12):
        assert Client().get(board_address(evening, number)).status_code == 404
    for key in (10**9, 10**30):
        assert Client().get(reverse("board", args=[key, 1])).status_code == 404
        assert Client().get(reverse("board_why", args=[key, 1])).status_code == 404


# Why


def test_a_figure_says_why_once_its_board_is_open_and_not_before(evening):
    number, done, _ahead = half_played(evening)
    why = reverse("board_why", args=[evening.board_set.pk, number])
    query = {"play": done.pk, "side": "home"}
    evenings.settle(evening)
    for user in (None, evenings.account(done.fixture.home), evening.director):
        client = Client()
        if user:
            client.force_login(user)
        assert client.get(why, query).status_code == 404
    releases.release(actor=evening.director, board_set=evening.board_set, reason="The last table went home")
    evenings.settle(evening)
    whole, part = Client().get(why, query), Client().get(why, query, headers={"HX-Request": "true"})
    assert "<h1>" in whole.text
    assert "<h1>" not in part.text
    for answer in (whole, part):
        assert str(done.fixture.home) in unescape(answer.text)


@pytest.mark.parametrize(
    "query", [{}, {"play": "x"}, {"play": "9" * 30, "side": "home"}, {"play": "1", "side": "north"}]
)
def test_a_figure_that_there_is_not_is_not_found(played, query):
    assert Client().get(reverse("board_why", args=[played.board_set.pk, 1]), query).status_code == 404


# A scorecard


def test_a_scorecard_runs_up_to_what_the_ranking_says(played):
    for entry in played.entries:
        card = scorecards.scorecard(entry=entry, competition=played.competition, visitor=AnonymousUser())
        [stored] = [
            row
            for ranking in EventRanking.objects.filter(competition=played.competition, round_number=0)
            for row in ranking.content["rows"]
            if row["entry"] == entry.pk and ":" not in ranking.field
        ]
        assert card.total.value == exact.restore(stored["value"])
        assert card.total.boards == stored["boards"] == 3
        assert card.total.percent == exact.restore(stored["percent"])
        assert [part.name for part in card.rounds] == ["Round 1", "Round 2", "Round 3"]
        assert sum((part.subtotal.value for part in card.rounds), Fraction(0)) == card.total.value
        text = get(address(played, "scorecard", entry.pk))
        assert card.total.text in text
        for line in (line for part in card.rounds for line in part.lines):
            assert str(line.opponents) in text
            assert line.figure.text in text


def test_a_scorecard_keeps_sealed_boards_to_those_who_played_them(evening):
    _number, done, _ahead = half_played(evening)
    entry = done.fixture.home

    def lines(visitor):
        card = scorecards.scorecard(entry=entry, competition=evening.competition, visitor=visitor)
        return [
            (line.own, line.theirs, line.figure, line.state) for part in card.rounds for line in part.lines
        ]

    assert {(own, theirs) for own, theirs, _figure, _state in lines(AnonymousUser())} == {(None, None)}
    assert {(own, theirs) for own, theirs, _figure, _state in lines(evening.director)} == {(None, None)}
    mine = lines(evenings.account(entry))
    assert mine[0][0] is not None
    assert [state for _own, _theirs, _figure, state in mine] == ["sealed", "to play", "to play"]
    assert {figure for _own, _theirs, figure, _state in mine} == {None}


def test_a_pair_that_sits_out_has_a_round_without_boards():
    evening = evenings.make_evening(pairs=5, boards=1)
    cards = [
        scorecards.scorecard(entry=each, competition=evening.competition, visitor=AnonymousUser())
        for each in evening.entries
    ]
    resting = [card for card in cards if any(part.sits_out for part in card.rounds)]
    assert resting
    text = get(address(evening, "scorecard", resting[0].entry.pk))
    assert "sits out" in text


def test_a_scorecard_of_another_event_is_not_found(played):
    other = events.make_event(tables=1)
    assert Client().get(address(played, "scorecard", other.entries[0].pk)).status_code == 404


# The ranking


def test_an_evening_shows_its_ranking_on_its_own_page(played):
    text = get(played.competition.get_absolute_url())
    assert "3 of 3 boards are open" in text
    for entry in played.entries:
        assert address(played, "scorecard", entry.pk) in text
    assert "Howell, 2 tables, 3 rounds" in text
    assert reverse("board_set", args=[played.board_set.pk]) in text


def test_before_the_first_open_board_it_shows_who_plays(evening):
    half_played(evening)
    evenings.settle(evening)
    text = get(evening.competition.get_absolute_url())
    assert "No ranking yet" in text
    assert "0 of 3 boards are open" in text
    for pair in evening.pairs:
        assert str(pair) in text


def test_ranks_are_shared():
    event = events.make_event(tables=4, boards=1)
    for fixture, points in zip(event.fixtures, ((60, 20), (50, 30), (50, 30), (20, 60)), strict=True):
        events.play(fixture, points)
    events.settle(event)
    competition = event.competition
    text = get(reverse("event_ranking", args=[competition.club.slug, competition.slug]))
    places = re.findall(r'<td class="place soft end">(\d+)(?:<span aria-hidden="true">(=))?', text)
    assert places == [
        ("1", "="),
        ("1", "="),
        ("3", "="),
        ("3", "="),
        ("3", "="),
        ("3", "="),
        ("7", "="),
        ("7", "="),
    ]


def test_the_ranking_keeps_itself_up_to_date(evening):
    half_played(evening)
    live = address(evening, "event_ranking_live")
    first = Client().get(live)
    assert first.status_code == 200
    again = first.headers["X-Live-Url"]
    assert Client().get(again).status_code == 204
    releases.release(actor=evening.director, board_set=evening.board_set, reason="Everybody went home")
    evenings.settle(evening)
    changed = Client().get(again)
    assert changed.status_code == 200
    assert "No ranking yet" not in changed.text


def test_a_competition_without_shared_boards_has_none_of_these_pages(evening):
    league = factories.running(evening.club, pairs=2)
    for name in ("event_ranking", "event_ranking_live", "event_field", "compare_tables"):
        assert Client().get(reverse(name, args=[evening.club.slug, league.slug])).status_code == 404
    assert "Comparison" not in get(league.get_absolute_url())


# The field


def test_the_field_has_a_figure_for_every_pair_and_open_board(played):
    text = get(address(played, "event_field"))
    assert len(re.findall(r'<td class="cell h[0-4]">', text)) == 4 * 3
    assert "sealed" not in text.split("<tbody>")[1].split("</tbody>")[0]


def test_the_field_says_so_while_no_board_is_open(evening):
    evenings.settle(evening)
    text = get(address(evening, "event_field"))
    assert "Nothing to compare yet" in text
    assert "<table" not in text


def test_the_field_says_of_sealed_boards_only_that_they_are_sealed(evening):
    evenings.play_round(evening, 1)
    evenings.play_round(evening, 2)
    evenings.settle(evening)
    text = get(address(evening, "event_field"), evening.director)
    opened = (
        evening.board_set.boards.filter(released_at__isnull=False, plays__isnull=False).distinct().count()
    )
    assert len(re.findall(r'<td class="cell h[0-4]">', text)) == 4 * opened


# Two tables


def test_two_tables_lie_side_by_side_hand_by_hand(played):
    one, other = played.plays(1)
    shown = side_by_side.side_by_side(
        competition=played.competition,
        visitor=AnonymousUser(),
        board=one.board_id,
        one=one.pk,
        other=other.pk,
    )
    assert [table.play.key for table in shown.tables] == [one.pk, other.pk]
    assert len(shown.hands) == 8
    for place, table in enumerate(shown.tables):
        last = shown.hands[-1].both[place].running
        made = table.deal.made
        assert (last.first, last.second) == (made["home"], made["away"])
    parted = [each.number for each in shown.hands if each.is_parting]
    same = [each.number for each in shown.hands if each.is_same]
    assert parted == ([shown.parted_at] if shown.parted_at else [])
    assert all(number < (shown.parted_at or 9) or number in same for number in same)
    assert list(range(1, shown.parted_at or 9)) == [n for n in same if n < (shown.parted_at or 9)]
    text = get(address(played, "compare_tables"), board=one.board_id, a=one.pk, b=other.pk)
    assert str(shown.tables[0].points[0]) in text
    if shown.parted_at:
        assert f"diverged at hand {shown.parted_at}" in text


def test_no_two_tables_before_every_table_has_played(evening):
    _number, done, ahead = half_played(evening)
    for user in (None, evenings.account(done.fixture.home), evening.director):
        text = get(address(evening, "compare_tables"), user, board=done.board_id, a=done.pk, b=ahead.pk)
        assert "Nothing to compare yet" in text
        assert "card-face" not in text
        assert str(done.fixture.home) not in text


@pytest.mark.parametrize("key", ["x", "-1", "9" * 40, "0", "²"])
def test_odd_keys_of_tables_are_left_out(played, key):
    get(address(played, "compare_tables"), board=key, a=key, b=key)


# A round of a league, and the pages of pairs and players


def test_a_round_shows_league_points_and_comparison_side_by_side():
    event = events.make_event(tables=2, boards=2)
    events.play(event.fixtures[0], (60, 20), (50, 30))
    events.play(event.fixtures[1], (10, 20), (30, 30))
    events.settle(event)
    competition = event.competition
    where = reverse("round_comparison", args=[competition.club.slug, competition.slug, 1])
    text = get(where)
    assert "2 of 2 boards are open" in text
    for entry in event.entries:
        assert str(entry) in text
    part = Client().get(where, headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "League points come from your match" in part
    missing = reverse("round_comparison", args=[competition.club.slug, competition.slug, 7])
    assert Client().get(missing).status_code == 404


def test_pairs_and_players_list_their_evenings_with_scorecards(played):
    entry = played.entries[0]
    card = address(played, "scorecard", entry.pk)
    for name, key in (
        ("pair_sessions", entry.lineup_id),
        ("player_sessions", entry.lineup.players[0].pk),
    ):
        where = reverse(name, args=[key])
        text = get(where)
        assert card in text
        assert played.competition.name in text
        assert "<html" not in Client().get(where, headers={"HX-Request": "true"}).text


# Queries


def queries(where: str) -> int:
    Client().get(where)
    with CaptureQueriesContext(connection) as counted:
        assert Client().get(where).status_code == 200
    return len(counted)


def test_a_traveller_of_300_tables_comes_in_pages_and_few_queries():
    event = large_event()
    where = event.boards[0].get_absolute_url()
    text = get(where)
    assert text.count('id="play-') == 50
    assert queries(where) <= 12
    last = get(where, page=6)
    assert text.count('id="play-') + last.count('id="play-') == 100
    assert Client().get(where, {"page": 7}).status_code == 404


def large_event(**more: Any) -> events.Event:
    """600 pairs that have played a board, with their rankings."""
    event = events.make_event(tables=300, boards=1, **more)
    events.play_all(
        (fixture, [(50 + number % 17, 30 + number % 5)]) for number, fixture in enumerate(event.fixtures)
    )
    events.settle(event)
    return event


def test_the_rankings_of_600_pairs_come_by_section_and_page_and_the_own_row_is_found():
    event = large_event(sections=5)
    own = factories.account_of(event.entries[301].lineup)
    slugs = [event.competition.club.slug, event.competition.slug]
    where = reverse("event_ranking", args=slugs)
    first = get(where, own)
    assert len(first.encode()) < 100_000
    assert first.count("<tr") == 61  # with the head
    assert 'rel="next"' in first
    found = re.search(rf'href="({where}(?:\?page=\d+)?)#(own-all)"', first)
    assert found is not None
    assert f'class="mine" id="{found[2]}"' in get(found[1], own)
    section = get(where, own, section="5", page="2")
    assert "E: All pairs" in section
    assert "A: All pairs" not in section
    for odd in ({"section": "9"}, {"section": "x"}, {"page": "99"}, {"page": "0"}, {"page": "9" * 40}):
        assert Client().get(where, odd).status_code == 404
    live = re.search(r'data-live="([^"]+)"', get(where, section="5", page="2"))
    assert live is not None
    assert "section=5&page=2" in live[1]
    again = Client().get(live[1].replace("version=", "version=old"))
    assert "E: All pairs" in again.text
    assert "version" not in again.text

    where = reverse("round_comparison", args=[*slugs, 1])
    first = get(where, own)
    assert len(first.encode()) < 100_000
    found = re.search(rf'href="({where}(?:\?page=\d+)?)#(own-\d+)"', first)
    assert found is not None
    assert f'class="mine" id="{found[2]}"' in get(found[1], own)
    part = Client().get(where, headers={"HX-Request": "true"}).text
    assert f'href="{where}?page=2"' in part
    assert "All 600 pairs" in part
    assert Client().get(where, {"page": 11}).status_code == 404


def test_no_page_asks_more_of_the_database_for_a_larger_event():
    counts = {}
    for tables in (2, 6):
        event = events.make_event(tables=tables, boards=2, rounds=2)
        events.play_all((fixture, [(50, 30), (40, 41)]) for fixture in event.fixtures)
        events.settle(event)
        competition = event.competition
        slugs = [competition.club.slug, competition.slug]
        counts[tables] = [
            queries(where)
            for where in (
                reverse("event_ranking", args=slugs),
                reverse("event_field", args=slugs),
                reverse("compare_tables", args=slugs),
                reverse("scorecard", args=[*slugs, event.entries[0].pk]),
                reverse("round_comparison", args=[*slugs, 1]),
                reverse("pair_sessions", args=[event.entries[0].lineup_id]),
                event.boards[0].get_absolute_url(),
            )
        ]
    assert counts[2] == counts[6]
