"""What directors decide about a match: rulings, dates, substitutes, reopening, awarded scores; the same as on pages."""

from datetime import timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from games.boards.services import neutrals
from games.models import AdjustedScore, Board, ChatLine, EarlyPlay, NeutralInvitation, Participation
from games.scoresheets.services import scoresheets
from league.fixtures.services import fixtures
from league.models import (
    AuditEntry,
    Fixture,
    IdempotencyKey,
    Membership,
    OutboxMessage,
    Player,
    Role,
    Round,
    Substitution,
)
from tests.api.same_rows import browser, left_by
from tests.games.boards import duplicate_scene, play, sealed
from tests.games.events import make_event, settle
from tests.games.events import play as play_boards
from tests.league import factories
from tests.permissions.walking import make_reported_line, make_table
from tests.scenes import make_scene, totals_sheet

pytestmark = pytest.mark.django_db
BECAUSE = {"reason": "They were snowed in"}
AVERAGE = {"percent": {"home": "60", "away": "40"}}


def at(fixture, *parts, kind="fixtures") -> str:
    return "/".join([f"/api/v1/{kind}", str(fixture.pk), *map(str, parts), ""])


def newest() -> AuditEntry:
    return AuditEntry.objects.order_by("-pk")[0]


# Rulings and dates


def test_rulings_are_offered_given_once_and_undone(program, league) -> None:
    director, here = program(league.director), at(league.fixture, "ruling")
    offered = director.get(here).json()
    assert [each["ruling"] for each in offered["rulings"]] == ["home", "away", "both", "postpone", "void"]
    assert offered["may_rule"] is True
    body, key = {**BECAUSE, "ruling": "away"}, {"HTTP_IDEMPOTENCY_KEY": "snow"}
    first = director.post(here, body, **key)
    assert first.json()["fixture"]["status"] == "walkover"
    assert first.json()["fixture"]["result"]["kind"] == "walkover_away"
    assert director.post(here, body, **key).json() == first.json(), "sent again"
    assert AuditEntry.objects.filter(action="fixture.walkover").count() == 1
    assert director.post(here, {**BECAUSE, "ruling": "void"}, **key).status_code == 409, "another request"
    assert director.post(here, {**BECAUSE, "ruling": "void"}).status_code == 409, "not while it is decided"
    undone = director.post(here, {**BECAUSE, "ruling": "restore"}).json()
    assert undone["fixture"]["status"] == "scheduled"
    assert newest().reason == BECAUSE["reason"]


def test_a_withdrawn_pair_s_match_is_not_brought_back_alone(program, league) -> None:
    director = program(league.director)
    fixture = Fixture.objects.with_pairs().get(pk=league.fixture.pk)
    fixture.home.withdrawn_at = timezone.now()
    fixture.home.save()
    Fixture.objects.filter(pk=fixture.pk).update(status=Fixture.Status.VOID)
    assert director.get(at(fixture, "ruling")).json()["rulings"] == []
    assert director.post(at(fixture, "ruling"), {**BECAUSE, "ruling": "restore"}).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"ruling": "home"},
        {"ruling": "without-0", **BECAUSE},
        {"ruling": "home", "reason": ""},
        {"ruling": ["home"], **BECAUSE},
        {"ruling": "home\n", "reason": "x" * 301},
        {"ruling": "home", **BECAUSE, "losing": 3},
    ],
)
def test_what_is_no_ruling_is_refused(program, league, body) -> None:
    answer = program(league.director).post(at(league.fixture, "ruling"), body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert program(league.home).post(at(league.fixture, "ruling"), body).status_code == 403


def test_what_is_left_out_of_an_arrangement_stays(program, league) -> None:
    director, here = program(league.director), at(league.fixture, "arrange")
    before = Fixture.objects.get(pk=league.fixture.pk).starts_at
    told = director.post(here, {"place": "Town hall", "table": "3"}).json()
    assert (told["place"], told["table"]) == ("Town hall", "3")
    assert Fixture.objects.get(pk=league.fixture.pk).starts_at == before
    assert director.post(here, {"starts_at": None}).json()["place"] == "Town hall"
    assert Fixture.objects.get(pk=league.fixture.pk).starts_at is None
    for body in ({"starts_at": "soon"}, {"starts_at": "1066-10-14T10:00Z"}, {"table": "x" * 21}, {"day": 1}):
        assert director.post(here, body).status_code == 400


# Substitutes


def test_a_substitute_is_named_listed_and_taken_back(program, league) -> None:
    home, here = program(league.home), at(league.fixture, "substitutes")
    absent = league.fixture.home.lineup.players[0]
    stand_in = factories.player(league.club, "Sue Stand")
    assert stand_in.pk in [each["id"] for each in home.get(here).json()["free"]]
    body, key = {"absent": absent.pk, "substitute": stand_in.pk}, {"HTTP_IDEMPOTENCY_KEY": "sue"}
    (named,) = home.post(here, body, **key).json()["substitutes"]
    assert (named["absent"]["id"], named["substitute"]["name"]) == (absent.pk, "Sue Stand")
    assert home.post(here, body, **key).json()["substitutes"] == [named]
    one = f"{here}{named['id']}/"
    assert program(league.away).delete(one).status_code == 403, "of the other side"
    assert program(league.other).delete(one).status_code == 403
    assert home.delete(one).status_code == 204
    assert home.delete(one).status_code == 404
    assert not Substitution.objects.exists()


@pytest.mark.parametrize(("who", "kept"), [("home", ""), ("director", "gina@example.org")])
def test_a_guest_is_written_to_and_only_a_director_s_word_keeps_the_address(
    program, league, who, kept
) -> None:
    absent = league.fixture.home.lineup.players[0]
    body = {"absent": absent.pk, "guest": "Gina Ghost", "email": "gina@example.org"}
    asked = program(getattr(league, who))
    assert asked.post(at(league.fixture, "substitutes"), body).status_code == 200
    assert Player.objects.get(name="Gina Ghost").email == kept
    assert OutboxMessage.objects.filter(to="gina@example.org", template="guest_named").count() == 1


def test_who_cannot_stand_in_is_refused(program, league) -> None:
    here, home = at(league.fixture, "substitutes"), program(league.home)
    own, other = league.fixture.home.lineup.players[0], league.fixture.away.lineup.players[0]
    stand_in = factories.player(league.club)
    elsewhere = factories.player(factories.club())
    for body in (
        {"absent": own.pk, "substitute": other.pk},
        {"absent": own.pk, "substitute": elsewhere.pk},
        {"absent": other.pk, "substitute": stand_in.pk},
        {"absent": stand_in.pk, "substitute": stand_in.pk},
        {"absent": own.pk, "guest": own.name},
    ):
        assert home.post(here, body).status_code == 422
    for body in (
        {"absent": own.pk},
        {"absent": own.pk, "substitute": 0},
        {"absent": own.pk, "substitute": 10**30},
        {"absent": own.pk, "substitute": stand_in.pk, "guest": "Gina Ghost"},
        {"absent": own.pk, "substitute": stand_in.pk, "email": "gina@example.org"},
        {},
    ):
        assert home.post(here, body).status_code == 400
    assert program(league.other).get(here).status_code == 403
    assert not Substitution.objects.exists()


# Reopening


def confirmed(league):
    """The league's match, played and confirmed."""
    sheet = scoresheets.submit(
        actor=league.home, fixture=league.fixture, content=totals_sheet((60, 20), (50, 30)), origin="page"
    )
    scoresheets.confirm(actor=league.away, sheet=sheet, digest=sheet.digest)
    return league.fixture


def test_a_match_is_reopened_after_a_look_at_what_that_does(program, league) -> None:
    fixture, director = confirmed(league), program(league.director)
    here = at(fixture, "reopening", kind="matches")
    seen = director.get(here).json()
    assert (seen["version"], seen["comparison"]) == (1, None)
    lines = {each["pair"]: each for each in seen["table"]}
    assert lines[str(fixture.home)]["points_before"] != lines[str(fixture.home)]["points_after"]
    assert Fixture.objects.get(pk=fixture.pk).status == "confirmed", "nothing is written by looking"
    key = {"HTTP_IDEMPOTENCY_KEY": "again"}
    for _twice in range(2):
        assert director.post(here, BECAUSE, **key).json()["status"] == "reopened"
    assert AuditEntry.objects.filter(action="match.reopened").count() == 1
    assert director.get(here).json() == {"version": None, "table": [], "comparison": None}
    assert director.post(here, BECAUSE).status_code == 409
    for who in (league.home, league.scorer, league.stranger):
        assert program(who).get(here).status_code == 403
        assert program(who).post(here, BECAUSE).status_code == 403


# Scores of boards


@pytest.fixture
def event():
    made = make_event(tables=4, boards=2)
    for place, fixture in enumerate(made.fixtures, start=1):
        play_boards(fixture, (50 + 10 * place, 50), (40, 50))
    settle(made)
    return made


def test_a_score_is_foreseen_awarded_once_and_taken_back(program, event) -> None:
    director = program(event.director)
    here = at(event.fixtures[3], "boards", 1, "award", kind="matches")
    seen = director.post(f"{here}preview/", {"content": AVERAGE}).json()["changes"]
    assert seen["boards"] == [1]
    assert any(each["before"] != each["after"] for each in seen["figures"])
    assert not AdjustedScore.objects.exists()
    body, key = {"content": AVERAGE, **BECAUSE}, {"HTTP_IDEMPOTENCY_KEY": "sixty"}
    for _twice in range(2):
        told = director.post(here, body, **key).json()
        assert told["standing"]["words"] == ["60% and 40%"]
        assert told["standing"]["reason"] == BECAUSE["reason"]
    assert AdjustedScore.objects.count() == 1
    back = director.post(f"{here}back/", BECAUSE).json()
    assert (back["standing"], len(back["earlier"]), back["may_take_back"]) == (None, 1, False)
    assert director.post(f"{here}back/", BECAUSE).status_code == 409
    player = factories.account_of(event.entries[0].lineup)
    for each in (player, factories.member(factories.club(), Role.DIRECTOR)):
        assert program(each).get(here).status_code == 403
        assert program(each).post(here, body).status_code == 403
        assert program(each).post(f"{here}preview/", {"content": AVERAGE}).status_code == 403
        assert program(each).post(f"{here}back/", BECAUSE).status_code == 403


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (None, 400),
        (7, 422),
        ({}, 422),
        ({"percent": {"home": "101", "away": "0"}}, 422),
        ({"percent": [1, 2]}, 422),
        ({"scores": [{"home": "40", "away": "16", "weight": "1/3"}]}, 422),
        ({"scores": [None]}, 422),
        ({"scores": "x" * 40}, 422),
        ({"percent": {"home": [], "away": {}}}, 422),
    ],
)
def test_what_is_no_score_is_refused(program, event, content, status) -> None:
    director = program(event.director)
    here = at(event.fixtures[0], "boards", 1, "award", kind="matches")
    if status == 422:
        assert director.post(f"{here}preview/", {"content": content}, format="json").status_code == 422
    answer = director.post(here, {"content": content, **BECAUSE}, format="json")
    assert answer.status_code in {status, 422}
    assert director.post(here, {"content": AVERAGE}).status_code == 400
    assert not AdjustedScore.objects.exists()
    nowhere = at(event.fixtures[0], "boards", 77, "award", kind="matches")
    assert director.get(nowhere).status_code == 404


def test_a_director_who_plays_reads_no_score_of_a_sealed_board(program) -> None:
    event = make_event(tables=4, boards=1, is_released=False)
    for fixture in event.fixtures[:2]:
        play_boards(fixture, (90, 50))
    playing = factories.member(
        event.competition.club, Role.DIRECTOR, factories.account_of(event.entries[6].lineup)
    )
    here = at(event.fixtures[0], "boards", 1, "award", kind="matches")
    neutral = program(event.director)
    given = neutral.post(here, {"content": AVERAGE, **BECAUSE})
    assert given.status_code == 200, given.text
    assert program(playing).get(here).status_code == 403, "while somebody neutral can decide"
    Membership.objects.filter(user=event.director).update(role=Role.MEMBER)
    told = program(playing).get(here)
    assert (told.json()["standing"], told.json()["earlier"]) == (None, [])
    assert program(playing).post(f"{here}preview/", {"content": AVERAGE}).json() == {"changes": None}
    assert Participation.objects.filter(user=event.director).exists(), "who has read it is noted"
    assert not Participation.objects.filter(user=playing).exists()


# Boards that are shut


@pytest.fixture
def early():
    """A scene whose first round has sealed boards and begins in twenty days."""
    scene = duplicate_scene()
    later = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=1).update(starts_on=later.date(), closes_at=later + timedelta(days=7))
    sealed(scene)
    return scene


def test_boards_are_let_be_played_early_and_only_by_those_who_may(program, early) -> None:
    here = at(early.fixture, "boards", kind="matches")
    director = program(early.users["dora"])
    assert director.get(here).json()["may_let_early"] is True
    assert program(early.users["anna"]).get(here).status_code == 403
    body = {"step": "early", "reason": "Anna travels"}
    assert program(early.users["anna"]).post(here, body).status_code == 403
    assert director.post(here, {"step": "early"}).status_code == 422
    assert director.post(here, {"step": "open", "reason": "x"}).status_code == 400
    assert director.post(here, body).json()["may_let_early"] is False
    assert EarlyPlay.objects.get().reason == "Anna travels"
    assert director.post(here, {"step": "vouch", **BECAUSE}).status_code == 409
    assert director.post(here, {"step": "consent"}).status_code == 403


@pytest.fixture
def shut():
    """A scene whose first match is played; the other was declared void by Anna, a director who plays."""
    scene = duplicate_scene()
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    sealed(scene)
    play(scene, scene.fixtures[0])
    decide = {"ruling": "void", "reason": "They were ill"}
    fixtures.rule(actor=scene.users["anna"], fixture=scene.fixtures[1], **decide)
    return scene


def is_open() -> bool:
    return not Board.objects.filter(released_at=None).exists()


def test_a_neutral_director_opens_shut_boards(program, shut) -> None:
    here, dora = at(shut.fixtures[1], "boards", kind="matches"), program(shut.users["dora"])
    seen = dora.get(here).json()
    assert (seen["is_shut"], seen["may_vouch"], seen["may_name"]) == (True, True, False)
    body, key = {"step": "vouch", "reason": "They were ill"}, {"HTTP_IDEMPOTENCY_KEY": "ill"}
    assert program(shut.users["anna"]).post(here, body).status_code == 403, "a director who plays"
    assert dora.post(here, {"step": "vouch"}).status_code == 422
    assert not is_open()
    for _twice in range(2):
        told = dora.post(here, body, **key).json()
        assert (told["is_shut"], told["why"], told["may_vouch"], told["link"]) == (False, "", False, "")
    assert is_open()
    assert AuditEntry.objects.filter(action="boards.settled").count() == 1


def test_shut_boards_open_when_both_sides_agree(program, shut) -> None:
    here = at(shut.fixtures[1], "boards", kind="matches")
    iris, olga = program(shut.users["iris"]), program(shut.users["olga"])
    for _twice in range(2):
        told = iris.post(here, {"step": "consent"}, HTTP_IDEMPOTENCY_KEY="yes").json()
        assert (told["is_shut"], told["agreed"]) == (True, ["Lindqvist & Marsh"])
    assert not is_open()
    for who in ("anna", "dora", "stranger"):
        assert program(shut.users[who]).post(here, {"step": "consent"}).status_code == 403
    assert olga.post(here, {"step": "consent"}).json()["is_shut"] is False
    assert is_open()


def test_an_owner_names_who_decides_and_gets_the_link_once(program, shut) -> None:
    here = at(shut.fixtures[1], "boards", kind="matches")
    owner, body = program(shut.users["olive"]), {"step": "name", "name": "Igor Idle"}
    assert owner.post(here, body).status_code == 409, "Dora can decide"
    Membership.objects.filter(user=shut.users["dora"]).update(role=Role.MEMBER)
    # Olive plays for somebody, too: nobody is neutral.
    Player.objects.filter(user=shut.users["eva"]).update(user=shut.users["olive"])
    assert owner.get(here).json()["may_name"] is True
    assert owner.post(here, {"step": "name", "name": " "}).status_code == 422
    assert owner.post(here, {**body, "name": "x" * 121}).status_code == 400
    for who in ("anna", "iris", "dora", "stranger"):
        assert program(shut.users[who]).post(here, body).status_code == 403
    assert program().post(here, body).status_code == 401
    first, again = (owner.post(here, body, HTTP_IDEMPOTENCY_KEY="igor") for _twice in range(2))
    token = first.json()["link"].split("/")[-2]
    assert first["Cache-Control"] == "no-store"
    assert (again.status_code, again.json()["link"]) == (200, "")
    kept = NeutralInvitation.objects.get()
    assert (kept.name, kept.digest) == ("Igor Idle", neutrals.digest_of(token))
    assert token not in str(list(IdempotencyKey.objects.values()))
    assert not is_open()


@pytest.mark.one_database
def test_consent_and_vouching_leave_what_the_pages_leave(program, shut) -> None:
    of_page = reverse("match_boards", args=[shut.fixtures[1].pk])
    of_api = at(shut.fixtures[1], "boards", kind="matches")
    for who, given in (("iris", {"step": "consent"}), ("dora", {"step": "vouch", **BECAUSE})):
        page, client = browser(shut.users[who]), program(shut.users[who])
        by_page = left_by(partial(page.post, of_page, given))
        assert "AuditEntry" in by_page
        assert by_page == left_by(partial(client.post, of_api, given))


def test_a_match_without_boards_has_none_to_open(program, league) -> None:
    here = at(league.fixture, "boards", kind="matches")
    assert program(league.director).get(here).status_code == 404
    assert program(league.director).post(here, {"step": "consent"}).status_code == 404


# Reported chat


def test_a_reported_message_is_listed_and_settled(program) -> None:
    stage = make_scene()
    table = make_table(stage)
    line = make_reported_line(table)
    dora = program(stage.users["dora"])
    here = f"/api/v1/clubs/{stage.club.slug}/chat-reports/"
    (listed,) = dora.get(here).json()
    assert (listed["id"], listed["text"], listed["settled_at"]) == (line.pk, "?!", None)
    assert dora.post(f"{here}{line.pk}/", {}).json()["settled_at"]
    assert ChatLine.objects.get().settled_by == stage.users["dora"]
    assert dora.post(f"{here}{line.pk + 1}/", {}).status_code == 404
    for who in (stage.users["anna"], stage.users["sam"]):
        assert program(who).get(here).status_code == 403
        assert program(who).post(f"{here}{line.pk}/", {}).status_code == 403


# The same as the pages


@pytest.mark.one_database
@pytest.mark.parametrize("ruling", ["home", "away", "both", "postpone", "void"])
def test_a_ruling_leaves_what_the_page_leaves(program, league, ruling) -> None:
    page, client = browser(league.director), program(league.director)
    given = {"ruling": ruling, **BECAUSE}
    by_page = left_by(
        lambda: page.post(reverse("fixture_ruling", args=[league.fixture.pk]), {"part": "ruling", **given})
    )
    assert "AuditEntry" in by_page
    assert by_page == left_by(lambda: client.post(at(league.fixture, "ruling"), given))


@pytest.mark.one_database
def test_dates_and_substitutes_leave_what_the_pages_leave(program, league) -> None:
    page, client = browser(league.director), program(league.director)
    zone = ZoneInfo(league.club.time_zone)
    when = (timezone.now() + timedelta(days=9)).astimezone(zone).replace(second=0, microsecond=0)
    place = {"place": "Town hall", "table": "3", "note": "Back door"}
    by_page = left_by(
        lambda: page.post(
            reverse("fixture_ruling", args=[league.fixture.pk]),
            {"part": "arrange", "starts_at": f"{when:%Y-%m-%dT%H:%M}", **place},
        )
    )
    by_api = left_by(
        lambda: client.post(at(league.fixture, "arrange"), {"starts_at": when.isoformat(), **place})
    )
    assert by_page == by_api
    assert "AuditEntry" in by_page
    absent, stand_in = league.fixture.home.lineup.players[0], factories.player(league.club)
    named = {"absent": absent.pk, "reason": "Ill"}
    of_page, of_api = (
        reverse("fixture_substitute", args=[league.fixture.pk]),
        at(league.fixture, "substitutes"),
    )
    for more in ({"substitute": stand_in.pk}, {"guest": "Gina Ghost"}):
        given = {**named, **more}
        by_page = left_by(partial(page.post, of_page, given))
        assert "Substitution" in by_page
        assert by_page == left_by(partial(client.post, of_api, given))
    made = client.post(of_api, {**named, "substitute": stand_in.pk}).json()["substitutes"][0]["id"]
    by_page = left_by(lambda: page.post(f"{of_page}cancel/", {"substitution": made}))
    assert by_page["Substitution"] == []
    assert by_page == left_by(lambda: client.delete(f"{of_api}{made}/"))


@pytest.mark.one_database
def test_reopening_leaves_what_the_page_leaves(program, league) -> None:
    fixture, page, client = confirmed(league), browser(league.director), program(league.director)
    by_page = left_by(lambda: page.post(reverse("match_reopen", args=[fixture.pk]), BECAUSE))
    assert "Scoresheet" in by_page
    assert by_page == left_by(lambda: client.post(at(fixture, "reopening", kind="matches"), BECAUSE))


@pytest.mark.one_database
def test_awards_leave_what_the_page_leaves(program, event) -> None:
    page, client, fixture = browser(event.director), program(event.director), event.fixtures[0]
    of_page = reverse("award", args=[fixture.pk, 1])
    of_api = at(fixture, "boards", 1, "award", kind="matches")
    form = {"kind": "percent", "percent_home": "60", "percent_away": "40", **BECAUSE}
    looked = page.post(of_page, {**form, "step": "look"}).context["form"]["looked"].value()
    by_page = left_by(lambda: page.post(of_page, {**form, "step": "give", "looked": looked}))
    assert "AdjustedScore" in by_page
    assert by_page == left_by(lambda: client.post(of_api, {"content": AVERAGE, **BECAUSE}))
    client.post(of_api, {"content": AVERAGE, **BECAUSE})
    by_page = left_by(lambda: page.post(of_page, {"step": "revoke", "revoke-reason": BECAUSE["reason"]}))
    assert "AdjustedScore" in by_page
    assert by_page == left_by(lambda: client.post(f"{of_api}back/", BECAUSE))


@pytest.mark.one_database
def test_early_play_consent_and_chat_leave_what_the_pages_leave(program, early) -> None:
    page, client = browser(early.users["dora"]), program(early.users["dora"])
    given = {"step": "early", "reason": "Anna travels"}
    by_page = left_by(lambda: page.post(reverse("match_boards", args=[early.fixture.pk]), given))
    assert "EarlyPlay" in by_page
    assert by_page == left_by(lambda: client.post(at(early.fixture, "boards", kind="matches"), given))
    line = make_reported_line(make_table(early))
    of_page = reverse("chat_settle", args=[early.club.slug, line.pk])
    of_api = f"/api/v1/clubs/{early.club.slug}/chat-reports/{line.pk}/"
    by_page = left_by(lambda: page.post(of_page))
    assert "ChatLine" in by_page
    assert by_page == left_by(lambda: client.post(of_api, {}))
