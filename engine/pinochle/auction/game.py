"""Auction Pinochle as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import CheckedSheet, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.individuals import IndividualGame, cards_among, equal_deals_field
from engine.game.matches import ranks_of, winners_of
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import SUITS, Dealt, in_order, is_card
from engine.pinochle.auction import play
from engine.pinochle.auction.for_learners import HELP, help_on_table, help_on_turn
from engine.pinochle.auction.melds import melded_cards
from engine.pinochle.auction.novice import NOVICE
from engine.pinochle.auction.play import ACTIVE, BURIED, HAND, PASS, SEE, THROW, active_seats
from engine.pinochle.auction.records import fault_of_total, odd, read_written, written
from engine.pinochle.auction.sampling import SAMPLING
from engine.pinochle.play import PACK
from engine.text import Message, Word, gettext_noop

_OPTIONS: Final = (
    equal_deals_field(
        gettext_noop(
            "How many deals a match has, so that all deal equally often. 0: everybody deals four times."
        )
    ),
    OptionField(
        "forced",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("Forced bid")),
        help=Word(gettext_noop("The first player must bid. Off: a deal can be passed out.")),
    ),
    OptionField(
        "kitty",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("Kitty")),
        help=Word(
            gettext_noop("An account that pays and is paid from contracts of 350 on; shared out at the end.")
        ),
    ),
)
#: The searcher's budget for one decision at a table.
PLAYOUTS: Final = 120
_SPOKEN: Final = {
    PASS: (gettext_noop("Pass"), gettext_noop("passes")),
    SEE: (gettext_noop("Turn up the widow"), gettext_noop("turns up the widow")),
    THROW: (gettext_noop("Give up"), gettext_noop("gives up")),
    "s": (gettext_noop("Spades"), gettext_noop("names spades as trumps")),
    "h": (gettext_noop("Hearts"), gettext_noop("names hearts as trumps")),
    "d": (gettext_noop("Diamonds"), gettext_noop("names diamonds as trumps")),
    "c": (gettext_noop("Clubs"), gettext_noop("names clubs as trumps")),
}


class AuctionPinochleGame(IndividualGame[play.State]):
    """Auction Pinochle for three to five, each alone; three of them play in a deal."""

    key = "pinochle-auction"
    name = Word(gettext_noop("Auction Pinochle"))
    players = range(3, 6)
    goes_below_zero = True
    ranks = "ATKQJ9"
    fields = _OPTIONS
    state_type = play.State
    deals_each = 4
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=PLAYOUTS))

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """AP3, AP4."""
        seats = self.seats(players)
        cards = rng.sample(PACK, len(PACK))
        active = active_seats(len(seats), seats.index(dealer))
        hands = {place: in_order(cards[HAND * at : HAND * (at + 1)]) for at, place in enumerate(active)}
        return str(
            Dealt(tuple(hands.get(place, ()) for place in range(len(seats))), tuple(cards[HAND * ACTIVE :]))
        )

    def read_deal(self, text: str, players: int | None = None) -> str:
        """AP4."""
        return str(play.read(text, len(self.seats(players))))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """AP3 to AP6."""
        dealt = play.read(text, players)
        setting = play.Setting(dealt.hands, dealt.stock, dealer, options["forced"], options["kitty"])
        return play.begun(setting)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """AP18, AP19: at the end the kitty is divided."""
        result = super().match(scores, options, players)
        kitty = -sum(result.points.values())
        seats = len(result.points)
        share = (abs(kitty) // seats) * (1 if kitty > 0 else -1) if result.is_over else 0
        total = {seat: points + share for seat, points in result.points.items()}
        ranks = ranks_of(total)
        return replace(
            result,
            bonus=dict.fromkeys(total, share),
            total=total,
            ranks=ranks,
            winners=winners_of(ranks) if result.is_over else (),
            detail={"kitty": kitty, "share": share},
        )

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """AP21."""
        played = self.own(state)
        now, setting = played.now, played.setting
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        is_turned = now.phase in {play.NAMING, play.BURYING, play.PLAY, play.OVER}
        rows = (setting.widow, now.buried) if played.is_over else (setting.widow,)
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(now.hands))),
            trick=played.trick,
            trump=now.trump,
            layout=tuple(filter(None, rows)) if is_turned else (),
            cards=cards_among(legal),
            card_use="bury" if now.phase == play.BURYING else "play",
            calls=tuple(Call(token, _label(token)) for token in legal if not is_card(token)),
            barred=(Call(PASS, _label(PASS)),) if is_mine and played.must_open else (),
            help=()
            if played.is_over
            else (*(help_on_turn(played) if is_mine else ()), *help_on_table(played), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=tuple(_seen(played, seat)),
            options=(
                ("contract", now.bid),
                ("bidder", str(now.bidder + 1) if now.bidder >= 0 else ""),
                ("is_burying", now.phase == play.BURYING),
                ("shown", melded_cards(played.melds, now.trump)),
                ("forced", setting.forced),
                ("kitty", setting.kitty),
            ),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """AP9, AP21: nobody is told what is buried."""
        is_own = seat is not None and seat == state.turn
        return token if is_own or self.own(state).now.phase != play.BURYING else BURIED

    def calls(self) -> tuple[str, ...]:
        """AP22."""
        bids = (str(bid) for bid in range(play.LOWEST, play.HIGHEST + play.STEP, play.STEP))
        return (*_SPOKEN, *bids)

    def call_in_words(self, token: str) -> Message | None:
        """AP22."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token == BURIED:
            return Message(gettext_noop("buries a card"))
        if token.isdecimal():
            return Message(gettext_noop("bids %(points)s"), {"points": token})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """AP23."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """AP23."""
        return read_written(data, self.seats(players), None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """AP23."""
        seats, chosen = self.seats(players), self.read_options(options)
        checked = check_totals(
            content,
            lambda data, number: read_written(
                data, seats, chosen, self.dealer_after(first_dealer, number, players)
            ),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """AP16 to AP18."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    now = played.now
    if played.is_over:
        return Message(_OUTCOMES[now.outcome])
    if now.phase == play.PLAY:
        return Message(gettext_noop("Trick %(number)d"), {"number": now.tricks + 1})
    return Message(
        {
            play.BIDDING: gettext_noop("Bid or pass"),
            play.SEEING: gettext_noop("Turn up the widow, or give up?"),
            play.NAMING: gettext_noop("Name trumps, or give up"),
            play.BURYING: gettext_noop("Bury three cards"),
        }[now.phase]
    )


_OUTCOMES: Final = {
    play.MADE: gettext_noop("The contract is made"),
    play.BETE: gettext_noop("Bete: the bidder gave up"),
    play.DOUBLE_BETE: gettext_noop("Double bete: the contract is not made"),
    play.THROWN_IN: gettext_noop("The hand was thrown in"),
    play.PASSED_OUT: gettext_noop("All have passed"),
}


def _seen(played: play.State, seat: str | None) -> list[str]:
    """Every action as that seat has seen it."""
    now, found = played.now, list(played.history)
    if now.phase not in {play.BURYING, play.PLAY, play.OVER} or not now.trump or seat == str(now.bidder + 1):
        return found
    first = next(at for at, token in enumerate(found) if token in SUITS) + 1
    for at in range(first, first + len(now.buried)):
        found[at] = BURIED
    return found


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    """A seat's cards; those that the bidder has melded all know."""
    now, own = played.now, str(place + 1)
    has_melded = place == now.bidder and len(now.buried) == play.WIDOW
    shown: tuple[str, ...] = ()
    notes: list[Message] = []
    if place == now.bidder:
        notes.append(Message(gettext_noop("bid %(points)d"), {"points": now.bid}))
    if has_melded:
        # Of equal cards nobody can tell which was played.
        gone = Counter(card for by, card in played.plays if by == place)
        shown = in_order((Counter(melded_cards(played.melds, now.trump)) - gone).elements())
        notes.append(Message(gettext_noop("melds %(points)d"), {"points": played.now.meld}))
    return SeatZone(
        own,
        len(now.hands[place]),
        now.hands[place] if own == seat else (),
        melds=(shown,) if shown else (),
        tricks=now.won.count(place) if now.tricks else None,
        is_in=place in played.setting.active,
        notes=tuple(notes),
    )


def _label(token: str) -> Message:
    if token in _SPOKEN:
        return Message(_SPOKEN[token][0])
    return Message(gettext_noop("Bid %(points)s"), {"points": token})


AUCTION_PINOCHLE: Final = AuctionPinochleGame()
