"""Tables as values: computed from the facts of a division, and read back as they were stored."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from engine.contest import exact
from engine.contest import results as contest
from engine.contest.points.parsing import read_scheme
from engine.contest.points.scheme import HeadToHead, PointsScheme
from engine.contest.results import Ending, ResultLine
from engine.contest.standings.standings import history, standings
from engine.contest.standings.table import Table
from league import extension
from league.models import (
    Appearance,
    Challenge,
    Competition,
    Division,
    Entry,
    Fixture,
    RequestedBye,
    Stage,
    StandingsTable,
)
from league.standings import brackets, ladders
from league.standings import credits as credits_
from league.standings.credits import Credits

CURRENT = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a division's tables follow from; entries and fixtures are named by key."""

    entries: tuple[contest.Entry, ...]
    results: tuple[ResultLine, ...]
    byes: tuple[contest.Bye, ...]
    adjustments: tuple[contest.Adjustment, ...]
    withdrawals: tuple[contest.Withdrawal, ...]
    draws: tuple[contest.DrawOfLots, ...]
    scheme: PointsScheme
    tie_breaks: tuple[str, ...]
    places: Mapping[Any, int] = field(default_factory=dict)
    """Of a knock-out whose final is decided (F48), and of a ladder."""
    has_history: bool = True
    """Whether there is a table after each round."""


@dataclass(frozen=True, slots=True)
class ComputedTable:
    """One table, ready to be stored. The digest is that of its canonical JSON."""

    content: dict[str, Any]
    digest: str
    results_counted: int


@dataclass(frozen=True, slots=True)
class Computed:
    """A division's tables by the round after which they stand; 0 is the current one."""

    tables: Mapping[int, ComputedTable]


def read_facts(division: Division) -> Facts:
    """The facts of a division, in seven queries however many pairs it has; of a knock-out, in thirteen.

    Where partners change its entries are the players, and both of a pair are credited with what it makes (F123).
    """
    found = _read_facts(division)
    if division.stage.is_ladder:
        return replace(found, places=ladders.places_of(division), has_history=False)
    if not division.stage.is_bracket:
        return found
    # Whatever is written as its points: a win is a round survived.
    bracket = brackets.of_division(division)
    return replace(
        found,
        adjustments=tuple(_decided_otherwise(bracket)),
        scheme=read_scheme(brackets.POINTS),
        tie_breaks=brackets.TIE_BREAKS,
        places=bracket.places,
    )


def _decided_otherwise(bracket: brackets.Bracket) -> Iterator[contest.Adjustment]:
    """A round survived, or not, that the results of its matches alone don't say: a tie counts once for all its legs."""
    for tie in (tie for ties in bracket.rounds for tie in ties if tie.legs):
        won = [brackets.by_result(leg) for leg in tie.legs]
        for entry in tie.entries:
            counts = int(tie.is_decided and tie.winner == entry)
            if counts != won.count(entry.pk):
                yield contest.Adjustment(
                    entry.pk, Fraction(counts - won.count(entry.pk)), _said(tie), tie.legs[-1].round.number
                )


def _said(tie: brackets.Tie) -> str:
    """What decided a tie besides one result: the reason, the extra boards, or the points of its legs."""
    if tie.decision is not None and tie.decision.reason:
        return tie.decision.reason
    sets = tie.decision.extra if tie.decision is not None else []
    played = [[side.score for side in leg.sides] for leg in tie.legs if len(tie.legs) > 1 and leg.has_result]
    return ", ".join(f"{home}–{away}" for home, away in [*played, *sets] if home is not None)


def _read_facts(division: Division) -> Facts:
    competition = division.competition
    game = extension.layer().games.get(competition.game)
    lower_is_better = game is not None and game.lower_is_better
    entries = list(division.entries.order_by("number").prefetch_related("adjustments"))
    withdrawn = {entry.pk for entry in entries if entry.withdrawn_at}
    fixtures = (
        Fixture.objects.filter(division=division).select_related("round").prefetch_related("appearances")
    )
    asked = RequestedBye.objects.filter(entry=OuterRef("entry"), round=OuterRef("round"))
    byes = Appearance.objects.byes().filter(entry__division=division).select_related("round")
    scheme = read_scheme(competition.points)
    credited = credits_.of_stage(division.stage)
    listed = tuple(
        contest.Entry(e.pk, e.number, e.first_round, is_ranked=not (e.is_house and division.stage.is_swiss))
        for e in entries
    )
    return Facts(
        entries=listed,
        results=tuple(_line(each, withdrawn, credited, lower_is_better=lower_is_better) for each in fixtures),
        byes=tuple(
            contest.Bye(bye.entry_id, bye.round.number, is_requested=bye.was_asked_for)
            for bye in byes.annotate(was_asked_for=Exists(asked))
        )
        + tuple(scheme.before_they_came(listed) if division.stage.is_swiss else ()),
        adjustments=tuple(
            contest.Adjustment(a.entry_id, Fraction(a.points), a.reason, a.round_number)
            for entry in entries
            for a in entry.adjustments.all()
            if a.revoked_at is None
        )
        + tuple(carried_over(division, entries)),
        withdrawals=tuple(
            contest.Withdrawal(e.pk, e.withdrawal_reason, results_stand=division.stage.results_stand)
            for e in entries
            if e.pk in withdrawn
        ),
        draws=tuple(
            contest.DrawOfLots(tuple(draw.order)) for draw in division.lot_draws.order_by("made_at", "pk")
        ),
        scheme=scheme,
        tie_breaks=tuple(competition.tie_breaks),
    )


def carried_over(division: Division, entries: Iterable[Entry]) -> Iterator[contest.Adjustment]:
    """What counts on from the stage before, as its table stands now (F8); nothing where points can't be compared."""
    stage = division.stage
    worth = worth_of_carried(stage) if stage.after is not None else None
    if stage.after is None or not worth:
        return
    before = stage.after.whole
    made: dict[int, Fraction] = {}
    tables = current(before)
    for each in before.stage.divisions.all():
        table = tables.get(each.pk)
        rows = (table.table if table and not table.is_stale else compute_table(read_facts(each))).rows
        lineups = dict(each.entries.values_list("pk", "lineup"))
        made |= {lineups[row.entry]: row.league_points for row in rows if row.entry in lineups}
    share = {Stage.CarryOver.HALF: " × ½"}.get(Stage.CarryOver(stage.carry_over), "")
    scale = worth * 2 if share else worth
    times = f" × {exact.shown(scale)}" if scale != 1 else ""
    # The table is read by more people than may see that there is a competition for members.
    is_named = before.visibility in {stage.competition.visibility, before.Visibility.PUBLIC}
    name = f"{before}, " if is_named else ""
    for entry in entries:
        points = made.get(entry.lineup_id)
        if points is not None:
            said = f"{name}{exact.shown(points)}{times}{share}"
            yield contest.Adjustment(entry.pk, points * worth, said, is_carried=True)


def worth_of_carried(stage: Stage) -> Fraction | None:
    """What a point of the stage before counts in this one, on its scale (F8): 0 for nothing.

    None where the two can't be compared: a bracket or a ladder has no points, and only where two meet, or two teams for
    victory points, a win says what a point is worth.
    """
    before = stage.after
    if before is None or stage.carry_over == Stage.CarryOver.NONE:
        return Fraction(0)
    if any(each.is_bracket or each.is_ladder or not each.is_league for each in (before, stage)):
        return None
    share = Fraction(1, 2) if stage.carry_over == Stage.CarryOver.HALF else Fraction(1)
    old, new = before.competition, stage.competition
    wins = [_worth_of_win(old), _worth_of_win(new)]
    if wins[0] is not None and wins[1] is not None:
        return share * wins[1] / wins[0]
    is_same = (old.points, old.team_method) == (new.points, new.team_method)
    return share if is_same and before.is_at_tables == stage.is_at_tables else None


def _worth_of_win(competition: Competition) -> Fraction | None:
    """The most that a match can bring, where that is fixed."""
    if competition.team_method == Competition.TeamMethod.IMPS:
        return Fraction(20)
    scheme = read_scheme(competition.points)
    most = (
        max((band.winner for band in scheme.bands), default=Fraction(0))
        if isinstance(scheme, HeadToHead)
        else 0
    )
    return Fraction(most) if most > 0 else None


def _line(fixture: Fixture, withdrawn: set[int], credited: Credits, *, lower_is_better: bool) -> ResultLine:
    line = line_of(fixture, lower_is_better=lower_is_better)
    line = replace(line, sides=tuple(_of_players(side, credited) for side in line.sides))
    if fixture.status != Fixture.Status.VOID:
        return line
    # What a withdrawal left unplayed still counts as a match to play, for the half-played rule.
    is_left = bool(withdrawn.intersection(line.entries))
    return line.ending_as(Ending.OPEN if is_left else Ending.VOID, is_void=True)


def _of_players(side: contest.Side, credited: Credits) -> contest.Side:
    """The side of two players who are partners for a match."""
    one, *other = credited.of(int(side.entry))
    return replace(side, entry=one, partner=other[0]) if other else side


def line_of(fixture: Fixture, *, lower_is_better: bool = False) -> ResultLine:
    """The fixture with its result, or open."""
    sides = tuple(
        contest.Side(
            side.entry_id,
            Ending(side.outcome or Ending.OPEN),
            side.score or 0,
            side.rank or 0,
            _made_by_team(side.made),
        )
        for side in fixture.sides
    )
    return ResultLine(fixture.pk, fixture.round.number, sides, lower_is_better)


def _made_by_team(made: Mapping[str, Any] | None) -> contest.TeamFigures | None:
    return contest.TeamFigures(Fraction(made["points"]), made["imps"], made["net"]) if made else None


def compute_division(facts: Facts) -> Computed:
    """Every table of the division: the current one, and the one after each round that has a result."""
    tables = {CURRENT: _computed(compute_table(facts))}
    if not facts.has_history:
        return Computed(tables)
    for table in history(facts.entries, facts.results, facts.scheme, facts.tie_breaks, **_more(facts)):
        tables[table.after_round or CURRENT] = _computed(table)
    return Computed(tables)


def compute_table(facts: Facts) -> Table:
    """The current table as a value."""
    table = standings(facts.entries, facts.results, facts.scheme, facts.tie_breaks, **_more(facts))
    return _placed(table, facts.places) if facts.places else table


def _placed(table: Table, places: Mapping[Any, int]) -> Table:
    """The table with these places; who has none stands last, without one."""
    level = Counter(places.values())
    rows = [
        replace(row, place=places.get(row.entry), is_shared=level[places.get(row.entry, 0)] > 1)
        for row in table.rows
    ]
    return replace(table, rows=tuple(sorted(rows, key=lambda row: row.place or len(rows) + 1)))


def _more(facts: Facts) -> dict[str, Any]:
    return {
        "adjustments": facts.adjustments,
        "byes": facts.byes,
        "draw_of_lots": facts.draws,
        "withdrawals": facts.withdrawals,
    }


def _computed(table: Table) -> ComputedTable:
    return ComputedTable(table.as_json(), table.digest(), table.results_counted)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A division's table as the worker stored it, and whether newer results wait to be computed."""

    table: Table
    results_version: int
    computed_at: datetime
    is_stale: bool


def current(competition: Competition) -> dict[int, StoredTable]:
    """The stored current tables, by the key of their division; none of a division before the first computation."""
    return {row.division_id: _stored(row, competition) for row in current_rows(competition)}


def current_rows(competition: Competition) -> QuerySet[StandingsTable]:
    """The same as they are stored."""
    rows = StandingsTable.objects.filter(division__stage__competition=competition, after_round=CURRENT)
    return rows.order_by("division_id")


def after_round(division: Division, number: int) -> StoredTable | None:
    """The stored table after a round; None where there is none."""
    row = StandingsTable.objects.filter(division=division, after_round=number).first()
    return _stored(row, division.competition) if row else None


def _stored(row: StandingsTable, competition: Competition) -> StoredTable:
    is_stale = row.results_version < competition.results_version
    return StoredTable(Table.from_json(row.content), row.results_version, row.computed_at, is_stale)


def progress(division: Division) -> dict[int, Table]:
    """The stored table after each round, by round."""
    rows = StandingsTable.objects.filter(division=division, after_round__gt=CURRENT).order_by("after_round")
    return {row.after_round: Table.from_json(row.content) for row in rows}


@dataclass(frozen=True, slots=True)
class Consequences:
    """The division's table as the results are now, and as it would be."""

    before: Table
    after: Table


def consequences(fixture: Fixture, *, scores: Sequence[int] | None) -> Consequences:
    """What it does to the table when the fixture counts with these scores, in the order of its sides.

    None is without a result.
    """
    facts = read_facts(fixture.division)
    challenge = getattr(fixture, "challenge", None)
    if challenge is not None:
        return _on_the_ladder(facts, fixture, challenge, scores)

    def changed(line: ResultLine) -> ResultLine:
        if line.fixture != fixture.pk:
            return line
        return line.ending_as(Ending.OPEN) if scores is None else line.with_scores(scores)

    after = replace(facts, results=tuple(changed(line) for line in facts.results))
    return Consequences(compute_table(facts), compute_table(replace(after, places={})))


def _on_the_ladder(
    facts: Facts, fixture: Fixture, challenge: Challenge, scores: Sequence[int] | None
) -> Consequences:
    """The order with the result, or the corrected one, folded again from its day (F106)."""
    winner = None
    if scores is not None and scores[0] != scores[1]:
        is_first = (scores[0] > scores[1]) != brackets.is_lower_better(fixture)
        winner = fixture.entries[0 if is_first else 1].pk
    after = replace(facts, places=ladders.places_with(challenge, winner))
    return Consequences(compute_table(facts), compute_table(after))
