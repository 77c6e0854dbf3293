"""The sections of an evening: their pairs, the movement chosen for them, and how their tables are called."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy

from engine.contest.movements import sections as offers
from engine.contest.movements.movement import Movement, Sitting
from engine.contest.movements.sections import Choice
from engine.errors import ContestError
from games.models import SectionMovement
from league.draws.services import draws
from league.models import Competition, Division, Entry
from league.web.wording import in_words
from league.zones import at_local

#: A pair whose place another one has taken keeps its number, out of the way of those that are in the room.
REPLACED = 1000
CARDS_ARE_PUBLIC = gettext_lazy(
    "Some cards of this evening’s boards are public, so nobody can play them any more. Please "
    "discard the set on its page. A new one is created when you seat the pairs."
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section as it stands: its pairs in the order of their numbers, and the movement for them.

    `by_number` gives the pairs by the numbers of the movement.

    Before the start the movement is the one that was chosen (`is_chosen`), else the usual one for so many pairs;
    `refusal` says why there is none.
    """

    division: Division
    entries: tuple[Entry, ...]
    choice: Choice | None
    movement: Movement | None
    is_chosen: bool = False
    refusal: str = ""
    first_table: int = 1
    prefix: str = ""
    by_number: Mapping[int, Entry] = field(default_factory=dict)

    def table(self, sitting: Sitting) -> str:
        """What the table is called in the room."""
        return f"{self.prefix}{self.first_table + sitting.table - 1}"


def begins_at(competition: Competition) -> datetime:
    """When the first round is to begin."""
    return at_local(competition.starts_on, competition.play_time, competition.club.time_zone)


def of_draft(competition: Competition) -> tuple[Section, ...]:
    """The sections of an evening that has not begun."""
    fields = draws.fields(competition)
    chosen = _chosen(competition)
    return tuple(
        _section(division, tuple(entered), chosen.get(division.pk), is_one_of_several=len(fields) > 1)
        for division, entered in fields
    )


def of_running(competition: Competition) -> tuple[Section, ...]:
    """The sections of an evening that is laid out: each place's pair is the one that has its number now."""
    divisions = list(competition.stage.divisions.order_by("level"))
    chosen = _chosen(competition)
    entries: dict[int, list[Entry]] = {division.pk: [] for division in divisions}
    for entry in Entry.with_rooms.filter(competition=competition).with_pairs().order_by("number"):
        entries[entry.division_id].append(entry)
    found = []
    for division in divisions:
        row = chosen[division.pk]
        choice = row.choice
        found.append(
            Section(
                division,
                tuple(entries[division.pk]),
                choice,
                choice.movement(),
                is_chosen=True,
                first_table=row.first_table,
                prefix=division.name if len(divisions) > 1 else "",
                by_number={entry.number: entry for entry in entries[division.pk]},
            )
        )
    return tuple(found)


def columns_of(choice: Choice) -> dict[str, Any]:
    """The choice as columns of SectionMovement."""
    return {
        "kind": choice.kind.value,
        "tables": choice.tables,
        "even": choice.even.value,
        "rounds": choice.rounds,
        "arrow_switched": choice.arrow_switched,
        "phantom": choice.phantom,
        "length": choice.length,
        "barometer": choice.barometer,
    }


def _chosen(competition: Competition) -> dict[int, SectionMovement]:
    rows = SectionMovement.objects.filter(division__stage__competition=competition)
    return {row.division_id: row for row in rows}


def _section(
    division: Division, entries: tuple[Entry, ...], row: SectionMovement | None, *, is_one_of_several: bool
) -> Section:
    prefix = division.name if is_one_of_several else ""
    plain = Section(division, entries, None, None, prefix=prefix, first_table=row.first_table if row else 1)
    choice = row.choice if row else None
    usual = offers.choices(len(entries))
    if choice is None or _refusal(choice, len(entries)):
        is_chosen, choice = False, usual[0] if usual else None
    else:
        is_chosen = True
    if choice is None:
        said = ContestError(
            "pairs",
            offers.PAIRS,
            pairs=len(entries),
            fewest=offers.FEWEST_PAIRS,
            most=offers.MOST_PAIRS,
        )
        return replace(plain, refusal=in_words(said.message))
    numbered = dict(zip(choice.numbers(), entries, strict=True))
    return replace(plain, choice=choice, movement=choice.movement(), is_chosen=is_chosen, by_number=numbered)


def _refusal(choice: Choice, pairs: int) -> str:
    try:
        offers.check(choice, pairs)
    except ContestError as refusal:
        return in_words(refusal.message)
    return ""
