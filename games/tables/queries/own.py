"""Tables in the browser at which a person has a seat, for the person's own page; and what they played as a guest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from operator import itemgetter
from typing import Any

from django.db.models import DateTimeField, F, Q, QuerySet, Value
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from games.models import (
    ChatLine,
    DailyPlay,
    LearningProgress,
    LobbyChoice,
    ScoresheetDraft,
    SheetPhoto,
    Table,
    TableDeal,
    TableSeat,
)
from games.tables.guest_keys import guests_in
from games.tables.queries.lists import ListedTable, listed
from league.actors import Visitor
from league.extension import OwnEvent, Text
from league.models import User
from league.storage.prepared import Given, Prepared, Somebody

MOST_SHOWN, MOST_KEPT = 3, 200
#: Of a seat and a deal of its table: somebody sat there when the deal was over.
WHILE_THERE = Q(since__lt=F("table__deals__finished_at")) & (
    Q(left_at=None) | Q(left_at__gte=F("table__deals__finished_at"))
)
TITLE, TO_THE_TABLE = gettext_lazy("Your table is waiting"), gettext_lazy("Go to the table")
CALLED, SIT_DOWN = gettext_lazy("Your match is ready at the table"), gettext_lazy("Sit down")

ASKING, JOIN = gettext_lazy("A table of your club is looking for players"), gettext_lazy("Join")
KEEP, KEEP_RESULTS = gettext_lazy("Keep what you played as a guest"), gettext_lazy("Keep my results")


def _calls() -> QuerySet[Any]:
    at: Any = Given("at", DateTimeField())
    calls = Table.objects.calling(Somebody) | Table.objects.asking(Somebody, at=at)
    newest = calls.order_by(F("fixture").desc(nulls_last=True), "-seen_at", "-pk")
    found: QuerySet[Any] = newest.values_list("pk", "fixture_id")[:1]
    return found


_CALLS = Prepared(_calls)


def calling_table(user: Any) -> OwnEvent | None:
    """The newest open table of this person's matches at which they do not sit yet, or else a casual one of a club of
    theirs that has called them; one query."""
    if not isinstance(user, User):
        return None
    for key, fixture in _CALLS(user=user.pk, at=timezone.now()):
        title, label = (CALLED, SIT_DOWN) if fixture else (ASKING, JOIN)
        address = reverse("table", args=[key])
        return OwnEvent(str(title), address, (), ((label, address),))
    return None


def kept_on_device(*, user: Any, cookies: Mapping[str, str]) -> Iterator[OwnEvent]:
    """What this account may keep of what the person played in this browser as a guest; where it is offered."""
    found = guests_in(cookies) if isinstance(user, User) else []
    if found:
        lines = tuple((str(guest.table.club), str(guest)) for guest in found)
        address = reverse("week")
        yield OwnEvent(str(KEEP), address, lines, ((KEEP_RESULTS, address),))


def own_tables(*, user: Any, at: datetime) -> Iterator[OwnEvent]:
    """The open tables of this account's matches at which it does not sit yet, those of its clubs that have called it,
    then those at which it sits, the newest first; one query where there is none, else a few, however many there are."""
    if not isinstance(user, User):
        return
    held = Table.objects.open().filter(seats__user=user, seats__left_at__isnull=True)
    kinds = (
        (Table.objects.calling(user), "seen_at", _called),
        (Table.objects.asking(user, at=at), "called_at", _asked),
        (held, "seen_at", _seated),
    )
    first, *others = (
        found.order_by().values_list("pk", moment, Value(kind))
        for kind, (found, moment, _shown) in enumerate(kinds)
    )
    newest = sorted(first.union(*others), key=itemgetter(1, 0), reverse=True)
    chosen = [[key for key, _moment, of in newest if of == kind][:MOST_SHOWN] for kind in range(len(kinds))]
    tables = Table.objects.filter(pk__in=chain.from_iterable(chosen)).with_match()
    rows = {row.key: row for row in listed(tables, user)} if newest else {}
    for keys, (_found, _moment, shown) in zip(chosen, kinds, strict=True):
        yield from (shown(rows[key]) for key in keys if key in rows)


def _called(row: ListedTable) -> OwnEvent:
    return _event(row, CALLED, SIT_DOWN, (row.title, row.progress), *_there(row))


def _asked(row: ListedTable) -> OwnEvent:
    return _event(row, ASKING, TO_THE_TABLE, (row.title, row.terms), *_there(row))


def _seated(row: ListedTable) -> OwnEvent:
    return _event(row, TITLE, TO_THE_TABLE, (row.title, row.progress))


def _event(row: ListedTable, title: Text, label: Text, *lines: tuple[str, str]) -> OwnEvent:
    address = reverse("table", args=[row.key])
    return OwnEvent(str(title), address, lines, ((label, address),))


def _there(row: ListedTable) -> Iterator[tuple[str, str]]:
    if row.people:
        yield (_("At the table"), ", ".join(row.people))


@dataclass(frozen=True, slots=True)
class KeptDeal:
    """A deal that the person played as a guest and has kept: the points of their side, and those of the others."""

    deal: TableDeal
    points: int
    others: tuple[int, ...]


def kept_seats(user: Visitor) -> QuerySet[TableSeat]:
    """The seats that this account held as a guest, of whom it keeps what they played."""
    if not isinstance(user, User):
        return TableSeat.objects.none()
    return TableSeat.objects.filter(guest__kept_by=user, table__kind=Table.Kind.CASUAL)


def kept_deals(user: User) -> list[KeptDeal]:
    """The newest deals that the account keeps."""
    seats = kept_seats(user).filter(table__deals__finished_at__isnull=False)
    while_there = (
        seats.filter(WHILE_THERE).annotate(deal=F("table__deals")).order_by("-table__deals__finished_at")
    )
    seat_of = {row.deal: row.seat for row in while_there[:MOST_KEPT]}
    deals = (
        TableDeal.objects.filter(pk__in=seat_of).select_related("table__club").order_by("-finished_at", "-pk")
    )
    return [_kept(deal, seat_of[deal.pk]) for deal in deals]


def has_kept(user: Visitor, table_id: int, number: int) -> bool:
    """Whether the account keeps this deal."""
    deal = {"table__deals__number": number, "table__deals__finished_at__isnull": False}
    # The key of an address may be larger than any that a database holds.
    tables = Table.objects.filter(pk=table_id)
    return kept_seats(user).filter(WHILE_THERE, table__in=tables, **deal).exists()


def _kept(deal: TableDeal, seat: str) -> KeptDeal:
    totals = deal.score["total"] if deal.score is not None else {}
    side = game.get(deal.table.game).side_of(seat, deal.table.players)
    return KeptDeal(deal, totals[side], tuple(points for key, points in totals.items() if key != side))


def own_data(*, user: User) -> dict[str, Any]:
    """What the games keep of this person, by part, as JSON: no cards, and nothing of others."""
    seats = TableSeat.objects.filter(user=user).select_related("table__club").order_by("pk")
    return {
        "tables": [
            {
                "table": each.table_id,
                "club": str(each.table.club or ""),
                "game": each.table.game,
                "kind": each.table.kind,
                "seat": each.seat,
                "since": each.since,
                "left_at": each.left_at,
            }
            for each in seats
        ],
        "said_at_tables": [
            {"table": each.table_id, "text": each.text, "said_at": each.said_at}
            for each in ChatLine.objects.filter(user=user).order_by("pk")
        ],
        "daily_deals": list(
            DailyPlay.objects.filter(user=user)
            .order_by("pk")
            .values("daily__game", "daily__day", "own", "others")
        ),
        "lessons": list(LearningProgress.objects.filter(user=user).order_by("pk").values("game", "done")),
        "list_of_tables": LobbyChoice.objects.filter(user=user)
        .values("shows_presence", "wants_calls")
        .first(),
        "unsent_scoresheets": list(ScoresheetDraft.objects.filter(user=user).values("fixture", "updated_at")),
        "photos": list(SheetPhoto.objects.filter(added_by=user).values("fixture", "added_at", "size")),
    }
