"""What a page does when a service refuses a write: it says why, where the person is looking."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from league.errors import LeagueError, NotAllowed

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def told(view: View[P]) -> View[P]:
    """A view whose refusals become pages: a 403 that says why, or a message on the page the person came from."""

    @wraps(view)
    def telling(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotAllowed as refusal:
            raise PermissionDenied(refusal.message) from refusal
        except LeagueError as refusal:
            messages.error(request, refusal.message)
            # Not `redirect`, which takes whatever has no slash for the name of a view.
            return HttpResponseRedirect(came_from(request, _nearby(request, kwargs.get("club"))))

    return telling


def _nearby(request: HttpRequest, club: object) -> str:
    """Where a refusal is read by who came from no page: the club's desk or page rather than the list of clubs."""
    if not isinstance(club, str):
        return "/"
    page = reverse("club", args=[club])
    desk = reverse("desk", args=[club])
    nearby = desk if request.path.startswith(desk) else page
    # What refuses to be shown is no place to say so.
    return "/" if request.path == nearby else nearby


def came_from(request: HttpRequest, otherwise: str = "/") -> str:
    """The page of this site that the person acted on: the form's `next`, else the referring page."""
    hosts = {request.get_host()}
    for address in (request.POST.get("next"), request.headers.get("Referer")):
        if address and url_has_allowed_host_and_scheme(address, hosts, require_https=request.is_secure()):
            return address
    return otherwise


def show_in(form: forms.BaseForm, refusal: LeagueError) -> None:
    """Puts every fault beside its field of the form, and what belongs to no field at the top.

    A person who may not do this at all gets a 403 instead: no other input would help.
    """
    if isinstance(refusal, NotAllowed):
        raise PermissionDenied(refusal.message) from refusal
    faults = [fault for fault in refusal.details if isinstance(fault, dict) and fault.get("message")]
    # Two lines of one field may have the same fault; it is said once.
    for field, message in dict.fromkeys((_field_of(form, each), str(each["message"])) for each in faults):
        form.add_error(field, message)
    if not faults:
        form.add_error(None, refusal.message)


def _field_of(form: forms.BaseForm, fault: dict[str, Any]) -> str | None:
    place = fault.get("place") or [None]
    return str(place[0]) if place[0] in form.fields else None
