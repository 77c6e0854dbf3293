"""A match for programs: what was played, its sheets, its trail."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import embargo
from games.api.serializers import MatchSerializer
from games.fixture_boards import boards_of
from games.models import Match, Scoresheet
from games.proof import participations
from games.records import parsing as readings
from games.records.parsing import Reading, match_of
from games.scoresheets.queries import trail
from games.scoresheets.queries.matches import next_steps, sheets_of
from league import policies
from league.actors import Visitor
from league.api import visibility
from league.api.requests import asking
from league.api.schema import errors
from league.api.serializers import AuditSerializer
from league.models import AuditEntry, Fixture, User

LONGEST_TRAIL = 200


def deals_as_json(reading: Reading) -> list[dict[str, Any]]:
    """The deals of a reading as PlayedDealSerializer describes them."""
    # A game whose sheets go no deeper than totals has nothing to describe.
    described = reading.descriptions or (None,) * len(reading.records)
    deals = zip(reading.dealers, reading.records, reading.scores, described, strict=True)
    return [
        {
            "number": number,
            "dealer": dealer,
            "record": record,
            "score": score,
            "description": None if description is None else description.as_json(),
        }
        for number, (dealer, record, score, description) in enumerate(deals, start=1)
    ]


def points_of(reading: Reading | None) -> dict[str, Any]:
    """The sides with what they made; `points`, `bonus` and `total` are for programs that know matches of two sides."""
    if reading is None:
        return {"points": None, "bonus": None, "total": None, "made": []}
    is_of_two = len(reading.total) == 2
    made = [
        {
            "entry": entry,
            "side": side,
            "points": reading.points[name],
            "bonus": reading.bonus[name],
            "total": reading.total[name],
            "rank": reading.ranks[name] if reading.is_over else None,
        }
        for (side, name), entry in zip(
            reading.seating.names.items(), reading.seating.entries.values(), strict=True
        )
    ]
    return {
        "points": reading.points if is_of_two else None,
        "bonus": reading.bonus if is_of_two else None,
        "total": reading.total if is_of_two else None,
        "made": made,
    }


def read_sheet(sheet: Scoresheet) -> Reading:
    """A stored sheet as the engine reads it under the match's own options."""
    match = sheet.match
    return readings.read(fixture=match.fixture, content=sheet.content, options=match.options, is_stored=True)


class MatchDetail(APIView):
    """The match of a fixture."""

    @extend_schema(operation_id="match", summary="A match", responses={200: MatchSerializer, **errors(404)})
    def get(self, request: Request, pk: int) -> Response:
        """The match of the fixture with this id: deal by deal, with the versions of its scoresheet."""
        fixture = visibility.fixture(user=request.user, key=pk)
        return Response(MatchSerializer(_match(request.user, fixture)).data)


class MatchAudit(APIView):
    """The trail of a match."""

    @extend_schema(
        operation_id="match_audit",
        summary="Who did what in a match",
        responses={200: AuditSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The newest entries of the audit trail, for the two pairs and the directors."""
        fixture = visibility.fixture(user=request.user, key=pk)
        policies.require(asking(request), "fixture.see_audit", fixture)
        entries = list(AuditEntry.objects.filter(fixture=fixture)[:LONGEST_TRAIL])
        if not embargo.sees_sheets(visitor=request.user, fixture=fixture):
            entries = [_without_deals(entry) for entry in entries]
        elif any(trail.tells_of_deals(entry) for entry in entries):
            participations.judged(actor=asking(request), fixture=fixture, at=timezone.now())
        return Response(AuditSerializer(entries, many=True).data)


def _without_deals(entry: AuditEntry) -> AuditEntry:
    """The entry without what could tell of a deal: people's own words, a digest to try out, a director's score."""
    entry.before, entry.after = trail.without_deals(entry.before), trail.without_deals(entry.after)
    entry.reason = ""
    return entry


def _match(user: Visitor, fixture: Fixture) -> dict[str, Any]:
    match = match_of(fixture)
    sheets = sheets_of(match)
    steps = next_steps(visitor=user, fixture=fixture, sheets=sheets, at=timezone.now())
    is_open = embargo.sees_sheets(visitor=user, fixture=fixture)
    if is_open and sheets and isinstance(user, User):
        participations.judged(actor=user, fixture=fixture, at=timezone.now())
    is_confirmed = any(sheet.verdict == Scoresheet.Verdict.CONFIRMED for sheet in sheets)
    return {
        "fixture": fixture,
        **_played(match, sheets, is_open=is_open),
        "boards": [{"set": p.board.board_set_id, "number": p.board.number} for p in boards_of(fixture)],
        "sheets": [
            sheet if is_open else without_deals(sheet)
            for sheet in sheets
            if policies.may(user, "sheet.see", sheet)
        ],
        "may": {
            "enter": bool(steps.enter),
            "judge": steps.judge.version if steps.judge else None,
            "reopen": is_confirmed and policies.may(user, "match.reopen", fixture),
        },
    }


def without_deals(sheet: Scoresheet) -> Scoresheet:
    """The version for somebody who must not know its deals yet: nothing that tells of them, not even its digest."""
    sheet.content, sheet.suspicious, sheet.digest, sheet.verdict_reason = {}, [], "", ""
    return sheet


def _played(match: Match | None, sheets: tuple[Scoresheet, ...], *, is_open: bool) -> dict[str, Any]:
    """What the confirmed sheet says; empty before there is one."""
    confirmed = next((sheet for sheet in sheets if sheet.verdict == Scoresheet.Verdict.CONFIRMED), None)
    reading = read_sheet(confirmed) if confirmed else None
    return {
        "first_dealer": reading.seating.first_dealer if reading else None,
        "seats": match.seats.select_related("player") if match and reading else [],
        "confirmed_at": match.confirmed_at if match else None,
        "locks_at": match.locks_at if match else None,
        "counted": reading.counted if reading else 0,
        **points_of(reading),
        "is_open": is_open,
        "deals": deals_as_json(reading) if reading and is_open else [],
    }
