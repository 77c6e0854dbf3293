"""Boards compared: a result bumps its boards' versions; a worker stores the figures of the newest, whole.

The scheme is that of league.standings.services.standings. The version is read before the facts: a result that arrives
in between makes the figures newer than their label, never older, and has asked for the next computation itself. What is
stored is never replaced by something older.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from games import locks
from games.comparisons.reckoning import columns, fields
from games.comparisons.reckoning.columns import Terms
from games.models import Board, BoardSet, Comparison, Duplicate, EventRanking
from league import locks as league_locks
from league import policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.background import announce, sweeps
from league.competitions.services import competitions
from league.errors import Invalid
from league.idempotency import digest_of
from league.models import Competition, Fixture, Stage
from league.words import sentences


def bump(*boards: Board) -> None:
    """Marks what follows from these boards' results as out of date, in the caller's transaction, and asks workers.

    The caller holds the lock of the event's competition, so that two who change several boards never wait for each
    other in a circle.
    """
    _bump({board.pk for board in boards})


def bump_fixture(fixture: Fixture) -> None:
    """The same for all boards that a match plays; nothing for a match that plays none."""
    boards = set(Board.objects.filter(plays__fixture=fixture).values_list("pk", flat=True))
    if boards:
        _bump(boards)


def laid_out(*boards: Board) -> None:
    """Other tables play these boards than before: boards with results are compared again, the rest need nothing.

    So are the other boards of their sets, which may have to be worth as much as these.
    """
    _bump(_beside({board.pk for board in boards}), least=1)


def recount(*boards: Board) -> None:
    """Another number of results is expected of these boards, so perhaps of all boards of their sets."""
    keys = {board.pk for board in boards}
    _bump(keys)
    _bump(_beside(keys) - keys, least=1)


def _beside(keys: Collection[int]) -> set[int]:
    """All boards of the sets of these."""
    sets = BoardSet.objects.filter(boards__in=keys)
    return set(Board.objects.filter(board_set__in=sets.values("pk")).values_list("pk", flat=True))


def _bump(keys: Collection[int], least: int = 0) -> None:
    """Only what has had so many changes before."""
    with transaction.atomic():
        boards = Board.objects.filter(pk__in=keys, results_version__gte=least)
        changed = sorted(boards.values_list("pk", flat=True))
        Board.objects.filter(pk__in=changed).update(results_version=F("results_version") + 1)
        sets = BoardSet.objects.filter(boards__in=keys)
        events = Duplicate.objects.filter(
            competition__in=sets.values("competition"), results_version__gte=least
        )
        ranked = set(events.values_list("pk", flat=True))
        # What is carried over is that of the ranking as it stands (F8).
        carrying = Stage.objects.exclude(carry_over=Stage.CarryOver.NONE).filter(
            competition__duplicate__isnull=False
        )
        later = ranked
        while later:
            found = carrying.filter(after__competition__in=later).values_list("competition", flat=True)
            later = set(found) - ranked
            ranked |= later
        Duplicate.objects.filter(pk__in=ranked).update(results_version=F("results_version") + 1)
        for board in changed:
            announce.after_commit("games.tasks.compare_board", board)
        for event in sorted(ranked):
            announce.after_commit("games.tasks.rank_event", event)


def bump_event(competition: Competition) -> None:
    """The same for all boards of a competition: another rule says which results are compared."""
    _bump(set(_boards_of(competition.pk).values_list("pk", flat=True)))


def ruled(*, actor: Actor, fixture: Fixture, reason: str) -> None:  # noqa: ARG001 - as every listener is called
    """A director has decided the match without play, or takes that back: other results are expected of its boards."""
    recount(*Board.objects.filter(plays__fixture=fixture))


@transaction.atomic
def change_settings(
    *,
    actor: Actor,
    competition: Competition,
    measure: str | None = None,
    method: str | None = None,
    tops: str | None = None,
    least_share: int | None = None,
    reason: str = "",
) -> Duplicate:
    """What an event compares, and how; what is left out stays. All figures and rankings are computed again."""
    competition = competitions.locked(competition)
    policies.require(actor, "comparison.settings", competition)
    competitions.check_not_final(competition)
    duplicate = Duplicate.objects.filter(pk=competition.pk).first()
    if duplicate is None:
        raise Invalid(_("The tables in this competition don’t play the same boards."))
    given = {"measure": measure, "method": method, "tops": tops, "least_share": least_share}
    before = {name: getattr(duplicate, name) for name in given}
    after = {name: before[name] if value is None else value for name, value in given.items()}
    if before == after:
        return duplicate
    for name, value in after.items():
        setattr(duplicate, name, value)
    validation.check(duplicate)
    duplicate.save(update_fields=list(after))
    audit.record(
        actor=actor,
        action="comparison.settings_changed",
        summary=sentences.Joined(
            (
                Duplicate.Measure(duplicate.measure).label,
                Duplicate.Way(duplicate.method).label,
            )
        ),
        competition=competition,
        before=before,
        after=after,
        reason=reason,
    )
    _bump(set(_boards_of(competition.pk).values_list("pk", flat=True)))
    duplicate.refresh_from_db(fields=["results_version"])
    return duplicate


def _boards_of(competition_id: int) -> Any:
    return Board.objects.filter(board_set__competition=competition_id, plays__isnull=False).distinct()


def compute(*, board_id: int, at: datetime) -> int | None:
    """Stores the figures of a board's newest results; gives their version, None where there is nothing to do."""
    board = Board.objects.filter(pk=board_id).values_list("results_version", "comparison__results_version")
    newest, kept = board.first() or (None, None)
    if newest is None or (kept is not None and kept >= newest):
        return None
    return _compute([board_id], at).get(board_id)


def _compute(board_ids: Iterable[int], at: datetime) -> dict[int, int]:
    """Stores the figures of these boards, whatever is stored of them; gives the version of each."""
    boards = Board.objects.filter(pk__in=list(board_ids), board_set__competition__duplicate__isnull=False)
    versions = dict(boards.values_list("pk", "results_version"))
    terms = {
        duplicate.pk: Terms.of(duplicate)
        for duplicate in Duplicate.objects.filter(competition__board_sets__boards__in=versions).distinct()
    }
    events = dict(boards.values_list("pk", "board_set__competition_id"))
    for board, plays in columns.plays_of(list(versions)).items():
        content = columns.content_of(plays, terms[events[board]])
        _store(board_id=board, version=versions[board], content=content, at=at)
    return versions


def _store(*, board_id: int, version: int, content: dict[str, Any], at: datetime) -> None:
    """Under the board's lock, for the figures may have no row yet that could be locked."""
    with transaction.atomic():
        locks.board(board_id)
        stored = Comparison.objects.filter(pk=board_id).values_list("results_version", flat=True).first()
        if stored is not None and stored > version:
            return
        Comparison.objects.update_or_create(
            board_id=board_id,
            defaults={
                "results_version": version,
                "content": content,
                "digest": digest_of(content),
                "computed_at": at,
            },
        )


def rank(*, competition_id: int, at: datetime) -> int | None:
    """Stores the rankings of an event's newest results; gives their version, None where there is nothing to do.

    Figures that are out of date are computed first, so that a ranking never counts less than its version says.
    """
    if not Duplicate.objects.stale().filter(pk=competition_id).exists():
        return None
    return _rank(competition_id, at)


def _rank(competition_id: int, at: datetime) -> int | None:
    duplicate = Duplicate.objects.filter(pk=competition_id).first()
    if duplicate is None:
        return None
    # Of the stage before as well, whose boards may count on (F8).
    before = Stage.objects.filter(competition=competition_id).values("after__competition")
    own = Q(board_set__competition=competition_id) | Q(board_set__competition__in=before)
    _compute(Board.objects.stale().filter(own).values_list("pk", flat=True), at)
    rankings = fields.rankings_of(competition_id, Terms.of(duplicate))
    _store_rankings(competition_id, duplicate.results_version, rankings, at)
    return duplicate.results_version


def _store_rankings(
    competition_id: int, version: int, rankings: dict[tuple[str, int], dict[str, Any]], at: datetime
) -> None:
    with transaction.atomic():
        league_locks.one(Duplicate.objects.filter(pk=competition_id))
        stored = {
            (row.field, row.round_number): row
            for row in EventRanking.objects.filter(competition=competition_id).defer("content")
        }
        if any(row.results_version > version for row in stored.values()):
            return
        EventRanking.objects.bulk_create(
            [
                EventRanking(
                    competition_id=competition_id,
                    field=field,
                    round_number=round_number,
                    results_version=version,
                    content=content,
                    digest=digest_of(content),
                    computed_at=at,
                )
                for (field, round_number), content in rankings.items()
            ],
            update_conflicts=True,
            unique_fields=["competition", "field", "round_number"],
            update_fields=["results_version", "content", "digest", "computed_at"],
        )
        gone = [row.pk for key, row in stored.items() if key not in rankings]
        EventRanking.objects.filter(pk__in=gone).delete()


def compute_event(*, competition_id: int, at: datetime) -> int | None:
    """Stores all figures and rankings of an event at once, also those that are up to date; gives their version."""
    _compute(_boards_of(competition_id).values_list("pk", flat=True), at)
    return _rank(competition_id, at)


def sweep(*, at: datetime) -> int:
    """Computes what a lost message left out of date; gives how many boards and events were. One holds up no other."""
    boards = sweeps.run(
        work="comparison of a board",
        rows=Board.objects.stale().order_by("pk"),
        do=lambda key: compute(board_id=key, at=at) is not None,
        at=at,
    )
    events = sweeps.run(
        work="ranking of an event",
        rows=Duplicate.objects.stale().order_by("pk"),
        do=lambda key: rank(competition_id=key, at=at) is not None,
        at=at,
    )
    return boards + events
