"""The addresses of sets of boards: what everybody sees of them, and where directors make them."""

from django.urls import URLPattern, URLResolver, path

from games.views import board_sets, desk_boards

BOARDS = "clubs/<slug:club>/desk/<slug:competition>/boards/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("boards/<int:pk>/", board_sets.board_set, name="board_set"),
    path("boards/<int:pk>/check/", board_sets.check, name="board_set_check"),
    path(BOARDS, desk_boards.show, name="desk_boards"),
    path(f"{BOARDS}make/", desk_boards.make, name="desk_boards_make"),
    path(f"{BOARDS}import/", desk_boards.take_in, name="desk_boards_import"),
    path(f"{BOARDS}<int:pk>/", desk_boards.show_set, name="desk_board_set"),
    path(f"{BOARDS}<int:pk>/tables/<int:number>/", desk_boards.tables, name="desk_board_tables"),
    path(f"{BOARDS}<int:pk>/<slug:act>/", desk_boards.act, name="desk_board_act"),
]
