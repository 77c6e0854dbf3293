"""How a competition ends: what blocks it, everybody's way to the next season, and taking it back (F80 to F90)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.draws.services import lots
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Competition, Division, FinalPlace, Fixture, Role, SeasonEnd
from league.results.queries import standings_view
from league.seasons.queries import ending as endings
from league.seasons.queries import verification
from league.seasons.services import finishing
from league.seasons.services.finishing import Said
from league.standings.services import standings
from tests.kept_scenes import kept
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db
LATER = datetime.now(UTC) + timedelta(days=30)


@kept
def season(pairs: int = 4) -> Competition:
    """Two divisions, one up and one down, in which the lower number always wins; every match has its result."""
    competition = factories.running(
        factories.club(slug="riverside", name="Riverside"), pairs=pairs, divisions=2
    )
    Division.objects.filter(stage__competition=competition, level=1).update(relegated=1)
    Division.objects.filter(stage__competition=competition, level=2).update(promoted=1)
    for fixture in Fixture.objects.of_competition(competition.pk):
        first, second = fixture.home, fixture.away
        factories.result(fixture, *((60, 40) if first.number < second.number else (40, 60)))
    return competition


def by_place(competition):
    """The entries of each division in the order of the table."""
    found = {}
    for entry in competition.entries.with_pairs().order_by("division__level", "number"):
        found.setdefault(entry.division.level, []).append(entry)
    return found[1], found[2]


def ways(competition):
    return {row.lineup_id: row.way for row in FinalPlace.objects.filter(end__competition=competition)}


def test_f81_finishing_writes_places_and_movements_down():
    competition = season()
    upper, lower = by_place(competition)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    assert competition.state == "finished"
    rows = {row.entry_id: row for row in FinalPlace.objects.all()}
    assert [rows[entry.pk].place for entry in (*upper, *lower)] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert rows[upper[3].pk].way == "relegated"
    assert rows[upper[3].pk].next_level == 2
    assert rows[lower[0].pk].way == "promoted"
    assert rows[lower[0].pk].next_level == 1
    assert {rows[entry.pk].way for entry in (*upper[:3], *lower[1:])} == {"stays"}
    # Who stays by place, then who comes down (F84).
    second = sorted((row for row in rows.values() if row.next_level == 2), key=lambda row: row.next_number)
    assert [row.entry_id for row in second] == [upper[3].pk, *(entry.pk for entry in lower[1:])]
    assert AuditEntry.objects.filter(action="season.closed").count() == 1


def test_f90_closing_twice_has_the_effect_of_once():
    competition = season()
    first = finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    again = finishing.finish(actor=DIRECTOR, competition=competition, at=LATER + timedelta(days=1))
    assert (again.pk, again.closed_at) == (first.pk, LATER)
    assert SeasonEnd.objects.count() == 1
    assert AuditEntry.objects.filter(action="season.closed").count() == 1


def test_f81_not_before_the_last_correction_window():
    competition = season()
    last = Fixture.objects.order_by("-decided_at").first().decided_at
    with pytest.raises(Conflict, match="can still be corrected until"):
        finishing.finish(actor=DIRECTOR, competition=competition, at=last + timedelta(hours=47))
    finishing.finish(actor=DIRECTOR, competition=competition, at=last + timedelta(hours=49))


def test_an_open_match_blocks_and_is_told():
    competition = season()
    Fixture.objects.filter(pk=Fixture.objects.first().pk).update(status="scheduled", decided_at=None)
    with pytest.raises(Conflict, match="1 match has no result"):
        finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    assert not FinalPlace.objects.exists()


def test_f82_a_shared_place_across_a_boundary_blocks_until_lots_are_drawn():
    competition = season()
    upper, _lower = by_place(competition)
    for fixture in Fixture.objects.filter(division=upper[0].division):
        for side in fixture.appearances.all():
            side.score, side.rank = 50, 1
            side.save()
    found = endings.of_competition(competition, at=LATER)
    assert found.moves == ()
    assert "share a place" in found.blockers[0].text
    assert all(str(entry) in found.blockers[0].text for entry in upper)
    lots.draw(actor=DIRECTOR, division=upper[0].division, entries=upper)
    assert endings.of_competition(competition, at=LATER).blockers == ()


def test_f83_a_playoff_blocks_until_its_winner_is_entered():
    competition = season()
    upper, lower = by_place(competition)
    finishing.prepare(
        actor=DIRECTOR, competition=competition, said=Said(playoffs=[(1, None, None)]), at=LATER
    )
    with pytest.raises(Conflict, match="has no winner yet"):
        finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    said = Said(playoffs=[(1, lower[1].pk, upper[2].pk)])
    finishing.prepare(actor=DIRECTOR, competition=competition, said=said, at=LATER)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    told = ways(competition)
    assert told[lower[1].lineup_id] == "promoted"
    assert told[upper[2].lineup_id] == "relegated"
    move = next(
        each for each in endings.of_competition(competition, at=LATER).moves if each.entry == lower[1]
    )
    assert move.rule == "won the play-off"
    standings.compute(competition_id=competition.pk, at=LATER)
    competition.refresh_from_db()
    shown = standings_view.of_competition(competition, AnonymousUser(), at=LATER)
    assert [[row.band for row in division.rows] for division in shown] == [
        ["", "", "relegated", "relegated"],
        ["promoted", "promoted", "", ""],
    ]


def test_f85_to_f87_leaving_declining_newcomers_and_who_is_placed():
    competition = season()
    upper, lower = by_place(competition)
    new = factories.pair(competition.club)
    placed = factories.pair(competition.club)
    said = Said(
        plans={upper[0].pk: ("leaves", None), lower[0].pk: ("declines", None)},
        newcomers={new.pk: None, placed.pk: 1},
        reason="Won the county's first division",
    )
    finishing.prepare(actor=DIRECTOR, competition=competition, said=said, at=LATER)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    told = ways(competition)
    assert told[upper[0].lineup_id] == "left"
    assert told[lower[0].lineup_id] == "declined"
    assert told[upper[3].lineup_id] == "reprieved"
    assert told[new.pk] == "new"
    assert told[placed.pk] == "placed"
    first = FinalPlace.objects.get(next_level=1, next_number=1)
    assert first.lineup_id == placed.pk
    assert first.reason == "Won the county's first division"
    assert FinalPlace.objects.get(lineup=new).next_level == 2


def test_what_cannot_be_meant_is_refused():
    competition = season()
    upper, lower = by_place(competition)
    other = factories.pair(factories.club())
    for said, words in (
        (Said(plans={upper[0].pk: ("placed", 3)}, reason="x"), "one of the divisions"),
        (Said(plans={upper[0].pk: ("placed", 2)}), "why you place"),
        (Said(newcomers={other.pk: None}), "Choose from the list"),
        (Said(newcomers={upper[0].lineup_id: None}), "Choose from the list"),
        (Said(playoffs=[(1, None, upper[0].pk)]), "who won and who lost"),
        (Said(playoffs=[(2, None, None)]), "who won and who lost"),
        (Said(playoffs=[(1, upper[0].pk, upper[0].pk)]), "who won and who lost"),
        (Said(playoffs=[(1, lower[1].pk, None)] * 2), "who won and who lost"),
        (Said(playoffs=[(1, None, None)] * 9), "at most 8 places"),
        (Said(sizes=[0, 4]), "number of places"),
        (Said(reason=" \N{NO-BREAK SPACE}", plans={lower[0].pk: ("placed", 1)}), "why you place"),
    ):
        with pytest.raises(Invalid, match=words):
            finishing.prepare(actor=DIRECTOR, competition=competition, said=said, at=LATER)
    assert not SeasonEnd.objects.exists()


def test_f90_it_is_undone_until_the_next_season_is_published():
    competition = season()
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    with pytest.raises(Invalid, match="reason"):
        finishing.reopen(actor=DIRECTOR, competition=competition, reason="")
    assert SeasonEnd.objects.get().closed_at == LATER
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A sheet was wrong")
    assert SeasonEnd.objects.get().closed_at is None
    assert not FinalPlace.objects.exclude(way="").exists()
    undone = AuditEntry.objects.get(action="season.undone")
    assert undone.reason == "A sheet was wrong"
    assert len(undone.before["places"]) == 8
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    following = factories.competition(competition.club, follows=competition)
    Competition.objects.filter(pk=following.pk).update(state="running")
    for act in (
        lambda: finishing.reopen(actor=DIRECTOR, competition=competition, reason="Too late"),
        lambda: finishing.prepare(actor=DIRECTOR, competition=competition, said=Said(), at=LATER),
    ):
        with pytest.raises(Conflict, match="is published"):
            act()


def test_after_finishing_who_leaves_changes_the_movements():
    competition = season()
    upper, _lower = by_place(competition)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    said = Said(plans={upper[0].pk: ("leaves", None)})
    finishing.prepare(actor=DIRECTOR, competition=competition, said=said, at=LATER)
    assert ways(competition)[upper[0].lineup_id] == "left"
    assert ways(competition)[upper[3].lineup_id] == "reprieved"


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER, None])
def test_only_directors_finish(role):
    competition = season()
    actor = factories.member(competition.club, role) if role else factories.user()
    for act in (
        lambda: finishing.finish(actor=actor, competition=competition, at=LATER),
        lambda: finishing.prepare(actor=actor, competition=competition, said=Said(), at=LATER),
        lambda: finishing.reopen(actor=actor, competition=competition, reason="x"),
    ):
        with pytest.raises(NotAllowed):
            act()


def director_of(competition) -> Client:
    client = Client()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    return client


def fields(page):
    """What the form on the page would send unchanged."""
    form = page.context["form"]
    sent = {}
    for name in form.fields:
        value = form[name].value()
        if value is True:
            sent[name] = "on"
        elif value not in (None, False):
            sent[name] = value
    return sent


def test_a_director_finishes_on_the_page():
    competition = season()
    upper, lower = by_place(competition)
    Fixture.objects.update(decided_at=LATER - timedelta(days=90))
    client, url = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/finish/"
    page = client.get(url)
    text = page.content.decode()
    assert "Ready to finish" in text
    assert "bottom of" in text
    old = page.context["ending"].digest
    sent = {**fields(page), f"plan_{lower[0].pk}": "declines", f"plan_{upper[1].pk}": "placed-2"}
    refused = client.post(url, sent)
    assert refused.status_code == 422
    assert "why you place" in refused.content.decode()
    assert client.post(url, {**sent, "reason": "They asked for it"}).status_code == 302
    page = client.get(url)
    assert page.context["form"][f"plan_{upper[1].pk}"].value() == "placed-2"
    stale = client.post(url, {"finish": "1", "seen": old}, follow=True)
    assert "Something has changed" in stale.content.decode()
    done = client.post(url, {"finish": "1", "seen": page.context["ending"].digest}, follow=True)
    assert "The table is final" in done.content.decode()
    assert ways(competition)[lower[0].lineup_id] == "declined"
    client.post(url.replace("finish", "state"), {"to": "running", "reason": "A mistake"})
    competition.refresh_from_db()
    assert competition.state == "running"
    assert not FinalPlace.objects.exclude(way="").exists()


def test_one_division_needs_no_boundaries():
    competition = factories.running(factories.club(slug="single"), pairs=3)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    Fixture.objects.update(decided_at=LATER - timedelta(days=90))
    page = director_of(competition).get(f"/clubs/single/{competition.slug}/manage/finish/")
    assert page.status_code == 200
    assert {move.way for move in page.context["ending"].moves} == {"stays"}
    assert "play-off" not in page.content.decode()


def test_final_places_are_recomputed_and_what_does_not_follow_is_told():
    competition = season()
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    assert list(verification.differences(competition=competition)) == []
    Competition.objects.filter(pk=competition.pk).update(correction_hours=24 * 60)
    competition.refresh_from_db()
    assert list(verification.differences(competition=competition)) == [], "corrections were over then"
    promoted = FinalPlace.objects.get(way="promoted")
    FinalPlace.objects.filter(pk=promoted.pk).update(way="stays")
    (told,) = verification.differences(competition=competition)
    assert told.place == f"{competition}, entry {promoted.entry_id}: the final place"
    assert "promoted" in told.computed
    FinalPlace.objects.filter(pk=promoted.pk).update(way="promoted")
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A sheet was wrong")
    competition.refresh_from_db()
    assert list(verification.differences(competition=competition)) == [], "nothing is final while it runs"
