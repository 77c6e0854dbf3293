"""The pages of boards: the public page of a set, checking it, and what a director makes and does."""

import hashlib
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine.boards.files import squaredeal
from engine.boards.files.formats import FORMATS
from engine.boards.sealing import DelayedInformation, DelayedKind, Purpose
from games.boards.queries import items as board_items
from games.boards.services import boards, imports
from games.models import BoardDraw, BoardSet, FixtureBoard
from league.models import Competition, Membership, Role, Round
from league.storage import board_keys
from league.web.local_time import day_text
from tests.games.boards import board, duplicate_scene, play, plays_of, sealed
from tests.games.test_board_imports import BOARDS, DEALS
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def _as(scene: Scene, name: str = "") -> Client:
    client = Client()
    if name:
        client.force_login(scene.users[name])
    return client


def _read(scene: Scene, address: str, name: str = "", status: int = 200) -> str:
    answer = _as(scene, name).get(address)
    assert answer.status_code == status
    return answer.content.decode()


def _desk(scene: Scene, name: str, *more: object) -> str:
    return reverse(name, args=[scene.club.slug, scene.competition.slug, *more])


def _played_by_all(scene: Scene, made: BoardSet) -> BoardSet:
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])
    made.refresh_from_db()
    return made


# The public page


def test_everybody_sees_the_seal_and_nobody_the_key(scene: Scene) -> None:
    made = sealed(scene)
    boards.draw_out(
        actor=scene.users["dora"], board_set=made, kind=BoardDraw.Kind.FILES, reason="For the machine"
    )
    key = board_keys.decrypt(made.secret)

    for name in ("", "anna", "dora"):
        page = _read(scene, made.get_absolute_url(), name)
        assert made.commitment in page
        assert "Play the hand you are dealt" in page
        assert "Files for a dealing machine, Dora Director" in page
        assert "For the machine" in page
        assert "0 of 2" in page
        assert key not in page


def test_after_the_last_table_key_and_cards_stand_there(scene: Scene) -> None:
    made = _played_by_all(scene, sealed(scene))

    page = _read(scene, made.get_absolute_url())
    assert board_keys.decrypt(made.secret) in page
    for deal in boards.cards_of(made).values():
        assert str(deal) in page
    assert "All tables have played." in page


def test_a_discarded_set_says_why(scene: Scene) -> None:
    made = sealed(scene)
    boards.discard(actor=scene.users["dora"], board_set=made, reason="The parcel was opened")

    page = _read(scene, made.get_absolute_url())
    assert "The parcel was opened" in page
    assert f'href="/boards/{made.pk}/1/"' not in page


def test_the_page_says_where_a_club_lets_its_one_director_deal_and_play(scene: Scene) -> None:
    made = sealed(scene)
    words = "a director who is playing may download the cards"
    assert words not in _read(scene, made.get_absolute_url())
    answer = _as(scene, "olive").post(
        reverse("desk_club", args=[scene.club.slug]),
        {"name": scene.club.name, "time_zone": "Europe/Dublin", "is_open": "on", "lone_director_deals": "on"},
    )
    assert answer.status_code == 302
    assert words in _read(scene, made.get_absolute_url())


def test_a_set_is_seen_by_who_sees_the_competition(scene: Scene) -> None:
    made = sealed(scene)
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)

    for name in ("board_set", "board_set_check"):
        address = reverse(name, args=[made.pk])
        _read(scene, address, "", 404)
        _read(scene, address, "stranger", 404)
        _read(scene, address, "anna")


def test_the_page_of_a_set_asks_as_much_of_the_database_for_few_boards_as_for_many(scene: Scene) -> None:
    counts = []
    for count in (2, 40):
        made = boards.make(
            actor=scene.users["dora"],
            competition=scene.competition,
            count=count,
            reserve=2,
            delayed=DelayedInformation(DelayedKind.AGREED_TEXT, "x", value="y"),
        )
        with CaptureQueriesContext(connection) as counted:
            _read(scene, made.get_absolute_url())
        counts.append(len(counted))
        boards.discard(actor=scene.users["dora"], board_set=made, reason="Again")
    assert counts[0] == counts[1] <= 8


# Checking


def test_what_was_published_is_checked_at_once(scene: Scene) -> None:
    made = _played_by_all(scene, sealed(scene, reserve=1))

    page = _read(scene, reverse("board_set_check", args=[made.pk]))
    assert "This is what was sealed" in page
    assert page.count("the same</span>") == 5
    assert "python -m engine verify-seal boards.pbn" in page


def test_a_changed_board_is_found(scene: Scene) -> None:
    made = _played_by_all(scene, sealed(scene))
    one, other = made.boards.all()[:2]
    made.boards.filter(pk=one.pk).update(deal=other.deal)

    page = _read(scene, reverse("board_set_check", args=[made.pk]))
    assert "Other boards were published" in page
    assert page.count("different cards</span>") == 1


@pytest.mark.parametrize("opened", [False, True])
def test_a_visitor_types_key_and_value(scene: Scene, opened: bool) -> None:
    made = sealed(scene)
    if opened:
        made = _played_by_all(scene, made)
    key, address = board_keys.decrypt(made.secret), reverse("board_set_check", args=[made.pk])
    value = "Play the hand you are dealt"

    right = _as(scene).post(address, {"key": key, "value": value}).content.decode()
    assert "This is what was sealed" in right
    assert all(str(deal) in right for deal in boards.cards_of(made).values())
    wrong = _as(scene).post(address, {"key": "x" * 60, "value": value}).content.decode()
    assert "This isn’t what was sealed" in wrong
    short = _as(scene).post(address, {"key": "x", "value": value})
    assert short.status_code == 422
    assert "60 letters or digits" in short.content.decode()


def test_squaredeals_files_give_the_boards_that_were_played(scene: Scene) -> None:
    made = _played_by_all(scene, sealed(scene, reserve=1))
    page = _read(scene, reverse("board_set_check", args=[made.pk]))
    assert "Our commitment" in page
    files = {}
    for ending in ("sqd", "sqk"):
        address = reverse(f"board_set_{ending}", args=[made.pk])
        assert f'href="{address}"' in page
        answer = _as(scene).get(address)
        assert f"boards-{made.pk}.{ending}" in answer["Content-Disposition"]
        files[ending] = answer.content

    description, keys = squaredeal.read_description(files["sqd"]), squaredeal.read_keys(files["sqk"])
    assert hashlib.sha256(files["sqk"]).hexdigest() == description.key_hash
    assert description.opens_with(files["sqk"])
    assert description.key_hash != made.commitment == hashlib.sha256(keys[1, 1].encode()).hexdigest()
    for purpose in Purpose:
        published = made.boards.filter(purpose=purpose.value).order_by("place")
        derived = description.boards(keys, (1, 1), purpose)
        assert [str(each.deal) for each in derived][: len(published)] == [each.deal for each in published]
    assert [each.number for each in description.boards(keys, (1, 1))] == [
        each.number for each in made.boards.filter(purpose="original").order_by("place")
    ]


@pytest.mark.parametrize("name", ["", "anna", "dora", "olive"])
def test_squaredeals_files_are_nobodys_before_the_release(scene: Scene, name: str) -> None:
    made = sealed(scene)
    for ending in ("sqd", "sqk"):
        address = reverse(f"board_set_{ending}", args=[made.pk])
        _read(scene, address, name, 404)
        assert address not in _read(scene, reverse("board_set_check", args=[made.pk]), name)


def test_squaredeals_files_have_any_competitions_name_on_one_line(scene: Scene) -> None:
    made = _played_by_all(scene, sealed(scene))
    Competition.objects.update(name=" Cup\u2028of \n Ä# ")
    answer = _as(scene).get(reverse("board_set_sqd", args=[made.pk]))
    assert squaredeal.read_description(answer.content).name == "Cup of Ä#"


def test_an_imported_set_is_checked_by_its_text_with_the_line_ends_of_a_browser(scene: Scene) -> None:
    preview = imports.read_file(
        actor=scene.users["dora"],
        competition=scene.competition,
        round=scene.rounds[0],
        data=FORMATS["pbn"].write(BOARDS),
        name="a.pbn",
    )
    made = imports.take_in(
        actor=scene.users["dora"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )
    address = reverse("board_set_check", args=[made.pk])
    assert "Work out the boards" in _read(scene, address)
    made = _played_by_all(scene, made)

    assert "This is what was sealed" in _read(scene, address)
    typed = made.opened.replace("\n", "\r\n").strip()
    assert "This is what was sealed" in _as(scene).post(address, {"text": typed}).content.decode()
    for faulty in ("nothing", f"{typed}\r\n5 N N:A", typed.replace("A", "K", 1), "5 N\n" * 3):
        answer = _as(scene).post(address, {"text": faulty})
        assert answer.status_code in {200, 422}
        assert "This is what was sealed" not in answer.content.decode()


# Making


def test_a_director_makes_the_boards_of_a_round_with_one_press(scene: Scene) -> None:
    address = f"{_desk(scene, 'desk_boards_make')}?round=2"
    page = _read(scene, address, "dora")
    assert "Create the boards: Round 2" in page

    answer = _as(scene, "dora").post(
        address,
        {
            "first_number": 1,
            "reserve": 1,
            "kind": "agreed-text",
            "source": "The name",
            "value": "League, round 2",
        },
    )
    made = BoardSet.objects.get()
    assert answer.headers["Location"] == _desk(scene, "desk_board_set", made.pk)
    assert (made.round, made.count, made.reserve) == (scene.rounds[1], 4, 1)
    assert made.delayed["value"] == "League, round 2"
    assert FixtureBoard.objects.filter(fixture__round=scene.rounds[1]).count() == 8


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kind": "lottery", "value": ""}, "on which day"),
        ({"value": ""}, "say what the agreed text is"),
        ({"value": "two\nlines"}, "on one line"),
        ({"reserve": "99"}, "20"),
        ({"first_number": "0"}, "1"),
        ({"kind": "dice"}, "dice"),
    ],
)
def test_what_is_wrong_in_the_form_is_said_beside_its_field(
    scene: Scene, changed: dict[str, str], words: str
) -> None:
    given = {"first_number": "1", "reserve": "0", "kind": "agreed-text", "source": "The name", "value": "x"}

    answer = _as(scene, "dora").post(f"{_desk(scene, 'desk_boards_make')}?round=1", {**given, **changed})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not BoardSet.objects.exists()


@pytest.mark.parametrize("query", ["?round=9", "?round=x", "?round=-1", "?round=99999999999999999999"])
def test_a_league_makes_boards_for_a_round_that_there_is(scene: Scene, query: str) -> None:
    for name in ("desk_boards_make", "desk_boards_import"):
        assert _as(scene, "dora").get(f"{_desk(scene, name)}{query}").status_code == 404


def test_without_a_round_it_is_the_next_one_that_has_no_boards(scene: Scene) -> None:
    sealed(scene, 1)
    for name in ("desk_boards_make", "desk_boards_import"):
        assert "Round 2" in _read(scene, _desk(scene, name), "dora")
    sealed(scene, 2)
    sealed(scene, 3)
    for name in ("desk_boards_make", "desk_boards_import"):
        answer = _as(scene, "dora").get(_desk(scene, name))
        # Nobody came from a page: it is said on the club's desk.
        assert (answer.status_code, answer["Location"]) == (302, f"/clubs/{scene.club.slug}/desk/")


def test_a_file_is_previewed_without_its_cards_and_then_taken_in(scene: Scene) -> None:
    address = f"{_desk(scene, 'desk_boards_import')}?round=1"
    client = _as(scene, "dora")
    file = SimpleUploadedFile("round 1.pbn", FORMATS["pbn"].write(BOARDS))

    answer = client.post(address, {"file": file, "format": "", "first_number": 1})
    page = answer.content.decode()
    assert "Seal these 4 boards" in page
    assert all(hand not in page for deal in DEALS for hand in str(deal)[2:].split())
    assert not BoardSet.objects.exists()

    client.post(address, {"token": answer.context["preview"].token})
    made = BoardSet.objects.get()
    assert set(boards.cards_of(made).values()) == {str(deal) for deal in DEALS}


@pytest.mark.parametrize(("given", "numbers"), [("", [1, 2, 3, 4]), ("17", [17, 18, 19, 20])])
def test_a_first_number_wins_over_what_a_dup_says(scene: Scene, given: str, numbers: list[int]) -> None:
    """Programs write "from 1" into it, also into that of the second half."""
    address = f"{_desk(scene, 'desk_boards_import')}?round=1"
    client = _as(scene, "dora")
    file = SimpleUploadedFile("half.dup", FORMATS["dup"].write(BOARDS))

    answer = client.post(address, {"file": file, "format": "", "first_number": given})
    assert list(answer.context["preview"].numbers) == numbers

    client.post(address, {"token": answer.context["preview"].token})
    assert [board.number for board in BoardSet.objects.get().boards.all()] == numbers


def test_a_file_that_cannot_be_read_changes_nothing(scene: Scene) -> None:
    address = f"{_desk(scene, 'desk_boards_import')}?round=1"
    for name, data in (("a.pbn", b"nothing"), ("a.txt", b"x"), ("a.dup", b"\x00" * 156)):
        answer = _as(scene, "dora").post(
            address, {"file": SimpleUploadedFile(name, data), "format": "", "first_number": 1}
        )
        assert answer.status_code == 422
    assert not BoardSet.objects.exists()


# Running


def test_the_list_leads_to_what_is_to_be_made_and_to_what_there_is(scene: Scene) -> None:
    made = sealed(scene)

    page = _read(scene, _desk(scene, "desk_boards"), "dora")
    assert _desk(scene, "desk_board_set", made.pk) in page
    assert f"{_desk(scene, 'desk_boards_make')}?round=2" in page
    scene.competition.duplicate.delete()
    assert "No shared boards" in _read(scene, _desk(scene, "desk_boards"), "dora")


def _act(scene: Scene, made: BoardSet, act: str, who: str = "dora", **given: object) -> int:
    address = _desk(scene, "desk_board_act", made.pk, act)
    return _as(scene, who).post(address, given).status_code


def test_a_director_releases_discards_and_replaces(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    first = board(made, 1)
    assert _act(scene, made, "reserve", board=first.pk, reason="Two aces") == 302
    assert board(made, 1).stands_for == first
    assert _act(scene, made, "reserve", board=board(made, 2).pk, reason="Two aces") == 422
    assert _act(scene, made, "release-board", board=board(made, 2).pk, reason="") == 422
    assert _act(scene, made, "release-board", board=board(made, 2).pk, reason="Shown") == 302
    assert board(made, 2).deal
    assert _act(scene, made, "release", reason="Late") == 302
    made.refresh_from_db()
    assert made.opened
    assert _act(scene, made, "nonsense", reason="x") == 404
    assert _act(scene, sealed(scene, 2), "discard", reason="Wrong number") == 302


def test_public_boards_that_nobody_has_played_can_be_discarded_on_their_page(scene: Scene) -> None:
    made, desk = sealed(scene), "Discard these boards"
    boards.release(actor=scene.users["dora"], board_set=made, reason="The parcel was open")
    assert desk in _read(scene, _desk(scene, "desk_board_set", made.pk), "dora")
    assert _act(scene, made, "discard", reason="They are known") == 302
    assert sealed(scene).commitment != made.commitment

    played = sealed(scene, 2)
    play(scene, scene.fixtures[2])
    boards.release(actor=scene.users["dora"], board_set=played, reason="Shown")
    assert desk not in _read(scene, _desk(scene, "desk_board_set", played.pk), "dora")
    refused = _as(scene, "dora").post(
        _desk(scene, "desk_board_act", played.pk, "discard"), {"reason": "Late"}
    )
    assert refused.status_code == 422
    assert "These boards have already been played" in refused.content.decode()


def test_a_delayed_value_is_filled_in_on_the_page_of_the_set(scene: Scene) -> None:
    lottery = DelayedInformation(DelayedKind.LOTTERY, "6 of 49", timezone.localdate())
    made = sealed(scene, delayed=lottery)
    assert "Fill in the value" in _read(scene, _desk(scene, "desk_board_set", made.pk), "dora")

    assert _act(scene, made, "fill", value=" 1 2") == 422
    assert _act(scene, made, "fill", value="1 2 3") == 302
    made.refresh_from_db()
    assert made.delayed["value"] == "1 2 3"


def test_tables_are_marked_and_the_marks_taken_back(scene: Scene) -> None:
    made = sealed(scene)
    one, other = (plays_of(made, fixture)[0] for fixture in scene.fixtures[:2])
    address = _desk(scene, "desk_board_tables", made.pk, one.board_id)
    given = {"tables": [one.pk, other.pk], "version": "B", "reason": "Hands turned"}

    assert _as(scene, "dora").post(address, given).status_code == 302
    assert set(FixtureBoard.objects.filter(board=one.board).values_list("version", flat=True)) == {"B"}
    assert "2 fouled" in _read(scene, _desk(scene, "desk_board_set", made.pk), "dora")
    assert _as(scene, "dora").post(address, {**given, "tables": [one.pk], "version": "-"}).status_code == 302
    one.refresh_from_db()
    assert one.version == ""
    assert _as(scene, "dora").post(address, {**given, "tables": [9999]}).status_code == 422


def test_a_director_who_plays_sees_that_another_has_to_take_the_cards_out(scene: Scene) -> None:
    made = sealed(scene)
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)

    page = _read(scene, _desk(scene, "desk_board_set", made.pk), "anna")
    assert "Another director has to download" in page
    assert "Release all" not in page
    assert _act(scene, made, "release", "anna", reason="To see") == 403
    assert "Another director has to download" not in _read(
        scene, _desk(scene, "desk_board_set", made.pk), "dora"
    )


@pytest.mark.parametrize("who", ["sam", "anna", "stranger"])
def test_only_directors_come_in(scene: Scene, who: str) -> None:
    made = sealed(scene)
    for name, more in (
        ("desk_boards", ()),
        ("desk_boards_make", ()),
        ("desk_boards_import", ()),
        ("desk_board_set", (made.pk,)),
        ("desk_board_tables", (made.pk, board(made).pk)),
    ):
        assert _as(scene, who).get(_desk(scene, name, *more)).status_code == 403
    assert _act(scene, made, "discard", who, reason="x") == 403


# The desk


def test_the_desk_asks_for_boards_of_the_next_rounds_and_for_values(scene: Scene) -> None:
    today = timezone.localdate()
    for number, each in enumerate(scene.rounds):
        Round.objects.filter(pk=each.pk).update(starts_on=today + timedelta(days=30 * number - 1))
    lottery = DelayedInformation(DelayedKind.LOTTERY, "6 of 49", today)
    sealed(scene, 2, delayed=lottery)

    def found(who: str) -> list[tuple[str, str]]:
        reported = board_items.items(club=scene.club, user=scene.users[who], at=timezone.now())
        return [(str(each.mark), each.tone) for each in reported]

    assert found("dora") == [("boards to create", "red"), ("value to fill in", "red")]
    assert found("sam") == []
    page = _read(scene, reverse("desk", args=[scene.club.slug]), "dora")
    assert "boards to create" in page
    assert f"It starts on {day_text(today - timedelta(days=1), 'j M Y')}." in page
    sealed(scene, 1)
    assert found("dora") == [("value to fill in", "red")]


def test_the_desk_asks_for_a_value_from_its_day_by_the_clubs_clock(scene: Scene) -> None:
    scene.club.time_zone = "Pacific/Auckland"
    scene.club.save()
    lottery = DelayedInformation(DelayedKind.LOTTERY, "6 of 49", date(2026, 11, 5))
    sealed(scene, delayed=lottery)

    def asked(at: datetime) -> bool:
        reported = board_items.items(club=scene.club, user=scene.users["dora"], at=at)
        return "value to fill in" in [str(each.mark) for each in reported]

    assert not asked(datetime(2026, 11, 4, 10, 30, tzinfo=UTC))
    assert asked(datetime(2026, 11, 4, 11, 30, tzinfo=UTC))
