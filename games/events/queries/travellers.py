"""A board as its page shows it, within what the visitor may see: cards, par, and what every table made of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import game
from games import board_cards, embargo, front
from games.analysis.services import boards as board_analyses
from games.comparisons.reckoning import plays
from games.comparisons.reckoning.figures import ShownFigure, by_play
from games.comparisons.reckoning.plays import Play
from games.embargo import Sight
from games.models import Board, BoardSet, Duplicate
from games.records.display import robot_hands
from games.seating import seat_titles, side_letters, side_titles
from league.actors import Reader
from league.errors import Conflict
from league.fixtures.queries import Pair

ORIGINAL = ""


@dataclass(frozen=True, slots=True)
class PairAt:
    """A pair at a table: what it made, by which hands, and what that is worth."""

    pair: Pair
    seats: str
    points: int | None
    figure: ShownFigure | None
    hands: Any
    has_robot: bool = False
    """Whether a robot acted for somebody of the pair."""

    @property
    def hands_text(self) -> str:
        """What its points came from, in words."""
        if self.hands is None or self.points is None:
            return ""
        return str(self.hands.of_total(self.points))


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """A table's line of the traveller."""

    play: Play
    first: PairAt
    second: PairAt

    @property
    def pairs(self) -> tuple[PairAt, PairAt]:
        return (self.first, self.second)

    @property
    def note(self) -> str:
        """Why there is nothing to show, in a word."""
        if self.first.points is not None:
            return ""
        return _("not played") if self.play.is_off else _("not played yet")


@dataclass(frozen=True, slots=True)
class TravellerGroup:
    """The tables at which the same cards lay on the board."""

    version: str
    rows: tuple[TravellerRow, ...]

    @property
    def title(self) -> str:
        """What the group is called: nothing where the cards were as dealt."""
        if self.version == ORIGINAL:
            return _("As dealt")
        return _("Version %(version)s: different cards") % {"version": self.version}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The numbers of the boards before and after."""

    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Everything that the page of a board shows. What the visitor may not see is not in it."""

    board: Board
    sight: Sight
    duplicate: Duplicate
    dealer: str
    deal: str
    """The cards as text; empty where they may not be seen."""
    best: Any
    plays: tuple[Play, ...]
    own: tuple[TravellerRow, ...]
    played: int
    expected: int
    neighbours: Neighbours
    waits: tuple[str, ...]

    @property
    def cards(self) -> Mapping[str, tuple[str, ...]] | None:
        """The hands by seat; None where they may not be seen."""
        numbering = board_cards.numbering_of(self.board.board_set.competition.game)
        return numbering.hands(self.deal) if self.deal else None

    @property
    def turned_up(self) -> str:
        """The card that was shown before play, where there is one and it may be seen."""
        numbering = board_cards.numbering_of(self.board.board_set.competition.game)
        return numbering.turned_up(self.deal) if self.deal else ""

    @property
    def seats(self) -> dict[str, str]:
        """What the seats are called, in the order of the turn."""
        return seat_titles(self.board.board_set.competition.game)

    @property
    def ranks(self) -> str:
        """The ranks, high ones first."""
        return game.get(self.board.board_set.competition.game).ranks

    @property
    def backs(self) -> dict[str, int]:
        """How many cards each seat has, where they are not shown."""
        numbering = board_cards.numbering_of(self.board.board_set.competition.game)
        return {seat: len(cards) for seat, cards in numbering.hands(numbering.deal_of_number(0)).items()}

    @property
    def sides(self) -> tuple[str, ...]:
        """What the two sides are called, in the game's order."""
        return tuple(side_titles(self.board.board_set.competition.game).values())

    @property
    def is_open(self) -> bool:
        """Whether everything of the board may be shown."""
        return self.sight == Sight.FIELD

    @property
    def is_matchpoints(self) -> bool:
        return self.duplicate.method == Duplicate.Way.MATCHPOINTS

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that were played, as dealt first."""
        return tuple(sorted({each.version for each in self.plays}))


def board_at(*, set_pk: int, number: int) -> Board | None:
    """The board that goes by this number: a reserve board where it stands for another."""
    found = Board.objects.filter(
        board_set=set_pk,
        number=number,
        replaced_by__isnull=True,
        board_set__competition__duplicate__isnull=False,
    )
    related = found.select_related(
        "board_set__competition__club", "board_set__competition__duplicate", "board_set__round__stage"
    )
    return related.order_by("purpose", "place").first()


def board_page(*, board: Board, visitor: Reader) -> BoardPage:
    """The page, with the visitor's own tables; `rows` gives the others."""
    competition = board.board_set.competition
    sight = embargo.board_sight(visitor=visitor, board=board)
    every = plays.read(plays.of_board(board.pk), visitor, competition)
    played, expected = plays.tables_of(every)
    duplicate: Duplicate = competition.duplicate
    sights = embargo.sight(visitor=visitor, plays=[play.row for play in every if play.is_mine])
    own = [play for play in every if sights.get(play.key, Sight.NOTHING) >= Sight.SHEET]
    return BoardPage(
        board=board,
        sight=sight,
        duplicate=duplicate,
        dealer=board.dealer,
        deal=_deal(board, sight),
        best=board_analyses.best_of(board) if sight == Sight.FIELD else None,
        plays=in_order(every, duplicate) if sight == Sight.FIELD else (),
        own=rows(own, board=board, has_figures=sight == Sight.FIELD),
        played=played,
        expected=expected,
        neighbours=_neighbours(board),
        waits=() if sight == Sight.FIELD else _waits(board, every, played, expected),
    )


def rows(found: Sequence[Play], *, board: Board, has_figures: bool) -> tuple[TravellerRow, ...]:
    """These tables as lines, with what each hand was and, where they may be seen, the figures; in two queries."""
    worth = by_play([board], {play.key for play in found}) if has_figures else {}
    deals = [play.made.deal for play in found if play.made]
    words = front.of(board.board_set.competition.game).summaries(deals)
    with_robots = robot_hands.sides_of(deals)
    letters = side_letters(board.board_set.competition.game)

    def at(play: Play, side: str, seats: str) -> PairAt:
        pair = play.pair(side)
        hands = words.get((play.made.deal, pair.entry)) if play.made else None
        has_robot = play.made is not None and (play.made.deal, play.side_key(side)) in with_robots
        return PairAt(pair, seats, play.points(side), worth.get((play.key, side)), hands, has_robot)

    return tuple(
        TravellerRow(
            play,
            at(play, play.first, letters[play.sides[0]]),
            at(play, play.second, letters[play.sides[1]]),
        )
        for play in found
    )


def groups(shown: Iterable[TravellerRow]) -> tuple[TravellerGroup, ...]:
    """Lines, already in order, by the cards that lay on the board."""
    return tuple(
        TravellerGroup(version, tuple(lines))
        for version, lines in groupby(shown, key=lambda row: row.play.version)
    )


def measured(play: Play, duplicate: Duplicate) -> int | None:
    """What is compared, as the first side has it: its points, or how many more than the other."""
    own, other = play.points(play.first), play.points(play.second)
    if own is None or other is None:
        return None
    return own if duplicate.measure == Duplicate.Measure.OWN else own - other


def in_order(found: Iterable[Play], duplicate: Duplicate) -> tuple[Play, ...]:
    """By version, the best result of the first side first, those without one last."""

    def place(play: Play) -> tuple[str, bool, int, int]:
        value = measured(play, duplicate)
        return (play.version, value is None, -(value or 0), play.key)

    return tuple(sorted(found, key=place))


def _deal(board: Board, sight: Sight) -> str:
    """The cards; those of a board that is not released yet are derived for people who have played it."""
    if sight == Sight.NOTHING:
        return ""
    try:
        return board.deal or board_cards.cards_of(board.board_set)[board.pk]
    except Conflict:
        return (
            ""  # what they depend on is not known yet, or the site's key is gone: the director is told of it
        )


def _neighbours(board: Board) -> Neighbours:
    found = Board.objects.filter(board_set=board.board_set_id, plays__isnull=False, replaced_by__isnull=True)
    numbers = set(found.values_list("number", flat=True))
    return Neighbours(
        max((each for each in numbers if each < board.number), default=None),
        min((each for each in numbers if each > board.number), default=None),
    )


def _waits(board: Board, every: Iterable[Play], played: int, expected: int) -> tuple[str, ...]:
    """What has to happen before more is shown, in words."""
    to_play = [play for play in every if play.is_mine and not play.is_off and play.made is None]
    said = [_waits_for(play) for play in to_play]
    if board.board_set.discarded_at is not None:
        return (_("This set was replaced by another one."),)
    if not expected:
        return (_("No table has this board yet."),)
    tables = ngettext(
        "%(played)d of %(count)d table has played it.",
        "%(played)d of %(count)d tables have played it.",
        expected,
    )
    said.append(tables % {"played": played, "count": expected})
    said.append(
        _(
            "Everyone can see the cards, results and comparison once they all have, or once the "
            "director releases them."
        )
    )
    return tuple(said)


def _waits_for(play: Play) -> str:
    values = {"round": play.round_name, "table": play.table}
    if play.table:
        return _("You play it here: %(round)s, table %(table)s.") % values
    return _("You play it here: %(round)s.") % values


def seal_of(board_set: BoardSet) -> dict[str, Any]:
    """The published commitment of the set, and its page."""
    return {"commitment": board_set.commitment, "url": reverse("board_set", args=[board_set.pk])}
