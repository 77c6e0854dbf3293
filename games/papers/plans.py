"""Who sits where with which boards, round by round: as it was laid out, or before that as it will be."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from games import seating
from games.models import BoardSet, FixtureBoard
from games.sessions import sections
from games.sessions.sections import REPLACED, Section
from league.models import Appearance, Competition, Entry, Fixture


@dataclass(frozen=True, slots=True)
class Place:
    """A table in a round. A side is a pair, or two players for this round (F120); empty where nobody is there.

    A pair that sits out has no table.
    """

    section: str
    round: int
    table: str
    order: tuple[int, int]
    first: tuple[Entry, ...]
    second: tuple[Entry, ...]
    boards: tuple[int, ...]

    @property
    def sits_out(self) -> bool:
        """Whether only one pair is here."""
        return not self.first or not self.second

    @property
    def boards_text(self) -> str:
        """The boards' numbers: 9–12."""
        numbers = sorted(self.boards)
        if not numbers:
            return ""
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        return ", ".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class Plan:
    """A session's places in the order of rounds and tables; `numbers` are the pairs' in the movement, by entry.

    Sides are in the order of `first` and `second`, as the game calls them, and by the letters of their seats.
    """

    places: tuple[Place, ...]
    entries: tuple[Entry, ...]
    numbers: Mapping[int, int]
    side_titles: tuple[str, ...]
    side_letters: tuple[str, ...]

    @property
    def rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds."""
        return tuple(sorted({place.round for place in self.places}))

    def of_entry(self, entry: Entry) -> tuple[Place, ...]:
        """Where a pair, or a player, goes."""
        return tuple(place for place in self.places if entry in place.first + place.second)

    def tables(self) -> dict[tuple[str, str], list[Place]]:
        """What happens at each table, by section and the table's name."""
        found: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for place in sorted(self.places, key=lambda place: (place.order, place.round)):
            if place.table:
                found[place.section, place.table].append(place)
        return dict(found)


def plan_of(competition: Competition) -> Plan:
    """The session's plan, in a bounded number of queries; empty where nothing is laid out and nothing can be."""
    active = Entry.objects.filter(competition=competition, withdrawn_at=None).with_pairs()
    entries = list(active.order_by("division__level", "number"))
    numbers = {entry.pk: entry.number % REPLACED for entry in entries}
    places = list(_laid_out(competition, _sides(competition, entries)))
    if not places and competition.state == Competition.State.DRAFT:
        drafted = sections.of_draft(competition)
        numbers |= {entry.pk: number for each in drafted for number, entry in each.by_number.items()}
        places = list(_to_come(competition, drafted))
    places.sort(key=lambda place: (place.round, place.order))
    entries.sort(key=lambda entry: (entry.division.level, numbers[entry.pk]))
    return Plan(
        tuple(places),
        tuple(entries),
        numbers,
        tuple(seating.side_titles(competition.game).values()),
        tuple(seating.side_letters(competition.game).values()),
    )


def _sides(competition: Competition, entries: Iterable[Entry]) -> Callable[[Entry], tuple[Entry, ...]]:
    """Who of those that are there is a side of a table: the pair itself, or its two players where partners change."""
    if not competition.stage.partners_change:
        return lambda pair: (pair,) if pair.withdrawn_at is None else ()
    of_player = {entry.lineup.players[0]: entry for entry in entries}
    return lambda pair: tuple(of_player[each] for each in pair.lineup.players if each in of_player)


def _laid_out(competition: Competition, side_of: Callable[[Entry], tuple[Entry, ...]]) -> Iterator[Place]:
    """The places of the fixtures that were written, and who sits out."""
    numbers: dict[int, list[int]] = defaultdict(list)
    plays = FixtureBoard.objects.filter(fixture__round__stage__competition=competition)
    for key, number in plays.values_list("fixture_id", "board__number").order_by("position"):
        numbers[key].append(number)
    found = Fixture.with_rooms.at_tables().with_pairs().filter(round__stage__competition=competition)
    for fixture in found.order_by("round__number", "division__level", "pk"):
        yield Place(
            section=fixture.division.name,
            round=fixture.round.number,
            table=fixture.table,
            order=(fixture.division.level, _table_order(fixture.table)),
            first=side_of(fixture.home),
            second=side_of(fixture.away),
            boards=tuple(numbers[fixture.pk]),
        )
    byes = Appearance.objects.byes().filter(round__stage__competition=competition)
    out = byes.with_pairs().select_related("round", "entry__division")
    for each in out.order_by("round__number", "pk"):
        yield Place(
            each.entry.division.name,
            each.round.number,
            "",
            (each.entry.division.level, 0),
            (each.entry,),
            (),
            (),
        )


def _table_order(table: str) -> int:
    figures = "".join(letter for letter in table if letter.isdecimal())
    return int(figures) if figures else 0


def _to_come(competition: Competition, drafted: tuple[Section, ...]) -> Iterator[Place]:
    """What the movements will give, the chosen ones or the usual."""
    deals = competition.rules["deals"]
    board_set = BoardSet.objects.filter(competition=competition, round=None, discarded_at=None).first()
    first = board_set.first_number if board_set else 1
    for section in drafted:
        yield from _section(section, first, deals)


def _section(section: Section, first: int, deals: int) -> Iterator[Place]:
    movement = section.movement
    for number, sittings in enumerate(movement.rounds if movement else (), start=1):
        waiting = movement.sitting_out(number) if movement and movement.phantom is None else None
        if waiting is not None:  # a rover has their place
            level = section.division.level
            yield Place(section.division.name, number, "", (level, 0), (section.by_number[waiting],), (), ())
        for sitting in sittings:
            start = first + (sitting.boards - 1) * deals
            sides = [
                tuple(section.by_number[each] for each in side if each in section.by_number)
                for side in sitting.sides
            ]
            yield Place(
                section=section.division.name,
                round=number,
                table=section.table(sitting) if all(sides) else "",
                order=(section.division.level, sitting.table),
                first=sides[0],
                second=sides[1],
                boards=tuple(range(start, start + deals)),
            )
