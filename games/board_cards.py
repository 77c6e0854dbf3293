"""The cards of a board set, derived in memory when they are needed: the only place that does it."""

from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import Purpose, commitment, sealed_numbers
from engine.errors import RuleError
from engine.game import Boards
from engine.text import gettext_noop
from games import sealed_texts
from games.models import Board, BoardSet
from league.errors import Conflict
from league.storage import board_keys

Cards: TypeAlias = dict[int, str]


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


def numbering_of(game_key: str) -> Boards:
    """How the game's deals are numbered. Raises RuleError for a game whose deals cannot be repeated."""
    found = game.get(game_key).boards
    if found is None:
        template = gettext_noop("Deals of this game can’t be played at several tables.")
        raise RuleError("no-boards", template, given=game_key)
    return found


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


def _dealt(board_set: BoardSet, key: str) -> dict[tuple[str, int], str]:
    if commitment(key) != board_set.commitment:
        raise KeyError
    value = board_set.delayed["value"]
    return derived(board_set, key, value)


def derived(board_set: BoardSet, key: str, value: str) -> dict[tuple[str, int], str]:
    """The deals of a set of that many boards from this key and value, by purpose and place. Raises RuleError."""
    numbered = numbering_of(board_set.competition.game)
    wanted = ((Purpose.ORIGINAL, board_set.count), (Purpose.RESERVE, board_set.reserve))
    rows = Board.objects.filter(board_set=board_set).values_list("purpose", "place", "dealer")
    dealers = {(purpose, place): dealer for purpose, place, dealer in rows}
    return {
        (purpose.value, place): numbered.deal_of_number(number, dealers.get((purpose.value, place)))
        for purpose, many in wanted
        for place, number in enumerate(
            islice(sealed_numbers(key, value, purpose, numbered.deals), many), start=1
        )
    }


def _imported(text: str) -> dict[tuple[str, int], str]:
    boards = sealed_texts.read(text)
    return {(Purpose.ORIGINAL.value, place): str(board.deal) for place, board in enumerate(boards, start=1)}
