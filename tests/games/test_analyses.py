"""What the cards of confirmed matches could have made: asked for, worked out, healed and verified."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine.concerto.best_play.analysis import VERSION
from games import tasks
from games.analysis.services import analyses
from games.matches import verification
from games.models import Analysis, PlayedDeal, PlayedHand, PlayedSide, Scoresheet
from games.scoresheets.services import matches, scoresheets
from league.background import sweeps
from league.idempotency import digest_of
from league.models import SweepFailure
from league.storage.append_only import PLAYED_DEALS, SCORESHEETS
from tests.games.events import make_event, play
from tests.games.test_match_pages import played_deals
from tests.scenes import Scene, make_scene, totals_sheet

NOW = datetime(2026, 10, 2, 9, 0, tzinfo=UTC)
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def with_cards() -> dict[str, Any]:
    """A match's sheet: real deals known by their cards, until one side reached 100."""
    deals = [{key: deal[key] for key in ("deal", "hands")} for deal in played_deals()]
    return {"first_dealer": "N", "deals": deals[: enough(deals)]}


def enough(deals: list[dict[str, Any]]) -> int:
    """How many of the deals a match has: it ends when a side reaches 100."""
    sums = {"NS": 0, "EW": 0}
    for number, deal in enumerate(played_deals(), start=1):
        sums = {side: points + deal["total"][side] for side, points in sums.items()}
        if max(sums.values()) >= 100:
            return number
    return len(deals)


def confirmed(scene: Scene, content: Any = None) -> Scoresheet:
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content or with_cards(), origin="page"
    )
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def differing(scene: Scene) -> list[str]:
    """What a recomputation of everything finds, but for the tables, which nobody computed here."""
    found = verification.differences(competition=scene.competition)
    return [str(each) for each in found if "table" not in each.where]


def test_a_sheet_of_an_event_of_the_tests_is_taken_down_as_one_that_was_sent(db: None) -> None:
    event = make_event(tables=1, boards=2)
    play(event.fixtures[0], (60, 50), (40, 50))
    analyses.sweep(at=NOW)
    assert not SweepFailure.objects.exists()
    assert PlayedSide.objects.count() == 4


def test_a_confirmed_sheet_gets_its_figures_and_analyses_that_wait(scene):
    sheet = confirmed(scene)
    deals = sheet.deals.count()
    assert Analysis.objects.filter(version=0).count() == deals
    assert PlayedSide.objects.filter(deal__sheet=sheet).count() == 2 * deals
    for played, deal in zip(sheet.deals.all(), played_deals(), strict=False):
        home, away = (played.sides.get(entry=scene.entries[place]) for place in (0, 3))
        assert [hand.points for hand in home.hands.all()] == deal["points"][
            home.hands.first().number - 1 :: 2
        ]
        paid = "EW" if deal["left_over_to"] == "NS" else "NS"
        assert {home.side: home.given_away, away.side: away.given_away} == {
            paid: deal["left_over_bonus"],
            deal["left_over_to"]: 0,
        }
    assert differing(scene) == []


def test_the_worker_finds_best_play_and_the_cost_of_every_hand(scene):
    sheet = confirmed(scene)
    tasks.analyse(*Analysis.objects.values_list("pk", flat=True))
    for played in sheet.deals.all():
        side = played.sides.first()
        content = side.analysis.content
        assert side.analysis.version == VERSION
        for each in played.sides.all():
            best = content["best"][each.side][0]["points"]
            hands = list(each.hands.all())
            assert best - sum(hand.cost for hand in hands) == sum(hand.points for hand in hands)
    assert differing(scene) == []
    before = list(Analysis.objects.values_list("pk", "computed_at"))
    assert tasks.analyse(*[pk for pk, _at in before], 4_000_000) == 0
    assert list(Analysis.objects.values_list("pk", "computed_at")) == before


def test_a_sheet_of_totals_has_nothing_to_analyse(scene):
    sheet = confirmed(scene, FOUR)
    assert not Analysis.objects.exists()
    assert not PlayedHand.objects.exists()
    # Twenty to fifteen leaves no room for a bonus.
    assert set(PlayedSide.objects.values_list("given_away", flat=True)) == {0}
    assert not Scoresheet.objects.without_figures().filter(pk=sheet.pk).exists()


def test_whoever_plays_the_same_cards_in_the_same_way_shares_the_analysis(scene):
    first = confirmed(scene)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="A card")
    again = {**with_cards(), "deals": [{**deal, "left_over_bonus": None} for deal in with_cards()["deals"]]}
    second = confirmed(scene, again)
    assert first.pk != second.pk
    assert Analysis.objects.count() == first.deals.count() == second.deals.count()
    assert PlayedSide.objects.counting().count() == 2 * second.deals.count()
    assert PlayedSide.objects.count() == 4 * second.deals.count()


def test_what_was_answered_before_needs_no_worker(scene):
    confirmed(scene)
    analyses.sweep(at=NOW)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="A card")
    again = {**with_cards(), "deals": [{**deal, "left_over_bonus": None} for deal in with_cards()["deals"]]}
    confirmed(scene, again)
    assert not PlayedHand.objects.counting().filter(cost=None).exists()
    assert differing(scene) == []


def test_one_deal_that_cannot_be_worked_out_holds_up_no_other(scene, monkeypatch):
    sheet = confirmed(scene)
    first = Analysis.objects.order_by("pk").first()
    Analysis.objects.filter(pk=first.pk).update(dealer="?")
    assert analyses.sweep(at=NOW) == sheet.deals.count() - 1
    PlayedHand.objects.all().delete()
    PlayedSide.objects.all().delete()
    with monkeypatch.context() as patched:
        patched.setattr(analyses, "request", lambda **_keys: 1 // 0)
        assert analyses.sweep(at=NOW) == 0
    analyses.sweep(at=NOW + sweeps.FIRST_WAIT)
    assert PlayedSide.objects.counting().count() == 2 * sheet.deals.count()


def test_the_hint_is_sent_when_the_confirmation_is_committed(scene, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        confirmed(scene)
    assert Analysis.objects.exists()
    assert not Analysis.objects.filter(version=0).exists()


def test_a_confirmation_that_fails_asks_for_nothing(scene):
    class Interrupted(Exception):
        pass

    def interrupted() -> None:
        with transaction.atomic():
            confirmed(scene)
            raise Interrupted

    with pytest.raises(Interrupted):
        interrupted()
    assert not Analysis.objects.exists()
    assert not PlayedSide.objects.exists()


def test_the_sweep_heals_what_was_lost_and_what_an_older_version_answered(scene):
    sheet = confirmed(scene)
    PlayedHand.objects.all().delete()
    PlayedSide.objects.all().delete()
    Analysis.objects.all().delete()
    deals = sheet.deals.count()
    assert analyses.sweep(at=NOW) == deals
    assert differing(scene) == []
    assert not PlayedHand.objects.filter(cost=None).exists()
    Analysis.objects.update(version=77, content={"old": True})
    assert analyses.sweep(at=NOW) == deals
    assert analyses.sweep(at=NOW) == 0
    assert differing(scene) == []


def test_verification_names_what_does_not_follow(scene):
    confirmed(scene)
    analyses.sweep(at=NOW)
    analysis = Analysis.objects.first()
    Analysis.objects.filter(pk=analysis.pk).update(content={**analysis.content, "par": {}})
    PlayedHand.objects.filter(pk=PlayedHand.objects.first().pk).update(cost=49)
    PlayedSide.objects.filter(pk=PlayedSide.objects.last().pk).update(given_away=7)
    found = "\n".join(differing(scene))
    assert f"Analysis {analysis}: the content" in found
    assert "hand 1: the cost is stored as 49" in found
    assert "what a pair did" in found


def test_verification_of_sealed_columns_tells_a_log_and_a_terminal_no_value(scene, caplog, capsys):
    sheet = confirmed(scene)
    analyses.sweep(at=NOW)
    deal = sheet.deals.first()
    for guard in (PLAYED_DEALS, SCORESHEETS):
        guard.drop(connection)
    score = {**deal.score, "total": {"NS": 7771, "EW": 8882}}
    PlayedDeal.objects.filter(pk=deal.pk).update(score=score)
    PlayedSide.objects.filter(pk=PlayedSide.objects.last().pk).update(given_away=9993)
    digest = "0123456789abcdef" * 4
    Scoresheet.objects.filter(pk=sheet.pk).update(digest=digest)
    with caplog.at_level("ERROR"):
        tasks.verify_everything()
    logged = caplog.text + capsys.readouterr().out
    for what in ("deal 1: the score", "what a pair did", "the content's digest"):
        assert what in logged
    terminal = "\n".join(differing(scene))
    assert "the score is stored as" in terminal
    for value in ("7771", "8882", "9993", digest[:12], digest_of(sheet.content)[:12], "'NS'"):
        assert value not in logged
        assert value not in terminal


def test_asking_takes_as_many_queries_for_four_deals_as_for_one(scene):
    sheet = confirmed(scene)
    reading = analyses.reading_of(sheet.match, sheet)
    PlayedHand.objects.all().delete()
    PlayedSide.objects.all().delete()
    Analysis.objects.all().delete()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        analyses.request(sheet=sheet, reading=reading)
    assert len([q for q in queries if "SAVEPOINT" not in q["sql"]]) <= 6
