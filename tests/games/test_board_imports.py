"""Boards from files of every format: previewed without a card, then sealed as a set with a commitment of their own."""

import hashlib
import random

import pytest

from engine.deals import Deal
from engine.notation.boards import Board as ReadBoard
from engine.notation.formats import FORMATS
from games import sealing
from games.models import BoardSet
from games.services import board_imports, boards
from games.services.board_imports import Preview
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Membership, Role
from tests.games.boards import duplicate_scene, play, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db

DEALS = [Deal.random(random.Random(seed)) for seed in range(4)]
BOARDS = [ReadBoard.of(number, deal) for number, deal in enumerate(DEALS, start=1)]


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def _read(scene: Scene, data: bytes, name: str, who: str = "dora", **more: object) -> Preview:
    chosen = {"competition": scene.competition, "round": scene.rounds[0], **more}
    return board_imports.read_file(actor=scene.users[who], data=data, name=name, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", FORMATS)
def test_a_file_of_any_format_is_taken_in_as_it_was_written(scene: Scene, key: str) -> None:
    chosen = FORMATS[key]
    preview = _read(scene, chosen.write(BOARDS), f"round 1{chosen.suffix.upper()}")
    assert (preview.numbers, preview.is_accepted) == ((1, 2, 3, 4), True), preview.faults

    made = board_imports.take_in(
        actor=scene.users["dora"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )

    cards = boards.cards_of(made)
    assert [cards[row.pk] for row in made.boards.order_by("place")] == DEALS
    text = sealing.take_out(made.secret)
    assert made.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert made.origin == BoardSet.Origin.IMPORTED


def test_the_same_deals_have_another_commitment_each_time(scene: Scene) -> None:
    data = FORMATS["pbn"].write(BOARDS)
    commitments = set()
    for number in (0, 1):
        chosen = scene.rounds[number]
        preview = _read(scene, data, "a.pbn", round=chosen)
        made = board_imports.take_in(
            actor=scene.users["dora"], competition=scene.competition, round=chosen, token=preview.token
        )
        commitments.add(made.commitment)
    assert len(commitments) == 2


def test_released_the_text_is_public_and_anyone_can_check_it(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    made = board_imports.take_in(
        actor=scene.users["dora"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])

    made.refresh_from_db()
    assert hashlib.sha256(made.opened.encode()).hexdigest() == made.commitment
    salt, *lines = made.opened.splitlines()
    assert len(salt) == 64
    assert lines == [
        f"{n} {dealer} {deal}" for n, dealer, deal in zip((1, 2, 3, 4), "NESW", DEALS, strict=True)
    ]


def test_no_preview_shows_a_card(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")

    shown = f"{preview!r} {preview.faults} {preview.numbers} {preview.token}"
    for deal in DEALS:
        assert str(deal) not in shown
        for hand in str(deal)[2:].split():
            assert hand not in shown


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "a.pbn", "no deal|no board"),
        (b"\x00" * 300, "a.dup", ""),
        (FORMATS["pbn"].write(BOARDS[:3]), "a.pbn", "4 deals"),
        (FORMATS["pbn"].write([BOARDS[0], BOARDS[1], BOARDS[3]]), "a.pbn", "Board 3 is missing"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_it_stays_out(
    scene: Scene, data: bytes, name: str, words: str
) -> None:
    preview = _read(scene, data, name)

    assert not preview.is_accepted
    assert preview.token == ""
    assert any(fault.refuses for fault in preview.faults)
    said = " ".join(fault.message for fault in preview.faults)
    assert any(each in said for each in words.split("|"))


def test_a_director_who_plays_is_told_where_and_nothing_that_stands_there(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    data = FORMATS["pbn"].write(BOARDS).replace(b'[Deal "N:', b'[Deal "N:QQ', 1)

    for_dora = " ".join(f.message for f in _read(scene, data, "a.pbn").faults)
    blind = _read(scene, data, "a.pbn", who="anna").faults
    assert "Q" in for_dora
    assert blind[0].where.startswith("line ")
    assert all("Q" not in fault.message for fault in blind)


def test_a_preview_belongs_to_its_person_and_its_round_and_grows_old(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")

    def take_in(who: str = "dora", number: int = 0, token: str = preview.token) -> BoardSet:
        return board_imports.take_in(
            actor=scene.users[who], competition=scene.competition, round=scene.rounds[number], token=token
        )

    for refused in ({"who": "olive"}, {"number": 1}, {"token": "nonsense"}, {"token": ""}):
        with pytest.raises(Conflict, match="no longer valid"):
            take_in(**refused)
    with pytest.raises(Conflict, match="no longer valid"):
        take_in(token=sealing.lock_away("[]"))
    monkeypatch.setattr(board_imports, "SECONDS_TO_TAKE_IN", -1)
    with pytest.raises(Conflict, match="no longer valid"):
        take_in()
    assert not BoardSet.objects.exists()


def test_files_that_no_format_claims_are_refused(scene: Scene) -> None:
    with pytest.raises(Invalid, match="ending"):
        _read(scene, b"1", "boards.xls")
    with pytest.raises(Invalid, match="no format"):
        _read(scene, b"1", "a.pbn", format_key="xls")
    with pytest.raises(Invalid, match="larger"):
        _read(scene, b"1" * (board_imports.LARGEST_FILE + 1), "a.pbn")
    with pytest.raises(NotAllowed):
        _read(scene, b"1", "a.pbn", who="sam")


def test_a_round_that_has_boards_takes_no_others(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    sealed(scene)
    with pytest.raises(Conflict, match="already"):
        board_imports.take_in(
            actor=scene.users["dora"],
            competition=scene.competition,
            round=scene.rounds[0],
            token=preview.token,
        )
    assert not _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn").is_accepted
