"""The pictures of a competition and of a pair, drawn of what the selectors found."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.fixtures.queries import FixtureLine
from league.results.queries import progress, season
from league.results.queries.pairs import PairEntry
from league.web.charts import (
    Bar,
    Played,
    Stack,
    bar_chart,
    bump_chart,
    distribution_chart,
    form_chart,
    line_chart,
    stacked_chart,
)
from league.web.number_format import decimal_text

FEWEST_MATCHES = 2  # a picture of one match says no more than its line
FEWEST_SCORES = 8  # and a few results are no distribution


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart under its heading; `note` says what has to be known to read it."""

    heading: str
    chart: SafeString
    note: str = ""


def of_division(went: progress.Progress, sums: season.Season) -> tuple[Picture, ...]:
    """All pictures of a division, in the order of the page; none before the first result."""
    if not went.rounds:
        return ()
    drawn = [_places(went), _points(went), _averages(sums), _spread(sums), _attendance(sums)]
    return tuple(picture for picture in drawn if picture is not None)


def of_pair(entry: PairEntry) -> SafeString | None:
    """A pair's matches in a competition, in order."""
    decided = [(line, own) for line, own in entry.sides if line.is_decided]
    if len(decided) < FEWEST_MATCHES:
        return None
    title = _("Results in order, %(competition)s") % {"competition": entry.competition}
    return form_chart([_played(line, own) for line, own in decided], title=title)


def _round_names(numbers: Sequence[int]) -> list[str]:
    return [_("Round %(number)d") % {"number": number} for number in numbers]


def _places(went: progress.Progress) -> Picture:
    title = _("Places after each round, %(division)s") % {"division": went.name}
    chart = bump_chart(went.places, rounds=_round_names(went.rounds), title=title, highlight=went.highlight)
    note = _("A band joins those who share a place. Point at a line, or tap it, to highlight it.")
    return Picture(_("Places after each round"), chart, note)


def _points(went: progress.Progress) -> Picture:
    title = _("Points after each round, %(division)s") % {"division": went.name}
    rounds = _round_names(went.rounds)
    chart = line_chart(went.points, steps=rounds, title=title, highlight=went.highlight, of_what=_("Name"))
    return Picture(_("Points after each round"), chart)


def _averages(sums: season.Season) -> Picture | None:
    if not sums.averages:
        return None
    title = _("Points per match, %(division)s") % {"division": sums.name}
    bars = [Bar(each.label, _tenths(each.points), strong=each.is_mine) for each in sums.averages]
    chart = bar_chart(bars, title=title, amount=_("Points per match"))
    return Picture(
        _("Points per match"),
        chart,
        _("The average of each, counting only matches that were played."),
    )


def _spread(sums: season.Season) -> Picture | None:
    if len(sums.scores) < FEWEST_SCORES:
        return None
    own = None if sums.own is None else _tenths(sums.own)
    title = _("How many points a side makes in a match, %(division)s") % {"division": sums.name}
    chart = distribution_chart(
        sums.scores, title=title, amount=_("Points in a match"), own=own, own_label=_("your average")
    )
    return Picture(_("How many points a side makes in a match"), chart)


def _tenths(points: Fraction) -> Fraction:
    return Fraction(round(points * 10), 10)


def _attendance(sums: season.Season) -> Picture | None:
    if not sums.attendance:
        return None
    title = _("Played, postponed, walkovers: %(division)s") % {"division": sums.name}
    parts = (_("in time"), _("with a substitute"), _("after the round"), _("not played"), _("still open"))
    names = _round_names([each.round_number for each in sums.attendance])
    stacks = [Stack(name, each.counts) for name, each in zip(names, sums.attendance, strict=True)]
    chart = stacked_chart(stacks, parts=parts, title=title, of_what=_("Round"))
    return Picture(_("Played, postponed, walkovers"), chart, _("Not played: walkovers and void matches."))


def _played(line: FixtureLine, own: int) -> Played:
    made, conceded = line.scores_of(own)
    is_scored = made is not None and conceded is not None
    outcome = line.outcome_of(own)
    unplayed = _("walkover") if outcome == "W" else _("forfeit")
    return Played(
        step=line.round_name,
        opponent=", ".join(each.name for each in line.opponents_of(own)),
        score=f"{decimal_text(made)} : {decimal_text(conceded)}" if is_scored else unplayed,
        difference=(made or 0) - (conceded or 0) if is_scored else None,
        outcome=outcome,
    )
