"""What the cards could have made, on the match page: who sees it when, what it says, and how it gets there."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.concerto.game import CONCERTO
from games.analysis.services import analyses
from games.models import Analysis
from games.scoresheets.services import matches, scoresheets
from league.models import Competition
from tests.games.test_analyses import NOW, confirmed, with_cards
from tests.scenes import Scene, make_scene

WAITS = "We’re working this out."
TITLE = "What the cards could have made"
VERSION = analyses.version_of(CONCERTO)


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def page(scene: Scene, name: str = "", **query: str) -> str:
    client = Client()
    if name:
        client.force_login(scene.users[name])
    return client.get(reverse("match", args=[scene.fixture.pk]), query).text


def part(scene: Scene, number: int = 1, **headers: str):
    address = reverse("deal_analysis", args=[scene.fixture.pk, number])
    return Client().get(address, headers={"HX-Request": "true", **headers})


def test_a_sheet_that_waits_to_be_confirmed_shows_no_analysis_to_anybody(scene):
    scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=with_cards(), origin="page")
    for name in ("", "anna", "eva", "dora"):
        assert TITLE not in page(scene, name)
    assert part(scene).status_code == 404


def test_it_says_so_while_it_is_being_worked_out_and_asks_again(scene):
    confirmed(scene)
    address = reverse("deal_analysis", args=[scene.fixture.pk, 1])
    for text in (page(scene), part(scene).text):
        assert WAITS in text
        assert f'hx-get="{address}"' in text
    analyses.sweep(at=NOW)
    for text in (page(scene), part(scene).text):
        assert TITLE in text
        assert WAITS not in text
        assert f'hx-get="{address}"' not in text


def test_it_shows_best_hands_par_and_what_each_hand_gave_up(scene):
    sheet = confirmed(scene)
    analyses.sweep(at=NOW)
    client = Client()
    shown = client.get(reverse("match", args=[scene.fixture.pk])).context["deals"]
    contents = {
        side.deal_id: side.analysis.content for deal in sheet.deals.all() for side in deal.sides.all()
    }
    assert len(shown) == len(contents)
    for (deal, best), row in zip(shown, sheet.deals.all(), strict=True):
        content = contents[row.pk]
        assert best.par == {"home": content["par"]["total"]["NS"], "away": content["par"]["total"]["EW"]}
        costs = {hand.number: hand.cost for pair in best.pairs for hand in pair.hands}
        assert costs == {place: hand["cost"] for place, hand in enumerate(content["costs"], start=1)}
        for pair in best.pairs:
            assert pair.made == deal.made[pair.pair]
            assert pair.given_up == sum(hand.cost for hand in pair.hands)
            assert sum(each.length for each in pair.parts) == pair.best
            for way in pair.ways:
                assert [len(hand.cards) for hand in way.hands] == [5] * 4
                assert all(hand.words and hand.leader.pair == pair.pair for hand in way.hands)
                assert len({card.text for hand in way.hands for card in hand.cards}) == 20
    text = page(scene)
    for words in (TITLE, "gave up", "Par is", "Why?", "The best hands", "choose first"):
        assert words in text


def test_the_home_pair_may_sit_east_west(scene):
    """Best play follows the pair, whatever side it sat on."""
    north, south = scene.entries[3].lineup.players
    east, west = scene.entries[0].lineup.players
    seats = {"N": north.pk, "E": east.pk, "S": south.pk, "W": west.pk}
    sheet = confirmed(scene, {**with_cards(), "seats": seats})
    analyses.sweep(at=NOW)
    content = sheet.deals.first().sides.first().analysis.content
    _deal, best = Client().get(reverse("match", args=[scene.fixture.pk])).context["deals"][0]
    assert [pair.name for pair in best.pairs] == ["Berg & Okafor", "Novak & Reyes"]
    assert [pair.best for pair in best.pairs] == [content["best"][s][0]["points"] for s in ("EW", "NS")]


def test_a_result_that_is_taken_back_takes_its_analysis_along(scene):
    confirmed(scene)
    analyses.sweep(at=NOW)
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="A card")
    assert TITLE not in page(scene)
    assert TITLE not in page(scene, version="1")
    assert part(scene).status_code == 404


def test_whoever_may_not_see_the_match_sees_no_analysis(scene):
    confirmed(scene)
    analyses.sweep(at=NOW)
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)
    assert part(scene).status_code == 404
    assert part(scene, 9).status_code == 404


def test_its_own_address_leads_a_reader_to_the_deal(scene):
    confirmed(scene)
    answer = Client().get(reverse("deal_analysis", args=[scene.fixture.pk, 1]))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("match", args=[scene.fixture.pk]) + "#best-1"


def test_a_deal_of_combinations_has_no_analysis(scene):
    content = with_cards()
    bare = {"hands": [{"combination": "pair"}] * 8, "left_over": {"combination": "nothing"}}
    confirmed(scene, {**content, "deals": [bare, {"total": {"NS": 110, "EW": 0}}]})
    assert TITLE not in page(scene)
    assert part(scene).status_code == 404


def test_an_analysis_that_failed_is_not_shown(scene):
    confirmed(scene)
    Analysis.objects.update(version=VERSION, content={})
    assert TITLE not in page(scene)


@pytest.mark.parametrize(
    "content", [{"old": True}, [], "x", {"best": {}, "par": {"total": {}}, "costs": None, "committing": {}}]
)
def test_what_is_stored_of_it_never_keeps_the_match_from_being_shown(scene, content):
    confirmed(scene)
    Analysis.objects.update(version=VERSION, content=content)
    assert TITLE not in page(scene)
    assert part(scene).status_code == 404


def test_an_answer_of_another_version_waits_to_be_made_anew(scene):
    confirmed(scene)
    Analysis.objects.update(version=77, content={"old": True})
    assert WAITS in page(scene)
    assert WAITS in part(scene).text


def test_the_page_needs_one_query_for_all_analyses(scene):
    confirmed(scene)
    analyses.sweep(at=NOW)
    with CaptureQueriesContext(connection) as queries:
        page(scene)
    assert len([each for each in queries if '"games_analysis"' in each["sql"]]) == 1
