"""The page of a match of two teams: line-ups, both rooms, and board by board what may be told (F60 to F66)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.teams import Two
from games import embargo
from games.comparisons.reckoning import teams
from games.comparisons.reckoning.teams import BoardOfTeams
from games.embargo import Sight
from games.models import Board, BoardAverage, FixtureBoard
from league import policies
from league.actors import Visitor
from league.fixtures.services.fixtures import TeamResult
from league.models import Appearance, Competition, Entry, Fixture
from league.teams import queries as line_ups
from league.teams.queries import LineUps

Room, Outcome, Method = Fixture.Room, Appearance.Outcome, Competition.TeamMethod


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A room: its two pairs with their teams, and whether this visitor can open its page."""

    fixture: Fixture
    sides: tuple[tuple[Entry, Entry], ...]
    """(team, pair), North-South first."""
    may_open: bool

    @property
    def name(self) -> str:
        return str(self.fixture.get_room_display())


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board: the points [N-S, E-W] of each room as far as they may be told, net and IMPs once it is public."""

    board: Board
    open: Two | None
    closed: Two | None
    net: int | None
    imps: Two | None
    is_public: bool
    is_mixed: bool
    average: BoardAverage | None

    @property
    def said(self) -> str:
        """What has to be said of it besides."""
        if self.average is not None:
            return _("can’t be played")
        if self.is_mixed:
            return _("different cards in the two rooms")
        return "" if self.is_public else _("still sealed")

    @property
    def why(self) -> str:
        """How the net came about, with its figures (F62)."""
        if self.open is None or self.closed is None or self.net is None:
            return ""
        return _("(%(a)d − %(b)d) − (%(c)d − %(d)d) = %(net)d") % {
            "a": self.open[0],
            "b": self.open[1],
            "c": self.closed[0],
            "d": self.closed[1],
            "net": self.net,
        }


@dataclass(frozen=True, slots=True)
class Sums:
    """What the match comes to, for people: points as they count, IMPs and net, and how they follow."""

    points: tuple[str, str]
    imps: Two
    net: int
    why: str

    @property
    def points_text(self) -> str:
        """The points as people of the reader's language write them: 12.34 – 7.66."""
        return " – ".join(str(number_format(each)) for each in self.points)


@dataclass(frozen=True, slots=True)
class SoFar:
    """By how many IMPs the home team is ahead after some of the boards; by how much net where IMPs don't count."""

    ahead: int
    boards: int


@dataclass(frozen=True, slots=True)
class TeamMatchPage:
    """Everything that the page of a team match shows."""

    fixture: Fixture
    line_ups: LineUps
    rooms: tuple[RoomLine, ...]
    boards: tuple[BoardLine, ...]
    sums: Sums | None
    walkover: str
    is_void: bool
    """Whether fewer than half of the boards were played, so that a director awards the match (F66)."""
    may_rule: bool
    may_average: bool

    @property
    def so_far(self) -> SoFar | None:
        """What the boards that are public come to, as long as others are not; None before the first."""
        told = [line for line in self.boards if line.net is not None]
        if self.sums is not None or not told:
            return None
        imps, net = (line.imps[0] for line in told if line.imps), (line.net for line in told if line.net)
        is_imps = self.fixture.round.competition.team_method == Method.IMPS
        return SoFar(sum(imps if is_imps else net), len(told))


def team_match(*, fixture: Fixture, visitor: Visitor) -> TeamMatchPage:
    """The page for this visitor."""
    rooms = tuple(_rooms(fixture, visitor))
    boards = teams.boards_of(fixture) if rooms else ()
    tells = embargo.tells_team_score(fixture)
    made = teams.match_of(fixture, boards)
    result = teams.result_of(fixture) if tells else None
    are_confirmed = bool(rooms) and all(each.fixture.status == Fixture.Status.CONFIRMED for each in rooms)
    return TeamMatchPage(
        fixture=fixture,
        line_ups=line_ups.of_match(fixture, visitor),
        rooms=rooms,
        boards=tuple(_boards(fixture, boards, visitor)),
        sums=_sums(fixture, result, len(boards)) if result is not None else None,
        walkover=_walkover(fixture),
        is_void=tells and are_confirmed and made.is_void,
        may_rule=policies.may(visitor, "fixture.rule", fixture),
        may_average=bool(boards) and policies.may(visitor, "team.average", fixture),
    )


def _rooms(fixture: Fixture, visitor: Visitor) -> Iterator[RoomLine]:
    named = {entry.pk: entry for entry in fixture.entries}
    for room in fixture.rooms.with_pairs().prefetch_related("substitutions__substitute"):
        yield RoomLine(
            room,
            tuple((named.get(pair.team_id, pair), pair) for pair in room.entries),
            may_open=policies.may(visitor, "fixture.see", room),
        )


def _boards(fixture: Fixture, boards: tuple[BoardOfTeams, ...], visitor: Visitor) -> Iterator[BoardLine]:
    """What may be told of each: a room’s points by the sight of its play; net and IMPs once the board is public."""
    plays = FixtureBoard.objects.filter(pk__in=[pk for each in boards for pk in each.plays.values()])
    sights = embargo.sight(visitor=visitor, plays=plays)
    averages = {row.board_id: row for row in BoardAverage.objects.filter(fixture=fixture, revoked_at=None)}
    scale = Fraction(fixture.round.competition.imp_scale)
    for each in boards:
        is_public = all(sights[pk] >= Sight.FIELD for pk in each.plays.values())
        points = {room: each.points.get(room) for room, pk in each.plays.items() if sights[pk] >= Sight.SHEET}
        yield BoardLine(
            board=each.board,
            open=points.get(Room.OPEN),
            closed=points.get(Room.CLOSED),
            net=each.made.net if is_public else None,
            imps=each.made.imps(scale) if is_public else None,
            is_public=is_public,
            is_mixed=each.is_mixed and is_public,
            average=averages.get(each.board.pk),
        )


def _sums(fixture: Fixture, result: TeamResult, boards: int) -> Sums:
    competition = fixture.round.competition
    words = {
        "home": str(fixture.home),
        "away": str(fixture.away),
        "boards": boards,
        "margin": abs(result.imps[0]),
    }
    why = {
        Method.IMPS: _("Victory points for a margin of %(margin)d IMPs over %(boards)d boards."),
        Method.POINT_A_BOARD: _("1 for each board won, ½ for each drawn, of %(boards)d boards."),
        Method.TOTAL: _("The nets of all boards added up."),
    }[Method(competition.team_method)]
    if competition.team_method == Method.IMPS and result.imps[0] != -result.imps[1]:
        why = _("Victory points of each team for its own IMPs, because a board could not be played.")
    home, away = (exact.rounded(points) for points in result.points)
    if competition.team_method != Method.IMPS:
        home, away = (exact.shown(points) for points in result.points)
    return Sums((home, away), result.imps, result.net, why % words)


def _walkover(fixture: Fixture) -> str:
    result = fixture.result
    return str(result.kind.label) if result is not None and fixture.status == Fixture.Status.WALKOVER else ""


def as_data(page: TeamMatchPage) -> Mapping[str, object]:
    """The same for programs."""
    return {
        "line_ups": page.line_ups.teams,
        "rooms": page.rooms,
        "boards": page.boards,
        "result": page.sums,
        "is_void": page.is_void,
    }
