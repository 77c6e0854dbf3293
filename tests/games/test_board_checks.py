"""A confirmed sheet is held against the cards of its boards: what does not fit is a mark, what fits is analysed."""

import random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.concerto.game import CONCERTO
from engine.deals import Deal
from games import board_cards
from games.analysis.services import analyses
from games.boards.services import boards, locks, versions
from games.concerto.demo import COMBINATIONS, _record, play_out
from games.matches import verification
from games.models import Analysis, Board, BoardSet, FixtureBoard, PlayedHand
from games.scoresheets.services import scoresheets
from league import extension
from league.actors import System
from league.models import Fixture
from league.storage import board_keys
from tests.games.boards import duplicate_scene, every_card, plays_of, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def cards_by_number(made: BoardSet) -> dict[int, Deal]:
    cards = board_cards.cards_of(made)
    return {board.number: Deal.parse(cards[board.pk]) for board in Board.objects.filter(board_set=made)}


def by_combinations(scene: Scene, deals: dict[int, Deal]) -> dict[str, Any]:
    """What a table writes down that has played these deals: combinations, no cards."""
    options = CONCERTO.read_options(scene.competition.rules)
    records = []
    for number, deal in sorted(deals.items()):
        state = CONCERTO.start(deal, CONCERTO.dealer_of_board(number), options)
        records.append(_record(play_out(state, random.Random(number), (3, 3)), COMBINATIONS))
    return {"deals": records}


def confirmed(scene: Scene, content: dict[str, Any], fixture: Fixture | None = None) -> Any:
    """The first match's sheet, entered by Anna and confirmed by Eva."""
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=fixture or scene.fixture, content=content, origin="page"
    )
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def wrong(scene: Scene) -> list[Any]:
    """What verification finds, but for what workers have yet to compute."""
    found = verification.differences(competition=scene.competition)
    return [difference for difference in found if difference.stored != "missing"]


def fits(made: BoardSet, scene: Scene) -> list[bool | None]:
    return [play.fits for play in plays_of(made, scene.fixture)]


def test_a_sheet_of_combinations_that_was_played_with_the_cards_fits(scene: Scene) -> None:
    made = sealed(scene)
    confirmed(scene, by_combinations(scene, cards_by_number(made)))
    assert fits(made, scene) == [True, True, True, True]
    assert not extension.layer().unusual_results([scene.fixture.pk], scene.users["dora"])


def test_a_board_of_which_another_deal_was_played_does_not_fit_and_the_desk_says_which(scene: Scene) -> None:
    made = sealed(scene)
    deals = cards_by_number(made)
    other = Deal.random(random.Random(8))
    content = by_combinations(scene, deals)
    options = CONCERTO.read_options(scene.competition.rules)
    state = play_out(CONCERTO.start(other, CONCERTO.dealer_of_board(3), options), random.Random(1), (3, 3))
    content["deals"][2] = {"deal": str(other), "hands": list(state.hand_lines)}
    confirmed(scene, content)
    assert fits(made, scene) == [True, True, False, True]
    odd = extension.layer().unusual_results([scene.fixture.pk], scene.users["dora"])[scene.fixture.pk]
    assert any("doesn’t match board 3" in remark for remark in odd.remarks)
    assert [url for _label, url in odd.steps] == [
        f"/clubs/riverside/desk/winter-league/boards/{made.pk}/tables/3/"
    ]
    told = " ".join(odd.remarks)
    assert not any(hand in told for deal in (*deals.values(), other) for hand in str(deal)[2:].split())


def test_the_mark_goes_when_the_director_names_the_version(scene: Scene) -> None:
    made = sealed(scene)
    content = by_combinations(scene, cards_by_number(made))
    options = CONCERTO.read_options(scene.competition.rules)
    other = Deal.random(random.Random(8))
    state = play_out(CONCERTO.start(other, CONCERTO.dealer_of_board(1), options), random.Random(1), (3, 3))
    content["deals"][0] = {"deal": str(other), "hands": list(state.hand_lines)}
    confirmed(scene, content)
    play = plays_of(made, scene.fixture)[0]
    versions.mark_version(actor=scene.users["dora"], play=play, version="B", reason="Mis-dealt")
    assert not extension.layer().unusual_results([scene.fixture.pk], scene.users["dora"])
    assert not wrong(scene)


def test_nothing_is_checked_before_the_confirmation(scene: Scene) -> None:
    """Else whoever tries sheets would learn the cards."""
    made = sealed(scene)
    content = by_combinations(scene, {n: Deal.random(random.Random(n)) for n in range(1, 5)})
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content, origin="page"
    )
    assert sheet.suspicious == [] or all("board" not in mark["message"] for mark in sheet.suspicious)
    assert fits(made, scene) == [None] * 4


def test_what_fits_is_analysed_by_the_boards_cards_and_kept_under_lock(scene: Scene) -> None:
    made = sealed(scene)
    deals = cards_by_number(made)
    sheet = confirmed(scene, by_combinations(scene, deals))
    waiting = list(Analysis.objects.filter(sides__deal__sheet=sheet).distinct())
    assert len(waiting) == 4
    analyses.compute_all(analysis_ids=[each.pk for each in waiting], at=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM games_analysis")
        stored = str(cursor.fetchall())
    assert not any(hand in stored for deal in deals.values() for hand in str(deal)[2:].split())
    assert "total" not in stored
    for analysis in Analysis.objects.filter(pk__in=[each.pk for each in waiting]):
        assert analyses.content_in(analysis)["par"]["total"]
    assert not wrong(scene)


def test_a_sheet_without_every_card_proves_nothing(scene: Scene) -> None:
    """Combinations, totals and an analysis of them are no proof that the boards were played; every card of them is."""
    made = sealed(scene)
    confirmed(scene, by_combinations(scene, cards_by_number(made)))
    assert [play.is_proven for play in plays_of(made, scene.fixture)] == [False] * 4
    confirmed(scene, every_card(scene, made))
    assert [play.is_proven for play in plays_of(made, scene.fixture)] == [True] * 4


def test_best_play_is_for_the_own_table_until_the_release(scene: Scene) -> None:
    made = sealed(scene)
    sheet = confirmed(scene, every_card(scene, made))
    keys = list(Analysis.objects.filter(sides__deal__sheet=sheet).values_list("pk", flat=True))
    analyses.compute_all(analysis_ids=keys, at=timezone.now())
    address = f"/matches/{scene.fixture.pk}/"
    seen = {}
    for name in ("anna", "eva", "iris", "sam", "dora", "stranger"):
        client = Client()
        client.force_login(scene.users[name])
        seen[name] = b"What the cards could have made" in client.get(address).content
    assert seen == {
        "anna": True, "eva": True, "iris": False, "sam": False, "dora": False, "stranger": False,
    }  # fmt: skip
    assert not PlayedHand.objects.counting().exists()


def test_what_could_not_be_checked_is_made_up_for_when_the_delayed_value_is_there(scene: Scene) -> None:
    later = DelayedInformation(DelayedKind.LOTTERY, "6 of 49, with spaces", timezone.localdate())
    made = sealed(scene, delayed=later)
    content = {"deals": [{"total": {"NS": 60, "EW": 20}}] * 4}
    sheet = confirmed(scene, content)
    assert fits(made, scene) == [None] * 4
    made = boards.fill_delayed(actor=scene.users["dora"], board_set=made, value="1 2 3 4 5 6")
    analyses.sweep(at=timezone.now())
    assert None not in fits(made, scene)
    assert Analysis.objects.filter(sides__deal__sheet=sheet).exists()
    assert not wrong(scene)


def test_a_correction_is_checked_anew(scene: Scene) -> None:
    made = sealed(scene)
    deals = cards_by_number(made)
    right = by_combinations(scene, deals)
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=right, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    FixtureBoard.objects.filter(fixture=scene.fixture).update(fits=False)
    again = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=right, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=again, digest=again.digest)
    assert fits(made, scene) == [True] * 4


def test_the_locks_of_analyses_are_renewed_with_those_of_the_boards(scene: Scene, settings: Settings) -> None:
    made = sealed(scene)
    sheet = confirmed(scene, by_combinations(scene, cards_by_number(made)))
    keys = list(Analysis.objects.filter(sides__deal__sheet=sheet).values_list("pk", flat=True))
    analyses.compute_all(analysis_ids=keys, at=timezone.now())
    before = analyses.content_in(Analysis.objects.get(pk=keys[0]))
    newest = "n" * board_keys.SHORTEST_KEY
    settings.BOARD_KEYS = [newest, *settings.BOARD_KEYS]
    locks.renew(actor=System("test"))
    settings.BOARD_KEYS = [newest]
    assert analyses.content_in(Analysis.objects.get(pk=keys[0])) == before
