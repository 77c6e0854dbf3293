"""The addresses of the league layer's part of the API."""

from django.urls import path

from league.api import clubs, competitions, joining, notices, own, tokens

urlpatterns = [
    path("token/", tokens.TokenEndpoint.as_view(), name="api_token"),
    path("clubs/", clubs.ClubList.as_view(), name="api_clubs"),
    path("clubs/<slug:slug>/", clubs.ClubDetail.as_view(), name="api_club"),
    path("clubs/<slug:slug>/honours/", clubs.ClubHonours.as_view(), name="api_club_honours"),
    path("clubs/<slug:slug>/join/", joining.ClubJoin.as_view(), name="api_club_join"),
    path(
        "clubs/<slug:slug>/join/withdraw/",
        joining.ClubJoinWithdrawal.as_view(),
        name="api_club_join_withdraw",
    ),
    path("clubs/<slug:slug>/join-requests/", joining.ClubJoinRequests.as_view(), name="api_join_requests"),
    path(
        "clubs/<slug:slug>/join-requests/<int:pk>/",
        joining.JoinRequestAnswer.as_view(),
        name="api_join_request",
    ),
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
    path("notices/choices/", notices.NoticeChoices.as_view(), name="api_notice_choices"),
    path("days-away/", own.DaysAway.as_view(), name="api_days_away"),
    path("days-away/clear/", own.DaysBack.as_view(), name="api_days_back"),
    path("public-name/", own.PublicName.as_view(), name="api_public_name"),
    path("calendar/", own.Calendar.as_view(), name="api_calendar"),
    path("entries/<int:pk>/sit-out/", competitions.SitOut.as_view(), name="api_sit_out"),
    path("entries/<int:pk>/play/", competitions.PlayAfterAll.as_view(), name="api_play_after_all"),
    path("fixtures/", competitions.FixtureList.as_view(), name="api_fixtures"),
]
