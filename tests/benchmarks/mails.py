"""Every mail of the site as a picture, as a phone of 390 points shows it: `make mails`, then look into var/mails/.

English and German, light and dark, several to a picture. Ordinary runs leave this file alone.
"""

import html
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.core import context as allauth
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.mail import EmailMultiAlternatives
from django.test import RequestFactory
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import sync_playwright

from league.models import Club, Notice, OutboxMessage, User
from league.notices import events
from league.notices.services import outbox
from league.notices.services.mail_account import TEST
from league.people.services import joining, players
from tests import chromium
from tests.league import factories

FOLDER = Path(settings.BASE_DIR) / "var" / "mails"
WIDTH, ABREAST, TO_A_PICTURE = 390, 4, 8
SCHEMES = ("light", "dark")
WHOLE = """for (const frame of document.querySelectorAll("iframe"))
    frame.height = frame.contentDocument.documentElement.scrollHeight"""
MATCH, RETURN = "Berg & Okafor – Petrov & Sato", "Novak & Reyes – Berg & Okafor"
COMING, LATER = "2026-11-26T19:30:00+00:00", "2026-12-10T19:30:00+00:00"
SCORE = "Berg & Okafor 187 – 131 Petrov & Sato"
MATCHES = [{"match": MATCH, "starts_at": COMING}, {"match": RETURN, "starts_at": LATER}]
FRAME = """<figure style="display: inline-block; vertical-align: top; margin: 2px">
    <figcaption>{name}</figcaption><iframe width="{width}" srcdoc="{mail}"></iframe></figure>"""
ASKED = [{"match": each["match"], "competition": "Winter League"} for each in MATCHES]
#: What every notice may name. A tuple below is a further way of the same event.
COMMON: dict[str, Any] = {
    "absent": "Kenji Sato",
    "competition": "Winter League",
    "division": "First Division",
    "match": MATCH,
    "opponents": "Petrov & Sato",
    "pair": "Berg & Okafor",
    "player": "Anna Berg",
    "starts_at": COMING,
    "substitute": "Sven Lund",
    "who": "Daniel Quinn",
}
WAYS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "to_confirm": (
        {"entered_by": "Olga Petrov", "score": SCORE},
        {"entered_by": "Sally Moore", "score": SCORE, "why": "Two deals were swapped.", "silence_days": 3},
    ),
    "silence_ends": ({"entered_by": "Sally Moore", "score": SCORE},),
    "counts_signed": ({"entered_by": "Sally Moore", "score": SCORE},),
    "scoresheet_rejected": (
        {"rejected_by": "Olga Petrov", "score": SCORE, "reason": "Deal 2: we made a flush in hand 4."},
    ),
    "sheet_confirmed": ({"confirmed_by": "Olga Petrov", "score": SCORE}, {"score": SCORE}),
    "sheet_corrected": (
        {
            "entered_by": "Anna Berg",
            "confirmed_by": "Olga Petrov",
            "score": SCORE,
            "before": "Berg & Okafor 178 – 131 Petrov & Sato",
        },
        {"entered_by": "Sally Moore", "score": SCORE, "before": "Berg & Okafor 178 – 131 Petrov & Sato"},
    ),
    "reopened": ({"reason": "The wrong seats were entered."}, {"reason": ""}),
    "season_published": ({"matches": MATCHES}, {"matches": MATCHES, "is_again": True}, {}),
    "new_matches": (
        {"why": "late", "matches": MATCHES},
        {"why": "drawn", "round": 3, "legs": 1, "rounds": 4, "matches": MATCHES[:1]},
        {"why": "taken_back", "round": 3, "matches": MATCHES[:1], "reason": "A result was missing."},
        {"why": "back", "matches": MATCHES},
    ),
    "entry_withdrawn": (
        {
            "pair": "Klein & Vogel",
            "is_removed": True,
            "matches": [{"match": MATCH, "fate": "not_counting"}, {"match": RETURN, "fate": "void"}],
        },
        {"pair": "Klein & Vogel", "matches": [{"match": MATCH, "fate": "walkover"}]},
        {"is_own": True, "reason": "You have moved away."},
    ),
    "adjusted": (
        {"points": "−1", "reason": "Forty minutes late in round 2"},
        {"points": "−1", "reason": "The bus had an accident.", "is_undone": True},
    ),
    "season_finished": (
        {
            "place": 1,
            "of": 8,
            "division": "Second Division",
            "way": "promoted",
            "following": "First Division",
        },
        {"place": 8, "of": 8, "way": "relegated", "following": "Second Division"},
        {"place": 3, "of": 8, "way": "stays", "following": "First Division"},
        {"place": 3, "of": 8, "way": "stays", "following": "First Division", "kept": "Berg & Klein"},
        {"place": 4, "of": 8},
    ),
    "prizes_changed": (
        {"pair": "Klein & Vogel", "gained": "the cup", "lost": ""},
        {"pair": "Klein & Vogel", "gained": "a book", "lost": "the cup"},
        {"pair": "Klein & Vogel", "gained": "", "lost": "a book"},
    ),
    "boards_open": ({}, {"match": ""}),
    "date_proposed": (
        {"proposed_at": LATER, "message": "We are away that week."},
        {"proposed_at": LATER, "starts_at": None},
    ),
    "date_answered": (
        {"proposed_at": LATER, "accepted": True},
        {"proposed_at": LATER},
        {"proposed_at": LATER, "starts_at": None},
    ),
    "date_withdrawn": ({"proposed_at": LATER}, {"proposed_at": LATER, "starts_at": None}),
    "arranged": (
        {"place": "The Boathouse, Mill Lane", "table": "3", "reason": "The hall was free earlier."},
        {"starts_at": None},
    ),
    "postponed": ({"reason": "The hall is closed."}, {"reason": "The hall is closed.", "starts_at": None}),
    "tie": (
        {"numbers": "17, 18", "boards": 2},
        {"sets": 1, "home": 30, "away": 30, "numbers": "19, 20", "boards": 2},
        {"sets": 2, "home": 30, "away": 30, "numbers": "", "boards": 1},
        {"winner": "Berg & Okafor", "home": 41, "away": 28},
        {"winner": "Berg & Okafor", "reason": "By lot, as announced."},
    ),
    "ruled": (
        {"ruling": "walkover", "winner": "Berg & Okafor", "reason": "Petrov & Sato did not come."},
        {"ruling": "double_forfeit", "reason": "Neither pair came."},
        {"ruling": "void", "reason": "The boards were mixed up."},
        {"ruling": "scheduled", "reason": "The reason has fallen away."},
    ),
    "substitute": ({}, {"is_asked": True}, {"is_over": True}, {"is_over": True, "instead": "Rui Silva"}),
    "substitute_asked": (
        {"place": "The Boathouse, Mill Lane"},
        {"reason": "Kenji is in hospital.", "starts_at": None},
    ),
    "substitute_answered": ({"accepted": True}, {}),
    "substitute_said": ({"accepted": True}, {}),
    "season_substitute": (
        {"matches": MATCHES, "reason": "Kenji is in hospital."},
        {"is_over": True, "matches": MATCHES},
    ),
    "match_soon": ({"place": "The Boathouse, Mill Lane"},),
    "week": (
        {
            "ahead": [
                {**MATCHES[0], "place": "The Boathouse, Mill Lane", "telephones": "Olga Petrov 01 234 5678"},
                MATCHES[1],
            ],
            "to_confirm": [{"match": RETURN}],
            "owed": [{"match": MATCH}],
        },
    ),
    "result_asked": ({"matches": ASKED[:1]}, {"matches": ASKED}),
    "playing_on": ({"competition": "Summer League", "season": "2027/28"},),
    "table_called": ({"waiting": "Olga Petrov"},),
    "table_asks": ({"missing": 1, "waiting": "Olga Petrov, Kenji Sato, Rui Silva"}, {"missing": 3}),
    "claim_decided": ({"accepted": True}, {}),
    "join_answered": ({"accepted": True}, {"reason": "We are full until the summer."}),
    "mail_bounced": ({"address": "anna.berg@example.org"},),
    "director_called": ({"table": "Table 3"},),
    "webhook_ended": ({"host": "results.example.org"},),
}
#: Of the others a mail of its own tells.
MAILED = [event for event in events.EVENTS if not event.has_own_mail]
#: The mails about an account, with what they name. Allauth has them for other settings than ours, too.
ACCOUNT: Mapping[str, dict[str, Any]] = {
    "account/email/email_confirmation": {
        "activate_url": "http://localhost:8000/accounts/confirm-email/MTI:1kXy2Z/"
    },
    "account/email/password_reset_key": {
        "password_reset_url": "http://localhost:8000/accounts/password/reset/key/3-c9x2/"
    },
    "account/email/account_already_exists": {
        "password_reset_url": "http://localhost:8000/accounts/password/reset/"
    },
    "account/email/unknown_account": {"signup_url": "http://localhost:8000/accounts/signup/"},
    "account/email/password_reset": {},
    "account/email/password_changed": {},
    "account/email/password_set": {},
    "account/email/email_added": {"added": "anna@example.net"},
    "account/email/email_changed": {"to_email": "anna@example.net", "from_email": "anna.berg@example.org"},
    "account/email/email_deleted": {"deleted_email": "anna@example.net"},
    "mfa/email/recovery_codes_generated": {},
    "mfa/email/totp_activated": {},
    "mfa/email/totp_deactivated": {},
    "mfa/email/webauthn_added": {},
    "mfa/email/webauthn_removed": {},
}


@pytest.mark.django_db
def test_every_mail_as_a_picture() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    mails = {
        language: [framed(*each) for each in written(language)] for language, _name in settings.LANGUAGES
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        for language, scheme in product(mails, SCHEMES):
            window = {"width": ABREAST * (WIDTH + 12) + 16, "height": 600}
            page = browser.new_page(viewport=window, color_scheme=scheme)  # type: ignore[arg-type]
            for first in range(0, len(mails[language]), TO_A_PICTURE):
                page.set_content("".join(mails[language][first : first + TO_A_PICTURE]))
                page.evaluate(WHOLE)
                name = f"{language}-{scheme}-{first // TO_A_PICTURE + 1:02}.png"
                page.screenshot(path=FOLDER / name, full_page=True)
        browser.close()


def written(language: str) -> Iterator[tuple[str, EmailMultiAlternatives]]:
    """Each mail, with the name of its template."""
    anna = factories.user(f"anna-{language}@example.org", name="Anna Berg", language=language)
    club = factories.club("Riverside Club", time_zone="Europe/Dublin")
    for event in MAILED:
        for way in WAYS.get(event.key, ({},)):
            yield event.key, outbox.written(of_notice(anna, club, event.key, {**COMMON, **way}))
    others: tuple[tuple[str, dict[str, Any]], ...] = (
        ("invitation", {"club": club.name, "role": "director", "path": "/invitations/12/"}),
        (
            joining.TEMPLATE,
            {
                "club": club.name,
                "player": "Anna Berg",
                "sender": "Daniel Quinn",
                "days": 14,
                "path": "/invited/Ab3xK9/",
            },
        ),
        (TEST, {}),
        ("token_made", {"name": "Anna Berg", "hint": "cm_4f", "days": 90, "path": "/my/token/"}),
        ("token_made", {"name": "Anna Berg", "hint": "cm_4f", "days": 1, "path": "/", "may_write": True}),
        (
            players.GUEST_NAMED,
            {
                **COMMON,
                "club": club.name,
                "who": "Anna Berg",
                "place": "The Boathouse, Mill Lane",
                "path": "/clubs/riverside/",
            },
        ),
        *of_account(anna, language),
    )
    for template, context in others:
        row = OutboxMessage(to=anna.email, template="account" if template in ACCOUNT else template)
        row.contents = outbox.encryption.encrypt(json.dumps(context), purpose=outbox.PURPOSE)
        yield template, outbox.written(row)


def of_notice(user: User, club: Club, event: str, context: dict[str, Any]) -> OutboxMessage:
    """The row that `notify` would write."""
    named = {"name": user.name, "club": club.name, "club_name": club.name, "path": "/my/", **context}
    notice = Notice.objects.create(
        user=user, club=club, event=event, context=named, made_at=datetime(2026, 11, 23, 12, tzinfo=UTC)
    )
    (row,) = outbox.post_notices([(notice, None)]).values()
    return row


def of_account(user: User, language: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Subject and body as the account's pages write them."""
    request = RequestFactory(headers={"accept-language": language}).get(reverse("account_login"))
    request.user, request.session = AnonymousUser(), SessionBase()
    with override(language), allauth.request_context(request):
        for name, context in ACCOUNT.items():
            get_adapter(request).send_notification_mail(name, user, context)
            yield name, outbox.context_of(OutboxMessage.objects.latest("pk"))


def framed(name: str, mail: EmailMultiAlternatives) -> str:
    """The mail as a mail program shows it."""
    ((shown, _kind),) = mail.alternatives
    return FRAME.format(name=name, width=WIDTH, mail=html.escape(str(shown)))
