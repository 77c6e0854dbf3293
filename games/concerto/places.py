"""What the parts of a deal of Concerto are called, and where a problem belongs among them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.game import Game
from games.records.display.deal_names import DealNames
from games.records.display.places import Places, Spot

HAND_PLACES = {"hands", "points", "leaders"}


class ConcertoNames(DealNames):
    """The names of a match's deals, their hands and what is left of them; counted from 0."""

    def hand(self, deal: int, hand: int) -> str:
        """ "Deal 2, hand 5"."""
        text = self._text(_("Deal %(deal)d, hand %(hand)d"), _("Board %(deal)d, hand %(hand)d"), deal)
        return text % {"deal": self.number(deal), "hand": hand + 1}

    def left(self, deal: int) -> str:
        """Its left-overs."""
        return self._said(_("Deal %(number)d, left-overs"), _("Board %(number)d, left-overs"), deal)

    def hands_of(self, deal: int, side: str) -> str:
        """A side's points for hands in it."""
        text = self._text(
            _("Deal %(number)d, hands only of %(side)s"),
            _("Board %(number)d, hands only of %(side)s"),
            deal,
        )
        return text % {"number": self.number(deal), "side": side}


class ConcertoPlaces(Places):
    """The hands of a deal, its left-overs, and its points."""

    def spot_in_deal(self, deal: int, rest: tuple[str | int, ...]) -> Spot:
        name = str(rest[0]) if rest else ""
        if name in HAND_PLACES and len(rest) > 1 and isinstance(rest[1], int):
            return deal, rest[1], ""
        if name.startswith("left"):
            return deal, "left", name
        if name == "made":
            return deal, "total", ".".join(str(step) for step in rest)
        return super().spot_in_deal(deal, rest)

    def deal_in_words(
        self, deal: int, spot: int | str, field: str, offered: Game, boards: Sequence[int]
    ) -> str:
        names = ConcertoNames(boards)
        name, _dot, side = field.partition(".")
        if isinstance(spot, int):
            return names.hand(deal, spot)
        if spot == "left":
            return names.left(deal)
        if name == "made" and side in offered.sides():
            return names.hands_of(deal, _(offered.title(side)))
        return super().deal_in_words(deal, spot, field, offered, boards)
