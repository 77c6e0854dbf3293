"""The addresses of grades."""

from django.urls import URLPattern, URLResolver, path

from games.grades import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("players/<int:pk>/grade/", views.player_grade, name="player_grade"),
    path("players/<int:pk>/grade/hide/", views.grade_hide, name="grade_hide"),
    path("players/<int:pk>/grade/start/", views.grade_start, name="grade_start"),
    path("clubs/<slug:club>/grades/", views.club_grades, name="club_grades"),
]
