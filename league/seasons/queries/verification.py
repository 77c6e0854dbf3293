"""Recomputing where everybody stood at the end of a season, and where they go; nothing is changed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from league.models import Competition, FinalPlace, SeasonEnd
from league.seasons.queries import ending
from league.standings.services.verification import Difference

#: The time for corrections, which may be changed afterwards, is over by then.
LATER = datetime(9000, 1, 1, tzinfo=UTC)


def differences(*, competition: Competition) -> Iterator[Difference]:
    """Every difference between the final places that were written down and those that follow from the results."""
    end = SeasonEnd.objects.filter(competition=competition, closed_at__isnull=False).first()
    if end is None or competition.state != Competition.State.FINISHED:
        return
    found = ending.of_competition(competition, at=LATER)
    stored = {_key(row): _said(row) for row in _written(end)}
    computed = {_key(move): _said(move) for move in found.moves}
    for key in sorted({*stored, *computed}):
        if stored.get(key) != computed.get(key):
            whose = f"entry {key}" if key > 0 else f"newcomer {-key}"
            where = f"{competition}, {whose}"
            yield Difference(where, "the final place", str(stored.get(key)), str(computed.get(key)))


def _written(end: SeasonEnd) -> Iterator[FinalPlace]:
    yield from end.places.exclude(way="").select_related("entry", "lineup").order_by("pk")


def _key(row: FinalPlace | ending.Move) -> int:
    return row.entry.pk if row.entry else -row.lineup.pk


def _said(row: FinalPlace | ending.Move) -> tuple[Any, ...]:
    return (row.lineup.pk, row.place, str(row.way), row.next_level, row.next_number)
