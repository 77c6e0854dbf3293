"""When a sheet that an official typed from the paper counts: by the competition's setting, for a match."""

from django.db.models import QuerySet

from games import embargo
from games import policies as games_policies
from league import policies
from league.actors import Visitor
from league.models import Competition, Entry, Fixture, User

Way = Competition.TypedSheets


def people_of(fixture: Fixture, *entries: Entry) -> QuerySet[User]:
    """The accounts that can speak for these sides of the match: of a pair's players, and of who stands in for one.

    Not of a player who left the pair for the rest of the season.
    """
    sides = {entry.pk for entry in entries}
    stand_ins = [each for each in fixture.substitutions.all() if each.entry_id in sides]
    left = {(each.entry_id, each.absent_id) for each in stand_ins if policies.left_for_good(each)}
    playing = [(entry, player) for entry in entries for player in entry.lineup.players]
    accounts = {player.user_id for entry, player in playing if (entry.pk, player.pk) not in left}
    accounts |= {each.substitute.user_id for each in stand_ins}
    keys = [key for key in accounts if key is not None]
    return User.objects.filter(pk__in=keys, is_active=True).order_by("pk")


def way_of(fixture: Fixture) -> str:
    """How a typed sheet of this match counts; never AUTOMATIC, which is decided here."""
    way = fixture.round.competition.typed_sheets
    if way != Way.AUTOMATIC:
        return str(way)
    return str(Way.PAIRS if _can_confirm(fixture) else Way.SIGNED)


def asks_pairs(fixture: Fixture) -> bool:
    """Whether a pair's word makes a typed sheet of this match count, and somebody of a pair can give it."""
    return _can_confirm(fixture) and way_of(fixture) != Way.SECOND


def _can_confirm(fixture: Fixture) -> bool:
    return people_of(fixture, *fixture.entries).exists()


def types_for_others(user: Visitor, fixture: Fixture) -> bool:
    """Whether this official has, and had, nothing to do with either side: only such a one types what the pairs signed.

    An account that was taken off one of the players in the meantime is still that player's.
    """
    if not isinstance(user, User):
        return False
    return games_policies.enters_as_official(user, fixture) and not embargo.belonged_to_match(user, fixture)


def counts_signed(user: Visitor, fixture: Fixture) -> bool:
    """Whether a sheet counts at once when this official says that both sides signed the paper."""
    return way_of(fixture) == Way.SIGNED and types_for_others(user, fixture)


def counts_by_silence(user: Visitor, fixture: Fixture) -> bool:
    """Whether a sheet that this official types counts when the pairs say nothing."""
    return way_of(fixture) == Way.SILENCE and types_for_others(user, fixture)
