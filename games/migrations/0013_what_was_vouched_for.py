"""Says of every sheet who vouched for it, and of every sealed board who may have seen its cards."""

import hashlib
import logging
from dataclasses import replace

from django.db import migrations
from django.db.models import Q
from django.utils import timezone

from league.storage.append_only import (
    PARTICIPATIONS,
    RULINGS,
    SCORESHEETS,
    VOUCHES,
)

log = logging.getLogger(__name__)
OFFICES = ("scorer", "director", "owner")
DECIDED = ("confirmed", "walkover", "void")
SCORESHEETS_BEFORE = replace(
    SCORESHEETS, columns=tuple(each for each in SCORESHEETS.columns if each != "entered_as")
)


def forwards(apps, schema_editor):
    connection = schema_editor.connection
    before = digest(apps)
    SCORESHEETS.drop(connection)
    name_capacities(apps)
    SCORESHEETS.create(connection)
    after = digest(apps)
    log.info("games_scoresheet: %s rows, %s before and %s after", before[0], before[1], after[1])
    if before != after:
        raise RuntimeError("A scoresheet changed in something else than its capacity.")
    for guard in (VOUCHES, PARTICIPATIONS, RULINGS):
        guard.create(connection)
    vouch(apps)
    settle(apps)
    take_down_players(apps)
    take_down_officials(apps)
    take_down_accounts(apps)


def backwards(apps, schema_editor):
    connection = schema_editor.connection
    for guard in (VOUCHES, PARTICIPATIONS, RULINGS, SCORESHEETS):
        guard.drop(connection)
    SCORESHEETS_BEFORE.create(connection)


def digest(apps):
    """How many sheets there are, and a digest of what they hold beside their capacity."""
    found, rows = hashlib.sha256(), 0
    sheets = apps.get_model("games", "Scoresheet").objects.order_by("pk")
    for row in sheets.values_list(
        "pk", "match", "version", "digest", "origin", "entered_by", "entered_for", "verdict"
    ).iterator():
        found.update(repr(row).encode())
        rows += 1
    return rows, found.hexdigest()


def name_capacities(apps):
    sheets = apps.get_model("games", "Scoresheet").objects
    sheets.filter(origin="table").update(entered_as="table")
    others = sheets.filter(entered_for=None).exclude(origin="table")
    links = set(
        apps.get_model("league", "AuditEntry")
        .objects.filter(action="sheet.opened_by_link")
        .values_list("fixture_id", "actor_id")
    )
    offices = set(
        apps.get_model("league", "Membership")
        .objects.filter(role__in=OFFICES)
        .values_list("user_id", "club_id")
    )
    for sheet in others.select_related("match__fixture__round__competition").iterator():
        club = sheet.match.fixture.round.competition.club_id
        is_by_code = (sheet.match_id, sheet.entered_by_id) in links
        is_official = (sheet.entered_by_id, club) in offices
        capacity = "code" if is_by_code and not is_official else "official"
        sheets.filter(pk=sheet.pk).update(entered_as=capacity)


def side_of(fixture, user, stand_ins):
    """The entry for which an account plays in a match, or None."""
    for entry in (fixture.home, fixture.away):
        pair = entry.partnership
        if (
            user in {pair.player_a.user_id, pair.player_b.user_id}
            or (fixture.pk, entry.pk, user) in stand_ins
        ):
            return entry.pk
    return None


def in_events(apps):
    """Accounts and the competitions that they are entered in."""
    entries = apps.get_model("league", "Entry").objects
    found = set()
    for seat in ("player_a", "player_b"):
        rows = entries.filter(**{f"partnership__{seat}__user__isnull": False})
        found |= set(rows.values_list(f"partnership__{seat}__user", "competition"))
    return found


def vouch(apps):
    Vouch = apps.get_model("games", "Vouch")
    playing = in_events(apps)
    substitutions = apps.get_model("league", "Substitution").objects
    stand_ins = set(substitutions.values_list("fixture_id", "entry_id", "substitute__user_id"))
    confirmed = {}
    trail = apps.get_model("league", "AuditEntry").objects.filter(action="sheet.confirmed")
    for fixture, actor, after, at in trail.order_by("pk").values_list(
        "fixture_id", "actor_id", "after", "at"
    ):
        if actor and isinstance(after, dict):
            confirmed.setdefault((fixture, after.get("version")), (actor, at))
    made = []
    sheets = apps.get_model("games", "Scoresheet").objects.select_related(
        "match__fixture__round",
        "match__fixture__home__partnership__player_a",
        "match__fixture__home__partnership__player_b",
        "match__fixture__away__partnership__player_a",
        "match__fixture__away__partnership__player_b",
    )
    for sheet in sheets.order_by("pk").iterator(chunk_size=500):
        fixture = sheet.match.fixture
        event = fixture.round.competition_id
        made += entering(Vouch, sheet, event, playing)
        by, at = confirmed.get((fixture.pk, sheet.version), (None, None))
        if by is None and sheet.verdict == "confirmed":
            by, at = sheet.verdict_by_id, sheet.verdict_at or sheet.entered_at
        if by is None or sheet.entered_as == "table":
            continue
        entry = side_of(fixture, by, stand_ins)
        if entry is not None and entry != sheet.entered_for_id:
            made.append(Vouch(sheet=sheet, kind="side", entry_id=entry, actor_id=by, at=at))
        elif entry is None:
            kind = "second" if sheet.entered_as == "official" else "official"
            is_neutral = (by, event) not in playing
            made.append(Vouch(sheet=sheet, kind=kind, actor_id=by, is_neutral=is_neutral, at=at))
    Vouch.objects.bulk_create(made, batch_size=500)


def entering(Vouch, sheet, event, playing):
    """The word of who entered the sheet."""
    at, by = sheet.entered_at, sheet.entered_by_id
    if sheet.entered_as == "table":
        return [Vouch(sheet=sheet, kind="table", at=at)]
    if sheet.entered_for_id:
        return [Vouch(sheet=sheet, kind="side", entry_id=sheet.entered_for_id, actor_id=by, at=at)]
    if sheet.entered_as == "official":
        return [
            Vouch(sheet=sheet, kind="official", actor_id=by, is_neutral=(by, event) not in playing, at=at)
        ]
    return []


def settle(apps):
    """What was decided before this keeps no board shut; a table in the browser has seen what was played at it."""
    plays = apps.get_model("games", "FixtureBoard").objects
    plays.filter(fixture__status__in=DECIDED).update(settled="earlier")
    tables = apps.get_model("games", "Scoresheet").objects.filter(verdict="confirmed", origin="table")
    plays.filter(fixture__in=tables.values("match")).update(is_proven=True)
    fixtures = apps.get_model("league", "Fixture").objects.filter(
        status__in=("walkover", "void"), round__competition__duplicate__isnull=False
    )
    Ruling = apps.get_model("games", "Ruling")
    Ruling.objects.bulk_create(
        Ruling(fixture=fixture, status=fixture.status, is_neutral=True, at=timezone.now())
        for fixture in fixtures
    )


def take_down_players(apps):
    """Who sat at a board: by the seats of confirmed matches, and at tables in the browser."""
    Participation = apps.get_model("games", "Participation")
    plays = apps.get_model("games", "FixtureBoard").objects.select_related(
        "board__board_set", "fixture__round"
    )
    seats = {}
    rows = apps.get_model("games", "MatchSeat").objects.values_list(
        "match_id", "player_id", "player__user_id"
    )
    for match, player, user in rows:
        seats.setdefault(match, []).append((player, user))
    made = [
        Participation(
            kind="played",
            competition_id=play.fixture.round.competition_id,
            board_set_id=play.board.board_set_id,
            board_id=play.board_id,
            fixture_id=play.fixture_id,
            player_id=player,
            user_id=user,
            at=timezone.now(),
        )
        for play in plays
        for player, user in seats.get(play.fixture_id, ())
    ]
    deals = apps.get_model("games", "TableDeal").objects.filter(
        board__isnull=False, table__fixture__isnull=False
    )
    table_seats = apps.get_model("games", "TableSeat").objects
    for deal in deals.select_related("board__board_set", "table"):
        sat = table_seats.filter(table=deal.table, user__isnull=False).filter(
            Q(left_at=None) | Q(left_at__gte=deal.started_at)
        )
        if deal.finished_at:
            sat = sat.filter(since__lte=deal.finished_at)
        made += [
            Participation(
                kind="played",
                competition_id=deal.board.board_set.competition_id,
                board_set_id=deal.board.board_set_id,
                board_id=deal.board_id,
                fixture_id=deal.table.fixture_id,
                player_id=player,
                user_id=user,
                at=deal.started_at,
            )
            for player, user in set(sat.values_list("player_id", "user_id"))
        ]
    Participation.objects.bulk_create(made, batch_size=500)


def take_down_officials(apps):
    """Who took cards out, and who typed or judged a sheet of sealed boards for others."""
    Participation = apps.get_model("games", "Participation")
    made = [
        Participation(
            kind="dealt" if draw.board_set.competition.club.lone_director_deals else "drew",
            competition_id=draw.board_set.competition_id,
            board_set_id=draw.board_set_id,
            user_id=draw.drawn_by_id,
            reason=draw.reason,
            at=draw.drawn_at,
        )
        for draw in apps.get_model("games", "BoardDraw").objects.select_related("board_set__competition__club")
        if draw.drawn_by_id
    ]
    plays = {}
    for play in apps.get_model("games", "FixtureBoard").objects.select_related("board__board_set"):
        plays.setdefault(play.fixture_id, []).append(play.board)
    vouches = apps.get_model("games", "Vouch").objects.filter(kind__in=("official", "second"))
    for match, user, at in vouches.values_list("sheet__match_id", "actor_id", "at"):
        made += [
            Participation(
                kind="shown",
                competition_id=board.board_set.competition_id,
                board_set_id=board.board_set_id,
                board_id=board.pk,
                fixture_id=match,
                user_id=user,
                at=at,
            )
            for board in plays.get(match, ())
            if user
        ]
    Participation.objects.bulk_create(made, batch_size=500)


def take_down_accounts(apps):
    """What the trail alone has kept so far: who was named to play, and whose account a player was."""
    Participation = apps.get_model("games", "Participation")
    accounts = dict(apps.get_model("league", "Player").objects.values_list("pk", "user_id"))
    trail = apps.get_model("league", "AuditEntry").objects
    made = []
    for entry in trail.filter(action="fixture.substituted").iterator():
        key = entry.after.get("substitute") if isinstance(entry.after, dict) else None
        if key in accounts:
            made.append(named(Participation, entry, key, accounts, fixture_id=entry.fixture_id))
    for entry in trail.filter(action__in=("evening.pair_joined", "evening.pair_left")).iterator():
        for key in (entry.after or {}).get("seated") or ():
            if key in accounts:
                made.append(named(Participation, entry, key, accounts))
    for entry in trail.filter(action="player.unlinked").iterator():
        user = (entry.before or {}).get("user")
        if user and entry.player_id:
            made.append(Participation(kind="linked", player_id=entry.player_id, user_id=user, at=entry.at))
    made += [
        Participation(kind="linked", player_id=player, user_id=user, at=timezone.now())
        for player, user in accounts.items()
        if user
    ]
    Participation.objects.bulk_create(made, batch_size=500)


def named(Participation, entry, key, accounts, fixture_id=None):
    return Participation(
        kind="named",
        competition_id=entry.competition_id,
        fixture_id=fixture_id,
        player_id=key,
        user_id=accounts[key],
        at=entry.at,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_proof_of_play"),
        ("league", "0008_said_in_any_language"),
    ]
    operations = [migrations.RunPython(forwards, backwards)]
