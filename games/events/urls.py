"""The addresses at which readers follow a duplicate event: boards, scorecards, rankings, comparisons."""

from django.urls import URLPattern, URLResolver, path

from games.events.views import (
    boards,
    events,
    sessions,
)

COMPETITION = "clubs/<slug:club>/<slug:competition>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("boards/<int:pk>/<int:number>/", boards.board, name="board"),
    path("boards/<int:pk>/<int:number>/best/", boards.board_best_part, name="board_best"),
    path("boards/<int:pk>/<int:number>/why/", boards.board_why, name="board_why"),
    path(f"{COMPETITION}comparison/", events.event_ranking, name="event_ranking"),
    path(f"{COMPETITION}comparison/live/", events.ranking_live, name="event_ranking_live"),
    path(f"{COMPETITION}scorecards/<int:pk>/", events.scorecard, name="scorecard"),
    path(f"{COMPETITION}field/", events.field, name="event_field"),
    path(f"{COMPETITION}handicap/", events.handicap, name="handicap"),
    path(f"{COMPETITION}files/usebio.xml", events.usebio_file, name="usebio_file"),
    path(f"{COMPETITION}compare/", boards.compare_tables, name="compare_tables"),
    path(f"{COMPETITION}rounds/<int:number>/comparison/", events.round_comparison, name="round_comparison"),
    path("pairs/<int:pk>/evenings/", sessions.pair_sessions, name="pair_sessions"),
    path("players/<int:pk>/evenings/", sessions.player_sessions, name="player_sessions"),
]
