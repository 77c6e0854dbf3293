"""One mail that cannot be sent never keeps the others back, and no name writes a header."""

import pytest
from django.core import mail
from django.utils import timezone

from league.models import OutboxMessage
from league.notices.services import outbox

pytestmark = pytest.mark.django_db
SHEET = {
    "name": "Anna",
    "match": "Berg & Okafor – Novak & Reyes",
    "score": "Berg & Okafor 80 – 60 Novak & Reyes",
    "entered_by": "Eva",
    "reason": "",
    "path": "/matches/1/",
}


def posted(**more: str) -> OutboxMessage:
    to = more.pop("to", "anna@example.org")
    return outbox.post(to=to, template="to_confirm", context={**SHEET, **more})


def test_a_name_with_line_breaks_writes_no_header_and_stops_nobodys_mail():
    first = posted(match="Evil\nBcc: all@example.org\r\nX-More: 1")
    second = posted()
    outbox.deliver(at=timezone.now())
    for message in (first, second):
        message.refresh_from_db()
        assert message.sent_at is not None
    assert len(mail.outbox) == 2
    assert "\n" not in mail.outbox[0].subject
    assert mail.outbox[0].bcc == []


@pytest.mark.parametrize("to", ["anna@example.org\nBcc: all@example.org", "not an address\r\n"])
def test_an_address_that_is_none_keeps_no_other_mail_back(to):
    bad = posted(to=to)
    good = posted()
    assert outbox.deliver(at=timezone.now()) == 1
    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.sent_at is not None, bad.sent_at) == (True, None)
    assert bad.last_error


def test_a_template_that_is_gone_keeps_no_other_mail_back():
    bad = outbox.post(to="anna@example.org", template="of-an-older-version", context={})
    posted()
    assert outbox.deliver(at=timezone.now()) == 1
    bad.refresh_from_db()
    assert bad.last_error


def test_names_arrive_as_they_are_written():
    posted(match="O'Brien & <Sons>", score="O'Brien & <Sons> 80 – 60")
    outbox.deliver(at=timezone.now())
    assert "O'Brien & <Sons>" in mail.outbox[0].subject
    assert "O'Brien & <Sons>" in mail.outbox[0].body
