"""Standings as a page shows them: rows with names, marks, and the answers to "why?"."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.results import Key
from engine.contest.standings import explanation
from engine.contest.standings.ledger import Contribution, Source
from engine.contest.standings.ranking import Parting
from engine.contest.standings.standings import FORM_LENGTH
from engine.contest.standings.table import Row, Table
from league.actors import Reader
from league.fixtures.queries import Pair, divisions_of, entries_of, own_entries, pair_of
from league.models import Appearance, Competition, Division, Entry, FinalPlace, Fixture, StandingsTable
from league.standings import queries as standings
from league.standings.queries import StoredTable
from league.web.local_time import Moment, age_text, moment
from league.web.number_format import exact_text, in_column
from league.web.wording import in_words, tie_breaks_in_words

Pairs = Mapping[Key, Pair]
Way = FinalPlace.Way
BANDS: Mapping[str, str] = {
    Way.PROMOTED: "promoted",
    Way.INTO_VACANCY: "promoted",
    Way.RELEGATED: "relegated",
    Way.FOR_ROOM: "relegated",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A word beside a pair's name, in a pill."""

    text: str
    tone: str = "neutral"


@dataclass(frozen=True, slots=True)
class MiniLine:
    """A pair in the small table of those who were level."""

    name: str
    points: str
    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One pair in the table, with everything that its figures are made of.

    `band` is "promoted", "relegated" or nothing. `why_place` and `why_points` are sentences.
    """

    pair: Pair
    place: str
    band: str
    is_mine: bool
    played: int
    to_play: int
    won: int
    drawn: int
    lost: int
    score_for: int
    score_against: int
    form: str
    league_points: Fraction
    points: str
    why_place: tuple[str, ...] = ()
    mini_league: tuple[MiniLine, ...] = ()
    why_points: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    note: str = ""
    last_places: str = ""
    """Its places at the last tables, the newest last."""

    @property
    def difference(self) -> int:
        """Points scored less points conceded."""
        return self.score_for - self.score_against


@dataclass(frozen=True, slots=True)
class DivisionStandings:
    """The table of a division; `rows` is empty and `waiting` lists the pairs before the first computation."""

    key: int
    name: str
    promoted: int
    relegated: int
    rows: tuple[StandingsRow, ...] = ()
    withdrawn: tuple[StandingsRow, ...] = ()
    waiting: tuple[Pair, ...] = ()
    tie_breaks: tuple[str, ...] = ()
    computed: Moment | None = None
    age: str = ""
    results_counted: int = 0
    is_stale: bool = False

    @property
    def is_computed(self) -> bool:
        """Whether there is a table to show."""
        return self.computed is not None


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What the rows need besides the table itself."""

    pairs: Pairs
    mine: frozenset[int]
    late: Mapping[int, int]
    postponed: Mapping[int, int]
    moves: Mapping[int | str, str] | None
    """Of a finished competition the band of everybody who moves, also by a play-off or into a free place (F81)."""


def of_competition(
    competition: Competition,
    user: Reader,
    *,
    at: datetime,
    mine: frozenset[int] | None = None,
    stored: Mapping[int, StoredTable] | None = None,
) -> tuple[DivisionStandings, ...]:
    """The table of every division; the queries do not depend on the number of pairs. `mine` are the reader's entries
    and `stored` the `current` tables, where they are known."""
    stored = standings.current(competition) if stored is None else stored
    entries = list(entries_of(competition).values())
    known = _Knowledge(
        pairs={entry.pk: pair_of(entry) for entry in entries},
        mine=own_entries(user, competition) if mine is None else mine,
        late={entry.pk: entry.first_round for entry in entries if entry.first_round > 1},
        postponed=_postponed(competition),
        moves=_moves(competition),
    )
    return tuple(
        _division(division, [e for e in entries if e.division_id == division.pk], known, at, stored)
        for division in divisions_of(competition)
    )


def version(
    competition: Competition, *, at: datetime, stored: Mapping[int, StoredTable] | None = None
) -> str:
    """A text that changes with the tables; behind the hyphen a part for what is said of them: age, newer results.

    `stored` are the `current` tables, where they are known.
    """
    tables: Mapping[int, StoredTable | StandingsTable] | None = stored
    if tables is None:
        tables = {row.division_id: row for row in standings.current_rows(competition).defer("content")}
    versions = [(division, each.results_version) for division, each in tables.items()]
    ages = [age_text(each.computed_at, now=at) for each in tables.values()]
    return f"{_digest(versions)}-{_digest([competition.results_version, *ages])}"


def is_same_table(one: str, other: str) -> bool:
    """Whether two versions differ at most in the words about the tables."""
    return one.partition("-")[0] == other.partition("-")[0]


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def _postponed(competition: Competition) -> Counter[int]:
    sides = Appearance.objects.filter(
        round__stage__competition=competition, fixture__status=Fixture.Status.POSTPONED
    )
    return Counter(sides.values_list("entry_id", flat=True))


def _moves(competition: Competition) -> dict[int | str, str] | None:
    if competition.state != Competition.State.FINISHED:
        return None
    ended = FinalPlace.objects.filter(end__competition=competition, entry__isnull=False)
    return {entry: BANDS.get(way, "") for entry, way in ended.values_list("entry", "way")} or None


def _division(
    division: Division,
    entries: Sequence[Entry],
    known: _Knowledge,
    at: datetime,
    tables: Mapping[int, StoredTable],
) -> DivisionStandings:
    head: dict[str, Any] = {
        "key": division.pk,
        "name": division.name,
        "promoted": division.promoted,
        "relegated": division.relegated,
    }
    stored = tables.get(division.pk)
    if stored is None:
        return DivisionStandings(**head, waiting=tuple(known.pairs[entry.pk] for entry in entries))
    table = stored.table
    return DivisionStandings(
        **head,
        rows=_rows(table, division, known),
        withdrawn=tuple(
            _row(row, exact_text(row.league_points), "", table, known)
            for row in table.withdrawn
            if row.entry in known.pairs
        ),
        tie_breaks=tuple(metric["name"] for metric in tie_breaks_in_words(table.tie_breaks)),
        results_counted=table.results_counted,
        **_freshness(stored, division, at),
    )


def _freshness(stored: StoredTable, division: Division, at: datetime) -> dict[str, Any]:
    return {
        "computed": moment(stored.computed_at, division.competition.club.time_zone),
        "age": age_text(stored.computed_at, now=at),
        "is_stale": stored.is_stale,
    }


def _rows(table: Table, division: Division, known: _Knowledge) -> tuple[StandingsRow, ...]:
    shown = [row for row in table.rows if row.entry in known.pairs]
    points = in_column([row.league_points for row in shown])
    return tuple(
        _row(row, each, _band(row, table, division, known), table, known)
        for row, each in zip(shown, points, strict=True)
    )


def _band(row: Row, table: Table, division: Division, known: _Knowledge) -> str:
    """Where the place leads; pairs who share a place share its fate until something separates them."""
    if known.moves is not None:
        return known.moves.get(row.entry, "")
    if not table.results_counted or row.place is None or row.withdrawal is not None:
        return ""
    sharing = sum(other.place == row.place for other in table.rows)
    if row.place <= division.promoted:
        return "promoted"
    ranked = sum(other.place is not None for other in table.rows)
    return "relegated" if row.place + sharing - 1 > ranked - division.relegated else ""


def _row(row: Row, points: str, band: str, table: Table, known: _Knowledge) -> StandingsRow:
    pair = known.pairs[row.entry]
    name_of = _namer(known.pairs)
    return StandingsRow(
        pair=pair,
        place=_place(row, table),
        band=band,
        is_mine=pair.entry in known.mine,
        played=row.played,
        to_play=row.to_play,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        score_for=row.score_for,
        score_against=row.score_against,
        form=row.form,
        league_points=row.league_points,
        points=points,
        why_place=_why_place(row, table, name_of) if table.results_counted else (),
        mini_league=_mini_league(row, table, name_of),
        why_points=tuple(
            in_words(explanation.contribution(line, name_of)) for line in row.contributions if _tells(line)
        ),
        marks=_marks(row, pair, known),
        last_places=" ".join([str(line.place) for line in row.contributions if line.place][-FORM_LENGTH:]),
        note=in_words(explanation.withdrawn(row.withdrawal)) if row.withdrawal else "",
    )


def _namer(pairs: Pairs) -> explanation.NameOf:
    def name_of(key: Key) -> str:
        return pairs[key].name if key in pairs else _("someone who left")

    return name_of


def _place(row: Row, table: Table) -> str:
    if row.place is None or not table.results_counted:
        return "–"
    return f"{row.place}=" if row.is_shared else str(row.place)


def _why_place(row: Row, table: Table, name_of: explanation.NameOf) -> tuple[str, ...]:
    """What separates the row from the one above and from the one below, with both figures."""
    if row.place is None:
        return ()
    position = table.rows.index(row)
    reasons: list[str] = []
    if position and row.separated_by:
        above = name_of(table.rows[position - 1].entry)
        reasons += _parted(row.separated_by, _("Below %(pair)s"), above)
    if position + 1 < len(table.rows):
        below = table.rows[position + 1]
        if below.separated_by:
            reasons += _parted(below.separated_by, _("Above %(pair)s"), name_of(below.entry))
    return tuple(dict.fromkeys(reasons))


def _parted(parting: Parting, where: str, other: str) -> list[str]:
    reason = in_words(explanation.separation(parting))
    if parting.metric is None:
        where = _("Level with %(pair)s")
    first = _("%(where)s: %(reason)s") % {"where": where % {"pair": other}, "reason": reason}
    return [first, *(in_words(explanation.left_out(skipped)) for skipped in parting.skipped)]


def _mini_league(row: Row, table: Table, name_of: explanation.NameOf) -> tuple[MiniLine, ...]:
    """The small table that parted the row from a neighbour: from the one above, else from the one below."""
    below = [other for one, other in pairwise(table.rows) if one.entry == row.entry]
    partings = [parting for each in (row, *below) if (parting := each.separated_by) is not None]
    number = next((p.mini_league for p in partings if p.mini_league is not None), None)
    if number is None:
        return ()
    return tuple(
        MiniLine(
            name=name_of(row.entry),
            points=exact_text(row.points),
            matches=tuple(in_words(explanation.contribution(line, name_of)) for line in row.matches),
        )
        for row in table.mini_leagues[number].rows
    )


def _signed(points: Fraction) -> str:
    return exact_text(points, signed=True)


def _tells(line: Contribution) -> bool:
    """A bye that is worth nothing explains nothing, least of all one that is still to come."""
    return line.source not in {Source.BYE, Source.REQUESTED_BYE, Source.MISSED} or line.points != 0


def _marks(row: Row, pair: Pair, known: _Knowledge) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    if pair.is_house:
        marks.append(Mark(_("house pair, without standing")))
    if row.withdrawal is not None or pair.is_withdrawn:
        marks.append(Mark(_("withdrawn")))
    postponed = known.postponed.get(pair.entry, 0)
    if postponed:
        text = ngettext("%(count)d postponed", "%(count)d postponed", postponed)
        marks.append(Mark(text % {"count": postponed}, "brass"))
    if pair.entry in known.late:
        marks.append(Mark(_("from round %(number)d") % {"number": known.late[pair.entry]}))
    adjusted, carried = (
        sum((line.points for line in row.contributions if line.source is source), Fraction(0))
        for source in (Source.ADJUSTMENT, Source.CARRIED)
    )
    if carried:
        marks.append(Mark(_("carried over %(points)s") % {"points": _signed(carried)}))
    if adjusted:
        marks.append(Mark(_("adjusted %(points)s") % {"points": _signed(adjusted)}, "brass"))
    return tuple(marks)
