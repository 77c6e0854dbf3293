"""A call from a table stands on the director's desk: at once for who opens it, and as news for who has it open."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import reverse

from games.models import Table
from games.tables.queries.items import items
from games.tables.services import requests, rulings
from tests.live.tables import START, Laid, match_table, moves

pytestmark = pytest.mark.django_db
DESK = "/clubs/riverside/desk/"
CALL, TIME = "director called", "time is up"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()


def call(laid: Laid, text: str = "A card fell") -> None:
    requests.call_director(actor=laid.at("N"), table_id=laid.table.pk, text=text, at=START)


def on_the_desk(laid: Laid, who: str = "dora") -> list[tuple[str, str, str]]:
    found = items(club=laid.scene.club, user=laid.scene.users[who], at=START)
    return [(str(each.mark), each.why_now, each.url) for each in found]


def desk_of(laid: Laid, who: str = "dora") -> Client:
    client = Client()
    client.force_login(laid.scene.users[who])
    return client


def news_of(client: Client, page: Any) -> Any:
    return client.get(str(page.context["todo"].url))


def test_a_call_is_a_matter_with_the_state_of_the_table() -> None:
    laid = match_table()
    moves(laid, 3)
    assert on_the_desk(laid) == []
    call(laid)
    (item,) = on_the_desk(laid)
    assert item[0] == CALL
    assert "Deal 1, in play" in item[1]
    assert "A card fell" in item[1]
    assert item[2] == laid.table.get_absolute_url()
    assert on_the_desk(laid, "anna") == []


def test_a_desk_that_is_open_is_told_of_the_call_and_of_its_end() -> None:
    laid = match_table()
    dora = desk_of(laid)
    page = dora.get(DESK)
    assert news_of(dora, page).status_code == 204, "control: nothing has happened"

    call(laid)

    news = news_of(dora, page)
    assert news.status_code == 200
    text = news.content.decode()
    assert f'href="{laid.table.get_absolute_url()}"' in text
    assert "A card fell" in text
    assert "director%20called" in news["X-Live-Announce"]
    assert dora.get(news["X-Live-Url"]).status_code == 204, "told once"

    (asked,) = laid.facts().requests
    rulings.settle(
        actor=laid.scene.users["dora"], table_id=laid.table.pk, request_id=asked.row, answer="It lies"
    )
    after = dora.get(news["X-Live-Url"])
    assert after.status_code == 200
    assert laid.table.get_absolute_url() not in after.content.decode()
    assert "X-Live-Announce" not in after
    assert on_the_desk(laid) == []


def test_a_call_of_the_last_deal_is_settled_when_the_table_is_over() -> None:
    laid = match_table()
    call(laid)
    Table.objects.update(state=Table.State.FINISHED, version=F("version") + 1)
    (asked,) = laid.facts().requests
    dora = desk_of(laid)
    answer = dora.post(
        reverse("table_step", args=[laid.table.pk, "settle"]), {"request": asked.row, "answer": "It counts"}
    )
    assert answer.status_code == 200, "else it would stand on the desk for ever"
    assert on_the_desk(laid) == []


def test_time_that_is_up_calls_by_itself() -> None:
    laid = match_table(clock_seconds=60, on_timeout="director")
    dora = desk_of(laid)
    page = dora.get(DESK)
    assert requests.check_time(table_id=laid.table.pk, at=START + timedelta(minutes=2))
    assert [mark for mark, _why, _url in on_the_desk(laid)] == [TIME]
    assert "time%20is%20up" in news_of(dora, page)["X-Live-Announce"]
