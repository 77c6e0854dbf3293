"""What a scoresheet says, as the engine reads it: one reading for preview, submission, display and verification."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import game
from engine.game import CheckedSheet, Game, Problem, Score
from engine.problems import impossible, inconsistent
from engine.text import Word, gettext_noop
from games.fixture_boards import numbers_of
from games.models import Match
from games.seating import Seating, read_seating
from league.idempotency import digest_of
from league.models import Fixture
from league.storage.json_content import parse_json

MOST_DEALS = 64


@dataclass(frozen=True, slots=True)
class Reading:
    """A scoresheet as it was understood.

    `content` is its canonical form: {"first_dealer", "home_side", "seats", "deals"}. `records` and `scores` (JSON)
    have one item a deal; a score is None where the deal is refused. `totals` are
    those of the scores, by side. `points`, `bonus` and `total` map the sides, as the seating
    names them, to points, and `ranks` to places: 1 is the best, and sides that drew share one. All are in the order
    of the match. `next_dealer` deals the deal after the last. `boards` are the numbers
    that the deals go by, where they have some.
    """

    content: dict[str, Any]
    seating: Seating
    problems: tuple[Problem, ...]
    dealers: tuple[str, ...]
    records: tuple[dict[str, Any], ...]
    scores: tuple[dict[str, Any] | None, ...]
    totals: tuple[Mapping[str, int] | None, ...]
    points: Mapping[str, int]
    bonus: Mapping[str, int]
    total: Mapping[str, int]
    ranks: Mapping[str, int]
    counted: int
    is_over: bool
    next_dealer: str
    descriptions: tuple[Any, ...] = ()
    boards: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """Names this very content: what is confirmed is exactly what was shown."""
        return digest_of(self.content)

    @property
    def refused(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.refuses)

    @property
    def suspicious(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if not problem.refuses)

    @property
    def is_accepted(self) -> bool:
        return not self.refused


def read(
    *,
    fixture: Fixture,
    content: object,
    options: Mapping[str, Any] | None = None,
    is_stored: bool = False,
) -> Reading:
    """Reads a sheet's content for a fixture. Never fails on bad content: what is wrong is in `problems`.

    A stored version keeps its seats, no matter who would play in the match today.
    """
    offered = game.get(fixture.round.competition.game)
    given = content if isinstance(content, Mapping) else {}
    deals = given.get("deals")
    body = {"deals": deals[:MOST_DEALS] if isinstance(deals, list) else deals}
    seating = read_seating(fixture, given, is_stored=is_stored)
    chosen = fixture.round.competition.rules if options is None else options
    checked = offered.check_sheet(body, seating.first_dealer, chosen, len(seating.players))
    return replace(_reading(offered, seating, checked, chosen), boards=numbers_of(fixture))


def _reading(offered: Game, seating: Seating, checked: CheckedSheet, options: Mapping[str, Any]) -> Reading:
    # A gap between two deals is no record at all.
    records = tuple({} if record is None else dict(record.as_json()) for record in checked.records)
    *dealers, next_dealer = _dealers(offered, seating, checked.scores, options)
    result = checked.result

    def by_name(figures: Mapping[str, int]) -> dict[str, int]:
        return {name: figures[side] for side, name in seating.names.items()}

    return Reading(
        content={**seating.as_json(), "deals": list(records)},
        seating=seating,
        problems=(*_seating_problems(seating), *checked.problems),
        dealers=tuple(dealers),
        records=records,
        scores=tuple(dict(score.as_json()) if score else None for score in checked.scores),
        totals=tuple(score.total if score else None for score in checked.scores),
        points=by_name(result.points),
        bonus=by_name(result.bonus),
        total=by_name(result.total),
        ranks=by_name(result.ranks),
        counted=result.counted,
        is_over=result.is_over,
        next_dealer=next_dealer,
        descriptions=_descriptions(offered, checked, dealers),
    )


def _dealers(
    offered: Game, seating: Seating, scores: Sequence[Score | None], options: Mapping[str, Any]
) -> Iterator[str]:
    """Who deals each deal and the one after the last: whom the deals before name, else the next player."""
    players, dealer = len(seating.players), seating.first_dealer
    played: list[Score] = []
    yield dealer
    for at, score in enumerate(scores):
        if score is not None and len(played) == at:
            played.append(score)
        named = offered.match(played, options, players).next_dealer if len(played) > at else None
        dealer = named or offered.dealer_after(dealer, 1, players)
        yield dealer


def _descriptions(offered: Game, checked: CheckedSheet, dealers: Sequence[str]) -> tuple[Any, ...]:
    """Each deal for people, where the game's sheets go deeper than totals."""
    records = offered.records
    if records is None:
        return ()
    return tuple(
        records.describe(records.read_record({}, dealer) if record is None else record)
        for record, dealer in zip(checked.records, dealers, strict=True)
    )


def _seating_problems(seating: Seating) -> tuple[Problem, ...]:
    found = [impossible("seating", "%(fault)s", ("seats",), fault=fault) for fault in seating.faults]
    if seating.wrong_dealer:
        found.append(
            inconsistent(
                "first-dealer",
                gettext_noop("By its number, %(seat)s deals the first board."),
                ("first_dealer",),
                proposal=gettext_noop("Let %(seat)s deal first."),
                seat=Word(seating.wrong_dealer),
                computed=seating.first_dealer,
            )
        )
    return tuple(found)


def match_of(fixture: Fixture) -> Match | None:
    """The fixture's match, where a sheet was ever entered."""
    match: Match | None = getattr(fixture, "match", None)
    if match is not None:
        match.fixture = fixture
    return match


def options_of(fixture: Fixture) -> Mapping[str, Any]:
    """The options that the match is played by: its own once it has begun, until then the competition's."""
    match = match_of(fixture)
    options: Mapping[str, Any] = match.options if match else fixture.round.competition.rules
    return options


DEEPEST = 16
LONGEST = 200_000


def read_content(text: str | bytes) -> Any:
    """The JSON value of the text. Raises ValueError for what is no JSON, too long, too deep or not storable."""
    return parse_json(text, longest=LONGEST, deepest=DEEPEST)
