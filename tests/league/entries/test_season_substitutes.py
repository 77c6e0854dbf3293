"""One player of a pair changes for the rest of a season."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from games.seating import players_of
from league.entries.services import entries, season_substitutes, withdrawals
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.fixtures.services import fixtures, substitutions
from league.models import (
    AuditEntry,
    Competition,
    Fixture,
    Membership,
    Notice,
    Player,
    Role,
    SeasonSubstitute,
    Substitution,
)
from league.people import queries as people
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db

AT = datetime(2026, 10, 1, 19, 30, tzinfo=UTC)


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def newcomer(scene: Scene, name: str = "Nora New") -> Player:
    return factories.player(
        scene.club, name, user=factories.user(f"{name.split(maxsplit=1)[0].lower()}@example.org", name)
    )


def change(scene: Scene, **more: Any) -> SeasonSubstitute:
    given = {
        "actor": scene.users["dora"],
        "entry": scene.entries[0],
        "absent": scene.players[1],
        "reason": "Moved away",
        **more,
    }
    given.setdefault("substitute", None)
    given["substitute"] = given["substitute"] or newcomer(scene)
    return season_substitutes.appoint(**given)


def matches(scene: Scene) -> list[Fixture]:
    return list(Fixture.objects.of_entry(scene.entries[0].pk).with_pairs().in_order())


def sitting(fixture: Fixture) -> set[str]:
    return {player.name for entry in fixture.entries for player in players_of(fixture, entry)}


def played(scene: Scene) -> Fixture:
    """The first match is over, by a ruling: no game has to be played for it."""
    first = matches(scene)[0]
    fixtures.award_walkover(
        actor=scene.users["dora"], fixture=first, losing=[first.away], reason="They did not come"
    )
    return first


def test_what_is_open_is_the_new_players_and_what_was_played_stays(scene: Scene) -> None:
    over = played(scene)
    before = compute_table(read_facts(scene.division))
    made = change(scene)
    assert not over.substitutions.exists()
    for fixture in matches(scene)[1:]:
        row = fixture.substitutions.get()
        assert (row.absent, row.substitute, row.reason) == (made.absent, made.substitute, "Moved away")
    assert compute_table(read_facts(scene.division)) == before
    dora = scene.users["dora"]
    chidi, nora = scene.players[1], made.substitute
    assert over in people.fixtures(chidi, dora)
    assert over not in people.fixtures(nora, dora)
    kept = AuditEntry.objects.get(action="entry.player_changed")
    assert (kept.before["player"], kept.after["player"], kept.reason) == (chidi.pk, nora.pk, "Moved away")
    season_substitutes.end(actor=dora, entry=scene.entries[0], reason="Came back")
    assert not Substitution.objects.exists()
    assert not SeasonSubstitute.objects.exists()
    assert compute_table(read_facts(scene.division)) == before


def test_who_sits_down_is_the_new_player(scene: Scene) -> None:
    first = matches(scene)[0]
    change(scene)
    again = Fixture.objects.with_pairs().get(pk=first.pk)
    assert "Nora New" in sitting(again)
    assert "Chidi Okafor" not in sitting(again)
    assert "Anna Berg" in sitting(again)


def test_matches_put_back_or_made_later_are_the_new_players_too(scene: Scene) -> None:
    over = played(scene)
    nora = change(scene).substitute
    fixtures.restore(actor=scene.users["dora"], fixture=over, reason="They came")
    assert over.substitutions.get().substitute == nora
    late = factories.pair(scene.club, newcomer(scene, "Lena Late"), newcomer(scene, "Lars Late"))
    added = entries.enter(actor=scene.users["dora"], division=scene.division, lineup=late, at=AT)
    meeting = (
        Fixture.objects.of_entry(added.pk).filter(Fixture.objects.has_side(entry=scene.entries[0])).get()
    )
    assert meeting.substitutions.get().substitute == nora


def test_a_match_with_a_substitute_of_its_own_keeps_that_one(scene: Scene) -> None:
    dora, own = scene.users["dora"], newcomer(scene, "Olaf Once")
    first = matches(scene)[0]
    substitutions.appoint(actor=dora, fixture=first, absent=scene.players[0], substitute=own)
    seen = season_substitutes.preview(entry=scene.entries[0])
    assert seen.kept == (first,)
    change(scene)
    assert first.substitutions.get().substitute == own
    season_substitutes.end(actor=dora, entry=scene.entries[0], reason="Came back")
    assert [row.substitute for row in Substitution.objects.all()] == [own]


@pytest.mark.parametrize("status", ["in_play", "to_confirm", "disputed"])
def test_nobody_changes_while_a_match_is_under_way(scene: Scene, status: str) -> None:
    first, nora = matches(scene)[0], newcomer(scene)
    Fixture.objects.filter(pk=first.pk).update(status=status)
    with pytest.raises(Conflict, match="still being played"):
        change(scene, substitute=nora)
    assert not SeasonSubstitute.objects.exists()
    Fixture.objects.filter(pk=first.pk).update(status="scheduled")
    change(scene, substitute=nora)
    Fixture.objects.filter(pk=first.pk).update(status=status)
    with pytest.raises(Conflict, match="still being played"):
        season_substitutes.end(actor=scene.users["dora"], entry=scene.entries[0], reason="Came back")


def test_what_the_rule_refuses(scene: Scene) -> None:
    stranger = factories.player(factories.club("Elsewhere"), "Stranger")
    refused: list[tuple[dict[str, Any], type[LeagueError], str]] = [
        ({"reason": "  "}, Invalid, "reason"),
        ({"absent": scene.players[2]}, Invalid, "does not play for"),
        ({"substitute": scene.players[2]}, Conflict, "already plays for"),
        ({"substitute": scene.players[0]}, Conflict, "already plays for"),
        ({"substitute": stranger}, Invalid, "not a player of this club"),
        ({"actor": scene.users["sam"]}, NotAllowed, "permission"),
        ({"actor": scene.users["anna"]}, NotAllowed, "permission"),
    ]
    nora = newcomer(scene)
    for given, error, words in refused:
        with pytest.raises(error, match=words):
            change(scene, **{"substitute": nora, **given})
    change(scene, substitute=nora)
    with pytest.raises(Conflict, match="Only one player"):
        change(scene, absent=scene.players[0], substitute=newcomer(scene, "Nils Next"))
    with pytest.raises(Conflict, match="already plays for"):
        change(scene, entry=scene.entries[1], absent=scene.players[2], substitute=nora)
    own = factories.pair(scene.club, nora, newcomer(scene, "Paul Partner"))
    with pytest.raises(Conflict, match="for the rest of the season"):
        entries.enter(actor=scene.users["dora"], division=scene.division, lineup=own, at=AT)
    assert SeasonSubstitute.objects.count() == 1
    with pytest.raises(Conflict, match="as they entered"):
        season_substitutes.end(actor=scene.users["dora"], entry=scene.entries[1], reason="Came back")


def test_not_for_who_withdrew_nor_when_the_season_is_over(scene: Scene) -> None:
    dora, nora = scene.users["dora"], newcomer(scene)
    withdrawals.withdraw(actor=dora, entry=scene.entries[0], reason="Ill", at=AT)
    with pytest.raises(Conflict, match="withdrew"):
        change(scene, substitute=nora)
    for state in ("draft", "finished"):
        Competition.objects.update(state=state)
        with pytest.raises(Conflict, match="while a league is running"):
            change(scene, entry=scene.entries[1], absent=scene.players[2], substitute=nora)


def test_a_director_who_plays_in_it_leaves_it_to_another(scene: Scene) -> None:
    eva = scene.users["eva"]
    Membership.objects.filter(user=eva).update(role=Role.DIRECTOR)
    nora = newcomer(scene)
    with pytest.raises(NotAllowed, match="a match that you play in"):
        change(scene, actor=eva, substitute=nora)
    change(scene, substitute=nora)
    with pytest.raises(NotAllowed, match="a match that you play in"):
        season_substitutes.end(actor=eva, entry=scene.entries[0], reason="Came back")


def test_all_concerned_are_told_and_only_the_pair_why(scene: Scene) -> None:
    change(scene)
    told = {
        notice.user.name: notice
        for notice in Notice.objects.filter(event="season_substitute").select_related("user")
    }
    assert {"Anna Berg", "Chidi Okafor", "Nora New", "Eva Novak", "Luis Reyes"} <= set(told)
    with_reason = {name for name, notice in told.items() if "Moved away" in str(notice.context)}
    assert with_reason == {"Anna Berg", "Chidi Okafor", "Nora New"}
    season_substitutes.end(actor=scene.users["dora"], entry=scene.entries[0], reason="Came back")
    assert Notice.objects.filter(event="season_substitute", user__name="Nora New").count() == 2


def test_the_page_says_what_it_does_and_a_stale_one_does_nothing_else(scene: Scene, client: Client) -> None:
    client.force_login(scene.users["dora"])
    nora, nils = newcomer(scene), newcomer(scene, "Nils Next")
    over = played(scene)
    url = f"/clubs/riverside/{scene.competition.slug}/manage/entries/{scene.entries[0].pk}/substitute/"
    page = client.get(url).content.decode()
    assert "Matches for the new player" in page
    assert "Already played: unchanged" in page
    sent = {"absent": scene.players[1].pk, "substitute": nora.pk, "reason": "Moved away"}
    assert client.post(url, {**sent, "substitute": "x"}).status_code == 422
    shown = client.post(url, sent, follow=True).content.decode()
    assert "Nora New for Chidi Okafor" in shown
    stale = client.post(url, {**sent, "substitute": nils.pk})
    assert stale.status_code == 422
    assert SeasonSubstitute.objects.get().substitute == nora
    assert "will play again" in client.get(url).content.decode()
    client.post(url, {"reason": "Came back"})
    assert not SeasonSubstitute.objects.exists()
    assert client.post(url, {"reason": "Came back"}).status_code == 422
    assert not over.substitutions.exists()
