"""The mails and pages about one's account: in the site's own words, under its own name."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.notices.services import outbox
from tests.league import factories

pytestmark = pytest.mark.django_db


def test_a_new_account_is_asked_to_confirm_its_address() -> None:
    person = {
        "name": "New Person",
        "email": "new@example.org",
        "password1": "harp-lemon-42",
        "password2": "harp-lemon-42",
    }
    Client().post("/accounts/signup/", person)
    outbox.deliver(at=timezone.now())
    message = mail.outbox[-1]
    assert message.subject == "Please confirm your e-mail address"
    assert re.search(r"/accounts/confirm-email/\S+/", str(message.body))
    assert "Hello from" not in message.body


def test_a_forgotten_password_is_chosen_anew_by_the_link_in_a_mail() -> None:
    person = factories.user("lost@example.org")
    client = Client()
    client.post("/accounts/password/reset/", {"email": person.email})
    outbox.deliver(at=timezone.now())
    message = mail.outbox[-1]
    assert message.subject == "Choose a new password"
    link = re.search(r"/accounts/password/reset/key/\S+/", str(message.body))
    assert link is not None
    form = client.get(link.group(), follow=True)
    asked = {"password1": "violin-lemon-43", "password2": "violin-lemon-43"}
    done = client.post(form.redirect_chain[-1][0], asked, follow=True)
    assert 'href="/accounts/login/"' in done.text
    assert "From now on, log in with the new one." in done.text
    assert client.login(email=person.email, password="violin-lemon-43")
