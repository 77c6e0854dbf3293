"""A program tells where its person is asked to be a substitute, and answers."""

import pytest

from league.models import Player, Substitution
from tests.league.entries.test_asked_substitutes import name, scene, sol
from tests.scenes import Scene

__all__ = ["scene", "sol"]
pytestmark = pytest.mark.django_db
ASKED = "/api/v1/substitute-requests/"


def test_a_program_reads_the_question_and_answers(program, scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    of_sol = program(sol.user)
    (told,) = of_sol.get(ASKED).json()["results"]
    assert told == {
        "id": row.pk,
        "fixture": scene.fixture.pk,
        "starts_at": told["starts_at"],
        "absent": "Chidi Okafor",
        "reason": "Ill",
    }
    one = f"{ASKED}{row.pk}/"
    for who in ("anna", "eva", "dora"):
        assert program(scene.users[who]).get(ASKED).json()["results"] == []
        assert program(scene.users[who]).post(one, {"accept": True}).status_code == 404
    assert of_sol.post(one, {}).status_code == 400
    assert of_sol.post(one, {"accept": "perhaps"}).status_code == 400
    key = {"headers": {"Idempotency-Key": "k"}}
    assert [of_sol.post(one, {"accept": False}, **key).status_code for _twice in "ab"] == [204, 204]
    assert not Substitution.objects.exists()
    assert of_sol.post(one, {"accept": True}, **key).status_code == 409
    assert of_sol.post(one, {"accept": True}).status_code == 404
    assert of_sol.get(ASKED).json()["results"] == []


def test_who_has_said_yes_is_not_asked_again(program, scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    of_sol = program(sol.user)
    assert of_sol.post(f"{ASKED}{row.pk}/", {"accept": True}).status_code == 204
    again = of_sol.post(f"{ASKED}{row.pk}/", {"accept": False})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
    assert Substitution.objects.get().answer == "yes"
