"""Whose a pair's figures are: its own, or those of two players who are partners for a round (F123)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from league.models import Entry, Stage


@dataclass(frozen=True, slots=True)
class Credits:
    """By the entry of a pair of players those of the two; and the entries that play for the house, without a place."""

    players: Mapping[int, tuple[int, ...]]
    house: frozenset[int]

    def of(self, entry: int) -> tuple[int, ...]:
        """Who is credited with what this entry makes."""
        return self.players.get(entry, (entry,))


def of_competition(competition_id: int) -> Credits:
    """Who is credited with what in a competition; in one query."""
    rows = Entry.with_rooms.filter(competition=competition_id).values_list(
        "pk", "team_id", "is_house", "lineup__members__player"
    )
    members: dict[tuple[int, bool], list[int]] = defaultdict(list)
    house = set()
    for pk, team, is_house, player in rows:
        members[pk, team is None].append(player)
        if is_house:
            house.add(pk)
    alone = {each[0]: pk for (pk, entered), each in members.items() if entered and len(each) == 1}
    return Credits(
        {
            pk: tuple(sorted(alone[player] for player in each if player in alone))
            for (pk, entered), each in members.items()
            if not entered and not alone.keys().isdisjoint(each)
        },
        frozenset(house),
    )


def of_stage(stage: Stage) -> Credits:
    """Who is credited with what in a stage; everybody with their own where partners stay."""
    return of_competition(stage.competition_id) if stage.partners_change else Credits({}, frozenset())
