"""Who watches a hidden deal learns neither how many actions there are nor when one was done: not by a byte."""

import json
import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games.models import Table, TableRequest
from games.scoresheets.queries.trail import trail_of
from games.tables.services import requests, rulings, seats
from games.tables.socket.heartbeat import watch
from games.tables.socket.threads import in_thread
from games.tables.state.reader import standing_now
from games.tables.state.seat_view import view_for
from league import policies
from league.errors import NotAllowed
from league.models import Membership, Role
from tests.games.boards import duplicate_scene, sealed
from tests.kept_scenes import kept
from tests.live.tables import START, Laid, laid_in, match_table, move, play_deal
from tests.live.windows import Window, cookie_of, run

# What is told of the same rows, whatever database they come from.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LATER = START + timedelta(hours=2)
#: A page's token against forged requests is another one each time.
MASKED = re.compile(rb"[A-Za-z0-9]{64}")
#: Others who look on: one who plays the same boards elsewhere, a director who does, a member, a stranger.
WATCHERS = ("iris", "tom", "olga", None)


@kept
def hidden_table(**terms: Any) -> Laid:
    """A match's table with the first of its sealed boards on it."""
    scene = duplicate_scene()
    sealed(scene)
    Membership.objects.filter(user=scene.users["tom"]).update(role=Role.DIRECTOR)
    return laid_in(scene, **terms)


def seen(laid: Laid, who: str | None = None) -> str:
    """Every byte that somebody who watches is told."""
    user = laid.scene.users[who] if who else AnonymousUser()
    standing = standing_now(user, laid.table.pk)
    assert standing is not None
    facts = laid.facts()
    return json.dumps(view_for(facts=facts, reader=standing.reader(facts), at=LATER))


def people(laid: Laid) -> tuple[Any, Any]:
    """Who is on turn, and who is next."""
    turn = laid.turn()
    return laid.at(turn), laid.at("NESW"["NESW".index(turn) - 3])


def acts(laid: Laid) -> None:
    move(laid)


def has_it_taken_back(laid: Laid) -> None:
    who, _next = people(laid)
    move(laid)
    requests.take_back(actor=who, table_id=laid.table.pk, at=LATER)
    asked = TableRequest.objects.get(kind="take_back", state="open")
    for seat in set("NESW") - {asked.seat}:
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True)


def asks_in_vain(laid: Laid) -> None:
    who, _next = people(laid)
    move(laid)
    requests.take_back(actor=who, table_id=laid.table.pk, at=LATER)
    move(laid)


def has_a_pause(laid: Laid) -> None:
    requests.pause(actor=laid.at("N"), table_id=laid.table.pk, at=LATER)
    asked = TableRequest.objects.get(kind="pause", state="open")
    for seat in "ESW":
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True)
    requests.resume(actor=laid.at("N"), table_id=laid.table.pk)


def has_no_time_left(laid: Laid) -> None:
    assert requests.check_time(table_id=laid.table.pk, at=START + timedelta(days=1))


def changes_the_window(laid: Laid) -> None:
    seats.take_window(actor=laid.at("N"), table_id=laid.table.pk, window="another")


def is_taken_back_by_a_director(laid: Laid) -> None:
    move(laid)
    rulings.roll_back(actor=laid.scene.users["dora"], table_id=laid.table.pk, to=0, reason="Sorry", at=LATER)


def is_ruled_in_vain_by_a_playing_director(laid: Laid) -> None:
    move(laid)
    assert len(set(refusals(laid, "tom", range(0, 99, 7)))) == 1


def refusals(laid: Laid, who: str, targets: Iterable[int]) -> list[tuple[int, bytes]]:
    """What a director is told who would take the deal back to each of these."""
    client, address = Client(), f"/tables/{laid.table.pk}/steps/roll_back/"
    client.force_login(laid.scene.users[who])
    given = [
        client.post(address, {"to": to, "reason": "Sorry"}, content_type="application/json") for to in targets
    ]
    return [(each.status_code, each.content) for each in given]


UNSEEN: tuple[Callable[[Laid], None], ...] = (
    acts,
    has_it_taken_back,
    asks_in_vain,
    has_a_pause,
    has_no_time_left,
    changes_the_window,
    is_taken_back_by_a_director,
    is_ruled_in_vain_by_a_playing_director,
)


@pytest.mark.parametrize("what", UNSEEN)
def test_nothing_is_told_of_what_is_done_in_a_hidden_deal(what: Callable[[Laid], None]) -> None:
    laid = hidden_table()
    before, version = {who: seen(laid, who) for who in WATCHERS}, laid.facts().version
    what(laid)

    assert laid.facts().version > version, "something was done"
    assert {who: seen(laid, who) for who in WATCHERS} == before


def leaves(laid: Laid) -> None:
    seats.stand_up(actor=laid.at("N"), table_id=laid.table.pk, at=LATER)


def is_played_to_its_end(laid: Laid) -> None:
    play_deal(laid)


@pytest.mark.parametrize("what", [leaves, is_played_to_its_end])
def test_control_what_is_seen_has_another_version(what: Callable[[Laid], None]) -> None:
    laid = hidden_table()
    before = json.loads(seen(laid))
    what(laid)
    after = json.loads(seen(laid))

    assert after | {"version": 0} != before | {"version": 0}
    assert after["version"] > before["version"]


def test_the_version_after_a_deal_does_not_say_how_long_it_was() -> None:
    laid, told = hidden_table(), []
    for more in (0, 3):
        before = json.loads(seen(laid))["version"]
        for _each in range(more):
            has_it_taken_back(laid)
        play_deal(laid)
        told.append(json.loads(seen(laid))["version"] - before)
        for seat in "NESW":
            seats.ready(actor=laid.at(seat), table_id=laid.table.pk, at=LATER)

    assert told == [1, 1]


def test_control_an_open_deal_is_followed_action_by_action() -> None:
    laid = match_table()
    before = json.loads(seen(laid))
    move(laid)
    after = json.loads(seen(laid))
    assert after["version"] == before["version"] + 1
    assert after["deal"]["next"] == 1


def answers(laid: Laid, client: Client) -> list[bytes]:
    """What pages and programs are told: the table, the lists, the match."""
    view = client.get(f"/tables/{laid.table.pk}/view/").json()
    since = client.get(f"/tables/{laid.table.pk}/view/", {"since": view["version"]}).json()
    programs = client.get(f"/api/v1/tables/{laid.table.pk}/").json()
    for each in (view, since, programs):
        each.pop("now")
    assert since["view"] is None
    lists = [
        MASKED.sub(b"", client.get(url).content)
        for url in ("/tables/live/", "/api/v1/tables/", f"/matches/{laid.scene.fixture.pk}/")
    ]
    return [json.dumps(each).encode() for each in (view, since, programs)] + lists


def test_pages_lists_and_programs_are_told_the_same_before_and_after_an_action() -> None:
    laid = hidden_table()
    client = Client()
    first = answers(laid, client)
    for _each in range(3):
        move(laid)
        assert answers(laid, client) == first


def test_a_director_takes_a_deal_back_and_the_trail_does_not_tell_to_where() -> None:
    laid = hidden_table()
    for _each in range(5):
        move(laid)
    rulings.roll_back(actor=laid.scene.users["dora"], table_id=laid.table.pk, to=3, reason="Sorry", at=LATER)
    told = trail_of(laid.scene.fixture, is_open=False)[0]
    assert told.summary == "Deal 1 rolled back to an earlier action"
    assert not [change for change in told.changes if change.after == "3"]
    assert [change.after for change in trail_of(laid.scene.fixture)[0].changes if change.label != "Table"][
        -1
    ] == "3"


@pytest.mark.usefixtures("lines")
def test_the_socket_of_who_watches_says_nothing_when_somebody_acts(settings: Any) -> None:
    settings.LIVE_BEAT_SECONDS = 3600.0
    laid = hidden_table()
    window = Window(laid.table.pk, cookie_of(laid.scene.users["iris"]))

    async def watched() -> list[dict[str, Any]]:
        assert await window.open()
        await window.view()
        first = len(window.frames)
        for _each in range(4):
            await in_thread(move, laid)
            await watch.look()
            await window.heard("beat")
        # A change that is seen: it is the next view, and no other came before it.
        await in_thread(leaves, laid)
        await window.view()
        await window.leave()
        return [json.loads(frame) for frame in window.frames[first:]]

    told = run(watched())
    assert [each["type"] for each in told] == ["beat"] * 4 + ["view"]
    assert len({each["version"] for each in told[:4]}) == 1
    assert told[4]["version"] == told[0]["version"] + 1


def test_a_director_who_plays_these_boards_rules_at_no_other_table_while_the_club_has_another() -> None:
    laid = hidden_table()
    for each in range(3):
        found = refusals(laid, "tom", [0, 1, 2, 50])
        assert {status for status, _words in found} == {403}, each
        move(laid)
    tom, table = laid.scene.users["tom"], laid.table.pk
    assert not policies.may(tom, "table.rule", laid.table)
    with pytest.raises(NotAllowed):
        rulings.add_time(actor=tom, table_id=table, minutes=5)
    assert len(laid.facts().deal.fold.counting) == 3  # type: ignore[union-attr]


def test_where_nobody_else_directs_the_refusals_tell_no_number_either() -> None:
    laid = hidden_table()
    Membership.objects.filter(user__in=[laid.scene.users[name] for name in ("dora", "olive")]).update(
        role=Role.MEMBER
    )
    told = []
    for _each in range(3):
        told += refusals(laid, "tom", [1, 2, 3, 50])
        move(laid)
    assert len(set(told)) == 1
    # To the beginning, whether or not there is anything to take back.
    assert [status for status, _words in refusals(laid, "tom", [0, 0])] == [200, 200]
    assert not laid.facts().deal.fold.counting  # type: ignore[union-attr]
    move(laid)
    assert len(laid.facts().deal.fold.counting) == 1  # type: ignore[union-attr]


def test_control_a_neutral_director_is_told_the_number() -> None:
    laid = hidden_table()
    move(laid)
    assert b"1 actions" in refusals(laid, "dora", [50])[0][1]


def test_the_list_keeps_its_order_whatever_is_done_at_a_table() -> None:
    laid = hidden_table()
    Table.objects.update(seen_at=START)
    before = Table.objects.get().seen_at
    for _each in range(3):
        move(laid)
    assert Table.objects.get().seen_at == before
