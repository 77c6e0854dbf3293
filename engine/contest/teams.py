"""A match of two teams of four: what each board and the match are worth (shared rules F60 to F67).

::

    {"boards": [{"open": [72, 12], "closed": [33, 26]}, {"average": [3, -3]}, {"open": [9, 89]}], "scale": 5}

A board has the points of North-South and East-West in the open room, where the home team sits North-South, and in the
closed room, where it sits East-West. A board that cannot be played has an average instead: IMPs for the home team and
for the other. A room that is missing has not played the board. `scale` is what a point counts on the IMP scale (10).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from engine.contest import exact
from engine.contest.comparison.imps import MOST_BOARDS, USUAL_SCALE, imps, victory_points
from engine.contest.faults import Faults
from engine.contest.json_fields import LARGEST, Fields
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

Two: TypeAlias = tuple[int, int]
TwoFractions: TypeAlias = tuple[Fraction, Fraction]

#: F66: what a board that cannot be played is worth to a team, by who is at fault.
AVERAGES = (3, 0, -3)
#: F67: the victory points of a walkover, for the winner and for the loser.
WALKOVER: TwoFractions = (Fraction(12), Fraction(0))

_LIST = gettext_noop("The boards must be a list of 1 to %(most)s.")
_TWO = gettext_noop(
    "“%(value)s” isn’t a result: write the points of North-South and of East-West, as [40, 52]."
)
_AVERAGE = gettext_noop("“%(value)s” isn’t an average: write 3, 0 or -3 for each of the two teams.")
_BOTH = gettext_noop("A board with an average has no other result.")
_SCALE = gettext_noop("“%(value)s” isn’t a scale. Write a number above 0.")
_UNKNOWN = gettext_noop("“%(value)s” isn’t part of a team match.")
_SHAPE = gettext_noop("A team match must be an object with its boards.")


@dataclass(frozen=True, slots=True)
class TeamBoard:
    """A board's points [North-South, East-West] in both rooms, or the average it is worth to [home, away] in IMPs."""

    open: Two | None = None
    closed: Two | None = None
    average: Two | None = None

    @property
    def net(self) -> int | None:
        """F62: the home team's points over both rooms; None until both have played the board."""
        if self.open is None or self.closed is None:
            return None
        return (self.open[0] - self.open[1]) - (self.closed[0] - self.closed[1])

    def imps(self, scale: Fraction = USUAL_SCALE) -> Two | None:
        """F63, F66: the IMPs of the home team and of the other; None for a board that is not finished."""
        if self.average is not None:
            return self.average
        net = self.net
        return None if net is None else (imps(net, scale), -imps(net, scale))


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """The boards that the match was to have, and what a point counts on the IMP scale."""

    boards: tuple[TeamBoard, ...]
    scale: Fraction = USUAL_SCALE

    @property
    def nets(self) -> tuple[int, ...]:
        """The net of each board that both rooms have played."""
        return tuple(board.net for board in self.boards if board.net is not None)

    @property
    def imps(self) -> Two:
        """The IMPs of the home team and of the other. With averages they need not be opposite."""
        won = [each for board in self.boards if (each := board.imps(self.scale)) is not None]
        return sum(home for home, _away in won), sum(away for _home, away in won)

    @property
    def point_a_board(self) -> TwoFractions:
        """F64: 1 for each board won, 1/2 for each drawn, among those played."""
        home = sum((Fraction((net > 0) * 2 + (net == 0), 2) for net in self.nets), Fraction(0))
        return home, len(self.nets) - home

    @property
    def is_void(self) -> bool:
        """F66: fewer than half of the boards were played, so that a director awards the match."""
        return 2 * len(self.nets) < len(self.boards)

    @property
    def victory_points(self) -> TwoFractions | None:
        """F65, F66: each team's, read from its own IMPs; None for a void match."""
        if self.is_void:
            return None
        home, away = (victory_points(own, len(self.boards))[0] for own in self.imps)
        return home, away

    def as_json(self) -> dict[str, object]:
        """Each board's figures and the match's; points are exact texts, victory points have two decimals."""
        boards = []
        for board in self.boards:
            each = board.imps(self.scale)
            boards.append({"net": board.net, "imps": None if each is None else list(each)})
        answer: dict[str, object] = {
            "boards": boards,
            "imps": list(self.imps),
            "net": sum(self.nets),
            "point_a_board": [str(points) for points in self.point_a_board],
        }
        won = self.victory_points
        if won is None:
            return answer | {"void": True}
        return answer | {"victory_points": [exact.rounded(points) for points in won]}


# Reading


def read_team_match(data: object) -> TeamMatch:
    """The match that the data describe (see above). Raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("team-match", _SHAPE, given=data)
    faults = Faults()
    for part in data:
        if part not in ("boards", "scale"):
            faults.add("unknown-field", _UNKNOWN, place=(str(part),), value=quoted(part))
    boards = data.get("boards")
    if not isinstance(boards, list) or not 1 <= len(boards) <= MOST_BOARDS:
        faults.add("boards", _LIST, given=boards, place=("boards",), most=MOST_BOARDS)
        boards = []
    scale = exact.parse(data.get("scale", int(USUAL_SCALE)))
    if scale is None or scale <= 0:
        faults.add("scale", _SCALE, given=data["scale"], place=("scale",), value=quoted(data["scale"]))
    read = tuple(_board(item, ("boards", number), faults) for number, item in enumerate(boards))
    faults.refuse()
    return TeamMatch(read, scale or USUAL_SCALE)


def _board(item: object, place: Place, faults: Faults) -> TeamBoard:
    fields = Fields(item, place, faults, frozenset(("open", "closed", "average")))
    average = _two(fields, "average", AVERAGES, _AVERAGE)
    rooms = {room: _two(fields, room, range(-LARGEST, LARGEST + 1), _TWO) for room in ("open", "closed")}
    if average is not None and any(rooms.values()):
        faults.add("average", _BOTH, place=(*place, "average"))
    return TeamBoard(**rooms, average=average)


def _two(fields: Fields, name: str, allowed: range | tuple[int, ...], template: str) -> Two | None:
    given = fields.raw(name)
    if given is None:
        return None
    if (
        isinstance(given, list)
        and len(given) == 2
        and all(isinstance(each, int) and not isinstance(each, bool) and each in allowed for each in given)
    ):
        return given[0], given[1]
    fields.note("result", template, name)
    return None
