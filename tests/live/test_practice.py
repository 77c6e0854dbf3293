"""Practice alone with robots: undone at will, dealt again, set up by hand, and with hints by sight alone."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine import game
from games.models import Action, Table, TableDeal, TableRequest
from games.tables.services import opening, play, practice, requests
from games.tables.services.play import play_robots
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.cards import cards_of
from games.tables.state.reader import standing_of
from games.tables.state.seat_view import steps
from games.tables.state.snapshot import TableSnapshot
from league.errors import Conflict, Invalid
from league.models import AuditEntry, User
from tests.kept_scenes import kept
from tests.live.tables import match_table, next_move, sent
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
PBN = f'[Board "7"]\n[Dealer "W"]\n[Deal "{DEAL}"]\n'


@kept
def opened() -> Scene:
    return make_scene()


def practise(scene: Scene, **asked: Any) -> Table:
    return opening.practise(actor=scene.users["anna"], club=scene.club, **{"robot": "novice", **asked})


def facts_of(table: Table) -> TableSnapshot:
    return reading.current(table.pk)


def may(table: Table, user: User) -> tuple[str, ...]:
    facts = facts_of(table)
    return steps(facts, standing_of(user, table).reader(facts))


def act(table: Table, user: User, many: int = 1) -> None:
    """The person acts as a robot would, and the robots in between."""
    for _each in range(many):
        facts = facts_of(table)
        play.act(actor=user, table_id=table.pk, sent=sent(facts, next_move(facts)))
        play_robots(table_id=table.pk)


def own_actions(table: Table, user: User) -> list[str]:
    deal = facts_of(table).deal
    assert deal is not None
    return [line.token for line in deal.fold.counting if line.user == user.pk]


def test_the_first_deal_begins_at_once_and_the_next_after_one_press() -> None:
    scene = opened()
    table, anna = practise(scene), scene.users["anna"]
    assert facts_of(table).state == "playing"
    while facts_of(table).state == "playing":
        act(table, anna)
    assert "ready" in may(table, anna)


def test_own_actions_are_undone_one_after_the_other_whatever_robots_did_since() -> None:
    scene = opened()
    table, anna = practise(scene), scene.users["anna"]
    assert "take_back" not in may(table, anna)
    act(table, anna, 3)
    done = own_actions(table, anna)
    for left in (2, 1, 0):
        requests.take_back(actor=anna, table_id=table.pk)
        assert own_actions(table, anna) == done[:left]
        deal = facts_of(table).deal
        assert deal is not None
        assert deal.fold.turn == "E", "Anna is asked again"
    with pytest.raises(Conflict) as refusal:
        requests.take_back(actor=anna, table_id=table.pk)
    assert refusal.value.code == "too_late"
    assert TableRequest.objects.filter(kind="take_back", state="granted").count() == 3, (
        "each leaves its trace"
    )
    assert Action.objects.filter(back_to__isnull=False).count() == 3


def test_among_people_nothing_is_undone_after_others_have_acted() -> None:
    laid = match_table()
    for _each in range(2):
        facts = laid.facts()
        play.act(actor=laid.at(laid.turn()), table_id=laid.table.pk, sent=sent(facts, next_move(facts)))
    with pytest.raises(Conflict, match="only before anyone else has acted"):
        requests.take_back(actor=laid.at("E"), table_id=laid.table.pk)


def test_a_log_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = opened()
    table, anna = practise(scene), scene.users["anna"]
    act(table, anna, 2)
    deal = facts_of(table).deal
    assert deal is not None
    monkeypatch.setattr(requests, "MOST_LINES", deal.fold.next_number + 1)
    requests.take_back(actor=anna, table_id=table.pk)
    with pytest.raises(Conflict) as refusal:
        requests.take_back(actor=anna, table_id=table.pk)
    assert refusal.value.code == "enough"


def test_the_same_deal_again_also_when_it_is_over() -> None:
    scene = opened()
    table, anna = practise(scene, deal=DEAL), scene.users["anna"]
    assert "again" not in may(table, anna)
    while facts_of(table).state == "playing":
        act(table, anna)
    assert facts_of(table).state == "finished"
    assert "again" in may(table, anna)
    practice.deal_again(actor=anna, table_id=table.pk)
    facts, row = facts_of(table), TableDeal.objects.get()
    assert (facts.state, own_actions(table, anna), row.score, row.finished_at) == ("playing", [], None, None)
    assert cards_of(row) == DEAL
    assert Action.objects.filter(token__gt="").count() > 30, "the log keeps what was done"
    act(table, anna)


def test_no_deal_of_a_match_is_dealt_again() -> None:
    laid = match_table()
    facts = laid.facts()
    play.act(actor=laid.at("E"), table_id=laid.table.pk, sent=sent(facts, next_move(facts)))
    with pytest.raises(Conflict, match="can’t play this deal again"):
        practice.deal_again(actor=laid.at("E"), table_id=laid.table.pk)


def test_robots_and_the_own_seat_are_chosen_apart() -> None:
    scene = opened()
    table = practise(scene, robot="novice", partner="expert", seat="W")
    held = {seat: holder.robot for seat, holder in facts_of(table).seats.items()}
    assert held == {"N": "novice", "E": "expert", "S": "novice", "W": ""}
    for wrong in ({"seat": "X"}, {"robot": "nobody"}, {"partner": "nobody"}):
        with pytest.raises(Invalid):
            practise(scene, **wrong)


@pytest.mark.parametrize(("text", "dealer"), [(DEAL, "N"), (f"  {DEAL}\n", "N"), (PBN, "W"), (PBN * 2, "W")])
def test_a_deal_is_set_up_from_its_text_or_a_pbn_file(text: str, dealer: str) -> None:
    table = practise(opened(), deal=text)
    row = TableDeal.objects.get(table=table)
    assert (cards_of(row), row.dealer, table.options["deals"]) == (DEAL, dealer, 1)
    assert DEAL not in row.secret


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("N:AKQ", "isn’t|needs|has|deal"),
        (DEAL.replace("AKQ", "AAQ", 1), "A"),
        ('[Deal "N:- - - -"]', "hidden|cards|deals"),
        ("[", "."),
        ('[Dealer "Z"]\n[Deal "x"]', "."),
        ('[Event "nothing"]', "."),
        ("\x01\ud800".encode("utf-8", "replace").decode(), "."),
    ],
)
def test_what_is_wrong_with_a_deal_is_said(text: str, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        practise(opened(), deal=text)
    assert not Table.objects.exists()


# Hints


def hinted(client: Client, table: Table) -> tuple[int, Any]:
    answer = client.post(reverse("table_hint", args=[table.pk]), headers={"accept": "application/json"})
    return answer.status_code, answer.json()


def test_a_hint_is_what_the_expert_would_do() -> None:
    scene = opened()
    table, client = practise(scene), Client()
    client.force_login(scene.users["anna"])
    facts = facts_of(table)
    assert facts.deal is not None
    expert = game.get(table.game).robots[-1]
    view = facts.offered.view(facts.deal.fold.state, "E")
    token = expert.token(view)
    assert facts.offered.coach is not None
    reasons = [str(each) for each in facts.offered.coach.prospects(view, token)]
    assert hinted(client, table) == (200, {"robot": expert.key, "token": token, "reasons": reasons})
    assert reasons
    assert all(each.startswith("Then you can still make ") for each in reasons)


def test_a_hint_tells_nothing_of_cards_that_the_seat_does_not_see() -> None:
    """North and South change their cards, and West's partner theirs with them: the answer is the same to the byte."""
    scene = opened()
    north, east, south, west = DEAL[2:].split()
    hints = set()
    for deal in (f"N:{north} {east} {south} {west}", f"N:{west} {east} {north} {south}"):
        table, client = practise(scene, deal=deal), Client()
        client.force_login(scene.users["anna"])
        hints.add(client.post(reverse("table_hint", args=[table.pk])).content)
    assert len(hints) == 1


def test_a_hint_in_a_match_is_refused_and_written_down_once_for_each_deal() -> None:
    laid, client = match_table(), Client()
    client.force_login(laid.at("E"))
    for _each in range(2):
        status, told = hinted(client, laid.table)
        assert (status, told["error"]["code"]) == (409, "no_hints")
    (entry,) = AuditEntry.objects.filter(action=practice.REFUSED_HINT)
    assert (entry.fixture_id, entry.actor_id) == (laid.table.fixture_id, laid.at("E").pk)
    client.force_login(laid.scene.users["iris"])
    assert hinted(client, laid.table)[0] == 403, "who only watches has no seat to be advised at"
    assert AuditEntry.objects.filter(action=practice.REFUSED_HINT).count() == 1


def test_no_hint_out_of_turn_and_none_for_anybody_else() -> None:
    scene = opened()
    table, anna = practise(scene), scene.users["anna"]
    facts = facts_of(table)
    play.act(actor=anna, table_id=table.pk, sent=sent(facts, next_move(facts)))
    with pytest.raises(Conflict, match="nothing to advise"):
        practice.hint(actor=anna, table_id=table.pk)
    client = Client()
    client.force_login(scene.users["eva"])
    assert client.post(reverse("table_hint", args=[table.pk])).status_code == 404


def test_hints_asked_in_hundreds_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    scene = opened()
    table, client = practise(scene), Client()
    client.force_login(scene.users["anna"])
    found = [client.post(reverse("table_hint", args=[table.pk])).status_code for _each in range(8)]
    assert found[0] == 200
    assert 429 in found
