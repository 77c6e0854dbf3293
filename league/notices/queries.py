"""A person's inbox."""

from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from league.models import Competition, Notice, NoticeSettings, Role, User
from league.notices import events, texts
from league.notices.texts import Words
from league.web import local_time
from league.web.local_time import Moment


@dataclass(frozen=True, slots=True)
class Line:
    """A notice as the inbox shows it."""

    notice: Notice
    words: Words
    when: Moment | None


def directed(user: User) -> QuerySet[Competition]:
    """The competitions that the person directs and that are not over, the newest first."""
    clubs = user.memberships.filter(role__in=[Role.DIRECTOR, Role.OWNER]).values("club")
    found = Competition.objects.filter(club__in=clubs).exclude(state=Competition.State.FINISHED)
    return found.select_related("club").order_by("-starts_on", "name", "pk")


def told_of(user: User) -> list[int]:
    """Of which of them alone a director is told; empty for all."""
    own = NoticeSettings.objects.filter(user=user).first()
    return list(own.competitions.order_by("pk").values_list("pk", flat=True)) if own else []


def offered(user: User) -> list[events.Event]:
    """The events that the person can choose about: those for directors only where the person directs a club."""
    directs = user.memberships.filter(role__in=[Role.DIRECTOR, Role.OWNER]).exists()
    return [event for event in events.EVENTS if directs or not event.is_for_directors]


def lines(notices: Iterable[Notice]) -> list[Line]:
    """The notices in words. One of an event that this version no longer knows is left out."""
    found = []
    for notice in notices:
        event = events.find(notice.event)
        if event is not None:
            zone = notice.club.time_zone if notice.club else timezone.get_current_timezone_name()
            with timezone.override(ZoneInfo(zone)):
                words = texts.words(event, notice.context)
            found.append(Line(notice, words, local_time.moment(notice.made_at, zone)))
    return found
