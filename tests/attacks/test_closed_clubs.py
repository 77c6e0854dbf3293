"""What is for members of a closed club stays with those whom an owner has added."""

import pytest
from django.test import Client
from django.urls import reverse

from league.clubs.services import clubs
from league.errors import NotAllowed
from league.models import AuditEntry, Club, Competition
from tests.scenes import Scene, make_scene


@pytest.fixture
def closed(db: None) -> Scene:
    scene = make_scene()
    club = scene.club
    clubs.edit(actor=scene.users["olive"], club=club, name=club.name, time_zone=club.time_zone, is_open=False)
    Competition.objects.update(visibility="members")
    return scene


def test_nobody_joins_a_closed_club_to_look_around(closed):
    stranger = Client()
    stranger.force_login(closed.users["stranger"])
    stranger.post(reverse("club_join", args=[closed.club.slug]))  # asks, and waits for a director
    assert not closed.club.memberships.filter(user=closed.users["stranger"]).exists()
    assert stranger.get(closed.competition.get_absolute_url()).status_code == 404
    assert stranger.get(reverse("match", args=[closed.fixture.pk])).status_code == 404


def test_a_club_closed_a_moment_ago_is_closed(closed):
    before = Club(pk=closed.club.pk, name="as it was shown", is_open=True)
    with pytest.raises(NotAllowed):
        clubs.join(actor=closed.users["stranger"], club=before)


def test_an_owner_adds_members_and_members_stay(closed):
    clubs.admit(actor=closed.users["olive"], club=closed.club, user=closed.users["stranger"])
    clubs.join(actor=closed.users["stranger"], club=closed.club)
    stranger = Client()
    stranger.force_login(closed.users["stranger"])
    assert stranger.get(closed.competition.get_absolute_url()).status_code == 200


def test_who_closes_and_opens_a_club_is_on_record_and_other_edits_change_nothing(closed):
    line = AuditEntry.objects.filter(action="club.edited").first()
    assert (line.before["is_open"], line.after["is_open"]) == (True, False)
    clubs.edit(actor=closed.users["olive"], club=closed.club, name="New name", time_zone="Europe/London")
    assert not Club.objects.get(pk=closed.club.pk).is_open
