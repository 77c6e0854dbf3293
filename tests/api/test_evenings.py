"""A program sets an evening up, runs it to its end, and lets pairs join and leave."""

from functools import partial
from typing import Any

import pytest

from games.comparisons.services import comparisons
from games.models import Board
from league.models import AuditEntry, Club, Competition, IdempotencyKey, Player, Role
from tests.api.same_rows import browser, left_by
from tests.games import evening_rooms
from tests.games.evening_rooms import begin, club_with_director, laid_out, numbered, play_round
from tests.hostile.values import JSON_BODIES
from tests.league import factories

pytestmark = pytest.mark.django_db


def key(text: str) -> dict[str, Any]:
    return {"HTTP_IDEMPOTENCY_KEY": text}


def of(evening: Any, *parts: object) -> str:
    number = evening if isinstance(evening, int) else evening.pk
    return "/".join(["/api/v1/competitions", str(number), "evening", *map(str, parts), ""])


def places(answer: Any) -> list[Any]:
    return [each["place"] for each in answer.json()["error"]["details"]]


@pytest.fixture
def club(db: None) -> Club:
    return club_with_director()[0]


@pytest.fixture
def dora(club) -> Any:
    return club.memberships.get(role=Role.DIRECTOR).user


@pytest.fixture
def of_director(program, dora) -> Any:
    return program(dora)


@pytest.fixture
def seated(club, dora) -> Competition:
    """Seven pairs, number 8 is missing: 7 rounds."""
    return laid_out(club, dora, 7, boards=2)


@pytest.mark.both_databases
def test_a_whole_evening_by_program(of_director, program, club) -> None:
    body = {"name": "Thursday", "starts_on": "2026-11-05", "boards_a_round": 2, "minutes_a_round": 15}
    made = of_director.post(f"/api/v1/clubs/{club.slug}/evenings/", body, **key("new"))
    assert made.status_code == 201, made.content
    assert of_director.post(f"/api/v1/clubs/{club.slug}/evenings/", body, **key("new")).json() == made.json()
    number = made.json()["competition"]["id"]
    assert made.json()["setup"]["play_time"] == "19:30"
    assert made.json()["sections"][0]["missing"], "nobody is there yet"
    assert program().get(of(number)).status_code == 401
    assert of_director.post(of(number), {"place": "The Barn"}).json()["setup"]["place"] == "The Barn"

    typed = "\n".join(f"Ada {letter}. & Bea {letter}." for letter in "ABCDEFG")
    entries = f"/api/v1/competitions/{number}/entries/"
    assert of_director.post(entries, {"typed": typed, "are_different": True}, **key("in")).status_code == 201
    assert of_director.post(f"/api/v1/competitions/{number}/numbers/", {"by": "lot"}).status_code == 200
    found = of_director.get(of(number)).json()
    (section,) = found["sections"]
    assert (len(section["entries"]), section["is_chosen"]) == (7, False)
    assert {each["kind"] for each in section["offered"]} == {"howell", "mitchell", "relay", "three-quarter"}
    chosen = of_director.post(of(number, "movement"), {"kind": "howell", "rounds": 3, "phantom": 8}).json()
    movement = chosen["sections"][0]["movement"]
    assert (movement["kind"], movement["rounds"], movement["phantom"]) == ("howell", 3, 8)
    assert any("Number 8 is missing" in each for each in movement["says"])

    def act(name: str, **more: Any) -> Any:
        return of_director.post(of(number, "acts"), {"act": name, **more}, **key(f"{name}{more}"))

    assert act("start", seen=found["newest"]).status_code == 409, "a movement was chosen since"
    begun = act("start", seen=chosen["newest"])
    assert begun.status_code == 200, begun.content
    assert begun.json()["clock"]["state"] == "waiting"
    assert of_director.post(entries, {"typed": typed, "are_different": True}, **key("in")).status_code == 201
    assert act("next", round=1).json()["clock"]["round"] == 1
    assert act("pause", round=1).json()["clock"]["state"] == "paused"
    assert act("resume", round=1).json()["clock"]["state"] == "running"
    now = act("minutes", round=1, minutes=5, paused_seconds=0).json()["clock"]
    assert now["paused_seconds"] == 300

    # The pair that comes late takes the empty place, and changes its mind; then another one.
    ways = of_director.get(of(number, "late-pairs")).json()["options"]
    late = {"option": ways[-1]["option"], "typed": "Nora Nye & Ole Ost"}
    joined = of_director.post(of(number, "late-pairs"), late, **key("late"))
    assert (joined.status_code, joined.json()["number"]) == (201, 8), joined.content
    assert of_director.post(of(number, "late-pairs"), late, **key("late")).json() == joined.json()
    entry = joined.json()["entry"]
    assert of_director.get(of(number)).json()["joined"] == [entry]
    back = of_director.post(of(number, "pairs", entry, "take-back"), {}, **key("back"))
    assert (back.status_code, back.json()["joined"]) == (200, [])
    again = of_director.post(of(number, "pairs", entry, "take-back"), {}, **key("back"))
    assert (again.status_code, again.json()["joined"]) == (200, [])

    # A pair leaves, and stays after all.
    leaver = numbered(Competition.objects.get(pk=number), 3)
    options = of_director.get(of(number, "pairs", leaver.pk, "leave")).json()
    leaving = {"option": options[0]["option"], "reason": "Taken ill"}
    left = of_director.post(of(number, "pairs", leaver.pk, "leave"), leaving, **key("leave"))
    assert (left.status_code, left.json()) == (200, {"entry": leaver.pk, "number": 3})
    assert of_director.get(of(number)).json()["left"] == [
        {"entry": leaver.pk, "number": 3, "reason": "Taken ill"}
    ]
    stays = of_director.post(of(number, "pairs", leaver.pk, "take-back"), {"reason": "Better"})
    assert stays.json()["left"] == []

    evening = Competition.objects.get(pk=number)
    assert act("finish").status_code == 409, "no results yet"
    for played in (1, 2, 3):
        if played > 1:
            assert act("next", round=played).status_code == 200
        for player in Player.objects.filter(club=club, user=None):
            player.user = factories.user(name=player.name)
            player.save()
        play_round(evening, played)
    ended = of_director.post(of(number, "acts"), {"act": "finish"}, **key("the end"))
    assert ended.status_code == 200, ended.content
    assert (ended.json()["competition"]["state"], ended.json()["clock"]["state"]) == ("finished", "finished")
    again = of_director.post(of(number, "acts"), {"act": "finish"}, **key("the end"))
    assert again.json() == ended.json()
    comparisons.compute_event(competition_id=number, at=evening_rooms.AT)
    standings = program().get(f"/api/v1/competitions/{number}/rankings/")
    assert standings.status_code == 200
    assert [len(each["rows"]) for each in standings.json()] == [7]
    assert of_director.get(of(number, "late-pairs")).json()["options"] == []
    assert of_director.get(of(number, "pairs", leaver.pk, "leave")).json() == []
    assert of_director.post(of(number, "late-pairs"), late).status_code == 409
    assert act("reopen", reason="A slip").json()["competition"]["state"] == "running"


@pytest.mark.one_database
def test_a_program_leaves_the_same_rows_as_the_page(of_director, club, dora, seated) -> None:
    def page(*parts: object) -> str:
        rest = "/".join(map(str, (*parts, ""))) if parts else ""
        return f"/clubs/{club.slug}/desk/{seated.slug}/evening/{rest}"

    client, leaver = browser(dora), numbered(seated, 2)
    begin(seated, dora)
    step = {"act": "pause", "number": "1"}
    assert left_by(lambda: client.post(page("act"), step)) == left_by(
        lambda: of_director.post(of(seated, "acts"), {"act": "pause", "round": 1})
    )
    option = of_director.get(of(seated, "late-pairs")).json()["options"][0]["option"]
    late = {"option": option, "typed": "Nora Nye & Ole Ost"}
    assert left_by(lambda: client.post(page("late"), late)) == left_by(
        lambda: of_director.post(of(seated, "late-pairs"), late)
    )
    ways = of_director.get(of(seated, "pairs", leaver.pk, "leave")).json()
    for way in ways:
        body = {"option": way["option"], "reason": "Taken ill"}
        if way["option"].startswith("stand-in"):
            body["typed"] = "Nora Nye & Ole Ost"
        by_page = left_by(partial(client.post, page("pairs", leaver.pk, "leave"), body))
        by_program = left_by(partial(of_director.post, of(seated, "pairs", leaver.pk, "leave"), body))
        assert by_page == by_program


@pytest.mark.both_databases
def test_what_is_wrong_is_said_at_its_field(of_director, club, seated, dora) -> None:
    new = f"/api/v1/clubs/{club.slug}/evenings/"
    assert places(of_director.post(new, {})) == [["name"], ["starts_on"]]
    wrong = {"name": "Thursday", "starts_on": "2026-11-05"}
    for name, value in (
        ("game", "chess"), ("boards_a_round", 1), ("minutes_a_round", 0), ("sections", 9), ("method", "luck"),
        ("play_time", "25:00"), ("starts_on", "0001-01-01"), ("colour", "red"), ("least_share", 101),
    ):  # fmt: skip
        answer = of_director.post(new, {**wrong, name: value})
        assert (answer.status_code in {400, 422}, places(answer)) == (True, [[name]]), answer.content
    acts = of(seated, "acts")
    assert places(of_director.post(acts, {"act": "dance"})) == [["act"]]
    assert places(of_director.post(acts, {"act": "minutes", "round": 1})) == [["minutes"], ["paused_seconds"]]
    assert places(of_director.post(acts, {"act": "finish", "round": 1})) == [["round"]]
    assert of_director.post(acts, {"act": "next", "round": 3}).status_code == 409
    assert of_director.post(acts, {"act": "pause", "round": 1}).status_code == 409
    assert of_director.post(of(seated, "movement"), {"kind": "howell"}).status_code == 409, "seated"
    assert of_director.post(of(seated), {"boards_a_round": 4}).status_code == 409
    assert of_director.delete(of(seated)).status_code == 409
    entries = f"/api/v1/competitions/{seated.pk}"
    assert of_director.post(f"{entries}/entries/", {"typed": "A. B. & C. D."}).status_code == 409
    assert of_director.post(f"{entries}/numbers/", {"by": "lot"}).status_code == 409
    assert of_director.post(f"{entries}/numbers/", {"by": "share"}).status_code == 409
    assert of_director.delete(f"{entries}/entries/{numbered(seated, 1).pk}/").status_code == 409
    begin(seated, dora)
    late, leave = of(seated, "late-pairs"), of(seated, "pairs", numbered(seated, 1).pk, "leave")
    option = of_director.get(late).json()["options"][0]["option"]
    for body, place in (
        ({"option": option}, ["pair"]),
        ({"option": option, "pair": 10**9}, ["pair"]),
        ({"option": option, "pair": numbered(seated, 1).lineup_id}, ["pair"]),
        ({"option": option, "typed": "Nora Nye"}, ["typed"]),
        ({"option": "by air", "typed": "Nora Nye & Ole Ost"}, ["option"]),
        ({"typed": "Nora Nye & Ole Ost"}, ["option"]),
    ):
        assert places(of_director.post(late, body)) == [place], body
    stand_in = next(
        each["option"] for each in of_director.get(leave).json() if each["option"].startswith("stand-in")
    )
    for body, place in (
        ({"option": "by-air", "reason": "Ill"}, ["option"]),
        ({"option": "sit-out-1"}, ["reason"]),
        ({"option": "sit-out-1", "reason": "Ill", "pair": 1}, ["pair"]),
        ({"option": stand_in, "reason": "Ill"}, ["pair"]),
    ):
        assert places(of_director.post(leave, body)) == [place], body
    assert not Player.objects.filter(name="Nora Nye").exists(), "who is refused is not added"
    untouched = of_director.post(of(seated, "pairs", numbered(seated, 1).pk, "take-back"), {})
    assert untouched.status_code == 409


def test_movements_that_do_not_fit_are_refused(of_director, club, dora) -> None:
    evening = evening_rooms.draft(club, dora, [6, 7])
    first, second = evening.stage.divisions.order_by("level")
    movement = of(evening, "movement")
    for body, place in (
        ({"kind": "howell"}, ["division"]),
        ({"division": 10**9, "kind": "howell"}, ["division"]),
        ({"division": first.pk, "kind": "relay"}, ["kind"]),
        ({"division": first.pk, "kind": "howell", "phantom": 6}, ["phantom"]),
    ):
        assert places(of_director.post(movement, body)) == [place], body
    too_long = of_director.post(movement, {"division": second.pk, "kind": "howell", "rounds": 9})
    assert (too_long.status_code, "1 to 7 rounds" in too_long.json()["error"]["message"]) == (422, True)
    empty = evening_rooms.draft(club, dora, 2, name="Two pairs")
    assert places(of_director.post(of(empty, "movement"), {"kind": "howell"})) == [["division"]]


def test_a_draft_is_undone_deleted_and_restored(of_director, club, dora) -> None:
    evening = evening_rooms.draft(club, dora, 6)
    was = of_director.get(of(evening)).json()
    now = of_director.post(of(evening, "movement"), {"kind": "howell", "rounds": 2}).json()
    body = {"act": "undo", "change": now["newest"], "seen": was["newest"]}
    assert of_director.post(of(evening, "acts"), body).status_code == 409, "something was done since"
    undone = of_director.post(of(evening, "acts"), {**body, "seen": now["newest"]})
    assert undone.json()["sections"] == was["sections"]
    assert of_director.delete(of(evening)).status_code == 204
    assert of_director.get(of(evening)).status_code == 404
    (deleted,) = of_director.get(f"/api/v1/clubs/{club.slug}/deleted-drafts/").json()
    restored = of_director.post(f"/api/v1/clubs/{club.slug}/deleted-drafts/{deleted['id']}/")
    assert restored.status_code == 201, restored.content
    again = of_director.get(of(restored.json()["competition"]["id"])).json()
    assert [len(each["entries"]) for each in again["sections"]] == [6]


def test_only_who_runs_the_evening_finds_it(program, seated, club, dora) -> None:
    begin(seated, dora)
    pair = numbered(seated, 1).pk
    elsewhere = factories.member(factories.club(), Role.DIRECTOR)
    player = factories.account_of(numbered(seated, 1).lineup)
    asked = {
        of(seated, "acts"): {"act": "pause", "round": 1},
        of(seated): {"place": "Elsewhere"},
        of(seated, "movement"): {"kind": "howell"},
        of(seated, "late-pairs"): {"option": "x", "typed": "Nora Nye & Ole Ost"},
        of(seated, "pairs", pair, "leave"): {"option": "sit-out-1", "reason": "Ill"},
        of(seated, "pairs", pair, "take-back"): {},
        f"/api/v1/clubs/{club.slug}/evenings/": {"name": "Mine", "starts_on": "2026-11-05"},
    }
    before = AuditEntry.objects.count()
    for who, status in ((None, 401), (elsewhere, 403), (player, 403), (factories.member(club), 403)):
        for address, body in asked.items():
            assert program(who).post(address, body).status_code == status, (who, address)
        for address in (of(seated), of(seated, "late-pairs"), of(seated, "pairs", pair, "leave")):
            assert program(who).get(address).status_code == status, (who, address)
    assert AuditEntry.objects.exclude(action__startswith="token").count() <= before + 4
    league = factories.running(club, pairs=4)
    assert program(dora).get(of(league)).status_code == 404, "a league is no evening"
    other = laid_out(club, dora, 4, boards=2)
    wrong = of(seated, "pairs", numbered(other, 1).pk, "leave")
    assert program(dora).post(wrong, {"option": "sit-out-1", "reason": "Ill"}).status_code == 404
    draft = evening_rooms.draft(club, dora, 4, name="Next week")
    assert program(player).get(of(draft)).status_code == 404, "drafts are for directors"


def test_a_key_answers_once_and_for_one_request(of_director, seated) -> None:
    body = {"act": "next", "round": 1}
    assert of_director.post(of(seated, "acts"), body, **key("a")).status_code == 200
    assert of_director.post(of(seated, "acts"), body, **key("a")).status_code == 200
    assert of_director.post(of(seated, "acts"), {**body, "round": 2}, **key("a")).status_code == 409
    assert AuditEntry.objects.filter(action="evening.round_begun").count() == 1
    refused = of_director.post(of(seated, "acts"), {"act": "finish"}, **key("b"))
    assert refused.status_code == 409
    assert not IdempotencyKey.objects.filter(key="b").exists(), "what is refused can be tried again"


def test_no_card_of_a_sealed_board_is_told(of_director, seated, dora) -> None:
    begin(seated, dora)
    assert Board.objects.filter(board_set__competition=seated, released_at=None).exists()
    pair = numbered(seated, 1).pk
    texts = "".join(
        of_director.get(address).content.decode()
        for address in (of(seated), of(seated, "late-pairs"), of(seated, "pairs", pair, "leave"))
    )
    for word in ("hands", "deal", "secret", "cards", "commitment"):
        assert f'"{word}"' not in texts


def test_strange_bodies_are_refused_and_never_a_fault_of_ours(of_director, seated, club, dora) -> None:
    begin(seated, dora)
    pair = numbered(seated, 1).pk
    addresses = [
        of(seated, *parts)
        for parts in (
            (),
            ("acts",),
            ("movement",),
            ("late-pairs",),
            ("pairs", pair, "leave"),
            ("pairs", pair, "take-back"),
        )
    ]
    addresses.append(f"/api/v1/clubs/{club.slug}/evenings/")
    values: tuple[Any, ...] = (None, [], {}, 10**30, -1, 1.5, "x" * 5000, [[]], "\n", True)
    fields = (
        "act",
        "round",
        "reason",
        "option",
        "typed",
        "pair",
        "kind",
        "name",
        "starts_on",
        "seen",
        "game",
    )
    bodies = [
        {"act": "next", "option": "sit-out-2", "reason": "Ill", "kind": "howell", name: value}
        for name in fields
        for value in values
    ]
    for number, address in enumerate(addresses):
        for text in JSON_BODIES[number % 3 :: 3]:
            answer = of_director.generic("POST", address, text, content_type="application/json")
            assert answer.status_code < 500, (address, text[:80])
        for body in bodies[number % 4 :: 4]:
            assert of_director.post(address, body).status_code < 500, (address, body)


@pytest.mark.one_database
def test_how_a_competition_is_played_online(of_director, program, club, dora) -> None:
    league = factories.running(club, pairs=4)
    here = f"/api/v1/competitions/{league.pk}/online/"
    was = of_director.get(here).json()
    page = f"/clubs/{club.slug}/desk/{league.slug}/online/"
    terms = {name: value for name, value in was.items() if value is not None and value is not False}
    client = browser(dora)
    assert left_by(lambda: client.post(page, {**terms, "clock_seconds": 600})) == left_by(
        lambda: of_director.post(here, {"clock_seconds": 600})
    )
    now = of_director.post(here, {"is_open": False}, **key("shut"))
    assert now.json() == {**was, "is_open": False}
    assert of_director.post(here, {"is_open": False}, **key("shut")).json() == now.json()
    assert AuditEntry.objects.filter(action="competition.online").count() == 1
    for body, place in (
        ({"robot": "deep-thought"}, ["robot"]),
        ({"clock_seconds": 10**6}, ["clock_seconds"]),
        ({"absence_seconds": 1}, ["absence_seconds"]),
        ({"on_timeout": "dance"}, ["on_timeout"]),
        ({"colour": "red"}, ["colour"]),
    ):
        assert places(of_director.post(here, body)) == [place], body
    for who, status in ((None, 401), (factories.member(factories.club(), Role.DIRECTOR), 403)):
        assert program(who).post(here, {"is_open": True}).status_code == status
    assert of_director.get(here).json() == now.json()
