"""Duplicate evenings that are really played, for tests and for looking at pages: everything goes through the services.

    evening = make_evening(pairs=8, rounds=3)           laid out, nobody has played
    play_table(evening, fixture)                        a sheet of its boards' own cards, entered and confirmed
    play_round(evening, 1)                              all tables of a round
    settle(evening)                                     what the workers would store

Deals are played out by chance and a seed: the same evening comes out the same.
"""

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from engine.concerto.game import CONCERTO
from engine.contest.movements import sections
from engine.deals import Deal
from games import board_cards
from games.analysis.services import analyses
from games.comparisons.services import comparisons
from games.concerto.demo import play_out
from games.models import Board, BoardSet, FixtureBoard
from games.scoresheets.services import scoresheets
from games.sessions import services as evenings
from games.sessions.services import EveningPlan
from league.models import Club, Competition, Entry, Fixture, Lineup, Player, Role, User
from tests.kept_scenes import kept
from tests.league import factories

AT = datetime(2026, 11, 19, 19, 30, tzinfo=UTC)
NAMES = (
    "Anna Berg", "Ben Okafor", "Clara Adeyemi", "Dan Ford", "Eva Petrov", "Kenji Sato", "Ines Novak", "Luis Reyes",
    "Marie Dubois", "Omar Khan", "Nora Hughes", "Wei Tan", "Rui Silva", "Mei Wong", "Iris Lindqvist", "Tom Marsh",
    "Paula Weiss", "Jan Kowalski", "Sofia Rossi", "Peter Brandt", "Lena Vogel", "Carl Jensen", "Ada Fischer",
    "Hugo Blanc",
    "Greta Olsen", "Finn Murphy", "Ruth Cohen", "Sami Haddad",
)  # fmt: skip


@dataclass
class Evening:
    """An evening: its people by first name, its pairs in order."""

    club: Club
    competition: Competition
    director: User
    users: dict[str, User] = field(default_factory=dict)
    pairs: list[Lineup] = field(default_factory=list)

    @property
    def board_set(self) -> BoardSet:
        return BoardSet.objects.get(competition=self.competition, discarded_at=None)

    @property
    def entries(self) -> list[Entry]:
        return list(Entry.objects.filter(competition=self.competition).with_pairs().order_by("number"))

    def fixtures(self, number: int | None = None) -> list[Fixture]:
        """The tables of a round, or of all rounds."""
        found = Fixture.objects.with_pairs().filter(round__stage__competition=self.competition)
        chosen = found if number is None else found.filter(round__number=number)
        return list(chosen.order_by("round__number", "pk"))

    def board(self, number: int) -> Board:
        return Board.objects.select_related("board_set__competition__club").get(
            board_set=self.board_set, number=number, replaced_by=None
        )

    def plays(self, number: int) -> list[FixtureBoard]:
        """Where the board of that number is played, in the order of rounds."""
        found = FixtureBoard.objects.filter(board=self.board(number)).select_related("fixture", "board")
        return list(found.order_by("fixture__round__number", "pk"))


@kept
def make_evening(
    *,
    pairs: int = 8,
    boards: int = 2,
    choice: sections.Choice | None = None,
    club: Club | None = None,
    **plan: Any,
) -> Evening:
    """An evening of so many pairs in one section, laid out; each pair has an account under both first names.

    With one board a round, which people cannot set up (ADR 0401), a test has little to play.
    """
    club = club or factories.club("Riverside Club")
    director = factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director"))
    given = {
        "name": "Thursday Evening",
        "starts_on": date(2026, 11, 19),
        "boards_a_round": max(boards, 2),
        **plan,
    }
    competition = evenings.make(actor=director, club=club, data=EveningPlan(**given))
    if boards == 1:
        competition.rules["deals"] = 1
        competition.save()
    evening = Evening(club, competition, director)
    division = competition.stage.divisions.get()
    for number in range(pairs):
        first, second = (NAMES[(2 * number + each) % len(NAMES)] for each in range(2))
        evening.pairs.append(factories.pair(club, _player(evening, first), _player(evening, second)))
        factories.entry(division, evening.pairs[-1])
    if choice is not None:
        evenings.choose_movement(actor=director, division=division, choice=choice)
    evenings.start(actor=director, competition=competition, at=AT)
    evening.competition = Competition.objects.select_related("club").get(pk=competition.pk)
    return evening


def _player(evening: Evening, name: str) -> Player:
    user = factories.member(evening.club, who=factories.user(name=name))
    evening.users[name.split(maxsplit=1)[0].lower()] = user
    return factories.player(evening.club, name, user=user)


def begin_round(evening: Evening, number: int) -> None:
    """The director rings for the round."""
    evenings.next_round(actor=evening.director, competition=evening.competition, number=number, at=AT)


def play_round(evening: Evening, number: int, *, depth: str = "cards") -> None:
    """Every table of the round plays, enters and confirms."""
    begin_round(evening, number)
    for fixture in evening.fixtures(number):
        play_table(evening, fixture, depth=depth)


def play_table(evening: Evening, fixture: Fixture, *, depth: str = "cards") -> None:
    """The table's boards, played out by chance from their own cards."""
    enter(evening, fixture, [record_of(each, depth) for each in _played(fixture)])


def enter(evening: Evening, fixture: Fixture, deals: list[dict[str, Any]]) -> None:
    """A sheet of these deals, entered by North-South and confirmed by East-West."""
    first = FixtureBoard.objects.select_related("board").get(fixture=fixture, position=1)
    content = {"first_dealer": first.board.dealer, "deals": deals}
    sheet = scoresheets.submit(actor=account(fixture.home), fixture=fixture, content=content, origin="page")
    scoresheets.confirm(actor=account(fixture.away), sheet=sheet, digest=sheet.digest)


def account(entry: Entry) -> User:
    """The account of the pair's first player."""
    user = entry.lineup.players[0].user
    assert user is not None
    return user


def _played(fixture: Fixture) -> list[Any]:
    """The states at the end of the table's boards."""
    options = fixture.round.competition.rules
    plays = list(
        FixtureBoard.objects.filter(fixture=fixture).select_related("board__board_set").order_by("position")
    )
    cards = board_cards.cards_of(plays[0].board.board_set)
    states = []
    for each in plays:
        rng = random.Random(f"{fixture.table} {fixture.round.number} {each.board.number}")
        deal = Deal.parse(cards[each.board_id])
        skill = (rng.randint(1, 3), rng.randint(1, 3))
        states.append(play_out(CONCERTO.start(deal, each.board.dealer, options), rng, skill))
    return states


def record_of(state: Any, depth: str) -> dict[str, Any]:
    """A deal that was played, as it is written down."""
    if depth == "totals":
        return {"total": state.score().total.as_json()}
    return {"deal": str(state.setting.deal), "hands": list(state.hand_lines)}


def settle(evening: Evening) -> None:
    """What the workers would store, without waiting for them."""
    comparisons.compute_event(competition_id=evening.competition.pk, at=AT)
    analyses.sweep(at=AT)
