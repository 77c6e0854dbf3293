"""Tables in the browser at which a person has a seat: what is going on there, for the person's own page."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Table
from games.tables.queries.lists import listed
from league.extension import OwnEvent
from league.models import User

MOST_SHOWN = 3
TITLE, TO_THE_TABLE = gettext_lazy("Your table is waiting"), gettext_lazy("Go to the table")
CALLED, SIT_DOWN = gettext_lazy("Your match is ready at the table"), gettext_lazy("Sit down")


def calling_table(user: Any) -> str:
    """The address of the newest open table of this person's matches at which they do not sit yet; '' without one."""
    if not isinstance(user, User):
        return ""
    found = Table.objects.calling(user).order_by("-seen_at", "-pk").first()
    return found.get_absolute_url() if found else ""


def own_tables(*, user: Any, at: datetime) -> Iterator[OwnEvent]:  # noqa: ARG001 (all are of now)
    """The open tables of this account's matches at which it does not sit yet, then those at which it sits, the newest
    first; six queries, however many there are."""
    if not isinstance(user, User):
        return
    called = Table.objects.calling(user).with_match()
    for row in listed(called.order_by("-seen_at", "-pk")[:MOST_SHOWN], user):
        address = reverse("table", args=[row.key])
        people = ((_("At the table"), ", ".join(row.people)),) if row.people else ()
        yield OwnEvent(str(CALLED), address, ((row.title, row.progress), *people), ((SIT_DOWN, address),))
    held = Table.objects.open().filter(seats__user=user, seats__left_at__isnull=True).distinct()
    tables = held.with_match()
    for row in listed(tables.order_by("-seen_at", "-pk")[:MOST_SHOWN], user):
        address = reverse("table", args=[row.key])
        yield OwnEvent(str(TITLE), address, ((row.title, row.progress),), ((TO_THE_TABLE, address),))
