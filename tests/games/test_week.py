"""A person's week of practice: how close to the best, what cost most, and the same cards once more."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from engine import game
from games.analysis.services import analyses
from games.concerto import rules_page
from games.concerto.study.board_best import practised
from games.daily import services as daily
from games.models import Analysis, Table, TableDeal
from games.tables.queries import end
from games.tables.queries.week import week
from games.tables.services import analyses as table_analyses
from games.tables.services import opening, play, seats
from games.tables.state import facts as reading
from games.tables.state.cards import cards_of
from league import policies
from league.errors import Conflict
from league.models import Membership, User
from tests.live.tables import next_move, sent
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
CONCERTO = game.get("concerto")
DEAL = "N:J62.Q97.42.QT952 K.KJ653.QJ653.K4 AQ9874.T4.A7.J87 T53.A82.KT98.A63"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def practised_deal(actor: User, scene: Scene) -> TableDeal:
    """A deal with three novices, played to its end."""
    table = opening.practise(actor=actor, club=scene.club, robot="novice")
    Table.objects.filter(pk=table.pk).update(options={**table.options, "deals": 1})
    seats.ready(actor=actor, table_id=table.pk)
    return play_on(actor, table)


def play_on(actor: User, table: Table) -> TableDeal:
    while (facts := reading.current(table.pk)).state == Table.State.PLAYING:
        if play.play_robots(table_id=table.pk):
            continue
        play.act(actor=actor, table_id=table.pk, sent=sent(facts, next_move(facts)))
    return TableDeal.objects.select_related("table__club").get(table=table)


def test_a_week_compares_with_the_best_and_offers_the_same_cards_again(scene: Scene) -> None:
    anna, at = scene.users["anna"], timezone.now()
    deal = practised_deal(anna, scene)
    client = Client()
    client.force_login(anna)
    before = week(user=anna, at=at + timedelta(minutes=1))
    assert (len(before.deals), before.to_ask, before.percent) == (1, 1, None)

    # Asked with one press, worked out by a worker: in tests at once.
    assert client.post("/my/week/")["Location"] == "/my/week/"
    analyses.compute_all(analysis_ids=list(Analysis.objects.values_list("pk", flat=True)), at=at)
    own = week(user=anna, at=at + timedelta(minutes=1))
    study = own.deals[0].study
    assert study is not None
    score = deal.score or {}
    seat = deal.table.seats.get(user=anna).seat
    side = CONCERTO.side_of(seat)
    assert study.made == score["made"][side]
    assert own.percent == round(100 * study.made / study.best)
    assert study.given_away == (0 if score["left_over_to"] == side else score["left_over_bonus"])
    # What each hand gave up is what is missing to the best.
    assert sum(study.costs.values()) == study.best - study.made
    assert [cost.points for cost in own.costs] == sorted((cost.points for cost in own.costs), reverse=True)
    page = client.get("/my/week/").content.decode()
    assert f"{own.percent} %" in page
    address = f"/tables/{deal.table_id}/deals/1/again/"
    assert (address in page) == (own.deals[0].loss > 0)

    answer = client.post(address)
    again = Table.objects.get(pk=int(answer["Location"].strip("/").rpartition("/")[2]))
    dealt = TableDeal.objects.get(table=again)
    assert cards_of(dealt) == cards_of(deal)
    assert (dealt.dealer, again.kind) == (deal.dealer, "practice")
    assert again.seats.get(user=anna).seat == seat
    assert set(again.seats.filter(user=None).values_list("robot", flat=True)) == {"novice"}


def test_the_same_cards_again_are_played_with_the_same_robots(scene: Scene) -> None:
    anna = scene.users["anna"]
    table = opening.practise(
        actor=anna, club=scene.club, robot="novice", partner="player", seat="W", deal=DEAL
    )
    deal = play_on(anna, table)
    again = opening.practise_again(actor=anna, deal=deal)
    held = {row.seat: row.robot for row in again.seats.all()}
    assert held == {"N": "novice", "E": "player", "S": "novice", "W": ""}
    after = end.again(table=table, visitor=anna)
    assert after is not None
    assert {name: after.fields[name] for name in ("robot", "partner", "seat")} == {
        "robot": "novice", "partner": "player", "seat": "W",
    }  # fmt: skip


def test_casual_tables_count_for_those_who_sat_there_at_the_end(scene: Scene) -> None:
    anna, eva = scene.users["anna"], scene.users["eva"]
    table = opening.open_casual(
        actor=anna, club=scene.club, terms={"robots": True}, options={"deals": 1}, game_key="concerto"
    )
    for who, seat in ((anna, "N"), (eva, "E"), (scene.users["chidi"], "W")):
        seats.sit(actor=who, table_id=table.pk, seat=seat)
    seats.stand_up(actor=scene.users["chidi"], table_id=table.pk)
    seats.fill(actor=anna, table_id=table.pk)
    for who in (anna, eva):
        seats.ready(actor=who, table_id=table.pk)
    while (facts := reading.current(table.pk)).state == Table.State.PLAYING:
        if not play.play_robots(table_id=table.pk):
            actor = anna if facts.deal and facts.deal.fold.turn == "N" else eva
            play.act(actor=actor, table_id=table.pk, sent=sent(facts, next_move(facts)))
    deal = TableDeal.objects.select_related("table").get(table=table)
    at = timezone.now() + timedelta(minutes=1)
    for who, count in ((anna, 1), (eva, 1), (scene.users["chidi"], 0)):
        assert len(week(user=who, at=at).deals) == count
    assert table_analyses.request_all(actor=eva, deals=[deal]) == 1
    analyses.compute_all(analysis_ids=list(Analysis.objects.values_list("pk", flat=True)), at=at)
    score = deal.score or {}
    for who, side in ((anna, "NS"), (eva, "EW")):
        study = week(user=who, at=at).deals[0].study
        assert study is not None
        assert study.made == score["made"][side]

    again = opening.practise_again(actor=eva, deal=deal)
    assert again.kind == Table.Kind.PRACTICE
    assert {row.seat: row.robot for row in again.seats.all()} == {
        "N": "player", "E": "", "S": "player", "W": "player",
    }  # fmt: skip
    assert cards_of(TableDeal.objects.get(table=again)) == cards_of(deal)
    with pytest.raises(Conflict):
        opening.practise_again(actor=scene.users["chidi"], deal=deal)
    Table.objects.filter(pk=table.pk).update(spectators="nobody")
    Membership.objects.filter(user=eva).delete()
    policies.forget_roles(eva)
    assert week(user=eva, at=at).deals == [], "who has left the club looks at its tables no more"


def test_only_ones_own_deals_of_this_week_that_may_be_studied(scene: Scene) -> None:
    anna, eva = scene.users["anna"], scene.users["eva"]
    at = timezone.now()
    deal = practised_deal(anna, scene)
    today = daily.play(actor=anna, offered=CONCERTO, at=at)
    sealed = play_on(anna, today)
    assert [each.deal.pk for each in week(user=anna, at=timezone.now()).deals] == [deal.pk]
    assert week(user=eva, at=timezone.now()).deals == []
    assert week(user=anna, at=at + timedelta(days=8)).deals == []
    for actor, each in ((eva, deal), (anna, sealed)):
        with pytest.raises(Conflict):
            opening.practise_again(actor=actor, deal=each)
    assert table_analyses.request_all(actor=anna, deals=[sealed]) == 0


def test_the_worked_example_of_the_rules_gave_up_what_is_missing_to_the_best() -> None:
    record = CONCERTO.records.read_record(rules_page.EXAMPLE)  # type: ignore[union-attr]
    found = CONCERTO.analysis.analyse(record)  # type: ignore[union-attr]
    checked = CONCERTO.records.check(record)  # type: ignore[union-attr]
    assert found is not None
    assert checked.score is not None
    analysis = Analysis(game="concerto", content=found.as_json())
    study = practised(analysis, checked.score.as_json(), "E")
    assert study is not None
    assert study.made == 27
    assert study.given_away == 60
    assert study.best - study.made == sum(study.costs.values())
    assert practised(analysis, {"total": {"NS": 1, "EW": 2}}, "E") is None


def test_nothing_practised(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["eva"])
    assert "No deals this week" in client.get("/my/week/").content.decode()
    assert "/my/week/" in client.get("/my/").content.decode()
