"""A club's past seasons: who won, everybody's final place, and who was promoted, as the finish wrote it down."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from league.actors import Reader
from league.models import Club, Competition, Division, FinalPlace, Lineup, SeasonEnd

UP = (FinalPlace.Way.PROMOTED, FinalPlace.Way.INTO_VACANCY)


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A lineup's final place; `is_shared` when another one has it, too."""

    place: int
    lineup: Lineup
    is_shared: bool
    way: str

    @property
    def is_promoted(self) -> bool:
        """Whether they went up."""
        return self.way in UP

    @property
    def way_in_words(self) -> str:
        """Where they went, as a word beside the name; nothing for those who stayed."""
        return str(FinalPlace.Way(self.way).label) if self.is_promoted or self.way == "relegated" else ""

    @property
    def tone(self) -> str:
        """The colour of that word."""
        return "green" if self.is_promoted else "neutral"


@dataclass(frozen=True, slots=True)
class FinalTable:
    """A division's final places, the first one first."""

    division: Division
    lines: tuple[FinalLine, ...]

    @property
    def winners(self) -> tuple[Lineup, ...]:
        """Who was first."""
        return tuple(line.lineup for line in self.lines if line.place == 1)


def past(club: Club, user: Reader) -> QuerySet[Competition]:
    """The club's finished competitions whose final places are written down, as far as the reader may see them."""
    return (
        Competition.objects.visible_to(user)
        .filter(club=club, state=Competition.State.FINISHED, end__closed_at__isnull=False)
        .select_related("club", "season", "end")
        .prefetch_related(Prefetch("end__places", _places()))
        .order_by("-season__starts_on", "-starts_on", "name", "pk")
    )


def tables(competition: Competition) -> tuple[FinalTable, ...]:
    """The final places of a finished competition, the highest division first; none where nothing is written down."""
    end = SeasonEnd.objects.filter(competition=competition, closed_at__isnull=False).first()
    return tables_of(_places().filter(end=end)) if end else ()


def tables_of(rows: Iterable[FinalPlace]) -> tuple[FinalTable, ...]:
    """The same from its rows, in their order."""
    found: dict[Division, list[FinalPlace]] = {}
    for row in rows:
        if row.entry is not None:
            found.setdefault(row.entry.division, []).append(row)
    return tuple(FinalTable(division, tuple(_lines(lines))) for division, lines in found.items())


def _lines(rows: list[FinalPlace]) -> Iterator[FinalLine]:
    shared = Counter(row.place for row in rows)
    for row in rows:
        yield FinalLine(row.place or 0, row.lineup, shared[row.place] > 1, row.way)


def _places() -> QuerySet[FinalPlace]:
    """Those with a place, in the order of divisions and places."""
    rows = FinalPlace.objects.filter(entry__isnull=False, place__isnull=False)
    return rows.select_related("entry__division", "lineup__club").prefetch_related("lineup__members")
