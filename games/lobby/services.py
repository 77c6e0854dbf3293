"""What a person wants of the list of tables."""

from django.db import transaction

from games.lobby import presence
from games.models import LobbyChoice
from league.models import User


@transaction.atomic
def choose(*, actor: User, shows_presence: bool, wants_calls: bool) -> LobbyChoice:
    """Whether members of the same clubs see that this person is there, and whether tables may call them."""
    choice, _is_new = LobbyChoice.objects.update_or_create(
        user=actor, defaults={"shows_presence": shows_presence, "wants_calls": wants_calls}
    )
    if not shows_presence:
        presence.forget(actor)
    return choice
