"""Public pages, drawn for all visitors at once and kept while they hold (docs/adr/0601-kept-pages.md).

A kept page follows from its key alone: before it is drawn, every cookie and header is taken from the request that is
not part of the key. So nothing of one visitor gets into another's page, and requests of people who are logged in go by.
A page holds until one of the tables that it was read from is written. Each process shows it for KEPT seconds without
asking; together with other caches nobody sees it longer than LONGEST seconds after a change. What changes by the clock
alone comes as soon: one process draws each page again after LONGEST seconds.
"""

import gzip
import re
import threading
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
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import get_language_from_request

from config.web.headers import EMBEDDED
from league.web import changes
from league.web.changes import Versions

#: The pages, by the names of their addresses, and of their queries what they read. Anything else in a query is dropped.
OWN_QUERY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((
        "club", "clubs", "competition", "competition_cross_table", "competition_fixtures", "competition_progress",
        "competition_wall", "embedded", "evening_screen", "game_list", "game_rules", "game_rules_before",
        "game_scoring", "home", "pair", "privacy", "round", "who_met",
    ), ()),
    "club_honours": ("after",),
    "club_players": ("after", "q"),
    "competition_now_live": ("part", "version"),
    "competition_standings_live": ("version",),
    "event_ranking": ("page", "section"),
    "match": ("version",),
    "player": ("after",),
}  # fmt: skip
#: Longer words in a query are nobody's but their sender's.
LONGEST_WORD = 100
#: For so many seconds nobody asks whether a page holds; and so long a change may be unseen, other caches included.
KEPT, LONGEST = 1.0, 2.0
#: For so many seconds a page that holds is shown while a slow process draws the next.
AT_MOST = 10.0
#: And for so many nobody else asks again, once it is known that somebody draws it.
ANOTHER_DRAWS = 0.1
#: So many of them a process knows itself.
MOST_AT_HAND = 500
#: What a page may differ by: it is part of the key, or is not there while a page is drawn.
VARIES_BY = {"accept-encoding", "accept-language", "cookie"}
#: Headers of requests that are not a visitor's for a whole page.
OTHER_WAYS = {"HTTP_AUTHORIZATION", "HTTP_HX_REQUEST", "HTTP_IF_MATCH"}
ZIPPED = re.compile(r"\bgzip\b")


class Page(NamedTuple):
    """A page as it is kept, its body as gzip.

    `drawn` is when its drawing began, `at` when it held last, and until `elsewhere` it is known that somebody
    else draws it again, in seconds since 1970.
    """

    drawn: float
    at: float
    versions: Versions
    etag: str
    status: int
    headers: dict[str, str]
    body: bytes
    elsewhere: float = 0.0


class Wanted(NamedTuple):
    """Which page a request asks for, and what it may be drawn from besides its address."""

    key: str
    query: str
    language: str


class KeepPagesOfVisitors:
    """Answers visitors' requests for public pages from those that are kept; every other request goes on unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.KEEP_PAGES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The kept page, or the page drawn now; while one process draws it again, others still show the former."""
        asked = wanted(request)
        if asked is None:
            return self.get_response(request)
        page, pages = found(asked.key), changes.store()
        if page is None:
            return self._draw(request, asked)
        if is_due(page):
            if pages.add(f"{asked.key}:drawn", 1, timeout=int(AT_MOST)):
                try:
                    return self._draw(request, asked)
                finally:
                    pages.delete(f"{asked.key}:drawn")
            take(asked.key, left_to_others(page))
        # For who counts answers by their pages.
        request.resolver_match = address_of(request.path_info)
        return as_response(page, request)

    def _draw(self, request: HttpRequest, asked: Wanted) -> HttpResponse:
        begun, before = time(), changes.versions(changes.tables())
        brought = {name: value for name, value in request.META.items() if name.startswith("HTTP_")}
        strip(request, asked.query, asked.language)
        with changes.reading() as tables:
            drawn = self.get_response(request)
        request.META.update(brought)
        if not is_keepable(request, drawn):
            return drawn
        read = {name: before[name] for name in tables}
        page = looked_at(as_kept(drawn, request, Page(begun, begun, read, "", drawn.status_code, {}, b"")))
        if page is None:
            return drawn
        keep(asked.key, page)
        return as_response(page, request)


def is_fresh(page: Page) -> bool:
    """Whether it held a moment ago."""
    return 0 <= time() - page.at < KEPT


def is_shown(page: Page) -> bool:
    """Whether it may be shown, held or not: together with other caches nobody sees it longer than LONGEST."""
    return 0 <= time() - page.at < LONGEST


def is_due(page: Page) -> bool:
    """Whether it is to be drawn again: it holds no longer, or is as old as if it did not."""
    if is_shown(page) and time() < page.elsewhere:
        return False
    return not is_fresh(page) or time() - page.drawn >= LONGEST


def looked_at(page: Page | None) -> Page | None:
    """The page, `at` now if it holds; None where it may not be shown any more."""
    now = time()
    if page is None or (is_fresh(page) and now - page.drawn < LONGEST):
        return page
    if 0 <= now - page.drawn < AT_MOST and changes.versions(page.versions) == page.versions:
        return page._replace(at=now)
    return page if is_shown(page) else None


@cache
def at_hand() -> dict[str, Page]:
    """Pages of which this process need not ask for a moment."""
    return {}


_taking = threading.Lock()


def take(key: str, page: Page) -> None:
    """At hand, instead of what was taken first."""
    with _taking:
        pages = at_hand()
        pages.pop(key, None)
        pages[key] = page
        if len(pages) > MOST_AT_HAND:
            del pages[next(iter(pages))]


def left_to_others(page: Page) -> Page:
    """Not due for a moment, if it may still be shown."""
    return page._replace(elsewhere=time() + ANOTHER_DRAWS)


def keep(key: str, page: Page) -> None:
    """For all processes, and at hand."""
    changes.store().set(key, page, timeout=int(AT_MOST))
    take(key, page)


def found(key: str) -> Page | None:
    """The page as it was at hand or held now; None where it may not be shown any more."""
    page = at_hand().get(key)
    if page is not None and is_fresh(page):
        return page
    kept: Page | None = changes.store().get(key)
    page = looked_at(kept)
    if page is not None and page is not kept:
        keep(key, page)
    elif page is not None:
        # Who learns that it does not hold has it drawn.
        take(key, page if is_fresh(page) else left_to_others(page))
    return page


def wanted(request: HttpRequest) -> Wanted | None:
    """Which page; None where none is kept for the request. An unknown host or an unreadable query raises."""
    query = own_query(request)
    if query is None:
        return None
    language = get_language_from_request(request)
    return Wanted(key_of(request, query, language), query, language)


def own_query(request: HttpRequest) -> str | None:
    """The part of the query that the page reads, always written alike; None where no page is kept for the request."""
    meta = request.META
    if request.method not in {"GET", "HEAD"} or not meta.keys().isdisjoint(OTHER_WAYS):
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
    parts = (changes.edition(), request.scheme or "", request.get_host(), request.path, query, language)
    return blake2b("\n".join(parts).encode(errors="surrogatepass"), digest_size=20).hexdigest()


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


def answer(page: Page, asked: Mapping[str, str]) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body that say the page to who asks with these headers, named as in `META`."""
    # Seconds are whole ones: what is left of LONGEST, rounded down.
    left = max(0, int(LONGEST - (time() - page.at)))
    headers = {"ETag": page.etag, "Cache-Control": f"public, max-age={left}, must-revalidate"}
    # "No change" of a part is told already.
    if page.status == 200 and is_known(page, asked.get("HTTP_IF_NONE_MATCH", "")):
        return 304, headers | {"Vary": page.headers["Vary"]}, b""
    # Without a body there is nothing to zip.
    zipped = bool(page.body and ZIPPED.search(asked.get("HTTP_ACCEPT_ENCODING", "")))
    body = page.body if zipped or not page.body else gzip.decompress(page.body)
    encoded = {"Content-Encoding": "gzip"} if zipped else {}
    return page.status, page.headers | headers | encoded | {"Content-Length": str(len(body))}, body


def is_known(page: Page, etags: str) -> bool:
    """Whether the visitor has the page already: one of the ETags of `If-None-Match` is its own, weak or not."""
    return page.etag.removeprefix("W/") in etags or etags.strip() == "*"


def as_response(page: Page, request: HttpRequest) -> HttpResponse:
    """The answer for Django."""
    status, headers, body = answer(page, request.META)
    response = HttpResponse(body, status=status, headers=headers)
    if "Content-Type" not in headers:
        del response["Content-Type"]
    return response
