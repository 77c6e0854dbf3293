"""The deal of the day: the same for everybody, played once, and nothing of it told before the day is over."""

import re
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from engine import game
from engine.boards.sealing import commitment
from games.daily import queries, services
from games.models import Analysis, DailyDeal, DailyPlay, Table, TableDeal
from games.tables.queries import end
from games.tables.services import opening, play, requests, seats
from games.tables.state import facts as reading
from games.tables.state.cards import cards_of, encrypted
from games.tables.state.replays import replay_of
from games.tables.state.seat_view import Reader, steps
from league import policies
from league.errors import Conflict, NotAllowed
from league.models import User
from tests.live.tables import next_move, sent
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
CONCERTO = game.get("concerto")
DEALS = (
    "N:J62.Q97.42.QT952 K.KJ653.QJ653.K4 AQ9874.T4.A7.J87 T53.A82.KT98.A63",
    "N:K94.A754.AK2.JT8 73.KT.Q653.AQ643 QJ52.Q.T984.K972 AT86.J98632.J7.5",
)
PAGE = "/games/concerto/daily/"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def now() -> datetime:
    """Pages ask the clock, so the day is today's."""
    return datetime.now(UTC)


def begin(who: User, at: datetime) -> Table:
    return services.play(actor=who, offered=CONCERTO, at=at)


def finish(table: Table, own: int, others: int, at: datetime, deal: str = "") -> None:
    """Ends the table's deal with these points of the person's side."""
    seat = table.seats.get(user__isnull=False).seat
    side = CONCERTO.side_of(seat)
    score = {"total": {side: own, next(each for each in CONCERTO.sides() if each != side): others}}
    row = TableDeal.objects.get(table=table)
    row.score, row.finished_at = score, at
    if deal:
        row.secret = encrypted(CONCERTO, deal)
    row.save()
    Table.objects.filter(pk=table.pk).update(state=Table.State.FINISHED)
    reading.memory.forget()


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def release(daily: DailyDeal) -> None:
    assert services.release(daily_id=daily.pk, at=daily.ends_at)


def test_the_sweep_makes_today_and_tomorrow_and_releases_all_that_is_over(now: datetime) -> None:
    """Also after days of standstill."""
    long_ago = now - timedelta(days=4)
    assert services.sweep(at=long_ago) == 0
    assert services.sweep(at=long_ago) == 0
    assert set(DailyDeal.objects.values_list("day", flat=True)) == {
        long_ago.date(), long_ago.date() + timedelta(days=1),
    }  # fmt: skip
    assert all(each.commitment == commitment(each.secret) for each in DailyDeal.objects.all())

    each_game = len(services.games_with_daily())
    assert services.sweep(at=now) == 2 * each_game
    assert services.sweep(at=now) == 0
    released = DailyDeal.objects.filter(released_at__isnull=False)
    assert all(each.opened == each.secret and each.deal == services.cards_of(each) for each in released)
    assert released.count() == 2 * each_game
    assert DailyDeal.objects.filter(day__gte=now.date(), released_at=None).count() == 2 * each_game
    assert Analysis.objects.count() == 2


def test_everybody_gets_the_same_cards_seat_and_robots_and_plays_once(scene: Scene, now: datetime) -> None:
    anna, eva = begin(scene.users["anna"], now), begin(scene.users["eva"], now)
    assert anna != eva
    assert begin(scene.users["anna"], now) == anna
    cards = {cards_of(TableDeal.objects.get(table=each)) for each in (anna, eva)}
    assert cards == {services.cards_of(DailyDeal.objects.get(day=now.date()))}
    held = [{(row.seat, row.robot) for row in each.seats.all()} for each in (anna, eva)]
    assert held[0] == held[1]
    assert sorted(robot for _seat, robot in held[0]) == ["", "player", "player", "player"]

    opening.close(actor=scene.users["anna"], table_id=anna.pk)
    assert begin(scene.users["anna"], now) == anna
    assert "so you have no result today" in client_of(scene.users["anna"]).get(PAGE).content.decode()


def test_nothing_at_the_table_helps_one_person_more_than_another(scene: Scene, now: datetime) -> None:
    anna, eva = scene.users["anna"], scene.users["eva"]
    table = begin(anna, now)
    own = table.seats.get(user=anna)
    with pytest.raises(Conflict):
        requests.take_back(actor=anna, table_id=table.pk)
    with pytest.raises(Conflict, match="nothing for a director"):
        requests.call_director(actor=anna, table_id=table.pk)
    may = steps(reading.current(table.pk), Reader(seat=own.seat))
    assert not {"director", "pause", "hint", "again"} & {*may}
    seats.stand_up(actor=anna, table_id=table.pk)
    with pytest.raises(NotAllowed):
        seats.seat_robot(actor=anna, table_id=table.pk, seat=own.seat, robot="expert")
    for who in (eva, scene.users["dora"], scene.users["olive"]):
        assert not any(policies.may(who, f"table.{act}", table) for act in ("sit", "watch", "rule"))
        assert client_of(who).get(table.get_absolute_url()).status_code == 404
        assert client_of(who).get(f"{table.get_absolute_url()}view/").status_code == 404
    with pytest.raises(NotAllowed):
        seats.sit(actor=eva, table_id=table.pk, seat=own.seat)


def told(client: Client, table: Table, play: DailyPlay) -> bytes:
    """All that this visitor gets of a deal that isn't over, without what is drawn again for each answer."""
    base = table.get_absolute_url()
    pages = [
        PAGE,
        f"{PAGE}{play.daily.day.isoformat()}/",
        f"/daily/{play.token}/",
        "/",
        "/tables/",
        base,
        f"{base}view/",
        f"{base}deals/1/",
        f"{base}deals/1/?format=pbn",
        f"{base}deals/1/replay/",
        f"/api/v1/tables/{table.pk}/",
        "/api/v1/tables/",
    ]
    answers = [client.get(page) for page in pages]
    whole = b"\n".join(b"%d %s" % (each.status_code, each.content) for each in answers)
    return re.sub(rb'(csrfmiddlewaretoken" value=|"now": ?)[^>,}]*', b"", whole)


@pytest.mark.parametrize("who", ["", "stranger", "eva", "chidi", "dora", "olive"])
def test_who_has_not_played_is_told_the_same_to_the_byte_whatever_the_cards(
    who: str, scene: Scene, now: datetime
) -> None:
    """Chidi has played it, too, and learns nothing of Anna's result either."""
    table = begin(scene.users["anna"], now)
    if who == "chidi":
        finish(begin(scene.users["chidi"], now), 30, 30, now)
    begun = DailyPlay.objects.get(table=table)
    client = client_of(scene.users[who] if who else None)
    seen = []
    for deal, own, others in ((DEALS[0], 61, 17), (DEALS[1], 13, 94)):
        finish(table, own, others, now, deal)
        seen.append(told(client, table, begun))
    assert seen[0] == seen[1]
    assert b"500" not in seen[0][:3]


def test_control_the_player_is_told_of_their_own_result_and_of_no_replay(scene: Scene, now: datetime) -> None:
    table = begin(scene.users["anna"], now)
    begun = DailyPlay.objects.get(table=table)
    client = client_of(scene.users["anna"])
    seen = []
    for deal, own, others in ((DEALS[0], 61, 17), (DEALS[1], 13, 94)):
        finish(table, own, others, now, deal)
        seen.append(told(client, table, begun))
    assert seen[0] != seen[1]
    assert replay_of(table, 1, visitor=scene.users["anna"]) is None
    assert client.get(f"{table.get_absolute_url()}deals/1/").status_code == 404
    page = client.get(PAGE).content.decode()
    assert "13 : 94" in page


def played_by_four(scene: Scene, now: datetime) -> DailyDeal:
    """Anna leads by 20, Eva and Chidi by 4, Luis finishes too late."""
    for who, own, others in (("anna", 50, 30), ("eva", 44, 40), ("chidi", 24, 20), ("luis", 90, 0)):
        table = begin(scene.users[who], now)
        daily = DailyDeal.objects.get(day=now.date())
        finish(table, own, others, daily.ends_at if who == "luis" else now)
    release(daily)
    daily.refresh_from_db()
    return daily


def test_when_the_day_is_over_results_are_compared(scene: Scene, now: datetime) -> None:
    daily = played_by_four(scene, now)
    found = queries.result(daily)
    assert found is not None
    assert (found.begun, found.count, list(found.leads)) == (4, 3, [20, 4, 4])
    plays = {each.user: each for each in DailyPlay.objects.select_related("user")}
    standings = {name: found.standing(plays[scene.users[name]]) for name in ("anna", "eva", "chidi", "luis")}
    assert standings["luis"] is None
    of_anna, of_eva = standings["anna"], standings["eva"]
    assert of_anna is not None
    assert of_eva is not None
    assert (of_anna.rank, of_anna.level, of_anna.percent_text) == (1, 0, "100.0 %")
    # One made more, one the same: one matchpoint of four.
    assert (of_eva.rank, of_eva.level, of_eva.percent_text) == (2, 1, "25.0 %")
    assert standings["chidi"] == queries.Standing(24, 20, 2, 1, of_eva.percent)


def test_a_shared_result_has_figures_and_no_card(scene: Scene, now: datetime) -> None:
    daily = played_by_four(scene, now)
    token = DailyPlay.objects.get(user=scene.users["anna"]).token
    shared = Client().get(f"/daily/{token}/").content.decode()
    assert "50 : 30" in shared
    assert "card-face" not in shared
    assert "Anna" not in shared
    day = client_of(scene.users["anna"]).get(daily.get_absolute_url()).content.decode()
    assert "place 1 of 3 · 100.0 %" in day
    assert f"/daily/{token}/" in day
    assert daily.opened in day
    assert day.count("board-hand") >= 4
    assert f"/daily/{token}/" not in Client().get(daily.get_absolute_url()).content.decode()


def test_after_the_release_one_may_study_the_own_table(scene: Scene, now: datetime) -> None:
    played_by_four(scene, now)
    table = DailyPlay.objects.get(user=scene.users["anna"]).table
    assert table is not None
    assert replay_of(table, 1, visitor=scene.users["anna"]) is not None


def test_one_alone_has_no_percentage(scene: Scene, now: datetime) -> None:
    finish(begin(scene.users["anna"], now), 50, 30, now)
    daily = DailyDeal.objects.get(day=now.date())
    release(daily)
    found = queries.newest_result(game_key="concerto")
    assert found is not None
    standing = found.standing(DailyPlay.objects.get())
    assert standing is not None
    assert (standing.rank, standing.percent) == (1, None)


def test_a_day_is_not_released_before_it_is_over(now: datetime) -> None:
    services.sweep(at=now)
    daily = DailyDeal.objects.get(game="concerto", day=now.date())
    assert not services.release(daily_id=daily.pk, at=daily.ends_at - timedelta(seconds=1))
    assert queries.result(daily) is None
    assert services.release(daily_id=daily.pk, at=daily.ends_at)
    assert not services.release(daily_id=daily.pk, at=daily.ends_at)


def played_out(who: User, at: datetime) -> Table:
    """Today's deal, played to its end with the table's own robots."""
    table = begin(who, at)
    while (facts := reading.current(table.pk)).state == Table.State.PLAYING:
        if not play.play_robots(table_id=table.pk):
            play.act(actor=who, table_id=table.pk, sent=sent(facts, next_move(facts)))
    return table


def test_an_account_without_a_club_plays_it_too(scene: Scene, now: datetime) -> None:
    stranger = scene.users["stranger"]
    client = client_of(stranger)
    answer = client.post(f"{PAGE}play/")
    table = Table.objects.get(daily_play__user=stranger)
    assert (answer["Location"], table.club) == (table.get_absolute_url(), None)
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert "<h1>Daily deal</h1>" in page.content.decode()
    assert client.get("/tables/").status_code == 200
    played_out(stranger, now)
    assert "Come back when the day is over" in client.get(PAGE).content.decode()
    daily = DailyDeal.objects.get(day=now.date())
    release(daily)
    assert client.get(f"{table.get_absolute_url()}deals/1/").status_code == 200
    assert "place 1 of 1" in client.get(daily.get_absolute_url()).content.decode()

    # The same cards once more, for practice, as often as the person likes.
    deal = TableDeal.objects.select_related("table").get(table=table)
    again = opening.practise_again(actor=stranger, deal=deal)
    assert (again.kind, again.club) == (Table.Kind.PRACTICE, None)
    assert end.again(table=again, visitor=scene.users["anna"]) is None, "somebody else's"
    shown = client.get(again.get_absolute_url()).content.decode()
    address = f"/tables/{again.pk}/deals/1/again/"
    assert f'action="{address}"' in shown
    assert "Practise again" in shown
    client.post(address)
    assert Table.objects.latest("pk") == again, "it is going on"
    while reading.current(again.pk).state == Table.State.PLAYING:
        if not play.play_robots(table_id=again.pk):
            facts = reading.current(again.pk)
            play.act(actor=stranger, table_id=again.pk, sent=sent(facts, next_move(facts)))
    assert client.post(address).status_code == 302
    third = TableDeal.objects.select_related("table").latest("pk")
    assert third.table not in {table, again}
    assert cards_of(third) == cards_of(deal)
    with pytest.raises(NotAllowed):
        opening.close(actor=scene.users["olive"], table_id=again.pk)
    opening.close(actor=stranger, table_id=again.pk)


def test_only_who_is_alone_has_a_table_of_no_club(scene: Scene) -> None:
    with pytest.raises(IntegrityError):
        Table.objects.create(kind="casual", game="concerto", first_dealer="N", opened_by=scene.users["anna"])


def test_verify_recomputes_a_day_that_is_over(scene: Scene, now: datetime) -> None:
    played_out(scene.users["anna"], now)
    begin(scene.users["eva"], now)
    daily = DailyDeal.objects.get(day=now.date())
    assert not list(queries.differences())
    release(daily)
    assert not list(queries.differences())

    own = DailyPlay.objects.get(user=scene.users["anna"])
    DailyPlay.objects.filter(pk=own.pk).update(own=99)
    DailyPlay.objects.filter(user=scene.users["eva"]).update(own=1, others=0, lead=1)
    assert [each.what for each in queries.differences()] == ["the result", "the result"]
    DailyDeal.objects.update(opened="0" * 60, deal="N:...")
    assert [each.what for each in queries.differences()][:2] == ["the key's fingerprint", "the cards"]
    said = StringIO()
    with pytest.raises(CommandError, match="differences"):
        call_command("verify", stdout=said)
    assert said.getvalue().count("Daily deal") == 4

    DailyDeal.objects.update(opened="no key")
    assert [each.what for each in queries.differences()][:1] == ["the key"], (
        "and the rest is looked at all the same"
    )
    with pytest.raises(CommandError, match="differences"):
        call_command("verify", stdout=StringIO())


def test_a_press_leads_to_the_table(scene: Scene) -> None:
    client = client_of(scene.users["anna"])
    answer = client.post(f"{PAGE}play/")
    assert answer["Location"] == DailyPlay.objects.get().table.get_absolute_url()  # type: ignore[union-attr]
    assert "Go on playing" in client.get("/").content.decode()
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/games/duet/daily/", "/games/concerto/daily/2026-13-01/", "/games/concerto/daily/yesterday/",
        "/games/concerto/daily/1000-01-01/", "/daily/nobodys/", f"/daily/{'x' * 400}/",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(address: str) -> None:
    assert Client().get(address).status_code == 404


def test_visitors_see_how_to_begin(now: datetime) -> None:
    services.sweep(at=now)
    today = queries.today(game_key="concerto", visitor=AnonymousUser(), at=now)
    assert today is not None
    page = Client().get(PAGE).content.decode()
    assert today.daily.commitment in page
    assert today.daily.ends_at.isoformat() in page
    assert date.fromisoformat(today.daily.day.isoformat()) == now.date()


def test_without_the_sites_key_there_is_none(settings: Any, now: datetime) -> None:
    settings.BOARD_KEYS = []
    assert services.sweep(at=now) == 0
    assert Client().get(PAGE).status_code == 200
