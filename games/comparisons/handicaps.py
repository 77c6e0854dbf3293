"""Rankings with handicap beside the ones as played: set up, fixed when a round is drawn, and reckoned (F150)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contest.grades import PERCENT_AN_IMP_IN_FIELD, handicaps_in_field, handicaps_in_match
from engine.contest.results import Ending, ResultLine
from games.comparisons.reckoning import rankings
from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.comparisons.reckoning.shown_figures import decimal_text
from games.models import Duplicate, Handicap, HandicapGrade, HiddenGrade
from league import extension, validation
from league.extension import GamePort, OptionField, SetupPart, Text
from league.fixtures.queries import Pair, pair_of
from league.models import Competition, Division, Entry, Fixture
from league.standings.queries import compute_table, read_facts
from league.web.number_format import exact_text

TENTH = Decimal("0.1")


LABEL = gettext_lazy("Handicap: percent of the difference between grades")
HELP = gettext_lazy(
    "A second ranking in which the weaker get a start, usually 50. With 0 there is none. The ranking as played is "
    "always shown, too."
)


class HandicapPart(SetupPart):
    """The part "Handicap" of the set-up: see league.extension.SetupPart."""

    key = "handicap"
    title: Text = gettext_lazy("Handicap")
    options: tuple[OptionField, ...] = (
        OptionField(
            "share",
            "number",
            default=0,
            label=LABEL,
            help=HELP,
            maximum=100,
        ),
    )

    def suits(self, game: GamePort) -> bool:
        """Whether grades are kept of the game."""
        return game.is_for_two

    def read(self, competition: Any) -> dict[str, Any]:
        """As the competition has it."""
        row = Handicap.objects.filter(competition=competition).first() if competition else None
        return {"share": row.share if row else 0}

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The share, in percent."""
        share = given.get("share") or 0
        if type(share) is not int or not 0 <= share <= 100:
            said = _("Please enter a whole number from 0 to 100.")
            validation.refuse([validation.fault(said, "share")])
        return {"share": share}

    def for_teams(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Teams play without."""
        return {**values, "share": 0}

    def write(self, competition: Any, values: Mapping[str, Any]) -> None:
        """The row beside the draft, or none."""
        if values["share"]:
            Handicap.objects.update_or_create(competition=competition, defaults={"share": values["share"]})
        else:
            Handicap.objects.filter(competition=competition).delete()

    def told(self, competition: Any) -> Sequence[str]:
        """In plain words, for everybody."""
        row: Handicap | None = getattr(competition, "handicap", None)
        if row is None:
            return ()
        return (
            _(
                "There is a second ranking with handicap: the weaker get %(share)d%% of the difference between the "
                "grades. These are kept with the first draw and don’t change any more."
            )
            % {"share": row.share},
        )


def fix(*, competition: Competition, at: datetime) -> None:
    """Keeps the grades of those who have none here yet. The competition is locked, and matches were drawn (F150).

    Who hides the grade has no handicap, because that would tell it (F142).
    """
    if not Handicap.objects.filter(competition=competition).exists():
        return
    new = competition.entries.filter(handicap_grade=None, is_house=False)
    hidden = HiddenGrade.objects.filter(player__club=competition.club_id).values("player")
    told = new.exclude(lineup__members__player__in=hidden)
    means = extension.layer().seeds(competition=competition, at=at)
    HandicapGrade.objects.bulk_create(
        [
            HandicapGrade(
                entry_id=key, grade=Decimal(repr(means[key])).quantize(TENTH, ROUND_HALF_UP), fixed_at=at
            )
            for key in told.values_list("pk", flat=True)
            if key in means
        ],
        ignore_conflicts=True,
    )


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in a ranking with handicap; without a grade it has none. `made` and `total` are as they are ranked."""

    place: str
    pair: Pair
    grade: str
    made: str
    handicap: str
    total: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A ranking with handicap: of a field, or of a division of matches."""

    title: str
    lines: tuple[Line, ...]
    of_matches: bool = False


@dataclass(frozen=True, slots=True)
class InMatch:
    """What a side of a match is given: so many points a deal, and in all."""

    fixture: Fixture
    entry: Entry
    a_deal: int
    total: int


def share_of(competition: Competition) -> int:
    """Its share in percent; 0 where it is played without handicap."""
    row = Handicap.objects.filter(competition=competition).first()
    return row.share if row else 0


def of_competition(competition: Competition) -> tuple[Listed, ...]:
    """The rankings with handicap, of fields that compare boards or of the matches; none where it is played without."""
    share = Fraction(share_of(competition), 100)
    if not share:
        return ()
    grades = _grades(competition)
    if Duplicate.objects.filter(competition=competition).exists():
        return tuple(_field(each, grades, share) for each in rankings.of_event(competition))
    if not competition.stage.has_rounds_for_all:
        return ()
    return tuple(_division(each, grades, share) for each in competition.stage.divisions.order_by("level"))


def of_matches(fixtures: Iterable[Fixture]) -> tuple[InMatch, ...]:
    """Of matches of one competition on their own deals, those in which somebody is given points."""
    listed = list(fixtures)
    competition = listed[0].round.competition if listed else None
    share = Fraction(share_of(competition), 100) if competition else Fraction(0)
    if competition is None or not share or Duplicate.objects.filter(competition=competition).exists():
        return ()
    grades, deals = _grades(competition), _deals(competition)
    found = []
    for fixture in listed:
        sides = [_mean(_players(competition, entry), grades) for entry in fixture.entries]
        if len(sides) != 2 or sides[0] is None or sides[1] is None:
            continue
        for entry, points in zip(fixture.entries, handicaps_in_match(sides[0], sides[1], share), strict=True):
            if points:
                found.append(InMatch(fixture, entry, points, points * deals))
    return tuple(found)


def _players(competition: Competition, entry: Entry) -> tuple[int, ...]:
    """Whose grades count: the entry's, or where partners change those of the two players."""
    if entry.team_id is None:
        return (entry.pk,)
    players = [player.pk for player in entry.lineup.players]
    own = competition.entries.filter(lineup__members__player__in=players)
    return tuple(own.values_list("pk", flat=True))


def _grades(competition: Competition) -> dict[int, Fraction]:
    rows = HandicapGrade.objects.filter(entry__competition=competition)
    return {row.entry_id: Fraction(row.grade) for row in rows}


def _deals(competition: Competition) -> int:
    return extension.game(competition.game).deals_in_match(competition.rules) or 1


def _mean(entries: Sequence[int], grades: Mapping[int, Fraction]) -> Fraction | None:
    found = [grades[key] for key in entries if key in grades]
    return sum(found, Fraction(0)) / len(found) if found and len(found) == len(entries) else None


def _shown(grade: Fraction | None) -> str:
    return "" if grade is None else decimal_text(grade, 1)


def _field(ranking: Ranking, grades: Mapping[int, Fraction], share: Fraction) -> Listed:
    """The percentages, or the IMPs a board, with what each is given; ranked again."""
    rows = [row for row in ranking.rows if not row.is_apart and row.rank is not None]
    given = handicaps_in_field(
        {row.pair.entry: grades[row.pair.entry] for row in rows if row.pair.entry in grades}, share
    )
    figures = {row.pair.entry: _with(row, given.get(row.pair.entry, Fraction(0))) for row in rows}
    order = sorted(rows, key=lambda row: (-figures[row.pair.entry][2], row.rank))
    totals = [figures[row.pair.entry][2] for row in order]
    lines = []
    for row in order:
        made, added, total = figures[row.pair.entry]
        is_imps = row.is_imps
        lines.append(
            Line(
                _place(totals, total),
                row.pair,
                _shown(grades.get(row.pair.entry)),
                decimal_text(made, 2, signed=is_imps),
                decimal_text(added, 2, signed=True) if row.pair.entry in given else "",
                decimal_text(total, 2, signed=is_imps),
            )
        )
    return Listed(ranking.title, tuple(lines))


def _with(row: RankingRow, percent: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    made = row.ranked_by or Fraction(0)
    added = percent / PERCENT_AN_IMP_IN_FIELD if row.is_imps else percent
    return made, added, made + added


def _place(figures: Sequence[Fraction], own: Fraction) -> str:
    place = 1 + sum(each > own for each in figures)
    return f"{place}=" if figures.count(own) > 1 else str(place)


def _division(division: Division, grades: Mapping[int, Fraction], share: Fraction) -> Listed:
    """The table as it were, had the weaker had their points in every match that was played."""
    competition = division.competition
    facts, deals = read_facts(division), _deals(competition)
    lower = extension.game(competition.game).lower_is_better
    changed = tuple(_given(line, grades, share, deals, lower=lower) for line in facts.results)
    table, as_played = compute_table(replace(facts, results=changed)), compute_table(facts)
    pairs = {entry.pk: pair_of(entry) for entry in division.entries.with_pairs()}
    lines = []
    for row in table.rows:
        made = as_played.row_of(row.entry)
        if row.place is None or made is None:
            continue
        lines.append(
            Line(
                f"{row.place}=" if row.is_shared else str(row.place),
                pairs[int(row.entry)],
                _shown(grades.get(int(row.entry))),
                exact_text(made.league_points),
                "",
                exact_text(row.league_points),
            )
        )
    return Listed(division.name, tuple(lines), of_matches=True)


def _given(
    line: ResultLine, grades: Mapping[int, Fraction], share: Fraction, deals: int, *, lower: bool
) -> ResultLine:
    means = [_mean([int(key) for key in side.players], grades) for side in line.sides]
    if len(means) != 2 or means[0] is None or means[1] is None or line.sides[0].ending is not Ending.PLAYED:
        return line
    sign = -1 if lower else 1
    points = handicaps_in_match(means[0], means[1], share)
    return line.with_scores(
        [side.score + sign * each * deals for side, each in zip(line.sides, points, strict=True)]
    )
