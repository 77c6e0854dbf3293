"""A director's score is a result of its board: while that is sealed, a director who plays is told nothing of it."""

import pytest
from django.test import Client
from django.utils import timezone

from games.boards.services import boards
from games.comparisons.services import awards
from games.models import Board
from league.fixtures.services import fixtures
from league.models import AuditEntry, Fixture, Role, User
from tests.games.events import Event, make_event, play, play_of
from tests.league import factories

pytestmark = pytest.mark.django_db

TELLING = {"scores": [{"home": "8317", "away": "8311"}]}
REASON = "Hand 4 was a flush in hearts"


@pytest.fixture
def event() -> Event:
    """Two tables with a sealed board; the second has played it, and a director has given it another score."""
    made = make_event(tables=2, boards=1, is_released=False)
    play(made.fixtures[1], (60, 50))
    awards.award(actor=made.director, play=play_of(made, 2), content=TELLING, reason="Before: " + REASON)
    awards.award(actor=made.director, play=play_of(made, 2), content=TELLING, reason=REASON)
    return made


def playing_director(event: Event) -> User:
    """A director who still has to play the board at the first table."""
    player = factories.account_of(event.entries[0].lineup)
    factories.member(event.competition.club, Role.DIRECTOR, who=player)
    return player


def told(event: Event, who: User, *, award: int = 200) -> dict[str, str]:
    """What the pages that tell of awards say to this person."""
    client = Client()
    client.force_login(who)
    fixture = event.fixtures[1].pk
    answers = {
        "award": client.get(f"/matches/{fixture}/boards/1/award/"),
        "match": client.get(f"/matches/{fixture}/"),
        "api": client.get(f"/api/v1/matches/{fixture}/audit/"),
        "trail": client.get(f"/clubs/{event.competition.club.slug}/desk/trail/"),
    }
    expected = dict.fromkeys(answers, 200) | {"award": award}
    assert {name: answer.status_code for name, answer in answers.items()} == expected
    return {name: answer.content.decode() for name, answer in answers.items()}


def test_a_director_who_still_plays_the_board_is_told_nothing(event: Event) -> None:
    for place, text in told(event, playing_director(event), award=403).items():
        assert "8317" not in text, place
        assert REASON not in text, place
        assert "score awarded by a director" in text or place == "award", place


def test_a_director_who_does_not_play_is(event: Event) -> None:
    shown = told(event, event.director)
    assert all(REASON in shown["award"] and "8317" in shown[place] for place in ("award", "match", "api"))


def test_the_trail_keeps_the_score_and_not_the_words(event: Event) -> None:
    given = AuditEntry.objects.filter(action="award.made").latest("pk")
    assert given.after is not None
    assert given.after["content"] == awards.read(TELLING)
    assert REASON not in given.reason


def _in_the_trail(event: Event, who: User) -> str:
    client = Client()
    client.force_login(who)
    return client.get(f"/clubs/{event.competition.club.slug}/desk/trail/").content.decode()


def test_reasons_of_rulings_marks_and_awards_wait_for_the_release_where_a_director_plays(
    event: Event,
) -> None:
    given = play_of(event, 2).awards.get(revoked_at=None)
    awards.revoke(actor=event.director, award=given, reason="Both had quads", at=timezone.now())
    fixtures.postpone(actor=event.director, fixture=event.fixtures[0], reason="They know of the flush")
    boards.mark_version(actor=event.director, play=play_of(event, 2), version="B", reason="East had no ace")
    player = playing_director(event)
    fixtures.arrange(actor=player, fixture=event.fixtures[0], starts_at=None, reason="My own words")
    told = ("Both had quads", "East had no ace", "They know of the flush")
    kept = "You can read the reason once"

    shown = _in_the_trail(event, player)
    assert not [reason for reason in told if reason in shown]
    assert kept in shown
    assert "My own words" in shown
    everything = _in_the_trail(event, event.director)
    assert all(reason in everything for reason in told)
    assert kept not in everything

    Board.objects.update(released_at=timezone.now())
    assert all(reason in _in_the_trail(event, player) for reason in told)


def test_reasons_that_are_public_and_those_of_other_events_are_not_kept(event: Event) -> None:
    player = playing_director(event)
    made = play_of(event, 1).board.board_set
    boards.draw_out(actor=event.director, board_set=made, kind="files", reason="Dealing tonight")
    other = factories.running(event.competition.club, pairs=4)
    match = Fixture.objects.of_competition(other.pk)[0]
    fixtures.postpone(actor=event.director, fixture=match, reason="Snow in the hills")

    shown = _in_the_trail(event, player)
    assert "Dealing tonight" in shown
    assert "Snow in the hills" in shown
