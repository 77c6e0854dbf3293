"""A scoresheet to be filled in by hand: what is printed on it follows from the game and the match's options."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import front
from games.fixture_boards import PLAYS
from games.records import match_parts
from games.records import parsing as readings
from games.records.display.shown import ShownSeat
from games.records.parsing import options_of
from league.models import Fixture, Round
from league.templatetags.ui import qr_code
from league.web.local_time import Moment

#: So many deals a sheet has room for where a match goes to a target.
ROWS = 16
UNPLAYED = (Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED, Fixture.Status.IN_PLAY)


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One page. `sides` are the pairs in the order of their columns, each with its side's letters and key.

    `template` draws the deals, with the game's own `values`; `how` says how the sheet is filled in.
    """

    title: str
    where: tuple[str, ...]
    sides: tuple[tuple[str, str, str], ...]
    seats: tuple[ShownSeat, ...]
    first_dealer: ShownSeat
    deals: tuple[Any, ...]
    has_boards: bool
    template: str
    how: str
    values: Any
    address: str

    @property
    def qr(self) -> SafeString:
        """The address for a phone."""
        return qr_code(self.address)


def paper_sheet(fixture: Fixture, *, round_name: str, address: str) -> PaperSheet:
    """The match's sheet; `address` is the whole address of its entry page."""
    blank: dict[str, Any] = {"deals": [{}] * match_parts.deal_count(fixture, ROWS - 1)}
    reading = readings.read(fixture=fixture, content=blank, options=options_of(fixture))
    sheet = front.shown_sheet(fixture, reading)
    own = front.of(fixture.round.competition.game)
    return PaperSheet(
        title=str(fixture),
        where=_where(fixture, round_name),
        sides=tuple((pair, sheet.names[pair], sheet.sides[pair]) for pair in sheet.names),
        seats=sheet.seats,
        first_dealer=sheet.first_dealer,
        deals=sheet.deals,
        has_boards=bool(reading.boards),
        template=own.paper_template,
        how=own.paper_how(),
        values=own.paper_values(),
        address=address,
    )


def to_print(played: Round) -> Iterable[Fixture]:
    """The matches of the round that are still to be played, in the order of tables."""
    fixtures = (
        Fixture.with_rooms.at_tables().with_pairs().prefetch_related("substitutions__substitute", PLAYS)
    )
    return fixtures.filter(round=played, status__in=UNPLAYED).order_by("division__level", "table", "pk")


def _where(fixture: Fixture, round_name: str) -> tuple[str, ...]:
    competition = fixture.round.competition
    place = fixture.place or competition.place or competition.club.place
    return tuple(
        part
        for part in (
            competition.name,
            fixture.division.name,
            round_name,
            _("table %(table)s") % {"table": fixture.table} if fixture.table else "",
            Moment(fixture.starts_at, competition.club.time_zone).full if fixture.starts_at else "",
            place,
        )
        if part
    )
