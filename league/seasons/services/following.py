"""The next season from this one: a draft with the divisions after the movements, and everything else as it was."""

from dataclasses import replace
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.competitions import years
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.entries.services import entries
from league.errors import Conflict
from league.models import Competition, FinalPlace, SeasonEnd
from league.seasons.services import finishing
from league.words import sentences

State = Competition.State


@transaction.atomic
def begin(
    *, actor: Actor, competition: Competition, name: str, season: str, starts_on: date, at: datetime
) -> Competition:
    """Makes the draft of the next season of a finished competition; gives the one there is, where there is one.

    Until it is published, deleting the draft undoes it.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    there: Competition | None = Competition.objects.filter(follows=competition).first()
    if there is not None:
        return there
    if competition.state != State.FINISHED:
        raise Conflict(_("Finish this competition first: its final table decides who plays where."))
    end = finishing.finish(actor=actor, competition=competition, at=at)
    data = moved(competition, name=name, season=season, starts_on=starts_on)
    made = competitions.set_up(actor=actor, club=competition.club, data=data)
    made.follows = competition
    try:
        with transaction.atomic():
            made.save(update_fields=["follows"])
    except IntegrityError as clash:
        raise Conflict(_("The next season has just been set up by someone else.")) from clash
    audit.record(
        actor=actor,
        action="season.followed",
        summary=sentences.gettext("The next season, %(name)s, is being set up") % {"name": made},
        competition=competition,
        after={"following": made.pk},
    )
    _carry_over(actor, end, made)
    return made


def moved(competition: Competition, *, name: str, season: str, starts_on: date) -> Setup:
    """The competition's set-up from another first day on: its days off move by as many playing years."""
    data = competitions.setup_of(competition)
    before, after = (years.playing_year(competition.club, day)[0] for day in (data.starts_on, starts_on))
    later = after.year - before.year
    off = tuple(
        (years.same_date(first, later), years.same_date(last, later)) for first, last in data.days_off
    )
    return replace(data, name=name, season=season, starts_on=starts_on, days_off=off)


def _carry_over(actor: Actor, end: SeasonEnd, made: Competition) -> None:
    """Enters everybody in the division and the order that the finish wrote down."""
    rows = FinalPlace.objects.filter(end=end, next_level__isnull=False).order_by("next_level", "next_number")
    divisions = list(made.stage.divisions.order_by("level"))
    places = [(row.lineup, divisions[(row.next_level or 1) - 1]) for row in rows.select_related("lineup")]
    entries.fill(actor=actor, competition=made, places=places, among=())
