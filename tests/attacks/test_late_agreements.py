"""What was agreed or entered in time, and is answered too late; who can be in two places at once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from games.scoresheets.services import scoresheets
from league.errors import Conflict, Invalid
from league.fixtures.services import dates, fixtures, substitutions
from league.models import Fixture, Player
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
OTHER = totals_sheet((30, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def test_a_proposed_time_that_is_past_is_not_accepted(scene):
    now = timezone.now()
    proposal = dates.propose(
        actor=scene.users["anna"], fixture=scene.fixture, starts_at=now + timedelta(hours=1), at=now
    )
    before = scene.fixture.starts_at
    with pytest.raises(Conflict):
        dates.answer(actor=scene.users["eva"], proposal=proposal, accept=True, at=now + timedelta(hours=2))
    assert scene.fixture.starts_at == before
    dates.answer(actor=scene.users["eva"], proposal=proposal, accept=False, at=now + timedelta(hours=2))


def test_nobody_stands_in_in_two_matches_of_a_round(scene):
    dora, first = scene.users["dora"], scene.fixture
    second = Fixture.objects.with_pairs().filter(round=first.round).exclude(pk=first.pk).get()
    stand_in = Player.objects.create(club=scene.club, name="Sue Standin")
    substitutions.appoint(actor=dora, fixture=first, absent=first.home.lineup.players[0], substitute=stand_in)
    absent = second.home.lineup.players[0]
    with pytest.raises(Invalid, match="same round"):
        substitutions.appoint(actor=dora, fixture=second, absent=absent, substitute=stand_in)
    fixtures.void(actor=dora, fixture=first, reason="rain")
    substitutions.appoint(actor=dora, fixture=second, absent=absent, substitute=stand_in)


def test_a_correction_is_not_offered_for_confirmation_when_its_window_is_over(scene):
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=FOUR, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    late = scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=OTHER, origin="page")
    client = Client()
    client.force_login(scene.users["anna"])
    address = reverse("sheet_confirm", args=[scene.fixture.pk])
    assert address in client.get(reverse("match", args=[scene.fixture.pk])).text
    Match.objects.update(locks_at=timezone.now() - timedelta(seconds=1))
    assert address not in client.get(reverse("match", args=[scene.fixture.pk])).text
    with pytest.raises(Conflict, match="over"):
        scoresheets.confirm(actor=scene.users["anna"], sheet=late, digest=late.digest)
    assert scene.fixture.result.home_score == 80
