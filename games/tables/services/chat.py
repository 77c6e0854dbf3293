"""Talking at a casual table: among those who sit there, kept for a day, longer where somebody complains of it."""

import re
import unicodedata
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import ChatLine, Table
from games.models.chat import LONGEST_LINE
from games.tables.guest_keys import columns_of
from games.tables.services import rows, seats
from games.tables.state import facts as reading
from games.tables.state.seat_view import CHAT_LASTS, may_chat, reads
from league import policies
from league.actors import Guest, Sitter, User, person
from league.background import sweeps
from league.errors import Conflict, Invalid, NotAllowed

KEPT_IF_REPORTED = timedelta(days=30)
# So much each may say in a short time, and as long as lines are kept.
SHORT_TIME, MOST_IN_SHORT_TIME, MOST_OF_ONE = timedelta(seconds=20), 6, 400
# Letters of some languages carry as many marks; more only blot out the lines around them.
MOST_MARKS = 3
# What turns the direction of writing, hides text, or is no text at all. The joiner holds pictures together.
UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
JOINERS = {"\u200c", "\u200d"}


@transaction.atomic
def say(*, actor: Sitter, table_id: int, text: str, at: datetime | None = None) -> Table:
    """Says a line to the others who sit at a casual table."""
    at = at or timezone.now()
    line = tidied(text)
    if not line:
        raise Invalid(_("Write something first."), code="empty")
    if len(line) > LONGEST_LINE:
        raise Invalid(
            _("A message has at most %(most)d characters.") % {"most": LONGEST_LINE}, code="too_long"
        )
    table = rows.lock_open(table_id)
    row = seats.own_seat(actor=actor, table=table)
    _check_offered(table, row.seat)
    own = ChatLine.objects.filter(table=table, **columns_of(actor))
    if (
        own.filter(said_at__gt=at - SHORT_TIME).count() >= MOST_IN_SHORT_TIME
        or own.filter(said_at__gt=at - CHAT_LASTS).count() >= MOST_OF_ONE
    ):
        raise Conflict(_("That was a lot at once. Please wait a moment."), code="too_fast")
    ChatLine.objects.create(
        table=table,
        seat=row.seat,
        **columns_of(actor),
        is_guests=isinstance(actor, Guest),
        guests_read=table.guests_talk,
        name=str(row.player or actor)[:200],
        text=line,
        said_at=at,
    )
    rows.changed(table, is_seen=False)
    return table


def tidied(text: str) -> str:
    """The text as one line, without what nobody can see and with few marks on a letter."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", re.sub(r"\s+", " ", text[: 20 * LONGEST_LINE])):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS and (kind not in UNSEEN or character in JOINERS):
            kept.append(character)
    line = "".join(kept).strip()
    return line if line.strip("".join(JOINERS)) else ""


def _check_offered(table: Table, seat: str) -> None:
    if table.kind != Table.Kind.CASUAL:
        raise Conflict(_("There’s no chat at this table."), code="no_chat")
    if not may_chat(reading.under_lock(table), seat):
        raise Conflict(_("There’s nobody here to talk to."), code="alone")


@transaction.atomic
def report(*, actor: Sitter, table_id: int, line_id: int, at: datetime | None = None) -> Table:
    """Tells the club's directors of a line, also of somebody who has left. Reported again, nothing changes."""
    table = rows.lock(table_id)
    row = seats.own_seat(actor=actor, table=table)
    line = ChatLine.objects.filter(table=table, pk=line_id).first()
    is_own = line is not None and columns_of(actor) == {"user_id": line.user_id, "guest_id": line.guest_id}
    facts = reading.under_lock(table)
    if line is None or is_own or not reads(facts, row.seat, guests_read=line.guests_read):
        raise Conflict(_("This message is gone."), code="gone")
    if line.reported_at is None:
        line.reported_at, line.reported_by, line.reported_seat = at or timezone.now(), person(actor), row.seat
        line.save(update_fields=["reported_at", "reported_by", "reported_seat"])
        rows.changed(table, is_seen=False)
    return table


@transaction.atomic
def let_guests_talk(*, actor: User, table_id: int, allows: bool) -> Table:
    """Whether guests read the chat and take part in it: the host says so."""
    table = rows.lock_open(table_id)
    policies.require(actor, "table.host", table)
    if table.guests_talk != allows:
        table.guests_talk = allows
        rows.changed(table, "guests_talk", is_seen=False)
    return table


@transaction.atomic
def settle(*, actor: User, line: ChatLine, at: datetime) -> None:
    """A director has seen to a reported line; not to one of their own."""
    policies.require(actor, "chat.review", line.table.club)
    if line.user_id == actor.pk:
        raise NotAllowed(_("Another director has to decide about your own message."), code="own_message")
    ChatLine.objects.filter(pk=line.pk, settled_at=None).update(settled_at=at, settled_by=actor)


def sweep(*, at: datetime) -> int:
    """Deletes what was kept long enough; gives how many lines."""
    old = ChatLine.objects.filter(reported_at=None, said_at__lte=at - CHAT_LASTS) | ChatLine.objects.filter(
        reported_at__lte=at - KEPT_IF_REPORTED
    )
    return sweeps.run(
        work="chat line",
        rows=old.order_by("said_at", "pk"),
        do=lambda key: ChatLine.objects.filter(pk=key).delete()[0],
        at=at,
    )
