"""Boards from a file: read without writing anything, shown as what was understood, then sealed like any other set.

The cards are never shown, not even to the person who brought the file. Between the two steps they lie in the page of
that person, encrypted with the site's own key.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from engine.boards.files.boards import Board as ReadBoard
from engine.boards.files.boards import Reading, distinct
from engine.boards.files.formats import FORMATS, format_named, format_of_file
from engine.deals import Deal
from engine.errors import RuleError
from engine.problems import Problem, impossible, suspicious
from engine.seats import dealer_of_board
from engine.text import Message, gettext_noop
from games import embargo, sealed_texts
from games import policies as games_policies
from games.boards.services import boards
from games.models import BoardSet
from games.options import has_board_files
from games.proof import participations
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


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """What was understood of a file: never a card. `token` has the deals under lock; "" while a fault refuses them."""

    file_name: str
    format: str
    numbers: tuple[int, ...]
    faults: tuple[Problem, ...]
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

    def faults_in_words(self) -> Iterator[tuple[str, str]]:
        """Where each fault is ("line 7", "board 3" or ""), and what."""
        for fault in self.faults:
            where = ""
            if len(fault.place) > 1:
                named = {"number": fault.place[1]}
                is_line = fault.place[0] == "line"
                where = _("line %(number)s") % named if is_line else _("board %(number)s") % named
            yield where, in_words(fault.message)


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
    who plays: somebody may have prepared it for them.
    """
    _require(actor, competition)
    try:
        found = format_named(format_key) if format_key else format_of_file(name)
    except RuleError as error:
        raise Invalid(in_words(error.message)) from None
    if len(data) > (LARGEST_JSON if found.key == "json" else LARGEST_FILE):
        raise Invalid(_("This file is too large to be a file of boards."))
    reading = _numbered(found.read(data, first_number))
    plays = embargo.plays_in_event(actor, competition)
    own = _faults_of(reading.boards, competition, round)
    faults = [*(_without_cards(each) if plays else each for each in reading.faults), *own]
    token = ""
    if reading.is_accepted and not any(fault.refuses for fault in own):
        token = board_keys.encrypt(
            json.dumps({"preview": [_bound_to(actor, competition, round), _text(reading.boards)]})
        )
    return Preview(
        file_name=name[:120],
        format=_(found.title),
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
    if not has_board_files(competition.game):
        raise Invalid(_("Boards of this game can’t be read from a file."))
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


def _without_cards(problem: Problem) -> Problem:
    """What a director who plays is told: where, and what kind of fault it is, but nothing that stands there."""
    said = gettext_noop("We can’t read this. Ask the person who made the file.")
    if not problem.refuses:
        said = gettext_noop("Something here is unusual. Ask the person who made the file.")
    return replace(problem, message=Message(said))


def _faults_of(read: tuple[ReadBoard, ...], competition: Competition, round_: Round | None) -> list[Problem]:
    """What keeps sound boards from being a set of this competition."""
    faults = []
    if not read:
        return [impossible("no-boards", gettext_noop("This file has no boards."))]
    for expected, board in enumerate(read, start=read[0].number):
        if board.number != expected:
            template = gettext_noop(
                "Board %(number)d is missing. The numbers in a set must follow each other."
            )
            faults.append(impossible("boards-gap", template, number=expected))
            break
    for board in read:
        dealer = dealer_of_board(board.number)
        if board.dealer is not dealer:
            template = gettext_noop(
                "The file names another dealer. By its number, %(seat)s deals this board."
            )
            faults.append(suspicious("board-dealer", template, ("board", board.number), seat=dealer.title))
    if _is_repeated([board.deal for board in read]):
        faults.append(suspicious("boards-alike", gettext_noop("Two boards have the same cards.")))
    try:
        boards.check_place(competition, round_, count=len(read), first_number=read[0].number, reserve=0)
    except (Conflict, Invalid) as refusal:
        faults.append(impossible(refusal.code, "%(reason)s", reason=refusal.message))
    return faults


def _is_repeated(deals: list[Deal]) -> bool:
    return len(set(deals)) < len(deals)
