"""Who takes part: entering pairs in the divisions of a competition, before the draw and after it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from league import (
    extension,
    locks,
    policies,
    validation,
)
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions, drafts
from league.draws.services import challenges, draws
from league.entries.services import late_entries
from league.entries.services.late_entries import AT_FREE_DATES, LatePlan, Way
from league.errors import Conflict, Invalid
from league.fixtures.services import telling
from league.models import Competition, Division, Entry, Fixture, Lineup, LineupMember, SeasonSubstitute
from league.standings.services import standings
from league.words import sentences


@dataclass(frozen=True, slots=True)
class EntryPreview:
    """What entering a pair would do. `late` is None before the draw: the pair is simply drawn with the others.

    `may_be_redrawn` says that nothing has begun, so that repeating the draw is the simpler way.
    """

    late: LatePlan | None
    may_be_redrawn: bool


def preview(*, division: Division, lineup: Lineup, at: datetime, way: Way = AT_FREE_DATES) -> EntryPreview:
    """What `enter` would do; raises what it would raise. Nothing is written."""
    competition = division.competition
    TakingPart(competition, [lineup]).check(lineup)
    if not late_entries.is_drawn(division):
        return EntryPreview(None, may_be_redrawn=True)
    draws.check_drawn_here(competition)
    _check_way(division, way)
    late = late_entries.plan(division, at=at, way=way)
    return EntryPreview(late, draws.may_be_redrawn(competition))


@transaction.atomic
def enter(
    *,
    actor: Actor,
    division: Division,
    lineup: Lineup,
    at: datetime,
    way: Way = AT_FREE_DATES,
) -> Entry:
    """Enters a pair. After the draw it plays where both pairs are free, and rounds are added where that is not enough.

    `way` says it otherwise: in the place of a pair that withdrew, or in new rounds. A player is in one pair of a
    competition only.
    """
    competition = competitions.locked(division.competition)
    policies.require(actor, "entry.add", competition)
    _remember(actor, competition, "entry.added", sentences.gettext("%(pair)s entered") % {"pair": lineup})
    return _enter(actor, competition, division, lineup, at=at, way=way)


def _enter(
    actor: Actor,
    competition: Competition,
    division: Division,
    lineup: Lineup,
    *,
    at: datetime,
    way: Way = AT_FREE_DATES,
) -> Entry:
    division = competition.stage.divisions.get(pk=division.pk)
    # Locked, so that the pair is not merged away in the meantime.
    lineup = locks.pair(lineup.pk)
    TakingPart(competition, [lineup]).check(lineup)
    drawn = late_entries.is_drawn(division)
    entry = _create(competition, division, [lineup])[0]
    planned = None
    if drawn:
        draws.check_drawn_here(competition)
        _check_way(division, way)
        planned = late_entries.plan(division, at=at, way=way, leaving_out=entry)
        join(actor=actor, entry=entry, planned=planned, at=at)
        tell_matches(actor=actor, entry=entry, why="late")
    _record(actor, entry, late_facts(planned, way) if planned else {})
    return entry


def _record(actor: Actor, entry: Entry, late: Mapping[str, Any]) -> None:
    audit.record(
        actor=actor,
        action="entry.added",
        summary=sentences.gettext("%(pair)s entered in %(division)s")
        % {"pair": entry.lineup, "division": entry.division},
        competition=entry.competition,
        after={**facts(entry), **late},
    )


@transaction.atomic
def enter_all(*, actor: Actor, division: Division, lineups: Sequence[Lineup], at: datetime) -> list[Entry]:
    """Enters several pairs, in this order: all of them, or none, and then Invalid says what is wrong with each.

    Before the draw in as many queries as one pair takes. After it each is entered by itself: where it plays depends on
    where those before it do.
    """
    competition = competitions.locked(division.competition)
    policies.require(actor, "entry.add", competition)
    count = len(lineups)
    said = sentences.ngettext("%(count)d pair entered", "%(count)d pairs entered", count) % {"count": count}
    _remember(actor, competition, "entry.added", said)
    rows = locks.pairs(Lineup.objects.filter(pk__in=[each.pk for each in lineups]).with_players())
    by_key = {each.pk: each for each in rows}
    if any(each.pk not in by_key for each in lineups):  # as where an import was undone meanwhile
        raise Conflict(_("Something has changed since you last saw this. Please check it again."))
    locked = [by_key[each.pk] for each in lineups]
    division = competition.stage.divisions.get(pk=division.pk)
    if late_entries.is_drawn(division):
        return _enter_late(actor, competition, division, locked, at=at)
    there = TakingPart(competition, locked)
    faults: list[validation.Fault] = []
    for lineup in locked:
        try:
            there.check(lineup)
        except (Invalid, Conflict) as refusal:
            faults.append(_fault(lineup, refusal))
        else:
            there.add(Entry(competition=competition, division=division, lineup=lineup))
    validation.refuse(faults)
    made = _create(competition, division, locked)
    with audit.at_once():
        for entry in made:
            _record(actor, entry, {})
    return made


def _enter_late(
    actor: Actor, competition: Competition, division: Division, lineups: Sequence[Lineup], *, at: datetime
) -> list[Entry]:
    made: list[Entry] = []
    faults: list[validation.Fault] = []
    for lineup in lineups:
        try:
            with transaction.atomic():
                made.append(_enter(actor, competition, division, lineup, at=at))
        except (Invalid, Conflict) as refusal:
            faults.append(_fault(lineup, refusal))
    validation.refuse(faults)
    return made


def _fault(lineup: Lineup, refusal: Invalid | Conflict) -> validation.Fault:
    return validation.fault(
        _("%(pair)s: %(reason)s") % {"pair": lineup, "reason": refusal.message}, "lineups"
    )


def join(*, actor: Actor, entry: Entry, planned: LatePlan, at: datetime) -> None:
    """Carries a late plan out: for services that hold the competition's lock."""
    entry.first_round = planned.first_round
    entry.save(update_fields=["first_round"])
    challenges.join(actor=actor, entry=entry, at=at)
    add_matches(actor=actor, entry=entry, planned=planned, at=at)


def add_matches(*, actor: Actor, entry: Entry, planned: LatePlan, at: datetime) -> None:
    """Writes the matches of a plan for a pair that takes part already: for services that hold the lock."""
    made = late_entries.carry_out(entry, planned, at=at)
    standings.bump(competition=entry.competition)
    if entry.competition.state != Competition.State.DRAFT:
        extension.layer().drawn(actor=actor, competition=entry.competition)
        telling.rounds_published(competition=entry.competition, fixtures=made)


def tell_matches(*, actor: Actor, entry: Entry, why: str) -> None:
    """Tells the pair, and everybody whom it is to meet, of its matches: when it joins late, or comes back."""
    fixtures = Fixture.objects.of_entry(entry.pk).unplayed().with_pairs().in_order()
    telling.new_matches(
        actor=actor, competition=entry.competition, fixtures=fixtures, why=why, pair=str(entry)
    )


@transaction.atomic
def remove(*, actor: Actor, entry: Entry) -> None:
    """Takes a pair out of a competition whose rounds are not drawn; later it withdraws instead."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.add", competition)
    entry = _fresh(entry)
    _check_undrawn(competition)
    said = sentences.gettext("%(pair)s removed") % {"pair": entry}
    _remember(actor, competition, "entry.removed", said)
    audit.record(
        actor=actor,
        action="entry.removed",
        summary=said,
        competition=competition,
        before=facts(entry),
    )
    entry.delete()


@transaction.atomic
def arrange(*, actor: Actor, competition: Competition, places: Mapping[int, tuple[int, int]]) -> list[Entry]:
    """Before the draw: each pair's division and number, by entry. In each division they are numbered again, 1 to n.

    Pairs that are not named keep their division and stand behind. Numbers given by hand take the place of lots.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "entry.add", competition)
    _check_undrawn(competition)
    divisions = {division.pk: division for division in competition.stage.divisions.order_by("level")}
    if any(division not in divisions for division, _number in places.values()):
        raise Invalid(_("This division belongs to another competition."))
    rows = list(competition.entries.with_pairs().order_by("division__level", "number"))
    before = [(each.pk, each.division_id, each.number) for each in rows]
    wanted = sorted(rows, key=lambda each: places.get(each.pk, (0, draws.OUT_OF_THE_WAY + each.number))[1])
    numbered = list(_numbered(wanted, {pk: place[0] for pk, place in places.items()}))
    if not competition.stage.draw_seed and sorted(before) == sorted((e.pk, d, n) for e, d, n in numbered):
        return rows
    _remember(actor, competition, "entry.arranged", sentences.gettext("Divisions and numbers set"))
    competition.entries.update(number=F("number") + draws.OUT_OF_THE_WAY)
    for entry, division, number in numbered:
        entry.division, entry.number = divisions[division], number
        entry.save(update_fields=["division", "number"])
    competition.stage.draw_seed = ""
    competition.stage.save(update_fields=["draw_seed"])
    audit.record(
        actor=actor,
        action="entry.arranged",
        summary=sentences.gettext("Divisions and numbers set"),
        competition=competition,
        before=before,
        after=[(entry.pk, division, number) for entry, division, number in numbered],
    )
    return [entry for entry, _division, _number in numbered]


@transaction.atomic
def fill(
    *,
    actor: Actor,
    competition: Competition,
    places: Sequence[tuple[Lineup, Division]],
    among: Collection[int],
) -> None:
    """Before the draw: of the lineups with the keys `among` exactly these take part, in this order.

    Entries of others stay in their division, behind them. For services that hold the competition's lock, or made it.
    """
    policies.require(actor, "entry.add", competition)
    _check_undrawn(competition)
    locks.pairs(Lineup.objects.filter(pk__in=[lineup.pk for lineup, _division in places]))
    said = sentences.gettext("Divisions filled from another competition")
    _remember(actor, competition, "entry.filled", said)
    before = list(competition.entries.order_by("pk").values_list("lineup_id", "division_id", "number"))
    gone = set(among) - {lineup.pk for lineup, _division in places}
    competition.entries.filter(lineup__in=gone).delete()
    others = list(competition.entries.order_by("number").exclude(lineup__in=[each.pk for each, _d in places]))
    competition.entries.update(number=F("number") + draws.OUT_OF_THE_WAY)
    there = {entry.lineup_id: entry for entry in competition.entries.all()}
    taken: Counter[int] = Counter()
    taking_part = TakingPart(competition, [lineup for lineup, _division in places])
    for lineup, division in places:
        entry = there.get(lineup.pk)
        if entry is None:
            taking_part.check(lineup)
            entry = Entry(competition=competition, lineup=lineup)
            taking_part.add(entry)
        _place(entry, division, taken)
    for entry in others:
        _place(entry, entry.division, taken)
    competition.stage.draw_seed = ""
    competition.stage.save(update_fields=["draw_seed"])
    after = list(competition.entries.order_by("pk").values_list("lineup_id", "division_id", "number"))
    audit.record(
        actor=actor,
        action="entry.filled",
        summary=said,
        competition=competition,
        before=before,
        after=after,
    )


def _place(entry: Entry, division: Division, taken: Counter[int]) -> None:
    """Saves the entry with the next number in its division."""
    taken[division.pk] += 1
    entry.division, entry.number = division, taken[division.pk]
    entry.save()


def _numbered(wanted: Sequence[Entry], division_of: Mapping[int, int]) -> Iterator[tuple[Entry, int, int]]:
    """Each entry with its division and its number there, in the wanted order."""
    taken: Counter[int] = Counter()
    for entry in wanted:
        division = division_of.get(entry.pk, entry.division_id)
        taken[division] += 1
        yield entry, division, taken[division]


def _remember(actor: Actor, competition: Competition, action: str, summary: sentences.Said) -> None:
    parts = ("draw",) if competition.stage.rounds.exists() else ("entries",)
    drafts.remember(actor=actor, competition=competition, action=action, summary=summary, parts=parts)


class TakingPart:
    """Who of these lineups, and of their players, takes part in a competition already: read once for all of them.

    For services that hold the competition's lock.
    """

    def __init__(self, competition: Competition, lineups: Collection[Lineup]) -> None:
        self.competition = competition
        players = {player.pk for lineup in lineups for player in lineup.players}
        theirs = LineupMember.objects.filter(player__in=players).values("lineup")
        entered = list(Entry.objects.with_pairs().filter(competition=competition, lineup__in=theirs))
        self._entered = {entry.lineup_id: entry for entry in entered}
        self._playing: dict[int, Entry] = {}
        for entry in entered:
            if entry.withdrawn_at is None:
                self.add(entry)
        standing = SeasonSubstitute.objects.filter(entry__competition=competition, entry__withdrawn_at=None)
        rows = standing.filter(substitute__in=players).select_related("substitute", "absent")
        self._standing_in = {row.substitute_id: row for row in rows}

    def add(self, entry: Entry) -> None:
        """This entry takes part, too."""
        self._entered[entry.lineup_id] = entry
        for player in entry.lineup.players:
            self._playing.setdefault(player.pk, entry)

    def check(self, lineup: Lineup) -> None:
        """Raises Invalid or Conflict where the lineup can't take part."""
        competition = self.competition
        if competition.state == Competition.State.FINISHED:
            raise Conflict(_("This competition is finished."))
        if lineup.club_id != competition.club_id:
            raise Invalid(_("%(name)s: on the list of another club.") % {"name": lineup})
        if lineup.merged_into_id is not None:
            raise Conflict(_("%(name)s: merged with a duplicate. Please enter that one.") % {"name": lineup})
        validation.check_size([lineup], competition.lineup_sizes)
        there = self._entered.get(lineup.pk)
        if there is not None and there.withdrawn_at:
            raise Conflict(
                _("%(name)s withdrew. Undo the withdrawal instead of entering them again.") % {"name": lineup}
            )
        if there is not None:
            raise Conflict(_("%(name)s: already entered.") % {"name": lineup})
        self.check_players(lineup)

    def check_players(self, lineup: Lineup) -> None:
        """Raises Conflict when one of the players is in another pair that takes part."""
        for player in lineup.players:
            other = self._playing.get(player.pk)
            if other is not None and other.lineup_id != lineup.pk:
                raise Conflict(
                    _(
                        "%(name)s is already entered in %(pair)s. You can enter a player only once in a competition."
                    )
                    % {"name": player, "pair": other}
                )
        for player in lineup.players:
            row = self._standing_in.get(player.pk)
            if row is not None:
                raise Conflict(
                    _(
                        "%(name)s plays for %(absent)s for the rest of the season, so can’t enter with somebody else."
                    )
                    % {"name": player, "absent": row.absent}
                )


def check_players(competition: Competition, lineup: Lineup) -> None:
    """Raises Conflict when one of the players is in another pair that takes part."""
    TakingPart(competition, [lineup]).check_players(lineup)


def facts(entry: Entry) -> dict[str, Any]:
    """What the audit trail keeps of an entry."""
    return {
        "entry": entry.pk,
        "pair": entry.lineup_id,
        "division": entry.division_id,
        "number": entry.number,
        "first_round": entry.first_round,
    }


def late_facts(planned: LatePlan, way: Way) -> dict[str, Any]:
    """What the audit trail keeps of a late entry."""
    return {
        "replaces": way.replaces and way.replaces.pk,
        "rounds": [each.round_number for each in planned.meetings],
        "missed": [each.round_number for each in planned.missed],
        "extra_rounds": [each.number for each in planned.extra_rounds],
    }


def _check_way(division: Division, way: Way) -> None:
    if way.replaces is not None and way.replaces not in late_entries.places_to_take(division):
        raise Conflict(_("%(pair)s left no matches to take over.") % {"pair": way.replaces})


def _create(competition: Competition, division: Division, lineups: Sequence[Lineup]) -> list[Entry]:
    """Their entries, with the numbers that follow in the division."""
    made = [
        Entry(competition=competition, division=division, lineup=lineup, number=number)
        for number, lineup in enumerate(lineups, start=_next_number(division))
    ]
    try:
        with transaction.atomic():
            return Entry.objects.bulk_create(made)
    except IntegrityError as clash:
        if len(lineups) > 1:
            raise Conflict(
                _("Something has changed since you last saw this. Please check it again.")
            ) from clash
        raise Conflict(_("%(name)s: already entered.") % {"name": lineups[0]}) from clash


def _next_number(division: Division) -> int:
    highest: int | None = division.entries.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def _fresh(entry: Entry) -> Entry:
    found: Entry | None = Entry.objects.with_pairs().filter(pk=entry.pk).first()
    if found is None:
        raise Conflict(_("%(name)s: already removed.") % {"name": entry})
    return found


def _check_undrawn(competition: Competition) -> None:
    if competition.stage.is_ladder and competition.state != Competition.State.DRAFT:
        raise Conflict(_("The ladder has begun. You can withdraw an entry; a new one begins at the bottom."))
    if competition.stage.rounds.exists():
        raise Conflict(
            _("The rounds are drawn. You can withdraw an entry, or undo the draw first while it is a draft.")
        )
