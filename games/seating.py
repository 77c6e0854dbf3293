"""Who sits where in a match: two pairs, partners opposite each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.game import Game
from games.fixture_boards import boards_of
from league.models import Entry, Fixture, Player, PlayerMerge

LARGEST_KEY = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats by key, such as {"N": player}. `home_side` is the key of the side that the home pair sits on.

    `wrong_dealer` says that somebody else deals than was given: the board's number fixes who does.
    """

    first_dealer: str
    home_side: str
    players: Mapping[str, Player]
    faults: tuple[str, ...] = ()
    wrong_dealer: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "first_dealer": self.first_dealer,
            "home_side": self.home_side,
            "seats": {seat: player.pk for seat, player in self.players.items()},
        }


def players_of(fixture: Fixture, entry: Entry) -> tuple[Player, ...]:
    """Who plays for the pair in this fixture: its two players, substitutes in place of those who are absent."""
    stand_ins = {s.absent_id: s.substitute for s in fixture.substitutions.all()}
    return tuple(stand_ins.get(player.pk, player) for player in entry.lineup.players)


def usual_seating(fixture: Fixture, offered: Game) -> Seating:
    """The seating that a new sheet begins with: the home pair on the first side, the first seat deals.

    With numbered boards the first of them says who deals.
    """
    sides = offered.sides()
    players: dict[str, Player] = {}
    for seats, entry in zip(sides.values(), (fixture.home, fixture.away), strict=True):
        players.update(zip(seats, players_of(fixture, entry), strict=True))
    return Seating(
        first_dealer_of(fixture), next(iter(sides)), {seat: players[seat] for seat in offered.seats()}
    )


def first_dealer_of(fixture: Fixture) -> str:
    """The seat that deals first where nobody says otherwise: the first board's dealer, else the first seat."""
    boards = boards_of(fixture)
    return boards[0].board.dealer if boards else game.get(fixture.round.competition.game).seats()[0]


def read_seating(fixture: Fixture, content: Mapping[str, Any], *, is_stored: bool = False) -> Seating:
    """The seating that a sheet's content gives; the usual one where it gives none. Faults are in the value.

    A stored sheet was checked when it came in. It keeps its seats and its home side, also when somebody else would
    play in the match today. With numbered boards the dealer is the board's, and the home pair sits on the first
    side: what is compared later are the same cards at every table.
    """
    offered = game.get(fixture.round.competition.game)
    usual = usual_seating(fixture, offered)
    dealer, faults, wrong_dealer = _dealer(fixture, content, usual, is_stored=is_stored)
    given = content.get("seats")
    if given is None:
        return Seating(dealer, usual.home_side, usual.players, tuple(faults), wrong_dealer)
    players = _players_by_seat(fixture, given, usual, is_stored=is_stored)
    home_side = _home_side(fixture, players, offered) if players else None
    if is_stored and content.get("home_side") in offered.sides():
        home_side = content["home_side"]
    if players is None or home_side is None:
        faults.append(_("Each of the four players sits at one seat, partners opposite each other."))
        return Seating(dealer, usual.home_side, usual.players, tuple(faults), wrong_dealer)
    if home_side != usual.home_side and not is_stored and boards_of(fixture):
        said = _("With numbered boards %(pair)s sit %(side)s.")
        faults.append(said % {"pair": fixture.home, "side": _(str(offered.title(usual.home_side)))})
    return Seating(dealer, home_side, players, tuple(faults), wrong_dealer)


def _dealer(
    fixture: Fixture, content: Mapping[str, Any], usual: Seating, *, is_stored: bool
) -> tuple[str, list[str], str]:
    """Who deals first, what is wrong with who was said to, and whether a board's number says otherwise."""
    offered = game.get(fixture.round.competition.game)
    dealer = content.get("first_dealer", usual.first_dealer)
    if not isinstance(dealer, str) or dealer not in offered.seats():
        return usual.first_dealer, [_("Say who dealt first: choose one of the four seats.")], ""
    if is_stored or dealer == usual.first_dealer or not boards_of(fixture):
        return dealer, [], ""
    return usual.first_dealer, [], str(offered.title(usual.first_dealer))


def _players_by_seat(
    fixture: Fixture, given: Any, usual: Seating, *, is_stored: bool
) -> dict[str, Player] | None:
    if not isinstance(given, Mapping) or set(given) != set(usual.players):
        return None
    keys = list(given.values())
    if any(type(key) is not int or not 0 < key <= LARGEST_KEY for key in keys):
        return None
    found = {
        player.pk: player for entry in (fixture.home, fixture.away) for player in players_of(fixture, entry)
    }
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


def _home_side(fixture: Fixture, players: Mapping[str, Player], offered: Game) -> str | None:
    home = {player.pk for player in players_of(fixture, fixture.home)}
    for side, seats in offered.sides().items():
        if {players[seat].pk for seat in seats} == home:
            return side
    return None
