"""A program draws the rounds of a Swiss, as the director's page does."""

from dataclasses import dataclass
from typing import Any

import pytest

from league.models import AuditEntry, Competition, Division, Fixture, Role, RoundDraw, User
from tests.league import factories

pytestmark = pytest.mark.django_db
REASON = {"reason": "Two of them travel together."}


@dataclass(frozen=True)
class Swiss:
    competition: Competition
    division: Division
    director: User

    def address(self, number: int = 2, what: str = "") -> str:
        return f"/api/v1/divisions/{self.division.pk}/rounds/{number}/draw/{what}"

    def everybody(self, tables: list[dict[str, Any]], alone: int | None) -> set[int]:
        sitting = {key for table in tables for key in (table["home"], table["away"])}
        return sitting | ({alone} if alone else set())


@pytest.fixture
def swiss(db: None) -> Swiss:
    club = factories.club()
    competition = factories.running(club, pairs=7, format="swiss")
    return Swiss(competition, competition.stage.divisions.get(), factories.member(club, Role.DIRECTOR))


def without_results(swiss: Swiss, seen: str, **more: object) -> dict[str, object]:
    return {"seen": seen, "despite_missing": True, **more}


def test_the_next_round_is_proposed_published_and_taken_back(program, swiss) -> None:
    director = program(swiss.director)
    proposed = director.get(swiss.address()).json()
    assert (proposed["state"], proposed["round"]) == ("proposed", 2)
    assert proposed["cost"] == proposed["least_cost"]
    assert len(proposed["tables"]) == len(proposed["missing"]) == 3
    assert swiss.everybody(proposed["tables"], proposed["sits_out"]) == set(
        swiss.division.entries.values_list("pk", flat=True)
    )
    assert director.get(swiss.address()).json() == proposed, "the same facts give the same draw"

    drawn = director.post(swiss.address(), without_results(swiss, proposed["seen"])).json()
    assert (drawn["state"], drawn["seen"]) == ("drawn", "")
    assert [(each["home"], each["away"]) for each in drawn["tables"]] == [
        (each["home"], each["away"]) for each in proposed["tables"]
    ]
    assert program().get(swiss.address()).json() == drawn, "everybody may know how"
    assert Fixture.objects.filter(round__number=2).count() == 3

    back = director.post(swiss.address(what="back/"), REASON)
    assert back.json() == proposed
    assert not Fixture.objects.filter(round__number=2).exists()
    assert AuditEntry.objects.get(action="round.draw_taken_back").reason == REASON["reason"]


def test_a_director_s_own_tables_are_priced_and_published(program, swiss) -> None:
    director = program(swiss.director)
    proposed = director.get(swiss.address()).json()
    alone, others = proposed["tables"][0]["home"], proposed["tables"][1:]
    met = [(proposed["sits_out"], proposed["tables"][0]["away"])]
    met += [(each["home"], each["away"]) for each in others]
    tables = ",".join([*(f"{home}-{away}" for home, away in met), str(alone)])
    priced = director.get(swiss.address(), {"tables": tables}).json()
    assert priced["least_cost"] == proposed["cost"] < priced["cost"]
    assert not RoundDraw.objects.filter(round__number=2).exists(), "nothing is written by asking"

    asked = without_results(swiss, proposed["seen"], tables=tables)
    drawn = director.post(swiss.address(), asked).json()
    assert drawn["sits_out"] == alone
    assert drawn["cost"] == priced["cost"]
    trail = AuditEntry.objects.filter(action="round.drawn").order_by("-pk")[0]
    assert trail.after["tables"] != trail.after["proposed"]


@pytest.mark.parametrize("tables", ["1-2", "x", "-,-", "1-2-3", ",", "9" * 400])
def test_tables_that_are_not_everybody_s_are_refused(program, swiss, tables: str) -> None:
    director = program(swiss.director)
    seen = director.get(swiss.address()).json()["seen"]
    assert director.get(swiss.address(), {"tables": tables}).status_code == 422
    assert director.post(swiss.address(), without_results(swiss, seen, tables=tables)).status_code == 422
    assert not RoundDraw.objects.filter(round__number=2).exists()


def test_what_changed_since_it_was_seen_refuses_it(program, swiss) -> None:
    director = program(swiss.director)
    seen = director.get(swiss.address()).json()["seen"]
    missing = director.post(swiss.address(), {"seen": seen})
    assert missing.status_code == 409
    assert "no result yet" in missing.json()["error"]["message"]
    asked = {"round": 2}
    entry = swiss.division.entries.first()
    assert director.post(f"/api/v1/entries/{entry.pk}/sit-out/", asked).status_code == 200
    stale = director.post(swiss.address(), without_results(swiss, seen))
    assert stale.status_code == 409
    assert "check it again" in stale.json()["error"]["message"]


def test_sent_again_with_its_key_it_is_drawn_once(program, swiss) -> None:
    director = program(swiss.director)
    body = without_results(swiss, director.get(swiss.address()).json()["seen"])
    sent = [director.post(swiss.address(), body, headers={"Idempotency-Key": "draw"}) for _twice in range(2)]
    assert [each.status_code for each in sent] == [200, 200]
    assert sent[0].json() == sent[1].json()
    assert RoundDraw.objects.filter(round__number=2).count() == 1
    assert director.post(swiss.address(), body).status_code == 409, "without it, it is another draw"


def test_the_proposal_is_for_directors_alone(program, swiss) -> None:
    seen = program(swiss.director).get(swiss.address()).json()["seen"]
    other = factories.member(factories.club(), Role.DIRECTOR)
    for person in (factories.account_of(swiss.division.entries.with_pairs()[0].lineup), other):
        someone = program(person)
        assert someone.get(swiss.address()).status_code == 404
        assert someone.post(swiss.address(), without_results(swiss, seen)).status_code == 403
        assert someone.post(swiss.address(1, "back/"), REASON).status_code == 403
    assert program().get(swiss.address()).status_code == 404
    assert program().post(swiss.address(), without_results(swiss, seen)).status_code == 401


def test_only_the_rounds_that_there_are(program, swiss) -> None:
    director = program(swiss.director)
    assert director.get(swiss.address(3)).status_code == 404, "not before the second"
    assert director.get(swiss.address(99)).status_code == 404
    league = factories.running(swiss.competition.club, pairs=4)
    division = league.stage.divisions.get()
    assert director.get(f"/api/v1/divisions/{division.pk}/rounds/1/draw/").status_code == 404
    assert director.post(swiss.address(3), without_results(swiss, "x")).status_code == 409
    assert director.post(swiss.address(3, "back/"), REASON).status_code == 409
