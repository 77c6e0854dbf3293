"""The addresses at which readers follow a duplicate event: boards, scorecards, rankings, comparisons."""

from django.urls import URLPattern, URLResolver, path

from games.views import board_pages, compared_tables, event_pages, sessions

COMPETITION = "clubs/<slug:club>/<slug:competition>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("boards/<int:pk>/<int:number>/", board_pages.board, name="board"),
    path("boards/<int:pk>/<int:number>/best/", board_pages.board_best_part, name="board_best"),
    path("boards/<int:pk>/<int:number>/why/", board_pages.board_why, name="board_why"),
    path(f"{COMPETITION}comparison/", event_pages.event_ranking, name="event_ranking"),
    path(f"{COMPETITION}comparison/live/", event_pages.ranking_live, name="event_ranking_live"),
    path(f"{COMPETITION}scorecards/<int:pk>/", event_pages.scorecard, name="scorecard"),
    path(f"{COMPETITION}field/", event_pages.field, name="event_field"),
    path(f"{COMPETITION}compare/", compared_tables.compare, name="compare_tables"),
    path(
        f"{COMPETITION}rounds/<int:number>/comparison/", event_pages.round_comparison, name="round_comparison"
    ),
    path("pairs/<int:pk>/evenings/", sessions.pair_sessions, name="pair_sessions"),
    path("players/<int:pk>/evenings/", sessions.player_sessions, name="player_sessions"),
]
