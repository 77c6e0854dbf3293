"""What a match of two teams comes to: entered once its boards are public, and after each correction (F4, F66)."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.contest.teams import AVERAGES
from games import embargo
from games.comparisons.reckoning import teams
from games.models import Board, BoardAverage
from league import policies, validation
from league.actors import Actor, System, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Fixture
from league.words import sentences

SERVICE = System("Concertmaster")
LONGEST_REASON = 300


def settle(fixture: Fixture) -> None:
    """Enters what the match of this room, or this match, comes to; takes it back where it comes to nothing any more."""
    match = fixture.team_match or fixture
    if match.is_team_match:
        result = teams.result_of(match) if embargo.tells_team_score(match) else None
        fixtures.record_team_result(actor=SERVICE, fixture=match, result=result)


def boards_opened(boards: Iterable[Board]) -> None:
    """These boards have become public: matches of which no other stays shut have their result now."""
    rooms = Fixture.with_rooms.filter(
        boards__board__in=[board.pk for board in boards], team_match__isnull=False
    )
    keys = rooms.values("team_match").distinct()
    for match in Fixture.objects.filter(pk__in=keys).with_pairs().order_by("pk"):
        settle(match)


@transaction.atomic
def give_average(
    *, actor: Actor, fixture: Fixture, board: Board, imps: Collection[int], reason: str
) -> BoardAverage:
    """A board that can't be played is worth 3, 0 or -3 IMPs to each team, by who is at fault (F66)."""
    fixture, board = _locked(actor, fixture, board)
    home, away = _checked(imps)
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."))
    before = BoardAverage.objects.filter(fixture=fixture, board=board, revoked_at=None).first()
    if before is not None:
        _revoke(before)
    row = BoardAverage.objects.create(
        fixture=fixture,
        board=board,
        home=home,
        away=away,
        reason=validation.one_line(reason)[:LONGEST_REASON],
        made_by=person(actor),
        made_at=timezone.now(),
    )
    _tell(actor, fixture, board, before, row, row.reason)
    settle(fixture)
    return row


@transaction.atomic
def take_average_back(*, actor: Actor, fixture: Fixture, board: Board, reason: str) -> None:
    """The board counts as it was played again."""
    fixture, board = _locked(actor, fixture, board)
    row = BoardAverage.objects.filter(fixture=fixture, board=board, revoked_at=None).first()
    if row is None:
        raise Conflict(_("There is nothing to take back."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."))
    _revoke(row)
    _tell(actor, fixture, board, row, None, reason)
    settle(fixture)


def _locked(actor: Actor, fixture: Fixture, board: Board) -> tuple[Fixture, Board]:
    fixture = fixtures.locked(fixture)
    policies.require(actor, "team.average", fixture)
    fixtures.check_not_final(fixture)
    if not fixture.is_team_match:
        raise Conflict(_("This is for a match of two teams."))
    found = Board.objects.filter(plays__fixture__team_match=fixture, pk=board.pk).first()
    if found is None:
        raise Invalid(_("The match doesn’t play this board."))
    return fixture, found


def _checked(imps: Collection[int]) -> tuple[int, int]:
    given = tuple(imps)
    if len(given) != 2 or any(each not in AVERAGES for each in given):
        raise Invalid(_("A board that can’t be played is worth 3, 0 or -3 IMPs to each team."))
    return given[0], given[1]


def _revoke(row: BoardAverage) -> None:
    row.revoked_at = timezone.now()
    row.save(update_fields=["revoked_at"])


def _tell(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor,
    fixture: Fixture,
    board: Board,
    before: BoardAverage | None,
    after: BoardAverage | None,
    reason: str,
) -> None:
    said = sentences.gettext("Board %(number)d counts as it was played again") % {"number": board.number}
    if after is not None:
        said = sentences.gettext("Board %(number)d can’t be played: %(home)d and %(away)d IMPs") % {
            "number": board.number,
            "home": after.home,
            "away": after.away,
        }
    audit.record(
        actor=actor,
        action="team.average",
        summary=said,
        fixture=fixture,
        before=_facts(before),
        after=_facts(after),
        # Officials who still have to play the board read the trail, too.
        reason=reason if board.released_at else "",
    )


def _facts(row: BoardAverage | None) -> dict[str, Any] | None:
    return {"board": row.board_id, "home": row.home, "away": row.away} if row else None
