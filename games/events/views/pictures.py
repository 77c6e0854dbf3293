"""The pictures of a duplicate event, drawn of what the selectors found."""

from collections.abc import Collection, Iterable
from fractions import Fraction

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.events.queries.scorecards import Scorecard
from league.web.charts import Series, line_chart

FEWEST_ROUNDS = 2
MOST_LINES = 24


def of_scorecard(card: Scorecard) -> SafeString | None:
    """What the pair had after each board."""
    lines = [line for part in card.rounds for line in part.lines if line.figure is not None]
    if len(lines) < FEWEST_ROUNDS:
        return None
    values = tuple(_tenths(line.running.percent if card.has_tops else line.running.value) for line in lines)
    unit = _("Percentage so far, board by board") if card.has_tops else _("IMPs so far, board by board")
    return line_chart(
        [Series(str(card.pair), values)],
        steps=list(range(1, len(lines) + 1)),
        title=_("%(what)s: %(pair)s") % {"what": unit, "pair": card.pair},
        highlight=[str(card.pair)],
        of_what=_("Pair"),
    )


def of_field(fields: Iterable[Ranking], own: Collection[int]) -> list[tuple[str, SafeString]]:
    """For each field, what its pairs had after each round; the best two and the visitor's are brought out."""
    pictures = [(ranking.title, _race(ranking, own)) for ranking in fields]
    return [(name, picture) for name, picture in pictures if picture is not None]


def _race(ranking: Ranking, own: Collection[int]) -> SafeString | None:
    rows = [row for row in ranking.rows if row.parts]
    numbers = sorted({part.round for row in rows for part in row.parts})
    if len(numbers) < FEWEST_ROUNDS:
        return None
    mine = [row for row in rows if row.pair.entry in own]
    shown = [*rows[:MOST_LINES], *(row for row in mine if row not in rows[:MOST_LINES])]
    return line_chart(
        [Series(str(row.pair), _so_far(row, numbers)) for row in shown],
        steps=[_("Round %(number)d") % {"number": number} for number in numbers],
        title=_("After each round: %(field)s") % {"field": ranking.title},
        highlight=[str(row.pair) for row in [*mine[:1], *rows[:2]]],
        of_what=_("Pair"),
    )


def _so_far(row: RankingRow, numbers: Iterable[int]) -> tuple[Fraction | None, ...]:
    """Percentages of all that could be had so far, or the sum of IMPs; nothing before the first board."""
    found: list[Fraction | None] = []
    value, top, boards = Fraction(0), 0, 0
    for number in numbers:
        for part in row.parts:
            if part.round == number:
                value, top, boards = value + part.value, top + part.top, boards + part.boards
        found.append(_tenths(value * 100 / top if top else value) if boards else None)
    return tuple(found)


def _tenths(value: Fraction | None) -> Fraction | None:
    return None if value is None else Fraction(round(value * 10), 10)
