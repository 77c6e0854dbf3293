"""Pairs: two players of a club who play together."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.models import Club, Partnership, Player
from league.words import sentences


@transaction.atomic
def pair_up(*, actor: Actor, club: Club, player_a: Player, player_b: Player, name: str = "") -> Partnership:
    """The pair of these two players, in whichever order; made if there is none yet.

    A pair that exists is given back as it is: `rename` changes its name.
    """
    policies.require(actor, "pair.add", club)
    first, second = sorted((player_a, player_b), key=lambda player: player.pk)
    _check_players(club, first, second)
    existing = find(first, second)
    if existing is not None:
        return existing
    pair = Partnership(club=club, player_a=first, player_b=second, name=validation.one_line(name))
    validation.check(pair)
    _check_unlike_others(pair)
    try:
        with transaction.atomic():
            pair.save()
    except IntegrityError:
        # Somebody else made the same pair a moment ago.
        made = find(first, second)
        if made is None:
            raise
        return made
    audit.record(
        actor=actor,
        action="pair.added",
        summary=sentences.gettext("Pair added: %(pair)s") % {"pair": pair},
        club=club,
        after={"pair": pair.pk, "players": [first.pk, second.pk], "name": pair.name},
    )
    return pair


@transaction.atomic
def rename(*, actor: Actor, partnership: Partnership, name: str) -> Partnership:
    """Gives a pair a team name; an empty one lets the surnames stand for it."""
    pair = locks.pair(partnership.pk)
    policies.require(actor, "pair.rename", pair)
    before = pair.name
    pair.name = validation.one_line(name)
    validation.check(pair)
    if pair.name != before:
        _check_unlike_others(pair)
    pair.save(update_fields=["name"])
    audit.record(
        actor=actor,
        action="pair.renamed",
        summary=sentences.gettext("Pair renamed: %(pair)s") % {"pair": pair},
        club=pair.club,
        before={"pair": pair.pk, "name": before},
        after={"pair": pair.pk, "name": pair.name},
    )
    return pair


def find(player_a: Player, player_b: Player) -> Partnership | None:
    """The pair of these two players, if they are one."""
    low, high = sorted((player_a.pk, player_b.pk))
    return Partnership.objects.present().with_players().filter(player_a_id=low, player_b_id=high).first()


def _check_unlike_others(pair: Partnership) -> None:
    others = Partnership.objects.present().filter(club_id=pair.club_id).exclude(pk=pair.pk).exclude(name="")
    validation.check_unlike(pair.name, others.values_list("name", flat=True), "name")


def _check_players(club: Club, first: Player, second: Player) -> None:
    if first.pk == second.pk:
        raise Invalid(_("A pair needs two different players."))
    # Locked, so that neither is merged away while the pair is made.
    for player in locks.players([first.pk, second.pk]).values():
        if player.club_id != club.pk:
            raise Invalid(_("%(name)s is not a player of this club.") % {"name": player})
        if player.merged_into_id is not None:
            raise Conflict(
                _("%(name)s was merged into another player. Choose that player instead.") % {"name": player}
            )
