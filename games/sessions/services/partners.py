"""The pairs that players make in the rounds of an evening in which partners change (F120, F123).

Each is an entry of its own beside its players', so that a table is a match of two pairs like any other.
"""

from collections.abc import Iterable, Mapping

from games.sessions.sections import Section
from league import locks
from league.fixtures.services import partners
from league.models import Competition, Entry


def make(competition: Competition, sections: Iterable[Section]) -> None:
    """Writes the pairs of all rounds of these sections; nothing where pairs have entered. The competition is locked."""
    wanted = []
    for section in sections:
        tables = section.movement.rounds if section.movement and section.of_players else ()
        sides = (side for sittings in tables for sitting in sittings for side in sitting.sides)
        wanted += [[section.by_number[number] for number in side] for side in sides]
    # Their locks come before those of rounds and tables.
    locks.players(sorted({player.pk for pair in wanted for entry in pair for player in entry.lineup.players}))
    partners.seat(competition, wanted)


def of_section(section: Section) -> Mapping[frozenset[int], Entry]:
    """Who sits on a side of a table, by the numbers there: the pair that entered, or that two players make."""
    if not section.of_players:
        return {frozenset((number,)): entry for number, entry in section.by_number.items()}
    numbers = {entry.lineup.players[0].pk: number for number, entry in section.by_number.items()}
    pairs = Entry.with_rooms.with_pairs().filter(division=section.division, team__isnull=False)
    return {frozenset(numbers[player.pk] for player in pair.lineup.players): pair for pair in pairs}


def in_place_of(pair: Entry, old: Entry, new: Entry) -> Entry:
    """The pair that sits where this one sat when a player gives the place to another; with pairs it is the new one."""
    if pair == old:
        return new
    (left,) = old.lineup.players
    stays = next(player for player in pair.lineup.players if player != left)
    partner = Entry.objects.with_pairs().of_player(stays).get(competition=pair.competition_id)
    return partners.seat(new.competition, [(new, partner)])[0]
