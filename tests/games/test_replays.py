"""Replays: each moment of a finished deal as the engine has it, as each seat saw it, and as a file for others."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.boards.files.pbn import read_pbn
from engine.concerto.game import CONCERTO
from engine.deals import Deal
from engine.seats import SEATS, Seat
from games import board_cards
from games.analysis.services import analyses
from games.boards.services import boards
from games.concerto.replay import EVERYBODY, Played, replay
from games.models import Analysis, BoardSet, PlayedHand, Table
from games.scoresheets.services import scoresheets
from games.tables.queries.finished_deals import deal_of_match, deal_of_table
from games.tables.services import opening, seats
from games.templatetags.cards import card_name
from league.fixtures.services import fixtures
from tests.games.boards import board, duplicate_scene, sealed
from tests.live.tables import all_ready, casual_table, match_table, play_deal
from tests.scenes import Scene, make_scene

ORACLE = Path(__file__).parent.parent / "oracles" / "concerto_deals.json"
KEPT = ("deal", "dealer", "hands", "left", "made", "total")
TOTAL = {"total": {"NS": 100, "EW": 20}}


def written(dealer: str = "N") -> dict[str, Any]:
    """A real deal, action by action, as a sheet has it."""
    return next(deal for deal in json.loads(ORACLE.read_text()) if deal["dealer"] == dealer)


def played_match() -> Scene:
    """A confirmed match: the first deal is written card by card, of the second only what it came to."""
    scene = make_scene()
    deal = written()
    content = {"first_dealer": "N", "deals": [{key: deal[key] for key in KEPT}, TOTAL]}
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content, origin="page"
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    return scene


def played() -> Played:
    """The same deal without a database."""
    deal = written()
    return Played(
        game="concerto",
        options={},
        deal=str(deal["deal"]),
        dealer="N",
        tokens=tuple(" ".join(deal["hands"]).split()),
        names={"N": "Anna", "E": "Eva", "S": "Chidi", "W": "Luis"},
    )


def with_other_left_overs(told: Played, reader: str) -> Played:
    """The same play, but two players whom `reader` cannot see have each other's card that they never played."""
    one, other = [seat for seat in SEATS if seat.letter != reader][:2]
    hands = [set(map(str, hand)) for hand in Deal.parse(told.deal).hands]
    given, taken = (sorted(hands[seat.index] - set(told.tokens))[0] for seat in (one, other))
    hands[one.index] ^= {given, taken}
    hands[other.index] ^= {given, taken}
    text = "N:" + " ".join(_holding(hand) for hand in hands)
    return replace(told, deal=str(Deal.parse(text)))


def _holding(cards: set[str]) -> str:
    ranks = "AKQJT98765432"
    return ".".join("".join(rank for rank in ranks if rank + suit in cards) for suit in "shdc")


def page(address: str, **query: Any) -> str:
    answer = Client().get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def address_of(scene: Scene, number: int = 1) -> str:
    return reverse("match_replay", args=[scene.fixture.pk, number])


def test_what_a_finished_hand_gave_up_is_told_with_all_cards() -> None:
    costs = {1: 3, 2: 0, 8: 1}
    end = replay(played(), step=999, costs=costs)
    assert [hand.cost for hand in end.hands] == [3, 0, None, None, None, None, None, 1]
    assert replay(played(), step=2, costs=costs).hands[0].cost is None, "not before it is finished"
    assert {hand.cost for hand in replay(played(), step=999, seen_from="N", costs=costs).hands} == {None}


@pytest.mark.django_db
def test_the_page_says_what_a_hand_gave_up() -> None:
    scene = played_match()
    PlayedHand.objects.filter(played__deal__number=1, number=1).update(cost=17)

    assert "gave up 17" in page(address_of(scene), step="end")
    assert "gave up 17" not in page(address_of(scene), step="end", **{"as": "N"})


# --- What it shows ----------------------------------------------------------------------------------------------


def test_every_moment_is_the_engines() -> None:
    told = played()
    state = CONCERTO.start(told.deal, Seat.N, CONCERTO.read_options({}))
    for step in range(len(told.tokens) + 1):
        shown, view = replay(told, step=step), CONCERTO.view(state, None).as_json()
        assert shown.step == step
        assert dict(shown.sides) == view["made"]
        for seat in SEATS:
            assert shown.diagram[seat.letter] == CONCERTO.view(state, seat).as_json()["mine"]
        rows = [row for row in (*view["hands"], view["current"]) if row and row["moves"]]
        assert [[token for token, _player in hand.cards] for hand in shown.hands] == [
            [token for _seat, token in row["moves"] if len(token) > 1] for row in rows
        ]
        assert [hand.points for hand in shown.hands] == [row["points"] for row in rows]
        assert (shown.previous, shown.next) == (
            step - 1 if step else None,
            step + 1 if step < len(told.tokens) else None,
        )
        if step < len(told.tokens):
            state = state.apply(told.tokens[step])
    assert dict(shown.score) == written()["total"]


def test_hands_begin_where_their_first_action_is() -> None:
    told = played()
    counts = [len(line.split()) for line in written()["hands"]]
    begun = [sum(counts[:place]) for place in range(len(counts))]
    assert list(replay(told, step=0).first_steps) == [(place + 1, step) for place, step in enumerate(begun)]


@pytest.mark.parametrize("reader", "NESW")
def test_a_seat_is_shown_nothing_that_depends_on_cards_it_could_not_see(reader: str) -> None:
    told = played()
    twin = with_other_left_overs(told, reader)
    assert twin.deal != told.deal
    for step in range(len(told.tokens)):
        assert replay(told, step=step, seen_from=reader) == replay(twin, step=step, seen_from=reader)
        assert replay(told, step=step) != replay(twin, step=step), "the twin differs for who sees all"


@pytest.mark.django_db
def test_as_one_seat_the_bytes_of_the_page_name_no_card_of_the_others_that_is_still_to_come() -> None:
    scene, told = played_match(), played()
    mine = set(map(str, Deal.parse(told.deal).hands[Seat.N.index]))
    for step in (0, 1, 7, 20, len(told.tokens) - 1):
        shown = page(address_of(scene), step=step, **{"as": "N"})
        coming = {token for token in told.tokens[step:] if len(token) > 1} - mine
        assert coming or step > 20
        assert [card_name(token) for token in coming if card_name(token) in shown] == []
        open_page = page(address_of(scene), step=step)
        assert all(card_name(token) in open_page for token in coming), "with all four hands each is there"


# --- Addresses --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_step_is_a_link_and_odd_steps_are_its_nearest_moment() -> None:
    scene = played_match()
    steps = len(played().tokens)
    for query, moment in (
        ({}, 0),
        ({"step": "12"}, 12),
        ({"step": "end"}, steps),
        ({"step": "9999"}, steps),
        ({"step": "-1"}, 0),
        ({"step": "1e3"}, 0),
        ({"step": "٣"}, 0),
        ({"step": "1" * 400}, 0),
        ({"step": "12", "as": "nobody"}, 12),
    ):
        shown = page(address_of(scene), **query)
        assert f"{moment} / {steps}" in shown, query
    assert f"{address_of(scene)}?step=13&amp;as=E" in page(address_of(scene), step=12, **{"as": "E"})


@pytest.mark.django_db
def test_what_was_not_written_card_by_card_has_no_replay() -> None:
    scene = played_match()
    client = Client()
    for number in (0, 2, 3, 10**12):
        assert client.get(address_of(scene, number)).status_code == 404, number
    assert client.get(reverse("match_replay", args=[scene.fixtures[1].pk, 1])).status_code == 404
    told = client.get(reverse("match", args=[scene.fixture.pk])).content.decode()
    assert address_of(scene) in told
    assert address_of(scene, 2) not in told


@pytest.mark.django_db
def test_the_file_is_read_back_with_its_cards_and_its_play() -> None:
    scene = played_match()
    answer = Client().get(address_of(scene), {"format": "pbn"})
    reading = read_pbn(answer.content)
    (read,) = reading.boards

    assert answer["Content-Type"] == "application/x-pbn"
    assert not reading.faults
    assert str(read.deal) == played().deal
    assert read.record is not None
    assert CONCERTO.records.tokens_of(read.record) == played().tokens


@pytest.mark.django_db
def test_a_replay_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    scene = played_match()
    client = Client()
    client.get(address_of(scene))
    with django_assert_max_num_queries(30):
        client.get(address_of(scene), {"step": 30})


# --- Who sees it ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_sealed_board_is_replayed_by_those_who_played_it_and_by_all_when_it_is_released() -> None:
    scene = duplicate_scene()
    made = sealed(scene)
    actions = _play_on(scene, made)
    eyes = {name: scene.users[name] for name in ("anna", "luis", "iris", "sam")}

    def seen_by(name: str) -> bool:
        return deal_of_match(fixture=scene.fixture, visitor=eyes[name], number=1) is not None

    assert [name for name in eyes if seen_by(name)] == ["anna", "luis"]
    assert Client().get(address_of(scene)).status_code == 404
    for shown in (board(made, 1), board(made, 2), None):
        assert not seen_by("iris"), "the whole sheet is shown when its last board is open"
        boards.release(actor=scene.users["dora"], board_set=made, board=shown, reason="Shown by mistake")
    assert [name for name in eyes if seen_by(name)] == list(eyes)
    found = deal_of_match(fixture=scene.fixture, visitor=eyes["anna"], number=1)
    assert found is not None
    assert list(found.played.tokens) == actions
    assert found.board is not None


def _play_on(scene: Scene, made: BoardSet) -> list[str]:
    """The first match plays the set's four boards action by action, with the weakest robot's choices."""
    robot = CONCERTO.robots[0]
    deals: list[dict[str, Any]] = []
    first: list[str] = []
    dealt = board_cards.cards_of(made)
    for row in made.boards.order_by("number"):
        dealer = next(seat for seat in SEATS if seat.letter == row.dealer)
        state = CONCERTO.start(dealt[row.pk], dealer, CONCERTO.read_options({}))
        tokens: list[str] = []
        while not state.is_over:
            action = robot.action(CONCERTO.view(state, state.turn))
            tokens.append(action.token)
            state = state.apply(action)
        first = first or tokens
        deals.append(CONCERTO.record_of(state) | {"dealer": row.dealer})
    content = {"first_dealer": deals[0]["dealer"], "deals": deals}
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content, origin="page"
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    return first


@pytest.mark.django_db(transaction=True)
def test_a_tables_deal_is_replayed_by_everybody_when_the_match_is_over() -> None:
    laid = match_table(robots=dict.fromkeys("NES", "novice"))
    address = reverse("table_replay_page", args=[laid.table.pk, 1])
    while play_deal(laid).state == Table.State.BETWEEN:
        assert Client().get(address).status_code == 404
        all_ready(laid)

    actions = Client().get(reverse("table_replay", args=[laid.table.pk, 1])).json()["actions"]
    assert f"{len(actions)} / {len(actions)}" in page(address, step="end")
    assert Client().get(reverse("table_replay_page", args=[laid.table.pk, 99])).status_code == 404
    assert EVERYBODY in page(address)


@pytest.mark.django_db(transaction=True)
def test_a_replay_names_who_played_the_deal_whoever_sits_there_now() -> None:
    laid = casual_table(make_scene())
    play_deal(laid)
    (over,) = laid.facts().played
    later = over.finished_at + timedelta(minutes=1)
    seats.stand_up(actor=laid.at("W"), table_id=laid.table.pk, at=later)
    seats.sit(actor=laid.scene.users["iris"], table_id=laid.table.pk, seat="W", at=later)

    found = deal_of_table(table=laid.table, visitor=laid.at("W"), number=1)
    assert found is not None
    assert found.played.names["W"] == "Luis Reyes"


@pytest.mark.django_db(transaction=True)
def test_without_a_match_par_and_what_was_given_up_are_worked_out_for_who_asks() -> None:
    laid = casual_table(make_scene(), deals=1)
    play_deal(laid)
    where = [laid.table.pk, 1]
    address, ask = reverse("table_replay_page", args=where), reverse("table_analysis", args=where)
    luis = Client()
    luis.force_login(laid.at("W"))
    assert ask in luis.get(address).content.decode()
    assert ask not in page(address), "who is not logged in asks for nothing"
    assert not Analysis.objects.exists(), "to look asks for nothing"

    assert luis.post(ask)["Location"] == address

    costs = (Analysis.objects.get().content or {})["costs"]
    shown = page(address, step="end")
    assert len(costs) == 8
    assert "Par from here" in shown
    assert "The expert would have" in shown, "asked for with the rest"
    assert "Par, N-S" in shown
    with_one_pair_of_eyes = page(address, step="end", **{"as": "W"})
    assert "Par, N-S" not in with_one_pair_of_eyes
    assert "gave up" not in with_one_pair_of_eyes
    assert ask not in luis.get(address).content.decode()
    luis.post(ask)
    assert Analysis.objects.count() == 1
    Analysis.objects.all().delete()
    assert luis.post(ask, {"only": "par"}, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert not Analysis.objects.get().asks_expert, "as the page opens only par is asked for"
    live = reverse("table_analysis_live", args=where)
    assert Client().get(live)["HX-Refresh"] == "true"
    Analysis.objects.update(version=0)
    assert Client().get(live).status_code == 204
    assert "working this out" in page(address)


@pytest.mark.django_db(transaction=True)
def test_a_matchs_deals_are_not_asked_about_at_its_table() -> None:
    laid = match_table(robots=dict.fromkeys("NES", "novice"))
    play_deal(laid)
    client = Client()
    client.force_login(laid.at("W"))
    ask = reverse("table_analysis", args=[laid.table.pk, 1])
    assert client.post(ask).status_code == 404, "the match is not over"
    dora = laid.scene.users["dora"]
    opening.close(actor=dora, table_id=laid.table.pk, reason="The hall closes")
    fixtures.award_walkover(
        actor=dora, fixture=laid.scene.fixture, losing=[laid.scene.fixture.away], reason="They have gone"
    )
    assert client.get(reverse("table_replay_page", args=[laid.table.pk, 1])).status_code == 200
    client.post(ask)
    assert not Analysis.objects.exists()


# --- What each action gave up -------------------------------------------------------------------------------------


def analysed(told: Played, *, judged: bool = False) -> Analysis:
    """The deal's analysis as a worker stores it."""
    record = dict(written(), dealer="N")
    content = CONCERTO.analysis.analyse(CONCERTO.records.read_record({key: record[key] for key in KEPT}, "N"))
    assert content is not None
    advice = [{"chosen": token, "lost": 0} for token in told.tokens] if judged else None
    return Analysis(
        game="concerto",
        dealer="N",
        record={},
        version=CONCERTO.analysis.version,
        content=content.as_json(),
        asks_expert=judged,
        advice=advice,
        advice_version=CONCERTO.coach.version if judged else 0,
    )


def test_each_action_says_what_it_gave_up_and_the_sums_lead_from_par_to_the_result() -> None:
    told = played()
    analysis = analysed(told)
    assert analysis.content is not None
    end = replay(told, step=999, analysis=analysis)
    assert end.study is not None
    costs = [action.cost for action in end.actions]
    assert costs == [action["cost"] for action in analysis.content["actions"]]
    sides = {side: points for side, points, _players in end.study.sides}
    par, total = analysis.content["par"]["total"], written()["total"]
    assert sides["NS"] - sides["EW"] == (par["NS"] - par["EW"]) - (total["NS"] - total["EW"])
    for _side, points, players in end.study.sides:
        assert sum(given for _player, given in players) == points
    assert sum(hand.cost or 0 for hand in end.hands) == sum(sides.values())
    assert dict(end.study.par) == total
    start = replay(told, step=0, analysis=analysis)
    assert start.study is not None
    assert dict(start.study.par) == par
    assert start.study.cost is None


@pytest.mark.parametrize("reader", "NESW")
def test_with_one_players_eyes_nothing_is_said_of_what_was_given_up(reader: str) -> None:
    told = played()
    seen = replay(told, step=999, seen_from=reader, analysis=analysed(told, judged=True))
    assert seen.study is None
    assert {action.cost for action in seen.actions} == {None}
    assert {hand.cost for hand in seen.hands} == {None}


def test_what_the_expert_would_have_done_stands_at_each_action_once_it_is_there() -> None:
    told = played()
    analysis = analysed(told, judged=True)
    assert analysis.advice is not None
    analysis.advice[0] = {"chosen": told.tokens[2] if len(told.tokens[2]) > 1 else "As", "lost": 23}
    first, second = (replay(told, step=step, analysis=analysis).study for step in (1, 2))
    assert first is not None
    assert second is not None
    assert first.advice[0].startswith("The expert would have played the ")
    assert first.advice[1].endswith("could see, that promised about 2 points more.")
    assert second.advice == ("The expert would have done the same.",)
    analysis.advice_version = 0
    late = replay(told, step=1, analysis=analysis).study
    assert late is not None
    assert (late.advice, late.is_awaited) == ((), True)


def test_an_analysis_of_another_version_or_of_other_actions_says_nothing() -> None:
    told = played()
    analysis = analysed(told)
    assert replay(replace(told, tokens=told.tokens[:-1]), step=1, analysis=analysis).study is None
    analysis.version += 1
    assert replay(told, step=1, analysis=analysis).study is None


@pytest.mark.django_db
def test_a_match_may_ask_the_expert_and_a_worker_answers() -> None:
    scene = played_match()
    analyses.sweep(at=timezone.now())
    address = address_of(scene)
    ask = reverse("match_expert", args=[scene.fixture.pk, 1])
    assert "This action gave up" in page(address, step="1")
    assert "Ask what the expert" not in page(address), "who is not logged in asks for no work"
    assert Client().post(ask).status_code == 302
    assert not Analysis.objects.filter(asks_expert=True).exists()

    client = Client()
    client.force_login(scene.users["anna"])
    assert "Ask what the expert" in client.get(address).content.decode()
    assert client.post(ask).status_code == 302
    assert "We’re working this out" in client.get(address).content.decode()
    assert client.get(ask).status_code == 204
    assert analyses.sweep(at=timezone.now()) == 1
    assert client.get(ask).headers["HX-Refresh"] == "true"
    assert "The expert would have" in client.get(address, {"step": "1"}).content.decode()
    assert "The expert would have" not in client.get(address, {"step": "1", "as": "N"}).content.decode()
    assert analyses.sweep(at=timezone.now()) == 0


def test_the_expert_judges_by_what_the_seat_saw_and_no_more() -> None:
    """Cards that were never played change hands between the two other players whom the first actor cannot see."""
    told = played()
    seat = str(CONCERTO.start(told.deal, Seat.N, {}).turn)
    twin = with_other_left_overs(told, seat)
    state, other = (CONCERTO.start(each.deal, Seat.N, {}) for each in (told, twin))
    views = [CONCERTO.view(each, seat) for each in (state, other)]
    one, two = (CONCERTO.coach.judge(each, told.tokens[0]) for each in views)
    assert one == two
