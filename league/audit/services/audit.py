"""Writing the audit trail: every service that changes something calls `record` in its own transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from league import validation
from league.actors import Actor, person
from league.models import AuditEntry, Club, Competition, Fixture, Player
from league.words.sentences import Said, in_the_sites_language, kept_of

_WAITING: ContextVar[list[AuditEntry] | None] = ContextVar(
    "lines of the trail that are written together", default=None
)


@contextmanager
def at_once() -> Iterator[None]:
    """Around a write that tells the trail several things: they are written in one statement at its end, in their order.

    In the caller's transaction; within it nobody reads the trail. Of a write that fails there is nothing to tell.
    """
    token = _WAITING.set([])
    try:
        yield
        AuditEntry.objects.bulk_create(_WAITING.get() or ())
    finally:
        _WAITING.reset(token)


def record(
    *,
    actor: Actor,
    action: str,
    summary: Said | str,
    club: Club | None = None,
    competition: Competition | None = None,
    fixture: Fixture | None = None,
    player: Player | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditEntry:
    """Adds one line to the trail; each reader sees it in their own language.

    The club and the competition follow from the more specific arguments. Every reason that a person gives comes by
    here, and on to pages and mails: Invalid where it holds a letter that turns the writing round.
    """
    if person(actor) is not None:
        validation.check_text(reason, "reason")
    if fixture is not None:
        competition = competition or fixture.round.competition
    if competition is not None:
        club = club or competition.club
    if player is not None:
        club = club or player.club
    entry = AuditEntry(
        actor=person(actor),
        actor_name=str(actor)[:160],
        action=action,
        summary=in_the_sites_language(summary)[:300],
        said=kept_of(summary),
        club=club,
        competition=competition,
        fixture=fixture,
        player=player,
        before=before,
        after=after,
        reason=reason[:500],
    )
    return _written(entry)


def _written(entry: AuditEntry) -> AuditEntry:
    """The line, stored; or kept until all that are written at once are."""
    waiting = _WAITING.get()
    if waiting is None:
        entry.save()
    else:
        waiting.append(entry)
    return entry
