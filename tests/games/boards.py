"""A duplicate league for tests of boards: the usual scene, whose tables play the same boards."""

import random
from typing import Any

from django.utils import timezone

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.concerto.game import CONCERTO
from games.boards.services import boards
from games.concerto.demo import play_out
from games.models import Board, BoardSet, Duplicate, FixtureBoard
from games.scoresheets.services import scoresheets
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import entries
from league.models import Competition, Fixture, Substitution
from tests.kept_scenes import kept
from tests.scenes import Scene, make_scene, totals_sheet

AGREED = DelayedInformation(DelayedKind.AGREED_TEXT, "the club's motto", value="Play the hand you are dealt")
SHEET = totals_sheet((60, 20), (50, 30), (40, 40), (30, 20))
#: Of each fixture of the first two rounds, somebody of the home pair and of the away pair.
SIDES = (("anna", "eva"), ("iris", "olga"), ("eva", "olga"), ("anna", "iris"))


@kept
def duplicate_scene() -> Scene:
    """The scene, its competition a duplicate league."""
    scene = make_scene()
    scene.competition.rules = {**scene.competition.rules, "duplicate": True, "early_end": False}
    scene.competition.save()
    Duplicate.objects.create(competition=scene.competition)
    return scene


def sealed(scene: Scene, number: int = 1, **more: Any) -> BoardSet:
    """A sealed set of four boards for that round, dealt to its matches."""
    chosen = {"count": 4, "delayed": AGREED, "actor": scene.users["dora"], **more}
    return boards.make(competition=scene.competition, round=scene.rounds[number - 1], **chosen)


def play(scene: Scene, fixture: Fixture, **content: Any) -> None:
    """Enters and confirms a sheet for the match."""
    home, away = (
        next(name for name, user in scene.users.items() if user.pk == entry.lineup.players[0].user_id)
        for entry in (fixture.home, fixture.away)
    )
    sheet = scoresheets.submit(
        actor=scene.users[home], fixture=fixture, content={**SHEET, **content}, origin="page"
    )
    scoresheets.confirm(actor=scene.users[away], sheet=sheet, digest=sheet.digest)


def every_card(scene: Scene, board_set: BoardSet) -> dict[str, Any]:
    """A sheet that holds every card of these boards, as they were dealt and played to the end."""
    cards = boards.cards_of(board_set)
    records = []
    for each in Board.objects.filter(board_set=board_set, purpose="original").order_by("number"):
        dealt = cards[each.pk]
        state = play_out(
            CONCERTO.start(dealt, CONCERTO.dealer_of_board(each.number), scene.competition.rules),
            random.Random(each.number),
            (3, 3),
        )
        records.append({"deal": str(dealt), "hands": list(state.hand_lines)})
    return {"first_dealer": "N", "deals": records}


def plays_of(board_set: BoardSet, fixture: Fixture) -> list[FixtureBoard]:
    """What the match plays of the set."""
    return list(FixtureBoard.objects.filter(board__board_set=board_set, fixture=fixture))


def board(board_set: BoardSet, number: int = 1) -> Board:
    """The set's board with that number that is played."""
    return Board.objects.get(board_set=board_set, number=number, replaced_by=None)


def stand_in(scene: Scene, fixture: Fixture, absent: int, substitute: int) -> Substitution:
    """Somebody sits in this match for a player who is away; both by their place among the scene's players."""
    gone = scene.players[absent]
    entry = fixture.home if gone.pk in {p.pk for p in fixture.home.lineup.players} else fixture.away
    return Substitution.objects.create(
        fixture=fixture, entry=entry, absent=gone, substitute=scene.players[substitute]
    )


def sealed_cup(scene: Scene) -> Competition:
    """A running cup of the scene's four pairs, whose tables play the same boards; its sets are sealed."""
    dora = scene.users["dora"]
    data = Setup(
        name="Cup",
        starts_on=timezone.localdate(),
        format="knockout",
        rules={**scene.competition.rules, "duplicate": True, "early_end": False},
        extra={"boards": {"together": True}},
    )
    cup = competitions.set_up(actor=dora, club=scene.club, data=data)
    lineups = [entry.lineup for entry in scene.entries]
    entries.enter_all(actor=dora, division=cup.stage.divisions.get(), lineups=lineups, at=timezone.now())
    draws.draw(actor=dora, competition=cup, order=draws.GIVEN)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=cup.pk))
    return Competition.objects.get(pk=cup.pk)


def cup_matches(cup: Competition, number: int = 1) -> list[Fixture]:
    """The matches of a round of the cup."""
    return list(
        Fixture.objects.of_competition(cup.pk).filter(round__number=number).with_pairs().order_by("pk")
    )
