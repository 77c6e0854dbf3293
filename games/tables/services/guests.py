"""Guests of casual tables: the link that lets people without an account sit down, and removing a guest."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from games.models import GuestLink, Table, TableGuest
from games.models.guests import KEPT_AFTER
from games.models.tables import OPEN
from games.tables.guest_keys import digest_of, new_key
from games.tables.services import rows, seats
from league import policies, validation
from league.errors import Conflict, NotAllowed
from league.models import Club, User

#: So many people may come by link to one table, those who left and were removed included.
MOST_GUESTS = 24


@transaction.atomic
def renew_link(*, actor: User, table_id: int, at: datetime | None = None) -> GuestLink:
    """Lets guests in by a link that nobody has had before; the link until then is dead. Who sits there stays."""
    table = _hosted(actor, table_id)
    token = new_key()
    fields = {
        "digest": digest_of(token),
        "token": token,
        "made_by": actor,
        "made_at": at or timezone.now(),
    }
    link, _is_new = GuestLink.objects.update_or_create(table=table, defaults=fields)
    return link


@transaction.atomic
def close_link(*, actor: User, table_id: int) -> None:
    """Nobody comes in by the link any more. Guests who are there stay."""
    GuestLink.objects.filter(table=_hosted(actor, table_id)).delete()


def _hosted(actor: User, table_id: int) -> Table:
    table = rows.lock_open(table_id)
    if table.kind != Table.Kind.CASUAL:
        # Boards that others may still play are played in matches alone: no link leads there.
        raise Conflict(_("Only casual tables have guests."), code="no_guests")
    policies.require(actor, "table.host", table)
    return table


def table_behind(token: str) -> Table | None:
    """The table that a link leads to, while it is open and the link is its newest."""
    found: Table | None = (
        Table.objects.open()
        .select_related("club")
        .filter(kind=Table.Kind.CASUAL, guest_link__digest=digest_of(token))
        .first()
    )
    return found


@transaction.atomic
def admit(*, token: str, name: str, seat: str = "", at: datetime | None = None) -> tuple[TableGuest, str]:
    """A guest, who sits down at once, and the key by which their browser is known from now on.

    `seat` is the one that is wanted; without it the first that is free, or else a robot's. Raises NotAllowed where the
    link is dead, Invalid for a name that is no name or somebody else's, Conflict where nobody can sit down.
    """
    at = at or timezone.now()
    table = _entered(token)
    if TableGuest.objects.filter(table=table).count() >= MOST_GUESTS:
        raise Conflict(_("This table has had as many guests as it can take."), code="too_many_guests")
    key = new_key()
    guest = TableGuest(table=table, name=validation.one_line(name), key=digest_of(key), came_at=at)
    validation.check(guest)
    club = Club.objects.get(pk=table.club_id or 0)
    validation.check_guest_name(guest.name, club=club, others=_names_there(table))
    guest.save()
    seats.sit(actor=guest.visitor, table_id=table.pk, seat=seat or seats.first_seat(table), at=at)
    return guest, key


def _entered(token: str) -> Table:
    """The link's table, locked. The link is asked for again under the lock: it may have been renewed meanwhile."""
    found = table_behind(token)
    table = rows.lock(found.pk) if found is not None else None
    links = GuestLink.objects.filter(table=table, digest=digest_of(token))
    if table is None or table.state not in OPEN or not links.exists():
        raise NotAllowed(
            _("This link doesn’t work any more. Ask the person who gave it to you for a new one.")
        )
    return table


def _names_there(table: Table) -> set[str]:
    found = {seat.name for seat in table.seats.filter(left_at=None).select_related("user", "player")}
    found |= set(TableGuest.objects.filter(table=table, removed_at=None).values_list("name", flat=True))
    found |= {_(str(robot.name)) for robot in game.get(table.game).robots}
    return found


@transaction.atomic
def remove(*, actor: User, table_id: int, guest_id: int, at: datetime | None = None) -> None:
    """Takes a guest's seat and key at once. The link becomes another one, so that nobody comes back by the old one."""
    at = at or timezone.now()
    table = _hosted(actor, table_id)
    guest = TableGuest.objects.filter(table=table, pk=guest_id, removed_at=None).first()
    if guest is None:
        raise Conflict(_("This guest has been removed already."), code="decided")
    seats.free(table, guest.visitor, at=at)
    guest.removed_at = at
    guest.save(update_fields=["removed_at"])
    if GuestLink.objects.filter(table=table).exists():
        renew_link(actor=actor, table_id=table_id, at=at)
    rows.changed(table)


@transaction.atomic
def keep(*, actor: User, table_id: int, key: str, at: datetime | None = None) -> TableGuest:
    """Keeps with the actor's account what this person played as a guest at a casual table: they can step through those
    deals as before. It counts nowhere, and no player is linked to anybody. The guest ends with it.

    NotAllowed where the key is no guest's any more, above all of one whom the host removed; Conflict while the guest
    sits at the table.
    """
    known = TableGuest.objects.current(at=at or timezone.now()).filter(key=digest_of(key))
    found = Table.objects.filter(pk=table_id, kind=Table.Kind.CASUAL).first()
    table = rows.lock(found.pk) if found is not None else None
    guest = known.filter(table=table).first() if table is not None else None
    if table is None or guest is None:
        raise NotAllowed(_("There’s nothing left here that you could keep."))
    if table.state in OPEN and guest.seats.filter(left_at=None).exists():
        raise Conflict(_("You still sit at this table as a guest. Leave your seat first."), code="seated")
    guest.kept_by, guest.key = actor, None
    guest.save(update_fields=["kept_by", "key"])
    return guest


def purge(*, at: datetime) -> int:
    """Forgets names and keys of guests whose tables are over for a day; gives how many."""
    over = TableGuest.objects.exclude(key=None, name="").exclude(table__state__in=OPEN)
    return int(over.filter(table__changed_at__lte=at - KEPT_AFTER).update(name="", key=None))
