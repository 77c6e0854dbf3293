"""Reading a duplicate evening in a browser: a figure opens what it came from, and every page fits a phone."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from engine.contest.movements.sections import Choice, Kind
from tests.browser.pages import DESK, PHONE
from tests.games import duplicate_events as evenings
from tests.games.duplicate_events import Evening

pytestmark = [pytest.mark.browser, pytest.mark.one_database]


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    """Two tables, two of three rounds played: some boards are sealed."""
    made = evenings.make_evening(pairs=4, boards=2, choice=Choice(Kind.HOWELL, 2, 3))
    for number in (1, 2):
        evenings.play_round(made, number)
    evenings.settle(made)
    return made


def opened(evening: Evening) -> list[int]:
    """The numbers of the boards that are open."""
    found = evening.board_set.boards.filter(released_at__isnull=False, plays__isnull=False).distinct()
    return sorted(found.values_list("number", flat=True))


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_figure_opens_the_tables_it_was_compared_with(
    evening: Evening, new_page: Callable[..., Page], width: int
) -> None:
    page = new_page(width=width)
    evenings.play_round(evening, 3)
    evenings.settle(evening)
    number = opened(evening)[0]
    page.goto(f"/boards/{evening.board_set.pk}/{number}/")
    figure = page.locator(".traveller details.why").first
    names = page.locator(".traveller .pair-name").all_inner_texts()

    figure.locator("summary").click()

    body = figure.locator(".why-body")
    expect(body).to_contain_text("Compared with 1 other result")
    expect(body).to_contain_text(names[0])
    box = body.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    expect(body).to_be_hidden()


def test_a_figure_says_why_without_a_script(evening: Evening, new_page: Callable[..., Page]) -> None:
    evenings.play_round(evening, 3)
    evenings.settle(evening)
    page = new_page(java_script_enabled=False)
    page.goto(f"/boards/{evening.board_set.pk}/{opened(evening)[0]}/")
    figure = page.locator(".traveller details.why").first
    figure.locator("summary").click()
    figure.get_by_role("link", name="Why this figure?").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Why")


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_every_page_of_an_evening_fits_and_has_no_fault(
    evening: Evening, new_page: Callable[..., Page], width: int, scheme: str
) -> None:
    evenings.play_round(evening, 3)
    evenings.settle(evening)
    base = evening.competition.get_absolute_url()
    player = evenings.account(evening.entries[0])
    page = new_page(width=width, scheme=scheme, user=player, reduced_motion="reduce")
    for address in (
        base,
        f"{base}field/",
        f"{base}compare/",
        f"{base}scorecards/{evening.entries[0].pk}/",
        f"/boards/{evening.board_set.pk}/1/",
        f"/pairs/{evening.entries[0].lineup_id}/evenings/",
    ):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}\n{found.generate_report()}"


def test_a_sealed_board_has_no_card_in_the_page(evening: Evening, new_page: Callable[..., Page]) -> None:
    sealed = evening.board_set.boards.filter(released_at__isnull=True, plays__isnull=False).first()
    if sealed is None:
        pytest.fail("a board should still be sealed after two rounds of three")
    page = new_page(width=PHONE)
    page.goto(f"/boards/{evening.board_set.pk}/{sealed.number}/")
    expect(page.locator("main")).to_contain_text("Not public yet")
    assert not re.search(r'class="(ranks|hand)"', page.content())
