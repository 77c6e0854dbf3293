"""The next season from this one: a draft with the divisions after the movements, and everything else as it was."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from league import extension, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions import years
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import entries
from league.errors import Conflict
from league.models import Competition, Entry, FinalPlace, Lineup, SeasonAnswer, SeasonEnd
from league.notices import events
from league.notices.services.notices import notify
from league.seasons.queries import answers
from league.seasons.queries import ending as endings
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
    if not competition.stage.is_league:
        raise Conflict(_("An evening has no next season. Copy it instead."))
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


@transaction.atomic
def copy(
    *, actor: Actor, competition: Competition, name: str, season: str, starts_on: date, with_entries: bool
) -> Competition:
    """Makes a draft like this competition, from another first day on; with those who take part, or with nobody."""
    policies.require(actor, "competition.set_up", competition)
    data = moved(competition, name=name, season=season, starts_on=starts_on)
    made = competitions.set_up(actor=actor, club=competition.club, data=data)
    extension.layer().copied(original=competition, made=made)
    audit.record(
        actor=actor,
        action="competition.copied",
        summary=sentences.gettext("Copied from %(name)s") % {"name": competition},
        competition=made,
        after={"from": competition.pk},
    )
    if with_entries:
        active = (
            competition.entries.active()
            .order_by("division__level", "number")
            .select_related("division", "lineup")
        )
        _fill(actor, made, [(entry.lineup, entry.division.level) for entry in active], among=())
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
    """Enters everybody in the division and the order that the finish wrote down: they are to be asked."""
    rows = FinalPlace.objects.filter(end=end, next_level__isnull=False).order_by("next_level", "next_number")
    places = [
        (row.kept_by or row.lineup, row.next_level or 1) for row in rows.select_related("lineup", "kept_by")
    ]
    SeasonAnswer.objects.bulk_create(
        SeasonAnswer(competition=made, lineup=lineup) for lineup, _level in places
    )
    _fill(actor, made, places, among=())


def _fill(
    actor: Actor, made: Competition, places: Sequence[tuple[Lineup, int]], among: Collection[int]
) -> None:
    divisions = list(made.stage.divisions.order_by("level"))
    # A director may have taken a division out of the draft.
    into = [(lineup, divisions[min(level, len(divisions)) - 1]) for lineup, level in places]
    entries.fill(actor=actor, competition=made, places=into, among=among)


@transaction.atomic
def refill(*, actor: Actor, competition: Competition, with_silent: bool, at: datetime) -> None:
    """Fills a draft's divisions again, by last season's end and the answers: vacancies as in F86 and F87.

    Who said no leaves; with those who have not answered, or without them. What a director entered beside them stays.
    """
    competition = competitions.locked_with_last(competition)
    policies.require(actor, "competition.set_up", competition)
    last = check_asking(competition)
    if last.state != State.FINISHED:
        raise Conflict(
            _("%(name)s was reopened. Finish it first: its final table decides who plays where.")
            % {"name": last}
        )
    if competition.stage.rounds.exists():
        draws.take_back(actor=actor, competition=competition)
    _ask_newly_placed(competition, last, at)
    said = answers.of(competition)
    leaving = {
        key for key, row in said.items() if row.is_in is False or (row.is_in is None and not with_silent)
    }
    moves = endings.of_competition(last, at=at, leaving=leaving).moves
    following = sorted(
        (m for m in moves if m.next_level), key=lambda m: (m.next_level or 0, m.next_number or 0)
    )
    places = [(move.plays, move.next_level or 1) for move in following]
    _fill(actor, competition, places, among=said)


def _ask_newly_placed(competition: Competition, last: Competition, at: datetime) -> None:
    """Who plays on only since the last season was finished again is to be asked, too."""
    known = set(competition.answers.values_list("lineup_id", flat=True))
    moves = endings.of_competition(last, at=at).moves
    new = [move.plays for move in moves if move.next_level and move.plays.pk not in known]
    SeasonAnswer.objects.bulk_create(SeasonAnswer(competition=competition, lineup=each) for each in new)


def check_asking(competition: Competition) -> Competition:
    """The season before a draft. Raises Conflict where nobody is asked, or no longer."""
    if competition.follows is None:
        raise Conflict(_("This competition isn’t the next season of another one."))
    if competition.state != State.DRAFT:
        raise Conflict(_("%(name)s is published, so the question is closed.") % {"name": competition})
    return competition.follows


def check_answers(competition: Competition) -> None:
    """Raises Conflict where somebody is entered who said no: nobody plays against their will."""
    said_no = [row.lineup_id for row in answers.of(competition).values() if row.is_in is False]
    unwilling = Entry.objects.filter(competition=competition, lineup__in=said_no).with_pairs()
    if unwilling:
        raise Conflict(
            _("These said no, but are still entered: %(pairs)s. Fill the divisions again, or remove them.")
            % {"pairs": ", ".join(map(str, unwilling))}
        )


@transaction.atomic
def ask(*, actor: Actor, competition: Competition, at: datetime) -> int:
    """Asks everybody who has not answered, or reminds them, once a day; gives how many people were told."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    check_asking(competition)
    today = at.astimezone(ZoneInfo(competition.club.time_zone)).date()
    asked = 0
    for row in answers.of(competition).values():
        people = answers.people(row.lineup) if row.is_in is None else []
        context = {
            "competition": str(competition),
            "season": str(competition.season),
            "who": str(actor),
            "pair": str(row.lineup),
            "path": reverse("season_answer", args=[row.pk]),
        }
        about = f"{row.pk} {today}"
        told = notify(events.PLAYING_ON, people, context=context, club=competition.club, about=about, at=at)
        if told:
            SeasonAnswer.objects.filter(pk=row.pk).update(asked_at=at)
        asked += len(told)
    if asked:
        said = sentences.ngettext(
            "%(count)d person was asked about next season",
            "%(count)d people were asked about next season",
            asked,
        )
        audit.record(
            actor=actor, action="season.asked", summary=said % {"count": asked}, competition=competition
        )
    return asked


@transaction.atomic
def answer(*, actor: Actor, row: SeasonAnswer, is_in: bool, at: datetime) -> SeasonAnswer:
    """A partner, or a director for them, says whether they play on. The last answer counts."""
    try:
        competition = competitions.locked(row.competition)
    except Competition.DoesNotExist:
        raise Conflict(_("This season was called off, so nobody is asked any more.")) from None
    found = SeasonAnswer.objects.filter(pk=row.pk, competition=competition).select_related("lineup").first()
    if found is None:
        raise Conflict(_("This season was called off, so nobody is asked any more."))
    found.competition = competition
    policies.require(actor, "season.answer", found)
    check_asking(competition)
    by = person(actor)
    if found.is_in == is_in and found.answered_by == by:
        return found
    before = {"is_in": found.is_in, "by": found.answered_by_id}
    found.is_in, found.answered_by, found.answered_at = is_in, by, at
    found.save(update_fields=["is_in", "answered_by", "answered_at"])
    said = sentences.gettext("%(pair)s play on") if is_in else sentences.gettext("%(pair)s do not play on")
    audit.record(
        actor=actor,
        action="season.answered",
        summary=said % {"pair": found.lineup},
        competition=competition,
        before={"lineup": found.lineup_id, **before},
        after={"lineup": found.lineup_id, "is_in": is_in},
    )
    return found
