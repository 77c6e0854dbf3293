"""What happens on a ladder, and the places that follow. For services that hold the competition’s lock."""

from datetime import datetime

from django.db.models import F

from league.actors import Actor, person
from league.models import Challenge, Competition, Entry, Fixture, Ladder, LadderEvent, LadderPlace
from league.standings import ladders
from league.standings.ladders import Standing

Kind = LadderEvent.Kind
State = Challenge.State
#: How a challenge ends by an event; accepting and holding end nothing.
ENDS = {
    Kind.DECLINE: State.DECLINED,
    Kind.WITHDRAW: State.WITHDRAWN,
    Kind.RESULT: State.PLAYED,
    Kind.CANCEL: State.ENDED,
}
OUT_OF_THE_WAY = 10_000


def begin(*, competition: Competition, at: datetime) -> None:
    """The published ladder begins, in the order of the entries' numbers."""
    for division in competition.stage.divisions.all():
        start = list(division.entries.active().order_by("number").values_list("pk", flat=True))
        ladder = Ladder(division=division, start=start)
        ladder.begins_on = ladder.folded_on = ladders.day_of(ladder, at)
        ladder.save()
        store(ladder=ladder, at=at)


def note(
    *,
    actor: Actor,
    ladder: Ladder,
    kind: str,
    at: datetime,
    challenge: Challenge | None = None,
    entry: Entry | None = None,
) -> Standing:
    """Keeps an event, and the challenge that it ends; gives the order that follows, which is stored."""
    LadderEvent.objects.create(
        ladder=ladder, kind=kind, at=at, challenge=challenge, entry=entry, made_by=person(actor)
    )
    if challenge is not None and kind in ENDS:
        end(challenge=challenge, state=ENDS[Kind(kind)], at=at)
    return store(ladder=ladder, at=at)


def end(*, challenge: Challenge, state: str, at: datetime) -> None:
    """Marks a challenge as over."""
    challenge.state, challenge.ended_at = state, at
    challenge.save(update_fields=["state", "ended_at"])


def store(*, ladder: Ladder, at: datetime) -> Standing:
    """Folds the events and stores the places, and when something falls due next.

    What has fallen due already moves places here; the rest of it is the sweep's, which then finds the ladder due.
    """
    standing = ladders.standing(ladder, max(ladders.day_of(ladder, at), ladder.folded_on))
    stored = LadderPlace.objects.filter(ladder=ladder)
    places = standing.places
    if dict(stored.values_list("entry_id", "place")) != places:
        stored.exclude(entry__in=places).delete()
        # Places are unique, so they first step aside together.
        stored.update(place=F("place") + OUT_OF_THE_WAY)
        LadderPlace.objects.bulk_create(
            (LadderPlace(ladder=ladder, entry_id=entry, place=place) for entry, place in places.items()),
            update_conflicts=True,
            unique_fields=["entry"],
            update_fields=["place"],
        )
    kept = ladder.folded_on, ladder.due_on
    ladder.folded_on = standing.day
    waiting = Challenge.objects.filter(pk__in=standing.ends, state__in=[State.OPEN, State.ACCEPTED]).exists()
    ladder.due_on = standing.day if waiting else standing.next_due
    if (ladder.folded_on, ladder.due_on) != kept:
        ladder.save(update_fields=["folded_on", "due_on"])
    return standing


# A challenge's match


def of_fixture(fixture: Fixture) -> Challenge | None:
    """The challenge whose match this is."""
    if not fixture.round.stage.is_ladder:
        return None
    found = Challenge.objects.filter(fixture=fixture)
    return found.select_related("ladder__division__stage__competition__club").first()


def hold(*, actor: Actor, fixture: Fixture, at: datetime) -> None:
    """A scoresheet is there: the match waits for its confirmation and no longer lapses."""
    challenge = of_fixture(fixture)
    if challenge is not None and challenge.state == State.ACCEPTED and not _has(challenge, Kind.HOLD):
        note(actor=actor, ladder=challenge.ladder, kind=Kind.HOLD, at=at, challenge=challenge)


def count(*, actor: Actor, fixture: Fixture, at: datetime) -> None:
    """The match has a result, or has lost it again: the ladder is folded from the day of its first one (F106)."""
    challenge = of_fixture(fixture)
    if challenge is None:
        return
    if fixture.status == Fixture.Status.VOID:
        if challenge.is_open:
            note(actor=actor, ladder=challenge.ladder, kind=Kind.CANCEL, at=at, challenge=challenge)
    elif challenge.is_open and fixture.has_result:
        note(actor=actor, ladder=challenge.ladder, kind=Kind.RESULT, at=at, challenge=challenge)
    else:
        store(ladder=challenge.ladder, at=at)


def _has(challenge: Challenge, kind: str) -> bool:
    return challenge.events.filter(kind=kind).exists()
