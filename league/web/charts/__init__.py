"""Small charts as SVG, drawn by the server: they print, need no script, and have their figures in a table behind.

Each chart is drawn twice, wide and narrow, because letters in a scaled picture would be too small on a phone; the
style sheet (static/css/charts.css) shows the one that fits, and colours by class: s1, s2, s3 for what is brought out,
the rest muted. Values are exact; floats are coordinates of a drawing and nothing else.
"""

from league.web.charts.bars import (
    Bar,
    Played,
    bar_chart,
    form_chart,
)
from league.web.charts.bumps import bump_chart
from league.web.charts.drawing import Series, Value
from league.web.charts.frequencies import distribution_chart
from league.web.charts.lines import line_chart
from league.web.charts.stacks import Stack, stacked_chart

__all__ = [
    "Bar",
    "Played",
    "Series",
    "Stack",
    "Value",
    "bar_chart",
    "bump_chart",
    "distribution_chart",
    "form_chart",
    "line_chart",
    "stacked_chart",
]
