"""A mail server that drips its answers byte by byte, or talks for ever, holds up mails no longer than is said."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import environ
import pytest
from django.utils import timezone

from config.settings.base import env
from league.models import OutboxMessage
from league.notices.services import outbox

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[b"2", b"220-wait\r\n"])
def dripping(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a mail server that never comes to an end."""
    over = Event()

    def drip(line: socket.socket) -> None:
        with line, suppress(OSError):
            while not over.wait(0.05):
                line.sendall(request.param)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=lambda: drip(listener.accept()[0]), daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        over.set()


def test_a_dripping_mail_server_is_given_up(dripping: int, settings: Any) -> None:
    for name, value in environ.Env.email_url_config(f"smtp://127.0.0.1:{dripping}").items():
        setattr(settings, name, value)
    settings.EMAIL_BACKEND = env.EMAIL_SCHEMES["smtp"]
    settings.EMAIL_TIMEOUT, settings.EMAIL_DELIVERY_SECONDS = 2, 1
    context = {"subject": "A link", "body": "https://example.org/"}
    message = outbox.post(to="anna@example.org", template="account", context=context)

    begun = time.monotonic()
    assert outbox.deliver(at=timezone.now()) == 0
    assert time.monotonic() - begun < 30
    message = OutboxMessage.objects.get(pk=message.pk)
    assert message.next_try_at is not None
    assert "unexpectedly closed" in message.last_error
