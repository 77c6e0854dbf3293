"""Evenings of players whose partners change (F120 to F123): set up, seated, played, ranked, and changed on the way."""

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from engine.contest import exact
from games.comparisons.reckoning import rankings
from games.comparisons.services import comparisons
from games.events.queries import field_tables, scorecards, sessions
from games.models import EventRanking, FixtureBoard, SectionMovement
from games.sessions import services as evenings
from games.sessions.queries import rooms
from games.sessions.queries.leave_options import leave_options
from league.competitions.services import drafts
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.manage.queries import manage
from league.models import Competition, Entry, Fixture, Lineup
from tests.games.evening_papers import Room, made, pages
from tests.games.evening_rooms import (
    AT,
    begin,
    club_with_director,
    draft,
    laid_out,
    numbered,
    play,
    play_round,
    tables,
)
from tests.league import factories

pytestmark = pytest.mark.django_db


def of_players(players: int = 8, **how: Any) -> tuple[Competition, Any]:
    club, dora = club_with_director()
    return laid_out(club, dora, players, partners_change=True, **how), dora


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def numbers_at(fixture: Fixture) -> list[list[int]]:
    """The players' numbers on each side."""
    numbers = {
        entry.lineup.players[0].pk: entry.number
        for entry in Entry.objects.filter(competition=fixture.round.competition).with_pairs()
    }
    return [sorted(numbers[player.pk] for player in pair.lineup.players) for pair in fixture.entries]


@pytest.mark.parametrize("players", [8, 12, 16])
def test_f120_everybody_is_everybodys_partner_once_and_opponent_twice(players: int) -> None:
    evening, _dora = of_players(players)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    for number in range(1, players):
        seated = []
        for fixture in tables(evening, number):
            first, second = numbers_at(fixture)
            seated += [*first, *second]
            partners.update([frozenset(first), frozenset(second)])
            opponents.update(frozenset((one, other)) for one in first for other in second)
            boards = FixtureBoard.objects.filter(fixture=fixture).values_list("board", flat=True)
            played.update((each, board) for each in (*first, *second) for board in boards)
        assert sorted(seated) == list(range(1, players + 1))
    assert set(partners.values()) == {1}
    assert len(partners) == players * (players - 1) // 2
    assert set(opponents.values()) == {2}
    assert set(played.values()) == {1}


def test_f121_the_first_round_and_the_player_who_stays_and_turns() -> None:
    evening, _dora = of_players(8)
    assert [numbers_at(each) for each in tables(evening, 1)] == [[[1, 8], [2, 4]], [[3, 7], [5, 6]]]
    assert [8 in numbers_at(tables(evening, number)[0])[0] for number in range(1, 8)] == [
        number % 2 == 1 for number in range(1, 8)
    ]


def test_f122_with_eight_both_tables_share_a_set_and_with_sixteen_two_of_four_do() -> None:
    evening, _dora = of_players(8)
    sets = [sorted(each.boards.values_list("board__number", flat=True)) for each in tables(evening, 3)]
    assert sets == [[5, 6], [5, 6]]
    other, _dora = of_players(16)
    sets = [sorted(each.boards.values_list("board__number", flat=True)) for each in tables(other, 1)]
    assert sets == [[1, 2], [29, 30], [3, 4], [1, 2]]


def test_f123_a_player_has_the_pairs_figure_on_each_board_and_is_ranked_by_the_percentage() -> None:
    evening, dora = of_players(8)
    begin(evening, dora, 7)
    for number in range(1, 8):
        play_round(evening, number)
    comparisons.compute_event(competition_id=evening.pk, at=AT)
    (ranking,) = rankings.of_event(evening)
    assert ranking.title == "All players"
    assert len(ranking.rows) == 8
    # Table 2's home side makes a point a board more than table 1's: of two tables it has the top of 2, the other none.
    top = {entry: Fraction(0) for entry in range(1, 9)}
    for number in range(1, 8):
        first, second = tables(evening, number)
        winners = [*numbers_at(second)[0], *numbers_at(first)[1]]
        for each in winners:
            top[each] += 4
    expected = {each: made * 100 / 28 for each, made in top.items()}
    found = {numbered_of(row.pair.entry): row.percent for row in ranking.rows}
    assert found == expected
    assert [row.percent for row in ranking.rows] == sorted(expected.values(), reverse=True)


def finished() -> tuple[Competition, Any]:
    """All rounds played and ranked."""
    evening, dora = of_players(8)
    begin(evening, dora, 7)
    for number in range(1, 8):
        play_round(evening, number)
    comparisons.compute_event(competition_id=evening.pk, at=AT)
    return evening, dora


def numbered_of(entry: int) -> int:
    return Entry.objects.get(pk=entry).number


def test_f123_who_plays_for_the_house_has_no_place_and_the_others_keep_theirs() -> None:
    club, dora = club_with_director()
    evening = draft(club, dora, 8, partners_change=True)
    house = numbered(evening, 5)
    evenings.set_house(actor=dora, entry=house, is_house=True)
    evenings.start(actor=dora, competition=evening, at=AT)
    begin(evening, dora, 1)
    play_round(evening, 1)
    comparisons.compute_event(competition_id=evening.pk, at=AT)
    content = EventRanking.objects.get(competition=evening).content
    ranked = {row["entry"] for row in content["rows"]}
    assert house.pk not in ranked
    assert len(ranked) == 7
    percent = {numbered_of(row["entry"]): exact.restore(row["percent"]) for row in content["rows"]}
    # F121: in round 1 5 and 6 are partners; table 2's home side, 3 and 7, makes more than table 1's.
    assert percent == {3: 100, 7: 100, 6: 0, 8: 0, 1: 0, 2: 100, 4: 100}


def test_that_somebody_plays_for_the_house_can_be_undone() -> None:
    club, dora = club_with_director()
    evening = draft(club, dora, 8, partners_change=True)
    evenings.set_house(actor=dora, entry=numbered(evening, 1), is_house=True)
    change = evening.draft_changes.order_by("-pk")[0]
    drafts.undo(actor=dora, change=change, seen=drafts.newest(evening))
    assert not numbered(evening, 1).is_house


@pytest.mark.parametrize("players", [4, 7, 9, 10, 20])
def test_f120_other_numbers_of_players_have_no_movement_and_the_page_says_so(players: int) -> None:
    club, dora = club_with_director()
    evening = draft(club, dora, players, partners_change=True)
    with pytest.raises(Invalid, match="8, 12 or 16 players, not"):
        evenings.start(actor=dora, competition=evening, at=AT)
    address = f"/clubs/{club.slug}/desk/{evening.slug}/evening/set-up/start/"
    assert f"8, 12 or 16 players, not {players}" in logged_in(dora).get(address).content.decode()


def test_pairs_cannot_move_as_players_nor_players_as_pairs() -> None:
    club, dora = club_with_director()
    of_pairs, alone = draft(club, dora, 8), draft(club, dora, 8, name="Friday", partners_change=True)
    (movement,) = [each.choice for each in [SectionMovement(kind="individual", tables=2, rounds=7)]]
    (howell,) = [each.choice for each in [SectionMovement(kind="howell", tables=4, rounds=7)]]
    for evening, choice in ((of_pairs, movement), (alone, howell)):
        with pytest.raises(Invalid, match="doesn’t work"):
            evenings.choose_movement(actor=dora, division=evening.stage.divisions.get(), choice=choice)


def test_with_pairs_entered_an_evening_does_not_become_one_of_players() -> None:
    club, dora = club_with_director()
    evening = draft(club, dora, 8)
    plan = evenings.plan_of(evening)
    changed = type(plan)(
        **{**{name: getattr(plan, name) for name in plan.__slots__}, "partners_change": True}
    )
    with pytest.raises(Conflict, match="one by one"):
        evenings.edit(actor=dora, competition=evening, data=changed)


def test_partners_of_a_round_are_not_pairs_of_the_club() -> None:
    evening, _dora = of_players(8)
    club = evening.club
    pair = factories.pair(club)
    assert list(manage.free_pairs(factories.competition(club, pairs=0))) == [pair]
    assert [str(each) for each in Lineup.objects.present().entering().together()] == [str(pair)]


def test_among_pairs_nobody_is_for_the_house() -> None:
    club, dora = club_with_director()
    evening = draft(club, dora, 8)
    with pytest.raises(Conflict, match="Only where partners change"):
        evenings.set_house(actor=dora, entry=numbered(evening, 1), is_house=True)


def test_seats_that_are_undone_leave_no_pairs_behind() -> None:
    evening, dora = of_players(8)
    assert Entry.with_rooms.filter(competition=evening).count() == 8 + 28
    evenings.take_back(actor=dora, competition=evening)
    assert Entry.with_rooms.filter(competition=evening).count() == 8
    evenings.start(actor=dora, competition=evening, at=AT)
    assert Entry.with_rooms.filter(competition=evening).count() == 8 + 28


class TestOnTheWay:
    def test_the_room_says_who_sits_where_with_whom(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 1)
        seen = rooms.room(evening, dora, at=AT)
        eight = next(seat for seat in seen.seats if seat.number == 8)
        one = numbered(evening, 1).lineup.players[0]
        assert eight.now is not None
        assert eight.now.text == f"Table 1, North-South, with {one.name}"
        assert {table.first_number for table in seen.tables} == {"1 + 8", "3 + 7"}
        assert len(seen.seats) == 8

    def test_the_own_page_and_the_wall_lead_a_player_to_the_seat(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 1)
        player = factories.account_of(numbered(evening, 8).lineup)
        page = logged_in(player).get("/my/").content.decode()
        assert "Table 1, North-South, with" in page
        wall = Client().get(f"/clubs/{evening.club.slug}/{evening.slug}/screen/").content.decode()
        assert "Table 1, North-South, with" in wall

    def test_a_player_leaves_and_another_takes_the_place_with_the_same_partners(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 2)
        play_round(evening, 1)
        leaving, newcomer = numbered(evening, 3), factories.alone(evening.club)
        (option,) = [each for each in leave_options(leaving, evening.evening) if each.from_round == 2]
        taken = evenings.pair_leaves(
            actor=dora, entry=leaving, option=option.key, reason="Ill", at=AT, stand_in=newcomer
        )
        assert (taken.number, taken.first_round, taken.is_house) == (3, 2, False)
        for number in range(2, 8):
            assert sorted(
                each for fixture in tables(evening, number) for side in numbers_at(fixture) for each in side
            ) == list(range(1, 9))
        begin(evening, dora, 7)
        for number in range(2, 8):
            play_round(evening, number)
        comparisons.compute_event(competition_id=evening.pk, at=AT)
        (ranking,) = rankings.of_event(evening)
        boards = {row.pair.entry: row.boards for row in ranking.rows}
        assert (boards[leaving.pk], boards[taken.pk]) == (2, 12)

    def test_the_place_is_given_back_while_nobody_has_begun(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 1)
        before = [numbers_at(each) for number in range(1, 8) for each in tables(evening, number)]
        leaving = numbered(evening, 3)
        (option, *_later) = leave_options(leaving, evening.evening)
        evenings.pair_leaves(
            actor=dora, entry=leaving, option=option.key, reason="Ill", at=AT,
            stand_in=factories.alone(evening.club), is_house=True,
        )  # fmt: skip
        leaving.refresh_from_db()
        evenings.take_back_leaving(actor=dora, entry=leaving, reason="Well again", at=AT)
        assert [numbers_at(each) for number in range(1, 8) for each in tables(evening, number)] == before
        assert Entry.with_rooms.filter(competition=evening).count() == 8 + 28

    def test_a_table_that_a_director_struck_off_stays_so_when_the_place_is_given_back(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 1)
        leaving = numbered(evening, 3)
        (option, *_later) = leave_options(leaving, evening.evening)
        evenings.pair_leaves(
            actor=dora, entry=leaving, option=option.key, reason="Ill", at=AT,
            stand_in=factories.alone(evening.club),
        )  # fmt: skip
        struck = next(each for each in tables(evening, 3) if any(3 in side for side in numbers_at(each)))
        fixtures.void(actor=dora, fixture=struck, reason="No time")
        leaving.refresh_from_db()
        evenings.take_back_leaving(actor=dora, entry=leaving, reason="Well again", at=AT)
        struck.refresh_from_db()
        assert struck.status == Fixture.Status.VOID

    def test_a_place_of_which_a_table_has_begun_is_not_handed_over_from_that_round(self) -> None:
        evening, dora = of_players(8)
        begin(evening, dora, 1)
        leaving = numbered(evening, 3)
        play(tables(evening, 1)[1])
        assert [each.from_round for each in leave_options(leaving, evening.evening)] == [2]


class TestPages:
    def test_it_is_set_up_from_the_pages(self) -> None:
        club, dora = club_with_director()
        client = logged_in(dora)
        plan = {
            "name": "Individuals",
            "starts_on": "2026-11-05",
            "play_time": "19:30",
            "sections": "1",
            "boards_a_round": "2",
            "minutes_a_round": "15",
            "method": "matchpoints",
            "measure": "difference",
            "visibility": "public",
            "partners_change": "on",
        }
        answer = client.post(f"/clubs/{club.slug}/desk/evenings/new/", plan)
        made = Competition.objects.get()
        assert (made.format, made.is_of_individuals) == ("individual_evening", True)
        typed = "\n".join(f"Ada {letter}." for letter in "ABCDEFGH")
        client.post(answer["Location"], {"division": made.stage.divisions.get().pk, "typed": typed})
        page = client.get(f"/clubs/{club.slug}/desk/{made.slug}/evening/set-up/pairs/").content.decode()
        assert "For the house" in page
        address = f"/clubs/{club.slug}/desk/{made.slug}/evening/set-up/movement/"
        page = client.get(address).content.decode()
        assert "Everybody has everybody as a partner once, and as an opponent twice." in page
        prefix = f"section{made.stage.divisions.get().pk}"
        answer = client.post(address, {f"{prefix}-kind": "individual", f"{prefix}-rounds": "5"})
        answer = client.post(answer["Location"], {"start": "1"})
        assert made.stage.rounds.count() == 5
        assert client.get(answer["Location"]).status_code == 200

    def test_the_button_of_a_player_makes_them_play_for_the_house(self) -> None:
        club, dora = club_with_director()
        evening = draft(club, dora, 8, partners_change=True)
        address = f"/clubs/{club.slug}/desk/{evening.slug}/evening/set-up/pairs/"
        sent = {"division": evening.stage.divisions.get().pk}
        sent |= {f"number_{each.pk}": each.number for each in evening.entries.all()}
        sent |= {f"division_{each.pk}": each.division_id for each in evening.entries.all()}
        logged_in(dora).post(address, {**sent, "house": numbered(evening, 2).pk})
        assert numbered(evening, 2).is_house
        logged_in(dora).post(address, {**sent, "place": numbered(evening, 2).pk})
        assert not numbered(evening, 2).is_house

    def test_every_page_of_the_evening_answers_a_player_a_director_and_a_visitor(self) -> None:
        evening, dora = finished()
        base, entry = f"/clubs/{evening.club.slug}/{evening.slug}/", numbered(evening, 1)
        (player,) = entry.lineup.players
        desk = f"/clubs/{evening.club.slug}/desk/{evening.slug}/evening/"
        board = evening.board_sets.get()
        public = [
            base, f"{base}field/", f"{base}compare/", f"{base}room/", f"{base}screen/", f"{base}scorecards/{entry.pk}/",
            f"{base}rounds/1/", f"/boards/{board.pk}/1/", f"/players/{player.pk}/",
            f"/players/{player.pk}/evenings/", f"/pairs/{entry.lineup_id}/", f"/matches/{tables(evening, 1)[0].pk}/",
        ]  # fmt: skip
        own = [
            desk,
            f"{desk}late/",
            f"{desk}pairs/{entry.pk}/leave/",
            f"/clubs/{evening.club.slug}/desk/{evening.slug}/papers/",
        ]
        for reader, addresses in (
            (Client(), public),
            (logged_in(factories.account_of(entry.lineup)), public),
            (logged_in(dora), [*public, *own]),
        ):
            answers = {address: reader.get(address).status_code for address in addresses}
            assert [address for address, answer in answers.items() if answer != 200] == []

    def test_the_card_of_a_player_has_every_board_with_each_partner(self) -> None:
        evening, dora = finished()
        card = scorecards.scorecard(entry=numbered(evening, 1), competition=evening, visitor=dora)
        assert card.boards == 14
        assert card.total.percent == card.standings[0].row.percent

    @pytest.mark.parametrize("is_laid_out", [True, False])
    def test_f120_a_guide_card_leads_each_player_with_partner_and_opponents(self, is_laid_out: bool) -> None:
        club, dora = club_with_director()
        evening = draft(club, dora, 8, partners_change=True)
        if is_laid_out:
            evenings.start(actor=dora, competition=evening, at=AT)
        room = Room(club, evening, dora, dora, dora, dora)
        text = " ".join("\n".join(pages(made(room, "guide_cards"))).split())
        assert all(f"Number {number} " in text for number in range(1, 9))
        # Seven rounds on each of eight players' and two tables' cards.
        assert len(re.findall(r"\d–\d", text)) == 7 * 10
        # Each of the others has five as a partner once; the eighth is on their own card.
        assert text.count(f" 5 {numbered(evening, 5).lineup}") == 7 + 1

    def test_the_field_has_a_line_for_each_player_with_every_board(self) -> None:
        evening, dora = finished()
        (ranking,) = field_tables.fields(evening)
        boards = field_tables.boards_of(evening)
        lines = field_tables.rows(evening, boards, ranking.rows, dora)
        assert set(lines) == set(evening.entries.values_list("pk", flat=True))
        assert all(cell.figure for line in lines.values() for cell in line.cells)

    def test_an_evening_of_a_player_is_one_line_not_one_for_each_partner(self) -> None:
        evening, dora = finished()
        (player,) = numbered(evening, 1).lineup.players
        (session,) = sessions.of_player(player, dora)
        assert (session.rank, session.boards, session.of) == (session.rank, 14, 8)
        assert session.rank is not None
