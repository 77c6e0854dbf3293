"""A mail server that hangs, refuses or breaks off stops no page and no other work, and loses no mail."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from league.models import OutboxMessage
from league.notices.services import outbox
from tests.league import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


TIMEOUT = 1


def hang(_line: socket.socket, over: threading.Event) -> None:
    """Takes the connection and says nothing."""
    over.wait()


def break_off(line: socket.socket, _over: threading.Event) -> None:
    """Greets, and hangs up in the middle."""
    with suppress(OSError):
        line.sendall(b"220 here\r\n")
        line.recv(1000)
    line.close()


@contextmanager
def server(answer: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """A mail server that answers each connection so; gives its port."""
    over, lines = threading.Event(), []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    line, _address = listener.accept()
                    lines.append(line)
                    threading.Thread(target=answer, args=(line, over), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            over.set()
            listener.shutdown(socket.SHUT_RDWR)
            for line in lines:
                line.close()


@pytest.fixture
def by_smtp(settings: Any) -> Callable[[int], None]:
    def use(port: int) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, TIMEOUT

    return use


def refused_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def post_some(count: int = 5) -> None:
    for number in range(count):
        outbox.post(
            to=f"person{number}@example.org", template="account", context={"subject": "s", "body": "b"}
        )


def test_a_server_that_hangs_is_waited_for_once_in_a_batch(by_smtp: Callable[[int], None]) -> None:
    post_some()
    asked = []

    def hang_counted(line: socket.socket, over: threading.Event) -> None:
        asked.append(line)
        hang(line, over)

    with server(hang_counted) as port:
        by_smtp(port)
        assert outbox.deliver(at=timezone.now()) == 0

    assert len(asked) == 1, "five mails do not wait five times"
    assert "timed out" in OutboxMessage.objects.values_list("last_error", flat=True)[4]
    assert OutboxMessage.objects.waiting().filter(next_try_at__gt=timezone.now()).count() == 5


def test_a_server_that_refuses_or_breaks_off_loses_no_mail(
    by_smtp: Callable[[int], None], settings: Any
) -> None:
    post_some()
    by_smtp(refused_port())
    assert outbox.deliver(at=timezone.now()) == 0
    OutboxMessage.objects.update(next_try_at=None)
    with server(break_off) as port:
        by_smtp(port)
        assert outbox.deliver(at=timezone.now()) == 0

    assert set(OutboxMessage.objects.values_list("attempts", flat=True)) == {2}
    OutboxMessage.objects.update(next_try_at=None)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert outbox.deliver(at=timezone.now()) == 5
    assert len(mail.outbox) == 5


@pytest.mark.parametrize("is_there", [True, False])
def test_pages_answer_while_the_server_hangs_or_refuses(
    by_smtp: Callable[[int], None], is_there: bool
) -> None:
    """Sign up, a forgotten password, a claim: none of them says a word to the mail server."""
    person, newcomer = factories.user(), factories.user()
    club = factories.club()
    factories.member(club, "director")
    player = factories.player(club)
    asked = {
        "name": "New Person",
        "email": "new@example.org",
        "password1": "harp-lemon-42",
        "password2": "harp-lemon-42",
    }
    client = Client()
    client.force_login(newcomer)
    connections: list[socket.socket] = []
    with server(lambda line, _over: connections.append(line)) as port:
        by_smtp(port if is_there else refused_port())
        assert Client().post("/accounts/signup/", asked).status_code == 302
        assert Client().post("/accounts/password/reset/", {"email": person.email}).status_code == 302
        assert client.post(f"/players/{player.pk}/claim/", {"message": "me"}).status_code == 302
    assert connections == []
    assert OutboxMessage.objects.waiting().count() == 3


# What was given up


def given_up(**more: Any) -> OutboxMessage:
    message = outbox.post(
        to="anna@example.org", template="account", context={"subject": "s", "body": "b"}, **more
    )
    OutboxMessage.objects.filter(pk=message.pk).update(
        given_up_at=timezone.now(), last_error="nobody there", attempts=14
    )
    return message


def test_an_owner_sees_what_was_given_up_and_sends_it_again() -> None:
    club = factories.club()
    mine, other, accounts = given_up(club=club), given_up(club=factories.club()), given_up()
    client = Client()
    client.force_login(factories.member(club, "owner"))
    page = f"/clubs/{club.slug}/desk/mails/"

    shown = client.get(page)
    assert shown.text.count("anna@example.org") == 1
    assert "nobody there" in shown.text
    client.post(page, {"mail": [mine.pk, other.pk, accounts.pk, "x", "9" * 30]})
    assert set(OutboxMessage.objects.waiting()) == {mine}
    assert outbox.deliver(at=timezone.now()) == 1
    assert client.post(page, {"all": "1"}).status_code == 302
    assert set(OutboxMessage.objects.given_up()) == {other, accounts}


def test_who_runs_the_site_sees_all_of_them() -> None:
    given_up(club=factories.club()), given_up()
    client = Client()
    client.force_login(factories.user(is_superuser=True))
    assert client.get("/mails/").text.count("anna@example.org") == 2
    client.post("/mails/", {"all": "1"})
    assert OutboxMessage.objects.waiting().count() == 2


def test_the_command_lists_them_and_sends_them_again() -> None:
    given_up()
    out = StringIO()
    call_command("mails", stdout=out)
    assert "1 mail was given up." in out.getvalue()
    assert "nobody there" in out.getvalue()
    assert OutboxMessage.objects.given_up().count() == 1
    call_command("mails", "--retry", stdout=out)
    assert OutboxMessage.objects.waiting().count() == 1
