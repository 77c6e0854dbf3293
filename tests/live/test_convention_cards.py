"""Convention cards at tables: robots play the card of their side's pair, and what a play means is told by it."""

from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from engine.concerto.pair_signals import ConcertoSignals
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.systems import SHORT
from games.analysis.services import analyses
from games.concerto.study.given_up import given_up
from games.conventions import services as conventions
from games.conventions import verification
from games.models import Analysis, ConventionCard, Table, TableDeal, TableSeat
from games.tables.queries.finished_deals import deal_of_table
from games.tables.services import opening, play, practice, seats
from games.tables.state import facts as reading
from league.errors import NotAllowed
from league.models import Lineup
from league.storage.append_only import CONVENTION_CARDS
from tests.live.tables import START, laid_in, moves
from tests.scenes import Scene, make_scene

#: A lead of any two cards of one rank shows a pair, and nothing else is ever shown.
ODD = {
    "name": "Odd",
    "checklist": {"strong": ["pair"], "weak": ["pair"]},
    "ways": [{"holding": "pair", "suits": "any", "ranks": "same"}],
}
pytestmark = pytest.mark.django_db


BEFORE = START - timedelta(days=1)


def write(
    scene: Scene,
    who: str = "anna",
    *,
    pair: int = 0,
    after: int = 0,
    name: str = "Odd",
    at: datetime | None = None,
) -> ConventionCard:
    return conventions.write(
        at=at,
        actor=scene.users[who],
        pair=scene.entries[pair].lineup,
        game_key="concerto",
        content={**ODD, "name": name},
        after=after,
    )


def practised(scene: Scene, pair: Lineup | None, robot: str = "player") -> Table:
    return opening.practise(actor=scene.users["anna"], club=scene.club, robot=robot, pair=pair, seat="S")


def play_on(scene: Scene, table: Table) -> None:
    """Until the deal is over: Anna does the first thing that she may."""
    while True:
        play.play_robots(table_id=table.pk)
        facts = reading.current(table.pk)
        if facts.deal is None or facts.deal.finished_at is not None:
            return
        token = facts.offered.robots[0].token(facts.offered.view(facts.deal.fold.state, "S"))
        sent = play.Sent(facts.deal.number, facts.deal.fold.next_number, token)
        play.act(actor=scene.users["anna"], table_id=table.pk, sent=sent)


def test_a_partner_at_practice_plays_the_chosen_pairs_card() -> None:
    scene = make_scene()
    card = write(scene)
    table = practised(scene, scene.entries[0].lineup)
    facts = reading.current(table.pk)
    played = facts.card_of("N")
    assert played is not None
    assert (played.pair, played.number) == (card.lineup_id, 1)
    assert played.signals == ConcertoSignals(read_system(ODD))
    assert facts.card_of("S") == played, "the person's own signals are read by it, too"
    assert facts.card_of("E") is None, "the opponents play the usual signals"
    assert reading.current(practised(scene, None).pk).card_of("N") is None

    play_on(scene, table)

    facts = reading.current(table.pk)
    assert facts.deal is not None
    own = ConcertoSignals(read_system(ODD))
    for line, state in zip(facts.deal.fold.counting, facts.deal.fold.before, strict=False):
        if line.robot:
            view = facts.offered.view(state, line.seat)
            signals = own if line.seat == "N" else facts.offered.signals
            assert signals is not None
            assert signals.token(view, line.robot) == line.token, "the same for the same view and card"


def test_a_card_written_during_a_deal_counts_from_the_next_one() -> None:
    scene = make_scene()
    write(scene)
    table = practised(scene, scene.entries[0].lineup)
    write(scene, after=1, name="New")
    reading.memory.forget()
    played = reading.current(table.pk).card_of("N")
    assert played is not None
    assert played.number == 1
    play_on(scene, table)
    found = deal_of_table(table=table, visitor=scene.users["anna"], number=1)
    assert found is not None
    assert [(words, card.number) for words, card in found.cards] == [("North-South", 1)]
    client = Client()
    client.force_login(scene.users["anna"])
    page = client.get(reverse("table_replay_page", args=[table.pk, 1])).content.decode()
    assert reverse("pair_card_version", args=[scene.entries[0].lineup_id, 1]) in page
    again = opening.practise_again(actor=scene.users["anna"], deal=TableDeal.objects.get(table=table))
    played = reading.current(again.pk).card_of("N")
    assert played is not None
    assert played.number == 2


def test_hints_and_reasons_follow_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = make_scene()
    write(scene)
    table = practised(scene, scene.entries[0].lineup)
    play.play_robots(table_id=table.pk)
    asked: list[str] = []
    decide = ConcertoSignals.token

    def token(self: ConcertoSignals, view: object, robot: str) -> str:
        asked.append(self.system.name)
        return decide(self, view, "novice")  # type: ignore[arg-type] # quick

    monkeypatch.setattr(ConcertoSignals, "token", token)
    facts = reading.current(table.pk)
    assert facts.deal is not None
    assert facts.deal.fold.turn == "S"
    token_told, said = practice.hint(actor=scene.users["anna"], table_id=table.pk)
    assert asked == ["Odd"]
    coach, view = facts.offered.coach, facts.offered.view(facts.deal.fold.state, "S")
    assert coach
    assert said == [str(each) for each in coach.prospects(view, token_told, facts.signals_of("S"))]
    play_on(scene, table)
    client = Client()
    client.force_login(scene.users["anna"])
    told = client.get(reverse("table_reasons", args=[table.pk, "N"])).json()["reasons"]
    assert told[0] == "It plays your convention card, version 1."
    for hand in range(8):
        answer = client.get(reverse("table_meaning", args=[table.pk, hand])).json()
        leader = answer["card"]
        assert leader in {reverse("pair_card", args=[scene.entries[0].lineup_id]), reverse("usual_card")}
        if leader != reverse("usual_card"):
            assert {each["holding"] for each in answer["meanings"]} <= {"pair"}


def test_nobody_practises_with_the_card_of_others() -> None:
    scene = make_scene()
    with pytest.raises(NotAllowed):
        practised(scene, scene.entries[3].lineup)
    client = Client()
    client.force_login(scene.users["anna"])
    practice_url = reverse("practice", args=[scene.club.slug])
    for pair, status in ((scene.entries[3].lineup_id, 403), (10**9, 404), (2**63, 302), ("x", 302)):
        answer = client.post(practice_url, {"robot": "player", "pair": pair, "game": "concerto"})
        assert answer.status_code == status, pair
    assert not Table.objects.exists()
    page = client.get(reverse("table_list")).content.decode()
    assert "Signals with your partner" not in page
    write(scene)
    page = client.get(reverse("table_list")).content.decode()
    assert "Signals with your partner" in page


def test_in_a_match_what_a_play_means_is_told_by_the_pairs_own_card() -> None:
    scene = make_scene()
    write(scene, at=BEFORE)
    conventions.write(
        at=BEFORE,
        actor=scene.users["dora"],
        pair=scene.entries[3].lineup,
        game_key="concerto",
        content=SHORT.as_json(),
        after=0,
    )
    laid = laid_in(scene)
    facts = reading.current(laid.table.pk)
    names = (
        {side: card.signals.as_card()["name"] for side, card in facts.deal.cards.items()}
        if facts.deal
        else {}
    )
    assert names == {"NS": "Odd", "EW": "Short"}
    moves(laid, 3)
    facts = reading.current(laid.table.pk)
    assert facts.deal is not None
    assert facts.deal.cards["NS"].number == 1, "as before, after each action"


def test_a_robot_that_stands_in_plays_the_card_of_the_absent_players_pair() -> None:
    scene = make_scene()
    write(scene, at=BEFORE)
    laid = laid_in(scene)
    facts = reading.current(laid.table.pk)
    own = facts.card_of_robot("N", "player")
    assert own is not None
    assert facts.card_of_robot("N", "novice") is None, "who gives no signals plays none"


def test_a_robot_at_a_casual_table_plays_the_only_card_of_its_partner() -> None:
    scene = make_scene()
    anna = scene.users["anna"]
    table = opening.open_casual(actor=anna, club=scene.club, terms={"robots": True}, options={})
    seats.sit(actor=anna, table_id=table.pk, seat="S")
    seats.seat_robot(actor=anna, table_id=table.pk, seat="N", robot="player")
    assert TableSeat.objects.get(robot="player").pair is None
    write(scene)
    seats.seat_robot(actor=anna, table_id=table.pk, seat="N", robot="expert")
    assert TableSeat.objects.get(robot="expert").pair == scene.entries[0].lineup
    seats.seat_robot(actor=anna, table_id=table.pk, seat="E", robot="expert")
    assert TableSeat.objects.filter(pair__isnull=False).count() == 1, "opponents play the usual signals"


def test_a_card_that_cannot_be_read_any_more_stops_no_table() -> None:
    scene = make_scene()
    card = ConventionCard.objects.create(
        lineup=scene.entries[0].lineup, game="concerto", number=1, content={"name": 5}, made_at=BEFORE
    )
    assert card.signals is None
    laid = laid_in(scene)
    assert reading.current(laid.table.pk).card_of("N") is None
    assert Client().get(reverse("pair_card", args=[card.lineup_id])).status_code == 200
    assert Client().get(card.get_absolute_url()).status_code == 200
    assert Client().get(reverse("pair_card_versions", args=[card.lineup_id])).status_code == 200


def casual(scene: Scene, seated: dict[str, str]) -> Table:
    """A casual table where these people sit, with robots at the other seats, and the first deal begun."""
    terms = {"clock_seconds": 0, "robots": True}
    host = scene.users[next(iter(seated.values()))]
    table = opening.open_casual(actor=host, club=scene.club, terms=terms, options={"deals": 2})
    for seat, who in seated.items():
        seats.sit(actor=scene.users[who], table_id=table.pk, seat=seat)
    for seat in "NESW":
        if seat not in seated:
            seats.seat_robot(actor=host, table_id=table.pk, seat=seat, robot="novice")
    for who in seated.values():
        seats.ready(actor=scene.users[who], table_id=table.pk)
    return table


def test_two_of_a_pair_at_a_casual_table_play_their_card_and_everybody_is_told() -> None:
    scene = make_scene()
    card = write(scene)
    table = casual(scene, {"N": "anna", "S": "chidi"})
    facts = reading.current(table.pk)
    assert [(side, each.number) for side, each in (facts.deal.cards if facts.deal else {}).items()] == [
        ("NS", 1)
    ]
    client = Client()
    client.force_login(scene.users["anna"])
    told = client.get(f"/tables/{table.pk}/view/").json()["view"]["deal"]["cards"]
    address = reverse("pair_card_version", args=[card.lineup_id, 1])
    assert told == {"NS": {"pair": card.lineup_id, "version": 1, "url": address}}

    assert reading.current(casual(scene, {"N": "anna", "S": "iris"}).pk).card_of("N") is None, "not partners"
    two = reading.current(casual(scene, {"N": "iris", "S": "tom"}).pk)
    assert two.card_of("N") is None, "these have no card"


def test_the_match_page_names_the_card_in_force_and_later_the_one_that_was_played() -> None:
    scene = make_scene(deals=2)
    write(scene, at=BEFORE)
    client = Client()
    client.force_login(scene.users["anna"])

    def shown() -> str:
        return client.get(scene.fixture.get_absolute_url()).content.decode()

    assert reverse("pair_card_version", args=[scene.entries[0].lineup_id, 1]) in shown()
    assert "Convention card, version 1" in shown()
    assert shown().count("Convention card, version") == 1, "the opponents have none"
    write(scene, after=1, name="New")
    assert "Convention card, version 2" in shown()


def test_the_expert_of_a_replay_goes_by_the_card_that_was_played() -> None:
    scene = make_scene()
    write(scene)
    table = practised(scene, scene.entries[0].lineup)
    play_on(scene, table)
    client = Client()
    client.force_login(scene.users["anna"])
    client.post(reverse("table_analysis", args=[table.pk, 1]))
    analysis = Analysis.objects.get()
    assert analysis.advice_cards == {"NS": [scene.entries[0].lineup_id, 1]}
    analyses.compute(analysis_id=analysis.pk, at=START)
    analysis.refresh_from_db()
    facts = reading.current(table.pk)
    assert facts.deal is not None
    coach = facts.offered.coach
    assert coach is not None
    states = list(zip(facts.deal.fold.before, facts.deal.fold.counting, strict=False))
    views = [(facts.offered.view(state, line.seat), line) for state, line in states]
    own = ConcertoSignals(read_system(ODD))
    by_cards = []
    # As far as the card makes a difference: to judge a decision takes the expert a second.
    for view, line in views:
        by_cards.append(coach.judge(view, line.token, own if line.seat in "NS" else None))
        if line.seat in "NS" and by_cards[-1] != coach.judge(view, line.token):
            break
    else:
        pytest.fail("the card makes no difference")
    assert analysis.advice[: len(by_cards)] == by_cards
    assert len(analysis.advice) == len(views)

    found = deal_of_table(table=table, visitor=scene.users["anna"], number=1)
    assert found is not None
    assert not found.may_ask_expert
    other = replace(found, played=replace(found.played, cards={}))
    assert other.may_ask_expert, "nobody has asked by the usual signals"
    study = given_up(analysis, other.played.tokens, other.played.card_versions)
    assert study is not None
    assert study.judged == ()


def test_verify_names_cards_that_are_not_as_they_were_written() -> None:
    scene = make_scene()
    write(scene)
    write(scene, after=1, name="New")
    assert list(verification.differences()) == []
    CONVENTION_CARDS.drop(connection)
    try:
        first: QuerySet[ConventionCard] = QuerySet(ConventionCard).filter(number=1)
        first.update(content={**ODD, "name": "Forged"})
        assert [each.what for each in verification.differences()] == ["the card"]
        first.update(content={"name": "Odd", "ways": 7})
        told = [str(each) for each in verification.differences()]
        assert len(told) == 2
        assert "can't be read" in told[0]
        first._raw_delete(first.db)
        assert [each.what for each in verification.differences()] == ["the versions"]
        with pytest.raises(CommandError, match="differences"):
            call_command("verify", stdout=StringIO())
    finally:
        CONVENTION_CARDS.create(connection)
