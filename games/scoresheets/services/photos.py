"""Photos of the paper scoresheet: taken in, made plain by a worker, deleted after a while.

What arrives is judged by its first bytes alone and put away encrypted. A worker has a child process decode it
(`games.scoresheets.photo_encoder`), and only what that wrote is ever shown.
"""

import subprocess
import sys
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from games.models import Match, SheetPhoto
from games.scoresheets import photo_encoder
from games.scoresheets.picture_files import picture_of
from games.scoresheets.services import matches
from league import locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.background import announce, sweeps
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import Competition, Fixture
from league.storage import board_keys
from league.words import sentences

log = structlog.get_logger(__name__)

MOST_OF_A_MATCH = 2
LEASE = timedelta(minutes=2)
MOST_TRIES = 3
MOST_AT_ONCE = 20
KEPT_AFTER_CORRECTIONS = timedelta(days=90)
KEPT_WITHOUT_RESULT = timedelta(days=365)
ENCODING_SECONDS = 60
TASK = "games.tasks.prepare_photo"
MB = 1024 * 1024
State = SheetPhoto.State
Status = Fixture.Status


@transaction.atomic
def add(*, actor: Actor, fixture: Fixture, picture: bytes, at: datetime) -> SheetPhoto:
    """Attaches a photo of the paper to a match, to be prepared by a worker; for those who may enter its sheet.

    Raises Invalid for what is no JPEG, PNG or WebP picture, or too large; Conflict where there is no room for it.
    """
    _check_picture(picture)
    # Two photos at once, of matches of two competitions, are not to take the same room.
    locks.club(fixture.round.competition.club_id)
    fixture = fixtures.locked(fixture)
    policies.require(actor, "photo.add", fixture)
    user = person(actor)
    if user is None:
        raise NotAllowed(_("Only a person can add a photo."))
    _check_open(fixture, at)
    club = fixture.round.competition.club
    SheetPhoto.objects.filter(fixture=fixture, state=State.FAILED).delete()
    if SheetPhoto.objects.filter(fixture=fixture).count() >= MOST_OF_A_MATCH:
        raise Conflict(_("This match already has two photos. Please remove one first."))
    used = SheetPhoto.objects.filter(club=club).aggregate(size=Sum("size"))["size"] or 0
    if used + len(picture) > settings.PHOTO_QUOTA:
        raise Conflict(
            _("There’s no room for more photos. A club has %(quota)d MB. We delete photos 90 days "
            "after the time for corrections. Until then, please remove some that you no longer need.")
            % {"quota": settings.PHOTO_QUOTA // MB}
        )  # fmt: skip
    photo = SheetPhoto.objects.create(
        club=club,
        fixture=fixture,
        added_by=user,
        added_at=at,
        content=board_keys.encrypt(picture),
        size=len(picture),
        due_at=at,
    )
    _tell(actor, "photo.added", sentences.gettext("Photo of the paper added"), photo)
    announce.after_commit(TASK, photo.pk)
    return photo


@transaction.atomic
def remove(*, actor: Actor, photo: SheetPhoto, at: datetime) -> None:
    """Takes a photo away, while the match can still be corrected. The trail names both who added and who removed it."""
    fixture = fixtures.locked(photo.fixture)
    found = SheetPhoto.objects.filter(pk=photo.pk).first()
    if found is None:
        return
    found.fixture = fixture
    policies.require(actor, "photo.remove", found)
    _check_open(fixture, at)
    said = sentences.gettext("Photo of the paper removed; it was added by %(who)s") % {"who": found.added_by}
    _tell(actor, "photo.removed", said, found)
    found.delete()


def content_of(*, photo: SheetPhoto) -> bytes:
    """The prepared JPEG; whether somebody may see it is the policy's "photo.see"."""
    if photo.state != State.READY:
        raise Conflict(_("This photo isn’t ready yet."))
    return board_keys.decrypt(photo.content)


def _check_picture(picture: bytes) -> None:
    if len(picture) > settings.PHOTO_MAX_SIZE:
        raise Invalid(
            _("This photo is too large: up to %(size)d MB, please.") % {"size": settings.PHOTO_MAX_SIZE // MB}
        )
    found = picture_of(picture)
    if found is None:
        raise Invalid(_("We can’t read this photo. Please choose a JPEG, PNG or WebP picture."))
    if found.pixels > photo_encoder.MOST_PIXELS:
        raise Invalid(
            _("This photo has too many pixels (%(width)d × %(height)d): up to 40 megapixels, please.")
            % {"width": found.width, "height": found.height}
        )


def _check_open(fixture: Fixture, at: datetime) -> None:
    if fixture.round.competition.state != Competition.State.RUNNING:
        raise Conflict(_("This competition isn’t running, so you can’t change its photos."))
    match = Match.objects.filter(pk=fixture.pk).first()
    if fixture.status in {Status.WALKOVER, Status.VOID}:
        raise Conflict(
            _("This match is “%(now)s”, so it has no scoresheet.") % {"now": fixture.get_status_display()}
        )
    if fixture.status == Status.CONFIRMED and match is not None and matches.is_locked(match=match, at=at):
        raise Conflict(_("The time for corrections is over. You can’t change the photos any more."))


def _tell(actor: Actor, action: str, summary: sentences.Said, photo: SheetPhoto) -> None:
    audit.record(
        actor=actor, action=action, summary=summary, fixture=photo.fixture, after={"photo": photo.pk}
    )


# What workers do


def prepare(*, photo_id: int, at: datetime) -> bool:
    """Makes the plain JPEG of a photo that waits, unless another worker is at it; whether it is ready now."""
    photo = _leased(photo_id, at)
    if photo is None:
        return False
    try:
        made = _encoded(board_keys.decrypt(photo.content))
    except board_keys.Unreadable:
        made = None
    own = SheetPhoto.objects.filter(pk=photo.pk, state=State.WAITING, tries=photo.tries)
    if made is None:
        log.warning("photo_not_read", photo=photo.pk)
        _failed(own, at)
        return False
    due = at + KEPT_AFTER_CORRECTIONS
    written = own.update(state=State.READY, content=board_keys.encrypt(made), size=len(made), due_at=due)
    return bool(written)


def _leased(photo_id: int, at: datetime) -> SheetPhoto | None:
    with transaction.atomic():
        waiting = SheetPhoto.objects.filter(pk=photo_id, state=State.WAITING, due_at__lte=at)
        photo = next(iter(locks.lease(waiting, most=1)), None)
        if photo is None:
            return None
        if photo.tries >= MOST_TRIES:
            _failed(SheetPhoto.objects.filter(pk=photo.pk), at)
            return None
        photo.tries, photo.due_at = photo.tries + 1, at + LEASE
        photo.save(update_fields=["tries", "due_at"])
    return photo


def _failed(photo: QuerySet[SheetPhoto], at: datetime) -> None:
    """What could not be read is not kept; for a day the page says so."""
    photo.update(state=State.FAILED, content=b"", size=0, due_at=at + timedelta(days=1))


def _encoded(picture: bytes) -> bytes | None:
    """What a child process with little memory makes of the picture; None where it cannot."""
    try:
        done = subprocess.run(  # noqa: S603 (our own program, without a shell)
            [sys.executable, "-I", photo_encoder.__file__],
            input=picture,
            capture_output=True,
            env={},
            timeout=ENCODING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def sweep(*, at: datetime) -> int:
    """Prepares what was left lying and deletes what was kept long enough; gives how many were looked at."""
    due = SheetPhoto.objects.filter(due_at__lte=at).order_by("due_at", "pk")
    return sweeps.run(
        work="photo of a sheet", rows=due, do=lambda key: _look_at(key, at), at=at, most=MOST_AT_ONCE
    )


def _look_at(photo_id: int, at: datetime) -> bool:
    photo = SheetPhoto.objects.defer("content").select_related("fixture__match").filter(pk=photo_id).first()
    if photo is None:
        return False
    if photo.state == State.WAITING:
        prepare(photo_id=photo.pk, at=at)
    else:
        _delete_in_time(photo, at)
    return True


def _delete_in_time(photo: SheetPhoto, at: datetime) -> None:
    until = _kept_until(photo)
    row = SheetPhoto.objects.filter(pk=photo.pk, state=photo.state)
    if photo.state == State.FAILED or until <= at:
        row.delete()
    else:
        row.update(due_at=min(until, at + KEPT_AFTER_CORRECTIONS))


def _kept_until(photo: SheetPhoto) -> datetime:
    match: Match | None = getattr(photo.fixture, "match", None)
    if match is not None and match.locks_at is not None:
        return match.locks_at + KEPT_AFTER_CORRECTIONS
    # A match that is not played needs no paper; of one that may still be, the paper is kept for a year.
    is_over = photo.fixture.status in {Status.WALKOVER, Status.VOID}
    return photo.added_at + (KEPT_AFTER_CORRECTIONS if is_over else KEPT_WITHOUT_RESULT)
