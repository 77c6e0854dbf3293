"""Slips for dealing by hand: one a seat and board, so that a dealer sees thirteen cards of a board."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.deals import CARDS_EACH
from engine.seats import SEATS
from games.papers import deals
from games.papers.deals import Dealt
from games.papers.orders import Order, Product, set_title
from games.papers.typesetting import pdf

BOARDS_A_PAGE = 2


def make(order: Order) -> Product:
    """Eight slips a page, to be cut apart, of a set that the person who asked has taken out."""
    boards: list[tuple[str, Dealt]] = [
        (set_title(board_set), each) for board_set in order.sets for each in deals.all_of(board_set)
    ]
    pages = []
    most = -(-len(boards) // BOARDS_A_PAGE)
    for start in range(0, len(boards), BOARDS_A_PAGE):
        pages.append(
            {
                "slips": [
                    slip for _title, each in boards[start : start + BOARDS_A_PAGE] for slip in _slips(each)
                ]
            }
        )
        order.tell(len(pages), most)
    content = order.page(_("Slips for dealing"), board=_("Board")) | {
        "short": f"{order.competition.club.name} · {order.competition.name}",
        "pages": pages,
    }
    return Product(_("slips.pdf"), pdf("deal_slips", content))


def _slips(dealt: Dealt) -> list[dict[str, object]]:
    count = ngettext("%(count)d card", "%(count)d cards", CARDS_EACH) % {"count": CARDS_EACH}
    under = f"{_('reserve board')} · {dealt.deals}" if dealt.is_spare else dealt.deals
    return [
        {
            "seat": _(seat.title),
            "deals": under,
            "number": str(dealt.number),
            "cards": dealt.cards(seat),
            "count": count,
        }
        for seat in SEATS
    ]
