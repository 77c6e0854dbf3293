"""Who and what is in a match, for its forms: how many deals, the seats, the sides with their pairs, the players."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from games.records.parsing import MOST_DEALS, options_of
from games.seating import players_of, read_seating, usual_seating
from league.models import Fixture


def deal_count(fixture: Fixture, given: int = 0) -> int:
    """How many deals the match has at most; of one to a target, where `given` deals are known, one more than those."""
    offered = game.get(fixture.round.competition.game)
    players = len(usual_seating(fixture, offered).players)
    return offered.deals_of(players, options_of(fixture)) or min(given + 1, MOST_DEALS)


def seats(fixture: Fixture) -> list[dict[str, str]]:
    """The seats by key and name."""
    offered = game.get(fixture.round.competition.game)
    return [
        {"seat": seat, "label": _(offered.title(seat))} for seat in usual_seating(fixture, offered).players
    ]


def sides(fixture: Fixture) -> list[dict[str, str]]:
    """The sides by key and name."""
    offered = game.get(fixture.round.competition.game)
    return [
        {"key": side, "title": _(offered.title(side))} for side in usual_seating(fixture, offered).entries
    ]


def named_sides(fixture: Fixture, content: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The sides by key, with what a form calls them: who sits there by this content, where everybody plays alone."""
    titles = {side["key"]: side["title"] for side in sides(fixture)}
    seating = read_seating(fixture, content)
    if titles.keys() == seating.players.keys():
        return tuple((side, str(seating.players[side])) for side in titles)
    return tuple(titles.items())


def sides_with_pairs(fixture: Fixture) -> tuple[tuple[str, str], ...]:
    """The sides by key, with who usually sits there."""
    return tuple(
        (side["key"], f"{entry} ({side['title']})")
        for side, entry in zip(sides(fixture), fixture.entries, strict=True)
    )


def players(fixture: Fixture) -> dict[int, str]:
    """Who may sit at the table, by key."""
    return {player.pk: str(player) for entry in fixture.entries for player in players_of(fixture, entry)}
