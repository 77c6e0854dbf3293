"""Acting at the table: one transaction that verifies the action against the fold of the rows, and writes its row."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client import Histogram

from engine.errors import RuleError
from engine.game.core import LONGEST_TOKEN
from engine.thinking import call, decide
from games.models import Action, Table, TableRequest
from games.tables.guest_keys import columns_of
from games.tables.services import dealing, rows
from games.tables.state import facts as reading
from games.tables.state.clocks import clock_of, side_out_of_time
from games.tables.state.log import Line
from games.tables.state.snapshot import DealFacts, TableSnapshot
from league import policies
from league.actors import Sitter, System, identity
from league.errors import Conflict, Invalid, NotAllowed
from league.web.wording import in_words

State, Kind = Table.State, TableRequest.Kind
LONGEST_KEY = 64
# Nobody has acted for so long: the chairs are put up.
IDLE = timedelta(hours=12)
# More than any deal takes: a robot that never ends would be a fault.
MOST_ACTIONS_IN_A_ROW = 200
THINKING = Histogram(
    "concertmaster_robot_seconds",
    "How long a robot took for an action",
    ["game", "robot"],
    buckets=(0.01, 0.05, 0.1, 0.3, 1, 3, 10),
)


@dataclass(frozen=True, slots=True)
class Sent:
    """An action as it was asked for: in which deal, and which number its log's next line was believed to have."""

    deal: int
    number: int
    token: str
    key: str = ""
    window: str = ""


def act(*, actor: Sitter | System, table_id: int, sent: Sent, at: datetime | None = None) -> TableSnapshot:
    """Plays a card, passes, or whatever the game calls its actions; gives the table as it is then.

    The same `key` again has no further effect. Raises Conflict, with code "stale", where the deal has gone on
    meanwhile; Invalid with the rule's own code where the rules say no.
    """
    if len(sent.key) > LONGEST_KEY or len(sent.token) > LONGEST_TOKEN:
        raise Invalid(_("This is too long."), code="too_long")
    at = at or timezone.now()
    with rows.writing():
        table = rows.lock(table_id)
        facts = reading.under_lock(table)
        if _is_repeated(actor, facts, sent):
            return facts
        deal = _check_open(facts)
        seat = _seat(actor, facts, deal)
        _check_window(facts, seat, sent.window)
        _check_number(deal, sent)
        facts = _write(actor, table, facts, deal, seat, sent, at)
    return next_deal(facts, at) if facts.state == State.BETWEEN else facts


def next_deal(facts: TableSnapshot, at: datetime) -> TableSnapshot:
    """Where nobody has to say first that they are ready, the table goes on; else everything stays as it is.

    In a transaction of its own, for a match is locked before its table. Where the next board cannot be played, the
    deal that is over counts all the same.
    """
    if not dealing.is_ready(Table.objects.get(pk=facts.table)):
        return facts
    with suppress(Conflict), rows.writing():
        table = rows.lock_to_deal(facts.table)
        if dealing.begin_if_ready(table, at=at):
            begun = rows.changed_and_read(table, *dealing.FIELDS)
            rows.hint_robots(table)
            return begun
    return facts


def _is_repeated(actor: Sitter | System, facts: TableSnapshot, sent: Sent) -> bool:
    """Whether this person's very action stands in the log already. A key of somebody else's is no repetition."""
    if not sent.key or facts.deal is None:
        return False
    if sent.deal != facts.deal.number:
        # Of a deal that is over: the acknowledgement was lost, and the table went on.
        before = Action.objects.filter(
            deal__table=facts.table,
            deal__number=sent.deal,
            number=sent.number,
            key=sent.key,
            **columns_of(actor),
        )
        return any(action.token == sent.token for action in before)
    line = facts.deal.fold.line_of(sent.key)
    if line is None:
        return False
    if (line.who, line.number, line.token) != (identity(actor), sent.number, sent.token):
        raise Conflict(_("This key was used for another action. Send a new key."), code="key_used")
    return True


def _check_open(facts: TableSnapshot) -> DealFacts:
    if facts.state != State.PLAYING or facts.deal is None:
        raise Conflict(_("No deal is being played at this table."), code="no_deal")
    if facts.is_paused:
        raise Conflict(_("The table is paused."), code="paused")
    return facts.deal


def _seat(actor: Sitter | System, facts: TableSnapshot, deal: DealFacts) -> str:
    """The seat that the actor acts for: a person's own, and for the service the robot's that is on turn."""
    turn = deal.fold.turn or ""
    if isinstance(actor, System):
        if not facts.robot_at(turn):
            raise Conflict(_("It isn’t a robot’s turn."), code="not_your_turn")
        return turn
    seat = facts.seat_of(actor)
    if seat is None:
        raise NotAllowed(_("You don’t have a seat at this table."), code="no_seat")
    policies.require(actor, "table.act", facts.seats[seat])
    if facts.is_overtime(facts.side_of(seat)):
        raise Conflict(_("You’re out of time. A robot will finish this deal."), code="time_is_up")
    return seat


def _check_window(facts: TableSnapshot, seat: str, window: str) -> None:
    """Of two windows of the same seat the newer plays."""
    now = facts.seats[seat].window
    if window and now and window != now:
        raise Conflict(_("You’re now playing in another window."), code="other_window")


def _check_number(deal: DealFacts, sent: Sent) -> None:
    if (sent.deal, sent.number) != (deal.number, deal.fold.next_number):
        raise Conflict(_("The deal has moved on. Please look again."), code="stale")


def _write(  # noqa: PLR0917 - the parts of one row
    actor: Sitter | System,
    table: Table,
    facts: TableSnapshot,
    deal: DealFacts,
    seat: str,
    sent: Sent,
    at: datetime,
) -> TableSnapshot:
    if seat != deal.fold.turn:
        raise Conflict(_("It isn’t your turn."), code="not_your_turn")
    is_robot = isinstance(actor, System)
    line = Line(
        sent.number,
        seat,
        sent.token,
        None,
        # Of two servers' clocks the log's never goes back.
        max(at, deal.fold.since),
        key=sent.key,
        user=actor.pk,
        robot=facts.robot_at(seat) if is_robot else "",
        guest=columns_of(actor)["guest_id"],
    )
    try:
        after = facts.with_line(line, table.version + 1)
    except RuleError as error:
        raise Invalid(in_words(error.message), code=error.code) from error
    write_line(deal, line, person_id=actor.pk)
    if after.deal is not None and after.deal.fold.state.is_over:
        return _end_deal(table, after, line.at)
    after_turn(after, table, is_robot=is_robot)
    if any(each.state == "open" and each.kind == Kind.TAKE_BACK for each in facts.requests):
        rows.lapse(table, Kind.TAKE_BACK, at=line.at)
        return rows.changed_and_read(table, is_seen=False)
    is_time_up = side_out_of_time(after, line.at) is not None
    due_at = line.at + rows.QUIET if is_time_up else next_look(after, line.at)
    rows.changed(table, facts=after, is_seen=False, due_at=due_at)
    return after


def write_line(deal: DealFacts, line: Line, *, person_id: int | None, reason: str = "") -> None:
    """The row of a line of the log."""
    Action.objects.create(
        deal_id=deal.row,
        number=line.number,
        seat=line.seat,
        token=line.token,
        back_to=line.back_to,
        user_id=person_id,
        guest_id=line.guest,
        robot=line.robot,
        key=line.key,
        reason=reason[:300],
        at=line.at,
    )


def after_turn(facts: TableSnapshot, table: Table, *, is_robot: bool) -> None:
    """Where a robot is on turn, a worker is told; a robot that has just acted carries on without being told."""
    deal = facts.deal
    turn = deal.fold.turn if deal else None
    if turn and not is_robot and facts.robot_at(turn):
        rows.hint_robots(table)


def _end_deal(table: Table, facts: TableSnapshot, at: datetime) -> TableSnapshot:
    """The last card is played: the deal gets its score, and the match perhaps its end."""
    if facts.deal is not None:
        rows.lapse(table, Kind.TAKE_BACK, Kind.PAUSE, Kind.RETURN, at=at)
        dealing.end(table, facts.deal.row, facts.deal.fold.state.score(), at=at)
    return rows.changed_and_read(table, *dealing.FIELDS)


def play_robots(*, table_id: int, at: Callable[[], datetime] = timezone.now) -> int:
    """Lets the robots act until a person is on turn; gives how often. Each action is a transaction of its own."""
    done = 0
    while done < MOST_ACTIONS_IN_A_ROW:
        facts = reading.current(table_id)
        sent = robots_action(facts)
        if sent is None:
            break
        try:
            act(actor=robot_actor(facts), table_id=table_id, sent=sent, at=at())
        except Conflict:
            # Somebody was quicker: a second worker, a take-back, a person who took the seat.
            break
        done += 1
    return done


def is_robots_turn(facts: TableSnapshot) -> bool:
    """Whether the table waits for a robot."""
    deal = facts.deal
    if facts.state != State.PLAYING or deal is None or deal.fold.turn is None or facts.is_paused:
        return False
    return bool(facts.robot_at(deal.fold.turn))


def next_look(facts: TableSnapshot, at: datetime) -> datetime | None:
    """When there may be something to do for the service though nobody changes anything, at a table in use."""
    if is_robots_turn(facts):
        return at + rows.QUIET
    clock = clock_of(facts, at)
    if clock is not None and clock.running is not None and clock.left[clock.running] > 0:
        return at + timedelta(milliseconds=clock.left[clock.running])
    return at + IDLE if facts.fixture is None else None


def robots_action(facts: TableSnapshot) -> Sent | None:
    """What the robot on turn does, by its own view of the table; None where no robot is on turn."""
    deal = facts.deal
    if deal is None or not is_robots_turn(facts):
        return None
    turn = deal.fold.turn or ""
    return Sent(deal.number, deal.fold.next_number, token_of(facts, turn, facts.robot_at(turn)))


def token_of(facts: TableSnapshot, seat: str, robot: str) -> str:
    """What the robot of that key does in this seat, by its view and its side's convention card."""
    deal = facts.deal
    if deal is None:
        raise ValueError(seat)
    view = facts.offered.view(deal.fold.state, seat)
    card = facts.card_of_robot(seat, robot)
    with THINKING.labels(facts.offered.key, robot).time():
        return call(decide, facts.offered.key, view, robot, card.signals.as_card() if card else None)


def robot_actor(facts: TableSnapshot) -> System:
    """Who acts where a robot does."""
    turn = facts.deal.fold.turn if facts.deal else None
    return System(f"robot {facts.robot_at(turn or '')}")
