"""A side's word that may in truth be another's: given by an account that speaks for the side on an opponent's word."""

from collections.abc import Iterable
from dataclasses import dataclass

from games import embargo
from games.models import TableSeat
from games.proof import typed_sheets
from league import policies
from league.models import Entry, Fixture, User


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Who spoke for which side; on the word of whom, who takes part in the event. None: they speak for it no more."""

    user: User
    entry: Entry
    by: User | None


def at_tables(fixture: Fixture) -> list[tuple[User, Entry]]:
    """Who has sat at a table of the match in the browser, and for which side."""
    accounts = TableSeat.objects.filter(table__fixture=fixture, user__isnull=False).values("user")
    sat = (
        (user, policies.entry_of(user, fixture))
        for user in User.objects.filter(pk__in=accounts).order_by("pk")
    )
    return [(user, entry) for user, entry in sat if entry is not None]


def borrowed(fixture: Fixture, spoken: Iterable[tuple[User, Entry]]) -> Borrowed | None:
    """The first such word among those that were given for the sides of the match, if no other makes up for it.

    One side that nobody else spoke for is proof enough of what it agrees to. But not the side of the very people on
    whose word the others speak: they would agree with themselves.
    """
    found: list[Borrowed] = []
    doubted: set[int] = set()
    own: set[int] = set()
    for user, entry in spoken:
        if policies.entry_of(user, fixture) != entry:
            return Borrowed(user, entry, None)
        doubts = embargo.doubts(user, fixture, entry)
        if doubts:
            doubted |= doubts
            found.append(Borrowed(user, entry, User.objects.get(pk=min(doubts))))
        else:
            own.add(entry.pk)
    for entry in fixture.entries:
        if doubted and doubted & {each.pk for each in typed_sheets.people_of(fixture, entry)}:
            own.discard(entry.pk)
    return found[0] if found and not own else None
