"""Who sits where in a match: each of its entries on a side of the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.game import Game
from games.fixture_boards import boards_of
from games.templatetags.cards import SEATS
from league.errors import Conflict
from league.models import Entry, Fixture, Player, PlayerMerge
from league.storage.json_content import is_key


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats by key, such as {"N": player}. `entries` has who sits on each side, in the order of the match.

    `wrong_dealer` says that somebody else deals than was given: the board's number fixes who does.
    """

    first_dealer: str
    entries: Mapping[str, int]
    players: Mapping[str, Player]
    faults: tuple[str, ...] = ()
    wrong_dealer: str = ""

    @property
    def home_side(self) -> str:
        """The side that the first entry of the match sits on."""
        return next(iter(self.entries))

    @property
    def names(self) -> dict[str, str]:
        """What a sheet calls each side, in the match's order: "home" and "away" where two meet, else "1" to "n"."""
        two = len(self.entries) == 2
        words = ("home", "away") if two else [str(number + 1) for number in range(len(self.entries))]
        return dict(zip(self.entries, words, strict=True))

    def as_json(self) -> dict[str, Any]:
        """As a sheet's content has it. Of more than two sides it says all; of two the first says both."""
        order = {"home_side": self.home_side} if len(self.entries) == 2 else {"sides": list(self.entries)}
        seats = {seat: player.pk for seat, player in self.players.items()}
        return {"first_dealer": self.first_dealer, **order, "seats": seats}


def side_titles(game_key: str) -> dict[str, str]:
    """What people call the sides of the game, by their keys in its order: North-South, or "Seat 1"."""
    offered = game.get(game_key)
    return {side: _(offered.title(side)) for side in offered.sides()}


def seat_titles(game_key: str) -> dict[str, str]:
    """What people call the seats of the game, by their keys in its order: North, or "Seat 1"."""
    offered = game.get(game_key)
    return {seat: _(offered.title(seat)) for seat in offered.seats()}


def side_letters(game_key: str) -> dict[str, str]:
    """The same for narrow columns, by the letters of the seats: N-S. A seat that has none is called as it is."""
    titles = side_titles(game_key)
    return {
        side: "-".join(str(SEATS[seat][2]) for seat in seats) if SEATS.keys() >= set(seats) else titles[side]
        for side, seats in game.get(game_key).sides().items()
    }


def players_of(fixture: Fixture, entry: Entry) -> tuple[Player, ...]:
    """Who plays for the pair in this fixture: its two players, substitutes in place of those who are absent."""
    stand_ins = {s.absent_id: s.substitute for s in fixture.substitutions.all()}
    return tuple(stand_ins.get(player.pk, player) for player in entry.lineup.players)


def player_count(fixture: Fixture, offered: Game) -> int:
    """How many sit at the match's table: as many as its entries bring, on as many sides. Raises Conflict."""
    brought = [len(players_of(fixture, entry)) for entry in fixture.entries]
    for players in offered.players:
        if [len(seats) for seats in offered.sides(players).values()] == brought:
            return players
    raise Conflict(
        _("%(game)s cannot be played by these sides.") % {"game": _(str(offered.name))}, code="wrong_sides"
    )


def usual_seating(fixture: Fixture, offered: Game) -> Seating:
    """The seating that a new sheet begins with: the entries on the sides in order, the first seat deals.

    With numbered boards the first of them says who deals.
    """
    count = player_count(fixture, offered)
    sides, entries = offered.sides(count), fixture.entries
    players: dict[str, Player] = {}
    for seats, entry in zip(sides.values(), entries, strict=True):
        players.update(zip(seats, players_of(fixture, entry), strict=True))
    return Seating(
        first_dealer_of(fixture),
        {side: entry.pk for side, entry in zip(sides, entries, strict=True)},
        {seat: players[seat] for seat in offered.seats(count)},
    )


def first_dealer_of(fixture: Fixture) -> str:
    """The seat that deals first where nobody says otherwise: the first board's dealer, else the first seat."""
    boards = boards_of(fixture)
    return boards[0].board.dealer if boards else game.get(fixture.round.competition.game).seats()[0]


def read_seating(fixture: Fixture, content: Mapping[str, Any], *, is_stored: bool = False) -> Seating:
    """The seating that a sheet's content gives; the usual one where it gives none. Faults are in the value.

    A stored sheet was checked when it came in. It keeps its seats and its sides, also when somebody else would
    play in the match today. With numbered boards the dealer is the board's, and the entries sit on the sides in
    order: what is compared later are the same cards at every table.
    """
    offered = game.get(fixture.round.competition.game)
    usual = usual_seating(fixture, offered)
    dealer, faults, wrong_dealer = _dealer(fixture, content, usual, is_stored=is_stored)
    given = content.get("seats")
    if given is None:
        return replace(usual, first_dealer=dealer, faults=tuple(faults), wrong_dealer=wrong_dealer)
    players = _players_by_seat(fixture, given, usual, is_stored=is_stored)
    sides = _sides(fixture, players, offered) if players else None
    if is_stored and (stored := _stored_sides(content, offered, len(usual.players))):
        sides = stored
    if players is None or sides is None:
        faults.append(_("Each player needs a seat, with partners opposite each other."))
        return replace(usual, first_dealer=dealer, faults=tuple(faults), wrong_dealer=wrong_dealer)
    entries = dict(zip(sides, usual.entries.values(), strict=True))
    if sides != tuple(usual.entries) and not is_stored and boards_of(fixture):
        said = _("With numbered boards %(pair)s sit %(side)s.")
        first = fixture.entries[0]
        faults.append(said % {"pair": first, "side": _(str(offered.title(usual.home_side)))})
    return Seating(dealer, entries, players, tuple(faults), wrong_dealer)


def _dealer(
    fixture: Fixture, content: Mapping[str, Any], usual: Seating, *, is_stored: bool
) -> tuple[str, list[str], str]:
    """Who deals first, what is wrong with who was said to, and whether a board's number says otherwise."""
    offered = game.get(fixture.round.competition.game)
    dealer = content.get("first_dealer", usual.first_dealer)
    if not isinstance(dealer, str) or dealer not in usual.players:
        return usual.first_dealer, [_("Who dealt first? Please choose one of the seats.")], ""
    if is_stored or dealer == usual.first_dealer or not boards_of(fixture):
        return dealer, [], ""
    return usual.first_dealer, [], str(offered.title(usual.first_dealer))


def _players_by_seat(
    fixture: Fixture, given: Any, usual: Seating, *, is_stored: bool
) -> dict[str, Player] | None:
    if not isinstance(given, Mapping) or set(given) != set(usual.players):
        return None
    keys = list(given.values())
    if not all(map(is_key, keys)):
        return None
    found = {player.pk: player for entry in fixture.entries for player in players_of(fixture, entry)}
    found.update(_under_other_keys(set(keys) - set(found), found))
    if is_stored:
        found.update(Player.objects.in_bulk(set(keys) - set(found)))
    if any(key not in found for key in keys) or len({found[key].pk for key in keys}) != len(keys):
        return None
    return {seat: found[given[seat]] for seat in usual.players}


def _under_other_keys(keys: Iterable[int], known: Mapping[int, Player]) -> dict[int, Player]:
    """Who of the players in the match was meant by keys of before a merge, or of before a merge was taken back."""
    wanted = list(keys)
    if not wanted:
        return {}
    found = {}
    for merge in PlayerMerge.objects.filter(kept__in=wanted, merged__in=list(known)):
        found[merge.kept_id] = known[merge.merged_id]
    for player in Player.objects.filter(pk__in=wanted, merged_into__isnull=False):
        kept: Player | None = player
        while kept is not None and kept.pk not in known:
            kept = kept.merged_into
        if kept is not None:
            found[player.pk] = known[kept.pk]
    return found


def _sides(fixture: Fixture, players: Mapping[str, Player], offered: Game) -> tuple[str, ...] | None:
    """The side of each entry, in their order; None where partners do not sit together."""
    sat = {
        frozenset(players[seat].pk for seat in seats): side
        for side, seats in offered.sides(len(players)).items()
    }
    found = [
        sat.get(frozenset(player.pk for player in players_of(fixture, entry))) for entry in fixture.entries
    ]
    sides = tuple(side for side in found if side is not None)
    return sides if len(sides) == len(found) else None


def _stored_sides(content: Mapping[str, Any], offered: Game, players: int) -> tuple[str, ...] | None:
    """The side of each entry as a stored sheet says it; None where it does not."""
    every = tuple(offered.sides(players))
    given = content.get("sides")
    if isinstance(given, list) and sorted(map(str, given)) == sorted(every):
        return tuple(given)
    first = content.get("home_side")
    return (first, *(side for side in every if side != first)) if first in every else None
