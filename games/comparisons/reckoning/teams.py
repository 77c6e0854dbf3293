"""A match of two teams over both rooms: each board's points, net and IMPs, and what the match comes to (F62 to F66)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.contest.teams import TeamBoard, TeamMatch, Two
from games.comparisons.reckoning import columns
from games.comparisons.reckoning.columns import Play
from games.models import Board, BoardAverage, FixtureBoard
from league.fixtures.services.fixtures import TeamResult
from league.models import Competition, Fixture

Room = Fixture.Room
Method = Competition.TeamMethod


@dataclass(frozen=True, slots=True)
class BoardOfTeams:
    """A board of the match; by room `plays` names its play of it, and `points` are those of [N-S, E-W]."""

    board: Board
    plays: Mapping[str, int]
    points: Mapping[str, Two]
    made: TeamBoard
    is_mixed: bool = False
    """Whether the rooms had different cards in it, so that its net says nothing."""
    is_adjusted: bool = False
    """Whether a director gave the score of a room, or of both."""


def boards_of(match: Fixture) -> tuple[BoardOfTeams, ...]:
    """Every board that the match was to have, in order; who may see what of it is games.embargo's."""
    return boards_of_all([match.pk]).get(match.pk, ())


def boards_of_all(matches: Collection[int]) -> dict[int, tuple[BoardOfTeams, ...]]:
    """The same of many matches, by their keys. Four queries."""
    rooms = {
        key: (match, room)
        for key, match, room in Fixture.with_rooms.filter(team_match__in=matches).values_list(
            "pk", "team_match_id", "room"
        )
    }
    rows = (
        FixtureBoard.objects.filter(fixture__in=rooms).select_related("board").order_by("position", "fixture")
    )
    found: dict[int, dict[int, dict[str, FixtureBoard]]] = {}
    for row in rows:
        match, room = rooms[row.fixture_id]
        found.setdefault(match, {}).setdefault(row.board_id, {})[room] = row
    made = _made([plays for boards in found.values() for plays in boards.values()])
    averages = {
        (row.fixture_id, row.board_id): (row.home, row.away)
        for row in BoardAverage.objects.filter(fixture__in=matches, revoked_at=None)
    }
    return {
        match: tuple(_board(plays, made, averages.get((match, board))) for board, plays in boards.items())
        for match, boards in found.items()
    }


def _made(boards: Iterable[Mapping[str, FixtureBoard]]) -> dict[int, Play]:
    """Each play with its points, the sheet's or a director's: the first side of a room sits North-South."""
    rows = [row for plays in boards for row in plays.values()]
    wanted = {row.pk for row in rows}
    found = columns.plays_of({row.board_id for row in rows})
    return {play.pk: play for plays in found.values() for play in plays if play.pk in wanted and play.points}


def _board(
    plays: Mapping[str, FixtureBoard], points: Mapping[int, Play], average: Two | None
) -> BoardOfTeams:
    played = {room: points[row.pk] for room, row in plays.items() if row.pk in points}
    made = {room: (int(play.points[0].home), int(play.points[0].away)) for room, play in played.items()}
    is_mixed = len({row.version for row in plays.values()}) > 1
    if average is not None:
        board = TeamBoard(average=average)
    elif is_mixed:
        board = TeamBoard()
    else:
        board = TeamBoard(open=made.get(Room.OPEN), closed=made.get(Room.CLOSED))
    first = next(iter(plays.values()))
    return BoardOfTeams(
        first.board,
        {room: row.pk for room, row in plays.items()},
        made,
        board,
        is_mixed,
        is_adjusted=any(play.award is not None for play in played.values()),
    )


def match_of(match: Fixture, boards: tuple[BoardOfTeams, ...]) -> TeamMatch:
    """The match as the engine reckons it."""
    scale = Fraction(match.round.competition.imp_scale)
    return TeamMatch(tuple(each.made for each in boards), scale)


def result_of(match: Fixture) -> TeamResult | None:
    """What it comes to by the competition's method; None while a room is not confirmed, or fewer than half were played.

    Nothing is asked about who may know it.
    """
    rooms = list(match.rooms)
    if len(rooms) < 2 or any(room.status != Fixture.Status.CONFIRMED for room in rooms):
        return None
    return reckoned(match, match_of(match, boards_of(match)))


def reckoned(match: Fixture, made: TeamMatch) -> TeamResult | None:
    """The same of a match that is reckoned already."""
    won = made.victory_points
    if not made.boards or won is None:
        return None
    net = sum(made.nets)
    match match.round.competition.team_method:
        case Method.POINT_A_BOARD:
            points = made.point_a_board
            scores = (int(2 * points[0]), int(2 * points[1]))
        case Method.TOTAL:
            points, scores = (Fraction(net), Fraction(-net)), _totals(made)
        case _:
            points, scores = won, _imps_won(made)
    return TeamResult(scores, points, made.imps, net)


def _imps_won(made: TeamMatch) -> Two:
    """The IMPs that each team has won, without those that it lost: "34 : 21"."""
    boards = [each for board in made.boards if (each := board.imps(made.scale)) is not None]
    return sum(max(home, 0) for home, _away in boards), sum(max(away, 0) for _home, away in boards)


def _totals(made: TeamMatch) -> Two:
    """Each team's points over both rooms, of the boards that both have played."""
    home = away = 0
    for board in made.boards:
        if board.open is not None and board.closed is not None:
            home += board.open[0] + board.closed[1]
            away += board.open[1] + board.closed[0]
    return home, away
