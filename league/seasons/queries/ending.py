"""How a competition ends: what still stands in the way, and everybody's way to the next season (F80 to F90)."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest import pyramid
from engine.contest.standings.table import Table
from engine.errors import ContestError
from league import validation
from league.models import Competition, Division, Entry, FinalPlace, Fixture, Lineup, PlayOff, SeasonEnd
from league.standings.queries import compute_table, read_facts

Plan, Way = FinalPlace.Plan, FinalPlace.Way
MOST_NAMED = 5


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
    plan: str
    placed_in: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class EndedLevel:
    """A division's final table; `size` is how many it takes next season."""

    division: Division
    size: int
    entries: tuple[EndedEntry, ...]

    @property
    def winners(self) -> tuple[Entry, ...]:
        """Who stand first."""
        return tuple(each.entry for each in self.entries if each.place == 1)


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody's way to the next season; levels, places and numbers count from 1. `rule` says why."""

    lineup: Lineup
    entry: Entry | None
    place: int | None
    way: str
    rule: str
    next_level: int | None = None
    next_number: int | None = None

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
    levels: tuple[EndedLevel, ...]
    newcomers: tuple[FinalPlace, ...]
    playoffs: Mapping[int, PlayOff]
    blockers: tuple[Blocker, ...]
    moves: tuple[Move, ...]

    @property
    def divisions(self) -> tuple[NextDivision, ...]:
        """The next season, level by level."""
        is_last = len(self.levels)
        return tuple(
            NextDivision(
                level.division,
                0 if number == is_last else level.size,
                tuple(
                    sorted(
                        (move for move in self.moves if move.next_level == number),
                        key=lambda move: move.next_number or 0,
                    )
                ),
            )
            for number, level in enumerate(self.levels, start=1)
        )

    @property
    def leaving(self) -> tuple[Move, ...]:
        """Who do not play on."""
        return tuple(move for move in self.moves if move.next_level is None)

    @property
    def digest(self) -> str:
        """What names exactly these movements, so that nobody confirms others than those that were shown."""
        said = [
            [move.lineup.pk, move.place, move.way, move.next_level, move.next_number] for move in self.moves
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
    gone = {key: FinalPlace(plan=Plan.LEAVES) for key, each in entries.items() if each.lineup_id in leaving}
    said = {**_said(end), **gone}
    tables = [
        (division, compute_table(read_facts(division)))
        for division in competition.stage.divisions.order_by("level")
    ]
    levels = tuple(
        _level(division, table, entries, said, size)
        for (division, table), size in zip(tables, _sizes(end, tables, entries), strict=True)
    )
    newcomers = tuple(row for row in _newcomers(end) if row.lineup_id not in leaving)
    playoffs = {each.upper: each for each in end.playoffs.all()} if end.pk else {}
    ending = Ending(competition, end, levels, newcomers, playoffs, (), ())
    return _foreseen(ending, _waiting(competition, at))


def _entries(competition: Competition) -> dict[int, Entry]:
    return {entry.pk: entry for entry in competition.entries.with_pairs()}


def _said(end: SeasonEnd) -> dict[int, FinalPlace]:
    """What is said of entries, by entry."""
    if not end.pk:
        return {}
    return {row.entry_id: row for row in end.places.filter(entry__isnull=False) if row.entry_id}


def _newcomers(end: SeasonEnd) -> tuple[FinalPlace, ...]:
    if not end.pk:
        return ()
    rows = end.places.filter(entry__isnull=True).select_related("lineup")
    rows = rows.prefetch_related("lineup__members").order_by("pk")
    # After two players became one, two lines can be about the same pair.
    return tuple({row.lineup_id: row for row in rows}.values())


def _sizes(
    end: SeasonEnd, tables: Sequence[tuple[Division, Table]], entries: Mapping[int, Entry]
) -> list[int]:
    if len(end.sizes) == len(tables):
        return list(end.sizes)
    return [
        max(1, sum(entry.division_id == division.pk for entry in entries.values())) for division, _t in tables
    ]


def _level(
    division: Division,
    table: Table,
    entries: Mapping[int, Entry],
    said: Mapping[int, FinalPlace],
    size: int,
) -> EndedLevel:
    found = []
    for row in (*table.rows, *table.withdrawn):
        entry = entries[int(row.entry)]
        plan = said.get(entry.pk) or FinalPlace()
        is_gone = entry.withdrawn_at is not None
        found.append(
            EndedEntry(
                entry,
                row.place,
                row.is_shared,
                Plan.LEAVES if is_gone else plan.plan,
                None if is_gone else plan.placed_in,
                plan.reason,
            )
        )
    return EndedLevel(division, size, tuple(found))


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
    if competition.stage.is_by_round and competition.stage.rounds.filter(appearances__isnull=True).exists():
        manage = reverse("competition_manage", args=[*place, competition.slug])
        found.append(Blocker(_("Not all rounds are drawn yet. Draw them, or leave them out."), manage))
    window = timedelta(hours=competition.correction_hours)
    young = matches.filter(status=Fixture.Status.CONFIRMED, decided_at__gt=at - window)
    last = young.order_by("-decided_at").values_list("decided_at", flat=True).first()
    if last is not None:
        until = timezone.localtime(last + window, ZoneInfo(competition.club.time_zone))
        said = _(
            "Results can still be corrected until %(until)s. Wait until then, or shorten the time for corrections."
        )
        shown = date_format(until, "j F Y, H:i")
        edit = reverse("competition_edit", args=[*place, competition.slug])
        found.append(Blocker(said % {"until": shown}, edit))
    return found


def _foreseen(ending: Ending, blockers: list[Blocker]) -> Ending:
    competition = ending.competition
    try:
        asked = pyramid.read_pyramid(_pyramid(ending))
        blockers += [_undecided(ending, each) for each in asked.undecided()]
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
        ending.levels,
        ending.newcomers,
        ending.playoffs,
        tuple(blockers),
        moves,
    )


def _pyramid(ending: Ending) -> dict[str, Any]:
    """The engine's question; lineups are named by their keys, which no two entries of a competition share."""
    last = len(ending.levels)
    every = [each for level in ending.levels for each in level.entries if each.place is not None]
    placed = [(each.entry.lineup_id, each.placed_in, each.reason) for each in every]
    placed += [(row.lineup_id, row.placed_in, row.reason) for row in ending.newcomers]
    return {
        "levels": [
            {
                "size": level.size,
                "divisions": {level.division.name: _places(level)},
                "up": level.division.promoted if number > 1 else 0,
                "down": level.division.relegated if number < last else 0,
            }
            for number, level in enumerate(ending.levels, start=1)
        ],
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
            for each in ending.playoffs.values()
        ],
        "vacancy": "promote" if ending.end.promotes else "relegated",
    }


def _places(level: EndedLevel) -> list[list[int]]:
    places: dict[int, list[int]] = {}
    for each in level.entries:
        if each.place is not None:
            places.setdefault(each.place, []).append(each.entry.lineup_id)
    return list(places.values())


def _undecided(ending: Ending, each: pyramid.Undecided) -> Blocker:
    competition = ending.competition
    level = ending.levels[each.level - 1]
    if not each.entries:
        below = ending.levels[each.level].division
        said = _("The play-off between %(upper)s and %(lower)s has no winner yet. Enter it below.")
        return Blocker(said % {"upper": level.division, "lower": below})
    names = {every.entry.lineup_id: str(every.entry) for every in level.entries}
    said = _(
        "%(division)s: %(pairs)s share a place, and one of them would change division. "
        "Let them play a deciding match, or draw lots."
    )
    pairs = ", ".join(names[int(key)] for key in each.entries)
    lots = reverse("division_lots", args=[competition.club.slug, competition.slug, level.division.pk])
    return Blocker(said % {"division": level.division, "pairs": pairs}, lots)


def _moves(ending: Ending, following: pyramid.NextSeason) -> tuple[Move, ...]:
    """Everybody's way: those of the tables in their order, then the newcomers."""
    where = {
        key: (level, number)
        for level, divisions in enumerate(following.divisions, start=1)
        for taken in divisions.values()
        for number, key in enumerate(taken, start=1)
    }
    ways = {key: Way(way.name.lower()) for key, way in following.ways.items()}
    moves = []
    for number, level in enumerate(ending.levels, start=1):
        for each in level.entries:
            key = each.entry.lineup_id
            way = ways.get(key, Way.LEFT)
            rule = _rule(ending, number, each, way)
            at = where.get(key, (None, None))
            moves.append(Move(each.entry.lineup, each.entry, each.place, way, rule, *at))
    for row in ending.newcomers:
        way = ways[row.lineup_id]
        rule = row.reason if way == Way.PLACED else _("New entries begin in the lowest division.")
        moves.append(Move(row.lineup, None, None, way, rule, *where[row.lineup_id]))
    return tuple(moves)


def _rule(ending: Ending, number: int, each: EndedEntry, way: str) -> str:
    """Why: the rule that leads this way, in words."""
    level = ending.levels[number - 1]
    if way == Way.PROMOTED:
        playoff = ending.playoffs.get(number - 1)
        if playoff is not None and playoff.winner_id == each.entry.pk:
            return _("won the play-off")
        return _("among the top %(count)d of %(division)s") % {
            "count": level.division.promoted,
            "division": level.division,
        }
    if way == Way.RELEGATED:
        playoff = ending.playoffs.get(number)
        if playoff is not None and playoff.loser_id == each.entry.pk:
            return _("lost the play-off")
        return _("among the bottom %(count)d of %(division)s") % {
            "count": level.division.relegated,
            "division": level.division,
        }
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
