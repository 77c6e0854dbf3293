"""A copy of the database, or of the files beside it, tells no card of a sealed board and no points deal by deal.

A round is played at a table in the browser and on paper, with all that can be done on the way; then every column of
every table is searched. The control is the same with the encryption off: the search finds something in every column
that tells.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, models
from django.utils import timezone
from PIL import Image

from games.analysis.services import analyses
from games.boards.services import locks, releases
from games.comparisons.services import awards, comparisons
from games.models import BoardSet, Comparison, EventRanking, FixtureBoard, Scoresheet
from games.papers.services import papers
from games.scoresheets.services import photos, scoresheets
from games.tables.services import requests, rulings
from league.idempotency import digest_of
from league.storage import board_keys
from tests.leaks.event import REASON, Event, content_of, make_event
from tests.leaks.needles import Haystack, Needle, of_words
from tests.live.tables import Laid, all_ready, laid_in, moves, play_deal

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

AWARDED = {"scores": [{"home": "8317", "away": "8311"}]}
#: How JSON of a deal looks, whatever is in it; an action; and what somebody was given.
FORMS = (
    rb'"(?:hands|total|given_away|percent|beaten|scores|costs|suspicious|digest|best|plays|rows)"\s*:',
    rb'"deals"\s*:\s*\[',
    rb'"deal"\s*:\s*"',
    rb"^(?:10|[2-9TJQKA])[shdc]$",
    # Whole numbers only: what is encrypted contains any four digits now and then.
    rb"(?<![\w-])83(?:17|11)(?![\w-])",
)
#: Whose digits may be any number.
MOMENT = re.compile(rb"\d{4}-\d\d-\d\d[ T]")
#: Where the control finds something: each of these would tell.
TELLING = {
    "games_action": {"token", "reason"},
    "games_analysis": {"record", "content"},
    "games_award": {"content", "reason"},
    "games_boardset": {"secret"},
    "games_comparison": {"content", "digest"},
    "games_eventranking": {"content", "digest"},
    "games_paper": {"content"},
    "games_playeddeal": {"record", "score"},
    "games_playedside": {"sealed"},
    "games_scoresheet": {"content", "digest", "verdict_reason"},
    "games_scoresheetdraft": {"content"},
    "games_sheetphoto": {"content"},
    "games_tabledeal": {"score"},
    "games_tablerequest": {"text", "answer"},
    "league_auditentry": {"before", "after", "reason"},
    "league_idempotencykey": {"request_digest"},
    "league_notice": {"context"},
}


def columns() -> Iterator[tuple[str, str, list[bytes]]]:
    """Every column of every table, with what stands in it; but keys, which are numbers by themselves."""
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            names = [each[0] for each in cursor.description]
            rows = cursor.fetchall()
            for place, name in enumerate(names):
                if name == "id" or name.endswith("_id"):
                    continue
                values = [_bytes(row[place]) for row in rows if row[place] is not None]
                yield table, name, [each for each in values if not MOMENT.match(each)]


def _bytes(value: Any) -> bytes:
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def files() -> Iterator[tuple[str, str, list[bytes]]]:
    """Every file that the site keeps beside its database."""
    folders = {Path(settings.MEDIA_ROOT)} if settings.MEDIA_ROOT else set()
    for folder in folders:
        for file in folder.rglob("*"):
            if file.is_file():
                yield "files", file.name, [file.read_bytes()]


def found_in(places: Iterator[tuple[str, str, list[bytes]]], needles: list[Needle]) -> dict[str, set[str]]:
    """Where something is found, by table: the columns."""
    found: dict[str, set[str]] = {}
    for table, column, values in places:
        if table.startswith("sqlite_") or not values:
            continue
        if any(needle for value in set(values) for needle in Haystack(value).found(needles)):
            found.setdefault(table, set()).add(column)
    return found


def needles_of(event: Event) -> list[Needle]:
    """Cards, points and people's words; digests of what was entered; and what JSON of a deal looks like."""
    found = [*event.needles(), of_words(REASON)]
    found.append(of_words(digest_of({"fixture": event.played.pk, "content": content_of(event)})))
    for model in (Comparison, EventRanking, Scoresheet):
        found += [of_words(each) for each in model.objects.values_list("digest", flat=True) if each]
    found += [Needle("form", 0, form.decode(), re.compile(form)) for form in FORMS]
    return found


def play_the_round(event: Event) -> Laid:
    """One match on paper, corrected and awarded; the other at a table: its first board, and some of the next."""
    on_paper(event)
    laid = laid_in(event.scene)
    moves(laid, 4)
    requests.call_director(actor=laid.at("N"), table_id=laid.table.pk, text=REASON)
    asked = laid.table.requests.get(kind="director")
    dora = event.scene.users["dora"]
    rulings.settle(actor=dora, table_id=laid.table.pk, request_id=asked.pk, answer=REASON)
    rulings.roll_back(actor=dora, table_id=laid.table.pk, to=2, reason=REASON)
    play_deal(laid)
    all_ready(laid)
    moves(laid, 3)
    at = timezone.now()
    analyses.sweep(at=at)
    comparisons.compute_event(competition_id=event.scene.competition.pk, at=at)
    return laid


def on_paper(event: Event) -> None:
    """What the event has not yet: a correction sent twice, a director's score, a photo and a paper."""
    home, away, dora = (event.scene.users[name] for name in ("iris", "olga", "dora"))
    for _twice in range(2):
        sheet = scoresheets.submit(
            actor=home, fixture=event.played, content=content_of(event), origin="api", key="sheet"
        )
    scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest, key="yes")
    scoresheets.save_draft(actor=home, fixture=event.played, content=content_of(event))
    play = FixtureBoard.objects.get(fixture=event.played, position=1)
    awards.award(actor=dora, play=play, content=AWARDED, reason=REASON)
    awards.award(actor=dora, play=play, content=AWARDED, reason=REASON)
    picture = io.BytesIO()
    Image.new("RGB", (64, 48)).save(picture, "JPEG", comment=REASON.encode())
    photos.add(actor=home, fixture=event.played, picture=picture.getvalue(), at=timezone.now())
    asked = {"set": event.board_set.pk, "reason": "To deal"}
    paper = papers.ask(actor=dora, competition=event.scene.competition, kind="slips", parameters=asked)
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    paper.refresh_from_db()
    assert paper.state == "ready", paper.failure


def test_nothing_of_a_sealed_round_can_be_read_in_a_copy_of_the_database() -> None:
    event = make_event()
    play_the_round(event)
    needles = needles_of(event)

    assert found_in(columns(), needles) == {}
    assert found_in(files(), needles) == {}


def test_control_without_encryption_the_search_finds_every_column_that_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(board_keys, "encrypt", lambda text: text)
    monkeypatch.setattr(board_keys, "decrypt", lambda text: text)
    event = make_event()
    play_the_round(event)

    found = found_in(columns(), needles_of(event))
    assert found == TELLING


def test_the_release_publishes_the_cards_and_leaves_the_rest_encrypted() -> None:
    event = make_event()
    play_the_round(event)
    releases.release(actor=event.scene.users["dora"], board_set=event.board_set, reason="The round is over")

    found = found_in(columns(), needles_of(event))
    assert found.pop("games_board") == {"deal"}
    assert found.pop("games_boardset") == {"opened"}
    assert found == {}
    assert board_keys.decrypt(event.board_set.secret) == BoardSet.objects.get(pk=event.board_set.pk).opened


#: Columns in the clear, by model: numbers and names that everybody may read, and keys of rows.
CLEAR = {
    "admin.LogEntry": "object_id object_repr change_message",
    "auth.Permission": "name codename",
    "auth.Group": "name",
    "contenttypes.ContentType": "app_label model",
    "sessions.Session": "session_key session_data",
    "account.EmailAddress": "email",
    "account.EmailConfirmation": "key",
    "league.User": "password email name language",
    "league.Club": "name slug time_zone place about unwanted_words",
    "league.Player": "name email number",
    "league.PlayerClaim": "message",
    "league.SeasonEnd": "sizes",
    "league.FinalPlace": "reason",
    "league.PlayerMerge": "moved newest",
    # What a team match was worth: written when its boards are public, and not before.
    "league.Appearance": "made",
    "league.Lineup": "name members_key",
    "league.Season": "name",
    "league.Competition": "name slug game rules points tie_breaks weekdays days_off place prizes",
    "league.Stage": "options draw_seed",
    "league.Division": "name",
    "league.Entry": "withdrawal_fixtures",
    "league.Adjustment": "points reason",
    "league.LotDraw": "seed order",
    "league.RoundDraw": "seed cost least missing",
    "league.Fixture": "place table note",
    "league.TieDecision": "extra reason",
    "league.Ladder": "start",
    # By whose fault a board can't be played, which its players know.
    "games.BoardAverage": "home away",
    "games.GradeBook": "game constants starts",
    # Of confirmed results and public boards alone.
    "games.GradeSession": "source content",
    "games.GradeStep": "player expected surprise share before grade variance boards",
    "games.GradeSource": "version",
    "games.GradeStart": "game grade spread reason",
    "games.Handicap": "share",
    "games.HandicapGrade": "grade",
    "league.SeasonSubstitute": "reason",
    "league.Substitution": "reason",
    "league.DateProposal": "message",
    # Its own words, of names, numbers of boards and totals of matches.
    "league.AuditEntry": "actor_name action summary said",
    "league.DraftChange": "action summary said",
    "league.IdempotencyKey": "key action",
    "league.Webhook": "host events",
    # What a visitor sees of it (league.webhooks.payloads).
    "league.WebhookDelivery": "event last_error body",
    "league.PushSubscription": "digest session session_digest",
    "league.PushDelivery": "last_error",
    "league.OutboxMessage": "to template last_error",
    "league.MailAccount": "host user sender",
    "league.Invitation": "digest email",
    "league.Notice": "event about",
    "league.NoticeChoice": "event",
    "league.NoticeSettings": "time_zone bounced",
    "league.SweepFailure": "work fault",
    # A file holds no cards but those of released boards, and it is gone once it is imported.
    "league.ClubImport": "file_name digest content preview keys failure language",
    "league.ImportedTrailLine": "who action what about why",
    "league.ImportBatch": "file_name rows notes created",
    "league.StandingsTable": "content digest",
    # The addresses are signed for it: without the site's secret it opens nothing.
    "league.CalendarAddress": "seed",
    "league.ApiToken": "digest hint session_digest",
    "games.Match": "game options first_dealer",
    "games.MatchSeat": "seat",
    "games.Scoresheet": "version totals",
    "games.PlayedDeal": "number dealer",
    # The digest has the key in it.
    "games.Analysis": "game digest dealer version advice_version advice_cards",
    # Only what its board's release has made public: until then it stands in `sealed`.
    "games.PlayedSide": "side given_away",
    "games.PlayedHand": "number value points cost",
    "games.BoardSet": "first_number count reserve commitment delayed opened",
    "games.Board": "place number dealer deal results_version",
    "games.DailyDeal": "game dealer commitment opened deal",
    "games.DailyPlay": "token own others lead",
    "games.BoardDraw": "reason drawn_name",
    "games.Agreement": "text",
    # Who signals what, for everybody to read: no card of any deal.
    "games.ConventionCard": "game number content",
    "games.Duplicate": "least_share delayed open_after_days results_version",
    "games.FixtureBoard": "position version",
    "games.NeutralInvitation": "digest name",
    # Of a director, for everybody to read.
    "games.EarlyPlay": "reason",
    "games.Participation": "reason",
    "games.Ruling": "status",
    "games.Comparison": "results_version",
    "games.EventRanking": "field round_number results_version",
    "games.Evening": "minutes_a_round round_number paused_seconds",
    "games.SectionMovement": "tables rounds arrow_switched phantom length first_table",
    "games.Paper": "kind parameters done pages tries failure file_name",
    "games.SheetPhoto": "size tries",
    "games.OnlinePlay": "clock_seconds absence_seconds robot most_robot_hands delay_seconds",
    "games.RobotHand": "seat side number robot actions",
    "games.SilencePeriod": "days",
    "games.Table": "clock_seconds absence_seconds robot most_robot_hands delay_seconds game options first_dealer "
    "seating players deal_number version seen_version",
    "games.TableSeat": "seat robot ready_for window",
    "games.TableGuest": "name key",
    "games.ChatLine": "seat reported_seat",
    "games.LearningProgress": "game done",
    "games.GuestLink": "digest",
    "games.TableDeal": "number dealer extra_seconds",
    "games.Action": "number seat back_to robot key",
    "games.TableRequest": "seat side number agreed",
}
#: Encrypted where it is written, with SECRET_KEY.
WITH_SECRET_KEY = {
    "league.OutboxMessage.contents",
    "league.MailAccount.password",
    "league.PushSubscription.secrets",
    "league.PushDelivery.contents",
    "league.Webhook.url",
    "league.Webhook.secret",
    "mfa.Authenticator.data",
}
TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.FileField)
TELLS_NOTHING = (models.DateField, models.TimeField, models.BooleanField, models.AutoField)


def _is_asked(model: type[models.Model], field: Any) -> bool:
    """Numbers tell only of the games; which of a few words somebody chose tells nothing."""
    if field.is_relation or field.choices or isinstance(field, TELLS_NOTHING):
        return False
    return model._meta.app_label == "games" or isinstance(field, TEXTS)


def test_every_column_is_encrypted_or_known_to_tell_nothing() -> None:
    """A new column that may tell of a deal is an EncryptedTextField or an EncryptedJSONField; else it is named here."""
    encrypted = {f"{model._meta.label}.{column}" for model, column in locks.encrypted_columns()}
    clear = {f"{model}.{column}" for model, columns_ in CLEAR.items() for column in columns_.split()}
    every = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if _is_asked(model, field)
    }
    assert every - encrypted - clear - WITH_SECRET_KEY == set()
    assert (clear | WITH_SECRET_KEY) - every == set(), "these are gone"
    assert clear & encrypted == set()
