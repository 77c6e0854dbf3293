"""Players as others may know them, and a player's page."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from league import policies
from league.actors import Reader
from league.models import (
    Appearance,
    Club,
    Competition,
    Contact,
    Entry,
    Fixture,
    Invitation,
    Lineup,
    Player,
    PlayerClaim,
    Substitution,
    User,
)
from league.words.public_names import Shown

#: Players whose names everybody may read.
NAMED = Q(public_name=Shown.FULL) | Q(public_name="", is_young=False)


@dataclass(frozen=True, slots=True)
class PlayerPair:
    """A pair the player belongs to, with the competitions it entered; without partners the player entered alone."""

    key: int
    name: str
    partners: tuple[Player, ...]
    competitions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """What this visitor may know of a player. E-mail address, number and contact only for those who may see them."""

    is_me: bool
    is_private: bool
    email: str
    number: str
    contact: Contact | None
    may_claim: bool
    has_claimed: bool


def visible_to(user: Reader, club: Club | None = None) -> QuerySet[Player]:
    """Players this visitor may know of: all for people with an account, else those of public competitions."""
    players = Player.objects.present()
    if club is not None:
        players = players.filter(club=club)
    if user.is_authenticated:
        return players
    competitions = Competition.objects.visible_to(user)
    entries = Entry.objects.filter(competition__in=competitions, lineup__members__player=OuterRef("pk"))
    stand_ins = Substitution.objects.filter(
        substitute=OuterRef("pk"), fixture__round__stage__competition__in=competitions
    )
    return players.filter(Exists(entries) | Exists(stand_ins))


def is_visible_to(user: Reader, player: Player) -> bool:
    """Whether this visitor may know of a player who was not merged into another."""
    return user.is_authenticated or visible_to(user, player.club).filter(pk=player.pk).exists()


def page(player: Player, user: Reader) -> PlayerPage:
    """What the visitor may see of the player besides pairs and results."""
    is_private = policies.may(user, "player.see_private", player)
    has_claimed = isinstance(user, User) and (
        PlayerClaim.objects.filter(player=player, user=user, state=PlayerClaim.State.OPEN).exists()
    )
    return PlayerPage(
        is_me=isinstance(user, User) and player.user_id == user.pk,
        is_private=is_private,
        email=player.email if is_private else "",
        number=player.number if is_private else "",
        contact=Contact.objects.filter(user=player.user_id).first()
        if is_private and player.user_id
        else None,
        may_claim=player.user_id is None and not has_claimed and not _is_somebody(user, player.club),
        has_claimed=has_claimed,
    )


def fixtures(player: Player, user: Reader) -> QuerySet[Any]:
    """The decided matches the player sat in, not those for which a substitute did; the newest competition first."""
    replaced = Substitution.objects.filter(fixture=OuterRef("fixture"), absent=player)
    own = Appearance.objects.filter(
        ~Exists(replaced), entry__in=Entry.objects.of_player(player), fixture__isnull=False
    )
    stood_in = Substitution.objects.filter(substitute=player).order_by().values("fixture_id")
    found = Fixture.objects.decided().filter(
        pk__in=own.order_by().values("fixture_id").union(stood_in),
        round__stage__competition__in=Competition.objects.visible_to(user),
    )
    return found.order_by(
        "-round__stage__competition__starts_on", "-round__stage__competition_id", "-round__number", "-pk"
    )


def free_in(fixture: Fixture) -> QuerySet[Player]:
    """Players of the club who do not play in the fixture's round: those who may stand in."""
    playing = Appearance.objects.meeting().filter(
        entry__lineup__members__player=OuterRef("pk"), round=fixture.round_id
    )
    club = fixture.round.competition.club_id
    return Player.objects.present().filter(~Exists(playing), club=club).order_by("name", "pk")


def invitations(club: Club) -> QuerySet[Invitation]:
    """The newest invitation of each player of the club, by their names."""
    newest = Invitation.objects.filter(player=OuterRef("player")).order_by("-made_at", "-pk").values("pk")[:1]
    found = club.invitations.to_players().filter(pk=Subquery(newest), player__merged_into=None)
    # A newer one stands before the one that it follows: a list that goes on from there shows nobody twice.
    return found.select_related("player", "mail", "made_by").order_by("player__name", "player_id", "-pk")


def _is_somebody(user: Reader, club: Club) -> bool:
    return isinstance(user, User) and Player.objects.present().filter(club=club, user=user).exists()


def pairs(player: Player, user: Reader) -> tuple[PlayerPair, ...]:
    """The player's pairs, as far as the visitor may know of them."""
    lineups = list(Lineup.objects.of_player(player.pk).with_players())
    entries = Entry.objects.filter(
        lineup__in=lineups, competition__in=Competition.objects.visible_to(user)
    ).select_related("competition__club", "division")
    entered: dict[int, list[tuple[str, str]]] = {}
    for entry in entries.order_by("-competition__starts_on", "division__level"):
        label = f"{entry.competition.name}, {entry.division.name}"
        entered.setdefault(entry.lineup_id, []).append((label, entry.competition.get_absolute_url()))
    is_insider = user.is_authenticated
    return tuple(
        PlayerPair(
            key=pair.pk,
            name=str(pair),
            partners=tuple(each for each in pair.players if each.pk != player.pk),
            competitions=tuple(entered.get(pair.pk, ())),
        )
        for pair in lineups
        if pair.pk in entered or (is_insider and len(pair.players) > 1)
    )
