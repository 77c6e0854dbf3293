"""A player of a pair changes for the season while boards are sealed, and while sheets wait."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import embargo
from games.boards.services import boards
from games.embargo import Sight
from games.models import FixtureBoard, Scoresheet
from games.scoresheets.services import scoresheets
from league import policies
from league.entries.services import season_substitutes
from league.errors import Conflict, NotAllowed
from league.fixtures.services import dates, telling
from league.models import Fixture, Membership, Player, Role, SeasonSubstitute, Substitution, User
from tests.games.boards import SHEET, duplicate_scene, play, plays_of, sealed
from tests.league import factories
from tests.scenes import Scene

pytestmark = pytest.mark.django_db
AT = timezone.now()


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def newcomer(scene: Scene, role: str = Role.MEMBER) -> User:
    user = factories.user("nora@example.org", "Nora New")
    factories.player(scene.club, "Nora New", user=user)
    Membership.objects.create(user=user, club=scene.club, role=role)
    return user


def of(user: User) -> Player:
    return Player.objects.get(user=user)


def change(scene: Scene, user: User, absent: int = 0) -> SeasonSubstitute:
    """Somebody plays for Anna from now on, or for another of the scene's players."""
    entry = next(
        each for each in scene.entries if scene.players[absent].pk in {p.pk for p in each.lineup.players}
    )
    return season_substitutes.appoint(
        actor=scene.users["dora"],
        entry=entry,
        absent=scene.players[absent],
        substitute=of(user),
        reason="Moved",
    )


def later(scene: Scene) -> Fixture:
    """Anna's pair's match of the second round."""
    return next(
        each
        for each in Fixture.objects.of_entry(scene.entries[0].pk).with_pairs()
        if each.round_id == scene.rounds[1].pk
    )


def submit(user: User, fixture: Fixture, content: Any = SHEET) -> Scoresheet:
    return scoresheets.submit(actor=user, fixture=fixture, content=content, origin="page")


def test_who_may_know_the_cards_does_not_join_the_pair_for_the_season(scene: Scene) -> None:
    sealed(scene, 1)
    later_set = sealed(scene, 2)
    knows = newcomer(scene, Role.DIRECTOR)
    boards.draw_out(actor=knows, board_set=later_set, kind="files", reason="For the machine")
    with pytest.raises(Conflict):
        change(scene, knows)
    assert not SeasonSubstitute.objects.exists()
    assert not Substitution.objects.exists(), "nothing half-done"
    other = factories.user("omar@example.org", "Omar Other")
    factories.player(scene.club, "Omar Other", user=other)
    assert change(scene, other)


def test_who_leaves_keeps_what_they_played_and_sees_nothing_of_what_is_to_come(scene: Scene) -> None:
    anna, chidi = scene.users["anna"], scene.users["chidi"]
    first, second = sealed(scene, 1), sealed(scene, 2)
    play(scene, scene.fixture)
    before = embargo.sight(visitor=anna, plays=plays_of(first, scene.fixture))
    assert set(before.values()) <= {Sight.SHEET, Sight.OWN}
    nora = newcomer(scene)
    change(scene, nora)
    assert embargo.sight(visitor=anna, plays=plays_of(first, scene.fixture)) == before
    ahead = later(scene)
    for user in (anna, chidi, nora):
        assert set(embargo.sight(visitor=user, plays=plays_of(second, ahead)).values()) == {Sight.NOTHING}
    assert set(embargo.sight(visitor=nora, plays=plays_of(first, scene.fixture)).values()) == {Sight.NOTHING}

    # The new player plays the later boards: they are hers, and still not Anna's.
    content = {**SHEET}
    sheet = submit(chidi, ahead, content)
    opponent = next(e for e in ahead.entries if e.pk != scene.entries[0].pk)
    by = next(u for u in scene.users.values() if u.pk == opponent.lineup.players[0].user_id)
    scoresheets.confirm(actor=by, sheet=sheet, digest=sheet.digest)
    seen = {
        user: set(embargo.sight(visitor=user, plays=plays_of(second, ahead)).values())
        for user in (anna, nora)
    }
    assert seen[anna] == {Sight.NOTHING}
    assert seen[nora] <= {Sight.SHEET, Sight.OWN}
    assert FixtureBoard.objects.filter(board__released_at__isnull=False).count() == 0
    # Anna was at the table of the first boards: she judges nobody's sheets as a neutral official.
    assert embargo.plays_in_event(anna, scene.competition)
    assert embargo.plays_in_event(nora, scene.competition)


def test_who_left_says_nothing_for_the_pair_any_more(scene: Scene) -> None:
    anna, nora = scene.users["anna"], newcomer(scene)
    ahead = later(scene)
    assert policies.speaks_in(anna, ahead)
    change(scene, nora)
    ahead = Fixture.objects.with_pairs().get(pk=ahead.pk)
    opponent = next(e for e in ahead.entries if e.pk != scene.entries[0].pk)
    by = next(u for u in scene.users.values() if u.pk == opponent.lineup.players[0].user_id)
    with pytest.raises(NotAllowed):
        submit(anna, ahead)
    with pytest.raises(NotAllowed):
        dates.propose(actor=anna, fixture=ahead, starts_at=AT + timedelta(days=1), at=AT)
    sheet = submit(by, ahead)
    for act in (
        lambda: scoresheets.confirm(actor=anna, sheet=sheet, digest=sheet.digest),
        lambda: scoresheets.reject(actor=anna, sheet=sheet, reason="No"),
    ):
        with pytest.raises(NotAllowed):
            act()
    told = telling.players(ahead)
    assert anna not in told
    assert nora in told
    # Not as an official either: the account is of the pair.
    Membership.objects.filter(user=anna).update(role=Role.DIRECTOR)
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=anna, sheet=sheet, digest=sheet.digest)
    assert scoresheets.confirm(actor=nora, sheet=sheet, digest=sheet.digest).verdict == "confirmed"


def test_who_left_still_answers_for_what_they_played_and_speaks_again_once_back(scene: Scene) -> None:
    anna = scene.users["anna"]
    play(scene, scene.fixture)
    change(scene, newcomer(scene))
    assert policies.speaks_in(anna, scene.fixture)
    season_substitutes.end(actor=scene.users["dora"], entry=scene.entries[0], reason="Back")
    ahead = Fixture.objects.with_pairs().get(pk=later(scene).pk)
    assert policies.speaks_in(anna, ahead)


def test_who_is_away_for_one_match_still_speaks_for_the_pair(scene: Scene) -> None:
    ahead, nora = later(scene), newcomer(scene)
    Substitution.objects.create(
        fixture=ahead, entry=scene.entries[0], absent=scene.players[0], substitute=of(nora)
    )
    ahead = Fixture.objects.with_pairs().get(pk=ahead.pk)
    assert policies.speaks_in(scene.users["anna"], ahead)
