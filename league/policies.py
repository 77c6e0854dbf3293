"""Who may do what, in one table. Pages, API, sockets, tasks and commands all ask here."""

from collections.abc import Callable
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.utils.translation import gettext as _

from league.actors import System, Visitor
from league.errors import NotAllowed
from league.models import (
    Club,
    Competition,
    Entry,
    Fixture,
    Lineup,
    Membership,
    NamedPairs,
    Player,
    Role,
    SeasonSubstitute,
    Substitution,
    User,
)
from league.storage.prepared import Prepared, Somebody

RANKS: dict[str, int] = {Role.MEMBER: 1, Role.SCORER: 2, Role.DIRECTOR: 3, Role.OWNER: 4}
Rule = Callable[[Any, Any], bool]


def role_in(user: Visitor, club: Club) -> str | None:
    """The person's role in the club, or None. A superuser is an owner of every club, and no more than that: rules that
    ask who plays hold for superusers as well."""
    if not isinstance(user, User) or not user.is_active:
        return None
    return Role.OWNER if user.is_superuser else _roles(user).get(club.pk)


def _roles(user: User) -> dict[int, str]:
    """By club; asked for once."""
    if "club_roles" not in user.__dict__:
        _read_clubs(user)
    roles: dict[int, str] = user.__dict__["club_roles"]
    return roles


def _read_clubs(user: User) -> None:
    found = _CLUBS(user=user.pk)
    user.__dict__["club_roles"] = {club: role for club, role in found if role}
    user.__dict__["club_keys"] = frozenset(club for club, _role in found)


def _clubs_and_roles() -> "QuerySet[Any, Any]":
    memberships = Membership.objects.filter(user=Somebody.pk).order_by().values_list("club_id", "role")
    players = Player.objects.filter(user=Somebody.pk).order_by()
    return memberships.union(players.values_list("club_id", Value("")))


_CLUBS = Prepared(_clubs_and_roles)


def roles_of(user: Visitor) -> tuple[Any, ...]:
    """All that decides which competitions and matches of others this person may see."""
    if not isinstance(user, User) or not user.is_active:
        return (False,)
    return (user.is_superuser, *sorted(_roles(user).items()))


def clubs_of(user: Visitor) -> frozenset[int]:
    """The keys of the clubs that this person belongs to; asked for once."""
    return frozenset(_roles(user)) if isinstance(user, User) else frozenset()


def forget_roles(user: User) -> None:
    """After a change of memberships: the next question reads them again."""
    for kept in ("club_roles", "club_keys", "near"):
        user.__dict__.pop(kept, None)


def directors_of(club: Club) -> list[User]:
    """The accounts that direct the club, its owners included."""
    roles = [Role.DIRECTOR, Role.OWNER]
    found = User.objects.filter(is_active=True, memberships__club=club, memberships__role__in=roles)
    return list(found.order_by("memberships__pk"))


def reads_name_of(user: Visitor, row: Player | User) -> bool:
    """Whether this reader is inside: of the player's club, or of a club of the account's; of their own name anyway."""
    if isinstance(user, System):
        return True
    if not isinstance(user, User) or not user.is_active:
        return False
    if user.is_superuser or user.pk == (row.pk if isinstance(row, User) else row.user_id):
        return True
    return row.pk in _near(user) if isinstance(row, User) else row.club_id in _clubs(user)


def is_inside(user: Visitor, club: Club) -> bool:
    """Whether this reader reads the names of the club's people in full."""
    if isinstance(user, User) and user.is_active:
        return user.is_superuser or club.pk in _clubs(user)
    return isinstance(user, System)


def _clubs(user: User) -> frozenset[int]:
    """Where the person is a member or a player; asked for once."""
    if "club_keys" not in user.__dict__:
        _read_clubs(user)
    found: frozenset[int] = user.__dict__["club_keys"]
    return found


def _near(user: User) -> frozenset[int]:
    """The accounts with which the person shares a club; asked for once."""
    found: frozenset[int] | None = user.__dict__.get("near")
    if found is None:
        shared = User.objects.filter(
            Q(memberships__club__in=_clubs(user)) | Q(players__club__in=_clubs(user))
        )
        found = frozenset(shared.values_list("pk", flat=True))
        user.__dict__["near"] = found
    return found


def _at_least(role: str) -> Rule:
    def rule(user: Visitor, thing: Any) -> bool:
        # What belongs to no club is for its own person.
        if thing is None:
            return False
        held = role_in(user, club_of(thing))
        return held is not None and RANKS[held] >= RANKS[role]

    return rule


def club_of(thing: Any) -> Club:
    """The club that a club, player, pair, competition, division, entry, round or fixture belongs to."""
    if isinstance(thing, Club):
        return thing
    for name in ("club", "competition", "round"):
        owner = getattr(thing, name, None)
        if owner is not None:
            return club_of(owner)
    raise TypeError(f"{thing!r} belongs to no club")


def plays_in(user: Visitor, fixture: Fixture) -> bool:
    """Whether this account belongs to one of the sides, or stands in for one of their players."""
    return entry_of(user, fixture) is not None


def side_of(user: Visitor, fixture: Fixture) -> str | None:
    """ "home", "away" or None: on which of two sides this account plays in the fixture."""
    entry = entry_of(user, fixture)
    return None if entry is None else "home" if entry.pk == fixture.home_id else "away"


def entry_of(user: Visitor, fixture: Fixture) -> Entry | None:
    """For which of those who meet this account plays: as one of their players, or as a substitute."""
    if not isinstance(user, User):
        return None
    substitutes = {s.entry_id for s in fixture.substitutions.all() if s.substitute.user_id == user.pk}
    for entry in fixture.entries:
        members = {player.user_id for player in entry.lineup.players}
        if user.pk in members or entry.pk in substitutes:
            return entry
    return None


def has_left(user: Visitor, fixture: Fixture) -> bool:
    """Whether this account's player left the pair for the rest of the season, and somebody else plays here by that.

    They rule on none of the pair's matches any more than before, and say nothing for it.
    """
    if not isinstance(user, User):
        return False
    own = {
        player.pk for entry in fixture.entries for player in entry.lineup.players if player.user_id == user.pk
    }
    return any(left_for_good(each) for each in fixture.substitutions.all() if each.absent_id in own)


def left_for_good(row: Substitution) -> bool:
    """Whether who is absent from this match is so for the rest of the season."""
    found = SeasonSubstitute.objects.filter(
        entry=row.entry_id, absent=row.absent_id, substitute=row.substitute_id
    )
    return found.exists()


def speaks_in(user: Visitor, fixture: Fixture) -> bool:
    """Whether this account can act for one of the sides: it belongs to it, has not left it, and was not only asked."""
    return plays_in(user, fixture) and not is_silent(user, fixture)


def is_only_asked(user: Visitor, fixture: Fixture) -> bool:
    """Whether this account was asked to stand in and has not said yes. A pair may ask anybody in the club: until they
    agree they do not speak for it, nobody reads how they are reached or when they are away by asking, nor do they read
    it of others."""
    asked = [each.substitute.user_id for each in fixture.substitutions.all() if each.is_waiting]
    return isinstance(user, User) and user.pk in asked


def is_silent(user: Visitor, fixture: Fixture) -> bool:
    """Whether this account says nothing for the side it counts to: it has left it, or was only asked to stand in."""
    return is_only_asked(user, fixture) or has_left(user, fixture)


def is_captain(user: Visitor, entry: Entry) -> bool:
    """Whether this account is the captain's of a team; any member's, where the captain has none."""
    if not isinstance(user, User):
        return False
    captain = entry.lineup.captain
    if captain is not None and captain.user_id is not None:
        return captain.user_id == user.pk
    return _is_in_pair(user, entry.lineup)


def _names_pairs(user: Visitor, place: NamedPairs) -> bool:
    """The team's captain, or a director who plays for neither team, unless the club has no other."""
    return is_captain(user, place.entry) or _rules_in(user, place.fixture)


def _sees_pairs(user: Visitor, place: NamedPairs) -> bool:
    """Until both are in, the team itself and nobody else (F61): a director names one without having to read one."""
    if place.fixture.rooms.exists():
        return _sees_fixture(user, place.fixture)
    return _is_in_pair(user, place.entry.lineup)


def _is_in_pair(user: Visitor, pair: Lineup) -> bool:
    return isinstance(user, User) and user.pk in {player.user_id for player in pair.players}


def _is_player(user: Visitor, player: Player) -> bool:
    return isinstance(user, User) and player.user_id == user.pk


def _sees_competition(user: Visitor, competition: Competition) -> bool:
    is_draft = competition.state == Competition.State.DRAFT
    if competition.visibility == Competition.Visibility.PUBLIC and not is_draft:
        return True
    held = role_in(user, competition.club)
    return held is not None and (not is_draft or RANKS[held] >= RANKS[Role.DIRECTOR])


def _sees_room(user: Visitor, room: Fixture, match: Fixture) -> bool:
    """What was made of a room of a team match is for who plays in it, and for officials who play for no team, until
    the match has a result: before that it would tell how boards went that others still play (F4)."""
    if plays_in(user, room):
        return True
    if not _sees_fixture(user, match):
        return False
    return match.has_result or (scorer(user, match) and not _is_in_a_team(user, match.round.competition))


def _is_in_a_team(user: Visitor, competition: Competition) -> bool:
    return isinstance(user, User) and Entry.with_rooms.of_user(user).filter(competition=competition).exists()


def _sees_fixture(user: Visitor, fixture: Fixture) -> bool:
    if fixture.team_match is not None:
        return _sees_room(user, fixture, fixture.team_match)
    competition = fixture.round.competition
    if _sees_competition(user, competition):
        return True
    # A draft is nobody's but the directors': its matches may be drawn again at any moment.
    return competition.state != Competition.State.DRAFT and plays_in(user, fixture)


def _rules_in(user: Visitor, thing: Any) -> bool:
    """A director; about a match in which the person plays only while the club has nobody else to decide it."""
    if not director(user, thing):
        return False
    return _is_for(user, thing)


def _sees_to(user: Visitor, thing: Any) -> bool:
    """Any official; to an unusual result of their own match only while the club has no director to look at it."""
    return scorer(user, thing) and _is_for(user, thing)


def _is_for(user: Visitor, thing: Any) -> bool:
    """Whether an item is this person's: nobody decides their own match while somebody else can."""
    return (
        not isinstance(thing, Fixture) or not plays_in(user, thing) or not has_another_director(user, thing)
    )


def has_another_director(user: Visitor, *fixtures: Fixture) -> bool:
    """Whether the club has a director besides this person who plays in none of these matches, which are of one club."""
    regulars = {
        player.user_id for fixture in fixtures for each in fixture.entries for player in each.lineup.players
    }
    substitutes = {each.substitute.user_id for fixture in fixtures for each in fixture.substitutions.all()}
    involved = {key for key in (*regulars, *substitutes, user.pk) if key is not None}
    directors = club_of(fixtures[0]).memberships.filter(
        role__in=[Role.DIRECTOR, Role.OWNER], user__is_active=True
    )
    return directors.exclude(user_id__in=involved).exists()


def _any_of(*rules: Rule) -> Rule:
    return lambda user, thing: any(rule(user, thing) for rule in rules)


def _may_join(user: Visitor, club: Club) -> bool:
    """A club that is not open takes nobody in by a click: its owner adds the members."""
    return _logged_in(user, club) and (club.is_open or role_in(user, club) is not None)


def _may_ask_to_join(user: Visitor, club: Club) -> bool:
    return _logged_in(user, club) and not club.is_open and role_in(user, club) is None


def _logged_in(user: Visitor, _thing: Any) -> bool:
    return isinstance(user, User) and user.is_active


def _runs_the_site(user: Visitor, _thing: Any) -> bool:
    return isinstance(user, User) and user.is_active and user.is_superuser


def _owns_a_club(user: Visitor, _thing: Any) -> bool:
    return isinstance(user, User) and user.is_active and Role.OWNER in _roles(user).values()


director = _at_least(Role.DIRECTOR)
scorer = _at_least(Role.SCORER)
owner = _at_least(Role.OWNER)
member = _at_least(Role.MEMBER)

RULES: dict[str, Rule] = {
    "club.found": _logged_in,
    "club.join": _may_join,
    "club.ask_to_join": _may_ask_to_join,
    "club.admit": director,
    "club.edit": owner,
    "club.members": owner,
    "club.mails": owner,
    "club.webhooks": owner,
    "club.export": owner,
    "site.mails": _runs_the_site,
    "site.status": _any_of(_runs_the_site, _owns_a_club),
    "site.status_in_full": _runs_the_site,
    "club.see_members": director,
    "club.desk": scorer,
    "player.add": scorer,
    "player.edit": director,
    "player.erase": owner,
    "player.invite": director,
    "player.see_private": _any_of(director, _is_player),
    "player.claim": _logged_in,
    "player.decide_claim": director,
    "player.merge": director,
    "player.import": director,
    "player.export": director,
    "pair.add": scorer,
    "pair.rename": _any_of(director, _is_in_pair),
    "competition.see": _sees_competition,
    "competition.set_up": director,
    "competition.draw": director,
    "competition.finish": director,
    "competition.export": director,
    "season.answer": lambda user, row: director(user, row) or _is_in_pair(user, row.lineup),
    "entry.add": director,
    "entry.withdraw": director,
    "entry.substitute": director,
    "entry.sit_out": lambda user, entry: director(user, entry) or _is_in_pair(user, entry.lineup),
    "entry.challenge": lambda user, entry: director(user, entry) or _is_in_pair(user, entry.lineup),
    "entry.adjust": director,
    "division.draw_lots": director,
    "team.choose_captain": lambda user, entry: director(user, entry) or is_captain(user, entry),
    "team.name_pairs": _names_pairs,
    "team.see_pairs": _sees_pairs,
    "team.open_rooms": _rules_in,
    "team.rooms_follow": director,
    "fixture.see": _sees_fixture,
    "fixture.see_audit": _any_of(director, plays_in),
    "fixture.arrange": director,
    "fixture.propose_date": speaks_in,
    "fixture.postpone": _any_of(director, speaks_in),
    "fixture.report": _any_of(speaks_in, scorer),
    "fixture.rule": _rules_in,
    "fixture.put_aside": _sees_to,
    "fixture.substitute": _any_of(director, speaks_in),
    "fixture.answer_as_substitute": lambda user, row: _is_player(user, row.substitute),
    "fixture.name_for_others": lambda user, fixture: director(user, fixture) and not plays_in(user, fixture),
}


def register(rules: dict[str, Rule]) -> None:
    """Adds the rules of another application (games) to the table."""
    RULES.update(rules)


def may(actor: Visitor, action: str, thing: Any = None) -> bool:
    """Whether this person may do `action` to `thing`. The service itself may do everything."""
    return isinstance(actor, System) or RULES[action](actor, thing)


def require(actor: Visitor, action: str, thing: Any = None) -> None:
    """Raises NotAllowed unless `may`, by the roles as they are now: a write has waited for its locks until here."""
    if isinstance(actor, User):
        forget_roles(actor)
    if not may(actor, action, thing):
        raise NotAllowed(
            _("You don’t have permission to do this. If you think you should, ask a director of the club.")
        )
