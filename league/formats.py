"""The formats a stage can have: who meets whom in its divisions, and what a director can choose of each."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.contest import knockout, ladder
from engine.contest.draws import seating
from engine.contest.draws.round_robin import berger, double_berger
from engine.contest.draws.swiss import SwissEntry, SwissField, advised_rounds
from engine.contest.draws.tables import TableRound, rotations

Options = Mapping[str, Any]
USUAL_SEATS = 4


@dataclass(frozen=True, slots=True)
class Way:
    """A format with its options, as a director chooses it."""

    label: Promise
    options: Options


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the registry. `ways` go by the names that forms and the API have for them.

    `draw` gives the rounds for so many entries, with the numbers of sides that a match can have. A format without it
    is seated by a movement on pages of its own, and has no table of points. With `is_by_round` it gives the first round
    and how many follow: each of those is drawn from the results before it, and two meet in a match; where partners
    change the first one is drawn by itself, too. With `is_bracket` too the winners of a round meet in the next one, and
    the losers are out. With `is_at_tables` too each round, the first one as well, has tables of several, so that
    everybody meets as evenly as possible. With `is_ladder` nothing is drawn: who takes part stands in an order and
    challenges those above.
    """

    key: str
    ways: Mapping[str, Way]
    draw: Callable[[int, Options, tuple[int, ...]], tuple[TableRound, ...]] | None = None
    is_by_round: bool = False
    is_bracket: bool = False
    is_at_tables: bool = False
    is_ladder: bool = False
    most_entries: int = 60
    """In one division."""

    @property
    def is_evening(self) -> bool:
        """Whether a movement seats everybody."""
        return self.draw is None


def _round_robin(entries: int, options: Options, sides: tuple[int, ...]) -> tuple[TableRound, ...]:
    if sides != (2,):
        return rotations(entries, seats_of(sides), allowed=sides, meetings=options["meetings"])
    drawn = double_berger(entries) if options["meetings"] == 2 else berger(entries)
    return tuple(map(TableRound.of_two, drawn))


def first_of_swiss(
    entries: int,
    apart: Collection[frozenset[int]] = (),
    starts: Mapping[int, Fraction] = MappingProxyType({}),
) -> TableRound:
    """The first round, by draw numbers, and by the points that they bring along (F11).

    Those who are `apart` don't meet. Raises ImpossibleDrawError.
    """
    field = SwissField(
        tuple(
            SwissEntry(number, number, starts.get(number, Fraction(0))) for number in range(1, entries + 1)
        ),
        forbidden=frozenset(map(frozenset[int | str], apart)),
    )
    drawn = field.draw()
    tables = tuple((int(home), int(away)) for home, away in drawn.tables)
    return TableRound(1, tables, () if drawn.bye is None else (int(drawn.bye),))


def _swiss(entries: int, options: Options, _sides: tuple[int, ...]) -> tuple[TableRound, ...]:
    rounds = options.get(ROUNDS) or advised_rounds(entries)
    if options.get(PARTNERS_CHANGE):
        return tuple(TableRound(number, (), ()) for number in range(1, rounds + 1))
    return first_of_swiss(entries), *(TableRound(n, (), ()) for n in range(2, rounds + 1))


def _knockout(entries: int, options: Options, _sides: tuple[int, ...]) -> tuple[TableRound, ...]:
    bracket = knockout.Bracket(entries)
    tables = tuple((top, bottom) for top, bottom in bracket.first_round if top and bottom)
    # Each leg is a round of its own: it has its own date, and its boards are those of all ties (F43).
    later = (TableRound(number, (), ()) for number in range(2, bracket.rounds * legs_of(options) + 1))
    return TableRound(1, tables, bracket.byes), *later


def _at_tables(_entries: int, options: Options, _sides: tuple[int, ...]) -> tuple[TableRound, ...]:
    rounds = options.get(ROUNDS) or USUAL_ROUNDS_AT_TABLES
    return tuple(TableRound(number, (), ()) for number in range(1, rounds + 1))


def _challenges(_entries: int, _options: Options, _sides: tuple[int, ...]) -> tuple[TableRound, ...]:
    return ()


def seats_of(sides: tuple[int, ...]) -> int:
    """How many sit at a table where a match can have so many sides: four, or the number next to it."""
    return min(sides, key=lambda number: (abs(number - USUAL_SEATS), number))


SINGLE, DOUBLE = "round_robin", "double_round_robin"
EVENING, INDIVIDUALS = "evening", "individual_evening"
SWISS, SWISS_NEIGHBOURS = "swiss", "swiss_neighbours"
SWISS_PLAYERS_EVENING, SWISS_PLAYERS = "swiss_players_evening", "swiss_players"
KNOCKOUT = "knockout"
TABLES_EVENING, TABLES = "tables_evening", "tables"
LADDER, LADDER_SWAP = "ladder", "ladder_swap"
#: The options of a Swiss: its number of rounds (0: as advised), and which of those with equal scores meet.
ROUNDS, SYSTEM = "rounds", "system"
MOST_ROUNDS = 30
USUAL_ROUNDS_AT_TABLES = 4
#: What can be said of a Swiss: in how many of the last rounds repeats are allowed (F21), whether a round is drawn
#: before the results of the one before it are in (F14). Of a knock-out: how many seeds a draw by lot leaves (F40), how
#: many legs a tie has and whether their points are added up (F43, F44), whether there is a match for place 3 (F48).
REPEATS, ONE_BEHIND, PLACED = "repeats", "one_behind", "placed"
LEGS, AGGREGATE, THIRD_PLACE = "legs", "aggregate", "third_place"
#: These by format, each with the most it can be.
ROUND_TERMS: Mapping[str, Mapping[str, int]] = {
    "swiss": {REPEATS: MOST_ROUNDS, ONE_BEHIND: True},
    "knockout": {PLACED: knockout.MOST_ENTRIES, LEGS: max(knockout.LEGS), AGGREGATE: True, THIRD_PLACE: True},
}
ALL_ROUND_TERMS = {name: most for terms in ROUND_TERMS.values() for name, most in terms.items()}
MOVE, SWAP = "move", "swap"
#: Whether players enter alone, and change partners every round (F35, F120).
PARTNERS_CHANGE = "partners_change"
#: Whether all rounds are played on the first day.
ON_ONE_DAY = "on_one_day"
#: What can be said of a ladder, with what is usual and the most: places, and days (of idleness 0: it costs nothing).
USUAL_LADDER = ladder.Options()
TERMS: Mapping[str, tuple[int, int]] = {
    "reach": (USUAL_LADDER.reach, 50),
    "answer_days": (USUAL_LADDER.answer_days, 60),
    "play_days": (USUAL_LADDER.play_days, 90),
    "rematch_days": (USUAL_LADDER.rematch_days, 365),
    "idle_days": (0, 365),
}
MOST_ON_A_LADDER = 300
FORMATS = {
    each.key: each
    for each in (
        Format(
            "round_robin",
            {
                SINGLE: Way(_("round robin: everyone meets once"), {"meetings": 1}),
                DOUBLE: Way(_("round robin: everyone meets twice"), {"meetings": 2}),
            },
            _round_robin,
        ),
        Format(
            "swiss",
            {
                SWISS: Way(
                    _("Swiss: in each round those with equal scores meet, upper half against lower half"),
                    {SYSTEM: "halves"},
                ),
                SWISS_NEIGHBOURS: Way(
                    _("Swiss: in each round neighbours in the table meet, first against second"),
                    {SYSTEM: "standing"},
                ),
                SWISS_PLAYERS_EVENING: Way(
                    _(
                        "one evening of players: partners change every round, and those with equal scores meet (Swiss)"
                    ),
                    {PARTNERS_CHANGE: True, ON_ONE_DAY: True},
                ),
                SWISS_PLAYERS: Way(
                    _("Swiss of players: partners change every round, and each round has its own date"),
                    {PARTNERS_CHANGE: True, ON_ONE_DAY: False},
                ),
            },
            _swiss,
            is_by_round=True,
            most_entries=1000,
        ),
        Format(
            "knockout",
            {KNOCKOUT: Way(_("knock-out: the winner of each match goes on, the loser is out"), {})},
            _knockout,
            is_by_round=True,
            is_bracket=True,
            most_entries=knockout.MOST_ENTRIES,
        ),
        Format(
            "tables",
            {
                TABLES_EVENING: Way(
                    _(
                        "one evening at tables: new tables each round, so that players meet as evenly as possible"
                    ),
                    {ON_ONE_DAY: True},
                ),
                TABLES: Way(
                    _("rounds of tables: drawn one by one, so that players meet as evenly as possible"),
                    {ON_ONE_DAY: False},
                ),
            },
            _at_tables,
            is_by_round=True,
            is_at_tables=True,
            most_entries=seating.MOST_ENTRIES,
        ),
        Format(
            "ladder",
            {
                LADDER: Way(
                    _("ladder: challenge someone above you, and take their place if you win"),
                    {MOVE: "insert"},
                ),
                LADDER_SWAP: Way(
                    _("ladder: challenge someone above you, and change places with them if you win"),
                    {MOVE: SWAP},
                ),
            },
            _challenges,
            is_ladder=True,
            most_entries=MOST_ON_A_LADDER,
        ),
        Format(
            "evening",
            {
                INDIVIDUALS: Way(
                    _("duplicate evening of players: partners change every round"), {PARTNERS_CHANGE: True}
                ),
                EVENING: Way(_("duplicate evening: a movement says who plays whom, and which boards"), {}),
            },
        ),
    )
}
MOST_IN_A_DIVISION = max(each.most_entries for each in FORMATS.values())
#: The format that each way is of.
OF_WAY = {name: each for each in FORMATS.values() for name in each.ways}
#: The formats that are drawn and have a table of points: what a season is set up as.
LEAGUES = tuple(each.key for each in FORMATS.values() if each.draw)
CHOICES = [(name, way.label) for each in FORMATS.values() for name, way in each.ways.items()]
EVENING_CHOICES = [(name, way.label) for name, way in FORMATS[EVENING].ways.items()]
LEAGUE_CHOICES = [(name, way.label) for key in LEAGUES for name, way in FORMATS[key].ways.items()]


def name_of(key: str, options: Options) -> str:
    """The way that the options of a format are, by its name."""
    return next(name for name, way in FORMATS[key].ways.items() if way.options.items() <= options.items())


def ladder_options(options: Options) -> ladder.Options:
    """The rules of a ladder (F101 to F105) as its stage has them."""
    terms = terms_of(options)
    idle = terms.pop("idle_days")
    return ladder.Options(is_swap=options.get(MOVE) == SWAP, idle_days=idle or None, **terms)


def round_terms_of(key: str, options: Options) -> dict[str, int]:
    """What these options say of a format whose rounds are drawn one by one; what they leave out is 0, or no."""
    return {name: options.get(name, type(most)()) for name, most in ROUND_TERMS.get(key, {}).items()}


def legs_of(options: Options) -> int:
    """How many legs a tie of a knock-out has (F43)."""
    return options.get(LEGS) or 1


def is_aggregate(options: Options) -> bool:
    """F44: whether the points of all legs are added up; two legs always are, since each side could win one."""
    return bool(options.get(AGGREGATE)) or legs_of(options) % 2 == 0


def legs_in_any_case(options: Options) -> int:
    """How many legs of a tie are played whatever comes of them (F44)."""
    legs = legs_of(options)
    return legs if is_aggregate(options) else legs // 2 + 1


def terms_of(options: Options) -> dict[str, int]:
    """The terms that these options say; what they leave out is usual."""
    return {name: options.get(name, usual) for name, (usual, _most) in TERMS.items()}
