"""A level match of a cup whose tables play the same boards plays on with boards of the reserve (F45)."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.boards.queries import extra
from games.boards.services import boards, releases
from games.models import Board, BoardSet, Duplicate
from league.draws.services import ties
from league.errors import Conflict
from league.models import AuditEntry, Competition, Fixture, Notice
from league.standings import brackets
from league.standings.brackets import How
from tests.games.boards import cup_matches, duplicate_scene, play, sealed, sealed_cup
from tests.scenes import Scene, totals_sheet

pytestmark = pytest.mark.django_db

LEVEL = totals_sheet((60, 20), (20, 60), (40, 40), (30, 30))


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


@pytest.fixture
def cup(scene: Scene) -> Competition:
    return sealed_cup(scene)


def set_of(cup: Competition, number: int = 1) -> BoardSet:
    return BoardSet.objects.get(competition=cup, round__number=number)


def spare(board_set: BoardSet) -> list[Board]:
    return list(board_set.boards.filter(purpose="reserve").order_by("place"))


def both_level(scene: Scene, cup: Competition) -> list[Fixture]:
    matches = cup_matches(cup)
    for match in matches:
        play(scene, match, **LEVEL)
    return cup_matches(cup)


def plays_extra(scene: Scene, match: Fixture, home: int, away: int) -> None:
    ties.play_extra(actor=scene.users["dora"], fixture=match, scores=(home, away), at=timezone.now())


def next_of(match: Fixture) -> list[int]:
    tie = brackets.of_division(match.division).tie_of(match.pk)
    assert tie is not None
    return [each.number for each in brackets.next_extra([tie])[match.pk].reserve]


def test_f45_a_cup_seals_two_sets_of_extra_boards_behind_those_for_misdeals(
    scene: Scene, cup: Competition
) -> None:
    made = set_of(cup)
    assert (made.count, made.reserve, extra.for_misdeals(made)) == (4, 6, 2)
    assert [board.number for board in spare(made)] == [5, 6, 7, 8, 9, 10]
    assert extra.wanted_for(scene.rounds[0]) == 0, "a league has no ties"
    assert sealed(scene, reserve=1).reserve == 1


def test_f45_a_misdealt_board_takes_none_of_them(scene: Scene, cup: Competition) -> None:
    made, dora = set_of(cup), scene.users["dora"]
    for board in made.boards.filter(purpose="original")[:2]:
        boards.substitute_reserve(actor=dora, board=board, reason="Two aces")
    with pytest.raises(Conflict, match="no reserve boards left"):
        boards.substitute_reserve(actor=dora, board=made.boards.get(number=3), reason="Two aces")
    match = both_level(scene, cup)[0]
    assert next_of(match) == [7, 8]


def test_f45_level_matches_play_the_same_boards_and_the_points_decide(scene: Scene, cup: Competition) -> None:
    one, other = both_level(scene, cup)
    assert next_of(one) == next_of(other) == [7, 8]
    plays_extra(scene, one, 30, 30)
    assert (next_of(one), next_of(other)) == ([9, 10], [7, 8])
    plays_extra(scene, one, 10, 10)
    assert next_of(one) == [], "one board alone would tell how it went"
    plays_extra(scene, one, 5, 4)
    assert brackets.of_division(one.division).rounds[0][0].how == How.EXTRA


def test_f45_the_key_stays_shut_until_every_tie_of_the_round_is_decided(
    scene: Scene, cup: Competition
) -> None:
    one, other = both_level(scene, cup)
    made = set_of(cup)
    assert not made.boards.filter(purpose="original", released_at=None).exists(), (
        "all tables have played them"
    )
    assert not made.opened
    releases.release_missed(at=timezone.now())
    with pytest.raises(Conflict, match="is level"):
        releases.release(actor=scene.users["dora"], board_set=made, reason="Over")
    plays_extra(scene, one, 41, 28)
    made.refresh_from_db()
    assert not made.opened
    assert all(not board.deal for board in spare(made))
    dora = scene.users["dora"]
    ties.rule(actor=dora, fixture=other, winner=other.home, reason="By lot", at=timezone.now())
    made = set_of(cup)
    assert made.opened
    assert all(board.deal for board in spare(made))
    assert AuditEntry.objects.filter(action="boards.opened", competition=cup).count() == 1


def test_f45_a_decided_round_opens_at_once_as_before(scene: Scene, cup: Competition) -> None:
    for match in cup_matches(cup):
        play(scene, match)
    assert set_of(cup).opened


def test_f45_the_sweep_makes_up_for_a_key_that_was_not_published(
    scene: Scene, cup: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = both_level(scene, cup)
    monkeypatch.setattr(releases, "release_all_played", lambda **_given: None)
    for match in (one, other):
        plays_extra(scene, match, 41, 28)
    assert not set_of(cup).opened
    monkeypatch.undo()
    assert releases.release_missed(at=timezone.now()) == 1
    assert set_of(cup).opened
    assert releases.release_missed(at=timezone.now()) == 0


def test_f45_boards_that_are_public_or_of_an_older_release_are_not_offered(
    scene: Scene, cup: Competition
) -> None:
    made = set_of(cup)
    Board.objects.filter(board_set=made, purpose="reserve", place__gt=2).delete()
    BoardSet.objects.filter(pk=made.pk).update(reserve=2)
    match = both_level(scene, cup)[0]
    assert next_of(match) == []
    assert extra.for_misdeals(set_of(cup)) == 2


def test_f45_pages_and_the_api_say_which_boards_come_next_and_the_players_are_told(
    scene: Scene, cup: Competition
) -> None:
    one, _other = both_level(scene, cup)
    said = "Now play these boards from the reserve: 7 (dealer"
    for role, address in (
        ("", cup.get_absolute_url()),
        ("anna", reverse("match", args=[one.pk])),
        ("dora", reverse("tie", args=[one.pk])),
    ):
        client = Client()
        if role:
            client.force_login(scene.users[role])
        assert said in client.get(address).text, address
    told = Client().get(f"/api/v1/divisions/{one.division_id}/bracket/").json()
    assert told["rounds"][0][0]["next_extra"] == {"boards": 2, "reserve": [7, 8]}
    rows = Notice.objects.filter(event="tie").order_by("pk")
    assert rows
    assert {row.context["numbers"] for row in rows} == {"7, 8"}
    plays_extra(scene, one, 41, 28)
    last = Notice.objects.filter(event="tie").order_by("-pk")[0]
    assert (last.context["winner"], last.context["home"]) == (str(one.home), 41)


def _cards(made: BoardSet) -> set[str]:
    cards = boards.cards_of(made)
    return {str(cards[board.pk]) for board in spare(made)}


def test_f45_no_card_of_the_reserve_is_anywhere_while_the_other_match_still_plays_it(
    scene: Scene, cup: Competition
) -> None:
    one, other = both_level(scene, cup)
    plays_extra(scene, one, 41, 28)
    made = set_of(cup)
    hidden = _cards(made)

    def said() -> str:
        texts: list[str] = []
        for role in ("", "anna", "iris", "sam", "dora"):
            client = Client()
            if role:
                client.force_login(scene.users[role])
            texts += [client.get(address).text for address in _addresses(cup, made, one, other)]
        return "\n".join(texts)

    before = said()
    assert not {deal for deal in hidden if deal in before or deal[2:] in before}
    assert Duplicate.objects.filter(competition=cup).exists()
    plays_extra(scene, other, 28, 41)
    after = said()
    assert any(deal in after or deal[2:] in after for deal in hidden), "the search finds what is there"


def _addresses(cup: Competition, made: BoardSet, *matches: Fixture) -> list[Any]:
    return [
        cup.get_absolute_url(),
        made.get_absolute_url(),
        reverse("board_set_check", args=[made.pk]),
        f"/api/v1/board-sets/{made.pk}/",
        f"/api/v1/competitions/{cup.pk}/board-sets/",
        *(board.get_absolute_url() for board in made.boards.all()),
        *(reverse("match", args=[match.pk]) for match in matches),
        *(f"/api/v1/fixtures/{match.pk}/" for match in matches),
    ]


def test_f45_the_desk_and_the_competition_ask_who_goes_on_before_a_draw(
    scene: Scene, cup: Competition
) -> None:
    one, other = both_level(scene, cup)
    client = Client()
    client.force_login(scene.users["dora"])
    desk, manage = reverse("desk", args=[scene.club.slug]), f"{cup.get_absolute_url()}manage/"
    for address in (desk, manage):
        text = client.get(address).text
        assert reverse("tie", args=[one.pk]) in text
        assert "Now play these boards from the reserve: 7 (dealer" in text
        assert "Every match" not in text
    for match in (one, other):
        plays_extra(scene, match, 41, 28)
    for address in (desk, manage):
        text = client.get(address).text
        assert reverse("tie", args=[one.pk]) not in text
        assert "Every match of the rounds drawn so far is decided" in text
