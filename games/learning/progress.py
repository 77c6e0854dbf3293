"""Which of a game's lessons an account has done: what its devices say, taken together."""

from collections.abc import Collection

from django.db import transaction

from engine.game import Game
from games import front
from games.models import LearningProgress
from league import locks
from league.actors import User


def done_by(*, user: User, offered: Game) -> list[str]:
    """The keys of the lessons that this account has done, in their order; one query."""
    row = LearningProgress.objects.filter(user=user, game=offered.key).first()
    return _in_order(offered, row.done) if row else []


@transaction.atomic
def note(*, actor: User, offered: Game, done: Collection[str]) -> list[str]:
    """Adds lessons that were done on a device, and gives all. Unknown keys count for nothing; of two devices at once
    neither loses anything."""
    fresh = _in_order(offered, done)
    if not fresh:
        return done_by(user=actor, offered=offered)
    LearningProgress.objects.get_or_create(user=actor, game=offered.key, defaults={"done": fresh})
    row = locks.one(LearningProgress.objects.filter(user=actor, game=offered.key))
    both = _in_order(offered, {*row.done, *fresh})
    if both != row.done:
        row.done = both
        row.save(update_fields=["done"])
    return both


def _in_order(offered: Game, keys: Collection[str]) -> list[str]:
    return [lesson.key for lesson in front.of(offered.key).lessons() if lesson.key in keys]
