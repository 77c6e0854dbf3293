"""The addresses of papers for the room, and of the links on them."""

from django.urls import URLPattern, URLResolver, path

from games.papers.views import papers, printing
from games.scoresheets.views import entry_links

PAPERS = "clubs/<slug:club>/desk/<slug:competition>/papers/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(PAPERS, papers.show, name="papers"),
    path(f"{PAPERS}now/", papers.live, name="papers_live"),
    path(f"{PAPERS}<int:pk>/file/", papers.download, name="paper_file"),
    path(f"{PAPERS}<int:pk>/again/", papers.again, name="paper_again"),
    path("clubs/<slug:club>/desk/players/slips/", printing.player_slips, name="player_slips"),
    path("matches/<int:pk>/enter/<str:token>/", entry_links.entry_link, name="sheet_link"),
]
