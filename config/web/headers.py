"""What answers say to browsers beside their contents: who may keep them, and what a page may not ask a device for."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from league.web.rendering import PERSON

#: Only what pages of ours use: keys for the two-step login, the whole screen, a screen that stays lit at a table.
PERMISSIONS = ", ".join([
    *(f"{name}=()" for name in (
        "accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
        "microphone", "midi", "payment", "usb", "xr-spatial-tracking",
    )),
    *(f"{name}=(self)" for name in (
        "fullscreen", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock",
    )),
])  # fmt: skip
#: Pages of one person, and pages with cards that others may not have played yet: no cache keeps a copy of them.
PERSONAL = frozenset({
    "award", "board", "board_best", "board_set", "board_why", "compare_tables", "deal_analysis", "desk",
    "event_field", "match", "match_live", "match_reopen", "match_replay", "my", "pair_play", "pair_sessions", "photo",
    "plain_sheet", "player_play", "player_sessions", "round_comparison", "scorecard", "scoresheet", "session",
    "sheet_link", "sheet_print", "sheet_reading", "table", "table_analysis", "table_replay",
    "table_replay_page", "table_view",
})  # fmt: skip
PERSONAL_BEGIN = ("account_", "admin:", "api_", "desk_", "mfa_", "my_")

EMBEDDED = "/embed/"


class EmbedWithoutCookies:
    """A page within another website knows nobody: no cookie in, none out, and the language is in its address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Below /embed/ the same page for everybody; elsewhere nothing is changed."""
        if not request.path_info.startswith(EMBEDDED):
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        request.META["HTTP_ACCEPT_LANGUAGE"] = request.path_info.removeprefix(EMBEDDED).partition("/")[0]
        answer = self.get_response(request)
        answer.cookies.clear()
        # The device's worker would take it for the page of somebody who has logged out.
        del answer[PERSON]
        answer["Vary"] = "Accept-Encoding"
        return answer


class GuardAnswers:
    """No cache between us and a person who is logged in keeps their pages, and no cache at all the personal ones."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The same answer; a view that says itself who may keep it has its way."""
        answer = self.get_response(request)
        answer.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if "Cache-Control" not in answer and settings.SESSION_COOKIE_NAME in request.COOKIES:
            answer["Cache-Control"] = "private, no-store" if is_personal(request) else "private"
        return answer


def is_personal(request: HttpRequest) -> bool:
    """Whether the page is one that no cache may keep."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    return name in PERSONAL or name.startswith(PERSONAL_BEGIN)
