"""A later stage for places of the one before: its seeds, and the points that count on (F1, F8, F40, F82)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from league.competitions.services import competitions, drafts
from league.draws.services import draws, lots, rounds
from league.entries.services import adjustments
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Competition, DraftChange, Fixture, Role, Stage
from league.seasons.services import stages
from league.seasons.services.stages import LaterStage
from league.standings import brackets
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from tests.league import factories

pytestmark = pytest.mark.django_db

DAY = factories.NOW.date()


@pytest.fixture
def club():
    return factories.club(time_zone="Europe/Dublin")


def finished(club, pairs=6, divisions=1, **fields):
    """A round robin in which the lower number wins every match."""
    league = factories.running(club, pairs, divisions, name="Spring League", **fields)
    for each in Fixture.objects.of_competition(league.pk).with_pairs():
        better = each.home.number < each.away.number
        factories.result(each, *((60, 40) if better else (40, 60)))
    competitions.finish(actor=factories.DIRECTOR, competition=league)
    return Competition.objects.get(pk=league.pk)


def begin(league, **data):
    wanted = {"name": "Final", "starts_on": DAY, "format": "swiss", "last": 4, **data}
    return stages.begin(actor=factories.DIRECTOR, competition=league, data=LaterStage(**wanted))


def lineups(competition):
    return list(competition.entries.order_by("number").values_list("lineup", flat=True))


def table(competition):
    return compute_table(read_facts(competition.stage.divisions.get()))


def points(competition):
    rows = {row.entry: row.league_points for row in table(competition).rows}
    return [rows[each.pk] for each in competition.entries.order_by("number")]


def test_f1_f40_the_places_give_the_seeds_of_a_cup(club):
    league = finished(club)
    cup = begin(league, format="knockout")
    assert lineups(cup) == lineups(league)[:4]
    assert (cup.stage.after, cup.state) == (league.stage, Competition.State.DRAFT)
    draws.draw(actor=factories.DIRECTOR, competition=cup)
    met = [(e.home.number, e.away.number) for e in Fixture.objects.of_competition(cup.pk).with_pairs()]
    assert sorted(met) == [(1, 4), (2, 3)]


def test_f1_of_several_divisions_the_firsts_come_before_the_seconds(club):
    league = finished(club, 3, divisions=2)
    cup = begin(league, format="knockout", last=2)
    upper, lower = (
        list(each.entries.order_by("number")) for each in league.stage.divisions.order_by("level")
    )
    wanted = [upper[0], lower[0], upper[1], lower[1]]
    assert lineups(cup) == [each.lineup_id for each in wanted]
    consolation = begin(league, name="Consolation", first=3, last=3)
    assert lineups(consolation) == [upper[2].lineup_id, lower[2].lineup_id]


@pytest.mark.parametrize(
    ("carry_over", "share"), [("none", Fraction(0)), ("half", Fraction(1, 2)), ("all", Fraction(1))]
)
def test_f8_points_count_on_in_the_table_and_are_explained(club, carry_over, share):
    league = finished(club)
    final = begin(league, carry_over=carry_over)
    # Five matches each: 10, 8, 6 and 4 points.
    assert points(final) == [share * each for each in (10, 8, 6, 4)]
    factories.drawn(final)
    page = Client().get(reverse("competition", args=[club.slug, final.slug])).text
    assert "A later stage of" in page
    assert ("count on" in page) == bool(share)
    standings.compute(competition_id=final.pk, at=factories.NOW)
    row = table(final).rows[0]
    said = [(line.source.value, line.reason) for line in row.contributions if line.reason]
    half = " × ½" if carry_over == "half" else ""
    assert said == ([("carried", f"Spring League, 10{half}")] if share else [])
    page = Client().get(reverse("competition", args=[club.slug, final.slug])).text
    assert ("Carried over, +" in page) == bool(share)
    assert not list(differences(competition=final))


def test_f11_f12_the_first_round_is_drawn_by_the_points_that_count_on(club):
    final = begin(finished(club), carry_over="all", first=1, last=6)
    factories.drawn(final)
    first = Fixture.objects.of_competition(final.pk).filter(round__number=1).with_pairs()
    # Nobody shares a score, so neighbours meet; without points it would be 1–4, 2–5, 3–6.
    assert {frozenset(entry.number for entry in each.entries) for each in first} == {
        frozenset((1, 2)),
        frozenset((3, 4)),
        frozenset((5, 6)),
    }
    second = rounds.next_round(final.stage.divisions.get())
    field = rounds.field_of(final.stage.divisions.get(), second, read_facts(final.stage.divisions.get()))
    # Without results each match of the first counts as a draw.
    assert sorted(field.scores.values()) == [1, 3, 5, 7, 9, 11]


def test_f8_a_correction_of_the_stage_before_counts_on_too(club):
    league = finished(club)
    final = begin(league, carry_over="all")
    factories.drawn(final)
    before = final.results_version
    competitions.reopen(actor=factories.DIRECTOR, competition=league, reason="A sum was wrong")
    first = league.entries.get(number=1)
    adjustments.adjust(actor=factories.DIRECTOR, entry=first, points="-3", reason="Late")
    final.refresh_from_db()
    assert final.results_version > before
    assert points(final) == [7, 8, 6, 4]


def test_f8_points_are_carried_on_the_new_stages_scale(club):
    scheme = {"win": 20, "draw": 10, "loss": 0}
    final = begin(finished(club), carry_over="half")
    wanted = replace(competitions.setup_of(final), points=scheme)
    competitions.edit(actor=factories.DIRECTOR, competition=final, data=wanted)
    final = Competition.objects.get(pk=final.pk)
    assert points(final) == [50, 40, 30, 20]
    assert table(final).rows[0].contributions[0].reason == "Spring League, 10 × 10 × ½"


def test_f8_a_draft_may_not_become_what_points_cannot_be_carried_into(club):
    final = begin(finished(club), carry_over="all")
    wanted = replace(competitions.setup_of(final), format="knockout")
    with pytest.raises(Invalid, match="no points to begin with"):
        competitions.edit(actor=factories.DIRECTOR, competition=final, data=wanted)
    assert Competition.objects.get(pk=final.pk).format == "swiss"


@pytest.mark.parametrize(
    ("before", "later", "is_named"),
    [("members", "public", False), ("members", "members", True), ("public", "members", True)],
)
def test_a_public_table_does_not_name_the_members_competition_before_it(club, before, later, is_named):
    league = finished(club)
    final = begin(league, carry_over="all")
    Competition.objects.filter(pk=league.pk).update(visibility=before)
    Competition.objects.filter(pk=final.pk).update(visibility=later)
    final = Competition.objects.get(pk=final.pk)
    (line,) = [line for line in table(final).rows[0].contributions if line.reason]
    assert line.reason == ("Spring League, 10" if is_named else "10")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"format": "knockout", "carry_over": "all"}, "no points to begin with"),
        ({"format": "ladder", "carry_over": "half"}, "no points to begin with"),
        ({"first": 3, "last": 2}, "places such as"),
        ({"first": 0}, "places such as"),
        ({"first": 6, "last": 6}, "two entries or more"),
        ({"first": 7, "last": 60}, "two entries or more"),
        ({"carry_over": "most"}, "carry_over|choice|valid"),
        ({"format": "chess"}, "."),
    ],
)
def test_bad_stages_are_refused_in_words_and_leave_nothing(club, data, said):
    league = finished(club)
    with pytest.raises(Invalid, match=said):
        begin(league, **data)
    assert Competition.objects.count() == 1


def test_f82_a_place_shared_on_the_line_must_be_settled_first(club):
    league = factories.running(club, 4)
    for each in Fixture.objects.of_competition(league.pk).with_pairs():
        factories.result(each, 50, 50)
    with pytest.raises(Conflict, match="Finish this competition first"):
        begin(league, last=2)
    competitions.finish(actor=factories.DIRECTOR, competition=league)
    with pytest.raises(Conflict, match="share a place on the line"):
        begin(league, last=2)
    division = league.stage.divisions.get()
    competitions.reopen(actor=factories.DIRECTOR, competition=league, reason="Lots")
    lots.draw(actor=factories.DIRECTOR, division=division)
    competitions.finish(actor=factories.DIRECTOR, competition=league)
    assert begin(league, last=2).entries.count() == 2


def test_who_withdrew_gives_the_place_to_the_next(club):
    league = finished(club)
    league.entries.filter(number=2).update(withdrawn_at=factories.NOW)
    cup = begin(league, format="knockout", last=2)
    assert lineups(cup) == [lineups(league)[0], lineups(league)[2]]


def test_after_a_cup_the_losers_of_the_first_round_can_play_a_plate(club):
    cup = factories.running(club, 4, format="knockout")
    for each in Fixture.objects.of_competition(cup.pk).with_pairs():
        factories.result(each, 60, 40)
    Competition.objects.filter(pk=cup.pk).update(state="finished", points=brackets.POINTS)
    Stage.objects.filter(competition=cup).update(state="finished")
    cup = Competition.objects.get(pk=cup.pk)
    # Its points are rounds survived: the league that follows has the usual ones.
    league = begin(cup, format="round_robin", first=1, last=4)
    assert league.points != brackets.POINTS


def test_a_draft_of_a_stage_that_is_deleted_comes_back_with_its_points(club):
    league = finished(club)
    final = begin(league, carry_over="half")
    competitions.discard(actor=factories.DIRECTOR, competition=final)
    change = DraftChange.objects.get(action=drafts.DELETED)
    final = drafts.bring_back(actor=factories.DIRECTOR, change=change)
    assert (final.stage.after, final.stage.carry_over) == (league.stage, "half")
    assert points(final) == [5, 4, 3, 2]


def test_the_page_makes_the_draft_and_only_directors_may(club):
    league = finished(club)
    address = reverse("competition_later_stage", args=[club.slug, league.slug])
    director, member = factories.member(club, Role.DIRECTOR), factories.member(club)
    client = Client()
    client.force_login(director)
    manage = client.get(reverse("competition_manage", args=[club.slug, league.slug]))
    assert address in manage.text
    assert client.get(address).status_code == 200
    sent = {
        "name": "Swiss final",
        "starts_on": DAY.isoformat(),
        "first": "1",
        "last": "4",
        "format": "knockout",
        "carry_over": "half",
    }
    refused = client.post(address, sent)
    assert refused.status_code == 422
    assert "no points to begin with" in refused.text
    assert client.post(address, {**sent, "format": "swiss"}).status_code == 302
    made = Competition.objects.get(name="Swiss final")
    assert made.stage.carry_over == "half"
    stranger = Client()
    stranger.force_login(member)
    assert stranger.get(address).status_code in {403, 404}
    with pytest.raises(NotAllowed):
        stages.begin(actor=member, competition=league, data=LaterStage("No", DAY, "swiss"))
    # Visitors learn of it when it is published.
    page = reverse("competition", args=[club.slug, league.slug])
    assert "Swiss final" not in Client().get(page).text
    factories.drawn(made)
    assert "Swiss final" in Client().get(page).text


def test_fixtures_of_the_stage_before_stay_out_of_the_later_one(club):
    league = finished(club)
    final = begin(league, carry_over="all")
    factories.drawn(final)
    first = Fixture.objects.of_competition(final.pk).filter(round__number=1).with_pairs()[0]
    factories.result(first, 70, 30)
    assert table(final).results_counted == 1
