"""A deal of Poch being played: the best cards, poching, and playing out (PO2 to PO16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.cards import Card
from engine.errors import ActionError, DealError
from engine.game.individuals import PlayedDeal, not_held, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import Dealt, read_deal
from engine.poch.board import (
    BOARD_STAKE,
    HAND,
    PLACES,
    POCH,
    Hand,
    best_cards,
    first_leads,
    higher,
    merit,
    pack_of,
)
from engine.states import kept
from engine.text import gettext_noop

#: PO19.
PASS, MATCH, DROP, STAKE = "-", "=", "f", "+"
#: PO7 to PO9, PO11.
OPENING, ANSWERS, OPENER, PLAY = "opening", "answers", "opener", "play"
SHOWN, UNSEEN = "shown", "unseen"
_POCH: Final = PLACES.index(POCH)
_TO_DO: Final = {
    OPENING: gettext_noop("First open the poching, or pass."),
    ANSWERS: gettext_noop("First match the stake, or drop out."),
    OPENER: gettext_noop("First show the hands, or raise if you may."),
    PLAY: gettext_noop("The poching is over: play a card."),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """PO7, PO9, PO14: the options of a deal."""

    limit: int
    raises: int
    sequence_chip: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with; ``board`` is what lay on each place before it."""

    hands: tuple[Hand, ...]
    up: str
    dealer: int
    rules: Rules
    board: tuple[int, ...]

    @property
    def eldest(self) -> int:
        """C1."""
        return (self.dealer + 1) % len(self.hands)

    @property
    def best(self) -> dict[str, int]:
        """PO4."""
        return best_cards(self.hands, self.up[1])


class Now(NamedTuple):
    """How a deal stands; ``points`` are those of each place so far, ``asked`` have still to answer."""

    hands: tuple[Hand, ...]
    points: tuple[int, ...]
    board: tuple[int, ...]
    phase: str
    turn: int
    asked: tuple[int, ...] = ()
    opener: int = -1
    stakes: tuple[int, ...] = ()
    dropped: frozenset[int] = frozenset()
    raises: int = 0
    poch: tuple[int, str] | None = None
    """PO10: who took the poch, shown or unseen."""
    last: str = ""
    """The card to which the next higher one belongs; empty: a sequence begins."""
    sequences: int = 0
    out: int = -1


def read(text: str, players: int) -> tuple[Dealt, str]:
    """PO3: the hands and the turned card. Raises DealError."""
    written, _bar, up = text.partition(" | ")
    cards = pack_of(players)
    dealt = read_deal(written, [card for card in cards if card in written], (HAND,) * players)
    if up not in cards or any(up in hand for hand in dealt.hands):
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt, up


def start(text: str, players: int, dealer: int, rules: Rules, board: tuple[int, ...]) -> State:
    """PO2, PO4. Raises DealError."""
    dealt, up = read(text, players)
    return begun(Setting(dealt.hands, up, dealer, rules, board))


def begun(setting: Setting) -> State:
    """PO4: after the best cards are paid, before eldest speaks."""
    players = len(setting.hands)
    board = [
        points + (players if place != POCH else 0)
        for place, points in zip(PLACES, setting.board, strict=True)
    ]
    points = [-BOARD_STAKE] * players
    for place, seat in setting.best.items():
        at = PLACES.index(place)
        points[seat] += board[at]
        board[at] = 0
    order = tuple((setting.eldest + step) % players for step in range(players))
    now = Now(
        setting.hands, tuple(points), tuple(board), OPENING, setting.eldest, order, stakes=(0,) * players
    )
    return State(setting, (), now)


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """PO7 to PO12."""
        return None if self.now.out >= 0 else self.now.turn

    @property
    def staying(self) -> tuple[int, ...]:
        """PO8: who is in the second part, the opener too, from eldest on."""
        players = len(self.setting.hands)
        order = ((self.setting.eldest + step) % players for step in range(players))
        return tuple(place for place in order if place not in self.now.dropped)

    @kept
    def must_play(self) -> str:
        """PO12: the only card that may be played; empty where there is a choice."""
        return higher(self.now.last) if self.now.phase == PLAY and self.now.last else ""

    def allowed(self) -> Sequence[str]:
        """PO7 to PO12."""
        now, rules = self.now, self.setting.rules
        if now.phase == PLAY:
            return self._playable()
        stakes = tuple(f"{STAKE}{k}" for k in range(1, rules.limit + 1))
        if now.phase == OPENING:
            return (PASS, *stakes)
        if now.phase == ANSWERS:
            return MATCH, DROP
        return (MATCH, *(stakes if now.raises < rules.raises else ()))

    def _playable(self) -> Sequence[str]:
        """PO11, PO12."""
        now = self.now
        if now.last:
            return (higher(now.last),)
        hand = now.hands[now.turn]
        return hand if now.sequences else first_leads(hand)

    def refusal(self, token: str) -> ActionError:
        """PO19."""
        now = self.now
        is_stake = token[:1] == STAKE and token[1:].isdecimal() and len(token) < 5
        is_card = token in pack_of(len(now.hands))
        if token not in {PASS, MATCH, DROP} and not is_stake and not is_card:
            return unknown_action(token)
        if is_card and now.phase != PLAY:
            return ActionError("phase", gettext_noop("Cards are played after the poching."), given=token)
        if is_stake and now.phase != PLAY:
            return self._stake_refusal(token)
        if not is_card:
            return wrong_phase(token, _TO_DO[now.phase])
        if token not in now.hands[now.turn]:
            return not_held(token)
        if self.must_play:
            template = gettext_noop("You must play the %(card)s.")
            return ActionError("must-follow", template, given=token, card=Card.parse(self.must_play).symbol)
        leads = first_leads(now.hands[now.turn])
        if token[1] in {card[1] for card in leads}:
            template = gettext_noop("Lead the lowest card of that suit.")
            return ActionError("lowest-card", template, given=token)
        return ActionError("longest-suit", gettext_noop("Lead from your longest suit."), given=token)

    def _stake_refusal(self, token: str) -> ActionError:
        rules, phase = self.setting.rules, self.now.phase
        if phase == ANSWERS:
            return ActionError("phase", gettext_noop("Only the player who opened may raise."), given=token)
        if phase == OPENER and self.now.raises >= rules.raises:
            template = gettext_noop("There are no more raises in this deal.")
            return ActionError("no-more-raises", template, given=token)
        template = gettext_noop("Stake from 1 to %(limit)d points.")
        return ActionError("limit", template, given=token, limit=rules.limit)

    def step(self, token: str) -> Now:
        """PO7 to PO15."""
        phase = self.now.phase
        if phase == PLAY:
            return self._played(token)
        if phase == OPENING:
            return self._opening(token)
        return self._opener(token) if phase == OPENER else self._answer(token)

    def _opening(self, token: str) -> Now:
        now = self.now
        if token != PASS:
            return self._staked(int(token[1:]))._replace(opener=now.turn)
        rest = now.asked[1:]
        if rest:
            return now._replace(asked=rest, turn=rest[0])
        return now._replace(phase=PLAY, asked=(), turn=self.setting.eldest)

    def _staked(self, points: int) -> Now:
        """PO8: everybody still in is asked, from the left of who staked all the way round."""
        now, players = self.now, len(self.now.hands)
        paid = self._pays(now, now.turn, points)
        around = ((now.turn + step) % players for step in range(1, players))
        asked = tuple(place for place in around if place not in now.dropped)
        return paid._replace(phase=ANSWERS, asked=asked, turn=asked[0])

    @staticmethod
    def _pays(now: Now, place: int, points: int) -> Now:
        stakes, own = now.stakes, now.points
        board = (*now.board[:_POCH], now.board[_POCH] + points)
        return now._replace(
            stakes=(*stakes[:place], stakes[place] + points, *stakes[place + 1 :]),
            points=(*own[:place], own[place] - points, *own[place + 1 :]),
            board=board,
        )

    def _answer(self, token: str) -> Now:
        now, turn = self.now, self.now.turn
        if token == DROP:
            now = now._replace(dropped=now.dropped | {turn})
        else:
            now = self._pays(now, turn, now.stakes[now.opener] - now.stakes[turn])
        rest = now.asked[1:]
        if rest:
            return now._replace(asked=rest, turn=rest[0])
        if len(now.dropped) == len(now.hands) - 1:
            return self._won(now, now.opener, UNSEEN)
        return now._replace(phase=OPENER, asked=(), turn=now.opener)

    def _opener(self, token: str) -> Now:
        if token != MATCH:
            return self._staked(int(token[1:]))._replace(raises=self.now.raises + 1)
        # PO6: of equal hands the one nearer to the dealer's left.
        winner = max(self.staying, key=lambda place: merit(self.setting.hands[place]))
        return self._won(self.now, winner, SHOWN)

    @staticmethod
    def _won(now: Now, winner: int, how: str) -> Now:
        points = (*now.points[:winner], now.points[winner] + now.board[_POCH], *now.points[winner + 1 :])
        board = (*now.board[:_POCH], 0)
        return now._replace(points=points, board=board, poch=(winner, how), phase=PLAY, asked=(), turn=winner)

    def _played(self, card: str) -> Now:
        """PO12 to PO15."""
        now, turn = self.now, self.now.turn
        hand = tuple([each for each in now.hands[turn] if each != card])
        hands = (*now.hands[:turn], hand, *now.hands[turn + 1 :])
        sequences = now.sequences + (not now.last)
        follows = higher(card)
        holder = next((place for place, each in enumerate(hands) if follows in each), None)
        if hand and holder is not None:
            return now._replace(hands=hands, last=card, sequences=sequences, turn=holder)
        now = now._replace(hands=hands, last=card, sequences=sequences)
        if not hand:
            held = tuple(len(each) for each in hands)
            points = tuple(
                own - count + (sum(held) if place == turn else 0)
                for place, (own, count) in enumerate(zip(now.points, held, strict=True))
            )
            return now._replace(points=points, out=turn)
        if self.setting.rules.sequence_chip:
            others = len(hands) - 1
            points = tuple(own + (others if place == turn else -1) for place, own in enumerate(now.points))
            now = now._replace(points=points)
        return now._replace(last="")

    def result(self) -> Points:
        """PO16."""
        now, best = self.now, {place: str(seat + 1) for place, seat in self.setting.best.items()}
        if now.poch:
            best[POCH] = str(now.poch[0] + 1)
        detail: dict[str, Json] = {
            "trump": self.setting.up[1],
            "best": best,
            "vying": now.poch[1] if now.poch else None,
            "out": str(now.out + 1),
            "left": {str(place + 1): len(hand) for place, hand in enumerate(now.hands)},
            "sequences": now.sequences,
            "board": dict(zip(PLACES, now.board, strict=True)),
        }
        return Points({str(place + 1): points for place, points in enumerate(now.points)}, detail)
