"""Mails that a sheet's way sends: rows in the outbox, written with the decision itself."""

from typing import Any

from django.urls import reverse

from games.models import Scoresheet
from games.proof import typed_sheets
from league.models import Entry, OutboxMessage, User
from league.notices.services import outbox


def to_confirm(*, sheet: Scoresheet, days: int = 0) -> list[tuple[Entry, User, OutboxMessage]]:
    """Tells the other pair (both pairs, for an official's sheet) that a sheet waits for them.

    With `days`, also that it counts when they say nothing for so long. Gives who was told for which side.
    """
    return [
        (entry, user, _post(sheet, user, "to_confirm", silence_days=days)) for entry, user in _others(sheet)
    ]


def silence_ends(*, sheet: Scoresheet, user: User) -> None:
    """Tells a member of a silent side that the sheet counts tomorrow."""
    _post(sheet, user, "silence_ends")


def counts_signed(*, sheet: Scoresheet) -> None:
    """Tells both pairs that what an official typed from their paper counts."""
    for _entry, user in _others(sheet):
        _post(sheet, user, "counts_signed")


def rejected(*, sheet: Scoresheet) -> None:
    """Tells the person who entered the sheet who rejected it, and why; a guest has no address."""
    if sheet.entered_by.is_active:
        _post(sheet, sheet.entered_by, "rejected", rejected_by=str(sheet.verdict_by))


def _post(sheet: Scoresheet, user: User, template: str, **more: Any) -> OutboxMessage:
    return outbox.post(
        to=user.email,
        template=template,
        context={**_context(sheet, user), **more},
        club=sheet.match.fixture.round.competition.club,
    )


def _others(sheet: Scoresheet) -> list[tuple[Entry, User]]:
    fixture = sheet.match.fixture
    entries: list[Entry] = [e for e in fixture.entries if e.pk != sheet.entered_for_id]
    return [
        (entry, user)
        for entry in entries
        for user in typed_sheets.people_of(fixture, entry)
        if user.pk != sheet.entered_by_id
    ]


def _score(sheet: Scoresheet) -> str:
    """Who made what: "Berg & Dorn 187 – 131 Ito & Kay"; of more than two sides one after the other."""
    entries, totals = sheet.match.fixture.entries, sheet.totals
    if len(totals) == 2:
        return f"{entries[0]} {totals[0]} – {totals[1]} {entries[1]}"
    return ", ".join(f"{entry} {points}" for entry, points in zip(entries, totals, strict=True))


def _context(sheet: Scoresheet, user: User) -> dict[str, Any]:
    fixture = sheet.match.fixture
    return {
        "name": user.get_short_name(),
        "match": str(fixture),
        "score": _score(sheet),
        "entered_by": str(sheet.entered_by),
        "reason": sheet.verdict_reason,
        "path": reverse("match", args=[fixture.pk]),
    }
