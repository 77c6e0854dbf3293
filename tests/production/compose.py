"""docker-compose.yml and docs/production.md as these tests read them: with variables filled in, and block by block."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

BASE = Path(__file__).resolve().parents[2]
#: What docs/production.md has an operator write into `.env`.
REQUIRED = ("SECRET_KEY", "BOARD_KEYS", "POSTGRES_PASSWORD", "ALLOWED_HOSTS", "EMAIL_URL")
VARIABLE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<said>[^}]*))?\})")


class MissingVariable(Exception):
    """A variable that compose requires is not set; the message is the one in the file."""


def variables(file: Path) -> dict[str, str]:
    """What an `.env` file sets."""
    pairs = (line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, value in pairs if not name.startswith("#")}


def read(folder: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """The file as compose reads it there: anchors resolved, variables filled in."""
    found: dict[str, Any] = yaml.safe_load((folder / "docker-compose.yml").read_text(encoding="utf-8"))
    return {key: filled(value, environment) for key, value in found.items() if key in {"services", "volumes"}}


def filled(value: Any, environment: Mapping[str, str]) -> Any:
    """The same with every `${NAME:-default}`, `${NAME:?message}` and `$$` replaced."""
    if isinstance(value, dict):
        return {key: filled(each, environment) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, environment) for each in value]

    def put(found: re.Match[str]) -> str:
        if found["dollar"]:
            return "$"
        given = environment.get(found["name"], "")
        if not given and found["kind"] == "?":
            raise MissingVariable(found["said"])
        return given or (found["said"] or "")

    return VARIABLE.sub(put, value) if isinstance(value, str) else value


def blocks(heading: str, page: str = "docs/production.md") -> list[str]:
    """The indented blocks under a heading of the document, without their indentation."""
    text = (BASE / page).read_text(encoding="utf-8")
    under = re.split(r"^## ", text, flags=re.MULTILINE)
    section = next(each for each in under if each.startswith(f"{heading}\n"))
    found = re.findall(r"(?:^ {4}.*\n(?:\n(?= {4}))*)+", section, flags=re.MULTILINE)
    return [re.sub(r"^ {4}", "", each, flags=re.MULTILINE) for each in found]
