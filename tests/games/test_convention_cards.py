"""Convention cards: a pair's page, the usual system, and the way to them from a table."""

from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.holdings import Step
from engine.concerto.signals.systems import PARLETT, SYSTEMS
from engine.concerto.signals.ways import Phase
from games.concerto.signals.card import convention_card
from games.concerto.signals.forms import Entry
from games.conventions import services as agreements
from games.models import Agreement, ConventionCard, Table
from games.tables.services import opening, seats
from league.errors import Conflict, Invalid, NotAllowed
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
    assert "haven’t entered a system of their own" in text, "it does not pretend to be theirs"
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


# --- Their own system -------------------------------------------------------------------------------------------

OURS: dict[str, Any] = {
    "name": "Ours",
    "checklist": {"strong": ["fours", "pair"], "weak": ["pair"]},
    "ways": [
        {"holding": "fours", "then": "pass", "preferred": ["h", "cs"], "phases": ["strong"]},
        {"holding": "pair", "suits": "any", "ranks": "same"},
    ],
}


def write(
    scene: Scene, who: str = "anna", *, after: int = 0, pair: int = 0, **changes: Any
) -> ConventionCard:
    return agreements.write(
        actor=scene.users[who],
        pair=scene.entries[pair].lineup,
        game_key="concerto",
        content={**OURS, **changes},
        after=after,
    )


def posted(client: Client, scene: Scene, do: str, **changes: str) -> Any:
    """Presses a button of the form as the page shows it, with some fields typed otherwise."""
    address = reverse("pair_card_edit", args=[scene.entries[0].lineup_id])
    return client.post(address, {**fields_of(client.get(address)), **changes, "do": do})


def fields_of(page: Any) -> dict[str, Any]:
    """What a browser would send of the page's form."""
    form = page.context["form"]
    found: dict[str, Any] = {"after": page.context["after"]}
    for each in (form, *form.rows.values()):
        for bound in each:
            value = bound.value()
            if value not in (None, "", False, []):
                found[bound.html_name] = value
    return found


def test_partners_enter_their_own_system_from_the_usual_one() -> None:
    scene = make_scene()
    anna, card = client_of(scene, "anna"), reverse("pair_card", args=[scene.entries[0].lineup_id])
    edit = reverse("pair_card_edit", args=[scene.entries[0].lineup_id])
    assert edit in anna.get(card).content.decode()

    answer = posted(anna, scene, "save", name="Anna’s  way", strong_pair="")

    assert (answer.status_code, answer["Location"]) == (302, card)
    version = ConventionCard.objects.get()
    assert (version.number, version.made_by) == (1, scene.users["anna"])
    usual = PARLETT.as_json()
    assert version.content["name"] == "Anna’s way"
    assert version.content["checklist"]["strong"] == [
        key for key in usual["checklist"]["strong"] if key != "pair"
    ]
    assert sorted(map(str, version.content["ways"])) == sorted(map(str, usual["ways"])), "no row is lost"
    page = Client().get(card).content.decode()
    assert "Anna’s way" in page
    assert "Version 1, of" in page
    entry = AuditEntry.objects.get(action="pair.card_written")
    assert (entry.actor, entry.club, entry.after["version"]) == (scene.users["anna"], scene.club, 1)


def test_every_card_goes_through_the_form_unchanged() -> None:
    for system in SYSTEMS.values():
        content = system.as_json()
        again = Entry.of_content(content).content()
        assert read_system(again).checklist(Phase.STRONG) == system.strong
        assert sorted(map(str, again["ways"])) == sorted(map(str, content["ways"]))


def test_rows_are_added_moved_and_taken_away_without_saving() -> None:
    scene = make_scene()
    anna = client_of(scene, "anna")
    page = posted(anna, scene, "add:two-pair", name="Kept")
    rows = [row for (step, _place), row in page.context["form"].rows.items() if step is Step.TWO_PAIR]
    before = [row.words for row in rows]
    assert len(rows) == 6
    assert rows[-1].is_open
    address = reverse("pair_card_edit", args=[scene.entries[0].lineup_id])
    page = anna.post(address, {**fields_of(page), "do": "up:two-pair:5"})
    page = anna.post(address, {**fields_of(page), "do": "remove:two-pair:0"})
    rows = [row for (step, _place), row in page.context["form"].rows.items() if step is Step.TWO_PAIR]
    assert [row.words for row in rows] == [*before[1:4], before[5], before[4]]
    assert page.context["form"]["name"].value() == "Kept"
    for hostile in ("up:two-pair:0", "remove:two-pair:99", "add:nothing", "remove:fours:²", "x" * 300):
        assert anna.post(address, {**fields_of(page), "do": hostile}).status_code == 200
    assert not ConventionCard.objects.exists()


def test_what_is_wrong_is_said_where_it_is_and_nothing_is_lost() -> None:
    scene = make_scene()
    anna = client_of(scene, "anna")
    changes = {
        "name": " ",
        "strong_full-house": "2",
        "fours-0-suits": "same",
        "pair-0-suit_d": "",
        "pair-0-suit_c": "",
        "pair-0-suit_s": "",
    }
    page = posted(anna, scene, "save", **changes)
    form = page.context["form"]
    assert page.status_code == 422
    assert form.errors == {"strong_full-house": ["“fours” has this place already."]}

    page = posted(anna, scene, "save", **{**changes, "strong_full-house": "5"})
    form = page.context["form"]
    assert set(form.errors) == {"name"}
    assert form.rows[Step.PAIR, 0].non_field_errors()
    page = posted(anna, scene, "check", **{"fours-0-suits": "same"})
    assert "No cards can show this" in str(page.context["form"].rows[Step.FOURS, 0].non_field_errors())
    assert page.context["form"].rows[Step.FOURS, 0]["suits"].value() == "same"
    assert not ConventionCard.objects.exists()


def test_the_form_says_what_was_understood_and_what_partner_cannot_tell_apart() -> None:
    scene = make_scene()
    alike = {"holding": "threes", "suits": "any", "ranks": "same"}
    write(
        scene,
        checklist={"strong": ["threes", "pair"], "weak": ["pair"]},
        ways=[*OURS["ways"][1:], alike],
    )
    page = posted(client_of(scene, "chidi"), scene, "check")
    assert page.status_code == 200
    assert page.context["card"].system == "Ours"
    assert [row for row, _words in page.context["doubts"]] == [2]
    text = page.content.decode()
    assert "Partner can’t tell this from row 1" in text
    assert "How we understand it" in text
    assert ConventionCard.objects.count() == 1, "to check writes nothing"


def test_a_card_begins_with_a_system_that_exists_or_an_earlier_version() -> None:
    scene = make_scene()
    write(scene)
    anna = client_of(scene, "anna")
    for start, ways in (
        ("short", 11),
        ("parlett", 28),
        ("1", 2),
        ("empty", 0),
        ("99", 2),
        ("9" * 30, 2),
        ("²", 2),
    ):
        page = posted(anna, scene, "start", start=start)
        assert page.status_code == 200, start
        assert len(page.context["form"].rows) == ways, start
    assert ConventionCard.objects.count() == 1


def test_versions_stay_and_say_what_changed() -> None:
    scene = make_scene()
    pair = scene.entries[0].lineup_id
    write(scene)
    assert write(scene, "chidi", after=1).number == 1, "the same again makes no version"
    write(scene, "dora", after=1, name="Ours, new", checklist={"strong": ["pair", "fours"], "weak": []})
    page = Client().get(reverse("pair_card_versions", args=[pair]))
    text = page.content.decode()
    (newest, changes), (first, _from_usual) = page.context["lines"]
    assert (newest.number, first.number) == (2, 1)
    assert changes == [
        "Name: “Ours”, now “Ours, new”.",
        "First two hands: the order is now: one pair, fours.",
        "Third and fourth hand: no longer signalled: one pair.",
    ]
    assert str(scene.users["dora"]) not in text, "visitors are not told who wrote it"
    assert str(scene.users["dora"]) in client_of(scene, "anna").get(
        reverse("pair_card_versions", args=[pair])
    ).content.decode()  # fmt: skip
    old = Client().get(first.get_absolute_url())
    assert "have changed their card since" in old.content.decode()
    assert Client().get(reverse("pair_card_version", args=[pair, 3])).status_code == 404
    with pytest.raises(TypeError):
        ConventionCard.objects.update(number=7)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_conventioncard SET number = 7")


def test_who_saw_an_older_version_is_told_and_loses_nothing() -> None:
    scene = make_scene()
    anna = client_of(scene, "anna")
    address = reverse("pair_card_edit", args=[scene.entries[0].lineup_id])
    typed = {**fields_of(anna.get(address)), "name": "Mine"}
    write(scene, "chidi")

    page = anna.post(address, {**typed, "do": "save"})

    assert page.status_code == 409
    assert "Look at version 1" in page.content.decode()
    assert page.context["form"]["name"].value() == "Mine"
    assert ConventionCard.objects.count() == 1
    answer = anna.post(address, {**fields_of(page), "do": "save"})
    assert answer.status_code == 302
    assert ConventionCard.objects.get(number=2).content["name"] == "Mine"


@pytest.mark.parametrize("who", ["eva", "olive", "stranger", "iris"])
def test_nobody_else_writes_the_card(who: str) -> None:
    scene = make_scene()
    if who == "olive":
        assert write(scene, who).number == 1, "the owner directs the club"
        return
    with pytest.raises(NotAllowed):
        write(scene, who)
    assert posted_without_page(scene, who) == 403


def posted_without_page(scene: Scene, who: str) -> int:
    address = reverse("pair_card_edit", args=[scene.entries[0].lineup_id])
    return client_of(scene, who).post(address, {"do": "save"}).status_code


def test_the_own_system_is_no_way_to_talk_during_a_deal_either() -> None:
    laid = match_table()
    moves(laid, 1)
    for who in ("anna", "dora"):
        with pytest.raises(Conflict) as refusal:
            write(laid.scene, who)
        assert refusal.value.code == "deal_going_on"
    Table.objects.update(state=Table.State.BETWEEN)
    assert write(laid.scene).number == 1


def test_a_name_nobody_can_read_is_refused() -> None:
    scene = make_scene()
    for name in ("a\u202eb", "a\u200bb", "x" * 61, "", 5, "see https://example.org"):
        with pytest.raises(Invalid) as refusal:
            write(scene, name=name)
        assert refusal.value.details[0]["place"] == ["name"], name
