"""A match's table is closed and opened again: no deal whose cards were seen is dealt once more, and nothing is lost."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Count
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.boards.services import neutrals
from games.models import Action, EarlyPlay, Scoresheet, Table, TableDeal, TableRequest
from games.scoresheets.services import matches, scoresheets
from games.seating import first_dealer_of
from games.tables.queries.lists import online_step
from games.tables.services import (
    opening,
    play,
    requests,
    results,
    rows,
    seats,
)
from games.tables.state import facts as reading
from league.errors import Conflict, LeagueError
from league.fixtures.services import fixtures, substitutions
from league.models import AuditEntry, Fixture, Membership, Player, Role, Round, User
from tests.games.boards import SHEET, duplicate_scene, every_card, sealed
from tests.games.boards import play as play_on_paper
from tests.live.tables import START, Laid, all_ready, laid_in, match_table, move, moves, play_deal, sent
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db
Step = Callable[[Scene, Fixture], None]


@pytest.fixture
def scene() -> Scene:
    made = duplicate_scene()
    sealed(made)
    return made


def browser(scene: Scene, name: str) -> Client:
    found = Client()
    found.force_login(User.objects.get(pk=scene.users[name].pk))
    return found


def close(laid: Laid, name: str) -> Any:
    address = reverse("table_step", args=[laid.table.pk, "close"])
    return browser(laid.scene, name).post(address, {"reason": "The line was bad"})


def open_again(laid: Laid, name: str) -> Any:
    address = reverse("match_table", args=[laid.scene.fixture.pk])
    return browser(laid.scene, name).post(address, headers={"accept": "application/json"})


def log(laid: Laid) -> list[tuple[int, int, str]]:
    """All that was ever done at tables of the match."""
    done = Action.objects.filter(deal__table__fixture=laid.scene.fixture).order_by("deal", "number")
    return [(each.deal_id, each.number, each.token) for each in done]


def is_dealt_once() -> bool:
    often = TableDeal.objects.filter(board__isnull=False).values("board").annotate(often=Count("pk"))
    return all(each["often"] == 1 for each in often)


def refused(laid: Laid, name: str = "anna") -> str:
    with pytest.raises(Conflict) as refusal:
        opening.open_match(actor=laid.scene.users[name], fixture=laid.scene.fixture)
    return refusal.value.code


def alone(scene: Scene, name: str) -> None:
    """From now on this player is the club's only director."""
    Membership.objects.filter(club=scene.club, role__in=[Role.DIRECTOR, Role.OWNER]).update(role=Role.MEMBER)
    Membership.objects.filter(user=scene.users[name]).update(role=Role.DIRECTOR)


def nothing(_scene: Scene, _fixture: Fixture) -> None:
    """In between nothing happens."""


def put_off(scene: Scene, fixture: Fixture) -> None:
    """Both pairs agree on another date."""
    Fixture.objects.filter(pk=fixture.pk).update(status=Fixture.Status.POSTPONED)


def given_and_taken_back(scene: Scene, fixture: Fixture) -> None:
    """A walkover, which is taken back."""
    fixtures.award_walkover(
        actor=scene.users["dora"], fixture=fixture, losing=[fixture.away], reason="They have gone"
    )
    fixtures.restore(actor=scene.users["dora"], fixture=fixture, reason="They are back")


@pytest.mark.parametrize(
    ("closes", "between", "opens"),
    [
        ("anna", nothing, "anna"),
        ("dora", nothing, "anna"),
        ("dora", put_off, "eva"),
        ("dora", nothing, "dora"),
        ("dora", given_and_taken_back, "luis"),
    ],
    ids=["a lone director who plays", "a player", "both pairs", "an official", "a ruling"],
)
def test_a_table_that_is_opened_again_goes_on_where_it_was(
    scene: Scene, closes: str, between: Step, opens: str
) -> None:
    if closes == "anna":
        alone(scene, "anna")
    laid = laid_in(scene)
    moves(laid, 5)
    before, on_turn = log(laid), laid.turn()
    assert close(laid, closes).status_code == 200
    between(scene, scene.fixture)
    assert open_again(laid, opens).json()["table"] == laid.table.pk
    assert log(laid) == before
    assert (laid.turn(), laid.facts().state) == (on_turn, Table.State.PLAYING)
    assert {seat: holder.user for seat, holder in laid.facts().seats.items()} == {
        seat: laid.at(seat).pk for seat in "NESW"
    }
    assert is_dealt_once()
    told = AuditEntry.objects.get(action="table.resumed")
    assert (told.actor, told.fixture) == (scene.users[opens], scene.fixture)
    assert "cards have been seen" in told.summary
    requests.resume(actor=laid.at("N"), table_id=laid.table.pk)
    move(laid)
    assert log(laid)[:-1] == before


def test_a_table_opened_again_early_calls_its_players_when_the_time_has_come(scene: Scene) -> None:
    laid = laid_in(scene)
    moves(laid, 2)
    Table.objects.filter(pk=laid.table.pk).update(called_at=timezone.now())
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=timezone.now() + timedelta(days=1))
    assert close(laid, "dora").status_code == 200
    assert open_again(laid, "anna").status_code == 200
    assert Table.objects.get(pk=laid.table.pk).called_at is None


def test_no_clock_runs_while_a_table_is_closed(scene: Scene) -> None:
    laid = laid_in(scene, clock_seconds=600)
    facts = moves(laid, 3)
    assert facts.deal is not None
    at = facts.deal.fold.since + timedelta(seconds=10)
    opening.close(actor=scene.users["dora"], table_id=laid.table.pk, reason="A storm", at=at)
    opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    assert laid.facts().is_paused
    with pytest.raises(Conflict) as refusal:
        move(laid)
    assert refusal.value.code == "paused"
    later = at + timedelta(days=2)
    assert not requests.check_time(table_id=laid.table.pk, at=later)
    requests.resume(actor=laid.at("E"), table_id=laid.table.pk, at=later)
    assert not requests.check_time(table_id=laid.table.pk, at=later + timedelta(seconds=500))
    assert play.act(
        actor=laid.at(laid.turn()),
        table_id=laid.table.pk,
        sent=sent(laid.facts(), next(iter(legal(laid)))),
        at=later + timedelta(seconds=5),
    )


def legal(laid: Laid) -> list[str]:
    """What whoever is on turn may play."""
    deal = laid.facts().deal
    assert deal is not None
    state = deal.fold.state
    return list(state.legal())


def test_a_call_that_nobody_answered_waits_for_a_director_again(scene: Scene) -> None:
    laid = laid_in(scene, clock_seconds=600, on_timeout="director")
    facts = moves(laid, 3)
    assert facts.deal is not None
    requests.call_director(actor=laid.at("E"), table_id=laid.table.pk, text="A card is missing")
    requests.check_time(table_id=laid.table.pk, at=facts.deal.fold.since + timedelta(hours=1))
    calls = TableRequest.objects.filter(kind__in=["director", "time"])
    close(laid, "dora")
    assert set(calls.values_list("state", flat=True)) == {"lapsed"}
    open_again(laid, "anna")
    assert list(calls.values_list("state", "ended_at")) == [("open", None)] * 2


def test_between_two_deals_everybody_says_again_that_they_are_ready(scene: Scene) -> None:
    laid = laid_in(scene)
    play_deal(laid)
    for seat in "NES":
        seats.ready(actor=laid.at(seat), table_id=laid.table.pk)
    close(laid, "dora")
    open_again(laid, "anna")
    assert laid.facts().state == Table.State.BETWEEN
    seats.ready(actor=laid.at("W"), table_id=laid.table.pk)
    assert laid.facts().deal_number == 1, "the others may have gone"
    all_ready(laid)
    assert laid.facts().deal_number == 2
    assert is_dealt_once()


def test_a_match_with_cards_of_its_own_is_not_dealt_afresh_by_closing_it() -> None:
    laid = match_table()
    moves(laid, 5)
    before = log(laid)
    close(laid, "dora")
    assert open_again(laid, "eva").json()["table"] == laid.table.pk
    assert log(laid) == before


def test_a_table_at_which_nothing_was_dealt_makes_room_for_another(scene: Scene) -> None:
    laid = laid_in(scene, begun=False)
    close(laid, "dora")
    assert open_again(laid, "anna").json()["table"] != laid.table.pk


# Who sits where afterwards


def test_a_substitute_named_in_between_plays_on_and_not_for_the_other_side_too(scene: Scene) -> None:
    igor_user = make_user("Igor Idle")
    Membership.objects.create(user=igor_user, club=scene.club, role=Role.MEMBER)
    igor = Player.objects.create(club=scene.club, name="Igor Idle", user=igor_user)
    anna, luis = (Player.objects.get(user=scene.users[name]) for name in ("anna", "luis"))
    laid = laid_in(scene)
    moves(laid, 5)
    close(laid, "dora")
    dora = scene.users["dora"]
    named = substitutions.appoint(
        actor=dora, fixture=scene.fixture, absent=anna, substitute=igor, reason="Anna is ill"
    )
    open_again(laid, "chidi")
    seats.sit(actor=igor_user, table_id=laid.table.pk, seat="N")
    assert laid.facts().seats["N"].user == igor_user.pk
    # Now for an opponent: the cards of North, which this substitute has seen, are in play still.
    substitutions.cancel(actor=dora, substitution=named)
    close(laid, "dora")
    substitutions.appoint(
        actor=dora, fixture=scene.fixture, absent=luis, substitute=igor, reason="Luis is ill"
    )
    open_again(laid, "chidi")
    seats.seat_robot(actor=laid.at("S"), table_id=laid.table.pk, seat="N")
    with pytest.raises(LeagueError) as refusal:
        seats.sit(actor=igor_user, table_id=laid.table.pk, seat="W")
    assert refusal.value.code == "saw_cards"


def test_partners_who_changed_seats_keep_them(scene: Scene) -> None:
    laid = laid_in(scene, begun=False)
    seats.swap(actor=scene.users["anna"], table_id=laid.table.pk)
    seated = dict(laid.facts().expected)
    for holder in list(laid.facts().seats.values()):
        seats.ready(actor=User.objects.get(pk=holder.user or 0), table_id=laid.table.pk)
    close(laid, "dora")
    open_again(laid, "anna")
    assert dict(laid.facts().expected) == seated
    with pytest.raises(Conflict) as refusal:
        seats.swap(actor=scene.users["anna"], table_id=laid.table.pk)
    assert refusal.value.code == "too_late"


def test_leave_to_play_early_is_leave_to_play_once(scene: Scene) -> None:
    to_come = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=1).update(starts_on=to_come.date(), closes_at=to_come + timedelta(days=7))
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    neutrals.let_play_early(
        actor=scene.users["dora"], fixture=fixture, reason="Eva is away then", at=timezone.now()
    )
    laid = laid_in(scene)
    moves(laid, 5)
    before = log(laid)
    close(laid, "dora")
    assert open_again(laid, "anna").json()["table"] == laid.table.pk
    assert log(laid) == before
    assert EarlyPlay.objects.count() == 1


# What was played to the end belongs to a director


def finished(scene: Scene) -> Laid:
    """A match played to its end with more robots than its terms allow: no result."""
    laid = laid_in(scene, robots=dict.fromkeys("NES", "novice"), most_robot_hands=0)
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)
    results.record(table_id=laid.table.pk)
    return laid


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_match_that_was_played_to_the_end_without_a_result_is_not_played_again(
    scene: Scene, *, is_closed: bool
) -> None:
    laid = finished(scene)
    assert Table.objects.get().fault
    if is_closed:
        close(laid, "dora")
    assert [refused(laid, name) for name in ("anna", "eva", "dora")] == ["played_already"] * 3
    step = online_step(visitor=scene.users["anna"], fixture=Fixture.objects.get(pk=scene.fixture.pk))
    assert step is not None
    assert "director" in step.why_not
    assert Table.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_where_boards_are_none_a_director_who_closes_it_lets_it_be_played_again() -> None:
    laid = match_table(robots=dict.fromkeys("NES", "novice"), most_robot_hands=0)
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)
    results.record(table_id=laid.table.pk)
    assert refused(laid) == "played_already"
    close(laid, "dora")
    assert open_again(laid, "anna").json()["table"] != laid.table.pk


def test_boards_of_a_sheet_that_counted_are_not_dealt_at_a_table(scene: Scene) -> None:
    """Whoever reopens the match, strikes it off and puts it back would have them played with cards that are known."""
    dora = scene.users["dora"]
    board_set = scene.competition.board_sets.get()
    play_on_paper(scene, scene.fixture, **every_card(scene, board_set))
    matches.reopen(actor=dora, fixture=scene.fixture, reason="Deal 2 was wrong")
    fixtures.void(actor=dora, fixture=scene.fixture, reason="Nobody knows")
    fixtures.restore(actor=dora, fixture=scene.fixture, reason="They play it again")
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    assert fixture.status == Fixture.Status.SCHEDULED
    with pytest.raises(Conflict) as refusal:
        opening.open_match(actor=scene.users["anna"], fixture=fixture)
    assert refusal.value.code == "played_already"


def test_a_sheet_that_never_counted_keeps_nobody_from_playing(scene: Scene) -> None:
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page")
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="We have not played")
    given_and_taken_back(scene, scene.fixture)
    assert Scoresheet.objects.get().verdict == "rejected"
    assert opening.open_match(actor=scene.users["anna"], fixture=scene.fixture).pk


def test_the_cause_no_board_is_dealt_twice_whatever_table_is_open(scene: Scene) -> None:
    """As an installation may have left it from before: a second table, nothing dealt at it yet."""
    laid = laid_in(scene)
    close(laid, "dora")
    first = laid.table
    second = Table.objects.create(
        club=scene.club, kind="match", fixture=scene.fixture, game=first.game, options=first.options,
        first_dealer=first_dealer_of(scene.fixture), seating=first.seating, opened_by=scene.users["anna"],
    )  # fmt: skip
    laid = Laid(scene, second)
    for seat in "NESW":
        seats.sit(actor=laid.at(seat), table_id=second.pk, seat=seat, at=START)
    with pytest.raises(Conflict) as refusal:
        all_ready(laid)
    assert refusal.value.code == "played_already"
    assert is_dealt_once()


# What a closed table shows meanwhile


@pytest.mark.django_db(transaction=True)
def test_deals_of_a_closed_table_are_studied_only_when_its_match_is_decided() -> None:
    """A director takes back the deal that has just ended: nobody has seen its cards on a replay."""
    laid = match_table(robots=dict.fromkeys("NES", "novice"))
    play_deal(laid)
    address = reverse("table_replay_page", args=[laid.table.pk, 1])
    close(laid, "dora")
    assert Client().get(address).status_code == 404
    fixtures.award_walkover(
        actor=laid.scene.users["dora"],
        fixture=laid.scene.fixture,
        losing=[laid.scene.fixture.away],
        reason="They have gone",
    )
    assert Client().get(address).status_code == 200


def test_the_match_page_offers_to_go_on(scene: Scene) -> None:
    laid = laid_in(scene)
    close(laid, "dora")
    offered = {
        name: "Open the table again" in browser(scene, name).get(scene.fixture.get_absolute_url()).text
        for name in ("anna", "eva", "dora", "iris")
    }
    assert offered == {"anna": True, "eva": True, "dora": True, "iris": False}
    open_again(laid, "dora")
    page = browser(scene, "anna").get(scene.fixture.get_absolute_url()).content.decode()
    assert laid.table.get_absolute_url() in page
    assert reading.current(laid.table.pk).version > 1
    assert rows.lock(laid.table.pk).due_at is not None
