"""The pages of Tute: its rules, and a scoresheet from the plain form to what is read."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from engine.game import all_games
from engine.tute.game import TUTE_FOR_FOUR as TUTE
from games.models import Scoresheet
from games.options import port_of
from games.scoresheets.services import scoresheets
from games.tables.queries import felt_texts
from games.tute import rules_page
from league import extension
from tests.engine.conformance.adapters import registered
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    with registered(TUTE):
        games: Mapping[str, Any] = {**extension.layer().games, TUTE.key: port_of(TUTE)}
        monkeypatch.setattr(extension.layer(), "games", games)
        yield Played(make_scene(), TUTE, 4, ((124, 66), (60, 70)))


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    with registered(TUTE):
        page = Client().get("/games/tute/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert len(page.context["tricks"]) == 10
    assert "North-South have 86 points in cards, East-West 34." in text
    assert "the deal ends 156 to 34." in text
    assert [trick["by"] for trick in rules_page.content()["tricks"]][:3] == ["South", "South", "East"]
    assert "declares las cuarenta, 40" in text


def test_a_game_that_is_not_offered_has_no_page() -> None:
    is_offered = "tute" in {each.key for each in all_games()}
    assert Client().get("/games/tute/").status_code == (200 if is_offered else 404)


def test_a_deal_is_typed_by_its_parts(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    assert page.status_code == 200
    text = page.content.decode()
    assert "Who took the last trick" in text
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"cards-NS": "74", "declared-NS": ["40"], "declared-EW": ["20c"], "last": "NS", "trump": "h"}
    shown = client.post(where, {**seats, **typed, "save": "1"}, follow=True).content.decode()
    assert "124" in shown
    assert "66" in shown
    wrong = client.post(where, {**seats, **typed, "trump": "c", "save": "1"}, follow=True).content.decode()
    assert "King and queen of trumps are las cuarenta, 40." in wrong


def test_a_sheet_of_parts_is_confirmed(played: Played) -> None:
    deals = [
        {"cards": {"NS": 74}, "declared": {"NS": ["40"], "EW": ["20c"]}, "last": "NS", "trump": "h"},
        {"total": {"NS": 65, "EW": 65}, "last": "EW"},
    ]
    sheet = scoresheets.submit(
        actor=played.users[0], fixture=played.fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    sheet = scoresheets.confirm(actor=played.users[1], sheet=sheet, digest=sheet.digest)
    assert sheet.verdict == Scoresheet.Verdict.CONFIRMED
    fixture = played.fresh()
    assert [side.score for side in fixture.sides] == [189, 131]
    # A deal each: then the points decide.
    assert [side.rank for side in fixture.sides] == [1, 2]


def test_the_felt_sorts_a_hand_as_its_players_do() -> None:
    with registered(TUTE):
        assert felt_texts.felt_texts(TUTE.key)["order"]["ranks"] == "A3KQJ76542"
    assert felt_texts.felt_texts("concerto")["order"]["ranks"] == "AKQJT98765432"
