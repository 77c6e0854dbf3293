"""The competition's pages: tables that explain themselves and keep themselves up to date."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from league import formats
from league.fixtures.services import fixtures
from league.models import Adjustment, Competition, Entry, Fixture, StandingsTable
from league.results.queries import cross_table, standings_view
from tests.league import factories
from tests.league.reading import League, Visit, league, make_league, text_of, visit

__all__ = ["league", "visit"]


def view(league: League) -> standings_view.DivisionStandings:
    league.competition.refresh_from_db()
    return standings_view.of_competition(league.competition, league.anna, at=timezone.now())[0]


def test_before_the_first_computation_the_pairs_are_listed(league: League, visit: Visit) -> None:
    page = text_of(visit().get(league.url))
    assert "working out the table" in page
    assert all(str(entry) in page for entry in league.competition.entries.with_pairs())


def test_without_results_nobody_is_first(league: League) -> None:
    league.compute()
    assert {row.place for row in view(league).rows} == {"–"}
    assert {row.band for row in view(league).rows} == {""}


def test_points_are_explained_by_opponent_and_adjustment(league: League) -> None:
    league.play((60, 41))
    winner = league.mine.home
    Adjustment.objects.create(entry=winner, points="-1/2", reason="Came late", round_number=1)
    league.compute()
    row = next(row for row in view(league).rows if row.pair.entry == winner.pk)
    assert row.points == "1.5"
    assert any("60 : 41" in reason and str(league.mine.away) in reason for reason in row.why_points)
    assert any("Came late" in reason and "−0.5" in reason for reason in row.why_points)
    assert "adjusted −0.5" in [mark.text for mark in row.marks]
    with translation.override("de"):
        row = next(row for row in view(league).rows if row.pair.entry == winner.pk)
        assert row.points == "1,5"
        assert any("Came late" in reason and "−0,5" in reason for reason in row.why_points)
        assert [mark.text for mark in row.marks if "−0,5" in mark.text]


def test_a_place_names_what_separated_it_from_both_neighbours(league: League) -> None:
    league.play((60, 41), (80, 20))
    rows = view(league).rows
    assert [row.place for row in rows] == ["1", "2", "3", "4"]
    assert any(f"Above {rows[1].pair}" in reason and "+60 : +19" in reason for reason in rows[0].why_place)
    assert any(f"Below {rows[0].pair}" in reason and "+60 : +19" in reason for reason in rows[1].why_place)
    assert any(f"Above {rows[2].pair}: League points 2 : 0" in reason for reason in rows[1].why_place)


def test_head_to_head_shows_the_small_table_to_both(league: League) -> None:
    # 1 beats 2, 2 beats 3 and 3 beats 4: the first three are level with whom they beat or lost to.
    one, two, three, four = league.competition.entries.order_by("number")
    beat = {(one, two), (two, three), (three, four), (one, four)}
    for fixture in league.open():
        winner = next((a for a, b in beat if {a.pk, b.pk} == {fixture.home_id, fixture.away_id}), None)
        if winner:
            home_wins = winner.pk == fixture.home_id
            factories.result(fixture, *((60, 40) if home_wins else (40, 60)))
    league.compute()
    rows = {row.pair.entry: row for row in view(league).rows}
    assert [row.pair.entry for row in view(league).rows] == [one.pk, two.pk, three.pk, four.pk]
    for entry in (two, three):
        assert [line.name for line in rows[entry.pk].mini_league] == [str(two), str(three)]
        assert [line.points for line in rows[entry.pk].mini_league] == ["2", "0"]


def test_shared_places_share_promotion_and_relegation(league: League) -> None:
    division = league.competition.stage.divisions.get()
    division.promoted = division.relegated = 1
    division.save()
    league.play((50, 50))
    rows = view(league).rows
    assert [row.place for row in rows] == ["1=", "1=", "3=", "3="]
    assert [row.band for row in rows] == ["promoted", "promoted", "relegated", "relegated"]
    assert any("shared" in reason for reason in rows[1].why_place)


def test_marks_name_what_is_odd_about_a_pair(league: League) -> None:
    fixtures.postpone(actor=factories.DIRECTOR, fixture=league.mine, reason="Illness")
    Entry.objects.filter(pk=league.own.pk).update(first_round=2)
    league.compute()
    row = next(row for row in view(league).rows if row.is_mine)
    assert [mark.text for mark in row.marks] == ["1 postponed", "from round 2"]


def test_a_pair_taken_out_says_by_which_rule(league: League, visit: Visit) -> None:
    Entry.objects.filter(pk=league.own.pk).update(withdrawn_at=timezone.now())
    league.compute()
    assert [row.pair.entry for row in view(league).withdrawn] == [league.own.pk]
    assert "half-played rule" in text_of(visit().get(league.url))


def test_the_tables_answer_204_until_they_change(league: League, visit: Visit) -> None:
    league.compute()
    client = visit()
    first = client.get(f"{league.url}standings/live/")
    assert first.status_code == 200
    assert "X-Live-Announce" in first.headers
    unchanged = client.get(first["X-Live-Url"])
    assert (unchanged.status_code, unchanged.content) == (204, b"")
    factories.result(league.open()[0], 61, 40)
    league.compute()
    changed = client.get(first["X-Live-Url"])
    assert changed.status_code == 200
    assert "from 1 result" in text_of(changed)
    assert "X-Live-Announce" in changed.headers
    assert client.get(changed["X-Live-Url"]).status_code == 204


def test_growing_older_changes_the_words_and_is_not_announced(league: League, visit: Visit) -> None:
    league.play((61, 40))
    first = visit().get(f"{league.url}standings/live/")
    hour = timedelta(hours=1)
    StandingsTable.objects.update(computed_at=timezone.now() - hour)
    later = visit().get(first["X-Live-Url"])
    assert later.status_code == 200
    assert "1 hour ago from 1 result" in text_of(later)
    assert "X-Live-Announce" not in later.headers


def test_a_result_that_waits_to_be_counted_is_said(league: League, visit: Visit) -> None:
    league.play((61, 40))
    Competition.objects.filter(pk=league.competition.pk).update(results_version=99)
    first = visit().get(f"{league.url}standings/live/")
    assert "updating with a new result" in text_of(first)
    Competition.objects.filter(pk=league.competition.pk).update(results_version=100)
    again = visit().get(first["X-Live-Url"])
    assert again.status_code == 200
    assert "X-Live-Announce" not in again.headers


def test_the_round_beside_the_table_changes_by_itself(league: League, visit: Visit) -> None:
    client = visit(league.anna)
    address = f"{league.url}now/live/?part=round"
    first = client.get(address)
    assert first.status_code == 200
    assert client.get(first["X-Live-Url"]).status_code == 204
    factories.result(league.mine, 77, 33)
    changed = client.get(first["X-Live-Url"])
    assert "77 – 33" in text_of(changed)


@pytest.mark.parametrize("part", ["", "everything", "next%00", "<script>"])
def test_parts_that_are_none_are_not_found(league: League, visit: Visit, part: str) -> None:
    assert visit().get(f"{league.url}now/live/", {"part": part}).status_code in {400, 404}


def test_rules_stand_in_plain_words(league: League, visit: Visit) -> None:
    page = text_of(visit().get(league.url))
    assert "Win: 2 points" in page
    assert page.index("Head-to-head") < page.index("Points difference") < page.index("Draw of lots")
    assert "48 hours" in page
    assert "Deals in a match: 4" in page


def test_the_cross_table_shows_both_legs_from_both_sides(visit: Visit, db: None) -> None:
    league = make_league(pairs=3, format=formats.DOUBLE)
    fixture = league.open()[0]
    factories.result(fixture, 71, 52)
    page = text_of(visit().get(f"{league.url}cross-table/"))
    assert "71–52" in page
    assert "52–71" in page
    assert page.count("to-play") == 10  # five matches are to be played, each seen from two sides


def test_a_square_that_no_screen_could_show_is_not_drawn(
    visit: Visit, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cross_table, "MOST_PAIRS", 4)
    few, many = make_league(pairs=4), make_league(pairs=5)
    assert "cross-table" in visit().get(f"{few.url}cross-table/").text.partition("<table")[2]
    page = text_of(visit().get(f"{many.url}cross-table/"))
    assert "A table of 5 would be wider than any screen" in page
    assert "<table" not in page


def test_progress_draws_the_season(league: League, visit: Visit) -> None:
    assert "No charts yet" in text_of(visit().get(f"{league.url}progress/"))
    league.play((61, 40), (30, 50))
    page = text_of(visit(league.anna).get(f"{league.url}progress/"))
    assert re.findall(r"<h3>(.*?)</h3>", page) == [
        "Places after each round",
        "Points after each round",
        "Points per match",
        "Played, postponed, walkovers",
    ]
    assert page.count("<svg") == 2 * page.count("The same as a table") == 8  # each for wide and narrow pages
    ids = re.findall(r'id="(chart-[^"]+)"', page)
    assert len(ids) == len(set(ids)) == 18  # a title and a description a picture, and the hatching of two


def test_all_fixtures_stand_by_round_with_byes(visit: Visit, db: None) -> None:
    league = make_league(pairs=5)
    page = text_of(visit().get(f"{league.url}fixtures/"))
    assert page.count("sit out") == 5
    assert all(f'id="round-{number}"' in page for number in range(1, 6))
    assert "All times are Dublin time." in page


def test_a_long_season_opens_the_rounds_around_the_current_one(visit: Visit, db: None) -> None:
    league = make_league(pairs=26)  # 25 rounds of 13 matches
    current = league.competition.stage.rounds.get(number=20)
    ago = current.closes_at - timezone.now() - timedelta(days=1)
    for each in league.competition.stage.rounds.all():
        each.starts_on, each.closes_at = each.starts_on - ago, each.closes_at - ago
        each.save()
    page = text_of(visit().get(f"{league.url}fixtures/"))
    folded = [int(number) for number in re.findall(r'id="round-(\d+)" class="folded-round"', page)]
    opened = [int(number) for number in re.findall(r'<section[^>]* id="round-(\d+)"', page)]
    assert opened == list(range(15, 26))  # from 19 on, and as many before as 150 lines have room for
    assert folded == list(range(1, 15))
    assert page.count('class="fixture"') == 11 * 13
    assert page.count("13 matches") == 14
    # Each is in the row of rounds: what is opened here, the others as pages of their own.
    assert 'href="#round-20" aria-current="page"' in page
    assert f'<a href="{league.url}rounds/14/">14</a>' in page


def test_a_folded_round_is_a_page_of_its_own(visit: Visit, db: None) -> None:
    league = make_league(pairs=26)
    assert text_of(visit().get(f"{league.url}rounds/25/")).count('class="fixture"') == 13


def test_a_round_leads_to_its_neighbours(league: League, visit: Visit) -> None:
    first, last = (text_of(visit().get(f"{league.url}rounds/{number}/")) for number in (1, 3))
    assert "rounds/2/" in first
    assert "rounds/0/" not in first
    assert "rounds/2/" in last
    assert "rounds/4/" not in last


@pytest.mark.parametrize(
    "page", ["", "fixtures/", "cross-table/", "progress/", "rounds/1/", "standings/live/"]
)
def test_queries_do_not_grow_with_the_pairs(
    page: str, visit: Visit, django_assert_max_num_queries: object, db: None
) -> None:
    client = None
    for pairs in (4, 10):
        league = make_league(pairs=pairs)
        league.play(*[(60, 41)] * (pairs // 2))
        fixtures.postpone(actor=factories.DIRECTOR, fixture=league.open()[0], reason="Snow")
        client = visit(league.anna)
        with django_assert_max_num_queries(39):  # type: ignore[operator]
            assert client.get(league.url + page).status_code == 200


def test_asking_for_news_is_cheap(
    league: League, visit: Visit, django_assert_max_num_queries: object
) -> None:
    league.compute()
    client = visit()
    address = client.get(f"{league.url}standings/live/")["X-Live-Url"]
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        assert client.get(address).status_code == 204


def test_walkover_and_void_are_words_and_no_score(league: League, visit: Visit) -> None:
    first, second = league.open()[:2]
    fixtures.award_walkover(actor=factories.DIRECTOR, fixture=first, losing=[first.home], reason="No show")
    fixtures.void(actor=factories.DIRECTOR, fixture=second, reason="Fire alarm")
    page = text_of(visit().get(f"{league.url}rounds/1/"))
    assert "away win" in page
    assert "void" in page
    assert "0 – 0" not in page
    assert Fixture.objects.of_competition(league.competition.pk).decided().count() == 1
