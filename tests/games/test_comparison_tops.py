"""Boards with fewer results than others, and pairs with fewer boards: what they are worth, and who has a place."""

from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from engine.contest import exact
from engine.contest.movements.sections import choices
from games.comparisons.reckoning import figures, rankings
from games.comparisons.services import comparisons, verification
from games.models import Board, Comparison, Duplicate, EventRanking, FixtureBoard
from games.papers import final_results
from games.papers.orders import Order
from games.sessions import services as evenings
from league.models import AuditEntry, Competition, Entry, Fixture, Role
from tests.games import evening_rooms
from tests.games.events import AT, make_event, play_all, settle
from tests.league import factories

pytestmark = pytest.mark.django_db

Tops = Duplicate.Tops
#: By round, table by table in the order of North-South: the difference on each of two boards. Sets 2, 4 and 6 are
#: played twice, sets 1, 3 and 5 three times: pair 12 is missing, and the movement is cut after three rounds.
TIE_FOR_FOURTH = (
    ((0, 60), (-10, 0), (-40, 0), (0, -50), (-40, 10)),
    ((0, -40), (10, 50), (-30, 20), (0, -40), (40, -60)),
    ((40, 20), (-60, -10), (40, -30), (-60, 10), (40, 30)),
)  # fmt: skip
FIFTH_OR_THIRD = (
    ((-50, -20), (40, 30), (0, -30), (-40, -30), (-30, 40)),
    ((-60, 60), (10, 20), (-20, -20), (-50, -60), (0, -30)),
    ((30, 60), (-50, 40), (50, -30), (-20, -20), (-10, -20)),
)  # fmt: skip


def eleven_pairs(points: Any, **settings: Any) -> Competition:
    """An evening of eleven pairs on six tables, three rounds of two boards, over and compared."""
    club, dora = evening_rooms.club_with_director()
    mitchell = next(each for each in choices(11) if each.kind == "mitchell")
    competition = evening_rooms.laid_out(club, dora, 11, choice=replace(mitchell, rounds=3))
    Duplicate.objects.filter(pk=competition.pk).update(**settings)
    play_all(
        (fixture, [(1000 + difference, 1000) for difference in made])
        for number, tables in enumerate(points, start=1)
        for fixture, made in zip(_tables(competition, number), tables, strict=True)
    )
    Board.objects.filter(board_set__competition=competition).update(released_at=AT)
    comparisons.compute_event(competition_id=competition.pk, at=AT)
    return competition


def _tables(competition: Competition, number: int) -> list[Fixture]:
    found = Fixture.objects.of_competition(competition.pk).filter(round__number=number)
    return list(found.filter(appearances__order=1).order_by("appearances__entry__number"))


def places(competition: Competition, field: str = "home") -> dict[int, tuple[int | None, Fraction]]:
    """Place and percentage of each pair of a field, by its number."""
    numbers = dict(competition.entries.values_list("pk", "number"))
    content = EventRanking.objects.get(competition=competition, field=field, round_number=0).content
    return {numbers[row["entry"]]: (row["rank"], exact.restore(row["percent"])) for row in content["rows"]}


def test_boards_that_the_movement_leaves_with_fewer_results_weigh_as_much_as_others() -> None:
    own = places(eleven_pairs(TIE_FOR_FOURTH, tops=Tops.OWN))
    assert own == {
        1: (1, Fraction(175, 2)), 4: (2, Fraction(75)), 6: (3, Fraction(200, 3)),
        3: (4, Fraction(30)), 5: (4, Fraction(30)), 2: (6, Fraction(50, 3)),
    }  # fmt: skip

    same = places(eleven_pairs(TIE_FOR_FOURTH))
    assert same == {
        1: (1, Fraction(175, 2)), 6: (2, Fraction(275, 4)), 4: (3, Fraction(200, 3)),
        3: (4, Fraction(75, 2)), 5: (5, Fraction(175, 6)), 2: (6, Fraction(75, 4)),
    }  # fmt: skip
    assert [f"{float(own[pair][1]):.2f}" for pair in (3, 5)] == ["30.00", "30.00"]
    assert [f"{float(same[pair][1]):.2f}" for pair in (3, 5)] == ["37.50", "29.17"]


def test_a_pair_moves_from_fifth_to_joint_third() -> None:
    own, same = places(eleven_pairs(FIFTH_OR_THIRD, tops=Tops.OWN)), places(eleven_pairs(FIFTH_OR_THIRD))

    assert own[3] == (5, Fraction(45))
    assert same[3] == same[4] == (3, Fraction(50))


def test_every_board_of_the_field_has_the_same_top_and_the_figures_say_why() -> None:
    competition = eleven_pairs(TIE_FOR_FOURTH)
    contents = Comparison.objects.filter(board__board_set__competition=competition)
    results = {len(each.content["plays"]) for each in contents}
    tops = {
        play[side]["top"]
        for each in contents
        for play in each.content["plays"].values()
        for side in ("home", "away")
    }
    assert (results, tops) == ({2, 3}, {4})

    few = next(each.board for each in contents if len(each.content["plays"]) == 2)
    why = figures.explain(
        FixtureBoard.objects.select_related("board", "fixture").filter(board=few)[0], "home"
    )
    assert why is not None
    assert why.counts.startswith("Compared with 1 other result. A full board in this field has 3.")
    assert "× 3 ÷ 2 − 1" in why.steps[1]
    assert "Only 2 of 3 results can be compared. Neuberg’s formula scales them up." in why.rules[-1]
    assert "counts as much as any other" in why.rules[-1]
    assert not list(verification.differences(competition=competition))


def test_without_matchpoints_a_board_is_compared_by_its_own_results() -> None:
    competition = eleven_pairs(TIE_FOR_FOURTH, method=Duplicate.Way.CROSS_IMPS)
    contents = Comparison.objects.filter(board__board_set__competition=competition)
    assert {each.content["expected"] for each in contents} == {2, 3}
    assert all("same_tops" not in each.content for each in contents)


def test_a_result_that_a_leaving_pair_takes_away_is_still_expected() -> None:
    event = make_event(tables=5, boards=1)
    play_all((fixture, [(1000 + n, 1000)]) for n, fixture in enumerate(event.fixtures[:4]))
    Fixture.objects.filter(pk=event.fixtures[4].pk).update(status=Fixture.Status.VOID)
    settle(event)

    plays = event.comparison()["plays"].values()
    assert event.comparison()["expected"] == 5
    assert {play["home"]["top"] for play in plays} == {8}
    # (0 + 1) × 5 ÷ 4 − 1 and so on
    assert sorted(exact.restore(play["home"]["value"]) for play in plays) == [
        Fraction(1, 4), Fraction(11, 4), Fraction(21, 4), Fraction(31, 4)
    ]  # fmt: skip


def test_a_match_that_takes_a_void_ones_place_is_not_counted_twice() -> None:
    """In a league a later pair can play what a withdrawn one would have: the table is one, not two."""
    event = make_event(tables=3, boards=1)
    gone = event.fixtures[2]
    Fixture.objects.filter(pk=gone.pk).update(status=Fixture.Status.VOID)
    late = factories.entry(gone.division)
    gone.appearances.update(outcome="void")
    again = factories.meet(gone.round, late, gone.away, table="3")
    FixtureBoard.objects.create(fixture=again, position=1, board=event.board())
    play_all((fixture, [(1000, 1000)]) for fixture in (*event.fixtures[:2], again))
    settle(event)

    assert event.comparison()["expected"] == 3


def test_another_table_at_one_board_has_the_others_compared_anew(
    django_capture_on_commit_callbacks: Any,
) -> None:
    event = make_event(tables=3, boards=2)
    play_all((fixture, [(1000 + n, 1000)] * 2) for n, fixture in enumerate(event.fixtures))
    with django_capture_on_commit_callbacks(execute=True):
        comparisons.bump(*event.boards)
    late = [factories.entry(event.fixtures[0].division) for _side in range(2)]
    table = factories.meet(event.rounds[0], *late, table="4")
    FixtureBoard.objects.create(fixture=table, position=1, board=event.board(1))
    with django_capture_on_commit_callbacks(execute=True):
        comparisons.laid_out(event.board(1))

    assert [event.comparison(number)["expected"] for number in (1, 2)] == [4, 4]
    assert not list(verification.differences(competition=event.competition))


# Who has a place


def with_a_pair_that_left(**settings: Any) -> Competition:
    """Pair 5 has left after its first round: two boards of the others' six."""
    club, dora = evening_rooms.club_with_director()
    mitchell = next(each for each in choices(11) if each.kind == "mitchell")
    competition = evening_rooms.laid_out(club, dora, 11, choice=replace(mitchell, rounds=3))
    Duplicate.objects.filter(pk=competition.pk).update(**settings)
    evening_rooms.begin(competition, dora)
    play_all(
        (fixture, [(1000 + 10 * n, 1000), (1000 - 20 * n, 1000)])
        for n, fixture in enumerate(_tables(competition, 1))
    )
    leaving = Entry.objects.with_pairs().get(competition=competition, number=5)
    evenings.pair_leaves(actor=dora, entry=leaving, option="sit-out-2", reason="Unwell", at=timezone.now())
    for number in (2, 3):
        open_tables = [each for each in _tables(competition, number) if each.status != Fixture.Status.VOID]
        play_all((fixture, [(1000 + n, 1000), (1000 - n, 1000)]) for n, fixture in enumerate(open_tables))
    Board.objects.filter(board_set__competition=competition).update(released_at=AT)
    comparisons.compute_event(competition_id=competition.pk, at=AT)
    return competition


def test_a_pair_with_too_few_boards_is_listed_apart_without_a_place() -> None:
    competition = with_a_pair_that_left()
    home = next(each for each in rankings.of_event(competition) if each.field == "home")

    assert (home.boards_needed, home.places, home.has_apart) == (3, 5, True)
    assert [row.is_apart for row in home.rows] == [False] * 5 + [True]
    assert home.rows[-1].rank is None
    assert home.rows[-1].percent is not None
    numbers = dict(competition.entries.values_list("pk", "number"))
    assert numbers[home.rows[-1].pair.entry] == 5
    assert not list(verification.differences(competition=competition))


@pytest.mark.parametrize(("share", "apart"), [(0, 0), (33, 0), (34, 1), (50, 1), (100, 4)])
def test_the_share_is_of_the_boards_of_the_pair_with_the_most(share: int, apart: int) -> None:
    """Of six boards 34 in a hundred are more than two."""
    competition = with_a_pair_that_left(least_share=share)
    home = next(each for each in rankings.of_event(competition) if each.field == "home")
    assert sum(row.is_apart for row in home.rows) == apart
    assert sorted(row.rank for row in home.rows if row.rank is not None)[:1] == [1]


def test_page_scorecard_wall_paper_and_program_list_it_apart(client: Client) -> None:
    competition = with_a_pair_that_left()
    Competition.objects.filter(pk=competition.pk).update(state=Competition.State.FINISHED)
    entry = competition.entries.get(number=5)
    where = [competition.club.slug, competition.slug]

    page = client.get(competition.get_absolute_url()).content.decode()
    assert page.count("Not ranked: fewer than 3 boards") == 1
    card = client.get(reverse("scorecard", args=[*where, entry.pk])).content.decode()
    assert "not ranked with fewer than 3 boards" in card
    wall = client.get(reverse("evening_screen", args=where)).content.decode()
    assert "North-South: fewer than 3 boards" in wall
    order = Order(competition, size="a4", language="en", site="", tell=lambda _done, _of: None)
    printed = PdfReader(BytesIO(final_results.make(order).content)).pages[0].extract_text()
    assert "Pairs with fewer than 3 boards have no place." in printed
    answer = client.get(f"/api/v1/competitions/{competition.pk}/rankings/").json()
    told = next(each for each in answer if each["field"] == "home")
    assert (told["boards_needed"], told["rows"][-1]["apart"], told["rows"][-1]["rank"]) == (3, True, None)
    assert {row["apart"] for row in told["rows"][:-1]} == {False}


# The page


def test_a_director_changes_how_boards_are_compared_for_a_reason() -> None:
    event = make_event(tables=3, boards=1)
    address = reverse("desk_comparison", args=[event.competition.club.slug, event.competition.slug])
    client, other = Client(), Client()
    client.force_login(event.director)
    other.force_login(factories.member(event.competition.club, Role.SCORER))

    page = client.get(address).content.decode()
    assert "Neuberg" in page
    given = {"measure": "difference", "method": "matchpoints", "tops": "own", "least_share": "20"}
    assert client.post(address, given).status_code == 422
    assert client.post(address, {**given, "least_share": "101", "reason": "x"}).status_code == 422
    assert Duplicate.objects.get().tops == Tops.SAME

    assert client.post(address, {**given, "reason": "As the members wish"}).status_code == 302
    assert Duplicate.objects.values_list("tops", "least_share").get() == ("own", 20)
    line = AuditEntry.objects.get(action="comparison.settings_changed")
    assert line.reason == "As the members wish"
    assert other.post(address, {**given, "reason": "x"}).status_code == 403
