"""What people are told on a sheet's way, written with the decision itself."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from games.models import Scoresheet
from games.proof import typed_sheets
from league.actors import Actor, person
from league.fixtures.services import telling
from league.models import Entry, Fixture, OutboxMessage, User
from league.notices import events
from league.notices.events import Event
from league.notices.services.notices import notify


def to_confirm(
    *, sheet: Scoresheet, days: int = 0, reason: str = ""
) -> list[tuple[Entry, User, OutboxMessage | None]]:
    """Tells the other pair (both pairs, for an official's sheet) that a sheet waits for them.

    With `days`, also that it counts when they say nothing for so long; of a correction also the `reason`. Gives who
    was told for which side, and by which mail.
    """
    asked = _others(sheet)
    mails = _notify(events.TO_CONFIRM, sheet, [user for _entry, user in asked], silence_days=days, why=reason)
    return [(entry, user, mails.get(user)) for entry, user in asked]


def silence_ends(*, sheet: Scoresheet, users: Iterable[User]) -> None:
    """Tells the members of the silent sides that the sheet counts tomorrow."""
    _notify(events.SILENCE_ENDS, sheet, users)


def counts_signed(*, sheet: Scoresheet) -> None:
    """Tells both pairs that what an official typed from their paper counts."""
    _notify(events.COUNTS_SIGNED, sheet, [user for _entry, user in _others(sheet)])


def counts(*, actor: Actor, sheet: Scoresheet, before: Scoresheet | None) -> None:
    """Tells who plays the match, but for who confirmed it, that the sheet counts; of a correction also what was."""
    _notify(
        events.SHEET_CORRECTED if before is not None else events.SHEET_CONFIRMED,
        sheet,
        _beside(actor, sheet.match.fixture),
        confirmed_by=str(actor) if isinstance(actor, User) else "",
        before=_score(sheet, before.totals) if before is not None else "",
    )


def reopened(*, actor: Actor, sheet: Scoresheet, reason: str) -> None:
    """Tells who plays the match that a director took its result back; without a reason here the page has it."""
    _notify(events.REOPENED, sheet, _beside(actor, sheet.match.fixture), who=str(actor), reason=reason)


def rejected(*, actor: Actor, sheet: Scoresheet, is_open: bool) -> None:
    """Tells who entered the sheet, and their partner, who rejected it and why; a guest has no inbox. Directors hear of
    it where the match has no result now, without points or reason: they may have to play its boards.
    """
    own = sheet.entered_for
    side = typed_sheets.people_of(sheet.match.fixture, own) if own is not None else ()
    people = {user.pk: user for user in (sheet.entered_by, *side)}
    _notify(events.SCORESHEET_REJECTED, sheet, people.values(), rejected_by=str(sheet.verdict_by))
    if is_open:
        telling.tell_directors(actor=actor, event=events.DISPUTED, fixture=sheet.match.fixture)


def _notify(
    event: Event, sheet: Scoresheet, users: Iterable[User], **more: Any
) -> dict[User, OutboxMessage | None]:
    fixture = sheet.match.fixture
    context = {
        "match": str(fixture),
        "score": _score(sheet),
        "entered_by": str(sheet.entered_by),
        "reason": sheet.verdict_reason,
        "path": reverse("match", args=[fixture.pk]),
        **more,
    }
    return notify(event, users, context=context, club=fixture.round.competition.club)


def _beside(actor: Actor, fixture: Fixture) -> QuerySet[User]:
    """Who plays the match, but for the person who did this."""
    people = typed_sheets.people_of(fixture, *fixture.entries)
    user = person(actor)
    return people if user is None else people.exclude(pk=user.pk)


def _others(sheet: Scoresheet) -> list[tuple[Entry, User]]:
    fixture = sheet.match.fixture
    entries: list[Entry] = [e for e in fixture.entries if e.pk != sheet.entered_for_id]
    return [
        (entry, user)
        for entry in entries
        for user in typed_sheets.people_of(fixture, entry)
        if user.pk != sheet.entered_by_id
    ]


def _score(sheet: Scoresheet, points: Sequence[int] | None = None) -> str:
    """Who made what: "Berg & Dorn 187 – 131 Ito & Kay"; of more than two sides one after the other."""
    entries, totals = sheet.match.fixture.entries, points or sheet.totals
    if len(totals) == 2:
        return f"{entries[0]} {totals[0]} – {totals[1]} {entries[1]}"
    return ", ".join(f"{entry} {points}" for entry, points in zip(entries, totals, strict=True))
