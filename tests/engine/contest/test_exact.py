from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest import exact


@pytest.mark.parametrize(
    ("given_text", "figure"),
    [
        (2, Fraction(2)),
        ("-1", Fraction(-1)),
        ("+3", Fraction(3)),
        ("1/2", Fraction(1, 2)),
        ("0.5", Fraction(1, 2)),
        (" 3/2 ", Fraction(3, 2)),
        ("\N{MINUS SIGN}1/3", Fraction(-1, 3)),
    ],
)
def test_what_can_be_read(given_text, figure) -> None:
    assert exact.parse(given_text) == figure


@pytest.mark.parametrize(
    "refused",
    [
        0.5,
        True,
        None,
        "",
        "one",
        "1/0",
        "1/000",
        "1e9",
        "1_0",
        "½",
        "٣",
        pytest.param("9" * 5000, id="long"),
        pytest.param(10**5000, id="huge"),
        "1/2/3",
        [1],
        {},
    ],
)
def test_what_is_refused(refused) -> None:
    assert exact.parse(refused) is None


@given(st.fractions())
def test_writing_and_restoring_is_the_same_figure(figure: Fraction) -> None:
    assert exact.restore(exact.write(figure)) == figure


@pytest.mark.parametrize(
    ("figure", "plain", "signed"),
    [
        (Fraction(12), "12", "+12"),
        (Fraction(-3), "-3", "-3"),
        (Fraction(0), "0", "0"),
        (Fraction(9, 2), "4.5", "+4.5"),
        (Fraction(47, 4), "11.75", "+11.75"),
        (Fraction(-1, 4), "-0.25", "-0.25"),
        (Fraction(13, 3), "13/3", "+13/3"),
        (Fraction(20), "20", "+20"),
    ],
)
def test_what_people_read(figure, plain, signed) -> None:
    assert exact.shown(figure) == plain
    assert exact.shown(figure, signed=True) == signed
