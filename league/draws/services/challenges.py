"""A ladder between its matches: challenges, answers, absence, who joins and leaves, what falls due (F100 to F106)."""

from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engine.contest.ladder import Refusal, Step
from league import extension, policies
from league.actors import Actor, System
from league.audit.services import audit
from league.background import sweeps
from league.competitions.services import competitions
from league.errors import Conflict
from league.fixtures.services import fixtures, meetings, telling
from league.models import Challenge, Competition, Entry, Fixture, Ladder, Round
from league.models import LadderEvent as Happened
from league.notices import events
from league.notices.events import Event
from league.standings import ladders
from league.standings.ladders import Standing
from league.standings.services import ladders as kept
from league.standings.services import standings
from league.words import sentences
from league.zones import at_local

SERVICE = System("ladder")
Kind, State = Happened.Kind, Challenge.State
LAPSED = "challenge.lapsed"
LAST_MINUTE = time(23, 59, 59)
#: So long before its last day a challenge is due soon; people are told by day.
SOON = timedelta(days=2)
FROM_HOUR, TO_HOUR = 8, 20


# What players do


@transaction.atomic
def challenge(*, actor: Actor, challenger: Entry, challenged: Entry, at: datetime) -> Challenge:
    """One entry challenges another above it (F101). Raises Conflict with the reason where it may not."""
    competition, ladder = _locked(challenger.division_id, at)
    challenger, challenged = _fresh(challenger), _fresh(challenged)
    policies.require(actor, "entry.challenge", challenger)
    _check_running(competition)
    _check_allowed(ladder, challenger, challenged, at)
    try:
        with transaction.atomic():
            made = Challenge.objects.create(
                ladder=ladder, challenger=challenger, challenged=challenged, made_at=at
            )
    except IntegrityError as clash:
        raise Conflict(_("Someone else may have got there first. Look at the ladder again.")) from clash
    standing = kept.note(actor=actor, ladder=ladder, kind=Kind.CHALLENGE, at=at, challenge=made)
    said = sentences.gettext("%(challenger)s challenge %(challenged)s")
    _record(actor, "challenge.made", said, made)
    _tell(
        actor, events.CHALLENGED, made, (challenged,), last_at=_end_of(standing.last_day(made), competition)
    )
    return made


def _check_allowed(ladder: Ladder, challenger: Entry, challenged: Entry, at: datetime) -> None:
    refusal = ladders.standing(ladder, ladders.day_of(ladder, at)).refusal(challenger, challenged)
    if refusal is not None:
        raise Conflict(str(ladders.REASONS[refusal]))


@transaction.atomic
def accept(*, actor: Actor, challenge: Challenge, at: datetime) -> Fixture:
    """The challenged accept: there is a match to be played within the days that the ladder gives (F102)."""
    competition, ladder, challenge = _answered(actor, challenge, at)
    standing = kept.note(actor=actor, ladder=ladder, kind=Kind.ACCEPT, at=at, challenge=challenge)
    last = standing.last_day(challenge) or standing.day
    number = (competition.stage.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    round_ = Round.objects.create(
        stage=competition.stage,
        number=number,
        starts_on=standing.day,
        closes_at=_end_of(last, competition),
    )
    planned = Fixture(division=ladder.division, round=round_, place=competition.place)
    fixture = meetings.meet([(planned, (challenge.challenged, challenge.challenger))])[0]
    challenge.state, challenge.fixture = State.ACCEPTED, fixture
    challenge.save(update_fields=["state", "fixture"])
    _record(actor, "challenge.accepted", sentences.gettext("%(challenged)s accept a challenge"), challenge)
    standings.bump(competition=competition)
    extension.layer().drawn(actor=actor, competition=competition)
    path = fixture.get_absolute_url()
    _answer(actor, challenge, "accepted", (challenge.challenger,), path=path, last_at=round_.closes_at)
    return fixture


@transaction.atomic
def decline(*, actor: Actor, challenge: Challenge, at: datetime) -> Challenge:
    """The challenged decline: the challenger takes the place as if it had won (F102)."""
    competition, ladder, challenge = _answered(actor, challenge, at)
    kept.note(actor=actor, ladder=ladder, kind=Kind.DECLINE, at=at, challenge=challenge)
    _record(actor, "challenge.declined", sentences.gettext("%(challenged)s decline a challenge"), challenge)
    standings.bump(competition=competition)
    _answer(actor, challenge, "declined", challenge.entries)
    return challenge


@transaction.atomic
def withdraw(*, actor: Actor, challenge: Challenge, at: datetime) -> Challenge:
    """The challenger takes an unanswered challenge back: nothing moves (F102)."""
    _competition, ladder, challenge = _unanswered(actor, challenge, at, challenge.challenger)
    kept.note(actor=actor, ladder=ladder, kind=Kind.WITHDRAW, at=at, challenge=challenge)
    said = sentences.gettext("%(challenger)s withdraw their challenge")
    _record(actor, "challenge.withdrawn", said, challenge)
    _answer(actor, challenge, "withdrawn", (challenge.challenged,))
    return challenge


@transaction.atomic
def go_away(*, actor: Actor, entry: Entry, at: datetime) -> None:
    """The entry keeps its place, and can neither challenge nor be challenged (F104)."""
    said = sentences.gettext("%(entry)s are away from the ladder")
    _of_entry(actor, entry, Kind.AWAY, "ladder.away", said, at)


@transaction.atomic
def come_back(*, actor: Actor, entry: Entry, at: datetime) -> None:
    """The entry takes part again, where it stands."""
    said = sentences.gettext("%(entry)s are back on the ladder")
    _of_entry(actor, entry, Kind.BACK, "ladder.back", said, at)


def _of_entry(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor, entry: Entry, kind: Happened.Kind, action: str, said: sentences.Sentence, at: datetime
) -> None:
    competition, ladder = _locked(entry.division_id, at)
    entry = _fresh(entry)
    policies.require(actor, "entry.challenge", entry)
    _check_running(competition)
    standing = ladders.standing(ladder, ladders.day_of(ladder, at))
    if entry.pk not in standing.places:
        raise Conflict(str(ladders.REASONS[Refusal.NOT_ON_LADDER]))
    if (entry.pk in standing.away) == (kind == Kind.AWAY):
        raise Conflict(_("Nothing has changed: that is how it is already."))
    if kind == Kind.AWAY and any(entry.pk in {each.by, each.to} for each in standing.open.values()):
        raise Conflict(str(ladders.REASONS[Refusal.HAS_CHALLENGE]))
    kept.note(actor=actor, ladder=ladder, kind=kind, at=at, entry=entry)
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"entry": str(entry)},
        competition=competition,
        after={"entry": entry.pk},
    )


# Who takes part


def join(*, actor: Actor, entry: Entry, at: datetime) -> None:
    """A new entry begins at the bottom (F104): for services that hold the competition's lock."""
    ladder = ladders.of_division(entry.division) if entry.division.stage.is_ladder else None
    if ladder is not None:
        kept.note(actor=actor, ladder=ladder, kind=Kind.JOIN, at=at, entry=entry)


def leave(*, actor: Actor, entry: Entry, at: datetime) -> None:
    """The entry is taken out, all below move up and its challenges end (F104): for services that hold the lock."""
    ladder = ladders.of_division(entry.division) if entry.division.stage.is_ladder else None
    if ladder is None:
        return
    settle(ladder=ladder, at=at)
    there = Challenge.objects.filter(ladder=ladder, state__in=[State.OPEN, State.ACCEPTED])
    for each in there.select_related("challenger", "challenged"):
        if entry.pk in {each.challenger_id, each.challenged_id}:
            kept.end(challenge=each, state=State.ENDED, at=at)
    kept.note(actor=actor, ladder=ladder, kind=Kind.LEAVE, at=at, entry=entry)


# What falls due


def settle(*, ladder: Ladder, at: datetime) -> Standing:
    """Closes the challenges whose term is over and tells of it; late or twice it comes to the same.

    For services that hold the competition's lock.
    """
    before = ladder.folded_on
    standing = kept.store(ladder=ladder, at=at)
    waiting = Challenge.objects.filter(ladder=ladder, state__in=[State.OPEN, State.ACCEPTED])
    rows = {each.pk: each for each in waiting.select_related("fixture__round")}
    is_changed = False
    for step in standing.fell_due:
        if step.what == "idle":
            if date.fromordinal(step.day) > before:
                _tell_idle(ladder, step)
                is_changed = True
        elif int(step.of) in rows:
            _lapse(ladder, rows.pop(int(step.of)), step, at)
            is_changed = True
    if is_changed:
        standings.bump(competition=ladder.competition)
        standing = kept.store(ladder=ladder, at=at)
    return standing


def _lapse(ladder: Ladder, row: Challenge, step: Step, at: datetime) -> None:
    row.ladder = ladder
    row.challenger, row.challenged = _fresh(row.challenger), _fresh(row.challenged)
    kept.end(challenge=row, state=State(step.what), at=at)
    if row.fixture is not None and row.fixture.status != Fixture.Status.VOID:
        why = _("The days to play this challenge are over.")
        fixtures.void(actor=SERVICE, fixture=row.fixture, reason=why, by=LAPSED)
    said = sentences.gettext("%(challenger)s – %(challenged)s: not played in time")
    if step.what == "unanswered":
        said = sentences.gettext("%(challenged)s did not answer in time: %(challenger)s take their place")
    _record(SERVICE, LAPSED, said, row)
    _answer(SERVICE, row, step.what, row.entries)


def _tell_idle(ladder: Ladder, step: Step) -> None:
    entry = Entry.objects.with_pairs().filter(pk=step.of).first()
    if entry is None:
        return
    days = ladders.options_of(ladder.division).idle_days
    audit.record(
        actor=SERVICE,
        action="ladder.idle",
        summary=sentences.gettext("%(entry)s drop a place: no challenge closed for %(days)d days")
        % {"entry": str(entry), "days": days},
        competition=ladder.competition,
        after={"entry": entry.pk, "day": date.fromordinal(step.day).isoformat()},
    )
    telling.tell_entries(
        actor=SERVICE,
        event=events.LADDER_IDLE,
        competition=ladder.competition,
        said={entry.pk: {"pair": str(entry), "days": days}},
        about=f"{ladder.pk} {entry.pk} {step.day}",
    )


def sweep(*, at: datetime) -> int:
    """Settles the ladders on which something has fallen due; gives how many."""
    rows = Ladder.objects.filter(
        due_on__lte=at + timedelta(days=1), division__stage__competition__state=Competition.State.RUNNING
    )
    return sweeps.run(
        work="ladders", rows=rows.order_by("due_on", "pk"), do=lambda key: _sweep(key, at), at=at
    )


@transaction.atomic
def _sweep(key: int, at: datetime) -> bool:
    ladder = Ladder.objects.select_related("division").get(pk=key)
    # Its club may be some hours behind.
    if ladder.due_on is None or ladder.due_on > ladders.day_of(ladder, at):
        return False
    competition, _ladder = _locked(ladder.division_id, at)
    return competition.state == Competition.State.RUNNING


def remind(*, at: datetime) -> int:
    """Tells those who have an open challenge that its days end soon, each once; gives how many ladders it looked at."""
    rows = Ladder.objects.filter(
        due_on__isnull=False,
        due_on__lte=at + SOON + timedelta(days=2),
        division__stage__competition__state=Competition.State.RUNNING,
    )
    return sweeps.run(
        work="ladder_reminders", rows=rows.order_by("due_on", "pk"), do=lambda key: _remind(key, at), at=at
    )


@transaction.atomic
def _remind(key: int, at: datetime) -> bool:
    ladder = Ladder.objects.select_related("division__stage__competition__club").get(pk=key)
    if not FROM_HOUR <= at.astimezone(ZoneInfo(ladder.competition.club.time_zone)).hour < TO_HOUR:
        return False
    standing = ladders.standing(ladder, ladders.day_of(ladder, at))
    for row in Challenge.objects.filter(pk__in=standing.open).select_related("fixture"):
        last = standing.last_day(row)
        if last is None or last > standing.day + SOON:
            continue
        row.ladder, row.challenger, row.challenged = ladder, _fresh(row.challenger), _fresh(row.challenged)
        is_accepted = row.state == State.ACCEPTED
        people = row.entries if is_accepted else (row.challenged,)
        _tell(
            SERVICE,
            events.CHALLENGE_DUE,
            row,
            people,
            about=f"{row.pk} {row.state}",
            path=row.fixture.get_absolute_url() if row.fixture else "",
            is_accepted=is_accepted,
            last_at=_end_of(last, ladder.competition),
        )
    return True


# Shared


def _locked(division: int, at: datetime) -> tuple[Competition, Ladder]:
    """The competition's lock, and its ladder with everything settled that has fallen due."""
    found = Ladder.objects.filter(division=division).select_related("division__stage__competition").first()
    if found is None:
        raise Conflict(_("There is no ladder here, or it has not been published yet."))
    competition = competitions.locked(found.competition)
    ladder = Ladder.objects.select_related("division__stage").get(pk=found.pk)
    ladder.division.stage.competition = competition
    if competition.state == Competition.State.RUNNING:
        settle(ladder=ladder, at=at)
    return competition, ladder


def _answered(actor: Actor, row: Challenge, at: datetime) -> tuple[Competition, Ladder, Challenge]:
    """The same, for who answers: the challenged."""
    return _unanswered(actor, row, at, row.challenged)


def _unanswered(
    actor: Actor, row: Challenge, at: datetime, who: Entry
) -> tuple[Competition, Ladder, Challenge]:
    competition, ladder = _locked(who.division_id, at)
    row = Challenge.objects.get(pk=row.pk)
    row.ladder, row.challenger, row.challenged = ladder, _fresh(row.challenger), _fresh(row.challenged)
    policies.require(actor, "entry.challenge", _fresh(who))
    _check_running(competition)
    if row.state != State.OPEN:
        accepted = row.state == State.ACCEPTED
        raise Conflict(str(ladders.REASONS[Refusal.ALREADY_ACCEPTED if accepted else Refusal.NO_CHALLENGE]))
    return competition, ladder, row


def _check_running(competition: Competition) -> None:
    if competition.state != Competition.State.RUNNING:
        raise Conflict(_("This ladder isn’t running."))


def _fresh(entry: Entry) -> Entry:
    found: Entry = Entry.objects.with_pairs().select_related("competition__club", "division").get(pk=entry.pk)
    return found


def _end_of(day: date | None, competition: Competition) -> datetime:
    """The last minute of a day by the club's clock."""
    return at_local(day or competition.starts_on, LAST_MINUTE, competition.club.time_zone)


def _record(actor: Actor, action: str, said: sentences.Sentence, row: Challenge) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"challenger": str(row.challenger), "challenged": str(row.challenged)},
        competition=row.competition,
        after={"challenge": row.pk, "challenger": row.challenger_id, "challenged": row.challenged_id},
    )


def _answer(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor,
    row: Challenge,
    answer: str,
    entries: tuple[Entry, ...],
    path: str = "",
    last_at: datetime | None = None,
) -> None:
    _tell(actor, events.CHALLENGE_ANSWERED, row, entries, path=path, answer=answer, last_at=last_at)


def _tell(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor,
    event: Event,
    row: Challenge,
    entries: tuple[Entry, ...],
    path: str = "",
    about: str = "",
    last_at: datetime | None = None,
    **context: Any,
) -> None:
    telling.tell_entries(
        actor=actor,
        event=event,
        competition=row.competition,
        said={entry.pk: {} for entry in entries},
        path=path or row.get_absolute_url(),
        about=about,
        challenger=str(row.challenger),
        challenged=str(row.challenged),
        last_at=last_at.isoformat() if last_at else "",
        **context,
    )
