"""The rooms of a team match follow what a director decides about the match."""

from league.actors import Actor
from league.fixtures.services import fixtures
from league.models import Fixture
from league.querysets import OPEN

FOLLOWING = "team.rooms_follow"


def follow(*, actor: Actor, fixture: Fixture, reason: str) -> None:
    """Without play nobody plays in them any more; when that is taken back they are to be played again.

    A room with a result keeps it: what was played stays a fact. The match's row is locked.
    """
    is_decided = fixture.status in {Fixture.Status.WALKOVER, Fixture.Status.VOID}
    for room in fixture.rooms.with_pairs():
        if is_decided and room.status in OPEN:
            fixtures.void(actor=actor, fixture=room, reason=reason, by=FOLLOWING)
        elif not is_decided and room.status == Fixture.Status.VOID:
            fixtures.restore(actor=actor, fixture=room, reason=reason, by=FOLLOWING)
