"""What the pages ask a game for, and the register of those who answer.

Every game has a front: its own, or GameFront as it stands here, which offers what every game has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from engine import game
from games.models import Analysis, Match, PlayedDeal, RobotHand, Scoresheet
from games.records.display.places import Places
from games.records.display.sheets import SheetMaker
from games.records.display.shown import ShownSheet
from games.records.parsing import MOST_DEALS, Reading
from games.records.plain_form import TotalsForm
from league.actors import Visitor
from league.models import Fixture

Json = dict[str, Any]
#: How often somebody in the demo does the first best thing, by skill from 0 to 3.
CARELESS = (0.4, 0.25, 0.15, 0.05)


@dataclass(frozen=True, slots=True)
class Figures:
    """What a side did in a deal; `hands` are number, value and points of each, where the game has such."""

    entry: int
    side: str
    given_away: int | None = None
    hands: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of an action in a lesson, and whether it is what the lesson asks for."""

    is_right: bool
    text: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position to learn by: a deal after some actions, seen from the seat on turn, with one thing to do.

    `answers` has every legal action by its token. All of it is sent to the browser, in the reader's language.
    """

    key: str
    title: str
    text: str
    deal: str
    dealer: str
    tokens: tuple[str, ...]
    seat: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Practised:
    """A deal of somebody who practised, beside the best that their side's cards could make."""

    made: int
    best: int
    given_away: int
    """Points that this side's play gave to the others."""
    costs: Mapping[int, int]
    """What each hand of the side gave up, by its number from 1, where that is known."""


class TotalsRecordSerializer(serializers.Serializer[Any]):
    """A deal of a scoresheet by its totals, as the API takes it of every game."""

    dealer = serializers.CharField(required=False, help_text="Follows from the match.")
    total = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="By side.")


class GameFront:
    """What the pages ask a game for. As it stands: totals for each deal, and no study.

    Values typed Any are the game's own; the templates of the same game draw them.
    """

    maker: type[SheetMaker] = SheetMaker
    """Makes the deals of a sheet as people see them; each names the template that draws it."""
    places: Places = Places()
    """Where on a sheet a problem belongs."""
    plain_form: type[TotalsForm] = TotalsForm
    """One deal of a sheet in plain fields; names the template that draws it."""
    replay_template = ""
    """Draws a moment of `replay`; empty: the common felt does, from the table's log."""
    compare_template = ""
    """Draws two tables of a board hand by hand; empty where a deal is told by its totals."""
    felt = "js/felt"
    """The script module that starts the page of a table (static/js/table/start.js); this one draws any game."""
    felt_template = "games/_felt.html"
    """What that script draws on."""
    felt_style = "css/felt.css"
    """Its style, beside that of every table; empty where there is none."""
    record_serializer: type[serializers.Serializer[Any]] = TotalsRecordSerializer
    """A deal of a sheet as the API takes it."""
    sheet_examples: tuple[OpenApiExample, ...] = ()
    """Sheets for the API's description."""
    summary: Any = ""
    """The game in a sentence."""
    length: Any = ""
    """How long a match takes."""
    rules_page = ""
    """The template of the rules in plain words; empty where there is none."""
    scoring = ""
    """The template of the scoring table, drawn with `scoring_values`; empty where there is none."""
    has_lessons = False
    """Whether there are `lessons`."""
    urls: tuple[URLPattern, ...] = ()
    """Pages that only this game has."""

    def __init__(self, key: str) -> None:
        self.key = key

    def rules_content(self) -> Json:
        """What `rules_page` draws besides its words."""
        return {}

    def rules_url(self) -> str:
        """Where the rules are; empty where there is no such page."""
        return reverse("game_rules", args=[self.key]) if self.rules_page else ""

    def scoring_values(self) -> Any:
        """What the scoring table draws, as `values`."""
        return ()

    def scoring_url(self) -> str:
        """Where the scoring table alone is; empty where there is none."""
        return reverse("game_scoring", args=[self.key]) if self.scoring else ""

    # The demo

    def played_match(self, rng: Random, options: Json, skill: tuple[int, ...]) -> Json:
        """A scoresheet's content for the demo: a match played out; `skill` of each side is 0 to 3.

        Here the weakest robot plays for everybody, more or less carefully.
        """
        offered = game.get(self.key)
        players = _players(offered, skill)
        count, dealer = offered.deals_in_match(options), offered.seats(players)[0]
        boards = list[tuple[str, str]]()
        for number in range(count or MOST_DEALS):
            dealt = offered.dealer_after(dealer, number, players)
            boards.append((dealt, offered.deal(rng, dealt, options, players)))
        return self.played_boards(rng, options, skill, boards)

    def played_boards(
        self,
        rng: Random,
        options: Json,
        skill: tuple[int, ...],
        boards: Sequence[tuple[str, str]],
    ) -> Json:
        """The same for boards with these dealers and cards, as text.

        By chance an action is any that is allowed, or two tables would make the same of a board.
        """
        offered = game.get(self.key)
        players = _players(offered, skill)
        robot = offered.practice_robots[0]
        careless = {
            seat: CARELESS[level]
            for seats, level in zip(offered.sides(players).values(), skill, strict=False)
            for seat in seats
        }
        deals, scores = list[Json](), list[game.Score]()
        for dealer, deal in boards:
            standing = offered.match(scores, options, players)
            if standing.is_over:
                break
            state = offered.start(deal, dealer, {**options, **standing.next_options}, players)
            while state.turn is not None:
                is_careless = rng.random() < careless.get(state.turn, CARELESS[0])
                state = state.apply(
                    rng.choice(state.legal()) if is_careless else robot.token(offered.view(state, state.turn))
                )
            deals.append(dict(offered.record_of(state)))
            scores.append(state.score())
        return {"first_dealer": boards[0][0], "deals": deals}

    # Scoresheets

    def sheet_page(
        self, request: HttpRequest, fixture: Fixture, content: Json, *, saved: str
    ) -> HttpResponse | None:
        """The page to enter a sheet on, beginning with this content that was `saved` at a time of day.

        None: the plain form is all there is.
        """
        return None

    def sheet_answer(self, fixture: Fixture, reading: Reading, content: Json, focus: Any) -> Json:
        """What that page shows after a change, for the place where the person is."""
        return {}

    def place_in_sheet(self, fixture: Fixture, page: Json | None, *, is_empty: bool) -> Json:
        """Where on that page the person begins, by what the draft says; in a sheet that may be empty."""
        return {}

    def files_to_keep(self) -> tuple[str, ...]:
        """The static files that its pages need on a device without a connection, by name."""
        return ()

    # What was played

    def take_figures(self, match: Match, deal: PlayedDeal, reading: Reading) -> Iterator[Figures]:
        """What each side did in a deal, for statistics."""
        for side in reading.seating.entries:
            yield Figures(entry_of(reading, side), side)

    def summaries(self, deals: Collection[int]) -> Mapping[tuple[int, int], Any]:
        """What was made of these deals, by the deal's key and the entry's; `of_total` says it in a few words."""
        return {}

    def best_play(
        self, *, fixture: Fixture, visitor: Visitor, row: Scoresheet, sheet: ShownSheet
    ) -> Mapping[int, Any]:
        """What the cards of a sheet's deals could have made, by number, as far as this visitor may know it.

        Each value names the `template` that draws it.
        """
        return {}

    def best_in(self, analysis: Analysis) -> Any:
        """What a stored analysis says of a board's cards, with its `template`; None where it says nothing."""
        return None

    def practised(self, analysis: Analysis, score: Json, seat: str) -> Practised | None:
        """How the side of this seat did in a deal with this score; None where the game or the analysis doesn't say."""
        return None

    def replay(
        self,
        played: Any,
        *,
        step: int,
        seen_from: str,
        costs: Mapping[int, int],
        analysis: Analysis | None = None,
    ) -> Any:
        """The deal after so many actions, with all cards or as one seat saw them; with what a stored analysis says."""
        return None

    def replay_views(self, names: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """From where a deal can be stepped through, by key: all cards, or as one seat saw it."""
        return ()

    # Learning the game

    def lessons(self) -> Iterable[Lesson]:
        """Positions to learn the game by, the first one first, all from the same seat."""
        return ()

    # Tables in the browser, and paper

    def table_labels(self) -> Json:
        """What the script of a table's page says of cards and play, by name."""
        return {}

    def table_keys(self) -> tuple[tuple[str, str], ...]:
        """The keys of that page that have to do with cards and play, and what each does."""
        return (
            ("← →", _("along your cards")),
            ("Home, End", _("first card, last card")),
            ("A, K, Q, J, T, 9 – 2", _("your next card of that rank (T, 1 or 0 for the ten)")),
            ("Enter", _("picks up a card, then plays it")),
            ("Esc", _("puts it down again")),
        )

    paper_template = "games/_paper_deals.html"
    """Draws the deals of a scoresheet to fill in by hand, on a page."""
    paper_file = "papers/templates/scoresheets"
    """Sets such sheets as PDF: a file below games/, without its ending."""

    def paper_how(self) -> str:
        """How such a sheet is filled in, in a sentence."""
        return _("Write what each side made of a deal in its column.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        """What is written of a deal besides the totals: once, and by each side."""
        return (), ()

    def paper_values(self) -> Any:
        """What `paper_template` draws beside the deals."""
        once, each = self.paper_columns()
        return {"once": once, "each": each}

    def paper_content(self, sheet: Any) -> Json:
        """What `paper_file` needs of the sheet beside names and deals."""
        once, each = self.paper_columns()
        return {"once": [*once], "each": [*each], "sum": _("Total")} if once or each else {}

    def paper_deal(self, sheet: Any, deal: Any) -> Json:
        """What it needs of a deal beside its name."""
        return {}


def _players(offered: game.Game, skill: tuple[int, ...]) -> int | None:
    """How many play where so many sides have a skill; None where the game is for one number only."""
    return len(skill) if len(offered.players) > 1 else None


_fronts: dict[str, GameFront] = {}


def register(front: GameFront) -> None:
    """Gives a game a front of its own."""
    _fronts[front.key] = front


def of(key: str) -> GameFront:
    """The front of the game with that key."""
    return _fronts.get(key) or GameFront(key)


def registered() -> tuple[GameFront, ...]:
    """Every front that a game brought."""
    return tuple(_fronts.values())


def shown_sheet(
    fixture: Fixture, reading: Reading, robots: Mapping[int, Iterable[RobotHand]] | None = None
) -> ShownSheet:
    """The whole sheet as it was read, for people; `robots` are the rows of where robots acted, by deal."""
    return of(fixture.round.competition.game).maker(fixture, reading, robots).sheet()


def entry_of(reading: Reading, side: str) -> int:
    """The key of the entry that sits on this side."""
    return reading.seating.entries[side]
