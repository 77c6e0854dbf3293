"""Static files: under names that change with their content, compressed, and kept by browsers for ever.

In production they are collected and compressed beforehand (`HashedFiles`). The embedded server hands them out straight
from the sources, all under one folder named after their content, so that links among them need no rewriting
(`EditionFiles` names it, `WholeFiles` serves it).
"""

import gzip
import re
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path

import brotli
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.web.bundles import script_folders

FOR_EVER = "max-age=315360000, public, immutable"
EDITION = re.compile(r"v-[0-9a-f]{12}/")
COMPRESSIBLE = re.compile(r"(text/|image/svg|application/(json|javascript|manifest))")
# What is smaller fits into one packet anyway.
WORTH_BYTES = 500
BROTLI_QUALITY = 11


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Every file under a name with its hash, the modules that a script imports included."""

    # A name follows from those of what the script imports: as many passes as the longest chain of imports.
    max_post_process_passes = 30
    # Of our own scripts only: in packages' scripts words that look like an import are not always one.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *(
            (
                f"{folder}*.js",
                CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],  # noqa: SLF001
            )
            for folder in script_folders()
        ),
    )


class EditionFiles(StaticFilesStorage):
    """Files as they lie in the sources, below a folder named after the content of all of them."""

    def url(self, name: str | None) -> str:
        """The address of the file in the current edition."""
        return super().url(f"{edition()}/{name or ''}")


@cache
def edition() -> str:
    """A name that changes when any static file does."""
    content = blake2b(digest_size=6)
    for finder in finders.get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            content.update(name.encode())
            content.update(Path(storage.path(name)).read_bytes())
    return f"v-{content.hexdigest()}"


class WholeFiles(WhiteNoiseMiddleware):
    """WhiteNoise for ASGI: our files are small, so each is one answer and not a stream read in a thread."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The file: of the current edition for ever, of an older one (for a page left open) for a minute."""
        path = request.path_info
        plain = EDITION.sub("", path, count=1) if path.startswith(self.static_prefix) else path
        found = self.find_file(plain) if self.autorefresh else self.files.get(plain)
        if found is None:
            answer: HttpResponse = self.get_response(request)
            return answer
        answer = self.serve(found, request)
        if path.startswith(f"{self.static_prefix}{edition()}/") and not self.autorefresh:
            answer["Cache-Control"] = FOR_EVER
            # Nobody asks whether it changed, and if so by its ETag.
            del answer["Last-Modified"]
        return answer

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file, the part of it that was asked for, or the word that it has not changed."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        answer = HttpResponse(content, status=int(found.status))
        del answer["content-type"]
        for name, value in found.headers:
            answer[name] = value
        return squeezed(answer, request)


def squeezed(answer: HttpResponse, request: HttpRequest) -> HttpResponse:
    """The answer in the best encoding that the browser takes, where that is worth it."""
    if not COMPRESSIBLE.match(answer.get("Content-Type", "")):
        return answer
    patch_vary_headers(answer, ["Accept-Encoding"])
    content = answer.content
    encoding = _encoding(request.headers.get("Accept-Encoding", ""))
    if answer.status_code == 200 and len(content) >= WORTH_BYTES and encoding:
        answer.content = _compressed(content, encoding)
        answer["Content-Encoding"] = encoding
        answer["Content-Length"] = str(len(answer.content))
    return answer


def _encoding(accepted: str) -> str:
    offered = {
        part.split(";")[0].strip() for part in accepted.split(",") if "q=0" not in part.replace("q=0.", "")
    }
    return next((name for name in ("br", "gzip") if name in offered), "")


@lru_cache(maxsize=256)
def _compressed(content: bytes, encoding: str) -> bytes:
    """Done once for each file: the same bytes are asked for again and again."""
    if encoding == "br":
        return bytes(brotli.compress(content, quality=BROTLI_QUALITY))
    return gzip.compress(content, mtime=0)
