"""The pages of Burraco: its rules, and a scoresheet from the plain form to what is read."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from engine.burraco.game import BURRACO
from games.burraco import rules_page
from games.models import Scoresheet, ScoresheetDraft
from games.scoresheets.services import scoresheets
from league.models import Competition, Fixture, Round
from league.standings.services import standings
from tests.games.test_sheets_of_any_game import Played
from tests.league.competitions.test_duplicate_setup import publish
from tests.league.setting_up import enter
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db

LINES = {
    "melded": {"NS": 265, "EW": 40},
    "clean": {"NS": 1},
    "dirty": {"NS": 1},
    "closed": "NS",
    "held": {"NS": 30, "EW": 95},
    "missed": "EW",
}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), BURRACO, 4, ((635, -155), (200, 400)))


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/burraco/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    content = rules_page.content()
    total = content["total"]
    assert len(page.context["turns"]) == len(content["turns"])
    assert f"So the deal ends {total['NS']} to {total['EW']}." in text
    assert f"{content['closer']} closes." in text
    assert [line["total"] for line in content["lines"]] == list(total.values())
    assert ["".join(each["grown"]) for each in content["growing"]] == [
        "7s8sJkTs", "Jk7s8s9sTs", "3h4h2h6h", "Jk2h3h4h", "KsKhKc2d",
    ]  # fmt: skip


def test_what_is_worth_points_is_one_press_away() -> None:
    page = Client().get("/games/burraco/scoring/").content.decode()
    assert "A clean burraco: seven cards or more without a wild card" in page
    assert "200" in page


def typed_deal(played: Played, **typed: Any) -> Any:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    return client.post(where, {**seats, **typed, "save": "1"}, follow=True)


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    deal: dict[str, Any] = content["deals"][0]
    return deal


def test_bu23_a_deal_is_typed_by_its_lines(played: Played) -> None:
    points = {"melded-NS": "265", "melded-EW": "40", "held-NS": "30", "held-EW": "95"}
    typed = {**points, "clean-NS": "1", "dirty-NS": "1", "closed": "NS", "missed": "EW"}
    page = typed_deal(played, **typed)
    assert draft_of(played) == LINES
    shown = page.content.decode()
    assert "635" in shown
    assert "North-South\u00a0265, East-West\u00a040" in shown
    assert "semi_clean-NS" not in page.context["form"].fields
    wrong = typed_deal(played, **{**typed, "closed": "EW"})
    assert "A side that took no pozzetto can’t close." in wrong.content.decode()
    wrong = typed_deal(played, **typed, **{"running-NS": "640"})
    assert "The deals so far add up to 635." in wrong.content.decode()


def test_bu23_melds_and_hands_are_typed_in_any_case(played: Played) -> None:
    typed = {"melds-NS": "kS KH kd kc\n7s 8s 9s jk", "cards-EW": "2d 10h", "cards-NS": "", "melds-EW": ""}
    page = typed_deal(played, **typed, **{"held-NS": "0", "melded-EW": "0"})
    assert draft_of(played)["melds"] == {"NS": ["KsKhKdKc", "7s8s9sJk"]}
    assert draft_of(played)["cards"] == {"EW": "2dTh"}
    form = page.context["form"]
    assert form["melds-NS"].value() == "Ks Kh Kd Kc\n7s 8s 9s Jk"
    assert form["cards-EW"].value() == "2d Th"
    assert "K♠ K♥ K♦ K♣; ★ 7♠ 8♠ 9♠" in page.content.decode().replace("\u00a0", " ")
    wrong = typed_deal(played, **{**typed, "melds-NS": "7s 8s Tc"}).content.decode()
    assert "is no meld" in wrong


def test_the_semi_clean_burraco_is_asked_for_where_it_counts(played: Played) -> None:
    competition = played.fixture.round.competition
    competition.rules = {**competition.rules, "semi_clean": True}
    competition.save()
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/plain/1/")
    assert "semi_clean-NS" in page.context["form"].fields


def test_a_sheet_of_lines_is_confirmed(played: Played) -> None:
    deals = [LINES, {"total": {"NS": 200, "EW": 400}, "running": {"NS": 835, "EW": 245}}]
    sheet = scoresheets.submit(
        actor=played.users[0], fixture=played.fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    sheet = scoresheets.confirm(actor=played.users[1], sheet=sheet, digest=sheet.digest)
    assert sheet.verdict == Scoresheet.Verdict.CONFIRMED
    page = played.client(played.users[1]).get(f"/matches/{played.fixture.pk}/").content.decode()
    for told in ("North-South 265, East-West 40", "Took no pozzetto", "North-South 835, East-West 245"):
        assert told in page.replace("\u00a0", " ")
    assert [side.score for side in played.fresh().sides] == [835, 245]


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: four common boards, all of them played."""
    scene = played.scene
    director = played.client(scene.users["dora"])
    new = "/clubs/riverside/desk/competitions/new/"
    form = director.get(f"{new}?game=burraco").context["form"]
    filled = {field.html_name: field.value() for field in form if field.value() is not None}
    assert director.post(new, {**filled, "name": "Burraco League"}).status_code == 302
    made = Competition.objects.get(name="Burraco League")
    assert enter(director, made, scene).status_code == 302
    publish(director, made)
    assert (made.state, made.rules) == ("running", {"deals": 4, "target": 0, "semi_clean": False})
    # 20 victory points, shared 10 to 10 up to 20 to 0.
    assert made.points["draw"] == "10"
    assert made.points["bands"][1] == {"from": 100, "winner": "11", "loser": "9"}
    assert made.points["bands"][-1] == {"from": 1000, "winner": "20", "loser": "0"}

    Round.objects.filter(stage=made.stage, number=1).update(starts_on=timezone.now() - timedelta(days=1))
    fixture = Fixture.objects.of_competition(made.pk).with_pairs().order_by("pk")[0]
    assert [play.board.number for play in fixture.boards.order_by("position")] == [*range(1, 5)]
    home, away = (entry.lineup.players[0].user for entry in fixture.entries)
    assert home is not None
    assert away is not None
    deals = [LINES, *[{"total": {"NS": 100, "EW": 800}}] * 3]
    sheet = scoresheets.submit(
        actor=home, fixture=fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)
    fixture = Fixture.objects.with_pairs().get(pk=fixture.pk)
    assert [side.score for side in fixture.sides] == [935, 2245]
    standings.compute(competition_id=made.pk, at=timezone.now())
    table = director.get(made.get_absolute_url()).content.decode()
    first = next(row for row in re.findall(r"<tr.*?</tr>", table, re.S) if "<td" in row)
    assert escape(str(fixture.entries[1])) in first
    points = re.findall(r"\d+", re.sub(r"<[^>]*>", " ", first))
    assert "20" in points
