"""The desk as it is watched: what waits for whom, whether it is news, the open matches, and what has changed."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from league import extension
from league.audit import queries as trail
from league.desk.queries import desk
from league.extension import UnusualResult
from league.fixtures.services import fixtures
from league.models import (
    ApiToken,
    AuditEntry,
    Club,
    Fixture,
    ImportBatch,
    Membership,
    Player,
    PlayerClaim,
    Role,
)
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

DESK = "/clubs/riverside/desk/"
AT = datetime(2026, 10, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["dora"])
    return client


def marks(scene: Scene, who: str, at: datetime = AT) -> list[str]:
    return [str(item.mark) for item in desk.of_club(scene.club, scene.users[who], at=at).waiting]


def live_url(page: Any) -> str:
    return str(page.context["todo"].url)


# What waits


def test_a_scorer_is_offered_only_what_a_scorer_may_do(scene: Scene) -> None:
    PlayerClaim.objects.create(
        player=Player.objects.create(club=scene.club, name="New"), user=scene.users["stranger"]
    )
    Player.objects.create(club=scene.club, name="Anna  Berg")
    for_sam = desk.of_club(scene.club, scene.users["sam"], at=AT).waiting
    for_dora = desk.of_club(scene.club, scene.users["dora"], at=AT).waiting
    assert {str(item.mark) for item in for_dora} - {str(m.mark) for m in for_sam} == {
        "claim",
        "duplicates",
    }
    assert not [step for item in for_sam for step in item.steps if "ruling" in step.url]
    assert [step for item in for_dora for step in item.steps if "ruling" in step.url]


def test_likely_duplicates_are_a_matter_until_they_are_merged(scene: Scene, director: Client) -> None:
    assert "duplicates" not in marks(scene, "dora")
    twin = Player.objects.create(club=scene.club, name="Anna  Berg")
    assert marks(scene, "dora")[-1] == "duplicates"
    director.post(f"{DESK}duplicates/", {"keep": scene.players[0].pk, "duplicate": twin.pk})
    assert "duplicates" not in marks(scene, "dora")


def test_a_match_far_ahead_without_a_date_can_wait(scene: Scene) -> None:
    last = scene.fixtures[-1]
    Fixture.objects.filter(pk=last.pk).update(starts_at=None)
    soon, early = last.round.starts_on - timedelta(days=13), last.round.starts_on - timedelta(days=20)
    assert marks(scene, "dora", datetime(soon.year, soon.month, soon.day, tzinfo=UTC)).count("no date") == 1
    assert "no date" not in marks(scene, "dora", datetime(early.year, early.month, early.day, tzinfo=UTC))
    Fixture.objects.filter(pk=last.pk).update(status="postponed")
    assert "no date" in marks(scene, "dora", datetime(early.year, early.month, early.day, tzinfo=UTC))


def test_an_odd_result_is_shown_with_its_remark(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    played = scene.fixture
    factories.decided(played, scores=(1, 2))
    odd = {played.pk: UnusualResult(played.pk, ("All hands alike.",))}
    monkeypatch.setattr(
        extension.layer(),
        "unusual_results",
        lambda keys, _reader: {key: odd[key] for key in keys if key in odd},
    )
    found = [
        m
        for m in desk.of_club(scene.club, scene.users["dora"], at=timezone.now()).waiting
        if str(m.mark) == "unusual"
    ]
    assert [item.why_now for item in found] == ["Winter League, First Division, Round 1. All hands alike."]


def test_the_most_urgent_come_first_and_all_on_demand(
    scene: Scene, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.desk.views.MATTERS_SHOWN", 2)
    Fixture.objects.update(status="disputed")
    page = director.get(DESK).content.decode()
    assert page.count('class="mark"') == 2
    assert "Show all 6" in page
    everything = director.get(f"{DESK}?all=1")
    assert everything.content.decode().count('class="mark"') == 6
    assert director.get(live_url(everything)).status_code == 204


# News


def test_the_desk_asks_again_and_is_told_only_what_is_new(scene: Scene, director: Client) -> None:
    url = live_url(director.get(DESK))
    assert director.get(url).status_code == 204
    fixture = scene.fixtures[5]
    Fixture.objects.filter(pk=fixture.pk).update(status="disputed")
    news = director.get(url)
    assert news.status_code == 200
    assert "<html" not in news.content.decode()
    assert "disputed" in news.content.decode()
    assert "New%20on%20the%20desk%3A%20disputed" in news["X-Live-Announce"]
    assert director.get(news["X-Live-Url"]).status_code == 204


def test_the_mere_passing_of_time_is_shown_but_not_announced(scene: Scene, director: Client) -> None:
    version = director.get(DESK).context["todo"].version
    about = version.partition("-")[0]
    answer = director.get(f"{DESK}now/?version={about}-older")
    assert answer.status_code == 200
    assert "X-Live-Announce" not in answer


@pytest.mark.parametrize("version", ["", "x", "-", "%25", "a" * 500])
def test_any_version_is_answered(director: Client, version: str) -> None:
    assert director.get(f"{DESK}now/?version={version}").status_code == 200


@pytest.mark.parametrize("address", ["now/", "matches/"])
def test_the_desk_is_for_scorers_and_above(scene: Scene, client: Client, address: str) -> None:
    client.force_login(scene.users["anna"])
    assert client.get(f"{DESK}{address}").status_code == 403
    client.force_login(scene.users["sam"])
    assert client.get(f"{DESK}{address}").status_code == 200


@pytest.mark.parametrize("matches", [1, 6])
def test_the_desk_reads_as_many_rows_for_few_matters_as_for_many(
    scene: Scene, director: Client, django_assert_max_num_queries: Any, matches: int
) -> None:
    keys = [fixture.pk for fixture in scene.fixtures[:matches]]
    Fixture.objects.filter(pk__in=keys).update(status="disputed")
    url = live_url(director.get(DESK))
    with django_assert_max_num_queries(46):
        director.get(DESK)
    with django_assert_max_num_queries(31):
        director.get(url)


# Open matches


def listed(page: Any) -> list[int]:
    return [line.key for line in page.context["lines"]]


def test_open_matches_are_listed_by_kind(scene: Scene, director: Client) -> None:
    now = timezone.now()
    first, second, third, *rest = scene.fixtures
    Fixture.objects.update(starts_at=now + timedelta(days=60))
    scene.competition.stage.rounds.update(closes_at=now + timedelta(days=60))
    Fixture.objects.filter(pk=first.pk).update(status="disputed")
    Fixture.objects.filter(pk=second.pk).update(starts_at=None)
    Fixture.objects.filter(pk=third.pk).update(status="walkover")
    Fixture.objects.filter(pk=rest[0].pk).update(starts_at=now - timedelta(hours=1))
    Fixture.objects.filter(pk=rest[1].pk).update(starts_at=now + timedelta(hours=1))
    url = f"{DESK}matches/"
    assert set(listed(director.get(url))) == {f.pk for f in scene.fixtures} - {third.pk}
    assert listed(director.get(f"{url}?which=disputed")) == [first.pk]
    assert listed(director.get(f"{url}?which=no_date")) == [second.pk]
    assert listed(director.get(f"{url}?which=missing")) == [rest[0].pk]
    assert listed(director.get(f"{url}?which=soon")) == [rest[1].pk]
    assert listed(director.get(f"{url}?which=late")) == []
    scene.competition.stage.rounds.update(closes_at=now - timedelta(hours=1))
    assert len(listed(director.get(f"{url}?which=late"))) == 4


def test_open_matches_are_found_by_the_names_of_pairs(scene: Scene, director: Client) -> None:
    page = director.get(f"{DESK}matches/?q=anna+berg")
    assert len(listed(page)) == 3
    assert listed(director.get(f"{DESK}matches/?q=anna+nobody")) == []
    assert director.get(f"{DESK}matches/?q=%25%5C").status_code == 200


@pytest.mark.parametrize("query", ["which=everything", "after=0", "after=99999999999999999999", "after=x"])
def test_lists_that_there_are_not_are_not_found(director: Client, query: str) -> None:
    assert director.get(f"{DESK}matches/?{query}").status_code == 404


def test_a_scorer_enters_sheets_but_gives_no_walkovers(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["sam"])
    page = client.get(f"{DESK}matches/").content.decode()
    assert "/scoresheet/" in page
    assert "/ruling/" not in page


def test_a_disputed_match_is_not_offered_a_date(scene: Scene, director: Client) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="disputed")
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    assert "Postponed:" not in director.get(url).content.decode()
    sent = {"part": "ruling", "ruling": "postpone", "reason": "Ill"}
    assert director.post(url, sent).status_code == 422


@pytest.mark.parametrize("moment", ["9999-12-31T23:59", "0001-01-01T00:00", "tomorrow", "2026-02-30T10:00"])
def test_a_date_that_makes_no_sense_is_told(scene: Scene, director: Client, moment: str) -> None:
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    page = director.post(url, {"part": "arrange", "starts_at": moment})
    assert page.status_code == 422
    assert "starts_at" in page.context["arrange"].errors


# What has changed


def test_the_trail_tells_who_did_what_to_what_and_why(scene: Scene, director: Client) -> None:
    fixtures.postpone(actor=scene.users["dora"], fixture=scene.fixture, reason="Snow on the roads")
    page = director.get(DESK).content.decode()
    assert "Latest changes" in page
    assert "Snow on the roads" in page
    line = trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])[0]
    assert (line.who, line.what) == ("Dora Director", ("Postponed",))
    assert (line.about.name, line.about.url) == (str(scene.fixture), f"/matches/{scene.fixture.pk}/")


def test_what_one_act_wrote_about_a_match_is_one_line(scene: Scene) -> None:
    for action, summary in (
        ("fixture.submitted", "Result entered"),
        ("sheet.submitted", "Scoresheet 1 entered"),
    ):
        AuditEntry.objects.create(
            actor_name="Anna Berg", action=action, summary=summary, club=scene.club, fixture=scene.fixture
        )
    (line,) = trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])
    assert line.what == ("Scoresheet 1 entered", "Result entered")


def test_two_acts_in_one_breath_stay_two_lines(scene: Scene) -> None:
    for reason in ("Snow", "No snow"):
        AuditEntry.objects.create(
            actor_name="Dora",
            action="fixture.postponed",
            summary="Postponed",
            club=scene.club,
            fixture=scene.fixture,
            reason=reason,
        )
    told = trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])
    assert [line.why for line in told] == ["No snow", "Snow"]


def test_the_trail_outlives_what_it_tells_of(scene: Scene, director: Client) -> None:
    for name in ("fixture_id", "competition_id", "player_id"):
        AuditEntry.objects.create(
            actor_name="Dora", action="x", summary=f"Gone {name}", club=scene.club, **{name: 10**9}
        )
    page = director.get(f"{DESK}trail/").content.decode()
    assert page.count("Gone ") == 3


def test_the_trail_shows_no_other_club(scene: Scene, director: Client) -> None:
    other = Club.objects.create(name="Elsewhere", slug="elsewhere")
    AuditEntry.objects.create(actor_name="Eve", action="x", summary="Their secret", club=other)
    AuditEntry.objects.create(actor_name="Eve", action="x", summary="A token", club=None)
    page = director.get(f"{DESK}trail/").content.decode()
    assert "Their secret" not in page
    assert "A token" not in page


def test_the_trail_is_for_directors_and_has_pages(scene: Scene, client: Client) -> None:
    for number in range(60):
        AuditEntry.objects.create(actor_name="Dora", action="x", summary=f"Change {number}.", club=scene.club)
    client.force_login(scene.users["sam"])
    assert client.get(f"{DESK}trail/").status_code == 403
    assert "Latest changes" not in client.get(DESK).content.decode()
    client.force_login(scene.users["dora"])
    first = client.get(f"{DESK}trail/").content.decode()
    assert "Change 59." in first
    assert "Newest" not in first
    older = re.search(r"\?after=\d+", first)
    assert older is not None
    AuditEntry.objects.create(actor_name="Dora", action="x", summary="Meanwhile.", club=scene.club)
    last = client.get(f"{DESK}trail/{older[0]}").content.decode()
    shown = [f"Change {number}." for number in range(60) if f"Change {number}." in first + last]
    assert len(shown) == 60
    assert "Meanwhile." not in last
    assert "Older" not in last
    for unknown in ("0", "-1", "x", "²", "9" * 30):
        assert client.get(f"{DESK}trail/?after={unknown}").status_code == 404


def test_changes_of_one_moment_are_on_one_page_each(
    scene: Scene, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as stopped:
        stopped.setattr(timezone, "now", lambda: AT)
        for number in range(120):
            AuditEntry.objects.create(
                actor_name="Dora", action="x", summary=f"No. {number}.", club=scene.club
            )
    shown, addresses = [], ["?"]
    while addresses:
        page = director.get(f"{DESK}trail/{addresses.pop()}").content.decode()
        shown += [int(number) for number in re.findall(r"No\. (\d+)\.", page)]
        addresses = re.findall(r'(\?after=\d+)" rel="next"', page)
    assert shown == [*range(119, -1, -1)]


@pytest.mark.parametrize("lines", [2, 40])
def test_the_trail_reads_as_many_rows_for_few_lines_as_for_many(
    scene: Scene, director: Client, django_assert_max_num_queries: Any, lines: int
) -> None:
    for number in range(lines):
        AuditEntry.objects.create(
            actor_name=f"Dora {number}",
            action="x",
            summary="Changed",
            club=scene.club,
            fixture=scene.fixtures[number % 6],
            player=scene.players[number % 8],
        )
    with django_assert_max_num_queries(13):
        director.get(f"{DESK}trail/")


# Members


def test_members_are_listed_by_rank_with_what_each_role_may_do(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["olive"])
    page = client.get(f"{DESK}members/")
    roles = [item["membership"].role for item in page.context["members"]]
    assert roles[:3] == [Role.OWNER, Role.DIRECTOR, Role.SCORER]
    assert "What the roles mean" in page.content.decode()
    added = client.post(
        f"{DESK}members/", {"email": "stranger@example.org", "role": "scorer"}, follow=True
    ).content.decode()
    assert "You have invited stranger@example.org." in added
    assert "Stranger Strange" not in added
    assert not Membership.objects.filter(user=scene.users["stranger"]).exists()


def test_a_claim_is_decided_by_a_clear_answer_alone(scene: Scene, director: Client) -> None:
    player = Player.objects.create(club=scene.club, name="New")
    claim = PlayerClaim.objects.create(player=player, user=scene.users["stranger"])
    for answer in ("", "perhaps"):
        director.post(f"{DESK}claims/", {"claim": claim.pk, "answer": answer})
        claim.refresh_from_db()
        assert claim.state == PlayerClaim.State.OPEN
    director.post(f"{DESK}claims/", {"claim": claim.pk, "answer": "refuse"})
    claim.refresh_from_db()
    assert claim.state == PlayerClaim.State.REFUSED


def test_an_import_is_carried_out_by_its_button_alone(scene: Scene, director: Client) -> None:
    batch = ImportBatch.objects.create(club=scene.club, kind="players", rows=[])
    director.post(f"{DESK}import/{batch.pk}/", {})
    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.PREVIEWED


# The token for programs


def test_a_token_is_made_shown_once_and_revoked(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["anna"])
    assert "You have no token" in client.get("/my/token/").content.decode()
    wanted = {"scope": "read", "days": "30"}
    asked_again = client.post("/my/token/", wanted)
    assert asked_again["Location"].startswith("/accounts/reauthenticate/")
    # What was sent before the password was asked for is carried out after it.
    made = client.post(asked_again["Location"], {"password": "concerto-13-cards", "next": "/my/token/"})
    token = made.context["text"]
    assert token in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    asked = Client().get("/api/v1/token/", headers={"Authorization": f"Token {token}"})
    assert asked.status_code == 200
    later = client.get("/my/token/").content.decode()
    assert token not in later
    assert token[:8] in later
    assert client.post("/my/token/revoke/", follow=True).status_code == 200
    assert not ApiToken.objects.exists()
    assert client.post("/my/token/revoke/").status_code == 302
    assert client.get("/my/token/revoke/").status_code == 405


def test_a_token_is_for_those_who_are_logged_in(client: Client) -> None:
    for method, address in ((client.get, "/my/token/"), (client.post, "/my/token/")):
        assert method(address)["Location"].startswith("/accounts/login/")
    assert not ApiToken.objects.exists()
