"""The pages of Partnership Pinochle: its rules, and a scoresheet from the plain form to what is read."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from engine.pinochle.game import PINOCHLE
from games.models import Scoresheet, ScoresheetDraft
from games.pinochle import rules_page
from games.scoresheets.services import scoresheets
from games.tables.queries import labels
from league.models import Competition, Fixture, Round
from league.standings.services import standings
from tests.games.test_sheets_of_any_game import Played
from tests.league.competitions.test_duplicate_setup import publish
from tests.league.setting_up import enter
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db

PARTS = {
    "trump": "s",
    "melds": {"N": ["sequence", "pinochle"], "E": ["marriage-h", "dix"], "S": ["dix"], "W": 40},
    "cards": {"NS": 140},
    "last": "NS",
}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), PINOCHLE, 4, ((340, 180), (200, 400)))


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/pinochle-partnership/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert len(page.context["tricks"]) == 12
    assert "West exchanged the nine of trumps for it." in text
    assert "North-South have 150 points in cards, East-West 100." in text
    assert "The melds are worth 230 and 80." in text
    assert "So the deal ends 380 to 180." in text
    shown = {each["seat"]: each["names"] for each in rules_page.content()["melds"]}
    assert shown["West"] == "marriage in hearts 20, dix 10"
    assert shown["South"] == "trump sequence 150"


def test_what_is_worth_points_is_one_press_away() -> None:
    page = Client().get("/games/pinochle-partnership/scoring/").content.decode()
    assert "pinochle: queen of spades and jack of diamonds" in page
    assert "1500" in page


def typed_deal(played: Played, **typed: Any) -> Any:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    return client.post(where, {**seats, **typed, "save": "1"}, follow=True)


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    deal: dict[str, Any] = content["deals"][0]
    return deal


def test_pp25_a_deal_is_typed_by_its_parts(played: Played) -> None:
    named = {"named-N": ["sequence", "pinochle"], "named-E": ["marriage-h", "dix"], "melds-W": "40"}
    typed = {"cards-NS": "140", "last": "NS", "trump": "s", "up": "qS", **named, "named-S": ["dix"]}
    page = typed_deal(played, **typed)
    shown = page.content.decode()
    assert draft_of(played)["melds"] == PARTS["melds"]
    assert draft_of(played)["up"] == "Qs"
    assert "340" in shown
    assert "180" in shown
    assert "trump sequence, 150, pinochle, 40" in shown
    form = page.context["form"]
    assert form["named-N"].value() == ["sequence", "pinochle"]
    assert (form["melds-W"].value(), form["melds-N"].value()) == ("40", "")
    wrong = typed_deal(played, **{**typed, "named-E": ["2 marriage-h"], "named-W": ["marriage-h"]})
    assert "these melds need more" in wrong.content.decode()
    assert wrong.context["form"]["named-E"].value() == ["2 marriage-h"]


def test_pp25_running_totals_and_a_claim_are_typed_too(played: Played) -> None:
    totals = {"total-NS": "340", "total-EW": "180"}
    page = typed_deal(played, **totals, **{"running-NS": "345", "running-EW": "180"})
    assert "The deals so far add up to 340." in page.content.decode()
    claimed = typed_deal(played, **totals, **{"claim": "E", "claim-tricks": "7"}).content.decode()
    assert "Claims are off in this competition." in claimed
    assert draft_of(played)["claim"] == {"by": "E", "tricks": 7}
    assert "East, tricks finished: 7" in claimed
    assert "whole number from 0 to 11" in typed_deal(
        played, **totals, **{"claim": "E", "claim-tricks": "twelve"}
    ).content.decode().replace("\u00a0", " ")


def test_a_sheet_of_parts_is_confirmed(played: Played) -> None:
    deals = [PARTS, {"total": {"NS": 200, "EW": 400}, "running": {"NS": 540, "EW": 580}}]
    sheet = scoresheets.submit(
        actor=played.users[0], fixture=played.fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    sheet = scoresheets.confirm(actor=played.users[1], sheet=sheet, digest=sheet.digest)
    assert sheet.verdict == Scoresheet.Verdict.CONFIRMED
    page = played.client(played.users[1]).get(f"/matches/{played.fixture.pk}/").content.decode()
    for told in (
        "North-South\u00a0140",
        "trump sequence, 150",
        "marriage in hearts, 20",
        "East-West\u00a0580",
        "spades",
    ):
        assert told in page
    fixture = played.fresh()
    assert [side.score for side in fixture.sides] == [540, 580]
    assert [side.rank for side in fixture.sides] == [2, 1]


def test_the_felt_sorts_a_hand_as_its_players_do() -> None:
    assert labels.table_labels(PINOCHLE.key)["order"]["ranks"] == "ATKQJ9"


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: eight duplicate boards without claims."""
    scene = played.scene
    director = played.client(scene.users["dora"])
    new = "/clubs/riverside/desk/competitions/new/"
    form = director.get(f"{new}?game=pinochle-partnership").context["form"]
    filled = {field.html_name: field.value() for field in form if field.value() not in {None, False}}
    assert director.post(new, {**filled, "name": "Pinochle League"}).status_code == 302
    made = Competition.objects.get(name="Pinochle League")
    assert enter(director, made, scene).status_code == 302
    publish(director, made)
    assert made.state == "running"
    assert made.rules == {"deals": 8, "target": 1000, "claims": False, "duplicate": True}

    Round.objects.filter(stage=made.stage, number=1).update(starts_on=timezone.now() - timedelta(days=1))
    fixture = Fixture.objects.of_competition(made.pk).with_pairs().order_by("pk")[0]
    assert [play.board.number for play in fixture.boards.order_by("position")] == [*range(1, 9)]
    home, away = (entry.lineup.players[0].user for entry in fixture.entries)
    assert home is not None
    assert away is not None
    # Beyond the target all boards are played.
    deals = [{"total": {"NS": 450, "EW": 100}}] * 4 + [{"total": {"NS": 100, "EW": 500}}] * 4
    sheet = scoresheets.submit(
        actor=home, fixture=fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)
    fixture = Fixture.objects.with_pairs().get(pk=fixture.pk)
    assert [side.score for side in fixture.sides] == [2200, 2400]
    assert [side.rank for side in fixture.sides] == [2, 1]
    standings.compute(competition_id=made.pk, at=timezone.now())
    table = director.get(made.get_absolute_url()).content.decode()
    first = next(row for row in re.findall(r"<tr.*?</tr>", table, re.S) if "<td" in row)
    assert escape(str(fixture.entries[1])) in first
