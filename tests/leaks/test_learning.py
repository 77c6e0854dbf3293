"""Who tries the game, practises or plays the daily deal is told nothing of a card that the seat does not see.

Whole answers are compared, byte by byte, of deals that differ in such cards alone: tries and their coach, hints at a
practice table, and everything that the player of a daily deal can ask for.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine import game
from engine.concerto.game import CONCERTO
from engine.deals import Deal
from engine.seats import Seat
from games.daily import services as daily
from games.learning import deals
from games.learning.deals import LearningDeal
from games.models import Action, DailyPlay, Table, TableDeal
from games.tables.services import opening, play
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.cards import cards_of, encrypted
from games.tables.state.facts import line_of
from tests.live.positions import Position, facts_of, positions, twin
from tests.live.tables import next_move, sent
from tests.scenes import make_scene
from tests.thorough import examples

SOUTH, TRIES = Seat.S, "/games/concerto/try/deal/"


@pytest.fixture(autouse=True)
def _as_often_as_one_likes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rates, "PER_SECOND", 1e9)
    reading.memory.forget()
    yield
    reading.memory.forget()


def on_turn(seat: Seat, rng: random.Random, many: int) -> Iterator[Position]:
    """Positions, far from one another, in which that seat has to act."""
    found = (each for each in positions(rng) if turn_of(each) is seat)
    return islice(found, 0, 3 * many, 3)


def turn_of(position: Position) -> Seat | None:
    deal = facts_of(position).deal
    assert deal is not None
    state: Any = deal.fold.state
    turn: Seat | None = state.turn
    return turn


def differing(
    tell: Callable[[Position], bytes], reader: Seat, shown: Iterator[Position], rng: random.Random
) -> int:
    """In how many of these positions the same is told of other cards that this reader doesn't see. It is told alike."""
    count = 0
    for position in shown:
        other = twin(position, reader, rng)
        assert tell(position) == tell(other), (position, other)
        count += other.deal != position.deal
    return count


# A deal that somebody tries


def told_of_a_try(position: Position) -> bytes:
    """All that a browser is told of this deal but what the robots do next, which they do by their own cards."""
    facts = facts_of(position)
    assert facts.deal is not None
    deal = LearningDeal(str(position.deal), position.dealer.letter, "S", "novice", facts.deal.fold)
    state, legal = deals.sealed(deal), deal.state.legal()
    refused = [token for token in ("As", "2d", "-", "nonsense") if token not in legal]
    asked: list[tuple[str, dict[str, Any]]] = [("act/", {"token": token}) for token in refused]
    asked += [("coach/", {"token": token}) for token in [*refused[:1], legal[0], legal[-1]]]
    asked += [("meaning/", {"hand": hand}) for hand in (0, 1, 7)]
    asked += [("reasons/", {"seat": seat}) for seat in "NESW"]
    asked += [("outcome/", {})]
    answers = [
        Client().post(TRIES + part, json.dumps({"state": state, **fields}), content_type="application/json")
        for part, fields in asked
    ]
    assert all(each.status_code < 500 for each in answers)
    return b"\n".join(b"%d %s" % (each.status_code, each.content) for each in answers)


def test_a_try_is_answered_alike_by_the_rules_the_coach_and_the_partner() -> None:
    rng, many = random.Random(1), examples(60)
    shown = list(on_turn(SOUTH, random.Random(20261123), many))
    assert differing(told_of_a_try, SOUTH, iter(shown), rng) > 0.8 * many
    assert any(b"The expert would have" in told_of_a_try(each) for each in shown[:3])
    # Control: other cards of its own.
    others = [twin(each, Seat.N, rng) for each in shown[:5]]
    own = [(one, other) for one, other in zip(shown, others, strict=False) if turn_of(other) is SOUTH]
    assert any(told_of_a_try(one) != told_of_a_try(other) for one, other in own)


# A hint at a practice table


@pytest.mark.django_db
def test_a_hint_is_the_same_to_the_byte_whatever_the_others_hold() -> None:
    scene, client, rng, many = make_scene(), Client(), random.Random(2), examples(24)
    anna = scene.users["anna"]
    table = opening.practise(actor=anna, club=scene.club, robot="novice", seat="S")
    client.force_login(anna)
    at_the_table = reading.fresh(table.pk)

    def hinted(position: Position) -> bytes:
        facts = replace(at_the_table, state=Table.State.PLAYING, deal=facts_of(position).deal)
        reading.memory.forget()
        reading.memory.keep(facts)
        answer = client.post(f"/tables/{table.pk}/hint/")
        assert answer.status_code == 200
        return answer.content

    shown = list(on_turn(SOUTH, random.Random(20261124), many))
    assert differing(hinted, SOUTH, iter(shown), rng) > 0.8 * many
    assert len({hinted(each) for each in shown[:4]}) > 1, "control: of other positions other hints are given"


# The daily deal, at the seat of who plays it

VARYING = re.compile(rb'(name="csrfmiddlewaretoken" value=|data-csrf=|"csrf": ?)"\w+"')


def told_of_today(client: Client, play_of: DailyPlay) -> bytes:
    """All that its player can ask for while it goes on."""
    base, page = f"/tables/{play_of.table_id}/", "/games/concerto/daily/"
    shared = [
        page,
        f"{page}{play_of.daily.day.isoformat()}/",
        f"/daily/{play_of.token}/",
        "/",
        "/my/",
        "/my/week/",
    ]
    parts = [
        "",
        "view/?deal=1&next=0",
        "hands/0/meaning/",
        "deals/1/",
        "deals/1/replay/",
        "deals/1/?format=pbn",
    ]
    parts += [*(f"seats/{seat}/reasons/" for seat in "NESW"), "deals/1/analysis/live/"]
    answers = [client.post(f"{base}deals/1/again/")]
    answers += [client.get(each) for each in [*shared, *(base + part for part in parts), "/tables/"]]
    past = {"deal": 1, "number": 200, "token": "As", "key": "k"}
    for part, body in (("act/", past), ("hint/", {}), ("steps/take_back/", {}), ("steps/again/", {})):
        answers.append(client.post(base + part, json.dumps(body), content_type="application/json"))
    assert all(each.status_code < 500 for each in answers)
    return b"\n".join(b"%d %s" % (each.status_code, VARYING.sub(b"", each.content)) for each in answers)


@pytest.mark.django_db
@pytest.mark.parametrize("done", [0, 9])
def test_of_the_daily_deal_its_player_is_told_by_the_own_cards_alone(
    done: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = datetime(2026, 10, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: today + timedelta(minutes=5))
    scene, client, rng = make_scene(), Client(), random.Random(done)
    anna = scene.users["anna"]
    table = daily.play(actor=anna, offered=game.get("concerto"), at=today)
    while (facts := reading.current(table.pk)).deal and facts.deal.fold.next_number < done:
        if not play.play_robots(table_id=table.pk):
            play.act(actor=anna, table_id=table.pk, sent=sent(facts, next_move(facts)))
    row, begun = TableDeal.objects.get(), DailyPlay.objects.select_related("daily").get()
    lines = tuple(line_of(each) for each in Action.objects.order_by("number"))
    dealer = next(each for each in Seat if each.letter == row.dealer)
    own = next(each for each in Seat if each.letter == table.seats.get(user=anna).seat)
    client.force_login(anna)

    def told(position: Position) -> bytes:
        TableDeal.objects.update(secret=encrypted(CONCERTO, str(position.deal)))
        reading.memory.forget()
        return told_of_today(client, begun)

    position = Position(Deal.parse(cards_of(row)), dealer, lines)
    assert differing(told, own, iter([position] * 3), rng) == 3
    assert Table.objects.count() == 1, "nobody practises it beforehand"
    # Control: the cards of the seat itself make a difference.
    other = next(each for each in Seat if each is not own)
    assert told(twin(position, other, rng)) != told(position)
