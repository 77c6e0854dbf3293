"""What only those can do who practise alone with robots: begin a deal again, and ask for a hint; and how many requests
may wait for a robot that thinks."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import BoundedSemaphore, Lock, Timer
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from engine.game.capabilities import Robot
from engine.thinking import call, decide
from games.models import Table, TableDeal
from games.tables.services import requests, rows, seats
from games.tables.services.play import token_of
from games.tables.state import facts as reading
from games.tables.state.seat_view import may_ask_hint, may_deal_again
from games.tables.state.snapshot import TableSnapshot
from league.actors import Sitter, User
from league.audit.services import audit
from league.errors import Conflict, LeagueError
from league.models import AuditEntry, Fixture
from league.web.wording import in_words
from league.words import sentences

State = Table.State
REFUSED_HINT = "table.hint_refused"

#: So many requests of this process may wait for robots; they think one after the other.
MOST_WAITING: Final = 8
#: So many may in all processes together, where these share a cache: each has one of the places there, which is free
#: again after that time, whatever became of its process.
MOST_OF_ALL: Final = 16
PLACE_SECONDS: Final = 30
WARM_UP_AFTER_SECONDS: Final = 20

_places = BoundedSemaphore(MOST_WAITING)
_thinking = Lock()


class RobotsBusy(LeagueError):
    """The robots have as much to do as they may."""

    code = "busy"


@contextmanager
def robots_at_work() -> Iterator[None]:
    """The robots' turn to think, for one request at a time. Raises RobotsBusy where too many wait already."""
    if not _places.acquire(blocking=False):
        raise _busy()
    try:
        with _place_of_all(), _thinking:
            yield
    finally:
        _places.release()


@contextmanager
def _place_of_all() -> Iterator[None]:
    places = (f"robots-at-work:{number}" for number in range(MOST_OF_ALL))
    # Out of reach, the cache says yes to all: then the processes' own bounds are left.
    own = next((place for place in places if cache.add(place, 1, timeout=PLACE_SECONDS)), None)
    if own is None:
        raise _busy()
    try:
        yield
    finally:
        cache.delete(own)


def _busy() -> RobotsBusy:
    return RobotsBusy(_("The robots are busy just now. Please try again in a moment."))


def warm_up_later() -> None:
    """Once everybody who comes back after a start has been let in: until then they need the processor."""
    timer = Timer(WARM_UP_AFTER_SECONDS, warm_up)
    timer.daemon = True
    timer.start()


def warm_up() -> None:
    """Has each game's strongest robot decide once: what it is compiled to is there before somebody waits for it."""
    for offered in game.all_games():
        if offered.robots:
            options, dealer = offered.read_options({}), offered.seats()[0]
            deal = offered.deal(random.SystemRandom(), dealer, options)
            state = offered.start(deal, dealer, options)
            if not state.is_over:  # as with cards that nobody needs to play
                call(decide, offered.key, offered.view(state, state.turn), offered.robots[-1].key)


@transaction.atomic
def deal_again(*, actor: User, table_id: int, at: datetime | None = None) -> Table:
    """Takes the deal on the table back to its start, also when it is over. Its log keeps what was done before."""
    at = at or timezone.now()
    table = rows.lock(table_id)
    row = seats.own_seat(actor=actor, table=table)
    facts = reading.under_lock(table)
    if facts.deal is None or not may_deal_again(facts):
        raise Conflict(_("You can’t play this deal again here."), code="no_deal")
    requests.write_back(facts.deal, back_to=0, seat=row.seat, at=at, person_id=actor.pk)
    TableDeal.objects.filter(pk=facts.deal.row).update(finished_at=None, score=None)
    table.state, table.finished_at = State.PLAYING, None
    rows.changed(table, "state", "finished_at")
    rows.hint_robots(table)
    return table


def adviser_of(table: Table) -> Robot:
    """The robot that gives hints: the strongest one."""
    return game.get(table.game).robots[-1]


def hint(*, actor: Sitter, table_id: int) -> tuple[str, list[str]]:
    """What the adviser would do in the actor's place, and what the coach says of it, by the view of that seat alone.

    Only where somebody practises. Raises Conflict elsewhere, and RobotsBusy; who asks in a match is written into its
    trail, once for each deal.
    """
    table = Table.objects.with_match().get(pk=table_id)
    seat = seats.own_seat(actor=actor, table=table).seat
    facts = reading.current(table_id)
    if table.fixture is not None and isinstance(actor, User):
        _write_down(actor, facts, table.fixture)
    if facts.kind != Table.Kind.PRACTICE:
        raise Conflict(_("Hints are for practice only."), code="no_hints")
    if facts.deal is None or not may_ask_hint(facts, seat):
        raise Conflict(_("There’s nothing to advise on just now."), code="no_hint")
    coach = facts.offered.coach
    with robots_at_work():
        token = token_of(facts, seat, adviser_of(table).key)
        view = facts.offered.view(facts.deal.fold.state, seat)
        return token, [
            in_words(each) for each in coach.prospects(view, token, facts.signals_of(seat))
        ] if coach else []


@transaction.atomic
def _write_down(actor: User, facts: TableSnapshot, fixture: Fixture) -> None:
    """That somebody asked for a hint in a match; to ask often fills no trail."""
    after = {"table": facts.table, "deal": facts.deal_number}
    known = AuditEntry.objects.filter(fixture=fixture, action=REFUSED_HINT, actor=actor)
    if all(each.after != after for each in known):
        audit.record(
            actor=actor,
            action=REFUSED_HINT,
            summary=sentences.gettext("Asked for a hint in a match. No hint was given."),
            fixture=fixture,
            after=after,
        )
