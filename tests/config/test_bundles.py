"""What pages have comes as one sheet and one script, made of the parts, in their order, without remarks."""

import re
from pathlib import Path

import pytest
import rjsmin
from django.conf import settings
from django.contrib.staticfiles import finders

from config.web import script_modules
from config.web.bundles import (
    BUNDLES,
    MODULES,
    SHEETS,
    names,
)
from config.web.script_modules import ModuleError, joined

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
    parts = [word for part in BUNDLES[name] for word in words_of((STATIC / part).read_text(encoding="utf-8"))]
    if "css/print.css" in BUNDLES[name]:
        place = len(whole) - len(words_of((STATIC / "css/print.css").read_text(encoding="utf-8")))
        assert whole[place - 2 : place] == ["media", "print"]
        del whole[place - 2 : place]
    assert whole == parts


@pytest.mark.parametrize("name", [name for name in BUNDLES if name.endswith(".js")])
def test_a_script_holds_all_its_parts_in_order(name: str) -> None:
    whole = found(name).read_text(encoding="utf-8")
    texts = [(part, (STATIC / part).read_text(encoding="utf-8")) for part in BUNDLES[name]]
    places = [whole.index(text.rstrip() if ".min." in part else rjsmin.jsmin(text)) for part, text in texts]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [name for name in names() if name != "js/everywhere.js"])
def test_remarks_stay_at_home(name: str) -> None:
    whole = found(name).read_text(encoding="utf-8")
    assert "/*" not in whole
    assert len(whole) > 1000


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
    assert set(names()) <= asked
    assert not asked & {part for parts in BUNDLES.values() for part in parts}
    assert not asked & {part for name in MODULES.values() for part in script_modules.parts(STATIC, name)}


def test_every_sheet_is_in_a_bundle_or_asked_for_by_some_page() -> None:
    bundled = {part for parts in BUNDLES.values() for part in parts}
    assert {f"css/{name}.css" for name in SHEETS} <= bundled
    for sheet in (STATIC / "css").glob("*.css"):
        assert f"css/{sheet.name}" in bundled or f"css/{sheet.name}" in templates(), sheet.name


def templates() -> str:
    folder = STATIC.parent / "templates"
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))


# Modules


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "page.js").write_text(
        'import { one, two as second } from "./parts/numbers.js";\nimport * as all from "./parts/sums.js";\n'
        "console.log(one, second, all.sum());\n"
    )
    (tmp_path / "parts" / "numbers.js").write_text(
        "export const one = 1;\nexport const two = 2;\nconst own = 3;\n"
    )
    (tmp_path / "parts" / "sums.js").write_text(
        'import { one } from "./numbers.js";\nexport function sum() {\n  return one + own;\n}\nconst own = 4;\n'
    )
    return tmp_path


def test_modules_come_after_what_they_need_and_once(scripts: Path) -> None:
    assert script_modules.parts(scripts, "page.js") == ["parts/numbers.js", "parts/sums.js", "page.js"]
    whole = joined(scripts, "page.js")
    assert whole.count("const one = 1;") == 1
    assert "const { one, two: second } = module_parts_numbers_js;" in whole
    assert "const all = module_parts_sums_js;" in whole
    assert "return { one, two };" in whole
    assert not re.search(r"^\s*(import|export)\b", whole, re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        "export default 5;",
        "export { one };",
        "export let one = 1;",
        'import five from "./parts/numbers.js";',
        'import "./parts/numbers.js";',
        'import { one } from "https://elsewhere.example/numbers.js";',
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(scripts: Path, line: str) -> None:
    (scripts / "page.js").write_text(f"const a = 1;\n{line}\n")
    with pytest.raises(ModuleError, match=r"page\.js: (import|export)"):
        joined(scripts, "page.js")


def test_a_ring_of_modules_is_refused(scripts: Path) -> None:
    (scripts / "parts" / "numbers.js").write_text(
        'import { sum } from "./sums.js";\nexport const one = sum;\n'
    )
    with pytest.raises(ModuleError, match=r"parts/numbers\.js imports itself by way of parts/sums\.js"):
        joined(scripts, "page.js")
