"""Boards from a file: read without writing anything, shown as what was understood, then sealed like any other set.

The cards are never shown, not even to the person who brought the file. Between the two steps they lie in the page of
that person, encrypted with the site's own key.
"""

import json
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from engine.boards.files.boards import Board as ReadBoard
from engine.boards.files.boards import Reading, distinct
from engine.boards.files.formats import FORMATS, format_named, format_of_file
from engine.deals import Deal
from engine.errors import RuleError
from engine.problems import Problem
from engine.seats import dealer_of_board
from games import embargo, sealed_texts
from games import policies as games_policies
from games.boards.services import boards
from games.models import BoardSet
from games.proof import participations
from games.records.wording import error_in_words
from league import policies
from league.actors import Actor, person
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Competition, Round
from league.storage import board_keys
from league.web.wording import in_words

LARGEST_FILE = 256 * 1024
#: Our own format tells nothing but the deals: no set of boards fills this.
LARGEST_JSON = 64 * 1024
SECONDS_TO_TAKE_IN = 3600
MOST_FAULTS = 50
#: Formats that two keys name: one is enough to read by.
READABLE = tuple(key for key in FORMATS if not key.endswith("blind"))


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, and where: "line 7", "board 3" or nowhere. One that refuses keeps it out."""

    where: str
    message: str
    refuses: bool


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """What was understood of a file: never a card. `token` has the deals under lock; "" while a fault refuses them."""

    file_name: str
    format: str
    numbers: tuple[int, ...]
    faults: tuple[Fault, ...]
    more_faults: int
    token: str

    @property
    def count(self) -> int:
        """How many boards there are."""
        return len(self.numbers)

    @property
    def is_accepted(self) -> bool:
        """Whether it can be taken in."""
        return bool(self.token)


def read_file(
    *,
    actor: Actor,
    competition: Competition,
    round: Round | None = None,  # noqa: A002 (what people call it)
    data: bytes,
    name: str,
    format_key: str = "",
    first_number: int | None = None,
) -> Preview:
    """What is in the file; nothing is written. `first_number` wins over what a dealing machine's file says.

    Raises Invalid for a file that is in no known format or too large. Faults quote nothing of the file to a director
    who plays: others may have prepared it for him.
    """
    _require(actor, competition)
    try:
        found = format_named(format_key) if format_key else format_of_file(name)
    except RuleError as error:
        raise Invalid(error_in_words(error)) from None
    if len(data) > (LARGEST_JSON if found.key == "json" else LARGEST_FILE):
        raise Invalid(_("This file is too large to be a file of boards."))
    reading = _numbered(found.read(data, first_number))
    plays = embargo.plays_in_event(actor, competition)
    # Words for those faults only that are shown: a file can have thousands.
    own = _faults_of(reading.boards, competition, round)
    faults = [*(_fault(each, is_blind=plays) for each in reading.faults[:MOST_FAULTS]), *own]
    token = ""
    if reading.is_accepted and not any(fault.refuses for fault in own):
        token = board_keys.encrypt(
            json.dumps({"preview": [_bound_to(actor, competition, round), _text(reading.boards)]})
        )
    return Preview(
        file_name=name[:120],
        format=in_words(found.title, {}),
        numbers=tuple(board.number for board in reading.boards),
        faults=tuple(faults[:MOST_FAULTS]),
        more_faults=max(0, len(reading.faults) + len(own) - MOST_FAULTS),
        token=token,
    )


@transaction.atomic
def take_in(
    *,
    actor: Actor,
    competition: Competition,
    round: Round | None = None,  # noqa: A002 (what people call it)
    token: str,
) -> BoardSet:
    """Seals the boards of a preview, for the same person and the same round. Raises Conflict when it is too old."""
    competition = boards.locked(competition)
    _require(actor, competition)
    given = _taken_out(token)
    if given is None or given[0] != _bound_to(actor, competition, round):
        raise Conflict(_("This preview is no longer valid. Please choose the file again."))
    text = given[1]
    read = sealed_texts.read(text)
    boards.check_place(competition, round, count=len(read), first_number=read[0].number, reserve=0)
    made = boards.made(
        actor=actor,
        board_set=BoardSet(
            competition=competition,
            round=round,
            origin=BoardSet.Origin.IMPORTED,
            first_number=read[0].number,
            count=len(read),
            commitment=sealed_texts.commitment(text),
            secret=board_keys.encrypt(text),
            made_by=person(actor),
        ),
    )
    participations.drew(actor=actor, board_set=made, reason="Read from a file")
    return made


def _require(actor: Actor, competition: Competition) -> None:
    """Bringing a file means knowing its cards, like taking cards out: the same people may."""
    policies.require(actor, "boards.make", competition)
    if not games_policies.may_take_cards(actor, competition):
        raise NotAllowed(
            _("You’re playing in this competition. Another director has to upload the boards."),
            code="plays_himself",
        )


def _taken_out(token: str) -> tuple[str, str] | None:
    """Whom the preview belongs to, and its text; None for what is no preview of the last hour."""
    try:
        found = json.loads(board_keys.decrypt(token, within_seconds=SECONDS_TO_TAKE_IN))
        bound_to, text = found["preview"]
    except (board_keys.Unreadable, ValueError, KeyError, TypeError):
        return None
    return str(bound_to), str(text)


def _bound_to(actor: Actor, competition: Competition, round_: Round | None) -> str:
    return f"{actor.pk}/{competition.pk}/{round_.pk if round_ else ''}"


def _numbered(reading: Reading[ReadBoard]) -> Reading[ReadBoard]:
    """Each board once and in the order of its number, with what is wrong with that."""
    once = distinct(reading.boards)
    return Reading(once.boards, (*reading.faults, *once.faults))


def _text(boards_read: tuple[ReadBoard, ...]) -> str:
    return sealed_texts.write([ReadBoard.of(board.number, board.deal) for board in boards_read])


def _fault(problem: Problem, *, is_blind: bool) -> Fault:
    place = problem.place
    where = ""
    if len(place) > 1:
        named = {"number": place[1]}
        where = _("line %(number)s") % named if place[0] == "line" else _("board %(number)s") % named
    # A director who plays is told where, and what kind of fault it is, but nothing that stands there.
    message = _without_cards(problem) if is_blind else in_words(problem.template, problem.params)
    return Fault(where, message, problem.refuses)


def _without_cards(problem: Problem) -> str:
    if problem.refuses:
        return _("We can’t read this. Ask the person who made the file.")
    return _("Something here is unusual. Ask the person who made the file.")


def _faults_of(read: tuple[ReadBoard, ...], competition: Competition, round_: Round | None) -> list[Fault]:
    """What keeps sound boards from being a set of this competition."""
    faults = []
    if not read:
        return [Fault("", _("This file has no boards."), refuses=True)]
    for expected, board in enumerate(read, start=read[0].number):
        if board.number != expected:
            missing = _("Board %(number)d is missing. The numbers in a set must follow each other.") % {
                "number": expected
            }
            faults.append(Fault("", missing, refuses=True))
            break
    for board in read:
        if board.dealer is not dealer_of_board(board.number):
            where = _("board %(number)s") % {"number": board.number}
            said = _("The file names another dealer. By its number, %(seat)s deals this board.")
            seat = in_words(dealer_of_board(board.number).title, {})
            faults.append(Fault(where, said % {"seat": seat}, refuses=False))
    if _is_repeated([board.deal for board in read]):
        faults.append(Fault("", _("Two boards have the same cards."), refuses=False))
    try:
        boards.check_place(competition, round_, count=len(read), first_number=read[0].number, reserve=0)
    except (Conflict, Invalid) as refusal:
        faults.append(Fault("", refusal.message, refuses=True))
    return faults


def _is_repeated(deals: list[Deal]) -> bool:
    return len(set(deals)) < len(deals)
