"""Deals of Kowah that a seat could be in: by what was discarded, taken, shown and declared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

from engine.errors import DealError
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.kowah.novice import drawn, thrown, worth
from engine.kowah.play import DECLARES, HAND, PACK, PILE, STOCK, Now, Setting, State, begun
from engine.packs import in_order, without
from engine.text import gettext_noop

#: How often nobody knows why a card was discarded.
ANY_CARD: Final = 0.1
#: So many discards that leave a hand nearest to checki are looked at.
NEAREST: Final = 4
TRIES: Final = 40
#: KO6: of a rank in a hand that is checki.
THREE: Final = 3
#: KO8: a card that a closed hand turned.
TURNED: Final = "turned"


class Event(NamedTuple):
    """What somebody drew or discarded; ``card`` is empty where the seat did not see it."""

    place: int
    token: str
    card: str
    before: Counter[str]
    """The cards that all who look on know this hand to have held before."""


class Seen(NamedTuple):
    """What a seat knows."""

    events: tuple[Event, ...]
    known: tuple[tuple[str, ...], ...]
    """The cards that each hand is known to hold."""
    sizes: tuple[int, ...]
    """How many more it has."""
    closed: tuple[str, ...]
    """KO8: the kind of each shown pair."""
    unseen: tuple[str, ...]


class KowahSampling(Sampling):
    """Deals that agree with the view: a hand that is closed is checki."""

    def sample(self, view: View, rng: random.Random) -> State:
        """KO12."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        hands, rest = _hands(seen, rng)
        setting = _setting(view, seen, hands, rest, rng)
        now = _now(view)
        taken = ""
        if view.history[-1:] == (PILE,):
            # KO5: whether it may be discarded, hangs on the hand.
            card = seen.events[-1].card
            taken = card if hands[now.turn].count(card) == 1 else ""
        return State(setting, view.history, now._replace(hands=tuple(map(in_order, hands)), taken=taken))

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """What a novice would do comes first; of all discards those that leave a hand nearest to checki."""
        own = _own(state)
        legal, now = own.legal(), own.now
        declares = [token for token in legal if DECLARES in token]
        if not now.has_drawn or len(legal) <= NEAREST:
            return legal
        hand, gone = now.hands[now.turn], Counter(now.pile)
        cards = [token for token in legal if DECLARES not in token]
        cards.sort(key=lambda card: worth(without(hand, (card,)) or (), gone), reverse=True)
        return (*declares, *cards[:NEAREST])

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Mostly what a novice does."""
        own = _own(state)
        legal, now = own.legal(), own.now
        if len(legal) == 1:
            return legal[0]
        hand = now.hands[now.turn]
        if not now.has_drawn:
            return drawn(hand, now.pile[-1])
        if rng.random() < ANY_CARD:
            return legal[int(rng.random() * len(legal))]
        return thrown(hand, legal, Counter(now.pile))


def _own(state: seam.State) -> State:
    if not isinstance(state, State):
        raise TypeError(state)
    return state


def _hands(seen: Seen, rng: random.Random) -> tuple[list[list[str]], list[str]]:
    """The hands, and what is left of the cards that nobody has seen, mixed."""
    places = [place for place, kind in enumerate(seen.closed) if kind and seen.sizes[place]]
    for _try in range(TRIES):
        left, hands = Counter(seen.unseen), [list(cards) for cards in seen.known]
        # One closed hand may take what another needs.
        for place in rng.sample(places, len(places)):
            more = _threes(hands[place], seen.closed[place], left, rng)
            hands[place] += more
            left -= Counter(more)
        if all(len(hands[place]) == HAND for place in places):
            break
    else:
        raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))
    rest = list(left.elements())
    rng.shuffle(rest)
    for place, size in enumerate(seen.sizes):
        if not seen.closed[place]:
            hands[place] += [rest.pop() for _card in range(size)]
    return hands, rest


def _threes(known: Sequence[str], kind: str, left: Counter[str], rng: random.Random) -> list[str]:
    """KO6: the cards that make a closed hand checki, each such hand as likely; none if there is none."""
    held = Counter(card[0] for card in known)
    held.subtract({kind[0]: 2})
    ranks = Counter(card[0] for card in left.elements())
    ways: dict[tuple[str, str], int] = {}
    for one, other in combinations_with_replacement(sorted(held.keys() | ranks.keys()), 2):
        needed = Counter({one: THREE}) + Counter({other: THREE})
        needed.subtract(held)
        if min(needed.values()) >= 0:
            count = 1
            for rank, size in needed.items():
                count *= comb(ranks[rank], size)
            if count:
                ways[one, other] = count
    if not ways:
        return []
    one, other = rng.choices(list(ways), list(ways.values()))[0]
    needed = Counter({one: THREE}) + Counter({other: THREE})
    needed.subtract(held)
    found: list[str] = []
    for rank, size in needed.items():
        found += rng.sample([card for card in left.elements() if card[0] == rank], size)
    return found


def _setting(
    view: Zones, seen: Seen, hands: Sequence[Sequence[str]], rest: Sequence[str], rng: random.Random
) -> Setting:
    """KO3: the deal from which these hands came, by taking back what was drawn and discarded, the last first."""
    held, stock = [list(hand) for hand in hands], list[str]()
    for event in reversed(seen.events):
        hand, card = held[event.place], event.card
        if event.token == TURNED:
            stock.append(card)
            continue
        if event.token not in {STOCK, PILE}:
            hand.append(card)
            continue
        if not card:
            spare = list((Counter(hand) - event.before).elements())
            card = spare[int(rng.random() * len(spare))]
        if event.token == STOCK:
            stock.append(card)
        hand.remove(card)
    return Setting(tuple(map(in_order, held)), (*reversed(stock), *rest), int(view.dealer) - 1)


@lru_cache(maxsize=64)
def _now(view: Zones) -> Now:
    """How the deal stands but for the hands: the same in every deal that agrees with the view."""
    seen, rng = _seen(view), random.Random(0)  # noqa: S311 (nobody’s secret)
    hands, rest = _hands(seen, rng)
    state = begun(_setting(view, seen, hands, rest, rng))
    for token in view.history:
        state = state.after(token)
    return state.now


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """Every draw and discard, and what each hand is known to hold in the end."""
    known: list[Counter[str]] = [Counter() for _seat in view.seats]
    closed, pile = [""] * len(known), list[str]()
    events = tuple(_events(view, known, closed, pile))
    hands = [
        Counter(zone.cards) if zone.seat == view.seat else known[place]
        for place, zone in enumerate(view.seats)
    ]
    gone = [*pile, *(card for hand in hands for card in hand.elements())]
    return Seen(
        events,
        tuple(tuple(hand.elements()) for hand in hands),
        tuple(zone.held - hand.total() for zone, hand in zip(view.seats, hands, strict=True)),
        tuple(closed),
        without(PACK, gone) or (),
    )


def _events(view: Zones, known: list[Counter[str]], closed: list[str], pile: list[str]) -> Iterator[Event]:
    """Each draw and discard; ``known``, ``closed`` and ``pile`` become what they are in the end."""
    turn, taken, draws = int(view.dealer) % len(known), "", iter(_texts(dict(view.options)["draws"]))
    for token in view.history:
        hand = known[turn]
        if token in {STOCK, PILE}:
            card = next(draws) if token == STOCK else pile.pop()
            if closed[turn]:
                yield Event(turn, TURNED, card, hand)
                pile.append(card)
                turn = (turn + 1) % len(known)
                continue
            yield Event(turn, token, card, hand.copy())
            taken = card if token == PILE else ""
            hand[card] += card != ""
            continue
        card, _mark, pair = token.partition(DECLARES)
        yield Event(turn, token, card, hand.copy())
        # KO5: who discards what was just taken holds another of its kind.
        hand[card] = max(hand[card] - 1, int(card == taken))
        if pair:
            closed[turn], hand[pair] = pair, max(hand[pair], 2)
        pile.append(card)
        turn, taken = (turn + 1) % len(known), ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


SAMPLING: Final = KowahSampling()
