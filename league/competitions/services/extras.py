"""The parts of a competition's set-up that games add: read, checked and kept without knowing what they mean."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from league import extension, validation
from league.errors import Invalid
from league.models import Competition

Extra: TypeAlias = Mapping[str, Mapping[str, Any]]


def read(competition: Competition | None) -> dict[str, dict[str, Any]]:
    """What the competition has of every part, by the part's key; the defaults for None."""
    return {part.key: part.read(competition) for part in extension.layer().setup_parts}


def write(competition: Competition, extra: Extra) -> None:
    """Keeps what is given with a draft; a part that is left out stays, and one that the game cannot have goes."""
    game = extension.game(competition.game)
    for part in extension.layer().setup_parts:
        if not part.suits(game):
            part.write(competition, part.read(None))
        elif part.key in extra:
            part.write(competition, part.check(extra[part.key]))


def for_teams(competition: Competition | None, game: str, extra: Extra) -> dict[str, Mapping[str, Any]]:
    """What is given, and what the competition has, as teams of four need it."""
    port = extension.layer().games.get(game)
    suiting = [part for part in extension.layer().setup_parts if port and part.suits(port)]
    wanted = {part.key: part.for_teams(extra.get(part.key) or part.read(competition)) for part in suiting}
    return {**extra, **wanted}


def faults(game: str, extra: Extra) -> list[validation.Fault]:
    """Everything that is wrong with what is given."""
    found: list[validation.Fault] = []
    for part in _given(game, extra):
        try:
            part.check(extra[part.key])
        except Invalid as refusal:
            found += validation.under(refusal, "extra", part.key)
    return found


def rules(
    competition: Competition | None, game: str, extra: Extra, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The rules of play that are given, with what the parts ask for. Raises Invalid for a game that is not there."""
    wanted = dict(given)
    port = extension.game(game)
    for part in _given(game, extra):
        wanted = part.rules(port, part.read(competition), extra[part.key], wanted)
    return wanted


def differ(competition: Competition, extra: Extra) -> bool:
    """Whether what is given is not what the competition has."""
    return bool(_changed(competition, extra))


def changed_in_words(competition: Competition, extra: Extra) -> list[Any]:
    """The names of the parts that would change."""
    return [part.title for part in _changed(competition, extra)]


def _changed(competition: Competition, extra: Extra) -> list[extension.SetupPart]:
    return [
        part
        for part in _given(competition.game, extra)
        if part.read(competition) != part.check(extra[part.key])
    ]


def _given(key: str, extra: Extra) -> list[extension.SetupPart]:
    """The parts that something is given of, as far as the game of that key can have them."""
    game = extension.layer().games.get(key)
    return [part for part in extension.layer().setup_parts if part.key in extra and game and part.suits(game)]
