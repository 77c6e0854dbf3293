"""What the cards of a released board could have made: asked for with the release, worked out by a worker.

It is one of the analyses of played deals (games.analysis.services.analyses) without a hand played, so that their worker
and their sweep serve boards as well.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from engine import game
from games import front
from games.analysis.services.analyses import ask, digests_of_question
from games.models import Analysis, Board
from league.background import announce


def request(*, boards: Iterable[Board]) -> None:
    """Asks for the analysis of boards whose cards are public now. To ask twice is harmless.

    The boards' set and competition must have been read with them. A board that is still sealed is left alone.
    """
    questions: dict[str, list[dict[str, Any]]] = {}
    for board in boards:
        if question := asked(board):
            questions.setdefault(_game(board), []).append(question)
    with transaction.atomic():
        found = [each for key, of_game in questions.items() for each in ask(game.get(key), of_game).values()]
        if keys := sorted(each.pk for each in found if each.version == 0):
            announce.after_commit("games.tasks.analyse", *keys)


def asked(board: Board) -> dict[str, Any] | None:
    """The question; None while the board is sealed."""
    if not board.deal or game.get(_game(board)).analysis is None:
        return None
    return {"dealer": board.dealer, "deal": board.deal, "hands": []}


def _game(board: Board) -> str:
    return board.board_set.competition.game


def analysis_of(board: Board) -> Analysis | None:
    """The analysis of the board, ready or waiting; None where nobody asked, or the board is sealed."""
    question = asked(board)
    if question is None:
        return None
    digests = digests_of_question(game.get(_game(board)), question)
    return Analysis.objects.filter(digest__in=digests).first()


def best_of(board: Board) -> Any:
    """What the cards of a public board could have made, as its game shows it; None where there is nothing to come."""
    analysis = analysis_of(board)
    return front.of(analysis.game).best_in(analysis) if analysis else None
