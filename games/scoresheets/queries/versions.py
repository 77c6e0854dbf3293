"""The versions of a match's sheet: who entered and judged them, and what differs from one to the next."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games import front
from games.models import Match, Scoresheet, Vouch
from games.records import parsing as readings
from games.records.display.deal_names import DealNames
from games.records.display.shown import NOTHING, ShownDeal
from games.records.parsing import Reading
from league.models import Fixture

# A quarrel of more versions than this is compared by its newest ones only.
MOST_COMPARED = 12

COUNTED = (Scoresheet.Verdict.CONFIRMED, Scoresheet.Verdict.REOPENED)

TONES = {
    Scoresheet.Verdict.PENDING: "brass",
    Scoresheet.Verdict.CONFIRMED: "green",
    Scoresheet.Verdict.REJECTED: "red",
    Scoresheet.Verdict.REPLACED: "neutral",
    Scoresheet.Verdict.REOPENED: "red",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two versions tell differently."""

    where: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version in the list."""

    number: int
    totals: tuple[int, ...]
    who: str
    origin: str
    at: datetime
    verdict: str
    tone: str
    how: str
    judge: str
    judged_at: datetime | None
    reason: str
    differences: tuple[Difference, ...]


def read(match: Match, sheet: Scoresheet) -> Reading:
    """A version as it is read today."""
    return readings.read(fixture=match.fixture, content=sheet.content, options=match.options, is_stored=True)


def readings_of(match: Match | None, sheets: tuple[Scoresheet, ...]) -> Mapping[int, Reading]:
    """The readings of the versions, by number."""
    return {sheet.version: read(match, sheet) for sheet in sheets} if match else {}


def lines(
    fixture: Fixture, sheets: tuple[Scoresheet, ...], known: Mapping[int, Reading], *, is_open: bool = True
) -> tuple[VersionLine, ...]:
    """The list, the newest version first, each with what differs from the one before.

    Where the deals are not `is_open` to the reader, neither differences nor reasons are told.
    """
    found = []
    for place, sheet in enumerate(sheets):
        is_compared = is_open and place + 1 < len(sheets) and place < MOST_COMPARED
        earlier = sheets[place + 1] if is_compared else None
        found.append(
            VersionLine(
                number=sheet.version,
                totals=tuple(sheet.totals),
                who=str(sheet.entered_by),
                origin=sheet.get_origin_display(),
                at=sheet.entered_at,
                verdict=sheet.get_verdict_display(),
                tone=TONES[Scoresheet.Verdict(sheet.verdict)],
                how=how_it_counts(sheet) if sheet.verdict in COUNTED else "",
                judge=str(sheet.verdict_by) if sheet.verdict_by else "",
                judged_at=sheet.verdict_at,
                reason=sheet.verdict_reason if is_open else "",
                differences=differences(fixture, known[earlier.version], known[sheet.version])
                if earlier
                else (),
            )
        )
    return tuple(found)


def how_it_counts(sheet: Scoresheet) -> str:
    """Whose word made a version count, in words."""
    given = {each.kind: each for each in sheet.vouches.all()}
    if Vouch.Kind.SECOND in given:
        return _("a second official compared it with the paper")
    if Vouch.Kind.PAPER in given:
        return _("all sides signed the paper")
    if Vouch.Kind.SILENCE in given:
        return _("nobody objected")
    return ""


def differences(fixture: Fixture, before: Reading, after: Reading) -> tuple[Difference, ...]:
    """Everything that two sheets tell differently, in the order of the sheet."""
    return tuple(_differences(fixture, before, after))


def _differences(fixture: Fixture, before: Reading, after: Reading) -> Iterator[Difference]:
    old, new = front.shown_sheet(fixture, before), front.shown_sheet(fixture, after)
    for one, other in zip(old.seats, new.seats, strict=True):
        yield from _differing(other.title, one.player, other.player)
    yield from _differing(_("First dealer"), old.first_dealer.title, new.first_dealer.title)
    for number in range(max(len(old.deals), len(new.deals))):
        yield from _deal(
            new.deal_names,
            number,
            old.deals[number] if number < len(old.deals) else None,
            new.deals[number] if number < len(new.deals) else None,
        )


def _deal(names: DealNames, at: int, old: ShownDeal | None, new: ShownDeal | None) -> Iterator[Difference]:
    if old is None or new is None:
        yield from _differing(
            names.deal(at), *(each.total_in_words() if each else NOTHING for each in (old, new))
        )
        return
    for (_where, one), (where, other) in zip(old.parts(), new.parts(), strict=False):
        yield from _differing(where, one, other)


def _differing(where: str, before: str, after: str) -> Iterator[Difference]:
    if before != after:
        yield Difference(where, before, after)
