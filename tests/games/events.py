"""Duplicate events as rows, for tests of what follows from them.

    event = make_event(tables=4, boards=2, rounds=1)    a league whose tables play the same boards, released
    play(event.fixtures[0], (52, 20), (31, 40))         a confirmed sheet, a board each: points of home and away
    settle(event)                                       what the workers would store

No sheet is entered and no card is dealt.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from games.comparisons.services import comparisons
from games.models import (
    Board,
    BoardSet,
    Comparison,
    Duplicate,
    EventRanking,
    FixtureBoard,
    Match,
    PlayedDeal,
    Scoresheet,
)
from league import formats
from league.fixtures.services import meetings
from league.models import Competition, Division, Entry, Fixture, Role, Round, User
from tests.kept_scenes import kept
from tests.league import factories

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)


@dataclass
class Event:
    """A duplicate event: tables in order, round by round."""

    competition: Competition
    director: User
    entries: list[Entry] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    fixtures: list[Fixture] = field(default_factory=list)

    @property
    def duplicate(self) -> Duplicate:
        return Duplicate.objects.get(pk=self.competition.pk)

    def board(self, number: int = 1) -> Board:
        """The board with that number, as it is now."""
        return Board.objects.get(board_set__competition=self.competition, number=number)

    def comparison(self, number: int = 1) -> dict[str, Any]:
        """What is stored of the board with that number."""
        content: dict[str, Any] = Comparison.objects.get(board=self.board(number)).content
        return content

    def ranking(self, name: str = "all", round_number: int = 0) -> dict[str, Any]:
        """The stored ranking of a field."""
        content: dict[str, Any] = EventRanking.objects.get(
            competition=self.competition, field=name, round_number=round_number
        ).content
        return content


@kept
def make_event(
    *,
    tables: int = 4,
    boards: int = 2,
    rounds: int = 1,
    is_released: bool = True,
    sections: int = 1,
    club: Any = None,
    **settings: Any,
) -> Event:
    """Every table of a round plays the round's boards, the same two pairs at a table in every round.

    Tables are shared out among the sections (divisions) in order. `settings` are those of Duplicate, and "format".
    """
    club = club or factories.club()
    kind = settings.pop("format", formats.SINGLE)
    competition = factories.competition(
        club, pairs=0, divisions=0, format=kind, state=Competition.State.RUNNING
    )
    divisions = [
        Division.objects.create(stage=competition.stage, name=chr(64 + level), level=level)
        for level in range(1, sections + 1)
    ]
    Duplicate.objects.create(competition=competition, **settings)
    event = Event(competition, factories.member(club, Role.DIRECTOR))
    for table in range(tables):
        division = divisions[table * sections // tables]
        event.entries += [factories.entry(division), factories.entry(division)]
    for number in range(1, rounds + 1):
        _round(event, number, boards, AT if is_released else None)
    return event


def _round(event: Event, number: int, boards: int, released_at: datetime | None) -> None:
    played = Round.objects.create(
        stage=event.competition.stage, number=number, starts_on=AT.date(), closes_at=AT
    )
    event.rounds.append(played)
    chosen = BoardSet.objects.create(
        competition=event.competition,
        round=played,
        first_number=(number - 1) * boards + 1,
        count=boards,
        commitment="0" * 64,
        secret="",
    )
    made = Board.objects.bulk_create(
        Board(
            board_set=chosen,
            place=place,
            number=(number - 1) * boards + place,
            dealer="N",
            released_at=released_at,
        )
        for place in range(1, boards + 1)
    )
    event.boards += made
    fixtures = meetings.meet(
        (Fixture(division=home.division, round=played, table=str(table)), (home, away))
        for table, (home, away) in enumerate(zip(event.entries[::2], event.entries[1::2], strict=True), 1)
    )
    event.fixtures += fixtures
    FixtureBoard.objects.bulk_create(
        FixtureBoard(fixture=fixture, position=position, board=board)
        for fixture in fixtures
        for position, board in enumerate(made, start=1)
    )


def play(fixture: Fixture, *points: tuple[int, int], home_side: str = "NS", tells: bool = True) -> Scoresheet:
    """A confirmed sheet of the match, points of home and away a board; workers are told unless `tells` is off."""
    [sheet] = play_all([(fixture, points)], home_side=home_side)
    if tells:
        with transaction.atomic():
            comparisons.bump_fixture(fixture)
    return sheet


def play_all(
    matches: Iterable[tuple[Fixture, Iterable[tuple[int, int]]]], *, home_side: str = "NS"
) -> list[Scoresheet]:
    """The sheets of many matches at once; nobody is told."""
    listed = [(fixture, list(points)) for fixture, points in matches]
    clerk = User.objects.filter(email="clerk@example.org").first() or factories.user("clerk@example.org")
    other_side = "EW" if home_side == "NS" else "NS"
    keys = [fixture.pk for fixture, _points in listed]
    Fixture.objects.filter(pk__in=keys).update(status=Fixture.Status.CONFIRMED)
    Match.objects.bulk_create(
        (Match(fixture_id=key, game="concerto", first_dealer="N") for key in keys), ignore_conflicts=True
    )
    sheets = Scoresheet.objects.bulk_create(
        Scoresheet(
            match_id=fixture.pk,
            version=1,
            content={
                "home_side": home_side,
                "deals": [{"total": {home_side: home, other_side: away}} for home, away in points],
            },
            digest="",
            origin=Scoresheet.Origin.PAGE,
            entered_by=clerk,
            totals=[0, 0],
            verdict=Scoresheet.Verdict.CONFIRMED,
        )
        for fixture, points in listed
    )
    PlayedDeal.objects.bulk_create(
        PlayedDeal(
            sheet=sheet,
            number=number,
            dealer="N",
            record={},
            score={"total": {home_side: home, other_side: away}},
        )
        for sheet, (_fixture, points) in zip(sheets, listed, strict=True)
        for number, (home, away) in enumerate(points, start=1)
    )
    return sheets


def play_of(event: Event, table: int, number: int = 1) -> FixtureBoard:
    """What that table (from 1, in the order of fixtures) does with the board of that number."""
    fixture = event.fixtures[table - 1]
    found: FixtureBoard = FixtureBoard.objects.select_related(
        "fixture__round__stage__competition__club", "board"
    ).get(fixture=fixture, board__number=number)
    return found


def settle(event: Event) -> None:
    """Everything computed, as a director asks for it."""
    comparisons.compute_event(competition_id=event.competition.pk, at=AT)
