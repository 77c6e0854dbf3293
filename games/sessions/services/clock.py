"""The clock of the room: rounds begin one after the other, with pauses and more time; at the end the evening closes.

Every act names the round that the person saw, so that a second click of the same button changes nothing.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Evening
from games.sessions.services.starting import KEPT_OPEN
from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions
from league.errors import Conflict, Invalid
from league.models import Competition, Fixture, Round
from league.words import sentences

MOST_MINUTES = 60
State = Competition.State


@transaction.atomic
def next_round(*, actor: Actor, competition: Competition, number: int, at: datetime) -> Evening:
    """Begins round `number`, the one after the round in play; nothing happens where it has begun already."""
    competition, evening = locked(actor=actor, competition=competition)
    if number == evening.round_number:
        return evening
    rounds = competition.stage.rounds.count()
    if number != evening.round_number + 1 or number > rounds:
        raise Conflict(
            _(
                "You can’t start round %(number)d now. The room is in round %(now)d of %(rounds)d. "
                "Please reload the page."
            )
            % {"number": number, "now": evening.round_number, "rounds": rounds}
        )
    before = facts(evening)
    evening.round_number, evening.round_started_at = number, at
    evening.paused_at, evening.paused_seconds = None, 0
    evening.save()
    _move_times(competition, evening, at=at)
    _tell(
        actor,
        competition,
        "evening.round_begun",
        sentences.gettext("Round %(number)d begins") % {"number": number},
        before,
    )
    return evening


@transaction.atomic
def pause(*, actor: Actor, competition: Competition, number: int, at: datetime) -> Evening:
    """Stops the clock of round `number`; nothing happens where it stands already."""
    competition, evening = locked(actor=actor, competition=competition)
    _check_round(evening, number)
    if evening.paused_at is not None:
        return evening
    before = facts(evening)
    evening.paused_at = at
    evening.save(update_fields=["paused_at"])
    _tell(actor, competition, "evening.paused", sentences.gettext("Clock paused"), before)
    return evening


@transaction.atomic
def resume(*, actor: Actor, competition: Competition, number: int, at: datetime) -> Evening:
    """Lets the clock of round `number` go on; nothing happens where it runs already."""
    competition, evening = locked(actor=actor, competition=competition)
    _check_round(evening, number)
    if evening.paused_at is None:
        return evening
    before = facts(evening)
    stood = max(timedelta(0), at - evening.paused_at)
    evening.paused_at, evening.paused_seconds = None, evening.paused_seconds + int(stood.total_seconds())
    evening.save(update_fields=["paused_at", "paused_seconds"])
    _tell(actor, competition, "evening.resumed", sentences.gettext("Clock restarted"), before)
    return evening


@transaction.atomic
def add_minutes(
    *, actor: Actor, competition: Competition, number: int, minutes: int, paused_seconds: int
) -> Evening:
    """Gives round `number` more time. `paused_seconds` is what the person saw: of two equal clicks one counts."""
    competition, evening = locked(actor=actor, competition=competition)
    _check_round(evening, number)
    if not 1 <= minutes <= MOST_MINUTES:
        raise Invalid(_("You can add 1 to %(most)d minutes.") % {"most": MOST_MINUTES})
    if evening.paused_seconds != paused_seconds:
        return evening
    before = facts(evening)
    evening.paused_seconds += 60 * minutes
    evening.save(update_fields=["paused_seconds"])
    said = sentences.ngettext("%(count)d minute added", "%(count)d minutes added", minutes) % {
        "count": minutes
    }
    _tell(actor, competition, "evening.minutes_added", said, before)
    return evening


@transaction.atomic
def finish(*, actor: Actor, competition: Competition, at: datetime) -> Competition:
    """Closes the evening when every table of every round has a result; its ranking is final."""
    competition, evening = locked(actor=actor, competition=competition)
    missing = Fixture.with_rooms.of_competition(competition.pk).open().order_by("round__number", "pk")
    names = [
        _("table %(table)s in round %(round)d") % {"table": table, "round": number}
        for table, number in missing.values_list("table", "round__number")
    ]
    if names:
        raise Conflict(
            _("No result yet: %(tables)s. Please enter these first, or award a score.")
            % {"tables": ", ".join(names)}
        )
    if evening.round_number < competition.stage.rounds.count():
        raise Conflict(_("The last round hasn’t started yet."))
    competition.stage.rounds.update(closes_at=at)
    return competitions.finish(actor=actor, competition=competition)


def locked(*, actor: Actor, competition: Competition) -> tuple[Competition, Evening]:
    """A running evening with its clock, both locked, for somebody who may run it."""
    competition = competitions.locked(competition)
    policies.require(actor, "evening.run", competition)
    competitions.check_not_final(competition)
    if competition.state != State.RUNNING:
        raise Conflict(_("Please seat the pairs first. Then you can start the rounds."))
    return competition, Evening.objects.get(pk=competition.pk)


def facts(evening: Evening) -> dict[str, Any]:
    """What the audit trail keeps of the clock."""
    return {
        "round": evening.round_number,
        "started_at": evening.round_started_at.isoformat() if evening.round_started_at else None,
        "paused_at": evening.paused_at.isoformat() if evening.paused_at else None,
        "paused_seconds": evening.paused_seconds,
    }


def _check_round(evening: Evening, number: int) -> None:
    if not evening.round_number:
        raise Conflict(_("No round has started yet."))
    if evening.round_number != number:
        raise Conflict(_("The room is now in round %(now)d. Please reload the page.") % {
            "now": evening.round_number
        })  # fmt: skip


def _move_times(competition: Competition, evening: Evening, *, at: datetime) -> None:
    """The round before is closed, and the tables to come are expected one after the other from now on."""
    number = evening.round_number
    competition.stage.rounds.filter(number__lt=number, closes_at__gt=at).update(closes_at=at)
    for row in competition.stage.rounds.filter(number__gte=number):
        ahead = timedelta(minutes=evening.minutes_a_round * (row.number - number))
        Round.objects.filter(pk=row.pk).update(closes_at=at + ahead + KEPT_OPEN)
        row.fixtures.unplayed().update(starts_at=at + ahead)


def _tell(
    actor: Actor, competition: Competition, action: str, summary: sentences.Said, before: dict[str, Any]
) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=summary,
        competition=competition,
        before=before,
        after=facts(Evening.objects.get(pk=competition.pk)),
    )
