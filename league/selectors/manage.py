"""A competition as its director manages it: the pairs by division, adjustments, draws of lots."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from league.models import Adjustment, Competition, Division, Entry


@dataclass(frozen=True, slots=True)
class ManagedDivision:
    """A division with its pairs, those who withdrew included."""

    division: Division
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class DrawnLots:
    """A recorded draw, with the pairs' names in the order of the lots."""

    made_at: datetime
    seed: str
    pairs: tuple[str, ...]


def divisions_with_entries(competition: Competition) -> tuple[ManagedDivision, ...]:
    """The divisions with their pairs; each pair's `open_adjustments` are those that count. Three queries."""
    counting = Adjustment.objects.filter(revoked_at__isnull=True)
    entries = (
        Entry.objects.with_pairs()
        .order_by("number")
        .prefetch_related(Prefetch("adjustments", queryset=counting, to_attr="open_adjustments"))
    )
    divisions = competition.divisions.order_by("level").prefetch_related(
        Prefetch("entries", queryset=entries)
    )
    return tuple(ManagedDivision(division, tuple(division.entries.all())) for division in divisions)


def lot_draws(division: Division) -> tuple[DrawnLots, ...]:
    """The division's draws of lots, the newest first."""
    names = names_of(division)
    return tuple(
        DrawnLots(draw.made_at, draw.seed, tuple(names.get(key, "?") for key in draw.order))
        for draw in division.lot_draws.all()
    )


def names_of(division: Division) -> dict[int, str]:
    """The pairs' names by entry."""
    return {entry.pk: str(entry) for entry in division.entries.with_pairs()}
