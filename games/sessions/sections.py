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

    `by_number` gives the pairs, or the players, by the numbers of the movement. Where partners change (F120) a table's
    sides are of two players each: `of_players`.

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
    of_players: bool = False

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
        _section(
            Section(
                division,
                tuple(entered),
                None,
                None,
                prefix=division.name if len(fields) > 1 else "",
                of_players=competition.stage.partners_change,
            ),
            chosen.get(division.pk),
        )
        for division, entered in fields
    )


def of_running(competition: Competition) -> tuple[Section, ...]:
    """The sections of an evening that is laid out: each place's pair is the one that has its number now."""
    divisions = list(competition.stage.divisions.order_by("level"))
    chosen = _chosen(competition)
    entries: dict[int, list[Entry]] = {division.pk: [] for division in divisions}
    for entry in Entry.objects.filter(competition=competition).with_pairs().order_by("number"):
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
                of_players=competition.stage.partners_change,
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


def _section(plain: Section, row: SectionMovement | None) -> Section:
    entered, of_players = len(plain.entries), plain.of_players
    plain = replace(plain, first_table=row.first_table if row else 1)
    choice = row.choice if row else None
    is_chosen = choice is not None and not _refusal(choice, plain)
    if not is_chosen:
        choice = next(iter(offers.choices(entered, of_players=of_players)), None)
    if choice is None:
        none = offers.refusal(entered, of_players=of_players)
        return replace(plain, refusal=in_words(none.message) if none else "")
    numbered = dict(zip(choice.numbers(), plain.entries, strict=True))
    return replace(plain, choice=choice, movement=choice.movement(), is_chosen=is_chosen, by_number=numbered)


def _refusal(choice: Choice, section: Section) -> str:
    try:
        offers.check(choice, len(section.entries), of_players=section.of_players)
    except ContestError as refusal:
        return in_words(refusal.message)
    return ""
