"""The players of a club: people who play, with or without an account."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import policies, sentences, validation
from league.actors import Actor
from league.errors import Conflict
from league.models import Club, Player
from league.services import audit


@transaction.atomic
def add(*, actor: Actor, club: Club, name: str, email: str = "", number: str = "") -> Player:
    """Adds a player to the club. Two players may have one name; a membership number belongs to one."""
    policies.require(actor, "player.add", club)
    player = build(club=club, name=name, email=email, number=number)
    validation.check(player)
    _save(player)
    audit.record(
        actor=actor,
        action="player.added",
        summary=sentences.gettext("Player added"),
        player=player,
        after=facts(player),
    )
    return player


@transaction.atomic
def edit(*, actor: Actor, player: Player, name: str, email: str = "", number: str = "") -> Player:
    """Changes a player's name, e-mail address and membership number."""
    player = locked(player)
    policies.require(actor, "player.edit", player)
    if player.merged_into_id is not None:
        raise Conflict(_("This player was merged into another one. Change that one."))
    before = facts(player)
    wanted = build(club=player.club, name=name, email=email, number=number)
    player.name, player.email, player.number = wanted.name, wanted.email, wanted.number
    validation.check(player)
    _save(player)
    audit.record(
        actor=actor,
        action="player.edited",
        summary=sentences.gettext("Player edited"),
        player=player,
        before=before,
        after=facts(player),
    )
    return player


def build(*, club: Club, name: str, email: str = "", number: str = "") -> Player:
    """The player's row, tidied and not saved."""
    return Player(
        club=club,
        name=validation.one_line(name),
        email=email.strip().lower(),
        number=validation.one_line(number),
    )


def locked(player: Player) -> Player:
    """The player as he is now, the row locked until the transaction ends."""
    return Player.objects.select_for_update(of=("self",)).select_related("club").get(pk=player.pk)


def facts(player: Player) -> dict[str, Any]:
    """What the audit trail keeps of a player."""
    return {
        "name": player.name,
        "email": player.email,
        "number": player.number,
        "user": player.user_id,
        "merged_into": player.merged_into_id,
    }


def _save(player: Player) -> None:
    holder = Player.objects.filter(club_id=player.club_id, number=player.number).exclude(pk=player.pk).first()
    message = _("The membership number %(number)s belongs to %(name)s already.")
    if player.number and holder is not None:
        raise _number_taken(message % {"number": player.number, "name": holder})
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as clash:
        message = _("The membership number %(number)s belongs to somebody else already.")
        raise _number_taken(message % {"number": player.number}) from clash


def _number_taken(message: str) -> Conflict:
    return Conflict(message, details=[validation.fault(message, "number")])
