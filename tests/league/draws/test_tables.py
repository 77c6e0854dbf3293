"""An evening at tables from its set-up to the last round: who is there, each round drawn, late and leaving players."""

from datetime import time, timedelta
from itertools import combinations

import pytest
from django.utils import timezone

from engine.contest.points.parsing import read_scheme
from engine.contest.results import Ending, ResultLine, Side
from engine.put_and_take.game import PUT_AND_TAKE
from games.options import port_of
from league import formats
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws import queries as explained
from league.draws.services import apart, rounds
from league.entries.services import withdrawals
from league.errors import Conflict, Invalid
from league.manage.forms.evenings import RegisterForm
from league.manage.services import evenings
from league.models import AuditEntry, Competition, Fixture, RoundDraw
from league.results.queries.competitions import rules
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from league.web.wording import points_in_words
from tests.league import factories

pytestmark = pytest.mark.django_db
DIRECTOR = factories.DIRECTOR


class Evening:
    """Tien Len for so many players, begun; nothing is drawn yet."""

    def __init__(self, players: int = 7, planned: int = 4, game: str = "tien-len") -> None:
        self.club = factories.club()
        made = evenings.make(
            actor=DIRECTOR, club=self.club, name="Evening at tables", game=game, rounds=planned,
            starts_on=timezone.localdate(), play_time=time(19, 30),
        )  # fmt: skip
        self.players = [
            factories.player(self.club, f"Player {number:02}") for number in range(1, players + 1)
        ]
        self.competition, self.division = made, made.stage.divisions.get()
        self.register(came=self.players)
        evenings.begin(actor=DIRECTOR, competition=made)
        self.competition = Competition.objects.get(pk=made.pk)
        self.division = self.competition.stage.divisions.get()

    def register(self, came=(), left=(), typed=""):
        return evenings.register(
            actor=DIRECTOR, division=self.division, came=came, typed=typed,
            left=[entry.pk for entry in left], at=timezone.now(),
        )  # fmt: skip

    def proposal(self, number, tables=""):
        played = self.division.stage.rounds.get(number=number)
        return rounds.proposal_of(division=self.division, round_=played, tables=tables)

    def draw(self, number, **how):
        return rounds.publish(
            actor=DIRECTOR, division=self.division, number=number, at=timezone.now(),
            seen=self.proposal(number, how.get("tables", "")).digest, **how,
        )  # fmt: skip

    def fixtures(self, number):
        return list(
            Fixture.objects.filter(division=self.division, round__number=number).with_pairs().order_by("pk")
        )

    def play(self, number):
        """At each table whoever entered first wins."""
        for fixture in self.fixtures(number):
            factories.scored(fixture, [100 - entry.number for entry in fixture.entries])

    def check(self):
        """What `manage.py verify` recomputes is what is stored."""
        standings.compute(competition_id=self.competition.pk, at=timezone.now())
        self.competition.refresh_from_db()
        assert [str(each) for each in differences(competition=self.competition)] == []

    def tables(self, number):
        return [{entry.pk for entry in fixture.entries} for fixture in self.fixtures(number)]

    def entry(self, player):
        return self.competition.entries.get(lineup__members__player=player)

    def points(self):
        return {
            row.entry: row.metrics["league_points"] for row in compute_table(read_facts(self.division)).rows
        }


def test_a_whole_evening_of_seven():
    evening = Evening()
    competition = evening.competition
    assert competition.format == formats.TABLES_EVENING
    assert competition.points == {"by": "rank", "first": 6, "bye": 3}
    assert competition.rules["scoring"] == "places"
    assert competition.stage.draw_seed
    assert {each.starts_on for each in competition.stage.rounds.all()} == {competition.starts_on}

    met: dict[frozenset[int], int] = {}
    for number in range(1, 5):
        assert rounds.next_round(evening.division).number == number
        row = evening.draw(number)
        assert (row.cost, row.seed) == (row.least, competition.stage.draw_seed)
        assert sorted(map(len, evening.tables(number))) == [3, 4]
        assert [fixture.table for fixture in evening.fixtures(number)] == ["1", "2"]
        for table in evening.tables(number):
            for two in combinations(sorted(table), 2):
                met[frozenset(two)] = met.get(frozenset(two), 0) + 1
        evening.play(number)
    assert set(met.values()) <= {1, 2, 3}
    assert len(met) >= 18
    assert rounds.next_round(evening.division) is None
    evening.check()
    assert evening.points()[competition.entries.get(number=1).pk] == 24
    competitions.finish(actor=DIRECTOR, competition=competition)


def test_tables_of_all_sizes_give_their_first_the_same():
    evening = Evening()
    evening.draw(1)
    evening.play(1)
    points = evening.points()
    for table in evening.tables(1):
        made = sorted((points[key] for key in table), reverse=True)
        assert made == ([6, 4, 2, 0] if len(table) == 4 else [6, 3, 0])


def test_who_comes_late_plays_from_the_next_round_and_who_leaves_is_not_drawn_again():
    evening = Evening()
    evening.draw(1)
    evening.play(1)
    late = factories.player(evening.club, "Late Lu")
    leaving = evening.entry(evening.players[2])
    done = evening.register(came=[late], left=[leaving], typed="New Nell")
    assert (done.came, done.left) == (2, 1)
    assert evening.entry(late).first_round == 2

    evening.draw(2)
    here = set().union(*evening.tables(2))
    assert evening.entry(late).pk in here
    assert leaving.pk not in here
    assert sorted(map(len, evening.tables(2))) == [4, 4]
    assert evening.points()[leaving.pk] > -1
    evening.check()

    # Back for the third round, with the points of the first.
    evening.play(2)
    evening.register(came=[evening.players[2]])
    evening.draw(3)
    assert leaving.pk in set().union(*evening.tables(3))


def test_who_leaves_a_table_gets_up_and_the_others_play_on():
    evening = Evening()
    evening.draw(1)
    large = next(each for each in evening.fixtures(1) if len(each.entries) == 4)
    leaving = large.entries[1]
    seen = withdrawals.preview(entry=leaving)
    assert [each.pk for each in seen.gets_up_from] == [large.pk]
    assert not seen.walkovers
    evening.register(left=[leaving])
    large = Fixture.objects.with_pairs().get(pk=large.pk)
    assert [side.order for side in large.sides] == [1, 2, 3]
    assert leaving not in large.entries
    assert AuditEntry.objects.filter(action="fixture.left", fixture=large).exists()
    evening.play(1)
    evening.check()
    evening.register(came=[leaving.lineup.players[0]])
    assert evening.entry(leaving.lineup.players[0]).withdrawn_at is None


def test_too_few_at_a_table_do_not_play_on():
    evening = Evening(players=3)
    evening.draw(1)
    first, second, _third = evening.competition.entries.with_pairs()
    evening.register(left=[first])
    assert len(evening.fixtures(1)[0].entries) == 2
    evening.register(left=[second])
    assert evening.fixtures(1)[0].status == "void"
    with pytest.raises(Conflict, match="at least 2"):
        evening.proposal(2)


def test_a_director_changes_tables_by_hand():
    evening = Evening(players=8)
    proposal = evening.proposal(1)
    one, other = proposal.tables[0].entries[0], proposal.tables[1].entries[0]
    changed = rounds.exchanged(proposal, one.pk, other.pk)
    evening.draw(1, tables=changed)
    assert {one.pk, proposal.tables[1].entries[1].pk} <= evening.tables(1)[1]
    evening.play(1)
    again = ",".join("-".join(map(str, sorted(table))) for table in evening.tables(1))
    mine = evening.proposal(2, again)
    assert mine.is_changed
    assert mine.cost > mine.least_cost == list(mine.room.draw().cost)
    assert evening.proposal(2).drawn == mine.room.draw()  # from the cache
    row = evening.draw(2, tables=again)
    assert row.is_changed
    assert explained.as_drawn(evening.division, row.round).is_changed


@pytest.mark.parametrize("tables", ["1", "x-y", "1-1-2", "-", "9999-1"])
def test_tables_that_are_none_are_refused(tables):
    evening = Evening(players=4)
    with pytest.raises(Invalid):
        evening.proposal(1, tables)
    keys = [entry.pk for entry in evening.competition.entries.order_by("pk")]
    with pytest.raises(Invalid):
        evening.proposal(1, f"{keys[0]}-{keys[1]}-{keys[2]},{keys[3]}-{keys[3]}")


def test_a_draw_is_published_once_and_taken_back_until_somebody_has_played():
    evening = Evening()
    seen = evening.proposal(1).digest
    evening.draw(1)
    with pytest.raises(Conflict):
        rounds.publish(
            actor=DIRECTOR, division=evening.division, number=1, at=timezone.now(), seen=seen
        )  # fmt: skip
    before = evening.tables(1)
    rounds.take_back(actor=DIRECTOR, division=evening.division, number=1, reason="Somebody came")
    assert not RoundDraw.objects.exists()
    evening.draw(1)
    # The same facts and the same seed give the same tables.
    assert evening.tables(1) == before
    evening.play(1)
    with pytest.raises(Conflict):
        rounds.take_back(actor=DIRECTOR, division=evening.division, number=1, reason="Too late")


def test_two_who_are_kept_apart_sit_at_different_tables():
    evening = Evening()
    two = list(evening.competition.entries.with_pairs()[:2])
    apart.keep_apart(actor=DIRECTOR, division=evening.division, entries=two, at=timezone.now())
    for number in range(1, 4):
        evening.draw(number)
        assert not any({each.pk for each in two} <= table for table in evening.tables(number))
        evening.play(number)
        assert explained.as_drawn(evening.division, evening.division.stage.rounds.get(number=number))


def test_who_asks_to_sit_out_has_no_table():
    evening = Evening()
    entry = evening.entry(evening.players[0])
    rounds.ask_to_sit_out(actor=DIRECTOR, entry=entry, number=1, at=timezone.now())
    evening.draw(1)
    assert entry.pk not in set().union(*evening.tables(1))
    drawn = explained.as_drawn(evening.division, evening.division.stage.rounds.get(number=1))
    assert [each.pk for each in drawn.resting] == [entry.pk]


@pytest.mark.parametrize(("game", "format_name"), [("concerto", "tables"), ("ecarte", "tables_evening")])
def test_not_for_games_of_two_sides(game, format_name):
    data = Setup(name="No", starts_on=timezone.localdate(), game=game, format=format_name)
    with pytest.raises(Invalid, match="three or more"):
        competitions.set_up(actor=DIRECTOR, club=factories.club(), data=data)


def test_rounds_of_tables_on_their_own_days():
    data = Setup(
        name="Winter tables",
        starts_on=timezone.localdate(),
        game="tien-len",
        format="tables",
        planned_rounds=3,
    )
    club = factories.club()
    competition = competitions.set_up(actor=DIRECTOR, club=club, data=data)
    evenings.register(
        actor=DIRECTOR, division=competition.stage.divisions.get(), left=[], at=timezone.now(),
        came=[factories.player(club) for _each in range(5)],
    )  # fmt: skip
    evenings.begin(actor=DIRECTOR, competition=competition)
    days = [each.starts_on for each in competition.stage.rounds.order_by("number")]
    assert [day - days[0] for day in days] == [timedelta(0), timedelta(7), timedelta(14)]


def test_a_friendly_game_is_worth_no_league_points():
    scheme = read_scheme(port_of(PUT_AND_TAKE).points)
    line = ResultLine(1, 1, tuple(Side(key, Ending.PLAYED, 10 - key, key) for key in (1, 2, 3)))
    assert [award.points for award in scheme.awards(line) if award] == [0, 0, 0]
    assert points_in_words(scheme)[0].startswith("None: the matches are friendly")


def test_the_points_follow_the_format():
    club = factories.club()
    data = Setup(name="Tables", starts_on=timezone.localdate(), game="tien-len")
    competition = competitions.set_up(actor=DIRECTOR, club=club, data=data)
    assert competition.points == {"by": "rank"}
    for name, points in (("tables", {"by": "rank", "first": 6, "bye": 3}), ("round_robin", {"by": "rank"})):
        data = competitions.setup_of(competition)
        changed = Setup(**{**{f: getattr(data, f) for f in data.__dataclass_fields__}, "format": name})
        competition = competitions.edit(actor=DIRECTOR, competition=competition, data=changed)
        assert competition.points == points


def test_who_is_here_is_a_list_of_each_division():
    club = factories.club()
    data = Setup(
        name="Two rooms",
        starts_on=timezone.localdate(),
        game="tien-len",
        format="tables",
        divisions=(DivisionPlan("A"), DivisionPlan("B")),
    )
    competition = competitions.set_up(actor=DIRECTOR, club=club, data=data)
    first, second = competition.stage.divisions.order_by("level")
    players = [factories.player(club, f"Player {number:02}") for number in range(9)]
    for division, came in ((first, players[:4]), (second, players[4:8])):
        evenings.register(actor=DIRECTOR, division=division, came=came, left=[], at=timezone.now())
    with pytest.raises(Conflict, match="Player 00 plays in another division"):
        evenings.register(actor=DIRECTOR, division=second, came=[players[0]], left=[], at=timezone.now())
    listed = RegisterForm(division=second).fields["here"].queryset
    assert set(listed) == {*players[4:]}
    evenings.begin(actor=DIRECTOR, competition=competition)
    leaves = second.entries.order_by("number")[0]
    done = evenings.register(
        actor=DIRECTOR, division=second, came=[players[8]], left=[leaves.pk], at=timezone.now()
    )
    assert (done.came, done.left) == (1, 1)
    assert [division.entries.active().count() for division in (first, second)] == [4, 4]


@pytest.mark.parametrize(
    ("players", "sizes"), [(5, [5]), (6, [3, 3]), (7, [4, 3]), (9, [3, 3, 3]), (10, [4, 3, 3])]
)
def test_brag_is_drawn_at_tables_of_three_and_four_where_all_have_a_seat_then(players, sizes):
    evening = Evening(players, game="brag-six")
    evening.draw(1)
    assert sorted(map(len, evening.tables(1)), reverse=True) == sizes
    assert rules(evening.competition).table == "3 to 4 at a table"
