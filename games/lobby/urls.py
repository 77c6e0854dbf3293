"""The addresses of the list of tables."""

from django.urls import path

from games.lobby import views

urlpatterns = [
    path("tables/", views.table_list, name="table_list"),
    path("tables/join/", views.join, name="table_join"),
    path("tables/choices/", views.choices, name="lobby_choices"),
    path("tables/live/", views.table_list_live, name="table_list_live"),
]
