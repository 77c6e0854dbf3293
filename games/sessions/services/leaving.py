"""A pair that leaves when the evening is under way: what becomes of its place and of what it has played."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Evening
from games.scoresheets.services import matches, scoresheets
from games.sessions.queries.leave_options import (
    OUT_OF_COMPARISON,
    STAND_IN,
    LeaveOption,
    leave_options,
)
from games.sessions.services import places
from games.sessions.services.clock import locked
from league import locks, validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Appearance, Entry, Fixture, Lineup
from league.words import sentences

RUN = "evening.run"
Status = Fixture.Status


@transaction.atomic
def pair_leaves(
    *,
    actor: Actor,
    entry: Entry,
    option: str,
    reason: str,
    at: datetime,
    stand_in: Lineup | None = None,
    is_house: bool = False,
) -> Entry:
    """The pair leaves in the way that `option` (a key of `leave_options`) names; a stand-in takes its place over.

    Where partners change a player leaves, and another one takes the place. A stand-in who `is_house` has no place in
    the ranking (F123). Gives the pair's entry, or the stand-in's.
    """
    competition, evening = locked(actor=actor, competition=entry.competition)
    _lock(stand_in)
    entry = _fresh(entry)
    chosen = _chosen(entry, evening, option, reason, stand_in)
    tables = places.fixtures_from(entry, chosen.from_round)
    entry.withdrawn_at, entry.withdrawal_reason = at, reason.strip()[:300]
    entry.withdrawal_fixtures = [[each.pk, each.status] for each in tables if each.status != Status.VOID]
    entry.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawal_fixtures"])
    taking_over = None
    if chosen.kind == STAND_IN and stand_in is not None:
        taking_over = _stand_in(entry, stand_in, tables, chosen.from_round, is_house=is_house)
    else:
        _strike_off(actor, entry, tables, reason)
    if chosen.kind == OUT_OF_COMPARISON:
        _take_out(actor, entry, chosen.from_round, reason)
    audit.record(
        actor=actor,
        action="evening.pair_left",
        summary=sentences.gettext("%(pair)s leave: %(how)s") % {"pair": entry, "how": chosen.title},
        competition=competition,
        after={
            "entry": entry.pk,
            "option": chosen.key,
            "fixtures": entry.withdrawal_fixtures,
            "stand_in": taking_over.pk if taking_over else None,
            "seated": places.seated(taking_over) if taking_over else [],
        },
        reason=reason,
    )
    return taking_over or entry


@transaction.atomic
def take_back_leaving(*, actor: Actor, entry: Entry, reason: str, at: datetime) -> Entry:
    """The pair stays after all: its tables are its own again, as long as no stand-in has begun to play.

    What was taken out of the comparison counts again. Tables that it has not played stay struck off where their boards
    have become public, or their opponents have left, meanwhile.
    """
    competition, _evening = locked(actor=actor, competition=entry.competition)
    entry = _fresh(entry)
    if not entry.withdrawn_at:
        raise Conflict(_("This pair haven’t left."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    decided = dict(entry.withdrawal_fixtures)
    tables = list(Fixture.with_rooms.with_pairs().filter(pk__in=decided).order_by("round__number"))
    taking_over = _stand_in_of(entry, tables)
    if taking_over is not None:
        _give_back(entry, taking_over, tables)
    elif places.is_replaced(entry):
        raise Conflict(_("Another pair has taken their place. Please undo that first."))
    # With a stand-in nothing was struck off: what is void now somebody else decided.
    for fixture in tables if taking_over is None else ():
        if fixture.status == Status.VOID and not _is_the_others(fixture, entry, decided[fixture.pk]):
            _put_back(actor, fixture, decided[fixture.pk], reason)
    entry.withdrawn_at, entry.withdrawal_reason, entry.withdrawal_fixtures = None, "", []
    entry.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawal_fixtures"])
    places.count_again(tables)
    audit.record(
        actor=actor,
        action="evening.leaving_taken_back",
        summary=sentences.gettext("%(pair)s play on") % {"pair": entry},
        competition=competition,
        after={"entry": entry.pk, "fixtures": list(decided), "at": at.isoformat()},
        reason=reason,
    )
    return entry


def _lock(stand_in: Lineup | None) -> None:
    """Nobody is merged away while a place is handed over: who is entered is kept by the competition's lock."""
    if stand_in is not None:
        locks.players([player.pk for player in stand_in.players])
        locks.pair(stand_in.pk)


def _chosen(entry: Entry, evening: Evening, option: str, reason: str, stand_in: Lineup | None) -> LeaveOption:
    """The way that is asked for, if it is still there and all is said that it needs."""
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    chosen = next((each for each in leave_options(entry, evening) if each.key == option), None)
    if chosen is None:
        said = _("This is no longer possible. Please look at the options again.")
        raise Conflict(said, details=[validation.fault(said, "option")])
    if chosen.kind == STAND_IN and stand_in is None:
        raise Invalid(_("Please choose the replacement pair."))
    return chosen


def _stand_in(entry: Entry, stand_in: Lineup, tables: list[Fixture], first: int, *, is_house: bool) -> Entry:
    places.check_untouched(tables)
    number = entry.number
    places.step_aside(entry)
    taking_over = places.enter(
        competition=entry.competition,
        division=entry.division,
        lineup=stand_in,
        number=number,
        first_round=first,
        is_house=is_house,
    )
    places.hand_over(tables, old=entry, new=taking_over)
    waiting = Appearance.objects.byes().filter(entry=entry, round__number__gte=first)
    waiting.update(entry=taking_over)
    return taking_over


def _strike_off(actor: Actor, entry: Entry, tables: list[Fixture], reason: str) -> None:
    """The pair that would have met them sit out."""
    why = _("%(pair)s left: %(reason)s") % {"pair": entry, "reason": reason.strip()}
    for fixture in tables:
        if fixture.status != Status.VOID:
            fixtures.void(actor=actor, fixture=fixture, reason=why, by=RUN)


def _take_out(actor: Actor, entry: Entry, first: int, reason: str) -> None:
    """What the pair has played no longer counts for anybody; its sheets stay on record."""
    why = _("%(pair)s left: %(reason)s") % {"pair": entry, "reason": reason.strip()}
    played = Fixture.with_rooms.of_entry(entry.pk).with_pairs().filter(
        round__number__lt=first, status=Status.CONFIRMED
    )  # fmt: skip
    for fixture in played.order_by("round__number"):
        entry.withdrawal_fixtures.append([fixture.pk, fixture.status])
        matches.reopen(actor=actor, fixture=fixture, reason=why)
        fixtures.void(actor=actor, fixture=fixture, reason=why, by=RUN)
    entry.save(update_fields=["withdrawal_fixtures"])


def _put_back(actor: Actor, fixture: Fixture, status: str, reason: str) -> None:
    """Has a table played after all, or its result count again."""
    was_played = status == Status.CONFIRMED
    if was_played or not places.play_public_boards(fixture):
        fixtures.restore(actor=actor, fixture=fixture, reason=reason, by=RUN)
    if was_played:
        scoresheets.revive(actor=actor, fixture=fixture)


def _is_the_others(fixture: Fixture, entry: Entry, status: str) -> bool:
    """Whether the table stays struck off for its other pair, which has left as well: it comes back with that one."""
    (other,) = fixture.others(entry)
    keeps_results = not any(then == Status.CONFIRMED for _key, then in other.withdrawal_fixtures)
    if not other.withdrawn_at or (status == Status.CONFIRMED and keeps_results):
        return False
    other.withdrawal_fixtures = [*other.withdrawal_fixtures, [fixture.pk, status]]
    other.save(update_fields=["withdrawal_fixtures"])
    return True


def _stand_in_of(entry: Entry, tables: list[Fixture]) -> Entry | None:
    """Who plays at the pair's tables now, if somebody stands in."""
    for fixture in tables:
        if places.side_of(fixture, entry) is None:
            number = entry.number % places.REPLACED
            held = Entry.objects.filter(division=entry.division_id, number=number)
            holds: Entry | None = held.with_pairs().select_related("competition").first()
            if holds is not None and places.side_of(fixture, holds) is not None:
                return holds
    return None


def _give_back(entry: Entry, taking_over: Entry, tables: list[Fixture]) -> None:
    own = [each for each in tables if places.side_of(each, taking_over) is not None]
    later = places.fixtures_from(taking_over, 1)
    places.check_untouched(later)
    places.hand_over(own, old=taking_over, new=entry)
    Appearance.objects.byes().filter(entry=taking_over).update(entry=entry)
    Entry.with_rooms.playing_for(taking_over).delete()
    places.step_back(entry)


def _fresh(entry: Entry) -> Entry:
    found: Entry | None = (
        Entry.with_rooms.with_pairs().select_related("competition__club").filter(pk=entry.pk).first()
    )
    if found is None:
        raise Conflict(_("This has already been undone."))
    return found
