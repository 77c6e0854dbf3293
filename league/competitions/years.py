"""A club's playing years: which year a day is in, what it is called, and the same day or name some years later."""

import re
from calendar import monthrange
from datetime import date, timedelta

from league.models import Club

_YEARS = re.compile(r"(?<![0-9])([0-9]{4}|[0-9]{2})([/–-])([0-9]{4}|[0-9]{2})(?![0-9])")
_YEAR = re.compile(r"(?<![0-9])(?:19|20|21)[0-9]{2}(?![0-9])")
_LAST_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,3}$")


def playing_year(club: Club, day: date) -> tuple[date, date]:
    """The first and the last day of the club's playing year that the day is in."""
    year = day.year if day.month >= club.year_begins else day.year - 1
    first = date(year, club.year_begins, 1)
    return first, date(year + 1, club.year_begins, 1) - timedelta(days=1)


def name_of(first: date) -> str:
    """What the playing year is called that begins on this day: "2026/27", or "2026" for a calendar year."""
    return str(first.year) if first.month == 1 else f"{first.year}/{(first.year + 1) % 100:02d}"


def name_later(name: str, years: int) -> str:
    """The name of a season or competition with its years so many years later; as it is where it names none."""
    found = _YEARS.search(name)
    if found and (int(found[3]) - int(found[1])) % 100 == 1:
        first, second = (
            f"{(int(part) + years) % 10 ** len(part):0{len(part)}d}" for part in (found[1], found[3])
        )
        return f"{name[: found.start()]}{first}{found[2]}{second}{name[found.end() :]}"
    return _YEAR.sub(lambda year: str(int(year[0]) + years), name)


def season_later(name: str, years: int) -> str:
    """The same of a season's name, whose last word may be its number: "Season 12"."""
    later = name_later(name, years)
    return later if later != name else _LAST_NUMBER.sub(lambda last: str(int(last[0]) + years), name)


def same_date(day: date, years: int) -> date:
    """The day with the same date so many years later; 28 February for the 29th where there is none."""
    year = day.year + years
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def same_weekday(day: date, years: int) -> date:
    """The same weekday of the same month so many years later: the first Monday stays the first Monday.

    Of a fifth one the fourth, where that month has no fifth.
    """
    first = date(day.year + years, day.month, 1)
    week = (day.day - 1) // 7
    there = first + timedelta(days=(day.weekday() - first.weekday()) % 7 + 7 * week)
    return there if there.month == day.month else there - timedelta(days=7)
