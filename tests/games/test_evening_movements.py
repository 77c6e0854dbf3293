"""Evenings with the movements that evenings need: chosen by how long they last, laid out, printed, as barometers."""

import pytest
from django.test import Client

from engine.contest.movements.sections import Choice, Kind
from games.comparisons.services import comparisons
from games.models import Board, SectionMovement
from games.papers.plans import plan_of
from league.models import Appearance, Competition
from tests.games.evening_rooms import (
    AT,
    begin,
    club_with_director,
    draft,
    faults,
    laid_out,
    play_round,
    tables,
)
from tests.league import factories

pytestmark = pytest.mark.django_db


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def step_of(competition: Competition) -> str:
    return f"/clubs/{competition.club.slug}/desk/{competition.slug}/evening/set-up/movement/"


@pytest.mark.parametrize("asked", ["rounds=8", "boards=17", "minutes=239", "rounds=9&boards=16&minutes=900"])
def test_a_director_says_how_long_and_chooses_among_the_ways(asked: str) -> None:
    club, dora = club_with_director()
    competition = draft(club, dora, 12)
    client, division = logged_in(dora), competition.stage.divisions.get()
    page = client.get(f"{step_of(competition)}?{asked}").content.decode()
    names = [page.index(f'value="{key}"') for key in ("three-quarter-8", "three-quarter-9", "howell")]
    assert names == sorted(names), "the most even comparison first"
    assert 'value="mitchell"' not in page, "it has not as many rounds"
    assert "8 rounds of 28 minutes" in page
    sent = {f"section{division.pk}-kind": "three-quarter-9", f"section{division.pk}-rounds": "8"}
    assert client.post(f"{step_of(competition)}?{asked}", sent).status_code == 302
    row = SectionMovement.objects.get()
    assert (row.kind, row.length, row.rounds, row.tables) == ("three-quarter", 9, 8, 6)
    assert "Three-quarter Howell of 9 rounds" in client.get(step_of(competition)).content.decode()


@pytest.mark.parametrize("asked", ["rounds=0", "rounds=x", "boards=-1", "minutes=99999"])
def test_a_length_that_cannot_be_is_said_and_nothing_breaks(asked: str) -> None:
    club, dora = club_with_director()
    competition = draft(club, dora, 12)
    answer = logged_in(dora).get(f"{step_of(competition)}?{asked}")
    assert answer.status_code == 422
    assert 'value="howell"' in answer.content.decode()
    answer = logged_in(dora).get(f"{step_of(competition)}?rounds=99")
    assert (answer.status_code, "no movement with so many rounds" in answer.content.decode()) == (200, True)


def test_the_ways_are_shown_before_any_pair_is_entered() -> None:
    club, dora = club_with_director()
    address = f"/clubs/{club.slug}/desk/evenings/movements/"
    client = logged_in(dora)
    assert client.get(address).status_code == 200
    page = client.get(f"{address}?pairs=28&rounds=9&boards_a_round=3&minutes_a_round=22").content.decode()
    assert page.index("Web Mitchell") < page.index("Mitchell with")
    assert ">198</td>" in page, "minutes"
    assert client.get(f"{address}?pairs=2").status_code == 200
    of_nine = client.get(f"{address}?pairs=9&partners_change=on&boards_a_round=4&minutes_a_round=28").text
    assert "A movement for players needs 8, 12 or 16 of them" in of_nine
    assert "fewer rounds" not in of_nine
    assert (
        "no movement with so many rounds"
        in client.get(f"{address}?pairs=8&rounds=20&boards_a_round=2&minutes_a_round=15").content.decode()
    )
    assert logged_in(factories.user()).get(address).status_code == 403


@pytest.mark.parametrize(
    ("pairs", "choice", "sets"),
    [
        (10, Choice(Kind.HESITATION, 5, 6), 6),
        (12, Choice(Kind.THREE_QUARTER, 6, 7, length=9), 9),
        (11, Choice(Kind.ROVER, 5, 5), 5),
        (14, Choice(Kind.APPENDIX, 7, 5, length=5), 5),
        (20, Choice(Kind.WEB, 10, 5, length=5), 5),
        (19, Choice(Kind.WEB, 10, 5, length=5, phantom=20), 5),
    ],
    ids=str,
)
def test_an_evening_is_laid_out_by_each_movement_with_its_papers(
    pairs: int, choice: Choice, sets: int
) -> None:
    club, dora = club_with_director()
    competition = draft(club, dora, pairs)
    address = f"/clubs/{club.slug}/desk/{competition.slug}/evening/"
    client = logged_in(dora)
    competition = laid_out(club, dora, pairs, choice=choice)
    assert faults(competition) == []
    assert competition.board_sets.get().count == 2 * sets
    assert Appearance.objects.filter(round__stage__competition=competition).count() == pairs * choice.rounds
    movement = choice.movement()
    assert {(each.table, each.home.number, each.away.number) for each in tables(competition, 2)} == {
        (str(each.table), each.first, each.second) for each in movement.played(2)
    }
    plan = plan_of(competition)
    assert all(len(plan.of_entry(entry)) == choice.rounds for entry in plan.entries)
    begin(competition, dora, 1)
    play_round(competition, 1)
    assert client.get(f"/clubs/{club.slug}/{competition.slug}/files/usebio.xml").status_code == 200
    assert client.get(f"/clubs/{club.slug}/{competition.slug}/room/").status_code == 200
    assert client.get(address.replace(address.split("/")[4], competition.slug)).status_code == 200


@pytest.mark.parametrize("kind", [Kind.HOWELL, Kind.MITCHELL])
def test_in_a_barometer_there_are_results_after_every_round(kind: Kind) -> None:
    club, dora = club_with_director()
    switched = 1 if kind is Kind.MITCHELL else 0
    choice = Choice(kind, 4, 3, arrow_switched=switched, barometer=True)
    competition = laid_out(club, dora, 8, choice=choice)
    screen = f"/clubs/{club.slug}/{competition.slug}/screen/"
    begin(competition, dora, 1)
    assert "wall-ranking" not in Client().get(screen).content.decode()
    play_round(competition, 1)
    released = Board.objects.filter(board_set__competition=competition, released_at__isnull=False)
    assert sorted(released.values_list("number", flat=True)) == [1, 2]
    comparisons.compute_event(competition_id=competition.pk, at=AT)
    page = Client().get(screen).content.decode()
    assert page.count('<span class="figure">') == 8
    rounds = 7 if kind is Kind.HOWELL else 3
    plain = laid_out(club, dora, 8, choice=Choice(kind, 4, rounds, arrow_switched=switched))
    begin(plain, dora, 1)
    play_round(plain, 1)
    comparisons.compute_event(competition_id=plain.pk, at=AT)
    assert not Board.objects.filter(board_set__competition=plain, released_at__isnull=False).exists()
    assert "wall-ranking" not in Client().get(screen.replace(competition.slug, plain.slug)).content.decode()
