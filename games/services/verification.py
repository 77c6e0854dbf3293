"""Recomputing every stored score and total from what was written down; nothing is changed."""

from collections.abc import Iterator

from games import readings
from games.models import Match, Scoresheet
from league.models import Competition, Fixture
from league.services import verification
from league.services.idempotency import digest_of
from league.services.verification import Difference


def differences(*, competition: Competition) -> Iterator[Difference]:
    """Every difference between stored and recomputed scores, totals and results of the competition's matches."""
    yield from verification.differences(competition=competition)
    matches = Match.objects.with_fixture().filter(fixture__round__competition=competition)
    for match in matches.prefetch_related("sheets__deals", "fixture__substitutions__substitute"):
        for sheet in match.sheets.all():
            yield from _sheet(match, sheet)
        yield from _result(match)


def _sheet(match: Match, sheet: Scoresheet) -> Iterator[Difference]:
    where = f"{match}, scoresheet {sheet.version}"
    reading = readings.read(
        fixture=match.fixture, content=sheet.content, options=match.options, is_stored=True
    )
    if digest_of(sheet.content) != sheet.digest:
        yield Difference(where, "the content's digest", sheet.digest[:12], digest_of(sheet.content)[:12])
    stored, computed = (sheet.home_total, sheet.away_total), (reading.total["home"], reading.total["away"])
    if stored != computed or not reading.is_accepted:
        yield Difference(where, "the total", f"{stored}", f"{computed}" if reading.is_accepted else "refused")
    kept = [(deal.number, deal.dealer, deal.score) for deal in sheet.deals.all()]
    fresh = list(zip(range(1, len(reading.scores) + 1), reading.dealers, reading.scores, strict=True))
    for (number, dealer, score), (_, fresh_dealer, fresh_score) in zip(kept, fresh, strict=False):
        if (dealer, score) != (fresh_dealer, fresh_score):
            yield Difference(f"{where}, deal {number}", "the score", f"{score}", f"{fresh_score}")
    if len(kept) != len(fresh):
        yield Difference(where, "the number of deals", str(len(kept)), str(len(fresh)))


def _result(match: Match) -> Iterator[Difference]:
    confirmed = next((s for s in match.sheets.all() if s.verdict == Scoresheet.Verdict.CONFIRMED), None)
    fixture = match.fixture
    if (confirmed is not None) != (fixture.status == Fixture.Status.CONFIRMED):
        yield Difference(
            str(match), "the status", fixture.status, "confirmed" if confirmed else "not confirmed"
        )
    elif confirmed is not None:
        stored = (fixture.result.home_score, fixture.result.away_score)
        if stored != (confirmed.home_total, confirmed.away_total):
            follows = f"({confirmed.home_total}, {confirmed.away_total})"
            yield Difference(str(match), "the result", str(stored), follows)
