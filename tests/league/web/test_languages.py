"""Who chooses a language reads the pages in it, and the mails too, whoever's act sends them."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.scoresheets.services import scoresheets
from league.notices.services import outbox
from tests.scenes import make_scene, totals_sheet

pytestmark = pytest.mark.django_db


def choose(client: Client, language: str) -> None:
    answer = client.post("/i18n/setlang/", {"language": language, "next": "/"})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_visitor_chooses_a_language_for_this_browser() -> None:
    client = Client()
    choose(client, "de")
    assert "Zum Inhalt springen" in client.get("/").text
    choose(client, "en")
    assert "Skip to content" in client.get("/").text


def test_a_language_that_is_written_from_the_right_turns_the_page_round(settings: Settings) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "Arabic")]
    for language, direction in (("ar", "rtl"), ("de", "ltr")):
        page = Client().get("/", headers={"Accept-Language": language}).text
        assert f'<html lang="{language}" dir="{direction}"' in page


def test_mails_come_in_the_language_of_who_reads_them() -> None:
    """Anna, who enters the sheet, speaks English; Eva chose German, Luis nothing."""
    scene = make_scene()
    eva = Client()
    eva.force_login(scene.users["eva"])
    choose(eva, "de")
    scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    outbox.deliver(at=timezone.now())

    subjects = {message.to[0]: message.subject for message in mail.outbox}
    assert subjects == {
        "eva@example.org": "Berg & Okafor – Novak & Reyes: Bitte den Spielzettel bestätigen",
        "luis@example.org": "Berg & Okafor – Novak & Reyes: please confirm the scoresheet",
    }


def test_a_language_that_the_site_does_not_speak_changes_nothing() -> None:
    scene = make_scene()
    client = Client()
    client.force_login(scene.users["eva"])
    choose(client, "de")
    for unknown in ("xx", "", "d" * 5000):
        choose(client, unknown)
    scene.users["eva"].refresh_from_db()
    assert scene.users["eva"].language == "de"
    assert client.get("/i18n/setlang/").status_code == 405
