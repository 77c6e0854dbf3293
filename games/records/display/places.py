"""The places of a sheet: where a problem belongs on the page, in words, and how a link leads there."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.game import Game, Problem
from games.records.display.deal_names import DealNames

HAND_PLACES = {"hands", "points", "leaders"}
TOTAL_PLACES = {"total", "made"}


def spot_of(place: tuple[str | int, ...]) -> tuple[int | None, int | str, str]:
    """Deal, spot and field of a problem's place; the deal is None where it is the whole sheet's."""
    if place[:1] != ("deals",) or len(place) < 2 or not isinstance(place[1], int):
        return None, "seats" if place[:1] in {("seats",), ("first_dealer",)} else "deal", ""
    deal, rest = place[1], place[2:]
    name = str(rest[0]) if rest else ""
    if name in HAND_PLACES and len(rest) > 1 and isinstance(rest[1], int):
        return deal, rest[1], ""
    if name.startswith("left"):
        return deal, "left", name
    if name in TOTAL_PLACES:
        return deal, "total", ".".join(str(step) for step in rest)
    return deal, "deal", name


def where_in_words(problem: Problem, offered: Game, boards: Sequence[int] = ()) -> str:
    """A problem's place for people: "Deal 2, hand 5", "Board 7, total of North-South"."""
    deal, spot, field = spot_of(problem.place)
    names = DealNames(boards)
    if deal is None:
        return _("Seats") if spot == "seats" else _("The sheet")
    if isinstance(spot, int):
        return names.hand(deal, spot)
    if spot == "left":
        return names.left(deal)
    if spot == "total":
        return _points_in_words(names, deal, field, offered)
    return names.deal(deal)


def _points_in_words(names: DealNames, deal: int, field: str, offered: Game) -> str:
    name, _dot, key = field.partition(".")
    if key not in offered.sides():
        return names.total(deal)
    return (names.hands_of if name == "made" else names.total_of)(deal, _(offered.title(key)))


def fragment_of(problem: Problem) -> str:
    """The end of an address that leads to the place on the entry page; empty where there is none."""
    deal, spot, field = spot_of(problem.place)
    if deal is None:
        return ""
    if isinstance(spot, int):
        return f"#{deal + 1}.{spot + 1}"
    return f"#{deal + 1}.{field if '.' in field else spot}"
