"""Whether a confirmed sheet can have been played with the cards of its boards.

Never asked before the confirmation: whoever could try sheets against a sealed board would learn its cards.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import structlog

from engine import game
from engine.deals import Deal
from engine.game import AnyGame
from games.fixture_boards import boards_of
from games.models import BoardSet, FixtureBoard, Scoresheet
from games.readings import Reading
from games.services import board_cards
from league.errors import Conflict
from league.models import Fixture

log = structlog.get_logger(__name__)


def check(*, fixture: Fixture, reading: Reading) -> None:
    """Notes for each board of the match whether the sheet that now counts fits its cards, in the caller's transaction.

    Nothing is noted where the cards are not known to the site yet, or where the table played another version.
    """
    plays = boards_of(fixture)
    if not plays:
        return
    cards = cards_of(plays)
    offered = game.get(fixture.round.competition.game)
    for play in plays:
        play.fits = None
        deal = cards.get(play.board_id)
        if deal is not None and not play.version and play.position <= len(reading.records):
            play.fits = _fits(offered, reading, play.position - 1, deal)
    FixtureBoard.objects.bulk_update(plays, ["fits"])


def cards_of(plays: Iterable[FixtureBoard]) -> Mapping[int, Deal]:
    """The cards of the boards, by the board's key, in memory; those that cannot be known yet are left out."""
    found: dict[int, Deal] = {}
    for board_set in BoardSet.objects.filter(pk__in={play.board.board_set_id for play in plays}):
        try:
            found |= board_cards.cards_of(board_set)
        except Conflict as reason:
            log.warning("boards_not_checked", board_set=board_set.pk, code=reason.code)
    return found


def _fits(offered: AnyGame, reading: Reading, at: int, deal: Deal) -> bool:
    dealer = next(seat for seat in offered.seats if seat.value == reading.dealers[at])
    record: Any = offered.read_record(reading.records[at], dealer)
    checked = offered.check(record, deal)
    return not any(problem.refuses and not problem.is_missing for problem in checked.problems)


def unchecked() -> list[int]:
    """The keys of confirmed sheets that could not be held against their boards when they were confirmed."""
    plays = FixtureBoard.objects.filter(fits=None, version="")
    confirmed = Scoresheet.objects.confirmed().filter(match__fixture__boards__in=plays)
    return list(confirmed.order_by("pk").values_list("pk", flat=True).distinct())
