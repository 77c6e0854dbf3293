"""A season from the desk: the steps of the set-up, their previews, publishing, and what no longer changes."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import AuditEntry, Competition, Entry, Fixture, Player, Substitution
from league.notices.services import accounts
from tests.league import factories
from tests.league.setting_up import NEW, arrangement, draft, enter, send, step
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
STEPS = ("competition", "pairs", "divisions", "calendar", "points", "preview")


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["dora"])
    return client


def live(director: Client, competition: Competition, which: str, /, **fields: Any) -> str:
    answer = send(director, competition, which, **fields, preview="1")
    assert answer.status_code == 200
    page: str = answer.content.decode()
    assert "<html" not in page
    return page


# The first step


def test_a_name_makes_a_draft_with_defaults_that_work(director: Client) -> None:
    made = draft(director)
    assert (made.state, made.days_between_rounds, made.tie_breaks[0]) == ("draft", 7, "league_points")
    assert made.stage.divisions.get().name == "Division 1"
    for name in STEPS:
        assert director.get(step(made, name)).status_code == 200, name


def test_nothing_sent_is_told_beside_its_field_and_makes_nothing(director: Client) -> None:
    page = director.post(NEW, {"rules_deals": "900"})
    assert page.status_code == 422
    assert {"name", "rules_deals"} <= set(page.context["form"].errors)
    assert Competition.objects.count() == 1


def test_there_is_no_seventh_step(director: Client) -> None:
    made = draft(director)
    assert director.get(step(made, "fireworks")).status_code == 404


def test_another_step_may_come_next_and_what_was_typed_is_kept(director: Client) -> None:
    made = draft(director)
    answer = send(director, made, "competition", name="Autumn Cup", go="points")
    made.refresh_from_db()
    assert (answer["Location"], made.name) == (step(made, "points"), "Autumn Cup")
    refused = send(director, made, "competition", name="", go="points")
    assert refused.status_code == 422
    assert "name" in refused.context["form"].errors


def test_a_draft_is_taken_up_where_something_is_missing(scene: Scene, director: Client) -> None:
    made = draft(director)
    manage = f"/clubs/riverside/{made.slug}/manage/"
    assert director.get(manage)["Location"] == step(made, "pairs")
    enter(director, made, scene)
    assert director.get(manage)["Location"] == step(made, "preview")
    assert director.get(f"{manage}edit/")["Location"] == step(made, "competition")


# Pairs


def test_pairs_are_ticked_and_taken_out(scene: Scene, director: Client) -> None:
    made = draft(director)
    assert enter(director, made, scene, 3)["Location"] == step(made, "divisions")
    gone = made.entries.order_by("number")[1]
    division = made.stage.divisions.get()
    answer = send(director, made, "pairs", division=division.pk, remove=gone.pk)
    assert answer["Location"] == step(made, "pairs")
    assert set(made.entries.values_list("pk", flat=True)) == {e.pk for e in made.entries.all()} - {gone.pk}
    assert made.entries.count() == 2
    assert send(director, made, "pairs", division=division.pk, remove="x").status_code == 404


def test_all_free_pairs_are_entered_at_once(scene: Scene, director: Client) -> None:
    made = draft(director)
    send(director, made, "pairs", division=made.stage.divisions.get().pk, all="1")
    assert made.entries.count() == 4


def test_typed_pairs_are_made_where_they_are_new_and_entered(scene: Scene, director: Client) -> None:
    made = draft(director)
    typed = "Anna Berg & Chidi Okafor\n\nNora Nye, Ole Ost, The Owls\nPia Pohl und Quirin Quast\r\n"
    send(director, made, "pairs", division=made.stage.divisions.get().pk, typed=typed)
    assert [str(entry) for entry in made.entries.order_by("number")] == [
        "Berg & Okafor",
        "The Owls",
        "Pohl & Quast",
    ]
    assert Player.objects.filter(name="Anna Berg").count() == 1
    assert Player.objects.filter(name__in=["Nora Nye", "Quirin Quast"]).count() == 2
    assert AuditEntry.objects.filter(action="import.done").count() == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Anna Berg", "Line 1: Write the two players"),
        ("Nora Nye & Ole Ost\nNora Nye & Ole Ost", "Line 2: This pair is already in line 1"),
        ("Nora Nye & Nora Nye", "Line 1: A pair needs two different players"),
        ("a & b & c & d & e", "Line 1: Write the two players"),
        ("Anna Berg & Iris Lindqvist\nAnna Berg & Nora Nye", "already entered in"),
    ],
)
def test_typed_pairs_are_entered_all_or_none(scene: Scene, director: Client, typed: str, said: str) -> None:
    made = draft(director)
    players = Player.objects.count()
    page = send(director, made, "pairs", division=made.stage.divisions.get().pk, typed=typed)
    assert page.status_code == 422
    assert said in " ".join(map(str, [*page.context["form"].errors.values()]))
    assert typed.split("\n", maxsplit=1)[0] in page.content.decode().replace("&amp;", "&")
    assert (made.entries.count(), Player.objects.count()) == (0, players)


def test_a_file_of_pairs_is_seen_first_and_then_entered(director: Client) -> None:
    made = draft(director)
    file = SimpleUploadedFile("pairs.csv", b"player 1,player 2\nNora Nye,Ole Ost\nAnna Berg,Chidi Okafor\n")
    shown = director.post(
        step(made, "pairs"), {"division": made.stage.divisions.get().pk, "file": file}, follow=True
    )
    assert "Import, and enter everyone in Spring Cup" in shown.content.decode()
    assert not made.entries.exists()
    address = shown.redirect_chain[-1][0]
    done = director.post(address, {"commit": "1"})
    assert done["Location"] == step(made, "pairs")
    assert made.entries.count() == 2
    assert director.get(address.partition("?")[0]).status_code == 200


@pytest.mark.parametrize("keys", [["x"], ["99999999999999999999"], ["0"], ["-1"]])
def test_pairs_that_are_none_are_refused(director: Client, keys: list[str]) -> None:
    made = draft(director)
    page = send(director, made, "pairs", division="99999999999999999999", lineups=keys)
    assert page.status_code == 422
    assert not made.entries.exists()


def test_pairs_are_listed_by_name_without_those_whose_players_play_already(
    scene: Scene, director: Client
) -> None:
    made = draft(director)
    factories.pair(scene.club, scene.players[0], scene.players[7])
    ada, ben = (Player.objects.create(club=scene.club, name=name) for name in ("Ada Ash", "Ben Birch"))
    named = factories.pair(scene.club, ada, ben, name="Aces")
    enter(director, made, scene, 1)
    choices = director.get(step(made, "pairs")).context["form"].fields["lineups"].choices
    assert [label for _key, label in choices] == [
        "Aces (Ada Ash, Ben Birch)",
        "Lindqvist & Marsh",
        "Novak & Reyes",
        "Petrov & Sato",
    ]
    assert choices[0][0] == named.pk


# Divisions and numbers


def test_pairs_are_shared_out_and_numbered_by_hand(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    as_it_is = arrangement(director, made)
    send(director, made, "divisions", **{**as_it_is, "divisions": "Top\nLower", "moving": "1", "share": "1"})
    top, lower = made.stage.divisions.order_by("level")
    assert [top.entries.count(), lower.entries.count(), top.relegated, lower.promoted] == [2, 2, 1, 1]
    fourth = lower.entries.order_by("number")[1]
    moved = {**arrangement(director, made), f"division_{fourth.pk}": top.pk, f"number_{fourth.pk}": "1"}
    send(director, made, "divisions", **moved)
    assert [str(entry) for entry in top.entries.order_by("number")] == [
        "Petrov & Sato",
        "Berg & Okafor",
        "Novak & Reyes",
    ]
    assert sorted(top.entries.values_list("number", flat=True)) == [1, 2, 3]


def test_numbers_are_drawn_by_lot_and_published_as_they_were_seen(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    send(director, made, "divisions", **arrangement(director, made), lots="1")
    made.refresh_from_db()
    assert made.stage.draw_seed
    seen = director.get(step(made, "preview")).context["foreseen"].draw
    pairings = {
        tuple(entry.pk for entry in match.entries)
        for each in seen.rounds
        for match in each.divisions[0].matches
    }
    send(director, made, "divisions", **arrangement(director, made))
    director.post(f"/clubs/riverside/{made.slug}/manage/state/", {"to": "running"})
    made.refresh_from_db()
    drawn = set(factories.pairings(Fixture.objects.of_competition(made.pk)))
    assert (made.state, drawn) == ("running", pairings)
    entry = AuditEntry.objects.get(competition=made, action="competition.drawn")
    assert entry.after
    assert entry.after["seed"] == made.stage.draw_seed


@pytest.mark.parametrize("bad", ["", "x", "0", "10000"])
def test_numbers_that_are_none_are_told(scene: Scene, director: Client, bad: str) -> None:
    made = draft(director)
    enter(director, made, scene)
    sent = {**arrangement(director, made), f"number_{made.entries.all()[0].pk}": bad}
    assert send(director, made, "divisions", **sent).status_code == 422


def test_a_pyramid_of_forty_divisions_is_planned_and_of_forty_one_is_not(director: Client) -> None:
    made = draft(director)
    names = [f"Division {level} {'of the pyramid':<40}".strip() for level in range(1, 42)]
    assert send(director, made, "divisions", divisions="\n".join(names), moving="2").status_code == 422
    assert made.stage.divisions.count() == 1
    assert send(director, made, "divisions", divisions="\n".join(names[:40]), moving="2").status_code == 302
    assert list(made.stage.divisions.order_by("level").values_list("name", flat=True)) == names[:40]


def test_a_division_with_pairs_is_not_dropped(scene: Scene, director: Client) -> None:
    made = draft(director)
    send(director, made, "divisions", divisions="Top\nLower", moving="0")
    lower = made.stage.divisions.get(level=2)
    send(director, made, "pairs", division=lower.pk, lineups=[scene.entries[0].lineup_id])
    page = send(director, made, "divisions", **{**arrangement(director, made), "divisions": "Top"})
    assert page.status_code == 422
    assert "Lower still has entries" in page.content.decode()


# The calendar


def test_the_calendar_keeps_weekdays_holidays_and_deadlines(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    off = {"off_1_first": "2027-03-08", "off_1_last": "2027-03-10", "off_2_first": "2027-03-18"}
    # 1 March 2027 is a Monday.
    send(director, made, "calendar", weekdays=["0", "3"], due_days="2", **off)
    rounds = director.get(step(made, "calendar")).context["calendar"].rounds
    assert [each.dates.starts_on for each in rounds] == [
        date(2027, 3, 1),
        date(2027, 3, 4),
        date(2027, 3, 11),
    ]
    assert [each.dates.closes_at.day for each in rounds] == [3, 6, 13]
    made.refresh_from_db()
    assert made.days_off == [["2027-03-08", "2027-03-10"], ["2027-03-18", "2027-03-18"]]


def test_a_round_without_a_deadline_is_due_before_the_next_one_whatever_lies_between(
    scene: Scene, director: Client
) -> None:
    made = draft(director)
    enter(director, made, scene)
    send(director, made, "calendar", off_1_first="2027-03-08", off_1_last="2027-03-14")
    rounds = director.get(step(made, "calendar")).context["calendar"].rounds
    assert [each.dates.starts_on.day for each in rounds] == [1, 15, 22]
    assert rounds[0].dates.closes_at.date() == date(2027, 3, 14)


def test_the_calendar_is_previewed_while_it_is_typed_and_nothing_is_written(director: Client) -> None:
    made = draft(director)
    page = live(director, made, "calendar", days_between_rounds="14")
    assert "7 rounds, 28 matches" in page
    assert "Mon 15 Mar 2027" in page
    made.refresh_from_db()
    assert made.days_between_rounds == 7


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"starts_on": "9999-12-31"}, "The first round is too far in the future"),
        ({"starts_on": ""}, "This field is required"),
        ({"days_between_rounds": "0"}, "Select a valid choice"),
        ({"play_time": "noon"}, "Enter a valid time"),
        ({"weekdays": "7"}, "Select a valid choice"),
        ({"due_days": "-1"}, "greater than or equal to 0"),
        ({"off_1_first": "2027-03-08", "off_1_last": "2027-03-01"}, "A break has to end after it begins"),
        ({"off_1_first": "2027-03-08", "off_1_last": "2029-03-01"}, "A break has to end after it begins"),
    ],
)
def test_the_preview_says_what_keeps_the_calendar_from_being_made(
    director: Client, changes: dict[str, str], said: str
) -> None:
    made = draft(director)
    page = live(director, made, "calendar", **changes)
    assert said in page
    assert "<table" not in page
    assert send(director, made, "calendar", **changes).status_code == 422


# Points


def test_points_are_shown_by_a_worked_example(director: Client) -> None:
    made = draft(director)
    page = live(director, made, "points", win="3", tie_break_1="points_difference")
    assert "Side A" in page
    assert "<strong>6</strong>" in page
    assert "Points difference" in page
    assert "<table" not in live(director, made, "points", win="much")


def test_bands_are_read_and_their_faults_shown(director: Client) -> None:
    made = draft(director)
    page = send(director, made, "points", scheme="bands", bands="1 3 1\nfoo")
    assert page.status_code == 422
    assert "bands" in page.context["form"].errors
    send(director, made, "points", scheme="bands", bands="1 3 1\n20 4 0")
    made.refresh_from_db()
    assert [band["from"] for band in made.points["bands"]] == [1, 20]


# Preview and publishing


def test_the_preview_shows_who_meets_whom_and_the_rules_in_words(scene: Scene, director: Client) -> None:
    made = draft(director)
    assert "a draw needs two or more" in director.get(step(made, "preview")).content.decode()
    enter(director, made, scene)
    page = director.get(step(made, "preview")).content.decode()
    assert "4 entries make 3 rounds with 6 matches" in page
    assert "Berg &amp; Okafor – Novak &amp; Reyes" in page
    assert "Win: 2 points; the other side: 0 points." in page
    assert "Until the first match begins, you can draw the rounds again." in page
    assert not made.stage.rounds.exists()


def test_a_draft_without_pairs_is_not_published(director: Client) -> None:
    made = draft(director)
    director.post(f"/clubs/riverside/{made.slug}/manage/state/", {"to": "running"})
    made.refresh_from_db()
    assert made.state == "draft"
    assert not made.stage.rounds.exists()


def test_a_step_that_changes_the_dates_takes_an_early_draw_back(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    director.post(f"/clubs/riverside/{made.slug}/manage/draw/", {"order": "given"})
    assert made.stage.rounds.count() == 3
    send(director, made, "points", win="3")
    assert made.stage.rounds.count() == 3
    send(director, made, "calendar", starts_on="2027-04-01")
    made.refresh_from_db()
    assert (made.stage.rounds.count(), made.starts_on.isoformat()) == (0, "2027-04-01")


def test_a_published_competition_changes_its_name_and_keeps_what_is_played_for(
    scene: Scene, director: Client
) -> None:
    stakes = (
        "points",
        "tie_breaks",
        "rules",
        "starts_on",
        "weekdays",
        "days_off",
        "due_days",
        "stages__format",
    )
    before = Competition.objects.values(*stakes).get()
    url = f"/clubs/riverside/{scene.competition.slug}/manage/edit/"
    sent = {
        "name": "Winter Cup",
        "visibility": "members",
        "correction_hours": "12",
        "win": "9",
        "format": "swiss",
    }
    assert director.post(url, sent).status_code == 302
    scene.competition.refresh_from_db()
    assert Competition.objects.values(*stakes).get() == before
    assert (scene.competition.name, scene.competition.visibility) == ("Winter Cup", "members")
    assert director.get(step(scene.competition, "points")).status_code == 302
    assert director.post(step(scene.competition, "points"), {"win": "9"}).status_code == 302
    assert Competition.objects.values(*stakes).get() == before
    assert director.post(url, {"name": ""}).status_code == 422


# The draw


def test_the_draw_is_seen_before_it_is_written(scene: Scene, director: Client) -> None:
    made = draft(director)
    base = f"/clubs/riverside/{made.slug}/manage/"
    assert "a draw needs two or more" in director.get(f"{base}draw/").content.decode()
    enter(director, made, scene)
    page = director.get(f"{base}draw/").content.decode()
    assert "4 entries make 3 rounds with 6 matches" in page
    assert "Berg &amp; Okafor – Novak &amp; Reyes" in page
    assert not made.stage.rounds.exists()
    assert director.post(f"{base}draw/", {"order": "coin"}).status_code == 422
    assert director.post(f"{base}draw/", {}).status_code == 422
    assert not made.stage.rounds.exists()


def test_the_calendar_says_to_directors_who_cannot_play_on_a_rounds_day(
    scene: Scene, director: Client
) -> None:
    made = draft(director)
    enter(director, made, scene, many=3)
    begins = timezone.localdate() + timedelta(days=20)
    send(director, made, "calendar", starts_on=begins.isoformat())
    pages = (step(made, "calendar"), step(made, "preview"), f"/clubs/riverside/{made.slug}/manage/draw/")
    for page in pages:
        assert "can’t play" not in director.get(page).content.decode(), "nobody is away"

    second = begins + timedelta(days=7)
    for name, day in (
        ("anna", second),
        ("tom", second),
        ("kenji", begins),
        ("iris", begins + timedelta(days=1)),
        ("luis", second),
    ):
        accounts.mark_days_away(actor=scene.users[name], first=day, last=day)
    for page in pages:
        told = director.get(page).content.decode()
        assert told.count("can’t play:") == 2, page
        assert "1 player can’t play: Kenji Sato" in told
        assert "2 players can’t play: Anna Berg, Tom Marsh" in told, "Luis is not entered, and Iris plays"
        for name in ("sam", "anna", "stranger"):
            other = Client()
            other.force_login(scene.users[name])
            answer = other.get(page)
            assert answer.status_code in {403, 404}, (page, name)
            assert "can’t play:" not in answer.content.decode()
    moved = live(director, made, "calendar", starts_on=second.isoformat())
    assert "2 players can’t play: Anna Berg, Tom Marsh" in moved
    assert "Kenji" not in moved
    with CaptureQueriesContext(connection) as asked:
        director.get(pages[2])
    assert sum("league_dayaway" in each["sql"] for each in asked) == 1, "one question for all rounds"


def test_drawing_again_is_asked_about_first(scene: Scene, director: Client) -> None:
    made = draft(director)
    base = f"/clubs/riverside/{made.slug}/manage/"
    enter(director, made, scene)
    director.post(f"{base}draw/", {"order": "given"})
    drawn = set(made.stage.rounds.values_list("pk", flat=True))
    asked = director.post(f"{base}draw/", {"order": "given"})
    assert asked.status_code == 422
    assert "There are already 6 matches" in asked.content.decode()
    assert set(made.stage.rounds.values_list("pk", flat=True)) == drawn
    assert director.post(f"{base}draw/", {"order": "given", "again": "1"}).status_code == 302
    assert set(made.stage.rounds.values_list("pk", flat=True)).isdisjoint(drawn)


def test_a_draw_that_has_begun_is_no_longer_thrown_away(scene: Scene, director: Client) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="in_play")
    url = f"/clubs/riverside/{scene.competition.slug}/manage/draw/"
    page = director.get(url)
    assert "can no longer draw again" in page.content.decode()
    assert page.context["foreseen"] is None
    assert director.post(url, {"order": "lot", "again": "1"}).status_code == 422
    assert scene.competition.stage.rounds.count() == 3


# The page of a competition


def test_each_stage_says_what_comes_next(scene: Scene, director: Client) -> None:
    base = f"/clubs/riverside/{scene.competition.slug}/manage/"
    page = director.get(base)
    assert page.context["overview"].step == "play"
    assert "0 of 6 matches are decided" in page.content.decode()
    Fixture.objects.update(status="walkover")
    assert "Next: finish it" in director.get(base).content.decode()
    director.post(
        f"{base}finish/", {"finish": "1", "seen": director.get(f"{base}finish/").context["ending"].digest}
    )
    page = director.get(base)
    assert "The table is final" in page.content.decode()
    assert all(step.is_done for step in page.context["steps"])
    director.post(f"{base}state/", {"to": "running"})
    assert director.get(base).context["overview"].step == "over"
    director.post(f"{base}state/", {"to": "running", "reason": "A sheet was wrong"})
    assert director.get(base).context["overview"].step == "finish"


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
def test_a_step_reads_as_many_rows_for_few_pairs_as_for_many(
    scene: Scene, director: Client, django_assert_max_num_queries: Any, pairs: int
) -> None:
    made = draft(director)
    for number in range(1, pairs + 1):
        a, b = (Player.objects.create(club=scene.club, name=f"P {number} {half}") for half in "ab")
        pair = factories.pair(scene.club, a, b)
        Entry.objects.create(
            competition=made, division=made.stage.divisions.get(), lineup=pair, number=number
        )
    for name in STEPS:
        with django_assert_max_num_queries(36):
            director.get(step(made, name))
