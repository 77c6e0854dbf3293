"""A small league to act in: one club, four pairs with accounts, a division drawn by the Berger tables."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from engine.contest.draws.round_robin import berger
from league.fixtures.services import meetings
from league.models import (
    Club,
    Competition,
    Division,
    Entry,
    Fixture,
    Membership,
    Player,
    Role,
    Round,
    Season,
    User,
)
from tests.kept_scenes import kept
from tests.league import factories

NAMES = (
    "Anna Berg",
    "Chidi Okafor",
    "Iris Lindqvist",
    "Tom Marsh",
    "Olga Petrov",
    "Kenji Sato",
    "Eva Novak",
    "Luis Reyes",
)
RULES = {"rules": "concerto-2013", "deals": 4, "duplicate": False, "early_end": True, "game_bonus": True}
POINTS = {"win": 2, "draw": 1, "loss": 0}


@dataclass
class Scene:
    """Everything by name: users by e-mail's first part ("anna"), entries and fixtures in order."""

    club: Club
    competition: Competition
    division: Division
    users: dict[str, User] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    fixtures: list[Fixture] = field(default_factory=list)

    @property
    def fixture(self) -> Fixture:
        """The first fixture of the first round: Berg & Okafor at home to Novak & Reyes."""
        return Fixture.objects.with_pairs().get(pk=self.fixtures[0].pk)


def make_user(name: str, **more: Any) -> User:
    email = f"{name.split(maxsplit=1)[0].lower()}@example.org"
    return User.objects.create_user(email, "concerto-13-cards", name=name, **more)


@kept
def make_scene(*, deals: int = 4) -> Scene:
    """Four pairs (Anna & Chidi, Iris & Tom, Olga & Kenji, Eva & Luis), three rounds, a director Dora, a scorer Sam."""
    club = Club.objects.create(name="Riverside Club", slug="riverside", time_zone="Europe/Dublin")
    season = Season.objects.create(
        club=club, name="2026/27", starts_on=date(2026, 9, 1), ends_on=date(2027, 5, 31)
    )
    competition = Competition.objects.create(
        club=club,
        season=season,
        game="concerto",
        name="Winter League",
        slug="winter-league",
        state=Competition.State.RUNNING,
        rules={**RULES, "deals": deals},
        points=POINTS,
        tie_breaks=["head_to_head", "points_difference"],
        starts_on=date(2026, 10, 1),
    )
    stage = factories.stage(competition)
    division = Division.objects.create(stage=stage, name="First Division", level=1, promoted=1, relegated=1)
    scene = Scene(club, competition, division)
    _people(scene)
    _draw(scene)
    return scene


def _people(scene: Scene) -> None:
    for name, role in (
        ("Olive Owner", Role.OWNER),
        ("Dora Director", Role.DIRECTOR),
        ("Sam Scorer", Role.SCORER),
    ):
        user = make_user(name)
        scene.users[name.split()[0].lower()] = user
        Membership.objects.create(user=user, club=scene.club, role=role)
    scene.users["stranger"] = make_user("Stranger Strange")
    for name in NAMES:
        user = make_user(name)
        scene.users[name.split()[0].lower()] = user
        Membership.objects.create(user=user, club=scene.club, role=Role.MEMBER)
        scene.players.append(Player.objects.create(club=scene.club, name=name, user=user))
    for number in range(4):
        a, b = scene.players[2 * number : 2 * number + 2]
        pair = factories.pair(scene.club, a, b)
        scene.entries.append(
            Entry.objects.create(
                competition=scene.competition, division=scene.division, lineup=pair, number=number + 1
            )
        )


def _draw(scene: Scene) -> None:
    start = datetime(2026, 10, 1, 19, 30, tzinfo=UTC)
    for drawn in berger(4):
        begins = start + timedelta(days=7 * (drawn.number - 1))
        played = Round.objects.create(
            stage=scene.division.stage,
            number=drawn.number,
            starts_on=begins.date(),
            closes_at=begins + timedelta(days=7),
        )
        scene.rounds.append(played)
        for pairing in drawn.pairings:
            home, away = scene.entries[pairing.home - 1], scene.entries[pairing.away - 1]
            planned = Fixture(division=scene.division, round=played, starts_at=begins)
            scene.fixtures += meetings.meet([(planned, (home, away))])


def totals_sheet(*deals: tuple[int, int]) -> dict[str, Any]:
    """A sheet at totals depth: points of N-S and of E-W, a deal each."""
    return {"first_dealer": "N", "deals": [{"total": {"NS": ns, "EW": ew}} for ns, ew in deals]}
