"""What is still to be settled before a sheet can be sent, each thing with the way to its place on the entry page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.readings import Reading
from games.selectors.entry import spot_of
from games.wording import in_words


@dataclass(frozen=True, slots=True)
class ToSettle:
    """One thing to settle; `fragment` leads to its hand."""

    where: str
    message: str
    proposal: str
    fragment: str
    refuses: bool


def to_settle(reading: Reading) -> tuple[ToSettle, ...]:
    """Everything that is wrong, missing or odd, in the order of the sheet."""
    found = []
    for problem in reading.problems:
        deal, spot, _field = spot_of(problem.place)
        found.append(
            ToSettle(
                where=where_in_words(deal, spot),
                message=in_words(problem.template, problem.params),
                proposal=in_words(problem.proposal_template, problem.params),
                fragment="" if deal is None else f"#{deal + 1}.{spot + 1 if isinstance(spot, int) else spot}",
                refuses=problem.refuses,
            )
        )
    return tuple(found)


def where_in_words(deal: int | None, spot: int | str) -> str:
    """A place of the sheet for people: "Deal 2, hand 5"."""
    if deal is None:
        return _("Seats") if spot == "seats" else _("The sheet")
    if isinstance(spot, int):
        return _("Deal %(deal)d, hand %(hand)d") % {"deal": deal + 1, "hand": spot + 1}
    if spot == "left":
        return _("Deal %(number)d, left-overs") % {"number": deal + 1}
    if spot == "total":
        return _("Deal %(number)d, points") % {"number": deal + 1}
    return _("Deal %(number)d") % {"number": deal + 1}
