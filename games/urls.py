"""The addresses of the games layer's pages."""

from django.urls import URLPattern, URLResolver, path

from games import front
from games.boards.urls import urlpatterns as board_pages
from games.boards.views import shut
from games.club_files.urls import urlpatterns as club_file_pages
from games.daily.urls import urlpatterns as daily_pages
from games.events.urls import urlpatterns as duplicate_pages
from games.events.views import awards
from games.grades.urls import urlpatterns as grade_pages
from games.learning.urls import urlpatterns as learning_pages
from games.lobby.urls import urlpatterns as lobby_pages
from games.matches.views import games, matches, team_matches
from games.papers.urls import urlpatterns as paper_pages
from games.papers.views import printing
from games.scoresheets.views import (
    judging,
    photos,
    plain_sheets,
    scoresheets,
    sending,
)
from games.sessions.urls import urlpatterns as evening_pages
from games.tables.urls import urlpatterns as table_pages

urlpatterns: list[URLPattern | URLResolver] = [
    *club_file_pages,
    *grade_pages,
    *evening_pages,
    *board_pages,
    *duplicate_pages,
    *lobby_pages,
    *table_pages,
    *learning_pages,
    *paper_pages,
    *daily_pages,
    path("games/", games.game_list, name="game_list"),
    path("games/<slug:game>/", games.game_rules, name="game_rules"),
    path("games/<slug:game>/scoring/", games.game_scoring, name="game_scoring"),
    path("games/<slug:game>/rules/", games.game_rules_before, name="game_rules_before"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/boards/<int:number>/average/", team_matches.average, name="team_average"),
    path("matches/<int:pk>/wall/", team_matches.wall, name="team_wall"),
    path("matches/<int:pk>/wall/live/", team_matches.wall_live, name="team_wall_live"),
    path("matches/<int:pk>/live/", matches.match_live, name="match_live"),
    path("matches/<int:pk>/deals/<int:number>/analysis/", matches.deal_analysis, name="deal_analysis"),
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
    path("clubs/<slug:club>/desk/typed-sheets/", judging.typed_sheets, name="desk_typed_sheets"),
    path("matches/<int:pk>/photos/", photos.add, name="photo_add"),
    path("matches/<int:pk>/photos/<int:photo>/", photos.show, name="photo"),
    path("matches/<int:pk>/photos/<int:photo>/remove/", photos.remove, name="photo_remove"),
    path("matches/<int:pk>/boards/", shut.match_boards, name="match_boards"),
    path("decisions/<str:token>/", shut.neutral_decision, name="neutral_decision"),
    path("matches/<int:pk>/confirm/", judging.confirm, name="sheet_confirm"),
    path("matches/<int:pk>/reject/", judging.reject, name="sheet_reject"),
    path("matches/<int:pk>/reopen/", judging.reopen, name="match_reopen"),
    *(page for own in front.registered() for page in own.urls),
]
