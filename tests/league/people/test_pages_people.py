"""Clubs, players and pairs: what others may know, and what people do for themselves."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from league.home.queries import clubs as home
from league.home.views import clubs, players
from league.models import Fixture, Lineup, Membership, Player, PlayerClaim, PlayerMerge
from league.people.services import claims
from league.querysets import FixtureQuerySet
from tests.league import factories
from tests.league.reading import League, Visit, league, make_league, text_of, visit, walked

__all__ = ["league", "visit"]


def test_a_club_shows_running_competitions_first_and_drafts_to_directors(
    league: League, visit: Visit
) -> None:
    factories.competition(league.club, name="Old Cup", slug="old-cup", state="finished")
    factories.competition(league.club, name="Next Cup", slug="next-cup")
    where = league.club.get_absolute_url()
    seen, directed = text_of(visit().get(where)), text_of(visit(league.director).get(where))
    assert seen.index(league.competition.name) < seen.index("Old Cup")
    assert "Next Cup" not in seen
    assert "Next Cup" in directed
    assert "desk" in directed
    assert "desk" not in seen


def test_a_club_without_anything_says_what_to_do(visit: Visit, db: None) -> None:
    club = factories.club()
    director = factories.member(club, "director")
    assert "it appears here" in text_of(visit().get(club.get_absolute_url()))
    assert "Set up a competition" in text_of(visit(director).get(club.get_absolute_url()))


def test_what_is_for_members_is_unknown_to_others(league: League, visit: Visit) -> None:
    league.competition.visibility = "members"
    league.competition.save()
    factories.result(league.mine, 60, 40)
    member = factories.member(league.club)
    for client in (visit(), visit(factories.user())):
        assert league.competition.name not in text_of(client.get(league.club.get_absolute_url()))
        assert "60 – 40" not in text_of(client.get(league.club.get_absolute_url()))
        assert client.get(league.url).status_code == 404
        assert client.get(f"{league.url}standings/live/").status_code == 404
    assert visit(member).get(league.url).status_code == 200
    player = league.own.lineup.players[0]
    assert visit().get(player.get_absolute_url()).status_code == 404
    assert visit().get(league.own.lineup.get_absolute_url()).status_code == 404
    assert league.competition.name not in text_of(visit(factories.user()).get(player.get_absolute_url()))


def test_private_data_is_for_the_player_and_directors(league: League, visit: Visit) -> None:
    player = league.own.lineup.players[0]
    Player.objects.filter(pk=player.pk).update(email="secret@example.org", number="M-77")
    where = player.get_absolute_url()
    for person in (None, factories.user(), factories.member(league.club, "scorer")):
        page = text_of(visit(person).get(where))
        assert "secret@example.org" not in page
        assert "M-77" not in page
    for person in (league.anna, league.director):
        assert "secret@example.org" in text_of(visit(person).get(where))


def test_a_claim_waits_for_a_director(league: League, visit: Visit) -> None:
    player, stranger = factories.player(league.club, "Zoe Zimmer"), factories.user()
    client = visit(stranger)
    assert "This is me" in text_of(client.get(player.get_absolute_url()))
    response = client.post(f"/players/{player.pk}/claim/", {"message": "I sit by the window"}, follow=True)
    assert "A director of the club will check it" in text_of(response)
    assert PlayerClaim.objects.get().message == "I sit by the window"
    assert "This is me" not in text_of(client.get(player.get_absolute_url()))


def test_a_player_of_somebody_else_cannot_be_claimed(league: League, visit: Visit) -> None:
    player = league.own.lineup.players[0]
    client = visit(factories.user())
    assert "This is me" not in text_of(client.get(player.get_absolute_url()))
    response = client.post(f"/players/{player.pk}/claim/", {}, follow=True)
    assert "another account" in text_of(response)
    assert not PlayerClaim.objects.exists()


def test_who_plays_here_already_is_not_asked_again(league: League, visit: Visit) -> None:
    other = factories.player(league.club)
    assert "Is this you?" not in text_of(visit(league.anna).get(other.get_absolute_url()))


def test_a_claim_that_is_too_long_is_refused(league: League, visit: Visit) -> None:
    player = factories.player(league.club)
    response = visit(factories.user()).post(
        f"/players/{player.pk}/claim/", {"message": "x" * 301}, follow=True
    )
    assert "up to 300 characters" in text_of(response)
    assert not PlayerClaim.objects.exists()


def test_a_players_results_leave_out_matches_played_by_a_substitute(league: League, visit: Visit) -> None:
    stand_in, absent = factories.player(league.club), league.own.lineup.players[1]
    fixture = league.mine
    fixture.substitutions.create(entry=league.own, absent=absent, substitute=stand_in)
    factories.result(fixture, 71, 52)
    assert "71 – 52" in text_of(visit().get(stand_in.get_absolute_url()))
    assert "71 – 52" not in text_of(visit().get(absent.get_absolute_url()))
    assert "71 – 52" in text_of(visit().get(league.own.lineup.players[0].get_absolute_url()))


def test_merged_rows_lead_to_those_that_were_kept(league: League, visit: Visit) -> None:
    kept, gone = league.own.lineup.players[0], factories.player(league.club)
    Player.objects.filter(pk=gone.pk).update(merged_into=kept)
    pair = factories.pair(league.club)
    Lineup.objects.filter(pk=pair.pk).update(merged_into=league.own.lineup)
    assert visit().get(gone.get_absolute_url())["Location"] == kept.get_absolute_url()
    assert visit().get(pair.get_absolute_url())["Location"] == league.own.lineup.get_absolute_url()
    assert not PlayerMerge.objects.exists()


def test_a_pairs_page_adds_up(league: League, visit: Visit) -> None:
    fixtures = [f for f in league.open() if league.own.pk in {f.home_id, f.away_id}]
    for fixture, (own, other) in zip(fixtures, [(60, 41), (30, 30)], strict=False):
        is_home = fixture.home_id == league.own.pk
        factories.result(fixture, *((own, other) if is_home else (other, own)))
    league.compute()
    page = text_of(visit().get(league.own.lineup.get_absolute_url()))
    assert "Place 1 of 4 with 3 points: 1 won, 1 drawn, 0 lost." in page
    assert "90 : 71 (+19)" in page
    assert "won, drawn" in page  # the form, for readers


def test_a_pair_names_itself(league: League, visit: Visit) -> None:
    where = league.own.lineup.get_absolute_url()
    visit(league.anna).post(where, {"name": "  The  Quiet Ones "})
    assert str(Lineup.objects.get(pk=league.own.lineup.pk)) == "The Quiet Ones"
    assert visit(factories.user()).post(where, {"name": "Thieves"}).status_code == 403
    assert visit().post(where, {"name": "Thieves"}).status_code in {302, 403, 404}
    assert visit(league.anna).post(where, {"name": "x" * 121}).status_code == 422
    assert str(Lineup.objects.get(pk=league.own.lineup.pk)) == "The Quiet Ones"


def test_joining_a_club_makes_a_member_once(league: League, visit: Visit) -> None:
    stranger = factories.user()
    where = f"{league.club.get_absolute_url()}join/"
    assert visit(stranger).get(where).status_code == 405
    for _time in range(2):
        visit(stranger).post(where)
    assert Membership.objects.get(user=stranger).role == "member"
    assert "Become a member" not in text_of(visit(stranger).get(league.club.get_absolute_url()))


def test_players_are_found_by_parts_of_their_names(league: League, visit: Visit) -> None:
    factories.player(league.club, "Zoe Zimmer")
    where = f"{league.club.get_absolute_url()}players/"
    assert "Zoe Zimmer" in text_of(visit(league.anna).get(where, {"q": "zim  ZO"}))
    assert "Nobody found" in text_of(visit(league.anna).get(where, {"q": "%"}))
    assert "Zoe Zimmer" not in text_of(visit().get(where))
    assert str(league.own.lineup.players[0]) in text_of(visit().get(where))


def test_a_refused_claim_may_be_made_again(league: League, visit: Visit) -> None:
    player, stranger = factories.player(league.club), factories.user()
    claim = claims.claim(actor=stranger, player=player, at=timezone.now())
    claims.decide(actor=factories.DIRECTOR, claim=claim, accept=False, at=timezone.now())
    assert "This is me" in text_of(visit(stranger).get(player.get_absolute_url()))


def test_queries_do_not_grow(visit: Visit, django_assert_max_num_queries: object, db: None) -> None:
    for pairs in (4, 10):
        league = make_league(pairs=pairs)
        league.play(*[(60, 41)] * (pairs * 2))
        pair = league.own.lineup
        for page in (pair, pair.players[0], league.club):
            client = visit(league.anna)
            with django_assert_max_num_queries(20):  # type: ignore[operator]
                assert client.get(page.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/clubs/none/",
        "/clubs/none/none/",
        "/clubs/none/players/",
        "/clubs/{club}/none/",
        "/clubs/{club}/none/standings/live/",
        "/clubs/{club}/{competition}/rounds/0/",
        "/clubs/{club}/{competition}/rounds/99999999999999999999999/",
        "/clubs/{club}/players/?after=0",
        "/clubs/{club}/players/?after=-1",
        "/clubs/{club}/players/?after=99999999999999999999999999",
        f"/clubs/{{club}}/players/?after={'9' * 5000}",
        "/clubs/{club}/players/?after=%F0%9F%82%A1",
        "/players/0/",
        "/players/99999999999999999999999999/",
        "/pairs/99999999999999999999999999/",
        "/fixtures/99999999999999999999999999/dates/",
        "/players/{player}/?after=1e9",
        "/players/{player}/?after=2",
    ],
)
def test_what_is_not_there_is_a_404(league: League, visit: Visit, address: str) -> None:
    named = address.format(
        club=league.club.slug,
        competition=league.competition.slug,
        player=league.own.lineup.players[0].pk,
    )
    for person in (None, league.anna):
        response = visit(person).get(named)
        assert response.status_code in ({404} if "fixtures" not in address else {302, 404})


@pytest.mark.parametrize("query", ["?version=%00", "?version=" + "9" * 3000, "?q[]=1&page[]=2", "?%ff=%fe"])
def test_odd_queries_break_nothing(league: League, visit: Visit, query: str) -> None:
    for page in (league.url, f"{league.url}standings/live/", f"{league.club.get_absolute_url()}players/"):
        assert visit().get(page + query).status_code in {200, 400, 404}


def test_what_is_deleted_between_two_questions_is_left_out(
    league: League, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draw may be undone, or an import, while somebody's page is read."""
    played = factories.result(league.mine, 60, 40)
    Fixture.objects.unplayed().update(starts_at=None)
    undone, gone = league.open()[0], factories.player(league.club, "Zoe Zimmer")
    Fixture.objects.filter(pk=undone.pk).update(starts_at=timezone.now() + timedelta(days=1))
    by_keys, in_bulk = FixtureQuerySet.by_keys, QuerySet.in_bulk

    def undraw(rows: Any, keys: Any, *more: str) -> Any:
        Fixture.objects.filter(pk=undone.pk).delete()
        return by_keys(rows, keys, *more)

    def forget(rows: Any, *keys: Any) -> Any:
        Player.objects.filter(pk=gone.pk).delete()
        return in_bulk(rows, *keys)

    monkeypatch.setattr(FixtureQuerySet, "by_keys", undraw)
    monkeypatch.setattr(QuerySet, "in_bulk", forget)
    assert "Zoe" not in text_of(visit(league.anna).get(f"{league.club.get_absolute_url()}players/"))
    news = home.news(league.club, league.anna, at=timezone.now(), mine=frozenset())
    assert (news.coming, [line.key for line in news.results]) == ((), [played.pk])


@pytest.mark.parametrize("who", ["member", "visitor"])
def test_a_list_of_players_goes_on_from_a_row(
    league: League, visit: Visit, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    monkeypatch.setattr(clubs, "PLAYERS_A_PAGE", 2)
    client = visit(league.anna) if who == "member" else visit()
    there = Player.objects.filter(club=league.club).order_by("name", "pk")
    names = [f"/players/{each.pk}/" for each in there]
    others = iter(range(4))

    def add() -> None:
        if next(others, None) is not None:
            factories.player(league.club, "Aaron First")

    shown = walked(client, f"{league.club.get_absolute_url()}players/", r'href="(/players/\d+/)"', add)
    assert [each for each in shown if each in names] == names
    assert len(shown) == len(set(shown))


def test_a_players_results_go_on_from_a_row(
    league: League, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "RESULTS_A_PAGE", 1)
    *later, last = Fixture.objects.of_entry(league.own.pk).with_pairs().order_by("-round__number")
    for fixture in (last, later[-1]):
        factories.result(fixture, 60, 41)
    player, others = league.own.lineup.players[0], iter(later[:-1])

    def play() -> None:
        if (fixture := next(others, None)) is not None:
            factories.result(fixture, 70, 31)

    shown = walked(visit(league.anna), player.get_absolute_url(), r'href="/matches/(\d+)/">\d+ – \d+', play)
    assert [int(each) for each in shown] == [later[-1].pk, last.pk], (
        "what was played meanwhile is before these"
    )
