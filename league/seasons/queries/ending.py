"""How a competition ends: what still stands in the way, and everybody's way to the next season (F80 to F90)."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest import pyramid
from engine.errors import ContestError
from league import validation
from league.competitions.levels import by_level
from league.competitions.services.competitions import has_undrawn, undecided_ties
from league.models import (
    Competition,
    Division,
    Entry,
    FinalPlace,
    Fixture,
    Lineup,
    LineupMember,
    PlayOff,
    SeasonEnd,
)
from league.standings.queries import compute_table, read_facts
from league.teams.queries import Share
from league.web.local_time import day_text

Plan, Way = FinalPlace.Plan, FinalPlace.Way
KEEPERS_OF_A_TEAM = 2


@dataclass(frozen=True, slots=True)
class Blocker:
    """What must be settled first, in words, and where."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class EndedEntry:
    """An entry in its division's final table, and its plans for next season. No place: it was taken out."""

    entry: Entry
    place: int | None
    is_shared: bool
    points_a_match: Fraction
    plan: str
    placed_in: int | None
    reason: str
    kept_by: Lineup | None
    is_ruling: bool


@dataclass(frozen=True, slots=True)
class EndedDivision:
    """A division's final table; `level` is 1 at the top, `size` how many it takes next season."""

    division: Division
    level: int
    size: int
    entries: tuple[EndedEntry, ...]

    @property
    def winners(self) -> tuple[Entry, ...]:
        """Who stand first."""
        return tuple(each.entry for each in self.entries if each.place == 1)


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody's way to the next season; places and numbers count from 1. `rule` says why.

    `next_level` is the number of a division from the top.
    """

    lineup: Lineup
    entry: Entry | None
    place: int | None
    way: str
    rule: str
    next_level: int | None = None
    next_number: int | None = None
    kept_by: Lineup | None = None
    is_ruling: bool = False

    @property
    def plays(self) -> Lineup:
        """Who play on: those who keep the place where partners part (F89)."""
        return self.kept_by or self.lineup

    @property
    def kept_in_words(self) -> str:
        """Whose place they keep, and on whose word; empty for those who have it themselves."""
        if self.kept_by is None:
            return ""
        ruled = _("in place of %(pair)s, by a director’s ruling")
        said = ruled if self.is_ruling else _("in place of %(pair)s, as both agreed")
        return said % {"pair": self.lineup}

    @property
    def why(self) -> str:
        """The rule that leads this way, and whose place it is where partners part."""
        return "; ".join(filter(None, (self.rule, self.kept_in_words)))

    @property
    def way_in_words(self) -> str:
        """The way, as a word beside the name."""
        return str(Way(self.way).label)

    @property
    def tone(self) -> str:
        """The colour of that word."""
        return {"promoted": "green", "into_vacancy": "green", "relegated": "red", "for_room": "red"}.get(
            self.way, "neutral"
        )


@dataclass(frozen=True, slots=True)
class NextDivision:
    """A division of the next season, in the order that filled it."""

    division: Division
    size: int
    moves: tuple[Move, ...]

    @property
    def free(self) -> int:
        """How many places nobody may fill."""
        return max(0, self.size - len(self.moves))


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a competition as it is now. Without `moves` while something is undecided."""

    competition: Competition
    end: SeasonEnd
    tables: tuple[EndedDivision, ...]
    newcomers: tuple[FinalPlace, ...]
    playoffs: tuple[PlayOff, ...]
    blockers: tuple[Blocker, ...]
    moves: tuple[Move, ...]

    def playoffs_below(self, level: int) -> list[PlayOff]:
        """The places that are played for between a level and the one below it."""
        return [playoff for playoff in self.playoffs if playoff.upper == level]

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return self.tables[-1].level

    def at(self, level: int) -> tuple[EndedDivision, ...]:
        """The divisions of a level."""
        return tuple(table for table in self.tables if table.level == level)

    def names(self, level: int) -> str:
        """What the divisions of a level are called."""
        return " / ".join(str(table.division) for table in self.at(level))

    @property
    def divisions(self) -> tuple[NextDivision, ...]:
        """The next season, level by level."""
        return tuple(
            NextDivision(
                table.division,
                0 if table.level == self.levels else table.size,
                tuple(
                    sorted(
                        (move for move in self.moves if move.next_level == table.division.level),
                        key=lambda move: move.next_number or 0,
                    )
                ),
            )
            for table in self.tables
        )

    @property
    def leaving(self) -> tuple[Move, ...]:
        """Who do not play on."""
        return tuple(move for move in self.moves if move.next_level is None)

    @property
    def digest(self) -> str:
        """What names exactly these movements, so that nobody confirms others than those that were shown."""
        said = [
            [move.plays.pk, move.place, move.way, move.next_level, move.next_number] for move in self.moves
        ]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def of_competition(
    competition: Competition, *, at: datetime, leaving: Collection[int] = frozenset()
) -> Ending:
    """How the competition would end now, by its results and the plans for next season.

    The lineups with the keys `leaving` leave, whatever was planned for them (F85).
    """
    end = SeasonEnd.objects.filter(competition=competition).first() or SeasonEnd(competition=competition)
    entries = _entries(competition)
    said = _said(end)
    plays = {key: said.get(key, FinalPlace()).kept_by_id or each.lineup_id for key, each in entries.items()}
    said |= {key: FinalPlace(plan=Plan.LEAVES) for key, lineup in plays.items() if lineup in leaving}
    levels = by_level(competition.stage.divisions.order_by("level"))
    sizes = _sizes(end, levels, entries)
    tables = tuple(
        _table(division, number, size, entries, said)
        for number, (divisions, size) in enumerate(zip(levels, sizes, strict=True), start=1)
        for division in divisions
    )
    newcomers = tuple(row for row in _newcomers(end) if row.lineup_id not in leaving)
    playoffs = tuple(end.playoffs.select_related("winner", "loser")) if end.pk else ()
    ending = Ending(competition, end, tables, newcomers, playoffs, (), ())
    return _foreseen(ending, _waiting(competition, at))


def who_may_keep(competition: Competition) -> QuerySet[Lineup]:
    """The club's pairs, not entered themselves, in which a player of an entered pair plays: who can keep its place."""
    entered = competition.entries.values("lineup")
    theirs = LineupMember.objects.filter(lineup__in=entered)
    ours = LineupMember.objects.filter(player__in=theirs.values("player"))
    pairs: QuerySet[Lineup] = (
        Lineup.objects.present()
        .of_sizes(competition.lineup_sizes)
        .with_players()
        .filter(club=competition.club_id, pk__in=ours.values("lineup"))
        .exclude(pk__in=entered)
        .order_by("pk")
    )
    return pairs


def may_keep(entry: Entry, other: Lineup, shares: Collection[Share]) -> bool:
    """Whether these can keep the entry's place (F89): a pair with one of its players.

    A team with two of its players who played half of its matches; `shares` are those of the entry.
    """
    ours = set(entry.lineup.players) & set(other.players)
    if entry.competition.is_of_teams:
        return sum(share.player in ours and share.counts for share in shares) >= KEEPERS_OF_A_TEAM
    return bool(ours)


def _entries(competition: Competition) -> dict[int, Entry]:
    return {entry.pk: entry for entry in competition.entries.with_pairs()}


def _said(end: SeasonEnd) -> dict[int, FinalPlace]:
    """What is said of entries, by entry."""
    if not end.pk:
        return {}
    rows = (
        end.places.filter(entry__isnull=False).select_related("kept_by").prefetch_related("kept_by__members")
    )
    return {row.entry_id: row for row in rows if row.entry_id}


def _newcomers(end: SeasonEnd) -> tuple[FinalPlace, ...]:
    if not end.pk:
        return ()
    rows = end.places.filter(entry__isnull=True).select_related("lineup")
    rows = rows.prefetch_related("lineup__members").order_by("pk")
    # After two players became one, two lines can be about the same pair.
    return tuple({row.lineup_id: row for row in rows}.values())


def _sizes(end: SeasonEnd, levels: Sequence[Sequence[Division]], entries: Mapping[int, Entry]) -> list[int]:
    """How many each division of a level takes: as many as now, so that nobody in the larger one lacks a place."""
    if len(end.sizes) == len(levels):
        return list(end.sizes)
    now = Counter(entry.division_id for entry in entries.values())
    return [max(1, *(now[division.pk] for division in divisions)) for divisions in levels]


def _table(
    division: Division, level: int, size: int, entries: Mapping[int, Entry], said: Mapping[int, FinalPlace]
) -> EndedDivision:
    table = compute_table(read_facts(division))
    found = []
    for row in (*table.rows, *table.withdrawn):
        entry = entries[int(row.entry)]
        if entry.is_house and division.stage.is_swiss:
            # Without standing: no place, and none in the next season (F32).
            continue
        plan = said.get(entry.pk) or FinalPlace()
        is_gone = entry.withdrawn_at is not None
        found.append(
            EndedEntry(
                entry,
                row.place,
                row.is_shared,
                row.league_points / row.played if row.played else Fraction(0),
                Plan.LEAVES if is_gone else plan.plan,
                None if is_gone else plan.placed_in,
                plan.reason,
                plan.kept_by,
                plan.is_ruling,
            )
        )
    return EndedDivision(division, level, size, tuple(found))


def _waiting(competition: Competition, at: datetime) -> list[Blocker]:
    """Matches without a result, and those that can still be corrected."""
    place = [competition.club.slug]
    found = []
    matches = Fixture.objects.of_competition(competition.pk)
    count = matches.open().count()
    if count:
        said = ngettext(
            "%(count)d match has no result yet. Enter it or give a walkover.",
            "%(count)d matches have no result yet. Enter them or give walkovers.",
            count,
        )
        found.append(Blocker(said % {"count": count}, reverse("desk_matches", args=place)))
    if has_undrawn(competition):
        manage = reverse("competition_manage", args=[*place, competition.slug])
        found.append(Blocker(_("Not all rounds are drawn yet. Draw them, or leave them out."), manage))
    for tie in undecided_ties(competition):
        said = _("It is not decided who goes on from %(match)s. Decide that first.")
        found.append(Blocker(said % {"match": tie.fixture}, competition.get_absolute_url()))
    window = timedelta(hours=competition.correction_hours)
    young = matches.filter(status=Fixture.Status.CONFIRMED, decided_at__gt=at - window)
    last = young.order_by("-decided_at").values_list("decided_at", flat=True).first()
    if last is not None:
        until = timezone.localtime(last + window, ZoneInfo(competition.club.time_zone))
        said = _(
            "Results can still be corrected until %(until)s. Wait until then, or shorten the time for corrections."
        )
        shown = day_text(until, "j F Y, H:i")
        edit = reverse("competition_edit", args=[*place, competition.slug])
        found.append(Blocker(said % {"until": shown}, edit))
    return found


def _foreseen(ending: Ending, blockers: list[Blocker]) -> Ending:
    competition = ending.competition
    try:
        asked = pyramid.read_pyramid(_pyramid(ending))
        blockers += dict.fromkeys(_undecided(ending, each) for each in asked.undecided())
        moves = () if asked.undecided() else _moves(ending, asked.close())
    except ContestError as refusal:
        refused = validation.refused_by_rules(refusal)
        blockers += [
            Blocker(str(each["message"])) for each in refused.details or ({"message": str(refused)},)
        ]
        moves = ()
    return Ending(
        competition,
        ending.end,
        ending.tables,
        ending.newcomers,
        ending.playoffs,
        tuple(blockers),
        moves,
    )


def _pyramid(ending: Ending) -> dict[str, Any]:
    """The engine's question; lineups are named by their keys, which no two entries of a competition share."""
    every = [each for table in ending.tables for each in table.entries if each.place is not None]
    # Only their order is asked, and a rank is a figure that the engine reads, however odd the points are.
    ranks = {figure: rank for rank, figure in enumerate(sorted({each.points_a_match for each in every}))}
    placed = [(each.entry.lineup_id, each.placed_in, each.reason) for each in every]
    placed += [(row.lineup_id, row.placed_in, row.reason) for row in ending.newcomers]
    return {
        "levels": [_asked(ending, level) for level in range(1, ending.levels + 1)],
        "points": [{"entry": each.entry.lineup_id, "points": ranks[each.points_a_match]} for each in every],
        "leaving": [each.entry.lineup_id for each in every if each.plan == Plan.LEAVES],
        "declines": [each.entry.lineup_id for each in every if each.plan == Plan.DECLINES],
        "new": [row.lineup_id for row in ending.newcomers],
        "placed": [
            {"entry": key, "level": level, "reason": reason} for key, level, reason in placed if level
        ],
        "playoffs": [
            {
                "upper": each.upper,
                "winner": each.winner.lineup_id if each.winner else None,
                "loser": each.loser.lineup_id if each.loser else None,
            }
            for each in ending.playoffs
        ],
        "vacancy": "promote" if ending.end.promotes else "relegated",
    }


def _asked(ending: Ending, level: int) -> dict[str, Any]:
    tables = ending.at(level)
    first = tables[0].division
    return {
        "size": tables[0].size,
        "divisions": {table.division.name: _places(table) for table in tables},
        "up": first.promoted if level > 1 else 0,
        "down": first.relegated if level < ending.levels else 0,
    }


def _places(table: EndedDivision) -> list[list[int]]:
    places: dict[int, list[int]] = {}
    for each in table.entries:
        if each.place is not None:
            places.setdefault(each.place, []).append(each.entry.lineup_id)
    return list(places.values())


def _undecided(ending: Ending, each: pyramid.Undecided) -> Blocker:
    competition = ending.competition
    if not each.entries:
        said = _("The play-off between %(upper)s and %(lower)s has no winner yet. Enter it below.")
        return Blocker(said % {"upper": ending.names(each.level), "lower": ending.names(each.level + 1)})
    (table,) = (table for table in ending.at(each.level) if table.division.name == each.division)
    names = {every.entry.lineup_id: str(every.entry) for every in table.entries}
    said = _(
        "%(division)s: %(pairs)s share a place, and one of them would change division. "
        "Let them play a deciding match, or draw lots."
    )
    pairs = ", ".join(names[int(key)] for key in each.entries)
    lots = reverse("division_lots", args=[competition.club.slug, competition.slug, table.division.pk])
    return Blocker(said % {"division": table.division, "pairs": pairs}, lots)


def _moves(ending: Ending, following: pyramid.NextSeason) -> tuple[Move, ...]:
    """Everybody's way: those of the tables in their order, then the newcomers."""
    levels = {table.division.name: table.division.level for table in ending.tables}
    where = {
        key: (levels[name], number)
        for divisions in following.divisions
        for name, taken in divisions.items()
        for number, key in enumerate(taken, start=1)
    }
    ways = {key: Way(way.name.lower()) for key, way in following.ways.items()}
    moves = []
    for table in ending.tables:
        for each in table.entries:
            key = each.entry.lineup_id
            way = ways.get(key, Way.LEFT)
            level, number = where.get(key, (None, None))
            rule = _rule(ending, table, each, way) or _rule_beside(ending, table, level)
            kept_by = None if way == Way.LEFT else each.kept_by
            moves.append(
                Move(
                    each.entry.lineup,
                    each.entry,
                    each.place,
                    way,
                    rule,
                    level,
                    number,
                    kept_by,
                    each.is_ruling,
                )
            )
    for row in ending.newcomers:
        way = ways[row.lineup_id]
        rule = row.reason if way == Way.PLACED else _("New entries begin in the lowest division.")
        moves.append(Move(row.lineup, None, None, way, rule, *where[row.lineup_id]))
    return tuple(moves)


def _rule_beside(ending: Ending, table: EndedDivision, next_level: int | None) -> str:
    """Why they play in another division of the same level (F88)."""
    beside = [each.division.level for each in ending.at(table.level)]
    if next_level == table.division.level or next_level not in beside:
        return ""
    return _("shared out among %(division)s by their places") % {"division": ending.names(table.level)}


def _rule(ending: Ending, table: EndedDivision, each: EndedEntry, way: str) -> str:
    """Why: the rule that leads this way, in words."""
    if way == Way.PROMOTED:
        if (table.level - 1, each.entry.pk) in [(won.upper, won.winner_id) for won in ending.playoffs]:
            return _("won the play-off")
        count = table.division.promoted
        said = ngettext("top of %(division)s", "among the top %(count)d of %(division)s", count)
        return said % {"count": count, "division": table.division}
    if way == Way.RELEGATED:
        if (table.level, each.entry.pk) in [(lost.upper, lost.loser_id) for lost in ending.playoffs]:
            return _("lost the play-off")
        count = table.division.relegated
        said = ngettext("bottom of %(division)s", "among the bottom %(count)d of %(division)s", count)
        return said % {"count": count, "division": table.division}
    if way == Way.LEFT and each.entry.withdrawn_at is not None:
        return _("withdrew during the season")
    rules = {
        Way.REPRIEVED: _("would have been relegated, but a place is free"),
        Way.INTO_VACANCY: _("a place is free above, and nobody with a better claim wants it"),
        Way.FOR_ROOM: _("the division is full without them"),
        Way.WITHOUT_ROOM: _("would have been promoted, but the division above is full"),
        Way.PLACED: each.reason,
    }
    return str(rules.get(Way(way), ""))
