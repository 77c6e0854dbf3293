"""The player: a robot that signals by its partnership's system, reads its partner, and counts what is gone.

As leader it gives a signal. Then both partners do the same: they think of hands that the other can hold, by what was
shown and by what is gone; look how the hand on the table could be completed with each; and play the card that is in the
best completions, or pass when waiting promises clearly more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import CardSet, card_of_bit
from engine.concerto.play import PASS, PLAY, Action
from engine.concerto.poker import STRAIGHTS
from engine.concerto.robots.own_hands import cores, singles
from engine.concerto.robots.position import Position
from engine.concerto.robots.registry import Robot
from engine.concerto.scoring import value_of_bits
from engine.concerto.signals.holdings import Core
from engine.concerto.signals.signalling import Signal, all_signals, reading
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import phase_of_hand
from engine.concerto.view import View
from engine.text import Word, gettext_noop

_SUIT: Final = 0x1FFF
#: The twos; shifted, the cards of another rank.
ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_RANKS: Final = tuple(ONE_RANK << rank for rank in range(13))
_SUITS: Final = tuple(_SUIT << 13 * suit for suit in range(4))
#: Every straight flush.
RUNS: Final = tuple(run << 13 * suit for suit in range(4) for run in STRAIGHTS)

#: R9: by the smaller number of a split.
_STRAIGHT_FLUSH: Final = (10, 15, 20)
_FOURS: Final = (8, 12, 16)
_FULL_HOUSE, _FLUSH, _STRAIGHT, _THREES, _TWO_PAIR = 8, 6, 5, 3, 2


class Table(NamedTuple):
    """The hand being played and the cards that can still go to it, as bits."""

    by_me: int
    by_partner: int
    mine: int
    theirs: int


class Completion(NamedTuple):
    """Points that can be made, and the cards that either partner plays for them."""

    points: int
    mine: int
    theirs: int


#: The same cards twice: what either partner plays when this player plays the most of them, and the fewest.
Shares = tuple[tuple[int, int], tuple[int, int]]


def completions(table: Table, cost: Mapping[int, float]) -> Iterator[Completion]:
    """The ways to complete the hand that are worth a thought; cheap cards are taken before dear ones."""
    played = table.by_me | table.by_partner
    to_play = 5 - played.bit_count()
    in_suit = [suit for suit in _SUITS if not played & ~suit]
    if in_suit:
        yield from _straight_flushes(table, played)
        yield from _flushes(table, in_suit, to_play, cost)
    yield from _straights(table, played, to_play)
    yield from _alike(table, played)


def _straight_flushes(table: Table, played: int) -> Iterator[Completion]:
    have = played | table.mine | table.theirs
    me = table.by_me | table.mine
    for run in RUNS:
        if run & have == run and run & played == played:
            mine = (run & me).bit_count()
            yield Completion(_STRAIGHT_FLUSH[min(mine, 5 - mine)], run & table.mine, run & table.theirs)


def _flushes(table: Table, suits: list[int], to_play: int, cost: Mapping[int, float]) -> Iterator[Completion]:
    for suit in suits:
        mine, theirs = table.mine & suit, table.theirs & suit
        count, other = mine.bit_count(), theirs.bit_count()
        if count + other < to_play:
            continue
        cheap = sorted(singles(mine), key=cost.__getitem__)
        least = max(0, to_play - other)
        for number in {least, min(count, to_play), min(count, (to_play + 1) // 2)}:
            if number >= least:
                yield Completion(_FLUSH, sum(cheap[:number]), lowest(theirs, to_play - number))


def _straights(table: Table, played: int, to_play: int) -> Iterator[Completion]:
    ranks = _ranks(played)
    if ranks.bit_count() != 5 - to_play:
        return
    mine, theirs = _ranks(table.mine), _ranks(table.theirs)
    for run in STRAIGHTS:
        if ranks & run == ranks and (ranks | mine | theirs) & run == run:
            needed = run & ~ranks
            own = needed & mine
            yield Completion(
                _STRAIGHT, _one_of_each(table.mine, own), _one_of_each(table.theirs, needed & ~own)
            )
            own = needed & ~theirs
            yield Completion(
                _STRAIGHT, _one_of_each(table.mine, own), _one_of_each(table.theirs, needed & ~own)
            )


def _alike(table: Table, played: int) -> Iterator[Completion]:
    """Fours, full houses, threes and two pair."""
    have = played | table.mine | table.theirs
    pairs = [rank for rank in _RANKS if (have & rank).bit_count() >= 2 and (played & ~rank).bit_count() <= 3]
    for rank in pairs:
        count, others = (have & rank).bit_count(), (played & ~rank).bit_count()
        if count < 3 or others > 2 or (three := _some(table, played, rank, 3)) is None:
            continue
        if count == 4 and others <= 1:
            mine = (rank & (table.by_me | table.mine)).bit_count()
            yield Completion(_FOURS[min(mine, 4 - mine)], rank & table.mine, rank & table.theirs)
        yield Completion(_THREES, *three[0])
        yield from _full_houses(table, played, rank, three, pairs)
    # With fewer cards on the table something better can always be made.
    if played.bit_count() >= 3:
        yield from _two_pairs(table, played, pairs)


def _full_houses(
    table: Table, played: int, rank: int, three: Shares, pairs: list[int]
) -> Iterator[Completion]:
    for other in pairs:
        if other != rank and not played & ~(rank | other):
            pair = _some(table, played, other, 2)
            if pair is not None:
                for mine, theirs in set(three):
                    for own, others in set(pair):
                        yield Completion(_FULL_HOUSE, mine | own, theirs | others)


def _two_pairs(table: Table, played: int, pairs: list[int]) -> Iterator[Completion]:
    for place, rank in enumerate(pairs):
        one = _some(table, played, rank, 2)
        for other in pairs[:place]:
            if (played & ~(rank | other)).bit_count() <= 1:
                two = _some(table, played, other, 2)
                if one is not None and two is not None:
                    yield Completion(_TWO_PAIR, one[0][0] | two[0][0], one[0][1] | two[0][1])


def _some(table: Table, played: int, rank: int, number: int) -> Shares | None:
    """So many cards of a rank: as many as possible of this player's, and as many as possible of the partner's."""
    needed = number - (played & rank).bit_count()
    if needed <= 0:
        return ((0, 0), (0, 0)) if needed == 0 else None
    mine, theirs = table.mine & rank, table.theirs & rank
    count, other = mine.bit_count(), theirs.bit_count()
    if count + other == needed:
        return ((mine, theirs), (mine, theirs))
    most, least = min(count, needed), max(0, needed - other)
    return (
        (lowest(mine, most), lowest(theirs, needed - most)),
        (lowest(mine, least), lowest(theirs, needed - least)),
    )


def lowest(bits: int, number: int) -> int:
    """So many of these cards."""
    if bits.bit_count() <= number:
        return bits
    taken = 0
    for _ in range(number):
        low = bits & -bits
        taken |= low
        bits ^= low
    return taken


def _one_of_each(cards: int, ranks: int) -> int:
    taken = 0
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        held = cards & rank * ONE_RANK
        taken |= held & -held
    return taken


def _ranks(bits: int) -> int:
    return (bits | bits >> 13 | bits >> 26 | bits >> 39) & _SUIT


#: By how many of its rank are held.
_OF_RANK: Final = (0.0, 0.3, 0.6, 1.0, 2.0)
#: By how many of the best run that it is part of are held, if the run can still be completed.
_OF_RUN: Final = (0.0, 0.0, 0.0, 0.5, 1.5, 1.5)
#: Each card of partner's, of whom less is known.
_THEIRS: Final = 0.5
#: Cards are dearer while more hands are to come.
_SCALE: Final = (0.4, 0.2)


class Costs(NamedTuple):
    """What it costs to play each card held (by its bit), and any card of the partner's."""

    own: dict[int, float]
    theirs: float

    def of(self, cards: int) -> float:
        """What playing these own cards costs."""
        return sum(map(self.own.__getitem__, singles(cards)))

    def net(self, completion: Completion) -> float:
        """The points of a completion, less what its cards cost."""
        points, mine, theirs = completion
        return points - self.theirs * theirs.bit_count() - self.of(mine)


def costs(position: Position) -> Costs:
    """The costs for the player of this position."""
    mine, unseen = position.mine, position.unseen
    to_come = position.my_leads + position.partner_leads
    if not to_come:
        return Costs(dict.fromkeys(singles(mine), 0.0), 0.0)
    scale = _SCALE[0] + _SCALE[1] * to_come
    runs = [
        (run, _OF_RUN[held])
        for run in RUNS
        if not run & ~(mine | unseen) and (held := (run & mine).bit_count()) >= 3
    ]
    own = {}
    for card in singles(mine):
        rank = _rank_of(card)
        value = _OF_RANK[(mine & rank).bit_count()]
        if not mine & rank & ~card:
            value *= (unseen & rank).bit_count() / 3
        own[card] = scale * (value + max((worth for run, worth in runs if run & card), default=0.0))
    return Costs(own, _THEIRS)


def _rank_of(card: int) -> int:
    """The four cards of this card's rank."""
    place = card.bit_length() - 1
    return ONE_RANK << place % 13


class Shown(NamedTuple):
    """A holding that partner may have shown: its weight, and the choices of cards that it takes, with how many."""

    weight: float
    choices: tuple[tuple[int, int], ...]


#: How many hands of partner's are thought of.
SAMPLES: Final = 16


def partner_hands(position: Position, system: System, number: int = SAMPLES) -> list[int]:
    """So many hands that the partner can hold now, as bits; always the same ones for the same position."""
    rng = random.Random(position.mine << 52 | position.on_table)  # noqa: S311
    unseen = position.unseen
    shown = _shown(position, system)
    cards = singles(unseen)
    hands = []
    weights = [each.weight for each in shown]
    for _ in range(number):
        held = 0
        if shown:
            for bits, need in rng.choices(shown, weights)[0].choices:
                held |= _some_of(bits & ~held, need, rng)
        more = position.partner_count - held.bit_count()
        if more > 0:
            rest = cards if not held else [card for card in cards if not card & held]
            held |= sum(rng.sample(rest, more))
        hands.append(lowest(held, position.partner_count) if more < 0 else held)
    return hands


def _some_of(bits: int, need: int, rng: random.Random) -> int:
    cards = singles(bits)
    return bits if len(cards) <= need else sum(rng.sample(cards, need))


def _shown(position: Position, system: System) -> list[Shown]:
    """What the partner, leading this hand, may have shown by its first two cards."""
    line = position.line
    if position.i_lead or len(line) < 3 or line[1].action is not PASS:
        return []
    first, second = line[0].action.card, line[2].action.card
    if first is None or line[2].action is PLAY:
        return []
    among = position.unseen | position.by_partner
    share = position.partner_count / max(1, position.unseen.bit_count())
    found = [
        _choices(core, position.by_partner, share)
        for meaning in reading(first, second, phase_of_hand(position.number), system)
        for core in meaning.cores(CardSet(among))
    ]
    # A partner with few cards left, and not every partner means what it shows.
    return [each for each in found if sum(need for _, need in each.choices) <= position.partner_count]


def _choices(core: Core, played: int, share: float) -> Shown:
    weight = 1.0
    choices = []
    for group in core:
        need = group.need - (group.bits & played).bit_count()
        if need > 0:
            bits = group.bits & ~played
            choices.append((bits, need))
            available = bits.bit_count()
            for step in range(need):
                weight *= share * (available - step) / (step + 1)
    return Shown(weight, tuple(choices))


def signalling(position: Position, system: System) -> Action | None:
    """The first card of the leader's signal, or the second; None when there is nothing to signal any more."""
    begun = position.before_my_cards()
    if position.by_partner or position.on_table.bit_count() > 1:
        return None
    signal = _best_signal(begun, system)
    if signal is None:
        return None
    if not position.line:
        return Action(signal.first.text)
    if position.by_me != signal.first.bit or len(position.line) != 2 or not position.may_pass:
        return None
    return Action(signal.second.text) if signal.second else PASS


# Asked before the first card and before the second, and it must be the same signal.
@lru_cache(maxsize=64)
def _best_signal(position: Position, system: System) -> Signal | None:
    found = list(all_signals(CardSet(position.mine), phase_of_hand(position.number), system))
    if len(found) < 2:
        return found[0] if found else None
    cost, hands = costs(position), partner_hands(position, system)
    return max(found, key=lambda signal: _promise(signal, position, cost, hands))


def _promise(signal: Signal, position: Position, cost: Costs, hands: list[int]) -> float:
    """What the hand comes to with these cards on the table, on average over what partner can hold."""
    shown = signal.first.bit | (signal.second.bit if signal.second else 0)
    rest = position.mine & ~shown
    total = sum(
        max((cost.net(each) for each in completions(Table(shown, 0, rest, theirs), cost.own)), default=0.0)
        for theirs in hands
    )
    return total - len(hands) * cost.of(shown)


#: How many points a pass must promise more than the best card. The leader has shown something and partner has not, so
#: the leader rather waits for partner to decide.
_LEADER_PREFERS, _PARTNER_PREFERS = 1.5, 0.5


class Promise(NamedTuple):
    """Points, as sums over the hands that partner can hold."""

    cards: dict[int, float]
    """For each card that can be played."""
    waiting: float
    """If partner plays the next card."""
    alone: int
    """In how many of those hands partner needs nobody to complete the hand best."""


def _decide(view: View, system: System) -> Action:
    position = Position.of(view)
    if position.i_lead and (signal := signalling(position, system)):
        return signal
    if position.may_pass and not position.i_lead and len(position.line) == 1:
        # The leader has not shown anything yet.
        return PASS
    cost, hands = costs(position), partner_hands(position, system)
    judge = _last_card if position.to_play == 1 else _next_card
    promise = judge(position, hands, cost)
    best = max(promise.cards, key=lambda card: (promise.cards[card], -cost.own[card], card))
    margin = _LEADER_PREFERS if position.i_lead else _PARTNER_PREFERS
    if position.may_pass and promise.waiting - margin * len(hands) > promise.cards[best]:
        return PLAY if promise.alone == len(hands) else PASS
    return Action(card_of_bit(best).text)


def _next_card(position: Position, hands: list[int], cost: Costs) -> Promise:
    """For each hand of partner's, the best completion with each card, and the best that takes a card of partner's."""
    formed = cores(position.on_table)
    least = float(formed[0].points) if formed else 0.0
    total = dict.fromkeys(cost.own, 0.0)
    waiting, alone = 0.0, 0
    for theirs in hands:
        best = {card: least - paid for card, paid in cost.own.items()}
        best_waiting, needs_me = least, True
        table = Table(position.by_me, position.by_partner, position.mine, theirs)
        for completion in completions(table, cost.own):
            net = cost.net(completion)
            for card in singles(completion.mine):
                best[card] = max(best[card], net)
            if completion.theirs and net > best_waiting:
                best_waiting, needs_me = net, completion.mine != 0
        for card, net in best.items():
            total[card] += net
        waiting += best_waiting
        alone += not needs_me
    return Promise(total, waiting, alone)


def _last_card(position: Position, hands: list[int], cost: Costs) -> Promise:
    """One card is missing: what each makes is certain."""
    by_me, by_partner = position.by_me, position.by_partner
    cards = {
        card: (value_of_bits(by_me | card, by_partner).points - paid) * len(hands)
        for card, paid in cost.own.items()
    }
    if not position.may_pass:
        return Promise(cards, 0.0, 0)
    made = {
        card: value_of_bits(by_me, by_partner | card).points - cost.theirs
        for card in singles(position.unseen)
    }
    return Promise(cards, sum(max(made[card] for card in singles(theirs)) for theirs in hands), 0)


PLAYER: Final = Robot(
    "player",
    Word(gettext_noop("Player")),
    Word(
        gettext_noop(
            "Signals by its pair’s system, works out its partner’s cards and counts the cards played."
        )
    ),
    _decide,
    percent=74,
)
