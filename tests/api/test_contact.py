"""A program keeps how its person can be reached."""

from league.models import Contact
from tests.league import factories

NUMBER, STREET = "+353 1 496 0123", "3 Harbour Row\nCork"


def test_a_program_keeps_telephone_and_address(program, db: None) -> None:
    of_eva, of_dora = program(factories.user()), program(factories.user())
    nothing = {"telephone": "", "address": "", "is_shared": False}
    assert of_eva.get("/api/v1/contact/").json() == nothing
    given = {"telephone": NUMBER, "address": STREET, "is_shared": True}
    assert of_eva.post("/api/v1/contact/", given).json() == given
    assert of_eva.get("/api/v1/contact/").json() == given
    kept = of_eva.post("/api/v1/contact/", {"telephone": NUMBER}).json()
    assert kept == {**nothing, "telephone": NUMBER}, "who does not say that they agree does not"
    assert of_dora.get("/api/v1/contact/").json() == nothing
    for wrong in (
        {"telephone": "call me"},
        {"address": "x" * 301},
        {"is_shared": "perhaps"},
        {"mobile": "1"},
    ):
        assert of_eva.post("/api/v1/contact/", wrong).status_code == 400
    assert of_eva.post("/api/v1/contact/", {}).status_code == 400
    assert Contact.objects.get().telephone == NUMBER, "who says nothing takes nothing out"
    assert of_eva.post("/api/v1/contact/", {"telephone": ""}).json() == nothing
    assert not Contact.objects.exists()
