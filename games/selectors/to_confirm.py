"""The sheets of an evening that an official in the room can confirm at once, with the paper in hand."""

from dataclasses import dataclass

from django.urls import reverse

from games import sheet_rules
from games.models import Scoresheet
from league import policies
from league.actors import Reader
from league.models import Competition, Fixture


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """A sheet that waits: `version` and `digest` name exactly what is confirmed.

    One with something odd in it (`is_odd`) is looked at first, and so has no button.
    """

    fixture: Fixture
    table: str
    round_number: int
    home: int
    away: int
    entered_by: str
    version: int
    digest: str
    is_odd: bool

    @property
    def url(self) -> str:
        """The match's page, with the sheet card by card."""
        return reverse("match", args=[self.fixture.pk])


def to_confirm(competition: Competition, visitor: Reader) -> tuple[ToConfirm, ...]:
    """What this official may confirm for others now, the earliest round first; nothing for anybody else.

    In a few queries, whatever the number of tables. The own match is not among them: its page is the place for it.
    """
    if competition.state != Competition.State.RUNNING or not policies.may(visitor, "club.desk", competition):
        return ()
    waiting = (
        Scoresheet.objects.pending()
        .filter(match__fixture__round__competition=competition)
        .select_related("entered_by", "match")
        .order_by("match__fixture__round__number", "match__fixture__division__level", "match__fixture")
    )
    sheets = list(waiting)
    fixtures = (
        Fixture.objects.with_pairs()
        .prefetch_related("substitutions__substitute")
        .in_bulk([sheet.match_id for sheet in sheets])
    )
    for sheet in sheets:
        sheet.match.fixture = fixtures[sheet.match_id]
    judged = sheet_rules.judged_for_others(visitor, sheets)
    return tuple(_line(sheet) for sheet in judged)


def _line(sheet: Scoresheet) -> ToConfirm:
    fixture = sheet.match.fixture
    return ToConfirm(
        fixture=fixture,
        table=fixture.table,
        round_number=fixture.round.number,
        home=sheet.home_total,
        away=sheet.away_total,
        entered_by=str(sheet.entered_by),
        version=sheet.version,
        digest=sheet.digest,
        is_odd=bool(sheet.suspicious),
    )
