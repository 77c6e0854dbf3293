"""Asking every address as every role, and writing down what each is answered."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from django.utils.text import slugify

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.concerto.signals.systems import SHORT
from engine.game import get
from games.boards.services import boards
from games.conventions import services as conventions
from games.daily import services as daily_deals
from games.models import (
    BoardSet,
    ChatLine,
    DailyPlay,
    Duplicate,
    Handicap,
    Paper,
    Scoresheet,
    SheetPhoto,
    Table,
)
from games.scoresheets import entry_links
from games.scoresheets.services import scoresheets
from games.tables.services import guests, opening
from games.tables.socket import rates
from league.clubs.services import invitations
from league.draws.services import challenges
from league.fixtures import feeds
from league.models import (
    Adjustment,
    Challenge,
    Club,
    ClubImport,
    Competition,
    DateProposal,
    DraftChange,
    Entry,
    Fixture,
    ImportBatch,
    ImportedTrailLine,
    Invitation,
    JoinRequest,
    Membership,
    Notice,
    Player,
    PlayerClaim,
    PlayerMerge,
    PushSubscription,
    Role,
    Round,
    Substitution,
    Webhook,
)
from league.notices import events, unsubscribing
from league.people.services import joining, lineups
from league.seasons.services import finishing, following
from league.storage import board_keys
from league.teams.services import line_ups
from league.webhooks.services import webhooks
from tests.games import evening_rooms
from tests.games.events import Event, make_event, play
from tests.heartbeats import all_at_work
from tests.kept_scenes import kept
from tests.league import factories
from tests.scenes import Scene, make_scene, make_user, totals_sheet

# Who asks. Anna has entered the sheet of the first fixture, against Eva; Iris plays elsewhere in the league.
ROLES = ("visitor", "stranger", "foreign", "iris", "anna", "eva", "sam", "dora", "olive")
TEAM_ADDRESSES = (
    "open_rooms", "team_average", "team_wall", "team_wall_live",
    "api_team_match", "api_line_up", "api_open_rooms", "api_team_average",
)  # fmt: skip
NOT_OURS = ("account_", "mfa_", "admin", "set_language")


@dataclass
class Stage:
    """A scene with one row of everything that an address can name."""

    scene: Scene
    sheet: Scoresheet
    claim: PlayerClaim
    clients: dict[str, Client] = field(default_factory=dict)
    names: dict[str, dict[str, Any]] = field(default_factory=dict)


def set_stage() -> Stage:
    """The scene, a sheet that waits, and a director of another club."""
    all_at_work()
    return _set()


@kept
def _set() -> Stage:
    scene = make_scene()
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    other = Club.objects.create(name="Elsewhere", slug="elsewhere")
    scene.users["foreign"] = make_user("Foreign Director")
    Membership.objects.create(user=scene.users["foreign"], club=other, role=Role.OWNER)
    newcomer = Player.objects.create(club=scene.club, name="Newcomer")
    claim = PlayerClaim.objects.create(player=newcomer, user=scene.users["stranger"])
    stage = Stage(scene, sheet, claim)
    stage.names = _names(scene)
    return stage


def make_finished(scene: Scene, name: str) -> Competition:
    """A competition of one match that is over."""
    made = factories.running(scene.club, pairs=2, name=name, slug=slugify(name))
    factories.result(Fixture.objects.of_competition(made.pk).get(), 60, 40)
    finishing.finish(actor=factories.DIRECTOR, competition=made, at=timezone.now() + timedelta(days=30))
    return made


CLUB_ADDRESSES = (
    "api_club_settings", "api_members", "api_desk", "api_club_trail", "api_imported_trail",
    "api_missing_results", "api_club_mails", "api_club_players",
    "api_club_pairs", "api_claims", "api_duplicates", "api_merges", "api_imports", "api_set_up", "api_deleted_drafts",
)  # fmt: skip
DRAFT_ADDRESSES = (
    "api_setup", "api_setup_preview", "api_draft_undo", "api_publish", "api_entries", "api_numbers", "api_draw",
    "api_draw_back",
)  # fmt: skip
EVENING_ADDRESSES = (
    "api_evening", "api_evening_acts", "api_evening_late", "api_evening_leave", "api_evening_take_back",
)  # fmt: skip
PLAYER_ADDRESSES = ("api_club_player", "api_player_unlink", "api_player_in_public")
BOARDS_OF_A_COMPETITION = (
    "api_board_sets", "api_board_file_preview", "api_board_file_import", "api_comparison_settings",
)  # fmt: skip
IMPORT_ADDRESSES = ("api_import", "api_import_mend", "api_import_commit", "api_import_undo")


def _names(scene: Scene) -> dict[str, dict[str, Any]]:
    """What stands for each address's parameters, by the address's name."""
    entry = Entry.objects.create(
        competition=scene.competition,
        division=scene.division,
        lineup=_withdrawn_pair(scene),
        number=9,
        withdrawn_at="2026-10-02T00:00Z",
    )
    adjustment = Adjustment.objects.create(entry=scene.entries[1], points="-1", reason="Late")
    twins = [Player.objects.create(club=scene.club, name="Twin") for _ in range(2)]
    merge = PlayerMerge.objects.create(kept=twins[0], merged=twins[1], moved=[])
    batch = ImportBatch.objects.create(club=scene.club, kind="players", rows=[])
    sent = make_club_imports(scene)
    change = DraftChange.objects.create(
        club=scene.club, competition=scene.competition, action="entry.added", summary="Entered", before={}
    )
    membership = Membership.objects.get(user=scene.users["iris"], club=scene.club)
    fixture = {"pk": scene.fixture.pk}
    paper = make_ready_paper(scene)
    photo = make_ready_photo(scene)
    event = make_played_event(scene)
    sealed = make_sealed_set(scene, event)
    boards_of = {"competition": event.competition.slug, "pk": sealed.pk}
    duplicate = {"competition": event.competition.slug}
    Handicap.objects.create(competition=event.competition, share=50)
    board = {"pk": event.boards[0].board_set_id, "number": event.boards[0].number}
    evening, plan = make_evenings(scene)
    card = conventions.write(
        actor=scene.users["anna"],
        pair=scene.entries[0].lineup,
        game_key="concerto",
        content={**SHORT.as_json(), "name": "Parlett"},
        after=0,
    )
    casual = make_table(scene)
    table = {"pk": casual.pk, "name": "ready", "hand": 0, "number": 1, "seat": "S"}
    tables = (
        "table",
        "table_view",
        "table_guests",
        "table_act",
        "table_step",
        "table_hint",
        "table_meaning",
        "table_reasons",
        "table_replay",
        "table_replay_page",
        "practice_again",
        "table_analysis",
        "table_analysis_live",
        "api_table",
        "api_table_actions",
        "api_table_join",
        "api_table_leave",
        "api_table_fill",
        "api_table_steps",
        "api_table_guests",
        "table_keep",
    )
    swiss = factories.running(scene.club, format="swiss", name="Swiss", slug="swiss")
    asked = {"pk": swiss.entries.all()[0].pk}
    seated = factories.running(
        scene.club,
        format="tables_evening",
        name="Seated",
        slug="seated",
        game="tien-len",
        points={"by": "rank"},
    )
    cup = factories.running(scene.club, format="knockout", name="Cup", slug="cup")
    teams = make_team_league(scene)
    team, of_teams = (
        {"pk": teams.entries.all()[0].pk},
        {"pk": teams.stage.divisions.get().fixtures.all()[0].pk},
    )
    tie = {"pk": cup.stage.divisions.get().fixtures.all()[0].pk}
    ladder = factories.running(scene.club, format="ladder", name="Ladder", slug="ladder")
    challenge = make_challenge(ladder)
    on_ladder = {"competition": ladder.slug, "pk": ladder.entries.get(number=1).pk}
    closed = factories.club("Closed", is_open=False)
    drawn = {"competition": swiss.slug, "pk": swiss.stage.divisions.get().pk}
    over, earlier = make_finished(scene, "Last Season"), make_finished(scene, "Season Before")
    again = following.begin(
        actor=factories.DIRECTOR,
        competition=earlier,
        name="Next Season",
        season="2027/28",
        starts_on=date(2027, 9, 6),
        at=timezone.now(),
    )
    room = {"competition": evening.slug, "pk": evening.entries.all()[0].pk}
    daily = daily_deals.made(get("concerto"), timezone.now().date())
    webhook = {"pk": make_webhook(scene).pk}
    of_club = {"slug": scene.club.slug}
    on_board, reported = {"pk": event.fixtures[0].pk, "number": 1}, make_reported_line(casual)
    own: dict[str, dict[str, Any]] = {
        **dict.fromkeys(tables, table),
        **dict.fromkeys(EVENING_PAGES, room),
        "usebio_file": {"competition": evening.slug},
        "api_evenings": of_club,
        "api_online": {"pk": scene.competition.pk},
        "api_agreement": {"pk": scene.entries[0].lineup_id},
        **{key: {"pk": evening.pk, "entry": room["pk"]} for key in EVENING_ADDRESSES},
        "api_evening_movement": {"pk": plan.pk},
        "evening_step": {"competition": plan.slug, "step": "movement"},
        **{key: {"competition": over.slug} for key in ("competition_following", "competition_later_stage")},
        "competition_answers": {"competition": again.slug},
        "season_answer": {"pk": again.answers.all()[0].pk},
        "board": board,
        "board_best": board,
        "board_why": board,
        "event_ranking": duplicate,
        "handicap": duplicate,
        "event_ranking_live": duplicate,
        "event_field": duplicate,
        "compare_tables": duplicate,
        "scorecard": {**duplicate, "pk": event.entries[0].pk},
        "round_comparison": duplicate,
        "pair_sessions": {"pk": event.entries[0].lineup_id},
        "player_sessions": {"pk": event.entries[0].lineup.players[0].pk},
        "board_set": boards_of,
        "board_set_check": boards_of,
        "board_set_sqd": boards_of,
        "board_set_sqk": boards_of,
        "api_board_set": boards_of,
        **{key: {"pk": event.competition.pk} for key in BOARDS_OF_A_COMPETITION},
        "desk_boards": boards_of,
        "desk_comparison": boards_of,
        "desk_boards_make": boards_of,
        "desk_boards_import": boards_of,
        "desk_board_set": boards_of,
        "desk_board_tables": {**boards_of, "pk": event.boards[0].board_set_id, "number": event.boards[0].pk},
        "desk_board_act": {**boards_of, "act": "discard"},
        "award": on_board,
        **{key: {"pk": event.boards[0].pk} for key in ("api_board_comparison", "api_board_tables")},
        **{key: {"pk": event.competition.pk} for key in ("api_rankings", "api_handicap")},
        "paper_file": {"pk": paper.pk},
        "photo": {"photo": photo.pk},
        "photo_remove": {"photo": photo.pk},
        "api_photo": {"photo": photo.pk},
        **{key: {**of_club, "pk": reported.pk} for key in ("chat_settle", "api_chat_report")},
        "api_chat_reports": of_club,
        "api_substitute": {**fixture, "substitution": 1},
        **dict.fromkeys(("api_award", "api_award_preview", "api_award_back"), on_board),
        "paper_again": {"pk": paper.pk},
        "game_rules": {"game": scene.competition.game},
        **{key: {"game": "concerto"} for key in ("daily", "daily_play")},
        "daily_day": {"game": "concerto", "day": daily.day.isoformat()},
        "daily_shared": {"share": DailyPlay.objects.create(daily=daily, user=scene.users["iris"]).token},
        "game_scoring": {"game": scene.competition.game},
        "game_rules_before": {"game": scene.competition.game},
        "neutral_decision": {"token": "of-nobody"},
        "guest_link": {"token": guests.renew_link(actor=scene.users["anna"], table_id=casual.pk).token},
        "my_notice": {"pk": make_notice(scene).pk},
        "unsubscribe": {
            "token": unsubscribing.path_of(scene.users["eva"].pk, events.CLAIM_DECIDED).split("/")[-2]
        },
        "player_invitation": {"token": make_slip_token(scene)},
        "calendar_my": {"token": make_calendar_token(scene)},
        "calendar_of": {"token": "public", "kind": "competitions", "pk": scene.competition.pk},
        "competition_file": {"kind": "standings", "form": "csv"},
        "desk_players_file": {"form": "xlsx"},
        "embedded": {"language": "en", "kind": "standings"},
        "sheet_link": {"token": entry_links.token_of(scene.fixture)},
        "player": {"pk": scene.players[0].pk},
        "player_claim": {"pk": twins[0].pk},
        "pair": {"pk": scene.entries[0].lineup_id},
        "pair_play": {"pk": scene.entries[0].lineup_id},
        "pair_card": {"pk": scene.entries[0].lineup_id},
        "pair_card_edit": {"pk": scene.entries[0].lineup_id},
        "pair_card_versions": {"pk": scene.entries[0].lineup_id},
        "pair_card_version": {"pk": card.lineup_id, "number": card.number},
        "api_convention_card": {"pk": card.lineup_id, "game": card.game},
        "player_play": {"pk": scene.players[0].pk},
        "desk_webhook": webhook,
        "desk_webhook_tries": webhook,
        "desk_member": {"pk": membership.pk},
        "desk_member_remove": {"pk": membership.pk},
        "desk_player": {"pk": scene.players[0].pk},
        "desk_player_erase": {"pk": scene.players[0].pk},
        "desk_undo_merge": {"pk": merge.pk},
        "desk_import_batch": {"pk": batch.pk},
        **{key: {"pk": sent.pk} for key in ("club_import_file", "api_club_import", "api_club_import_begin")},
        "api_club_file": of_club,
        "api_competition_file": {"pk": scene.competition.pk},
        "entry_withdraw": {"pk": scene.entries[3].pk},
        "entry_substitute": {"pk": scene.entries[3].pk},
        "entry_reinstate": {"pk": entry.pk},
        "entry_adjust": {"pk": scene.entries[3].pk},
        "competition_step": {"step": "pairs"},
        "draft_undo": {"pk": change.pk},
        "draft_bring_back": {"pk": change.pk},
        "adjustment_revoke": {"pk": adjustment.pk},
        "division_lots": {"pk": scene.division.pk},
        "round_draw": {**drawn, "number": 2},
        **dict.fromkeys(("kept_apart", "house_pair"), drawn),
        **{name: {"competition": seated.slug} for name in ("register", "who_met")},
        "round_sit_out": {**drawn, "number": 2, "pk": swiss.entries.all()[0].pk},
        "round_why": drawn,
        "challenge": {"pk": challenge.pk},
        **{
            name: {"pk": scene.players[0].pk}
            for name in ("player_grade", "grade_hide", "grade_start", "api_player_grade", "api_grade_start")
        },
        "api_club_grades": of_club,
        "challenge_entry": on_ladder,
        "ladder_away": on_ladder,
        "api_ladder": {"pk": ladder.stage.divisions.get().pk},
        "api_challenge": {"pk": challenge.pk},
        "api_challenge_entry": {"pk": ladder.entries.get(number=2).pk},
        "api_ladder_away": {"pk": on_ladder["pk"]},
        "tie": tie,
        "api_who_goes_on": tie,
        "line_up": {**of_teams, "entry": team["pk"]},
        **dict.fromkeys(TEAM_ADDRESSES, of_teams),
        **dict.fromkeys(("captain", "api_captain"), team),
        "api_bracket": {"pk": cup.stage.divisions.get().pk},
        "api_club": {"slug": scene.club.slug},
        "api_club_honours": {"slug": scene.club.slug},
        "api_club_join": {"slug": closed.slug},
        "api_club_join_withdraw": {"slug": closed.slug},
        "api_join_requests": {"slug": scene.club.slug},
        "api_join_request": {"slug": scene.club.slug, "pk": make_join_request(scene).pk},
        **dict.fromkeys(("api_webhooks", "api_invitations", "api_role_invitations"), of_club),
        **dict.fromkeys(("api_invitation_slips", "api_invitation_withdraw"), of_club),
        **{key: {**of_club, **webhook} for key in ("api_webhook", "api_webhook_test", "api_webhook_secret")},
        "api_role_invitation": {**of_club, "pk": make_role_invitation(scene).pk},
        "api_own_invitation": {"pk": make_role_invitation(scene).pk},
        **dict.fromkeys(CLUB_ADDRESSES, of_club),
        **{key: {"pk": again.pk} for key in DRAFT_ADDRESSES},
        "api_entry_remove": {"pk": again.pk, "entry": again.entries.all()[0].pk},
        **{key: {"pk": scene.competition.pk} for key in ("api_late_entry", "api_late_entry_preview")},
        "api_deleted_draft": {**of_club, "pk": change.pk},
        "api_member": {**of_club, "pk": membership.pk},
        "api_claim": {**of_club, "pk": make_claim(scene).pk},
        "api_merge_undo": {**of_club, "pk": merge.pk},
        **{key: {**of_club, "pk": scene.players[0].pk} for key in PLAYER_ADDRESSES},
        **{key: {**of_club, "pk": batch.pk} for key in IMPORT_ADDRESSES},
        "api_player_claim": {"pk": twins[0].pk},
        "api_listed_as_answer": {"pk": twins[0].pk},
        "api_pair_name": {"pk": scene.entries[0].lineup_id},
        **{key: {"pk": scene.entries[3].pk} for key in OF_AN_ENTRY},
        "api_reinstate": {"pk": entry.pk},
        "api_adjustment_revoke": {"pk": adjustment.pk},
        "api_lots": {"pk": scene.division.pk},
        **{
            key: {"pk": scene.competition.pk}
            for key in ("api_competition_state", "api_ending", "api_finish", "api_prizes")
        },
        "api_next_season": {"pk": over.pk},
        **{key: {"pk": over.pk} for key in ("api_copy", "api_later_stage")},
        **{key: {"pk": again.pk} for key in ("api_season_answers", "api_season_fill")},
        "api_season_answer": {"pk": again.answers.all()[0].pk},
        "api_device": {"pk": make_device(scene).pk},
        "substitute_answer": {"pk": scene.fixtures[-1].pk},
        "api_substitute_request": {"pk": make_substitute(scene).pk},
        "api_time": {**fixture, "proposal": make_proposal(scene).pk},
        **{key: {"pk": drawn["pk"], "number": 2} for key in ("api_round_draw", "api_round_draw_back")},
        **{key: {"pk": drawn["pk"]} for key in ("api_kept_apart", "api_house_pair")},
        "api_sit_out": asked,
        "api_play_after_all": asked,
        "api_club_tables": {"slug": scene.club.slug},
        "api_player": {"pk": scene.players[0].pk},
        "api_pair": {"pk": scene.entries[0].lineup_id},
        "api_competition": {"pk": scene.competition.pk},
        "api_standings": {"pk": scene.competition.pk},
        "api_standings_history": {"pk": scene.competition.pk},
    }
    everywhere = {
        "club": scene.club.slug,
        "competition": scene.competition.slug,
        "number": 1,
        "version": 1,
        "game": scene.competition.game,
        **fixture,
    }
    return {name: {**everywhere, **own.get(name, {})} for name in (*own, "")}


def make_team_league(scene: Scene) -> Competition:
    """A league of two teams whose rooms are open."""
    teams = factories.competition(scene.club, pairs=0, name="Teams", slug="teams", team_method="imps")
    Duplicate.objects.create(competition=teams)
    for number in range(2):
        players = [factories.player(scene.club).pk for _each in range(4)]
        (lineup,) = lineups.make(scene.club, [(players, f"Team Number {number}")])
        division = teams.stage.divisions.get()
        Entry.objects.create(competition=teams, division=division, lineup=lineup, number=number + 1)
    teams = factories.drawn(teams)
    match = Fixture.objects.of_competition(teams.pk).get()
    line_ups.stand(actor=factories.DIRECTOR, fixture=match, at=timezone.now())
    return teams


def make_calendar_token(scene: Scene) -> str:
    """What Anna's calendar addresses have in them."""
    return feeds.token_of(scene.users["anna"])


def make_club_imports(scene: Scene) -> ClubImport:
    """The club came as a file, and its owner has sent another one."""
    found = {
        "club": "Riverside Club", "of_competition": "", "competitions": [], "players": 0, "pairs": 0, "matches": 0,
        "results": 0, "sheets": 0, "boards": 0, "trail": 1, "left_out": [{"what": "photos", "count": 3}],
    }  # fmt: skip
    sent = {"preview": found, "made_by": scene.users["olive"], "made_at": timezone.now(), "language": "en"}
    ClubImport.objects.create(
        club=scene.club, state="done", done_at=timezone.now(), file_name="here.zip", **sent
    )
    ImportedTrailLine.objects.create(
        club=scene.club, at=timezone.now(), who="Olive Owner", action="club.founded", what="Club created"
    )
    return ClubImport.objects.create(content=b"none", file_name="club.zip", **sent)


def make_challenge(ladder: Competition) -> Challenge:
    """The last of the ladder challenges the one above."""
    below, above = ladder.entries.with_pairs().order_by("-number")[:2]
    made: Challenge = challenges.challenge(
        actor=factories.DIRECTOR, challenger=below, challenged=above, at=timezone.now()
    )
    return made


def make_claim(scene: Scene) -> PlayerClaim:
    """Somebody says that they are a player of the club."""
    someone = Player.objects.create(club=scene.club, name="Someone")
    return PlayerClaim.objects.create(player=someone, user=make_user("Claimant"))


def make_role_invitation(scene: Scene) -> Invitation:
    """The stranger is asked to be a scorer."""
    email, owner = scene.users["stranger"].email, scene.users["olive"]
    EmailAddress.objects.get_or_create(user=scene.users["stranger"], email=email, defaults={"verified": True})
    there = Invitation.objects.to_roles().filter(club=scene.club, email=email).first()
    return there or invitations.invite(
        actor=owner, club=scene.club, email=email, role=Role.SCORER, at=timezone.now()
    )


def make_device(scene: Scene) -> PushSubscription:
    """Anna's phone is told of what happens."""
    made: PushSubscription = scene.users["anna"].push_subscriptions.create(
        digest="d" * 64, secrets="-", session="s" * 64, session_digest="-", made_at=timezone.now()
    )
    return made


def make_proposal(scene: Scene) -> DateProposal:
    """Anna would rather play at another time."""
    at = timezone.now()
    return DateProposal.objects.create(
        fixture=scene.fixture, entry=scene.fixture.entries[0], starts_at=at + timedelta(days=3)
    )


def make_substitute(scene: Scene) -> Substitution:
    """Eva is asked to play for somebody of another match."""
    fixture = scene.fixtures[-1]
    eva = Player.objects.get(club=scene.club, user=scene.users["eva"])
    entry = next(each for each in fixture.entries if eva not in each.lineup.players)
    return Substitution.objects.create(
        fixture=fixture, entry=entry, absent=entry.lineup.players[0], substitute=eva, answer="waiting"
    )


def make_webhook(scene: Scene) -> Webhook:
    """A program that the club tells of its results."""
    made, _secret = webhooks.add(
        actor=scene.users["olive"],
        club=scene.club,
        url="https://hooks.example.org/",
        events=["result.confirmed"],
        at=timezone.now(),
    )
    return made


def make_played_event(scene: Scene) -> Event:
    """Another competition of the club, in which four tables have played the same two boards, which are released."""
    event = make_event(tables=4, boards=2, club=scene.club)
    for place, fixture in enumerate(event.fixtures):
        play(fixture, (60 + place, 50), (40, 50 + place))
    return event


def make_sealed_set(scene: Scene, event: Event) -> BoardSet:
    """A second round of that competition, whose boards are sealed; the third has none yet."""
    for number in (2, 3):
        Round.objects.create(
            stage=event.competition.stage,
            number=number,
            starts_on=event.rounds[0].starts_on,
            closes_at=event.rounds[0].closes_at,
        )
    return boards.make(
        actor=scene.users["dora"],
        competition=event.competition,
        round=event.competition.stage.rounds.get(number=2),
        count=4,
        reserve=1,
        delayed=DelayedInformation(DelayedKind.AGREED_TEXT, "The name", value="League, round 2"),
    )


OF_AN_ENTRY = ("api_withdraw", "api_entry_substitute", "api_entry_substitute_back", "api_adjustments")
EVENING_PAGES = (
    "evening_room",
    "evening_room_live",
    "evening_screen",
    "evening_screen_live",
    "evening_desk",
    "evening_act",
    "evening_late",
    "evening_leave",
    "evening_take_back",
)


def make_evenings(scene: Scene) -> tuple[Competition, Competition]:
    """An evening of three pairs in its first round, and one that is being set up."""
    dora = scene.users["dora"]
    evening = evening_rooms.laid_out(scene.club, dora, 3, boards=2)
    evening_rooms.begin(evening, dora)
    return evening, evening_rooms.draft(scene.club, dora, 4, boards=2, name="Friday")


def make_table(scene: Scene) -> Table:
    """A casual table at which nobody sits yet."""
    return opening.open_casual(actor=scene.users["anna"], club=scene.club, terms={}, options={})


def make_ready_paper(scene: Scene) -> Paper:
    """A paper without cards, which the scorer asked for."""
    return Paper.objects.create(
        competition=scene.competition,
        kind="scoresheets",
        asked_by=scene.users["sam"],
        state=Paper.State.READY,
        file_name="scoresheets.pdf",
        content=board_keys.encrypt(b"%PDF-1.7"),
        ready_at=timezone.now(),
    )


def make_reported_line(table: Table) -> ChatLine:
    """Something that Anna said at a casual table, and that was reported."""
    now = timezone.now()
    return ChatLine.objects.create(
        table=table, seat="N", user=table.opened_by, name="Anna", text="?!", said_at=now, reported_at=now
    )


def make_notice(scene: Scene) -> Notice:
    """Something that Eva was told."""
    context = {"player": "Eva Novak", "club": str(scene.club), "path": "/my/", "name": "Eva", "club_name": ""}
    return Notice.objects.create(
        user=scene.users["eva"], event=events.LINKED_YOU.key, context=context, made_at=timezone.now()
    )


def make_join_request(scene: Scene) -> JoinRequest:
    """Somebody asks to become a member."""
    return JoinRequest.objects.create(club=scene.club, user=make_user("Newcomer New"), made_at=timezone.now())


def make_slip_token(scene: Scene) -> str:
    """What stands on a printed slip that is the invitation of a player."""
    newcomer = Player.objects.create(club=scene.club, name="Paper Only")
    dora, at = scene.users["dora"], timezone.now()
    (slip,) = joining.make_slips(actor=dora, club=scene.club, players=[newcomer.pk], at=at)
    return slip.address.rstrip("/").rpartition("/")[2]


def make_ready_photo(scene: Scene) -> SheetPhoto:
    """A photo of the first match's paper, which Anna added."""
    return SheetPhoto.objects.create(
        club=scene.club,
        fixture=scene.fixture,
        added_by=scene.users["anna"],
        added_at=timezone.now(),
        state=SheetPhoto.State.READY,
        content=board_keys.encrypt(b"\xff\xd8\xff"),
        size=3,
    )


def _withdrawn_pair(scene: Scene) -> Any:
    players = [Player.objects.create(club=scene.club, name=name) for name in ("Gone One", "Gone Two")]
    return factories.pair(scene.club, players[0], players[1])


def addresses(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every named address of ours."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from addresses(each, prefix)
        elif each.name and not each.name.startswith(NOT_OURS):
            yield each.name, each


def address_of(stage: Stage, name: str, pattern: URLPattern) -> str:
    """The address with the stage's rows in it."""
    known = stage.names.get(name, stage.names[""])
    wanted = pattern.pattern.converters
    return reverse(name, kwargs={key: known[key] for key in wanted})


def answers(stage: Stage, method: str, name: str, pattern: URLPattern, roles: Iterable[str]) -> str:
    """One mark for each of these roles. Whatever a request did is taken back before the next."""
    address = address_of(stage, name, pattern)
    return "".join(_ask(stage, method, name, address, role) for role in roles)


def _ask(stage: Stage, method: str, name: str, address: str, role: str) -> str:
    client = _client(stage, role)
    if method == "post":
        cache.clear()  # each asks with full buckets, shared and of this process
        rates.forget()
    with transaction.atomic():
        if method == "get":
            answer = client.get(address)
        else:
            is_json = name.startswith("api_") or name == "sheet_reading"
            answer = client.post(
                address, _body(stage, name), content_type="application/json" if is_json else MULTIPART_CONTENT
            )
        transaction.set_rollback(True)
    return mark(answer)


def _client(stage: Stage, role: str) -> Client:
    if role not in stage.clients:
        stage.clients[role] = Client(raise_request_exception=False)
        if role != "visitor":
            stage.clients[role].force_login(stage.scene.users[role])
    return stage.clients[role]


def _body(stage: Stage, name: str) -> dict[str, Any]:
    """What a person who may do it would send; for most addresses it is enough to send something."""
    sheet = {"version": stage.sheet.version, "digest": stage.sheet.digest, "reason": "Deal 2 is wrong"}
    content = totals_sheet((60, 20), (50, 31))
    bodies: dict[str, dict[str, Any]] = {
        "sheet_confirm": sheet,
        "sheet_reject": sheet,
        "api_sheet_confirm": sheet,
        "api_sheet_reject": sheet,
        "api_sheets": {"content": content},
        "api_sheet_preview": {"content": content},
        "api_notice_choices": {"channels": {}},
        "api_days_away": {"first": str(timezone.localdate())},
        "api_days_back": {"first": str(timezone.localdate())},
        "api_calendar": {"renew": True},
        "api_contact": {"telephone": "0123 456"},
        "api_public_name": {"public_name": "initials"},
        "api_club_join": {},
        "api_clubs": {"name": "Hillside Club", "time_zone": "Europe/London"},
        "api_club_settings": {"about": "Cards on Mondays"},
        "api_member": {"role": "scorer"},
        "api_name": {"name": "Another Name"},
        "api_club_players": {"name": "Paula Plum"},
        "api_club_player": {"number": "4711"},
        "api_player_in_public": {"is_young": True},
        "api_club_pairs": {"players": [each.pk for each in stage.scene.players[::2][:2]]},
        "api_claim": {"accept": False},
        "api_merges": {"keep": stage.names["api_player"]["pk"], "duplicate": stage.claim.player_id},
        "api_imports": {"kind": "players", "text": "name\nPaula Plum"},
        **{key: {} for key in ("api_missing_results", "api_club_mails", "api_site_mails")},
        **{key: {} for key in ("api_merge_undo", "api_player_unlink", *IMPORT_ADDRESSES)},
        "api_set_up": {"name": "Winter League"},
        "api_setup": {"place": "Town Hall"},
        **{key: {} for key in ("api_setup_preview", "api_entries", "api_draw_back", "api_deleted_draft")},
        "api_draft_undo": {"change": 10**9, "seen": 0},
        "api_evenings": {"name": "Thursday", "starts_on": "2027-01-07"},
        "api_online": {"is_open": True},
        "api_agreement": {"text": "We lead high."},
        "api_table_steps": {"step": "ready"},
        "api_table_guests": {"step": "link"},
        "api_lobby_choices": {"wants_calls": True},
        "api_evening": {"place": "The Barn"},
        "api_evening_acts": {"act": "finish"},
        "api_evening_movement": {"kind": "howell"},
        "api_evening_late": {"option": "by-air", "typed": "Nora Nye & Ole Ost"},
        "api_evening_leave": {"option": "by-air", "reason": "Because"},
        "api_evening_take_back": {},
        "api_publish": {"seen": 10**9},
        "api_numbers": {"by": "lot"},
        "api_draw": {"order": "lot"},
        **{key: {"pair": 10**9} for key in ("api_late_entry", "api_late_entry_preview")},
        "api_player_claim": {},
        "api_listed_as_answer": {"is_me": True},
        "api_pair_name": {"name": "The Magpies"},
        "api_club_join_withdraw": {},
        "api_join_request": {"accept": True},
        "api_invitations": {"players": [stage.names["api_player"]["pk"]]},
        "api_invitation_slips": {"players": [stage.names["api_player"]["pk"]]},
        "api_invitation_withdraw": {"player": stage.names["api_player"]["pk"]},
        "api_role_invitations": {"email": "new@example.org", "role": "scorer"},
        "api_own_invitation": {"accept": True},
        "api_webhooks": {"url": "https://hooks.example.org/", "events": ["result.confirmed"]},
        "api_webhook": {"events": ["standings.changed"]},
        **{key: {} for key in ("api_webhook_test", "api_webhook_secret", "api_next_season")},
        **{key: {} for key in ("api_copy", "api_season_answers", "api_club_file", "api_competition_file")},
        "api_season_fill": {"with_silent": True},
        "api_season_answer": {"is_in": True},
        "api_times": {"starts_at": str(timezone.now() + timedelta(days=3))},
        "api_time": {"answer": "decline"},
        "api_entry_substitute": {"absent": 1, "substitute": 1, "reason": "Because"},
        "api_adjustments": {"points": "-1", "reason": "Because"},
        "api_lots": {"entries": [each.pk for each in stage.scene.entries[:2]]},
        "api_competition_state": {"to": "running"},
        "api_ending": {"plans": []},
        "api_finish": {"seen": "of another day"},
        "api_ruling": {"ruling": "void", "reason": "Because"},
        "api_arrange": {"place": "Town hall"},
        "api_award": {"content": {"percent": {"home": "60", "away": "40"}}, "reason": "Because"},
        "api_award_preview": {"content": {"percent": {"home": "60", "away": "40"}}},
        "api_match_boards": {"step": "consent"},
        "api_chat_report": {},
        "api_substitute_request": {"accept": True},
        "api_round_draw": {"seen": "of another day"},
        "api_round_draw_back": {"reason": "Two of them travel together."},
        "api_kept_apart": {"entries": [1, 1]},
        "api_prizes": {"prizes": [{"prize": "Cup", "condition": "place", "number": 1}]},
        "api_house_pair": {"entry": None},
        "api_later_stage": {
            "name": "Final",
            "starts_on": str(timezone.localdate()),
            "format": "swiss",
            "last": 4,
        },
        "api_who_goes_on": {"undo": True, "reason": "Because"},
        "api_sit_out": {"round": 2},
        "grade_hide": {"hide": 1},
        "api_player_grade": {"is_hidden": True},
        "api_grade_start": {"game": "concerto", "grade": "55", "spread": "4", "reason": "Because"},
        "challenge": {"answer": "withdraw"},
        "challenge_entry": {"challenger": 0},
        "ladder_away": {"away": 1},
        "api_challenge": {"answer": "withdraw"},
        "api_challenge_entry": {"challenged": 0},
        "api_ladder_away": {"is_away": True},
        "api_play_after_all": {"round": 2},
        "sheet_send": {"content": json.dumps(content)},
        "desk_claims": {"claim": stage.claim.pk, "answer": "refuse"},
        "competition_draw": {"order": "lot"},
        "practice": {"robot": "novice"},
        "casual_table": {
            "rules_rules": "concerto-2013",
            "rules_deals": 4,
            "clock_seconds": 0,
            "absence_seconds": 60,
            "delay_seconds": 0,
            "on_timeout": "robot",
            "spectators": "nobody",
        },
    }
    return bodies.get(name, {"reason": "Because"})


YES, LOGIN, SENT_ON = (200, 201, 204), "L", ">"
MARKS = {
    401: LOGIN,
    403: "F",
    404: "N",
    405: "M",
    **dict.fromkeys((400, 409, 413, 415, 422), "!"),
    **dict.fromkeys(YES, "."),
}


def mark(answer: HttpResponseBase) -> str:
    """. yes; L to the login first; > sent on; F not allowed; N not found; M other method; ! what was sent is faulty."""
    if answer.status_code == 302:
        return LOGIN if "/accounts/login/" in answer.headers["Location"] else SENT_ON
    return MARKS.get(answer.status_code, f"({answer.status_code})")
