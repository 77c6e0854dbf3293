"""A socket's rights are those of now: what is lost while it is open is lost within one look at the tables."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.tables.services import opening, seats
from games.tables.socket import heartbeat as watching
from games.tables.socket.heartbeat import watch
from games.tables.socket.rights import marks_of
from games.tables.socket.threads import in_thread
from games.tables.state.reader import standing_now
from league.errors import NotAllowed
from league.models import Competition, Membership, Role, Substitution, User
from tests.live.tables import PEOPLE, START, Laid, match_table, moves, next_move
from tests.live.windows import Window, cookie_of, run

# What rights hang on is read by Django's own lookups, and sockets are held against both databases elsewhere.
pytestmark = [pytest.mark.usefixtures("lines"), pytest.mark.one_database]
Change = Callable[[Laid], Any]


@pytest.fixture(autouse=True)
def _nobody_looks_by_himself(settings: Any) -> None:
    settings.LIVE_BEAT_SECONDS = 3600.0


def seen_after(laid: Laid, who: str, change: Change) -> tuple[int | None, list[dict[str, Any]]]:
    """What somebody's window is told at the look after a change; the code with which it was closed, or None."""
    window = Window(laid.table.pk, cookie_of(laid.scene.users[who]), name="w")

    async def look() -> int | None:
        assert await window.open()
        await window.view()
        # The bell of one's own taking of the window.
        while not await window.socket.receive_nothing(timeout=0.05):
            await window.heard("view")
        window.frames.clear()
        await in_thread(change, laid)
        await watch.look()
        messages = []
        while not await window.socket.receive_nothing(timeout=0.05):
            messages.append(await window.socket.receive_output(timeout=5))
        window.frames += [each["text"] for each in messages if each["type"] == "websocket.send"]
        codes = [each.get("code") for each in messages if each["type"] == "websocket.close"]
        if not codes:
            await window.leave()
        return codes[0] if codes else None

    code = run(look())
    return code, [json.loads(frame) for frame in window.frames]


def leaves(name: str) -> Change:
    return lambda laid: Membership.objects.filter(user=laid.scene.users[name]).delete()


def becomes(name: str, role: Role) -> Change:
    return lambda laid: Membership.objects.filter(user=laid.scene.users[name]).update(role=role)


def _new_password(laid: Laid) -> None:
    anna = User.objects.get(pk=laid.scene.users["anna"].pk)
    anna.set_password("another-13-cards")
    anna.save()


def _account_closed(laid: Laid) -> None:
    User.objects.filter(pk=laid.scene.users["anna"].pk).update(is_active=False)


def _tom_for_anna(laid: Laid) -> None:
    Substitution.objects.create(
        fixture=laid.scene.fixture,
        entry=laid.scene.entries[0],
        absent=laid.scene.players[0],
        substitute=laid.scene.players[3],
    )


def _hidden(laid: Laid) -> None:
    Competition.objects.filter(pk=laid.scene.competition.pk).update(visibility=Competition.Visibility.MEMBERS)


@pytest.mark.parametrize(
    ("who", "change", "code", "reason"),
    [
        ("anna", _new_password, 4002, "logged_out"),
        ("anna", _account_closed, 4002, "logged_out"),
        ("anna", _tom_for_anna, 4003, "seat_lost"),
        ("iris", leaves("iris"), 4004, "no_table"),
        ("stranger", _hidden, 4004, "no_table"),
    ],
)
def test_what_is_lost_ends_the_connection_at_the_next_look(
    who: str, change: Change, code: int, reason: str
) -> None:
    terms: dict[str, Any] = {"spectators": "members"} if who == "iris" else {}
    found, messages = seen_after(match_table(**terms), who, change)

    assert found == code
    assert messages[-1] == {"type": "closed", "reason": reason}


@pytest.mark.parametrize(
    ("who", "change"),
    [
        ("anna", leaves("iris")),
        ("anna", leaves("anna")),
        ("eva", _tom_for_anna),
        ("iris", becomes("iris", Role.SCORER)),
        ("iris", _hidden),
        ("anna", lambda _laid: None),
    ],
)
def test_control_what_takes_nothing_away_ends_nothing(who: str, change: Change) -> None:
    found, messages = seen_after(match_table(spectators="members"), who, change)

    assert found is None
    assert "beat" in {each["type"] for each in messages}
    assert not any(each["type"] == "closed" for each in messages)


def test_an_office_that_is_lost_or_won_is_seen_without_a_new_connection() -> None:
    laid = match_table()
    moves(laid, 2)
    _code, messages = seen_after(laid, "dora", becomes("dora", Role.MEMBER))
    views = [each["view"] for each in messages if each["type"] == "view"]
    assert "roll_back" not in views[-1]["you"]["may"]

    _code, messages = seen_after(laid, "dora", becomes("dora", Role.DIRECTOR))
    views = [each["view"] for each in messages if each["type"] == "view"]
    assert "roll_back" in views[-1]["you"]["may"]


def test_whose_seat_it_is_no_longer_does_not_play_in_between() -> None:
    """Also before the look, and without sockets: the service and the page's address ask by the rows."""
    laid = match_table(begun=False)
    _tom_for_anna(laid)
    with pytest.raises(NotAllowed):
        seats.ready(actor=laid.at("N"), table_id=laid.table.pk)
    tom = laid.scene.users["tom"]
    seats.sit(actor=tom, table_id=laid.table.pk, seat="N", at=START)
    assert laid.facts().seats["N"].user == tom.pk, "the substitute takes the seat"


def test_who_has_left_the_club_plays_no_more_at_its_casual_table() -> None:
    laid = match_table(begun=False)
    scene = laid.scene
    table = opening.open_casual(actor=scene.users["dora"], club=scene.club, terms={}, options={})
    casual = Laid(scene, table)
    for seat, name in PEOPLE.items():
        seats.sit(actor=scene.users[name], table_id=table.pk, seat=seat, at=START)
        seats.ready(actor=scene.users[name], table_id=table.pk, at=START)
    who = casual.at(casual.turn())
    client = Client()
    client.force_login(who)
    act = {"deal": 1, "number": 0, "token": next_move(casual.facts()), "key": "k"}
    Membership.objects.filter(user=who).delete()

    assert client.post(f"/tables/{table.pk}/act/", act).status_code == 403
    assert client.get(f"/tables/{table.pk}/view/").json()["view"]["deal"]["view"]["mine"] == []
    seat = casual.turn()
    seats.sit(actor=scene.users["iris"], table_id=table.pk, seat=seat, at=START)
    assert casual.facts().seats[seat].user == scene.users["iris"].pk, "others take the chair"

    Membership.objects.create(user=who, club=scene.club)
    assert client.post(f"/tables/{table.pk}/act/", act).json()["error"]["code"] == "no_seat"


def test_a_look_costs_the_same_for_one_connection_and_for_many() -> None:
    laid = match_table()

    def connections(names: list[str]) -> list[Any]:
        return [
            Connection(laid.table.pk, Client(), laid.scene.users[name])
            for name in names
            for _each in range(3)
        ]

    one, many = connections(["anna"]), connections(["anna", "eva", "iris", "dora"])
    with CaptureQueriesContext(connection) as for_few:
        watching.beats_of(one)
    with CaptureQueriesContext(connection) as for_many:
        beats = watching.beats_of(many)
    assert len(for_few) == len(for_many) <= 6
    assert {beat.is_logged_in for beat in beats.values()} == {False}, "these have no session"


class Connection:
    """A connection as far as the watch asks."""

    guest_id: int | None = None

    def __init__(self, table: int, client: Client, user: User) -> None:
        self.table_id, self.user_id = table, user.pk
        self.session_key, self.session_hash = client.session.session_key or "", ""


def test_the_mark_of_a_connection_is_the_one_that_the_look_finds() -> None:
    """Else every connection would ask the policies again at its first look."""
    laid = match_table()
    anna = laid.scene.users["anna"]
    one = Connection(laid.table.pk, Client(), anna)
    (beat,) = watching.beats_of([one]).values()  # type: ignore[list-item] # as far as it is asked
    assert marks_of([(anna, laid.table.pk)]) == [beat.mark]
    moves(laid, 1)
    assert marks_of([(anna, laid.table.pk)]) == [beat.mark], "play changes no rights"
    assert standing_now(anna, laid.table.pk) is not None
