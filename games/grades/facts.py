"""What of a competition is rated: confirmed matches on own deals, and the fields of boards that are public (F131)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Exists, Max, OuterRef

from engine.contest import exact
from engine.contest.grades import (
    NOISE_OF_TEAM_BOARD,
    PERCENT_AN_IMP,
    PERCENT_AN_IMP_IN_FIELD,
    Field,
    FieldPair,
    Grade,
    Match,
    Session,
)
from engine.contest.results import Key
from games.comparisons.reckoning import teams
from games.comparisons.reckoning.fields import WHOLE_EVENT
from games.models import (
    AdjustedScore,
    EventRanking,
    FixtureBoard,
    GradeBook,
    GradeStart,
    MatchSeat,
    PlayedDeal,
    RobotHand,
    Scoresheet,
)
from league import extension
from league.models import Competition, Entry, Fixture, PlayerMerge

PLAYERS_OF_A_TEAM = 4
#: Who sat for each entry, by match and entry.
Seats = Mapping[int, Mapping[int, frozenset[int]]]


@dataclass(frozen=True, slots=True)
class Rated:
    """A session as it is kept: see `GradeSession`."""

    day: date
    content: dict[str, Any]


def version_of(competition: Competition) -> str:
    """Stands for all that the rated sessions follow from: results, rankings, and who is who."""
    ranked = EventRanking.objects.filter(competition=competition).aggregate(newest=Max("results_version"))
    merges = PlayerMerge.objects.filter(kept__club=competition.club_id)
    undone = merges.exclude(undone_at=None).count()
    return f"{competition.results_version}.{ranked['newest'] or 0}.{merges.count()}.{undone}"


def of_competition(competition: Competition) -> dict[str, Rated]:
    """The rated sessions by their source, in a fixed number of queries."""
    port = extension.layer().games.get(competition.game)
    if competition.state == Competition.State.DRAFT or port is None or not port.is_for_two:
        return {}
    seats = _seats(competition)
    if competition.is_of_teams:  # F132: its boards count once, in the matches of the teams
        return dict(_team_matches(competition, seats))
    return {
        **dict(_matches(competition, seats, lower_is_better=port.lower_is_better)),
        **dict(_fields(competition, seats)),
    }


def starts_of(book: GradeBook) -> dict[Key, Grade]:
    """With which grades players begin whom a director has placed, by their keys (F130)."""
    rows = GradeStart.objects.filter(player__club=book.club_id, game=book.game).order_by("pk")
    return {row.player_id: stated_grade(row) for row in rows}


def starts_versions() -> dict[tuple[int, str], str]:
    """What names the grades to begin with, by club and game; none where nobody has one. One query."""
    rows = GradeStart.objects.order_by("pk").values_list(
        "player__club", "game", "player", "grade", "spread", "day"
    )
    said: dict[tuple[int, str], list[str]] = defaultdict(list)
    for club, game, *start in rows:
        said[club, game].append(" ".join(map(str, start)))
    return {book: sha256("\n".join(lines).encode()).hexdigest() for book, lines in said.items()}


def stated_grade(row: GradeStart) -> Grade:
    """The belief that a director stated."""
    return Grade(float(row.grade), float(row.spread) ** 2, row.day.toordinal())


def session_of(number: int, day: date, content: Mapping[str, Any]) -> Session:
    """A kept session as the engine rates it."""
    if "pairs" in content:
        pairs = tuple(
            FieldPair(tuple(players), boards, float(exact.restore(percent)), is_unrated)
            for players, boards, percent, is_unrated in content["pairs"]
        )
        return Session(number, day.toordinal(), Field(pairs))
    home, away = (tuple(players) for players in content["sides"])
    boards = content["boards"]
    if "imps" in content:
        made = PERCENT_AN_IMP * content["imps"] / boards
        return Session(number, day.toordinal(), Match((home, away), boards, made, NOISE_OF_TEAM_BOARD))
    return Session(number, day.toordinal(), Match((home, away), boards, content["margin"] / boards))


def _seats(competition: Competition) -> dict[int, dict[int, frozenset[int]]]:
    """Who sat for each entry, by match and entry, where nobody was a robot, or played without standing (F131)."""
    rows = MatchSeat.objects.filter(
        match__fixture__round__stage__competition=competition, entry__is_house=False
    )
    # Where partners change the house is a player, and so is nobody rated who played with it.
    house = Entry.objects.filter(competition=competition, is_house=True).values("lineup__members__player")
    rows = rows.exclude(player__in=house)
    robots = RobotHand.objects.filter(
        deal__sheet__match=OuterRef("match"),
        deal__sheet__verdict=Scoresheet.Verdict.CONFIRMED,
    )
    found: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for match, entry, player in rows.filter(~Exists(robots)).values_list("match_id", "entry_id", "player_id"):
        found[match][entry].add(player)
    return {
        match: {entry: frozenset(players) for entry, players in entries.items()}
        for match, entries in found.items()
    }


def _matches(competition: Competition, seats: Seats, *, lower_is_better: bool) -> Iterator[tuple[str, Rated]]:
    """Confirmed matches whose boards nobody else plays (F132, F134)."""
    zone = ZoneInfo(competition.club.time_zone)
    size = extension.game(competition.game).lineup_size
    shared = FixtureBoard.objects.filter(fixture=OuterRef("pk"))
    found = (
        Fixture.objects.of_competition(competition.pk)
        .filter(~Exists(shared), status=Fixture.Status.CONFIRMED)
        .prefetch_related("appearances")
    )
    deals = _deals(competition)
    for fixture in found:
        sides = sorted(fixture.appearances.all(), key=lambda side: side.order)
        sat = [seats.get(fixture.pk, {}).get(side.entry_id, frozenset()) for side in sides]
        boards = deals.get(fixture.pk, 0)
        if len(sides) != 2 or not boards or any(len(players) != size for players in sat):
            continue
        margin = (sides[0].score or 0) - (sides[1].score or 0)
        day = _day(fixture, zone)
        if day is not None:
            content = {
                "sides": [sorted(players) for players in sat],
                "boards": boards,
                "margin": -margin if lower_is_better else margin,
            }
            yield f"match:{fixture.pk}", Rated(day, content)


def _day(fixture: Fixture, zone: ZoneInfo) -> date | None:
    """The day of play: when it was to begin, or was decided before that."""
    times = [each for each in (fixture.starts_at, fixture.decided_at) if each is not None]
    return min(times).astimezone(zone).date() if times else None


def _team_matches(competition: Competition, seats: Seats) -> Iterator[tuple[str, Rated]]:
    """Confirmed matches of two teams, by their IMPs on the boards that were played in both rooms (F135)."""
    zone, scale = ZoneInfo(competition.club.time_zone), Fraction(competition.imp_scale)
    found = Fixture.objects.of_competition(competition.pk).filter(status=Fixture.Status.CONFIRMED)
    matches = {fixture.pk: fixture for fixture in found.prefetch_related("appearances")}
    boards = teams.boards_of_all(matches.keys())
    sat: dict[tuple[int | None, int | None], set[int]] = defaultdict(set)
    rooms = Fixture.with_rooms.filter(team_match__in=matches)
    of_room = rooms.values_list("pk", "team_match_id", "appearances__entry_id", "appearances__entry__team_id")
    for room, match, pair, team in of_room:
        sat[match, team] |= seats.get(room, {}).get(pair, frozenset())
    for key, fixture in matches.items():
        made = [
            each.made.imps(scale)
            for each in boards.get(key, ())
            if each.made.average is None and not each.is_adjusted
        ]
        imps = [each[0] for each in made if each is not None]
        sides = [sorted(sat[key, side.entry_id]) for side in fixture.sides]
        day = _day(fixture, zone)
        if day is None or not imps or any(len(players) != PLAYERS_OF_A_TEAM for players in sides):
            continue
        yield f"match:{key}", Rated(day, {"sides": sides, "boards": len(imps), "imps": sum(imps)})


def _deals(competition: Competition) -> dict[int, int]:
    """How many deals the sheet that counts has, by match."""
    confirmed = PlayedDeal.objects.filter(
        sheet__match__fixture__round__stage__competition=competition,
        sheet__verdict=Scoresheet.Verdict.CONFIRMED,
    )
    counted: dict[int, int] = defaultdict(int)
    for match in confirmed.values_list("sheet__match_id", flat=True):
        counted[match] += 1
    return counted


def _fields(competition: Competition, seats: Seats) -> Iterator[tuple[str, Rated]]:
    """The fields of an evening, or of each round of a league, as far as their boards are public (F133)."""
    is_league = competition.stage.is_league
    rows = EventRanking.objects.filter(competition=competition).exclude(field__contains=":")
    rows = rows.exclude(round_number=WHOLE_EVENT) if is_league else rows.filter(round_number=WHOLE_EVENT)
    if not rows:
        return
    days = dict(competition.stage.rounds.values_list("number", "starts_on"))
    sat, size = _by_round(competition, seats), extension.game(competition.game).lineup_size
    adjusted = _adjusted(competition)
    for row in rows.order_by("round_number", "field"):
        numbers = {row.round_number} if is_league else set(days)
        pairs = []
        for line in row.content["rows"]:
            who = {players for number in numbers for players in sat.get((number, line["entry"]), ())}
            percent = _percent(line)
            if len(who) != 1 or percent is None or line["boards"] < 1:
                continue
            players = next(iter(who))
            is_unrated = len(players) != size or bool(adjusted & {(n, line["entry"]) for n in numbers})
            if players:
                pairs.append([sorted(players), line["boards"], percent, is_unrated])
        day = days.get(row.round_number, competition.starts_on) if is_league else competition.starts_on
        if pairs:
            yield f"field:{row.field}:{row.round_number}", Rated(day, {"pairs": sorted(pairs)})


def _percent(line: Mapping[str, Any]) -> str | None:
    """What a pair made, as an exact text; with IMPs 50 and five for each IMP a board."""
    if line["vp"] is None:
        return None if line["percent"] is None else str(line["percent"])
    made = 50 + PERCENT_AN_IMP_IN_FIELD * exact.restore(line["mean"])
    return str(exact.write(made))


def _by_round(competition: Competition, seats: Seats) -> dict[tuple[int, int], set[frozenset[int]]]:
    """Who sat for an entry, by round and entry; of a match with a robot nobody did."""
    found: dict[tuple[int, int], set[frozenset[int]]] = defaultdict(set)
    played = Fixture.objects.of_competition(competition.pk).filter(status=Fixture.Status.CONFIRMED)
    for key, number, entry in played.values_list("pk", "round__number", "appearances__entry_id"):
        found[number, entry].add(seats.get(key, {}).get(entry, frozenset()))
    return found


def _adjusted(competition: Competition) -> set[tuple[int, int]]:
    """The rounds and entries with a score that a director has given for a board: those are not rated."""
    standing = AdjustedScore.objects.filter(
        revoked_at=None, play__fixture__round__stage__competition=competition
    ).values_list("play__fixture__round__number", "play__fixture__appearances__entry_id")
    return set(standing)


def players_named(content: Mapping[str, Any]) -> set[int]:
    """The players of a kept session."""
    sides = [pair[0] for pair in content["pairs"]] if "pairs" in content else content["sides"]
    return {player for side in sides for player in side}
