"""The pages for developers name every room and every model there is."""

import re
from pathlib import Path

from django.apps import apps

from tests.architecture.sources import ROOT

LAYERS = ("config", "engine", "games", "league")
#: Folders that Django looks for by their names: no rooms.
DJANGO = {"management", "migrations", "templatetags"}


def test_every_room_is_in_the_table():
    text = (ROOT / "docs/development.md").read_text(encoding="utf-8")
    named: set[str] = set()
    for row in re.findall(r"^\| (`[^|]*`) \|", text.split("## Rooms")[1].split("\n## ")[0], re.M):
        layer, *_rest = row.strip("`").split("/")
        named |= {f"{layer}/{name.split('/')[-2]}" for name in re.findall(r"`([^`]+/)`", row)}
    rooms = {
        str(Path(layer, path.name))
        for layer in LAYERS
        for path in (ROOT / layer).iterdir()
        if path.is_dir() and any(path.rglob("*.py")) and path.name not in DJANGO
    }
    assert rooms - named == set()
    assert named - rooms == set()


def test_every_model_is_named():
    text = (ROOT / "docs/data-model.md").read_text(encoding="utf-8")
    models = {model.__name__ for model in apps.get_models() if model.__module__.split(".")[0] in LAYERS}
    assert {name for name in models if not re.search(rf"\b{name}\b", text)} == set()
