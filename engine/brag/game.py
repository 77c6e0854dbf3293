"""The three games of Brag as the rest of the service knows them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.brag import play
from engine.brag.for_learners import help_of
from engine.brag.hands import (
    KIND_NAMES,
    NINE,
    PACK,
    SEVEN,
    SIX,
    SIZE,
    Variant,
    grouped,
    patterns,
    strength,
    token_of,
)
from engine.brag.novice import Novice
from engine.brag.records import fault_of_total, read_written, with_sheet_checks, written
from engine.brag.sampling import BragSampling
from engine.cards import Card
from engine.game import CheckedSheet, Json, Options
from engine.game import values as seam
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal
from engine.game.zones import Composition, SeatZone, Zones
from engine.packs import Dealt, in_order, is_card, read_cards
from engine.text import Message, Word, gettext_noop
from engine.vying.pots import PotGame, ante_field, deals_field

#: How many deals the searcher plays on at a table, by how many hands are laid: dividing nine cards takes longest.
PLAYOUTS: Final = {2: 160, 3: 96}
#: BN14: what others see of hands that lie face down.
FACE_DOWN: Final = "laid"


class BragGame(PotGame[play.State]):
    """Brag with several hands, each alone."""

    at_table = range(3, 5)
    fields = (deals_field(12), ante_field(10))
    state_type = play.State

    def __init__(self, key: str, name: Word, most: int, variant: Variant) -> None:
        self.key, self.name, self.variant = key, name, variant
        self.players = range(2, most + 1)
        self.ranks, self.sorts_by_rank = variant.order, True
        self.sampling = BragSampling(variant)
        self.robots = (Novice(variant), Searcher(self.sampling, playouts=PLAYOUTS[variant.hands]))

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """BN3."""
        cards, size = rng.sample(PACK, len(PACK)), self.variant.cards
        hands = (in_order(cards[size * at : size * (at + 1)]) for at in range(len(self.seats(players))))
        return str(Dealt(tuple(hands)))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """BN4."""
        return str(play.read(text, len(self.seats(players)), self.variant))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """BN3 to BN6."""
        hands = play.read(text, players, self.variant).hands
        return play.begun(play.Setting(hands, dealer, self.variant, options["ante"], options.get("pot", 0)))

    def drawn(self, state: seam.State, chance: float) -> str:
        """BN7: nine cards can be laid in 280 ways."""
        played, variant = self.own(state), self.variant
        if played.place is None:
            return super().drawn(state, chance)
        ways = patterns(variant.cards, variant.hands)
        return token_of(grouped(played.setting.hands[played.place], ways[int(chance * len(ways))], variant))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """BN14."""
        played = self.own(state)
        setting = played.setting
        hand = setting.hands[played.place] if played.place is not None and seat == played.turn else ()
        laid = self.variant.hands * SIZE
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(setting.hands))),
            pot=setting.staked,
            compositions=(Composition("", Message(gettext_noop("Lay")), hand, laid, laid, heap=SIZE),)
            if hand
            else (),
            help=help_of(played) if not played.is_over else (),
            score=tuple(played.score().total.items()) if played.is_over else None,
            options=(("ante", setting.ante), ("pot", setting.pot)),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """BN14: the hands lie face down until the last has laid."""
        return token if seat is not None and seat == state.turn else FACE_DOWN

    def call_in_words(self, token: str) -> Message | None:
        """BN15."""
        if token == FACE_DOWN:
            return Message(gettext_noop("has laid"))
        hands = token.split("/")
        if not all(is_card(hand[at : at + 2]) for hand in hands for at in range(0, len(hand), 2)):
            return super().call_in_words(token)
        shown = "  ".join(" ".join(Card.parse(card).symbol for card in read_cards(hand)) for hand in hands)
        return Message(gettext_noop("lays %(hands)s"), {"hands": shown})

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """BN16."""
        return written(self.own(state))

    def read_written(
        self, data: object, seats: Sequence[str], options: Mapping[str, Any] | None, pot: int | None
    ) -> WrittenDeal:
        """BN16."""
        return read_written(data, seats, self.variant, options["ante"] if options else None, pot)

    def with_sheet_checks(self, checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
        """BN16."""
        return replace(checked, problems=(*checked.problems, *with_sheet_checks(checked)))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """BN12, BN16."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    if not played.is_over:
        return Message(gettext_noop("Lay your hands"))
    outcome = str(played.score().detail["outcome"])
    return Message(OUTCOMES[outcome])


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    """A seat's cards and hands; all hands lie open once the last has laid, or the one that decided the deal."""
    setting, own = played.setting, str(place + 1)
    hand, laid = setting.hands[place], played.laid_by.get(place, ())
    is_open = own == seat or (played.is_over and bool(laid))
    decides = played.now.is_dead and bool(
        setting.fours[place] or (not any(setting.fours) and setting.pairs[place])
    )
    lying = [card for each in laid for card in each]
    cards = in_order(card for card in hand if card not in lying) if own == seat else ()
    token = "/".join("".join(each) for each in laid)
    done = () if not laid else (token if own == seat else FACE_DOWN,)
    return SeatZone(
        own,
        len(hand) - len(lying) if is_open else len(hand),
        hand if decides else cards,
        melds=laid if is_open else (),
        notes=names_of(laid, setting.variant) if is_open else (),
        points=_won(played, place),
        stake=setting.ante,
        calls=done,
    )


def _won(played: play.State, place: int) -> int | None:
    """How many hands a seat has won, once they lie open."""
    if not played.is_over or played.now.is_dead:
        return None
    hands = [played.laid_by[each] for each in range(len(played.setting.hands))]
    return play.compared(hands, played.setting.variant)[0][place]


def names_of(hands: Sequence[tuple[str, ...]], variant: Variant) -> tuple[Message, ...]:
    """What each of these hands is called."""
    return tuple(Message(KIND_NAMES[strength(hand, variant.order)[0]]) for hand in hands)


OUTCOMES: Final = {
    play.WON: gettext_noop("The pot is won"),
    play.STAYS: gettext_noop("The pot stays"),
    play.FOUR_OF_A_KIND: gettext_noop("Four of a kind wins the pot at once"),
    play.FOUR_PAIRS: gettext_noop("Four pairs: the deal is dead, the pot stays"),
}

NINE_CARDS: Final = BragGame("brag-nine", Word(gettext_noop("Nine-card Brag")), 5, NINE)
SEVEN_CARDS: Final = BragGame("brag-seven", Word(gettext_noop("Seven-card Brag")), 7, SEVEN)
SIX_CARDS: Final = BragGame("brag-six", Word(gettext_noop("Six-card Brag")), 8, SIX)
