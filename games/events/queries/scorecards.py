"""A pair's way through an event, board by board: opponents, points, what each was worth, and the running total."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from engine.contest.comparison.comparison import Method
from games import embargo
from games.comparisons.reckoning import plays, rankings
from games.comparisons.reckoning.figures import ShownFigure, Worth, by_play, decimal_text
from games.comparisons.reckoning.plays import Play
from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.embargo import Sight
from games.models import Duplicate
from games.seating import side_letters
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Appearance, Competition, Entry
from league.standings import round_names


@dataclass(frozen=True, slots=True)
class Sum:
    """Boards that count so far, and what they give together: `value` of at most `top` (0 with IMPs)."""

    boards: int = 0
    value: Fraction = Fraction(0)
    top: int = 0

    def plus(self, figure: ShownFigure | None) -> "Sum":
        """With another board; one that is not compared yet changes nothing."""
        if figure is None:
            return self
        return Sum(self.boards + 1, self.value + figure.value, self.top + (figure.top or 0))

    @property
    def percent(self) -> Fraction | None:
        """The part of the most that could be had."""
        return self.value * 100 / self.top if self.top else None

    @property
    def value_text(self) -> str:
        """Matchpoints, or IMPs with their sign."""
        places = 2 if not self.top else 0 if self.value.denominator == 1 else 1
        return decimal_text(self.value, places, signed=not self.top)

    @property
    def text(self) -> str:
        """The percentage, or the sum of IMPs with its sign."""
        if self.percent is None:
            return self.value_text
        return _("%(figure)s%%") % {"figure": decimal_text(self.percent, 1)}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A board of the pair. Without the right to see them, points and figure are None."""

    play: Play
    side: str
    sight: Sight
    own: int | None
    theirs: int | None
    figure: ShownFigure | None
    running: Sum

    @property
    def opponents(self) -> Pair:
        return self.play.pair("away" if self.side == "home" else "home")

    @property
    def seats(self) -> str:
        """Where the pair sat: N-S or E-W."""
        return side_letters(self.play.game)[self.play.side_key(self.side)]

    @property
    def state(self) -> str:
        """Why there is no figure, in a word or two; nothing where there is one."""
        if self.figure is not None:
            return ""
        if self.play.is_off:
            return _("not played")
        if self.play.made is None:
            return _("to play")
        return _("being compared") if self.sight == Sight.FIELD else _("sealed")


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A round of the pair: its boards against one pair, or sitting out."""

    name: str
    lines: tuple[ScoreLine, ...]
    subtotal: Sum

    @property
    def sits_out(self) -> bool:
        return not self.lines


@dataclass(frozen=True, slots=True)
class Standing:
    """The pair's row in one of the rankings that it is in."""

    ranking: Ranking
    row: RankingRow


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The whole card."""

    entry: Entry
    pair: Pair
    duplicate: Duplicate
    rounds: tuple[RoundPart, ...]
    total: Sum
    standings: tuple[Standing, ...]
    is_mine: bool

    @property
    def has_tops(self) -> bool:
        """Whether sums are parts of a most, as percentages."""
        return self.duplicate.method == Method.MATCHPOINTS

    @property
    def boards(self) -> int:
        return sum(len(each.lines) for each in self.rounds)


def scorecard(*, entry: Entry, competition: Competition, visitor: Reader) -> Scorecard:
    """The card of an entry, as much of it as this visitor may see, in a fixed number of queries."""
    pairs = set(Entry.with_rooms.playing_for(entry).values_list("pk", flat=True))
    found = plays.read(plays.of_entries(pairs), visitor, competition)
    sights = embargo.sight(visitor=visitor, plays=[each.row for each in found])
    open_to_all = [each for each in found if sights[each.key] == Sight.FIELD]
    worth = by_play({each.board for each in open_to_all}, {each.key for each in open_to_all})
    lines = tuple(_lines(pairs, found, sights, worth))
    return Scorecard(
        entry=entry,
        pair=pair_of(entry),
        duplicate=Duplicate.objects.get(competition=competition),
        rounds=tuple(_rounds(lines, _sits_out(entry))),
        total=lines[-1].running if lines else Sum(),
        standings=standings_of(competition, entry),
        is_mine=entry.pk in own_entries(visitor, competition),
    )


def standings_of(competition: Competition, entry: Entry) -> tuple[Standing, ...]:
    """Where the pair stands, in the whole event first, then in its section."""
    found = ((ranking, ranking.row_of(entry.pk)) for ranking in rankings.of_event(competition))
    return tuple(Standing(ranking, row) for ranking, row in found if row is not None)


def _lines(
    pairs: Collection[int],
    found: Iterable[Play],
    sights: Mapping[int, Sight],
    worth: Worth,
) -> Iterator[ScoreLine]:
    running = Sum()
    for play in found:
        side = play.side_of(pairs)
        sight = sights[play.key]
        seen = sight >= Sight.SHEET
        figure = worth.get((play.key, side)) if sight == Sight.FIELD else None
        running = running.plus(figure)
        other = "away" if side == "home" else "home"
        yield ScoreLine(
            play=play,
            side=side,
            sight=sight,
            own=play.points(side) if seen else None,
            theirs=play.points(other) if seen else None,
            figure=figure,
            running=running,
        )


def _sits_out(entry: Entry) -> dict[int, str]:
    """The names of the rounds in which it does, by number."""
    found = Appearance.objects.byes().filter(entry=entry).select_related("round__stage")
    return {each.round.number: str(round_names.in_division(each.round, entry.division)) for each in found}


def _rounds(lines: Iterable[ScoreLine], sits_out: Mapping[int, str]) -> Iterator[RoundPart]:
    by_round: dict[int, list[ScoreLine]] = {number: [] for number in sits_out}
    for line in lines:
        by_round.setdefault(line.play.round_number, []).append(line)
    for number in sorted(by_round):
        subtotal = Sum()
        for line in by_round[number]:
            subtotal = subtotal.plus(line.figure)
        there = by_round[number]
        name = there[0].play.round_name if there else sits_out[number]
        yield RoundPart(name, tuple(there), subtotal)
