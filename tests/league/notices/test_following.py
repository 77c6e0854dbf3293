"""The next season from this one: what it takes over, twice, undone, and what stands in its way."""

from datetime import date

import pytest

from league import extension
from league.competitions.services import competitions, drafts
from league.errors import Conflict, NotAllowed
from league.manage.services import setups
from league.models import AuditEntry, Competition, DraftChange, Fixture, Role, Season
from league.seasons.queries import following as reads
from league.seasons.services import finishing, following
from league.seasons.services.finishing import Said
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.seasons.test_season_ends import LATER, by_place, director_of, fields, season

pytestmark = pytest.mark.django_db
NEXT = date(2027, 9, 6)


def finished(**fields) -> Competition:
    competition = season()
    rules = extension.game(competition.game).read_options({})
    Competition.objects.filter(pk=competition.pk).update(**{"rules": rules, **fields})
    competition.refresh_from_db()
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    return competition


def begun(competition, **changes) -> Competition:
    given = {"name": "League", "season": "2027/28", "starts_on": NEXT, **changes}
    return following.begin(actor=DIRECTOR, competition=competition, at=LATER, **given)


def entered(competition):
    """The lineups of each division in the order of their numbers."""
    return [
        [entry.lineup_id for entry in division.entries.order_by("number")]
        for division in competition.stage.divisions.order_by("level")
    ]


def test_everybody_plays_where_the_finish_said():
    competition = finished()
    upper, lower = by_place(competition)
    made = begun(competition)
    assert entered(made) == [
        [entry.lineup_id for entry in (*upper[:3], lower[0])],
        [entry.lineup_id for entry in (upper[3], *lower[1:])],
    ]
    assert (made.state, made.follows_id) == ("draft", competition.pk)
    assert [(each.promoted, each.relegated) for each in made.stage.divisions.order_by("level")] == [
        (0, 1),
        (1, 0),
    ]
    assert AuditEntry.objects.filter(action="season.followed", competition=competition).count() == 1


def test_rules_points_and_calendar_come_along_and_breaks_move_a_year():
    kept = {
        "points": {"win": "3", "draw": "1", "loss": "0"},
        "visibility": "members",
        "days_off": [["2026-12-20", "2027-01-04"], ["2027-02-28", "2027-02-28"]],
        "due_days": 5,
        "correction_hours": 1,
        "place": "The Old School",
    }
    competition = finished(**kept)
    made = begun(competition)
    for name in ("rules", "points", "tie_breaks", "visibility", "due_days", "place", "play_time", "format"):
        assert getattr(made, name) == getattr(competition, name), name
    assert made.days_off == [["2027-12-20", "2028-01-04"], ["2028-02-28", "2028-02-28"]]
    assert made.season.name == "2027/28"
    again = competitions.setup_of(made)
    assert following.moved(made, name=made.name, season="2027/28", starts_on=NEXT) == again


def test_the_proposal_keeps_the_weekday_and_names_the_season():
    competition = finished(name="Winter League 2026/27")
    found = reads.proposed(competition, today=date(2027, 6, 1))
    assert (found.name, found.season, found.starts_on) == ("Winter League 2027/28", "2027/28", NEXT)
    # One that was found again after years is not proposed in the past.
    assert reads.proposed(competition, today=date(2031, 6, 1)).starts_on == date(2031, 9, 1)


def test_a_season_without_a_year_in_its_name_goes_by_the_clubs_year():
    competition = finished()
    Season.objects.filter(pk=competition.season_id).update(name="The First")
    competition.club.year_begins = 1
    competition.club.save()
    competition = Competition.objects.get(pk=competition.pk)
    assert reads.proposed(competition, today=date(2027, 6, 1)).season == "2027"
    made = begun(competition, season="")
    assert (made.season.name, made.season.starts_on) == ("2027", date(2027, 1, 1))


def test_f90_beginning_twice_has_the_effect_of_once():
    competition = finished()
    assert begun(competition) == begun(competition, name="Another")
    assert Competition.objects.filter(follows=competition).count() == 1


def test_deleting_the_draft_leaves_nothing_over_and_it_can_come_back():
    competition = finished()
    made = begun(competition)
    before = (entered(made), made.season.name, made.name)
    seasons = Season.objects.count()
    competitions.discard(actor=DIRECTOR, competition=made)
    assert Competition.objects.count() == 1
    assert Season.objects.count() == seasons - 1
    restored = drafts.bring_back(actor=DIRECTOR, change=DraftChange.objects.get(action=drafts.DELETED))
    assert (entered(restored), restored.season.name, restored.name) == before
    assert restored.follows_id == competition.pk
    competitions.discard(actor=DIRECTOR, competition=restored)
    assert entered(begun(competition)) == before[0]


def test_a_draft_that_was_deleted_is_no_second_next_season():
    competition = finished()
    competitions.discard(actor=DIRECTOR, competition=begun(competition))
    other = begun(competition)
    restored = drafts.bring_back(actor=DIRECTOR, change=DraftChange.objects.get(action=drafts.DELETED))
    assert restored.follows_id is None
    assert other.follows_id == competition.pk


def test_who_left_or_withdrew_is_not_entered():
    competition = season()
    upper, lower = by_place(competition)
    said = Said(plans={upper[0].pk: ("leaves", None)})
    finishing.prepare(actor=DIRECTOR, competition=competition, said=said, at=LATER)
    competition.entries.filter(pk=lower[3].pk).update(withdrawn_at=LATER)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    there = {key for level in entered(begun(competition)) for key in level}
    assert {upper[0].lineup_id, lower[3].lineup_id}.isdisjoint(there)
    assert len(there) == 6


def test_a_player_in_two_pairs_is_named():
    competition = season()
    upper, _lower = by_place(competition)
    anna = upper[0].lineup.players[0]
    new = factories.pair(competition.club, anna)
    finishing.prepare(actor=DIRECTOR, competition=competition, said=Said(newcomers={new.pk: None}), at=LATER)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    with pytest.raises(Conflict, match=f"{anna} is already entered"):
        begun(competition)
    assert not Competition.objects.filter(follows=competition).exists()


def test_a_running_season_has_no_next_one():
    with pytest.raises(Conflict, match="Finish this competition first"):
        begun(season())


def test_nothing_is_published_while_the_last_season_is_open_again():
    competition = finished()
    made = begun(competition)
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A sheet was wrong")
    with pytest.raises(Conflict, match="was reopened"):
        setups.publish(actor=DIRECTOR, competition=made)
    assert not Fixture.objects.of_competition(made.pk).exists()
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    setups.publish(actor=DIRECTOR, competition=made)
    with pytest.raises(Conflict, match="is published"):
        finishing.reopen(actor=DIRECTOR, competition=competition, reason="Too late")


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER, None])
def test_only_directors_begin_it(role):
    competition = finished()
    actor = factories.member(competition.club, role) if role else factories.user()
    with pytest.raises(NotAllowed):
        following.begin(actor=actor, competition=competition, name="x", season="", starts_on=NEXT, at=LATER)


def test_a_director_begins_it_on_the_page():
    competition = finished()
    client, manage = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/"
    assert "Set up the next season" in client.get(manage).content.decode()
    page = client.get(f"{manage}next-season/")
    sent = fields(page)
    assert sent["season"] == "2027/28"
    refused = client.post(f"{manage}next-season/", {**sent, "starts_on": "", "name": "Kept"})
    assert refused.status_code == 422
    assert "Kept" in refused.content.decode()
    assert client.post(f"{manage}next-season/", {**sent, "starts_on": "9999-12-31"}).status_code == 422
    assert client.post(f"{manage}next-season/", {**sent, "season": "x" * 61}).status_code == 422
    assert not Competition.objects.filter(follows=competition).exists()
    done = client.post(f"{manage}next-season/", sent, follow=True)
    assert "is now a draft" in done.content.decode()
    made = Competition.objects.get(follows=competition)
    assert client.get(f"{manage}next-season/").status_code == 302
    assert f"Next season: {made}" in client.get(manage).content.decode()


def test_a_running_season_sends_the_page_to_its_end():
    competition = season()
    client = director_of(competition)
    page = client.get(f"/clubs/riverside/{competition.slug}/manage/next-season/")
    assert page.url == f"/clubs/riverside/{competition.slug}/manage/finish/"


@pytest.mark.parametrize("state", ["draft", "running", "finished"])
def test_any_competition_can_be_copied_with_entries_or_without(state):
    competition = factories.competition(
        factories.club(slug="riverside"), divisions=2, days_off=[["2026-12-20", "2027-01-04"]]
    )
    gone = competition.entries.first()
    gone.withdrawn_at = LATER
    gone.save()
    competitions.set_state(competition, state)
    given = {"name": "Copy", "season": "", "starts_on": date(2027, 9, 6)}
    bare = following.copy(actor=DIRECTOR, competition=competition, with_entries=False, **given)
    full = following.copy(actor=DIRECTOR, competition=competition, with_entries=True, **given)
    assert entered(bare) == [[], []]
    first, second = entered(competition)
    assert entered(full) == [[key for key in first if key != gone.lineup_id], second]
    assert (full.state, full.follows, bare.slug, full.slug) == ("draft", None, "copy", "copy-2")
    assert full.days_off == [["2027-12-20", "2028-01-04"]]
    assert AuditEntry.objects.filter(action="competition.copied").count() == 2


def test_a_swiss_copy_keeps_its_rounds_and_within_a_year_breaks_stay():
    club = factories.club()
    swiss = factories.competition(club, format="swiss", days_off=[["2027-03-01", "2027-03-07"]])
    swiss.stage.choose_format("swiss", 7)
    swiss.stage.save()
    made = following.copy(
        actor=DIRECTOR, competition=swiss, name="x", season="", starts_on=date(2027, 2, 1), with_entries=True
    )
    assert (made.format, made.planned_rounds) == ("swiss", 7)
    assert made.days_off == [["2027-03-01", "2027-03-07"]]


def test_a_director_copies_on_the_page_and_others_cannot():
    competition = factories.running(factories.club(slug="riverside"))
    client, url = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/copy/"
    sent = fields(client.get(url))
    assert client.post(url, {**sent, "name": ""}).status_code == 422
    assert client.post(url, {**sent, "with_entries": "on"}).status_code == 302
    made = Competition.objects.get(state="draft")
    assert entered(made) == entered(competition)
    with pytest.raises(NotAllowed):
        following.copy(
            actor=factories.member(competition.club),
            competition=competition,
            name="x",
            season="",
            starts_on=NEXT,
            with_entries=False,
        )
