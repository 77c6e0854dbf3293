"""Evenings that a person is in the middle of: their seat now and next."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.sessions.queries import rooms
from games.sessions.queries.rooms import Place, Seat
from league.extension import OwnEvent
from league.models import Competition, Entry, User

NOW, NEXT, FIRST = gettext_lazy("Now"), gettext_lazy("Next"), gettext_lazy("First round")


def own_evenings(*, user: Any, at: datetime) -> Iterator[OwnEvent]:
    """The running evenings in which this account plays; a few queries for each, and there is hardly more than one."""
    if not isinstance(user, User):
        return
    playing = Competition.objects.evenings().filter(
        state=Competition.State.RUNNING,
        entries__in=Entry.with_rooms.active().of_user(user),
    )
    for competition in playing.select_related("club").distinct().order_by("starts_on", "pk"):
        seen = rooms.room(competition, user, at=at)
        for seat in seen.mine:
            yield _event(competition, seat, number=seen.clock.number)


def _event(competition: Competition, seat: Seat, *, number: int) -> OwnEvent:
    room = reverse("evening_room", args=[competition.club.slug, competition.slug])
    steps = [(gettext_lazy("The room"), room)]
    if seat.now is not None and seat.now.key is not None:
        steps.insert(0, (gettext_lazy("Enter scoresheet"), reverse("scoresheet", args=[seat.now.key])))
    lines = []
    if number and seat.now is not None:
        lines.append((NOW, _told(seat.now)))
    if seat.next is not None:
        lines.append((NEXT if number else FIRST, _told(seat.next)))
    return OwnEvent(competition.name, room, tuple(lines), tuple(steps))


def _told(place: Place) -> str:
    if not place.table:
        return place.text
    return _("%(seat)s, boards %(boards)s, against %(pair)s") % {
        "seat": place.text,
        "boards": place.boards,
        "pair": place.against,
    }
