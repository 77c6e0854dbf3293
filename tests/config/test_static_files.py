"""Static files as browsers meet them: squeezed, kept for ever under a name that changes with the content."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config.web.bundles import content_of
from config.web.static_files import (
    EditionFiles,
    HashedFiles,
    WholeFiles,
    edition,
)

NAME = "css/site.css"
PLAIN = content_of(NAME).encode()


@pytest.fixture(scope="module")
def server() -> WholeFiles:
    def nothing_there(request: HttpRequest) -> HttpResponse:
        return HttpResponse("a page", status=404)

    return WholeFiles(nothing_there)


def ask(server: WholeFiles, address: str, accepted: str = "", **headers: str) -> HttpResponse:
    return server(RequestFactory().get(address, headers={"Accept-Encoding": accepted, **headers}))


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_a_sheet_comes_in_the_best_encoding_that_is_taken(
    server: WholeFiles, accepted: str, encoding: str | None
) -> None:
    answer = ask(server, EditionFiles().url(NAME), accepted)
    undo = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert (answer.status_code, answer.get("Content-Encoding")) == (200, encoding)
    assert answer["Content-Length"] == str(len(answer.content))
    assert "Accept-Encoding" in answer["Vary"]
    assert undo(answer.content) == PLAIN


def test_fonts_are_not_squeezed_twice(server: WholeFiles) -> None:
    answer = ask(server, EditionFiles().url("fonts/symbols/concertmaster-symbols.woff2"), "br")
    assert answer.content[:4] == b"wOF2"
    assert "Content-Encoding" not in answer


def test_only_the_current_edition_is_kept_for_ever(server: WholeFiles) -> None:
    current = ask(server, EditionFiles().url(NAME))
    older = ask(server, f"/static/v-0123456789ab/{NAME}")
    bare = ask(server, f"/static/{NAME}")
    assert re.fullmatch(r"max-age=\d{8,}, public, immutable", current["Cache-Control"])
    assert [each["Cache-Control"] for each in (older, bare)] == ["max-age=60, public"] * 2
    assert current.content == older.content == bare.content


@pytest.mark.parametrize(
    "address",
    ["/static/v-0123456789ab/../config/urls.py", "/static/v-0123456789ab/", "/v-0123456789ab/css/site.css"],
)
def test_nothing_else_is_handed_out(server: WholeFiles, address: str) -> None:
    assert ask(server, address).status_code == 404


def test_a_part_and_an_unchanged_file_are_answered_as_asked(server: WholeFiles) -> None:
    address = EditionFiles().url(NAME)
    part = ask(server, address, "br", Range="bytes=0-9")
    again = ask(server, address, "br", **{"If-None-Match": ask(server, address)["ETag"]})
    assert (part.status_code, part.content) == (206, PLAIN[:10])
    assert (again.status_code, again.content) == (304, b"")


def test_the_edition_is_the_same_for_every_process() -> None:
    before = edition()
    edition.cache_clear()
    assert edition() == before


def test_what_a_script_imports_gets_a_hash_as_well(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    (sources / "js" / "parts").mkdir(parents=True)
    (sources / "js" / "whole.js").write_text('import { a } from "./parts/a.js";\nimport "./parts/b.js";\n')
    (sources / "js" / "parts" / "a.js").write_text('import { b } from "./b.js";\nexport const a = b;\n')
    (sources / "js" / "parts" / "b.js").write_text("export const b = 1;\n")
    storage = HashedFiles(location=tmp_path / "collected", base_url="/static/")
    names = [str(path.relative_to(sources)) for path in sources.rglob("*.js")]
    found = FileSystemStorage(location=sources)
    for name in names:
        with found.open(name) as content:
            storage.save(name, content)
    list(storage.post_process({name: (storage, name) for name in names}))
    whole = (tmp_path / "collected" / storage.hashed_files["js/whole.js"]).read_text()
    assert re.findall(r'["\'](.*?)["\']', whole) == [
        f"./{storage.hashed_files[f'js/parts/{name}.js'].removeprefix('js/')}" for name in ("a", "b")
    ]
    assert len(set(storage.hashed_files.values()) | set(names)) == 6


def test_scripts_that_import_each_other_in_a_long_chain_are_collected(tmp_path: Path) -> None:
    sources = tmp_path / "sources" / "js"
    sources.mkdir(parents=True)
    names = [f"js/{number}.js" for number in range(20)]
    for number, name in enumerate(names):
        following = f'import "./{number + 1}.js";\n' if number + 1 < len(names) else ""
        (tmp_path / "sources" / name).write_text(following)
    storage = HashedFiles(location=tmp_path / "sources", base_url="/static/")
    found = list(storage.post_process({name: (storage, name) for name in names}))
    assert not [outcome for _name, _hashed, outcome in found if isinstance(outcome, Exception)]
