"""Whether the cards of a record can be: each once, thirteen a player, by whom they were dealt to (R1 to R3, R8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import FULL_PACK_BITS, Card, Suit, card_of_bit, cards_of
from engine.concerto.options import CARDS_IN_HAND, LEFT_EACH_SIDE
from engine.concerto.records import messages
from engine.concerto.records.facts import (
    Facts,
    HandFacts,
    owners,
    strangers,
    undealt,
)
from engine.concerto.records.record import SeatBits
from engine.deals import CARDS_EACH, Deal
from engine.problems import Problem
from engine.seats import SEATS, SIDES, Seat, Side


def check_cards(facts: Facts) -> Iterator[Problem]:
    """Everything wrong with the cards."""
    problems = [*_hand_sizes(facts), *_doubles(facts), *_sides(facts)]
    if facts.deal is not None:
        problems += _dealt(facts, facts.deal)
        # What must be left follows from what was played: it is told only once that is in order.
        lacking = [] if problems else list(_left_incomplete(facts, facts.deal))
        if lacking:
            yield from lacking
            return
    yield from problems
    # Cards of the wrong player would only be counted for the wrong player too.
    if not any(hand.strangers for hand in facts.hands):
        yield from _counts(facts)


def all_accounted_for(facts: Facts) -> bool:
    """Whether all 52 cards are in their places: thirteen a player, played in hands of five, or left.

    Nothing can be wrong with such cards, unless they are not as they were dealt.
    """
    seen = 0
    for seat in range(4):
        left = facts.left[seat]
        if left is None:
            return False
        cards = facts.played[seat] | left
        if cards.bit_count() != CARDS_EACH or (facts.deal and facts.deal.hands[seat].bits != cards):
            return False
        seen |= cards
    return seen == FULL_PACK_BITS and all(hand.is_placed for hand in facts.hands)


def _hand_sizes(facts: Facts) -> Iterator[Problem]:
    for hand in facts.hands:
        if hand.entry is None or not hand.bits or not hand.entry.is_sound:
            continue
        count = hand.bits.bit_count()
        if count != CARDS_IN_HAND:
            fault = messages.TOO_FEW_CARDS if count < CARDS_IN_HAND else messages.TOO_MANY_CARDS
            yield fault.at(("hands", hand.number, "cards"), hand=hand.number + 1, count=count)


def _doubles(facts: Facts) -> Iterator[Problem]:
    """R1: every card is there once: in one hand, or left over."""
    seen = 0
    for hand in facts.hands:
        if hand.bits & seen:
            yield from _double_in_hand(facts, hand, seen)
        seen |= hand.bits
    left = 0
    for seat, cards in facts.record.known_left():
        if not cards.bits & (seen | left):
            left |= cards.bits
            continue
        place = ("left", seat.letter)
        for card in cards_of(cards.bits & seen):
            first = first_hand_with(facts, card)
            yield messages.CARD_LEFT_AND_PLAYED.at(place, card=card.symbol, first=first + 1, seat=seat.title)
        for card in cards_of(cards.bits & left):
            yield messages.CARD_LEFT_TWICE.at(place, card=card.symbol)
        left |= cards.bits


def _double_in_hand(facts: Facts, hand: HandFacts, seen: int) -> Iterator[Problem]:
    used = facts.played_bits()
    for _, cards in facts.record.known_left():
        used |= cards.bits
    for card in cards_of(hand.bits & seen):
        near = near_card(card, used)
        yield (messages.CARD_TWICE_NEAR if near else messages.CARD_TWICE).at(
            ("hands", hand.number, "cards"),
            card=card.symbol,
            first=first_hand_with(facts, card) + 1,
            hand=hand.number + 1,
            near=near.symbol if near else "",
        )


def first_hand_with(facts: Facts, card: Card) -> int:
    """The number (from 0) of the first hand that has this card."""
    return next(hand.number for hand in facts.hands if hand.bits & card.bit)


def near_card(card: Card, used: int) -> Card | None:
    """The card that was most likely meant.

    That is the only one that is nowhere on the sheet; or one of the same rank, of the same colour first.
    """
    lacking = FULL_PACK_BITS & ~used
    if lacking and lacking & (lacking - 1) == 0:
        return card_of_bit(lacking)
    others = [suit for suit in Suit if suit is not card.suit]
    others.sort(key=lambda suit: suit is not card.suit.same_colour)
    return next((meant for suit in others if not (meant := Card(card.rank, suit)).bit & used), None)


def doubtful_dealer(facts: Facts) -> Problem | None:
    """R3: if every hand was played by the wrong side, it is the dealer that is wrong, and nothing else."""
    if facts.dealer is None:
        return None
    given = [(hand, by_seat) for hand in facts.hands if (by_seat := _players(hand, facts.deal))]
    if len(given) < 2 or not all(hand.bits == _foreign(hand, by_seat) for hand, by_seat in given):
        return None
    dealer, other = facts.dealer, facts.dealer.after(-1)
    first = facts.hands[0].entry
    if facts.deal is not None and first is not None and first.line is not None and first.cards:
        other = owner(first.cards[0], facts.deal).after(-1)
    return messages.DEALER_DOUBTFUL.at(("dealer",), seat=dealer.title, other=other.title)


def _players(hand: HandFacts, deal: Deal | None) -> SeatBits | None:
    """Who played which by what was written or dealt, and not by whose turn it was."""
    if hand.entry is None or not hand.bits:
        return None
    if hand.entry.by_seat is not None:
        return hand.entry.by_seat
    return owners(hand.bits, deal) if deal is not None else None


def _foreign(hand: HandFacts, by_seat: SeatBits) -> int:
    return strangers(by_seat, hand.side) if hand.side else 0


def _sides(facts: Facts) -> Iterator[Problem]:
    """R3: a hand is played by one side alone."""
    for hand in facts.hands:
        if not hand.strangers or hand.side is None:
            continue
        for seat in hand.side.other.seats:
            if _by_seat(hand)[seat.index] and hand.entry and hand.entry.by_seat:
                yield messages.WRONG_SIDE.at(
                    ("hands", hand.number, "cards", seat.letter),
                    hand=hand.number + 1,
                    side=hand.side.title,
                    seat=seat.title,
                )


def _by_seat(hand: HandFacts) -> tuple[int, int, int, int]:
    return hand.by_seat or (0, 0, 0, 0)


def _counts(facts: Facts) -> Iterator[Problem]:
    """R2: thirteen cards a player, and so six left to a side; never more, and no fewer than that in the end."""
    for seat in SEATS:
        yield from _too_many_played(facts, seat)
        yield from _left_count(facts, seat)
    left = facts.record.left
    for side in SIDES:
        one, other = left[side.index], left[side.index + 2]
        if one is not None and other is not None:
            count = len(one) + len(other)
            if count != LEFT_EACH_SIDE:
                yield messages.SIDE_LEFT_COUNT.at(("left",), side=side.title, count=count)


def _too_many_played(facts: Facts, seat: Seat) -> Iterator[Problem]:
    if facts.played[seat.index].bit_count() <= CARDS_EACH:
        return
    played = 0
    for hand in facts.hands:
        played |= _by_seat(hand)[seat.index]
        if played.bit_count() > CARDS_EACH:
            yield messages.SEAT_TOO_MANY.at(
                ("hands", hand.number, "cards", seat.letter),
                hand=hand.number + 1,
                seat=seat.title,
                count=played.bit_count(),
            )
            return


def _left_count(facts: Facts, seat: Seat) -> Iterator[Problem]:
    """What a player played and has left is thirteen; cards nobody wrote down may make up for what lacks."""
    cards = facts.record.left[seat.index]
    if cards is None:
        return
    place = ("left", seat.letter)
    played, left = facts.played[seat.index].bit_count(), len(cards)
    if left > LEFT_EACH_SIDE:
        yield messages.SIDE_LEFT_COUNT.at(place, side=seat.title, count=left)
    elif CARDS_EACH >= played > CARDS_EACH - left:
        yield messages.SEAT_LEFT_TOO_MANY.at(place, seat=seat.title, played=played, left=left)
    elif facts.dealer is not None and facts.deal is None:
        lost = CARDS_EACH - played - left
        if lost > 0 and lost > unplaced_cards(facts, seat.side):
            yield messages.SEAT_LEFT_TOO_FEW.at(place, seat=seat.title, played=played, left=left, lost=lost)


def unplaced_cards(facts: Facts, side: Side) -> int:
    """How many of the cards that a side played are not known by player."""
    return sum([0 if hand.is_placed else CARDS_IN_HAND for hand in facts.hands_of(side)])


def _dealt(facts: Facts, deal: Deal) -> Iterator[Problem]:
    """Where the deal is known: nobody plays, or has left, another player's cards."""
    for hand in facts.hands:
        if not (hand.strangers and hand.entry and hand.entry.by_seat):
            yield from _hand_dealt(hand, deal)
    for seat, cards in facts.record.known_left():
        for card in cards_of(cards.bits & ~deal[seat].bits):
            yield messages.LEFT_NOT_DEALT_TO.at(
                ("left", seat.letter), card=card.symbol, owner=owner(card, deal).title, seat=seat.title
            )


def _hand_dealt(hand: HandFacts, deal: Deal) -> Iterator[Problem]:
    if hand.by_seat is None or (not undealt(hand.by_seat, deal) and not hand.strangers):
        return
    place = ("hands", hand.number, "cards")
    if hand.entry and hand.entry.by_seat is None and hand.entry.line is None:
        # Nobody said who played these: the deal tells, and only the side can be wrong.
        for card in cards_of(hand.strangers):
            yield messages.NOT_DEALT_TO_SIDE.at(
                place,
                card=card.symbol,
                owner=owner(card, deal).title,
                side=hand.side.title if hand.side else "",
                hand=hand.number + 1,
            )
        return
    for seat in SEATS:
        for card in cards_of(hand.by_seat[seat.index] & ~deal[seat].bits):
            yield messages.NOT_DEALT_TO.at(
                (*place, seat.letter), card=card.symbol, owner=owner(card, deal).title, seat=seat.title
            )


def owner(card: Card, deal: Deal) -> Seat:
    """The seat that this card was dealt to."""
    return next(seat for seat, bits in zip(SEATS, owners(card.bit, deal), strict=True) if bits)


def _left_incomplete(facts: Facts, deal: Deal) -> Iterator[Problem]:
    """When all that a player played is known, so is all that must be left."""
    for seat, written in facts.record.known_left():
        if unplaced_cards(facts, seat.side) or facts.dealer is None:
            continue
        lacking = deal[seat].bits & ~facts.played[seat.index] & ~written.bits
        if lacking:
            cards = " ".join(card.symbol for card in cards_of(lacking))
            yield messages.LEFT_INCOMPLETE.at(("left", seat.letter), seat=seat.title, cards=cards)
