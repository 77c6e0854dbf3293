"""The director's desk: what it says, and the buttons that lead somewhere."""

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from league.models import Adjustment, Competition, Entry, Fixture, Player, PlayerMerge
from league.selectors import desk
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
    matters = desk.matters(scene.club, scene.users["dora"], at=at)
    assert [matter.url for matter in matters] == [
        f"/matches/{key}/"
        for key in (third.pk, first.pk, second.pk, scene.fixtures[3].pk, scene.fixtures[4].pk)
    ]
    assert [str(matter.mark) for matter in matters] == ["disputed", "late", "late", "missing", "no date"]


def test_the_desk_reads_as_many_rows_for_one_matter_as_for_all(
    scene: Scene, director: Client, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        page = director.get("/clubs/riverside/desk/")
    assert page.status_code == 200
    assert "What to do next" in page.content.decode()


def test_a_season_is_set_up_drawn_and_published_from_the_desk(scene: Scene, director: Client) -> None:
    form = {
        "name": "Spring Cup",
        "starts_on": "2027-03-01",
        "days_between_rounds": "7",
        "play_time": "19:30",
        "format": "round_robin",
        "divisions": "Top\nLower",
        "moving": "1",
        "pairs": "2, 2",
        "scheme": "plain",
        "win": "3",
        "draw": "1",
        "loss": "0",
        "visibility": "public",
        "correction_hours": "24",
        "tie_break_1": "head_to_head",
        "rules_rules": "concerto-2013",
        "rules_deals": "4",
        "rules_early_end": "on",
        "rules_game_bonus": "on",
    }
    preview = director.post(
        "/clubs/riverside/desk/competitions/new/", {**form, "preview": "1"}, headers={"HX-Request": "true"}
    )
    assert preview.status_code == 200
    assert not Competition.objects.filter(name="Spring Cup").exists()
    made = director.post("/clubs/riverside/desk/competitions/new/", form)
    assert made.status_code == 302
    cup = Competition.objects.get(name="Spring Cup")
    assert (cup.points, cup.correction_hours) == ({"win": "3", "draw": "1", "loss": "0"}, 24)
    top, lower = cup.divisions.order_by("level")
    assert (top.relegated, lower.promoted, top.promoted, lower.relegated) == (1, 1, 0, 0)
    base = f"/clubs/riverside/{cup.slug}/manage/"
    for number, entry in enumerate(scene.entries):
        division = top if number < 2 else lower
        entered = director.post(
            f"{base}entries/", {"division": division.pk, "partnerships": entry.partnership_id}
        )
        assert entered.status_code == 302
    assert director.post(f"{base}draw/", {"order": "lot"}).status_code == 302
    assert director.post(f"{base}state/", {"to": "running"}).status_code == 302
    cup.refresh_from_db()
    assert cup.state == "running"
    assert Fixture.objects.filter(division__competition=cup).count() == 2


def test_errors_of_the_set_up_stand_beside_their_fields(scene: Scene, director: Client) -> None:
    page = director.post(
        "/clubs/riverside/desk/competitions/new/",
        {"name": "", "starts_on": "soon", "win": "much", "scheme": "plain", "rules_deals": "900"},
    )
    assert page.status_code == 422
    form = page.context["form"]
    assert {"name", "starts_on", "rules_deals"} <= set(form.errors)


def test_points_are_adjusted_and_taken_back_with_reasons(scene: Scene, director: Client) -> None:
    entry = scene.entries[0]
    page = director.post(manage(scene, f"entries/{entry.pk}/adjust/"), {"points": "many", "reason": "Late"})
    assert page.status_code == 422
    assert "points" in page.context["form"].errors
    director.post(manage(scene, f"entries/{entry.pk}/adjust/"), {"points": "-1", "reason": "Late"})
    adjustment = Adjustment.objects.get()
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
    director.post(url, {"reason": "Moved away"})
    assert Entry.objects.get(pk=entry.pk).withdrawn_at
    director.post(manage(scene, f"entries/{entry.pk}/reinstate/"), {"reason": "Came back"})
    assert not Entry.objects.get(pk=entry.pk).withdrawn_at


def test_a_ruling_is_made_and_taken_back(scene: Scene, director: Client) -> None:
    url = f"/fixtures/{scene.fixture.pk}/ruling/"
    assert director.get(url).status_code == 200
    refused = director.post(url, {"part": "ruling", "ruling": "home", "reason": ""})
    assert refused.status_code == 422
    director.post(url, {"part": "ruling", "ruling": "home", "reason": "They did not come"})
    assert scene.fixture.result.kind == "walkover_home"
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
    assert "The same person" in director.get(url).content.decode()
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
    assert client.post("/clubs/riverside/join/").status_code == 403
