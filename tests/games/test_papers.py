"""Papers for the room: what stands on them, read back from the finished files."""

import csv
import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import segno
from django.utils import translation
from pypdf import PdfReader

from engine.boards.files.formats import FORMATS
from engine.deals import Deal
from engine.seats import SEATS
from games.analysis.services import analyses
from games.boards.services import boards
from games.models import Board, BoardDraw, Paper
from games.papers import dealing_files, deals
from games.papers.sheets import qr_picture
from games.papers.typesetting import SIZES
from games.scoresheets import entry_links
from league.models import Fixture
from tests.games.evening_papers import AT, NAMES, Room, content, made, make_room, pages, pictures, reader

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
A4, LETTER = (595, 842), (612, 792)


@pytest.fixture
def room() -> Room:
    return make_room()


# Everything that a table needs


def test_a_scoresheet_names_table_round_boards_and_players(room: Room) -> None:
    sheets = pages(made(room, "scoresheets"))
    fixtures = list(Fixture.objects.of_competition(room.competition.pk).order_by("round__number", "pk"))
    assert len(sheets) == len(fixtures) == 21
    for fixture in fixtures:
        names = [player.name for e in (fixture.home, fixture.away) for player in e.lineup.players]
        numbers = [play.board.number for play in fixture.boards.select_related("board")]
        (sheet,) = [
            text
            for text in sheets
            if all(name in text for name in names) and f"Round {fixture.round.number}" in text
        ]
        assert f"table {fixture.table}" in sheet
        assert all(f"Board {number}" in sheet for number in numbers)


def test_the_code_on_a_sheet_leads_to_that_sheet_and_is_told_to_who_does_not_see_it(room: Room) -> None:
    paper = made(room, "scoresheets", site="https://cards.example.org")
    links = [urlsplit(words.partition(": ")[2]) for words in pictures(paper)]
    assert len(links) == 21
    assert {link.hostname for link in links} == {"cards.example.org"}
    for fixture in Fixture.objects.of_competition(room.competition.pk):
        (path,) = [link.path for link in links if f"/matches/{fixture.pk}/enter/" in link.path]
        assert entry_links.is_good(fixture, path.split("/")[4])


def test_the_picture_of_a_code_has_the_modules_of_its_address() -> None:
    address = "https://cards.example.org/matches/17/enter/1tKsdf:q_mD-4b9cXo2v1/"
    assert _modules(qr_picture(address)) == _dark(address)
    assert _modules(qr_picture(address)) != _dark(address + "x")


def _dark(address: str) -> set[tuple[int, int]]:
    matrix = segno.make(address, error="m", micro=False).matrix
    return {(x, y) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark}


def _modules(picture: str) -> set[tuple[int, int]]:
    """The dark squares, from the path that draws them: runs of them, row by row."""
    found: set[tuple[int, int]] = set()
    x = y = 0.0
    path = re.search(r'<path[^>]* d="([^"]+)"', picture)
    assert path is not None
    for command, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path[1]):
        values = [float(each) for each in re.findall(r"-?[0-9.]+", numbers)]
        if command == "h":
            found |= {(int(x) + step - 2, int(y) - 2) for step in range(int(values[0]))}
            x += values[0]
        else:
            x, y = (values[0], values[1]) if command == "M" else (x + values[0], y + values[1])
    return found


def test_guide_cards_lead_every_pair_through_all_rounds(room: Room) -> None:
    text = "\n".join(pages(made(room, "guide_cards")))
    for entry in room.competition.entries.all():
        assert f"Number {entry.number}" in text
    assert text.count("sits out") == 7
    assert sum(f"Table {number}" in text for number in range(1, 5)) >= 3
    # A table's card and the two pairs' cards tell each meeting.
    boards_told = re.findall(r"\b(\d+)–(\d+)\b", text)
    assert len(boards_told) == 21 * 3


def test_a_card_has_room_for_many_rounds_and_long_names() -> None:
    names = tuple(f"Maximiliana-Josephine Achterberg-Hohenstein the {number}th" for number in range(44))
    room = make_room(names=names)
    text = "\n".join(pages(made(room, "guide_cards")))
    for number in range(1, 23):
        assert f"Number {number}\n" in text
    # Eleven rounds on each of 22 pairs' and eleven tables' cards.
    assert len(re.findall(r"\b(\d+)–(\d+)\b", text)) == 11 * 33


def test_papers_can_be_printed_before_the_evening_is_laid_out() -> None:
    room = make_room(is_laid_out=False)
    before = pages(made(room, "guide_cards"))
    assert sum("Number" in page for page in before) >= 2
    assert "sits out" in "\n".join(before)


def test_the_wall_list_has_everyone_by_name_with_table_and_side(room: Room) -> None:
    (page,) = pages(made(room, "wall_list"))
    for name in NAMES:
        assert name in page
    assert page.index("Anna Berg") < page.index("Chidi Okafor") < page.index("Zoë Müller")
    assert page.count("North") + page.count("East") == 12
    assert page.count("sits out") == 2


def test_table_cards_have_the_table_and_the_boards_of_each_round(room: Room) -> None:
    text = "\n".join(pages(made(room, "table_cards")))
    assert text.count("Table") == len({f.table for f in Fixture.objects.of_competition(room.competition.pk)})
    assert len(re.findall(r"\d+–\d+", text)) == 21


# Cards


def test_every_format_of_the_zip_has_the_very_deals(room: Room) -> None:
    archive = _zip(made(room, "files"))
    cards = boards.cards_of(room.board_set)
    originals = Board.objects.filter(board_set=room.board_set, purpose="original")
    expected = {board.number: Deal.parse(cards[board.pk]) for board in originals}
    checked = set()
    for form in FORMATS.values():
        name = f"boards{'-blind' if form.key.endswith('blind') else ''}{form.suffix}"
        reading = form.read(archive.read(name), 1)
        assert reading.is_accepted, (name, reading.faults)
        assert {board.number: board.deal for board in reading.boards} == expected, name
        checked.add(name)
    spare = set(archive.namelist()) - checked - {"check-list.csv", "check-list.pdf"}
    assert all(name.startswith("reserve") for name in spare)
    assert len(spare) == len(FORMATS)


def test_the_check_list_has_the_digest_of_every_file_and_a_check_of_every_board(room: Room) -> None:
    archive = _zip(made(room, "files"))
    lines = list(csv.reader(io.StringIO(archive.read("check-list.csv").decode())))
    digests = {name: value for what, name, value in lines if what == "file"}
    assert digests == {
        name: hashlib.sha256(archive.read(name)).hexdigest()
        for name in archive.namelist()
        if not name.startswith("check-list")
    }
    assert ["set", "commitment", room.board_set.commitment] in lines
    found = [each for each in deals.all_of(room.board_set) if not each.is_spare]
    checks = {name: value for what, name, value in lines if what == "board"}
    assert checks == {str(each.number): dealing_files.check_of(each) for each in found}
    assert len(set(checks.values())) == len(found)
    (page,) = (p.extract_text() for p in _pdf(archive.read("check-list.pdf")).pages)
    assert room.board_set.commitment in page


def test_boards_that_a_format_cannot_hold_are_left_out_with_the_reason() -> None:
    room = make_room()
    Board.objects.filter(board_set=room.board_set, number=3).update(number=300)
    archive = _zip(made(room, "files"))
    lines = list(csv.reader(io.StringIO(archive.read("check-list.csv").decode())))
    assert "boards.dlm" not in archive.namelist()
    assert [value[:9] for what, name, value in lines if name == "boards.dlm"] == ["left out:"]
    assert "boards.pbn" in archive.namelist()


def test_each_slip_has_thirteen_cards_and_no_page_more_than_two_boards(room: Room) -> None:
    found = pages(made(room, "slips"))
    dealt = deals.all_of(room.board_set)
    assert len(found) == -(-len(dealt) // 2)
    for page, first in zip(found, range(0, len(dealt), 2), strict=True):
        for each in dealt[first : first + 2]:
            for seat in SEATS:
                for ranks in each.cards(seat).values():
                    assert ranks.replace("T", "10") in re.sub(r"\s", "", page)


def test_records_to_deal_show_all_hands_and_records_after_play_only_public_ones(room: Room) -> None:
    to_deal = re.sub(r"[ ]", "", "\n".join(pages(made(room, "records_to_deal"))))
    each = deals.all_of(room.board_set)[0]
    for seat in SEATS:
        for ranks in each.cards(seat).values():
            assert ranks.replace("T", "10") in to_deal
    early = made(room, "records")
    assert early.state == Paper.State.FAILED
    assert "public" in early.failure


def test_after_the_release_records_tell_par_and_best_hands(room: Room) -> None:
    boards.release(actor=room.director, board_set=room.board_set, reason="Over")
    analyses.sweep(at=AT)
    paper = made(room, "records", actor=room.scorer)
    text = "\n".join(pages(paper))
    assert text.count("Par") >= room.board_set.count
    assert "North-South" in text
    assert not BoardDraw.objects.exists()


# For everybody, everywhere


@pytest.mark.parametrize(("size", "measure"), [*zip(SIZES, (A4, LETTER), strict=True)])
@pytest.mark.parametrize("kind", ["scoresheets", "wall_list", "guide_cards", "table_cards", "slips"])
def test_papers_come_in_both_sizes(room: Room, kind: str, size: str, measure: tuple[int, int]) -> None:
    box = reader(made(room, kind, size=size)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == measure


@pytest.mark.parametrize(
    "kind", ["scoresheets", "wall_list", "guide_cards", "table_cards", "slips", "records_to_deal"]
)
def test_papers_are_tagged_and_promise_to_be_readable_by_everybody(room: Room, kind: str) -> None:
    with translation.override("de"):
        found = reader(made(room, kind))
    root: Any = found.trailer["/Root"]
    assert root["/Lang"] == "de"
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid:part" in root["/Metadata"].get_data()
    assert found.metadata is not None
    assert "Thursday Duplicate" in str(found.metadata.title)


@pytest.mark.parametrize(
    "name", ["日本 太郎", "🂡 Ace", "علي حسن", "A" * 100, "\\ \" ' & < > #[x] `y`", "@ref <label>"]
)
def test_any_name_can_be_printed(name: str) -> None:
    room = make_room(names=(name, *NAMES[1:]))
    for kind in ("wall_list", "guide_cards", "scoresheets"):
        paper = made(room, kind)
        assert paper.state == Paper.State.READY, (kind, paper.failure)
    if name.isascii() and len(name) < 50:
        assert name in pages(made(room, "wall_list", size="us-letter"))[0]


def test_nothing_is_left_on_the_disk(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for kind in ("files", "slips", "records_to_deal", "scoresheets"):
        content(made(room, kind))
    assert list(tmp_path.iterdir()) == []


def _zip(paper: Paper) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(content(paper)))


def _pdf(data: bytes) -> Any:
    return PdfReader(io.BytesIO(data))
