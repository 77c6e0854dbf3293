"""Duplicate players: proposals, merges, and merges taken back to the row."""

import random
from itertools import combinations

import pytest
from django.apps import apps

from games.models import Match, MatchSeat
from league.entries.services import entries
from league.errors import Conflict, NotAllowed
from league.models import (
    AuditEntry,
    Entry,
    Fixture,
    Lineup,
    LineupMember,
    Player,
    PlayerClaim,
    PlayerMerge,
    Role,
    Substitution,
)
from league.people.services import lineups, merging, players
from league.storage.references import references_to
from tests.league import factories
from tests.league.factories import BEFORE, DIRECTOR

pytestmark = pytest.mark.django_db

JOURNALS = {"league.playermerge", "league.auditentry", "games.participation"}


def all_rows():
    """Every row of the installation, the journals left out: whose account a player was is never forgotten."""
    return {
        model._meta.label_lower: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.label_lower not in JOURNALS
    }


def merge(keep, duplicate):
    return merging.merge(actor=DIRECTOR, keep=keep, duplicate=duplicate)


def undo(made):
    return merging.undo(actor=DIRECTOR, merge=made)


def two(club, **second):
    return factories.player(club, "Anna Berg"), factories.player(club, "Anna Berg", **second)


def because(club):
    return [(each.keep.name, each.duplicate.name, each.because) for each in merging.proposals(club)]


# Proposals


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Anna Berg", "anna  BERG", "the same name"),
        ("Anna Berg", "Berg, Anna", "the same name"),
        ("José Muñoz", "Jose Munoz", "the same name"),
        ("Søren Łoś", "Soren Los", "the same name"),
        ("Margaret Hughes", "Margret Hughes", "nearly the same name"),
        ("Jürgen Müller", "Juergen Mueller", "nearly the same name"),
    ],
)
def test_names_that_look_alike_are_proposed(first, second, reason):
    club = factories.club()
    factories.player(club, first)
    factories.player(club, second)
    assert because(club) == [(first, second, (reason,))]


@pytest.mark.parametrize(
    ("first", "second"), [("Anna Berg", "Anna Lund"), ("Tom Hill", "Ann Hill"), ("Bo Li", "Wei Chen")]
)
def test_different_names_are_not_proposed(first, second):
    club = factories.club()
    factories.player(club, first)
    factories.player(club, second)
    assert because(club) == []


def test_the_same_address_is_proposed_unless_the_two_are_partners():
    club = factories.club()
    first = factories.player(club, "Anna Berg", email="home@example.org")
    second = factories.player(club, "Carl Dorn", email="Home@example.org")
    assert because(club) == [("Anna Berg", "Carl Dorn", ("the same e-mail address",))]
    factories.pair(club, first, second)
    assert because(club) == []


def test_the_player_with_an_account_is_kept():
    club = factories.club()
    _first, second = two(club, user=factories.user())
    assert [each.keep for each in merging.proposals(club)] == [second]


def test_players_of_other_clubs_and_merged_ones_are_not_proposed():
    club = factories.club()
    first, second = two(club)
    factories.player(factories.club(), "Anna Berg")
    merge(first, second)
    assert because(club) == []


# Merging


def test_everything_of_the_duplicate_becomes_the_kept_players():
    club = factories.club()
    keep, duplicate = two(club, email="anna@example.org", number="17", user=factories.user())
    pair = factories.pair(club, duplicate)
    merge(keep, duplicate)
    keep.refresh_from_db()
    duplicate.refresh_from_db()
    pair.refresh_from_db()
    assert keep in pair.players
    assert (keep.email, keep.number, keep.user is not None) == ("anna@example.org", "17", True)
    assert (duplicate.merged_into, duplicate.user, duplicate.number) == (keep, None, "")
    assert list(Player.objects.present().filter(name="Anna Berg")) == [keep]


def test_pairs_that_become_the_same_are_merged():
    club = factories.club()
    keep, duplicate = two(club)
    partner = factories.player(club, "Carl Dorn")
    first, second = factories.pair(club, keep, partner), factories.pair(club, duplicate, partner)
    entry = factories.entry(factories.competition(club, 0).stage.divisions.get(), second)
    merge(keep, duplicate)
    second.refresh_from_db()
    entry.refresh_from_db()
    assert second.merged_into == first
    assert entry.lineup == first
    assert list(Lineup.objects.of_player(keep.pk)) == [first]


def test_seats_of_the_games_layer_move_as_well():
    club = factories.club()
    keep, duplicate = two(club)
    fixture = entered(club, duplicate)
    seat = MatchSeat.objects.create(match=match_of(fixture), seat="N", entry=fixture.home, player=duplicate)
    merge(keep, duplicate)
    seat.refresh_from_db()
    assert seat.player == keep


def test_a_person_who_claims_both_has_one_claim_left_to_answer():
    club = factories.club()
    keep, duplicate = two(club)
    user = factories.user()
    for player in (keep, duplicate):
        PlayerClaim.objects.create(player=player, user=user)
    before = all_rows()
    made = merge(keep, duplicate)
    assert PlayerClaim.objects.filter(player__merged_into__isnull=True).count() == 1
    undo(made)
    assert all_rows() == before


def entered(club, player):
    """A fixture of a running competition in which the player plays at home."""
    competition = factories.competition(club, 3)
    factories.entry(competition.stage.divisions.get(), factories.pair(club, player))
    competition = factories.drawn(competition)
    return Fixture.objects.filter(
        Fixture.objects.has_side(order=1, entry__in=Entry.objects.of_player(player))
    ).first()


def match_of(fixture):
    return Match.objects.create(fixture=fixture, game="concerto", first_dealer="N")


# Refusals


def refused(keep, duplicate, because):
    before = all_rows()
    with pytest.raises(Conflict, match=because):
        merge(keep, duplicate)
    assert all_rows() == before
    assert not PlayerMerge.objects.exists()


def test_partners_are_two_people():
    club = factories.club()
    keep, duplicate = two(club)
    factories.pair(club, keep, duplicate)
    refused(keep, duplicate, "play as a pair")


def test_two_accounts_are_two_people():
    club = factories.club()
    keep, duplicate = two(club, user=factories.user())
    keep.user = factories.user()
    keep.save()
    refused(keep, duplicate, "their own account")


def test_both_entered_in_one_competition_are_two_people():
    club = factories.club()
    keep, duplicate = two(club)
    division = factories.competition(club, 0).stage.divisions.get()
    for player in (keep, duplicate):
        factories.entry(division, factories.pair(club, player))
    refused(keep, duplicate, "Both are entered in")


def test_opponents_are_two_people_even_if_one_has_withdrawn():
    club = factories.club()
    keep, duplicate = two(club)
    fixture = entered(club, keep)
    other = fixture.away
    pair = factories.pair(club, duplicate)
    other.lineup, other.withdrawn_at = pair, BEFORE
    other.save()
    refused(keep, duplicate, "against each other")


def test_a_substitute_beside_the_other_is_somebody_else():
    club = factories.club()
    keep, duplicate = two(club)
    fixture = entered(club, keep)
    Substitution.objects.create(
        fixture=fixture, entry=fixture.away, absent=fixture.away.lineup.players[0], substitute=duplicate
    )
    refused(keep, duplicate, "was a substitute")


def test_who_stood_in_for_the_other_is_somebody_else():
    club = factories.club()
    keep, duplicate = two(club)
    fixture = entered(club, keep)
    Substitution.objects.create(fixture=fixture, entry=fixture.home, absent=keep, substitute=duplicate)
    refused(keep, duplicate, "was a substitute .* Both are in the same place")


def test_two_seats_of_a_match_hold_two_people():
    club = factories.club()
    keep, duplicate = two(club)
    match = match_of(entered(club, factories.player(club)))
    for seat, player in (("N", keep), ("E", duplicate)):
        MatchSeat.objects.create(match=match, seat=seat, entry=match.fixture.home, player=player)
    refused(keep, duplicate, "same place")


def test_nobody_is_merged_with_himself_across_clubs_or_twice():
    club = factories.club()
    keep, duplicate = two(club)
    refused(keep, keep, "two different players")
    refused(keep, factories.player(factories.club()), "different clubs")
    merge(keep, duplicate)
    with pytest.raises(Conflict, match="already been merged into another player"):
        merge(keep, duplicate)


def test_only_directors_merge():
    club = factories.club()
    keep, duplicate = two(club)
    with pytest.raises(NotAllowed):
        merging.merge(actor=factories.member(club, Role.SCORER), keep=keep, duplicate=duplicate)


# Taking it back


def world(chance):
    """A club with random pairs, entries, substitutes, seats, claims and accounts."""
    club = factories.club()
    people = [factories.player(club, number=chance.choice(["", f"n{index}"])) for index in range(10)]
    for person in chance.sample(people, 2):
        person.user = factories.user()
        person.save()
    pairs = [factories.pair(club, *each) for each in chance.sample(list(combinations(people, 2)), 7)]
    for _number in range(2):
        competition = factories.competition(club, 1)
        division, taken = competition.stage.divisions.get(), set()
        for pair in pairs:
            if not taken & {pair.players[0].pk, pair.players[1].pk} and chance.random() < 0.7:
                factories.entry(division, pair)
                taken |= {pair.players[0].pk, pair.players[1].pk}
        if division.entries.count() > 1:
            factories.drawn(competition)
    play(chance, people)
    for person in chance.sample(people, 3):
        PlayerClaim.objects.create(player=person, user=factories.user())
    return people


def play(chance, people):
    """Gives some of the fixtures substitutes and seats."""
    for fixture in Fixture.objects.with_pairs():
        regulars = [*fixture.home.lineup.players, *fixture.away.lineup.players]
        others = [person for person in people if person not in regulars]
        if chance.random() < 0.4 and others:
            Substitution.objects.create(
                fixture=fixture, entry=fixture.home, absent=regulars[0], substitute=chance.choice(others)
            )
        if chance.random() < 0.5:
            match = match_of(fixture)
            for seat, player in zip("NSEW", regulars, strict=True):
                MatchSeat.objects.create(match=match, seat=seat, entry=fixture.home, player=player)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(3, 12))]
)
def test_merging_and_taking_back_gives_identical_rows(seed):
    chance = random.Random(seed)
    people = world(chance)
    before, done = all_rows(), 0
    for keep, duplicate in chance.sample(list(combinations(people, 2)), 15):
        try:
            made = merge(keep, duplicate)
        except Conflict:
            assert all_rows() == before
            continue
        done += 1
        assert all_rows() != before
        left = [
            row
            for reference in references_to(Player)
            if not reference.is_history and reference.model not in {PlayerMerge, LineupMember}
            for row in reference.rows(duplicate.pk)
        ]
        assert left == []
        assert not Lineup.objects.of_player(duplicate.pk).exists()
        undo(made)
        assert all_rows() == before
    assert done


def test_a_chain_of_merges_is_taken_back_last_first():
    club = factories.club()
    people = [factories.player(club, "Anna Berg", number=number) for number in ("", "1", "2")]
    partner = factories.player(club, "Carl Dorn")
    for person in people:
        factories.pair(club, person, partner)
    before = all_rows()
    first = merge(people[0], people[1])
    between = all_rows()
    second = merge(people[2], people[0])
    with pytest.raises(Conflict, match="later merge"):
        undo(first)
    undo(second)
    assert all_rows() == between
    undo(first)
    assert all_rows() == before


def test_what_was_changed_since_stands_in_the_way_and_is_named():
    club = factories.club()
    keep, duplicate = two(club, email="anna@example.org")
    made = merge(keep, duplicate)
    players.edit(actor=DIRECTOR, player=keep, name="Anna Berg", email="new@example.org")
    before = all_rows()
    with pytest.raises(Conflict, match=r"Anna Berg.* has been changed since then: e-mail address"):
        undo(made)
    assert all_rows() == before


def test_a_match_played_since_stands_in_the_way():
    club = factories.club()
    keep, duplicate = two(club)
    fixture = entered(club, duplicate)
    made = merge(keep, duplicate)
    MatchSeat.objects.create(match=match_of(fixture), seat="N", entry=fixture.home, player=keep)
    with pytest.raises(Conflict, match="used since"):
        undo(made)


def test_an_entry_made_since_stands_in_the_way():
    club = factories.club()
    keep, duplicate = two(club)
    pair = factories.pair(club, duplicate)
    made = merge(keep, duplicate)
    competition = factories.competition(club, 2)
    pair.refresh_from_db()
    entries.enter(actor=DIRECTOR, division=competition.stage.divisions.get(), lineup=pair, at=BEFORE)
    with pytest.raises(Conflict, match="have been entered in"):
        undo(made)


def test_what_the_kept_player_does_elsewhere_does_not_stand_in_the_way():
    club = factories.club()
    keep, duplicate = two(club)
    pair = factories.pair(club, duplicate)
    made = merge(keep, duplicate)
    lineups.line_up(actor=DIRECTOR, club=club, players=[keep, factories.player(club)])
    undo(made)
    pair.refresh_from_db()
    assert duplicate in pair.players
    with pytest.raises(Conflict, match="already been undone"):
        undo(made)


def test_both_steps_are_in_the_trail():
    club = factories.club()
    keep, duplicate = two(club)
    undo(merge(keep, duplicate))
    assert list(AuditEntry.objects.filter(player=keep).order_by("pk").values_list("action", flat=True)) == [
        "player.merged",
        "player.merge_undone",
    ]
    assert Entry.objects.count() == 0
