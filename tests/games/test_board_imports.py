"""Boards from files of every format: previewed without a card, then sealed as a set with a commitment of their own."""

import hashlib
import random

import pytest

from engine.boards.files.boards import Board as ReadBoard
from engine.boards.files.formats import FORMATS
from engine.deals import Deal
from games.boards.services import boards, imports
from games.boards.services.imports import Preview
from games.models import BoardSet, Participation
from games.proof import participations
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Fixture, Membership, Player, Role
from league.storage import board_keys
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
    return imports.read_file(actor=scene.users[who], data=data, name=name, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", FORMATS)
def test_a_file_of_any_format_is_taken_in_as_it_was_written(scene: Scene, key: str) -> None:
    chosen = FORMATS[key]
    preview = _read(scene, chosen.write(BOARDS), f"round 1{chosen.suffix.upper()}")
    assert (preview.numbers, preview.is_accepted) == ((1, 2, 3, 4), True), preview.faults

    made = imports.take_in(
        actor=scene.users["dora"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )

    cards = boards.cards_of(made)
    assert [cards[row.pk] for row in made.boards.order_by("place")] == [str(deal) for deal in DEALS]
    text = board_keys.decrypt(made.secret)
    assert made.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert made.origin == BoardSet.Origin.IMPORTED


def test_the_same_deals_have_another_commitment_each_time(scene: Scene) -> None:
    data = FORMATS["pbn"].write(BOARDS)
    commitments = set()
    for number in (0, 1):
        chosen = scene.rounds[number]
        preview = _read(scene, data, "a.pbn", round=chosen)
        made = imports.take_in(
            actor=scene.users["dora"], competition=scene.competition, round=chosen, token=preview.token
        )
        commitments.add(made.commitment)
    assert len(commitments) == 2


def test_released_the_text_is_public_and_anyone_can_check_it(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    made = imports.take_in(
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
    said = " ".join(str(fault.message) for fault in preview.faults)
    assert any(each in said for each in words.split("|"))


def lone_director(scene: Scene) -> None:
    """Anna, who plays, is the club's only director, and its settings let her deal."""
    Membership.objects.filter(role__in=[Role.DIRECTOR, Role.OWNER]).delete()
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    scene.club.lone_director_deals = True
    scene.club.save()


def test_whoever_brings_a_file_knows_its_cards(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    made = imports.take_in(
        actor=scene.users["dora"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )
    row = Participation.objects.get(kind="drew")
    assert (row.user, row.board_set, row.board) == (scene.users["dora"], made, None)

    newcomer = Player.objects.create(club=scene.club, name="Dora Director", user=scene.users["dora"])
    with pytest.raises(Conflict, match="know cards"):
        participations.check(fixture=scene.fixture, players=[newcomer])
    with pytest.raises(Conflict, match="know cards"):
        participations.check_joining(competition=scene.competition, players=[newcomer])


def test_a_director_who_plays_brings_no_boards_of_the_event(scene: Scene) -> None:
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    with pytest.raises(NotAllowed, match="Another director"):
        _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn", who="anna")
    with pytest.raises(NotAllowed, match="Another director"):
        imports.take_in(
            actor=scene.users["anna"],
            competition=scene.competition,
            round=scene.rounds[0],
            token=preview.token,
        )
    assert not BoardSet.objects.exists()
    assert not Participation.objects.exists()


def test_a_clubs_one_director_brings_them_where_its_settings_say_so_and_plays(scene: Scene) -> None:
    lone_director(scene)
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn", who="anna")
    imports.take_in(
        actor=scene.users["anna"], competition=scene.competition, round=scene.rounds[0], token=preview.token
    )
    assert Participation.objects.filter(kind="dealt", user=scene.users["anna"]).count() == 1
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    participations.check(fixture=fixture, players=[fixture.home.lineup.players[0]])


def test_a_director_who_plays_is_told_where_and_nothing_that_stands_there(scene: Scene) -> None:
    lone_director(scene)
    data = FORMATS["pbn"].write(BOARDS).replace(b'[Deal "N:', b'[Deal "N:QQ', 1)

    user = scene.users["dora"]
    Membership.objects.create(user=user, club=scene.club, role=Role.DIRECTOR)
    for_dora = " ".join(str(f.message) for f in _read(scene, data, "a.pbn").faults)
    Membership.objects.filter(user=user).delete()
    blind = list(_read(scene, data, "a.pbn", who="anna").faults_in_words())
    assert "Q" in for_dora
    assert blind[0][0].startswith("line ")
    assert all("Q" not in what for _where, what in blind)


def test_a_preview_belongs_to_its_person_and_its_round_and_grows_old(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")

    def take_in(who: str = "dora", number: int = 0, token: str = preview.token) -> BoardSet:
        return imports.take_in(
            actor=scene.users[who], competition=scene.competition, round=scene.rounds[number], token=token
        )

    for refused in ({"who": "olive"}, {"number": 1}, {"token": "nonsense"}, {"token": ""}):
        with pytest.raises(Conflict, match="no longer valid"):
            take_in(**refused)
    with pytest.raises(Conflict, match="no longer valid"):
        take_in(token=board_keys.encrypt("[]"))
    monkeypatch.setattr(imports, "SECONDS_TO_TAKE_IN", -1)
    with pytest.raises(Conflict, match="no longer valid"):
        take_in()
    assert not BoardSet.objects.exists()


def test_files_that_no_format_claims_are_refused(scene: Scene) -> None:
    with pytest.raises(Invalid, match="from the name"):
        _read(scene, b"1", "boards.xls")
    with pytest.raises(Invalid, match="s no format"):
        _read(scene, b"1", "a.pbn", format_key="xls")
    with pytest.raises(Invalid, match="too large"):
        _read(scene, b"1" * (imports.LARGEST_FILE + 1), "a.pbn")
    with pytest.raises(NotAllowed):
        _read(scene, b"1", "a.pbn", who="sam")


def test_a_round_that_has_boards_takes_no_others(scene: Scene) -> None:
    preview = _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn")
    sealed(scene)
    with pytest.raises(Conflict, match="already"):
        imports.take_in(
            actor=scene.users["dora"],
            competition=scene.competition,
            round=scene.rounds[0],
            token=preview.token,
        )
    assert not _read(scene, FORMATS["pbn"].write(BOARDS), "a.pbn").is_accepted


def test_a_json_file_larger_than_any_set_is_refused_unread(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.boards.files.board_lists.json.loads", lambda _text: pytest.fail("was read"))
    with pytest.raises(Invalid):
        _read(scene, b"[" + b"1," * (imports.LARGEST_JSON // 2) + b"1]", "boards.json")


def test_of_thousands_of_faults_the_first_are_shown(scene: Scene) -> None:
    preview = _read(scene, b"[" + b"1," * 30_000 + b"1]", "boards.json")

    assert len(preview.faults) == len(list(preview.faults_in_words())) == imports.MOST_FAULTS
    assert preview.more_faults > 900
    assert not preview.token
