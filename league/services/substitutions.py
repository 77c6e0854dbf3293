"""Somebody else plays for a member of a pair, in one match."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import policies, sentences
from league.actors import Actor, person
from league.errors import Conflict, Invalid
from league.models import Entry, Fixture, Player, Substitution
from league.services import audit, fixtures


@transaction.atomic
def appoint(
    *, actor: Actor, fixture: Fixture, absent: Player, substitute: Player, reason: str = ""
) -> Substitution:
    """`substitute` plays for `absent`. Nobody who plays in the same round of the same competition may stand in."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "fixture.substitute", fixture)
    entry = _entry_of(fixture, absent)
    if not policies.may(actor, "fixture.arrange", fixture) and policies.side_of(actor, fixture) != (
        "home" if entry.pk == fixture.home_id else "away"
    ):
        raise Invalid(_("You can name a substitute for your own pair only."))
    _check(fixture, substitute)
    _check_stands_in_once(fixture, substitute)
    try:
        with transaction.atomic():
            made, _created = Substitution.objects.update_or_create(
                fixture=fixture,
                absent=absent,
                defaults={
                    "entry": entry,
                    "substitute": substitute,
                    "reason": reason[:300],
                    "made_by": person(actor),
                },
            )
    except IntegrityError as clash:
        raise Conflict(
            _("%(name)s already stands in for somebody in this match.") % {"name": substitute}
        ) from clash
    audit.record(
        actor=actor,
        action="fixture.substituted",
        summary=sentences.gettext("%(substitute)s plays for %(absent)s")
        % {"substitute": substitute, "absent": absent},
        fixture=fixture,
        after={"absent": absent.pk, "substitute": substitute.pk},
        reason=reason,
    )
    return made


@transaction.atomic
def cancel(*, actor: Actor, substitution: Substitution) -> None:
    """The absent player plays after all."""
    fixture = fixtures.locked(substitution.fixture)
    policies.require(actor, "fixture.substitute", fixture)
    _still_open(fixture)
    audit.record(
        actor=actor,
        action="fixture.substitution_cancelled",
        summary=sentences.gettext("%(absent)s plays after all") % {"absent": substitution.absent},
        fixture=fixture,
        before={"absent": substitution.absent_id, "substitute": substitution.substitute_id},
    )
    substitution.delete()


def _check_stands_in_once(fixture: Fixture, substitute: Player) -> None:
    elsewhere = Substitution.objects.filter(substitute=substitute, fixture__round=fixture.round)
    other = (
        elsewhere.exclude(fixture=fixture)
        .exclude(fixture__status=Fixture.Status.VOID)
        .select_related("entry__partnership__player_a", "entry__partnership__player_b")
        .first()
    )
    if other is not None:
        raise Invalid(
            _("%(name)s plays for %(pair)s in the same round.") % {"name": substitute, "pair": other.entry}
        )


def _entry_of(fixture: Fixture, player: Player) -> Entry:
    for entry in (fixture.home, fixture.away):
        if player.pk in {member.pk for member in entry.partnership.players}:
            return entry
    raise Invalid(_("%(name)s does not play in this match.") % {"name": player})


def _still_open(fixture: Fixture) -> None:
    if fixture.status not in {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED, Fixture.Status.IN_PLAY}:
        raise Conflict(_("This match is already “%(now)s”.") % {"now": fixture.get_status_display()})


def _check(fixture: Fixture, substitute: Player) -> None:
    _still_open(fixture)
    if substitute.club_id != fixture.round.competition.club_id or substitute.merged_into_id:
        raise Invalid(_("%(name)s is not a player of this club.") % {"name": substitute})
    regulars = {p.pk for entry in (fixture.home, fixture.away) for p in entry.partnership.players}
    if substitute.pk in regulars:
        raise Invalid(_("%(name)s already plays in this match.") % {"name": substitute})
    others = (
        Fixture.objects.filter(round=fixture.round).exclude(pk=fixture.pk).exclude(status=Fixture.Status.VOID)
    )
    for other in others.with_pairs():
        if substitute.pk in {p.pk for entry in (other.home, other.away) for p in entry.partnership.players}:
            raise Invalid(
                _("%(name)s plays for %(pair)s in the same round.") % {"name": substitute, "pair": other}
            )
