"""Deals, their numbers, files and seals from the command line."""

import io
import json

import pytest

import engine.__main__  # noqa: F401 - puts all subcommands into the register
from engine.boards.files.boards import Board
from engine.boards.files.formats import FORMATS
from engine.boards.numbering import DEALS
from engine.cli import main
from tests.engine.boards.files.material import (
    FILES,
    ORACLE,
    ORACLE_BOARDS,
    oracle_file,
)

SET = str(FILES / "set.json")
KEY, VALUE = ORACLE["session_key"], ORACLE["delayed_value"]


def run(*arguments):
    output = io.StringIO()
    code = main([str(each) for each in arguments], output)
    return code, output.getvalue()


def answer(*arguments):
    code, text = run(*arguments)
    return code, json.loads(text)


def test_a_deal_has_a_number_and_a_number_a_deal():
    board = ORACLE["boards"][0]

    assert answer("number", board["deal"]) == (0, {"number": board["number"], "deal": board["deal"]})
    assert answer("deal-number", board["number"]) == (0, {"number": board["number"], "deal": board["deal"]})
    code, told = answer("deal-number", DEALS)
    assert (code, told["problems"][0]["code"]) == (1, "deal-number")
    assert answer("number", "N:x")[0] == 1


@pytest.mark.parametrize("key", ["bri", "dge", "dup", "ber"])
def test_converting_to_machines_is_right_to_the_byte(tmp_path, key):
    target = tmp_path / f"boards.{key}"
    code, told = answer("convert", SET, "--to", key, "--output", target)

    assert (code, told["boards"], told["problems"]) == (0, 16, [])
    assert target.read_bytes() == oracle_file(key)


@pytest.mark.parametrize("key", ["pbn", "lin", "dlm", "ber"])
def test_text_can_be_printed(key):
    code, text = run("convert", FILES / "set.dup", "--to", key)

    assert code == 0
    assert text.rstrip("\n") == FORMATS[key].write(ORACLE_BOARDS).decode().replace("\r\n", "\n").rstrip("\n")


def test_binary_formats_need_a_file():
    code, told = answer("convert", SET, "--to", "dup")

    assert code == 1
    assert told["problems"][0]["message"] == "dup isn’t a text format. Say which file to write with --output."


def test_the_first_number_can_be_given():
    code, told = answer("read-deals", FILES / "set.dup", "--first", 17)

    assert code == 0
    assert [board["board"] for board in told["boards"]] == list(range(17, 33))

    code, told = answer("read-deals", FILES / "set.bri", "--first", 17)

    assert code == 0
    assert [board["board"] for board in told["boards"]] == list(range(17, 33))


def test_a_file_with_faults_is_not_converted(tmp_path):
    source, target = tmp_path / "bad.bri", tmp_path / "out.dge"
    source.write_bytes(b"99" + oracle_file("bri")[2:])
    code, told = answer("convert", source, "--to", "dge", "--output", target)

    assert code == 1
    assert told["problems"][0]["place"] == ["board", 1]
    assert not target.exists()


def test_a_file_can_be_named_otherwise_than_it_is(tmp_path):
    source = tmp_path / "boards.txt"
    source.write_bytes(oracle_file("ber"))

    assert answer("read-deals", source)[0] == 1
    assert len(answer("read-deals", source, "--from", "ber")[1]["boards"]) == 16


@pytest.mark.parametrize(
    "arguments", [("read-deals", "none.pbn"), ("read-pbn", "none.pbn"), ("read-pbn", "\0")]
)
def test_a_file_that_is_not_there(arguments):
    code, told = answer(*arguments)

    assert code == 1
    assert "We can’t read" in told["problems"][0]["message"]


def test_a_place_where_nothing_can_be_written(tmp_path):
    code, told = answer("convert", SET, "--to", "pbn", "--output", tmp_path / "no" / "folder.pbn")

    assert code == 1
    assert "We can’t write" in told["problems"][0]["message"]


def test_pbn_is_told_game_by_game(tmp_path):
    source = tmp_path / "one.pbn"
    source.write_bytes(FORMATS["pbn"].write(ORACLE_BOARDS[:1]) + b"[Board x]\r\n")
    code, told = answer("read-pbn", source)

    assert code == 1
    assert told["games"][0]["deal"] == str(ORACLE_BOARDS[0].deal)
    assert told["problems"][0]["place"] == ["line", 21]


# JSON


def test_boards_in_json_may_be_numbers_only(tmp_path):
    source = tmp_path / "boards.json"
    source.write_text(json.dumps([{"number": board["number"]} for board in ORACLE["boards"][:2]]))
    code, told = answer("read-deals", source)

    assert code == 0
    assert told["boards"] == [board.as_json() for board in ORACLE_BOARDS[:2]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"boards": {}}, "Boards must be a list"),
        ([7], "A board must be an object with a deal"),
        ([{"deal": None}], "isn’t a deal"),
        ([{"deal": ORACLE["boards"][0]["deal"], "number": "7"}], "doesn’t match its number"),
        ([{"deal": ORACLE["boards"][0]["deal"], "board": 0}], "isn’t a board number"),
        ([{"deal": ORACLE["boards"][0]["deal"], "dealer": "Q"}], "isn’t a seat"),
        ([], "This file has no deals"),
    ],
)
def test_what_is_wrong_with_json_is_told(tmp_path, value, message):
    source = tmp_path / "boards.json"
    source.write_text(json.dumps(value))
    code, told = answer("read-deals", source)

    assert code == 1
    assert message in told["problems"][0]["message"]


# Seals


def test_the_oracles_set_verifies():
    code, told = answer("verify-seal", SET)

    assert code == 0
    assert (told["boards"], told["differing"], told["missing"]) == (16, [], [])
    assert told["commitment"] == "1e58878fd3059bea6f4f42dd52c8bfb8705dc5bf11346ea2653feb5ace787e9f"


def test_the_published_championship_verifies(tmp_path):
    source = tmp_path / "published.json"
    source.write_text(json.dumps(ORACLE["published"]))

    assert answer("verify-seal", source)[0] == 0


def test_verifying_says_which_board_differs(tmp_path):
    source = tmp_path / "set.dup"
    swapped = [*ORACLE_BOARDS[:6], Board.of(7, ORACLE_BOARDS[0].deal), *ORACLE_BOARDS[7:]]
    source.write_bytes(FORMATS["dup"].write(swapped))
    code, told = answer("verify-seal", source, "--key", KEY, "--value", VALUE)

    assert code == 1
    assert [(each["board"], each["expected"]) for each in told["differing"]] == [
        (7, str(ORACLE_BOARDS[6].deal))
    ]
    assert told["differing"][0]["found"] == str(ORACLE_BOARDS[0].deal)


def test_a_wrong_commitment_is_found():
    code, told = answer("verify-seal", SET, "--commitment", "00" * 32)

    assert (code, told["commitment_agrees"], told["differing"]) == (1, False, [])


@pytest.mark.parametrize(("first", "lacks"), [(1, 0), (1, 8), (9, 0)])
def test_boards_are_those_of_the_seal_whatever_their_set_begins_with(tmp_path, first, lacks):
    """The set, its last boards alone, and another one that begins with 9: nobody said which."""
    source = tmp_path / "set.pbn"
    boards = [
        Board.of(number, board.deal) for number, board in enumerate(ORACLE_BOARDS[: 17 - first], first)
    ][lacks:]
    source.write_bytes(FORMATS["pbn"].write(boards))
    code, told = answer("verify-seal", source, "--key", KEY, "--value", VALUE)

    assert (code, told["boards"], told["differing"]) == (0, len(boards), [])


def test_a_seal_from_beginning_to_end(tmp_path):
    code, sealed = answer(
        "seal", "--boards", 4, "--kind", "lottery", "--source", "6 of 49", "--on", "2026-11-28"
    )
    assert code == 0
    assert sealed["seal"]["delayed"]["value"] is None
    seal, deals = tmp_path / "seal.json", tmp_path / "deals.dlm"
    seal.write_text(json.dumps(sealed))

    assert answer("sealed-deals", seal)[1]["problems"][0]["code"] == "seal-incomplete"
    assert answer("sealed-deals", seal, "--value", "1 2 3", "--output", deals)[1]["boards"] == 4

    check = ("verify-seal", deals, "--key", sealed["session_key"], "--value", "1 2 3")
    commitment = ("--commitment", sealed["seal"]["commitment"])
    assert answer(*check, *commitment)[1]["commitment_agrees"] is True
    assert len(answer(*check, "--purpose", "reserve")[1]["differing"]) == 4


def test_a_set_that_lacks_a_board_does_not_verify(tmp_path):
    value = {
        "session_key": KEY,
        "seal": {"boards": 17, "delayed": {"value": VALUE}},
        "boards": ORACLE["boards"],
    }
    source = tmp_path / "set.json"
    source.write_text(json.dumps(value))
    code, told = answer("verify-seal", source)

    assert (code, told["differing"], told["missing"]) == (1, [], [17])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--boards", 0, "--kind", "other", "--source", "x", "--on", "2026-11-28"), "A set has 1 to"),
        (("--boards", 4, "--kind", "other", "--source", "x"), "say on which day"),
        (("--boards", 4, "--kind", "other", "--source", "x", "--on", "Friday"), "isn’t a date"),
        (("--boards", 4, "--kind", "agreed-text", "--source", "x"), "say what the agreed text is"),
    ],
)
def test_what_a_seal_needs(arguments, message):
    code, told = answer("seal", *arguments)

    assert code == 1
    assert message in told["problems"][0]["message"]
