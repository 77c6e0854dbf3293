"""A club's file, from its upload to the new club: previewed, then imported by a worker as a whole, or not at all."""

import traceback
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from games.club_files import archives, importing, reading
from league import locks, policies, validation
from league.actors import Actor, System, person
from league.background import announce, sweeps
from league.clubs.services import clubs
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import ClubImport, User

log = structlog.get_logger(__name__)
TASK = "games.tasks.import_club"
LEASE, KEPT, MOST_TRIES, MOST_A_DAY = timedelta(minutes=15), timedelta(days=1), 2, 20
State = ClubImport.State


@transaction.atomic
def preview(*, actor: Actor, upload: IO[bytes], file_name: str, at: datetime) -> ClubImport:
    """Keeps a file and what was understood of it; nothing of it is done yet. Raises Invalid with every fault."""
    user = _importer(actor)
    locks.take(User.objects.filter(pk=user.pk))
    own = ClubImport.objects.filter(made_by=user)
    if own.filter(made_at__gt=at - KEPT).count() >= MOST_A_DAY:
        raise Conflict(_("You have sent many files today. Please wait until tomorrow."))
    content = upload.read(archives.MOST_BYTES + 1)
    if len(content) > archives.MOST_BYTES:
        raise Invalid(_("This file holds more than we can take at once."))
    package = reading.understand(archives.read(BytesIO(content)))
    own.filter(state=State.PREVIEWED).delete()
    return ClubImport.objects.create(
        file_name=validation.one_line(file_name)[-200:],
        digest=package.archive.digest,
        content=content,
        preview=reading.preview_of(package),
        language=get_language() or settings.LANGUAGE_CODE,
        made_by=user,
        made_at=at,
    )


@transaction.atomic
def begin(*, actor: Actor, row: ClubImport) -> ClubImport:
    """Asks a worker to make the club that was previewed. To ask twice is harmless."""
    user = _importer(actor)
    # Of two files begun at once the second counts the first.
    locks.take(User.objects.filter(pk=user.pk))
    row = locks.one(ClubImport.objects.filter(pk=row.pk))
    if row.made_by_id != actor.pk:
        raise NotAllowed(_("Someone else is importing this file."))
    if row.state == State.PREVIEWED:
        begun = ClubImport.objects.filter(made_by=user, state__in=[State.WAITING, State.WORKING])
        clubs.check_may_found(actor=actor, under_way=begun.count())
        row.state = State.WAITING
        row.save(update_fields=["state"])
        announce.after_commit(TASK, row.pk)
    return row


def import_at_once(*, owner: User, source: IO[bytes], file_name: str, name: str, at: datetime) -> ClubImport:
    """Who runs the installation imports a file for somebody, without a preview. Raises LeagueError."""
    package = reading.understand(archives.read(source))
    with transaction.atomic():
        made = importing.carry_out(
            actor=System("Concertmaster"), owner=owner, package=package, at=at, name=name
        )
        row = ClubImport.objects.create(
            club=made.club,
            keys=made.keys,
            state=State.DONE,
            file_name=file_name[-200:],
            digest=package.archive.digest,
            preview=reading.preview_of(package),
            made_by=owner,
            made_at=at,
            done_at=at,
        )
    importing.settle(club=made.club, at=at)
    return row


def _importer(actor: Actor) -> User:
    policies.require(actor, "club.found")
    user = person(actor)
    if user is None:
        raise NotAllowed(_("Only a person can import a club."))
    return user


# What workers do


def carry_out(*, import_id: int, at: datetime) -> bool:
    """Makes the club of a file that waits, unless another worker has it; whether it is there now."""
    row = _leased(import_id, at)
    if row is None:
        return False
    with override(row.language):
        try:
            return _made(row, at)
        except LeagueError as refusal:
            return _failed(row, refusal.message)
        except Exception as fault:  # noqa: BLE001 (a file from outside: whatever it does, the person is told)
            return _failed_oddly(row, fault)


def _leased(import_id: int, at: datetime) -> ClubImport | None:
    with transaction.atomic():
        waiting = ClubImport.objects.filter(_free(at), pk=import_id)
        row = next(iter(locks.lease(waiting, most=1)), None)
        if row is None:
            return None
        row.state, row.leased_until, row.tries = State.WORKING, at + LEASE, row.tries + 1
        row.save(update_fields=["state", "leased_until", "tries"])
    return row


def _free(at: datetime) -> Q:
    lost = Q(state=State.WORKING) & (Q(leased_until=None) | Q(leased_until__lt=at))
    return (Q(state=State.WAITING) | lost) & Q(tries__lt=MOST_TRIES)


def _made(row: ClubImport, at: datetime) -> bool:
    owner = row.made_by
    if owner is None or not owner.is_active:
        raise Conflict(_("The account that sent this file is closed."))
    package = reading.understand(archives.read(BytesIO(bytes(row.content or b""))))
    with transaction.atomic():
        made = importing.carry_out(actor=owner, owner=owner, package=package, at=at)
        written = _own(row).update(
            state=State.DONE,
            club=made.club,
            keys=made.keys,
            content=None,
            leased_until=None,
            done_at=at,
            failure="",
        )
        if not written:
            raise Conflict(_("This file has been imported already."))
    importing.settle(club=made.club, at=at)
    return True


def _own(row: ClubImport) -> Any:
    """The row as long as it is this worker's: a later one has counted the tries up."""
    return ClubImport.objects.filter(pk=row.pk, state=State.WORKING, tries=row.tries)


def _failed(row: ClubImport, words: str) -> bool:
    _own(row).update(state=State.FAILED, failure=words[:1000], content=None, leased_until=None)
    return False


def _failed_oddly(row: ClubImport, fault: Exception) -> bool:
    """Something that nobody foresaw: told without its words, and tried once more by the sweep."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    log.error("club_not_imported", row=row.pk, fault=type(fault).__name__, where=where)
    if row.tries >= MOST_TRIES:
        said = _("We couldn’t import this file. The people who run the site can find out more in the log.")
        return _failed(row, said)
    _own(row).update(state=State.WAITING, leased_until=None)
    return False


def sweep(*, at: datetime) -> int:
    """Imports what was left lying, and forgets files that are a day old; gives how many clubs were made."""
    lost = ClubImport.objects.filter(state=State.WORKING, leased_until__lt=at, tries__gte=MOST_TRIES)
    lost.update(
        state=State.FAILED,
        leased_until=None,
        content=None,
        failure=_("It took too long. Export one competition after another, and import those."),
    )
    old = ClubImport.objects.filter(made_at__lt=at - KEPT)
    old.filter(state__in=[State.PREVIEWED, State.FAILED]).delete()
    waiting = ClubImport.objects.filter(_free(at)).order_by(F("leased_until").asc(nulls_first=True), "pk")
    return sweeps.run(
        work="club import", rows=waiting, do=lambda key: carry_out(import_id=key, at=at), at=at, most=5
    )
