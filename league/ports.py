"""What the league asks of the card games without knowing any: the games layer registers one port a game."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

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


@dataclass(frozen=True, slots=True)
class PendingSheet:
    """A result that was entered and waits to be confirmed: by the other pair, or by a second person.

    `entered_for` is the key of the entry that entered it, None where an official did.
    """

    fixture: int
    entered_by: int
    entered_for: int | None
    home_total: int
    away_total: int


PendingReader: TypeAlias = Callable[[Collection[int]], Mapping[int, PendingSheet]]

_pending_readers: list[PendingReader] = []


def register_pending_sheets(read: PendingReader) -> None:
    """Offers to say which fixtures have a result that waits to be confirmed."""
    if read not in _pending_readers:
        _pending_readers.append(read)


def pending_sheets(fixtures: Collection[int]) -> dict[int, PendingSheet]:
    """The results that wait to be confirmed, by the key of their fixture."""
    found: dict[int, PendingSheet] = {}
    for read in _pending_readers if fixtures else ():
        found.update(read(fixtures))
    return found


class RulingListener(Protocol):
    """Is told that a director has decided a fixture without play, and why."""

    def __call__(self, *, actor: Any, fixture: Any, reason: str) -> None: ...


_ruling_listeners: list[RulingListener] = []


def register_rulings(listen: RulingListener) -> None:
    """Wants to know in the same transaction when a director decides a fixture without play."""
    if listen not in _ruling_listeners:
        _ruling_listeners.append(listen)


def tell_ruling(*, actor: Any, fixture: Any, reason: str) -> None:
    """Says that a director has decided a fixture without play; its row is locked."""
    for listen in _ruling_listeners:
        listen(actor=actor, fixture=fixture, reason=reason)


@dataclass(frozen=True, slots=True)
class OddResult:
    """A result that was accepted although something about it is odd: a director should look at it."""

    fixture: int
    remarks: tuple[str, ...]


OddReader: TypeAlias = Callable[[Collection[int]], Mapping[int, OddResult]]

_odd_readers: list[OddReader] = []


def register_odd_results(read: OddReader) -> None:
    """Offers to say which fixtures have a result with a mark for the director."""
    if read not in _odd_readers:
        _odd_readers.append(read)


def odd_results(fixtures: Collection[int]) -> dict[int, OddResult]:
    """The results with a mark, by the key of their fixture."""
    found: dict[int, OddResult] = {}
    for read in _odd_readers if fixtures else ():
        found.update(read(fixtures))
    return found
