"""The addresses of the games layer's pages."""

from django.urls import URLPattern, URLResolver, path

from games.board_urls import urlpatterns as board_pages
from games.duplicate_urls import urlpatterns as duplicate_pages
from games.evening_urls import urlpatterns as evening_pages
from games.paper_urls import urlpatterns as paper_pages
from games.table_urls import urlpatterns as table_pages
from games.views import analyses, awards, judging, matches, plain_sheets, play, printing, scoresheets, sending

urlpatterns: list[URLPattern | URLResolver] = [
    *evening_pages,
    *board_pages,
    *duplicate_pages,
    *table_pages,
    *paper_pages,
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/deals/<int:number>/analysis/", analyses.deal_analysis, name="deal_analysis"),
    path("matches/<int:pk>/scoresheet/", scoresheets.scoresheet, name="scoresheet"),
    path("matches/<int:pk>/scoresheet/reading/", scoresheets.reading, name="sheet_reading"),
    path("matches/<int:pk>/scoresheet/send/", sending.send, name="sheet_send"),
    path("matches/<int:pk>/scoresheet/print/", printing.sheet_print, name="sheet_print"),
    path(
        "clubs/<slug:club>/<slug:competition>/rounds/<int:number>/print/",
        printing.round_print,
        name="round_print",
    ),
    path("matches/<int:pk>/scoresheet/plain/<int:number>/", plain_sheets.plain_sheet, name="plain_sheet"),
    path("matches/<int:pk>/boards/<int:number>/award/", awards.award, name="award"),
    path("matches/<int:pk>/confirm/", judging.confirm, name="sheet_confirm"),
    path("matches/<int:pk>/reject/", judging.reject, name="sheet_reject"),
    path("matches/<int:pk>/reopen/", judging.reopen, name="match_reopen"),
    path("pairs/<int:pk>/play/", play.pair_play, name="pair_play"),
    path("players/<int:pk>/play/", play.player_play, name="player_play"),
]
