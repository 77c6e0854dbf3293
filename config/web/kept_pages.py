"""Public pages, drawn for all visitors at once and kept for a second (docs/adr/0601-kept-for-a-second.md).

A kept page follows from its key alone: it is drawn from a request of which nothing else is left, no cookie and no
header. Nothing that a visitor brings along can come into the page of another, and whoever is logged in never asks here.
What was read from the database is shown for LONGEST seconds at most, by us and by every cache between us and a visitor
together, whatever has changed meanwhile: no service has to say so, and what ends by the clock ends as well.
"""

import gzip
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from time import time
from typing import NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.cookie import parse_cookie
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import get_language_from_request

from config.web.headers import EMBEDDED

#: The pages, by the names of their addresses, and of their queries what they read. Anything else in a query is dropped.
OWN_QUERY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((
        "club", "clubs", "competition", "competition_cross_table", "competition_fixtures", "competition_progress",
        "competition_wall", "embedded", "evening_screen", "game_list", "game_rules", "game_rules_before",
        "game_scoring", "home", "pair", "privacy", "round", "who_met",
    ), ()),
    "club_honours": ("page",),
    "club_players": ("page", "q"),
    "competition_now_live": ("part", "version"),
    "competition_standings_live": ("version",),
    "event_ranking": ("page", "section"),
    "match": ("version",),
    "player": ("page",),
}  # fmt: skip
#: Longer words in a query are nobody's but their sender's.
LONGEST_WORD = 100
#: Seconds after which a page is drawn anew; and how old it may get while one process does so, or in others' caches.
KEPT, LONGEST = 1.0, 2.0
#: What a page may differ by: it is part of the key, or is not there while a page is drawn.
VARIES_BY = {"accept-encoding", "accept-language", "cookie"}
ZIPPED = re.compile(r"\bgzip\b")
SOURCES = ("config", "league", "games", "engine", "templates", "locale", "static")


class Page(NamedTuple):
    """A page as it is kept: when its drawing began (seconds since 1970), and its body as gzip."""

    at: float
    etag: str
    status: int
    headers: dict[str, str]
    body: bytes


class KeepPagesOfVisitors:
    """Answers visitors' requests for public pages from those that are kept; every other request goes on unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.KEEP_PAGES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The kept page, or the page drawn now; while one process draws it anew, others still show the former."""
        query = own_query(request)
        if query is None:
            return self.get_response(request)
        language = get_language_from_request(request)
        key, pages = key_of(request, query, language), caches["pages"]
        page: Page | None = pages.get(key)
        age = time() - page.at if page else LONGEST
        if page is None or not 0 <= age < LONGEST:
            return self._draw(request, query, language, key=key)
        if age < KEPT or not pages.add(f"{key}:drawn", 1, timeout=int(LONGEST)):
            return answer(page, request)
        try:
            return self._draw(request, query, language, key=key)
        finally:
            pages.delete(f"{key}:drawn")

    def _draw(self, request: HttpRequest, query: str, language: str, *, key: str) -> HttpResponse:
        at = time()
        asked = {name: value for name, value in request.META.items() if name.startswith("HTTP_")}
        strip(request, query, language)
        drawn = self.get_response(request)
        request.META.update(asked)
        if not is_keepable(request, drawn):
            return drawn
        page = as_kept(drawn, request, at=at)
        keep(caches["pages"], key, page)
        return answer(page, request)


def own_query(request: HttpRequest) -> str | None:
    """The part of the query that the page reads, always written alike; None where no page is kept for the request."""
    meta = request.META
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in meta or "HTTP_HX_REQUEST" in meta:
        return None
    names = OWN_QUERY.get(name_of(request.path_info))
    if names is None or any(map(is_somebodys, parse_cookie(meta.get("HTTP_COOKIE", "")))):
        return None
    if not names or not meta.get("QUERY_STRING"):
        return ""
    asked = QueryDict(meta["QUERY_STRING"])
    found = {name: str(asked[name]) for name in names if name in asked}
    return None if any(len(word) > LONGEST_WORD for word in found.values()) else urlencode(found)


@lru_cache(maxsize=4096)
def name_of(path: str) -> str:
    """The name of the address; empty where there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def is_somebodys(cookie: str) -> bool:
    """Whether a cookie of this name can make a page another one: of a login, a guest at a table, or a message."""
    return cookie in {settings.SESSION_COOKIE_NAME, "messages"} or cookie.startswith(
        settings.GUEST_COOKIE_PREFIX
    )


def key_of(request: HttpRequest, query: str, language: str) -> str:
    """All that a page follows from, besides the database and the time."""
    parts = (edition(), request.scheme or "", request.get_host(), request.path, query, language)
    return blake2b("\n".join(parts).encode(errors="surrogatepass"), digest_size=20).hexdigest()


@cache
def edition() -> str:
    """A name that changes with every line of the site: a process of the former release keeps pages of its own."""
    content = blake2b(digest_size=16)
    for folder in SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in {".py", ".html", ".mo", ".css", ".js"}:
                content.update(path.read_bytes())
    return content.hexdigest()


def strip(request: HttpRequest, query: str, language: str) -> None:
    """Leave of the request what the key is made of."""
    meta, needed = request.META, {"HTTP_HOST", *(settings.SECURE_PROXY_SSL_HEADER or ())[:1]}
    for name in [each for each in meta if each.startswith("HTTP_") and each not in needed]:
        del meta[name]
    meta["QUERY_STRING"], meta["HTTP_ACCEPT_LANGUAGE"] = query, language
    request.COOKIES = {}


def is_keepable(request: HttpRequest, drawn: HttpResponse) -> bool:
    """Whether the page is for everybody: it has no cookie, hence no token, and differs by nothing unknown."""
    varies = {each.strip().lower() for each in drawn.get("Vary", "").split(",")} - {""}
    return (
        drawn.status_code in {200, 204}
        and not drawn.streaming
        and not drawn.cookies
        and not drawn.has_header("Cache-Control")
        and varies <= VARIES_BY
        and not request.user.is_authenticated
    )


def as_kept(drawn: HttpResponse, request: HttpRequest, *, at: float) -> Page:
    """The page with a weak ETag: it is the same page, zipped or not."""
    patch_vary_headers(drawn, ["Accept-Encoding"])
    if not request.path_info.startswith(EMBEDDED):
        patch_vary_headers(drawn, ["Accept-Language", "Cookie"])
    etag = f'W/"{blake2b(drawn.content, digest_size=12).hexdigest()}"'
    headers = {name: value for name, value in drawn.items() if name != "Content-Length"}
    return Page(at, etag, drawn.status_code, headers, gzip.compress(drawn.content, compresslevel=6, mtime=0))


def keep(pages: BaseCache, key: str, page: Page) -> None:
    """Until it is too old; not where its drawing has taken as long as that."""
    if time() - page.at < KEPT:
        pages.set(key, page, timeout=int(LONGEST))


def answer(page: Page, request: HttpRequest) -> HttpResponse:
    """The page, or the word that the visitor has it already."""
    zipped = ZIPPED.search(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    body = page.body if zipped else gzip.decompress(page.body)
    found = HttpResponse(body, status=page.status, headers=page.headers)
    if zipped and page.status == 200:
        found["Content-Encoding"] = "gzip"
    found["Content-Length"] = str(len(body))
    found["ETag"] = page.etag
    # Seconds are whole ones: what is left of LONGEST, rounded down.
    found["Cache-Control"] = f"public, max-age={max(0, int(LONGEST - (time() - page.at)))}, must-revalidate"
    if page.status != 200:
        return found
    return get_conditional_response(request, etag=page.etag, response=found)
