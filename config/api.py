"""The API's addresses: version 1 of both layers, its description, and its documentation page."""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


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
    path("", include("games.api.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(version_1)),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", Documentation.as_view(), name="api_docs"),
    re_path(r"", Nowhere.as_view()),
]
