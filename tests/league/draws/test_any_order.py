"""A Swiss and a cup under whatever happens: results, corrections, late entries, withdrawals, draws at every point."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from league.draws import queries as explained
from league.draws.services import rounds, ties
from league.entries.services import entries, withdrawals
from league.errors import LeagueError
from league.fixtures.services import fixtures
from league.models import Appearance, Club, Division, Entry, Fixture, RoundDraw
from league.standings import brackets
from league.standings.brackets import How
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.thorough import IS_THOROUGH

# A whole season is one transaction, which is rolled back: its locks pile up.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.breaks_lock_order]
LATER = timezone.now() + timedelta(days=400)
CHOICE = st.integers(0, 1000)
SCORES = st.sampled_from([(60, 40), (40, 60), (50, 50)])


class Season(RuleBasedStateMachine):
    """What directors and pairs do, in any order. What is refused in words (LeagueError) changes nothing."""

    format = ""
    club: Club
    division: Division

    def __init__(self) -> None:
        super().__init__()
        self.all = transaction.atomic()
        self.all.__enter__()

    def teardown(self) -> None:
        """Nothing stays for the next run."""
        transaction.set_rollback(True)
        self.all.__exit__(None, None, None)

    @initialize(size=st.integers(3, 6))
    def begin(self, size: int) -> None:
        self.club = factories.club()
        competition = factories.running(self.club, pairs=size, format=self.format)
        self.division = competition.stage.divisions.get()
        self.tables: dict[int, list[tuple[Any, ...]]] = {}
        self.note(1)

    def note(self, number: int) -> None:
        """Who was to meet in a round when it was published."""
        self.tables[number] = self.of_round(number)

    def of_round(self, number: int) -> list[tuple[Any, ...]]:
        drawn = (
            Fixture.objects.filter(division=self.division, round__number=number).with_pairs().order_by("pk")
        )
        return [(each.pk, each.table, each.home_id, each.away_id) for each in drawn]

    def act(self, function: Any, **given: Any) -> bool:
        """Whether it was done; refused, it leaves everything as it was."""
        before = self.facts()
        try:
            with transaction.atomic():
                function(actor=DIRECTOR, **given)
        except LeagueError:
            is_done = False
        else:
            is_done = True
        assert is_done or self.facts() == before
        return is_done

    def facts(self) -> list[Any]:
        seen = Appearance.objects.of_division(self.division).order_by("pk")
        return [
            *seen.values_list("round", "entry", "fixture", "score", "rank", "outcome"),
            *RoundDraw.objects.filter(division=self.division).values_list("pk", "round"),
            *self.division.entries.order_by("pk").values_list("pk", "withdrawn_at"),
        ]

    def a_match(self, choice: int, **which: Any) -> Fixture | None:
        found = list(Fixture.objects.filter(division=self.division, **which).with_pairs().order_by("pk"))
        return found[choice % len(found)] if found else None

    def an_entry(self, choice: int, **which: Any) -> Entry | None:
        found = list(Entry.objects.filter(division=self.division, **which).with_pairs().order_by("pk"))
        return found[choice % len(found)] if found else None

    @rule(choice=CHOICE, scores=SCORES)
    def a_result(self, choice: int, scores: tuple[int, int]) -> None:
        fixture = self.a_match(choice, status=Fixture.Status.SCHEDULED)
        if fixture is not None:
            factories.result(fixture, *scores)

    @rule(scores=st.lists(SCORES, min_size=3, max_size=3))
    def all_results(self, scores: list[tuple[int, int]]) -> None:
        for number, pair in enumerate(scores):
            self.a_result(number, pair)

    @rule(choice=CHOICE, scores=SCORES)
    def a_correction(self, choice: int, scores: tuple[int, int]) -> None:
        fixture = self.a_match(choice, status=Fixture.Status.CONFIRMED)
        if fixture is not None:
            self.act(fixtures.record_result, fixture=fixture, scores=scores)

    @rule(choice=CHOICE)
    def a_walkover(self, choice: int) -> None:
        fixture = self.a_match(choice, status=Fixture.Status.SCHEDULED)
        if fixture is not None:
            self.act(fixtures.award_walkover, fixture=fixture, losing=[fixture.home], reason="Away")

    @rule()
    def somebody_late(self) -> None:
        self.act(entries.enter, division=self.division, lineup=factories.pair(self.club), at=LATER)

    @rule(choice=CHOICE)
    def a_withdrawal(self, choice: int) -> None:
        entry = self.an_entry(choice, withdrawn_at=None)
        if entry is not None:
            self.act(withdrawals.withdraw, entry=entry, reason="Ill", at=LATER)

    @rule(choice=CHOICE)
    def a_return(self, choice: int) -> None:
        entry = self.an_entry(choice, withdrawn_at__isnull=False)
        if entry is not None:
            self.act(withdrawals.reinstate, entry=entry, reason="Well again", at=LATER)

    @rule()
    def a_draw(self) -> None:
        round_ = rounds.next_round(self.division)
        if round_ is None:
            return
        try:
            proposal = rounds.proposal_of(division=self.division, round_=round_)
        except LeagueError:
            return
        self.check_proposal(proposal)
        asked = {"seen": proposal.digest, "despite_missing": True}
        if self.act(rounds.publish, division=self.division, number=round_.number, at=LATER, **asked):
            self.note(round_.number)

    def check_proposal(self, proposal: Any) -> None:
        """What a draw of this format has to be."""

    @rule()
    def a_draw_undone(self) -> None:
        last = RoundDraw.objects.filter(division=self.division).order_by("-round__number").first()
        if last is None:
            return
        number = last.round.number
        if self.act(rounds.take_back, division=self.division, number=number, reason="Wrong"):
            del self.tables[number]

    @invariant()
    def an_entry_is_in_a_round_once(self) -> None:
        seen = Appearance.objects.of_division(self.division).exclude(outcome=Appearance.Outcome.VOID)
        places = list(seen.values_list("round", "entry"))
        assert len(places) == len(set(places))

    @invariant()
    def the_table_is_of_everybody_and_the_same_again(self) -> None:
        table = compute_table(read_facts(self.division))
        assert table.digest() == compute_table(read_facts(self.division)).digest()
        known = {row.entry for row in (*table.rows, *table.withdrawn)}
        assert known <= set(self.division.entries.values_list("pk", flat=True))


class Swiss(Season):
    """Every round is everybody's, and what is published stays (F3)."""

    format = "swiss"

    def check_proposal(self, proposal: Any) -> None:
        playing = [key for two in proposal.drawn.tables for key in two]
        playing += [proposal.drawn.bye] if proposal.drawn.bye else []
        number = proposal.round.number
        expected = self.division.entries.filter(withdrawn_at=None, first_round__lte=number)
        assert sorted(playing) == sorted(expected.values_list("pk", flat=True))
        assert proposal.drawn.cost == proposal.least.cost

    @rule(choice=CHOICE)
    def a_wish_to_sit_out_taken_back(self, choice: int) -> None:
        entry, round_ = self.an_entry(choice, withdrawn_at=None), rounds.next_round(self.division)
        given = {"entry": entry, "number": round_.number if round_ else 0}
        if entry is not None and self.act(rounds.ask_to_sit_out, at=LATER, **given):
            assert self.act(rounds.play_after_all, **given)

    @invariant()
    def what_was_published_stands(self) -> None:
        for number, tables in self.tables.items():
            # Before round 2 is drawn, who comes late may take the place of who sits out of the first.
            assert self.of_round(number)[: len(tables)] == tables
            how = explained.published(self.division, self.division.stage.rounds.get(number=number))
            shown = [(table.home.pk, table.away.pk) for table in how.tables] if how else []
            assert shown[: len(tables)] == [(home, away) for _key, _table, home, away in tables]


class Cup(Season):
    """Whoever plays in a round has come up to it, and nobody is in two ties of one."""

    format = "knockout"

    @rule(choice=CHOICE, scores=SCORES)
    def extra_boards(self, choice: int, scores: tuple[int, int]) -> None:
        fixture = self.a_match(choice, status=Fixture.Status.CONFIRMED)
        if fixture is not None:
            self.act(ties.play_extra, fixture=fixture, scores=scores, at=LATER)

    @rule(choice=CHOICE, side=st.integers(0, 1))
    def a_ruling(self, choice: int, side: int) -> None:
        fixture = self.a_match(choice, decided_at__isnull=False)
        if fixture is not None:
            winner = fixture.entries[side]
            self.act(ties.rule, fixture=fixture, winner=winner, reason="By lot", at=LATER)

    @rule(choice=CHOICE)
    def a_decision_undone(self, choice: int) -> None:
        fixture = self.a_match(choice, decided_at__isnull=False)
        if fixture is not None:
            self.act(ties.take_back, fixture=fixture, reason="Wrong", at=LATER)

    @invariant()
    def the_bracket_holds_together(self) -> None:
        bracket = brackets.of_division(self.division)
        for number, round_ in enumerate(bracket.rounds, start=1):
            here = [entry.pk for tie in round_ for entry in tie.entries]
            assert len(here) == len(set(here))
            for tie in round_:
                assert tie.winner is None or tie.winner in tie.entries
                assert tie.how != How.LEVEL or tie.winner is None
            # Who has a match in a drawn round stands in the bracket there.
            if number <= bracket.drawn:
                drawn = Appearance.objects.of_division(self.division).filter(round__number=number)
                assert set(drawn.values_list("entry_id", flat=True)) <= set(here)
        if bracket.is_over:
            places = sorted(bracket.places.values())
            assert places[:1] in ([1], [2])
            assert len(places) == len(bracket.seeds)


@pytest.mark.parametrize("season", [Swiss, Cup])
def test_whatever_happens_facts_hold_together(season: type[Season]) -> None:
    run_state_machine_as_test(
        season,
        settings=settings(
            max_examples=30 if IS_THOROUGH else 5,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
