"""Who has the list of tables open just now: only those who want it, and only for members of the same club.

Nothing of it is a row: a key in the cache says that a person was there, and is gone within the minute.
"""

from collections.abc import Mapping, Sequence

from django.core.cache import cache

from games.models import LobbyChoice
from league.actors import Visitor
from league.models import Club, Membership, Player, User

#: The page asks every five seconds while it is seen, after faults of the network once a minute at least.
LASTS_SECONDS = 75
MOST_ASKED = 1000


def _key(user_id: int) -> str:
    return f"in-the-lobby:{user_id}"


def note(visitor: Visitor) -> None:
    """This visitor looks at the list; kept for a moment, of those who want it."""
    if isinstance(visitor, User) and LobbyChoice.objects.filter(user=visitor, shows_presence=True).exists():
        cache.set(_key(visitor.pk), 1, LASTS_SECONDS)


def forget(user: User) -> None:
    """At once, when they log out or no longer want it."""
    cache.delete(_key(user.pk))


def here(visitor: Visitor, clubs: Sequence[Club]) -> Mapping[Club, Sequence[str]]:
    """The others who look at the list, by the club that they share with the visitor; `clubs` are the visitor's own."""
    if not isinstance(visitor, User) or not clubs:
        return {}
    willing = Membership.objects.filter(
        club__in=clubs, user__is_active=True, user__lobby_choice__shows_presence=True
    ).exclude(user=visitor)
    members = list(willing.select_related("user").order_by("club", "user")[:MOST_ASKED])
    seen = cache.get_many({_key(each.user_id) for each in members})
    present = [each for each in members if _key(each.user_id) in seen]
    players = Player.objects.present().filter(club__in=clubs, user__in=[each.user_id for each in present])
    names = {(each.club_id, each.user_id): each.name for each in players} if present else {}
    found = {
        club: sorted(
            names.get((club.pk, each.user_id)) or str(each.user)
            for each in present
            if each.club_id == club.pk
        )
        for club in clubs
    }
    return {club: people for club, people in found.items() if people}
