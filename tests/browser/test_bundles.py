"""What is taken out of sheets and scripts when they are put together changes nothing of what they say."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page

from config.web import bundles

pytestmark = [pytest.mark.browser, pytest.mark.one_database]

STATIC = Path(settings.BASE_DIR) / "static"
RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  // What a variable holds is kept letter by letter: spaces beside commas and brackets say nothing there.
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s*([,()])\\s*/g, "$1"));
}"""


def as_written(name: str) -> str:
    text = (STATIC / name).read_text(encoding="utf-8")
    return f"@media print {{\n{text}\n}}\n" if name == bundles.ON_PAPER else text


@pytest.mark.parametrize("bundle", [name for name in bundles.BUNDLES if name.endswith(".css")])
def test_a_squeezed_sheet_has_the_same_rules(bundle: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/offline/")
    plain = [rule for name in bundles.BUNDLES[bundle] for rule in page.evaluate(RULES, as_written(name))]
    squeezed = page.evaluate(RULES, bundles.content_of(bundle))
    assert len(plain) > 10
    assert squeezed == plain
