"""Linking accounts and players: "this player is me"."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from league import extension, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.clubs.services import clubs
from league.errors import Conflict, NotAllowed
from league.models import OutboxMessage, Player, PlayerClaim, Role, User
from league.notices.services import outbox
from league.people.services import players
from league.words import sentences

State = PlayerClaim.State
#: Claims of one account that wait in a club, and claims of one account in a day.
MOST_WAITING, MOST_A_DAY = 2, 5
MAIL_EVERY = timedelta(days=1)


@transaction.atomic
def claim(*, actor: Actor, player: Player, at: datetime, message: str = "") -> PlayerClaim:
    """A person says that a player is him.

    Accepted at once when the player's e-mail address is one that the account has verified; otherwise a director
    decides. Asking twice gives the claim that is waiting already.
    """
    user = person(actor)
    if user is None:
        raise NotAllowed(_("Only people can claim a player."))
    player = players.locked(player)
    policies.require(actor, "player.claim", player)
    check_free(player, user)
    _check_not_too_many(player, user, at)
    made, is_new = PlayerClaim.objects.get_or_create(
        player=player, user=user, state=State.OPEN, defaults={"message": message.strip()[:300]}
    )
    if is_new:
        audit.record(
            actor=actor,
            action="player.claimed",
            summary=sentences.gettext("%(user)s claims this player") % {"user": user},
            player=player,
            after={"user": user.pk},
            reason=message,
        )
    if has_verified(user=user, email=player.email):
        # The word is that of the person who wrote the address.
        _accept(actor, made, at, on_word_of=player.email_by, given_at=player.email_at)
    elif is_new:
        _tell_directors(made, at)
    return made


@transaction.atomic
def decide(*, actor: Actor, claim: PlayerClaim, accept: bool, at: datetime) -> PlayerClaim:
    """A director agrees that the player is the person who says so, or does not."""
    player = players.locked(claim.player)
    policies.require(actor, "player.decide_claim", player)
    claim = PlayerClaim.objects.select_related("user").get(pk=claim.pk)
    claim.player = player
    if claim.state != State.OPEN:
        raise Conflict(_("This claim has already been answered."))
    if accept:
        check_free(player, claim.user)
        _accept(actor, claim, at, on_word_of=person(actor), given_at=at)
    else:
        _close(claim, State.REFUSED, actor, at)
        audit.record(
            actor=actor,
            action="player.claim_refused",
            summary=sentences.gettext("Claim of %(user)s declined") % {"user": claim.user},
            player=player,
            after={"user": claim.user_id},
        )
    _tell_claimant(claim)
    return claim


@transaction.atomic
def link(*, actor: Actor, player: Player, user: User, at: datetime) -> Player:
    """A director says whose account belongs to a player."""
    player = players.locked(player)
    policies.require(actor, "player.decide_claim", player)
    check_free(player, user)
    connect(actor, player, user, at, on_word_of=person(actor), given_at=at)
    return player


@transaction.atomic
def unlink(*, actor: Actor, player: Player, reason: str = "") -> Player:
    """A director takes the account off a player. The membership in the club stays."""
    player = players.locked(player)
    policies.require(actor, "player.decide_claim", player)
    if player.user_id is None:
        return player
    before = players.facts(player)
    extension.layer().linked(player=player, user=player.user)
    player.user = None
    player.save(update_fields=["user"])
    audit.record(
        actor=actor,
        action="player.unlinked",
        summary=sentences.gettext("Account unlinked from the player"),
        player=player,
        before=before,
        after=players.facts(player),
        reason=reason,
    )
    return player


def _tell_directors(claim: PlayerClaim, at: datetime) -> None:
    """A mail to each who can decide the claim, once a day: the page has all that wait.

    What the claimant wrote, name and address included, stands on that page alone: no stranger writes to directors by
    way of us.
    """
    club = claim.player.club
    told = OutboxMessage.objects.filter(club=club, template="claim", made_at__gt=at - MAIL_EVERY)
    if told.exists():
        return
    members = club.memberships.filter(role__in=[Role.DIRECTOR, Role.OWNER], user__is_active=True)
    for member in members.select_related("user").order_by("pk"):
        context = {
            "name": member.user.get_short_name(),
            "player": str(claim.player),
            "club": str(club),
            "path": reverse("desk_claims", args=[club.slug]),
        }
        outbox.post(to=member.user.email, template="claim", context=context, club=club)


def _tell_claimant(claim: PlayerClaim) -> None:
    """A mail to the person: whether the player is theirs now."""
    accepted = claim.state == State.ACCEPTED
    path = reverse("my") if accepted else claim.player.get_absolute_url()
    context = {
        "name": claim.user.get_short_name(),
        "player": str(claim.player),
        "club": str(claim.player.club),
        "path": path,
        "accepted": accepted,
    }
    outbox.post(to=claim.user.email, template="claim_decided", context=context, club=claim.player.club)


def has_verified(*, user: User, email: str) -> bool:
    """Whether the account has shown that it receives the mail of this address."""
    return bool(email) and EmailAddress.objects.filter(user=user, email__iexact=email, verified=True).exists()


def check_free(player: Player, user: User) -> None:
    """Raises Conflict where one of the two belongs to somebody else already."""
    if player.merged_into_id is not None:
        raise Conflict(_("This player was merged with another one. Claim that one instead."))
    if player.user_id == user.pk:
        raise Conflict(_("This player and this account are already linked."))
    if player.user_id is not None:
        raise Conflict(_("This player is already linked to another account. Ask a director of the club."))
    other = Player.objects.filter(club_id=player.club_id, user=user).first()
    if other is not None:
        raise Conflict(
            _(
                "In this club your account is already linked to %(name)s. If both are you, a "
                "director can merge them."
            )
            % {"name": other}
        )


def _check_not_too_many(player: Player, user: User, at: datetime) -> None:
    """A person is one player of a club: more than a few claims are no mistake any more."""
    claims = PlayerClaim.objects.filter(user=user).exclude(player=player, state=State.OPEN)
    waiting = claims.filter(state=State.OPEN, player__club_id=player.club_id).count()
    if waiting >= MOST_WAITING or claims.filter(made_at__gt=at - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Conflict(
            _("You have already claimed several players. Please wait for the directors to answer first.")
        )


def _accept(
    actor: Actor, claim: PlayerClaim, at: datetime, *, on_word_of: User | None, given_at: datetime | None
) -> None:
    _close(claim, State.ACCEPTED, actor, at)
    connect(actor, claim.player, claim.user, at, on_word_of=on_word_of, given_at=given_at)


def _close(claim: PlayerClaim, state: str, actor: Actor, at: datetime) -> None:
    claim.state, claim.decided_by, claim.decided_at = state, person(actor), at
    claim.save(update_fields=["state", "decided_by", "decided_at"])


def connect(
    actor: Actor,
    player: Player,
    user: User,
    at: datetime,
    *,
    on_word_of: User | None,
    given_at: datetime | None,
) -> None:
    """The account is the player's from now on: for services that have locked the player and checked who may."""
    before = players.facts(player)
    player.user, player.linked_by, player.linked_at = user, on_word_of, given_at
    try:
        with transaction.atomic():
            player.save(update_fields=["user", "linked_by", "linked_at"])
    except IntegrityError as clash:
        raise Conflict(_("This account is already linked to another player of the club.")) from clash
    # What can no longer be granted is answered: others' claims to this player, and this account's to others.
    waiting = PlayerClaim.objects.filter(state=State.OPEN)
    for claim in waiting.filter(player=player) | waiting.filter(user=user, player__club_id=player.club_id):
        _close(claim, State.REFUSED, actor, at)
    clubs.admit(actor=actor, club=player.club, user=user)
    extension.layer().linked(player=player, user=user)
    audit.record(
        actor=actor,
        action="player.linked",
        summary=sentences.gettext("%(user)s linked to this player") % {"user": user},
        player=player,
        before=before,
        after=players.facts(player),
    )
