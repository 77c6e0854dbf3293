"""What the league asks of the card games without knowing any: one object of the games layer answers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from engine.contest.draws.seating import table_sizes
from league.errors import Invalid

Text: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game's rules, with all that a form needs to ask for it.

    `kind` is "number" (whole, from `minimum` to `maximum`), "yes-no", "choice" (one of the keys of `choices`) or
    "text" (of at most `maximum` characters). Labels may be lazy, so that readers get them in their own language.
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
    lineup_size: int = 2
    """How many players play together on a side: 1 where each plays alone."""
    sides: tuple[int, ...] = (2,)
    """How many sides a match can have, from the fewest to the most."""
    table_sizes: tuple[int, ...] = ()
    """How many sit at a table in a competition, where the game's preset wants fewer than `sides` allow."""
    lower_is_better: bool = False
    """Whether the lowest score of a match is the best."""
    goes_below_zero: bool = False
    """Whether the points of a side can be below zero."""
    has_boards: bool = False
    """Whether its deals can be played again at other tables."""
    deals_in_match: Callable[[Mapping[str, Any]], int] = field(default=lambda _rules: 1)
    """How many deals a match by these rules has; 1 where that shows only in the end."""
    preset: Mapping[str, Any] = field(default_factory=dict)
    """What the set-up of a new competition begins with where that is not the default, by its field: "rules_deals"."""

    points: Mapping[str, Any] = field(default_factory=dict)
    """The points of a match that a new competition begins with, as engine.contest.points.parsing reads them."""

    @property
    def is_for_two(self) -> bool:
        """Whether all its matches are of two sides."""
        return self.sides == (2,)

    @property
    def suits_tables(self) -> bool:
        """Whether three or more meet at a table, each alone."""
        return not self.is_for_two and self.lineup_size == 1

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """How many sit at a table, from the fewest to the most."""
        return self.table_sizes or self.sides

    @property
    def table_in_words(self) -> str:
        """The same, for people."""
        least, most = self.usual_sizes[0], self.usual_sizes[-1]
        if least == most:
            return _("%(count)d at a table") % {"count": most}
        return _("%(least)d to %(most)d at a table") % {"least": least, "most": most}

    def sizes_for(self, players: int) -> tuple[int, ...]:
        """How many can sit at a table when so many play: as usual, unless somebody would have no seat then."""
        usual = self.usual_sizes
        is_enough = players >= usual[0] and sum(table_sizes(players, usual[-1], usual)) == players
        return usual if is_enough else self.sides

    @property
    def has_boards_for_pairs(self) -> bool:
        """Whether two pairs meet at a table, on boards that others can play: for evenings, and teams of four."""
        return self.is_for_two and self.lineup_size == 2 and self.has_boards


@dataclass(frozen=True, slots=True)
class ExtraBoard:
    """A board of the reserve that a level match plays, and who deals it, in words."""

    number: int
    dealer: str


class SetupPart(Protocol):
    """A part of the set-up of competitions; the league knows only its options.

    It is asked for with the rules of play, kept with the draft, undone with it, and shown before publishing.
    """

    key: str
    title: Text
    options: tuple[OptionField, ...]

    def suits(self, game: GamePort) -> bool:
        """Whether competitions in this game can have it."""

    def read(self, competition: Any) -> dict[str, Any]:
        """What the competition has of it, as JSON; the defaults for None."""

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values as they are kept. Raises league.errors.Invalid with every fault in `details`."""

    def rules(
        self,
        port: GamePort,  # noqa: ARG002 (for parts that change some)
        before: Mapping[str, Any],  # noqa: ARG002
        given: Mapping[str, Any],  # noqa: ARG002
        rules: Mapping[str, Any],
    ) -> dict[str, Any]:
        """The rules of play in this game that a change of it asks for; as they are, where a part changes none."""
        return dict(rules)

    def for_teams(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values as teams of four need them, whatever was chosen."""
        return dict(values)

    def write(self, competition: Any, values: Mapping[str, Any]) -> None:
        """Keeps the values with a draft, in the caller's transaction."""

    def told(self, competition: Any) -> Sequence[str]:
        """What everybody is told of it, in sentences; nothing where the competition has nothing of it."""


@dataclass(frozen=True, slots=True)
class PendingSheet:
    """A result that was entered and waits to be confirmed: by the other pair, or by a second person.

    `entered_for` is the key of the entry that entered it, None where an official did. `closes_at` is the end of the
    time for corrections where a result is confirmed already.
    """

    fixture: int
    entered_by: int
    entered_for: int | None
    totals: tuple[int, ...]
    closes_at: datetime | None = None
    vouched: frozenset[int] = frozenset()
    """The entries that have given their word for it already."""

    def is_open(self, at: datetime) -> bool:
        """Whether the other side can still confirm it."""
        return self.closes_at is None or at < self.closes_at


@dataclass(frozen=True, slots=True)
class UnusualResult:
    """A result that was accepted although something about it is odd: a director should look at it.

    `steps` are what can be done about it beside looking at the match: label and address.
    """

    fixture: int
    remarks: tuple[str, ...]
    steps: tuple[tuple[Text, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportedItem:
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


@dataclass(frozen=True, slots=True)
class FormatPages:
    """How competitions of a format are shown that have no table of league points.

    `front` draws the page at a competition's own address from the request and the competition. `tabs` and `director`
    (where it is set up and run) name addresses that take the club's word and the competition's.
    """

    front: Callable[[Any, Any], Any]
    tabs: tuple[tuple[str, Text], ...]
    director: str


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """Something under way in which a person has a place: where, and what to do. `lines` are label and text."""

    title: str
    url: str
    lines: tuple[tuple[Text, str], ...]
    steps: tuple[tuple[Text, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """How anybody can try a game: a whole deal with robots; first steps and rules, empty where there are none."""

    game: Text
    deal_url: str
    lessons_url: str
    rules_url: str


class GamesLayer(Protocol):
    """All that the league asks of the games, and tells them. What is told is told in the transaction of the change.

    `pages` and `tabs` are names of addresses that take the club's word and the competition's (`round_parts`: and the
    round's number), with their labels.
    """

    games: Mapping[str, GamePort]
    setup_parts: Sequence[SetupPart]
    pages: Mapping[str, FormatPages]
    """By the format of a competition; formats that are not in it are shown by the league itself."""

    beside_competition: Sequence[str]
    beside_fixture: Sequence[str]
    """Rows of the games that most pages of a competition or a match need, by the way to them: read in one query."""

    # Asked

    def pending_sheets(self, fixtures: Collection[int]) -> Mapping[int, PendingSheet]:
        """The results that wait to be confirmed, by the key of their fixture."""

    def unusual_results(self, fixtures: Collection[int], reader: Any) -> Mapping[int, UnusualResult]:
        """The results with a mark for the director, by the key of their fixture, as far as this reader may know."""

    def without_sealed(self, fixtures: Any) -> Any:
        """Of these matches (a query) those that play no board which others may still have to play, as a query."""

    def desk_items(self, *, club: Any, user: Any, at: datetime) -> Iterable[ReportedItem]:
        """What the games ask of the desk of a club, for this person, in a few queries."""

    def own_events(self, *, user: Any, at: datetime, cookies: Mapping[str, str]) -> Iterable[OwnEvent]:
        """What this person is in the middle of, and has begun in this browser without an account, in a few queries."""

    def calling_table(self, user: Any) -> OwnEvent | None:
        """The table at which a match of this person, or a club of theirs, waits for them, in a query."""

    def offers(self, *, user: Any, at: datetime) -> Iterable[OwnEvent]:
        """What a visitor of the front page can play today, or has played."""

    def own_data(self, *, user: Any) -> dict[str, Any]:
        """What the games keep of this person, by part, as JSON: no cards, and nothing of others."""

    def masked_reasons(self, *, reader: Any, entries: Collection[Any]) -> frozenset[int]:
        """The keys of those audit entries whose reason this person may not read yet: it would tell too much."""

    def tabs(self, competition: Any) -> Iterable[tuple[str, Text]]:
        """Further pages of this competition."""

    def seeds(self, *, competition: Any, at: datetime) -> Mapping[int, float]:
        """How strong each entry is by its players’ grades, by key: the highest is seeded first."""

    def provisional(self, *, competition: Any, at: datetime) -> Collection[int]:
        """The keys of those entries whose players all have a provisional grade, and hide it from nobody."""

    def places(self, *, competition: Any) -> Sequence[Sequence[tuple[int, int]]]:
        """Where boards are ranked instead of points: the entries of each field by key, the best first, with places."""

    def round_parts(self, played: Any) -> Iterable[tuple[str, Text]]:
        """Parts for the page of this round."""

    def sits_somewhere(self, *, user: Any) -> bool:
        """Whether this person has a seat at a table that is open."""

    # Told

    def stand_up(self, *, user: Any) -> None:
        """The person leaves every seat they have, as by a press; each table in a transaction of its own."""

    def erased(self, *, players: Collection[int], user: Any) -> None:
        """These players, and the account where it goes too, are erased: what shows or tells their name goes."""

    def copied(self, *, original: Any, made: Any) -> None:
        """A draft was made like another competition, with its set-up but for what the format has beside it."""

    def drawn(self, *, actor: Any, competition: Any) -> None:
        """A published competition has matches that it had not before; its row is locked."""

    def extra_boards(
        self, levels: Collection[tuple[int, int]]
    ) -> Mapping[tuple[int, int], Sequence[ExtraBoard]]:
        """The sealed boards that level matches of a knock-out play next: by round, by key, and sets played before."""

    def tie_decided(self, *, fixture: Any) -> None:
        """It is known who goes on from the level match: the rest of its boards may be waited for no longer."""

    def trials(self) -> Iterable[Trial]:
        """The games that somebody without an account can try, the usual one first."""

    def rules_url(self, game_key: str) -> str:
        """Where the rules of a game stand in plain words; empty where they do not."""

    def ruled(self, *, actor: Any, fixture: Any, reason: str) -> None:
        """A director has decided a fixture without play, or taken that back; its row is locked."""

    def substituted(self, *, actor: Any, fixture: Any, substitute: Any, reason: str) -> None:
        """Somebody was named to play in another's place; the fixture's row is locked. Raises Conflict."""

    def linked(self, *, player: Any, user: Any) -> None:
        """An account is, or was until now, a player's."""


_connected: list[GamesLayer] = []


def connect(games: GamesLayer) -> None:
    """Called by the games layer, once, when the application is ready."""
    _connected[:] = [games]


def layer() -> GamesLayer:
    """The games layer."""
    return _connected[0]


def game(key: str) -> GamePort:
    """The game with this key; raises Invalid when there is none."""
    try:
        return layer().games[key]
    except KeyError:
        raise Invalid(
            _("There is no game called “%(key)s”. Choose one from the list.") % {"key": str(key)[:60]}
        ) from None


def first_game() -> str:
    """The key of the game that is played where nobody chose one and none was played before."""
    return next(iter(layer().games))
