"""What is taken out of sheets and scripts when they are put together changes nothing of what they say."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from config.web import bundles

pytestmark = [pytest.mark.browser, pytest.mark.one_database]

RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  // What a variable holds is kept letter by letter: spaces beside commas and brackets say nothing there.
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s*([,()])\\s*/g, "$1"));
}"""


def as_written(name: str) -> str:
    text = bundles.source(name).read_text(encoding="utf-8")
    return f"@media print {{\n{text}\n}}\n" if name == bundles.ON_PAPER else text


def test_a_squeezed_sheet_has_the_same_rules(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/offline/")
    for sheet in (name for name in bundles.names() if name.endswith(".css") and name != bundles.ON_PAPER):
        parts = bundles.BUNDLES.get(sheet, (sheet,))
        plain = [rule for name in parts for rule in page.evaluate(RULES, as_written(name))]
        assert plain, sheet
        assert page.evaluate(RULES, bundles.content_of(sheet)) == plain, sheet
