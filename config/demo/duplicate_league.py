"""The demo's duplicate league: one round that all have played, its boards released; one in play, its boards sealed."""

import random
from datetime import date, datetime, time, timedelta
from typing import Any

from config.demo.clock import at_time
from config.demo.people import People
from engine.boards.sealing import KEY_LENGTH, commitment
from games import front
from games.boards.services import boards, duplicate_leagues
from games.comparisons.services import comparisons
from games.fixture_boards import boards_of
from games.models import BoardSet, Scoresheet
from games.scoresheets.services import scoresheets
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import entries
from league.models import Club, Competition, Entry, Fixture, Round, User
from league.storage import board_keys
from league.zones import at_local

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
DAYS_BETWEEN = 14
SKILLS = (2, 1, 3, 1, 2, 1)
STORIES = ("confirmed", "waiting", "to play")


def build(
    club: Club, people: People, rng: random.Random, *, in_play_since: date, at: datetime
) -> Competition:
    """The league; of its second round, from `in_play_since` on, a match is confirmed, one waits, one is open."""
    first_day = in_play_since - timedelta(days=DAYS_BETWEEN)
    founded = at_local(first_day - timedelta(days=10), time(20), club.time_zone)
    with at_time(founded):
        league = _set_up(club, people, rng, first_day=first_day, at=founded)
    for fixture in _fixtures(league, 1):
        _confirm(_enter(fixture, people, rng), people)
    for fixture, story in zip(_by_story(league, people), STORIES, strict=True):
        if story != "to play":
            sheet = _enter(fixture, people, rng)
            if story == "confirmed":
                _confirm(sheet, people)
    comparisons.compute_event(competition_id=league.pk, at=at)
    return league


def _set_up(club: Club, people: People, rng: random.Random, *, first_day: date, at: datetime) -> Competition:
    director = people["Daniel Quinn"]
    data = Setup(
        name="Duplicate League",
        starts_on=first_day,
        days_between_rounds=DAYS_BETWEEN,
        place=club.place,
        rules={"deals": 4},
        extra={"boards": {"together": True}},
    )
    league = competitions.set_up(actor=director, club=club, data=data)
    others = people.pairs[1]
    pairs = [people.pairs[0][3], others[0], people.pairs[0][7], *others[1:4]]
    entries.enter_all(actor=director, division=league.stage.divisions.get(), lineups=pairs, at=at)
    draws.draw(actor=director, competition=league, order=draws.GIVEN)
    for played in league.stage.rounds.order_by("number"):
        seal(played, director, rng)
    return competitions.publish(actor=director, competition=league)


def seal(played: Round, director: User, rng: random.Random) -> None:
    """Boards as publishing makes them, but with a key that follows from the demo's seed."""
    key = "".join(rng.choice(LETTERS) for _each in range(KEY_LENGTH))
    board_set = BoardSet(
        competition=played.competition,
        round=played,
        count=played.competition.rules["deals"],
        reserve=duplicate_leagues.RESERVE,
        commitment=commitment(key),
        delayed=duplicate_leagues.delayed_of(played, {}).as_json(),
        secret=board_keys.encrypt(key),
        made_by=director,
    )
    boards.made(actor=director, board_set=board_set)


def _fixtures(league: Competition, number: int) -> list[Fixture]:
    found = Fixture.objects.of_competition(league.pk).with_pairs().filter(round__number=number)
    return list(found.order_by("pk"))


def _by_story(league: Competition, people: People) -> list[Fixture]:
    """The matches of the second round: Rui Silva has played his, Olga Petrov still has to play."""
    rui, olga = people.pairs[0][7], people.pairs[0][3]

    def place(fixture: Fixture) -> int:
        pairs = {fixture.home.lineup_id, fixture.away.lineup_id}
        return 2 if olga.pk in pairs else 0 if rui.pk in pairs else 1

    return sorted(_fixtures(league, 2), key=place)


def _enter(fixture: Fixture, people: People, rng: random.Random) -> Scoresheet:
    content = played_boards(fixture, rng, (_skill(fixture.home), _skill(fixture.away)))
    with at_time(_start(fixture) + timedelta(hours=2, minutes=rng.randint(0, 40))):
        return scoresheets.submit(
            actor=people.of_pair(fixture.home.lineup),
            fixture=fixture,
            content=content,
            origin=Scoresheet.Origin.PAGE,
        )


def played_boards(fixture: Fixture, rng: random.Random, skill: tuple[int, int]) -> dict[str, Any]:
    """A sheet's content for the boards of a match."""
    plays = boards_of(fixture)
    cards = boards.cards_of(BoardSet.objects.get(pk=plays[0].board.board_set_id))
    competition = fixture.round.competition
    dealt = [(play.board.dealer, cards[play.board_id]) for play in plays]
    return front.of(competition.game).played_boards(rng, competition.rules, skill, dealt)


def _confirm(sheet: Scoresheet, people: People) -> None:
    with at_time(sheet.entered_at + timedelta(minutes=45)):
        away = people.of_pair(sheet.match.fixture.away.lineup)
        scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)


def _start(fixture: Fixture) -> datetime:
    assert fixture.starts_at is not None  # noqa: S101 - the draw gave it
    return fixture.starts_at


def _skill(entry: Entry) -> int:
    """Fixed for each pair, by its number in the draw."""
    return SKILLS[entry.number % len(SKILLS)]
