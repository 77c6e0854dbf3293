"""Who opens a socket: the person whom the session's cookie, or a guest's, names, as for any page."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, get_user
from django.contrib.auth.models import AnonymousUser
from django.http.cookie import parse_cookie
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from games.tables.guest_keys import visitor_at
from games.tables.socket.origins import headers_of
from games.tables.socket.rights import mark_of
from games.tables.state.reader import Standing, standing_now
from games.tables.steps import text
from league.actors import Reader, Visitor
from league.models import User
from league.storage.json_content import UNSTORABLE

LONGEST_WINDOW = 40


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at the door of a table."""

    visitor: Visitor
    session_key: str
    session_hash: str
    language: str
    window: str
    standing: Standing | None
    """None: there is no such table, or not for them."""
    mark: Hashable
    """What the standing hangs on."""


def caller_of(scope: Mapping[str, Any], table_id: int) -> Caller:
    """Who it is and what they may do at this table; asks the database."""
    headers = headers_of(scope)
    cookies = _cookies(headers.get("cookie", ""))
    key = cookies.get(settings.SESSION_COOKIE_NAME, "")
    store = import_module(settings.SESSION_ENGINE).SessionStore(key or None)
    user: Reader = get_user(SimpleNamespace(session=store)) if key else AnonymousUser()  # type: ignore[arg-type]
    visitor = visitor_at(table_id, user, cookies)
    # Before the rights are found: what changes from here on is noticed.
    mark = mark_of(visitor, table_id)
    standing = standing_now(visitor, table_id)
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return Caller(
        visitor=visitor,
        session_key=key,
        session_hash=store.get(HASH_SESSION_KEY, "") if isinstance(visitor, User) else "",
        language=_language(cookies, headers),
        window=text({"window": query.get("window", [""])[0]}, "window")[:LONGEST_WINDOW],
        standing=standing,
        mark=mark,
    )


def _cookies(header: str) -> dict[str, str]:
    """As pages read them, who forgive what other programs set; but for what no database could be asked for."""
    return {name: value for name, value in parse_cookie(header).items() if not UNSTORABLE.search(value)}


def _language(cookies: Mapping[str, str], headers: Mapping[str, str]) -> str:
    """As the pages choose it: the cookie's, else what the browser prefers."""
    wanted = [cookies.get(settings.LANGUAGE_COOKIE_NAME, "")]
    wanted += [code for code, _weight in parse_accept_lang_header(headers.get("accept-language", ""))]
    for code in wanted:
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
