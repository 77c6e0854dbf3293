"""Who played which board against whom, and what came of it: the facts under every page of a duplicate event.

Nothing here asks who may see it: code that shows a play asks games.embargo first.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from engine import game
from games.models import FixtureBoard, PlayedDeal
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Competition, Fixture, Substitution, User
from league.querysets import DECIDED, sides_with_pairs
from league.standings import round_names

PAIRS = ("home", "away")
Status = Fixture.Status


@dataclass(frozen=True, slots=True)
class Made:
    """What was written down of a deal: its row, and the points of both pairs."""

    deal: int
    home_side: str
    points: Mapping[str, int]

    @property
    def difference(self) -> int:
        """By how much the home pair made more."""
        return self.points["home"] - self.points["away"]


@dataclass(frozen=True, slots=True)
class Play:
    """A board at a table. `made` is None until its match is confirmed."""

    key: int
    row: FixtureBoard
    fixture: int
    status: str
    round_number: int
    round_name: str
    section: str
    table: str
    position: int
    board: int
    number: int
    set: int
    version: str
    home: Pair
    away: Pair
    made: Made | None
    is_mine: bool
    game: str
    sides: tuple[str, str]
    """The keys of the two sides at the table, as the game has them."""

    @property
    def url(self) -> str:
        """The deal on the page of its match."""
        return f"{reverse('match', args=[self.fixture])}#deal-{self.position}"

    @property
    def board_url(self) -> str:
        return reverse("board", args=[self.set, self.number])

    @property
    def is_off(self) -> bool:
        """Whether the table does not play the board: its match was decided or declared void without play."""
        return self.made is None and self.status in {Status.WALKOVER, Status.VOID}

    @property
    def first(self) -> str:
        """Which of the pairs, "home" or "away", sat on the game's first side."""
        return "away" if self.made and self.made.home_side == self.sides[1] else "home"

    @property
    def second(self) -> str:
        """Which sat on the other."""
        return "home" if self.first == "away" else "away"

    def side_key(self, pair: str) -> str:
        """The game's key of the side that "home" or "away" sat on."""
        return self.sides[pair == self.second]

    def pair(self, side: str) -> Pair:
        """The pair at "home" or "away"."""
        return self.home if side == "home" else self.away

    def side_of(self, entries: Collection[int]) -> str:
        """Where one of these pairs sits at the table: "home" or "away"."""
        return "home" if self.home.entry in entries else "away"

    def points(self, side: str) -> int | None:
        """What a pair made, None before the match is confirmed."""
        return self.made.points[side] if self.made else None


def of_board(board_id: int) -> Q:
    """Chooses every table that plays the board."""
    return Q(board=board_id)


def of_competition(competition: Competition) -> Q:
    """Chooses every board at every table."""
    return Q(fixture__round__stage__competition=competition)


def of_entries(entries: Collection[int]) -> Q:
    """Chooses every board of a pair, or of the pairs that a player makes."""
    return Q(fixture__in=Fixture.with_rooms.of_entries(entries))


def read(chosen: Q, visitor: Reader, competition: Competition) -> tuple[Play, ...]:
    """What was chosen, in the order of rounds and tables, in five queries. Ask games.embargo first who may see it.

    The names of a knock-out's rounds take one more (see league.standings.round_names).
    """
    made = made_at(FixtureBoard.objects.filter(chosen).values("pk"))
    mine, substituted = own_entries(visitor, competition), stood_in(visitor, competition)
    found = list(rows(chosen))
    names = round_names.of_fixtures([each.fixture for each in found])
    return tuple(_play(each, names[each.fixture_id], made, mine, substituted) for each in found)


def rows(chosen: Q) -> QuerySet[FixtureBoard]:
    """The rows with all that names them, in the order of rounds and tables."""
    found: QuerySet[FixtureBoard] = FixtureBoard.objects.filter(chosen)
    found = found.select_related(
        "board__board_set",
        "fixture__round__stage__competition__club",
        "fixture__division",
    )
    found = found.prefetch_related(*sides_with_pairs("fixture__"))
    return found.order_by("fixture__round__number", "fixture__division__level", "fixture_id", "position")


def _play(
    row: FixtureBoard,
    round_name: str,
    made: Mapping[int, Made],
    mine: Collection[int],
    substituted: Collection[int],
) -> Play:
    fixture = row.fixture
    return Play(
        key=row.pk,
        row=row,
        fixture=fixture.pk,
        status=fixture.status,
        round_number=fixture.round.number,
        round_name=round_name,
        section=fixture.division.name,
        table=fixture.table,
        position=row.position,
        board=row.board_id,
        number=row.board.number,
        set=row.board.board_set_id,
        version=row.version,
        home=pair_of(fixture.home),
        away=pair_of(fixture.away),
        made=made.get(row.pk),
        is_mine=fixture.pk in substituted or any(side.entry_id in mine for side in fixture.sides),
        game=fixture.round.competition.game,
        sides=sides_of(fixture.round.competition.game),
    )


def made_at(plays: QuerySet[FixtureBoard, Any] | Collection[int]) -> dict[int, Made]:
    """What was made at these plays, where their match is confirmed: by the play's key, in one query.

    A sheet's deals are the boards of its match, by position.
    """
    found = PlayedDeal.objects.filter(
        sheet__verdict="confirmed",
        sheet__match__fixture__status=Status.CONFIRMED,
        sheet__match__fixture__boards__in=plays,
        number=F("sheet__match__fixture__boards__position"),
    )
    played_in = "sheet__match__fixture__round__stage__competition__game"
    values = found.values_list(
        "sheet__match__fixture__boards__pk", "pk", "sheet__content", "score", played_in
    )
    return {
        key: _read(deal, content.get("home_side"), score["total"], sides_of(game_key))
        for key, deal, content, score, game_key in values.order_by()
    }


def _read(deal: int, home_side: Any, total: Mapping[str, int], sides: tuple[str, str]) -> Made:
    side, other = reversed(sides) if home_side == sides[1] else sides
    return Made(deal, side, {"home": total[side], "away": total[other]})


def sides_of(game_key: str) -> tuple[str, str]:
    """The keys of the two sides that meet at a table of this game, in its order."""
    first, second = game.get(game_key).sides()
    return first, second


def stood_in(visitor: Reader, competition: Competition) -> frozenset[int]:
    """The matches in which this account plays for somebody else."""
    if not isinstance(visitor, User):
        return frozenset()
    found = Substitution.objects.filter(
        substitute__user_id=visitor.pk, fixture__round__stage__competition=competition
    )
    return frozenset(found.values_list("fixture_id", flat=True))


def tables_of(plays: Iterable[Play]) -> tuple[int, int]:
    """How many tables have played, and how many shall."""
    wanted = [each for each in plays if not each.is_off]
    return sum(each.status in DECIDED for each in wanted), len(wanted)
