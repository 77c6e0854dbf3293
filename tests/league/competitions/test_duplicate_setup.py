"""A duplicate league in the season wizard: asked for, kept, undone, told in plain words, and sealed at publication."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.boards.sealing import DelayedInformation, DelayedKind
from games.boards.services import boards, releases
from games.models import Board, BoardSet, Duplicate, FixtureBoard
from league.draws.services import draws
from league.entries.services import entries
from league.errors import Invalid
from league.models import Competition, DraftChange, Fixture, Player
from tests.league import factories
from tests.league.setting_up import COMPETITION, draft, enter, send, step
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
TOGETHER = {"boards_together": "on", "boards_method": "cross-imps", "boards_measure": "difference"}


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene) -> Client:
    client = Client()
    client.force_login(scene.users["dora"])
    return client


def publish(director: Client, competition: Competition) -> Competition:
    """Publishes what the preview shows."""
    page = director.get(step(competition, "preview"))
    url = f"/clubs/{competition.club.slug}/{competition.slug}/manage/state/"
    director.post(url, {"to": "running", "newest": page.context["newest"]})
    competition.refresh_from_db()
    return competition


def league(director: Client, scene: Scene, **more: str) -> Competition:
    """A duplicate league of the scene's four pairs, published."""
    made = draft(director, **TOGETHER, **more)
    enter(director, made, scene)
    return publish(director, made)


def test_it_is_off_unless_it_is_ticked(director: Client) -> None:
    made = draft(director)
    assert not Duplicate.objects.filter(competition=made).exists()
    assert made.rules["duplicate"] is False
    assert made.rules["early_end"] is True


def test_ticked_it_plays_all_deals_and_takes_the_games_defaults(director: Client) -> None:
    made = draft(director, **TOGETHER)
    duplicate = Duplicate.objects.get(competition=made)
    assert (duplicate.method, duplicate.measure, duplicate.delayed) == ("cross-imps", "difference", {})
    assert (made.rules["duplicate"], made.rules["early_end"], made.rules["game_bonus"]) == (
        True,
        False,
        False,
    )


def test_a_bonus_that_is_chosen_afterwards_stays(director: Client) -> None:
    made = draft(director, **TOGETHER)
    send(director, made, "competition", **TOGETHER)
    made.refresh_from_db()
    assert (made.rules["early_end"], made.rules["game_bonus"]) == (False, True)


def test_the_step_shows_what_was_kept(director: Client) -> None:
    made = draft(director, **TOGETHER)
    form = director.get(step(made, "competition")).context["form"]
    assert form["boards_together"].value() is True
    assert form["boards_method"].value() == "cross-imps"


def test_a_source_is_needed_where_something_is_mixed_in(director: Client) -> None:
    answer = director.post(
        "/clubs/riverside/desk/competitions/new/",
        {**COMPETITION, **TOGETHER, "boards_delayed": "lottery", "boards_source": " "},
    )
    assert answer.status_code == 422
    assert "boards_source" in answer.context["form"].errors
    assert not Competition.objects.filter(name="Spring Cup").exists()


def test_a_match_of_one_board_is_refused_beside_its_number_of_deals(director: Client, scene: Scene) -> None:
    """Its points are public at once, and would be those of a board that others still have to play."""
    answer = director.post(
        "/clubs/riverside/desk/competitions/new/", {**COMPETITION, **TOGETHER, "rules_deals": "1"}
    )
    assert answer.status_code == 422
    [said] = answer.context["form"].errors.values()
    assert "at least 2 deals" in said[0]
    made = league(director, scene)
    BoardSet.objects.filter(round__number=1).update(discarded_at=timezone.now())
    Competition.objects.filter(pk=made.pk).update(rules={**made.rules, "deals": 1})
    with pytest.raises(Invalid, match="at least 2 deals"):
        boards.make(
            actor=scene.users["dora"],
            competition=made,
            round=made.stage.rounds.get(number=1),
            count=1,
            delayed=DelayedInformation(DelayedKind.AGREED_TEXT, "a word", None, "Hello"),
        )


def test_undoing_the_change_takes_the_boards_away_again(director: Client) -> None:
    made = draft(director)
    send(director, made, "competition", **TOGETHER)
    assert Duplicate.objects.filter(competition=made).exists()
    change = DraftChange.objects.filter(competition_id=made.pk).order_by("-pk")[0]
    assert "boards" in change.summary.lower()
    director.post(f"/clubs/riverside/{made.slug}/manage/undo/{change.pk}/", {"seen": change.pk})
    made.refresh_from_db()
    assert not Duplicate.objects.filter(competition=made).exists()
    assert made.rules["duplicate"] is False
    assert made.rules["early_end"] is True


def test_a_deleted_draft_comes_back_with_it(director: Client) -> None:
    made = draft(director, **TOGETHER, boards_delayed="lottery", boards_source="6 of 49")
    url = f"/clubs/riverside/{made.slug}/manage/state/"
    director.post(url, {"to": "deleted"})
    assert not Duplicate.objects.exists()
    change = DraftChange.objects.get(action="competition.discarded")
    director.post(f"/clubs/riverside/desk/drafts/{change.pk}/bring-back/")
    kept = Duplicate.objects.get(competition_id=change.competition_id)
    assert (kept.method, kept.delayed) == ("cross-imps", {"kind": "lottery", "source": "6 of 49"})


def test_the_preview_says_it_in_plain_words(director: Client, scene: Scene) -> None:
    made = draft(director, **TOGETHER)
    enter(director, made, scene)
    page = director.get(step(made, "preview")).content.decode()
    assert "All tables in a round play the same boards" in page
    assert "IMPs against every other table" in page


def test_publishing_seals_a_set_for_every_round_and_deals_it_to_every_match(
    director: Client, scene: Scene
) -> None:
    made = league(director, scene)
    assert made.state == "running"
    sets = list(BoardSet.objects.filter(competition=made).order_by("round__number"))
    assert [each.round.number for each in sets if each.round] == [1, 2, 3]
    assert len({each.commitment for each in sets}) == 3
    assert not Board.objects.filter(board_set__competition=made).exclude(deal="").exists()
    for fixture in Fixture.objects.of_competition(made.pk):
        assert [play.board.number for play in fixture.boards.order_by("position")] == [1, 2, 3, 4]
    page = director.get(step(made, "preview"), follow=True)
    assert page.status_code == 200


def test_what_is_mixed_in_is_known_on_the_day_before_each_round(director: Client, scene: Scene) -> None:
    made = league(director, scene, boards_delayed="lottery", boards_source="6 of 49")
    for each in BoardSet.objects.filter(competition=made).select_related("round"):
        assert each.round is not None
        assert each.delayed["source"] == "6 of 49"
        assert each.delayed["value"] is None
        assert each.delayed["on"] < each.round.starts_on.isoformat()


def test_rounds_drawn_again_keep_their_sets_and_get_them_dealt(director: Client, scene: Scene) -> None:
    made = league(director, scene)
    before = dict(BoardSet.objects.filter(competition=made).values_list("round__number", "commitment"))
    fixtures = set(Fixture.objects.of_competition(made.pk).values_list("pk", flat=True))
    draws.draw(actor=scene.users["dora"], competition=made, order="lot")
    after = dict(BoardSet.objects.filter(competition=made).values_list("round__number", "commitment"))
    assert after == before
    drawn = Fixture.objects.of_competition(made.pk)
    assert not fixtures & set(drawn.values_list("pk", flat=True))
    assert all(fixture.boards.count() == 4 for fixture in drawn)


def _late_pair(scene: Scene) -> Any:
    players = [Player.objects.create(club=scene.club, name=name) for name in ("Late One", "Late Two")]
    return factories.pair(scene.club, players[0], players[1])


def test_a_late_pairs_matches_and_added_rounds_get_boards(director: Client, scene: Scene) -> None:
    made = league(director, scene)
    entries.enter(
        actor=scene.users["dora"],
        division=made.stage.divisions.get(),
        lineup=_late_pair(scene),
        at=timezone.now(),
    )
    rounds = made.stage.rounds.count()
    assert rounds > 3
    assert BoardSet.objects.filter(competition=made, discarded_at=None).count() == rounds
    assert not Fixture.objects.of_competition(made.pk).filter(boards__isnull=True).exists()


def test_a_match_that_comes_after_the_release_plays_deals_of_its_own(director: Client, scene: Scene) -> None:
    made = league(director, scene)
    first = BoardSet.objects.get(competition=made, round__number=1)
    releases.release(actor=scene.users["dora"], board_set=first, reason="Played in a room of its own")
    entries.enter(
        actor=scene.users["dora"],
        division=made.stage.divisions.get(),
        lineup=_late_pair(scene),
        at=timezone.now(),
    )
    late = Fixture.objects.of_competition(made.pk).filter(boards__isnull=True)
    assert {fixture.round.number for fixture in late} <= {1}
    assert FixtureBoard.objects.filter(board__board_set=first).count() == 8


def test_what_is_published_changes_by_its_own_settings_only(director: Client, scene: Scene) -> None:
    made = league(director, scene)
    url = f"/clubs/riverside/{made.slug}/manage/edit/"
    director.post(url, {"name": "Other", "place": "", "visibility": "public", "correction_hours": "48"})
    made.refresh_from_db()
    assert made.name == "Other"
    assert Duplicate.objects.get(competition=made).method == "cross-imps"
