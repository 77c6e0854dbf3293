"""Deriving the boards of a set again from what somebody says was sealed: the check that anybody can make."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.boards import sealing
from engine.boards.files import squaredeal
from engine.boards.sealing import Purpose
from engine.errors import RuleError
from games import board_cards, sealed_texts
from games.models import Board, BoardSet
from games.options import has_board_files
from league.web.wording import in_words


@dataclass(frozen=True, slots=True)
class CheckedBoard:
    """A board as it was derived, beside the one that the site published; `published` is "" before the release."""

    number: int
    is_reserve: bool
    derived: str
    published: str

    @property
    def is_same(self) -> bool:
        """Whether the site published the very same cards."""
        return self.derived == self.published


@dataclass(frozen=True, slots=True)
class Check:
    """What came of it: the commitment of what was given, and the boards that follow from it."""

    commitment: str
    expected: str
    boards: tuple[CheckedBoard, ...]
    fault: str = ""

    @property
    def is_committed(self) -> bool:
        """Whether this is what was committed to before play."""
        return self.commitment == self.expected

    @property
    def has_published(self) -> bool:
        """Whether the site has published cards to compare with."""
        return any(board.published for board in self.boards)

    @property
    def differing(self) -> tuple[CheckedBoard, ...]:
        """The published boards that are not those that follow."""
        return tuple(board for board in self.boards if board.published and not board.is_same)


def check_key(board_set: BoardSet, *, key: str, value: str) -> Check:
    """The boards that follow from this key and delayed value. What is wrong with them is in `fault`."""
    try:
        commitment = sealing.commitment(key)
        derived = board_cards.derived(board_set, key, value)
    except RuleError as error:
        return Check("", board_set.commitment, (), in_words(error.message))
    return Check(commitment, board_set.commitment, _compared(board_set, derived))


def check_text(board_set: BoardSet, *, text: str) -> Check:
    """The same of an imported set's text. Line ends may be those of any system."""
    text = "\n".join(text.splitlines()) + "\n"
    commitment = sealed_texts.commitment(text)
    try:
        boards = sealed_texts.read(text)
    except RuleError as error:
        return Check(commitment, board_set.commitment, (), in_words(error.message))
    except (KeyError, ValueError):
        boards = ()
    derived = {(Purpose.ORIGINAL.value, place): str(each.deal) for place, each in enumerate(boards, start=1)}
    return Check(commitment, board_set.commitment, _compared(board_set, derived))


def squaredeal_files(board_set: BoardSet) -> Mapping[str, bytes]:
    """A released set as SquareDeal's two files, by their endings; none before the release, nor for a set from a file.

    It is an event of one session. The hash in its description is that of the key file, worked out here: what was
    published before play is the key's own, the set's commitment.
    """
    value = board_set.delayed.get("value")
    if (
        not (board_set.released_at and board_set.opened and value)
        or board_set.origin != BoardSet.Origin.DEALT
        or not has_board_files(board_set.competition.game)
    ):
        return {}
    last = board_set.first_number + board_set.count - 1
    title = f"Boards {board_set.first_number}-{last}"
    phase = squaredeal.Phase(1, ((board_set.first_number, last),), f"boards-{board_set.pk}", title)
    keys = squaredeal.write_keys({(1, 1): board_set.opened})
    day = board_set.delayed.get("on")
    description = squaredeal.Description(
        name=_one_line(str(board_set.competition)) or title,
        delayed=f"{board_set.delayed['source']}, {day}" if day else board_set.delayed["source"],
        phases=(phase,),
        value=value,
        key_hash=squaredeal.key_hash(keys),
    )
    return {"sqd": squaredeal.write_description(description), "sqk": keys}


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _compared(board_set: BoardSet, derived: dict[tuple[str, int], str]) -> tuple[CheckedBoard, ...]:
    rows = Board.objects.filter(board_set=board_set).order_by("purpose", "place")
    return tuple(
        CheckedBoard(
            number=board.number,
            is_reserve=board.purpose == Board.Purpose.RESERVE,
            derived=derived[board.purpose, board.place],
            published=board.deal,
        )
        for board in rows
        if (board.purpose, board.place) in derived
    )
