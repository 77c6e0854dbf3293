"""What partners have agreed beside the usual signals: on their convention card, for opponents to read."""

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from games.models import Agreement, Table, TableSeat
from league import locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict
from league.models import Lineup
from league.words import sentences


@transaction.atomic
def agree(*, actor: Actor, pair: Lineup, text: str) -> Agreement:
    """One of the partners writes down what they have agreed; empty takes it off the card.

    Not while one of them plays a deal in the browser: their card must be no way to talk to each other. Who practises
    alone has nobody to talk to.
    """
    pair = locks.pair(pair.pk)
    policies.require(actor, "pair.agree", pair)
    if pair.merged_into_id is not None:
        raise Conflict(_("This pair has been merged with another one. Choose the other one."))
    _check_nobody_plays(pair)
    row = Agreement.objects.filter(lineup=pair).first() or Agreement(lineup=pair)
    before, row.text, row.changed_by = row.text, _tidied(text), person(actor)
    validation.check(row)
    if before == row.text:
        return row
    row.save()
    audit.record(
        actor=actor,
        action="pair.agreed",
        summary=sentences.gettext("Convention card changed: %(pair)s") % {"pair": pair},
        club=pair.club,
        before={"pair": pair.pk, "text": before},
        after={"pair": pair.pk, "text": row.text},
    )
    return row


def _check_nobody_plays(pair: Lineup) -> None:
    people = [player.user_id for player in pair.players if player.user_id is not None]
    # A player who left the seat has seen its cards all the same, and may come back to it.
    held = Q(left_at__isnull=True) | Q(
        table__deals__finished_at__isnull=True, left_at__gte=F("table__deals__started_at")
    )
    playing = TableSeat.objects.filter(held, user__in=people, table__state=Table.State.PLAYING)
    playing = playing.exclude(table__kind__in=[Table.Kind.PRACTICE, Table.Kind.DAILY])
    if playing.exists():
        raise Conflict(
            _("One of you is playing a deal. You can’t change your convention card until it’s over."),
            code="deal_going_on",
        )


def _tidied(text: str) -> str:
    """Lines without spaces at their ends, whatever the browser's line ends."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
