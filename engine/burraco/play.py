"""A deal of Burraco being played: drawing, melding, discarding, pozzetti, the end and the score (BU3 to BU17)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.burraco.melds import (
    CARDS,
    PACK,
    VALUE,
    Meld,
    extended,
    is_wild,
    meld_of,
    new_melds,
    takes,
    why_no_meld,
)
from engine.errors import ActionError, CardError, DealError
from engine.game.values import Json, Points
from engine.packs import Dealt, in_order, read_cards, read_deal, without
from engine.states import Played, kept
from engine.text import gettext_noop

SEATS: Final = ("N", "E", "S", "W")
SIDES: Final = {"NS": ("N", "S"), "EW": ("E", "W")}
SIDE_KEYS: Final = tuple(SIDES)
#: BU3.
SIZE: Final = 11
DRAW, TAKE = "draw", "take"
#: How a composition begins: cards for a new meld, or a card for the meld of that number ("9s>2" is written "2<9s").
NEW, ON = "+", "<"
#: BU15.
LEFT_IN_STOCK: Final = 2
STALEMATE: Final = 4
CLOSED, OUT_OF_STOCK, DEADLOCK = "closed", "stock", "stalemate"
#: BU16.
CLEAN, SEMI_CLEAN, DIRTY, CLOSING, NO_POZZETTO = 200, 150, 100, 100, -100
_ON_MELD: Final = re.compile(r"(\d{1,3})<(.*)|(.{2})>(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with, besides its cards."""

    dealer: str
    semi_clean: bool = False
    up: str = ""
    """BU3: the card with which the pile began."""


class Now(NamedTuple):
    """How a deal stands. Seats are their places in ``SEATS``; sides are 0 and 1."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    pile: tuple[str, ...]
    """BU11: the discards, the last one on top."""
    pozzetti: tuple[tuple[str, ...], ...]
    """BU13: those that nobody has taken, the next one first."""
    turn: int
    has_drawn: bool = False
    melds: tuple[tuple[Meld, ...], ...] = ((), ())
    took: tuple[int, int] = (-1, -1)
    """By side: who took its pozzetto."""
    down: tuple[tuple[str, ...], ...] = ((), (), (), ())
    """By seat: a pozzetto that lies face down."""
    barred: str = ""
    """BU12: the card that may not be discarded in this turn."""
    is_idle: bool = False
    """BU15: whether this turn took a pile of one card and has laid nothing."""
    idle: int = 0
    """BU15: how many turns in a row did that."""
    ended: str = ""
    closer: int = -1


def read(text: str) -> Dealt:
    """BU21. Raises DealError."""
    return read_deal(text, PACK, (SIZE,) * 4)


def start(text: str, dealer: str, *, semi_clean: bool = False) -> State:
    """BU3, BU11: the deal before the first turn. Raises DealError."""
    dealt = read(text)
    if dealer not in SEATS:
        template = gettext_noop("“%(given)s” isn’t a seat. Write N, E, S or W.")
        raise DealError("seat-unknown", template, given=dealer)
    rest = dealt.stock
    pozzetti = (in_order(rest[:SIZE]), in_order(rest[SIZE : 2 * SIZE]))
    stock, up = rest[2 * SIZE + 1 :], rest[2 * SIZE : 2 * SIZE + 1]
    now = Now(dealt.hands, stock, up, pozzetti, (SEATS.index(dealer) + 1) % 4)
    return State(Setting(dealer, semi_clean, up[0]), (), now)


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """BU15."""
        return bool(self.now.ended)

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else SEATS[self.now.turn]

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards of the seat on turn."""
        return self.now.hands[self.now.turn]

    @property
    def side(self) -> int:
        """The side on turn."""
        return self.now.turn % 2

    @property
    def has_pozzetto(self) -> bool:
        """BU13, BU14: whether the side on turn has taken its pozzetto."""
        return self.now.took[self.side] >= 0

    @kept
    def discards(self) -> tuple[str, ...]:
        """BU11 to BU14: the cards that may be discarded now, equal ones once."""
        hand = self.hand
        if len(hand) == 1:
            return hand if self._why_not_discard(hand[0]) is None else ()
        barred = self.now.barred
        return tuple([card for card in dict.fromkeys(hand) if card != barred])

    @kept
    def extensions(self) -> tuple[tuple[str, int], ...]:
        """BU5 to BU8, BU14: cards of the hand and the meld, from 0, on which each may be laid."""
        hand = dict.fromkeys(self.hand)
        return tuple(
            (card, number)
            for number, meld in enumerate(self.now.melds[self.side])
            if not (on := takes(meld)).isdisjoint(hand)
            for card in hand
            if card in on and self._may_lay((card,), number)
        )

    @kept
    def layings(self) -> tuple[Meld, ...]:
        """BU5, BU14, BU22: the melds that may be laid."""
        found = new_melds(self.hand)
        if not found:
            return found
        ranks = {meld.rank for meld in self.now.melds[self.side] if meld.rank}
        return tuple([meld for meld in found if meld.rank not in ranks and self._may_lay(meld.cards)])

    @kept
    def _legal(self) -> tuple[str, ...]:
        if self.is_over:
            return ()
        if not self.now.has_drawn:
            return (DRAW, TAKE)
        return (
            *(laid(meld) for meld in self.layings),
            *(f"{card}>{number + 1}" for card, number in self.extensions),
            *self.discards,
        )

    def legal(self) -> tuple[str, ...]:
        """Drawing, or melds, cards on melds, and discards."""
        return self._legal

    def _may_lay(self, cards: tuple[str, ...], number: int | None = None) -> bool:
        """BU14: whether the turn can still be ended with a discard when these have been laid."""
        left = len(self.hand) - len(cards)
        if left > 1:
            return True
        if left == 0:
            return not self.has_pozzetto
        after = self._laid(cards, number)
        if State._why_not_discard(after, after.hand[0]) is None:
            return True
        last = after.hand[0]
        return not self.has_pozzetto and any(last in takes(meld) for meld in after.now.melds[self.side])

    def _why_not_discard(self, card: str) -> ActionError | None:
        """BU12 to BU14: why a card that is held may not be discarded; None where it may."""
        if card == self.now.barred:
            template = gettext_noop(
                "You have just taken this card from the pile: you can’t discard it again."
            )
            return ActionError("just-taken", template, given=card)
        if len(self.hand) > 1 or not self.has_pozzetto:
            return None
        if not any(meld.is_burraco for meld in self.now.melds[self.side]):
            template = gettext_noop("To close, your side needs a burraco: a meld of seven cards or more.")
            return ActionError("no-burraco", template, given=card)
        if is_wild(card):
            template = gettext_noop("You can’t close by discarding a two or a joker.")
            return ActionError("wild-last", template, given=card)
        return None

    def verify(self, token: str) -> None:
        """BU5 to BU14, BU20."""
        self._read(token)

    def _read(self, token: str) -> str:
        """The action as it is written (BU22). Raises ActionError."""
        if token in self._legal:
            return token
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token in {DRAW, TAKE}:
            raise ActionError("drawn", gettext_noop("You have drawn already: meld or discard."), given=token)
        cards, number = _cards_of(token)
        if not self.now.has_drawn:
            template = gettext_noop("Draw a card or take the pile first.")
            raise ActionError("draw-first", template, given=token)
        if without(self.hand, cards) is None:
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        if number is not None:
            return self._read_extension(token, cards, number)
        if len(cards) == 1 and token[:1] != NEW:
            raise self._why_not_discard(token) or _no_action(token)
        return self._read_laying(token, cards)

    def _read_laying(self, token: str, cards: tuple[str, ...]) -> str:
        if len(cards) > 3:
            template = gettext_noop("Lay three cards first, then add the others one at a time.")
            raise ActionError("three-cards", template, given=token)
        if len(cards) < 3:
            template = gettext_noop("Choose the three cards of a new meld.")
            raise ActionError("three-cards", template, given=token)
        meld = meld_of(in_order(cards))
        if meld is None:
            raise why_no_meld(cards, token)
        if meld.rank and any(other.rank == meld.rank for other in self.now.melds[self.side]):
            template = gettext_noop("Your side has a set of this rank already.")
            raise ActionError("set-twice", template, given=token)
        if not self._may_lay(meld.cards):
            raise _no_discard(token)
        return laid(meld)

    def _read_extension(self, token: str, cards: tuple[str, ...], number: int) -> str:
        melds = self.now.melds[self.side]
        if not 1 <= number <= len(melds):
            raise _no_action(token)
        if len(cards) != 1:
            template = gettext_noop("Add cards to a meld one at a time.")
            raise ActionError("one-card", template, given=token)
        (card,), meld = cards, melds[number - 1]
        if card not in takes(meld):
            raise _why_not_on(meld, card, token)
        if not self._may_lay(cards, number - 1):
            raise _no_discard(token)
        return f"{card}>{number}"

    def apply(self, token: str) -> State:
        """The state after this action."""
        return self.after(self._read(token))

    def after(self, token: str) -> State:
        """The state after an action that was allowed, as it is written."""
        if token == DRAW:
            now = self._drawn()
        elif token == TAKE:
            now = self._taken()
        elif len(token) == 2:
            now = self._discarded(token)
        else:
            cards, number = _cards_of(token)
            now = _pozzetto_in_flight(self._laid(cards, None if number is None else number - 1).now)
        return State(self.setting, self.history + (token,), now)  # noqa: RUF005 (quicker)

    def _drawn(self) -> Now:
        now = self.now
        hand = in_order((*self.hand, now.stock[0]))
        return now._replace(hands=_with(now.hands, now.turn, hand), stock=now.stock[1:], has_drawn=True)

    def _taken(self) -> Now:
        """BU11, BU12."""
        now = self.now
        is_one = len(now.pile) == 1
        barred = now.pile[0] if is_one and now.pile[0] not in self.hand else ""
        hand = in_order((*self.hand, *now.pile))
        return now._replace(
            hands=_with(now.hands, now.turn, hand), pile=(), has_drawn=True, barred=barred, is_idle=is_one
        )

    def _laid(self, cards: tuple[str, ...], number: int | None) -> State:
        """With these cards on the table, as a new meld or on that one, from 0."""
        now, side = self.now, self.side
        melds = now.melds[side]
        if number is None:
            new = meld_of(in_order(cards))
            melds = (*melds, new) if new else melds
        else:
            grown = extended(melds[number], cards[0])
            melds = (*melds[:number], grown or melds[number], *melds[number + 1 :])
        left = without(self.hand, cards) or ()
        return State(
            self.setting,
            self.history,
            now._replace(
                hands=_with(now.hands, now.turn, left),
                melds=(melds, now.melds[1]) if side == 0 else (now.melds[0], melds),
                barred="" if now.barred in cards else now.barred,
                is_idle=False,
            ),
        )

    def _discarded(self, card: str) -> Now:
        """BU11 to BU15: the turn is over."""
        now, seat = self.now, self.now.turn
        hand, turn = without(self.hand, (card,)) or (), (seat + 1) % 4
        hands, idle = _with(now.hands, seat, hand), now.idle + 1 if now.is_idle else 0
        now = Now(
            hands, now.stock, (*now.pile, card), now.pozzetti, seat,
            melds=now.melds, took=now.took, down=now.down, idle=idle,
        )  # fmt: skip
        if not hand and self.has_pozzetto:
            return now._replace(ended=CLOSED, closer=seat)
        if not hand:
            now = _pozzetto_taken(now)._replace(down=_with(now.down, seat, now.pozzetti[0]))
        if len(now.stock) <= LEFT_IN_STOCK:
            return now._replace(ended=OUT_OF_STOCK)
        if now.idle == STALEMATE:
            return now._replace(ended=DEADLOCK)
        if now.down[turn]:
            now = now._replace(hands=_with(now.hands, turn, now.down[turn]), down=_with(now.down, turn, ()))
        return now._replace(turn=turn)

    def score(self) -> Points:
        """BU16, BU17. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        return _points(self)


def _points(played: State) -> Points:
    """BU16, BU17: the score of a deal that is over, and how it came about."""
    now = played.now
    lines = {side: lines_of(played, place) for place, side in enumerate(SIDE_KEYS)}
    took = [SEATS[place] if place >= 0 else None for place in now.took]
    detail: dict[str, Json] = {
        "ended": now.ended,
        "closed_by": SEATS[now.closer] if now.closer >= 0 else None,
        "pozzetto": dict(zip(SIDE_KEYS, took, strict=True)),
        "lines": lines,
        "melds": {
            side: [laid(meld) for meld in melds] for side, melds in zip(SIDE_KEYS, now.melds, strict=True)
        },
        "unseen": [seat for seat, down in zip(SEATS, now.down, strict=True) if down],
    }
    return Points({side: sum(of_side.values()) for side, of_side in lines.items()}, detail)


def lines_of(played: State, side: int) -> dict[str, int]:
    """BU16, BU17: what makes up the score of a side, 0 or 1."""
    now, semi_clean = played.now, played.setting.semi_clean
    burrachi = [meld for meld in now.melds[side] if meld.is_burraco]
    semi = [meld for meld in burrachi if semi_clean and meld.is_semi_clean]
    held = [card for seat in (side, side + 2) for card in (*now.hands[seat], *now.down[seat])]
    lines = {
        "melded": sum(meld.points for meld in now.melds[side]),
        "clean": CLEAN * sum(not meld.wild for meld in burrachi),
        "dirty": DIRTY * sum(bool(meld.wild) and meld not in semi for meld in burrachi),
        "closing": CLOSING * (now.closer >= 0 and now.closer % 2 == side),
        "held": -sum(VALUE[card] for card in held),
        "no pozzetto": NO_POZZETTO * (now.took[side] < 0),
    }
    return {**lines, "semi-clean": SEMI_CLEAN * len(semi)} if semi_clean else lines


def made(played: State, side: int) -> int:
    """What a side, 0 or 1, has on the table, burrachi included."""
    lines = lines_of(played, side)
    return sum(lines.get(name, 0) for name in ("melded", "clean", "semi-clean", "dirty"))


def side_of(seat: str) -> str:
    """BU2."""
    return "NS" if seat in SIDES["NS"] else "EW"


def laid(meld: Meld) -> str:
    """BU22: a new meld as it lies."""
    return "".join(meld.cards)


def _with(
    of_seats: tuple[tuple[str, ...], ...], seat: int, cards: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*of_seats[:seat], cards, *of_seats[seat + 1 :])


def _pozzetto_taken(now: Now) -> Now:
    """BU13: the next one is that of the side on turn."""
    took = (now.turn, now.took[1]) if now.turn % 2 == 0 else (now.took[0], now.turn)
    return now._replace(took=took, pozzetti=now.pozzetti[1:])


def _pozzetto_in_flight(now: Now) -> Now:
    """BU13: by melding the last card."""
    if now.hands[now.turn]:
        return now
    return _pozzetto_taken(now)._replace(hands=_with(now.hands, now.turn, now.pozzetti[0]))


def _cards_of(token: str) -> tuple[tuple[str, ...], int | None]:
    """The cards of an action, and the number of the meld they go on. Raises ActionError."""
    found = _ON_MELD.fullmatch(token)
    number = None if found is None else int(found[1] or found[4])
    text = (found[2] or found[3] or "") if found else token.removeprefix(NEW)
    try:
        cards = read_cards(text)
    except CardError:
        raise _no_action(token) from None
    if not cards and token[:1] != NEW and found is None:
        raise _no_action(token)
    if not set(CARDS) >= set(cards):
        raise _no_action(token)
    return cards, number


def _no_action(token: str) -> ActionError:
    return ActionError("token", gettext_noop("“%(given)s” isn’t an action in this game."), given=token)


def _no_discard(token: str) -> ActionError:
    template = gettext_noop("After that you couldn’t end your turn: you’d have nothing that you may discard.")
    return ActionError("no-discard", template, given=token)


def _why_not_on(meld: Meld, card: str, token: str) -> ActionError:
    """BU8, BU20."""
    cards = in_order((*meld.cards, card))
    if meld_of(cards) is not None:
        template = gettext_noop("The wild card of this meld stays: no other wild card takes its place.")
        return ActionError("wild-stays", template, given=token)
    if meld.wild and is_wild(card):
        return ActionError("two-wilds", gettext_noop("A meld has one wild card at most."), given=token)
    if not meld.rank and card[0] == "A" and any(each[0] == "A" for each in meld.cards):
        template = gettext_noop("A run has one ace only: at its low end or at its high end.")
        return ActionError("two-aces", template, given=token)
    return ActionError("no-meld", gettext_noop("That card doesn’t go on this meld."), given=token)
