"""The style sheets and scripts that pages have, each kind as one file: one request, squeezed, without remarks.

The parts stay files of their own in static/. A finder puts them together when a process first asks, so there is nothing
to build: the embedded server, the tests and `collectstatic` meet the bundles like any other file.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

from config.web import script_modules

SHEETS = ("tokens", "site", "components", "cards", "pages", "charts")
# Each bundle lies in the folder of its parts, so that the addresses in them hold.
BUNDLES: dict[str, tuple[str, ...]] = {
    "css/everywhere.css": (*(f"css/{name}.css" for name in SHEETS), "css/print.css"),
    "js/everywhere.js": (
        "vendor/htmx-2.0.11/htmx.min.js",
        "js/site.js",
        "js/live.js",
        "js/offline/outbox.js",
        "js/offline/page.js",
    ),
    # What a few pages have beside it.
    "css/matches.css": ("css/match.css", "css/best-play.css"),
    "css/scoresheet.css": ("css/sheet.css",),
}
# Modules, with all that they import.
MODULES: dict[str, str] = {"js/scoresheet.js": "js/sheet.js", "js/online-table.js": "js/table.js"}
ON_PAPER = "css/print.css"


class BundleFinder(BaseFinder):
    """Finds the bundles, in a temporary folder of this process."""

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Nothing can be set wrongly."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Where the bundle of this name lies, or nothing."""
        found = self.storage.path(path) if path in names() else None
        return ([found] if found else []) if find_all else found or []

    def list(self, _ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every bundle with the storage that opens it."""
        for name in names():
            yield name, self.storage

    @cached_property
    def storage(self) -> FileSystemStorage:
        """The bundles, freshly put together; the folder goes with the process."""
        folder = Path(tempfile.mkdtemp(prefix="concertmaster-static-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name in names():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content_of(name), encoding="utf-8")
        return FileSystemStorage(location=folder)


def names() -> tuple[str, ...]:
    """All bundles, as pages ask for them."""
    return (*BUNDLES, *MODULES)


def content_of(bundle: str) -> str:
    """The parts of a bundle, one after the other, without what only people read."""
    if bundle in MODULES:
        return str(rjsmin.jsmin(script_modules.joined(_static(), MODULES[bundle])))
    return "".join(_part(name) for name in BUNDLES[bundle])


def _part(name: str) -> str:
    text = (_static() / name).read_text(encoding="utf-8")
    if name.endswith(".js"):
        # What its makers squeezed is left as it is.
        return f"{text.rstrip() if '.min.' in name else rjsmin.jsmin(text)}\n;\n"
    sheet = str(rcssmin.cssmin(text))
    return f"@media print{{{sheet}}}\n" if name == ON_PAPER else f"{sheet}\n"


def _static() -> Path:
    return Path(settings.BASE_DIR, "static")
