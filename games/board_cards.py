"""The cards of a board set, derived in memory when they are needed: the only place that does it."""

from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from engine.boards.sealing import Purpose, commitment, sealed_deals
from engine.deals import Deal
from engine.errors import RuleError
from games import sealed_texts
from games.models import Board, BoardSet
from league.errors import Conflict
from league.storage import board_keys

Cards: TypeAlias = dict[int, Deal]


@dataclass(frozen=True, slots=True, repr=False)
class Opened:
    """What was sealed, in plain text: never shown, logged or stored before the release. Its repr says nothing."""

    secret: str
    cards: Cards


def cards_of(board_set: BoardSet) -> Cards:
    """The deal of every board of the set, reserve boards too, by the board's key. Held in memory only.

    Raises Conflict while the delayed value is not known, and board_keys.Unreadable without the site's key.
    """
    return opened(board_set).cards


def opened(board_set: BoardSet) -> Opened:
    """The secret of the set and the deals that follow from it; raises as `cards_of` does."""
    secret = board_set.opened or board_keys.decrypt(board_set.secret)
    boards = list(Board.objects.filter(board_set=board_set))
    return Opened(secret, _cards(board_set, boards, secret))


def are_known(board_set: BoardSet) -> bool:
    """Whether all that the cards depend on is known to the site: the delayed value is filled in."""
    return board_set.origin == BoardSet.Origin.IMPORTED or bool(board_set.delayed.get("value"))


def _cards(board_set: BoardSet, boards: list[Board], secret: str) -> Cards:
    if not are_known(board_set):
        raise Conflict(_("These boards have no cards yet, because the delayed value isn’t filled in."))
    try:
        deals = (
            _imported(secret) if board_set.origin == BoardSet.Origin.IMPORTED else _dealt(board_set, secret)
        )
        return {board.pk: deals[board.purpose, board.place] for board in boards}
    except (RuleError, KeyError):
        # Its words might say what was in the secret.
        raise board_keys.Unreadable(_("We can’t read the cards of these boards.")) from None


def _dealt(board_set: BoardSet, key: str) -> dict[tuple[str, int], Deal]:
    if commitment(key) != board_set.commitment:
        raise KeyError
    value = board_set.delayed["value"]
    wanted = ((Purpose.ORIGINAL, board_set.count), (Purpose.RESERVE, board_set.reserve))
    return {
        (purpose.value, place): deal
        for purpose, many in wanted
        for place, deal in enumerate(sealed_deals(key, value, many, purpose), start=1)
    }


def _imported(text: str) -> dict[tuple[str, int], Deal]:
    boards = sealed_texts.read(text)
    return {(Purpose.ORIGINAL.value, place): board.deal for place, board in enumerate(boards, start=1)}
