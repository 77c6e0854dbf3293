"""The next deal of a table: its board where the match has one, else cards of its own, drawn by chance."""

import random
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from engine.game import Score
from games import board_cards
from games.fixture_boards import boards_of, has_played_boards, is_too_early, plays_public_boards
from games.models import Board, Duplicate, Table, TableDeal, TableSeat
from games.proof import participations
from games.tables.seating import table_begun
from games.tables.services import rows
from games.tables.state.cards import cards_of, encrypted
from games.tables.state.carried import dealer_of_deal, match_before, options_of_deal
from league.background import announce
from league.errors import Conflict
from league.fixtures.services import fixtures
from league.models import Fixture

State = Table.State
# A walkover that was taken back, or a board shown early: the other tables have its cards on their pages.
ROUND_IS_TO_COME = gettext_lazy("The round of this match hasn’t started yet.")
CARDS_ARE_PUBLIC = gettext_lazy(
    "The cards of this match’s boards are already public, so you can’t play it with them. Please ask "
    "a director to decide."
)
PLAYED_ALREADY = gettext_lazy(
    "The deals of this match have already been played, so we won’t deal them again. Please ask a "
    "director who isn’t playing in it to decide."
)
FIELDS = ("state", "deal_number", "finished_at")
RECORD = "games.tasks.record_table"


def why_not(fixture: Fixture, *, at: datetime) -> Conflict | None:
    """What keeps a match from being played at a table in the browser; None where nothing does."""
    if is_too_early(fixture, at):
        return Conflict(str(ROUND_IS_TO_COME), code="round_to_come")
    if plays_public_boards(fixture):
        return Conflict(str(CARDS_ARE_PUBLIC), code="cards_public")
    begun = table_begun(fixture)
    is_over = begun is not None and begun.finished_at is not None
    waits = begun is not None and begun.state == State.FINISHED and begun.sheet_id is None
    if has_played_boards(fixture) or (is_over and (waits or boards_of(fixture))):
        return Conflict(str(PLAYED_ALREADY), code="played_already")
    return None


def begin_if_ready(table: Table, *, at: datetime) -> bool:
    """Begins the next deal when all seats are held and every person is ready for it; in the caller's transaction."""
    if not is_ready(table):
        return False
    begin(table, at=at)
    return True


def begin_with(table: Table, deal: str, *, at: datetime) -> None:
    """Begins the only deal of a new table with these cards, in the caller's transaction."""
    secret = encrypted(game.get(table.game), deal, table.players)
    _write(table, 1, table.first_dealer, at, secret=secret)


def is_ready(table: Table) -> bool:
    """Whether nobody is waited for before the next deal. Robots alone begin none."""
    if table.state not in {State.WAITING, State.BETWEEN}:
        return False
    taken = rows.seats_taken(table)
    if all(row.robot for row in taken.values()):
        return False
    return len(taken) == len(table.places) and all(
        _is_ready(row, table.deal_number + 1) for row in taken.values()
    )


def _is_ready(row: TableSeat, number: int) -> bool:
    return bool(row.robot) or row.ready_for >= number


def begin(table: Table, *, at: datetime) -> None:
    """Begins the next deal, even if not everybody is ready for it; in the caller's transaction."""
    number = table.deal_number + 1
    offered = game.get(table.game)
    board = _board(table, number)
    dealer = board.dealer if board else dealer_of_deal(table, number)
    options = options_of_deal(table, number, is_board=board is not None)
    secret = ""
    if board is None:
        # The operating system's chance: nobody can know or repeat it.
        deal = offered.deal(random.SystemRandom(), dealer, options, table.players)
        secret = encrypted(offered, deal, table.players)
    _write(table, number, dealer, at, board=board, secret=secret)
    if board is not None and table.fixture_id is not None:
        taken = rows.seats_taken(table).values()
        participations.dealt(
            fixture=Fixture.with_rooms.get(pk=table.fixture_id),
            board=board,
            seated=[(row.player, row.user) for row in taken],
        )
    if number == 1 and table.fixture_id is not None:
        fixtures.begin(actor=rows.TABLE, fixture=Fixture.with_rooms.get(pk=table.fixture_id))


def _write(
    table: Table, number: int, dealer: str, at: datetime, *, board: Board | None = None, secret: str = ""
) -> None:
    row = TableDeal.objects.create(
        table=table, number=number, dealer=dealer, board=board, secret=secret, started_at=at
    )
    table.deal_number, table.state = number, State.PLAYING
    options = options_of_deal(table, number, is_board=board is not None)
    begun = game.get(table.game).start(cards_of(row), dealer, options, table.players)
    if begun.is_over:
        # In some games the cards decide before anybody acts.
        end(table, row.pk, begun.score(), at=at)


def end(table: Table, row: int, score: Score, *, at: datetime) -> None:
    """The deal that is played at the table gets its score, and the match perhaps its end; ``FIELDS`` have changed."""
    TableDeal.objects.filter(pk=row).update(finished_at=at, score=dict(score.as_json()))
    result = match_before(table, table.deal_number + 1)
    table.state = State.FINISHED if result.is_over else State.BETWEEN
    table.finished_at = at if result.is_over else None
    if result.is_over and table.fixture_id is not None:
        announce.after_commit(RECORD, table.pk)


def _board(table: Table, number: int) -> Board | None:
    """The board that is played as this deal; None where the cards are the table's own."""
    if table.board_id is not None:
        return table.board if number == 1 else None
    if table.fixture_id is None:
        return None
    # Until the deal is written nobody puts another board in this one's place, or discards it.
    fixture = fixtures.locked(Fixture.with_rooms.get(pk=table.fixture_id))
    if is_too_early(fixture, timezone.now()):
        raise Conflict(str(ROUND_IS_TO_COME), code="round_to_come")
    play = next((each for each in boards_of(fixture) if each.position == number), None)
    if play is not None:
        if play.board.released_at is not None:
            raise Conflict(str(CARDS_ARE_PUBLIC), code="cards_public")
        dealt = TableDeal.objects.filter(table__fixture=fixture, board=play.board)
        if dealt.exists() or has_played_boards(fixture):
            raise Conflict(str(PLAYED_ALREADY), code="played_already")
        if not board_cards.are_known(play.board.board_set):
            raise Conflict(
                _("The boards for this round aren’t ready yet. Please ask a director."), code="no_boards"
            )
        return play.board
    if Duplicate.objects.filter(competition=fixture.round.competition).exists():
        raise Conflict(
            _("The boards for this round haven’t been created yet. Please ask a director."), code="no_boards"
        )
    return None
