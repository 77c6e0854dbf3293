"""The commands that the page names for checking a set: typed as they stand, in a shell, they say what they promise."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from datetime import date
from html import unescape
from math import factorial
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.boards.files.boards import Board as NumberedBoard
from engine.boards.files.formats import FORMATS
from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.deals import Deal
from games.boards.services import boards
from games.models import BoardSet
from league.actors import System
from tests.games.boards import duplicate_scene, play, sealed

pytestmark = pytest.mark.django_db

# A text that a shell would take to pieces.
VALUE = 'Anna\'s text: $HOME & "more" <b>'


@pytest.fixture
def made() -> BoardSet:
    scene = duplicate_scene()
    text = DelayedInformation(DelayedKind.AGREED_TEXT, "a text", value=VALUE)
    found = sealed(scene, first_number=5, delayed=text)
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])
    found.refresh_from_db()
    return found


def _typed(command: str, folder: Path) -> str:
    (folder / "engine").symlink_to(settings.BASE_DIR / "engine")
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def _command(made: BoardSet, key: str) -> str:
    answer = Client().get(reverse("board_set_check", args=[made.pk]))
    command: str = answer.context["commands"][key]
    assert command in unescape(answer.content.decode()), "what is tried here is what stands on the page"
    return command


def test_the_commitment(made: BoardSet, tmp_path: Path) -> None:
    assert _typed(_command(made, "commitment"), tmp_path).split()[0] == made.commitment


def test_the_deals(made: BoardSet, tmp_path: Path) -> None:
    found = json.loads(_typed(_command(made, "deals"), tmp_path))
    cards = boards.cards_of(made)
    assert [(each["board"], each["deal"]) for each in found] == [
        (row.number, str(cards[row.pk])) for row in made.boards.order_by("place")
    ]


def test_the_boards_that_were_played(made: BoardSet, tmp_path: Path) -> None:
    cards = boards.cards_of(made)
    played = [
        NumberedBoard.of(row.number, Deal.parse(cards[row.pk])) for row in made.boards.order_by("place")
    ]
    (tmp_path / "boards.pbn").write_bytes(FORMATS["pbn"].write(played))

    found = json.loads(_typed(_command(made, "verify"), tmp_path))
    assert (found["boards"], found["differing"], found["commitment_agrees"]) == (4, [], True)


def test_the_program_on_the_page_needs_nothing_of_this_site(made: BoardSet, tmp_path: Path) -> None:
    (tmp_path / "deals.py").write_text(_command(made, "program"))
    done = subprocess.run(
        [sys.executable, "-I", "deals.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    cards = boards.cards_of(made)
    assert done.stdout.splitlines() == [
        f"{row.number} {cards[row.pk]}" for row in made.boards.order_by("place")
    ]


def test_a_stranger_can_work_a_deal_out_from_the_pages_words_alone(made: BoardSet) -> None:
    """Each step stands on the page as it is followed here, with nothing but hashlib; the values are the page's too."""
    page = Client().get(reverse("board_set_check", args=[made.pk])).content.decode()
    text = unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))

    def said(*words: str) -> None:
        for each in words:
            assert each in text

    [key] = set(re.findall(r'KEY = "(\w{60})"', text))
    value = json.loads(re.search(r'VALUE = ("(?:\\.|[^"\\])*")', text)[1])  # type: ignore[index]
    said("C = SHA-256(key)")
    assert hashlib.sha256(key.encode()).hexdigest() == made.commitment
    said("first 30 characters of the key, R the last 30", "in UTF-8, written in Base64")
    left, right, mixed = key[:30], key[30:], base64.b64encode(value.encode())
    said('S = RIPEMD-160(R + V + "original") + RIPEMD-160(L)')
    seed = _rmd(right.encode() + mixed + b"original") + _rmd(left.encode())
    said("written as 4 bytes with the lowest first", "The first 12 bytes", "with the highest byte first")
    found: list[int] = []
    sequence = 0
    while len(found) < made.count:
        sequence += 1
        number = int.from_bytes(_rmd(sequence.to_bytes(4, "little") + seed)[:12], "big")
        said("Skip a number of 53644737765488792839237440000 or more")
        if number < 53644737765488792839237440000:
            found.append(number)
    said("North = n // 10400600 // 8122425444", "East = n // 10400600 % 8122425444", "South = n % 10400600")
    said(
        "T = c! / ((w − 1)! × (c − w + 1)!)",
        "If r is less than T, the player takes the card",
        "West gets the rest",
    )
    expected = [boards.cards_of(made)[row.pk] for row in made.boards.order_by("place")]
    assert [_by_hand(number) for number in found] == [str(deal) for deal in expected]


def _rmd(data: bytes) -> bytes:
    return hashlib.new("ripemd160", data).digest()


def _by_hand(number: int) -> str:
    pack = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    hands = []
    for rest in (number // 10400600 // 8122425444, number // 10400600 % 8122425444, number % 10400600, None):
        hand, wanted = [], 13
        for after, card in zip(range(len(pack) - 1, -1, -1), pack, strict=True):
            if not wanted:
                break
            ways = 0
            if rest is not None and after >= wanted - 1:
                ways = factorial(after) // (factorial(wanted - 1) * factorial(after - wanted + 1))
            if rest is None or rest < ways:
                hand.append(card)
                wanted -= 1
            else:
                rest -= ways
        pack = [card for card in pack if card not in hand]
        hands.append(".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "SHDC"))
    return "N:" + " ".join(hands)


def test_an_agreed_text_says_what_it_does_not_prove(made: BoardSet) -> None:
    lottery = DelayedInformation(DelayedKind.LOTTERY, "6 of 49", date(2026, 1, 1))
    other = boards.make(
        actor=System("test"),
        competition=made.competition,
        round=made.competition.stage.rounds.get(number=2),
        count=4,
        delayed=lottery,
    )
    for name in ("board_set", "board_set_check"):
        plain = "doesn’t prove that the people who run this site drew only one key"
        assert plain in Client().get(reverse(name, args=[made.pk])).content.decode()
        assert plain not in Client().get(reverse(name, args=[other.pk])).content.decode()
