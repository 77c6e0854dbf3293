"""Deals that a seat of Pinochle could be in, by what all have seen: the melds, what was played and could not be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.errors import DealError
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import SeatZone, Zones
from engine.packs import Dealt, in_order, without
from engine.pinochle.melds import WORTH, melds_of
from engine.pinochle.play import (
    CLAIM,
    EXCHANGE,
    KEEP,
    PACK,
    PLACE,
    SEATS,
    SIDES,
    TRICKS,
    Now,
    Setting,
    State,
    after,
    side_of,
    start,
    with_hands,
)
from engine.pinochle.play import WORTH as POINTS
from engine.pinochle.tricks import CARDS, RANKS, winner
from engine.text import gettext_noop

#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.2
#: So many exchanges of two cards are tried to have all melds right, before other cards are dealt.
STEPS: Final = 400
TRIES: Final = 40


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows: of each seat, in their order, the twelve cards after the exchange as far as they are known."""

    known: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]
    """How many of the twelve are not known."""
    unseen: tuple[str, ...]
    barred: tuple[frozenset[str], ...]
    """PP14 to PP16: the cards that a seat cannot hold, as it played otherwise."""
    melds: tuple[Mapping[str, int], ...]
    """PP8: what each melded; empty before the melds."""
    dixes: tuple[int, ...]
    """PP7: how many nines of trumps each was dealt, once that is known."""
    exchanged: str
    played: tuple[tuple[str, ...], ...]


class PinochleSampling(Sampling):
    """Deals that agree with the view: no hand can hold a meld that it did not show."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PP23."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        hands = _dealt(seen, view.trump, rng)
        setting = _setting(view, seen, hands)
        held = tuple(without(hand, played) or () for hand, played in zip(hands, seen.played, strict=True))
        now = with_hands(_now(view), held, view.trump)
        if now.asking:
            # PP5: who else is asked follows from the hands.
            asked = [PLACE[seat] for seat in setting.asked]
            now = now._replace(asking=tuple(asked[asked.index(now.turn) :]))
        return State(setting, view.history, now)

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """PP21: a claim if it is right, and otherwise none."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal = state.legal()
        if CLAIM not in legal:
            return legal
        side = side_of(SEATS[state.now.turn])
        is_right = state.setting.before.get(side, 0) + state.made(side) >= state.target
        return (CLAIM,) if is_right else CARDS.texts(state.now.playable)

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Exchanges the nine; gives a partner points, takes tricks with points, keeps points from others."""
        if not isinstance(state, State):
            raise TypeError(state)
        if state.is_exchanging:
            return EXCHANGE
        now = state.now
        cards = CARDS.texts(now.playable)[::-1]
        if len(cards) == 1 or not now.laid or rng.random() < ANY_CARD:
            return cards[int(rng.random() * len(cards))]
        beats = bool(now.playable & CARDS.above[now.best])
        is_partners = now.taker % 2 == now.turn % 2
        if is_partners or (beats and CARDS.cards[now.best][1] != state.setting.trump):
            return max(cards, key=_points)
        return min(cards, key=_points)


def _points(card: str) -> int:
    return POINTS.get(card[0], 0)


def _setting(view: Zones, seen: Seen, hands: Sequence[tuple[str, ...]]) -> Setting:
    """PP5: the deal before the exchange, which is undone."""
    options = dict(view.options)
    up, dealt = str(options["up"]), list(hands)
    if seen.exchanged:
        one, dealer = SEATS.index(seen.exchanged), SEATS.index(view.dealer)
        dix = "9" + view.trump
        dealt[one] = in_order((*(without(dealt[one], (up,)) or ()), dix))
        dealt[dealer] = in_order((*(without(dealt[dealer], (dix,)) or ()), up))
    before, target = options["before"], options["target"]
    if not isinstance(before, tuple) or not isinstance(target, int):
        raise TypeError(view.options)
    totals = {side: int(str(points)) for side, points in zip(SIDES, before, strict=True)}
    return Setting(Dealt(tuple(dealt)), up, view.dealer, target, options["claims"] is True, totals)


@lru_cache(maxsize=64)
def _now(view: Zones) -> Now:
    """How the deal stands but for the hands: the same in every deal that agrees with the view."""
    seen = _seen(view)
    dealt = dealt_unseen(seen.unseen, seen.sizes, seen.barred, random.Random(0))  # noqa: S311
    hands = [in_order((*known, *cards)) for known, cards in zip(seen.known, dealt, strict=True)]
    state = start(_setting(view, seen, hands))
    for token in view.history:
        state = state.after(token)
    return state.now


def _dealt(seen: Seen, trump: str, rng: random.Random) -> list[tuple[str, ...]]:
    """The twelve cards of each seat after the exchange, their melds being those that were shown."""
    for _try in range(TRIES):
        drawn = [[*cards] for cards in dealt_unseen(seen.unseen, seen.sizes, seen.barred, rng)]
        wrong = [_wrong(seen, trump, drawn, place) for place in range(len(SEATS))]
        for _step in range(STEPS if sum(wrong) else 0):
            _exchanged(seen, trump, drawn, wrong, rng)
            if not sum(wrong):
                break
        if not sum(wrong):
            return [in_order((*known, *cards)) for known, cards in zip(seen.known, drawn, strict=True)]
    raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))


def _exchanged(seen: Seen, trump: str, drawn: list[list[str]], wrong: list[int], rng: random.Random) -> None:
    """Two unknown cards change places, one of them in a hand with a wrong meld, unless more would be wrong then."""
    one = rng.choice([place for place, faults in enumerate(wrong) if faults and drawn[place]] or [0])
    other = rng.choice([place for place in range(len(SEATS)) if place != one and drawn[place]] or [one])
    if not drawn[one] or not drawn[other]:
        return
    here, there = rng.randrange(len(drawn[one])), rng.randrange(len(drawn[other]))
    if drawn[other][there] in seen.barred[one] or drawn[one][here] in seen.barred[other]:
        return
    drawn[one][here], drawn[other][there] = drawn[other][there], drawn[one][here]
    found = _wrong(seen, trump, drawn, one), _wrong(seen, trump, drawn, other)
    if sum(found) > wrong[one] + wrong[other]:
        drawn[one][here], drawn[other][there] = drawn[other][there], drawn[one][here]
    else:
        wrong[one], wrong[other] = found


def _wrong(seen: Seen, trump: str, drawn: Sequence[Sequence[str]], place: int) -> int:
    """How many melds this hand would have more or fewer than it showed; 0 before the melds."""
    if not seen.sizes[place] or not seen.dixes:
        return 0
    found = melds_of((*seen.known[place], *drawn[place]), trump, seen.dixes[place])
    shown = seen.melds[place]
    return sum(abs(found.get(name, 0) - shown.get(name, 0)) for name in found.keys() | shown.keys())


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    up, dix = str(dict(view.options)["up"]), "9" + view.trump
    zones = {zone.seat: zone for zone in view.seats}
    answered = {seat: zones[seat].calls[:1] for seat in SEATS}
    exchanged = next((seat for seat in SEATS if answered[seat] == (EXCHANGE,)), "")
    played, barred = _played(view)
    is_exchanging = bool(view.upcard)
    known, melds, dixes = [], [], []
    for seat in SEATS:
        names = Counter(name for name in zones[seat].calls if name in WORTH)
        count = names["dix"] - (seat == exchanged) + (seat == view.dealer and exchanged != "")
        certain = Counter(_shown(zones[seat])) + Counter(played[seat])
        if up != dix and seat == (exchanged or view.dealer):
            certain |= Counter((up,))
        certain[dix] = count
        if is_exchanging:
            asked = answered[seat] == (KEEP,) or seat == view.turn
            certain = Counter({dix: int(asked)}) + Counter([up] * (seat == view.dealer))
        melds.append(names)
        dixes.append(names["dix"])
        own = (*zones[seat].cards, *played[seat]) if seat == view.seat else tuple(certain.elements())
        known.append(in_order(own))
    if is_exchanging:
        barred = _not_asked(view, answered, dix)
    left = Counter(PACK)
    left.subtract(card for cards in known for card in cards)
    return Seen(
        tuple(known),
        tuple(TRICKS - len(cards) for cards in known),
        tuple(left.elements()),
        tuple(barred[seat] for seat in SEATS),
        tuple(melds),
        () if is_exchanging else tuple(dixes),
        exchanged,
        tuple(tuple(played[seat]) for seat in SEATS),
    )


def _shown(zone: SeatZone) -> tuple[str, ...]:
    return zone.melds[0] if zone.melds else ()


def _not_asked(view: Zones, answered: Mapping[str, tuple[str, ...]], dix: str) -> dict[str, frozenset[str]]:
    """PP6: who was passed over in the exchange holds no nine of trumps."""
    found = dict.fromkeys(SEATS, frozenset[str]())
    for step in (1, 2, 3):
        seat = after(view.dealer, step)
        if seat == view.turn:
            break
        if not answered[seat]:
            found[seat] = frozenset((dix,))
    return found


def _played(view: Zones) -> tuple[dict[str, list[str]], dict[str, frozenset[str]]]:
    """What each has played, and what they cannot hold besides, as they played otherwise."""
    played: dict[str, list[str]] = {seat: [] for seat in SEATS}
    barred = dict.fromkeys(SEATS, frozenset[str]())
    turn, trick = after(view.dealer), list[tuple[str, str]]()
    for card in view.history:
        if card in {EXCHANGE, KEEP, CLAIM}:
            continue
        barred[turn] |= _cannot_hold(trick, card, view.trump)
        played[turn].append(card)
        trick.append((turn, card))
        turn = after(turn)
        if len(trick) == len(SEATS):
            turn = winner(trick, view.trump)[0]
            trick = []
    return played, barred


def _cannot_hold(trick: Sequence[tuple[str, str]], card: str, trump: str) -> frozenset[str]:
    """PP14 to PP16: what a seat that plays this card does not hold."""
    if not trick:
        return frozenset()
    led, best = trick[0][1][1], winner(trick, trump)[1]
    gone = set() if card[1] == led else {rank + led for rank in RANKS}
    if card[1] == trump and best[1] == trump and RANKS.index(card[0]) >= RANKS.index(best[0]):
        gone |= {rank + trump for rank in RANKS[: RANKS.index(best[0])]}
    elif card[1] not in {led, trump}:
        gone |= {rank + trump for rank in RANKS}
    return frozenset(gone)


SAMPLING: Final = PinochleSampling()
