"""Who may see what of a board that others still have to play. Pages, API, exports and sockets all ask here.

Cards derived from a seal reach nobody before the board's release but through here, and a deal's record at a table
neither. What is asked is a person and boards; whether the person sees the competition at all is league.policies'.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games import links
from games.fixture_boards import boards_of
from games.models import Board, FixtureBoard, Participation
from league import policies
from league.actors import Visitor
from league.models import Competition, Entry, Fixture, Player, Substitution, User

#: What two pairs play together at least (ADR 0401): a match's points are public at once, and those of a single board
#: would tell how it went while others still have to play it.
FEWEST_BOARDS = 2


class Sight(IntEnum):
    """How much somebody sees of a board, or of a table's play of it; more includes less."""

    NOTHING = 0
    """Number and dealer; nothing of the cards, and nothing that was done with them."""
    SHEET = 1
    """What their own sheet says of it, which counts; no card beside. It is not proven that the board was played."""
    OWN = 2
    """The cards, and what was done with them at the person's own table."""
    FIELD = 3
    """Everything: all tables, comparison, replay."""


def sight(*, visitor: Visitor, plays: Iterable[FixtureBoard]) -> Mapping[int, Sight]:
    """What the visitor sees of each of these tables' plays of a board, by the play's key.

    Sight.OWN is said of the tables that the visitor has proof of having played at, Sight.SHEET of those that count
    without; of another table of the same board it is NOTHING until the release. Five queries, whatever the number.
    """
    asked = list(plays)
    boards = {play.board_id for play in asked}
    released = _released(boards)
    own = _own(visitor, boards - released)
    found = {}
    for play in asked:
        if play.board_id in released:
            found[play.pk] = Sight.FIELD
        else:
            found[play.pk] = own.get(play.board_id, {}).get(play.fixture_id, Sight.NOTHING)
    return found


def board_sights(*, visitor: Visitor, boards: Iterable[Board]) -> Mapping[int, Sight]:
    """What the visitor sees of the cards of each board, by its key: OWN once it is proven that they played it."""
    keys = {board.pk for board in boards}
    released = _released(keys)
    own = _own(visitor, keys - released)
    return {key: _of_board(key, released, own) for key in keys}


def board_sight(*, visitor: Visitor, board: Board) -> Sight:
    """The same of one board."""
    return board_sights(visitor=visitor, boards=[board])[board.pk]


def _of_board(key: int, released: Collection[int], own: Mapping[int, Mapping[int, Sight]]) -> Sight:
    if key in released:
        return Sight.FIELD
    return Sight.OWN if Sight.OWN in own.get(key, {}).values() else Sight.NOTHING


def sees_sheets(*, visitor: Visitor, fixture: Fixture) -> bool:
    """Whether the visitor may see the deals of scoresheets that were entered for this match.

    Everyone when all its boards are released, or when it plays none. Before: who plays in the match, and officials
    who play nowhere in the competition, for these judge sheets. Not somebody who still has to play one of the boards
    at another table, and has not sat at this one.
    """
    boards = {play.board_id for play in boards_of(fixture)}
    sealed = boards - _released(boards)
    if not sealed:
        return True
    if not isinstance(visitor, User):
        return False
    if policies.plays_in(visitor, fixture):
        if _came_after(visitor, [fixture.pk]):
            return False
        return _sits(visitor, fixture) or not _has_to_play(visitor, sealed).exclude(fixture=fixture).exists()
    return policies.scorer(visitor, fixture) and not plays_in_event(visitor, fixture.round.competition)


def sees_sheets_of(*, visitor: Visitor, fixtures: Iterable[Fixture]) -> Mapping[int, bool]:
    """The same for several matches by their keys: one query, one for each event, and three for each own match."""
    asked = list(fixtures)
    sealed = FixtureBoard.objects.filter(fixture__in=[each.pk for each in asked], board__released_at=None)
    closed = set(sealed.values_list("fixture_id", flat=True)) if asked else set()
    judges: dict[int, bool] = {}
    found = {}
    for each in asked:
        if each.pk not in closed:
            found[each.pk] = True
        elif policies.plays_in(visitor, each):
            found[each.pk] = sees_sheets(visitor=visitor, fixture=each)
        else:
            event = each.round.competition
            if event.pk not in judges:
                judges[event.pk] = policies.scorer(visitor, each) and not plays_in_event(visitor, event)
            found[each.pk] = judges[event.pk]
    return found


def tells_team_score(match: Fixture) -> bool:
    """Whether net, IMPs and victory points of a team match may be told to everybody: all its boards are public (F4).

    A match without rooms has nothing to tell.
    """
    plays = FixtureBoard.objects.filter(fixture__team_match=match)
    return plays.exists() and not plays.filter(board__released_at=None).exists()


def plays_in_event(user: Visitor, competition: Competition) -> bool:
    """Whether this account has played anywhere in the competition, plays there, or could be put back; in one query.

    Those who once took part stay players: an official could take their own name out, read what the others did, and come
    back: a pair that withdrew, a substitute whose appointment was cancelled while the boards are sealed, a pair that
    joined an evening late and had that undone, and an account that was taken off a player.
    """
    return isinstance(user, User) and _players_in(competition).filter(_belongs_to([user.pk])).exists()


def takes_part(player: Player, competition: Competition) -> bool:
    """The same of a player, with or without an account."""
    return _players_in(competition).filter(Q(pk=player.pk) | Q(merged_into=player)).exists()


def players_among(accounts: Collection[int], competition: Competition) -> frozenset[int]:
    """Those of these accounts, by key, for which `plays_in_event` is true; in two queries."""
    if not accounts:
        return frozenset()
    players = _players_in(competition).filter(_belongs_to(accounts))
    playing = {
        key: (user, merged) for key, user, merged in players.values_list("pk", "user", "merged_into__user")
    }
    linked = _linked(accounts).filter(player__in=playing).values_list("user", flat=True) if playing else ()
    found = {user for both in playing.values() for user in both if user is not None}
    return frozenset(accounts) & {*found, *linked}


def doubts(user: User, fixture: Fixture, entry: Entry) -> frozenset[int]:
    """The accounts on whose word this one speaks for the pair, of people who take part in the event for another."""
    return players_among(links.words(user.pk, fixture, entry), fixture.round.competition)


def belonged_to_match(user: User, fixture: Fixture) -> bool:
    """Whether this account is, or was, that of a player of one of the match's sides, or of one named to stand in."""
    players = {player.pk for entry in fixture.entries for player in entry.lineup.players}
    players |= {each.substitute_id for each in fixture.substitutions.all()}
    named = Participation.objects.filter(fixture=fixture, player__isnull=False)
    players |= set(named.values_list("player_id", flat=True))
    return Player.objects.filter(_belongs_to([user.pk]), pk__in=players).exists()


def _players_in(competition: Competition) -> QuerySet[Player]:
    entries = Entry.with_rooms.filter(competition=competition)
    stand_ins = Substitution.objects.filter(fixture__round__stage__competition=competition)
    took_part = Participation.objects.filter(competition=competition)
    sealed = FixtureBoard.objects.filter(fixture=OuterRef("fixture"), board__released_at=None)
    named = took_part.filter(Q(fixture=None) | Exists(sealed), kind=Participation.Kind.NAMED)
    return Player.objects.filter(
        Q(pk__in=entries.values("lineup__members__player"))
        | Q(pk__in=stand_ins.values("substitute"))
        | Q(pk__in=took_part.filter(kind=Participation.Kind.PLAYED).values("player"))
        | Q(pk__in=named.values("player"))
    )


def _belongs_to(accounts: Collection[int]) -> Q:
    """Players that are one of these accounts, or were, also by way of a player who was merged into another."""
    return (
        Q(user__in=accounts)
        | Q(merged_into__user__in=accounts)
        | Q(pk__in=_linked(accounts).values("player"))
    )


def _linked(accounts: Collection[int]) -> QuerySet[Participation]:
    """That these accounts were somebody's, also if they were taken off since."""
    found: QuerySet[Participation] = Participation.objects.filter(
        kind=Participation.Kind.LINKED, user__in=list(accounts)
    )
    return found


def _released(boards: Collection[int]) -> set[int]:
    if not boards:
        return set()
    return set(Board.objects.filter(pk__in=boards, released_at__isnull=False).values_list("pk", flat=True))


def _own(visitor: Visitor, boards: Collection[int]) -> dict[int, dict[int, Sight]]:
    """By board, the visitor's own matches with it that count; no board that is still to be played somewhere."""
    if not boards or not isinstance(visitor, User):
        return {}
    found: dict[int, dict[int, Sight]] = {}
    ahead = set()
    plays = list(
        _of_player(visitor, boards).values_list("board_id", "fixture_id", "fixture__status", "is_proven")
    )
    before = _came_after(visitor, {fixture for _board, fixture, *_more in plays})
    for board, fixture, status, is_proven in plays:
        if status == Fixture.Status.CONFIRMED:
            if fixture in before:
                continue
            found.setdefault(board, {})[fixture] = Sight.OWN if is_proven else Sight.SHEET
        elif status not in {Fixture.Status.WALKOVER, Fixture.Status.VOID}:
            ahead.add(board)
    return {board: fixtures for board, fixtures in found.items() if board not in ahead}


def _came_after(user: User, fixtures: Collection[int]) -> set[int]:
    """Of these matches of the person's, those whose result was entered before the account was its player's, by the word
    of somebody who takes part in the event: what was played then is not for this account to read."""
    since = links.linked_since(user.pk)
    if not since or not fixtures:
        return set()
    entered = Fixture.with_rooms.filter(pk__in=fixtures, match__sheets__verdict="confirmed")
    found = set()
    for fixture in entered.with_pairs().annotate(entered_at=F("match__sheets__entered_at")):
        linked = since.get(fixture.round.competition.club_id)
        entry = policies.entry_of(user, fixture)
        if linked and entry and fixture.entered_at < linked and doubts(user, fixture, entry):
            found.add(fixture.pk)
    return found


def _has_to_play(user: User, boards: Collection[int]) -> QuerySet[FixtureBoard]:
    return _of_player(user, boards).exclude(
        fixture__status__in=[Fixture.Status.CONFIRMED, Fixture.Status.WALKOVER, Fixture.Status.VOID]
    )


def _of_player(user: User, boards: Collection[int]) -> QuerySet[FixtureBoard]:
    """The plays of these boards in which this person sits: for their own pair, or in somebody's place."""
    own = Q(fixture__in=Fixture.with_rooms.of_entries(Entry.with_rooms.of_user(user)))
    of_fixture = Substitution.objects.filter(fixture=OuterRef("fixture"))
    stands_in = Exists(of_fixture.filter(substitute__user=user))
    is_absent = Exists(of_fixture.filter(absent__user=user))
    return FixtureBoard.objects.filter((own & ~Q(is_absent)) | Q(stands_in), board__in=boards)


def _sits(user: User, fixture: Fixture) -> bool:
    absent = {each.absent_id for each in fixture.substitutions.all()}
    regulars = [player for entry in fixture.entries for player in entry.lineup.players]
    stand_ins = [each.substitute for each in fixture.substitutions.all()]
    sitting = [player for player in regulars if player.pk not in absent] + stand_ins
    return any(player.user_id == user.pk for player in sitting)
