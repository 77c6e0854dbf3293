"""Entering a thousand pairs asks as often as entering one, and refuses each as it would be refused alone."""

from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.draws.services import draws
from league.entries.services import entries, typed_entries, withdrawals
from league.errors import Conflict, Invalid
from league.models import AuditEntry, Competition, DraftChange, Entry, Fixture
from league.people.services import merging
from tests.league import factories
from tests.league.factories import BEFORE, DIRECTOR

pytestmark = pytest.mark.django_db


def enter_all(competition, pairs):
    division = competition.stage.divisions.get(level=1)
    return entries.enter_all(actor=DIRECTOR, division=division, lineups=pairs, at=BEFORE)


def queries_of(act):
    with CaptureQueriesContext(connection) as found:
        act()
    return len(found)


def test_the_number_of_queries_does_not_grow_with_the_entries():
    club = factories.club()
    asked, drawn = {}, {}
    for size in (20, 60):
        competition = factories.competition(club, 2, format="knockout")
        pairs = [factories.pair(club) for _each in range(size)]
        asked[size] = queries_of(lambda: enter_all(competition, pairs))  # noqa: B023 - called at once
        assert competition.entries.count() == size + 2
        drawn[size] = queries_of(lambda: draws.draw(actor=DIRECTOR, competition=competition))  # noqa: B023
    assert asked[60] == asked[20] < 30
    assert drawn[60] - drawn[20] < 40 / 4, "nor with those who are drawn"


def test_typed_pairs_are_made_in_as_many_queries_however_many_they_are():
    club = factories.club()

    def make(size):
        text = "\n".join(f"Anna{size} Berg{each} & Carl{size} Dorn{each}" for each in range(size))
        made = typed_entries.make(actor=DIRECTOR, club=club, text=text, name="Cup")
        assert len(made) == size

    assert queries_of(lambda: make(60)) - queries_of(lambda: make(20)) < 40 / 4


def test_they_have_the_next_numbers_in_their_order_and_a_line_each_in_the_trail():
    competition = factories.competition(factories.club(), 3)
    pairs = [factories.pair(competition.club) for _each in range(5)][::-1]
    made = enter_all(competition, pairs)
    assert [(each.lineup, each.number) for each in made] == list(zip(pairs, range(4, 9), strict=True))
    assert all(each.entered_at for each in made)
    lines = list(AuditEntry.objects.filter(action="entry.added").order_by("pk"))
    assert [each.told for each in lines] == [f"{pair} entered in {made[0].division}" for pair in pairs]
    assert [each.after for each in lines] == [entries.facts(each) for each in made]
    assert DraftChange.objects.filter(competition=competition).get().summary == "5 pairs entered"


def test_each_is_refused_as_alone_and_nothing_is_written():
    club = factories.club()
    competition = factories.competition(club, 3)
    there = competition.entries.with_pairs()[0].lineup
    gone = competition.entries.with_pairs()[1]
    withdrawals.withdraw(actor=DIRECTOR, entry=gone, at=BEFORE, reason="Moved away")
    one = factories.pair(club)
    keep, duplicate = factories.player(club, "Olga Ott"), factories.player(club, "Olga Otto")
    other = factories.player(club)
    stays, merged = factories.pair(club, keep, other), factories.pair(club, duplicate, other)
    merging.merge(actor=DIRECTOR, keep=keep, duplicate=duplicate)
    merged.refresh_from_db()
    assert merged.merged_into == stays
    wanted = {
        one: "",
        factories.pair(club, there.players[0]): f"{there.players[0]} is already entered in {there}.",
        there: f"{there}: already entered.",
        gone.lineup: "withdrew. Undo the withdrawal",
        factories.pair(factories.club()): "on the list of another club",
        merged: "merged with a duplicate",
        factories.alone(club): "Here 2 play together",
        factories.pair(club, one.players[1]): f"{one.players[1]} is already entered in {one}.",
        factories.pair(club): "",
    }
    before = Entry.objects.count(), AuditEntry.objects.count(), DraftChange.objects.count()
    with pytest.raises(Invalid) as refused:
        enter_all(competition, list(wanted))
    faults = [each["message"] for each in refused.value.details]
    reasons = [(pair, reason) for pair, reason in wanted.items() if reason]
    assert len(faults) == len(reasons)
    for said, (pair, reason) in zip(faults, reasons, strict=True):
        assert said.startswith(f"{pair}: ")
        assert reason in said
    assert before == (Entry.objects.count(), AuditEntry.objects.count(), DraftChange.objects.count())


def test_twice_in_one_list_is_refused():
    competition = factories.competition(factories.club(), 3)
    pair = factories.pair(competition.club)
    with pytest.raises(Invalid, match="already entered"):
        enter_all(competition, [pair, pair])
    assert competition.entries.count() == 3


def test_what_only_the_database_sees_is_refused_plainly():
    """Somebody entered the pair past the lock: the constraint holds."""
    competition = factories.competition(factories.club(), 3)
    there, pair = competition.entries.with_pairs()[0].lineup, factories.pair(competition.club)
    with (
        patch.object(entries.TakingPart, "check"),
        pytest.raises(Conflict, match="Something has changed"),
    ):
        enter_all(competition, [pair, there])
    assert competition.entries.count() == 3
    assert not AuditEntry.objects.filter(action="entry.added").exists()


def test_after_the_draw_each_late_pair_meets_those_before_it():
    competition = factories.running(factories.club(), 3)
    made = enter_all(competition, [factories.pair(competition.club) for _each in range(2)])
    assert Fixture.objects.of_entry(made[0].pk).of_entry(made[1].pk).count() == 1
    with pytest.raises(Invalid, match="already entered"):
        enter_all(competition, [factories.pair(competition.club), made[0].lineup])
    assert Competition.objects.get(pk=competition.pk).entries.count() == 5


def test_a_pair_that_is_gone_refuses_them_all():
    """An import may be undone while somebody enters what it brought."""
    competition = factories.competition(factories.club(), 2)
    pairs = [factories.pair(competition.club) for _each in range(3)]
    type(pairs[1]).objects.get(pk=pairs[1].pk).delete()
    with pytest.raises(Conflict, match=r"changed since"):
        enter_all(competition, pairs)
    assert competition.entries.count() == 2
