from fractions import Fraction

import pytest

from engine.contest.results import Adjustment, Bye, Key, Withdrawal
from engine.contest.standings import explanation
from engine.contest.standings.standings import standings
from engine.contest.standings.table import Row
from engine.contest.standings.tie_breaks import all_metrics, get, register
from engine.errors import ContestError
from engine.text import Word
from tests.engine.contest.seasons import ALL_METRICS, CHESS, LEAGUE, entries_named, match, played, season

NAMES = {"A": "Riverside", "B": "Hillside", "C": "Lakeside"}


def name_of(entry: Key) -> str:
    return NAMES[str(entry)]


def words(row: Row) -> list[str]:
    return [str(explanation.contribution(line, name_of)) for line in row.contributions]


def test_what_separates_two_rows_in_words() -> None:
    results = ("A 62-50 C", "B 55-50 C")
    table = season("ABC", *results, tie_breaks=("points_difference",)).table()
    parting = table.rows[1].separated_by
    assert parting is not None
    sentence = explanation.separation(parting)
    assert str(sentence) == "Points difference +12 : +5"
    assert isinstance(sentence.params["metric"], Word)


def test_half_points_are_shown_as_decimals() -> None:
    table = season("AB", "A 60-40 B", "A 50-50 B", scheme=CHESS).table()
    parting = table.rows[1].separated_by
    assert parting is not None
    assert str(explanation.separation(parting)) == "League points 1.5 : 0.5"


def test_why_a_place_is_shared_and_what_was_left_out() -> None:
    parting = season("AB").table().rows[1].separated_by
    assert parting is not None
    assert str(explanation.separation(parting)) == "Tied on everything, so the place is shared."
    assert [str(explanation.left_out(skip)) for skip in parting.skipped] == [
        "Head-to-head wasn’t used, because those who are tied haven’t all met equally often.",
        "Draw of lots wasn’t used, because no lots were drawn among those who are tied.",
    ]


def test_why_so_many_points_in_words() -> None:
    forfeit = match(9, 5, "B", "A", "walkover_home")
    table = standings(
        entries_named("ABC"),
        (*played("A 60-40 B", "B 50-50 A", "A 30-70 C", "A w/o C"), forfeit),
        LEAGUE,
        adjustments=[Adjustment("A", Fraction(-1, 2), "late sheet", round=4)],
        byes=[Bye("A", 6)],
    )
    row = table.row_of("A")
    assert row is not None
    assert words(row) == [
        "Round 1: beat Hillside 60 : 40, +2",
        "Round 2: drew with Hillside 50 : 50, +1",
        "Round 3: lost to Lakeside 30 : 70, 0",
        "Adjustment by the director, -0.5: late sheet",
        "Round 4: walkover against Lakeside, +2",
        "Round 5: forfeited to Hillside, 0",
        "Round 6: bye, 0",
    ]


def test_a_double_forfeit_in_words() -> None:
    line = match(1, 1, "A", "B", "double_forfeit")
    row = standings(entries_named("AB"), [line], LEAGUE).rows[0]
    assert words(row) == ["Round 1: forfeited to Hillside, 0"]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (("C 60-40 A", "B - C", "A - C"), "Withdrew after 1 of 3 matches. That’s less than half"),
        (("C 60-40 A", "B - C"), "Withdrew after 1 of 2 matches. That’s half or more"),
    ],
)
def test_the_half_played_rule_is_named(results, said) -> None:
    row = season("ABC", *results, more={"withdrawals": (Withdrawal("C"),)}).table().row_of("C")
    assert row is not None
    assert row.withdrawal is not None
    message = str(explanation.withdrawn(row.withdrawal))
    assert message.startswith(said)
    assert "half-played rule (FIDE)" in message


def test_every_metric_says_what_it_is() -> None:
    metrics = all_metrics()
    assert tuple(metric.key for metric in metrics) == ALL_METRICS
    for metric in metrics:
        assert metric.name[0].isupper()
        assert metric.description.endswith(".")
        assert get(metric.key) is metric


def test_a_key_stands_for_one_metric() -> None:
    with pytest.raises(ValueError, match="already"):
        register(get("matches_won"))


def test_an_unknown_metric_is_answered_with_those_that_exist() -> None:
    with pytest.raises(ContestError, match=r"no tie-break called “luck”.*head_to_head"):
        get("luck")


def test_names_with_percent_signs_are_only_names() -> None:
    row = season("AB", "A 60-40 B").table().rows[0]
    told = str(explanation.contribution(row.contributions[0], lambda _: "100%(x)s"))
    assert told == "Round 1: beat 100%(x)s 60 : 40, +2"
