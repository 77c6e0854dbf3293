"""A knock-out from its set-up to its winner: the winners of each round are drawn into the next one (F40 to F50)."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from engine.contest import knockout
from games.scoresheets.queries.outlook import turned
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws, lots, rounds, ties
from league.entries.services import adjustments, entries, withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Competition, Fixture, Notice, RoundDraw, TieDecision
from league.seasons.queries import ending as endings
from league.seasons.services import finishing
from league.standings import brackets
from league.standings.brackets import How
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.league.seasons.test_season_ends import director_of
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def cup(scene, pairs, **more):
    """A running knock-out of so many pairs, its first round drawn in the order of entry; and its division."""
    dora, at = scene.users["dora"], timezone.now()
    first = timezone.localdate() + timedelta(days=1)
    data = Setup(name=f"Cup of {pairs}", starts_on=first, format="knockout", **more)
    competition = competitions.set_up(actor=dora, club=scene.club, data=data)
    division = competition.stage.divisions.get()
    for _each in range(pairs):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    draws.draw(actor=dora, competition=competition)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=competition.pk))
    return Competition.objects.get(pk=competition.pk), division


def matches(division, number):
    """The matches of a round by their numbers in the draw, from the top of the bracket."""
    found = Fixture.objects.filter(division=division, round__number=number).with_pairs()
    ties = brackets.of_division(division).rounds[number - 1]
    by_key = {each.pk: each for each in found}
    return [by_key[tie.fixture.pk] for tie in ties if tie.fixture is not None]


def decide(division, number):
    """In each match of the round the better seed wins."""
    for fixture in matches(division, number):
        ahead = fixture.home.number < fixture.away.number
        factories.decided(fixture, scores=(60, 40) if ahead else (40, 60))


def drawn_next(scene, division, number):
    proposal = ties.propose(division=division, round_=division.stage.rounds.get(number=number))
    return rounds.publish(
        actor=scene.users["dora"], division=division, number=number, at=timezone.now(), seen=proposal.digest
    )


def met(division, number):
    return [(each.home.number, each.away.number) for each in matches(division, number)]


def entry(division, number):
    return division.entries.get(number=number)


@pytest.mark.parametrize("pairs", range(2, 18))
def test_f41_f42_f48_a_cup_of_so_many_is_played_to_its_winner(scene, pairs):
    competition, division = cup(scene, pairs)
    order = knockout.Bracket(pairs)
    assert competition.stage.rounds.count() == order.rounds
    assert met(division, 1) == [two for two in order.first_round if None not in two]
    byes = competition.stage.rounds.get(number=1).appearances.byes()
    assert sorted(byes.values_list("entry__number", flat=True)) == list(order.byes)
    decide(division, 1)
    for number in range(2, order.rounds + 1):
        drawn_next(scene, division, number)
        decide(division, number)
    bracket = brackets.of_division(division)
    assert bracket.champion.number == 1
    top = [["top" if (t.top.number if t.top else 99) < (t.bottom.number if t.bottom else 99) else "bottom"
            for t in each] for each in bracket.rounds]  # fmt: skip
    played = knockout.play(pairs, [[knockout.Outcome(each) for each in ties_] for ties_ in top])
    rows = {row.entry: row for row in compute_table(read_facts(division)).rows}
    for row in division.entries.all():
        place, _last = played.places[row.number]
        assert rows[row.pk].place == place
        assert rows[row.pk].is_shared == (sum(each.place == place for each in rows.values()) > 1)
    competitions.finish(actor=scene.users["dora"], competition=competition)


def test_one_entry_makes_no_cup(scene):
    with pytest.raises(Invalid, match="two or more"):
        cup(scene, 1)


def test_seeds_doubled_are_refused_by_the_database(scene):
    _competition, division = cup(scene, 4)
    with pytest.raises(IntegrityError), transaction.atomic():
        division.entries.filter(number=2).update(number=1)


def test_nothing_is_drawn_before_every_match_is_decided_nor_twice(scene):
    competition, division = cup(scene, 4)
    with pytest.raises(Conflict, match="not decided yet"):
        drawn_next(scene, division, 2)
    with pytest.raises(Conflict, match="Not all rounds are drawn"):
        competitions.finish(actor=scene.users["dora"], competition=competition)
    decide(division, 1)
    with pytest.raises(NotAllowed):
        rounds.publish(actor=scene.users["anna"], division=division, number=2, at=timezone.now(), seen="")
    drawn_next(scene, division, 2)
    assert RoundDraw.objects.get().round.number == 2
    with pytest.raises(Conflict):
        drawn_next(scene, division, 2)
    competition.stage.rounds.create(number=3, starts_on=timezone.localdate(), closes_at=timezone.now())
    with pytest.raises(Conflict, match="until somebody has won"):
        rounds.leave_out(actor=scene.users["dora"], competition=competition, reason="No time")


def test_a_draw_is_undone_until_one_of_its_matches_has_begun(scene):
    _competition, division = cup(scene, 4)
    decide(division, 1)
    drawn_next(scene, division, 2)
    rounds.take_back(actor=scene.users["dora"], division=division, number=2, reason="Too early")
    assert not Fixture.objects.filter(division=division, round__number=2).exists()
    drawn_next(scene, division, 2)
    fixtures.begin(actor=scene.users["dora"], fixture=matches(division, 2)[0])
    with pytest.raises(Conflict, match="have begun"):
        rounds.take_back(actor=scene.users["dora"], division=division, number=2, reason="Too late")


def test_f45_a_level_match_goes_to_extra_boards_then_one_by_one(scene):
    competition, division = cup(scene, 2)
    dora, at = scene.users["dora"], timezone.now()
    final = matches(division, 1)[0]
    with pytest.raises(Conflict, match="level"):
        ties.play_extra(actor=dora, fixture=final, scores=(1, 2), at=at)
    factories.result(final, 50, 50)
    assert brackets.of_division(division).rounds[0][0].how == How.LEVEL
    with pytest.raises(Conflict, match="not decided who goes on"):
        competitions.finish(actor=dora, competition=competition)
    ties.play_extra(actor=dora, fixture=final, scores=(30, 30), at=at)
    assert brackets.of_division(division).champion is None
    with pytest.raises(Invalid):
        ties.play_extra(actor=dora, fixture=final, scores=(30,), at=at)
    with pytest.raises(NotAllowed):
        ties.play_extra(actor=scene.users["anna"], fixture=final, scores=(28, 41), at=at)
    ties.play_extra(actor=dora, fixture=final, scores=(28, 41), at=at)
    bracket = brackets.of_division(division)
    assert bracket.rounds[0][0].how == How.EXTRA
    assert bracket.champion == entry(division, 2)
    with pytest.raises(Conflict, match="level"):
        ties.play_extra(actor=dora, fixture=final, scores=(1, 2), at=at)
    rows = [row.entry for row in compute_table(read_facts(division)).rows]
    assert rows == [entry(division, 2).pk, entry(division, 1).pk]
    competitions.finish(actor=dora, competition=competition)
    actions = AuditEntry.objects.filter(competition=competition).values_list("action", flat=True)
    assert list(actions).count("tie.extra_boards") == 2


def test_f45_a_director_may_let_the_lot_decide_with_a_reason_and_take_it_back(scene):
    _competition, division = cup(scene, 2)
    dora, at = scene.users["dora"], timezone.now()
    final = matches(division, 1)[0]
    second = entry(division, 2)
    with pytest.raises(Conflict, match="no result yet"):
        ties.rule(actor=dora, fixture=final, winner=second, reason="Lot", at=at)
    factories.result(final, 50, 50)
    with pytest.raises(Invalid, match="reason"):
        ties.rule(actor=dora, fixture=final, winner=second, reason=" ", at=at)
    _other, elsewhere = cup(scene, 3)
    with pytest.raises(Invalid, match="two sides"):
        ties.rule(actor=dora, fixture=final, winner=entry(elsewhere, 1), reason="Lot", at=at)
    ties.rule(actor=dora, fixture=final, winner=second, reason="Lot, as announced", at=at)
    assert brackets.of_division(division).champion == second
    ties.take_back(actor=dora, fixture=final, reason="Too early", at=at)
    assert brackets.of_division(division).rounds[0][0].how == How.LEVEL
    with pytest.raises(Conflict, match="nothing to take back"):
        ties.take_back(actor=dora, fixture=final, reason="Again", at=at)


def test_one_winner_a_tie_and_an_entry_once_a_round_are_held_by_the_database(scene):
    _competition, division = cup(scene, 4)
    fixture = matches(division, 1)[0]
    for winner in fixture.entries[:1]:
        TieDecision.objects.create(fixture=fixture, winner=winner, reason="Lot", made_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        TieDecision.objects.create(fixture=fixture, winner=fixture.away, reason="Lot", made_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        fixture.round.appearances.create(entry=fixture.home, outcome="bye")
    with pytest.raises(IntegrityError), transaction.atomic():
        TieDecision.objects.update(reason="")


def test_f46_who_withdraws_loses_and_if_both_do_the_next_has_a_bye(scene):
    competition, division = cup(scene, 4)
    dora, at = scene.users["dora"], timezone.now()
    withdrawals.withdraw(actor=dora, entry=entry(division, 1), reason="ill", at=at)
    first = brackets.of_division(division).rounds[0][0]
    assert (first.how, first.winner.number) == (How.WALKOVER, 4)
    other = matches(division, 1)[1]
    fixtures.award_walkover(actor=dora, fixture=other, losing=other.entries, reason="Nobody came")
    drawn_next(scene, division, 2)
    final = brackets.of_division(division).rounds[1][0]
    assert (final.how, final.winner.number) == (How.BYE, 4)
    competitions.finish(actor=dora, competition=competition)
    rows = {row.entry: row.place for row in compute_table(read_facts(division)).rows}
    assert [rows[entry(division, number).pk] for number in (1, 2, 3, 4)] == [3, 3, 3, 1]


def test_f46_when_nobody_is_left_the_rest_is_left_out(scene):
    competition, division = cup(scene, 4)
    dora = scene.users["dora"]
    for fixture in matches(division, 1):
        fixtures.award_walkover(actor=dora, fixture=fixture, losing=fixture.entries, reason="Nobody came")
    with pytest.raises(Conflict, match="Nobody is left"):
        drawn_next(scene, division, 2)
    assert rounds.leave_out(actor=dora, competition=competition, reason="Nobody is left") == 1


def test_f47_a_winner_who_withdrew_is_replaced_by_the_loser_or_the_opponent_goes_on(scene):
    _competition, division = cup(scene, 4)
    dora, at = scene.users["dora"], timezone.now()
    decide(division, 1)
    withdrawals.withdraw(actor=dora, entry=entry(division, 1), reason="ill", at=at)
    drawn_next(scene, division, 2)
    final = brackets.of_division(division).rounds[1][0]
    assert (final.how, final.winner.number) == (How.LEFT, 2)
    with pytest.raises(Conflict, match="withdrew"):
        ties.rule(
            actor=dora, fixture=matches(division, 1)[0], winner=entry(division, 1), reason="Back", at=at
        )
    ties.rule(
        actor=dora,
        fixture=matches(division, 1)[0],
        winner=entry(division, 4),
        reason="In place of the winners",
        at=at,
    )
    assert met(division, 2) == [(4, 2)]
    decide(division, 2)
    rows = {row.entry: row.place for row in compute_table(read_facts(division)).rows}
    assert [rows[entry(division, number).pk] for number in (1, 2, 3, 4)] == [3, 1, 3, 2]


def test_f47_also_when_the_winner_withdrew_after_the_next_round_was_drawn(scene):
    _competition, division = cup(scene, 4)
    dora, at = scene.users["dora"], timezone.now()
    decide(division, 1)
    drawn_next(scene, division, 2)
    withdrawals.withdraw(actor=dora, entry=entry(division, 1), reason="ill", at=at)
    assert brackets.of_division(division).champion.number == 2
    first = matches(division, 1)[0]
    ties.rule(actor=dora, fixture=first, winner=entry(division, 4), reason="In their place", at=at)
    assert met(division, 2) == [(4, 2)]
    assert brackets.of_division(division).champion is None


def final_drawn(scene, **more):
    """The final of a cup of four between seeds 1 and 2, drawn and not begun; and the semi-final of seeds 1 and 4."""
    _competition, division = cup(scene, 4, **more)
    for fixture in matches(division, 1):
        factories.result(fixture, 60, 40)
    drawn_next(scene, division, 2)
    return division, matches(division, 1)[0]


@transaction.atomic
def correct(scene, fixture, *scores):
    return fixtures.record_result(actor=scene.users["dora"], fixture=fixtures.locked(fixture), scores=scores)


def test_f49_a_correction_exchanges_the_winner_in_a_match_that_has_not_begun(scene):
    division, first = final_drawn(scene)
    lost, other, won = (factories.account_of(entry(division, number).lineup) for number in (1, 2, 4))
    off = matches(division, 2)[0]
    correct(scene, first, 40, 60)
    assert met(division, 2) == [(4, 2)]
    assert not Fixture.objects.filter(pk=off.pk).exists()
    assert AuditEntry.objects.filter(action="tie.turned", fixture=first).count() == 1
    assert not TieDecision.objects.exists()
    told = Notice.objects.filter(event="new_matches")
    assert {(each.user_id, each.context["why"], each.context["round"]) for each in told} == {
        (lost.pk, "corrected", 2), (other.pk, "corrected", 2), (other.pk, "drawn", 2), (won.pk, "drawn", 2),
    }  # fmt: skip
    # Another correction turns it back, and one that turns nothing leaves the match alone.
    correct(scene, first, 70, 30)
    assert met(division, 2) == [(1, 2)]
    back = matches(division, 2)[0]
    correct(scene, first, 71, 29)
    assert matches(division, 2) == [back]
    assert AuditEntry.objects.filter(action="tie.turned").count() == 2


def test_f49_a_reopened_match_keeps_the_draw_until_it_has_a_result(scene):
    division, first = final_drawn(scene)
    first = fixtures.reopen(actor=scene.users["dora"], fixture=first, reason="A sum is wrong")
    tie = brackets.of_division(division).rounds[0][0]
    assert (tie.how, tie.winner, tie.drawn_on) == (How.OPEN, None, entry(division, 1))
    assert met(division, 2) == [(1, 2)]
    fixtures.await_confirmation(actor=scene.users["dora"], fixture=first)
    correct(scene, first, 40, 60)
    assert met(division, 2) == [(4, 2)]


def test_f49_a_match_corrected_to_level_waits_for_its_extra_boards(scene):
    division, first = final_drawn(scene)
    correct(scene, first, 50, 50)
    assert met(division, 2) == [(1, 2)]
    ties.play_extra(actor=scene.users["dora"], fixture=first, scores=(1, 4), at=timezone.now())
    assert met(division, 2) == [(4, 2)]


def test_f49_once_the_next_match_has_begun_a_director_chooses(scene):
    division, first = final_drawn(scene)
    dora, at = scene.users["dora"], timezone.now()
    fixtures.begin(actor=dora, fixture=matches(division, 2)[0])
    with pytest.raises(Conflict, match="a director has to decide"):
        correct(scene, first, 40, 60)
    with pytest.raises(Conflict, match="a director has to decide"):
        fixtures.dispute(actor=dora, fixture=first, reason="A sum is wrong")
    assert matches(division, 1)[0].home.number == 1
    assert matches(division, 1)[0].result.home_score == 60
    with pytest.raises(Conflict, match="Let it stand"):
        ties.rule(actor=dora, fixture=first, winner=entry(division, 4), reason="No", at=at)
    ties.rule(actor=dora, fixture=first, winner=entry(division, 1), reason="It stands", at=at)
    correct(scene, first, 40, 60)
    assert met(division, 2) == [(1, 2)]
    # Undone it would follow the result again.
    with pytest.raises(Conflict, match="a director has to decide"):
        ties.take_back(actor=dora, fixture=first, reason="It does not", at=at)
    assert brackets.of_division(division).rounds[0][0].winner.number == 1


def test_f49_a_match_reopened_before_the_next_one_began_can_still_be_decided(scene):
    division, first = final_drawn(scene)
    dora, at = scene.users["dora"], timezone.now()
    first = fixtures.reopen(actor=dora, fixture=first, reason="A sum is wrong")
    fixtures.begin(actor=dora, fixture=matches(division, 2)[0])
    fixtures.await_confirmation(actor=dora, fixture=first)
    with pytest.raises(Conflict, match="a director has to decide"):
        correct(scene, first, 40, 60)
    later = {"reason": "A sum is wrong", "at": at, "void_later": True}
    ties.rule(actor=dora, fixture=first, winner=entry(division, 4), **later)
    correct(scene, first, 40, 60)
    assert met(division, 2) == [(4, 2)]


def test_f49_undoing_a_decision_gives_the_place_back_to_who_won(scene):
    division, first = final_drawn(scene)
    dora, at = scene.users["dora"], timezone.now()
    ties.rule(actor=dora, fixture=first, winner=entry(division, 4), reason="A lot", at=at)
    assert met(division, 2) == [(4, 2)]
    ties.take_back(actor=dora, fixture=first, reason="A mistake", at=at)
    assert met(division, 2) == [(1, 2)]


def test_f49_whoever_corrects_sees_before_what_it_turns(scene):
    division, first = final_drawn(scene)
    assert turned(first, ranks=[1, 2], scores=[70, 30]) is None
    found = turned(first, ranks=[2, 1], scores=[40, 60])
    assert (found.entry.number, found.change.gone) == (4, tuple(matches(division, 2)))
    assert "New match" in render_to_string("games/_turned.html", {"turned": found})
    fixtures.begin(actor=scene.users["dora"], fixture=matches(division, 2)[0])
    text = render_to_string("games/_turned.html", {"turned": turned(first, ranks=[2, 1], scores=[40, 60])})
    assert "a director has to decide first" in text
    assert matches(division, 1)[0].result.home_score == 60


def test_f49_with_a_match_for_place_3_both_semi_finals_are_corrected_and_reopened(scene):
    division, first = final_drawn(scene, terms={"third_place": True})
    dora = scene.users["dora"]
    correct(scene, first, 40, 60)
    assert met(division, 2) == [(4, 2), (1, 3)]
    for fixture in matches(division, 1):
        fixtures.reopen(actor=dora, fixture=fixture, reason="A sum is wrong")
    assert met(division, 2) == [(4, 2), (1, 3)]
    one, other = brackets.of_division(division).rounds[0]
    assert (one.how, one.drawn_on.number, other.drawn_on.number) == (How.OPEN, 4, 2)
    for fixture in matches(division, 1):
        fixtures.await_confirmation(actor=dora, fixture=fixture)
        correct(scene, fixture, *((60, 40) if fixture.pk == first.pk else (40, 60)))
    assert met(division, 2) == [(1, 3), (4, 2)]
    fixtures.begin(actor=dora, fixture=matches(division, 2)[1])
    with pytest.raises(Conflict, match="has begun"):
        fixtures.reopen(actor=dora, fixture=matches(division, 1)[0], reason="A sum is wrong")


@pytest.mark.parametrize("third_place", [False, True])
def test_f46_f49_a_correction_to_both_lose_gives_the_next_opponents_a_bye(scene, third_place):
    division, first = final_drawn(scene, terms={"third_place": third_place})
    dora = scene.users["dora"]
    first = fixtures.reopen(actor=dora, fixture=first, reason="Nobody played")
    fixtures.award_walkover(actor=dora, fixture=first, losing=first.entries, reason="Nobody played")
    bracket = brackets.of_division(division)
    assert (bracket.champion.number, bracket.rounds[1][0].how, len(bracket.rounds[1])) == (2, How.BYE, 1)
    assert not Fixture.objects.filter(division=division, round__number=2).exists()
    rows = {row.entry: row.place for row in compute_table(read_facts(division)).rows}
    assert [rows[entry(division, number).pk] for number in (1, 2, 3, 4)] == [3, 1, 3, 3]
    # Played after all: a director says who goes on, and then it is put back.
    with pytest.raises(Conflict, match="say in the bracket who goes on"):
        fixtures.restore(actor=dora, fixture=first, reason="They did play")
    ties.rule(actor=dora, fixture=first, winner=first.home, reason="They did play", at=timezone.now())
    assert met(division, 2) == [(1, 2), (4, 3)][: 1 + third_place]
    fixtures.restore(actor=dora, fixture=first, reason="They did play")
    assert met(division, 2) == [(1, 2), (4, 3)][: 1 + third_place]


def test_f49_once_the_next_match_has_begun_nobody_is_taken_out_of_it(scene):
    division, first = final_drawn(scene)
    dora = scene.users["dora"]
    first = fixtures.reopen(actor=dora, fixture=first, reason="Nobody played")
    fixtures.begin(actor=dora, fixture=matches(division, 2)[0])
    with pytest.raises(Conflict, match="a director has to decide"):
        fixtures.award_walkover(actor=dora, fixture=first, losing=first.entries, reason="Nobody played")
    ties.rule(actor=dora, fixture=first, winner=first.home, reason="It stands", at=timezone.now())
    fixtures.award_walkover(actor=dora, fixture=first, losing=first.entries, reason="Nobody played")
    assert met(division, 2) == [(1, 2)]


def test_a_void_match_needs_a_director_to_say_who_goes_on(scene):
    _competition, division = cup(scene, 2)
    dora, at = scene.users["dora"], timezone.now()
    final = matches(division, 1)[0]
    fixtures.void(actor=dora, fixture=final, reason="The boards were wrong")
    assert brackets.of_division(division).rounds[0][0].how == How.VOID
    ties.rule(actor=dora, fixture=final, winner=entry(division, 2), reason="Lot", at=at)
    assert brackets.of_division(division).champion.number == 2


def test_f50_a_late_entry_takes_the_bye_opposite_the_lowest_seed(scene):
    _competition, division = cup(scene, 6)
    dora, at = scene.users["dora"], timezone.now()
    entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    assert met(division, 1) == [(4, 5), (2, 7), (3, 6)]
    entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    assert (1, 8) in met(division, 1)
    with pytest.raises(Conflict, match="Every place"):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    fixtures.begin(actor=dora, fixture=matches(division, 1)[0])
    with pytest.raises(Conflict, match="has begun"):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)


def test_nobody_sits_out_of_a_round_of_a_cup(scene):
    _competition, division = cup(scene, 8)
    with pytest.raises(Conflict, match="nobody can sit out"):
        rounds.ask_to_sit_out(
            actor=scene.users["dora"], entry=entry(division, 1), number=2, at=timezone.now()
        )


def page(scene, who):
    client = Client()
    client.force_login(scene.users[who])
    return client


def test_a_cup_is_set_up_drawn_and_published_on_the_pages(scene):
    dora = page(scene, "dora")
    new = dora.get(reverse("competition_new", args=[scene.club.slug]))
    assert "knock-out: the winner of each match goes on" in new.text
    competition, division = cup(scene, 6, points={"win": "3"}, tie_breaks=("points_scored",))
    assert competition.points == brackets.POINTS
    assert competition.planned_rounds == 0
    where = [scene.club.slug, competition.slug]
    manage = dora.get(reverse("competition_manage", args=where))
    address = reverse("round_draw", args=[*where, division.pk, 2])
    assert address in manage.text
    refused = dora.get(address)
    assert "It is not decided yet who goes on from" in refused.text
    decide(division, 1)
    shown = dora.get(address)
    assert "The winners of neighbouring matches meet." in shown.text
    seen = shown.context["proposal"].digest
    stale = dora.post(address, {"publish": "1", "seen": "of another day"}, follow=True)
    assert "Something has changed" in stale.text
    done = dora.post(address, {"publish": "1", "seen": seen}, follow=True)
    assert "Drawn: Semi-finals" in done.text
    undone = dora.post(address, {"take_back": "1", "reason": "Too early"}, follow=True)
    assert "You have undone the draw." in undone.text


def test_the_bracket_stands_where_others_have_their_table(scene):
    competition, division = cup(scene, 6)
    where = [scene.club.slug, competition.slug]
    address = reverse("competition", args=where)
    first = Client().get(address)
    for words in ("Bracket", "Quarter-finals", "Semi-finals", "Final", "bye", "winner of match 2"):
        assert words in first.text
    assert "Cross-table" not in first.text
    assert "How the knock-out works" in first.text
    for name in ("competition_cross_table", "competition_progress"):
        assert Client().get(reverse(name, args=where)).status_code == 404
    decide(division, 1)
    drawn_next(scene, division, 2)
    decide(division, 2)
    drawn_next(scene, division, 3)
    final = matches(division, 3)[0]
    factories.decided(final, scores=(50, 50))
    who_goes_on = reverse("tie", args=[final.pk])
    assert who_goes_on in page(scene, "dora").get(address).text
    assert who_goes_on not in Client().get(address).text
    assert "level" in Client().get(address).text
    dora = page(scene, "dora")
    assert "Play an eighth of its boards again" in dora.get(who_goes_on).text
    assert dora.post(who_goes_on, {"part": "extra", "home": "x", "away": "1"}).status_code == 422
    said = dora.post(who_goes_on, {"part": "extra", "home": "28", "away": "41"}, follow=True)
    assert "The extra boards are entered." in said.text
    shown = Client().get(address).text
    assert "extra boards 28–41" in shown
    assert "Winners" in shown
    assert dora.post(who_goes_on, {"part": "extra", "home": "1", "away": "2"}).status_code == 422
    assert dora.post(who_goes_on, {"part": "rule", "winner": "0", "reason": "x"}).status_code == 422
    by_lot = {"part": "rule", "winner": str(final.home.pk), "reason": "By lot"}
    assert "go on." in dora.post(who_goes_on, by_lot, follow=True).text
    assert "the director’s decision" in Client().get(address).text
    back = dora.post(who_goes_on, {"part": "back", "reason": "No"}, follow=True)
    assert "You have undone the decision." in back.text
    assert dora.post(who_goes_on, {"part": "back", "reason": "No"}).status_code == 422
    assert page(scene, "anna").get(who_goes_on).status_code == 403


def test_pages_of_other_formats_have_no_bracket(scene):
    assert page(scene, "dora").get(reverse("tie", args=[scene.fixtures[0].pk])).status_code == 404


def test_the_bracket_costs_as_many_queries_however_many_matches_it_has(scene):
    asked = {}
    for size in (5, 40):
        competition, division = cup(scene, size)
        address = reverse("competition", args=[scene.club.slug, competition.slug])
        with CaptureQueriesContext(connection) as found:
            assert Client().get(address).status_code == 200
        asked[size] = len(found)
    assert asked[5] == asked[40] < 30
    bracket = brackets.of_division(division)
    with CaptureQueriesContext(connection) as found:
        legs = [leg for ties in bracket.rounds for tie in ties for leg in tie.legs]
        assert {leg.round.stage.competition.club for leg in legs} == {scene.club}
        assert all(str(side.entry) and side.entry.division == division for leg in legs for side in leg.sides)
    assert not found.captured_queries, "read once for the whole bracket"


def test_a_draft_that_is_no_knock_out_any_more_has_points_again(scene):
    dora = scene.users["dora"]
    first = timezone.localdate() + timedelta(days=1)
    data = Setup(name="Perhaps a cup", starts_on=first, format="knockout")
    competition = competitions.set_up(actor=dora, club=scene.club, data=data)
    changed = competitions.build(
        scene.club,
        Setup(
            name="Perhaps a cup",
            starts_on=first,
            format="round_robin",
            points=competition.points,
            tie_breaks=tuple(competition.tie_breaks),
        ),
        existing=competition,
    )
    assert changed.points != brackets.POINTS
    assert len(changed.tie_breaks) > 1


def test_the_winners_stand_in_the_roll_of_honour(scene):
    competition, division = cup(scene, 4, correction_hours=0)
    for number in (1, 2):
        if number > 1:
            drawn_next(scene, division, number)
        decide(division, number)
    dora = scene.users["dora"]
    finishing.finish(actor=dora, competition=competition, at=timezone.now() + timedelta(hours=1))
    places = competition.end.places.order_by("place").values_list("place", "entry__number")
    assert sorted(places) == [(1, 1), (2, 2), (3, 3), (3, 4)]
    honours = Client().get(reverse("club_honours", args=[scene.club.slug])).text
    assert escape(entry(division, 1)) in honours


def test_a_level_final_blocks_the_end_of_the_season(scene):
    competition, division = cup(scene, 2, correction_hours=0)
    factories.decided(matches(division, 1)[0], scores=(50, 50))
    blockers = endings.of_competition(competition, at=timezone.now() + timedelta(hours=1)).blockers
    assert any("not decided who goes on" in each.text for each in blockers)


def test_the_winners_of_a_round_find_their_next_match_and_are_told(scene):
    _competition, division = cup(scene, 4)
    decide(division, 1)
    player = factories.account_of(entry(division, 1).lineup)
    drawn_next(scene, division, 2)
    client = Client()
    client.force_login(player)
    assert reverse("match", args=[matches(division, 2)[0].pk]) in client.get(reverse("my")).text
    told = player.notices.latest("pk")
    assert told.context["round"] == 2


def test_a_knock_out_has_no_points_to_adjust_and_no_lots_for_a_table(scene):
    competition, division = cup(scene, 4)
    dora = scene.users["dora"]
    with pytest.raises(Conflict, match="no league points"):
        adjustments.adjust(actor=dora, entry=entry(division, 1), points="-1", reason="Late")
    with pytest.raises(Conflict, match="in the bracket"):
        lots.draw(actor=dora, division=division)
    manage = page(scene, "dora").get(reverse("competition_manage", args=[scene.club.slug, competition.slug]))
    assert "Adjust points" not in manage.text
    assert "Draw lots" not in manage.text


def test_the_draw_of_a_round_is_undone_from_the_bracket(scene):
    competition, division = cup(scene, 4)
    address = reverse("competition", args=[scene.club.slug, competition.slug])
    undo = reverse("round_draw", args=[scene.club.slug, competition.slug, division.pk, 2])
    decide(division, 1)
    drawn_next(scene, division, 2)
    assert undo in page(scene, "dora").get(address).text
    assert undo not in Client().get(address).text
    decide(division, 2)
    assert undo not in page(scene, "dora").get(address).text


def test_who_withdrew_before_a_draw_comes_back_only_while_it_is_not_drawn(scene):
    _competition, division = cup(scene, 4)
    dora, at = scene.users["dora"], timezone.now()
    decide(division, 1)
    first = entry(division, 1)
    withdrawals.withdraw(actor=dora, entry=first, reason="ill", at=at)
    withdrawals.reinstate(actor=dora, entry=first, reason="well again", at=at)
    withdrawals.withdraw(actor=dora, entry=first, reason="ill", at=at)
    drawn_next(scene, division, 2)
    with pytest.raises(Conflict, match="drawn without"):
        withdrawals.reinstate(actor=dora, entry=first, reason="well again", at=at)
    rounds.take_back(actor=dora, division=division, number=2, reason="They are back")
    withdrawals.reinstate(actor=dora, entry=first, reason="well again", at=at)
    drawn_next(scene, division, 2)
    assert met(division, 2) == [(1, 2)]


def test_f40_the_first_seeds_are_placed_and_a_lot_decides_about_the_rest(scene):
    dora, at = scene.users["dora"], timezone.now()
    first = timezone.localdate() + timedelta(days=1)
    data = Setup(name="Cup", starts_on=first, format="knockout", terms={"placed": 4})
    competition = competitions.set_up(actor=dora, club=scene.club, data=data)
    division = competition.stage.divisions.get()
    for _each in range(16):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    before = list(division.entries.order_by("number").values_list("pk", flat=True))
    draws.draw(actor=dora, competition=competition, order=draws.BY_LOT, seed="cup")
    after = list(division.entries.order_by("number").values_list("pk", flat=True))
    assert after[:4] == before[:4]
    assert after[4:] == lots.order_of(before[4:], seed="cup") != before[4:]
    assert competitions.setup_of(Competition.objects.get(pk=competition.pk)).terms == {
        "placed": 4,
        "legs": 0,
        "aggregate": False,
        "third_place": False,
    }
    with pytest.raises(Invalid):
        competitions.set_up(
            actor=dora,
            club=scene.club,
            data=Setup(name="Cup", starts_on=first, format="knockout", terms={"placed": -1}),
        )


def test_f45_the_page_says_how_many_extra_boards_come_next(scene):
    _competition, division = cup(scene, 2)
    (fixture,) = matches(division, 1)
    factories.decided(fixture, scores=(50, 50))
    client = Client()
    client.force_login(scene.users["dora"])
    address = reverse("tie", args=[fixture.pk])
    said = []
    for _set in range(3):
        page = client.get(address)
        said.append(page.context["next"].boards)
        assert f"Now play {said[-1]} extra board" in page.text
        client.post(address, {"part": "extra", "home": 10, "away": 10})
    assert said == [2, 2, 1]


@pytest.mark.parametrize(("game", "may"), [("concerto", False), ("burraco", True)])
def test_f45_extra_boards_are_below_zero_only_where_a_deal_can_be(scene, game, may):
    _competition, division = cup(scene, 2, game=game)
    (fixture,) = matches(division, 1)
    factories.decided(fixture, scores=(50, 50))
    client = Client()
    client.force_login(scene.users["dora"])
    answer = client.post(
        reverse("tie", args=[fixture.pk]), {"part": "extra", "home": -5, "away": 10}, follow=True
    )
    assert answer.status_code == (200 if may else 422)
    assert ("Points can’t be below 0 in this game." in answer.text) != may
    assert TieDecision.objects.exists() == may


def test_a_round_that_is_drawn_does_not_say_that_it_will_be(scene):
    competition, _division = cup(scene, 4)
    client = director_of(competition)
    drawn, to_come = (
        client.get(reverse("round", args=[competition.club.slug, competition.slug, number])).text
        for number in (1, 2)
    )
    words = "This round is drawn when the one before it has been played."
    assert words not in drawn
    assert "Print the pairing list" in drawn
    assert words in to_come


def test_f50_the_preview_of_a_late_entry_names_the_bye(scene):
    competition, division = cup(scene, 3)
    sent = {"division": division.pk, "lineup": factories.pair(scene.club).pk}
    address = reverse("competition_enter", args=[competition.club.slug, competition.slug])
    page = director_of(competition).post(address, sent).text
    assert "They meet the lowest seed that has a bye." in page


def test_a_score_that_nobody_has_confirmed_is_marked_in_the_bracket(scene):
    competition, division = cup(scene, 4)
    first = Fixture.objects.filter(division=division).with_pairs().order_by("pk")[0]
    address = reverse("competition", args=[competition.club.slug, competition.slug])
    assert "to confirm" not in Client().get(address).text
    Fixture.objects.filter(pk=first.pk).update(status=Fixture.Status.TO_CONFIRM)
    assert "to confirm" in Client().get(address).text
