"""The sheets that an official can confirm at once: of an evening with the paper in hand, or beside its photo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from games.models import Scoresheet, SheetPhoto
from games.scoresheets import policies as sheet_rules
from league import policies
from league.actors import Reader
from league.models import Club, Competition, Entry, Fixture
from league.standings import round_names

MOST_TYPED = 50


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """A sheet that waits: `version` and `digest` name exactly what is confirmed.

    One with something odd in it (`is_odd`) is looked at first, and so has no button.
    """

    fixture: Fixture
    table: str
    round_number: int
    round_name: str
    totals: tuple[int, ...]
    entered_by: str
    version: int
    digest: str
    is_odd: bool
    event: str
    photos: tuple[str, ...]

    @property
    def sides(self) -> list[tuple[Entry, int]]:
        """Who played, in order, each with its points."""
        return list(zip(self.fixture.entries, self.totals, strict=True))

    @property
    def url(self) -> str:
        """The match's page, with the sheet card by card."""
        return reverse("match", args=[self.fixture.pk])


def to_confirm(competition: Competition, visitor: Reader) -> tuple[ToConfirm, ...]:
    """What this official may confirm for others now, the earliest round first; nothing for anybody else.

    In a few queries, whatever the number of tables. Their own match is not listed: they confirm that on its page.
    """
    if competition.state != Competition.State.RUNNING or not policies.may(visitor, "club.desk", competition):
        return ()
    waiting = Scoresheet.objects.pending().filter(match__fixture__round__stage__competition=competition)
    return _lines(_judged(waiting, visitor), {})


def typed_to_confirm(club: Club, visitor: Reader) -> tuple[ToConfirm, ...]:
    """The sheets of the club's competitions that were typed from the paper and that this visitor may confirm.

    The oldest first, each with the photos of its paper. In a few queries, however many there are.
    """
    typed = [Scoresheet.EnteredAs.OFFICIAL, Scoresheet.EnteredAs.CODE]
    waiting = Scoresheet.objects.pending().filter(
        match__fixture__round__stage__competition__club=club,
        match__fixture__round__stage__competition__state=Competition.State.RUNNING,
        entered_as__in=typed,
    )
    sheets = _judged(waiting.order_by("entered_at")[:MOST_TYPED], visitor)
    photos = SheetPhoto.objects.filter(
        fixture__in=[sheet.match_id for sheet in sheets], state=SheetPhoto.State.READY
    )
    urls: dict[int, list[str]] = {}
    for fixture, photo in photos.values_list("fixture_id", "pk"):
        urls.setdefault(fixture, []).append(reverse("photo", args=[fixture, photo]))
    return _lines(sheets, urls)


def _judged(waiting: QuerySet[Scoresheet], visitor: Reader) -> list[Scoresheet]:
    """Those of these sheets that this visitor may confirm for others."""
    rows = waiting.select_related("entered_by", "match")
    if not rows.query.is_sliced:
        rows = rows.order_by(
            "match__fixture__round__number", "match__fixture__division__level", "match__fixture"
        )
    sheets = list(rows)
    fixtures = (
        Fixture.with_rooms.with_pairs()
        .prefetch_related("substitutions__substitute")
        .in_bulk([sheet.match_id for sheet in sheets])
    )
    for sheet in sheets:
        sheet.match.fixture = fixtures[sheet.match_id]
    return sheet_rules.judged_for_others(visitor, sheets)


def _lines(sheets: Sequence[Scoresheet], photos: Mapping[int, Sequence[str]]) -> tuple[ToConfirm, ...]:
    names = round_names.of_fixtures(sheet.match.fixture for sheet in sheets)
    return tuple(_line(each, names[each.match_id], photos.get(each.match_id, ())) for each in sheets)


def _line(sheet: Scoresheet, round_name: str, photos: Sequence[str]) -> ToConfirm:
    fixture = sheet.match.fixture
    return ToConfirm(
        fixture=fixture,
        table=fixture.table,
        round_number=fixture.round.number,
        round_name=round_name,
        totals=tuple(sheet.totals),
        entered_by=str(sheet.entered_by),
        version=sheet.version,
        digest=sheet.digest,
        is_odd=bool(sheet.suspicious),
        event=fixture.round.competition.name,
        photos=tuple(photos),
    )
