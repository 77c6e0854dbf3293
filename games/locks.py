"""Row locks from the match down to the online table, after those of the league (docs/locking.md)."""

from django.db.models import Model, prefetch_related_objects

from games.models import Board, BoardSet, Match, Table
from games.seating import first_dealer_of
from league import locks
from league.models import Fixture

ORDER: tuple[type[Model], ...] = (*locks.ORDER, Match, BoardSet, Board, Table)


def match(*, fixture: Fixture) -> Match:
    """The match with its fixture, made if it does not exist, after its competition and its fixture, both locked.

    Every write to a match or its sheets begins here: of two at once, the second waits and then sees what the first did.
    """
    fixture = locks.fixture(fixture)
    # Who stands in is asked by each policy, and nothing that locks a match changes it.
    prefetch_related_objects([fixture], "substitutions__substitute")
    rows = Match.objects.filter(pk=fixture.pk)
    for found in locks.take(rows):
        found.fixture = fixture
        return found
    competition = fixture.round.competition
    # A row that this transaction makes is its own until it ends.
    return Match.objects.create(
        fixture=fixture,
        game=competition.game,
        options=competition.rules,
        first_dealer=first_dealer_of(fixture),
    )


def board_set(row: BoardSet) -> BoardSet:
    """A set of boards, after its competition."""
    competition = locks.competition(row.competition_id)
    found = locks.one(BoardSet.objects.filter(pk=row.pk).select_related("round"))
    found.competition = competition
    return found


def board(pk: int) -> Board:
    """A board: its figures. A change of what is played on it holds its set, and so its competition."""
    return locks.one(Board.objects.filter(pk=pk))


def table(pk: int) -> Table:
    """An online table, alone: what its players do at it. Nothing above a table is locked while it is held."""
    return locks.one(Table.objects.filter(pk=pk))


def table_of_match(pk: int) -> Table:
    """An online table after its match's fixture, where it has one: to deal a board, or to write the result down."""
    # Most tables have none, and a table's never changes.
    fixture = Table.objects.values_list("fixture", flat=True).get(pk=pk)
    if fixture is not None:
        locks.fixture(Fixture.with_rooms.get(pk=fixture))
    return table(pk)
