"""Why a result is worth what it is: the scores it was compared with, the counts, the sum, and the rule, in words.

Everything is read from the stored figures, so that what is explained is what is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest import exact
from engine.contest.comparison.comparison import SMALL_GROUPS, Basis, Method
from engine.contest.comparison.field import Score
from engine.contest.comparison.imps import USUAL_SCALE, imps
from games.comparisons.reckoning.columns import SIDES, score_of
from games.comparisons.reckoning.shown_figures import ShownFigure, decimal_text
from games.models import AdjustedScore, Duplicate, FixtureBoard
from league.models import Appearance, Entry

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class ComparedScore:
    """A score of the same column, and the tables that made it. `each` is what one of them brings ("" with Butler)."""

    score: str
    pairs: tuple[str, ...]
    each: str
    is_own: bool

    @property
    def count(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True, slots=True)
class AwardNote:
    """That a director gave the score, and why."""

    reason: str
    by: str
    at: datetime
    is_by_player: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a figure came from. `scores` are the best first; `steps` lead from them to the figure."""

    pair: str
    board: int
    figure: ShownFigure
    measure: str
    score: str
    scores: tuple[ComparedScore, ...]
    counts: str
    steps: tuple[str, ...]
    rules: tuple[str, ...]
    award: AwardNote | None


def explain(
    play: FixtureBoard, side: str, figures: Mapping[tuple[int, str], ShownFigure], measure: str
) -> Explanation | None:
    """Why the pair at "home" or "away" has its figure; None where it has none. Two queries.

    `figures` are the board's, of those who may see its field: games.comparisons.reckoning.figures gives them.
    """
    figure = figures.get((play.pk, side))
    if figure is None:
        return None
    column = [each for (_play, at), each in figures.items() if at == side and each.version == figure.version]
    pairs = _pairs(play, side)
    own = _score(figure, measure)
    return Explanation(
        pair=pairs[play.pk],
        board=play.board.number,
        figure=figure,
        measure=str(Duplicate.Measure(measure).label),
        score="" if own is None else _in_words(own, measure),
        scores=_scores(figure, own, column, pairs, measure),
        counts=_counts(figure),
        steps=tuple(_steps(figure, own)),
        rules=tuple(_rules(figure)),
        award=_note(figure),
    )


def _pairs(play: FixtureBoard, side: str) -> dict[int, str]:
    at_the_board = Appearance.objects.filter(
        fixture__boards__board=play.board_id, order=1 + SIDES.index(side)
    )
    plays = dict(at_the_board.values_list("fixture__boards__pk", "entry_id"))
    names = {entry.pk: str(entry) for entry in Entry.with_rooms.filter(pk__in=plays.values()).with_pairs()}
    return {pk: names[entry] for pk, entry in plays.items()}


def _score(figure: ShownFigure, measure: str) -> Score | None:
    return score_of(figure.points, figure.side, measure) if figure.points else None


def _in_words(score: Score, measure: str) -> str:
    """ "+32", or with weights "1/2 × +32, 1/2 × −4"."""
    signed = measure == Duplicate.Measure.DIFFERENCE
    if len(score.parts) == 1:
        return _amount(score.mean, signed=signed)
    parts = (f"{exact.shown(part.weight)} × {_amount(part.points, signed=signed)}" for part in score.parts)
    return ", ".join(parts)


def _amount(figure: Fraction, *, signed: bool = False) -> str:
    """A number as short as it can be said to two places."""
    places = next((n for n in (0, 1) if (figure * 10**n).denominator == 1), 2)
    return decimal_text(figure, places, signed=signed)


def _scores(
    figure: ShownFigure,
    own: Score | None,
    column: Iterable[ShownFigure],
    pairs: Mapping[int, str],
    measure: str,
) -> tuple[ComparedScore, ...]:
    if own is None:
        return ()
    lines: dict[tuple[Score, bool], list[str]] = {}
    for each in column:
        score = _score(each, measure)
        if score is not None:
            lines.setdefault((score, each.play == figure.play), []).append(pairs[each.play])
    in_order = sorted(lines, key=lambda line: (-line[0].mean, not line[1]))
    return tuple(
        ComparedScore(
            _in_words(score, measure),
            tuple(sorted(lines[score, is_own])),
            "" if is_own else _each(figure, own, score),
            is_own,
        )
        for score, is_own in in_order
    )


def _each(figure: ShownFigure, own: Score, other: Score) -> str:
    if figure.basis in {Basis.SMALL_GROUP, Basis.AWARDED} or figure.method == Method.BUTLER:
        return ""
    return _amount(worth(figure.method, own, other), signed=figure.method == Method.CROSS_IMPS)


def worth(method: str, own: Score, other: Score) -> Fraction:
    """What one comparison brings: 2 or 1 matchpoints, or IMPs; by their parts where scores have weights."""
    total = NOTHING
    for part in own.parts:
        for against in other.parts:
            gained = part.points - against.points
            brought = _matchpoints(gained) if method == Method.MATCHPOINTS else imps(gained)
            total += part.weight * against.weight * brought
    return total


def _matchpoints(gained: Fraction) -> int:
    return 2 if gained > 0 else 1 if gained == 0 else 0


def _counts(figure: ShownFigure) -> str:
    if figure.basis == Basis.AWARDED:
        return ""
    others = figure.compared - 1
    if figure.has_same_tops and figure.compared < figure.expected:
        said = ngettext(
            "Compared with %(others)d other result. A full board in this field has %(expected)d.",
            "Compared with %(others)d other results. A full board in this field has %(expected)d.",
            others,
        )
    else:
        said = ngettext(
            "Compared with %(others)d other result of %(expected)d on the board.",
            "Compared with %(others)d other results of %(expected)d on the board.",
            others,
        )
    said %= {"others": others, "expected": figure.expected}
    if figure.basis == Basis.SMALL_GROUP or not figure.is_matchpoints:
        return said
    higher = others - figure.beaten - figure.equalled
    counts = _("%(beaten)s lower, %(equalled)s equal, %(higher)s higher.") % {
        "beaten": _amount(figure.beaten),
        "equalled": _amount(figure.equalled),
        "higher": _amount(higher),
    }
    return f"{said} {counts}"


def _steps(figure: ShownFigure, own: Score | None) -> Iterable[str]:
    value = _amount(figure.value, signed=not figure.is_matchpoints)
    if figure.basis in {Basis.AWARDED, Basis.SMALL_GROUP}:
        if figure.is_matchpoints:
            yield _("%(percent)s of %(top)s matchpoints = %(value)s") % {
                "percent": figure.percent_text, "top": figure.top, "value": value,
            }  # fmt: skip
        else:
            yield _("%(value)s IMPs for this percentage: 60 is +3, 50 is 0, 40 is −3") % {"value": value}
    elif figure.is_matchpoints:
        yield from _matchpoint_steps(figure, value)
    elif figure.method == Method.CROSS_IMPS:
        yield _("%(sum)s IMPs ÷ %(count)d comparisons = %(value)s") % {
            "sum": _amount(figure.raw, signed=True), "count": max(figure.compared - 1, 1), "value": value,
        }  # fmt: skip
    else:
        yield from _butler_steps(figure, own, value)


def _matchpoint_steps(figure: ShownFigure, value: str) -> Iterable[str]:
    raw = _amount(figure.raw)
    yield _("2 × %(beaten)s lower + 1 × %(equalled)s equal = %(raw)s") % {
        "beaten": _amount(figure.beaten), "equalled": _amount(figure.equalled), "raw": raw,
    }  # fmt: skip
    if figure.basis == Basis.NEUBERG:
        yield _("(%(raw)s + 1) × %(expected)d ÷ %(compared)d − 1 = %(value)s") % {
            "raw": raw, "expected": figure.expected, "compared": figure.compared, "value": value,
        }  # fmt: skip
    if figure.top:
        yield _("%(value)s of 2 × %(others)d = %(top)d matchpoints: %(percent)s") % {
            "value": value, "others": figure.expected - 1, "top": figure.top, "percent": figure.percent_text,
        }  # fmt: skip


def _butler_steps(figure: ShownFigure, own: Score | None, value: str) -> Iterable[str]:
    datum = figure.datum or NOTHING
    for part in own.parts if own is not None else ():
        gained = part.points - datum
        yield _("%(score)s − %(datum)s (the average) = %(gained)s points: %(imps)s IMPs") % {
            "score": _amount(part.points),
            "datum": _amount(datum) if datum >= 0 else f"({_amount(datum)})",
            "gained": _amount(gained, signed=True),
            "imps": _amount(Fraction(imps(gained)), signed=True),
        }
    if own is not None and len(own.parts) > 1:
        yield _("Weighted: %(value)s IMPs") % {"value": value}


def _rules(figure: ShownFigure) -> Iterable[str]:
    counts = {"compared": figure.compared, "expected": figure.expected}
    if figure.basis == Basis.AWARDED:
        yield _("A director awarded this percentage instead of a score. It isn’t used in comparisons.")
        return
    if figure.basis == Basis.SMALL_GROUP:
        yield _("%(compared)d of %(expected)d results are too few to compare.") % counts
        yield _("So each gets a percentage by its place: %(places)s. Equal scores share.") % {
            "places": " / ".join(str(each) for each in SMALL_GROUPS[figure.compared])
        }
    elif figure.is_matchpoints:
        yield _("2 matchpoints for each lower result, 1 for each equal result.")
    elif figure.method == Method.CROSS_IMPS:
        yield _(
            "The average of the IMPs against every other table. A point counts %(scale)s on the IMP scale."
        ) % {"scale": number_format(int(USUAL_SCALE))}
    else:
        yield _("IMPs against the average of all without the highest and the lowest. ") + _(
            "A point counts %(scale)s on the IMP scale."
        ) % {"scale": number_format(int(USUAL_SCALE))}
    if figure.basis == Basis.NEUBERG:
        rule = (
            _("Only %(compared)d of %(expected)d results can be compared. Neuberg’s formula scales them up.")
            % counts
        )
        why = _(
            "Each result also stands for its share of the missing ones. So the board counts as much "
            "as any other. Because we know less about it, nobody can quite win or lose everything on "
            "it."
        )
        yield f"{rule} {why}"
    if figure.version:
        yield _(
            "Some tables played this board with different cards. We compare only within version %(version)s."
        ) % {"version": figure.version}
    if len(figure.points) > 1:
        yield _("The score has several parts. Each counts by its weight.")


def _note(figure: ShownFigure) -> AwardNote | None:
    award = (
        AdjustedScore.objects.select_related("made_by").filter(pk=figure.award).first()
        if figure.award
        else None
    )
    if award is None:
        return None
    return AwardNote(award.reason, str(award.made_by or ""), award.made_at, award.is_neutral is False)
