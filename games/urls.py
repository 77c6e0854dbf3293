"""The addresses of the games layer's pages."""

from django.urls import URLPattern, URLResolver, path

from games.views import judging, matches, plain_sheets, scoresheets

urlpatterns: list[URLPattern | URLResolver] = [
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/scoresheet/", scoresheets.scoresheet, name="scoresheet"),
    path("matches/<int:pk>/scoresheet/reading/", scoresheets.reading, name="sheet_reading"),
    path("matches/<int:pk>/scoresheet/send/", scoresheets.send, name="sheet_send"),
    path("matches/<int:pk>/scoresheet/plain/<int:number>/", plain_sheets.plain_sheet, name="plain_sheet"),
    path("matches/<int:pk>/confirm/", judging.confirm, name="sheet_confirm"),
    path("matches/<int:pk>/reject/", judging.reject, name="sheet_reject"),
    path("matches/<int:pk>/reopen/", judging.reopen, name="match_reopen"),
]
