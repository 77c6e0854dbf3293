"""Every figure explains itself: what it was compared with adds up to what is shown."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string

from engine.contest.comparison.field import Score, WeightedPoints
from games.comparisons.reckoning import figures, reasons
from games.comparisons.reckoning.columns import SIDES
from games.comparisons.services import awards
from games.models import Duplicate, FixtureBoard
from tests.games.events import Event, make_event, play_all, play_of, settle

pytestmark = pytest.mark.django_db

Way = Duplicate.Way


def event_of(scores: list[int], tables: int | None = None, **settings: Any) -> Event:
    event = make_event(tables=tables or len(scores), boards=1, **settings)
    play_all((fixture, [(100 + s, 100)]) for fixture, s in zip(event.fixtures, scores, strict=False))
    settle(event)
    return event


def explained(event: Event, table: int, side: str = "home") -> reasons.Explanation:
    found = figures.explain(play_of(event, table), side)
    assert found is not None
    return found


@pytest.mark.parametrize("method", [Way.MATCHPOINTS, Way.CROSS_IMPS])
@pytest.mark.parametrize("seed", range(4))
def test_what_each_comparison_brings_adds_up_to_the_sum(method: str, seed: int) -> None:
    chance = Random(seed)
    event = event_of([chance.randint(-9, 9) for _ in range(6)], tables=7, method=method)
    content = {"scores": [
        {"home": 104, "away": 100, "weight": "2/3"}, {"home": 96, "away": 100, "weight": "1/3"}
    ]}  # fmt: skip
    awards.award(actor=event.director, play=play_of(event, 2), content=content, reason="Ruling")
    settle(event)
    board = figures.of_board(event.board())
    for (play, side), figure in board.items():
        own = reasons._score(figure, Duplicate.Measure.DIFFERENCE)
        assert own is not None
        others = [each for (other, at), each in board.items() if at == side and other != play]
        scores = [reasons._score(each, Duplicate.Measure.DIFFERENCE) for each in others]
        brought = sum((reasons.worth(method, own, other) for other in scores if other), Fraction(0))
        assert brought == figure.raw


def test_matchpoints_tell_counts_and_sum() -> None:
    why = explained(event_of([30, 20, 20, 10]), 2)
    assert why.score == "+20"
    assert why.counts == "Compared with 3 other results of 4 on the board. 1 lower, 1 equal, 1 higher."
    assert why.steps == ("2 × 1 lower + 1 × 1 equal = 3", "3 of 2 × 3 = 6 matchpoints: 50.0%")
    assert [(line.score, line.count, line.each, line.is_own) for line in why.scores] == [
        ("+30", 1, "0", False),
        ("+20", 1, "", True),
        ("+20", 1, "1", False),
        ("+10", 1, "2", False),
    ]
    assert why.rules == ("2 matchpoints for each lower result, 1 for each equal result.",)


def test_unequal_counts_name_neuberg() -> None:
    why = explained(event_of([30, 20, 10, 0], tables=5), 1)
    assert why.steps[1] == "(6 + 1) × 5 ÷ 4 − 1 = 7.75"
    assert why.figure.value == Fraction(31, 4)
    assert "Neuberg" in why.rules[-1]


def test_a_group_too_small_names_its_places() -> None:
    event = event_of([30, 20, 20, 20, 20, 20, 10])
    FixtureBoard.objects.filter(fixture__in=event.fixtures[:2]).update(version="B")
    settle(event)
    why = explained(event, 2)
    assert why.steps == ("55.0% of 12 matchpoints = 6.6",)
    assert why.rules[1] == "So each gets a percentage by its place: 65 / 55. Equal scores share."
    assert "version B" in why.rules[2]
    assert [line.each for line in why.scores] == ["", ""]


def test_a_directors_percentage_names_the_reason() -> None:
    event = event_of([30, 20, 10])
    awards.award(
        actor=event.director,
        play=play_of(event, 1),
        content={"percent": {"home": "60", "away": "40"}},
        reason="The board was missing a card.",
    )
    settle(event)
    why = explained(event, 1)
    assert why.award is not None
    assert (why.award.reason, why.award.by) == ("The board was missing a card.", str(event.director))
    assert (why.scores, why.counts, why.steps) == ((), "", ("60.0% of 4 matchpoints = 2.4",))


def test_butler_tells_the_average() -> None:
    why = explained(event_of([17, 14, 14, 11], method=Way.BUTLER), 1)
    assert why.steps == ("17 − 14 (the average) = +3 points: +1 IMPs",)
    assert why.figure.text == "+1.00"


def test_cross_imps_tell_their_mean() -> None:
    why = explained(event_of([42, 45, -10, -20, 40, 59], method=Way.CROSS_IMPS), 1)
    assert why.steps == ("+18 IMPs ÷ 5 comparisons = +3.6",)
    assert [line.each for line in why.scores] == ["−5", "−1", "", "+1", "+11", "+12"]


def test_weights_count_part_by_part() -> None:
    own = Score((WeightedPoints(Fraction(10), Fraction(1, 2)), WeightedPoints(Fraction(0), Fraction(1, 2))))
    assert reasons.worth(Way.MATCHPOINTS, own, Score.of(5)) == 1
    assert reasons.worth(Way.MATCHPOINTS, own, Score.of(0)) == Fraction(3, 2)


@pytest.mark.parametrize("method", Way.values)
def test_the_part_of_a_page_says_all_of_it(method: str) -> None:
    event = event_of([30, 20, 20, 10], tables=5, method=method)
    for side in SIDES:
        why = explained(event, 2, side)
        shown = render_to_string("games/_figure_why.html", {"why": why})
        for text in (
            why.pair.replace("&", "&amp;"),
            why.figure.text,
            *why.steps,
            why.rules[0],
            "this result",
        ):
            assert text in shown


def test_a_bounded_number_of_queries(django_assert_num_queries: Any) -> None:
    event = event_of([30, 20, 20, 10, 5, 4, 3])
    play = play_of(event, 2)
    with django_assert_num_queries(5):
        assert figures.explain(play, "home") is not None
