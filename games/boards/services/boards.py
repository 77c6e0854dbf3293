"""Sealed boards: made for a round or an evening, dealt to its matches, drawn out, taken back, and told apart.

Every function takes the competition's lock first, as everything that changes its matches does.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import (
    DelayedInformation,
    DelayedKind,
    commitment,
    new_session_key,
)
from engine.errors import RuleError
from games import locks
from games.board_cards import cards_of
from games.boards.queries import extra
from games.boards.services import releases
from games.boards.services import sets as board_sets
from games.boards.services.releases import SERVICE
from games.boards.services.sets import (
    facts,
    locked,
    locked_set,
    needs_reason,
)
from games.boards.services.versions import mark_version
from games.boards.setup_part import too_few_boards
from games.comparisons.services import comparisons
from games.embargo import FEWEST_BOARDS
from games.models import (
    AdjustedScore,
    Board,
    BoardDraw,
    BoardSet,
    Duplicate,
    FixtureBoard,
    Scoresheet,
    TableDeal,
)
from games.proof import participations
from league import policies
from league.actors import Actor, person
from league.background import sweeps
from league.competitions.services import competitions
from league.errors import Conflict, Invalid
from league.models import Competition, Fixture, Round
from league.querysets import UNSETTLED
from league.storage import board_keys
from league.web.wording import in_words
from league.words import sentences

__all__ = [
    "assign",
    "assign_added",
    "cards_of",
    "discard",
    "draw_out",
    "fill_delayed",
    "locked",
    "made",
    "make",
    "mark_version",
    "release",
    "substitute_reserve",
]

MOST_BOARDS = 99
MOST_RESERVES = 20
LAST_NUMBER = 999
Status = Fixture.Status

release = releases.release


@transaction.atomic
def make(
    *,
    actor: Actor,
    competition: Competition,
    round: Round | None = None,  # noqa: A002 (what people call it)
    count: int,
    first_number: int = 1,
    reserve: int = 0,
    delayed: DelayedInformation,
) -> BoardSet:
    """Draws the key of a new set and publishes its commitment; the matches of its round play it from now on.

    To the reserve boards come those on which the level matches of a knock-out play on (F45).

    Without a round it is the set of a whole evening, whose tables get their boards when the movement is laid out.
    """
    competition = locked(competition)
    policies.require(actor, "boards.make", competition)
    check_place(competition, round, count=count, first_number=first_number, reserve=reserve)
    if first_number + count + reserve + extra.wanted_for(round) - 1 > LAST_NUMBER:
        raise Invalid(_("Boards are numbered from 1 to 999."))
    key = new_session_key()
    return made(
        actor=actor,
        board_set=BoardSet(
            competition=competition,
            round=round,
            origin=BoardSet.Origin.DEALT,
            first_number=first_number,
            count=count,
            reserve=reserve + extra.wanted_for(round),
            commitment=commitment(key),
            delayed=delayed.as_json(),
            secret=board_keys.encrypt(key),
            made_by=person(actor),
        ),
    )


def made(*, actor: Actor, board_set: BoardSet) -> BoardSet:
    """Writes a new set with its boards, and deals them to the matches of its round. The competition is locked."""
    board_set.save()
    offered = game.get(board_set.competition.game)
    numbers = range(board_set.first_number, board_set.first_number + board_set.count + board_set.reserve)
    Board.objects.bulk_create(
        Board(
            board_set=board_set,
            purpose=Board.Purpose.ORIGINAL if place <= board_set.count else Board.Purpose.RESERVE,
            place=place if place <= board_set.count else place - board_set.count,
            number=number,
            dealer=offered.dealer_of_board(number),
        )
        for place, number in enumerate(numbers, start=1)
    )
    board_sets.tell(
        actor=actor,
        action="boards.made",
        summary=sentences.gettext("%(boards)s: created and sealed"),
        board_set=board_set,
        after=facts(board_set),
    )
    if board_set.round_id is not None:
        assign(actor=actor, board_set=board_set)
    return board_set


def check_place(
    competition: Competition, played: Round | None, *, count: int, first_number: int, reserve: int
) -> None:
    """Raises Conflict or Invalid where such a set cannot be made. The competition is locked."""
    competitions.check_not_final(competition)
    if not Duplicate.objects.filter(competition=competition).exists():
        raise Conflict(_("The tables in this competition don’t play the same boards."))
    if played is not None and played.stage.competition_id != competition.pk:
        raise Invalid(_("This round belongs to another competition."))
    if played is not None and competition.state == Competition.State.DRAFT:
        raise Conflict(_("Please publish the competition first. Until then its rounds can be drawn again."))
    deals = deals_of(competition)
    if played is not None and deals < FEWEST_BOARDS:
        raise Invalid(too_few_boards())
    if played is not None and count != deals:
        raise Invalid(
            _("A match in this competition has %(deals)d deals, so a round needs the same number of boards.")
            % {"deals": deals}
        )
    if not 1 <= count <= MOST_BOARDS or not 0 <= reserve <= MOST_RESERVES:
        raise Invalid(
            _("A set has 1 to %(boards)d boards and at most %(reserves)d reserve boards.")
            % {"boards": MOST_BOARDS, "reserves": MOST_RESERVES}
        )
    if first_number < 1 or first_number + count + reserve - 1 > LAST_NUMBER:
        raise Invalid(_("Boards are numbered from 1 to 999."))
    others = BoardSet.objects.filter(competition=competition, discarded_at=None)
    if others.filter(round=played).exists():
        raise Conflict(_("There are already boards for this. Discard them first, or play them."))


def deals_of(competition: Competition) -> int:
    """How many deals a match of the competition has: so many boards a round plays."""
    offered = game.get(competition.game)
    return offered.deals_in_match(competition.rules) or 1


@transaction.atomic
def assign(
    *, actor: Actor, board_set: BoardSet, plays: Mapping[Fixture, Sequence[Board]] | None = None
) -> tuple[FixtureBoard, ...]:
    """Says which boards matches play, in order; matches that have boards already keep them.

    Without `plays` every match of the set's round gets all its boards; it can be called again when a match was added.
    """
    competition = locked(board_set.competition)
    policies.require(actor, "boards.make", competition)
    if board_set.discarded_at is not None:
        raise Conflict(_("These boards were discarded."))
    wanted = dict(plays) if plays is not None else _whole_round(board_set)
    having = set(
        FixtureBoard.objects.filter(fixture__in=[each.pk for each in wanted]).values_list(
            "fixture_id", flat=True
        )
    )
    decided = releases.settled_by_rulings([each for each in wanted if each.pk not in having])
    rows = [
        FixtureBoard(fixture=fixture, position=position, board=board, settled=decided.get(fixture.pk, ""))
        for fixture, boards in wanted.items()
        if fixture.pk not in having
        for position, board in enumerate(boards, start=1)
    ]
    if any(row.board.board_set_id != board_set.pk for row in rows):
        raise Invalid(_("A match can only play boards from its own set."))
    made = tuple(FixtureBoard.objects.bulk_create(rows))
    comparisons.laid_out(*{row.board for row in made})
    return made


def _whole_round(board_set: BoardSet) -> dict[Fixture, Sequence[Board]]:
    if board_set.round_id is None:
        raise Invalid(_("Please say which table plays which boards. In an evening, the movement decides."))
    boards = list(
        Board.objects.filter(board_set=board_set, replaced_by=None)
        .exclude(purpose=Board.Purpose.RESERVE, stands_for=None)
        .order_by("number")
    )
    return dict.fromkeys(Fixture.with_rooms.at_tables().filter(round_id=board_set.round_id), boards)


def assign_added(*, at: datetime) -> int:
    """Deals boards to matches that were added to a round after its set was made; gives to how many sets' matches."""
    added = Fixture.with_rooms.at_tables().filter(round=OuterRef("round"), boards=None)
    waiting = BoardSet.objects.filter(
        Exists(added), round__isnull=False, discarded_at=None, released_at=None
    ).select_related("competition")
    return sweeps.run(
        work="boards of added matches",
        rows=waiting.order_by("pk"),
        do=lambda key: assign(actor=SERVICE, board_set=waiting.get(pk=key)),
        at=at,
    )


@transaction.atomic
def fill_delayed(*, actor: Actor, board_set: BoardSet, value: str) -> BoardSet:
    """Writes down the delayed value once it is known. It cannot be changed afterwards: the cards follow from it."""
    board_set = locked_set(actor=actor, board_set=board_set, action="boards.make")
    if board_set.origin != BoardSet.Origin.DEALT:
        raise Conflict(_("These boards come from a file, so there’s nothing to fill in."))
    delayed = delayed_of(board_set)
    here = ZoneInfo(board_set.club.time_zone)
    if delayed.on is not None and timezone.localdate(timezone=here) < delayed.on:
        raise Conflict(_("Nobody can know this before %(day)s.") % {"day": delayed.on.isoformat()})
    try:
        board_set.delayed = delayed.filled(value).as_json()
    except RuleError as error:
        raise Invalid(in_words(error.message)) from error
    board_set.save(update_fields=["delayed"])
    board_sets.tell(
        actor=actor,
        action="boards.delayed_filled",
        summary=sentences.gettext("%(boards)s: delayed value filled in"),
        board_set=board_set,
        after=facts(board_set),
    )
    releases.release_all_played(board_set=board_set)
    return board_set


def delayed_of(board_set: BoardSet) -> DelayedInformation:
    """The set's delayed information as a value."""
    held = board_set.delayed
    day = date.fromisoformat(held["on"]) if held["on"] else None
    return DelayedInformation(DelayedKind(held["kind"]), held["source"], day, held["value"])


@transaction.atomic
def discard(*, actor: Actor, board_set: BoardSet, reason: str) -> BoardSet:
    """Takes a set that nobody has played out of use, so that another can be made. It stays public, with the reason.

    So can a set whose cards a director has made public before anybody played: nobody can play it any more.
    """
    board_set = locked_set(actor=actor, board_set=board_set, action="boards.make")
    reason = needs_reason(reason)
    plays = FixtureBoard.objects.filter(board__board_set=board_set)
    if is_begun(board_set):
        raise Conflict(
            _(
                "These boards have already been played, so you can’t discard them. You can replace one "
                "with a reserve board."
            )
        )
    if AdjustedScore.objects.filter(play__in=plays).exists():
        raise Conflict(_("A score has been awarded on one of these boards, so you can’t discard them."))
    plays.delete()
    comparisons.laid_out(*Board.objects.filter(board_set=board_set))
    board_set.discarded_at = timezone.now()
    board_set.save(update_fields=["discarded_at"])
    board_sets.tell(
        actor=actor,
        action="boards.discarded",
        summary=sentences.gettext("%(boards)s: discarded"),
        board_set=board_set,
        reason=reason,
        after=facts(board_set),
    )
    return board_set


def is_begun(board_set: BoardSet) -> bool:
    """Whether somebody has entered a sheet for these boards, or has seen their own cards of one online."""
    plays = FixtureBoard.objects.filter(board__board_set=board_set)
    return (
        Scoresheet.objects.filter(match__fixture__boards__in=plays).exists()
        or TableDeal.objects.filter(board__board_set=board_set).exists()
    )


def is_any_released(board_set: BoardSet) -> bool:
    """Whether the cards of a board of the set are public."""
    return Board.objects.filter(board_set=board_set, released_at__isnull=False).exists()


@transaction.atomic
def substitute_reserve(*, actor: Actor, board: Board, reason: str) -> Board:
    """A reserve board is played in place of one that was mis-dealt, under its number, where nobody has entered it yet.

    Tables that have entered a scoresheet, or play it online, keep the board that they played. Gives the reserve board.
    """
    board_set = locked_set(actor=actor, board_set=board.board_set, action="boards.make")
    reason = needs_reason(reason)
    board = locks.board(board.pk)
    spare = (
        Board.objects.filter(
            board_set=board_set,
            purpose=Board.Purpose.RESERVE,
            place__lte=extra.for_misdeals(board_set),
            stands_for=None,
            released_at=None,
        )
        .order_by("place")
        .first()
    )
    if spare is None:
        raise Conflict(_("There are no reserve boards left."))
    if board.released_at is not None or Board.objects.filter(stands_for=board).exists():
        raise Conflict(_("This board has been released, or a reserve board has already replaced it."))
    if board.purpose == Board.Purpose.RESERVE and board.stands_for_id is None:
        raise Conflict(_("This is an unused reserve board."))
    spare.stands_for, spare.number, spare.dealer = board, board.number, board.dealer
    spare.save(update_fields=["stands_for", "number", "dealer"])
    plays = FixtureBoard.objects.filter(board=board, awards__isnull=True).exclude(
        Q(fixture__status__in=[Status.TO_CONFIRM, *UNSETTLED, Status.CONFIRMED])
        | Q(fixture__online_tables__deals__board=board)
    )
    moved = plays.update(board=spare)
    comparisons.laid_out(board, spare)
    board_sets.tell(
        actor=actor,
        action="boards.reserve_stands_in",
        summary=sentences.gettext("%(boards)s: a reserve board stands in for board %(number)d")
        % {"number": board.number},
        board_set=board_set,
        reason=reason,
        after={"board": board.pk, "reserve": spare.pk, "matches": moved},
    )
    releases.release_all_played(board_set=board_set)
    return spare


@transaction.atomic
def draw_out(*, actor: Actor, board_set: BoardSet, kind: str, reason: str) -> BoardDraw:
    """Somebody is going to take the cards out of the site, to deal them: a public mark, kept for good.

    Services that make such files or printouts call this first. Only this person gets them. Refused to anybody who
    plays in the competition, whatever else they may do, unless the club has one director and its settings allow it.
    """
    board_set = locked_set(actor=actor, board_set=board_set, action="boards.draw_out")
    reason = needs_reason(reason)
    if kind not in BoardDraw.Kind.values:
        raise Invalid(_("Say what you want to download: files or printouts."))
    if not board_keys.is_ready():
        raise Conflict(
            _("This site has no key for sealed boards yet. The people who run it have to set one.")
        )
    drawn = BoardDraw.objects.create(
        board_set=board_set, kind=kind, reason=reason, drawn_by=person(actor), drawn_name=str(actor)[:160]
    )
    participations.drew(actor=actor, board_set=board_set, reason=reason)
    board_sets.tell(
        actor=actor,
        action="boards.drawn_out",
        summary=sentences.gettext("%(boards)s: cards downloaded"),
        board_set=board_set,
        reason=reason,
        after={"kind": kind, "board_set": board_set.pk},
    )
    return drawn
