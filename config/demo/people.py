"""The people of the demo club, and who of them can log in."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from league.clubs.services import clubs
from league.models import Club, Lineup, Player, Role, User
from league.people.services import claims, lineups, players

PASSWORD = "demo-of-the-club"  # noqa: S105 - the demo's, shown to everybody

PAIRS = (
    (
        ("Anna Berg", "Chidi Okafor"),
        ("Iris Lindqvist", "Tom Marsh"),
        ("Femi Adeyemi", "Rose Ford"),
        ("Olga Petrov", "Kenji Sato"),
        ("Eva Novak", "Luis Reyes"),
        ("Claire Dubois", "Imran Khan"),
        ("Gwen Hughes", "Mei Tan"),
        ("Rui Silva", "Grace Wong"),
    ),
    (
        ("Aoife Byrne", "Declan Walsh"),
        ("Marta Kowalska", "Piotr Zielinski"),
        ("Samir Haddad", "Leila Nasser"),
        ("Ingrid Dahl", "Henrik Moe"),
        ("Paolo Ricci", "Giulia Conti"),
        ("Nadia Rahman", "Arjun Mehta"),
        ("Hannah Klein", "Jonas Vogel"),
    ),
)
OFFICIALS = (("Olive Hart", Role.OWNER), ("Daniel Quinn", Role.DIRECTOR), ("Sally Moore", Role.SCORER))


@dataclass(frozen=True, slots=True)
class Login:
    """Somebody of the demo who can log in, and what to try as that person."""

    name: str
    email: str
    what: str

    def __str__(self) -> str:
        return f"{self.email:<34} {PASSWORD}   {self.what}"


def email_of(name: str) -> str:
    """The demo's address of a person."""
    return name.lower().replace(" ", ".") + "@example.org"


def logins() -> tuple[Login, ...]:
    """One login of each role, and a pair of opponents to confirm a scoresheet."""
    whats = {
        "Olive Hart": "owner: members, roles, the club",
        "Daniel Quinn": "director: the desk, the draw, disputes",
        "Sally Moore": "scorer: types in paper scoresheets",
        "Anna Berg": "player: enters the sheet of the next match",
        "Olga Petrov": "player: Anna's opponent, who confirms it",
        "Rui Silva": "player: has a sheet to confirm already",
    }
    return tuple(Login(name, email_of(name), what) for name, what in whats.items())


@dataclass(frozen=True, slots=True)
class People:
    """Everybody by name."""

    users: dict[str, User]
    pairs: tuple[tuple[Lineup, ...], ...]

    def __getitem__(self, name: str) -> User:
        return self.users[name]

    def of_pair(self, pair: Lineup) -> User:
        """The account of the pair's first player."""
        return self.users[pair.players[0].name]


@cache
def _hashed() -> str:
    """Hashing a password takes long on purpose; everybody here has the same one."""
    return make_password(PASSWORD)


def account(name: str) -> User:
    """A demo account with a verified address."""
    user = User.objects.create(email=email_of(name), name=name, password=_hashed())
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def found_club(at: datetime) -> tuple[Club, People]:
    """The club, with its officials, players, accounts and pairs."""
    users = {name: account(name) for name, _role in OFFICIALS}
    owner, director = users["Olive Hart"], users["Daniel Quinn"]
    club = clubs.found(
        actor=owner,
        name="Riverside Club",
        time_zone="Europe/Dublin",
        place="The Boathouse, Mill Lane",
        about="Cards by the river since 1977. We play on Thursdays; newcomers are always welcome.",
    )
    for name, role in OFFICIALS[1:]:
        member = clubs.admit(actor=owner, club=club, user=users[name])
        clubs.give_role(actor=owner, membership=member, role=role)
    pairs = []
    for division in PAIRS:
        found = []
        for names in division:
            both = [_player(director, club, name, users, at) for name in names]
            found.append(lineups.line_up(actor=director, club=club, players=both))
        pairs.append(tuple(found))
    return club, People(users, tuple(pairs))


def _player(director: User, club: Club, name: str, users: dict[str, User], at: datetime) -> Player:
    users[name] = account(name)
    player = players.add(actor=director, club=club, name=name, email=email_of(name))
    claims.link(actor=director, player=player, user=users[name], at=at)
    return player
