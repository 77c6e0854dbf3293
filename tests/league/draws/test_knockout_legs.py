"""Ties of several legs, the match for place 3, and a correction that turns a tie around (F43, F44, F46, F48, F49)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws, rounds, ties
from league.entries.services import entries, withdrawals
from league.errors import Conflict, Invalid
from league.fixtures.services import advancement, fixtures
from league.models import Competition, Fixture
from league.results.queries import bracket as shown
from league.standings import brackets
from league.standings.brackets import How
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def cup(scene, pairs, **terms):
    dora, at = scene.users["dora"], timezone.now()
    first = timezone.localdate() + timedelta(days=1)
    data = Setup(name=f"Cup of {pairs}", starts_on=first, format="knockout", terms=terms)
    competition = competitions.set_up(actor=dora, club=scene.club, data=data)
    division = competition.stage.divisions.get()
    for _each in range(pairs):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    draws.draw(actor=dora, competition=competition)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=competition.pk))
    return Competition.objects.get(pk=competition.pk), division


def draw_next(scene, division):
    following = rounds.next_round(division)
    seen = ties.propose(division=division, round_=following).digest
    at = timezone.now()
    rounds.publish(actor=scene.users["dora"], division=division, number=following.number, at=at, seen=seen)
    return following.number


def legs(division, number):
    """The matches of a round of the competition by home and away numbers, in order."""
    found = Fixture.objects.filter(division=division, round__number=number).with_pairs()
    return sorted(found.exclude(status="void"), key=lambda each: (int(each.table or 0), each.pk))


def met(division, number):
    return [(each.home.number, each.away.number) for each in legs(division, number)]


def play(division, number, **points):
    """Each match of the round with the points of seeds, as s1=60; others make 50."""
    for each in legs(division, number):
        scores = [points.get(f"s{entry.number}", 50) for entry in each.entries]
        factories.decided(each, scores=scores)


def entry(division, number):
    return division.entries.get(number=number)


def places(division):
    rows = {row.entry: row.place for row in compute_table(read_facts(division)).rows}
    return [rows[each.pk] for each in division.entries.order_by("number")]


def test_f43_home_changes_from_leg_to_leg_and_each_leg_is_a_round_for_all_ties(scene):
    competition, division = cup(scene, 4, legs=3)
    assert competition.stage.rounds.count() == 2 * 3
    assert met(division, 1) == [(1, 4), (2, 3)]
    # The second leg is needed whatever comes of the first.
    assert draw_next(scene, division) == 2
    assert met(division, 2) == [(4, 1), (3, 2)]
    play(division, 1, s1=60, s2=60)
    # The third is not, and waits for the results.
    with pytest.raises(Conflict, match="not decided yet"):
        draw_next(scene, division)
    play(division, 2, s1=60, s3=70)
    assert draw_next(scene, division) == 3
    assert met(division, 3) == [(2, 3)]


def test_f44_the_best_of_three_ends_early_and_the_next_round_follows(scene):
    competition, division = cup(scene, 4, legs=3)
    draw_next(scene, division)
    play(division, 1, s1=60, s2=60)
    play(division, 2, s1=60, s2=60)
    assert draw_next(scene, division) == 4
    assert not legs(division, 3)
    assert met(division, 4) == [(1, 2)]
    draw_next(scene, division)
    play(division, 4, s1=60)
    play(division, 5, s1=60)
    assert rounds.next_round(division) is None
    assert brackets.of_division(division).champion.number == 1
    assert places(division) == [1, 2, 3, 3]
    competitions.finish(actor=scene.users["dora"], competition=competition)


def test_f44_drawn_legs_count_half_and_the_sum_decides_level_legs(scene):
    _competition, division = cup(scene, 2, legs=3)
    draw_next(scene, division)
    play(division, 1, s1=80)
    play(division, 2, s2=55)
    draw_next(scene, division)
    play(division, 3)
    final = brackets.of_division(division).rounds[0][0]
    assert (final.how, final.winner.number) == (How.PLAYED, 1)


@pytest.mark.parametrize("legs_", [2, 3])
def test_f44_the_points_of_all_legs_decide(scene, legs_):
    _competition, division = cup(scene, 2, legs=legs_, aggregate=legs_ == 3)
    for number in range(1, legs_ + 1):
        if number > 1:
            # All legs are played, so none waits for the one before.
            draw_next(scene, division)
    play(division, 1, s2=90)
    for number in range(2, legs_ + 1):
        play(division, number, s1=60)
    assert brackets.of_division(division).champion.number == 2
    assert places(division) == [2, 1]


def test_f45_a_level_tie_has_extra_boards_of_all_its_legs(scene):
    competition, division = cup(scene, 2, legs=2)
    draw_next(scene, division)
    play(division, 1, s1=60)
    play(division, 2, s2=60)
    tie = brackets.of_division(division).rounds[0][0]
    assert tie.how == How.LEVEL
    deals = brackets.extension.layer().games[competition.game].deals_in_match(competition.rules)
    assert brackets.extra_boards(tie.fixture, None) == max(2, -(-2 * deals // 8))
    # Home is who was at home in the last leg, whichever match the director opens.
    first = legs(division, 1)[0]
    ties.play_extra(actor=scene.users["dora"], fixture=first, scores=(28, 41), at=timezone.now())
    assert brackets.of_division(division).champion.number == 1
    page = Client().get(reverse("competition", args=[scene.club.slug, competition.slug])).text
    assert "extra boards 28–41" in page
    assert "60 50" in page
    assert "Leg 2" in page


def test_f45_a_match_reads_what_its_tie_plays_now_without_the_bracket(scene, django_assert_max_num_queries):
    _competition, division = cup(scene, 8, legs=2)
    draw_next(scene, division)
    play(division, 1, s1=60)
    play(division, 2, s1=60, s2=60)
    matches = [*legs(division, 1), *legs(division, 2)]
    ties_ = [tie for ties in brackets.of_division(division).rounds for tie in ties]
    expected = {leg.pk: brackets.next_extra([tie]).get(tie.fixture.pk) for tie in ties_ for leg in tie.legs}
    # The legs with their sides take four, the reserve boards of a level tie one; the bracket takes six.
    with django_assert_max_num_queries(len(matches) * 4 + 4):
        found = {match.pk: brackets.next_extra_of(match) for match in matches}
    assert found == expected
    assert sum(each is not None for each in found.values()) == 4


def test_f46_who_withdraws_between_two_legs_loses_the_tie(scene):
    _competition, division = cup(scene, 4, legs=3)
    play(division, 1, s1=60, s2=60)
    withdrawals.withdraw(actor=scene.users["dora"], entry=entry(division, 1), reason="ill", at=timezone.now())
    tie = brackets.of_division(division).rounds[0][0]
    assert (tie.how, tie.winner.number) == (How.WALKOVER, 4)
    assert draw_next(scene, division) == 2
    assert met(division, 2) == [(3, 2)]


def test_f46_a_leg_given_away_is_the_tie(scene):
    _competition, division = cup(scene, 2, legs=3)
    draw_next(scene, division)
    play(division, 1, s1=60)
    second = legs(division, 2)[0]
    dora = scene.users["dora"]
    fixtures.award_walkover(actor=dora, fixture=second, losing=[entry(division, 1)], reason="Nobody came")
    assert brackets.of_division(division).champion.number == 2


@pytest.mark.parametrize("pairs", [4, 5, 8])
def test_f48_the_losers_of_the_semi_finals_play_for_place_3(scene, pairs):
    competition, division = cup(scene, pairs, third_place=True)
    while (following := rounds.next_round(division)) is not None:
        for each in legs(division, following.number - 1):
            better = each.home.number < each.away.number
            factories.decided(each, scores=(60, 40) if better else (40, 60))
        draw_next(scene, division)
    last = competition.stage.rounds.count()
    assert met(division, last) == [(1, 2), (4, 3)]
    play(division, last, s1=60)
    with pytest.raises(Conflict, match="not decided who goes on"):
        competitions.finish(actor=scene.users["dora"], competition=competition)
    third = legs(division, last)[1]
    ties.rule(
        actor=scene.users["dora"], fixture=third, winner=entry(division, 4), reason="Lot", at=timezone.now()
    )
    assert places(division)[:4] == [1, 2, 4, 3]
    competitions.finish(actor=scene.users["dora"], competition=competition)
    page = Client().get(reverse("competition", args=[scene.club.slug, competition.slug])).text
    assert "Match for place 3" in page


def test_f48_a_cup_of_three_has_no_match_for_place_3(scene):
    _competition, division = cup(scene, 3, third_place=True)
    play(division, 1, s2=60)
    draw_next(scene, division)
    play(division, 2, s1=60)
    assert places(division) == [1, 2, 3]


def test_f48_before_the_semi_finals_are_played_the_page_says_who_will_meet(scene):
    competition, _division = cup(scene, 4, third_place=True)
    (division,) = shown.of_competition(competition, scene.users["dora"])
    assert [side.words for side in division.rounds[1].ties[1].sides] == [
        "loser of match 1",
        "loser of match 2",
    ]


# F49: a correction that turns a tie around


def semi_finals_played(scene, **terms):
    competition, division = cup(scene, 4, **terms)
    play(division, 1, s1=60, s2=60)
    draw_next(scene, division)
    return competition, division, legs(division, 1)[0]


def ask(scene, fixture, winner, **more):
    client = Client()
    client.force_login(scene.users["dora"])
    sent = {"part": "rule", "winner": str(winner.pk), "reason": "A sum was wrong", **more}
    return client.post(reverse("tie", args=[fixture.pk]), sent)


def test_f49_the_director_sees_what_changes_before_it_is_written(scene):
    _competition, division, first = semi_finals_played(scene)
    page = ask(scene, first, entry(division, 4))
    assert "What this changes in the next round" in page.text
    assert "New match:" in page.text
    assert met(division, 2) == [(1, 2)]
    assert not hasattr(first, "tie_decision")
    assert ask(scene, first, entry(division, 4), sure="1").status_code == 302
    assert met(division, 2) == [(4, 2)]


def test_f49_programs_see_what_changes_before_it_is_written(scene):
    _competition, division, first = semi_finals_played(scene)
    client = Client()
    client.force_login(scene.users["dora"])
    address = f"/api/v1/fixtures/{first.pk}/who-goes-on/"
    loser, final = entry(division, 4), legs(division, 2)[0]
    seen = client.get(address, {"winner": loser.pk}).json()
    assert seen == {
        "winner": loser.pk, "too_late": False, "gone": [final.pk], "begun": [], "played": [],
        "meetings": [{"number": 1, "entries": [loser.pk, entry(division, 2).pk]}],
    }  # fmt: skip
    assert met(division, 2) == [(1, 2)]
    as_it_is = client.get(address, {"winner": entry(division, 1).pk}).json()
    assert (as_it_is["gone"], as_it_is["meetings"]) == ([], [])
    assert client.get(address, {"winner": "x"}).status_code == 422
    client.force_login(scene.users["anna"])
    assert client.get(address, {"winner": loser.pk}).status_code == 403


def test_f49_the_third_place_changes_with_the_final(scene):
    _competition, division, first = semi_finals_played(scene, third_place=True)
    assert met(division, 2) == [(1, 2), (4, 3)]
    ask(scene, first, entry(division, 4), sure="1")
    assert met(division, 2) == [(4, 2), (1, 3)]


def test_f49_every_leg_that_is_drawn_changes(scene):
    _competition, division = cup(scene, 4, legs=2)
    draw_next(scene, division)
    for number in (1, 2):
        play(division, number, s1=60, s2=60)
    draw_next(scene, division)
    draw_next(scene, division)
    assert [met(division, number) for number in (3, 4)] == [[(1, 2)], [(2, 1)]]
    ask(scene, legs(division, 1)[0], entry(division, 4), sure="1")
    assert [met(division, number) for number in (3, 4)] == [[(4, 2)], [(2, 4)]]


def test_f49_a_match_that_has_begun_stands_or_is_void(scene):
    _competition, division, first = semi_finals_played(scene)
    final = legs(division, 2)[0]
    fixtures.begin(actor=scene.users["dora"], fixture=final)
    page = ask(scene, first, entry(division, 4))
    assert "You can let it stand, or it becomes void." in page.text
    assert "Let it stand" in ask(scene, first, entry(division, 4), sure="1").text
    assert met(division, 2) == [(1, 2)]
    ask(scene, first, entry(division, 4), sure="1", void_later="1")
    assert met(division, 2) == [(4, 2)]
    final.refresh_from_db()
    assert final.status == Fixture.Status.VOID


def test_f49_after_two_more_rounds_it_can_only_stand(scene):
    _competition, division = cup(scene, 8)
    play(division, 1, s1=60, s2=60, s3=60, s4=60)
    draw_next(scene, division)
    play(division, 2, s1=60, s2=60)
    draw_next(scene, division)
    first = legs(division, 1)[0]
    assert "everything has to stand" in ask(scene, first, entry(division, 8)).text
    with pytest.raises(Conflict, match="only stand"):
        ties.rule(
            actor=scene.users["dora"],
            fixture=first,
            winner=entry(division, 8),
            reason="A sum was wrong",
            at=timezone.now(),
            void_later=True,
        )
    # Who goes on already may be confirmed.
    ties.rule(
        actor=scene.users["dora"],
        fixture=first,
        winner=entry(division, 1),
        reason="So it is",
        at=timezone.now(),
    )


def test_f49_who_goes_on_already_is_confirmed_without_a_change(scene):
    """Although the match of the next round has moved to another place meanwhile, and has begun."""
    _competition, division, first = semi_finals_played(scene)
    final = legs(division, 2)[0]
    fixtures.begin(actor=scene.users["dora"], fixture=final)
    assert advancement.foreseen(fixture=first, winner=entry(division, 1)) == advancement.Change()
    ties.rule(
        actor=scene.users["dora"], fixture=first, winner=entry(division, 1), reason="Yes", at=timezone.now()
    )
    final.refresh_from_db()
    assert final.status == Fixture.Status.IN_PLAY


def test_f49_a_result_is_taken_back_before_its_match_is_void(scene):
    _competition, division, first = semi_finals_played(scene)
    play(division, 2, s1=60)
    dora, at = scene.users["dora"], timezone.now()
    ruling = {"actor": dora, "winner": entry(division, 4), "reason": "A sum was wrong", "at": at}
    with pytest.raises(Conflict, match="has a result"):
        ties.rule(fixture=first, void_later=True, **ruling)
    page = ask(scene, first, entry(division, 4)).text
    assert "take the result back first" in page
    assert "void_later" not in page
    assert met(division, 2) == [(1, 2)]
    fixtures.reopen(actor=dora, fixture=legs(division, 2)[0], reason="A sum was wrong")
    ties.rule(fixture=first, void_later=True, **ruling)
    assert met(division, 2) == [(4, 2)]


def test_f49_each_new_match_begins_when_the_one_in_its_place_did(scene):
    _competition, division, first = semi_finals_played(scene, third_place=True)
    times = {
        each.table: timezone.now() + timedelta(days=2, hours=int(each.table)) for each in legs(division, 2)
    }
    for table, starts_at in times.items():
        Fixture.objects.filter(division=division, round__number=2, table=table).update(starts_at=starts_at)
    ask(scene, first, entry(division, 4), sure="1")
    assert {each.table: each.starts_at for each in legs(division, 2)} == times


def test_f44_a_leg_that_is_void_when_all_is_decided_changes_nothing(scene):
    _competition, division = cup(scene, 2, legs=3)
    draw_next(scene, division)
    play(division, 1, s1=60)
    play(division, 2)
    draw_next(scene, division)
    fixtures.void(actor=scene.users["dora"], fixture=legs(division, 3)[0], reason="No time")
    assert brackets.of_division(division).rounds[0][0].how == How.VOID
    fixtures.reopen(actor=scene.users["dora"], fixture=legs(division, 2)[0], reason="A sum was wrong")
    play(division, 2, s1=60)
    assert brackets.of_division(division).champion.number == 1


def test_a_match_that_another_has_replaced_says_so(scene):
    _competition, division, first = semi_finals_played(scene)
    final = legs(division, 2)[0]
    fixtures.begin(actor=scene.users["dora"], fixture=final)
    ask(scene, first, entry(division, 4), sure="1", void_later="1")
    with pytest.raises(Conflict, match="Another match has taken the place"):
        ties.rule(
            actor=scene.users["dora"],
            fixture=final,
            winner=entry(division, 1),
            reason="Lot",
            at=timezone.now(),
        )


@pytest.mark.parametrize("terms", [{"legs": 4}, {"legs": -1}, {"legs": 6}, {"legs": "2"}, {"third_place": 2}])
def test_terms_that_no_cup_has_are_refused_in_words(scene, terms):
    first = timezone.localdate() + timedelta(days=1)
    before = Competition.objects.count()
    with pytest.raises(Invalid):
        competitions.set_up(
            actor=scene.users["dora"],
            club=scene.club,
            data=Setup(name="Cup", starts_on=first, format="knockout", terms=terms),
        )
    assert Competition.objects.count() == before
