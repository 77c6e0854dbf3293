"""No text of a page is left out of the catalogues: every page, in a language that marks what was translated."""

from collections.abc import Iterator

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, trans_real

from league.models import SweepFailure, User
from league.notices.services import outbox
from tests.every_page import client_of, furnish, pages
from tests.permissions import walking
from tests.permissions.test_every_address import read_table
from tests.permissions.walking import ROLES, Stage
from tests.thorough import is_in_turn
from tests.translations.data import forgotten, phrases
from tests.translations.pseudo import LANGUAGE, PseudoTranslation, pseudo_locale
from tests.translations.shown import Said, shown

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# A page says different things to somebody without an account, to a player and to an owner.
READERS = ("visitor", "eva", "olive")
# Who sends something faulty, and reads what is wrong with it.
WRITERS = ("anna", "olive")
# Pages of the packages that ours are made of: their texts are in the packages' catalogues or in ours.
ACCOUNT_PAGES = {
    "visitor": ("account_login", "account_signup", "account_reset_password", "account_reset_password_done"),
    "eva": (
        "account_email",
        "account_change_password",
        "account_logout",
        "account_reauthenticate",
        "mfa_index",
    ),
}


@pytest.fixture
def pseudo() -> Iterator[PseudoTranslation]:
    with pseudo_locale() as catalogue:
        yield catalogue


@pytest.fixture
def stage() -> Stage:
    return furnish()


def test_every_text_of_every_page_was_translated(pseudo: PseudoTranslation, stage: Stage) -> None:
    known, faults = phrases(), dict[str, str]()
    for name, html in [*read_by(stage), *answered_to(stage)]:
        for fault in forgotten(shown(html), known):
            faults.setdefault(fault, name)

    assert not faults, "\n".join(f"{where}: {fault}" for fault, where in faults.items())
    # What pages asked for has its German: ours, or that of the packages.
    german = vars(trans_real.DjangoTranslation(LANGUAGE))["_catalog"]
    assert {text for text in pseudo.asked if text not in german and (text, 0) not in german} == set()
    assert not SweepFailure.objects.exists(), "a sweep failed meanwhile"


def read_by(stage: Stage) -> Iterator[tuple[str, str]]:
    """Every page as each of the readers may see it; in `make test` a third of them, by turns."""
    for role, names in ACCOUNT_PAGES.items():
        for name in names:
            yield name, client_of(stage, role, LANGUAGE).get(reverse(name)).content.decode()
    for page in pages(stage, READERS, each=True):
        if not is_in_turn(f"{page.name} {page.role}", one_in=3):
            continue
        answer = client_of(stage, page.role, LANGUAGE).get(page.address)
        if "html" in answer.headers.get("Content-Type", ""):
            yield f"{page.name} for {page.role}", answer.content.decode()


def answered_to(stage: Stage) -> Iterator[tuple[str, str]]:
    """What every page with a form says of something faulty."""
    table = read_table()
    for name, pattern in walking.addresses():
        role = next((role for role in WRITERS if table[name][1][ROLES.index(role)] == "!"), None)
        if role and not name.startswith("api_") and is_in_turn(name, one_in=3):
            answer = client_of(stage, role, LANGUAGE).post(
                walking.address_of(stage, name, pattern), {"reason": ""}
            )
            if "html" in answer.headers.get("Content-Type", ""):
                yield f"{name} sent by {role}", answer.content.decode()


def test_every_mail_was_translated(pseudo: PseudoTranslation, stage: Stage) -> None:
    client = client_of(stage, "visitor", LANGUAGE)
    User.objects.update(language=LANGUAGE)
    client.post(reverse("account_reset_password"), {"email": stage.scene.users["anna"].email})
    outbox.deliver(at=timezone.now())
    told = [
        Said(str(text), str(message.subject))
        for message in mail.outbox
        for text in (message.subject, message.body)
    ]

    assert len(mail.outbox) >= 3
    assert forgotten(told, phrases()) == []


BARE = {
    "<p>Nothing yet</p>": "Nothing yet",
    "<p>⟦Round ⟧scheduled</p>": "scheduled",
    '<a href="/" title="Go home">⟦Home⟧</a>': "Go home",
    '<button aria-label="Close">⟦×⟧</button>': "Close",
    '<div data-saved-text="Saved here">⟦a⟧</div>': "Saved here",
    '<input type="submit" value="Send">': "Send",
    '<script type="application/json">{"deals": [{"label": "Deal 1"}]}</script>': "Deal",
    '<svg><title>⟦Places⟧</title><text x="1">Round</text></svg>': "Round",
}


@pytest.mark.parametrize("html", BARE)
def test_a_bare_text_is_noticed(html: str) -> None:
    assert [fault.split("'")[1] for fault in forgotten(shown(html), phrases())] == [BARE[html]]


def test_data_and_translated_texts_are_not_taken_for_bare_ones(
    pseudo: PseudoTranslation, stage: Stage
) -> None:
    pair = stage.scene.entries[0]
    page = f'<p title="{gettext("Round")}">{gettext("Round")} 8 · {pair} · N-S, 7h <code>GET /api</code></p>'

    assert forgotten(shown(page), phrases()) == []
