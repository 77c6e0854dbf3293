"""The pages of Tute: its rules, and a scoresheet from the plain form to what is read."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from engine.tute.game import TUTE_FOR_FOUR as TUTE
from games.daily import services as daily
from games.models import DailyDeal, Scoresheet, ScoresheetDraft, TableDeal
from games.papers import deals, records, slips
from games.scoresheets.services import scoresheets
from games.tables.queries import labels
from games.templatetags.cards import card, card_name
from games.tute import rules_page
from league.models import Competition, Fixture, Round
from league.standings.services import standings
from tests.games.test_boards_of_any_game import Event
from tests.games.test_sheets_of_any_game import Played
from tests.league.competitions.test_duplicate_setup import publish
from tests.league.setting_up import enter
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), TUTE, 4, ((124, 66), (60, 70)))


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/tute/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert len(page.context["tricks"]) == 10
    assert "North-South have 86 points in cards, East-West 34." in text
    assert "the deal ends 156 to 34." in text
    assert [trick["by"] for trick in rules_page.content()["tricks"]][:3] == ["South", "South", "East"]
    assert "declares las cuarenta, 40" in text


def test_the_page_of_a_game_leads_on(played: Played) -> None:
    """To practice for everybody, to the set-up for who directs a club, and to who plays it where that is public."""
    stranger = Client().get("/games/tute/").content.decode()
    assert "/games/tute/try/deal/" in stranger
    assert "/desk/" not in stranger
    assert str(played.fixture.round.competition) in stranger
    directing = played.client(played.scene.users["dora"]).get("/games/tute/").content.decode()
    assert "/clubs/riverside/desk/competitions/new/?game=tute" in directing
    assert "/desk/" not in played.client(played.users[0]).get("/games/tute/").content.decode()
    assert str(played.fixture.round.competition) not in Client().get("/games/concerto/").content.decode()


def test_what_is_worth_points_is_one_press_away() -> None:
    page = Client().get("/games/tute/scoring/").content.decode()
    assert "Las cuarenta: king and queen of trumps" in page
    assert "230" in page


@pytest.mark.parametrize("given", ["tute", "nothing", "%F0", "concerto"])
def test_a_set_up_begins_with_the_preset_of_its_game(given: str) -> None:
    scene, director = make_scene(), Client()
    director.force_login(scene.users["dora"])
    new = "/clubs/riverside/desk/competitions/new/"
    form = director.get(f"{new}?game={given}").context["form"]
    is_tute = given == "tute"
    assert form["game"].value() == ("tute" if is_tute else "concerto")
    assert bool(form["boards_together"].value()) is is_tute
    if is_tute:
        assert (form["rules_by"].value(), form["rules_deals"].value()) == ("points", 8)
        assert form["rules_under_trump"].value() is True
    changed = director.post(new, {"name": "Evening", "game": "tute", "rules_of": "concerto"})
    assert changed.status_code == 422
    assert changed.context["form"]["rules_by"].value() == "points"
    assert changed.context["form"]["boards_together"].value() is True
    # The defaults themselves stay those of the rules' page.
    assert TUTE.read_options({})["by"] == "hands"


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


def test_tricks_are_tapped_or_typed_and_nothing_of_them_is_lost(played: Played) -> None:
    """Who took each, the cards in any case, or both; a wrong one is shown again as it was typed."""
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    assert "Trick by trick" in page.content.decode()
    typed = {each.html_name: each.value() for each in page.context["seats"]}
    typed |= {"cards-NS": "74", "last": "NS", "trump": "h", "up": "7H", "save": "1"}
    # West leads to the first trick: North deals.
    typed |= {"trick-0": "EW", "trick-1": "NS", "tricks": "\n\n7C kc 4c Ac\nN  2d ad 4D 5d"}
    page = client.post(where, typed, follow=True)
    record = drafts_of(played)["deals"][0]
    assert record["tricks"] == ["EW", "NS", "7cKc4cAc", "N2dAd4d5d"]
    assert record["up"] == "7h"
    form = page.context["form"]
    assert form["tricks"].value() == "\n\n7c Kc 4c Ac\nN 2d Ad 4d 5d"
    assert [form[f"trick-{number}"].value() for number in range(3)] == ["EW", "NS", ""]
    assert form["up"].value() == "7h"
    text = page.content.decode()
    assert "North-South\u00a02, East-West\u00a01" in text
    assert "3. 7♣ K♣ 4♣ A♣; 4. 2♦ A♦ 4♦ 5♦" in text.replace("\u00a0", " ")

    wrong = client.post(where, {**typed, "tricks": "7c Kc\n", "trick-1": ""}, follow=True)
    assert "isn’t a trick" in wrong.content.decode()
    again = client.post(where, {**typed, "tricks": "7c Kc 2c 4c\n3d Ac 5d Jd"}, follow=True).content.decode()
    assert "by its cards, South took it" in again
    typed |= {"tricks": "7c Kc 2c 4c\n3d Ac 5d Jd", "trick-0": "", "trick-1": ""}
    assert "couldn’t play" in client.post(where, typed, follow=True).content.decode()


def drafts_of(played: Played) -> dict[str, Any]:
    """What is kept of the sheet that somebody is filling in."""
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


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
    page = played.client(played.users[1]).get(f"/matches/{played.fixture.pk}/").content.decode()
    for told in ("North-South\u00a074", "Las cuarenta, 40", "20 in clubs", "Last trick", "hearts"):
        assert told in page
    fixture = played.fresh()
    assert [side.score for side in fixture.sides] == [189, 131]
    # A deal each: then the points decide.
    assert [side.rank for side in fixture.sides] == [1, 2]


def test_the_felt_sorts_a_hand_as_its_players_do() -> None:
    assert labels.table_labels(TUTE.key)["order"]["ranks"] == "A3KQJ76542"
    assert labels.table_labels("concerto")["order"]["ranks"] == "AKQJT98765432"


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: eight common boards, decided by points."""
    scene = played.scene
    director = played.client(scene.users["dora"])
    new = "/clubs/riverside/desk/competitions/new/"
    form = director.get(f"{new}?game=tute").context["form"]
    filled = {field.html_name: field.value() for field in form if field.value() not in {None, False}}
    assert director.post(new, {**filled, "name": "Tute League"}).status_code == 302
    made = Competition.objects.get(name="Tute League")
    assert enter(director, made, scene).status_code == 302
    publish(director, made)
    assert (made.state, made.rules) == ("running", {"deals": 8, "by": "points", "under_trump": True})

    Round.objects.filter(stage=made.stage, number=1).update(starts_on=timezone.now() - timedelta(days=1))
    fixture = Fixture.objects.of_competition(made.pk).with_pairs().order_by("pk")[0]
    assert [play.board.number for play in fixture.boards.order_by("position")] == [*range(1, 9)]
    home, away = (entry.lineup.players[0].user for entry in fixture.entries)
    assert home is not None
    assert away is not None
    deals = [{"cards": {"NS": 74}, "declared": {"NS": ["40"]}, "last": "NS"}] * 5
    deals += [{"total": {"NS": 0, "EW": 230}, "tute": "EW"}] * 3
    sheet = scoresheets.submit(
        actor=home, fixture=fixture, content={"deals": deals}, origin=Scoresheet.Origin.PAGE
    )
    scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)
    fixture = Fixture.objects.with_pairs().get(pk=fixture.pk)
    # More deals, but fewer points: points decide here.
    assert [side.score for side in fixture.sides] == [5 * 124, 5 * 46 + 3 * 230]
    assert [side.rank for side in fixture.sides] == [2, 1]
    standings.compute(competition_id=made.pk, at=timezone.now())
    table = director.get(made.get_absolute_url()).content.decode()
    rows = re.findall(r"<tr.*?</tr>", table, re.S)
    first = next(row for row in rows if "<td" in row)
    assert escape(str(fixture.entries[1])) in first


def test_a_day_that_is_over_shows_cards_trump_result_and_replay(played: Played) -> None:
    at = datetime.now(UTC)
    person = played.users[0]
    table = daily.play(actor=person, offered=TUTE, at=at)
    row = TableDeal.objects.get(table=table)
    row.score, row.finished_at = {"total": {"NS": 124, "EW": 66}}, at
    row.save()
    of_day = DailyDeal.objects.get(game="tute", day=at.date())
    where = f"/games/tute/daily/{at.date()}/"
    client = played.client(person)
    assert client.get(where).status_code == 302, "not before it is over"
    assert daily.release(daily_id=of_day.pk, at=of_day.ends_at)
    of_day.refresh_from_db()
    text = client.get(where).content.decode()
    turned = TUTE.boards.turned_up(of_day.deal)
    side = TUTE.side_of(table.seats.get(user=person).seat)
    assert f"Turned up {card(turned)}" in text
    assert ("124 : 66" if side == "NS" else "66 : 124") in text
    assert "The replay of your deal" in text
    assert text.count('class="suit-rows"') == 4
    # The three is above the king.
    held = list(TUTE.boards.hands(of_day.deal).values())
    rows = [
        re.sub(r"<[^>]*>|\s", "", row)
        for row in re.findall(r'<span class="ranks">(.*?)</span></span>', text, re.S)
    ]
    wanted = ["".join(each[0] for each in hand if each[1] == suit) for hand in held for suit in "shdc"]
    assert sorted(filter(None, wanted)) == sorted(row for row in rows if "–" not in row)
    # Its programs know 52 cards.
    assert "SquareDeal" not in text
    assert "It is that of the key below" in text
    assert f"Turned up {card(turned)}" in Client().get(where).content.decode()


def test_a_board_tells_which_card_lies_open_on_its_page_and_to_who_deals_by_hand() -> None:
    event = Event(make_scene(), TUTE, (((124, 66), (60, 70)), ((70, 60), (65, 85))))
    first = event.boards[0]
    assert "Turned up" not in event.client().get(first.get_absolute_url()).content.decode()
    dealt = deals.all_of(event.board_set)[0]
    shown = f"North deals · turned up: {card_name(dealt.turned_up)}"
    assert dealt.deals_and_shows == shown
    assert dealt.turned_up in dealt.hands["N"]
    # A dealer by hand sees one hand: only that of the dealer says it.
    assert [slip["deals"] for slip in slips._slips(dealt)] == [shown, *["North deals"] * 3]
    assert records._board(dealt, has_best=False)["deals"] == shown
    for number in (0, 1):
        event.play(number)
    first.refresh_from_db()
    turned = TUTE.boards.turned_up(first.deal)
    assert f"Turned up {card(turned)}" in event.client().get(first.get_absolute_url()).content.decode()
