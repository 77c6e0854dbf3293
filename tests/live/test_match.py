"""A match played card by card: from four people who sit down to a confirmed result and changed standings."""

import pytest
from django.db.models import F
from django.utils import timezone

from games.matches import verification
from games.models import Action, Scoresheet, Table, TableDeal
from games.tables.services import (
    opening,
    play,
    results,
    rows,
    sweeping,
)
from games.tables.state import facts as reading
from league.errors import Invalid
from league.models import AuditEntry, Competition, Fixture
from tests.live.tables import Laid, all_ready, laid_in, match_table, play_deal
from tests.scenes import make_scene
from tests.thorough import IS_THOROUGH

pytestmark = pytest.mark.django_db(transaction=True)


def short_match(*, robots: dict[str, str] | None = None) -> Laid:
    """A match of two deals, in `make thorough` of four: the next begins after the first, and it ends after the last."""
    return laid_in(make_scene(deals=4 if IS_THOROUGH else 2), robots=robots)


def test_a_whole_match_becomes_a_confirmed_sheet_and_changes_the_standings() -> None:
    laid = short_match()
    key = laid.scene.competition.pk
    before = Competition.objects.get(pk=key).results_version
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)

    table = Table.objects.get(pk=laid.table.pk)
    sheet = Scoresheet.objects.get(match=laid.scene.fixture.pk)
    fixture = Fixture.objects.get(pk=laid.scene.fixture.pk)
    total = laid.facts().result.total
    assert (table.state, table.sheet_id, table.fault) == ("finished", sheet.pk, "")
    assert (sheet.verdict, sheet.origin, sheet.verdict_by) == ("confirmed", "table", None)
    assert [side.score for side in fixture.sides] == list(total.values())
    assert fixture.status == Fixture.Status.CONFIRMED
    assert Competition.objects.get(pk=key).results_version == before + 1
    assert list(verification.differences(competition=Competition.objects.get(pk=key))) == []
    trail = AuditEntry.objects.get(action="sheet.submitted")
    assert str(table.pk) in trail.summary
    assert trail.actor_name == "table"


def test_the_sheet_holds_the_very_cards_and_lines() -> None:
    laid = short_match(robots=dict.fromkeys("NES", "novice"))
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)
    sheet = Scoresheet.objects.get(match=laid.scene.fixture.pk)

    for row, record in zip(TableDeal.objects.order_by("number"), sheet.content["deals"], strict=True):
        lines = Action.objects.filter(deal=row, back_to=None).order_by("number")
        played = " ".join(record["hands"]).split()
        assert played == [line.token for line in lines]
        assert row.score == reading.deal_facts(laid.table, row, ()).fold.state.score().as_json()


def test_a_match_is_recorded_once_however_often_it_is_asked() -> None:
    laid = short_match(robots=dict.fromkeys("NES", "novice"))
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)

    assert results.record(table_id=laid.table.pk) is False
    assert sweeping.sweep(at=timezone.now() + rows.QUIET) == 0
    assert Scoresheet.objects.count() == 1


def test_a_lost_message_is_healed_by_the_sweep() -> None:
    laid = short_match(robots=dict.fromkeys("NES", "novice"))
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)
    Table.objects.filter(pk=laid.table.pk).update(sheet=None, version=F("version") + 1)

    sweeping.sweep(at=timezone.now() + rows.QUIET)
    table = Table.objects.get(pk=laid.table.pk)
    assert table.fault != "", "the match has its result: the table says so"
    assert table.sheet is None


def test_a_match_that_waits_to_be_written_down_is_not_closed_without_a_trace() -> None:
    laid = match_table(begun=False)
    dora = laid.scene.users["dora"]
    Table.objects.update(state=Table.State.FINISHED, version=F("version") + 1)
    with pytest.raises(Invalid):
        opening.close(actor=dora, table_id=laid.table.pk)
    opening.close(actor=dora, table_id=laid.table.pk, reason="Entered by hand.")

    assert Table.objects.get().state == Table.State.CLOSED
    assert AuditEntry.objects.get(action="table.closed").reason == "Entered by hand."


def test_replaying_the_log_gives_what_the_memory_holds() -> None:
    laid = short_match()
    for _deal in range(4):
        if laid.facts().state == Table.State.FINISHED:
            break
        play_deal(laid)
        remembered = laid.facts()
        fresh = reading.fresh(laid.table.pk)
        assert remembered.deal is not None
        assert fresh.deal is not None
        assert fresh.deal.fold.state == remembered.deal.fold.state
        assert fresh.deal.fold.used == remembered.deal.fold.used
        assert fresh.played == remembered.played
        if remembered.state == Table.State.BETWEEN:
            all_ready(laid)


def test_robots_play_until_a_person_is_on_turn() -> None:
    laid = match_table(robots=dict.fromkeys("NES", "player"))
    facts = laid.facts()

    assert facts.deal is not None
    assert facts.deal.fold.turn == "W" or facts.state != Table.State.PLAYING
    assert play.play_robots(table_id=laid.table.pk) == 0
    assert {line.robot for line in facts.deal.fold.lines} <= {"player"}
