"""The addresses of the tables in the browser."""

from django.urls import URLPattern, URLResolver, path

from games.tables.views import chat, guests, opening, play, replays, terms
from games.tables.views import (
    pages as table_pages,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("matches/<int:pk>/table/", opening.match_table, name="match_table"),
    path("clubs/<slug:club>/tables/", opening.casual_table, name="casual_table"),
    path("clubs/<slug:club>/practice/", opening.practice, name="practice"),
    path("clubs/<slug:club>/desk/<slug:competition>/online/", terms.desk_online, name="desk_online"),
    path("clubs/<slug:club>/chat/", chat.chat_reports, name="chat_reports"),
    path("clubs/<slug:club>/chat/<int:pk>/settled/", chat.chat_settle, name="chat_settle"),
    path("tables/<int:pk>/", table_pages.table, name="table"),
    path("tables/<int:pk>/guests/", guests.table_guests, name="table_guests"),
    path("tables/<int:pk>/keep/", guests.keep, name="table_keep"),
    path("join/<str:token>/", guests.guest_link, name="guest_link"),
    path("tables/<int:pk>/view/", play.view, name="table_view"),
    path("tables/<int:pk>/act/", play.act, name="table_act"),
    path("tables/<int:pk>/steps/<slug:name>/", play.step, name="table_step"),
    path("tables/<int:pk>/hint/", play.hint, name="table_hint"),
    path("tables/<int:pk>/hands/<int:hand>/meaning/", play.meaning, name="table_meaning"),
    path("tables/<int:pk>/seats/<slug:seat>/reasons/", play.reasons, name="table_reasons"),
    path("matches/<int:pk>/deals/<int:number>/replay/", replays.match_replay, name="match_replay"),
    path("matches/<int:pk>/deals/<int:number>/expert/", replays.match_expert, name="match_expert"),
    path("tables/<int:pk>/deals/<int:number>/", replays.table_replay_page, name="table_replay_page"),
    path("tables/<int:pk>/deals/<int:number>/again/", opening.practice_again, name="practice_again"),
    path("my/week/", replays.week, name="week"),
    path("tables/<int:pk>/deals/<int:number>/analysis/", replays.table_analysis, name="table_analysis"),
    path(
        "tables/<int:pk>/deals/<int:number>/analysis/live/",
        replays.table_analysis_live,
        name="table_analysis_live",
    ),
    path("tables/<int:pk>/deals/<int:number>/replay/", play.replay, name="table_replay"),
]
