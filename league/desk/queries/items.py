"""What the desk is made of: items, the groups they stand in, and which of them were put aside."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from league.extension import Text
from league.models import AuditEntry, Club

SEEN, SHOWN_AGAIN = "desk.seen", "desk.shown_again"
# An item that lasts longer than this after it was put aside is worth another look.
KEPT_ASIDE = timedelta(days=60)

# The most urgent group first; within it items keep the order in which they are found.
GROUPS: dict[str, tuple[Text, Text]] = {
    "decide": (_("To decide"), _("Others are waiting for you.")),
    "chase": (_("To chase"), _("Waiting for someone else: results, confirmations and dates.")),
    "check": (_("To check"), _("Accepted, but unusual. Check it and mark it as seen.")),
    "prepare": (_("To prepare"), _("What the next rounds need.")),
    "people": (_("People"), _("Who is who, and who is joining.")),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A button beside an item."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class DeskItem:
    """One thing to do: a word for its kind, what it is about, why it is here now, and what can be done.

    With a `key` it can be put aside ("seen"); the same key is then no longer shown. `fixture` is the match whose
    trail tells of that.
    """

    group: str
    mark: str
    tone: str
    what: str
    url: str
    why_now: str
    steps: tuple[Step, ...] = ()
    key: str = ""
    fixture: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The items of one kind of urgency."""

    key: str
    label: str
    about: str
    items: tuple[DeskItem, ...] = field(default=())

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that waits, in order of urgency, and what was put aside."""

    waiting: tuple[DeskItem, ...]
    aside: tuple[DeskItem, ...]

    def groups(self, most: int | None = None) -> tuple[Group, ...]:
        """The groups that hold something, with the first `most` items in all."""
        shown = self.waiting[:most]
        found = (
            Group(key, str(label), str(about), tuple(each for each in shown if each.group == key))
            for key, (label, about) in GROUPS.items()
        )
        return tuple(group for group in found if group.items)

    def counts(self) -> tuple[Group, ...]:
        """Every group with all of its items, the empty ones too."""
        return tuple(
            Group(key, str(label), str(about), tuple(each for each in self.waiting if each.group == key))
            for key, (label, about) in GROUPS.items()
        )


def in_order(found: Iterable[DeskItem], aside: frozenset[str]) -> Desk:
    """The items by urgency, those that were put aside apart."""
    order = list(GROUPS)
    listed = sorted(found, key=lambda item: order.index(item.group))
    return Desk(
        waiting=tuple(each for each in listed if each.key not in aside or not each.key),
        aside=tuple(each for each in listed if each.key and each.key in aside),
    )


def keys_aside(club: Club, *, at: datetime) -> frozenset[str]:
    """The keys of what was put aside and not shown again since."""
    acts = AuditEntry.objects.filter(club=club, action__in=[SEEN, SHOWN_AGAIN], at__gte=at - KEPT_ASIDE)
    newest: dict[str, str] = {}
    for action, after in acts.order_by("at", "pk").values_list("action", "after"):
        newest[str((after or {}).get("key", ""))] = action
    return frozenset(key for key, action in newest.items() if action == SEEN)
