"""Who sits where at a match's table in the browser: the usual seats, or the partners the other way round."""

from collections.abc import Mapping
from dataclasses import replace

from engine import game
from games.models import Table, TableDeal
from games.seating import Seating, usual_seating
from league.models import Fixture, Player, User

# Fetched with a table: the seating and the policies ask for substitutes again and again.
STAND_INS = "fixture__substitutions__substitute"


def seating_at(table: Table, fixture: Fixture) -> Seating:
    """The match's seats by today's pairs and substitutes; partners who have swapped their seats stay swapped."""
    usual = usual_seating(fixture, game.get(table.game))
    players = dict(usual.players)
    for one, other in _pairs_of_seats(table):
        kept = (table.seating.get(one), table.seating.get(other))
        # Either of the two shows it: the other one's seat may be a substitute's by now.
        if kept[0] == players[other].pk or kept[1] == players[one].pk:
            players[one], players[other] = players[other], players[one]
    return replace(usual, players=players)


def table_begun(fixture: Fixture) -> Table | None:
    """The last table at which cards of this match were dealt, whatever became of it."""
    found: Table | None = Table.objects.filter(fixture=fixture, deal_number__gt=0).order_by("-pk").first()
    return found


def _pairs_of_seats(table: Table) -> list[tuple[str, str]]:
    """The seats of each side that is a pair."""
    sides = game.get(table.game).sides(table.players)
    return [(seats[0], seats[1]) for seats in sides.values() if len(seats) == 2]


def partners_seat(table: Table, seat: str) -> str | None:
    """The other seat of a side that is a pair; None where nobody has one partner."""
    pairs = (pair for pair in _pairs_of_seats(table) if seat in pair)
    return next((other for pair in pairs for other in pair if other != seat), None)


def seat_in(deal: TableDeal, user: User) -> str:
    """The seat that this person had when the deal ended; "" where they had none, or it has not ended."""
    if deal.finished_at is None:
        return ""
    held = deal.table.seats.filter(user=user, since__lte=deal.finished_at).exclude(
        left_at__lt=deal.finished_at
    )
    return held.order_by("-pk").values_list("seat", flat=True).first() or ""


def practised_as(table: Table) -> dict[str, str]:
    """Who sat last where one person practised: their `seat`, and the keys of the `robot` of the others and of the
    `partner`; empty where there was none."""
    held = {row.seat: row for row in table.seats.order_by("pk")}
    own = next((seat for seat, row in held.items() if row.user_id == table.opened_by_id), "")
    offered = game.get(table.game)
    side = offered.side_of(own, table.players) if own else ""
    robots = {True: "", False: table.stand_in}
    for seat, row in held.items():
        if row.robot:
            robots[offered.side_of(seat, table.players) == side] = row.robot
    return {"robot": robots[False], "partner": robots[True], "seat": own}


def keys_of(players: Mapping[str, Player]) -> dict[str, int]:
    """The seating as a table's row keeps it."""
    return {seat: player.pk for seat, player in players.items()}
