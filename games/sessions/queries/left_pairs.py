"""The pairs that have left an evening, and why: the reason as far as this official may read it by now."""

from dataclasses import dataclass

from games.comparisons.masked_reasons import masked_reasons
from league.actors import Visitor
from league.models import AuditEntry, Competition, Entry


@dataclass(frozen=True, slots=True)
class LeftPair:
    """A pair that has left; `reason` is empty where it could tell readers of boards that they still have to play."""

    entry: Entry
    reason: str


def left_pairs(competition: Competition, reader: Visitor) -> tuple[LeftPair, ...]:
    """Those that are away now, in the order in which they left; a few queries, however many they are."""
    entries = list(
        Entry.objects.filter(competition=competition, withdrawn_at__isnull=False)
        .with_pairs()
        .order_by("withdrawn_at")
    )
    told = list(AuditEntry.objects.filter(competition=competition, action="evening.pair_left"))
    masked = masked_reasons(reader=reader, entries=told)
    kept = {each.after["entry"] for each in told if each.pk in masked and each.after}
    return tuple(LeftPair(each, "" if each.pk in kept else each.withdrawal_reason) for each in entries)
