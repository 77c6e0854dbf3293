"""Your calendars: the addresses to subscribe to, and what programs read there."""

from functools import partial
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league import policies
from league.actors import Reader
from league.fixtures import feeds
from league.models import User
from league.people.services import tokens
from league.words import public_names

A_WHILE = 15 * 60


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """The person's addresses; posting makes new ones, and the old ones end."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    if request.method == "POST":
        tokens.renew_calendar_address(actor=user, at=timezone.now())
        messages.success(request, _("You have new addresses. The old ones no longer work."))
        return redirect("my_calendars")
    (_kind, _about, own), *others = feeds.addresses(user)
    context = {
        "own": _both(own),
        "others": [(about, _both(url)) for _kind, about, url in others],
    }
    return render(request, "league/my_calendars.html", context)


@require_safe
def calendar_my(request: HttpRequest, token: str) -> HttpResponseBase:
    """The matches of the person whose secret address this is."""
    reader = feeds.reader_of(token)
    if not isinstance(reader, User):
        raise Http404
    language = reader.language or settings.LANGUAGE_CODE
    with translation.override(language), public_names.read_by(_inside(reader)):
        return _answer(request, feeds.own(reader), reader)


@require_safe
def calendar_of(request: HttpRequest, token: str, kind: str, pk: int) -> HttpResponseBase:
    """The matches of a club, a competition or a pair, as far as the person, or any visitor, may know of them."""
    reader = feeds.reader_of(token)
    if reader is None:
        raise Http404
    language = reader.language if isinstance(reader, User) else ""
    with translation.override(language or settings.LANGUAGE_CODE), public_names.read_by(_inside(reader)):
        feed = feeds.about(kind, pk, reader)
        if feed is None:
            raise Http404
        return _answer(request, feed, reader)


def _inside(reader: Reader) -> public_names.IsInside:
    """Names are shown as the owner of the address may see them, not the browser or program that asks."""
    return partial(policies.reads_name_of, reader)


def _answer(request: HttpRequest, feed: feeds.Feed, reader: Reader) -> HttpResponseBase:
    content = feeds.calendar(feed, reader, at=timezone.now())
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    whose = "private" if isinstance(reader, User) else "public"
    answer["Cache-Control"] = f"{whose}, max-age={A_WHILE}"
    answer["Content-Disposition"] = 'inline; filename="matches.ics"'
    answer["X-Robots-Tag"] = "noindex"
    answer["ETag"] = quote_etag(sha256(content).hexdigest())
    return get_conditional_response(request, etag=answer["ETag"], response=answer) or answer


def _both(url: str) -> dict[str, str]:
    """The address for programs that ask to paste it, and as a link that opens the device's own calendar."""
    return {"url": url, "subscribe": urlsplit(url)._replace(scheme="webcal").geturl()}
