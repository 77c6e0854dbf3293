"""The addresses of the league layer's part of the API."""

from django.urls import path

from league.api import clubs, competitions, notices, tokens

urlpatterns = [
    path("token/", tokens.TokenEndpoint.as_view(), name="api_token"),
    path("clubs/", clubs.ClubList.as_view(), name="api_clubs"),
    path("clubs/<slug:slug>/", clubs.ClubDetail.as_view(), name="api_club"),
    path("clubs/<slug:slug>/honours/", clubs.ClubHonours.as_view(), name="api_club_honours"),
    path("players/<int:pk>/", clubs.PlayerDetail.as_view(), name="api_player"),
    path("pairs/<int:pk>/", clubs.PairDetail.as_view(), name="api_pair"),
    path("competitions/", competitions.CompetitionList.as_view(), name="api_competitions"),
    path("competitions/<int:pk>/", competitions.CompetitionDetail.as_view(), name="api_competition"),
    path(
        "competitions/<int:pk>/standings/",
        competitions.CompetitionStandings.as_view(),
        name="api_standings",
    ),
    path(
        "competitions/<int:pk>/standings/history/",
        competitions.CompetitionProgress.as_view(),
        name="api_standings_history",
    ),
    path("notices/", notices.NoticeList.as_view(), name="api_notices"),
    path("notices/read/", notices.NoticesRead.as_view(), name="api_notices_read"),
    path("fixtures/", competitions.FixtureList.as_view(), name="api_fixtures"),
]
