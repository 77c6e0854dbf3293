"""The style sheets and scripts that pages have: squeezed, without remarks, and what belongs together as one file.

The parts stay files of their own, in static/ and in the folders of the games. A finder makes what is served when a
process first asks, so there is nothing to build: the embedded server, the tests and `collectstatic` meet it like any
other file.
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
from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.storage import FileSystemStorage

FOLDERS = tuple(Path(folder) for folder in settings.STATICFILES_DIRS)
SHEETS = ("tokens", "site", "components", "statuses", "cards", "pages", "charts")
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
    # What a few pages have beside it, with what each game adds to it.
    "css/matches.css": (
        "css/match.css",
        *(
            sheet.relative_to(folder).as_posix()
            for folder in FOLDERS
            for sheet in folder.glob("*/css/match.css")
        ),
    ),
}
ON_PAPER = "css/print.css"


class BundleFinder(FileSystemFinder):
    """Django's finder of our own static files, with the squeezed ones, which lie in a temporary folder of this process,
    in place of the originals."""

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Where the file of this name lies, or nothing."""
        if path not in names():
            return super().find(path, find_all=find_all)  # type: ignore[call-overload]
        return [self.storage.path(path)] if find_all else self.storage.path(path)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every file with the storage that opens it."""
        squeezed = set(names())
        yield from (
            (name, storage) for name, storage in super().list(ignore_patterns) if name not in squeezed
        )
        for name in squeezed:
            yield name, self.storage

    @cached_property
    def storage(self) -> FileSystemStorage:
        """The files, freshly made; the folder goes with the process."""
        folder = Path(tempfile.mkdtemp(prefix="concertmaster-static-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name in names():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content_of(name), encoding="utf-8")
        return FileSystemStorage(location=folder)


def names() -> tuple[str, ...]:
    """The bundles, and the sheets and scripts that pages ask for one by one."""
    alone = (
        path.relative_to(folder).as_posix()
        for folder in FOLDERS
        for pattern in (*(f"{scripts}**/*.js" for scripts in script_folders()), "css/*.css", "*/css/*.css")
        for path in folder.glob(pattern)
    )
    return (*BUNDLES, *alone)


def script_folders() -> tuple[str, ...]:
    """Where our own scripts lie: js/, and that of each game."""
    found = {
        f"{path.relative_to(folder).as_posix()}/"
        for folder in FOLDERS
        for pattern in ("js", "*/js")
        for path in folder.glob(pattern)
    }
    return tuple(sorted(found))


def source(name: str) -> Path:
    """The file as it was written."""
    return next(folder / name for folder in FOLDERS if (folder / name).is_file())


def content_of(name: str) -> str:
    """The parts of a bundle, or the one script, without what only people read."""
    return "".join(_part(part) for part in BUNDLES.get(name, (name,)))


def _part(name: str) -> str:
    text = source(name).read_text(encoding="utf-8")
    if name.endswith(".js"):
        # What its makers squeezed is left as it is.
        return f"{text.rstrip() if '.min.' in name else rjsmin.jsmin(text)}\n;\n"
    sheet = str(rcssmin.cssmin(text))
    return f"@media print{{{sheet}}}\n" if name == ON_PAPER else f"{sheet}\n"
