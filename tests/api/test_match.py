"""One match from beginning to end through the API, and who may do what on the way."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Scoresheet
from league import idempotency
from league.errors import Conflict
from league.models import AuditEntry, Fixture

TOTALS: dict[str, Any] = {
    "deals": [
        {"total": {"NS": 30, "EW": 22}},
        {"total": {"NS": 18, "EW": 41}},
        {"total": {"NS": 25, "EW": 20}},
        {"total": {"NS": 22, "EW": 12}},
    ]
}


def row_of(tables, entry):
    return next(row for row in tables[0]["table"]["rows"] if row["entry"]["id"] == entry)


def test_a_whole_match(league, program, settings, django_capture_on_commit_callbacks):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    login = {"email": league.home.email, "password": "password"}
    token = program().post("/api/v1/token/", login)
    assert token.status_code == 201
    home = program()
    home.credentials(HTTP_AUTHORIZATION=f"Token {token.json()['token']}")
    away = program(league.away)

    mine = home.get("/api/v1/fixtures/", {"mine": "true", "round": 1}).json()
    assert mine["count"] == 1
    fixture = mine["results"][0]
    assert fixture["id"] == league.fixture.pk
    match = f"/api/v1/matches/{fixture['id']}/"
    assert home.get(match).json()["may"] == {"enter": True, "judge": None, "reopen": False}

    wrong = {"deals": [{"hands": [{"combination": "fours", "split": "4+1"}, *[None] * 7]}]}
    preview = home.post(f"{match}sheets/preview/", wrong).json()
    assert preview["accepted"] is False
    assert preview["standings"] is None
    assert ["deals", 0, "hands", 0, "split"] in [problem["place"] for problem in preview["problems"]]
    refused = home.post(f"{match}sheets/", wrong)
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "sheet_refused"
    assert refused.json()["error"]["details"] == preview["problems"]
    assert not Scoresheet.objects.exists()

    preview = home.post(f"{match}sheets/preview/", TOTALS).json()
    assert preview["accepted"] is True
    assert preview["total"] == {"home": 95, "away": 95}
    assert preview["winner"] == "draw"
    assert {effect["league_points_after"] for effect in preview["standings"]} == {"0", "1"}
    assert not Scoresheet.objects.exists()

    sent = {"path": f"{match}sheets/", "data": TOTALS, "headers": {"Idempotency-Key": "phone-1"}}
    first, again = home.post(**sent), home.post(**sent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["digest"] == preview["digest"]
    assert Scoresheet.objects.count() == 1

    assert away.get(match).json()["may"]["judge"] == 1
    confirm = f"{match}sheets/1/confirm/"
    digest = {"digest": first.json()["digest"]}
    assert home.post(confirm, digest).status_code == 403
    assert away.post(confirm, {"digest": "0" * 64}).status_code == 409
    assert not Fixture.objects.exclude(decided_at=None).exists()
    with django_capture_on_commit_callbacks(execute=True):
        done = away.post(confirm, digest, headers={"Idempotency-Key": "c"})
    assert done.status_code == 200
    assert done.json()["verdict"] == "confirmed"
    assert away.post(confirm, digest, headers={"Idempotency-Key": "c"}).json() == done.json()
    assert away.post(confirm, digest).status_code == 409

    played = program().get(match).json()
    assert played["fixture"]["result"] == {"kind": "played", "home_score": 95, "away_score": 95}
    assert [deal["score"]["total"] for deal in played["deals"]] == [d["total"] for d in TOTALS["deals"]]
    assert played["total"] == {"home": 95, "away": 95}
    tables = program().get(f"/api/v1/competitions/{league.competition.pk}/standings/").json()
    row = row_of(tables, league.fixture.home_id)
    assert (row["played"], row["drawn"], row["metrics"]["league_points"]) == (1, 1, "1")
    assert row["contributions"][0]["text"]


def test_the_other_pair_rejects_with_a_reason(league, program):
    match = f"/api/v1/matches/{league.fixture.pk}/"
    home, away = program(league.home), program(league.away)
    assert home.post(f"{match}sheets/", TOTALS).status_code == 201
    assert away.post(f"{match}sheets/1/reject/", {}).status_code == 400
    assert away.post(f"{match}sheets/1/reject/", {"reason": " "}).status_code == 422
    assert away.post(f"{match}sheets/1/reject/", {"reason": "Deal 2 was 41 for us."}).status_code == 200
    shown = home.get(match).json()
    assert shown["fixture"]["status"] == "disputed"
    assert [sheet["verdict_reason"] for sheet in shown["sheets"]] == ["Deal 2 was 41 for us."]
    assert home.post(f"{match}sheets/", TOTALS).json()["version"] == 2


def test_a_sheet_takes_few_statements(league, program):
    """All that a request sends but what a worker does after it; while it writes, the others of its league wait."""
    home, away = program(league.home), program(league.away)
    sheets = f"/api/v1/matches/{league.fixture.pk}/sheets/"
    with CaptureQueriesContext(connection) as entering:
        sheet = home.post(sheets, TOTALS, headers={"Idempotency-Key": "a"}).json()
    with CaptureQueriesContext(connection) as confirming:
        sent = {"digest": sheet["digest"]}
        confirmed = away.post(f"{sheets}1/confirm/", sent, headers={"Idempotency-Key": "b"})
    assert confirmed.json()["verdict"] == "confirmed"
    assert len(entering) <= 27
    assert len(confirming) <= 30


def test_a_write_that_answers_nothing_is_not_done_again(league):
    done = []

    def once(request):
        def write():
            done.append(request)
            return {}

        return idempotency.once(actor=league.home, key="k", action="a", request=request, write=write)

    assert (once(1), once(1), done) == ({}, {}, [1])
    with pytest.raises(Conflict):
        once(2)
    assert done == [1]


def test_a_key_names_one_request(league, program):
    home = program(league.home)
    path = f"/api/v1/matches/{league.fixture.pk}/sheets/"
    key = {"Idempotency-Key": "the same"}
    assert home.post(path, TOTALS, headers=key).status_code == 201
    other = {"deals": [*TOTALS["deals"][:3], {"total": {"NS": 23, "EW": 11}}]}
    clash = home.post(path, other, headers=key)
    assert clash.status_code == 409
    assert clash.json()["error"]["code"] == "conflict"
    assert Scoresheet.objects.count() == 1
    assert home.post(path, TOTALS, headers={"Idempotency-Key": "x" * 81}).status_code == 422


@pytest.mark.parametrize(
    ("who", "status"),
    [
        (None, 401),
        ("stranger", 403),
        ("other", 403),
        ("home", 201),
        ("away", 201),
        ("scorer", 201),
        ("director", 201),
    ],
)
def test_who_may_submit(league, program, who, status):
    client = program(getattr(league, who) if who else None)
    before = AuditEntry.objects.count()
    answer = client.post(f"/api/v1/matches/{league.fixture.pk}/sheets/", TOTALS)
    assert answer.status_code == status
    if status != 201:
        assert answer.json()["error"]["message"]
        assert not Scoresheet.objects.exists()
        assert AuditEntry.objects.count() == before


@pytest.mark.parametrize(
    ("who", "status"),
    [(None, 401), ("stranger", 403), ("other", 403), ("home", 200), ("scorer", 403), ("director", 200)],
)
def test_who_may_read_the_trail(league, program, who, status):
    program(league.home).post(f"/api/v1/matches/{league.fixture.pk}/sheets/", TOTALS)
    client = program(getattr(league, who) if who else None)
    answer = client.get(f"/api/v1/matches/{league.fixture.pk}/audit/")
    assert answer.status_code == status
    if status == 200:
        assert answer.json()[0]["action"] == "sheet.submitted"


def test_a_members_competition_is_not_there_for_others(league, program):
    league.competition.visibility = "members"
    league.competition.save()
    addresses = [
        f"/api/v1/competitions/{league.competition.pk}/",
        f"/api/v1/competitions/{league.competition.pk}/standings/",
        f"/api/v1/competitions/{league.competition.pk}/standings/history/",
        f"/api/v1/matches/{league.fixture.pk}/",
        f"/api/v1/matches/{league.fixture.pk}/sheets/",
        f"/api/v1/matches/{league.fixture.pk}/audit/",
        f"/api/v1/players/{league.fixture.home.lineup.players[0].pk}/",
    ]
    for address in addresses:
        assert program().get(address).status_code == 404, address
    assert program().get("/api/v1/competitions/").json()["count"] == 0
    assert program().get("/api/v1/fixtures/").json()["count"] == 0
    director = program(league.director)
    for address in addresses:
        assert director.get(address).status_code == 200, address
    # A player sees the own match also without being a member of the club.
    own = program(league.home)
    assert own.get(f"/api/v1/matches/{league.fixture.pk}/").status_code == 200
    assert own.get(f"/api/v1/competitions/{league.competition.pk}/").status_code == 404


def test_a_correction_says_why(league, program):
    here = f"/api/v1/matches/{league.fixture.pk}/sheets/"
    assert program(league.home).post(here, {**TOTALS, "reason": "Too early"}).status_code == 422
    first = program(league.home).post(here, TOTALS).json()
    program(league.away).post(f"{here}{first['version']}/confirm/", {"digest": first["digest"]})
    for wrong in (["x"], {"a": 1}, "x" * 301, None):
        assert program(league.home).post(here, {**TOTALS, "reason": wrong}).status_code == 400, wrong
    assert program(league.home).post(here, {**TOTALS, "reason": "Added up wrongly"}).status_code == 201
    trail = program(league.away).get(f"/api/v1/matches/{league.fixture.pk}/audit/").json()
    assert "Added up wrongly" in [each["reason"] for each in trail]
