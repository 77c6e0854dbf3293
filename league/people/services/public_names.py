"""How people are named outside their clubs: each says it of themselves, a director of those without an account."""

from django.db import transaction
from django.utils.translation import gettext as _

from league import locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.models import Player, User
from league.people.services import players
from league.words import sentences
from league.words.public_names import CHOICES, Shown


@transaction.atomic
def choose(*, actor: User, public_name: str) -> None:
    """The person's name is shown so from now on, as an account and as a player of each club."""
    _check(public_name)
    own = Player.objects.filter(user=actor).exclude(public_name=public_name)
    for player in locks.players(list(own.values_list("pk", flat=True))).values():
        _write(actor, player, public_name, is_young=player.is_young)
    actor.public_name = public_name
    actor.save(update_fields=["public_name"])


@transaction.atomic
def decide(*, actor: Actor, player: Player, public_name: str, is_young: bool) -> Player:
    """A director says whether a player is young, and how the name of one without an account is shown.

    Raises Conflict where the person has an account, and so decides for themselves.
    """
    _check(public_name)
    player = players.locked(player)
    policies.require(actor, "player.edit", player)
    if player.user_id is not None and public_name != player.public_name:
        raise Conflict(_("%(name)s has an account, and decides this themselves.") % {"name": player})
    if (public_name, is_young) != (player.public_name, player.is_young):
        _write(actor, player, public_name, is_young=is_young)
        if player.user is not None:
            agree(player=player, user=player.user)
    return player


def agree(*, player: Player, user: User) -> None:
    """What one of the two is shown as holds for the other; called where an account becomes a player's, or is one."""
    if user.public_name:
        if player.public_name != user.public_name:
            player.public_name = user.public_name
            player.save(update_fields=["public_name"])
    elif player.shown_as != Shown.FULL:
        user.public_name = player.shown_as
        user.save(update_fields=["public_name"])


def _write(actor: Actor, player: Player, public_name: str, *, is_young: bool) -> None:
    before = {"public_name": player.public_name, "is_young": player.is_young}
    player.public_name, player.is_young = public_name, is_young
    player.save(update_fields=["public_name", "is_young"])
    audit.record(
        actor=person(actor) or actor,
        action="player.public_name",
        summary=sentences.gettext("How the name is shown outside the club changed"),
        player=player,
        before=before,
        after={"public_name": public_name, "is_young": is_young},
    )


def _check(public_name: str) -> None:
    if public_name not in dict(CHOICES):
        raise Invalid(_("Choose one of the ways from the list."))
