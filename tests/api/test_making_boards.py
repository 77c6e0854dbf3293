"""Boards made, brought in a file, released, discarded, replaced and marked by programs: the same as on the pages."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from engine.boards.files.formats import FORMATS
from engine.boards.sealing import DelayedInformation, DelayedKind
from games import board_cards
from games.models import AdjustedScore, Board, BoardSet, FixtureBoard
from league import formats
from league.models import ApiToken, AuditEntry, Competition, IdempotencyKey, Membership, Role, Stage
from league.people.services import tokens
from league.storage import board_keys
from tests.api.same_rows import browser, left_by
from tests.games.boards import board, duplicate_scene, play, plays_of, sealed
from tests.games.test_board_imports import BOARDS, DEALS
from tests.games.test_board_leaks import _found, _needles
from tests.league import factories
from tests.scenes import Scene

pytestmark = pytest.mark.django_db
AGREED = {"kind": "agreed-text", "source": "The name of the league and the round", "value": "League, round 1"}
NEW = {"round": 1, "reserve": 1, "delayed": AGREED}
BECAUSE = {"reason": "Two aces of spades"}
Program = Callable[..., APIClient]


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


@pytest.fixture
def others(scene: Scene) -> list[Any]:
    """Who is no director of the club."""
    return [
        *(scene.users[name] for name in ("anna", "sam", "stranger")),
        factories.member(factories.club(), Role.OWNER),
    ]


def of(scene: Scene, *parts: object) -> str:
    return "/".join(["/api/v1/competitions", str(scene.competition.pk), "board-sets", *map(str, parts), ""])


def at(made: BoardSet) -> str:
    return f"/api/v1/board-sets/{made.pk}/"


def sent_as(key: str) -> dict[str, Any]:
    """The header of a request that may be sent again."""
    return {"HTTP_IDEMPOTENCY_KEY": key}


def refused(answer: Any, status: int, *place: object) -> dict[str, Any]:
    """The error of an answer in the envelope; with `place`, at that place of what was sent."""
    assert answer.status_code == status, answer.content
    error = answer.json()["error"]
    assert error["message"]
    if place:
        assert list(place) in [each["place"] for each in error["details"]], error
    return error


def pbn(data: bytes | None = None, name: str = "round 1.pbn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, FORMATS["pbn"].write(BOARDS) if data is None else data)


def previewed(client: APIClient, scene: Scene, **more: Any) -> Any:
    given = {"file": pbn(), "round": 1, **more}
    return client.post(of(scene, "preview"), given, format="multipart")


# Making


def test_boards_are_sealed_once_and_no_card_is_told(program: Program, scene: Scene) -> None:
    dora, key = program(scene.users["dora"]), sent_as("first")
    first = dora.post(of(scene), NEW, **key)
    made = BoardSet.objects.get()
    told = first.json()
    assert (first.status_code, told["id"], told["round"], told["opened"]) == (201, made.pk, 1, None)
    assert [(each["number"], each["purpose"], each["deal"]) for each in told["boards"]] == [
        *((number, "original", None) for number in range(1, 5)),
        (5, "reserve", None),
    ]
    assert told["delayed"] == {**AGREED, "on": None}
    assert dora.post(of(scene), NEW, **key).json() == told, "sent again"
    assert AuditEntry.objects.filter(action="boards.made").count() == 1
    refused(dora.post(of(scene), {**NEW, "reserve": 0}, **key), 409)
    refused(dora.post(of(scene), NEW), 409)
    assert (
        _found(_needles(made), [first.content.decode(), str(list(IdempotencyKey.objects.values()))]) == set()
    )


def test_without_a_round_it_is_the_next_and_sent_again_still_the_same(program: Program, scene: Scene) -> None:
    dora, body = program(scene.users["dora"]), {"delayed": AGREED}
    for number in (1, 2, 3):
        for _twice in range(2):
            made = dora.post(of(scene), body, HTTP_IDEMPOTENCY_KEY=f"next {number}").json()
            assert (made["round"], len(made["boards"])) == (number, 5)
    refused(dora.post(of(scene), body), 409)


def test_an_evening_has_as_many_boards_as_are_asked_for(program: Program, scene: Scene) -> None:
    Stage.objects.update(format=formats.EVENING)
    dora = program(scene.users["dora"])
    refused(dora.post(of(scene), {"delayed": AGREED}), 400, "count")
    refused(dora.post(of(scene), {"delayed": AGREED, "count": 6, "round": 1}), 400, "round")
    told = dora.post(of(scene), {"delayed": AGREED, "count": 6, "first_number": 11, "reserve": 0}).json()
    assert [each["number"] for each in told["boards"]] == list(range(11, 17))
    assert told["round"] is None


@pytest.mark.parametrize(
    ("changed", "status", "place"),
    [
        ({"round": 9}, 400, ["round"]),
        ({"round": 0}, 400, ["round"]),
        ({"round": 10**30}, 400, ["round"]),
        ({"count": 5}, 422, []),
        ({"reserve": 99}, 400, ["reserve"]),
        ({"first_number": 1000}, 400, ["first_number"]),
        ({"first_number": 997}, 422, []),
        ({"delayed": None}, 400, ["delayed"]),
        ({"delayed": {**AGREED, "kind": "dice"}}, 400, ["delayed", "kind"]),
        ({"delayed": {**AGREED, "kind": "lottery"}}, 422, []),
        ({"delayed": {**AGREED, "value": None}}, 422, []),
        ({"delayed": {**AGREED, "value": "two\nlines"}}, 422, []),
        ({"delayed": {**AGREED, "colour": "red"}}, 400, ["delayed", "colour"]),
        ({"rounds": 1}, 400, ["rounds"]),
    ],
)
def test_what_is_no_set_of_boards_is_refused(
    program: Program, scene: Scene, changed: dict[str, Any], status: int, place: list[str]
) -> None:
    refused(program(scene.users["dora"]).post(of(scene), {**NEW, **changed}, format="json"), status, *place)
    assert not BoardSet.objects.exists()


def test_a_competition_whose_tables_play_other_cards_has_no_boards(program: Program, scene: Scene) -> None:
    scene.competition.duplicate.delete()
    refused(program(scene.users["dora"]).post(of(scene), NEW), 409)


# From a file


def test_a_file_is_read_without_its_cards_and_sealed_once(program: Program, scene: Scene) -> None:
    dora, key = program(scene.users["dora"]), sent_as("file")
    read = previewed(dora, scene)
    seen = read.json()
    assert (read.status_code, seen["numbers"], seen["accepted"], seen["faults"]) == (
        200,
        [1, 2, 3, 4],
        True,
        [],
    )
    assert read["Cache-Control"] == "no-store"
    assert not BoardSet.objects.exists(), "nothing is written by looking"
    body = {"token": seen["token"], "round": 1}
    first = dora.post(of(scene, "import"), body, **key)
    made = BoardSet.objects.get()
    assert (first.status_code, first.json()["id"], first.json()["origin"]) == (201, made.pk, "imported")
    assert dora.post(of(scene, "import"), body, **key).json() == first.json()
    assert set(board_cards.cards_of(made).values()) == {str(deal) for deal in DEALS}
    said = [read.content.decode(), first.content.decode(), str(list(IdempotencyKey.objects.values()))]
    assert _found(_needles(made), said) == set()
    assert seen["token"] not in str(list(IdempotencyKey.objects.values()))


def test_a_file_with_faults_says_where_and_seals_nothing(program: Program, scene: Scene) -> None:
    dora = program(scene.users["dora"])
    data = FORMATS["pbn"].write(BOARDS)
    told = previewed(dora, scene, file=pbn(data.replace(b"[Deal ", b"[Deel ", 1))).json()
    assert (told["accepted"], told["token"]) == (False, "")
    assert any(each["severity"] == "impossible" and each["message"] for each in told["faults"])
    three = previewed(dora, scene, file=pbn(FORMATS["pbn"].write(BOARDS[:3]))).json()
    assert (three["accepted"], three["numbers"]) == (False, [1, 2, 3])
    machine = pbn(FORMATS["dup"].write(BOARDS), "half.dup")
    assert previewed(dora, scene, file=machine, first_number=17).json()["numbers"] == [17, 18, 19, 20]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"file": pbn(b"x", "a.txt")}, 422),
        ({"file": pbn(b"x" * 300_000)}, 422),
        ({"file": pbn(b"")}, 400),
        ({"file": "no file"}, 400),
        ({"format": "doc"}, 400),
        ({"round": 9}, 400),
        ({"round": "x"}, 400),
        ({"first_number": 0}, 400),
        ({"of": "me"}, 400),
    ],
)
def test_what_is_no_file_of_boards_is_refused(
    program: Program, scene: Scene, more: dict[str, Any], status: int
) -> None:
    refused(previewed(program(scene.users["dora"]), scene, **more), status)


@pytest.mark.parametrize("key", FORMATS)
def test_random_bytes_are_no_boards_in_any_format(program: Program, scene: Scene, key: str) -> None:
    noise = hashlib.sha512(key.encode()).digest() * 8
    answer = previewed(program(scene.users["dora"]), scene, file=pbn(noise, f"a{FORMATS[key].suffix}"))
    assert answer.status_code == 200
    assert answer.json()["accepted"] is False
    refused(program(scene.users["dora"]).post(of(scene, "preview"), {"round": 1}), 415)


def test_a_preview_is_of_one_person_one_round_and_one_hour(
    program: Program, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    dora, olive = program(scene.users["dora"]), program(scene.users["olive"])
    token = previewed(dora, scene).json()["token"]
    for client, body in (
        (dora, {"token": token, "round": 2}),
        (olive, {"token": token, "round": 1}),
        (dora, {"token": token[:-8], "round": 1}),
        (dora, {"token": board_keys.encrypt(json.dumps({"preview": "x"})), "round": 1}),
    ):
        refused(client.post(of(scene, "import"), body), 409)
    refused(dora.post(of(scene, "import"), {"round": 1}), 400, "token")
    monkeypatch.setattr("games.boards.services.imports.SECONDS_TO_TAKE_IN", -1)
    refused(dora.post(of(scene, "import"), {"token": token, "round": 1}), 409)
    assert not BoardSet.objects.exists()


def test_a_director_who_plays_brings_no_file(program: Program, scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    anna, token = program(scene.users["anna"]), previewed(program(scene.users["dora"]), scene).json()["token"]
    assert refused(previewed(anna, scene), 403)["code"] == "plays_himself"
    refused(anna.post(of(scene, "import"), {"token": token, "round": 1}), 403)


# What is done with a set


def test_boards_are_replaced_released_and_discarded(program: Program, scene: Scene) -> None:
    made, dora = sealed(scene, reserve=1), program(scene.users["dora"])
    first, key = board(made, 1), sent_as("reserve")
    body = {"step": "reserve", "board": first.pk, **BECAUSE}
    for _twice in range(2):
        told = dora.post(at(made), body, **key)
        assert (told.status_code, told.json()["boards"][4]["stands_for"]) == (200, first.pk)
        assert _found(_needles(made), [told.content.decode()]) == set()
    refused(dora.post(at(made), {**body, "board": board(made, 2).pk}), 409)
    refused(dora.post(at(made), {"step": "release", "board": first.pk, **BECAUSE}), 400, "board")

    one = board(made, 2)
    body, key = {"step": "release", "board": one.pk, "reason": "Shown"}, sent_as("release")
    for _twice in range(2):
        told = dora.post(at(made), body, **key).json()
        assert [each["id"] for each in told["boards"] if each["deal"]] == [one.pk]
        assert told["opened"] is None
    refused(dora.post(at(made), body), 409)
    assert dora.post(at(made), {"step": "release", "reason": "Late"}).json()["opened"]
    refused(dora.post(at(made), {"step": "release", "reason": "Late"}), 409)

    second = sealed(scene, 2)
    assert dora.post(at(second), {"step": "discard", "reason": "Opened"}).json()["discarded_at"]
    refused(dora.post(at(second), {"step": "discard", "reason": "Opened"}), 409)
    assert not FixtureBoard.objects.filter(board__board_set=second).exists()


def test_a_delayed_value_is_filled_in_on_its_day(program: Program, scene: Scene) -> None:
    dora, later = program(scene.users["dora"]), timezone.localdate() + timedelta(days=9)
    body = {"kind": "lottery", "source": "6 of 49", "on": str(later)}
    told = dora.post(of(scene), {"round": 1, "delayed": body}).json()
    assert told["delayed"] == {**body, "value": None}
    early = BoardSet.objects.get(pk=told["id"])
    refused(dora.post(at(early), {"step": "fill", "value": "1 2 3"}), 409)
    due = sealed(scene, 2, delayed=DelayedInformation(DelayedKind.LOTTERY, "6 of 49", timezone.localdate()))
    refused(dora.post(at(due), {"step": "fill", "value": " 1 2"}), 422)
    for _twice in range(2):
        told = dora.post(at(due), {"step": "fill", "value": "1 2 3"}, HTTP_IDEMPOTENCY_KEY="draw").json()
        assert told["delayed"]["value"] == "1 2 3"
    due.refresh_from_db()
    assert _found(_needles(due), [json.dumps(told)]) == set()
    refused(dora.post(at(due), {"step": "fill", "value": "4 5 6"}), 422)


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        ({}, 400, ["step"]),
        ({"step": "draw_out", **BECAUSE}, 400, ["step"]),
        ({"step": "discard"}, 400, ["reason"]),
        ({"step": "discard", "reason": " "}, 400, ["reason"]),
        ({"step": "discard", "reason": "x" * 301}, 400, ["reason"]),
        ({"step": "discard", "board": 1, **BECAUSE}, 400, ["board"]),
        ({"step": "fill", "value": "x", **BECAUSE}, 400, ["reason"]),
        ({"step": "fill", "value": "another text"}, 422, []),
        ({"step": "reserve", **BECAUSE}, 400, ["board"]),
        ({"step": "reserve", "board": 10**9, **BECAUSE}, 400, ["board"]),
        ({"step": "reserve", "board": "first", **BECAUSE}, 400, ["board"]),
        ({"step": "release", "board": 10**30, **BECAUSE}, 400, ["board"]),
        ([], 400, []),
    ],
)
def test_what_is_no_step_is_refused(
    program: Program, scene: Scene, body: Any, status: int, place: list[str]
) -> None:
    made = sealed(scene)
    refused(program(scene.users["dora"]).post(at(made), body, format="json"), status, *place)
    assert not Board.objects.exclude(released_at=None).exists()


def test_boards_that_were_played_are_not_discarded_and_others_are_not_chosen(
    program: Program, scene: Scene
) -> None:
    made, other, dora = sealed(scene, reserve=1), sealed(scene, 2), program(scene.users["dora"])
    play(scene, scene.fixtures[0])
    refused(dora.post(at(made), {"step": "discard", **BECAUSE}), 409)
    for wrong in (board(other, 1), made.boards.get(purpose="reserve")):
        for step in ("release", "reserve"):
            refused(dora.post(at(made), {"step": step, "board": wrong.pk, **BECAUSE}), 400, "board")
    assert not Board.objects.exclude(released_at=None).exists()
    assert not AdjustedScore.objects.exists()


def test_a_director_who_plays_releases_nothing(program: Program, scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    made = sealed(scene)
    answer = program(scene.users["anna"]).post(at(made), {"step": "release", "reason": "To see"})
    refused(answer, 403)
    assert _found(_needles(made), [answer.content.decode()]) == set()


# Versions


def test_tables_are_marked_together_once_and_the_marks_taken_back(program: Program, scene: Scene) -> None:
    made, dora = sealed(scene), program(scene.users["dora"])
    here = f"/api/v1/boards/{board(made, 1).pk}/tables/"
    one, other = (plays_of(made, fixture)[0] for fixture in scene.fixtures[:2])
    listed = dora.get(here)
    assert [(each["play"], each["match"], each["version"]) for each in listed.json()] == [
        (each.pk, each.fixture_id, "") for each in (one, other)
    ]
    assert _found(_needles(made), [listed.content.decode()]) == set()
    body, key = {"plays": [one.pk, other.pk], "version": "B", **BECAUSE}, sent_as("B")
    for _twice in range(2):
        assert [each["version"] for each in dora.post(here, body, **key).json()] == ["B", "B"]
    assert AuditEntry.objects.filter(action="boards.version_marked").count() == 2
    back = dora.post(here, {"plays": [one.pk], "version": "", "reason": "Not there"}).json()
    assert [each["version"] for each in back] == ["", "B"]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"plays": []}, "plays"),
        ({"plays": [10**9]}, "plays"),
        ({"version": "Z"}, "version"),
        ({"version": "b"}, "version"),
        ({"reason": ""}, "reason"),
        ({"tables": [1]}, "tables"),
    ],
)
def test_what_is_no_mark_is_refused(
    program: Program, scene: Scene, changed: dict[str, Any], place: str
) -> None:
    made = sealed(scene)
    body = {"plays": [plays_of(made, scene.fixtures[0])[0].pk], "version": "B", **BECAUSE, **changed}
    answer = program(scene.users["dora"]).post(
        f"/api/v1/boards/{board(made, 1).pk}/tables/", body, format="json"
    )
    assert refused(answer, 400)["details"][0]["place"][0] == place
    other = {**body, **BECAUSE, "version": "B", "plays": [plays_of(made, scene.fixtures[0])[1].pk]}
    other.pop("tables", None)
    refused(
        program(scene.users["dora"]).post(f"/api/v1/boards/{board(made, 1).pk}/tables/", other), 400, "plays"
    )
    assert not FixtureBoard.objects.exclude(version="").exists()


# How boards are compared


def test_how_boards_are_compared_is_changed_once_and_the_rest_stays(program: Program, scene: Scene) -> None:
    here, dora = f"/api/v1/competitions/{scene.competition.pk}/comparison/", program(scene.users["dora"])
    before = dora.get(here).json()
    assert before == {"method": "matchpoints", "measure": "difference", "tops": "same", "least_share": 50}
    body, key = {"least_share": 0, "method": "cross-imps", **BECAUSE}, sent_as("imps")
    for _twice in range(2):
        assert dora.post(here, body, **key).json() == {**before, "method": "cross-imps", "least_share": 0}
    (told,) = AuditEntry.objects.filter(action="comparison.settings_changed")
    assert (told.reason, told.before["least_share"], told.after["least_share"]) == (BECAUSE["reason"], 50, 0)
    refused(dora.post(here, {"least_share": 1, **BECAUSE}, **key), 409)
    for name, wrong in (
        ("method", "chess"),
        ("tops", None),
        ("least_share", 101),
        ("least_share", -1),
        ("top", 1),
    ):
        refused(dora.post(here, {name: wrong, **BECAUSE}, format="json"), 400, name)
    refused(dora.post(here, {"least_share": 1}), 400, "reason")
    Competition.objects.update(state=Competition.State.FINISHED)
    refused(dora.post(here, {"least_share": 1, **BECAUSE}), 409)
    scene.competition.duplicate.delete()
    refused(dora.get(here), 404)


# Who may


def test_only_directors_of_the_club_make_and_change_boards(
    program: Program, scene: Scene, others: list[Any]
) -> None:
    made = sealed(scene)
    (one, *_more) = plays_of(made, scene.fixtures[0])
    tables = f"/api/v1/boards/{one.board_id}/tables/"
    compared = f"/api/v1/competitions/{scene.competition.pk}/comparison/"

    def look(client: APIClient) -> Any:
        return client.get(tables)

    asked: list[Callable[[APIClient], Any]] = [
        lambda client: client.post(of(scene), {**NEW, "round": 2}),
        lambda client: previewed(client, scene, round=2),
        lambda client: client.post(of(scene, "import"), {"token": "x", "round": 2}),
        lambda client: client.post(at(made), {"step": "discard", **BECAUSE}),
        look,
        lambda client: client.post(tables, {"plays": [one.pk], "version": "B", **BECAUSE}),
        lambda client: client.post(compared, {"least_share": 1, **BECAUSE}),
    ]
    reading = APIClient()
    scope = ApiToken.Scope.READ
    _row, text = tokens.make(actor=scene.users["dora"], at=datetime.now(tz=UTC), scope=scope)
    reading.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    for ask in asked:
        for who in others:
            refused(ask(program(who)), 403)
        refused(ask(program()), 401)
        if ask is not look:
            refused(ask(reading), 403)
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)
    for ask in asked:
        refused(ask(program(others[-1])), 404)
    assert BoardSet.objects.count() == 1
    assert not BoardSet.objects.exclude(discarded_at=None).exists()
    assert program(scene.users["dora"]).post("/api/v1/board-sets/999999/", {}).status_code == 404
    assert program(scene.users["dora"]).get("/api/v1/boards/999999/tables/").status_code == 404


# The same as the pages


@pytest.mark.one_database
def test_steps_and_marks_leave_what_the_pages_leave(program: Program, scene: Scene) -> None:
    made, page, client = sealed(scene, reserve=1), browser(scene.users["dora"]), program(scene.users["dora"])
    where = [scene.club.slug, scene.competition.slug, made.pk]
    (one, *_more), first = plays_of(made, scene.fixtures[0]), {"board": board(made, 1).pk}
    of_page = reverse("desk_board_tables", args=[*where, one.board_id])
    of_api = f"/api/v1/boards/{one.board_id}/tables/"
    by_page = left_by(lambda: page.post(of_page, {"tables": [one.pk], "version": "B", **BECAUSE}))
    assert "FixtureBoard" in by_page
    assert by_page == left_by(lambda: client.post(of_api, {"plays": [one.pk], "version": "B", **BECAUSE}))
    for act, step, more in (
        ("discard", "discard", {}),
        ("reserve", "reserve", first),
        ("release-board", "release", first),
        ("release", "release", {}),
    ):
        given = {**BECAUSE, **more}
        by_page = left_by(partial(page.post, reverse("desk_board_act", args=[*where, act]), given))
        assert "AuditEntry" in by_page
        assert by_page == left_by(partial(client.post, at(made), {"step": step, **given}))


def told(left: dict[str, list[Any]]) -> str:
    """What is left, without what chance decided of the set: its commitment, and how its secret is encrypted."""
    (made,) = left["BoardSet"]
    secret = made.pop("secret")
    return json.dumps(left, default=str, sort_keys=True).replace(
        made["commitment"], f"of {len(secret)} characters"
    )


@pytest.mark.one_database
def test_making_and_comparing_leave_what_the_pages_leave(program: Program, scene: Scene) -> None:
    page, client = browser(scene.users["dora"]), program(scene.users["dora"])
    where = [scene.club.slug, scene.competition.slug]
    form = {"first_number": 1, "reserve": 1, **AGREED}
    by_page = left_by(lambda: page.post(f"{reverse('desk_boards_make', args=where)}?round=1", form))
    assert "FixtureBoard" in by_page
    assert told(by_page) == told(left_by(lambda: client.post(of(scene), NEW)))
    given = {"method": "butler", "measure": "difference", "tops": "same", "least_share": 40, **BECAUSE}
    by_page = left_by(lambda: page.post(reverse("desk_comparison", args=where), given))
    assert "Duplicate" in by_page
    of_api = f"/api/v1/competitions/{scene.competition.pk}/comparison/"
    assert by_page == left_by(lambda: client.post(of_api, {"method": "butler", "least_share": 40, **BECAUSE}))


@pytest.mark.one_database
def test_a_file_leaves_what_the_page_leaves(program: Program, scene: Scene) -> None:
    page, client = browser(scene.users["dora"]), program(scene.users["dora"])
    token = previewed(client, scene).json()["token"]
    address = reverse("desk_boards_import", args=[scene.club.slug, scene.competition.slug])
    by_page = left_by(lambda: page.post(f"{address}?round=1", {"token": token}))
    assert "Participation" in by_page, "who knows the cards"
    assert told(by_page) == told(
        left_by(lambda: client.post(of(scene, "import"), {"token": token, "round": 1}))
    )
