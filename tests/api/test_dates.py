"""A program finds another time for a match, proposes it and answers; and ends what is pushed to a device."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import DateProposal, Fixture, Notice, PushSubscription
from league.notices.services import accounts
from tests.league import factories

SOON = (timezone.now() + timedelta(days=5)).replace(microsecond=0)


def times(fixture: Fixture, *more: object) -> str:
    return "/".join([f"/api/v1/fixtures/{fixture.pk}/times", *map(str, more), ""])


def test_a_time_is_found_proposed_and_accepted(program, league) -> None:
    home, away, here = program(league.home), program(league.away), times(league.fixture)
    busy = timezone.localdate() + timedelta(days=2)
    accounts.mark_days_away(actor=league.away, first=busy, last=busy)
    found = home.get(here).json()
    assert str(busy) in found["unsuitable"]
    assert len(found["suggested"]) == 3
    assert not [each for each in found["suggested"] if each.startswith(str(busy))]

    key = {"HTTP_IDEMPOTENCY_KEY": "once"}
    for _twice in range(2):
        answer = home.post(here, {"starts_at": SOON.isoformat(), "message": "Tuesday?"}, **key)
    (proposal,) = answer.json()["proposals"]
    assert (proposal["state"], proposal["message"]) == ("open", "Tuesday?")
    assert DateProposal.objects.count() == 1
    assert Notice.objects.filter(user=league.away, event="date_proposed").count() == 1
    one = times(league.fixture, proposal["id"])
    assert home.post(one, {"answer": "accept"}).status_code == 403, "not one's own"
    done = away.post(one, {"answer": "accept"}).json()
    assert done["proposals"][0]["state"] == "accepted"
    league.fixture.refresh_from_db()
    assert league.fixture.starts_at == SOON
    assert away.post(one, {"answer": "decline"}).status_code == 409


def test_a_proposal_is_declined_or_taken_back(program, league) -> None:
    home, away, here = program(league.home), program(league.away), times(league.fixture)
    body, before = {"starts_at": SOON.isoformat()}, league.fixture.starts_at
    for by, answer, state in ((away, "decline", "declined"), (home, "withdraw", "withdrawn")):
        made = home.post(here, body).json()["proposals"][0]["id"]
        said = by.post(times(league.fixture, made), {"answer": answer}).json()
        assert said["proposals"][0]["state"] == state
    league.fixture.refresh_from_db()
    assert league.fixture.starts_at == before


def test_others_see_and_propose_nothing(program, league) -> None:
    made = program(league.home).post(times(league.fixture), {"starts_at": SOON.isoformat()}).json()
    one = times(league.fixture, made["proposals"][0]["id"])
    for each in (league.other, league.stranger, league.scorer):
        assert program(each).get(times(league.fixture)).status_code == 403
        assert program(each).post(times(league.fixture), {"starts_at": SOON.isoformat()}).status_code == 403
        assert program(each).post(one, {"answer": "decline"}).status_code == 403
    assert program().get(times(league.fixture)).status_code == 401
    elsewhere = Fixture.objects.exclude(pk=league.fixture.pk).filter(round__number=1).get()
    other = program(league.other)
    assert other.post(times(elsewhere, made["proposals"][0]["id"]), {"answer": "decline"}).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"starts_at": "soon"}, 400),
        ({"starts_at": "9999-12-31T23:59:59Z"}, 400),
        ({"starts_at": "0001-01-01T00:00:00+14:00"}, 400),
        ({"starts_at": "2020-01-01T00:00:00Z"}, 400),
        ({"starts_at": (timezone.now() - timedelta(hours=1)).isoformat()}, 422),
        ({"starts_at": SOON.isoformat(), "message": "x" * 301}, 400),
        ({"starts_at": SOON.isoformat(), "note": "?"}, 400),
        ([], 400),
    ],
)
def test_what_is_no_time_is_refused_in_words(program, league, body, status) -> None:
    answer = program(league.home).post(times(league.fixture), body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert not DateProposal.objects.exists()


def test_a_match_is_postponed_with_a_reason(program, league) -> None:
    here, body = f"/api/v1/fixtures/{league.fixture.pk}/postpone/", {"reason": "Flu"}
    assert program(league.other).post(here, body).status_code == 403
    assert program(league.home).post(here, {}).status_code == 400
    assert program(league.home).post(here, {**body, "starts_at": SOON.isoformat()}).status_code == 403
    assert program(league.home).post(here, body).json()["starts_at"] is None
    league.fixture.refresh_from_db()
    assert league.fixture.status == Fixture.Status.POSTPONED


def test_ones_own_devices_are_listed_and_ended(program, league) -> None:
    made = [
        PushSubscription.objects.create(
            user=user, digest=key * 64, secrets="-", session=key * 64, session_digest="-", made_at=SOON
        )
        for user, key in ((league.home, "a"), (league.away, "b"))
    ]
    home = program(league.home)
    (row,) = home.get("/api/v1/devices/").json()
    assert set(row) == {"id", "made_at", "is_detailed"}
    assert home.delete(f"/api/v1/devices/{made[1].pk}/").status_code == 404
    assert home.delete(f"/api/v1/devices/{made[0].pk}/").status_code == 204
    assert list(PushSubscription.objects.all()) == [made[1]]
    assert program(factories.user()).get("/api/v1/devices/").json() == []
