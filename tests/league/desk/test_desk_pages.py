"""The director's desk: what it says, and the buttons that lead somewhere."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from league.desk.queries import desk
from league.models import Adjustment, AuditEntry, Entry, Fixture, Player, PlayerClaim, PlayerMerge
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["dora"])
    return client


def manage(scene: Scene, path: str = "") -> str:
    return f"/clubs/{scene.club.slug}/{scene.competition.slug}/manage/{path}"


def test_the_most_urgent_matter_comes_first(scene: Scene) -> None:
    at = datetime(2026, 10, 9, tzinfo=UTC)
    first, second, third = scene.fixtures[:3]
    Fixture.objects.filter(pk=third.pk).update(status="disputed")
    Fixture.objects.filter(pk=scene.fixtures[4].pk).update(starts_at=None)
    items = desk.of_club(scene.club, scene.users["dora"], at=at).waiting
    assert [item.url for item in items] == [
        f"/matches/{key}/"
        for key in (third.pk, first.pk, second.pk, scene.fixtures[3].pk, scene.fixtures[4].pk)
    ]
    assert [str(item.mark) for item in items] == ["disputed", "late", "late", "missing", "no date"]


def test_the_desk_reads_as_many_rows_for_one_matter_as_for_all(
    scene: Scene, director: Client, django_assert_max_num_queries: object
) -> None:
    director.get("/clubs/riverside/desk/")  # reads what a process reads once
    with django_assert_max_num_queries(46):  # type: ignore[operator]
        page = director.get("/clubs/riverside/desk/")
    assert page.status_code == 200
    assert "What to do next" in page.content.decode()


def test_a_round_closes_soon_only_while_results_are_missing(scene: Scene) -> None:
    first = scene.fixtures[0].round
    at = first.closes_at - timedelta(hours=5)
    before = desk.deadlines(scene.club, at=at)
    assert [each["is_soon"] for each in before if each["name"] == first.name] == [True]
    for match in first.fixtures.all():
        factories.result(match, 40, 60)
    after = desk.deadlines(scene.club, at=at)
    assert [(each["is_soon"], each["decided"]) for each in after if each["name"] == first.name] == [
        (False, first.fixtures.count())
    ]


def test_points_are_adjusted_and_taken_back_with_reasons(scene: Scene, director: Client) -> None:
    entry = scene.entries[0]
    page = director.post(manage(scene, f"entries/{entry.pk}/adjust/"), {"points": "many", "reason": "Late"})
    assert page.status_code == 422
    assert "points" in page.context["form"].errors
    said = director.post(
        manage(scene, f"entries/{entry.pk}/adjust/"), {"points": "-1", "reason": "Late"}, follow=True
    )
    adjustment = Adjustment.objects.get()
    assert "Berg &amp; Okafor: −1 point, “Late”." in said.content.decode()
    assert manage(scene, f"adjustments/{adjustment.pk}/revoke/") in said.content.decode()
    assert (adjustment.points, adjustment.reason) == ("-1", "Late")
    director.post(manage(scene, f"adjustments/{adjustment.pk}/revoke/"), {"reason": "They were on time"})
    adjustment.refresh_from_db()
    assert adjustment.revoked_at is not None


def test_a_withdrawal_shows_its_consequences_first(scene: Scene, director: Client) -> None:
    entry = scene.entries[0]
    url = manage(scene, f"entries/{entry.pk}/withdraw/")
    page = director.get(url)
    assert "0 of 3 matches are played" in page.content.decode()
    assert not Entry.objects.get(pk=entry.pk).withdrawn_at
    said = director.post(url, {"reason": "Moved away"}, follow=True).content.decode()
    assert "Berg &amp; Okafor have withdrawn. Walkovers: 0. Matches not played: 3." in said
    assert manage(scene, f"entries/{entry.pk}/reinstate/") in said
    assert Entry.objects.get(pk=entry.pk).withdrawn_at
    director.post(manage(scene, f"entries/{entry.pk}/reinstate/"), {"reason": "Came back"})
    assert not Entry.objects.get(pk=entry.pk).withdrawn_at


def test_a_ruling_is_made_and_taken_back(scene: Scene, director: Client) -> None:
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    assert director.get(url).status_code == 200
    refused = director.post(url, {"part": "ruling", "ruling": "home", "reason": ""})
    assert refused.status_code == 422
    sent = {"part": "ruling", "ruling": "home", "reason": "They did not come"}
    said = director.post(url, sent, follow=True).content.decode()
    assert "Berg &amp; Okafor win by walkover against Novak &amp; Reyes" in said
    assert f'<a href="/clubs/riverside/{scene.competition.slug}/">View the table</a>' in said
    assert [side.outcome for side in scene.fixture.sides] == ["won_by_walkover", "lost_by_walkover"]
    director.post(url, {"part": "ruling", "ruling": "restore", "reason": "They were ill"})
    assert scene.fixture.status == "scheduled"


def test_a_date_is_given_in_the_clubs_time(scene: Scene, director: Client) -> None:
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    director.post(url, {"part": "arrange", "starts_at": "2026-10-20T20:00", "table": "3"})
    # Dublin is an hour ahead of UTC until the last Sunday of October.
    assert scene.fixture.starts_at == datetime(2026, 10, 20, 19, 0, tzinfo=UTC)
    assert scene.fixture.table == "3"


def test_players_and_pairs_are_added_on_the_desk(scene: Scene, director: Client) -> None:
    for name in ("Ada New", "Ben New"):
        assert director.post("/clubs/riverside/desk/players/", {"name": name}).status_code == 302
    a, b = Player.objects.filter(name__endswith="New")
    assert (
        director.post("/clubs/riverside/desk/pairs/", {"player_a": a.pk, "player_b": b.pk}).status_code == 302
    )
    assert "New &amp; New" in director.get("/clubs/riverside/desk/pairs/").content.decode()
    again = director.post("/clubs/riverside/desk/pairs/", {"player_a": a.pk, "player_b": a.pk})
    assert again.status_code == 422


def test_a_club_is_founded_by_anybody_with_an_account(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["stranger"])
    made = client.post("/clubs/new/", {"name": "Hill Club", "time_zone": "Europe/Vienna"})
    assert made.status_code == 302
    assert client.get(made["Location"]).status_code == 200
    assert client.get("/clubs/hill-club/desk/members/").status_code == 200
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_file_is_previewed_imported_and_undone(scene: Scene, director: Client) -> None:
    url = "/clubs/riverside/desk/import/"
    upload = SimpleUploadedFile("people.csv", "name;email\nZoë Zwart;zoe@example.org\nAnna Berg;\n".encode())
    shown = director.post(url, {"kind": "players", "file": upload}, follow=True)
    batch_url = shown.redirect_chain[-1][0]
    assert "Zoë Zwart" in shown.content.decode()
    assert not Player.objects.filter(name="Zoë Zwart").exists()
    director.post(batch_url, {"commit": "1"})
    assert Player.objects.filter(name="Zoë Zwart", club=scene.club).count() == 1
    director.post(batch_url, {"undo": "1"})
    assert not Player.objects.filter(name="Zoë Zwart").exists()


def test_what_is_no_csv_file_is_refused_beside_the_field(scene: Scene, director: Client) -> None:
    upload = SimpleUploadedFile("people.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    page = director.post("/clubs/riverside/desk/import/", {"kind": "players", "file": upload})
    assert page.status_code == 422
    assert page.context["form"].errors


def test_duplicates_are_proposed_merged_and_undone(scene: Scene, director: Client) -> None:
    twin = Player.objects.create(club=scene.club, name="Anna  Berg")
    url = "/clubs/riverside/desk/duplicates/"
    assert "Duplicate players" in director.get(url).content.decode()
    director.post(url, {"keep": scene.players[0].pk, "duplicate": twin.pk})
    twin.refresh_from_db()
    assert twin.merged_into_id == scene.players[0].pk
    director.post(f"{url}{PlayerMerge.objects.get().pk}/undo/")
    twin.refresh_from_db()
    assert twin.merged_into_id is None


def test_an_owner_closes_the_club_to_newcomers(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["olive"])
    client.post("/clubs/riverside/desk/club/", {"name": "Riverside Club", "time_zone": "Europe/Dublin"})
    scene.club.refresh_from_db()
    assert scene.club.is_open is False
    client.force_login(scene.users["stranger"])
    client.post("/clubs/riverside/join/")
    assert not scene.club.memberships.filter(user=scene.users["stranger"]).exists()
    assert scene.club.join_requests.get().user == scene.users["stranger"]


def test_a_member_is_removed_only_after_the_consequences_were_seen(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["olive"])
    member = scene.club.memberships.get(user=scene.users["anna"])
    url = f"/clubs/riverside/desk/members/{member.pk}/remove/"
    client.post(f"/clubs/riverside/desk/members/{member.pk}/", {"remove": "1"})
    page = client.get(url).content.decode()
    assert "The account stays linked to Anna Berg" in page
    assert "3 open matches of this player go on" in page
    assert scene.club.memberships.filter(pk=member.pk).exists()
    assert client.post(url).status_code == 302
    assert not scene.club.memberships.filter(pk=member.pk).exists()


def test_a_director_who_plays_rules_on_the_own_match_only_while_nobody_else_can(
    scene: Scene, client: Client
) -> None:
    scene.club.memberships.filter(user=scene.users["anna"]).update(role="director")
    client.force_login(scene.users["anna"])
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    sent = {"part": "ruling", "ruling": "home", "reason": "They did not come"}
    assert "has to decide it" in client.get(url).content.decode()
    assert client.post(url, sent).status_code == 403
    # Eva plays in it as well: she is nobody to turn to.
    scene.club.memberships.filter(user=scene.users["eva"]).update(role="owner")
    scene.club.memberships.filter(user__name__in=["Dora Director", "Olive Owner"]).update(role="member")
    client.post(url, sent)
    assert [side.outcome for side in scene.fixture.sides] == ["won_by_walkover", "lost_by_walkover"]
    trail = AuditEntry.objects.filter(fixture=scene.fixture, action="fixture.walkover").get()
    assert trail.summary.endswith("(by a director who plays in this match)")


def test_a_director_who_plays_leaves_the_withdrawal_of_an_opponent_to_another(
    scene: Scene, client: Client
) -> None:
    scene.club.memberships.filter(user=scene.users["anna"]).update(role="director")
    client.force_login(scene.users["anna"])
    answer = client.post(manage(scene, f"entries/{scene.entries[3].pk}/withdraw/"), {"reason": "Moved away"})
    assert answer.status_code == 403
    assert scene.fixture.status == "scheduled"


def test_claims_and_members_show_no_whole_address(scene: Scene, client: Client) -> None:
    PlayerClaim.objects.create(
        player=Player.objects.create(club=scene.club, name="Newcomer"), user=scene.users["stranger"]
    )
    client.force_login(scene.users["olive"])
    for page, person in (("claims", "stranger"), ("members", "anna")):
        text = client.get(f"/clubs/riverside/desk/{page}/").content.decode()
        email = scene.users[person].email
        assert email not in text
        assert f"{email[0]}…@example.org" in text
