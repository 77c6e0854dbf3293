"""Invitations to be a player: a link, by mail or on a printed slip, that its person uses once.

Whether an address has an account changes nothing here: the same mail, the same answer, and no row is asked for it. Only
the page that the link opens knows, for who opens a mailed link reads the mail of the address.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext as _

from league import locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.background import announce
from league.errors import Conflict, NotAllowed
from league.models import Club, Invitation, OutboxMessage, Player, User
from league.notices import events
from league.notices.services import outbox
from league.notices.services.notices import notify
from league.people.services import claims, passkeys
from league.people.services.passkeys import Passkey
from league.words import public_names, sentences

#: How old an invitation may be when its account is told: a lost message is healed for so long.
TOLD_WITHIN = timedelta(days=1)
MAIL_LASTS, SLIP_LASTS = timedelta(days=14), timedelta(days=60)
#: Mails of one club in a day, and to one address, of all clubs together: a club is no way to write to strangers.
MOST_A_DAY, MOST_TO_ONE = 400, 3
TEMPLATE = "player_invitation"
#: Where a browser's session keeps the slip whose holder logs in or signs up.
SESSION_KEY = "slip"


@dataclass(frozen=True, slots=True)
class Sent:
    """Who was invited, and who was not, with the reason in words."""

    invited: tuple[Player, ...]
    left_out: tuple[tuple[Player, str], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Slip:
    """A link for paper. Nobody can show it again, and its repr does not."""

    player: Player
    address: str


def waiting(club: Club, *, at: datetime) -> QuerySet[Player]:
    """Players without an account whom no invitation is on its way to."""
    asked = Invitation.objects.open(at=at).filter(club=club).to_players()
    free = club.players.present().filter(user__isnull=True).exclude(pk__in=asked.values("player"))
    return free.order_by("name", "pk")


@transaction.atomic
def invite(*, actor: Actor, club: Club, players: Collection[int], at: datetime) -> Sent:
    """Mails each of these players a link. An older one of theirs ends with it."""
    club = locks.club(club.pk)
    policies.require(actor, "player.invite", club)
    told = OutboxMessage.objects.filter(template=TEMPLATE, made_at__gt=at - timedelta(days=1))
    room = MOST_A_DAY - told.filter(club=club).count()
    invited: list[Player] = []
    left_out: list[tuple[Player, str]] = []
    for player in _free(club, players):
        if not player.email:
            left_out.append((player, _("no e-mail address")))
        elif len(invited) >= room:
            left_out.append(
                (player, _("the club has sent many invitations today: please wait until tomorrow"))
            )
        elif told.filter(to=player.email).count() >= MOST_TO_ONE:
            left_out.append((player, _("several invitations were sent to this address today")))
        else:
            _mail(actor, player, at)
            invited.append(player)
    return Sent(tuple(invited), tuple(left_out))


@transaction.atomic
def make_slips(*, actor: Actor, club: Club, players: Collection[int], at: datetime) -> list[Slip]:
    """A link for paper to each of these players, in the order of names. An older one of theirs ends with it.

    Left out are those about whose account the actor has no say just now.
    """
    club = locks.club(club.pk)
    policies.require(actor, "player.invite", club)
    found = []
    for player in _free(club, players):
        if policies.may(actor, "player.decide_claim", player):
            token = _written(actor, player, at, email="", lasts=SLIP_LASTS).token
            found.append(Slip(player, settings.SITE_URL + path_of(token)))
    return found


@transaction.atomic
def withdraw(*, actor: Actor, player: Player, at: datetime) -> None:
    """The player's links open nothing any more."""
    club = locks.club(player.club_id)
    policies.require(actor, "player.invite", club)
    if _end_others(player, at):
        audit.record(
            actor=actor,
            action="player.invitation_withdrawn",
            summary=sentences.gettext("Invitation withdrawn"),
            player=player,
        )


def tell_invited(*, at: datetime) -> int:
    """The accounts of invited addresses find the invitation among their notices; gives how many were told.

    For a worker: who invites cannot tell by the answer, nor by its time, whether there is an account.
    """
    recent = Invitation.objects.open(at=at).filter(made_at__gt=at - TOLD_WITHIN).exclude(email="")
    asked: dict[str, list[Invitation]] = defaultdict(list)
    for invitation in recent.select_related("club", "player", "made_by").order_by("pk"):
        asked[invitation.email.lower()].append(invitation)
    confirmed = EmailAddress.objects.filter(verified=True).annotate(low=Lower("email"))
    return sum(
        _tell(invitation, address.user, at)
        for address in confirmed.filter(low__in=asked).select_related("user")
        for invitation in asked[address.low]
    )


def _tell(invitation: Invitation, user: User, at: datetime) -> bool:
    player = invitation.player
    if player is not None and player not in claims.listed(user=user):
        return False
    context = {
        "club": str(invitation.club),
        "player": player.name if player else "",
        "role": invitation.role,
        "who": invitation.made_by.get_full_name() if invitation.made_by else "",
        "expires_at": invitation.expires_at.isoformat(),
        # The link of a mail is kept nowhere else.
        "path": reverse("my") if player else reverse("invitation", args=[invitation.pk]),
    }
    told = notify(
        events.INVITED, [user], context=context, club=invitation.club, about=str(invitation.pk), at=at
    )
    return bool(told)


def behind(token: str, *, at: datetime) -> Invitation | None:
    """The invitation that a link opens, if it can still be used."""
    found = (
        Invitation.objects.open(at=at)
        .filter(digest=digest_of(token))
        .select_related("club", "player", "made_by")
    )
    invitation = found.first()
    return invitation if invitation is not None and _is_current(invitation) else None


def player_of(invitation: Invitation) -> Player:
    """Whom the link makes its holder."""
    if invitation.player is None:
        raise LookupError("This invitation is to a role.")
    return invitation.player


def was_used_by(token: str, *, user: User) -> bool:
    """Whether this account has used the link already, as in another tab."""
    return Invitation.objects.filter(digest=digest_of(token), used_by=user).exists()


def has_account(invitation: Invitation) -> bool:
    """Whether the address is some account's: it is for that account then. For the person behind the link alone."""
    confirmed_or_not = EmailAddress.objects.filter(email__iexact=invitation.email)
    return User.objects.filter(
        Q(email__iexact=invitation.email) | Q(pk__in=confirmed_or_not.values("user"))
    ).exists()


def is_for(invitation: Invitation, user: User) -> bool:
    """Whether the account may use it: a mailed link is for who has confirmed its address, a slip for who holds it."""
    return not invitation.email or claims.has_verified(user=user, email=invitation.email)


@transaction.atomic
def note_opened(*, invitation: Invitation, at: datetime) -> None:
    """The club sees that the link was opened; that uses nothing up, for programs open links as well."""
    Invitation.objects.filter(pk=invitation.pk, opened_at__isnull=True).update(opened_at=at)


@transaction.atomic
@public_names.in_full()
def join(*, actor: User, token: str, at: datetime) -> Player:
    """The account is the player from now on. Raises Conflict where the link is over, NotAllowed for another account."""
    invitation = _locked(token, at)
    if not is_for(invitation, actor):
        raise NotAllowed(_("This invitation is for another e-mail address."))
    return _use(invitation, actor, at)


@transaction.atomic
@public_names.in_full()
def join_anew(
    *, token: str, password: str = "", passkey: Passkey | None = None, language: str, at: datetime
) -> User:
    """Makes the account that a mailed link is for, with a password or a passkey, and has it join.

    Raises Conflict where there is an account already.
    """
    invitation = _locked(token, at)
    if not invitation.email:
        raise NotAllowed(_("A slip proves no e-mail address. Please sign up first."))
    taken = Conflict(_("This address has an account. Please log in."))
    if has_account(invitation):
        raise taken
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                invitation.email, password or None, name=player_of(invitation).name, language=language
            )
    except IntegrityError as clash:
        raise taken from clash
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    if passkey:
        passkeys.add(user=user, passkey=passkey)
    _use(invitation, user, at)
    return user


def path_of(token: str) -> str:
    """Where a link leads, on this site."""
    return reverse("player_invitation", args=[token])


def digest_of(token: str) -> str:
    """What is kept of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True, repr=False)
class _Written:
    invitation: Invitation
    token: str


def _free(club: Club, players: Collection[int]) -> Iterable[Player]:
    """Those of the players who have no account, locked, in the order of names."""
    asked = club.players.present().filter(pk__in=players, user__isnull=True)
    found = locks.players(list(asked.values_list("pk", flat=True))).values()
    free = (each for each in found if each.user_id is None and each.merged_into_id is None)
    return sorted(free, key=lambda each: (each.name, each.pk))


def _mail(actor: Actor, player: Player, at: datetime) -> None:
    made = _written(actor, player, at, email=player.email, lasts=MAIL_LASTS)
    sender = person(actor)
    context = {
        "club": str(player.club),
        "player": player.name,
        "sender": sender.get_full_name() if sender else "",
        "language": sender.language if sender else "",
        "days": MAIL_LASTS.days,
        "path": path_of(made.token),
    }
    made.invitation.mail = outbox.post(to=player.email, template=TEMPLATE, context=context, club=player.club)
    made.invitation.save(update_fields=["mail"])
    announce.after_commit("league.tasks.tell_invited")


def _written(actor: Actor, player: Player, at: datetime, *, email: str, lasts: timedelta) -> _Written:
    _end_others(player, at)
    token = secrets.token_urlsafe(24)
    made = Invitation.objects.create(
        club=player.club,
        player=player,
        email=email,
        digest=digest_of(token),
        made_by=person(actor),
        made_at=at,
        expires_at=at + lasts,
    )
    summary = (
        sentences.gettext("Invited by mail") if email else sentences.gettext("Invited by a printed slip")
    )
    audit.record(actor=actor, action="player.invited", summary=summary, player=player, after={"email": email})
    return _Written(made, token)


def _end_others(player: Player, at: datetime) -> int:
    return Invitation.objects.open(at=at).filter(player=player).update(withdrawn_at=at)


def _is_current(invitation: Invitation) -> bool:
    """Whether the player is still the one that was invited: nobody's, and of the same address.

    A slip proves no address: it is its issuer's word, which ends with their right to give it.
    """
    player, maker = player_of(invitation), invitation.made_by
    if invitation.email:
        is_good = invitation.email == player.email
    else:
        is_good = maker is not None and policies.may(maker, "player.invite", invitation.club)
    return player.user_id is None and player.merged_into_id is None and is_good


def _locked(token: str, at: datetime) -> Invitation:
    """The invitation and its player, locked; of two tabs at once the second finds the link used."""
    found = behind(token, at=at)
    if found is not None:
        locks.club(found.club_id)
        locks.player(player_of(found).pk)
        found = behind(token, at=at)
    if found is None:
        raise Conflict(_("This invitation can’t be used any more. Ask the club for a new one."))
    return found


def _use(invitation: Invitation, user: User, at: datetime) -> Player:
    player = player_of(invitation)
    claims.check_free(player, user)
    invitation.used_at, invitation.used_by = at, user
    invitation.save(update_fields=["used_at", "used_by"])
    audit.record(
        actor=user,
        action="player.joined",
        summary=sentences.gettext("%(user)s used the invitation by mail") % {"user": user}
        if invitation.email
        else sentences.gettext("%(user)s used a printed slip") % {"user": user},
        player=player,
        after={"user": user.pk, "issued_by": invitation.made_by_id},
    )
    if invitation.email:
        # The word is that of the person who wrote the address.
        word, given = player.email_by, player.email_at
    else:
        # Whoever holds it may use it, its issuer too: the word is the issuer's, and no older than its use.
        word, given = invitation.made_by, at
    claims.connect(actor=user, player=player, user=user, at=at, on_word_of=word, given_at=given)
    return player
