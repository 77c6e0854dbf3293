"""Tables by HTTP: play goes on without sockets, and nobody is answered more than they may know."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Action, Board, Table
from games.tables.services import opening
from games.tables.socket import rates
from league.errors import Conflict
from tests.live.tables import Laid, all_ready, match_table, moves, next_move, play_deal

pytestmark = pytest.mark.django_db(transaction=True)


def client_of(laid: Laid, seat: str) -> Client:
    client = Client()
    client.force_login(laid.at(seat))
    return client


def ask(client: Client, name: str, *args: Any, **query: Any) -> Any:
    return client.get(reverse(name, args=args), query).json()


def post(client: Client, name: str, *args: Any, **body: Any) -> Any:
    return client.post(reverse(name, args=args), json.dumps(body), content_type="application/json")


def test_a_deal_is_played_by_polling_alone() -> None:
    laid = match_table()
    clients = {seat: client_of(laid, seat) for seat in "NESW"}
    key, since = laid.table.pk, 0
    for number in range(14):
        turn = laid.turn()
        answer = post(
            clients[turn],
            "table_act",
            key,
            deal=1,
            number=number,
            token=next_move(laid.facts()),
            key=f"k{number}",
        )
        assert answer.status_code == 200
        for seat, client in clients.items():
            told = ask(client, "table_view", key, since=since)
            assert told["view"]["you"]["seat"] == seat
            assert told["view"]["deal"]["next"] == number + 1
            assert ask(client, "table_view", key, since=told["version"])["view"] is None
        since = told["version"]
    assert Action.objects.count() == 14


def test_who_looks_too_often_is_told_to_wait_and_can_still_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    monkeypatch.setattr(rates, "AT_ONCE", 2.0)
    laid = match_table()
    seat = laid.turn()
    client, address = client_of(laid, seat), reverse("table_view", args=[laid.table.pk])
    allowed = int(rates.AT_ONCE / rates.COST_OF_A_LOOK)
    answers = [client.get(address, {"since": 1}) for _each in range(allowed + 1)]

    assert {each.status_code for each in answers[:-1]} == {200}
    assert answers[-1].status_code == 429
    assert answers[-1].json()["error"]["code"] == "too_many"
    act = {"deal": 1, "number": 0, "token": next_move(laid.facts()), "key": "k"}
    assert post(client, "table_act", laid.table.pk, **act).status_code == 200
    assert Client().get(address).status_code == 200, "others are counted by themselves"


def test_who_is_behind_is_told_what_has_come_in_sight_though_the_version_is_the_same() -> None:
    laid = match_table(delay_seconds=60)
    moves(laid, 3)
    version = laid.facts().version
    watching = ask(Client(), "table_view", laid.table.pk, since=version)
    assert watching["version"] == version
    assert len(watching["view"]["deal"]["view"]["current"]["moves"]) == 3
    assert ask(client_of(laid, "N"), "table_view", laid.table.pk, since=version)["view"] is None


def test_a_stale_action_is_answered_with_the_table_as_it_is() -> None:
    laid = match_table()
    moves(laid, 2)
    answer = post(client_of(laid, laid.turn()), "table_act", laid.table.pk, deal=1, number=0, token="As")

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "stale"
    assert answer.json()["view"]["deal"]["next"] == 2


@pytest.mark.parametrize(
    "body",
    [{}, {"deal": "x", "number": -1, "token": 5}, {"deal": 1, "number": 10**30, "token": "As"}, [1], "x"],
)
def test_what_is_no_action_is_refused_and_nothing_breaks(body: Any) -> None:
    laid = match_table()
    client = client_of(laid, "N")
    address = reverse("table_act", args=[laid.table.pk])
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "unreadable"


def test_unknown_steps_are_not_found_and_refused_ones_say_why() -> None:
    laid = match_table()
    client = client_of(laid, "N")
    assert post(client, "table_step", laid.table.pk, "fly").status_code == 404
    answer = post(client, "table_step", laid.table.pk, "roll_back", to=0, reason="I was wrong")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_allowed")
    answer = post(client, "table_step", laid.table.pk, "stand")
    assert answer.json()["view"]["you"] == {
        "seat": None,
        "side": None,
        "has_window": False,
        "may": ["return", "robot"],
    }
    answer = post(client, "table_step", laid.table.pk, "sit", seat="N", window="w9")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stood_up")


def test_a_seat_is_taken_from_a_window() -> None:
    laid = match_table(begun=False)
    client = client_of(laid, "N")
    post(client, "table_step", laid.table.pk, "stand")
    answer = post(client, "table_step", laid.table.pk, "sit", seat="N", window="w9")
    assert answer.json()["view"]["you"] | {"may": []} == {
        "seat": "N",
        "side": "NS",
        "has_window": True,
        "may": [],
    }


def test_a_repeated_look_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    laid = match_table()
    moves(laid, 20)
    client = client_of(laid, "N")
    ask(client, "table_view", laid.table.pk)
    with django_assert_max_num_queries(12):
        ask(client, "table_view", laid.table.pk, since=1)


def test_a_deal_can_be_replayed_when_the_match_is_over_and_not_before() -> None:
    laid = match_table(robots=dict.fromkeys("NES", "novice"))
    address = reverse("table_replay", args=[laid.table.pk, 1])
    while play_deal(laid).state == Table.State.BETWEEN:
        assert Client().get(address).status_code == 404
        all_ready(laid)

    told = Client().get(address).json()
    assert [len(cards) for cards in told["cards"].values()] == [13] * 4
    assert [step["token"] for step in told["actions"]] == " ".join(told["record"]["hands"]).split()


def test_practice_needs_no_clock_and_nobody_else_watches() -> None:
    laid = match_table(begun=False)
    anna = laid.at("N")
    table = opening.practise(actor=anna, club=laid.scene.club, robot="novice")
    client = client_of(laid, "N")
    seat = ask(client, "table_view", table.pk)["view"]["you"]["seat"]
    view = post(client, "table_step", table.pk, "ready").json()["view"]

    assert view["state"] == "playing"
    assert view["deal"]["clock"] is None
    assert view["deal"]["view"]["turn"] == seat, "whoever practises leads"
    assert Client().get(reverse("table_view", args=[table.pk])).status_code == 404
    assert client_of(laid, "E").get(reverse("table_view", args=[table.pk])).status_code == 404


def test_a_sealed_board_is_not_practised() -> None:
    laid = match_table(begun=False)
    board = Board(released_at=None)
    with pytest.raises(Conflict):
        opening.practise(actor=laid.at("N"), club=laid.scene.club, robot="novice", board=board)


def test_a_casual_table_is_open_to_members_of_the_club() -> None:
    laid = match_table(begun=False)
    client = Client()
    client.force_login(laid.scene.users["iris"])
    form = {
        "rules_rules": "concerto-2013",
        "rules_deals": 1,
        "clock_seconds": 300,
        "on_timeout": "robot",
        "absence_seconds": 60,
        "robots": "on",
        "spectators": "members",
        "delay_seconds": 0,
    }
    address = reverse("casual_table", args=[laid.scene.club.slug])
    refused = client.post(address, {**form, "rules_deals": 0}, follow=True).content.decode()
    assert "Deals in a match: Ensure" in refused, "which field it is about is said, too"
    opened = client.post(address, form, headers={"accept": "application/json"}).json()
    key = opened["table"]
    assert post(client, "table_step", key, "sit", seat="N").status_code == 200
    for seat in "ESW":
        assert post(client, "table_step", key, "robot", seat=seat, robot="novice").status_code == 200
    assert post(client, "table_step", key, "ready").json()["view"]["deal"]["of"] == 1
    stranger = Client()
    stranger.force_login(laid.scene.users["stranger"])
    assert stranger.get(reverse("table_view", args=[key])).status_code == 404


def test_a_play_is_explained_by_its_meanings_not_its_cards() -> None:
    laid = match_table()
    moves(laid, 9)
    answer = ask(Client(), "table_meaning", laid.table.pk, 0)
    assert isinstance(answer["meanings"], list)
    assert ask(Client(), "table_meaning", laid.table.pk, 999)["meanings"] == []
