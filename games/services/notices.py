"""Mails that a sheet's way sends: rows in the outbox, written with the decision itself."""

from typing import Any

from django.urls import reverse

from games.models import Scoresheet
from league.models import Entry, User
from league.services import outbox


def to_confirm(*, sheet: Scoresheet) -> None:
    """Tells the other pair (both pairs, for an official's sheet) that a sheet waits for them."""
    for user in _others(sheet):
        outbox.post(to=user.email, template="to_confirm", context=_context(sheet, user))


def rejected(*, sheet: Scoresheet) -> None:
    """Tells who entered the sheet that it was rejected, and why."""
    outbox.post(to=sheet.entered_by.email, template="rejected", context=_context(sheet, sheet.entered_by))


def _others(sheet: Scoresheet) -> list[User]:
    fixture = sheet.match.fixture
    entries: list[Entry] = [e for e in (fixture.home, fixture.away) if e.pk != sheet.entered_for_id]
    players = [player for entry in entries for player in entry.partnership.players]
    # Who stands in for one of them confirms as well.
    stand_ins = fixture.substitutions.filter(entry__in=entries).select_related("substitute")
    everybody = (*players, *(each.substitute for each in stand_ins))
    accounts = {player.user_id for player in everybody if player.user_id is not None}
    return list(User.objects.filter(pk__in=accounts - {sheet.entered_by_id}, is_active=True).order_by("pk"))


def _context(sheet: Scoresheet, user: User) -> dict[str, Any]:
    fixture = sheet.match.fixture
    return {
        "name": user.get_short_name(),
        "home": str(fixture.home),
        "away": str(fixture.away),
        "home_total": sheet.home_total,
        "away_total": sheet.away_total,
        "entered_by": str(sheet.entered_by),
        "reason": sheet.verdict_reason,
        "path": reverse("match", args=[fixture.pk]),
    }
