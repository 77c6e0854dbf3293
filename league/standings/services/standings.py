"""Tables: a result bumps its competition's version; a worker stores the table of the newest version, whole."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from league import locks
from league.background import announce, sweeps
from league.models import Competition, Stage, StandingsTable, Webhook
from league.outgoing import queue
from league.standings.queries import CURRENT, Computed, compute_division, read_facts


def bump(*, competition: Competition) -> None:
    """Marks the tables as out of date, in the caller's transaction, and asks a worker for new ones.

    A format without a table of league points has none to compute; its version counts all the same.
    """
    with transaction.atomic(savepoint=False):
        Competition.objects.filter(pk=competition.pk).update(results_version=F("results_version") + 1)
        announce.after_commit("league.tasks.compute_standings", competition.pk)
        # Points that are carried over are those of the table as it stands (F8).
        carrying = Stage.objects.filter(after__competition=competition)
        for later in carrying.exclude(carry_over=Stage.CarryOver.NONE).select_related("competition"):
            bump(competition=later.competition)


def compute(*, competition_id: int, at: datetime, again: bool = False) -> int | None:
    """Stores every table of the competition for its newest results; gives the version, None if there is nothing to do.

    The version is read before the facts. A result that arrives in between makes the table newer than its label, never
    older, and has asked for the next computation itself. A table is never replaced by an older one.

    Each result asks for it. Of many that come together the first to be computed has them all, and nothing is left for
    the others; `again` computes nevertheless.
    """
    leagues = Competition.objects.leagues().exclude(state=Competition.State.DRAFT)
    due = leagues if again else Competition.objects.stale()
    competition = due.filter(pk=competition_id).first()
    if competition is None:
        return None
    version = competition.results_version
    for division in competition.stage.divisions.all():
        computed = compute_division(read_facts(division))
        _store(division_id=division.pk, version=version, computed=computed, at=at)
    return version


def _store(*, division_id: int, version: int, computed: Computed, at: datetime) -> None:
    with transaction.atomic():
        locks.division(division_id)
        stored = {
            table.after_round: table for table in StandingsTable.objects.filter(division_id=division_id)
        }
        if any(table.results_version > version for table in stored.values()):
            return
        changed = {
            after_round
            for after_round, table in computed.tables.items()
            if after_round not in stored or stored[after_round].digest != table.digest
        }
        tables = StandingsTable.objects.filter(division_id=division_id)
        # A result changes few of the tables; what the others say holds for the newest results as well.
        tables.exclude(after_round__in=changed).update(results_version=version, computed_at=at)
        StandingsTable.objects.bulk_create(
            (
                StandingsTable(
                    division_id=division_id,
                    after_round=after_round,
                    results_version=version,
                    content=computed.tables[after_round].content,
                    digest=computed.tables[after_round].digest,
                    results_counted=computed.tables[after_round].results_counted,
                    computed_at=at,
                )
                for after_round in sorted(changed)
            ),
            update_conflicts=True,
            unique_fields=["division", "after_round"],
            update_fields=["results_version", "content", "digest", "results_counted", "computed_at"],
        )
        if CURRENT in changed:
            club_id = Competition.objects.values_list("club", flat=True).get(stages__divisions=division_id)
            queue.tell_webhooks(club_id=club_id, event=Webhook.Event.STANDINGS, subject=division_id)
        tables.exclude(after_round__in=computed.tables).delete()


def sweep(*, at: datetime) -> int:
    """Computes what a lost message left out of date; gives how many competitions were."""
    return sweeps.run(
        work="standings",
        rows=Competition.objects.stale().order_by("pk"),
        do=lambda key: compute(competition_id=key, at=at) is not None,
        at=at,
    )
