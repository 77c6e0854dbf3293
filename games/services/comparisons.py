"""Boards compared: a result bumps its boards' versions; a worker stores the figures of the newest, whole.

The scheme is that of league.services.standings. The version is read before the facts: a result that arrives in
between makes the figures newer than their label, never older, and has asked for the next computation itself. What is
stored is never replaced by something older.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.models import Board, BoardSet, Comparison, Duplicate, EventRanking
from games.selectors import columns, fields
from games.selectors.columns import Terms
from league import policies, sentences
from league.actors import Actor
from league.errors import Invalid
from league.models import Competition, Fixture
from league.services import announce, audit, competitions
from league.services.idempotency import digest_of

log = structlog.get_logger(__name__)

# So many boards are healed by one run of the sweep; the next goes on.
MOST_AT_ONCE = 500


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
    """Other tables play these boards than before: what has results already is compared anew, the rest needs nothing."""
    _bump({board.pk for board in boards}, least=1)


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
        ranked = sorted(events.values_list("pk", flat=True))
        Duplicate.objects.filter(pk__in=ranked).update(results_version=F("results_version") + 1)
        for board in changed:
            announce.after_commit("games.tasks.compare_board", board)
        for event in ranked:
            announce.after_commit("games.tasks.rank_event", event)


def ruled(*, actor: Actor, fixture: Fixture, reason: str) -> None:  # noqa: ARG001 - as every listener is called
    """A director has decided the match without play, or takes that back: other results are expected of its boards."""
    bump_fixture(fixture)


@transaction.atomic
def change_settings(
    *, actor: Actor, competition: Competition, measure: str, method: str, reason: str = ""
) -> Duplicate:
    """What an event compares, and by which method. All figures and rankings are computed anew."""
    competition = competitions.locked(competition)
    policies.require(actor, "comparison.settings", competition)
    competitions.check_not_final(competition)
    duplicate = Duplicate.objects.select_for_update().filter(pk=competition.pk).first()
    if duplicate is None:
        raise Invalid(_("The tables of this competition do not play the same boards."))
    if measure not in Duplicate.Measure.values or method not in Duplicate.Way.values:
        raise Invalid(_("Choose what is compared and how from the lists."))
    before = {"measure": duplicate.measure, "method": duplicate.method}
    after = {"measure": measure, "method": method}
    if before == after:
        return duplicate
    duplicate.measure, duplicate.method = measure, method
    duplicate.save(update_fields=["measure", "method"])
    audit.record(
        actor=actor,
        action="comparison.settings_changed",
        summary=sentences.Joined((Duplicate.Measure(measure).label, Duplicate.Way(method).label)),
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
        Board.objects.select_for_update(no_key=True).get(pk=board_id)
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
    stale = Board.objects.stale().filter(board_set__competition=competition_id)
    _compute(stale.values_list("pk", flat=True), at)
    rankings = fields.rankings_of(competition_id, Terms.of(duplicate))
    _store_rankings(competition_id, duplicate.results_version, rankings, at)
    return duplicate.results_version


def _store_rankings(
    competition_id: int, version: int, rankings: dict[tuple[str, int], dict[str, Any]], at: datetime
) -> None:
    with transaction.atomic():
        Duplicate.objects.select_for_update(no_key=True).get(pk=competition_id)
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
    boards = list(Board.objects.stale().order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    healed = sum(_is_done(compute, board_id=board, at=at) for board in boards)
    events = list(Duplicate.objects.stale().order_by("pk").values_list("pk", flat=True))
    return healed + sum(_is_done(rank, competition_id=event, at=at) for event in events)


def _is_done(work: Any, **keys: Any) -> bool:
    try:
        return work(**keys) is not None
    except Exception:
        log.exception(
            "comparison_not_done", work=work.__name__, **{name: str(key) for name, key in keys.items()}
        )
        return False
