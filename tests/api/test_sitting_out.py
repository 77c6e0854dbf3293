"""A program asks for its pair to sit out of a round of a Swiss, and to play after all."""

from dataclasses import dataclass

import pytest

from league.models import Competition, Entry, RequestedBye, Role, User
from tests.league import factories

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Swiss:
    competition: Competition
    entry: Entry
    player: User
    director: User

    def address(self, entry: Entry | None = None, what: str = "sit-out") -> str:
        return f"/api/v1/entries/{(entry or self.entry).pk}/{what}/"


@pytest.fixture
def swiss(db: None) -> Swiss:
    club = factories.club()
    competition = factories.running(club, pairs=7, format="swiss")
    entry = competition.entries.with_pairs().first()
    assert entry is not None
    director = factories.member(club, Role.DIRECTOR)
    return Swiss(competition, entry, factories.account_of(entry.lineup), director)


def test_a_pair_asks_and_plays_after_all(program, swiss) -> None:
    player = program(swiss.player)
    asked = player.post(swiss.address(), {"round": 2}).json()
    assert (asked["entry"], asked["round"]) == (swiss.entry.pk, 2)
    assert program().get(swiss.address()).json() == asked, "as on the round's page"
    again = player.post(swiss.address(), {"round": 3})
    assert again.status_code == 409
    assert "You can do that only once." in again.json()["error"]["message"]
    nothing = {"entry": swiss.entry.pk, "round": None, "asked_at": None}
    assert player.post(swiss.address(what="play"), {"round": 2}).json() == nothing
    assert player.get(swiss.address()).json() == nothing
    assert player.post(swiss.address(what="play"), {"round": 2}).status_code == 409


def test_sent_again_with_its_key_it_is_asked_once(program, swiss) -> None:
    player = program(swiss.player)
    send = [
        player.post(swiss.address(), {"round": 2}, headers={"Idempotency-Key": "k"}) for _twice in range(2)
    ]
    assert [each.status_code for each in send] == [200, 200]
    assert send[0].json() == send[1].json()
    assert player.post(swiss.address(), {"round": 3}, headers={"Idempotency-Key": "k"}).status_code == 409
    assert RequestedBye.objects.get().round.number == 2


def test_only_the_pair_and_a_director_say_it(program, swiss) -> None:
    other = swiss.competition.entries.with_pairs().last()
    for person in (factories.user(), factories.account_of(other.lineup), swiss.player):
        entry = other if person == swiss.player else swiss.entry
        assert program(person).post(swiss.address(entry), {"round": 2}).status_code == 403
        assert program(person).post(swiss.address(entry, "play"), {"round": 2}).status_code == 403
    assert program().post(swiss.address(), {"round": 2}).status_code == 401
    assert not RequestedBye.objects.exists()
    assert program(swiss.director).post(swiss.address(other), {"round": 2}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"round": "two"}, 400),
        ({"round": 0}, 400),
        ({"round": 2**70}, 400),
        ({"round": None}, 400),
        ({"round": [2]}, 400),
        ({"round": 2, "entry": 1}, 400),
        ([], 400),
        ({"round": 1}, 409),
        ({"round": 4}, 409),
        ({"round": 9}, 409),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(program, swiss, body, status) -> None:
    answer = program(swiss.player).post(swiss.address(), body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert not RequestedBye.objects.exists()


def test_an_entry_that_one_may_not_know_of_is_not_there(program, swiss) -> None:
    Competition.objects.filter(pk=swiss.competition.pk).update(state=Competition.State.DRAFT)
    stranger = program(factories.user())
    for address in (swiss.address(), f"/api/v1/entries/{2**63 - 1}/sit-out/"):
        assert stranger.get(address).status_code == 404
        assert stranger.post(address, {"round": 2}).status_code == 404
