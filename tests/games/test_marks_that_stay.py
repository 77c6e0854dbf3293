"""The database itself keeps the public marks of drawn cards and the directors' scores, but lets go of drafts."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games.boards.services import boards
from games.models import AdjustedScore, BoardDraw
from league.competitions.services import competitions
from league.models import Competition
from tests.games.boards import AGREED, duplicate_scene, plays_of, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def _refused(statement: str, *values: int) -> None:
    with (
        pytest.raises(DatabaseError, match="kept as they are"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, values)


@pytest.mark.parametrize("column", ["reason", "drawn_name", "kind", "drawn_by_id"])
def test_a_mark_is_neither_changed_nor_deleted(scene: Scene, column: str) -> None:
    made = sealed(scene)
    mark = boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="For the machine")

    _refused(f"UPDATE games_boarddraw SET {column} = NULL WHERE id = %s", mark.pk)
    _refused("DELETE FROM games_boarddraw WHERE id = %s", mark.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        made.delete()
    assert BoardDraw.objects.get().reason == "For the machine"


@pytest.mark.parametrize("column", ["play_id", "content", "reason", "made_by_id", "made_at"])
def test_a_directors_score_can_be_taken_back_and_nothing_else(scene: Scene, column: str) -> None:
    one = plays_of(sealed(scene), scene.fixtures[0])[0]
    award = AdjustedScore.objects.create(play=one, content={}, reason="Late", made_by=scene.users["dora"])

    _refused(f"UPDATE games_award SET {column} = NULL WHERE id = %s", award.pk)
    _refused("DELETE FROM games_award WHERE id = %s", award.pk)
    AdjustedScore.objects.filter(pk=award.pk).update(
        revoked_at=timezone.now(), revoked_by=scene.users["dora"]
    )
    assert AdjustedScore.objects.get().revoked_by == scene.users["dora"]


def test_a_draft_can_still_be_deleted_with_everything_in_it(scene: Scene) -> None:
    Competition.objects.update(state=Competition.State.DRAFT)
    scene.competition.refresh_from_db()
    made = boards.make(actor=scene.users["dora"], competition=scene.competition, count=8, delayed=AGREED)
    boards.assign(
        actor=scene.users["dora"], board_set=made, plays={scene.fixtures[0]: list(made.boards.all()[:4])}
    )
    AdjustedScore.objects.create(play=plays_of(made, scene.fixtures[0])[0], content={}, reason="Late")
    boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="For the machine")

    competitions.discard(actor=scene.users["dora"], competition=scene.competition)

    assert not Competition.objects.exists()
    assert not BoardDraw.objects.exists()
