"""The pages of Auction Pinochle: its rules, a scoresheet by taps, and a league of rounds of tables."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.pinochle.auction.game import AUCTION_PINOCHLE
from games import front
from games.models import ScoresheetDraft
from games.pinochle.auction_front import AuctionDealForm
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
#: Four players, the first deals: seat 2 has made 350 with hearts, which the kitty pays for as well.
MADE = {"bidder": "2", "contract": 350, "trump": "h", "outcome": "made"}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), AUCTION_PINOCHLE, 4, ((-5, 20, -5, -5),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/pinochle-auction/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    tricks = page.context["tricks"]
    assert len(tricks) == 15
    assert (tricks[0].who, tricks[0].cards, tricks[0].words) == ("Anna", ["Ah", "Qh", "Ah"], "Anna takes it")
    assert page.context["buried"] == ("Ts", "9c", "Ts")
    assert "Ben bids 300, Clara bids 350, Anna bids 380, Ben passes, Clara passes." in text
    assert "Anna takes the widow, names hearts as trumps, and buries" in text
    assert (
        "That’s trump sequence 150, marriage in clubs 20, four queens 60, pinochle 40, dix 10: 280 in all."
        in text
    )
    assert "Anna has 129 points in cards" in text
    assert "That makes 409, and the contract was 380: it’s made." in text
    assert "Anna: +15" in text
    assert "the kitty: −5" in text
    scoring = Client().get("/games/pinochle-auction/scoring/").content.decode()
    assert "pinochle: queen of spades and jack of diamonds" in scoring
    assert "600 and more" in scoring


def test_taps_make_the_points_and_wrong_ones_say_why(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    names = [str(entry) for entry in played.entries]
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {**MADE, "save": "1"}
    page = client.post(where, {**seats, **typed, "meld": "180", "cards": "170"}, follow=True)
    assert draft_of(played)["deals"] == [{**MADE, "meld": 180, "cards": 170}]
    assert [*page.context["deal"].total.values()] == [-5, 20, -5, -5]
    shown = page.content.decode()
    assert "contract made" in shown
    assert names[1] in shown
    for wrong, words in (
        ({"cards": "160", "meld": "180"}, "Melds and cards make 340: that doesn’t go with the outcome."),
        ({"bidder": "1"}, "The bidder isn’t active in this deal."),
        ({"contract": "355"}, "Contracts are multiples of 10."),
        ({"outcome": "passed-out"}, "a deal can’t be passed out"),
        ({"outcome": "thrown-in"}, "Only a contract of 300 can be thrown in."),
        ({"total-2": "15"}, "The other entries make this 20."),
        ({"cards": "many"}, "many"),
    ):
        said = client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()
        assert words in said


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("pinochle-auction").plain_form
    for record in (
        {**MADE, "meld": 180, "cards": 170, "kitty": -5, "total": {"1": -5, "2": 20, "3": -5, "4": -5}},
        {"outcome": "thrown-in", "bidder": "3", "contract": 300},
        {"total": {"1": 3}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record
        assert isinstance(again, AuctionDealForm)
        assert again.has_more() == ("total" in record)


def test_a_sheet_of_paper_asks_for_the_contract(played: Played) -> None:
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/print/")
    assert "Contract" in page.content.decode()


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: a forced bid, everybody deals four times, and the kitty is shared out."""
    league = League(played.scene, "pinochle-auction", players=8)
    assert league.competition.rules == {"deals": 0, "forced": True, "kitty": True}
    assert len(league.fixture.entries) == 4
    left = [str((deal + 1) % 4 + 1) for deal in range(16)]
    deals = [{**MADE, "bidder": seat} for seat in left]
    deals[-1] = {**MADE, "bidder": "2", "outcome": "double-bete"}
    fixture = league.confirm(deals)
    # 0 and three times 25 before the last deal, which costs seat 2 four times 10; 16 of the kitty's -65 go to each.
    assert [side.score for side in fixture.sides] == [-6, -31, 19, 19]
    assert [side.rank for side in fixture.sides] == [3, 4, 1, 1]
    assert str(fixture.entries[0]) in league.director.get(fixture.get_absolute_url()).content.decode()
