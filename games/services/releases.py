"""Cards made public: of a board when its last table has played it, of a whole set with its key, or by a director.

What is public stays public: a match that is reopened afterwards may still be corrected, and its cards stay where
everyone has seen them.
"""

from collections.abc import Collection
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import policies as games_policies
from games.models import Board, BoardSet, FixtureBoard
from games.selectors.board_sets import named
from games.services import board_analyses, board_cards, comparisons
from league import policies, sentences
from league.actors import Actor, System
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Competition, Fixture
from league.services import audit

log = structlog.get_logger(__name__)
Status = Fixture.Status
#: Matches that nobody plays do not keep a board waiting.
WITHOUT_PLAY = (Status.WALKOVER, Status.VOID)
SERVICE = System("Concertmaster")


@transaction.atomic
def release(*, actor: Actor, board_set: BoardSet, board: Board | None = None, reason: str) -> BoardSet:
    """A director makes the cards of a board public, or those of the whole set with its key, before all have played.

    Refused to a director who plays in the competition while the club has another one to do it.
    """
    board_set = _locked(board_set)
    policies.require(actor, "boards.release", board_set)
    if not games_policies.may_release_cards(actor, board_set):
        raise NotAllowed(
            _("You play in this competition: another director has to release the boards."),
            code="plays_himself",
        )
    if not reason.strip():
        raise Invalid(_("Please give a reason: everyone can read it."))
    if board_set.discarded_at is not None:
        raise Conflict(_("These boards were discarded."))
    chosen = Board.objects.filter(board_set=board_set, released_at=None)
    if board is not None:
        chosen = chosen.filter(pk=board.pk)
    if board_set.released_at is not None or not chosen.exists():
        raise Conflict(_("These cards are public already."))
    opened = board_cards.opened(board_set)
    _publish(actor, board_set, chosen, opened, reason=reason)
    if board is None:
        _open(actor, board_set, opened, reason=reason)
    return board_set


@transaction.atomic
def release_played(board: Board) -> bool:
    """Makes the board's cards public if its last table has played it; whether they are public now.

    Called in the transaction that confirms the last table's result. When it was the set's last board, its key is
    published, too.
    """
    board_set = _locked(board.board_set)
    _release_played(board_set, [board.pk])
    board.refresh_from_db(fields=["released_at", "deal"])
    return board.released_at is not None


@transaction.atomic
def release_all_played(*, board_set: BoardSet) -> None:
    """The same for all boards of a set, after something that may have made one ready."""
    board_set = _locked(board_set)
    _release_played(board_set, list(Board.objects.filter(board_set=board_set).values_list("pk", flat=True)))


def fixture_decided(*, fixture: Fixture) -> None:
    """The result of a match was confirmed: its boards may have been played by all."""
    for board_set in BoardSet.objects.filter(boards__plays__fixture=fixture, released_at=None).distinct():
        played = FixtureBoard.objects.filter(fixture=fixture, board__board_set=board_set)
        _release_played(_locked(board_set), list(played.values_list("board_id", flat=True)))


def ruled(*, actor: Any, fixture: Fixture, reason: str) -> None:  # noqa: ARG001 (what a listener is told)
    """A director has decided the match without play: others may have been the last to wait for."""
    fixture_decided(fixture=fixture)


def release_missed(*, limit: int = 50) -> int:
    """Makes up for what was missed when a last result came in, such as a key of the site that was not there."""
    ready = Board.objects.filter(_confirmed(), ~_waited_for(), released_at=None)
    chosen = BoardSet.objects.filter(Exists(ready.filter(board_set=OuterRef("pk"))), discarded_at=None)
    missed = [each for each in chosen[:limit] if board_cards.are_known(each)]
    for board_set in missed:
        release_all_played(board_set=board_set)
    return len(missed)


def waiting() -> QuerySet[FixtureBoard]:
    """The plays of boards whose match is still to be played or confirmed."""
    return FixtureBoard.objects.exclude(fixture__status__in=[Status.CONFIRMED, *WITHOUT_PLAY])


def _release_played(board_set: BoardSet, boards: Collection[int]) -> None:
    ready = Board.objects.filter(_confirmed(), ~_waited_for(), pk__in=boards, released_at=None)
    if board_set.released_at is not None or not ready.exists():
        return
    try:
        opened = board_cards.opened(board_set)
    except Conflict as missing:
        # The result counts all the same. The desk asks for what is missing; then this is made up for.
        log.warning("boards_not_released", board_set=board_set.pk, code=missing.code)
        return
    reason = _("All tables have played.")
    _publish(SERVICE, board_set, ready, opened, reason=reason)
    left = Board.objects.filter(board_set=board_set, released_at=None, plays__isnull=False)
    if not left.exists():
        _open(SERVICE, board_set, opened, reason=reason)


def _confirmed() -> Exists:
    return Exists(FixtureBoard.objects.filter(board=OuterRef("pk"), fixture__status=Status.CONFIRMED))


def _waited_for() -> Exists:
    return Exists(waiting().filter(board=OuterRef("pk")))


def _publish(
    actor: Actor, board_set: BoardSet, boards: QuerySet[Board], opened: board_cards.Opened, *, reason: str
) -> None:
    chosen = list(boards.select_for_update().order_by("number"))
    at = timezone.now()
    for board in chosen:
        board.deal, board.released_at = str(opened.cards[board.pk]), at
        board.save(update_fields=["deal", "released_at"])
    comparisons.bump(*chosen)
    _ask_for_analyses(board_set, chosen)
    numbers = ", ".join(str(board.number) for board in chosen)
    _tell(
        actor,
        "boards.released",
        sentences.gettext("%(set)s: public now: %(boards)s") % {"set": named(board_set), "boards": numbers},
        board_set,
        reason,
    )


def _open(actor: Actor, board_set: BoardSet, opened: board_cards.Opened, *, reason: str) -> None:
    """Publishes the secret; the boards that nobody played follow, for anybody can derive them now."""
    at = timezone.now()
    unplayed = list(Board.objects.filter(board_set=board_set, released_at=None))
    for board in unplayed:
        board.deal, board.released_at = str(opened.cards[board.pk]), at
        board.save(update_fields=["deal", "released_at"])
    _ask_for_analyses(board_set, unplayed)
    board_set.opened, board_set.released_at = opened.secret, at
    board_set.save(update_fields=["opened", "released_at"])
    _tell(
        actor,
        "boards.opened",
        sentences.gettext("%(set)s: key published") % {"set": named(board_set)},
        board_set,
        reason,
    )


def _ask_for_analyses(board_set: BoardSet, boards: Collection[Board]) -> None:
    for board in boards:
        board.board_set = board_set
    board_analyses.request(boards=boards)


def _locked(board_set: BoardSet) -> BoardSet:
    """The set as it is now, locked after its competition."""
    competition = (
        Competition.objects.select_for_update(of=("self",), no_key=True)
        .select_related("club")
        .get(pk=board_set.competition_id)
    )
    found: BoardSet = (
        BoardSet.objects.select_for_update(of=("self",)).select_related("round").get(pk=board_set.pk)
    )
    found.competition = competition
    return found


def _tell(actor: Actor, action: str, summary: sentences.Said, board_set: BoardSet, reason: str) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=summary,
        competition=board_set.competition,
        after={"board_set": board_set.pk},
        reason=reason,
    )
