"""Prizes by their conditions (rule F151): the worthiest for each, what is left for the next, level places together."""

from hypothesis import given
from hypothesis import strategies as st

from engine.contest.prizes import Condition, Prize, Ranked, award

PLACES = tuple(Prize(Condition.PLACE, number) for number in (1, 2, 3))
PROVISIONAL, NEW = Prize(Condition.PROVISIONAL), Prize(Condition.NEW)


def field(*places: int, provisional: tuple[int, ...] = (), new: tuple[int, ...] = ()) -> list[Ranked]:
    """Entries 1, 2, 3 ... of one division at these places."""
    return [
        Ranked(entry, 1, place, entry in provisional, entry in new) for entry, place in enumerate(places, 1)
    ]


def test_f151_the_first_places_in_order() -> None:
    assert award(PLACES, field(1, 2, 3, 4)) == ((1,), (2,), (3,))
    assert award(PLACES, field(1, 2)) == ((1,), (2,), ())
    assert award(PLACES, []) == ((), (), ())


def test_f151_each_gets_the_worthiest_and_leaves_the_other_to_the_next() -> None:
    ranked = field(1, 2, 3, 4, provisional=(1, 4), new=(2, 3, 4))
    assert award([*PLACES[:2], PROVISIONAL, NEW], ranked) == ((1,), (2,), (4,), (3,))
    # What is worth more comes first: the first gets it, and leaves place 1 to the second.
    assert award([PROVISIONAL, *PLACES[:2]], ranked) == ((1,), (2,), (3,))


def test_f151_nobody_who_does_not_meet_the_condition() -> None:
    assert award([Prize(Condition.PLACE, 2), PROVISIONAL, NEW], field(1, 2)) == ((2,), (), ())


def test_f151_the_best_of_a_division_and_a_second_of_it() -> None:
    ranked = [Ranked(1, 1, 1), Ranked(2, 1, 2), Ranked(3, 2, 1), Ranked(4, 2, 2)]
    lower = Prize(Condition.DIVISION, 2)
    assert award([PLACES[0], lower, lower, lower], ranked) == ((1,), (3,), (4,), ())
    assert award([PLACES[0], PLACES[1], PLACES[2]], ranked) == ((1,), (2,), ()), (
        "a place is of the first division"
    )


def test_f151_who_is_level_has_the_prizes_of_their_places_together() -> None:
    assert award(PLACES, field(1, 1, 3)) == ((1, 2), (1, 2), (3,))
    assert award(PLACES, field(1, 1, 1, 4)) == ((1, 2, 3),) * 3
    assert award(PLACES[1:2], field(1, 1)) == ((1, 2),), "two at place 1 have place 2 as well"
    # Half of one prize and another whole one would be more than one.
    assert award([PLACES[0], PROVISIONAL, PLACES[1]], field(1, 1, 3, provisional=(1, 3))) == (
        (1, 2),
        (3,),
        (1, 2),
    )


CONDITIONS = st.one_of(
    st.builds(Prize, st.sampled_from([Condition.PLACE, Condition.DIVISION]), st.integers(1, 4)),
    st.sampled_from([PROVISIONAL, NEW]),
)


@given(st.lists(CONDITIONS, max_size=8), st.lists(st.tuples(st.integers(1, 3), st.booleans(), st.booleans())))
def test_f151_nobody_gets_more_than_one_and_no_prize_stays_that_a_free_entry_could_have(
    prizes: list[Prize], rows: list[tuple[int, bool, bool]]
) -> None:
    ranked, places = [], [0, 0, 0]
    for entry, (division, is_provisional, is_new) in enumerate(rows):
        places[division - 1] += 1
        ranked.append(Ranked(entry, division, places[division - 1], is_provisional, is_new))
    won = award(prizes, ranked)
    assert won == award(prizes, ranked[::-1]), "the order in which they are named changes nothing"
    winners = [entry for each in won for entry in each]
    assert len(winners) == len(set(winners))
    for prize, by in zip(prizes, won, strict=True):
        free = [each for each in ranked if each.entry not in winners]
        assert by or not award([prize], free)[0]
