"""A deal that is over, for those who study it; and what a play meant, for those who sit there or watch."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from games.embargo import Sight, sight
from games.models import DailyDeal, FixtureBoard, Table, TableDeal
from games.models.tables import OPEN
from games.tables.state.facts import deal_facts
from games.tables.state.reader import Reader
from games.tables.state.seat_view import explains
from games.tables.state.snapshot import TableSnapshot
from league.actors import Visitor
from league.errors import Conflict, NotAllowed
from league.models import Fixture
from league.querysets import UNPLAYED
from league.web.wording import in_words


def meanings_of(facts: TableSnapshot, reader: Reader, hand: int) -> list[dict[str, Any]]:
    """The meanings of a hand's first two cards, in words; nothing of a board that this reader may not see."""
    deal = facts.deal
    if deal is None or not _is_told(facts, reader):
        return []
    leader = _leader(facts, hand)
    signals = facts.signals_of(leader) if leader else None
    if signals is None:
        return []
    # Of open cards alone: a spectator's view has no others.
    view = facts.offered.view(deal.fold.state, None)
    return [
        {"holding": each.holding, "message": in_words(each.message)} for each in signals.meanings(view, hand)
    ]


def reasons_of(facts: TableSnapshot, reader: Reader, seat: str) -> list[str]:
    """Why the robot at this seat did what it did last. Conflict in a match, NotAllowed for all but its partner."""
    if facts.fixture is not None:
        raise Conflict(_("In a match, robots don’t explain what they do."), code="no_help_in_match")
    signals = facts.signals_of(seat) if seat in facts.seats else None
    if signals is None or not explains(facts, reader, seat):
        raise NotAllowed(_("A robot only explains itself to its partner."))
    if facts.deal is None:
        return []
    # Of open cards alone, as in `meanings_of`.
    view = facts.offered.view(facts.deal.fold.state, None)
    robot = facts.seats[seat].robot
    told = [in_words(each) for each in signals.reasons(view, seat, robot)]
    card = facts.card_of_robot(seat, robot)
    if card is None or not told:
        return told
    return [_("It plays your convention card, version %(number)d.") % {"number": card.number}, *told]


def pair_that_led(facts: TableSnapshot, reader: Reader, hand: int, fixture: Fixture | None) -> int | None:
    """The key of the pair whose card the leader of a hand plays: in a match, or with a robot that plays one.

    None elsewhere, and where this reader may not know who led.
    """
    if facts.deal is None or not _is_told(facts, reader):
        return None
    leader = _leader(facts, hand)
    if leader is None:
        return None
    card = facts.card_of(leader)
    if fixture is None or card is not None:
        return card.pair if card else None
    led_by = list(facts.names.entries).index(facts.side_of(leader))
    return fixture.entries[led_by].lineup_id


def _leader(facts: TableSnapshot, hand: int) -> str | None:
    """The seat that led a hand, where the game has hands and that one has begun."""
    if facts.deal is None:
        return None
    shown: Any = facts.offered.view(facts.deal.fold.state, None).as_json()
    # Zones tell of no hands.
    hands = [*shown.get("hands", ()), *filter(None, [shown.get("current")])]
    return next((each["leader"] for each in hands if each["number"] == hand), None)


def _is_told(facts: TableSnapshot, reader: Reader) -> bool:
    """Whether this reader is told at once what lies on the table."""
    if reader.seat is not None:
        return True
    return not facts.terms["delay_seconds"] and not (facts.deal is not None and facts.deal.is_sealed)


def replay_of(table: Table, number: int, *, visitor: Visitor) -> dict[str, Any] | None:
    """The deal with all its cards and actions; None while it is played, or others may still play it.

    A match's deals are shown when the match is over: until then the cards that were never played stay hidden.
    """
    row = TableDeal.objects.filter(table=table, number=number, finished_at__isnull=False).first()
    if row is None or (table.fixture is not None and not _is_over(table, table.fixture)):
        return None
    if not _sees(table, row, visitor) or is_secret(table):
        return None
    return _replay(table, row)


def is_secret(table: Table) -> bool:
    """Whether the table's deal is that of a day that isn't over: others still have to play it."""
    if table.kind != Table.Kind.DAILY:
        return False
    return DailyDeal.objects.filter(plays__table=table, released_at=None).exists()


def _is_over(table: Table, fixture: Fixture) -> bool:
    """A closed table may be opened again, and its last deal be taken back, while its match is to be played."""
    return table.state == Table.State.FINISHED or (table.state not in OPEN and fixture.status not in UNPLAYED)


def _sees(table: Table, row: TableDeal, visitor: Visitor) -> bool:
    """Whether no seal keeps the visitor from the cards: of a match's board, as of the board's play at any table."""
    if row.board is None or row.board.released_at is not None:
        return True
    play = FixtureBoard.objects.filter(fixture=table.fixture_id, board=row.board).first()
    return play is not None and sight(visitor=visitor, plays=[play])[play.pk] >= Sight.OWN


def _replay(table: Table, row: TableDeal) -> dict[str, Any]:
    deal = deal_facts(table, row, ())
    offered = game.get(table.game)
    return {
        "table": table.pk,
        "number": row.number,
        "dealer": row.dealer,
        "board": row.board.number if row.board else None,
        "record": offered.record_of(deal.fold.state),
        "cards": {seat: offered.view(deal.fold.before[0], seat).as_json()["mine"] for seat in table.places},
        "actions": [
            {"seat": line.seat, "token": line.token, "ms": _milliseconds(row.started_at, line.at)}
            for line in deal.fold.counting
        ],
        "view": offered.view(deal.fold.state, None).as_json(),
    }


def _milliseconds(start: datetime, at: datetime) -> int:
    return int((at - start).total_seconds() * 1000)
