"""Asking to become a member of a club that is not open, and the directors' answer."""

from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.clubs.services import clubs
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Club, JoinRequest, Notice, User
from league.notices import events
from league.notices.services.notices import notify
from league.words import sentences

State = JoinRequest.State
#: Clubs that one account asks in a day; and how long a club that said no is not asked again.
MOST_A_DAY, AFTER_A_NO = 5, timedelta(days=30)
MAIL_EVERY = timedelta(days=1)


@transaction.atomic
def ask(*, actor: Actor, club: Club, at: datetime, message: str = "") -> JoinRequest:
    """A person asks to become a member. Asking twice gives the request that is waiting already."""
    club = locks.club(club.pk)
    user = person(actor)
    if user is None:
        raise NotAllowed(_("Only people can join a club."))
    policies.require(actor, "club.ask_to_join", club)
    waiting = club.join_requests.filter(user=user, state=State.OPEN).first()
    if waiting is not None:
        return waiting
    locks.take(User.objects.filter(pk=user.pk))
    asked = JoinRequest.objects.filter(user=user)
    if asked.filter(club=club, state=State.REFUSED, decided_at__gt=at - AFTER_A_NO).exists():
        raise Conflict(_("This club declined not long ago. Please talk to the club."))
    if asked.filter(made_at__gt=at - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Conflict(_("You have asked several clubs today. You can ask another one tomorrow."))
    made = JoinRequest(club=club, user=user, message=validation.one_line(message), made_at=at)
    validation.check(made)
    made.save()
    said = sentences.gettext("%(name)s asks to join the club") % {"name": user}
    audit.record(actor=actor, action="club.join_asked", summary=said, club=club, after={"user": user.pk})
    _tell_directors(made, at)
    return made


@transaction.atomic
def withdraw(*, actor: Actor, club: Club) -> None:
    """The person no longer asks."""
    user = person(actor)
    club = locks.club(club.pk)
    waiting = club.join_requests.filter(user=user, state=State.OPEN).first() if user else None
    if waiting is not None:
        waiting.delete()
        said = sentences.gettext("%(name)s no longer asks to join the club") % {"name": user}
        audit.record(actor=actor, action="club.join_withdrawn", summary=said, club=club)


@transaction.atomic
def decide(
    *, actor: Actor, request: JoinRequest, accept: bool, at: datetime, reason: str = ""
) -> JoinRequest:
    """A director takes the person in as a member, or declines and says why; the person is told."""
    club = locks.club(request.club_id)
    policies.require(actor, "club.admit", club)
    found = JoinRequest.objects.select_related("user").filter(pk=request.pk).first()
    if found is None or found.state != State.OPEN:
        raise Conflict(_("This request has already been answered or withdrawn."))
    reason = validation.one_line(reason)
    if not accept and not reason:
        raise Invalid(_("Please say why. They can read it."))
    found.state, found.reason = State.ACCEPTED if accept else State.REFUSED, reason
    found.decided_by, found.decided_at = person(actor), at
    validation.check(found)
    found.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    if accept:
        clubs.admit(actor=actor, club=club, user=found.user)
    else:
        said = sentences.gettext("Request of %(name)s to join declined") % {"name": found.user}
        audit.record(
            actor=actor,
            action="club.join_refused",
            summary=said,
            club=club,
            after={"user": found.user_id},
            reason=reason,
        )
    context = {"club": str(club), "accepted": accept, "reason": reason, "path": club.get_absolute_url()}
    notify(events.JOIN_ANSWERED, [found.user], context=context, club=club, at=at)
    return found


def _tell_directors(request: JoinRequest, at: datetime) -> None:
    """Once a day: the page has all that wait. What the person wrote stands on that page alone."""
    club = request.club
    if Notice.objects.filter(club=club, event=events.JOIN_ASKED.key, made_at__gt=at - MAIL_EVERY).exists():
        return
    context = {"club": str(club), "path": reverse("desk_admissions", args=[club.slug])}
    notify(events.JOIN_ASKED, policies.directors_of(club), context=context, club=club, at=at)
