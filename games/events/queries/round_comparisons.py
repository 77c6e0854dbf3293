"""A round of a duplicate league: what each match was worth in league points, and beside the other tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.contest.points.parsing import read_scheme
from games import embargo
from games.comparisons.reckoning import rankings
from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.embargo import Sight
from games.models import Board, BoardSet
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Competition, Fixture
from league.querysets import DECIDED
from league.standings import round_names
from league.standings.queries import line_of


@dataclass(frozen=True, slots=True)
class PairInRound:
    """A pair's match: score, league points, and what its boards were worth in the comparison."""

    pair: Pair
    opponents: Pair
    fixture: int
    score: int | None
    against: int | None
    league_points: Fraction | None
    standing: RankingRow | None
    is_mine: bool


@dataclass(frozen=True, slots=True)
class RoundComparison:
    """The round: its pairs, the best in the comparison first, and its boards."""

    number: int
    name: str
    set: BoardSet
    boards: tuple[Board, ...]
    opened: int
    ranking: Ranking | None
    pairs: tuple[PairInRound, ...]


def round_comparison(*, competition: Competition, number: int, visitor: Reader) -> RoundComparison | None:
    """The round's boards and matches; None where its tables do not play the same boards."""
    boards = tuple(
        Board.objects.filter(
            plays__fixture__round__stage__competition=competition, plays__fixture__round__number=number
        )
        .select_related("board_set")
        .distinct()
        .order_by("number")
    )
    if not boards:
        return None
    sights = embargo.board_sights(visitor=visitor, boards=boards)
    ranked = [each for each in rankings.of_event(competition, number) if not each.section]
    standings = {row.pair.entry: row for ranking in ranked for row in ranking.rows}
    pairs = _pairs(competition, number, standings, visitor)
    return RoundComparison(
        number=number,
        name=round_names.of_numbers(competition.stage, [number])[number],
        set=boards[0].board_set,
        boards=boards,
        opened=sum(sight == Sight.FIELD for sight in sights.values()),
        ranking=ranked[0] if ranked else None,
        pairs=tuple(sorted(pairs, key=_place)),
    )


def _place(pair: PairInRound) -> tuple[bool, int, str]:
    rank = pair.standing.rank if pair.standing else None
    return (rank is None, rank or 0, pair.pair.name)


def _pairs(
    competition: Competition, number: int, standings: Mapping[int, RankingRow], visitor: Reader
) -> Iterator[PairInRound]:
    own = own_entries(visitor, competition)
    # Of team matches the rooms play the boards, and nobody is told of one before its time.
    fixtures = Fixture.with_rooms.at_tables().visible_to(visitor).with_pairs()
    fixtures = fixtures.filter(round__stage__competition=competition, round__number=number)
    scheme = read_scheme(competition.points)
    for fixture in fixtures:
        is_counted = fixture.status in DECIDED and fixture.has_result and fixture.team_match_id is None
        awards = scheme.awards(line_of(fixture)) if is_counted else (None, None)
        for side, other, award in zip(fixture.sides, reversed(fixture.sides), awards, strict=True):
            yield PairInRound(
                pair=pair_of(side.entry),
                opponents=pair_of(other.entry),
                fixture=fixture.pk,
                score=side.score,
                against=other.score,
                league_points=award.points if award else None,
                standing=standings.get(side.entry_id),
                is_mine=side.entry_id in own,
            )
