"""What directors decide about entries and competitions, by programs: the same as on the pages."""

from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Adjustment, AuditEntry, Competition, Entry, FinalPlace, Fixture, LotDraw, Role
from tests.api.same_rows import browser, left_by
from tests.league import factories
from tests.league.competitions.test_competitions import set_up
from tests.league.competitions.test_parallel_divisions import season as parallel_season
from tests.league.seasons.test_season_ends import by_place, fields, season

pytestmark = pytest.mark.django_db
BECAUSE = {"reason": "They moved away"}


def at(kind, thing, *parts) -> str:
    return "/".join([f"/api/v1/{kind}", str(thing.pk), *map(str, parts), ""])


def page_of(name, thing) -> str:
    competition = thing if isinstance(thing, Competition) else thing.competition
    own = [] if thing is competition else [thing.pk]
    return reverse(name, args=[competition.club.slug, competition.slug, *own])


def entry_of(league) -> Entry:
    return Entry.objects.with_pairs().get(pk=league.fixture.home.pk)


# Entries


def test_a_withdrawal_is_foreseen_decided_once_and_taken_back(program, league) -> None:
    entry, director = entry_of(league), program(league.director)
    here = at("entries", entry, "withdraw")
    seen = director.get(here).json()
    assert (seen["rule"], seen["played"]) == ("removed", 0)
    assert len(seen["voided"]) == seen["matches"]
    key = {"HTTP_IDEMPOTENCY_KEY": "gone"}
    for _twice in range(2):
        assert director.post(here, BECAUSE, **key).json()["withdrawn_at"]
    assert AuditEntry.objects.filter(action="entry.withdrawn").count() == 1
    assert set(Fixture.objects.of_entry(entry.pk).values_list("pk", flat=True)) == set(seen["voided"])
    assert director.post(here, BECAUSE).status_code == 409
    assert director.get(here).status_code == 404, "nothing left to foresee"
    assert director.post(at("entries", entry, "reinstate"), BECAUSE).json()["withdrawn_at"] is None
    assert director.post(at("entries", entry, "reinstate"), BECAUSE).status_code == 409


def test_a_player_changes_for_the_season_and_back(program, league) -> None:
    entry, director = entry_of(league), program(league.director)
    here, absent = at("entries", entry, "substitute"), entry.lineup.players[0]
    new = factories.player(league.club, "Nina New")
    seen = director.get(here).json()
    assert (seen["absent"], len(seen["passing"])) == (None, 3)
    given = {"absent": absent.pk, "substitute": new.pk, **BECAUSE}
    told = director.post(here, given).json()
    assert (told["absent"]["id"], told["substitute"]["name"]) == (absent.pk, "Nina New")
    assert director.post(here, given).status_code == 409
    assert director.post(f"{here}back/", BECAUSE).json()["substitute"] is None
    assert director.post(f"{here}back/", BECAUSE).status_code == 409
    other = league.fixture.away.lineup.players[0]
    for body in ({**given, "absent": other.pk}, {**given, "substitute": other.pk}):
        assert director.post(here, body).status_code == 422


def test_points_are_given_listed_and_taken_back(program, league) -> None:
    entry, director = entry_of(league), program(league.director)
    here, key = at("entries", entry, "adjustments"), {"HTTP_IDEMPOTENCY_KEY": "late"}
    given = {"points": "-1/2", **BECAUSE}
    first = director.post(here, given, **key).json()
    assert (first["points"], first["revoked_at"]) == ("-1/2", None)
    assert director.post(here, given, **key).json() == first
    assert [each["id"] for each in director.get(here).json()] == [first["id"]]
    revoke = f"/api/v1/adjustments/{first['id']}/revoke/"
    assert director.post(revoke, BECAUSE).json()["revoked_at"]
    assert director.post(revoke, BECAUSE).status_code == 409
    for points in ("", "x", "0", "1001", "1/0", "9" * 13):
        assert director.post(here, {**BECAUSE, "points": points}).status_code in {400, 422}
    assert Adjustment.objects.count() == 1


def test_lots_are_drawn_among_those_named(program, league) -> None:
    division, director = league.fixture.division, program(league.director)
    here = at("divisions", division, "lots")
    tied = list(division.entries.values_list("pk", flat=True))[:3]
    made = director.post(here, {"entries": tied}).json()
    assert sorted(made["order"]) == sorted(tied)
    assert director.get(here).json() == [made]
    elsewhere = factories.running(league.club, pairs=2).entries.first()
    assert elsewhere is not None
    assert director.post(here, {"entries": [tied[0], elsewhere.pk]}).status_code == 422
    for entries in ([], [tied[0]], ["x", "y"], [0, 1], 7, [10**30, 1]):
        assert director.post(here, {"entries": entries}).status_code == 400
    assert LotDraw.objects.count() == 1


def test_only_who_directs_the_club_decides(program, league) -> None:
    entry, division = entry_of(league), league.fixture.division
    given = Adjustment.objects.create(entry=entry, points="1", reason="Fair play")
    bodies = {
        at("entries", entry, "withdraw"): BECAUSE,
        at("entries", entry, "reinstate"): BECAUSE,
        at("entries", entry, "substitute"): {"absent": 1, "substitute": 1, **BECAUSE},
        at("entries", entry, "substitute", "back"): BECAUSE,
        at("entries", entry, "adjustments"): {"points": "1", **BECAUSE},
        at("adjustments", given, "revoke"): BECAUSE,
        at("divisions", division, "lots"): {"entries": [1, 2]},
        at("competitions", league.competition, "state"): {"to": "deleted"},
        at("competitions", league.competition, "ending"): {},
        at("competitions", league.competition, "finish"): {"seen": "x"},
    }
    strange = factories.member(factories.club(), Role.OWNER)
    for who in (league.home, league.scorer, strange):
        for address, body in bodies.items():
            assert program(who).post(address, body).status_code == 403, address
    for address in bodies:
        assert program(league.director).post(address, {"no": "field"}).status_code == 400, address
    Competition.objects.update(visibility="club")
    for address, body in bodies.items():
        assert program(strange).post(address, body).status_code == 404, address


# The end


def test_a_season_is_planned_finished_and_reopened(program) -> None:
    competition = season()
    Fixture.objects.update(decided_at=timezone.now() - timedelta(days=90))
    upper, lower = by_place(competition)
    director = program(factories.member(competition.club, Role.DIRECTOR))
    here = at("competitions", competition, "ending")
    seen = director.get(here).json()
    assert (seen["blockers"], seen["state"]) == ([], "running")
    assert {each["way"] for each in seen["moves"]} >= {"promoted", "relegated"}
    plans = [
        {"entry": lower[0].pk, "plan": "declines"},
        {"entry": upper[1].pk, "plan": "placed", "level": 2},
    ]
    assert director.post(here, {"plans": plans}).status_code == 422, "a reason is missing"
    told = director.post(here, {"plans": plans, "reason": "They asked for it"}).json()
    assert told["seen"] != seen["seen"]
    finish = at("competitions", competition, "finish")
    assert director.post(finish, {"seen": seen["seen"]}).status_code == 409
    assert director.post(finish, {"seen": told["seen"]}).json()["state"] == "finished"
    assert director.post(finish, {"seen": told["seen"]}).status_code == 200, "twice has the effect of once"
    assert AuditEntry.objects.filter(action="season.closed").count() == 1
    state = at("competitions", competition, "state")
    assert director.post(state, {"to": "running"}).status_code == 422, "without a reason"
    assert director.post(state, {"to": "running", "reason": "A mistake"}).json()["state"] == "running"
    assert not FinalPlace.objects.exclude(way="").exists()


@pytest.mark.parametrize(
    "body",
    [
        {"plans": 3},
        {"plans": [{"entry": 1}]},
        {"plans": [{"entry": 1, "plan": "vanishes"}]},
        {},
        {"plans": [], "newcomers": ["x"]},
        {"plans": [], "sizes": [0]},
        {"plans": [], "playoffs": [{"winner": 1}]},
        {"plans": [], "playoffs": {"upper": 1}},
        {"plans": [], "promotes": "perhaps"},
        {"plans": [], "level": 2},
        [1],
    ],
)
def test_what_is_no_plan_is_refused(program, league, body) -> None:
    director = program(league.director)
    assert director.post(at("competitions", league.competition, "ending"), body).status_code == 400


def test_plans_that_cannot_be_meant_are_refused(program, league) -> None:
    director, here = program(league.director), at("competitions", league.competition, "ending")
    own = entry_of(league)
    for body in (
        {"plans": [{"entry": 10**9, "plan": "leaves"}]},
        {"plans": [{"entry": own.pk, "plan": "placed", "level": 9}], **BECAUSE},
        {"plans": [{"entry": own.pk, "plan": "placed"}], **BECAUSE},
        {"plans": [], "newcomers": [own.lineup_id]},
        {"plans": [], "sizes": [4, 4]},
        {"plans": [], "playoffs": [{"upper": 1, "winner": own.pk}]},
    ):
        assert director.post(here, body).status_code == 422, body


def test_a_draft_is_published_as_it_was_seen_or_deleted(program) -> None:
    club = factories.club()
    director = program(factories.member(club, Role.DIRECTOR))
    first, second = factories.competition(club, pairs=4), factories.competition(club, pairs=4)
    here, key = at("competitions", first, "state"), {"HTTP_IDEMPOTENCY_KEY": "go"}
    now = director.get(here).json()
    assert now == {"id": first.pk, "state": "draft", "newest": 0}
    assert director.post(here, {"to": "running", "seen": 7}).status_code == 409
    for _twice in range(2):
        assert director.post(here, {"to": "running", "seen": 0}, **key).json()["state"] == "running"
    assert director.post(here, {"to": "deleted"}).status_code == 409
    assert director.get(at("competitions", second, "ending")).status_code == 404
    gone = director.post(at("competitions", second, "state"), {"to": "deleted"})
    assert gone.json()["state"] == "deleted"
    assert not Competition.objects.filter(pk=second.pk).exists()


# The same as the pages


@pytest.mark.one_database
def test_decisions_about_an_entry_leave_what_the_pages_leave(program, league) -> None:
    entry, page, client = entry_of(league), browser(league.director), program(league.director)
    new = factories.player(league.club, "Nina New")
    change = {"absent": entry.lineup.players[0].pk, "substitute": new.pk, **BECAUSE}
    points = {"points": "-1", **BECAUSE}

    def both(name, address, given, *, row, thing=entry) -> None:
        by_page = left_by(partial(page.post, page_of(name, thing), given))
        assert {row, "AuditEntry"} <= set(by_page)
        assert by_page == left_by(partial(client.post, address, given))
        client.post(address, given)

    both("entry_substitute", at("entries", entry, "substitute"), change, row="SeasonSubstitute")
    both("entry_substitute", at("entries", entry, "substitute", "back"), BECAUSE, row="SeasonSubstitute")
    both("entry_adjust", at("entries", entry, "adjustments"), points, row="Adjustment")
    made = Adjustment.objects.get()
    revoke = reverse("adjustment_revoke", args=[league.club.slug, league.competition.slug, made.pk])
    by_page = left_by(partial(page.post, revoke, BECAUSE))
    assert "Adjustment" in by_page
    assert by_page == left_by(partial(client.post, at("adjustments", made, "revoke"), BECAUSE))
    both("entry_withdraw", at("entries", entry, "withdraw"), BECAUSE, row="Entry")
    both("entry_reinstate", at("entries", entry, "reinstate"), BECAUSE, row="Entry")


@pytest.mark.one_database
def test_lots_leave_what_the_page_leaves(program, league, monkeypatch) -> None:
    monkeypatch.setattr("league.draws.services.lots.new_seed", lambda: "seed")
    page, client, division = browser(league.director), program(league.director), league.fixture.division
    given = {"entries": list(division.entries.values_list("pk", flat=True))}
    of_page = reverse("division_lots", args=[league.club.slug, league.competition.slug, division.pk])
    by_page = left_by(partial(page.post, of_page, given))
    assert "LotDraw" in by_page
    assert by_page == left_by(partial(client.post, at("divisions", division, "lots"), given))


@pytest.mark.one_database
def test_finishing_publishing_and_deleting_leave_what_the_pages_leave(program) -> None:
    competition = season()
    Fixture.objects.update(decided_at=timezone.now() - timedelta(days=90))
    who = factories.member(competition.club, Role.DIRECTOR)
    page, client, here = browser(who), program(who), at("competitions", competition, "ending")
    of_page = page_of("competition_finish", competition)
    _upper, lower = by_place(competition)
    sent = {**fields(page.get(of_page)), f"plan_{lower[0].pk}": "declines"}
    sizes = [each["size"] for each in client.get(here).json()["levels"]]
    plans = {"plans": [{"entry": lower[0].pk, "plan": "declines"}], "sizes": sizes}
    by_page = left_by(partial(page.post, of_page, sent))
    assert "FinalPlace" in by_page
    assert by_page == left_by(partial(client.post, here, plans))
    seen = {"seen": client.get(here).json()["seen"]}
    by_page = left_by(partial(page.post, of_page, {"finish": "1", **seen}))
    assert "FinalPlace" in by_page
    finish = at("competitions", competition, "finish")
    assert by_page == left_by(partial(client.post, finish, seen))
    client.post(finish, seen)
    draft = factories.competition(competition.club, pairs=4)
    for thing, given in (
        (competition, {"to": "running", **BECAUSE}),
        (draft, {"to": "running"}),
        (draft, {"to": "deleted"}),
    ):
        by_page = left_by(partial(page.post, page_of("competition_state", thing), given))
        assert "AuditEntry" in by_page
        assert by_page == left_by(partial(client.post, at("competitions", thing, "state"), given))


def test_divisions_beside_each_other_are_set_up_and_end_as_one_level(program) -> None:
    competition = parallel_season()
    director = program(factories.member(competition.club, Role.DIRECTOR))
    told = director.get(f"/api/v1/competitions/{competition.pk}/").json()
    assert [each["is_parallel"] for each in told["divisions"]] == [False, False, True]
    ending = director.get(f"/api/v1/competitions/{competition.pk}/ending/").json()
    assert [each["level"] for each in ending["levels"]] == [1, 2, 2]
    first = competition.entries.order_by("division__level", "number")[0]
    body = {"plans": [{"entry": first.pk, "plan": "placed", "level": 3}], "reason": "x"}
    refused = director.post(f"/api/v1/competitions/{competition.pk}/ending/", body)
    assert refused.status_code == 422, "there are two levels"
    made = set_up(competition.club)
    given = [
        {"name": "A", "relegated": 2},
        {"name": "B", "promoted": 1},
        {"name": "C", "promoted": 1, "is_parallel": True},
    ]
    answered = director.post(f"/api/v1/competitions/{made.pk}/setup/", {"divisions": given})
    assert answered.status_code == 200, answered.json()
    assert [each["is_parallel"] for each in answered.json()["setup"]["divisions"]] == [False, False, True]


def test_who_keeps_the_place_of_partners_who_part_is_said_by_a_program(program) -> None:
    competition = season()
    _upper, lower = by_place(competition)
    new = factories.pair(competition.club, lower[0].lineup.players[0])
    director, here = (
        program(factories.member(competition.club, Role.DIRECTOR)),
        at("competitions", competition, "ending"),
    )
    kept = {"entry": lower[0].pk, "pair": new.pk}
    assert director.post(here, {"plans": [], "kept": [{**kept, "is_ruling": True}]}).status_code == 422
    assert director.post(here, {"plans": [], "kept": [{**kept, "pair": 10**9}]}).status_code == 422
    assert director.post(here, {"plans": [], "kept": [{"entry": lower[0].pk}]}).status_code == 400
    told = director.post(here, {"plans": [], "kept": [kept]}).json()
    (move,) = [each for each in told["moves"] if each["entry"] == lower[0].pk]
    assert (move["pair"], move["plays"]) == (lower[0].lineup_id, new.pk)
    (entry,) = [each for level in told["levels"] for each in level["entries"] if each["entry"] == lower[0].pk]
    assert (entry["kept_by"], entry["is_ruling"]) == (new.pk, False)
