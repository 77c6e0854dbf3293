"""What tests of tables share: steady cards, and windows that the test itself answers."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from games.tables.state import facts as reading
from tests.browser.pages import DESK
from tests.browser.table_windows import Window
from tests.live.tables import Laid


@pytest.fixture
def steady_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables deal the same cards in every run, and nothing is remembered of those of the test before."""
    monkeypatch.setattr("games.tables.services.dealing.random.SystemRandom", lambda: random.Random(20261121))
    reading.memory.forget()
    yield
    reading.memory.forget()


@pytest.fixture
def window(new_page: Callable[..., Page], steady_cards: None) -> Callable[..., Window]:
    """window(laid, "N", width=390) -> Window: whoever sits there looks at the table; or `user`, or a stranger.

    pace: how what others do is shown; is_clock_held: the page's clock stands still but for page.clock.run_for.
    """

    def open_window(
        laid: Laid, seat: str = "", *, pace: str = "off", is_clock_held: bool = False, **options: Any
    ) -> Window:
        user = laid.at(seat) if seat else options.pop("user", None)
        page = new_page(**{"width": DESK, "user": user, "reduced_motion": "reduce", **options})
        if is_clock_held:
            page.clock.install(time=0)
            page.clock.pause_at(1000)
        return Window(page, laid.table.pk, user, pace=pace).open()

    return open_window
