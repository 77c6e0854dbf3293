"""A ladder by programs: its order, challenges and their answers, being away; by the same rules as the pages."""

import pytest

from league.models import Challenge, Fixture, LadderEvent, LadderPlace
from tests.league import factories

pytestmark = pytest.mark.django_db
#: What no program should send as somebody to challenge, or as an answer.
STRANGE: tuple[object, ...] = (None, "", "x", -1, 0, 2**63, 10**30, 1.5, [], {}, True, "NaN")


@pytest.fixture
def who():
    """The entries of a running ladder of five pairs, by place."""
    competition = factories.running(factories.club(), pairs=5, format="ladder")
    return list(competition.entries.with_pairs().select_related("division").order_by("number"))


def challenging(entry) -> str:
    return f"/api/v1/entries/{entry.pk}/challenge/"


def account(entry):
    return factories.account_of(entry.lineup)


def test_f101_f103_from_a_challenge_to_its_result(program, who):
    below, above = program(account(who[3])), program(account(who[1]))
    key = {"HTTP_IDEMPOTENCY_KEY": "once"}
    made = [below.post(challenging(who[3]), {"challenged": who[1].pk}, **key) for _twice in range(2)]
    assert [each.status_code for each in made] == [200, 200]
    assert made[0].json() == made[1].json()
    challenge = Challenge.objects.get()
    told = made[0].json()
    assert (told["id"], told["state"], told["fixture"]) == (challenge.pk, "open", None)
    here = f"/api/v1/challenges/{challenge.pk}/"
    assert below.post(here, {"answer": "accept"}).status_code == 403
    assert above.post(here, {"answer": "withdraw"}).status_code == 403
    answered = above.post(here, {"answer": "accept"}).json()
    assert answered["state"] == "accepted"
    assert above.post(here, {"answer": "accept"}).status_code == 409
    factories.result(Fixture.objects.get(pk=answered["fixture"]), 40, 60)
    ladder = above.get(f"/api/v1/divisions/{who[0].division_id}/ladder/").json()
    assert [row["entry"] for row in ladder["rows"]] == [who[each].pk for each in (0, 3, 1, 2, 4)]
    assert ladder["challenges"] == []
    assert below.get(here).json()["state"] == "played"


def test_f101_the_reason_why_not_is_said_and_nothing_is_written(program, who):
    for by, to, why in ((4, 0, "Too far above"), (1, 3, "above you"), (2, 2, "above you")):
        answer = program(account(who[by])).post(challenging(who[by]), {"challenged": who[to].pk})
        assert answer.status_code == 409
        assert why in str(answer.json())
    stranger = program(factories.user())
    assert stranger.post(challenging(who[4]), {"challenged": who[3].pk}).status_code == 403
    other = factories.running(factories.club(), pairs=3).entries.first()
    assert program(account(who[4])).post(challenging(who[4]), {"challenged": other.pk}).status_code == 404
    assert not LadderEvent.objects.exists()
    assert list(LadderPlace.objects.order_by("place").values_list("entry", flat=True)) == [
        each.pk for each in who
    ]


def test_f104_who_is_away_cannot_be_challenged(program, who):
    above, below = program(account(who[1])), program(account(who[3]))
    here = f"/api/v1/entries/{who[1].pk}/away/"
    assert above.post(here, {"is_away": True}).status_code == 200
    assert above.post(here, {"is_away": True}).status_code == 409
    assert "Away" in str(below.post(challenging(who[3]), {"challenged": who[1].pk}).json())
    assert above.post(here, {"is_away": False}).status_code == 200
    assert below.post(challenging(who[3]), {"challenged": who[1].pk}).status_code == 200


def test_nothing_strange_is_a_server_error_or_written(program, who):
    asking = program(account(who[4]))
    for strange in STRANGE:
        sent = asking.post(challenging(who[4]), {"challenged": strange}, format="json")
        assert 400 <= sent.status_code < 500, strange
        away = asking.post(f"/api/v1/entries/{who[4].pk}/away/", {"is_away": strange}, format="json")
        assert away.status_code < 500, strange
    made = program(account(who[3])).post(challenging(who[3]), {"challenged": who[1].pk}).json()
    for strange in STRANGE:
        answer = program(account(who[1])).post(
            f"/api/v1/challenges/{made['id']}/", {"answer": strange}, format="json"
        )
        assert 400 <= answer.status_code < 500, strange
    assert Challenge.objects.get().state == "open"
    assert not LadderEvent.objects.filter(kind__in=["accept", "decline", "withdraw"]).exists()
