"""What can be printed for a competition, and when somebody wants it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import BoardDraw
from games.papers import (
    certificates,
    dealing_files,
    final_results,
    movement_cards,
    pairings,
    records,
    sheets,
    slips,
    team_cards,
)
from games.papers.orders import Order, Product
from league.models import Competition


class Stage(StrEnum):
    """When a paper is wanted."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


class Asks(StrEnum):
    """What has to be chosen besides the competition."""

    NOTHING = ""
    SET = "set"
    ROUND = "round"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of paper. One that `draws` has the cards of sealed boards on it: to ask for it is to draw them out."""

    key: str
    title: Promise
    about: Promise
    stage: Stage
    make: Callable[[Order], Product]
    asks: Asks = Asks.NOTHING
    draws: str = ""
    needs_boards: bool = False
    needs_files: bool = False
    """Whether only games have it whose boards are those of dealing machines."""
    needs_rounds: bool = False
    needs_drawn: bool = False
    """Whether only formats have it whose rounds are drawn one by one."""
    needs_tables: bool = False
    """Whether only formats have it whose rounds are tables of individuals."""
    needs_bracket: bool = False
    is_of_ladders: bool | None = None
    """Whether only ladders have it, or all others only: nothing is final on a ladder."""
    is_of_evenings: bool = False
    is_of_teams: bool = False
    is_of_leagues: bool = False
    """Whether only competitions with a table of points have it."""
    needs_end: bool = False
    """Whether it is printed from the final places of a league."""

    def suits(self, competition: Competition) -> bool:
        """Whether competitions of this format have it."""
        stage = competition.stage
        return not (
            (self.is_of_teams and not competition.is_of_teams)
            or (self.needs_drawn and not (stage.is_swiss or stage.is_bracket))
            or (self.needs_tables and not stage.is_at_tables)
            or (self.needs_bracket and not stage.is_bracket)
            or self.is_of_ladders not in {None, stage.is_ladder}
            or (self.is_of_leagues and not stage.is_league)
            or (self.is_of_evenings and not stage.is_evening)
        )


KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind(
            "files",
            _("Files for a dealing machine"),
            _("Every format in one zip file, with a check list."),
            Stage.BEFORE,
            dealing_files.make,
            asks=Asks.SET,
            draws=BoardDraw.Kind.FILES,
            needs_boards=True,
            needs_files=True,
        ),
        Kind(
            "slips",
            _("Slips for dealing by hand"),
            _("One per seat and board, to cut apart. The person dealing sees only one player’s cards."),
            Stage.BEFORE,
            slips.make,
            asks=Asks.SET,
            draws=BoardDraw.Kind.PAPER,
            needs_boards=True,
        ),
        Kind(
            "records_to_deal",
            _("All hands, for dealing"),
            _("All the cards of every board on a few pages."),
            Stage.BEFORE,
            records.for_dealing,
            asks=Asks.SET,
            draws=BoardDraw.Kind.PAPER,
            needs_boards=True,
        ),
        Kind(
            "wall_list",
            _("Wall list"),
            _("Everyone by name, with their table and direction in the first round."),
            Stage.BEFORE,
            movement_cards.wall_list,
            is_of_evenings=True,
        ),
        Kind(
            "table_cards",
            _("Table cards"),
            _("The table’s number, large enough to read across the room, and the boards for each round."),
            Stage.BEFORE,
            movement_cards.table_cards,
            is_of_evenings=True,
        ),
        Kind(
            "guide_cards",
            _("Guide cards"),
            _("For every table and every pair: where to go, who to play, which boards."),
            Stage.BEFORE,
            movement_cards.guide_cards,
            is_of_evenings=True,
        ),
        Kind(
            "pairings",
            _("Pairing list"),
            _("Who plays whom in a round: by table, then everybody by name."),
            Stage.BEFORE,
            pairings.pairing_list,
            asks=Asks.ROUND,
            needs_rounds=True,
            needs_drawn=True,
        ),
        Kind(
            "seating",
            _("Seating list"),
            _("Who sits where in a round: by table, then everybody by name."),
            Stage.BEFORE,
            pairings.pairing_list,
            asks=Asks.ROUND,
            needs_rounds=True,
            needs_tables=True,
        ),
        Kind(
            "bracket",
            _("Bracket"),
            _("Every match of the knock-out as it stands, up to six rounds on a sheet."),
            Stage.DURING,
            pairings.bracket,
            needs_rounds=True,
            needs_bracket=True,
        ),
        Kind(
            "ladder",
            _("Ladder"),
            _("Who stands where today, and how many places each has moved lately."),
            Stage.DURING,
            final_results.make,
            is_of_ladders=True,
        ),
        Kind(
            "scoresheets",
            _("Scoresheets"),
            _("One per table, with a code that opens the same sheet on a phone."),
            Stage.DURING,
            sheets.make,
            asks=Asks.ROUND,
            needs_rounds=True,
        ),
        Kind(
            "team_cards",
            _("Score cards of the teams"),
            _("Every match of a round with both rooms, board by board, as far as the boards are public."),
            Stage.AFTER,
            team_cards.make,
            asks=Asks.ROUND,
            is_of_teams=True,
        ),
        Kind(
            "records",
            _("Hand records"),
            _("The public boards, with par and the best hands."),
            Stage.AFTER,
            records.after_play,
            needs_boards=True,
        ),
        Kind(
            "results",
            _("Final results"),
            _("The ranking, and how often each score occurred on every public board."),
            Stage.AFTER,
            final_results.make,
            is_of_ladders=False,
        ),
        Kind(
            "certificates",
            _("Certificates"),
            _("One page for each of the first places of every division, to sign."),
            Stage.AFTER,
            certificates.certificates,
            asks=Asks.PLACES,
            needs_end=True,
        ),
        Kind(
            "prize_list",
            _("Prize list"),
            _(
                "The first places of every division, with room for the prizes. Before the end: as the table stands."
            ),
            Stage.AFTER,
            certificates.prize_list,
            asks=Asks.PLACES,
            needs_rounds=True,
            is_of_leagues=True,
        ),
    )
}
