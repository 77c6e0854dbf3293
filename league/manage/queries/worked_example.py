"""How points and tie-breaks work: four pairs that play each other once, or a table that plays three rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from engine.contest.points.scheme import PointsScheme
from engine.contest.results import Ending, Entry, ResultLine
from engine.contest.standings import explanation
from engine.contest.standings.standings import standings
from engine.contest.standings.table import Row
from league import extension
from league.web.number_format import decimal_text, exact_text
from league.web.wording import in_words

# Round, home, away, points of both: by a usual scheme two of the pairs are level in the end.
_PLAYED = (
    (1, 1, 4, 210, 150),
    (1, 2, 3, 190, 150),
    (2, 3, 1, 160, 150),
    (2, 4, 2, 175, 180),
    (3, 1, 2, 165, 155),
    (3, 3, 4, 140, 140),
)
_NAMES = "ABCD"
# What up to four at one table score in each round: some are level.
_AT_A_TABLE = ((60, 45, 30, 15), (20, 50, 50, 35), (45, 15, 40, 10))


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """One pair of the example's table; `parted` says what puts it below the pair above, where these are level."""

    place: str
    pair: str
    record: str
    points: str
    parted: str


@dataclass(frozen=True, slots=True)
class Example:
    """The results and the table that they make."""

    results: tuple[str, ...]
    rows: tuple[ExampleRow, ...]
    is_for_two: bool = True


def example_for(port: extension.GamePort, scheme: PointsScheme, tie_breaks: Sequence[str]) -> Example:
    """The example for a game with so many sides."""
    return example(scheme, tie_breaks) if port.is_for_two else _at_a_table(port, scheme, tie_breaks)


def _at_a_table(port: extension.GamePort, scheme: PointsScheme, tie_breaks: Sequence[str]) -> Example:
    sides = min(port.sides[-1], len(_NAMES))
    results = [
        ResultLine.of(
            number,
            number,
            [(key, Ending.PLAYED, score) for key, score in enumerate(scores[:sides], start=1)],
            lower_is_better=port.lower_is_better,
        )
        for number, scores in enumerate(_AT_A_TABLE, start=1)
    ]
    entries = [Entry(key, seed=key) for key in range(1, sides + 1)]
    table = standings(entries, results, scheme, tuple(tie_breaks))
    return Example(
        results=tuple(
            ", ".join(f"{_NAMES[key]} {decimal_text(score)}" for key, score in enumerate(scores[:sides]))
            for scores in _AT_A_TABLE
        ),
        rows=tuple(
            replace(
                _row(row, table.rows[index - 1] if index else None),
                pair=_NAMES[int(row.entry) - 1],
                record=" + ".join(exact_text(line.points) for line in row.contributions),
            )
            for index, row in enumerate(table.rows)
        ),
        is_for_two=False,
    )


def example(scheme: PointsScheme, tie_breaks: Sequence[str]) -> Example:
    """The table of the four pairs by this scheme and these tie-breaks (keys of metrics)."""
    results = [
        ResultLine.of(number, round_, [(home, Ending.PLAYED, home_score), (away, Ending.PLAYED, away_score)])
        for number, (round_, home, away, home_score, away_score) in enumerate(_PLAYED, start=1)
    ]
    table = standings([Entry(key, seed=key) for key in range(1, 5)], results, scheme, tuple(tie_breaks))
    return Example(
        results=tuple(
            _("%(home)s – %(away)s %(home_score)s : %(away_score)s")
            % {
                "home": _name(home),
                "away": _name(away),
                "home_score": decimal_text(home_score),
                "away_score": decimal_text(away_score),
            }
            for _round, home, away, home_score, away_score in _PLAYED
        ),
        rows=tuple(
            _row(row, table.rows[index - 1] if index else None) for index, row in enumerate(table.rows)
        ),
    )


def _name(key: int) -> str:
    return _("Side %(letter)s") % {"letter": _NAMES[key - 1]}


def _row(row: Row, above: Row | None) -> ExampleRow:
    is_level = above is not None and above.league_points == row.league_points
    parting = row.separated_by if is_level else None
    return ExampleRow(
        place=f"{row.place}." if row.place is not None and not row.is_shared else f"={row.place}",
        pair=_name(int(row.entry)),
        record=f"{row.won} – {row.drawn} – {row.lost}",
        points=exact_text(row.league_points),
        parted=in_words(explanation.separation(parting)) if parting else "",
    )
