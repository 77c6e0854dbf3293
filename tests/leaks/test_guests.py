"""A guest's browser is told nothing of a card that its seat does not see, and opens nothing but its one table."""

import json
import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.deals import Deal
from engine.seats import Seat
from games.models import Action, GuestLink, MatchSeat, TableDeal, TableGuest
from games.tables.guest_keys import cookie_of, visitor_at
from games.tables.services import chat, guests, opening, play, seats
from games.tables.socket import rates
from games.tables.state.cards import cards_of, encrypted
from games.tables.state.facts import line_of, memory
from league import policies
from league.actors import Guest
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import substitutions
from league.models import Club, Competition, Fixture, Membership
from league.people.services import players
from tests.live.positions import START, Position, twin
from tests.live.tables import Laid, match_table, next_move, sent
from tests.live.test_table_guests import laid_table, token_of
from tests.permissions.walking import address_of, addresses, set_stage

pytestmark = pytest.mark.django_db
NOW = START + timedelta(minutes=3)
TOKENS = re.compile(rb'(name="csrfmiddlewaretoken" value=|data-csrf=|"csrf": ?)"\w+"')


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    rates.forget()


@pytest.fixture
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def phone_of(laid: Laid, name: str = "Mia", seat: str = "E") -> Client:
    """The browser of a guest who has just sat down there."""
    guest, key = guests.admit(token=token_of(laid), name=name, seat=seat, at=START)
    phone = Client()
    phone.cookies[cookie_of(laid.table.pk)] = key
    assert guest.table_id == laid.table.pk
    return phone


def with_two_guests(at: Any = START, **terms: Any) -> tuple[Laid, Client, dict[str, Any]]:
    """Iris North, guests East and South, and Tom; the first deal begun; they have talked. The people by their seats."""
    laid = laid_table(**terms)
    iris, tom = laid.scene.users["iris"], laid.scene.users["tom"]
    phone = phone_of(laid)
    phone_of(laid, "Max", "S")
    seats.sit(actor=tom, table_id=laid.table.pk, seat="W", at=at)
    chat.let_guests_talk(actor=iris, table_id=laid.table.pk, allows=True)
    mia, other = (each.visitor for each in TableGuest.objects.order_by("pk"))
    people: dict[str, Any] = {"N": iris, "E": mia, "S": other, "W": tom}
    for person in people.values():
        seats.ready(actor=person, table_id=laid.table.pk, at=at)
    for seat in "NES":
        chat.say(actor=people[seat], table_id=laid.table.pk, text=f"Hello from {seat}", at=at)
    return laid, phone, people


def played(laid: Laid, people: dict[str, Any], many: int) -> None:
    for _each in range(many):
        facts = laid.facts()
        actor = people[laid.turn()]
        play.act(actor=actor, table_id=laid.table.pk, sent=sent(facts, next_move(facts)))


def told(laid: Laid, phone: Client) -> bytes:
    """All that the table's addresses answer to this browser."""
    rates.forget()
    at = f"/tables/{laid.table.pk}/"
    past = {"deal": 1, "number": 200, "token": "As", "key": "k"}
    answers = [phone.get(at + part) for part in ("", "view/?deal=1&next=0", "hands/0/meaning/")]
    answers += [phone.get(at + part) for part in ("deals/1/replay/", "deals/1/", "deals/1/analysis/live/")]
    answers += [phone.get(f"{at}seats/{seat}/reasons/") for seat in "NESW"]
    for part, body in (("act/", past), ("hint/", {}), ("steps/chat/", {"text": ""}), ("steps/swap/", {})):
        answers.append(phone.post(at + part, json.dumps(body), content_type="application/json"))
    answers += [phone.get("/tables/"), phone.get("/tables/live/"), phone.get("/api/v1/tables/")]
    return b"\n".join(b"%d %s" % (each.status_code, TOKENS.sub(b"", each.content)) for each in answers)


@pytest.mark.usefixtures("_time_stands_still")
@pytest.mark.parametrize("done", [0, 11])
def test_two_deals_that_differ_in_hidden_cards_are_told_alike_at_a_guests_seat(done: int) -> None:
    laid, phone, people = with_two_guests()
    played(laid, people, done)
    row, rng = TableDeal.objects.get(), random.Random(done)
    lines = tuple(line_of(each) for each in Action.objects.order_by("number"))
    dealer = next(each for each in Seat if each.letter == row.dealer)
    position = Position(Deal.parse(cards_of(row)), dealer, lines)
    other = twin(position, Seat.E, rng)
    assert other.deal != position.deal

    def told_of(deal: Deal) -> bytes:
        TableDeal.objects.update(secret=encrypted(laid.facts().offered, str(deal)))
        memory.forget()
        return told(laid, phone)

    before = told_of(position.deal)
    assert b"Hello from S" in before
    assert told_of(other.deal) == before
    # Control: the guest whose cards these are is told something else.
    assert told_of(twin(position, Seat.N, rng).deal) != before


def test_a_guest_who_has_stood_up_watches_as_late_as_everybody_and_reads_no_chat() -> None:
    laid, phone, people = with_two_guests(timezone.now(), delay_seconds=600)
    played(laid, people, 4)
    view = f"/tables/{laid.table.pk}/view/"
    seated = phone.get(view).json()["view"]
    assert (seated["deal"]["next"], len(seated["chat"])) == (4, 3)
    seats.stand_up(actor=people["E"], table_id=laid.table.pk)
    late = phone.get(view).json()["view"]
    assert late["chat"] is None
    # Nothing of the last ten minutes: not an action.
    assert not late["deal"] or (late["deal"]["next"], late["deal"]["last"]) == (0, None)
    stranger = Client().get(view).json()["view"]
    assert late["deal"] == stranger["deal"]


def test_a_guest_opens_nothing_more_than_a_visitor_of_a_closed_club_and_a_hidden_competition() -> None:
    stage = set_stage()
    scene = stage.scene
    Club.objects.filter(pk=scene.club.pk).update(is_open=False)
    Competition.objects.filter(club=scene.club).update(visibility=Competition.Visibility.MEMBERS)
    table = opening.open_casual(
        actor=scene.users["iris"], club=scene.club, terms={"spectators": "nobody"}, options={}
    )
    phone = phone_of(Laid(scene, table))
    assert phone.get(table.get_absolute_url()).status_code == 200
    rates.forget()
    more = []
    for name, pattern in addresses():
        address = address_of(stage, name, pattern)
        if name not in {"try_deal", "guest_link"} and f"/tables/{table.pk}/" not in address:
            answers = [client.get(address) for client in (phone, Client())]
            more += [name] if answers[0].status_code != answers[1].status_code else []
    assert not more


def test_a_director_admits_a_person_to_a_counting_match_as_a_player_not_as_the_guest() -> None:
    """Mia was a guest of the club; for the match she becomes a player and a substitute, with an account of her own."""
    laid = match_table(begun=False)
    scene, dora = laid.scene, laid.scene.users["dora"]
    casual = opening.open_casual(actor=scene.users["iris"], club=scene.club, terms={}, options={})
    row, key = guests.admit(token=token_of(Laid(scene, casual)), name="Mia", seat="E")
    cookies = {cookie_of(laid.table.pk): key, cookie_of(casual.pk): key}
    with pytest.raises(NotAllowed):
        seats.sit(actor=row.visitor, table_id=laid.table.pk, seat="N")

    mia = players.add(actor=dora, club=scene.club, name="Mia May")
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    substitutions.appoint(actor=dora, fixture=fixture, absent=scene.players[0], substitute=mia)
    assert not isinstance(visitor_at(laid.table.pk, scene.users["stranger"], cookies), Guest)
    with pytest.raises(NotAllowed):
        seats.sit(actor=row.visitor, table_id=laid.table.pk, seat="N")
    account = scene.users["stranger"]
    assert not policies.may(account, "table.sit", laid.table)
    mia.user = account
    mia.save()
    policies.forget_roles(account)
    seats.sit(actor=account, table_id=laid.table.pk, seat="N")
    guests_row = TableGuest.objects.get()
    assert (guests_row.table_id, guests_row.kept_by) == (casual.pk, None)
    assert laid.facts().seats["N"].user == account.pk
    assert not MatchSeat.objects.filter(player__name="Mia").exists()


def test_on_another_device_a_guest_is_another_until_the_host_has_removed_the_first() -> None:
    laid = laid_table()
    token = token_of(laid)
    first, second = Client(), Client()
    door = reverse("guest_link", args=[token])
    first.post(door, {"name": "Mia", "seat": "E"})
    assert second.post(door, {"name": "Mia", "seat": "S"}).status_code == 422
    with pytest.raises(Conflict):
        guests.admit(token=token, name="Mia B", seat="E")
    copied = Client()
    copied.cookies[cookie_of(laid.table.pk)] = first.cookies[cookie_of(laid.table.pk)].value
    view = f"/tables/{laid.table.pk}/view/"
    assert copied.get(view).json()["view"]["you"]["seat"] == "E", "the key itself is what counts"
    guests.remove(
        actor=laid.scene.users["iris"], table_id=laid.table.pk, guest_id=TableGuest.objects.get().pk
    )
    for device in (first, copied):
        assert device.get(view).json()["view"]["you"]["seat"] is None
    new = reverse("guest_link", args=[GuestLink.objects.get().token])
    assert second.post(new, {"name": "Mia", "seat": "E"}).status_code == 302
    assert second.get(view).json()["view"]["you"]["seat"] == "E"


def test_when_the_host_leaves_the_club_guests_play_on_and_the_next_host_has_the_link() -> None:
    laid = laid_table()
    iris, tom = laid.scene.users["iris"], laid.scene.users["tom"]
    seats.sit(actor=tom, table_id=laid.table.pk, seat="S")
    token = token_of(laid)
    guest, _key = guests.admit(token=token, name="Mia", seat="E")
    seats.stand_up(actor=iris, table_id=laid.table.pk)
    Membership.objects.filter(user=iris).delete()
    policies.forget_roles(iris)
    assert guests.table_behind(token) == laid.table
    with pytest.raises(NotAllowed):
        guests.renew_link(actor=iris, table_id=laid.table.pk)
    guests.close_link(actor=tom, table_id=laid.table.pk)
    assert guests.table_behind(token) is None
    assert policies.may(guest.visitor, "table.sit", laid.table)
    guests.remove(actor=tom, table_id=laid.table.pk, guest_id=guest.pk)


def test_a_flood_of_guests_fills_the_seats_and_no_more() -> None:
    laid = laid_table()
    token, refusals = token_of(laid), []
    for number in range(guests.MOST_GUESTS + 6):
        try:
            guests.admit(token=token, name=f"Visitor {chr(65 + number % 26)}{number}")
        except (Conflict, Invalid) as refusal:
            refusals.append(refusal.code)
    assert TableGuest.objects.count() == 3, "three seats were free, and who finds none leaves no row"
    assert set(refusals) == {"seat_taken"}
    assert set(laid.facts().seats) == set("NESW")


def test_who_guesses_links_is_stopped_and_finds_out_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    laid = laid_table()
    token = token_of(laid)
    rates.forget()
    guesses = [Client().get(reverse("guest_link", args=[f"{token[:-1]}{end}"])) for end in "abcdefgh"]
    wrong = {each.status_code for each in guesses if each.wsgi_request.path.split("/")[-2] != token}
    assert wrong == {404}
    assert 429 in {
        Client().post(reverse("guest_link", args=["x" * 43]), {"name": "Mia"}).status_code
        for _each in range(30)
    }
    elsewhere = Client(REMOTE_ADDR="10.1.2.3")
    assert elsewhere.get(reverse("guest_link", args=[token])).status_code == 200, "others come in"
