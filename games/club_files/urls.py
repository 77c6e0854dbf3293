"""The addresses of clubs as files."""

from django.urls import URLPattern, URLResolver, path

from games.club_files import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/import/", views.bring, name="club_import"),
    path("clubs/import/<int:pk>/", views.show, name="club_import_file"),
    path("clubs/<slug:club>/desk/file/", views.whole_club, name="desk_club_file"),
    path("clubs/<slug:club>/desk/imported/", views.imported, name="desk_imported"),
    path(
        "clubs/<slug:club>/desk/<slug:competition>/file/", views.one_competition, name="competition_club_file"
    ),
]
