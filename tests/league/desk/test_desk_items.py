"""What the desk tells of besides missing results: corrections, unanswered times, papers, pairs; and what was seen."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from games.scoresheets.services import scoresheets
from league import extension
from league.competitions.services import competitions
from league.desk.queries import desk
from league.desk.queries.items import DeskItem
from league.extension import PendingSheet, ReportedItem, UnusualResult
from league.fixtures.services import substitutions
from league.models import AuditEntry, DateProposal, Entry, Fixture, OutboxMessage, PlayerClaim
from league.notices.services import outbox
from league.people.services import claims
from league.results.queries import my
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db

DESK = "/clubs/riverside/desk/"
AT = datetime(2026, 9, 20, tzinfo=UTC)


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


def waiting(scene: Scene, mark: str, at: datetime = AT, who: str = "dora") -> list[DeskItem]:
    return [each for each in desk.of_club(scene.club, scene.users[who], at=at).waiting if each.mark == mark]


def confirmed(scene: Scene) -> Fixture:
    return factories.decided(scene.fixture, scores=(100, 80))


# Kinds


@pytest.mark.parametrize(("hours", "said"), [(1, "but not confirmed"), (-1, "corrections is over")])
def test_a_correction_that_was_asked_for_is_to_be_decided(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, hours: int, said: str
) -> None:
    fixture = confirmed(scene)
    sheet = PendingSheet(
        fixture.pk, scene.users["anna"].pk, scene.entries[0].pk, (110, 80), AT + timedelta(hours=hours)
    )
    monkeypatch.setattr(extension.layer(), "pending_sheets", lambda keys: {fixture.pk: sheet})
    (item,) = waiting(scene, "correction")
    assert (item.group, said in item.why_now, "110 – 80" in item.why_now) == ("decide", True, True)
    mine = my.matches(scene.users["eva"], at=AT)
    assert ([match.step for match in mine.to_do] == ["confirm"]) == (hours > 0)


def test_a_proposed_time_that_nobody_answers_is_chased(scene: Scene) -> None:
    soon = DateProposal.objects.create(
        fixture=scene.fixture, entry=scene.entries[0], starts_at=AT + timedelta(days=20)
    )
    DateProposal.objects.filter(pk=soon.pk).update(made_at=AT - timedelta(days=1))
    assert not waiting(scene, "proposal")
    (item,) = waiting(scene, "proposal", AT + timedelta(days=2))
    assert "Berg & Okafor proposed" in item.why_now
    assert "Novak & Reyes have not answered" in item.why_now
    DateProposal.objects.update(state="declined")
    assert not waiting(scene, "proposal", AT + timedelta(days=2))


def test_papers_are_printed_in_the_days_before_a_round(scene: Scene, director: Client) -> None:
    day_before = datetime(2026, 9, 30, tzinfo=UTC)
    assert not waiting(scene, "print")
    (item,) = waiting(scene, "print", day_before)
    assert "2 matches to play from" in item.why_now
    (step,) = item.steps
    assert director.get(step.url).status_code == 200


def test_a_late_pair_before_play_asks_for_a_new_draw(scene: Scene) -> None:
    AuditEntry.objects.create(
        actor_name="Dora",
        action="competition.drawn",
        summary="Rounds drawn",
        club=scene.club,
        competition=scene.competition,
    )
    assert not waiting(scene, "draw again")
    Entry.objects.filter(pk=scene.entries[3].pk).update(entered_at=datetime.now(UTC) + timedelta(hours=1))
    (item,) = waiting(scene, "draw again")
    assert "There is 1 late entry" in item.why_now
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="in_play")
    assert not waiting(scene, "draw again")


def test_a_new_pair_that_plays_nowhere_waits(scene: Scene, director: Client) -> None:
    now = datetime.now(UTC)
    assert not waiting(scene, "pair waiting", now)
    players = [scene.club.players.create(name=name) for name in ("Nora Nye", "Ole Ost")]
    factories.pair(scene.club, players[0], players[1])
    (item,) = waiting(scene, "pair waiting", now)
    assert item.what == "Nye & Ost"
    assert not waiting(scene, "pair waiting", now, who="sam")
    director.post(f"{DESK}seen/", {"key": item.key})
    assert not waiting(scene, "pair waiting", now + timedelta(seconds=5))


def test_when_every_match_is_decided_the_competition_is_to_be_finished(scene: Scene) -> None:
    assert not waiting(scene, "finish")
    Fixture.objects.update(status="walkover")
    assert [item.what for item in waiting(scene, "finish")] == ["Winter League"]
    competitions.finish(actor=scene.users["dora"], competition=scene.competition)
    assert not waiting(scene, "finish")


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[ReportedItem]:
    told: list[ReportedItem] = []
    monkeypatch.setattr(extension.layer(), "desk_items", lambda **_of: told)
    return told


def test_a_game_reports_matters_of_its_own(scene: Scene, reported: list[ReportedItem]) -> None:
    reported.append(
        ReportedItem("prepare", "boards", "green", "Round 2", "/b/", "Not dealt yet.", (("Deal", "/b/"),))
    )
    (item,) = waiting(scene, "boards")
    assert (item.group, item.steps[0].label) == ("prepare", "Deal")


def test_the_most_urgent_group_comes_first_and_an_empty_desk_says_what_comes(
    scene: Scene, director: Client
) -> None:
    Fixture.objects.update(status="void")
    page = director.get(DESK).content.decode()
    assert "finish" in page
    competitions.finish(actor=scene.users["dora"], competition=scene.competition)
    page = director.get(DESK).content.decode()
    assert "Nothing is waiting for you" in page


# What was seen


@pytest.fixture
def odd(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> dict[int, UnusualResult]:
    fixture = confirmed(scene)
    marked = {fixture.pk: UnusualResult(fixture.pk, ("All hands alike.",))}
    monkeypatch.setattr(
        extension.layer(),
        "unusual_results",
        lambda keys, _reader: {k: marked[k] for k in keys if k in marked},
    )
    return marked


def now_odd(scene: Scene) -> list[DeskItem]:
    return waiting(scene, "unusual", datetime.now(UTC))


def test_an_odd_result_that_was_seen_leaves_the_desk_and_can_be_put_back(
    scene: Scene, director: Client, odd: dict[int, UnusualResult]
) -> None:
    (item,) = now_odd(scene)
    said = director.post(f"{DESK}seen/", {"key": item.key}, follow=True).content.decode()
    assert "Seen: Berg &amp; Okafor – Novak &amp; Reyes" in said
    assert "Dismissed: 1" in said
    assert not now_odd(scene)
    entry = AuditEntry.objects.get(action="desk.seen")
    assert entry.after
    assert (entry.fixture_id, entry.actor_name, entry.after["key"]) == (
        scene.fixture.pk,
        "Dora Director",
        item.key,
    )
    director.post(f"{DESK}seen/", {"key": item.key, "again": "1"})
    assert len(now_odd(scene)) == 1
    director.post(f"{DESK}seen/", {"key": item.key})
    odd[scene.fixture.pk] = UnusualResult(scene.fixture.pk, ("Another sheet, another remark.",))
    assert len(now_odd(scene)) == 1


def test_of_the_own_match_somebody_else_sees_to_it_while_there_is_anybody(
    scene: Scene, client: Client, odd: dict[int, UnusualResult]
) -> None:
    (item,) = now_odd(scene)
    scene.club.memberships.filter(user=scene.users["anna"]).update(role="scorer")
    client.force_login(scene.users["anna"])
    assert client.post(f"{DESK}seen/", {"key": item.key}).status_code == 403
    assert len(now_odd(scene)) == 1
    scene.club.memberships.filter(role__in=["director", "owner"]).update(role="scorer")
    assert client.post(f"{DESK}seen/", {"key": item.key}).status_code == 302
    assert not now_odd(scene)


@pytest.mark.parametrize("key", ["", "odd:1:x", "x" * 500, "papers:99999999999999999999"])
def test_what_is_not_on_the_desk_is_not_put_aside(
    director: Client, odd: dict[int, UnusualResult], key: str
) -> None:
    assert director.post(f"{DESK}seen/", {"key": key}).status_code == 302
    assert not AuditEntry.objects.filter(action="desk.seen").exists()


def test_news_are_told_by_what_is_new(scene: Scene, director: Client) -> None:
    url = director.get(DESK).context["todo"].url
    Fixture.objects.filter(pk__in=[each.pk for each in scene.fixtures[-2:]]).update(status="disputed")
    told = director.get(url)["X-Live-Announce"]
    assert told.startswith("New%20on%20the%20desk%3A%20disputed")
    assert told.endswith("and%201%20more")
    url = director.get(url)["X-Live-Url"]
    Fixture.objects.filter(pk=scene.fixtures[-1].pk).update(status="void")
    less = director.get(url)
    assert less.status_code == 200
    assert "X-Live-Announce" not in less


# Mails and proposals


def test_directors_hear_of_a_claim_and_the_claimant_of_the_answer(
    scene: Scene, mailoutbox: list[Any]
) -> None:
    user, at = scene.users["stranger"], AT
    newcomer = scene.players[0]
    newcomer.user = None
    newcomer.save()
    claims.claim(actor=user, player=newcomer, at=at, message="I play with Chidi")
    claims.claim(actor=user, player=newcomer, at=at)
    assert set(OutboxMessage.objects.values_list("to", flat=True)) == {
        "dora@example.org",
        "olive@example.org",
    }
    assert OutboxMessage.objects.count() == 2
    claims.decide(actor=scene.users["dora"], claim=PlayerClaim.objects.get(), accept=True, at=at)
    assert outbox.deliver(at=at) == 3
    assert "I play with Chidi" not in mailoutbox[0].body, "a stranger writes to nobody by way of us"
    assert "stranger" not in mailoutbox[0].body, "the desk names the account"
    assert "/clubs/riverside/desk/claims/" in mailoutbox[0].body
    assert "You are now linked to Anna Berg in Riverside Club" in mailoutbox[2].body
    assert mailoutbox[2].to == ["stranger@example.org"]


def test_a_substitute_is_asked_to_confirm(scene: Scene) -> None:
    substitutions.appoint(
        actor=scene.users["eva"], fixture=scene.fixture, absent=scene.players[7], substitute=_outsider(scene)
    )
    scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    told = set(OutboxMessage.objects.filter(template="to_confirm").values_list("to", flat=True))
    assert told == {"eva@example.org", "luis@example.org", "stranger@example.org"}


def _outsider(scene: Scene) -> Any:
    return scene.club.players.create(name="Stella Stand-in", user=scene.users["stranger"])


def test_an_own_proposal_is_taken_back(scene: Scene, client: Client) -> None:
    proposal = DateProposal.objects.create(
        fixture=scene.fixture, entry=scene.entries[0], starts_at=datetime(2027, 1, 1, 19, tzinfo=UTC)
    )
    url = f"/fixtures/{scene.fixture.pk}/dates/"
    answer = {"proposal": proposal.pk, "answer": "withdraw"}
    client.force_login(scene.users["eva"])
    assert client.post(f"{url}answer/", answer).status_code == 403
    client.force_login(scene.users["anna"])
    assert "Withdraw" in client.get(url).content.decode()
    client.post(f"{url}answer/", answer)
    proposal.refresh_from_db()
    assert proposal.state == "withdrawn"
    assert AuditEntry.objects.filter(action="fixture.date_withdrawn", fixture=scene.fixture).count() == 1
