"""Who takes part: entering pairs in the divisions of a competition, before the draw and after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from league import policies, validation
from league.actors import Actor
from league.errors import Conflict, Invalid
from league.models import Competition, Division, Entry, Partnership
from league.services import audit, competitions, draws, late_entries, standings
from league.services.late_entries import LatePlan


@dataclass(frozen=True, slots=True)
class EntryPreview:
    """What entering a pair would do. `late` is None before the draw: the pair is simply drawn with the others.

    `may_be_redrawn` says that nothing has begun, so that repeating the draw is the simpler way.
    """

    late: LatePlan | None
    may_be_redrawn: bool


def preview(
    *, division: Division, partnership: Partnership, at: datetime, catch_up: bool = False
) -> EntryPreview:
    """What `enter` would do; raises what it would raise. Nothing is written."""
    competition = division.competition
    _check(competition, partnership)
    if not late_entries.is_drawn(division):
        return EntryPreview(None, may_be_redrawn=True)
    late = late_entries.plan(division, at=at, catch_up=catch_up)
    return EntryPreview(late, draws.may_be_redrawn(competition))


@transaction.atomic
def enter(
    *,
    actor: Actor,
    division: Division,
    partnership: Partnership,
    at: datetime,
    catch_up: bool = False,
) -> Entry:
    """Enters a pair. After the draw it takes the byes that are left, and rounds are added where that is not enough.

    With `catch_up` it also plays the matches of rounds that are over, at times to be arranged; else those don't
    happen. A player is in one pair of a competition only.
    """
    competition = competitions.locked(division.competition)
    division = competition.divisions.get(pk=division.pk)
    policies.require(actor, "entry.add", competition)
    # Locked, so that the pair is not merged away in the meantime.
    partnership = Partnership.objects.with_players().select_for_update(of=("self",)).get(pk=partnership.pk)
    _check(competition, partnership)
    drawn = late_entries.is_drawn(division)
    entry = _create(competition, division, partnership)
    planned = None
    if drawn:
        planned = late_entries.plan(division, at=at, catch_up=catch_up, leaving_out=entry)
        join(entry, planned, at=at)
    audit.record(
        actor=actor,
        action="entry.added",
        summary=_("%(pair)s entered in %(division)s") % {"pair": partnership, "division": division},
        competition=competition,
        after={**facts(entry), **(late_facts(planned) if planned else {})},
    )
    return entry


@transaction.atomic
def enter_all(
    *, actor: Actor, division: Division, partnerships: Sequence[Partnership], at: datetime
) -> list[Entry]:
    """Enters several pairs, in this order: all of them, or none, and then Invalid says what is wrong with each."""
    made: list[Entry] = []
    faults: list[validation.Fault] = []
    for partnership in partnerships:
        try:
            with transaction.atomic():
                made.append(enter(actor=actor, division=division, partnership=partnership, at=at))
        except (Invalid, Conflict) as refusal:
            said = _("%(pair)s: %(reason)s") % {"pair": partnership, "reason": refusal.message}
            faults.append(validation.fault(said, "partnerships"))
    validation.refuse(faults)
    return made


def join(entry: Entry, planned: LatePlan, *, at: datetime) -> None:
    """Carries a late plan out: for services that hold the competition's lock."""
    entry.first_round = planned.first_round
    entry.save(update_fields=["first_round"])
    late_entries.carry_out(entry, planned, at=at)
    standings.bump(competition=entry.competition)


@transaction.atomic
def remove(*, actor: Actor, entry: Entry) -> None:
    """Takes a pair out of a competition whose rounds are not drawn; later it withdraws instead."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.add", competition)
    entry = _fresh(entry)
    _check_undrawn(competition)
    audit.record(
        actor=actor,
        action="entry.removed",
        summary=_("%(pair)s taken out") % {"pair": entry},
        competition=competition,
        before=facts(entry),
    )
    entry.delete()


@transaction.atomic
def move(*, actor: Actor, entry: Entry, division: Division) -> Entry:
    """Puts a pair into another division of the same competition, before the draw."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.add", competition)
    entry = _fresh(entry)
    _check_undrawn(competition)
    if division.competition_id != competition.pk:
        raise Invalid(_("This division belongs to another competition."))
    if entry.division_id == division.pk:
        return entry
    before = facts(entry)
    entry.division, entry.number = division, _next_number(division)
    entry.save(update_fields=["division", "number"])
    audit.record(
        actor=actor,
        action="entry.moved",
        summary=_("%(pair)s moved to %(division)s") % {"pair": entry, "division": division},
        competition=competition,
        before=before,
        after=facts(entry),
    )
    return entry


def check_players(competition: Competition, partnership: Partnership) -> None:
    """Raises Conflict when one of the players is in another pair that takes part."""
    players = {partnership.player_a_id, partnership.player_b_id}
    theirs = Q(partnership__player_a__in=players) | Q(partnership__player_b__in=players)
    others = competition.entries.active().with_pairs().filter(theirs).exclude(partnership=partnership)
    for other in others:
        shared = next(each for each in other.partnership.players if each.pk in players)
        raise Conflict(
            _("%(name)s already plays in %(pair)s. A player is in one pair of a competition only.")
            % {"name": shared, "pair": other}
        )


def facts(entry: Entry) -> dict[str, Any]:
    """What the audit trail keeps of an entry."""
    return {
        "entry": entry.pk,
        "pair": entry.partnership_id,
        "division": entry.division_id,
        "number": entry.number,
        "first_round": entry.first_round,
    }


def late_facts(planned: LatePlan) -> dict[str, Any]:
    """What the audit trail keeps of a late entry."""
    return {
        "rounds": [each.round_number for each in planned.meetings],
        "missed": [each.round_number for each in planned.missed],
        "extra_rounds": [each.number for each in planned.extra_rounds],
    }


def _check(competition: Competition, partnership: Partnership) -> None:
    if competition.state == Competition.State.FINISHED:
        raise Conflict(_("This competition is finished."))
    if partnership.club_id != competition.club_id:
        raise Invalid(_("This pair belongs to another club."))
    if partnership.merged_into_id is not None:
        raise Conflict(_("This pair was merged into another one. Enter that one."))
    there = competition.entries.filter(partnership=partnership).first()
    if there is not None and there.withdrawn_at:
        raise Conflict(_("This pair has withdrawn. Take its withdrawal back instead of entering it again."))
    if there is not None:
        raise Conflict(_("This pair is entered already."))
    check_players(competition, partnership)


def _create(competition: Competition, division: Division, partnership: Partnership) -> Entry:
    try:
        with transaction.atomic():
            return Entry.objects.create(
                competition=competition,
                division=division,
                partnership=partnership,
                number=_next_number(division),
            )
    except IntegrityError as clash:
        raise Conflict(_("This pair is entered already.")) from clash


def _next_number(division: Division) -> int:
    highest: int | None = division.entries.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _fresh(entry: Entry) -> Entry:
    found: Entry | None = Entry.objects.with_pairs().filter(pk=entry.pk).first()
    if found is None:
        raise Conflict(_("This pair was taken out already."))
    return found


def _check_undrawn(competition: Competition) -> None:
    if competition.rounds.exists():
        raise Conflict(
            _("The rounds are drawn: the pair can withdraw, or a draft's draw can be taken back first.")
        )
