"""A program reads the bracket of a knock-out, draws its rounds and says who goes on."""

from dataclasses import dataclass

import pytest

from games.scoresheets.services import matches
from league.models import Competition, Division, Fixture, Role, TieDecision, User
from tests.games.boards import SHEET, cup_matches, duplicate_scene, play, sealed_cup
from tests.league import factories
from tests.scenes import totals_sheet

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Cup:
    competition: Competition
    division: Division
    director: User

    @property
    def bracket(self) -> str:
        return f"/api/v1/divisions/{self.division.pk}/bracket/"

    def draw(self, number: int, what: str = "") -> str:
        return f"/api/v1/divisions/{self.division.pk}/rounds/{number}/draw/{what}"

    def decide(self, number: int) -> None:
        found = Fixture.objects.filter(division=self.division, round__number=number)
        for fixture in found.with_pairs():
            factories.decided(fixture, scores=(60, 40))


@pytest.fixture
def cup(db: None) -> Cup:
    club = factories.club()
    competition = factories.running(club, pairs=5, format="knockout")
    return Cup(competition, competition.stage.divisions.get(), factories.member(club, Role.DIRECTOR))


def test_a_cup_is_drawn_round_by_round_and_read(program, cup) -> None:
    director = program(cup.director)
    first = program().get(cup.bracket).json()
    assert (first["size"], first["drawn"], first["champion"]) == (8, 1, None)
    assert [len(ties) for ties in first["rounds"]] == [4, 2, 1]
    assert [tie["how"] for tie in first["rounds"][0]] == ["bye", "open", "bye", "bye"]
    assert len(director.get(cup.draw(1)).json()["byes"]) == 3
    assert director.get(cup.draw(2)).status_code == 409
    cup.decide(1)
    proposed = director.get(cup.draw(2)).json()
    assert (proposed["state"], proposed["cost"], proposed["sits_out"]) == ("proposed", [], None)
    body = {"seen": proposed["seen"]}
    sent = [
        director.post(cup.draw(2), body, headers={"Idempotency-Key": "semi-finals"}) for _twice in range(2)
    ]
    assert [each.status_code for each in sent] == [200, 200]
    assert sent[0].json() == sent[1].json()
    assert director.post(cup.draw(2), body).status_code == 409
    assert director.post(cup.draw(2, "back/"), {"reason": "Too early"}).json() == proposed
    assert director.post(cup.draw(2), body).json()["state"] == "drawn"
    cup.decide(2)
    seen = director.get(cup.draw(3)).json()["seen"]
    assert director.post(cup.draw(3), {"seen": seen}).status_code == 200
    cup.decide(3)
    over = program().get(cup.bracket).json()
    assert over["places"][str(over["champion"])] == 1
    assert sorted(over["places"].values()) == [1, 2, 3, 3, 5]


def test_extra_boards_and_decisions(program, cup) -> None:
    director = program(cup.director)
    fixture = Fixture.objects.with_pairs().get(division=cup.division)
    address = f"/api/v1/fixtures/{fixture.pk}/who-goes-on/"
    assert director.post(address, {"extra": [28, 41]}).status_code == 409
    factories.decided(fixture, scores=(50, 50))
    for wrong in ({}, {"extra": [1]}, {"extra": "x"}, {"extra": [1, 2], "undo": True}, {"winner": 0}):
        assert director.post(address, wrong).status_code in {400, 422}, wrong
    refused = director.post(address, {"extra": [-5, 10]})
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        422,
        "Points can’t be below 0 in this game.",
    )
    answer = director.post(address, {"extra": [28, 41]}, headers={"Idempotency-Key": "extra"}).json()
    tie = answer["rounds"][0][1]
    assert (tie["how"], tie["winner"], tie["extra"]) == ("extra", fixture.away.pk, [[28, 41]])
    again = director.post(address, {"extra": [28, 41]}, headers={"Idempotency-Key": "extra"})
    assert again.json() == answer
    ruled = director.post(address, {"winner": fixture.home.pk, "reason": "By lot"}).json()
    assert ruled["rounds"][0][1]["how"] == "ruled"
    assert director.post(address, {"undo": True, "reason": "No"}).status_code == 200
    assert not TieDecision.objects.exists()
    member = program(factories.account_of(fixture.home.lineup))
    assert member.post(address, {"winner": fixture.home.pk, "reason": "Please"}).status_code == 403
    assert program().post(address, {"undo": True}).status_code == 401


def test_other_formats_have_no_bracket(program, cup) -> None:
    league = factories.running(cup.competition.club, pairs=4)
    division = league.stage.divisions.get()
    assert program().get(f"/api/v1/divisions/{division.pk}/bracket/").status_code == 404
    fixture = Fixture.objects.filter(division=division)[0]
    sent = {"undo": True, "reason": "x"}
    assert program(cup.director).post(f"/api/v1/fixtures/{fixture.pk}/who-goes-on/", sent).status_code == 409


def test_f49_the_preview_of_a_sheet_tells_what_it_changes_in_the_next_round(program) -> None:
    scene = duplicate_scene()
    cup = sealed_cup(scene)
    one, other = cup_matches(cup)
    director = program(scene.users["dora"])
    address = f"/api/v1/matches/{one.pk}/sheets/preview/"
    other_way = totals_sheet((20, 60), (30, 50), (40, 40), (20, 30))
    assert director.post(address, other_way).json()["bracket"] is None, "nothing is drawn yet"
    play(scene, one)
    play(scene, other)
    draw = f"/api/v1/divisions/{one.division_id}/rounds/2/draw/"
    director.post(draw, {"seen": director.get(draw).json()["seen"]})
    (final,) = cup_matches(cup, 2)
    matches.reopen(actor=scene.users["dora"], fixture=one, reason="Misread")
    told = director.post(address, other_way).json()["bracket"]
    assert (told["winner"], told["gone"], told["begun"], told["too_late"]) == (
        one.away_id,
        [final.pk],
        [],
        False,
    )
    assert told["meetings"] == [{"number": 1, "entries": [one.away_id, other.home_id]}]
    assert director.post(address, SHEET).json()["bracket"] is None
