"""How a pair and a player play: figures that add up to what was written down, for whoever may see it."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.analysis.services import analyses
from games.concerto.study import figures as play
from games.models import PlayedHand
from games.scoresheets.services import matches, scoresheets
from league.models import Competition
from tests.games.test_analyses import NOW, confirmed, with_cards
from tests.scenes import Scene, make_scene

PART = {"HX-Request": "true"}


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def address(scene: Scene, place: int = 0) -> str:
    return reverse("pair_play", args=[scene.entries[place].lineup_id])


def another_match(scene: Scene) -> None:
    """Round 2: Iris & Tom at home to Eva & Luis, or whatever was drawn there, with the same cards."""
    fixture = next(each for each in scene.fixtures if each.round_id == scene.rounds[1].pk)
    sheet = scoresheets.submit(
        actor=scene.users["sam"], fixture=fixture, content=with_cards(), origin="official"
    )
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest)


def test_the_figures_add_up_to_the_hands_that_count(scene):
    confirmed(scene)
    another_match(scene)
    analyses.sweep(at=NOW)
    entry, user = scene.entries[0], scene.users["anna"]
    (found,) = play.of_pair(entry.lineup, user)
    own = list(PlayedHand.objects.filter(played__entry=entry))
    everybody = list(PlayedHand.objects.filter(played__entry__competition=scene.competition))
    assert found.hands == len(own) > 0
    assert sum(line.count for line in found.values) == len(own)
    assert sum(line.points for line in found.values) == sum(hand.points for hand in own)
    assert sum(line.share for line in found.values) == sum(line.usual for line in found.values) == 100
    for shown, hands in ((found.points.own, own), (found.points.usual, everybody)):
        assert shown == Fraction(sum(hand.points for hand in hands), len(hands))
    for shown, hands in ((found.cost.own, own), (found.cost.usual, everybody)):
        assert shown == Fraction(sum(hand.cost for hand in hands), len(hands))
    assert found.given_away.own is not None
    page = Client().get(address(scene)).text
    for words in ("Points per hand", "Given up per hand", "Left-overs gave away", "everyone", "full house"):
        assert words in page


def test_a_result_that_is_taken_back_no_longer_counts(scene):
    confirmed(scene)
    assert play.of_pair(scene.entries[0].lineup, scene.users["anna"])
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="A card")
    assert play.of_pair(scene.entries[0].lineup, scene.users["anna"]) == ()
    assert "No hands recorded yet" in Client().get(address(scene)).text


def test_a_player_has_the_hands_of_the_seats_that_the_player_sat_in(scene):
    confirmed(scene)
    anna, iris = scene.players[0], scene.players[2]
    (found,) = play.of_player(anna, scene.users["anna"])
    assert found.hands == PlayedHand.objects.filter(played__entry=scene.entries[0]).count()
    assert play.of_player(iris, scene.users["anna"]) == ()
    assert "Points per hand" in Client().get(reverse("player_play", args=[anna.pk])).text


def test_the_pages_of_pair_and_player_fetch_it_and_link_to_it(scene):
    confirmed(scene)
    for name, key in (("pair", scene.entries[0].lineup_id), ("player", scene.players[0].pk)):
        page = Client().get(reverse(name, args=[key])).text
        own = reverse(f"{name}_play", args=[key])
        assert f'hx-get="{own}"' in page
        assert f'href="{own}"' in page
        part = Client().get(own, headers=PART).text
        assert "<html" not in part
        assert "Points by combination" in part


def test_whoever_may_not_see_the_competition_sees_no_play_in_it(scene):
    confirmed(scene)
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)
    assert Client().get(address(scene)).status_code == 404
    assert Client().get(reverse("player_play", args=[scene.players[0].pk])).status_code == 404
    stranger = Client()
    stranger.force_login(scene.users["stranger"])
    assert "Points per hand" not in stranger.get(address(scene)).text
    member = Client()
    member.force_login(scene.users["iris"])
    assert "Points per hand" in member.get(address(scene)).text


def test_more_matches_need_no_more_queries(scene):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(address(scene)).status_code == 200
        return len(captured)

    confirmed(scene)
    analyses.sweep(at=NOW)
    one = queries()
    another_match(scene)
    assert queries() == one
    assert one <= 16
