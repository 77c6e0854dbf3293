"""Divisions beside each other at one level: set up, finished, and filled again for the next season (F80 to F88)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from engine.contest.pyramid import read_pyramid
from league.competitions.services import competitions, drafts
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import lots
from league.errors import Conflict, Invalid
from league.manage.forms.setup import DivisionsForm
from league.models import Competition, Division, DraftChange, FinalPlace, Fixture, SeasonAnswer
from league.seasons.queries import ending as endings
from league.seasons.services import finishing, following
from league.seasons.services.finishing import Said
from tests.kept_scenes import kept
from tests.league import factories
from tests.league.competitions.test_competitions import faults, set_up
from tests.league.factories import DIRECTOR
from tests.league.notices.test_following import begun, entered
from tests.league.seasons.test_season_ends import LATER, director_of, fields, ways

pytestmark = pytest.mark.django_db
NAMES = ("First", "Second A", "Second B")


@kept
def season() -> Competition:
    """First above Second A and Second B, four pairs each: two go down, one comes up from each. Lower numbers win."""
    competition = factories.competition(
        factories.club(slug="riverside", name="Riverside"), divisions=3, rules={}, visibility="members"
    )
    for division, name in zip(competition.stage.divisions.order_by("level"), NAMES, strict=True):
        is_first = name == "First"
        Division.objects.filter(pk=division.pk).update(
            name=name,
            is_parallel=name == "Second B",
            promoted=0 if is_first else 1,
            relegated=2 if is_first else 0,
        )
    factories.drawn(competition)
    for fixture in Fixture.objects.of_competition(competition.pk):
        first, second = fixture.home, fixture.away
        factories.result(fixture, *((60, 40) if first.number < second.number else (40, 60)))
    return competition


def tables(competition):
    """The entries of First, Second A and Second B by place."""
    found = [[], [], []]
    for entry in competition.entries.with_pairs().order_by("division__level", "number"):
        found[entry.division.level - 1].append(entry)
    return found


def prepared(competition, **said):
    return finishing.prepare(actor=DIRECTOR, competition=competition, said=Said(**said), at=LATER)


def finished(competition):
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    return competition


def lineups(*entries):
    return [entry.lineup_id for entry in entries]


def test_f88_one_comes_up_from_each_and_who_comes_down_is_shared_out_to_and_fro():
    competition = season()
    first, a, b = tables(competition)
    made = begun(finished(competition))
    assert entered(made) == [
        lineups(*first[:2], a[0], b[0]),
        lineups(first[2], b[1], a[2], b[3]),
        lineups(first[3], a[1], b[2], a[3]),
    ]
    assert [each.is_parallel for each in made.stage.divisions.order_by("level")] == [False, False, True]
    assert SeasonAnswer.objects.filter(competition=made).count() == 12
    told = ways(competition)
    assert {told[key] for key in lineups(a[0], b[0])} == {"promoted"}
    assert {told[key] for key in lineups(*first[2:])} == {"relegated"}
    # The second of A goes over to B: they stay in their level.
    assert told[a[1].lineup_id] == "stays"
    assert FinalPlace.objects.get(entry=a[1]).next_level == 3
    rules = {move.entry: move.rule for move in endings.of_competition(competition, at=LATER).moves}
    assert rules[a[1]] == "shared out among Second A / Second B by their places"
    assert (rules[a[2]], rules[b[2]]) == ("", "")


def test_the_engine_is_asked_for_levels_with_the_divisions_beside_each_other():
    competition = season()
    first, a, b = tables(competition)
    following_season = read_pyramid(
        {
            "levels": [
                {"size": 4, "divisions": {"First": [[e.pk] for e in first]}, "down": 2},
                {"size": 4, "divisions": {"B": [[e.pk] for e in b], "A": [[e.pk] for e in a]}, "up": 1},
            ],
            "leaving": [first[0].pk],
            "declines": [b[0].pk],
            "new": ["X", "Y"],
        }
    ).close()
    new = [factories.pair(competition.club) for _each in range(2)]
    found = prepared(
        competition,
        plans={first[0].pk: ("leaves", None), b[0].pk: ("declines", None)},
        newcomers={each.pk: None for each in new},
    )
    names = {"X": new[0].pk, "Y": new[1].pk} | {e.pk: e.lineup_id for e in (*first, *a, *b)}
    assert [[move.lineup.pk for move in each.moves] for each in found.divisions] == [
        [names[key] for key in taken]
        for level in following_season.divisions
        for _name, taken in sorted(level.items())
    ]
    assert {move.lineup.pk: move.way for move in found.moves} == {
        names[key]: way.name.lower() for key, way in following_season.ways.items()
    }


def test_f84_equal_places_stand_by_points_a_match():
    competition = season()
    first, a, b = tables(competition)
    assert prepared(competition, sizes=[3, 4]).divisions[0].moves[-1].entry == a[0]
    # Second A's best has won one match fewer.
    lost = Fixture.objects.of_competition(competition.pk).filter(division=a[0].division)[0]
    for side in lost.appearances.all():
        side.rank, side.score = 1, 50
        side.save()
    found = endings.of_competition(competition, at=LATER)
    assert found.divisions[0].moves[-1].entry == b[0]
    by_way = {move.way: move for move in found.moves if move.entry in (a[0], b[0])}
    assert by_way["without_room"].entry == a[0]
    assert [move.entry for move in found.divisions[0].moves] == [*first[:2], b[0]]


def test_f82_a_tie_on_the_line_of_one_of_them_blocks_and_names_it():
    competition = season()
    _first, a, b = tables(competition)
    for fixture in Fixture.objects.filter(division=b[0].division):
        for side in fixture.appearances.all():
            side.score, side.rank = 50, 1
            side.save()
    (blocker,) = endings.of_competition(competition, at=LATER).blockers
    assert blocker.text.startswith("Second B: ")
    assert all(str(entry) in blocker.text for entry in b)
    assert str(a[0]) not in blocker.text
    assert str(b[0].division_id) in blocker.url
    with pytest.raises(Conflict, match="share a place"):
        finished(competition)
    lots.draw(actor=DIRECTOR, division=b[0].division, entries=b)
    assert endings.of_competition(competition, at=LATER).blockers == ()


def test_f86_vacancies_above_two_divisions_and_what_nobody_fills():
    competition = season()
    first, a, b = tables(competition)
    found = prepared(competition, plans={each.pk: ("leaves", None) for each in first[:2]})
    assert {move.way for move in found.moves if move.entry in first[2:]} == {"reprieved"}
    found = prepared(competition, plans={first[0].pk: ("leaves", None)}, promotes=True, sizes=[4, 4])
    assert next(move for move in found.moves if move.entry == a[1]).way == "into_vacancy"
    everybody = {each.pk: ("leaves", None) for each in (*first, *a, *b)}
    assert [each.free for each in prepared(competition, plans=everybody).divisions] == [4, 0, 0]


def test_f83_a_knock_out_among_several_decides_places():
    competition = season()
    first, a, b = tables(competition)
    found = prepared(competition, playoffs=[(1, None, None), (1, None, None)], sizes=[4, 4])
    assert [each.text for each in found.blockers] == [
        "The play-off between First and Second A / Second B has no winner yet. Enter it below."
    ]
    # First's second falls to Second B's second, and Second A's third beats its fourth.
    met = [(1, b[1].pk, first[1].pk), (1, a[2].pk, None)]
    found = prepared(competition, playoffs=met, sizes=[5, 4])
    moves = {move.entry: move for move in found.moves}
    assert {(moves[each].way, moves[each].rule) for each in (b[1], a[2])} == {
        ("promoted", "won the play-off")
    }
    assert (moves[first[1]].way, moves[first[1]].rule) == ("relegated", "lost the play-off")
    assert [move.entry for move in found.divisions[0].moves] == [first[0], a[0], b[0], b[1], a[2]]
    # Who wins from above stays.
    found = prepared(competition, playoffs=[(1, first[1].pk, b[1].pk)])
    assert {move.way for move in found.moves if move.entry in (first[1], b[1])} == {"stays"}


def test_refilling_the_draft_shares_out_again():
    competition = season()
    first, a, b = tables(competition)
    made = begun(finished(competition))
    no = SeasonAnswer.objects.get(competition=made, lineup=first[2].lineup)
    following.answer(actor=DIRECTOR, row=no, is_in=False, at=LATER)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    assert entered(made) == [
        lineups(*first[:2], a[0], b[0]),
        lineups(first[3], a[2], b[2]),
        lineups(a[1], b[1], a[3], b[3]),
    ]


def test_each_hears_of_the_division_they_play_in(monkeypatch):
    competition = season()
    _first, a, _b = tables(competition)
    told = {}
    monkeypatch.setattr(
        "league.fixtures.services.telling.tell_entries", lambda *, said, **_others: told.update(said)
    )
    finished(competition)
    assert told[a[1].pk]["following"] == "Second B"
    assert (told[a[1].pk]["place"], told[a[1].pk]["of"]) == (2, 4)


# Setting up


@pytest.mark.parametrize(
    ("text", "moving", "plans"),
    [
        (
            "First\nSecond A; Second B\nThird",
            1,
            [
                ("First", 0, 2, False),
                ("Second A", 1, 1, False),
                ("Second B", 1, 1, True),
                ("Third", 2, 0, False),
            ],
        ),
        ("A;B\n\nC ; D;", 2, [("A", 0, 2, False), ("B", 0, 2, True), ("C", 2, 0, False), ("D", 2, 0, True)]),
        ("A; B\nC; D; E", 1, [("A", 0, 3, False), ("B", 0, 3, True)] + [(n, 2, 0, n != "C") for n in "CDE"]),
        ("Only", 3, [("Only", 0, 0, False)]),
    ],
)
def test_a_director_types_a_level_a_line(text, moving, plans):
    club = factories.club()
    form = DivisionsForm({"divisions": text, "moving": moving}, club=club, competition=None)
    assert form.is_valid(), form.errors
    given = form.changes()["divisions"]
    assert given == tuple(DivisionPlan(*each) for each in plans)
    made = set_up(club, divisions=given)
    shown = form.initial_of(made)
    again = DivisionsForm({**shown}, club=club, competition=made)
    assert again.is_valid()
    assert again.changes()["divisions"] == given
    assert competitions.setup_of(made).divisions == given


@pytest.mark.parametrize(
    ("plans", "place"),
    [
        ((DivisionPlan("A", is_parallel=True),), ("divisions", 0, "is_parallel")),
        ((DivisionPlan("A"), DivisionPlan("B", promoted=1, is_parallel=True)), ("divisions", 1, "promoted")),
    ],
)
def test_what_cannot_be_beside_is_told(plans, place):
    with pytest.raises(Invalid) as refusal:
        set_up(divisions=plans)
    assert place in faults(refusal)


def test_the_database_has_no_first_division_beside_another():
    division = season().stage.divisions.get(level=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Division.objects.filter(pk=division.pk).update(is_parallel=True)


def test_undoing_an_act_on_a_draft_brings_levels_back():
    made = set_up(divisions=(DivisionPlan("A"), DivisionPlan("B"), DivisionPlan("C", is_parallel=True)))
    data = competitions.setup_of(made)
    flat = tuple(DivisionPlan(name) for name in "ABC")
    competitions.edit(actor=DIRECTOR, competition=made, data=replace(data, divisions=flat))
    assert not made.stage.divisions.filter(is_parallel=True).exists()
    change = DraftChange.objects.filter(competition_id=made.pk).latest("pk")
    drafts.undo(actor=DIRECTOR, change=change)
    assert made.stage.divisions.get(is_parallel=True).name == "C"


# The page


def test_a_director_finishes_levels_on_the_page():
    competition = season()
    Fixture.objects.update(decided_at=LATER - timedelta(days=90))
    first, a, _b = tables(competition)
    client, url = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/finish/"
    page = client.get(url)
    text = page.content.decode()
    assert "Places in First" in text
    assert "is placed in Second A / Second B" in text
    assert "Below First" in text
    assert "Below Second A" not in text
    sent = {**fields(page), f"plan_{first[0].pk}": "placed-2", "reason": "They asked for it"}
    assert client.post(url, sent).status_code == 302
    page = client.get(url)
    assert page.context["form"][f"plan_{first[0].pk}"].value() == "placed-2"
    client.post(url, {"finish": "1", "seen": page.context["ending"].digest})
    assert FinalPlace.objects.get(entry=first[0]).next_level == 2
    assert ways(competition)[a[0].lineup_id] == "promoted"


def test_a_director_enters_who_won_a_knock_out_on_the_page():
    competition = season()
    Fixture.objects.update(decided_at=LATER - timedelta(days=90))
    first, a, b = tables(competition)
    client, url = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/finish/"
    sent = fields(client.get(url))
    assert client.post(url, {**sent, "playoffs_1": "2"}).status_code == 302
    page = client.get(url)
    assert "has no winner yet" in page.content.decode()
    assert "Winner of place 2" in page.content.decode()
    sent = fields(page)
    for wrong, words in (
        ({"loser_1_2": first[1].pk}, "Choose who won, too."),
        ({"playoffs_1": "1", "winner_1_2": a[1].pk}, "Say how many places were played for."),
        ({"winner_1_1": a[1].pk, "winner_1_2": a[1].pk}, "each once"),
        ({"playoffs_1": "9"}, "8"),
    ):
        refused = client.post(url, {**sent, **wrong})
        assert refused.status_code == 422, wrong
        assert words in refused.content.decode()
    given = {"winner_1_1": a[1].pk, "loser_1_1": first[1].pk, "winner_1_2": b[1].pk}
    assert client.post(url, {**sent, **given}).status_code == 302
    page = client.get(url)
    assert {page.context["form"][name].value() for name in given} == set(given.values())
    assert page.context["ending"].moves
