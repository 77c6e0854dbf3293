"""Writing down who has seen, or may have seen, a card of a board that others still have to play; and asking it.

Nobody sits down at a board whose cards they may know, unless a neutral director gives a reason that all can read.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import policies as games_policies
from games.fixture_boards import boards_of
from games.models import Board, BoardSet, FixtureBoard, Participation
from games.records.parsing import Reading
from league.actors import Actor, person
from league.errors import Conflict
from league.models import Competition, Entry, Fixture, Player, User

Kind = Participation.Kind
#: What keeps somebody from sitting down at a board.
KNOWING = (Kind.PLAYED, Kind.DREW, Kind.DEALT, Kind.SHOWN)


def sealed_plays(fixture: Fixture) -> list[FixtureBoard]:
    """What the match plays of boards that are not public."""
    plays = FixtureBoard.objects.filter(fixture=fixture, board__released_at=None)
    return list(plays.select_related("board__board_set").order_by("position"))


def check(*, fixture: Fixture, players: Sequence[Player]) -> None:
    """Raises Conflict where one of these players may know a card of the match's sealed boards from elsewhere."""
    boards = [play.board for play in sealed_plays(fixture)]
    for player in players if boards else ():
        if _knows(player, boards, fixture) and not _is_allowed(player, fixture):
            raise Conflict(
                _(
                    "%(name)s may already know cards of these boards. A director who isn’t playing "
                    "in this event can allow it. Everyone can read the reason."
                )
                % {"name": player},
                code="knows_cards",
            )


def check_joining(*, competition: Competition, players: Sequence[Player]) -> None:
    """The same for a pair that joins an event: of every board in it that is still sealed."""
    sealed = Board.objects.filter(
        board_set__competition=competition, board_set__discarded_at=None, released_at=None
    )
    boards = list(sealed.select_related("board_set"))
    for player in players if boards else ():
        if _knows(player, boards, None):
            raise Conflict(
                _("%(name)s may already know cards of this event’s boards.") % {"name": player},
                code="knows_cards",
            )


def of_player(player: Player) -> QuerySet[Participation]:
    """Every row of this person: of the player, of those merged into one, and of each account it ever had."""
    linked = Participation.objects.filter(kind=Kind.LINKED)
    accounts = {player.user_id} | set(linked.filter(player=player).values_list("user", flat=True))
    accounts.discard(None)
    keys = {player.pk, player.merged_into_id or player.pk}
    keys |= set(Player.objects.filter(merged_into__in=keys).values_list("pk", flat=True))
    keys |= set(linked.filter(user__in=accounts).values_list("player", flat=True))
    found: QuerySet[Participation] = Participation.objects.filter(Q(player__in=keys) | Q(user__in=accounts))
    return found


def _knows(player: Player, boards: Sequence[Board], fixture: Fixture | None) -> bool:
    sets = {board.board_set_id for board in boards}
    of_boards = Q(board__in=[board.pk for board in boards]) | Q(board=None, board_set__in=sets)
    rows = of_player(player).filter(of_boards, kind__in=KNOWING)
    if fixture is not None:
        rows = rows.exclude(kind=Kind.PLAYED, fixture=fixture)
    if fixture is not None and _is_regular(player, fixture):
        # All four have read their match's sheet. A lone director deals, and plays in their own pair.
        rows = rows.exclude(kind=Kind.SHOWN, fixture=fixture).exclude(kind=Kind.DEALT)
    return rows.exists()


def _is_regular(player: Player, fixture: Fixture) -> bool:
    return any(player.pk == each.pk for entry in fixture.entries for each in entry.lineup.players)


def _is_allowed(player: Player, fixture: Fixture) -> bool:
    return Participation.objects.filter(kind=Kind.ALLOWED, fixture=fixture, player=player).exists()


def entered(*, actor: Actor, fixture: Fixture, reading: Reading, at: datetime) -> None:
    """A sheet was entered: who stands on it has played the boards, and those who typed it for others were shown it."""
    plays = sealed_plays(fixture)
    for player in reading.seating.players.values() if plays else ():
        _write(Kind.PLAYED, plays, fixture, player=player, user=player.user, at=at)
    judged(actor=actor, fixture=fixture, at=at)


def judged(*, actor: Actor, fixture: Fixture, at: datetime, boards: Collection[int] | None = None) -> None:
    """Somebody has had before them what was made of these boards of the match: of all of them, where none are named.

    A row for each that they have not played there themselves: also for a player in whose place a substitute played.
    """
    user = person(actor)
    if user is None or not boards_of(fixture):
        return
    plays = [each for each in sealed_plays(fixture) if boards is None or each.board_id in boards]
    if not plays:
        return
    theirs = Q(user=user) | Q(player__user=user) | Q(player__merged_into__user=user)
    played = Participation.objects.filter(theirs, kind=Kind.PLAYED, fixture=fixture)
    own = set(played.values_list("board", flat=True))
    _write(Kind.SHOWN, [each for each in plays if each.board_id not in own], fixture, user=user, at=at)


def drew(*, actor: Actor, board_set: BoardSet, reason: str) -> None:
    """Somebody has all cards of a set: taken out of the site, or brought to it.

    Where the club lets its one director deal and play, and nobody neutral could have done it instead, the row says
    so: it keeps them from no board of their own pair. The club's page says of each such set that who dealt it plays.
    """
    user, competition = person(actor), board_set.competition
    if user is not None:
        is_alone = competition.club.lone_director_deals and not games_policies.has_neutral(
            competition, beside=user
        )
        Participation.objects.create(
            kind=Kind.DEALT if is_alone else Kind.DREW,
            competition=competition,
            board_set=board_set,
            user=user,
            reason=reason[:300],
            at=timezone.now(),
        )


def dealt(*, fixture: Fixture, board: Board, seated: Iterable[tuple[Player | None, User | None]]) -> None:
    """These people see cards of the board now, at a table in the browser."""
    plays = FixtureBoard.objects.filter(fixture=fixture, board=board).select_related("board__board_set")
    for player, user in seated:
        if user is not None:
            _write(Kind.PLAYED, list(plays), fixture, player=player, user=user, at=timezone.now())


def substituted(*, actor: Actor, fixture: Fixture, substitute: Player, reason: str) -> None:
    """Somebody was named to play in another's place: written down, or refused if they may know the cards."""
    plays = sealed_plays(fixture)
    boards = [play.board for play in plays]
    if boards and (_knows(substitute, boards, fixture) or _has_to_play(substitute, boards, fixture)):
        if not games_policies.is_neutral(actor, fixture.round.competition) or not reason.strip():
            raise Conflict(
                _(
                    "%(name)s may know cards of these boards, or still has to play them elsewhere. A "
                    "director who isn’t playing in this event can allow it. Everyone can read the "
                    "reason."
                )
                % {"name": substitute},
                code="knows_cards",
            )
        _one(Kind.ALLOWED, fixture, substitute, reason)
    _one(Kind.NAMED, fixture, substitute, reason)


def seated(*, competition: Competition, players: Iterable[Player]) -> None:
    """A pair was put to play in an event under way: its players stay players, also when that is undone."""
    Participation.objects.bulk_create(
        Participation(
            kind=Kind.NAMED, competition=competition, player=player, user=player.user, at=timezone.now()
        )
        for player in players
    )


def linked(*, player: Player, user: User) -> None:
    """An account is, or was, a player's: what the one has seen the other has."""
    if not Participation.objects.filter(kind=Kind.LINKED, player=player, user=user).exists():
        Participation.objects.create(kind=Kind.LINKED, player=player, user=user, at=timezone.now())


def _one(kind: str, fixture: Fixture, player: Player, reason: str) -> None:
    Participation.objects.create(
        kind=kind,
        competition=fixture.round.competition,
        fixture=fixture,
        player=player,
        user=player.user,
        reason=reason.strip()[:300],
        at=timezone.now(),
    )


def _has_to_play(player: Player, boards: Collection[Board], fixture: Fixture) -> bool:
    theirs = Fixture.with_rooms.open().of_entries(Entry.with_rooms.of_player(player)).exclude(pk=fixture.pk)
    return FixtureBoard.objects.filter(fixture__in=theirs, board__in=boards).exists()


def _write(
    kind: str,
    plays: Sequence[FixtureBoard],
    fixture: Fixture,
    *,
    at: datetime,
    user: User | None = None,
    player: Player | None = None,
) -> None:
    """A row for each board, once for each person and match."""
    there = Participation.objects.filter(kind=kind, fixture=fixture, player=player, user=user)
    known = set(there.values_list("board", flat=True)) if plays else set()
    Participation.objects.bulk_create(
        Participation(
            kind=kind,
            competition_id=play.board.board_set.competition_id,
            board_set_id=play.board.board_set_id,
            board=play.board,
            fixture=fixture,
            player=player,
            user=user,
            at=at,
        )
        for play in plays
        if play.board_id not in known
    )
