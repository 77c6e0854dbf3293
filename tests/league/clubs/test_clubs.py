"""Clubs and their members: nobody is left without an owner."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from league import policies
from league.clubs.services import clubs
from league.errors import Conflict, Invalid, NotAllowed
from league.manage.views import setup_parts
from league.models import AuditEntry, Club, Membership, Role, User
from league.zones import PLACES
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


def found(actor=DIRECTOR, name="Riverside Cards", **more):
    return clubs.found(actor=actor, name=name, time_zone="Europe/London", **more)


def test_who_founds_a_club_is_its_owner():
    founder = factories.user()
    assert policies.role_in(founder, factories.club()) is None
    club = found(founder)
    assert club.slug == "riverside-cards"
    assert policies.role_in(founder, club) == Role.OWNER
    assert AuditEntry.objects.get(action="club.founded", club=club).after["name"] == "Riverside Cards"


def test_addresses_made_from_names_are_free_ones():
    assert [found().slug for _each in range(3)] == [
        "riverside-cards",
        "riverside-cards-2",
        "riverside-cards-3",
    ]
    assert found(name="New").slug == "new-2"
    assert found(name="麻雀").slug == "x"


def test_a_wanted_address_must_be_free_and_an_address():
    assert found(slug="river-side").slug == "river-side"
    with pytest.raises(Conflict, match="taken"):
        found(slug="river-side")
    with pytest.raises(Conflict, match="taken"):
        found(slug="desk")
    with pytest.raises(Invalid, match="small letters"):
        found(slug="River Side!")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"name": "  "}, ["name"]),
        ({"name": "x" * 121}, ["name"]),
        ({"time_zone": "Mars/Olympus"}, ["time_zone"]),
        ({"about": "x" * 2001}, ["about"]),
    ],
)
def test_what_a_club_says_is_checked(fields, place):
    with pytest.raises(Invalid) as refusal:
        clubs.found(actor=DIRECTOR, **{"name": "Riverside", "time_zone": "Europe/London", **fields})
    assert [fault["place"] for fault in refusal.value.details] == [place]
    assert not Club.objects.exists()


def test_an_owner_edits_the_club_and_the_change_is_kept():
    club = found()
    owner = factories.member(club, Role.OWNER)
    clubs.edit(actor=owner, club=club, name="Riverside", time_zone="Europe/Berlin", place="Hall 2")
    club.refresh_from_db()
    assert (club.name, club.time_zone, club.place, club.slug) == (
        "Riverside",
        "Europe/Berlin",
        "Hall 2",
        "riverside-cards",
    )
    entry = AuditEntry.objects.get(action="club.edited")
    assert (entry.before["time_zone"], entry.after["time_zone"]) == ("Europe/London", "Europe/Berlin")
    with pytest.raises(NotAllowed):
        clubs.edit(actor=factories.member(club, Role.DIRECTOR), club=club, name="X", time_zone="UTC")


def test_joining_twice_is_joining_once():
    club, user = found(), factories.user()
    first = clubs.join(actor=user, club=club)
    assert clubs.join(actor=user, club=club) == first
    assert policies.role_in(user, club) == Role.MEMBER
    assert AuditEntry.objects.filter(action="club.joined").count() == 1


def test_joining_does_not_change_a_role():
    club = found()
    director = factories.member(club, Role.DIRECTOR)
    assert clubs.join(actor=director, club=club).role == Role.DIRECTOR


def test_an_owner_gives_roles():
    club = found()
    owner, user = factories.member(club, Role.OWNER), factories.member(club)
    made = clubs.set_role(actor=owner, membership=Membership.objects.get(user=user), role=Role.SCORER)
    assert (made.user, made.role) == (user, Role.SCORER)
    with pytest.raises(Invalid, match="Choose one of the roles"):
        clubs.set_role(actor=owner, membership=made, role="emperor")


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.SCORER, Role.MEMBER])
def test_only_owners_give_roles(role):
    club = found()
    actor = factories.member(club, role)
    own = club.memberships.get(user=actor)
    with pytest.raises(NotAllowed):
        clubs.set_role(actor=actor, membership=own, role=Role.OWNER)
    assert club.memberships.get(user=actor).role == role


def test_the_last_owner_stays():
    club = found()
    owner = factories.member(club, Role.OWNER)
    own = club.memberships.get(user=owner)
    with pytest.raises(Conflict, match="needs an owner"):
        clubs.set_role(actor=owner, membership=own, role=Role.DIRECTOR)
    with pytest.raises(Conflict, match="needs an owner"):
        clubs.remove_member(actor=owner, membership=own)
    factories.member(club, Role.OWNER)
    clubs.set_role(actor=owner, membership=own, role=Role.DIRECTOR)
    assert policies.role_in(owner, club) == Role.DIRECTOR


def test_an_owner_whose_account_is_closed_does_not_count():
    club = found()
    owner, gone = factories.member(club, Role.OWNER), factories.member(club, Role.OWNER)
    gone.is_active = False
    gone.save()
    with pytest.raises(Conflict, match="needs an owner"):
        clubs.remove_member(actor=owner, membership=club.memberships.get(user=owner))


def test_everybody_may_leave_and_owners_may_remove():
    club = found()
    owner, member, other = (factories.member(club, role) for role in (Role.OWNER, Role.MEMBER, Role.MEMBER))
    clubs.remove_member(actor=member, membership=club.memberships.get(user=member))
    with pytest.raises(NotAllowed):
        clubs.remove_member(actor=other, membership=club.memberships.get(user=owner))
    theirs = club.memberships.get(user=other)
    clubs.remove_member(actor=owner, membership=theirs)
    assert list(club.memberships.values_list("user", flat=True)) == [owner.pk]
    with pytest.raises(Conflict, match="no longer a member"):
        clubs.set_role(actor=owner, membership=theirs, role=Role.OWNER)


def test_the_database_refuses_two_memberships_and_unknown_roles():
    club = found()
    user = factories.member(club)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(user=user, club=club)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(user=factories.user(), club=club, role="emperor")
    assert club.memberships.count() == 1


def test_time_zones_on_offer_are_places_and_an_older_choice_stays(client):
    assert {"Factory", "Etc/UTC", "US/Eastern", "CET"}.isdisjoint(zone for zone in PLACES)
    assert "Europe/Dublin" in PLACES
    club = found()
    owner = factories.member(club, Role.OWNER)
    clubs.edit(actor=owner, club=club, name=club.name, time_zone="Etc/UTC")
    client.force_login(owner)
    form = client.get(f"/clubs/{club.slug}/desk/club/").context["form"]
    assert form.fields["time_zone"].choices[0] == ("Etc/UTC", "Etc/UTC")
    assert 'data-own-zone="offer"' in str(form["time_zone"])


def test_evening_time_and_place_are_asked_once_and_suggested_for_each_competition(client):
    owner = factories.user()
    client.force_login(owner)
    answers = {"name": "Hill Club", "time_zone": "Europe/Vienna", "place": "Hall 2"}
    client.post("/clubs/new/", {**answers, "weekday": "3", "play_time": "19:00"})
    usual = setup_parts.usual(Club.objects.get(name="Hill Club"), {"name": "Winter"})
    assert (usual.place, usual.play_time, usual.starts_on.weekday()) == ("Hall 2", time(19), 3)
    assert usual.starts_on >= timezone.localdate() + timedelta(days=13)
    refused = client.post("/clubs/new/", {**answers, "name": "Another", "weekday": "7"})
    assert refused.status_code == 422
    with pytest.raises(IntegrityError), transaction.atomic():
        Club.objects.update(weekday=7)


def test_the_list_of_clubs_has_all_and_the_own_ones_first(client):
    other, own = found(name="Alpha"), found(name="Zulu")
    client.force_login(factories.member(own))
    page = client.get("/clubs/")
    assert [line.name for line in page.context["clubs"]] == ["Zulu", "Alpha"]
    assert other.get_absolute_url() in page.text
    assert "Create a club here" in page.text


def test_who_runs_the_site_is_asked_for_a_name():
    asked = {"interactive": False, "email": "root@example.org", "verbosity": 0}
    with pytest.raises(CommandError, match="--name"):
        call_command("createsuperuser", **asked)
    call_command("createsuperuser", **asked, name="Olive Hart")
    assert User.objects.get(email="root@example.org").get_short_name() == "Olive"


def test_who_has_no_club_is_offered_to_create_one_where_their_matches_would_be(client):
    someone = factories.user(name="Nora New")
    client.force_login(someone)
    for page in ("/", "/my/"):
        assert '<a class="button quiet" href="/clubs/new/">Create a club</a>' in client.get(page).text
    factories.member(found(), who=someone)
    assert "Create a club</a>" not in client.get("/my/").text


def test_the_account_menus_name_begins_with_what_is_seen(client):
    """Who speaks to their device says what they read (WCAG 2.5.3)."""
    client.force_login(factories.user(name="Nora New"))
    page = client.get("/").text
    assert '<summary aria-label="Nora New, your account">' in page
    assert '<span class="name">Nora New</span>' in page


def test_a_clubs_results_stand_under_their_competition_and_say_when(client):
    scene = make_scene()
    first = scene.fixture
    first.starts_at = datetime(2026, 10, 15, 18, 30, tzinfo=UTC)
    first.save(update_fields=["starts_at"])
    factories.result(first, 18, 12)
    page = client.get("/clubs/riverside/").text
    results = page[page.index('id="results-title"') :]
    assert '<h3 class="round-head">Winter League</h3>' in results
    assert "15 Oct" in results
