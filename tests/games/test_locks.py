"""A new key for sealed boards: everything is locked again, and the older key can go."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.boards.services import boards
from games.models import BoardSet, Paper, Table, TableDeal
from league.storage import board_keys
from tests.games.boards import duplicate_scene, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db

OLD, NEW = "an-old-key-" + "1" * 40, "a-newer-key-" + "2" * 40


def _deal_of_a_table(scene: Scene) -> TableDeal:
    table = Table.objects.create(
        club=scene.club,
        kind=Table.Kind.CASUAL,
        game="concerto",
        first_dealer="N",
        opened_by=scene.users["anna"],
    )
    return TableDeal.objects.create(
        table=table, number=1, dealer="N", secret=board_keys.encrypt("N:A..."), started_at=timezone.now()
    )


def test_after_the_command_the_newest_key_is_enough(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.BOARD_KEYS = [OLD]
    scene = duplicate_scene()
    made = sealed(scene)
    cards = boards.cards_of(made)
    paper = Paper.objects.create(
        competition=scene.competition,
        kind="slips",
        asked_by=scene.users["dora"],
        state=Paper.State.READY,
        content=board_keys.encrypt(b"%PDF"),
        ready_at=timezone.now(),
    )
    deal = _deal_of_a_table(scene)

    settings.BOARD_KEYS = [NEW, OLD]
    call_command("renew_board_locks")
    call_command("renew_board_locks")
    settings.BOARD_KEYS = [NEW]
    made.refresh_from_db()
    paper.refresh_from_db()
    deal.refresh_from_db()
    assert board_keys.decrypt(deal.secret) == "N:A..."
    assert boards.cards_of(made) == cards
    assert paper.content is not None
    assert board_keys.decrypt(paper.content) == b"%PDF"
    out = capsys.readouterr().out
    for column in ("games_boardset.secret: 1", "games_paper.content: 1", "games_tabledeal.secret: 1"):
        assert column in out
    assert "\n0 values came under the newest key." in out, "to do it twice is harmless"


def test_a_set_that_no_key_opens_is_named_and_left_alone(settings: Settings) -> None:
    settings.BOARD_KEYS = [OLD]
    made = sealed(duplicate_scene())
    settings.BOARD_KEYS = [NEW]

    with pytest.raises(CommandError, match=f"keep looking for it: .*games_boardset.secret {made.pk}"):
        call_command("renew_board_locks")
    settings.BOARD_KEYS = [OLD]
    assert boards.cards_of(BoardSet.objects.get(pk=made.pk))
