"""What the weaker are given beforehand (rule F150)."""

from fractions import Fraction

import pytest

from engine.contest.grades import handicaps_in_field, handicaps_in_match

HALF = Fraction(1, 2)


def test_f150_a_share_of_what_is_expected_less_than_of_the_strongest() -> None:
    means = {"A": Fraction("56.2"), "B": Fraction(50), "C": Fraction("47.9")}
    assert handicaps_in_field(means, HALF) == {"A": 0, "B": Fraction("3.1"), "C": Fraction("4.15")}
    assert handicaps_in_field(means, Fraction(0)) == dict.fromkeys("ABC", 0)
    assert handicaps_in_field({}, HALF) == {}


@pytest.mark.parametrize(
    ("one", "other", "share", "points"),
    [
        ("50", "50", HALF, (0, 0)),
        ("50", "53", HALF, (2, 0)),  # 1.5 is rounded up
        ("53", "50.1", HALF, (0, 1)),  # 1.45
        ("48", "56", Fraction(1), (8, 0)),
        ("50", "50.9", HALF, (0, 0)),
    ],
)
def test_f150_in_a_match_whole_points_a_deal_for_the_weaker(one, other, share, points) -> None:
    assert handicaps_in_match(Fraction(one), Fraction(other), share) == points
    assert handicaps_in_match(Fraction(other), Fraction(one), share) == points[::-1]
