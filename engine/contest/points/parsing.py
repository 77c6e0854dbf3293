"""Reading a points scheme from JSON, with every fault at once.

All fields may be left out; {} is 2/1/0::

    {"win": 2, "draw": 1, "loss": 0,
     "bands": [{"from": 1, "winner": "3/2", "loser": "1/2"}, {"from": 20, "winner": 2, "loser": 0}],
     "walkover": {"winner": 2, "loser": 0, "score": 100},
     "bye": 0, "missed": 0}

`bands` stands instead of `win` and `loss`, and needs `draw`. Points are integers or texts such as "1/2" or
"0.5". A walkover is worth a win (of the widest margin, where there are bands) against nothing, and adds to
nobody's score, unless said otherwise. `missed` is what a late entry to a Swiss gets for each round before it came, at
most a draw (F30).

For two or more sides there are points by rank, 2 for every side behind where nothing else is said, and by share::

    {"by": "rank", "places": [5, 3, 1, 0], "walkover": {...}, "bye": 0}
    {"by": "rank", "places": [0, 0]}                          friendly: no points at all
    {"by": "rank", "first": 1}
    {"by": "share", "stake": 20}

Two teams make their points of a match board by board; here stands what counts without play (12 to 0)::

    {"by": "teams", "walkover": {"winner": 12, "loser": 0}, "bye": 12}

Elsewhere a walkover gives what the places of those who came give them, and no more than nothing to who did not come,
unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

from engine.contest import exact
from engine.contest.faults import Faults
from engine.contest.points.byes_and_late_entries import ZERO
from engine.contest.points.scheme import Band, ByRank, ByShare, HeadToHead, OfTeams, PointsScheme
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

MOST_POINTS = 1_000
LARGEST_SCORE = 100_000
MOST_BANDS = 40
MOST_PLACES = 40
USUAL_STAKE = 20
WALKOVER_OF_TEAMS = Fraction(12)

_FIELDS = {
    "head_to_head": {"win", "draw", "loss", "bands"},
    "rank": {"places", "first"},
    "share": {"stake"},
    "teams": set(),
}
_COMMON = {"by", "walkover", "bye", "missed"}
_NOT_A_SCHEME = gettext_noop("The points scheme must be an object with fields such as win, draw and loss.")
_UNKNOWN = gettext_noop("“%(field)s” isn’t part of a points scheme.")
_NOT_POINTS = gettext_noop(
    "“%(value)s” isn’t a number of points. Write a number from -%(most)s to %(most)s, such as 2, 1/2 or 0.5."
)
_NOT_A_MARGIN = gettext_noop("“%(value)s” isn’t a margin. Write a whole number from 0 to %(most)s.")
_NOT_A_SCORE = gettext_noop(
    "“%(value)s” isn’t a score. Write a whole number from 0 to %(most)s, or leave it empty."
)
_BOTH = gettext_noop("Give either win and loss or margin bands, not both.")
_NO_DRAW = gettext_noop("With margin bands, say what a draw is worth.")
_BANDS_SHAPE = gettext_noop("Margin bands must be a list of one to %(most)s bands.")
_BAND_SHAPE = gettext_noop("A margin band has three fields: from, winner and loser.")
_FIRST_BAND = gettext_noop("The first margin band must start at 0 or 1, so that every win has its points.")
_BAND_ORDER = gettext_noop("Margin bands must be in ascending order: %(upper)s can’t come after %(lower)s.")
_BAND_FALLS = gettext_noop(
    "A wider margin must not be worth less to the winner: %(upper)s comes after %(lower)s."
)
_WIN_BELOW_LOSS = gettext_noop("A win must not be worth less than a loss.")
_ALL_EQUAL = gettext_noop("A win must be worth more than a loss.")
_NOT_A_WAY = gettext_noop("“%(value)s” is not a way to give points. Choose from: %(known)s.")
_PLACES_SHAPE = gettext_noop(
    "The points for the places must be a list of two to %(most)s numbers, beginning with the first place."
)
_PLACES_GROW = gettext_noop(
    "A place must not be worth more than the one before it: %(lower)s comes after %(upper)s."
)
_PLACES_EQUAL = gettext_noop("The first place must be worth more than the last.")
_PLACES_OR_FIRST = gettext_noop("Give the points for each place, or those for the first place, but not both.")
_NOT_ABOVE_NOTHING = gettext_noop("This must be more than 0.")
_WALKOVER_SHAPE = gettext_noop("A walkover must have the fields winner, loser and score.")


def read_scheme(data: object) -> PointsScheme:
    """The scheme that the data describe; raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("scheme-shape", _NOT_A_SCHEME, given=data)
    faults = Faults()
    way = data.get("by", "head_to_head")
    if not isinstance(way, str) or way not in _FIELDS:
        known = ", ".join(_FIELDS)
        raise ContestError("scheme-way", _NOT_A_WAY, given=way, place=("by",), value=quoted(way), known=known)
    for field in data:
        if field not in _FIELDS[way] | _COMMON:
            faults.add("unknown-field", _UNKNOWN, given=field, place=(str(field),), field=quoted(field))
    scheme = _READERS[way](data, faults)
    scheme.check_price_of_late_entry()
    return scheme


def _head_to_head(data: Mapping[str, object], faults: Faults) -> PointsScheme:
    bands = _bands(data, faults)
    draw = _draw(data, faults)
    usual = (bands[-1].winner, ZERO) if bands else (ZERO, ZERO)
    winner, loser, score = _walkover(data.get("walkover"), faults, usual=usual if bands else None)
    bye, missed = _without_play(data, faults)
    faults.refuse()
    return HeadToHead(
        bands=tuple(bands),
        draw=draw,
        walkover_winner=usual[0] if winner is None else winner,
        walkover_loser=usual[1] if loser is None else loser,
        walkover_score=score,
        bye=bye,
        missed=missed,
    )


def _by_rank(data: Mapping[str, object], faults: Faults) -> PointsScheme:
    places = _place_points(data, faults)
    first = None if data.get("first") is None else _above_nothing(data["first"], "first", faults)
    if data.get("places") is not None and first is not None:
        faults.add("places-and-first", _PLACES_OR_FIRST, place=("places",))
    winner, loser, score = _walkover(data.get("walkover"), faults)
    bye, missed = _without_play(data, faults)
    faults.refuse()
    return ByRank(
        places=tuple(places),
        first=first,
        walkover_winner=winner,
        walkover_loser=loser,
        walkover_score=score,
        bye=bye,
        missed=missed,
    )


def _by_share(data: Mapping[str, object], faults: Faults) -> PointsScheme:
    stake = _above_nothing(data.get("stake", USUAL_STAKE), "stake", faults)
    winner, loser, score = _walkover(data.get("walkover"), faults)
    bye, missed = _without_play(data, faults)
    faults.refuse()
    return ByShare(
        stake=stake,
        walkover_winner=winner,
        walkover_loser=loser,
        walkover_score=score,
        bye=bye,
        missed=missed,
    )


def _of_teams(data: Mapping[str, object], faults: Faults) -> PointsScheme:
    usual = (WALKOVER_OF_TEAMS, ZERO)
    winner, loser, score = _walkover(data.get("walkover"), faults, usual=usual)
    bye, missed = _without_play(data, faults, usual=12)
    faults.refuse()
    return OfTeams(
        walkover_winner=usual[0] if winner is None else winner,
        walkover_loser=usual[1] if loser is None else loser,
        walkover_score=score,
        bye=bye,
        missed=missed,
    )


_READERS: Mapping[str, Callable[[Mapping[str, object], Faults], PointsScheme]] = {
    "head_to_head": _head_to_head,
    "rank": _by_rank,
    "share": _by_share,
    "teams": _of_teams,
}


def _without_play(data: Mapping[str, object], faults: Faults, *, usual: int = 0) -> tuple[Fraction, Fraction]:
    """What a bye is worth, and a round that a late entry missed."""
    return _points(data.get("bye", usual), ("bye",), faults), _points(
        data.get("missed", 0), ("missed",), faults
    )


def _place_points(data: Mapping[str, object], faults: Faults) -> list[Fraction]:
    listed = data.get("places")
    if listed is None:
        return []
    if not isinstance(listed, list) or not 2 <= len(listed) <= MOST_PLACES:
        faults.add("places-shape", _PLACES_SHAPE, given=listed, place=("places",), most=MOST_PLACES)
        return []
    known = len(faults)
    places = [_points(item, ("places", number), faults) for number, item in enumerate(listed)]
    if len(faults) > known:
        return []
    for number, (upper, lower) in enumerate(pairwise(places), start=1):
        if lower > upper:
            figures = {"upper": exact.shown(upper), "lower": exact.shown(lower)}
            faults.add("places-grow", _PLACES_GROW, place=("places", number), **figures)
    if places[0] <= places[-1] and any(places):
        faults.add("places-equal", _PLACES_EQUAL, place=("places",))
    return places


def _above_nothing(given: object, name: str, faults: Faults) -> Fraction:
    known = len(faults)
    points = _points(given, (name,), faults)
    if len(faults) == known and points <= 0:
        faults.add("not-above-nothing", _NOT_ABOVE_NOTHING, given=given, place=(name,))
    return points


def _bands(data: Mapping[str, object], faults: Faults) -> list[Band]:
    if data.get("bands") is None:
        return [_single_band(data, faults)]
    if "win" in data or "loss" in data:
        faults.add("win-and-bands", _BOTH, place=("bands",))
    listed = data["bands"]
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_BANDS:
        faults.add("bands-shape", _BANDS_SHAPE, given=listed, place=("bands",), most=MOST_BANDS)
        return []
    known = len(faults)
    bands = [_band(item, number, faults) for number, item in enumerate(listed)]
    if len(faults) == known:
        _check_bands(bands, faults)
    return bands


def _single_band(data: Mapping[str, object], faults: Faults) -> Band:
    known = len(faults)
    win = _points(data.get("win", 2), ("win",), faults)
    loss = _points(data.get("loss", 0), ("loss",), faults)
    if len(faults) == known and win <= loss:
        faults.add("win-not-above-loss", _ALL_EQUAL, place=("win",))
    return Band(0, win, loss)


def _band(item: object, number: int, faults: Faults) -> Band:
    place: Place = ("bands", number)
    if not isinstance(item, Mapping) or set(item) != {"from", "winner", "loser"}:
        faults.add("band-shape", _BAND_SHAPE, given=item, place=place)
        return Band(number, ZERO, ZERO)
    start = item["from"]
    if not _is_whole(start):
        faults.add(
            "margin", _NOT_A_MARGIN, given=start, place=(*place, "from"), **_value(start), most=LARGEST_SCORE
        )
        start = number
    known = len(faults)
    winner = _points(item["winner"], (*place, "winner"), faults)
    loser = _points(item["loser"], (*place, "loser"), faults)
    if len(faults) == known and winner < loser:
        faults.add("win-below-loss", _WIN_BELOW_LOSS, place=place)
    return Band(int(start), winner, loser)


def _check_bands(bands: list[Band], faults: Faults) -> None:
    if bands[0].start > 1:
        faults.add("first-band", _FIRST_BAND, given=bands[0].start, place=("bands", 0, "from"))
    if bands[-1].winner <= bands[-1].loser:
        faults.add("win-not-above-loss", _ALL_EQUAL, place=("bands", len(bands) - 1))
    for number, (lower, upper) in enumerate(pairwise(bands), start=1):
        if upper.start <= lower.start:
            place: Place = ("bands", number, "from")
            faults.add("band-order", _BAND_ORDER, place=place, lower=lower.start, upper=upper.start)
        if upper.winner < lower.winner:
            figures = {"lower": exact.shown(lower.winner), "upper": exact.shown(upper.winner)}
            faults.add("band-falls", _BAND_FALLS, place=("bands", number, "winner"), **figures)


def _draw(data: Mapping[str, object], faults: Faults) -> Fraction:
    if data.get("bands") is not None and "draw" not in data:
        faults.add("no-draw", _NO_DRAW, place=("draw",))
    return _points(data.get("draw", 1), ("draw",), faults)


def _walkover(
    given: object, faults: Faults, *, usual: tuple[Fraction, Fraction] | None = None
) -> tuple[Fraction | None, Fraction | None, int | None]:
    """The points of winner and loser, None where nothing is said of them, and the score.

    `usual` is what both have then, where the scheme knows it beforehand.
    """
    if given is None:
        return None, None, None
    if not isinstance(given, Mapping) or not set(given) <= {"winner", "loser", "score"}:
        faults.add("walkover-shape", _WALKOVER_SHAPE, given=given, place=("walkover",))
        return None, None, None
    known = len(faults)
    winner, loser = (
        None if given.get(side) is None else _points(given[side], ("walkover", side), faults)
        for side in ("winner", "loser")
    )
    most, least = (
        mine if mine is not None else (usual[number] if usual else None)
        for number, mine in enumerate((winner, loser))
    )
    if len(faults) == known and most is not None and least is not None and most < least:
        faults.add("win-below-loss", _WIN_BELOW_LOSS, place=("walkover",))
    score = given.get("score")
    if score is not None and not _is_whole(score):
        place: Place = ("walkover", "score")
        faults.add("score", _NOT_A_SCORE, given=score, place=place, **_value(score), most=LARGEST_SCORE)
        score = None
    return winner, loser, score


def _points(given: object, place: Place, faults: Faults) -> Fraction:
    points = exact.parse(given)
    if points is None or abs(points) > MOST_POINTS:
        faults.add("points", _NOT_POINTS, given=given, place=place, **_value(given), most=MOST_POINTS)
        return ZERO
    return points


def _is_whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= LARGEST_SCORE


def _value(given: object) -> dict[str, str]:
    return {"value": quoted(given)}
