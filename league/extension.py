"""What the league asks of the card games without knowing any: the games layer registers one port a game."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.errors import Invalid

Text: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game's rules, with all that a form needs to ask for it.

    `kind` is "number" (whole, from `minimum` to `maximum`), "yes-no", "choice" (one of the keys of `choices`) or
    "text" (of at most `maximum` characters). Labels may be lazy, so that each reader gets them in his own language.
    One that `is_set_elsewhere` follows from another part of the set-up, and is not asked for.
    """

    name: str
    kind: str
    default: int | bool | str
    label: Text
    help: Text = ""
    choices: tuple[tuple[str, Text], ...] = ()
    minimum: int = 0
    maximum: int = 0
    is_set_elsewhere: bool = False


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


class SetupPart(Protocol):
    """Something that competitions can be set up with and of which the league knows no more than its options.

    It is asked for with the rules of play, kept with the draft, undone with it, and told before publishing.
    """

    key: str
    title: Text
    options: tuple[OptionField, ...]

    def read(self, competition: Any) -> dict[str, Any]:
        """What the competition has of it, as JSON; the defaults for None."""

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values as they are kept. Raises league.errors.Invalid with every fault in `details`."""

    def rules(
        self, before: Mapping[str, Any], given: Mapping[str, Any], rules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The rules of play that a change of it asks for."""

    def write(self, competition: Any, values: Mapping[str, Any]) -> None:
        """Keeps the values with a draft, in the caller's transaction."""

    def told(self, competition: Any) -> Sequence[str]:
        """What everybody is told of it, in sentences; nothing where the competition has nothing of it."""


_setup_parts: dict[str, SetupPart] = {}


def register_setup_part(part: SetupPart) -> None:
    """Offers a part of the set-up. A later registration under the same key replaces the earlier one."""
    _setup_parts[part.key] = part


def setup_parts() -> tuple[SetupPart, ...]:
    """All parts that games have registered, in the order of their keys."""
    return tuple(_setup_parts[key] for key in sorted(_setup_parts))


class DrawListener(Protocol):
    """Is told that the matches of a published competition are there, or that there are new ones."""

    def __call__(self, *, actor: Any, competition: Any) -> None: ...


_draw_listeners: list[DrawListener] = []


def register_draws(listen: DrawListener) -> None:
    """Wants to know in the same transaction when a competition is published, drawn again, or gets more matches."""
    if listen not in _draw_listeners:
        _draw_listeners.append(listen)


def tell_drawn(*, actor: Any, competition: Any) -> None:
    """Says that a published competition has matches that it had not before; its row is locked."""
    for listen in _draw_listeners:
        listen(actor=actor, competition=competition)


@dataclass(frozen=True, slots=True)
class PendingSheet:
    """A result that was entered and waits to be confirmed: by the other pair, or by a second person.

    `entered_for` is the key of the entry that entered it, None where an official did. `closes_at` is the end of the
    time for corrections where a result is confirmed already.
    """

    fixture: int
    entered_by: int
    entered_for: int | None
    home_total: int
    away_total: int
    closes_at: datetime | None = None
    vouched: frozenset[int] = frozenset()
    """The entries that have given their word for it already."""

    def is_open(self, at: datetime) -> bool:
        """Whether the other side can still confirm it."""
        return self.closes_at is None or at < self.closes_at


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
    """Is told that a director has decided a fixture without play, or takes that back, and why."""

    def __call__(self, *, actor: Any, fixture: Any, reason: str) -> None: ...


_ruling_listeners: list[RulingListener] = []


def register_rulings(listen: RulingListener) -> None:
    """Wants to know in the same transaction when a director decides a fixture without play."""
    if listen not in _ruling_listeners:
        _ruling_listeners.append(listen)


def tell_ruling(*, actor: Any, fixture: Any, reason: str) -> None:
    """Says that a director has decided a fixture without play, or takes that back; its row is locked."""
    for listen in _ruling_listeners:
        listen(actor=actor, fixture=fixture, reason=reason)


class SubstituteListener(Protocol):
    """Is told that somebody was named to play in another's place; raises Conflict where that cannot be."""

    def __call__(self, *, actor: Any, fixture: Any, substitute: Any, reason: str) -> None: ...


_substitute_listeners: list[SubstituteListener] = []


def register_substitutes(listen: SubstituteListener) -> None:
    """Wants to know in the same transaction who was named to play in another's place."""
    if listen not in _substitute_listeners:
        _substitute_listeners.append(listen)


def tell_substituted(*, actor: Any, fixture: Any, substitute: Any, reason: str) -> None:
    """Says that somebody was named to play in another's place; the fixture's row is locked."""
    for listen in _substitute_listeners:
        listen(actor=actor, fixture=fixture, substitute=substitute, reason=reason)


class AccountListener(Protocol):
    """Is told that an account is, or was until now, a player's."""

    def __call__(self, *, player: Any, user: Any) -> None: ...


_account_listeners: list[AccountListener] = []


def register_accounts(listen: AccountListener) -> None:
    """Wants to know in the same transaction whose accounts players are and were."""
    if listen not in _account_listeners:
        _account_listeners.append(listen)


def tell_account(*, player: Any, user: Any) -> None:
    """Says that an account is, or was until now, a player's."""
    for listen in _account_listeners:
        listen(player=player, user=user)


@dataclass(frozen=True, slots=True)
class OddResult:
    """A result that was accepted although something about it is odd: a director should look at it.

    `steps` are what can be done about it beside looking at the match: label and address.
    """

    fixture: int
    remarks: tuple[str, ...]
    steps: tuple[tuple[Text, str], ...] = ()


OddReader: TypeAlias = Callable[[Collection[int], Any], Mapping[int, OddResult]]

_odd_readers: list[OddReader] = []


def register_odd_results(read: OddReader) -> None:
    """Offers to say which fixtures have a result with a mark for the director."""
    if read not in _odd_readers:
        _odd_readers.append(read)


def odd_results(fixtures: Collection[int], reader: Any) -> dict[int, OddResult]:
    """The results with a mark, by the key of their fixture, as far as this reader may know of it."""
    found: dict[int, OddResult] = {}
    for read in _odd_readers if fixtures else ():
        found.update(read(fixtures, reader))
    return found


@dataclass(frozen=True, slots=True)
class ReportedMatter:
    """Something that a game wants an official of the club to do, as the desk shows it.

    `group` is one of league.desk.queries.items.GROUPS, `mark` a word for its kind, `tone` green, brass or red; `steps`
    are buttons, label and address. With a `key` that names it for good it can be put aside as seen.
    """

    group: str
    mark: Text
    tone: str
    what: str
    url: str
    why_now: str
    steps: tuple[tuple[Text, str], ...] = ()
    key: str = ""


class MatterReader(Protocol):
    """Says what a game asks of the desk of a club, for this person, in a few queries."""

    def __call__(self, *, club: Any, user: Any, at: datetime) -> Iterable[ReportedMatter]: ...


_matter_readers: list[MatterReader] = []


def register_matters(read: MatterReader) -> None:
    """Offers to report matters to the desk."""
    if read not in _matter_readers:
        _matter_readers.append(read)


def reported_matters(*, club: Any, user: Any, at: datetime) -> Iterator[ReportedMatter]:
    """What all games report."""
    for read in _matter_readers:
        yield from read(club=club, user=user, at=at)


class ReasonMask(Protocol):
    """Names those of these audit entries, by key, whose reason this person may not read yet."""

    def __call__(self, *, reader: Any, entries: Collection[Any]) -> frozenset[int]: ...


_reason_masks: list[ReasonMask] = []


def register_reason_mask(mask: ReasonMask) -> None:
    """Offers to keep reasons in the trail from people whom they would tell too much of a game."""
    if mask not in _reason_masks:
        _reason_masks.append(mask)


def masked_reasons(*, reader: Any, entries: Collection[Any]) -> frozenset[int]:
    """The keys of entries whose reason is kept from the reader."""
    return frozenset().union(*(mask(reader=reader, entries=entries) for mask in _reason_masks))


RoundReader: TypeAlias = Callable[[Any], Iterable[tuple[str, Text]]]

_round_readers: list[RoundReader] = []


def register_round_parts(read: RoundReader) -> None:
    """Offers parts for the page of a round: names of addresses that take club, competition and number, and labels."""
    if read not in _round_readers:
        _round_readers.append(read)


def round_parts(played: Any) -> tuple[tuple[str, Text], ...]:
    """The parts that games offer for this round."""
    return tuple(part for read in _round_readers for part in read(played))


Page: TypeAlias = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class FormatPages:
    """How competitions of a format are shown that have no table of league points.

    `front` draws the page at a competition's own address from the request and the competition. `tabs` and `director`
    (where it is set up and run) name addresses that take the club's word and the competition's.
    """

    front: Page
    tabs: tuple[tuple[str, Text], ...]
    director: str


_format_pages: dict[str, FormatPages] = {}


TabReader: TypeAlias = Callable[[Any], Iterable[tuple[str, Text]]]

_tab_readers: list[TabReader] = []


def register_tabs(read: TabReader) -> None:
    """Offers further pages of a competition: the names of their addresses, and the labels of their tabs."""
    if read not in _tab_readers:
        _tab_readers.append(read)


def more_tabs(competition: Any) -> tuple[tuple[str, Text], ...]:
    """The further pages that games offer for this competition."""
    return tuple(tab for read in _tab_readers for tab in read(competition))


def register_competition_page(kind: str, pages: FormatPages) -> None:
    """Offers the pages for competitions of a format. A later registration replaces the earlier one."""
    _format_pages[kind] = pages


def competition_pages(kind: str) -> FormatPages | None:
    """The pages for competitions of that format; None where the league shows them itself."""
    return _format_pages.get(kind)


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """Something under way in which a person has a place: where, and what to do. `lines` are label and text."""

    title: str
    url: str
    lines: tuple[tuple[Text, str], ...]
    steps: tuple[tuple[Text, str], ...] = ()


class OwnEventReader(Protocol):
    """Says what a person is in the middle of, in a few queries."""

    def __call__(self, *, user: Any, at: datetime) -> Iterable[OwnEvent]: ...


_own_event_readers: list[OwnEventReader] = []


def register_own_events(read: OwnEventReader) -> None:
    """Offers to say what people are in the middle of."""
    if read not in _own_event_readers:
        _own_event_readers.append(read)


def own_events(*, user: Any, at: datetime) -> tuple[OwnEvent, ...]:
    """What this person is in the middle of."""
    return tuple(event for read in _own_event_readers for event in read(user=user, at=at))
