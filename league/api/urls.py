"""The addresses of the league layer's part of the API."""

from django.urls import path

from league.api import brackets, clubs, competitions, dates, draws, ladders, substitutes
from league.api.personal import claiming, joining, notices, own, tokens

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
    path("players/<int:pk>/claim/", claiming.PlayerClaiming.as_view(), name="api_player_claim"),
    path("pairs/<int:pk>/name/", clubs.PairName.as_view(), name="api_pair_name"),
    path("listed-as/", claiming.ListedAs.as_view(), name="api_listed_as"),
    path("listed-as/<int:pk>/", claiming.ListedAsAnswer.as_view(), name="api_listed_as_answer"),
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
    path("divisions/<int:pk>/apart/", draws.DivisionKeptApart.as_view(), name="api_kept_apart"),
    path("divisions/<int:pk>/bracket/", brackets.DivisionBracket.as_view(), name="api_bracket"),
    path("divisions/<int:pk>/ladder/", ladders.DivisionLadderView.as_view(), name="api_ladder"),
    path("entries/<int:pk>/challenge/", ladders.EntryChallenge.as_view(), name="api_challenge_entry"),
    path("entries/<int:pk>/away/", ladders.EntryAway.as_view(), name="api_ladder_away"),
    path("challenges/<int:pk>/", ladders.ChallengeDetail.as_view(), name="api_challenge"),
    path("fixtures/<int:pk>/who-goes-on/", brackets.WhoGoesOn.as_view(), name="api_who_goes_on"),
    path(
        "divisions/<int:pk>/rounds/<int:number>/draw/",
        draws.DivisionRoundDraw.as_view(),
        name="api_round_draw",
    ),
    path(
        "divisions/<int:pk>/rounds/<int:number>/draw/back/",
        draws.DivisionRoundDrawBack.as_view(),
        name="api_round_draw_back",
    ),
    path("notices/", notices.NoticeList.as_view(), name="api_notices"),
    path("notices/read/", notices.NoticesRead.as_view(), name="api_notices_read"),
    path("notices/choices/", notices.NoticeChoices.as_view(), name="api_notice_choices"),
    path("devices/", notices.DeviceList.as_view(), name="api_devices"),
    path("devices/<int:pk>/", notices.DeviceDetail.as_view(), name="api_device"),
    path("days-away/", own.DaysAway.as_view(), name="api_days_away"),
    path("days-away/clear/", own.DaysBack.as_view(), name="api_days_back"),
    path("name/", own.Name.as_view(), name="api_name"),
    path("contact/", own.ContactDetails.as_view(), name="api_contact"),
    path("public-name/", own.PublicName.as_view(), name="api_public_name"),
    path("calendar/", own.Calendar.as_view(), name="api_calendar"),
    path("entries/<int:pk>/sit-out/", competitions.SitOut.as_view(), name="api_sit_out"),
    path("entries/<int:pk>/play/", competitions.PlayAfterAll.as_view(), name="api_play_after_all"),
    path("fixtures/<int:pk>/times/", dates.FixtureTimes.as_view(), name="api_times"),
    path("fixtures/<int:pk>/times/<int:proposal>/", dates.FixtureTime.as_view(), name="api_time"),
    path("fixtures/<int:pk>/postpone/", dates.FixturePostponement.as_view(), name="api_postpone"),
    path("fixtures/<int:pk>/substitutes/", substitutes.FixtureSubstitutes.as_view(), name="api_substitutes"),
    path(
        "fixtures/<int:pk>/substitutes/<int:substitution>/",
        substitutes.FixtureSubstitute.as_view(),
        name="api_substitute",
    ),
    path("substitute-requests/", substitutes.SubstituteRequests.as_view(), name="api_substitute_requests"),
    path(
        "substitute-requests/<int:pk>/",
        substitutes.SubstituteRequest.as_view(),
        name="api_substitute_request",
    ),
    path("fixtures/", competitions.FixtureList.as_view(), name="api_fixtures"),
]
