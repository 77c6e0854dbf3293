"""What pages can do, the API can do: every page that takes a form has its address in the API, or a reason here.

A new page that writes belongs into one of the two lists.
"""

from games.api.table_steps import FIELDS
from games.tables.steps import STEPS
from tests.permissions.test_every_address import read_table

# Page: the addresses that do the same.
SAME = {
    "scoresheet": "api_sheets",
    "sheet_send": "api_sheets",
    "photo_add": "api_photos",
    "photo_remove": "api_photo",
    "plain_sheet": "api_sheets",
    "sheet_reading": "api_sheet_preview",
    "sheet_confirm": "api_sheet_confirm",
    "sheet_reject": "api_sheet_reject",
    "my_calendars": "api_calendar",
    "my_details": "api_contact api_days_away api_days_back",
    "my_privacy": "api_public_name",
    "fixture_dates": "api_times",
    "fixture_date_answer": "api_time",
    "fixture_postpone": "api_postpone",
    "fixture_ruling": "api_ruling api_arrange",
    "fixture_substitute": "api_substitutes",
    "fixture_substitute_cancel": "api_substitute",
    "entry_withdraw": "api_withdraw",
    "entry_reinstate": "api_reinstate",
    "entry_substitute": "api_entry_substitute api_entry_substitute_back",
    "entry_adjust": "api_adjustments",
    "adjustment_revoke": "api_adjustment_revoke",
    "division_lots": "api_lots",
    "competition_prizes": "api_prizes",
    "competition_state": "api_competition_state",
    "competition_finish": "api_ending api_finish",
    "match_boards": "api_match_boards",
    "match_reopen": "api_reopening",
    "desk_comparison": "api_comparison_settings",
    "desk_boards_make": "api_board_sets",
    "desk_boards_import": "api_board_file_preview api_board_file_import",
    "desk_board_tables": "api_board_tables",
    "desk_board_act": "api_board_set",
    "award": "api_award api_award_preview api_award_back",
    "chat_settle": "api_chat_report",
    "substitute_answer": "api_substitute_requests api_substitute_request",
    "desk_club_file": "api_club_file",
    "competition_club_file": "api_competition_file",
    "club_import": "api_club_imports",
    "club_import_file": "api_club_import api_club_import_begin",
    "desk_webhooks": "api_webhooks",
    "desk_webhook": "api_webhook api_webhook_test api_webhook_secret",
    "desk_invitations": "api_invitations api_invitation_withdraw",
    "player_slips": "api_invitation_slips",
    "desk_members": "api_role_invitations",
    "desk_uninvite": "api_role_invitation",
    "invitation": "api_own_invitations api_own_invitation",
    "desk_admissions": "api_join_requests api_join_request",
    "club_join": "api_club_join api_club_join_withdraw",
    "competition_following": "api_next_season",
    "competition_later_stage": "api_later_stage",
    "competition_copy": "api_copy",
    "competition_answers": "api_season_answers api_season_fill",
    "season_answer": "api_own_season_answers api_season_answer",
    "my_name": "api_name",
    "player_answer": "api_listed_as api_listed_as_answer",
    "player_claim": "api_player_claim",
    "pair": "api_pair_name",
    "club_found": "api_clubs",
    "desk_seen": "api_desk",
    "desk_missing": "api_missing_results",
    "desk_club": "api_club_settings",
    "desk_mails": "api_club_mails",
    "site_mails": "api_site_mails",
    "desk_member": "api_members api_member",
    "desk_member_remove": "api_member",
    "desk_players": "api_club_players",
    "desk_player": "api_club_player api_player_unlink api_player_in_public",
    "desk_pairs": "api_club_pairs",
    "desk_claims": "api_claims api_claim",
    "desk_duplicates": "api_duplicates api_merges",
    "desk_undo_merge": "api_merge_undo",
    "desk_import": "api_imports",
    "desk_import_batch": "api_import api_import_mend api_import_commit api_import_undo",
    "competition_new": "api_set_up",
    "competition_edit": "api_setup",
    "competition_step": "api_setup api_setup_preview api_entries api_entry_remove api_numbers",
    "draft_undo": "api_draft_undo api_evening_acts",
    "draft_bring_back": "api_deleted_drafts api_deleted_draft",
    "competition_enter": "api_late_entry api_late_entry_preview",
    "competition_draw": "api_draw api_draw_back",
    "tables_new": "api_set_up",
    "register": "api_entries api_entry_remove api_late_entry api_withdraw api_reinstate",
    "round_draw": "api_round_draw api_round_draw_back",
    "kept_apart": "api_kept_apart",
    "house_pair": "api_house_pair",
    "tie": "api_who_goes_on",
    "challenge": "api_challenge",
    "grade_hide": "api_player_grade",
    "grade_start": "api_grade_start",
    "challenge_entry": "api_challenge_entry",
    "ladder_away": "api_ladder_away",
    "line_up": "api_line_up",
    "open_rooms": "api_open_rooms",
    "captain": "api_captain",
    "team_average": "api_team_average",
    "round_sit_out": "api_sit_out api_play_after_all",
    "my_notices_read": "api_notices_read",
    "my_notice": "api_notices_read",
    "my_notice_choices": "api_notice_choices api_devices api_device",
    "my_token": "api_token",
    "my_token_revoke": "api_token",
    "casual_table": "api_club_tables",
    "table_join": "api_table_join api_table_fill api_table_steps",
    "table_act": "api_table_actions",
    # All steps but "window": which window of a browser plays the seat.
    "table_step": "api_table_steps api_table_join api_table_leave",
    "match_table": "api_match_table",
    "table_guests": "api_table_guests",
    "lobby_choices": "api_lobby_choices",
    "pair_card": "api_agreement",
    "pair_card_edit": "api_convention_card",
    "desk_online": "api_online",
    "evening_new": "api_evenings",
    "evening_step": "api_evening api_entries api_entry_remove api_numbers api_evening_movement api_evening_acts",
    "evening_act": "api_evening_acts api_evening",
    "evening_late": "api_evening_late",
    "evening_leave": "api_evening_leave",
    "evening_take_back": "api_evening_take_back",
}
# Reason: the pages of which it is true.
BY_HAND = {
    "it opens an account or takes all of its data, which a person does in their own browser": (
        "my_data passkey_begin player_invitation"
    ),
    "it ends the account for good, after the password once more: who finds a token must not be able to": "my_close",
    "it is about this very browser: what it is told, how it looks, who played in it as a guest": (
        "my_device design table_keep"
    ),
    "a link stands for the person who opens it, with an account or without": (
        "guest_link sheet_link neutral_decision unsubscribe"
    ),
    "it reckons with what it is given and keeps nothing of it": (
        "board_set_check try_act try_outcome try_coach try_meaning try_reasons"
    ),
    "a person practises, learns or looks back at a deal: it counts in no competition": (
        "daily_play practice practice_again table_hint table_analysis match_expert try_done week"
    ),
    "paper for the room, and sealed cards, which the director who takes them out has in their own hands": (
        "papers paper_again"
    ),
    "it asks for the password once more, and a token is no password": "desk_player_erase",
    "it is done only at the computer that the site runs on, after the password once more": "site_mail_account",
}


def test_every_page_that_writes_has_its_address_in_the_api_or_a_reason() -> None:
    table = read_table()
    pages = {
        name for name, (_get, post) in table.items() if set(post) != {"M"} and not name.startswith("api_")
    }
    by_hand = {name for names in BY_HAND.values() for name in names.split()}
    assert not by_hand & set(SAME)
    assert pages - by_hand - set(SAME) == set(), "it needs an address in the API, or a reason"
    assert (by_hand | set(SAME)) - pages == set(), "no such page"
    assert {api for names in SAME.values() for api in names.split()} <= set(table)


def test_every_step_at_a_table_but_that_of_a_window_is_in_the_api() -> None:
    assert set(FIELDS) - {"ask"} == set(STEPS) - {"window"}
