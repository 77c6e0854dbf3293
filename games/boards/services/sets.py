"""What every write to a set of boards begins and ends with: its locks, its reason, its line in the trail."""

from typing import Any

from django.utils.translation import gettext as _

from games import locks
from games.boards.queries.sets import named
from games.models import BoardSet
from league import locks as league_locks
from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.models import Competition
from league.words import sentences


def locked(competition: Competition) -> Competition:
    """The competition as it is now, locked as its matches are (league.fixtures.services.fixtures)."""
    return league_locks.competition(competition.pk)


def locked_set(*, actor: Actor, board_set: BoardSet, action: str) -> BoardSet:
    """The set as it is now, locked, for somebody who may do this to it. Raises Conflict when it was discarded."""
    found = locks.board_set(board_set)
    policies.require(actor, action, found)
    if found.discarded_at is not None:
        raise Conflict(_("These boards were discarded."))
    return found


def needs_reason(reason: str) -> str:
    """The reason, tidied. Raises Invalid when there is none."""
    if not reason.strip():
        raise Invalid(_("Please give a reason. Everyone can read it."))
    return reason.strip()[:300]


def facts(board_set: BoardSet) -> dict[str, Any]:
    """What the audit trail keeps of a set: nothing that gives a card away."""
    return {
        "board_set": board_set.pk,
        "round": board_set.round.number if board_set.round else None,
        "origin": board_set.origin,
        "first_number": board_set.first_number,
        "count": board_set.count,
        "reserve": board_set.reserve,
        "commitment": board_set.commitment,
        "delayed": board_set.delayed,
    }


def tell(
    *,
    actor: Actor,
    action: str,
    summary: sentences.Sentence,
    board_set: BoardSet,
    reason: str = "",
    after: Any = None,
) -> None:
    """Adds a line to the trail; `%(boards)s` in the summary stands for the set."""
    audit.record(
        actor=actor,
        action=action,
        summary=summary % {"boards": named(board_set)},
        competition=board_set.competition,
        after=after,
        reason=reason,
    )
