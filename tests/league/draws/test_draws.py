"""Drawing rounds: the Berger tables with dates, byes and constraints."""

from collections import Counter
from datetime import UTC, date, datetime, time

import pytest
from django.db import IntegrityError, transaction

from league import formats
from league.competitions.services import competitions
from league.draws.services import draws, lots
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import Appearance, AuditEntry, Competition, Fixture, Role, Round
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db


def drawn(pairs=4, divisions=1, **fields):
    return draws.draw(
        actor=DIRECTOR, competition=factories.competition(factories.club(), pairs, divisions, **fields)
    )


def meetings(competition):
    """How often each two entries meet, whoever is at home."""
    rows = factories.pairings(Fixture.objects.of_competition(competition.pk))
    return Counter(frozenset(row) for row in rows)


@pytest.mark.parametrize("pairs", [2, 3, 6, 7])
def test_everybody_meets_everybody_once(pairs):
    competition = drawn(pairs)
    assert set(meetings(competition).values()) == {1}
    assert len(meetings(competition)) == pairs * (pairs - 1) // 2


def test_double_round_robin_meets_once_at_home_and_once_away():
    competition = drawn(5, format=formats.DOUBLE)
    rows = factories.pairings(Fixture.objects.of_competition(competition.pk))
    assert len(rows) == len(set(rows)) == 20
    assert competition.stage.rounds.count() == 10


def test_rounds_follow_the_berger_table():
    competition = drawn(4)
    by_round = [
        [(f.home.number, f.away.number) for f in each.fixtures.order_by("pk")]
        for each in competition.stage.rounds.all()
    ]
    assert by_round == [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]


def test_odd_numbers_have_one_bye_a_round_and_a_pair():
    competition = drawn(5)
    byes = Appearance.objects.filter(round__stage__competition=competition, fixture__isnull=True)
    assert Counter(byes.values_list("round__number", flat=True)) == dict.fromkeys(range(1, 6), 1)
    assert len(set(byes.values_list("entry_id", flat=True))) == 5


def test_every_pair_appears_once_in_every_round_of_its_division():
    competition = drawn(5, divisions=2)
    counts = Counter(
        Appearance.objects.filter(round__stage__competition=competition).values_list("round_id", "entry_id")
    )
    assert set(counts.values()) == {1}
    assert len(counts) == 5 * 10


def test_a_smaller_division_ends_earlier():
    club = factories.club()
    competition = factories.competition(club, pairs=6, divisions=2)
    small = competition.stage.divisions.get(level=2)
    small.entries.filter(number__gt=3).delete()
    draws.draw(actor=DIRECTOR, competition=competition)
    assert competition.stage.rounds.count() == 5
    assert Fixture.objects.filter(division=small, round__number__gt=3).count() == 0
    assert Appearance.objects.filter(entry__division=small, round__number__gt=3).count() == 0


def test_matches_begin_at_the_same_clock_across_the_change_to_winter_time():
    competition = drawn(6, starts_on=date(2026, 10, 12))
    begins = [each.fixtures.first().starts_at.astimezone(UTC) for each in competition.stage.rounds.all()]
    # Clocks in London go back on 25 October 2026: 19:30 is 18:30 UTC before and 19:30 UTC after.
    assert begins[:3] == [
        datetime(2026, 10, 12, 18, 30, tzinfo=UTC),
        datetime(2026, 10, 19, 18, 30, tzinfo=UTC),
        datetime(2026, 10, 26, 19, 30, tzinfo=UTC),
    ]


def test_a_round_closes_at_the_end_of_the_last_day_before_the_next_in_the_clubs_zone():
    competition = factories.competition(
        factories.club(time_zone="America/New_York"), 4, starts_on=date(2027, 3, 8), play_time=time(20)
    )
    draws.draw(actor=DIRECTOR, competition=competition)
    closes = [each.closes_at.astimezone(UTC) for each in competition.stage.rounds.all()]
    # Clocks in New York go forward on 14 March 2027.
    assert closes[0] == datetime(2027, 3, 15, 3, 59, 59, tzinfo=UTC)
    assert competition.stage.rounds.first().fixtures.first().starts_at == datetime(2027, 3, 9, 1, tzinfo=UTC)
    assert closes[1] == datetime(2027, 3, 22, 3, 59, 59, tzinfo=UTC)


def test_the_preview_is_what_is_drawn_and_writes_nothing():
    competition = factories.competition(factories.club(), 5)
    before = draws.preview(competition)
    assert not Round.objects.exists()
    draws.draw(actor=DIRECTOR, competition=competition)
    planned = [
        (each.dates.number, *(entry.pk for entry in match.entries), each.dates.plays_at)
        for each in before.rounds
        for part in each.divisions
        for match in part.matches
    ]
    written = Fixture.objects.order_by("pk").with_pairs()
    assert planned == [
        (each.round.number, *(side.entry_id for side in each.sides), each.starts_at) for each in written
    ]
    assert (before.matches, before.byes) == (10, 5)


def test_a_draw_by_lot_follows_from_its_recorded_seed():
    competition = factories.competition(factories.club(), 8)
    keys = list(competition.entries.values_list("pk", flat=True))
    competition = draws.draw(actor=DIRECTOR, competition=competition, order=draws.BY_LOT)
    drawn_order = list(competition.entries.order_by("number").values_list("pk", flat=True))
    assert drawn_order == lots.order_of(keys, seed=competition.stage.draw_seed)
    entry = AuditEntry.objects.get(action="competition.drawn", competition=competition)
    assert entry.after["seed"] == competition.stage.draw_seed
    again = draws.draw(
        actor=DIRECTOR, competition=competition, order=draws.BY_LOT, seed=competition.stage.draw_seed
    )
    assert list(again.entries.order_by("number").values_list("pk", flat=True)) == drawn_order


def test_a_draw_can_be_repeated_until_a_match_begins():
    competition = drawn(4)
    fixture = Fixture.objects.first()
    fixtures.postpone(actor=DIRECTOR, fixture=fixture, reason="Snow")
    draws.draw(actor=DIRECTOR, competition=competition)
    assert Fixture.objects.count() == 6
    assert not Fixture.objects.filter(pk=fixture.pk).exists()
    fixtures.begin(actor=DIRECTOR, fixture=Fixture.objects.first())
    assert not draws.may_be_redrawn(competition)
    with pytest.raises(Conflict, match="begun"):
        draws.draw(actor=DIRECTOR, competition=competition)
    assert Fixture.objects.count() == 6


def test_a_published_draw_cannot_be_taken_back():
    competition = factories.running(factories.club(), 4)
    with pytest.raises(Conflict, match="published"):
        draws.take_back(actor=DIRECTOR, competition=competition)


def test_a_draft_draw_can_be_taken_back():
    competition = drawn(4)
    draws.take_back(actor=DIRECTOR, competition=competition)
    assert not Round.objects.exists()
    assert not Fixture.objects.exists()


def test_a_division_with_one_pair_cannot_be_drawn_and_nothing_is_written():
    competition = factories.competition(factories.club(), 1)
    with pytest.raises(Invalid, match="1 pair;"):
        draws.draw(actor=DIRECTOR, competition=competition)
    assert not Round.objects.exists()
    assert competition.entries.get().number == 1


def test_withdrawn_pairs_are_not_drawn():
    competition = factories.competition(factories.club(), 5)
    gone = competition.entries.get(number=2)
    gone.withdrawn_at = factories.NOW
    gone.save()
    draws.draw(actor=DIRECTOR, competition=competition)
    assert not Fixture.objects.of_entry(gone.pk).exists()
    assert sorted(competition.entries.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert len(meetings(competition)) == 6


@pytest.mark.parametrize("role", [Role.MEMBER, Role.SCORER, None])
def test_only_directors_draw(role):
    club = factories.club()
    competition = factories.competition(club)
    actor = factories.member(club, role) if role else factories.user()
    with pytest.raises(NotAllowed):
        draws.draw(actor=actor, competition=competition)


def test_the_database_refuses_a_pair_twice_in_a_round():
    competition = drawn(4)
    there = Appearance.objects.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Appearance.objects.create(round=there.round, entry=there.entry, outcome="bye")
    assert competition.stage.rounds.count() == 3


def test_publishing_needs_a_draw():
    competition = factories.competition(factories.club())
    with pytest.raises(Conflict, match="Draw the rounds"):
        competitions.publish(actor=DIRECTOR, competition=competition)
    draws.draw(actor=DIRECTOR, competition=competition)
    published = competitions.publish(actor=DIRECTOR, competition=competition)
    assert published.state == Competition.State.RUNNING
