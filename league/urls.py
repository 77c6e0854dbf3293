"""The addresses of the league layer's pages."""

from django.urls import URLPattern, URLResolver, path

from league import desk_urls
from league.draws import views as draws
from league.exports import embedding
from league.exports import views as exports
from league.home.views import calendars, clubs, dates_and_substitutes, details, players, privacy
from league.results.views import competitions
from league.teams import views as teams

Addresses = list[URLPattern | URLResolver]

people: Addresses = [
    path("", clubs.home, name="home"),
    path("my/", players.my_page, name="my"),
    path("my/name/", players.my_name, name="my_name"),
    path("my/details/", details.show, name="my_details"),
    path("privacy/", privacy.what_is_kept, name="privacy"),
    path("my/privacy/", privacy.mine, name="my_privacy"),
    path("my/privacy/close/", privacy.close, name="my_close"),
    path("my/privacy/data/", privacy.download, name="my_data"),
    path("players/<int:pk>/answer/", players.player_answer, name="player_answer"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/claim/", players.player_claim, name="player_claim"),
    path("pairs/<int:pk>/", players.pair, name="pair"),
]

# What programs read; the secret is in the address.
calendar_pages: Addresses = [
    path("my/calendars/", calendars.mine, name="my_calendars"),
    path("calendars/<str:token>/my.ics", calendars.calendar_my, name="calendar_my"),
    path("calendars/<str:token>/<slug:kind>/<int:pk>.ics", calendars.calendar_of, name="calendar_of"),
]

# What players do about a match to come.
dates_of_fixtures: Addresses = [
    path("fixtures/<int:pk>/dates/", dates_and_substitutes.fixture_dates, name="fixture_dates"),
    path(
        "fixtures/<int:pk>/dates/answer/",
        dates_and_substitutes.fixture_date_answer,
        name="fixture_date_answer",
    ),
    path("challenges/<int:pk>/", draws.challenge, name="challenge"),
    path("fixtures/<int:pk>/postpone/", dates_and_substitutes.fixture_postpone, name="fixture_postpone"),
    path(
        "fixtures/<int:pk>/substitute/", dates_and_substitutes.fixture_substitute, name="fixture_substitute"
    ),
    path(
        "fixtures/<int:pk>/substitute/answer/",
        dates_and_substitutes.substitute_answer,
        name="substitute_answer",
    ),
    path(
        "fixtures/<int:pk>/substitute/cancel/",
        dates_and_substitutes.fixture_substitute_cancel,
        name="fixture_substitute_cancel",
    ),
]

# What captains say of their teams.
team_pages: Addresses = [
    path("fixtures/<int:pk>/line-up/<int:entry>/", teams.line_up, name="line_up"),
    path("fixtures/<int:pk>/open-rooms/", teams.open_rooms, name="open_rooms"),
    path("teams/<int:pk>/captain/", teams.captain, name="captain"),
]

club_pages: Addresses = [
    path("clubs/", clubs.club_list, name="clubs"),
    path("clubs/<slug:club>/", clubs.club, name="club"),
    path("clubs/<slug:club>/join/", clubs.club_join, name="club_join"),
    path("clubs/<slug:club>/seasons/", competitions.club_honours, name="club_honours"),
    path("clubs/<slug:club>/players/", clubs.club_players, name="club_players"),
]

# Within other websites.
embedded_pages: Addresses = [
    path(
        "embed/<slug:language>/<slug:club>/<slug:competition>/<slug:kind>/", embedding.show, name="embedded"
    ),
]

# Last: a competition's address may be any word that none of the above has taken.
competition_pages: Addresses = [
    path(
        "clubs/<slug:club>/<slug:competition>/ladder/<int:pk>/challenge/",
        draws.challenge_entry,
        name="challenge_entry",
    ),
    path("clubs/<slug:club>/<slug:competition>/ladder/<int:pk>/away/", draws.ladder_away, name="ladder_away"),
    path("clubs/<slug:club>/<slug:competition>/", competitions.competition, name="competition"),
    path(
        "clubs/<slug:club>/<slug:competition>/standings/live/",
        competitions.standings_live,
        name="competition_standings_live",
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/now/live/", competitions.now_live, name="competition_now_live"
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/wall/", competitions.competition_wall, name="competition_wall"
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/fixtures/",
        competitions.competition_fixtures,
        name="competition_fixtures",
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/cross-table/",
        competitions.competition_cross_table,
        name="competition_cross_table",
    ),
    path("clubs/<slug:club>/<slug:competition>/who-met/", draws.who_met, name="who_met"),
    path(
        "clubs/<slug:club>/<slug:competition>/progress/",
        competitions.competition_progress,
        name="competition_progress",
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/files/<slug:kind>.<slug:form>",
        exports.of_competition,
        name="competition_file",
    ),
    path("clubs/<slug:club>/<slug:competition>/rounds/<int:number>/", competitions.round_page, name="round"),
    path(
        "clubs/<slug:club>/<slug:competition>/rounds/<int:number>/draw/<int:pk>/",
        draws.why,
        name="round_why",
    ),
    path(
        "clubs/<slug:club>/<slug:competition>/rounds/<int:number>/sit-out/<int:pk>/",
        draws.sit_out,
        name="round_sit_out",
    ),
]

urlpatterns: Addresses = [
    *people,
    *calendar_pages,
    *dates_of_fixtures,
    *team_pages,
    *desk_urls.urlpatterns,
    *embedded_pages,
    *club_pages,
    *competition_pages,
]
