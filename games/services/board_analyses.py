"""What the cards of a released board could have made: asked for with the release, worked out by a worker.

It is one of the analyses of played deals (games.services.analyses) without a hand played, so that their worker and
their sweep serve boards as well.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from engine import game
from games.models import Analysis, Board
from games.services.analyses import digest_of_question
from league.services import announce


def request(*, boards: Iterable[Board]) -> None:
    """Asks for the analysis of boards whose cards are public now. To ask twice is harmless.

    The boards' set and competition must have been read with them. A board that is still sealed is left alone.
    """
    questions = [question for board in boards if (question := asked(board))]
    with transaction.atomic():
        Analysis.objects.bulk_create(
            (
                Analysis(game=key, digest=digest, dealer=record["dealer"], record=record)
                for key, digest, record in questions
            ),
            ignore_conflicts=True,
        )
        digests = [digest for _key, digest, _record in questions]
        found = Analysis.objects.filter(digest__in=digests, version=0).order_by("pk")
        if keys := list(found.values_list("pk", flat=True)):
            announce.after_commit("games.tasks.analyse", *keys)


def asked(board: Board) -> tuple[str, str, dict[str, Any]] | None:
    """The game's key, the digest of the question, and the question; None while the board is sealed."""
    offered = game.get(board.board_set.competition.game)
    if not board.deal or not offered.analysis_version:
        return None
    question = {"dealer": board.dealer, "deal": board.deal, "hands": []}
    return offered.key, digest_of_question(offered, question), question


def analysis_of(board: Board) -> Analysis | None:
    """The analysis of the board, ready or waiting; None where nobody asked, or the board is sealed."""
    question = asked(board)
    return Analysis.objects.filter(digest=question[1]).first() if question else None
