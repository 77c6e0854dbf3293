"""A pair's page: what it played, how it did, and against whom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.contest.standings.table import Table
from league.actors import Reader
from league.fixtures.queries import FixtureLine, Pair, lines
from league.models import Competition, Entry, Fixture, Lineup, StandingsTable
from league.standings.queries import CURRENT
from league.web.number_format import exact_text

FORM_LENGTH = 10


def is_visible_to(pair: Lineup, user: Reader) -> bool:
    """Whether this visitor may know of the pair: everybody with an account, else where a competition shows it."""
    if user.is_authenticated:
        return True
    return Entry.objects.filter(lineup=pair, competition__in=Competition.objects.visible_to(user)).exists()


@dataclass(frozen=True, slots=True)
class Record:
    """Matches won, drawn and lost, and the points in them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    score_for: int = 0
    score_against: int = 0

    @property
    def played(self) -> int:
        """All decided matches."""
        return self.won + self.drawn + self.lost

    @property
    def difference(self) -> int:
        """Points scored less points conceded."""
        return self.score_for - self.score_against


@dataclass(frozen=True, slots=True)
class AgainstLine:
    """The record against one other pair."""

    opponent: Pair
    record: Record


@dataclass(frozen=True, slots=True)
class PairEntry:
    """A pair's part in one competition."""

    entry: int
    competition: str
    url: str
    division: str
    season: str
    place: str
    of: int
    points: str
    record: Record
    sides: tuple[tuple[FixtureLine, int], ...]
    """Its matches, each with the entry that it sat in: where partners change, that of the pair of the round."""

    @property
    def fixtures(self) -> tuple[FixtureLine, ...]:
        """The matches alone."""
        return tuple(line for line, _own in self.sides)


@dataclass(frozen=True, slots=True)
class PairPage:
    """Everything about a pair that this visitor may know."""

    entries: tuple[PairEntry, ...]
    of_teams: tuple[Entry, ...]
    """Of these, those as a team."""
    record: Record
    form: str
    against: tuple[AgainstLine, ...]


def page(pair: Lineup, user: Reader) -> PairPage:
    """The pair's results in the competitions this visitor may know of, in a fixed number of queries."""
    visible = Competition.objects.visible_to(user)
    found = Entry.objects.filter(lineup=pair, competition__in=visible)
    entries = list(found.select_related("competition__club", "competition__season", "division"))
    entries.sort(key=lambda entry: (entry.competition.starts_on, entry.pk), reverse=True)
    for entry in entries:
        entry.lineup = pair
    seats = {key: entry.pk for entry in entries for key in (entry.pk, *_of_rounds(entry))}
    keys = set(seats)
    fixtures = Fixture.objects.of_entries(keys).with_pairs()
    drawn = lines(fixtures.order_by("round__starts_on", "round__number", "pk"), mine=())
    tables = _tables(entries)
    parts = tuple(
        _entry(
            entry,
            drawn,
            tables.get(entry.division_id),
            {key for key, own in seats.items() if own == entry.pk},
        )
        for entry in entries
    )
    sides = [(line, own.entry) for line in drawn if (own := line.side_of(keys)) is not None]
    return PairPage(
        entries=parts,
        of_teams=tuple(entry for entry in entries if entry.competition.is_of_teams and entry.team_id is None),
        record=record_of(sides),
        form="".join(line.outcome_of(own) for line, own in sides if line.is_decided)[-FORM_LENGTH:],
        against=_against(sides),
    )


def record_of(sides: Iterable[tuple[FixtureLine, int]]) -> Record:
    """What the decided ones among these fixtures add up to, each seen from the entry beside it."""
    decided = [(line, own) for line, own in sides if line.is_decided]
    outcomes = [line.outcome_of(own) for line, own in decided]
    scores = [line.scores_of(own) for line, own in decided]
    return Record(
        won=outcomes.count("W"),
        drawn=outcomes.count("D"),
        lost=outcomes.count("L"),
        score_for=sum(own or 0 for own, _other in scores),
        score_against=sum(other or 0 for _own, other in scores),
    )


def _tables(entries: Sequence[Entry]) -> dict[int, Table]:
    divisions = {entry.division_id for entry in entries}
    rows = StandingsTable.objects.filter(division__in=divisions, after_round=CURRENT)
    return {row.division_id: Table.from_json(row.content) for row in rows}


def _of_rounds(entry: Entry) -> list[int]:
    """Of a player whose partners change: the pairs of the rounds (F35, F120)."""
    found = Entry.with_rooms.playing_for(entry).filter(team__isnull=False)
    return list(found.values_list("pk", flat=True)) if len(entry.lineup.players) == 1 else []


def _entry(entry: Entry, drawn: Sequence[FixtureLine], table: Table | None, keys: set[int]) -> PairEntry:
    own = [(line, side.entry) for line in drawn if (side := line.side_of(keys)) is not None]
    row = table.row_of(entry.pk) if table else None
    is_ranked = table is not None and row is not None and row.place is not None and table.results_counted > 0
    return PairEntry(
        entry=entry.pk,
        competition=entry.competition.name,
        url=entry.competition.get_absolute_url(),
        division=entry.division.name,
        season=entry.competition.season.name,
        place=str(row.place) if row and is_ranked else "",
        of=len(table.rows) if table else 0,
        points=exact_text(row.league_points) if row and is_ranked else "",
        record=record_of(own),
        sides=tuple(own),
    )


def _against(sides: Sequence[tuple[FixtureLine, int]]) -> tuple[AgainstLine, ...]:
    met: dict[int, list[tuple[FixtureLine, int]]] = {}
    opponents: dict[int, Pair] = {}
    for line, own in sides:
        if line.is_decided:
            for opponent in line.opponents_of(own):
                opponents[opponent.key] = opponent
                met.setdefault(opponent.key, []).append((line.between(own, opponent.entry), own))
    found = [AgainstLine(opponents[key], record_of(those)) for key, those in met.items()]
    return tuple(sorted(found, key=lambda each: (-each.record.played, each.opponent.name)))
