"""Public pages, drawn for all visitors at once and kept while they hold (docs/adr/0601-kept-pages.md).

A kept page follows from its key alone: before it is drawn, every cookie and header is taken from the request that is
not part of the key. So nothing of one visitor gets into another's page, and requests of people who are logged in go by.
A page holds until one of the tables that it was read from is written. Each process shows it for KEPT seconds without
asking; together with other caches nobody sees it longer than LONGEST seconds after a change. What changes by the clock
alone comes as soon: one process draws each page anew after LONGEST seconds.
"""

import gzip
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from time import time
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.cookie import parse_cookie
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import get_language_from_request

from config.web import changes
from config.web.changes import Versions
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
#: For so many seconds nobody asks whether a page holds; and so long a change may be unseen, other caches included.
KEPT, LONGEST = 1.0, 2.0
#: For so many seconds a page that holds is shown while a slow process draws it anew.
AT_MOST = 10.0
#: So many of them a process knows itself.
MOST_AT_HAND = 100
#: What a page may differ by: it is part of the key, or is not there while a page is drawn.
VARIES_BY = {"accept-encoding", "accept-language", "cookie"}
ZIPPED = re.compile(r"\bgzip\b")
SOURCES = ("config", "league", "games", "engine", "templates", "locale", "static")


class Page(NamedTuple):
    """A page as it is kept, its body as gzip.

    `drawn` is when its drawing began and `at` when it held last, both in seconds since 1970.
    """

    drawn: float
    at: float
    versions: Versions
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
        # Pages of which this process need not ask.
        self.at_hand: dict[str, Page] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The kept page, or the page drawn now; while one process draws it anew, others still show the former."""
        query = own_query(request)
        if query is None:
            return self.get_response(request)
        language = get_language_from_request(request)
        key, pages = key_of(request, query, language), changes.store()
        page = self.at_hand.get(key)
        if page is None or not is_fresh(page):
            page = looked_at(pages.get(key))
        if page is None:
            return self._draw(request, query, language, key=key)
        if is_due(page) and pages.add(f"{key}:drawn", 1, timeout=int(AT_MOST)):
            try:
                return self._draw(request, query, language, key=key)
            finally:
                pages.delete(f"{key}:drawn")
        self._keep(key, page)
        # For who counts answers by their pages.
        request.resolver_match = address_of(request.path_info)
        return answer(page, request)

    def _draw(self, request: HttpRequest, query: str, language: str, *, key: str) -> HttpResponse:
        begun, before = time(), changes.versions(changes.tables())
        asked = {name: value for name, value in request.META.items() if name.startswith("HTTP_")}
        strip(request, query, language)
        with changes.reading() as tables:
            drawn = self.get_response(request)
        request.META.update(asked)
        if not is_keepable(request, drawn):
            return drawn
        read = {name: before[name] for name in tables}
        page = looked_at(as_kept(drawn, request, Page(begun, begun, read, "", drawn.status_code, {}, b"")))
        if page is None:
            return drawn
        self._keep(key, page)
        return answer(page, request)

    def _keep(self, key: str, page: Page) -> None:
        if self.at_hand.get(key) == page:
            return
        changes.store().set(key, page, timeout=int(AT_MOST))
        if len(self.at_hand) >= MOST_AT_HAND:
            self.at_hand.clear()
        self.at_hand[key] = page


def is_fresh(page: Page) -> bool:
    """Whether it held a moment ago."""
    return 0 <= time() - page.at < KEPT


def is_due(page: Page) -> bool:
    """Whether it is to be drawn anew: it holds no longer, or is as old as if it did not."""
    return not is_fresh(page) or time() - page.drawn >= LONGEST


def looked_at(page: Page | None) -> Page | None:
    """The page, `at` now if it holds; None where it may not be shown any more."""
    now = time()
    if page is None or (is_fresh(page) and now - page.drawn < LONGEST):
        return page
    if 0 <= now - page.drawn < AT_MOST and changes.versions(page.versions) == page.versions:
        return page._replace(at=now)
    return page if 0 <= now - page.at < LONGEST else None


def own_query(request: HttpRequest) -> str | None:
    """The part of the query that the page reads, always written alike; None where no page is kept for the request."""
    meta = request.META
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in meta or "HTTP_HX_REQUEST" in meta:
        return None
    match = address_of(request.path_info)
    names = OWN_QUERY.get(match.view_name) if match else None
    if names is None or any(map(is_somebodys, parse_cookie(meta.get("HTTP_COOKIE", "")))):
        return None
    if not names or not meta.get("QUERY_STRING"):
        return ""
    asked = QueryDict(meta["QUERY_STRING"])
    found = {name: str(asked[name]) for name in names if name in asked}
    return None if any(len(word) > LONGEST_WORD for word in found.values()) else urlencode(found)


@lru_cache(maxsize=4096)
def address_of(path: str) -> ResolverMatch | None:
    """Which of the site's addresses it is; None where there is none."""
    try:
        return resolve(path)
    except Resolver404:
        return None


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
    # What somebody has already read of the request as it came.
    for read in ("headers", "GET"):
        vars(request).pop(read, None)


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


def as_kept(drawn: HttpResponse, request: HttpRequest, page: Page) -> Page:
    """The page filled with what was drawn, under a weak ETag: it is the same page, zipped or not."""
    patch_vary_headers(drawn, ["Accept-Encoding"])
    if not request.path_info.startswith(EMBEDDED):
        patch_vary_headers(drawn, ["Accept-Language", "Cookie"])
    etag = f'W/"{blake2b(drawn.content, digest_size=12).hexdigest()}"'
    headers = {name: value for name, value in drawn.items() if name != "Content-Length"}
    body = gzip.compress(drawn.content, compresslevel=6, mtime=0) if drawn.content else b""
    return page._replace(etag=etag, headers=headers, body=body)


def answer(page: Page, request: HttpRequest) -> HttpResponse:
    """The page, or the word that the visitor has it already."""
    # Seconds are whole ones: what is left of LONGEST, rounded down.
    left = max(0, int(LONGEST - (time() - page.at)))
    headers = {"ETag": page.etag, "Cache-Control": f"public, max-age={left}, must-revalidate"}
    # "No change" of a part is told already.
    known = get_conditional_response(request, etag=page.etag) if page.status == 200 else None
    if known is not None:
        for name, value in {**headers, "Vary": page.headers["Vary"]}.items():
            known[name] = value
        return known
    # Without a body there is nothing to zip.
    zipped = bool(page.body and ZIPPED.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
    body = page.body if zipped or not page.body else gzip.decompress(page.body)
    encoded = {"Content-Encoding": "gzip"} if zipped else {}
    length = {"Content-Length": str(len(body))}
    return HttpResponse(body, status=page.status, headers=page.headers | headers | encoded | length)
