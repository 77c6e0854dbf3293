"""A deal of Burraco being played: drawing, melding, discarding, pozzetti, the end and the score (BU3 to BU17)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.burraco.cards import ONE, PACK, VALUE, card_at, cards_in, hand_of, is_wild, kinds, number_of_few
from engine.burraco.melds import Meld, Melds, extended, meld_of, read_meld, why_no_meld
from engine.burraco.new_melds import counted, meld_at
from engine.errors import ActionError, CardError, DealError
from engine.game.values import Json, Points
from engine.packs import Dealt, in_order, read_cards, read_deal, without
from engine.states import kept, made
from engine.text import gettext_noop

SEATS: Final = ("N", "E", "S", "W")
SIDES: Final = {"NS": ("N", "S"), "EW": ("E", "W")}
SIDE_KEYS: Final = tuple(SIDES)
#: BU3.
SIZE: Final = 11
DRAW, TAKE = "draw", "take"
BEGINNINGS: Final = (DRAW, TAKE)
#: How a composition begins: cards for a new meld, or a card for the meld of that number ("9s>2" is written "2<9s").
NEW, ON = "+", "<"
#: So many different cards: after any laying two are left at least, and one of them may be discarded.
ENOUGH: Final = 5
#: So many actions are no longer recent: all the others are copied only once in so many.
RECENT: Final = 12
#: BU15.
LEFT_IN_STOCK: Final = 2
STALEMATE: Final = 4
CLOSED, OUT_OF_STOCK, DEADLOCK = "closed", "stock", "stalemate"
#: BU16.
CLEAN, SEMI_CLEAN, DIRTY, CLOSING, NO_POZZETTO = 200, 150, 100, 100, -100
_ON_MELD: Final = re.compile(r"([0-9]{1,3})<(.*)|(.{2})>([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with, besides its cards."""

    dealer: str
    semi_clean: bool = False
    up: str = ""
    """BU3: the card with which the pile began."""


class Now(NamedTuple):
    """How a deal stands. Seats are their places in ``SEATS``; sides are 0 and 1. What each turn changes comes first."""

    hands: tuple[int, ...]
    stock: tuple[str, ...]
    pile: tuple[str, ...]
    """BU11: the discards, the last one on top."""
    turn: int
    has_drawn: bool = False
    barred: str = ""
    """BU12: the card that may not be discarded in this turn."""
    is_idle: bool = False
    """BU15: whether this turn took a pile of one card and has laid nothing."""
    idle: int = 0
    """BU15: how many turns in a row did that."""
    pozzetti: tuple[int, ...] = ()
    """BU13: those that nobody has taken, the next one first."""
    melds: tuple[Melds, Melds] = (Melds(), Melds())
    took: tuple[int, int] = (-1, -1)
    """By side: who took its pozzetto."""
    down: tuple[int, ...] = (0, 0, 0, 0)
    """By seat: a pozzetto that lies face down."""
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
    pozzetti = (hand_of(rest[:SIZE]), hand_of(rest[SIZE : 2 * SIZE]))
    stock, up = rest[2 * SIZE + 1 :], rest[2 * SIZE : 2 * SIZE + 1]
    hands, turn = tuple(map(hand_of, dealt.hands)), (SEATS.index(dealer) + 1) % 4
    now = Now(hands, stock, up, turn, pozzetti=pozzetti)
    return State(Setting(dealer, semi_clean, up[0]), (), now)


class Played(NamedTuple):
    """What a state is made of: as ``engine.states.Played``, but a deal of Burraco has a hundred actions and more."""

    setting: Setting
    told: tuple[str, ...]
    """All actions but the last few, so that few are copied with each."""
    now: Now
    recent: tuple[str, ...] = ()


class State(Played):
    """A deal being played."""

    #: The action that was drawn of those that are legal: it needs no second look.
    _sure: str | None = None

    @property
    def history(self) -> tuple[str, ...]:
        """All actions in order."""
        return self.told + self.recent

    @property
    def is_over(self) -> bool:
        """BU15."""
        return self.now.ended != ""

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else SEATS[self.now.turn]

    @property
    def held(self) -> int:
        """The hand of the seat on turn."""
        return self.now.hands[self.now.turn]

    @kept
    def hand(self) -> tuple[str, ...]:
        """The cards of the seat on turn."""
        return cards_in(self.held)

    @property
    def side(self) -> int:
        """The side on turn."""
        return self.now.turn % 2

    @property
    def has_pozzetto(self) -> bool:
        """BU13, BU14: whether the side on turn has taken its pozzetto."""
        return self.now.took[self.side] >= 0

    @kept
    def layings(self) -> tuple[str, ...]:
        """BU5 to BU8, BU14, BU22: the melds that may be laid, and the cards on melds of the side."""
        melds = self.now.melds[self.side]
        each, new, groups = counted(self.held, melds.of_ranks)
        on = sum([(takes & each).bit_count() for takes in melds.takes])
        found = [meld_at(groups, at) for at in range(new)] + [
            _on_meld_at(melds, each, at) for at in range(on)
        ]
        if each.bit_count() >= ENOUGH:
            return tuple(found)
        return tuple(filter(self.may_lay, found))

    def _discards(self) -> tuple[str, ...]:
        """BU11 to BU14: the cards that may be discarded now, equal ones once."""
        found, barred = cards_in(kinds(self.held)), self.now.barred
        if len(found) == 1:
            return found if self._why_not_discard(found[0]) is None else ()
        return tuple([card for card in found if card != barred]) if barred else found

    @kept
    def _legal(self) -> tuple[str, ...]:
        if self.is_over:
            return ()
        return self.layings + self._discards() if self.now.has_drawn else BEGINNINGS

    def legal(self) -> tuple[str, ...]:
        """Drawing, or melds, cards on melds, and discards."""
        return self._legal

    def drawn(self, chance: float) -> str:
        """The legal action at this share of all of them; where all may be done they are counted, not listed."""
        now = self.now
        if not now.has_drawn:
            return DRAW if chance < 0.5 else TAKE
        held, melds = now.hands[now.turn], now.melds[now.turn % 2]
        each, new, groups = counted(held, melds.of_ranks)
        layings, different = new, each.bit_count()
        for takes in melds.takes:
            layings += (takes & each).bit_count()
        # With few cards some of what is counted may not be done (BU14): two must be left.
        if different < ENOUGH and number_of_few(held) < (5 if new else 3):
            return self._legal[int(chance * len(self._legal))]
        discards = each & ~ONE[now.barred] if now.barred else each
        at = int(chance * (layings + discards.bit_count()))
        if at >= layings:
            token = card_at(discards, at - layings)
        elif at < new:
            token = meld_at(groups, at)
        else:
            token = _on_meld_at(melds, each, at - new)
        self._sure = token
        return token

    def _allows(self, token: str) -> bool:
        now = self.now
        if not now.has_drawn:
            return token in BEGINNINGS and not now.ended
        if token == self._sure:
            return True
        if token in ONE:
            return now.hands[now.turn] & 15 * ONE[token] > 0 and self._why_not_discard(token) is None
        return token in self.layings

    def may_lay(self, token: str) -> bool:
        """BU14: whether the turn can still be ended with a discard when these have been laid."""
        left = len(self.hand) - (1 if ">" in token else 3)
        if left > 1:
            return True
        if left == 0:
            return not self.has_pozzetto
        after = State(self.setting, self.told, self._laid(token), self.recent)
        last = after.hand[0]
        if State._why_not_discard(after, last) is None:
            return True
        return not self.has_pozzetto and any(ONE[last] & meld.takes for meld in after.now.melds[self.side])

    def _why_not_discard(self, card: str) -> ActionError | None:
        """BU12 to BU14: why a card that is held may not be discarded; None where it may."""
        if card == self.now.barred:
            template = gettext_noop(
                "You have just taken this card from the pile: you can’t discard it again."
            )
            return ActionError("just-taken", template, given=card)
        if self.held != ONE[card] or not self.has_pozzetto:
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
        if not self._allows(token):
            self._read(token)

    def _read(self, token: str) -> str:
        """The action as it is written (BU22). Raises ActionError."""
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token in BEGINNINGS:
            raise ActionError("drawn", gettext_noop("You have drawn already: meld or discard."), given=token)
        cards, number = _cards_of(token)
        if not self.now.has_drawn:
            template = gettext_noop("Draw a card or take the pile first.")
            raise ActionError("draw-first", template, given=token)
        if without(self.hand, cards) is None:
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        is_composed = token[:1] == NEW or ON in token
        if number is None and len(cards) == 1 and not is_composed:
            raise self._why_not_discard(token) or _no_action(token)
        found = _read_extension(self, token, cards, number) if number else _read_laying(self, token, cards)
        # Cards are chosen in any order, but an action is written in one way.
        if not is_composed:
            raise _no_action(token)
        return found

    def apply(self, token: str) -> State:
        """The state after this action."""
        return self.after(token if self._allows(token) else self._read(token))

    def after(self, token: str) -> State:
        """The state after an action that was allowed, as it is written."""
        if len(token) == 2:
            now = self._discarded(token)
        elif token == DRAW:
            now = self._drawn()
        elif token == TAKE:
            now = self._taken()
        else:
            now = _pozzetto_in_flight(self._laid(token))
        recent = self.recent + (token,)  # noqa: RUF005 (quicker)
        if len(recent) < RECENT:
            return made(State, (self.setting, self.told, now, recent))
        return made(State, (self.setting, self.told + recent, now, ()))

    def _drawn(self) -> Now:
        now = self.now
        turn, stock = now.turn, now.stock
        hands = _with(now.hands, turn, now.hands[turn] + ONE[stock[0]])
        return made(Now, (hands, stock[1:], now.pile, turn, True, *now[5:]))

    def _taken(self) -> Now:
        """BU11, BU12."""
        now = self.now
        turn, pile = now.turn, now.pile
        held, is_one = now.hands[turn], len(pile) == 1
        barred = pile[0] if is_one and not held & 15 * ONE[pile[0]] else ""
        hands = _with(now.hands, turn, held + hand_of(pile))
        return made(Now, (hands, now.stock, (), turn, True, barred, is_one, *now[7:]))

    def _laid(self, token: str) -> Now:
        """With these cards on the table; who has none left has no pozzetto yet."""
        now = self.now
        turn = now.turn
        own, others = now.melds if turn % 2 == 0 else now.melds[::-1]
        if len(token) < 6:
            place = int(token[3:]) - 1
            new, left = extended(own[place], token[:2]), now.hands[turn] - ONE[token[:2]]
        else:
            place, new = len(own), read_meld(token)
            left = now.hands[turn] - (new.hand if new else 0)
        if new is None:
            raise _no_action(token)
        own = own.with_one(place, new)
        barred = "" if now.barred in token else now.barred
        of_sides = (own, others) if turn % 2 == 0 else (others, own)
        hands = _with(now.hands, turn, left)
        return made(
            Now, (hands, now.stock, now.pile, turn, True, barred, False, *now[7:9], of_sides, *now[10:])
        )

    def _discarded(self, card: str) -> Now:
        """BU11 to BU15: the turn is over."""
        before = self.now
        seat = before.turn
        hand, turn, idle = (
            before.hands[seat] - ONE[card],
            (seat + 1) % 4,
            before.idle + 1 if before.is_idle else 0,
        )
        hands, pile = _with(before.hands, seat, hand), before.pile + (card,)  # noqa: RUF005 (quicker)
        now = made(Now, (hands, before.stock, pile, turn, False, "", False, idle, *before[8:]))
        if not hand and self.has_pozzetto:
            return now._replace(ended=CLOSED, closer=seat)
        if not hand:
            now = _pozzetto_taken(now, seat)._replace(down=_with(now.down, seat, now.pozzetti[0]))
        if len(now.stock) <= LEFT_IN_STOCK:
            return now._replace(ended=OUT_OF_STOCK)
        if idle == STALEMATE:
            return now._replace(ended=DEADLOCK)
        if now.down[turn]:
            now = now._replace(hands=_with(now.hands, turn, now.down[turn]), down=_with(now.down, turn, 0))
        return now

    def score(self) -> Points:
        """BU16, BU17. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        return _points(self)


def _read_laying(played: State, token: str, cards: tuple[str, ...]) -> str:
    if len(cards) > 3:
        template = gettext_noop("Lay three cards first, then add the others one at a time.")
        raise ActionError("three-cards", template, given=token)
    if len(cards) < 3:
        template = gettext_noop("Choose the three cards of a new meld.")
        raise ActionError("three-cards", template, given=token)
    meld = meld_of(cards)
    if meld is None:
        raise why_no_meld(cards, token)
    if meld.rank and any(other.rank == meld.rank for other in played.now.melds[played.side]):
        template = gettext_noop("Your side has a set of this rank already.")
        raise ActionError("set-twice", template, given=token)
    if not played.may_lay(laid(meld)):
        raise _no_discard(token)
    return laid(meld)


def _read_extension(played: State, token: str, cards: tuple[str, ...], number: int) -> str:
    melds = played.now.melds[played.side]
    if not 1 <= number <= len(melds):
        raise _no_action(token)
    if len(cards) != 1:
        template = gettext_noop("Add cards to a meld one at a time.")
        raise ActionError("one-card", template, given=token)
    (card,), meld = cards, melds[number - 1]
    if not ONE[card] & meld.takes:
        raise _why_not_on(meld, card, token)
    written = f"{card}>{number}"
    if not played.may_lay(written):
        raise _no_discard(token)
    return written


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
    held = [card for seat in (side, side + 2) for card in cards_in(now.hands[seat] + now.down[seat])]
    lines = {
        "melded": sum(meld.points for meld in now.melds[side]),
        "clean": CLEAN * sum(not meld.wild for meld in burrachi),
        "dirty": DIRTY * sum(bool(meld.wild) and meld not in semi for meld in burrachi),
        "closing": CLOSING * (now.closer >= 0 and now.closer % 2 == side),
        "held": -sum(VALUE[card] for card in held),
        "no pozzetto": NO_POZZETTO * (now.took[side] < 0),
    }
    return {**lines, "semi-clean": SEMI_CLEAN * len(semi)} if semi_clean else lines


def on_table(played: State, side: int) -> int:
    """What a side, 0 or 1, has on the table, burrachi included."""
    lines = lines_of(played, side)
    return sum(lines.get(name, 0) for name in ("melded", "clean", "semi-clean", "dirty"))


def side_of(seat: str) -> str:
    """BU2."""
    return "NS" if seat in SIDES["NS"] else "EW"


def laid(meld: Meld) -> str:
    """BU22: a new meld as it lies."""
    return "".join(meld.cards)


def _with(of_seats: tuple[int, ...], seat: int, hand: int) -> tuple[int, ...]:
    hands = [*of_seats]
    hands[seat] = hand
    return tuple(hands)


def _on_meld_at(melds: Melds, each: int, at: int) -> str:
    """BU22: the one at this place of these cards on those melds."""
    for number, takes in enumerate(melds.takes, 1):
        goes = takes & each
        if at < goes.bit_count():
            return f"{card_at(goes, at)}>{number}"
        at -= goes.bit_count()
    raise IndexError(at)


def _pozzetto_taken(now: Now, seat: int) -> Now:
    """BU13: the next one is that of the seat's side."""
    took = (seat, now.took[1]) if seat % 2 == 0 else (now.took[0], seat)
    return now._replace(took=took, pozzetti=now.pozzetti[1:])


def _pozzetto_in_flight(now: Now) -> Now:
    """BU13: by melding the last card."""
    if now.hands[now.turn]:
        return now
    return _pozzetto_taken(now, now.turn)._replace(hands=_with(now.hands, now.turn, now.pozzetti[0]))


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
