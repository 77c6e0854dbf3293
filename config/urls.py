"""Every address of the site: the two layers' pages, accounts, the admin and what monitors ask for."""

from django.contrib import admin
from django.urls import include, path

from config.gallery.gallery import design
from config.operating.observing import metrics
from config.operating.status import status
from config.web.health import healthz, readyz
from config.web.offline import (
    manifest,
    offline,
    service_worker,
    session,
)
from league.notices.views import languages

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("status/", status, name="status"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/", include("config.api")),
    path("i18n/setlang/", languages.choose, name="set_language"),
    path("design/", design, name="design"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("offline/", offline, name="offline"),
    path("session/", session, name="session"),
    path("", include("games.urls")),
    path("", include("league.urls")),
]

handler404 = "config.web.refusals.not_found"
handler500 = "config.web.refusals.server_error"
