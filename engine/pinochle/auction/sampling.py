"""Deals that a seat of Auction Pinochle could be in: by what was bid, shown and played, and could not be followed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.errors import DealError
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS, in_order, without
from engine.pinochle.auction.melds import auction_melds, auction_points, melded_cards
from engine.pinochle.auction.novice import WIDOW_ADDS, best_trump, by_cost, called, played, promise
from engine.pinochle.auction.play import (
    ACTIVE,
    BURIED,
    BURYING,
    LOWEST,
    NAMING,
    PASS,
    PLAY,
    STEP,
    THROW,
    WIDOW,
    WORTH,
    Now,
    Setting,
    State,
    active_seats,
    begun,
    with_hands,
)
from engine.pinochle.play import PACK
from engine.pinochle.tricks import RANKS, winner
from engine.text import gettext_noop

#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.1
#: So many cards that can best be spared are looked at when burying.
SPARED: Final = 6
#: Of so many deals the one is taken in which everybody bid most as a novice would.
BEFORE_THE_WIDOW: Final = 6
#: So many exchanges of two cards are tried to have the bidder's melds right, before other cards are dealt.
STEPS, TRIES = 300, 40
#: AP8: a card of the widow, as it is dealt.
_WIDOW: Final = "*"


class Seen(NamedTuple):
    """What a seat knows. The places are the seats, in their order, and one more for what was buried."""

    known: tuple[tuple[str, ...], ...]
    """The cards that each place is known to hold, or to have held after burying."""
    sizes: tuple[int, ...]
    """How many more it has."""
    free: tuple[str, ...]
    """All other cards; those of the widow, which the bidder holds or has buried, with a mark."""
    barred: tuple[frozenset[str], ...]
    bidder: int
    shown: Counter[str]
    """AP21: what the bidder has melded in all."""
    has_melded: bool
    played: tuple[tuple[str, ...], ...]


class AuctionSampling(Sampling):
    """Deals that agree with the view: the bidder has melded all that could be."""

    def sample(self, view: View, rng: random.Random) -> State:
        """AP21."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        tries = 1 if view.trump else BEFORE_THE_WIDOW
        deals = [_dealt(seen, view.trump, rng) for _try in range(tries)]
        cards = deals[0] if tries == 1 else min(deals, key=lambda each: _surprise(view, each))
        setting = _setting(view, seen, cards)
        hands = tuple(without(hand, gone) or () for hand, gone in zip(cards, seen.played, strict=False))
        buried = _in_time(view, cards[-1]) if seen.bidder >= 0 and view.trump else ()
        worth = sum(WORTH[card[0]] for card in buried)
        now = _now(view)
        meld = 0
        if len(buried) == WIDOW:
            meld = auction_points((*hands[seen.bidder], *seen.played[seen.bidder]), view.trump)
        now = with_hands(now, hands)._replace(buried=buried, cards=now.cards + worth, meld=meld)
        return State(setting, _history(view, buried), now)

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """The next bid only; of cards to bury those that can best be spared; what a novice would do comes first."""
        own = _own(state)
        now, legal = own.now, own.legal()
        if now.phase == NAMING:
            hand = now.hands[now.turn]
            return (*sorted(SUITS, key=lambda suit: -promise(hand, suit)), THROW)
        if now.phase == BURYING:
            return by_cost(now.hands[now.turn], now.trump)[:SPARED]
        bids = [token for token in legal if token.isdecimal()]
        if bids:
            return (*(token for token in legal if token == PASS), bids[0])
        if now.phase != PLAY:
            return legal
        first = played(legal, own.trick, now.trump)
        return (first, *(card for card in legal if card != first))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Mostly what a novice does; the two against the bidder give each other points."""
        own = _own(state)
        now, legal = own.now, own.legal()
        if len(legal) == 1:
            return legal[0]
        hand = now.hands[now.turn]
        if now.phase == BURYING:
            return by_cost(hand, now.trump)[0]
        if not now.trump:
            return called(hand, legal, now.bid)
        if rng.random() < ANY_CARD:
            return legal[int(rng.random() * len(legal))]
        if now.turn != now.bidder and len(now.laid) == ACTIVE - 1 and now.taker != now.bidder:
            return max(legal, key=lambda card: (card[1] != now.trump, WORTH[card[0]]))
        return played(legal, own.trick, now.trump)


def _surprise(view: Zones, cards: Sequence[tuple[str, ...]]) -> int:
    """By how many points others bid more, or passed with more, than their hands promise."""
    order, found, bid = list(active_seats(len(view.seats), int(view.dealer) - 1)), 0, LOWEST - STEP
    hopes: dict[int, int] = {}
    for token in view.history:
        if token != PASS and not token.isdecimal():
            break
        place = order.pop(0)
        if token != PASS:
            bid, order = int(token), [*order, place]
        if view.seats[place].cards:
            continue
        if place not in hopes:
            hopes[place] = promise(cards[place], best_trump(cards[place]))
        hoped = hopes[place] + WIDOW_ADDS
        found += max(0, hoped - bid - STEP if token == PASS else bid - hoped)
    return found


def _setting(view: Zones, seen: Seen, cards: Sequence[tuple[str, ...]]) -> Setting:
    """AP3: the deal before the widow was turned, its three cards again apart."""
    hands, options = list(cards[:-1]), dict(view.options)
    widow = view.layout[0] if view.layout else cards[-1]
    if view.layout and seen.bidder >= 0:
        hands[seen.bidder] = without(in_order((*hands[seen.bidder], *cards[-1])), widow) or ()
    return Setting(
        tuple(hands), widow, int(view.dealer) - 1, options["forced"] is True, options["kitty"] is True
    )


def _in_time(view: Zones, buried: tuple[str, ...]) -> tuple[str, ...]:
    """What was buried, in the order in which the seat saw it, if it did."""
    own = _buried_tokens(view)
    return own if own and own[0] != BURIED else buried


def _buried_tokens(view: Zones) -> tuple[str, ...]:
    """The actions of burying as the seat saw them."""
    first = next((at + 1 for at, token in enumerate(view.history) if token in SUITS), len(view.history))
    return view.history[first : first + WIDOW]


def _history(view: Zones, buried: Sequence[str]) -> tuple[str, ...]:
    left = iter(buried)
    return tuple(next(left) if token == BURIED else token for token in view.history)


@lru_cache(maxsize=64)
def _now(view: Zones) -> Now:
    """How the deal stands but for hands and what was buried: the same in every deal that agrees with the view."""
    seen = _seen(view)
    cards = _dealt(seen, view.trump, random.Random(0))  # noqa: S311 (nobody’s secret)
    buried = _in_time(view, cards[-1]) if view.trump else ()
    state = begun(_setting(view, seen, cards))
    for token in _history(view, buried):
        state = state.after(token)
    return state.now._replace(cards=state.now.cards - sum(WORTH[card[0]] for card in buried))


def _dealt(seen: Seen, trump: str, rng: random.Random) -> list[tuple[str, ...]]:
    """The cards of each place, those played included, the bidder's melds being those that were shown."""
    for _try in range(TRIES):
        drawn = [[*cards] for cards in dealt_unseen(seen.free, seen.sizes, seen.barred, rng)]
        wrong = _wrong(seen, trump, drawn)
        for _step in range(STEPS if wrong else 0):
            wrong = _exchanged(seen, trump, drawn, wrong, rng)
            if not wrong:
                break
        if not wrong:
            return [
                in_order((*known, *(card[:2] for card in cards)))
                for known, cards in zip(seen.known, drawn, strict=True)
            ]
    raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))


def _exchanged(seen: Seen, trump: str, drawn: list[list[str]], wrong: int, rng: random.Random) -> int:
    """An unknown card of the bidder and another change places, unless more would be wrong then; what is wrong now."""
    one = seen.bidder
    other = rng.choice([place for place, cards in enumerate(drawn) if cards and place != one] or [one])
    if other == one or not drawn[one]:
        return wrong
    here, there = rng.randrange(len(drawn[one])), rng.randrange(len(drawn[other]))
    mine, theirs = drawn[one][here], drawn[other][there]
    if theirs in seen.barred[one] or mine in seen.barred[other]:
        return wrong
    drawn[one][here], drawn[other][there] = theirs, mine
    found = _wrong(seen, trump, drawn)
    if found > wrong:
        drawn[one][here], drawn[other][there] = mine, theirs
        return wrong
    return found


def _wrong(seen: Seen, trump: str, drawn: Sequence[Sequence[str]]) -> int:
    """How many melded cards the bidder would have shown too many or too few of."""
    if not seen.has_melded:
        return 0
    cards = (*seen.known[seen.bidder], *(card[:2] for card in drawn[seen.bidder]))
    found = Counter(melded_cards(auction_melds(cards, trump), trump))
    return ((found - seen.shown) + (seen.shown - found)).total()


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    options, places = dict(view.options), range(len(view.seats))
    bidder = int(str(options["bidder"])) - 1 if options["bidder"] and view.layout else -1
    shown = Counter(_texts(options["shown"]))
    cards, barred = _plays(view, bidder)
    buried = _buried_tokens(view)
    own = tuple(card for card in buried if card != BURIED)
    known: list[Counter[str]] = []
    for place, zone in zip(places, view.seats, strict=True):
        certain = Counter(cards[place])
        if zone.seat == view.seat:
            certain += Counter(zone.cards)
        elif place == bidder:
            certain |= shown
        known.append(certain)
    known.append(Counter(own))
    held = [zone.held + len(cards[place]) for place, zone in zip(places, view.seats, strict=True)]
    apart = len(buried) if view.layout else WIDOW
    sizes = [size - certain.total() for size, certain in zip((*held, apart), known, strict=True)]
    left = Counter(PACK)
    left.subtract(card for certain in known for card in certain.elements())
    widow: Counter[str] = Counter()
    if bidder >= 0 and sizes[bidder] + sizes[-1]:
        widow = Counter(view.layout[0]) - known[bidder] - known[-1]
    return Seen(
        tuple(tuple(certain.elements()) for certain in known),
        tuple(sizes),
        (*(left - widow).elements(), *(card + _WIDOW for card in widow.elements())),
        tuple(_with_widow(barred, bidder, widow)),
        bidder,
        shown,
        len(buried) == WIDOW,
        tuple(map(tuple, cards)),
    )


def _with_widow(
    barred: Sequence[frozenset[str]], bidder: int, widow: Collection[str]
) -> Iterator[frozenset[str]]:
    """The bars with those for the cards of the widow; none for what was buried."""
    for place, cards in enumerate(barred):
        gone = {card for card in widow if place != bidder or card in cards}
        yield cards | {card + _WIDOW for card in gone}
    yield frozenset()


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


def _plays(view: Zones, bidder: int) -> tuple[list[list[str]], list[frozenset[str]]]:
    """What each has played, and what they cannot hold besides, as they played otherwise."""
    played_by = [list[str]() for _seat in view.seats]
    barred = [frozenset[str]() for _seat in view.seats]
    first = next((at for at, token in enumerate(view.history) if token in SUITS), len(view.history))
    order = active_seats(len(view.seats), int(view.dealer) - 1)
    turn, trick = bidder, list[tuple[str, str]]()
    for card in view.history[first + 1 + WIDOW :]:
        barred[turn] |= _cannot_hold(trick, card, view.trump)
        played_by[turn].append(card)
        trick.append((str(turn), card))
        turn = order[(order.index(turn) + 1) % ACTIVE]
        if len(trick) == ACTIVE:
            turn, trick = int(winner(trick, view.trump)[0]), []
    return played_by, barred


def _cannot_hold(trick: Sequence[tuple[str, str]], card: str, trump: str) -> frozenset[str]:
    """AP13: what a seat that plays this card does not hold."""
    if not trick:
        return frozenset()
    led, best = trick[0][1][1], winner(trick, trump)[1]
    gone = set() if card[1] == led else {rank + led for rank in RANKS}
    if card[1] == trump and best[1] == trump and RANKS.index(card[0]) >= RANKS.index(best[0]):
        gone |= {rank + trump for rank in RANKS[: RANKS.index(best[0])]}
    elif card[1] not in {led, trump}:
        gone |= {rank + trump for rank in RANKS}
    return frozenset(gone)


def _own(state: seam.State) -> State:
    if not isinstance(state, State):
        raise TypeError(state)
    return state


SAMPLING: Final = AuctionSampling()
