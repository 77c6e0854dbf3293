"""Until a competition is published, every act on it can be undone, and the draft is then as it was, row by row."""

from typing import Any

import pytest
from django.test import Client

from league.competitions.services import competitions, drafts
from league.draws.services import draws
from league.errors import Conflict, NotAllowed
from league.fixtures.services import fixtures
from league.models import (
    Appearance,
    AuditEntry,
    Competition,
    Division,
    DraftChange,
    Entry,
    Fixture,
    Lineup,
    Round,
    Stage,
)
from tests.league.setting_up import arrangement, draft, enter, send, step
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def director(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["dora"])
    return client


def rows(competition: Competition) -> dict[str, Any]:
    """Everything that makes the draft."""
    own: dict[str, Any] = {
        "row": Competition.objects.filter(pk=competition.pk).exclude(slug=""),
        "stages": Stage.objects.filter(competition=competition),
        "divisions": Division.objects.filter(stage__competition=competition),
        "entries": Entry.objects.filter(competition=competition),
        "rounds": Round.objects.filter(stage__competition=competition),
        "fixtures": Fixture.objects.filter(round__stage__competition=competition),
    }
    found: dict[str, Any] = {name: list(query.order_by("pk").values()) for name, query in own.items()}
    for each in found["row"]:
        each.pop("results_version"), each.pop("created_at")
    places = Appearance.objects.filter(round__stage__competition=competition)
    found["appearances"] = sorted(
        places.values_list("round_id", "entry_id", "fixture_id", "order", "outcome"), key=str
    )
    return found


def undo(director: Client, competition: Competition, change: DraftChange | None = None) -> Any:
    change = change or DraftChange.objects.filter(competition_id=competition.pk, undone_at=None)[0]
    return director.post(f"/clubs/riverside/{competition.slug}/manage/undo/{change.pk}/", {"step": "pairs"})


ACTS = {
    "a name": lambda d, c, s: send(d, c, "competition", name="Autumn Cup", correction_hours="1"),
    "points": lambda d, c, s: send(d, c, "points", win="3", tie_break_1="matches_won"),
    "a calendar": lambda d, c, s: send(d, c, "calendar", weekdays=["1"], off_1_first="2027-03-02"),
    "another season": lambda d, c, s: send(d, c, "competition", season="Summer"),
    "divisions": lambda d, c, s: send(d, c, "divisions", **{**arrangement(d, c), "divisions": "B\nA\nC"}),
    "pairs shared out": lambda d, c, s: send(
        d, c, "divisions", **{**arrangement(d, c), "divisions": "Division 1\nB", "share": "1"}
    ),
    "lots": lambda d, c, s: send(d, c, "divisions", **arrangement(d, c), lots="1"),
    "a pair out": lambda d, c, s: send(
        d, c, "pairs", division=c.stage.divisions.first().pk, remove=c.entries.order_by("number")[0].pk
    ),
    "a draw": lambda d, c, s: d.post(f"/clubs/riverside/{c.slug}/manage/draw/", {"order": "lot"}),
    "a pair in": lambda d, c, s: send(
        d, c, "pairs", division=c.stage.divisions.first().pk, typed="Nora Nye & Ole Ost"
    ),
}


@pytest.mark.parametrize(
    ("act", "is_drawn"),
    [
        *((act, False) for act in ACTS),
        ("a calendar", True),
        ("a pair out", True),
        ("lots", True),
        ("a draw", True),
    ],
)
def test_an_act_is_undone_to_the_row(scene: Scene, director: Client, act: str, is_drawn: bool) -> None:
    made = draft(director)
    send(director, made, "competition")
    send(director, made, "calendar")
    send(director, made, "points")
    enter(director, made, scene)
    if is_drawn:
        draws.draw(actor=scene.users["dora"], competition=made, order="lot")
    before, last = rows(made), DraftChange.objects.filter(competition_id=made.pk)[0]
    ACTS[act](director, made, scene) if not (is_drawn and act == "a draw") else draws.draw(
        actor=scene.users["dora"], competition=made
    )
    assert rows(made) != before
    first_since = DraftChange.objects.filter(competition_id=made.pk, pk__gt=last.pk).last()
    assert first_since is not None
    undo(director, made, first_since)
    assert rows(made) == before
    assert AuditEntry.objects.filter(competition=made, action="draft.undone").count() == 1


def test_what_changes_nothing_leaves_no_step_to_undo(director: Client) -> None:
    made = draft(director)
    send(director, made, "calendar")
    count = DraftChange.objects.count()
    send(director, made, "calendar")
    send(director, made, "divisions", **arrangement(director, made))
    assert DraftChange.objects.count() == count


def test_an_earlier_act_takes_the_later_ones_with_it(scene: Scene, director: Client) -> None:
    made = draft(director)
    before = rows(made)
    enter(director, made, scene, 2)
    first = DraftChange.objects.get(competition_id=made.pk)
    send(director, made, "competition", name="Other")
    send(director, made, "pairs", division=made.stage.divisions.get().pk, typed="Nora Nye & Ole Ost")
    page = director.get(step(made, "pairs")).content.decode()
    assert "Undo, with 2 later steps" in page
    assert undo(director, made, first)["Location"] == step(made, "pairs")
    assert rows(made) == before
    again = undo(director, made, first)
    assert again.status_code == 302
    assert rows(made) == before


def test_what_somebody_else_did_meanwhile_is_neither_undone_nor_published_unseen(
    scene: Scene, director: Client
) -> None:
    made = draft(director)
    enter(director, made, scene, 2)
    seen = DraftChange.objects.get(competition_id=made.pk)
    assert f'name="newest" value="{seen.pk}"' in director.get(step(made, "pairs")).content.decode()
    send(director, made, "competition", name="Other")
    before = rows(made)
    address = f"/clubs/riverside/{made.slug}/manage/undo/{seen.pk}/"
    assert director.post(address, {"newest": str(seen.pk)}).status_code == 302
    assert rows(made) == before
    state = f"/clubs/riverside/{made.slug}/manage/state/"
    enter(director, made, scene)
    before = rows(made)
    director.post(state, {"to": "running", "newest": str(seen.pk)})
    assert rows(made) == before
    newest = DraftChange.objects.latest("pk")
    assert f'name="newest" value="{newest.pk}"' in director.get(step(made, "preview")).content.decode()
    director.post(address, {"newest": str(newest.pk)})
    assert not made.entries.exists()


def test_a_ruling_in_a_draft_is_not_swept_away(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    dora = scene.users["dora"]
    draws.draw(actor=dora, competition=made)
    fixture = Fixture.objects.of_competition(made.pk)[0]
    fixtures.award_walkover(actor=dora, fixture=fixture, losing=[fixture.away], reason="Ill")
    before = rows(made)
    undo(director, made)
    assert rows(made) == before
    competitions.discard(actor=dora, competition=made)
    back = drafts.bring_back(actor=dora, change=DraftChange.objects.get(action=drafts.DELETED))
    assert set(Fixture.objects.of_competition(back.pk).values_list("status", flat=True)) == {"scheduled"}


def test_going_on_from_the_pairs_keeps_the_draw(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    draws.draw(actor=scene.users["dora"], competition=made, order="lot")
    before = rows(made)
    send(director, made, "pairs", division=made.stage.divisions.get().pk, typed=" ")
    assert rows(made) == before


def test_a_published_competition_is_no_longer_undone(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    director.post(f"/clubs/riverside/{made.slug}/manage/state/", {"to": "running"})
    before = rows(made)
    undo(director, made)
    assert rows(made) == before
    with pytest.raises(Conflict, match="published"):
        drafts.undo(actor=scene.users["dora"], change=DraftChange.objects.filter(competition_id=made.pk)[0])


def test_a_deleted_draft_is_brought_back_with_everything(scene: Scene, director: Client) -> None:
    made = draft(director)
    enter(director, made, scene)
    draws.draw(actor=scene.users["dora"], competition=made, order="lot")
    before = rows(made)
    answer = director.post(f"/clubs/riverside/{made.slug}/manage/state/", {"to": "deleted"}, follow=True)
    assert "Restore" in answer.content.decode()
    assert not Competition.objects.filter(pk=made.pk).exists()
    change = DraftChange.objects.filter(action=drafts.DELETED).get()
    back = f"/clubs/riverside/desk/drafts/{change.pk}/bring-back/"
    assert director.post(back)["Location"] == step(made, "preview")
    assert rows(made) == before
    assert director.post(back).status_code == 302
    assert Competition.objects.filter(name="Spring Cup").count() == 1


def test_a_draft_comes_back_to_another_address_when_its_own_is_taken(scene: Scene, director: Client) -> None:
    made = draft(director)
    competitions.discard(actor=scene.users["dora"], competition=made)
    other = draft(director)
    back = drafts.bring_back(actor=scene.users["dora"], change=DraftChange.objects.get())
    assert (back.name, back.pk) == ("Spring Cup", made.pk)
    assert back.slug != other.slug


def test_a_pair_that_has_left_the_club_stands_in_the_way(scene: Scene, director: Client) -> None:
    made = draft(director)
    send(director, made, "pairs", division=made.stage.divisions.get().pk, typed="Nora Nye & Ole Ost")
    ACTS["a pair out"](director, made, scene)
    Lineup.objects.filter(members__player__name="Nora Nye").delete()
    said = undo(director, made)
    assert said.status_code == 302
    assert not made.entries.exists()
    assert DraftChange.objects.filter(undone_at=None).count() == 2


@pytest.mark.parametrize("who", ["anna", "sam", "stranger"])
def test_undoing_is_for_directors(scene: Scene, director: Client, who: str) -> None:
    made = draft(director)
    enter(director, made, scene)
    change = DraftChange.objects.get(competition_id=made.pk)
    with pytest.raises(NotAllowed):
        drafts.undo(actor=scene.users[who], change=change)
    competitions.discard(actor=scene.users["dora"], competition=made)
    with pytest.raises(NotAllowed):
        drafts.bring_back(actor=scene.users[who], change=DraftChange.objects.get(action=drafts.DELETED))
