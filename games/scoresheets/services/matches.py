"""The match of a fixture: made when first needed, locked while it is written to, locked for good after its window."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from games import locks
from games.comparisons.services import comparisons
from games.fixture_boards import sealed_matches
from games.models import BoardConsent, FixtureBoard, Match, MatchSeat, Scoresheet
from games.records.parsing import Reading
from games.scoresheets.services import notices
from league import policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Fixture
from league.words import sentences

lock = locks.match


def is_locked(*, match: Match, at: datetime) -> bool:
    """Whether the correction window of a confirmed match is over."""
    return match.locks_at is not None and at >= match.locks_at


def settle(*, sheet: Scoresheet, reading: Reading, at: datetime, locks_at: datetime) -> None:
    """Writes onto the match what the confirmed sheet says of it: seats, first dealer, the time of confirmation."""
    match = sheet.match
    match.first_dealer = reading.seating.first_dealer
    match.confirmed_at, match.locks_at = at, locks_at
    match.save(update_fields=["first_dealer", "confirmed_at", "locks_at"])
    fixture = match.fixture
    offered = game.get(fixture.round.competition.game)
    seating = reading.seating
    if sheet.version > 1:
        MatchSeat.objects.filter(match=match).delete()
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match,
            seat=seat,
            player=player,
            entry_id=seating.entries[offered.side_of(seat, len(seating.players))],
        )
        for seat, player in seating.players.items()
    )


def reopen(*, actor: Actor, fixture: Fixture, reason: str) -> Match:
    """A director takes a confirmed result back, also after the window: the sheet stays, its verdict is "reopened".

    The fixture has no result until a sheet is confirmed again.
    """
    with transaction.atomic():
        match = lock(fixture=fixture)
        policies.require(actor, "match.reopen", match.fixture)
        if not reason.strip():
            raise Invalid(_("Please give a reason. We keep it with the match."))
        sheet = Scoresheet.objects.confirmed().filter(match=match).first()
        if sheet is None:
            raise Conflict(_("This match has no confirmed scoresheet to reopen."))
        take_back(match=match, sheet=sheet, verdict=Scoresheet.Verdict.REOPENED, actor=actor, reason=reason)
        # The same for a mail: of sealed boards the reason stays on the site.
        is_sealed = bool(sealed_matches([match.fixture.pk]))
        notices.reopened(actor=actor, sheet=sheet, reason="" if is_sealed else reason.strip())
        reason = reason_for_trail(match.fixture, reason)
        fixtures.reopen(actor=actor, fixture=match.fixture, reason=reason)
        comparisons.bump_fixture(match.fixture)
        audit.record(
            actor=actor,
            action="match.reopened",
            summary=_reopened(match.fixture) % {"version": sheet.version},
            fixture=match.fixture,
            before=sheet_facts(sheet),
            reason=reason,
        )
    return match


def take_back(*, match: Match, sheet: Scoresheet, verdict: str, actor: Actor, reason: str) -> None:
    """The sheet that counted no longer does, and what followed for its boards neither. The match is locked."""
    give_verdict(sheet=sheet, verdict=verdict, actor=actor, reason=reason)
    FixtureBoard.objects.filter(fixture=match.fixture).update(settled="", is_proven=False)
    BoardConsent.objects.filter(fixture=match.fixture).delete()
    match.confirmed_at = match.locks_at = None
    match.save(update_fields=["confirmed_at", "locks_at"])


def _reopened(fixture: Fixture) -> sentences.Sentence:
    """What is public stays so: the trail says it, because people who enter the match again know all results."""
    if FixtureBoard.objects.filter(fixture=fixture, board__released_at__isnull=False).exists():
        return sentences.gettext("Confirmed scoresheet %(version)d reopened; its boards stay public")
    return sentences.gettext("Confirmed scoresheet %(version)d reopened")


def may_say_why(fixture: Fixture) -> bool:
    """Whether a reason for a correction may be given: where it tells nobody of boards that are still to be played."""
    return fixture.status == Fixture.Status.CONFIRMED and not sealed_matches([fixture.pk])


def reason_for_trail(fixture: Fixture, reason: str) -> str:
    """What the trail keeps of the reason for a verdict: officials who still have to play these boards read it, too."""
    if not sealed_matches([fixture.pk]):
        return reason
    return _("The reason is kept with the scoresheet.")


def give_verdict(*, sheet: Scoresheet, verdict: str, actor: Actor, reason: str = "") -> None:
    """Adds the verdict to a sheet; the only change a sheet ever sees."""
    # The trail may be told another reason, so that it is not looked at there.
    if person(actor) is not None:
        validation.check_text(reason, "reason")
    sheet.verdict, sheet.verdict_reason = verdict, reason.strip()[:500]
    sheet.verdict_by, sheet.verdict_at = person(actor), timezone.now()
    sheet.save(update_fields=["verdict", "verdict_reason", "verdict_by", "verdict_at"])


def sheet_facts(sheet: Scoresheet) -> dict[str, Any]:
    """What the audit trail keeps of a sheet: its row has the rest, and never changes."""
    return {
        "version": sheet.version,
        "digest": sheet.digest,
        **_points(sheet),
        "verdict": sheet.verdict,
    }


def _points(sheet: Scoresheet) -> dict[str, Any]:
    if sheet.match.fixture.team_match_id is not None:
        return {}  # Of a room nothing is told before its match has a result.
    if len(sheet.totals) == 2:
        return {"home": sheet.totals[0], "away": sheet.totals[1]}
    return {"totals": sheet.totals}
