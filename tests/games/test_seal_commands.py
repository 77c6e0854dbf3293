"""The commands that the page names for checking a set: typed as they stand, in a shell, they say what they promise."""

import json
import subprocess
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.notation.boards import Board as NumberedBoard
from engine.notation.formats import FORMATS
from engine.sealing import DelayedInformation, DelayedKind
from games.models import BoardSet
from games.services import boards
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
    played = [NumberedBoard.of(row.number, cards[row.pk]) for row in made.boards.order_by("place")]
    (tmp_path / "boards.pbn").write_bytes(FORMATS["pbn"].write(played))

    found = json.loads(_typed(_command(made, "verify"), tmp_path))
    assert (found["boards"], found["differing"], found["commitment_agrees"]) == (4, [], True)
