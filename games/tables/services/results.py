"""What a match played online becomes: a scoresheet of the very cards, confirmed, since the site was the judge."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import structlog
from django.db import transaction
from django.utils.translation import gettext as _

from engine import game
from games import locks
from games.models import BoardSet, RobotHand, Scoresheet, Table, TableDeal
from games.scoresheets.services import scoresheets
from games.tables.seating import seating_at
from games.tables.services import rows
from games.tables.state.facts import deal_facts
from games.tables.state.snapshot import DealFacts
from league import policies
from league.audit.services import audit
from league.errors import Conflict, Invalid, LeagueError
from league.models import Fixture, User
from league.words import sentences

log = structlog.get_logger(__name__)
LONGEST_FAULT = 300


def record(*, table_id: int) -> bool:
    """Writes down the match of a table that was played to the end; whether there was anything to do.

    Where it cannot become the result, the table says why, and a director decides.
    """
    try:
        with transaction.atomic():
            return _record(table_id)
    except LeagueError as refusal:
        log.warning("table_not_recorded", table=table_id, code=refusal.code)
        with transaction.atomic():
            table = rows.lock(table_id)
            table.fault = refusal.message[:LONGEST_FAULT]
            rows.changed(table, "fault")
        return False


@transaction.atomic
def count(*, actor: User, table_id: int, reason: str) -> Table:
    """A director lets a match count in which robots played more than the terms say, for a reason that all may read."""
    fixture = Fixture.with_rooms.filter(online_tables=table_id).first()
    if fixture is None:
        raise Conflict(_("This has already been decided."), code="decided")
    # Before the locks, for they keep a whole competition waiting; and again under them.
    policies.require(actor, "table.rule", Table.objects.get(pk=table_id))
    fixture = _locked_above(fixture)
    table = rows.lock(table_id)
    policies.require(actor, "table.rule", table)
    if not is_left_to_director(table):
        raise Conflict(_("This has already been decided."), code="decided")
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."), code="no_reason")
    audit.record(
        actor=actor,
        action="table.counted",
        summary=sentences.gettext("The match counts, though robots played much of it"),
        fixture=Fixture.with_rooms.with_pairs().get(pk=table.fixture_id or 0),
        after={"table": table.pk},
        reason=reason,
    )
    _record(table_id, is_allowed=True)
    table.refresh_from_db()
    return table


def is_left_to_director(table: Table) -> bool:
    """Whether the match was played to the end, and became no result."""
    is_over = table.state == Table.State.FINISHED and table.fixture_id is not None
    return is_over and table.sheet_id is None and bool(table.fault)


def _locked_above(fixture: Fixture) -> Fixture:
    """The table's match with all that a result of it changes: its boards' sets may be opened by it."""
    found = locks.match(fixture=fixture).fixture
    sets = BoardSet.objects.filter(boards__plays__fixture=fixture, released_at=None)
    for board_set in sets.distinct().order_by("pk"):
        locks.board_set(board_set)
    return found


def _record(table_id: int, *, is_allowed: bool = False) -> bool:
    over = Table.objects.filter(pk=table_id, state=Table.State.FINISHED, fixture__isnull=False, sheet=None)
    if not over.exists():
        return False
    fixture = _locked_above(Fixture.with_rooms.get(online_tables=table_id))
    table = rows.lock(table_id)
    if table.state != Table.State.FINISHED or table.sheet_id is not None:
        return False
    played = _played(table)
    robots = [list(robot_hands(each)) for each in played]
    if not is_allowed:
        _check_robots(table, robots)
    sheet: Scoresheet = scoresheets.record_play(
        actor=rows.TABLE,
        fixture=fixture,
        content=_content(table, fixture, played),
        robots=robots,
        opened_by=table.opened_by,
        table=table.pk,
    )
    table.sheet, table.fault = sheet, ""
    rows.changed(table, "sheet", "fault")
    return True


def content_of(table: Table, fixture: Fixture) -> dict[str, Any]:
    """The sheet's content: who sat where, and every deal as it was played."""
    return _content(table, fixture, _played(table))


def _played(table: Table) -> list[DealFacts]:
    deals = TableDeal.objects.filter(table=table, finished_at__isnull=False)
    return [deal_facts(table, row, ()) for row in deals.select_related("board__board_set").order_by("number")]


def _content(table: Table, fixture: Fixture, played: Sequence[DealFacts]) -> dict[str, Any]:
    offered = game.get(table.game)
    return {
        **seating_at(table, fixture).as_json(),
        "first_dealer": table.first_dealer,
        "deals": [dict(offered.record_of(each.fold.state)) for each in played],
    }


def robot_hands(deal: DealFacts) -> Iterator[RobotHand]:
    """The hands of a deal in which robots acted for players, as rows that belong to no sheet yet."""
    fold = deal.fold
    done = Counter(
        (_hand_of(fold.offered.view(state, None).as_json()), line.seat, line.robot)
        for line, state in zip(fold.counting, fold.before, strict=False)
        if line.robot
    )
    for (number, seat, robot), actions in sorted(done.items()):
        side = fold.offered.side_of(seat, fold.players)
        yield RobotHand(seat=seat, side=side, number=number, robot=robot, actions=actions)


def _hand_of(view: Mapping[str, Any]) -> int:
    """The number of the hand being played, from 1; a deal that has no hands is one."""
    return len(view.get("hands", ())) + 1


def _check_robots(table: Table, robots: Iterable[Iterable[RobotHand]]) -> None:
    many = sum(len({(hand.number, hand.side) for hand in deal}) for deal in robots)
    most = table.most_robot_hands
    if most is not None and many > most:
        raise Conflict(
            _("Robots played in %(hands)d hands of this match. It counts with at most %(most)d.")
            % {"hands": many, "most": most},
            code="too_many_robots",
        )
