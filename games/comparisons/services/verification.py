"""Recomputing every stored figure of boards and every ranking of an event; nothing is changed."""

from collections.abc import Iterator
from typing import Any

from games import embargo
from games.comparisons.reckoning import columns, fields, teams
from games.comparisons.reckoning.columns import Terms
from games.models import Board, Comparison, Duplicate, EventRanking, FixtureBoard
from league.idempotency import digest_of
from league.models import Competition, Fixture
from league.standings.services.verification import Difference


def differences(*, competition: Competition) -> Iterator[Difference]:
    """Every difference between the stored and the recomputed figures and rankings of a duplicate event."""
    duplicate = Duplicate.objects.filter(pk=competition.pk).first()
    if duplicate is None:
        return
    terms = Terms.of(duplicate)
    # Not a join with `distinct`, which would compare the figures themselves with each other.
    played = FixtureBoard.objects.filter(fixture__round__stage__competition=competition).values("board")
    boards = list(Board.objects.filter(pk__in=played).select_related("comparison", "board_set"))
    plays = columns.plays_of([board.pk for board in boards])
    fresh = {board.pk: columns.content_of(plays[board.pk], terms) for board in boards}
    for board in boards:
        kept: Comparison | None = getattr(board, "comparison", None)
        # A board without a result was never asked for.
        if kept is not None or board.results_version or fresh[board.pk]["plays"]:
            where = f"{competition}, board {board.number}"
            yield from _stored(where, "the comparison", kept, fresh[board.pk], board.results_version)
    yield from _team_matches(competition)
    yield from _rankings(competition, duplicate, fields.rankings_from(competition.pk, terms, fresh))


def _team_matches(competition: Competition) -> Iterator[Difference]:
    """Of a league of teams: matches that have another result than their rooms come to, or none."""
    if not competition.is_of_teams:
        return
    for match in Fixture.objects.of_competition(competition.pk).with_pairs():
        result = teams.result_of(match) if embargo.tells_team_score(match) else None
        is_played = match.status == Fixture.Status.CONFIRMED
        stored = [(side.score, side.made) for side in match.sides] if is_played else None
        follows = list(zip(result.scores, result.made, strict=True)) if result else None
        if stored != follows and match.status not in {Fixture.Status.WALKOVER, Fixture.Status.VOID}:
            yield Difference(str(match), "the result of the teams", str(stored), str(follows))


def _rankings(competition: Competition, duplicate: Duplicate, fresh: fields.Rankings) -> Iterator[Difference]:
    kept = {
        (row.field, row.round_number): row for row in EventRanking.objects.filter(competition=competition)
    }
    if not kept and not duplicate.results_version:
        return
    for field, number in sorted(set(kept) | set(fresh)):
        where = f"{competition}, ranking {field}, round {number or 'all'}"
        row, content = kept.get((field, number)), fresh.get((field, number))
        yield from _stored(where, "the ranking", row, content, duplicate.results_version)


def _stored(
    where: str,
    what: str,
    kept: Comparison | EventRanking | None,
    fresh: dict[str, Any] | None,
    version: int,
) -> Iterator[Difference]:
    is_stale = (kept.results_version if kept else 0) < version
    if kept is None or fresh is None:
        yield Difference(where, what, _presence(kept), _presence(fresh), is_stale=is_stale)
    elif (kept.content, kept.digest) != (fresh, digest_of(fresh)):
        yield Difference(where, what, kept.digest[:12], digest_of(fresh)[:12], is_stale=is_stale)
    elif kept.results_version != version:
        stored = str(kept.results_version)
        yield Difference(where, "the results version", stored, str(version), is_stale=is_stale)


def _presence(thing: object) -> str:
    return "missing" if thing is None else "present"
