"""Who sits where in a match: two pairs, partners opposite each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.game import AnyGame
from league.models import Entry, Fixture, Player


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats by key, such as {"N": player}. `home_side` is the key of the side that the home pair sits on."""

    first_dealer: str
    home_side: str
    players: Mapping[str, Player]
    faults: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "first_dealer": self.first_dealer,
            "seats": {seat: player.pk for seat, player in self.players.items()},
        }


def players_of(fixture: Fixture, entry: Entry) -> tuple[Player, ...]:
    """Who plays for the pair in this fixture: its two players, substitutes in place of those who are absent."""
    stand_ins = {s.absent_id: s.substitute for s in fixture.substitutions.all()}
    return tuple(stand_ins.get(player.pk, player) for player in entry.partnership.players)


def usual_seating(fixture: Fixture, offered: AnyGame) -> Seating:
    """The seating that a new sheet begins with: the home pair on the first side, the first seat deals."""
    sides = [
        [seat.value for seat in offered.seats if offered.side_of(seat) == side] for side in offered.sides
    ]
    players: dict[str, Player] = {}
    for seats, entry in zip(sides, (fixture.home, fixture.away), strict=True):
        players.update(zip(seats, players_of(fixture, entry), strict=True))
    return Seating(
        offered.seats[0].value, offered.sides[0].value, {s.value: players[s.value] for s in offered.seats}
    )


def read_seating(fixture: Fixture, content: Mapping[str, Any]) -> Seating:
    """The seating that a sheet's content gives; the usual one where it gives none. Faults are in the value."""
    offered = game.get(fixture.round.competition.game)
    usual = usual_seating(fixture, offered)
    faults: list[str] = []
    dealer = content.get("first_dealer", usual.first_dealer)
    if dealer not in [seat.value for seat in offered.seats]:
        faults.append(_("Say who dealt first: choose one of the four seats."))
        dealer = usual.first_dealer
    given = content.get("seats")
    if given is None:
        return Seating(dealer, usual.home_side, usual.players, tuple(faults))
    players = _players_by_seat(fixture, given, usual)
    home_side = _home_side(fixture, players, offered) if players else None
    if players is None or home_side is None:
        faults.append(_("Each of the four players sits at one seat, partners opposite each other."))
        return Seating(dealer, usual.home_side, usual.players, tuple(faults))
    return Seating(dealer, home_side, players, tuple(faults))


def _players_by_seat(fixture: Fixture, given: Any, usual: Seating) -> dict[str, Player] | None:
    known = {
        player.pk: player for entry in (fixture.home, fixture.away) for player in players_of(fixture, entry)
    }
    if not isinstance(given, Mapping) or set(given) != set(usual.players):
        return None
    keys = list(given.values())
    if any(type(key) is not int or key not in known for key in keys) or len(set(keys)) != len(keys):
        return None
    return {seat: known[given[seat]] for seat in usual.players}


def _home_side(fixture: Fixture, players: Mapping[str, Player], offered: AnyGame) -> str | None:
    home = {player.pk for player in players_of(fixture, fixture.home)}
    for side in offered.sides:
        if {players[s.value].pk for s in offered.seats if offered.side_of(s) == side} == home:
            return str(side.value)
    return None
