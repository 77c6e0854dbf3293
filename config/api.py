"""The API's addresses: version 1 of both layers, its description, and its documentation page."""

from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

# Swagger UI writes style attributes and has its icons as data in its style sheet; its scripts are files of ours.
DOCUMENTATION_STYLES = {"style-src": [SELF, UNSAFE_INLINE]}


@method_decorator(csp_update(DOCUMENTATION_STYLES), name="dispatch")
class Documentation(SpectacularSwaggerSplitView):
    """The documentation page. Inline styles are allowed on it alone; inline scripts nowhere."""

    url_name = "api_schema"
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
