"""What people at a table ask of each other or of a director: an action back, a pause, a director; and set phrases."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Table, TableRequest, TableSeat
from games.models.tables import Timeout
from games.tables.services import play, rows, seats
from games.tables.state import facts as reading
from games.tables.state.clocks import side_out_of_time
from games.tables.state.log import Line, thinking
from games.tables.state.seat_view import asked_of, opponents, people
from games.tables.state.snapshot import Asked as Earlier
from games.tables.state.snapshot import DealFacts, TableSnapshot
from league import policies
from league.actors import Guest, Sitter, identity, person
from league.errors import Conflict, Invalid, NotAllowed
from league.notices import events
from league.notices.services.notices import notify

Kind, Asked, State = TableRequest.Kind, TableRequest.State, Table.State
BY_CONSENT = (Kind.TAKE_BACK, Kind.PAUSE, Kind.RETURN)
LONGEST_TEXT = 300
# A log is read whole: after so many lines nothing is taken back any more, and the deal is played to its end.
MOST_LINES = 2000
# So many phrases each may say between two deals: what is said is read with the table.
MOST_PHRASES = 12
# Between two deals partners and opponents may say this much to each other, and nothing else.
PHRASES = {
    "hello": gettext_lazy("Hello!"),
    "well_played": gettext_lazy("Well played!"),
    "thanks": gettext_lazy("Thank you, partner."),
    "sorry": gettext_lazy("Sorry, partner."),
    "moment": gettext_lazy("One moment, please."),
    "go_on": gettext_lazy("Shall we go on?"),
    "goodbye": gettext_lazy("Thank you for the match."),
}
# Not offered where nobody has one.
TO_PARTNER = frozenset({"thanks", "sorry"})


@transaction.atomic
def take_back(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Asks the others to let you undo your last action, while nobody has acted since.

    Alone with robots you undo it whatever they have done since, and then the one before it.
    """
    at = at or timezone.now()
    table, facts, row = _at_table(actor, table_id)
    deal = _deal_played(facts)
    if table.kind == Table.Kind.DAILY:
        raise Conflict(_("In the daily deal nobody can undo."), code="daily")
    own = [line for line in deal.fold.counting if (line.seat, line.who) == (row.seat, identity(actor))]
    is_practice = table.kind == Table.Kind.PRACTICE
    if not own or (not is_practice and own[-1].number != deal.fold.lines[-1].number):
        raise Conflict(
            _("You can undo only your own action, and only before anyone else has acted."),
            code="too_late",
        )
    if table.fixture_id is not None and not opponents(facts, row.seat):
        raise Conflict(
            _("None of your opponents is here to agree. Carry on, or call a director."), code="nobody_to_ask"
        )
    _ask_all(table, facts, row, Kind.TAKE_BACK, deal, at, number=own[-1].number)
    return table


@transaction.atomic
def pause(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Asks the others for a pause: no clock runs and nobody acts until somebody at the table ends it."""
    at = at or timezone.now()
    table, facts, row = _at_table(actor, table_id)
    deal = _deal_played(facts)
    if facts.is_paused:
        raise Conflict(_("The table is paused."), code="paused")
    _ask_all(table, facts, row, Kind.PAUSE, deal, at)
    return table


def _ask_all(  # noqa: PLR0917 - the parts of one row
    table: Table,
    facts: TableSnapshot,
    row: TableSeat,
    kind: str,
    deal: DealFacts,
    at: datetime,
    number: int | None = None,
) -> None:
    if any(each.kind == kind and each.state == Asked.OPEN for each in facts.requests):
        raise Conflict(_("Someone has already asked this, and not everyone has answered."), code="asked")
    if any(_has_refused(each, kind, row.seat, deal) for each in facts.requests):
        raise Conflict(_("This has already been refused. Carry on, or call a director."), code="refused")
    asked = rows.request(
        table, kind, at=at, deal_id=deal.row, seat=row.seat, number=number, agreed=[row.seat]
    )
    _settle_if_agreed(table, facts, asked, at)
    rows.changed(table, is_seen=False)


def _has_refused(asked: Earlier, kind: str, seat: str, deal: DealFacts) -> bool:
    """Whether this is the same wish, refused since the last action: nobody is asked until they give in."""
    is_same = (asked.kind, asked.seat, asked.deal, asked.state) == (kind, seat, deal.row, Asked.REFUSED)
    return is_same and asked.ended_at is not None and asked.ended_at >= deal.fold.since


@transaction.atomic
def come_back(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Asks the opponents to let a player who stood up in this deal of a match play on in it."""
    at = at or timezone.now()
    table = rows.lock_open(table_id)
    facts, seat = reading.under_lock(table), seats.place_of(actor=actor, table=table)
    deal = _deal_played(facts)
    if facts.seat_of(actor) is not None:
        raise Conflict(_("You already have a seat at this table."), code="seated")
    if not seats.stood_up(table, actor):
        return seats.sit(actor=actor, table_id=table_id, seat=seat, at=at)
    own = [
        each for each in facts.requests if (each.kind, each.seat, each.deal) == (Kind.RETURN, seat, deal.row)
    ]
    if any(each.state == Asked.OPEN for each in own):
        raise Conflict(_("Someone has already asked this, and not everyone has answered."), code="asked")
    if any(each.state == Asked.REFUSED for each in own):
        raise Conflict(_("Your opponents have refused. You can come back after this deal."), code="refused")
    if not opponents(facts, seat):
        raise Conflict(
            _("None of your opponents is here to agree. You can come back after this deal."),
            code="nobody_to_ask",
        )
    rows.request(table, Kind.RETURN, at=at, deal_id=deal.row, seat=seat)
    rows.changed(table)
    return table


@transaction.atomic
def answer(
    *, actor: Sitter, table_id: int, request_id: int, agrees: bool, at: datetime | None = None
) -> Table:
    """Agrees to what somebody asked, or refuses it. All persons who are asked have to agree."""
    at = at or timezone.now()
    table, facts, row = _at_table(actor, table_id)
    asked = TableRequest.objects.filter(table=table, pk=request_id, kind__in=BY_CONSENT).first()
    if asked is None or asked.state != Asked.OPEN:
        raise Conflict(_("This has already been decided."), code="decided")
    if row.seat not in asked_of(facts, asked.kind, asked.seat):
        raise NotAllowed(_("Your opponents have to answer this."), code="not_asked")
    if agrees:
        asked.agreed = sorted({*asked.agreed, row.seat})
        asked.save(update_fields=["agreed"])
        _settle_if_agreed(table, facts, asked, at)
    else:
        asked.state, asked.ended_at, asked.answered_by = Asked.REFUSED, at, person(actor)
        asked.save(update_fields=["state", "ended_at", "answered_by"])
    rows.changed(table, is_seen=asked.kind == Kind.RETURN)
    return table


def _settle_if_agreed(table: Table, facts: TableSnapshot, asked: TableRequest, at: datetime) -> None:
    if set(asked_of(facts, asked.kind, asked.seat)) - set(asked.agreed):
        return
    asked.state, asked.granted_at = Asked.GRANTED, at
    if asked.kind == Kind.TAKE_BACK:
        asked.ended_at = at
        deal = _deal_played(facts)
        kept = [line.number for line in deal.fold.counting].index(asked.number or 0)
        write_back(deal, back_to=kept, seat=asked.seat, at=at)
        rows.hint_robots(table)
    if asked.kind == Kind.RETURN:
        asked.ended_at = at
    asked.save(update_fields=["state", "granted_at", "ended_at"])
    if asked.kind == Kind.RETURN:
        seats.come_back(table, asked.seat, at=at)


def write_back(
    deal: DealFacts,
    *,
    back_to: int,
    at: datetime,
    seat: str = "",
    person_id: int | None = None,
    reason: str = "",
) -> None:
    """The line of the log by which only the first `back_to` actions count on."""
    if deal.fold.next_number >= MOST_LINES:
        raise Conflict(_("This deal has been undone often enough. Please play on."), code="enough")
    line = Line(deal.fold.next_number, seat, "", back_to, max(at, deal.fold.since))
    play.write_line(deal, line, person_id=person_id, reason=reason)


@transaction.atomic
def resume(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Ends a pause; anybody at the table may."""
    at = at or timezone.now()
    table, facts, _row = _at_table(actor, table_id)
    if not facts.is_paused:
        raise Conflict(_("The table isn’t paused."), code="not_paused")
    granted = TableRequest.objects.filter(table=table, kind=Kind.PAUSE, state=Asked.GRANTED, ended_at=None)
    granted.update(ended_at=at)
    rows.changed(table, is_seen=False)
    rows.hint_robots(table)
    return table


@transaction.atomic
def call_director(*, actor: Sitter, table_id: int, text: str = "", at: datetime | None = None) -> Table:
    """Calls a director: it shows on the desk with the table's state."""
    table, facts, row = _at_table(actor, table_id)
    if isinstance(actor, Guest):
        # Directors read it on their desk: words from strangers do not come there.
        raise NotAllowed(_("Guests don’t call directors. Please ask a member at the table."), code="guest")
    if table.is_alone:
        raise Conflict(_("You’re playing alone. There’s nothing for a director to decide."), code="alone")
    if len(text) > LONGEST_TEXT:
        raise Invalid(_("This is too long."), code="too_long")
    if any(each.kind == Kind.DIRECTOR and each.state == Asked.OPEN for each in facts.requests):
        raise Conflict(_("A director has already been called."), code="asked")
    deal = facts.deal.row if facts.deal else None
    rows.request(
        table, Kind.DIRECTOR, at=at or timezone.now(), deal_id=deal, seat=row.seat, text=text.strip()
    )
    rows.changed(table)
    if table.club is not None:
        notify(
            events.DIRECTOR_CALLED,
            [each for each in policies.directors_of(table.club) if each.pk != actor.pk],
            context={"table": str(table), "who": row.name, "path": table.get_absolute_url()},
            club=table.club,
            competition=table.fixture.round.competition if table.fixture else None,
            at=at,
        )
    return table


@transaction.atomic
def claim_absence(*, actor: Sitter, table_id: int, at: datetime | None = None) -> Table:
    """Says that the player on turn is not there: after a time a robot takes the seat, or a director is called.

    The time of pauses does not count: nobody may act in them.
    """
    at = at or timezone.now()
    table, facts, row = _at_table(actor, table_id)
    deal = _deal_played(facts)
    turn = deal.fold.turn or ""
    holder = facts.seats.get(turn)
    if turn == row.seat or (holder is not None and holder.robot):
        raise Conflict(_("The table isn’t waiting for anyone else."), code="nobody_absent")
    if facts.is_paused:
        raise Conflict(_("The table is paused."), code="paused")
    if thinking(deal.fold.since, at, facts.pauses) < 1000 * int(facts.terms["absence_seconds"]):
        raise Conflict(
            _("Not yet. A player has %(seconds)d seconds.") % {"seconds": facts.terms["absence_seconds"]},
            code="not_yet",
        )
    if table.replaces_absent:
        seats.replace_by_robot(table, turn, at=at)
        rows.hint_robots(table)
    elif not any(each.kind == Kind.DIRECTOR and each.state == Asked.OPEN for each in facts.requests):
        said = _("%(seat)s isn’t responding.") % {"seat": _(str(facts.offered.title(turn)))}
        rows.request(table, Kind.DIRECTOR, at=at, deal_id=deal.row, seat=row.seat, text=said)
    rows.changed(table)
    return table


@transaction.atomic
def say(*, actor: Sitter, table_id: int, phrase: str, at: datetime | None = None) -> Table:
    """Says one of the set phrases, between two deals."""
    table, facts, row = _at_table(actor, table_id)
    if phrase not in PHRASES:
        raise Invalid(_("There’s no such phrase."), code="phrase_unknown")
    if facts.state == State.PLAYING:
        raise Conflict(_("You can’t talk during a deal."), code="deal_going_on")
    if len(people(facts)) < 2:
        raise Conflict(_("There’s nobody here to talk to."), code="alone")
    deal = facts.deal.row if facts.deal else None
    said = (Kind.PHRASE, row.seat, deal)
    if sum((each.kind, each.seat, each.deal) == said for each in facts.requests) >= MOST_PHRASES:
        raise Conflict(_("That’s enough until the next deal."), code="enough")
    rows.request(
        table,
        Kind.PHRASE,
        at=at or timezone.now(),
        deal_id=deal,
        seat=row.seat,
        text=phrase,
        state=Asked.DONE,
    )
    rows.changed(table, is_seen=False)
    return table


def check_time(*, table_id: int, at: datetime) -> bool:
    """Where the side on turn has no time left, what the terms say happens: whether it did."""
    with transaction.atomic():
        table = rows.lock(table_id)
        facts = reading.under_lock(table)
        side = side_out_of_time(facts, at)
        if side is None or facts.deal is None or _is_known(facts, side):
            return False
        is_robots = facts.terms["on_timeout"] == Timeout.ROBOT
        state = Asked.DONE if is_robots else Asked.OPEN
        rows.request(table, Kind.TIME, at=at, deal_id=facts.deal.row, side=side, state=state)
        rows.changed(table, is_seen=not is_robots)
        rows.hint_robots(table)
    return True


def _is_known(facts: TableSnapshot, side: str) -> bool:
    """Whether it was said that the side's time is up, and no time was given since."""
    return any(
        each.kind == Kind.TIME and each.side == side and each.granted_at is None
        for each in facts.requests
        if facts.deal and each.deal == facts.deal.row
    )


def _at_table(actor: Sitter, table_id: int) -> tuple[Table, TableSnapshot, TableSeat]:
    table = rows.lock_open(table_id)
    return table, reading.under_lock(table), seats.own_seat(actor=actor, table=table)


def _deal_played(facts: TableSnapshot) -> DealFacts:
    if facts.state != State.PLAYING or facts.deal is None:
        raise Conflict(_("No deal is being played at this table."), code="no_deal")
    return facts.deal
