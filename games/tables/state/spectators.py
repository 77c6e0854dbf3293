"""What a spectator sees of a table: less than those who sit there, and of a deal that others may still play nothing.

Of the cards it is what the game shows without a seat: its own `view(state, None)` in engine/<game>/. The rest is said
here, and games.tables.state.seat_view puts it together: what is told later, what is hidden, and which requests, reasons
and phrases are for the table alone. Who may watch at all: games.tables.policies.
"""

from datetime import datetime, timedelta

from games.models import Table, TableRequest
from games.models.tables import CALLS
from games.tables.state.reader import Reader
from games.tables.state.snapshot import Asked, TableSnapshot

Kind, State = TableRequest.Kind, TableRequest.State
FIRST_SEEN = 2**30


def version_for(facts: TableSnapshot, seat: str | None) -> int:
    """The table's version, as this reader is told it.

    It goes up with every action. Who watches a deal that is hidden is told another count, which does not: so neither
    how much is done nor when can be learnt from it. No version of the one kind is ever one of the other.
    """
    return FIRST_SEEN + facts.seen if is_hidden(facts, seat) else facts.version


def is_hidden(facts: TableSnapshot, seat: str | None) -> bool:
    """Whether this reader watches a deal that others may still play."""
    return seat is None and facts.deal is not None and facts.deal.is_sealed


def is_behind(facts: TableSnapshot, seat: str | None) -> bool:
    """Whether this reader is told later what happens: then there is news though the version stays the same."""
    return seat is None and int(facts.terms["delay_seconds"]) > 0


def shown_until(facts: TableSnapshot, seat: str | None, at: datetime) -> datetime | None:
    """The moment up to which somebody who watches is told, where that is not now."""
    return at - timedelta(seconds=int(facts.terms["delay_seconds"])) if is_behind(facts, seat) else None


def is_secret(facts: TableSnapshot, seat: str | None) -> bool:
    """Whether points would tell somebody who watches how boards went that others still play.

    Also when the table is done with them: what becomes public of a match, its totals, stands on the match's page.
    """
    return seat is None and facts.is_sealed


def hears_phrases(reader: Reader) -> bool:
    """Whether what is said between deals is for this reader: the table, and who directs it."""
    return reader.seat is not None or reader.may_rule


def hears_reasons(reader: Reader) -> bool:
    """Whether this reader is told in people's own words what they ask for."""
    return reader.seat is not None or reader.may_hear


def is_told_of(facts: TableSnapshot, asked: Asked, reader: Reader) -> bool:
    """What waits is shown to the table and to who directs; who watches is told of pauses and of time that is up.

    Who watches a hidden deal is told neither: a director of the calls alone, and who stood up of their own wish. That
    it was refused is told until the deal is over.
    """
    if _was_refused(facts, asked, reader):
        return True
    if is_hidden(facts, reader.seat):
        is_own = (asked.kind, asked.seat) == (Kind.RETURN, reader.plays)
        return asked.state == State.OPEN and (is_own or (reader.may_rule and asked.kind in CALLS))
    if asked.kind in {Kind.PHRASE, Kind.TIME}:
        return asked.kind == Kind.TIME
    is_going_on = asked.state == State.OPEN or (
        asked.kind == Kind.PAUSE and asked.state == State.GRANTED and asked.ended_at is None
    )
    is_own = bool(reader.plays) and asked.seat == reader.plays
    return is_going_on and (reader.seat is not None or reader.may_rule or is_own or asked.kind == Kind.PAUSE)


def _was_refused(facts: TableSnapshot, asked: Asked, reader: Reader) -> bool:
    """Whether this is the reader's own wish to come back to this deal, which an opponent has refused."""
    deal = facts.deal.row if facts.deal and facts.state == Table.State.PLAYING else None
    own = (Kind.RETURN, reader.plays, State.REFUSED)
    is_own = (asked.kind, asked.seat, asked.state) == own and asked.deal == deal
    return is_own and deal is not None and reader.seat is None
