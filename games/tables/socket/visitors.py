"""Who opens a socket: the person whom the session's cookie, or a guest's, names, as for any page."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from games.tables.guest_keys import cookie_of, visitors_at
from games.tables.socket.origins import headers_of
from games.tables.socket.rights import marks_of
from games.tables.state.reader import Standing, standings_of
from games.tables.steps import text
from league import policies
from league.actors import Visitor
from league.models import User
from league.storage.json_content import UNSTORABLE

LONGEST_WINDOW = 40


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a window says as it opens a socket."""

    table: int
    session_key: str
    guest_key: str
    language: str
    window: str


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


def handshake_of(scope: Mapping[str, Any], table_id: int) -> Handshake:
    """As the socket's first request has it; asks nobody."""
    headers = headers_of(scope)
    cookies = _cookies(headers.get("cookie", ""))
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return Handshake(
        table=table_id,
        session_key=cookies.get(settings.SESSION_COOKIE_NAME, ""),
        guest_key=cookies.get(cookie_of(table_id), ""),
        language=_language(cookies, headers),
        window=text({"window": query.get("window", [""])[0]}, "window")[:LONGEST_WINDOW],
    )


def callers_of(handshakes: Sequence[Handshake]) -> list[Caller]:
    """Who they are and what they may do at their tables; asks the database, hardly more often for many than for one."""
    accounts = _accounts({each.session_key for each in handshakes if each.session_key})
    # To each window an account of its own: what it is found to be is kept with it, and windows have threads.
    users = [copy(accounts.get(each.session_key, AnonymousUser())) for each in handshakes]
    keys = [(each.table, user, each.guest_key) for each, user in zip(handshakes, users, strict=True)]
    asked = [(who, table) for who, (table, *_rest) in zip(visitors_at(keys), keys, strict=True)]
    # Before the rights are found: what changes from here on is noticed.
    marks = marks_of(asked)
    standings = standings_of(asked)
    for visitor, _table in asked:
        if isinstance(visitor, User):
            # It is kept as long as the connection; what is asked later is asked of the rows.
            policies.forget_roles(visitor)
    return [
        Caller(
            visitor=visitor,
            session_key=each.session_key,
            session_hash=visitor.get_session_auth_hash() if isinstance(visitor, User) else "",
            language=each.language,
            window=each.window,
            standing=standing,
            mark=mark,
        )
        for each, (visitor, _table), mark, standing in zip(handshakes, asked, marks, standings, strict=True)
    ]


def _accounts(session_keys: Collection[str]) -> dict[str, User]:
    """Who is logged in, by session; as pages find it out, but that a socket changes no session."""
    rows = Session.objects.filter(session_key__in=session_keys, expire_date__gt=timezone.now())
    logins = {row.session_key: row.get_decoded() for row in rows} if session_keys else {}
    keys = {key: int(login.get(SESSION_KEY, 0)) for key, login in logins.items()}
    users = User.objects.filter(is_active=True).in_bulk(set(keys.values()))
    found = {key: users[pk] for key, pk in keys.items() if pk in users}
    return {key: user for key, user in found.items() if _is_login(logins[key], user)}


def _is_login(session: Mapping[str, Any], user: User) -> bool:
    """Whether this is the account's login, from after its last change of password."""
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    told = session.get(HASH_SESSION_KEY, "")
    return session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS and any(
        constant_time_compare(told, each) for each in hashes
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
