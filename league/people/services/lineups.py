"""Lineups: players of a club who play together, one alone, a pair or a team."""

from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services.partners import make
from league.models import Club, Lineup, Player
from league.words import sentences


@transaction.atomic
def line_up(*, actor: Actor, club: Club, players: Sequence[Player], name: str = "") -> Lineup:
    """The lineup of these players, in whichever order; made if there is none yet.

    A lineup that exists is given back as it is: `rename` changes its name.
    """
    policies.require(actor, "pair.add", club)
    keys = sorted(player.pk for player in players)
    _check_players(club, keys)
    existing = find(club, keys)
    if existing is not None:
        return existing
    wanted = Lineup(club=club, members_key=Lineup.key_of(keys), name=validation.one_line(name))
    validation.check(wanted)
    _check_unlike_others(wanted)
    try:
        with transaction.atomic():
            (pair,) = make(club, [(keys, wanted.name)])
    except IntegrityError:
        # Somebody else made the same one a moment ago.
        made = find(club, keys)
        if made is None:
            raise
        return made
    audit.record(
        actor=actor,
        action="pair.added",
        summary=sentences.gettext("Pair added: %(pair)s") % {"pair": pair},
        club=club,
        after={"pair": pair.pk, "players": keys, "name": pair.name},
    )
    return pair


@transaction.atomic
def rename(*, actor: Actor, lineup: Lineup, name: str) -> Lineup:
    """Gives a pair a team name; an empty one lets the surnames stand for it."""
    pair = locks.pair(lineup.pk)
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


def alone(*, club: Club, players: Sequence[Player]) -> list[Lineup]:
    """A lineup for each of these players, in their order; those that are not there yet are made. The club is locked."""
    keys = [player.pk for player in players]
    _check_players(club, keys)
    wanted = [Lineup.key_of([key]) for key in keys]
    there = Lineup.objects.present().with_players().filter(club=club, members_key__in=wanted)
    known = set(there.values_list("members_key", flat=True))
    make(club, [([key], "") for key in keys if Lineup.key_of([key]) not in known])
    found = {each.members_key: each for each in there.all()}
    return [found[key] for key in wanted]


def find(club: Club, players: Iterable[int]) -> Lineup | None:
    """The lineup of the players with these keys, if they are one."""
    key = Lineup.key_of(players)
    return Lineup.objects.present().with_players().filter(club=club, members_key=key).first()


def _check_unlike_others(pair: Lineup) -> None:
    others = Lineup.objects.present().filter(club_id=pair.club_id).exclude(pk=pair.pk).exclude(name="")
    validation.check_unlike(pair.name, others.values_list("name", flat=True), "name")


def _check_players(club: Club, keys: Sequence[int]) -> None:
    if len(set(keys)) < len(keys):
        raise Invalid(_("A pair needs two different players."))
    # Locked, so that nobody is merged away while the lineup is made.
    for player in locks.players(keys).values():
        if player.club_id != club.pk:
            raise Invalid(_("%(name)s is not a player of this club.") % {"name": player})
        if player.merged_into_id is not None:
            raise Conflict(
                _("%(name)s was merged into another player. Choose that player instead.") % {"name": player}
            )
