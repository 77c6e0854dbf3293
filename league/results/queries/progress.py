"""How the places and the points went, round by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.contest.standings.table import Row, Table
from league.actors import Reader
from league.fixtures.queries import own_entries
from league.models import Competition
from league.standings import queries as standings
from league.web.charts import Series

BROUGHT_OUT = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """Places and points of a division after each round; `highlight` are the labels to bring out."""

    name: str
    rounds: tuple[int, ...]
    places: tuple[Series, ...]
    points: tuple[Series, ...]
    highlight: tuple[str, ...]


def of_competition(competition: Competition, user: Reader) -> tuple[Progress, ...]:
    """The history of every division; the queries do not depend on the number of pairs."""
    names = {entry.pk: str(entry) for entry in competition.entries.with_pairs()}
    mine = own_entries(user, competition)
    return tuple(
        _progress(division.name, standings.progress(division), names, mine)
        for division in competition.stage.divisions.order_by("level")
    )


def _progress(
    name: str, tables: Mapping[int, Table], names: Mapping[int, str], mine: frozenset[int]
) -> Progress:
    rounds = tuple(sorted(tables))
    last = tables[rounds[-1]].rows if rounds else ()
    order = [int(row.entry) for row in last if row.entry in names]
    labels = labels_of(order, names)
    return Progress(
        name=name,
        rounds=rounds,
        places=tuple(
            Series(labels[entry], tuple(_place(tables[number].row_of(entry)) for number in rounds))
            for entry in order
        ),
        points=tuple(
            Series(labels[entry], tuple(_points(tables[number].row_of(entry)) for number in rounds))
            for entry in order
        ),
        highlight=tuple(labels[entry] for entry in sorted(order, key=lambda e: e not in mine)[:BROUGHT_OUT]),
    )


def labels_of(order: Sequence[int], names: Mapping[int, str]) -> dict[int, str]:
    """A name a line; two pairs of one name are told apart by a number."""
    labels: dict[int, str] = {}
    for entry in order:
        namesakes = sum(label.partition(" (")[0] == names[entry] for label in labels.values())
        labels[entry] = f"{names[entry]} ({namesakes + 1})" if namesakes else names[entry]
    return labels


def _place(row: Row | None) -> int | None:
    return row.place if row else None


def _points(row: Row | None) -> Fraction | None:
    return None if row is None or row.place is None else row.league_points
