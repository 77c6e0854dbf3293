"""Linking accounts and players: "this player is me"."""

from collections import Counter
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league import extension, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.clubs.services import clubs
from league.errors import Conflict, NotAllowed
from league.models import Notice, Player, PlayerClaim, User
from league.notices import events
from league.notices.services.notices import notify
from league.people.services import players
from league.people.services import public_names as public_names_of
from league.words import public_names, sentences

State = PlayerClaim.State
#: Claims of one account that wait in a club, and claims of one account in a day.
MOST_WAITING, MOST_A_DAY = 2, 5
MAIL_EVERY = timedelta(days=1)


@transaction.atomic
@public_names.in_full()
def claim(*, actor: Actor, player: Player, at: datetime, message: str = "") -> PlayerClaim:
    """A person claims to be a player.

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
    if has_verified(user=user, email=player.email) and not _was_refused(player, user):
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
    connect(actor=actor, player=player, user=user, at=at, on_word_of=person(actor), given_at=at)
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
    # From now on it takes a director: neither the address nor a claim links the two at once.
    PlayerClaim.objects.create(
        player=player,
        user_id=player.user_id,
        state=State.REFUSED,
        decided_by=person(actor),
        decided_at=timezone.now(),
    )
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


def listed(*, user: User) -> list[Player]:
    """The players whom clubs list with an address that this person has confirmed, and who have no account yet.

    Not where the person is a player of the club already, or where they or a director have said no.
    """
    found = of_addresses(user=user).select_related("club", "email_by")
    return [player for player in found.order_by("club__name", "pk") if not _was_refused(player, user)]


def of_addresses(*, user: User) -> QuerySet[Player]:
    """The same, with those of whom somebody has said no."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    emails = [email.lower() for email in confirmed]
    found: QuerySet[Player] = Player.objects.present().filter(user__isnull=True, email__in=emails)
    return found.exclude(club__in=Player.objects.filter(user=user).values("club"))


@public_names.in_full()
def confirmed(*, user: User, email: str, at: datetime) -> list[Player]:
    """The person has just confirmed an address: the players of that address are theirs; gives those.

    Two of one club share the address where a couple has one: then the person says who they are.
    """
    theirs = [player for player in listed(user=user) if player.email == email.lower()]
    clubs_of = Counter(player.club_id for player in theirs)
    sure = [player for player in theirs if clubs_of[player.club_id] == 1]
    return [player for player in sure if _link_listed(user, player.pk, at)]


@transaction.atomic
@public_names.in_full()
def answer(*, actor: Actor, player: Player, is_me: bool, at: datetime) -> Player | None:
    """The person says whether they are a player whom a club lists with their address; gives the player if so.

    A no is kept, and told to nobody: the club learns nothing of an account. Raises NotAllowed where nobody asked.
    """
    user = person(actor)
    found = next((each for each in listed(user=user) if each.pk == player.pk), None) if user else None
    if user is None or found is None:
        raise NotAllowed(_("No club lists you as this player."))
    if is_me:
        return found if _link_listed(user, found.pk, at) else None
    PlayerClaim.objects.create(player=found, user=user, state=State.REFUSED, decided_by=user, decided_at=at)
    return None


@transaction.atomic
def _link_listed(user: User, key: int, at: datetime) -> bool:
    """Links the account to the player with its confirmed address, unless somebody was faster, and tells both sides."""
    player = players.locked(Player.objects.get(pk=key))
    is_free = player.user_id is None and player.merged_into_id is None
    is_taken = Player.objects.filter(club_id=player.club_id, user=user).exists()
    if not is_free or is_taken or not has_verified(user=user, email=player.email):
        return False
    connect(actor=user, player=player, user=user, at=at, on_word_of=player.email_by, given_at=player.email_at)
    club, context = player.club, {"player": str(player), "club": str(player.club)}
    notify(events.LINKED_YOU, [user], context={**context, "path": reverse("my")}, club=club, at=at)
    path = reverse("desk_player", args=[club.slug, player.pk])
    others = [each for each in policies.directors_of(club) if each.pk != user.pk]
    notify(events.LINKED, others, context={**context, "path": path}, club=club, at=at)
    return True


def _was_refused(player: Player, user: User) -> bool:
    """Whether the person or a director has said no since the player has this address."""
    said = PlayerClaim.objects.filter(player=player, user=user, state=State.REFUSED)
    return said.filter(decided_at__gt=player.email_at).exists() if player.email_at else said.exists()


def _tell_directors(claim: PlayerClaim, at: datetime) -> None:
    """Tells each who can decide the claim, once a day: the page has all that wait.

    What the claimant wrote, name and address included, stands on that page alone: no stranger writes to directors by
    way of us.
    """
    club = claim.player.club
    if Notice.objects.filter(club=club, event=events.CLAIM.key, made_at__gt=at - MAIL_EVERY).exists():
        return
    context = {
        "player": str(claim.player),
        "club": str(club),
        "path": reverse("desk_claims", args=[club.slug]),
    }
    notify(events.CLAIM, policies.directors_of(club), context=context, club=club, at=at)


def _tell_claimant(claim: PlayerClaim) -> None:
    """Tells the person whether the player is theirs now."""
    accepted = claim.state == State.ACCEPTED
    context = {
        "player": str(claim.player),
        "club": str(claim.player.club),
        "path": reverse("my") if accepted else claim.player.get_absolute_url(),
        "accepted": accepted,
    }
    notify(events.CLAIM_DECIDED, [claim.user], context=context, club=claim.player.club)


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
    connect(
        actor=actor, player=claim.player, user=claim.user, at=at, on_word_of=on_word_of, given_at=given_at
    )


def _close(claim: PlayerClaim, state: str, actor: Actor, at: datetime) -> None:
    claim.state, claim.decided_by, claim.decided_at = state, person(actor), at
    claim.save(update_fields=["state", "decided_by", "decided_at"])


def connect(
    *,
    actor: Actor,
    player: Player,
    user: User,
    at: datetime,
    on_word_of: User | None,
    given_at: datetime | None,
) -> None:
    """The account is the player's from now on: for services that have locked the player and checked who may."""
    before = players.facts(player)
    player.user, player.linked_by, player.linked_at = user, on_word_of, given_at
    if not user.name:
        user.name = player.name
        user.save(update_fields=["name"])
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
    public_names_of.agree(player=player, user=user)
    extension.layer().linked(player=player, user=user)
    audit.record(
        actor=actor,
        action="player.linked",
        summary=sentences.gettext("%(user)s linked to this player") % {"user": user},
        player=player,
        before=before,
        after=players.facts(player),
    )
