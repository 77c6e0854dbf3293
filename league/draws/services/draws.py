"""Drawing the rounds: who meets whom, when; by the Berger tables, in each division."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError
from django.utils.translation import gettext as _

from engine.contest.draws.swiss import ImpossibleDrawError
from engine.contest.draws.tables import TableRound
from league import extension, formats, locks, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.competitions.calendars import RoundDates, dates_of_rounds, table_of
from league.competitions.services import competitions, drafts
from league.draws.services import apart, lots
from league.errors import Conflict, Invalid
from league.fixtures.services import meetings, telling
from league.models import Appearance, Competition, Division, Entry, Fixture, Round, RoundDraw
from league.standings import round_names
from league.standings.queries import carried_over
from league.standings.services import standings
from league.words import sentences

GIVEN, BY_LOT = "given", "lot"
OUT_OF_THE_WAY = 10_000
PASSED = {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED}


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match of a preview: who meets, in order. Where two meet, the first is at home."""

    entries: tuple[Entry, ...]

    def __str__(self) -> str:
        return " – ".join(map(str, self.entries))


@dataclass(frozen=True, slots=True)
class DivisionRound:
    """One round of one division: its matches in table order and who sits out."""

    division: Division
    matches: tuple[DrawnMatch, ...]
    byes: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class DrawnCalendarRound:
    """One round of the competition with its name and dates, and what happens in each division."""

    name: str
    dates: RoundDates
    divisions: tuple[DivisionRound, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """All rounds as they would be drawn."""

    rounds: tuple[DrawnCalendarRound, ...]

    @property
    def matches(self) -> int:
        """How many matches there are in all."""
        return sum(len(each.matches) for drawn in self.rounds for each in drawn.divisions)

    @property
    def byes(self) -> int:
        """How many byes there are in all."""
        return sum(len(each.byes) for drawn in self.rounds for each in drawn.divisions)


def preview(competition: Competition) -> Draw:
    """The draw by the pairs' numbers, with dates: nothing is written. Raises Invalid when it cannot be drawn."""
    return _plan(competition, fields(competition))


def fields(competition: Competition) -> list[tuple[Division, list[Entry]]]:
    """Each division with its pairs in the order in which they would be drawn: by number, or by lots drawn before."""
    seed = "" if competition.stage.rounds.exists() else competition.stage.draw_seed
    placed = competition.terms.get(formats.PLACED, 0)
    return [
        (division, _in_order(division, seed, placed))
        for division in competition.stage.divisions.order_by("level")
    ]


def _in_order(division: Division, seed: str, placed: int) -> list[Entry]:
    """By number, or by lot but for those who are placed by their numbers (F40)."""
    entered = _entered(division)
    if not seed:
        return entered
    rest = {entry.pk: entry for entry in entered[placed:]}
    drawn = [*entered[:placed], *(rest[key] for key in lots.order_of(rest, seed=seed))]
    return sorted(drawn, key=lambda entry: entry.is_house and division.stage.is_swiss)


@transaction.atomic
def draw_numbers(*, actor: Actor, competition: Competition) -> Competition:
    """Draws lots for the numbers of a draft's pairs; the draw that follows keeps to them. The seed is recorded."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.draw", competition)
    if competition.stage.rounds.exists():
        raise Conflict(_("The rounds have already been drawn."))
    said = sentences.gettext("Numbers drawn by lot")
    if competition.stage.draw_seed:
        said = sentences.gettext("Numbers drawn by lot again")
    drafts.remember(
        actor=actor,
        competition=competition,
        action="competition.numbers_drawn",
        summary=said,
        parts=("entries",),
    )
    competition.stage.draw_seed = lots.new_seed()
    competition.stage.save(update_fields=["draw_seed"])
    audit.record(
        actor=actor,
        action="competition.numbers_drawn",
        summary=said,
        competition=competition,
        after={"seed": competition.stage.draw_seed},
    )
    return competition


@transaction.atomic
def draw(
    *, actor: Actor, competition: Competition, order: str = GIVEN, seed: str | None = None
) -> Competition:
    """Draws all rounds: the numbers in the order of entry ("given"), or by lot with a recorded seed ("lot").

    A draw may be repeated as long as no match has begun; the old fixtures then make way. A seed is given only to
    repeat a draw.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "competition.draw", competition)
    check_drawn_here(competition)
    if order not in {GIVEN, BY_LOT}:
        raise Invalid(_("Choose an order: as entered, or by lot."))
    redrawn = competition.stage.rounds.exists()
    said = sentences.gettext("Rounds drawn again") if redrawn else sentences.gettext("Rounds drawn")
    kept: dict[str, Any] = {"action": "competition.drawn", "summary": said}
    drafts.remember(actor=actor, competition=competition, parts=("draw",), **kept)
    _remove_rounds(competition, only_matches=competition.state != Competition.State.DRAFT)
    competition.stage.draw_seed = (seed or lots.new_seed()) if order == BY_LOT else ""
    competition.stage.save(update_fields=["draw_seed"])
    numbered = [
        (division, _numbered(division, competition.stage.draw_seed, competition.terms.get(formats.PLACED, 0)))
        for division in competition.stage.divisions.order_by("level")
    ]
    _write(competition, _plan(competition, numbered))
    audit.record(
        actor=actor,
        competition=competition,
        **kept,
        after={
            "order": order,
            "seed": competition.stage.draw_seed,
            "numbers": {str(division.pk): [entry.pk for entry in entries] for division, entries in numbered},
        },
    )
    standings.bump(competition=competition)
    if competition.state != Competition.State.DRAFT:
        extension.layer().drawn(actor=actor, competition=competition)
        telling.season_published(actor=actor, competition=competition, is_again=True)
        matches = Fixture.objects.of_competition(competition.pk)
        telling.rounds_published(competition=competition, fixtures=matches)
    return competition


@transaction.atomic
def take_back(*, actor: Actor, competition: Competition, reason: str = "") -> Competition:
    """Removes the drawn rounds of a draft, so that dates, format or pairs can be changed."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.draw", competition)
    check_drawn_here(competition)
    if competition.state != Competition.State.DRAFT:
        raise Conflict(_("This competition is published. You can draw again, but you can’t undo the draw."))
    drafts.remember(
        actor=actor,
        competition=competition,
        action="competition.draw_taken_back",
        summary=sentences.gettext("Draw undone"),
        parts=("draw",),
    )
    _remove_rounds(competition)
    audit.record(
        actor=actor,
        action="competition.draw_taken_back",
        summary=sentences.gettext("Draw undone"),
        competition=competition,
        reason=reason,
    )
    return competition


def may_be_redrawn(competition: Competition) -> bool:
    """Whether nothing has happened yet that a new draw would destroy."""
    if competition.stage.is_ladder:
        return competition.state == Competition.State.DRAFT
    return competition.state != Competition.State.FINISHED and not _begun(competition)


def _begun(competition: Competition) -> bool:
    return Fixture.objects.of_competition(competition.pk).exclude(status__in=PASSED).exists()


def _remove_rounds(competition: Competition, *, only_matches: bool = False) -> None:
    """Makes room for another draw. Rounds that were published stay with what was made for them: only matches go."""
    refusal = _("You can no longer draw again: some matches have begun or have a result.")
    if competition.state == Competition.State.FINISHED:
        raise Conflict(_("This competition is finished."))
    if competition.stage.is_ladder and competition.state != Competition.State.DRAFT:
        raise Conflict(_("The ladder has begun: from here on matches change its order."))
    locks.take(Fixture.objects.of_competition(competition.pk))
    if _begun(competition):
        raise Conflict(refusal)
    try:
        RoundDraw.objects.filter(round__stage=competition.stage).delete()
        if only_matches:
            Appearance.objects.filter(round__stage__competition=competition).delete()
            Fixture.objects.of_competition(competition.pk).delete()
        else:
            competition.stage.rounds.all().delete()
    except ProtectedError as used:
        raise Conflict(refusal) from used


def _entered(division: Division) -> list[Entry]:
    # The house pair is last, so that it plays where others would have a bye (F32).
    order = ("is_house", "number") if division.stage.is_swiss else ("number",)
    return list(division.entries.active().with_pairs().order_by(*order))


def _numbered(division: Division, seed: str, placed: int) -> list[Entry]:
    """The division's pairs with their numbers of the draw, 1 to n without gaps; withdrawn ones come after them."""
    entries = _in_order(division, seed, placed)
    gone = list(division.entries.filter(withdrawn_at__isnull=False).order_by("number"))
    # Numbers are unique in a division, so they first step aside together.
    division.entries.update(number=F("number") + OUT_OF_THE_WAY)
    for number, entry in enumerate([*entries, *gone], start=1):
        entry.number, entry.first_round = number, 1
    Entry.objects.bulk_update([*entries, *gone], ["number", "first_round"])
    return entries


def _plan(competition: Competition, fields: Sequence[tuple[Division, list[Entry]]]) -> Draw:
    game = extension.game(competition.game)
    _check_sizes(fields, fewest=game.sides[0])
    # A draft's game may have changed after its entries came in.
    validation.check_size(
        (entry.lineup for _division, found in fields for entry in found), competition.lineup_sizes
    )
    tables = [(division, entries, _tables(division, entries)) for division, entries in fields]
    length = max((len(table) for _division, _entries, table in tables), default=0)
    sizes = [len(entries) for _division, entries in fields]
    names = round_names.foreseen(competition.stage, range(1, length + 1), sizes)
    return Draw(
        tuple(
            DrawnCalendarRound(
                name=names[dates.number],
                dates=dates,
                divisions=tuple(
                    _division_round(division, entries, table[index])
                    for division, entries, table in tables
                    if index < len(table)
                ),
            )
            for index, dates in enumerate(dates_of_rounds(competition, length))
        )
    )


def _tables(division: Division, entries: Sequence[Entry]) -> tuple[TableRound, ...]:
    """The rounds of a division; in the first of a Swiss those who are kept apart don't meet (F22).

    Points that are carried over count in it, too (F8, F11).
    """
    if division.stage.has_register:
        return table_of(division.competition, len(entries))
    if division.stage.is_swiss and len(entries) % 2 and entries[-1].is_house:
        entries = entries[:-1]
    found = table_of(division.competition, len(entries))
    if not found or not division.stage.is_swiss:
        return found
    numbers = {entry.pk: number for number, entry in enumerate(entries, start=1)}
    together = apart.in_round(division, 1)
    here = [frozenset(numbers[key] for key in two) for two in together if two <= numbers.keys()]
    starts = {numbers[int(each.entry)]: each.points for each in carried_over(division, entries)}
    if not here and not starts:
        return found
    try:
        return formats.first_of_swiss(len(entries), here, starts), *found[1:]
    except ImpossibleDrawError as impossible:
        who = ", ".join(str(entries[int(number) - 1]) for number in impossible.left)
        raise Invalid(_("There is no draw: no opponent for %(who)s.") % {"who": who}) from None


def check_drawn_here(competition: Competition) -> None:
    """Raises Conflict for a format whose rounds follow from a movement, not from a draw."""
    if not competition.stage.is_league:
        raise Conflict(_("In this event the movement decides who meets whom. See its own pages."))


def _check_sizes(fields: Sequence[tuple[Division, list[Entry]]], *, fewest: int) -> None:
    if not fields:
        raise Invalid(_("The competition has no division yet."))
    for division, entries in fields:
        if len(entries) < fewest and fewest > 2:
            raise Invalid(
                _("%(division)s has %(count)d entries. A match needs %(fewest)d or more.")
                % {"division": division, "count": len(entries), "fewest": fewest}
            )
        if len(entries) < 2:
            raise Invalid(
                _("%(division)s has %(entries)s; a draw needs two or more.")
                % {"division": division, "entries": division.stage.competition.entries_in_words(len(entries))}
            )
        most = formats.FORMATS[division.stage.format].most_entries
        if len(entries) > most:
            raise Invalid(
                _(
                    "%(division)s is too large for one draw: the most is %(most)d. Split it into more divisions."
                )
                % {"division": division, "most": most}
            )


def _division_round(division: Division, entries: list[Entry], drawn: TableRound) -> DivisionRound:
    return DivisionRound(
        division=division,
        matches=tuple(DrawnMatch(tuple(entries[n - 1] for n in table)) for table in drawn.tables),
        byes=tuple(entries[number - 1] for number in drawn.byes),
    )


def _write(competition: Competition, plan: Draw) -> None:
    rounds = _write_rounds(competition, plan)
    meetings.meet(
        (
            Fixture(
                division=each.division,
                round=row,
                starts_at=drawn.dates.plays_at,
                place=competition.place,
                table=str(number) if competition.stage.is_swiss else "",
            ),
            match.entries,
        )
        for row, drawn in zip(rounds, plan.rounds, strict=True)
        for each in drawn.divisions
        for number, match in enumerate(each.matches, start=1)
    )
    meetings.sit_out(
        (row, entry)
        for row, drawn in zip(rounds, plan.rounds, strict=True)
        for each in drawn.divisions
        for entry in each.byes
    )


def _write_rounds(competition: Competition, plan: Draw) -> list[Round]:
    """The rounds of the plan: those that are there with its dates, new ones for the others."""
    there = {each.number: each for each in competition.stage.rounds.all()}
    rounds = []
    for drawn in plan.rounds:
        row = there.pop(drawn.dates.number, None) or Round(stage=competition.stage, number=drawn.dates.number)
        row.starts_on, row.closes_at = drawn.dates.starts_on, drawn.dates.closes_at
        row.save()
        rounds.append(row)
    try:
        with transaction.atomic():
            Round.objects.filter(pk__in=[each.pk for each in there.values()]).delete()
    except (ProtectedError, IntegrityError) as kept:
        raise Conflict(
            _("We can’t remove a round that is no longer needed, because something in it has to be kept.")
        ) from kept
    return rounds
