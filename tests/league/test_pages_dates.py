"""Players agree on another time, postpone a match, and name a substitute."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from league.models import DateProposal, Fixture, Player, Substitution, User
from tests.league import factories
from tests.league.reading import League, Visit, league, text_of, visit

__all__ = ["league", "visit"]

DUBLIN = ZoneInfo("Europe/Dublin")


def local(days: int) -> str:
    return (timezone.now() + timedelta(days=days)).astimezone(DUBLIN).strftime("%Y-%m-%dT20:15")


def address(league: League, action: str = "dates/") -> str:
    return f"/fixtures/{league.mine.pk}/{action}"


def propose(league: League, visit: Visit) -> DateProposal:
    data = {"starts_at": local(20), "message": "We are away that week"}
    response = visit(league.anna).post(address(league), data)
    assert response.status_code == 302
    return DateProposal.objects.get()


def test_a_time_is_proposed_on_the_clubs_clock(league: League, visit: Visit) -> None:
    proposal = propose(league, visit)
    assert proposal.starts_at.astimezone(DUBLIN).strftime("%H:%M") == "20:15"
    assert proposal.entry == league.own
    page = text_of(visit(league.opponent).get(address(league)))
    assert "We are away that week" in page
    assert "20:15 (Dublin time)" in page
    assert "Accept" in page
    assert "Accept" not in text_of(visit(league.anna).get(address(league)))


@pytest.mark.parametrize(("days_ago", "days_ahead"), [(-3, 3), (0, 7), (3, 4), (7, 7), (16, 5)])
def test_a_time_that_is_over_is_not_proposed_again(
    league: League, visit: Visit, days_ago: int, days_ahead: int
) -> None:
    now = timezone.now().astimezone(DUBLIN)
    planned = now - timedelta(days=days_ago, minutes=5)
    Fixture.objects.filter(pk=league.mine.pk).update(starts_at=planned)
    suggested = (now + timedelta(days=days_ahead, minutes=-5)).strftime("%Y-%m-%dT%H:%M")
    assert f'value="{suggested}"' in visit(league.anna).get(address(league)).text


def test_the_other_pair_accepts(league: League, visit: Visit) -> None:
    proposal = propose(league, visit)
    answer = {"proposal": proposal.pk, "answer": "accept"}
    visit(league.opponent).post(address(league, "dates/answer/"), answer)
    fixture = league.mine
    assert (fixture.status, fixture.starts_at) == (Fixture.Status.POSTPONED, proposal.starts_at)


def test_the_other_pair_declines(league: League, visit: Visit) -> None:
    proposal, before = propose(league, visit), league.mine.starts_at
    answer = {"proposal": proposal.pk, "answer": "decline"}
    response = visit(league.opponent).post(address(league, "dates/answer/"), answer, follow=True)
    assert "Declined" in text_of(response)
    assert league.mine.starts_at == before


def test_nobody_answers_the_own_proposal(league: League, visit: Visit) -> None:
    proposal = propose(league, visit)
    answer = {"proposal": proposal.pk, "answer": "accept"}
    response = visit(league.anna).post(address(league, "dates/answer/"), answer)
    assert response.status_code == 403
    assert "own proposal" in text_of(response)
    assert DateProposal.objects.get().state == "open"


def test_an_answer_that_comes_second_is_told_so(league: League, visit: Visit) -> None:
    proposal = propose(league, visit)
    client, answer = visit(league.opponent), {"proposal": proposal.pk, "answer": "decline"}
    client.post(address(league, "dates/answer/"), answer)
    response = client.post(address(league, "dates/answer/"), {**answer, "answer": "accept"}, follow=True)
    assert "already been answered" in text_of(response)
    assert DateProposal.objects.get().state == "declined"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "This field is required."),
        ("soon", "Enter a valid date/time."),
        ("0001-01-01T00:00", "Choose a day of this season."),
        ("9999-12-31T23:59", "Choose a day of this season."),
        ("99999999999-01-01T00:00", "Enter a valid date/time."),
        (local(-3), "The proposed time is in the past."),
    ],
)
def test_a_time_that_makes_no_sense_is_refused_beside_its_field(
    league: League, visit: Visit, given: str, said: str
) -> None:
    response = visit(league.anna).post(address(league), {"starts_at": given})
    assert response.status_code == 422
    assert said in text_of(response)
    assert not DateProposal.objects.exists()


def test_a_time_that_no_clock_of_the_club_shows_is_refused(league: League, visit: Visit) -> None:
    year = timezone.now().year + 1
    last = max(day for day in range(25, 32) if datetime(year, 3, day).weekday() == 6)  # noqa: DTZ001
    response = visit(league.anna).post(address(league), {"starts_at": f"{year}-03-{last}T01:30"})
    assert response.status_code == 422
    assert "may not exist" in text_of(response)


def test_postponing_needs_a_reason_and_takes_the_date_away(league: League, visit: Visit) -> None:
    client = visit(league.anna)
    assert client.post(address(league, "postpone/"), {}).status_code == 422
    assert client.post(address(league, "postpone/"), {"reason": "  "}).status_code == 422
    client.post(address(league, "postpone/"), {"reason": "Illness"})
    assert (league.mine.status, league.mine.starts_at) == (Fixture.Status.POSTPONED, None)


def test_one_pair_alone_sets_no_new_date_but_a_director_does(league: League, visit: Visit) -> None:
    data = {"reason": "Illness", "starts_at": local(20)}
    visit(league.anna).post(address(league, "postpone/"), data)
    assert league.mine.starts_at is None
    visit(league.director).post(address(league, "postpone/"), data)
    assert league.mine.starts_at is not None


def test_after_the_match_nothing_about_its_date_changes(league: League, visit: Visit) -> None:
    where, fixture = address(league), league.mine
    factories.result(fixture, 60, 40)
    assert "no longer change its date" in text_of(visit(league.anna).get(where))
    response = visit(league.anna).post(where, {"starts_at": local(20)})
    assert response.status_code == 422
    assert not DateProposal.objects.exists()


def test_only_players_who_are_free_that_round_can_stand_in(league: League, visit: Visit) -> None:
    free = factories.player(league.club, "Zoe Zimmer")
    client = visit(league.anna)
    page = text_of(client.get(address(league, "substitute/")))
    assert "Zoe Zimmer" in page
    busy = Player.objects.filter(club=league.club).exclude(pk=free.pk)
    assert sum(f"{player}</option>" in page for player in busy) == 2  # the own pair: who cannot come
    absent = league.own.lineup.players[1]
    client.post(address(league, "substitute/"), {"absent": absent.pk, "substitute": free.pk})
    assert Substitution.objects.get().substitute == free


def test_a_substitute_of_another_club_or_for_the_other_pair_is_no_choice(
    league: League, visit: Visit
) -> None:
    stranger, free = factories.player(factories.club()), factories.player(league.club)
    mine = league.own.lineup.players[0]
    fixture = league.mine
    other = fixture.away if fixture.home_id == league.own.pk else fixture.home
    client = visit(league.anna)
    for absent, substitute in ((mine, stranger), (other.lineup.players[0], free)):
        response = client.post(
            address(league, "substitute/"), {"absent": absent.pk, "substitute": substitute.pk}
        )
        assert response.status_code == 422
    assert not Substitution.objects.exists()


def test_a_substitution_is_taken_back(league: League, visit: Visit) -> None:
    free, absent = factories.player(league.club), league.own.lineup.players[1]
    client = visit(league.anna)
    client.post(address(league, "substitute/"), {"absent": absent.pk, "substitute": free.pk})
    made = Substitution.objects.get()
    assert f"{absent.name} plays after all" in text_of(client.get(address(league, "substitute/")))
    client.post(address(league, "substitute/cancel/"), {"substitution": made.pk})
    assert not Substitution.objects.exists()


def test_the_other_pair_does_not_cancel_my_substitute(league: League, visit: Visit) -> None:
    free, absent = factories.player(league.club), league.own.lineup.players[1]
    visit(league.anna).post(address(league, "substitute/"), {"absent": absent.pk, "substitute": free.pk})
    made = Substitution.objects.get()
    opponent = visit(factories.account_of(made.fixture.away.lineup))
    if made.entry_id == made.fixture.away_id:
        opponent = visit(factories.account_of(made.fixture.home.lineup))
    assert f"{absent.name} plays after all" not in text_of(opponent.get(address(league, "substitute/")))
    assert opponent.post(address(league, "substitute/cancel/"), {"substitution": made.pk}).status_code == 403
    assert Substitution.objects.get() == made
    director = visit(league.director)
    director.post(address(league, "substitute/cancel/"), {"substitution": made.pk})
    assert not Substitution.objects.exists()


@pytest.mark.parametrize("action", ["dates/", "postpone/", "substitute/"])
def test_others_may_not(league: League, visit: Visit, action: str) -> None:
    elsewhere = next(f for f in league.open() if league.own.pk not in {f.home_id, f.away_id})
    outsider: User = factories.account_of(elsewhere.home.lineup)
    assert visit().get(address(league, action)).status_code == 302
    for method in ("get", "post"):
        assert getattr(visit(outsider), method)(address(league, action)).status_code == 403


def test_who_may_not_know_of_the_match_finds_nothing(league: League, visit: Visit) -> None:
    league.competition.visibility = "members"
    league.competition.save()
    assert visit(factories.user()).get(address(league)).status_code == 404


@pytest.mark.parametrize("data", [{}, {"proposal": "x"}, {"proposal": 9 * 10**30, "answer": "accept"}])
def test_odd_answers_are_refused_in_words(league: League, visit: Visit, data: dict[str, object]) -> None:
    response = visit(league.anna).post(address(league, "dates/answer/"), data)
    assert response.status_code in {302, 404}
    response = visit(league.anna).post(address(league, "substitute/cancel/"), data)
    assert response.status_code in {302, 404}
