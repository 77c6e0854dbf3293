"""The addresses of sets of boards: what everybody sees of them, and where directors make them."""

from django.urls import URLPattern, URLResolver, path

from games.boards.views import desk
from games.boards.views import sets as board_sets

BOARDS = "clubs/<slug:club>/desk/<slug:competition>/boards/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("boards/<int:pk>/", board_sets.board_set, name="board_set"),
    path("boards/<int:pk>/check/", board_sets.check, name="board_set_check"),
    path("boards/<int:pk>/squaredeal.sqd", board_sets.description_file, name="board_set_sqd"),
    path("boards/<int:pk>/squaredeal.sqk", board_sets.key_file, name="board_set_sqk"),
    path(
        "clubs/<slug:club>/desk/<slug:competition>/comparison/",
        desk.comparison,
        name="desk_comparison",
    ),
    path(BOARDS, desk.show, name="desk_boards"),
    path(f"{BOARDS}make/", desk.make, name="desk_boards_make"),
    path(f"{BOARDS}import/", desk.take_in, name="desk_boards_import"),
    path(f"{BOARDS}<int:pk>/", desk.show_set, name="desk_board_set"),
    path(f"{BOARDS}<int:pk>/tables/<int:number>/", desk.tables, name="desk_board_tables"),
    path(f"{BOARDS}<int:pk>/<slug:act>/", desk.act, name="desk_board_act"),
]
