"""What nobody should ask of a Swiss or a cup: never a 500, plain words, and nothing half-written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from league.competitions.services import competitions
from league.draws.services import apart, rounds, ties
from league.draws.services.draws import BY_LOT
from league.entries.services import withdrawals
from league.models import (
    Appearance,
    Competition,
    Entry,
    Fixture,
    Player,
    Role,
    Round,
    RoundDraw,
    TieDecision,
)
from league.people.services import lineups
from tests.league import factories

pytestmark = pytest.mark.django_db
DIRECTOR = factories.DIRECTOR
WRITTEN = (Appearance, Competition, Entry, Fixture, Round, RoundDraw, TieDecision)


@pytest.fixture
def club():
    return factories.club(time_zone="Europe/Dublin")


def played(club, pairs, kind):
    """A running competition whose first round is played; and its division."""
    made = factories.running(club, pairs, format=kind, slug="bad", name="Bad Luck")
    for each in Fixture.objects.of_competition(made.pk).with_pairs():
        factories.result(each, 60, 40)
    return made, made.stage.divisions.get()


def address(name, made, *more):
    return reverse(name, args=[made.club.slug, made.slug, *more])


def seen(division):
    return rounds.proposal_of(division=division, round_=rounds.next_round(division)).digest


Case = tuple[str, dict[str, Any]]


def one_entry(kind: str) -> Callable[[Any], Case]:
    def build(club) -> Case:
        made = factories.competition(club, 1, format=kind, slug="bad")
        return address("competition_draw", made), {"order": BY_LOT}

    return build


def draw_before_the_results(club) -> Case:
    made = factories.running(club, 4, format="swiss", slug="bad")
    division = made.stage.divisions.get()
    return address("round_draw", made, division.pk, 2), {"publish": "1", "seen": seen(division)}


def winners_before_the_results(club) -> Case:
    made = factories.running(club, 4, format="knockout", slug="bad")
    division = made.stage.divisions.get()
    return address("round_draw", made, division.pk, 2), {"publish": "1", "seen": ""}


def draw_twice(kind: str) -> Callable[[Any], Case]:
    def build(club) -> Case:
        made, division = played(club, 4, kind)
        digest = seen(division)
        rounds.publish(actor=DIRECTOR, division=division, number=2, at=timezone.now(), seen=digest)
        return address("round_draw", made, division.pk, 2), {"publish": "1", "seen": digest}

    return build


def draw_of_another_day(club) -> Case:
    made, division = played(club, 4, "swiss")
    return address("round_draw", made, division.pk, 2), {"publish": "1", "seen": "of another day"}


def everything_forbidden(club) -> Case:
    made, division = played(club, 4, "swiss")
    found = list(division.entries.order_by("number"))
    for other in found[1:]:
        apart.keep_apart(actor=DIRECTOR, division=division, entries=[found[0], other], at=timezone.now())
    return address("round_draw", made, division.pk, 2), {"publish": "1", "seen": ""}


def tables_of_nobody(club) -> Case:
    made, division = played(club, 4, "swiss")
    sent = {"publish": "1", "seen": seen(division), "tables": "1-1,2-x,,7"}
    return address("round_draw", made, division.pk, 2), sent


def a_round_that_is_not_there(club) -> Case:
    made, division = played(club, 4, "swiss")
    made.stage.rounds.filter(number=3).delete()
    made.stage.rounds.create(number=9, starts_on=timezone.localdate(), closes_at=timezone.now())
    return address("round_draw", made, division.pk, 9), {"publish": "1", "seen": ""}


def a_winner_who_withdrew(club) -> Case:
    made, _division = played(club, 4, "knockout")
    first = Fixture.objects.of_competition(made.pk).with_pairs().order_by("pk")[0]
    withdrawals.withdraw(actor=DIRECTOR, entry=first.home, reason="ill", at=timezone.now())
    sent = {"part": "rule", "winner": str(first.home.pk), "reason": "They won"}
    return reverse("tie", args=[first.pk]), sent


def a_winner_from_elsewhere(club) -> Case:
    made, _division = played(club, 4, "knockout")
    first, second = Fixture.objects.of_competition(made.pk).with_pairs().order_by("pk")
    return reverse("tie", args=[first.pk]), {"part": "rule", "winner": str(second.home.pk), "reason": "Lot"}


def extra_boards_of_a_match_that_is_won(club) -> Case:
    made, _division = played(club, 4, "knockout")
    first = Fixture.objects.of_competition(made.pk).order_by("pk")[0]
    return reverse("tie", args=[first.pk]), {"part": "extra", "home": "1", "away": "2"}


CASES = [
    (one_entry("swiss"), "a draw needs two or more"),
    (one_entry("knockout"), "a draw needs two or more"),
    (draw_before_the_results, "have no result yet"),
    (winners_before_the_results, "It is not decided yet who goes on from"),
    (draw_twice("swiss"), "Round 2 can’t be drawn now"),
    (draw_twice("knockout"), "Final can’t be drawn now"),
    (draw_of_another_day, "Something has changed since you last saw this"),
    (everything_forbidden, "There is no draw: no opponent for"),
    (tables_of_nobody, "These tables don’t match the entries in this round"),
    (a_round_that_is_not_there, "Round 9 can’t be drawn now"),
    (a_winner_who_withdrew, "Select a valid choice"),
    (a_winner_from_elsewhere, "Select a valid choice"),
    (extra_boards_of_a_match_that_is_won, "Extra boards are for a match that is level"),
]


@pytest.mark.parametrize(("case", "words"), CASES, ids=[f"{n}" for n in range(len(CASES))])
def test_it_is_refused_in_plain_words_and_nothing_is_written(club, case, words):
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    where, sent = case(club)
    before = [model.objects.order_by("pk").values_list().count() for model in WRITTEN]
    answer = client.post(where, sent, follow=True, headers={"referer": f"http://testserver{where}"})
    assert answer.status_code in {200, 422}
    assert escape(words) in answer.text or words in answer.text
    assert [model.objects.count() for model in WRITTEN] == before


def test_more_rounds_than_opponents_are_said_and_drawn_with_repeats(club):
    made = factories.competition(club, 4, format="swiss", slug="bad")
    made.stage.options["rounds"] = 5
    made.stage.save()
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    page = client.get(address("competition_draw", made))
    assert "more rounds than opponents" in page.text
    factories.drawn(made)
    division = made.stage.divisions.get()
    for number in range(2, 6):
        for each in Fixture.objects.of_competition(made.pk).filter(round__number=number - 1).with_pairs():
            factories.result(each, 60, 40)
        rounds.publish(
            actor=DIRECTOR, division=division, number=number, at=timezone.now(), seen=seen(division)
        )
    repeats = [row.cost[0] for row in RoundDraw.objects.order_by("round__number")]
    assert repeats == [0, 0, 2, 2]


def of_many(club, entries):
    """A draft cup of so many players who need no names of their own."""
    made = factories.competition(club, 0, format="knockout", slug="bad", name="Great Cup")
    division = made.stage.divisions.get()
    players = Player.objects.bulk_create(
        Player(club=club, name=f"Player Of{number}") for number in range(2 * entries)
    )
    keys = [player.pk for player in players]
    twos = zip(keys[::2], keys[1::2], strict=True)
    pairs = lineups.make(club, [([one, other], "") for one, other in twos])
    Entry.objects.bulk_create(
        Entry(competition=made, division=division, lineup=pair, number=number)
        for number, pair in enumerate(pairs, start=1)
    )
    return made, division


@pytest.mark.parametrize("size", [200, pytest.param(1000, marks=pytest.mark.thorough)])
def test_a_large_bracket_is_drawn_and_shown_in_a_bounded_number_of_queries(
    club, size, django_assert_max_num_queries
):
    made, division = of_many(club, size)
    factories.drawn(made)
    following = 2 ** (size.bit_length() - 1)
    assert Fixture.objects.of_competition(made.pk).count() == size - following
    with django_assert_max_num_queries(60):
        page = Client().get(address("competition", made))
    assert page.status_code == 200
    # Of a bracket that no screen holds, the page shows the part that is played now.
    for each in Fixture.objects.of_competition(made.pk).with_pairs():
        factories.decided(each, scores=(60, 40))
    assert len(ties.propose(division=division, round_=rounds.next_round(division)).tables) == following // 2


def test_a_bracket_has_an_end(club):
    made, _division = of_many(club, 1025)
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    answer = client.post(address("competition_draw", made), {"order": "given"})
    assert answer.status_code == 422
    assert "is too large for one draw: the most is 1024" in answer.text
    assert not made.stage.rounds.exists()


def test_a_cup_in_the_past_can_be_drawn_and_one_that_is_finished_cannot(club):
    made, division = played(club, 2, "knockout")
    competitions.finish(actor=DIRECTOR, competition=made)
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    sent = {"publish": "1", "seen": ""}
    answer = client.post(address("round_draw", made, division.pk, 1), sent, follow=True)
    assert answer.status_code == 200
    assert "isn’t running" in answer.text
    assert Fixture.objects.of_competition(made.pk).count() == 1
