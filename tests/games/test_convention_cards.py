"""Convention cards: a pair's page, the usual system, and the way to them from a table."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.concerto.signals import services as agreements
from games.concerto.signals.card import convention_card
from games.models import Agreement, Table
from games.tables.services import opening, seats
from league.errors import Conflict, Invalid
from league.models import AuditEntry, Competition
from tests.live.tables import match_table, moves
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def test_the_card_of_a_pair_is_open_and_linked_from_its_page() -> None:
    scene = make_scene()
    pair = scene.entries[0].lineup
    address = reverse("pair_card", args=[pair.pk])

    page = Client().get(address)
    text = page.content.decode()

    assert page.status_code == 200
    assert "Parlett" in text
    for section in page.context["card"].sections:
        for line in section.lines:
            for row in line.rows:
                assert row.held in text
    assert "can’t enter your own system" in text, "it does not pretend to be theirs"
    assert f'href="{address}"' in Client().get(pair.get_absolute_url()).content.decode()


def test_who_may_not_see_the_pair_sees_no_card() -> None:
    scene = make_scene()
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)
    address = reverse("pair_card", args=[scene.entries[0].lineup_id])
    assert Client().get(address).status_code == 404
    assert client_of(scene, "eva").get(address).status_code == 200


def test_the_card_of_a_merged_pair_is_the_kept_ones() -> None:
    scene = make_scene()
    kept, merged = scene.entries[0].lineup, scene.entries[1].lineup
    merged.merged_into = kept
    merged.save()
    answer = Client().get(reverse("pair_card", args=[merged.pk]))
    assert answer["Location"] == reverse("pair_card", args=[kept.pk])


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES])
def test_every_language_fills_in_every_sentence(code: str) -> None:
    page = Client(headers={"accept-language": code}).get(reverse("usual_card"))
    assert page.status_code == 200
    assert "%(" not in page.content.decode()


def test_a_game_without_signals_has_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    card = convention_card("concerto")
    assert card is not None
    assert len(card.checklists) == 1
    monkeypatch.setattr("engine.concerto.game.ConcertoGame.signals", None)
    assert convention_card("concerto") is None


def test_who_asks_at_the_table_is_led_to_the_card_of_the_pair_that_led() -> None:
    laid = match_table()
    leader = laid.turn()
    moves(laid, 1)
    pairs = {
        seat: laid.scene.entries[number].lineup_id
        for seat, number in (("N", 0), ("S", 0), ("E", 3), ("W", 3))
    }
    for name in ("anna", "eva", "iris"):
        answer = client_of(laid.scene, name).get(f"/tables/{laid.table.pk}/hands/0/meaning/").json()
        assert answer["card"] == reverse("pair_card", args=[pairs[leader]]), name
    later = client_of(laid.scene, "anna").get(f"/tables/{laid.table.pk}/hands/5/meaning/").json()
    assert later == {"meanings": [], "card": reverse("usual_card")}


def test_at_a_casual_table_it_is_the_usual_system() -> None:
    scene = make_scene()
    iris = scene.users["iris"]
    table = opening.open_casual(actor=iris, club=scene.club, terms={}, options={})
    seats.sit(actor=iris, table_id=table.pk, seat="N")
    answer = client_of(scene, "iris").get(f"/tables/{table.pk}/hands/0/meaning/").json()
    assert answer == {"meanings": [], "card": reverse("usual_card")}


# --- What a pair has agreed besides -----------------------------------------------------------------------------


def agree(scene: Scene, who: str, text: str) -> Agreement:
    return agreements.agree(actor=scene.users[who], pair=scene.entries[0].lineup, text=text)


def test_partners_write_on_their_card_what_everybody_may_read() -> None:
    scene = make_scene()
    address = reverse("pair_card", args=[scene.entries[0].lineup_id])
    assert "else you have agreed" in client_of(scene, "anna").get(address).content.decode()

    answer = client_of(scene, "anna").post(
        address, {"text": "Weak signals from hand 3.  \r\n<b>Always.</b>\n"}
    )

    assert answer["Location"] == address
    page = Client().get(address).content.decode()
    assert "Weak signals from hand 3.<br>&lt;b&gt;Always.&lt;/b&gt;" in page
    entry = AuditEntry.objects.get(action="pair.agreed")
    assert (entry.actor, entry.club) == (scene.users["anna"], scene.club)
    assert entry.after == {
        "pair": scene.entries[0].lineup_id, "text": "Weak signals from hand 3.\n<b>Always.</b>",
    }  # fmt: skip
    agree(scene, "chidi", "Weak signals from hand 3.\n<b>Always.</b>")
    assert AuditEntry.objects.filter(action="pair.agreed").count() == 1, "nothing changed"
    agree(scene, "chidi", " ")
    assert "What else this pair have agreed" not in Client().get(address).content.decode()


@pytest.mark.parametrize("who", ["eva", "dora", "olive", "stranger"])
def test_nobody_else_writes_on_it(who: str) -> None:
    scene = make_scene()
    address = reverse("pair_card", args=[scene.entries[0].lineup_id])
    assert client_of(scene, who).post(address, {"text": "We cheat"}).status_code == 403
    assert 'method="post" class="form"' not in client_of(scene, who).get(address).content.decode()
    assert not Agreement.objects.exists()


def test_too_much_is_refused_beside_its_field() -> None:
    scene = make_scene()
    address = reverse("pair_card", args=[scene.entries[0].lineup_id])
    answer = client_of(scene, "anna").post(address, {"text": "x" * 1001})
    assert answer.status_code == 422
    assert "text" in answer.context["form"].errors
    with pytest.raises(Invalid):
        agree(scene, "anna", "x" * 1001)
    assert not Agreement.objects.exists()


def test_the_card_is_no_way_to_talk_during_a_deal() -> None:
    laid = match_table()
    moves(laid, 1)
    with pytest.raises(Conflict) as refusal:
        agree(laid.scene, "anna", "I have the ace of spades")
    assert refusal.value.code == "deal_going_on"
    address = reverse("pair_card", args=[laid.scene.entries[0].lineup_id])
    answer = client_of(laid.scene, "chidi").post(address, {"text": "So have I"})
    assert answer.status_code == 422
    assert "until it’s over" in answer.content.decode()
    assert not Agreement.objects.exists()

    seats.stand_up(actor=laid.scene.users["anna"], table_id=laid.table.pk)
    seats.stand_up(actor=laid.scene.users["chidi"], table_id=laid.table.pk)
    with pytest.raises(Conflict):
        agree(laid.scene, "anna", "To get up and sit down again is no way either")

    Table.objects.update(state=Table.State.BETWEEN)
    assert agree(laid.scene, "anna", "Control: between deals it is").text


def test_who_practises_alone_may_write() -> None:
    scene = make_scene()
    table = opening.practise(actor=scene.users["anna"], club=scene.club, robot="novice")
    seats.ready(actor=scene.users["anna"], table_id=table.pk)
    assert Table.objects.get().state == Table.State.PLAYING
    assert agree(scene, "anna", "There is nobody to tell").text
