"""My matches and the start page: what waits for a person comes first."""

import re
from datetime import timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Board
from games.scoresheets.services import scoresheets
from league.fixtures.services import dates, fixtures
from league.models import Competition, DateProposal, Fixture, Membership, Player, Role
from league.people.services import claims
from league.results.queries import my
from league.results.queries.my import Step
from league.web.local_time import day_text
from tests.league import factories
from tests.league.reading import League, Visit, league, make_league, text_of, visit
from tests.leaks.event import make_event
from tests.scenes import totals_sheet

__all__ = ["league", "visit"]


def mine(league: League) -> my.Mine:
    return my.matches(league.anna, at=timezone.now())


def enter(league: League, *, by_opponent: bool) -> None:
    person = league.opponent if by_opponent else league.anna
    scoresheets.submit(
        actor=person, fixture=league.mine, content=totals_sheet((52, 39), (60, 41)), origin="page"
    )


def test_the_next_match_has_the_button_for_the_next_step(league: League, visit: Visit) -> None:
    page = text_of(visit(league.anna).get("/my/"))
    assert "Your next match" in page
    assert f"/matches/{league.mine.pk}/scoresheet/" in page
    assert f"/fixtures/{league.mine.pk}/dates/" in page
    assert "19:30" in page
    assert "(Dublin)" in page


def test_who_entered_waits_and_the_opponents_confirm(league: League, visit: Visit) -> None:
    opponent = league.opponent
    enter(league, by_opponent=False)
    assert [match.step for match in mine(league).waiting] == [Step.WAIT]
    asked = my.matches(opponent, at=timezone.now())
    assert asked.next is not None
    assert asked.next.step is Step.CONFIRM
    assert "Check and confirm" in text_of(visit(opponent).get("/"))
    assert "waiting to be confirmed" not in text_of(visit(opponent).get("/my/"))


def test_a_correction_of_a_confirmed_result_waits_too(league: League) -> None:
    enter(league, by_opponent=True)
    sheet = league.mine.match.sheets.get()
    scoresheets.confirm(actor=league.anna, sheet=sheet, digest=sheet.digest)
    assert mine(league).next is not None
    assert league.mine.pk not in {match.line.key for match in (*mine(league).to_do, *mine(league).upcoming)}
    enter(league, by_opponent=True)
    assert [match.line.key for match in mine(league).to_do] == [league.mine.pk]


def test_what_is_disputed_is_to_be_settled(league: League) -> None:
    enter(league, by_opponent=False)
    sheet = league.mine.match.sheets.get()
    scoresheets.reject(actor=league.opponent, sheet=sheet, reason="The second deal was ours")
    assert [match.step for match in mine(league).to_do] == [Step.SETTLE]


def test_a_proposal_for_later_does_not_hide_the_next_match(league: League) -> None:
    later = Fixture.objects.with_pairs().of_user(league.anna).get(round__number=3)
    other = later.away if later.home_id == league.own.pk else later.home
    proposal_by = factories.account_of(other.lineup)
    in_weeks = timezone.now() + timedelta(days=40)
    dates.propose(actor=proposal_by, fixture=later, starts_at=in_weeks, at=timezone.now())
    found = mine(league)
    assert found.next is not None
    assert found.next.line.key == league.mine.pk
    assert [match.step for match in found.to_do] == [Step.ANSWER]
    assert found.others_to_do == found.to_do


def test_own_proposals_wait_for_the_others(league: League) -> None:
    in_weeks = timezone.now() + timedelta(days=40)
    dates.propose(actor=league.anna, fixture=league.mine, starts_at=in_weeks, at=timezone.now())
    found = next(match for match in mine(league).upcoming if match.line.key == league.mine.pk)
    assert found.step is Step.ENTER
    assert found.proposal is not None
    assert found.proposal.is_mine
    assert DateProposal.objects.get().entry == league.own


def test_matches_of_drafts_and_of_finished_competitions_ask_for_nothing(league: League) -> None:
    league.competition.state = "finished"
    league.competition.save()
    assert mine(league).next is None


def test_a_substitute_sees_the_match_as_the_pair_does(league: League) -> None:
    stand_in = factories.player(league.club, user=factories.user())
    absent = league.own.lineup.players[1]
    fixture = league.mine
    fixture.substitutions.create(entry=league.own, absent=absent, substitute=stand_in)
    assert stand_in.user is not None
    found = my.matches(stand_in.user, at=timezone.now())
    assert [match.own.entry for match in found.upcoming] == [league.own.pk]
    assert found.upcoming[0].stand_ins[0].substitute == stand_in.name


def test_without_a_player_the_page_says_how_to_become_one(league: League, visit: Visit) -> None:
    stranger = factories.user()
    assert "linked to a player yet" in text_of(visit(stranger).get("/my/"))
    Membership.objects.create(user=stranger, club=league.club, role=Role.MEMBER)
    assert "do you play here?" in text_of(visit(stranger).get("/my/"))
    player = factories.player(league.club)
    claims.claim(actor=stranger, player=player, at=timezone.now())
    assert f"claim to be {player.name}" in text_of(visit(stranger).get("/my/"))


def test_results_stand_under_their_competition(league: League, visit: Visit) -> None:
    factories.result(league.mine, 71, 52)
    page = text_of(visit(league.anna).get("/my/"))
    assert league.competition.name in page
    assert "71 – 52" in page


def test_my_page_needs_somebody(visit: Visit, db: None) -> None:
    response = visit().get("/my/")
    assert response.status_code == 302
    assert "next=/my/" in response["Location"]


def test_the_start_page_leads_to_clubs_and_running_competitions(league: League, visit: Visit) -> None:
    page = text_of(visit().get("/"))
    assert league.club.name in page
    assert league.url in page
    assert "Sign up" in page


def test_the_start_page_of_an_empty_site_says_what_to_do(visit: Visit, db: None) -> None:
    assert "Create the first one" in text_of(visit().get("/"))


def test_queries_do_not_grow_with_the_matches(
    visit: Visit, django_assert_max_num_queries: object, db: None
) -> None:
    for pairs in (4, 10):
        league = make_league(pairs=pairs)
        for fixture in Fixture.objects.with_pairs().of_user(league.anna)[: pairs // 2]:
            fixtures.postpone(actor=factories.DIRECTOR, fixture=fixture, reason="Snow")
        for page in ("/", "/my/"):
            client = visit(league.anna)
            with django_assert_max_num_queries(28):  # type: ignore[operator]
                assert client.get(page).status_code == 200
    assert Player.objects.count() > 20


def heads_of(page: str) -> list[str]:
    """The competitions whose results the start page names."""
    results = page.partition('id="results-title"')[2].partition("</section>")[0]
    return re.findall(r'<h3 class="round-head">(.*?)</h3>', results)


def play(competition: Competition, count: int = 1) -> None:
    for fixture in Fixture.objects.of_competition(competition.pk).open().with_pairs()[:count]:
        factories.result(fixture, 71, 52)


def test_the_start_page_names_competition_and_day_of_the_latest_results(visit: Visit, db: None) -> None:
    riverside, hill = factories.club("Riverside"), factories.club("Hill Club")
    shown = factories.running(riverside, name="Winter League")
    closed = factories.running(riverside, name="Club Night", visibility="members")
    other = factories.running(hill, name="Winter League")
    assert heads_of(text_of(visit().get("/"))) == []
    for competition in (shown, closed, other):
        play(competition)
    page = text_of(visit().get("/"))
    assert heads_of(page) == ["Winter League · Hill Club", "Winter League · Riverside"]
    first = Fixture.objects.of_competition(shown.pk).decided().get()
    assert f'<a href="/matches/{first.pk}/">71 – 52</a>' in page
    assert first.starts_at is not None
    assert f"{day_text(first.starts_at, 'j M Y')}</span>" in page
    member = factories.member(riverside)
    assert heads_of(text_of(visit(member).get("/"))) == [
        "Club Night · Riverside",
        "Winter League · Riverside",
    ]
    assert len(heads_of(text_of(visit(factories.user()).get("/")))) == 2, (
        "who has no club sees what is public"
    )
    Fixture.objects.update(starts_at=None)
    assert '<span class="detail">Round 1</span>' in text_of(visit().get("/")), "a match that never had a date"


def test_the_start_page_lists_no_match_of_boards_that_others_still_play(visit: Visit, db: None) -> None:
    event = make_event()
    address = f"/matches/{event.played.pk}/"
    watchers = [visit(), visit(event.scene.users["dora"]), visit(event.scene.users["olive"])]
    assert all(address not in heads_and_results(each) for each in watchers)
    Board.objects.filter(board_set=event.board_set).update(released_at=timezone.now())
    assert all(address in heads_and_results(each) for each in watchers)


def heads_and_results(client: Client) -> str:
    return text_of(client.get("/")).partition('id="results-title"')[2].partition("</section>")[0]


def test_results_on_the_start_page_cost_the_same_however_many_there_are(
    visit: Visit, db: None, django_assert_num_queries: Any
) -> None:
    competition = factories.running(factories.club(), 6)
    play(competition)
    client = visit(factories.member(competition.club))
    client.get("/")
    with CaptureQueriesContext(connection) as before:
        client.get("/")
    play(competition, 8)
    for _again in range(3):
        play(factories.running(competition.club, 4), 2)
    with django_assert_num_queries(len(before)):
        assert len(heads_of(text_of(client.get("/")))) == 3
