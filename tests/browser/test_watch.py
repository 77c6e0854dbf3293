"""Pages under test are watched: a fault that nobody looked for fails the test all the same."""

import pytest
from django.test import Client
from playwright.sync_api import Browser

from tests.browser.pages import DESK, PHONE, PageFactory, Watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_login_page_raises_no_fault(new_page: PageFactory, width: int, scheme: str) -> None:
    page = new_page(width=width, scheme=scheme)

    page.goto("/accounts/login/")

    assert page.locator("input[name=login]").is_visible()
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is (scheme == "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("console.error('broken')", "console error: broken"),
        ("setTimeout(() => { throw new Error('lost') })", "script error: lost"),
        ("new Image().src = 'https://elsewhere.example/x.png'", "request to another place"),
        ("await fetch('/no/such/page')", "404 for"),
    ],
)
def test_faults_are_noticed(browser: Browser, live_server: object, script: str, fault: str) -> None:
    watch = Watch(origin=str(live_server), allowed="")
    context = browser.new_context(base_url=str(live_server))
    context.on("page", watch.over)
    page = context.new_page()
    page.goto("/accounts/login/")

    page.evaluate(f"async () => {{ {script}; await new Promise(done => setTimeout(done, 200)) }}")
    context.close()

    assert any(noted.startswith(fault) for noted in watch.faults), watch.faults


def test_expected_faults_are_let_pass() -> None:
    watch = Watch(origin="http://localhost", allowed="^403 for")

    watch.note("403 for http://localhost/desk/")
    watch.note("500 for http://localhost/desk/")

    assert watch.faults == ["500 for http://localhost/desk/"]


def test_a_window_can_be_somebodys(new_page: PageFactory, client: Client, django_user_model: object) -> None:
    user = django_user_model.objects.create_user("anna@example.org", "a password of hers", name="Anna Berg")  # type: ignore[attr-defined]
    page = new_page(user=user)

    page.goto("/accounts/email/")

    assert "/accounts/email/" in page.url
    assert "anna@example.org" in page.content()
