"""The match page: deal by deal at every depth, its versions, the trail, confirming, rejecting and reopening."""

import html
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine import game
from games.front import shown_sheet
from games.models import Match, Scoresheet
from games.records import parsing as readings
from games.scoresheets.services import matches, scoresheets
from league.draws.services import rounds, ties
from league.fixtures.services import dates
from league.models import Fixture, Substitution
from tests.league import factories
from tests.scenes import RULES, Scene, make_scene, totals_sheet

ORACLE = Path(__file__).parent.parent / "oracles" / "concerto_deals.json"
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
OTHER = totals_sheet((30, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def client_of(scene: Scene, name: str = "") -> Client:
    client = Client()
    if name:
        client.force_login(scene.users[name])
    return client


def address(scene: Scene, name: str = "match") -> str:
    return reverse(name, args=[scene.fixture.pk])


def submitted(scene: Scene, name: str = "anna", content: Any = FOUR) -> Scoresheet:
    return scoresheets.submit(actor=scene.users[name], fixture=scene.fixture, content=content, origin="page")


def confirmed(scene: Scene) -> Scoresheet:
    sheet = submitted(scene)
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def played_deals(count: int = 4) -> list[dict[str, Any]]:
    """Real deals, dealt in turn from North on."""
    deals = json.loads(ORACLE.read_text())
    return [next(d for d in deals if d["dealer"] == "NESW"[n % 4]) for n in range(count)]


def confirm_fields(sheet: Scoresheet, **more: Any) -> dict[str, Any]:
    return {"version": sheet.version, "digest": sheet.digest, "key": "once", **more}


# --- What it shows ----------------------------------------------------------------------------------------------


def test_before_the_match_it_says_who_sits_where_and_what_to_do(scene):
    fixture = Fixture.objects.get(pk=scene.fixture.pk)
    fixture.table, fixture.place = "3", "Boat house"
    fixture.save()
    page = client_of(scene, "anna").get(address(scene))
    assert page.status_code == 200
    for words in (
        "Thursday 1 October 2026, 20:30 (Dublin time) · Boat house · table 3",
        "Anna Berg",
        "deals first",
        "Enter the scoresheet",
        "Concerto · Deals in a match: 4",
        'href="/clubs/riverside/winter-league/rounds/1/"',
    ):
        assert words in page.text
    assert "Enter the scoresheet" not in client_of(scene).get(address(scene)).text


def test_every_hand_of_a_deal_known_by_its_cards_is_shown_with_who_played_which(scene):
    deals = [{key: deal[key] for key in ("hands", "left")} for deal in played_deals()]
    reading = readings.read(fixture=scene.fixture, content={"deals": deals})
    sheet = shown_sheet(scene.fixture, reading)
    for shown, deal in zip(sheet.deals, played_deals(), strict=False):
        assert [hand.points for hand in shown.hands] == deal["points"]
        assert [hand.leader.key for hand in shown.hands] == deal["leaders"]
        assert {"home": deal["made"]["NS"], "away": deal["made"]["EW"]} == shown.made
        assert {"home": deal["total"]["NS"], "away": deal["total"]["EW"]} == shown.total
        assert (shown.left.to, shown.left.bonus) == (
            "home" if deal["left_over_to"] == "NS" else "away",
            deal["left_over_bonus"],
        )
        for hand in shown.hands:
            assert len(hand.cards) == 5
            assert {card.seat for card in hand.cards} <= {hand.leader.key, hand.partner.key}
            assert all(card.is_partners == (card.seat == hand.partner.key) for card in hand.cards)
    counted = sheet.deals[: reading.counted]
    content = {"deals": deals[: len(counted)]}
    submitted(scene, content=content)
    page = client_of(scene).get(address(scene))
    first = counted[0].hands[0]
    assert f'aria-label="{first.cards[0].label}"' in page.text
    assert "by-partner" in page.text


def test_all_three_depths_are_shown_in_one_sheet(scene):
    hands = [
        {"combination": "pair"},
        {"combination": "fours", "split": "2+2"},
        *[{"combination": "flush"}] * 6,
    ]
    first = {key: played_deals()[0][key] for key in ("hands", "left")}
    content = {
        "deals": [
            first,
            {"hands": hands, "left_over": {"combination": "nothing"}},
            {"total": {"NS": 10, "EW": 8}},
            {"total": {"NS": 10, "EW": 8}},
        ]
    }
    submitted(scene, content=content)
    page = client_of(scene).get(address(scene)).text
    for words in ("card-face", "fours, 2+2", "Only the points for this deal were written down."):
        assert words in page
    assert "Cards underlined in brass" in page


def test_the_home_pair_may_sit_east_west(scene):
    """Points follow the pair, whatever side it sat on."""
    north, south = scene.entries[3].lineup.players
    east, west = scene.entries[0].lineup.players
    seats = {"N": north.pk, "E": east.pk, "S": south.pk, "W": west.pk}
    submitted(scene, content={**FOUR, "seats": seats})
    page = client_of(scene).get(address(scene))
    assert (page.context["sheet"].total["home"], page.context["sheet"].total["away"]) == (60, 80)
    assert page.context["sheet"].sides == {"away": "N-S", "home": "E-W"}
    assert "Novak &amp; Reyes win, 80 to 60" in page.text


def test_a_substitute_is_named(scene):
    Substitution.objects.create(
        fixture=scene.fixture, entry=scene.entries[0], absent=scene.players[0], substitute=scene.players[2]
    )
    page = client_of(scene).get(address(scene)).text
    assert "Iris Lindqvist for Anna Berg" in page


def test_a_walkover_is_said_in_words(scene):
    factories.decided(scene.fixture, "won_by_walkover", "lost_by_walkover")
    page = client_of(scene, "anna").get(address(scene)).text
    assert "walkover for the home pair" in page
    assert "Enter the scoresheet" not in page


def test_versions_show_what_differs_and_why_they_were_rejected(scene):
    sheet = submitted(scene)
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Deal 1 was 30 to 15.")
    submitted(scene, content=OTHER)
    page = client_of(scene, "eva").get(address(scene))
    assert [version.number for version in page.context["versions"]] == [2, 1]
    (difference,) = page.context["versions"][0].differences
    assert (difference.before, difference.after) == ("20–15", "30–15")
    assert "Deal 1 was 30 to 15." in page.text
    old = client_of(scene, "eva").get(f"{address(scene)}?version=1")
    assert "This version was rejected" in old.text
    assert "Confirm 80" not in old.text
    for wrong in ("3", "0", "x", "-1", "9" * 400, ""):
        assert client_of(scene).get(f"{address(scene)}?version={wrong}").status_code == 404


def test_marks_are_for_the_director_only(scene):
    hands = [{"combination": "straight-flush", "split": "3+2"}] * 8
    deal = {"hands": hands, "left_over": {"combination": "nothing"}}
    submitted(scene, content={"deals": [deal, deal]})
    assert client_of(scene, "dora").get(address(scene)).context["marks"]
    assert "unusual, but possible" in client_of(scene, "dora").get(address(scene)).text
    for name in ("anna", "eva", "sam", "stranger", ""):
        assert "unusual, but possible" not in client_of(scene, name).get(address(scene)).text


@pytest.mark.parametrize(
    ("name", "sees"),
    [
        ("anna", True),
        ("eva", True),
        ("dora", True),
        ("sam", False),
        ("iris", False),
        ("stranger", False),
        ("", False),
    ],
)
def test_the_trail_is_for_the_two_pairs_and_the_directors(scene, name, sees):
    sheet = submitted(scene)
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="That was another match.")
    page = client_of(scene, name).get(address(scene))
    assert bool(page.context["trail"]) is sees
    assert ("History" in page.text) is sees
    if sees:
        lines = [line for line in page.context["trail"] if line.reason == "That was another match."]
        assert {line.who for line in lines} == {"Eva Novak"}
        changes = [(change.label, change.before, change.after) for line in lines for change in line.changes]
        assert ("State", "to confirm", "disputed") in changes


def test_the_page_takes_a_bounded_number_of_queries(scene, django_assert_max_num_queries):
    sheet = submitted(scene)
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="No.")
    for number in range(6):
        submitted(scene, content=totals_sheet((21 + number, 15), (20, 15), (20, 15), (20, 15)))
    client = client_of(scene, "dora")
    with django_assert_max_num_queries(35):
        client.get(address(scene))


# --- What one can do next ---------------------------------------------------------------------------------------


def test_the_other_pair_confirms_the_very_version_it_sees(scene):
    sheet = submitted(scene)
    client = client_of(scene, "eva")
    assert "Confirm 80 – 60" in client.get(address(scene)).text
    wrong = client.post(address(scene, "sheet_confirm"), confirm_fields(sheet, digest="0" * 64), follow=True)
    assert Scoresheet.objects.get().verdict == "pending"
    assert "toast error" in wrong.text
    for _twice in range(2):
        done = client.post(address(scene, "sheet_confirm"), confirm_fields(sheet), follow=True)
        assert "Confirmed." in done.text
    assert Scoresheet.objects.get().verdict == "confirmed"
    result = Fixture.objects.get(pk=scene.fixture.pk).result
    assert (result.home_score, result.away_score) == (80, 60)


@pytest.mark.parametrize("name", ["anna", "chidi", "iris", "sam", "stranger"])
def test_nobody_else_confirms_or_rejects(scene, name):
    sheet = submitted(scene)
    client = client_of(scene, name)
    assert "Is this right?" not in client.get(address(scene)).text
    assert client.post(address(scene, "sheet_confirm"), confirm_fields(sheet)).status_code == 403
    assert client.get(f"{address(scene, 'sheet_reject')}?version=1").status_code == 403
    assert client.post(address(scene, "sheet_reject"), {"version": 1, "reason": "No."}).status_code == 403
    assert Scoresheet.objects.get().verdict == "pending"


def test_whoever_is_second_is_told_who_was_first(scene):
    sheet = submitted(scene)
    late = client_of(scene, "luis")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    page = late.post(address(scene, "sheet_confirm"), confirm_fields(sheet), follow=True)
    assert "Eva Novak got there first" in page.text
    page = late.post(address(scene, "sheet_reject"), {"version": 1, "reason": "No."}, follow=True)
    assert "Eva Novak got there first" in page.text


@pytest.mark.parametrize(
    "fields",
    [{}, {"version": "x"}, {"version": "9" * 400}, {"version": 1}, {"version": 1, "digest": "a" * 500}],
)
def test_an_odd_confirmation_changes_nothing(scene, fields):
    submitted(scene)
    answer = client_of(scene, "eva").post(address(scene, "sheet_confirm"), fields, follow=True)
    assert answer.status_code == 200
    assert Scoresheet.objects.get().verdict == "pending"
    assert client_of(scene, "eva").get(address(scene, "sheet_confirm")).status_code == 405


def test_a_rejection_needs_a_reason(scene):
    submitted(scene)
    client = client_of(scene, "eva")
    assert (
        "What’s wrong with this scoresheet?" in client.get(f"{address(scene, 'sheet_reject')}?version=1").text
    )
    refused = client.post(address(scene, "sheet_reject"), {"version": 1, "reason": "  "})
    assert "Please say what’s wrong" in refused.text
    assert Scoresheet.objects.get().verdict == "pending"
    done = client.post(address(scene, "sheet_reject"), {"version": 1, "reason": "Deal 2!"}, follow=True)
    assert "Rejected." in done.text
    assert Scoresheet.objects.get().verdict_reason == "Deal 2!"
    assert "Please sort this out" in client_of(scene, "anna").get(address(scene)).text


def test_who_entered_it_waits_and_may_correct(scene):
    submitted(scene)
    page = client_of(scene, "chidi").get(address(scene)).text
    assert "Scoresheet 1 is waiting for Novak &amp; Reyes to confirm it." in page
    assert "Correct it" in page


def test_a_correction_leaves_the_result_until_it_is_confirmed(scene):
    confirmed(scene)
    submitted(scene, name="eva", content=OTHER)
    page = client_of(scene).get(address(scene))
    assert page.context["shown_version"] == 1
    assert "Version 2 is waiting to be confirmed. Until then this one counts." in page.text
    page = client_of(scene, "anna").get(address(scene))
    assert (page.context["shown_version"], page.context["judged_is_shown"]) == (2, True)
    assert Fixture.objects.get(pk=scene.fixture.pk).result.home_score == 80


def test_after_the_window_it_is_locked_and_names_who_can_help(scene):
    confirmed(scene)
    page = client_of(scene, "anna").get(address(scene)).text
    assert "You can enter a correction until" in page
    Match.objects.update(locks_at=datetime.now(tz=UTC) - timedelta(minutes=1))
    page = client_of(scene, "anna").get(address(scene)).text
    assert "This result is locked" in page
    assert "Dora Director" in page
    assert "Correct the scoresheet" not in page
    assert "This result is locked" not in client_of(scene).get(address(scene)).text


def test_f49_reopening_a_match_of_a_cup_shows_what_another_winner_changes(scene):
    cup = factories.running(scene.club, pairs=4, format="knockout", name="Cup", slug="cup", rules=RULES)
    division, dora = cup.stage.divisions.get(), scene.users["dora"]
    semi_finals = list(Fixture.objects.filter(division=division).with_pairs().order_by("table", "pk"))
    for each in semi_finals:
        sheet = scoresheets.submit(
            actor=scene.users["sam"], fixture=each, content=FOUR, origin=Scoresheet.Origin.PAGE
        )
        scoresheets.confirm(actor=dora, sheet=sheet, digest=sheet.digest)
    first = semi_finals[0]
    address, client = reverse("match_reopen", args=[first.pk]), client_of(scene, "dora")
    assert client.get(address).context["turned"] is None, "the final is not drawn yet"
    final = rounds.next_round(division)
    seen = ties.propose(division=division, round_=final).digest
    rounds.publish(actor=dora, division=division, number=final.number, at=timezone.now(), seen=seen)
    page = html.unescape(client.get(address).text)
    assert "The next round is drawn already" in page
    assert reverse("tie", args=[first.pk]) in page
    assert str(Fixture.objects.with_pairs().get(round=final)) + " hasn’t begun and is taken out." in page
    assert f"New match: {first.away} – {semi_finals[1].home}." in page
    ties.rule(actor=dora, fixture=first, winner=first.away, reason="A sum was wrong", at=timezone.now())
    assert client.get(address).context["turned"] is None, "who goes on is decided"


@pytest.mark.parametrize("name", ["anna", "sam", "iris", "stranger"])
def test_only_a_director_reopens(scene, name):
    confirmed(scene)
    client = client_of(scene, name)
    assert client.get(address(scene, "match_reopen")).status_code == 403
    assert client.post(address(scene, "match_reopen"), {"reason": "x"}).status_code == 403
    assert Fixture.objects.exclude(decided_at=None).exists()


def test_reopening_shows_what_it_does_first_and_needs_a_reason(scene):
    confirmed(scene)
    client = client_of(scene, "dora")
    assert "Reopen the match" in client.get(address(scene)).text
    page = client.get(address(scene, "match_reopen"))
    changed = {line.pair: (line.points_before, line.points_after) for line in page.context["outlook"].lines}
    assert changed["Berg & Okafor"] == ("2", "0")
    refused = client.post(address(scene, "match_reopen"), {"reason": ""})
    assert "Please give a reason" in refused.text
    assert Fixture.objects.exclude(decided_at=None).exists()
    done = client.post(address(scene, "match_reopen"), {"reason": "Both pairs say so."}, follow=True)
    assert "has no result until" in done.text
    assert not Fixture.objects.exclude(decided_at=None).exists()
    again = client.post(address(scene, "match_reopen"), {"reason": "Again."}, follow=True)
    assert "no confirmed scoresheet to reopen" in again.text
    assert "There’s nothing to reopen" in client.get(address(scene, "match_reopen")).text


def test_an_open_proposal_of_another_time_is_known_to_the_page(scene):
    at = datetime.now(tz=UTC)
    dates.propose(actor=scene.users["eva"], fixture=scene.fixture, starts_at=at + timedelta(days=3), at=at)
    assert "Answer the proposed time" in client_of(scene, "anna").get(address(scene)).text
    assert client_of(scene).get(address(scene)).context["steps"].others == ()


def test_every_registered_game_names_what_the_page_needs():
    """The page asks a game for nothing that its describe and choices do not tell."""
    for offered in game.all_games():
        records = offered.records
        if records is None:
            continue
        record = records.read_record({}, offered.seats()[0])
        assert records.describe(record).hands
        assert records.choices(record, 0).values
        assert records.choices(record, None).values


def test_a_reopened_match_is_entered_again_from_its_sheet(scene):
    confirmed(scene)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Wrong deal.")
    page = client_of(scene, "anna").get(address(scene))
    assert "This result no longer counts" in page.text
    assert page.context["steps"].enter == "correct"
    assert "A director has reopened this match" in page.text
    assert 'data-status="reopened"' in page.text
    assert 'data-status="disputed"' not in page.text
    assert "disagree" not in client_of(scene, "dora").get(address(scene)).text
    assert "disagree" not in client_of(scene, "anna").get("/my/").text
    desk = client_of(scene, "dora").get("/clubs/riverside/desk/").text
    assert "A director reopened it: the correct scoresheet is missing." in desk
    assert "isputed" not in desk
    listed = client_of(scene, "dora").get("/clubs/riverside/desk/matches/?which=reopened")
    assert [line.key for line in listed.context["lines"]] == [scene.fixture.pk]


def test_a_page_left_open_learns_of_a_rejection_and_why(scene):
    sheet = submitted(scene)
    anna = client_of(scene, "anna")
    page = anna.get(address(scene))
    assert "/live/?seen=" in page.text
    live = page.context["live_url"]
    assert anna.get(live).status_code == 204
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Deal 1 was 30 to 15.")
    news = anna.get(live)
    assert "Eva Novak rejected scoresheet 1." in news.text
    assert "Deal 1 was 30 to 15." in news.text
    assert anna.get(news["X-Live-Url"]).status_code == 204
    assert "/live/" not in client_of(scene).get(address(scene)).text


def test_a_void_match_says_that_it_is_not_played_and_why(scene: Scene) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="void")
    page = client_of(scene).get(address(scene)).text
    assert "The director has made it void" in page
    assert "to play" not in page
    away = scene.fixture.away
    type(away).objects.filter(pk=away.pk).update(withdrawn_at=datetime.now(tz=UTC))
    assert "have withdrawn from the competition" in client_of(scene).get(address(scene)).text
