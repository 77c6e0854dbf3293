"""A program sets a whole season up: club, people, competition, entries, calendar, draw; and publishes it."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.game import all_games, forget, register
from games.options import port_of
from league import extension
from league.competitions.services import competitions
from league.models import (
    AuditEntry,
    Club,
    Competition,
    DayAway,
    Entry,
    Fixture,
    IdempotencyKey,
    Lineup,
    Player,
    Role,
    Round,
)
from tests.api.test_people import BAD, FILE
from tests.engine.trio import TRIO
from tests.hostile.values import JSON_BODIES
from tests.league import factories
from tests.thorough import share

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def key(text: str) -> dict[str, Any]:
    return {"HTTP_IDEMPOTENCY_KEY": text}


def of(competition: Any, *parts: object) -> str:
    number = competition if isinstance(competition, int) else competition.pk
    return "/".join(["/api/v1/competitions", str(number), *map(str, parts), ""])


@pytest.fixture
def club(db: None) -> Any:
    return factories.club(place="Town Hall", weekday=1)


@pytest.fixture
def of_director(program, club) -> Any:
    return program(factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director")))


@pytest.fixture
def draft(club) -> Any:
    return factories.competition(club, pairs=4)


def place_of(answer: Any) -> list[Any]:
    place: list[Any] = answer.json()["error"]["details"][0]["place"]
    return place


def test_a_whole_season_is_set_up_by_a_program(program) -> None:
    olive = program(factories.user(name="Olive Owner"))
    made = olive.post("/api/v1/clubs/", {"name": "Hillside Club", "time_zone": "Europe/London"}, **key("1"))
    here = f"/api/v1/clubs/{made.json()['slug']}"

    batch = olive.post(f"{here}/imports/", {"kind": "players", "text": FILE}, **key("2")).json()
    assert batch["counts"]["problems"] + batch["counts"]["questions"] == len(BAD) == 4
    cells = [{"email": "vera@example.org"}, {"name": "Udo Uhl"}, {"number": "32"}, {"number": "33"}]
    lines = [{"line": 22 + n, "values": values} for n, values in enumerate(cells)]
    assert olive.post(f"{here}/imports/{batch['id']}/mend/", {"lines": lines}).json()["counts"]["new"] == 24
    assert olive.post(f"{here}/imports/{batch['id']}/commit/", {}, **key("3")).status_code == 200
    people = list(Player.objects.filter(club__slug=made.json()["slug"]).order_by("pk"))
    assert len(people) == 24

    pairs = [
        olive.post(f"{here}/pairs/", {"players": [a.pk, b.pk]}).json()["id"]
        for a, b in zip(people[:20:2], people[1:20:2], strict=True)
    ]
    body = {"name": "Autumn League", "game": "concerto"}
    season = olive.post(f"{here}/competitions/", body, **key("4"))
    assert season.status_code == 201
    assert olive.post(f"{here}/competitions/", body, **key("4")).json() == season.json()
    number = season.json()["competition"]["id"]
    assert {each["step"]: bool(each["missing"]) for each in season.json()["steps"]}["pairs"]

    two = [{"name": "Gold", "relegated": 1}, {"name": "Silver", "promoted": 1}]
    first = timezone.localdate() + timedelta(days=30)
    changes = {"divisions": two, "starts_on": str(first), "days_between_rounds": 14, "place": "Town Hall"}
    assert olive.post(of(number, "setup"), changes).json()["setup"]["divisions"] == [
        {"name": "Gold", "promoted": 0, "relegated": 1, "is_parallel": False},
        {"name": "Silver", "promoted": 1, "relegated": 0, "is_parallel": False},
    ]
    gold, silver = Competition.objects.get(pk=number).stage.divisions.order_by("level")
    typed = "\n".join(f"{a.name} & {b.name}" for a, b in zip(people[20::2], people[21::2], strict=True))
    assert olive.post(of(number, "entries"), {"pairs": pairs}).status_code == 400, "in which division?"
    entered = olive.post(
        of(number, "entries"), {"division": gold.pk, "pairs": pairs, "typed": typed}, **key("5")
    )
    assert entered.status_code == 201
    assert [len(each["entries"]) for each in entered.json()] == [12, 0]
    shared = olive.post(of(number, "numbers"), {"by": "share"}, **key("6")).json()
    assert [len(each["entries"]) for each in shared] == [6, 6]

    seen = olive.get(of(number, "setup")).json()
    proposed = olive.get(of(number, "draw")).json()
    assert (proposed["is_drawn"], proposed["matches"], len(proposed["rounds"])) == (False, 30, 5)
    assert proposed["rounds"][1]["starts_on"] == str(first + timedelta(days=14))
    assert olive.post(of(number, "publish"), {"seen": seen["newest"] - 1}).status_code == 409
    published = olive.post(of(number, "publish"), {"seen": seen["newest"]}, **key("7"))
    assert (published.status_code, published.json()["state"]) == (200, "running")
    assert olive.post(of(number, "publish"), {"seen": seen["newest"]}, **key("7")).status_code == 200
    meetings = {
        (fixture.round.number, *(each.pk for each in fixture.entries))
        for fixture in Fixture.objects.with_pairs().filter(round__stage__competition=number)
    }
    assert meetings == {
        (each["number"], *match)
        for each in proposed["rounds"]
        for drawn in each["divisions"]
        for match in drawn["matches"]
    }, "what was shown is what was published"
    assert silver.entries.count() == 6
    assert program().get(of(number)).status_code == 200


# What a competition is


def test_a_new_competition_begins_as_on_the_page(of_director, club, client) -> None:
    for game in (offered.key for offered in all_games()):
        client.force_login(factories.member(club, Role.DIRECTOR))
        page = f"/clubs/{club.slug}/desk/competitions/new/?game={game}"
        fields = client.get(page).context["form"]
        sent = {name: fields.get_initial_for_field(each, name) for name, each in fields.fields.items()}
        # A number may be 0, which is not the same as a box that is not ticked.
        data = {name: value for name, value in sent.items() if value is not None and value is not False}
        answer = client.post(page, {**data, "name": f"{game} by hand"})
        assert answer.status_code == 302, answer.context and answer.context["form"].errors
        made = of_director.post(
            f"/api/v1/clubs/{club.slug}/competitions/", {"name": f"{game} by program", "game": game}
        )
        assert made.status_code == 201
        by_hand = Competition.objects.get(name=f"{game} by hand")
        by_program = Competition.objects.get(pk=made.json()["competition"]["id"])
        one, other = (competitions.facts(each) for each in (by_hand, by_program))
        for facts in (one, other):
            del facts["name"], facts["slug"]
        assert one == other
        trail = AuditEntry.objects.filter(action="competition.set_up", competition__in=[by_hand, by_program])
        assert len({each.summary for each in trail}) == 1
    assert made.json()["setup"]["place"] == "Town Hall"
    assert date.fromisoformat(made.json()["setup"]["starts_on"]).weekday() == 1


def test_what_is_left_out_stays_and_another_game_brings_its_rules(of_director, draft) -> None:
    assert of_director.post(of(draft, "setup"), {}).status_code == 400, "it says nothing"
    named = {"name": draft.name}
    before = of_director.post(of(draft, "setup"), named).json()["setup"]
    same = of_director.post(of(draft, "setup"), named).json()
    assert same["setup"] == before
    deals = before["rules"]["deals"]
    after = of_director.post(of(draft, "setup"), {"rules": {"deals": deals + 4}}).json()["setup"]
    assert after == {**before, "rules": {**before["rules"], "deals": deals + 4}}
    points = {"win": 3, "draw": "3/2", "loss": 0}
    after = of_director.post(of(draft, "setup"), {"points": points, "tie_breaks": ["wins"]})
    assert after.status_code == 422, "an unknown key"
    other = of_director.post(of(draft, "setup"), {"points": points}).json()["setup"]
    assert other["points"] == points
    off = [{"first": "2026-12-20", "last": "2027-01-03"}]
    kept = of_director.post(of(draft, "setup"), {"days_off": off, "weekdays": [0, 2]}).json()["setup"]
    assert (kept["days_off"], kept["weekdays"]) == (off, [0, 2])
    draft.entries.all().delete()
    tute = of_director.post(of(draft, "setup"), {"game": "tute"}).json()["setup"]
    assert tute["game"] == "tute"
    assert tute["rules"].keys() != before["rules"].keys()


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        ({"name": ""}, 400, ["name"]),
        ({"nmae": "League"}, 400, ["nmae"]),
        ({"format": "evening"}, 400, ["format"]),
        ({"game": "chess"}, 400, ["game"]),
        ({"rules": {"deals": 0}}, 422, ["rules", "deals"]),
        ({"rules": {"deals": [1]}}, 400, ["rules", "deals"]),
        ({"rules": {"deals": 10**30}}, 400, ["rules", "deals"]),
        ({"rules": {"colour": 1}}, 400, ["rules", "colour"]),
        ({"extra": {"colour": {}}}, 400, ["extra", "colour"]),
        ({"extra": {"boards": {"colour": 1}}}, 400, ["extra", "boards", "colour"]),
        ({"extra": {"boards": {"together": True, "method": "none"}}}, 422, ["extra", "boards", "method"]),
        ({"extra": {"boards": 1}}, 400, ["extra", "boards"]),
        ({"divisions": []}, 422, ["divisions"]),
        ({"divisions": [{"name": f"Division {level}"} for level in range(1, 42)]}, 400, ["divisions"]),
        ({"divisions": [{"name": "A"}, {"name": "a"}]}, 422, ["divisions", 0, "name"]),
        ({"divisions": [{"name": "A", "promoted": -1}]}, 400, ["divisions", 0, "promoted"]),
        ({"starts_on": "9999-12-31"}, 400, ["starts_on"]),
        ({"starts_on": "soon"}, 400, ["starts_on"]),
        ({"days_off": [{"first": "2026-12-20"}]}, 400, ["days_off", 0, "last"]),
        ({"days_off": [{"first": "2026-12-20", "last": "2026-12-19"}]}, 422, ["days_off"]),
        ({"weekdays": [7]}, 400, ["weekdays", 0]),
        ({"points": {"win": "many"}}, 422, ["points", "win"]),
        ({"points": {"win": {"a": []}}}, 422, ["points", "win"]),
        ({"points": {"by": "luck"}}, 422, ["points", "by"]),
        ({"points": 3}, 400, ["points"]),
        ({"tie_breaks": ["luck"]}, 422, ["tie_breaks", 1]),
        ({"tie_breaks": [{}]}, 400, ["tie_breaks", 0]),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(of_director, draft, body, status, place) -> None:
    before = of_director.get(of(draft, "setup")).json()
    for address in ("setup", "setup/preview"):
        answer = of_director.post(of(draft, address), body)
        assert (answer.status_code, place_of(answer)) == (status, place), (address, answer.json())
    assert of_director.get(of(draft, "setup")).json() == before


def test_a_preview_shows_calendar_and_points_and_writes_nothing(of_director, draft) -> None:
    player = draft.entries.all()[0].lineup.players[0]
    account = factories.account_of(draft.entries.all()[0].lineup)
    DayAway.objects.create(user=account, day=date(2026, 9, 14))
    before = of_director.get(of(draft, "setup")).json()
    body = {"days_between_rounds": 7, "starts_on": "2026-09-07", "points": {"win": 4, "draw": 2, "loss": 0}}
    seen = of_director.post(of(draft, "setup", "preview"), body).json()
    assert [each["starts_on"] for each in seen["rounds"]] == ["2026-09-07", "2026-09-14", "2026-09-21"]
    assert seen["away"] == [{"day": "2026-09-14", "names": [player.name]}]
    assert seen["example"]["rows"][0]["points"] == "8"
    assert of_director.get(of(draft, "setup")).json() == before
    assert of_director.get(of(draft, "draw")).json()["away"] == seen["away"]


def test_a_semicolon_in_the_name_of_a_division_is_refused(of_director, draft) -> None:
    answer = of_director.post(of(draft, "setup"), {"divisions": [{"name": "Second A; Second B"}]})
    assert answer.status_code == 400
    assert place_of(answer) == ["divisions", 0, "name"]
    assert draft.stage.divisions.get().name != "Second A"


def test_of_a_published_competition_only_the_rest_changes(of_director, club, program) -> None:
    running = factories.competition(club, pairs=4)
    of_director.post(of(running, "setup"), {"place": "Town Hall"})
    factories.drawn(running)
    after = of_director.post(of(running, "setup"), {"name": "Renamed", "visibility": "members"})
    assert (after.status_code, after.json()["setup"]["name"]) == (200, "Renamed")
    for stake in ({"points": {"win": 5}}, {"starts_on": "2027-01-01"}, {"divisions": [{"name": "Else"}]}):
        assert of_director.post(of(running, "setup"), stake).status_code == 409, stake
    assert of_director.post(of(running, "publish"), {"seen": 0}).status_code == 409
    member = program(factories.member(club))
    for address in ("setup", "entries", "draw"):
        assert member.get(of(running, address)).status_code == 403
    assert program(factories.user()).get(of(running, "setup")).status_code == 404, "for members"


def test_changes_are_undone_unless_somebody_did_more(of_director, draft) -> None:
    of_director.post(of(draft, "setup"), {"place": "Elsewhere"})
    seen = of_director.get(of(draft, "setup")).json()
    change = seen["history"][0]
    assert (change["who"], change["is_undone"]) == ("Dora Director", False)
    undo = {"change": change["id"], "seen": seen["newest"]}
    of_director.post(of(draft, "setup"), {"place": "Third"})
    assert of_director.post(of(draft, "undo"), undo).status_code == 409
    now = of_director.get(of(draft, "setup")).json()
    undo["seen"] = now["newest"]
    done = [of_director.post(of(draft, "undo"), undo, **key("undo")) for _twice in range(2)]
    assert [each.status_code for each in done] == [200, 200]
    assert done[0].json()["setup"]["place"] == ""
    assert of_director.post(of(draft, "undo"), undo).status_code == 409
    assert of_director.post(of(draft, "undo"), {"change": 10**9, "seen": 1}).status_code == 404
    assert of_director.post(of(draft, "undo"), {"change": change["id"]}).status_code == 400


def test_a_deleted_draft_is_restored_once_a_key(of_director, club, draft, program) -> None:
    number, here = draft.pk, f"/api/v1/clubs/{club.slug}/deleted-drafts/"
    competitions.discard(actor=factories.DIRECTOR, competition=draft)
    (gone,) = of_director.get(here).json()
    assert program(factories.member(club)).post(f"{here}{gone['id']}/").status_code == 403
    back = [of_director.post(f"{here}{gone['id']}/", **key("back")) for _twice in range(2)]
    assert [each.status_code for each in back] == [201, 201]
    assert back[0].json()["competition"]["id"] == number
    assert Entry.objects.filter(competition=number).count() == 4
    assert of_director.post(f"{here}{gone['id']}/").status_code == 409
    assert of_director.get(here).json() == []


# Entries


def test_entries_come_and_go_and_are_put_in_order(of_director, club, draft):
    new = factories.pair(club)
    entered = of_director.post(of(draft, "entries"), {"pairs": [new.pk]}, **key("e"))
    assert of_director.post(of(draft, "entries"), {"pairs": [new.pk]}, **key("e")).json() == entered.json()
    (field,) = entered.json()
    assert [each["pair"]["id"] for each in field["entries"]][-1] == new.pk
    assert of_director.post(of(draft, "entries"), {"pairs": [new.pk]}).status_code == 400, "entered already"
    foreign = factories.pair(factories.club())
    for wrong in ({"pairs": [foreign.pk]}, {"pairs": [10**18]}, {"pairs": ["x"]}, {"pairs": new.pk}):
        answer = of_director.post(of(draft, "entries"), wrong)
        assert (answer.status_code, place_of(answer)[0]) == (400, "pairs"), wrong
    alone = factories.player(club)
    assert place_of(of_director.post(of(draft, "entries"), {"players": [alone.pk]})) == ["players"]
    keys = [each["entry"] for each in field["entries"]]
    division = field["division"]
    turned = {"by": "given", "divisions": [{"division": division, "entries": keys[::-1]}]}
    (field,) = of_director.post(of(draft, "numbers"), turned).json()
    assert [each["entry"] for each in field["entries"]] == keys[::-1]
    for wrong, status in (
        ({"by": "given"}, 400),
        ({"by": "lot", "divisions": turned["divisions"]}, 400),
        ({"by": "given", "divisions": [{"division": division, "entries": [10**9]}]}, 400),
        ({"by": "given", "divisions": [{"division": 10**9, "entries": keys}]}, 422),
        ({"by": "given", "divisions": turned["divisions"] * 2}, 400),
        ({"by": "age"}, 400),
    ):
        assert of_director.post(of(draft, "numbers"), wrong).status_code == status, wrong
    (field,) = of_director.post(of(draft, "numbers"), {"by": "lot"}).json()
    assert sorted(each["entry"] for each in field["entries"]) == sorted(keys)
    assert of_director.delete(of(draft, "entries", keys[0])).status_code == 204
    assert of_director.delete(of(draft, "entries", keys[0])).status_code == 404
    assert Entry.objects.filter(competition=draft).count() == 4


def test_typed_names_that_are_nearly_others_are_a_question(of_director, club, draft) -> None:
    factories.player(club, "Anna Bergmann")
    body = {"typed": "Anna Bergman & Carl Dorn"}
    asked = of_director.post(of(draft, "entries"), body, **key("q"))
    assert (asked.status_code, asked.json()["error"]["code"]) == (422, "same_person")
    assert place_of(asked) == ["typed"]
    assert not Player.objects.filter(name="Carl Dorn").exists()
    assert of_director.post(of(draft, "entries"), {"typed": "Anna"}).status_code == 422
    assert of_director.post(of(draft, "entries"), {**body, "are_different": True}).status_code == 201
    assert "Dorn" not in "".join(str(each.answer) for each in IdempotencyKey.objects.all())


def test_imported_pairs_enter_a_draft(of_director, club, draft) -> None:
    imports = f"/api/v1/clubs/{club.slug}/imports/"
    text = "player 1;player 2\nAnna Berg;Carl Dorn\nEva Novak;Luis Ito"
    batch = of_director.post(imports, {"kind": "pairs", "text": text}).json()
    done = of_director.post(f"{imports}{batch['id']}/commit/", {"competition": draft.pk})
    assert (done.status_code, done.json()["state"]) == (200, "done")
    assert draft.entries.count() == 6
    players = of_director.post(imports, {"kind": "players", "text": "name\nAda Ash"}).json()
    assert of_director.post(f"{imports}{players['id']}/commit/", {"competition": draft.pk}).status_code == 400


def test_a_late_pair_joins_as_the_preview_says(of_director, club) -> None:
    running, late = factories.running(club, pairs=5), factories.pair(club)
    Fixture.objects.update(starts_at=timezone.now() + timedelta(days=30))
    Round.objects.update(closes_at=timezone.now() + timedelta(days=40))
    body = {"pair": late.pk}
    before = Fixture.objects.count()
    ways = of_director.post(of(running, "late-entries", "preview"), body).json()
    free = next(each for each in ways if each["way"] == "free")
    assert (len(free["matches"]), free["rounds_after"]) == (5, free["rounds_before"])
    assert not Entry.objects.filter(lineup=late).exists()
    assert of_director.post(of(running, "entries"), {"pairs": [late.pk]}).status_code == 409
    assert place_of(of_director.post(of(running, "late-entries"), {**body, "way": "by air"})) == ["way"]
    assert place_of(of_director.post(of(running, "late-entries"), {})) == ["pair"]
    made = of_director.post(of(running, "late-entries"), {**body, "way": "free"}, **key("late"))
    assert made.status_code == 201
    assert (
        of_director.post(of(running, "late-entries"), {**body, "way": "free"}, **key("late")).json()
        == made.json()
    )
    entry = Entry.objects.get(lineup=late)
    assert (entry.pk, Fixture.objects.count()) == (made.json()["entry"], before + 5)
    assert {(each.round.number, {e.pk for e in each.entries} > {entry.pk}) for each in Fixture.objects.of_entry(
        entry.pk).with_pairs()} == {(each["round"], True) for each in free["matches"]}  # fmt: skip
    draft = factories.competition(club, pairs=2)
    assert of_director.post(of(draft, "late-entries"), body).status_code == 409


@pytest.fixture
def trio(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game in which everyone plays alone."""
    register(TRIO)
    monkeypatch.setattr(extension.layer(), "games", {**extension.layer().games, "trio": port_of(TRIO)})
    yield
    forget("trio")


@pytest.mark.usefixtures("trio")
def test_who_plays_alone_becomes_a_lineup_only_by_entering(of_director, club) -> None:
    body = {"name": "Singles", "game": "trio"}
    made = of_director.post(f"/api/v1/clubs/{club.slug}/competitions/", body).json()
    found = Competition.objects.get(pk=made["competition"]["id"])
    people = [factories.player(club) for _each in range(9)]
    entered = of_director.post(of(found, "entries"), {"players": [each.pk for each in people[:8]]})
    assert entered.status_code == 201
    assert place_of(of_director.post(of(found, "entries"), {"pairs": [1]})) == ["pairs"]
    drawn = of_director.post(of(found, "draw"), {"order": "lot"})
    assert drawn.status_code == 200
    count = Lineup.objects.count()
    of_director.post(of(found, "late-entries", "preview"), {"player": people[8].pk})
    assert Lineup.objects.count() == count


@pytest.mark.usefixtures("trio")
def test_players_of_a_file_enter_alone_without_the_lines_left_out(of_director, club) -> None:
    made = of_director.post(f"/api/v1/clubs/{club.slug}/competitions/", {"name": "Singles", "game": "trio"})
    draft = Competition.objects.get(pk=made.json()["competition"]["id"])
    imports = f"/api/v1/clubs/{club.slug}/imports/"
    text = "name\nAnna Berg\nAnna Bergh\nEva Novak"
    batch = of_director.post(imports, {"kind": "players", "text": text}).json()
    asked = of_director.post(f"{imports}{batch['id']}/commit/", {"competition": draft.pk})
    assert (asked.status_code, asked.json()["error"]["code"]) == (422, "same_person")
    assert not draft.entries.exists()
    mended = of_director.post(f"{imports}{batch['id']}/mend/", {"leave_out_the_rest": True}).json()
    assert mended["counts"]["left_out"] == 1
    done = of_director.post(f"{imports}{batch['id']}/commit/", {"competition": draft.pk})
    assert done.status_code == 200
    assert draft.entries.count() == 2


# The draw


def test_a_draw_is_made_once_again_only_if_said_and_taken_back(of_director, club, draft) -> None:
    here = of(draft, "draw")
    given = of_director.get(here).json()
    drawn = [of_director.post(here, {"order": "given"}, **key("d")) for _twice in range(2)]
    assert [each.status_code for each in drawn] == [200, 200]
    assert of_director.get(here).json() == {**given, "is_drawn": True}
    assert of_director.post(here, {"order": "lot"}).status_code == 409
    assert of_director.post(here, {"order": "lot", "again": True}).status_code == 200
    draft.stage.refresh_from_db()
    assert draft.stage.draw_seed
    for wrong in ({}, {"order": "age"}, {"order": ["lot"]}, {"order": "lot", "seed": "x"}):
        assert of_director.post(here, wrong).status_code == 400
    assert of_director.post(f"{here}back/", {}).status_code == 200
    assert not draft.stage.rounds.exists()
    few = factories.competition(club, pairs=1)
    refused = of_director.get(of(few, "draw")).json()
    assert (refused["rounds"], "a draw needs two or more" in refused["refusal"]) == ([], True)
    assert of_director.post(of(few, "draw"), {"order": "lot"}).status_code == 422
    running = factories.running(club, pairs=4)
    assert of_director.post(of(running, "draw", "back"), {}).status_code == 409
    factories.result(Fixture.objects.filter(round__stage__competition=running)[0], 60, 40)
    assert "can no longer draw again" in of_director.get(of(running, "draw")).json()["refusal"]
    assert of_director.post(of(running, "draw"), {"order": "lot", "again": True}).status_code == 409


def test_strange_bodies_are_never_an_error_of_ours(of_director, club, draft):
    """Everything that directors and owners post here, with what nobody should send."""
    running, player = factories.running(club, pairs=4), factories.player(club)
    batch = of_director.post(
        f"/api/v1/clubs/{club.slug}/imports/", {"kind": "players", "text": "name\nAnna Berg"}
    ).json()["id"]
    in_club = (
        "settings", "members/1", "desk", "missing-results", "mails", "players", f"players/{player.pk}", "pairs",
        f"players/{player.pk}/in-public", "claims/1", "merges", "imports", f"imports/{batch}/mend", "competitions",
        f"imports/{batch}/commit",
    )  # fmt: skip
    in_competition = (
        "setup", "setup/preview", "entries", "numbers", "undo", "publish", "draw", "draw/back", "late-entries",
        "late-entries/preview",
    )  # fmt: skip
    addresses = [f"/api/v1/clubs/{club.slug}/{each}/" for each in in_club]
    addresses += [of(each, part) for each in (draft, running) for part in in_competition]
    fields = (
        "name",
        "divisions",
        "points",
        "rules",
        "extra",
        "lines",
        "players",
        "pairs",
        "text",
        "days_off",
    )
    values = (None, [], {}, 10**30, -1, 1.5, "x" * 5000, [[]], [{}], {"a": {"b": []}}, True)
    bodies = [{name: value} for name in fields for value in values]
    for address in addresses:
        for body in share(address, JSON_BODIES, one_in=8):
            assert of_director.generic(
                "POST", address, body, content_type="application/json"
            ).status_code < 500, (address, body[:80])  # fmt: skip
        for body in share(address, bodies, one_in=12):
            assert of_director.post(address, body).status_code < 500, (address, body)
    assert Club.objects.filter(pk=club.pk).exists()
