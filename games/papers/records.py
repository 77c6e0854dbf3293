"""Hand records: all hands of every board, and after play what their cards could have made."""

from typing import Any

from django.utils.translation import gettext as _

from games import seating
from games.analysis.services import boards as board_analyses
from games.papers import deals
from games.papers.deals import Dealt
from games.papers.orders import NothingToPrint, Order, Product, set_titles
from games.papers.typesetting import pdf
from games.templatetags.cards import SEATS as COMPASS

BOARDS_A_PAGE = 8


def for_dealing(order: Order) -> Product:
    """All hands of a set that is still sealed; the person who asked has taken it out."""
    return _records(order, [(board_set, deals.all_of(board_set)) for board_set in order.sets], has_best=False)


def after_play(order: Order) -> Product:
    """The hands of the boards that are public, with par and the best hands of both sides."""
    found = [(board_set, deals.released_of(board_set)) for board_set in order.sets]
    return _records(order, [(board_set, boards) for board_set, boards in found if boards], has_best=True)


def _records(order: Order, found: list[tuple[Any, tuple[Dealt, ...]]], *, has_best: bool) -> Product:
    if not found:
        raise NothingToPrint(
            _("No boards are public yet. You can print their cards once every table has played.")
        )
    pages = sum(-(-len(boards) // BOARDS_A_PAGE) for _set, boards in found)
    done = 0
    sets = []
    titles = set_titles(order.competition, [board_set for board_set, _boards in found])
    for board_set, boards in found:
        board_set.competition = order.competition
        shown = [_board(each, has_best=has_best) for each in boards]
        missing = board_set.count - len(boards) if has_best else 0
        note = _("%(count)d boards are still being played.") % {"count": missing} if missing > 0 else ""
        sets.append(
            {
                "title": titles[board_set.pk],
                "under": [order.competition.name],
                "note": note,
                "boards": shown,
            }
        )
        done += -(-len(boards) // BOARDS_A_PAGE)
        order.tell(done, pages)
    sides = " : ".join(seating.side_letters(order.competition.game).values())
    content = order.page(
        _("Hand records"), par=_("Par, %(sides)s") % {"sides": sides}, stock=_("Stock, from the top")
    ) | {"sets": sets}
    return Product(_("hand-records.pdf"), pdf("hand_records", content))


def _board(dealt: Dealt, *, has_best: bool) -> dict[str, Any]:
    best = board_analyses.best_of(dealt.board) if has_best else None
    par = " : ".join(str(points) for points in best.par.values()) if best and best.par else None
    return {
        "title": dealt.title,
        "deals": dealt.deals_and_shows,
        "dealer": dealt.dealer,
        "has-compass": COMPASS.keys() == dealt.hands.keys(),
        "seats": [
            {"key": seat, "name": name, "letter": str(COMPASS[seat][2]) if seat in COMPASS else name}
            for seat, name in dealt.seats.items()
        ],
        "hands": {seat: dealt.cards(seat) for seat in dealt.seats},
        "stock": list(dealt.stock),
        "par": par,
        "best": [_best(side) for side in best.sides] if best else [],
    }


def _best(side: Any) -> dict[str, Any]:
    way = side.ways[0]
    return {
        "pair": side.title,
        "points": str(way.points),
        "hands": [f"{hand.words} ({hand.points})" for hand in way.hands],
    }
