"""Every page of the site with something on it, for whoever may read it: what tests of all pages walk over."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.test import Client
from django.utils import timezone

from engine.contest.movements import sections
from games.models import FixtureBoard
from games.scoresheets.services import scoresheets
from league.standings.services import standings
from tests.games.duplicate_events import make_evening, play_round, settle
from tests.heartbeats import all_at_work
from tests.kept_scenes import kept
from tests.permissions import walking
from tests.permissions.test_every_address import read_table
from tests.permissions.walking import ROLES, Stage, set_stage

EVENING = "Thursday Evening"
DEALS = Path(__file__).parent / "oracles" / "concerto_deals.json"

# What is fetched and not shown.
FILES = {
    "calendar_my",
    "calendar_of",
    "competition_file",
    "desk_players_file",
    "embedded",
    "paper_file",
    "usebio_file",
    "photo",
}


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page and somebody who may read it."""

    name: str
    role: str
    address: str


def furnish() -> Stage:
    """The permissions' stage, with a match that was played card by card, confirmed, and counted in the table."""
    all_at_work()
    return _furnished()


@kept
def _furnished() -> Stage:
    stage = set_stage()
    fixture = stage.scene.fixtures[1]
    played = next(deal for deal in json.loads(DEALS.read_text()) if deal["dealer"] == "N")
    kept = {key: played[key] for key in ("deal", "dealer", "hands", "left", "made", "total")}
    content: dict[str, Any] = {"first_dealer": "N", "deals": [kept, {"total": {"NS": 100, "EW": 20}}]}
    sheet = scoresheets.submit(
        actor=stage.scene.users["iris"], fixture=fixture, content=content, origin="page"
    )
    scoresheets.confirm(actor=stage.scene.users["olga"], sheet=sheet, digest=sheet.digest)
    standings.compute(competition_id=stage.scene.competition.pk, at=timezone.now())
    _play_an_evening(stage)
    return stage


def _play_an_evening(stage: Stage) -> None:
    """An evening of two tables, played to the end: what readers see of boards is seen of its boards."""
    evening = make_evening(
        pairs=4,
        boards=2,
        club=stage.scene.club,
        name=EVENING,
        choice=sections.Choice(sections.Kind.HOWELL, 2, 3),
    )
    for number in (1, 2, 3):
        play_round(evening, number)
    settle(evening)
    entry = evening.entries[0]
    where = {"competition": evening.competition.slug}
    own: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("event_field", "compare_tables", "event_ranking_live"), where),
        "scorecard": {**where, "pk": entry.pk},
        "board": {"pk": evening.board_set.pk, "number": 1},
        "pair_sessions": {"pk": entry.lineup_id},
        "player_sessions": {"pk": entry.lineup.players[0].pk},
    }
    for name, values in own.items():
        stage.names[name] = {**stage.names[name], **values}


def _of_the_evening(stage: Stage, role: str) -> Iterator[ShownPage]:
    """Pages that are asked for by more than their address, and those that look otherwise with an evening."""
    play = FixtureBoard.objects.filter(board__board_set__competition__name=EVENING).first()
    if play is None:
        return
    competition = play.board.board_set.competition
    yield ShownPage("evening", role, competition.get_absolute_url())
    yield ShownPage("board_why", role, f"{play.board.get_absolute_url()}why/?play={play.pk}&side=home")
    sealed = stage.names["board_best"]
    yield ShownPage("board", role, f"/boards/{sealed['pk']}/{sealed['number']}/")


def client_of(stage: Stage, role: str, language: str = "en") -> Client:
    """A browser in which this role is logged in, and which asks for a language."""
    client = walking._client(stage, role)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    return client


def pages(stage: Stage, roles: tuple[str, ...], *, each: bool = False) -> Iterator[ShownPage]:
    """Every page that answers a reading, for the first of the roles that may read it; for `each` of them if told.

    The match that was played card by card is read once more, beside the one that waits.
    """
    table = read_table()
    for name, pattern in walking.addresses():
        # An address that the table lacks is noticed by the table's own test.
        if name in FILES or name not in table or (name.startswith("api_") and name != "api_docs"):
            continue
        may_read = [role for role in roles if table[name][0][ROLES.index(role)] == "."]
        for role in may_read if each else may_read[:1]:
            yield ShownPage(name, role, walking.address_of(stage, name, pattern))
    yield ShownPage("match", roles[0], f"/matches/{stage.scene.fixtures[1].pk}/")
    yield from _of_the_evening(stage, roles[0])
