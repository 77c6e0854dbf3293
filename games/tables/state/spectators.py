"""What a spectator sees less of than those who sit: nothing of a deal that others may still play, the rest later.

Who has no seat watches; the other differences are in games.tables.state.seat_view.
"""

from datetime import datetime, timedelta

from games.tables.state.snapshot import TableSnapshot

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
