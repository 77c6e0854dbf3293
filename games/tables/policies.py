"""Who may do what at tables in the browser: rules added to the league's one table.

What is shown to those who may watch: `games.tables.state.spectators`.
"""

from collections.abc import Iterable

from django.utils import timezone

from games.fixture_boards import boards_of
from games.models import Table, TableGuest, TableSeat
from games.models.tables import Spectators
from games.policies import is_believed
from games.tables.state.snapshot import Holder
from league import policies
from league.actors import Guest, Visitor, identity
from league.models import Club, Fixture, Lineup, User
from league.policies import Rule


def holds_a_seat(user: Visitor, table: Table) -> bool:
    """Whether this account sits at the table; without a query where its seats were fetched with it."""
    return isinstance(user, User) and any(
        seat.user_id == user.pk and seat.left_at is None for seat in _seats(table)
    )


def _has_sat(user: Visitor, table: Table) -> bool:
    """Whether this account sits, or has sat, at the table: then it is a player there, whatever its office."""
    return isinstance(user, User) and any(seat.user_id == user.pk for seat in _seats(table))


def _seats(table: Table) -> Iterable[TableSeat]:
    return table.seats.all()


def _opens(user: Visitor, fixture: Fixture) -> bool:
    return policies.speaks_in(user, fixture) or policies.director(user, fixture)


def _sits(user: Visitor, table: Table) -> bool:
    """In a match its players, at a casual table members of the club and its guests, alone with robots who opened it."""
    if isinstance(user, Guest):
        return _is_admitted(user, table)
    if not isinstance(user, User) or not user.is_active:
        return False
    if table.fixture is not None:
        # Who was asked to stand in says yes first.
        return policies.plays_in(user, table.fixture) and not policies.is_only_asked(user, table.fixture)
    if table.is_alone:
        return user.pk == table.opened_by_id
    return policies.member(user, table.club)


def _is_admitted(guest: Guest, table: Table) -> bool:
    """Whether the host has not removed this guest. No link leads to a table whose cards others may still play."""
    if table.pk != guest.table or table.kind != Table.Kind.CASUAL:
        return False
    return bool(TableGuest.objects.current(at=timezone.now()).filter(pk=guest.row, table=table).exists())


def _hosts(user: Visitor, table: Table) -> bool:
    """Of a casual table: the member who opened it; while that person does not sit there, also the member who has sat
    there longest; and the club's directors."""
    if table.kind != Table.Kind.CASUAL or not isinstance(user, User) or not policies.member(user, table.club):
        return False
    if user.pk == table.opened_by_id or policies.director(user, table.club):
        return True
    sitting = [seat for seat in _seats(table) if seat.left_at is None and seat.user_id is not None]
    if any(seat.user_id == table.opened_by_id for seat in sitting):
        return False
    first = min(sitting, key=lambda seat: seat.pk, default=None)
    return first is not None and first.user_id == user.pk


def _acts(user: Visitor, seat: TableSeat | Holder) -> bool:
    """The seat's holder. It may be a row, or what the table's facts say of it."""
    is_somebody = isinstance(user, Guest) or (isinstance(user, User) and user.is_active)
    return is_somebody and seat.who == identity(user)


def _seats_robots(user: Visitor, table: Table) -> bool:
    """Not at the deal of a day, which everybody plays with the same robots."""
    return table.kind != Table.Kind.DAILY and (_sits(user, table) or _rules(user, table))


def _watches(user: Visitor, table: Table) -> bool:
    """Those who may sit there; others as the terms say, and never more than may see the match."""
    if _sits(user, table) or _rules(user, table):
        return True
    if table.is_alone or table.spectators == Spectators.NOBODY:
        return False
    if table.fixture is not None and not policies.may(user, "fixture.see", table.fixture):
        return False
    return table.spectators == Spectators.EVERYBODY or policies.member(user, table.club)


def _rules(user: Visitor, table: Table) -> bool:
    """A director who does not play there; in a match also not one who has only just left the seat, nor, where boards
    are played, one who plays elsewhere in the event, if there is one who does not."""
    if table.fixture is not None:
        is_players = policies.plays_in(user, table.fixture) or holds_a_seat(user, table)
        return (
            not is_players
            and policies.may(user, "fixture.rule", table.fixture)
            and (not boards_of(table.fixture) or is_believed(user, table.fixture.round.competition))
        )
    return (
        table.kind == Table.Kind.CASUAL and policies.director(user, table.club) and not _has_sat(user, table)
    )


def _closes(user: Visitor, table: Table) -> bool:
    if table.fixture is not None:
        return policies.may(user, "fixture.rule", table.fixture)
    if isinstance(user, User) and user.pk == table.opened_by_id:
        return True
    return policies.director(user, table.club) or _hosts(user, table)


def _is_partner(user: Visitor, pair: Lineup) -> bool:
    """What two have agreed is for nobody else to write down."""
    return isinstance(user, User) and user.is_active and user.pk in {each.user_id for each in pair.players}


def _writes_card(user: Visitor, pair: Lineup) -> bool:
    """The partners, and directors for those who have no account or need help."""
    return _is_partner(user, pair) or policies.director(user, pair.club)


def _is_member(user: Visitor, club: Club) -> bool:
    return policies.member(user, club)


def _is_active(user: Visitor, _thing: None) -> bool:
    return isinstance(user, User) and user.is_active


def _directs(user: Visitor, club: Club) -> bool:
    return policies.director(user, club)


RULES: dict[str, Rule] = {
    "chat.review": _directs,
    "pair.agree": _is_partner,
    "pair.write_card": _writes_card,
    "table.open": _opens,
    "table.open_casual": _is_member,
    "table.play_daily": _is_active,
    "table.sit": _sits,
    "table.host": _hosts,
    "table.act": _acts,
    "table.seat_robot": _seats_robots,
    "table.watch": _watches,
    "table.rule": _rules,
    "table.close": _closes,
}
