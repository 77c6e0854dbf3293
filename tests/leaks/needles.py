"""What gives a sealed board or a table's play of it away, however a page, a program's answer or a log writes it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.boards.numbering import deal_number
from engine.deals import Deal
from engine.seats import SEATS

#: A run of these is a row of keys or a heading, not what somebody holds.
ALL_RANKS = "AKQJT98765432"
#: Fewer cards of a suit may stand together by chance.
TELLING = 4
CARD_FACE = re.compile(
    rb'class="card-face[^"]*?\b(spade|heart|diamond|club)\b[^"]*"[^>]*>\s*<span class="rank">(10|[2-9AKQJ])</span>'
)
TAG = re.compile(rb"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Needle:
    """Something that must not be found: what it tells of ("cards" or "play"), of which board, and how to find it."""

    kind: str
    board: int
    what: str
    pattern: re.Pattern[bytes] | None = None
    cards: frozenset[bytes] = frozenset()

    def is_in(self, haystack: "Haystack") -> bool:
        """Whether it is there."""
        if self.pattern is not None:
            return any(self.pattern.search(text) for text in haystack.texts)
        size = len(self.cards)
        faces = haystack.faces
        return any(frozenset(faces[at : at + size]) == self.cards for at in range(len(faces) - size + 1))


class Haystack:
    """Bytes to be searched: as they are, as a reader sees them, and the faces of cards in the order of the page."""

    def __init__(self, raw: bytes) -> None:
        seen = re.sub(rb"\s+", b" ", TAG.sub(b" ", raw))
        self.texts = (raw, seen)
        self.faces = [suit[:1] + rank.replace(b"10", b"T") for suit, rank in CARD_FACE.findall(raw)]

    def found(self, needles: Iterable[Needle]) -> list[Needle]:
        """Those that are in it."""
        return [needle for needle in needles if needle.is_in(self)]


def of_deal(board: int, deal: Deal, others: Iterable[Deal] = ()) -> Iterator[Needle]:
    """The deal's number, each seat's cards as files write them, and every long holding that is no mere run.

    A holding that one of the other deals has, too, alone or in a longer one, tells nothing of this one.
    """
    elsewhere = {holding for each in others for holding in holdings(each)}
    yield _text("cards", board, "number of the deal", str(deal_number(deal)))
    for hand in str(deal).partition(":")[2].split():
        yield _text("cards", board, f"the cards {hand}", hand)
        for holding in hand.split("."):
            is_elsewhere = any(holding in each for each in elsewhere)
            if len(holding) >= TELLING and holding not in ALL_RANKS and not is_elsewhere:
                first, *rest = (b"(?:T|10)" if rank == "T" else rank.encode() for rank in holding)
                begun = rb"(?:%b|%b)" % (_begun(b"T"), _begun(b"10")) if holding[0] == "T" else _begun(first)
                pattern = rb"\W{0,8}".join((begun, *rest)) + rb"(?![\w.])"
                yield Needle("cards", board, f"the holding {holding}", re.compile(pattern))
    for seat in SEATS:
        held = frozenset(f"{card.text[1]}{card.text[0]}".encode() for card in deal[seat])
        yield Needle("cards", board, f"faces of {seat}", cards=held)


def holdings(deal: Deal) -> set[str]:
    """What somebody holds of a suit."""
    return {holding for hand in str(deal).partition(":")[2].split() for holding in hand.split(".")}


def of_play(board: int, record: dict[str, Any]) -> Iterator[Needle]:
    """What was done with it at a table: each hand's line and cards, or points that nothing else has."""
    for line in record.get("hands", ()):
        if isinstance(line, str):
            yield _text("play", board, f"the hand {line}", line)
            yield _text("play", board, f"the hand {line}", line.replace(">", "&gt;"))
            cards = frozenset(f"{word[1]}{word[0]}".encode() for word in line.split() if len(word) == 2)
            yield Needle("play", board, f"faces of {line}", cards=cards)
    for points in record.get("total", {}).values():
        if points > 99:
            pattern = _begun(str(points).encode(), rb"\w.#%/-") + rb"(?![\w.%/-])"
            yield Needle("play", board, f"{points} points", re.compile(pattern))


def of_key(key: str) -> Needle:
    """The key of the whole set."""
    return _text("key", 0, "the session key", key)


def of_words(words: str) -> Needle:
    """What somebody has said of a deal in their own words."""
    return _text("words", 0, words, words)


def _begun(text: bytes, not_after: bytes = rb"\w.") -> bytes:
    """The text where none of these stands before it. That is asked last: to search for a letter is quick."""
    return text + rb"(?<![" + not_after + rb"]" + text + rb")"


def _text(kind: str, board: int, what: str, text: str) -> Needle:
    return Needle(kind, board, what, re.compile(re.escape(text.encode())))
