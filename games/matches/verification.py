"""Recomputing every stored score and total from what was written down; nothing is changed."""

from collections.abc import Iterator
from typing import Any

from django.utils.crypto import salted_hmac

from engine import game
from games import front
from games.analysis.services import analyses
from games.comparisons.services import verification as comparison_verification
from games.models import Analysis, Match, PlayedSide, Scoresheet
from games.records.parsing import Reading
from league.idempotency import digest_of
from league.models import Competition, Fixture
from league.seasons.queries import verification as endings
from league.standings.services import verification
from league.standings.services.verification import Difference


def differences(*, competition: Competition) -> Iterator[Difference]:
    """Every difference between stored and recomputed scores, totals and results of the competition's matches."""
    yield from verification.differences(competition=competition)
    yield from endings.differences(competition=competition)
    yield from of_matches(competition=competition)
    yield from analyses_differing(competition=competition)
    yield from comparison_verification.differences(competition=competition)


def of_matches(*, competition: Competition) -> Iterator[Difference]:
    """The differences of sheets, figures and results alone, which nothing has to be computed for first."""
    matches = Match.objects.with_fixture().filter(fixture__round__stage__competition=competition)
    for match in matches.prefetch_related("sheets__deals", "fixture__substitutions__substitute"):
        for sheet in match.sheets.all():
            reading = analyses.reading_of(match, sheet)
            yield from _sheet(match, sheet, reading)
            if sheet.verdict == Scoresheet.Verdict.CONFIRMED:
                yield from _figures(match, sheet, reading)
                yield from _result(match, sheet, reading)
        yield from _status(match)


def _sheet(match: Match, sheet: Scoresheet, reading: Reading) -> Iterator[Difference]:
    where = f"{match}, scoresheet {sheet.version}"
    if digest_of(sheet.content) != sheet.digest:
        fresh_digest = digest_of(sheet.content)
        yield Difference(where, "the content's digest", _short(sheet.digest), _short(fresh_digest))
    stored, computed = tuple(sheet.totals), tuple(reading.total.values())
    if stored != computed or not reading.is_accepted:
        yield Difference(where, "the total", f"{stored}", f"{computed}" if reading.is_accepted else "refused")
    kept = [(deal.number, deal.dealer, deal.score) for deal in sheet.deals.all()]
    fresh = list(zip(range(1, len(reading.scores) + 1), reading.dealers, reading.scores, strict=True))
    for (number, dealer, score), (_, fresh_dealer, fresh_score) in zip(kept, fresh, strict=False):
        if (dealer, score) != (fresh_dealer, fresh_score):
            yield Difference(
                f"{where}, deal {number}",
                "the score",
                _short([dealer, score]),
                _short([fresh_dealer, fresh_score]),
            )
    if len(kept) != len(fresh):
        yield Difference(where, "the number of deals", str(len(kept)), str(len(fresh)))


def _figures(match: Match, sheet: Scoresheet, reading: Reading) -> Iterator[Difference]:
    """What the pairs did in each deal, and the analyses. One that waits for a worker is no difference yet."""
    kept = {
        (played.deal_id, played.entry_id): played
        for played in PlayedSide.objects.filter(deal__sheet=sheet)
        .select_related("analysis")
        .prefetch_related("hands")
    }
    offered = game.get(match.game)
    plays = analyses.plays_by_number(match.fixture)
    for deal in sheet.deals.all():
        where = f"{match}, scoresheet {sheet.version}, deal {deal.number}"
        play = plays.get(deal.number)
        question = analyses.asked(offered, deal, play)
        digests = analyses.digests_of_question(offered, question) if question else (None,)
        for fresh in front.of(match.game).take_figures(match, deal, reading):
            played = kept.pop((deal.pk, fresh.entry), None)
            if played is None:
                continue
            stored = _stored(played)
            computed = (fresh.side, fresh.given_away, fresh.hands)
            if stored != computed:
                yield Difference(where, "what a pair did", _short(stored), _short(computed))
            named = played.analysis.digest if played.analysis else None
            # A version that was marked afterwards does not take back what was asked for the board's cards.
            if named not in digests and not (play and play.version):
                yield Difference(where, "the analysis", f"{named}", f"{digests[0]}")
            yield from _costs(where, played)
    for played in kept.values():
        yield Difference(f"{match}, scoresheet {sheet.version}", "a pair in a deal", str(played), "missing")


def _stored(played: PlayedSide) -> tuple[str, int | None, tuple[tuple[int, str, int], ...]]:
    hands = tuple((hand.number, hand.value, hand.points) for hand in played.hands.all())
    if played.sealed is None:
        return played.side, played.given_away, hands
    return played.side, played.sealed["given_away"], tuple((n, v, p) for n, v, p in played.sealed["hands"])


def _costs(where: str, played: PlayedSide) -> Iterator[Difference]:
    analysis = played.analysis
    if analysis is None or analysis.version == 0:
        return
    costs = analyses.costs_of(analyses.content_in(analysis))
    for hand in played.hands.all():
        if hand.cost != costs.get(hand.number):
            place = f"{where}, hand {hand.number}"
            yield Difference(place, "the cost", f"{hand.cost}", f"{costs.get(hand.number)}")


def analyses_differing(*, competition: Competition) -> Iterator[Difference]:
    """Every analysis of the competition's deals that today's version of the game would answer otherwise."""
    sides = PlayedSide.objects.filter(entry__competition=competition)
    for analysis in Analysis.objects.filter(pk__in=sides.values("analysis")):
        offered = game.get(analysis.game)
        if analysis.version != analyses.version_of(offered):
            continue
        fresh = analyses.content_of(offered, analysis)
        stored = analyses.content_in(analysis)
        if stored != fresh:
            yield Difference(f"Analysis {analysis}", "the content", _short(stored), _short(fresh))


def _short(content: Any) -> str:
    """What tells two values of an encrypted column apart, and nobody without the site's key what they are."""
    return salted_hmac("games.verification", digest_of(content)).hexdigest()[:12]


def _status(match: Match) -> Iterator[Difference]:
    is_confirmed = any(sheet.verdict == Scoresheet.Verdict.CONFIRMED for sheet in match.sheets.all())
    status = match.fixture.status
    if is_confirmed != (status == Fixture.Status.CONFIRMED):
        yield Difference(str(match), "the status", status, "confirmed" if is_confirmed else "not confirmed")


def _result(match: Match, sheet: Scoresheet, reading: Reading) -> Iterator[Difference]:
    """What the sides have of a match that counts: its points, and the places that the game gives for them."""
    if match.fixture.status != Fixture.Status.CONFIRMED:
        return
    stored = [(side.score, side.rank) for side in match.fixture.sides]
    follows = list(zip(sheet.totals, reading.ranks.values(), strict=True))
    if stored != follows:
        yield Difference(str(match), "the result", str(stored), str(follows))
