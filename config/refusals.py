"""Answers to requests that never reach a page: in the site's look for people, as JSON for programs."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string

API_PREFIX = "/api/"


def refuse(request: HttpRequest, *, status: int, title: str, message: str) -> HttpResponse:
    """The refusal as a page (`<status>.html`, given title and message), or as the API's error envelope."""
    if request.path.startswith(API_PREFIX):
        code = {400: "unreadable", 413: "too_large"}.get(status, "refused")
        return JsonResponse({"error": {"code": code, "message": message, "problems": []}}, status=status)
    try:
        page = render_to_string(f"{status}.html", {"title": title, "message": message})
    except TemplateDoesNotExist:
        return HttpResponse(
            f"{title}\n\n{message}\n", content_type="text/plain; charset=utf-8", status=status
        )
    return HttpResponse(page, status=status)
