"""Taking every rated session from the facts again and rating all of them at once; nothing is changed."""

from collections.abc import Iterator

from engine.contest.grades import rate_all
from games.grades import facts, services
from games.models import GradeBook, GradeSession, GradeSource, GradeStep
from league.models import Competition
from league.standings.services.verification import Difference

PLACES = 6


def differences() -> Iterator[Difference]:
    """Every session or step that is stored otherwise than it follows. What waits for a worker is no difference."""
    rows = Competition.objects.with_stage().exclude(state=Competition.State.DRAFT).select_related("club")
    for competition in rows.order_by("pk"):
        yield from _sessions(competition)
    waiting = services.rated_otherwise()
    for book in GradeBook.objects.select_related("club").exclude(pk__in=waiting).order_by("pk"):
        yield from _steps(book)


def _sessions(competition: Competition) -> Iterator[Difference]:
    source = GradeSource.objects.filter(competition=competition).first()
    if source is None or source.version != facts.version_of(competition):
        return
    fresh = facts.of_competition(competition)
    stored = {row.source: row for row in GradeSession.objects.filter(competition=competition)}
    for name in sorted({*fresh, *stored}):
        where = f"{competition}, {name}"
        kept, rated = stored.get(name), fresh.get(name)
        if kept is None or rated is None:
            yield Difference(where, "the rated session", _presence(kept), _presence(rated))
        elif (kept.day, kept.content) != (rated.day, rated.content):
            yield Difference(where, "the rated session", f"{kept.day}", f"{rated.day}, other results")


def _steps(book: GradeBook) -> Iterator[Difference]:
    rows = {row.pk: row for row in GradeSession.objects.filter(book=book)}
    sessions = (facts.session_of(row.pk, row.day, row.content) for row in rows.values())
    log, _grades = rate_all(sessions, facts.starts_of(book))
    fresh = {
        (order, int(player)): (moved.expected, moved.share, moved.grade)
        for order, moves in log
        for player, moved in moves.items()
    }
    stored = {
        (step.session_id, step.player): (step.expected, step.share, step.grade)
        for step in GradeStep.objects.filter(session__book=book)
    }
    for key in sorted({*fresh, *stored}):
        kept, computed = _shown(stored.get(key)), _shown(fresh.get(key))
        if kept != computed:
            where = f"{book}, {rows[key[0]].source if key[0] in rows else key[0]}, player {key[1]}"
            yield Difference(where, "the grade", kept, computed)


def _shown(figures: tuple[float, ...] | None) -> str:
    return (
        "missing"
        if figures is None
        else ", ".join(f"{round(each, PLACES) + 0.0:.{PLACES}f}" for each in figures)
    )


def _presence(thing: object) -> str:
    return "missing" if thing is None else "present"
