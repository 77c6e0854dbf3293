"""A deal of Fünfzehnern being played: following suit, the bound lead and the Zwang (FZ1 to FZ8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.card_bits import CardBits
from engine.errors import ActionError
from engine.game.values import Json, Points
from engine.packs import SUITS, Dealt, read_deal
from engine.states import Played, kept, made
from engine.text import Word, gettext_noop

CARDS: Final = CardBits("789TJQKA")
HAND: Final = 8
#: FZ8: fifteen in each suit.
WORTH: Final = {"A": 5, "K": 4, "Q": 3, "J": 2, "T": 1}
POINTS: Final = tuple(WORTH.get(card[0], 0) for card in CARDS.cards)
PAR: Final = 15
#: FZ1: the suit that three players leave out.
LEFT_OUT: Final = "c"
MOST_PLAYERS: Final = 4
_RANKS: Final = CARDS.ranks
_KINGS: Final = CARDS.bits_of("K" + suit for suit in SUITS)
_QUEEN, _KING, _ACE = (CARDS.cards[:_RANKS].index(rank + "s") for rank in "QKA")
#: FZ12: a queen, led with Zwang.
ZWANG: Final = "!"
ZWANGS: Final = tuple(f"Q{suit}{ZWANG}" for suit in "shdc")
SUIT_NAMES: Final = (
    gettext_noop("spades"),
    gettext_noop("hearts"),
    gettext_noop("diamonds"),
    gettext_noop("clubs"),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with: the hands as sets, by seat, and the dealer's place."""

    hands: tuple[int, ...]
    dealer: int


class Now(NamedTuple):
    """How a deal stands. Seats are places, cards numbers; ``best`` is the place in the trick of the best card."""

    hands: tuple[int, ...]
    turn: int
    trick: tuple[int, ...] = ()
    best: int = 0
    bond: int = -1
    """FZ5: the suit that the leader is bound to; -1: none."""
    ace: int = -1
    """FZ7: the ace that must be played to this trick; -1: none."""
    played: int = 0
    taken: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    kings: int = 0
    """FZ7: the kings that a Zwang has shown."""


def pack_of(players: int) -> tuple[str, ...]:
    """FZ1."""
    return tuple(card for card in CARDS.pack if players == MOST_PLAYERS or card[1] != LEFT_OUT)


def read(text: str, players: int) -> Dealt:
    """FZ3. Raises DealError."""
    return read_deal(text, pack_of(players), (HAND,) * players)


def start(text: str, players: int, dealer: int) -> State:
    """FZ4. Raises DealError."""
    return begun(Setting(tuple(map(CARDS.bits_of, read(text, players).hands)), dealer))


def begun(setting: Setting) -> State:
    """FZ4: the dealer's left leads."""
    players = len(setting.hands)
    return State(setting, (), Now(setting.hands, (setting.dealer + 1) % players, taken=(0,) * players))


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """After the last trick."""
        return len(self.now.won) == HAND

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else str(self.now.turn + 1)

    @kept
    def playable(self) -> int:
        """FZ4 to FZ7: the cards that may be played, as a set."""
        now = self.now
        hand = now.hands[now.turn]
        if now.trick:
            if now.ace >= 0 and hand >> now.ace & 1:
                return 1 << now.ace
            return hand & CARDS.suit_of[now.trick[0]] or hand
        bound = hand & CARDS.in_suit[now.bond] if now.bond >= 0 else 0
        if not bound:
            return hand
        for suit in CARDS.in_suit:
            out = suit & ~(now.played | hand)
            bound |= hand & suit & -(1 << out.bit_length())
        return bound

    def _may_force(self, suit: int) -> bool:
        """FZ7: king and queen in hand, the ace with another player, and the queen may be led."""
        now, first = self.now, suit * _RANKS
        hand = now.hands[now.turn]
        ace = 1 << first + _ACE
        both = 1 << first + _QUEEN | 1 << first + _KING
        is_out = (now.played | hand) & ace or (first // _RANKS == 3 and len(now.hands) < MOST_PLAYERS)
        return (
            not now.trick and hand & both == both and not is_out and bool(self.playable >> first + _QUEEN & 1)
        )

    def legal(self) -> tuple[str, ...]:
        """The cards that may be played, weak ones first, and queens with Zwang."""
        now = self.now
        cards = CARDS.texts(self.playable)
        hand = now.hands[now.turn]
        if now.trick or not hand & hand << 1 & _KINGS:
            return cards
        return (*cards, *(token for suit, token in enumerate(ZWANGS) if self._may_force(suit)))

    def verify(self, token: str) -> None:
        """FZ4 to FZ7, FZ11."""
        card = CARDS.number.get(token, -1)
        if card >= 0 and self.playable >> card & 1:
            return
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token in ZWANGS:
            if not self._may_force(ZWANGS.index(token)):
                raise self._no_zwang(token)
            return
        if card < 0:
            template = gettext_noop("“%(given)s” isn’t an action in this game.")
            raise ActionError("token", template, given=token)
        now = self.now
        if not now.hands[now.turn] >> card & 1:
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        if not now.trick:
            raise self._is_bound(token)
        if now.ace >= 0 and now.hands[now.turn] >> now.ace & 1:
            raise ActionError("must-play-ace", gettext_noop("Zwang: you must play the ace."), given=token)
        template = gettext_noop("You must follow suit: you have the suit that was led.")
        raise ActionError("must-follow", template, given=token)

    def _is_bound(self, token: str) -> ActionError:
        template = gettext_noop("You’re bound to %(suit)s: lead that suit, or a card that nobody can beat.")
        return ActionError("bound", template, given=token, suit=Word(SUIT_NAMES[self.now.bond]))

    def _no_zwang(self, token: str) -> ActionError:
        now, card = self.now, CARDS.number[token[:2]]
        hand = now.hands[now.turn]
        if now.trick:
            return ActionError(
                "phase", gettext_noop("You can only announce Zwang when you lead."), given=token
            )
        if hand >> card & 1 and not self.playable >> card & 1:
            return self._is_bound(token)
        template = gettext_noop("For Zwang you need king and queen, and somebody else must hold the ace.")
        return ActionError("no-zwang", template, given=token)

    def apply(self, token: str) -> State:
        """The state after this card."""
        self.verify(token)
        return self.after(token)

    def after(self, token: str) -> State:
        """The state after a card that was allowed."""
        return State(self.setting, self.history + (token,), self._next(token))  # noqa: RUF005 (quicker)

    def _next(self, token: str) -> Now:
        """FZ4, FZ5, FZ7, FZ8."""
        hands, turn, trick, best, bond, ace, played, taken, won, kings = self.now
        card = CARDS.number[token[:2]]
        players = len(hands)
        hands = (*hands[:turn], hands[turn] ^ 1 << card, *hands[turn + 1 :])
        if len(token) > 2:
            ace, kings = card - _QUEEN + _ACE, kings | 1 << card - _QUEEN + _KING
        if not trick:
            best = 0
        elif CARDS.above[trick[best]] >> card & 1:
            best = len(trick)
        trick, played = (*trick, card), played | 1 << card
        if len(trick) < players:
            turn = (turn + 1) % players
            return made(Now, (hands, turn, trick, best, bond, ace, played, taken, won, kings))
        winner = (turn + 1 + best) % players
        points = taken[winner] + sum([POINTS[each] for each in trick])
        if best:
            bond = trick[0] // _RANKS
        taken = (*taken[:winner], points, *taken[winner + 1 :])
        return Now(hands, winner, (), 0, bond, -1, played, taken, (*won, winner), kings)

    def score(self) -> Points:
        """FZ8. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        taken = {str(place + 1): points for place, points in enumerate(self.now.taken)}
        detail: dict[str, Json] = {
            "taken": taken,
            "tricks": "".join(str(place + 1) for place in self.now.won),
        }
        return Points({seat: points - PAR for seat, points in taken.items()}, detail)
