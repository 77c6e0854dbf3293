"""The files of SquareDeal: read, written and checked; and what a commitment to one key is not."""

import hashlib
import json
from pathlib import Path

import pytest

from engine.boards.files import squaredeal
from engine.boards.files.boards import NotationError
from engine.boards.files.formats import FORMATS
from engine.boards.files.squaredeal import Phase
from engine.boards.sealing import (
    Purpose,
    SealingError,
    commitment,
    sealed_deals,
)
from tests.engine.boards.files.material import ORACLE, ORACLE_BOARDS
from tests.engine.boards.files.test_commands import answer

KEY, VALUE = ORACLE["session_key"], ORACLE["delayed_value"]
OTHER = "AnotherKeyForTheSecondSessionAnotherKeyForTheSecondSession12"
#: As the published program writes it: a line for each session, CRLF behind each.
KEYS = f"1,1:{KEY}\r\n1,2:{OTHER}\r\n2,1:{OTHER[::-1]}\r\n".encode()
HASH = hashlib.sha256(KEYS).hexdigest()
DESCRIPTION = f"""# Description file of tournament for program SquareDeal 2.6
#
TN Club Championship
DI 6 of 49, Saturday's draw
DV {VALUE}
# Description of phases of tournament
# Per phase a line with SN nessions:nboards:filename:description
SN 2:1-16,17-32:QUAL#:Qualification #/2
SN 1:1-20:FIN:Final
KH {HASH}
""".encode()


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """The description of an event, its keys beside it."""
    (tmp_path / "club.sqd").write_bytes(DESCRIPTION)
    (tmp_path / "club.sqk").write_bytes(KEYS)
    return tmp_path / "club.sqd"


def boards_file(folder: Path, boards: list, name: str = "boards.pbn") -> Path:
    (folder / name).write_bytes(FORMATS["pbn"].write(boards))
    return folder / name


# The files


def test_a_description_is_read_and_written_to_the_byte() -> None:
    read = squaredeal.read_description(DESCRIPTION)

    assert (read.name, read.delayed, read.value) == ("Club Championship", "6 of 49, Saturday's draw", VALUE)
    assert read.key_hash == HASH
    assert read.sessions == ((1, 1), (1, 2), (2, 1))
    assert [list(read.phases[0].numbers(session))[::15] for session in (1, 2)] == [[1, 16], [17, 32]]
    assert squaredeal.write_description(read) == DESCRIPTION
    assert squaredeal.read_description(DESCRIPTION.replace(b"\n", b" \r\n")) == read


def test_the_key_hash_is_of_the_whole_file_whatever_its_line_ends() -> None:
    read = squaredeal.read_description(DESCRIPTION)

    for keys in (KEYS, KEYS.replace(b"\r\n", b"\n"), KEYS[:-2]):
        assert read.opens_with(keys)
    for other in (KEYS.replace(b"Another", b"another"), KEYS[:-64], KEYS + KEYS):
        assert not read.opens_with(other)
    assert squaredeal.write_keys(squaredeal.read_keys(KEYS)) == KEYS


def test_the_boards_of_a_session_are_those_of_its_key_under_their_own_numbers() -> None:
    read, keys = squaredeal.read_description(DESCRIPTION), squaredeal.read_keys(KEYS)

    assert list(read.boards(keys, (1, 1))) == ORACLE_BOARDS
    second = read.boards(keys, (1, 2))
    assert [board.number for board in second] == list(range(17, 33))
    assert tuple(board.deal for board in second) == sealed_deals(OTHER, VALUE, 16)
    reserve = read.boards(keys, (1, 2), Purpose.RESERVE)
    assert tuple(board.deal for board in reserve) == sealed_deals(OTHER, VALUE, 16, Purpose.RESERVE)
    with pytest.raises(SealingError, match="no session 3 in phase 1"):
        read.boards(keys, (1, 3))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1:20:A:b", range(1, 21)),
        ("3:1-7,8-14:R##:x:y", range(1, 8)),
        ("1:17-18:BAM EX:Extra", range(17, 19)),
    ],
)
def test_phases_of_published_events(text: str, numbers: range) -> None:
    assert Phase.parse(text).numbers(1) == numbers
    assert Phase.parse(str(Phase.parse(text))) == Phase.parse(text)


def test_every_fault_of_a_file_has_its_line() -> None:
    with pytest.raises(NotationError) as refused:
        squaredeal.read_description(b"TN x\nSN 0:1:a:b\nSN 1:9-3:a:b\nSN 1:a\nKH xyz\n")
    assert [cause.place for cause in refused.value.causes] == [("line", 2), ("line", 3), ("line", 4), (), ()]
    with pytest.raises(NotationError) as refused:
        squaredeal.read_description(b"TN x\nSN " + b"9" * 5000 + b":1:a:b\nSN 1:1:a:b\n")
    assert [cause.code for cause in refused.value.causes] == ["squaredeal-sessions"]
    with pytest.raises(NotationError) as refused:
        squaredeal.read_keys(f"1,1:{KEY}\n1,1:{KEY}\nx\n2,1:short\n".encode())
    assert [cause.place for cause in refused.value.causes] == [("line", 2), ("line", 3), ("line", 4)]
    for nothing in (b"", b"\n\n"):
        with pytest.raises(NotationError, match="no key"):
            squaredeal.read_keys(nothing)


# The commands


def test_an_event_is_sealed_dealt_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "new.sqd"
    new = (
        "squaredeal-new",
        file,
        "--name",
        "Cup",
        "--delayed",
        "the lottery",
        "--phase",
        "2:1-4,5-8:R#:Round #",
    )
    code, told = answer(*new)
    assert code == 0
    assert told["key_hash"] == hashlib.sha256((tmp_path / "new.sqk").read_bytes()).hexdigest()
    assert answer(*new)[0] == 1, "We never overwrite a seal"
    public = file.read_text()
    assert all(
        key not in public for key in squaredeal.read_keys((tmp_path / "new.sqk").read_bytes()).values()
    )
    assert answer("squaredeal-deals", file)[0] == 1, "the delayed value is not known yet"

    boards = tmp_path / "second.pbn"
    file.write_text(public.replace("# Description of phases", "DV 12 19\n# Description of phases"))
    assert answer("squaredeal-deals", file, "--session", "1,2", "--output", boards)[0] == 0
    code, told = answer("verify-seal", boards, "--sqd", file, "--session", "1,2")
    assert (code, told["boards"], told["differing"], told["key_hash_agrees"]) == (0, 4, [], True)
    assert answer("verify-seal", boards, "--sqd", file, "--session", "1,1")[0] == 1


def test_a_board_that_is_not_the_seals_is_named(event: Path) -> None:
    swapped = [*ORACLE_BOARDS[:3], type(ORACLE_BOARDS[3]).of(4, ORACLE_BOARDS[4].deal), *ORACLE_BOARDS[4:15]]
    code, told = answer("verify-seal", boards_file(event.parent, swapped), "--sqd", event)

    assert code == 1
    assert [each["board"] for each in told["differing"]] == [4]
    assert (told["missing"], told["not_of_the_session"]) == ([16], [])


def test_other_keys_than_those_committed_to_are_refused(event: Path) -> None:
    event.with_suffix(".sqk").write_bytes(KEYS.replace(OTHER.encode(), KEY.encode()))
    code, told = answer("squaredeal-deals", event)

    assert code == 1
    assert "match the commitment" in json.dumps(told)


def test_squaredeals_hash_is_not_taken_for_a_commitment_to_one_key(event: Path) -> None:
    """Its deals are right: --commitment says which form it means, and --sqd checks the other."""
    file = boards_file(event.parent, ORACLE_BOARDS)
    one_key = ("verify-seal", file, "--key", KEY, "--value", VALUE)

    code, told = answer(*one_key, "--commitment", HASH)
    assert (code, told["differing"], told["commitment_agrees"]) == (1, [], False)
    assert "SquareDeal commits to the SHA-256 of its whole key file" in told["note"]
    code, told = answer(*one_key, "--commitment", commitment(KEY))
    assert (code, told["commitment_agrees"], "note" in told) == (0, True, False)
    code, told = answer("verify-seal", file, "--sqd", event)
    assert (code, told["key_hash"], told["event"]) == (0, HASH, "Club Championship")
