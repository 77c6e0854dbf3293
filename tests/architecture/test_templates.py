"""Pages ask nobody but this site, and hold neither scripts nor styles: the browser would refuse both."""

import re
from pathlib import Path

import pytest

from tests.architecture.sources import files, text

TEMPLATES = [name for name in files() if "templates" in name.parts and name.suffix in {".html", ".svg"}]
STYLES = [name for name in files() if "static" in name.parts and name.suffix == ".css"]
# A link that a reader may follow goes where it likes; what the browser fetches by itself may not.
FETCHED = re.compile(
    r"""<(?!a\b)[^>]*\b(?:src|href|action|data|poster|srcset|hx-\w+)\s*=\s*["'](?:https?:)?//""", re.I
)
INLINE_SCRIPT = re.compile(r"<script\b(?![^>]*\bsrc=)(?![^>]*type=[\"']application/(?:ld\+)?json)", re.I)
INLINE_STYLE = re.compile(r"<style\b|<[^>]*\sstyle\s*=", re.I)
HANDLER = re.compile(r"<[^>]*\son\w+\s*=|<[^>]*\shx-on[:-]|href\s*=\s*[\"']javascript:", re.I)
EVALUATED = re.compile(r"hx-trigger\s*=\s*[\"'][^\"']*\[|hx-(?:vals|headers)\s*=\s*[\"']js:", re.I)
STYLE_FETCH = re.compile(r"(?:url\(|@import)\s*[\"']?\s*(?:https?:)?//", re.I)

RULES = {
    "fetches from elsewhere": FETCHED,
    "has a script inside": INLINE_SCRIPT,
    "has a style inside": INLINE_STYLE,
    "has an event handler inside": HANDLER,
    "has an expression that needs eval": EVALUATED,
}


def faults(name: Path) -> list[str]:
    """The rules that the template breaks; comments may say what they like."""
    page = re.sub(r"{#.*?#}|{% comment %}.*?{% endcomment %}|<!--.*?-->", "", text(name), flags=re.S)
    return [
        f"{name} {rule}: {found.group()}"
        for rule, pattern in RULES.items()
        if (found := pattern.search(page))
    ]


def test_templates_keep_the_browsers_policy() -> None:
    assert TEMPLATES
    assert [fault for name in TEMPLATES if name.parts[1] != "email" for fault in faults(name)] == []


def test_styles_fetch_nothing_from_elsewhere() -> None:
    assert [str(name) for name in STYLES if STYLE_FETCH.search(text(name))] == []


@pytest.mark.parametrize(
    ("page", "rule"),
    [
        ('<script src="https://cdn.example/x.js"></script>', "fetches from elsewhere"),
        ('<img src="//cdn.example/x.png">', "fetches from elsewhere"),
        ("<script>alert(1)</script>", "has a script inside"),
        ('<p style="color: red">', "has a style inside"),
        ("<style>p {}</style>", "has a style inside"),
        ('<button onclick="go()">', "has an event handler inside"),
        ('<div hx-on:click="go()">', "has an event handler inside"),
        ("<div hx-trigger=\"keyup[key=='a']\">", "has an expression that needs eval"),
    ],
)
def test_the_rules_notice(page: str, rule: str) -> None:
    assert RULES[rule].search(page)


@pytest.mark.parametrize(
    "page",
    [
        '<a href="https://concerto.example/">The rules</a>',
        '<script src="/static/js/app.js" defer></script>',
        '<script type="application/json" id="x">{}</script>',
        '<div hx-trigger="every 5s" hx-get="/x/">',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">',
    ],
)
def test_the_rules_let_honest_pages_pass(page: str) -> None:
    assert [rule for rule, pattern in RULES.items() if pattern.search(page)] == []
