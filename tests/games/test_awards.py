"""Scores that a director gives: who may, what is read, what counts, what the page shows first."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from engine.contest import exact
from games.comparisons.reckoning import effects
from games.comparisons.services import awards
from games.models import AdjustedScore, Board
from games.records import parsing as readings
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Fixture, Role, User
from tests.games.events import AT, Event, make_event, play, play_of, settle
from tests.league import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Four tables, one board, the home pairs 10, 20, 30 and 40 points up."""
    made = make_event(tables=4, boards=1)
    for place, fixture in enumerate(made.fixtures, start=1):
        play(fixture, (50 + 10 * place, 50))
    settle(made)
    return made


def percent_of(event: Event, table: int, side: str) -> Fraction:
    """The stored percentage of a table's pair."""
    return exact.restore(event.comparison()["plays"][str(play_of(event, table).pk)][side]["percent"])


AVERAGES = {"percent": {"home": "60", "away": "40"}}


def test_a_percentage_takes_the_place_of_a_score_and_leaves_the_comparison(
    event: Event, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        awards.award(actor=event.director, play=play_of(event, 4), content=AVERAGES, reason="Fouled")
    assert percent_of(event, 4, "home") == 60
    assert percent_of(event, 4, "away") == 40
    # Three of four results are left: Neuberg's formula scales 0, 2 and 4 matchpoints.
    assert [percent_of(event, table, "home") * 6 / 100 for table in (1, 2, 3)] == [
        Fraction(1, 3), 3, Fraction(17, 3)
    ]  # fmt: skip


def test_weights_count_by_their_parts(event: Event, django_capture_on_commit_callbacks: Any) -> None:
    content = {"scores": [
        {"home": "90", "away": "50", "weight": "1/2"}, {"home": "50", "away": "50", "weight": "0.5"}
    ]}  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        made = awards.award(actor=event.director, play=play_of(event, 4), content=content, reason="Ruling")
    assert [part["weight"] for part in made.content["scores"]] == ["1/2", "1/2"]
    assert [percent_of(event, table, "home") * 6 / 100 for table in (1, 2, 3, 4)] == [1, 3, 5, 3]


def test_taking_it_back_restores_what_was_made(event: Event, django_capture_on_commit_callbacks: Any) -> None:
    before = event.comparison()
    with django_capture_on_commit_callbacks(execute=True):
        made = awards.award(actor=event.director, play=play_of(event, 4), content=AVERAGES, reason="Fouled")
        awards.revoke(actor=event.director, award=made, reason="It was not", at=AT)
    assert event.comparison() == before
    with pytest.raises(Conflict):
        awards.revoke(actor=event.director, award=made, reason="Again", at=AT)
    trail = AuditEntry.objects.filter(action__startswith="award.").order_by("pk")
    assert [(line.action, line.reason) for line in trail] == [
        ("award.made", "Fouled"), ("award.revoked", "It was not")
    ]  # fmt: skip
    assert trail[1].before == {"award": made.pk, "board": made.play.board_id, "content": AVERAGES}


def test_a_second_award_takes_the_first_back_in_one_line_of_the_trail(event: Event) -> None:
    first = awards.award(actor=event.director, play=play_of(event, 1), content=AVERAGES, reason="One")
    second = awards.award(
        actor=event.director,
        play=play_of(event, 1),
        content={"percent": {"home": 50, "away": 50}},
        reason="Two",
    )
    first.refresh_from_db()
    assert first.revoked_at is not None
    assert first.revoked_by == event.director
    assert AdjustedScore.objects.get(revoked_at__isnull=True) == second
    line = AuditEntry.objects.filter(action="award.made").order_by("pk").last()
    assert line is not None
    assert line.before is not None
    assert line.after is not None
    assert (line.before["content"], line.after["content"]["percent"]) == (
        AVERAGES,
        {"home": "50", "away": "50"},
    )


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {},
        {"percent": {"home": "60"}},
        {"percent": {"home": "60", "away": "101"}},
        {"percent": {"home": "-1", "away": "50"}},
        {"percent": {"home": 60.5, "away": "40"}},
        {"percent": {"home": True, "away": "40"}},
        {"percent": ["60", "40"]},
        {"scores": []},
        {"scores": [{"home": "40", "away": "16", "weight": "1/2"}]},
        {"scores": [{"home": "40", "away": "16", "weight": "0"}, {"home": "4", "away": "1", "weight": "1"}]},
        {"scores": [{"home": "-4", "away": "16"}]},
        {"scores": [{"home": "1e3", "away": "16"}]},
        {"scores": [{"away": "16"}]},
        {"scores": ["40"]},
        {"scores": [{"home": 1, "away": 1, "weight": "1/11"}] * 11},
        {"percent": {"home": "60", "away": "40"}, "scores": []},
    ],
)
def test_what_is_not_exact_or_does_not_add_up_is_refused(event: Event, content: Any) -> None:
    with pytest.raises(Invalid):
        awards.award(actor=event.director, play=play_of(event, 1), content=content, reason="Because")
    assert not AdjustedScore.objects.exists()


def test_a_reason_is_asked_for(event: Event) -> None:
    with pytest.raises(Invalid, match="reason"):
        awards.award(actor=event.director, play=play_of(event, 1), content=AVERAGES, reason="  ")


def test_nobody_rules_on_the_own_match_while_somebody_else_can(event: Event) -> None:
    player = factories.account_of(event.entries[0].lineup)
    factories.member(event.competition.club, Role.DIRECTOR, who=player)
    with pytest.raises(NotAllowed):
        awards.award(actor=player, play=play_of(event, 1), content=AVERAGES, reason="Mine")
    # Of other tables, too, it is one who does not play in the event, whether or not the cards are public.
    for _each in range(2):
        with pytest.raises(NotAllowed):
            awards.award(actor=player, play=play_of(event, 2), content=AVERAGES, reason="Not mine")
        Board.objects.update(released_at=None)
    User.objects.filter(pk=event.director.pk).update(is_active=False)
    awards.award(actor=player, play=play_of(event, 2), content=AVERAGES, reason="Nobody else is left")
    with pytest.raises(NotAllowed):
        awards.award(actor=player, play=play_of(event, 1), content=AVERAGES, reason="Mine")
    assert AdjustedScore.objects.get(revoked_at__isnull=True).is_neutral is False


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER])
def test_only_directors_give_scores(event: Event, role: str) -> None:
    actor = factories.member(event.competition.club, role)
    with pytest.raises(NotAllowed):
        awards.award(actor=actor, play=play_of(event, 1), content=AVERAGES, reason="Because")


@pytest.mark.parametrize("tops", ["own", "same"])
@pytest.mark.parametrize("status", [Fixture.Status.WALKOVER, Fixture.Status.VOID, Fixture.Status.SCHEDULED])
def test_a_match_without_play_is_worth_what_a_director_gives(
    status: str, tops: str, django_capture_on_commit_callbacks: Any
) -> None:
    event = make_event(tables=4, boards=2, tops=tops)
    for fixture in event.fixtures[:3]:
        play(fixture, (60, 50), (50, 60))
    Fixture.objects.filter(pk=event.fixtures[3].pk).update(status=status)
    settle(event)
    # A void match is not waited for where a board has its own top; of the others a result is expected.
    is_left_out = status == Fixture.Status.VOID and tops == "own"
    assert event.comparison()["expected"] == (3 if is_left_out else 4)
    assert str(play_of(event, 4).pk) not in event.comparison()["plays"]
    with django_capture_on_commit_callbacks(execute=True):
        given = awards.award_all(
            actor=event.director, fixture=event.fixtures[3], content=AVERAGES, reason="No show"
        )
    assert len(given) == 2
    assert event.comparison()["expected"] == 4
    assert percent_of(event, 4, "home") == 60
    assert percent_of(event, 4, "away") == 40
    with pytest.raises(Conflict):
        awards.award_all(actor=event.director, fixture=event.fixtures[0], content=AVERAGES, reason="Played")


def test_effects_are_what_then_happens(event: Event, django_capture_on_commit_callbacks: Any) -> None:
    content = awards.read({"scores": [{"home": 55, "away": 50}]})
    said = effects.of_award([play_of(event, 4)], content)
    # The best of the home pairs becomes the worst: everyone's figures move.
    assert len(said.figures) == 8
    own = [change for change in said.figures if change.is_in_match]
    assert [(change.before, change.after) for change in own] == [("100.0%", "0.0%"), ("0.0%", "100.0%")]
    assert said.figures[:2] == tuple(own)
    with django_capture_on_commit_callbacks(execute=True):
        made = awards.award(actor=event.director, play=play_of(event, 4), content=content, reason="Ruling")
    after = {row["entry"]: row["rank"] for row in event.ranking()["rows"]}
    names = {str(entry): entry.pk for entry in event.entries}
    assert {change.pair: change.after for change in said.moved} == {
        change.pair: after[names[change.pair]] for change in said.moved
    }
    back = effects.of_revocation(play_of(event, 4))
    assert {(c.pair, c.after, c.before) for c in back.figures} == {
        (c.pair, c.before, c.after) for c in said.figures
    }
    assert made.pk is not None


def test_reopening_and_correcting_say_what_they_do(event: Event) -> None:
    reopened = effects.of_reopening(event.fixtures[3])
    assert [(c.before, c.after) for c in reopened.figures if c.is_in_match] == [
        ("100.0%", "–"), ("0.0%", "–")
    ]  # fmt: skip
    assert not effects.of_correction(event.fixtures[3], {1: (190, 50)}).figures
    corrected = effects.of_correction(event.fixtures[3], {1: (79, 50)})
    assert {(c.before, c.after) for c in corrected.figures} == {
        ("100.0%", "66.7%"), ("0.0%", "33.3%"), ("66.7%", "100.0%"), ("33.3%", "0.0%")
    }  # fmt: skip


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_page_shows_what_changes_before_it_gives(event: Event) -> None:
    client = client_of(event.director)
    address = f"/matches/{event.fixtures[3].pk}/boards/1/award/"
    given = {"kind": "percent", "percent_home": "60", "percent_away": "40", "reason": "Fouled"}

    # Not without a look, and not with another look.
    first = client.post(address, {**given, "step": "give"})
    assert first.status_code == 200
    assert not AdjustedScore.objects.exists()
    assert first.context["outcome"].figures
    looked = first.context["form"].data["looked"]
    changed = client.post(address, {**given, "percent_home": "50", "looked": looked, "step": "give"})
    assert changed.status_code == 200
    assert not AdjustedScore.objects.exists()

    done = client.post(address, {**given, "looked": looked, "step": "give"})
    assert done.status_code == 302
    [award] = AdjustedScore.objects.all()
    assert (award.content, award.reason, award.made_by) == (AVERAGES, "Fouled", event.director)
    assert "60% and 40%" in client.get(address).content.decode()

    refused = client.post(address, {"step": "revoke", "revoke-reason": ""})
    assert refused.status_code == 200
    assert client.post(address, {"step": "revoke", "revoke-reason": "Was right"}).status_code == 302
    award.refresh_from_db()
    assert award.revoked_at is not None


def test_the_page_says_which_figure_it_cannot_read(event: Event) -> None:
    client = client_of(event.director)
    address = f"/matches/{event.fixtures[3].pk}/boards/1/award/"
    page = client.post(
        address, {"kind": "percent", "percent_home": "many", "percent_away": "40", "reason": "x"}
    )
    assert list(page.context["form"].errors) == ["percent_home"]
    page = client.post(
        address, {"kind": "scores", "home_1": "4", "away_1": "1", "weight_1": "1/3", "reason": "x"}
    )
    assert list(page.context["form"].errors) == ["weight_1"]


def test_a_director_who_plays_learns_nothing_of_a_board_that_is_not_released() -> None:
    event = make_event(tables=4, boards=1, is_released=False)
    for fixture in event.fixtures[1:]:
        play(fixture, (77, 50))
    settle(event)
    player = factories.account_of(event.entries[0].lineup)
    factories.member(event.competition.club, Role.DIRECTOR, who=player)
    User.objects.filter(pk=event.director.pk).update(is_active=False)
    address = f"/matches/{event.fixtures[3].pk}/boards/1/award/"
    given = {"kind": "percent", "percent_home": "60", "percent_away": "40", "reason": "x", "step": "look"}
    for page in (client_of(player).get(address), client_of(player).post(address, given)):
        assert page.status_code == 200
        # In the words alone: a token may have any figure in it.
        words = re.sub(r"<[^>]*>", " ", page.content.decode().split("<main", 1)[1])
        assert not re.search(r"\b77\b", words)
        assert page.context["outcome"] is None
    User.objects.filter(pk=event.director.pk).update(is_active=True)
    shown = client_of(event.director).post(address, given)
    assert shown.context["outcome"].figures
    assert not shown.context["outcome"].is_ranked


def test_reopening_shows_what_happens_to_the_comparison_first(event: Event) -> None:
    page = client_of(event.director).get(f"/matches/{event.fixtures[3].pk}/reopen/")
    assert page.status_code == 200
    assert [(c.before, c.after) for c in page.context["effects"].figures if c.is_in_match] == [
        ("100.0%", "–"), ("0.0%", "–")
    ]  # fmt: skip
    assert "How this changes the comparison" in page.content.decode()


def test_a_correction_shows_what_happens_to_the_comparison_first(event: Event) -> None:
    content = {"first_dealer": "N", "deals": [{"total": {"NS": 79, "EW": 50}}]}
    fixture = Fixture.objects.with_pairs().get(pk=event.fixtures[3].pk)
    read = readings.read(fixture=fixture, content=content)
    shown = effects.shown_correction(AnonymousUser(), fixture, read)
    assert shown is not None
    assert {(c.before, c.after) for c in shown.figures if c.is_in_match} == {
        ("100.0%", "66.7%"), ("0.0%", "33.3%")
    }  # fmt: skip
    # Nobody but who rules on it may know before the board is released.
    event.boards[0].released_at = None
    event.boards[0].save(update_fields=["released_at"])
    assert effects.shown_correction(AnonymousUser(), fixture, read) is None
    assert effects.shown_correction(factories.account_of(event.entries[6].lineup), fixture, read) is None
    assert effects.shown_correction(event.director, fixture, read) == shown.__class__(
        shown.boards, shown.figures, (), 0, is_ranked=False
    )


def test_a_match_without_numbered_boards_has_no_comparison() -> None:
    league = factories.running(factories.club())
    fixture = Fixture.objects.with_pairs().filter(round__stage__competition=league).first()
    assert fixture is not None
    assert effects.shown_reopening(factories.DIRECTOR, fixture) is None
    assert not effects.of_reopening(fixture).figures
