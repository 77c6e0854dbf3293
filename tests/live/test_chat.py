"""Talking at a casual table: who reads it, what may be said and how much, who may complain, and when it is gone."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import ChatLine
from games.models.chat import LONGEST_LINE
from games.tables.queries.items import items
from games.tables.services import chat, requests, seats
from games.tables.state import facts as reading
from games.tables.state.seat_view import CHAT_LASTS, Reader, steps, view_for
from games.tables.views import chat as reports
from league.errors import LeagueError, NotAllowed
from league.models import Membership, Role
from tests.league.reading import walked
from tests.live.tables import Laid, casual_table, match_table
from tests.live.test_table_guests import admitted, laid_table
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


def two_at_a_table() -> Laid:
    """Luis sits West and Eva East, two robots with them."""
    laid = casual_table(make_scene())
    seats.sit(actor=laid.at("E"), table_id=laid.table.pk, seat="E")
    return laid


def say(laid: Laid, seat: str, text: str, **options: Any) -> None:
    chat.say(actor=laid.at(seat), table_id=laid.table.pk, text=text, **options)


def read_by(laid: Laid, seat: str | None, **reader: Any) -> Any:
    """What is told of the chat at that seat; None: nothing of it."""
    return view_for(facts=laid.facts(), reader=Reader(seat=seat, **reader), at=timezone.now())["chat"]


def refused(work: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(LeagueError) as refusal:
        work(*args, **options)
    return refusal.value.code


def test_what_is_said_is_read_at_the_seats_and_nowhere_else() -> None:
    laid = two_at_a_table()
    say(laid, "E", "Hello <b>you</b>")
    for seat in ("E", "W"):
        assert [(line["seat"], line["text"]) for line in read_by(laid, seat)] == [("E", "Hello <b>you</b>")]
    assert read_by(laid, None) is None
    assert read_by(laid, None, may_rule=True, may_hear=True) is None
    stranger = Client().get(f"/tables/{laid.table.pk}/view/").json()["view"]
    assert stranger["chat"] is None
    assert "Hello" not in json.dumps(stranger)
    assert (
        refused(chat.say, actor=laid.scene.users["iris"], table_id=laid.table.pk, text="me too") == "no_seat"
    )


def test_nothing_social_is_offered_to_one_alone_with_robots() -> None:
    laid = casual_table(make_scene())
    assert not {"chat", "phrase"} & {*steps(laid.facts(), Reader(seat="W"))}
    assert read_by(laid, "W") is None
    assert refused(say, laid, "W", "Anybody here?") == "alone"
    seats.sit(actor=laid.at("E"), table_id=laid.table.pk, seat="E")
    assert "chat" in steps(laid.facts(), Reader(seat="W"))


def test_in_a_match_there_are_phrases_and_no_chat() -> None:
    match = match_table(begun=False)
    assert {"phrase"} == {"chat", "phrase"} & {*steps(match.facts(), Reader(seat="W"))}
    assert refused(say, match, "W", "Hello") == "no_chat"
    requests.say(actor=match.at("W"), table_id=match.table.pk, phrase="hello")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\nb\r\n\tc", "a b c"),
        ("right\u202eleft\u2066 \u200bhidden\x00\x1b[31m", "rightleft hidden[31m"),
        ("Z\u0300\u0301\u0302\u0303\u0304\u0305algo", "Z\u0300\u0301\u0302algo"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("x" * LONGEST_LINE, "x" * LONGEST_LINE),
    ],
)
def test_a_line_is_one_line_without_what_nobody_sees(text: str, kept: str) -> None:
    assert chat.tidied(text) == kept


def test_too_much_is_refused() -> None:
    laid, at = two_at_a_table(), timezone.now()
    assert refused(say, laid, "E", "line\n" * 10_000) == "too_long"
    assert {refused(say, laid, "E", text) for text in ("", " \n ", "\u200b\u202e", "\u200d")} == {"empty"}
    for number in range(chat.MOST_IN_SHORT_TIME):
        say(laid, "E", f"{number}", at=at)
    assert refused(say, laid, "E", "and more", at=at) == "too_fast"
    say(laid, "W", "I may", at=at)
    say(laid, "E", "later", at=at + chat.SHORT_TIME + timedelta(seconds=1))
    lines = [ChatLine(table=laid.table, seat="E", user=laid.at("E"), name="Eva", text="x", said_at=at)] * 3
    ChatLine.objects.bulk_create(lines * (chat.MOST_OF_ONE // 3))
    assert refused(say, laid, "E", "x", at=at + timedelta(hours=1)) == "too_fast"
    assert len(read_by(laid, "E")) <= reading.MOST_LINES


def test_what_is_sent_to_the_step_is_never_a_fault_of_the_server() -> None:
    laid = two_at_a_table()
    client = Client()
    client.force_login(laid.at("E"))
    for body in ({}, {"text": None}, {"text": ["x"]}, {"text": "\x00"}, {"text": "\ud800"}, {"text": 5}):
        for step in ("chat", "report", "guests_talk"):
            answer = client.post(
                f"/tables/{laid.table.pk}/steps/{step}/", json.dumps(body), content_type="application/json"
            )
            assert 400 <= answer.status_code < 500, (step, body)


def test_a_day_later_it_is_gone_from_memory_and_rows_and_a_reported_line_thirty_days_later() -> None:
    laid, at = two_at_a_table(), timezone.now()
    say(laid, "E", "something", at=at)
    say(laid, "E", "something bad", at=at)
    bad = ChatLine.objects.last()
    assert bad is not None
    for _twice in range(2):
        chat.report(actor=laid.at("W"), table_id=laid.table.pk, line_id=bad.pk, at=at)
    assert [line["is_reported"] for line in read_by(laid, "W")] == [False, True]
    assert [line["is_reported"] for line in read_by(laid, "E")] == [False, False]
    day = at + CHAT_LASTS
    assert view_for(facts=laid.facts(), reader=Reader(seat="E"), at=day)["chat"] == []
    assert chat.sweep(at=day - timedelta(seconds=1)) == 0
    assert chat.sweep(at=day) == 1
    assert [line.pk for line in ChatLine.objects.all()] == [bad.pk]
    assert chat.sweep(at=at + chat.KEPT_IF_REPORTED) == 1
    assert not ChatLine.objects.exists()


def test_a_reported_line_stands_on_the_desk_until_another_director_has_seen_to_it() -> None:
    laid, at = two_at_a_table(), timezone.now()
    dora, sam = laid.scene.users["dora"], laid.scene.users["sam"]
    say(laid, "E", "something <i>bad</i>")
    line = ChatLine.objects.get()
    assert refused(chat.report, actor=laid.at("E"), table_id=laid.table.pk, line_id=line.pk) == "gone"
    assert refused(chat.report, actor=laid.at("W"), table_id=laid.table.pk, line_id=line.pk + 1) == "gone"
    assert refused(chat.report, actor=laid.at("S"), table_id=laid.table.pk, line_id=line.pk) == "no_seat"
    assert not [
        each for each in items(club=laid.scene.club, user=dora, at=at) if each.key.startswith("chat-")
    ]
    chat.report(actor=laid.at("W"), table_id=laid.table.pk, line_id=line.pk)
    assert [str(each.what) for each in items(club=laid.scene.club, user=dora, at=at)] == ["Chat at tables"]
    assert not list(items(club=laid.scene.club, user=sam, at=at)), "a scorer is no director"
    client = Client()
    client.force_login(dora)
    page = client.get(f"/clubs/{laid.scene.club.slug}/chat/")
    assert "something &lt;i&gt;bad&lt;/i&gt;" in page.text
    Membership.objects.filter(user=laid.at("E")).update(role=Role.DIRECTOR)
    with pytest.raises(NotAllowed, match="your own message"):
        chat.settle(actor=laid.at("E"), line=line, at=at)
    client.post(f"/clubs/{laid.scene.club.slug}/chat/{line.pk}/settled/")
    assert not list(items(club=laid.scene.club, user=dora, at=at))
    assert ChatLine.objects.get().settled_by == dora


def test_what_nobody_has_seen_to_comes_first_and_the_newest_before_older(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid, at = two_at_a_table(), timezone.now()
    for number in range(4):
        say(laid, "E", f"No. {number}")
        line = ChatLine.objects.order_by("-pk")[0]
        chat.report(actor=laid.at("W"), table_id=laid.table.pk, line_id=line.pk, at=at + timedelta(number))
        if number % 2:
            chat.settle(actor=laid.scene.users["dora"], line=line, at=at + timedelta(9 - number))
    client.force_login(laid.scene.users["dora"])
    here, of_api = (f"{each}{laid.scene.club.slug}" for each in ("/clubs/", "/api/v1/clubs/"))
    whole = ["No. 2", "No. 0", "No. 3", "No. 1"]
    for address in (f"{here}/chat/", f"{here}/chat/?page=2", f"{of_api}/chat-reports/"):
        assert re.findall(r"No\. \d", client.get(address).text) == whole
    for size in (1, 2, 3):
        monkeypatch.setattr(reports, "ON_A_PAGE", size)
        assert walked(client, f"{here}/chat/", r"No\. \d", lambda: None) == whole


def test_guests_read_and_talk_where_the_host_lets_them() -> None:
    laid = laid_table()
    iris, mia = laid.scene.users["iris"], admitted(laid, seat="E")
    seats.sit(actor=laid.scene.users["tom"], table_id=laid.table.pk, seat="S")
    chat.say(actor=iris, table_id=laid.table.pk, text="Among members")
    assert (read_by(laid, "E"), len(read_by(laid, "S"))) == (None, 1)
    assert refused(chat.say, actor=mia, table_id=laid.table.pk, text="Hello") == "alone"
    host = Reader(seat="N", may_close=True)
    assert "guests_talk" in steps(laid.facts(), host)
    assert "guests_talk" not in steps(laid.facts(), Reader(seat="S"))
    with pytest.raises(NotAllowed):
        chat.let_guests_talk(actor=laid.scene.users["tom"], table_id=laid.table.pk, allows=True)

    chat.let_guests_talk(actor=iris, table_id=laid.table.pk, allows=True)
    chat.say(actor=mia, table_id=laid.table.pk, text="Hello")
    assert [(line["name"], line["text"]) for line in read_by(laid, "S")][1:] == [("Mia (guest)", "Hello")]
    line = ChatLine.objects.order_by("-pk")[0]
    assert refused(chat.report, actor=mia, table_id=laid.table.pk, line_id=line.pk) == "gone"
    chat.let_guests_talk(actor=iris, table_id=laid.table.pk, allows=False)
    assert read_by(laid, "E") is None
