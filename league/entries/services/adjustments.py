"""League points that a director gives or takes, with the reason."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine.contest import exact
from league import policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.services import competitions
from league.draws.services import draws
from league.errors import Conflict, Invalid
from league.fixtures.services import telling
from league.models import Adjustment, Entry
from league.notices import events
from league.standings.services import standings
from league.words import sentences

MOST = 1000


@transaction.atomic
def adjust(*, actor: Actor, entry: Entry, points: str, reason: str, round_number: int = 0) -> Adjustment:
    """Gives (or, with a minus, takes) league points, exact: "-1", "1/2", "0.5". Round 0 is from the beginning on."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.adjust", competition)
    competitions.check_not_final(competition)
    draws.check_drawn_here(competition)
    if competition.stage.is_ladder:
        raise Conflict(_("A ladder has no league points."))
    if competition.stage.is_bracket:
        raise Conflict(_("A knock-out has no league points."))
    figure = exact.parse(points)
    if figure is None or not 0 < abs(figure) <= MOST:
        message = _("Enter a number of points such as -1, 1/2 or 0.5, up to %(most)d.") % {"most": MOST}
        raise Invalid(message, details=[validation.fault(message, "points")])
    if not reason.strip():
        message = _("Please give a reason. It is shown with the table.")
        raise Invalid(message, details=[validation.fault(message, "reason")])
    if round_number and not competition.stage.rounds.filter(number=round_number).exists():
        raise Invalid(_("There is no round %(number)s.") % {"number": round_number})
    made = Adjustment.objects.create(
        entry=entry,
        points=str(figure),
        reason=reason.strip()[:300],
        round_number=round_number,
        made_by=person(actor),
    )
    audit.record(
        actor=actor,
        action="entry.adjusted",
        summary=sentences.gettext("%(pair)s: %(points)s points")
        % {"pair": entry, "points": sentences.Figure(exact.shown(figure, signed=True))},
        competition=competition,
        after={"entry": entry.pk, "adjustment": made.pk, "points": made.points, "round": round_number},
        reason=reason,
    )
    _tell_pair(actor, made)
    standings.bump(competition=competition)
    return made


@transaction.atomic
def revoke(*, actor: Actor, adjustment: Adjustment, reason: str, at: datetime) -> Adjustment:
    """Takes an adjustment back. It stays on record with a mark."""
    competition = competitions.locked(adjustment.entry.competition)
    policies.require(actor, "entry.adjust", competition)
    competitions.check_not_final(competition)
    adjustment = Adjustment.objects.select_related("entry").get(pk=adjustment.pk)
    if adjustment.revoked_at:
        raise Conflict(_("This adjustment has already been undone."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. It is kept with the adjustment."))
    adjustment.revoked_at = at
    adjustment.save(update_fields=["revoked_at"])
    audit.record(
        actor=actor,
        action="entry.adjustment_revoked",
        summary=sentences.gettext("%(pair)s: adjustment undone") % {"pair": adjustment.entry},
        competition=competition,
        before={"entry": adjustment.entry_id, "adjustment": adjustment.pk, "points": adjustment.points},
        reason=reason,
    )
    _tell_pair(actor, adjustment, reason=reason.strip()[:300])
    standings.bump(competition=competition)
    return adjustment


def _tell_pair(actor: Actor, adjustment: Adjustment, *, reason: str = "") -> None:
    entry = adjustment.entry
    figure = exact.parse(adjustment.points)
    told = {
        "pair": str(entry),
        "points": exact.shown(figure, signed=True) if figure is not None else "",
        "reason": reason or adjustment.reason,
        "is_undone": adjustment.revoked_at is not None,
    }
    telling.tell_entries(
        actor=actor, event=events.ADJUSTED, competition=entry.competition, said={entry.pk: told}
    )
