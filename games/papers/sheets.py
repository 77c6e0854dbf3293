"""Scoresheets to be filled in at the table, each with a code that opens its entry on a phone."""

import io
from typing import Any

import segno
from django.utils.translation import gettext as _

from games import front
from games.front import GameFront
from games.papers.orders import NothingToPrint, Order, Product
from games.papers.queries.blank_sheets import PaperSheet, paper_sheet, to_print
from games.papers.typesetting import set_by
from games.scoresheets import entry_links
from league.models import Fixture
from league.standings import round_names


def make(order: Order) -> Product:
    """One page a table: of a round, or of all rounds that are still to be played."""
    rounds = [order.round] if order.round else list(order.competition.stage.rounds.order_by("number"))
    fixtures = [fixture for each in rounds for fixture in to_print(each)]
    if not fixtures:
        raise NothingToPrint(_("There are no matches left to print a sheet for."))
    own, names = front.of(order.competition.game), round_names.of_fixtures(fixtures)
    sheets = []
    for fixture in fixtures:
        sheets.append(_sheet(order, own, fixture, names[fixture.pk]))
        order.tell(len(sheets), len(fixtures))
    content = order.page(
        _("Scoresheets"),
        deal=_("Deal"),
        qr=_("Enter this sheet here"),
        total=_("Total"),
        signed=_("Signed"),
        how=own.paper_how(),
    )
    return Product(_("scoresheets.pdf"), set_by(own.paper_file, content | {"sheets": sheets}))


def qr_picture(text: str) -> str:
    """The text as a QR code: an SVG of its own."""
    picture = io.BytesIO()
    segno.make(text, error="m", micro=False).save(picture, kind="svg", scale=4, border=2, xmldecl=False)
    return picture.getvalue().decode("ascii")


def _sheet(order: Order, own: GameFront, fixture: Fixture, round_name: str) -> dict[str, Any]:
    address = order.site + entry_links.path_of(fixture)
    sheet = paper_sheet(fixture, round_name=round_name, address=address)
    return {
        "title": sheet.title,
        "under": list(sheet.where),
        "seats": [{"title": seat.title, "player": seat.player} for seat in sheet.seats],
        "first": _first(sheet),
        "qr": qr_picture(address),
        "address": address,
        "sides": [{"name": name, "letters": letters} for _pair, name, letters in sheet.sides],
        "deals": [
            {
                "title": deal.name,
                "deals": _("%(seat)s deals") % {"seat": deal.dealer.title},
                **own.paper_deal(sheet, deal),
            }
            for deal in sheet.deals
        ],
        **own.paper_content(sheet),
    }


def _first(sheet: PaperSheet) -> str:
    if sheet.has_boards:
        return _("If you sit differently, write it here:")
    return _("%(seat)s deals first. If you sit or deal differently, write it here:") % {
        "seat": sheet.first_dealer.title
    }
