"""Two directors draw a round of a Swiss (of pairs or players), a knock-out or tables at once, or a result arrives."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from league import formats
from league.draws.services import players, rounds, seating, ties
from league.errors import Conflict
from league.manage.services import evenings
from league.models import Appearance, Division, Fixture, Player, RoundDraw
from league.standings import brackets
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
LATER = datetime.now(UTC) + timedelta(days=30)


def drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What two directors are told who publish what both have seen."""
    competition = factories.running(factories.club(), pairs=4, format="swiss")
    division = Division.objects.get(stage=competition.stage)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    meet(monkeypatch, rounds, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_a_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert RoundDraw.objects.count() == 1
    assert Appearance.objects.filter(round__number=2).count() == 4


def test_control_without_the_lock_the_database_itself_has_to_refuse_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def cup_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The same of the final of a knock-out."""
    competition = factories.running(factories.club(), pairs=4, format="knockout")
    division = Division.objects.get(stage=competition.stage)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    final = division.stage.rounds.get(number=2)
    seen = ties.propose(division=division, round_=final).digest
    meet(monkeypatch, ties, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_a_final_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = cup_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert Fixture.objects.filter(round__number=2).count() == 1


def test_control_without_the_lock_the_final_is_drawn_once_by_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = cup_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def tables_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The same of the first tables of an evening of individuals."""
    competition = factories.running(
        factories.club(), pairs=7, format="tables_evening", game="tien-len", points={"by": "rank"}
    )
    division = Division.objects.get(stage=competition.stage)
    first = division.stage.rounds.get(number=1)
    seen = seating.propose(division=division, round_=first).digest
    meet(monkeypatch, seating, "propose")

    def act() -> object:
        try:
            rounds.publish(actor=DIRECTOR, division=division, number=1, at=LATER, seen=seen)
        except IntegrityError as refusal:
            return refusal
        return None

    return at_once(act, act)


def test_two_directors_draw_the_tables_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tables_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert Fixture.objects.filter(round__number=1).count() == 2
    assert Appearance.objects.filter(round__number=1).count() == 7


def test_control_without_the_lock_the_tables_are_drawn_once_by_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    told = tables_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def test_two_directors_keep_the_list_of_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each says only what changed on the page they saw: neither takes back what the other has ticked."""
    competition = factories.running(
        factories.club(), pairs=4, format="tables_evening", game="tien-len", points={"by": "rank"}
    )
    one, other = factories.player(competition.club), factories.player(competition.club)
    division = competition.stage.divisions.get()

    def tick(player: Player) -> object:
        return evenings.register(actor=DIRECTOR, division=division, came=[player], left=(), at=LATER)

    at_once(lambda: tick(one), lambda: tick(other))
    assert competition.entries.count() == 6


def while_drawing(
    monkeypatch: pytest.MonkeyPatch, module: Any, draw: Any, act: Any
) -> tuple[list[str], list[object]]:
    """What came first, a draw that has looked at the facts or what is done just then; and what both were told."""
    looked, written, order = threading.Event(), threading.Event(), list[str]()
    propose = module.propose

    def look_and_wait(**given: Any) -> Any:
        found = propose(**given)
        looked.set()
        written.wait(timeout=1)
        return found

    def drawn() -> None:
        with transaction.atomic():
            draw()
            order.append("draw")

    def other() -> None:
        looked.wait(timeout=10)
        with transaction.atomic():
            act()
            order.append("result")
        written.set()

    monkeypatch.setattr(module, "propose", look_and_wait)
    return order, at_once(drawn, other)


def result_during_a_draw(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[object]]:
    """A missing result arrives when the draw of a Swiss has looked at the facts."""
    competition = factories.running(factories.club(), pairs=4, format="swiss")
    division = Division.objects.get(stage=competition.stage)
    late, other = Fixture.objects.order_by("pk")
    factories.result(other, 60, 40)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    return while_drawing(
        monkeypatch,
        rounds,
        lambda: rounds.publish(
            actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen, despite_missing=True
        ),
        lambda: factories.result(late, 60, 40),
    )


def test_a_result_that_arrives_during_a_draw_comes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    order, told = result_during_a_draw(monkeypatch)
    assert told == [None, None]
    assert order == ["draw", "result"]
    (row,) = RoundDraw.objects.all()
    assert len(row.missing) == 1, "it counted as a draw then"
    assert not Fixture.objects.filter(pk__in=row.missing, decided_at=None).exists()


def test_control_without_the_lock_it_slips_in_before_the_draw_that_does_not_know_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    order, _told = result_during_a_draw(monkeypatch)
    assert order == ["result", "draw"]
    assert len(RoundDraw.objects.get().missing) == 1


def players_swiss() -> Division:
    """A Swiss of eight players, the first round drawn; the match at its second table has no result."""
    competition = factories.running(factories.club(), pairs=8, format=formats.SWISS_PLAYERS)
    division = competition.stage.divisions.get()
    draw_players(division, 1)
    first, _late = Fixture.objects.filter(division=division, round__number=1).order_by("pk")
    factories.result(first, 60, 40)
    return division


def draw_players(division: Division, number: int, seen: str = "", **how: Any) -> None:
    """A director publishes a round as it was seen; as it is proposed now without a word of what was seen."""
    round_ = division.stage.rounds.get(number=number)
    seen = seen or rounds.proposal_of(division=division, round_=round_).digest
    rounds.publish(actor=DIRECTOR, division=division, number=number, at=LATER, seen=seen, **how)


def players_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> tuple[Division, list[object]]:
    """What two directors are told who publish what both have seen of a Swiss of players."""
    division = players_swiss()
    second = division.stage.rounds.get(number=2)
    seen = rounds.proposal_of(division=division, round_=second).digest
    meet(monkeypatch, players, "propose")

    def act() -> object:
        try:
            draw_players(division, 2, seen, despite_missing=True)
        except IntegrityError as refusal:
            return refusal
        return None

    return division, at_once(act, act)


def test_two_directors_draw_a_round_of_players_once(monkeypatch: pytest.MonkeyPatch) -> None:
    division, told = players_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [Conflict]
    assert RoundDraw.objects.filter(division=division, round__number=2).count() == 1
    seated = Appearance.objects.filter(round__number=2).values_list(
        "entry__lineup__members__player", flat=True
    )
    assert len(seated) == len(set(seated)) == 8


def test_control_without_the_lock_a_round_of_players_is_drawn_once_by_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    _division, told = players_drawn_twice(monkeypatch)
    assert [type(each) for each in told if each] == [IntegrityError]


def result_while_players_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Division, list[str], list[object]]:
    """A missing result arrives when the draw of a Swiss of players has looked at the facts."""
    division = players_swiss()
    late = Fixture.objects.get(division=division, decided_at=None)
    seen = rounds.proposal_of(division=division, round_=division.stage.rounds.get(number=2)).digest
    order, told = while_drawing(
        monkeypatch,
        players,
        lambda: draw_players(division, 2, seen, despite_missing=True),
        lambda: factories.result(late, 60, 40),
    )
    return division, order, told


def test_a_result_that_arrives_while_players_are_drawn_comes_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    division, order, told = result_while_players_are_drawn(monkeypatch)
    assert told == [None, None]
    assert order == ["draw", "result"]
    assert len(RoundDraw.objects.get(division=division, round__number=2).missing) == 1


def test_control_without_the_lock_it_slips_in_before_the_draw_of_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    _division, order, _told = result_while_players_are_drawn(monkeypatch)
    assert order == ["result", "draw"]


def correction_while_a_final_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Division, list[str], list[object]]:
    """F49: a correction turns a semi-final around when the draw of the final has looked at the facts."""
    competition = factories.running(factories.club(), pairs=4, format="knockout")
    division = Division.objects.get(stage=competition.stage)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    first = brackets.of_division(division).rounds[0][0].legs[0]
    seen = ties.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    order, told = while_drawing(
        monkeypatch,
        ties,
        lambda: rounds.publish(actor=DIRECTOR, division=division, number=2, at=LATER, seen=seen),
        lambda: factories.result(first, 40, 60),
    )
    return division, order, told


def in_the_final(division: Division) -> set[int]:
    return set(
        Appearance.objects.filter(round__number=2, fixture__division=division).values_list(
            "entry__number", flat=True
        )
    )


def test_f49_a_correction_during_a_draw_exchanges_the_winner_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    division, order, told = correction_while_a_final_is_drawn(monkeypatch)
    assert told == [None, None]
    assert order == ["draw", "result"]
    winners = {tie.winner.number for tie in brackets.of_division(division).rounds[0] if tie.winner}
    assert in_the_final(division) == winners == {4, 2}


def test_f49_control_without_the_lock_the_final_is_drawn_with_who_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    division, order, _told = correction_while_a_final_is_drawn(monkeypatch)
    assert order == ["result", "draw"]
    assert in_the_final(division) == {1, 2}
