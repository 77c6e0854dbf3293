"""A ladder as it stands: the fold of its events, what may be challenged, and what falls due (rules F100 to F106)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.contest.ladder import Event, Kind, OpenChallenge, Options, Refusal, Step, fold
from engine.contest.ladder import Ladder as Order
from league import formats
from league.models import Challenge, Division, Entry, Fixture, Ladder, LadderEvent, LadderPlace
from league.standings import brackets

#: Who wins a match, by the key of its challenge, where it is asked what another result would do; None: nobody.
Instead = Mapping[int, int | None]
AS_IT_IS: Instead = MappingProxyType({})

REASONS: dict[Refusal, Promise] = {
    Refusal.NOT_ON_LADDER: _("Not on this ladder."),
    Refusal.AWAY: _("Away at the moment."),
    Refusal.NOT_ABOVE: _("You can only challenge someone above you."),
    Refusal.OUT_OF_REACH: _("Too far above."),
    Refusal.ALREADY_CHALLENGES: _("The challenger already has an open challenge."),
    Refusal.ALREADY_CHALLENGED: _("Already challenged."),
    Refusal.TOO_RECENTLY: _("These two met not long ago."),
    Refusal.NO_CHALLENGE: _("This challenge is no longer open."),
    Refusal.ALREADY_ACCEPTED: _("This challenge was already accepted."),
    Refusal.NOT_ACCEPTED: _("This challenge has not been accepted yet."),
    Refusal.ALREADY_ON_LADDER: _("Already on this ladder."),
    Refusal.HAS_CHALLENGE: _("There is an open challenge. It has to end first."),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A ladder on a day. Keys in it are those of entries and challenges."""

    ladder: Ladder
    order: Order
    day: date

    @property
    def places(self) -> dict[int, int]:
        """Everybody's place, by entry."""
        return {int(key): place for place, key in enumerate(self.order.order, start=1)}

    @property
    def away(self) -> frozenset[int]:
        """Who is away."""
        return frozenset(int(key) for key in self.order.away)

    @property
    def open(self) -> dict[int, OpenChallenge]:
        """The open challenges by key."""
        return {int(each.key): each for each in self.order.challenges}

    @property
    def next_due(self) -> date | None:
        """When something falls due next."""
        due = self.order.next_due
        return None if due is None or due > date.max.toordinal() else date.fromordinal(due)

    def last_day(self, challenge: Challenge) -> date | None:
        """The last day to answer it, or to play it; None where it has ended, or waits for its confirmation."""
        found = self.open.get(challenge.pk)
        day = self.order.last_day(found) if found is not None else None
        return None if day is None else date.fromordinal(day)

    def refusal(self, challenger: Entry, challenged: Entry) -> Refusal | None:
        """Why one may not challenge the other on this day; None if it may."""
        return self.order.refusal_of(challenger.pk, challenged.pk, self.day.toordinal())

    def places_on(self, day: date) -> dict[int, int]:
        """Everybody's place at the end of an earlier day, by entry."""
        last = self.order.start
        for step in self.order.trail:
            if step.day > day.toordinal():
                break
            last = step.order
        return {int(key): place for place, key in enumerate(last, start=1)}

    @property
    def fell_due(self) -> list[Step]:
        """What ended because a term was over, and who dropped for being idle, in order."""
        return [step for step in self.order.trail if step.what in {"unanswered", "unplayed", "idle"}]

    @property
    def ends(self) -> dict[int, Step]:
        """How each challenge ended that a term has ended, by its key."""
        return {int(step.of): step for step in self.fell_due if step.what != "idle"}


def of_division(division: Division) -> Ladder | None:
    """The ladder of a division; None before it is published, and where there is none."""
    return (
        Ladder.objects.filter(division=division).select_related("division__stage__competition__club").first()
    )


def day_of(ladder: Ladder, at: datetime) -> date:
    """The day by the club's clock."""
    return at.astimezone(ZoneInfo(ladder.competition.club.time_zone)).date()


def last_day_to_answer(challenge: Challenge) -> date:
    """The last day to answer an open challenge, by the club's clock (F102)."""
    ladder = challenge.ladder
    return day_of(ladder, challenge.made_at) + timedelta(days=options_of(ladder.division).answer_days)


def options_of(division: Division) -> Options:
    """The rules of its ladder."""
    return formats.ladder_options(division.stage.options)


def standing(ladder: Ladder, day: date, instead: Instead = AS_IT_IS) -> Standing:
    """The order on that day, by the stored events alone; with the results that stand `instead`. Three queries."""
    events = _events(ladder, instead)
    options, begins = options_of(ladder.division), ladder.begins_on.toordinal()
    return Standing(ladder, fold(ladder.start, events, day.toordinal(), options, begins=begins), day)


def _events(ladder: Ladder, instead: Instead) -> Iterator[Event]:
    zone = ZoneInfo(ladder.competition.club.time_zone)
    challenges = {each.pk: each for each in ladder.challenges.all()}
    decided = {
        each.pk: each
        for each in Fixture.objects.filter(challenge__ladder=ladder).prefetch_related("appearances")
    }
    for row in ladder.events.all():
        day = row.at.astimezone(zone).date().toordinal()
        if row.challenge_id is None:
            yield Event(day, Kind(row.kind), row.entry_id or 0)
            continue
        event = Event(day, Kind(row.kind), row.challenge_id)
        challenge = challenges[row.challenge_id]
        if row.kind == LadderEvent.Kind.CHALLENGE:
            event = replace(event, by=challenge.challenger_id, to=challenge.challenged_id, is_made=True)
        elif row.kind == LadderEvent.Kind.RESULT:
            fixture = decided.get(challenge.fixture_id or 0)
            winner, is_walkover = _result(fixture)
            winner = instead.get(challenge.pk, winner)
            event = replace(event, winner=winner, is_walkover=is_walkover)
        yield event


def _result(fixture: Fixture | None) -> tuple[int | None, bool]:
    """Who won the match, and whether it was by walkover. While its result is disputed nobody has."""
    if fixture is None:
        return None, False
    return brackets.by_result(fixture), fixture.status == Fixture.Status.WALKOVER


def places_of(division: Division) -> dict[int, int]:
    """Everybody's place as it is stored, by entry."""
    return dict(LadderPlace.objects.filter(ladder__division=division).values_list("entry_id", "place"))


def places_with(challenge: Challenge, winner: int | None) -> dict[int, int]:
    """Everybody's place by entry, had this one won the match of the challenge; None: nobody (F106)."""
    ladder = Ladder.objects.select_related("division__stage__competition__club").get(pk=challenge.ladder_id)
    is_counted = challenge.events.filter(kind=LadderEvent.Kind.RESULT).exists()
    if is_counted:
        return standing(ladder, ladder.folded_on, {challenge.pk: winner}).places
    found = standing(ladder, ladder.folded_on)
    day = ladder.folded_on.toordinal()
    found.order.apply(Event(day, Kind.RESULT, challenge.pk, winner=winner))
    return found.places
