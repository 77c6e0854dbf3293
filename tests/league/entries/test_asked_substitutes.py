"""A substitute with an account is asked: yes, or no, which frees the place; a director's word needs no answer."""

from typing import Any

import pytest
from django.test import Client

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league import policies
from league.errors import Conflict, NotAllowed
from league.fixtures import arranging, queries
from league.fixtures.services import substitutions
from league.models import (
    AuditEntry,
    Contact,
    Fixture,
    Membership,
    Notice,
    Player,
    Role,
    Substitution,
    User,
)
from league.notices.queries import lines
from league.people.services import merging, players
from tests.scenes import Scene, make_scene, make_user

pytestmark = pytest.mark.django_db
MATCH = "Berg & Okafor – Novak & Reyes"
GONE = "You are no longer asked to play"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def sol(scene: Scene) -> Player:
    return Player.objects.create(club=scene.club, name="Sol Vega", user=make_user("Sol Vega"))


def person(player: Player) -> User:
    assert player.user is not None
    return player.user


def named(name: str) -> Player:
    return Player.objects.get(name=name)


def name(scene: Scene, sol: Player, who: str = "anna", absent: str = "Chidi Okafor") -> Substitution:
    return substitutions.appoint(
        actor=scene.users[who], fixture=scene.fixture, absent=named(absent), substitute=sol, reason="Ill"
    )


def answer(sol: Player, row: Substitution, accept: bool) -> None:
    substitutions.answer(actor=person(sol), substitution=row, accept=accept)


def titles(user: User) -> list[str]:
    return [line.words.title for line in lines(Notice.objects.of(user).select_related("club"))]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_who_has_an_account_is_asked_and_the_others_hear_so(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    assert row.is_waiting
    assert titles(person(sol)) == [f"{MATCH}: can you play for Chidi Okafor?"]
    (told,) = lines(Notice.objects.of(person(sol)).select_related("club"))
    assert told.words.paragraphs[0] == "Anna Berg asks you to play for Chidi Okafor in a match:"
    assert told.words.paragraphs[2:] == ("“Ill”", "Please say whether you can.")
    assert told.notice.context["path"] == f"/fixtures/{scene.fixture.pk}/substitute/answer/"
    (heard,) = lines(Notice.objects.of(scene.users["eva"]).select_related("club"))
    assert "asked Sol Vega to play for Chidi Okafor" in heard.words.text


def test_a_yes_is_told_to_the_asker_and_the_directors(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    Notice.objects.all().delete()
    answer(sol, row, accept=True)
    assert Substitution.objects.get().answer == "yes"
    said = [f"{MATCH}: Sol Vega plays for Chidi Okafor"]
    assert titles(scene.users["anna"]) == titles(scene.users["dora"]) == said
    assert titles(scene.users["eva"]) == titles(scene.users["chidi"]) == []
    assert AuditEntry.objects.get(action="fixture.substitute_accepted").actor == sol.user
    for accept in (True, False):
        with pytest.raises(Conflict, match=GONE):
            answer(sol, row, accept)


def test_a_no_frees_the_place_and_everybody_hears_it(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    Notice.objects.all().delete()
    answer(sol, row, accept=False)
    assert not Substitution.objects.exists()
    said = [f"{MATCH}: Sol Vega can’t play for Chidi Okafor"]
    for who in ("anna", "chidi", "eva", "luis", "dora"):
        assert titles(scene.users[who]) == said
    assert titles(person(sol)) == []
    with pytest.raises(Conflict):
        answer(sol, row, accept=True)
    again = name(scene, sol, absent="Anna Berg", who="chidi")
    assert again.is_waiting, "the place is free, and so is the player"


@pytest.mark.parametrize("who", ["dora", "olive"])
def test_a_directors_word_needs_no_answer(scene: Scene, sol: Player, who: str) -> None:
    row = name(scene, sol, who)
    assert row.answer == ""
    assert titles(person(sol)) == [f"{MATCH}: Sol Vega plays for Chidi Okafor"]
    with pytest.raises(Conflict, match=GONE):
        answer(sol, row, accept=False)


def test_who_has_no_account_is_not_asked(scene: Scene) -> None:
    guest = players.appoint_guest(
        actor=scene.users["anna"], fixture=scene.fixture, absent=named("Chidi Okafor"), name="Gina Ghost"
    )
    assert guest.answer == ""


def test_nobody_answers_for_another(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    for who in ("anna", "chidi", "eva", "iris", "dora", "olive"):
        with pytest.raises(NotAllowed):
            substitutions.answer(actor=scene.users[who], substitution=row, accept=True)
    assert Substitution.objects.get().is_waiting


@pytest.mark.parametrize("status", ["confirmed", "walkover", "void"])
def test_once_the_match_is_over_the_question_is(scene: Scene, sol: Player, status: str) -> None:
    row = name(scene, sol)
    Fixture.objects.filter(pk=scene.fixture.pk).update(status=status)
    with pytest.raises(Conflict, match="already"):
        answer(sol, row, accept=False)
    assert Substitution.objects.exists()
    assert not queries.asked_to_play(person(sol)).exists()


def test_a_substitute_who_is_replaced_is_no_longer_asked(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    other = Player.objects.create(club=scene.club, name="Uma Weir", user=make_user("Uma Weir"))
    name(scene, other)
    assert titles(person(sol))[0] == f"{MATCH}: Uma Weir plays for Chidi Okafor"
    with pytest.raises(Conflict, match="just changed"):
        answer(sol, row, accept=False)
    assert Substitution.objects.get().substitute == other
    with pytest.raises(Conflict, match="just changed"):
        substitutions.cancel(actor=scene.users["anna"], substitution=row)


def test_it_is_answered_on_my_matches_on_the_match_and_from_the_notice(scene: Scene, sol: Player) -> None:
    name(scene, sol)
    client, address = browser(person(sol)), f"/fixtures/{scene.fixture.pk}/substitute/answer/"
    notice = Notice.objects.of(person(sol)).get()
    assert client.post(f"/my/notices/{notice.pk}/")["Location"] == address
    for page in ("/my/", f"/matches/{scene.fixture.pk}/", address):
        text = client.get(page).text
        assert text.count("Can you play for Chidi Okafor?") == 1
        assert text.count(f'action="{address}"') == 1
    seen = browser(scene.users["eva"]).get(f"/matches/{scene.fixture.pk}/").text
    assert "Sol Vega for Chidi Okafor (not answered yet)" in seen
    assert "Can you play" not in seen
    assert "Choose whether you can play" in client.post(address, {"answer": "perhaps"}, follow=True).text
    assert "You play for Chidi Okafor." in client.post(address, {"answer": "yes"}, follow=True).text
    assert Substitution.objects.get().answer == "yes"
    assert GONE in client.post(address, {"answer": "no"}, follow=True).text
    assert "no question for you" in client.get(address).text
    assert "Can you play" not in client.get("/my/").text
    assert "(said yes)" in browser(scene.users["anna"]).get(f"/fixtures/{scene.fixture.pk}/substitute/").text


def test_the_question_goes_with_a_merged_player(scene: Scene, sol: Player) -> None:
    name(scene, sol)
    kept = Player.objects.create(club=scene.club, name="Sol Vega Ruiz")
    merging.merge(actor=scene.users["dora"], keep=kept, duplicate=sol)
    row = queries.asked_to_play(person(sol)).get()
    substitutions.answer(actor=person(sol), substitution=row, accept=True)
    assert Substitution.objects.get().substitute == kept


SHEET = {"deals": [{"total": {"NS": 30, "EW": 22}}] * 4}


def test_until_they_say_yes_they_do_not_speak_for_the_pair(scene: Scene, sol: Player) -> None:
    row, fixture = name(scene, sol), scene.fixture
    contact = {"telephone": "+353 1 496 0123", "is_shared": True}
    Contact.objects.create(user=scene.users["eva"], **contact)
    sheet = scoresheets.submit(actor=scene.users["eva"], fixture=fixture, content=SHEET, origin="page")
    now = Fixture.objects.get(pk=fixture.pk)
    assert "Yes, I’ll play" in browser(person(sol)).get(f"/matches/{fixture.pk}/").text
    assert arranging.contacts(now, person(sol)) == ()
    for act in (
        "sheet.judge",
        "fixture.propose_date",
        "fixture.postpone",
        "fixture.substitute",
        "table.open",
    ):
        about: Any = sheet if act == "sheet.judge" else Fixture.objects.get(pk=fixture.pk)
        assert not policies.may(person(sol), act, about), act
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=person(sol), sheet=sheet, digest=sheet.digest)
    with pytest.raises(NotAllowed):
        scoresheets.reject(actor=person(sol), sheet=sheet, reason="No")
    with pytest.raises(NotAllowed):
        scoresheets.submit(actor=person(sol), fixture=fixture, content=SHEET, origin="page")

    answer(sol, row, accept=True)
    now = Fixture.objects.get(pk=fixture.pk)
    assert [each.telephone for each in arranging.contacts(now, person(sol))] == ["+353 1 496 0123"]
    confirmed = scoresheets.confirm(actor=person(sol), sheet=sheet, digest=sheet.digest)
    assert confirmed.verdict == "confirmed"


def test_a_no_after_a_sheet_leaves_it_to_be_judged(scene: Scene, sol: Player) -> None:
    row = name(scene, sol)
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page")
    answer(sol, row, accept=False)
    assert not Substitution.objects.exists()
    confirmed = scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    assert confirmed.verdict == "confirmed"


def test_asking_a_director_takes_nothing_from_their_office_that_a_no_does_not_give_back(
    scene: Scene, sol: Player
) -> None:
    Membership.objects.create(user=person(sol), club=scene.club, role=Role.DIRECTOR)
    row = name(scene, sol)
    sheet = scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=SHEET, origin="page")
    assert not policies.may(person(sol), "sheet.judge", sheet)
    answer(sol, row, accept=False)
    sheet = Scoresheet.objects.get(pk=sheet.pk)
    assert policies.may(person(sol), "sheet.judge", sheet)
