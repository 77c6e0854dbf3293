"""A real browser looking at a real server: pages that complain of every error and every request elsewhere."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests import chromium

PHONE = 390
DESK = 1280
HEIGHTS = {PHONE: 844, DESK: 900}
# Long enough for a machine with much else to do: nothing waits for it that goes well.
TIMEOUT_MILLISECONDS = 20_000
expect.set_options(timeout=TIMEOUT_MILLISECONDS)
NOT_A_FAULT = ("Failed to load resource", "Service Worker registration blocked by Playwright")


@dataclass
class Watch:
    """Notes what must not happen while a page is open."""

    origin: str
    allowed: str
    faults: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        """Look at everything that this page does from now on."""
        page.on("console", self.console)
        page.on("pageerror", lambda error: self.note(f"script error: {error}"))
        page.on("request", self.request)
        page.on("response", self.response)

    def note(self, fault: str) -> None:
        """Remember a fault, unless the test said that it expects it."""
        if not (self.allowed and re.search(self.allowed, fault)):
            self.faults.append(fault)

    def console(self, message: ConsoleMessage) -> None:
        """Warnings and errors; what a failed request says is noted by `response`, with its address."""
        if message.type in {"error", "warning"} and not message.text.startswith(NOT_A_FAULT):
            self.note(f"console {message.type}: {message.text}")

    def request(self, request: Request) -> None:
        """Pages ask nobody but this site."""
        if not request.url.startswith((self.origin, "data:", "blob:", "about:")):
            self.note(f"request to another place: {request.url}")

    def response(self, response: Response) -> None:
        """An answer from 400 on is a fault; a test that wants one says so."""
        if response.status >= 400:
            self.note(f"{response.status} for {response.url}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once; its driver runs a loop in this thread, where Django must be let work."""
    executable = chromium.find()
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=list(chromium.ARGUMENTS))
        yield started
        started.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


PageFactory = Callable[..., Page]


@pytest.fixture
def new_page(browser: Browser, live_server: Any) -> Iterator[PageFactory]:
    """Opens windows on the live server; the test fails if one of them logged an error or asked another host.

    new_page(width=390, scheme="light", user=None, allow="", **context) -> Page

    width: PHONE (390), DESK (1280) or any other; scheme: "light" or "dark"; user: who is logged in;
    allow: a regular expression of faults that the test expects ("403 for", say);
    context: further options of playwright's new_context (locale, reduced_motion, has_touch ...). The site's worker is
    kept out, which would fetch much in the background; service_workers="allow" lets it in.
    Addresses in page.goto("/my/") are relative to the server.
    """
    watches: list[Watch] = []
    contexts: list[BrowserContext] = []

    def open_page(
        *,
        width: int = PHONE,
        scheme: Literal["light", "dark"] = "light",
        user: AbstractBaseUser | None = None,
        allow: str = "",
        **options: Any,
    ) -> Page:
        viewport = {"width": width, "height": HEIGHTS.get(width, 900)}
        ground = {"viewport": viewport, "color_scheme": scheme, "base_url": live_server.url}
        options = {**ground, "service_workers": "block", **options}
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        if user is not None:
            context.add_cookies([session_cookie(user, live_server.url)])
        watch = Watch(origin=live_server.url, allowed=allow)
        watches.append(watch)
        context.on("page", watch.over)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    faults = [fault for watch in watches for fault in watch.faults]
    assert not faults, "The browser complained:\n" + "\n".join(faults)


def session_cookie(user: AbstractBaseUser, url: str) -> Any:
    """The cookie of somebody who is logged in."""
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {
        "name": settings.SESSION_COOKIE_NAME,
        "value": value,
        "domain": urlsplit(url).hostname,
        "path": "/",
    }
