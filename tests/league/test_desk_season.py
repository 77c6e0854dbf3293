"""A season from the desk: the set-up and its preview, entering pairs, the draw, and what no longer changes."""

from typing import Any

import pytest
from django.test import Client

from league.models import AuditEntry, Competition, Entry, Fixture, Partnership, Player, Substitution
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db

NEW = "/clubs/riverside/desk/competitions/new/"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["dora"])
    return client


def answers(**changes: str) -> dict[str, str]:
    """What the browser sends of the set-up as it stands when it is opened."""
    return {
        "name": "Spring Cup",
        "starts_on": "2027-03-01",
        "days_between_rounds": "7",
        "play_time": "19:30",
        "format": "round_robin",
        "divisions": "Division 1",
        "moving": "0",
        "pairs": "5",
        "scheme": "plain",
        "win": "2",
        "draw": "1",
        "loss": "0",
        "visibility": "public",
        "correction_hours": "48",
        "tie_break_1": "head_to_head",
        "rules_rules": "concerto-2013",
        "rules_deals": "4",
        "rules_early_end": "on",
        "rules_game_bonus": "on",
        **changes,
    }


def draft(scene: Scene, director: Client, **changes: str) -> tuple[Competition, str]:
    director.post(NEW, answers(**changes))
    made = Competition.objects.get(name="Spring Cup")
    return made, f"/clubs/riverside/{made.slug}/manage/"


def enter(director: Client, base: str, entries: list[Entry], division: Any) -> Any:
    keys = [entry.partnership_id for entry in entries]
    return director.post(f"{base}entries/", {"division": division.pk, "partnerships": keys})


# The set-up


def test_a_new_set_up_shows_its_calendar_and_says_its_defaults_in_words(director: Client) -> None:
    page = director.get(NEW).content.decode()
    assert "7 rounds, 28 matches" in page
    assert "2 for a win, 1 for a draw, 0 for a loss. Among equals: Head-to-head, Points difference" in page
    assert "Deals in a match: 4" in page
    assert "results can be corrected for 48 hours" in page
    assert "Dublin time" in page


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "live"])
def test_a_preview_shows_the_calendar_and_writes_nothing(director: Client, headers: dict[str, str]) -> None:
    page = director.post(NEW, {**answers(pairs="5"), "preview": "1"}, headers=headers)
    assert page.status_code == 200
    assert "5 rounds, 10 matches" in page.content.decode()
    assert "5 byes" in page.content.decode()
    assert Competition.objects.count() == 1
    assert ("<html" in page.content.decode()) == (not headers)


def test_the_live_preview_does_not_wait_for_the_name(director: Client) -> None:
    sent = {**answers(name="", win="3", tie_break_1="matches_won"), "preview": "1"}
    page = director.post(NEW, sent, headers={"HX-Request": "true"}).content.decode()
    assert "5 rounds, 10 matches" in page
    assert 'id="summary-points" hx-swap-oob="true"' in page
    assert "3 for a win, 1 for a draw, 0 for a loss. Among equals: Matches won." in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pairs": "many"}, "Write a number for each division"),
        ({"pairs": "٥"}, "Write a number for each division"),
        ({"starts_on": "9999-12-31"}, "The first round cannot be so far away"),
        ({"starts_on": ""}, "This field is required"),
        ({"days_between_rounds": "0"}, "greater than or equal to 1"),
        ({"play_time": "noon"}, "Enter a valid time"),
        ({"format": "swiss"}, "Select a valid choice"),
    ],
)
def test_the_live_preview_says_what_keeps_the_calendar_from_being_made(
    director: Client, changes: dict[str, str], said: str
) -> None:
    page = director.post(
        NEW, {**answers(**changes), "preview": "1"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert said in page
    assert "<table" not in page


def test_a_preview_with_faults_says_them_beside_their_fields_and_writes_nothing(director: Client) -> None:
    page = director.post(NEW, {**answers(name="", rules_deals="900"), "preview": "1"})
    assert page.status_code == 422
    assert {"name", "rules_deals"} <= set(page.context["form"].errors)
    assert "5 rounds, 10 matches" in page.content.decode()
    assert page.context["folded"]["rules"].is_open
    assert not page.context["folded"]["access"].is_open


def test_bands_are_read_and_their_faults_shown(director: Client) -> None:
    page = director.post(NEW, answers(scheme="bands", bands="1 3 1\nfoo"))
    assert page.status_code == 422
    assert "bands" in page.context["form"].errors
    director.post(NEW, answers(scheme="bands", bands="1 3 1\n20 4 0"))
    bands = Competition.objects.get(name="Spring Cup").points["bands"]
    assert [band["from"] for band in bands] == [1, 20]


def test_nothing_sent_is_told_and_not_a_new_page(director: Client) -> None:
    page = director.post(NEW, {})
    assert page.status_code == 422
    assert "name" in page.context["form"].errors


def test_a_published_competition_changes_its_name_and_keeps_what_is_played_for(
    scene: Scene, director: Client
) -> None:
    before = Competition.objects.values("points", "tie_breaks", "rules", "starts_on", "format").get()
    sent = answers(
        name="Winter Cup", win="9", starts_on="2030-01-01", divisions="Other", visibility="members"
    )
    assert director.post(f"/clubs/riverside/{scene.competition.slug}/manage/edit/", sent).status_code == 302
    after = Competition.objects.values("points", "tie_breaks", "rules", "starts_on", "format").get()
    scene.competition.refresh_from_db()
    assert after == before
    assert (scene.competition.name, scene.competition.visibility) == ("Winter Cup", "members")
    division = scene.competition.divisions.get()
    assert (division.name, division.promoted, division.relegated) == ("First Division", 1, 1)


def test_a_drawn_draft_keeps_its_dates_until_the_draw_is_taken_back(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director)
    enter(director, base, scene.entries, made.divisions.get())
    director.post(f"{base}draw/", {"order": "given"})
    director.post(f"{base}edit/", answers(starts_on="2027-04-01", win="3"))
    made.refresh_from_db()
    assert (made.starts_on.isoformat(), made.points["win"]) == ("2027-03-01", "3")
    director.post(f"{base}draw/", {"take_back": "1"})
    director.post(f"{base}edit/", answers(starts_on="2027-04-01"))
    made.refresh_from_db()
    assert made.starts_on.isoformat() == "2027-04-01"


# Entering pairs


def test_several_pairs_are_entered_at_once(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director)
    page = director.get(base).content.decode()
    assert "Next: enter the pairs" in page
    assert enter(director, base, scene.entries[:3], made.divisions.get()).status_code == 302
    assert made.entries.count() == 3
    page = director.get(base).content.decode()
    assert "Next: draw the rounds" in page
    assert "3 pairs are entered" in page


def test_pairs_that_share_a_player_are_refused_and_nobody_is_entered(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director)
    player_a, player_b = scene.players[0], scene.players[7]
    shared = Partnership.objects.create(club=scene.club, player_a=player_a, player_b=player_b)
    keys = [scene.entries[0].partnership_id, scene.entries[1].partnership_id, shared.pk]
    page = director.post(f"{base}entries/", {"division": made.divisions.get().pk, "partnerships": keys})
    assert page.status_code == 422
    assert "Anna Berg already plays in Berg &amp; Okafor" in page.content.decode()
    assert not made.entries.exists()


@pytest.mark.parametrize("keys", [[], ["x"], ["99999999999999999999"], ["0"], ["-1"], ["1", "1"]])
def test_pairs_that_are_none_are_refused(scene: Scene, director: Client, keys: list[str]) -> None:
    made, base = draft(scene, director)
    page = director.post(f"{base}entries/", {"division": "99999999999999999999", "partnerships": keys})
    assert page.status_code == 422
    assert not made.entries.exists()


def test_pairs_are_listed_by_name_without_those_whose_players_play_already(
    scene: Scene, director: Client
) -> None:
    made, base = draft(scene, director)
    Partnership.objects.create(club=scene.club, player_a=scene.players[0], player_b=scene.players[7])
    named = Partnership.objects.create(
        club=scene.club,
        player_a=Player.objects.create(club=scene.club, name="Ada Ash"),
        player_b=Player.objects.create(club=scene.club, name="Ben Birch"),
        name="Aces",
    )
    enter(director, base, scene.entries[:1], made.divisions.get())
    choices = director.get(base).context["enter"].fields["partnerships"].choices
    assert [label for _key, label in choices] == [
        "Aces (Ada Ash, Ben Birch)",
        "Lindqvist & Marsh",
        "Novak & Reyes",
        "Petrov & Sato",
    ]
    assert choices[0][0] == named.pk


def test_pairs_are_moved_and_taken_out_before_the_draw_alone(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director, divisions="Top\nLower")
    top, lower = made.divisions.order_by("level")
    enter(director, base, scene.entries, top)
    first, second = made.entries.order_by("number")[:2]
    director.post(f"{base}entries/{first.pk}/move/", {"division": lower.pk})
    first.refresh_from_db()
    assert first.division == lower
    director.post(f"{base}entries/{second.pk}/move/", {"division": "none"})
    director.post(f"{base}entries/{second.pk}/move/", {"division": scene.division.pk})
    second.refresh_from_db()
    assert second.division == top
    director.post(f"{base}entries/{second.pk}/move/", {"division": lower.pk})
    director.post(f"{base}draw/", {"order": "given"})
    refused = director.post(f"{base}entries/{second.pk}/remove/", follow=True).content.decode()
    assert "The rounds are drawn" in refused
    director.post(f"{base}draw/", {"take_back": "1"})
    director.post(f"{base}entries/{second.pk}/remove/")
    assert made.entries.count() == 3


# The draw


def test_the_draw_is_seen_before_it_is_written(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director)
    assert "a draw needs two or more" in director.get(f"{base}draw/").content.decode()
    enter(director, base, scene.entries, made.divisions.get())
    page = director.get(f"{base}draw/").content.decode()
    assert "4 pairs make 3 rounds with 6 matches" in page
    assert "Berg &amp; Okafor – Novak &amp; Reyes" in page
    assert not made.rounds.exists()
    assert director.post(f"{base}draw/", {"order": "coin"}).status_code == 422
    assert director.post(f"{base}draw/", {}).status_code == 422
    assert not made.rounds.exists()


def test_drawing_again_is_asked_about_first(scene: Scene, director: Client) -> None:
    made, base = draft(scene, director)
    enter(director, base, scene.entries, made.divisions.get())
    director.post(f"{base}draw/", {"order": "given"})
    drawn = set(made.rounds.values_list("pk", flat=True))
    asked = director.post(f"{base}draw/", {"order": "given"})
    assert asked.status_code == 422
    assert "There are 6 matches already" in asked.content.decode()
    assert set(made.rounds.values_list("pk", flat=True)) == drawn
    assert director.post(f"{base}draw/", {"order": "given", "again": "1"}).status_code == 302
    assert set(made.rounds.values_list("pk", flat=True)).isdisjoint(drawn)


def test_a_draw_that_has_begun_is_no_longer_thrown_away(scene: Scene, director: Client) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="in_play")
    url = f"/clubs/riverside/{scene.competition.slug}/manage/draw/"
    assert "can no longer be drawn again" in director.get(url).content.decode()
    assert director.post(url, {"order": "lot", "again": "1"}).status_code == 422
    assert scene.competition.rounds.count() == 3


# The page of a competition


def test_each_stage_says_what_comes_next(scene: Scene, director: Client) -> None:
    base = f"/clubs/riverside/{scene.competition.slug}/manage/"
    page = director.get(base)
    assert page.context["overview"].stage == "play"
    assert "0 of 6 matches are decided" in page.content.decode()
    Fixture.objects.update(status="walkover")
    assert "Next: finish it" in director.get(base).content.decode()
    director.post(f"{base}state/", {"to": "finished"})
    page = director.get(base)
    assert "The table is final" in page.content.decode()
    assert all(stage.is_done for stage in page.context["stages"])
    director.post(f"{base}state/", {"to": "running"})
    assert director.get(base).context["overview"].stage == "over"
    director.post(f"{base}state/", {"to": "running", "reason": "A sheet was wrong"})
    assert director.get(base).context["overview"].stage == "finish"


def test_penalties_and_substitutes_stand_on_the_page(scene: Scene, director: Client) -> None:
    base = f"/clubs/riverside/{scene.competition.slug}/manage/"
    director.post(f"{base}entries/{scene.entries[0].pk}/adjust/", {"points": "-1/2", "reason": "Late"})
    Substitution.objects.create(
        fixture=scene.fixture,
        entry=scene.entries[0],
        absent=scene.players[0],
        substitute=scene.players[4],
        reason="Flu",
    )
    page = director.get(base).content.decode()
    assert "−0.5 points" in page
    assert "Olga Petrov for Anna Berg" in page
    assert AuditEntry.objects.filter(summary="Berg & Okafor: −0.5 points").exists()


@pytest.mark.parametrize("pairs", [2, 30])
def test_the_page_reads_as_many_rows_for_few_pairs_as_for_many(
    scene: Scene, director: Client, django_assert_max_num_queries: Any, pairs: int
) -> None:
    made, base = draft(scene, director)
    for number in range(pairs):
        a, b = (Player.objects.create(club=scene.club, name=f"P {number} {half}") for half in "ab")
        pair = Partnership.objects.create(club=scene.club, player_a=a, player_b=b)
        if number % 2:
            Entry.objects.create(
                competition=made, division=made.divisions.get(), partnership=pair, number=number
            )
    with django_assert_max_num_queries(26):
        director.get(base)
