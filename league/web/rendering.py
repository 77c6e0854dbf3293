"""Drawing a club’s pages: in the club’s time, with the club in the header; and which of them a device may keep."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league import policies
from league.models import Club


def render_for(
    request: HttpRequest,
    club: Club | None,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    status: int | None = None,
) -> HttpResponse:
    """The page, with `club`, `zone_name` and `may_direct` for the frame around it; where there is no club, without."""
    if club is None:
        return render(request, template, context, status=status)
    everywhere = {
        "club": club,
        "may_direct": policies.may(request.user, "club.desk", club),
    }
    with timezone.override(club.time_zone):
        return render(request, template, {**everywhere, **(context or {})}, status=status)


KEEP = "X-Keep-Offline"
PERSON = "X-Person"


def kept_on_device(answer: HttpResponse) -> HttpResponse:
    """The same page; the device that asked for it may keep it until somebody else logs in there."""
    answer[KEEP] = "1"
    return answer
