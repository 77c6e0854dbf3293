"""Slips to cut apart: for dealing by hand, one a seat and board, so that a dealer sees one hand of a board; and for
players, each with a link of its own."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.papers import deals
from games.papers.deals import Dealt
from games.papers.orders import Order, Product
from games.papers.sheets import qr_picture
from games.papers.typesetting import SIZES, pdf
from league.models import Club
from league.people.services import joining
from league.web.local_time import day_text

SLIPS_A_PAGE = 8


def make(order: Order) -> Product:
    """Eight slips a page, to be cut apart, of a set that the person who asked has taken out."""
    slips = [slip for board_set in order.sets for each in deals.all_of(board_set) for slip in _slips(each)]
    pages = [{"slips": slips[start : start + SLIPS_A_PAGE]} for start in range(0, len(slips), SLIPS_A_PAGE)]
    order.tell(len(pages), len(pages))
    content = order.page(_("Slips for dealing"), board=_("Board")) | {
        "short": f"{order.competition.club.name} · {order.competition.name}",
        "pages": pages,
    }
    return Product(_("slips.pdf"), pdf("deal_slips", content))


def _slips(dealt: Dealt) -> list[dict[str, object]]:
    shown: list[tuple[str, str, dict[str, str], list[str], int]] = [
        (
            name,
            dealt.deals_and_shows if seat == dealt.dealer else dealt.deals,
            dealt.cards(seat),
            [],
            len(dealt.hands[seat]),
        )
        for seat, name in dealt.seats.items()
    ]
    if dealt.stock:
        shown.append((_("Stock, from the top"), dealt.deals, {}, list(dealt.stock), len(dealt.stock)))
    spare = f"{_('reserve board')} · " if dealt.is_spare else ""
    return [
        {
            "seat": name,
            "deals": spare + under,
            "number": str(dealt.number),
            "cards": cards,
            "row": row,
            "count": ngettext("%(count)d card", "%(count)d cards", count) % {"count": count},
        }
        for name, under, cards, row, count in shown
    ]


def of_players(club: Club, made: Sequence[joining.Slip], *, language: str) -> bytes:
    """Eight slips a page, one a player: the code opens the page on which its holder joins."""
    last = day_text(timezone.localtime(timezone.now() + joining.SLIP_LASTS), "j M Y")
    shown = [
        {"name": each.player.name, "qr": qr_picture(each.address), "address": each.address} for each in made
    ]
    content = {
        "title": _("%(club)s invites you") % {"club": club.name},
        "author": club.name,
        "size": SIZES[0],
        "language": language,
        "foot": [],
        "words": {
            "club": _("%(club)s invites you") % {"club": club.name},
            "how": _("Scan the code, sign up, and see your matches and results."),
            "last": _("For you alone. Works once, until %(day)s.") % {"day": last},
            "qr": _("QR code of the link"),
        },
        "pages": [shown[start : start + SLIPS_A_PAGE] for start in range(0, len(shown), SLIPS_A_PAGE)],
    }
    return pdf("player_slips", content)
