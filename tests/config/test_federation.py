"""The database to measure with: its copies are leagues like those that were played."""

from datetime import date

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from config.demo import federation
from league.models import Appearance, Club, Competition, Fixture, Lineup, LineupMember, User
from league.standings.services import standings, verification

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_copied_clubs_have_leagues_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(federation, "PAIRS", 8)
    monkeypatch.setattr(federation, "LEAGUES", 3)
    federation.build(seed=1, today=date(2026, 11, 26), clubs_in_all=3)
    assert (Club.objects.count(), Competition.objects.count()) == (3, 9)
    assert User.objects.count() == 3 * 17
    assert Fixture.objects.count() == Fixture.objects.decided().count() == 3 * 3 * 12
    strangers = Appearance.objects.exclude(entry__competition=F("fixture__round__stage__competition"))
    assert not strangers.exists()
    assert not LineupMember.objects.exclude(player__club=F("lineup__club")).exists()
    newest = Lineup.objects.latest("pk")
    assert newest.members_key == Lineup.key_of(member.player_id for member in newest.members.all())
    standings.sweep(at=timezone.now())
    for competition in Competition.objects.order_by("-pk")[:4]:
        assert not [*verification.differences(competition=competition)]
        assert Client().get(competition.get_absolute_url()).status_code == 200
