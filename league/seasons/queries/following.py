"""What the next season of a competition would be called, and when it would begin."""

from dataclasses import dataclass
from datetime import date, timedelta

from league.competitions import years
from league.models import Competition

#: So long after its first day a season that was proposed is over: then the next one.
LATE = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Name, season and first day, for a director to change."""

    name: str
    season: str
    starts_on: date


def proposed(competition: Competition, *, today: date) -> Proposal:
    """The same a year later, on the same weekday of the month; for one that was played long ago some years later.

    An evening is proposed for the same weekday next to come.
    """
    if not competition.stage.is_league:
        weeks = max(0, (today - competition.starts_on).days) // 7 + 1
        day = competition.starts_on + timedelta(weeks=weeks)
        return Proposal(competition.name, _season_of(competition, day), day)
    later = 1
    while years.same_weekday(competition.starts_on, later) < today - LATE:
        later += 1
    starts_on = years.same_weekday(competition.starts_on, later)
    season = _season(competition, starts_on, later)
    old = competition.season.name
    name = competition.name
    name = name.replace(old, season) if old in name else years.name_later(name, later)
    return Proposal(name, season, starts_on)


def _season_of(competition: Competition, day: date) -> str:
    own = competition.season
    return own.name if own.starts_on <= day <= own.ends_on else _season(competition, day, 1)


def _season(competition: Competition, starts_on: date, later: int) -> str:
    there = competition.club.seasons.filter(starts_on__lte=starts_on, ends_on__gte=starts_on)
    known = there.exclude(pk=competition.season_id).values_list("name", flat=True).first()
    if known:
        return str(known)
    old = competition.season.name
    name = years.season_later(old, later)
    return name if name != old else years.name_of(years.playing_year(competition.club, starts_on)[0])
