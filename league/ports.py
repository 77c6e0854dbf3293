"""What the league asks of the card games without knowing any: the games layer registers one port a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.errors import Invalid

Text: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game's rules, with all that a form needs to ask for it.

    `kind` is "number" (whole, from `minimum` to `maximum`), "yes-no" or "choice" (one of the keys of `choices`).
    Labels may be lazy, so that each reader gets them in his own language.
    """

    name: str
    kind: str
    default: int | bool | str
    label: Text
    help: Text = ""
    choices: tuple[tuple[str, Text], ...] = ()
    minimum: int = 0
    maximum: int = 0


@dataclass(frozen=True, slots=True)
class GamePort:
    """A card game as the league sees it.

    `read_options` gives the options, complete with defaults, as they are stored in Competition.rules; it raises
    league.errors.Invalid with every fault in `details` (see league.validation.fault).
    """

    key: str
    name: Text
    options: tuple[OptionField, ...]
    read_options: Callable[[Mapping[str, Any]], dict[str, Any]]


_registered: dict[str, GamePort] = {}


def register_game(port: GamePort) -> None:
    """Offers a game for competitions. A later registration under the same key replaces the earlier one."""
    _registered[port.key] = port


def games() -> tuple[GamePort, ...]:
    """All games that a competition can be played in, in the order of their keys."""
    return tuple(_registered[key] for key in sorted(_registered))


def game(key: str) -> GamePort:
    """The game with this key; raises Invalid when there is none."""
    try:
        return _registered[key]
    except KeyError:
        raise Invalid(
            _("There is no game called “%(key)s”. Choose one from the list.") % {"key": str(key)[:60]}
        ) from None
