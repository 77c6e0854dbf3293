"""A deal with robots that anybody tries: no row, no card but the seat's own, and a clear answer to every odd state."""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from engine.concerto.game import CONCERTO
from games import front
from games.learning import deals, views
from games.learning.deals import LearningDeal
from games.models import LearningProgress
from games.options import usual_robot
from games.tables.services import practice
from games.tables.socket import rates
from league.storage import encryption
from tests.engine.conformance.adapters import registered
from tests.engine.quartet import QuartetGame, QuartetState
from tests.engine.trio import TRIO
from tests.live.positions import START, Position, facts_of, positions, twin
from tests.scenes import make_user

PAGE = "/games/concerto/try/deal/"
ACT = f"{PAGE}act/"


@pytest.fixture(autouse=True)
def _rested() -> Iterator[None]:
    rates.forget()
    yield
    rates.forget()


def begun(seed: int = 1) -> LearningDeal:
    return deals.begin(CONCERTO, robot="novice", rng=random.Random(seed), at=timezone.now())


def post(fields: Any, path: str = ACT) -> Any:
    return Client(enforce_csrf_checks=True).post(path, json.dumps(fields), content_type="application/json")


# No test here may touch the database: those without its marker are refused by it.
def test_a_whole_deal_is_played_without_a_row() -> None:
    answer: Any = {"state": deals.sealed(begun()), "view": deals.told(begun(), at=timezone.now())}
    assert answer["view"]["deal"]["view"]["turn"] == answer["view"]["you"]["seat"], "the person leads"
    acts = 0
    while not answer["view"]["deal"]["view"]["is_over"]:
        token = answer["view"]["deal"]["view"]["legal"][0]
        sent = post({"state": answer["state"], "token": token})
        assert sent.status_code == 200, sent.content
        assert not sent.cookies
        answer = sent.json()
        rates.forget()
        acts += 1
    assert acts >= 13 - 6
    assert answer["view"]["state"] == "finished"
    assert answer["view"]["match"]["total"] == answer["view"]["deal"]["view"]["score"]["total"]


def test_an_older_state_takes_back_what_was_done_since() -> None:
    deal = begun()
    state = deals.sealed(deal)
    first, other = deal.state.legal()[:2]
    once = post({"state": state, "token": first}).json()
    again = post({"state": state, "token": other}).json()
    assert once["view"]["you"]["may"] == ["take_back"]
    played = [move for move in again["view"]["deal"]["view"]["current"]["moves"] if move[0] == deal.seat]
    assert played[0][1] == other


def test_what_the_rules_refuse_is_told_in_their_words() -> None:
    refused = post({"state": deals.sealed(begun()), "token": "-"})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "South leads the hand and must play a card."


@pytest.mark.parametrize(
    "state", ["", "x", "gAAAAA", "ü" * 40, "A" * (deals.LONGEST_STATE + 1), None, 7, ["a"], {"a": 1}]
)
def test_what_is_no_state_of_ours_is_refused(state: Any) -> None:
    refused = post({"state": state, "token": "As"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "unreadable")


def test_a_changed_state_is_refused() -> None:
    state = deals.sealed(begun())
    at = len(state) // 2
    changed = state[:at] + ("A" if state[at] != "A" else "B") + state[at + 1 :]
    assert post({"state": changed, "token": "As"}).json()["error"]["code"] == "unreadable"


def test_an_old_state_is_refused_in_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = begun()
    state = deals.sealed(deal)
    later = timezone.now().timestamp() + deals.LIFETIME_SECONDS + 2
    monkeypatch.setattr(encryption.time, "time", lambda: later)
    refused = post({"state": state, "token": deal.state.legal()[0]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "expired")


def test_what_was_encrypted_for_something_else_is_refused() -> None:
    foreign = encryption.encrypt('{"game": "concerto"}', purpose="mail")
    assert post({"state": foreign, "token": "As"}).json()["error"]["code"] == "unreadable"


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(deals.Invalid):
        deals.opened(deals.sealed(begun()), TRIO, at=timezone.now())


@pytest.mark.parametrize("part", ["act", "coach", "meaning"])
def test_odd_bodies_are_refused_in_words(part: str) -> None:
    state = deals.sealed(begun())
    odd: list[Any] = [None, -1, 1.5, 10**30, "\x00", "A" * 100_000, [], {}, [[]], True, "As As", "\ud800"]
    bodies = [b"", b"[]", b"{", b"null", b"\xff", b"[" * 5000, b'{"state": "\\ud800"}']
    bodies += [json.dumps({"state": state, "token": each, "hand": each}).encode() for each in odd]
    for body in bodies:
        rates.forget()
        refused = Client().post(f"{PAGE}{part}/", body, content_type="application/json")
        assert refused.status_code == 400, body[:60]
        assert refused.json()["error"]["message"], body[:60]


@contextmanager
def all_robots_at_work() -> Iterator[None]:
    taken = [practice._places.acquire(blocking=False) for _place in range(practice.MOST_WAITING)]
    try:
        assert all(taken)
        yield
    finally:
        for _place in taken:
            practice._places.release()


def test_robots_asked_by_too_many_are_busy() -> None:
    deal = begun()
    fields = {"state": deals.sealed(deal), "token": deal.state.legal()[0]}
    with all_robots_at_work():
        busy = post(fields)
    assert (busy.status_code, busy.json()["error"]["code"]) == (503, "busy")
    assert busy["Retry-After"]
    assert post(fields).status_code == 200


def test_robots_asked_in_other_processes_are_busy_as_well() -> None:
    """Each place in the shared cache is another request's; it is free again when that is answered, or after a while."""
    fields = {"state": deals.sealed(begun()), "token": begun().state.legal()[0]}
    places = [f"robots-at-work:{number}" for number in range(practice.MOST_OF_ALL)]
    cache.set_many(dict.fromkeys(places, 1), timeout=practice.PLACE_SECONDS)
    try:
        assert post(fields).status_code == 503
        cache.delete(places[3])
        assert post(fields).status_code == 200
        assert cache.add(places[3], 1), "the place is given back"
    finally:
        cache.delete_many(places)


def test_the_robots_warm_up() -> None:
    with registered(RobotsLead()):
        practice.warm_up()


def test_a_deal_that_is_over_at_once_leaves_the_robots_to_warm_up(monkeypatch) -> None:
    nine = next(each for each in practice.game.all_games() if each.key == "brag-nine")
    monkeypatch.setattr(practice.game, "all_games", lambda: [nine])
    monkeypatch.setattr(practice.random, "SystemRandom", lambda: random.Random(97))
    dealer, options = nine.seats()[0], nine.read_options({})
    assert nine.start(nine.deal(random.Random(97), dealer, options), dealer, options).is_over
    practice.warm_up()


class RobotsLead(QuartetGame):
    """East leads each deal; the person who tries the game sits in South."""

    key = "robots_lead"

    def start(self, deal: str, dealer: str, options: Any, players: int | None = None) -> QuartetState:
        return super().start(deal, "N", options, players)


def over(deal: LearningDeal) -> LearningDeal:
    while not deal.state.is_over:
        deal = deals.let_robots_act(deals.act(deal, deal.state.legal()[0], at=START), at=START)
    return deal


def test_a_deal_that_is_over_is_compared_with_the_best() -> None:
    deal = over(begun())
    answer = post({"state": deals.sealed(deal)}, f"{PAGE}outcome/")
    best, *given, par = answer.json()["outcome"]
    score: Any = deal.state.score().as_json()
    made = score["made"]["NS"]
    assert re.fullmatch(rf"You two made {made} of the \d+ points that your cards could make: \d+%\.", best)
    assert all("gave the others" in each for each in given)
    assert par.startswith("Par from your seat is ")

    refused = post({"state": deals.sealed(begun())}, f"{PAGE}outcome/")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_over")


def test_a_game_that_is_not_analysed_says_nothing_at_the_end() -> None:
    with registered(RobotsLead()):
        seat = deals.begin(RobotsLead(), robot="first", rng=random.Random(1), at=START)
        assert deals.outcome(over(deals.let_robots_act(seat, at=START))) == []


@pytest.mark.django_db
def test_the_robots_are_as_strong_as_one_likes() -> None:
    for asked, robot in (("expert", "expert"), ("novice", "novice"), ("nobody", "player"), ("", "player")):
        page = Client().get(PAGE, {"robot": asked})
        state = re.search(r'data-state="([^"]+)"', page.content.decode())
        assert state is not None
        assert deals.opened(state[1], CONCERTO, at=timezone.now()).robot == robot
        assert f'<option value="{robot}" selected>' in page.content.decode()
        assert f'data-tables-url="{PAGE}?robot={robot}"' in page.content.decode()


DONE = "/games/concerto/try/done/"
KEYS = [lesson.key for lesson in front.of("concerto").lessons()]


@pytest.mark.django_db
def test_an_account_has_done_what_any_of_its_devices_says() -> None:
    anna = make_user("anna")
    client = Client()
    client.force_login(anna)
    assert client.get("/games/concerto/try/").context["done"] == []
    assert not LearningProgress.objects.exists()
    answers = [
        client.post(DONE, json.dumps({"done": done}), content_type="application/json").json()["done"]
        for done in ([], ["nothing", 7, None], [KEYS[2], KEYS[0]], [KEYS[1]], "x" * 9000)
    ]
    assert answers == [[], [], [KEYS[0], KEYS[2]], KEYS[:3], KEYS[:3]]
    assert client.get("/games/concerto/try/").context["done"] == KEYS[:3]
    assert LearningProgress.objects.get().user == anna


@pytest.mark.django_db
def test_nobody_elses_progress_is_written() -> None:
    fields = json.dumps({"done": KEYS})
    assert Client().post(DONE, fields, content_type="application/json").status_code == 403
    anna = Client(enforce_csrf_checks=True)
    anna.force_login(make_user("anna"))
    assert anna.post(DONE, fields, content_type="application/json").status_code == 403
    assert not LearningProgress.objects.exists()


@pytest.mark.django_db
def test_a_page_whose_robots_lead_says_that_they_are_busy() -> None:
    with registered(RobotsLead()):
        with all_robots_at_work():
            busy = Client().get("/games/robots_lead/try/deal/")
        assert Client().get("/games/robots_lead/try/deal/").status_code == 200
    assert busy.status_code == 503
    assert "Please try again in a moment" in busy.content.decode()


def test_one_address_is_told_to_slow_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    deal = begun()
    fields = {"state": deals.sealed(deal), "token": "no card"}
    statuses = [post(fields).status_code for _time in range(60)]
    assert statuses[0] == 400
    assert 429 in statuses


def test_one_address_does_not_keep_the_strongest_robots_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    done = []
    for robot in ("novice", "expert"):
        rates.forget()
        deal = deals.begin(CONCERTO, robot=robot, rng=random.Random(1), at=timezone.now())
        fields = {"state": deals.sealed(deal), "token": "no card"}
        done.append([post(fields).status_code for _time in range(40)].count(400))
    assert done == [30, 10]


@pytest.mark.django_db
def test_the_pages_ask_the_database_nothing(django_assert_num_queries: Any) -> None:
    for address in ("/games/concerto/try/", PAGE):
        with django_assert_num_queries(0):
            page = Client().get(address)
        assert page.status_code == 200
        assert not page.cookies


def deal_of(position: Position, seat: str) -> LearningDeal:
    facts = facts_of(position)
    assert facts.deal is not None
    return LearningDeal(str(position.deal), position.dealer.letter, seat, "novice", facts.deal.fold)


def test_what_a_seat_is_told_does_not_depend_on_cards_that_it_cannot_see() -> None:
    rng = random.Random(20261123)
    differ = 0
    for position in islice(positions(rng), 0, 900, 3):
        other = twin(position, CONCERTO.seats()[2], rng)
        one, two = deal_of(position, "S"), deal_of(other, "S")
        differ += one.deal != two.deal
        assert json.dumps(deals.told(one, at=START)) == json.dumps(deals.told(two, at=START))
        assert len(deals.sealed(one)) == len(deals.sealed(two))
    assert differ > 250


def test_the_coach_says_nothing_of_cards_that_the_seat_cannot_see() -> None:
    rng = random.Random(20261124)
    told: set[tuple[str, ...]] = set()
    for position in islice(positions(rng), 0, 700, 3):
        one = deal_of(position, "S")
        two = deal_of(twin(position, CONCERTO.seats()[2], rng), "S")
        said = views.chances(one)
        assert said == views.chances(two)
        if said and len(told) < 40:
            token = rng.choice(one.state.legal())
            assert views.advice(one, token) == views.advice(two, token)
            told.add((token, *views.advice(one, token)))
    assert len(told) >= 20


def test_the_coach_speaks_of_an_action_before_and_after() -> None:
    deal = begun()
    token = deal.state.legal()[0]
    state = deals.sealed(deal)
    assert post({"state": state, "token": token}).json()["chances"] is not None
    asked = post({"state": state, "token": token}, f"{PAGE}coach/")
    assert asked.status_code == 200
    assert asked.json()["advice"][0].startswith("The expert would have")
    assert post({"state": state, "token": "-"}, f"{PAGE}coach/").status_code == 400


def test_control_another_own_card_is_told() -> None:
    rng = random.Random(5)
    position = next(iter(positions(rng)))
    one, two = deal_of(position, "S"), deal_of(twin(position, CONCERTO.seats()[0], rng), "S")
    assert json.dumps(deals.told(one, at=START)) != json.dumps(deals.told(two, at=START))


def test_games_without_robots_have_no_page() -> None:
    assert Client().get("/games/nothing/try/deal/").status_code == 404
    assert usual_robot(CONCERTO) == "player"
