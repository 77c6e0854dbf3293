"""The figures of several boards together, by play and side."""

from collections.abc import Collection, Iterable, Mapping

from games.comparisons.reckoning import figures
from games.comparisons.reckoning.figures import ShownFigure
from games.models import Board, Comparison

Worth = Mapping[tuple[int, str], ShownFigure]


def by_play(boards: Iterable[Board | int], plays: Collection[int]) -> Worth:
    """The figures of these plays of the boards, as stored; in one query. The caller asked the embargo."""
    wanted = {str(key) for key in plays}
    found: dict[tuple[int, str], ShownFigure] = {}
    for content in Comparison.objects.filter(board__in=list(boards)).values_list("content", flat=True):
        chosen = {key: each for key, each in content["plays"].items() if key in wanted}
        found.update(figures.figures_in({**content, "plays": chosen}))
    return found
