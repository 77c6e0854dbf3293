"""Grades held to their laws (rules F130 to F139)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.grades import Field, FieldPair, Grade, Grades, Match, Session, rate_all
from engine.contest.results import Key

PLAYERS = "ABCDEFGHIJ"


@st.composite
def sessions(draw) -> list[Session]:
    made, day = [], 0
    for order in range(draw(st.integers(1, 8))):
        day += draw(st.integers(0, 200))
        people = draw(st.permutations(PLAYERS))
        if draw(st.booleans()):
            pairs = tuple(
                FieldPair(
                    (people[2 * at], people[2 * at + 1]), draw(st.integers(0, 30)), draw(st.integers(0, 100))
                )
                for at in range(draw(st.integers(2, 5)))
            )
            played: Field | Match = Field(pairs)
        else:
            sides = (tuple(people[:2]), tuple(people[2:4]))
            played = Match(sides, draw(st.integers(1, 32)), draw(st.integers(-80, 80)))
        made.append(Session(order, day, played))
    return made


@given(sessions(), st.integers(0, 8), st.randoms(use_true_random=False))
def test_f138_in_pieces_and_in_any_order_the_grades_are_the_same(played, cut, chance) -> None:
    log, whole = rate_all(played)
    pieces = rate_all(played[:cut])[1].copy()
    for session in played[cut:]:
        pieces.rate(session)
    assert pieces.beliefs == whole.beliefs
    shuffled = list(played)
    chance.shuffle(shuffled)
    assert rate_all(shuffled) == (log, whole)


@given(sessions())
def test_the_spread_never_passes_its_bound_and_boards_only_grow(played) -> None:
    grades = Grades()
    for session in played:
        before = dict(grades.beliefs)
        for player in grades.rate(session):
            assert 0 < grades.beliefs[player].spread <= 6
            assert grades.beliefs[player].boards > before.get(player, Grade()).boards


@given(st.integers(1, 32), st.floats(0.1, 6), st.floats(0.1, 6))
def test_a_session_between_equals_moves_nobody_at_its_expected_result(boards, spread, other) -> None:
    starts: dict[Key, Grade] = {
        player: Grade(57.0, spread**2 if player in "AC" else other**2) for player in "ABCD"
    }
    for played in (
        Match((("A", "B"), ("C", "D")), boards, 0.0),
        Field(tuple(FieldPair(two, 12, 61.0) for two in (("A", "B"), ("C", "D"), ("E", "F")))),
    ):
        known = {**starts, "E": Grade(57.0), "F": Grade(57.0)}
        _log, grades = rate_all([Session(0, 0, played)], known)
        assert [grades.beliefs[player].mean for player in "ABCD"] == pytest.approx([57.0] * 4, abs=1e-9)


def test_f131_few_boards_or_few_pairs_are_not_rated() -> None:
    pairs = tuple(FieldPair(two, 4, 50.0 + at) for at, two in enumerate((("A", "B"), ("C", "D"), ("E", "F"))))
    assert rate_all([Session(0, 1, Field(pairs))])[0]
    for spoiled in (replace(pairs[0], boards=3), replace(pairs[0], is_unrated=True)):
        assert not rate_all([Session(0, 1, Field((spoiled, *pairs[1:])))])[0]


def test_f137_between_sessions_a_grade_becomes_less_certain_and_nothing_else() -> None:
    grade = Grade(57.0, 9.0, day=10, boards=40)
    assert grade.on(110).variance == pytest.approx(10.0)
    assert grade.on(110).mean == 57.0
    assert grade.on(10_000).variance == 36.0
