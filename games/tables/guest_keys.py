"""Guests: people without an account at one casual table, by the key in their browser's cookie.

Their names are checked where they come in: games.tables.services.guests.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.models import Table, TableGuest, TableSeat
from games.models.tables import OPEN
from league import policies
from league.actors import Guest, Sitter, Visitor
from league.models import User

#: The key itself ends a day after the table.
COOKIE_SECONDS = 7 * 24 * 3600
#: 256 bits of chance, and what of a longer text would be read.
KEY_BYTES, LONGEST_KEY = 32, 64


def new_key() -> str:
    """A key, or a link's token, that nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


def digest_of(key: str) -> str:
    """What a row keeps of a key: enough to know it again."""
    return hashlib.sha256(key[:LONGEST_KEY].encode()).hexdigest()


def cookie_of(table_id: int) -> str:
    """The name of the cookie that keeps a guest's key for this table."""
    return f"{settings.GUEST_COOKIE_PREFIX}{table_id}"


def visitor_at(table_id: int, user: Visitor, cookies: Mapping[str, str]) -> Visitor:
    """Who visits a table: the account that is logged in, or the guest whose key the browser has.

    Members of the club are there under their own names; with another account one may still be a guest.
    """
    return visitors_at([(table_id, user, cookies.get(cookie_of(table_id), ""))])[0]


def visitors_at(asked: Sequence[tuple[int, Visitor, str]]) -> list[Visitor]:
    """The same for many: of each the table, the account and the guest's key; one query if there is any key."""
    digests = {key: digest_of(key) for _table, _user, key in asked if key}
    rows = TableGuest.objects.current(at=timezone.now()).filter(key__in=digests.values())
    found = {(row.table_id, row.key): row for row in rows.select_related("table__club")} if digests else {}

    def visitor(table: int, user: Visitor, key: str) -> Visitor:
        guest = found.get((table, digests.get(key, "")))
        if guest is None or policies.member(user, guest.table.club):
            return user
        as_guest: Guest = guest.visitor
        return as_guest

    return [visitor(*each) for each in asked]


def guests_in(cookies: Mapping[str, str]) -> list[TableGuest]:
    """The guests whose keys this browser has, and who no longer sit anywhere: what they played can be kept."""
    prefix = settings.GUEST_COOKIE_PREFIX
    keys = {digest_of(key) for name, key in cookies.items() if name.startswith(prefix)}
    if not keys:
        return []
    sitting = Q(table__state__in=OPEN, seats__left_at=None, seats__isnull=False)
    found = TableGuest.objects.current(at=timezone.now()).filter(key__in=keys, table__kind=Table.Kind.CASUAL)
    return list(found.exclude(pk__in=TableGuest.objects.filter(sitting)).select_related("table__club"))


def sitter_of(seat: TableSeat) -> Sitter | None:
    """Who holds the seat; None for a robot."""
    if seat.user is not None:
        return seat.user
    return seat.guest.visitor if seat.guest is not None else None


def columns_of(visitor: Visitor) -> dict[str, int | None]:
    """The person as the columns of a seat, or of an action, name them."""
    return {
        "user_id": visitor.pk if isinstance(visitor, User) else None,
        "guest_id": visitor.row if isinstance(visitor, Guest) else None,
    }
