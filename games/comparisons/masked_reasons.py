"""Which reasons in the trail an official may not read yet, because they still play in that event."""

from collections.abc import Collection

from games import embargo
from games.models import FixtureBoard
from league.actors import Visitor
from league.models import AuditEntry, Competition

#: Reasons that were written for everybody: they stand on the public page of the boards.
PUBLIC = (
    "boards.released",
    "boards.opened",
    "boards.discarded",
    "boards.drawn_out",
    "boards.reserve_stands_in",
)


def masked_reasons(*, reader: Visitor, entries: Collection[AuditEntry]) -> frozenset[int]:
    """The keys of entries whose reason could tell the readers of boards that they may still have to play.

    People say in their own words why they ruled, marked or awarded: "hand 4 was a flush" is a card. So the reasons of
    a whole event are kept from those who play in it, except their own, until its boards are public. Two queries, and
    one for each such event.
    """
    told = [each for each in entries if each.reason and each.competition_id and each.action not in PUBLIC]
    foreign = [each for each in told if each.actor_id is None or each.actor_id != getattr(reader, "pk", None)]
    wanted = {each.competition_id for each in foreign}
    if not wanted:
        return frozenset()
    sealed = FixtureBoard.objects.filter(
        fixture__round__stage__competition__in=wanted, board__released_at=None
    )
    events = Competition.objects.filter(pk__in=sealed.values("fixture__round__stage__competition"))
    closed = {event.pk for event in events if embargo.plays_in_event(reader, event)}
    return frozenset(each.pk for each in foreign if each.competition_id in closed)
