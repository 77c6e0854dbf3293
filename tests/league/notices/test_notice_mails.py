"""Mails of notices: as text and HTML, ended in one step (RFC 8058), and never in somebody's quiet hours."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from config.operating import readiness
from league.errors import Invalid
from league.models import Notice, NoticeSettings, OutboxMessage, User
from league.notices import events, unsubscribing
from league.notices.forms import QuietForm
from league.notices.services import notices, outbox
from league.notices.services.notices import notify
from league.zones import PLACES
from tests.league import factories
from tests.thorough import IS_THOROUGH

pytestmark = pytest.mark.django_db
#: Half past eleven at night in London, which is on winter time.
NIGHT = datetime(2026, 11, 23, 23, 30, tzinfo=UTC)
CALL = {"match": "Berg & Okafor – Novak & Reyes", "waiting": "", "path": "/tables/1/"}


def told(user: User, **more: Any) -> None:
    context = {"player": "Eva Novak", "club": "Riverside", "path": "/my/", **more.pop("context", {})}
    notify(events.LINKED_YOU, [user], context=context, **more)


def sent(at: datetime | None = None) -> Any:
    outbox.deliver(at=at or timezone.now())
    return mail.outbox[-1]


def leave_of(message: Any) -> str:
    return str(message.extra_headers["List-Unsubscribe"]).strip("<>").removeprefix("http://localhost:8000")


def test_a_mail_says_the_same_as_text_and_as_html_and_no_name_writes_html() -> None:
    eva = factories.user(name="Eva <b>Novak</b>")
    told(eva, context={"player": "O'Brien & <script>"})
    message = sent()
    ((html, kind),) = message.alternatives
    assert kind == "text/html"
    assert "O'Brien & <script>" in message.body
    assert "O&#x27;Brien &amp; &lt;script&gt;" in html
    assert "<script" not in html
    assert "<b>" not in html
    for link in ("/my/", "/my/notices/choices/", leave_of(message)):
        assert f'href="http://localhost:8000{link}"' in html
        assert f"http://localhost:8000{link}" in message.body
    assert "src=" not in html, "nothing is fetched by who reads it"


def test_a_mail_program_ends_mails_like_it_in_one_step() -> None:
    eva = factories.user()
    told(eva)
    message = sent()
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    leave = leave_of(message)
    program = Client(enforce_csrf_checks=True)
    assert program.get(leave).status_code == 200
    assert notices.chosen(user=eva)["linked_you"] == "mail", "looking at it changes nothing"
    answer = program.post(leave, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert eva.email not in answer.text

    told(eva)
    assert (Notice.objects.count(), OutboxMessage.objects.count()) == (2, 1), "it still stands on the site"
    notify(events.TABLE_CALLED, [eva], context=CALL)
    assert OutboxMessage.objects.count() == 2, "other mails come"


def test_unsubscribing_gives_back_nothing_that_was_turned_off() -> None:
    eva = factories.user()
    notices.choose(actor=eva, channels={"linked_you": "none"})
    Client().post(unsubscribing.path_of(eva.pk, events.LINKED_YOU))
    assert notices.chosen(user=eva)["linked_you"] == "none"


@pytest.mark.parametrize("token", ["nonsense", "WzEsImxpbmtlZF95b3UiXQ:1abc:xyz", "%00", "a" * 3000])
def test_a_token_that_is_not_ours_is_not_found(token: str) -> None:
    factories.user()
    assert Client().post(f"/unsubscribe/{token}/").status_code in {400, 404}


def test_mails_about_the_account_have_no_way_out() -> None:
    outbox.post(to="eva@example.org", template="account", context={"subject": "s", "body": "b"})
    assert "List-Unsubscribe" not in sent().extra_headers


def test_mails_of_an_older_version_that_wait_go_out() -> None:
    outbox.post(
        to="eva@example.org",
        template="claim",
        context={"name": "Eva", "player": "A", "club": "B", "path": "/x/"},
    )
    assert sent().subject == "B: someone claims the player A"


@pytest.mark.parametrize(
    ("begins", "ends", "zone", "until"),
    [
        ((22, 0), (8, 0), "", datetime(2026, 11, 24, 8, tzinfo=UTC)),
        ((23, 0), (23, 45), "", datetime(2026, 11, 23, 23, 45, tzinfo=UTC)),
        ((22, 0), (8, 0), "Europe/Berlin", datetime(2026, 11, 24, 7, tzinfo=UTC)),
        ((22, 0), (8, 0), "America/New_York", None),
        ((0, 0), (8, 0), "", None),
        ((0, 0), (8, 0), "Europe/Berlin", datetime(2026, 11, 24, 7, tzinfo=UTC)),
    ],
)
def test_nothing_goes_out_in_quiet_hours(begins: Any, ends: Any, zone: str, until: datetime | None) -> None:
    club, eva = factories.club(), factories.user()
    notices.be_quiet(actor=eva, begins=time(*begins), ends=time(*ends), zone=zone)
    told(eva, club=club, at=NIGHT)
    assert OutboxMessage.objects.get().next_try_at == until
    assert outbox.deliver(at=NIGHT) == (1 if until is None else 0)
    if until is not None:
        assert outbox.deliver(at=until) == 1


def test_what_would_come_too_late_goes_out_at_once_or_not_at_all() -> None:
    eva, luis = factories.user(), factories.user()
    notices.be_quiet(actor=eva, begins=time(22), ends=time(8), zone="Europe/London")
    made = notify(events.TABLE_CALLED, [eva, luis], context=CALL, at=NIGHT)
    assert OutboxMessage.objects.get().to == luis.email
    assert (made[eva], Notice.objects.count()) == (None, 2)


def test_mails_that_wait_for_the_morning_are_no_sign_of_a_mail_server_away() -> None:
    eva, club = factories.user(), factories.club()
    notices.be_quiet(actor=eva, begins=time(22), ends=time(8))
    told(eva, club=club, at=NIGHT)
    OutboxMessage.objects.update(made_at=NIGHT)
    assert readiness.mail_queue(at=NIGHT + timedelta(hours=2)).state == readiness.OK
    assert readiness.mail_queue(at=NIGHT + timedelta(hours=9)).state == readiness.LATE


def test_the_page_keeps_quiet_hours_whole() -> None:
    eva, client = factories.user(), Client()
    client.force_login(eva)
    own = {event.key: "mail" for event in events.EVENTS}
    half = client.post("/my/notices/choices/", {**own, "begins": "22:00"})
    assert (half.status_code, NoticeSettings.objects.count()) == (422, 0)
    with pytest.raises(Invalid):
        notices.be_quiet(actor=eva, begins=time(22), ends=None)
    whole = {**own, "begins": "22:00", "ends": "08:00", "zone": "Europe/Berlin"}
    assert client.post("/my/notices/choices/", whole).status_code == 302
    kept = NoticeSettings.objects.get()
    assert (kept.quiet_from, kept.quiet_until, kept.time_zone) == (time(22), time(8), "Europe/Berlin")
    assert 'value="22:00"' in client.get("/my/notices/choices/").text
    client.post("/my/notices/choices/", own)
    assert NoticeSettings.objects.get().quiet_from is None


def zones_of(form: Any) -> list[str]:
    return [zone for zone, _name in form.fields["zone"].choices]


def test_quiet_hours_offer_places_and_keep_an_older_zone() -> None:
    eva = factories.user()
    assert zones_of(QuietForm(user=eva)) == ["", *PLACES]
    notices.be_quiet(actor=eva, begins=time(22), ends=time(8), zone="Etc/UTC")
    form = QuietForm({"begins": "22:00", "ends": "08:00", "zone": "Etc/UTC"}, user=eva)
    assert form.is_valid()
    assert zones_of(form) == ["", "Etc/UTC", *PLACES]
    assert not QuietForm({"zone": "Factory"}, user=eva).is_valid()
    assert 'data-own-zone="offer"' in str(form["zone"])


def test_an_address_that_gave_mail_back_gets_no_more_and_its_person_is_told() -> None:
    eva = factories.user("eva@example.org")
    told(eva)
    outbox.post(to=eva.email, template="account", context={"subject": "s", "body": "b"})
    call_command("bounced", "EVA@example.org")
    told(eva)
    waiting = OutboxMessage.objects.waiting()
    assert [each.template for each in waiting] == ["account"], "what opens the account is still tried"
    client = Client()
    client.force_login(eva)
    assert "Mail to eva@example.org came back" in client.get("/my/notices/").text
    assert "It works again" in client.get("/my/notices/choices/").text
    client.post("/my/notices/choices/", {"again": "1"})
    assert "It works again" not in client.get("/my/notices/choices/").text
    told(eva)
    assert OutboxMessage.objects.waiting().count() == 2


def test_another_address_of_the_person_takes_mail() -> None:
    eva = factories.user("eva@example.org")
    call_command("bounced", eva.email)
    User.objects.filter(pk=eva.pk).update(email="eva@example.net")
    eva.refresh_from_db()
    told(eva)
    assert OutboxMessage.objects.get().to == "eva@example.net"


def test_an_address_that_nobody_has_is_named() -> None:
    with pytest.raises(CommandError, match=r"nobody@example\.org"):
        call_command("bounced", "nobody@example.org")


def test_the_whole_club_is_told_by_few_statements_and_every_mail_goes_out_once(
    django_assert_max_num_queries: Any,
) -> None:
    """2,000 at once: with THOROUGH=1; else a tenth."""
    count = 2000 if IS_THOROUGH else 200
    people = [factories.user() for _ in range(10)]
    made = [User(email=f"member{number}@example.org", password="!") for number in range(count - 10)]
    people += User.objects.bulk_create(made)
    with django_assert_max_num_queries(60):
        context = {"player": "Eva", "club": "Riverside", "path": "/my/"}
        notify(events.LINKED_YOU, people, context=context, club=factories.club())
    at, handed = timezone.now(), 0
    while sent_now := outbox.deliver(at=at):
        handed += sent_now
    assert handed == count == len({message.to[0] for message in mail.outbox})
    assert not OutboxMessage.objects.exclude(contents="").exists()
