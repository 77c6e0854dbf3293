"""Sealed deals: the published scheme, its oracles, and what may not be sealed."""

import hashlib
import json
from datetime import date
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boards.numbering import DEALS, deal_number
from engine.boards.ripemd160 import ripemd160
from engine.boards.sealing import (
    KEY_LENGTH,
    DelayedInformation,
    DelayedKind,
    Purpose,
    Seal,
    SealingError,
    commitment,
    differing_boards,
    new_session_key,
    sealed_deals,
    sealed_numbers,
)
from engine.deals import Deal

ORACLE = json.loads((Path(__file__).parents[2] / "oracles/deal_formats/set.json").read_text())
KEY, VALUE = ORACLE["session_key"], ORACLE["delayed_value"]
LOTTERY = DelayedInformation(DelayedKind.LOTTERY, "6 of 49, ascending, with spaces", date(2026, 11, 21))


# RIPEMD-160

PUBLISHED_DIGESTS = [
    (b"", "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
    (b"a", "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe"),
    (b"abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
    (b"message digest", "5d0689ef49d2fae572b881b123a85ffa21595f36"),
    (b"abcdefghijklmnopqrstuvwxyz", "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"),
    (b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "12a053384a9c0c88e405a06c27dcf49ada62eb2b"),
    (
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "b0e20b6e3116640286ed3a87a5713079b21f5189",
    ),
    (b"1234567890" * 8, "9b752e45573d4b39f4dbd3323cab82bf63326bfb"),
]


@pytest.mark.parametrize(("message", "digest"), PUBLISHED_DIGESTS)
def test_ripemd160_gives_the_published_digests(message, digest):
    assert ripemd160(message).hex() == digest


def test_ripemd160_at_the_edges_of_its_blocks():
    """Every length around a block's end, chained so that one digest holds them all."""
    digest = b""
    for length in range(200):
        digest = ripemd160(digest + bytes(range(length)))

    assert digest.hex() == "891fb2386bf93449b94f19e1f09290f604632eae"


# The scheme


def test_the_oracles_set():
    deals = sealed_deals(KEY, VALUE, 16)

    assert [str(deal) for deal in deals] == [board["deal"] for board in ORACLE["boards"]]


def test_the_boards_of_a_published_championship():
    published = ORACLE["published"]
    numbers = islice(sealed_numbers(published["session_key"], published["delayed_value"]), 3)

    assert [str(number) for number in numbers] == [board["number"] for board in published["boards"]]


@given(st.text("abcXYZ019", min_size=KEY_LENGTH, max_size=KEY_LENGTH), st.sampled_from(Purpose))
def test_every_number_is_a_deals(key, purpose):
    numbers = list(islice(sealed_numbers(key, "43275.91", purpose), 5))

    assert all(0 <= number < DEALS for number in numbers)
    assert len(set(numbers)) == 5


def test_reserve_boards_are_others():
    original = sealed_deals(KEY, VALUE, 8)
    reserve = sealed_deals(KEY, VALUE, 8, Purpose.RESERVE)

    assert not set(original) & set(reserve)


def test_a_longer_set_begins_with_the_shorter_one():
    assert sealed_deals(KEY, VALUE, 9)[:4] == sealed_deals(KEY, VALUE, 4)


def test_every_letter_of_key_and_value_matters():
    other_left = "X" + KEY[1:]
    other_right = KEY[:-1] + "X"
    firsts = {
        next(sealed_numbers(*case))
        for case in ((KEY, VALUE), (other_left, VALUE), (other_right, VALUE), (KEY, VALUE + "0"))
    }

    assert len(firsts) == 4


# Keys and commitments


def test_the_commitment_is_the_keys_sha256():
    assert commitment(KEY) == hashlib.sha256(KEY.encode()).hexdigest()


def test_session_keys_are_long_random_and_printable():
    keys = {new_session_key() for _ in range(50)}

    assert len(keys) == 50
    assert all(len(key) == 60 and key.isalnum() and key.isascii() for key in keys)
    assert len(set("".join(keys))) == 62


@pytest.mark.parametrize("key", ["", KEY[:-1], KEY + "x", "é" + KEY[1:], "\n" + KEY[1:], None, 60])
def test_what_is_no_session_key(key):
    with pytest.raises(SealingError, match="60 letters or digits"):
        commitment(key)


def test_a_seal_opens_with_its_key_only():
    seal = Seal.of(KEY, 16, LOTTERY)

    assert seal.opens_with(KEY)
    assert not seal.opens_with("x" + KEY[1:])
    assert seal.as_json() == {
        "commitment": commitment(KEY),
        "boards": 16,
        "delayed": {
            "kind": "lottery",
            "source": "6 of 49, ascending, with spaces",
            "on": "2026-11-21",
            "value": None,
        },
    }


# Delayed information


def test_a_value_is_filled_in_once():
    filled = LOTTERY.filled("12 19 33")

    assert filled.value == "12 19 33"
    assert filled.filled("12 19 33") == filled
    with pytest.raises(SealingError, match="can’t change it"):
        filled.filled("1 2 3")


def test_delayed_information_needs_its_day():
    with pytest.raises(SealingError, match="which day"):
        DelayedInformation(DelayedKind.SHARE_INDEX, "closing value")


def test_an_agreed_text_is_known_at_once():
    with pytest.raises(SealingError, match="agreed text"):
        DelayedInformation(DelayedKind.AGREED_TEXT, "the club's motto")

    agreed = DelayedInformation(DelayedKind.AGREED_TEXT, "the club's motto", value="Play well")
    assert agreed.on is None


@pytest.mark.parametrize("value", ["", " 7", "7 ", "7\n8", "x" * 201])
def test_values_that_nobody_could_type_again_are_refused(value):
    with pytest.raises(SealingError):
        LOTTERY.filled(value)
    with pytest.raises(SealingError):
        sealed_deals(KEY, value, 1)


def test_every_kind_has_a_name():
    assert len({kind.label for kind in DelayedKind}) == len(DelayedKind)


# Checking a set


def set_of_boards():
    return {board["board"]: Deal.parse(board["deal"]) for board in ORACLE["boards"]}


def test_the_right_boards_do_not_differ():
    assert differing_boards(KEY, VALUE, set_of_boards()) == ()
    assert differing_boards(KEY, VALUE, {}) == ()


def test_it_is_said_which_board_differs():
    boards = set_of_boards()
    boards[5], boards[6] = boards[6], boards[5]
    differing = differing_boards(KEY, VALUE, boards)

    assert [each.board for each in differing] == [5, 6]
    assert differing[0].expected == boards[6] == differing[1].found
    assert differing[0].as_json()["found"] == ORACLE["boards"][5]["deal"]


def test_a_part_of_a_set_can_be_checked():
    boards = set_of_boards()

    assert differing_boards(KEY, VALUE, {16: boards[16]}) == ()
    assert differing_boards(KEY, VALUE, {116: boards[16]}, first=101) == ()
    with pytest.raises(SealingError, match="before the first"):
        differing_boards(KEY, VALUE, {16: boards[16]}, first=17)


def test_another_value_or_purpose_changes_every_board():
    assert len(differing_boards(KEY, "club lottery 12 19 33 41 45 48", set_of_boards())) == 16
    assert len(differing_boards(KEY, VALUE, set_of_boards(), Purpose.RESERVE)) == 16


def test_the_numbers_of_the_oracle_agree_with_its_deals():
    for number, board in zip(sealed_numbers(KEY, VALUE), ORACLE["boards"], strict=False):
        assert number == deal_number(Deal.parse(board["deal"]))
