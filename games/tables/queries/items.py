"""What tables in the browser want of the desk: calls for a director, and matches that became no result."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import embargo
from games.models import ChatLine, Table, TableRequest
from league import policies
from league.extension import ReportedItem
from league.querysets import sides_with_pairs

CALLED, TIME_IS_UP, NOT_RECORDED = (
    gettext_lazy("director called"),
    gettext_lazy("time is up"),
    gettext_lazy("no result"),
)
REPORTED, CHAT = gettext_lazy("reported"), gettext_lazy("Chat at tables")
SEE_REPORTS = gettext_lazy("View the messages")
TO_THE_TABLE = gettext_lazy("Go to the table")


def items(*, club: Any, user: Any, at: datetime) -> Iterator[ReportedItem]:  # noqa: ARG001 (all are of now)
    """Calls that wait, the oldest first, and tables whose match could not be written down.

    Three queries, and some for each match with sealed boards.
    """
    if not policies.may(user, "club.desk", club):
        return
    calls = TableRequest.objects.filter(
        Q(kind=TableRequest.Kind.DIRECTOR) | Q(kind=TableRequest.Kind.TIME),
        table__club=club,
        state=TableRequest.State.OPEN,
    )
    waiting = list(calls.select_related("deal").prefetch_related(*sides_with_pairs("table__fixture__")))
    told = embargo.sees_sheets_of(
        visitor=user, fixtures=[call.table.fixture for call in waiting if call.table.fixture]
    )
    for call in waiting:
        # What people say of a deal may tell of its cards, also to an official who still has to play them.
        fixture = call.table.fixture_id
        yield _call(call, is_told=fixture is None or told[fixture])
    yield from _reported_chat(club, user)
    for table in Table.objects.with_match().filter(club=club, state=Table.State.FINISHED).exclude(fault=""):
        yield ReportedItem(
            group="decide",
            mark=NOT_RECORDED,
            tone="red",
            what=str(table),
            url=table.get_absolute_url(),
            why_now=table.fault,
            steps=((TO_THE_TABLE, table.get_absolute_url()),),
            key=f"table-fault-{table.pk}",
        )


def _reported_chat(club: Any, user: Any) -> Iterator[ReportedItem]:
    """What people have reported of the chat at tables, for directors: how many messages nobody has seen to."""
    if not policies.may(user, "chat.review", club):
        return
    waiting = ChatLine.objects.reported(club).filter(settled_at=None).count()
    if waiting:
        address = reverse("chat_reports", args=[club.slug])
        yield ReportedItem(
            group="decide",
            mark=REPORTED,
            tone="brass",
            what=str(CHAT),
            url=address,
            why_now=ngettext("%(count)d reported message", "%(count)d reported messages", waiting)
            % {"count": waiting},
            steps=((SEE_REPORTS, address),),
            key=f"chat-{club.pk}",
        )


def _call(call: TableRequest, *, is_told: bool) -> ReportedItem:
    deal = call.deal
    where = _("Deal %(number)d, %(state)s") % {
        "number": deal.number if deal else call.table.deal_number,
        "state": call.table.get_state_display(),
    }
    return ReportedItem(
        group="decide",
        mark=TIME_IS_UP if call.kind == TableRequest.Kind.TIME else CALLED,
        tone="red",
        what=str(call.table),
        url=call.table.get_absolute_url(),
        why_now=_("%(where)s. %(text)s") % {"where": where, "text": call.text}
        if call.text and is_told
        else where,
        steps=((TO_THE_TABLE, call.table.get_absolute_url()),),
    )
