"""The demo's duplicate evenings: one that is finished, with everything that can happen to a board, and one in play.

One of another game and one whose partners changed every round are finished too.
"""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache

from django.utils.translation import gettext

from config.demo.clock import at_time
from config.demo.people import People
from engine.boards.sealing import (
    KEY_LENGTH,
    DelayedInformation,
    DelayedKind,
    commitment,
)
from engine.contest.movements.sections import Choice, Kind
from engine.deals import Deal
from engine.game import all_games
from engine.seats import SEATS
from games import front
from games.boards.services import boards
from games.comparisons.services import awards, comparisons
from games.models import BoardSet, FixtureBoard, Scoresheet
from games.scoresheets.services import scoresheets
from games.sessions import services as evenings
from games.sessions.services import EveningPlan
from league.entries.services import entries, typed_entries
from league.models import Club, Competition, Entry, Fixture, Lineup, User
from league.people.services import lineups
from league.storage import board_keys
from league.zones import at_local

GUESTS = (
    "Bruno Keller & Sofia Rossi",
    "Petra Lang & Otto Brandt",
    "Yuki Mori & Hana Ito",
    "Diego Vega & Lucia Ramos",
    "Emma Clarke & Noah Price",
    "Zoe Martin & Hugo Petit",
)
BOARDS_A_ROUND = 2
MANY_BOARDS = 10
MINUTES_A_BOARD = 7
MINUTES_A_ROUND = MINUTES_A_BOARD * BOARDS_A_ROUND
FOULED_BOARD = 5
FOULED_FROM_ROUND = 3
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
SKILLS = (1, 1, 0, 1, 1, 1, 0, 1)


def build(club: Club, people: People, rng: random.Random, *, played_on: datetime, now: datetime) -> None:
    """All of them: the finished ones at `played_on` and before, the other in its second round at `now`."""
    with at_time(played_on - timedelta(days=2)):
        director = people["Daniel Quinn"]
        guests = list(
            typed_entries.make(actor=director, club=club, text="\n".join(GUESTS), name="Pairs of the evening")
        )
    _finished(club, people, rng, guests, begins=played_on)
    _in_play(club, people, rng, guests, now=now)
    _of_another_game(club, people, rng, begins=played_on - timedelta(days=7))
    _of_players(club, people, rng, begins=played_on - timedelta(days=3))


def _finished(
    club: Club, people: People, rng: random.Random, guests: list[Lineup], *, begins: datetime
) -> None:
    """Section A: seven tables of a Mitchell. Section B: four tables of a Howell, where a pair sits out each round."""
    everybody = [*people.pairs[0], *people.pairs[1], *guests]
    mitchell = Choice(Kind.MITCHELL, 7, 7)
    howell = Choice(Kind.HOWELL, 4, 7, phantom=3)
    with at_time(begins - timedelta(days=1)):
        evening = _laid_out(
            club,
            people,
            rng,
            "Autumn Duplicate",
            begins,
            [(everybody[:14], mitchell), (everybody[14:], howell)],
        )
    for number in range(1, 8):
        at = begins + timedelta(minutes=MINUTES_A_ROUND * (number - 1))
        _begin(evening, people, number, at)
        for fixture in _tables(evening, number):
            _play(fixture, people, rng, at + timedelta(minutes=10))
    end = begins + timedelta(minutes=MINUTES_A_ROUND * 7 + 5)
    with at_time(end):
        _judge(evening, people)
        evenings.finish(actor=people["Daniel Quinn"], competition=evening, at=end)
    comparisons.compute_event(competition_id=evening.pk, at=end)


def _judge(evening: Competition, people: People) -> None:
    """What a director has to put right: a board that lay wrong at some tables, and one that was not played fairly."""
    director = people["Daniel Quinn"]
    for play in _fouled(evening):
        boards.mark_version(
            actor=director,
            play=play,
            version="B",
            reason="Two hands of board 5 were exchanged after round 2.",
        )
    play = FixtureBoard.objects.filter(
        fixture__division__stage__competition=evening, board__number=9, fixture__division__name="A"
    ).order_by("fixture__round__number", "pk")[2]
    awards.award(
        actor=director,
        play=play,
        content={"percent": {"home": "60", "away": "40"}},
        reason="East showed a card before the deal was over.",
    )


def _fouled(evening: Competition) -> Iterable[FixtureBoard]:
    """The tables of section B at which board 5 had other cards."""
    return FixtureBoard.objects.filter(
        fixture__division__stage__competition=evening,
        fixture__division__name="B",
        fixture__round__number__gte=FOULED_FROM_ROUND,
        board__number=FOULED_BOARD,
    ).select_related("fixture__round__stage__competition__club", "board")


def _in_play(club: Club, people: People, rng: random.Random, guests: list[Lineup], *, now: datetime) -> None:
    """Four tables in the second round: two have their result, one waits for the opponents, one plays."""
    begins = (now - timedelta(minutes=20)).replace(second=0, microsecond=0)
    pairs = [*people.pairs[1], guests[0]]
    howell = Choice(Kind.HOWELL, 4, 7)
    with at_time(begins - timedelta(hours=1)):
        evening = _laid_out(club, people, rng, "Open Duplicate", begins, [(pairs, howell)])
    _begin(evening, people, 1, begins)
    for fixture in _tables(evening, 1):
        _play(fixture, people, rng, begins + timedelta(minutes=11))
    second = begins + timedelta(minutes=15)
    _begin(evening, people, 2, second)
    tables = _tables(evening, 2)
    for fixture in tables[:2]:
        _play(fixture, people, rng, now - timedelta(minutes=1))
    _enter(tables[2], people, rng, now - timedelta(minutes=1))
    comparisons.compute_event(competition_id=evening.pk, at=now)


def _of_another_game(club: Club, people: People, rng: random.Random, *, begins: datetime) -> None:
    """The game for pairs that came last: three tables, five rounds, all played."""
    offered = [each for each in all_games() if each.boards and [*map(len, each.sides().values())] == [2, 2]][
        -1
    ]
    name = gettext("%(game)s evening") % {"game": gettext(str(offered.name))}
    with at_time(begins - timedelta(days=1)):
        pairs = [(people.pairs[0][:6], Choice(Kind.HOWELL, 3, 5))]
        evening = _laid_out(club, people, rng, name, begins, pairs, game=offered.key)
    _play_all(evening, people, rng, begins, rounds=5)


def _of_players(club: Club, people: People, rng: random.Random, *, begins: datetime) -> None:
    """Eight players at two tables: in seven rounds everybody has everybody as a partner once."""
    eight = [player for pair in people.pairs[1][:4] for player in pair.players]
    with at_time(begins - timedelta(days=1)):
        sections = [(lineups.alone(club=club, players=eight), Choice(Kind.INDIVIDUAL, 2, 7))]
        evening = _laid_out(club, people, rng, "Autumn Individual", begins, sections, partners_change=True)
    _play_all(evening, people, rng, begins, rounds=7)


def build_of_the_club(
    club: Club, people: People, rng: random.Random, *, evenings_on: Iterable[datetime]
) -> None:
    """Small evenings of the same six pairs with many boards each: enough for grades that are no longer provisional."""
    for number, begins in enumerate(evenings_on, start=1):
        with at_time(begins - timedelta(days=1)):
            sections = [(people.pairs[0][:6], Choice(Kind.HOWELL, 3, 3, barometer=True))]
            evening = _laid_out(
                club, people, rng, f"Club Evening {number}", begins, sections, boards_a_round=MANY_BOARDS
            )
        _play_all(evening, people, rng, begins, rounds=3, minutes=MINUTES_A_BOARD * MANY_BOARDS)


def _play_all(
    evening: Competition,
    people: People,
    rng: random.Random,
    begins: datetime,
    *,
    rounds: int,
    minutes: int = MINUTES_A_ROUND,
) -> None:
    """Every table of every round, to the end."""
    for number in range(1, rounds + 1):
        at = begins + timedelta(minutes=minutes * (number - 1))
        _begin(evening, people, number, at)
        for fixture in _tables(evening, number):
            _play(fixture, people, rng, at + timedelta(minutes=minutes - 4))
    end = begins + timedelta(minutes=minutes * rounds + 5)
    with at_time(end):
        evenings.finish(actor=people["Daniel Quinn"], competition=evening, at=end)
    comparisons.compute_event(competition_id=evening.pk, at=end)


def _laid_out(  # noqa: PLR0917 - an evening is all that
    club: Club,
    people: People,
    rng: random.Random,
    name: str,
    begins: datetime,
    sections: Sequence[tuple[Sequence[Lineup], Choice]],
    game: str = "",
    *,
    partners_change: bool = False,
    boards_a_round: int = BOARDS_A_ROUND,
) -> Competition:
    director = people["Daniel Quinn"]
    local = begins.astimezone(at_local(begins.date(), begins.time(), club.time_zone).tzinfo)
    plan = EveningPlan(
        name=name,
        game=game,
        starts_on=local.date(),
        play_time=local.time().replace(tzinfo=None),
        place=club.place,
        boards_a_round=boards_a_round,
        minutes_a_round=MINUTES_A_BOARD * boards_a_round,
        sections=len(sections),
        partners_change=partners_change,
    )
    evening = evenings.make(actor=director, club=club, data=plan)
    for division, (pairs, choice) in zip(evening.stage.divisions.order_by("level"), sections, strict=True):
        entries.enter_all(actor=director, division=division, lineups=pairs, at=begins)
        evenings.choose_movement(actor=director, division=division, choice=choice)
    _seal(evening, director, rng, count=boards_a_round * max(choice.rounds for _pairs, choice in sections))
    return evenings.start(actor=director, competition=evening, at=begins)


def _seal(evening: Competition, director: User, rng: random.Random, *, count: int) -> BoardSet:
    """Boards as the site makes them, but with a key that follows from the demo's seed."""
    key = "".join(rng.choice(LETTERS) for _each in range(KEY_LENGTH))
    agreed = DelayedInformation(DelayedKind.AGREED_TEXT, "the name of the evening", None, evening.name)
    board_set = BoardSet(
        competition=evening,
        count=count,
        reserve=2,
        commitment=commitment(key),
        delayed=agreed.as_json(),
        secret=board_keys.encrypt(key),
        made_by=director,
    )
    return boards.made(actor=director, board_set=board_set)


def _begin(evening: Competition, people: People, number: int, at: datetime) -> None:
    with at_time(at):
        evenings.next_round(actor=people["Daniel Quinn"], competition=evening, number=number, at=at)


def _tables(evening: Competition, number: int) -> list[Fixture]:
    found = Fixture.objects.of_competition(evening.pk).with_pairs().filter(round__number=number)
    return list(found.order_by("division__level", "pk"))


def _play(fixture: Fixture, people: People, rng: random.Random, at: datetime) -> None:
    sheet = _enter(fixture, people, rng, at)
    with at_time(at + timedelta(seconds=40)):
        confirming = _person(fixture.away, people) or people["Daniel Quinn"]
        scoresheets.confirm(actor=confirming, sheet=sheet, digest=sheet.digest)


def _enter(fixture: Fixture, people: People, rng: random.Random, at: datetime) -> Scoresheet:
    entered = _person(fixture.home, people) or people["Sally Moore"]
    competition = fixture.round.competition
    content = front.of(competition.game).played_boards(
        rng,
        competition.rules,
        (SKILLS[fixture.home.number % len(SKILLS)], SKILLS[fixture.away.number % len(SKILLS)]),
        _cards(fixture),
    )
    with at_time(at):
        return scoresheets.submit(
            actor=entered, fixture=fixture, content=content, origin=Scoresheet.Origin.PAGE
        )


def _cards(fixture: Fixture) -> list[tuple[str, str]]:
    """Dealer and cards of each board as it lay at the table."""
    plays = FixtureBoard.objects.filter(fixture=fixture).select_related("board__board_set")
    listed = list(plays.order_by("position"))
    cards = _cards_of(listed[0].board.board_set)
    is_late = fixture.division.name == "B" and fixture.round.number >= FOULED_FROM_ROUND
    return [
        (
            play.board.dealer,
            _exchanged(cards[play.board_id])
            if is_late and play.board.number == FOULED_BOARD
            else cards[play.board_id],
        )
        for play in listed
    ]


def _exchanged(text: str) -> str:
    """The deal with the cards of two neighbours exchanged, as somebody put them back into the board."""
    deal = Deal.parse(text)
    first, second, *others = SEATS
    return str(Deal.of({first: deal[second], second: deal[first], **{seat: deal[seat] for seat in others}}))


@cache
def _cards_of(board_set: BoardSet) -> dict[int, str]:
    """The cards of a set, derived once: the demo plays them many times."""
    return dict(boards.cards_of(board_set))


def _person(entry: Entry, people: People) -> User | None:
    """The account of the pair's first player, if it has one."""
    return people.users.get(entry.lineup.players[0].name)
