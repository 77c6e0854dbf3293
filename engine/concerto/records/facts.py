"""What follows from a record, hand by hand and card by card, before any sums are made (R3 to R10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, final

from engine.cards import FULL_PACK_BITS
from engine.concerto.options import (
    CARDS_IN_HAND,
    HAND_POINTS,
    LEFT_EACH_SIDE,
    SPLIT_VALUES,
    HandValue,
    Split,
    leader_of,
    plain_value,
)
from engine.concerto.play import MOVES, PLAY, Action, Move, Refusal, partner_follows, refusal_to_pass
from engine.concerto.poker import Combination, classify_bits
from engine.concerto.records import messages
from engine.concerto.records.record import HandEntry, Record, SeatBits
from engine.concerto.scoring import value_of_bits
from engine.deals import CARDS_EACH, Deal
from engine.problems import Problem
from engine.seats import SEATS, Seat, Side


@final
class LineRead(NamedTuple):
    """What a line of play says. ``problem`` tells where it stops being legal; the moves before it stand."""

    moves: tuple[Move, ...]
    by_seat: SeatBits
    problem: Problem | None


def read_line(
    actions: Sequence[Action], number: int, leader: Seat, left: Sequence[int], deal: Deal | None = None
) -> LineRead:
    """Hand ``number`` (from 0), led by ``leader``, as the rules determine who acts.

    ``left`` is how many cards each seat holds at most. ``deal`` is given only where that is uncertain: whether
    R7 has taken the turn from a player can then be seen from whose card it is.
    """
    held = list(left)
    turn = leader.index if held[leader.index] > 0 else leader.index ^ 2
    moves: list[Move] = []
    by_seat = [0, 0, 0, 0]
    cards = passes = 0
    alone = False
    problem = None
    for action in actions:
        if cards == CARDS_IN_HAND:
            problem = messages.LINE_TOO_LONG.at(("hands", number), hand=number + 1, given=action.token)
            break
        bit = action.bit
        if bit:
            if deal is not None and deal.hands[turn ^ 2].bits & bit:
                turn ^= 2
            moves.append(MOVES[turn][action])
            by_seat[turn] |= bit
            cards += 1
            passes = 0
            held[turn] -= 1
            if partner_follows(alone, held[turn], held[turn ^ 2]):
                turn ^= 2
            continue
        refusal = refusal_to_pass(cards, passes, alone, held[turn ^ 2])
        if refusal:
            problem = _illegal(number, len(moves), SEATS[turn], refusal)
            break
        moves.append(MOVES[turn][action])
        alone = action is PLAY
        passes += 1
        turn ^= 2
    north, east, south, west = by_seat
    return LineRead(tuple(moves), (north, east, south, west), problem)


def _illegal(number: int, step: int, seat: Seat, refusal: Refusal) -> Problem:
    reason = refusal[1] % {"seat": seat.title}
    return messages.LINE_PASS.at(("hands", number), hand=number + 1, step=step + 1, reason=reason)


Moves = tuple[Move, ...]


class Depth(StrEnum):
    """How much of a hand was written down."""

    LINE = "line"
    CARDS = "cards"
    COMBINATION = "combination"
    POINTS = "points"
    NOTHING = "nothing"


@final
class HandFacts(NamedTuple):
    """What is known of one hand. A named tuple, as sheets are checked by the thousand."""

    number: int
    entry: HandEntry | None
    leader: Seat | None
    bits: int = 0
    """Its cards, as far as known."""
    by_seat: SeatBits | None = None
    """Who played which; None where that does not follow for all its cards."""
    combination: Combination | None = None
    """What it forms: by its cards if they are five, else as written."""
    value: HandValue | None = None
    """What it is worth, where that follows without the claimed points."""
    possible: tuple[int, ...] = HAND_POINTS
    """The points that it may be worth, by what it forms."""
    moves: Moves = ()
    is_sound: bool = True
    """Whether its cards can be relied on."""
    has_five_cards: bool = False
    """Whether it has five cards that can be relied on."""
    strangers: int = 0
    """Cards said to be from players of the other side, or dealt to them, as bits."""

    @property
    def side(self) -> Side | None:
        """The side that played it; None while the dealer is not known."""
        return self.leader.side if self.leader else None

    @property
    def is_placed(self) -> bool:
        """Whether it is known of all its five cards who played which."""
        return self.has_five_cards and self.by_seat is not None

    @property
    def depth(self) -> Depth:
        """How much of it was written down."""
        entry = self.entry
        if entry is None:
            return Depth.NOTHING
        if entry.line is not None:
            return Depth.LINE
        if entry.cards:
            return Depth.CARDS
        if entry.combination is not None:
            return Depth.COMBINATION
        return Depth.POINTS if entry.points is not None else Depth.NOTHING


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """A record in the light of the rules."""

    record: Record
    dealer: Seat | None
    deal: Deal | None
    hands: tuple[HandFacts, ...]
    played: SeatBits
    """The cards known to have been played by each seat."""
    left: tuple[int | None, int | None, int | None, int | None]
    """The cards each seat has left, as bits: as written, or what the deal leaves of them; None if unknown."""
    problems: tuple[Problem, ...]
    """Where lines of play stop being legal."""
    values: tuple[HandValue | None, ...]
    """What each hand is worth, where that follows."""

    def hands_of(self, side: Side) -> tuple[HandFacts, ...]:
        """R3: the four hands of a side; none while the dealer is not known."""
        if self.dealer is None:
            return ()
        return self.hands[0::2] if side is not self.dealer.side else self.hands[1::2]

    @property
    def are_cards_known(self) -> bool:
        """Whether anything is known of any card."""
        return self.deal is not None or bool(self.record.known_left()) or self.played_bits() != 0

    def played_bits(self) -> int:
        """All cards known to have been played, by whomever."""
        bits = 0
        for hand in self.hands:
            bits |= hand.bits
        return bits


def establish(record: Record, deal: Deal | None = None) -> Facts:
    """Everything that follows from a record; ``deal`` is the deal where the board is known."""
    reader = _Reader(record.dealer, deal or record.deal)
    hands = tuple([reader.hand(number, entry) for number, entry in enumerate(record.hands)])
    left = _left(record, reader)
    values = tuple([hand.value for hand in hands])
    return Facts(
        record, record.dealer, reader.deal, hands, reader.played, left, tuple(reader.problems), values
    )


def _left(record: Record, reader: _Reader) -> tuple[int | None, int | None, int | None, int | None]:
    north, east, south, west = [
        cards.bits if cards is not None else _left_unwritten(record, reader, seat)
        for seat, cards in enumerate(record.left)
    ]
    return north, east, south, west


def _left_unwritten(record: Record, reader: _Reader, seat: int) -> int | None:
    """People don't write down a player who has nothing left: then the partner has all six."""
    partners = record.left[seat ^ 2]
    if partners is not None and len(partners) == LEFT_EACH_SIDE:
        return 0
    return reader.kept(seat)


class _Reader:
    """What is known so far while the hands are gone through in order."""

    __slots__ = ("certain", "deal", "dealer", "played", "problems", "seen")

    def __init__(self, dealer: Seat | None, deal: Deal | None) -> None:
        self.dealer = dealer
        self.deal = deal
        self.played: SeatBits = (0, 0, 0, 0)
        self.seen = 0
        # By side: whether it is known of every card so far who of the two played it.
        self.certain = [True, True]
        self.problems: list[Problem] = []

    def hand(self, number: int, entry: HandEntry | None) -> HandFacts:
        """The facts of the next hand."""
        leader = leader_of(self.dealer, number) if self.dealer else None
        hand = HandFacts(number, None, leader) if entry is None else self._given(number, entry, leader)
        if hand.by_seat is not None:
            north, east, south, west = hand.by_seat
            played = self.played
            self.played = (played[0] | north, played[1] | east, played[2] | south, played[3] | west)
        if leader is not None and not hand.is_placed:
            self.certain[leader.index & 1] = False
        return hand

    def _given(self, number: int, entry: HandEntry, leader: Seat | None) -> HandFacts:
        by_seat = entry.by_seat
        moves: Moves = ()
        is_sound = entry.is_sound
        if entry.line is not None and is_sound and leader is not None:
            read = self._line(entry.line, number, leader)
            by_seat, moves = read.by_seat, read.moves
            if read.problem:
                self.problems.append(read.problem)
                is_sound = False
        elif by_seat is None and entry.bits and self.deal is not None:
            by_seat = owners(entry.bits, self.deal)
        foreign = 0
        if by_seat is not None and leader is not None:
            foreign = strangers(by_seat, leader.side)
        is_sound = is_sound and not foreign and not entry.bits & self.seen
        self.seen |= entry.bits
        if by_seat is not None and self.deal is not None:
            is_sound = is_sound and not undealt(by_seat, self.deal)
        is_full = is_sound and entry.bits.bit_count() == CARDS_IN_HAND
        combination, value, possible = _worth_of_cards(entry, by_seat) if is_full else _worth_as_said(entry)
        return HandFacts(
            number, entry, leader, entry.bits, by_seat, combination, value, possible, moves,
            is_sound, is_full, foreign,
        )  # fmt: skip

    def kept(self, seat: int) -> int | None:
        """What a seat must have left, if all that it played is known: by the deal, or nothing after 13 cards."""
        if not self.certain[seat & 1]:
            return None
        if self.deal is None:
            return 0 if self.played[seat].bit_count() == CARDS_EACH else None
        return self.deal.hands[seat].bits & ~self.played[seat]

    def _line(self, line: tuple[Action, ...], number: int, leader: Seat) -> LineRead:
        north, east, south, west = self.played
        left = [
            CARDS_EACH - north.bit_count(),
            CARDS_EACH - east.bit_count(),
            CARDS_EACH - south.bit_count(),
            CARDS_EACH - west.bit_count(),
        ]
        hint = None if self.certain[leader.index & 1] else self.deal
        return read_line(line, number, leader, left, hint)


def undealt(by_seat: SeatBits, deal: Deal) -> int:
    """The cards among these that were not dealt to the seat that is said to have played them, as bits."""
    north, east, south, west = deal.hands
    return (
        by_seat[0] & ~north.bits
        | by_seat[1] & ~east.bits
        | by_seat[2] & ~south.bits
        | by_seat[3] & ~west.bits
    )


def strangers(by_seat: SeatBits, side: Side) -> int:
    """The cards among these that are not of this side's two players, as bits."""
    return by_seat[1] | by_seat[3] if side is Side.NS else by_seat[0] | by_seat[2]


def owners(bits: int, deal: Deal) -> SeatBits:
    """These cards by the seats they were dealt to."""
    north, east, south, west = (bits & cards.bits for cards in deal.hands)
    return north, east, south, west


Worth = tuple[Combination | None, HandValue | None, tuple[int, ...]]


def _worth_of_cards(entry: HandEntry, by_seat: SeatBits | None) -> Worth:
    """R9: what five cards form and are worth."""
    if by_seat is None:
        return _with_split(classify_bits(entry.bits), entry.split)
    value = value_of_bits(by_seat[0] | by_seat[1], by_seat[2] | by_seat[3])
    return value.combination, value, (value.points,)


def _worth_as_said(entry: HandEntry) -> Worth:
    """What a hand is worth as the combination that was written; cards that are not five tell nothing."""
    if entry.combination is None or entry.cards:
        return entry.combination, None, HAND_POINTS
    return _with_split(entry.combination, entry.split)


def _with_split(combination: Combination, split: Split | None) -> Worth:
    """What this combination is worth with the split that was written, if it needs one."""
    value = plain_value(combination)
    if value is None and split is not None:
        value = SPLIT_VALUES[combination].get(split)
    if value is not None:
        return combination, value, (value.points,)
    return combination, None, _ALL_SPLITS[combination]


_ALL_SPLITS: Final = {
    combination: tuple(value.points for value in table.values())
    for combination, table in SPLIT_VALUES.items()
}


def six_left(facts: Facts, side: Side) -> int | None:
    """The six cards that a side has left, no matter who holds them; None where they do not follow."""
    one, other = facts.left[side.index], facts.left[side.index + 2]
    if one is not None and other is not None:
        return _if_six(one | other)
    if facts.deal is not None and _all_known(facts, side, by_seat=False):
        dealt = facts.deal[side.seats[0]].bits | facts.deal[side.seats[1]].bits
        return _if_six(dealt & ~facts.played_bits())
    one, other = facts.left[side.other.index], facts.left[side.other.index + 2]
    if one is None or other is None or not all(hand.has_five_cards for hand in facts.hands):
        return None
    return _if_six(FULL_PACK_BITS & ~(facts.played_bits() | one | other))


def _if_six(bits: int) -> int | None:
    return bits if bits.bit_count() == LEFT_EACH_SIDE else None


def _all_known(facts: Facts, side: Side, *, by_seat: bool) -> bool:
    """Whether all cards that the side played are known, and, if wanted, who played which."""
    hands = facts.hands_of(side)
    return bool(hands) and all(hand.is_placed if by_seat else hand.has_five_cards for hand in hands)


def left_holdings(facts: Facts, side: Side) -> list[tuple[int, int]]:
    """Every way in which a side's six left-over cards can lie with its two players, as far as is known.

    Empty when the six are unknown.
    """
    one, other = side.seats
    six = six_left(facts, side)
    if six is None:
        return []
    known = [facts.left[seat.index] for seat in (one, other)]
    if known[0] is not None:
        return [(known[0], six & ~known[0])]
    if known[1] is not None:
        return [(six & ~known[1], known[1])]
    count = None
    if _all_known(facts, side, by_seat=True):
        count = CARDS_EACH - facts.played[one.index].bit_count()
    return [(part, six & ~part) for part in _subsets(six) if count is None or part.bit_count() == count]


def _subsets(bits: int) -> list[int]:
    found = [0]
    part = bits
    while part:
        found.append(part)
        part = (part - 1) & bits
    return found
