"""Every pair by every board of an event: what each was worth, as a table that is read like a picture."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse

from games import embargo
from games.comparisons.reckoning import rankings
from games.comparisons.reckoning.figures import ShownFigure, Worth, by_play, decimal_text
from games.comparisons.reckoning.plays import PAIRS
from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.embargo import Sight
from games.models import Board, FixtureBoard
from league.actors import Reader
from league.models import Appearance, Competition, Fixture
from league.standings import credits as credits_

#: From these shares of what can be had on, a cell is one step warmer.
STEPS = (Fraction(20), Fraction(40), Fraction(60), Fraction(80))
#: The same for IMPs a board.
IMP_STEPS = (Fraction(-4), Fraction(-1), Fraction(1), Fraction(4))


@dataclass(frozen=True, slots=True)
class Cell:
    """What a board was worth to a pair: nothing where it did not play it, or nobody may know yet."""

    play: int | None = None
    url: str = ""
    figure: ShownFigure | None = None
    is_open: bool = True

    @property
    def text(self) -> str:
        """What stands in it: whole percents, or IMPs to one place."""
        if self.figure is None:
            return ""
        if self.figure.percent is None:
            return decimal_text(self.figure.value, 1, signed=True)
        return decimal_text(self.figure.percent, 0)

    @property
    def heat(self) -> str:
        """How warm it is, as a class: from h0, the coldest, to h4."""
        if self.figure is None:
            return "sealed" if self.play and not self.is_open else "none"
        percent = self.figure.percent
        steps, value = (IMP_STEPS, self.figure.value) if percent is None else (STEPS, percent)
        return f"h{sum(value >= step for step in steps)}"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A pair's line, in the order of its place."""

    standing: RankingRow
    cells: tuple[Cell, ...]


def fields(competition: Competition) -> tuple[Ranking, ...]:
    """The fields that are ranked as a whole."""
    return tuple(each for each in rankings.of_event(competition) if not each.section)


def boards_of(competition: Competition) -> tuple[Board, ...]:
    """The boards that are played in the event, in order."""
    found = Board.objects.filter(board_set__competition=competition, plays__isnull=False).distinct()
    return tuple(found.order_by("board_set__round__number", "board_set", "number"))


def rows(
    competition: Competition, boards: Sequence[Board], standings: Sequence[RankingRow], visitor: Reader
) -> Mapping[int, FieldRow]:
    """The lines of these pairs, by entry, with the figures of the boards that are open; in five queries."""
    sights = embargo.board_sights(visitor=visitor, boards=boards)
    opened = {key for key, sight in sights.items() if sight == Sight.FIELD}
    entries = {row.pair.entry for row in standings}
    credited = credits_.of_competition(competition.pk)
    pairs = (pair for pair, players in credited.players.items() if not entries.isdisjoint(players))
    played = list(
        FixtureBoard.objects.filter(
            fixture__in=Fixture.with_rooms.of_entries(entries.union(pairs)), board__in=boards
        ).values_list("pk", "board_id", "fixture_id")
    )
    sides = Appearance.objects.filter(fixture__in={fixture for *_play, fixture in played}).by_fixture()
    worth = by_play(opened, {play for play, board, _fixture in played if board in opened})
    addresses = {board.pk: reverse("board", args=[board.board_set_id, board.number]) for board in boards}
    credited_at = {
        fixture: [credited.of(side.entry_id) for side in of_fixture] for fixture, of_fixture in sides.items()
    }
    cells = _cells(played, credited_at, worth, opened, addresses)
    return {
        row.pair.entry: FieldRow(
            row, tuple(cells.get((row.pair.entry, board.pk), Cell()) for board in boards)
        )
        for row in standings
    }


def _cells(
    played: Sequence[tuple[int, int, int]],
    sides: Mapping[int, Sequence[tuple[int, ...]]],
    worth: Worth,
    opened: Collection[int],
    addresses: Mapping[int, str],
) -> dict[tuple[int, int], Cell]:
    return {
        (entry, board): Cell(
            play, f"{addresses[board]}#play-{play}", worth.get((play, side)), board in opened
        )
        for play, board, fixture in played
        for side, entries in zip(PAIRS, sides[fixture], strict=True)
        for entry in entries
    }
