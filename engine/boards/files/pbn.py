"""PBN 2.1, the Portable Bridge Notation: a tolerant reader and a strict writer.

The standard is at www.tistis.nl/pbn. What is read and written is told in docs/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from engine.boards.files.boards import Board, NotationError, Reading, no_boards
from engine.boards.files.hands import (
    HIDDEN,
    Hands,
    check_hands,
    hand_of_suits,
    hand_text,
    seat_of_letter,
)
from engine.boards.files.pbn_game import (
    MANDATORY,
    UNKNOWN,
    PbnGame,
    pbn_tags,
)
from engine.boards.files.pbn_lexing import (
    TAG_NAME,
    Blank,
    Piece,
    Tag,
    Text,
    decoded,
    pieces,
)
from engine.boards.files.played import Section, section_of, sections
from engine.cards import CardSet
from engine.errors import RuleError, quoted
from engine.problems import Problem, impossible, problems_of, suspicious
from engine.seats import SEATS, Seat, dealer_of_board
from engine.text import gettext_noop

_LINE_END: Final = "\r\n"
_HEAD: Final = (
    "% PBN 2.1",
    "% EXPORT",
    "% Content-type: text/x-pbn; charset=ISO-8859-1",
    "% Creator: Concertmaster",
)
_MARKS: Final = ("", ".", ".", ".")
_HIDDEN_HAND: Final = "-"
#: The ways to say that nobody is vulnerable; in our games nobody ever is.
_NOT_VULNERABLE: Final = ("none", "love", "-")
_NAMES: Final = {name.lower(): name for name in MANDATORY}
#: Tags that a game cannot have twice: where no empty line stands between games, they tell that one begins.
_BEGINNERS: Final = frozenset({"event", "board", "deal"})
_OF_THE_BOARD: Final = frozenset({"board", "dealer", "deal"})
#: Bridge's own sections, which are passed over; so are all whose name ends in "Table".
_SECTIONS: Final = frozenset({"auction", "play", "note"})
_SECTION_END: Final = "table"
_NUMBER: Final = re.compile(r"0*([1-9][0-9]{0,4})", re.ASCII)
_TAG_NAME: Final = re.compile(TAG_NAME)


# Writing


def write_pbn(games: Iterable[PbnGame | Board]) -> bytes:
    """A file in export format. Raises NotationError when there is no game, or a tag with an impossible name.

    A game without number gets the next one; one without dealer, its board's.
    """
    lines = [*_HEAD]
    last = 0
    for each in games:
        game = PbnGame.of_board(each) if isinstance(each, Board) else each
        last = last + 1 if game.number is None else game.number
        lines += [*_game_lines(game, last), ""]
    if not last:
        raise NotationError("no-boards", gettext_noop("There are no boards to write."))
    return _LINE_END.join([*lines, ""]).encode("latin-1")


def _game_lines(game: PbnGame, number: int) -> Iterator[str]:
    dealer = game.dealer or dealer_of_board(number)
    tags = pbn_tags(game.tags)
    played = _played_tags()
    for name in tags:
        if not _TAG_NAME.fullmatch(name) or name.lower() in _OF_THE_BOARD | played or _is_section(name):
            template = gettext_noop("“%(given)s” can’t be a tag of your own.")
            raise NotationError("pbn-tag-name", template, given=name)
    given = {_NAMES.get(name.lower(), name): value for name, value in tags.items()}
    given |= {"Board": str(number), "Dealer": dealer.letter, "Deal": deal_text(game.hands, dealer)}
    given.setdefault("Vulnerable", "None")
    for name in MANDATORY:
        yield f'[{name} "{given.get(name, UNKNOWN)}"]'
    section = None if game.record is None else section_of(game.record)
    if section:
        given |= section.tags(game.record)
    for name in sorted(set(given) - set(MANDATORY)):
        yield f'[{name} "{given[name]}"]'
    table = section.rows(game.record) if section else []
    if section and table:
        yield f'[{section.table} "{table[0]}"]'
        yield from table[1:]


def _played_tags() -> frozenset[str]:
    """Every tag that tells of the play of some game, in lower case."""
    return frozenset().union(*(each.tag_names for each in sections()))


def deal_text(hands: Hands, first: Seat) -> str:
    """The value of the tag Deal: export format begins with the dealer; - is a hidden hand."""
    words = [_hand_word(hands[first.after(step).index]) for step in range(4)]
    return f"{first.letter}:{' '.join(words)}"


def _hand_word(cards: CardSet | None) -> str:
    return _HIDDEN_HAND if cards is None else hand_text(cards, _MARKS)


# Reading


def read_pbn(data: bytes | str) -> Reading[PbnGame]:
    """Every game of the file, and everything that is wrong with it, with the line. Never raises."""
    faults: list[Problem] = []
    games: list[PbnGame] = []
    inheritance = _Inheritance()
    for draft in _drafts(pieces(decoded(data) if isinstance(data, bytes) else data), faults):
        game = _game(draft, inheritance.applied(draft), faults)
        if game is not None:
            games.append(game)
    if not games and not any(fault.refuses for fault in faults):
        faults.append(no_boards())
    faults.sort(key=_line)
    return Reading(tuple(games), tuple(faults))


def boards_of(reading: Reading[PbnGame]) -> Reading[Board]:
    """The boards of the games whose deal is known. A game with hidden hands is a fault, one without cards an oddity."""
    boards, faults = [], list(reading.faults)
    last = 0
    for game in reading.boards:
        deal = game.deal
        number = game.number or last + 1
        last = number
        if deal is not None:
            boards.append(Board(number, deal, game.dealer or dealer_of_board(number)))
        elif game.hands != HIDDEN:
            template = gettext_noop("Board %(board)d has hidden hands, so it can’t be dealt.")
            faults.append(impossible("pbn-hidden", template, ("line", game.line), board=number))
        else:
            template = gettext_noop("Board %(board)d has no cards and is left out.")
            faults.append(suspicious("pbn-no-cards", template, ("line", game.line), board=number))
    return Reading(tuple(boards), tuple(faults))


def _line(fault: Problem) -> int:
    return fault.place[1] if len(fault.place) == 2 and isinstance(fault.place[1], int) else 0


@final
@dataclass(slots=True)
class _Draft:
    """The tags of one game, by their names in lower case, and the text behind each."""

    line: int
    tags: dict[str, Tag] = field(default_factory=dict)
    texts: dict[str, list[Text]] = field(default_factory=dict)
    open_tag: str = ""

    def is_ended_by(self, tag: Tag, *, after_blank: bool) -> bool:
        """Whether this tag is the next game's: tolerant of empty lines too many and too few."""
        name = tag.name.lower()
        if after_blank:
            return "deal" in self.tags or name in self.tags
        return name in self.tags and name in _BEGINNERS and "deal" in self.tags


def _drafts(found: Iterable[Piece], faults: list[Problem]) -> Iterator[_Draft]:
    draft: _Draft | None = None
    after_blank = False
    for piece in found:
        if isinstance(piece, Problem):
            faults.append(piece)
        elif isinstance(piece, Blank):
            after_blank = True
            if draft:
                draft.open_tag = ""
        elif isinstance(piece, Tag):
            if draft and draft.is_ended_by(piece, after_blank=after_blank):
                yield draft
                draft = None
            draft = draft or _Draft(piece.line)
            _add_tag(draft, piece, faults)
            after_blank = False
        elif draft and draft.open_tag:
            draft.texts.setdefault(draft.open_tag, []).append(piece)
        else:
            template = gettext_noop("“%(given)s” doesn’t belong to any tag. We skipped it.")
            faults.append(suspicious("pbn-text", template, ("line", piece.line), given=quoted(piece.text)))
    if draft:
        yield draft


def _add_tag(draft: _Draft, tag: Tag, faults: list[Problem]) -> None:
    name = tag.name.lower()
    draft.open_tag = name
    if name not in draft.tags:
        draft.tags[name] = tag
    elif not _is_section(name):
        template = gettext_noop("“%(name)s” appears twice. The first one counts.")
        faults.append(suspicious("pbn-tag-twice", template, ("line", tag.line), name=tag.name[:24]))
        # Text behind it belongs to nothing that is read.
        draft.open_tag = "note"


@final
class _Inheritance:
    """The values that one game takes over from those before: # as in the last, ##value for all that follow."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._standing: dict[str, Tag] = {}

    def applied(self, draft: _Draft) -> dict[str, Tag]:
        """The game's tags with these values in their places."""
        tags = {name: tag for name, tag in self._standing.items() if name not in draft.tags} | draft.tags
        for name, tag in tags.items():
            value = tag.value
            if value == "#":
                tags[name] = Tag(tag.line, tag.name, self._last.get(name, UNKNOWN))
            elif value.startswith("##"):
                tags[name] = Tag(tag.line, tag.name, value[2:].strip())
                self._standing[name] = tags[name]
        self._last = {name: tag.value for name, tag in tags.items()}
        return tags


def _game(draft: _Draft, tags: Mapping[str, Tag], faults: list[Problem]) -> PbnGame | None:
    """The game; None when nothing stands there of any board."""
    given = {name: (tag.value, tag.line) for name, tag in draft.tags.items()}
    told = next((each for each in sections() if each.tag_names & given.keys()), None)
    if told is None and "deal" not in tags and "board" not in tags:
        return None
    number = _board_number(tags.get("board"), faults)
    dealer = _dealer(tags.get("dealer"), number, faults)
    game = PbnGame(
        number, dealer, _hands(tags.get("deal"), draft, faults), _others(tags, draft), None, draft.line
    )
    _note_stray_text(draft, faults)
    if told is None:
        return game
    values = {name: value for name, value in given.items() if name in told.tag_names}
    section = Section(values, tuple(draft.texts.get(told.table.lower(), ())))
    record, wrong = told.read(section, dealer, game.deal)
    faults += wrong
    return PbnGame(game.number, game.dealer, game.hands, game.tags, record, game.line)


def _board_number(tag: Tag | None, faults: list[Problem]) -> int | None:
    if tag is None or tag.value in ("", UNKNOWN):
        return None
    found = _NUMBER.fullmatch(tag.value)
    if found is None:
        template = gettext_noop("“%(given)s” isn’t a board number.")
        faults.append(impossible("pbn-board", template, ("line", tag.line), given=quoted(tag.value)))
        return None
    return int(found[1])


def _dealer(tag: Tag | None, number: int | None, faults: list[Problem]) -> Seat | None:
    usual = dealer_of_board(number) if number else None
    if tag is None or tag.value in ("", UNKNOWN):
        return usual
    dealer = seat_of_letter(tag.value)
    if dealer is None:
        template = gettext_noop("“%(given)s” isn’t a dealer. Write N, E, S or W.")
        faults.append(impossible("pbn-dealer", template, ("line", tag.line), given=quoted(tag.value)))
        return usual
    if number and usual and dealer is not usual:
        template = gettext_noop("%(dealer)s deals board %(board)d here; usually %(seat)s does.")
        place = ("line", tag.line)
        faults.append(
            suspicious("board-dealer", template, place, dealer=dealer.title, board=number, seat=usual.title)
        )
    return dealer


def _hands(tag: Tag | None, draft: _Draft, faults: list[Problem]) -> Hands:
    """The hands that are shown and sound; all hidden when there is something wrong with one."""
    if tag is None or tag.value in ("", UNKNOWN):
        template = gettext_noop("This board’s cards are missing.")
        line = tag.line if tag else draft.line
        faults.append(suspicious("pbn-no-deal", template, ("line", line)))
        return HIDDEN
    hands, found = _read_deal(tag.value)
    found = [*found, *check_hands(hands)]
    faults += [fault for error in found for fault in problems_of(error, ("line", tag.line))]
    return HIDDEN if found else hands


def _read_deal(value: str) -> tuple[Hands, Sequence[RuleError]]:
    first, colon, rest = value.partition(":")
    seat = seat_of_letter(first.strip())
    words = rest.split()
    if not colon or seat is None or len(first.strip()) > len("North") or len(words) != len(SEATS):
        template = gettext_noop(
            "“%(given)s” isn’t a deal. Write N:spades.hearts.diamonds.clubs and so on for all four seats."
        )
        return HIDDEN, [NotationError("deal-shape", template, given=value)]
    faults: list[RuleError] = []
    found: dict[Seat, CardSet | None] = {}
    for step, word in enumerate(words):
        found[seat.after(step)] = _read_hand(word, seat.after(step), faults)
    return (found[Seat.N], found[Seat.E], found[Seat.S], found[Seat.W]), faults


def _read_hand(word: str, seat: Seat, faults: list[RuleError]) -> CardSet | None:
    """The cards; None for a hidden hand, and for one in which something is wrong."""
    suits = word.split(".")
    if not word.strip(".-"):
        return None
    if len(suits) != 4:
        template = gettext_noop(
            "%(seat)s’s cards must be four suits with full stops in between, not “%(given)s”."
        )
        faults.append(NotationError("deal-suits", template, given=word, seat=seat.title))
        return None
    try:
        return hand_of_suits(suits, seat)
    except RuleError as error:
        faults.append(error)
        return None


def _others(tags: Mapping[str, Tag], draft: _Draft) -> dict[str, str]:
    """The tags that say something of their own."""
    found = {}
    played = _played_tags()
    for name, tag in tags.items():
        if name in _OF_THE_BOARD or name in played or _is_section(name) or tag.value in ("", UNKNOWN):
            continue
        if name == "vulnerable" and tag.value.lower() in _NOT_VULNERABLE:
            continue
        if name in draft.texts and name not in _NAMES:
            continue  # A section that we do not know.
        found[_NAMES.get(name, tag.name)] = tag.value
    return found


def _note_stray_text(draft: _Draft, faults: list[Problem]) -> None:
    tables = {each.table.lower() for each in sections()}
    for name, texts in draft.texts.items():
        if name in _NAMES or name in _played_tags() - tables:
            template = gettext_noop("“%(given)s” doesn’t belong to any tag. We skipped it.")
            faults += [
                suspicious("pbn-text", template, ("line", text.line), given=quoted(text.text))
                for text in texts
            ]


def _is_section(name: str) -> bool:
    return name.lower() in _SECTIONS or name.lower().endswith(_SECTION_END)
