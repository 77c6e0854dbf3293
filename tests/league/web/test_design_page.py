"""The gallery is for staff; account and error pages are drawn in the site's look, whatever is missing."""

import pytest
from django.template.loader import render_to_string
from django.test import Client

from league.models import User

pytestmark = pytest.mark.django_db


def logged_in(*, is_staff: bool) -> Client:
    client = Client()
    client.force_login(User.objects.create(email="anna@example.org", is_staff=is_staff))
    return client


def test_the_gallery_asks_visitors_to_log_in() -> None:
    answer = Client().get("/design/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_the_gallery_refuses_members_kindly() -> None:
    answer = logged_in(is_staff=False).get("/design/")
    assert answer.status_code == 403
    assert "It is for the people who run it" in answer.content.decode()


def test_the_gallery_shows_every_component_to_staff() -> None:
    html = logged_in(is_staff=True).get("/design/").content.decode()
    for component in (
        "pill green",
        'data-status="disputed"',
        "form-box won",
        "why-body",
        "toast",
        "tabs",
        "pad-key",
        "<svg",
        "todo",
        "dialog",
    ):
        assert component in html


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "413", "429", "500"])
def test_error_pages_need_neither_request_nor_person(name: str) -> None:
    html = render_to_string(f"{name}.html")
    assert "site-header" in html
    assert "Nothing was changed" in html or name in {"403", "404", "500"}
    assert 'href="/"' in html


@pytest.mark.parametrize(
    "path", ["login", "signup", "password/reset", "confirm-email", "password/reset/done"]
)
def test_account_pages_are_in_the_site_s_look(path: str) -> None:
    html = Client().get(f"/accounts/{path}/").content.decode()
    assert "site-header" in html
    assert html.count("<h1>") == 1


@pytest.mark.parametrize("path", ["email", "password/change", "2fa", "logout"])
def test_pages_of_one_s_account_are_too(path: str) -> None:
    client = Client()
    user = User.objects.create_user(email="anna@example.org", password="card-table-9")
    client.force_login(user)
    html = client.get(f"/accounts/{path}/").content.decode()
    assert "site-header" in html
    assert html.count("<h1>") == 1
