"""Inviting people to a club: nobody is enrolled who has not agreed, and nobody learns who has an account.

An invitation is for an address; the account that has confirmed this address may accept it. The owner sees the same
whether there is such an account or not. The link may be a plain number: it proves nothing, unlike that of an invitation
to be a player. Who opens it must be logged in with the confirmed address, and for everybody else there is no such page.
"""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.background import announce
from league.clubs.services import clubs
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Club, Invitation, Membership, OutboxMessage, Role, User
from league.notices.services import outbox
from league.words import sentences

LASTS = timedelta(days=14)
#: Invitations that wait in a club, and mails in a day of one club or person: a club is no way to write to strangers.
MOST_WAITING, MOST_A_DAY = 100, 40
#: Mails to one address in a day, of all clubs together.
MOST_TO_ONE = 3


@transaction.atomic
def invite(*, actor: Actor, club: Club, email: str, at: datetime, role: str = Role.MEMBER) -> Invitation:
    """An owner asks the person with this address to belong to the club in a role. An older invitation is replaced."""
    club = locks.club(club.pk)
    policies.require(actor, "club.members", club)
    if role not in Role.values:
        raise Invalid(_("Choose one of the roles: owner, director, scorer or member."))
    wanted = Invitation(
        club=club,
        email=email.strip().lower(),
        role=role,
        made_by=person(actor),
        made_at=at,
        expires_at=at + LASTS,
    )
    validation.check(wanted)
    if not wanted.email:
        validation.refuse([validation.fault(_("Please give an e-mail address."), "email")])
    mails = OutboxMessage.objects.filter(template="invitation", made_at__gt=at - timedelta(days=1))
    if mails.filter(to=wanted.email).count() >= MOST_TO_ONE:
        raise Conflict(_("This address has been sent several invitations today. Please wait until tomorrow."))
    if wanted.made_by and clubs.done_today(wanted.made_by, "club.invited") >= MOST_A_DAY:
        raise Conflict(_("You have sent many invitations today. Please wait until tomorrow."))
    waiting = club.invitations.to_roles().exclude(email=wanted.email).filter(expires_at__gt=at).count()
    if waiting >= MOST_WAITING or mails.filter(club=club).count() >= MOST_A_DAY:
        raise Conflict(_("The club has sent many invitations already. Please wait until tomorrow."))
    club.invitations.to_roles().filter(email=wanted.email).delete()
    wanted.save()
    audit.record(
        actor=actor,
        action="club.invited",
        summary=sentences.gettext("Someone was invited to be %(role)s") % {"role": Role(role).label},
        club=club,
        after={"email": wanted.email, "role": role},
    )
    context = {
        "club": str(club),
        "role": role,
        "language": wanted.made_by.language if wanted.made_by else "",
        "path": reverse("invitation", args=[wanted.pk]),
    }
    outbox.post(to=wanted.email, template="invitation", context=context, club=club)
    announce.after_commit("league.tasks.tell_invited")
    return wanted


@transaction.atomic
def accept(*, actor: Actor, invitation: Invitation, at: datetime) -> Membership:
    """The person belongs to the club from now on, in the role of the invitation or the higher one they have."""
    user = person(actor)
    locks.club(invitation.club_id)
    valid = Invitation.objects.to_roles().filter(expires_at__gt=at)
    found = valid.select_related("club", "made_by").filter(pk=invitation.pk).first()
    if found is None or not _still_holds(found):
        raise Conflict(_("This invitation is no longer valid. Ask an owner of the club for a new one."))
    if user is None or not is_for(invitation=found, user=user):
        raise NotAllowed(_("This invitation is for another e-mail address."))
    membership = clubs.admit(actor=actor, club=found.club, user=user)
    if policies.RANKS[found.role] > policies.RANKS[membership.role]:
        clubs.give_role(actor=actor, membership=membership, role=found.role)
    found.delete()
    return membership


def _still_holds(invitation: Invitation) -> bool:
    """Whether who invited may still give the role: an owner who was removed comes back by no address of theirs."""
    maker = invitation.made_by
    return (
        invitation.role == Role.MEMBER
        or maker is None
        or policies.may(maker, "club.members", invitation.club)
    )


@transaction.atomic
def drop(*, actor: Actor, invitation: Invitation) -> None:
    """The person declines, or an owner takes the invitation back."""
    user = person(actor)
    if user is None or not is_for(invitation=invitation, user=user):
        policies.require(actor, "club.members", invitation.club)
    locks.club(invitation.club_id)
    deleted, _by_model = Invitation.objects.filter(pk=invitation.pk).delete()
    if deleted:
        audit.record(
            actor=actor,
            action="club.invitation_dropped",
            summary=sentences.gettext("An invitation was declined or cancelled"),
            club=invitation.club,
            before={"email": invitation.email, "role": invitation.role},
        )


def waiting_for(*, user: User, at: datetime) -> QuerySet[Invitation]:
    """The invitations that this person may accept."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    wanted = [email.lower() for email in confirmed]
    mine = Invitation.objects.to_roles().filter(email__in=wanted, expires_at__gt=at)
    return mine.select_related("club")


def is_for(*, invitation: Invitation, user: User) -> bool:
    """Whether the person has shown to receive the mail of the address that was invited."""
    return EmailAddress.objects.filter(user=user, email__iexact=invitation.email, verified=True).exists()


def purge(*, at: datetime) -> int:
    """Deletes invitations to roles that are over; gives how many."""
    count, _by_model = Invitation.objects.to_roles().filter(expires_at__lt=at).delete()
    return count
