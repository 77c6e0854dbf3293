"""Where boards wait for a word that nobody in the club can give: an owner names somebody for one decision."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import embargo
from games import policies as games_policies
from games.boards.services import releases
from games.fixture_boards import is_too_early, keeping_shut
from games.models import EarlyPlay, NeutralInvitation
from league import policies
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import Fixture
from league.querysets import UNPLAYED
from league.words import sentences

LASTS = timedelta(days=7)
LONGEST_NAME = 120


@transaction.atomic
def invite(*, actor: Actor, fixture: Fixture, name: str, at: datetime) -> str:
    """An owner names somebody outside the event; gives the token of the link, which nobody can show again."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "boards.name_neutral", fixture)
    user = person(actor)
    if not name.strip() or user is None:
        raise Invalid(_("Please name someone. Everyone can read it."))
    if games_policies.has_neutral(fixture.round.competition):
        raise Conflict(
            _("The club has a director who isn’t playing in this event. Please ask that director.")
        )
    if not keeping_shut().filter(fixture=fixture).exists():
        raise Conflict(_("This match has no closed boards."))
    token = secrets.token_urlsafe(24)
    NeutralInvitation.objects.create(
        fixture=fixture,
        digest=digest_of(token),
        name=name.strip()[:LONGEST_NAME],
        made_by=user,
        made_at=at,
        expires_at=at + LASTS,
    )
    audit.record(
        actor=actor,
        action="boards.neutral_named",
        summary=sentences.gettext("%(name)s was named to decide whether the boards of this match may open")
        % {"name": name.strip()[:LONGEST_NAME]},
        fixture=fixture,
    )
    return token


def digest_of(token: str) -> str:
    """What is kept of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation(token: str, *, at: datetime) -> NeutralInvitation | None:
    """The invitation that a link belongs to, if it can still be used."""
    found: NeutralInvitation | None = (
        NeutralInvitation.objects.filter(digest=digest_of(token), used_at=None, expires_at__gt=at)
        .select_related("made_by")
        .first()
    )
    return found


@transaction.atomic
def decide(*, actor: Actor, token: str, opens: bool, reason: str, at: datetime) -> Fixture:
    """The one decision that a link allows: the boards open, or stay shut. Raises NotAllowed, Conflict or Invalid."""
    found, user = invitation(token, at=at), person(actor)
    if found is None or user is None:
        raise Conflict(_("This link has already been used or has expired."), code="link_used")
    fixture = fixtures.locked(found.fixture)
    check_outside(actor=actor, found=found, fixture=fixture)
    if not reason.strip():
        raise Invalid(_("Please give a reason. Everyone can read it."))
    used = NeutralInvitation.objects.filter(pk=found.pk, used_at=None).update(used_by=user, used_at=at)
    if not used:
        raise Conflict(_("This link has already been used or has expired."), code="link_used")
    if not opens:
        audit.record(
            actor=actor,
            action="boards.kept_shut",
            summary=sentences.gettext("The person named by an owner keeps the boards of this match closed"),
            fixture=fixture,
            reason=reason,
        )
        return fixture
    if not keeping_shut().filter(fixture=fixture).exists():
        raise Conflict(_("This match has no closed boards."))
    said = sentences.gettext("The person named by an owner opens the boards of this match")
    releases.open_for(
        actor=actor, fixture=fixture, settled=releases.Settled.NEUTRAL, summary=said, reason=reason
    )
    return fixture


def check_outside(*, actor: Actor, found: NeutralInvitation, fixture: Fixture) -> None:
    """Raises NotAllowed for the person who made the link, and for everyone who takes part in the event."""
    if actor.pk == found.made_by_id or embargo.plays_in_event(actor, fixture.round.competition):
        raise NotAllowed(
            _("This link is for someone who isn’t playing in the event and didn’t create the link.")
        )


@transaction.atomic
def let_play_early(*, actor: Actor, fixture: Fixture, reason: str, at: datetime) -> EarlyPlay:
    """A director's leave to play a match's sealed boards before its round begins. Everybody can read it."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "fixture.play_early", fixture)
    if not games_policies.is_believed(actor, fixture.round.competition):
        raise NotAllowed(_("You’re playing in this event. A director who isn’t has to decide this."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. Everyone can read it."))
    if fixture.status not in UNPLAYED or not is_too_early(fixture, at):
        raise Conflict(_("This match can be played now anyway."))
    given = EarlyPlay.objects.create(
        fixture=fixture, reason=reason.strip()[:300], given_by=person(actor), given_at=at
    )
    audit.record(
        actor=actor,
        action="fixture.early_play",
        summary=sentences.gettext("May be played before its round begins"),
        fixture=fixture,
        reason=reason,
    )
    return given
