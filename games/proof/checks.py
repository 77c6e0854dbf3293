"""Whether a confirmed sheet can have been played with the cards of its boards.

Never asked before the confirmation: people who could try sheets against a sealed board would learn its cards.
"""

from collections.abc import Iterable, Mapping

import structlog
from django.db.models import QuerySet

from engine import game
from engine.game import Game
from games import board_cards
from games.fixture_boards import boards_of
from games.models import BoardSet, FixtureBoard, Scoresheet
from games.records.parsing import Reading
from league.errors import Conflict
from league.models import Fixture

Settled = FixtureBoard.Settled
log = structlog.get_logger(__name__)


def check(*, fixture: Fixture, reading: Reading, settled: str) -> None:
    """Notes for each board of the match whether the sheet that now counts fits its cards, in the caller's transaction.

    Nothing is noted where the cards are not known to the site yet, or where the table played another version. `settled`
    says by whose word the sheet counts. It is proof that the board was played where the table itself or a neutral
    official says so, or where all sides do and the sheet holds every card of the deal.
    """
    plays = boards_of(fixture)
    if not plays:
        return
    cards = cards_of(plays)
    offered = game.get(fixture.round.competition.game)
    for play in plays:
        play.fits, play.is_proven = None, settled in {Settled.TABLE, Settled.NEUTRAL}
        deal = cards.get(play.board_id)
        if deal is not None and not play.version and play.position <= len(reading.records):
            play.fits = _fits(offered, reading, play.position - 1, deal)
            if settled == Settled.SIDES:
                play.is_proven = play.fits and _holds_all_cards(offered, reading, play.position - 1, deal)
    FixtureBoard.objects.bulk_update(plays, ["fits", "is_proven"])


def check_public(*, fixture: Fixture, reading: Reading) -> None:
    """The same of boards that are public, whose cards stand in their rows: for matches that were played elsewhere."""
    plays = boards_of(fixture)
    offered = game.get(fixture.round.competition.game)
    for play in plays:
        is_held = play.board.deal and not play.version and play.position <= len(reading.records)
        play.fits = _fits(offered, reading, play.position - 1, play.board.deal) if is_held else None
    FixtureBoard.objects.bulk_update(plays, ["fits"])


def cards_of(plays: Iterable[FixtureBoard]) -> Mapping[int, str]:
    """The cards of the boards, by the board's key, in memory; those that cannot be known yet are left out."""
    found: dict[int, str] = {}
    for board_set in BoardSet.objects.filter(pk__in={play.board.board_set_id for play in plays}):
        try:
            found |= board_cards.cards_of(board_set)
        except Conflict as reason:
            log.warning("boards_not_checked", board_set=board_set.pk, code=reason.code)
    return found


def _fits(offered: Game, reading: Reading, at: int, deal: str) -> bool:
    if offered.records is None:
        return offered.fits_deal(reading.records[at], deal, reading.dealers[at])
    record = offered.records.read_record(reading.records[at], reading.dealers[at])
    checked = offered.records.check(record, deal)
    return not any(problem.refuses and not problem.is_missing for problem in checked.problems)


def _holds_all_cards(offered: Game, reading: Reading, at: int, deal: str) -> bool:
    """Whether the sheet, without the seal, tells the very cards of the board, to the last."""
    if offered.records is None:
        return False
    record = offered.records.read_record(reading.records[at], reading.dealers[at])
    return offered.records.known_deal(record) == deal


def unchecked() -> QuerySet[Scoresheet]:
    """Confirmed sheets that could not be held against their boards when they were confirmed."""
    plays = FixtureBoard.objects.filter(fits=None, version="")
    found: QuerySet[Scoresheet] = Scoresheet.objects.confirmed()
    return found.filter(match__fixture__boards__in=plays).distinct()
