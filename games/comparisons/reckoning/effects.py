"""What a director's decision would do to an event: figures and places that change, before anything is written."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from games import embargo
from games.comparisons.reckoning import columns, fields, figures
from games.comparisons.reckoning.columns import (
    AWAY,
    HOME,
    Play,
    Terms,
)
from games.comparisons.reckoning.rankings import field_title, ranked_text
from games.comparisons.reckoning.shown_figures import ShownFigure
from games.embargo import Sight
from games.models import Board, Comparison, Duplicate, FixtureBoard
from games.records.parsing import Reading
from games.seating import side_titles
from league import policies
from league.actors import Visitor
from league.models import Division, Entry, Fixture
from league.standings import credits as credits_

Change = Callable[[Play], Play]


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A pair's figure on a board, before and after ("–" for none)."""

    pair: str
    board: int
    before: str
    after: str
    is_in_match: bool


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A pair's place in a ranking, before and after (None: without one)."""

    pair: str
    ranking: str
    before: int | None
    after: int | None
    text_before: str
    text_after: str
    is_in_match: bool

    @property
    def moves(self) -> int:
        """How many places it goes up (below 0: down)."""
        return (self.before or 0) - (self.after or 0)


@dataclass(frozen=True, slots=True)
class Effects:
    """What changes. The ranking of boards that are not released yet follows only when they are."""

    boards: tuple[int, ...]
    figures: tuple[FigureChange, ...]
    places: tuple[PlaceChange, ...]
    unchanged: int
    is_ranked: bool

    @property
    def has_rankings(self) -> bool:
        """Whether the places are those of several rankings."""
        return len({change.ranking for change in self.places}) > 1

    @property
    def moved(self) -> tuple[PlaceChange, ...]:
        """Who changes place."""
        return tuple(change for change in self.places if change.before != change.after)


def may_see(visitor: Visitor, fixture: Fixture) -> bool:
    """Whether the visitor may know the field's results on the match's boards: all are released, or they rule on them.

    A director who plays in the event knows no more than any player.
    """
    boards = Board.objects.filter(plays__fixture=fixture)
    sights = embargo.board_sights(visitor=visitor, boards=boards)
    if all(sight == Sight.FIELD for sight in sights.values()):
        return True
    is_judge = policies.may(visitor, "award.make", fixture)
    return is_judge and not embargo.plays_in_event(visitor, fixture.round.competition)


def shown_reopening(visitor: Visitor, fixture: Fixture) -> Effects | None:
    """What reopening the match would do; None where it plays no boards, or the visitor may not know."""
    return of_reopening(fixture) if _is_compared(fixture) and may_see(visitor, fixture) else None


def shown_correction(visitor: Visitor, fixture: Fixture, read: Reading) -> Effects | None:
    """What a sheet would do once it is confirmed; None where it plays no boards, or the visitor may not know."""
    if not _is_compared(fixture) or not may_see(visitor, fixture):
        return None
    home = read.seating.home_side
    points = {}
    for position, score in enumerate(read.scores, start=1):
        total: Mapping[str, int] = (score or {}).get("total") or {}
        other = next((side for side in total if side != home), None)
        if other is not None:
            points[position] = (total[home], total[other])
    return of_correction(fixture, points)


def _is_compared(fixture: Fixture) -> bool:
    events = Duplicate.objects.filter(competition=fixture.round.stage.competition_id)
    return events.exists() and FixtureBoard.objects.filter(fixture=fixture).exists()


def of_award(plays: Collection[FixtureBoard], content: Mapping[str, Any]) -> Effects:
    """If these plays, all of one match, were worth what an award's content says."""
    chosen = {play.pk for play in plays}
    return _effects(plays, lambda play: play.awarded(play.award or 0, content) if play.pk in chosen else play)


def of_revocation(play: FixtureBoard) -> Effects:
    """If the play's award were taken back."""
    made = {each.pk: each for each in columns.plays_of([play.board_id], awards=False)[play.board_id]}
    return _effects([play], lambda each: made[each.pk] if each.pk == play.pk else each)


def of_reopening(fixture: Fixture) -> Effects:
    """If the match had no confirmed sheet. What a director awarded stays."""
    plays = list(FixtureBoard.objects.filter(fixture=fixture).select_related("board", "fixture__round"))

    def reopened(play: Play) -> Play:
        return replace(play, points=()) if play.fixture == fixture.pk and play.award is None else play

    return _effects(plays, reopened)


def of_correction(fixture: Fixture, points: Mapping[int, tuple[int, int]]) -> Effects:
    """If the match had these points of home and away, by the position of its boards. Awards stay."""
    plays = list(FixtureBoard.objects.filter(fixture=fixture).select_related("board", "fixture__round"))
    given = {play.pk: points[play.position] for play in plays if play.position in points}

    def corrected(play: Play) -> Play:
        if play.pk not in given or play.award is not None:
            return play
        home, away = given[play.pk]
        return replace(play, points=(columns.Points(Fraction(home), Fraction(away)),))

    return _effects(plays, corrected)


@dataclass(frozen=True, slots=True)
class _Case:
    """The comparisons of some boards before and after, and the names of the event's pairs; `own` play in the match."""

    competition: int
    game: str
    terms: Terms
    boards: Mapping[int, Board]
    before: Mapping[int, dict[str, Any]]
    after: Mapping[int, dict[str, Any]]
    pairs: Mapping[int, str]
    own: Collection[int]


def _effects(plays: Collection[FixtureBoard], change: Change) -> Effects:
    if not plays:
        return Effects((), (), (), 0, is_ranked=False)
    case = _case(plays, change)
    places = list(_places(case))
    shown = [each for each in places if each.is_in_match or each.before != each.after]
    return Effects(
        boards=tuple(sorted(board.number for board in case.boards.values())),
        figures=tuple(_figures(case)),
        places=tuple(shown),
        unchanged=len(places) - len(shown),
        is_ranked=any(board.released_at is not None for board in case.boards.values()),
    )


def _case(plays: Collection[FixtureBoard], change: Change) -> _Case:
    boards = {play.board_id: play.board for play in plays}
    fixture = next(iter(plays)).fixture
    competition = fixture.round.stage.competition_id
    terms = Terms.of(Duplicate.objects.get(pk=competition))
    now = columns.plays_of(list(boards))
    entries = Entry.with_rooms.filter(competition=competition).with_pairs()
    credited = credits_.of_competition(competition)
    return _Case(
        competition=competition,
        game=fixture.round.stage.competition.game,
        terms=terms,
        boards=boards,
        before={board: columns.content_of(now[board], terms) for board in boards},
        after={board: columns.content_of([change(play) for play in now[board]], terms) for board in boards},
        pairs={entry.pk: str(entry) for entry in entries},
        own={entry for side in fixture.sides for entry in (side.entry_id, *credited.of(side.entry_id))},
    )


def _figures(case: _Case) -> list[FigureChange]:
    """What changes, the match's own figures first."""
    read = {
        board: (figures.figures_in(case.before[board]), figures.figures_in(case.after[board]))
        for board in case.boards
    }
    found = []
    rows = FixtureBoard.objects.filter(board__in=case.boards).select_related("fixture")
    rows = rows.prefetch_related("fixture__appearances")
    for row in rows.order_by("board__number", "pk"):
        for side, entry in ((HOME, row.fixture.home_id), (AWAY, row.fixture.away_id)):
            old, new = (each.get((row.pk, side)) for each in read[row.board_id])
            if _worth(old) != _worth(new):
                number = case.boards[row.board_id].number
                found.append(
                    FigureChange(case.pairs[entry], number, _text(old), _text(new), entry in case.own)
                )
    return sorted(found, key=lambda change: not change.is_in_match)


def _worth(figure: ShownFigure | None) -> Any:
    return figure and (figure.value, figure.percent)


def _text(figure: ShownFigure | None) -> str:
    return figure.text if figure else "–"


def _places(case: _Case) -> Iterator[PlaceChange]:
    """Every pair of every ranking of the whole event, in the order that it would have."""
    boards = Board.objects.filter(plays__fixture__round__stage__competition=case.competition)
    rows = Comparison.objects.filter(board__in=boards.values("pk")).values_list("board_id", "content")
    stored = dict(rows)
    old = fields.rankings_from(case.competition, case.terms, {**stored, **case.before})
    new = fields.rankings_from(case.competition, case.terms, {**stored, **case.after})
    sides = tuple(side_titles(case.game).values())
    sections = dict(Division.objects.filter(stage__competition=case.competition).values_list("level", "name"))
    for (name, number), ranking in new.items():
        if number == fields.WHOLE_EVENT:
            title = field_title(name, sides, sections)
            yield from _moves(case, title, old[name, number]["rows"], ranking["rows"])


def _moves(case: _Case, title: str, old: list[Any], new: list[Any]) -> Iterator[PlaceChange]:
    was = {row["entry"]: row for row in old}
    will_be = {row["entry"]: row for row in new}
    for entry in [*will_be, *(entry for entry in was if entry not in will_be)]:
        yield PlaceChange(
            case.pairs[entry],
            title,
            _rank(was.get(entry)),
            _rank(will_be.get(entry)),
            ranked_text(was.get(entry)),
            ranked_text(will_be.get(entry)),
            entry in case.own,
        )


def _rank(row: Mapping[str, Any] | None) -> int | None:
    return row["rank"] if row else None
