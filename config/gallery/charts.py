"""A sample of each chart, for the gallery of components."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.web.charts import (
    Bar,
    Played,
    Series,
    Stack,
    bar_chart,
    bump_chart,
    distribution_chart,
    form_chart,
    line_chart,
    stacked_chart,
)

PAIRS = (
    "Berg & Okafor",
    "Lindqvist & Marsh",
    "Adeyemi & Ford",
    "Petrov & Sato",
    "Novak & Reyes",
    "Dubois & Khan",
)
PLACES = (
    (3, 2, 1, 1, 1),
    (1, 1, 2, 3, 2),
    (2, 3, 3, 2, 3),
    (5, 5, 4, 4, 4),
    (4, 4, 5, 6, 5),
    (6, 6, 6, 5, 5),
)
# A board at two dozen tables: points of N-S less those of E-W.
BOARD = (-12, -8, -8, -5, -5, 3, 3, 4, 4, 4, 4, 4, 8, 8, 8, 11, 11, 15, 15, 15, 17, 22, 22, 30)
MATCHES = (
    Played("R1", PAIRS[1], "118 : 92", 26, "W"),
    Played("R2", PAIRS[2], "88 : 131", -43, "L"),
    Played("R3", PAIRS[3], "101 : 101", 0, "D"),
    Played("R4", PAIRS[4], "walkover", None, "W"),
    Played("R5", PAIRS[5], "150 : 87", 63, "W"),
)
ROUNDS = (
    Stack("R1", (6, 1, 1, 0, 0)),
    Stack("R2", (7, 0, 0, 1, 0)),
    Stack("R3", (5, 1, 0, 0, 2), strong=True),
)


def samples() -> dict[str, SafeString]:
    """The charts by the names that the gallery calls them."""
    return {
        "bump": bump_chart(
            [Series(label, values) for label, values in zip(PAIRS, PLACES, strict=True)],
            rounds=[f"R{number}" for number in range(1, 6)],
            title=_("Places after each round"),
            highlight=PAIRS[:2],
        ),
        "line": line_chart(
            [Series(_("made"), (120, 148, 96, 210, 131)), Series(_("given away"), (100, 131, 110, 140, 164))],
            steps=range(1, 6),
            title=_("Points per match"),
        ),
        "bars": bar_chart(
            [Bar(PAIRS[0], 386), Bar(PAIRS[1], 241, strong=True), Bar(PAIRS[2], -12), Bar(PAIRS[3], -383)],
            title=_("Points difference"),
            amount=_("Difference"),
        ),
        "form_picture": form_chart(MATCHES, title=_("Results in order")),
        "parts": stacked_chart(
            ROUNDS,
            parts=(
                _("in time"),
                _("with a substitute"),
                _("after the round"),
                _("not played"),
                _("still open"),
            ),
            title=_("Played, postponed, walkovers"),
            of_what=_("Round"),
        ),
        "frequencies": distribution_chart(
            BOARD, title=_("Results of board 7"), amount=_("Points of N-S minus points of E-W"), par=4, own=11
        ),
    }
