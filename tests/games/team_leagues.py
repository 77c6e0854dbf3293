"""A league of teams of four for tests, set up and played by its services.

league = make_league(teams=2)                  two teams of five, Dora directs, the first round has begun
name_pairs(league, match)                      both captains send their first four
play_room(room, [(40, 20), ...])               a sheet that both sides confirmed: points of N-S and of E-W by board
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.manage.services import setups
from league.models import Club, Competition, Entry, Fixture, Player, Role, User
from league.teams.services import line_ups
from league.teams.services.line_ups import Pairs
from tests.kept_scenes import kept
from tests.league import factories
from tests.scenes import totals_sheet

NAMES = (
    ("Riverside", ("Anna Berg", "Carl Dorn", "Eva Falk", "Gerd Hahn", "Ida Jung")),
    ("Hilltop", ("Kaspar Lenz", "Mona Noll", "Otto Pohl", "Quirin Rast", "Sina Thal")),
    ("Harbour", ("Ulla Voss", "Wanda Xaver", "Yann Zeller", "Alba Birn", "Cora Dietz")),
    ("Oldtown", ("Egon Frey", "Greta Haas", "Ivo Jahn", "Karla Lohr", "Max Nagel")),
)


@dataclass
class League:
    """A running league of teams, its entries in their order, and an account for every player by first name."""

    club: Club
    competition: Competition
    director: User
    users: dict[str, User] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)

    def player(self, first: str) -> Player:
        return Player.objects.get(club=self.club, name__startswith=f"{first} ")

    def match(self, number: int = 1, at: int = 0) -> Fixture:
        """A match of a round."""
        found = Fixture.objects.of_competition(self.competition.pk).filter(round__number=number)
        return found.with_pairs().order_by("pk")[at]

    def captain(self, entry: Entry) -> User:
        captain = entry.lineup.captain
        assert captain is not None
        return account(captain)


@kept
def make_league(*, teams: int = 2, deals: int = 4, **more: Any) -> League:
    club = factories.club("Riverside Club", slug="riverside", time_zone="Europe/Dublin")
    director = factories.member(club, Role.DIRECTOR, factories.user("dora@example.org", "Dora Director"))
    today = timezone.localdate()
    setup = {
        "name": "Team League",
        "starts_on": today,
        "team_method": "imps",
        "rules": {"deals": deals},
        **more,
    }
    competition = competitions.set_up(actor=director, club=club, data=Setup(**setup))
    lines = [f"{name}: {', '.join(players)}" for name, players in NAMES[:teams]]
    division = competition.stage.divisions.get()
    setups.enter(actor=director, division=division, chosen=(), typed="\n".join(lines), at=timezone.now())
    league = League(club, competition, director)
    for player in Player.objects.filter(club=club):
        first = player.name.split()[0].lower()
        player.user = league.users[first] = factories.user(f"{first}@example.org", player.name)
        player.save(update_fields=["user"])
        factories.member(club, Role.MEMBER, player.user)
    setups.publish(actor=director, competition=competition)
    league.competition = Competition.objects.with_stage().get(pk=competition.pk)
    league.entries = list(Entry.objects.filter(competition=competition).with_pairs().order_by("number"))
    return league


def account(player: Player) -> User:
    assert player.user is not None
    return player.user


def four(entry: Entry, *, first: int = 0) -> Pairs:
    """The first four of the team, or those from another place on."""
    players = sorted(entry.lineup.players, key=lambda each: each.pk)
    chosen = [*players[first:], *players[:first]][:4]
    return Pairs(chosen[:2], chosen[2:])


def name_pairs(league: League, match: Fixture, *, at: datetime | None = None) -> tuple[Fixture, Fixture]:
    """Both captains name their first four; gives the open and the closed room."""
    for entry in match.entries:
        line_ups.name(
            actor=league.captain(entry),
            fixture=match,
            entry=entry,
            pairs=four(entry),
            at=at or timezone.now(),
        )
    return rooms_of(match)


def rooms_of(match: Fixture) -> tuple[Fixture, Fixture]:
    open_room, closed_room = match.rooms.with_pairs()
    return open_room, closed_room


def play_room(room: Fixture, points: list[tuple[int, int]]) -> Scoresheet:
    """A sheet of totals that the first side entered and the second confirmed."""
    room = Fixture.with_rooms.with_pairs().get(pk=room.pk)
    one, two = (account(entry.lineup.players[0]) for entry in room.entries)
    sheet = scoresheets.submit(
        actor=one, fixture=room, content=totals_sheet(*points), origin=Scoresheet.Origin.PAGE
    )
    return scoresheets.confirm(actor=two, sheet=sheet, digest=sheet.digest)


def tomorrow() -> datetime:
    return timezone.now() + timedelta(days=1)
