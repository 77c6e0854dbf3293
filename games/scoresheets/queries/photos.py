"""The photos of a match's paper, as far as a visitor sees them."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from games.models import SheetPhoto
from games.scoresheets.queries.matches import closed_because
from games.scoresheets.services.photos import MOST_OF_A_MATCH
from league import policies
from league.actors import Visitor
from league.models import Fixture

State = SheetPhoto.State


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """One photo; `url` is empty while it is being prepared, or where it could not be read."""

    key: int
    url: str
    who: str
    at: datetime
    is_waiting: bool
    is_failed: bool
    may_remove: bool


@dataclass(frozen=True, slots=True)
class PhotoPart:
    """The photos that the visitor may see, how many there are, and whether another can be added."""

    photos: tuple[ShownPhoto, ...]
    count: int
    may_add: bool


def photos_of(*, fixture: Fixture, visitor: Visitor, sees_deals: bool, at: datetime) -> PhotoPart:
    """The photos of the match; they change as long as its sheet can be corrected."""
    is_open = not closed_because(visitor=visitor, fixture=fixture, pending=None, at=at)
    rows = list(SheetPhoto.objects.filter(fixture=fixture).defer("content").select_related("added_by"))
    for row in rows:
        row.fixture = fixture
    shown = [row for row in rows if sees_deals or row.added_by_id == visitor.pk]
    kept = sum(row.state != State.FAILED for row in rows)
    return PhotoPart(
        photos=tuple(_shown(row, visitor, sees_deals=sees_deals, is_open=is_open) for row in shown),
        count=kept,
        may_add=is_open and kept < MOST_OF_A_MATCH and policies.may(visitor, "photo.add", fixture),
    )


def _shown(row: SheetPhoto, visitor: Visitor, *, sees_deals: bool, is_open: bool) -> ShownPhoto:
    is_ready = row.state == State.READY
    return ShownPhoto(
        key=row.pk,
        url=reverse("photo", args=[row.fixture_id, row.pk]) if is_ready and sees_deals else "",
        who=str(row.added_by),
        at=row.added_at,
        is_waiting=row.state == State.WAITING,
        is_failed=row.state == State.FAILED,
        may_remove=is_open and policies.may(visitor, "photo.remove", row),
    )
