"""A draft may hold any JSON: what was sent is kept before it is read. The plain form of every game opens on it."""

import pytest

from engine.game import Game, all_games
from games import front
from tests.engine.test_conformance import ADAPTERS
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ODD: tuple[object, ...] = (
    [],
    {},
    [[]],
    [{}],
    {"1": []},
    {"1": [{"kind": [], "total": {}}]},
    {"1": {"kind": {}}},
    True,
    1.5,
    10**30,
    "\0",
    "x" * 300,
)


@pytest.mark.parametrize("offered", all_games(), ids=lambda each: each.key)
def test_the_plain_form_opens_on_any_draft(offered: Game) -> None:
    adapter = next(each for each in ADAPTERS if each.game.key == offered.key)
    players = adapter.players or min(offered.players)
    fewest = next(each.minimum for each in offered.options() if each.name == "deals")
    played = Played(make_scene(), offered, players, ((0,) * len(offered.sides(players)),) * max(1, fewest))
    form_of = front.of(offered.key).plain_form
    names = adapter.field_names
    records = [{name: odd} for name in names for odd in ODD] + [dict.fromkeys(names, odd) for odd in ODD]
    for record in records:
        form = form_of(
            fixture=played.fixture,
            content={"first_dealer": offered.seats(players)[0], "deals": [record]},
            deal=0,
        )
        assert form.as_p()
