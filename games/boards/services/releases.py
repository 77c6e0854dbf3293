"""Cards made public: of a board when its last table has played it, of a whole set with its key, or by a director.

What is public stays public: a match that is reopened afterwards may still be corrected, and its cards stay where
everyone has seen them.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import board_cards, embargo, locks
from games import policies as games_policies
from games.analysis.services import analyses
from games.analysis.services import boards as board_analyses
from games.boards.queries import extra
from games.boards.queries.sets import named
from games.comparisons.services import comparisons, team_results
from games.fixture_boards import boards_of, keeping_shut
from games.models import Board, BoardConsent, BoardSet, Duplicate, FixtureBoard, Ruling
from games.proof import vouches
from league import formats, policies
from league import locks as league_locks
from league.actors import Actor, System, person
from league.audit.services import audit
from league.background import sweeps
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures, telling
from league.models import Fixture, Round
from league.notices import events
from league.querysets import OPEN
from league.words import sentences

log = structlog.get_logger(__name__)
Status = Fixture.Status
Settled = FixtureBoard.Settled
#: Matches that nobody plays do not keep a board waiting.
WITHOUT_PLAY = (Status.WALKOVER, Status.VOID)
#: Days after a round for which a team match keeps its boards shut that was decided by somebody who plays.
USUAL_WAIT = 14
SERVICE = System("Concertmaster")
_OF_ROUND = ("stage__competition__club", "stage__competition__duplicate")


@transaction.atomic
def release(*, actor: Actor, board_set: BoardSet, board: Board | None = None, reason: str) -> BoardSet:
    """A director makes the cards of a board public, or those of the whole set with its key, before all have played.

    Refused to everyone who plays in the competition.
    """
    board_set = locks.board_set(board_set)
    policies.require(actor, "boards.release", board_set)
    if not reason.strip():
        raise Invalid(_("Please give a reason. Everyone can read it."))
    if board_set.discarded_at is not None:
        raise Conflict(_("These boards were discarded."))
    chosen = Board.objects.filter(board_set=board_set, released_at=None)
    if board is not None:
        chosen = chosen.filter(pk=board.pk)
    if board_set.released_at is not None or not chosen.exists():
        raise Conflict(_("These cards are already public."))
    if board is None and extra.are_waited_for(board_set):
        raise Conflict(
            _("A match of this round is level and plays on with the reserve boards. Decide it first.")
        )
    if board is not None and _held_back(chosen):
        raise Conflict(
            _(
                "If you release this board, only one board of a match stays closed, and the total of "
                "the match would show how it went. Release all boards, or wait for the other one."
            ),
            code="tells_points",
        )
    opened = board_cards.opened(board_set)
    _publish(actor, board_set, chosen, opened, reason=reason)
    if board is None:
        _open(actor, board_set, opened, reason=reason)
    return board_set


@transaction.atomic
def release_all_played(*, board_set: BoardSet) -> None:
    """Makes the cards of a set's boards public that their last table has played, after something that may have made one
    ready. With the last board the set's key is published, too.
    """
    _release_played(locks.board_set(board_set))


def fixture_decided(*, fixture: Fixture) -> None:
    """The result of a match was confirmed: its boards may have been played by all."""
    sets = BoardSet.objects.filter(boards__plays__fixture=fixture, released_at=None).distinct()
    for board_set in sets if boards_of(fixture) else ():
        _release_played(locks.board_set(board_set))
    team_results.settle(fixture)


def tie_decided(*, fixture: Fixture) -> None:
    """A level match of a knock-out is decided: the reserve boards of its round may be needed no longer (F45)."""
    for board_set in BoardSet.objects.filter(round=fixture.round_id, discarded_at=None, released_at=None):
        release_all_played(board_set=board_set)


def ruled(*, actor: Any, fixture: Fixture, reason: str) -> None:  # noqa: ARG001 (what a listener is told)
    """A director has decided the match without play, or takes that back: others may have been the last to wait for.

    The ruling of somebody who plays in the event counts, but opens no board: that takes a neutral official's word,
    the consent of every side of the match, or time.
    """
    competition = fixture.round.competition
    if not Duplicate.objects.filter(competition=competition).exists():
        return
    is_neutral = games_policies.is_neutral(actor, competition)
    Ruling.objects.create(
        fixture=fixture,
        status=fixture.status,
        actor=person(actor),
        is_neutral=is_neutral,
        at=timezone.now(),
    )
    BoardConsent.objects.filter(fixture=fixture).delete()
    opens = fixture.status in WITHOUT_PLAY and is_neutral
    settle(fixture=fixture, settled=Settled.NEUTRAL if opens else "")
    fixture_decided(fixture=fixture)


def settle(*, fixture: Fixture, settled: str) -> None:
    """Says why the match keeps its boards shut no longer; "" where it does. Its fixture is locked."""
    FixtureBoard.objects.filter(fixture=fixture).update(settled=settled)


def settled_by_rulings(fixtures: Iterable[Fixture]) -> Mapping[int, str]:
    """Of matches that were decided without play before they got boards: those that a neutral official decided."""
    decided = [each.pk for each in fixtures if each.status in WITHOUT_PLAY]
    latest = dict(
        Ruling.objects.filter(fixture__in=decided).order_by("pk").values_list("fixture", "is_neutral")
    )
    return {key: str(Settled.NEUTRAL) for key, is_neutral in latest.items() if is_neutral}


@transaction.atomic
def vouch(*, actor: Actor, fixture: Fixture, reason: str) -> None:
    """A neutral official says that a decided match need not keep its boards shut any longer."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "boards.settle", fixture)
    if not games_policies.is_neutral(actor, fixture.round.competition):
        raise NotAllowed(_("You’re playing in this event. A director who isn’t has to decide this."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. Everyone can read it."))
    _check_keeps_shut(fixture)
    said = sentences.gettext("A neutral official opens the boards of this match")
    open_for(actor=actor, fixture=fixture, settled=Settled.NEUTRAL, summary=said, reason=reason)


@transaction.atomic
def consent(*, actor: Actor, fixture: Fixture) -> bool:
    """A side of a decided match agrees that its boards may open; gives whether all sides have now."""
    fixture = fixtures.locked(fixture)
    entry, user = vouches.side_for(actor, fixture), person(actor)
    if entry is None or user is None:
        raise NotAllowed(_("Only players of this match can agree to that."))
    _check_keeps_shut(fixture)
    if embargo.doubts(user, fixture, entry):
        raise NotAllowed(
            _(
                "Someone else who is playing in this event vouched for you in this pair. Your "
                "partner, or a director who isn’t playing, has to agree."
            )
        )
    BoardConsent.objects.get_or_create(
        fixture=fixture, entry=entry, defaults={"actor": user, "at": timezone.now()}
    )
    given = set(BoardConsent.objects.filter(fixture=fixture).values_list("entry", flat=True))
    said = sentences.gettext("%(pair)s agree that the boards may open") % {"pair": entry}
    if given >= {each.pk for each in vouches.sides_of(fixture)}:
        open_for(actor=actor, fixture=fixture, settled=Settled.CONSENT, summary=said)
        return True
    audit.record(actor=actor, action="boards.consented", summary=said, fixture=fixture)
    return False


def open_for(
    *, actor: Actor, fixture: Fixture, settled: str, summary: sentences.Said, reason: str = ""
) -> None:
    """The match keeps its boards shut no longer: the trail says by whose word. The fixture is locked."""
    settle(fixture=fixture, settled=settled)
    audit.record(
        actor=actor,
        action="boards.settled",
        summary=summary,
        fixture=fixture,
        after={"settled": settled},
        reason=reason,
    )
    fixture_decided(fixture=fixture)


def _check_keeps_shut(fixture: Fixture) -> None:
    if not keeping_shut().filter(fixture=fixture).exists():
        raise Conflict(_("This match has no closed boards."))


def open_overdue(*, at: datetime, most: int = sweeps.MOST_AT_ONCE) -> int:
    """Opens what has waited long enough after the last day of its round; gives how many matches.

    Those whose time has not come are not among the rows: so many of them would leave no place to the others.
    """
    waits = keeping_shut().filter(fixture__round__closes_at__lt=at)
    rounds = Round.objects.filter(pk__in=waits.values("fixture__round"))
    due = [each.pk for each in rounds.select_related(*_OF_ROUND) if _is_overdue(each, at)]
    return sweeps.run(
        work="boards overdue",
        rows=Fixture.with_rooms.filter(pk__in=waits.values("fixture"), round__in=due).order_by(
            "round__closes_at", "pk"
        ),
        do=lambda key: _open_if_overdue(Fixture.with_rooms.with_pairs().get(pk=key), at),
        at=at,
        most=most,
    )


def _is_overdue(played: Round, at: datetime) -> bool:
    competition = played.competition
    zone = ZoneInfo(competition.club.time_zone)
    passed = at.astimezone(zone).date() - played.closes_at.astimezone(zone).date()
    return passed.days > competition.duplicate.open_after_days


@transaction.atomic
def _open_if_overdue(fixture: Fixture, at: datetime) -> bool:
    fixture = fixtures.locked(fixture)
    played = Round.objects.select_related(*_OF_ROUND).get(pk=fixture.round_id)
    if not _is_overdue(played, at) or not keeping_shut().filter(fixture=fixture).exists():
        return False
    days = played.competition.duplicate.open_after_days
    said = sentences.gettext("%(days)d days after the end of the round the boards may be opened") % {
        "days": days
    }
    open_for(actor=SERVICE, fixture=fixture, settled=Settled.TIME, summary=said)
    return True


def release_missed(*, at: datetime) -> int:
    """Makes up for what was missed when a last result came in, such as a key of the site that was not there."""
    played = Exists(_played().filter(board_set=OuterRef("pk")))
    of_cups = Q(round__stage__format=formats.KNOCKOUT, released_at=None)
    chosen = BoardSet.objects.filter(played | of_cups, discarded_at=None)
    known = [
        each.pk
        for each in chosen
        if (_ready(each).exists() or _keeps_only_its_key(each)) and board_cards.are_known(each)
    ]
    return sweeps.run(
        work="boards to release",
        rows=BoardSet.objects.filter(pk__in=known).order_by("pk"),
        do=_release_all_of,
        at=at,
    )


def _release_all_of(board_set_id: int) -> bool:
    release_all_played(board_set=BoardSet.objects.get(pk=board_set_id))
    return True


def waiting() -> QuerySet[FixtureBoard]:
    """The plays of boards whose match is still to be played or confirmed, or was not decided so that they may open."""
    undecided = ~Q(fixture__status__in=[Status.CONFIRMED, *WITHOUT_PLAY])
    return FixtureBoard.objects.filter(undecided | Q(settled=""))


def held_back(board_set: BoardSet) -> QuerySet[Board]:
    """The boards of the set that all have played, and that stay shut until others of the same match open, too."""
    played = _played().filter(board_set=board_set)
    found: QuerySet[Board] = played.filter(pk__in=_held_back(played)).order_by("number")
    return found


def _ready(board_set: BoardSet) -> QuerySet[Board]:
    played = _played().filter(board_set=board_set)
    found: QuerySet[Board] = played.exclude(pk__in=_held_back(played))
    return found


def _held_back(boards: QuerySet[Board]) -> set[int]:
    """Those of these boards that cannot be made public now, for just one board of a match would stay shut.

    The total of a match is public, and so are the points of its open boards: the one that is left would be known. Each
    that waits can keep others waiting. Matches that are decided without play have no total.
    """
    opening = set(boards.values_list("pk", flat=True))
    shut: dict[int, set[int]] = {}
    plays = FixtureBoard.objects.filter(board__released_at=None, fixture__boards__board__in=opening)
    for fixture, board in plays.exclude(fixture__status__in=WITHOUT_PLAY).values_list("fixture", "board"):
        shut.setdefault(fixture, set()).add(board)
    held: set[int] = set()
    while more := {board for each in shut.values() if len(each - opening) == 1 for board in each & opening}:
        held |= more
        opening -= more
    return held


def _release_played(board_set: BoardSet) -> None:
    """Publishes what all have played: also boards that had to wait for others."""
    ready = _ready(board_set)
    if board_set.released_at is not None or not (ready.exists() or _keeps_only_its_key(board_set)):
        return
    try:
        opened = board_cards.opened(board_set)
    except Conflict as missing:
        # The result counts all the same. The desk asks for what is missing; then this is made up for.
        log.warning("boards_not_released", board_set=board_set.pk, code=missing.code)
        return
    reason = _("All tables have played.")
    if ready.exists():
        _publish(SERVICE, board_set, ready, opened, reason=reason)
    left = Board.objects.filter(board_set=board_set, released_at=None, plays__isnull=False)
    # The points of a match of teams are known only now.
    if not left.exists() and not extra.are_waited_for(board_set):
        _open(SERVICE, board_set, opened, reason=reason)


def _keeps_only_its_key(board_set: BoardSet) -> bool:
    """Whether the boards that tables play are public, and those that a level match may have needed wait no longer."""
    boards = Board.objects.filter(board_set=board_set, plays__isnull=False)
    if not extra.wanted_for(board_set.round) or not boards.exists():
        return False
    return not boards.filter(released_at=None).exists() and not extra.are_waited_for(board_set)


def _played() -> QuerySet[Board]:
    """The sealed boards that somebody has played, and that nobody still has to play."""
    found: QuerySet[Board] = Board.objects.filter(_confirmed(), ~_waited_for(), ~_waited_for_by_teams())
    return found.filter(released_at=None)


def _confirmed() -> Exists:
    return Exists(FixtureBoard.objects.filter(board=OuterRef("pk"), fixture__status=Status.CONFIRMED))


def _waited_for() -> Exists:
    return Exists(waiting().filter(board=OuterRef("pk")))


def _waited_for_by_teams() -> Exists:
    """Whether a team match of the board's round has no rooms yet: its players will play the board.

    One that was decided without play waits no longer if a neutral official decided it, or after the usual time.
    """
    rooms = Fixture.with_rooms.filter(team_match=OuterRef("pk"))
    rulings = Ruling.objects.filter(fixture=OuterRef("pk")).order_by("-pk").values("is_neutral")[:1]
    late = timezone.now() - timedelta(days=USUAL_WAIT)
    keeps_shut = Q(status__in=OPEN) | (Q(round__closes_at__gte=late) & ~Q(is_settled=True))
    matches = Fixture.objects.filter(
        ~Exists(rooms), round=OuterRef("board_set__round"), round__stage__competition__team_method__gt=""
    )
    return Exists(matches.annotate(is_settled=Subquery(rulings)).filter(keeps_shut))


def _publish(
    actor: Actor, board_set: BoardSet, boards: QuerySet[Board], opened: board_cards.Opened, *, reason: str
) -> None:
    chosen = sorted(league_locks.take(boards), key=lambda board: board.number)
    at = timezone.now()
    for board in chosen:
        board.deal, board.released_at = str(opened.cards[board.pk]), at
        board.save(update_fields=["deal", "released_at"])
    comparisons.bump(*chosen)
    team_results.boards_opened(chosen)
    _tell_players(board_set, chosen)
    analyses.released(boards=chosen)
    _ask_for_analyses(board_set, chosen)
    numbers = ", ".join(str(board.number) for board in chosen)
    _tell(
        actor,
        "boards.released",
        sentences.gettext("%(set)s: public now: %(boards)s") % {"set": named(board_set), "boards": numbers},
        board_set,
        reason,
    )


def _tell_players(board_set: BoardSet, boards: Collection[Board]) -> None:
    """Those who played these boards can compare now: once all boards of their match are public, on an evening all."""
    competition = board_set.competition
    plays = FixtureBoard.objects.filter(fixture__status=Status.CONFIRMED)
    shut = FixtureBoard.objects.filter(board__released_at=None).exclude(fixture__status__in=WITHOUT_PLAY)
    if competition.stage.is_league:
        shut = shut.filter(fixture=OuterRef("fixture"))
    else:
        shut = shut.filter(fixture__division__stage__competition=competition)
    open_now = plays.filter(~Exists(shut), board__in=boards)
    if not competition.stage.is_league:
        open_now = plays.filter(~Exists(shut), board__board_set=board_set)
    matches = Fixture.with_rooms.filter(pk__in=open_now.values("fixture")).with_pairs().in_order()
    said = {
        entry.pk: {
            "match": str(fixture) if competition.stage.is_league else "",
            "path": reverse("scorecard", args=[competition.club.slug, competition.slug, entry.pk]),
        }
        for fixture in matches
        for entry in fixture.entries
    }
    rounds = sorted({fixture.round_id for fixture in matches}) if competition.stage.is_league else []
    about = f"{competition.pk} {rounds or board_set.pk}"[:80]
    # Who entered the last result opens them, too, without meaning to.
    telling.tell_entries(
        actor=SERVICE, event=events.BOARDS_OPEN, competition=competition, said=said, about=about
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


def _tell(actor: Actor, action: str, summary: sentences.Said, board_set: BoardSet, reason: str) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=summary,
        competition=board_set.competition,
        after={"board_set": board_set.pk},
        reason=reason,
    )
