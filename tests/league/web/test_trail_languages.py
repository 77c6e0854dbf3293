"""The trail speaks each reader's language, whatever language was spoken by whoever acted."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import gettext_lazy, override

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.audit import queries as trail
from league.clubs.services import clubs
from league.draws.services import draws
from league.fixtures.services import fixtures
from league.models import AuditEntry, DraftChange, Membership, Role
from league.words import sentences
from tests.league.setting_up import draft, enter, send
from tests.league.web.test_languages import choose
from tests.scenes import Scene, make_scene, totals_sheet
from tests.translations.pseudo import marked, pseudo_locale

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LANGUAGES = ("en", "de")


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def reader(scene: Scene, name: str, language: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    choose(client, language)
    return client


def give_a_role(scene: Scene) -> None:
    member = Membership.objects.get(user=scene.users["anna"], club=scene.club)
    clubs.set_role(actor=scene.users["olive"], membership=member, role=Role.SCORER)


def postpone(scene: Scene) -> None:
    fixtures.postpone(actor=scene.users["dora"], fixture=scene.fixture, reason="Snow.")


def give_a_walkover(scene: Scene) -> None:
    fixtures.award_walkover(
        actor=scene.users["dora"], fixture=scene.fixture, losing=[scene.fixture.away], reason="Late."
    )


def submit(scene: Scene) -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((20, 15), (20, 15), (20, 15), (20, 15)),
        origin="page",
    )


SAID: dict[Callable[[Scene], Any], dict[str, str]] = {
    give_a_role: {"en": "Anna Berg is now scorer", "de": "Anna Berg hat jetzt die Rolle Ergebnisdienst"},
    postpone: {"en": "Postponed", "de": "Verlegt"},
    give_a_walkover: {"en": "walkover for the home pair", "de": "kampflos für das Heimpaar"},
    submit: {"en": "Scoresheet 1 entered", "de": "Spielzettel 1 eingetragen"},
}


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("act", SAID, ids=lambda act: act.__name__)
def test_an_act_is_told_to_each_reader_in_his_language(
    scene: Scene, act: Callable[[Scene], Any], spoken: str
) -> None:
    with override(spoken):
        act(scene)
    for read in LANGUAGES:
        with override(read):
            told = {
                each
                for line in trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])
                for each in line.what
            }
        assert SAID[act][read] in told
    # Whoever reads the rows without the program finds one language in all of them.
    assert AuditEntry.objects.filter(summary=SAID[act]["en"]).exists()


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_page_of_a_match_and_the_api_tell_an_act_on_its_sheet(scene: Scene, spoken: str) -> None:
    with override(spoken):
        submit(scene)
    for read in LANGUAGES:
        client = reader(scene, "eva", read)
        page = client.get(f"/matches/{scene.fixture.pk}/")
        assert SAID[submit][read] in [line.summary for line in page.context["trail"]]
        assert SAID[submit][read] in page.text
        rows = client.get(f"/api/v1/matches/{scene.fixture.pk}/audit/", headers={"accept-language": read})
        assert SAID[submit][read] in [row["summary"] for row in rows.json()]


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_what_was_done_to_a_draft_is_told_in_either_language(scene: Scene, spoken: str) -> None:
    director = reader(scene, "dora", spoken)
    made = draft(director)
    send(director, made, "calendar", weekdays=["1"])
    enter(director, made, scene)
    with override(spoken):
        draws.draw(actor=scene.users["dora"], competition=made)
    for read, place, drawn in (
        ("en", "Changed: calendar", "Rounds drawn"),
        ("de", "Geändert: Kalender", "Runden ausgelost"),
    ):
        choose(director, read)
        page = director.get(f"/clubs/riverside/{made.slug}/manage/set-up/preview/").text
        assert drawn in page
        with override(read):
            changes = [str(each) for each in DraftChange.objects.filter(competition=made)]
        assert {place, drawn} <= {each.split(", ")[0] for each in changes}


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_undoing_tells_what_was_undone_in_either_language(scene: Scene, spoken: str) -> None:
    director = reader(scene, "dora", spoken)
    made = draft(director)
    enter(director, made, scene)
    with override(spoken):
        draws.draw(actor=scene.users["dora"], competition=made)
    change = DraftChange.objects.filter(competition=made)[0]
    director.post(f"/clubs/riverside/{made.slug}/manage/undo/{change.pk}/", {"step": "pairs"})

    entry = AuditEntry.objects.get(action="draft.undone")
    with override("de"):
        assert entry.told == "Rückgängig gemacht: Runden ausgelost"
    with override("en"):
        assert entry.told == "Undone: Rounds drawn"


def test_a_row_from_before_is_told_as_it_was_written(scene: Scene) -> None:
    AuditEntry.objects.create(actor_name="Dora", action="x", summary="Verlegt", club=scene.club)
    DraftChange.objects.create(
        club=scene.club, competition=scene.competition, action="x", summary="Runden ausgelost", before={}
    )
    for read in LANGUAGES:
        with override(read):
            [line] = trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])
            assert line.what == ("Verlegt",)
            assert str(DraftChange.objects.get()) == "Runden ausgelost"


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"template": "%(gone)s", "params": {"other": 1}},
        {"template": "100 %", "params": {"other": 1}},
        {"parts": 7, "by": ", "},
        {"template": "Void", "params": 3},
        [],
        "Void",
    ],
)
def test_a_row_that_cannot_be_read_is_told_as_its_text(kept: Any) -> None:
    assert sentences.told(kept, "as it stands") == "as it stands"


def test_names_are_kept_and_words_of_the_site_are_translated() -> None:
    """A pair called "calendar" is not a word; a percent sign in a name fills nothing in."""
    said = sentences.Joined(
        (
            sentences.gettext("%(name)s is now %(role)s")
            % {"name": "calendar 100 %(role)s", "role": Role.SCORER.label},
            sentences.ngettext("%(count)d pair entered", "%(count)d pairs entered", 1) % {"count": 1},
            sentences.ngettext("%(count)d pair entered", "%(count)d pairs entered", 3) % {"count": 3},
            gettext_lazy("calendar"),
            "calendar",
        ),
        by="; ",
    )
    with override("de"):
        kept = said.kept()
        in_german = sentences.told(kept)
    with override("en"):
        assert said.kept() == kept
        in_english = sentences.told(kept)
    name = "calendar 100 %(role)s"
    assert (
        in_german
        == f"{name} hat jetzt die Rolle Ergebnisdienst; 1 Paar gemeldet; 3 Paare gemeldet; Kalender; calendar"
    )
    assert in_english == f"{name} is now scorer; 1 pair entered; 3 pairs entered; calendar; calendar"


def test_the_trail_has_no_text_outside_the_catalogues(scene: Scene) -> None:
    give_a_role(scene)
    postpone(scene)
    with pseudo_locale():
        told = [
            each
            for line in trail.lines(trail.of_club(scene.club), scene.club, reader=scene.users["dora"])
            for each in line.what
        ]
    assert told == [marked("Postponed"), "Anna Berg⟦ is now ⟧⟦scorer⟧"]


def test_a_word_that_is_written_like_another_keeps_what_tells_it_apart() -> None:
    said = sentences.pgettext("where it is played", "place")
    kept = sentences.Joined((said, sentences.gettext("calendar"))).kept()
    with pseudo_locale() as catalogue:
        assert sentences.told(kept) == f"{marked('place')}, {marked('calendar')}"
    assert "where it is played\x04place" in catalogue.asked
    assert sentences.told(kept) == str(sentences.Joined((said, "calendar"))) == "place, calendar"
