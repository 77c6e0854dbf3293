"""A bare Django page to measure beside: a new project's middleware, one short template, served as our pages are.

granian --interface asginl --no-ws --workers 2 tests.benchmarks.bare:application
"""

from asgiref.wsgi import WsgiToAsgi
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

settings.configure(
    SECRET_KEY="bare",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[f"django.contrib.{name}" for name in ("auth", "contenttypes", "sessions", "messages")],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
)  # fmt: skip
PAGE = (
    "<!DOCTYPE html><title>{{ title }}</title><ul>{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul>"
)


def page(request: HttpRequest) -> HttpResponse:
    """Twenty lines."""
    context = {"title": "Bare", "lines": [f"Line {number}" for number in range(20)]}
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


urlpatterns = [path("", page)]
application = WsgiToAsgi(get_wsgi_application())
