"""The site as an app on a device: its manifest, the worker that serves pages without a connection, and who is here.

What may be kept on a device is the server's to say, page by page (`league.web.rendering`): the worker keeps nothing
else, and throws all of it away as soon as somebody else, or nobody, is logged in.
"""

import hashlib
import json
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import front
from league.models import User
from league.web.rendering import KEEP, PERSON

# What the pages that are kept need, beside what the games add; whatever else they use is kept when it is first seen.
ASSETS = (
    "css/everywhere.css",
    "js/everywhere.js",
    "css/matches.css",
    "js/theme.js",
    "js/sending.js",
    "fonts/source-sans-3/source-sans-3-latin-wght-normal.woff2",
    "fonts/source-serif-4/source-serif-4-latin-600-normal.woff2",
    "fonts/symbols/concertmaster-symbols.woff2",
    "cards/icon.svg",
)
WORKER = ("js/offline/outbox.js", "js/offline/worker.js")
ICONS = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
# The page of a competition, and what else of it people look at again and again.
KEPT_PAGES = frozenset({
    "my", "competition", "competition_fixtures", "competition_cross_table", "competition_progress", "round",
})  # fmt: skip


class SayWhoseThePageIs:
    """Tells the device's worker with each page whose it is, and which of the pages it may keep."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The same answer; pages bear one header more, or two."""
        answer = self.get_response(request)
        if answer.status_code == 200 and answer.get("Content-Type", "").startswith("text/html"):
            answer[PERSON] = str(person_of(request) or 0)
            match = request.resolver_match
            if match is not None and match.view_name in KEPT_PAGES:
                answer[KEEP] = "1"
        return answer


def person_of(request: HttpRequest) -> int | None:
    """The key of the account that is logged in."""
    return request.user.pk if isinstance(request.user, User) else None


def assets_to_keep() -> tuple[str, ...]:
    """The files that a device fetches ahead, by name."""
    return (*ASSETS, *(name for game in front.registered() for name in game.files_to_keep()))


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker: what it has to know, and the scripts that it consists of. It may look after the whole site."""
    assets = [static(name) for name in assets_to_keep()]
    scripts = [static(name) for name in WORKER]
    version = hashlib.sha256("\n".join([*assets, *scripts]).encode()).hexdigest()[:12]
    given = {
        "version": version,
        "assets": assets,
        "static": settings.STATIC_URL,
        "offline": reverse("offline"),
        "session": reverse("session"),
        "keep": KEEP,
        "person": PERSON,
        "icon": static(ICONS[0][0]),
        "notices": reverse("my_notices"),
    }
    script = f"self.given = {json.dumps(given)};\nimportScripts({', '.join(map(json.dumps, scripts))});\n"
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer["Service-Worker-Allowed"] = "/"
    return answer


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device shows of the app: name, icons, colours, and where it begins."""
    own = reverse("my")
    icon = {"src": static("icons/icon-192.png"), "sizes": "192x192", "type": "image/png"}
    body = {
        "id": "/",
        "name": "Concertmaster",
        "short_name": "Concertmaster",
        "description": _("Card leagues: fixtures, scoresheets and standings."),
        "lang": get_language(),
        "start_url": own,
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf8f2",
        "theme_color": "#17543c",
        "icons": [
            {"src": static(name), "sizes": size, "type": "image/png", "purpose": purpose}
            for name, size, purpose in ICONS
        ],
        "shortcuts": [{"name": _("My matches"), "url": own, "icons": [icon]}],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown without a connection in place of a page that is not kept; the worker fetches it as a visitor."""
    return render(request, "offline.html", {"offline_person": "?"})


@require_safe
@never_cache
def session(request: HttpRequest) -> HttpResponse:
    """Who is logged in, and a token for what the device has still to send."""
    return JsonResponse(
        {
            "person": person_of(request),
            "token": get_token(request),
            "login": reverse("account_login"),
        }
    )
