"""A figure of a board as people read it."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.comparison.comparison import Basis, Method
from games.comparisons.reckoning.columns import Points
from league.web.number_format import MINUS


def decimal_text(figure: Fraction, places: int, *, signed: bool = False) -> str:
    """The figure with so many places, halves away from nought, as the reader's language writes it."""
    text = exact.rounded(figure, places)
    shown = str(number_format(Decimal(text.lstrip("-")), decimal_pos=places, force_grouping=True))
    if text.startswith("-"):
        return MINUS + shown
    return f"+{shown}" if signed and Decimal(text) else shown


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """What a pair's result on a board is worth beside the others', with all that it came from.

    `value` is in matchpoints, of at most `top`, or in IMPs. `points` are empty where a director gave a percentage.
    With the same tops on all boards, `expected` is what the fullest board was to have.
    """

    play: int
    side: str
    method: str
    version: str
    points: tuple[Points, ...]
    award: int | None
    value: Fraction
    percent: Fraction | None
    basis: Basis
    compared: int
    expected: int
    raw: Fraction
    top: int | None
    beaten: Fraction
    equalled: Fraction
    datum: Fraction | None
    has_same_tops: bool = False

    @property
    def is_matchpoints(self) -> bool:
        return self.method == Method.MATCHPOINTS

    @property
    def is_awarded(self) -> bool:
        """Whether a director gave it, or the score that it came from."""
        return self.award is not None

    @property
    def key(self) -> str:
        """Names the figure on its page."""
        return f"{self.play}-{self.side}"

    @property
    def text(self) -> str:
        """What stands in a table: a percentage, or IMPs with their sign."""
        if self.is_matchpoints:
            return self.percent_text
        return decimal_text(self.value, 2, signed=True)

    @property
    def value_text(self) -> str:
        """Matchpoints, or IMPs with their sign."""
        places = 0 if self.value.denominator == 1 else 1 if self.is_matchpoints else 2
        return decimal_text(self.value, places, signed=not self.is_matchpoints)

    @property
    def percent_text(self) -> str:
        return "–" if self.percent is None else _("%(figure)s%%") % {"figure": decimal_text(self.percent, 1)}

    @property
    def unit(self) -> str:
        """What `value_text` counts."""
        return _("matchpoints") if self.is_matchpoints else _("IMPs")
