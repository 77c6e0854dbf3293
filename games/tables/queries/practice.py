"""What a practised board would have been worth in its event: told to who practised, and counted nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from engine import game
from engine.contest.comparison.comparison import (
    Figure,
    Method,
    Result,
    Rules,
    compare,
)
from engine.game import Game
from games.comparisons.reckoning import plays
from games.comparisons.reckoning.columns import (
    AWAY,
    HOME,
    Points,
    score_of,
)
from games.comparisons.reckoning.plays import Play
from games.comparisons.reckoning.shown_figures import decimal_text
from games.embargo import Sight, board_sight
from games.models import Board, Duplicate, Table, TableDeal
from games.options import usual_robot
from games.tables.services.seats import pairs_with_cards
from league.actors import Visitor
from league.models import Fixture, Lineup, User

OWN = "practice"


@dataclass(frozen=True, slots=True)
class PractisedBoard:
    """A practised board beside what the tables of the event made of it.

    `worth` is the percentage or the IMPs that the result would have got as one more table; `above`, `level` and
    `below` are how many tables made less, the same and more for the same side.
    """

    points: int
    other: int
    worth: str
    tables: int
    above: int
    level: int
    below: int
    url: str
    board: int


@dataclass(frozen=True, slots=True)
class PracticeOffer:
    """What can be chosen where somebody practises a game: the seats by name, where their number is fixed.

    `robot` is the one that plays if nobody chooses.
    """

    robot: str
    seats: tuple[tuple[str, str], ...]
    has_partners: bool
    pairs: Sequence[Lineup] = ()
    """The visitor's own that have a convention card for the partner to play."""


def practice_offer(offered: Game, visitor: Visitor) -> PracticeOffer:
    """What this visitor can choose in this game."""
    is_fixed = len(offered.players) == 1
    has_cards = offered.signals is not None and offered.signals.has_cards
    return PracticeOffer(
        usual_robot(offered),
        tuple((seat, _(str(offered.title(seat)))) for seat in offered.seats()) if is_fixed else (),
        is_fixed and any(len(seats) > 1 for seats in offered.sides().values()),
        pairs_with_cards([visitor.pk], offered.key) if has_cards and isinstance(visitor, User) else (),
    )


def practised_board(*, table: Table, number: int, visitor: Visitor) -> PractisedBoard | None:
    """The comparison of a finished practice deal; None where there is no field, or it is not this visitor's to see."""
    if table.kind != Table.Kind.PRACTICE or table.board_id is None:
        return None
    deal = TableDeal.objects.filter(table=table, number=number, finished_at__isnull=False).first()
    board = (
        Board.objects.select_related("board_set__competition__duplicate").filter(pk=table.board_id).first()
    )
    if deal is None or deal.score is None or board is None:
        return None
    duplicate = Duplicate.objects.filter(pk=board.board_set.competition_id).first()
    if duplicate is None or board_sight(visitor=visitor, board=board) < Sight.FIELD:
        return None
    side = _side_of(table)
    own = _points(deal.score["total"], side)
    field = _field(board)
    if not field:
        return None
    return _compared(own, [_of_table(each, side) for each in field], duplicate, board)


def _side_of(table: Table) -> str:
    """The side that the person sat on."""
    seat = table.seats.filter(user__isnull=False).order_by("pk").values_list("seat", flat=True).first()
    return game.get(table.game).side_of(seat) if seat else plays.sides_of(table.game)[0]


def _field(board: Board) -> list[Play]:
    """The tables whose result counts and that played the board as it was dealt."""
    found = plays.read(plays.of_board(board.pk), AnonymousUser(), board.board_set.competition)
    return [
        each for each in found if each.made and not each.version and each.status == Fixture.Status.CONFIRMED
    ]


def _of_table(play: Play, side: str) -> Points:
    pair = play.first if side == play.sides[0] else play.second
    other = AWAY if pair == HOME else HOME
    return Points(Fraction(play.points(pair) or 0), Fraction(play.points(other) or 0))


def _points(total: dict[str, int], side: str) -> Points:
    other = next(each for each in total if each != side)
    return Points(Fraction(total[side]), Fraction(total[other]))


def _compared(own: Points, field: list[Points], duplicate: Duplicate, board: Board) -> PractisedBoard:
    results = [
        Result(str(place), score_of([each], HOME, duplicate.measure)) for place, each in enumerate(field)
    ]
    mine = Result(OWN, score_of([own], HOME, duplicate.measure))
    (*_others, figure) = compare([*results, mine], Rules(Method(duplicate.method)))
    measured = [_measured(each, duplicate) for each in field]
    reached = _measured(own, duplicate)
    return PractisedBoard(
        points=int(own.home),
        other=int(own.away),
        worth=_worth(figure),
        tables=len(field),
        above=sum(each < reached for each in measured),
        level=sum(each == reached for each in measured),
        below=sum(each > reached for each in measured),
        url=board.get_absolute_url(),
        board=board.number,
    )


def _measured(points: Points, duplicate: Duplicate) -> Fraction:
    return points.home if duplicate.measure == Duplicate.Measure.OWN else points.home - points.away


def _worth(figure: Figure) -> str:
    if figure.percent is not None:
        return _("%(percent)s %%") % {"percent": decimal_text(figure.percent, 1)}
    return _("%(imps)s IMPs") % {"imps": decimal_text(figure.value, 1, signed=True)}
