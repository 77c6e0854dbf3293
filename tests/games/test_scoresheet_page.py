"""Entering a scoresheet on the site: who may, what the server answers, the plain form, the preview and sending it."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.concerto import values
from games.concerto.sheet import remedies
from games.models import Match, Scoresheet, ScoresheetDraft
from games.scoresheets.services import scoresheets
from league.models import Fixture
from league.templatetags.ui import qr_code
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def ask(client: Client, scene: Scene, content: Any, focus: Any = None) -> Any:
    """What the entry's script asks after a change."""
    address = reverse("sheet_reading", args=[scene.fixture.pk])
    question = {"content": content, "focus": focus or {"deal": 0, "spot": 0}}
    return client.post(address, json.dumps(question), content_type="application/json")


def preview(client: Client, scene: Scene, content: Any) -> Any:
    return client.post(reverse("scoresheet", args=[scene.fixture.pk]), {"content": json.dumps(content)})


def fields_of(page: Any) -> dict[str, str]:
    """What the preview's form would send."""
    return {name: page.context[name] for name in ("content", "digest", "key")}


def send(client: Client, scene: Scene, fields: dict[str, str], **headers: Any) -> Any:
    return client.post(reverse("sheet_send", args=[scene.fixture.pk]), fields, **headers)


# --- Who may ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("anna", 200),
        ("eva", 200),
        ("sam", 200),
        ("dora", 200),
        ("olive", 200),
        ("iris", 403),
        ("stranger", 403),
    ],
)
def test_the_pairs_and_the_officials_enter_and_nobody_else(scene, name, status):
    client = client_of(scene, name)
    assert client.get(reverse("scoresheet", args=[scene.fixture.pk])).status_code == status
    assert client.get(reverse("plain_sheet", args=[scene.fixture.pk, 1])).status_code == status
    assert ask(client, scene, FOUR).status_code == status
    assert ScoresheetDraft.objects.exists() is (status == 200)


def test_a_visitor_is_asked_to_log_in(scene):
    address = reverse("scoresheet", args=[scene.fixture.pk])
    assert Client().get(address).headers["Location"].startswith(reverse("account_login"))
    answer = ask(Client(), scene, FOUR)
    assert answer.status_code == 403
    assert "log in again" in answer.json()["error"]


def test_a_match_that_is_not_for_this_visitor_does_not_exist(scene):
    scene.competition.visibility = "members"
    scene.competition.save()
    client = client_of(scene, "stranger")
    for name, args in (("match", []), ("scoresheet", []), ("plain_sheet", [1])):
        assert client.get(reverse(name, args=[scene.fixture.pk, *args])).status_code == 404
    assert ask(client, scene, FOUR).status_code == 404
    assert client_of(scene, "anna").get(reverse("scoresheet", args=[10**15])).status_code == 404


def test_walkovers_and_foreign_sheets_are_not_entered_but_explained(scene):
    client = client_of(scene, "anna")
    scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=FOUR, origin="page")
    answer = client.get(reverse("scoresheet", args=[scene.fixture.pk]), follow=True)
    assert answer.redirect_chain[0][0] == reverse("match", args=[scene.fixture.pk])
    assert "Eva Novak has entered a scoresheet" in answer.text
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="walkover")
    answer = client.get(reverse("scoresheet", args=[scene.fixture.pk]), follow=True)
    assert "so you can’t enter a scoresheet" in answer.text


# --- What the server answers ------------------------------------------------------------------------------------


def test_a_change_is_kept_read_and_described(scene):
    client = client_of(scene, "anna")
    hands = [{"combination": "fours", "split": "2+2"}, {"combination": "flush"}, *[None] * 6]
    answer = ask(client, scene, {"deals": [{"hands": hands}]}, {"deal": 0, "spot": 2}).json()
    first, second, *rest = answer["near"]["0"]["hands"]
    assert (first["lead"], first["words"], first["points"], first["value"]) == (
        "1 E",
        "fours, 2+2",
        "16",
        "fours/2+2",
    )
    assert (second["lead"], second["words"], second["points"]) == ("2 S", "flush", "6")
    assert all(hand["points"] == "" for hand in rest)
    assert (answer["head"]["home"], answer["head"]["away"]) == ("6", "16")
    assert answer["choices"]["values"]["straight-flush/3+2"] is True
    assert not answer["over"]
    assert [deal["state"] for deal in answer["deals"]] == ["partial", "empty", "empty", "empty"]
    assert ScoresheetDraft.objects.get().content["deals"][0]["hands"] == hands


def test_only_what_the_other_hands_leave_possible_is_offered(scene):
    """With all four aces in hand 1 no hand can have aces; a straight flush to the ace is gone in every suit."""
    royal = [f"{rank}s" for rank in "AKQJT"]
    fives = [f"5{suit}" for suit in "shdc"]
    deal = {"hands": [{"cards": royal}, {"cards": {"S": [*fives[:2], "2c"], "N": fives[2:]}}]}
    values = ask(client_of(scene, "anna"), scene, {"deals": [deal]}, {"deal": 0, "spot": 2}).json()[
        "choices"
    ]["values"]
    assert values["fours"] is True
    used = [{"cards": [f"{rank}{suit}" for suit in "shdc"] + ["2s"]} for rank in "AKQJT98"]
    values = ask(client_of(scene, "anna"), scene, {"deals": [{"hands": used}]}, {"deal": 0, "spot": 7}).json()
    assert values["choices"]["values"]["straight-flush/3+2"] in {True, False}


def test_deals_after_the_end_are_closed(scene):
    answer = ask(client_of(scene, "anna"), scene, totals_sheet((60, 20), (50, 20))).json()
    assert answer["over"] is True
    assert [deal["state"] for deal in answer["deals"]] == ["done", "done", "beyond", "beyond"]
    assert (answer["head"]["home"], answer["head"]["middle"]) == ("410", "the match is over")


def test_problems_stand_at_their_hand_and_field(scene):
    deal = {
        "hands": [{"combination": "fours", "split": "4+1"}, None, "7h Ah 6h 5h Th"],
        "total": {"NS": "3x"},
        "left_over": {"combination": "six-pairs"},
    }
    answer = ask(client_of(scene, "anna"), scene, {"seats": {"N": 1}, "deals": [{}, deal]}).json()
    places = {(p["deal"], p["spot"], p["field"]) for p in answer["problems"] if not p["missing"]}
    assert {(1, 0, ""), (1, "total", "total.NS"), (1, "left", "left_over"), (None, "seats", "")} <= places
    assert all(p["message"] and "%(" not in p["message"] for p in answer["problems"])


def test_a_proposal_can_be_applied_and_settles_its_problem(scene):
    client = client_of(scene, "anna")
    hands = [{"combination": "flush", "points": 5}]
    problem = next(
        p for p in ask(client, scene, {"deals": [{"hands": hands}]}).json()["problems"] if p["fix"]
    )
    assert problem["fix"] == [{"place": ["deals", 0, "hands", 0, "points"], "value": 6}]
    twice = {
        "deals": [{"hands": ["7h Ah 6h 5h Th", {"cards": {"N": ["7h", "9s"], "S": ["8s", "8h", "9d"]}}]}]
    }
    problem = next(p for p in ask(client, scene, twice).json()["problems"] if p["fix"])
    assert problem["spot"] == 1
    (change,) = problem["fix"]
    assert change["place"] == ["deals", 0, "hands", 1]
    assert "7h" not in change["value"]["cards"]["N"]
    assert set(remedies.MAKERS) >= {"card-twice", "points-differ"}


@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        '"x"',
        "{",
        '{"content": 5}',
        '{"content": []}',
        '{"content": {"deals": NaN}}',
        '{"content": {"deals": 1e999}}',
        '{"content": ' + "[" * 50 + "]" * 50 + "}",
        '{"content": {"a": ' + "[" * 5000 + "]" * 5000 + "}}",
        '{"content": {"deals": [' + "1" * 5000 + "]}}",
        '{"content": {"deals": ["\\u0000"]}}',
        '{"content": {"deals": ["\\ud800"]}}',
        '{"content": {"deals": ["' + "x" * 70_000 + '"]}}',
    ],
)
def test_what_is_no_sheet_is_refused_in_words_and_nothing_is_kept(scene, body):
    client = client_of(scene, "anna")
    address = reverse("sheet_reading", args=[scene.fixture.pk])
    answer = client.post(address, body, content_type="application/json")
    assert answer.status_code == 400
    assert not ScoresheetDraft.objects.exists()
    page = client.post(reverse("scoresheet", args=[scene.fixture.pk]), {"content": body})
    assert page.status_code in {200, 400}
    assert not Scoresheet.objects.exists()


ODD: list[Any] = [
    {"deals": 5},
    {"deals": [None, 5, "x", [], True]},
    {"deals": [{"hands": [10**400, -1, 1.5, {"cards": 10**400}, {"cards": {"N": [10**400]}}]}]},
    {"deals": [{"hands": [{"cards": {"N": {"a": 1}}, "split": [], "combination": {}}]}]},
    {"deals": [{"total": {"NS": 10**400, "EW": -(10**400)}}]},
    {"deals": [{"left": {"N": "As", "Q": 5}, "left_over": "pair", "points": {"a": 1}, "made": []}] * 70},
    {"first_dealer": [], "seats": {"N": [], "E": {}, "S": None, "W": 10**30}},
    {"first_dealer": "N", "seats": "NESW", "page": {"depths": 5, "deal": "x", "spot": {}, "edited": "now"}},
    {"page": {"depths": [{}, 5, "cards"], "deal": 10**30, "spot": 10**30}},
    {"deals": [{"hands": [None] * 500, "dealer": 7, "deal": "N:x"}]},
    {"deals": [{"hands": {"0": "7h"}, "<script>": "alert(1)"}]},
]


@pytest.mark.parametrize("content", ODD)
@pytest.mark.parametrize("focus", [{}, {"deal": 10**30, "spot": "left"}, {"deal": [], "spot": {}}, 5])
def test_odd_content_is_kept_and_answered_with_problems(scene, content, focus):
    client = client_of(scene, "anna")
    answer = ask(client, scene, content, focus)
    assert answer.status_code == 200
    assert any(problem["refuses"] for problem in answer.json()["problems"])
    assert client.get(reverse("scoresheet", args=[scene.fixture.pk])).status_code == 200
    assert client.get(reverse("plain_sheet", args=[scene.fixture.pk, 1])).status_code == 200
    page = preview(client, scene, content)
    assert page.status_code == 200
    assert not page.context["is_accepted"]
    assert "<script>alert" not in page.text
    send(client, scene, fields_of(page))
    assert not Scoresheet.objects.exists()


# --- Preview and sending ----------------------------------------------------------------------------------------


def test_the_preview_is_exactly_what_is_sent(scene):
    client = client_of(scene, "anna")
    page = preview(client, scene, FOUR)
    assert "80 to 60" in page.text
    assert "Send to Novak &amp; Reyes to confirm" in page.text
    in_match = [line.pair for line in page.context["outlook"].lines if line.is_in_match]
    assert in_match == [
        "Berg & Okafor",
        "Novak & Reyes",
    ]
    assert send(client, scene, fields_of(page)).headers["Location"] == reverse(
        "match", args=[scene.fixture.pk]
    )
    sheet = Scoresheet.objects.get()
    assert (sheet.digest, sheet.home_total, sheet.away_total) == (page.context["digest"], 80, 60)
    assert (sheet.origin, sheet.verdict) == ("page", "pending")
    assert Fixture.objects.get(pk=scene.fixture.pk).status == "to_confirm"


def test_sent_twice_with_one_key_it_is_one_version(scene):
    client = client_of(scene, "anna")
    fields = fields_of(preview(client, scene, FOUR))
    headers = {"headers": {"Accept": "application/json"}}
    first, second = (send(client, scene, fields, **headers).json() for _time in range(2))
    assert first == second
    assert (first["outcome"], first["next"]) == ("sent", reverse("match", args=[scene.fixture.pk]))
    assert "Novak & Reyes can now confirm it" in first["message"]
    assert Scoresheet.objects.count() == 1


def test_a_device_sends_a_sheet_that_nobody_could_read_if_it_is_beyond_doubt(scene):
    client = client_of(scene, "anna")
    headers = {"headers": {"Accept": "application/json"}}
    half = {"content": json.dumps({"deals": FOUR["deals"][:2]}), "unread": "1", "key": "half"}
    odd = {"content": json.dumps(totals_sheet((190, 0), (1, 1))), "unread": "1", "key": "odd"}
    for fields in (half, odd):
        answer = send(client, scene, fields, **headers).json()
        assert (answer["outcome"], answer["next"]) == (
            "refused",
            reverse("scoresheet", args=[scene.fixture.pk]),
        )
        assert answer["message"].startswith("Deal ")
    assert not Scoresheet.objects.exists()
    whole = {"content": json.dumps(FOUR), "unread": "1", "key": "whole"}
    answers = [send(client, scene, whole, **headers).json()["outcome"] for _time in range(2)]
    assert answers == ["sent", "sent"]
    assert Scoresheet.objects.count() == 1


def test_a_device_is_told_why_a_sheet_cannot_be_sent_any_more(scene):
    headers = {"headers": {"Accept": "application/json"}}
    fields = {"content": json.dumps(FOUR), "unread": "1", "key": "late"}
    assert send(client_of(scene, "iris"), scene, fields, **headers).json()["outcome"] == "refused"
    scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=FOUR, origin="page")
    answer = send(client_of(scene, "anna"), scene, fields, **headers).json()
    assert answer["outcome"] == "refused"
    assert "Eva Novak has entered a scoresheet in the meantime" in answer["message"]


def test_nothing_is_sent_that_was_not_seen(scene):
    client = client_of(scene, "anna")
    fields = fields_of(preview(client, scene, FOUR))
    changed = {**fields, "content": json.dumps(totals_sheet((90, 15), (20, 15), (20, 15), (20, 15)))}
    answer = send(client, scene, changed)
    assert "changed since you last saw this" in answer.text
    assert send(client, scene, {**fields, "digest": ""}).status_code == 302
    assert not Scoresheet.objects.exists()


def test_an_unfinished_sheet_says_what_is_to_be_settled_and_where(scene):
    page = preview(
        client_of(scene, "anna"), scene, {"deals": [{"hands": [{"combination": "fours", "split": "4+1"}]}]}
    )
    assert "Not quite ready" in page.text
    assert "can’t be split 4+1" in page.text
    assert f'href="{reverse("scoresheet", args=[scene.fixture.pk])}?settle#1.1"' in page.text
    assert "data-send" not in page.text


def test_an_officials_sheet_says_so_and_goes_to_both_pairs(scene):
    client = client_of(scene, "sam")
    page = preview(client, scene, FOUR)
    assert "Send to Berg &amp; Okafor or Novak &amp; Reyes to confirm" in page.text
    send(client, scene, fields_of(page))
    assert Scoresheet.objects.get().origin == "official"


def test_somebody_else_was_first(scene):
    client = client_of(scene, "anna")
    fields = fields_of(preview(client, scene, FOUR))
    scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=FOUR, origin="page")
    answer = client.post(reverse("sheet_send", args=[scene.fixture.pk]), fields, follow=True)
    assert "Eva Novak has entered a scoresheet in the meantime" in answer.text
    assert Scoresheet.objects.count() == 1


def test_after_the_time_for_corrections_nothing_is_entered(scene):
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=FOUR, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    client = client_of(scene, "anna")
    assert client.get(reverse("scoresheet", args=[scene.fixture.pk])).status_code == 200
    Match.objects.update(locks_at=datetime.now(tz=UTC) - timedelta(minutes=1))
    answer = client.get(reverse("scoresheet", args=[scene.fixture.pk]), follow=True)
    assert "The time for corrections is over" in answer.text


def test_a_correction_begins_with_the_version_that_is_to_be_corrected(scene):
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=FOUR, origin="page")
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Deal 1 was 30 to 15.")
    page = client_of(scene, "anna").get(reverse("scoresheet", args=[scene.fixture.pk]))
    data = json.loads(re.search(r'id="sheet-data"[^>]*>(.*?)</script>', page.text, re.S)[1])
    assert data["draft"]["deals"][0]["total"] == {"NS": 20, "EW": 15}
    assert data["depth"] == "totals"
    assert data["reading"]["over"] is True


# --- On paper ---------------------------------------------------------------------------------------------------


def test_paper_leads_to_the_sites_own_address(scene, settings):
    settings.SITE_URL = "https://cards.example.org"
    address = reverse("scoresheet", args=[scene.fixture.pk])
    page = Client(SERVER_NAME="localhost").get(reverse("sheet_print", args=[scene.fixture.pk]))
    assert page.context["sheets"][0].address == f"https://cards.example.org{address}"


def test_paper_follows_the_matchs_options_and_bears_the_way_to_its_entry(scene):
    scene.competition.rules = {**scene.competition.rules, "deals": 3}
    scene.competition.save()
    page = Client().get(reverse("sheet_print", args=[scene.fixture.pk]))
    (sheet,) = page.context["sheets"]
    assert sheet.address == f"http://testserver{reverse('scoresheet', args=[scene.fixture.pk])}"
    assert str(sheet.qr) == str(qr_code(sheet.address))
    assert [[hand.leader.key for hand in deal.hands] for deal in sheet.deals] == [
        list("ESWNESWN"),
        list("SWNESWNE"),
        list("WNESWNES"),
    ]
    threes = next(value for value in sheet.values if value.name == "threes")
    pairs = next(value for value in sheet.values if value.name == "three pairs")
    assert (threes.in_hand, threes.left, pairs.in_hand, pairs.left) == (3, 30, None, 60)
    assert page.text.count("<table") == 3
    assert "Chidi Okafor" in page.text


def test_a_rounds_sheets_are_those_still_to_be_played(scene):
    address = reverse("round_print", args=["riverside", "winter-league", 1])
    first, second = Client().get(address).context["sheets"]
    assert {first.title, second.title} == {
        str(fixture) for fixture in Fixture.objects.filter(round__number=1)
    }
    Fixture.objects.filter(round__number=1).update(status="confirmed")
    assert "Nothing to print" in Client().get(address).text
    assert Client().get(reverse("round_print", args=["riverside", "winter-league", 99])).status_code == 404


# --- Without scripts --------------------------------------------------------------------------------------------


def plain(client: Client, scene: Scene, number: int, fields: dict[str, Any], button: str) -> Any:
    """Fills in the plain form of a deal as a browser would, and presses a button."""
    address = reverse("plain_sheet", args=[scene.fixture.pk, number])
    shown = client.get(address)
    blank = {name: shown.context["form"][name].value() or "" for name in shown.context["form"].fields}
    seats = {name: shown.context["seats"][name].value() for name in shown.context["seats"].fields}
    return client.post(address, {**blank, **seats, **fields, button: "1"}, follow=True)


def test_a_whole_sheet_without_scripts(scene):
    client = client_of(scene, "anna")
    values = ["pair", "two-pair", "flush", "threes", "full-house", "nothing", "straight", "fours/3+1"]
    hands = {f"hand-{n}-value": value for n, value in enumerate(values)}
    page = plain(client, scene, 1, {**hands, "left-value": "pair"}, "save")
    deal = page.context["deal"]
    assert [hand.points for hand in deal.hands] == [1, 2, 6, 3, 8, 0, 5, 12]
    assert "full house" in page.text
    page = plain(client, scene, 1, {}, "next")
    assert page.context["number"] == 2
    plain(client, scene, 2, {"hand-0-cards": "7h Ah - > 6h 5h Th", "hand-1-cards": "N: 9c 9s W 8s"}, "save")
    draft = ScoresheetDraft.objects.get().content
    assert draft["deals"][1]["hands"][:2] == [
        "7h Ah - > 6h 5h Th",
        {"cards": {"N": ["9c", "9s"], "W": ["8s"]}},
    ]
    for number in (2, 3, 4):
        fields = {"hand-0-cards": "", "hand-1-cards": "", "total-NS": "20", "total-EW": "15"}
        page = plain(client, scene, number, fields, "check" if number == 4 else "save")
    assert page.context["is_accepted"]
    send(client, scene, fields_of(page))
    assert Scoresheet.objects.get().home_total == page.context["sheet"].total["home"]


def test_the_plain_form_says_what_is_wrong_and_shows_it_again(scene):
    fields = {"hand-0-value": "fours/3+1", "hand-0-points": "16", "hand-2-cards": "7h 7h", "total-NS": "3x"}
    page = plain(client_of(scene, "anna"), scene, 1, fields, "save")
    rows = page.context["rows"]
    assert [bool(row["problems"]) for row in rows[:4]] == [True, False, True, False]
    assert "worth 12, not 16" in rows[0]["problems"][0]["message"]
    assert any("3x" in problem["message"] for problem in page.context["problems"])
    assert page.context["form"]["total-NS"].value() == "3x"
    assert page.context["form"]["hand-2-cards"].value() == "7h 7h"


def test_the_plain_form_asks_who_sat_where(scene):
    client = client_of(scene, "anna")
    seats = [player.pk for player in scene.players[:2]]
    page = plain(client, scene, 1, {"seat-N": seats[1], "seat-S": seats[0], "first_dealer": "W"}, "save")
    assert page.context["deal"] is None
    draft = ScoresheetDraft.objects.get().content
    assert (draft["seats"]["N"], draft["first_dealer"]) == (seats[1], "W")
    page = plain(client, scene, 1, {"seat-N": seats[0], "seat-S": seats[0]}, "save")
    assert "Each player needs a seat" in page.text


def test_there_are_only_as_many_deals_as_the_match_has(scene):
    client = client_of(scene, "anna")
    assert client.get(reverse("plain_sheet", args=[scene.fixture.pk, 5])).status_code == 404
    assert client.get(reverse("plain_sheet", args=[scene.fixture.pk, 0])).status_code == 404


def test_a_deal_of_totals_opens_in_totals_again_although_another_has_its_hands(scene: Scene) -> None:
    hands = [{"combination": "pair"}] * 8
    deals = [{"hands": hands, "left_over": {"combination": "nothing"}}, {"total": {"NS": 10, "EW": 8}}, {}]
    data = values.page_data(scene.fixture, {"deals": deals})
    assert (data["depth"], data["depths"]) == ("combinations", [None, "totals", None])


def test_a_match_entered_long_before_its_date_asks_whether_it_was_played(scene: Scene) -> None:
    client, asks = client_of(scene, "anna"), "Really played already?"
    assert asks not in preview(client, scene, FOUR).text
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=timezone.now() + timedelta(days=20))
    assert asks in preview(client, scene, FOUR).text
    Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=timezone.now() + timedelta(hours=20))
    assert asks not in preview(client, scene, FOUR).text
