"""An evening from "new session" to finished, by its services: what is written, what is refused, what the trail says."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import Sitting
from engine.contest.movements.sections import Choice, Kind, choices
from games.boards.services import boards
from games.comparisons.services import comparisons
from games.matches import verification
from games.models import BoardSet, Evening, FixtureBoard, Scoresheet, SectionMovement
from games.sessions import services as evenings
from games.sessions.queries.late_options import late_options
from games.sessions.queries.leave_options import leave_options, left_pairs
from games.sessions.services import EveningPlan
from games.sessions.services.setting_up import games_with_boards
from league import formats
from league.competitions.services import competitions, drafts
from league.draws.services import draws
from league.entries.services import entries, withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Appearance, AuditEntry, Competition, Fixture, Role
from tests.games.evening_rooms import (
    AT,
    DAY,
    begin,
    club_with_director,
    draft,
    faults,
    laid_out,
    numbered,
    play,
    play_round,
    sitting_out,
    tables,
)
from tests.league import factories
from tests.thorough import is_in_turn

pytestmark = pytest.mark.django_db


def offered() -> list[tuple[int, Choice]]:
    """Every movement for 3 to 16 pairs; for odd numbers with different pairs missing; shortened and switched."""
    found = []
    for pairs in range(3, 17):
        for each in choices(pairs):
            found.append((pairs, each))
            if each.phantom:
                found.append((pairs, replace(each, phantom=1)))
            if each.rounds > 3 and pairs % 3 == 0:
                found.append((pairs, replace(each, rounds=each.rounds - 2)))
            if each.kind is Kind.MITCHELL and pairs % 3 == 1:
                found.append((pairs, replace(each, arrow_switched=1)))
    return found


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("pairs", "choice"), [each for each in offered() if is_in_turn(str(each), one_in=4)], ids=str
)
def test_every_offered_movement_that_is_laid_out_obeys_the_laws(pairs: int, choice: Choice) -> None:
    club, dora = club_with_director()
    competition = laid_out(club, dora, pairs, choice=choice, boards=2)
    movement = choice.movement()
    assert faults(competition) == []
    assert competition.stage.rounds.count() == choice.rounds == len(movement.rounds)
    for number in range(1, choice.rounds + 1):
        seats = {
            (each.table, each.home.number, each.away.number, boards_of(each))
            for each in tables(competition, number)
        }
        assert seats == {place(each) for each in movement.played(number)}
        waiting = movement.sitting_out(number)
        assert sitting_out(competition, number) == ({waiting} if waiting else set())
    # Nobody is forgotten: each pair plays or sits out in each round.
    assert Appearance.objects.filter(round__stage__competition=competition).count() == pairs * choice.rounds


def place(sitting: Sitting) -> tuple[str, int, int, tuple[int, ...]]:
    last = 2 * sitting.boards
    return (str(sitting.table), sitting.first, sitting.second, (last - 1, last))


def boards_of(fixture: Fixture) -> tuple[int, ...]:
    plays = FixtureBoard.objects.filter(fixture=fixture).order_by("position")
    return tuple(plays.values_list("board__number", flat=True))


class TestMaking:
    def test_an_evening_is_a_draft_with_its_sections_in_the_season_of_its_day(self) -> None:
        club, dora = club_with_director()
        plan = EveningPlan(name="Thursday", starts_on=DAY, boards_a_round=3, sections=2, method="butler")
        made = evenings.make(actor=dora, club=club, data=plan)
        assert made.format == formats.EVENING
        assert made.state == Competition.State.DRAFT
        assert [each.name for each in made.stage.divisions.order_by("level")] == ["A", "B"]
        assert made.season.name == "2026/27"
        assert made.rules["deals"] == 3
        assert made.rules["duplicate"] is True
        assert made.duplicate.method == "butler"
        assert evenings.plan_of(made) == replace(plan, game="concerto")

    @pytest.mark.parametrize("key", [*games_with_boards()])
    def test_it_is_played_in_any_game_whose_deals_can_be_repeated(self, key: str) -> None:
        club, dora = club_with_director()
        made = draft(club, dora, 8, game=key)
        assert made.game == key
        # Who says nothing of the game leaves it.
        evenings.edit(actor=dora, competition=made, data=EveningPlan(name="Friday", starts_on=DAY))
        made.refresh_from_db()
        assert (made.name, made.game) == ("Friday", key)
        evenings.start(actor=dora, competition=made, at=AT)
        assert len(tables(made, 1)) == 4

    @pytest.mark.parametrize(
        "wrong",
        [
            {"sections": 0},
            {"sections": 9},
            {"boards_a_round": 1},
            {"minutes_a_round": 0},
            {"method": "x"},
            {"game": "whist"},
        ],
    )
    def test_what_makes_no_sense_is_refused_beside_its_field(self, wrong: dict[str, object]) -> None:
        club, dora = club_with_director()
        with pytest.raises(Invalid) as refusal:
            evenings.make(actor=dora, club=club, data=EveningPlan(name="X", starts_on=DAY, **wrong))  # type: ignore[arg-type]
        assert [fault["place"][0] for fault in refusal.value.details] == list(wrong)
        assert not Competition.objects.exists()

    def test_a_scorer_may_not(self) -> None:
        club, dora = club_with_director()
        sam = factories.member(club, Role.SCORER)
        with pytest.raises(NotAllowed):
            evenings.make(actor=sam, club=club, data=EveningPlan(name="X", starts_on=DAY))
        competition = draft(club, dora)
        with pytest.raises(NotAllowed):
            evenings.start(actor=sam, competition=competition, at=AT)

    def test_everything_changes_before_the_start_and_can_be_undone(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 8)
        division = competition.stage.divisions.get()
        mitchell = Choice(Kind.MITCHELL, 4, 4, EvenTables.SHARE_AND_RELAY)
        evenings.choose_movement(actor=dora, division=division, choice=mitchell)
        plan = replace(evenings.plan_of(competition), minutes_a_round=35, method="cross-imps")
        evenings.edit(actor=dora, competition=competition, data=plan)
        assert evenings.plan_of(Competition.objects.get(pk=competition.pk)) == plan
        first = competition.draft_changes.filter(action="evening.changed").order_by("pk")[0]
        drafts.undo(actor=dora, change=first)
        assert not SectionMovement.objects.exists()
        assert Evening.objects.get().minutes_a_round == 28
        assert competition.duplicate.method == "matchpoints"

    def test_a_deleted_draft_comes_back_with_its_movement(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 7)
        choice = Choice(Kind.HOWELL, 4, 5, phantom=3)
        evenings.choose_movement(actor=dora, division=competition.stage.divisions.get(), choice=choice)
        competitions.discard(actor=dora, competition=competition)
        assert not Evening.objects.exists()
        back = drafts.bring_back(actor=dora, change=club.draft_changes.get(action=drafts.DELETED))
        started = evenings.start(actor=dora, competition=back, at=AT)
        assert started.stage.rounds.count() == 5
        assert SectionMovement.objects.get().phantom == 3


class TestChoosing:
    @pytest.mark.parametrize(
        ("choice", "said"),
        [
            (Choice(Kind.HOWELL, 5, 9), "work for 8 pairs"),
            (Choice(Kind.HOWELL, 4, 8), "1 to 7 rounds"),
            (Choice(Kind.HOWELL, 4, 7, phantom=8), "No pair is missing"),
            (Choice(Kind.HOWELL, 4, 7, arrow_switched=1), "only in a Mitchell"),
            (Choice(Kind.MITCHELL, 4, 3, arrow_switched=4), "1 to 3 rounds"),
        ],
    )
    def test_what_is_not_possible_is_refused_in_words(self, choice: Choice, said: str) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 8)
        with pytest.raises(Invalid, match=said):
            evenings.choose_movement(actor=dora, division=competition.stage.divisions.get(), choice=choice)

    def test_a_choice_that_no_longer_fits_gives_way_to_the_usual_movement(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 8)
        division = competition.stage.divisions.get()
        evenings.choose_movement(actor=dora, division=division, choice=Choice(Kind.HOWELL, 4, 3))
        entries.enter(actor=dora, division=division, lineup=factories.pair(club), at=AT)
        evenings.start(actor=dora, competition=competition, at=AT)
        row = SectionMovement.objects.get()
        assert (row.kind, row.tables, row.rounds, row.phantom) == ("mitchell", 5, 5, 10)


class TestStarting:
    def test_sections_share_the_boards_and_name_their_tables(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, (14, 7), boards=2)
        names = {each.table for each in tables(competition, 1)}
        assert names == {"A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1", "B2", "B3", "B4"} - {
            f"B{table}" for table in range(1, 5) if f"B{table}" not in names
        }
        assert sum(name.startswith("B") for name in names) == 3
        assert BoardSet.objects.get().count == 14
        assert faults(competition) == []

    def test_the_set_of_a_movement_is_so_many_boards_of_the_evening(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 6, choice=Choice(Kind.MITCHELL, 3, 3), boards=4)
        first = tables(competition, 1)
        assert [boards_of(each) for each in first] == [(1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)]
        assert [boards_of(each) for each in tables(competition, 2)] == [
            (5, 6, 7, 8),
            (9, 10, 11, 12),
            (1, 2, 3, 4),
        ]

    def test_numbers_by_lot_are_kept_with_their_seed(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 8)
        before = [each.pk for each in competition.entries.order_by("number")]
        draws.draw_numbers(actor=dora, competition=competition)
        expected = [each.pk for each in draws.fields(Competition.objects.get(pk=competition.pk))[0][1]]
        evenings.start(actor=dora, competition=competition, at=AT)
        assert [each.pk for each in competition.entries.order_by("number")] == expected
        assert sorted(expected) == sorted(before)

    def test_too_few_pairs_are_refused(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 2)
        with pytest.raises(Invalid, match="3 to 120 pairs, not 2"):
            evenings.start(actor=dora, competition=competition, at=AT)
        assert competition.stage.rounds.count() == 0

    def test_too_many_boards_are_refused(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora, 18, boards=12)
        with pytest.raises(Invalid, match="108 boards"):
            evenings.start(actor=dora, competition=competition, at=AT)

    def test_what_somebody_has_changed_unseen_is_not_laid_out(self) -> None:
        club, dora = club_with_director()
        competition = draft(club, dora)
        seen = drafts.newest(competition)
        entries.enter(
            actor=dora, division=competition.stage.divisions.get(), lineup=factories.pair(club), at=AT
        )
        with pytest.raises(Conflict, match="changed since you last saw this"):
            evenings.start(actor=dora, competition=competition, at=AT, seen=seen)

    def test_boards_that_are_public_are_not_laid_out_again(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        old = BoardSet.objects.get()
        evenings.take_back(actor=dora, competition=competition)
        boards.release(actor=dora, board_set=old, reason="A parcel was opened")
        with pytest.raises(Conflict, match="public, so nobody can play them"):
            evenings.start(actor=dora, competition=competition, at=AT)
        assert competition.stage.rounds.count() == 0
        boards.discard(actor=dora, board_set=old, reason="They are known")
        evenings.start(actor=dora, competition=competition, at=AT)
        made = BoardSet.objects.get(discarded_at=None)
        assert made.commitment != old.commitment
        assert set(FixtureBoard.objects.values_list("board__board_set", flat=True)) == {made.pk}

    def test_it_is_taken_back_until_the_first_round_begins_and_the_boards_stay(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        kept = BoardSet.objects.get()
        evenings.take_back(actor=dora, competition=competition)
        competition.refresh_from_db()
        assert competition.state == Competition.State.DRAFT
        assert not Fixture.objects.exists()
        competition = evenings.start(actor=dora, competition=competition, at=AT)
        assert BoardSet.objects.get() == kept
        begin(competition, dora)
        with pytest.raises(Conflict, match="first round has started"):
            evenings.take_back(actor=dora, competition=competition)
        assert AuditEntry.objects.filter(action="evening.taken_back").count() == 1

    def test_the_league_draws_enters_withdraws_and_counts_nothing_in_it(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        with pytest.raises(Conflict, match="the movement decides who meets whom"):
            draws.draw(actor=dora, competition=competition)
        with pytest.raises(Conflict, match="the movement decides who meets whom"):
            entries.enter(
                actor=dora,
                division=competition.stage.divisions.get(),
                lineup=factories.pair(club),
                at=AT,
            )
        with pytest.raises(Conflict, match="the movement decides who meets whom"):
            withdrawals.withdraw(actor=dora, entry=numbered(competition, 1), reason="ill", at=AT)
        assert not Competition.objects.stale().filter(pk=competition.pk).exists()


class TestClock:
    def test_rounds_begin_one_after_the_other_and_a_second_click_changes_nothing(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        first = evenings.next_round(actor=dora, competition=competition, number=1, at=AT)
        again = evenings.next_round(
            actor=dora, competition=competition, number=1, at=AT + timedelta(seconds=2)
        )
        assert (first.round_number, again.round_started_at) == (1, AT)
        with pytest.raises(Conflict, match="t start round 3 now"):
            evenings.next_round(actor=dora, competition=competition, number=3, at=AT)
        assert AuditEntry.objects.filter(action="evening.round_begun").count() == 1

    def test_the_tables_to_come_are_expected_from_now_on(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        late = AT + timedelta(minutes=10)
        evenings.next_round(actor=dora, competition=competition, number=1, at=late)
        assert tables(competition, 1)[0].starts_at == late
        assert tables(competition, 3)[0].starts_at == late + timedelta(minutes=56)

    def test_a_pause_and_more_minutes_count_once(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora)
        begin(competition, dora)
        evenings.pause(actor=dora, competition=competition, number=1, at=AT)
        evenings.pause(actor=dora, competition=competition, number=1, at=AT + timedelta(seconds=30))
        evenings.resume(actor=dora, competition=competition, number=1, at=AT + timedelta(minutes=2))
        clock = evenings.resume(actor=dora, competition=competition, number=1, at=AT + timedelta(minutes=9))
        assert (clock.paused_at, clock.paused_seconds) == (None, 120)
        evenings.add_minutes(actor=dora, competition=competition, number=1, minutes=5, paused_seconds=120)
        clock = evenings.add_minutes(
            actor=dora, competition=competition, number=1, minutes=5, paused_seconds=120
        )
        assert clock.paused_seconds == 420
        assert AuditEntry.objects.filter(action="evening.minutes_added").count() == 1
        with pytest.raises(Conflict, match="now in round 1"):
            evenings.pause(actor=dora, competition=competition, number=2, at=AT)

    def test_it_is_finished_when_every_table_has_a_result(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, choice=Choice(Kind.HOWELL, 2, 2), boards=2)
        begin(competition, dora)
        play_round(competition, 1)
        with pytest.raises(Conflict, match="table 1 in round 2"):
            evenings.finish(actor=dora, competition=competition, at=AT)
        begin(competition, dora, 2)
        play_round(competition, 2)
        evenings.finish(actor=dora, competition=competition, at=AT)
        competition.refresh_from_db()
        assert competition.state == Competition.State.FINISHED
        assert BoardSet.objects.get().released_at is not None
        with pytest.raises(Conflict, match="finished"):
            evenings.next_round(actor=dora, competition=competition, number=2, at=AT)


class TestLatePair:
    def late(self, competition: Competition, kind: str, first: int) -> str:
        from_options = [
            each.key
            for each in late_options(competition).options
            if each.kind == kind and each.from_round == first
        ]
        return from_options[0]

    def test_it_takes_the_empty_place_from_a_round_on(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 7, choice=Choice(Kind.HOWELL, 4, 7, phantom=5))
        begin(competition, dora)
        play_round(competition, 1)
        pair = factories.pair(club)
        key = self.late(competition, "empty", 2)
        entry = evenings.late_pair(actor=dora, competition=competition, lineup=pair, option=key, at=AT)
        assert (entry.number, entry.first_round) == (5, 2)
        assert faults(competition) == []
        assert sitting_out(competition, 1) != set()
        assert all(sitting_out(competition, number) == set() for number in range(2, 8))
        assert all(len(boards_of(each)) == 2 for each in tables(competition, 4))
        with pytest.raises(Conflict, match="no longer possible"):
            evenings.late_pair(
                actor=dora, competition=competition, lineup=factories.pair(club), option=key, at=AT
            )
        evenings.take_back_late(actor=dora, entry=entry, at=AT)
        assert faults(competition) == []
        assert all(len(sitting_out(competition, number)) == 1 for number in range(1, 8))
        assert (
            FixtureBoard.objects.filter(fixture__division__stage__competition=competition).count()
            == 3 * 7 * 2
        )

    def test_joining_cannot_be_undone_once_it_plays(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 7)
        begin(competition, dora)
        entry = evenings.late_pair(
            actor=dora,
            competition=competition,
            lineup=factories.pair(club),
            option=self.late(competition, "empty", 1),
            at=AT,
        )
        play_round(competition, 1)
        with pytest.raises(Conflict, match="has started"):
            evenings.take_back_late(actor=dora, entry=entry, at=AT)

    @pytest.mark.parametrize("pairs", [6, 8, 10, 12])
    def test_in_a_full_section_it_roves_by_the_laws(self, pairs: int) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, pairs, boards=2)
        begin(competition, dora)
        rounds = competition.stage.rounds.count()
        entry = evenings.late_pair(
            actor=dora,
            competition=competition,
            lineup=factories.pair(club),
            option=self.late(competition, "rover", 2),
            at=AT,
        )
        assert faults(competition) == []
        waiting = [each for number in range(2, rounds + 1) for each in sitting_out(competition, number)]
        assert len(waiting) == len(set(waiting)) == rounds - 1
        evenings.take_back_late(actor=dora, entry=entry, at=AT)
        assert faults(competition) == []
        assert all(sitting_out(competition, number) == set() for number in range(1, rounds + 1))

    def test_where_there_is_no_way_it_is_said_why(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 4, boards=2)
        begin(competition, dora, 3)
        found = late_options(competition)
        assert found.options == ()
        assert "last round has started" in found.refusals[0]

    def test_boards_that_are_public_are_not_played_by_it(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 5, choice=Choice(Kind.MITCHELL, 3, 3, phantom=6), boards=2)
        begin(competition, dora)
        play_round(competition, 1)
        begin(competition, dora, 2)
        play_round(competition, 2)
        BoardSet.objects.get().boards.filter(number=1).update(released_at=AT)
        options = late_options(competition).options
        publics = [each for option in options for each in option.meetings if each.sitting.boards == 1]
        assert publics
        assert all(each.against is None and "public" in each.why for each in publics)


class TestLeaving:
    def test_its_place_stays_empty_and_its_opponents_sit_out(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        begin(competition, dora, 2)
        leaving = numbered(competition, 3)
        evenings.pair_leaves(actor=dora, entry=leaving, option="sit-out-2", reason="ill", at=AT)
        statuses = [each.status for number in range(1, 8) for each in tables(competition, number)
                    if leaving in {each.home, each.away}]  # fmt: skip
        assert statuses == ["confirmed"] + ["void"] * 6
        assert faults(competition) == []
        back = evenings.take_back_leaving(actor=dora, entry=leaving, reason="it was a mistake", at=AT)
        assert back.withdrawn_at is None
        assert not Fixture.objects.filter(status="void").exists()
        actions = {"evening.pair_left", "evening.leaving_taken_back"}
        assert AuditEntry.objects.filter(action__in=actions).count() == 2

    def test_why_is_not_told_to_a_director_who_still_plays(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        evenings.pair_leaves(
            actor=dora, entry=numbered(competition, 3), option="sit-out-1", reason="after four aces", at=AT
        )
        player = factories.account_of(numbered(competition, 5).lineup)
        factories.member(club, Role.DIRECTOR, who=player)

        assert [each.reason for each in left_pairs(competition, dora)] == ["after four aces"]
        assert [each.reason for each in left_pairs(competition, player)] == [""]
        client = Client()
        client.force_login(player)
        page = client.get(f"/clubs/{club.slug}/{competition.slug}/manage/", follow=True).content.decode()
        assert "(number 3) has left" in page
        assert "four aces" not in page

    def test_what_it_has_played_is_taken_out(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        leaving = numbered(competition, 3)
        evenings.pair_leaves(actor=dora, entry=leaving, option="out-2", reason="ill", at=AT)
        own = Fixture.objects.of_entry(leaving.pk)
        assert set(own.values_list("status", flat=True)) == {"void"}
        assert not any(fixture.has_result for fixture in own)

    def test_results_that_are_still_to_come_are_not_taken_out(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        begin(competition, dora, 2)
        leaving = numbered(competition, 3)
        offered = {each.key: each.played for each in leave_options(leaving, competition.evening)}
        assert offered == {"sit-out-2": 1, "out-2": 1, "stand-in-2": 1, "sit-out-3": 2, "stand-in-3": 2}
        play_round(competition, 2)
        offered = {each.key: each.played for each in leave_options(leaving, competition.evening)}
        assert offered == {"sit-out-3": 2, "out-3": 2, "stand-in-3": 2}

    def test_taken_back_its_sheets_count_again_as_they_were(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        leaving = numbered(competition, 3)
        [played] = Fixture.objects.of_entry(leaving.pk).filter(status="confirmed")
        before = played.result
        old = Scoresheet.objects.get(match=played.pk)
        evenings.pair_leaves(actor=dora, entry=leaving, option="out-2", reason="ill", at=AT)
        evenings.take_back_leaving(actor=dora, entry=leaving, reason="a mistake", at=AT)
        assert not Fixture.objects.filter(status="void").exists()
        assert Fixture.objects.get(pk=played.pk).result == before
        new, first = Scoresheet.objects.filter(match=played.pk)
        assert (first.pk, first.verdict, first.verdict_reason) == (old.pk, "reopened", f"{leaving} left: ill")
        assert (new.version, new.verdict, new.verdict_by, new.digest) == (2, "confirmed", dora, old.digest)
        assert (new.entered_by, new.entered_for, new.origin) == (old.entered_by, old.entered_for, old.origin)
        assert new.deals.count() == old.deals.count() == 2
        assert [each.told for each in AuditEntry.objects.filter(action="sheet.revived")] == [
            "Scoresheet 1 counts again, as version 2"
        ]
        comparisons.compute_event(competition_id=competition.pk, at=AT)
        assert list(verification.differences(competition=competition)) == []

    def test_of_two_that_left_the_match_between_them_comes_back_with_the_second(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        later = tables(competition, 2)[0]
        [first, second] = [later.home, later.away]
        [played] = Fixture.objects.of_entry(first.pk).filter(status="confirmed")
        evenings.pair_leaves(actor=dora, entry=first, option="out-2", reason="ill", at=AT)
        evenings.pair_leaves(actor=dora, entry=second, option="out-2", reason="bus", at=AT)
        evenings.take_back_leaving(actor=dora, entry=first, reason="a mistake", at=AT)
        status = dict(Fixture.objects.of_competition(competition.pk).values_list("pk", "status"))
        assert status[played.pk] == ("void" if second in {played.home, played.away} else "confirmed")
        assert status[later.pk] == "void"
        second.refresh_from_db()
        evenings.take_back_leaving(actor=dora, entry=second, reason="caught it", at=AT)
        assert set(Fixture.objects.of_competition(competition.pk).values_list("status", flat=True)) == {
            "confirmed",
            "scheduled",
        }
        assert faults(competition) == []

    def test_another_pair_takes_its_number_over(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        leaving = numbered(competition, 3)
        new = evenings.pair_leaves(
            actor=dora,
            entry=leaving,
            option="stand-in-2",
            reason="ill",
            at=AT,
            stand_in=factories.pair(club),
        )
        leaving.refresh_from_db()
        assert (new.number, new.first_round, leaving.number) == (3, 2, 1003)
        assert faults(competition) == []
        assert all(sitting_out(competition, number) == set() for number in range(1, 8))
        evenings.take_back_leaving(actor=dora, entry=leaving, reason="it stays", at=AT)
        leaving.refresh_from_db()
        assert (leaving.number, leaving.withdrawn_at) == (3, None)
        assert faults(competition) == []
        assert Fixture.objects.of_entry(leaving.pk).count() == 7

    def test_a_late_pair_takes_the_place_of_one_that_left(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        play_round(competition, 1)
        leaving = numbered(competition, 3)
        evenings.pair_leaves(actor=dora, entry=leaving, option="sit-out-2", reason="ill", at=AT)
        begin(competition, dora, 2)
        [option] = [
            each for each in late_options(competition).options if each.kind == "left" and each.from_round == 3
        ]
        entry = evenings.late_pair(
            actor=dora, competition=competition, lineup=factories.pair(club), option=option.key, at=AT
        )
        assert entry.number == 3
        assert [each.status for each in Fixture.objects.of_entry(entry.pk)] == ["scheduled"] * 5
        assert Fixture.objects.filter(status="void").count() == 1
        assert faults(competition) == []
        evenings.take_back_late(actor=dora, entry=entry, at=AT)
        leaving.refresh_from_db()
        assert leaving.number == 3
        assert Fixture.objects.filter(status="void").count() == 6

    def test_a_table_with_a_result_to_confirm_is_settled_first(self) -> None:
        club, dora = club_with_director()
        competition = laid_out(club, dora, 8)
        begin(competition, dora)
        leaving = numbered(competition, 3)
        fixture = next(each for each in tables(competition, 1) if leaving in {each.home, each.away})
        play(fixture)
        with pytest.raises(Conflict, match="no longer possible"):
            evenings.pair_leaves(actor=dora, entry=leaving, option="sit-out-1", reason="ill", at=AT)
        with pytest.raises(Invalid, match="reason"):
            evenings.pair_leaves(actor=dora, entry=leaving, option="sit-out-2", reason=" ", at=AT)
