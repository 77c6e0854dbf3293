"""Rankings with handicap beside the ones as played (rule F150)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.comparisons import handicaps
from games.comparisons.reckoning import rankings
from games.comparisons.services import comparisons
from games.models import GradeStart, HandicapGrade, HiddenGrade
from games.sessions import services as evenings
from league.competitions.services import competitions, drafts
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import entries
from league.errors import Invalid
from league.models import Competition, Fixture
from tests.games.evening_rooms import AT, begin, club_with_director, play_round
from tests.games.evening_rooms import draft as evening_draft
from tests.league import factories

pytestmark = pytest.mark.django_db
DIRECTOR = factories.DIRECTOR


def graded(lineup, grade: str, game: str = "concerto") -> None:
    """A director states the grade of everybody in this pair."""
    for player in lineup.players:
        GradeStart.objects.create(
            player=player, game=game, grade=grade, spread="3", day=factories.FIRST_ROUND, reason="Known",
            made_at=factories.BEFORE,
        )  # fmt: skip


def league(*grades: str, share: int = 50, hidden: int | None = None) -> Competition:
    """A running league of pairs with these grades."""
    club = factories.club()
    made = competitions.set_up(
        actor=DIRECTOR,
        club=club,
        data=Setup("League", factories.FIRST_ROUND, extra={"handicap": {"share": share}}),
    )
    division = made.stage.divisions.get()
    for number, grade in enumerate(grades):
        pair = factories.pair(club)
        graded(pair, grade)
        if number == hidden:
            HiddenGrade.objects.create(player=pair.players[0], hidden_at=factories.BEFORE)
        entries.enter(actor=DIRECTOR, division=division, lineup=pair, at=factories.BEFORE)
    draws.draw(actor=DIRECTOR, competition=made)
    competitions.publish(actor=DIRECTOR, competition=made)
    return Competition.objects.get(pk=made.pk)


def grades_of(competition: Competition) -> dict[int, str]:
    rows = HandicapGrade.objects.filter(entry__competition=competition)
    return {row.entry.number: str(row.grade) for row in rows}


def test_f150_grades_are_fixed_with_the_draw_and_never_change_after():
    competition = league("56", "50", "47.5", "50")
    assert grades_of(competition) == {1: "56.0", 2: "50.0", 3: "47.5", 4: "50.0"}
    graded(competition.entries.get(number=2).lineup, "70")
    handicaps.fix(competition=competition, at=factories.NOW)
    assert grades_of(competition)[2] == "50.0"
    deals = competition.rules["deals"]
    matches = Fixture.objects.of_competition(competition.pk).with_pairs()
    given = {
        frozenset(entry.number for entry in each.fixture.entries): (
            each.entry.number,
            each.a_deal,
            each.total,
        )
        for each in handicaps.of_matches(matches)
    }
    assert given[frozenset((1, 2))] == (2, 3, 3 * deals)
    assert given[frozenset((1, 3))] == (3, 4, 4 * deals)  # 4.25
    assert given[frozenset((2, 3))] == (3, 1, deals)  # 1.25
    assert frozenset((2, 4)) not in given


def test_f150_the_table_with_handicap_stands_beside_the_one_as_played():
    competition = league("56", "50")
    (fixture,) = Fixture.objects.of_competition(competition.pk).with_pairs()
    deals = competition.rules["deals"]
    weaker = competition.entries.get(number=2)
    # The stronger win by one point less than the start.
    won, lost = 100 + 3 * deals - 1, 100
    factories.result(fixture, *((lost, won) if fixture.home == weaker else (won, lost)))
    (listed,) = handicaps.of_competition(competition)
    assert listed.of_matches
    assert [(line.pair.entry, line.place, line.made, line.total) for line in listed.lines] == [
        (weaker.pk, "1", "0", "2"),
        (competition.entries.get(number=1).pk, "2", "2", "0"),
    ]


def test_f142_who_hides_the_grade_has_no_handicap_and_gives_none():
    competition = league("60", "50", "50", hidden=0)
    assert 1 not in grades_of(competition)
    matches = Fixture.objects.of_competition(competition.pk).with_pairs()
    assert handicaps.of_matches(matches) == ()


def test_a_late_pair_has_the_grade_of_its_day():
    competition = league("56", "50", "50", "50")
    late = factories.pair(competition.club)
    graded(late, "44")
    division = competition.stage.divisions.get()
    entries.enter(actor=DIRECTOR, division=division, lineup=late, at=factories.BEFORE)
    assert grades_of(competition)[5] == "44.0"


def test_an_evening_is_ranked_with_handicap_too():
    club, dora = club_with_director()
    evening = evening_draft(club, dora, 4)
    plan = evenings.plan_of(evening)
    assert plan.handicap == 0
    evenings.edit(actor=dora, competition=evening, data=replace(plan, handicap=50))
    for number, entry in enumerate(evening.entries.with_pairs().order_by("number")):
        graded(entry.lineup, ("58", "50", "50", "46")[number])
    evening = Competition.objects.get(pk=evening.pk)
    evenings.start(actor=dora, competition=evening, at=AT)
    evening = Competition.objects.get(pk=evening.pk)
    for number in range(1, evening.stage.rounds.count() + 1):
        begin(evening, dora, number)
        play_round(evening, number)
    comparisons.sweep(at=AT + timedelta(days=3))
    (listed,) = handicaps.of_competition(evening)
    (ranking,) = rankings.of_event(evening)
    made = {row.pair.entry: row.percent for row in ranking.rows}
    grades = {each.entry_id: each.grade for each in HandicapGrade.objects.all()}
    assert len(listed.lines) == 4
    totals = []
    for line in listed.lines:
        added = (max(grades.values()) - grades[line.pair.entry]) / 2
        total = float(made[line.pair.entry]) + float(added)
        assert abs(float(line.total) - total) < 0.006
        totals.append(total)
    assert totals == sorted(totals, reverse=True)


def test_undoing_a_change_of_a_draft_brings_the_share_back():
    competition = league("50", "50")
    club = competition.club
    made = competitions.set_up(
        actor=DIRECTOR, club=club, data=Setup("New", factories.FIRST_ROUND, extra={"handicap": {"share": 40}})
    )
    data = competitions.setup_of(made)
    competitions.edit(
        actor=DIRECTOR, competition=made, data=replace(data, extra={**data.extra, "handicap": {"share": 0}})
    )
    assert handicaps.share_of(made) == 0
    drafts.undo(actor=DIRECTOR, change=made.draft_changes.latest("pk"))
    assert handicaps.share_of(made) == 40


@pytest.mark.parametrize("share", [-1, 101, "half", 1.5, True])
def test_a_share_is_a_whole_percentage(share):
    club = factories.club()
    with pytest.raises(Invalid):
        competitions.set_up(
            actor=DIRECTOR,
            club=club,
            data=Setup("L", factories.FIRST_ROUND, extra={"handicap": {"share": share}}),
        )


def test_the_page_and_the_api_tell_it_and_without_there_is_no_page(client: Client):
    competition = league("56", "50", "50", "50")
    place = [competition.club.slug, competition.slug]
    page = client.get(reverse("handicap", args=place))
    assert page.status_code == 200
    said = page.content.decode()
    assert "get 3 points a deal" in said
    assert "With handicap" in client.get(reverse("competition", args=place)).content.decode()
    assert "second ranking with handicap" in client.get(reverse("competition", args=place)).content.decode()
    answer = client.get(f"/api/v1/competitions/{competition.pk}/handicap/").json()
    assert answer["share"] == 50
    assert answer["rankings"][0]["of_matches"]
    assert answer["matches"][0]["points_a_deal"] == 3
    without = league("56", "50", share=0)
    assert client.get(reverse("handicap", args=[without.club.slug, without.slug])).status_code == 404
    assert client.get(f"/api/v1/competitions/{without.pk}/handicap/").json()["share"] == 0
