"""Files for dealing machines, in every format of the engine, zipped with a check list."""

import csv
import hashlib
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.boards.files.boards import Board, NotationError
from engine.boards.files.formats import FORMATS, Format
from engine.deals import Deal
from engine.seats import Seat
from games.models import BoardSet
from games.papers import deals
from games.papers.deals import Dealt
from games.papers.orders import Order, Product, set_titles
from games.papers.typesetting import pdf
from league.web.wording import in_words

CHECK_LENGTH = 8
NO_CARDS_ON_SCREEN = "blind"


@dataclass(frozen=True, slots=True, repr=False)
class Written:
    """A file of the zip, or why it is not there."""

    name: str
    content: bytes = b""
    left_out: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of what is in it."""
        return hashlib.sha256(self.content).hexdigest() if self.content else ""


def make(order: Order) -> Product:
    """The zip of a set that the person who asked has taken out."""
    (board_set,) = order.sets
    found = deals.all_of(board_set)
    written = list(_files("boards", [each for each in found if not each.is_spare]))
    written += _files("reserve", [each for each in found if each.is_spare])
    order.tell(1, 2)
    check_list = [
        ("check-list.csv", _table(order, board_set, written, found)),
        ("check-list.pdf", pdf("check_list", _page(order, board_set, written, found))),
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [*check_list, *((each.name, each.content) for each in written if each.content)]:
            # A time of our own: the zip tells nothing of the machine that made it.
            archive.writestr(zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6]), content)
    order.tell(2, 2)
    return Product(_("dealing-files.zip"), packed.getvalue())


def check_of(dealt: Dealt) -> str:
    """Eight figures by which people see that two files have the same board; nobody finds the cards from them."""
    return hashlib.sha256(dealt.deal.encode("ascii")).hexdigest()[:CHECK_LENGTH]


def _files(stem: str, found: Sequence[Dealt]) -> Iterable[Written]:
    boards = [Board(each.number, Deal.parse(each.deal), Seat.parse(each.dealer)) for each in found]
    for form in FORMATS.values() if boards else ():
        yield _file(stem, form, boards)


def _file(stem: str, form: Format, boards: Sequence[Board]) -> Written:
    ending = f"-{NO_CARDS_ON_SCREEN}" if form.key.endswith(NO_CARDS_ON_SCREEN) else ""
    name = f"{stem}{ending}{form.suffix}"
    try:
        return Written(name, form.write(boards))
    except NotationError as refusal:
        reasons = [in_words(cause.message) for cause in refusal.causes] or [in_words(refusal.message)]
        return Written(name, left_out=_("left out: %(reason)s") % {"reason": reasons[0]})


def _table(order: Order, board_set: BoardSet, written: Iterable[Written], found: Iterable[Dealt]) -> bytes:
    """The check list for programs: one line a fact, a file or a board."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["what", "name", "value"])
    lines.writerow(["event", "name", order.competition.name])
    lines.writerow(["set", "number", board_set.pk])
    lines.writerow(["set", "commitment", board_set.commitment])
    lines.writerows(["file", each.name, each.digest or each.left_out] for each in written)
    lines.writerows(["reserve" if each.is_spare else "board", each.number, check_of(each)] for each in found)
    return text.getvalue().encode("utf-8")


def _page(
    order: Order, board_set: BoardSet, written: Iterable[Written], found: Iterable[Dealt]
) -> dict[str, Any]:
    page = order.page(
        _("Check list"),
        files=_("Files"),
        file=_("File"),
        sha=_("SHA-256"),
        checks=_("Boards"),
        board=_("Board"),
        check=_("Check"),
        **{
            "checks-note": _(
                "The check is worked out from the cards. If two checks are the same, so are the "
                "cards. It doesn’t give them away."
            )
        },
    )
    facts = [
        (_("Set"), f"{board_set.pk} · {set_titles(order.competition, [board_set])[board_set.pk]}"),
        (_("Commitment"), board_set.commitment),
    ]
    return page | {
        "under": [order.competition.club.name],
        "facts": [{"name": name, "value": value} for name, value in facts],
        "files": [{"name": e.name, "digest": e.digest, "left-out": e.left_out} for e in written],
        "checks": [{"board": e.title, "value": _spaced(check_of(e))} for e in found],
    }


def _spaced(check: str) -> str:
    half = CHECK_LENGTH // 2
    return f"{check[:half]} {check[half:]}"
