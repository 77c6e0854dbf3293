"""Whom two teams send into the two rooms of their match: hidden until both have said so, then the rooms open (F61)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError
from django.utils.translation import gettext as _

from league import extension, locks, policies
from league.actors import Actor, System, person
from league.audit.services import audit
from league.background import sweeps
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures, meetings, partners, telling
from league.models import Competition, Entry, Fixture, Lineup, NamedPairs, Player
from league.people.services import lineups
from league.querysets import UNPLAYED
from league.words import sentences

Room = Fixture.Room
SERVICE = System("Concertmaster")
PLAYERS_OF_A_PAIR = 2


class Pairs(NamedTuple):
    """A team's two pairs, by their rooms."""

    in_open: Sequence[Player]
    in_closed: Sequence[Player]


@transaction.atomic
def choose_captain(*, actor: Actor, entry: Entry, player: Player) -> Lineup:
    """Says which member of a team is its captain: who names the line-ups."""
    competition = locks.competition(entry.competition_id)
    policies.require(actor, "team.choose_captain", entry)
    team = locks.pair(entry.lineup_id)
    if not competition.is_of_teams or player.pk not in {each.pk for each in team.players}:
        raise Invalid(_("Choose one of the team’s players."))
    before = team.captain_id
    team.captain = player
    team.save(update_fields=["captain"])
    audit.record(
        actor=actor,
        action="team.captain",
        summary=sentences.gettext("%(player)s is the captain of %(team)s") % {"player": player, "team": team},
        competition=competition,
        before={"lineup": team.pk, "captain": before},
        after={"lineup": team.pk, "captain": player.pk},
    )
    return team


@transaction.atomic
def name(*, actor: Actor, fixture: Fixture, entry: Entry, pairs: Pairs, at: datetime) -> NamedPairs:
    """A captain, or a director, says who plays in which room. It can be changed until the other team has said so, too.

    Then the two rooms are there, with their boards, and everybody sees who plays. After that only a director changes a
    line-up, as long as nobody has begun in either room.
    """
    fixture = _locked(fixture)
    entry = _side(fixture, entry)
    policies.require(actor, "team.name_pairs", NamedPairs(fixture=fixture, entry=entry))
    _check_open(actor, fixture)
    _check(fixture, entry, pairs)
    row = _write(actor, fixture, entry, pairs, at=at)
    audit.record(
        actor=actor,
        action="team.pairs_named",
        summary=sentences.gettext("Line-up named: %(team)s") % {"team": entry},
        fixture=fixture,
    )
    _open_rooms(actor, fixture)
    return row


@transaction.atomic
def stand(*, actor: Actor, fixture: Fixture, at: datetime) -> Fixture:
    """Where a team has said nothing its last line-up stands; before its first match, the first four of the team."""
    fixture = _locked(fixture)
    policies.require(actor, "team.open_rooms", fixture)
    if fixture.rooms.exists():
        raise Conflict(_("Both line-ups are in already."))
    _check_open(actor, fixture)
    said = set(fixture.named_pairs.values_list("entry", flat=True))
    silent = [entry for entry in fixture.entries if entry.pk not in said]
    for entry in silent:
        _write(actor, fixture, entry, last_pairs(fixture, entry), at=at, has_stood=True)
    audit.record(
        actor=actor,
        action="team.pairs_stood",
        summary=sentences.gettext("No word before the match, so the last line-up stands: %(teams)s")
        % {"teams": ", ".join(map(str, silent))},
        fixture=fixture,
    )
    _open_rooms(actor, fixture)
    return fixture


def due(*, at: datetime) -> Any:
    """The team matches whose time has come, and of which a line-up is missing."""
    running = Fixture.objects.unplayed().filter(
        round__stage__competition__state=Competition.State.RUNNING, starts_at__lte=at
    )
    rooms = Fixture.with_rooms.filter(team_match=OuterRef("pk"))
    return running.exclude(round__stage__competition__team_method="").filter(~Exists(rooms)).staying()


def stand_due(*, at: datetime) -> int:
    """Lets last line-ups stand where a match's time has come; gives of how many matches."""
    return sweeps.run(
        work="line-ups",
        rows=due(at=at).order_by("starts_at", "pk"),
        do=lambda key: stand(actor=SERVICE, fixture=Fixture.objects.get(pk=key), at=at),
        at=at,
    )


def eligible(fixture: Fixture, entry: Entry) -> list[Player]:
    """Who can play for the team in this match: its members, and substitutes in place of those who are absent."""
    rows = [each for each in fixture.substitutions.all() if each.entry_id == entry.pk]
    absent = {each.absent_id for each in rows}
    return [
        *(each for each in entry.lineup.players if each.pk not in absent),
        *(each.substitute for each in rows),
    ]


def last_pairs(fixture: Fixture, entry: Entry) -> Pairs:
    """The team's last line-up as far as its players can play; the places of others go to those who can, in order."""
    able = {player.pk: player for player in eligible(fixture, entry)}
    before = NamedPairs.objects.filter(entry=entry, fixture__round__number__lt=fixture.round.number)
    last = before.order_by("-fixture__round__number").first()
    played = [*last.pair_in(Room.OPEN), *last.pair_in(Room.CLOSED)] if last is not None else []
    kept = [able.pop(each.pk, None) for each in played] or [None] * 4
    rest = iter(able.values())
    filled = [each or next(rest, None) for each in kept]
    four = [each for each in filled if each is not None]
    if len(four) < 2 * PLAYERS_OF_A_PAIR:
        raise Conflict(_("%(team)s have too few players for this match.") % {"team": entry})
    return Pairs(four[:PLAYERS_OF_A_PAIR], four[PLAYERS_OF_A_PAIR:])


def _locked(fixture: Fixture) -> Fixture:
    """The match as it is now: its competition guards line-ups and rooms, and players are locked after it."""
    locks.competition(fixture.round.stage.competition_id)
    found = (
        Fixture.objects.with_pairs()
        .prefetch_related("substitutions__substitute")
        .filter(pk=fixture.pk)
        .first()
    )
    if found is None:
        raise Conflict(_("Line-ups are for matches of teams."))
    return cast("Fixture", found)


def _side(fixture: Fixture, entry: Entry) -> Entry:
    found = next((each for each in fixture.entries if each.pk == entry.pk), None)
    if found is None or not fixture.is_team_match:
        raise Invalid(_("This team doesn’t play in this match."))
    return found


def _check_open(actor: Actor, fixture: Fixture) -> None:
    fixtures.check_not_final(fixture)
    competition = fixture.round.competition
    if not fixture.is_team_match:
        raise Conflict(_("Line-ups are for matches of teams."))
    if competition.state != Competition.State.RUNNING:
        raise Conflict(_("This competition isn’t running."))
    if fixture.status not in UNPLAYED:
        raise Conflict(_("This match is already “%(now)s”.") % {"now": fixture.get_status_display()})
    if not fixture.rooms.exists():
        return
    if not policies.may(actor, "team.open_rooms", fixture):
        raise Conflict(
            _("Both line-ups are in, so yours stands. A director can still change it."), code="both_are_in"
        )
    if fixture.rooms.exclude(status=Fixture.Status.SCHEDULED).exists():
        raise Conflict(_("The match has begun: use a substitute instead."))


def _check(fixture: Fixture, entry: Entry, pairs: Pairs) -> None:
    named = [player.pk for pair in pairs for player in pair]
    if any(len(pair) != PLAYERS_OF_A_PAIR for pair in pairs):
        raise Invalid(_("Choose two players for each room."))
    if len(set(named)) < len(named):
        raise Invalid(_("You have chosen one player twice."))
    if not set(named) <= {player.pk for player in eligible(fixture, entry)}:
        raise Invalid(_("Choose players of %(team)s, or their substitutes in this match.") % {"team": entry})


def _write(
    actor: Actor, fixture: Fixture, entry: Entry, pairs: Pairs, *, at: datetime, has_stood: bool = False
) -> NamedPairs:
    (open_one, open_two), (closed_one, closed_two) = pairs
    row, _is_new = NamedPairs.objects.update_or_create(
        fixture=fixture,
        entry=entry,
        defaults={
            "open_one": open_one,
            "open_two": open_two,
            "closed_one": closed_one,
            "closed_two": closed_two,
            "has_stood": has_stood,
            "named_by": person(actor),
            "named_at": at,
        },
    )
    return row


def _open_rooms(actor: Actor, fixture: Fixture) -> None:
    """With both line-ups the rooms are there; where a director changed one of them, they are made again."""
    rows = fixture.named_pairs.select_related("open_one", "open_two", "closed_one", "closed_two")
    named = {row.entry_id: row for row in rows}
    if len(named) < len(fixture.entries):
        return
    try:
        fixture.rooms.delete()
    except ProtectedError as begun:
        raise Conflict(_("The match has begun: use a substitute instead.")) from begun
    # Locked, so that nobody is merged away while their pairs are made.
    locks.players([player.pk for row in named.values() for room in Room for player in row.pair_in(room)])
    home, away = fixture.entries
    # F60: the home team sits North-South in the open room, East-West in the closed one.
    made = meetings.meet(
        [
            _room(fixture, Room.OPEN, [(home, named[home.pk]), (away, named[away.pk])]),
            _room(fixture, Room.CLOSED, [(away, named[away.pk]), (home, named[home.pk])]),
        ]
    )
    competition = fixture.round.competition
    extension.layer().drawn(actor=SERVICE, competition=competition)
    telling.new_matches(
        actor=actor,
        competition=competition,
        fixtures=Fixture.with_rooms.filter(pk__in=[each.pk for each in made]).with_pairs().in_order(),
        why="rooms",
        match=str(fixture),
        path=fixture.get_absolute_url(),
    )


def _room(
    fixture: Fixture, room: Room, sides: Iterable[tuple[Entry, NamedPairs]]
) -> tuple[Fixture, list[Entry]]:
    planned = Fixture(
        division_id=fixture.division_id,
        round_id=fixture.round_id,
        starts_at=fixture.starts_at,
        place=fixture.place,
        table=fixture.table,
        team_match=fixture,
        room=room,
    )
    return planned, [_pair_of(team, row.pair_in(room)) for team, row in sides]


def _pair_of(team: Entry, players: Sequence[Player]) -> Entry:
    """The pair's own entry, for the rooms of its team."""
    club, keys = team.competition.club, sorted(player.pk for player in players)
    pair = lineups.find(club, keys) or partners.make(club, [(keys, "")])[0]
    found, _is_new = Entry.with_rooms.get_or_create(
        competition_id=team.competition_id,
        lineup=pair,
        defaults={"division_id": team.division_id, "team": team, "number": 0},
    )
    if found.team_id != team.pk:
        raise Conflict(_("%(pair)s have already played for another team.") % {"pair": pair})
    return found
