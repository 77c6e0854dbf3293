"""Directors hear of matches that need them, for the competitions that they choose."""

import pytest
from django.test import Client

from games.scoresheets.services import scoresheets
from games.tables.services import requests
from league.errors import Invalid
from league.models import Competition, Membership, Notice, NoticeSettings, Role, User
from league.notices.services import notices
from tests.league import factories
from tests.live.tables import laid_in
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
PAGE = "/my/notices/choices/"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def other(scene: Scene) -> Competition:
    return factories.running(scene.club, pairs=2, name="Summer Cup", slug="summer-cup")


def reject(scene: Scene) -> None:
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Deal 2 is wrong")


def told(user: User, event: str = "disputed") -> list[Notice]:
    return list(Notice.objects.filter(user=user, event=event))


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_directors_hear_that_the_sides_disagree_without_points_and_reason(scene: Scene) -> None:
    dora, olive = scene.users["dora"], scene.users["olive"]
    Membership.objects.filter(user=scene.users["eva"]).update(role=Role.DIRECTOR)
    reject(scene)
    for each in (dora, olive):
        (notice,) = told(each)
        assert "Deal 2" not in repr(notice.context)
        assert set(notice.context) == {"match", "competition", "path", "club_name", "name"}
    assert not told(scene.users["eva"]), "who plays in the match hears as a player"
    assert not told(scene.users["sam"]), "a scorer does not decide"
    page = client_of(dora).get("/my/notices/").text
    assert "the sides disagree" in page


def test_a_director_is_told_of_the_competitions_they_chose(scene: Scene, other: Competition) -> None:
    dora, olive = scene.users["dora"], scene.users["olive"]
    notices.direct(actor=dora, competitions=[other.pk])
    notices.direct(actor=olive, competitions=[other.pk, scene.competition.pk])
    reject(scene)
    assert (len(told(dora)), len(told(olive))) == (0, 1)
    notices.direct(actor=dora, competitions=None)
    assert not NoticeSettings.objects.get(user=dora).competitions.exists()


def test_a_table_of_a_match_calls_the_directors_of_its_competition(scene: Scene, other: Competition) -> None:
    notices.direct(actor=scene.users["dora"], competitions=[other.pk])
    laid = laid_in(scene)
    requests.call_director(actor=laid.at("N"), table_id=laid.table.pk)
    assert told(scene.users["olive"], "director_called")
    assert not told(scene.users["dora"], "director_called")


def test_only_ones_own_competitions_and_not_none(scene: Scene, other: Competition) -> None:
    stranger, dora = factories.user(), scene.users["dora"]
    for user, keys in ((stranger, [other.pk]), (dora, [other.pk, 10**9]), (dora, [])):
        with pytest.raises(Invalid):
            notices.direct(actor=user, competitions=keys)
    assert not NoticeSettings.objects.exists()


def test_the_page_offers_it_to_who_directs_several(scene: Scene) -> None:
    dora = client_of(scene.users["dora"])
    assert "As a director" not in dora.get(PAGE).text
    other = factories.running(scene.club, pairs=2, name="Summer Cup", slug="summer-cup")
    page = dora.get(PAGE).text
    assert "As a director" in page
    assert "Summer Cup" in page
    assert "As a director" not in client_of(scene.users["anna"]).get(PAGE).text
    form = dict.fromkeys(notices.chosen(user=scene.users["dora"]), "mail")
    answer = dora.post(PAGE, {**form, "which": "these"})
    assert answer.status_code == 422
    assert "Choose at least one competition, or all." in answer.text
    for wrong in ("x", "999999", ""):
        assert dora.post(PAGE, {**form, "which": "these", "competitions": wrong}).status_code == 422
    dora.post(PAGE, {**form, "which": "these", "competitions": other.pk})
    assert list(NoticeSettings.objects.get(user=scene.users["dora"]).competitions.all()) == [other]
    dora.post(PAGE, {**form, "which": "all", "competitions": other.pk})
    assert not NoticeSettings.objects.get(user=scene.users["dora"]).competitions.exists()
