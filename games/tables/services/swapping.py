"""Partners choose before a match who of them sits at which of their two seats."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Table, TableSeat
from games.seating import Seating
from games.tables.seating import keys_of, partners_seat, seating_at
from games.tables.services import rows, seats
from league import policies
from league.actors import User
from league.audit.services import audit
from league.errors import Conflict, NotAllowed
from league.models import Fixture, Player
from league.words import sentences


@transaction.atomic
def swap(*, actor: User, table_id: int, seat: str = "", at: datetime | None = None) -> Table:
    """One of two partners has them change seats, each taking along what was theirs: until the first deal is dealt.

    `seat` is the one that the actor wants; where that is the actor's already, nothing changes. Both have to say again
    that they are ready. Robots who play for one of the two change with them.
    """
    at = at or timezone.now()
    table = rows.lock_open(table_id)
    policies.require(actor, "table.sit", table)
    fixture = _check_in_time(table)
    before = seating_at(table, fixture)
    own = next((each for each, player in before.players.items() if player.user_id == actor.pk), None)
    if own is None:
        raise NotAllowed(_("You aren’t playing in this match."), code="no_seat")
    if seat == own:
        return table
    other = partners_seat(table, own)
    if other is None:
        raise Conflict(_("At this table nobody has a partner to change seats with."), code="no_partner")
    if seat and seat != other:
        raise Conflict(_("That seat belongs to your opponents."), code="not_your_seat")
    players = {**before.players, own: before.players[other], other: before.players[own]}
    table.seating = keys_of(players)
    _change_chairs(table, (own, other), players, at)
    audit.record(
        actor=actor,
        action="table.seats_swapped",
        summary=sentences.gettext("Online table: partners swapped seats"),
        fixture=fixture,
        before={"table": table.pk, "seats": _shown(before, own, other)},
        after={"table": table.pk, "seats": {each: str(players[each]) for each in (own, other)}},
    )
    rows.changed(table, "seating")
    return table


def _check_in_time(table: Table) -> Fixture:
    """The table's match; raises Conflict where partners do not choose, or no more."""
    if table.kind != Table.Kind.MATCH:
        raise Conflict(
            _("You can take any seat here. Leave yours and sit down elsewhere."), code="not_a_match"
        )
    if table.deal_number:
        # A player who has seen a seat's cards must not see partner's, and a sheet has one seating for all its deals.
        raise Conflict(
            _("The match has started, so partners keep their seats until the end."), code="too_late"
        )
    return seats.fixture_of(table)


def _shown(seating: Seating, *chosen: str) -> dict[str, str]:
    return {seat: str(seating.players[seat]) for seat in chosen}


def _change_chairs(table: Table, two: tuple[str, str], players: Mapping[str, Player], at: datetime) -> None:
    """The holder of one of the two seats now holds the other."""
    held = rows.seats_taken(table)
    moving = [(held[seat], partner) for seat, partner in (two, two[::-1]) if seat in held]
    TableSeat.objects.filter(pk__in=[row.pk for row, _seat in moving]).update(left_at=at)
    for row, seat in moving:
        TableSeat.objects.create(
            table=table,
            seat=seat,
            user=row.user,
            player=players[seat],
            robot=row.robot,
            window=row.window,
            since=at,
        )
