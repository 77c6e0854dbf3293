"""The mails and pages about one's account: in the site's own words, under its own name."""

import re
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.notices.services import outbox
from tests.benchmarks import mails
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


@pytest.mark.parametrize(
    ("language", "known", "unknown"),
    [
        ("en", "You already have an account", "There is no account with this address"),
        ("de", "Sie haben schon ein Konto", "Zu dieser Adresse gibt es kein Konto"),
    ],
)
def test_an_address_with_an_account_and_one_without_are_told_so_in_our_own_words(
    language: str, known: str, unknown: str
) -> None:
    person = factories.user(f"known-{language}@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    client = Client(headers={"accept-language": language})
    passwords = dict.fromkeys(("password1", "password2"), "harp-lemon-42")
    client.post("/accounts/signup/", {"name": "New Person", "email": person.email, **passwords})
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    outbox.deliver(at=timezone.now())
    first, second = mail.outbox
    assert (first.to, first.subject) == ([person.email], known)
    assert "/accounts/password/reset/\n" in str(first.body)
    assert (second.to, second.subject) == (["nobody@example.org"], unknown)
    assert "/accounts/signup/\n" in str(second.body)
    for message in (first, second):
        assert not re.search(r"\b([Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich)\b|database", str(message.body))


def test_every_mail_that_has_a_template_is_among_the_pictures() -> None:
    templates = Path(settings.BASE_DIR) / "templates"
    ours = {
        str(found.relative_to(templates)).removesuffix("_subject.txt").removeprefix("email/")
        for found in templates.glob("**/email/*_subject.txt")
    }
    shown = {name for name, _mail in mails.written("en")}
    assert shown == ours - {"account"} | {event.key for event in mails.MAILED}


#: Mails about an account, and of the site: no club sends them.
OF_THE_SITE = {*mails.ACCOUNT, "mail_test", "token_made"}


@pytest.mark.parametrize(("language", "wishes"), [("en", "Best wishes,"), ("de", "Viele Grüße")])
def test_every_mail_is_text_and_html_and_ends_with_a_friendly_word_and_a_name(
    language: str, wishes: str
) -> None:
    for name, message in mails.written(language):
        signed = "Concertmaster, localhost:8000" if name in OF_THE_SITE else "Riverside Club"
        ((html, kind),) = message.alternatives
        shown = str(html)
        assert kind == "text/html"
        assert f'<html lang="{language}"' in shown, name
        assert f"{wishes}<br>{signed}</p>" in shown, name
        text, _line, foot = str(message.body).partition("\n-- \n")
        assert text.rstrip().endswith(f"\n\n{wishes}\n{signed}"), name
        assert bool(foot) == ("List-Unsubscribe" in message.extra_headers), name
        for link in re.findall(r"^https?://\S+$", text, re.MULTILINE):
            assert f'class="button" href="{link}"' in shown, f"{name}: {link}"
        assert not re.search(r"\n{3}", str(message.body)), name


def test_only_a_mail_about_the_account_makes_a_button_of_a_link_in_its_text() -> None:
    """What stands alone in a notice may be somebody's own words."""
    context = {**mails.COMMON, "reason": "https://evil.example/", "name": "Anna", "path": "/my/"}
    person, club = factories.user("anna@example.org"), factories.club("Riverside Club")
    message = outbox.written(mails.of_notice(person, club, "reopened", context))
    ((shown, _kind),) = message.alternatives
    assert "https://evil.example/" in str(shown)
    assert 'href="https://evil.example/"' not in str(shown)


def test_an_account_s_mail_speaks_the_account_s_language_and_the_browser_s_where_there_is_none() -> None:
    person = factories.user("anna@example.org", language="de")
    for email in (person.email, "nobody@example.org"):
        Client().post("/accounts/password/reset/", {"email": email})
    outbox.deliver(at=timezone.now())
    known, unknown = mail.outbox
    assert (known.subject, unknown.subject) == (
        "Neues Passwort wählen",
        "There is no account with this address",
    )
    assert "Viele Grüße" in str(known.body)
    assert "Best wishes," in str(unknown.body)
