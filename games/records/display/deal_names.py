"""What a sheet's deals are called: by their place in the match, or by the numbers of the boards that they lay in."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class DealNames:
    """The names of a match's deals, counted from 0."""

    boards: Sequence[int] = ()

    def number(self, deal: int) -> int:
        """The number that people call it by."""
        return self.boards[deal] if deal < len(self.boards) else deal + 1

    def deal(self, deal: int) -> str:
        """ "Deal 2", "Board 6"."""
        return self._said(_("Deal %(number)d"), _("Board %(number)d"), deal)

    def sum(self, deal: int) -> str:
        """Its points, as one thing."""
        return self._said(_("Deal %(number)d, total"), _("Board %(number)d, total"), deal)

    def total(self, deal: int) -> str:
        """Its points, where a claim about them is wrong."""
        return self._said(
            _("Deal %(number)d, total of the deal"), _("Board %(number)d, total of the board"), deal
        )

    def total_of(self, deal: int, side: str) -> str:
        """A side's points in it."""
        text = self._text(
            _("Deal %(number)d, total of %(side)s"), _("Board %(number)d, total of %(side)s"), deal
        )
        return text % {"number": self.number(deal), "side": side}

    def dealt_by(self, deal: int, seat: str) -> str:
        """Its name and who deals: "Board 6 · East deals"."""
        text = self._text(_("Deal %(number)d · %(seat)s deals"), _("Board %(number)d · %(seat)s deals"), deal)
        return text % {"number": self.number(deal), "seat": seat}

    def _text(self, of_deal: str, of_board: str, deal: int) -> str:
        return of_board if deal < len(self.boards) else of_deal

    def _said(self, of_deal: str, of_board: str, deal: int) -> str:
        return self._text(of_deal, of_board, deal) % {"number": self.number(deal)}
