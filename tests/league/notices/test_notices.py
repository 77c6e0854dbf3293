"""Notices: each person is told as they choose, in the inbox and by mail, in their own language."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.scoresheets.services import scoresheets
from league.errors import Invalid
from league.fixtures.services import dates, fixtures, substitutions
from league.models import Competition, Notice, NoticeChoice, NoticeSettings, OutboxMessage, User
from league.notices import events, queries
from league.notices.services import accounts, notices, outbox
from league.notices.services.notices import notify
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
LINKED = {"player": "Eva Novak", "club": "Riverside", "path": "/my/"}


def told(user: User, **more: Any) -> None:
    notify(events.LINKED_YOU, [user], context=LINKED, **more)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def enter_sheet() -> Scene:
    scene = make_scene()
    scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    return scene


def test_who_is_told_finds_it_on_the_site_and_in_the_mail() -> None:
    eva = factories.user("eva@example.org", "Eva Novak")
    told(eva)
    outbox.deliver(at=timezone.now())

    title = "You’re now linked to Eva Novak of Riverside"
    assert title in client_of(eva).get("/my/notices/").text
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["eva@example.org"], title)
    assert "Hello Eva,\n\nRiverside lists Eva Novak" in message.body
    assert "View your matches:\nhttp" in message.body
    assert "/my/notices/choices/\n" in message.body


@pytest.mark.parametrize(("channel", "rows", "mails"), [("mail", 1, 1), ("inbox", 1, 0), ("none", 0, 0)])
def test_each_person_chooses_by_event(channel: str, rows: int, mails: int) -> None:
    eva = factories.user()
    notices.choose(actor=eva, channels={"linked_you": channel})
    told(eva)
    assert (Notice.objects.count(), OutboxMessage.objects.count()) == (rows, mails)
    notify(events.CLAIM_DECIDED, [eva], context={**LINKED, "accepted": True})
    assert OutboxMessage.objects.count() == mails + 1, "other events come as before"


def test_what_is_chosen_as_usual_leaves_no_row() -> None:
    eva = factories.user()
    notices.choose(actor=eva, channels={"linked_you": "none"})
    notices.choose(actor=eva, channels={"linked_you": "mail"})
    assert not NoticeChoice.objects.exists()


@pytest.mark.parametrize("given", [{"nonsense": "mail"}, {"linked_you": "pigeon"}])
def test_a_choice_that_there_is_not_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        notices.choose(actor=factories.user(), channels=given)


def test_the_page_of_choices_keeps_them_and_names_directors_events_to_directors_alone() -> None:
    scene = make_scene()
    page = client_of(scene.users["eva"]).get("/my/notices/choices/").text
    assert "Your scoresheet was rejected" in page
    assert "Someone claims a player" not in page
    assert "Someone claims a player" in client_of(scene.users["dora"]).get("/my/notices/choices/").text

    shown = notices.chosen(user=scene.users["eva"])
    own = {event.key: shown[event.key] for event in events.EVENTS if not event.is_for_directors}
    answer = client_of(scene.users["eva"]).post(
        "/my/notices/choices/", {**own, "scoresheet_rejected": "inbox"}
    )
    assert answer.status_code == 302
    assert notices.chosen(user=scene.users["eva"])["scoresheet_rejected"] == "inbox"


def test_who_has_no_open_account_is_told_nothing_and_nobody_twice_at_once() -> None:
    eva, gone = factories.user(), factories.user(is_active=False)
    made = notify(events.LINKED_YOU, [eva, gone, eva], context=LINKED)
    assert list(made) == [eva]
    assert OutboxMessage.objects.get().to == eva.email


def test_what_is_about_one_thing_is_told_once() -> None:
    eva, luis = factories.user(), factories.user()
    told(eva, about="fixture 7")
    made = notify(events.LINKED_YOU, [eva, luis], context=LINKED, about="fixture 7")
    assert list(made) == [luis]
    told(eva, about="fixture 8")
    told(eva)
    told(eva)
    assert Notice.objects.filter(user=eva).count() == 4


def test_what_is_not_decided_is_not_told() -> None:
    eva = factories.user()
    with transaction.atomic():
        told(eva)
        transaction.set_rollback(True)
    assert (Notice.objects.count(), OutboxMessage.objects.count()) == (0, 0)


def test_a_notice_is_read_in_the_readers_language_and_the_mail_in_theirs() -> None:
    scene = enter_sheet()
    eva = client_of(scene.users["eva"])
    eva.post("/i18n/setlang/", {"language": "de", "next": "/"})
    assert "Bitte den Spielzettel bestätigen" in eva.get("/my/notices/").text
    assert "please confirm the scoresheet" in client_of(scene.users["luis"]).get("/my/notices/").text


def test_the_header_counts_what_is_new_until_it_is_read() -> None:
    scene = enter_sheet()
    eva = client_of(scene.users["eva"])
    assert "1 new notice" in eva.get("/").text
    notice = Notice.objects.get(user=scene.users["eva"])
    answer = eva.post(f"/my/notices/{notice.pk}/")
    assert answer["Location"] == f"/matches/{scene.fixture.pk}/"
    assert "new notice" not in eva.get("/").text

    told(scene.users["eva"])
    told(scene.users["eva"])
    assert "2 new notices" in eva.get("/").text
    eva.post("/my/notices/read/")
    assert not Notice.objects.of(scene.users["eva"]).unread().exists()
    assert Notice.objects.unread().count() == 1, "Luis's stays new"


def test_nobody_reads_or_ticks_off_somebody_elses_notices() -> None:
    scene = enter_sheet()
    notice = Notice.objects.get(user=scene.users["eva"])
    anna = client_of(scene.users["anna"])
    assert "please confirm" not in anna.get("/my/notices/").text
    assert anna.post(f"/my/notices/{notice.pk}/").status_code == 404
    assert notices.mark_read(actor=scene.users["anna"], keys=[notice.pk], at=timezone.now()) == 0
    notice.refresh_from_db()
    assert notice.read_at is None


def test_no_notice_lies_in_clear_in_the_database() -> None:
    scene = make_scene()
    notify(events.LINKED_YOU, [scene.users["eva"]], context={**LINKED, "player": "Zacharias Quint"})
    with transaction.get_connection().cursor() as cursor:
        cursor.execute("SELECT context FROM league_notice")
        assert "Quint" not in str(cursor.fetchall())


def test_a_notice_of_an_event_that_is_no_more_is_left_out() -> None:
    eva = factories.user()
    told(eva)
    Notice.objects.update(event="of_an_older_version")
    assert queries.lines(Notice.objects.all()) == []
    assert client_of(eva).get("/my/notices/").status_code == 200


def test_notices_are_deleted_after_half_a_year() -> None:
    eva, now = factories.user(), timezone.now()
    told(eva, at=now - timedelta(days=181))
    told(eva, at=now - timedelta(days=179))
    assert notices.purge(at=now) == 1
    assert Notice.objects.count() == 1
    assert OutboxMessage.objects.count() == 2, "mails have their own time"


def test_round_ups_which_name_telephones_are_deleted_after_two_weeks() -> None:
    eva, now = factories.user(), timezone.now()
    for days in (15, 13):
        told(eva, at=now - timedelta(days=days))
        Notice.objects.update(event=events.WEEK.key)
    told(eva, at=now - timedelta(days=15))
    assert notices.purge(at=now) == 1
    assert Notice.objects.filter(event=events.WEEK.key).count() == 1


def test_many_are_told_by_few_statements(django_assert_max_num_queries: Any) -> None:
    club = factories.club()
    few = [factories.user() for _ in range(3)]
    many = [factories.user() for _ in range(40)]
    with django_assert_max_num_queries(7):
        notify(events.LINKED_YOU, few, context=LINKED, club=club)
    with django_assert_max_num_queries(7):
        notify(events.LINKED_YOU, many, context=LINKED, club=club)


@pytest.mark.parametrize("event", events.EVENTS, ids=lambda event: event.key)
def test_every_event_has_its_words(event: events.Event) -> None:
    told = queries.texts.words(
        event,
        {"club": "Riverside", "player": "Eva", "match": "A – B", "missing": 1, "owed": [{"match": "A – B"}]},
    )
    assert told.title
    assert "\n" not in told.title
    assert told.paragraphs
    assert told.action


def titles(user: User) -> list[str]:
    return [line.words.title for line in queries.lines(Notice.objects.of(user).select_related("club"))]


def texts_of(user: User) -> str:
    return queries.lines(Notice.objects.of(user).select_related("club"))[0].words.text


MATCH = "Berg & Okafor – Novak & Reyes"


def test_a_proposal_and_its_answer_are_told_in_the_clubs_time() -> None:
    scene = make_scene()
    anna, chidi, eva, luis = (scene.users[name] for name in ("anna", "chidi", "eva", "luis"))
    begins = datetime(2027, 7, 5, 18, 30, tzinfo=UTC)
    at = begins - timedelta(days=30)
    proposal = dates.propose(
        actor=anna, fixture=scene.fixture, starts_at=begins, at=at, message="We are away"
    )
    assert titles(eva) == titles(luis) == titles(chidi) == [f"{MATCH}: another time?"]
    assert titles(anna) == [], "nobody is told of what they did"
    assert "Monday 5 July, 19:30.\n\nWe are away" in texts_of(eva)
    assert "Anna Berg proposes" in texts_of(eva)
    assert "Novak & Reyes can accept or decline." in texts_of(chidi), "partners hear who is to answer"

    dates.answer(actor=eva, proposal=proposal, accept=False, at=at)
    assert titles(anna) == [f"{MATCH}: the proposed time was declined"]
    second = dates.propose(actor=anna, fixture=scene.fixture, starts_at=begins, at=at)
    dates.withdraw(actor=anna, proposal=second, at=at)
    assert titles(eva)[0] == f"{MATCH}: the proposed time was withdrawn"
    third = dates.propose(actor=anna, fixture=scene.fixture, starts_at=begins, at=at)
    dates.answer(actor=luis, proposal=third, accept=True, at=at)
    assert titles(anna)[0] == f"{MATCH}: the new time is set"
    assert "Your match is on Monday 5 July, 19:30." in texts_of(anna)
    assert titles(scene.users["iris"]) == [], "who plays elsewhere hears nothing"


def test_what_a_director_decides_is_told_to_both_sides() -> None:
    scene = make_scene()
    dora, eva = scene.users["dora"], scene.users["eva"]
    fixtures.postpone(actor=dora, fixture=scene.fixture, reason="The heating broke")
    assert "The heating broke" in texts_of(eva)
    fixtures.arrange(
        actor=dora, fixture=scene.fixture, starts_at=datetime(2027, 1, 7, 19, tzinfo=UTC), place="Hall"
    )
    assert titles(eva)[0] == f"{MATCH}: Thu 7 Jan, 19:00"
    assert "Place: Hall" in texts_of(eva)
    before = Notice.objects.count()
    fixtures.arrange(
        actor=dora, fixture=scene.fixture, starts_at=datetime(2027, 1, 7, 19, tzinfo=UTC), place="Hall"
    )
    assert Notice.objects.count() == before, "what changes nothing is no news"
    fixtures.award_walkover(
        actor=dora, fixture=scene.fixture, losing=[scene.fixture.home], reason="They did not come"
    )
    assert "Novak & Reyes win by walkover.\n\nReason: They did not come" in texts_of(eva)
    assert titles(scene.users["anna"]) == titles(eva)
    assert titles(dora) == []
    fixtures.restore(actor=dora, fixture=scene.fixture, reason="They did")
    assert "is to be played after all" in texts_of(eva)
    fixtures.void(actor=dora, fixture=scene.fixture, reason="Closed")
    assert "counts for nobody" in texts_of(eva)


def test_a_substitute_is_told_to_who_plays_and_to_who_does_not() -> None:
    scene = make_scene()
    spare = factories.user("sub@example.org", "Sub Stitute")
    player = factories.player(scene.club, "Sub Stitute", user=spare)
    chidi = next(each for each in scene.players if each.name == "Chidi Okafor")
    made = substitutions.appoint(
        actor=scene.users["dora"], fixture=scene.fixture, absent=chidi, substitute=player
    )
    for name in ("anna", "chidi", "eva", "luis"):
        assert titles(scene.users[name]) == [f"{MATCH}: Sub Stitute plays for Chidi Okafor"]
    assert titles(spare) == titles(scene.users["eva"])
    substitutions.cancel(actor=scene.users["anna"], substitution=made)
    assert titles(spare)[0] == f"{MATCH}: Chidi Okafor plays after all"


def test_nobody_hears_of_a_draft() -> None:
    scene = make_scene()
    Competition.objects.update(state=Competition.State.DRAFT)
    fixtures.arrange(actor=scene.users["dora"], fixture=scene.fixture, starts_at=None, place="Hall")
    assert not Notice.objects.exists()


@pytest.mark.parametrize(
    ("begins", "ends", "zone"),
    [(time(22), None, ""), (None, time(7), ""), (time(22), time(22), ""), (time(22), time(7), "Moon/Crater")],
)
def test_the_service_itself_refuses_quiet_hours_that_make_no_sense(begins, ends, zone) -> None:
    with pytest.raises(Invalid):
        notices.be_quiet(actor=factories.user(), begins=begins, ends=ends, zone=zone)
    assert not NoticeSettings.objects.exists()


@pytest.mark.parametrize(
    ("first", "last"), [(date.max, date.max), (date.min, date.min), (date(2031, 1, 1),) * 2]
)
def test_the_service_itself_refuses_days_absurdly_far_away(first, last) -> None:
    user = factories.user()
    with pytest.raises(Invalid):
        accounts.mark_days_away(actor=user, first=first, last=last)
    assert not user.days_away.exists()


def test_both_partners_hear_that_their_scoresheet_was_rejected() -> None:
    scene = make_scene()
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="The second deal is wrong.")
    told_of_it = Notice.objects.filter(event=events.SCORESHEET_REJECTED.key)
    assert {each.user for each in told_of_it} == {scene.users["anna"], scene.users["chidi"]}
