"""The addresses of the games layer's part of the API. A match has the id of its fixture."""

from django.urls import path

from games.api import board_sets, comparisons, conventions, matches, sheets, tables

urlpatterns = [
    path("board-sets/<int:pk>/", board_sets.BoardSetDetail.as_view(), name="api_board_set"),
    path("competitions/<int:pk>/board-sets/", board_sets.BoardSetList.as_view(), name="api_board_sets"),
    path("boards/<int:pk>/comparison/", comparisons.BoardComparison.as_view(), name="api_board_comparison"),
    path("competitions/<int:pk>/rankings/", comparisons.EventRankings.as_view(), name="api_rankings"),
    path("matches/<int:pk>/", matches.MatchDetail.as_view(), name="api_match"),
    path("matches/<int:pk>/audit/", matches.MatchAudit.as_view(), name="api_match_audit"),
    path("matches/<int:pk>/sheets/", sheets.SheetList.as_view(), name="api_sheets"),
    path("matches/<int:pk>/sheets/preview/", sheets.SheetPreview.as_view(), name="api_sheet_preview"),
    path("matches/<int:pk>/sheets/<int:version>/", sheets.SheetDetail.as_view(), name="api_sheet"),
    path(
        "matches/<int:pk>/sheets/<int:version>/confirm/",
        sheets.SheetConfirmation.as_view(),
        name="api_sheet_confirm",
    ),
    path(
        "matches/<int:pk>/sheets/<int:version>/reject/",
        sheets.SheetRejection.as_view(),
        name="api_sheet_reject",
    ),
    path(
        "pairs/<int:pk>/convention-card/<slug:game>/",
        conventions.ConventionCardDetail.as_view(),
        name="api_convention_card",
    ),
    path("tables/", tables.TableList.as_view(), name="api_tables"),
    path("tables/<int:pk>/", tables.TableDetail.as_view(), name="api_table"),
    path("clubs/<slug:slug>/tables/", tables.ClubTables.as_view(), name="api_club_tables"),
    path("tables/<int:pk>/join/", tables.TableJoin.as_view(), name="api_table_join"),
    path("tables/<int:pk>/leave/", tables.TableLeave.as_view(), name="api_table_leave"),
    path("tables/<int:pk>/fill/", tables.TableFill.as_view(), name="api_table_fill"),
    path("tables/<int:pk>/actions/", tables.TableActions.as_view(), name="api_table_actions"),
]
