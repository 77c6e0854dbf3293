"""The look's promises that can be computed: contrast, one set of dark values, nothing inline, all licences there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CSS = ROOT / "static" / "css"
SHEETS = [*CSS.glob("*.css"), *(ROOT / "games").glob("*/static/*/css/*.css")]
TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")
TEMPLATES = sorted(path for folder in ("templates", "games") for path in (ROOT / folder).rglob("*.html"))


def values(selector: str) -> dict[str, list[str]]:
    """The colours set in the block of a selector: one, or that on light ground and that on dark."""
    block = TOKENS.split(f"\n{selector} {{")[1].split("}")[0]
    found = {
        name: re.findall("#[0-9a-f]{6}", value) for name, value in re.findall(r"--([\w-]+): ([^;]+);", block)
    }
    return {name: colours for name, colours in found.items() if colours}


GROUND = values(":root")
LIGHT = {name: colours[0] for name, colours in GROUND.items()}
DARK = {name: colours[-1] for name, colours in GROUND.items()}
CONTRAST = LIGHT | {name: colours[0] for name, colours in values(':root[data-theme="contrast"]').items()}
THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}

SURFACES = ("paper", "card", "sunk")
READ = [
    *((text, behind) for text in ("ink", "soft", "green", "brass", "red") for behind in SURFACES),
    *((text, tint) for text in ("ink", "soft") for tint in ("green-tint", "brass-tint", "red-tint")),
    ("green", "green-tint"),
    ("brass", "brass-tint"),
    ("red", "red-tint"),
    ("on-green", "green-solid"),
    ("on-green", "green-hover"),
    ("on-red", "red-solid"),
    ("on-red", "red-hover"),
    ("on-felt", "felt"),
    ("on-felt-brass", "felt"),
    *((suit, "card-face") for suit in ("spade", "heart", "diamond", "club")),
    *((suit, "red-tint") for suit in ("spade", "heart", "diamond", "club")),
    *((suit, "green-tint") for suit in ("spade", "heart", "diamond", "club")),
]
SEEN = [("edge", "paper"), ("edge", "card"), ("brass-mark", "card"), ("chart-3", "card")]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("pairs", "least"), [(READ, 4.5), (SEEN, 3)], ids=["text", "marks and edges"])
def test_everything_stands_out_from_what_is_behind_it(pairs: list[tuple[str, str]], least: float) -> None:
    found = {
        (theme, one, behind): contrast(tokens[one], tokens[behind])
        for theme, tokens in THEMES.items()
        for one, behind in pairs
    }
    assert len(found) == len(THEMES) * len(pairs)
    assert {where: value for where, value in found.items() if value < least} == {}


def test_dark_is_the_same_by_device_and_by_choice() -> None:
    assert not values(':root[data-theme="dark"]')
    assert "prefers-color-scheme" not in TOKENS
    assert DARK != LIGHT


def test_dark_is_never_pure_black() -> None:
    assert all(DARK[surface] not in ("#000", "#000000") for surface in SURFACES)


def test_colours_are_named_in_one_file_only() -> None:
    for sheet in SHEETS:
        if sheet.name not in ("tokens.css", "print.css"):
            plain = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
            assert not re.findall(r"#[0-9a-f]{3,8}\b(?=[^{]*})", plain, re.IGNORECASE), sheet.name


# What a browser shows: mails and printed papers are styled on their own.
PAGES = [path for path in TEMPLATES if not {"email", "print"} & set(path.parts)]


INLINE = {
    "a style": r"\sstyle=",
    "a handler": r"\son\w+=",
    "a handler of htmx": "hx-on",
    "a script": r"<script(?![^>]*\bsrc=)(?![^>]*application/json)",
    "another site": r"""(?:src|href)=["'](?:https?:)?//""",
}


def test_pages_hold_no_inline_style_or_script() -> None:
    faults = []
    for template in PAGES:
        # What our own tags are told (style="quiet") is no style.
        html = re.sub(r"{%.*?%}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        faults += [
            f"{template.relative_to(ROOT)}: {what}" for what, form in INLINE.items() if re.search(form, html)
        ]
    assert PAGES
    assert faults == []


@pytest.mark.parametrize(
    "folder",
    [*(ROOT / "static" / "vendor").iterdir(), *(ROOT / "static" / "fonts").glob("source-*")],
    ids=str,
)
def test_what_is_not_ours_has_its_licence_beside_it(folder: Path) -> None:
    assert [path for path in folder.iterdir() if path.name.startswith("LICENSE")]


def test_style_sheets_ask_no_other_site() -> None:
    for sheet in SHEETS:
        assert "//" not in re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
