"""Tables for tests: a match's with four people at it, and moves that a robot would make for whoever is on turn."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from games.models import Table
from games.tables.services import opening, play, seats
from games.tables.services.play import Sent
from games.tables.state import facts as reading
from games.tables.state.snapshot import TableSnapshot
from league.models import User
from tests.kept_scenes import kept
from tests.scenes import Scene, make_scene

PEOPLE = {"N": "anna", "E": "eva", "S": "chidi", "W": "luis"}
START = datetime(2026, 10, 1, 19, 30, tzinfo=UTC)
_keys = count(1)


@dataclass
class Laid:
    """A scene with a table."""

    scene: Scene
    table: Table

    def at(self, seat: str) -> User:
        """Who sits there."""
        return self.scene.users[PEOPLE[seat]]

    def facts(self) -> TableSnapshot:
        return reading.current(self.table.pk)

    def turn(self) -> str:
        """The seat on turn."""
        deal = self.facts().deal
        assert deal is not None
        return deal.fold.turn or ""


@kept
def match_table(*, robots: dict[str, str] | None = None, begun: bool = True, **terms: Any) -> Laid:
    """The table of the scene's first match: its four players sit there, or these robots for some of them."""
    return laid_in(make_scene(), robots=robots, begun=begun, **terms)


def laid_in(scene: Scene, *, robots: dict[str, str] | None = None, begun: bool = True, **terms: Any) -> Laid:
    """The same in a scene that is there. The robots of a match are all of one kind."""
    for robot in set((robots or {}).values()):
        terms["robot"] = robot
    if terms:
        opening.set_online(
            actor=scene.users["dora"], competition=scene.competition, is_open=True, terms=terms
        )
    table = opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    laid = Laid(scene, table)
    robots = robots or {}
    for seat in PEOPLE:
        if seat in robots:
            seats.seat_robot(actor=laid.at(seat), table_id=table.pk, seat=seat, robot=robots[seat], at=START)
        else:
            seats.sit(actor=laid.at(seat), table_id=table.pk, seat=seat, at=START)
    if begun:
        all_ready(laid)
    return laid


def casual_table(scene: Scene, *, deals: int = 2, **terms: Any) -> Laid:
    """A casual table of the club, its first deal begun: West's player of the match with three robots."""
    opener = scene.users["iris"]
    table = opening.open_casual(actor=opener, club=scene.club, terms=terms, options={"deals": deals})
    found = Laid(scene, table)
    seats.sit(actor=found.at("W"), table_id=table.pk, seat="W", at=START)
    for seat in "NES":
        seats.seat_robot(actor=found.at("W"), table_id=table.pk, seat=seat, robot="novice", at=START)
    all_ready(found)
    return found


def all_ready(laid: Laid, at: datetime = START) -> None:
    """Every person says that the next deal may begin."""
    for seat, holder in laid.facts().seats.items():
        if holder.user is not None:
            seats.ready(actor=laid.at(seat), table_id=laid.table.pk, at=at)


def next_move(facts: TableSnapshot) -> str:
    """What the weakest robot would do on turn."""
    assert facts.deal is not None
    state = facts.deal.fold.state
    return facts.offered.robots[0].token(facts.offered.view(state, state.turn))


def sent(facts: TableSnapshot, token: str, key: str = "") -> Sent:
    """The action with the numbers that these facts say."""
    assert facts.deal is not None
    return Sent(facts.deal.number, facts.deal.fold.next_number, token, key or f"key-{next(_keys)}")


def move(laid: Laid, token: str = "", at: datetime | None = None) -> TableSnapshot:
    """Whoever is on turn acts."""
    facts = laid.facts()
    assert facts.deal is not None
    when = at or facts.deal.fold.since + timedelta(seconds=2)
    actor = laid.at(facts.deal.fold.turn or "")
    return play.act(actor=actor, table_id=laid.table.pk, sent=sent(facts, token or next_move(facts)), at=when)


def moves(laid: Laid, many: int) -> TableSnapshot:
    """So many actions in a row."""
    for _each in range(many):
        move(laid)
    return laid.facts()


def play_deal(laid: Laid) -> TableSnapshot:
    """The deal on the table, to its end."""
    while (facts := laid.facts()).state == Table.State.PLAYING:
        move(laid)
    return facts
