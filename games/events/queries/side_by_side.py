"""Two tables that played the same board, hand by hand: what each led to, and where they parted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from games import embargo, front
from games.analysis.services.analyses import reading_of
from games.boards.queries.sets import names_of_rounds
from games.comparisons.reckoning import figures, plays
from games.comparisons.reckoning.figures import ShownFigure
from games.comparisons.reckoning.plays import Play
from games.embargo import Sight
from games.models import Board, Match
from games.records.display import robot_hands
from games.records.display.shown import ShownSheet
from games.seating import side_letters
from league.actors import Reader
from league.fixtures.queries import Pair
from league.models import Competition


@dataclass(frozen=True, slots=True)
class Running:
    """Points of both sides after a hand; None from a hand on whose points are not known."""

    first: int | None
    second: int | None

    def plus(self, points: int | None, *, is_first: bool) -> "Running":
        """After another hand, that the first side made or the second."""
        if is_first:
            return Running(_sum(self.first, points), self.second)
        return Running(self.first, _sum(self.second, points))


def _sum(so_far: int | None, more: int | None) -> int | None:
    return None if so_far is None or more is None else so_far + more


@dataclass(frozen=True, slots=True)
class TableHand:
    """A hand at one of the tables, and how it stood after it."""

    hand: Any
    running: Running


@dataclass(frozen=True, slots=True)
class HandPair:
    """The same hand at both tables."""

    number: int
    one: TableHand | None
    other: TableHand | None
    is_same: bool
    is_parting: bool

    @property
    def both(self) -> tuple[TableHand | None, TableHand | None]:
        return (self.one, self.other)


@dataclass(frozen=True, slots=True)
class Table:
    """One of the two tables with what it made of the board."""

    play: Play
    name: str
    first: Pair
    second: Pair
    seats: tuple[str, str]
    deal: Any
    points: tuple[int | None, int | None]
    figures: tuple[ShownFigure | None, ShownFigure | None]
    left_to: str
    left_title: str
    left_words: str
    left_bonus: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that can be chosen."""

    key: int
    label: str


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The page: boards and tables to choose from, and two of them compared where they were chosen."""

    boards: tuple[Choice, ...]
    board: Board | None
    choices: tuple[Choice, ...]
    tables: tuple[Table, ...]
    hands: tuple[HandPair, ...]
    template: str

    @property
    def one(self) -> int | None:
        """The table chosen first."""
        return self.tables[0].play.key if self.tables else None

    @property
    def other(self) -> int | None:
        """The table chosen second; else one that is not the first of those to choose from."""
        if self.tables:
            return self.tables[1].play.key
        return self.choices[1].key if len(self.choices) > 1 else None

    @property
    def parted_at(self) -> int | None:
        """The number of the first hand that was not the same; None where all were, or nothing is known of them."""
        return next((each.number for each in self.hands if each.is_parting), None)

    @property
    def rest_title(self) -> str:
        """What it is called that was worth something besides the hands."""
        return next((table.left_title for table in self.tables if table.left_title), "")

    @property
    def has_hands(self) -> bool:
        return bool(self.hands)


def side_by_side(
    *,
    competition: Competition,
    visitor: Reader,
    board: int | None = None,
    one: int | None = None,
    other: int | None = None,
) -> SideBySide:
    """The two plays of the board with these keys; without them, or before the release, what can be chosen."""
    boards = _open_boards(competition)
    chosen = next(
        (each for each in boards if each.pk == board), boards[0] if boards and board is None else None
    )
    if chosen is not None and embargo.board_sight(visitor=visitor, board=chosen) != Sight.FIELD:
        chosen = None
    found = _played(chosen, visitor, competition) if chosen else ()
    pair = _chosen(found, one, other)
    tables = _tables(chosen, pair) if chosen and pair else ()
    template = front.of(competition.game).compare_template
    names = names_of_rounds(competition, [each.board_set for each in boards])
    return SideBySide(
        boards=tuple(Choice(each.pk, _board_name(each, names)) for each in boards),
        board=chosen,
        choices=tuple(Choice(each.key, _label(each)) for each in found),
        tables=tables,
        hands=tuple(_hands(*tables)) if template and len(tables) == 2 else (),
        template=template,
    )


def _open_boards(competition: Competition) -> list[Board]:
    """The boards of the event that everybody may see, and that somebody played."""
    found = Board.objects.filter(
        board_set__competition=competition, released_at__isnull=False, plays__fixture__status="confirmed"
    )
    related = found.select_related("board_set__competition__club", "board_set__round").distinct()
    return list(related.order_by("board_set__round__number", "board_set", "number"))


def _board_name(board: Board, rounds: Mapping[int, str]) -> str:
    if board.board_set.round is None:
        return _("Board %(number)d") % {"number": board.number}
    values = {"number": board.number, "round": rounds[board.board_set_id]}
    return _("Board %(number)d, %(round)s") % values


def _played(board: Board, visitor: Reader, competition: Competition) -> tuple[Play, ...]:
    found = plays.read(plays.of_board(board.pk), visitor, competition)
    return tuple(each for each in found if each.made)


def _chosen(found: Sequence[Play], one: int | None, other: int | None) -> tuple[Play, Play] | None:
    """The two that were asked for; else the visitor's own table and another, or any two."""
    by_key = {each.key: each for each in found}
    mine = next((each for each in found if each.is_mine), next(iter(found), None))
    first = by_key.get(one or 0, mine)
    others = (each for each in found if first is not None and each.key != first.key)
    second = by_key.get(other or 0) or next(others, None)
    return (first, second) if first and second and first.key != second.key else None


def _label(play: Play) -> str:
    pairs = f"{play.pair(play.first)} – {play.pair(play.second)}"
    return _("Table %(table)s: %(pairs)s") % {"table": play.table, "pairs": pairs} if play.table else pairs


def _tables(board: Board, pair: tuple[Play, Play]) -> tuple[Table, ...]:
    worth = figures.of_board(board)
    sheets = _sheets(pair)
    letters = side_letters(board.board_set.competition.game)

    def table(play: Play) -> Table:
        sheet = sheets.get(play.fixture)
        deal = sheet.deals[play.position - 1] if sheet and len(sheet.deals) >= play.position else None
        sides = (play.first, play.second)
        left = deal.rest() if deal else None
        return Table(
            play=play,
            name=_("Table %(table)s") % {"table": play.table} if play.table else "",
            first=play.pair(play.first),
            second=play.pair(play.second),
            seats=(letters[play.sides[0]], letters[play.sides[1]]),
            deal=deal,
            points=(play.points(sides[0]), play.points(sides[1])),
            figures=(worth.get((play.key, sides[0])), worth.get((play.key, sides[1]))),
            left_to=letters[play.side_key(left.to)] if left and left.to else "",
            left_title=left.title if left else "",
            left_words=left.words if left else "",
            left_bonus=left.bonus if left else None,
        )

    return tuple(table(play) for play in pair)


def _sheets(pair: tuple[Play, Play]) -> dict[int, ShownSheet]:
    """The sheets that count of the two matches, as they are read today."""
    found = Match.objects.with_fixture().filter(fixture__in=[play.fixture for play in pair])
    return {
        match.fixture_id: front.shown_sheet(
            match.fixture, reading_of(match, sheet), robot_hands.by_deal(sheet)
        )
        for match in found.prefetch_related("sheets", "fixture__substitutions__substitute")
        for sheet in match.sheets.all()
        if sheet.verdict == "confirmed"
    }


def _hands(one: Table, other: Table) -> Iterator[HandPair]:
    """Hand by hand; the same where the same cards were played, or where they are not known the same was made."""
    has_parted = False
    for number, (left, right) in enumerate(zip_longest(_at(one), _at(other)), start=1):
        is_same = bool(left and right) and _is_same(left.hand, right.hand)
        yield HandPair(number, left, right, is_same, is_parting=not is_same and not has_parted)
        has_parted = has_parted or not is_same


def _at(table: Table) -> Iterator[TableHand]:
    running = Running(0, 0)
    for hand in table.deal.hand_by_hand() if table.deal else ():
        running = running.plus(hand.points, is_first=hand.pair == table.play.first)
        yield TableHand(hand, running)


def _is_same(one: Any, other: Any) -> bool:
    if one.cards and other.cards:
        return {card.text for card in one.cards} == {card.text for card in other.cards}
    return (one.value, one.points) == (other.value, other.points)
