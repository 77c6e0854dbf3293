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


class Windows:
    """Windows of the browser, emptied after each test for the next: to open one takes longer than most pages."""

    # Those that nobody uses take memory.
    MOST = 4

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[tuple[dict[str, Any], BrowserContext]] = []

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """An empty window with these options of playwright's; its first tab stays blank, and keeps it open."""
        for found in self._idle:
            if found[0] == options:
                self._idle.remove(found)
                return found[1]
        context = self._browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        context.new_page()
        return context

    def give_back(self, context: BrowserContext, options: dict[str, Any]) -> None:
        """Leave nothing of the test in it; what it was about to send is not sent."""
        context.set_offline(offline=True)
        blank, *tabs = context.pages
        # A clock that a test holds cannot be taken out: what waits in the next test's page would wait for ever.
        if blank.evaluate("'__pwClock' in globalThis"):
            context.close()
            return
        for tab in tabs:
            tab.close()
        context.unroute_all(behavior="ignoreErrors")
        context.clear_cookies()
        session = context.new_cdp_session(blank)
        session.send("Storage.clearDataForOrigin", {"origin": options["base_url"], "storageTypes": "all"})
        session.send("Network.clearBrowserCache")
        session.detach()
        context.set_offline(offline=False)
        self._idle.append((options, context))
        if len(self._idle) > self.MOST:
            self._idle.pop(0)[1].close()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """The windows of this process."""
    return Windows(browser)


PageFactory = Callable[..., Page]


@pytest.fixture
def new_page(windows: Windows, live_server: Any) -> Iterator[PageFactory]:
    """Opens windows on the live server; the test fails if one of them logged an error or asked another host.

    new_page(width=390, scheme="light", user=None, allow="", **context) -> Page

    width: PHONE (390), DESK (1280) or any other; scheme: "light" or "dark"; user: who is logged in;
    allow: a regular expression of faults that the test expects ("403 for", say);
    reduced_motion: "reduce" or "no-preference"; context: further options of playwright's new_context (locale,
    has_touch ...). The site's worker is kept out, which would fetch much in the background; service_workers="allow"
    lets it in.
    Addresses in page.goto("/my/") are relative to the server.
    """
    taken: list[tuple[BrowserContext, dict[str, Any], Watch]] = []

    def open_page(
        *,
        width: int = PHONE,
        scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
        user: AbstractBaseUser | None = None,
        allow: str = "",
        **context: Any,
    ) -> Page:
        options = {"base_url": live_server.url, "service_workers": "block", **context}
        window = windows.take(options)
        watch = Watch(origin=live_server.url, allowed=allow)
        taken.append((window, options, watch))
        window.on("page", watch.over)
        if user is not None:
            window.add_cookies([session_cookie(user, live_server.url)])
        page = window.new_page()
        page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})
        page.emulate_media(color_scheme=scheme, reduced_motion=reduced_motion)
        return page

    yield open_page
    faults: list[str] = []
    for window, options, watch in taken:
        # What the window still has to say is heard before it answers.
        window.cookies()
        faults += watch.faults
        window.remove_listener("page", watch.over)
        if options["service_workers"] == "allow":
            window.close()
        else:
            windows.give_back(window, options)
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
