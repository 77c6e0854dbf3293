"""Who sees what of a board, while others still have to play it and afterwards: the one function, as a table."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import embargo
from games.boards.services import boards
from games.embargo import Sight
from games.models import BoardSet, Duplicate, FixtureBoard
from games.scoresheets.services import matches, scoresheets
from games.sessions import services as evenings
from games.sessions.queries.late_options import late_options
from league import policies
from league.actors import System, Visitor
from league.entries.services import withdrawals
from league.fixtures.services import fixtures, substitutions
from league.models import Entry, Fixture, Membership, Player, Role, User
from league.people.services import claims
from tests.games.boards import SHEET, board, duplicate_scene, every_card, play, plays_of, sealed, stand_in
from tests.games.evening_rooms import AT, club_with_director, laid_out, tables
from tests.league import factories
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db

# Round 1: Anna & Chidi meet Eva & Luis at the first table, Iris & Tom meet Olga & Kenji at the second.
VISITORS = ("visitor", "stranger", "sam", "dora", "anna", "luis", "iris", "admin", "system")
NOTHING, SHEET_ALONE, OWN, FIELD = "-", "s", "o", "F"
MARKS = {Sight.NOTHING: NOTHING, Sight.SHEET: SHEET_ALONE, Sight.OWN: OWN, Sight.FIELD: FIELD}


def _nothing_yet(_scene: Scene, _made: BoardSet) -> None:
    """Nobody has entered anything."""


def _entered(scene: Scene, _made: BoardSet) -> None:
    scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page")


def _confirmed(scene: Scene, _made: BoardSet) -> None:
    play(scene, scene.fixture)


def _proven(scene: Scene, made: BoardSet) -> None:
    """The sheet holds every card, and they are the board's."""
    play(scene, scene.fixture, **every_card(scene, made))


def _reopened(scene: Scene, made: BoardSet) -> None:
    _confirmed(scene, made)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Deal 2 was wrong")


def _corrected(scene: Scene, made: BoardSet) -> None:
    """A correction of a confirmed sheet waits: the confirmed one still counts."""
    _confirmed(scene, made)
    _entered(scene, made)


def _other_walkover(scene: Scene, made: BoardSet) -> None:
    fixtures.award_walkover(
        actor=scene.users["dora"],
        fixture=scene.fixtures[1],
        losing=[scene.fixtures[1].away],
        reason="Nobody came",
    )
    made.refresh_from_db()


def _board_released(scene: Scene, made: BoardSet) -> None:
    boards.release(actor=scene.users["dora"], board_set=made, board=board(made), reason="Shown by mistake")


def _all_played(scene: Scene, made: BoardSet) -> None:
    _confirmed(scene, made)
    play(scene, scene.fixtures[1])


def _reopened_after_all(scene: Scene, made: BoardSet) -> None:
    _all_played(scene, made)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Deal 2 was wrong")


# For each state, in the order of VISITORS: the cards of board 1; then what was done with it at the first table, and
# at the second.
STATES: tuple[tuple[Callable[[Scene, BoardSet], None], str, str, str], ...] = (
    (_nothing_yet, "---------", "---------", "---------"),
    (_entered, "---------", "---------", "---------"),
    (_confirmed, "---------", "----ss---", "---------"),
    (_proven, "----oo---", "----oo---", "---------"),
    (_reopened, "---------", "---------", "---------"),
    (_corrected, "---------", "----ss---", "---------"),
    (_other_walkover, "---------", "---------", "---------"),
    (_board_released, "FFFFFFFFF", "FFFFFFFFF", "FFFFFFFFF"),
    (_all_played, "FFFFFFFFF", "FFFFFFFFF", "FFFFFFFFF"),
    (_reopened_after_all, "FFFFFFFFF", "FFFFFFFFF", "FFFFFFFFF"),
)


@pytest.fixture
def scene() -> Scene:
    made = duplicate_scene()
    made.users["admin"] = make_user("Admin", is_superuser=True, is_staff=True)
    return made


def _who(scene: Scene, name: str) -> Visitor:
    others: dict[str, Visitor] = {"visitor": AnonymousUser(), "system": System("worker")}
    return others.get(name) or scene.users[name]


def _seen(scene: Scene, ask: Callable[[Visitor], Sight]) -> str:
    return "".join(MARKS[ask(_who(scene, name))] for name in VISITORS)


@pytest.mark.parametrize(
    ("happened", "cards", "first", "second"), STATES, ids=lambda each: getattr(each, "__name__", "")
)
def test_what_each_visitor_sees_in_each_state(
    scene: Scene, happened: Callable[[Scene, BoardSet], None], cards: str, first: str, second: str
) -> None:
    made = sealed(scene)
    happened(scene, made)
    one = board(made)
    tables = [plays_of(made, fixture)[0] for fixture in scene.fixtures[:2]]

    def at(table: FixtureBoard) -> Callable[[Visitor], Sight]:
        return lambda visitor: embargo.sight(visitor=visitor, plays=[table])[table.pk]

    seen = [
        _seen(scene, lambda visitor: embargo.board_sight(visitor=visitor, board=one)),
        *(_seen(scene, at(table)) for table in tables),
    ]
    assert seen == [cards, first, second]


def test_of_one_released_board_the_others_stay_sealed(scene: Scene) -> None:
    made = sealed(scene)
    _board_released(scene, made)
    rows = plays_of(made, scene.fixtures[0])

    found = embargo.sight(visitor=scene.users["anna"], plays=rows)
    assert [found[each.pk] for each in rows] == [Sight.FIELD, Sight.NOTHING, Sight.NOTHING, Sight.NOTHING]


def test_a_substitute_is_who_has_played_and_the_absent_player_is_not(scene: Scene) -> None:
    """Somebody new sits for Chidi (1) at the first table."""
    newcomer = make_user("Newcomer New")
    scene.players.append(Player.objects.create(club=scene.club, name="Newcomer New", user=newcomer))
    stand_in(scene, scene.fixtures[0], 1, 8)
    made = sealed(scene)
    play(scene, scene.fixture, **every_card(scene, made))
    one, table = board(made), plays_of(made, scene.fixture)[0]

    def of(name: str) -> tuple[Sight, Sight]:
        who = newcomer if name == "newcomer" else scene.users[name]
        return (
            embargo.board_sight(visitor=who, board=one),
            embargo.sight(visitor=who, plays=[table])[table.pk],
        )

    assert of("newcomer") == (Sight.OWN, Sight.OWN)
    assert of("chidi") == (Sight.NOTHING, Sight.NOTHING)
    assert of("anna") == (Sight.OWN, Sight.OWN)


def test_who_has_played_a_board_and_has_to_play_it_again_for_somebody_sees_nothing_of_it(
    scene: Scene,
) -> None:
    stand_in(scene, scene.fixtures[1], 2, 0)  # Anna for Iris
    made = sealed(scene)
    play(scene, scene.fixture, **every_card(scene, made))
    one, table = board(made), plays_of(made, scene.fixture)[0]

    assert embargo.board_sight(visitor=scene.users["anna"], board=one) is Sight.NOTHING
    assert embargo.sight(visitor=scene.users["anna"], plays=[table])[table.pk] is Sight.NOTHING
    assert embargo.board_sight(visitor=scene.users["chidi"], board=one) is Sight.OWN


def test_a_director_who_plays_is_a_player(scene: Scene) -> None:
    Membership.objects.filter(user__in=[scene.users["anna"], scene.users["iris"]]).update(role=Role.OWNER)
    made = sealed(scene)
    play(scene, scene.fixture, **every_card(scene, made))
    one = board(made)

    assert embargo.board_sight(visitor=scene.users["anna"], board=one) is Sight.OWN
    assert embargo.board_sight(visitor=scene.users["iris"], board=one) is Sight.NOTHING
    assert embargo.sees_sheets(visitor=scene.users["anna"], fixture=scene.fixture)
    assert not embargo.sees_sheets(visitor=scene.users["iris"], fixture=scene.fixture)


def _withdrawn(scene: Scene) -> None:
    """Iris takes her own pair out; her second match becomes void, so she plays nowhere now."""
    iris = scene.users["iris"]
    withdrawals.withdraw(actor=iris, entry=_entry(scene, iris), reason="Tired", at=timezone.now())


def _account_taken_off(scene: Scene) -> None:
    claims.unlink(actor=scene.users["dora"], player=Player.objects.get(user=scene.users["iris"]))


def _entry(scene: Scene, who: User) -> Entry:
    return Entry.objects.with_pairs().get(competition=scene.competition, lineup__members__player__user=who)


@pytest.mark.parametrize("trick", [_withdrawn, _account_taken_off], ids=["withdrawn", "account taken off"])
def test_a_director_who_takes_himself_out_of_the_event_stays_a_player(
    scene: Scene, trick: Callable[[Scene], None]
) -> None:
    """Otherwise they could read what the others did, and put themselves back."""
    iris = scene.users["iris"]
    Membership.objects.filter(user=iris).update(role=Role.DIRECTOR)
    made = sealed(scene)
    # Otherwise hers is the last match that the boards wait for.
    stranger = scene.fixtures[0]
    scoresheets.submit(actor=scene.users["anna"], fixture=stranger, content=SHEET, origin="page")
    trick(scene)

    assert not policies.may(iris, "sheet.see_deals", stranger)
    assert not policies.may(iris, "sheet.enter", stranger)
    assert not embargo.sees_sheets_of(visitor=iris, fixtures=[stranger])[stranger.pk]
    assert not policies.may(iris, "boards.draw_out", made)
    assert not policies.may(iris, "boards.release", made)
    accounts = [scene.users[name].pk for name in ("iris", "dora", "anna")]
    assert embargo.players_among(accounts, scene.competition) == {accounts[0], accounts[2]}


def test_a_substitute_whose_appointment_was_cancelled_is_a_player_while_its_boards_are_sealed(
    scene: Scene,
) -> None:
    dora = scene.users["dora"]
    scene.players.append(Player.objects.create(club=scene.club, name="Dora Quist", user=dora))
    made = sealed(scene)
    appointed = substitutions.appoint(
        actor=dora, fixture=scene.fixtures[1], absent=scene.players[2], substitute=scene.players[-1]
    )
    substitutions.cancel(actor=dora, substitution=appointed)

    assert embargo.plays_in_event(dora, scene.competition)
    assert not embargo.sees_sheets(visitor=dora, fixture=scene.fixtures[0])
    boards.release(actor=System("site"), board_set=made, reason="The week is over")
    assert not embargo.plays_in_event(dora, scene.competition)


def test_who_joined_an_evening_late_and_had_that_undone_is_a_player() -> None:
    club, _dora = club_with_director()
    pair = factories.pair(club)
    late = factories.account_of(pair)
    factories.member(club, Role.DIRECTOR, who=late)
    competition = laid_out(club, late, 7)
    assert embargo.sees_sheets(visitor=late, fixture=tables(competition, 1)[0])
    option = late_options(competition).options[0].key
    entry = evenings.late_pair(actor=late, competition=competition, lineup=pair, option=option, at=AT)
    evenings.take_back_late(actor=late, entry=entry, at=AT)

    assert embargo.plays_in_event(late, competition)
    assert not embargo.sees_sheets(visitor=late, fixture=tables(competition, 1)[0])
    assert not embargo.plays_in_event(factories.account_of(factories.pair(club)), competition)


SHEETS: tuple[tuple[Callable[[Scene, BoardSet], None], str], ...] = (
    (_nothing_yet, "--++++-+-"),
    (_entered, "--++++-+-"),
    (_confirmed, "--++++-+-"),
    (_reopened, "--++++-+-"),
    (_all_played, "+++++++++"),
    (_reopened_after_all, "+++++++++"),
)


@pytest.mark.parametrize(("happened", "expected"), SHEETS, ids=lambda each: getattr(each, "__name__", ""))
def test_who_sees_the_sheets_of_a_match(
    scene: Scene, happened: Callable[[Scene, BoardSet], None], expected: str
) -> None:
    made = sealed(scene)
    happened(scene, made)

    for asked in (
        lambda who: embargo.sees_sheets(visitor=who, fixture=scene.fixture),
        lambda who: embargo.sees_sheets_of(visitor=who, fixtures=[scene.fixture])[scene.fixture.pk],
    ):
        assert "".join("+" if asked(_who(scene, name)) else "-" for name in VISITORS) == expected


def test_who_was_away_and_has_to_play_the_boards_elsewhere_sees_no_sheet_of_the_own_pair(
    scene: Scene,
) -> None:
    """Kenji (5) sits for Chidi (1) at the first table; Chidi for Kenji at the second."""
    stand_in(scene, scene.fixtures[0], 1, 5)
    stand_in(scene, scene.fixtures[1], 5, 1)
    sealed(scene)
    play(scene, scene.fixture)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)

    assert not embargo.sees_sheets(visitor=scene.users["chidi"], fixture=fixture)
    assert embargo.sees_sheets(visitor=scene.users["kenji"], fixture=fixture)
    assert embargo.sees_sheets(visitor=scene.users["anna"], fixture=fixture)


def test_a_match_without_numbered_boards_has_no_embargo(scene: Scene) -> None:
    Duplicate.objects.all().delete()

    assert embargo.sees_sheets(visitor=AnonymousUser(), fixture=scene.fixture)
    assert embargo.sight(visitor=scene.users["anna"], plays=[]) == {}
    assert embargo.sees_sheets_of(visitor=AnonymousUser(), fixtures=[]) == {}


@pytest.mark.parametrize("who", ["visitor", "anna", "dora"])
def test_the_number_of_queries_does_not_grow_with_what_is_asked(scene: Scene, who: str) -> None:
    first, _second, _third = [sealed(scene, number) for number in (1, 2, 3)]
    play(scene, scene.fixture)
    few = plays_of(first, scene.fixture)[:1]
    many = list(FixtureBoard.objects.all())
    assert len(many) == 24

    counts = []
    for asked in (few, many):
        with CaptureQueriesContext(connection) as counted:
            embargo.sight(visitor=_who(scene, who), plays=asked)
        counts.append(len(counted))
    assert counts[0] == counts[1] <= 3
