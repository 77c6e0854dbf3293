"""Rankings of an event as they were stored. They count released boards only, so that they are for everybody."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.comparison.comparison import Method
from games.comparisons.reckoning.columns import AWAY, HOME
from games.comparisons.reckoning.fields import ALL, WHOLE_EVENT
from games.comparisons.reckoning.shown_figures import decimal_text
from games.models import Duplicate, EventRanking
from games.seating import side_titles
from league.fixtures.queries import Pair, pair_of
from league.models import Competition, Division, Entry
from league.standings import round_names


def title_of(way: str, sides: Iterable[str], section: str = "", *, of_players: bool = False) -> str:
    """Who is ranked together, in words; `sides` as the game calls them."""
    names = {
        ALL: _("All players") if of_players else _("All pairs"),
        **dict(zip((HOME, AWAY), sides, strict=True)),
    }
    name = names.get(way, way)
    return f"{section}: {name}" if section else name


def field_title(field: str, sides: Iterable[str], sections: Mapping[int, str]) -> str:
    """The same for a field's key, such as "home:2"; `sections` are names by level."""
    way, _colon, level = field.partition(":")
    return title_of(way, sides, sections.get(int(level), level) if level else "")


def ranked_text(row: Mapping[str, Any] | None) -> str:
    """What a stored row is ranked by: a percentage, or IMPs a board; "–" without one."""
    if row is None:
        return "–"
    is_imps, total = row["vp"] is not None, _restored(row.get("total"))
    percent, mean = _restored(row["percent"]), exact.restore(row["mean"])
    if total is not None:
        percent, mean = (None, total) if is_imps else (total, mean)
    return _ranked_by(percent, mean, is_imps=is_imps)


def _ranked_by(percent: Fraction | None, mean: Fraction, *, is_imps: bool) -> str:
    if is_imps:
        return decimal_text(mean, 2, signed=True)
    return "–" if percent is None else _("%(figure)s%%") % {"figure": decimal_text(percent, 2)}


@dataclass(frozen=True, slots=True)
class MatchPart:
    """What a pair has from one match: `value` is the sum of its figures, `top` the most they could give."""

    round: int
    round_name: str
    boards: int
    value: Fraction
    top: int
    victory_points: Fraction | None

    @property
    def percent(self) -> Fraction | None:
        return self.value * 100 / self.top if self.top else None


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A pair in a ranking. `percent` is None with IMPs, `rank` where nobody else had the same boards.

    So it is where the pair `is_apart`, with too few boards for a place.
    """

    pair: Pair
    rank: int | None
    is_shared: bool
    boards: int
    value: Fraction
    top: int
    percent: Fraction | None
    mean: Fraction
    victory_points: Fraction | None
    parts: tuple[MatchPart, ...]
    is_apart: bool = False
    carried: tuple[Fraction, Fraction] | None = None
    """From an earlier stage: so many boards, by what one weighs, and the figure there (F8)."""
    total: Fraction | None = None
    """The figure with that."""

    @property
    def is_imps(self) -> bool:
        """Whether it is ranked by IMPs a board."""
        return self.victory_points is not None

    @property
    def ranked_by(self) -> Fraction | None:
        """The percentage, or the IMPs a board, with what was carried over."""
        own = self.mean if self.is_imps else self.percent
        return own if self.total is None else self.total

    @property
    def text(self) -> str:
        """The figure by which the pair is ranked: a percentage, or IMPs a board."""
        return _ranked_by(self.ranked_by, self.ranked_by or Fraction(0), is_imps=self.is_imps)

    @property
    def own_text(self) -> str:
        """The same without what was carried over."""
        return _ranked_by(self.percent, self.mean, is_imps=self.is_imps)

    @property
    def carried_line(self) -> str:
        """What counts on from an earlier stage, in words; empty for nothing."""
        if self.carried is None:
            return ""
        boards, figure = self.carried
        said = _ranked_by(figure, figure, is_imps=self.is_imps)
        return _("Carried over: %(figure)s on %(boards)s boards; total %(total)s") % {
            "figure": said, "boards": exact.shown(boards), "total": self.text,
        }  # fmt: skip

    @property
    def value_text(self) -> str:
        """All matchpoints, or all IMPs."""
        is_imps = self.victory_points is not None
        places = 0 if self.value.denominator == 1 else 2
        return decimal_text(self.value, places, signed=is_imps)

    @property
    def part_lines(self) -> tuple[str, ...]:
        """What it has from each match, in words."""
        return tuple(_part_line(part) for part in self.parts)

    @property
    def sum_line(self) -> str:
        """How the figure follows from all boards, in words."""
        values = {"value": self.value_text, "boards": self.boards, "top": self.top, "figure": self.own_text}
        if self.victory_points is not None:
            return _("Total %(value)s IMPs on %(boards)d boards: %(figure)s per board") % values
        return _("Total %(value)s of %(top)d matchpoints: %(figure)s") % values

    @property
    def victory_points_text(self) -> str:
        return "" if self.victory_points is None else decimal_text(self.victory_points, 2)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A field's ranking of the event, or of one round of it.

    Only released boards count: `boards_counted` of `boards_total`. `is_stale` while newer results wait for a worker.
    """

    field: str
    sides: tuple[str, ...]
    section: str
    round_number: int
    measure: str
    method: str
    boards_counted: int
    boards_total: int
    rows: tuple[RankingRow, ...]
    results_version: int
    computed_at: datetime
    is_stale: bool
    boards_needed: int = 0
    of_players: bool = False
    round_name: str = ""
    """Of the round that it is of; empty for the whole event."""

    @property
    def has_apart(self) -> bool:
        """Whether pairs with too few boards are listed apart, behind those with a place."""
        return any(row.is_apart for row in self.rows)

    @property
    def places(self) -> int:
        """How many pairs can have a place."""
        return sum(not row.is_apart for row in self.rows)

    @property
    def is_matchpoints(self) -> bool:
        return self.method == Method.MATCHPOINTS

    @property
    def is_complete(self) -> bool:
        """Whether all boards count."""
        return self.boards_counted == self.boards_total

    @property
    def way(self) -> str:
        """ "all", "home" or "away", without the section."""
        return self.field.partition(":")[0]

    @property
    def level(self) -> str:
        """The level of the section that is ranked, "" where it is the whole event."""
        return self.field.partition(":")[2]

    @property
    def anchor(self) -> str:
        """The field as a word for an id."""
        return self.field.replace(":", "-")

    @property
    def title(self) -> str:
        """Who is ranked here, in words."""
        return title_of(self.way, self.sides, self.section, of_players=self.of_players)

    def row_of(self, entry: int) -> RankingRow | None:
        """The row of that entry."""
        return next((row for row in self.rows if row.pair.entry == entry), None)


def of_event(competition: Competition, round_number: int = WHOLE_EVENT) -> tuple[Ranking, ...]:
    """The rankings by field, those of the whole event first, then by section; empty before the first.

    In four queries, and one more for the names of a knock-out's rounds.
    A `round_number` other than 0 gives a round's own, which only leagues have.
    """
    rows = EventRanking.objects.filter(competition=competition, round_number=round_number)
    kept = sorted(rows, key=lambda row: _order(row.field))
    if not kept:
        return ()
    newest = Duplicate.objects.values_list("results_version", flat=True).get(pk=competition.pk)
    sections = dict(Division.objects.filter(stage__competition=competition).values_list("level", "name"))
    pairs = {
        entry.pk: pair_of(entry) for entry in Entry.with_rooms.filter(competition=competition).with_pairs()
    }
    sides = tuple(side_titles(competition.game).values())
    of_players = competition.stage.partners_change
    numbers = {part[0] for row in kept for each in row.content["rows"] for part in each["rounds"]}
    rounds = round_names.of_numbers(competition.stage, numbers | {round_number} - {WHOLE_EVENT})
    found = (_ranking(row, newest, sections, pairs, sides, rounds=rounds) for row in kept)
    return tuple(replace(each, of_players=of_players) for each in found)


def places(competition: Competition) -> list[list[tuple[int, int]]]:
    """The entries of each field, the best first, with their places; sections are no fields of their own."""
    found = (each for each in of_event(competition) if not each.level)
    return [[(row.pair.entry, row.rank) for row in each.rows if row.rank is not None] for each in found]


def _order(field: str) -> tuple[int, int]:
    way, _colon, level = field.partition(":")
    ways = (ALL, HOME, AWAY)
    return (int(level or 0), ways.index(way) if way in ways else len(ways))


def _ranking(
    row: EventRanking,
    newest: int,
    sections: Mapping[int, str],
    pairs: Mapping[int, Pair],
    sides: tuple[str, ...],
    *,
    rounds: Mapping[int, str],
) -> Ranking:
    content = row.content
    level = row.field.partition(":")[2]
    shared = _shared_ranks(content)
    return Ranking(
        field=row.field,
        sides=sides,
        section=sections.get(int(level), level) if level else "",
        round_number=row.round_number,
        measure=content["measure"],
        method=content["method"],
        boards_counted=content["boards_counted"],
        boards_total=content["boards_total"],
        rows=tuple(_row(each, pairs, shared, rounds) for each in content["rows"] if each["entry"] in pairs),
        results_version=row.results_version,
        computed_at=row.computed_at,
        is_stale=row.results_version < newest,
        boards_needed=content.get("boards_needed", 0),
        round_name=rounds.get(row.round_number, ""),
    )


def _shared_ranks(content: Mapping[str, Any]) -> set[int]:
    ranks = [row["rank"] for row in content["rows"] if row["rank"] is not None]
    return {one for one, other in pairwise(ranks) if one == other}


def _row(
    row: Mapping[str, Any], pairs: Mapping[int, Pair], shared: set[int], rounds: Mapping[int, str]
) -> RankingRow:
    return RankingRow(
        pair=pairs[row["entry"]],
        rank=row["rank"],
        is_shared=row["rank"] in shared,
        boards=row["boards"],
        value=exact.restore(row["value"]),
        top=row["top"],
        percent=_restored(row["percent"]),
        mean=exact.restore(row["mean"]),
        victory_points=_restored(row["vp"]),
        parts=tuple(
            MatchPart(number, rounds[number], boards, exact.restore(value), top, _restored(points))
            for number, boards, value, top, points in row["rounds"]
        ),
        is_apart=row.get("apart", False),
        carried=_carried(row),
        total=_restored(row.get("total")),
    )


def _carried(row: Mapping[str, Any]) -> tuple[Fraction, Fraction] | None:
    if "carried" not in row:
        return None
    boards, figure = map(exact.restore, row["carried"])
    return boards, figure


def _part_line(part: MatchPart) -> str:
    places = 0 if part.value.denominator == 1 else 2
    values = {
        "round": part.round_name,
        "value": decimal_text(part.value, places, signed=part.victory_points is not None),
        "top": part.top,
        "vp": "" if part.victory_points is None else decimal_text(part.victory_points, 2),
    }
    if part.victory_points is None:
        return _("%(round)s: %(value)s of %(top)d") % values
    return _("%(round)s: %(value)s IMPs (%(vp)s VP)") % values


def _restored(written: int | str | None) -> Fraction | None:
    return None if written is None else exact.restore(written)
