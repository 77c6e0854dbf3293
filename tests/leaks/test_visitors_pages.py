"""A page that needs no form is the same for every visitor, letter by letter, and leaves no cookie behind."""

import re
from typing import Any

import pytest
from django.test import Client

from league.models import User
from tests.permissions.walking import Stage, address_of, addresses, set_stage

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

#: Visitors may send a form from here, which has a token, or ask for one.
WITH_A_FORM = {"board_set_check", "session", "guest_link", "player_invitation"}
#: Each visit is dealt cards of its own.
DEALT_ANEW = {"try_deal"}
#: What goes on from one moment to the next.
TICKING = re.compile(r'data-(?:now|left)="-?\d+"|"now": ?"[^"]*"|"turn_ms": ?\d+')


@pytest.fixture
def stage() -> Stage:
    return set_stage()


def text_of(answer: Any) -> str:
    """What the page says, without what goes on."""
    return TICKING.sub("", b"".join(answer).decode(errors="replace"))


def test_two_visitors_get_the_same_page_and_no_cookie(stage: Stage) -> None:
    seen, faults = 0, []
    for name, pattern in addresses():
        address = address_of(stage, name, pattern)
        first, second = Client().get(address), Client().get(address)
        if first.status_code != 200 or name in WITH_A_FORM:
            continue
        seen += 1
        if first.cookies or second.cookies:
            faults.append(f"{name} sets {[*first.cookies, *second.cookies]}")
        texts = [text_of(answer) for answer in (first, second)]
        # Between two visits a minute may end that a page tells the time by; not twice in a row.
        differs = texts[0] != texts[1] != text_of(Client().get(address)) and name not in DEALT_ANEW
        if differs or "csrfmiddlewaretoken" in texts[0]:
            faults.append(f"{name} differs")
    assert seen > 60
    assert not faults, "\n".join(faults)


def test_a_visitor_chooses_a_language_without_a_token_and_nobody_chooses_it_for_an_account(
    stage: Stage,
) -> None:
    asked = {"language": "de", "next": "/"}
    visitor, anna = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    account: User = stage.scene.users["anna"]
    anna.force_login(account)

    assert visitor.post("/i18n/setlang/", asked)["Location"] == "/"
    assert "Zum Inhalt springen" in visitor.get("/").text
    assert anna.post("/i18n/setlang/", asked).status_code == 403
    account.refresh_from_db()
    assert account.language != "de"
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', anna.get("/").text)
    assert token
    assert anna.post("/i18n/setlang/", {**asked, "csrfmiddlewaretoken": token[1]}).status_code == 302
    account.refresh_from_db()
    assert account.language == "de"
