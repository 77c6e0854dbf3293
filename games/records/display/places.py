"""The places of a sheet: where a problem belongs on the page, in words, and how a link leads there."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.game import Game, Problem
from games.records.display.deal_names import DealNames

Spot = tuple[int | None, int | str, str]


class Places:
    """The places of a sheet of totals. A game that writes more of a deal extends it."""

    def spot(self, place: tuple[str | int, ...]) -> Spot:
        """Deal, spot and field of a problem's place; the deal is None where it is the whole sheet's."""
        if place[:1] != ("deals",) or len(place) < 2 or not isinstance(place[1], int):
            return None, "seats" if place[:1] in {("seats",), ("first_dealer",)} else "deal", ""
        return self.spot_in_deal(place[1], place[2:])

    def spot_in_deal(self, deal: int, rest: tuple[str | int, ...]) -> Spot:
        """The same within a deal, by what the place says after it."""
        name = str(rest[0]) if rest else ""
        if name == "total":
            return deal, "total", ".".join(str(step) for step in rest)
        return deal, "deal", name

    def in_words(self, problem: Problem, offered: Game, boards: Sequence[int] = ()) -> str:
        """A problem's place for people: "Deal 2", "Board 7, total of North-South"."""
        deal, spot, field = self.spot(problem.place)
        if deal is None:
            return _("Seats") if spot == "seats" else _("The sheet")
        return self.deal_in_words(deal, spot, field, offered, boards)

    def deal_in_words(
        self, deal: int, spot: int | str, field: str, offered: Game, boards: Sequence[int]
    ) -> str:
        """A place within a deal for people."""
        names = DealNames(boards)
        if spot != "total":
            return names.deal(deal)
        side = field.partition(".")[2]
        return names.total_of(deal, _(offered.title(side))) if side in offered.sides() else names.total(deal)

    def fragment(self, problem: Problem) -> str:
        """The end of an address that leads to the place on the entry page; empty where there is none."""
        deal, spot, field = self.spot(problem.place)
        if deal is None:
            return ""
        if isinstance(spot, int):
            return f"#{deal + 1}.{spot + 1}"
        return f"#{deal + 1}.{field if '.' in field else spot}"
