"""Moments as people of a club read them: in the club's own time, which is named."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

# A day as each language writes it: German sets a dot behind the number.
SHAPES = {
    "j M": pgettext_lazy("day", "j M"),
    "j M Y": pgettext_lazy("day with year", "j M Y"),
    "D j M": pgettext_lazy("day", "D j M"),
    "D j M Y": pgettext_lazy("day", "D j M Y"),
    "j F Y": pgettext_lazy("day", "j F Y"),
    "l j F": pgettext_lazy("day", "l j F"),
    # In a sentence, where German says "Uhr".
    "l j F, H:i": pgettext_lazy("day and time in a sentence", "l j F, H:i"),
}


def day_text(value: date | datetime, shape: str) -> str:
    """A day in one of the SHAPES, as the reader's language has it; the time stands behind a comma, as in ", H:i"."""
    if shape in SHAPES:
        return date_format(value, str(SHAPES[shape]))
    day, comma, time = shape.partition(",")
    return date_format(value, f"{SHAPES[day]}{comma}{time}")


def zone_name(zone: str) -> str:
    """What people call a time zone: Dublin for Europe/Dublin."""
    return zone.rpartition("/")[2].replace("_", " ")


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in a club's time; as a text it is "Thu 26 Nov, 19:30" within a <time> element."""

    at: datetime
    zone: str

    @property
    def local(self) -> datetime:
        """What the club's clock shows."""
        return self.at.astimezone(ZoneInfo(self.zone))

    @property
    def zone_name(self) -> str:
        """Whose time it is: "Dublin"."""
        return zone_name(self.zone)

    @property
    def text(self) -> str:
        """Day and time: "Thu 26 Nov, 19:30"."""
        return date_format(self.local, pgettext("day and time", "D j M, H:i"))

    @property
    def day(self) -> str:
        """The day with its year: "26 Nov 2026"."""
        return date_format(self.local, pgettext("day with year", "j M Y"))

    @property
    def full(self) -> str:
        """Day, time and whose time: "Thursday 26 November 2026, 19:30 (Dublin time)"."""
        shown = date_format(self.local, pgettext("long day and time", "l j F Y, H:i"))
        return _("%(moment)s (%(zone)s time)") % {"moment": shown, "zone": zone_name(self.zone)}

    def __str__(self) -> str:
        return format_html(
            '<time class="nowrap" datetime="{}" title="{}">{}</time>',
            self.local.isoformat(),
            self.full,
            self.text,
        )

    def __html__(self) -> str:
        return SafeString(str(self))


def moment(at: datetime | None, zone: str) -> Moment | None:
    """The moment in that zone, or None for none."""
    return None if at is None else Moment(at, zone)


# How old something may be, in seconds, to be told in the unit of which this many seconds make one.
JUST_NOW = 10
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def age_text(at: datetime, *, now: datetime) -> str:
    """How long ago, roughly; it changes once a minute, then once an hour, then not at all."""
    seconds = max(0, int((now - at).total_seconds()))
    if seconds < JUST_NOW:
        return _("just now")
    if seconds < MINUTE:
        tens = seconds // 10 * 10
        return _("%(count)d seconds ago") % {"count": tens}
    if seconds < HOUR:
        count = seconds // MINUTE
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", count) % {"count": count}
    if seconds < DAY:
        count = seconds // HOUR
        return ngettext("%(count)d hour ago", "%(count)d hours ago", count) % {"count": count}
    count = seconds // DAY
    return ngettext("%(count)d day ago", "%(count)d days ago", count) % {"count": count}
