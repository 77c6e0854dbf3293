"""Swiss for players whose partners change: both matchings held to all of a small field (rule F35)."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contest.draws.partners import (
    PairsMet,
    PlayersField,
    PlayersRound,
    SwissPlayer,
    answer_as_json,
)
from engine.errors import ContestError

KEYS = "ABCDEFGHIJK"


@st.composite
def fields(draw, most: int = 11, least: int = 4) -> PlayersField:
    """Players after up to three rounds that were drawn by themselves, with results by chance."""
    size = draw(st.integers(least, most))
    numbers = draw(st.permutations(range(1, size + 1)))
    players = tuple(SwissPlayer(key, number) for key, number in zip(KEYS[:size], numbers, strict=True))
    field = PlayersField(players, seed="x")
    for number in range(1, draw(st.integers(1, 4))):
        drawn = field.draw()
        tables = []
        for ns, ew in drawn.tables:
            won = Fraction(draw(st.integers(0, 20)))
            tables.append(PairsMet(ns, ew, (won, 20 - won)))
        byes = tuple((key, Fraction(12)) for key in drawn.byes)
        played = PlayersRound(number, tuple(tables), byes)
        field = PlayersField(players, (*field.rounds, played), number + 1, seed="x")
    return field


def pairings(keys):
    if not keys:
        yield []
        return
    first, *others = keys
    for other in others:
        for rest in pairings([key for key in others if key != other]):
            yield [(first, other), *rest]


def summed(figures):
    return tuple(map(sum, zip(*figures, strict=True)))


@settings(max_examples=40)
@given(fields(most=9))
def test_f35_no_rivals_and_no_tables_of_a_small_field_cost_less(field) -> None:
    drawn = field.draw()
    keys = [player.key for player in field.playing]
    least = min(summed(field.cost_of_rivals(*two) for two in way) for way in pairings(keys))
    assert drawn.rivals == least
    # Of the rivals that were matched, who are opponents at a table and never partners.
    found = [
        way
        for way in pairings(keys)
        if summed(field.cost_of_rivals(*two) for two in way) == least
        and all(any(_face(two, table) for table in drawn.tables) for two in way)
    ]
    assert any(drawn.seating == min(_of(field, way)) for way in found)


def _of(field, way):
    return [
        summed(
            min(
                field.cost_of_table((one[0], other[0]), (one[1], other[1])),
                field.cost_of_table((one[0], other[1]), (one[1], other[0])),
            )
            for one, other in tables
        )
        for tables in pairings(way)
    ]


def _face(two, table):
    ns, ew = table
    return (two[0] in ns and two[1] in ew) or (two[0] in ew and two[1] in ns)


@given(fields())
def test_f35_everybody_has_one_seat_or_sits_out_and_nobody_twice_before_all(field) -> None:
    drawn = field.draw()
    seated = [key for ns, ew in drawn.tables for key in (*ns, *ew)]
    assert sorted([*seated, *drawn.byes]) == sorted(player.key for player in field.players)
    assert len(drawn.byes) == len(field.players) % 4
    had = {player.key: 0 for player in field.players}
    for played in field.rounds:
        for key, _points in played.byes:
            had[key] += 1
    assert max((had[key] for key in drawn.byes), default=0) <= min(had[key] for key in seated)


@given(fields(), st.randoms(use_true_random=False))
def test_the_order_of_the_facts_changes_nothing(field, chance) -> None:
    players, rounds = list(field.players), list(field.rounds)
    chance.shuffle(players)
    chance.shuffle(rounds)
    again = PlayersField(tuple(players), tuple(rounds), field.round, seed="x")
    assert again.draw() == field.draw()


def test_f35_eight_players_have_seven_partners_in_seven_rounds_when_all_are_level() -> None:
    field = PlayersField(tuple(SwissPlayer(key, n) for n, key in enumerate(KEYS[:8], start=1)))
    for number in range(1, 4):
        level = Fraction(10)
        tables = tuple(PairsMet(ns, ew, (level, level)) for ns, ew in field.draw().tables)
        played = PlayersRound(number, tables)
        field = PlayersField(field.players, (*field.rounds, played), number + 1)
    together = [field.were_partners(*two) for two in combinations(KEYS[:8], 2)]
    assert max(together) == 1


def players(count):
    return [{"key": key, "number": n} for n, key in enumerate(KEYS[:count], start=1)]


def test_the_command_draws_the_next_round() -> None:
    first: Any = answer_as_json({"players": players(6), "seed": "s"})
    assert first["byes"] == ["F", "E"]
    (table,) = first["tables"]
    played = {"round": 1, "tables": [{"ns": table["ns"], "ew": table["ew"], "points": ["12", "8"]}]}
    played["byes"] = [{"entry": key, "points": "12"} for key in first["byes"]]
    second: Any = answer_as_json({"players": players(6), "rounds": [played], "round": 2, "seed": "s"})
    assert not set(second["byes"]) & set(first["byes"])


def test_too_few_players_are_counted_as_they_came() -> None:
    with pytest.raises(ContestError, match="not 3"):
        answer_as_json({"players": players(5), "absent": ["A", "B"]})


@pytest.mark.parametrize(
    "data",
    [
        {"players": players(3)},
        {"players": [*players(4), {"key": "A", "number": 9}]},
        {"players": players(4), "rounds": "none"},
        {"players": players(4), "rounds": [{"round": 1}], "round": 1},
        {"players": players(4), "rounds": [{"round": 1, "tables": [{"ns": ["A"], "ew": ["B", "C"]}]}], "round": 2},
        {
            "players": players(5),
            "rounds": [
                {"round": 1, "tables": [{"ns": ["A", "B"], "ew": ["C", "D"], "points": ["1", "1"]}],
                 "byes": [{"entry": "A", "points": "1"}]}
            ],
            "round": 2,
        },
        {"players": players(4), "absent": ["Z"]},
        {"players": players(4), "rounds": [{"round": 1, "tables": [{"ns": ["A", "B"], "ew": ["C", "D"]}]}],
         "round": 2},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_words(data) -> None:
    with pytest.raises(ContestError):
        answer_as_json(data)


@given(fields(least=8))
def test_f33_a_directors_tables_are_figured_in_the_same_way_and_who_sits_out_first(field) -> None:
    drawn = field.draw()
    again = field.draw_of(drawn.tables, drawn.byes)
    assert (again.tables, again.out, again.seating) == (drawn.tables, drawn.out, drawn.seating)
    assert again.rivals <= drawn.rivals
    if drawn.byes:
        best = field.here[0].key
        swap = {best: drawn.byes[0], drawn.byes[0]: best}
        tables = [tuple(tuple(swap.get(key, key) for key in two) for two in table) for table in drawn.tables]
        byes = [swap.get(key, key) for key in drawn.byes]
        assert field.draw_of(tables, byes).cost > drawn.cost


@given(fields(least=6), st.data())
def test_why_not_is_the_best_draw_in_which_two_are_rivals_or_somebody_sits_out(field, data) -> None:
    keys = [player.key for player in field.here]
    one, other = data.draw(st.permutations(keys))[:2]
    found = field.draw_with(one, other)
    assert any(_face((one, other), table) for table in found.tables)
    assert (found.out, found.rivals) >= (field.draw().out, field.draw().rivals)
    if field.byes:
        assert one in field.draw_with(one, None).byes


def test_f32_the_house_stands_last_whatever_it_wins() -> None:
    three = tuple(SwissPlayer(key, n) for n, key in enumerate("ABCDEFGH", start=1))
    won = PairsMet(("H", "A"), ("B", "C"), (Fraction(20), Fraction(0)))
    field = PlayersField(three, (PlayersRound(1, (won,)),), 2, house=frozenset("H"))
    assert field.ranks["H"] == 8
    assert field.ranks["A"] == 1
    assert field.scores["H"] == 0


def test_f7_a_walkover_is_no_meeting_and_points_without_playing() -> None:
    five = tuple(SwissPlayer(key, n) for n, key in enumerate("ABCDE", start=1))
    given = PairsMet(("A", "E"), ("B", "C"), (Fraction(2), Fraction(0)), is_played=False)
    field = PlayersField(five, (PlayersRound(1, (given,), (("D", Fraction(1)),)),), 2)
    assert not field.were_partners("A", "E")
    assert not field.were_opponents("A", "B")
    # A, D and E had points without playing: of B and C the lower one sits out.
    assert field.byes == ("C",)
