"""The reserve boards on which the level matches of a knock-out play on (F45).

They are sealed with the round in which a tie is played to its end, behind those that replace a misdealt board, in two
sets that are the same for all its ties. Which boards they are follows from the set alone. A set of one board is not
among them: its points are public at once, and would tell how it went while others still have to play it (ADR 0401).
"""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from engine import game
from engine.contest import knockout
from games.models import Board, BoardSet
from league.extension import ExtraBoard
from league.models import Round
from league.standings import brackets
from league.standings.brackets import How


def wanted_for(played: Round | None) -> int:
    """How many reserve boards the ties of this round may need; none but in the last leg of a knock-out."""
    if played is None or not played.stage.is_bracket or played.number % played.stage.legs:
        return 0
    return knockout.EXTRA_SETS * brackets.extra_boards_in_a_set(played.stage.competition)


def for_misdeals(board_set: BoardSet) -> int:
    """The last place of those reserve boards that replace others. A set of an older release may keep none for ties."""
    wanted = wanted_for(board_set.round)
    return board_set.reserve - wanted if board_set.reserve >= wanted else board_set.reserve


def boards_of(board_set: BoardSet, played: int) -> tuple[Board, ...]:
    """Those of the next set, after so many are played; none where they are public, or there are none."""
    many = wanted_for(board_set.round) // knockout.EXTRA_SETS
    first = for_misdeals(board_set) + many * played + 1
    boards = Board.objects.filter(
        board_set=board_set,
        purpose=Board.Purpose.RESERVE,
        place__in=range(first, first + many),
        stands_for=None,
        released_at=None,
    )
    found = tuple(boards.order_by("place"))
    return found if many and len(found) == many else ()


def next_boards(levels: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], tuple[ExtraBoard, ...]]:
    """The boards that come next in these rounds, by key, after so many sets of extra boards."""
    sets = BoardSet.objects.filter(round__in={played for played, _sets in levels}, discarded_at=None)
    by_round = {each.round_id: each for each in sets.select_related("round__stage__competition")}
    return {
        (key, played): tuple(_told(each) for each in boards_of(by_round[key], played))
        for key, played in levels
        if key in by_round
    }


def _told(board: Board) -> ExtraBoard:
    offered = game.get(board.board_set.competition.game)
    return ExtraBoard(board.number, _(offered.title(board.dealer)))


def are_waited_for(board_set: BoardSet) -> bool:
    """Whether a tie of the round is level: it may still need boards of the reserve, so the key stays shut."""
    played = board_set.round
    if played is None or not wanted_for(played):
        return False
    return any(
        tie.how == How.LEVEL and tie.fixture is not None and tie.fixture.round_id == played.pk
        for division in played.stage.divisions.all()
        for ties in brackets.of_division(division).rounds
        for tie in ties
    )
