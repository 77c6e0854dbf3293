"""The addresses of the director's desk and of what is reached from it; and of a person's token for programs."""

from django.urls import path

from league.clubs import views as members
from league.desk import views as desk
from league.exports import views as exports
from league.fixtures import views as rulings
from league.manage.views import (
    drawing,
    ending,
    entering,
    evenings,
    following,
    imports,
    manage,
    rounds,
    setup,
)
from league.notices.views import inbox, mails
from league.people.views import duplicates, joining, people, tokens
from league.webhooks import views as webhooks

DESK = "clubs/<slug:club>/desk/"
MANAGE = "clubs/<slug:club>/<slug:competition>/manage/"

urlpatterns = [
    path("clubs/new/", members.found, name="club_found"),
    path(DESK, desk.show, name="desk"),
    path(f"{DESK}now/", desk.live, name="desk_live"),
    path(f"{DESK}seen/", desk.seen, name="desk_seen"),
    path(f"{DESK}matches/", desk.matches, name="desk_matches"),
    path(f"{DESK}missing/", desk.missing, name="desk_missing"),
    path(f"{DESK}trail/", desk.changes, name="desk_trail"),
    path(f"{DESK}club/", members.edit_club, name="desk_club"),
    path(f"{DESK}admissions/", members.asking, name="desk_admissions"),
    path(f"{DESK}members/", members.show, name="desk_members"),
    path(f"{DESK}members/<int:pk>/", members.change, name="desk_member"),
    path(f"{DESK}members/<int:pk>/remove/", members.remove, name="desk_member_remove"),
    path(f"{DESK}invitations/<int:pk>/", members.uninvite, name="desk_uninvite"),
    path("invitations/<int:pk>/", members.invitation, name="invitation"),
    path(f"{DESK}mails/", mails.of_club, name="desk_mails"),
    path(f"{DESK}webhooks/", webhooks.show, name="desk_webhooks"),
    path(f"{DESK}webhooks/<int:pk>/", webhooks.one, name="desk_webhook"),
    path(f"{DESK}webhooks/<int:pk>/tries/", webhooks.tries, name="desk_webhook_tries"),
    path("mails/", mails.of_site, name="site_mails"),
    path("mails/written/", mails.written, name="site_mails_written"),
    path("mails/account/", mails.account, name="site_mail_account"),
    path("mails/account/test/", mails.account_test, name="site_mail_account_test"),
    path("mails/<int:pk>/", mails.one, name="site_mail"),
    path(f"{DESK}players/", people.players, name="desk_players"),
    path(f"{DESK}players/file.<slug:form>", exports.players, name="desk_players_file"),
    path(f"{DESK}players/invitations/", joining.invitations, name="desk_invitations"),
    path("invited/passkey/", joining.passkey, name="passkey_begin"),
    path("invited/<str:token>/", joining.invited, name="player_invitation"),
    path(f"{DESK}players/<int:pk>/", people.edit_player, name="desk_player"),
    path(f"{DESK}players/<int:pk>/erase/", people.erase_player, name="desk_player_erase"),
    path(f"{DESK}pairs/", people.pairs, name="desk_pairs"),
    path(f"{DESK}claims/", people.claims, name="desk_claims"),
    path(f"{DESK}duplicates/", duplicates.duplicates, name="desk_duplicates"),
    path(f"{DESK}duplicates/<int:pk>/undo/", duplicates.undo_merge, name="desk_undo_merge"),
    path(f"{DESK}import/", imports.upload, name="desk_import"),
    path(f"{DESK}import/<int:pk>/", imports.show, name="desk_import_batch"),
    path(f"{DESK}competitions/new/", setup.new, name="competition_new"),
    path(f"{DESK}tables/new/", evenings.new, name="tables_new"),
    path(f"{MANAGE}here/", evenings.register, name="register"),
    path(MANAGE, manage.show, name="competition_manage"),
    path(f"{MANAGE}edit/", setup.edit, name="competition_edit"),
    path(f"{MANAGE}set-up/<slug:step>/", setup.step, name="competition_step"),
    path(f"{MANAGE}undo/<int:pk>/", setup.undo, name="draft_undo"),
    path(f"{DESK}drafts/<int:pk>/bring-back/", setup.bring_back, name="draft_bring_back"),
    path(f"{MANAGE}entries/", entering.enter, name="competition_enter"),
    path(f"{MANAGE}draw/", drawing.draw, name="competition_draw"),
    path(f"{MANAGE}divisions/<int:pk>/rounds/<int:number>/draw/", rounds.draw, name="round_draw"),
    path(f"{MANAGE}divisions/<int:pk>/apart/", rounds.kept_apart, name="kept_apart"),
    path(f"{MANAGE}finish/", ending.show, name="competition_finish"),
    path(f"{MANAGE}next-season/", following.begin, name="competition_following"),
    path(f"{MANAGE}later-stage/", following.later_stage, name="competition_later_stage"),
    path(f"{MANAGE}copy/", following.copy, name="competition_copy"),
    path(f"{MANAGE}again/", following.asked, name="competition_answers"),
    path("my/again/<int:pk>/", following.answer, name="season_answer"),
    path(f"{MANAGE}state/", manage.change_state, name="competition_state"),
    path(f"{MANAGE}entries/<int:pk>/withdraw/", manage.withdraw, name="entry_withdraw"),
    path(f"{MANAGE}entries/<int:pk>/substitute/", manage.substitute, name="entry_substitute"),
    path(f"{MANAGE}entries/<int:pk>/reinstate/", manage.reinstate, name="entry_reinstate"),
    path(f"{MANAGE}entries/<int:pk>/adjust/", manage.adjust, name="entry_adjust"),
    path(f"{MANAGE}adjustments/<int:pk>/revoke/", manage.revoke, name="adjustment_revoke"),
    path(f"{MANAGE}divisions/<int:pk>/lots/", manage.lots_view, name="division_lots"),
    path("fixtures/<int:pk>/who-goes-on/", rounds.tie, name="tie"),
    path("fixtures/<int:pk>/ruling/", rulings.show, name="fixture_ruling"),
    path("my/notices/", inbox.show, name="my_notices"),
    path("my/notices/read/", inbox.read_all, name="my_notices_read"),
    path("my/notices/<int:pk>/", inbox.read, name="my_notice"),
    path("my/notices/choices/", inbox.choices, name="my_notice_choices"),
    path("my/notices/device/", inbox.device, name="my_device"),
    path("unsubscribe/<str:token>/", inbox.unsubscribe, name="unsubscribe"),
    path("my/token/", tokens.show, name="my_token"),
    path("my/token/revoke/", tokens.revoke, name="my_token_revoke"),
]
