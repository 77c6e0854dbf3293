"""Playing years: what they are called, and days and names some years later."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.competitions import years
from league.models import Club


@pytest.mark.parametrize(
    ("month", "day", "name"),
    [
        (8, date(2026, 7, 31), "2025/26"),
        (8, date(2026, 8, 1), "2026/27"),
        (1, date(2026, 12, 31), "2026"),
        (12, date(2099, 12, 1), "2099/00"),
    ],
)
def test_a_year_is_called_by_the_clubs_month(month, day, name):
    first, last = years.playing_year(Club(year_begins=month), day)
    assert first <= day <= last
    assert years.name_of(first) == name


@pytest.mark.parametrize(
    ("name", "later"),
    [
        ("2026/27", "2027/28"),
        ("Winter 2026–2027", "Winter 2027–2028"),
        ("99/00", "00/01"),
        ("2099/00", "2100/01"),
        ("Cup 2026", "Cup 2027"),
        ("2026-03", "2027-03"),
        ("Season 12", "Season 13"),
        ("9/10 of a season", "9/10 of a season"),
        ("Saison XIV", "Saison XIV"),
        ("١٢", "١٢"),
        ("12345", "12345"),
        ("", ""),
    ],
)
def test_seasons_with_odd_names(name, later):
    assert years.season_later(name, 1) == later


def test_a_competition_keeps_its_number():
    assert years.name_later("League 2", 1) == "League 2"


@given(st.dates(date(1950, 1, 1), date(2199, 12, 31)), st.integers(1, 30))
def test_the_first_monday_stays_the_first_monday(day, later):
    moved = years.same_weekday(day, later)
    assert (moved.year, moved.month, moved.weekday()) == (day.year + later, day.month, day.weekday())
    assert (moved.day - 1) // 7 == (day.day - 1) // 7 or ((day.day - 1) // 7, (moved.day - 1) // 7) == (4, 3)
    same = years.same_date(day, later)
    assert (same.month, same.day) in {(day.month, day.day), (2, 28)}
