"""A round of a knock-out goes by its name wherever it is named; other rounds by their numbers."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.boards.queries import sets as board_sets
from games.comparisons.services import comparisons
from games.models import BoardSet
from games.papers import pairings
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import draws, rounds
from league.entries.services import entries
from league.errors import Conflict
from league.fixtures import queries
from league.models import AuditEntry, Competition, Fixture
from league.standings import round_names
from tests.games.boards import cup_matches, duplicate_scene, play, sealed_cup
from tests.games.test_pairing_papers import order, text_of
from tests.league import factories
from tests.league.draws.test_knockout_legs import cup, draw_next, legs
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def client_of(user=None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_every_page_of_a_cup_calls_its_rounds_by_their_names(scene):
    competition, division = cup(scene, 4)
    first = legs(division, 1)[0]
    player = factories.account_of(first.home.lineup)
    where = [scene.club.slug, competition.slug]
    dora = scene.users["dora"]
    pages = {
        reverse("match", args=[first.pk]): None,
        reverse("round", args=[*where, 1]): None,
        reverse("competition", args=where): None,
        reverse("competition_fixtures", args=where): None,
        reverse("my"): player,
        reverse("fixture_ruling", args=[first.pk]): dora,
        reverse("round_print", args=[*where, 1]): dora,
        reverse("desk_matches", args=[scene.club.slug]): dora,
    }
    for address, user in pages.items():
        page = client_of(user).get(address)
        assert page.status_code == 200, address
        assert "Semi-finals" in page.text, address
        assert "ound 1" not in page.text.replace("Winter League, First Division, Round 1", ""), address


def test_papers_tables_and_the_desk_call_it_so_too(scene):
    competition, _division = cup(scene, 4)
    by_table, by_name = text_of(pairings.pairing_list(order(competition)).content)
    assert "Semi-finals: Tables" in by_table
    assert "Semi-finals: By name" in by_name
    assert "Points" not in by_table, "nobody has any in a knock-out"
    client = client_of(scene.users["dora"])
    for kind in ("fixtures", "pairings", "names"):
        sent = client.get(reverse("competition_file", args=[scene.club.slug, competition.slug, kind, "csv"]))
        rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
        assert {row["Round"] for row in rows} == {"Semi-finals"}, kind


def test_legs_and_the_match_for_place_3_are_named(scene):
    competition, division = cup(scene, 4, legs=2, third_place=True)
    draw_next(scene, division)
    for number, scores in ((1, (60, 40)), (2, (40, 60))):
        for each in legs(division, number):
            factories.decided(each, scores=scores)
    draw_next(scene, division)
    found = Fixture.objects.of_competition(competition.pk).with_pairs().order_by("round__number", "pk")
    assert [line.round_name for line in queries.lines(found)] == [
        *["Semi-finals, leg 1"] * 2, *["Semi-finals, leg 2"] * 2, "Final, leg 1", "Match for place 3",
    ]  # fmt: skip
    with translation.override("de"):
        assert round_names.of_fixture(found[2]) == "Halbfinale, Durchgang 2"


def test_all_pages_of_a_cup_take_the_same_round_for_the_current_one(scene):
    """The semi-finals are drawn before the days of the quarter-finals are over."""
    competition, division = cup(scene, 8)
    for each in legs(division, 1):
        factories.decided(each, scores=(60, 40))
    draw_next(scene, division)
    where = [scene.club.slug, competition.slug]
    page = client_of().get(reverse("competition_fixtures", args=where))
    assert [each.name for each in page.context["rounds"] if each.is_current] == ["Semi-finals"]
    assert page.context["head"].current_text == "Semi-finals"


def two_divisions(scene):
    """A cup whose first division has four pairs, and whose second eight."""
    data = Setup(
        name="Two cups",
        starts_on=timezone.localdate() + timedelta(days=1),
        format="knockout",
        divisions=(DivisionPlan("First"), DivisionPlan("Second")),
    )
    made = competitions.set_up(actor=scene.users["dora"], club=scene.club, data=data)
    small, large = made.stage.divisions.order_by("level")
    for division, pairs in ((small, 4), (large, 8)):
        lineups = [factories.pair(scene.club) for _each in range(pairs)]
        entries.enter_all(actor=scene.users["dora"], division=division, lineups=lineups, at=timezone.now())
    return made, small, large


def test_divisions_of_different_sizes_each_have_their_own_names(scene):
    """The first plays its semi-finals while the second plays quarter-finals; all pages of both say "Round 1"."""
    made, small, large = two_divisions(scene)
    dora = scene.users["dora"]
    seen = [each.name for each in draws.preview(made).rounds]
    draws.draw(actor=dora, competition=made)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=made.pk))
    competition = Competition.objects.get(pk=made.pk)
    drawn = list(competition.stage.rounds.select_related("stage").order_by("number"))
    assert list(round_names.of_rounds(drawn).values()) == seen == ["Round 1", "Round 2", "Final"]
    for division, names in ((small, ["Semi-finals", "Final"]), (large, ["Quarter-finals", "Semi-finals"])):
        for number, name in enumerate(names, start=1):
            assert str(round_names.in_division(drawn[number - 1], division)) == name
            assert {round_names.of_fixture(each) for each in legs(division, number)} == {name}
            for each in legs(division, number):
                factories.decided(each, scores=(60, 40))
            if number == 1 and division == large:
                too_early = reverse("round_draw", args=[scene.club.slug, competition.slug, large.pk, 3])
                page = client_of(dora).get(too_early).text
                assert all(text in page for text in ("<h1>Draw: Final</h1>", "Draw: Semi-finals</a>"))
            if number == 1:
                draw_next(scene, division)
    said = AuditEntry.objects.filter(action="round.drawn", competition=competition).order_by("pk")
    assert [each.told for each in said] == ["Final drawn", "Semi-finals drawn"]
    with translation.override("de"):
        assert [each.told for each in said] == ["Finale ausgelost", "Halbfinale ausgelost"]
    sent = client_of(dora).get(f"/api/v1/competitions/{competition.pk}/").json()
    assert [each["name"] for each in sent["rounds"]] == ["Round 1", "Round 2", "Final"]
    found = client_of(dora).get("/api/v1/fixtures/", {"competition": competition.pk}).json()["results"]
    assert {(each["division"]["name"], each["round"], each["round_name"]) for each in found} == {
        ("First", 1, "Semi-finals"), ("First", 2, "Final"),
        ("Second", 1, "Quarter-finals"), ("Second", 2, "Semi-finals"),
    }  # fmt: skip


def test_a_draft_is_previewed_by_the_names_and_a_refusal_says_them(scene):
    dora = scene.users["dora"]
    data = Setup(name="Draft", starts_on=timezone.localdate() + timedelta(days=1), format="knockout")
    made = competitions.set_up(actor=dora, club=scene.club, data=data)
    division = made.stage.divisions.get()
    lineups = [factories.pair(scene.club) for _each in range(5)]
    entries.enter_all(actor=dora, division=division, lineups=lineups, at=timezone.now())
    where = [scene.club.slug, made.slug]
    desk = client_of(dora)
    for address in (
        reverse("competition_step", args=[*where, "preview"]),
        reverse("competition_draw", args=where),
        reverse("competition_step", args=[*where, "calendar"]),
    ):
        page = desk.get(address).text
        assert all(name in page for name in ("Quarter-finals", "Semi-finals", "Final")), address
        assert "Round 1" not in page, address
    draws.draw(actor=dora, competition=made)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=made.pk))
    with pytest.raises(Conflict, match="Final can’t be drawn now"):
        rounds.publish(actor=dora, division=division, number=3, at=timezone.now(), seen="")
    for each in legs(division, 1):
        factories.decided(each, scores=(60, 40))
    draw_next(scene, division)
    rounds.take_back(actor=dora, division=division, number=2, reason="Too early")
    said = AuditEntry.objects.filter(action="round.draw_taken_back").get()
    assert said.told == "Semi-finals: draw undone"
    with translation.override("de"):
        assert said.told == "Halbfinale: Auslosung zurückgenommen"
    assert "Draft, Quarter-finals" in desk.get(reverse("desk", args=[scene.club.slug])).text


def test_boards_and_comparisons_of_a_cup_are_called_by_the_names():
    scene = duplicate_scene()
    competition = sealed_cup(scene)
    matches = cup_matches(competition)
    for match in matches:
        play(scene, match)
    board_set = BoardSet.objects.get(competition=competition, round__number=1)
    assert str(board_sets.named(board_set)) == "Semi-finals, boards 1 to 4"
    with translation.override("de"):
        assert str(board_sets.named(board_set)) == "Halbfinale, Boards 1 bis 4"
    where = [scene.club.slug, competition.slug]
    dora = client_of(scene.users["dora"])
    for address in (
        reverse("board_set", args=[board_set.pk]),
        reverse("desk_boards", args=where),
        reverse("desk_board_set", args=[*where, board_set.pk]),
        reverse("desk_board_tables", args=[*where, board_set.pk, board_set.boards.get(number=1).pk]),
        reverse("event_ranking", args=where),
        reverse("round_comparison", args=[*where, 1]),
        reverse("scorecard", args=[*where, matches[0].home.pk]),
        reverse("compare_tables", args=where),
        reverse("papers", args=where),
    ):
        page = dora.get(address)
        assert page.status_code == 200, address
        assert "Semi-finals" in page.text, address
        assert "ound 1" not in page.text, address
    kept = AuditEntry.objects.filter(action__startswith="boards.", competition=competition)
    assert kept
    assert not [each.told for each in kept if "ound 1" in each.told]
    api = client_of(scene.users["dora"])
    sets = api.get(f"/api/v1/competitions/{competition.pk}/board-sets/").json()["results"]
    assert [(each["round"], each["round_name"]) for each in sets] == [(1, "Semi-finals"), (2, "Final")]
    address = f"/api/v1/competitions/{competition.pk}/rankings/"
    comparisons.compute_event(competition_id=competition.pk, at=timezone.now())
    whole, of_round = api.get(address).json(), api.get(address, {"round": 1}).json()
    assert {each["round_name"] for each in whole} == {""}
    assert {each["round_name"] for each in of_round} == {"Semi-finals"}
    of_matches = {each["round_name"] for table in whole for row in table["rows"] for each in row["matches"]}
    assert of_matches == {"Semi-finals"}
    bracket = api.get(f"/api/v1/divisions/{matches[0].division_id}/bracket/").json()
    assert bracket["round_names"] == ["Semi-finals", "Final"]


def test_the_names_cost_one_query_however_many_matches_there_are(scene, django_assert_num_queries):
    for size in (4, 32):
        _competition, division = cup(scene, size)
        found = list(Fixture.objects.filter(division=division).with_pairs())
        with django_assert_num_queries(1):
            assert set(round_names.of_fixtures(found).values()) == {"Semi-finals" if size == 4 else "Round 1"}
        planned = list(division.stage.rounds.select_related("stage"))
        with django_assert_num_queries(1):
            assert round_names.of_rounds(planned)[planned[-1].pk] == "Final"
    league = list(Fixture.objects.of_competition(scene.competition.pk).with_pairs())
    with django_assert_num_queries(0):
        assert {name.split()[0] for name in round_names.of_fixtures(league).values()} == {"Round"}
