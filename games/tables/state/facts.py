"""A table's facts, read from its rows and kept in this process's memory only.

They hold the cards of all seats. What a seat, or a spectator, is told is built in games.tables.state.seat_view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from threading import Lock

from engine import game
from games.models import Action, ChatLine, ConventionCard, Table, TableDeal, TableRequest, TableSeat
from games.seating import usual_seating
from games.tables.seating import STAND_INS, seating_at
from games.tables.state.cards import cards_of
from games.tables.state.carried import options_of_deal
from games.tables.state.log import Line, Pause, fold
from games.tables.state.snapshot import (
    Asked,
    CardPlayed,
    DealFacts,
    Holder,
    Names,
    Played,
    Said,
    TableSnapshot,
    pauses_of,
    speaker_of,
)
from league.actors import identity_of
from league.models import Lineup
from league.words import public_names

# So many tables are remembered; the one that was not asked for the longest goes first.
MOST_REMEMBERED = 1000
# So many lines of the chat are on the page.
MOST_LINES = 50
__all__ = [
    "Memory",
    "TableSnapshot",
    "at_least",
    "current",
    "deal_facts",
    "fresh",
    "memory",
    "under_lock",
]
State = TableRequest.State


class Memory:
    """The newest facts of each table that this process has read."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, TableSnapshot] = OrderedDict()
        self._lock = Lock()

    def find(self, table_id: int, version: int, *, opened_at: datetime | None = None) -> TableSnapshot | None:
        """The facts at this version or a newer one; just this version where the table's opening is given."""
        with self._lock:
            facts = self._kept.get(table_id)
            if facts is None:
                return None
            self._kept.move_to_end(table_id)
        if opened_at is None:
            return facts if facts.version >= version else None
        return facts if (facts.version, facts.opened_at) == (version, opened_at) else None

    def keep(self, facts: TableSnapshot) -> None:
        """Remember them, unless newer ones of the same table are there."""
        with self._lock:
            before = self._kept.get(facts.table)
            if before and before.opened_at == facts.opened_at and before.version > facts.version:
                return
            self._kept[facts.table] = facts
            self._kept.move_to_end(facts.table)
            while len(self._kept) > MOST_REMEMBERED:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        """As after a start."""
        with self._lock:
            self._kept.clear()


memory = Memory()
_reading = tuple(Lock() for _ in range(64))


def current(table_id: int) -> TableSnapshot:
    """The table as its rows say now. Raises Table.DoesNotExist."""
    version, opened_at = Table.objects.values_list("version", "opened_at").get(pk=table_id)
    if found := memory.find(table_id, version, opened_at=opened_at):
        return found
    # All windows of a table ask together after each change: one thread reads, and the others find it.
    with _reading[table_id % len(_reading)]:
        return memory.find(table_id, version, opened_at=opened_at) or _read(table_id)


def at_least(table_id: int, version: int) -> TableSnapshot:
    """The table at this version or later; without a query where this process knows it."""
    if found := memory.find(table_id, version):
        return found
    with _reading[table_id % len(_reading)]:
        return memory.find(table_id, version) or _read(table_id)


def under_lock(table: Table) -> TableSnapshot:
    """The facts of a table whose row the caller has locked. They are remembered when they are committed, not now."""
    found = memory.find(table.pk, table.version, opened_at=table.opened_at) or _followed(table.pk)
    return found if found and found.version == table.version else fresh(table.pk)


def _read(table_id: int) -> TableSnapshot:
    """Read without a lock: until nothing changed meanwhile."""
    if facts := _followed(table_id):
        memory.keep(facts)
        return facts
    while True:
        facts = fresh(table_id)
        version, opened_at = Table.objects.values_list("version", "opened_at").get(pk=table_id)
        if (version, opened_at) == (facts.version, facts.opened_at):
            memory.keep(facts)
            return facts


def _followed(table_id: int) -> TableSnapshot | None:
    """What this process knows with the actions since, where another process wrote these and nothing else; one query.

    An action raises the version by one and adds one line. All else raises it without a line, or takes lines back, but
    for an action that somebody's question to take back ends with.
    """
    facts = memory.find(table_id, 0)
    if facts is None or facts.deal is None or any(each.state == State.OPEN for each in facts.requests):
        return None
    since = Action.objects.filter(deal=facts.deal.row, number__gte=facts.deal.fold.next_number)
    rows = (
        since.filter(deal__table__opened_at=facts.opened_at).order_by("number").select_related("deal__table")
    )
    now = (facts.version + len(rows), facts.seen, facts.state)
    for row in rows:
        table = row.deal.table
        if (table.version, table.seen_version, table.state) != now or row.back_to is not None:
            return None
        facts = facts.with_line(line_of(row), facts.version + 1)
    return facts if rows else None


@public_names.in_full()
def fresh(table_id: int) -> TableSnapshot:
    """The facts, from the rows alone."""
    table = Table.objects.with_match().prefetch_related(STAND_INS).get(pk=table_id)
    requests = tuple(map(_asked, _requests(table)))
    played, deal = _deals(table, requests)
    holders = TableSeat.objects.filter(table=table, left_at__isnull=True).select_related(
        "user", "player", "guest"
    )
    said = ChatLine.objects.filter(table=table).select_related("user").order_by("pk")
    lines = list(said) if table.kind == Table.Kind.CASUAL else []
    return TableSnapshot(
        table=table.pk,
        opened_at=table.opened_at,
        version=table.version,
        kind=table.kind,
        game=table.game,
        options=table.options,
        state=table.state,
        fixture=table.fixture_id,
        names=_names(table),
        masks=_masks(table, holders, lines),
        terms=table.terms(),
        deal_number=table.deal_number,
        opened_by=table.opened_by_id,
        seats={row.seat: _holder(row) for row in holders},
        expected=_expected(table),
        deal=deal,
        played=played,
        requests=requests,
        sheet=table.sheet_id,
        fault=table.fault,
        players=table.players,
        seen=table.seen_version,
        stand_in=table.stand_in,
        stood_up=_stood_up(table, deal),
        guests_talk=table.guests_talk,
        chat=tuple(map(_said, lines[-MOST_LINES:])),
    )


def _masks(table: Table, holders: Iterable[TableSeat], lines: Iterable[ChatLine]) -> dict[str, str]:
    """What people outside the club read in place of names that are here."""
    said = {line.name: line.user for line in lines if line.user}

    def told() -> list[str]:
        sides = _names(table).entries.values()
        return [*(row.name for row in holders), *_expected(table).values(), *sides]

    with public_names.to_strangers():
        outside = told()
        found = {name: public_names.shown(user, name) for name, user in said.items()}
    found |= dict(zip(told(), outside, strict=True))
    return {name: mask for name, mask in found.items() if name != mask}


def _stood_up(table: Table, deal: DealFacts | None) -> frozenset[int]:
    if table.fixture_id is None or not table.robots or deal is None or deal.finished_at is not None:
        return frozenset()
    left = TableSeat.objects.filter(table=table, stood_up=True, left_at__gte=deal.started_at)
    return frozenset(left.exclude(user=None).values_list("user_id", flat=True))


def _said(row: ChatLine) -> Said:
    return Said(
        row=row.pk,
        seat=row.seat,
        speaker=speaker_of(row.table_id, identity_of(row.user_id, row.guest_id)),
        name=row.name,
        is_guests=row.is_guests,
        guests_read=row.guests_read,
        text=row.text,
        at=row.said_at,
        reported_from=row.reported_seat,
    )


def _requests(table: Table) -> list[TableRequest]:
    """Those that wait, and those of the deal on the table."""
    found = TableRequest.objects.filter(table=table).select_related("deal")
    return [
        each
        for each in found
        if each.state == State.OPEN or each.deal is None or each.deal.number == table.deal_number
    ]


def _asked(row: TableRequest) -> Asked:
    return Asked(
        row=row.pk,
        kind=row.kind,
        seat=row.seat,
        side=row.side,
        deal=row.deal_id,
        number=row.number,
        text=row.text,
        agreed=tuple(row.agreed),
        state=row.state,
        asked_at=row.asked_at,
        granted_at=row.granted_at,
        ended_at=row.ended_at,
        answer=row.answer,
    )


def _deals(table: Table, requests: tuple[Asked, ...]) -> tuple[tuple[Played, ...], DealFacts | None]:
    rows = list(table.deals.select_related("board__board_set").order_by("number"))
    played = tuple(
        Played(
            row.number,
            row.dealer,
            row.board.number if row.board else None,
            row.score,
            row.finished_at,
            is_sealed=_is_sealed(row),
        )
        for row in rows
        if row.finished_at is not None and row.score is not None
    )
    if not rows or table.deal_number == 0:
        return played, None
    deal = deal_facts(table, rows[-1], pauses_of(requests, rows[-1].pk))
    return played, replace(deal, cards=cards_played(table, rows[-1]))


def cards_played(table: Table, deal: TableDeal) -> dict[str, CardPlayed]:
    """By side the convention card that was in force when the deal began.

    In a match it is the pair's; at a casual table that of a pair of the club who held the side then; elsewhere the
    one that a robot plays with its partner.
    """
    offered = game.get(table.game)
    if offered.signals is None or not offered.signals.has_cards:
        return {}
    if table.fixture is not None:
        sides = usual_seating(table.fixture, offered).entries
        pairs = {side: entry.lineup_id for side, entry in zip(sides, table.fixture.entries, strict=True)}
    else:
        robots = TableSeat.objects.filter(table=table, pair__isnull=False)
        end = deal.finished_at
        held = (
            robots.filter(left_at=None)
            if end is None
            else robots.filter(since__lte=end).exclude(left_at__lt=end)
        )
        pairs = {
            offered.side_of(seat, table.players): pair
            for seat, pair in held.order_by("pk").values_list("seat", "pair")
        } | _partners(table, deal.started_at)
    return cards_in_force(pairs, table.game, at=deal.started_at)


def _partners(table: Table, at: datetime) -> dict[str, int]:
    """Of a casual table by side the pair of the club whose players held it then."""
    if table.kind != Table.Kind.CASUAL:
        return {}
    offered = game.get(table.game)
    held = TableSeat.objects.filter(table=table, user__isnull=False, since__lte=at).exclude(left_at__lte=at)
    user = dict(held.order_by("pk").values_list("seat", "user"))
    people = {
        side: frozenset(user.get(seat) for seat in places)
        for side, places in offered.sides(table.players).items()
        if len(places) > 1 and user.keys() >= set(places)
    }
    if not people:
        return {}
    pairs = Lineup.objects.present().filter(club=table.club_id, convention_cards__game=table.game)
    pairs = pairs.filter(members__player__user__in=user.values()).with_players().distinct()
    pair_of = {frozenset(player.user_id for player in pair.players): pair.pk for pair in pairs}
    return {side: pair_of[who] for side, who in people.items() if who in pair_of}


def cards_in_force(pairs: Mapping[str, int], game_key: str, *, at: datetime) -> dict[str, CardPlayed]:
    """By side the card that its pair played at that moment."""
    found = ConventionCard.objects.in_force(pairs.values(), game_key, at=at) if pairs else {}
    cards = {side: found[pair] for side, pair in pairs.items() if pair in found}
    return {
        side: CardPlayed(card.lineup_id, card.number, signals)
        for side, card in cards.items()
        if (signals := card.signals) is not None
    }


def deal_facts(table: Table, row: TableDeal, pauses: tuple[Pause, ...]) -> DealFacts:
    """A deal of the table, its log folded."""
    lines = Action.objects.filter(deal=row).order_by("number")
    return DealFacts(
        row=row.pk,
        number=row.number,
        dealer=row.dealer,
        board=row.board_id,
        board_number=row.board.number if row.board else None,
        is_sealed=_is_sealed(row),
        started_at=row.started_at,
        finished_at=row.finished_at,
        extra_seconds=row.extra_seconds,
        fold=fold(
            game_key=table.game,
            deal=cards_of(row),
            dealer=row.dealer,
            options=options_of_deal(table, row.number, is_board=row.board_id is not None),
            started_at=row.started_at,
            lines=[line_of(line) for line in lines],
            pauses=pauses,
            players=table.players,
        ),
    )


def _is_sealed(row: TableDeal) -> bool:
    return row.board is not None and row.board.released_at is None


def line_of(row: Action) -> Line:
    """The row as a line of the log."""
    return Line(
        row.number,
        row.seat,
        row.token,
        row.back_to,
        row.at,
        key=row.key,
        user=row.user_id,
        robot=row.robot,
        guest=row.guest_id,
    )


def _holder(row: TableSeat) -> Holder:
    return Holder(
        seat=row.seat,
        user=row.user_id,
        player=row.player_id,
        # A guest's name is read with a word of the reader's language: games.tables.state.seat_view.
        name=row.guest.name if row.guest else row.name,
        robot=row.robot,
        ready_for=row.ready_for,
        window=row.window,
        row=row.pk,
        guest=row.guest_id,
    )


def _expected(table: Table) -> dict[str, str]:
    if table.fixture is None:
        return {}
    return {seat: str(player) for seat, player in seating_at(table, table.fixture).players.items()}


def _names(table: Table) -> Names:
    club = table.club.name if table.club else ""
    if table.fixture is None:
        return Names(club)
    sides = usual_seating(table.fixture, game.get(table.game)).entries
    entries = zip(sides, table.fixture.entries, strict=True)
    return Names(club, {side: str(entry) for side, entry in entries})
