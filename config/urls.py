"""Every address of the site: the two layers' pages, accounts, the admin and what monitors ask for."""

from django.contrib import admin
from django.urls import include, path

from config.design import design
from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/", include("config.api")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("design/", design, name="design"),
    path("", include("games.urls")),
    path("", include("league.urls")),
]

handler500 = "config.refusals.server_error"
