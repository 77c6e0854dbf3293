"""The players of a club: people who play, with or without an account."""

from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import substitutions
from league.models import AuditEntry, Club, Fixture, OutboxMessage, Player, Substitution
from league.notices.services import outbox
from league.words import sentences
from league.words.names import normalised

#: Guests whom one person names as substitutes in a day.
MOST_GUESTS_A_DAY = 5
#: Mails to one address in a day, whoever names the guest.
MOST_TO_ONE = 3
GUEST_NAMED = "guest_named"


@transaction.atomic
def add(*, actor: Actor, club: Club, name: str, email: str = "", number: str = "") -> Player:
    """Adds a player to the club. Two players may have one name; a membership number belongs to one."""
    policies.require(actor, "player.add", club)
    player = build(actor=actor, club=club, name=name, email=email, number=number)
    validation.check(player)
    _check_unlike_others(player)
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
def appoint_guest(
    *, actor: Actor, fixture: Fixture, absent: Player, name: str, email: str = "", reason: str = ""
) -> Substitution:
    """Somebody who is not in the club's list yet plays for `absent` in this match: both, or neither.

    Somebody of that name in the club is chosen from the list instead. A mail to the address says when and where they
    play, the same whether anybody has an account with it. Only a director's word keeps it with the player: it makes a
    member of who confirms it.
    """
    # The match comes behind the guest, who is a player: who names them is asked again with its lock.
    locks.competitions([fixture.round.competition.pk])
    fixture = Fixture.with_rooms.with_pairs().get(pk=fixture.pk)
    policies.require(actor, "fixture.substitute", fixture)
    club = fixture.round.competition.club
    lately = AuditEntry.objects.filter(action="player.guest_added", at__gt=timezone.now() - timedelta(days=1))
    if lately.filter(actor=person(actor)).count() >= MOST_GUESTS_A_DAY:
        raise Conflict(_("You have named many guests today. Please ask a director."))
    guest = build(actor=actor, club=club, name=name, email=email)
    validation.check(guest)
    _check_unlike_others(guest)
    same = [each for each in club.players.present() if normalised(each.name) == normalised(guest.name)]
    if same:
        text = _(
            "%(name)s is in the club already. Choose them from the list; for somebody else, add an initial."
        )
        raise Invalid(text % {"name": same[0]}, details=[validation.fault(text % {"name": same[0]}, "guest")])
    address = guest.email
    if not policies.may(actor, "player.edit", club):
        guest.email, guest.email_by, guest.email_at = "", None, None
    _save(guest)
    audit.record(
        actor=actor,
        action="player.guest_added",
        summary=sentences.gettext("Guest added as a substitute"),
        player=guest,
        after=facts(guest),
    )
    made = substitutions.appoint(actor=actor, fixture=fixture, absent=absent, substitute=guest, reason=reason)
    if address:
        _write_to_guest(actor, made, address)
    return made


@transaction.atomic
def edit(*, actor: Actor, player: Player, name: str, email: str = "", number: str = "") -> Player:
    """Changes a player's name, e-mail address and membership number."""
    player = locked(player)
    policies.require(actor, "player.edit", player)
    if player.merged_into_id is not None:
        raise Conflict(_("This player was merged into another one. Change that one instead."))
    before = facts(player)
    wanted = build(actor=actor, club=player.club, name=name, email=email, number=number)
    if wanted.email != player.email:
        # The account that has confirmed this address gets the player.
        policies.require(actor, "player.decide_claim", player)
        player.email, player.email_by, player.email_at = wanted.email, wanted.email_by, wanted.email_at
    player.name, player.number = wanted.name, wanted.number
    validation.check(player)
    if player.name != before["name"]:
        _check_unlike_others(player)
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


def build(*, club: Club, name: str, email: str = "", number: str = "", actor: Actor | None = None) -> Player:
    """The player's row, tidied and not saved. An address is `actor`'s word: it says whose account the player may be."""
    player = Player(
        club=club,
        name=validation.one_line(name),
        email=email.strip().lower(),
        number=validation.one_line(number),
    )
    if player.email and actor is not None:
        player.email_by, player.email_at = person(actor), timezone.now()
    return player


def locked(player: Player) -> Player:
    """The player as stored now, with club and row locked until the transaction ends."""
    locks.club(player.club_id)
    return locks.player(player.pk)


def facts(player: Player) -> dict[str, Any]:
    """What the audit trail keeps of a player."""
    return {
        "name": player.name,
        "email": player.email,
        "number": player.number,
        "user": player.user_id,
        "merged_into": player.merged_into_id,
    }


def _write_to_guest(actor: Actor, made: Substitution, address: str) -> None:
    lately = OutboxMessage.objects.filter(
        template=GUEST_NAMED, made_at__gt=timezone.now() - timedelta(days=1)
    )
    if lately.filter(to=address).count() >= MOST_TO_ONE:
        raise Conflict(
            _("We have written to this address several times today. Leave it out, or try again tomorrow.")
        )
    fixture = made.fixture
    competition = fixture.round.competition
    named_by = person(actor)
    context = {
        "club": str(competition.club),
        "competition": str(competition),
        "match": str(fixture),
        "who": str(actor),
        "absent": str(made.absent),
        "player": str(made.substitute),
        "starts_at": fixture.starts_at.isoformat() if fixture.starts_at else "",
        "place": fixture.place or competition.place or competition.club.place,
        "language": named_by.language if named_by else "",
        "path": competition.club.get_absolute_url(),
    }
    outbox.post(
        to=address, template=GUEST_NAMED, context=context, club=competition.club, player=made.substitute
    )


def _check_unlike_others(player: Player) -> None:
    others = Player.objects.filter(club_id=player.club_id).exclude(pk=player.pk)
    validation.check_unlike(player.name, others.values_list("name", flat=True), "name")


def _save(player: Player) -> None:
    holder = Player.objects.filter(club_id=player.club_id, number=player.number).exclude(pk=player.pk).first()
    message = _("The membership number %(number)s already belongs to %(name)s.")
    if player.number and holder is not None:
        raise _number_taken(message % {"number": player.number, "name": holder})
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as clash:
        message = _("The membership number %(number)s already belongs to someone else.")
        raise _number_taken(message % {"number": player.number}) from clash


def _number_taken(message: str) -> Conflict:
    return Conflict(message, details=[validation.fault(message, "number")])
