"""Finishing a competition: plans for the next season, its final places, and undoing that (F81 to F90)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league import policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.levels import by_level
from league.competitions.services import competitions
from league.errors import Conflict
from league.fixtures.services import telling
from league.models import AuditEntry, Competition, FinalPlace, Lineup, PlayOff, SeasonEnd
from league.notices import events
from league.results.queries import prizes
from league.seasons.queries import ending as endings
from league.seasons.queries.ending import Ending
from league.teams import queries as teams
from league.words import sentences

State, Plan = Competition.State, FinalPlace.Plan
MOST = 999
PRIZES_WON = "prizes.won"
MOST_PLAYED_FOR = 8


@dataclass(frozen=True, slots=True)
class Said:
    """What a director says of the next season; what is left out is as the tables have it.

    `plans` are of entries, by key, and of newcomers' lineups in `newcomers`: the plan, and with "placed" the level from
    1. `reason` says why those were placed. `playoffs` are the places that are played for: the level above the boundary,
    the winner's entry, None until it has been played, and the loser's, None where nobody goes down. `sizes` are those
    of a division by level; empty is as many as now. `kept` have, by entry, the lineup that keeps the place of partners
    who part, and whether a director ruled so, for the `reason`; otherwise both agreed.
    """

    plans: Mapping[int, tuple[str, int | None]] = field(default_factory=dict)
    newcomers: Mapping[int, int | None] = field(default_factory=dict)
    reason: str = ""
    playoffs: Sequence[tuple[int, int | None, int | None]] = ()
    sizes: Sequence[int] = ()
    promotes: bool = False
    kept: Mapping[int, tuple[int, bool]] = field(default_factory=dict)


@transaction.atomic
def prepare(*, actor: Actor, competition: Competition, said: Said, at: datetime) -> Ending:
    """Saves the plans in place of earlier ones. For a finished competition, who moves where is written again."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.finish", competition)
    _check_open(competition)
    _check(competition, said)
    before = _facts(SeasonEnd.objects.filter(competition=competition).first())
    end, _is_new = SeasonEnd.objects.get_or_create(competition=competition)
    _keep(end, competition, said)
    after = _facts(end)
    if before != after:
        audit.record(
            actor=actor,
            action="season.prepared",
            summary=sentences.gettext("Next season: what is known of it was changed"),
            competition=competition,
            before=before,
            after=after,
        )
    found = endings.of_competition(competition, at=at)
    if competition.state == State.FINISHED:
        _refuse_blocked(found)
        _write(actor, found, end)
    return found


@transaction.atomic
def finish(*, actor: Actor, competition: Competition, at: datetime, seen: str | None = None) -> SeasonEnd:
    """Closes a competition: its tables are final, and everybody's way to the next season is written down.

    `seen` is the digest of the movements that the person was shown. Finishing twice has the effect of once (F90).
    """
    competition = competitions.locked(competition)
    policies.require(actor, "competition.finish", competition)
    closed = SeasonEnd.objects.filter(competition=competition, closed_at__isnull=False).first()
    if closed is not None and competition.state == State.FINISHED:
        return closed
    found = endings.of_competition(competition, at=at)
    _refuse_blocked(found)
    if seen is not None and seen != found.digest:
        raise Conflict(_("Something has changed since you last saw this. Please check it again."))
    if competition.state != State.FINISHED:
        competitions.finish(actor=actor, competition=competition)
    end, _is_new = SeasonEnd.objects.get_or_create(competition=competition)
    end.closed_at, end.closed_by = at, person(actor)
    end.save(update_fields=["closed_at", "closed_by"])
    _write(actor, found, end)
    _tell_everybody(actor, found)
    _settle_prizes(actor, competition, at)
    return end


@transaction.atomic
def reopen(*, actor: Actor, competition: Competition, reason: str) -> Competition:
    """Takes a finished competition up again, with its movements, unless the next season is published (F90)."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.finish", competition)
    _check_open(competition)
    competition = competitions.reopen(actor=actor, competition=competition, reason=reason)
    end = SeasonEnd.objects.filter(competition=competition).first()
    if end is not None and end.closed_at is not None:
        before = _moves_as_json(end)
        _clear(end)
        end.closed_at = end.closed_by = None
        end.save(update_fields=["closed_at", "closed_by"])
        audit.record(
            actor=actor,
            action="season.undone",
            summary=sentences.gettext("Final places and movements undone"),
            competition=competition,
            before=before,
            reason=reason,
        )
    return competition


def published_successor(competition: Competition) -> Competition | None:
    """The next season of this one, once it is published."""
    following: Competition | None = Competition.objects.filter(follows=competition).first()
    return following if following and following.state != State.DRAFT else None


def _check_open(competition: Competition) -> None:
    if competition.state == State.DRAFT:
        raise Conflict(_("This competition is still a draft."))
    following = published_successor(competition)
    if following is not None:
        raise Conflict(
            _("The next season, %(name)s, is published. What led to it can no longer change.")
            % {"name": following}
        )


def _check(competition: Competition, said: Said) -> None:
    """Raises Invalid with everything that cannot be meant."""
    divisions = by_level(competition.stage.divisions.order_by("level"))
    level_of = {division.pk: level for level, found in enumerate(divisions, start=1) for division in found}
    levels = len(divisions)
    entries = {entry.pk: level_of[entry.division_id] for entry in competition.entries.all()}
    faults = []
    strange = [key for key in said.plans if key not in entries]
    ours = Lineup.objects.present().filter(club=competition.club_id, pk__in=said.newcomers)
    ours = ours.exclude(entries__competition=competition)
    if strange or ours.count() != len(said.newcomers):
        faults.append(validation.fault(_("Choose from the list."), "newcomers"))
    placed = [level for plan, level in said.plans.values() if plan == Plan.PLACED]
    placed += [level for level in said.newcomers.values() if level is not None]
    if any(level is None or not 1 <= level <= levels for level in placed):
        faults.append(validation.fault(_("Choose one of the divisions."), "plans"))
    if placed and not validation.one_line(said.reason):
        faults.append(validation.fault(_("Please say why you place them yourself."), "reason"))
    if said.sizes and (len(said.sizes) != levels or not all(1 <= size <= MOST for size in said.sizes)):
        faults.append(validation.fault(_("Give the number of places in each division."), "sizes"))
    if any(is_ruling for _key, is_ruling in said.kept.values()) and not validation.one_line(said.reason):
        faults.append(validation.fault(_("Please say why you rule who keeps a place."), "reason"))
    faults += _faults_of_kept(competition, said)
    faults += _faults_of_playoffs(entries, said, levels)
    validation.refuse(faults)
    validation.check(FinalPlace(reason=validation.one_line(said.reason)))


def _faults_of_playoffs(entries: Mapping[int, int], said: Said, levels: int) -> list[validation.Fault]:
    """`entries` are the levels by entry."""
    for upper in {upper for upper, _winner, _loser in said.playoffs}:
        places = [sides for boundary, *sides in said.playoffs if boundary == upper]
        met = [key for sides in places for key in sides if key is not None]
        is_known = 1 <= upper < levels and all(entries.get(key) in (upper, upper + 1) for key in met)
        lost_to_nobody = any(winner is None and loser is not None for winner, loser in places)
        if not is_known or lost_to_nobody or len(met) > len(set(met)):
            message = _(
                "Choose who won and who lost a play-off from the divisions on either side, each once."
            )
            return [validation.fault(message, "playoffs")]
        if len(places) > MOST_PLAYED_FOR:
            message = _("A play-off decides at most %(most)d places.") % {"most": MOST_PLAYED_FOR}
            return [validation.fault(message, "playoffs")]
    return []


def _faults_of_kept(competition: Competition, said: Said) -> list[validation.Fault]:
    """A place is kept by those who may, and none of theirs plays for two pairs (F89)."""
    if not said.kept:
        return []
    offered = {pair.pk: pair for pair in endings.who_may_keep(competition)}
    entries = {entry.pk: entry for entry in competition.entries.with_pairs().select_related("competition")}
    shares = teams.shares(entries.values()) if competition.is_of_teams else {}
    for key, (pair, _is_ruling) in said.kept.items():
        old, new = entries.get(key), offered.get(pair)
        if old is None or new is None or not endings.may_keep(old, new, shares.get(key, ())):
            return [validation.fault(_("Choose from the list."), "kept")]
    stay = [
        offered[said.kept[key][0]] if key in said.kept else entry.lineup
        for key, entry in entries.items()
        if entry.withdrawn_at is None and said.plans.get(key, (Plan.STAYS, None))[0] != Plan.LEAVES
    ]
    stay += Lineup.objects.with_players().filter(pk__in=said.newcomers)
    times = Counter(player for pair in stay for player in pair.players)
    message = _("%(player)s would play for two pairs next season.")
    return [
        validation.fault(message % {"player": player}, "kept")
        for key, (pair, _is_ruling) in said.kept.items()
        for player in offered[pair].players
        if times[player] > 1
    ]


def _keep(end: SeasonEnd, competition: Competition, said: Said) -> None:
    end.sizes, end.promotes = list(said.sizes), said.promotes
    end.save(update_fields=["sizes", "promotes"])
    reason = validation.one_line(said.reason)
    rows = [
        FinalPlace(end=end, entry=entry, lineup_id=entry.lineup_id, plan=plan, placed_in=level)
        for entry in competition.entries.order_by("pk")
        for plan, level in [said.plans.get(entry.pk, (Plan.STAYS, None))]
    ]
    rows += [
        FinalPlace(end=end, lineup_id=key, plan=Plan.STAYS if level is None else Plan.PLACED, placed_in=level)
        for key, level in sorted(said.newcomers.items())
    ]
    for row in rows:
        row.placed_in = row.placed_in if row.plan == Plan.PLACED else None
        row.kept_by_id, row.is_ruling = said.kept.get(row.entry_id or 0, (None, False))
        row.reason = reason if row.plan == Plan.PLACED or row.is_ruling else ""
    end.places.all().delete()
    FinalPlace.objects.bulk_create(rows)
    end.playoffs.all().delete()
    PlayOff.objects.bulk_create(
        PlayOff(end=end, upper=upper, winner_id=winner, loser_id=loser)
        for upper, winner, loser in said.playoffs
    )


def _refuse_blocked(found: Ending) -> None:
    if found.blockers:
        said = [each.text for each in found.blockers]
        raise Conflict(" ".join(said), details=[validation.fault(text) for text in said])


def _write(actor: Actor, found: Ending, end: SeasonEnd) -> None:
    _clear(end)
    there = {row.entry_id or -row.lineup_id: row for row in end.places.all()}
    rows = []
    for move in found.moves:
        key = move.entry.pk if move.entry else -move.lineup.pk
        row = there.get(key) or FinalPlace(end=end, entry=move.entry)
        row.lineup = move.lineup
        row.place, row.way = move.place, move.way
        row.next_level, row.next_number = move.next_level, move.next_number
        rows.append(row)
    kept = [row for row in rows if row.pk is not None]
    FinalPlace.objects.bulk_create([row for row in rows if row.pk is None])
    FinalPlace.objects.bulk_update(kept, ["lineup", "place", "way", "next_level", "next_number"])
    audit.record(
        actor=actor,
        action="season.closed",
        summary=sentences.gettext("Final places and movements written down"),
        competition=found.competition,
        after=_moves_as_json(end),
    )


def _tell_everybody(actor: Actor, found: Ending) -> None:
    """Each their place, and where they play next season."""
    names = {table.division.level: str(table.division) for table in found.tables}
    many = {
        table.division.pk: sum(each.place is not None for each in table.entries) for table in found.tables
    }
    said = {
        move.entry.pk: {
            "pair": str(move.entry),
            "place": move.place,
            "division": str(move.entry.division),
            "of": many[move.entry.division_id],
            "way": move.way,
            "following": names.get(move.next_level or 0, ""),
            "kept": str(move.kept_by or ""),
        }
        for move in found.moves
        if move.entry is not None and move.place is not None
    }
    telling.tell_entries(actor=actor, event=events.SEASON_FINISHED, competition=found.competition, said=said)


def _settle_prizes(actor: Actor, competition: Competition, at: datetime) -> None:
    """Keeps who wins what in the trail; after a correction tells those who gain a prize, or lose one (F151)."""
    lines = prizes.lines(competition, at=at)
    now = [[line.prize, [winner.entry for winner in line.winners]] for line in lines]
    last = AuditEntry.objects.filter(competition=competition, action=PRIZES_WON).order_by("-pk").first()
    before = last.after["prizes"] if last is not None and last.after else []
    if before == now:
        return
    said = sentences.gettext("Prizes won")
    if last is not None:
        said = sentences.gettext("Prizes won by others after a correction")
    audit.record(
        actor=actor,
        action=PRIZES_WON,
        summary=said,
        competition=competition,
        before={"prizes": before} if last is not None else None,
        after={"prizes": now},
    )
    if last is None:
        return
    names = {entry.pk: str(entry) for entry in competition.entries.with_pairs()}
    had, has = _prizes_of(before), _prizes_of(now)
    changed = {
        key: {
            "pair": names[key],
            "gained": ", ".join((has[key] - had[key]).elements()),
            "lost": ", ".join((had[key] - has[key]).elements()),
        }
        for key in names
        if had[key] != has[key]
    }
    telling.tell_entries(actor=actor, event=events.PRIZES_CHANGED, competition=competition, said=changed)


def _prizes_of(won: Sequence[Sequence[Any]]) -> dict[int, Counter[str]]:
    """The names of the prizes that each entry wins."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for name, entries in won:
        for entry in entries:
            found[entry][name] += 1
    return found


def _clear(end: SeasonEnd) -> None:
    end.places.update(place=None, way="", next_level=None, next_number=None)


def _moves_as_json(end: SeasonEnd) -> dict[str, Any]:
    """What the trail keeps of the ways, by lineup."""
    rows = end.places.order_by("pk").values("lineup_id", "place", "way", "next_level", "next_number")
    return {"places": list(rows)}


def _facts(end: SeasonEnd | None) -> dict[str, Any]:
    """What the trail keeps of what was said."""
    if end is None:
        return {}
    as_it_is = Q(plan=Plan.STAYS, entry__isnull=False, kept_by__isnull=True)
    places = end.places.order_by("lineup_id").exclude(as_it_is)
    return {
        "sizes": end.sizes,
        "promotes": end.promotes,
        "plans": list(places.values("lineup_id", "entry_id", "plan", "placed_in", "kept_by_id", "is_ruling")),
        "playoffs": list(end.playoffs.values("upper", "winner_id", "loser_id")),
    }
