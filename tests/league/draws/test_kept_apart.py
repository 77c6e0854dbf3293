"""Who must not meet in a Swiss: the director's list (F22), in drafts and later, on its page and by the API."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from league.competitions.services import competitions
from league.draws import queries as explained
from league.draws.services import apart, draws, rounds
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Competition, Fixture, ForbiddenMeeting
from tests.league import factories
from tests.league.draws.test_swiss import decide, drawn_next, swiss
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def meetings(division, number):
    found = Fixture.objects.filter(division=division, round__number=number).with_pairs()
    return {frozenset(entry.pk for entry in each.entries) for each in found}


def keep_apart(scene, division, one, other):
    return apart.keep_apart(
        actor=scene.users["dora"], division=division, entries=[one, other], at=timezone.now()
    )


def proposed(division, number):
    found = rounds.propose(division=division, round_=division.stage.rounds.get(number=number))
    return found, {frozenset((table.home.pk, table.away.pk)) for table in found.tables}


def test_f22_two_on_the_list_are_not_drawn_against_each_other(scene) -> None:
    _competition, division = swiss(scene)
    decide(division, 1)
    before, would_meet = proposed(division, 2)
    one, other = division.entries.filter(pk__in=next(iter(would_meet)))
    row = keep_apart(scene, division, other, one)
    after, tables = proposed(division, 2)
    assert frozenset((one.pk, other.pk)) not in tables
    assert (row.one_id, row.other_id, row.first_round) == (*sorted((one.pk, other.pk)), 2)
    assert AuditEntry.objects.filter(action="draw.kept_apart").count() == 1
    with pytest.raises(Conflict):
        rounds.propose(division=division, round_=after.round, tables=before.written)


def test_f22_a_draft_heeds_the_list_in_its_first_round(scene) -> None:
    competition, division = swiss(scene)
    competitions.set_state(competition, Competition.State.DRAFT)
    one, other = division.entries.filter(pk__in=next(iter(meetings(division, 1))))
    division = Competition.objects.get(pk=competition.pk).stage.divisions.get()
    keep_apart(scene, division, one, other)
    draws.draw(actor=scene.users["dora"], competition=competition)
    assert len(meetings(division, 1)) == 3
    assert frozenset((one.pk, other.pk)) not in meetings(division, 1)


def test_f22_without_a_way_the_draw_is_refused_and_names_who_has_no_opponent(scene) -> None:
    _competition, division = swiss(scene, pairs=4)
    decide(division, 1)
    first, *others = division.entries.with_pairs().order_by("number")
    for other in others:
        keep_apart(scene, division, first, other)
    with pytest.raises(Conflict, match="no opponent for"):
        proposed(division, 2)


def test_f2_a_list_that_changes_later_does_not_change_how_an_earlier_round_was_drawn(scene) -> None:
    competition, division = swiss(scene)
    decide(division, 1)
    drawn_next(scene, division, 2)
    met = next(iter(meetings(division, 2)))
    one, other = division.entries.filter(pk__in=met)
    row = keep_apart(scene, division, one, other)
    assert row.first_round == 3
    how = explained.how_drawn(division, competition.stage.rounds.get(number=2))
    assert how is not None
    assert not how.is_otherwise
    decide(division, 2)
    drawn_next(scene, division, 3)
    apart.let_meet(actor=scene.users["dora"], division=division, row=row)
    row.refresh_from_db()
    assert row.last_round == 3
    assert not apart.of_division(division).exists()
    again = keep_apart(scene, division, one, other)
    apart.let_meet(actor=scene.users["dora"], division=division, row=again)
    assert ForbiddenMeeting.objects.count() == 1, "what no draw has heeded leaves nothing behind"


def test_what_cannot_be_is_refused(scene) -> None:
    _competition, division = swiss(scene)
    one, other = division.entries.order_by("number")[:2]
    with pytest.raises(Invalid):
        keep_apart(scene, division, one, one)
    with pytest.raises(Invalid):
        keep_apart(scene, division, one, scene.entries[0])
    row = keep_apart(scene, division, one, other)
    with pytest.raises(Conflict):
        keep_apart(scene, division, other, one)
    with pytest.raises(Conflict, match="Only in a Swiss"):
        keep_apart(scene, scene.division, *scene.entries[:2])
    with pytest.raises(NotAllowed):
        apart.let_meet(actor=scene.users["anna"], division=division, row=row)
    apart.let_meet(actor=scene.users["dora"], division=division, row=row)
    with pytest.raises(Conflict):
        apart.let_meet(actor=scene.users["dora"], division=division, row=row)


def test_the_database_holds_that_two_stand_on_the_list_once_and_in_order(scene) -> None:
    _competition, division = swiss(scene)
    one, other = division.entries.order_by("pk")[:2]
    keep_apart(scene, division, one, other)
    for two in ((one, other), (other, one), (one, one)):
        with pytest.raises(IntegrityError), transaction.atomic():
            ForbiddenMeeting.objects.create(one=two[0], other=two[1], made_at=timezone.now())


def test_a_director_keeps_two_apart_on_the_page_and_lets_them_meet(scene) -> None:
    competition, division = swiss(scene)
    one, other = division.entries.with_pairs().order_by("number")[:2]
    client = Client()
    client.force_login(scene.users["dora"])
    address = f"/clubs/{scene.club.slug}/{competition.slug}/manage/divisions/{division.pk}/apart/"
    assert client.get(address).status_code == 200
    assert client.post(address, {"one": one.pk, "other": other.pk}).status_code == 302
    assert "Let them meet" in client.get(address).content.decode()
    assert client.post(address, {"one": one.pk, "other": other.pk}).status_code == 422
    assert client.post(address, {"one": "x", "other": ""}).status_code == 422
    assert client.post(address, {"let_meet": "999999999999999999999"}).status_code == 422
    row = ForbiddenMeeting.objects.get()
    assert client.post(address, {"let_meet": row.pk}).status_code == 302
    assert not ForbiddenMeeting.objects.exists()
    client.force_login(scene.users["anna"])
    assert client.get(address).status_code == 403


def test_a_program_keeps_two_apart_and_lets_them_meet(scene) -> None:
    _competition, division = swiss(scene)
    keys = list(division.entries.order_by("pk").values_list("pk", flat=True)[:2])
    client = Client()
    client.force_login(scene.users["dora"])
    address = f"/api/v1/divisions/{division.pk}/apart/"

    def post(**body):
        return client.post(address, body, content_type="application/json")

    assert client.get(address).json() == []
    expected = [{"one": keys[0], "other": keys[1], "since_round": 2}]
    assert post(entries=keys[::-1]).json() == expected
    assert post(entries=keys).status_code == 409
    assert post(entries=keys, apart=False).json() == []
    assert post(entries=keys, apart=False).status_code == 404
    for body in (
        {},
        {"entries": keys[:1]},
        {"entries": [1, 10**9]},
        {"entries": "x"},
        {"entries": keys, "y": 1},
    ):
        assert post(**body).status_code in {400, 422}
    client.force_login(factories.user())
    assert client.get(address).status_code == 403
