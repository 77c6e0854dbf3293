"""Evenings in the database for tests.

club, dora = club_with_director()
evening = draft(club, dora, pairs=8)                 a draft with one section of eight pairs
evening = laid_out(club, dora, pairs=13, choice=...) seated by that movement (the usual one without)
begin(evening, dora, 2)                              the clock stands in round 2
play_round(evening, 1)                               every table of the round has a confirmed result
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from engine.contest.movements.sections import Choice
from games.models import Duplicate, FixtureBoard, Scoresheet
from games.scoresheets.services import scoresheets
from games.sessions import services as evenings
from games.sessions.services import EveningPlan
from league.entries.services import entries
from league.models import Appearance, Club, Competition, Entry, Fixture, Role, User
from tests.kept_scenes import kept
from tests.league import factories

DAY = date(2026, 11, 5)
AT = datetime(2026, 11, 5, 19, 30, tzinfo=UTC)


@kept
def club_with_director() -> tuple[Club, User]:
    """A club and its director."""
    club = factories.club(time_zone="Europe/Dublin")
    return club, factories.member(club, Role.DIRECTOR)


@kept
def draft(
    club: Club,
    director: User,
    pairs: int | Sequence[int] = 8,
    *,
    boards: int = 2,
    name: str = "Thursday",
    game: str = "",
    partners_change: bool = False,
) -> Competition:
    """An evening with its pairs, so many in each section; or with so many players whose partners change (F120)."""
    sizes = [pairs] if isinstance(pairs, int) else list(pairs)
    plan = EveningPlan(
        name=name,
        starts_on=DAY,
        game=game,
        boards_a_round=boards,
        sections=len(sizes),
        place="The Hall",
        partners_change=partners_change,
    )
    make = factories.alone if partners_change else factories.pair
    competition = evenings.make(actor=director, club=club, data=plan)
    for division, size in zip(competition.stage.divisions.order_by("level"), sizes, strict=True):
        entries.enter_all(
            actor=director,
            division=division,
            lineups=[make(club) for _each in range(size)],
            at=AT,
        )
    return competition


@kept
def laid_out(
    club: Club,
    director: User,
    pairs: int | Sequence[int] = 8,
    *,
    choice: Choice | None = None,
    boards: int = 2,
    partners_change: bool = False,
) -> Competition:
    """An evening whose pairs, or players, have their seats."""
    competition = draft(club, director, pairs, boards=boards, partners_change=partners_change)
    if choice is not None:
        evenings.choose_movement(
            actor=director, division=competition.stage.divisions.order_by("level")[0], choice=choice
        )
    return evenings.start(actor=director, competition=competition, at=AT)


@kept
def begin(competition: Competition, director: User, number: int = 1) -> None:
    """Lets rounds begin until that one."""
    for each in range(competition.evening.round_number + 1, number + 1):
        evenings.next_round(
            actor=director, competition=competition, number=each, at=AT + timedelta(minutes=28 * each)
        )
    competition.evening.refresh_from_db()


def tables(competition: Competition, number: int) -> list[Fixture]:
    """The tables of a round."""
    found = Fixture.objects.of_competition(competition.pk).with_pairs().filter(round__number=number)
    return list(found.order_by("division__level", "pk"))


def entered(fixture: Fixture, who: User, *, home: int = 40, away: int = 20) -> Scoresheet:
    """A sheet that this person has typed in, so many points on each board; to be confirmed."""
    plays = FixtureBoard.objects.filter(fixture=fixture).select_related("board").order_by("position")
    content = {
        "first_dealer": plays[0].board.dealer,
        "deals": [{"total": {"NS": home, "EW": away}} for _each in plays],
    }
    return scoresheets.submit(actor=who, fixture=fixture, content=content, origin="page")


@kept
def play(fixture: Fixture, *, home: int = 40, away: int = 20) -> None:
    """A confirmed result of a table, entered by one pair and confirmed by the other."""
    sheet = entered(fixture, factories.account_of(fixture.home.lineup), home=home, away=away)
    scoresheets.confirm(actor=factories.account_of(fixture.away.lineup), sheet=sheet, digest=sheet.digest)


@kept
def play_round(competition: Competition, number: int) -> None:
    """Every table of the round plays."""
    for index, fixture in enumerate(tables(competition, number)):
        if fixture.status == Fixture.Status.SCHEDULED:
            play(fixture, home=40 + index, away=20)


def faults(competition: Competition) -> list[str]:
    """What breaks the laws of movements in the rows: of tables that are played, and of pairs in each round."""
    found: list[str] = []
    met: set[frozenset[int]] = set()
    had: set[tuple[int, int]] = set()
    for fixture in Fixture.objects.of_competition(competition.pk).exclude(status="void").order_by("pk"):
        pair = frozenset((fixture.home_id, fixture.away_id))
        if pair in met:
            found.append(f"{fixture.pk}: have met")
        met.add(pair)
        for board in FixtureBoard.objects.filter(fixture=fixture).values_list("board_id", flat=True):
            for entry in pair:
                if (entry, board) in had:
                    found.append(f"{fixture.pk}: entry {entry} has played board {board}")
                had.add((entry, board))
    for played in competition.stage.rounds.all():
        seated = [
            entry for pair in factories.pairings(played.fixtures.exclude(status="void")) for entry in pair
        ]
        if len(set(seated)) != len(seated):
            found.append(f"round {played.number}: a pair in two seats")
        waiting = set(
            Appearance.objects.filter(round=played, fixture=None).values_list("entry_id", flat=True)
        )
        if waiting & set(seated):
            found.append(f"round {played.number}: a pair that sits out plays")
        tables = list(played.fixtures.exclude(status="void").values_list("table", flat=True))
        if len(set(tables)) != len(tables):
            found.append(f"round {played.number}: a table twice")
    return found


def sitting_out(competition: Competition, number: int) -> set[int]:
    """The numbers of the pairs that sit out in the round."""
    found = Appearance.objects.filter(
        round__stage__competition=competition, round__number=number, fixture=None
    )
    return set(found.values_list("entry__number", flat=True))


def numbered(competition: Competition, number: int) -> Entry:
    """The pair with that number."""
    entry: Entry = Entry.objects.with_pairs().get(competition=competition, number=number)
    return entry


def is_duplicate(competition: Competition) -> bool:
    """Whether its tables play the same boards."""
    return Duplicate.objects.filter(pk=competition.pk).exists()
