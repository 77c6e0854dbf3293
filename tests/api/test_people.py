"""A program keeps a club's list of people, and its own person's name, as the pages do."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import (
    AuditEntry,
    Club,
    Fixture,
    IdempotencyKey,
    ImportBatch,
    Lineup,
    MailFailure,
    Membership,
    Notice,
    OutboxMessage,
    Player,
    PlayerClaim,
    PlayerMerge,
    Role,
)
from league.notices.services import accounts
from league.people.services import players
from tests.league import factories

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
KEY = {"HTTP_IDEMPOTENCY_KEY": "monday"}


@pytest.fixture
def club(db: None) -> Any:
    return factories.club()


@pytest.fixture
def owner(club) -> Any:
    return factories.member(club, Role.OWNER)


@pytest.fixture
def director(club) -> Any:
    return factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director"))


def at(club, *parts) -> str:
    return "/".join(["/api/v1/clubs", club.slug, *map(str, parts), ""])


# The person


def test_a_person_changes_their_name_and_it_is_one(program):
    eva = factories.user(name="Eva")
    assert program(eva).post("/api/v1/name/", {"name": "  Eva   Novak "}).json() == {"name": "Eva Novak"}
    assert program(eva).get("/api/v1/name/").json() == {"name": "Eva Novak"}
    for wrong in ("", "x" * 121, "Eva\u202eNovak", "www.example.org", None, ["Eva"], {}):
        answer = program(eva).post("/api/v1/name/", {"name": wrong})
        assert answer.status_code == 400, wrong
        assert answer.json()["error"]["details"][0]["place"] == ["name"]
    eva.refresh_from_db()
    assert eva.name == "Eva Novak"


def test_a_claim_is_made_and_answered_as_on_the_pages(program, club, director) -> None:
    eva, anna = factories.user(name="Eva Novak"), factories.player(club, "Eva Novak")
    claim = f"/api/v1/players/{anna.pk}/claim/"
    assert program(eva).post(claim, {"message": "It’s me"}).json() == {"player": anna.pk, "state": "open"}
    assert program(eva).post(claim, {}).json()["state"] == "open", "asking twice is asking once"
    outsider = program(factories.member(club, Role.SCORER))
    (waiting,) = program(director).get(at(club, "claims")).json()["results"]
    assert (waiting["name"], waiting["message"], waiting["may_decide"]) == ("Eva Novak", "It’s me", True)
    assert eva.email not in str(waiting), "only enough of the address to know somebody by"
    one = at(club, "claims", waiting["id"])
    assert outsider.get(at(club, "claims")).status_code == outsider.post(one, {"accept": True}).status_code
    assert program(director).post(one, {"accept": "perhaps"}).status_code == 400
    done = program(director).post(one, {"accept": True}, **KEY)
    assert done.json() == {"id": waiting["id"], "state": "accepted"}
    assert program(director).post(one, {"accept": True}, **KEY).json() == done.json()
    assert program(director).post(one, {"accept": True}).status_code == 409
    anna.refresh_from_db()
    assert anna.user == eva
    assert not program(director).get(at(club, "claims")).json()["results"]


def test_who_is_listed_by_an_address_answers_for_themselves_alone(program, club, director) -> None:
    eva = factories.user("eva@example.org")
    EmailAddress.objects.create(user=eva, email=eva.email, verified=True, primary=True)
    listed = players.add(actor=director, club=club, name="Eva Novak", email=eva.email)
    (row,) = program(eva).get("/api/v1/listed-as/").json()
    assert (row["player"], row["name"], row["club"]) == (listed.pk, "Eva Novak", club.slug)
    one = f"/api/v1/listed-as/{listed.pk}/"
    stranger = program(factories.user())
    assert stranger.get("/api/v1/listed-as/").json() == []
    nobody = stranger.post("/api/v1/listed-as/987654/", {"is_me": True})
    assert (stranger.post(one, {"is_me": True}).json(), nobody.status_code) == (nobody.json(), 403)
    assert program(eva).post(one, {}).status_code == 400
    assert program(eva).post(one, {"is_me": True}).json() == {"player": listed.pk, "is_me": True}
    listed.refresh_from_db()
    assert listed.user == eva


def test_a_no_is_kept_and_told_to_nobody(program, club, director) -> None:
    eva = factories.user("eva@example.org")
    EmailAddress.objects.create(user=eva, email=eva.email, verified=True, primary=True)
    listed = players.add(actor=director, club=club, name="Eva Novak", email=eva.email)
    before = program(director).get(at(club, "players", listed.pk)).json()
    assert program(eva).post(f"/api/v1/listed-as/{listed.pk}/", {"is_me": False}).status_code == 200
    assert program(eva).get("/api/v1/listed-as/").json() == []
    assert program(director).get(at(club, "players", listed.pk)).json() == before
    assert not program(director).get(at(club, "claims")).json()["results"]


def test_a_pair_gets_its_name_from_its_players_and_directors(program, club, director) -> None:
    pair = factories.pair(club)
    here = f"/api/v1/pairs/{pair.pk}/name/"
    answer = program(factories.account_of(pair)).post(here, {"name": "The Magpies"})
    assert (answer.status_code, answer.json()["name"]) == (200, "The Magpies")
    assert program(factories.member(club)).post(here, {"name": "Others"}).status_code == 403
    assert program(director).post(here, {"name": ""}).json()["name"] == str(Lineup.objects.get(pk=pair.pk))
    assert program(director).post(here, {"name": "x" * 121}).status_code == 400
    assert program(director).post("/api/v1/pairs/987654321/name/", {"name": "x"}).status_code == 404
    factories.pair(club, name="The Magpies")
    assert program(director).post(here, {"name": "The Mаgpies"}).status_code == 422, (
        "a letter of another alphabet"
    )


# The club


def test_a_person_creates_clubs_few_in_a_day_each_once_a_key(program) -> None:
    eva = factories.user()
    body = {"name": "Hillside Club", "time_zone": "Europe/Vienna", "weekday": 0, "play_time": "19:00"}
    made = program(eva).post("/api/v1/clubs/", body, **KEY)
    assert (made.status_code, made.json()["time_zone"]) == (201, "Europe/Vienna")
    assert program(eva).post("/api/v1/clubs/", body, **KEY).json() == made.json()
    founded = Club.objects.get(slug=made.json()["slug"])
    assert (founded.weekday, str(founded.play_time), founded.year_begins) == (0, "19:00:00", 8)
    assert Membership.objects.get(club=founded).role == Role.OWNER
    assert program().post("/api/v1/clubs/", body).status_code == 401
    for wrong, status, place in (
        ({**body, "time_zone": "Factory"}, 422, "time_zone"),
        ({**body, "time_zone": "Etc/GMT+5"}, 422, "time_zone"),
        ({**body, "weekday": 7}, 400, "weekday"),
        ({**body, "play_time": "25:00"}, 400, "play_time"),
        ({**body, "name": ""}, 400, "name"),
        ({**body, "slug": "mine"}, 400, "slug"),
        ({"name": "Hillside"}, 400, "time_zone"),
    ):
        answer = program(eva).post("/api/v1/clubs/", wrong)
        assert answer.status_code == status, wrong
        assert answer.json()["error"]["details"][0]["place"] == [place]
    more = [
        program(eva).post("/api/v1/clubs/", {**body, "name": f"{name} Club"})
        for name in ("Lake", "Wood", "Sea")
    ]
    assert [each.status_code for each in more] == [201, 201, 409]
    assert "tomorrow" in more[-1].json()["error"]["message"]


def test_owners_alone_change_the_clubs_details(program, club, owner, director) -> None:
    here = at(club, "settings")
    assert program(director).get(here).status_code == program(director).post(here, {}).status_code == 403
    before = program(owner).get(here).json()
    after = program(owner).post(here, {"place": "Town Hall", "is_open": False, "play_time": "20:00"}).json()
    assert after == {**before, "place": "Town Hall", "is_open": False, "play_time": "20:00"}
    assert AuditEntry.objects.filter(action="club.edited", club=club).count() == 1
    for wrong in (
        {"time_zone": "Factory"},
        {"name": ""},
        {"year_begins": 13},
        {"is_open": "perhaps"},
        {"x": 1},
    ):
        assert program(owner).post(here, wrong).status_code in {400, 422}, wrong
    Club.objects.filter(pk=club.pk).update(time_zone="UTC")
    assert program(owner).post(here, {"time_zone": "UTC"}).status_code == 200, "as it was"


def test_members_get_roles_and_the_last_owner_stays(program, club, owner, director) -> None:
    rows = program(owner).get(at(club, "members")).json()["results"]
    assert [each["role"] for each in rows] == ["owner", "director"]
    assert director.email not in str(rows)
    one, own = (at(club, "members", Membership.objects.get(user=each).pk) for each in (director, owner))
    player = factories.player(club, "Dora Director", user=director)
    shown = program(owner).get(one).json()
    assert (shown["email"], shown["player"]["id"], shown["is_you"]) == (director.email, player.pk, False)
    assert program(director).get(one).status_code == program(director).delete(one).status_code == 403
    assert program(owner).post(one, {"role": "scorer"}).json()["role"] == "scorer"
    assert program(owner).post(one, {"role": "king"}).status_code == 400
    assert program(owner).post(own, {"role": "member"}).status_code == 409
    assert program(owner).delete(own).status_code == 409
    assert program(owner).delete(one).status_code == 204
    assert program(owner).get(one).status_code == 404
    assert Player.objects.get(pk=player.pk).user == director, "the player stays"


def test_an_item_of_the_desk_is_seen_once_and_put_back(program, league) -> None:
    here, of_director = at(league.club, "desk"), program(league.director)
    # A new pair plays in nothing yet.
    factories.pair(league.club)
    item = next(each for each in of_director.get(here).json()["waiting"] if each["key"])
    assert (item["group"], item["kind"]) == ("people", "pair waiting")
    assert of_director.post(here, {"key": item["key"]}).status_code == 204
    assert of_director.post(here, {"key": item["key"]}).status_code == 409
    aside = of_director.get(here).json()
    assert item["key"] in {each["key"] for each in aside["aside"]}
    assert item["key"] not in {each["key"] for each in aside["waiting"]}
    assert of_director.post(here, {"key": item["key"], "again": True}).status_code == 204
    assert item["key"] in {each["key"] for each in of_director.get(here).json()["waiting"]}
    assert program(league.home).get(here).status_code == 403


def test_everybody_who_owes_a_result_is_asked_once_a_day(program, league) -> None:
    here, of_scorer = at(league.club, "missing-results"), program(league.scorer)
    Fixture.objects.update(starts_at=timezone.now() + timedelta(days=30))
    assert of_scorer.get(here).json()["results"] == []
    Fixture.objects.filter(pk=league.fixture.pk).update(starts_at=timezone.now() - timedelta(days=30))
    (owed,) = of_scorer.get(here).json()["results"]
    assert (owed["match"], owed["round"], owed["asked_at"]) == (league.fixture.pk, 1, None)
    asked = of_scorer.post(here, {}).json()["asked"]
    assert asked == Notice.objects.values("user").distinct().count() > 0
    assert of_scorer.get(here).json()["results"][0]["asked_at"]
    assert of_scorer.post(here, {}).json() == {"asked": 0}
    assert program(league.home).post(here, {}).status_code == 403


def test_mails_that_were_given_up_go_out_again_each_clubs_own(program, club, owner, director) -> None:
    def given_up(club_of: Any) -> OutboxMessage:
        return OutboxMessage.objects.create(
            to="gone@example.org", template="x", club=club_of, made_at=timezone.now(),
            given_up_at=timezone.now(), failure=MailFailure.values[0], last_error="550 nobody",
        )  # fmt: skip

    mine, foreign, sites = given_up(club), given_up(factories.club()), given_up(None)
    (row,) = program(owner).get(at(club, "mails")).json()["results"]
    assert (row["id"], row["to"], row["last_error"]) == (mine.pk, "gone@example.org", "550 nobody")
    assert program(director).get(at(club, "mails")).status_code == 403
    assert program(owner).post(at(club, "mails"), {"mails": [foreign.pk, sites.pk]}).json() == {"count": 0}
    assert program(owner).post(at(club, "mails"), {}).json() == {"count": 1}
    assert program(owner).get("/api/v1/mails/").status_code == 403
    assert program(owner).post("/api/v1/mails/", {}).status_code == 403
    runs_it = program(factories.user(is_superuser=True))
    assert {each["id"] for each in runs_it.get("/api/v1/mails/").json()["results"]} == {foreign.pk, sites.pk}
    assert runs_it.post("/api/v1/mails/", {"mails": [sites.pk]}).json() == {"count": 1}
    for wrong in ({"mails": ["x"]}, {"mails": [10**30]}, {"mails": 1}, {"all": True}):
        assert program(owner).post(at(club, "mails"), wrong).status_code == 400


# Players and pairs


def test_players_are_added_listed_and_changed(program, club, director) -> None:
    of_scorer, of_director = program(factories.member(club, Role.SCORER)), program(director)
    body = {"name": "Anna Berg", "email": "Anna@example.org", "number": "17"}
    made = of_scorer.post(at(club, "players"), body, **KEY)
    assert made.status_code == 201
    assert made.json() == {"id": made.json()["id"], "name": "Anna Berg", "number": "17", "has_account": False}
    assert of_scorer.post(at(club, "players"), body, **KEY).json() == made.json()
    assert "Berg" not in str(IdempotencyKey.objects.get().answer)
    taken = of_scorer.post(at(club, "players"), {"name": "Ben Dorn", "number": "17"})
    assert (taken.status_code, taken.json()["error"]["details"][0]["place"]) == (409, ["number"])
    factories.player(club, "Chidi Okafor")
    found = of_scorer.get(f"{at(club, 'players')}?name=berg").json()["results"]
    assert [each["name"] for each in found] == ["Anna Berg"]
    one = at(club, "players", made.json()["id"])
    assert of_scorer.get(one).status_code == of_scorer.post(one, {}).status_code == 403
    assert of_director.get(one).json()["email"] == "anna@example.org"
    changed = of_director.post(one, {"number": "18"}).json()
    assert (changed["name"], changed["email"], changed["number"]) == ("Anna Berg", "anna@example.org", "18")
    for wrong in ({"email": "no"}, {"name": ""}, {"name": "Аnna Berg"}, {"number": "x" * 31}, {"user": 1}):
        assert of_director.post(one, wrong).status_code in {400, 422}, wrong
    elsewhere = factories.player(factories.club())
    assert of_director.get(at(club, "players", elsewhere.pk)).status_code == 404
    assert program(factories.member(club)).get(at(club, "players")).status_code == 403


def test_directors_alone_read_how_a_player_can_be_reached(program, club, director, owner) -> None:
    eva = factories.account_of(factories.pair(club))
    row = Player.objects.get(user=eva)
    one, scorer = at(club, "players", row.pk), factories.member(club, Role.SCORER)
    assert program(director).get(one).json()["contact"] is None
    given: dict[str, Any] = {
        "telephone": "+353 1 496 0123",
        "address": "3 Harbour Row\nCork",
        "is_shared": False,
    }
    accounts.keep_contact(actor=eva, **given)
    for user in (director, owner):
        assert program(user).get(one).json()["contact"] == given
    elsewhere = factories.club()
    others = (None, eva, scorer, factories.member(club), factories.member(elsewhere, Role.OWNER))
    for user in others:
        for path in (
            one,
            at(elsewhere, "players", row.pk),
            at(club, "players"),
            f"/api/v1/players/{row.pk}/",
        ):
            answer = program(user).get(path).content.decode()
            assert "496" not in answer
            assert "Harbour" not in answer
    assert "496" not in program(director).get(at(club, "players")).content.decode(), "it is in no list"
    assert program(director).post(f"{one}unlink/", {}).json()["contact"] is None


def test_an_account_is_unlinked_and_decides_its_name_itself(program, club, director) -> None:
    pair = factories.pair(club)
    eva = factories.account_of(pair)
    row = Player.objects.get(user=eva)
    one, of_director = at(club, "players", row.pk), program(director)
    assert of_director.get(one).json()["account"] == eva.email
    assert of_director.post(f"{one}in-public/", {"public_name": "hidden"}).status_code == 409
    assert of_director.post(f"{one}in-public/", {"is_young": True}).json()["is_young"] is True
    assert of_director.post(f"{one}unlink/", {}).json()["account"] == ""
    hidden = of_director.post(f"{one}in-public/", {"public_name": "initials"}).json()
    assert (hidden["public_name"], hidden["is_young"]) == ("initials", True)
    assert of_director.post(f"{one}in-public/", {"public_name": "Bob"}).status_code == 400
    assert program(eva).post(f"{one}unlink/", {}).status_code == 403


def test_adding_a_player_says_and_asks_the_same_for_every_address(program, club, director):
    known = factories.user("known@example.org")
    EmailAddress.objects.create(user=known, email=known.email, verified=True, primary=True)
    of_director = program(director)
    of_director.get("/api/v1/clubs/")
    said, asked = [], []
    for name, email in (("Kim Aaaa", known.email), ("Kim Bbbb", "other@example.org")):
        with CaptureQueriesContext(connection) as queries:
            made = of_director.post(at(club, "players"), {"name": name, "email": email})
            shown = of_director.get(at(club, "players", made.json()["id"]))
            changed = of_director.post(at(club, "players", made.json()["id"]), {"number": f"1{len(asked)}"})
        told = repr([made.json(), shown.json(), {**changed.json(), "number": ""}])
        said.append(
            told.replace(email, "MAIL").replace(name, "NAME").replace(f"'id': {made.json()['id']}", "KEY")
        )
        asked.append(len(queries))
    assert said[0] == said[1]
    assert asked[0] == asked[1]


def test_two_players_are_a_pair_once(program, club, director) -> None:
    ann, ben = factories.player(club, "Ann Berg"), factories.player(club, "Ben Dorn")
    made = program(director).post(at(club, "pairs"), {"players": [ben.pk, ann.pk]})
    assert (made.status_code, {each["id"] for each in made.json()["players"]}) == (201, {ann.pk, ben.pk})
    again = program(director).post(at(club, "pairs"), {"players": [ann.pk, ben.pk], "name": "Other"})
    assert again.json() == made.json()
    assert [each["id"] for each in program(director).get(at(club, "pairs")).json()["results"]] == [
        made.json()["id"]
    ]
    foreign = factories.player(factories.club())
    for wrong in ([ann.pk], [ann.pk, foreign.pk], [ann.pk, 10**18], [ann.pk, 10**30], [ann.pk, "x"], 7, []):
        answer = program(director).post(at(club, "pairs"), {"players": wrong})
        assert (answer.status_code, answer.json()["error"]["details"][0]["place"][0]) == (400, "players"), (
            wrong
        )
    assert program(director).post(at(club, "pairs"), {"players": [ann.pk, ann.pk]}).status_code == 422


def test_duplicates_are_merged_once_a_key_and_parted_again(program, club, director) -> None:
    first, second = (factories.player(club, "Tom Twin") for _each in range(2))
    of_director = program(director)
    proposed = of_director.get(at(club, "duplicates")).json()
    assert proposed["in_all"] == 1
    assert proposed["proposals"][0]["because"] == ["the same name"]
    body = {"keep": first.pk, "duplicate": second.pk}
    made = of_director.post(at(club, "merges"), body, **KEY)
    assert made.status_code == 201
    assert of_director.post(at(club, "merges"), body, **KEY).json() == made.json()
    assert of_director.post(at(club, "merges"), body).status_code == 400, "there is only one now"
    (row,) = of_director.get(at(club, "merges")).json()["results"]
    assert (row["kept"]["id"], row["merged"]["id"], row["undone_at"]) == (first.pk, second.pk, None)
    back = at(club, "merges", row["id"], "undo")
    assert program(factories.member(club, Role.SCORER)).post(back, {}).status_code == 403
    assert [of_director.post(back, {}, HTTP_IDEMPOTENCY_KEY="b").status_code for _ in range(2)] == [204, 204]
    assert PlayerMerge.objects.get().undone_at
    same = of_director.post(at(club, "merges"), {"keep": first.pk, "duplicate": first.pk})
    assert same.status_code == 409


# Imports

LINES = [f"Player {chr(65 + n)}. Surname{chr(97 + n)},p{n}@example.org,{n + 1}" for n in range(20)]
BAD = [
    "Vera Vole,no address,30",
    ",nobody@example.org,31",
    "Wim Wolf,,1",
    "Xena Xu,xena@example.org,33\u202e",
]
FILE = "\n".join(["name,email,number", *LINES, *BAD])


def test_twenty_four_people_with_four_bad_lines_are_mended_in_place(program, club, director) -> None:
    of_director = program(director)
    batch = of_director.post(at(club, "imports"), {"kind": "players", "text": FILE, "name": "a.csv"}, **KEY)
    assert batch.status_code == 201
    assert batch.json()["counts"] == {"new": 20, "there": 0, "problems": 3, "questions": 1, "left_out": 0}
    assert (
        of_director.post(
            at(club, "imports"), {"kind": "players", "text": FILE, "name": "a.csv"}, **KEY
        ).json()
        == batch.json()
    )
    assert not Player.objects.exists(), "a preview"
    bad = {each["line"]: each for each in batch.json()["lines"] if each["action"] != "new"}
    assert {line: each["action"] for line, each in bad.items()} == {
        22: "problem", 23: "problem", 24: "question", 25: "problem"}  # fmt: skip
    assert [bad[line]["problems"][0]["place"][0] for line in (22, 23, 25)] == ["email", "name", "number"]
    assert bad[24]["questions"][0]["place"] == "number"
    one = at(club, "imports", batch.json()["id"])
    refused = of_director.post(f"{one}commit/", {})
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0]["place"][:2] == ["lines", 22]
    mended = of_director.post(
        f"{one}mend/",
        {
            "lines": [
                {"line": 22, "values": {"email": "vera@example.org"}},
                {"line": 23, "values": {"name": "Udo Uhl"}},
                {"line": 24, "values": {"number": "32"}},
                {"line": 25, "left_out": True},
            ]
        },
    ).json()
    assert mended["counts"] == {"new": 23, "there": 0, "problems": 0, "questions": 0, "left_out": 1}
    again = of_director.post(f"{one}mend/", {"lines": [{"line": 25, "left_out": False}]}).json()
    assert again["counts"]["problems"] == 1
    last = of_director.post(f"{one}mend/", {"lines": [{"line": 25, "values": {"number": "33"}}]}).json()
    assert last["counts"]["new"] == 24
    done = [of_director.post(f"{one}commit/", {}, HTTP_IDEMPOTENCY_KEY="c") for _twice in range(2)]
    assert [each.status_code for each in done] == [200, 200]
    assert done[0].json() == done[1].json()
    assert Player.objects.filter(club=club).count() == 24
    assert of_director.post(f"{one}commit/", {}).status_code == 409
    assert of_director.post(f"{one}mend/", {"leave_out_the_rest": True}).status_code == 409
    assert of_director.post(f"{one}undo/", {}).json()["state"] == "undone"
    assert not Player.objects.filter(club=club).exists()
    assert of_director.post(f"{one}undo/", {}).status_code == 409


def test_the_same_person_is_answered_by_programs_and_nothing_is_made_before(program, club, director) -> None:
    of_director, anna = program(director), factories.player(club, "Anna Berg")
    text = "name,email\nAnna Bergh,anna@example.org\nEva Novak,\nEva Nowak,"
    batch = of_director.post(at(club, "imports"), {"kind": "players", "text": text}).json()
    one = at(club, "imports", batch["id"])
    assert (batch["counts"]["new"], batch["counts"]["questions"]) == (1, 2)
    asked = {each["line"]: each["questions"] for each in batch["lines"]}
    (first,), (second,) = asked[2], asked[4]
    assert (first["place"], first["candidates"][0]["player"], first["answer"]) == ("name", anna.pk, "")
    assert (second["candidates"][0]["line"], second["candidates"][0]["player"]) == (3, None)
    refused = of_director.post(f"{one}commit/", {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "same_person")
    places = [each["place"] for each in refused.json()["error"]["details"]]
    assert places == [["lines", 2, "name"], ["lines", 4, "name"]]
    assert Player.objects.filter(club=club).count() == 1

    for body, status, place in (
        ({"lines": [{"line": 2, "answers": {"name": "player 0"}}]}, 422, ["lines", 2, "name"]),
        ({"lines": [{"line": 2, "answers": {"email": "different"}}]}, 400, ["lines", 0, "answers", "email"]),
        ({"lines": [{"line": 3, "answers": {"name": "different"}}]}, 400, ["lines", 0, "answers", "name"]),
        ({"lines": [{"line": 2, "answers": ["different"]}]}, 400, ["lines", 0, "answers"]),
    ):
        answer = of_director.post(f"{one}mend/", body)
        assert answer.status_code == status, body
        assert answer.json()["error"]["details"][0]["place"] == place
    key = first["candidates"][0]["key"]
    answered = [{"line": 2, "answers": {"name": key}}, {"line": 4, "answers": {"name": "different"}}]
    mended = of_director.post(f"{one}mend/", {"lines": answered}).json()
    assert mended["counts"] == {"new": 2, "there": 1, "problems": 0, "questions": 0, "left_out": 0}
    back = of_director.post(f"{one}mend/", {"lines": [{"line": 4, "answers": {"name": ""}}]}).json()
    assert back["counts"]["questions"] == 1
    of_director.post(f"{one}mend/", {"lines": answered})
    assert of_director.post(f"{one}commit/", {}).status_code == 200
    names = sorted(Player.objects.filter(club=club).values_list("name", flat=True))
    assert names == ["Anna Berg", "Eva Novak", "Eva Nowak"]


def test_what_is_in_use_is_not_taken_back(program, club, director) -> None:
    of_director = program(director)
    text = "player 1;player 2\nAnna Berg;Carl Dorn"
    batch = of_director.post(at(club, "imports"), {"kind": "pairs", "text": text}).json()
    one = at(club, "imports", batch["id"])
    assert of_director.post(f"{one}commit/", {}).status_code == 200
    factories.entry(factories.competition(club, pairs=2).stage.divisions.get(), Lineup.objects.get(
        members__player__name="Anna Berg"))  # fmt: skip
    refused = of_director.post(f"{one}undo/", {})
    assert (refused.status_code, len(refused.json()["error"]["details"])) == (409, 1)
    assert Player.objects.filter(name="Anna Berg").exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"kind": "cards", "text": "name\nAnna"}, 400),
        ({"kind": "players", "text": ""}, 400),
        ({"kind": "players", "text": "x" * 200_001}, 400),
        ({"kind": "players", "text": "colour\nred"}, 422),
        ({"kind": "players", "text": 'name\n"Anna'}, 422),
        ({"kind": "players", "text": ["name"]}, 400),
        ({"kind": "players", "text": "name\nAnna", "name": "n" * 201}, 400),
        ([], 400),
    ],
)
def test_what_is_no_table_is_refused(program, club, director, body, status) -> None:
    answer = program(director).post(at(club, "imports"), body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert not ImportBatch.objects.exists()


def test_lines_and_cells_that_are_not_there_are_refused(program, club, director) -> None:
    of_director = program(director)
    batch = of_director.post(at(club, "imports"), {"kind": "players", "text": "name\nAnna Berg"}).json()
    one = at(club, "imports", batch["id"])
    for body, place in (
        ({"lines": [{"line": 9}]}, ["lines", 0, "line"]),
        ({"lines": [{"line": 2, "values": {"email": "x"}}]}, ["lines", 0, "values", "email"]),
        ({"lines": [{"line": "two"}]}, ["lines", 0, "line"]),
        ({"lines": [{"line": 2, "values": {"name": {}}}]}, ["lines", 0, "values", "name"]),
        ({"lines": 2}, ["lines"]),
        ({"rows": []}, ["rows"]),
    ):
        answer = of_director.post(f"{one}mend/", body)
        assert answer.status_code == 400, body
        assert answer.json()["error"]["details"][0]["place"] == place
    running = factories.running(club)
    for key in (running.pk, 10**18, 0, "x"):
        answer = of_director.post(f"{one}commit/", {"competition": key})
        assert (answer.status_code, answer.json()["error"]["details"][0]["place"]) == (400, ["competition"])
    foreign = program(factories.member(factories.club(), Role.OWNER))
    assert foreign.get(one).status_code == foreign.post(f"{one}commit/", {}).status_code == 403
    assert PlayerClaim.objects.count() == 0
