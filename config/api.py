"""The API's addresses: version 1 of both layers, its description, and its documentation page."""

import hashlib
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.encoding import force_bytes
from django.utils.http import quote_etag
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView


class Description(SpectacularAPIView):
    """The schema, which is the same for everybody: each process makes each form of it once."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: Any, **_names: Any) -> HttpResponse:
        """The schema in the form that was asked for, or 304 to who has it already."""
        renderer = type(request.accepted_renderer)
        body, tag = described(renderer, get_language())  # type: ignore[arg-type]  # a class is hashable
        answer = get_conditional_response(request._request, etag=tag)  # noqa: SLF001 (DRF's own way to Django's)
        if answer is None or answer.status_code != status.HTTP_304_NOT_MODIFIED:
            answer = HttpResponse(body, content_type=renderer.media_type)
            answer["Content-Disposition"] = f'inline; filename="Concertmaster.{renderer.format}"'
        answer["ETag"] = tag
        return answer


@lru_cache(maxsize=len(SpectacularAPIView.renderer_classes) * len(settings.LANGUAGES))
def described(renderer: type[BaseRenderer], language: str) -> tuple[bytes, str]:
    """The schema in this form, with its descriptions in this language, and its ETag."""
    with translation.override(language):
        schema = SchemaGenerator().get_schema(request=None, public=True)
        body = force_bytes(renderer().render(schema, renderer_context={}))
    return body, quote_etag(hashlib.sha256(body).hexdigest()[:32])


class Documentation(SpectacularSwaggerSplitView):
    """The documentation page, under the site's policy like any other: its scripts and styles are files of ours."""

    url_name = "api_schema"
    template_name = "api/docs.html"
    # It is a page: it has no answer for a program that asks what it could send.
    http_method_names = ["get", "head"]


@extend_schema(exclude=True)
class Nowhere(APIView):
    """Every address of the API that is none: a refusal in the API's form, whatever the method."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse before anything else is looked at."""
        raise NotFound


version_1: list[URLPattern | URLResolver] = [
    path("", include("league.api.urls")),
    path("", include("league.desk.api.urls")),
    path("", include("games.api.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(version_1)),
    path("schema/", Description.as_view(), name="api_schema"),
    path("docs/", Documentation.as_view(), name="api_docs"),
    re_path(r"", Nowhere.as_view()),
]
