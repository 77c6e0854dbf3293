"""Sitting down, changing seats, standing up, robots for missing players, and from which window a seat is played."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from games.models import Table, TableDeal, TableRequest, TableSeat
from games.models.tables import OPEN
from games.options import usual_robot
from games.proof import participations
from games.seating import Seating, usual_seating
from games.tables.guest_keys import columns_of, sitter_of
from games.tables.seating import keys_of, partners_seat, seating_at
from games.tables.services import dealing, rows
from league import policies
from league.actors import Guest, Sitter, System, Visitor, identity, person
from league.audit.services import audit
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Fixture, Lineup, Player, User
from league.words import sentences

Kind, State = Table.Kind, Table.State
LONGEST_WINDOW = 40


@transaction.atomic
def sit(*, actor: Sitter, table_id: int, seat: str, window: str = "", at: datetime | None = None) -> Table:
    """Takes a free seat, or one that a robot holds. In a match it is your own seat.

    Those who have seen the cards of a seat take no other one in the same deal. In a match those who stood up in a deal
    come back after it, or when their opponents agree, and so do those who left the seat to a substitute; those whose
    line was lost come back at any moment.
    """
    at = at or timezone.now()
    table = rows.lock_open(table_id)
    policies.require(actor, "table.sit", table)
    taken = rows.seats_taken(table)
    if seat not in table.places:
        raise Invalid(_("Choose one of the seats."), code="seat_unknown")
    player = _player_for(table, actor, seat)
    own = next((row for row in taken.values() if row.who == identity(actor)), None)
    if own is not None:
        if own.seat == seat:
            return table
        raise Conflict(_("You already have a seat at this table."), code="seated")
    holder = taken.get(seat)
    _check_gives_way(table, holder)
    _check_knows_no_cards(table, actor, seat)
    _check_boards(table, player)
    if stood_up(table, actor):
        raise Conflict(
            _(
                "You left your seat in this deal. You can come back after it, or sooner if your "
                "opponents agree."
            ),
            code="stood_up",
        )
    if holder is not None:
        _leave(table, holder, at)
    put(table, seat, sitter=actor, player=player, window=window[:LONGEST_WINDOW], at=at)
    deal = _deal_going_on(table)
    if table.kind == Kind.MATCH and deal is not None and deal.board is not None:
        participations.dealt(fixture=fixture_of(table), board=deal.board, seated=[(player, person(actor))])
    rows.changed(table)
    return table


def _check_boards(table: Table, player: Player | None) -> None:
    """Nobody sits down at boards whose cards they may know from elsewhere."""
    if table.kind == Kind.MATCH and player is not None:
        participations.check(fixture=fixture_of(table), players=[player])


def stood_up(table: Table, user: Sitter) -> bool:
    """Whether this player of a match has left the seat in the deal that is being played: by a press, or to somebody
    else who plays for the pair.

    Where no robots play nobody else can have played on, and the deal waits for them.
    """
    deal = _deal_going_on(table)
    if table.kind != Kind.MATCH or not table.robots or deal is None:
        return False
    left = TableSeat.objects.filter(table=table, stood_up=True, **columns_of(user))
    return bool(left.filter(left_at__gte=deal.started_at).exists())


def place_of(*, actor: Sitter, table: Table) -> str:
    """The actor's own seat in a match, even if somebody else holds it now."""
    policies.require(actor, "table.sit", table)
    players = seating_at(table, fixture_of(table)).players if table.kind == Kind.MATCH else {}
    seat = next((seat for seat, player in players.items() if player.user_id == actor.pk), None)
    if seat is None:
        raise NotAllowed(_("You aren’t playing in this match."), code="no_seat")
    return seat


def come_back(table: Table, seat: str, *, at: datetime) -> None:
    """Gives a seat back to the player whose it is, whose opponents have agreed; in the caller's transaction."""
    player = seating_at(table, fixture_of(table)).players[seat]
    holder = rows.seats_taken(table).get(seat)
    _check_gives_way(table, holder)
    if player.user is None or not policies.may(player.user, "table.sit", table):
        raise Conflict(_("This has already been decided."), code="decided")
    if holder is not None:
        _leave(table, holder, at)
    put(table, seat, sitter=player.user, player=player, at=at)


def _player_for(table: Table, actor: Sitter, seat: str) -> Player | None:
    """Whose seat it is: in a match the player's own, by today's pairs and substitutes."""
    if table.kind == Kind.MATCH:
        fixture = fixture_of(table)
        player = seating_at(table, fixture).players[seat]
        if player.user_id != actor.pk:
            raise NotAllowed(_("This seat belongs to %(who)s.") % {"who": player}, code="not_your_seat")
        return player
    if table.is_alone and actor.pk != table.opened_by_id:
        raise NotAllowed(_("This is someone else’s practice."), code="not_your_seat")
    if isinstance(actor, Guest):
        return None
    return Player.objects.filter(club=table.club_id, user=actor, merged_into__isnull=True).first()


def _check_gives_way(table: Table, holder: TableSeat | None) -> None:
    """Robots do, and people whose seat it is no longer: a substitute plays for them, or they have left the club."""
    if holder is not None and _is_theirs(table, sitter_of(holder), holder.seat):
        raise Conflict(_("Someone else is sitting there."), code="seat_taken")


def _is_theirs(table: Table, sitter: Sitter | None, seat: str) -> bool:
    if sitter is None or not policies.may(sitter, "table.sit", table):
        return False
    if table.kind != Kind.MATCH:
        return True
    return seating_at(table, fixture_of(table)).players[seat].user_id == sitter.pk


def fixture_of(table: Table) -> Fixture:
    """The match of a match's table, with its pairs."""
    fixture: Fixture = Fixture.with_rooms.with_pairs().get(pk=table.fixture_id or 0)
    return fixture


def _check_knows_no_cards(table: Table, actor: Sitter, seat: str) -> None:
    """Nobody knows whether a guest is another one who has just left: in a deal they count as one person."""
    deal = _deal_going_on(table)
    if deal is None:
        return
    own = {"guest__isnull": False} if isinstance(actor, Guest) else {"user": actor}
    sat_elsewhere = TableSeat.objects.filter(table=table, **own).exclude(seat=seat)
    if sat_elsewhere.filter(left_at__gte=deal.started_at).exists():
        raise Conflict(
            _("You have seen other cards of this deal. Please wait for the next one."), code="saw_cards"
        )


def _deal_going_on(table: Table) -> TableDeal | None:
    return TableDeal.objects.filter(table=table, finished_at__isnull=True).first()


def put(
    table: Table,
    seat: str,
    *,
    at: datetime,
    sitter: Sitter | None = None,
    player: Player | None = None,
    robot: str = "",
    window: str = "",
    pair: Lineup | None = None,
) -> TableSeat:
    """A new holder of a seat that is free. A person who held it before in this deal has left it to them."""
    user = sitter if isinstance(sitter, User) else None
    deal = _deal_going_on(table) if user is not None else None
    if deal is not None:
        earlier = TableSeat.objects.filter(table=table, seat=seat, left_at__gte=deal.started_at)
        earlier.filter(user__isnull=False).exclude(user=user).update(stood_up=True)
    return TableSeat.objects.create(
        table=table,
        seat=seat,
        player=player,
        robot=robot,
        window=window,
        pair=pair,
        since=at,
        **(columns_of(sitter) if sitter is not None else {}),
    )


def _leave(table: Table, row: TableSeat, at: datetime, *, stood_up: bool = False) -> None:
    # Who leaves it to a substitute, or to the one they stood in for, has stood up like by a press.
    sitter = sitter_of(row)
    is_given_up = sitter is not None and not _is_theirs(table, sitter, row.seat)
    row.left_at, row.stood_up = at, stood_up or is_given_up
    row.save(update_fields=["left_at", "stood_up"])
    if sitter is not None:
        # Players who left no longer answer, and new ones were not asked: everyone is asked again.
        rows.lapse(
            table, TableRequest.Kind.TAKE_BACK, TableRequest.Kind.PAUSE, TableRequest.Kind.RETURN, at=at
        )


@transaction.atomic
def stand_up(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Leaves the seat. A deal that is being played waits for somebody, or a robot, to take it."""
    table = rows.lock_open(table_id)
    row = _held_by(actor, table)
    _leave(table, row, at or timezone.now(), stood_up=True)
    rows.changed(table)
    return table


def free(table: Table, sitter: Sitter, *, at: datetime) -> None:
    """Takes the seat of somebody who may stay no longer; in the caller's transaction, which raises the version."""
    row = TableSeat.objects.filter(table=table, left_at__isnull=True, robot="", **columns_of(sitter)).first()
    if row is not None:
        _leave(table, row, at)


def first_seat(table: Table) -> str:
    """The first seat that is free at a casual table, or else a robot's. Raises Conflict where people hold them all."""
    taken = rows.seats_taken(table)
    free_ones = [seat for seat in table.places if seat not in taken]
    robots = [seat for seat in table.places if seat in taken and taken[seat].robot]
    if not free_ones and not robots:
        raise Conflict(_("All seats are taken. Ask the host, or wait for one."), code="seat_taken")
    return (free_ones or robots)[0]


@transaction.atomic
def join(*, actor: User, table_id: int, at: datetime | None = None) -> Table:
    """Sits down in one press: in a match at your own seat, elsewhere at the first free one. Who sits there stays."""
    table = rows.lock_open(table_id)
    policies.require(actor, "table.sit", table)
    if any(row.who == identity(actor) for row in rows.seats_taken(table).values()):
        return table
    seat = place_of(actor=actor, table=table) if table.kind == Kind.MATCH else first_seat(table)
    return sit(actor=actor, table_id=table_id, seat=seat, at=at)


@transaction.atomic
def fill(*, actor: User, table_id: int, at: datetime | None = None) -> Table:
    """Robots take all free seats of a casual table, in one press of its host."""
    table = rows.lock_open(table_id)
    policies.require(actor, "table.host", table)
    offered = game.get(table.game)
    if not offered.robots:
        raise Conflict(_("Robots can’t play at this table."), code="no_robots")
    for seat in table.places:
        if seat not in rows.seats_taken(table):
            seat_robot(actor=actor, table_id=table_id, seat=seat, robot=usual_robot(offered), at=at)
    return rows.lock(table_id)


def own_seat(*, actor: Sitter | System, table: Table) -> TableSeat:
    """The actor's seat; raises NotAllowed where there is none, or it is somebody else's by now."""
    row = _held_by(actor, table)
    if not isinstance(actor, System) and not _is_theirs(table, actor, row.seat):
        raise NotAllowed(_("This seat is no longer yours."), code="not_your_seat")
    return row


def _held_by(actor: Sitter | System, table: Table) -> TableSeat:
    row = TableSeat.objects.filter(table=table, left_at__isnull=True, robot="", **columns_of(actor)).first()
    if row is None:
        raise NotAllowed(_("You don’t have a seat at this table."), code="no_seat")
    policies.require(actor, "table.act", row)
    return row


def known_robot(table: Table, key: str) -> str:
    """The key of a robot of the table's game; raises Invalid for any other."""
    if key not in {robot.key for robot in game.get(table.game).practice_robots}:
        raise Invalid(_("There’s no such robot."), code="robot_unknown")
    return key


@transaction.atomic
def seat_robot(
    *, actor: Sitter | System, table_id: int, seat: str, robot: str = "", at: datetime | None = None
) -> Table:
    """A robot takes a free seat, or one that another robot has, where the terms allow robots.

    In a match its own side puts it there, or a director, and it is the robot of the terms: one for both sides.
    """
    at = at or timezone.now()
    table = rows.lock_to_deal(table_id)
    policies.require(actor, "table.seat_robot", table)
    if not table.robots:
        raise Conflict(_("Robots can’t play at this table."), code="no_robots")
    if seat not in table.places:
        raise Invalid(_("Choose one of the seats."), code="seat_unknown")
    robot = _robot_for(table, robot)
    taken = rows.seats_taken(table)
    holder = taken.get(seat)
    if table.kind == Kind.MATCH or (holder is not None and holder.robot):
        _check_is_ones_own(table, actor, seat, taken)
    _check_gives_way(table, holder)
    if holder is not None:
        _leave(table, holder, at)
    _robot_in(table, seat, robot, at)
    dealing.begin_if_ready(table, at=at)
    rows.changed(table, *dealing.FIELDS)
    rows.hint_robots(table)
    return table


def _robot_for(table: Table, key: str) -> str:
    """Which robot sits down: in a match that of its terms, elsewhere any that is asked for."""
    if key or table.kind != Kind.MATCH:
        known_robot(table, key)
    if table.kind == Kind.MATCH and key not in {"", table.stand_in}:
        raise Conflict(
            _("In this match a different robot plays for absent players, the same one for all sides."),
            code="robot_fixed",
        )
    return key or table.stand_in


def _check_is_ones_own(table: Table, actor: Sitter | System, seat: str, taken: dict[str, TableSeat]) -> None:
    """Whether and which robot plays is not for opponents to say, nor for somebody who only looks on."""
    if policies.may(actor, "table.rule", table):
        return
    is_there = table.opened_by_id == actor.pk or any(row.who == identity(actor) for row in taken.values())
    if not (_is_own_side(table, actor, seat) if table.kind == Kind.MATCH else is_there):
        raise NotAllowed(
            _("Only this side or a director can put a robot here.")
            if table.kind == Kind.MATCH
            else _("You can’t change this robot."),
            code="not_your_robot",
        )


def _is_own_side(table: Table, actor: Visitor, seat: str) -> bool:
    """Whether the actor plays in the match for the entry whose seat it is."""
    fixture, offered = fixture_of(table), game.get(table.game)
    entry = policies.entry_of(actor, fixture) if isinstance(actor, User) else None
    side = offered.side_of(seat, table.players)
    return entry is not None and entry.pk == usual_seating(fixture, offered).entries[side]


def replace_by_robot(table: Table, seat: str, *, at: datetime) -> None:
    """Puts the robot of the terms into the seat, in place of its holder; in the caller's transaction."""
    holder = rows.seats_taken(table).get(seat)
    if holder is not None:
        _leave(table, holder, at)
    _robot_in(table, seat, table.stand_in, at)


def _robot_in(table: Table, seat: str, robot: str, at: datetime) -> None:
    key = table.seating.get(seat)
    player = Player.objects.filter(pk=key).first() if key else None
    put(table, seat, robot=robot, player=player, pair=_pair_with(table, seat), at=at)


def _pair_with(table: Table, seat: str) -> Lineup | None:
    """Outside a match the pair whose card a robot plays here: the only one of its partner's that has written one.

    Who practises has chosen before, and another robot plays the same.
    """
    offered = game.get(table.game)
    if table.is_alone:
        before = (
            TableSeat.objects.filter(table=table, seat=seat).select_related("pair").order_by("-pk").first()
        )
        return before.pair if before is not None else None
    if table.kind == Kind.MATCH or offered.signals is None or not offered.signals.has_cards:
        return None
    side = offered.side_of(seat, table.players)
    partners = [
        row.user_id
        for other, row in rows.seats_taken(table).items()
        if other != seat and offered.side_of(other, table.players) == side and row.user_id is not None
    ]
    pairs = pairs_with_cards(partners, table.game)[:2] if partners else []
    return pairs[0] if len(pairs) == 1 else None


def pairs_with_cards(users: Iterable[int], game_key: str) -> list[Lineup]:
    """The pairs of these people that have a convention card of their own in the game."""
    found = Lineup.objects.present().filter(members__player__user__in=users, convention_cards__game=game_key)
    return list(found.with_players().distinct().order_by("pk"))


@transaction.atomic
def ready(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Says that the next deal may begin; it does when all seats are held and every person has said so."""
    table = rows.lock_to_deal(table_id)
    row = own_seat(actor=actor, table=table)
    if table.state == State.PLAYING:
        return table
    row.ready_for = table.deal_number + 1
    row.save(update_fields=["ready_for"])
    if dealing.begin_if_ready(table, at=at or timezone.now()):
        rows.changed_and_read(table, *dealing.FIELDS)
        rows.hint_robots(table)
    else:
        rows.changed(table, facts=rows.with_holder(table, row))
    return table


@transaction.atomic
def take_window(*, actor: Sitter, table_id: int, window: str) -> Table:
    """From now on the seat is played from this window; the one before is told so. Without a seat: nothing.

    Nor where the table is over: whoever looks at it again and again would keep its guests' names and keys.
    """
    table = rows.lock(table_id)
    if table.state not in OPEN and not table.is_alone:
        return table
    row = TableSeat.objects.filter(table=table, left_at__isnull=True, robot="", **columns_of(actor)).first()
    name = window[:LONGEST_WINDOW]
    if row is not None and row.window != name:
        row.window = name
        row.save(update_fields=["window"])
        rows.changed(table, facts=rows.with_holder(table, row, is_seen=False), is_seen=False)
    return table


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
    return fixture_of(table)


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
