"""Figures and rankings for programs: exact and in words, and nothing before the release."""

from fractions import Fraction

from games.models import Board, BoardSet
from tests.games.events import make_event, play, settle


def test_a_board_tells_its_figures_exactly(program, db):
    event = make_event(tables=4, boards=1)
    for fixture in event.fixtures[:3]:
        play(fixture, (50 + fixture.pk % 7, 50), tells=False)
    settle(event)
    shown = program().get(f"/api/v1/boards/{event.board().pk}/comparison/").json()
    assert (shown["released"], shown["method"], shown["measure"]) == (True, "matchpoints", "difference")
    assert (shown["expected"], shown["stale"], len(shown["figures"])) == (4, False, 6)
    assert {figure["basis"] for figure in shown["figures"]} == {"neuberg"}
    assert sum(Fraction(figure["value"]) for figure in shown["figures"]) == 2 * 3 * 3
    assert all(
        Fraction(figure["percent"]) == Fraction(figure["value"]) * 100 / 6 for figure in shown["figures"]
    )


def test_a_board_that_others_still_play_tells_nothing_to_anybody(program, db):
    event = make_event(tables=4, boards=1, is_released=False)
    for fixture in event.fixtures[:3]:
        play(fixture, (77, 50), tells=False)
    settle(event)
    for client in (program(), program(event.director)):
        shown = client.get(f"/api/v1/boards/{event.board().pk}/comparison/").json()
        assert (shown["released"], shown["figures"], shown["expected"]) == (False, [], None)
        [ranking] = client.get(f"/api/v1/competitions/{event.competition.pk}/rankings/").json()
        assert (ranking["boards_counted"], ranking["boards_total"], ranking["rows"]) == (0, 1, [])


def test_rankings_are_told_by_field_and_round(program, db):
    event = make_event(tables=3, boards=2, rounds=2, method="cross-imps")
    for fixture in event.fixtures:
        play(fixture, (70, 50 + fixture.pk % 20), (50, 60), tells=False)
    settle(event)
    address = f"/api/v1/competitions/{event.competition.pk}/rankings/"
    [whole] = program().get(address).json()
    [second] = program().get(address, {"round": 2}).json()
    assert (whole["field"], whole["round"], whole["boards_total"]) == ("all", 0, 4)
    assert (second["round"], second["boards_total"]) == (2, 2)
    assert [len(row["matches"]) for row in whole["rows"]] == [2] * 6
    assert sum(Fraction(row["value"]) for row in whole["rows"]) == 0
    assert sum(Fraction(row["victory_points"]) for row in whole["rows"]) == 2 * 3 * 20
    assert program().get(address, {"round": 3}).json() == []
    assert program().get(address, {"round": "x"}).status_code == 400


def test_boards_of_a_closed_competition_are_not_there(program, db):
    event = make_event(tables=2, boards=1)
    event.competition.visibility = "members"
    event.competition.save(update_fields=["visibility"])
    assert program().get(f"/api/v1/boards/{event.board().pk}/comparison/").status_code == 404
    assert program(event.director).get(f"/api/v1/boards/{event.board().pk}/comparison/").status_code == 200
    assert program().get("/api/v1/boards/999999/comparison/").status_code == 404
    assert Board.objects.count() == BoardSet.objects.count() == 1
