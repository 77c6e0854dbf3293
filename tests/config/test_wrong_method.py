"""An address for buttons that is opened like a page: explained in the site's look, with the way back."""

import pytest
from django.test import Client

from config.web.refusals import page_above
from tests.league import factories

pytestmark = pytest.mark.django_db


def test_who_comes_back_from_the_login_to_a_buttons_address_is_led_to_the_button() -> None:
    club = factories.club()
    client = Client()
    client.force_login(factories.user())
    answer = client.get(f"{club.get_absolute_url()}join/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "press the button again" in answer.text
    assert f'href="{club.get_absolute_url()}"' in answer.text


def test_programs_get_the_envelope_of_the_api() -> None:
    answer = Client().get("/api/v1/matches/1/preview/")
    assert not answer["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("path", "above"),
    [("/matches/24/confirm/", "/matches/24/"), ("/my/token/revoke/", "/my/token/"), ("/nothing/here/", "/")],
)
def test_the_way_back_is_a_page_that_exists(path: str, above: str) -> None:
    assert page_above(path) == above
