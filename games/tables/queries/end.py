"""What a table that is over says, and what comes next: a match, a casual table and practice end differently."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Table
from games.tables.forms import TERMS
from games.tables.seating import practised_as
from league import policies
from league.actors import User, Visitor

Kind, State = Table.Kind, Table.State


def end_words(table: Table) -> dict[str, str]:
    """What the page's script says at the end of this table, in place of what it says at a match's."""
    return {
        "match_over": {
            Kind.MATCH: _("The match is over."),
            Kind.CASUAL: _("All deals of this table have been played."),
            Kind.PRACTICE: _("That’s the end of the practice. It doesn’t count."),
            Kind.DAILY: _(
                "That was the daily deal. When the day is over you can see how everybody else did."
            ),
        }[Kind(table.kind)]
    }


@dataclass(frozen=True, slots=True)
class Again:
    """Another table like this one: where to send which fields, and what the button says."""

    action: str
    fields: Mapping[str, str]
    label: str


def again(*, table: Table, visitor: Visitor) -> Again | None:
    """The next table, for those who may open one; a match and the deal of a day have none, and a practised board leads
    to random deals. Who practises a deal of the day, in no club, gets the same cards again."""
    if table.kind in {Kind.MATCH, Kind.DAILY}:
        return None
    if table.club is None:
        action = reverse("practice_again", args=[table.pk, table.deal_number])
        is_own = isinstance(visitor, User) and table.opened_by_id == visitor.pk
        return Again(action, {}, _("Practise again")) if is_own else None
    if not policies.may(visitor, "table.open_casual", table.club):
        return None
    which = {"game": table.game, "players": str(table.players or "")}
    if table.kind == Kind.PRACTICE:
        action = reverse("practice", args=[table.club.slug])
        return Again(action, {**which, **practised_as(table)}, _("Practise again"))
    fields = {name: getattr(table, name) for name in TERMS}
    fields |= {f"rules_{name}": value for name, value in table.options.items()}
    # What is not ticked is not sent.
    sent = {
        name: "on" if value is True else str(value) for name, value in fields.items() if value is not False
    }
    action = reverse("casual_table", args=[table.club.slug])
    return Again(action, which | sent, _("New table with the same settings"))
