"""Whatever asks who takes part in an event asks everybody: a director who plays there, and a superuser who does."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import policies as games_policies
from games.boards.services import (
    boards,
    imports,
    neutrals,
    releases,
)
from games.comparisons.reckoning import effects
from games.models import FixtureBoard, OnlinePlay, Paper, Scoresheet, SheetPhoto
from games.proof import typed_sheets
from games.scoresheets.services import scoresheets
from games.tables.services import opening, seats
from league import policies
from league.errors import Invalid, NotAllowed
from league.fixtures.services import fixtures, substitutions
from league.models import Fixture, Membership, Player, Role, Round, User
from league.people.services import claims, merging, players
from tests.games.boards import SHEET, duplicate_scene, sealed
from tests.live.tables import laid_in
from tests.scenes import Scene, make_user

pytestmark = pytest.mark.django_db
Act = Callable[[Scene, User], Any]


@pytest.fixture
def scene() -> Scene:
    """A sealed round; the second match is entered and waits. Dora directs and plays nowhere."""
    made = duplicate_scene()
    sealed(made)
    OnlinePlay.objects.create(competition=made.competition, is_open=True, robots=True)
    return made


def _who(scene: Scene, name: str) -> User:
    """Anna plays. As a superuser she has no office in the club beside."""
    anna = scene.users["anna"]
    if name == "director":
        Membership.objects.filter(user=anna).update(role=Role.DIRECTOR)
    elif name == "superuser":
        User.objects.filter(pk=anna.pk).update(is_superuser=True)
    elif name == "both":
        Membership.objects.filter(user=anna).update(role=Role.OWNER)
        User.objects.filter(pk=anna.pk).update(is_superuser=True)
    elif name == "superuser who does not play":
        return make_user("Admin", is_superuser=True)
    else:
        return scene.users["dora"]
    return User.objects.get(pk=anna.pk)


PLAYING = ("director", "superuser", "both")
NEUTRAL = ("director who does not play", "superuser who does not play")


def _other(scene: Scene) -> Fixture:
    return Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk)


def _asks(action: str, thing: Callable[[Scene], Any]) -> Act:
    return lambda scene, who: policies.require(who, action, thing(scene))


def _entered(scene: Scene) -> Scoresheet:
    found = Scoresheet.objects.filter(match=scene.fixtures[1].pk, verdict="pending").first()
    return found or scoresheets.submit(
        actor=scene.users["iris"], fixture=_other(scene), content=SHEET, origin="page"
    )


def _public(scene: Scene) -> Fixture:
    """A match whose cards are public, of others."""
    boards.release(actor=scene.users["dora"], board_set=scene.competition.board_sets.get(), reason="Over")
    return _other(scene)


def _luis(scene: Scene) -> Player:
    return next(each for each in scene.players if each.name.startswith("Luis"))


def _ghost(scene: Scene) -> Player:
    return Player.objects.create(club=scene.club, name="Gina Ghost", user=make_user("Gina Ghost"))


def _claimed(scene: Scene, who: User) -> None:
    luis = _luis(scene)
    Player.objects.filter(pk=luis.pk).update(user=None)
    claim = claims.claim(actor=make_user("Gina Ghost"), player=luis, at=timezone.now())
    claims.decide(actor=who, claim=claim, accept=True, at=timezone.now())


def _own_table(scene: Scene, who: User) -> None:
    policies.require(who, "table.rule", laid_in(scene).table)


def _robot_elsewhere(scene: Scene, who: User) -> None:
    table = opening.open_match(actor=scene.users["iris"], fixture=_other(scene))
    seats.seat_robot(actor=who, table_id=table.pk, seat="N")


def _named(scene: Scene, who: User) -> None:
    other = _other(scene)
    absent = other.home.lineup.players[1]
    try:
        substitutions.appoint(actor=who, fixture=other, absent=absent, substitute=_ghost(scene), reason="Ill")
    except Invalid as refusal:
        raise NotAllowed(refusal.message) from refusal


def _ruled(scene: Scene, who: User) -> None:
    fixtures.void(actor=who, fixture=_other(scene), reason="Nobody came")
    if FixtureBoard.objects.filter(fixture=_other(scene), settled="").exists():
        raise NotAllowed("counts, and opens nothing")


def _vouched(scene: Scene, who: User) -> None:
    FixtureBoard.objects.update(settled="")
    Fixture.objects.filter(pk=_other(scene).pk).update(status="void")
    releases.vouch(actor=who, fixture=_other(scene), reason="They were ill")


def _early(scene: Scene, who: User) -> None:
    later = timezone.now() + timedelta(days=20)
    Round.objects.filter(number=2).update(starts_on=later.date(), closes_at=later + timedelta(days=7))
    sealed(scene, 2)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixtures[2].pk)
    neutrals.let_play_early(actor=who, fixture=fixture, reason="They travel", at=timezone.now())


def _paper(scene: Scene) -> Paper:
    made = scene.competition.board_sets.get()
    return Paper.objects.create(
        competition=scene.competition,
        kind="hands",
        parameters={"set": made.pk, "sealed": True},
        asked_by=scene.users["anna"],
    )


def _photo(scene: Scene) -> SheetPhoto:
    return SheetPhoto(fixture=_other(scene), added_by=scene.users["iris"])


def _believed(scene: Scene, who: User) -> None:
    if not games_policies.is_believed(who, scene.competition):
        raise NotAllowed("not believed")


def _types_own(scene: Scene, who: User) -> None:
    if not typed_sheets.types_for_others(who, scene.fixture):
        raise NotAllowed("plays there")


def _effects(scene: Scene, who: User) -> None:
    if not effects.may_see(who, _other(scene)):
        raise NotAllowed("still plays these boards")


def _board_file(scene: Scene, who: User) -> None:
    imports.read_file(
        actor=who, competition=scene.competition, round=scene.rounds[1], data=b"", name="boards.pbn"
    )


ASKING: dict[str, Act] = {
    "is believed": _believed,
    "fixture.rule: opens boards": _ruled,
    "fixture.rule: own match": _asks("fixture.rule", lambda scene: scene.fixture),
    "fixture.put_aside: own match": _asks("fixture.put_aside", lambda scene: scene.fixture),
    "match.reopen: own match": _asks("match.reopen", lambda scene: scene.fixture),
    "fixture.play_early": _early,
    "fixture.name_for_others: own match": _asks("fixture.name_for_others", lambda scene: scene.fixture),
    "fixture.name_for_others": _asks("fixture.name_for_others", _other),
    "substitutions.appoint": _named,
    "boards.draw_out": lambda scene, who: boards.draw_out(
        actor=who, board_set=scene.competition.board_sets.get(), kind="files", reason="To deal"
    ),
    "boards.release": lambda scene, who: boards.release(
        actor=who, board_set=scene.competition.board_sets.get(), reason="Over"
    ),
    "boards.settle": _vouched,
    "boards.mark": _asks("boards.mark", _public),
    "award.make": _asks("award.make", _public),
    "boards from a file": _board_file,
    "player.decide_claim": _asks("player.decide_claim", _luis),
    "claims.decide": _claimed,
    "claims.unlink": lambda scene, who: claims.unlink(actor=who, player=_luis(scene)),
    "players.edit: address": lambda scene, who: players.edit(
        actor=who, player=_luis(scene), name="Luis Reyes", email="helper@example.org"
    ),
    "merging.merge": lambda scene, who: merging.merge(
        actor=who, keep=_luis(scene), duplicate=Player.objects.create(club=scene.club, name="Luis Two")
    ),
    "sheet.enter: of others": _asks("sheet.enter", _other),
    "sheet.see_deals": _asks("sheet.see_deals", _other),
    "sheet.judge": _asks("sheet.judge", _entered),
    "photo.see": _asks("photo.see", _photo),
    "photo.add": _asks("photo.add", _other),
    "paper.take: sealed": _asks("paper.take", _paper),
    "table.rule: own match": _own_table,
    "table.close: own match": lambda scene, who: policies.require(who, "table.close", laid_in(scene).table),
    "seats.seat_robot: of others": _robot_elsewhere,
    "typed_sheets.types_for_others": _types_own,
    "effects.may_see": _effects,
}


@pytest.mark.parametrize("act", ASKING)
@pytest.mark.parametrize("name", PLAYING)
def test_who_takes_part_may_not_whatever_the_office(scene: Scene, act: str, name: str) -> None:
    who = _who(scene, name)
    with pytest.raises(NotAllowed):
        ASKING[act](scene, who)


@pytest.mark.parametrize("act", ASKING)
@pytest.mark.parametrize("name", NEUTRAL)
def test_who_takes_no_part_may(scene: Scene, act: str, name: str) -> None:
    if act == "paper.take: sealed":
        pytest.skip("only who drew the cards out has their papers")
    ASKING[act](scene, _who(scene, name))
