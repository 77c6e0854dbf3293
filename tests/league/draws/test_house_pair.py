"""The house pair of a Swiss: it plays instead of a bye, and has no standing (F32, F131)."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.contest.draws.swiss import answer_as_json, read_field
from league.competitions.services import competitions, drafts
from league.draws.services import apart, draws, rounds
from league.entries.services import entries, withdrawals
from league.errors import Conflict, NotAllowed
from league.models import Appearance, Competition, DraftChange, Fixture, Role
from league.seasons.queries import ending as endings
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from tests.league import factories

pytestmark = pytest.mark.django_db
DIRECTOR = factories.DIRECTOR


@pytest.fixture
def club():
    return factories.club(time_zone="Europe/Dublin")


def swiss(club, pairs, *, house=None):
    """A running Swiss of so many pairs, of which one by number is the house pair."""
    made = factories.competition(club, pairs, format="swiss", name="Swiss", slug="swiss")
    division = made.stage.divisions.get()
    if house:
        apart.choose_house(actor=DIRECTOR, division=division, entries=[division.entries.get(number=house)])
    factories.drawn(made)
    return Competition.objects.get(pk=made.pk), division


def met(division, number):
    found = Fixture.objects.filter(division=division, round__number=number).with_pairs().order_by("pk")
    return [frozenset(entry.pk for entry in each.entries) for each in found]


def play(division, number, *, ahead=None):
    for each in Fixture.objects.filter(division=division, round__number=number).with_pairs():
        is_home = each.home == ahead or (each.away != ahead and each.home.number < each.away.number)
        factories.result(each, *((60, 40) if is_home else (40, 60)))


def draw_next(division):
    following = rounds.next_round(division)
    proposal = rounds.propose(division=division, round_=following)
    rounds.publish(
        actor=DIRECTOR,
        division=division,
        number=following.number,
        at=factories.BEFORE,
        seen=proposal.digest,
    )
    return following.number


def byes(division):
    return Appearance.objects.byes().filter(entry__division=division).count()


def test_f32_with_an_odd_number_of_others_it_plays_and_nobody_has_a_bye(club):
    _made, division = swiss(club, 6, house=2)
    house = apart.houses_of(division).get()
    # Last of the draw: in the first round the last of the upper half meets it.
    assert house.number == 6
    assert frozenset((house.pk, division.entries.get(number=3).pk)) in met(division, 1)
    for number in range(1, 4):
        play(division, number, ahead=house)
        draw_next(division)
    assert not byes(division)


def test_f32_with_an_even_number_it_sits_out_without_a_bye_and_comes_when_one_leaves(club):
    _made, division = swiss(club, 7, house=7)
    house = apart.houses_of(division).get()
    assert not house.appearances.exists()
    assert not byes(division)
    play(division, 1)
    draw_next(division)
    assert not house.appearances.exists()
    play(division, 2)
    leaving = division.entries.get(number=1)
    withdrawals.withdraw(actor=DIRECTOR, entry=leaving, reason="ill", at=timezone.now())
    draw_next(division)
    assert house.appearances.count() == 1
    assert not byes(division)


def test_f32_it_is_last_in_the_draw_whatever_it_has_won_and_meets_nobody_twice(club):
    _made, division = swiss(club, 6, house=6)
    house = apart.houses_of(division).get()
    opponents = set()
    for number in range(1, 5):
        play(division, number, ahead=house)
        table = compute_table(read_facts(division))
        last = [row.entry for row in table.rows if row.place is not None][-1]
        opponents |= {key for two in met(division, number) if house.pk in two for key in two}
        if number < 4:
            draw_next(division)
            field = rounds.field_of(
                division, division.stage.rounds.get(number=number + 1), read_facts(division)
            )
            assert field.playing[-1].key == house.pk
            assert field.scores[house.pk] == min(field.scores.values())
            assert last is not None
    assert len(opponents) == 5


def test_f32_its_matches_count_for_its_opponents_and_it_has_no_place(club):
    made, division = swiss(club, 4, house=4)
    house = apart.houses_of(division).get()
    play(division, 1, ahead=house)
    table = compute_table(read_facts(division))
    assert [row.place for row in table.rows][-1] is None
    assert table.rows[-1].entry == house.pk
    assert table.rows[-1].league_points == 2
    beaten = next(iter(next(two for two in met(division, 1) if house.pk in two) - {house.pk}))
    row = table.row_of(beaten)
    assert (row.lost, row.place) == (1, 2)
    standings.compute(competition_id=made.pk, at=timezone.now())
    page = Client().get(reverse("competition", args=[club.slug, made.slug])).text
    assert "house pair, without standing" in page
    assert not list(differences(competition=Competition.objects.get(pk=made.pk)))


def test_f32_it_has_no_final_place_and_no_place_next_season(club):
    made, division = swiss(club, 4, house=4)
    house = apart.houses_of(division).get()
    while True:
        number = Appearance.objects.of_division(division).order_by("-round__number").first().round.number
        play(division, number, ahead=house)
        if rounds.next_round(division) is None:
            break
        draw_next(division)
    competitions.finish(actor=DIRECTOR, competition=made)
    ending = endings.of_competition(made, at=timezone.now())
    assert house not in [each.entry for table in ending.tables for each in table.entries]
    assert house.lineup_id not in [move.plays.pk for move in ending.moves]


def test_the_house_pair_is_chosen_before_it_is_drawn(club):
    made, division = swiss(club, 5)
    with pytest.raises(Conflict, match="drawn already"):
        apart.choose_house(actor=DIRECTOR, division=division, entries=[division.entries.get(number=1)])
    late = entries.enter(actor=DIRECTOR, division=division, lineup=factories.pair(club), at=factories.BEFORE)
    member = factories.member(club)
    with pytest.raises(NotAllowed):
        apart.choose_house(actor=member, division=division, entries=[late])
    apart.choose_house(actor=DIRECTOR, division=division, entries=[late])
    play(division, 1)
    draw_next(division)
    assert late.appearances.exists()
    with pytest.raises(Conflict, match="have already played as the house pair"):
        apart.choose_house(actor=DIRECTOR, division=division, entries=[])
    other = factories.running(club, 4)
    with pytest.raises(Conflict, match="Only a Swiss has a house pair"):
        apart.choose_house(
            actor=DIRECTOR, division=other.stage.divisions.get(), entries=[other.entries.get(number=1)]
        )
    assert made.entries.filter(is_house=True).count() == 1


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_f32_it_is_last_in_a_draw_by_lot_too(club, seed):
    made = factories.competition(club, 7, format="swiss")
    division = made.stage.divisions.get()
    house = division.entries.get(number=1)
    apart.choose_house(actor=DIRECTOR, division=division, entries=[house])
    draws.draw(actor=DIRECTOR, competition=made, order=draws.BY_LOT, seed=seed)
    assert apart.houses_of(division).get().number == 7
    assert not house.appearances.exists()


def test_a_draft_that_is_undone_has_its_house_pair_again(club):
    made = factories.competition(club, 5, format="swiss")
    division = made.stage.divisions.get()
    apart.choose_house(actor=DIRECTOR, division=division, entries=[division.entries.get(number=5)])
    drafts.undo(actor=DIRECTOR, change=DraftChange.objects.latest("pk"))
    assert not apart.houses_of(division).exists()
    apart.choose_house(actor=DIRECTOR, division=division, entries=[division.entries.get(number=5)])
    draws.draw(actor=DIRECTOR, competition=made)
    drafts.undo(actor=DIRECTOR, change=DraftChange.objects.latest("pk"))
    assert apart.houses_of(division).get().number == 5


def test_the_page_chooses_it_for_directors_alone(club):
    made = factories.competition(club, 5, format="swiss", slug="swiss")
    division = made.stage.divisions.get()
    address = reverse("house_pair", args=[club.slug, made.slug, division.pk])
    dora, member = factories.member(club, Role.DIRECTOR), factories.member(club)
    client, stranger = Client(), Client()
    client.force_login(dora)
    stranger.force_login(member)
    assert address in client.get(reverse("competition_draw", args=[club.slug, made.slug])).text
    last = division.entries.get(number=5)
    assert client.post(address, {"entry": last.pk}, follow=True).status_code == 200
    assert apart.houses_of(division).get() == last
    assert client.post(address, {"entry": 10**9}).status_code == 422
    assert client.post(address, {"entry": ""}).status_code == 302
    assert not apart.houses_of(division).exists()
    assert stranger.post(address, {"entry": last.pk}).status_code in {403, 404}


ENTRIES = [{"key": key, "number": n} for n, key in enumerate("ABCDE", start=1)]


def test_the_engine_has_the_house_pair_last_and_only_when_it_is_needed():
    field = {"entries": ENTRIES, "house": "A", "round": 1}
    assert answer_as_json(field)["bye"] is None
    assert {key for two in answer_as_json(field)["tables"] for key in two} == set("BCDE")
    field["absent"] = ["E"]
    assert [entry.key for entry in read_field(field).playing] == ["B", "C", "D", "A"]
