"""Late entries: meetings find rounds, as many as can be, nobody twice."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engine.contest.draws.free_rounds import home_in_turn, place_meetings
from engine.contest.draws.round_robin import berger


def test_a_free_bye_number_gives_the_rounds_of_the_berger_table():
    free = {drawn.number: {drawn.bye} for drawn in berger(5)}
    placement = place_meetings([1, 2, 3, 4, 5], free)
    expected = {
        (pairing.home if pairing.away == 6 else pairing.away) - 1: drawn.number
        for drawn in berger(6)
        for pairing in drawn.pairings
        if 6 in {pairing.home, pairing.away}
    }
    assert placement.rounds == expected
    assert placement.unplaced == ()


def test_without_a_free_opponent_nothing_is_placed():
    placement = place_meetings(["a", "b"], {1: set(), 2: set()})
    assert placement.rounds == {}
    assert placement.unplaced == (0, 1)


def test_a_meeting_gives_way_where_that_places_one_more():
    placement = place_meetings(["a", "b"], {1: {"a", "b"}, 2: {"a"}})
    assert placement.rounds == {1: 1, 0: 2}


def test_an_opponent_is_met_twice_in_two_rounds():
    placement = place_meetings(["a", "a"], {1: {"a"}, 2: {"a"}, 3: {"a"}})
    assert sorted(placement.rounds.values()) == [1, 2]


cases = st.tuples(
    st.lists(st.integers(0, 3), max_size=4),
    st.dictionaries(st.integers(1, 5), st.sets(st.integers(0, 3), max_size=4), max_size=4),
)


@given(cases)
def test_every_placement_is_allowed_and_none_places_more(case):
    opponents, free = case
    placement = place_meetings(opponents, free)
    assert len(set(placement.rounds.values())) == len(placement.rounds)
    assert all(opponents[meeting] in free[number] for meeting, number in placement.rounds.items())
    assert sorted([*placement.rounds, *placement.unplaced]) == list(range(len(opponents)))
    assert len(placement.rounds) == most_by_trying(opponents, free)


def most_by_trying(opponents, free):
    """The largest number that can be placed, found by trying every order of the meetings."""
    best = 0
    slots = [*free, *[None] * len(opponents)]
    for order in set(permutations(slots, len(opponents))):
        placed = sum(
            number is not None and opponent in free[number]
            for opponent, number in zip(opponents, order, strict=True)
        )
        best = max(best, placed)
        if best == min(len(opponents), len(free)):
            break
    return best


@given(st.lists(st.integers(-1, 1), max_size=12))
def test_the_late_pair_is_at_home_and_away_about_equally_often(balances):
    at_home = home_in_turn(range(len(balances)), dict(enumerate(balances)))
    assert len(at_home) == len(balances)
    assert abs(2 * sum(at_home) - len(at_home)) <= 2


def test_opponents_with_more_home_matches_go_away():
    assert home_in_turn("abcd", {"a": 1, "b": -1, "c": 1, "d": -1}) == (True, False, True, False)


@given(st.permutations(["a", "a", "b", "b", "c", "c"]))
def test_who_is_met_twice_is_met_once_at_home_and_once_away(opponents):
    at_home = home_in_turn(opponents, dict.fromkeys("abc", 0))
    for name in "abc":
        assert sorted(home for home, met in zip(at_home, opponents, strict=True) if met == name) == [
            False,
            True,
        ]
