"""Entering pairs before and after the draw."""

from collections import Counter
from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from django.db import IntegrityError, transaction

from league import formats
from league.draws.services import draws
from league.entries.services import entries, late_entries, withdrawals
from league.entries.services.late_entries import Way
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import Appearance, Competition, Entry, Fixture, Role, Round
from league.standings.services import standings, verification
from tests.league import factories
from tests.league.factories import BEFORE, DIRECTOR

pytestmark = pytest.mark.django_db

# With rounds from 7 September 2026 each week, rounds 1 and 2 are over.
AFTER_TWO = datetime(2026, 9, 21, 12, tzinfo=UTC)


def enter(competition, at=BEFORE, pair=None, **how):
    division = competition.stage.divisions.get(level=1)
    pair = pair or factories.pair(competition.club)
    return entries.enter(actor=DIRECTOR, division=division, lineup=pair, at=at, **how)


def matches_of(entry):
    return list(Fixture.objects.of_entry(entry.pk).order_by("round__number"))


def is_sound(competition):
    """Whether every fixture's two pairs, and nobody else, appear for it, and the tables follow."""
    standings.compute(competition_id=competition.pk, at=factories.NOW)
    return not list(verification.differences(competition=Competition.objects.get(pk=competition.pk)))


def test_before_the_draw_a_pair_gets_the_next_number():
    competition = factories.competition(factories.club(), 3)
    assert enter(competition).number == 4
    assert not Fixture.objects.exists()


def test_a_player_is_in_one_pair_of_a_competition_only():
    club = factories.club()
    competition = factories.competition(club, 3)
    taken = competition.entries.first().lineup.players[0]
    with pytest.raises(Conflict, match="only once in a competition"):
        enter(competition, pair=factories.pair(club, taken))
    elsewhere = factories.competition(club, 0)
    assert enter(elsewhere, pair=factories.pair(club, taken)).number == 1


def test_a_pair_enters_once():
    competition = factories.competition(factories.club(), 3)
    pair = competition.entries.first().lineup
    with pytest.raises(Conflict, match="already entered"):
        enter(competition, pair=pair)
    with pytest.raises(IntegrityError), transaction.atomic():
        factories.entry(competition.stage.divisions.get(), pair)


def test_a_pair_of_another_club_cannot_enter():
    with pytest.raises(Invalid, match="another club"):
        enter(factories.competition(factories.club(), 3), pair=factories.pair(factories.club()))


def test_a_late_pair_takes_the_byes_with_home_and_away_of_the_table():
    competition = factories.running(factories.club(), 5)
    late = enter(competition)
    assert [fixture.round.number for fixture in matches_of(late)] == [1, 2, 3, 4, 5]
    assert not Appearance.objects.filter(fixture__isnull=True).exists()
    reference = factories.running(factories.club(), 6)

    def numbers(of):
        return [
            (f.round.number, f.home.number, f.away.number, f.starts_at)
            for f in Fixture.objects.of_competition(of.pk).with_pairs()
        ]

    assert sorted(numbers(competition)) == sorted(numbers(reference))


def test_the_rounds_of_a_late_pair_are_named_without_another_question(django_assert_num_queries):
    division = factories.running(factories.club(), 5).stage.divisions.get()
    meetings = late_entries.plan(division, at=BEFORE).meetings
    with django_assert_num_queries(0):
        names = [each.round_name for each in meetings]
    assert names == [f"Round {number}" for number in range(1, 6)]


def test_late_in_a_double_round_robin_meets_everybody_home_and_away():
    competition = factories.running(factories.club(), 3, format=formats.DOUBLE)
    late = enter(competition)
    rows = [(f.home_id, f.away_id) for f in matches_of(late)]
    assert len(rows) == len(set(rows)) == 6
    assert competition.stage.rounds.count() == 6


def test_late_without_catching_up_misses_the_rounds_that_are_over():
    competition = factories.running(factories.club(), 5)
    late = enter(competition, at=AFTER_TWO)
    assert [fixture.round.number for fixture in matches_of(late)] == [3, 4, 5]
    assert late.first_round == 3
    assert Appearance.objects.filter(fixture__isnull=True, round__number__lt=3).count() == 2
    assert is_sound(competition)


def test_late_with_catching_up_gets_matches_to_be_arranged():
    competition = factories.running(factories.club(), 5)
    late = enter(competition, at=AFTER_TWO, way=Way(catch_up=True))
    fixtures = matches_of(late)
    assert [(f.round.number, f.status) for f in fixtures] == [
        (1, "postponed"),
        (2, "postponed"),
        (3, "scheduled"),
        (4, "scheduled"),
        (5, "scheduled"),
    ]
    assert [f.starts_at is None for f in fixtures] == [True, True, False, False, False]
    assert late.first_round == 1
    assert is_sound(competition)


def test_without_a_free_bye_rounds_are_added_one_match_each():
    competition = factories.running(factories.club(), 4)
    late = enter(competition)
    assert competition.stage.rounds.count() == 7
    assert [fixture.round.number for fixture in matches_of(late)] == [4, 5, 6, 7]
    assert late.first_round == 4
    homes = sum(fixture.home_id == late.pk for fixture in matches_of(late))
    assert homes == 2
    assert is_sound(competition)
    dates = [each.starts_on for each in competition.stage.rounds.all()]
    assert [(b - a).days for a, b in pairwise(dates)] == [7] * 6


def test_a_second_late_pair_uses_the_added_rounds():
    competition = factories.running(factories.club(), 4)
    first = enter(competition)
    second = enter(competition)
    assert competition.stage.rounds.count() <= 8
    opponents = {e for f in matches_of(second) for e in (f.home_id, f.away_id)} - {second.pk}
    assert opponents == {entry.pk for entry in competition.entries.all()} - {second.pk}
    assert first.pk in opponents
    assert is_sound(competition)


def test_rounds_added_after_the_season_lie_in_the_future():
    competition = factories.running(factories.club(), 4)
    enter(competition, at=factories.NOW)
    added = Round.objects.filter(number__gt=3)
    assert added.count() == 4
    assert all(each.starts_on > factories.NOW.date() for each in added)
    assert all(f.starts_at > factories.NOW for f in Fixture.objects.filter(round__in=added))


def test_a_smaller_division_uses_the_rounds_in_which_it_rests():
    club = factories.club()
    competition = factories.competition(club, pairs=8, divisions=2)
    small = competition.stage.divisions.get(level=2)
    small.entries.filter(number__gt=2).delete()
    draws.draw(actor=DIRECTOR, competition=competition)
    late = entries.enter(actor=DIRECTOR, division=small, lineup=factories.pair(club), at=BEFORE)
    assert [fixture.round.number for fixture in matches_of(late)] == [2, 3]
    assert competition.stage.rounds.count() == 7


def season_to_15_december():
    """Six pairs twice against each other, weekly from 13 October to 15 December 2026; pair 3 has withdrawn."""
    competition = factories.running(factories.club(), 6, format=formats.DOUBLE, starts_on=date(2026, 10, 13))
    left = competition.entries.get(number=3)
    withdrawals.withdraw(actor=DIRECTOR, entry=left, reason="Moved away", at=BEFORE)
    return competition, left


def season(competition):
    return competition.stage.rounds.count(), competition.stage.rounds.last().starts_on


@pytest.mark.parametrize(
    ("way", "rounds", "last_day"),
    [
        ("place", 10, date(2026, 12, 15)),
        ("free", 10, date(2026, 12, 15)),
        ("new", 20, date(2027, 2, 23)),
    ],
)
def test_what_a_replacement_means_for_the_end_of_the_season(way, rounds, last_day):
    competition, left = season_to_15_december()
    chosen = {"place": Way(replaces=left), "free": Way(), "new": Way(new_rounds=True)}[way]
    pair = factories.pair(competition.club)
    shown = entries.preview(
        division=competition.stage.divisions.get(), lineup=pair, at=BEFORE, way=chosen
    ).late
    assert (shown.rounds_before, shown.ends_before) == (10, date(2026, 12, 15))
    assert (shown.rounds_after, shown.ends_after) == (rounds, last_day)
    late = enter(competition, pair=pair, way=chosen)
    assert season(competition) == (rounds, last_day)
    opponents = [f.away_id if f.home_id == late.pk else f.home_id for f in matches_of(late)]
    others = competition.entries.filter(withdrawn_at=None).exclude(pk=late.pk)
    assert Counter(opponents) == dict.fromkeys((each.pk for each in others), 2)
    assert is_sound(competition)


def test_a_replacement_takes_over_rounds_opponents_and_home():
    competition, left = season_to_15_december()
    late = enter(competition, way=Way(replaces=left))

    def as_played(entry):
        return [
            (f.round.number, f.home_id == entry.pk, f.away_id if f.home_id == entry.pk else f.home_id)
            for f in matches_of(entry)
        ]

    assert as_played(late) == as_played(left)


def test_what_the_pair_before_had_played_is_not_played_again_unless_it_is_to_be_caught_up():
    def replaced(**how):
        competition = factories.running(factories.club(), 6)
        left = competition.entries.get(number=3)
        played = matches_of(left)[0]
        factories.result(played, 60, 40)
        withdrawals.withdraw(actor=DIRECTOR, entry=left, reason="Moved away", at=AFTER_TWO)
        late = enter(competition, at=AFTER_TWO, way=Way(replaces=left, **how))
        assert is_sound(competition)
        return competition, late

    competition, late = replaced()
    assert season(competition) == (5, date(2026, 10, 5))
    assert [f.round.number for f in matches_of(late)] == [3, 4, 5]
    competition, late = replaced(catch_up=True)
    # The opponent of round 1 played then, and is never free again; that of round 2 is caught up.
    assert [(f.round.number, f.status) for f in matches_of(late)] == [
        (2, "postponed"),
        (3, "scheduled"),
        (4, "scheduled"),
        (5, "scheduled"),
        (6, "scheduled"),
    ]


def test_a_place_is_taken_once_and_only_of_a_pair_that_left():
    competition, left = season_to_15_december()
    still_there = competition.entries.get(number=1)
    with pytest.raises(Conflict, match="left no matches to take over"):
        enter(competition, way=Way(replaces=still_there))
    enter(competition, way=Way(replaces=left))
    with pytest.raises(Conflict, match="left no matches to take over"):
        enter(competition, way=Way(replaces=left))


def test_a_pair_comes_back_although_its_place_is_taken():
    competition, left = season_to_15_december()
    late = enter(competition, way=Way(replaces=left))
    withdrawals.reinstate(actor=DIRECTOR, entry=left, reason="Stays after all", at=BEFORE)
    live = Fixture.objects.of_entry(left.pk).exclude(status="void")
    assert live.count() == 10
    assert not live.filter(round__number__lte=10).exists()
    assert Fixture.objects.of_entry(late.pk).exclude(status="void").count() == 10
    assert is_sound(competition)


def test_a_void_match_whose_round_is_taken_is_not_put_back():
    competition, left = season_to_15_december()
    void = matches_of(left)[0]
    late = enter(competition, way=Way(replaces=left))
    with pytest.raises(Conflict, match=r"play another match \(Round 1\)"):
        fixtures.restore(actor=DIRECTOR, fixture=void, reason="Played after all")
    taken = matches_of(late)[0]
    fixtures.void(actor=DIRECTOR, fixture=taken, reason="Snow")
    fixtures.restore(actor=DIRECTOR, fixture=void, reason="Played after all")
    with pytest.raises(Conflict, match=r"play another match \(Round 1\)"):
        fixtures.restore(actor=DIRECTOR, fixture=taken, reason="No snow")
    assert is_sound(competition)


def test_a_late_pair_does_not_meet_pairs_that_have_withdrawn():
    competition = factories.running(factories.club(), 5)
    gone = competition.entries.get(number=2)
    Entry.objects.filter(pk=gone.pk).update(withdrawn_at=BEFORE)
    late = enter(competition)
    assert len(matches_of(late)) == 4
    assert not Fixture.objects.of_entry(late.pk).of_entry(gone.pk).exists()


def test_the_preview_is_what_happens():
    competition = factories.running(factories.club(), 5)
    pair = factories.pair(competition.club)
    division = competition.stage.divisions.get()
    shown = entries.preview(division=division, lineup=pair, at=AFTER_TWO)
    assert not Entry.objects.filter(lineup=pair).exists()
    late = enter(competition, at=AFTER_TWO, pair=pair)
    assert [(m.round_number, m.opponent.pk, m.is_home) for m in shown.late.meetings] == [
        (f.round.number, f.away_id if f.home_id == late.pk else f.home_id, f.home_id == late.pk)
        for f in matches_of(late)
    ]
    assert [m.round_number for m in shown.late.missed] == [1, 2]
    assert shown.late.takes_the_bye


def test_a_late_entry_makes_the_tables_anew():
    competition = factories.running(factories.club(), 5)
    before = Competition.objects.get(pk=competition.pk).results_version
    late = enter(competition)
    assert Competition.objects.get(pk=competition.pk).results_version > before
    standings.compute(competition_id=competition.pk, at=factories.NOW)
    table = competition.stage.divisions.get().tables.get(after_round=0)
    assert late.pk in [row["entry"] for row in table.content["rows"]]


def test_a_pair_is_taken_out_or_moved_before_the_draw_only():
    competition = factories.competition(factories.club(), 3, divisions=2)
    top, second = competition.stage.divisions.order_by("level")
    moved = top.entries.first()
    entries.arrange(actor=DIRECTOR, competition=competition, places={moved.pk: (second.pk, 1)})
    moved.refresh_from_db()
    assert (moved.division, moved.number) == (second, 1)
    entries.remove(actor=DIRECTOR, entry=second.entries.get(number=1))
    assert second.entries.count() == 3
    draws.draw(actor=DIRECTOR, competition=competition)
    with pytest.raises(Conflict, match="drawn"):
        entries.remove(actor=DIRECTOR, entry=second.entries.first())
    with pytest.raises(Conflict, match="drawn"):
        entries.arrange(actor=DIRECTOR, competition=competition, places={moved.pk: (top.pk, 1)})


def test_seeds_given_twice_are_made_1_to_n_and_nobody_loses_a_place():
    competition = factories.competition(factories.club(), 4)
    division = competition.stage.divisions.get()
    rows = list(division.entries.order_by("number"))
    wanted = dict(zip(rows, (2, 1, 1, 2), strict=True))
    entries.arrange(
        actor=DIRECTOR,
        competition=competition,
        places={row.pk: (division.pk, number) for row, number in wanted.items()},
    )
    # Of those with one number, who stood before stays before.
    assert list(division.entries.order_by("number").values_list("pk", "number")) == [
        (rows[place].pk, number) for number, place in enumerate((1, 2, 0, 3), start=1)
    ]


def test_only_directors_enter_pairs():
    club = factories.club()
    competition = factories.competition(club, 3)
    with pytest.raises(NotAllowed):
        entries.enter(
            actor=factories.member(club, Role.SCORER),
            division=competition.stage.divisions.get(),
            lineup=factories.pair(club),
            at=BEFORE,
        )
    assert competition.entries.count() == 3
