"""The addresses of duplicate evenings: the room, and where a director sets an evening up and runs it."""

from django.urls import URLPattern, URLResolver, path

from games.sessions.views import desk, room, setup

COMPETITION = "clubs/<slug:club>/<slug:competition>/"
DESK = "clubs/<slug:club>/desk/<slug:competition>/evening/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{COMPETITION}room/", room.room, name="evening_room"),
    path(f"{COMPETITION}room/live/", room.room_live, name="evening_room_live"),
    path(f"{COMPETITION}screen/", room.screen, name="evening_screen"),
    path(f"{COMPETITION}screen/live/", room.screen_live, name="evening_screen_live"),
    path("clubs/<slug:club>/desk/evenings/new/", setup.new, name="evening_new"),
    path("clubs/<slug:club>/desk/evenings/movements/", setup.movements, name="evening_movements"),
    path(DESK, desk.show, name="evening_desk"),
    path(f"{DESK}act/", desk.act, name="evening_act"),
    path(f"{DESK}late/", desk.late, name="evening_late"),
    path(f"{DESK}pairs/<int:pk>/leave/", desk.leave, name="evening_leave"),
    path(f"{DESK}pairs/<int:pk>/take-back/", desk.take_back, name="evening_take_back"),
    path(f"{DESK}set-up/<slug:step>/", setup.step, name="evening_step"),
]
