"""A match of three sides: results, walkovers, withdrawals and the pages; its sheet is in test_sheets_of_any_game."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from engine import game
from games.matches import verification
from games.models import MatchSeat, Scoresheet
from games.options import port_of
from games.scoresheets.services import matches, scoresheets
from league import extension
from league.entries.services import withdrawals
from league.errors import Conflict
from league.fixtures.services import dates, fixtures
from league.models import Appearance, Club, Competition, Fixture, Role, Round, User
from league.people.services import lineups
from league.standings.queries import compute_table, read_facts
from league.standings.services import standings
from league.standings.services.verification import differences
from tests.engine.trio import TRIO
from tests.league import factories

pytestmark = pytest.mark.django_db
NOW, DIRECTOR = factories.NOW, factories.DIRECTOR


class Trio:
    """Four individuals; three of them meet in each of two rounds, and one sits out."""

    def __init__(self) -> None:
        self.club: Club = factories.club()
        self.dora = factories.member(self.club, Role.OWNER)
        self.competition: Competition = factories.competition(
            self.club, 0, game="trio", rules={"deals": 2}, state="running",
            points={"by": "rank", "places": [5, 3, 1]}, tie_breaks=[],
        )  # fmt: skip
        division = self.competition.stage.divisions.get()
        self.users: list[User] = [factories.user(name=name) for name in ("Anna", "Ben", "Chidi", "Dina")]
        players = [factories.player(self.club, user.name, user=user) for user in self.users]
        alone = lineups.make(self.club, [([player.pk], "") for player in players])
        self.entries = [factories.entry(division, lineup) for lineup in alone]
        self.fixtures = [self.meet(number) for number in (1, 2)]

    def meet(self, number: int) -> Fixture:
        played = Round.objects.create(
            stage=self.competition.stage, number=number, starts_on=factories.FIRST_ROUND, closes_at=NOW
        )
        Appearance.objects.create(round=played, entry=self.entries[3], outcome="bye")
        return factories.meet(played, *self.entries[:3], starts_at=NOW)

    @property
    def fixture(self) -> Fixture:
        return Fixture.objects.with_pairs().get(pk=self.fixtures[0].pk)

    def enter(self, *deals: tuple[int, int, int]) -> Scoresheet:
        content = {"deals": [{"total": dict(zip("123", points, strict=True))} for points in deals]}
        return scoresheets.submit(
            actor=self.users[0], fixture=self.fixture, content=content, origin=Scoresheet.Origin.PAGE
        )

    def confirm(self, sheet: Scoresheet, user: User) -> None:
        fresh = Scoresheet.objects.get(pk=sheet.pk)
        scoresheets.confirm(actor=user, sheet=fresh, digest=fresh.digest)

    def play(self) -> Scoresheet:
        sheet = self.enter((2, -1, -1), (-1, -1, -1))
        for user in self.users[1:3]:
            self.confirm(sheet, user)
        return sheet

    def made(self) -> list[tuple[str, int | None, int | None]]:
        return [(side.outcome, side.score, side.rank) for side in self.fixture.sides]

    def points(self) -> dict[int, int]:
        table = compute_table(read_facts(self.competition.stage.divisions.get()))
        return {int(row.entry): int(row.league_points) for row in table.rows}

    def check(self) -> None:
        standings.compute(competition_id=self.competition.pk, at=NOW)
        self.competition.refresh_from_db()
        assert not [str(each) for each in differences(competition=self.competition)]
        assert not [str(each) for each in verification.differences(competition=self.competition)]


@pytest.fixture
def trio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Trio]:
    game.register(TRIO)
    monkeypatch.setattr(extension.layer(), "games", {**extension.layer().games, "trio": port_of(TRIO)})
    yield Trio()
    game.forget(TRIO.key)


def test_the_sides_have_what_they_made_of_it(trio: Trio) -> None:
    sheet = trio.play()
    assert trio.made() == [("played", 1, 1), ("played", -2, 2), ("played", -2, 2)]
    assert list(trio.points().values()) == [5, 2, 2, 0]
    seats = MatchSeat.objects.filter(match=sheet.match).order_by("seat").values_list("entry", flat=True)
    assert list(seats) == [entry.pk for entry in trio.entries[:3]]
    trio.check()


def test_who_confirms_reads_whether_it_counts_already(trio: Trio) -> None:
    sheet = trio.enter((2, -1, -1), (-1, -1, -1))
    for user, said in zip(
        trio.users[1:3], ("once the others have confirmed", "standings will be updated"), strict=True
    ):
        client = Client()
        client.force_login(user)
        sent = {"version": sheet.version, "digest": sheet.digest}
        assert said in client.post(reverse("sheet_confirm", args=[trio.fixture.pk]), sent, follow=True).text


def test_a_reopened_match_has_no_result(trio: Trio) -> None:
    trio.play()
    matches.reopen(actor=trio.dora, fixture=trio.fixture, reason="Counted wrongly")
    assert trio.made() == [("", None, None)] * 3
    assert trio.fixture.decided_at is None


def test_one_side_stays_away_and_the_others_win(trio: Trio) -> None:
    fixtures.award_walkover(
        actor=trio.dora, fixture=trio.fixture, losing=[trio.entries[1]], reason="Stayed away"
    )
    assert [made[0] for made in trio.made()] == ["won_by_walkover", "lost_by_walkover", "won_by_walkover"]
    trio.check()
    fixtures.restore(actor=trio.dora, fixture=trio.fixture, reason="Came after all")
    assert trio.made() == [("", None, None)] * 3


def test_a_void_match_leaves_its_sides_free(trio: Trio) -> None:
    fixtures.void(actor=trio.dora, fixture=trio.fixture, reason="Flood")
    assert trio.made() == [("void", None, None)] * 3
    again = factories.meet(trio.fixture.round, *trio.entries[:3])
    with pytest.raises(Conflict):
        fixtures.restore(actor=trio.dora, fixture=trio.fixture, reason="Dry again")
    trio.check()
    assert again.side_of(trio.entries[2]) is not None


def test_who_leaves_and_comes_back(trio: Trio) -> None:
    trio.play()
    withdrawals.withdraw(actor=DIRECTOR, entry=trio.entries[1], reason="Moved away", at=NOW)
    outcomes = [side.outcome for side in Fixture.objects.get(pk=trio.fixtures[1].pk).sides]
    assert outcomes == ["won_by_walkover", "lost_by_walkover", "won_by_walkover"]
    trio.check()
    withdrawals.reinstate(actor=DIRECTOR, entry=trio.entries[1], reason="Stays", at=NOW)
    assert [side.outcome for side in Fixture.objects.get(pk=trio.fixtures[1].pk).sides] == [""] * 3
    trio.check()


def test_the_director_sets_the_date_of_more_than_two(trio: Trio) -> None:
    with pytest.raises(Conflict):
        dates.propose(actor=trio.users[0], fixture=trio.fixture, starts_at=NOW, at=factories.BEFORE)


def test_the_pages_show_all_sides(trio: Trio) -> None:
    trio.play()
    trio.check()
    club, league = trio.club.slug, trio.competition.slug
    for user in (trio.users[1], trio.dora):
        client = Client()
        client.force_login(user)
        for path in (
            trio.fixture.get_absolute_url(),
            trio.competition.get_absolute_url(),
            *(f"/clubs/{club}/{league}/{page}/" for page in ("fixtures", "rounds/1", "progress")),
            f"/clubs/{club}/",
            reverse("my"),
            trio.entries[0].lineup.get_absolute_url(),
        ):
            shown = client.get(path)
            assert shown.status_code == 200, path
        assert "Chidi" in client.get(f"/clubs/{club}/{league}/fixtures/").text
    page = client.get(trio.fixture.get_absolute_url()).text
    assert "Chidi" in page
    address = reverse("fixture_ruling", args=[trio.fixtures[1].pk])
    sent = {"part": "ruling", "ruling": "without-2", "reason": "Stayed away"}
    assert "Ben lose" in client.post(address, sent, follow=True).text
    (shown, _other) = client.get("/api/v1/fixtures/").json()["results"]
    assert (shown["result"], shown["home"], shown["away"]) == (None, None, None)
    assert [(side["outcome"], side["score"], side["rank"]) for side in shown["sides"]] == trio.made()
