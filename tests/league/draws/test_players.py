"""A Swiss of players from its set-up to the last round: drawn, played, late, leaving, house (F35)."""

from collections import Counter
from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import formats
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws import queries as explained
from league.draws.services import apart, rounds
from league.entries.services import entries as entering
from league.entries.services import withdrawals
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.manage.services import evenings
from league.models import Appearance, Competition, Entry, Fixture, Role, RoundDraw
from league.results.queries import cross_table
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from tests.league import factories

pytestmark = pytest.mark.django_db
DIRECTOR = factories.DIRECTOR


class Swiss:
    """A Swiss of so many players in a game of pairs, running; nothing is drawn yet."""

    def __init__(self, players: int = 8, planned: int = 4, houses: int = 0, **setup) -> None:
        self.club = factories.club()
        self.competition = competitions.set_up(
            actor=DIRECTOR,
            club=self.club,
            data=Setup(
                "Spring Individual",
                factories.FIRST_ROUND,
                format=formats.SWISS_PLAYERS,
                planned_rounds=planned,
                **setup,
            ),
        )
        self.division = self.competition.stage.divisions.get()
        self.players = [factories.player(self.club, f"Player {n:02}") for n in range(1, players + houses + 1)]
        self.register(came=self.players)
        if houses:
            last = list(self.division.entries.order_by("number"))[-houses:]
            apart.choose_house(actor=DIRECTOR, division=self.division, entries=last)
        evenings.begin(actor=DIRECTOR, competition=self.competition, seed="spring")
        self.competition = Competition.objects.get(pk=self.competition.pk)
        self.division = self.competition.stage.divisions.get()

    def register(self, came=(), left=()):
        return evenings.register(
            actor=DIRECTOR,
            division=self.division,
            came=came,
            left=[each.pk for each in left],
            at=timezone.now(),
        )

    def proposal(self, number, tables=""):
        played = self.division.stage.rounds.get(number=number)
        return rounds.proposal_of(division=self.division, round_=played, tables=tables)

    def draw(self, number, **how):
        return rounds.publish(
            actor=DIRECTOR, division=self.division, number=number, at=timezone.now(),
            seen=self.proposal(number, how.get("tables", "")).digest, **how,
        )  # fmt: skip

    def fixtures(self, number):
        found = Fixture.objects.filter(division=self.division, round__number=number)
        return list(found.with_pairs().order_by("pk"))

    def play(self, number):
        """The pair with the lower player's number wins by 60 to 40."""
        for fixture in self.fixtures(number):
            first = min(self.numbers(fixture.home)) < min(self.numbers(fixture.away))
            factories.scored(fixture, (60, 40) if first else (40, 60))

    def numbers(self, pair):
        own = self.competition.entries.filter(lineup__members__player__in=[p.pk for p in pair.lineup.players])
        return list(own.values_list("number", flat=True))

    def tables(self, number):
        return [
            tuple(frozenset(self.numbers(pair)) for pair in each.entries) for each in self.fixtures(number)
        ]

    def entry(self, number):
        return self.competition.entries.with_pairs().get(number=number)

    def table(self):
        return compute_table(read_facts(self.division))

    def check(self):
        standings.compute(competition_id=self.competition.pk, at=timezone.now())
        self.competition.refresh_from_db()
        assert [str(each) for each in differences(competition=self.competition)] == []


def test_f35_a_swiss_of_eight_players_from_first_to_last_round():
    swiss = Swiss()
    assert swiss.competition.is_of_individuals
    assert swiss.competition.format == formats.SWISS_PLAYERS
    assert not Appearance.objects.exists()
    partners: Counter[frozenset[int]] = Counter()
    for number in range(1, 5):
        assert rounds.next_round(swiss.division).number == number
        row = swiss.draw(number)
        assert row.cost == row.least
        assert [each.table for each in swiss.fixtures(number)] == ["1", "2"]
        seated = [key for table in swiss.tables(number) for pair in table for key in pair]
        assert sorted(seated) == list(range(1, 9))
        partners.update(pair for table in swiss.tables(number) for pair in table)
        swiss.play(number)
    assert max(partners.values()) == 1
    assert rounds.next_round(swiss.division) is None
    table = swiss.table()
    assert {row.entry for row in table.rows} == set(swiss.competition.entries.values_list("pk", flat=True))
    # Both of a pair are credited with what it makes (F123): two winners with two points at two tables.
    assert sum(row.league_points for row in table.rows) == 2 * 2 * 2 * 4
    assert {row.played for row in table.rows} == {4}
    first = table.row_of(swiss.entry(1).pk)
    assert (first.won, first.league_points) == (4, 8)
    assert len({line.partner for line in first.contributions}) == 4
    assert all(len(line.opponents) == 2 for line in first.contributions)
    swiss.check()
    competitions.finish(actor=DIRECTOR, competition=swiss.competition)


def test_f34_both_opponents_count_for_the_tie_break_and_a_round_missed_counts_twice():
    swiss = Swiss(players=9, tie_breaks=("opponents_score",))
    swiss.draw(1)
    swiss.play(1)
    table = swiss.table()
    points = {row.entry: row.league_points for row in table.rows}
    for row in table.rows:
        met = [each.entry for line in row.contributions for each in line.opponents]
        expected = sum(points[key] for key in met) if met else 2 * points[row.entry]
        assert row.metrics["opponents_score"] == expected


@pytest.mark.parametrize("players", [5, 6, 7])
def test_an_odd_number_sits_out_and_nobody_twice_before_everybody_once(players):
    swiss = Swiss(players=players)
    out: Counter[int] = Counter()
    for number in (1, 2, 3):
        swiss.draw(number)
        assert len(swiss.fixtures(number)) == 1
        byes = Appearance.objects.byes().filter(round__number=number)
        assert byes.count() == players % 4
        out.update(byes.values_list("entry__number", flat=True))
        if number * (players % 4) <= players:
            assert max(out.values()) == 1
        swiss.play(number)
    swiss.check()


def test_f32_house_players_fill_the_last_table_and_have_no_place():
    swiss = Swiss(players=6, houses=3)
    swiss.draw(1)
    # Two of the three house players fill the second table; the third stays away.
    assert len(swiss.fixtures(1)) == 2
    assert not Appearance.objects.byes().exists()
    swiss.play(1)
    table = swiss.table()
    assert [row.place for row in table.rows if row.place is None] == [None, None, None]
    late = factories.player(swiss.club, "Late Lu")
    other = factories.player(swiss.club, "Late Lee")
    swiss.register(came=[late, other])
    swiss.draw(2)
    seated = {key for each in swiss.tables(2) for pair in each for key in pair}
    assert seated.isdisjoint({7, 8, 9})
    with pytest.raises(Conflict, match="drawn already"):
        apart.choose_house(
            actor=DIRECTOR,
            division=swiss.division,
            entries=[*apart.houses_of(swiss.division)[:2], swiss.entry(1)],
        )
    with pytest.raises(Invalid, match="at most 3"):
        apart.choose_house(
            actor=DIRECTOR,
            division=swiss.division,
            entries=[*apart.houses_of(swiss.division), swiss.entry(1)],
        )


def test_too_few_house_players_to_fill_a_table_stay_away():
    swiss = Swiss(players=6, houses=1)
    swiss.draw(1)
    assert len(swiss.fixtures(1)) == 1
    assert Appearance.objects.byes().count() == 2


def test_f30_f31_who_comes_late_plays_from_the_next_round_and_who_leaves_keeps_everything():
    swiss = Swiss(players=8)
    swiss.draw(1)
    swiss.play(1)
    late = factories.player(swiss.club, "Late Lu")
    swiss.register(came=[late], left=[swiss.entry(3)])
    before = swiss.table().row_of(swiss.entry(3).pk).league_points
    swiss.draw(2)
    seated = {key for each in swiss.tables(2) for pair in each for key in pair}
    assert seated == {1, 2, 4, 5, 6, 7, 8, 9}
    swiss.play(2)
    assert swiss.table().row_of(swiss.entry(3).pk).league_points == before
    # Back again: plays on with the results from before.
    withdrawals.reinstate(actor=DIRECTOR, entry=swiss.entry(3), reason="Back", at=timezone.now())
    assert swiss.entry(3).first_round == 1
    swiss.draw(3)
    swiss.check()


def test_who_leaves_before_the_match_loses_it_and_the_page_says_so_beforehand():
    swiss = Swiss()
    swiss.draw(1)
    leaving = swiss.entry(1)
    seen = withdrawals.preview(entry=leaving)
    assert len(seen.walkovers) == 1
    pair = seen.walkovers[0].seat_of(leaving)
    withdrawals.withdraw(actor=DIRECTOR, entry=leaving, reason="Ill", at=timezone.now())
    fixture = next(each for each in swiss.fixtures(1) if pair in each.entries)
    assert fixture.status == Fixture.Status.WALKOVER
    assert fixture.side_of(pair).outcome == Appearance.Outcome.LOST
    # A walkover is no meeting (F7): its opponents may be drawn against each other's partners again.
    others = [swiss.competition.entries.get(number=n).pk for n in swiss.numbers(pair) if n != 1]
    field = swiss.proposal(2).field
    assert not field.were_partners(leaving.pk, others[0])
    swiss.check()


def test_f33_a_director_changes_tables_by_hand_and_the_figures_say_what_that_bends():
    swiss = Swiss(players=9)
    proposal = swiss.proposal(1)
    out = proposal.without_seat[0]
    best = proposal.tables[0].entries[0]
    tables = rounds.exchanged(proposal, out.pk, best.pk)
    changed = swiss.proposal(1, tables)
    assert changed.is_changed
    assert changed.cost > changed.least_cost
    bent = explained.dearer(explained.OF_PLAYERS, changed.cost, changed.least_cost)
    assert bent == "Somebody sits out although someone ranked lower could."
    row = swiss.draw(1, tables=tables)
    assert row.is_changed
    assert Appearance.objects.byes().get().entry == best
    with pytest.raises(Invalid):
        swiss.proposal(2, tables.replace("-", ","))


def test_f3_a_round_is_undone_with_its_pairs_and_refused_once_it_has_begun():
    swiss = Swiss()
    swiss.draw(1)
    assert Entry.with_rooms.filter(team__isnull=False).count() == 4
    rounds.take_back(actor=DIRECTOR, division=swiss.division, number=1, reason="Wrong")
    assert not Entry.with_rooms.filter(team__isnull=False).exists()
    assert not RoundDraw.objects.exists()
    swiss.draw(1)
    swiss.play(1)
    with pytest.raises(Conflict, match="have begun"):
        rounds.take_back(actor=DIRECTOR, division=swiss.division, number=1, reason="Wrong")


def test_f14_missing_results_count_as_draws_if_the_director_says_so():
    swiss = Swiss()
    swiss.draw(1)
    assert len(swiss.proposal(2).missing) == 2
    with pytest.raises(Conflict, match="no result yet"):
        swiss.draw(2)
    assert len(swiss.draw(2, despite_missing=True).missing) == 2


def test_two_directors_draw_the_same_round_once():
    swiss = Swiss()
    seen = swiss.proposal(1).digest
    swiss.draw(1)
    with pytest.raises(Conflict, match="can’t be drawn now"):
        rounds.publish(actor=DIRECTOR, division=swiss.division, number=1, at=timezone.now(), seen=seen)


def test_f29_somebody_asks_to_sit_out_once():
    swiss = Swiss()
    rounds.ask_to_sit_out(actor=DIRECTOR, entry=swiss.entry(2), number=1, at=timezone.now())
    swiss.draw(1)
    # Of seven who are left three sit out.
    assert Appearance.objects.byes().count() == 4
    assert swiss.table().row_of(swiss.entry(2).pk).league_points == 1
    assert {line.source for line in swiss.table().row_of(swiss.entry(2).pk).contributions} == {
        "requested_bye"
    }


def test_who_asks_why_is_told_of_partners_opponents_and_who_sits_out():
    swiss = Swiss(players=9)
    swiss.draw(1)
    swiss.play(1)
    swiss.draw(2)
    how = explained.as_drawn(swiss.division, swiss.division.stage.rounds.get(number=2))
    table = how.tables[0]
    keys = [str(entry.pk) for entry in table.entries]
    partners = explained.asked_of_players(how, keys[0], keys[1])
    assert "They are partners" in partners.because
    assert "They are opponents" in explained.asked_of_players(how, keys[0], keys[2]).because
    out = explained.asked_of_players(how, str(how.without_seat[0].pk), "")
    assert "some sit out" in out.because
    others = [str(entry.pk) for entry in how.tables[1].entries]
    apart_ = explained.asked_of_players(how, keys[0], others[-1])
    assert apart_.because
    assert len(apart_.figures) == 9
    assert explained.asked_of_players(how, "0", "") is None


def test_a_correction_leaves_the_draw_and_the_page_says_that_it_would_be_another():
    swiss = Swiss()
    for number in (1, 2):
        swiss.draw(number)
        swiss.play(number)
    swiss.draw(3)
    before = swiss.tables(3)
    for fixture in swiss.fixtures(2)[:1]:
        fixtures.reopen(actor=DIRECTOR, fixture=fixture, reason="Typing error")
        scores = [(40, 60)[side.score == 40] for side in fixture.sides]
        factories.scored(fixture, scores)
    assert swiss.tables(3) == before
    how = explained.as_drawn(swiss.division, swiss.division.stage.rounds.get(number=3))
    assert how.is_otherwise


def test_the_table_of_opponents_names_the_partner_of_each_round():
    swiss = Swiss()
    swiss.draw(1)
    swiss.play(1)
    (table,) = cross_table.by_round(swiss.competition, None)
    row = next(each for each in table.rows if each.pair.entry == swiss.entry(1).pk)
    (met,) = row.rounds
    assert met.partner
    assert len(met.numbers) == 2
    assert met.leg.text == "60–40"


def test_every_page_of_it_answers(client: Client):
    swiss = Swiss(players=9)
    swiss.draw(1)
    swiss.play(1)
    swiss.check()
    swiss.draw(2)
    place = [swiss.club.slug, swiss.competition.slug]
    client.force_login(factories.member(swiss.club, Role.DIRECTOR))
    division = swiss.division.pk
    pages = [
        reverse("competition", args=place),
        reverse("competition_fixtures", args=place),
        reverse("competition_cross_table", args=place),
        reverse("competition_progress", args=place),
        reverse("round", args=[*place, 2]),
        reverse("round_why", args=[*place, 2, division]),
        reverse("round_draw", args=[*place, division, 2]),
        reverse("round_draw", args=[*place, division, 3]),
        reverse("house_pair", args=[*place, division]),
        reverse("register", args=place),
        reverse("competition_manage", args=place),
        reverse("pair", args=[swiss.entry(1).lineup_id]),
    ]
    for page in pages:
        assert client.get(page).status_code == 200, page
    said = client.get(reverse("competition", args=place)).content.decode()
    assert "with Player" in said
    assert client.get(reverse("round_why", args=[*place, 3, division])).status_code == 404
    answer = client.get(f"/api/v1/divisions/{division}/rounds/3/draw/").json()
    assert len(answer["cost"]) == 9
    assert all(len(table["entries"]) == 4 and table["home"] is None for table in answer["tables"])


def test_partners_change_only_where_two_pairs_meet():
    club = factories.club()
    for game in ("tien-len",):
        with pytest.raises(Invalid):
            competitions.set_up(
                actor=DIRECTOR,
                club=club,
                data=Setup("X", factories.FIRST_ROUND, format=formats.SWISS_PLAYERS, game=game),
            )
    with pytest.raises(Invalid, match="Partners can change"):
        competitions.set_up(
            actor=DIRECTOR,
            club=club,
            data=Setup("X", factories.FIRST_ROUND, format=formats.SWISS_PLAYERS, team_method="imps"),
        )


def test_a_pair_cannot_enter_and_three_players_cannot_be_drawn():
    swiss = Swiss(players=4)
    with pytest.raises(Invalid):
        entering.enter(
            actor=DIRECTOR, division=swiss.division, lineup=factories.pair(swiss.club), at=timezone.now()
        )
    swiss.register(left=[swiss.entry(4)])
    with pytest.raises(Conflict, match="needs 4"):
        swiss.proposal(1)


def test_all_pairs_of_a_round_are_in_the_competition_of_their_players():
    swiss = Swiss(players=12, planned=5)
    for number in (1, 2):
        swiss.draw(number)
        swiss.play(number)
    pairs = Entry.with_rooms.with_pairs().filter(team__isnull=False)
    assert all({swiss.competition.pk} == {pair.competition_id} for pair in pairs)
    together = Counter(frozenset(p.pk for p in pair.lineup.players) for pair in pairs)
    assert max(together.values()) == 1
    assert all(len(two) == 2 for two in together)
    assert len(list(combinations(range(12), 2))) >= len(together)
