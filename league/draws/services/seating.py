"""A round of tables: who sits together, drawn so that everybody meets everybody as evenly as possible."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from engine.contest.draws.partners import PlayersField
from engine.contest.draws.seating import ImpossibleSeatingError, Room, Seated
from engine.contest.draws.swiss import SwissField
from engine.contest.results import Key
from engine.errors import ContestError
from league import extension, formats
from league.draws.services import apart
from league.errors import Conflict, Invalid
from league.models import Appearance, Division, Entry, Fixture, Round, RoundDraw
from league.validation import refused_by_rules

#: What is left of a table counts as a meeting: it was played, or still is to be.
_SAT_THERE = ("", Appearance.Outcome.PLAYED)


#: In seconds: a week.
_KEPT_FOR = 7 * 24 * 3600
#: Goes up where the same facts come to another draw: what is kept of the one before must not be taken for it.
_RULES = 1


class Table(NamedTuple):
    """A table of a draw: its number, who sits there in order, and which of them have met before, how often."""

    number: int
    entries: tuple[Entry, ...]
    met_before: tuple[tuple[Entry, Entry, int], ...] = ()

    @property
    def met(self) -> int:
        """How often any two at the table had met, together."""
        return sum(times for _one, _other, times in self.met_before)

    @property
    def scores(self) -> tuple[str, ...]:
        """Nothing follows from them here."""
        return ()


@dataclass(frozen=True, slots=True)
class RoundOfTables:
    """A round as it can be drawn, or was: its tables, a director's or those of least cost, and what they cost."""

    division: Division
    round: Round
    room: Room
    drawn: Seated
    least_cost: list[Any]
    proposed: str
    entries: dict[int, Entry]
    resting: tuple[Entry, ...] = ()
    """Who asked to sit out."""
    missing: tuple[Fixture, ...] = ()
    """Nothing of a draw of tables follows from results."""
    published_cost: list[Any] | None = None
    """Of a round that was drawn, what its tables cost then."""

    @property
    def tables(self) -> list[Table]:
        """The tables in order."""
        return [
            Table(number, tuple(self.entries[int(key)] for key in table), tuple(self._met(table)))
            for number, table in enumerate(self.drawn.tables, start=1)
        ]

    def _met(self, table: Sequence[Key]) -> Iterator[tuple[Entry, Entry, int]]:
        for one, other in combinations(table, 2):
            if times := self.room.times_met(one, other):
                yield self.entries[int(one)], self.entries[int(other)], times

    @property
    def playing(self) -> list[Entry]:
        """Who plays in the round, or sits out because there is no seat."""
        return [self.entries[int(key)] for key in self.room.playing]

    @property
    def without_seat(self) -> list[Entry]:
        """For whom there is no seat."""
        return [self.entries[int(key)] for key in self.drawn.out]

    @property
    def sitting_out(self) -> tuple[Entry, ...]:
        """Who has no table in the round."""
        return (*self.without_seat, *self.resting)

    @property
    def bye(self) -> Entry | None:
        """It may be several: see `sitting_out`."""
        return None

    @property
    def is_changed(self) -> bool:
        """Whether others sit together than in the draw that costs the least."""
        return _who_sit(self.written) != _who_sit(self.proposed)

    @property
    def written(self) -> str:
        """The tables as a form sends them back."""
        return _written(self.drawn)

    @property
    def seed(self) -> str:
        """Of the lot between draws that cost the same."""
        return self.room.seed

    @property
    def cost(self) -> list[Any]:
        """What these tables cost."""
        return list(self.drawn.cost)

    @property
    def is_otherwise(self) -> bool:
        """Whether somebody has left since, or a table was not played: its figures are no longer those of the draw."""
        return self.published_cost is not None and self.published_cost != self.cost

    @property
    def digest(self) -> str:
        """Stands for all that the draw follows from: what somebody else changed meanwhile gives another."""
        return blake2b(repr((self.room, self.round.pk)).encode(), digest_size=8).hexdigest()


def propose(
    *, division: Division, round_: Round, tables: str = "", asked: Collection[int] = ()
) -> RoundOfTables:
    """The draw of least cost, and if they are given the `tables` that a director has made of it. Nothing is written.

    `asked` are the entries that asked to sit out. Raises Conflict where there is no draw, and Invalid for tables at
    which not everybody sits, or which the game does not have.
    """
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    gone = {entry.pk for entry in entries.values() if entry.withdrawn_at or entry.first_round > round_.number}
    room = _room(division, round_.number, list(entries.values()), absent=frozenset(gone.union(asked)))
    try:
        least = room.draw_of(*_tables(kept(room, lambda: _written(room.draw())), room))
        drawn = room.draw_of(*_tables(tables, room)) if tables else least
    except ImpossibleSeatingError:
        raise Conflict(
            _("There is no draw in which all who must not meet sit at different tables.")
        ) from None
    except ContestError as refusal:
        raise Conflict(refused_by_rules(refusal).message) from refusal
    resting = tuple(entries[key] for key in sorted(asked) if key in entries)
    return RoundOfTables(division, round_, room, drawn, list(least.cost), _written(least), entries, resting)


def kept(facts: SwissField | PlayersField | Room, draw: Callable[[], str]) -> str:
    """The tables of a draw. Of many it takes long, and comes to the same as long as the facts do: they are cached."""
    key = f"least-draw:{_RULES}:{blake2b(repr(facts).encode(), digest_size=16).hexdigest()}"
    return str(cache.get_or_set(key, draw, _KEPT_FOR))


def drawn(*, division: Division, round_: Round) -> RoundOfTables | None:
    """The round as it was drawn; None where it is not."""
    row = RoundDraw.objects.filter(division=division, round=round_).first()
    if row is None:
        return None
    sat = list(_sat(Appearance.objects.filter(fixture__isnull=False), division, round_.number).values())
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    byes = Appearance.objects.byes().filter(round=round_, entry__division=division)
    asked = set(round_.requested_byes.values_list("entry_id", flat=True))
    out = list(byes.order_by("entry__number").values_list("entry_id", flat=True))
    here = {key for table in sat for key in table}.union(set(out) - asked)
    room = _room(
        division,
        round_.number,
        list(entries.values()),
        absent=frozenset(entries.keys() - here),
        seed=row.seed,
    )
    found = room.draw_of(sat, [key for key in out if key not in asked])
    return RoundOfTables(
        division,
        round_,
        room,
        found,
        row.least,
        "" if row.is_changed else _written(found),
        entries,
        tuple(entries[key] for key in out if key in asked),
        published_cost=row.cost,
    )


def room_after(division: Division, entries: list[Entry]) -> Room:
    """The room with all rounds that are drawn: who has met whom until now."""
    last = Appearance.objects.of_division(division).aggregate(n=Max("round__number"))["n"] or 0
    return _room(division, last + 1, entries, absent=frozenset())


def _room(
    division: Division, number: int, entries: list[Entry], *, absent: frozenset[Key], seed: str = ""
) -> Room:
    """What round `number` is drawn from."""
    port = extension.game(division.competition.game)
    sides = port.sizes_for(sum(entry.pk not in absent for entry in entries))
    before: list[defaultdict[int, list[Key]]] = [defaultdict(list) for _round in range(1, number)]
    sat = Appearance.objects.meeting().filter(
        outcome__in=_SAT_THERE, entry__division=division, round__number__lt=number
    )
    for played, fixture, entry in sat.order_by("fixture_id", "order").values_list(
        "round__number", "fixture_id", "entry_id"
    ):
        before[played - 1][fixture].append(entry)
    return Room(
        entries=tuple(entry.pk for entry in sorted(entries, key=lambda each: (each.number, each.pk))),
        rounds=tuple(tuple(map(tuple, tables.values())) for tables in before),
        seats=formats.seats_of(sides),
        allowed=sides,
        apart=frozenset(map(frozenset[Key], apart.in_round(division, number))),
        absent=absent,
        seed=seed or division.stage.draw_seed or str(division.pk),
    )


def _sat(places: QuerySet[Appearance], division: Division, number: int) -> dict[int, list[int]]:
    """Who sat at which table of a round, in order, by fixture."""
    rows = places.filter(entry__division=division, round__number=number).order_by("fixture_id", "order")
    found: defaultdict[int, list[int]] = defaultdict(list)
    for fixture, entry in rows.values_list("fixture_id", "entry_id"):
        found[fixture].append(entry)
    return dict(found)


def _written(seated: Seated) -> str:
    tables = ("-".join(map(str, table)) for table in seated.tables)
    return ",".join([*tables, *map(str, seated.out)])


def _who_sit(written: str) -> set[frozenset[str]]:
    return {frozenset(table.split("-")) for table in written.split(",")}


def _tables(written: str, room: Room) -> tuple[list[list[int]], list[int]]:
    """The tables that a form sent, and who sits out; raises Invalid unless everybody who plays is there once."""
    try:
        found = [[int(key) for key in table.split("-")] for table in written.split(",")]
    except ValueError:
        found = []
    there = [key for table in found for key in table]
    tables = [table for table in found if len(table) > 1]
    if len(there) != len(set(there)) or set(there) != set(room.playing):
        raise Invalid(_("These tables don’t match the entries in this round. Please start this draw again."))
    if any(len(table) not in room.allowed for table in tables) or not tables:
        least, most = room.allowed[0], room.allowed[-1]
        raise Invalid(_("A table has %(least)d to %(most)d players.") % {"least": least, "most": most})
    return tables, [key for table in found for key in table if len(table) == 1]
