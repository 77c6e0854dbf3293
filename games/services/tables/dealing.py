"""The next deal of a table: its board where the match has one, else cards of its own, drawn by chance."""

import random
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from games.fixture_boards import boards_of
from games.live.cards import lock_away
from games.models import Board, Duplicate, Table, TableDeal, TableSeat
from games.services import board_cards
from games.services.tables import rows
from league.errors import Conflict
from league.models import Fixture
from league.services import fixtures

State = Table.State
# A walkover that was taken back, or a board shown early: the other tables have its cards on their pages.
ROUND_IS_TO_COME = gettext_lazy("The round of this match has not begun yet.")
CARDS_ARE_PUBLIC = gettext_lazy(
    "The cards of this match's boards are public already, so it cannot be played with them any more. "
    "Ask a director for a decision."
)
FIELDS = ("state", "deal_number")


def begin_if_ready(table: Table, *, at: datetime) -> bool:
    """Begins the next deal when all seats are held and every person is ready for it; in the caller's transaction."""
    if table.state not in {State.WAITING, State.BETWEEN}:
        return False
    taken = rows.seats_taken(table)
    number = table.deal_number + 1
    if len(taken) != len(game.get(table.game).seats) or not all(
        _is_ready(row, number) for row in taken.values()
    ):
        return False
    _begin(table, number, at)
    return True


def _is_ready(row: TableSeat, number: int) -> bool:
    return bool(row.robot) or row.ready_for >= number


def _begin(table: Table, number: int, at: datetime) -> None:
    offered = game.get(table.game)
    board = _board(table, number)
    first = next(seat for seat in offered.seats if seat.value == table.first_dealer)
    dealer = board.dealer if board else str(offered.dealer_after(first, number - 1).value)
    # The operating system's chance: nobody can know or repeat it.
    secret = "" if board else lock_away(offered, offered.random_deal(random.SystemRandom()))
    TableDeal.objects.create(
        table=table, number=number, dealer=dealer, board=board, secret=secret, started_at=at
    )
    table.deal_number, table.state = number, State.PLAYING
    if number == 1 and table.fixture_id is not None:
        fixtures.begin(actor=rows.TABLE, fixture=Fixture.objects.get(pk=table.fixture_id))


def _board(table: Table, number: int) -> Board | None:
    """The board that is played as this deal; None where the cards are the table's own."""
    if table.board_id is not None:
        return table.board if number == 1 else None
    if table.fixture_id is None:
        return None
    # Until the deal is written nobody puts another board in this one's place, or discards it.
    fixture = fixtures.locked(Fixture.objects.get(pk=table.fixture_id))
    play = next((each for each in boards_of(fixture) if each.position == number), None)
    if play is not None:
        if play.board.released_at is not None:
            raise Conflict(str(CARDS_ARE_PUBLIC), code="cards_public")
        if not board_cards.are_known(play.board.board_set):
            raise Conflict(_("The boards of this round are not ready yet: ask a director."), code="no_boards")
        return play.board
    if Duplicate.objects.filter(competition=fixture.round.competition).exists():
        raise Conflict(_("The boards of this round are not made yet: ask a director."), code="no_boards")
    return None
