"""Clubs and who belongs to them."""

from datetime import time, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Club, Membership, Role, User
from league.models.clubs import AUGUST
from league.web import slugs
from league.words import sentences

#: Clubs of one founder in a day: each can write to strangers.
MOST_A_DAY = 3
#: When a season begins; whether newcomers take themselves in, a lone director deals, guests enter; which words guests'
#: names may not have; whether other websites may show the tables.
SETTINGS = (
    "year_begins", "is_open", "lone_director_deals", "guests_enter", "unwanted_words", "may_be_embedded",
)  # fmt: skip


@transaction.atomic
def found(
    *,
    actor: Actor,
    name: str,
    time_zone: str,
    slug: str = "",
    place: str = "",
    weekday: int | None = None,
    play_time: time | None = None,
    year_begins: int | None = None,
    about: str = "",
) -> Club:
    """Creates a club, owned by the actor. Without a slug the address is made from the name."""
    founder = person(actor)
    check_may_found(actor=actor)
    return make(
        actor=actor,
        owner=founder,
        name=name,
        time_zone=time_zone,
        slug=slug,
        place=place,
        weekday=weekday,
        play_time=play_time,
        year_begins=year_begins,
        about=about,
    )


def check_may_found(*, actor: Actor, under_way: int = 0) -> None:
    """Raises NotAllowed, or Conflict where the person has created many clubs today, with those under way."""
    policies.require(actor, "club.found")
    founder = person(actor)
    if founder is not None and done_today(founder, "club.founded") + under_way >= MOST_A_DAY:
        raise Conflict(_("You have created several clubs today. You can create another one tomorrow."))


@transaction.atomic
def make(
    *,
    actor: Actor,
    owner: User | None,
    name: str,
    time_zone: str,
    slug: str = "",
    place: str = "",
    weekday: int | None = None,
    play_time: time | None = None,
    year_begins: int | None = None,
    about: str = "",
) -> Club:
    """Creates a club: for services that have checked who may."""
    slug = slugs.choose(wanted=slug, name=name, is_taken=lambda slug: Club.objects.filter(slug=slug).exists())
    club = Club(
        name=validation.one_line(name),
        slug=slug,
        time_zone=time_zone,
        place=validation.one_line(place),
        weekday=weekday,
        play_time=play_time,
        year_begins=year_begins or AUGUST,
        about=about.strip(),
    )
    validation.check(club)
    _check_unlike_others(club)
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as clash:
        raise Conflict(_("The address “%(slug)s” is taken. Choose another one.") % {"slug": slug}) from clash
    if owner is not None:
        Membership.objects.create(user=owner, club=club, role=Role.OWNER)
        policies.forget_roles(owner)
    said = sentences.gettext("Club created")
    audit.record(actor=actor, action="club.founded", summary=said, club=club, after=_facts(club))
    return club


@transaction.atomic
def edit(
    *,
    actor: Actor,
    club: Club,
    name: str,
    time_zone: str,
    place: str = "",
    weekday: int | None = None,
    play_time: time | None = None,
    about: str = "",
    **settings: bool | int | str | None,
) -> Club:
    """Changes what a club says of itself. Matches that have a date keep their moment when the time zone changes.

    The settings are those of SETTINGS. What is None, or not given, stays as it is.
    """
    club = locks.club(club.pk)
    policies.require(actor, "club.edit", club)
    before = _facts(club)
    club.name, club.time_zone, club.about = validation.one_line(name), time_zone, about.strip()
    club.place = validation.one_line(place)
    club.weekday, club.play_time = weekday, play_time
    if unknown := settings.keys() - set(SETTINGS):
        raise TypeError(f"no settings of a club: {unknown}")
    for setting, value in settings.items():
        if value is not None:
            setattr(club, setting, value)
    club.unwanted_words = validation.one_line(club.unwanted_words)
    validation.check(club)
    if club.name != before["name"]:
        _check_unlike_others(club)
    club.save()
    said, after = sentences.gettext("Club edited"), _facts(club)
    audit.record(actor=actor, action="club.edited", summary=said, club=club, before=before, after=after)
    return club


@transaction.atomic
def join(*, actor: Actor, club: Club) -> Membership:
    """Makes the person a member of a club that is open; those who have a role already keep it."""
    club = locks.club(club.pk)
    policies.require(actor, "club.join", club)
    user = person(actor)
    if user is None:
        raise NotAllowed(_("Only people can join a club."))
    return admit(actor=actor, club=club, user=user)


@transaction.atomic
def set_role(*, actor: Actor, membership: Membership, role: str) -> Membership:
    """Gives a member another role. A club never loses its last owner."""
    membership = _locked(membership)
    policies.require(actor, "club.members", membership.club)
    if role not in Role.values:
        raise Invalid(_("Choose one of the roles: owner, director, scorer or member."))
    return give_role(actor=actor, membership=membership, role=role)


@transaction.atomic
def give_role(*, actor: Actor, membership: Membership, role: str) -> Membership:
    """Gives a member another role, for services that have checked who may and locked the club."""
    if membership.role == role:
        return membership
    before = membership.role
    if before == Role.OWNER:
        _keep_an_owner(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    policies.forget_roles(membership.user)
    _forget(actor, membership)
    audit.record(
        actor=actor,
        action="club.role_changed",
        summary=sentences.gettext("%(name)s is now %(role)s")
        % {"name": membership.user, "role": Role(role).label},
        club=membership.club,
        before={"user": membership.user_id, "role": before},
        after={"user": membership.user_id, "role": role},
    )
    return membership


@transaction.atomic
def remove_member(*, actor: Actor, membership: Membership) -> None:
    """Ends a membership: an owner anybody's, everybody their own. The player and all results stay."""
    membership = _locked(membership)
    if membership.user_id != actor.pk:
        policies.require(actor, "club.members", membership.club)
    if membership.role == Role.OWNER:
        _keep_an_owner(membership)
    audit.record(
        actor=actor,
        action="club.member_removed",
        summary=sentences.gettext("%(name)s is no longer a member") % {"name": membership.user},
        club=membership.club,
        before={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()
    policies.forget_roles(membership.user)
    _forget(actor, membership)


@transaction.atomic
def admit(*, actor: Actor, club: Club, user: User) -> Membership:
    """Makes the user a member of the club unless they are one: for services that have checked who may."""
    membership, is_new = Membership.objects.get_or_create(user=user, club=club)
    if is_new:
        policies.forget_roles(user)
        audit.record(
            actor=actor,
            action="club.joined",
            summary=sentences.gettext("%(name)s joined the club") % {"name": user},
            club=club,
            after={"user": user.pk, "role": membership.role},
        )
    return membership


def done_today(user: User, action: str) -> int:
    """How often the person did this in the last 24 hours; until the transaction ends they do it no more often."""
    locks.take(User.objects.filter(pk=user.pk))
    since = timezone.now() - timedelta(days=1)
    return AuditEntry.objects.filter(actor=user, action=action, at__gt=since).count()


def _check_unlike_others(club: Club) -> None:
    others = Club.objects.exclude(pk=club.pk)
    validation.check_unlike(club.name, others.values_list("name", flat=True), "name")


def _locked(membership: Membership) -> Membership:
    # The club's row is the lock: two owners who step down at once wait for each other.
    locks.club(membership.club_id)
    found = Membership.objects.select_related("user", "club").filter(pk=membership.pk).first()
    if found is None:
        raise Conflict(_("This person is no longer a member of the club."))
    return found


def _keep_an_owner(membership: Membership) -> None:
    others = Membership.objects.filter(club_id=membership.club_id, role=Role.OWNER).exclude(pk=membership.pk)
    if not others.filter(user__is_active=True).exists():
        raise Conflict(_("A club needs an owner. Make someone else an owner first."))


def _forget(actor: Actor, membership: Membership) -> None:
    user = person(actor)
    if user is not None and user.pk == membership.user_id:
        policies.forget_roles(user)


def _facts(club: Club) -> dict[str, Any]:
    return {
        "name": club.name,
        "slug": club.slug,
        "time_zone": club.time_zone,
        "place": club.place,
        "weekday": club.weekday,
        "play_time": club.play_time.isoformat() if club.play_time else None,
        "year_begins": club.year_begins,
        "about": club.about,
        "is_open": club.is_open,
        "lone_director_deals": club.lone_director_deals,
        "guests_enter": club.guests_enter,
        "unwanted_words": club.unwanted_words,
        "may_be_embedded": club.may_be_embedded,
    }
