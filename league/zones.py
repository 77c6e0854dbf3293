"""Time zones: stored times are UTC, shown times are the club's."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

ZONES: frozenset[str] = frozenset(available_timezones())
#: Those that people live in: without the old names that stand for an offset or nothing at all.
PLACES: tuple[str, ...] = tuple(
    sorted(zone for zone in ZONES if "/" in zone and not zone.startswith(("Etc/", "SystemV/", "US/")))
)


def choices(now: str = "") -> list[tuple[str, str]]:
    """What a list of time zones offers: the places, and before them the one chosen `now` if it is none of them."""
    others = [now] if now and now not in PLACES else []
    return [(zone, zone.replace("_", " ")) for zone in (*others, *PLACES)]


def validate_time_zone(name: str) -> None:
    """Raises ValidationError unless the name is one of the IANA zones."""
    if name not in ZONES:
        raise ValidationError(
            _("“%(name)s” isn’t a time zone. Choose one such as Europe/London."), params={"name": name}
        )


def at_local(day: date, clock: time, zone: str) -> datetime:
    """The moment when clocks in `zone` show `clock` on `day` (the earlier one where an hour repeats)."""
    return datetime.combine(day, clock, tzinfo=ZoneInfo(zone))
