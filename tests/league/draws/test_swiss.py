"""A Swiss from its set-up to the last round: rounds are drawn one by one, each from the results before it."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from engine.contest.draws.swiss import advised_rounds
from engine.contest.points.parsing import read_scheme
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws import queries as explained
from league.draws.services import draws, rounds
from league.entries.services import entries, withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Competition, DayAway, Fixture, RoundDraw
from league.seasons.queries import ending as endings
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from league.web.wording import points_in_words
from tests.league import factories
from tests.league.seasons.test_season_ends import director_of
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def swiss(scene, pairs=6, planned=3, **more):
    """A running Swiss of so many pairs, its first round drawn; and its division."""
    dora, at = scene.users["dora"], timezone.now()
    first = timezone.localdate() + timedelta(days=1)
    data = Setup(name="Autumn Swiss", starts_on=first, format="swiss", planned_rounds=planned, **more)
    competition = competitions.set_up(actor=dora, club=scene.club, data=data)
    division = competition.stage.divisions.get()
    for _each in range(pairs):
        entries.enter(actor=dora, division=division, lineup=factories.pair(scene.club), at=at)
    draws.draw(actor=dora, competition=competition)
    competitions.publish(actor=dora, competition=Competition.objects.get(pk=competition.pk))
    return Competition.objects.get(pk=competition.pk), division


def decide(division, number):
    """In each match of the round the entry with the better number wins."""
    for fixture in Fixture.objects.filter(division=division, round__number=number).with_pairs():
        ahead = fixture.home.number < fixture.away.number
        factories.result(fixture, *((60, 40) if ahead else (40, 60)))


def drawn_next(scene, division, number, **how):
    """Draws the round as it is proposed."""
    proposal = rounds.propose(division=division, round_=division.stage.rounds.get(number=number))
    return rounds.publish(
        actor=scene.users["dora"],
        division=division,
        number=number,
        at=timezone.now(),
        seen=proposal.digest,
        **how,
    )


def tables(division, number):
    """Who meets in the round, by number in the draw."""
    found = Fixture.objects.filter(division=division, round__number=number).with_pairs().order_by("pk")
    return [{side.entry.number for side in each.sides} for each in found]


def test_the_first_round_is_drawn_with_the_calendar_of_all_rounds(scene):
    competition, division = swiss(scene, pairs=7, planned=0)

    assert competition.stage.rounds.count() == advised_rounds(7) == 4
    assert tables(division, 1) == [{1, 4}, {2, 5}, {3, 6}]
    assert [bye.entry.number for bye in competition.stage.rounds.get(number=1).appearances.byes()] == [7]
    assert not Fixture.objects.filter(division=division, round__number__gt=1).exists()
    assert competition.points["bye"] == 2
    assert competition.tie_breaks == list(competitions.TIE_BREAKS_OF_SWISS)


def test_each_round_follows_from_the_results_before_it(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    drawn_next(scene, division, 2)

    # 1, 2, 3 have won: two of them meet, the third meets the best of the others.
    assert tables(division, 2) == [{1, 2}, {3, 4}, {5, 6}]
    met = [frozenset(two) for number in (1, 2) for two in tables(division, number)]
    decide(division, 2)
    drawn_next(scene, division, 3)
    assert not set(met) & {frozenset(two) for two in tables(division, 3)}
    decide(division, 3)
    assert rounds.next_round(division) is None
    places = {row.entry: row.place for row in compute_table(read_facts(division)).rows}
    assert places[division.entries.get(number=1).pk] == 1
    competitions.finish(actor=scene.users["dora"], competition=competition)


def test_a_bye_is_worth_a_win_and_nobody_has_two(scene):
    _competition, division = swiss(scene, pairs=5, planned=4)
    sat_out = []
    for number in range(1, 5):
        if number > 1:
            drawn_next(scene, division, number)
        bye = division.stage.rounds.get(number=number).appearances.byes().get()
        sat_out.append(bye.entry_id)
        decide(division, number)
    assert len(set(sat_out)) == 4
    rows = {row.entry: row for row in compute_table(read_facts(division)).rows}
    first = rows[sat_out[0]]
    assert first.metrics["league_points"] == 2 * (first.won + first.byes)


def test_missing_results_have_to_be_accepted_and_count_as_draws(scene):
    _competition, division = swiss(scene)
    with pytest.raises(Conflict, match="no result yet"):
        drawn_next(scene, division, 2)
    row = drawn_next(scene, division, 2, despite_missing=True)
    assert len(row.missing) == 3
    assert len(tables(division, 2)) == 3


def test_what_came_in_meanwhile_refuses_the_draw(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    factories.decided(Fixture.objects.filter(division=division).with_pairs().first(), scores=(10, 90))
    with pytest.raises(Conflict, match="Something has changed"):
        rounds.publish(actor=scene.users["dora"], division=division, number=2, at=timezone.now(), seen=seen)
    assert not RoundDraw.objects.exists()


def test_a_round_is_drawn_once(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    row = drawn_next(scene, division, 2)
    with pytest.raises(Conflict, match="can’t be drawn now"):
        drawn_next(scene, division, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        RoundDraw.objects.create(division=division, round=row.round, made_at=timezone.now())


def test_tables_changed_by_hand_say_what_is_worse_and_are_never_cheaper(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    round_ = division.stage.rounds.get(number=2)
    proposal = rounds.propose(division=division, round_=round_)
    by_number = {entry.number: entry.pk for entry in division.entries.all()}
    # 2 and 4 change places: 1 and 4 meet again.
    changed = rounds.exchanged(proposal, by_number[2], by_number[4])
    other = rounds.propose(division=division, round_=round_, tables=changed)
    assert other.is_changed
    assert other.least == proposal.least == proposal.field.draw()  # the second time from the cache
    assert other.drawn.cost > other.least.cost
    assert (
        explained.dearer(explained.OF_A_SWISS, other.drawn.cost, other.least.cost)
        == "There are more repeat meetings."
    )
    row = rounds.publish(
        actor=scene.users["dora"],
        division=division,
        number=2,
        at=timezone.now(),
        seen=other.digest,
        tables=changed,
    )
    assert row.is_changed
    assert {1, 4} in tables(division, 2)
    assert "changed by hand" in AuditEntry.objects.filter(action="round.drawn").get().summary
    how = explained.how_drawn(division, round_)
    assert how is not None
    assert not how.is_otherwise


@pytest.mark.parametrize("sent", ["1-1", "x", "1-2,3", "999999-2", "1-2-3", "1-2,1-3", "-", "1" * 5000])
def test_tables_that_are_not_those_of_everybody_are_refused(scene, sent):
    _competition, division = swiss(scene)
    decide(division, 1)
    with pytest.raises(Invalid, match="start this draw again"):
        rounds.propose(division=division, round_=division.stage.rounds.get(number=2), tables=sent)


def test_a_draw_is_taken_back_until_a_match_has_begun(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    drawn_next(scene, division, 2)
    dora = scene.users["dora"]
    rounds.take_back(actor=dora, division=division, number=2, reason="A result was wrong")
    assert rounds.next_round(division).number == 2
    drawn_next(scene, division, 2)
    factories.result(Fixture.objects.filter(division=division, round__number=2).with_pairs().first(), 60, 40)
    with pytest.raises(Conflict, match="begun or have a result"):
        rounds.take_back(actor=dora, division=division, number=2, reason="Again")
    with pytest.raises(Conflict, match="drawn last"):
        rounds.take_back(actor=dora, division=division, number=1, reason="The first")


def test_who_leaves_is_not_drawn_any_more_and_all_results_stand(scene):
    _competition, division = swiss(scene, pairs=6, planned=3)
    first = Fixture.objects.filter(division=division, round__number=1).with_pairs()[0]
    leaving, staying = first.away, first.home
    withdrawals.withdraw(actor=scene.users["dora"], entry=leaving, reason="Moved away", at=timezone.now())
    first.refresh_from_db()
    assert first.status == Fixture.Status.WALKOVER
    decide_rest = Fixture.objects.filter(division=division, round__number=1).unplayed()
    for fixture in decide_rest.with_pairs():
        factories.result(fixture, 60, 40)
    drawn_next(scene, division, 2)
    playing = {n for two in tables(division, 2) for n in two}
    assert leaving.number not in playing
    table = compute_table(read_facts(division))
    assert {row.entry for row in table.rows} >= {leaving.pk, staying.pk}
    assert not table.withdrawn


def test_who_comes_late_plays_from_the_next_round_on(scene):
    _competition, division = swiss(scene, pairs=5, planned=4)
    decide(division, 1)
    late = entries.enter(
        actor=scene.users["dora"], division=division, lineup=factories.pair(scene.club), at=timezone.now()
    )
    assert late.first_round == 2
    drawn_next(scene, division, 2)
    assert late.number in {n for two in tables(division, 2) for n in two}
    assert not division.stage.rounds.get(number=2).appearances.byes().exists()


@pytest.mark.parametrize(("missed", "points"), [(None, 0), ("1/2", 1), (1, 2)])
def test_f30_a_round_that_a_late_entry_missed_is_worth_what_the_competition_says(scene, missed, points):
    worth = {"win": 2, "draw": 1, "loss": 0} | ({} if missed is None else {"missed": missed})
    competition, division = swiss(scene, pairs=6, planned=4, points=worth)
    decide(division, 1)
    drawn_next(scene, division, 2)
    decide(division, 2)
    late = entries.enter(
        actor=scene.users["dora"], division=division, lineup=factories.pair(scene.club), at=timezone.now()
    )
    row = next(row for row in compute_table(read_facts(division)).rows if row.entry == late.pk)
    assert (row.league_points, row.byes) == (points, 0)
    field = rounds.field_of(division, division.stage.rounds.get(number=3), read_facts(division))
    assert field.scores[late.pk] == points
    # It counts as points made without playing (F20): the bye is for somebody else, as nobody has had one.
    drawn_next(scene, division, 3)
    bye = division.stage.rounds.get(number=3).appearances.byes().get()
    assert (bye.entry_id == late.pk) == (not points)
    standings.compute(competition_id=competition.pk, at=timezone.now())
    assert not list(differences(competition=Competition.objects.get(pk=competition.pk)))
    page = Client().get(reverse("competition", args=[scene.club.slug, competition.slug])).text
    assert ("not there yet" in page) == bool(points)


@pytest.mark.parametrize("missed", [2, "3/2", -1])
def test_f30_a_missed_round_is_worth_an_average_at_most(scene, missed):
    with pytest.raises(Invalid, match="at most an average"):
        swiss(scene, points={"win": 2, "draw": 1, "loss": 0, "missed": missed})


def test_f30_a_director_says_on_the_page_what_a_missed_round_is_worth(scene):
    data = Setup(name="Swiss", starts_on=timezone.localdate() + timedelta(days=1), format="swiss")
    competition = competitions.set_up(actor=scene.users["dora"], club=scene.club, data=data)
    client = client_of(scene, "dora")
    address = reverse("competition_step", args=[scene.club.slug, competition.slug, "points"])
    sent = {"scheme": "plain", "win": "2", "draw": "1", "loss": "0", "missed": "2"}
    refused = client.post(address, sent)
    assert "at most an average" in refused.text
    client.post(address, {**sent, "missed": "1"})
    competition = Competition.objects.get(pk=competition.pk)
    assert competition.points["missed"] == "1"
    assert client.get(address).context["form"]["missed"].value() == "1"


def test_rounds_can_be_left_out_and_else_nothing_is_finished(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    dora = scene.users["dora"]
    with pytest.raises(Conflict, match="Not all rounds are drawn"):
        competitions.finish(actor=dora, competition=competition)
    (blocker,) = endings.of_competition(competition, at=timezone.now() + timedelta(days=9)).blockers
    assert blocker.text.startswith("Not all rounds are drawn")
    assert rounds.leave_out(actor=dora, competition=competition, reason="The hall closes") == 2
    competitions.finish(actor=dora, competition=competition)


def test_more_rounds_than_opponents_still_has_draws(scene):
    _competition, division = swiss(scene, pairs=3, planned=5)
    for number in range(1, 6):
        if number > 1:
            drawn_next(scene, division, number)
        decide(division, number)
    assert rounds.next_round(division) is None


def test_only_a_director_draws(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    for name in ("anna", "sam"):
        with pytest.raises(NotAllowed):
            rounds.publish(actor=scene.users[name], division=division, number=2, at=timezone.now(), seen=seen)


def test_a_season_of_all_at_once_has_no_round_to_draw(scene):
    with pytest.raises(Conflict, match="all at once"):
        rounds.publish(
            actor=scene.users["dora"], division=scene.division, number=1, at=timezone.now(), seen=""
        )


@pytest.mark.parametrize("planned", [-1, 31])
def test_the_number_of_rounds_has_bounds(scene, planned):
    with pytest.raises(Invalid, match="1 to 30"):
        swiss(scene, planned=planned)


# --- Pages ------------------------------------------------------------------------------------------------------


def client_of(scene, name):
    client = Client()
    client.force_login(scene.users[name])
    return client


def test_the_page_says_at_each_table_who_cannot_play_that_day(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    address = reverse("round_draw", args=[scene.club.slug, competition.slug, division.pk, 2])
    day = division.stage.rounds.get(number=2).starts_on
    pages = client_of(scene, "dora")
    first, *others = pages.get(address).context["proposal"].tables
    away, elsewhere = first.away.lineup.players[0], others[0].home.lineup.players[0]
    for number, (player, when) in enumerate(((away, day), (elsewhere, day + timedelta(days=1)))):
        player.user = factories.user(f"away{number}@example.org")
        player.save()
        DayAway.objects.create(user=player.user, day=when)
    page = pages.get(address)
    assert page.context["away"] == {1: [away], **{table.number: [] for table in others}}
    assert page.text.count("can’t play:") == 1
    assert f"1 player can’t play: {away}" in page.text
    drawn_next(scene, division, 2)
    why = reverse("round_why", args=[scene.club.slug, competition.slug, 2, division.pk])
    assert "can’t play" not in pages.get(why).text


def test_a_director_draws_changes_and_publishes_on_the_page(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    client = client_of(scene, "dora")
    where = [scene.club.slug, competition.slug]
    address = reverse("round_draw", args=[*where, division.pk, 2])
    assert address in client.get(reverse("competition_manage", args=where)).text
    page = client.get(address)
    proposal = page.context["proposal"]
    assert "This is the best possible draw" in page.text
    by_number = {entry.number: entry.pk for entry in division.entries.all()}
    sent = {"tables": proposal.written, "one": by_number[2], "other": by_number[4]}
    changed = client.post(address, sent)
    assert "There are more repeat meetings." in changed.text
    mine = changed.context["proposal"]
    nobody = client.post(address, {**sent, "one": "", "tables": mine.written})
    assert nobody.status_code == 422
    odd = client.post(address, {**sent, "tables": "1-2"})
    assert odd.status_code == 422
    assert "Please start this draw again" in odd.text
    done = client.post(address, {"publish": "1", "seen": mine.digest, "tables": mine.written}, follow=True)
    assert "Drawn: Round 2" in done.text
    assert RoundDraw.objects.get().is_changed
    assert "Undo the draw" in client.get(address).text
    back = client.post(address, {"take_back": "1", "reason": "Wrong"}, follow=True)
    assert "You have undone the draw." in back.text
    left = client.post(address, {"leave_out": "1", "reason": "No time"}, follow=True)
    assert "left out" in left.text


def test_everybody_can_ask_why(scene):
    competition, division = swiss(scene, pairs=7)
    where = [scene.club.slug, competition.slug]
    assert "drawn when the one before" in Client().get(reverse("round", args=[*where, 2])).text
    decide(division, 1)
    drawn_next(scene, division, 2)
    address = reverse("round_why", args=[*where, 2, division.pk])
    assert address in Client().get(reverse("round", args=[*where, 2])).text
    page = Client().get(address)
    assert page.status_code == 200
    assert not page.context["how"].is_otherwise
    by_number = {entry.number: entry.pk for entry in division.entries.all()}
    met = Client().get(address, {"who": by_number[1], "whom": by_number[4]})
    assert "There are more repeat meetings." in met.text
    out = Client().get(address, {"who": by_number[1], "whom": ""})
    assert "sat out" in out.text
    assert Client().get(address, {"who": "x", "whom": "y"}).status_code == 200
    assert Client().get(reverse("round_why", args=[*where, 3, division.pk])).status_code == 404
    # A correction doesn't change what was published, and the page says that it would be another draw today.
    for fixture in Fixture.objects.filter(division=division, round__number=1).with_pairs():
        ahead = fixture.home.number < fixture.away.number
        factories.decided(fixture, scores=(10, 90) if ahead else (90, 10))
    assert "With today’s results the draw would be different" in Client().get(address).text


def test_opponents_points_count_the_own_for_a_round_not_played(scene):
    _competition, division = swiss(scene, pairs=3, planned=2)
    decide(division, 1)
    rows = {row.entry: row for row in compute_table(read_facts(division)).rows}
    sat_out = next(row for row in rows.values() if row.byes)
    assert sat_out.metrics["opponents_score"] == Fraction(2)
    won = next(row for row in rows.values() if row.won)
    assert won.metrics["opponents_score"] == 0
    assert won.metrics["opponents_score_cut1"] == 0


def ask(scene, division, entry, number, actor=None):
    return rounds.ask_to_sit_out(
        actor=actor or scene.users["dora"], entry=entry, number=number, at=timezone.now()
    )


def test_f29_who_asks_to_sit_out_is_not_paired_and_has_half_a_win_once(scene):
    _competition, division = swiss(scene, pairs=6, planned=4)
    decide(division, 1)
    first, second = division.entries.filter(number__in=[1, 2])
    ask(scene, division, first, 2)
    ask(scene, division, second, 2)
    with pytest.raises(Conflict, match="only once"):
        ask(scene, division, first, 3)
    drawn_next(scene, division, 2)
    assert tables(division, 2) == [{3, 4}, {5, 6}]
    decide(division, 2)
    rows = {row.entry: row for row in compute_table(read_facts(division)).rows}
    assert rows[first.pk].metrics["league_points"] == 2 + 1
    assert rows[first.pk].byes == 1
    how = explained.how_drawn(division, division.stage.rounds.get(number=2))
    assert [each.pk for each in how.proposal.resting] == [first.pk, second.pk]
    assert how.proposal.bye is None
    assert not how.is_otherwise
    # Points without playing (F20): of an odd number neither of them sits out again while another can.
    withdrawals.withdraw(
        actor=scene.users["dora"],
        entry=division.entries.get(number=3),
        reason="ill",
        at=timezone.now(),
    )
    drawn_next(scene, division, 3)
    bye = division.stage.rounds.get(number=3).appearances.byes().get()
    assert bye.entry_id not in {first.pk, second.pk}


def test_f29_nobody_sits_out_of_a_round_that_is_drawn_or_the_last(scene):
    competition, division = swiss(scene, pairs=6, planned=3)
    entry = division.entries.get(number=1)
    for number, words in ((1, "drawn already"), (3, "last round"), (9, "no such round")):
        with pytest.raises(Conflict, match=words):
            ask(scene, division, entry, number)
    ask(scene, division, entry, 2)
    rounds.play_after_all(actor=scene.users["dora"], entry=entry, number=2)
    with pytest.raises(Conflict, match="Nobody asked"):
        rounds.play_after_all(actor=scene.users["dora"], entry=entry, number=2)
    with pytest.raises(NotAllowed):
        ask(scene, division, entry, 2, actor=scene.users["anna"])
    actions = AuditEntry.objects.filter(competition=competition).values_list("action", flat=True)
    assert {"round.bye_asked", "round.bye_taken_back"} <= set(actions)


def test_f29_a_wish_that_comes_while_a_round_is_drawn_makes_the_proposal_stale(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    proposal = rounds.propose(division=division, round_=division.stage.rounds.get(number=2))
    ask(scene, division, division.entries.get(number=6), 2)
    with pytest.raises(Conflict, match="changed since"):
        rounds.publish(
            actor=scene.users["dora"], division=division, number=2, at=timezone.now(), seen=proposal.digest
        )


def test_f29_a_pair_asks_on_the_page_of_the_round_and_takes_it_back(scene):
    competition, division = swiss(scene)
    entry = division.entries.get(number=2)
    player = Client()
    player.force_login(factories.account_of(entry.lineup))
    page = reverse("round", args=[scene.club.slug, competition.slug, 2])
    assert "Sit out of this round" in player.get(page).text
    assert "0 of 0 matches" not in player.get(page).text
    calendar = reverse("competition_fixtures", args=[scene.club.slug, competition.slug])
    assert (
        player.get(calendar).text.count("Can’t play in this round?") == competition.stage.rounds.count() - 2
    )
    assert "Can’t play in this round?" not in Client().get(calendar).text
    other = reverse(
        "round_sit_out", args=[scene.club.slug, competition.slug, 2, division.entries.get(number=3).pk]
    )
    assert player.post(other).status_code == 403
    own = reverse("round_sit_out", args=[scene.club.slug, competition.slug, 2, entry.pk])
    assert f"{escape(entry)} will sit out." in player.post(own, follow=True).text
    assert f"{escape(entry)} asked to sit out of this round." in Client().get(page).text
    assert f"{escape(entry)} will play." in player.post(own, {"play": "1"}, follow=True).text
    assert not entry.requested_byes.exists()


@pytest.mark.parametrize(
    ("pairs", "planned", "said"),
    [
        (9, 5, "far weaker opponents in the end"),
        (9, 7, "too many"),
        (6, 5, "as many rounds as opponents"),
        (6, 6, "more rounds than opponents: from round 6 on"),
        (5, 5, "as many rounds as opponents"),
        (5, 6, "more rounds than opponents: from round 6 on"),
        (12, 3, "too few"),
    ],
)
def test_f10_the_number_of_rounds_is_judged_in_one_sentence(scene, pairs, planned, said):
    competition, _division = swiss(scene, pairs=pairs, planned=planned)
    _advised, judged, _evenings = explained.advice(competition)
    assert said in judged


def test_f9_who_meet_are_told_why_table_and_home(scene):
    competition, division = swiss(scene, pairs=7, planned=4)
    decide(division, 1)
    drawn_next(scene, division, 2)
    second = Fixture.objects.filter(division=division, round__number=2).with_pairs().order_by("pk")
    first, bye = second[0], division.stage.rounds.get(number=2).appearances.byes().get().entry
    address = reverse("round_why", args=[scene.club.slug, competition.slug, 2, division.pk])
    for who, whom in ((first.home_id, first.away_id), (first.away_id, first.home_id)):
        found = Client().get(address, {"who": who, "whom": whom}).context["asked"]
        assert found.is_drawn
        assert "They had not met." in found.because
        assert "4 entries have this score: the upper half meets the lower half" in found.because
        assert "so this is table 1" in found.because
        assert f"{first.home} are at home" in found.because
    out = Client().get(address, {"who": bye.pk, "whom": ""}).context["asked"]
    assert out.because.endswith("are number 7 of 7.")
    player = Client()
    player.force_login(factories.account_of(first.home.lineup))
    mine = player.get(reverse("my")).text
    assert escape(f"{address}?who={first.home_id}&whom={first.away_id}#why") in mine
    assert "Why them?" in mine


def test_f3_a_correction_changes_neither_tables_nor_homes_of_a_published_draw(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    drawn_next(scene, division, 2)
    published = [
        (each.table, each.home_id, each.away_id)
        for each in Fixture.objects.filter(division=division, round__number=2).with_pairs().order_by("pk")
    ]
    for fixture in Fixture.objects.filter(division=division, round__number=1).with_pairs():
        ahead = fixture.home.number < fixture.away.number
        factories.decided(fixture, scores=(10, 90) if ahead else (90, 10))
    how = explained.how_drawn(division, division.stage.rounds.get(number=2))
    assert [(str(each.number), each.home.pk, each.away.pk) for each in how.tables] == published
    first = Fixture.objects.filter(division=division, round__number=1).with_pairs().order_by("pk")
    assert [each.table for each in first] == ["1", "2", "3"]


def test_f14_one_behind_a_round_is_drawn_from_the_rounds_before_the_last(scene):
    _competition, division = swiss(scene, planned=4, terms={"one_behind": True})
    proposal = rounds.propose(division=division, round_=division.stage.rounds.get(number=2))
    assert proposal.missing == ()
    decide(division, 1)
    again = rounds.propose(division=division, round_=division.stage.rounds.get(number=2))
    assert again.digest == proposal.digest, "nobody waits, and no result of that round makes it stale"
    drawn_next(scene, division, 2)
    met = [two for number in (1, 2) for two in tables(division, number)]
    assert all(one != other for index, one in enumerate(met) for other in met[:index])
    # Round 3 is drawn from round 1 alone: 1, 2 and 3 have won, whatever comes of round 2.
    third = rounds.propose(division=division, round_=division.stage.rounds.get(number=3))
    scores = {third.entries[int(key)].number: score for key, score in third.field.scores.items()}
    assert scores == {1: 2, 2: 2, 3: 2, 4: 0, 5: 0, 6: 0}
    assert third.missing == ()
    drawn_next(scene, division, 3)
    with pytest.raises(Conflict, match="no result yet"):
        drawn_next(scene, division, 4)


def test_f21_in_the_last_rounds_opponents_may_meet_again_but_not_at_once(scene):
    _competition, division = swiss(scene, pairs=4, planned=4, terms={"repeats": 2})
    for number in (1, 2):
        decide(division, number)
        allowed = rounds.propose(
            division=division, round_=division.stage.rounds.get(number=number + 1)
        ).field.repeats_allowed
        assert allowed == (number + 1 > 2)
        drawn_next(scene, division, number + 1)
    before, last = (tables(division, number) for number in (2, 3))
    assert not [two for two in last if two in before]
    # Of rounds that are left out none is one of the last any more.
    rounds.leave_out(actor=scene.users["dora"], competition=division.competition, reason="Late")
    assert division.competition.stages.get().options["repeats"] == 1
    assert not explained.how_drawn(division, division.stage.rounds.get(number=3)).is_otherwise


@pytest.mark.parametrize(
    "terms",
    [{"repeats": -1}, {"repeats": 31}, {"repeats": True}, {"one_behind": 1}, {"jump": 1}, {"repeats": "x"}],
)
def test_terms_of_a_swiss_have_bounds(scene, terms):
    with pytest.raises(Invalid):
        swiss(scene, terms=terms)


def test_f29_a_requested_bye_is_worth_ten_of_twenty_victory_points():
    teams = read_scheme({"by": "teams", "walkover": {"winner": 12, "loser": 0}, "bye": 12})
    assert (teams.bye, teams.requested_bye) == (12, 10)
    assert read_scheme({"bye": 2}).requested_bye == 1


def test_f9_f33_a_table_that_the_director_chose_is_not_explained_by_the_rules(scene):
    _competition, division = swiss(scene)
    decide(division, 1)
    second = division.stage.rounds.get(number=2)
    of = {entry.number: entry.pk for entry in division.entries.all()}
    proposal = rounds.propose(division=division, round_=second)
    rounds.publish(
        actor=scene.users["dora"],
        division=division,
        number=2,
        at=timezone.now(),
        seen=proposal.digest,
        tables=rounds.exchanged(proposal, of[2], of[6]),
    )
    how = explained.how_drawn(division, second)
    first, sixth, second_best = (str(of[number]) for number in (1, 6, 2))
    together = explained.asked(how, first, sixth).because
    assert "The director changed the proposal." in together
    assert "without making another table worse" not in together
    apart = explained.asked(how, first, second_best).because
    assert "the director changed the proposal" in apart
    assert "drawing lots" not in apart


def test_f3_a_draw_that_stands_has_no_button_to_undo_it(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    drawn_next(scene, division, 2)
    client = director_of(competition)
    address = reverse("round_draw", args=[competition.club.slug, competition.slug, division.pk, 2])
    assert 'name="take_back"' in client.get(address).text
    decide(division, 2)
    page = client.get(address).text
    assert 'name="take_back"' not in page
    assert "You can no longer draw again" in page


def test_f30_the_preview_of_a_late_entry_says_from_which_round_they_play(scene):
    competition, division = swiss(scene)
    decide(division, 1)
    client = director_of(competition)
    manage = reverse("competition_manage", args=[competition.club.slug, competition.slug])
    assert "They also play the matches of past rounds" not in client.get(manage).text
    sent = {"division": division.pk, "lineup": factories.pair(scene.club).pk}
    page = client.post(
        reverse("competition_enter", args=[competition.club.slug, competition.slug]), sent
    ).text
    assert "They play from round 2, the next one to be drawn. Points for each earlier round: 0." in page
    assert "bye or a void match" not in page


@pytest.mark.parametrize(
    ("kind", "rounds_and_matches", "numbers"),
    [
        ("swiss", "5 entries make 4 rounds. Matches in the first: 2.", "in the first round, and later"),
        ("knockout", "5 entries make 3 rounds. Matches in the first: 1.", "They are the seeds"),
    ],
)
def test_the_set_up_says_what_is_known_of_the_rounds(scene, kind, rounds_and_matches, numbers):
    competition = factories.competition(scene.club, 5, format=kind)
    client = director_of(competition)
    pages = {
        step: client.get(
            reverse("competition_step", args=[competition.club.slug, competition.slug, step])
        ).text
        for step in ("divisions", "calendar", "preview")
    }
    assert rounds_and_matches in pages["preview"]
    assert numbers in pages["divisions"]
    assert "byes." not in pages["calendar"]
    assert ("seeds from 1 to 3 have a bye" in pages["calendar"]) == (kind == "knockout")


def test_f29_the_rules_say_what_a_bye_is_worth_that_was_asked_for(scene):
    competition, _division = swiss(scene)
    said = points_in_words(read_scheme(competition.points))
    assert "Bye: 2 points." in said
    assert "Bye that you asked for: 1 point." in said


def test_f3_tables_by_hand_that_are_as_good_are_no_correction(scene):
    _competition, division = swiss(scene)
    for fixture in Fixture.objects.filter(division=division, round__number=1).with_pairs():
        factories.result(fixture, 50, 50)
    second = division.stage.rounds.get(number=2)
    of = {entry.number: entry.pk for entry in division.entries.all()}
    proposal = rounds.propose(division=division, round_=second)
    # All are level and the halves have met: two ways are a place off at two tables, and two places at the third.
    ways = [
        ",".join(f"{of[one]}-{of[other]}" for one, other in way)
        for way in (((1, 5), (2, 6), (3, 4)), ((1, 6), (2, 4), (3, 5)))
    ]
    other = next(
        way for way in ways if rounds.propose(division=division, round_=second, tables=way).is_changed
    )
    drawn_next(scene, division, 2, tables=other)
    row = RoundDraw.objects.get(round=second)
    assert row.cost == row.least == proposal.least_cost
    assert not explained.how_drawn(division, second).is_otherwise
    corrected = Fixture.objects.filter(division=division, round__number=1).with_pairs().first()
    factories.result(corrected, 40, 40)
    assert explained.how_drawn(division, second).is_otherwise, "after a correction only the lot may differ"


def test_f9_somebody_and_themselves_is_no_question(scene):
    competition, division = swiss(scene)
    address = reverse("round_why", args=[competition.club.slug, competition.slug, 1, division.pk])
    key = division.entries.get(number=1).pk
    assert "Choose two different entries." not in Client().get(address).text
    assert "Choose two different entries." in Client().get(address, {"who": key, "whom": key}).text
