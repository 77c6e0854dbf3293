"""Answers to requests that never reach a page: in the site's look for people, as JSON for programs."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views import defaults

API_PREFIX = "/api/"


def refuse(request: HttpRequest, *, status: int, title: str, message: str) -> HttpResponse:
    """The refusal as a page (`<status>.html`, given title and message), or as the API's error envelope."""
    if request.path.startswith(API_PREFIX):
        code = {400: "unreadable", 413: "too_large"}.get(status, "refused")
        return JsonResponse({"error": {"code": code, "message": message, "details": []}}, status=status)
    try:
        page = render_to_string(f"{status}.html", {"title": title, "message": message})
    except TemplateDoesNotExist:
        return HttpResponse(
            f"{title}\n\n{message}\n", content_type="text/plain; charset=utf-8", status=status
        )
    return HttpResponse(page, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours, which the log tells in full: the visitor gets an apology, as a page or in the envelope."""
    if request.path.startswith(API_PREFIX):
        message = _("Something went wrong here, and it is not your fault. Please try again in a moment.")
        return JsonResponse({"error": {"code": "failed", "message": message, "details": []}}, status=500)
    return defaults.server_error(request)
