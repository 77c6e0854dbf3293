"""What pages have comes as one sheet and one script, made of the parts, in their order, without remarks."""

import graphlib
import gzip
import posixpath
import re
from pathlib import Path

import pytest
import rjsmin
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from config.web.bundles import BUNDLES, SHEETS, names, source
from games import front
from games.front import GameFront
from league.templatetags.ui import script_module, script_modules

STATIC = Path(settings.BASE_DIR) / "static"


def found(name: str) -> Path:
    path = finders.find(name)
    assert path, f"{name} is not to be found"
    return Path(path)


def words_of(text: str) -> list[str]:
    """The words of a sheet; remarks, spaces and what separates them left out."""
    return re.findall(r"[\w-]+", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL))


@pytest.mark.parametrize("name", [name for name in BUNDLES if name.endswith(".css")])
def test_a_sheet_holds_all_its_parts_in_order(name: str) -> None:
    whole = words_of(found(name).read_text(encoding="utf-8"))
    parts = [word for part in BUNDLES[name] for word in words_of(source(part).read_text(encoding="utf-8"))]
    if "css/print.css" in BUNDLES[name]:
        place = len(whole) - len(words_of(source("css/print.css").read_text(encoding="utf-8")))
        assert whole[place - 2 : place] == ["media", "print"]
        del whole[place - 2 : place]
    assert whole == parts


@pytest.mark.parametrize("name", [name for name in BUNDLES if name.endswith(".js")])
def test_a_script_holds_all_its_parts_in_order(name: str) -> None:
    whole = found(name).read_text(encoding="utf-8")
    texts = [(part, source(part).read_text(encoding="utf-8")) for part in BUNDLES[name]]
    places = [whole.index(text.rstrip() if ".min." in part else rjsmin.jsmin(text)) for part, text in texts]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [name for name in names() if name != "js/everywhere.js"])
def test_remarks_stay_at_home(name: str) -> None:
    whole = found(name).read_text(encoding="utf-8")
    assert not re.search(r"(?m)/\*|^\s*//", whole)
    assert whole.strip()


def test_the_sheet_for_paper_counts_on_paper_only() -> None:
    whole = found("css/everywhere.css").read_text(encoding="utf-8")
    assert whole.count("@media print{") == 1
    assert "@media print" not in whole.partition("@media print{")[2]
    assert whole.rstrip().endswith("}}")
    assert whole.count("{") == whole.count("}")


def test_what_the_sheets_name_is_found_from_the_bundle_as_well() -> None:
    whole = found("css/everywhere.css").read_text(encoding="utf-8")
    named = re.findall(r'url\("([^"#:]+)"\)', whole)
    assert named
    assert all((STATIC / "css" / name).resolve().is_file() for name in named)


def test_pages_ask_for_the_bundles_and_for_no_part_of_them() -> None:
    asked = set(re.findall(r"{% static '([^']+)' %}", templates()))
    assert set(BUNDLES) <= asked
    assert not asked & {part for parts in BUNDLES.values() for part in parts}


def test_every_sheet_is_in_a_bundle_or_asked_for_by_some_page() -> None:
    bundled = {part for parts in BUNDLES.values() for part in parts}
    assert {f"css/{name}.css" for name in SHEETS} <= bundled
    felts = {each.felt_style for each in front.registered()}
    for sheet in (name for name in names() if name.endswith(".css")):
        assert sheet in bundled | felts or f"'{sheet}'" in templates(), sheet


def templates() -> str:
    folders = (STATIC.parent / "templates", STATIC.parent / "games")
    return "\n".join(
        path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.html")
    )


def imported_by(name: str) -> set[str]:
    """The modules that a script imports, by their names."""
    text = source(name).read_text(encoding="utf-8")
    paths = re.findall(r"""^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];$""", text, re.MULTILINE)
    assert len(paths) == len(re.findall(r"^import\b", text, re.MULTILINE)), (
        f"{name}: an import of another form"
    )
    return {posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths}


@pytest.mark.parametrize("name", [("concerto/js/sheet",), ("concerto/js/table", "js/table")])
def test_a_page_asks_at_once_for_every_module_that_is_imported_and_for_no_other(
    name: tuple[str, ...],
) -> None:
    *parts, script = script_modules(*name)
    needed: set[str] = set()
    waiting = [script]
    while waiting:
        fresh = imported_by(waiting.pop()) - needed
        needed |= fresh
        waiting += fresh
    assert needed == set(parts)
    assert len(parts) > 5
    tags = re.findall(
        r'<(link rel="modulepreload"|script type="module") (?:href|src)="([^"]+)"', script_module(*name)
    )
    assert [address for _tag, address in tags] == [static(part) for part in (*parts, script)]
    assert [tag[:4] for tag, _address in tags] == ["link"] * len(parts) + ["scri"]


@pytest.mark.parametrize("felt", sorted({each.felt for each in front.registered() if each.felt}))
def test_a_felt_s_scripts_are_small(felt: str) -> None:
    """All that a table's page loads of its own, each module squeezed by itself as it is sent."""
    modules = {*script_modules(felt, "js/table"), *script_modules("js/lines/socket")}
    assert len(modules) > 10
    assert sum(len(gzip.compress(found(each).read_bytes(), mtime=0)) for each in modules) < 60_000


def test_the_common_felt_is_small_and_only_tables_load_it() -> None:
    """Of its page's own scripts and style, each as it is sent, with what every table has."""
    sheets = {"css/table.css", GameFront.felt_style}
    files = {*script_modules("js/felt", "js/table"), *script_modules("js/lines/socket"), *sheets}
    assert sum(len(gzip.compress(found(each).read_bytes(), mtime=0)) for each in files) < 40_000
    everywhere = {part for parts in BUNDLES.values() for part in parts}
    assert not everywhere & files
    asking = {
        path.name
        for folder in settings.TEMPLATES[0]["DIRS"]
        for path in Path(folder).rglob("*.html")
        if any(sheet in path.read_text(encoding="utf-8") for sheet in sheets)
    }
    assert asking == {"table.html", "replay.html"}


def test_modules_need_each_other_in_one_direction() -> None:
    """A ring of modules would have no address that changes with its content."""
    scripts = [name for name in names() if name.endswith(".js") and name not in BUNDLES]
    order = graphlib.TopologicalSorter({name: imported_by(name) for name in scripts})
    assert set(order.static_order()) == set(scripts)
